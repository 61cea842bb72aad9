/* Random HAMi clusters: three kinds of chips, by templates or soft. 310P is
 * short of memory first, 910B2 of AI CPUs, and 910B4 has networks. Pods may ask
 * two kinds at once. */
#include "property.h"

static const char *const policies[] = {"", "binpack", "spread"};

static const struct chip {
    const char *word, *text; /* text: the entry without its names */
    int memory, cores;
    int asks[6]; /* memory that pods ask */
} chips[] = {
    {"Ascend310P",
     "'memoryAllocatable':21527,'memoryCapacity':24576,'aiCore':8,'aiCPU':7,'templates':[{'name':'vir01','memory':3072,"
     "'aiCore':1,'aiCPU':1},{'name':'vir02','memory':6144,'aiCore':2,'aiCPU':2},{'name':'vir04','memory':12288,"
     "'aiCore':4,'aiCPU':4}]",
     21527,
     8,
     {1, 3072, 4000, 12289, 21527, 30000}},
    {"Ascend910B2",
     "'memoryAllocatable':65536,'memoryCapacity':65536,'aiCore':24,'aiCPU':6,'templates':[{'name':'vir03_1c_8g',"
     "'memory':8192,'aiCore':3,'aiCPU':1},{'name':'vir06_1c_16g','memory':16384,'aiCore':6,'aiCPU':1},"
     "{'name':'vir12_3c_32g','memory':32768,'aiCore':12,'aiCPU':3}]",
     65536,
     24,
     {1, 8192, 8193, 32768, 32769, 65537}},
    {"Ascend910B4",
     "'memoryAllocatable':32768,'memoryCapacity':32768,'aiCore':20,'aiCPU':7,'templates':[{'name':'vir05_1c_8g',"
     "'memory':8192,'aiCore':5,'aiCPU':1},{'name':'vir10_3c_16g','memory':16384,'aiCore':10,'aiCPU':3}]",
     32768,
     20,
     {1, 8192, 16384, 16385, 32768, 32769}},
};
enum { CHIPS = sizeof chips / sizeof chips[0] };

static bool write_config(struct dice *dice, bool lock, struct dvl_buffer *out)
{
    static const char *const profiles[] = {"ledger", "volcano-1.14"};
    dvl_buffer_format(out,
                      "'scheduler':{'deviceshare.AscendHAMiVNPUEnable':true,'deviceshare.ScheduleWeight':1,"
                      "'deviceshare.SchedulePolicy':'%s','deviceshare.FormulaProfile':'%s',"
                      "'deviceshare.NodeLockEnable':%s}",
                      DICE_OF(dice, policies), DICE_OF(dice, profiles), lock ? "true" : "false");
    dvl_buffer_format(out, ",'devices':{'vnpus':{'hamiVnpuCore':%s,'configs':[",
                      dice_once_in(dice, 2) ? "true" : "false");
    for (int i = 0; i < CHIPS; i++)
        dvl_buffer_format(out,
                          "%s{'chipName':'%s','commonWord':'%s','resourceName':'huawei.com/%s',"
                          "'resourceMemoryName':'huawei.com/%s-memory',%s}",
                          i ? "," : "", chips[i].word, chips[i].word, chips[i].word, chips[i].word, chips[i].text);
    dvl_buffer_text(out, "]}}");
    return lock;
}

static void write_register(struct dice *dice, const struct chip *chip, int number, bool soft, struct dvl_buffer *out)
{
    bool networks = dice_once_in(dice, 2);
    int64_t count = dice_up_to(dice, 3) + 1;
    dvl_buffer_format(out, ",'hami.io/node-register-%s':'[", chip->word);
    for (int i = 0; i < count; i++) {
        dvl_buffer_format(out, "%s{`id`:`%s-%d-%d`,`index`:%d,`count`:%d,`devmem`:%d,`devcore`:%d,`health`:%s",
                          i ? "," : "", chip->word, number, i, i, (int)dice_up_to(dice, 8) + 1, chip->memory,
                          soft ? 100 : chip->cores, dice_once_in(dice, 8) ? "false" : "true");
        if (networks)
            dvl_buffer_format(out, ",`custominfo`:{`NetworkID`:%d}", (int)dice_up_to(dice, 1));
        dvl_buffer_char(out, '}');
    }
    dvl_buffer_text(out, "]'");
}

static void write_node(struct dice *dice, int number, struct dvl_buffer *out)
{
    bool soft = dice_once_in(dice, 3);
    dvl_buffer_format(out, "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n%d','annotations':{'about':'chips'",
                      number);
    if (!dice_once_in(dice, 4))
        dvl_buffer_format(out, ",'hami-vnpu-core':'%s'", soft ? "true" : "false");
    for (int i = 0; i < CHIPS; i++) {
        if (!dice_once_in(dice, 6))
            write_register(dice, &chips[i], number, soft, out);
    }
    dvl_buffer_text(out, "}},'status':{'allocatable':{'cpu':'8'");
    for (int i = 0; i < CHIPS; i++)
        dvl_buffer_format(out, ",'huawei.com/%s':'%d'", chips[i].word, dice_once_in(dice, 12) ? 0 : 16);
    dvl_buffer_text(out, "}}}");
}

static void write_limits(struct dice *dice, const struct chip *chip, struct dvl_buffer *out)
{
    const char *comma = out->length ? "," : "";
    dvl_buffer_format(out, "%s'huawei.com/%s':'%d'", comma, chip->word,
                      dice_once_in(dice, 6) ? (int)dice_up_to(dice, 3) : 1);
    if (!dice_once_in(dice, 4))
        dvl_buffer_format(out, ",'huawei.com/%s-memory':'%d'", chip->word, DICE_OF(dice, chip->asks));
    if (dice_once_in(dice, 3))
        dvl_buffer_format(out, ",'huawei.com/%s-core':'%d'", chip->word,
                          (int)dice_up_to(dice, dice_once_in(dice, 4) ? 101 : chip->cores));
}

static void write_pod(struct dice *dice, int number, int node, struct dvl_buffer *out)
{
    const struct chip *chip = &DICE_OF(dice, chips), *other = &DICE_OF(dice, chips);
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    if (dice_once_in(dice, 4))
        dvl_buffer_text(&text, "'huawei.com/vnpu-mode':'hami-core',");
    dvl_buffer_format(&text, "'hami.io/no-use-%s-uuid':'%s-0-%d'", chip->word, chip->word, (int)dice_up_to(dice, 9));
    if (node >= 0)
        dvl_buffer_format(&text, ",'hami.io/vgpu-node':'n%d','hami.io/%s-devices-allocated':'%s-%d-%d,%s,%d,%d:;'",
                          node, chip->word, chip->word, node, (int)dice_up_to(dice, 4), chip->word,
                          (int)dice_up_to(dice, chip->memory), (int)dice_up_to(dice, 20));
    property_pod_start(out, number, node, "", text.text);
    int containers = dice_once_in(dice, 3) ? (int)dice_up_to(dice, 2) + 1 : 1;
    for (int i = 0; i < containers; i++) {
        dvl_buffer_reset(&text);
        write_limits(dice, chip, &text);
        if (other != chip && dice_once_in(dice, 5))
            write_limits(dice, other, &text);
        property_container(out, i, text.text);
    }
    property_pod_end(out, node);
    dvl_buffer_clear(&text);
}

const struct property_kind property_hami = {"hami", write_config, write_node, write_pod};
