/* Slices: a pod's live set, a node's live slices, and how they begin and end. */
#include "rows.h"

#include <string.h>

/* What every slice query has in common. */
static void read_slice(struct dvl_statement *statement, struct dvl_arena *arena, struct dvl_slice *slice, bool *failed)
{
    slice->id = dvl_column_int(statement, "id");
    slice->device_name = dvl_column_copy(statement, arena, "device_name", failed);
    slice->container = dvl_column_copy(statement, arena, "container", failed);
    slice->container_ordinal = -1;
    slice->ordinal = dvl_column_int(statement, "ordinal");
    slice->memory = dvl_column_int(statement, "memory");
    slice->memory_asked = dvl_column_int_or_unset(statement, "memory_asked");
    slice->cores = dvl_column_int(statement, "cores");
    slice->slots = dvl_column_int(statement, "slots");
    slice->ai_cores = dvl_column_int(statement, "ai_cores");
    slice->ai_cpus = dvl_column_int(statement, "ai_cpus");
    slice->whole = dvl_column_int(statement, "whole") != 0;
    slice->mode = dvl_column_copy(statement, arena, "mode", failed);
    slice->template_asked = dvl_column_copy(statement, arena, "template_asked", failed);
    slice->template_name = dvl_column_copy(statement, arena, "template", failed);
    slice->mig_group = dvl_column_copy(statement, arena, "mig_group", failed);
    slice->mig_position = dvl_column_int_or_unset(statement, "mig_position");
    slice->observed = strcmp(dvl_column_text(statement, "origin"), "observed") == 0;
    slice->bound = strcmp(dvl_column_text(statement, "state"), "bound") == 0;
}

/* ---- A pod's set ---- */

struct set_list {
    struct dvl_arena *arena;
    struct dvl_slice_set *out;
};

static enum dvl_status add_to_set(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct set_list *list = context;
    struct dvl_slice_set *set = list->out;
    void *items = set->items;
    struct dvl_slice **place = dvl_rows_grow(list->arena, &items, &set->count, sizeof(struct dvl_slice *));
    struct dvl_slice *slice = dvl_arena_take(list->arena, sizeof *slice);
    bool failed = false;
    if (!place || !slice)
        return dvl_error_memory(error);
    set->items = items;
    *place = slice;
    read_slice(statement, list->arena, slice, &failed);
    slice->backend = dvl_column_copy(statement, list->arena, "backend", &failed);
    if (!dvl_column_is_null(statement, "device_id")) {
        struct dvl_device *device = dvl_arena_take(list->arena, sizeof *device);
        if (!device)
            return dvl_error_memory(error);
        device->id = dvl_column_int(statement, "device_id");
        device->idx = dvl_column_int(statement, "device_idx");
        slice->device = device;
    }
    if (set->count == 1) {
        set->node_id = dvl_column_int(statement, "node_id");
        set->node_name = dvl_column_copy(statement, list->arena, "node_name", &failed);
        set->allocated_at = dvl_column_int(statement, "allocated_at");
        set->expires_at = dvl_column_int_or_unset(statement, "expires_at");
        set->ledger = !slice->observed;
        set->bound = slice->bound;
    }
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_slices_of_pod(struct dvl_store *store, struct dvl_arena *arena, int64_t pod_id,
                                  struct dvl_slice_set *out, struct dvl_error *error)
{
    *out = (struct dvl_slice_set){.expires_at = DVL_UNSET};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_ALLOCATION_LIVE_OF_POD, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "pod_id", pod_id);
    struct set_list list = {.arena = arena, .out = out};
    return dvl_statement_each(statement, add_to_set, &list, error);
}

/* ---- A node's slices ---- */

struct node_list {
    struct dvl_arena *arena;
    struct dvl_node_state *node;
    struct dvl_slice **items;
    size_t count;
    struct dvl_holder *last; /* neighbours in the list are often one pod's */
};

static struct dvl_holder *read_holder(struct node_list *list, struct dvl_statement *statement, bool *failed)
{
    int64_t pod_id = dvl_column_int(statement, "pod_id");
    if (list->last && list->last->id == pod_id)
        return list->last;
    struct dvl_holder *holder = dvl_arena_take(list->arena, sizeof *holder);
    if (!holder) {
        *failed = true;
        return NULL;
    }
    holder->id = pod_id;
    holder->uid = dvl_column_copy(statement, list->arena, "uid", failed);
    holder->namespace_ = dvl_column_copy(statement, list->arena, "namespace", failed);
    holder->name = dvl_column_copy(statement, list->arena, "name", failed);
    holder->labels_json = dvl_column_copy(statement, list->arena, "labels", failed);
    holder->annotations_json = dvl_column_copy(statement, list->arena, "annotations", failed);
    holder->pod_group = dvl_column_copy(statement, list->arena, "pod_group", failed);
    list->last = holder;
    return holder;
}

static enum dvl_status add_to_node(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct node_list *list = context;
    void *items = list->items;
    struct dvl_slice **place = dvl_rows_grow(list->arena, &items, &list->count, sizeof(struct dvl_slice *));
    struct dvl_slice *slice = dvl_arena_take(list->arena, sizeof *slice);
    bool failed = false;
    if (!place || !slice)
        return dvl_error_memory(error);
    list->items = items;
    *place = slice;
    read_slice(statement, list->arena, slice, &failed);
    slice->holder = read_holder(list, statement, &failed);
    int64_t device_id = dvl_column_int(statement, "device_id");
    for (size_t i = 0; i < list->node->device_count && device_id; i++) {
        struct dvl_device *device = list->node->devices[i];
        if (device->id == device_id) {
            slice->device = device;
            device->slice_count++;
        }
    }
    return failed ? dvl_error_memory(error) : DVL_OK;
}

