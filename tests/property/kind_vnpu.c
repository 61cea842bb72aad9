/* Random MindCluster nodes of 310P chips, with their device info. */
#include "property.h"

static bool write_config(struct dice *dice, bool lock, struct dvl_buffer *out)
{
    (void)lock; /* it has none */
    dvl_buffer_format(out,
                      "'scheduler':{'deviceshare.AscendMindClusterVNPUEnable':true,'deviceshare.ScheduleWeight':%d}",
                      (int)dice_up_to(dice, 2));
    return false;
}

static void write_chips(struct dvl_buffer *out, unsigned chips)
{
    const char *comma = "";
    for (int i = 0; chips >> i; i++) {
        if (chips >> i & 1) {
            dvl_buffer_format(out, "%sAscend310P-%d", comma, i);
            comma = ",";
        }
    }
}

static void write_node(struct dice *dice, int number, struct dvl_buffer *out)
{
    int chips = (int)dice_up_to(dice, 3);
    unsigned all = (1U << chips) - 1, ill = dice_once_in(dice, 3) ? (unsigned)dice_up_to(dice, 7) & all : 0;
    dvl_buffer_format(out,
                      "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n%d','labels':{'accelerator':"
                      "'huawei-Ascend310P','servertype':'Ascend310P-8','node.kubernetes.io/npu.chip.name':'310P3'}},"
                      "'status':{'capacity':{'huawei.com/npu-core':'%d'}}},",
                      number, chips * 8);
    dvl_buffer_format(out,
                      "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'namespace':'kube-system','name':"
                      "'mindx-dl-deviceinfo-n%d'},'data':{'DeviceInfoCfg':'{`DeviceInfo`:{`DeviceList`:"
                      "{`huawei.com/Ascend310P`:`",
                      number);
    write_chips(out, all & ~ill);
    dvl_buffer_text(out, "`,`huawei.com/Ascend310P-Unhealthy`:`");
    write_chips(out, ill);
    dvl_buffer_text(out, "`},`UpdateTime`:1787191200},`CheckCode`:``}'}}");
}

static void write_pod(struct dice *dice, int number, int node, struct dvl_buffer *out)
{
    static const int64_t cores[] = {1, 1, 2, 2, 4, 4, 8, 16, 3};
    static const char *const dvpp[] = {"null", "null", "yes", "no", "maybe"};
    static const char *const slices[] = {"vir01", "vir02_1c", "vir02", "vir04_3c", "vir04_4c_dvpp"};
    struct dvl_buffer labels, text;
    dvl_buffer_init(&labels);
    dvl_buffer_init(&text);
    dvl_buffer_format(&labels, "'ring-controller.atlas':'ascend-310P','vnpu-level':'%s','vnpu-dvpp':'%s'",
                      dice_once_in(dice, 2) ? "high" : "low", DICE_OF(dice, dvpp));
    if (node >= 0) {
        dvl_buffer_format(&text, "'huawei.com/npu-core':'%d-%s'", (int)dice_up_to(dice, 3), DICE_OF(dice, slices));
        if (!dice_once_in(dice, 3))
            dvl_buffer_format(&text, ",'huawei.com/AscendReal':'Ascend310P-1c-100-0_%d'", (int)dice_up_to(dice, 3));
    }
    property_pod_start(out, number, node, labels.text, text.text);
    dvl_buffer_reset(&text);
    dvl_buffer_format(&text, "'huawei.com/npu-core':'%d'", (int)DICE_OF(dice, cores));
    property_container(out, 0, text.text);
    property_pod_end(out, node);
    dvl_buffer_clear(&labels);
    dvl_buffer_clear(&text);
}

const struct property_kind property_vnpu = {"vnpu", write_config, write_node, write_pod};
