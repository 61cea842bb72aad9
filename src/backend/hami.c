/* hami: Ascend chips that HAMi's device plugin registers, cut by memory
 * templates or sliced softly. One backend for each `vnpus` entry of the device
 * configuration; a new chip kind is a new entry and no code.
 *
 * This file: manifests → inventory and requests. hami_fit.c decides on them,
 * hami_pod.c reads and writes assignments. */
#include "hami.h"

#include "../manifest/manifest.h"
#include "../manifest/quantity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char mode_key[] = "huawei.com/vnpu-mode";
static const char mode_soft[] = "hami-core";
static const char node_mode_key[] = "hami-vnpu-core";

/* ---- Templates ---- */

const struct dvl_template *dvl_hami_template(const struct dvl_vnpu_config *chip, int64_t memory)
{
    /* In order of memory: the first that holds it is the smallest. */
    for (size_t i = 0; i < chip->template_count; i++) {
        if (chip->templates[i].memory >= memory)
            return &chip->templates[i];
    }
    return NULL;
}

const struct dvl_template *dvl_hami_template_named(const struct dvl_vnpu_config *chip, const char *name)
{
    for (size_t i = 0; i < chip->template_count; i++) {
        if (strcmp(chip->templates[i].name, name) == 0)
            return &chip->templates[i];
    }
    return NULL;
}

/* D21: counted where chip and template both name it. */
static int64_t both_named(int64_t of_chip, int64_t of_template)
{
    return of_chip == DVL_UNSET || of_template == DVL_UNSET ? 0 : of_template;
}

int64_t dvl_hami_ai_cores(const struct dvl_vnpu_config *chip, const struct dvl_template *part)
{
    return part ? both_named(chip->ai_cores, part->ai_cores) : 0;
}

int64_t dvl_hami_ai_cpus(const struct dvl_vnpu_config *chip, const struct dvl_template *part)
{
    return part ? both_named(chip->ai_cpus, part->ai_cpus) : 0;
}

int dvl_hami_shown(struct dvl_span text)
{
    if (text.length <= 64)
        return (int)text.length;
    int length = 64;
    while (length > 0 && ((unsigned char)text.start[length] & 0xC0) == 0x80)
        length--;
    return length;
}

bool dvl_hami_is_soft(const struct dvl_pod *pod)
{
    return dvl_text_same(dvl_pairs_get(&pod->annotations, mode_key), mode_soft);
}

/* ---- Inventory ---- */

/* Byte offsets of a list's items in a text that is known to be JSON. */
struct item_walk {
    const char *text;
    size_t at;
};

static int64_t next_item(struct item_walk *walk)
{
    const char *text = walk->text;
    size_t at = walk->at + strspn(walk->text + walk->at, " \t\r\n[,");
    size_t start = at;
    size_t depth = 0;
    bool quoted = false;
    for (; text[at]; at++) {
        if (quoted) {
            if (text[at] == '\\' && text[at + 1])
                at++;
            else if (text[at] == '"')
                quoted = false;
        } else if (text[at] == '"') {
            quoted = true;
        } else if (text[at] == '{' || text[at] == '[') {
            depth++;
        } else if (text[at] == '}' || text[at] == ']') {
            if (depth-- <= 1)
                break;
        } else if (text[at] == ',' && depth == 0) {
            break;
        }
    }
    walk->at = text[at] ? at + 1 : at;
    return (int64_t)start;
}

/* One entry of the register on its way to a device. */
struct entry {
    struct dvl_device *device;
    size_t order;     /* in the register */
    int64_t position; /* byte offset in the annotation */
};

struct register_reader {
    const struct dvl_vnpu_config *chip;
    struct dvl_findings *findings;
    const char *key; /* of the annotation */
    bool soft;
};

static bool is_null(const struct dvl_value *value)
{
    return !value || value->kind == DVL_VALUE_NULL;
}

/* A number of an entry; absent is 0, as its writer leaves zeros out. */
static bool read_number(const struct dvl_value *entry, const char *name, int64_t least, int64_t *out,
                        const char **problem)
{
    const struct dvl_value *value = dvl_value_find(entry, name);
    int64_t number = 0;
    if (!is_null(value) && (!dvl_value_int64(value, &number) || number < least || number > DVL_HAMI_MOST)) {
        *problem = name;
        return false;
    }
    *out = number;
    return true;
}

/* An id must survive the way through a device list. */
static bool is_id(const char *id)
{
    return id && *id && !strpbrk(id, ",:;[]");
}

