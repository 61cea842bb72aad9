/* vgpu: a node's register annotation → its cards. Every record is judged alone
 * (D23); what can't be read is a finding, and the good ones are taken. */
#include "codec.h"
#include "vgpu.h"

#include "../manifest/quantity.h"

#include <stdlib.h>
#include <string.h>

static const char register_key[] = "volcano.sh/node-vgpu-register";

/* "%.*s" of at most 64 bytes. */
static int cut(struct dvl_span text)
{
    return text.length > 64 ? 64 : (int)text.length;
}

/* A record that was taken, before numbering. */
struct taken {
    struct dvl_device device;
    size_t order;
    int64_t position;
    bool twice;
};

struct cards {
    struct dvl_device *devices;
    size_t count;
};

static bool read_number(struct dvl_span text, int64_t *out)
{
    int64_t number;
    if (!dvl_text_int64(text, &number) || number < 0 || number > DVL_VGPU_MOST)
        return false;
    *out = number;
    return true;
}

/* A UUID that a pod's list could not name again is none. */
static bool is_uuid(struct dvl_span text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.start[i];
        if (c < 0x20 || c == 0x7f || c == ';' || c == '[' || c == ']')
            return false;
    }
    return text.length > 0;
}

static void note_record(const struct dvl_record *record, bool mig_without_geometry, struct dvl_findings *findings)
{
    struct dvl_span uuid = record->fields[0], mode = record->fields[5];
    if (record->field_count == 5)
        dvl_finding_add(findings, "legacy_record", register_key, record->position,
                        "%.*s: five fields, the mode is taken as hami-core", cut(uuid), uuid.start);
    else if (record->field_count > 6)
        dvl_finding_add(findings, "extra_fields", register_key, record->position,
                        "%.*s: %zu fields, those after the sixth are ignored", cut(uuid), uuid.start,
                        record->field_count);
    if (mig_without_geometry)
        dvl_finding_add(findings, "no_geometry", register_key, record->position,
                        "%.*s: no MIG geometry is known for \"%.*s\", the mode is taken as hami-core", cut(uuid),
                        uuid.start, cut(record->fields[3]), record->fields[3].start);
    else if (record->field_count >= 6 && !dvl_span_is(mode, dvl_vgpu_mig_mode) &&
             !dvl_span_is(mode, dvl_vgpu_core_mode))
        dvl_finding_add(findings, "unknown_mode", register_key, record->position,
                        "%.*s: mode \"%.*s\" is taken as hami-core", cut(uuid), uuid.start, cut(mode), mode.start);
}

/* Why the record does not read; NULL: *out is filled. */
static const char *read_fields(const struct dvl_record *record, struct dvl_device *out)
{
    const struct dvl_span *fields = record->fields;
    if (record->field_count < 5)
        return "has fewer than five fields";
    if (!is_uuid(fields[0]))
        return "has no usable UUID";
    if (!read_number(fields[1], &out->slots))
        return "has a count that is not a whole number from 0 to 2147483647";
    if (!read_number(fields[2], &out->memory))
        return "has a memory that is not a whole number from 0 to 2147483647";
    if (!dvl_text_bool(fields[4], &out->healthy))
        return "has a health that is neither true nor false";
    return NULL;
}

/* D23: a record that does not read is skipped alone; *got = false then. */
static enum dvl_status read_record(const struct dvl_nvidia_config *config, const struct dvl_record *record,
                                   struct taken *out, bool *got, struct dvl_findings *findings, struct dvl_error *error)
{
    struct dvl_device *device = &out->device;
    *device = (struct dvl_device){.cores = 100,
                                  .ai_cores = DVL_UNSET,
                                  .ai_cpus = DVL_UNSET,
                                  .numa = DVL_UNSET,
                                  .network_id = DVL_UNSET,
                                  .schedulable = true};
    *got = false;
    if (record->text.length == 0) {
        dvl_finding_add(findings, "empty_record", register_key, record->position, "nothing between two colons");
        return DVL_OK;
    }
    if (record->field_count == 9) {
        dvl_finding_add(findings, "foreign_record", register_key, record->position,
                        "\"%.*s\" has the nine fields of another plugin", cut(record->text), record->text.start);
        return DVL_OK;
    }
    const char *problem = read_fields(record, device);
    if (problem) {
        dvl_finding_add(findings, "unreadable_record", register_key, record->position, "\"%.*s\" %s", cut(record->text),
                        record->text.start, problem);
        return DVL_OK;
    }
    struct dvl_arena *arena = findings->arena;
    device->uuid = dvl_arena_bytes(arena, record->fields[0].start, record->fields[0].length);
    device->type = dvl_arena_bytes(arena, record->fields[3].start, record->fields[3].length);
    if (!device->uuid || !device->type)
        return dvl_error_memory(error);
    bool says_mig = record->field_count >= 6 && dvl_span_is(record->fields[5], dvl_vgpu_mig_mode);
    bool is_mig = says_mig && dvl_mig_model_of(config, device->type);
    device->mode = is_mig ? dvl_vgpu_mig_mode : dvl_vgpu_core_mode;
    note_record(record, says_mig && !is_mig, findings);
    *got = true;
    return DVL_OK;
}

