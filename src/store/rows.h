/* Objects ↔ rows: loading and saving, with the statements of schema/queries.
 *
 * Every function works inside the transaction that is open. Loaded texts are
 * the arena's. Nothing here decides; what a row means is said by its caller. */
#ifndef DVL_STORE_ROWS_H
#define DVL_STORE_ROWS_H

#include "../backend/backend.h"
#include "store.h"

/* ---- Nodes (node_rows.c) ---- */

struct dvl_node_row {
    int64_t id; /* 0: no such row */
    bool removed;
    struct dvl_node node;
    const char *labels, *annotations, *capacity, *allocatable; /* as JSON text */
};

enum dvl_status dvl_node_load(struct dvl_store *store, struct dvl_arena *arena, const char *name,
                              struct dvl_node_row *out, struct dvl_error *error);
/* Inserts when row->id is 0, and then sets it; else updates. The texts count. */
enum dvl_status dvl_node_save(struct dvl_store *store, int64_t now, struct dvl_node_row *row, struct dvl_error *error);
enum dvl_status dvl_node_remove(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error);

struct dvl_name_id {
    int64_t id;
    const char *name;
};
struct dvl_name_ids {
    struct dvl_name_id *items;
    size_t count;
};
/* Nodes that are there, by name. */
enum dvl_status dvl_node_list(struct dvl_store *store, struct dvl_arena *arena, struct dvl_name_ids *out,
                              struct dvl_error *error);

/* What one backend makes of a node: out->present tells whether there is a row. */
enum dvl_status dvl_node_backend_load(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                      const char *backend, struct dvl_inventory *out, struct dvl_error *error);
/* Writes when it differs; an inventory that is not present deletes the row. */
enum dvl_status dvl_node_backend_save(struct dvl_store *store, int64_t node_id, const char *backend,
                                      const struct dvl_inventory *inventory, struct dvl_error *error);

enum dvl_status dvl_facts_of_node(struct dvl_store *store, struct dvl_arena *arena, const char *node_name,
                                  struct dvl_facts *out, struct dvl_error *error);

/* ---- Devices (device_rows.c) ---- */

struct dvl_device_row {
    const char *backend;
    struct dvl_device device;
};
struct dvl_device_rows {
    struct dvl_device_row *items;
    size_t count;
};
/* All of a node, also removed ones. */
enum dvl_status dvl_devices_of_node(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                    struct dvl_device_rows *out, struct dvl_error *error);
/* Those of one backend that are there, by index. */
enum dvl_status dvl_devices_of_backend(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                       const char *backend, struct dvl_device_rows *out, struct dvl_error *error);
enum dvl_status dvl_device_insert(struct dvl_store *store, int64_t now, int64_t node_id, const char *backend,
                                  const struct dvl_device *device, struct dvl_error *error);
enum dvl_status dvl_device_update(struct dvl_store *store, int64_t now, int64_t id, const struct dvl_device *device,
                                  struct dvl_error *error);
enum dvl_status dvl_device_remove(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error);

/* ---- Pods (pod_rows.c) ---- */

struct dvl_pod_row {
    int64_t id;                                    /* 0: no such row */
    struct dvl_pod pod;                            /* node_name is what the manifest says */
    const char *labels, *annotations, *containers; /* as JSON text */
    const char *queue, *pod_group;
    int64_t node_id;       /* where it is placed; 0: nowhere */
    const char *node_name; /* the name of that place, also when the node is unknown */
    bool gone;
    size_t namesakes; /* only from dvl_pod_load_name: how many live pods bear the name, this one included */
};

enum dvl_status dvl_pod_load_uid(struct dvl_store *store, struct dvl_arena *arena, const char *uid,
                                 struct dvl_pod_row *out, struct dvl_error *error);
enum dvl_status dvl_pod_load_id(struct dvl_store *store, struct dvl_arena *arena, int64_t id, struct dvl_pod_row *out,
                                struct dvl_error *error);
/* The first live pod of that name. */
enum dvl_status dvl_pod_load_name(struct dvl_store *store, struct dvl_arena *arena, const char *namespace_,
                                  const char *name, struct dvl_pod_row *out, struct dvl_error *error);
/* Of the pod that bore the name last: *known tells whether there was one, *over
 * whether it is gone or finished. */
enum dvl_status dvl_pod_is_over(struct dvl_store *store, const char *namespace_, const char *name, bool *known,
                                bool *over, struct dvl_error *error);