/* The network: a whole number, anything else counts as absent. */
static int64_t read_network(const struct register_reader *reader, const struct dvl_value *entry, int64_t position)
{
    const struct dvl_value *value = dvl_value_find(dvl_value_find(entry, "custominfo"), "NetworkID");
    int64_t number;
    if (is_null(value))
        return DVL_UNSET;
    if (dvl_value_int64(value, &number) && number >= INT32_MIN && number <= DVL_HAMI_MOST)
        return number;
    dvl_finding_add(reader->findings, "unreadable_network_id", reader->key, position,
                    "NetworkID is not a whole number of 32 bits and counts as absent");
    return DVL_UNSET;
}

/* NULL, and a problem, when the entry does not read: it is skipped, the good
 * ones are taken. */
static struct dvl_device *read_entry(const struct register_reader *reader, const struct dvl_value *value,
                                     int64_t position, const char **problem)
{
    const char *id = dvl_value_find_text(value, "id");
    const struct dvl_value *health = dvl_value_find(value, "health");
    const char *type = dvl_value_find_text(value, "type");
    struct dvl_device read = {.ai_cores = reader->chip->ai_cores, .ai_cpus = reader->chip->ai_cpus};
    int64_t numa;
    *problem = NULL;
    if (!is_id(id))
        *problem = "id";
    else if (!is_null(health) && health->kind != DVL_VALUE_BOOL)
        *problem = "health";
    if (*problem || !read_number(value, "index", 0, &read.idx, problem) ||
        !read_number(value, "count", 0, &read.slots, problem) ||
        !read_number(value, "devmem", 0, &read.memory, problem) ||
        !read_number(value, "devcore", 0, &read.cores, problem))
        return NULL;
    const char *ignored;
    read.numa = read_number(value, "numa", INT32_MIN, &numa, &ignored) ? numa : DVL_UNSET;
    read.network_id = read_network(reader, value, position);
    read.healthy = !is_null(health) && health->truth;
    read.schedulable = true;
    /* Soft slices share a chip by percent, whatever its AI cores are. */
    if (reader->soft)
        read.cores = 100;
    read.mode = reader->soft ? "soft" : "template";
    read.uuid = dvl_arena_text(reader->findings->arena, id);
    read.type = dvl_arena_text(reader->findings->arena, type && *type ? type : reader->chip->word);
    struct dvl_device *device = dvl_arena_take(reader->findings->arena, sizeof *device);
    if (!device || !read.uuid || !read.type) {
        reader->findings->failed = true;
        return NULL;
    }
    *device = read;
    return device;
}

static int by_uuid(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    int order = strcmp(left->device->uuid, right->device->uuid);
    return order ? order : (left->order > right->order) - (left->order < right->order);
}

static int by_index(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    if (left->device->idx != right->device->idx)
        return left->device->idx < right->device->idx ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

/* Of an id that comes twice the first counts. */
static size_t drop_twins(const struct register_reader *reader, struct entry *entries, size_t count)
{
    qsort(entries, count, sizeof *entries, by_uuid);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const char *uuid = entries[i].device->uuid;
        if (kept > 0 && strcmp(entries[kept - 1].device->uuid, uuid) == 0)
            dvl_finding_add(reader->findings, "duplicate_uuid", reader->key, entries[i].position,
                            "device %.*s comes twice; the first counts", dvl_hami_shown(dvl_span_of(uuid)), uuid);
        else
            entries[kept++] = entries[i];
    }
    return kept;
}

static size_t read_entries(const struct register_reader *reader, const char *text, const struct dvl_value *list,
                           struct entry *entries)
{
    struct item_walk walk = {.text = text};
    size_t count = 0, order = 0;
    for (const struct dvl_value *item = list->first; item; item = item->next, order++) {
        int64_t position = next_item(&walk);
        const char *problem;
        struct dvl_device *device = read_entry(reader, item, position, &problem);
        if (device)
            entries[count++] = (struct entry){.device = device, .order = order, .position = position};
        else if (problem)
            dvl_finding_add(reader->findings, "unreadable_record", reader->key, position,
                            "entry %zu of the register is skipped: its %s does not read", order + 1, problem);
    }
    return drop_twins(reader, entries, count);
}

