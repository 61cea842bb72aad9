/* `log`: the chain of events, newest last. */
#include "get.h"
#include "verbs.h"

enum dvl_status dvl_get_tail(struct dvl_call *call, int64_t count, struct dvl_get_filter *filter)
{
    struct dvl_statement *statement = NULL;
    bool row = false;
    enum dvl_status status = dvl_statement_take(call->store, DVL_QUERY_GET_EVENT_TAIL, &statement, call->error);
    if (status)
        return status;
    dvl_bind_int(statement, "count", count);
    dvl_bind_int_or_null(statement, "until", filter->until);
    dvl_bind_text(statement, "node", filter->node);
    dvl_bind_text(statement, "pod", filter->pod);
    dvl_bind_text(statement, "namespace", filter->namespace_);
    status = dvl_statement_step(statement, &row, call->error);
    if (!status && row && !dvl_column_is_null(statement, "seq")) {
        int64_t before = dvl_column_int(statement, "seq") - 1;
        filter->after = before > filter->after ? before : filter->after;
    } else if (!status) {
        filter->after = INT64_MAX;
    }
    dvl_statement_done(statement);
    return status;
}

static enum dvl_status read_filter(struct dvl_call *call, struct dvl_get_filter *filter)
{
    const char *pod = NULL;
    enum dvl_status status = dvl_get_filter_init(call, filter);
    filter->all = true; /* what a retired node went through is told, too */
    if (!status)
        status = dvl_request_text(call, "node", &filter->node);
    if (!status && filter->node)
        status = dvl_get_check_node(call, filter, filter->node);
    if (!status)
        status = dvl_request_text(call, "namespace", &filter->namespace_);
    if (!status)
        status = dvl_request_text(call, "pod", &pod);
    if (!status && pod)
        status = dvl_get_pod_name(call, pod, filter->namespace_ ? filter->namespace_ : "default", filter);
    if (!status)
        status = dvl_request_time(call, "since", &filter->since);
    if (!status)
        status = dvl_request_time(call, "until", &filter->until);
    if (!status)
        status = dvl_request_count(call, "after", 0, 0, &filter->after);
    return status;
}

enum dvl_status dvl_verb_log(struct dvl_call *call)
{
    struct dvl_get_filter filter;
    struct dvl_rows rows;
    const struct dvl_get_kind *kind = dvl_get_kind_find("events");
    enum dvl_status status = read_filter(call, &filter);
    if (status)
        return status;
    status = dvl_rows_begin(call, kind->fields, &rows);
    /* A log's limit counts from its end. */
    if (!status && rows.limit >= 0)
        status = dvl_get_tail(call, rows.limit, &filter);
    if (!status)
        status = dvl_get_take(kind, &filter, &rows);
    return dvl_rows_end(&rows, status);
}
