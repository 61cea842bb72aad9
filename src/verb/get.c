/* `get`: rows of one kind, as they are. The list of kinds says for each which
 * statement reads it, what may narrow it, and which fields its rows have. */
#include "get.h"

#include "../render/json.h"
#include "verbs.h"

#include <string.h>

static const char *const node_fields[] = {
    "name",   "backends",    "devices",  "healthyDevices", "memory",    "usedMemory", "pods",
    "labels", "annotations", "capacity", "allocatable",    "updatedAt", "removedAt",  NULL};
static const char *const device_fields[] = {
    "node",       "index",     "backend",   "uuid",        "type",       "mode",        "memory",
    "cores",      "slots",     "aiCores",   "aiCpus",      "healthy",    "schedulable", "reason",
    "usedMemory", "usedCores", "usedSlots", "usedAiCores", "usedAiCpus", "freeMemory",  "freeCores",
    "freeSlots",  "numa",      "networkId", "updatedAt",   "removedAt",  NULL};
static const char *const pod_fields[] = {"namespace",   "name",       "uid",       "phase",         "state",
                                         "node",        "devices",    "queue",     "podGroup",      "labels",
                                         "annotations", "containers", "createdAt", "terminatingAt", "updatedAt",
                                         "deletedAt",   NULL};
static const char *const allocation_fields[] = {
    "pod",    "podUid",        "container", "node",     "backend",     "device",        "index",
    "memory", "memoryAsked",   "cores",     "slots",    "aiCores",     "aiCpus",        "whole",
    "mode",   "templateAsked", "template",  "migGroup", "migPosition", "ordinal",       "origin",
    "state",  "allocatedAt",   "expiresAt", "boundAt",  "releasedAt",  "releaseReason", NULL};
static const char *const lock_fields[] = {"node",      "name",    "holder",     "origin",        "takenAt",
                                          "expiresAt", "expired", "releasedAt", "releaseReason", NULL};
static const char *const downgrade_fields[] = {
    "pod", "podUid", "node", "templateAsked", "templateGiven", "reason", "openedAt", "closedAt", NULL};
static const char *const event_fields[] = {"seq", "at",     "actor",  "command",  "kind", "node",
                                           "pod", "device", "detail", "prevHash", "hash", NULL};
static const char *const finding_fields[] = {"kind", "objectKind", "object",   "key", "position",
                                             "text", "openedAt",   "closedAt", NULL};
static const char *const conflict_fields[] = {"kind",      "node",   "backend", "device", "pod",
                                              "container", "amount", "text",    NULL};
static const char *const config_fields[] = {"kind", "sha256", "appliedAt", "inForce", "text", NULL};

static const struct dvl_get_kind kinds[] = {
    {DVL_GET_NODES, "nodes", "node", DVL_QUERY_GET_NODES, "name backend all now", "name node backend selector",
     node_fields},
    {DVL_GET_DEVICES, "devices", "device", DVL_QUERY_GET_DEVICES, "node device backend all now backends",
     "name node backend selector", device_fields},
    {DVL_GET_PODS, "pods", "pod", DVL_QUERY_GET_PODS, "namespace pod_namespace pod_name pod_uid node backend all now",
     "name namespace node backend selector", pod_fields},
    {DVL_GET_ALLOCATIONS, "allocations", "allocation", DVL_QUERY_GET_ALLOCATIONS,
     "node device pod_namespace pod_name pod_uid namespace backend all now", "node backend namespace pod selector",
     allocation_fields},
    {DVL_GET_LOCKS, "locks", "lock", DVL_QUERY_GET_LOCKS, "node name all now", "name node", lock_fields},
    {DVL_GET_DOWNGRADES, "downgrades", "downgrade", DVL_QUERY_GET_DOWNGRADES,
     "node namespace pod_namespace pod_name pod_uid all", "node namespace pod", downgrade_fields},
    {DVL_GET_EVENTS, "events", "event", DVL_QUERY_GET_EVENTS, "seq after since until node pod namespace",
     "name node namespace pod", event_fields},
    {DVL_GET_FINDINGS, "findings", "finding", DVL_QUERY_GET_FINDINGS, "object_kind object namespace all",
     "node namespace pod", finding_fields},
    {DVL_GET_CONFLICTS, "conflicts", "conflict", DVL_QUERY_GET_CONFLICTS, "node backend namespace pod",
     "node backend namespace pod", conflict_fields},
    {DVL_GET_CONFIGS, "configs", "config", DVL_QUERY_GET_CONFIGS, "name all", "name", config_fields},
};

