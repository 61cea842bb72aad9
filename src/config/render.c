/* Configuration → value, for `config show`.
 *
 * The form is the one that the readers take, with every default filled in: an
 * argument map for the scheduler, a device configuration for the devices. What
 * is shown can be applied again and changes nothing. */
#include "reader.h"

#include "../value.h"

static const char *policy_word(enum dvl_policy policy)
{
    switch (policy) {
    case DVL_POLICY_NONE:
        return "";
    case DVL_POLICY_BINPACK:
        return "binpack";
    case DVL_POLICY_SPREAD:
        return "spread";
    }
    return "";
}

static const char *profile_word(enum dvl_profile profile)
{
    switch (profile) {
    case DVL_PROFILE_LEDGER:
        return "ledger";
    case DVL_PROFILE_VOLCANO_1_14:
        return "volcano-1.14";
    }
    return "ledger";
}

static bool set_text(struct dvl_arena *arena, struct dvl_value *map, const char *name, const char *text)
{
    return dvl_value_set(map, name, dvl_value_string(arena, text)) != NULL;
}

static bool set_bool(struct dvl_arena *arena, struct dvl_value *map, const char *name, bool truth)
{
    return dvl_value_set(map, name, dvl_value_bool(arena, truth)) != NULL;
}

/* DVL_UNSET is left out, as it was in what came in. */
static bool set_int(struct dvl_arena *arena, struct dvl_value *map, const char *name, int64_t number)
{
    return number == DVL_UNSET || dvl_value_set(map, name, dvl_value_int(arena, number)) != NULL;
}

static bool add_rules(struct dvl_arena *arena, struct dvl_value *list, const struct dvl_scheduler_config *config)
{
    for (size_t i = 0; i < config->rule_count; i++) {
        struct dvl_value *rule = dvl_value_add(list, dvl_value_map(arena));
        const struct dvl_pairs *labels = &config->rules[i].labels;
        for (size_t j = 0; j < labels->count; j++) {
            const char *key = dvl_arena_text(arena, labels->items[j].key);
            if (!rule || !key || !set_text(arena, rule, key, labels->items[j].value))
                return false;
        }
    }
    return true;
}

/* In the order of the document that explains them: switches, then the rest. */
static bool fill_scheduler(struct dvl_arena *arena, struct dvl_value *map, const struct dvl_scheduler_config *config)
{
    struct dvl_value *rules = dvl_value_list(arena);
    return set_bool(arena, map, DVL_ARGUMENT_PREFIX "GPUSharingEnable", config->gpu_sharing) &&
           set_bool(arena, map, DVL_ARGUMENT_PREFIX "GPUNumberEnable", config->gpu_number) &&
           set_bool(arena, map, DVL_ARGUMENT_PREFIX "VGPUEnable", config->vgpu) &&
           set_bool(arena, map, DVL_ARGUMENT_PREFIX "AscendMindClusterVNPUEnable", config->vnpu) &&
           set_bool(arena, map, DVL_ARGUMENT_PREFIX "AscendHAMiVNPUEnable", config->hami) &&
           set_bool(arena, map, DVL_ARGUMENT_PREFIX "NodeLockEnable", config->node_lock) &&
           set_text(arena, map, DVL_ARGUMENT_PREFIX "SchedulePolicy", policy_word(config->policy)) &&
           set_int(arena, map, DVL_ARGUMENT_PREFIX "ScheduleWeight", config->weight) &&
           set_text(arena, map, DVL_ARGUMENT_PREFIX "KnownGeometriesCMName", config->geometries_name) &&
           set_text(arena, map, DVL_ARGUMENT_PREFIX "KnownGeometriesCMNamespace", config->geometries_namespace) &&
           dvl_value_set(map, DVL_ARGUMENT_PREFIX "GPUExclusiveRules", rules) && add_rules(arena, rules, config) &&
           set_text(arena, map, DVL_ARGUMENT_PREFIX "FormulaProfile", profile_word(config->profile));
}

/* ---- Devices ---- */

static bool add_kinds(struct dvl_arena *arena, struct dvl_value *list, const struct dvl_mig_geometry *group)
{
    for (size_t i = 0; i < group->kind_count; i++) {
        const struct dvl_mig_kind *kind = &group->kinds[i];
        struct dvl_value *map = dvl_value_add(list, dvl_value_map(arena));
        if (!set_text(arena, map, "name", kind->name) || !set_int(arena, map, "memory", kind->memory) ||
            !set_int(arena, map, "count", kind->count))
            return false;
    }
    return true;
}

static bool add_groups(struct dvl_arena *arena, struct dvl_value *list, const struct dvl_mig_model *model)
{
    for (size_t i = 0; i < model->geometry_count; i++) {
        struct dvl_value *map = dvl_value_add(list, dvl_value_map(arena));
        if (!set_text(arena, map, "group", model->geometries[i].group))
            return false;
        struct dvl_value *kinds = dvl_value_set(map, "geometries", dvl_value_list(arena));
        if (!kinds || !add_kinds(arena, kinds, &model->geometries[i]))
            return false;
    }
    return true;
}

