/* What a backend brings to the property test of the whole ledger: random
 * configurations, nodes and pods of its own. */
#ifndef DVL_TESTS_PROPERTY_H
#define DVL_TESTS_PROPERTY_H

#include "../support/random.h"

#include "text.h"

/* Generators append JSON in which ' stands for ", and ` for \" (for JSON within
 * a text); property.c puts the right ones in. */
struct property_kind {
    const char *name;
    /* Members of a config request: 'scheduler': {…}, 'devices': {…}. Answers
     * whether allocate takes the node's lock under it. */
    bool (*write_config)(struct dice *dice, bool lock, struct dvl_buffer *out);
    /* Node n<number> and what else it needs (ConfigMaps), joined by commas. */
    void (*write_node)(struct dice *dice, int number, struct dvl_buffer *out);
    /* Pod ml/p<number>; with a node it runs there, and says which devices it holds. */
    void (*write_pod)(struct dice *dice, int number, int node, struct dvl_buffer *out); /* node -1: pending */
};

extern const struct property_kind property_gpushare, property_hami, property_vgpu, property_vnpu;

/* "'kind': 'Pod', 'metadata': {…}, …" up to the containers: annotations and
 * labels are members of their maps. */
static inline void property_pod_start(struct dvl_buffer *out, int number, int node, const char *labels,
                                      const char *annotations)
{
    dvl_buffer_format(out, "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p%d','namespace':'ml','uid':'uid-%d',",
                      number, number);
    dvl_buffer_format(out, "'labels':{%s},'annotations':{%s}},'spec':{", labels, annotations);
    if (node >= 0)
        dvl_buffer_format(out, "'nodeName':'n%d',", node);
    dvl_buffer_text(out, "'containers':[");
}

static inline void property_container(struct dvl_buffer *out, int number, const char *limits)
{
    dvl_buffer_format(out, "%s{'name':'c%d','resources':{'limits':{%s}}}", number ? "," : "", number, limits);
}

static inline void property_pod_end(struct dvl_buffer *out, int node)
{
    dvl_buffer_format(out, "]},'status':{'phase':'%s'}}", node >= 0 ? "Running" : "Pending");
}

#endif
