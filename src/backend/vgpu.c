/* vgpu: NVIDIA cards known by UUID, shared in software (hami-core) or cut by
 * MIG. Here: what a pod's annotations say it holds, what is to be put on a pod,
 * and the family's table. */
#include "vgpu.h"
#include "codec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char dvl_vgpu_core_mode[] = "hami-core";
const char dvl_vgpu_mig_mode[] = "mig";

static const char ids_key[] = "volcano.sh/vgpu-ids-new";
static const char to_allocate_key[] = "volcano.sh/devices-to-allocate";
static const char node_key[] = "volcano.sh/vgpu-node";
static const char time_key[] = "volcano.sh/vgpu-time";
static const char bind_time_key[] = "volcano.sh/bind-time";
static const char phase_key[] = "volcano.sh/bind-phase";

/* What stands for the type in a pod's records. */
static const char pod_type[] = "NVIDIA";

/* "%.*s" of at most 64 bytes. */
static int cut(struct dvl_span text)
{
    return text.length > 64 ? 64 : (int)text.length;
}

/* ---- Assignments that pods carry (1.4) ---- */

struct reading {
    const struct dvl_backend *self;
    const struct dvl_pod *pod;
    const bool *asks;            /* for each container of the pod */
    struct dvl_device **devices; /* by UUID */
    size_t device_count;
    struct dvl_findings *findings;
    struct dvl_error *error;
};

static int by_uuid(const void *left, const void *right)
{
    const struct dvl_device *a = *(struct dvl_device *const *)left, *b = *(struct dvl_device *const *)right;
    return strcmp(a->uuid, b->uuid);
}

/* Whole ids only, never a part of one. */
static const struct dvl_device *find_device(const struct reading *reading, const char *uuid)
{
    struct dvl_device key = {.uuid = uuid};
    struct dvl_device *wanted = &key, **found;
    found = bsearch(&wanted, reading->devices, reading->device_count, sizeof(struct dvl_device *), by_uuid);
    return found ? *found : NULL;
}

static enum dvl_status prepare_reading(struct reading *reading, struct dvl_device *const *devices, size_t count)
{
    struct dvl_arena *arena = reading->findings->arena;
    bool *asks = dvl_arena_array(arena, reading->pod->container_count, sizeof *asks);
    reading->devices = dvl_arena_array(arena, count, sizeof(struct dvl_device *));
    if (!asks || !reading->devices)
        return dvl_error_memory(reading->error);
    for (size_t i = 0; i < reading->pod->container_count; i++)
        asks[i] = dvl_vgpu_container_asks(&reading->self->config->devices.nvidia, &reading->pod->containers[i]);
    reading->asks = asks;
    for (size_t i = 0; i < count; i++) {
        if (devices[i]->uuid)
            reading->devices[reading->device_count++] = devices[i];
    }
    qsort(reading->devices, reading->device_count, sizeof(struct dvl_device *), by_uuid);
    return DVL_OK;
}

static bool is_number_word(struct dvl_span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] < '0' || text.start[i] > '9')
            return false;
    }
    return text.length > 0;
}

/* What a MIG card's instance is and counts. Answers why it does not read; NULL
 * when it does. What was asked stands in the record, the row holds what the
 * instance has. */
static const char *read_instance(const struct reading *reading, const struct dvl_list_record *record,
                                 struct dvl_span group, struct dvl_slice *slice)
{
    const struct dvl_nvidia_config *config = &reading->self->config->devices.nvidia;
    const struct dvl_mig_model *model = dvl_mig_model_of(config, slice->device->type);
    const struct dvl_mig_geometry *geometry = model ? dvl_mig_geometry_of(model, group) : NULL;
    if (!geometry) {
        if (is_number_word(group))
            return "it has an instance of the form that HAMi used to write";
        dvl_finding_add(reading->findings, "unknown_geometry", ids_key, record->position,
                        "%s: geometry \"%.*s\" is not known for this card; what was asked is booked",
                        slice->device_name, cut(group), group.start);
        return NULL;
    }
    const struct dvl_mig_kind *kind = dvl_mig_kind_at(geometry, slice->mig_position);
    if (!kind)
        return "it has a position that its geometry does not have";
    slice->memory_asked = record->memory;
    slice->memory = dvl_mig_memory(kind, config);
    return NULL;
}

