/* schedule: filter, both scores, choose, allocate, in one transaction. */
#include "placing.h"
#include "verbs.h"

#include <string.h>

struct schedule {
    struct dvl_call *call;
    struct dvl_pod_ref ref;
    struct dvl_question question;
    struct dvl_name_ids nodes;
    struct dvl_candidates candidates;
    const struct dvl_candidate *best;
    bool dry_run, bind;
};

/* ---- Why no node was found ---- */

static enum dvl_status explain_row(struct dvl_call *call, int64_t pod_id, const struct dvl_candidate *candidate,
                                   const struct dvl_device_verdict *device)
{
    struct dvl_explanation_row row = {.pod_id = pod_id,
                                      .at = call->now,
                                      .node = candidate->node.name,
                                      .code = (int64_t)candidate->code,
                                      .backend = candidate->backend,
                                      .reason = candidate->reason,
                                      .message = candidate->message};
    char number[24];
    if (device) {
        snprintf(number, sizeof number, "%lld", (long long)device->device->idx);
        row.device = device->device->uuid ? device->device->uuid : number;
        row.reason = device->reason ? device->reason : "would_do";
        row.message = device->message ? device->message : "this device would do";
    }
    return dvl_explanation_insert(call->store, &row, call->error);
}

static enum dvl_status explain_node(void *context, const struct dvl_candidate *candidate,
                                    const struct dvl_verdict *verdict)
{
    struct schedule *schedule = context;
    struct dvl_call *call = schedule->call;
    int64_t pod_id = schedule->ref.stored.id;
    enum dvl_status status = explain_row(call, pod_id, candidate, NULL);
    for (size_t i = 0; i < verdict->device_count && status == DVL_OK; i++)
        status = explain_row(call, pod_id, candidate, &verdict->devices[i]);
    return status;
}

/* Kept until the pod is placed or gone, so that "why is it pending" can be
 * asked later. */
static enum dvl_status keep_explanation(struct schedule *schedule)
{
    struct dvl_call *call = schedule->call;
    struct dvl_candidates again;
    enum dvl_status status = dvl_explanations_delete(call->store, schedule->ref.stored.id, call->error);
    schedule->question.explain = true;
    if (status == DVL_OK)
        status = dvl_judge_all(&schedule->question, &schedule->nodes, &again, explain_node, schedule);
    return status;
}

/* "none of 3 nodes takes it: 2 short_of_memory, 1 no_devices" */
static enum dvl_status no_fit(struct schedule *schedule)
{
    const struct dvl_candidates *candidates = &schedule->candidates;
    const struct dvl_pod *pod = &schedule->ref.row.pod;
    struct dvl_tally tally = {.devices = candidates->count};
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    for (size_t i = 0; i < candidates->count; i++)
        dvl_tally_add(&tally, candidates->items[i].reason);
    for (size_t i = 0; i < tally.kinds; i++)
        dvl_buffer_format(&text, "%s%zu %s", i ? ", " : ": ", tally.items[i].count, tally.items[i].reason);
    enum dvl_status status = dvl_error_set(schedule->call->error, DVL_NO_FIT, "pod %s/%s: none of %zu nodes takes it%s",
                                           pod->namespace_, pod->name, candidates->count, text.text);
    dvl_buffer_clear(&text);
    return status;
}

/* ---- The steps ---- */

static enum dvl_status choose(struct schedule *schedule)
{
    struct dvl_call *call = schedule->call;
    enum dvl_status status =
        dvl_question_of(call, call->arena, &schedule->ref.row.pod, schedule->ref.stored.id, &schedule->question);
    if (status == DVL_OK)
        status = dvl_request_nodes(call, &schedule->nodes);
    if (status == DVL_OK)
        status = dvl_judge_all(&schedule->question, &schedule->nodes, &schedule->candidates, NULL, NULL);
    if (status == DVL_OK)
        schedule->best = dvl_best(&schedule->candidates);
    return status;
}

static enum dvl_status answer_node(struct dvl_call *call, const char *node, int64_t total)
{
    bool whole = dvl_value_set(call->answer, "node", dvl_value_string(call->arena, node)) &&
                 dvl_value_set(call->answer, "total", dvl_value_int(call->arena, total));
    return whole ? DVL_OK : dvl_error_memory(call->error);
}

/* The best node's verdict again, this time with its slices. */
static enum dvl_status judge_best(struct schedule *schedule, struct dvl_verdict *verdict)
{
    return dvl_judge(&schedule->question, schedule->call->arena, &schedule->best->node, verdict);
}

static enum dvl_status answer_dry(struct schedule *schedule)
{
    struct dvl_verdict verdict;
    enum dvl_status status = judge_best(schedule, &verdict);
    if (status == DVL_OK)
        status = answer_node(schedule->call, schedule->best->node.name, schedule->best->total);
    return status == DVL_OK ? dvl_answer_verdict(schedule->call, &schedule->ref.row.pod, schedule->best->node.name,
                                                 &schedule->question, &verdict)
                            : status;
}

