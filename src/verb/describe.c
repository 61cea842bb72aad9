/* `describe`: everything about one node, device or pod in one answer. The rows
 * are those of `get`, read in one snapshot and put beside each other. */
#include "get.h"
#include "verbs.h"

#include <string.h>

enum { LAST_EVENTS = 10 };

static enum dvl_status add(struct dvl_call *call, const char *name, struct dvl_value *value)
{
    return dvl_value_set(call->answer, name, value) ? DVL_OK : dvl_error_memory(call->error);
}

/* Rows of a kind of `get`, under a name of the answer. */
static enum dvl_status add_list(struct dvl_call *call, const char *name, enum dvl_get_id id,
                                const struct dvl_get_filter *filter)
{
    struct dvl_value *list = NULL;
    enum dvl_status status = dvl_get_list(call, id, filter, &list);
    return status ? status : add(call, name, list);
}

static enum dvl_status add_events(struct dvl_call *call, const struct dvl_get_filter *filter)
{
    struct dvl_get_filter last = *filter;
    enum dvl_status status = dvl_get_tail(call, LAST_EVENTS, &last);
    return status ? status : add_list(call, "events", DVL_GET_EVENTS, &last);
}

/* All rows of a statement that takes what is bound by now. */
static enum dvl_status take_list(struct dvl_call *call, struct dvl_statement *statement, struct dvl_value **out)
{
    struct dvl_rows rows;
    *out = dvl_value_list(call->arena);
    dvl_rows_into(call, *out, &rows);
    enum dvl_status status = *out ? dvl_rows_take(&rows, statement) : dvl_error_memory(call->error);
    dvl_statement_done(statement);
    return status;
}

/* The one row of a kind; `what` and `name` are for the message. */
static enum dvl_status take_one(struct dvl_call *call, enum dvl_get_id id, const struct dvl_get_filter *filter,
                                const char *name, struct dvl_value **out)
{
    struct dvl_value *list = NULL;
    const char *what = id == DVL_GET_NODES ? "node" : id == DVL_GET_DEVICES ? "device" : "pod";
    enum dvl_status status = dvl_get_list(call, id, filter, &list);
    if (status)
        return status;
    if (!list->first)
        return dvl_error_set(call->error, DVL_NOT_FOUND, "there is no %s \"%s\"", what, name);
    *out = list->first;
    const struct dvl_value *second = list->first->next;
    if (second && dvl_value_kind(dvl_value_find(second, "deletedAt")) == DVL_VALUE_NULL)
        return dvl_error_set(call->error, DVL_CONFLICT, "there are two pods \"%s\": name one as namespace/name/uid",
                             name);
    list->first->next = NULL;
    return add(call, what, list->first);
}

/* ---- node --------------------------------------------------------------------------- */

static struct dvl_value *block_of(struct dvl_call *call, struct dvl_value *blocks, const char *backend)
{
    for (struct dvl_value *block = blocks->first; block; block = block->next)
        if (dvl_text_same(dvl_value_find_text(block, "backend"), backend))
            return block;
    /* Devices of a backend that the configuration has no more. */
    struct dvl_value *block = dvl_value_add(blocks, dvl_value_map(call->arena));
    dvl_value_set(block, "backend", dvl_value_string(call->arena, backend));
    dvl_value_set(block, "schedulable", dvl_value_bool(call->arena, false));
    return block;
}

static enum dvl_status complete_block(struct dvl_call *call, struct dvl_value *block)
{
    const struct dvl_backend *backend =
        dvl_backends_find(&call->ledger->backends, dvl_value_find_text(block, "backend"));
    struct dvl_value *list = dvl_value_list(call->arena);
    dvl_value_set(block, "upstreamName", dvl_value_string(call->arena, backend ? backend->upstream_name : NULL));
    dvl_value_set(block, "enabled", dvl_value_bool(call->arena, backend && backend->enabled));
    dvl_value_set(block, "lockName", dvl_value_string(call->arena, backend ? backend->lock_name : NULL));
    return dvl_value_set(block, "devices", list) ? DVL_OK : dvl_error_memory(call->error);
}

static struct dvl_value *devices_of(struct dvl_value *block)
{
    for (struct dvl_value *child = block ? block->first : NULL; child; child = child->next)
        if (strcmp(child->key, "devices") == 0)
            return child;
    return NULL;
}

/* One block for each backend that the node has, with its devices. */
static enum dvl_status add_backends(struct dvl_call *call, const struct dvl_get_filter *filter)
{
    struct dvl_statement *statement = NULL;
    struct dvl_value *blocks = NULL, *devices = NULL;
    enum dvl_status status = dvl_statement_take(call->store, DVL_QUERY_DESCRIBE_NODE_BACKENDS, &statement, call->error);
    if (status)
        return status;
    dvl_bind_text(statement, "node", filter->node);
    dvl_bind_text(statement, "backends", filter->backends);
    status = take_list(call, statement, &blocks);
    if (!status)
        status = dvl_get_list(call, DVL_GET_DEVICES, filter, &devices);
    if (status)
        return status;
    for (struct dvl_value *block = blocks->first; block && !status; block = block->next)
        status = complete_block(call, block);
    for (struct dvl_value *device = devices->first, *next; device && !status; device = next) {
        next = device->next;
        device->next = NULL;
        struct dvl_value *block = block_of(call, blocks, dvl_value_find_text(device, "backend"));
        if (!devices_of(block))
            status = block ? complete_block(call, block) : dvl_error_memory(call->error);
        dvl_value_add(devices_of(block), device);
    }
    return status ? status : add(call, "backends", blocks);
}