/* The register's list; NULL when the text is no JSON list (a finding). */
static enum dvl_status parse_register(const struct register_reader *reader, const char *text, struct dvl_value **out,
                                      struct dvl_error *error)
{
    struct dvl_error why;
    *out = NULL;
    dvl_error_clear(&why);
    enum dvl_status status = dvl_json_read(reader->findings->arena, text, strlen(text), out, &why);
    if (status == DVL_NO_MEMORY)
        return dvl_error_memory(error);
    if (status == DVL_OK && ((*out)->kind == DVL_VALUE_LIST || (*out)->kind == DVL_VALUE_NULL))
        return DVL_OK;
    *out = NULL;
    dvl_finding_add(reader->findings, "unreadable_register", reader->key, 0,
                    "the register is not a JSON list (%s); the devices known before stay",
                    status == DVL_OK ? "another kind of value" : why.message);
    return DVL_OK;
}

static enum dvl_status read_register(const struct register_reader *reader, const char *text, struct dvl_inventory *out,
                                     struct dvl_error *error)
{
    struct dvl_arena *arena = reader->findings->arena;
    struct dvl_value *list;
    enum dvl_status status = parse_register(reader, text, &list, error);
    if (status != DVL_OK)
        return status;
    if (!list) {
        out->keep = true;
        return DVL_OK;
    }
    struct entry *entries = dvl_arena_array(arena, list->count, sizeof *entries);
    if (!entries)
        return dvl_error_memory(error);
    size_t count = read_entries(reader, text, list, entries);
    struct dvl_device *devices = dvl_arena_array(arena, count, sizeof *devices);
    if (!devices || reader->findings->failed)
        return dvl_error_memory(error);
    qsort(entries, count, sizeof *entries, by_index);
    for (size_t i = 0; i < count; i++)
        devices[i] = *entries[i].device;
    out->present = count > 0;
    out->devices = devices;
    out->device_count = count;
    return DVL_OK;
}

/* The node's own word goes before the configuration's; only "true" is yes. */
static bool node_is_soft(const struct dvl_backend *self, const struct dvl_node *node, struct dvl_findings *findings)
{
    const char *word = dvl_pairs_get(&node->annotations, node_mode_key);
    if (!word)
        return self->config->devices.hami_core;
    if (strcmp(word, "true") != 0 && strcmp(word, "false") != 0)
        dvl_finding_add(findings, "unreadable_mode", node_mode_key, 0, "\"%.*s\" is neither true nor false: off",
                        dvl_hami_shown(dvl_span_of(word)), word);
    return strcmp(word, "true") == 0;
}

/* Devices without their resource stay known, but take no pod. */
static void close_devices(const struct dvl_backend *self, struct dvl_arena *arena, struct dvl_inventory *out)
{
    struct dvl_device *devices = (struct dvl_device *)out->devices;
    out->schedulable = false;
    out->reason = "no_allocatable";
    out->message = dvl_arena_format(arena, "the node has no allocatable %s", self->chip->resource_name);
    for (size_t i = 0; i < out->device_count; i++) {
        devices[i].schedulable = false;
        devices[i].reason = out->reason;
    }
}

static enum dvl_status read_node(const struct dvl_backend *self, const struct dvl_node *node,
                                 const struct dvl_facts *facts, struct dvl_inventory *out,
                                 struct dvl_findings *findings, struct dvl_error *error)
{
    (void)facts;
    *out = (struct dvl_inventory){.capacity = DVL_UNSET, .schedulable = true};
    const char *key = dvl_arena_format(findings->arena, "hami.io/node-register-%s", self->chip->word);
    if (!key)
        return dvl_error_memory(error);
    const char *text = dvl_pairs_get(&node->annotations, key);
    if (!text)
        return DVL_OK;
    out->soft = node_is_soft(self, node, findings);
    struct register_reader reader = {.chip = self->chip, .findings = findings, .key = key, .soft = out->soft};
    enum dvl_status status = read_register(&reader, text, out, error);
    if (status != DVL_OK || out->keep)
        return status;
    const char *amount = dvl_pairs_get(&node->allocatable, self->chip->resource_name);
    int64_t allocatable = 0;
    enum dvl_quantity_status read = amount ? dvl_quantity_whole(amount, &allocatable) : DVL_QUANTITY_OK;
    if (read != DVL_QUANTITY_OK) {
        dvl_finding_add(findings, "unreadable_quantity", self->chip->resource_name, 0, "\"%.*s\" %s",
                        dvl_hami_shown(dvl_span_of(amount)), amount, dvl_quantity_problem(read));
        out->keep = true;
    } else if (allocatable == 0) {
        close_devices(self, findings->arena, out);
    }
    return findings->failed ? dvl_error_memory(error) : DVL_OK;
}

/* ---- Requests ---- */

