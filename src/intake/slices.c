/* Slices as events and answers show them, and how a pod's set ends. */
#include "intake.h"

#include <string.h>

const char *dvl_action_name(enum dvl_action action)
{
    switch (action) {
    case DVL_CREATED:
        return "created";
    case DVL_UPDATED:
        return "updated";
    case DVL_UNCHANGED:
        return "unchanged";
    case DVL_DELETED:
        return "deleted";
    case DVL_IGNORED:
        return "ignored";
    }
    return "";
}

const char *dvl_pod_name(struct dvl_arena *arena, const struct dvl_pod *pod)
{
    return dvl_arena_format(arena, "%s/%s", pod->namespace_, pod->name);
}

static bool set_amount(struct dvl_value *map, struct dvl_arena *arena, const char *name, int64_t amount)
{
    return amount == 0 || amount == DVL_UNSET || dvl_value_set(map, name, dvl_value_int(arena, amount));
}

static bool set_word(struct dvl_value *map, struct dvl_arena *arena, const char *name, const char *word)
{
    return !word || dvl_value_set(map, name, dvl_value_string(arena, word));
}

struct dvl_value *dvl_slice_value(struct dvl_arena *arena, const struct dvl_slice *slice)
{
    struct dvl_value *map = dvl_value_map(arena);
    bool whole =
        dvl_value_set(map, "container", dvl_value_string(arena, slice->container)) &&
        dvl_value_set(map, "backend", dvl_value_string(arena, slice->backend)) &&
        dvl_value_set(map, "device", dvl_value_string(arena, slice->device_name)) &&
        dvl_value_set(map, "index", slice->device ? dvl_value_int(arena, slice->device->idx) : dvl_value_null(arena)) &&
        dvl_value_set(map, "memory", dvl_value_int(arena, slice->memory)) &&
        dvl_value_set(map, "cores", dvl_value_int(arena, slice->cores)) &&
        set_amount(map, arena, "memoryAsked", slice->memory_asked) && set_amount(map, arena, "slots", slice->slots) &&
        set_amount(map, arena, "aiCores", slice->ai_cores) && set_amount(map, arena, "aiCpus", slice->ai_cpus) &&
        set_word(map, arena, "mode", slice->mode) && set_word(map, arena, "templateAsked", slice->template_asked) &&
        set_word(map, arena, "template", slice->template_name) && set_word(map, arena, "migGroup", slice->mig_group);
    if (whole && slice->mig_position != DVL_UNSET)
        whole = dvl_value_set(map, "migPosition", dvl_value_int(arena, slice->mig_position)) != NULL;
    if (whole && slice->whole)
        whole = dvl_value_set(map, "whole", dvl_value_bool(arena, true)) != NULL;
    return whole ? map : NULL;
}

struct dvl_value *dvl_slices_value(struct dvl_arena *arena, struct dvl_slice *const *slices, size_t count)
{
    struct dvl_value *list = dvl_value_list(arena);
    for (size_t i = 0; i < count && list; i++) {
        if (!dvl_value_add(list, dvl_slice_value(arena, slices[i])))
            return NULL;
    }
    return list;
}

/* ---- The end of a set ---- */

enum dvl_status dvl_close_downgrades(struct dvl_call *call, const char *pod_uid, int64_t but_node_id)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_downgrade_rows rows;
    enum dvl_status status = dvl_downgrades_open(call->store, &arena, pod_uid, &rows, call->error);
    for (size_t i = 0; i < rows.count && status == DVL_OK; i++) {
        const struct dvl_downgrade_row *row = &rows.items[i];
        if (row->node_id == but_node_id)
            continue;
        struct dvl_value *detail = dvl_value_map(&arena);
        bool whole = dvl_value_set(detail, "podUid", dvl_value_string(&arena, pod_uid)) &&
                     dvl_value_set(detail, "templateAsked", dvl_value_string(&arena, row->asked)) &&
                     dvl_value_set(detail, "templateGiven", dvl_value_string(&arena, row->given));
        status =
            whole ? dvl_downgrade_close(call->store, call->now, row->id, call->error) : dvl_error_memory(call->error);
        if (status == DVL_OK)
            status = dvl_call_event(call, "downgrade_closed", row->node_name, NULL, NULL, detail);
    }
    return dvl_arena_end(&arena, status, call->error);
}

static enum dvl_status release_set(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod_row *row,
                                   const struct dvl_slice_set *set, const char *reason)
{
    struct dvl_value *detail = dvl_value_map(arena);
    bool whole = dvl_value_set(detail, "reason", dvl_value_string(arena, reason)) &&
                 dvl_value_set(detail, "before", dvl_slices_value(arena, set->items, set->count));
    const char *name = dvl_pod_name(arena, &row->pod);
    if (!whole || !name)
        return dvl_error_memory(call->error);
    enum dvl_status status = dvl_slices_release(call->store, call->now, row->id, NULL, reason, call->error);
    if (status == DVL_OK)
        status = dvl_call_event(call, "slices_released", set->node_name, name, NULL, detail);
    /* A pod that its manifest places nowhere is nowhere again. */
    if (status == DVL_OK && !row->pod.node_name && !row->gone)
        status = dvl_pod_place(call->store, call->now, row->id, 0, NULL, call->error);
    return status;
}

/* The request rows were those of the set; now they are what the pod asks. */
static enum dvl_status follow_request(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod_row *row)
{
    struct dvl_findings findings = {.arena = arena}; /* intake has told them already */
    struct dvl_request_rows requests;
    enum dvl_status status = dvl_requests_of(call, arena, &row->pod, &requests, &findings);
    return status == DVL_OK ? dvl_requests_save(call->store, arena, row->id, &requests, call->error) : status;
}

enum dvl_status dvl_release_pod(struct dvl_call *call, const struct dvl_pod_row *row, const char *reason)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_slice_set set;
    enum dvl_status status = dvl_slices_of_pod(call->store, &arena, row->id, &set, call->error);
    if (status == DVL_OK && set.count)
        status = release_set(call, &arena, row, &set, reason);
    if (status == DVL_OK && set.ledger)
        status = follow_request(call, &arena, row);
    const char *holder = dvl_pod_holder(&arena, &row->pod);
    if (status == DVL_OK)
        status = holder ? dvl_locks_give_back(call, holder, "released") : dvl_error_memory(call->error);
    if (status == DVL_OK)
        status = dvl_close_downgrades(call, row->pod.uid, 0);
    return dvl_arena_end(&arena, status, call->error);
}

enum dvl_status dvl_expire(struct dvl_call *call)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_ids pods;
    enum dvl_status status = dvl_pods_expired(call->store, &arena, call->clock, &pods, call->error);
    for (size_t i = 0; i < pods.count && status == DVL_OK; i++) {
        struct dvl_pod_row row;
        status = dvl_pod_load_id(call->store, &arena, pods.items[i], &row, call->error);
        if (status == DVL_OK)
            status = dvl_release_pod(call, &row, "expired");
    }
    return dvl_arena_end(&arena, status, call->error);
}
