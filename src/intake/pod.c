/* A Pod object becomes its row and its requests, finds its place, and the
 * slices that its annotations claim are observed.
 *
 * An observed set follows the annotations; a set that the ledger gave never
 * does: where the two differ, a finding says so. */
#include "intake.h"

#include <string.h>

static const char queue_key[] = "scheduling.volcano.sh/queue-name";
static const char old_queue_key[] = "volcano.sh/queue-name";
static const char *const group_keys[] = {"scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name"};

/* ---- The row ---- */

static bool is_finished(const struct dvl_pod *pod)
{
    return strcmp(pod->phase, "Succeeded") == 0 || strcmp(pod->phase, "Failed") == 0;
}

enum dvl_status dvl_pod_of_manifest(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod *pod,
                                    struct dvl_pod_row *out)
{
    if (pod->uid)
        return dvl_pod_load_uid(call->store, arena, pod->uid, out, call->error);
    enum dvl_status status = dvl_pod_load_name(call->store, arena, pod->namespace_, pod->name, out, call->error);
    if (status == DVL_OK && out->namesakes > 1)
        return dvl_error_set(call->error, DVL_CONFLICT, "pod %s/%s: %zu live pods bear this name; say its uid",
                             pod->namespace_, pod->name, out->namesakes);
    if (status != DVL_OK || out->id)
        return status;
    const char *uid = dvl_arena_format(arena, "name:%s/%s", pod->namespace_, pod->name);
    return uid ? dvl_pod_load_uid(call->store, arena, uid, out, call->error) : dvl_error_memory(call->error);
}

static const char *group_of(struct dvl_arena *arena, const struct dvl_pod *pod, bool *failed)
{
    for (size_t i = 0; i < sizeof group_keys / sizeof group_keys[0]; i++) {
        const char *group = dvl_pairs_get(&pod->annotations, group_keys[i]);
        if (!group || !*group)
            continue;
        const char *name = dvl_arena_format(arena, "%s/%s", pod->namespace_, group);
        *failed = *failed || !name;
        return name;
    }
    return NULL;
}

static const char *queue_of(const struct dvl_pod *pod)
{
    const char *queue = dvl_pairs_get(&pod->annotations, queue_key);
    if (!queue || !*queue)
        queue = dvl_pairs_get(&pod->annotations, old_queue_key);
    return queue && *queue ? queue : "default";
}

enum dvl_status dvl_pod_row_of(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod *pod,
                               const struct dvl_pod_row *there, struct dvl_pod_row *out)
{
    bool failed = false;
    *out = (struct dvl_pod_row){.id = there->id,
                                .pod = *pod,
                                .labels = dvl_pairs_json(arena, &pod->labels),
                                .annotations = dvl_pairs_json(arena, &pod->annotations),
                                .containers = dvl_containers_json(arena, pod),
                                .queue = queue_of(pod),
                                .pod_group = group_of(arena, pod, &failed),
                                .node_id = there->node_id,
                                .node_name = there->node_name};
    if (there->id)
        out->pod.uid = there->pod.uid;
    else if (!pod->uid)
        out->pod.uid = dvl_arena_format(arena, "name:%s/%s", pod->namespace_, pod->name);
    if (!out->pod.created_at)
        out->pod.created_at = there->id ? there->pod.created_at : call->now;
    if (failed || !out->labels || !out->annotations || !out->containers || !out->pod.uid)
        return dvl_error_memory(call->error);
    return DVL_OK;
}

static bool same_pod(const struct dvl_pod_row *a, const struct dvl_pod_row *b)
{
    return dvl_text_same(a->labels, b->labels) && dvl_text_same(a->annotations, b->annotations) &&
           dvl_text_same(a->containers, b->containers) && dvl_text_same(a->pod.phase, b->pod.phase) &&
           dvl_text_same(a->pod.node_name, b->pod.node_name) && a->pod.terminating_at == b->pod.terminating_at;
}

/* ---- Requests ---- */