/* ---- The list of kinds ------------------------------------------------------------ */

const struct dvl_get_kind *dvl_get_kind_at(size_t position)
{
    return position < sizeof kinds / sizeof *kinds ? &kinds[position] : NULL;
}

const struct dvl_get_kind *dvl_get_kind_find(const char *name)
{
    const struct dvl_get_kind *kind;
    for (size_t i = 0; (kind = dvl_get_kind_at(i)); i++)
        if (strcmp(kind->name, name) == 0 || strcmp(kind->singular, name) == 0)
            return kind;
    return NULL;
}

static bool has_word(const char *words, const char *word)
{
    struct dvl_span rest = dvl_span_of(words), part;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ' ', &part))
        if (dvl_span_is(part, word))
            return true;
    return false;
}

/* ---- Statements ------------------------------------------------------------------- */

enum parameter_type { TEXT, ID, NUMBER, TIME, TRUTH };

static const struct parameter {
    const char *name;
    size_t offset;
    enum parameter_type type;
} parameters[] = {
    {"name", offsetof(struct dvl_get_filter, name), TEXT},
    {"node", offsetof(struct dvl_get_filter, node), TEXT},
    {"backend", offsetof(struct dvl_get_filter, backend), TEXT},
    {"namespace", offsetof(struct dvl_get_filter, namespace_), TEXT},
    {"pod_namespace", offsetof(struct dvl_get_filter, pod_namespace), TEXT},
    {"pod_name", offsetof(struct dvl_get_filter, pod_name), TEXT},
    {"pod_uid", offsetof(struct dvl_get_filter, pod_uid), TEXT},
    {"pod", offsetof(struct dvl_get_filter, pod), TEXT},
    {"object_kind", offsetof(struct dvl_get_filter, object_kind), TEXT},
    {"object", offsetof(struct dvl_get_filter, object), TEXT},
    {"backends", offsetof(struct dvl_get_filter, backends), TEXT},
    {"device", offsetof(struct dvl_get_filter, device), ID},
    {"seq", offsetof(struct dvl_get_filter, seq), ID},
    {"after", offsetof(struct dvl_get_filter, after), NUMBER},
    {"since", offsetof(struct dvl_get_filter, since), TIME},
    {"until", offsetof(struct dvl_get_filter, until), TIME},
    {"all", offsetof(struct dvl_get_filter, all), TRUTH},
    {"now", offsetof(struct dvl_get_filter, now), NUMBER},
};

static void bind(struct dvl_statement *statement, const struct parameter *parameter,
                 const struct dvl_get_filter *filter)
{
    const char *at = (const char *)filter + parameter->offset;
    int64_t number = 0;
    const char *text = NULL;
    bool truth = false;
    switch (parameter->type) {
    case TEXT:
        memcpy(&text, at, sizeof text);
        dvl_bind_text(statement, parameter->name, text);
        break;
    case ID:
        memcpy(&number, at, sizeof number);
        dvl_bind_int_or_null(statement, parameter->name, number ? number : DVL_UNSET);
        break;
    case NUMBER:
        memcpy(&number, at, sizeof number);
        dvl_bind_int(statement, parameter->name, number);
        break;
    case TIME:
        memcpy(&number, at, sizeof number);
        dvl_bind_int_or_null(statement, parameter->name, number);
        break;
    case TRUTH:
        memcpy(&truth, at, sizeof truth);
        dvl_bind_int(statement, parameter->name, truth);
        break;
    }
}

