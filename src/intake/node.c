/* A Node object becomes its row, its devices, its locks and its findings. */
#include "intake.h"

#include <string.h>

/* ---- Devices ---- */

static bool same_device(const struct dvl_device *a, const struct dvl_device *b)
{
    return a->idx == b->idx && dvl_text_same(a->type, b->type) && dvl_text_same(a->mode, b->mode) &&
           a->memory == b->memory && a->cores == b->cores && a->slots == b->slots && a->ai_cores == b->ai_cores &&
           a->ai_cpus == b->ai_cpus && a->numa == b->numa && a->network_id == b->network_id &&
           a->healthy == b->healthy && a->schedulable == b->schedulable && dvl_text_same(a->reason, b->reason);
}

/* Known by UUID where there is one, by number else. */
static bool is_same_one(const struct dvl_device *a, const struct dvl_device *b)
{
    if (a->uuid || b->uuid)
        return dvl_text_same(a->uuid, b->uuid);
    return a->idx == b->idx;
}

struct node_sync {
    struct dvl_call *call;
    struct dvl_arena *arena;
    int64_t node_id;
    struct dvl_device_rows rows; /* as stored before */
    bool *seen;                  /* for each of them: still there */
    struct dvl_value *changes;   /* for the event */
};

/* One line of the event's "devices". */
static enum dvl_status note_change(struct node_sync *sync, const char *what, const char *backend,
                                   const struct dvl_device *device)
{
    struct dvl_arena *arena = sync->arena;
    struct dvl_value *change = dvl_value_add(sync->changes, dvl_value_map(arena));
    bool whole = dvl_value_set(change, "change", dvl_value_string(arena, what)) &&
                 dvl_value_set(change, "backend", dvl_value_string(arena, backend)) &&
                 dvl_value_set(change, "index", dvl_value_int(arena, device->idx));
    if (whole && device->uuid)
        whole = dvl_value_set(change, "uuid", dvl_value_string(arena, device->uuid)) != NULL;
    const struct {
        const char *name;
        int64_t amount;
    } amounts[] = {{"memory", device->memory},    {"cores", device->cores},    {"slots", device->slots},
                   {"aiCores", device->ai_cores}, {"aiCpus", device->ai_cpus}, {"networkId", device->network_id}};
    for (size_t i = 0; whole && i < sizeof amounts / sizeof amounts[0]; i++) {
        if (amounts[i].amount != DVL_UNSET)
            whole = dvl_value_set(change, amounts[i].name, dvl_value_int(arena, amounts[i].amount)) != NULL;
    }
    whole = whole && dvl_value_set(change, "healthy", dvl_value_bool(arena, device->healthy)) &&
            dvl_value_set(change, "schedulable", dvl_value_bool(arena, device->schedulable)) &&
            dvl_value_set(change, "mode", dvl_value_string(arena, device->mode)) &&
            dvl_value_set(change, "type", dvl_value_string(arena, device->type));
    return whole ? DVL_OK : dvl_error_memory(sync->call->error);
}

static enum dvl_status sync_device(struct node_sync *sync, const struct dvl_backend *backend,
                                   const struct dvl_device *device)
{
    struct dvl_call *call = sync->call;
    for (size_t i = 0; i < sync->rows.count; i++) {
        const struct dvl_device_row *row = &sync->rows.items[i];
        if (strcmp(row->backend, backend->name) != 0 || !is_same_one(&row->device, device))
            continue;
        sync->seen[i] = true;
        if (!row->device.removed && same_device(&row->device, device))
            return DVL_OK;
        enum dvl_status status = dvl_device_update(call->store, call->now, row->device.id, device, call->error);
        return status == DVL_OK ? note_change(sync, row->device.removed ? "returned" : "changed", backend->name, device)
                                : status;
    }
    enum dvl_status status =
        dvl_device_insert(call->store, call->now, sync->node_id, backend->name, device, call->error);
    return status == DVL_OK ? note_change(sync, "added", backend->name, device) : status;
}

