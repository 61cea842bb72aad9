/* Leaves, and names that must occur once. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 8 }; /* members that are quicker compared each with each */

struct dvl_value *dvl_tree_leaf(struct dvl_arena *arena, enum dvl_value_kind kind, struct dvl_span text, int line)
{
    struct dvl_value *value = dvl_arena_take(arena, sizeof *value);
    char *copy = dvl_arena_bytes(arena, text.start, text.length);
    if (!value || !copy)
        return NULL;
    value->kind = kind;
    value->text = copy;
    value->length = text.length;
    value->line = line;
    return value;
}

static enum dvl_status refuse(const struct dvl_value *member, const char *name, struct dvl_error *error)
{
    char shown[DVL_SHOW_SIZE];
    return dvl_report(error, name, member->line, "\"%s\" occurs twice in one map", dvl_show_text(shown, member->key));
}

static const struct dvl_value *twin_of_few(const struct dvl_value *map)
{
    for (const struct dvl_value *member = map->first; member; member = member->next) {
        for (const struct dvl_value *earlier = map->first; earlier != member; earlier = earlier->next) {
            if (strcmp(earlier->key, member->key) == 0)
                return member;
        }
    }
    return NULL;
}

static int by_key_and_line(const void *a, const void *b)
{
    const struct dvl_value *left = *(const struct dvl_value *const *)a;
    const struct dvl_value *right = *(const struct dvl_value *const *)b;
    int order = strcmp(left->key, right->key);
    return order ? order : (left->line > right->line) - (left->line < right->line);
}

enum dvl_status dvl_tree_check_names(const struct dvl_value *map, const char *name, struct dvl_error *error)
{
    if (map->count <= FEW) {
        const struct dvl_value *twin = twin_of_few(map);
        return twin ? refuse(twin, name, error) : DVL_OK;
    }
    const struct dvl_value **members = calloc(map->count, sizeof(struct dvl_value *));
    if (!members)
        return dvl_error_memory(error);
    size_t count = 0;
    for (const struct dvl_value *member = map->first; member; member = member->next)
        members[count++] = member;
    qsort(members, count, sizeof *members, by_key_and_line);
    enum dvl_status status = DVL_OK;
    for (size_t i = 1; i < count && status == DVL_OK; i++) {
        if (strcmp(members[i - 1]->key, members[i]->key) == 0)
            status = refuse(members[i], name, error);
    }
    free(members);
    return status;
}

const char *dvl_tree_kind_name(const struct dvl_value *value)
{
    if (!value)
        return "nothing";
    switch (value->kind) {
    case DVL_VALUE_NULL:
        return "null";
    case DVL_VALUE_BOOL:
        return "a bool";
    case DVL_VALUE_NUMBER:
        return "a number";
    case DVL_VALUE_STRING:
        return "a string";
    case DVL_VALUE_LIST:
        return "a list";
    case DVL_VALUE_MAP:
        return "a map";
    }
    return "nothing";
}
