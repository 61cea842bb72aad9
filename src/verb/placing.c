/* Putting a pod on a node, and answering with slices and annotations. */
#include "placing.h"

#include "../timestamp.h"

#include <string.h>

/* ---- Annotations ---- */

/* Slices of rows know their container by name; annotations go by order. */
static void number_containers(const struct dvl_pod *pod, struct dvl_slice *const *slices, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < pod->container_count && slices[i]->container_ordinal < 0; c++) {
            if (strcmp(pod->containers[c].name, slices[i]->container) == 0)
                slices[i]->container_ordinal = (int64_t)c;
        }
    }
}

static enum dvl_status add_pairs(struct dvl_call *call, struct dvl_value *map, const struct dvl_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        if (!dvl_value_set(map, pairs->items[i].key, dvl_value_string(call->arena, pairs->items[i].value)))
            return dvl_error_memory(call->error);
    }
    return DVL_OK;
}

static enum dvl_status add_annotations(struct dvl_call *call, struct dvl_annotation_query *query,
                                       struct dvl_slice *const *slices, size_t count, struct dvl_value *map)
{
    query->slices = slices;
    query->slice_count = count;
    query->arena = call->arena;
    struct dvl_pairs pairs;
    enum dvl_status status = query->backend->ops->annotations(query, &pairs, call->error);
    return status == DVL_OK ? add_pairs(call, map, &pairs) : status;
}

enum dvl_status dvl_answer_annotations(struct dvl_call *call, const struct dvl_pod *pod,
                                       const struct dvl_slice_set *set, enum dvl_annotation_moment moment)
{
    struct dvl_value *map = dvl_value_set(call->answer, "annotations", dvl_value_map(call->arena));
    if (!map)
        return dvl_error_memory(call->error);
    number_containers(pod, set->items, set->count);
    enum dvl_status status = DVL_OK;
    for (size_t first = 0, end; first < set->count && status == DVL_OK; first = end) {
        const char *name = set->items[first]->backend;
        for (end = first + 1; end < set->count && strcmp(set->items[end]->backend, name) == 0;)
            end++;
        const struct dvl_backend *backend = dvl_backends_find(&call->ledger->backends, name);
        if (!backend)
            continue; /* its configuration is gone: nobody knows its keys any more */
        struct dvl_annotation_query query = {.backend = backend,
                                             .moment = moment,
                                             .node_name = set->node_name,
                                             .pod = pod,
                                             .bound = set->bound,
                                             .allocated_at = set->allocated_at};
        status = add_annotations(call, &query, set->items + first, end - first, map);
    }
    return status;
}

/* ---- Answers ---- */

/* Rows come by the name of their backend, answers by its registration, as they
 * were chosen; of a backend that is no more at the end. */
static struct dvl_value *slices_in_order(struct dvl_call *call, const struct dvl_slice_set *set)
{
    const struct dvl_backends *backends = &call->ledger->backends;
    struct dvl_slice **ordered = dvl_arena_array(call->arena, set->count, sizeof(struct dvl_slice *));
    size_t count = 0;
    if (!ordered)
        return NULL;
    for (size_t b = 0; b < backends->count; b++) {
        for (size_t i = 0; i < set->count; i++) {
            if (strcmp(set->items[i]->backend, backends->items[b].name) == 0)
                ordered[count++] = set->items[i];
        }
    }
    for (size_t i = 0; i < set->count; i++) {
        if (!dvl_backends_find(backends, set->items[i]->backend))
            ordered[count++] = set->items[i];
    }
    return dvl_slices_value(call->arena, ordered, count);
}

enum dvl_status dvl_answer_set(struct dvl_call *call, const struct dvl_pod *pod, const struct dvl_slice_set *set)
{
    if (!dvl_value_set(call->answer, "slices", slices_in_order(call, set)))
        return dvl_error_memory(call->error);
    if (set->expires_at != DVL_UNSET) {
        char time[DVL_TIME_SIZE];
        if (!dvl_value_set(call->answer, "expiresAt",
                           dvl_value_string(call->arena, dvl_time_write(set->expires_at, time))))
            return dvl_error_memory(call->error);
    }
    return dvl_answer_annotations(call, pod, set, DVL_MOMENT_ALLOCATE);
}

