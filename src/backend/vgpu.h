/* vgpu, shared by its files: vgpu_node.c (node → cards), vgpu_request.c (pod →
 * asks), vgpu_fit.c (the decision), vgpu_mig.c (cards that are cut by MIG),
 * vgpu.c (assignments and annotations). */
#ifndef DVL_BACKEND_VGPU_H
#define DVL_BACKEND_VGPU_H

#include "backend.h"

/* Modes of a card. */
extern const char dvl_vgpu_core_mode[]; /* hami-core: shared in software */
extern const char dvl_vgpu_mig_mode[];  /* mig: cut into instances */

/* Amounts are kept in 32 bits by those who read what we write. */
#define DVL_VGPU_MOST ((int64_t)INT32_MAX)

/* ---- What a pod says, read once (dvl_pod_request.detail) --------------------- */

struct dvl_word_list {
    const struct dvl_span *words; /* no empty ones */
    size_t count;
};

struct dvl_vgpu_wish {
    struct dvl_word_list use_uuids, nouse_uuids;
    struct dvl_word_list use_types, nouse_types;
    const char *mode;                              /* NULL: any */
    const char *group;                             /* namespace/group, when its members keep apart; else NULL */
    const struct dvl_exclusive_rule *const *rules; /* those that the pod matches */
    size_t rule_count;
};

bool dvl_vgpu_container_asks(const struct dvl_nvidia_config *config, const struct dvl_container *container);

enum dvl_status dvl_vgpu_read_node(const struct dvl_backend *self, const struct dvl_node *node,
                                   const struct dvl_facts *facts, struct dvl_inventory *out,
                                   struct dvl_findings *findings, struct dvl_error *error);
enum dvl_status dvl_vgpu_read_request(const struct dvl_backend *self, const struct dvl_pod *pod,
                                      struct dvl_arena *arena, struct dvl_pod_request *out, struct dvl_error *error);
enum dvl_status dvl_vgpu_fit(const struct dvl_fit_query *query, struct dvl_fit *out, struct dvl_error *error);

/* ---- MIG ----------------------------------------------------------------------- */

/* The first entry with a model that occurs in the card's type; NULL. */
const struct dvl_mig_model *dvl_mig_model_of(const struct dvl_nvidia_config *config, const char *type);
const struct dvl_mig_geometry *dvl_mig_geometry_of(const struct dvl_mig_model *model, struct dvl_span group);
/* The kind that a position of the geometry belongs to; NULL: out of range. */
const struct dvl_mig_kind *dvl_mig_kind_at(const struct dvl_mig_geometry *geometry, int64_t position);
/* What an instance counts in the units of the account. */
int64_t dvl_mig_memory(const struct dvl_mig_kind *kind, const struct dvl_nvidia_config *config);

/* "group-position"; false when it does not read. */
bool dvl_mig_instance_read(struct dvl_span text, struct dvl_span *group, int64_t *position);

/* An instance in use on a card. */
struct dvl_mig_use {
    const char *group;
    int64_t position;
};

struct dvl_mig_question {
    const struct dvl_mig_model *model;
    const struct dvl_mig_use *uses; /* on this card, now */
    size_t use_count;
    int64_t need;   /* in the units of the account */
    int64_t factor; /* gpuMemoryFactor */
};

struct dvl_mig_choice {
    const struct dvl_mig_geometry *geometry; /* NULL: there is none that would do */
    const struct dvl_mig_kind *kind;
    int64_t position;
    /* For people, when there is none: the geometry in use (NULL: none, or not known). */
    const char *group;
    bool clash; /* instances of two geometries, or of an unknown one, are in use */
};

/* Chooses an instance beside those in use. Changes nothing. */
enum dvl_status dvl_mig_choose(const struct dvl_mig_question *question, struct dvl_arena *arena,
                               struct dvl_mig_choice *out, struct dvl_error *error);

#endif
