/* Scheduler configuration → the deviceshare arguments.
 *
 * Takes Volcano's document (tiers of plugins), a ConfigMap that holds one, or
 * the plain map of arguments. Only `deviceshare.*` is ours: other plugins and
 * their arguments are passed over, an argument of ours that is not in the
 * table is refused, for a switch that is misspelt would silently stay off. */
#include "reader.h"

#include <stdio.h>
#include <string.h>

/* Most that a weight may be: a node's score stays below 2^52, so that weight ×
 * score fits 64 bits and every sum of two totals does. */
#define WEIGHT_MAX INT64_C(1000000)

enum argument_kind {
    ARGUMENT_BOOL,
    ARGUMENT_WEIGHT,
    ARGUMENT_NAME,
    ARGUMENT_POLICY,
    ARGUMENT_PROFILE,
    ARGUMENT_RULES,
};

struct argument {
    const char *name; /* without the prefix */
    enum argument_kind kind;
    size_t offset; /* of bools and names */
};

#define FIELD(member) offsetof(struct dvl_scheduler_config, member)

/* Every argument there is, by name. */
static const struct argument arguments[] = {
    {"AscendHAMiVNPUEnable", ARGUMENT_BOOL, FIELD(hami)},
    {"AscendMindClusterVNPUEnable", ARGUMENT_BOOL, FIELD(vnpu)},
    {"FormulaProfile", ARGUMENT_PROFILE, 0},
    {"GPUExclusiveRules", ARGUMENT_RULES, 0},
    {"GPUNumberEnable", ARGUMENT_BOOL, FIELD(gpu_number)},
    {"GPUSharingEnable", ARGUMENT_BOOL, FIELD(gpu_sharing)},
    {"KnownGeometriesCMName", ARGUMENT_NAME, FIELD(geometries_name)},
    {"KnownGeometriesCMNamespace", ARGUMENT_NAME, FIELD(geometries_namespace)},
    {"NodeLockEnable", ARGUMENT_BOOL, FIELD(node_lock)},
    {"SchedulePolicy", ARGUMENT_POLICY, 0},
    {"ScheduleWeight", ARGUMENT_WEIGHT, 0},
    {"VGPUEnable", ARGUMENT_BOOL, FIELD(vgpu)},
};

static const size_t argument_count = sizeof arguments / sizeof arguments[0];

static const struct dvl_text_rule object_name = {
    .what = "the name of a Kubernetes object",
    .longest = 253,
    .without = "/",
};

static const struct argument *find_argument(const char *name)
{
    for (size_t i = 0; i < argument_count; i++) {
        if (strcmp(arguments[i].name, name) == 0)
            return &arguments[i];
    }
    return NULL;
}

static enum dvl_status refuse_unknown(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                      const struct dvl_value *value)
{
    char known[512];
    size_t length = 0;
    for (size_t i = 0; i < argument_count && length < sizeof known; i++) {
        int added = snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", arguments[i].name);
        length += added > 0 ? (size_t)added : 0;
    }
    return dvl_config_refuse(reader, place, value, "is no argument of deviceshare; known are %s", known);
}

/* One of `words`, which end with NULL; its number goes to *out. */
static enum dvl_status read_word(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                 const struct dvl_value *value, const char *const *words, size_t *out)
{
    char allowed[96] = "";
    size_t length = 0;
    for (size_t i = 0; words[i]; i++) {
        if (value->kind == DVL_VALUE_STRING && strcmp(value->text, words[i]) == 0) {
            *out = i;
            return DVL_OK;
        }
        int added = snprintf(allowed + length, sizeof allowed - length, "%s\"%s\"", i ? ", " : "", words[i]);
        length += added > 0 ? (size_t)added : 0;
    }
    char shown[DVL_SHOWN_SIZE];
    return dvl_config_refuse(reader, place, value, "%s is not known; allowed are %s", dvl_config_shown(value, shown),
                             allowed);
}

