/* The `vnpus` section: one entry per Ascend chip kind, in either form (the
 * list itself, or {hamiVnpuCore, configs: [...]}).
 *
 * The common word becomes a backend's name and a part of annotation keys, so
 * it must be fit for both, and stand for one entry only. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

enum { CHIPS_MAX = 64, TEMPLATES_MAX = 64 };

/* `hami.io/<word>-devices-to-allocate`: 63 bytes for the part behind the '/'. */
static const struct dvl_text_rule word_rule = {.what = "a word for annotation keys", .longest = 43};

#define CHIP(member) offsetof(struct dvl_vnpu_config, member)

static const struct dvl_field chip_members[] = {
    {"aiCPU", DVL_FIELD_INTEGER, CHIP(ai_cpus), false, {1, DVL_CONFIG_NUMBER_MAX}, NULL},
    {"aiCore", DVL_FIELD_INTEGER, CHIP(ai_cores), false, {1, DVL_CONFIG_NUMBER_MAX}, NULL},
    {"chipName", DVL_FIELD_TEXT, CHIP(chip_name), true, {0, 0}, &dvl_rule_record_name},
    {"commonWord", DVL_FIELD_TEXT, CHIP(word), true, {0, 0}, &word_rule},
    {"memoryAllocatable", DVL_FIELD_INTEGER, CHIP(memory_allocatable), true, {1, DVL_CONFIG_NUMBER_MAX}, NULL},
    {"memoryCapacity", DVL_FIELD_INTEGER, CHIP(memory_capacity), true, {1, DVL_CONFIG_NUMBER_MAX}, NULL},
    {"resourceMemoryName", DVL_FIELD_TEXT, CHIP(memory_name), true, {0, 0}, &dvl_rule_resource},
    {"resourceName", DVL_FIELD_TEXT, CHIP(resource_name), true, {0, 0}, &dvl_rule_resource},
};
static const struct dvl_fields chip_fields = {chip_members, sizeof chip_members / sizeof chip_members[0]};

#define TEMPLATE(member) offsetof(struct dvl_template, member)

static const struct dvl_field template_members[] = {
    {"aiCPU", DVL_FIELD_INTEGER, TEMPLATE(ai_cpus), false, {0, DVL_CONFIG_NUMBER_MAX}, NULL},
    {"aiCore", DVL_FIELD_INTEGER, TEMPLATE(ai_cores), false, {0, DVL_CONFIG_NUMBER_MAX}, NULL},
    {"memory", DVL_FIELD_INTEGER, TEMPLATE(memory), true, {1, DVL_CONFIG_NUMBER_MAX}, NULL},
    {"name", DVL_FIELD_TEXT, TEMPLATE(name), true, {0, 0}, &dvl_rule_record_name},
};
static const struct dvl_fields template_fields = {template_members,
                                                  sizeof template_members / sizeof template_members[0]};

/* ---- Templates ---- */

static enum dvl_status check_template(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                      const struct dvl_value *value, const struct dvl_vnpu_config *chip,
                                      const struct dvl_template *fresh)
{
    if (fresh->memory > chip->memory_capacity)
        return dvl_config_refuse(reader, place, value, "a template of %lld MiB on a chip of %lld (memoryCapacity)",
                                 (long long)fresh->memory, (long long)chip->memory_capacity);
    for (size_t i = 0; i < chip->template_count; i++) {
        if (strcmp(chip->templates[i].name, fresh->name) == 0)
            return dvl_config_refuse(reader, place, value, "template %s stands twice for chip %s", fresh->name,
                                     chip->chip_name);
    }
    return DVL_OK;
}

/* By memory; equals keep the order of the configuration (insertion is stable). */
static void insert_template(struct dvl_template *templates, size_t count, struct dvl_template fresh)
{
    size_t at = count;
    for (; at > 0 && templates[at - 1].memory > fresh.memory; at--)
        templates[at] = templates[at - 1];
    templates[at] = fresh;
}

static enum dvl_status read_templates(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                      const struct dvl_value *list, struct dvl_vnpu_config *chip)
{
    enum dvl_status status = dvl_config_is_list(reader, place, list, (struct dvl_range){0, TEMPLATES_MAX});
    if (status)
        return status;
    struct dvl_template *templates = dvl_arena_array(reader->arena, list->count, sizeof *templates);
    if (!templates)
        return dvl_error_memory(reader->error);
    chip->templates = templates;
    struct dvl_place item = {.in = place};
    for (const struct dvl_value *value = list->first; value && !status; value = value->next) {
        struct dvl_template fresh = {.ai_cores = DVL_UNSET, .ai_cpus = DVL_UNSET};
        status = dvl_config_fields(reader, &item, value, &template_fields, &fresh);
        if (!status)
            status = check_template(reader, &item, value, chip, &fresh);
        if (!status)
            insert_template(templates, chip->template_count++, fresh);
        item.index++;
    }
    return status;
}