static bool add_models(struct dvl_arena *arena, struct dvl_value *list, const struct dvl_nvidia_config *nvidia)
{
    for (size_t i = 0; i < nvidia->mig_count; i++) {
        const struct dvl_mig_model *model = &nvidia->mig[i];
        struct dvl_value *map = dvl_value_add(list, dvl_value_map(arena));
        struct dvl_value *models = dvl_value_set(map, "models", dvl_value_list(arena));
        struct dvl_value *groups = dvl_value_set(map, "allowedGeometries", dvl_value_list(arena));
        for (size_t j = 0; j < model->model_count; j++) {
            if (!dvl_value_add(models, dvl_value_string(arena, model->models[j])))
                return false;
        }
        if (!groups || !add_groups(arena, groups, model))
            return false;
    }
    return true;
}

static bool fill_nvidia(struct dvl_arena *arena, struct dvl_value *map, const struct dvl_nvidia_config *nvidia)
{
    const char *percentage = nvidia->percentage_name ? nvidia->percentage_name : "";
    struct dvl_value *models = dvl_value_list(arena);
    return set_text(arena, map, "resourceCountName", nvidia->count_name) &&
           set_text(arena, map, "resourceMemoryName", nvidia->memory_name) &&
           set_text(arena, map, "resourceMemoryPercentageName", percentage) &&
           set_text(arena, map, "resourceCoreName", nvidia->cores_name) &&
           set_int(arena, map, "gpuMemoryFactor", nvidia->memory_factor) &&
           dvl_value_set(map, "knownMigGeometries", models) && add_models(arena, models, nvidia);
}

static bool add_templates(struct dvl_arena *arena, struct dvl_value *list, const struct dvl_vnpu_config *chip)
{
    for (size_t i = 0; i < chip->template_count; i++) {
        const struct dvl_template *template = &chip->templates[i];
        struct dvl_value *map = dvl_value_add(list, dvl_value_map(arena));
        if (!set_text(arena, map, "name", template->name) || !set_int(arena, map, "memory", template->memory) ||
            !set_int(arena, map, "aiCore", template->ai_cores) || !set_int(arena, map, "aiCPU", template->ai_cpus))
            return false;
    }
    return list != NULL;
}

static bool fill_chip(struct dvl_arena *arena, struct dvl_value *map, const struct dvl_vnpu_config *chip)
{
    return set_text(arena, map, "chipName", chip->chip_name) && set_text(arena, map, "commonWord", chip->word) &&
           set_text(arena, map, "resourceName", chip->resource_name) &&
           set_text(arena, map, "resourceMemoryName", chip->memory_name) &&
           set_text(arena, map, "resourceCoreName", chip->core_name) &&
           set_int(arena, map, "memoryAllocatable", chip->memory_allocatable) &&
           set_int(arena, map, "memoryCapacity", chip->memory_capacity) &&
           set_int(arena, map, "aiCore", chip->ai_cores) && set_int(arena, map, "aiCPU", chip->ai_cpus) &&
           add_templates(arena, dvl_value_set(map, "templates", dvl_value_list(arena)), chip);
}

static bool fill_devices(struct dvl_arena *arena, struct dvl_value *map, const struct dvl_device_config *devices)
{
    struct dvl_value *nvidia = dvl_value_set(map, "nvidia", dvl_value_map(arena));
    struct dvl_value *vnpus = dvl_value_set(map, "vnpus", dvl_value_map(arena));
    if (!nvidia || !fill_nvidia(arena, nvidia, &devices->nvidia) ||
        !set_bool(arena, vnpus, "hamiVnpuCore", devices->hami_core))
        return false;
    struct dvl_value *configs = dvl_value_set(vnpus, "configs", dvl_value_list(arena));
    for (size_t i = 0; i < devices->vnpu_count; i++) {
        struct dvl_value *chip = dvl_value_add(configs, dvl_value_map(arena));
        if (!chip || !fill_chip(arena, chip, &devices->vnpus[i]))
            return false;
    }
    return configs != NULL;
}

struct dvl_value *dvl_config_render(struct dvl_arena *arena, const struct dvl_config *config)
{
    struct dvl_value *map = dvl_value_map(arena);
    struct dvl_value *scheduler = dvl_value_set(map, "scheduler", dvl_value_map(arena));
    struct dvl_value *devices = dvl_value_set(map, "devices", dvl_value_map(arena));
    if (!scheduler || !devices || !fill_scheduler(arena, scheduler, &config->scheduler) ||
        !fill_devices(arena, devices, &config->devices))
        return NULL;
    return map;
}
