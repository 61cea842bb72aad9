/* The neutral tree. */
#include "value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct dvl_value *make(struct dvl_arena *arena, enum dvl_value_kind kind)
{
    struct dvl_value *value = dvl_arena_take(arena, sizeof *value);
    if (value)
        value->kind = kind;
    return value;
}

struct dvl_value *dvl_value_map(struct dvl_arena *arena)
{
    return make(arena, DVL_VALUE_MAP);
}

struct dvl_value *dvl_value_list(struct dvl_arena *arena)
{
    return make(arena, DVL_VALUE_LIST);
}

struct dvl_value *dvl_value_null(struct dvl_arena *arena)
{
    return make(arena, DVL_VALUE_NULL);
}

void dvl_value_set_truth(struct dvl_value *value, bool truth)
{
    value->truth = truth;
    value->text = truth ? "true" : "false";
    value->length = strlen(value->text);
}

struct dvl_value *dvl_value_bool(struct dvl_arena *arena, bool truth)
{
    struct dvl_value *value = make(arena, DVL_VALUE_BOOL);
    if (value)
        dvl_value_set_truth(value, truth);
    return value;
}

struct dvl_value *dvl_value_number(struct dvl_arena *arena, const char *text)
{
    struct dvl_value *value = make(arena, DVL_VALUE_NUMBER);
    char *copy = dvl_arena_text(arena, text);
    if (!value || !copy)
        return NULL;
    value->text = copy;
    value->length = strlen(copy);
    return value;
}

struct dvl_value *dvl_value_int(struct dvl_arena *arena, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    return dvl_value_number(arena, text);
}

struct dvl_value *dvl_value_real(struct dvl_arena *arena, double number)
{
    if (!isfinite(number))
        return dvl_value_null(arena); /* JSON has no word for it */
    /* As few digits as read back the same; written out unless that would take
     * a long row of zeros. */
    char text[64];
    int digits = 0, exponent = 0;
    do {
        snprintf(text, sizeof text, "%.*e", digits, number);
        exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    } while (strtod(text, NULL) != number && ++digits < 17);
    if (exponent > -6 && exponent < 16)
        snprintf(text, sizeof text, "%.*f", digits > exponent ? digits - exponent : 0, number);
    return dvl_value_number(arena, text);
}

struct dvl_value *dvl_value_bytes(struct dvl_arena *arena, const char *bytes, size_t length)
{
    struct dvl_value *value = make(arena, DVL_VALUE_STRING);
    char *copy = dvl_arena_bytes(arena, bytes, length);
    if (!value || !copy)
        return NULL;
    value->text = copy;
    value->length = length;
    return value;
}

struct dvl_value *dvl_value_string(struct dvl_arena *arena, const char *text)
{
    return text ? dvl_value_bytes(arena, text, strlen(text)) : dvl_value_null(arena);
}

struct dvl_value *dvl_value_add(struct dvl_value *list, struct dvl_value *child)
{
    if (!list || !child)
        return NULL;
    child->next = NULL;
    if (list->last)
        list->last->next = child;
    else
        list->first = child;
    list->last = child;
    list->count++;
    return child;
}

struct dvl_value *dvl_value_set(struct dvl_value *map, const char *key, struct dvl_value *child)
{
    if (child)
        child->key = key;
    return dvl_value_add(map, child);
}

struct dvl_value *dvl_value_copy(struct dvl_arena *arena, const struct dvl_value *value)
{
    if (!value)
        return NULL;
    struct dvl_value *copy = make(arena, value->kind);
    if (!copy)
        return NULL;
    copy->plain = value->plain;
    copy->truth = value->truth;
    copy->line = value->line;
    copy->length = value->length;
    if (value->text && !(copy->text = dvl_arena_bytes(arena, value->text, value->length)))
        return NULL;
    for (const struct dvl_value *child = value->first; child; child = child->next) {
        struct dvl_value *twin = dvl_value_copy(arena, child); /* depth is bounded by the readers */
        const char *key = dvl_arena_text(arena, child->key);
        if (!twin || (child->key && !key))
            return NULL;
        dvl_value_set(copy, key, twin);
    }
    return copy;
}

const struct dvl_value *dvl_value_find(const struct dvl_value *map, const char *key)
{
    if (!map || map->kind != DVL_VALUE_MAP)
        return NULL;
    for (const struct dvl_value *child = map->first; child; child = child->next) {
        if (strcmp(child->key, key) == 0)
            return child;
    }
    return NULL;
}

const char *dvl_value_find_text(const struct dvl_value *map, const char *key)
{
    const struct dvl_value *value = dvl_value_find(map, key);
    return value && value->kind == DVL_VALUE_STRING ? value->text : NULL;
}

bool dvl_value_int64(const struct dvl_value *value, int64_t *out)
{
    if (!value || value->kind != DVL_VALUE_NUMBER)
        return false;
    return dvl_text_int64((struct dvl_span){.start = value->text, .length = value->length}, out);
}
