/* Names → rows: how pods, nodes, backends and devices may be named wherever a
 * request names one. A name that may mean two things is a conflict that lists
 * them, never a guess. */
#include "get.h"

#include <string.h>

enum dvl_status dvl_get_pod_name(struct dvl_call *call, const char *text, const char *otherwise,
                                 struct dvl_get_filter *filter)
{
    const char *slash = strchr(text, '/');
    const char *second = slash ? strchr(slash + 1, '/') : NULL;
    const char *name = slash ? slash + 1 : text;
    size_t length = second ? (size_t)(second - name) : strlen(name);
    if (length == 0 || slash == text || (second && second[1] == '\0'))
        return dvl_error_set(call->error, DVL_BAD_INPUT,
                             "\"%s\" names no pod: namespace/name or namespace/name/uid is wanted", text);
    filter->pod_namespace = slash ? dvl_arena_bytes(call->arena, text, (size_t)(slash - text)) : otherwise;
    filter->pod_name = dvl_arena_bytes(call->arena, name, length);
    filter->pod_uid = second ? dvl_arena_text(call->arena, second + 1) : NULL;
    if (!filter->pod_namespace || !filter->pod_name || (second && !filter->pod_uid))
        return dvl_error_memory(call->error);
    filter->pod = dvl_arena_format(call->arena, "%s/%s", filter->pod_namespace, filter->pod_name);
    return filter->pod ? DVL_OK : dvl_error_memory(call->error);
}

enum dvl_status dvl_get_check_node(struct dvl_call *call, const struct dvl_get_filter *filter, const char *name)
{
    struct dvl_statement *statement = NULL;
    bool found = false, removed = false;
    enum dvl_status status = dvl_statement_take(call->store, DVL_QUERY_GET_NODE_ID, &statement, call->error);
    if (status)
        return status;
    dvl_bind_text(statement, "name", name);
    status = dvl_statement_step(statement, &found, call->error);
    if (!status && found)
        removed = !dvl_column_is_null(statement, "removed_at");
    dvl_statement_done(statement);
    if (status)
        return status;
    if (!found)
        return dvl_error_set(call->error, DVL_NOT_FOUND, "there is no node \"%s\"", name);
    if (removed && !filter->all)
        return dvl_error_set(call->error, DVL_NOT_FOUND, "the node \"%s\" is retired", name);
    return DVL_OK;
}

enum dvl_status dvl_get_backend(struct dvl_call *call, const char *name, const char **out)
{
    struct dvl_statement *statement = NULL;
    const struct dvl_backend *backend = dvl_backends_find(&call->ledger->backends, name);
    bool row = false, known = false;
    *out = backend ? backend->name : name;
    if (backend)
        return DVL_OK;
    enum dvl_status status = dvl_statement_take(call->store, DVL_QUERY_GET_BACKEND_KNOWN, &statement, call->error);
    if (status)
        return status;
    dvl_bind_text(statement, "backend", name);
    status = dvl_statement_step(statement, &row, call->error);
    known = !status && row && dvl_column_int(statement, "known") != 0;
    dvl_statement_done(statement);
    if (status || known)
        return status;
    struct dvl_buffer names;
    dvl_buffer_init(&names);
    for (size_t i = 0; i < call->ledger->backends.count; i++)
        dvl_buffer_format(&names, "%s%s", i ? ", " : "", call->ledger->backends.items[i].name);
    status = dvl_error_set(call->error, DVL_NOT_FOUND, "there is no backend \"%s\": there are %s", name, names.text);
    dvl_buffer_clear(&names);
    return status;
}

/* Rows of device-named or device-at: the first is the one, unless the second
 * has as good a claim. */
static enum dvl_status choose_device(struct dvl_call *call, struct dvl_statement *statement, const char *name,
                                     bool by_number, struct dvl_get_filter *filter)
{
    struct dvl_buffer found;
    dvl_buffer_init(&found);
    bool row = false, exact = false;
    size_t count = 0;
    enum dvl_status status = dvl_statement_step(statement, &row, call->error);
    for (; !status && row; status = dvl_statement_step(statement, &row, call->error)) {
        const char *uuid = dvl_column_text(statement, "uuid");
        bool same = !by_number && dvl_text_same(uuid, name);
        if (exact && !same)
            continue;
        exact = exact || same;
        if (count++ == 0)
            filter->device = dvl_column_int(statement, "id");
        dvl_buffer_format(&found, "%s%s (%s, %s)", count > 1 ? ", " : "", uuid ? uuid : name,
                          dvl_column_text(statement, "node"), dvl_column_text(statement, "backend"));
    }
    dvl_statement_done(statement);
    if (!status && count > 1)
        status = dvl_error_set(call->error, DVL_CONFLICT, "\"%s\" may mean %s", name, found.text);
    dvl_buffer_clear(&found);
    return status;
}

static enum dvl_status device_by_uuid(struct dvl_call *call, const char *name, struct dvl_get_filter *filter)
{
    struct dvl_statement *statement = NULL;
    enum dvl_status status = dvl_statement_take(call->store, DVL_QUERY_GET_DEVICE_NAMED, &statement, call->error);
    if (status)
        return status;
    dvl_bind_text(statement, "name", name);
    dvl_bind_text(statement, "node", filter->node);
    dvl_bind_text(statement, "backend", filter->backend);
    dvl_bind_int(statement, "all", filter->all);
    return choose_device(call, statement, name, false, filter);
}

static enum dvl_status device_by_number(struct dvl_call *call, const char *name, struct dvl_get_filter *filter)
{
    struct dvl_statement *statement = NULL;
    const char *slash = strrchr(name, '/');
    int64_t number;
    if (!slash || !dvl_text_int64(dvl_span_of(slash + 1), &number))
        return DVL_OK;
    const char *node = dvl_arena_bytes(call->arena, name, (size_t)(slash - name));
    if (!node)
        return dvl_error_memory(call->error);
    enum dvl_status status = dvl_statement_take(call->store, DVL_QUERY_GET_DEVICE_AT, &statement, call->error);
    if (status)
        return status;
    dvl_bind_text(statement, "node", node);
    dvl_bind_int(statement, "idx", number);
    dvl_bind_text(statement, "backend", filter->backend);
    dvl_bind_int(statement, "all", filter->all);
    return choose_device(call, statement, name, true, filter);
}

enum dvl_status dvl_get_device(struct dvl_call *call, const char *name, struct dvl_get_filter *filter)
{
    enum dvl_status status = name[0] ? device_by_number(call, name, filter) : DVL_OK;
    if (!status && !filter->device && name[0])
        status = device_by_uuid(call, name, filter);
    if (!status && !filter->device)
        status = dvl_error_set(call->error, DVL_NOT_FOUND, "there is no device \"%s\"", name);
    return status;
}
