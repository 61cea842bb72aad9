/* The deviceshare arguments: what each may be, what is refused, and that a
 * refusal leaves the old configuration alone. */
#include "config/config.h"
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct dvl_arena arena;
static struct dvl_error why;

static int setup(void **state)
{
    (void)state;
    dvl_arena_init(&arena, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    dvl_arena_clear(&arena);
    return 0;
}

static struct dvl_value *value_of(const char *text)
{
    struct dvl_value *value = NULL;
    dvl_error_clear(&why);
    enum dvl_status status = dvl_text_read(&arena, text, strlen(text), &value, &why);
    if (status)
        fail_msg("%s", why.message);
    return value;
}

static struct dvl_scheduler_config taken(const char *text)
{
    struct dvl_scheduler_config config;
    memset(&config, 0x5a, sizeof config);
    if (dvl_scheduler_config_read(&arena, value_of(text), &config, &why))
        fail_msg("%s: %s", text, why.message);
    return config;
}

/* Refused with a message that has every one of the three parts. */
static void refused(const char *text, const char *key, const char *line, const char *reason)
{
    struct dvl_scheduler_config config, before;
    memset(&config, 0x5a, sizeof config);
    memcpy(&before, &config, sizeof config);
    if (dvl_scheduler_config_read(&arena, value_of(text), &config, &why) != DVL_BAD_INPUT)
        fail_msg("was taken: %s", text);
    assert_memory_equal(&config, &before, sizeof config);
    const char *parts[] = {key, line, reason};
    for (size_t i = 0; i < 3; i++) {
        if (!strstr(why.message, parts[i]))
            fail_msg("\"%s\" is missing in: %s", parts[i], why.message);
    }
}

/* One argument with a JSON value. */
static const char *one(const char *name, const char *value)
{
    static char text[4096];
    snprintf(text, sizeof text, "{\"deviceshare.%s\": %s}", name, value);
    return text;
}

static void without_arguments_all_is_off(void **state)
{
    (void)state;
    const char *texts[] = {"{}", "actions: enqueue", "tiers: []", "tiers:\n- plugins:\n  - name: gang\n",
                           "tiers:\n- plugins:\n  - name: deviceshare\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct dvl_scheduler_config config = taken(texts[i]);
        assert_false(config.gpu_sharing || config.gpu_number || config.vgpu || config.vnpu || config.hami);
        assert_false(config.node_lock);
        assert_int_equal(config.policy, DVL_POLICY_NONE);
        assert_int_equal(config.weight, 0);
        assert_int_equal(config.profile, DVL_PROFILE_LEDGER);
        assert_string_equal(config.geometries_name, "volcano-vgpu-device-config");
        assert_string_equal(config.geometries_namespace, "kube-system");
        assert_int_equal(config.rule_count, 0);
    }
}

static void each_switch_sets_its_own_member(void **state)
{
    (void)state;
    assert_true(taken(one("GPUSharingEnable", "true")).gpu_sharing);
    assert_true(taken(one("GPUNumberEnable", "true")).gpu_number);
    assert_true(taken(one("VGPUEnable", "true")).vgpu);
    assert_true(taken(one("AscendMindClusterVNPUEnable", "true")).vnpu);
    assert_true(taken(one("AscendHAMiVNPUEnable", "true")).hami);
    assert_true(taken(one("NodeLockEnable", "true")).node_lock);
    struct dvl_scheduler_config config = taken(one("VGPUEnable", "true"));
    assert_false(config.gpu_sharing || config.gpu_number || config.vnpu || config.hami || config.node_lock);
}

static void a_bool_may_be_a_word_of_parsebool(void **state)
{
    (void)state;
    const char *yes[] = {"\"1\"", "\"t\"", "\"T\"", "\"TRUE\"", "\"true\"", "\"True\"", "true"};
    const char *no[] = {"\"0\"", "\"f\"", "\"F\"", "\"FALSE\"", "\"false\"", "\"False\"", "false"};
    for (size_t i = 0; i < 7; i++) {
        assert_true(taken(one("VGPUEnable", yes[i])).vgpu);
        assert_false(taken(one("VGPUEnable", no[i])).vgpu);
    }
    assert_true(taken("deviceshare.VGPUEnable: yes\n").vgpu); /* a bool of YAML 1.1, as in the scheduler */
    assert_true(taken("deviceshare.VGPUEnable: T\n").vgpu);
}

static void other_bools_are_refused(void **state)
{
    (void)state;
    const char *values[] = {"\"yes\"", "\"on\"", "\"\"", "\" true\"", "\"tRUE\"", "1", "0", "null", "[]", "{}", "1.0"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        refused(one("VGPUEnable", values[i]), "deviceshare.VGPUEnable", "line 1", "no bool");
}

static void d0_weight_may_be_a_string_of_digits(void **state)
{
    (void)state;
    assert_int_equal(taken(one("ScheduleWeight", "10")).weight, 10);
    assert_int_equal(taken(one("ScheduleWeight", "\"10\"")).weight, 10);
    assert_int_equal(taken(one("ScheduleWeight", "0")).weight, 0);
    assert_int_equal(taken(one("ScheduleWeight", "1000000")).weight, 1000000);
    assert_int_equal(taken(one("ScheduleWeight", "\"010\"")).weight, 10);
    assert_int_equal(taken("deviceshare.ScheduleWeight: 7\n").weight, 7);
}

static void other_weights_are_refused(void **state)
{
    (void)state;
    const char *values[] = {"-1",   "\"-1\"", "1.0",    "1e1",    "1000001",  "\"1000001\"",
                            "\"\"", "\" 1\"", "\"1 \"", "\"+1\"", "\"0x10\"", "99999999999999999999999999",
                            "true", "null",   "[1]",    "{}",     "\"ten\"",  "\"99999999999999999999999999\""};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        refused(one("ScheduleWeight", values[i]), "deviceshare.ScheduleWeight", "line 1", "from 0 to 1000000");
    refused("deviceshare.ScheduleWeight: 010\n", "ScheduleWeight", "line 1", "plain digits");
    refused("deviceshare.ScheduleWeight: 1_000\n", "ScheduleWeight", "line 1", "plain digits");
    refused("deviceshare.ScheduleWeight: 0x10\n", "ScheduleWeight", "line 1", "plain digits");
}

static void policies(void **state)
{
    (void)state;
    assert_int_equal(taken(one("SchedulePolicy", "\"binpack\"")).policy, DVL_POLICY_BINPACK);
    assert_int_equal(taken(one("SchedulePolicy", "\"spread\"")).policy, DVL_POLICY_SPREAD);
    assert_int_equal(taken(one("SchedulePolicy", "\"\"")).policy, DVL_POLICY_NONE);
    assert_int_equal(taken("deviceshare.SchedulePolicy:\n").policy, DVL_POLICY_NONE);
    const char *values[] = {"\"binpak\"", "\"Binpack\"", "\"spread \"", "1", "true", "[]"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        refused(one("SchedulePolicy", values[i]), "deviceshare.SchedulePolicy", "line 1", "\"binpack\", \"spread\"");
}

static void profiles(void **state)
{
    (void)state;
    assert_int_equal(taken(one("FormulaProfile", "\"ledger\"")).profile, DVL_PROFILE_LEDGER);
    assert_int_equal(taken(one("FormulaProfile", "\"volcano-1.14\"")).profile, DVL_PROFILE_VOLCANO_1_14);
    const char *values[] = {"\"volcano-1.15\"", "\"\"", "null", "1.14"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        refused(one("FormulaProfile", values[i]), "deviceshare.FormulaProfile", "line 1", "\"volcano-1.14\"");
}

static void names_of_the_configmap(void **state)
{
    (void)state;
    struct dvl_scheduler_config config = taken("{\"deviceshare.KnownGeometriesCMName\": \"hami-scheduler-device\","
                                               " \"deviceshare.KnownGeometriesCMNamespace\": \"volcano-system\"}");
    assert_string_equal(config.geometries_name, "hami-scheduler-device");
    assert_string_equal(config.geometries_namespace, "volcano-system");
    const char *values[] = {"\"\"", "\"a/b\"", "\"a b\"", "\"a\\tb\"", "\"\\u00e9\"", "12", "true", "null", "[]"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        refused(one("KnownGeometriesCMName", values[i]), "KnownGeometriesCMName", "line 1", "Kubernetes object");
        refused(one("KnownGeometriesCMNamespace", values[i]), "KnownGeometriesCMNamespace", "line 1", "is wanted");
    }
    refused("deviceshare.KnownGeometriesCMName: 12\n", "KnownGeometriesCMName", "line 1", "the number 12 is no text");
    char longest[300];
    snprintf(longest, sizeof longest, "\"%0253d\"", 1);
    assert_int_equal(strlen(taken(one("KnownGeometriesCMName", longest)).geometries_name), 253);
    snprintf(longest, sizeof longest, "\"%0254d\"", 1);
    refused(one("KnownGeometriesCMName", longest), "KnownGeometriesCMName", "line 1", "too long");
}

static void unknown_arguments_are_refused_and_foreign_ones_ignored(void **state)
{
    (void)state;
    refused("{\"deviceshare.VGPUEnabled\": true}", "deviceshare.VGPUEnabled", "line 1", "known are AscendHAMi");
    refused("{\"deviceshare.\": true}", "deviceshare.", "line 1", "no argument");
    refused("{\"deviceshare.vgpuenable\": true}", "deviceshare.vgpuenable", "line 1", "VGPUEnable");
    refused("deviceshare.VGPUEnable: true\n\ndeviceshare.Weight: 1\n", "deviceshare.Weight", "line 3", "no argument");
    assert_true(
        taken("{\"predicate.GPUSharingEnable\": [], \"binpack.weight\": -3, \"deviceshare.VGPUEnable\": true}").vgpu);
}

static void the_switches_that_exclude_each_other(void **state)
{
    (void)state;
    refused("deviceshare.GPUSharingEnable: true\ndeviceshare.GPUNumberEnable: true\n", "deviceshare.GPUNumberEnable",
            "line 2", "deviceshare.GPUSharingEnable");
    refused("deviceshare.VGPUEnable: true\ndeviceshare.GPUSharingEnable: \"1\"\n", "deviceshare.VGPUEnable", "line 1",
            "deviceshare.GPUSharingEnable");
    refused("{\"deviceshare.VGPUEnable\": true, \"deviceshare.GPUNumberEnable\": true}", "deviceshare.VGPUEnable",
            "line 1", "deviceshare.GPUNumberEnable");
    assert_true(taken("{\"deviceshare.VGPUEnable\": true, \"deviceshare.GPUNumberEnable\": false}").vgpu);
    struct dvl_scheduler_config config = taken("{\"deviceshare.VGPUEnable\": true, \"deviceshare.AscendHAMiVNPUEnable\""
                                               ": true, \"deviceshare.AscendMindClusterVNPUEnable\": true}");
    assert_true(config.vgpu && config.hami && config.vnpu);
    config = taken("{\"deviceshare.GPUNumberEnable\": true, \"deviceshare.AscendHAMiVNPUEnable\": true}");
    assert_true(config.gpu_number && config.hami);
}

static void exclusive_rules_keep_order_and_sort_labels(void **state)
{
    (void)state;
    struct dvl_scheduler_config config =
        taken(one("GPUExclusiveRules", "[{\"team\": \"training\"}, {\"tier\": \"gold\", \"app\": \"web\"}]"));
    assert_int_equal(config.rule_count, 2);
    assert_int_equal(config.rules[0].labels.count, 1);
    assert_string_equal(dvl_pairs_get(&config.rules[0].labels, "team"), "training");
    assert_int_equal(config.rules[1].labels.count, 2);
    assert_string_equal(config.rules[1].labels.items[0].key, "app");
    assert_string_equal(config.rules[1].labels.items[0].value, "web");
    assert_string_equal(config.rules[1].labels.items[1].key, "tier");
    assert_int_equal(taken(one("GPUExclusiveRules", "[]")).rule_count, 0);
}

static void unusable_exclusive_rules_are_refused(void **state)
{
    (void)state;
    const char *key = "deviceshare.GPUExclusiveRules";
    refused(one("GPUExclusiveRules", "[{\"a\": \"b\"}, {\"shard\": 3}]"), "GPUExclusiveRules[1].shard", "line 1",
            "the number 3 is no text");
    refused(one("GPUExclusiveRules", "[{\"a\": \"\"}]"), "GPUExclusiveRules[0].a", "line 1", "is empty");
    refused(one("GPUExclusiveRules", "[{\"\": \"a\"}]"), key, "line 1", "is empty");
    refused(one("GPUExclusiveRules", "[{}]"), "GPUExclusiveRules[0]", "line 1", "a rule of 0 labels");
    refused(one("GPUExclusiveRules", "[{\"a\": \"b\", \"c\": null}]"), "[0].c", "line 1", "no text");
    refused(one("GPUExclusiveRules", "[{\"a\": [\"b\"]}]"), "[0].a", "line 1", "no text");
    refused(one("GPUExclusiveRules", "[\"team=a\"]"), "[0]", "line 1", "a map is wanted");
    refused(one("GPUExclusiveRules", "[null]"), "[0]", "line 1", "a map is wanted");
    refused(one("GPUExclusiveRules", "{\"team\": \"a\"}"), key, "line 1", "a list is wanted");
    refused(one("GPUExclusiveRules", "\"team=a\""), key, "line 1", "a list is wanted");
    refused(one("GPUExclusiveRules", "null"), key, "line 1", "a list is wanted");
    refused("deviceshare.GPUExclusiveRules:\n- team: yes\n", "[0].team", "line 2", "the bool yes");
}

static void many_rules_are_bounded(void **state)
{
    (void)state;
    char list[8192] = "[";
    size_t length = 1;
    for (int i = 0; i < 257; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s{\"a\":\"%d\"}", i ? "," : "", i);
    snprintf(list + length, sizeof list - length, "]");
    char text[8300];
    snprintf(text, sizeof text, "{\"deviceshare.GPUExclusiveRules\": %s}", list);
    refused(text, "GPUExclusiveRules", "line 1", "a list of 257");
}

static void the_plugin_is_found_in_any_tier(void **state)
{
    (void)state;
    struct dvl_scheduler_config config = taken("actions: \"enqueue, allocate\"\n"
                                               "tiers:\n"
                                               "- plugins:\n"
                                               "  - name: gang\n"
                                               "    arguments: {deviceshare.VGPUEnable: false}\n"
                                               "- plugins:\n"
                                               "  - name: drf\n"
                                               "  - name: deviceshare\n"
                                               "    enablePredicate: true\n"
                                               "    arguments:\n"
                                               "      deviceshare.VGPUEnable: true\n"
                                               "      deviceshare.ScheduleWeight: 10\n"
                                               "configurations:\n"
                                               "- name: init-params\n"
                                               "  arguments: {\"grace-over-time\": \"900\"}\n");
    assert_true(config.vgpu);
    assert_int_equal(config.weight, 10);
}

static void a_second_deviceshare_is_refused(void **state)
{
    (void)state;
    refused("tiers:\n- plugins:\n  - name: deviceshare\n- plugins:\n  - name: gang\n  - name: deviceshare\n",
            "tiers[1].plugins[1]", "line 6", "first in line 3");
}

static void the_document_must_have_its_shape(void **state)
{
    (void)state;
    refused("tiers: 3\n", "tiers", "line 1", "a list is wanted");
    refused("tiers: {plugins: []}\n", "tiers", "line 1", "a list is wanted");
    refused("tiers:\n- gang\n", "tiers[0]", "line 2", "a map is wanted");
    refused("tiers:\n- plugins: gang\n", "tiers[0].plugins", "line 2", "a list is wanted");
    refused("tiers:\n- plugins:\n  - gang\n", "tiers[0].plugins[0]", "line 3", "a map is wanted");
    refused("tiers:\n- plugins:\n  - arguments: {}\n", "tiers[0].plugins[0]", "line 3", "no name");
    refused("tiers:\n- plugins:\n  - name: 3\n", "tiers[0].plugins[0]", "line 3", "no name");
    refused("tiers:\n- plugins:\n  - name: deviceshare\n    arguments: [a]\n", "arguments of deviceshare", "line 4",
            "a map is wanted");
    refused("[]", "the configuration", "line 1", "a map is wanted");
    refused("\"deviceshare.VGPUEnable: true\"", "the configuration", "line 1", "a map is wanted");
    refused("", "the configuration", "", "nothing is not allowed");
}

static const char configmap_head[] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: n}\ndata:\n"
                                     "  volcano-scheduler.conf: |\n";

static const char *in_configmap(const char *inner)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s%s", configmap_head, inner);
    return text;
}

static void a_configmap_holds_a_text_of_its_own(void **state)
{
    (void)state;
    const char *text = in_configmap("    tiers:\n    - plugins:\n      - name: deviceshare\n        arguments:\n"
                                    "          deviceshare.VGPUEnable: true\n");
    assert_true(taken(text).vgpu);
    struct dvl_value *value = value_of(text);
    assert_int_equal(dvl_config_kind(value), 's');
    const char *inner = dvl_config_inner_text(value);
    assert_non_null(inner);
    assert_true(strncmp(inner, "tiers:\n", 7) == 0);
    assert_true(taken(inner).vgpu);
}

static void lines_count_within_the_text_of_the_configmap(void **state)
{
    (void)state;
    refused(in_configmap("    tiers:\n    - plugins:\n      - name: deviceshare\n        arguments:\n"
                         "          deviceshare.VGPUEnable: maybe\n"),
            "deviceshare.VGPUEnable", "line 5 of volcano-scheduler.conf", "no bool");
    refused(in_configmap("    tiers: [\n"), "data.volcano-scheduler.conf", "", "");
}

static void a_configmap_without_the_text_is_refused(void **state)
{
    (void)state;
    refused("{\"kind\": \"ConfigMap\"}", "data.volcano-scheduler.conf", "", "is missing");
    refused("{\"kind\": \"ConfigMap\", \"data\": {\"x\": \"y\"}}", "data.volcano-scheduler.conf", "", "is missing");
    refused("{\"kind\": \"ConfigMap\", \"data\": []}", "data.volcano-scheduler.conf", "", "is missing");
    refused("{\"kind\": \"ConfigMap\", \"data\": {\"volcano-scheduler.conf\": {}}}", "volcano-scheduler.conf", "line 1",
            "no text");
    refused("{\"kind\": \"ConfigMap\", \"data\": {\"volcano-scheduler.conf\": \"\"}}", "volcano-scheduler.conf",
            "line 1", "no text");
}

static void messages_stay_printable_and_bounded(void **state)
{
    (void)state;
    char text[3000];
    snprintf(text, sizeof text, "{\"deviceshare.ScheduleWeight\": \"\\u001b[31m%02000d\"}", 7);
    refused(text, "deviceshare.ScheduleWeight", "line 1", "?[31m");
    assert_true(strlen(why.message) < 400);
    assert_null(strchr(why.message, '\033'));
}

static void a_whole_file_as_clusters_have_it(void **state)
{
    (void)state;
    FILE *file = fopen("tests/fixtures/config/scheduler.yaml", "r");
    assert_non_null(file);
    char text[4096];
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    struct dvl_scheduler_config config = taken(text);
    assert_true(config.vgpu && config.node_lock);
    assert_int_equal(config.policy, DVL_POLICY_BINPACK);
    assert_int_equal(config.weight, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_arguments_all_is_off),
        cmocka_unit_test(each_switch_sets_its_own_member),
        cmocka_unit_test(a_bool_may_be_a_word_of_parsebool),
        cmocka_unit_test(other_bools_are_refused),
        cmocka_unit_test(d0_weight_may_be_a_string_of_digits),
        cmocka_unit_test(other_weights_are_refused),
        cmocka_unit_test(policies),
        cmocka_unit_test(profiles),
        cmocka_unit_test(names_of_the_configmap),
        cmocka_unit_test(unknown_arguments_are_refused_and_foreign_ones_ignored),
        cmocka_unit_test(the_switches_that_exclude_each_other),
        cmocka_unit_test(exclusive_rules_keep_order_and_sort_labels),
        cmocka_unit_test(unusable_exclusive_rules_are_refused),
        cmocka_unit_test(many_rules_are_bounded),
        cmocka_unit_test(the_plugin_is_found_in_any_tier),
        cmocka_unit_test(a_second_deviceshare_is_refused),
        cmocka_unit_test(the_document_must_have_its_shape),
        cmocka_unit_test(a_configmap_holds_a_text_of_its_own),
        cmocka_unit_test(lines_count_within_the_text_of_the_configmap),
        cmocka_unit_test(a_configmap_without_the_text_is_refused),
        cmocka_unit_test(messages_stay_printable_and_bounded),
        cmocka_unit_test(a_whole_file_as_clusters_have_it),
    };
    return cmocka_run_group_tests_name("scheduler configuration", tests, setup, teardown);
}
