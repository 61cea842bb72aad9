/* A node's labels, capacity and facts → its chips.
 *
 * A node that cannot take part stays in the inventory as far as it is known,
 * closed, with the reason: who asks later why nothing is placed there finds it.
 * Chips come from capacity and labels alone, never from pods (D28). */
#include "vnpu.h"

#include "../manifest/manifest.h"
#include "../manifest/quantity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char accelerator_label[] = "accelerator";
static const char server_label[] = "servertype";
static const char chip_label[] = "node.kubernetes.io/npu.chip.name";
static const char resource_prefix[] = "huawei.com/";
static const char separated_key[] = "ManuallySeparateNPU";
static const char closed_status[] = "PreSeparate";

/* Bounds on what a manifest may say: no machine has more. */
enum { CHIPS_MAX = 4096, CORES_MAX = CHIPS_MAX * 64 };

/* What lists say about one chip; a later word outdoes an earlier one. */
enum state { NOT_LISTED, HEALTHY, UNHEALTHY, RECOVERING, SEPARATED };

static const char *const state_names[] = {"not_listed", NULL, "unhealthy", "recovering", "separated"};

struct reader {
    const struct dvl_node *node;
    const struct dvl_facts *facts;
    struct dvl_inventory *out;
    struct dvl_findings *findings;
    struct dvl_error *error;
    struct dvl_span kind;         /* Ascend310P */
    const char *type;             /* of the chips: the name that templates go by */
    int64_t cores, cpus;          /* of a chip; cores 0: unknown */
    const struct dvl_value *list; /* DeviceList; NULL: not known */
    enum state *states;           /* by chip number, CHIPS_MAX of them */
    bool unreadable;              /* only an unreadable text tells about devices or status */
};

/* The first reason counts. */
static void close_node(struct reader *reader, const char *reason, const char *message)
{
    if (reader->out->reason)
        return;
    reader->out->schedulable = false;
    reader->out->reason = reason;
    reader->out->message = message;
}

/* ---- Labels and capacity ---- */

/* False: no such backend here, or nothing can be said (keep). */
static bool read_capacity(struct reader *reader)
{
    const char *text = dvl_pairs_get(&reader->node->capacity, DVL_VNPU_CORE_KEY);
    int64_t cores = 0;
    if (!text)
        return false;
    enum dvl_quantity_status status = dvl_quantity_whole(text, &cores);
    if (status != DVL_QUANTITY_OK || cores > CORES_MAX) {
        const char *problem = status != DVL_QUANTITY_OK ? dvl_quantity_problem(status) : "is more than a node can have";
        dvl_finding_add(reader->findings, "unreadable_quantity", DVL_VNPU_CORE_KEY, 0, "\"%.64s\" %s", text, problem);
        reader->out->keep = true;
        return false;
    }
    reader->out->capacity = cores;
    return cores > 0;
}

/* The second of the parts that '-' cuts a label into; empty when there is none. */
static struct dvl_span second_part(const char *text)
{
    struct dvl_span rest = dvl_span_of(text), part;
    bool more = true;
    if (dvl_span_cut(&rest, &more, '-', &part) && dvl_span_cut(&rest, &more, '-', &part))
        return part;
    return dvl_span_of("");
}

static void read_labels(struct reader *reader)
{
    const struct dvl_pairs *labels = &reader->node->labels;
    const char *name = dvl_pairs_get(labels, chip_label);
    reader->kind = second_part(dvl_pairs_get(labels, accelerator_label));
    struct dvl_span cores = second_part(dvl_pairs_get(labels, server_label));
    if (!dvl_text_int64(cores, &reader->cores) || reader->cores < 1 || reader->cores > CORES_MAX)
        reader->cores = 0;
    if (!reader->kind.length)
        close_node(reader, "no_accelerator_label", "label accelerator does not name a chip kind");
    if (!reader->cores)
        close_node(reader, "no_servertype_label", "label servertype does not tell the AI cores of a chip");
    if (!name || !*name)
        close_node(reader, "no_chip_name_label", "label node.kubernetes.io/npu.chip.name is missing");
    if (reader->out->reason)
        return;
    const struct dvl_vnpu_chip *chip = dvl_vnpu_chip_find(reader->kind, name, reader->cores);
    if (chip) {
        reader->type = chip->type;
        reader->cpus = chip->cpus;
        /* Nodes of other kinds are counted; 310P pods are not placed there. */
        if (strcmp(chip->type, DVL_VNPU_310P) != 0)
            close_node(reader, "other_chip_kind", "the chips are not Ascend310P");
    } else {
        close_node(reader, "unknown_chip", "no chip of that kind has so many AI cores");
    }
}

