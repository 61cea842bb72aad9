/* The verbs about configuration, through the batch protocol: what is kept, what
 * a refusal leaves alone, what follows in other tables, and ConfigMaps that the
 * scheduler's arguments name. */
#include <devledger.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct dvl_ledger *ledger;
static struct dvl_answer *answer;

static int setup(void **state)
{
    (void)state;
    const struct dvl_open_options options = {.path = ":memory:", .actor = "tester", .create = true};
    char message[256];
    if (dvl_ledger_open(&options, &ledger, message, sizeof message)) {
        print_error("%s\n", message);
        return 1;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    dvl_answer_free(answer);
    answer = NULL;
    dvl_ledger_close(ledger);
    ledger = NULL;
    return 0;
}

static const struct dvl_value *call(const char *request, enum dvl_status wanted)
{
    dvl_answer_free(answer);
    enum dvl_status status = dvl_call(ledger, request, strlen(request), &answer);
    if (status != wanted)
        fail_msg("%s\n  gave %s", request, dvl_answer_json(answer));
    return dvl_answer_value(answer);
}

static const struct dvl_value *ask(const char *request)
{
    return call(request, DVL_OK);
}

static const char *refused(const char *request)
{
    const struct dvl_value *error = dvl_value_get(call(request, DVL_BAD_INPUT), "error");
    assert_string_equal(dvl_value_text(dvl_value_get(error, "code")), "bad_input");
    return dvl_value_text(dvl_value_get(error, "message"));
}

static bool changed(const char *request)
{
    const struct dvl_value *value = dvl_value_get(ask(request), "changed");
    assert_int_equal(dvl_value_kind(value), DVL_VALUE_BOOL);
    return dvl_value_is_true(value);
}

/* First column of the first row. */
static const char *sql(const char *query)
{
    char request[1024];
    snprintf(request, sizeof request, "{\"op\":\"sql\",\"query\":\"%s\"}", query);
    const struct dvl_value *row = dvl_value_first(dvl_value_get(ask(request), "items"));
    const char *text = dvl_value_text(dvl_value_first(row));
    return text ? text : "<null>";
}

static const char *argument(const char *name)
{
    return dvl_value_text(dvl_value_get(dvl_value_get(ask("{\"op\":\"config-show\"}"), "scheduler"), name));
}

static const char *nvidia(const char *name)
{
    const struct dvl_value *devices = dvl_value_get(ask("{\"op\":\"config-show\"}"), "devices");
    return dvl_value_text(dvl_value_get(dvl_value_get(devices, "nvidia"), name));
}

static const struct dvl_value *backend(const char *name)
{
    const struct dvl_value *list = dvl_value_get(ask("{\"op\":\"config-show\"}"), "backends");
    for (const struct dvl_value *item = dvl_value_first(list); item; item = dvl_value_next(item)) {
        if (strcmp(dvl_value_text(dvl_value_get(item, "name")), name) == 0)
            return item;
    }
    return NULL;
}

static void a_new_ledger_has_the_defaults(void **state)
{
    (void)state;
    const struct dvl_value *shown = ask("{\"op\":\"config-show\"}");
    assert_int_equal(dvl_value_kind(dvl_value_get(dvl_value_get(shown, "applied"), "scheduler")), DVL_VALUE_NULL);
    const char *names[] = {"gpushare", "vgpu", "vnpu", "hami-Ascend310P"};
    const struct dvl_value *item = dvl_value_first(dvl_value_get(shown, "backends"));
    for (size_t i = 0; i < 4; i++, item = dvl_value_next(item)) {
        assert_string_equal(dvl_value_text(dvl_value_get(item, "name")), names[i]);
        assert_false(dvl_value_is_true(dvl_value_get(item, "enabled")));
    }
    assert_null(item);
    assert_string_equal(argument("deviceshare.ScheduleWeight"), "0");
    assert_string_equal(sql("SELECT count(*) FROM config"), "0");
    assert_string_equal(sql("SELECT group_concat(backend) FROM (SELECT backend FROM backend_resource ORDER BY 1)"),
                        "gpushare,hami-Ascend310P,vgpu,vnpu");
    assert_string_equal(sql("SELECT memory FROM vnpu_template WHERE backend = 'hami-Ascend310P' AND name = 'vir02'"),
                        "6144");
    assert_string_equal(sql("SELECT dvpp FROM vnpu_template WHERE backend = 'vnpu' AND name = 'vir04_4c_dvpp'"), "yes");
}

static void backends_show_what_a_scheduler_must_know(void **state)
{
    (void)state;
    ask("{\"op\":\"config\",\"scheduler\":{\"deviceshare.AscendHAMiVNPUEnable\":true}}");
    const struct dvl_value *hami = backend("hami-Ascend310P");
    assert_true(dvl_value_is_true(dvl_value_get(hami, "enabled")));
    assert_string_equal(dvl_value_text(dvl_value_get(hami, "upstreamName")), "Ascend310P");
    assert_string_equal(dvl_value_text(dvl_value_get(hami, "lockName")), "hami.io/mutex.lock");
    const struct dvl_value *ignored = dvl_value_get(hami, "ignoredResources");
    assert_int_equal(dvl_value_count(ignored), 2);
    assert_string_equal(dvl_value_text(dvl_value_first(ignored)), "huawei.com/Ascend310P-memory");
    assert_string_equal(dvl_value_text(dvl_value_next(dvl_value_first(ignored))), "huawei.com/Ascend310P-core");
    const struct dvl_value *vnpu = backend("vnpu");
    assert_int_equal(dvl_value_kind(dvl_value_get(vnpu, "lockName")), DVL_VALUE_NULL);
    assert_int_equal(dvl_value_count(dvl_value_get(vnpu, "ignoredResources")), 0);
}

static void the_same_text_again_changes_nothing(void **state)
{
    (void)state;
    const char *request = "{\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnable\":true}}";
    assert_true(changed(request));
    assert_false(changed(request));
    assert_string_equal(sql("SELECT count(*) FROM config"), "1");
    assert_string_equal(sql("SELECT count(*) FROM event WHERE kind = 'config'"), "1");
    assert_string_equal(sql("SELECT text FROM config"), "{\"deviceshare.VGPUEnable\":true}");
    assert_true(changed("{\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnable\":false}}"));
    assert_true(changed(request));
    assert_string_equal(sql("SELECT count(*) FROM config"), "3");
    assert_string_equal(sql("SELECT json_extract(detail, '$.before.sha256') IS NULL FROM event WHERE kind = 'config'"
                            " ORDER BY seq LIMIT 1"),
                        "1");
    assert_string_equal(sql("SELECT json_extract(detail, '$.after.sha256') = (SELECT sha256 FROM config ORDER BY id"
                            " DESC LIMIT 1) FROM event WHERE kind = 'config' ORDER BY seq DESC LIMIT 1"),
                        "1");
}

static void both_kinds_in_one_request(void **state)
{
    (void)state;
    assert_true(changed("{\"op\":\"config\",\"scheduler\":\"deviceshare.VGPUEnable: true\\n\","
                        "\"devices\":{\"nvidia\":{\"gpuMemoryFactor\":10}}}"));
    assert_string_equal(sql("SELECT group_concat(kind) FROM (SELECT kind FROM config ORDER BY id)"),
                        "scheduler,devices");
    assert_string_equal(nvidia("gpuMemoryFactor"), "10");
    assert_string_equal(argument("deviceshare.VGPUEnable"), "true");
    assert_string_equal(sql("SELECT text FROM config WHERE kind = 'scheduler'"), "deviceshare.VGPUEnable: true\n");
    assert_string_equal(sql("SELECT sha256 FROM config WHERE kind = 'scheduler'"),
                        "a1156cae5d30df0422b8459bbf3faa79339766adfb93c86bcd4c966538aa0ef5");
}

static void a_refusal_leaves_what_is_in_force(void **state)
{
    (void)state;
    ask("{\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnable\":true,\"deviceshare.ScheduleWeight\":7}}");
    const char *bad[] = {
        "{\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnable\":true,\"deviceshare.GPUNumberEnable\":true}}",
        "{\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnabled\":true}}",
        "{\"op\":\"config\",\"scheduler\":{\"deviceshare.ScheduleWeight\":9},\"devices\":{\"nvidia\":3}}",
        "{\"op\":\"config\",\"scheduler\":\"tiers: [\"}",
        "{\"op\":\"config\",\"scheduler\":3}",
        "{\"op\":\"config\",\"scheduler\":null}",
        "{\"op\":\"config\"}",
        "{\"op\":\"config\",\"text\":\"kind: Node\"}",
        "{\"op\":\"config\",\"text\":\"vnpus: []\",\"devices\":{\"vnpus\":[]}}",
        "{\"op\":\"config\",\"devices\":\"\"}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(bad[i]);
    assert_string_equal(argument("deviceshare.ScheduleWeight"), "7");
    assert_string_equal(argument("deviceshare.VGPUEnable"), "true");
    assert_string_equal(sql("SELECT count(*) FROM config"), "1");
    assert_non_null(strstr(refused(bad[1]), "scheduler: deviceshare.VGPUEnabled (line 1): is no argument"));
    assert_non_null(strstr(refused(bad[2]), "devices: nvidia (line 1)"));
}

static void a_text_is_bounded(void **state)
{
    (void)state;
    const size_t size = ((size_t)1 << 20) + 1;
    char *request = malloc(size + 100);
    assert_non_null(request);
    size_t length = (size_t)sprintf(request, "{\"op\":\"config\",\"devices\":\"vnpus: [] #");
    memset(request + length, 'x', size);
    strcpy(request + length + size, "\"}");
    const char *message = refused(request);
    assert_non_null(strstr(message, "devices: 1048588 bytes are too much"));
    free(request);
    assert_string_equal(sql("SELECT count(*) FROM config"), "0");
}

static void a_text_says_itself_what_it_is(void **state)
{
    (void)state;
    ask("{\"op\":\"config\",\"text\":\"kind: ConfigMap\\ndata:\\n  volcano-scheduler.conf: |\\n"
        "    tiers:\\n    - plugins:\\n      - name: deviceshare\\n"
        "        arguments: {deviceshare.GPUNumberEnable: true}\\n\"}");
    assert_string_equal(argument("deviceshare.GPUNumberEnable"), "true");
    assert_string_equal(sql("SELECT substr(text, 1, 6) FROM config"), "tiers:");
    ask("{\"op\":\"config\",\"text\":\"vnpus: []\"}");
    assert_null(backend("hami-Ascend310P"));
    assert_string_equal(sql("SELECT count(*) FROM vnpu_template WHERE backend LIKE 'hami%'"), "0");
}

static void geometries_become_rows(void **state)
{
    (void)state;
    ask("{\"op\":\"config\",\"devices\":{\"nvidia\":{\"knownMigGeometries\":["
        "{\"models\":[\"A30\",\"A30\"],\"allowedGeometries\":["
        "{\"group\":\"g1\",\"geometries\":[{\"name\":\"a\",\"memory\":100,\"count\":4}]},"
        "{\"group\":\"g2\",\"geometries\":[{\"name\":\"b\",\"memory\":200,\"count\":1},"
        "{\"name\":\"a\",\"memory\":100,\"count\":2}]}]},"
        "{\"models\":[\"A30\",\"A100\"],\"allowedGeometries\":["
        "{\"group\":\"x\",\"geometries\":[{\"name\":\"c\",\"memory\":300,\"count\":1}]}]}]}}}");
    assert_string_equal(sql("SELECT count(*) FROM mig_geometry"), "4");
    assert_string_equal(sql("SELECT first_position FROM mig_geometry WHERE model = 'A30' AND group_name = 'g2' AND"
                            " kind_name = 'a'"),
                        "1");
    assert_string_equal(sql("SELECT group_name FROM mig_geometry WHERE model = 'A100'"), "x");
    ask("{\"op\":\"config\",\"devices\":{}}");
    assert_string_equal(sql("SELECT count(*) FROM mig_geometry"), "0");
}

static void check_judges_and_keeps_nothing(void **state)
{
    (void)state;
    const struct dvl_value *shown = ask("{\"op\":\"config-check\",\"text\":\"nvidia: {gpuMemoryFactor: 4}\"}");
    const struct dvl_value *section = dvl_value_get(dvl_value_get(shown, "devices"), "nvidia");
    assert_string_equal(dvl_value_text(dvl_value_get(section, "gpuMemoryFactor")), "4");
    assert_null(dvl_value_get(shown, "scheduler"));
    call("{\"op\":\"config-check\",\"scheduler\":{\"deviceshare.VGPUEnable\":1}}", DVL_BAD_INPUT);
    assert_string_equal(sql("SELECT count(*) FROM config"), "0");
    assert_string_equal(nvidia("gpuMemoryFactor"), "1");
}

static void what_is_shown_can_be_applied(void **state)
{
    (void)state;
    ask("{\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnable\":\"T\",\"deviceshare.ScheduleWeight\":\"3\"}}");
    const struct dvl_value *shown = ask("{\"op\":\"config-show\"}");
    assert_non_null(shown);
    char request[8192];
    const char *json = dvl_answer_json(answer);
    const char *scheduler = strstr(json, "\"scheduler\":{\"deviceshare");
    assert_non_null(scheduler);
    const char *end = strchr(scheduler, '}');
    snprintf(request, sizeof request, "{\"op\":\"config\",%.*s}}", (int)(end - scheduler), scheduler);
    assert_true(changed(request));
    assert_string_equal(argument("deviceshare.ScheduleWeight"), "3");
    assert_string_equal(argument("deviceshare.VGPUEnable"), "true");
}

#define CONFIGMAP(name, text)                                                                                          \
    "{\"op\":\"apply\",\"object\":{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" name "\",\"namespace\":"          \
    "\"kube-system\"},\"data\":{\"device-config.yaml\":\"" text "\"}}}"

static void a_configmap_that_the_arguments_name_is_taken(void **state)
{
    (void)state;
    ask(CONFIGMAP("volcano-vgpu-device-config", "nvidia: {gpuMemoryFactor: 8}"));
    assert_string_equal(nvidia("gpuMemoryFactor"), "8");
    assert_string_equal(sql("SELECT text FROM config WHERE kind = 'devices'"), "nvidia: {gpuMemoryFactor: 8}");
    assert_string_equal(sql("SELECT json_extract(detail, '$.source') FROM event WHERE kind = 'config'"),
                        "kube-system/volcano-vgpu-device-config");
    ask(CONFIGMAP("another", "nvidia: {gpuMemoryFactor: 9}"));
    assert_string_equal(nvidia("gpuMemoryFactor"), "8");
}

static void one_that_does_not_read_is_a_finding(void **state)
{
    (void)state;
    ask(CONFIGMAP("volcano-vgpu-device-config", "nvidia: {gpuMemoryFactor: 8}"));
    ask(CONFIGMAP("volcano-vgpu-device-config", "nvidia: {gpuMemoryFactor: -1}"));
    assert_string_equal(nvidia("gpuMemoryFactor"), "8");
    assert_string_equal(sql("SELECT count(*) FROM finding WHERE kind = 'unreadable_config' AND closed_at IS NULL"),
                        "1");
    ask("{\"op\":\"config\",\"scheduler\":{\"deviceshare.VGPUEnable\":true}}");
    assert_string_equal(sql("SELECT count(*) FROM finding WHERE kind = 'unreadable_config' AND closed_at IS NULL"),
                        "1");
    ask(CONFIGMAP("volcano-vgpu-device-config", "nvidia: {gpuMemoryFactor: 2}"));
    assert_string_equal(nvidia("gpuMemoryFactor"), "2");
    assert_string_equal(sql("SELECT count(*) FROM finding WHERE closed_at IS NULL"), "0");
}

static void one_that_came_before_the_arguments_is_taken_with_them(void **state)
{
    (void)state;
    ask(CONFIGMAP("hami-scheduler-device", "nvidia: {gpuMemoryFactor: 5}"));
    assert_string_equal(nvidia("gpuMemoryFactor"), "1");
    ask("{\"op\":\"config\",\"scheduler\":{\"deviceshare.KnownGeometriesCMName\":\"hami-scheduler-device\"}}");
    assert_string_equal(nvidia("gpuMemoryFactor"), "5");
    ask("{\"op\":\"config\",\"devices\":{\"nvidia\":{\"gpuMemoryFactor\":6}}}");
    assert_string_equal(nvidia("gpuMemoryFactor"), "6");
    /* The ConfigMap did not change, so what was applied after it stays. */
    ask("{\"op\":\"config\",\"scheduler\":{\"deviceshare.KnownGeometriesCMName\":\"hami-scheduler-device\","
        "\"deviceshare.ScheduleWeight\":1}}");
    assert_string_equal(nvidia("gpuMemoryFactor"), "6");
}

static void a_rolled_back_configuration_is_forgotten(void **state)
{
    (void)state;
    ask("{\"op\":\"begin\"}");
    ask("{\"op\":\"config\",\"scheduler\":{\"deviceshare.ScheduleWeight\":4}}");
    assert_string_equal(argument("deviceshare.ScheduleWeight"), "4");
    ask("{\"op\":\"rollback\"}");
    assert_string_equal(argument("deviceshare.ScheduleWeight"), "0");
    ask("{\"op\":\"config\",\"scheduler\":{\"deviceshare.ScheduleWeight\":5}}");
    assert_string_equal(argument("deviceshare.ScheduleWeight"), "5");
    assert_string_equal(sql("SELECT count(*) FROM config"), "1");
}

static void stored_nodes_are_read_anew(void **state)
{
    (void)state;
    ask("{\"op\":\"apply\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\",\"annotations\":{"
        "\"hami.io/node-register-New\":\"[{\\\"id\\\":\\\"A\\\",\\\"count\\\":2,\\\"devmem\\\":100,\\\"devcore\\\":4,"
        "\\\"type\\\":\\\"New\\\",\\\"health\\\":true}]\"}},\"status\":{\"allocatable\":{\"h/New\":\"2\"}}}}");
    assert_string_equal(sql("SELECT count(*) FROM devices WHERE backend = 'hami-New'"), "0");
    ask("{\"op\":\"config\",\"devices\":{\"vnpus\":[{\"chipName\":\"N\",\"commonWord\":\"New\",\"resourceName\":"
        "\"h/New\",\"resourceMemoryName\":\"h/New-memory\",\"memoryAllocatable\":100,\"memoryCapacity\":100}]}}");
    assert_string_equal(sql("SELECT count(*) FROM devices WHERE backend = 'hami-New'"), "1");
    ask("{\"op\":\"config\",\"devices\":{\"vnpus\":[]}}");
    assert_string_equal(sql("SELECT count(*) FROM devices WHERE backend = 'hami-New'"), "0");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_new_ledger_has_the_defaults),
        TEST(backends_show_what_a_scheduler_must_know),
        TEST(the_same_text_again_changes_nothing),
        TEST(both_kinds_in_one_request),
        TEST(a_refusal_leaves_what_is_in_force),
        TEST(a_text_is_bounded),
        TEST(a_text_says_itself_what_it_is),
        TEST(geometries_become_rows),
        TEST(check_judges_and_keeps_nothing),
        TEST(what_is_shown_can_be_applied),
        TEST(a_configmap_that_the_arguments_name_is_taken),
        TEST(one_that_does_not_read_is_a_finding),
        TEST(one_that_came_before_the_arguments_is_taken_with_them),
        TEST(a_rolled_back_configuration_is_forgotten),
        TEST(stored_nodes_are_read_anew),
    };
    return cmocka_run_group_tests_name("verbs about configuration", tests, NULL, NULL);
}
