/* allocate, bind, release: the single steps of a pod's life on a node. */
#include "placing.h"
#include "verbs.h"

#include <string.h>

/* ---- allocate ---- */

static enum dvl_status refuse(struct dvl_call *call, const struct dvl_pod *pod, const struct dvl_name_id *node,
                              const struct dvl_verdict *verdict)
{
    return dvl_error_set(call->error, DVL_NO_FIT, "pod %s/%s does not fit on node %s: %s: %s: %s", pod->namespace_,
                         pod->name, node->name, verdict->backend->name, verdict->reason, verdict->message);
}

static enum dvl_status follow_downgrade(struct dvl_call *call, const struct dvl_pod_ref *ref,
                                        const struct dvl_name_id *node, const struct dvl_verdict *verdict)
{
    const struct dvl_fit *fit = verdict->batch_fit;
    struct dvl_candidate candidate = {.node = *node, .code = verdict->code};
    if (fit) {
        candidate.downgraded_from = fit->downgraded_from;
        candidate.downgraded_to = fit->downgraded_to;
        candidate.downgrade_reason = fit->downgrade_reason;
    }
    const struct dvl_candidates one = {.items = &candidate, .count = 1};
    return dvl_downgrades_follow(call, ref->row.pod.uid, &one);
}

static enum dvl_status place(struct dvl_call *call, struct dvl_pod_ref *ref, const struct dvl_name_id *node)
{
    struct dvl_question question;
    struct dvl_verdict verdict;
    int64_t expires_at;
    enum dvl_status status = dvl_request_ttl(call, &expires_at);
    if (status == DVL_OK)
        status = dvl_question_of(call, call->arena, &ref->row.pod, ref->stored.id, &question);
    if (status == DVL_OK)
        status = dvl_judge(&question, call->arena, node, &verdict);
    if (status != DVL_OK)
        return status;
    if (verdict.code != DVL_CODE_FITS)
        return refuse(call, &ref->row.pod, node, &verdict);
    struct dvl_slice_set set = {.expires_at = DVL_UNSET};
    if (question.count) {
        status = dvl_pod_ref_record(call, ref);
        if (status == DVL_OK)
            status = follow_downgrade(call, ref, node, &verdict);
        if (status == DVL_OK)
            status = dvl_place_pod(call, &ref->row, node, &question, &verdict, expires_at);
        if (status == DVL_OK)
            status = dvl_slices_of_pod(call->store, call->arena, ref->row.id, &set, call->error);
    }
    return status == DVL_OK ? dvl_answer_set(call, &ref->row.pod, &set) : status;
}

enum dvl_status dvl_verb_allocate(struct dvl_call *call)
{
    struct dvl_pod_ref ref;
    struct dvl_name_id node;
    struct dvl_slice_set set;
    bool held;
    enum dvl_status status = dvl_request_pod(call, &ref);
    if (status == DVL_OK)
        status = dvl_request_node(call, &node);
    if (status != DVL_OK)
        return status;
    const struct dvl_pod *pod = &ref.row.pod;
    if (strcmp(pod->phase, "Succeeded") == 0 || strcmp(pod->phase, "Failed") == 0)
        return dvl_error_set(call->error, DVL_CONFLICT, "pod %s/%s has finished", pod->namespace_, pod->name);
    status = dvl_answer_held(call, &ref, &node, &set, &held);
    return status != DVL_OK || held ? status : place(call, &ref, &node);
}

/* ---- bind ---- */

enum dvl_status dvl_bind_pod(struct dvl_call *call, const struct dvl_pod_row *row, const struct dvl_slice_set *set)
{
    const char *name = dvl_pod_name(call->arena, &row->pod), *holder = dvl_pod_holder(call->arena, &row->pod);
    if (!name || !holder)
        return dvl_error_memory(call->error);
    enum dvl_status status = DVL_OK;
    if (!set->bound) {
        status = dvl_slices_bind(call->store, call->now, row->id, NULL, call->error);
        if (status == DVL_OK)
            status = dvl_call_event(call, "slices_bound", set->node_name, name, NULL, NULL);
    }
    if (status == DVL_OK)
        status = dvl_locks_give_back(call, holder, "bound");
    return status == DVL_OK ? dvl_answer_annotations(call, &row->pod, set, DVL_MOMENT_BIND) : status;
}

/* The pod's live set; none for a manifest whose pod was never taken. */
static enum dvl_status load_set(struct dvl_call *call, struct dvl_pod_ref *ref, struct dvl_slice_set *set)
{
    enum dvl_status status = dvl_request_pod(call, ref);
    *set = (struct dvl_slice_set){.expires_at = DVL_UNSET};
    if (status != DVL_OK || !ref->stored.id || ref->stored.gone)
        return status;
    return dvl_slices_of_pod(call->store, call->arena, ref->stored.id, set, call->error);
}

enum dvl_status dvl_verb_bind(struct dvl_call *call)
{
    struct dvl_pod_ref ref;
    struct dvl_slice_set set;
    const char *node;
    enum dvl_status status = load_set(call, &ref, &set);
    if (status == DVL_OK)
        status = dvl_request_text(call, "node", &node);
    if (status != DVL_OK)
        return status;
    const struct dvl_pod *pod = &ref.row.pod;
    if (!set.count)
        return dvl_error_set(call->error, DVL_NOT_FOUND, "pod %s/%s holds no devices", pod->namespace_, pod->name);
    if (node && strcmp(node, set.node_name) != 0)
        return dvl_error_set(call->error, DVL_CONFLICT, "pod %s/%s holds devices on node %s, not on %.256s",
                             pod->namespace_, pod->name, set.node_name, node);
    return dvl_bind_pod(call, &ref.stored, &set);
}

/* ---- release ---- */

enum dvl_status dvl_verb_release(struct dvl_call *call)
{
    struct dvl_pod_ref ref;
    struct dvl_slice_set set;
    enum dvl_status status = load_set(call, &ref, &set);
    if (status == DVL_OK)
        status = dvl_answer_annotations(call, &ref.row.pod, &set, DVL_MOMENT_RELEASE);
    return status == DVL_OK && ref.stored.id ? dvl_release_pod(call, &ref.stored, "released") : status;
}