/* Inserts when row->id is 0, and then sets it; else updates what the manifest says. */
enum dvl_status dvl_pod_save(struct dvl_store *store, int64_t now, struct dvl_pod_row *row, struct dvl_error *error);
/* node_id 0 and node_name NULL: nowhere. */
enum dvl_status dvl_pod_place(struct dvl_store *store, int64_t now, int64_t id, int64_t node_id, const char *node_name,
                              struct dvl_error *error);
enum dvl_status dvl_pod_gone(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error);

struct dvl_ids {
    int64_t *items;
    size_t count;
};
enum dvl_status dvl_pod_list(struct dvl_store *store, struct dvl_arena *arena, struct dvl_ids *out,
                             struct dvl_error *error);
enum dvl_status dvl_pod_list_on(struct dvl_store *store, struct dvl_arena *arena, const char *node_name,
                                struct dvl_ids *out, struct dvl_error *error);

/* Rows of `request`. */
struct dvl_request_row {
    const char *backend;
    struct dvl_ask ask;
};
struct dvl_request_rows {
    struct dvl_request_row *items;
    size_t count;
};
enum dvl_status dvl_requests_load(struct dvl_store *store, struct dvl_arena *arena, int64_t pod_id,
                                  struct dvl_request_rows *out, struct dvl_error *error);
/* Replaces them when they differ. */
enum dvl_status dvl_requests_save(struct dvl_store *store, struct dvl_arena *arena, int64_t pod_id,
                                  const struct dvl_request_rows *rows, struct dvl_error *error);
bool dvl_requests_same(const struct dvl_request_rows *a, const struct dvl_request_rows *b);

/* ---- Slices (allocation_rows.c) ---- */

/* A pod's live set. Devices of slices have id, idx and nothing else. */
struct dvl_slice_set {
    struct dvl_slice **items; /* by backend, then ordinal */
    size_t count;
    int64_t node_id;
    const char *node_name;
    int64_t allocated_at, expires_at; /* DVL_UNSET: does not expire */
    bool ledger;                      /* the ledger gave it; else observed */
    bool bound;
};
enum dvl_status dvl_slices_of_pod(struct dvl_store *store, struct dvl_arena *arena, int64_t pod_id,
                                  struct dvl_slice_set *out, struct dvl_error *error);
struct dvl_slices_query {
    int64_t node_id;
    const char *backend;
    int64_t now;            /* reservations that are over by then do not count */
    int64_t without_pod_id; /* what this pod holds does not count; 0: none */
};
/* Fills node->slices and the slices of node->devices with live ones. */
enum dvl_status dvl_slices_of_node(struct dvl_store *store, struct dvl_arena *arena,
                                   const struct dvl_slices_query *query, struct dvl_node_state *node,
                                   struct dvl_error *error);

struct dvl_placing {
    int64_t pod_id, node_id, now;
    int64_t expires_at; /* DVL_UNSET */
    bool observed, bound;
};
enum dvl_status dvl_slice_insert(struct dvl_store *store, const struct dvl_placing *placing,
                                 const struct dvl_slice *slice, struct dvl_error *error);
enum dvl_status dvl_slice_link(struct dvl_store *store, int64_t id, int64_t device_id, int64_t memory,
                               struct dvl_error *error);
/* *changed (may be NULL): how many rows. */
enum dvl_status dvl_slices_bind(struct dvl_store *store, int64_t now, int64_t pod_id, int64_t *changed,
                                struct dvl_error *error);
/* backend NULL: all. */
enum dvl_status dvl_slices_release(struct dvl_store *store, int64_t now, int64_t pod_id, const char *backend,
                                   const char *reason, struct dvl_error *error);
enum dvl_status dvl_pods_holding_on(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                    struct dvl_ids *out, struct dvl_error *error);
enum dvl_status dvl_pods_expired(struct dvl_store *store, struct dvl_arena *arena, int64_t now, struct dvl_ids *out,
                                 struct dvl_error *error);

/* ---- Findings (finding_rows.c) ---- */

/* Opens those that are new, closes those that are no more. */
enum dvl_status dvl_findings_save(struct dvl_store *store, int64_t now, const char *object_kind, const char *object,
                                  const struct dvl_findings *findings, struct dvl_error *error);

/* ---- Locks (lock_rows.c) ---- */