/* False: there is nothing to keep. */
static bool keep_backend(struct node_sync *sync, const char *backend)
{
    bool known = false;
    for (size_t i = 0; i < sync->rows.count; i++) {
        if (sync->rows.items[i].device.removed || strcmp(sync->rows.items[i].backend, backend) != 0)
            continue;
        sync->seen[i] = true;
        known = true;
    }
    return known;
}

static enum dvl_status sync_backend(struct node_sync *sync, const struct dvl_backend *backend,
                                    const struct dvl_node *node, const struct dvl_facts *facts,
                                    struct dvl_findings *findings)
{
    struct dvl_call *call = sync->call;
    struct dvl_inventory inventory = {.capacity = DVL_UNSET};
    enum dvl_status status = backend->ops->read_node(backend, node, facts, &inventory, findings, call->error);
    if (status != DVL_OK)
        return status;
    /* Devices that come closed are better known than not when there are no others. */
    if (inventory.keep && (keep_backend(sync, backend->name) || inventory.schedulable))
        return DVL_OK;
    status = dvl_node_backend_save(call->store, sync->node_id, backend->name, &inventory, call->error);
    for (size_t i = 0; i < inventory.device_count && status == DVL_OK; i++)
        status = sync_device(sync, backend, &inventory.devices[i]);
    return status;
}

/* What no backend named any more, also of backends that are no more. */
static enum dvl_status remove_rest(struct node_sync *sync)
{
    struct dvl_call *call = sync->call;
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < sync->rows.count && status == DVL_OK; i++) {
        const struct dvl_device_row *row = &sync->rows.items[i];
        if (sync->seen[i] || row->device.removed)
            continue;
        status = dvl_device_remove(call->store, call->now, row->device.id, call->error);
        if (status == DVL_OK)
            status = note_change(sync, "removed", row->backend, &row->device);
        const struct dvl_inventory none = {0};
        if (status == DVL_OK && !dvl_backends_find(&call->ledger->backends, row->backend))
            status = dvl_node_backend_save(call->store, sync->node_id, row->backend, &none, call->error);
    }
    return status;
}

/* Devices follow what the node and its ConfigMaps say; `changes` gets a list. */
static enum dvl_status sync_devices(struct dvl_call *call, struct dvl_arena *arena, int64_t node_id,
                                    const struct dvl_node *node, struct dvl_findings *findings,
                                    struct dvl_value **changes)
{
    struct node_sync sync = {.call = call, .arena = arena, .node_id = node_id, .changes = dvl_value_list(arena)};
    enum dvl_status status = dvl_devices_of_node(call->store, arena, node_id, &sync.rows, call->error);
    if (status != DVL_OK)
        return status;
    sync.seen = dvl_arena_array(arena, sync.rows.count, sizeof *sync.seen);
    if (!sync.seen || !sync.changes)
        return dvl_error_memory(call->error);
    struct dvl_facts facts;
    status = dvl_facts_of_node(call->store, arena, node->name, &facts, call->error);
    const struct dvl_backends *backends = &call->ledger->backends;
    for (size_t i = 0; i < backends->count && status == DVL_OK; i++)
        status = sync_backend(&sync, &backends->items[i], node, &facts, findings);
    if (status == DVL_OK)
        status = remove_rest(&sync);
    *changes = sync.changes;
    return status;
}

/* ---- The node itself ---- */

static enum dvl_status row_of(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_node *node,
                              const struct dvl_node_row *there, struct dvl_node_row *out)
{
    *out = (struct dvl_node_row){.id = there->id,
                                 .node = *node,
                                 .labels = dvl_pairs_json(arena, &node->labels),
                                 .annotations = dvl_pairs_json(arena, &node->annotations),
                                 .capacity = dvl_pairs_json(arena, &node->capacity),
                                 .allocatable = dvl_pairs_json(arena, &node->allocatable)};
    if (!out->labels || !out->annotations || !out->capacity || !out->allocatable)
        return dvl_error_memory(call->error);
    return DVL_OK;
}

