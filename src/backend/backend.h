/* What a device family means, behind one table of functions.
 *
 * A backend turns manifests into rows (inventory, requests, observed slices)
 * and rows into decisions (fit, score), and slices into annotations. It knows
 * no SQL, no clock and no file: every function here is pure, takes memory from
 * the arena that it is given, and answers the same for the same input. That is
 * what lets tests compare it with a brute-force model.
 *
 * A new family is one file with one `const struct dvl_backend_ops`, one line in
 * backend.c, and cases. */
#ifndef DVL_BACKEND_BACKEND_H
#define DVL_BACKEND_BACKEND_H

#include "../config/config.h"
#include "../model.h"

struct dvl_backend_ops;

/* One backend under one configuration; hami has one for each chip kind. */
struct dvl_backend {
    const struct dvl_backend_ops *ops;
    const struct dvl_config *config;
    const struct dvl_vnpu_config *chip; /* hami: its entry; else NULL */
    const char *name;                   /* gpushare, vgpu, vnpu, hami-Ascend310P */
    const char *upstream_name;          /* GpuShare, hamivgpu, ascend310p-vNPU, Ascend310P */
    const char *lock_name;              /* NULL: none */
    bool enabled;                       /* its switch is on: it filters, scores and allocates */
};

/* All backends of a configuration in order of registration, also those that
 * are switched off. */
struct dvl_backends {
    const struct dvl_backend *items;
    size_t count;
};

enum dvl_status dvl_backends_of(struct dvl_arena *arena, const struct dvl_config *config, struct dvl_backends *out,
                                struct dvl_error *error);
/* By either name; NULL. */
const struct dvl_backend *dvl_backends_find(const struct dvl_backends *backends, const char *name);

/* ---- Inventory -------------------------------------------------------------- */

struct dvl_inventory {
    bool present;                     /* the node has this backend at all */
    bool keep;                        /* unreadable: the node keeps the inventory that it had */
    bool schedulable;                 /* false: no pod is placed here */
    const char *reason, *message;     /* why not; reason is snake_case */
    int64_t capacity;                 /* vnpu: AI cores of the node; else DVL_UNSET */
    bool soft;                        /* hami: the node slices softly */
    const struct dvl_device *devices; /* in order of idx */
    size_t device_count;
};

/* ---- Requests ----------------------------------------------------------------- */

/* What a pod asks of one backend. */
struct dvl_pod_request {
    const struct dvl_ask *asks; /* none: the pod does not ask this backend */
    size_t ask_count;
    const char *refusal; /* reason of code 1: the request can never be right; NULL */
    const char *refusal_message;
    const void *detail; /* the backend's own reading of annotations and labels */
};

/* ---- Decisions ---------------------------------------------------------------- */

/* One node as one backend sees it. */
struct dvl_node_state {
    const char *name;
    bool present; /* false: the node has no such backend; fit is not asked then */
    bool schedulable;
    const char *reason, *message;
    int64_t capacity;
    bool soft;
    struct dvl_device *const *devices; /* of this backend, removed ones left out, by idx */
    size_t device_count;
    /* Live slices of this backend on this node, also on unknown or removed devices. */
    struct dvl_slice *const *slices;
    size_t slice_count;
    /* vnpu: cores that live pods of the node ask for without holding a slice of
     * this backend (their `request` rows), the pod being placed left out. */
    int64_t unheld;
};

struct dvl_fit_query {
    const struct dvl_backend *backend;
    const struct dvl_node_state *node;
    const struct dvl_pod *pod;
    const struct dvl_pod_request *request;
    bool alone;   /* judge as if no slice were there (for telling code 2 from 3) */
    bool explain; /* fill `devices` of the verdict */
    struct dvl_arena *arena;
};

/* Why one device is not taken. */
struct dvl_device_verdict {
    const struct dvl_device *device;
    const char *reason;  /* snake_case; NULL: this one would do */
    const char *message; /* what was there and what was asked; NULL when it would do */
};

struct dvl_fit {
    bool fits;
    bool never;          /* code 1: what is asked can never be right on a node like this (vnpu: a core count) */
    const char *reason;  /* snake_case; NULL when it fits */
    const char *message; /* counts that add up to the number of devices; NULL when it fits */
    struct dvl_slice *const *slices; /* chosen, in order; ordinal, container, all amounts are set */
    size_t slice_count;
    double score; /* deviceScore of this backend on this node, before rounding and weight */
    /* vnpu: the template that was given in place of the one asked for; NULL: as asked */
    const char *downgraded_from, *downgraded_to, *downgrade_reason;
    const struct dvl_device_verdict *devices; /* only with explain: one for each device, for the first container
                                               * that could not be served, or for the first one when all were */
    size_t device_verdict_count;
};

/* ---- Batch score --------------------------------------------------------------- */

struct dvl_batch_node {
    const char *name;
    int64_t free;    /* capacity less the cores of live slices and `unheld` */
    bool downgraded; /* the pod fits only by a downgrade */
    int64_t score;   /* out: before the weight */
};

/* ---- Annotations ------------------------------------------------------------------ */

enum dvl_annotation_moment { DVL_MOMENT_ALLOCATE, DVL_MOMENT_BIND, DVL_MOMENT_RELEASE };

