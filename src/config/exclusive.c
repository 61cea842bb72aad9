/* deviceshare.GPUExclusiveRules: a list of label maps.
 *
 * A rule with a value that is no text, with an empty value, or without any
 * label is refused: dropping it, or a part of it, would change which pods it
 * closes a device to. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

enum { RULES_MAX = 256, LABELS_MAX = 64 };

static const struct dvl_text_rule label_key = {.what = "the key of a label", .longest = 317};
static const struct dvl_text_rule label_value = {.what = "the value of a label", .longest = 63};

static int by_key(const void *a, const void *b)
{
    const struct dvl_pair *one = a, *other = b;
    return strcmp(one->key, other->key);
}

/* Labels are compared as text, so here an unquoted 3 or yes is the wrong type. */
static enum dvl_status read_label(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *value, struct dvl_pair *out)
{
    struct dvl_value strict = *value;
    struct dvl_value key = {.kind = DVL_VALUE_STRING, .line = value->line, .text = value->key};
    key.length = strlen(value->key);
    strict.plain = false;
    enum dvl_status status = dvl_config_text(reader, place, &key, &label_key, &out->key);
    if (!status)
        status = dvl_config_text(reader, place, &strict, &label_value, &out->value);
    return status;
}

static enum dvl_status read_rule(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                 const struct dvl_value *map, struct dvl_exclusive_rule *out)
{
    enum dvl_status status = dvl_config_is(reader, place, map, DVL_VALUE_MAP);
    if (status)
        return status;
    if (map->count == 0 || map->count > LABELS_MAX)
        return dvl_config_refuse(reader, place, map, "a rule of %zu labels is not allowed; allowed are 1 to %d",
                                 map->count, LABELS_MAX);
    struct dvl_pair *pairs = dvl_arena_array(reader->arena, map->count, sizeof *pairs);
    if (!pairs)
        return dvl_error_memory(reader->error);
    size_t count = 0;
    for (const struct dvl_value *value = map->first; value && !status; value = value->next) {
        const struct dvl_place label = {.in = place, .name = value->key};
        status = read_label(reader, &label, value, &pairs[count++]);
    }
    if (status)
        return status;
    qsort(pairs, count, sizeof *pairs, by_key);
    *out = (struct dvl_exclusive_rule){.labels = {.items = pairs, .count = count}};
    return DVL_OK;
}

enum dvl_status dvl_config_rules(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                 const struct dvl_value *value, struct dvl_scheduler_config *out)
{
    enum dvl_status status = dvl_config_is_list(reader, place, value, (struct dvl_range){0, RULES_MAX});
    if (status)
        return status;
    struct dvl_exclusive_rule *rules = dvl_arena_array(reader->arena, value->count, sizeof *rules);
    if (!rules)
        return dvl_error_memory(reader->error);
    struct dvl_place item = {.in = place};
    for (const struct dvl_value *rule = value->first; rule && !status; rule = rule->next) {
        status = read_rule(reader, &item, rule, &rules[item.index]);
        item.index++;
    }
    if (status)
        return status;
    out->rules = rules;
    out->rule_count = item.index;
    return DVL_OK;
}