static enum dvl_status read_policy(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                   const struct dvl_value *value, enum dvl_policy *out)
{
    static const char *const words[] = {"", "binpack", "spread", NULL};
    static const enum dvl_policy policies[] = {DVL_POLICY_NONE, DVL_POLICY_BINPACK, DVL_POLICY_SPREAD};
    size_t word = 0;
    /* `SchedulePolicy:` with nothing behind it is how YAML writes the empty one. */
    enum dvl_status status = value->kind == DVL_VALUE_NULL ? DVL_OK : read_word(reader, place, value, words, &word);
    if (!status)
        *out = policies[word];
    return status;
}

static enum dvl_status read_profile(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                    const struct dvl_value *value, enum dvl_profile *out)
{
    static const char *const words[] = {"ledger", "volcano-1.14", NULL};
    static const enum dvl_profile profiles[] = {DVL_PROFILE_LEDGER, DVL_PROFILE_VOLCANO_1_14};
    size_t word = 0;
    enum dvl_status status = read_word(reader, place, value, words, &word);
    if (!status)
        *out = profiles[word];
    return status;
}

/* A name is text also by its type: here an unquoted 12 is a number, as it is
 * to the scheduler that reads the same file. */
static enum dvl_status read_name(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                 const struct dvl_value *value, const char **out)
{
    struct dvl_value strict = *value;
    strict.plain = false;
    return dvl_config_text(reader, place, &strict, &object_name, out);
}

static enum dvl_status read_argument(const struct dvl_config_reader *reader, const struct argument *argument,
                                     const struct dvl_value *value, struct dvl_scheduler_config *out)
{
    const struct dvl_place place = {.name = value->key};
    void *field = (char *)out + argument->offset;
    switch (argument->kind) {
    case ARGUMENT_BOOL:
        return dvl_config_bool(reader, &place, value, field);
    case ARGUMENT_WEIGHT:
        return dvl_config_integer(reader, &place, value, (struct dvl_range){0, WEIGHT_MAX}, &out->weight);
    case ARGUMENT_NAME:
        return read_name(reader, &place, value, field);
    case ARGUMENT_POLICY:
        return read_policy(reader, &place, value, &out->policy);
    case ARGUMENT_PROFILE:
        return read_profile(reader, &place, value, &out->profile);
    case ARGUMENT_RULES:
        return dvl_config_rules(reader, &place, value, out);
    }
    return DVL_OK;
}

static enum dvl_status read_arguments(const struct dvl_config_reader *reader, const struct dvl_value *map,
                                      struct dvl_scheduler_config *out)
{
    for (const struct dvl_value *value = map ? map->first : NULL; value; value = value->next) {
        if (!dvl_text_starts(value->key, DVL_ARGUMENT_PREFIX))
            continue;
        const struct argument *argument = find_argument(value->key + strlen(DVL_ARGUMENT_PREFIX));
        const struct dvl_place place = {.name = value->key};
        enum dvl_status status =
            argument ? read_argument(reader, argument, value, out) : refuse_unknown(reader, &place, value);
        if (status)
            return status;
    }
    return DVL_OK;
}

/* ---- Which backends exclude each other ---- */

static enum dvl_status refuse_pair(const struct dvl_config_reader *reader, const struct dvl_value *map, const char *one,
                                   const char *other)
{
    const struct dvl_place place = {.name = other};
    return dvl_config_refuse(reader, &place, dvl_value_find(map, other),
                             "can't be on together with %s: both would manage the same cards", one);
}

static enum dvl_status check_switches(const struct dvl_config_reader *reader, const struct dvl_value *map,
                                      const struct dvl_scheduler_config *config)
{
    if (config->gpu_sharing && config->gpu_number)
        return refuse_pair(reader, map, DVL_ARGUMENT_PREFIX "GPUSharingEnable", DVL_ARGUMENT_PREFIX "GPUNumberEnable");
    if (config->gpu_sharing && config->vgpu)
        return refuse_pair(reader, map, DVL_ARGUMENT_PREFIX "GPUSharingEnable", DVL_ARGUMENT_PREFIX "VGPUEnable");
    if (config->gpu_number && config->vgpu)
        return refuse_pair(reader, map, DVL_ARGUMENT_PREFIX "GPUNumberEnable", DVL_ARGUMENT_PREFIX "VGPUEnable");
    return DVL_OK;
}