struct dvl_annotation_query {
    const struct dvl_backend *backend;
    enum dvl_annotation_moment moment;
    const char *node_name;
    const struct dvl_pod *pod;
    struct dvl_slice *const *slices; /* the pod's, of this backend, in order of ordinal */
    size_t slice_count;
    bool bound;           /* RELEASE: the slices were bound */
    int64_t allocated_at; /* microseconds since the epoch; times in annotations are this one */
    struct dvl_arena *arena;
};

/* Observed slices of a pod, as its annotations say. */
struct dvl_assignment {
    bool said;             /* the pod carries this backend's assignment at all */
    bool unreadable;       /* some record does not read: a live set stays as it is */
    bool bound;            /* the annotations say that the pod was bound with it (bind-phase success); backends
                            * without such a phase: the pod has a node */
    const char *node_name; /* where the annotations say the pod is; NULL: they don't */
    struct dvl_slice *const *slices; /* device NULL where the node does not have it */
    size_t slice_count;
};

/* ---- The table ------------------------------------------------------------------- */

struct dvl_backend_ops {
    const char *family; /* gpushare, vgpu, vnpu, hami */

    /* Must: the node's devices. `facts` are those of this node. Never fails for
     * content: what does not read is a finding. */
    enum dvl_status (*read_node)(const struct dvl_backend *self, const struct dvl_node *node,
                                 const struct dvl_facts *facts, struct dvl_inventory *out,
                                 struct dvl_findings *findings, struct dvl_error *error);

    /* Must: what the pod asks. DVL_BAD_INPUT for a quantity or annotation that
     * does not read, with pod, container and resource in the message. Asks of
     * the code 1 kind are answered in `refusal`. */
    enum dvl_status (*read_request)(const struct dvl_backend *self, const struct dvl_pod *pod, struct dvl_arena *arena,
                                    struct dvl_pod_request *out, struct dvl_error *error);

    /* Must: does the node take the request now, on which devices, with which
     * score. Only asked when request has asks and no refusal, the node has the
     * backend. DVL_NO_MEMORY is the only failure. */
    enum dvl_status (*fit)(const struct dvl_fit_query *query, struct dvl_fit *out, struct dvl_error *error);

    /* Must: slices that the pod's annotations claim. `devices` are those of the
     * node that the pod is on (none when the node is unknown). */
    enum dvl_status (*read_assignment)(const struct dvl_backend *self, const struct dvl_pod *pod,
                                       struct dvl_device *const *devices, size_t device_count,
                                       struct dvl_assignment *out, struct dvl_findings *findings,
                                       struct dvl_error *error);

    /* Must: annotations to put on the pod at a moment; a NULL value removes a
     * key. In order of key. */
    enum dvl_status (*annotations)(const struct dvl_annotation_query *query, struct dvl_pairs *out,
                                   struct dvl_error *error);

    /* May: facts about nodes that a ConfigMap tells; *mine = false when it is
     * not for this backend. out->unreadable: it does not read as a whole, and
     * the facts that it told before stay. */
    enum dvl_status (*read_object)(const struct dvl_backend *self, const struct dvl_configmap *configmap,
                                   struct dvl_arena *arena, bool *mine, struct dvl_facts *out,
                                   struct dvl_findings *findings, struct dvl_error *error);

    /* May: scores over all nodes that fit, sorted here as the rule asks. */
    void (*score_batch)(struct dvl_batch_node *nodes, size_t count);

    /* May: resource names that a scheduler leaves out of its own sums. */
    enum dvl_status (*ignored_resources)(const struct dvl_backend *self, struct dvl_arena *arena,
                                         const char *const **out, size_t *count, struct dvl_error *error);
};

extern const struct dvl_backend_ops dvl_gpushare_ops, dvl_vgpu_ops, dvl_vnpu_ops, dvl_hami_ops;

/* ---- Shared by backends (backend.c, codec.c) --------------------------------------- */

/* Sums over a device's slices; `alone` counts none. */
struct dvl_usage {
    int64_t memory, cores, slots, ai_cores, ai_cpus;
    size_t tasks; /* slices on it */
    bool whole;   /* some slice holds it whole */
};
struct dvl_usage dvl_device_usage(const struct dvl_device *device, bool alone);

/* Counts why devices were not taken, so that a refusal's counts add up to the
 * number of devices. A reason reads as words when its underscores are blanks:
 * short_of_memory → "6 of 8 short of memory". */
enum { DVL_TALLY_MAX = 24 };
struct dvl_tally {
    struct {
        const char *reason;
        size_t count;
    } items[DVL_TALLY_MAX];
    size_t kinds;
    size_t devices; /* of the node: what the counts add up to, with `found` */
};
/* `reason` is a literal. */
void dvl_tally_add(struct dvl_tally *tally, const char *reason);
/* The most frequent reason, the first among equals; NULL when there is none. */
const char *dvl_tally_reason(const struct dvl_tally *tally);
/* "2 of 3 found: 6 of 8 short of memory"; NULL when memory is out. */
char *dvl_tally_message(const struct dvl_tally *tally, struct dvl_arena *arena, int64_t found, int64_t wanted);

/* A limit of a container: *given = false when absent. DVL_BAD_INPUT with pod,
 * container and resource in the message when it is no whole number from 0 to
 * `most`. */
enum dvl_status dvl_limit_read(const struct dvl_pod *pod, const struct dvl_container *container, const char *resource,
                               int64_t most, bool *given, int64_t *out, struct dvl_error *error);

#endif
