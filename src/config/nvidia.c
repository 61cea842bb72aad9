/* The `nvidia` section: resource names, the memory factor, MIG geometries.
 *
 * The section replaces the default one; a resource name that it leaves out
 * keeps its default. Scaling and splitting are the device plugin's business:
 * what they come to stands in the node's register annotation. */
#include "reader.h"

#include <string.h>

enum { MODELS_MAX = 16, ENTRIES_MAX = 64, GROUPS_MAX = 32, POSITIONS_MAX = 64 };

const struct dvl_text_rule dvl_rule_resource = {.what = "a resource name", .longest = 317};
/* What stands between ',' ':' ';' and '[' ']' in an annotation. '-' is allowed:
 * an instance's position is what follows the last one (D29). */
const struct dvl_text_rule dvl_rule_record_name = {.what = "a name", .longest = 63, .without = ",:;[]"};

static const struct dvl_text_rule percentage_name = {
    .what = "a resource name or nothing",
    .longest = 317,
    .may_be_empty = true,
};
static const struct dvl_text_rule model_name = {.what = "a part of a device type", .longest = 253, .blanks = true};

#define NVIDIA(member) offsetof(struct dvl_nvidia_config, member)

static const struct dvl_field nvidia_members[] = {
    {"gpuMemoryFactor", DVL_FIELD_INTEGER, NVIDIA(memory_factor), false, {1, DVL_CONFIG_NUMBER_MAX}, NULL},
    {"resourceCoreName", DVL_FIELD_TEXT, NVIDIA(cores_name), false, {0, 0}, &dvl_rule_resource},
    {"resourceCountName", DVL_FIELD_TEXT, NVIDIA(count_name), false, {0, 0}, &dvl_rule_resource},
    {"resourceMemoryName", DVL_FIELD_TEXT, NVIDIA(memory_name), false, {0, 0}, &dvl_rule_resource},
    {"resourceMemoryPercentageName", DVL_FIELD_TEXT, NVIDIA(percentage_name), false, {0, 0}, &percentage_name},
};
static const struct dvl_fields nvidia_fields = {nvidia_members, sizeof nvidia_members / sizeof nvidia_members[0]};

#define KIND(member) offsetof(struct dvl_mig_kind, member)

static const struct dvl_field kind_members[] = {
    {"count", DVL_FIELD_INTEGER, KIND(count), true, {1, POSITIONS_MAX}, NULL},
    {"memory", DVL_FIELD_INTEGER, KIND(memory), true, {1, DVL_CONFIG_NUMBER_MAX}, NULL},
    {"name", DVL_FIELD_TEXT, KIND(name), true, {0, 0}, &dvl_rule_record_name},
};
static const struct dvl_fields kind_fields = {kind_members, sizeof kind_members / sizeof kind_members[0]};

static const struct dvl_field group_members[] = {
    {"group", DVL_FIELD_TEXT, offsetof(struct dvl_mig_geometry, group), true, {0, 0}, &dvl_rule_record_name},
};
static const struct dvl_fields group_fields = {group_members, 1};

/* A member that must be a list of 1 to `most` items. */
static enum dvl_status required_list(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                     const struct dvl_value *map, int64_t most, const struct dvl_value **out)
{
    *out = dvl_config_member(map, place->name);
    if (!*out)
        return dvl_config_refuse(reader, place, map, "is missing, and has no default");
    return dvl_config_is_list(reader, place, *out, (struct dvl_range){1, most});
}

/* Instance positions are counted through the kinds in order. */
static enum dvl_status read_kinds(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *group, struct dvl_mig_geometry *out)
{
    const struct dvl_value *list;
    const struct dvl_place kinds_place = {.in = place, .name = "geometries"};
    enum dvl_status status = required_list(reader, &kinds_place, group, POSITIONS_MAX, &list);
    if (status)
        return status;
    struct dvl_mig_kind *kinds = dvl_arena_array(reader->arena, list->count, sizeof *kinds);
    if (!kinds)
        return dvl_error_memory(reader->error);
    struct dvl_place item = {.in = &kinds_place};
    int64_t position = 0;
    for (const struct dvl_value *value = list->first; value && !status; value = value->next) {
        struct dvl_mig_kind *kind = &kinds[item.index];
        status = dvl_config_fields(reader, &item, value, &kind_fields, kind);
        kind->first_position = position;
        position += kind->count;
        item.index++;
    }
    if (!status && position > POSITIONS_MAX)
        status = dvl_config_refuse(reader, &kinds_place, list, "%lld instances on one card; allowed are up to %d",
                                   (long long)position, POSITIONS_MAX);
    out->kinds = kinds;
    out->kind_count = item.index;
    return status;
}