enum dvl_status dvl_get_take(const struct dvl_get_kind *kind, const struct dvl_get_filter *filter,
                             struct dvl_rows *rows)
{
    struct dvl_statement *statement = NULL;
    enum dvl_status status = dvl_statement_take(rows->call->store, kind->query, &statement, rows->call->error);
    if (status)
        return status;
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        if (has_word(kind->parameters, parameters[i].name))
            bind(statement, &parameters[i], filter);
    return dvl_rows_take(rows, statement);
}

enum dvl_status dvl_get_list(struct dvl_call *call, enum dvl_get_id id, const struct dvl_get_filter *filter,
                             struct dvl_value **out)
{
    struct dvl_rows rows;
    const struct dvl_get_kind *kind = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].id == id)
            kind = &kinds[i];
    *out = dvl_value_list(call->arena);
    if (!*out || !kind)
        return dvl_error_memory(call->error);
    dvl_rows_into(call, *out, &rows);
    return dvl_get_take(kind, filter, &rows);
}

/* ---- Filters ---------------------------------------------------------------------- */

enum dvl_status dvl_get_filter_init(struct dvl_call *call, struct dvl_get_filter *filter)
{
    *filter = (struct dvl_get_filter){.since = DVL_UNSET, .until = DVL_UNSET, .now = call->clock};
    enum dvl_status status = dvl_ledger_config(call->ledger, call->error);
    if (status)
        return status;
    struct dvl_value *names = dvl_value_list(call->arena);
    for (size_t i = 0; i < call->ledger->backends.count; i++)
        dvl_value_add(names, dvl_value_string(call->arena, call->ledger->backends.items[i].name));
    struct dvl_buffer json;
    dvl_buffer_init(&json);
    dvl_json_write(&json, names);
    filter->backends = json.failed ? NULL : dvl_arena_text(call->arena, json.text);
    dvl_buffer_clear(&json);
    return filter->backends ? DVL_OK : dvl_error_memory(call->error);
}

/* ---- The verb --------------------------------------------------------------------- */

static enum dvl_status read_name(struct dvl_call *call, const struct dvl_get_kind *kind, const char *name,
                                 struct dvl_get_filter *filter)
{
    const char *slash = strchr(name, '/');
    switch (kind->id) {
    case DVL_GET_DEVICES:
        return dvl_get_device(call, name, filter);
    case DVL_GET_PODS:
        return dvl_get_pod_name(call, name, filter->namespace_ ? filter->namespace_ : "default", filter);
    case DVL_GET_LOCKS:
        filter->node = slash ? dvl_arena_bytes(call->arena, name, (size_t)(slash - name)) : name;
        filter->name = slash ? slash + 1 : NULL;
        return filter->node ? DVL_OK : dvl_error_memory(call->error);
    case DVL_GET_EVENTS:
        if (!dvl_text_int64(dvl_span_of(name), &filter->seq) || filter->seq < 1)
            return dvl_error_set(call->error, DVL_BAD_INPUT, "an event is named by its number, not \"%s\"", name);
        return DVL_OK;
    case DVL_GET_NODES:
    case DVL_GET_CONFIGS:
        filter->name = name;
        return DVL_OK;
    case DVL_GET_ALLOCATIONS:
    case DVL_GET_DOWNGRADES:
    case DVL_GET_FINDINGS:
    case DVL_GET_CONFLICTS:
        break;
    }
    return DVL_OK;
}

bool dvl_get_kind_takes(const struct dvl_get_kind *kind, const char *member)
{
    return has_word(kind->filters, member);
}

static enum dvl_status check_members(struct dvl_call *call, const struct dvl_get_kind *kind)
{
    static const char *const narrowing[] = {"name", "node", "namespace", "backend", "pod", "selector"};
    for (size_t i = 0; i < sizeof narrowing / sizeof *narrowing; i++) {
        const struct dvl_value *value = dvl_value_find(call->request, narrowing[i]);
        if (value && value->kind != DVL_VALUE_NULL && !dvl_get_kind_takes(kind, narrowing[i]))
            return dvl_error_set(call->error, DVL_BAD_INPUT, "%s cannot be narrowed by %s, only by %s", kind->name,
                                 narrowing[i], kind->filters);
    }
    return DVL_OK;
}