enum dvl_status dvl_answer_verdict(struct dvl_call *call, const struct dvl_pod *pod, const char *node_name,
                                   const struct dvl_question *question, const struct dvl_verdict *verdict)
{
    struct dvl_value *slices = dvl_value_set(call->answer, "slices", dvl_value_list(call->arena));
    struct dvl_value *map = dvl_value_set(call->answer, "annotations", dvl_value_map(call->arena));
    if (!slices || !map)
        return dvl_error_memory(call->error);
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < question->count && status == DVL_OK; i++) {
        const struct dvl_fit *fit = &verdict->fits[i];
        for (size_t s = 0; s < fit->slice_count; s++) {
            if (!dvl_value_add(slices, dvl_slice_value(call->arena, fit->slices[s])))
                return dvl_error_memory(call->error);
        }
        struct dvl_annotation_query query = {.backend = question->parts[i].backend,
                                             .moment = DVL_MOMENT_ALLOCATE,
                                             .node_name = node_name,
                                             .pod = pod,
                                             .allocated_at = call->now};
        status = add_annotations(call, &query, fit->slices, fit->slice_count, map);
    }
    return status;
}

/* ---- Who holds already ---- */

enum dvl_status dvl_answer_held(struct dvl_call *call, const struct dvl_pod_ref *ref, const struct dvl_name_id *node,
                                struct dvl_slice_set *set, bool *held)
{
    *held = false;
    *set = (struct dvl_slice_set){0};
    if (!ref->stored.id)
        return DVL_OK;
    enum dvl_status status = dvl_slices_of_pod(call->store, call->arena, ref->stored.id, set, call->error);
    if (status != DVL_OK || !set->count)
        return status;
    *held = true;
    if (node && node->id != set->node_id)
        return dvl_error_set(call->error, DVL_CONFLICT, "pod %s/%s holds devices on node %s", ref->row.pod.namespace_,
                             ref->row.pod.name, set->node_name);
    struct dvl_findings unread = {.arena = call->arena};
    struct dvl_request_rows stored, asked;
    status = dvl_requests_load(call->store, call->arena, ref->stored.id, &stored, call->error);
    if (status == DVL_OK)
        status = dvl_requests_of(call, call->arena, &ref->row.pod, &asked, &unread);
    if (status != DVL_OK)
        return status;
    if (!dvl_requests_same(&stored, &asked))
        return dvl_error_set(call->error, DVL_CONFLICT,
                             "pod %s/%s holds devices on node %s for another request; release it first",
                             ref->row.pod.namespace_, ref->row.pod.name, set->node_name);
    return dvl_answer_set(call, &ref->row.pod, set);
}

/* ---- Placing ---- */

/* gpushare locks in memory mode only. */
static bool wants_lock(const struct dvl_call *call, const struct dvl_part *part)
{
    if (!call->ledger->config.scheduler.node_lock || !part->backend->lock_name)
        return false;
    return part->backend->ops != &dvl_gpushare_ops || !call->ledger->config.scheduler.gpu_number;
}

static enum dvl_status take_locks(struct dvl_call *call, const struct dvl_pod_row *row, const struct dvl_name_id *node,
                                  const struct dvl_question *question)
{
    const char *holder = dvl_pod_holder(call->arena, &row->pod);
    if (!holder)
        return dvl_error_memory(call->error);
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < question->count && status == DVL_OK; i++) {
        if (wants_lock(call, &question->parts[i]))
            status = dvl_lock_take(call, node, question->parts[i].backend->lock_name, holder, NULL);
    }
    return status;
}

static enum dvl_status insert_slices(struct dvl_call *call, const struct dvl_placing *placing,
                                     const struct dvl_question *question, const struct dvl_verdict *verdict,
                                     struct dvl_value *after)
{
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < question->count; i++) {
        const struct dvl_fit *fit = &verdict->fits[i];
        for (size_t s = 0; s < fit->slice_count && status == DVL_OK; s++) {
            status = dvl_slice_insert(call->store, placing, fit->slices[s], call->error);
            if (status == DVL_OK && !dvl_value_add(after, dvl_slice_value(call->arena, fit->slices[s])))
                status = dvl_error_memory(call->error);
        }
    }
    return status;
}

