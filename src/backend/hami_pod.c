/* hami: a pod's annotations → observed slices, and slices → annotations.
 *
 * `hami.io/<word>-devices-allocated` alone says what a pod holds, for all of
 * its containers (D14); the runtime info beside it tells how the device is cut. */
#include "codec.h"
#include "hami.h"

#include "../manifest/manifest.h"
#include "../manifest/quantity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char node_key[] = "hami.io/vgpu-node";
static const char time_key[] = "hami.io/vgpu-time";
static const char bind_time_key[] = "hami.io/bind-time";
static const char phase_key[] = "hami.io/bind-phase";
static const char predicate_key[] = "predicate-time";

/* Keys that carry the chip's word. */
struct word_keys {
    const char *allocated, *to_allocate, *runtime;
};

static bool make_keys(struct dvl_arena *arena, const char *word, struct word_keys *out)
{
    out->allocated = dvl_arena_format(arena, "hami.io/%s-devices-allocated", word);
    out->to_allocate = dvl_arena_format(arena, "hami.io/%s-devices-to-allocate", word);
    out->runtime = dvl_arena_format(arena, "huawei.com/%s", word);
    return out->allocated && out->to_allocate && out->runtime;
}

/* ---- Runtime info ---- */

struct runtime_entry {
    const char *uuid, *temp; /* temp NULL: none named */
    bool has_amounts;        /* memory or core is named */
    bool used;               /* a slice has taken it */
};

struct runtime_info {
    struct runtime_entry *entries;
    size_t count, next;
};

static bool read_runtime_entry(const struct dvl_value *value, struct runtime_entry *out)
{
    const struct dvl_value *temp = dvl_value_find(value, "temp");
    *out = (struct runtime_entry){.uuid = dvl_value_find_text(value, "UUID"),
                                  .temp = dvl_value_find_text(value, "temp"),
                                  .has_amounts = dvl_value_find(value, "memory") || dvl_value_find(value, "core")};
    if (out->temp && !*out->temp)
        out->temp = NULL;
    return out->uuid && (!temp || temp->kind == DVL_VALUE_STRING);
}

/* What does not read is a finding; the list of devices stands without it. */
static enum dvl_status read_runtime(const struct dvl_pod *pod, const char *key, struct runtime_info *out,
                                    struct dvl_findings *findings, struct dvl_error *error)
{
    *out = (struct runtime_info){0};
    const char *text = dvl_pairs_get(&pod->annotations, key);
    if (!text)
        return DVL_OK;
    struct dvl_value *list = NULL;
    struct dvl_error why;
    enum dvl_status status = dvl_json_read(findings->arena, text, strlen(text), &list, &why);
    if (status == DVL_NO_MEMORY)
        return dvl_error_memory(error);
    bool reads = status == DVL_OK && list->kind == DVL_VALUE_LIST;
    if (reads) {
        out->entries = dvl_arena_array(findings->arena, list->count, sizeof *out->entries);
        if (!out->entries)
            return dvl_error_memory(error);
    }
    for (const struct dvl_value *item = reads ? list->first : NULL; item && reads; item = item->next)
        reads = read_runtime_entry(item, &out->entries[out->count++]);
    if (!reads) {
        dvl_finding_add(findings, "unreadable_runtime_info", key, 0, "\"%.*s\" is not a JSON list of devices; %s",
                        dvl_hami_shown(dvl_span_of(text)), text, "the list of allocated devices stands");
        *out = (struct runtime_info){0};
    }
    return DVL_OK;
}

/* The entry for a device: usually the next one, as both lists have one order. */
static const struct runtime_entry *runtime_for(struct runtime_info *info, const char *uuid)
{
    for (size_t tried = 0; tried < info->count; tried++) {
        struct runtime_entry *entry = &info->entries[(info->next + tried) % info->count];
        if (!entry->used && strcmp(entry->uuid, uuid) == 0) {
            entry->used = true;
            info->next = (info->next + tried + 1) % info->count;
            return entry;
        }
    }
    return NULL;
}

