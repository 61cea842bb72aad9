/* `sql`: one read-only statement of the caller's. What it may do is the
 * store's to say; here its parameters are read and its rows handed on. */
#include "row.h"
#include "verbs.h"

/* Rows that are collected for one answer are kept in memory. */
#define COLLECTED_BYTES (INT64_C(64) * 1024 * 1024)

static enum dvl_status read_parameters(struct dvl_call *call, struct dvl_sql_parameter **out, size_t *count)
{
    const struct dvl_value *map = dvl_value_find(call->request, "params");
    *out = NULL;
    *count = 0;
    if (!map || map->kind == DVL_VALUE_NULL)
        return DVL_OK;
    if (map->kind != DVL_VALUE_MAP)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"params\" must be an object");
    struct dvl_sql_parameter *parameters = dvl_arena_array(call->arena, map->count, sizeof *parameters);
    if (!parameters)
        return dvl_error_memory(call->error);
    for (const struct dvl_value *child = map->first; child; child = child->next) {
        if (child->kind == DVL_VALUE_LIST || child->kind == DVL_VALUE_MAP)
            return dvl_error_set(call->error, DVL_BAD_INPUT, "the parameter \"%s\" must be a text or a number",
                                 child->key);
        parameters[(*count)++] = (struct dvl_sql_parameter){child->key, dvl_value_text(child)};
    }
    *out = parameters;
    return DVL_OK;
}

static int hand_on(void *context, const struct dvl_value *row)
{
    struct dvl_rows *rows = context;
    if (!rows->list)
        return rows->call->row(rows->call->row_context, row);
    dvl_value_add(rows->list, dvl_value_copy(rows->call->arena, row));
    return 0;
}

enum dvl_status dvl_verb_sql(struct dvl_call *call)
{
    const char *query = NULL;
    struct dvl_sql_parameter *parameters;
    size_t count;
    struct dvl_rows rows;
    enum dvl_status status = dvl_request_text(call, "query", &query);
    if (!status && !query)
        status = dvl_error_set(call->error, DVL_BAD_INPUT, "sql needs a \"query\"");
    if (!status)
        status = read_parameters(call, &parameters, &count);
    if (status)
        return status;
    dvl_rows_into(call, call->row ? NULL : dvl_value_list(call->arena), &rows);
    if (!call->row && !rows.list)
        return dvl_error_memory(call->error);
    struct dvl_sql_limits limits = {.bytes = rows.list ? COLLECTED_BYTES : 0};
    status = dvl_store_sql(call->store, query, parameters, count, &limits, hand_on, &rows, call->error);
    return dvl_rows_end(&rows, status);
}
