/* ConfigMaps, the facts about nodes that they tell, and explanations. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

enum dvl_status dvl_object_load(struct dvl_store *store, struct dvl_arena *arena, const char *kind,
                                struct dvl_object_row *out, struct dvl_error *error)
{
    *out = (struct dvl_object_row){.namespace_ = out->namespace_, .name = out->name};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_OBJECT_BY_NAME, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "kind", kind);
    dvl_bind_text(statement, "namespace", out->namespace_);
    dvl_bind_text(statement, "name", out->name);
    bool row, failed = false;
    status = dvl_statement_step(statement, &row, error);
    if (status != DVL_OK || !row)
        return status;
    out->id = dvl_column_int(statement, "id");
    out->text = dvl_column_copy(statement, arena, "text", &failed);
    out->removed = !dvl_column_is_null(statement, "removed_at");
    dvl_statement_done(statement);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

struct object_list {
    struct dvl_arena *arena;
    struct dvl_object_rows *out;
};

static enum dvl_status add_object(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct object_list *list = context;
    void *items = list->out->items;
    struct dvl_object_row *row = dvl_rows_grow(list->arena, &items, &list->out->count, sizeof *row);
    bool failed = false;
    if (!row)
        return dvl_error_memory(error);
    list->out->items = items;
    row->id = dvl_column_int(statement, "id");
    row->namespace_ = dvl_column_copy(statement, list->arena, "namespace", &failed);
    row->name = dvl_column_copy(statement, list->arena, "name", &failed);
    row->text = dvl_column_copy(statement, list->arena, "text", &failed);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_object_list(struct dvl_store *store, struct dvl_arena *arena, const char *kind,
                                struct dvl_object_rows *out, struct dvl_error *error)
{
    *out = (struct dvl_object_rows){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_OBJECT_LIST, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "kind", kind);
    struct object_list list = {.arena = arena, .out = out};
    return dvl_statement_each(statement, add_object, &list, error);
}

enum dvl_status dvl_object_save(struct dvl_store *store, int64_t now, const char *kind, struct dvl_object_row *row,
                                struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_query query = row->id ? DVL_QUERY_OBJECT_UPDATE : DVL_QUERY_OBJECT_INSERT;
    enum dvl_status status = dvl_statement_take(store, query, &statement, error);
    if (status != DVL_OK)
        return status;
    if (row->id) {
        dvl_bind_int(statement, "id", row->id);
    } else {
        dvl_bind_text(statement, "kind", kind);
        dvl_bind_text(statement, "namespace", row->namespace_);
        dvl_bind_text(statement, "name", row->name);
    }
    dvl_bind_text(statement, "text", row->text);
    dvl_bind_int(statement, "now", now);
    status = dvl_statement_run(statement, NULL, error);
    if (status == DVL_OK && !row->id)
        row->id = dvl_store_last_id(store);
    return status;
}

enum dvl_status dvl_object_remove(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_OBJECT_REMOVE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, NULL, error);
}

/* ---- Facts ---- */

/* Facts of one object, there and wanted, both in order of (node, key): walked
 * side by side, so that a thousand nodes cost a thousand comparisons. */
struct stored_fact {
    int64_t id;
    const char *node_name, *key, *text;
};

struct stored_list {
    struct dvl_arena *arena;
    struct stored_fact *items;
    size_t count;
};

static enum dvl_status add_stored(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct stored_list *list = context;
    void *items = list->items;
    struct stored_fact *fact = dvl_rows_grow(list->arena, &items, &list->count, sizeof *fact);
    bool failed = false;
    if (!fact)
        return dvl_error_memory(error);
    list->items = items;
    fact->id = dvl_column_int(statement, "id");
    fact->node_name = dvl_column_copy(statement, list->arena, "node_name", &failed);
    fact->key = dvl_column_copy(statement, list->arena, "key", &failed);
    fact->text = dvl_column_copy(statement, list->arena, "text", &failed);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

static enum dvl_status load_stored(struct dvl_store *store, int64_t object_id, struct stored_list *list,
                                   struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_FACTS_OF_OBJECT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "object_id", object_id);
    return dvl_statement_each(statement, add_stored, list, error);
}