static bool same_node(const struct dvl_node_row *a, const struct dvl_node_row *b)
{
    return dvl_text_same(a->labels, b->labels) && dvl_text_same(a->annotations, b->annotations) &&
           dvl_text_same(a->capacity, b->capacity) && dvl_text_same(a->allocatable, b->allocatable);
}

/* before and after of what changed; everything when the node is new. */
static struct dvl_value *node_detail(struct dvl_arena *arena, const struct dvl_node_row *before,
                                     const struct dvl_node_row *after, struct dvl_value *devices)
{
    struct dvl_value *detail = dvl_value_map(arena);
    struct dvl_value *was = before->id ? dvl_value_set(detail, "before", dvl_value_map(arena)) : NULL;
    struct dvl_value *is = dvl_value_set(detail, "after", dvl_value_map(arena));
    const struct {
        const char *name, *before, *after;
    } parts[] = {{"labels", before->labels, after->labels},
                 {"annotations", before->annotations, after->annotations},
                 {"capacity", before->capacity, after->capacity},
                 {"allocatable", before->allocatable, after->allocatable}};
    bool whole = is != NULL;
    for (size_t i = 0; whole && i < sizeof parts / sizeof parts[0]; i++) {
        if (before->id && dvl_text_same(parts[i].before, parts[i].after))
            continue;
        if (before->id)
            whole = dvl_value_set(was, parts[i].name, dvl_value_string(arena, parts[i].before)) != NULL;
        whole = whole && dvl_value_set(is, parts[i].name, dvl_value_string(arena, parts[i].after));
    }
    if (whole && devices->count)
        whole = dvl_value_set(detail, "devices", devices) != NULL;
    return whole ? detail : NULL;
}

/* Devices, locks, findings of a node whose row is written. */
static enum dvl_status sync_parts(struct dvl_call *call, struct dvl_arena *arena, int64_t node_id,
                                  const struct dvl_node *node, struct dvl_value **changes)
{
    struct dvl_findings findings = {.arena = arena};
    enum dvl_status status = sync_devices(call, arena, node_id, node, &findings, changes);
    if (status == DVL_OK)
        status = dvl_take_lock_annotations(call, node_id, node, &findings);
    if (status == DVL_OK)
        status = dvl_findings_save(call->store, call->now, "Node", node->name, &findings, call->error);
    return status;
}

static enum dvl_status take(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_node *node,
                            enum dvl_action *action)
{
    struct dvl_node_row before, after;
    enum dvl_status status = dvl_node_load(call->store, arena, node->name, &before, call->error);
    if (status == DVL_OK)
        status = row_of(call, arena, node, &before, &after);
    if (status != DVL_OK)
        return status;
    if (before.id && !before.removed && same_node(&before, &after)) {
        *action = DVL_UNCHANGED;
        return DVL_OK;
    }
    *action = before.id && !before.removed ? DVL_UPDATED : DVL_CREATED;
    status = dvl_node_save(call->store, call->now, &after, call->error);
    struct dvl_value *changes = NULL;
    if (status == DVL_OK)
        status = sync_parts(call, arena, after.id, node, &changes);
    if (status != DVL_OK)
        return status;
    struct dvl_value *detail = node_detail(arena, &before, &after, changes);
    if (!detail)
        return dvl_error_memory(call->error);
    const char *kind = !before.id ? "node_created" : before.removed ? "node_returned" : "node_updated";
    status = dvl_call_event(call, kind, node->name, NULL, NULL, detail);
    if (status == DVL_OK && (changes->count || *action == DVL_CREATED))
        status = dvl_sync_pods_on(call, node->name);
    return status;
}

enum dvl_status dvl_take_node(struct dvl_call *call, const struct dvl_node *node, enum dvl_action *action)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    enum dvl_status status = take(call, &arena, node, action);
    return dvl_arena_end(&arena, status, call->error);
}

