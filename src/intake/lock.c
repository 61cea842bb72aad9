/* Node locks: taking, giving back, taking over, and lock annotations.
 *
 * One row a hold. Terms are judged by the clock, not by the time of the last
 * event, so that a clock set back makes no lock eternal. */
#include "intake.h"

#include "../timestamp.h"

#include <inttypes.h>
#include <string.h>

const char *dvl_pod_holder(struct dvl_arena *arena, const struct dvl_pod *pod)
{
    return dvl_arena_format(arena, "%s/%s/%s", pod->namespace_, pod->name, pod->uid);
}

/* Over, or taken so far in the future that its term can't be right. */
static bool is_expired(const struct dvl_call *call, const struct dvl_lock_row *row)
{
    return row->expires_at <= call->clock || row->taken_at > call->clock + (row->expires_at - row->taken_at);
}

static enum dvl_status lock_event(struct dvl_call *call, struct dvl_arena *arena, const char *kind,
                                  const struct dvl_lock_row *row, const char *node_name, const char *reason)
{
    char time[DVL_TIME_SIZE];
    struct dvl_value *detail = dvl_value_map(arena);
    bool whole = dvl_value_set(detail, "name", dvl_value_string(arena, row->name)) &&
                 dvl_value_set(detail, "holder", dvl_value_string(arena, row->holder));
    if (whole && reason)
        whole = dvl_value_set(detail, "reason", dvl_value_string(arena, reason)) != NULL;
    if (whole && !reason)
        whole = dvl_value_set(detail, "expiresAt", dvl_value_string(arena, dvl_time_write(row->expires_at, time)));
    return whole ? dvl_call_event(call, kind, node_name, NULL, NULL, detail) : dvl_error_memory(call->error);
}

enum dvl_status dvl_lock_end(struct dvl_call *call, const struct dvl_lock_row *row, const char *node_name,
                             const char *reason)
{
    enum dvl_status status = dvl_lock_release(call->store, call->now, row->id, reason, call->error);
    if (status != DVL_OK)
        return status;
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    status = lock_event(call, &arena, "lock_released", row, node_name, reason);
    return dvl_arena_end(&arena, status, call->error);
}

/* A holder that is a pod which the ledger knows to be gone or finished:
 * namespace/name[/uid]. A word without '/' is nobody we know. */
static enum dvl_status holder_is_gone(struct dvl_call *call, struct dvl_arena *arena, const char *holder, bool *gone)
{
    *gone = false;
    const char *slash = holder ? strchr(holder, '/') : NULL;
    if (!slash)
        return DVL_OK;
    const char *second = strchr(slash + 1, '/');
    if (!second) {
        const char *namespace_ = dvl_arena_bytes(arena, holder, (size_t)(slash - holder));
        bool known;
        return namespace_ ? dvl_pod_is_over(call->store, namespace_, slash + 1, &known, gone, call->error)
                          : dvl_error_memory(call->error);
    }
    struct dvl_pod_row row;
    enum dvl_status status = dvl_pod_load_uid(call->store, arena, second + 1, &row, call->error);
    if (status == DVL_OK && row.id)
        *gone = row.gone || strcmp(row.pod.phase, "Succeeded") == 0 || strcmp(row.pod.phase, "Failed") == 0;
    return status;
}

static enum dvl_status refuse(struct dvl_call *call, const struct dvl_lock_row *held, const char *node_name)
{
    int64_t left = held->expires_at - call->clock;
    return dvl_error_set(call->error, DVL_LOCKED, "node %s: lock %s is held by %s for another %" PRId64 " s", node_name,
                         held->name, held->holder ? held->holder : "somebody unknown",
                         left / 1000000 + (left % 1000000 > 0));
}

static enum dvl_status take(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_name_id *node,
                            struct dvl_lock_row *row)
{
    struct dvl_lock_row held;
    enum dvl_status status = dvl_lock_load(call->store, arena, node->id, row->name, &held, call->error);
    if (status != DVL_OK)
        return status;
    if (held.id) {
        bool gone = false;
        if (is_expired(call, &held)) {
            status = dvl_lock_end(call, &held, node->name, "expired");
        } else if (dvl_text_same(held.holder, row->holder)) {
            row->expires_at = held.expires_at; /* taken again, not extended */
            return DVL_OK;
        } else {
            status = holder_is_gone(call, arena, held.holder, &gone);
            if (status == DVL_OK)
                status = gone ? dvl_lock_end(call, &held, node->name, "holder_gone") : refuse(call, &held, node->name);
        }
        if (status != DVL_OK)
            return status;
    }
    status = dvl_lock_insert(call->store, row, call->error);
    return status == DVL_OK ? lock_event(call, arena, "lock_taken", row, node->name, NULL) : status;
}

