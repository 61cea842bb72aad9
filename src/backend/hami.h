/* What the three files of the hami backend share: hami.c reads nodes and
 * requests, hami_fit.c decides, hami_pod.c reads and writes the pods'
 * annotations. Nobody else includes this. */
#ifndef DVL_BACKEND_HAMI_H
#define DVL_BACKEND_HAMI_H

#include "backend.h"

/* Where 32 bits end in the cluster's own programs (D32). */
#define DVL_HAMI_MOST INT32_MAX

/* How a container's memory is judged on a device. */
enum dvl_hami_size {
    DVL_HAMI_EXACT, /* `memory` MiB, as `part` when it is not NULL */
    DVL_HAMI_WHOLE, /* nothing was given: the device's own memory */
    DVL_HAMI_ABOVE, /* more than the chip can have: fits nowhere (D13) */
};

/* What one container takes of each of its devices, memory raised. */
struct dvl_hami_need {
    enum dvl_hami_size size;
    int64_t memory;
    const struct dvl_template *part; /* template mode: its template; NULL: the whole chip, or soft mode */
    int64_t cores;                   /* 0: none asked */
};

/* Ids in byte order; none: no constraint. */
struct dvl_hami_ids {
    const struct dvl_span *items;
    size_t count;
};
bool dvl_hami_ids_have(const struct dvl_hami_ids *ids, const char *id);

/* The detail of a pod's request. */
struct dvl_hami_request {
    bool soft;                         /* the pod asks for soft slicing */
    struct dvl_hami_ids only, never;   /* D27 */
    const struct dvl_hami_need *needs; /* one for each ask */
};

bool dvl_hami_is_soft(const struct dvl_pod *pod);

/* The template that `memory` is raised to: the smallest that holds it, NULL
 * when only the whole chip does. Looked up in this chip's own list: 910B4-1
 * is not 910B4. */
const struct dvl_template *dvl_hami_template(const struct dvl_vnpu_config *chip, int64_t memory);
/* By name; NULL. */
const struct dvl_template *dvl_hami_template_named(const struct dvl_vnpu_config *chip, const char *name);

/* What a template takes of a chip beside memory (D21): 0 where one of the two
 * does not name the amount. */
int64_t dvl_hami_ai_cores(const struct dvl_vnpu_config *chip, const struct dvl_template *part);
int64_t dvl_hami_ai_cpus(const struct dvl_vnpu_config *chip, const struct dvl_template *part);

/* How much of a stranger's text a message shows: at most 64 bytes, whole
 * characters. For "%.*s". */
int dvl_hami_shown(struct dvl_span text);

enum dvl_status dvl_hami_fit(const struct dvl_fit_query *query, struct dvl_fit *out, struct dvl_error *error);
enum dvl_status dvl_hami_read_assignment(const struct dvl_backend *self, const struct dvl_pod *pod,
                                         struct dvl_device *const *devices, size_t device_count,
                                         struct dvl_assignment *out, struct dvl_findings *findings,
                                         struct dvl_error *error);
enum dvl_status dvl_hami_annotations(const struct dvl_annotation_query *query, struct dvl_pairs *out,
                                     struct dvl_error *error);

#endif
