/* Tables, one for each sort of row: which fields, under which headers. */
#include "views.h"

#include "table.h"

#include <string.h>

#define END                                                                                                            \
    {                                                                                                                  \
        NULL, NULL, NULL, 0, NULL                                                                                      \
    }

/* ---- Cells that look at more than one field ------------------------------------------- */

static int64_t number_of(const struct dvl_value *row, const char *field)
{
    int64_t number = 0;
    dvl_value_integer(dvl_value_get(row, field), &number);
    return number;
}

static bool is_set(const struct dvl_value *row, const char *field)
{
    return dvl_value_kind(dvl_value_get(row, field)) != DVL_VALUE_NULL;
}

void cell_device_status(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    if (is_set(row, "removedAt"))
        dvl_buffer_text(out, "gone");
    else if (!dvl_value_is_true(dvl_value_get(row, "healthy")))
        dvl_buffer_text(out, "unhealthy");
    else if (dvl_value_is_true(dvl_value_get(row, "schedulable")))
        dvl_buffer_text(out, "ok");
    else if (is_set(row, field))
        cell_text(out, cli, row, field);
    else
        dvl_buffer_text(out, "closed");
}

static const char *color_device_status(const struct dvl_value *row)
{
    bool good = !is_set(row, "removedAt") && dvl_value_is_true(dvl_value_get(row, "healthy")) &&
                dvl_value_is_true(dvl_value_get(row, "schedulable"));
    return good ? NULL : "red";
}

/* "2000/32768": what is used of the whole that `field` names. */
static void cell_part(struct dvl_buffer *out, const struct dvl_value *row, const char *used, const char *field)
{
    if (is_set(row, field))
        dvl_buffer_format(out, "%lld/%lld", (long long)number_of(row, used), (long long)number_of(row, field));
}

static void cell_memory(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    cell_part(out, row, "usedMemory", field);
}

static void cell_cores(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    cell_part(out, row, "usedCores", field);
}

static void cell_slots(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    cell_part(out, row, "usedSlots", field);
}

static void cell_ai_cores(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    cell_part(out, row, "usedAiCores", field);
}

static void cell_ai_cpus(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    cell_part(out, row, "usedAiCpus", field);
}

static const char *color_memory(const struct dvl_value *row)
{
    int64_t memory = number_of(row, "memory"), used = number_of(row, "usedMemory");
    if (used > memory)
        return "red";
    return memory > 0 && used >= memory - memory / 10 ? "yellow" : NULL;
}

static const char *color_state(const struct dvl_value *row)
{
    const char *state = dvl_value_text(dvl_value_get(row, "state"));
    if (!state || strcmp(state, "bound") == 0)
        return NULL;
    return strcmp(state, "expired") == 0 ? "red" : strcmp(state, "reserved") == 0 ? "yellow" : NULL;
}

static void cell_mig(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    if (!is_set(row, field))
        return;
    cell_text(out, cli, row, field);
    dvl_buffer_char(out, '-');
    cell_text(out, cli, row, "migPosition");
}

static void cell_lock_left(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row,
                           const char *field)
{
    if (is_set(row, "releasedAt"))
        dvl_buffer_text(out, "released");
    else if (dvl_value_is_true(dvl_value_get(row, "expired")))
        dvl_buffer_text(out, "over");
    else
        cell_left(out, cli, row, field);
}

static void cell_object(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    cell_text(out, cli, row, "objectKind");
    dvl_buffer_char(out, '/');
    cell_text(out, cli, row, field);
}

/* Enough of a digest to tell it from others. */
static void cell_digest(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    const char *text = dvl_value_text(dvl_value_get(row, field));
    (void)cli;
    if (text)
        dvl_buffer_format(out, "%.12s", text);
}

static void cell_fits(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    dvl_buffer_text(out, is_set(row, field) && number_of(row, field) == 0 ? "yes" : "no");
}