enum dvl_status dvl_lock_take(struct dvl_call *call, const struct dvl_name_id *node, const char *name,
                              const char *holder, int64_t *expires_at)
{
    struct dvl_lock_row row = {.node_id = node->id,
                               .name = name,
                               .holder = holder,
                               .taken_at = call->clock,
                               .expires_at = call->clock + call->ledger->lock_term};
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    enum dvl_status status = take(call, &arena, node, &row);
    status = dvl_arena_end(&arena, status, call->error);
    if (status == DVL_OK && expires_at)
        *expires_at = row.expires_at;
    return status;
}

enum dvl_status dvl_locks_give_back(struct dvl_call *call, const char *holder, const char *reason)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_lock_rows locks;
    enum dvl_status status = dvl_locks_of_holder(call->store, &arena, holder, &locks, call->error);
    for (size_t i = 0; i < locks.count && status == DVL_OK; i++) {
        locks.items[i].holder = holder;
        status = dvl_lock_end(call, &locks.items[i], locks.items[i].node_name, reason);
    }
    return dvl_arena_end(&arena, status, call->error);
}

/* ---- Annotations ---- */

/* "TIME" or "TIME,namespace,pod". */
static bool read_lock(const char *text, struct dvl_arena *arena, int64_t *taken_at, const char **holder)
{
    struct dvl_span rest = dvl_span_of(text), part[3] = {{0}};
    bool more = true;
    size_t count = 0;
    while (count < 3 && dvl_span_cut(&rest, &more, ',', &part[count]))
        count++;
    if (more || count == 2 || part[0].length >= DVL_TIME_SIZE * 2)
        return false;
    char *time = dvl_arena_bytes(arena, part[0].start, part[0].length);
    if (!time || !dvl_time_read(time, taken_at) || *taken_at < 0)
        return false;
    *holder = NULL;
    if (count == 3) {
        if (!part[1].length || !part[2].length)
            return false;
        *holder = dvl_arena_format(arena, "%.*s/%.*s", (int)part[1].length, part[1].start, (int)part[2].length,
                                   part[2].start);
    }
    return count == 1 || *holder;
}

static enum dvl_status take_annotation(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_name_id *node,
                                       const char *name, const char *text, struct dvl_findings *findings)
{
    struct dvl_lock_row held;
    enum dvl_status status = dvl_lock_load(call->store, arena, node->id, name, &held, call->error);
    if (status != DVL_OK)
        return status;
    if (!text)
        return held.id && held.observed ? dvl_lock_end(call, &held, node->name, "annotation_gone") : DVL_OK;
    struct dvl_lock_row row = {.node_id = node->id, .name = name, .observed = true};
    if (!read_lock(text, arena, &row.taken_at, &row.holder)) {
        dvl_finding_add(findings, "unreadable_lock", name, 0, "\"%.64s\" is neither a time nor time,namespace,pod",
                        text);
        return DVL_OK;
    }
    row.expires_at = row.taken_at + call->ledger->lock_term;
    if (held.id && (!held.observed || (held.taken_at == row.taken_at && dvl_text_same(held.holder, row.holder))))
        return DVL_OK;
    if (held.id)
        status = dvl_lock_end(call, &held, node->name, "observed_change");
    if (status == DVL_OK)
        status = dvl_lock_insert(call->store, &row, call->error);
    return status == DVL_OK ? lock_event(call, arena, "lock_observed", &row, node->name, NULL) : status;
}

enum dvl_status dvl_take_lock_annotations(struct dvl_call *call, int64_t node_id, const struct dvl_node *node,
                                          struct dvl_findings *findings)
{
    const struct dvl_backends *backends = &call->ledger->backends;
    const struct dvl_name_id self = {.id = node_id, .name = node->name};
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < backends->count && status == DVL_OK; i++) {
        const char *name = backends->items[i].lock_name;
        bool before = !name;
        for (size_t j = 0; j < i && !before; j++)
            before = dvl_text_same(name, backends->items[j].lock_name);
        if (!before)
            status =
                take_annotation(call, findings->arena, &self, name, dvl_pairs_get(&node->annotations, name), findings);
    }
    return status;
}