struct dvl_lock_row {
    int64_t id; /* 0: not held */
    int64_t node_id;
    const char *node_name; /* only from dvl_locks_of_holder */
    const char *name;
    const char *holder; /* NULL: nobody known */
    bool observed;
    int64_t taken_at, expires_at;
};
struct dvl_lock_rows {
    struct dvl_lock_row *items;
    size_t count;
};
enum dvl_status dvl_lock_load(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id, const char *name,
                              struct dvl_lock_row *out, struct dvl_error *error);
enum dvl_status dvl_locks_of_node(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                  struct dvl_lock_rows *out, struct dvl_error *error);
enum dvl_status dvl_locks_of_holder(struct dvl_store *store, struct dvl_arena *arena, const char *holder,
                                    struct dvl_lock_rows *out, struct dvl_error *error);
enum dvl_status dvl_lock_insert(struct dvl_store *store, const struct dvl_lock_row *row, struct dvl_error *error);
enum dvl_status dvl_lock_release(struct dvl_store *store, int64_t now, int64_t id, const char *reason,
                                 struct dvl_error *error);

/* ---- Downgrades (lock_rows.c's neighbour: downgrade_rows.c) ---- */

struct dvl_downgrade_row {
    int64_t id;
    int64_t node_id;
    const char *node_name, *asked, *given, *reason;
};
struct dvl_downgrade_rows {
    struct dvl_downgrade_row *items;
    size_t count;
};
enum dvl_status dvl_downgrades_open(struct dvl_store *store, struct dvl_arena *arena, const char *pod_uid,
                                    struct dvl_downgrade_rows *out, struct dvl_error *error);
enum dvl_status dvl_downgrade_insert(struct dvl_store *store, int64_t now, const char *pod_uid,
                                     const struct dvl_downgrade_row *row, struct dvl_error *error);
enum dvl_status dvl_downgrade_close(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error);

/* ---- ConfigMaps and their facts (object_rows.c) ---- */

struct dvl_object_row {
    int64_t id; /* 0: no such row */
    bool removed;
    const char *namespace_, *name;
    const char *text; /* its data as JSON */
};
struct dvl_object_rows {
    struct dvl_object_row *items;
    size_t count;
};
/* The ConfigMap that out->namespace_ and out->name name. */
enum dvl_status dvl_object_load(struct dvl_store *store, struct dvl_arena *arena, const char *kind,
                                struct dvl_object_row *out, struct dvl_error *error);
enum dvl_status dvl_object_list(struct dvl_store *store, struct dvl_arena *arena, const char *kind,
                                struct dvl_object_rows *out, struct dvl_error *error);
enum dvl_status dvl_object_save(struct dvl_store *store, int64_t now, const char *kind, struct dvl_object_row *row,
                                struct dvl_error *error);
enum dvl_status dvl_object_remove(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error);
/* Replaces an object's facts; `changed` gets the names of nodes about which
 * something else is said now, each once. */
enum dvl_status dvl_facts_save(struct dvl_store *store, struct dvl_arena *arena, int64_t object_id,
                               const struct dvl_facts *facts, struct dvl_name_ids *changed, struct dvl_error *error);

/* ---- Explanations (explanation_rows.c) ---- */

struct dvl_explanation_row {
    int64_t pod_id, at;
    const char *node;
    int64_t code;
    const char *backend, *device, *reason, *message;
};
enum dvl_status dvl_explanation_insert(struct dvl_store *store, const struct dvl_explanation_row *row,
                                       struct dvl_error *error);
enum dvl_status dvl_explanations_delete(struct dvl_store *store, int64_t pod_id, struct dvl_error *error);

/* ---- For the row files themselves ---- */

/* Takes a statement and steps over its rows: `for_row` gets each. */
typedef enum dvl_status dvl_for_row(void *context, struct dvl_statement *statement, struct dvl_error *error);
enum dvl_status dvl_statement_each(struct dvl_statement *statement, dvl_for_row *for_row, void *context,
                                   struct dvl_error *error);
/* A growing array in an arena: answers the new last item (zeroed), NULL when
 * memory is out. */
void *dvl_rows_grow(struct dvl_arena *arena, void **items, size_t *count, size_t size);
/* An arena copy of a text column; sets *failed when memory is out. */
const char *dvl_column_copy(struct dvl_statement *statement, struct dvl_arena *arena, const char *name, bool *failed);
/* A list of ids: column `name` of every row. */
enum dvl_status dvl_statement_ids(struct dvl_statement *statement, struct dvl_arena *arena, const char *name,
                                  struct dvl_ids *out, struct dvl_error *error);

#endif
