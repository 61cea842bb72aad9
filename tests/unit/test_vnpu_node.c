/* vnpu: ConfigMaps, labels and capacity → chips. */
#include "../support/vnpu_world.h"

#include "manifest/manifest.h"

enum { FACTS = 32 };

/* A node and what ConfigMaps told about it. */
struct scene {
    struct dvl_arena arena;
    struct dvl_backend backend;
    struct dvl_error error;
    struct dvl_findings findings;
    struct dvl_pair labels[3], capacity;
    struct dvl_node node;
    struct dvl_fact items[FACTS];
    struct dvl_facts facts;
    struct dvl_inventory inventory;
};

static void scene_open(struct scene *scene, const char *cores, const char *accelerator, const char *server,
                       const char *chip)
{
    memset(scene, 0, sizeof *scene);
    dvl_arena_init(&scene->arena, 0);
    scene->backend = (struct dvl_backend){.ops = &dvl_vnpu_ops, .name = "vnpu"};
    scene->findings.arena = &scene->arena;
    size_t count = 0;
    if (accelerator)
        scene->labels[count++] = (struct dvl_pair){"accelerator", accelerator};
    if (chip)
        scene->labels[count++] = (struct dvl_pair){"node.kubernetes.io/npu.chip.name", chip};
    if (server)
        scene->labels[count++] = (struct dvl_pair){"servertype", server};
    scene->capacity = (struct dvl_pair){"huawei.com/npu-core", cores};
    scene->node = (struct dvl_node){
        .name = "n1", .labels = {scene->labels, count}, .capacity = {&scene->capacity, cores ? 1 : 0}};
    scene->facts.items = scene->items;
}

static void scene_usual(struct scene *scene)
{
    scene_open(scene, "16", "huawei-Ascend310P", "Ascend310P-8", "310P3");
}

static void scene_close(struct scene *scene)
{
    dvl_arena_clear(&scene->arena);
}

/* The facts of one ConfigMap with one data member; those about n1 are kept. */
static struct dvl_facts scene_configmap(struct scene *scene, const char *namespace_, const char *name, const char *key,
                                        const char *text)
{
    struct dvl_pair data = {key, text};
    struct dvl_configmap configmap = {.namespace_ = namespace_, .name = name, .data = {&data, 1}};
    struct dvl_facts told;
    bool mine;
    assert_int_equal(dvl_vnpu_ops.read_object(&scene->backend, &configmap, &scene->arena, &mine, &told,
                                              &scene->findings, &scene->error),
                     DVL_OK);
    assert_true(mine);
    for (size_t i = 0; i < told.count; i++) {
        if (strcmp(told.items[i].node_name, "n1") == 0)
            scene->items[scene->facts.count++] = told.items[i];
    }
    return told;
}

static struct dvl_facts scene_devices(struct scene *scene, const char *text)
{
    return scene_configmap(scene, "kube-system", "mindx-dl-deviceinfo-n1", "DeviceInfoCfg", text);
}

static void scene_read(struct scene *scene)
{
    assert_int_equal(dvl_vnpu_ops.read_node(&scene->backend, &scene->node, &scene->facts, &scene->inventory,
                                            &scene->findings, &scene->error),
                     DVL_OK);
    assert_false(scene->findings.failed);
}

static void assert_finding(const struct scene *scene, const char *kind)
{
    for (const struct dvl_finding *finding = scene->findings.first; finding; finding = finding->next) {
        if (strcmp(finding->kind, kind) == 0)
            return;
    }
    fail_msg("no finding %s", kind);
}

static void assert_closed(struct scene *scene, const char *reason)
{
    scene_read(scene);
    assert_true(scene->inventory.present);
    assert_false(scene->inventory.schedulable);
    assert_string_equal(scene->inventory.reason, reason);
    assert_non_null(scene->inventory.message);
    for (size_t i = 0; i < scene->inventory.device_count; i++)
        assert_false(scene->inventory.devices[i].schedulable);
}

#define BOTH                                                                                                           \
    "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"Ascend310P-0,Ascend310P-1\"},\"UpdateTime\":5}}"

