/* What allocate and schedule share: putting a pod on a node, and answering
 * with slices and annotations. */
#ifndef DVL_VERB_PLACING_H
#define DVL_VERB_PLACING_H

#include "../decide/decide.h"
#include "pod_ref.h"

/* Takes the locks that the pod's backends need (when locks are on), books the
 * slices of a verdict that fits, places the pod; one event. */
enum dvl_status dvl_place_pod(struct dvl_call *call, const struct dvl_pod_row *row, const struct dvl_name_id *node,
                              const struct dvl_question *question, const struct dvl_verdict *verdict,
                              int64_t expires_at);

/* Answers with "slices" and "annotations" of the pod's stored set. */
enum dvl_status dvl_answer_set(struct dvl_call *call, const struct dvl_pod *pod, const struct dvl_slice_set *set);
/* Of a verdict, for dry runs. */
enum dvl_status dvl_answer_verdict(struct dvl_call *call, const struct dvl_pod *pod, const char *node_name,
                                   const struct dvl_question *question, const struct dvl_verdict *verdict);
/* Adds "annotations" for a moment of a set. */
enum dvl_status dvl_answer_annotations(struct dvl_call *call, const struct dvl_pod *pod,
                                       const struct dvl_slice_set *set, enum dvl_annotation_moment moment);

/* Binds a live set, gives back the pod's locks, adds "annotations". */
enum dvl_status dvl_bind_pod(struct dvl_call *call, const struct dvl_pod_row *row, const struct dvl_slice_set *set);

/* A pod that holds a set already: *held = true and the answer is there when
 * node (NULL: any) and request are the same; else DVL_CONFLICT. */
enum dvl_status dvl_answer_held(struct dvl_call *call, const struct dvl_pod_ref *ref, const struct dvl_name_id *node,
                                struct dvl_slice_set *set, bool *held);

/* Open downgrade rows follow what the candidates say: only of those nodes. */
enum dvl_status dvl_downgrades_follow(struct dvl_call *call, const char *pod_uid,
                                      const struct dvl_candidates *candidates);
/* Whether that would change anything. */
enum dvl_status dvl_downgrades_differ(struct dvl_call *call, const char *pod_uid,
                                      const struct dvl_candidates *candidates, bool *differ);

#endif
