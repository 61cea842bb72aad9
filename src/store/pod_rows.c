/* Pods and what their containers ask. */
#include "rows.h"

#include <string.h>

static enum dvl_status read_texts(struct dvl_arena *arena, struct dvl_pod_row *row, struct dvl_error *error)
{
    enum dvl_status status = dvl_pairs_read_json(arena, row->labels, &row->pod.labels, error);
    if (status == DVL_OK)
        status = dvl_pairs_read_json(arena, row->annotations, &row->pod.annotations, error);
    if (status == DVL_OK)
        status = dvl_containers_read_json(arena, row->containers, &row->pod, error);
    return status;
}

static enum dvl_status read_row(struct dvl_statement *statement, struct dvl_arena *arena, struct dvl_pod_row *out,
                                struct dvl_error *error)
{
    bool failed = false;
    *out = (struct dvl_pod_row){.id = dvl_column_int(statement, "id")};
    out->pod.uid = dvl_column_copy(statement, arena, "uid", &failed);
    out->pod.namespace_ = dvl_column_copy(statement, arena, "namespace", &failed);
    out->pod.name = dvl_column_copy(statement, arena, "name", &failed);
    out->pod.phase = dvl_column_copy(statement, arena, "phase", &failed);
    out->pod.node_name = dvl_column_copy(statement, arena, "spec_node_name", &failed);
    out->pod.created_at = dvl_column_int(statement, "created_at");
    out->pod.terminating_at = dvl_column_int(statement, "terminating_at");
    out->labels = dvl_column_copy(statement, arena, "labels", &failed);
    out->annotations = dvl_column_copy(statement, arena, "annotations", &failed);
    out->containers = dvl_column_copy(statement, arena, "containers", &failed);
    out->queue = dvl_column_copy(statement, arena, "queue", &failed);
    out->pod_group = dvl_column_copy(statement, arena, "pod_group", &failed);
    out->node_id = dvl_column_int(statement, "node_id");
    out->node_name = dvl_column_copy(statement, arena, "node_name", &failed);
    out->gone = !dvl_column_is_null(statement, "deleted_at");
    return failed ? dvl_error_memory(error) : DVL_OK;
}

/* The one row of a statement whose parameters are bound. */
static enum dvl_status load_one(struct dvl_statement *statement, struct dvl_arena *arena, struct dvl_pod_row *out,
                                struct dvl_error *error)
{
    bool row;
    *out = (struct dvl_pod_row){0};
    enum dvl_status status = dvl_statement_step(statement, &row, error);
    if (status != DVL_OK || !row)
        return status;
    status = read_row(statement, arena, out, error);
    dvl_statement_done(statement);
    return status == DVL_OK ? read_texts(arena, out, error) : status;
}

enum dvl_status dvl_pod_load_uid(struct dvl_store *store, struct dvl_arena *arena, const char *uid,
                                 struct dvl_pod_row *out, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_BY_UID, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "uid", uid);
    return load_one(statement, arena, out, error);
}

enum dvl_status dvl_pod_load_id(struct dvl_store *store, struct dvl_arena *arena, int64_t id, struct dvl_pod_row *out,
                                struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_BY_ID, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    return load_one(statement, arena, out, error);
}

enum dvl_status dvl_pod_load_name(struct dvl_store *store, struct dvl_arena *arena, const char *namespace_,
                                  const char *name, struct dvl_pod_row *out, struct dvl_error *error)
{
    *out = (struct dvl_pod_row){0};
    size_t count = 0;
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_LIVE_BY_NAME, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "namespace", namespace_);
    dvl_bind_text(statement, "name", name);
    for (;;) {
        bool row;
        status = dvl_statement_step(statement, &row, error);
        if (status != DVL_OK)
            return status;
        if (!row)
            break;
        if (count++ == 0)
            status = read_row(statement, arena, out, error);
        if (status != DVL_OK) {
            dvl_statement_done(statement);
            return status;
        }
    }
    out->namesakes = count;
    return count ? read_texts(arena, out, error) : DVL_OK;
}

enum dvl_status dvl_pod_is_over(struct dvl_store *store, const char *namespace_, const char *name, bool *known,
                                bool *over, struct dvl_error *error)
{
    struct dvl_statement *statement;
    *known = *over = false;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_LAST_BY_NAME, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "namespace", namespace_);
    dvl_bind_text(statement, "name", name);
    status = dvl_statement_step(statement, known, error);
    if (status != DVL_OK || !*known)
        return status;
    const char *phase = dvl_column_text(statement, "phase");
    *over =
        !dvl_column_is_null(statement, "deleted_at") || strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0;
    dvl_statement_done(statement);
    return DVL_OK;
}

static void bind_identity(struct dvl_statement *statement, const struct dvl_pod_row *row)
{
    if (row->id) {
        dvl_bind_int(statement, "id", row->id);
        return;
    }
    dvl_bind_text(statement, "uid", row->pod.uid);
    dvl_bind_text(statement, "namespace", row->pod.namespace_);
    dvl_bind_text(statement, "name", row->pod.name);
    dvl_bind_int(statement, "created_at", row->pod.created_at);
}