/* ---- Observed slices ---- */

struct assignment_reader {
    const struct dvl_backend *self;
    const struct dvl_pod *pod;
    struct word_keys keys;
    const struct dvl_device **by_uuid; /* the node's devices, in byte order */
    size_t device_count;
    const bool *asks;  /* for each container: does it ask this backend */
    size_t *parts;     /* number of a part among those that hold devices */
    bool placeholders; /* empty parts count when parts are given to containers */
    size_t part_count; /* … out of so many */
    struct runtime_info runtime;
    struct dvl_findings *findings;
    struct dvl_slice **slices;
    size_t slice_count;
    bool unreadable;
};

static int by_uuid(const void *a, const void *b)
{
    const struct dvl_device *const *left = a, *const *right = b;
    return strcmp((*left)->uuid, (*right)->uuid);
}

/* Whole ids only, never a part of one. */
static const struct dvl_device *find_device(const struct assignment_reader *reader, const char *uuid)
{
    const struct dvl_device wanted = {.uuid = uuid}, *key = &wanted;
    const struct dvl_device **found = reader->device_count ? bsearch(&key, reader->by_uuid, reader->device_count,
                                                                     sizeof(const struct dvl_device *), by_uuid)
                                                           : NULL;
    return found ? *found : NULL;
}

/* As read_request sees it, but for amounts that do not read: those are asked. */
static bool asks_devices(const struct dvl_vnpu_config *chip, const struct dvl_container *container)
{
    const char *count = dvl_pairs_get(&container->limits, chip->resource_name);
    int64_t number;
    if (count)
        return dvl_quantity_whole(count, &number) != DVL_QUANTITY_OK || number > 0;
    return dvl_pairs_get(&container->limits, chip->memory_name);
}

static bool *find_asking(const struct dvl_backend *self, const struct dvl_pod *pod, struct dvl_arena *arena)
{
    bool *asks = dvl_arena_array(arena, pod->container_count, sizeof *asks);
    for (size_t i = 0; asks && i < pod->container_count; i++)
        asks[i] = asks_devices(self->chip, &pod->containers[i]);
    return asks;
}

/* Empty parts hold the places of containers without devices, unless there are
 * then more parts than any writer makes: then only the others count. */
static enum dvl_status number_parts(struct assignment_reader *reader, const struct dvl_device_list *list,
                                    struct dvl_error *error)
{
    size_t asking = 0, apps = 0, asking_apps = 0, holding = 0;
    for (size_t i = 0; i < reader->pod->container_count; i++) {
        bool app = !reader->pod->containers[i].init;
        asking += reader->asks[i];
        apps += app;
        asking_apps += app && reader->asks[i];
    }
    reader->part_count = list->part_count;
    reader->placeholders = list->part_count == reader->pod->container_count || list->part_count == asking ||
                           list->part_count == apps || list->part_count == asking_apps;
    reader->parts = dvl_arena_array(reader->findings->arena, list->part_count, sizeof *reader->parts);
    if (!reader->parts)
        return dvl_error_memory(error);
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < list->record_count; i++) {
        if (list->records[i].empty || list->records[i].part == last)
            continue;
        last = list->records[i].part;
        reader->parts[last] = holding++;
    }
    if (!reader->placeholders)
        reader->part_count = holding;
    return DVL_OK;
}

static void note_record(const struct assignment_reader *reader, const struct dvl_list_record *record,
                        const struct dvl_slice *slice)
{
    struct dvl_findings *findings = reader->findings;
    const char *key = reader->keys.allocated, *word = reader->self->chip->word, *uuid = slice->device_name;
    int shown = dvl_hami_shown(dvl_span_of(uuid));
    if (record->extra)
        dvl_finding_add(findings, "extra_fields", key, record->position, "%.*s: fields after the fourth are ignored",
                        shown, uuid);
    if (!record->closed)
        dvl_finding_add(findings, "unclosed_record", key, record->position, "%.*s: no colon follows the record", shown,
                        uuid);
    if (!dvl_span_is(record->type, word))
        dvl_finding_add(findings, "unknown_type", key, record->position, "%.*s: type \"%.*s\" is not %s", shown, uuid,
                        dvl_hami_shown(record->type), record->type.start, word);
    if (!slice->device)
        dvl_finding_add(findings, "unknown_device", key, record->position, "%.*s is not one of the node's devices",
                        shown, uuid);
    if (slice->container_ordinal < 0)
        dvl_finding_add(findings, "unknown_container", key, record->position,
                        "part %zu has no container that asks for devices", record->part + 1);
}

