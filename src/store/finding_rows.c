/* Findings: opened when something is wrong, closed when it comes in right. */
#include "rows.h"

#include <string.h>

struct open_list {
    struct dvl_arena arena;
    const struct dvl_findings *wanted;
    bool *there; /* for each wanted one: an open row says the same */
    struct dvl_ids stale;
};

static enum dvl_status compare_row(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct open_list *list = context;
    size_t number = 0;
    for (const struct dvl_finding *finding = list->wanted->first; finding; finding = finding->next, number++) {
        if (!list->there[number] && strcmp(finding->kind, dvl_column_text(statement, "kind")) == 0 &&
            strcmp(finding->key, dvl_column_text(statement, "key")) == 0 &&
            finding->position == dvl_column_int(statement, "position") &&
            strcmp(finding->text, dvl_column_text(statement, "text")) == 0) {
            list->there[number] = true;
            return DVL_OK;
        }
    }
    void *items = list->stale.items;
    int64_t *id = dvl_rows_grow(&list->arena, &items, &list->stale.count, sizeof *id);
    if (!id)
        return dvl_error_memory(error);
    list->stale.items = items;
    *id = dvl_column_int(statement, "id");
    return DVL_OK;
}

static enum dvl_status close_row(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_FINDING_CLOSE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, NULL, error);
}

struct target {
    struct dvl_store *store;
    int64_t now;
    const char *object_kind, *object;
};

static enum dvl_status open_row(const struct target *target, const struct dvl_finding *finding, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(target->store, DVL_QUERY_FINDING_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "kind", finding->kind);
    dvl_bind_text(statement, "object_kind", target->object_kind);
    dvl_bind_text(statement, "object", target->object);
    dvl_bind_text(statement, "key", finding->key);
    dvl_bind_int(statement, "position", finding->position);
    dvl_bind_text(statement, "text", finding->text);
    dvl_bind_int(statement, "now", target->now);
    return dvl_statement_run(statement, NULL, error);
}

static enum dvl_status compare_all(const struct target *target, struct open_list *list, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(target->store, DVL_QUERY_FINDING_OPEN_OF_OBJECT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "object_kind", target->object_kind);
    dvl_bind_text(statement, "object", target->object);
    return dvl_statement_each(statement, compare_row, list, error);
}

enum dvl_status dvl_findings_save(struct dvl_store *store, int64_t now, const char *object_kind, const char *object,
                                  const struct dvl_findings *findings, struct dvl_error *error)
{
    if (findings->failed)
        return dvl_error_memory(error);
    const struct target target = {.store = store, .now = now, .object_kind = object_kind, .object = object};
    struct open_list list = {.wanted = findings};
    dvl_arena_init(&list.arena, 0);
    list.there = dvl_arena_array(&list.arena, findings->count, sizeof *list.there);
    enum dvl_status status = list.there ? compare_all(&target, &list, error) : dvl_error_memory(error);
    for (size_t i = 0; i < list.stale.count && status == DVL_OK; i++)
        status = close_row(store, now, list.stale.items[i], error);
    size_t number = 0;
    for (const struct dvl_finding *finding = findings->first; finding && status == DVL_OK; finding = finding->next) {
        if (!list.there[number++])
            status = open_row(&target, finding, error);
    }
    return dvl_arena_end(&list.arena, status, error);
}