/* Findings are known by the object that they are about; a node is on itself. */
static void point_at_object(const struct dvl_get_kind *kind, struct dvl_get_filter *filter)
{
    if (kind->id == DVL_GET_NODES && filter->node && !filter->name)
        filter->name = filter->node;
    if (kind->id != DVL_GET_FINDINGS)
        return;
    filter->object = filter->node ? filter->node : filter->pod;
    filter->object_kind = filter->node ? "Node" : "Pod";
}

static enum dvl_status read_filter(struct dvl_call *call, const struct dvl_get_kind *kind, const char **name,
                                   struct dvl_get_filter *filter)
{
    const char *node = NULL, *backend = NULL, *pod = NULL;
    enum dvl_status status = check_members(call, kind);
    if (!status)
        status = dvl_get_filter_init(call, filter);
    if (!status)
        status = dvl_request_bool(call, "all", false, &filter->all);
    if (!status)
        status = dvl_request_text(call, "namespace", &filter->namespace_);
    if (!status)
        status = dvl_request_text(call, "node", &node);
    if (!status && node)
        status = dvl_get_check_node(call, filter, node);
    filter->node = node;
    if (!status)
        status = dvl_request_text(call, "backend", &backend);
    if (!status && backend)
        status = dvl_get_backend(call, backend, &filter->backend);
    if (!status)
        status = dvl_request_text(call, "pod", &pod);
    if (!status && pod)
        status = dvl_get_pod_name(call, pod, filter->namespace_ ? filter->namespace_ : "default", filter);
    if (!status)
        status = dvl_request_text(call, "name", name);
    if (!status && *name)
        status = read_name(call, kind, *name, filter);
    if (!status)
        point_at_object(kind, filter);
    return status;
}

/* With a name exactly one row is wanted; of pods of one name, the one that is there. */
static enum dvl_status hand_one(struct dvl_call *call, const struct dvl_get_kind *kind, const char *name,
                                struct dvl_value *list, struct dvl_rows *rows)
{
    const struct dvl_value *second = list->first ? list->first->next : NULL;
    const char *ended = kind->id == DVL_GET_PODS ? "deletedAt" : kind->id == DVL_GET_LOCKS ? "releasedAt" : NULL;
    if (!list->first)
        return dvl_error_set(call->error, DVL_NOT_FOUND, "there is no %s \"%s\"", kind->singular, name);
    if (second && ended && dvl_value_kind(dvl_value_find(second, ended)) == DVL_VALUE_NULL) {
        if (kind->id == DVL_GET_LOCKS)
            return dvl_error_set(call->error, DVL_CONFLICT, "the node \"%s\" has several locks: name one as node/lock",
                                 name);
        return dvl_error_set(call->error, DVL_CONFLICT,
                             "there are two pods \"%s\": name one as namespace/name/uid, with uid %s or %s", name,
                             dvl_value_find_text(list->first, "uid"), dvl_value_find_text(second, "uid"));
    }
    struct dvl_value *row = list->first;
    row->next = NULL;
    return dvl_rows_hand(rows, row);
}

enum dvl_status dvl_verb_get(struct dvl_call *call)
{
    const char *word = NULL, *name = NULL;
    struct dvl_get_filter filter;
    struct dvl_rows rows;
    enum dvl_status status = dvl_request_text(call, "kind", &word);
    if (status)
        return status;
    const struct dvl_get_kind *kind = word ? dvl_get_kind_find(word) : NULL;
    if (!kind)
        return dvl_error_set(call->error, DVL_BAD_INPUT,
                             "\"kind\" must be one of nodes, devices, pods, allocations, "
                             "locks, downgrades, events, findings, conflicts, configs");
    status = read_filter(call, kind, &name, &filter);
    if (status)
        return status;
    status = dvl_rows_begin(call, kind->fields, &rows);
    if (!status && name) {
        struct dvl_value *list = NULL;
        status = dvl_get_list(call, kind->id, &filter, &list);
        if (!status)
            status = hand_one(call, kind, name, list, &rows);
    } else if (!status) {
        status = dvl_get_take(kind, &filter, &rows);
    }
    return dvl_rows_end(&rows, status);
}