enum dvl_status dvl_requests_of(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod *pod,
                                struct dvl_request_rows *out, struct dvl_findings *findings)
{
    const struct dvl_backends *backends = &call->ledger->backends;
    *out = (struct dvl_request_rows){0};
    for (size_t i = 0; i < backends->count; i++) {
        struct dvl_pod_request request = {0};
        struct dvl_error why;
        enum dvl_status status = backends->items[i].ops->read_request(&backends->items[i], pod, arena, &request, &why);
        if (status == DVL_BAD_INPUT) {
            dvl_finding_add(findings, "unreadable_request", backends->items[i].name, 0, "%s", why.message);
            continue;
        }
        if (status != DVL_OK)
            return dvl_error_set(call->error, status, "%s", why.message);
        for (size_t a = 0; a < request.ask_count; a++) {
            void *items = out->items;
            struct dvl_request_row *row = dvl_rows_grow(arena, &items, &out->count, sizeof *row);
            if (!row)
                return dvl_error_memory(call->error);
            out->items = items;
            *row = (struct dvl_request_row){.backend = backends->items[i].name, .ask = request.asks[a]};
        }
    }
    return DVL_OK;
}

/* ---- Observed slices ---- */

/* What the annotations claim of one backend. */
struct claim {
    const struct dvl_backend *backend;
    struct dvl_assignment assignment;
};

struct pod_sync {
    struct dvl_call *call;
    struct dvl_arena *arena;
    const struct dvl_pod_row *row;
    struct dvl_slice_set set; /* what it holds now */
    struct dvl_findings *findings;
    struct claim *claims;
    size_t claim_count;
    struct dvl_node_row node; /* where it is; id 0: the node is unknown */
    const char *node_name;    /* NULL: nowhere */
};

/* Which backends' annotations the pod carries, and where they say it is. */
static enum dvl_status find_claims(struct pod_sync *sync)
{
    const struct dvl_backends *backends = &sync->call->ledger->backends;
    sync->claims = dvl_arena_array(sync->arena, backends->count, sizeof *sync->claims);
    if (!sync->claims)
        return dvl_error_memory(sync->call->error);
    for (size_t i = 0; i < backends->count; i++) {
        const struct dvl_backend *backend = &backends->items[i];
        struct dvl_findings dropped = {.arena = sync->arena}; /* the second reading, with devices, keeps them */
        struct dvl_assignment first = {0};
        enum dvl_status status =
            backend->ops->read_assignment(backend, &sync->row->pod, NULL, 0, &first, &dropped, sync->call->error);
        if (status != DVL_OK)
            return status;
        if (!first.said)
            continue;
        sync->claims[sync->claim_count++].backend = backend;
        if (!sync->node_name)
            sync->node_name = first.node_name;
    }
    return DVL_OK;
}

static enum dvl_status find_place(struct pod_sync *sync)
{
    struct dvl_call *call = sync->call;
    if (sync->row->pod.node_name)
        sync->node_name = sync->row->pod.node_name;
    if (!sync->node_name && sync->set.ledger)
        sync->node_name = sync->set.node_name;
    int64_t node_id = 0;
    if (sync->node_name) {
        enum dvl_status status = dvl_node_load(call->store, sync->arena, sync->node_name, &sync->node, call->error);
        if (status != DVL_OK)
            return status;
        if (sync->node.removed)
            sync->node.id = 0;
        node_id = sync->node.id;
        if (!node_id)
            dvl_finding_add(sync->findings, "unknown_node", "spec.nodeName", 0, "node %.128s is not known",
                            sync->node_name);
    }
    if (node_id == sync->row->node_id && dvl_text_same(sync->node_name, sync->row->node_name))
        return DVL_OK;
    return dvl_pod_place(call->store, call->now, sync->row->id, node_id, sync->node_name, call->error);
}

/* A pod that is nowhere yet names no device that its node lacks. */
static void take_findings(struct pod_sync *sync, const struct dvl_findings *findings)
{
    for (const struct dvl_finding *finding = findings->first; finding; finding = finding->next) {
        if (sync->node_name || strcmp(finding->kind, "unknown_device") != 0)
            dvl_finding_add(sync->findings, finding->kind, finding->key, finding->position, "%s", finding->text);
    }
}