static const char *color_fits(const struct dvl_value *row)
{
    return is_set(row, "code") && number_of(row, "code") == 0 ? "green" : "red";
}

/* A device that would do has no reason. */
static void cell_reason(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    if (is_set(row, field))
        cell_text(out, cli, row, field);
    else
        dvl_buffer_text(out, "would do");
}

/* ---- Kinds of get ----------------------------------------------------------------------- */

static const struct column nodes[] = {
    {"NAME", "name", cell_text, 0, NULL},
    {"BACKENDS", "backends", cell_list, 0, NULL},
    {"DEVICES", "devices", cell_text, TABLE_RIGHT, NULL},
    {"HEALTHY", "healthyDevices", cell_text, TABLE_RIGHT, NULL},
    {"MEMORY", "memory", cell_memory, TABLE_RIGHT, color_memory},
    {"PODS", "pods", cell_text, TABLE_RIGHT, NULL},
    {"UPDATED", "updatedAt", cell_age, 0, NULL},
    {"RETIRED", "removedAt", cell_age, COLUMN_WIDE, NULL},
    {"LABELS", "labels", cell_list, COLUMN_WIDE | TABLE_CUT, NULL},
    END,
};

static const struct column devices[] = {
    {"NODE", "node", cell_text, 0, NULL},
    {"INDEX", "index", cell_text, TABLE_RIGHT, NULL},
    {"BACKEND", "backend", cell_text, 0, NULL},
    {"UUID", "uuid", cell_text, 0, NULL},
    {"MEMORY", "memory", cell_memory, TABLE_RIGHT, color_memory},
    {"CORES", "cores", cell_cores, TABLE_RIGHT, NULL},
    {"SLOTS", "slots", cell_slots, TABLE_RIGHT, NULL},
    {"STATUS", "reason", cell_device_status, 0, color_device_status},
    {"TYPE", "type", cell_text, COLUMN_WIDE, NULL},
    {"MODE", "mode", cell_text, COLUMN_WIDE, NULL},
    {"AICORES", "aiCores", cell_ai_cores, TABLE_RIGHT | COLUMN_WIDE, NULL},
    {"AICPUS", "aiCpus", cell_ai_cpus, TABLE_RIGHT | COLUMN_WIDE, NULL},
    {"NUMA", "numa", cell_text, TABLE_RIGHT | COLUMN_WIDE, NULL},
    {"NETWORK", "networkId", cell_text, TABLE_RIGHT | COLUMN_WIDE, NULL},
    {"UPDATED", "updatedAt", cell_age, COLUMN_WIDE, NULL},
    END,
};

static const struct column pods[] = {
    {"NAMESPACE", "namespace", cell_text, 0, NULL},
    {"NAME", "name", cell_text, 0, NULL},
    {"PHASE", "phase", cell_text, 0, NULL},
    {"STATE", "state", cell_text, 0, color_state},
    {"NODE", "node", cell_text, 0, NULL},
    {"DEVICES", "devices", cell_text, TABLE_RIGHT, NULL},
    {"QUEUE", "queue", cell_text, 0, NULL},
    {"AGE", "createdAt", cell_age, 0, NULL},
    {"GROUP", "podGroup", cell_text, COLUMN_WIDE, NULL},
    {"UID", "uid", cell_text, COLUMN_WIDE, NULL},
    {"LABELS", "labels", cell_list, COLUMN_WIDE | TABLE_CUT, NULL},
    END,
};