/* Gives each device its own list, in the order of the node's. */
static enum dvl_status deal_out(struct node_list *list, struct dvl_error *error)
{
    for (size_t i = 0; i < list->node->device_count; i++) {
        struct dvl_device *device = list->node->devices[i];
        if (!device->slice_count)
            continue;
        struct dvl_slice **slices = dvl_arena_array(list->arena, device->slice_count, sizeof(struct dvl_slice *));
        if (!slices)
            return dvl_error_memory(error);
        size_t count = 0;
        for (size_t s = 0; s < list->count; s++) {
            if (list->items[s]->device == device)
                slices[count++] = list->items[s];
        }
        device->slices = slices;
    }
    return DVL_OK;
}

enum dvl_status dvl_slices_of_node(struct dvl_store *store, struct dvl_arena *arena,
                                   const struct dvl_slices_query *query, struct dvl_node_state *node,
                                   struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_ALLOCATION_LIVE_OF_NODE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", query->node_id);
    dvl_bind_text(statement, "backend", query->backend);
    dvl_bind_int(statement, "now", query->now);
    dvl_bind_int(statement, "without_pod_id", query->without_pod_id);
    struct node_list list = {.arena = arena, .node = node};
    status = dvl_statement_each(statement, add_to_node, &list, error);
    if (status != DVL_OK)
        return status;
    for (size_t i = 0; i < list.count; i++)
        list.items[i]->backend = query->backend;
    node->slices = list.items;
    node->slice_count = list.count;
    return deal_out(&list, error);
}

/* ---- Begin, link, bind, end ---- */

enum dvl_status dvl_slice_insert(struct dvl_store *store, const struct dvl_placing *placing,
                                 const struct dvl_slice *slice, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_ALLOCATION_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "pod_id", placing->pod_id);
    dvl_bind_int(statement, "node_id", placing->node_id);
    dvl_bind_int_or_null(statement, "device_id", slice->device ? slice->device->id : DVL_UNSET);
    dvl_bind_text(statement, "device_name", slice->device_name);
    dvl_bind_text(statement, "container", slice->container);
    dvl_bind_text(statement, "backend", slice->backend);
    dvl_bind_int(statement, "memory", slice->memory);
    dvl_bind_int_or_null(statement, "memory_asked", slice->memory_asked);
    dvl_bind_int(statement, "cores", slice->cores);
    dvl_bind_int(statement, "slots", slice->slots);
    dvl_bind_int(statement, "ai_cores", slice->ai_cores);
    dvl_bind_int(statement, "ai_cpus", slice->ai_cpus);
    dvl_bind_int(statement, "whole", slice->whole);
    dvl_bind_text(statement, "mode", slice->mode);
    dvl_bind_text(statement, "template_asked", slice->template_asked);
    dvl_bind_text(statement, "template", slice->template_name);
    dvl_bind_text(statement, "mig_group", slice->mig_group);
    dvl_bind_int_or_null(statement, "mig_position", slice->mig_position);
    dvl_bind_int(statement, "ordinal", slice->ordinal);
    dvl_bind_text(statement, "origin", placing->observed ? "observed" : "ledger");
    dvl_bind_text(statement, "state", placing->bound ? "bound" : "reserved");
    dvl_bind_int(statement, "now", placing->now);
    dvl_bind_int_or_null(statement, "expires_at", placing->expires_at);
    dvl_bind_int_or_null(statement, "bound_at", placing->bound ? placing->now : DVL_UNSET);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_slice_link(struct dvl_store *store, int64_t id, int64_t device_id, int64_t memory,
                               struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_ALLOCATION_LINK, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    dvl_bind_int(statement, "device_id", device_id);
    dvl_bind_int(statement, "memory", memory);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_slices_bind(struct dvl_store *store, int64_t now, int64_t pod_id, int64_t *changed,
                                struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_ALLOCATION_BIND, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "pod_id", pod_id);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, changed, error);
}

enum dvl_status dvl_slices_release(struct dvl_store *store, int64_t now, int64_t pod_id, const char *backend,
                                   const char *reason, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_query query = backend ? DVL_QUERY_ALLOCATION_RELEASE_BACKEND : DVL_QUERY_ALLOCATION_RELEASE;
    enum dvl_status status = dvl_statement_take(store, query, &statement, error);
    if (status != DVL_OK)
        return status;
    if (backend)
        dvl_bind_text(statement, "backend", backend);
    dvl_bind_int(statement, "pod_id", pod_id);
    dvl_bind_int(statement, "now", now);
    dvl_bind_text(statement, "reason", reason);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_pods_holding_on(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                    struct dvl_ids *out, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_ALLOCATION_PODS_ON_NODE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", node_id);
    return dvl_statement_ids(statement, arena, "pod_id", out, error);
}

enum dvl_status dvl_pods_expired(struct dvl_store *store, struct dvl_arena *arena, int64_t now, struct dvl_ids *out,
                                 struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_ALLOCATION_EXPIRED, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "now", now);
    return dvl_statement_ids(statement, arena, "pod_id", out, error);
}
