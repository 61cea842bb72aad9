/* Rows → decisions: does a node take a pod, on which devices, with which score.
 *
 * One question is asked of many nodes; each node is judged from its rows, in
 * the snapshot of the transaction that is open. Nothing is written here. */
#ifndef DVL_DECIDE_DECIDE_H
#define DVL_DECIDE_DECIDE_H

#include "../call.h"
#include "../store/rows.h"

/* Filter codes. */
enum dvl_code { DVL_CODE_FITS, DVL_CODE_ERROR, DVL_CODE_UNSCHEDULABLE, DVL_CODE_NEVER };

/* What a pod asks of the backends that are switched on, in order of registration. */
struct dvl_question {
    struct dvl_call *call;
    const struct dvl_pod *pod;
    int64_t pod_id; /* its row; what it holds is not counted. 0: none */
    bool explain;
    struct dvl_part {
        const struct dvl_backend *backend;
        struct dvl_pod_request request;
    } * parts;
    size_t count; /* 0: the pod asks for no device and fits everywhere */
};

/* Memory is the arena's. DVL_BAD_INPUT when the pod's own words do not read. */
enum dvl_status dvl_question_of(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod *pod,
                                int64_t pod_id, struct dvl_question *out);

struct dvl_verdict {
    enum dvl_code code;
    const struct dvl_backend *backend; /* whose answer it is, when it does not fit */
    const char *reason, *message;      /* likewise */
    struct dvl_fit *fits;              /* one for each part, when it fits */
    double device_score;               /* sum over backends without a batch score */
    /* With explain: devices of the backend that refused, or of the first one. */
    const struct dvl_device_verdict *devices;
    size_t device_count;
    /* Of the part that is scored over all nodes (vnpu), when it fits. */
    const struct dvl_part *batch;
    const struct dvl_fit *batch_fit;
    int64_t free;
};

/* Judges one node. Memory is the arena's, so that it can be dropped node by node. */
enum dvl_status dvl_judge(const struct dvl_question *question, struct dvl_arena *arena, const struct dvl_name_id *node,
                          struct dvl_verdict *out);

/* floor(device score + 0.5) × weight. */
int64_t dvl_node_score(const struct dvl_config *config, double device_score);

/* One node among those that are compared. */
struct dvl_candidate {
    struct dvl_name_id node;
    enum dvl_code code;
    const char *backend, *reason, *message; /* when it does not fit */
    double device_score;
    int64_t score, batch_score, total;
    const struct dvl_part *batch;
    int64_t free;
    const char *downgraded_from, *downgraded_to, *downgrade_reason; /* when it fits only by a downgrade */
};
struct dvl_candidates {
    struct dvl_candidate *items; /* by node name */
    size_t count;
};

/* Called for each node as it is judged, with what is not kept. */
typedef enum dvl_status dvl_for_verdict(void *context, const struct dvl_candidate *candidate,
                                        const struct dvl_verdict *verdict);

/* Judges and scores all nodes; texts are the call's arena's. `each` may be NULL. */
enum dvl_status dvl_judge_all(const struct dvl_question *question, const struct dvl_name_ids *nodes,
                              struct dvl_candidates *out, dvl_for_verdict *each, void *context);

/* The one with the highest total, the lowest name among equals; NULL when none fits. */
const struct dvl_candidate *dvl_best(const struct dvl_candidates *candidates);

#endif