/* What a container says about one resource: its limit, else its request. */
static enum dvl_status read_amount(const struct dvl_pod *pod, const struct dvl_container *container,
                                   const char *resource, bool *given, int64_t *out, struct dvl_error *error)
{
    *out = 0;
    enum dvl_status status = dvl_limit_read(pod, container, resource, DVL_HAMI_MOST, given, out, error);
    if (status != DVL_OK || *given)
        return status;
    struct dvl_container asked = *container;
    asked.limits = container->requests;
    return dvl_limit_read(pod, &asked, resource, DVL_HAMI_MOST, given, out, error);
}

struct request_reader {
    const struct dvl_backend *self;
    const struct dvl_pod *pod;
    struct dvl_arena *arena;
    struct dvl_pod_request *out;
    struct dvl_ask *asks;
    struct dvl_hami_need *needs;
    size_t count;
    bool soft;
};

/* The first refusal stands: code 1. */
static void refuse(struct request_reader *reader, const char *reason, const char *message)
{
    if (reader->out->refusal)
        return;
    reader->out->refusal = reason;
    reader->out->refusal_message = message;
}

/* Memory as the chip can give it: raised to a template, or the whole chip. */
static struct dvl_hami_need raise(const struct dvl_vnpu_config *chip, int64_t memory, bool soft)
{
    struct dvl_hami_need need = {.size = DVL_HAMI_EXACT, .memory = memory};
    if (memory == 0)
        need.size = DVL_HAMI_WHOLE;
    if (soft || memory == 0)
        return need;
    need.part = dvl_hami_template(chip, memory);
    if (need.part)
        need.memory = need.part->memory;
    else if (memory <= chip->memory_capacity)
        need.memory = chip->memory_allocatable;
    else
        need.size = DVL_HAMI_ABOVE; /* D13: refused, never booked as 0 */
    return need;
}

static enum dvl_status add_ask(struct request_reader *reader, size_t index, int64_t count, int64_t memory,
                               int64_t cores, struct dvl_error *error)
{
    const struct dvl_vnpu_config *chip = reader->self->chip;
    const struct dvl_container *container = &reader->pod->containers[index];
    struct dvl_hami_need need = raise(chip, memory, reader->soft);
    need.cores = cores;
    reader->asks[reader->count] = (struct dvl_ask){.container = container->name,
                                                   .ordinal = (int64_t)index,
                                                   .init = container->init,
                                                   .count = count,
                                                   .memory = memory ? memory : DVL_UNSET,
                                                   .memory_percent = DVL_UNSET,
                                                   .cores = cores ? cores : DVL_UNSET,
                                                   .template_name = need.part ? need.part->name : NULL};
    reader->needs[reader->count++] = need;
    if (count > 1 && !reader->soft && need.size == DVL_HAMI_EXACT && need.memory != chip->memory_allocatable) {
        const char *message = dvl_arena_format(reader->arena,
                                               "container %s asks %" PRId64 " devices with %" PRId64
                                               " MiB each; several devices are only given whole",
                                               container->name, count, memory);
        if (!message)
            return dvl_error_memory(error);
        refuse(reader, "partial_memory_on_several_devices", message);
    }
    return DVL_OK;
}

static enum dvl_status refuse_container(struct request_reader *reader, size_t index, const char *reason,
                                        const char *resource, const char *what, struct dvl_error *error)
{
    const char *message =
        dvl_arena_format(reader->arena, "container %s: %s %s", reader->pod->containers[index].name, resource, what);
    if (!message)
        return dvl_error_memory(error);
    refuse(reader, reason, message);
    return DVL_OK;
}

static enum dvl_status read_container(struct request_reader *reader, size_t index, struct dvl_error *error)
{
    const struct dvl_vnpu_config *chip = reader->self->chip;
    const struct dvl_container *container = &reader->pod->containers[index];
    bool count_limited = dvl_pairs_get(&container->limits, chip->resource_name);
    bool memory_limited = dvl_pairs_get(&container->limits, chip->memory_name);
    bool count_given, memory_given, cores_given;
    int64_t count, memory, cores;
    enum dvl_status status = read_amount(reader->pod, container, chip->resource_name, &count_given, &count, error);
    if (status == DVL_OK)
        status = read_amount(reader->pod, container, chip->memory_name, &memory_given, &memory, error);
    if (status == DVL_OK)
        status = read_amount(reader->pod, container, chip->core_name, &cores_given, &cores, error);
    if (status != DVL_OK)
        return status;
    if (count_limited && count == 0)
        return memory == 0 ? DVL_OK
                           : refuse_container(reader, index, "memory_without_device", chip->memory_name,
                                              "is asked of 0 devices", error);
    if (count_limited || memory_limited)
        return add_ask(reader, index, count_limited ? count : 1, memory, cores, error);
    /* Neither count nor memory is limited, so nothing could be booked. */
    if (count_given || memory_given)
        return refuse_container(reader, index, "request_without_limit",
                                count_given ? chip->resource_name : chip->memory_name, "is requested without a limit",
                                error);
    if (cores_given) /* D26 */
        return refuse_container(reader, index, "cores_without_device", chip->core_name,
                                "is asked without a limit for devices or memory", error);
    return DVL_OK;
}

