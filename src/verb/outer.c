/* begin, commit, rollback: the batch's transaction over several requests. */
#include "verbs.h"

enum { MOST_MS = 30000 };

enum dvl_status dvl_verb_begin(struct dvl_call *call)
{
    if (dvl_store_outer_is_open(call->store))
        return dvl_error_set(call->error, DVL_CONFLICT, "a transaction is open already");
    return dvl_store_outer_begin(call->store, MOST_MS, call->error);
}

static enum dvl_status end(struct dvl_call *call, bool keep)
{
    if (!dvl_store_outer_is_open(call->store))
        return dvl_error_set(call->error, DVL_CONFLICT, "no transaction is open");
    enum dvl_status status = dvl_store_outer_end(call->store, keep, call->error);
    /* What is in force may be another configuration than the one at hand. */
    if (!keep || status != DVL_OK)
        call->ledger->config_ids[0] = call->ledger->config_ids[1] = -1;
    return status;
}

enum dvl_status dvl_verb_commit(struct dvl_call *call)
{
    return end(call, true);
}

enum dvl_status dvl_verb_rollback(struct dvl_call *call)
{
    return end(call, false);
}