static const struct column allocations[] = {
    {"POD", "pod", cell_text, 0, NULL},
    {"CONTAINER", "container", cell_text, 0, NULL},
    {"NODE", "node", cell_text, 0, NULL},
    {"BACKEND", "backend", cell_text, 0, NULL},
    {"DEVICE", "device", cell_text, 0, NULL},
    {"INDEX", "index", cell_text, TABLE_RIGHT, NULL},
    {"MEMORY", "memory", cell_text, TABLE_RIGHT, NULL},
    {"CORES", "cores", cell_text, TABLE_RIGHT, NULL},
    {"STATE", "state", cell_text, 0, color_state},
    {"AGE", "allocatedAt", cell_age, 0, NULL},
    {"ASKED", "memoryAsked", cell_text, TABLE_RIGHT | COLUMN_WIDE, NULL},
    {"SLOTS", "slots", cell_text, TABLE_RIGHT | COLUMN_WIDE, NULL},
    {"AICORES", "aiCores", cell_text, TABLE_RIGHT | COLUMN_WIDE, NULL},
    {"AICPUS", "aiCpus", cell_text, TABLE_RIGHT | COLUMN_WIDE, NULL},
    {"WHOLE", "whole", cell_yes, COLUMN_WIDE, NULL},
    {"MODE", "mode", cell_text, COLUMN_WIDE, NULL},
    {"TEMPLATE", "template", cell_text, COLUMN_WIDE, NULL},
    {"MIG", "migGroup", cell_mig, COLUMN_WIDE, NULL},
    {"ORIGIN", "origin", cell_text, COLUMN_WIDE, NULL},
    {"EXPIRES", "expiresAt", cell_left, COLUMN_WIDE, NULL},
    {"ENDED", "releaseReason", cell_text, COLUMN_WIDE, NULL},
    {"UID", "podUid", cell_text, COLUMN_WIDE, NULL},
    END,
};

static const struct column locks[] = {
    {"NODE", "node", cell_text, 0, NULL},
    {"NAME", "name", cell_text, 0, NULL},
    {"HOLDER", "holder", cell_text, 0, NULL},
    {"AGE", "takenAt", cell_age, 0, NULL},
    {"LEFT", "expiresAt", cell_lock_left, 0, NULL},
    {"ORIGIN", "origin", cell_text, COLUMN_WIDE, NULL},
    {"TAKEN", "takenAt", cell_time, COLUMN_WIDE, NULL},
    {"EXPIRES", "expiresAt", cell_time, COLUMN_WIDE, NULL},
    {"ENDED", "releaseReason", cell_text, COLUMN_WIDE, NULL},
    END,
};

static const struct column downgrades[] = {
    {"POD", "pod", cell_text, 0, NULL},
    {"NODE", "node", cell_text, 0, NULL},
    {"ASKED", "templateAsked", cell_text, 0, NULL},
    {"GIVEN", "templateGiven", cell_text, 0, NULL},
    {"AGE", "openedAt", cell_age, 0, NULL},
    {"CLOSED", "closedAt", cell_age, COLUMN_WIDE, NULL},
    {"UID", "podUid", cell_text, COLUMN_WIDE, NULL},
    {"REASON", "reason", cell_text, TABLE_CUT, NULL},
    END,
};

static const struct column events[] = {
    {"SEQ", "seq", cell_text, TABLE_RIGHT, NULL},
    {"AT", "at", cell_time, 0, NULL},
    {"ACTOR", "actor", cell_text, 0, NULL},
    {"COMMAND", "command", cell_text, 0, NULL},
    {"KIND", "kind", cell_text, 0, NULL},
    {"NODE", "node", cell_text, 0, NULL},
    {"POD", "pod", cell_text, 0, NULL},
    {"DEVICE", "device", cell_text, COLUMN_WIDE, NULL},
    {"HASH", "hash", cell_digest, COLUMN_WIDE, NULL},
    {"DETAIL", "detail", cell_json, COLUMN_WIDE | TABLE_CUT, NULL},
    END,
};

static const struct column findings[] = {
    {"OBJECT", "object", cell_object, 0, NULL},   {"FINDING", "kind", cell_text, 0, NULL},
    {"KEY", "key", cell_text, 0, NULL},           {"POSITION", "position", cell_text, TABLE_RIGHT, NULL},
    {"AGE", "openedAt", cell_age, 0, NULL},       {"CLOSED", "closedAt", cell_age, COLUMN_WIDE, NULL},
    {"TEXT", "text", cell_text, TABLE_CUT, NULL}, END,
};