static enum dvl_status read_claim(struct pod_sync *sync, const struct dvl_device_rows *rows, struct claim *claim)
{
    struct dvl_device **devices = dvl_arena_array(sync->arena, rows->count, sizeof(struct dvl_device *));
    size_t count = 0;
    if (!devices)
        return dvl_error_memory(sync->call->error);
    for (size_t i = 0; i < rows->count; i++) {
        if (!rows->items[i].device.removed && strcmp(rows->items[i].backend, claim->backend->name) == 0)
            devices[count++] = &rows->items[i].device;
    }
    struct dvl_findings findings = {.arena = sync->arena};
    enum dvl_status status = claim->backend->ops->read_assignment(claim->backend, &sync->row->pod, devices, count,
                                                                  &claim->assignment, &findings, sync->call->error);
    sync->findings->failed = sync->findings->failed || findings.failed;
    take_findings(sync, &findings);
    return status;
}

static enum dvl_status read_claims(struct pod_sync *sync)
{
    if (!sync->claim_count)
        return DVL_OK;
    struct dvl_device_rows rows = {0};
    enum dvl_status status = DVL_OK;
    if (sync->node.id)
        status = dvl_devices_of_node(sync->call->store, sync->arena, sync->node.id, &rows, sync->call->error);
    for (size_t i = 0; i < sync->claim_count && status == DVL_OK; i++)
        status = read_claim(sync, &rows, &sync->claims[i]);
    return status;
}

/* Everything but the device's row, and memory where the device is not there:
 * a card held whole has the memory of a card that may come later. */
static bool same_slice(const struct dvl_slice *row, const struct dvl_slice *claim)
{
    return dvl_text_same(row->device_name, claim->device_name) && dvl_text_same(row->container, claim->container) &&
           (row->memory == claim->memory || !row->device || !claim->device) &&
           row->memory_asked == claim->memory_asked && row->cores == claim->cores && row->slots == claim->slots &&
           row->ai_cores == claim->ai_cores && row->ai_cpus == claim->ai_cpus && row->whole == claim->whole &&
           dvl_text_same(row->mode, claim->mode) && dvl_text_same(row->template_name, claim->template_name) &&
           dvl_text_same(row->mig_group, claim->mig_group) && row->mig_position == claim->mig_position;
}

/* D38: a card that the ledger gave whole is held whole, also when the switches
 * change and the same words mean a share of it now. */
static bool says_amount(const struct dvl_slice *row, const struct dvl_slice *claim)
{
    if (row->whole != claim->whole)
        return row->whole;
    return row->memory == claim->memory || !claim->device;
}

/* A ledger row and an annotation say the same when what the annotation can
 * say is the same. */
static bool says_the_same(const struct dvl_slice *row, const struct dvl_slice *claim)
{
    return dvl_text_same(row->device_name, claim->device_name) && row->cores == claim->cores &&
           says_amount(row, claim) && dvl_text_same(row->mig_group, claim->mig_group) &&
           row->mig_position == claim->mig_position && dvl_text_same(row->template_name, claim->template_name);
}

/* The pod's rows of one backend: *first is their start in the set. */
static size_t rows_of_backend(const struct dvl_slice_set *set, const char *backend, size_t *first)
{
    size_t count = 0;
    *first = 0;
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i]->backend, backend) != 0)
            continue;
        if (count++ == 0)
            *first = i;
    }
    return count;
}

static bool claim_matches(const struct dvl_slice_set *set, const struct claim *claim,
                          bool (*same)(const struct dvl_slice *, const struct dvl_slice *))
{
    size_t first, count = rows_of_backend(set, claim->backend->name, &first);
    if (count != claim->assignment.slice_count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!same(set->items[first + i], claim->assignment.slices[i]))
            return false;
    }
    return true;
}

/* ---- A set that the ledger gave ---- */

static enum dvl_status bind_set(struct pod_sync *sync)
{
    struct dvl_call *call = sync->call;
    const char *name = dvl_pod_name(sync->arena, &sync->row->pod);
    const char *holder = dvl_pod_holder(sync->arena, &sync->row->pod);
    if (!name || !holder)
        return dvl_error_memory(call->error);
    enum dvl_status status = dvl_slices_bind(call->store, call->now, sync->row->id, NULL, call->error);
    if (status == DVL_OK)
        status = dvl_call_event(call, "slices_bound", sync->set.node_name, name, NULL, NULL);
    return status == DVL_OK ? dvl_locks_give_back(call, holder, "bound") : status;
}

