/* Objects → rows, with all that follows: a node's devices and locks, a pod's
 * requests and observed slices, findings, events.
 *
 * Every function works inside the call's write transaction, with the
 * configuration in force at hand. */
#ifndef DVL_INTAKE_INTAKE_H
#define DVL_INTAKE_INTAKE_H

#include "../call.h"
#include "../store/rows.h"

enum dvl_action { DVL_CREATED, DVL_UPDATED, DVL_UNCHANGED, DVL_DELETED, DVL_IGNORED };

/* "created" … */
const char *dvl_action_name(enum dvl_action action);

/* ---- Taking what a manifest says ---- */

/* Any object. */
enum dvl_status dvl_take_object(struct dvl_call *call, const struct dvl_object *object, enum dvl_action *action);
enum dvl_status dvl_take_node(struct dvl_call *call, const struct dvl_node *node, enum dvl_action *action);
/* `id` (may be NULL) gets the pod's row. */
enum dvl_status dvl_take_pod(struct dvl_call *call, const struct dvl_pod *pod, enum dvl_action *action, int64_t *id);
enum dvl_status dvl_take_configmap(struct dvl_call *call, const struct dvl_configmap *configmap,
                                   enum dvl_action *action);

/* The stored pod that a manifest speaks of: by uid, else by name. out->id is 0
 * when there is none. DVL_CONFLICT when two live pods bear the name. */
enum dvl_status dvl_pod_of_manifest(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod *pod,
                                    struct dvl_pod_row *out);
/* The row that a manifest makes, before it is stored; id is that of `there`. */
enum dvl_status dvl_pod_row_of(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod *pod,
                               const struct dvl_pod_row *there, struct dvl_pod_row *out);

/* ---- Reading anew what is stored ---- */

/* Everything, after the configuration changed. */
enum dvl_status dvl_sync_all(struct dvl_call *call);
/* One node: its devices, locks, findings; then its pods when devices changed. */
enum dvl_status dvl_sync_node(struct dvl_call *call, const char *name);
/* One pod: requests, place, observed slices, findings. */
enum dvl_status dvl_sync_pod(struct dvl_call *call, const struct dvl_pod_row *row);
enum dvl_status dvl_sync_pods_on(struct dvl_call *call, const char *node_name);
enum dvl_status dvl_sync_pods(struct dvl_call *call);
/* The stored ConfigMaps: facts about nodes. Nodes themselves are not read anew. */
enum dvl_status dvl_sync_configmaps(struct dvl_call *call);

/* What a pod asks of every backend: rows, and a finding for what does not
 * read. */
enum dvl_status dvl_requests_of(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod *pod,
                                struct dvl_request_rows *out, struct dvl_findings *findings);

/* ---- Ending ---- */

/* Ends the pod's live set, gives back its locks, closes its downgrades; one
 * event. Nothing happens when it holds nothing. */
enum dvl_status dvl_release_pod(struct dvl_call *call, const struct dvl_pod_row *row, const char *reason);
/* Retire; *found = false when there is no such thing. */
enum dvl_status dvl_retire_node(struct dvl_call *call, const char *name, bool *found);
enum dvl_status dvl_retire_pod(struct dvl_call *call, const struct dvl_pod_row *row);
enum dvl_status dvl_retire_configmap(struct dvl_call *call, const char *namespace_, const char *name, bool *found);
/* Reservations whose time is over. */
enum dvl_status dvl_expire(struct dvl_call *call);
/* Closes the pod's open downgrades, but for the one on a node (0: all). */
enum dvl_status dvl_close_downgrades(struct dvl_call *call, const char *pod_uid, int64_t but_node_id);

/* ---- Locks (lock.c) ---- */

/* namespace/name/uid. */
const char *dvl_pod_holder(struct dvl_arena *arena, const struct dvl_pod *pod);
/* Takes a lock for a holder, or answers DVL_LOCKED with holder and remaining
 * time in the message; *expires_at (may be NULL) is when it ends. */
enum dvl_status dvl_lock_take(struct dvl_call *call, const struct dvl_name_id *node, const char *name,
                              const char *holder, int64_t *expires_at);
/* Gives back every lock of a holder. */
enum dvl_status dvl_locks_give_back(struct dvl_call *call, const char *holder, const char *reason);
/* A hold ends, with its event. */
enum dvl_status dvl_lock_end(struct dvl_call *call, const struct dvl_lock_row *row, const char *node_name,
                             const char *reason);
/* Rows follow the lock annotations of a node. */
enum dvl_status dvl_take_lock_annotations(struct dvl_call *call, int64_t node_id, const struct dvl_node *node,
                                          struct dvl_findings *findings);

/* ---- For events and answers ---- */

/* {container, backend, device, index, memory, cores, …} */
struct dvl_value *dvl_slice_value(struct dvl_arena *arena, const struct dvl_slice *slice);
struct dvl_value *dvl_slices_value(struct dvl_arena *arena, struct dvl_slice *const *slices, size_t count);
/* namespace/name */
const char *dvl_pod_name(struct dvl_arena *arena, const struct dvl_pod *pod);

#endif