enum dvl_status dvl_place_pod(struct dvl_call *call, const struct dvl_pod_row *row, const struct dvl_name_id *node,
                              const struct dvl_question *question, const struct dvl_verdict *verdict,
                              int64_t expires_at)
{
    const struct dvl_placing placing = {
        .pod_id = row->id, .node_id = node->id, .now = call->now, .expires_at = expires_at};
    struct dvl_value *detail = dvl_value_map(call->arena), *after = dvl_value_list(call->arena);
    const char *name = dvl_pod_name(call->arena, &row->pod);
    if (!name || !dvl_value_set(detail, "after", after))
        return dvl_error_memory(call->error);
    enum dvl_status status = take_locks(call, row, node, question);
    if (status == DVL_OK)
        status = insert_slices(call, &placing, question, verdict, after);
    if (status == DVL_OK && expires_at != DVL_UNSET) {
        char time[DVL_TIME_SIZE];
        if (!dvl_value_set(detail, "expiresAt", dvl_value_string(call->arena, dvl_time_write(expires_at, time))))
            status = dvl_error_memory(call->error);
    }
    if (status == DVL_OK)
        status = dvl_pod_place(call->store, call->now, row->id, node->id, node->name, call->error);
    if (status == DVL_OK)
        status = dvl_explanations_delete(call->store, row->id, call->error);
    if (status == DVL_OK)
        status = dvl_call_event(call, "slices_reserved", node->name, name, NULL, detail);
    return status == DVL_OK ? dvl_close_downgrades(call, row->pod.uid, node->id) : status;
}

/* ---- Downgrades ----
 *
 * Known by the pod's uid (D18): two pods of one name share nothing. */

/* The open row of a node, or NULL. */
static const struct dvl_downgrade_row *row_of(const struct dvl_downgrade_rows *rows, int64_t node_id)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->items[i].node_id == node_id)
            return &rows->items[i];
    }
    return NULL;
}

static bool row_is_right(const struct dvl_downgrade_row *row, const struct dvl_candidate *candidate)
{
    if (!row || !candidate->downgraded_to)
        return !row && !candidate->downgraded_to;
    return strcmp(row->asked, candidate->downgraded_from) == 0 && strcmp(row->given, candidate->downgraded_to) == 0;
}

enum dvl_status dvl_downgrades_differ(struct dvl_call *call, const char *pod_uid,
                                      const struct dvl_candidates *candidates, bool *differ)
{
    struct dvl_downgrade_rows rows;
    *differ = false;
    enum dvl_status status = dvl_downgrades_open(call->store, call->arena, pod_uid, &rows, call->error);
    for (size_t i = 0; i < candidates->count && status == DVL_OK && !*differ; i++)
        *differ = !row_is_right(row_of(&rows, candidates->items[i].node.id), &candidates->items[i]);
    return status;
}

static enum dvl_status downgrade_event(struct dvl_call *call, const char *kind, const char *pod_uid,
                                       const struct dvl_downgrade_row *row)
{
    struct dvl_value *detail = dvl_value_map(call->arena);
    bool whole = dvl_value_set(detail, "podUid", dvl_value_string(call->arena, pod_uid)) &&
                 dvl_value_set(detail, "templateAsked", dvl_value_string(call->arena, row->asked)) &&
                 dvl_value_set(detail, "templateGiven", dvl_value_string(call->arena, row->given)) &&
                 dvl_value_set(detail, "reason", dvl_value_string(call->arena, row->reason));
    return whole ? dvl_call_event(call, kind, row->node_name, NULL, NULL, detail) : dvl_error_memory(call->error);
}

static enum dvl_status replace_row(struct dvl_call *call, const char *pod_uid, const struct dvl_downgrade_row *old,
                                   const struct dvl_candidate *candidate)
{
    enum dvl_status status = DVL_OK;
    if (old) {
        status = dvl_downgrade_close(call->store, call->now, old->id, call->error);
        if (status == DVL_OK)
            status = downgrade_event(call, "downgrade_closed", pod_uid, old);
    }
    if (status != DVL_OK || !candidate->downgraded_to)
        return status;
    const struct dvl_downgrade_row row = {.node_id = candidate->node.id,
                                          .node_name = candidate->node.name,
                                          .asked = candidate->downgraded_from,
                                          .given = candidate->downgraded_to,
                                          .reason = candidate->downgrade_reason ? candidate->downgrade_reason : ""};
    status = dvl_downgrade_insert(call->store, call->now, pod_uid, &row, call->error);
    return status == DVL_OK ? downgrade_event(call, "downgrade_opened", pod_uid, &row) : status;
}

enum dvl_status dvl_downgrades_follow(struct dvl_call *call, const char *pod_uid,
                                      const struct dvl_candidates *candidates)
{
    struct dvl_downgrade_rows rows;
    enum dvl_status status = dvl_downgrades_open(call->store, call->arena, pod_uid, &rows, call->error);
    for (size_t i = 0; i < candidates->count && status == DVL_OK; i++) {
        const struct dvl_candidate *candidate = &candidates->items[i];
        const struct dvl_downgrade_row *old = row_of(&rows, candidate->node.id);
        if (!row_is_right(old, candidate))
            status = replace_row(call, pod_uid, old, candidate);
    }
    return status;
}