/* ---- Facts ---- */

struct said {
    const struct dvl_value *list;
    const char *text;
    int64_t time;
};

/* The newer word counts; among equals that of the lesser text, so that facts
 * may come in any order. */
static enum dvl_status read_list(struct reader *reader, const char *text, struct said *best)
{
    struct dvl_value *info;
    enum dvl_status status = dvl_json_read(reader->findings->arena, text, strlen(text), &info, reader->error);
    if (status == DVL_BAD_INPUT) { /* we wrote it: a fact that does not read is none */
        reader->unreadable = true;
        return DVL_OK;
    }
    if (status != DVL_OK)
        return status;
    const struct dvl_value *list = dvl_value_find(info, "DeviceList");
    int64_t time = 0;
    dvl_value_int64(dvl_value_find(info, "UpdateTime"), &time);
    if (list && (!best->list || time > best->time || (time == best->time && strcmp(text, best->text) < 0)))
        *best = (struct said){.list = list, .text = text, .time = time};
    return DVL_OK;
}

static enum dvl_status read_facts(struct reader *reader)
{
    struct said best = {0};
    bool devices_bad = false, status_bad = false, status_said = false;
    for (size_t i = 0; i < reader->facts->count; i++) {
        const struct dvl_fact *fact = &reader->facts->items[i];
        devices_bad = devices_bad || strcmp(fact->key, DVL_VNPU_FACT_DEVICES_BAD) == 0;
        status_bad = status_bad || strcmp(fact->key, DVL_VNPU_FACT_STATUS_BAD) == 0;
        if (strcmp(fact->key, DVL_VNPU_FACT_STATUS) == 0) {
            status_said = true;
            if (strcmp(fact->text, closed_status) == 0)
                close_node(reader, "pre_separate", "NodeD has taken the node out (PreSeparate)");
        }
        if (strcmp(fact->key, DVL_VNPU_FACT_DEVICES) != 0)
            continue;
        enum dvl_status status = read_list(reader, fact->text, &best);
        if (status != DVL_OK)
            return status;
    }
    reader->list = best.list;
    reader->unreadable = reader->unreadable || (devices_bad && !best.list) || (status_bad && !status_said);
    return DVL_OK;
}

/* ---- States of chips ---- */

/* `Ascend310P-3` → 3. A vNPU's name or another chip's is none of ours. */
static bool read_chip_name(struct dvl_span kind, struct dvl_span word, int64_t *idx)
{
    if (word.length < kind.length + 2 || memcmp(word.start, kind.start, kind.length) != 0 ||
        word.start[kind.length] != '-')
        return false;
    struct dvl_span number = {.start = word.start + kind.length + 1, .length = word.length - kind.length - 1};
    return number.start[0] != '+' && dvl_text_int64(number, idx) && *idx >= 0 && *idx < CHIPS_MAX;
}

static void mark(struct reader *reader, const char *key, const char *text, enum state state)
{
    struct dvl_span rest = dvl_span_of(text), part;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ',', &part)) {
        int64_t position = part.start - text, idx;
        struct dvl_span word = dvl_span_trim(part);
        int shown = (int)(word.length > 64 ? 64 : word.length);
        if (!word.length)
            continue;
        if (!read_chip_name(reader->kind, word, &idx)) {
            dvl_finding_add(reader->findings, "unreadable_record", key, position, "\"%.*s\" is not a chip of kind %.*s",
                            shown, word.start, (int)reader->kind.length, reader->kind.start);
            continue;
        }
        if (word.length != part.length)
            dvl_finding_add(reader->findings, "odd_blank", key, position, "\"%.*s\" stands among blanks", shown,
                            word.start);
        reader->states[idx] = state; /* lists are read in order of weight */
    }
}

/* The chips that lists name, or that were taken out by hand. */
static enum dvl_status read_states(struct reader *reader)
{
    static const struct {
        const char *suffix;
        enum state state;
    } lists[] = {{"", HEALTHY}, {"-Unhealthy", UNHEALTHY}, {"-Recovering", RECOVERING}};
    struct dvl_arena *arena = reader->findings->arena;
    reader->states = dvl_arena_array(arena, CHIPS_MAX, sizeof *reader->states);
    if (!reader->states)
        return dvl_error_memory(reader->error);
    if (!reader->kind.length)
        return DVL_OK; /* whose chips the lists name is not known */
    for (size_t i = 0; reader->list && i < sizeof lists / sizeof lists[0]; i++) {
        char *key = dvl_arena_format(arena, "%s%.*s%s", resource_prefix, (int)reader->kind.length, reader->kind.start,
                                     lists[i].suffix);
        if (!key)
            return dvl_error_memory(reader->error);
        const char *text = dvl_value_find_text(reader->list, key);
        if (text)
            mark(reader, key, text, lists[i].state);
        else if (i == 0)
            close_node(reader, "no_chip_list", "the device info has no list of chips of the node's kind");
    }
    for (size_t i = 0; i < reader->facts->count; i++) {
        if (strcmp(reader->facts->items[i].key, DVL_VNPU_FACT_SEPARATED) == 0)
            mark(reader, separated_key, reader->facts->items[i].text, SEPARATED);
    }
    return DVL_OK;
}