static void chips_from_capacity_and_list(void **state)
{
    (void)state;
    struct scene scene;
    scene_usual(&scene);
    scene_devices(&scene, "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"Ascend310P-0\","
                          "\"huawei.com/Ascend310P-Unhealthy\":\"Ascend310P-1\"},\"UpdateTime\":5}}");
    scene_read(&scene);
    assert_true(scene.inventory.present);
    assert_true(scene.inventory.schedulable);
    assert_null(scene.inventory.reason);
    assert_int_equal(scene.inventory.capacity, 16);
    assert_int_equal(scene.inventory.device_count, 2);
    const struct dvl_device *chips = scene.inventory.devices;
    assert_true(chips[0].healthy);
    assert_null(chips[0].reason);
    assert_int_equal(chips[0].cores, 8);
    assert_int_equal(chips[0].ai_cores, 8);
    assert_int_equal(chips[0].ai_cpus, 7);
    assert_int_equal(chips[0].memory, DVL_UNSET);
    assert_int_equal(chips[0].slots, DVL_UNSET);
    assert_string_equal(chips[0].type, "Ascend310P");
    assert_int_equal(chips[1].idx, 1);
    assert_false(chips[1].healthy);
    assert_string_equal(chips[1].reason, "unhealthy");
    assert_true(chips[1].schedulable);
    assert_int_equal(scene.findings.count, 0);
    scene_close(&scene);
}

static void recovering_and_separated_chips_have_their_reason(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene, "20", "huawei-Ascend310P", "Ascend310P-10-dual", "310P3");
    struct dvl_pair data[] = {
        {"DeviceInfoCfg", "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"\","
                          "\"huawei.com/Ascend310P-Recovering\":\"Ascend310P-1\"},\"UpdateTime\":1787191602},"
                          "\"SuperPodID\":-2}"},
        {"ManuallySeparateNPU", "Ascend310P-0"},
    };
    struct dvl_configmap configmap = {.namespace_ = "kube-system", .name = "mindx-dl-deviceinfo-n1", .data = {data, 2}};
    bool mine;
    assert_int_equal(dvl_vnpu_ops.read_object(&scene.backend, &configmap, &scene.arena, &mine, &scene.facts,
                                              &scene.findings, &scene.error),
                     DVL_OK);
    assert_int_equal(scene.facts.count, 2);
    scene_read(&scene);
    assert_int_equal(scene.inventory.device_count, 2);
    assert_string_equal(scene.inventory.devices[0].reason, "separated");
    assert_string_equal(scene.inventory.devices[1].reason, "recovering");
    assert_int_equal(scene.inventory.devices[1].cores, 10);
    scene_close(&scene);
}

static void node_without_capacity_has_no_backend(void **state)
{
    (void)state;
    static const char *const none[] = {NULL, "0", "0k"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        struct scene scene;
        scene_open(&scene, none[i], "huawei-Ascend310P", "Ascend310P-8", "310P3");
        scene_devices(&scene, BOTH);
        scene_read(&scene);
        assert_false(scene.inventory.present);
        assert_false(scene.inventory.keep);
        assert_int_equal(scene.inventory.device_count, 0);
        scene_close(&scene);
    }
}

static void unreadable_capacity_keeps_what_was_there(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "many", "1.5", "-8", "1e20", "999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct scene scene;
        scene_open(&scene, bad[i], "huawei-Ascend310P", "Ascend310P-8", "310P3");
        scene_read(&scene);
        assert_true(scene.inventory.keep);
        assert_finding(&scene, "unreadable_quantity");
        scene_close(&scene);
    }
}