static enum dvl_status compare_with_ledger(struct pod_sync *sync)
{
    bool bound = false;
    for (size_t i = 0; i < sync->claim_count; i++) {
        const struct claim *claim = &sync->claims[i];
        if (claim->assignment.unreadable)
            continue; /* a finding of its own says so */
        if (!claim_matches(&sync->set, claim, says_the_same))
            dvl_finding_add(sync->findings, "annotation_differs", claim->backend->name, 0,
                            "the annotation claims other slices than the ledger gave on node %.128s",
                            sync->set.node_name);
        bound = bound || claim->assignment.bound;
    }
    if (sync->node_name && strcmp(sync->node_name, sync->set.node_name) != 0) {
        dvl_finding_add(sync->findings, "annotation_differs", "spec.nodeName", 0,
                        "the pod is on node %.128s, the ledger gave it devices of node %.128s", sync->node_name,
                        sync->set.node_name);
        return DVL_OK;
    }
    return bound && !sync->set.bound ? bind_set(sync) : DVL_OK;
}

/* ---- An observed set ---- */

static bool any_unreadable(const struct pod_sync *sync)
{
    for (size_t i = 0; i < sync->claim_count; i++) {
        if (sync->claims[i].assignment.unreadable)
            return true;
    }
    return false;
}

static bool observed_is_current(const struct pod_sync *sync)
{
    size_t claimed = 0;
    for (size_t i = 0; i < sync->claim_count; i++) {
        if (!claim_matches(&sync->set, &sync->claims[i], same_slice))
            return false;
        claimed += sync->claims[i].assignment.slice_count;
    }
    return claimed == sync->set.count && (!claimed || sync->set.node_id == sync->node.id);
}

/* Devices that came after the pod. */
static enum dvl_status link_devices(struct pod_sync *sync)
{
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < sync->claim_count && status == DVL_OK; i++) {
        const struct claim *claim = &sync->claims[i];
        size_t first;
        rows_of_backend(&sync->set, claim->backend->name, &first);
        for (size_t s = 0; s < claim->assignment.slice_count && status == DVL_OK; s++) {
            const struct dvl_slice *row = sync->set.items[first + s], *now = claim->assignment.slices[s];
            if (!row->device && now->device)
                status = dvl_slice_link(sync->call->store, row->id, now->device->id, now->memory, sync->call->error);
        }
    }
    return status;
}

static bool says_bound(const struct pod_sync *sync)
{
    bool bound = sync->row->pod.node_name != NULL;
    for (size_t i = 0; i < sync->claim_count; i++)
        bound = bound || sync->claims[i].assignment.bound;
    return bound;
}

static enum dvl_status insert_claims(struct pod_sync *sync, struct dvl_value *after)
{
    struct dvl_call *call = sync->call;
    const struct dvl_placing placing = {.pod_id = sync->row->id,
                                        .node_id = sync->node.id,
                                        .now = call->now,
                                        .expires_at = DVL_UNSET,
                                        .observed = true,
                                        .bound = says_bound(sync)};
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < sync->claim_count && status == DVL_OK; i++) {
        const struct dvl_assignment *assignment = &sync->claims[i].assignment;
        for (size_t s = 0; s < assignment->slice_count && status == DVL_OK; s++) {
            status = dvl_slice_insert(call->store, &placing, assignment->slices[s], call->error);
            if (status == DVL_OK && !dvl_value_add(after, dvl_slice_value(sync->arena, assignment->slices[s])))
                status = dvl_error_memory(call->error);
        }
    }
    return status;
}

static enum dvl_status observe(struct pod_sync *sync)
{
    struct dvl_call *call = sync->call;
    if (sync->set.count) {
        enum dvl_status status =
            dvl_slices_release(call->store, call->now, sync->row->id, NULL, "observed_change", call->error);
        if (status != DVL_OK)
            return status;
    }
    struct dvl_value *detail = dvl_value_map(sync->arena), *after = dvl_value_list(sync->arena);
    struct dvl_value *before = dvl_slices_value(sync->arena, sync->set.items, sync->set.count);
    const char *name = dvl_pod_name(sync->arena, &sync->row->pod);
    if (!after || !name || !dvl_value_set(detail, "before", before) || !dvl_value_set(detail, "after", after))
        return dvl_error_memory(call->error);
    enum dvl_status status = sync->node.id ? insert_claims(sync, after) : DVL_OK;
    if (status != DVL_OK || (!after->count && !sync->set.count))
        return status;
    const char *node = after->count ? sync->node_name : sync->set.node_name;
    return dvl_call_event(call, after->count ? "slices_observed" : "slices_released", node, name, NULL, detail);
}

