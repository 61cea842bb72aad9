/* What the files of the vnpu backend share: chips, templates, and the words
 * under which facts about a node are kept. */
#ifndef DVL_BACKEND_VNPU_H
#define DVL_BACKEND_VNPU_H

#include "backend.h"

/* ---- Chips and templates (vnpu_template.c) ---------------------------------- */

/* Whether a template has the chip's picture and video unit. */
enum dvl_vnpu_dvpp { DVL_VNPU_DVPP_NULL, DVL_VNPU_DVPP_YES, DVL_VNPU_DVPP_NO };
const char *dvl_vnpu_dvpp_name(enum dvl_vnpu_dvpp dvpp);

/* One way to cut a chip. */
struct dvl_vnpu_template {
    const char *chip; /* Ascend310P, Ascend910, 910B1 …: which chips it is for */
    const char *name;
    int64_t cores, cpus; /* AI cores, AI CPUs */
    enum dvl_vnpu_dvpp dvpp;
    const char *downgraded; /* the template with fewer AI CPUs that does as well; NULL */
};

/* All of them, for the rows of vnpu_template. */
const struct dvl_vnpu_template *dvl_vnpu_templates(size_t *count);
/* By chip and name; with chip NULL (unknown) the first of that name. NULL: none. */
const struct dvl_vnpu_template *dvl_vnpu_template_find(const char *chip, struct dvl_span name);
/* What a pod gets for `cores` on a 310P; NULL for counts that no template has. */
const struct dvl_vnpu_template *dvl_vnpu_template_for(int64_t cores, bool high, enum dvl_vnpu_dvpp dvpp);
/* Some 310P could give this many cores: 1, 2, 4, and multiples of a whole chip. */
bool dvl_vnpu_cores_possible(int64_t cores);

/* What a node's labels say about its chips. */
struct dvl_vnpu_chip {
    const char *type; /* the name that its templates go by */
    int64_t cores;
    int64_t cpus; /* DVL_UNSET: not counted */
};
/* By the kind of label `accelerator`, the chip's name and its cores; NULL: no such chip. */
const struct dvl_vnpu_chip *dvl_vnpu_chip_find(struct dvl_span kind, const char *name, int64_t cores);

#define DVL_VNPU_310P "Ascend310P"

/* ---- Facts (vnpu_facts.c tells, vnpu_node.c reads) ---------------------------- */

#define DVL_VNPU_FACT_DEVICES "device_info" /* {"DeviceList":{…},"UpdateTime":n} */
#define DVL_VNPU_FACT_DEVICES_BAD "device_info_unreadable"
#define DVL_VNPU_FACT_SEPARATED "separated" /* chips taken out by hand: names joined by commas */
#define DVL_VNPU_FACT_STATUS "node_status"  /* Healthy, SubHealthy, PreSeparate, UnHealthy */
#define DVL_VNPU_FACT_STATUS_BAD "node_status_unreadable"

enum dvl_status dvl_vnpu_read_object(const struct dvl_backend *self, const struct dvl_configmap *configmap,
                                     struct dvl_arena *arena, bool *mine, struct dvl_facts *out,
                                     struct dvl_findings *findings, struct dvl_error *error);
enum dvl_status dvl_vnpu_read_node(const struct dvl_backend *self, const struct dvl_node *node,
                                   const struct dvl_facts *facts, struct dvl_inventory *out,
                                   struct dvl_findings *findings, struct dvl_error *error);

/* ---- Check codes (vnpu_check.c) ------------------------------------------------ */

enum dvl_vnpu_shape { DVL_VNPU_DEVICE_INFO, DVL_VNPU_NODE_INFO };

/* The object as Go's encoding/json prints it: compact, known members in the
 * order of their struct, maps by key, <, > and & escaped. */
void dvl_vnpu_go_json(struct dvl_buffer *out, struct dvl_arena *arena, const struct dvl_value *value,
                      enum dvl_vnpu_shape shape);

/* ---- Requests, assignments and decisions (vnpu.c, vnpu_assignment.c, vnpu_fit.c) --------------------------------- */

#define DVL_VNPU_CORE_KEY DVL_VNPU_CORE_RESOURCE /* the resource is an annotation, too */
#define DVL_VNPU_REAL_KEY "huawei.com/AscendReal"

/* What a pod's containers ask, before labels are looked at. */
struct dvl_vnpu_need {
    bool limited; /* some app container has a limit */
    int64_t cores;
    const struct dvl_container *container; /* the first app container that asks; NULL */
};
enum dvl_status dvl_vnpu_need_read(const struct dvl_pod *pod, struct dvl_vnpu_need *out, struct dvl_error *error);

/* The template by cores and labels; NULL when it is none of these, a label
 * can't be right, or the pod does not ask this backend. */
const struct dvl_vnpu_template *dvl_vnpu_asked(const struct dvl_pod *pod, const struct dvl_vnpu_need *need);

enum dvl_status dvl_vnpu_read_assignment(const struct dvl_backend *self, const struct dvl_pod *pod,
                                         struct dvl_device *const *devices, size_t device_count,
                                         struct dvl_assignment *out, struct dvl_findings *findings,
                                         struct dvl_error *error);

/* The `detail` of a request. */
struct dvl_vnpu_want {
    int64_t cores;
    const struct dvl_vnpu_template *asked; /* NULL: only whole chips can be meant */
};

/* huawei.com/AscendReal of a pod that holds a slice: what the device plugin
 * created for it. *out = NULL while nothing was created: the annotation is
 * absent or empty. */
enum dvl_status dvl_vnpu_real(const struct dvl_holder *holder, struct dvl_arena *arena, const char **out,
                              struct dvl_error *error);

enum dvl_status dvl_vnpu_fit(const struct dvl_fit_query *query, struct dvl_fit *out, struct dvl_error *error);
void dvl_vnpu_score_batch(struct dvl_batch_node *nodes, size_t count);

#endif