/* The bracket of an id. Answers why it does not read. */
static const char *read_bracket(const struct reading *reading, const struct dvl_list_record *record,
                                struct dvl_slice *slice, enum dvl_status *status)
{
    bool is_mig = slice->device && dvl_text_same(slice->device->mode, dvl_vgpu_mig_mode);
    if (!record->has_instance)
        return is_mig ? "it names no instance of a card that is cut by MIG" : NULL;
    struct dvl_span group;
    if (!dvl_mig_instance_read(record->instance, &group, &slice->mig_position))
        return "it has an instance that is not group-position";
    slice->mig_group = dvl_arena_bytes(reading->findings->arena, group.start, group.length);
    if (!slice->mig_group) {
        *status = dvl_error_memory(reading->error);
        return NULL;
    }
    slice->mode = dvl_vgpu_mig_mode;
    if (is_mig)
        return read_instance(reading, record, group, slice);
    if (slice->device)
        dvl_finding_add(reading->findings, "instance_on_whole_card", ids_key, record->position,
                        "%s is not cut by MIG; what was asked is booked", slice->device_name);
    return NULL;
}

static void note_list_record(const struct reading *reading, const struct dvl_list_record *record,
                             const struct dvl_slice *slice, bool has_container)
{
    struct dvl_findings *findings = reading->findings;
    if (record->extra)
        dvl_finding_add(findings, "extra_fields", ids_key, record->position, "%s: fields after the fourth are ignored",
                        slice->device_name);
    if (!record->closed)
        dvl_finding_add(findings, "unclosed_record", ids_key, record->position, "%s: no colon follows the record",
                        slice->device_name);
    if (!dvl_span_is(record->type, pod_type))
        dvl_finding_add(findings, "unknown_type", ids_key, record->position, "%s: type \"%.*s\" is not NVIDIA",
                        slice->device_name, cut(record->type), record->type.start);
    if (!slice->device)
        dvl_finding_add(findings, "unknown_device", ids_key, record->position, "%.64s is not one of the node's devices",
                        slice->device_name);
    if (!has_container)
        dvl_finding_add(findings, "unknown_container", ids_key, record->position,
                        "part %zu has no container that asks for devices", record->part + 1);
}

/* *out = NULL and an open status of DVL_OK: the record does not read. */
static enum dvl_status read_slice(const struct reading *reading, const struct dvl_device_list *list,
                                  const struct dvl_list_record *record, struct dvl_slice **out)
{
    *out = NULL;
    struct dvl_arena *arena = reading->findings->arena;
    const char *problem = record->problem, *uuid = NULL;
    struct dvl_slice *slice = dvl_arena_take(arena, sizeof *slice);
    enum dvl_status status = slice ? DVL_OK : dvl_error_memory(reading->error);
    if (slice && !problem) {
        uuid = dvl_arena_bytes(arena, record->id.start, record->id.length);
        if (!uuid)
            return dvl_error_memory(reading->error);
        *slice = (struct dvl_slice){.device = find_device(reading, uuid),
                                    .device_name = uuid,
                                    .backend = reading->self->name,
                                    .container = "",
                                    .container_ordinal = -1,
                                    .memory = record->memory,
                                    .memory_asked = DVL_UNSET,
                                    .cores = record->cores,
                                    .slots = 1,
                                    .mode = dvl_vgpu_core_mode,
                                    .mig_position = DVL_UNSET,
                                    .observed = true};
        problem = read_bracket(reading, record, slice, &status);
    }
    if (status != DVL_OK)
        return status;
    if (problem) {
        dvl_finding_add(reading->findings, "unreadable_record", ids_key, record->position, "\"%.*s\": %s",
                        cut(record->text), record->text.start, problem);
        return DVL_OK;
    }
    const struct dvl_container *container =
        dvl_device_list_container(reading->pod, reading->asks, list->part_count, record->part);
    if (container) {
        slice->container = container->name;
        slice->container_ordinal = container - reading->pod->containers;
    }
    note_list_record(reading, record, slice, container);
    *out = slice;
    return DVL_OK;
}

/* Annotations that decide nothing, and may still be wrong. */
static void note_phase_and_times(const struct dvl_pod *pod, struct dvl_findings *findings)
{
    static const char *const times[] = {bind_time_key, time_key};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        const char *text = dvl_pairs_get(&pod->annotations, times[i]);
        uint64_t number;
        if (text && !dvl_text_uint64(dvl_span_of(text), &number))
            dvl_finding_add(findings, "unreadable_time", times[i], 0, "\"%.64s\" is not a number of seconds", text);
    }
    const char *phase = dvl_pairs_get(&pod->annotations, phase_key);
    if (!phase || strcmp(phase, "allocating") == 0 || strcmp(phase, "success") == 0)
        return;
    if (strcmp(phase, "failed") == 0)
        dvl_finding_add(findings, "bind_failed", phase_key, 0, "the node's plugin could not hand the devices over");
    else
        dvl_finding_add(findings, "unknown_phase", phase_key, 0, "\"%.64s\" is not a phase", phase);
}