static enum dvl_status follow_annotations(struct pod_sync *sync)
{
    if (sync->set.count && any_unreadable(sync))
        return DVL_OK; /* what read before stays */
    if (observed_is_current(sync)) {
        enum dvl_status status = link_devices(sync);
        if (status == DVL_OK && sync->set.count && !sync->set.bound && says_bound(sync))
            status = bind_set(sync);
        return status;
    }
    return observe(sync);
}

/* ---- All of it ---- */

static enum dvl_status sync_live(struct pod_sync *sync)
{
    enum dvl_status status = find_claims(sync);
    if (status == DVL_OK)
        status = find_place(sync);
    if (status == DVL_OK)
        status = read_claims(sync);
    if (status != DVL_OK)
        return status;
    return sync->set.ledger ? compare_with_ledger(sync) : follow_annotations(sync);
}

static enum dvl_status sync_pod(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod_row *row)
{
    struct dvl_findings findings = {.arena = arena};
    struct dvl_request_rows requests;
    enum dvl_status status = dvl_requests_of(call, arena, &row->pod, &requests, &findings);
    struct pod_sync sync = {.call = call, .arena = arena, .row = row, .findings = &findings};
    if (status == DVL_OK)
        status = dvl_slices_of_pod(call->store, arena, row->id, &sync.set, call->error);
    /* A set that the ledger gave keeps the request that it was given for, so
     * that the same call again can be told from another one. */
    if (status == DVL_OK && !sync.set.ledger)
        status = dvl_requests_save(call->store, arena, row->id, &requests, call->error);
    if (status != DVL_OK)
        return status;
    if (is_finished(&row->pod)) {
        /* D4: who is finished holds nothing, whatever the backend. */
        findings = (struct dvl_findings){.arena = arena};
        status = dvl_release_pod(call, row, "finished");
        if (status == DVL_OK)
            status = dvl_explanations_delete(call->store, row->id, call->error);
    } else {
        status = sync_live(&sync);
    }
    const char *name = dvl_pod_name(arena, &row->pod);
    if (status == DVL_OK)
        status = name ? dvl_findings_save(call->store, call->now, "Pod", name, &findings, call->error)
                      : dvl_error_memory(call->error);
    return status;
}

enum dvl_status dvl_sync_pod(struct dvl_call *call, const struct dvl_pod_row *row)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    enum dvl_status status = sync_pod(call, &arena, row);
    return dvl_arena_end(&arena, status, call->error);
}

static enum dvl_status sync_ids(struct dvl_call *call, const struct dvl_ids *pods)
{
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < pods->count && status == DVL_OK; i++) {
        struct dvl_arena arena;
        dvl_arena_init(&arena, 0);
        struct dvl_pod_row row;
        status = dvl_pod_load_id(call->store, &arena, pods->items[i], &row, call->error);
        if (status == DVL_OK && row.id)
            status = sync_pod(call, &arena, &row);
        status = dvl_arena_end(&arena, status, call->error);
    }
    return status;
}

enum dvl_status dvl_sync_pods_on(struct dvl_call *call, const char *node_name)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_ids pods;
    enum dvl_status status = dvl_pod_list_on(call->store, &arena, node_name, &pods, call->error);
    if (status == DVL_OK)
        status = sync_ids(call, &pods);
    return dvl_arena_end(&arena, status, call->error);
}

enum dvl_status dvl_sync_pods(struct dvl_call *call)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_ids pods;
    enum dvl_status status = dvl_pod_list(call->store, &arena, &pods, call->error);
    if (status == DVL_OK)
        status = sync_ids(call, &pods);
    return dvl_arena_end(&arena, status, call->error);
}

/* ---- Taking one ---- */

