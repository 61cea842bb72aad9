/* Nodes, what backends make of them, and facts about them. */
#include "rows.h"

static enum dvl_status read_pairs(struct dvl_arena *arena, struct dvl_node_row *row, struct dvl_error *error)
{
    const struct {
        const char *text;
        struct dvl_pairs *pairs;
    } parts[] = {{row->labels, &row->node.labels},
                 {row->annotations, &row->node.annotations},
                 {row->capacity, &row->node.capacity},
                 {row->allocatable, &row->node.allocatable}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        enum dvl_status status = dvl_pairs_read_json(arena, parts[i].text, parts[i].pairs, error);
        if (status != DVL_OK)
            return status;
    }
    return DVL_OK;
}

enum dvl_status dvl_node_load(struct dvl_store *store, struct dvl_arena *arena, const char *name,
                              struct dvl_node_row *out, struct dvl_error *error)
{
    *out = (struct dvl_node_row){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_BY_NAME, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "name", name);
    bool row, failed = false;
    status = dvl_statement_step(statement, &row, error);
    if (status != DVL_OK || !row)
        return status;
    out->id = dvl_column_int(statement, "id");
    out->removed = !dvl_column_is_null(statement, "removed_at");
    out->node.name = dvl_column_copy(statement, arena, "name", &failed);
    out->labels = dvl_column_copy(statement, arena, "labels", &failed);
    out->annotations = dvl_column_copy(statement, arena, "annotations", &failed);
    out->capacity = dvl_column_copy(statement, arena, "capacity", &failed);
    out->allocatable = dvl_column_copy(statement, arena, "allocatable", &failed);
    dvl_statement_done(statement);
    if (failed)
        return dvl_error_memory(error);
    return read_pairs(arena, out, error);
}

enum dvl_status dvl_node_save(struct dvl_store *store, int64_t now, struct dvl_node_row *row, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_query query = row->id ? DVL_QUERY_NODE_UPDATE : DVL_QUERY_NODE_INSERT;
    enum dvl_status status = dvl_statement_take(store, query, &statement, error);
    if (status != DVL_OK)
        return status;
    if (row->id)
        dvl_bind_int(statement, "id", row->id);
    else
        dvl_bind_text(statement, "name", row->node.name);
    dvl_bind_text(statement, "labels", row->labels);
    dvl_bind_text(statement, "annotations", row->annotations);
    dvl_bind_text(statement, "capacity", row->capacity);
    dvl_bind_text(statement, "allocatable", row->allocatable);
    dvl_bind_int(statement, "now", now);
    status = dvl_statement_run(statement, NULL, error);
    if (status == DVL_OK && !row->id)
        row->id = dvl_store_last_id(store);
    return status;
}

enum dvl_status dvl_node_remove(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_REMOVE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, NULL, error);
}

struct name_list {
    struct dvl_arena *arena;
    struct dvl_name_ids *out;
};

static enum dvl_status add_name(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct name_list *list = context;
    void *items = list->out->items;
    struct dvl_name_id *item = dvl_rows_grow(list->arena, &items, &list->out->count, sizeof *item);
    bool failed = false;
    if (!item)
        return dvl_error_memory(error);
    list->out->items = items;
    item->id = dvl_column_int(statement, "id");
    item->name = dvl_column_copy(statement, list->arena, "name", &failed);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_node_list(struct dvl_store *store, struct dvl_arena *arena, struct dvl_name_ids *out,
                              struct dvl_error *error)
{
    *out = (struct dvl_name_ids){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_LIST, &statement, error);
    if (status != DVL_OK)
        return status;
    struct name_list list = {.arena = arena, .out = out};
    return dvl_statement_each(statement, add_name, &list, error);
}

enum dvl_status dvl_node_backend_load(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                      const char *backend, struct dvl_inventory *out, struct dvl_error *error)
{
    *out = (struct dvl_inventory){.capacity = DVL_UNSET};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_BACKEND, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", node_id);
    dvl_bind_text(statement, "backend", backend);
    bool row, failed = false;
    status = dvl_statement_step(statement, &row, error);
    if (status != DVL_OK || !row)
        return status;
    out->present = true;
    out->schedulable = dvl_column_int(statement, "schedulable") != 0;
    out->reason = dvl_column_copy(statement, arena, "reason", &failed);
    out->message = dvl_column_copy(statement, arena, "message", &failed);
    out->capacity = dvl_column_int_or_unset(statement, "capacity");
    out->soft = dvl_column_int(statement, "soft") != 0;
    dvl_statement_done(statement);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

static bool same_backend(const struct dvl_inventory *a, const struct dvl_inventory *b)
{
    if (!a->present || !b->present)
        return a->present == b->present;
    return a->schedulable == b->schedulable && a->capacity == b->capacity && a->soft == b->soft &&
           dvl_text_same(a->reason, b->reason) && dvl_text_same(a->message, b->message);
}

static enum dvl_status delete_backend(struct dvl_store *store, int64_t node_id, const char *backend,
                                      struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_BACKEND_DELETE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", node_id);
    dvl_bind_text(statement, "backend", backend);
    return dvl_statement_run(statement, NULL, error);
}

static enum dvl_status insert_backend(struct dvl_store *store, int64_t node_id, const char *backend,
                                      const struct dvl_inventory *inventory, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_BACKEND_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", node_id);
    dvl_bind_text(statement, "backend", backend);
    dvl_bind_int(statement, "schedulable", inventory->schedulable);
    dvl_bind_text(statement, "reason", inventory->reason);
    dvl_bind_text(statement, "message", inventory->message);
    dvl_bind_int_or_null(statement, "capacity", inventory->capacity);
    dvl_bind_int(statement, "soft", inventory->soft);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_node_backend_save(struct dvl_store *store, int64_t node_id, const char *backend,
                                      const struct dvl_inventory *inventory, struct dvl_error *error)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_inventory there;
    enum dvl_status status = dvl_node_backend_load(store, &arena, node_id, backend, &there, error);
    if (status == DVL_OK && !same_backend(&there, inventory)) {
        if (there.present)
            status = delete_backend(store, node_id, backend, error);
        if (status == DVL_OK && inventory->present)
            status = insert_backend(store, node_id, backend, inventory, error);
    }
    return dvl_arena_end(&arena, status, error);
}

struct fact_list {
    struct dvl_arena *arena;
    struct dvl_fact *items;
    size_t count;
    const char *node_name;
};

static enum dvl_status add_fact(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct fact_list *list = context;
    void *items = list->items;
    struct dvl_fact *fact = dvl_rows_grow(list->arena, &items, &list->count, sizeof *fact);
    bool failed = false;
    if (!fact)
        return dvl_error_memory(error);
    list->items = items;
    fact->node_name = list->node_name;
    fact->key = dvl_column_copy(statement, list->arena, "key", &failed);
    fact->text = dvl_column_copy(statement, list->arena, "text", &failed);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_facts_of_node(struct dvl_store *store, struct dvl_arena *arena, const char *node_name,
                                  struct dvl_facts *out, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_FACTS, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "node_name", node_name);
    struct fact_list list = {.arena = arena, .node_name = node_name};
    status = dvl_statement_each(statement, add_fact, &list, error);
    *out = (struct dvl_facts){.items = list.items, .count = list.count};
    return status;
}