static enum dvl_status answer_placed(struct schedule *schedule, struct dvl_slice_set *set, int64_t total)
{
    struct dvl_call *call = schedule->call;
    enum dvl_status status = dvl_slices_of_pod(call->store, call->arena, schedule->ref.stored.id, set, call->error);
    if (status == DVL_OK)
        status = answer_node(call, set->node_name, total);
    return status == DVL_OK ? dvl_answer_set(call, &schedule->ref.row.pod, set) : status;
}

/* bind's annotations go over those of allocate. */
static enum dvl_status bind_too(struct schedule *schedule, const struct dvl_slice_set *set)
{
    struct dvl_call *call = schedule->call;
    const struct dvl_value *allocated = dvl_value_find(call->answer, "annotations");
    struct dvl_value *answer = call->answer, *scratch = dvl_value_map(call->arena);
    if (!scratch)
        return dvl_error_memory(call->error);
    call->answer = scratch;
    enum dvl_status status = dvl_bind_pod(call, &schedule->ref.row, set);
    call->answer = answer;
    const struct dvl_value *bound = dvl_value_find(scratch, "annotations");
    for (struct dvl_value *pair = allocated->first; pair && bound && status == DVL_OK; pair = pair->next) {
        const struct dvl_value *over = dvl_value_find(bound, pair->key);
        if (over) {
            pair->kind = over->kind;
            pair->text = over->text;
            pair->length = over->length;
        }
    }
    return status;
}

static enum dvl_status allocate(struct schedule *schedule)
{
    struct dvl_call *call = schedule->call;
    struct dvl_verdict verdict;
    struct dvl_slice_set set;
    int64_t expires_at, total = schedule->best->total;
    enum dvl_status status = dvl_request_ttl(call, &expires_at);
    if (status == DVL_OK)
        status = judge_best(schedule, &verdict);
    if (status == DVL_OK)
        status =
            dvl_place_pod(call, &schedule->ref.row, &schedule->best->node, &schedule->question, &verdict, expires_at);
    if (status == DVL_OK)
        status = answer_placed(schedule, &set, total);
    return status == DVL_OK && schedule->bind ? bind_too(schedule, &set) : status;
}

/* A pod that asks for no device fits everywhere and is recorded nowhere. */
static enum dvl_status answer_nothing(struct schedule *schedule)
{
    struct dvl_call *call = schedule->call;
    if (!schedule->best)
        return dvl_error_set(call->error, DVL_NO_FIT, "there are no nodes");
    struct dvl_slice_set none = {.expires_at = DVL_UNSET};
    enum dvl_status status = answer_node(call, schedule->best->node.name, schedule->best->total);
    return status == DVL_OK ? dvl_answer_set(call, &schedule->ref.row.pod, &none) : status;
}

static enum dvl_status check_phase(struct dvl_call *call, const struct dvl_pod *pod)
{
    if (strcmp(pod->phase, "Succeeded") != 0 && strcmp(pod->phase, "Failed") != 0)
        return DVL_OK;
    return dvl_error_set(call->error, DVL_CONFLICT, "pod %s/%s has finished", pod->namespace_, pod->name);
}

static enum dvl_status decide(struct schedule *schedule, bool *found)
{
    struct dvl_call *call = schedule->call;
    struct dvl_slice_set set;
    bool held = false;
    *found = true;
    enum dvl_status status = dvl_request_pod(call, &schedule->ref);
    if (status == DVL_OK)
        status = check_phase(call, &schedule->ref.row.pod);
    if (status == DVL_OK)
        status = dvl_answer_held(call, &schedule->ref, NULL, &set, &held);
    if (status != DVL_OK || held) {
        if (status == DVL_OK)
            status = answer_node(call, set.node_name, 0);
        return status == DVL_OK && schedule->bind && !schedule->dry_run ? bind_too(schedule, &set) : status;
    }
    status = choose(schedule);
    if (status != DVL_OK)
        return status;
    if (!schedule->question.count)
        return answer_nothing(schedule);
    if (schedule->dry_run)
        return schedule->best ? answer_dry(schedule) : no_fit(schedule);
    status = dvl_pod_ref_record(call, &schedule->ref);
    if (status == DVL_OK)
        status = dvl_downgrades_follow(call, schedule->ref.row.pod.uid, &schedule->candidates);
    if (status != DVL_OK)
        return status;
    /* The pod's row may be new: what it holds is still nothing. */
    schedule->question.pod = &schedule->ref.row.pod;
    schedule->question.pod_id = schedule->ref.stored.id;
    *found = schedule->best != NULL;
    return schedule->best ? allocate(schedule) : keep_explanation(schedule);
}

enum dvl_status dvl_verb_schedule(struct dvl_call *call)
{
    struct schedule schedule = {.call = call};
    enum dvl_status status = dvl_request_bool(call, "dryRun", false, &schedule.dry_run);
    if (status == DVL_OK)
        status = dvl_request_bool(call, "bind", false, &schedule.bind);
    if (status == DVL_OK)
        status = dvl_call_begin(call, schedule.dry_run ? DVL_READ : DVL_WRITE);
    if (status != DVL_OK)
        return status;
    bool found = true;
    status = decide(&schedule, &found);
    status = dvl_call_end(call, status);
    /* That no node was found is kept, and refused all the same. */
    return status == DVL_OK && !found ? no_fit(&schedule) : status;
}