/* ---- The way to the plugin ---- */

static enum dvl_status read_plugin(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                   const struct dvl_value *plugin, const struct dvl_value **found)
{
    enum dvl_status status = dvl_config_is(reader, place, plugin, DVL_VALUE_MAP);
    if (status)
        return status;
    const struct dvl_value *name = dvl_value_find(plugin, "name");
    if (dvl_value_kind(name) != DVL_VALUE_STRING)
        return dvl_config_refuse(reader, place, plugin, "has no name, or one that is no text");
    if (strcmp(name->text, "deviceshare") != 0)
        return DVL_OK;
    if (*found)
        return dvl_config_refuse(
            reader, place, plugin,
            "deviceshare stands a second time (first in line %d); which arguments hold is not said", (*found)->line);
    *found = plugin;
    return DVL_OK;
}

/* A list that may be missing, walked with `place` on each item. */
static enum dvl_status optional_list(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                     const struct dvl_value *list)
{
    return dvl_value_kind(list) == DVL_VALUE_NULL ? DVL_OK : dvl_config_is(reader, place, list, DVL_VALUE_LIST);
}

static enum dvl_status read_tier(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                 const struct dvl_value *tier, const struct dvl_value **found)
{
    enum dvl_status status = dvl_config_is(reader, place, tier, DVL_VALUE_MAP);
    if (status)
        return status;
    const struct dvl_value *plugins = dvl_value_find(tier, "plugins");
    struct dvl_place list = {.in = place, .name = "plugins"};
    struct dvl_place item = {.in = &list};
    status = optional_list(reader, &list, plugins);
    for (const struct dvl_value *plugin = dvl_value_first(plugins); plugin && !status; plugin = plugin->next) {
        status = read_plugin(reader, &item, plugin, found);
        item.index++;
    }
    return status;
}

/* The arguments of the one deviceshare plugin; NULL when there are none. */
static enum dvl_status find_arguments(const struct dvl_config_reader *reader, const struct dvl_value *document,
                                      const struct dvl_value **out)
{
    const struct dvl_value *tiers = dvl_value_find(document, "tiers"), *found = NULL;
    struct dvl_place list = {.name = "tiers"};
    struct dvl_place item = {.in = &list};
    enum dvl_status status = optional_list(reader, &list, tiers);
    for (const struct dvl_value *tier = dvl_value_first(tiers); tier && !status; tier = tier->next) {
        status = read_tier(reader, &item, tier, &found);
        item.index++;
    }
    if (status)
        return status;
    const struct dvl_place place = {.name = "arguments of deviceshare"};
    *out = dvl_config_member(found, "arguments");
    return *out ? dvl_config_is(reader, &place, *out, DVL_VALUE_MAP) : DVL_OK;
}

static bool is_volcano_document(const struct dvl_value *document)
{
    return dvl_value_find(document, "tiers") || dvl_value_find(document, "actions") ||
           dvl_value_find(document, "configurations");
}

enum dvl_status dvl_scheduler_config_read(struct dvl_arena *arena, const struct dvl_value *value,
                                          struct dvl_scheduler_config *out, struct dvl_error *error)
{
    struct dvl_config_reader reader = {.arena = arena, .error = error};
    const struct dvl_value *document = NULL, *map = NULL;
    struct dvl_scheduler_config config;
    dvl_scheduler_defaults(&config);
    enum dvl_status status = dvl_config_open(&reader, value, DVL_SCHEDULER_KEY, &document);
    if (status)
        return status;
    if (is_volcano_document(document))
        status = find_arguments(&reader, document, &map);
    else
        map = document;
    if (!status)
        status = read_arguments(&reader, map, &config);
    if (!status)
        status = check_switches(&reader, map, &config);
    if (!status)
        *out = config;
    return status;
}
