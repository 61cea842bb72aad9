/* Random HAMi clusters: 310P chips, by templates or soft. */
#include "property.h"

static const char *const policies[] = {"", "binpack", "spread"};

static bool write_config(struct dice *dice, bool lock, struct dvl_buffer *out)
{
    dvl_buffer_format(out,
                      "'scheduler':{'deviceshare.AscendHAMiVNPUEnable':true,'deviceshare.ScheduleWeight':1,"
                      "'deviceshare.SchedulePolicy':'%s','deviceshare.NodeLockEnable':%s}",
                      DICE_OF(dice, policies), lock ? "true" : "false");
    return lock;
}

static void write_node(struct dice *dice, int number, struct dvl_buffer *out)
{
    bool soft = dice_once_in(dice, 3);
    dvl_buffer_format(out, "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n%d','annotations':{", number);
    dvl_buffer_format(out, "'hami-vnpu-core':'%s','hami.io/node-register-Ascend310P':'[", soft ? "true" : "false");
    int64_t chips = dice_up_to(dice, 3);
    for (int64_t i = 0; i < chips; i++)
        dvl_buffer_format(out,
                          "%s{`id`:`A%d-%d`,`index`:%d,`count`:%d,`devmem`:21527,`devcore`:%d,`type`:`Ascend310P`,"
                          "`health`:%s}",
                          i ? "," : "", number, (int)i, (int)i, (int)dice_up_to(dice, 6) + 1, soft ? 100 : 8,
                          dice_once_in(dice, 8) ? "false" : "true");
    dvl_buffer_format(out, "]'}},'status':{'allocatable':{'huawei.com/Ascend310P':'%d'}}}",
                      dice_once_in(dice, 10) ? 0 : 7);
}

static void write_pod(struct dice *dice, int number, int node, struct dvl_buffer *out)
{
    static const int64_t memories[] = {1, 3072, 4000, 6144, 12288, 12289, 21527, 30000};
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    if (dice_once_in(dice, 3))
        dvl_buffer_text(&text, "'huawei.com/vnpu-mode':'hami-core',");
    dvl_buffer_format(&text, "'hami.io/no-use-Ascend310P-uuid':'A0-%d'", (int)dice_up_to(dice, 9));
    if (node >= 0)
        dvl_buffer_format(&text,
                          ",'hami.io/vgpu-node':'n%d','hami.io/Ascend310P-devices-allocated':"
                          "'A%d-%d,Ascend310P,%d,0:;'",
                          node, node, (int)dice_up_to(dice, 4), (int)dice_up_to(dice, 8000));
    property_pod_start(out, number, node, "", text.text);
    int containers = (int)dice_up_to(dice, 2) + 1;
    for (int i = 0; i < containers; i++) {
        dvl_buffer_reset(&text);
        dvl_buffer_format(&text, "'huawei.com/Ascend310P':'%d'", dice_once_in(dice, 4) ? (int)dice_up_to(dice, 3) : 1);
        if (!dice_once_in(dice, 4))
            dvl_buffer_format(&text, ",'huawei.com/Ascend310P-memory':'%d'", (int)DICE_OF(dice, memories));
        if (dice_once_in(dice, 3))
            dvl_buffer_format(&text, ",'huawei.com/Ascend310P-core':'%d'", (int)dice_up_to(dice, 101));
        property_container(out, i, text.text);
    }
    property_pod_end(out, node);
    dvl_buffer_clear(&text);
}

const struct property_kind property_hami = {"hami", write_config, write_node, write_pod};