static const struct column conflicts[] = {
    {"NODE", "node", cell_text, 0, NULL},
    {"BACKEND", "backend", cell_text, 0, NULL},
    {"DEVICE", "device", cell_text, 0, NULL},
    {"CONFLICT", "kind", cell_text, 0, NULL},
    {"AMOUNT", "amount", cell_text, TABLE_RIGHT, NULL},
    {"POD", "pod", cell_text, 0, NULL},
    {"CONTAINER", "container", cell_text, COLUMN_WIDE, NULL},
    {"TEXT", "text", cell_text, TABLE_CUT, NULL},
    END,
};

static const struct column configs[] = {
    {"KIND", "kind", cell_text, 0, NULL},
    {"SHA256", "sha256", cell_digest, 0, NULL},
    {"IN-FORCE", "inForce", cell_yes, 0, NULL},
    {"AGE", "appliedAt", cell_age, 0, NULL},
    {"APPLIED", "appliedAt", cell_time, COLUMN_WIDE, NULL},
    END,
};

/* ---- Names ------------------------------------------------------------------------------ */

static void add_name(struct dvl_buffer *out, const char *before, const struct dvl_value *row, const char *field)
{
    const char *text = dvl_value_text(dvl_value_get(row, field));
    dvl_buffer_text(out, before);
    dvl_buffer_text(out, text ? text : "");
}

static void name_node(struct dvl_buffer *out, const struct dvl_value *row)
{
    add_name(out, "node/", row, "name");
}

static void name_device(struct dvl_buffer *out, const struct dvl_value *row)
{
    if (is_set(row, "uuid")) {
        add_name(out, "device/", row, "uuid");
        return;
    }
    add_name(out, "device/", row, "node");
    add_name(out, "/", row, "index");
}

static void name_pod(struct dvl_buffer *out, const struct dvl_value *row)
{
    add_name(out, "pod/", row, "namespace");
    add_name(out, "/", row, "name");
}

static void name_lock(struct dvl_buffer *out, const struct dvl_value *row)
{
    add_name(out, "lock/", row, "node");
    add_name(out, "/", row, "name");
}

static void name_event(struct dvl_buffer *out, const struct dvl_value *row)
{
    add_name(out, "event/", row, "seq");
}

static void name_config(struct dvl_buffer *out, const struct dvl_value *row)
{
    add_name(out, "config/", row, "kind");
}

static void name_fitting(struct dvl_buffer *out, const struct dvl_value *row)
{
    add_name(out, "node/", row, "node");
}

const struct view *view_of_kind(const char *kind)
{
    static const struct view views[] = {
        {"nodes", nodes, name_node},        {"devices", devices, name_device}, {"pods", pods, name_pod},
        {"allocations", allocations, NULL}, {"locks", locks, name_lock},       {"downgrades", downgrades, NULL},
        {"events", events, name_event},     {"findings", findings, NULL},      {"conflicts", conflicts, NULL},
        {"configs", configs, name_config},
    };
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strcmp(views[i].what, kind) == 0)
            return &views[i];
    return NULL;
}

/* ---- Parts of describe -------------------------------------------------------------------- */

enum { BAR = 20 };

void cell_bar(struct dvl_buffer *out, int64_t used, int64_t whole)
{
    static const char full[] = "####################", empty[] = "....................";
    if (whole <= 0)
        return;
    int percent = used >= whole ? (int)(used / whole >= 10 ? 999 : used * 100 / whole) : (int)(used * 100 / whole);
    int part = percent >= 100 ? BAR : percent * BAR / 100;
    part += part == 0 && used > 0; /* what is used shows */
    dvl_buffer_format(out, "[%.*s%.*s] %3d%%", part, full, BAR - part, empty, percent);
}

