/* Downgrades of VNPU templates. */
#include "rows.h"

struct downgrade_list {
    struct dvl_arena *arena;
    struct dvl_downgrade_rows *out;
};

static enum dvl_status add_downgrade(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct downgrade_list *list = context;
    void *items = list->out->items;
    struct dvl_downgrade_row *row = dvl_rows_grow(list->arena, &items, &list->out->count, sizeof *row);
    bool failed = false;
    if (!row)
        return dvl_error_memory(error);
    list->out->items = items;
    row->id = dvl_column_int(statement, "id");
    row->node_id = dvl_column_int(statement, "node_id");
    row->node_name = dvl_column_copy(statement, list->arena, "node_name", &failed);
    row->asked = dvl_column_copy(statement, list->arena, "template_asked", &failed);
    row->given = dvl_column_copy(statement, list->arena, "template_given", &failed);
    row->reason = dvl_column_copy(statement, list->arena, "reason", &failed);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_downgrades_open(struct dvl_store *store, struct dvl_arena *arena, const char *pod_uid,
                                    struct dvl_downgrade_rows *out, struct dvl_error *error)
{
    *out = (struct dvl_downgrade_rows){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DOWNGRADE_OPEN_OF_POD, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "pod_uid", pod_uid);
    struct downgrade_list list = {.arena = arena, .out = out};
    return dvl_statement_each(statement, add_downgrade, &list, error);
}

enum dvl_status dvl_downgrade_insert(struct dvl_store *store, int64_t now, const char *pod_uid,
                                     const struct dvl_downgrade_row *row, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DOWNGRADE_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "pod_uid", pod_uid);
    dvl_bind_int(statement, "node_id", row->node_id);
    dvl_bind_text(statement, "template_asked", row->asked);
    dvl_bind_text(statement, "template_given", row->given);
    dvl_bind_text(statement, "reason", row->reason);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_downgrade_close(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DOWNGRADE_CLOSE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, NULL, error);
}