/* How the device is cut: what the runtime info names, else what the memory
 * would be raised to. */
static void cut(struct assignment_reader *reader, struct dvl_slice *slice, int64_t position)
{
    const struct dvl_vnpu_config *chip = reader->self->chip;
    const struct runtime_entry *entry = runtime_for(&reader->runtime, slice->device_name);
    const char *temp = entry ? entry->temp : NULL;
    bool on_soft = slice->device && dvl_text_same(slice->device->mode, "soft");
    if (!temp && (dvl_hami_is_soft(reader->pod) || (on_soft && entry && entry->has_amounts))) {
        slice->mode = "soft";
        return;
    }
    const struct dvl_template *part = dvl_hami_template(chip, slice->memory);
    if (temp) {
        const struct dvl_template *named = dvl_hami_template_named(chip, temp);
        if (!named)
            dvl_finding_add(reader->findings, "unknown_template", reader->keys.runtime, 0, "a %s has no template %.*s",
                            chip->chip_name, dvl_hami_shown(dvl_span_of(temp)), temp);
        else if (named->memory != slice->memory)
            dvl_finding_add(reader->findings, "template_mismatch", reader->keys.allocated, position,
                            "the record says %" PRId64 " MiB, its template %s makes %" PRId64, slice->memory,
                            named->name, named->memory);
        part = named ? named : part;
    }
    slice->mode = "template";
    slice->template_name = temp ? temp : part ? part->name : NULL;
    slice->template_asked = slice->template_name;
    /* D21 */
    slice->ai_cores = dvl_hami_ai_cores(chip, part);
    slice->ai_cpus = dvl_hami_ai_cpus(chip, part);
}

static enum dvl_status observe(struct assignment_reader *reader, const struct dvl_list_record *record,
                               struct dvl_error *error)
{
    struct dvl_slice *slice = dvl_arena_take(reader->findings->arena, sizeof *slice);
    const char *uuid = dvl_arena_bytes(reader->findings->arena, record->id.start, record->id.length);
    if (!slice || !uuid)
        return dvl_error_memory(error);
    size_t part = reader->placeholders ? record->part : reader->parts[record->part];
    const struct dvl_container *container =
        dvl_device_list_container(reader->pod, reader->asks, reader->part_count, part);
    *slice = (struct dvl_slice){.device = find_device(reader, uuid),
                                .device_name = uuid,
                                .backend = reader->self->name,
                                .container = container ? container->name : "",
                                .container_ordinal = container ? container - reader->pod->containers : -1,
                                .ordinal = (int64_t)reader->slice_count,
                                .memory = record->memory,
                                .memory_asked = DVL_UNSET,
                                .cores = record->cores,
                                .slots = 1,
                                .mig_position = DVL_UNSET,
                                .observed = true};
    note_record(reader, record, slice);
    cut(reader, slice, record->position);
    reader->slices[reader->slice_count++] = slice;
    return DVL_OK;
}

static enum dvl_status observe_all(struct assignment_reader *reader, const struct dvl_device_list *list,
                                   struct dvl_error *error)
{
    for (size_t i = 0; i < list->record_count; i++) {
        const struct dvl_list_record *record = &list->records[i];
        const char *problem = record->has_instance ? "an Ascend device has no instances" : record->problem;
        if (record->empty)
            continue;
        if (problem) {
            dvl_finding_add(reader->findings, "unreadable_record", reader->keys.allocated, record->position,
                            "\"%.*s\" is not booked: %s", dvl_hami_shown(record->text), record->text.start, problem);
            reader->unreadable = true;
            continue;
        }
        enum dvl_status status = observe(reader, record, error);
        if (status != DVL_OK)
            return status;
    }
    return DVL_OK;
}