static void labels_that_are_missing_close_the_node(void **state)
{
    (void)state;
    static const struct {
        const char *cores, *accelerator, *server, *chip, *reason;
        size_t chips;
    } rows[] = {
        {"16", NULL, "Ascend310P-8", "310P3", "no_accelerator_label", 2},
        {"16", "huawei", "Ascend310P-8", "310P3", "no_accelerator_label", 2},
        {"16", "huawei-Ascend310P", NULL, "310P3", "no_servertype_label", 0},
        {"16", "huawei-Ascend310P", "soc", "310P3", "no_servertype_label", 0},
        {"16", "huawei-Ascend310P", "Ascend310P-x", "310P3", "no_servertype_label", 0},
        {"16", "huawei-Ascend310P", "Ascend310P-0", "310P3", "no_servertype_label", 0},
        {"16", "huawei-Ascend310P", "Ascend310P-8", NULL, "no_chip_name_label", 2},
        {"16", "huawei-Ascend310P", "Ascend310P-4", "310P3", "unknown_chip", 4},
        {"20", "huawei-Ascend310P", "Ascend310P-8", "310P3", "capacity_not_whole_chips", 2},
        {"40", "huawei-Ascend910", "Ascend910-20", "910B3", "other_chip_kind", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene scene;
        scene_open(&scene, rows[i].cores, rows[i].accelerator, rows[i].server, rows[i].chip);
        scene_devices(&scene, BOTH);
        assert_closed(&scene, rows[i].reason);
        assert_int_equal(scene.inventory.device_count, rows[i].chips);
        scene_close(&scene);
    }
}

static void other_kinds_are_counted(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene, "40", "huawei-Ascend910", "Ascend910-20", "910B3");
    scene_devices(&scene, "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend910\":\"Ascend910-0\","
                          "\"huawei.com/Ascend910-NetworkUnhealthy\":\"Ascend910-0\"},\"UpdateTime\":5}}");
    assert_closed(&scene, "other_chip_kind");
    assert_string_equal(scene.inventory.devices[0].type, "910B3");
    assert_int_equal(scene.inventory.devices[0].ai_cpus, 6);
    assert_true(scene.inventory.devices[0].healthy);
    scene_close(&scene);
}

static void node_without_device_info_is_closed(void **state)
{
    (void)state;
    struct scene scene;
    scene_usual(&scene);
    assert_closed(&scene, "no_device_info");
    assert_false(scene.inventory.devices[0].healthy);
    assert_false(scene.inventory.keep);
    scene_devices(&scene, "");
    assert_finding(&scene, "missing_data");
    assert_closed(&scene, "no_device_info");
    scene_devices(&scene, "{\"DeviceInfo\":{\"DeviceList\":{},\"UpdateTime\":5}}");
    assert_closed(&scene, "no_chip_list");
    scene_close(&scene);
}

static void unreadable_device_info_keeps_what_was_there(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{", "{\"DeviceInfo\":[]}", "{\"DeviceInfo\":{\"DeviceList\":[]}}",
        "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":7},\"UpdateTime\":5}}",
        "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"\"},\"UpdateTime\":\"now\"}}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct scene scene;
        scene_usual(&scene);
        scene_devices(&scene, bad[i]);
        assert_int_equal(scene.findings.count, 1);
        scene_read(&scene);
        assert_true(scene.inventory.keep);
        scene_configmap(&scene, "mindx-dl", "cluster-info-device-0", "cluster-info-device-0",
                        "{\"mindx-dl-deviceinfo-n1\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"Ascend310P-1\"}}}");
        scene_read(&scene); /* another writer's word does */
        assert_false(scene.inventory.keep);
        assert_false(scene.inventory.devices[0].healthy);
        assert_true(scene.inventory.devices[1].healthy);
        scene_close(&scene);
    }
}

static void pre_separate_closes_the_node(void **state)
{
    (void)state;
    struct scene scene;
    scene_usual(&scene);
    scene_devices(&scene, BOTH);
    scene_configmap(&scene, "mindx-dl", "mindx-dl-nodeinfo-n1", "NodeInfo",
                    "{\"NodeInfo\":{\"FaultDevList\":[],\"NodeStatus\":\"SubHealthy\"}}");
    scene_read(&scene);
    assert_true(scene.inventory.schedulable);
    scene_configmap(&scene, "mindx-dl", "cluster-info-node-cm", "cluster-info-node-cm",
                    "{\"mindx-dl-nodeinfo-n1\":{\"FaultDevList\":[],\"NodeStatus\":\"PreSeparate\",\"CmName\":\"x\"}}");
    assert_closed(&scene, "pre_separate");
    assert_int_equal(scene.inventory.device_count, 2);
    scene_close(&scene);
}