static enum dvl_status sync(struct dvl_call *call, struct dvl_arena *arena, const char *name)
{
    struct dvl_node_row row;
    enum dvl_status status = dvl_node_load(call->store, arena, name, &row, call->error);
    if (status != DVL_OK || !row.id || row.removed)
        return status;
    struct dvl_value *changes = NULL;
    status = sync_parts(call, arena, row.id, &row.node, &changes);
    if (status != DVL_OK || !changes || !changes->count)
        return status;
    struct dvl_value *detail = dvl_value_map(arena);
    if (!dvl_value_set(detail, "devices", changes))
        return dvl_error_memory(call->error);
    status = dvl_call_event(call, "node_devices_changed", name, NULL, NULL, detail);
    return status == DVL_OK ? dvl_sync_pods_on(call, name) : status;
}

enum dvl_status dvl_sync_node(struct dvl_call *call, const char *name)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    enum dvl_status status = sync(call, &arena, name);
    return dvl_arena_end(&arena, status, call->error);
}

/* ---- Retiring ---- */

static enum dvl_status release_all(struct dvl_call *call, struct dvl_arena *arena, int64_t node_id, const char *name)
{
    struct dvl_ids pods;
    enum dvl_status status = dvl_pods_holding_on(call->store, arena, node_id, &pods, call->error);
    for (size_t i = 0; i < pods.count && status == DVL_OK; i++) {
        struct dvl_pod_row row;
        status = dvl_pod_load_id(call->store, arena, pods.items[i], &row, call->error);
        if (status == DVL_OK)
            status = dvl_release_pod(call, &row, "node_removed");
    }
    struct dvl_lock_rows locks = {0};
    if (status == DVL_OK)
        status = dvl_locks_of_node(call->store, arena, node_id, &locks, call->error);
    for (size_t i = 0; i < locks.count && status == DVL_OK; i++)
        status = dvl_lock_end(call, &locks.items[i], name, "node_removed");
    return status;
}

static enum dvl_status remove_devices(struct dvl_call *call, struct dvl_arena *arena, int64_t node_id)
{
    struct dvl_device_rows rows;
    enum dvl_status status = dvl_devices_of_node(call->store, arena, node_id, &rows, call->error);
    for (size_t i = 0; i < rows.count && status == DVL_OK; i++) {
        if (!rows.items[i].device.removed)
            status = dvl_device_remove(call->store, call->now, rows.items[i].device.id, call->error);
    }
    const struct dvl_inventory none = {0};
    const struct dvl_backends *backends = &call->ledger->backends;
    for (size_t i = 0; i < backends->count && status == DVL_OK; i++)
        status = dvl_node_backend_save(call->store, node_id, backends->items[i].name, &none, call->error);
    return status;
}

static enum dvl_status retire(struct dvl_call *call, struct dvl_arena *arena, const char *name, bool *found)
{
    struct dvl_node_row row;
    enum dvl_status status = dvl_node_load(call->store, arena, name, &row, call->error);
    *found = status == DVL_OK && row.id && !row.removed;
    if (!*found)
        return status;
    status = release_all(call, arena, row.id, name);
    if (status == DVL_OK)
        status = remove_devices(call, arena, row.id);
    if (status == DVL_OK)
        status = dvl_node_remove(call->store, call->now, row.id, call->error);
    const struct dvl_findings none = {.arena = arena};
    if (status == DVL_OK)
        status = dvl_findings_save(call->store, call->now, "Node", name, &none, call->error);
    if (status == DVL_OK)
        status = dvl_call_event(call, "node_removed", name, NULL, NULL, NULL);
    return status == DVL_OK ? dvl_sync_pods_on(call, name) : status;
}

enum dvl_status dvl_retire_node(struct dvl_call *call, const char *name, bool *found)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    enum dvl_status status = retire(call, &arena, name, found);
    return dvl_arena_end(&arena, status, call->error);
}
