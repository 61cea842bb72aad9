/* lock and unlock: node locks by hand. */
#include "pod_ref.h"
#include "verbs.h"

#include "../timestamp.h"

#include <string.h>

/* The request's lock; without a name the only one that the backends which are
 * switched on have. */
static enum dvl_status lock_name(struct dvl_call *call, const char **out)
{
    enum dvl_status status = dvl_request_text(call, "name", out);
    if (status != DVL_OK)
        return status;
    if (*out && (!**out || strlen(*out) > 256))
        return dvl_error_set(call->error, DVL_BAD_INPUT, "a lock's name is 1 to 256 bytes");
    const struct dvl_backends *backends = &call->ledger->backends;
    for (size_t i = 0; i < backends->count && !*out; i++) {
        if (backends->items[i].enabled)
            *out = backends->items[i].lock_name;
    }
    if (!*out)
        return dvl_error_set(call->error, DVL_UNSUPPORTED, "no backend that is switched on has a lock; name one");
    if (dvl_value_find(call->request, "name"))
        return DVL_OK;
    for (size_t i = 0; i < backends->count; i++) {
        const char *other = backends->items[i].lock_name;
        if (backends->items[i].enabled && other && strcmp(other, *out) != 0)
            return dvl_error_set(call->error, DVL_UNSUPPORTED, "several locks are in use (%s, %s); name one", *out,
                                 other);
    }
    return DVL_OK;
}

static enum dvl_status holder_of(struct dvl_call *call, const char **out)
{
    enum dvl_status status = dvl_request_text(call, "holder", out);
    if (status != DVL_OK)
        return status;
    if (!*out)
        *out = call->ledger->actor;
    if (!**out || strlen(*out) > 1024)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "a holder is 1 to 1024 bytes");
    return DVL_OK;
}

struct lock_request {
    struct dvl_name_id node;
    const char *name, *holder;
};

static enum dvl_status read_request(struct dvl_call *call, struct lock_request *out)
{
    enum dvl_status status = dvl_request_node(call, &out->node);
    if (status == DVL_OK)
        status = lock_name(call, &out->name);
    return status == DVL_OK ? holder_of(call, &out->holder) : status;
}

static enum dvl_status answer_time(struct dvl_call *call, int64_t expires_at)
{
    char time[DVL_TIME_SIZE];
    struct dvl_value *text = dvl_value_string(call->arena, dvl_time_write(expires_at, time));
    return dvl_value_set(call->answer, "expiresAt", text) ? DVL_OK : dvl_error_memory(call->error);
}

enum dvl_status dvl_verb_lock(struct dvl_call *call)
{
    struct lock_request request;
    int64_t expires_at;
    enum dvl_status status = read_request(call, &request);
    if (status == DVL_OK)
        status = dvl_lock_take(call, &request.node, request.name, request.holder, &expires_at);
    return status == DVL_OK ? answer_time(call, expires_at) : status;
}

enum dvl_status dvl_verb_unlock(struct dvl_call *call)
{
    struct lock_request request;
    struct dvl_lock_row held;
    enum dvl_status status = read_request(call, &request);
    if (status == DVL_OK)
        status = dvl_lock_load(call->store, call->arena, request.node.id, request.name, &held, call->error);
    if (status != DVL_OK)
        return status;
    if (!held.id)
        return dvl_error_set(call->error, DVL_NOT_FOUND, "node %s: lock %s is not held", request.node.name,
                             request.name);
    /* Before it expires only its holder gives it back; after that, anybody. */
    if (!dvl_text_same(held.holder, request.holder) && held.expires_at > call->clock)
        return dvl_error_set(call->error, DVL_LOCKED, "node %s: lock %s is held by %.512s, not by %.256s",
                             request.node.name, request.name, held.holder ? held.holder : "somebody unknown",
                             request.holder);
    status = dvl_lock_end(call, &held, request.node.name, "unlocked");
    return status == DVL_OK ? answer_time(call, held.expires_at) : status;
}
