/* Node locks: one row a hold. */
#include "rows.h"

#include <string.h>

static void read_lock(struct dvl_statement *statement, struct dvl_arena *arena, struct dvl_lock_row *row, bool *failed)
{
    row->id = dvl_column_int(statement, "id");
    row->holder = dvl_column_copy(statement, arena, "holder", failed);
    row->observed = strcmp(dvl_column_text(statement, "origin"), "observed") == 0;
    row->taken_at = dvl_column_int(statement, "taken_at");
    row->expires_at = dvl_column_int(statement, "expires_at");
}

enum dvl_status dvl_lock_load(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id, const char *name,
                              struct dvl_lock_row *out, struct dvl_error *error)
{
    *out = (struct dvl_lock_row){.node_id = node_id, .name = name};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_LOCK_HELD, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", node_id);
    dvl_bind_text(statement, "name", name);
    bool row, failed = false;
    status = dvl_statement_step(statement, &row, error);
    if (status != DVL_OK || !row)
        return status;
    read_lock(statement, arena, out, &failed);
    dvl_statement_done(statement);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

struct lock_list {
    struct dvl_arena *arena;
    struct dvl_lock_rows *out;
    int64_t node_id;
};

static struct dvl_lock_row *add_lock(struct lock_list *list)
{
    void *items = list->out->items;
    struct dvl_lock_row *row = dvl_rows_grow(list->arena, &items, &list->out->count, sizeof *row);
    list->out->items = items;
    return row;
}

static enum dvl_status add_of_node(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct lock_list *list = context;
    struct dvl_lock_row *row = add_lock(list);
    bool failed = false;
    if (!row)
        return dvl_error_memory(error);
    read_lock(statement, list->arena, row, &failed);
    row->node_id = list->node_id;
    row->name = dvl_column_copy(statement, list->arena, "name", &failed);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_locks_of_node(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                  struct dvl_lock_rows *out, struct dvl_error *error)
{
    *out = (struct dvl_lock_rows){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_LOCK_HELD_ON_NODE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", node_id);
    struct lock_list list = {.arena = arena, .out = out, .node_id = node_id};
    return dvl_statement_each(statement, add_of_node, &list, error);
}

static enum dvl_status add_of_holder(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct lock_list *list = context;
    struct dvl_lock_row *row = add_lock(list);
    bool failed = false;
    if (!row)
        return dvl_error_memory(error);
    row->id = dvl_column_int(statement, "id");
    row->node_id = dvl_column_int(statement, "node_id");
    row->node_name = dvl_column_copy(statement, list->arena, "node_name", &failed);
    row->name = dvl_column_copy(statement, list->arena, "name", &failed);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_locks_of_holder(struct dvl_store *store, struct dvl_arena *arena, const char *holder,
                                    struct dvl_lock_rows *out, struct dvl_error *error)
{
    *out = (struct dvl_lock_rows){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_LOCK_HELD_BY, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "holder", holder);
    struct lock_list list = {.arena = arena, .out = out};
    return dvl_statement_each(statement, add_of_holder, &list, error);
}

enum dvl_status dvl_lock_insert(struct dvl_store *store, const struct dvl_lock_row *row, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_LOCK_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", row->node_id);
    dvl_bind_text(statement, "name", row->name);
    dvl_bind_text(statement, "holder", row->holder);
    dvl_bind_text(statement, "origin", row->observed ? "observed" : "ledger");
    dvl_bind_int(statement, "taken_at", row->taken_at);
    dvl_bind_int(statement, "expires_at", row->expires_at);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_lock_release(struct dvl_store *store, int64_t now, int64_t id, const char *reason,
                                 struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_LOCK_RELEASE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    dvl_bind_int(statement, "now", now);
    dvl_bind_text(statement, "reason", reason);
    return dvl_statement_run(statement, NULL, error);
}
