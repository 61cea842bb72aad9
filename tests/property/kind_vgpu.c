/* Random vgpu clusters: cards of both modes, all wishes, pods that hold. */
#include "property.h"

static const char *const policies[] = {"", "binpack", "spread"};
static const char *const teams[] = {"training", "batch", "none"};

static bool write_config(struct dice *dice, bool lock, struct dvl_buffer *out)
{
    dvl_buffer_format(out,
                      "'scheduler':{'deviceshare.VGPUEnable':true,'deviceshare.ScheduleWeight':%d,"
                      "'deviceshare.SchedulePolicy':'%s','deviceshare.NodeLockEnable':%s,"
                      "'deviceshare.GPUExclusiveRules':[{'team':'training'}]},",
                      (int)dice_up_to(dice, 2), DICE_OF(dice, policies), lock ? "true" : "false");
    dvl_buffer_text(out, "'devices':{'nvidia':{'resourceMemoryPercentageName':'volcano.sh/vgpu-memory-percentage',"
                         "'knownMigGeometries':[{'models':['A100'],'allowedGeometries':["
                         "{'group':'group1','geometries':[{'name':'1g','memory':10240,'count':7}]},"
                         "{'group':'group2','geometries':[{'name':'2g','memory':20480,'count':3},"
                         "{'name':'1g','memory':10240,'count':1}]}]}]}}");
    return lock;
}

static void write_node(struct dice *dice, int number, struct dvl_buffer *out)
{
    static const int64_t memories[] = {8000, 8000, 8191, 0};
    dvl_buffer_format(out,
                      "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n%d','annotations':"
                      "{'volcano.sh/node-vgpu-register':'",
                      number);
    int64_t cards = dice_up_to(dice, 4);
    for (int64_t i = 0; i < cards; i++) {
        bool mig = dice_once_in(dice, 3);
        dvl_buffer_format(out, "GPU-%d-%d,%d,%d,%s,%s,%s:", number, (int)i, (int)dice_up_to(dice, 4) + 1,
                          mig ? 81920 : (int)DICE_OF(dice, memories), mig ? "NVIDIA-A100" : "NVIDIA-T4",
                          dice_once_in(dice, 8) ? "false" : "true", mig ? "mig" : "hami-core");
    }
    dvl_buffer_format(out,
                      "'}},'status':{'allocatable':{'volcano.sh/vgpu-number':'%d','volcano.sh/vgpu-memory':'8000',"
                      "'volcano.sh/vgpu-cores':'100'}}}",
                      dice_once_in(dice, 10) ? 0 : 10);
}

static void write_wishes(struct dice *dice, struct dvl_buffer *out)
{
    if (dice_once_in(dice, 6))
        dvl_buffer_format(out, "'volcano.sh/vgpu-mode':'%s',", dice_once_in(dice, 2) ? "mig" : "hami-core");
    if (dice_once_in(dice, 6))
        dvl_buffer_format(out, "'nvidia.com/%s-gputype':'%s,',", dice_once_in(dice, 2) ? "use" : "nouse",
                          dice_once_in(dice, 2) ? "A100" : "t4");
    if (dice_once_in(dice, 6))
        dvl_buffer_format(out, "'volcano.sh/vgpu-nouse-gpuuuid':' GPU-0-0 ,GPU-1-%d',", (int)dice_up_to(dice, 3));
    if (dice_once_in(dice, 4))
        dvl_buffer_text(out, "'volcano.sh/vgpu-podgroup-policy':'spread',");
    dvl_buffer_text(out, "'scheduling.k8s.io/group-name':'g'");
}

static void write_ids(struct dice *dice, int node, struct dvl_buffer *out)
{
    dvl_buffer_format(
        out, ",'volcano.sh/bind-phase':'success','volcano.sh/vgpu-node':'n%d','volcano.sh/vgpu-ids-new':'", node);
    int64_t count = dice_up_to(dice, 2);
    for (int64_t i = 0; i < count; i++) {
        dvl_buffer_format(out, "GPU-%d-%d", node, (int)dice_up_to(dice, 4));
        if (dice_once_in(dice, 2))
            dvl_buffer_format(out, "[group%d-%d]", (int)dice_up_to(dice, 2) + 1, (int)dice_up_to(dice, 4));
        dvl_buffer_format(out, ",NVIDIA,%d,%d:", (int)dice_up_to(dice, 5000), (int)dice_up_to(dice, 60));
    }
    dvl_buffer_char(out, '\'');
}

static void write_limits(struct dice *dice, struct dvl_buffer *out)
{
    static const int64_t memories[] = {1, 1000, 1000, 4000, 8000, 20000};
    static const int64_t cores[] = {0, 10, 10, 50, 100};
    dvl_buffer_format(out, "'volcano.sh/vgpu-number':'%d'", dice_once_in(dice, 4) ? (int)dice_up_to(dice, 3) : 1);
    if (!dice_once_in(dice, 4))
        dvl_buffer_format(out, ",'volcano.sh/vgpu-memory':'%d'", (int)DICE_OF(dice, memories));
    if (dice_once_in(dice, 5))
        dvl_buffer_format(out, ",'volcano.sh/vgpu-memory-percentage':'%d'", (int)dice_up_to(dice, 101));
    if (dice_once_in(dice, 2))
        dvl_buffer_format(out, ",'volcano.sh/vgpu-cores':'%d'", (int)DICE_OF(dice, cores));
}

static void write_pod(struct dice *dice, int number, int node, struct dvl_buffer *out)
{
    struct dvl_buffer labels, annotations, limits;
    dvl_buffer_init(&labels);
    dvl_buffer_init(&annotations);
    dvl_buffer_init(&limits);
    dvl_buffer_format(&labels, "'team':'%s'", DICE_OF(dice, teams));
    write_wishes(dice, &annotations);
    if (node >= 0)
        write_ids(dice, node, &annotations);
    property_pod_start(out, number, node, labels.text, annotations.text);
    int containers = (int)dice_up_to(dice, 2) + 1;
    for (int i = 0; i < containers; i++) {
        dvl_buffer_reset(&limits);
        write_limits(dice, &limits);
        property_container(out, i, limits.text);
    }
    property_pod_end(out, node);
    dvl_buffer_clear(&labels);
    dvl_buffer_clear(&annotations);
    dvl_buffer_clear(&limits);
}

const struct property_kind property_vgpu = {"vgpu", write_config, write_node, write_pod};