static void newer_update_time_counts_whatever_the_order(void **state)
{
    (void)state;
    static const char *const plugin = "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"Ascend310P-0\"},"
                                      "\"UpdateTime\":7}}";
    for (int i = 0; i < 4; i++) {
        struct scene scene;
        char text[512];
        snprintf(text, sizeof text,
                 "{\"mindx-dl-deviceinfo-n1\":{\"DeviceList\":{\"huawei.com/Ascend310P\":"
                 "\"Ascend310P-1\"},\"UpdateTime\":%d},\"mindx-dl-deviceinfo-n2\":{\"DeviceList\":"
                 "{\"huawei.com/Ascend310P\":\"Ascend310P-0\"},\"UpdateTime\":99}}",
                 i & 1 ? 8 : 6);
        scene_usual(&scene);
        if (i & 2)
            scene_devices(&scene, plugin);
        scene_configmap(&scene, "mindx-dl", "cluster-info-device-0", "cluster-info-device-0", text);
        if (!(i & 2))
            scene_devices(&scene, plugin);
        scene_read(&scene);
        assert_int_equal(scene.inventory.devices[0].healthy, !(i & 1));
        assert_int_equal(scene.inventory.devices[1].healthy, i & 1);
        scene_close(&scene);
    }
}

static void equal_update_times_give_one_answer(void **state)
{
    (void)state;
    bool healthy[2];
    for (int i = 0; i < 2; i++) {
        struct scene scene;
        scene_usual(&scene);
        for (int j = 0; j < 2; j++)
            scene_devices(&scene,
                          i == j ? "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"Ascend310P-0\"}}}"
                                 : "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"Ascend310P-1\"}}}");
        scene_read(&scene);
        healthy[i] = scene.inventory.devices[0].healthy;
        scene_close(&scene);
    }
    assert_int_equal(healthy[0], healthy[1]);
}

static void one_chip_in_several_lists(void **state)
{
    (void)state;
    struct scene scene;
    scene_usual(&scene);
    scene_devices(&scene, "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P-Recovering\":\"Ascend310P-1\","
                          "\"huawei.com/Ascend310P-Unhealthy\":\"Ascend310P-0,Ascend310P-1\","
                          "\"huawei.com/Ascend310P\":\"Ascend310P-0,Ascend310P-1\"}}}");
    scene_read(&scene);
    assert_false(scene.inventory.devices[0].healthy);
    assert_string_equal(scene.inventory.devices[0].reason, "unhealthy");
    assert_string_equal(scene.inventory.devices[1].reason, "recovering");
    scene_close(&scene);
}

static void cluster_maps_are_taken_entry_by_entry(void **state)
{
    (void)state;
    struct scene scene;
    scene_usual(&scene);
    struct dvl_facts told = scene_configmap(
        &scene, "mindx-dl", "cluster-info-device-0", "cluster-info-device-0",
        "{\"stray-n3\":{},\"mindx-dl-deviceinfo-n2\":7,"
        "\"mindx-dl-deviceinfo-n1\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"Ascend310P-0,Ascend310P-1\"}}}");
    assert_int_equal(told.count, 2);
    assert_false(told.unreadable);
    assert_int_equal(scene.findings.count, 2);
    scene_read(&scene);
    assert_true(scene.inventory.devices[1].healthy);
    told = scene_configmap(&scene, "mindx-dl", "cluster-info-device-1", "cluster-info-device-1", "");
    assert_int_equal(told.count, 0);
    assert_false(told.unreadable);
    assert_int_equal(scene.findings.count, 2);
    told = scene_configmap(&scene, "mindx-dl", "cluster-info-device-1", "cluster-info-device-1", "[]");
    assert_true(told.unreadable);
    told = scene_configmap(&scene, "mindx-dl", "cluster-info-device-1", "cluster-info-device-1", "{");
    assert_true(told.unreadable);
    scene_close(&scene);
}