/* ---- Entries ---- */

static bool is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_key_word(const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i < length; i++) {
        bool inner = i > 0 && i + 1 < length && strchr("-_.", word[i]);
        if (!inner && !is_letter_or_digit(word[i]))
            return false;
    }
    return true;
}

/* Names that backends go by, and annotations `huawei.com/<word>` that mean
 * something else. */
static bool is_taken_word(const char *word)
{
    static const char *const taken[] = {"gpushare",        "GpuShare", "vgpu",      "hamivgpu",   "vnpu",
                                        "ascend310p-vNPU", "npu-core", "vnpu-mode", "AscendReal", "kltDev"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        if (strcmp(word, taken[i]) == 0)
            return true;
    }
    return false;
}

/* A backend is found by `hami-<word>` and by the word alone. */
static bool is_same_backend(const char *one, const char *other)
{
    static const char prefix[] = "hami-";
    const size_t length = sizeof prefix - 1;
    return strcmp(one, other) == 0 || (dvl_text_starts(one, prefix) && strcmp(one + length, other) == 0) ||
           (dvl_text_starts(other, prefix) && strcmp(other + length, one) == 0);
}

static enum dvl_status check_word(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *entry, const struct dvl_device_config *devices,
                                  const char *word)
{
    const struct dvl_place member = {.in = place, .name = "commonWord"};
    const struct dvl_value *at = dvl_value_find(entry, member.name);
    if (!is_key_word(word))
        return dvl_config_refuse(reader, &member, at,
                                 "%s can't stand in an annotation key: letters, digits, and between them - _ .", word);
    if (is_taken_word(word))
        return dvl_config_refuse(reader, &member, at, "%s is the name of something else", word);
    for (size_t i = 0; i < devices->vnpu_count; i++) {
        if (is_same_backend(devices->vnpus[i].word, word))
            return dvl_config_refuse(reader, &member, at, "%s names the same backend as %s of vnpus entry %zu", word,
                                     devices->vnpus[i].word, i);
    }
    return DVL_OK;
}

static enum dvl_status read_entry(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *entry, const struct dvl_device_config *devices,
                                  struct dvl_vnpu_config *out)
{
    *out = (struct dvl_vnpu_config){.ai_cores = DVL_UNSET, .ai_cpus = DVL_UNSET};
    enum dvl_status status = dvl_config_fields(reader, place, entry, &chip_fields, out);
    if (!status)
        status = check_word(reader, place, entry, devices, out->word);
    if (status)
        return status;
    if (out->memory_capacity < out->memory_allocatable)
        return dvl_config_refuse(reader, place, entry, "memoryCapacity %lld is less than memoryAllocatable %lld",
                                 (long long)out->memory_capacity, (long long)out->memory_allocatable);
    out->core_name = dvl_arena_format(reader->arena, "%s-core", out->resource_name);
    if (!out->core_name)
        return dvl_error_memory(reader->error);
    const struct dvl_place templates = {.in = place, .name = "templates"};
    const struct dvl_value *list = dvl_config_member(entry, templates.name);
    return list ? read_templates(reader, &templates, list, out) : DVL_OK;
}

static enum dvl_status read_entries(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                    const struct dvl_value *list, struct dvl_device_config *out)
{
    enum dvl_status status = dvl_config_is_list(reader, place, list, (struct dvl_range){0, CHIPS_MAX});
    if (status)
        return status;
    struct dvl_vnpu_config *entries = dvl_arena_array(reader->arena, list->count, sizeof *entries);
    if (!entries)
        return dvl_error_memory(reader->error);
    out->vnpus = entries;
    out->vnpu_count = 0;
    struct dvl_place item = {.in = place};
    for (const struct dvl_value *entry = list->first; entry && !status; entry = entry->next) {
        status = read_entry(reader, &item, entry, out, &entries[item.index]);
        out->vnpu_count = ++item.index;
    }
    return status;
}

enum dvl_status dvl_config_vnpus(const struct dvl_config_reader *reader, const struct dvl_value *section,
                                 struct dvl_device_config *out)
{
    static const struct dvl_field members[] = {
        {"hamiVnpuCore", DVL_FIELD_BOOL, offsetof(struct dvl_device_config, hami_core), false, {0, 0}, NULL},
    };
    static const struct dvl_fields fields = {members, 1};
    const struct dvl_place place = {.name = "vnpus"};
    out->hami_core = false;
    if (section->kind == DVL_VALUE_LIST)
        return read_entries(reader, &place, section, out);
    const struct dvl_place configs = {.in = &place, .name = "configs"};
    enum dvl_status status = dvl_config_fields(reader, &place, section, &fields, out);
    const struct dvl_value *list = dvl_config_member(section, configs.name);
    if (!status && !list)
        status = dvl_config_refuse(reader, &configs, section, "is missing; write [] for no chip kind at all");
    return status ? status : read_entries(reader, &configs, list, out);
}