static struct dvl_value *pod_detail(struct dvl_arena *arena, const struct dvl_pod_row *before,
                                    const struct dvl_pod_row *after)
{
    struct dvl_value *detail = dvl_value_map(arena);
    struct dvl_value *was = before->id ? dvl_value_set(detail, "before", dvl_value_map(arena)) : NULL;
    struct dvl_value *is = dvl_value_set(detail, "after", dvl_value_map(arena));
    const struct {
        const char *name, *before, *after;
    } parts[] = {{"labels", before->labels, after->labels},
                 {"annotations", before->annotations, after->annotations},
                 {"containers", before->containers, after->containers},
                 {"phase", before->pod.phase, after->pod.phase},
                 {"nodeName", before->pod.node_name, after->pod.node_name}};
    bool whole = is && dvl_value_set(detail, "uid", dvl_value_string(arena, after->pod.uid));
    for (size_t i = 0; whole && i < sizeof parts / sizeof parts[0]; i++) {
        if (dvl_text_same(parts[i].before, parts[i].after))
            continue;
        if (before->id)
            whole = dvl_value_set(was, parts[i].name, dvl_value_string(arena, parts[i].before)) != NULL;
        whole = whole && dvl_value_set(is, parts[i].name, dvl_value_string(arena, parts[i].after));
    }
    return whole ? detail : NULL;
}

static enum dvl_status take(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod *pod,
                            enum dvl_action *action, int64_t *id)
{
    struct dvl_pod_row before, after;
    enum dvl_status status = dvl_pod_of_manifest(call, arena, pod, &before);
    if (status != DVL_OK)
        return status;
    if (before.id && (strcmp(before.pod.namespace_, pod->namespace_) != 0 || strcmp(before.pod.name, pod->name) != 0))
        return dvl_error_set(call->error, DVL_CONFLICT, "pod %s/%s: its uid is that of pod %s/%s", pod->namespace_,
                             pod->name, before.pod.namespace_, before.pod.name);
    status = dvl_pod_row_of(call, arena, pod, &before, &after);
    if (status != DVL_OK)
        return status;
    if (before.id && !before.gone && same_pod(&before, &after)) {
        *action = DVL_UNCHANGED;
        if (id)
            *id = before.id;
        return DVL_OK;
    }
    *action = before.id && !before.gone ? DVL_UPDATED : DVL_CREATED;
    status = dvl_pod_save(call->store, call->now, &after, call->error);
    struct dvl_value *detail = pod_detail(arena, &before, &after);
    const char *name = dvl_pod_name(arena, &after.pod);
    if (status == DVL_OK && (!detail || !name))
        status = dvl_error_memory(call->error);
    const char *kind = !before.id ? "pod_created" : before.gone ? "pod_returned" : "pod_updated";
    if (status == DVL_OK)
        status = dvl_call_event(call, kind, after.pod.node_name, name, NULL, detail);
    if (status == DVL_OK)
        status = sync_pod(call, arena, &after);
    if (id)
        *id = after.id;
    return status;
}

enum dvl_status dvl_take_pod(struct dvl_call *call, const struct dvl_pod *pod, enum dvl_action *action, int64_t *id)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    enum dvl_status status = take(call, &arena, pod, action, id);
    return dvl_arena_end(&arena, status, call->error);
}

enum dvl_status dvl_retire_pod(struct dvl_call *call, const struct dvl_pod_row *row)
{
    if (row->gone)
        return DVL_OK;
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    const struct dvl_findings none = {.arena = &arena};
    const char *name = dvl_pod_name(&arena, &row->pod);
    enum dvl_status status = name ? dvl_release_pod(call, row, "deleted") : dvl_error_memory(call->error);
    if (status == DVL_OK)
        status = dvl_explanations_delete(call->store, row->id, call->error);
    if (status == DVL_OK)
        status = dvl_pod_gone(call->store, call->now, row->id, call->error);
    if (status == DVL_OK)
        status = dvl_findings_save(call->store, call->now, "Pod", name, &none, call->error);
    if (status == DVL_OK)
        status = dvl_call_event(call, "pod_deleted", row->node_name, name, NULL, NULL);
    return dvl_arena_end(&arena, status, call->error);
}
