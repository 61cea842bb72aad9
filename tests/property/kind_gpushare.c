/* Random gpushare clusters, in memory mode or in number mode. */
#include "property.h"

static bool write_config(struct dice *dice, bool lock, struct dvl_buffer *out)
{
    bool memory = dice_once_in(dice, 2);
    dvl_buffer_format(out, "'scheduler':{'deviceshare.%s':true,'deviceshare.NodeLockEnable':%s}",
                      memory ? "GPUSharingEnable" : "GPUNumberEnable", lock ? "true" : "false");
    return memory && lock; /* whole cards are given without a lock */
}

static void write_node(struct dice *dice, int number, struct dvl_buffer *out)
{
    int cards = (int)dice_up_to(dice, 4);
    dvl_buffer_format(out, "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n%d','annotations':{", number);
    if (dice_once_in(dice, 3))
        dvl_buffer_format(out, "'volcano.sh/gpu-unhealthy-ids':'%d'", (int)dice_up_to(dice, 4));
    dvl_buffer_format(out, "}},'status':{'capacity':{'volcano.sh/gpu-memory':'%d','volcano.sh/gpu-number':'%d'}}}",
                      cards * 8000, cards);
}

static void write_pod(struct dice *dice, int number, int node, struct dvl_buffer *out)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    if (node >= 0)
        dvl_buffer_format(&text, "'volcano.sh/gpu-index':'%d'", (int)dice_up_to(dice, 4));
    property_pod_start(out, number, node, "", text.text);
    int containers = (int)dice_up_to(dice, 1) + 1;
    for (int i = 0; i < containers; i++) {
        dvl_buffer_reset(&text);
        dvl_buffer_format(&text, "'volcano.sh/gpu-memory':'%d','volcano.sh/gpu-number':'%d'",
                          (int)dice_up_to(dice, 5000), (int)dice_up_to(dice, 2));
        property_container(out, i, text.text);
    }
    property_pod_end(out, node);
    dvl_buffer_clear(&text);
}

const struct property_kind property_gpushare = {"gpushare", write_config, write_node, write_pod};