static enum dvl_status describe_node(struct dvl_call *call, const char *name, struct dvl_get_filter *filter)
{
    struct dvl_value *node;
    filter->name = name;
    enum dvl_status status = take_one(call, DVL_GET_NODES, filter, name, &node);
    filter->name = NULL;
    filter->node = name;
    filter->object_kind = "Node";
    filter->object = name;
    if (!status)
        status = add_backends(call, filter);
    if (!status)
        status = add_list(call, "slices", DVL_GET_ALLOCATIONS, filter);
    if (!status)
        status = add_list(call, "locks", DVL_GET_LOCKS, filter);
    if (!status)
        status = add_list(call, "downgrades", DVL_GET_DOWNGRADES, filter);
    if (!status)
        status = add_list(call, "conflicts", DVL_GET_CONFLICTS, filter);
    if (!status)
        status = add_list(call, "findings", DVL_GET_FINDINGS, filter);
    return status ? status : add_events(call, filter);
}

/* ---- device ------------------------------------------------------------------------- */

static enum dvl_status describe_device(struct dvl_call *call, const char *name, struct dvl_get_filter *filter)
{
    struct dvl_value *device = NULL;
    enum dvl_status status = dvl_get_device(call, name, filter);
    if (!status)
        status = take_one(call, DVL_GET_DEVICES, filter, name, &device);
    if (!status)
        status = add_list(call, "slices", DVL_GET_ALLOCATIONS, filter);
    filter->device = 0;
    filter->node = dvl_value_find_text(device, "node");
    if (!status)
        status = add_list(call, "locks", DVL_GET_LOCKS, filter);
    return status ? status : add_events(call, filter);
}

/* ---- pod ---------------------------------------------------------------------------- */

static enum dvl_status add_by_uid(struct dvl_call *call, const char *name, enum dvl_query query, const char *uid)
{
    struct dvl_statement *statement = NULL;
    struct dvl_value *list = NULL;
    enum dvl_status status = dvl_statement_take(call->store, query, &statement, call->error);
    if (status)
        return status;
    dvl_bind_text(statement, "pod_uid", uid);
    status = take_list(call, statement, &list);
    return status ? status : add(call, name, list);
}

static enum dvl_status add_locks_held(struct dvl_call *call, const struct dvl_get_filter *filter)
{
    struct dvl_statement *statement = NULL;
    struct dvl_value *list = NULL;
    enum dvl_status status = dvl_statement_take(call->store, DVL_QUERY_DESCRIBE_LOCKS_HELD, &statement, call->error);
    if (status)
        return status;
    dvl_bind_text(statement, "pod", filter->pod);
    dvl_bind_text(statement, "pod_uid", filter->pod_uid);
    status = take_list(call, statement, &list);
    return status ? status : add(call, "locks", list);
}

static enum dvl_status describe_pod(struct dvl_call *call, const char *name, struct dvl_get_filter *filter)
{
    struct dvl_value *pod = NULL;
    const char *namespace_ = NULL;
    enum dvl_status status = dvl_request_text(call, "namespace", &namespace_);
    if (!status)
        status = dvl_get_pod_name(call, name, namespace_ ? namespace_ : "default", filter);
    if (!status)
        status = take_one(call, DVL_GET_PODS, filter, name, &pod);
    if (status)
        return status;
    filter->pod_uid = dvl_value_find_text(pod, "uid");
    filter->object_kind = "Pod";
    filter->object = filter->pod;
    status = add_by_uid(call, "requests", DVL_QUERY_DESCRIBE_REQUESTS, filter->pod_uid);
    if (!status)
        status = add_list(call, "slices", DVL_GET_ALLOCATIONS, filter);
    if (!status)
        status = add_by_uid(call, "explanation", DVL_QUERY_DESCRIBE_EXPLANATION, filter->pod_uid);
    if (!status)
        status = add_list(call, "downgrades", DVL_GET_DOWNGRADES, filter);
    if (!status)
        status = add_list(call, "conflicts", DVL_GET_CONFLICTS, filter);
    if (!status)
        status = add_locks_held(call, filter);
    if (!status)
        status = add_list(call, "findings", DVL_GET_FINDINGS, filter);
    return status ? status : add_events(call, filter);
}

enum dvl_status dvl_verb_describe(struct dvl_call *call)
{
    const char *kind = NULL, *name = NULL, *backend = NULL;
    struct dvl_get_filter filter;
    enum dvl_status status = dvl_get_filter_init(call, &filter);
    if (!status)
        status = dvl_request_text(call, "kind", &kind);
    if (!status)
        status = dvl_request_text(call, "name", &name);
    if (!status)
        status = dvl_request_text(call, "backend", &backend);
    if (!status)
        status = dvl_request_bool(call, "all", false, &filter.all);
    if (!status && backend)
        status = dvl_get_backend(call, backend, &filter.backend);
    if (status)
        return status;
    const struct dvl_get_kind *found = kind ? dvl_get_kind_find(kind) : NULL;
    if (found && name && found->id == DVL_GET_NODES)
        return describe_node(call, name, &filter);
    if (found && name && found->id == DVL_GET_DEVICES)
        return describe_device(call, name, &filter);
    if (found && name && found->id == DVL_GET_PODS)
        return describe_pod(call, name, &filter);
    return dvl_error_set(call->error, DVL_BAD_INPUT,
                         "describe needs a \"kind\" of node, device or pod, and a \"name\"");
}