static enum dvl_status read_group(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *value, const struct dvl_mig_model *model,
                                  struct dvl_mig_geometry *out)
{
    enum dvl_status status = dvl_config_fields(reader, place, value, &group_fields, out);
    for (size_t i = 0; i < model->geometry_count && !status; i++) {
        if (strcmp(model->geometries[i].group, out->group) == 0)
            status = dvl_config_refuse(reader, place, value,
                                       "group %s stands twice for the same models; an instance's id would name both",
                                       out->group);
    }
    return status ? status : read_kinds(reader, place, value, out);
}

static enum dvl_status read_groups(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                   const struct dvl_value *entry, struct dvl_mig_model *out)
{
    const struct dvl_value *list;
    const struct dvl_place groups_place = {.in = place, .name = "allowedGeometries"};
    enum dvl_status status = required_list(reader, &groups_place, entry, GROUPS_MAX, &list);
    if (status)
        return status;
    struct dvl_mig_geometry *groups = dvl_arena_array(reader->arena, list->count, sizeof *groups);
    if (!groups)
        return dvl_error_memory(reader->error);
    out->geometries = groups;
    struct dvl_place item = {.in = &groups_place};
    for (const struct dvl_value *value = list->first; value && !status; value = value->next) {
        status = read_group(reader, &item, value, out, &groups[item.index]);
        out->geometry_count = ++item.index;
    }
    return status;
}

/* An empty model would occur in every type, so it is refused like any other
 * empty name. */
static enum dvl_status read_models(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                   const struct dvl_value *entry, struct dvl_mig_model *out)
{
    const struct dvl_value *list;
    const struct dvl_place models_place = {.in = place, .name = "models"};
    enum dvl_status status = required_list(reader, &models_place, entry, MODELS_MAX, &list);
    if (status)
        return status;
    const char **models = dvl_arena_array(reader->arena, list->count, sizeof *models);
    if (!models)
        return dvl_error_memory(reader->error);
    struct dvl_place item = {.in = &models_place};
    for (const struct dvl_value *value = list->first; value && !status; value = value->next) {
        status = dvl_config_text(reader, &item, value, &model_name, &models[item.index]);
        item.index++;
    }
    out->models = models;
    out->model_count = item.index;
    return status;
}

static enum dvl_status read_geometries(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                       const struct dvl_value *list, struct dvl_nvidia_config *out)
{
    enum dvl_status status = dvl_config_is_list(reader, place, list, (struct dvl_range){0, ENTRIES_MAX});
    if (status)
        return status;
    struct dvl_mig_model *entries = dvl_arena_array(reader->arena, list->count, sizeof *entries);
    if (!entries)
        return dvl_error_memory(reader->error);
    struct dvl_place item = {.in = place};
    for (const struct dvl_value *value = list->first; value && !status; value = value->next) {
        status = dvl_config_is(reader, &item, value, DVL_VALUE_MAP);
        if (!status)
            status = read_models(reader, &item, value, &entries[item.index]);
        if (!status)
            status = read_groups(reader, &item, value, &entries[item.index]);
        item.index++;
    }
    out->mig = entries;
    out->mig_count = item.index;
    return status;
}

enum dvl_status dvl_config_nvidia(const struct dvl_config_reader *reader, const struct dvl_value *section,
                                  struct dvl_nvidia_config *out)
{
    const struct dvl_place place = {.name = "nvidia"};
    const struct dvl_place geometries = {.in = &place, .name = "knownMigGeometries"};
    enum dvl_status status = dvl_config_fields(reader, &place, section, &nvidia_fields, out);
    const struct dvl_value *list = dvl_config_member(section, geometries.name);
    if (!status && list)
        status = read_geometries(reader, &geometries, list, out);
    return status;
}
