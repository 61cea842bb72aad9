/* `verify` and `backup`: work on the whole file, which the store does. */
#include "get.h"
#include "verbs.h"

#include <string.h>

/* What the list of conflicts could not read is a problem like those that the store found. */
static enum dvl_status add_problem(struct dvl_call *call, const struct dvl_value *found)
{
    struct dvl_value *problem = dvl_value_map(call->arena);
    struct dvl_value *problems = (struct dvl_value *)dvl_value_find(found, "problems");
    if (!dvl_value_set(problem, "kind", dvl_value_string(call->arena, "conflicts")) ||
        !dvl_value_set(problem, "text", dvl_value_string(call->arena, call->error->message)) ||
        !dvl_value_add(problems, problem))
        return dvl_error_memory(call->error);
    dvl_error_clear(call->error);
    return DVL_OK;
}

/* The conflicts themselves stand in the answer, where the store counts them. */
static enum dvl_status list_conflicts(struct dvl_call *call, struct dvl_value **out)
{
    struct dvl_get_filter filter;
    enum dvl_status status = dvl_call_begin(call, DVL_READ);
    if (status)
        return status;
    status = dvl_get_filter_init(call, &filter);
    if (!status)
        status = dvl_get_list(call, DVL_GET_CONFLICTS, &filter, out);
    return dvl_call_end(call, status);
}

enum dvl_status dvl_verb_verify(struct dvl_call *call)
{
    const char *expect = NULL;
    struct dvl_value *found = NULL, *conflicts = NULL;
    enum dvl_status status = dvl_request_text(call, "expect", &expect);
    if (!status)
        status = dvl_store_verify(call->store, expect, call->arena, &found, call->error);
    if (!status)
        status = list_conflicts(call, &conflicts);
    if (status == DVL_DATABASE) {
        conflicts = dvl_value_null(call->arena);
        status = add_problem(call, found);
    }
    if (status)
        return status;
    if (!found)
        return dvl_error_memory(call->error);
    for (struct dvl_value *child = found->first, *next; child; child = next) {
        next = child->next;
        child->next = NULL;
        dvl_value_set(call->answer, child->key, strcmp(child->key, "conflicts") == 0 ? conflicts : child);
    }
    return DVL_OK;
}

enum dvl_status dvl_verb_backup(struct dvl_call *call)
{
    const char *path = NULL;
    enum dvl_status status = dvl_request_text(call, "path", &path);
    if (!status && !path)
        status = dvl_error_set(call->error, DVL_BAD_INPUT, "backup needs a \"path\"");
    if (!status)
        status = dvl_store_backup(call->store, path, call->error);
    if (!status && !dvl_value_set(call->answer, "path", dvl_value_string(call->arena, path)))
        status = dvl_error_memory(call->error);
    return status;
}
