/* filter and score: which nodes take a pod, and how well. */
#include "placing.h"
#include "verbs.h"

#include <string.h>

/* ---- Answers ---- */

static bool add_device(struct dvl_call *call, struct dvl_value *list, const struct dvl_device_verdict *verdict)
{
    struct dvl_arena *arena = call->arena;
    struct dvl_value *map = dvl_value_add(list, dvl_value_map(arena));
    return dvl_value_set(map, "index", dvl_value_int(arena, verdict->device->idx)) &&
           dvl_value_set(map, "uuid", dvl_value_string(arena, verdict->device->uuid)) &&
           dvl_value_set(map, "fits", dvl_value_bool(arena, !verdict->reason)) &&
           dvl_value_set(map, "reason", dvl_value_string(arena, verdict->reason)) &&
           dvl_value_set(map, "message", dvl_value_string(arena, verdict->message));
}

struct filter {
    struct dvl_call *call;
    bool explain;
    int64_t fits;
    struct dvl_value *nodes;
};

static enum dvl_status add_node(void *context, const struct dvl_candidate *candidate, const struct dvl_verdict *verdict)
{
    struct filter *filter = context;
    struct dvl_arena *arena = filter->call->arena;
    struct dvl_value *map = dvl_value_add(filter->nodes, dvl_value_map(arena));
    bool whole = dvl_value_set(map, "node", dvl_value_string(arena, candidate->node.name)) &&
                 dvl_value_set(map, "code", dvl_value_int(arena, (int64_t)candidate->code)) &&
                 dvl_value_set(map, "backend", dvl_value_string(arena, candidate->backend)) &&
                 dvl_value_set(map, "reason", dvl_value_string(arena, candidate->reason)) &&
                 dvl_value_set(map, "message", dvl_value_string(arena, candidate->message));
    filter->fits += candidate->code == DVL_CODE_FITS;
    if (whole && filter->explain) {
        struct dvl_value *devices = dvl_value_set(map, "devices", dvl_value_list(arena));
        whole = devices != NULL;
        for (size_t i = 0; i < verdict->device_count && whole; i++)
            whole = add_device(filter->call, devices, &verdict->devices[i]);
    }
    return whole ? DVL_OK : dvl_error_memory(filter->call->error);
}

/* ---- filter ---- */

/* Judges all nodes asked about, inside the transaction that is open; the
 * answer is made anew. */
static enum dvl_status evaluate(struct dvl_call *call, struct dvl_pod_ref *ref, bool record,
                                struct dvl_candidates *candidates)
{
    struct filter filter = {.call = call};
    *call->answer = (struct dvl_value){.kind = DVL_VALUE_MAP};
    enum dvl_status status = dvl_request_pod(call, ref);
    if (status == DVL_OK && record)
        status = dvl_pod_ref_record(call, ref);
    struct dvl_question question;
    struct dvl_name_ids nodes;
    if (status == DVL_OK)
        status = dvl_request_bool(call, "explain", false, &filter.explain);
    if (status == DVL_OK)
        status = dvl_question_of(call, call->arena, &ref->row.pod, ref->stored.id, &question);
    if (status == DVL_OK)
        status = dvl_request_nodes(call, &nodes);
    if (status != DVL_OK)
        return status;
    question.explain = filter.explain;
    filter.nodes = dvl_value_list(call->arena);
    struct dvl_value *fits = dvl_value_set(call->answer, "fits", dvl_value_null(call->arena));
    if (!fits || !filter.nodes)
        return dvl_error_memory(call->error);
    status = dvl_judge_all(&question, &nodes, candidates, add_node, &filter);
    const struct dvl_value *count = dvl_value_int(call->arena, filter.fits);
    if (status == DVL_OK && !count)
        return dvl_error_memory(call->error);
    if (status != DVL_OK)
        return status;
    fits->kind = count->kind;
    fits->text = count->text;
    fits->length = count->length;
    dvl_value_set(call->answer, "nodes", filter.nodes);
    return DVL_OK;
}

/* Downgrade rows must be opened or closed: once more, as a writer. Where that
 * can't be (a file that is read-only, a queue that is too long) the first
 * answer stands. */
static enum dvl_status write_downgrades(struct dvl_call *call, struct dvl_pod_ref *ref)
{
    const struct dvl_value first = *call->answer;
    enum dvl_status status = dvl_call_begin(call, DVL_WRITE);
    if (status == DVL_BUSY || status == DVL_FORBIDDEN) {
        dvl_error_clear(call->error);
        return DVL_OK;
    }
    if (status != DVL_OK)
        return status;
    struct dvl_candidates candidates;
    status = evaluate(call, ref, true, &candidates);
    if (status == DVL_OK)
        status = dvl_downgrades_follow(call, ref->row.pod.uid, &candidates);
    status = dvl_call_end(call, status);
    if (status == DVL_BUSY || status == DVL_FORBIDDEN) {
        *call->answer = first;
        dvl_error_clear(call->error);
        return DVL_OK;
    }
    return status;
}

enum dvl_status dvl_verb_filter(struct dvl_call *call)
{
    struct dvl_pod_ref ref;
    struct dvl_candidates candidates;
    bool differ = false;
    enum dvl_status status = dvl_call_begin(call, DVL_READ);
    if (status != DVL_OK)
        return status;
    status = evaluate(call, &ref, false, &candidates);
    if (status == DVL_OK)
        status = dvl_downgrades_differ(call, ref.row.pod.uid, &candidates, &differ);
    status = dvl_call_end(call, status);
    if (status != DVL_OK || !differ || dvl_store_is_read_only(call->store))
        return status;
    return write_downgrades(call, &ref);
}

/* ---- score ---- */

static bool add_score(struct dvl_call *call, struct dvl_value *list, const struct dvl_candidate *candidate)
{
    struct dvl_arena *arena = call->arena;
    struct dvl_value *map = dvl_value_add(list, dvl_value_map(arena));
    return dvl_value_set(map, "node", dvl_value_string(arena, candidate->node.name)) &&
           dvl_value_set(map, "deviceScore", dvl_value_real(arena, candidate->device_score)) &&
           dvl_value_set(map, "score", dvl_value_int(arena, candidate->score)) &&
           dvl_value_set(map, "batchScore", dvl_value_int(arena, candidate->batch_score)) &&
           dvl_value_set(map, "total", dvl_value_int(arena, candidate->total));
}

enum dvl_status dvl_verb_score(struct dvl_call *call)
{
    struct dvl_pod_ref ref;
    struct dvl_question question;
    struct dvl_name_ids nodes;
    struct dvl_candidates candidates;
    enum dvl_status status = dvl_request_pod(call, &ref);
    if (status == DVL_OK)
        status = dvl_question_of(call, call->arena, &ref.row.pod, ref.stored.id, &question);
    if (status == DVL_OK)
        status = dvl_request_nodes(call, &nodes);
    if (status == DVL_OK)
        status = dvl_judge_all(&question, &nodes, &candidates, NULL, NULL);
    if (status != DVL_OK)
        return status;
    struct dvl_value *list = dvl_value_set(call->answer, "nodes", dvl_value_list(call->arena));
    bool whole = list != NULL;
    for (size_t i = 0; i < candidates.count && whole; i++) {
        if (candidates.items[i].code == DVL_CODE_FITS)
            whole = add_score(call, list, &candidates.items[i]);
    }
    return whole ? DVL_OK : dvl_error_memory(call->error);
}
