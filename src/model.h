/* The words that rows and decisions share: findings, facts, devices, holders,
 * slices, asks. Plain structs, no behaviour: the store fills them from rows,
 * backends judge and choose with them. */
#ifndef DVL_MODEL_H
#define DVL_MODEL_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "Not given", "not counted": stored as null. */
#define DVL_UNSET INT64_MIN

/* ---- What was wrong in what came in -------------------------------------- */

struct dvl_finding {
    const char *kind; /* snake_case literal, listed in docs/semantics.md */
    const char *key;  /* annotation, resource, label or data key */
    int64_t position; /* byte offset in its value, from 0 */
    const char *text; /* for people */
    struct dvl_finding *next;
};

/* As many are kept of one object; a last one then says that there were more. */
enum { DVL_FINDINGS_MAX = 200 };

/* In order of discovery. */
struct dvl_findings {
    struct dvl_arena *arena;
    struct dvl_finding *first, *last;
    size_t count;
    bool failed; /* memory ran out */
};

void dvl_finding_add(struct dvl_findings *findings, const char *kind, const char *key, int64_t position,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ---- Devices and slices --------------------------------------------------- */

struct dvl_slice;

/* A device as stored. Numbers that are not counted are DVL_UNSET. */
struct dvl_device {
    int64_t id; /* of the row; 0: not stored yet */
    int64_t idx;
    const char *uuid; /* NULL: known by idx */
    const char *type;
    const char *mode;
    int64_t memory, cores, slots, ai_cores, ai_cpus, numa, network_id;
    bool healthy;
    bool schedulable;
    const char *reason; /* why not schedulable, snake_case */
    bool removed;       /* the node has it no more; only on devices that live slices point to */
    /* Live slices on it, in order of row id: those of every pod but the one
     * being placed (and but those a what-if takes away). Their sums are the
     * usage: there is no other count. */
    struct dvl_slice *const *slices;
    size_t slice_count;
};

/* A pod that holds slices, as far as decisions look at it. */
struct dvl_holder {
    int64_t id;
    const char *uid, *namespace_, *name;
    const char *labels_json; /* {"a":"b"} */
    const char *annotations_json;
    const char *pod_group; /* namespace/group, or NULL */
};

/* Slices carry what one container holds on one device. The same struct is what
 * fit chooses, what an annotation says, and what a row holds. */
struct dvl_slice {
    int64_t id;                      /* of the row; 0: not stored */
    const struct dvl_holder *holder; /* of stored ones */
    const struct dvl_device *device; /* NULL: a device that the node does not have */
    const char *device_name;         /* UUID (without a MIG part) or decimal number */
    const char *backend;
    const char *container;
    int64_t container_ordinal; /* of the container in the pod, init containers first; -1: unknown */
    int64_t ordinal;           /* of the slice in its pod and backend, from 0, in the order chosen */
    int64_t memory;
    int64_t memory_asked; /* DVL_UNSET: the same as memory */
    int64_t cores, slots, ai_cores, ai_cpus;
    bool whole;
    const char *mode; /* template, soft, hami-core, mig; NULL */
    const char *template_asked, *template_name;
    const char *mig_group;
    int64_t mig_position; /* DVL_UNSET: none */
    bool observed;        /* origin observed; else the ledger's own */
    bool bound;
};

/* ---- Facts and asks ------------------------------------------------------- */

/* One fact that a ConfigMap told about a node (see read_object in backend.h). */
struct dvl_fact {
    const char *node_name;
    const char *key; /* the backend's word for it */
    const char *text;
};

struct dvl_facts {
    const struct dvl_fact *items;
    size_t count;
    bool unreadable; /* out of read_object */
};

/* What one container asks: a row of `request`. */
struct dvl_ask {
    const char *container;
    int64_t ordinal; /* of the container in the pod, init containers first */
    bool init;
    int64_t count;
    int64_t memory;         /* DVL_UNSET: not given */
    int64_t memory_percent; /* DVL_UNSET: not given */
    int64_t cores;          /* DVL_UNSET: not given */
    const char *template_name;
};

#endif
