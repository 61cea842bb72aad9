/* The public face of values and answers: what a program sees of them. */
#include "answer.h"

#include "render/json.h"

#include <stdlib.h>

enum dvl_value_kind dvl_value_kind(const struct dvl_value *value)
{
    return value ? value->kind : DVL_VALUE_NULL;
}

bool dvl_value_is_true(const struct dvl_value *value)
{
    return value && value->kind == DVL_VALUE_BOOL && value->truth;
}

const char *dvl_value_text(const struct dvl_value *value)
{
    switch (dvl_value_kind(value)) {
    case DVL_VALUE_BOOL:
        return value->truth ? "true" : "false";
    case DVL_VALUE_NUMBER:
    case DVL_VALUE_STRING:
        return value->text;
    case DVL_VALUE_NULL:
    case DVL_VALUE_LIST:
    case DVL_VALUE_MAP:
        break;
    }
    return NULL;
}

bool dvl_value_integer(const struct dvl_value *value, int64_t *out)
{
    return dvl_value_int64(value, out);
}

size_t dvl_value_count(const struct dvl_value *value)
{
    return value ? value->count : 0;
}

const struct dvl_value *dvl_value_get(const struct dvl_value *map, const char *name)
{
    return dvl_value_find(map, name);
}

const struct dvl_value *dvl_value_first(const struct dvl_value *parent)
{
    return parent ? parent->first : NULL;
}

const struct dvl_value *dvl_value_next(const struct dvl_value *child)
{
    return child ? child->next : NULL;
}

const char *dvl_value_name(const struct dvl_value *child)
{
    return child ? child->key : NULL;
}

struct dvl_answer *dvl_answer_new(void)
{
    struct dvl_answer *answer = calloc(1, sizeof *answer);
    if (!answer)
        return NULL;
    dvl_arena_init(&answer->arena, 0);
    dvl_buffer_init(&answer->json);
    answer->value = dvl_value_map(&answer->arena);
    if (!answer->value) {
        dvl_answer_free(answer);
        return NULL;
    }
    return answer;
}

const struct dvl_value *dvl_answer_value(const struct dvl_answer *answer)
{
    return answer ? answer->value : NULL;
}

const char *dvl_answer_json(struct dvl_answer *answer)
{
    if (!answer)
        return NULL;
    if (answer->json.failed)
        dvl_buffer_clear(&answer->json);
    if (answer->json.length == 0)
        dvl_json_write(&answer->json, answer->value);
    return answer->json.failed ? NULL : answer->json.text;
}

void dvl_answer_free(struct dvl_answer *answer)
{
    if (!answer)
        return;
    dvl_buffer_clear(&answer->json);
    dvl_arena_clear(&answer->arena);
    free(answer);
}