/* Annotations that decide nothing, and may still be wrong. */
static void note_phase_and_times(const struct dvl_pod *pod, struct dvl_findings *findings)
{
    static const char *const times[] = {bind_time_key, time_key, predicate_key};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        const char *text = dvl_pairs_get(&pod->annotations, times[i]);
        uint64_t number;
        if (text && !dvl_text_uint64(dvl_span_of(text), &number))
            dvl_finding_add(findings, "unreadable_time", times[i], 0, "\"%.*s\" is not a number of seconds",
                            dvl_hami_shown(dvl_span_of(text)), text);
    }
    const char *phase = dvl_pairs_get(&pod->annotations, phase_key);
    if (!phase || strcmp(phase, "allocating") == 0 || strcmp(phase, "success") == 0)
        return;
    if (strcmp(phase, "failed") == 0)
        dvl_finding_add(findings, "bind_failed", phase_key, 0, "the node's plugin could not hand the devices over");
    else
        dvl_finding_add(findings, "unknown_phase", phase_key, 0, "\"%.*s\" is not a phase",
                        dvl_hami_shown(dvl_span_of(phase)), phase);
}

static enum dvl_status prepare(struct assignment_reader *reader, struct dvl_device *const *devices, size_t count,
                               const struct dvl_device_list *list, struct dvl_error *error)
{
    struct dvl_arena *arena = reader->findings->arena;
    reader->asks = find_asking(reader->self, reader->pod, arena);
    reader->by_uuid = dvl_arena_array(arena, count, sizeof(const struct dvl_device *));
    reader->slices = dvl_arena_array(arena, list->record_count, sizeof(struct dvl_slice *));
    if (!reader->asks || !reader->by_uuid || !reader->slices)
        return dvl_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (devices[i]->uuid)
            reader->by_uuid[reader->device_count++] = devices[i];
    }
    qsort(reader->by_uuid, reader->device_count, sizeof(const struct dvl_device *), by_uuid);
    enum dvl_status status = read_runtime(reader->pod, reader->keys.runtime, &reader->runtime, reader->findings, error);
    return status == DVL_OK ? number_parts(reader, list, error) : status;
}

enum dvl_status dvl_hami_read_assignment(const struct dvl_backend *self, const struct dvl_pod *pod,
                                         struct dvl_device *const *devices, size_t device_count,
                                         struct dvl_assignment *out, struct dvl_findings *findings,
                                         struct dvl_error *error)
{
    *out = (struct dvl_assignment){0};
    struct assignment_reader reader = {.self = self, .pod = pod, .findings = findings};
    if (!make_keys(findings->arena, self->chip->word, &reader.keys))
        return dvl_error_memory(error);
    const char *text = dvl_pairs_get(&pod->annotations, reader.keys.allocated);
    if (!text)
        return DVL_OK;
    struct dvl_device_list list;
    enum dvl_status status = dvl_device_list_read(findings->arena, text, &list, error);
    if (status == DVL_OK)
        status = prepare(&reader, devices, device_count, &list, error);
    if (status == DVL_OK)
        status = observe_all(&reader, &list, error);
    if (status != DVL_OK)
        return status;
    note_phase_and_times(pod, findings);
    const char *node = dvl_pairs_get(&pod->annotations, node_key);
    *out = (struct dvl_assignment){.said = true,
                                   .unreadable = reader.unreadable,
                                   .bound = dvl_text_same(dvl_pairs_get(&pod->annotations, phase_key), "success"),
                                   .node_name = node && *node ? node : NULL,
                                   .slices = reader.slices,
                                   .slice_count = reader.slice_count};
    return findings->failed ? dvl_error_memory(error) : DVL_OK;
}

/* ---- Annotations ---- */