static int compare_facts(const void *a, const void *b)
{
    const struct dvl_fact *one = a, *two = b;
    int order = strcmp(one->node_name, two->node_name);
    return order ? order : strcmp(one->key, two->key);
}

static enum dvl_status delete_fact(struct dvl_store *store, int64_t id, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_FACT_DELETE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    return dvl_statement_run(statement, NULL, error);
}

static enum dvl_status insert_fact(struct dvl_store *store, int64_t object_id, const struct dvl_fact *fact,
                                   struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_FACT_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "object_id", object_id);
    dvl_bind_text(statement, "node_name", fact->node_name);
    dvl_bind_text(statement, "key", fact->key);
    dvl_bind_text(statement, "text", fact->text);
    return dvl_statement_run(statement, NULL, error);
}

static enum dvl_status note_change(struct dvl_arena *arena, struct dvl_name_ids *changed, const char *node_name,
                                   struct dvl_error *error)
{
    if (changed->count && strcmp(changed->items[changed->count - 1].name, node_name) == 0)
        return DVL_OK;
    void *items = changed->items;
    struct dvl_name_id *item = dvl_rows_grow(arena, &items, &changed->count, sizeof *item);
    if (!item)
        return dvl_error_memory(error);
    changed->items = items;
    item->name = node_name;
    return DVL_OK;
}

enum dvl_status dvl_facts_save(struct dvl_store *store, struct dvl_arena *arena, int64_t object_id,
                               const struct dvl_facts *facts, struct dvl_name_ids *changed, struct dvl_error *error)
{
    *changed = (struct dvl_name_ids){0};
    if (facts->unreadable)
        return DVL_OK; /* what the object told before stays */
    struct stored_list there = {.arena = arena};
    enum dvl_status status = load_stored(store, object_id, &there, error);
    struct dvl_fact *wanted = dvl_arena_array(arena, facts->count, sizeof *wanted);
    if (status != DVL_OK)
        return status;
    if (!wanted)
        return dvl_error_memory(error);
    if (facts->count) {
        memcpy(wanted, facts->items, facts->count * sizeof *wanted);
        qsort(wanted, facts->count, sizeof *wanted, compare_facts);
    }
    size_t old = 0, new = 0;
    while (status == DVL_OK && (old < there.count || new < facts->count)) {
        int order = old == there.count ? 1 : new == facts->count ? -1 : 0;
        if (order == 0) {
            order = strcmp(there.items[old].node_name, wanted[new].node_name);
            order = order ? order : strcmp(there.items[old].key, wanted[new].key);
        }
        if (order == 0 && strcmp(there.items[old].text, wanted[new].text) == 0) {
            old++;
            new ++;
            continue;
        }
        const char *node_name = order <= 0 ? there.items[old].node_name : wanted[new].node_name;
        status = note_change(arena, changed, node_name, error);
        if (status == DVL_OK && order <= 0)
            status = delete_fact(store, there.items[old++].id, error);
        if (status == DVL_OK && order >= 0)
            status = insert_fact(store, object_id, &wanted[new ++], error);
    }
    return status;
}

/* ---- Explanations ---- */

enum dvl_status dvl_explanation_insert(struct dvl_store *store, const struct dvl_explanation_row *row,
                                       struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_EXPLANATION_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "pod_id", row->pod_id);
    dvl_bind_int(statement, "now", row->at);
    dvl_bind_text(statement, "node", row->node);
    dvl_bind_int(statement, "code", row->code);
    dvl_bind_text(statement, "backend", row->backend);
    dvl_bind_text(statement, "device", row->device);
    dvl_bind_text(statement, "reason", row->reason);
    dvl_bind_text(statement, "message", row->message);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_explanations_delete(struct dvl_store *store, int64_t pod_id, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_EXPLANATION_DELETE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "pod_id", pod_id);
    return dvl_statement_run(statement, NULL, error);
}