static enum dvl_status read_assignment(const struct dvl_backend *self, const struct dvl_pod *pod,
                                       struct dvl_device *const *devices, size_t device_count,
                                       struct dvl_assignment *out, struct dvl_findings *findings,
                                       struct dvl_error *error)
{
    *out = (struct dvl_assignment){0};
    const char *text = dvl_pairs_get(&pod->annotations, ids_key);
    if (!text)
        return DVL_OK;
    struct reading reading = {.self = self, .pod = pod, .findings = findings, .error = error};
    struct dvl_device_list list;
    enum dvl_status status = prepare_reading(&reading, devices, device_count);
    if (status == DVL_OK)
        status = dvl_device_list_read(findings->arena, text, &list, error);
    if (status != DVL_OK)
        return status;
    struct dvl_slice **slices = dvl_arena_array(findings->arena, list.record_count, sizeof(struct dvl_slice *));
    if (!slices)
        return dvl_error_memory(error);
    const char *phase = dvl_pairs_get(&pod->annotations, phase_key);
    for (size_t i = 0; i < list.record_count; i++) {
        struct dvl_slice *slice;
        if (list.records[i].empty && !list.records[i].problem) {
            dvl_finding_add(findings, "empty_record", ids_key, list.records[i].position, "a record without a device");
            continue;
        }
        status = read_slice(&reading, &list, &list.records[i], &slice);
        if (status != DVL_OK)
            return status;
        if (!slice) {
            out->unreadable = true;
            continue;
        }
        slice->bound = dvl_text_same(phase, "success");
        slice->ordinal = (int64_t)out->slice_count;
        slices[out->slice_count++] = slice;
    }
    note_phase_and_times(pod, findings);
    const char *node = dvl_pairs_get(&pod->annotations, node_key);
    out->said = true;
    out->bound = dvl_text_same(phase, "success");
    out->node_name = node && *node ? node : NULL;
    out->slices = slices;
    return DVL_OK;
}

/* ---- Annotations to put on a pod (3.7) ---- */

/* In order of key, which is the order of the result. */
enum { PHASE, BIND_TIME, TO_ALLOCATE, IDS, NODE, TIME, KEYS };
static const char *const keys[KEYS] = {
    [PHASE] = phase_key, [BIND_TIME] = bind_time_key, [TO_ALLOCATE] = to_allocate_key,
    [IDS] = ids_key,     [NODE] = node_key,           [TIME] = time_key,
};

static bool fill_for_allocate(const struct dvl_annotation_query *query, struct dvl_pair *pairs)
{
    const char *ids = dvl_device_list_write(query->arena, query->slices, query->slice_count, pod_type, false);
    const char *seconds = dvl_arena_format(query->arena, "%" PRId64, query->allocated_at / 1000000);
    pairs[PHASE].value = "allocating";
    pairs[BIND_TIME].value = seconds;
    pairs[TO_ALLOCATE].value = ids;
    pairs[IDS].value = ids;
    pairs[NODE].value = dvl_arena_text(query->arena, query->node_name);
    pairs[TIME].value = seconds;
    return ids && seconds && pairs[NODE].value;
}

static enum dvl_status annotations(const struct dvl_annotation_query *query, struct dvl_pairs *out,
                                   struct dvl_error *error)
{
    *out = (struct dvl_pairs){0};
    struct dvl_pair *pairs = dvl_arena_array(query->arena, KEYS, sizeof *pairs);
    if (!pairs)
        return dvl_error_memory(error);
    for (size_t i = 0; i < KEYS; i++)
        pairs[i].key = keys[i];
    out->items = pairs;
    switch (query->moment) {
    case DVL_MOMENT_ALLOCATE:
        out->count = KEYS;
        return fill_for_allocate(query, pairs) ? DVL_OK : dvl_error_memory(error);
    case DVL_MOMENT_BIND:
        pairs[PHASE].value = "success";
        out->count = 1;
        return DVL_OK;
    case DVL_MOMENT_RELEASE:
        out->count = query->bound ? 0 : KEYS;
        return DVL_OK;
    }
    return DVL_OK;
}

const struct dvl_backend_ops dvl_vgpu_ops = {
    .family = "vgpu",
    .read_node = dvl_vgpu_read_node,
    .read_request = dvl_vgpu_read_request,
    .fit = dvl_vgpu_fit,
    .read_assignment = read_assignment,
    .annotations = annotations,
};