/* As Go's encoder writes it, so that the text equals the one of the cluster's
 * own scheduler. */
static void write_string(struct dvl_buffer *out, const char *text)
{
    dvl_buffer_char(out, '"');
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\')
            dvl_buffer_format(out, "\\%c", byte);
        else if (byte < 0x20 || byte == '<' || byte == '>' || byte == '&')
            dvl_buffer_format(out, "\\u%04x", byte);
        else
            dvl_buffer_char(out, *c);
    }
    dvl_buffer_char(out, '"');
}

/* Compact, members in this order, an empty one is absent. */
static void write_runtime(struct dvl_buffer *out, const struct dvl_slice *slice)
{
    dvl_buffer_text(out, "{\"UUID\":");
    write_string(out, slice->device_name);
    if (dvl_text_same(slice->mode, "soft")) {
        if (slice->memory)
            dvl_buffer_format(out, ",\"memory\":%" PRId64, slice->memory);
        if (slice->cores)
            dvl_buffer_format(out, ",\"core\":%" PRId64, slice->cores);
    } else if (slice->template_name) {
        dvl_buffer_text(out, ",\"temp\":");
        write_string(out, slice->template_name);
    }
    dvl_buffer_char(out, '}');
}

static char *write_runtime_list(const struct dvl_annotation_query *query)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_buffer_char(&text, '[');
    for (size_t i = 0; i < query->slice_count; i++) {
        if (i > 0)
            dvl_buffer_char(&text, ',');
        write_runtime(&text, query->slices[i]);
    }
    dvl_buffer_char(&text, ']');
    char *copy = text.failed ? NULL : dvl_arena_text(query->arena, text.text);
    dvl_buffer_clear(&text);
    return copy;
}

static int by_key(const void *a, const void *b)
{
    const struct dvl_pair *left = a, *right = b;
    return strcmp(left->key, right->key);
}

enum { PAIR_COUNT = 8 };

static bool fill_values(const struct dvl_annotation_query *query, struct dvl_pair *pairs)
{
    const char *list =
        dvl_device_list_write(query->arena, query->slices, query->slice_count, query->backend->chip->word, true);
    const char *seconds = dvl_arena_format(query->arena, "%" PRId64, query->allocated_at / 1000000);
    const char *const values[PAIR_COUNT] = {
        list, list, write_runtime_list(query), query->node_name, seconds, seconds, seconds, "allocating"};
    for (size_t i = 0; i < PAIR_COUNT; i++) {
        pairs[i].value = values[i];
        if (!values[i])
            return false;
    }
    return true;
}

enum dvl_status dvl_hami_annotations(const struct dvl_annotation_query *query, struct dvl_pairs *out,
                                     struct dvl_error *error)
{
    *out = (struct dvl_pairs){0};
    if (query->moment == DVL_MOMENT_RELEASE && query->bound)
        return DVL_OK;
    struct dvl_pair *pairs = dvl_arena_array(query->arena, PAIR_COUNT, sizeof *pairs);
    struct word_keys keys;
    if (!pairs || !make_keys(query->arena, query->backend->chip->word, &keys))
        return dvl_error_memory(error);
    if (query->moment == DVL_MOMENT_BIND) {
        pairs[0] = (struct dvl_pair){.key = phase_key, .value = "success"};
        *out = (struct dvl_pairs){.items = pairs, .count = 1};
        return DVL_OK;
    }
    const char *const names[PAIR_COUNT] = {keys.allocated, keys.to_allocate, keys.runtime,  node_key,
                                           time_key,       bind_time_key,    predicate_key, phase_key};
    for (size_t i = 0; i < PAIR_COUNT; i++)
        pairs[i] = (struct dvl_pair){.key = names[i]};
    if (query->moment == DVL_MOMENT_ALLOCATE && !fill_values(query, pairs))
        return dvl_error_memory(error);
    qsort(pairs, PAIR_COUNT, sizeof *pairs, by_key);
    *out = (struct dvl_pairs){.items = pairs, .count = PAIR_COUNT};
    return DVL_OK;
}