static int by_uuid_and_order(const void *left, const void *right)
{
    const struct taken *a = *(struct taken *const *)left, *b = *(struct taken *const *)right;
    int order = strcmp(a->device.uuid, b->device.uuid);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

/* Of a UUID that comes twice the first counts. */
static enum dvl_status find_doubles(struct taken *taken, size_t count, struct dvl_findings *findings,
                                    struct dvl_error *error)
{
    struct taken **sorted = dvl_arena_array(findings->arena, count, sizeof(struct taken *));
    if (!sorted)
        return dvl_error_memory(error);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &taken[i];
    qsort(sorted, count, sizeof(struct taken *), by_uuid_and_order);
    for (size_t i = 1; i < count; i++)
        sorted[i]->twice = strcmp(sorted[i]->device.uuid, sorted[i - 1]->device.uuid) == 0;
    for (size_t i = 0; i < count; i++) {
        if (taken[i].twice)
            dvl_finding_add(findings, "duplicate_uuid", register_key, taken[i].position,
                            "%.64s comes twice; the first counts", taken[i].device.uuid);
    }
    return DVL_OK;
}

/* In the order in which they were taken, numbered without gaps. */
static enum dvl_status number_devices(struct taken *taken, size_t count, struct cards *out,
                                      struct dvl_findings *findings, struct dvl_error *error)
{
    struct dvl_device *devices = dvl_arena_array(findings->arena, count, sizeof *devices);
    if (!devices)
        return dvl_error_memory(error);
    bool mixed = false;
    for (size_t i = 0; i < count; i++) {
        if (taken[i].twice)
            continue;
        struct dvl_device *device = &devices[out->count];
        *device = taken[i].device;
        device->idx = (int64_t)out->count++;
        mixed = mixed || strcmp(device->mode, devices[0].mode) != 0;
    }
    if (mixed) /* D6 */
        dvl_finding_add(findings, "mixed_modes", register_key, 0,
                        "the node's cards differ in mode; each keeps its own");
    out->devices = devices;
    return DVL_OK;
}

static enum dvl_status read_register(const struct dvl_nvidia_config *config, const char *text, struct cards *out,
                                     struct dvl_findings *findings, struct dvl_error *error)
{
    struct dvl_span whole = dvl_span_of(text);
    if (dvl_span_is(whole, ":"))
        return DVL_OK;
    if (*text == '[' || *text == '{') {
        dvl_finding_add(findings, "foreign_record", register_key, 0, "JSON is the register of another plugin");
        return DVL_OK;
    }
    size_t most = 1, count = 0;
    for (const char *c = text; *c; c++)
        most += *c == ':';
    struct taken *taken = dvl_arena_array(findings->arena, most, sizeof *taken);
    if (!taken)
        return dvl_error_memory(error);
    struct dvl_record_walk walk;
    struct dvl_record record;
    dvl_record_walk_start(&walk, text, whole);
    while (dvl_record_walk_next(&walk, &record)) {
        bool got;
        enum dvl_status status = read_record(config, &record, &taken[count], &got, findings, error);
        if (status != DVL_OK)
            return status;
        if (got) {
            taken[count].order = count;
            taken[count++].position = record.position;
        }
    }
    enum dvl_status status = find_doubles(taken, count, findings, error);
    return status == DVL_OK ? number_devices(taken, count, out, findings, error) : status;
}

/* The resource is there and is not 0. */
static bool check_allocatable(const struct dvl_node *node, const char *resource, bool *unreadable,
                              struct dvl_findings *findings)
{
    const char *text = dvl_pairs_get(&node->allocatable, resource);
    int64_t number = 0;
    enum dvl_quantity_status status = text ? dvl_quantity_whole(text, &number) : DVL_QUANTITY_OK;
    *unreadable = *unreadable || status != DVL_QUANTITY_OK;
    if (status != DVL_QUANTITY_OK)
        dvl_finding_add(findings, "unreadable_quantity", resource, 0, "\"%.64s\" %s", text,
                        dvl_quantity_problem(status));
    else if (number == 0)
        dvl_finding_add(findings, "no_allocatable", resource, 0,
                        "the node registers cards and has %s of it allocatable; they stay closed",
                        text ? "0" : "nothing");
    return number > 0;
}

enum dvl_status dvl_vgpu_read_node(const struct dvl_backend *self, const struct dvl_node *node,
                                   const struct dvl_facts *facts, struct dvl_inventory *out,
                                   struct dvl_findings *findings, struct dvl_error *error)
{
    (void)facts;
    const struct dvl_nvidia_config *config = &self->config->devices.nvidia;
    *out = (struct dvl_inventory){.capacity = DVL_UNSET};
    const char *text = dvl_pairs_get(&node->annotations, register_key);
    if (!text)
        return DVL_OK;
    struct cards cards = {0};
    enum dvl_status status = read_register(config, text, &cards, findings, error);
    if (status != DVL_OK || cards.count == 0)
        return status;
    /* Without all three resources the node has no vgpu devices: they stay in
     * the inventory, closed. One that does not read is not taken for none. */
    bool has_count = check_allocatable(node, config->count_name, &out->keep, findings);
    bool has_memory = check_allocatable(node, config->memory_name, &out->keep, findings);
    bool has_cores = check_allocatable(node, config->cores_name, &out->keep, findings);
    out->present = has_count && has_memory && has_cores;
    for (size_t i = 0; i < cards.count && !out->present; i++) {
        cards.devices[i].schedulable = false;
        cards.devices[i].reason = "no_allocatable";
    }
    out->schedulable = out->present;
    out->devices = cards.devices;
    out->device_count = cards.count;
    return DVL_OK;
}