static void other_configmaps_are_not_ours(void **state)
{
    (void)state;
    static const struct {
        const char *namespace_, *name;
    } others[] = {{"default", "mindx-dl-deviceinfo-n1"},   {"kube-system", "mindx-dl-deviceinfo-"},
                  {"kube-system", "mindx-dl-nodeinfo-n1"}, {"mindx-dl", "cluster-info-switch-0"},
                  {"tenant", "cluster-info-node-cm"},      {"mindx-dl", "reset-config-n1"}};
    struct scene scene;
    scene_usual(&scene);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct dvl_configmap configmap = {.namespace_ = others[i].namespace_, .name = others[i].name};
        struct dvl_facts told;
        bool mine = true;
        assert_int_equal(dvl_vnpu_ops.read_object(&scene.backend, &configmap, &scene.arena, &mine, &told,
                                                  &scene.findings, &scene.error),
                         DVL_OK);
        assert_false(mine);
        assert_int_equal(told.count, 0);
    }
    scene_close(&scene);
}

static void items_of_a_list_are_taken_one_by_one(void **state)
{
    (void)state;
    struct scene scene;
    scene_open(&scene, "32", "huawei-Ascend310P", "Ascend310P-8", "310P3");
    scene_devices(&scene, "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":"
                          "\"Ascend310P-0, Ascend310P-1 ,,Ascend310P-4c.3cpu-100-2,Ascend910-3,Ascend310P-+3\"},"
                          "\"UpdateTime\":5}}");
    scene_read(&scene);
    assert_int_equal(scene.inventory.device_count, 4);
    assert_true(scene.inventory.devices[0].healthy);
    assert_true(scene.inventory.devices[1].healthy);
    assert_false(scene.inventory.devices[2].healthy);
    assert_string_equal(scene.inventory.devices[2].reason, "not_listed");
    assert_false(scene.inventory.devices[3].healthy);
    assert_int_equal(scene.findings.count, 4);
    assert_finding(&scene, "odd_blank");
    assert_finding(&scene, "unreadable_record");
    assert_int_equal(scene.findings.first->position, 13);
    scene_close(&scene);
}

static void numbers_come_from_the_lists_where_they_have_gaps(void **state)
{
    (void)state;
    struct scene scene;
    scene_usual(&scene);
    scene_devices(&scene,
                  "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":\"Ascend310P-0,Ascend310P-3\"}}}");
    scene_read(&scene);
    assert_int_equal(scene.inventory.device_count, 2);
    assert_int_equal(scene.inventory.devices[1].idx, 3);
    assert_int_equal(scene.findings.count, 0);
    scene_close(&scene);
    scene_open(&scene, "8", "huawei-Ascend310P", "Ascend310P-8", "310P3");
    scene_devices(&scene, BOTH);
    scene_read(&scene);
    assert_int_equal(scene.inventory.device_count, 1);
    assert_finding(&scene, "chip_count_mismatch");
    scene_close(&scene);
}

/* ---- Check codes ---- */

static void check(const char *name, const char *key, const char *text, size_t findings)
{
    struct scene scene;
    scene_usual(&scene);
    scene_configmap(&scene, strstr(name, "device") ? "kube-system" : "mindx-dl", name, key, text);
    assert_int_equal(scene.findings.count, findings);
    if (findings)
        assert_finding(&scene, "check_code_mismatch");
    scene_close(&scene);
}

