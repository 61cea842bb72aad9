/* Maps of strings: labels, annotations, quantities. Read from a tree, sorted,
 * looked up, and kept in a row as JSON. */
#include "../render/json.h"
#include "manifest.h"
#include "members.h"
#include "tree.h"
#include "yaml_scalar.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct dvl_pair *)a)->key, ((const struct dvl_pair *)b)->key);
}

const char *dvl_pairs_get(const struct dvl_pairs *pairs, const char *key)
{
    struct dvl_pair wanted = {.key = key};
    const struct dvl_pair *found =
        pairs->count ? bsearch(&wanted, pairs->items, pairs->count, sizeof wanted, by_key) : NULL;
    return found ? found->value : NULL;
}

/* ---- Reading ---- */

/* Plain YAML numbers are what kubectl would have made of them; NULL when that
 * is nothing. */
static const char *plain_quantity(struct dvl_arena *arena, const struct dvl_value *value, bool *memory)
{
    char number[DVL_YAML_NUMBER_SIZE];
    struct dvl_span text = {.start = value->text, .length = value->length};
    if (value->kind == DVL_VALUE_STRING)
        return dvl_yaml_is_base_60(text) ? NULL : value->text;
    if (value->kind != DVL_VALUE_NUMBER || !dvl_yaml_number(text, number))
        return NULL;
    const char *copy = dvl_arena_text(arena, number);
    *memory = !copy;
    return copy;
}

static const char *value_text(struct dvl_arena *arena, const struct dvl_value *value, enum dvl_pairs_of what,
                              bool *memory)
{
    *memory = false;
    if (what == DVL_PAIRS_OF_TEXTS)
        return value->kind == DVL_VALUE_STRING || value->plain ? value->text : NULL;
    if (value->kind == DVL_VALUE_NULL)
        return "0"; /* as the API server's decoder reads it */
    if (value->plain)
        return plain_quantity(arena, value, memory);
    return value->kind == DVL_VALUE_STRING || value->kind == DVL_VALUE_NUMBER ? value->text : NULL;
}

static enum dvl_status refuse_value(struct dvl_members *members, const char *path, const char *key,
                                    const struct dvl_value *value, enum dvl_pairs_of what)
{
    char name[DVL_SHOW_SIZE], text[DVL_SHOW_SIZE];
    dvl_show_text(name, value->key);
    if (what == DVL_PAIRS_OF_TEXTS)
        return dvl_members_refuse(members, value, "%s%s: \"%s\" must be a string, not %s", path, key, name,
                                  dvl_tree_kind_name(value));
    if (value->plain)
        return dvl_members_refuse(members, value, "%s%s: \"%s\": %s is not a quantity", path, key, name,
                                  dvl_show(text, value->text, value->length));
    return dvl_members_refuse(members, value, "%s%s: \"%s\" must be a string or a number, not %s", path, key, name,
                              dvl_tree_kind_name(value));
}

static enum dvl_status pairs_from(struct dvl_members *members, const struct dvl_value *map, const char *path,
                                  enum dvl_pairs_of what, struct dvl_pairs *out)
{
    struct dvl_pair *items = dvl_arena_array(members->arena, map->count, sizeof *items);
    if (!items)
        return dvl_error_memory(members->error);
    size_t count = 0;
    for (const struct dvl_value *value = map->first; value; value = value->next) {
        bool memory;
        const char *text = value_text(members->arena, value, what, &memory);
        if (memory)
            return dvl_error_memory(members->error);
        if (!text)
            return refuse_value(members, path, map->key ? map->key : "", value, what);
        items[count++] = (struct dvl_pair){.key = value->key, .value = text};
    }
    if (count)
        qsort(items, count, sizeof *items, by_key);
    *out = (struct dvl_pairs){.items = items, .count = count};
    return DVL_OK;
}

enum dvl_status dvl_member_pairs(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                 const char *key, enum dvl_pairs_of what, struct dvl_pairs *out)
{
    const struct dvl_value *map;
    enum dvl_status status = dvl_member_map(members, parent, path, key, &map);
    *out = (struct dvl_pairs){0};
    return status == DVL_OK && map ? pairs_from(members, map, path, what, out) : status;
}

/* ---- Rows ---- */

char *dvl_pairs_json(struct dvl_arena *arena, const struct dvl_pairs *pairs)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct dvl_pair *pair = &pairs->items[i];
        dvl_buffer_char(&text, i ? ',' : '{');
        dvl_json_write_text(&text, pair->key, strlen(pair->key));
        dvl_buffer_char(&text, ':');
        dvl_json_write_text(&text, pair->value, strlen(pair->value));
    }
    dvl_buffer_text(&text, pairs->count ? "}" : "{}");
    char *copy = text.failed ? NULL : dvl_arena_bytes(arena, text.text, text.length);
    dvl_buffer_clear(&text);
    return copy;
}

enum dvl_status dvl_pairs_read_json(struct dvl_arena *arena, const char *json, struct dvl_pairs *out,
                                    struct dvl_error *error)
{
    *out = (struct dvl_pairs){0};
    if (!json || !*json)
        return DVL_OK;
    struct dvl_value *map = NULL;
    enum dvl_status status = dvl_json_read(arena, json, strlen(json), &map, error);
    if (status != DVL_OK)
        return status;
    if (map->kind != DVL_VALUE_MAP)
        return dvl_error_set(error, DVL_BAD_INPUT, "a map of strings is expected, not %s", dvl_tree_kind_name(map));
    struct dvl_members members = {.arena = arena, .error = error};
    return pairs_from(&members, map, "", DVL_PAIRS_OF_TEXTS, out);
}