/* Of memory, or of cores where memory is not counted. */
static void cell_usage(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    (void)field;
    if (is_set(row, "memory"))
        cell_bar(out, number_of(row, "usedMemory"), number_of(row, "memory"));
    else
        cell_bar(out, number_of(row, "usedCores"), number_of(row, "cores"));
}

/* The number on its node; the name where the node has no such device. */
static void cell_index(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    cell_text(out, cli, row, is_set(row, field) ? field : "device");
}

static const struct column node_devices[] = {
    {"INDEX", "index", cell_text, TABLE_RIGHT, NULL},
    {"UUID", "uuid", cell_text, 0, NULL},
    {"USAGE", NULL, cell_usage, 0, color_memory},
    {"MEMORY", "memory", cell_memory, TABLE_RIGHT, NULL},
    {"CORES", "cores", cell_cores, TABLE_RIGHT, NULL},
    {"STATUS", "reason", cell_device_status, 0, color_device_status},
    {"TYPE", "type", cell_text, 0, NULL},
    END,
};

static const struct column node_slices[] = {
    {"POD", "pod", cell_text, 0, NULL},
    {"CONTAINER", "container", cell_text, 0, NULL},
    {"BACKEND", "backend", cell_text, 0, NULL},
    {"DEVICE", "index", cell_index, TABLE_RIGHT, NULL},
    {"MEMORY", "memory", cell_text, TABLE_RIGHT, NULL},
    {"CORES", "cores", cell_text, TABLE_RIGHT, NULL},
    {"STATE", "state", cell_text, 0, color_state},
    {"AGE", "allocatedAt", cell_age, 0, NULL},
    END,
};

static const struct column device_slices[] = {
    {"POD", "pod", cell_text, 0, NULL},
    {"CONTAINER", "container", cell_text, 0, NULL},
    {"MEMORY", "memory", cell_text, TABLE_RIGHT, NULL},
    {"CORES", "cores", cell_text, TABLE_RIGHT, NULL},
    {"TEMPLATE", "template", cell_text, 0, NULL},
    {"MIG", "migGroup", cell_mig, 0, NULL},
    {"STATE", "state", cell_text, 0, color_state},
    {"AGE", "allocatedAt", cell_age, 0, NULL},
    END,
};

static const struct column pod_slices[] = {
    {"CONTAINER", "container", cell_text, 0, NULL},
    {"NODE", "node", cell_text, 0, NULL},
    {"BACKEND", "backend", cell_text, 0, NULL},
    {"INDEX", "index", cell_text, TABLE_RIGHT, NULL},
    {"DEVICE", "device", cell_text, 0, NULL},
    {"MEMORY", "memory", cell_text, TABLE_RIGHT, NULL},
    {"CORES", "cores", cell_text, TABLE_RIGHT, NULL},
    {"TEMPLATE", "template", cell_text, 0, NULL},
    {"MIG", "migGroup", cell_mig, 0, NULL},
    {"STATE", "state", cell_text, 0, color_state},
    {"AGE", "allocatedAt", cell_age, 0, NULL},
    {"EXPIRES", "expiresAt", cell_left, 0, NULL},
    END,
};

static const struct column requests[] = {
    {"CONTAINER", "container", cell_text, 0, NULL},
    {"BACKEND", "backend", cell_text, 0, NULL},
    {"COUNT", "count", cell_text, TABLE_RIGHT, NULL},
    {"MEMORY", "memory", cell_text, TABLE_RIGHT, NULL},
    {"PERCENT", "memoryPercent", cell_text, TABLE_RIGHT, NULL},
    {"CORES", "cores", cell_text, TABLE_RIGHT, NULL},
    {"TEMPLATE", "template", cell_text, 0, NULL},
    END,
};