enum dvl_status dvl_pod_save(struct dvl_store *store, int64_t now, struct dvl_pod_row *row, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_query query = row->id ? DVL_QUERY_POD_UPDATE : DVL_QUERY_POD_INSERT;
    enum dvl_status status = dvl_statement_take(store, query, &statement, error);
    if (status != DVL_OK)
        return status;
    bind_identity(statement, row);
    dvl_bind_text(statement, "labels", row->labels);
    dvl_bind_text(statement, "annotations", row->annotations);
    dvl_bind_text(statement, "containers", row->containers);
    dvl_bind_text(statement, "phase", row->pod.phase);
    dvl_bind_text(statement, "queue", row->queue);
    dvl_bind_text(statement, "pod_group", row->pod_group);
    dvl_bind_text(statement, "spec_node_name", row->pod.node_name);
    dvl_bind_int_or_null(statement, "terminating_at", row->pod.terminating_at ? row->pod.terminating_at : DVL_UNSET);
    dvl_bind_int(statement, "now", now);
    status = dvl_statement_run(statement, NULL, error);
    if (status == DVL_OK && !row->id)
        row->id = dvl_store_last_id(store);
    return status;
}

enum dvl_status dvl_pod_place(struct dvl_store *store, int64_t now, int64_t id, int64_t node_id, const char *node_name,
                              struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_PLACE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    dvl_bind_int_or_null(statement, "node_id", node_id ? node_id : DVL_UNSET);
    dvl_bind_text(statement, "node_name", node_name);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_pod_gone(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_GONE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_pod_list(struct dvl_store *store, struct dvl_arena *arena, struct dvl_ids *out,
                             struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_LIST, &statement, error);
    return status == DVL_OK ? dvl_statement_ids(statement, arena, "id", out, error) : status;
}

enum dvl_status dvl_pod_list_on(struct dvl_store *store, struct dvl_arena *arena, const char *node_name,
                                struct dvl_ids *out, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_LIST_ON_NODE_NAME, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "node_name", node_name);
    return dvl_statement_ids(statement, arena, "id", out, error);
}

/* ---- Requests ---- */

struct request_list {
    struct dvl_arena *arena;
    struct dvl_request_rows *out;
};

static enum dvl_status add_request(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct request_list *list = context;
    void *items = list->out->items;
    struct dvl_request_row *row = dvl_rows_grow(list->arena, &items, &list->out->count, sizeof *row);
    bool failed = false;
    if (!row)
        return dvl_error_memory(error);
    list->out->items = items;
    row->backend = dvl_column_copy(statement, list->arena, "backend", &failed);
    row->ask.container = dvl_column_copy(statement, list->arena, "container", &failed);
    row->ask.ordinal = dvl_column_int(statement, "ordinal");
    row->ask.count = dvl_column_int(statement, "count");
    row->ask.memory = dvl_column_int_or_unset(statement, "memory");
    row->ask.memory_percent = dvl_column_int_or_unset(statement, "memory_percent");
    row->ask.cores = dvl_column_int_or_unset(statement, "cores");
    row->ask.template_name = dvl_column_copy(statement, list->arena, "template", &failed);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_requests_load(struct dvl_store *store, struct dvl_arena *arena, int64_t pod_id,
                                  struct dvl_request_rows *out, struct dvl_error *error)
{
    *out = (struct dvl_request_rows){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_REQUESTS, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "pod_id", pod_id);
    struct request_list list = {.arena = arena, .out = out};
    return dvl_statement_each(statement, add_request, &list, error);
}

static bool same_request(const struct dvl_request_row *a, const struct dvl_request_row *b)
{
    return strcmp(a->backend, b->backend) == 0 && strcmp(a->ask.container, b->ask.container) == 0 &&
           a->ask.ordinal == b->ask.ordinal && a->ask.count == b->ask.count && a->ask.memory == b->ask.memory &&
           a->ask.memory_percent == b->ask.memory_percent && a->ask.cores == b->ask.cores &&
           dvl_text_same(a->ask.template_name, b->ask.template_name);
}

/* Both in any order: (backend, ordinal) is unique in each. */
bool dvl_requests_same(const struct dvl_request_rows *a, const struct dvl_request_rows *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        bool found = false;
        for (size_t j = 0; j < b->count && !found; j++)
            found = same_request(&a->items[i], &b->items[j]);
        if (!found)
            return false;
    }
    return true;
}

static enum dvl_status insert_request(struct dvl_store *store, int64_t pod_id, const struct dvl_request_row *row,
                                      struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_POD_REQUEST_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "pod_id", pod_id);
    dvl_bind_text(statement, "container", row->ask.container);
    dvl_bind_int(statement, "ordinal", row->ask.ordinal);
    dvl_bind_text(statement, "backend", row->backend);
    dvl_bind_int(statement, "count", row->ask.count);
    dvl_bind_int_or_null(statement, "memory", row->ask.memory);
    dvl_bind_int_or_null(statement, "memory_percent", row->ask.memory_percent);
    dvl_bind_int_or_null(statement, "cores", row->ask.cores);
    dvl_bind_text(statement, "template", row->ask.template_name);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_requests_save(struct dvl_store *store, struct dvl_arena *arena, int64_t pod_id,
                                  const struct dvl_request_rows *rows, struct dvl_error *error)
{
    struct dvl_request_rows there;
    enum dvl_status status = dvl_requests_load(store, arena, pod_id, &there, error);
    if (status != DVL_OK || dvl_requests_same(&there, rows))
        return status;
    if (there.count) {
        struct dvl_statement *statement;
        status = dvl_statement_take(store, DVL_QUERY_POD_REQUESTS_DELETE, &statement, error);
        if (status != DVL_OK)
            return status;
        dvl_bind_int(statement, "pod_id", pod_id);
        status = dvl_statement_run(statement, NULL, error);
    }
    for (size_t i = 0; i < rows->count && status == DVL_OK; i++)
        status = insert_request(store, pod_id, &rows->items[i], error);
    return status;
}