/* ---- Chips ---- */

/* Numbers of the node's chips, ascending: those that the lists name, and the
 * lowest others until there are `count`. */
static void choose_numbers(const struct reader *reader, bool *chosen, int64_t count)
{
    int64_t named = 0;
    for (int64_t i = 0; i < CHIPS_MAX; i++) {
        if (reader->states[i] == NOT_LISTED)
            continue;
        if (named++ < count)
            chosen[i] = true;
    }
    if (named > count)
        dvl_finding_add(reader->findings, "chip_count_mismatch", DVL_VNPU_CORE_KEY, 0,
                        "the capacity is that of %" PRId64 " chips, the device info names %" PRId64, count, named);
    for (int64_t i = 0; i < CHIPS_MAX && named < count; i++) {
        if (!chosen[i]) {
            chosen[i] = true;
            named++;
        }
    }
}

static struct dvl_device chip_of(const struct reader *reader, int64_t idx)
{
    enum state state = reader->states[idx];
    const char *reason = reader->list || state == SEPARATED ? state_names[state] : "no_device_info";
    return (struct dvl_device){.idx = idx,
                               .type = reader->type,
                               .memory = DVL_UNSET,
                               .cores = reader->cores,
                               .slots = DVL_UNSET,
                               .ai_cores = reader->cores,
                               .ai_cpus = reader->cpus,
                               .numa = DVL_UNSET,
                               .network_id = DVL_UNSET,
                               .healthy = state == HEALTHY,
                               .schedulable = reader->out->schedulable,
                               .reason = reason ? reason : reader->out->reason};
}

static enum dvl_status make_chips(struct reader *reader)
{
    struct dvl_arena *arena = reader->findings->arena;
    int64_t count = reader->out->capacity / reader->cores;
    bool *chosen = dvl_arena_array(arena, CHIPS_MAX, sizeof *chosen);
    struct dvl_device *chips = dvl_arena_array(arena, (size_t)count, sizeof *chips);
    if (!chosen || !chips)
        return dvl_error_memory(reader->error);
    choose_numbers(reader, chosen, count);
    size_t made = 0;
    for (int64_t i = 0; i < CHIPS_MAX; i++) {
        if (chosen[i])
            chips[made++] = chip_of(reader, i);
    }
    reader->out->devices = chips;
    reader->out->device_count = made;
    return DVL_OK;
}

/* What can be said of the chips needs their cores. */
static enum dvl_status read_chips(struct reader *reader)
{
    struct dvl_inventory *out = reader->out;
    if (!reader->cores || out->capacity / reader->cores > CHIPS_MAX) {
        close_node(reader, "too_many_chips", "the capacity is that of more chips than a node can have");
        return DVL_OK;
    }
    if (out->capacity % reader->cores != 0)
        close_node(reader, "capacity_not_whole_chips", "the node's AI cores are not a multiple of a chip's");
    if (!reader->list)
        close_node(reader, "no_device_info", "no ConfigMap tells about the node's chips");
    enum dvl_status status = read_states(reader);
    return status == DVL_OK ? make_chips(reader) : status;
}

enum dvl_status dvl_vnpu_read_node(const struct dvl_backend *self, const struct dvl_node *node,
                                   const struct dvl_facts *facts, struct dvl_inventory *out,
                                   struct dvl_findings *findings, struct dvl_error *error)
{
    (void)self;
    *out = (struct dvl_inventory){.capacity = DVL_UNSET};
    struct reader reader = {
        .node = node, .facts = facts, .out = out, .findings = findings, .error = error, .cpus = DVL_UNSET};
    if (!read_capacity(&reader))
        return DVL_OK;
    out->present = true;
    out->schedulable = true;
    enum dvl_status status = read_facts(&reader); /* first: PreSeparate outdoes all other reasons */
    if (status != DVL_OK)
        return status;
    out->keep = reader.unreadable;
    read_labels(&reader);
    if (!reader.type && reader.kind.length &&
        !(reader.type = dvl_arena_bytes(findings->arena, reader.kind.start, reader.kind.length)))
        return dvl_error_memory(error);
    return read_chips(&reader);
}