static const struct column explanation[] = {
    {"NODE", "node", cell_text, 0, NULL},
    {"DEVICE", "device", cell_text, 0, NULL},
    {"CODE", "code", cell_text, TABLE_RIGHT, NULL},
    {"BACKEND", "backend", cell_text, 0, NULL},
    {"REASON", "reason", cell_text, 0, NULL},
    {"AGE", "at", cell_age, 0, NULL},
    {"MESSAGE", "message", cell_text, TABLE_CUT, NULL},
    END,
};

static const struct column locks_held[] = {
    {"NODE", "node", cell_text, 0, NULL},
    {"NAME", "name", cell_text, 0, NULL},
    {"AGE", "takenAt", cell_age, 0, NULL},
    {"LEFT", "expiresAt", cell_left, 0, NULL},
    END,
};

static const struct column own_findings[] = {
    {"FINDING", "kind", cell_text, 0, NULL},
    {"KEY", "key", cell_text, 0, NULL},
    {"POSITION", "position", cell_text, TABLE_RIGHT, NULL},
    {"AGE", "openedAt", cell_age, 0, NULL},
    {"TEXT", "text", cell_text, TABLE_CUT, NULL},
    END,
};

const struct view view_node_devices = {"devices", node_devices, NULL};
const struct view view_node_slices = {"slices", node_slices, NULL};
const struct view view_device_slices = {"slices", device_slices, NULL};
const struct view view_pod_slices = {"slices", pod_slices, NULL};
const struct view view_requests = {"requests", requests, NULL};
const struct view view_explanation = {"explanations", explanation, NULL};
const struct view view_locks_held = {"locks", locks_held, NULL};
const struct view view_own_findings = {"findings", own_findings, NULL};

/* ---- Decisions -------------------------------------------------------------------------- */

static const struct column verdicts[] = {
    {"NODE", "node", cell_text, 0, NULL},
    {"FITS", "code", cell_fits, 0, color_fits},
    {"CODE", "code", cell_text, TABLE_RIGHT, NULL},
    {"BACKEND", "backend", cell_text, 0, NULL},
    {"REASON", "reason", cell_text, 0, NULL},
    {"MESSAGE", "message", cell_text, TABLE_CUT, NULL},
    END,
};

static const struct column device_verdicts[] = {
    {"NODE", "node", cell_text, 0, NULL},
    {"INDEX", "index", cell_text, TABLE_RIGHT, NULL},
    {"UUID", "uuid", cell_text, 0, NULL},
    {"REASON", "reason", cell_reason, 0, NULL},
    {"MESSAGE", "message", cell_text, TABLE_CUT, NULL},
    END,
};

static const struct column scores[] = {
    {"NODE", "node", cell_text, 0, NULL},
    {"DEVICE-SCORE", "deviceScore", cell_text, TABLE_RIGHT, NULL},
    {"SCORE", "score", cell_text, TABLE_RIGHT, NULL},
    {"BATCH-SCORE", "batchScore", cell_text, TABLE_RIGHT, NULL},
    {"TOTAL", "total", cell_text, TABLE_RIGHT, NULL},
    END,
};

static const struct column slices[] = {
    {"CONTAINER", "container", cell_text, 0, NULL},
    {"BACKEND", "backend", cell_text, 0, NULL},
    {"DEVICE", "device", cell_text, 0, NULL},
    {"INDEX", "index", cell_text, TABLE_RIGHT, NULL},
    {"MEMORY", "memory", cell_text, TABLE_RIGHT, NULL},
    {"CORES", "cores", cell_text, TABLE_RIGHT, NULL},
    {"TEMPLATE", "template", cell_text, 0, NULL},
    {"MIG", "migGroup", cell_mig, 0, NULL},
    END,
};

const struct view view_verdicts = {"verdicts", verdicts, name_fitting};
const struct view view_device_verdicts = {"device verdicts", device_verdicts, NULL};
const struct view view_scores = {"scores", scores, name_fitting};
const struct view view_slices = {"slices", slices, NULL};