static int by_bytes(const void *a, const void *b)
{
    const struct dvl_span *left = a, *right = b;
    size_t shorter = left->length < right->length ? left->length : right->length;
    int order = shorter ? memcmp(left->start, right->start, shorter) : 0;
    return order ? order : (left->length > right->length) - (left->length < right->length);
}

/* A list of ids, blanks trimmed, empty ones left out: no usable id is no
 * constraint. */
static enum dvl_status read_ids(struct request_reader *reader, const char *format, struct dvl_hami_ids *out,
                                struct dvl_error *error)
{
    struct dvl_buffer key;
    dvl_buffer_init(&key);
    dvl_buffer_format(&key, "hami.io/%s-%s-uuid", format, reader->self->chip->word);
    bool failed = key.failed;
    const char *text = dvl_pairs_get(&reader->pod->annotations, key.text);
    dvl_buffer_clear(&key);
    if (failed)
        return dvl_error_memory(error);
    if (!text)
        return DVL_OK;
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    struct dvl_span *items = dvl_arena_array(reader->arena, most, sizeof *items);
    if (!items)
        return dvl_error_memory(error);
    struct dvl_span rest = dvl_span_of(text), part;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ',', &part)) {
        part = dvl_span_trim(part);
        if (part.length > 0)
            items[out->count++] = part;
    }
    qsort(items, out->count, sizeof *items, by_bytes);
    out->items = items;
    return DVL_OK;
}

bool dvl_hami_ids_have(const struct dvl_hami_ids *ids, const char *id)
{
    struct dvl_span wanted = dvl_span_of(id);
    return ids->count > 0 && bsearch(&wanted, ids->items, ids->count, sizeof *ids->items, by_bytes);
}

static enum dvl_status read_request(const struct dvl_backend *self, const struct dvl_pod *pod, struct dvl_arena *arena,
                                    struct dvl_pod_request *out, struct dvl_error *error)
{
    *out = (struct dvl_pod_request){0};
    struct request_reader reader = {
        .self = self, .pod = pod, .arena = arena, .out = out, .soft = dvl_hami_is_soft(pod)};
    struct dvl_hami_request *detail = dvl_arena_take(arena, sizeof *detail);
    reader.asks = dvl_arena_array(arena, pod->container_count, sizeof *reader.asks);
    reader.needs = dvl_arena_array(arena, pod->container_count, sizeof *reader.needs);
    if (!detail || !reader.asks || !reader.needs)
        return dvl_error_memory(error);
    /* D20: every container with a request, init or not, gets slices of its own. */
    for (size_t i = 0; i < pod->container_count; i++) {
        enum dvl_status status = read_container(&reader, i, error);
        if (status != DVL_OK)
            return status;
    }
    if (reader.count > 0) {
        enum dvl_status status = read_ids(&reader, "use", &detail->only, error);
        if (status == DVL_OK)
            status = read_ids(&reader, "no-use", &detail->never, error);
        if (status != DVL_OK)
            return status;
    }
    detail->soft = reader.soft;
    detail->needs = reader.needs;
    out->asks = reader.asks;
    out->ask_count = reader.count;
    out->detail = detail;
    return DVL_OK;
}

/* ---- The table ---- */

static enum dvl_status ignored_resources(const struct dvl_backend *self, struct dvl_arena *arena,
                                         const char *const **out, size_t *count, struct dvl_error *error)
{
    const char **names = dvl_arena_array(arena, 2, sizeof *names);
    if (!names)
        return dvl_error_memory(error);
    names[0] = self->chip->memory_name;
    names[1] = self->chip->core_name;
    *out = names;
    *count = 2;
    return DVL_OK;
}

const struct dvl_backend_ops dvl_hami_ops = {
    .family = "hami",
    .read_node = read_node,
    .read_request = read_request,
    .fit = dvl_hami_fit,
    .read_assignment = dvl_hami_read_assignment,
    .annotations = dvl_hami_annotations,
    .ignored_resources = ignored_resources,
};