static void check_codes_are_of_gos_own_form(void **state)
{
    (void)state;
    const char *list =
        "\"huawei.com/Ascend310P\": \"Ascend310P-0,Ascend310P-1\",\n \"huawei.com/Ascend310P-Unhealthy\":\"\"";
    char text[1024];
    static const char code[] = "b5925d9078997375960c3a85531359d21cd19d60fe3ab0b0914be5d3e57f5bf6";
    snprintf(text, sizeof text, "{\"DeviceInfo\":{\"DeviceList\":{%s},\"UpdateTime\":1787191601},\"CheckCode\":\"%s\"}",
             list, code);
    check("mindx-dl-deviceinfo-n1", "DeviceInfoCfg", text, 0);
    snprintf(text, sizeof text, "{\"CheckCode\":\"%s\",\"DeviceInfo\":{\"UpdateTime\":1787191601,\"DeviceList\":{%s}}}",
             code, list);
    check("mindx-dl-deviceinfo-n1", "DeviceInfoCfg", text, 0);
    snprintf(text, sizeof text, "{\"DeviceInfo\":{\"DeviceList\":{%s},\"UpdateTime\":1787191602},\"CheckCode\":\"%s\"}",
             list, code);
    check("mindx-dl-deviceinfo-n1", "DeviceInfoCfg", text, 1);
    check("mindx-dl-nodeinfo-n1", "NodeInfo",
          "{\"NodeInfo\":{\"NodeStatus\":\"PreSeparate\",\"FaultDevList\":[{\"DeviceId\":1,\"DeviceType\":\"CPU\","
          "\"FaultCode\":[\"00000001\",\"0100000F\"],\"FaultLevel\":\"PreSeparateFault\"}]},"
          "\"CheckCode\":\"d5b784301772aac25322e473285b578372057a856778272d38fb66c12829b572\"}",
          0);
    check("mindx-dl-nodeinfo-n1", "NodeInfo",
          "{\"NodeInfo\":{\"FaultDevList\":[],\"NodeStatus\":\"Healthy\"},\"CheckCode\":\"\"}", 1);
}

static void go_escapes_what_html_would_take(void **state)
{
    (void)state;
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_value *map = dvl_value_map(&arena), *list = dvl_value_map(&arena);
    dvl_value_set(list, "b", dvl_value_string(&arena, "<\"\\>&\n\r\t\x01\xe2\x80\xa8\xc3\xa9"));
    dvl_value_set(list, "a", dvl_value_bool(&arena, true));
    dvl_value_set(list, "B", dvl_value_null(&arena));
    dvl_value_set(map, "Extra", dvl_value_number(&arena, "-1"));
    dvl_value_set(map, "UpdateTime", dvl_value_int(&arena, 3));
    dvl_value_set(map, "DeviceList", list);
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_vnpu_go_json(&text, &arena, map, DVL_VNPU_DEVICE_INFO);
    assert_false(text.failed);
    assert_string_equal(text.text, "{\"DeviceList\":{\"B\":null,\"a\":true,"
                                   "\"b\":\"\\u003c\\\"\\\\\\u003e\\u0026\\n\\r\\t\\u0001\\u2028\xc3\xa9\"},"
                                   "\"UpdateTime\":3,\"Extra\":-1}");
    dvl_buffer_clear(&text);
    dvl_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chips_from_capacity_and_list),
        cmocka_unit_test(recovering_and_separated_chips_have_their_reason),
        cmocka_unit_test(node_without_capacity_has_no_backend),
        cmocka_unit_test(unreadable_capacity_keeps_what_was_there),
        cmocka_unit_test(labels_that_are_missing_close_the_node),
        cmocka_unit_test(other_kinds_are_counted),
        cmocka_unit_test(node_without_device_info_is_closed),
        cmocka_unit_test(unreadable_device_info_keeps_what_was_there),
        cmocka_unit_test(pre_separate_closes_the_node),
        cmocka_unit_test(newer_update_time_counts_whatever_the_order),
        cmocka_unit_test(equal_update_times_give_one_answer),
        cmocka_unit_test(one_chip_in_several_lists),
        cmocka_unit_test(cluster_maps_are_taken_entry_by_entry),
        cmocka_unit_test(other_configmaps_are_not_ours),
        cmocka_unit_test(items_of_a_list_are_taken_one_by_one),
        cmocka_unit_test(numbers_come_from_the_lists_where_they_have_gaps),
        cmocka_unit_test(check_codes_are_of_gos_own_form),
        cmocka_unit_test(go_escapes_what_html_would_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
