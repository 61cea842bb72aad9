/* The device configuration: both forms, defaults, bounds, names that clash,
 * and that what is shown reads back. */
#include "config/config.h"
#include "manifest/manifest.h"
#include "render/json.h"

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
    if (dvl_text_read(&arena, text, strlen(text), &value, &why))
        fail_msg("%s", why.message);
    return value;
}

static struct dvl_device_config taken(const char *text)
{
    struct dvl_device_config config;
    memset(&config, 0x5a, sizeof config);
    if (dvl_device_config_read(&arena, value_of(text), &config, &why))
        fail_msg("%s: %s", text, why.message);
    return config;
}

static void refused(const char *text, const char *place, const char *line, const char *reason)
{
    struct dvl_device_config config, before;
    memset(&config, 0x5a, sizeof config);
    memcpy(&before, &config, sizeof config);
    if (dvl_device_config_read(&arena, value_of(text), &config, &why) != DVL_BAD_INPUT)
        fail_msg("was taken: %s", text);
    assert_memory_equal(&config, &before, sizeof config);
    const char *parts[] = {place, line, reason};
    for (size_t i = 0; i < 3; i++) {
        if (!strstr(why.message, parts[i]))
            fail_msg("\"%s\" is missing in: %s", parts[i], why.message);
    }
}

static const char *fixture(const char *path)
{
    static char text[8192];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

/* One sound entry, with members put in place of its own. */
static const char *chip_with(const char *member, const char *value)
{
    static const char *const members[][2] = {
        {"chipName", "\"310P3\""},
        {"commonWord", "\"Ascend310P\""},
        {"resourceName", "\"h/A\""},
        {"resourceMemoryName", "\"h/A-memory\""},
        {"memoryAllocatable", "21527"},
        {"memoryCapacity", "24576"},
        {"aiCore", "8"},
        {"aiCPU", "7"},
        {"templates", "[{\"name\": \"vir01\", \"memory\": 3072}]"},
    };
    static char text[8192];
    size_t length = (size_t)snprintf(text, sizeof text, "{");
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        bool same = strcmp(members[i][0], member) == 0;
        if (same && !value)
            continue;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\"%s\": %s", length > 1 ? ", " : "",
                                   members[i][0], same ? value : members[i][1]);
    }
    snprintf(text + length, sizeof text - length, "}");
    return text;
}

static const char *vnpus_with(const char *member, const char *value)
{
    static char text[8300];
    snprintf(text, sizeof text, "{\"vnpus\": [%s]}", chip_with(member, value));
    return text;
}

static const char *template_with(const char *members)
{
    static char text[4096];
    snprintf(text, sizeof text, "[{%s}]", members);
    return vnpus_with("templates", text);
}

static const char *nvidia_with(const char *members)
{
    static char text[8400];
    snprintf(text, sizeof text, "{\"nvidia\": {%s}}", members);
    return text;
}

static const char *groups_with(const char *groups)
{
    static char text[8300];
    snprintf(text, sizeof text, "\"knownMigGeometries\": [{\"models\": [\"A30\"], \"allowedGeometries\": %s}]", groups);
    return nvidia_with(text);
}

static const char *kinds_with(const char *kinds)
{
    static char text[8192];
    snprintf(text, sizeof text, "[{\"group\": \"g\", \"geometries\": %s}]", kinds);
    return groups_with(text);
}

/* ---- Defaults and sections ---- */

static void assert_default_nvidia(const struct dvl_nvidia_config *nvidia)
{
    assert_string_equal(nvidia->count_name, "volcano.sh/vgpu-number");
    assert_string_equal(nvidia->memory_name, "volcano.sh/vgpu-memory");
    assert_string_equal(nvidia->cores_name, "volcano.sh/vgpu-cores");
    assert_null(nvidia->percentage_name);
    assert_int_equal(nvidia->memory_factor, 1);
    assert_int_equal(nvidia->mig_count, 0);
}

static void assert_default_vnpus(const struct dvl_device_config *devices)
{
    assert_false(devices->hami_core);
    assert_int_equal(devices->vnpu_count, 1);
    const struct dvl_vnpu_config *chip = devices->vnpus;
    assert_string_equal(chip->chip_name, "310P3");
    assert_string_equal(chip->word, "Ascend310P");
    assert_string_equal(chip->resource_name, "huawei.com/Ascend310P");
    assert_string_equal(chip->memory_name, "huawei.com/Ascend310P-memory");
    assert_string_equal(chip->core_name, "huawei.com/Ascend310P-core");
    assert_int_equal(chip->memory_allocatable, 21527);
    assert_int_equal(chip->memory_capacity, 24576);
    assert_int_equal(chip->ai_cores, 8);
    assert_int_equal(chip->ai_cpus, 7);
    assert_int_equal(chip->template_count, 3);
    assert_string_equal(chip->templates[2].name, "vir04");
    assert_int_equal(chip->templates[2].memory, 12288);
    assert_int_equal(chip->templates[2].ai_cores, 4);
}

static void defaults(void **state)
{
    (void)state;
    struct dvl_config config;
    assert_int_equal(dvl_config_defaults(&arena, &config, &why), DVL_OK);
    assert_default_nvidia(&config.devices.nvidia);
    assert_default_vnpus(&config.devices);
    assert_string_equal(config.scheduler.geometries_name, "volcano-vgpu-device-config");
}

static void a_section_that_is_not_named_keeps_its_default(void **state)
{
    (void)state;
    const char *none[] = {"{}", "nvidia:\nvnpus:\n", "other: {a: b}\n"};
    for (size_t i = 0; i < 3; i++) {
        struct dvl_device_config config = taken(none[i]);
        assert_default_nvidia(&config.nvidia);
        assert_default_vnpus(&config);
    }
    struct dvl_device_config config = taken("{\"vnpus\": []}");
    assert_int_equal(config.vnpu_count, 0);
    assert_default_nvidia(&config.nvidia);
    config = taken(nvidia_with("\"resourceCountName\": \"n/gpu\""));
    assert_string_equal(config.nvidia.count_name, "n/gpu");
    assert_string_equal(config.nvidia.memory_name, "volcano.sh/vgpu-memory");
    assert_default_vnpus(&config);
}

static void a_whole_file_as_clusters_have_it(void **state)
{
    (void)state;
    struct dvl_device_config config = taken(fixture("tests/fixtures/config/devices.yaml"));
    assert_string_equal(config.nvidia.count_name, "example.com/gpu");
    assert_string_equal(config.nvidia.percentage_name, "example.com/gpu-percent");
    assert_int_equal(config.nvidia.memory_factor, 10);
    assert_int_equal(config.nvidia.mig_count, 1);
    const struct dvl_mig_model *model = config.nvidia.mig;
    assert_int_equal(model->model_count, 2);
    assert_string_equal(model->models[1], "A30X");
    assert_int_equal(model->geometry_count, 2);
    assert_string_equal(model->geometries[0].group, "all-small");
    assert_int_equal(model->geometries[1].kind_count, 2);
    assert_int_equal(model->geometries[1].kinds[0].first_position, 0);
    assert_int_equal(model->geometries[1].kinds[1].first_position, 1);
    assert_int_equal(model->geometries[1].kinds[1].count, 2);
    assert_true(config.hami_core);
    assert_int_equal(config.vnpu_count, 2);
    assert_string_equal(config.vnpus[0].core_name, "huawei.com/Ascend910B4-1-core");
    assert_string_equal(config.vnpus[0].templates[0].name, "vir05_1c_16g");
    assert_int_equal(config.vnpus[1].ai_cpus, DVL_UNSET);
    assert_int_equal(config.vnpus[1].ai_cores, 30);
    assert_int_equal(config.vnpus[1].templates[0].ai_cpus, DVL_UNSET);
}

static void kinds_of_documents(void **state)
{
    (void)state;
    assert_int_equal(dvl_config_kind(value_of("nvidia: {}\n")), 'd');
    assert_int_equal(dvl_config_kind(value_of("vnpus: []\n")), 'd');
    assert_int_equal(dvl_config_kind(value_of("actions: allocate\n")), 's');
    assert_int_equal(dvl_config_kind(value_of("tiers: []\n")), 's');
    assert_int_equal(dvl_config_kind(value_of("deviceshare.VGPUEnable: true\n")), 's');
    const char *neither[] = {"",
                             "[]",
                             "3",
                             "{}",
                             "kind: Node\n",
                             "nvidia: {}\ntiers: []\n",
                             "kind: ConfigMap\n",
                             "kind: ConfigMap\nnvidia: {}\n",
                             "kind: ConfigMap\ndata: {device-config.yaml: a, volcano-scheduler.conf: b}\n"};
    for (size_t i = 0; i < sizeof neither / sizeof neither[0]; i++) {
        assert_int_equal(dvl_config_kind(value_of(neither[i])), 0);
        assert_null(dvl_config_inner_text(value_of(neither[i])));
    }
    struct dvl_value *map = value_of("kind: ConfigMap\ndata: {device-config.yaml: \"vnpus: []\"}\n");
    assert_int_equal(dvl_config_kind(map), 'd');
    assert_string_equal(dvl_config_inner_text(map), "vnpus: []");
    assert_null(dvl_config_inner_text(value_of("nvidia: {}\n")));
    assert_int_equal(dvl_config_kind(NULL), 0);
}

static void lines_count_within_the_text_of_the_configmap(void **state)
{
    (void)state;
    refused("kind: ConfigMap\ndata:\n  device-config.yaml: |\n    # a comment\n    nvidia:\n      gpuMemoryFactor: 0\n",
            "nvidia.gpuMemoryFactor", "line 3 of device-config.yaml", "from 1 to");
    refused("kind: ConfigMap\ndata: {other.yaml: a}\n", "data.device-config.yaml", "", "is missing");
    refused("kind: ConfigMap\ndata: {device-config.yaml: \"\"}\n", "data.device-config.yaml", "", "no text");
    refused("kind: ConfigMap\ndata: {device-config.yaml: \"# nothing\"}\n", "", "device-config.yaml", "map is wanted");
}

static void the_document_must_be_a_map(void **state)
{
    (void)state;
    refused("[]", "the configuration", "line 1", "a map is wanted");
    refused("3", "the configuration", "line 1", "a map is wanted");
    refused("", "the configuration", "", "a map is wanted");
    refused("{\"nvidia\": []}", "nvidia", "line 1", "a map is wanted");
    refused("{\"vnpus\": \"no\"}", "vnpus", "line 1", "a map is wanted");
}

/* ---- nvidia ---- */

static void resource_names(void **state)
{
    (void)state;
    assert_null(taken(nvidia_with("\"resourceMemoryPercentageName\": \"\"")).nvidia.percentage_name);
    const char *members[] = {"resourceCountName", "resourceMemoryName", "resourceCoreName"};
    const char *values[] = {"\"\"", "\"a b\"", "\"a\\nb\"", "3", "true", "[]", "\"\\u00e9\""};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < sizeof values / sizeof values[0]; j++) {
            char text[128], place[64];
            snprintf(text, sizeof text, "\"%s\": %s", members[i], values[j]);
            snprintf(place, sizeof place, "nvidia.%s", members[i]);
            refused(nvidia_with(text), place, "line 1", "a resource name");
        }
    }
    char text[512];
    snprintf(text, sizeof text, "\"resourceCountName\": \"%0318d\"", 1);
    refused(nvidia_with(text), "nvidia.resourceCountName", "line 1", "too long");
}

static void memory_factor(void **state)
{
    (void)state;
    assert_int_equal(taken(nvidia_with("\"gpuMemoryFactor\": 1024")).nvidia.memory_factor, 1024);
    assert_int_equal(taken(nvidia_with("\"gpuMemoryFactor\": \"10\"")).nvidia.memory_factor, 10);
    assert_int_equal(taken(nvidia_with("\"gpuMemoryFactor\": null")).nvidia.memory_factor, 1);
    assert_int_equal(taken(nvidia_with("\"gpuMemoryFactor\": 2147483647")).nvidia.memory_factor, 2147483647);
    const char *values[] = {"0", "-1", "1.5", "1.0", "2147483648", "\"\"", "true", "1e2"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "\"gpuMemoryFactor\": %s", values[i]);
        refused(nvidia_with(text), "nvidia.gpuMemoryFactor", "line 1", "from 1 to 2147483647");
    }
}

static void members_that_are_not_read_are_ignored(void **state)
{
    (void)state;
    struct dvl_device_config config = taken(nvidia_with(
        "\"deviceSplitCount\": \"ten\", \"deviceMemoryScaling\": 1.8, \"disableCoreLimit\": [], \"x\": {\"y\": null}"));
    assert_default_nvidia(&config.nvidia);
}

static void geometries_are_bounded(void **state)
{
    (void)state;
    struct dvl_device_config config = taken(kinds_with("[{\"name\": \"a\", \"memory\": 1, \"count\": 64}]"));
    assert_int_equal(config.nvidia.mig[0].geometries[0].kinds[0].count, 64);
    refused(
        kinds_with("[{\"name\": \"a\", \"memory\": 1, \"count\": 60}, {\"name\": \"b\", \"memory\": 1, \"count\": 5}]"),
        "allowedGeometries[0].geometries", "line 1", "65 instances");
    const char *bad[][3] = {
        {"[{\"name\": \"a\", \"memory\": 1, \"count\": 0}]", "geometries[0].count", "from 1 to 64"},
        {"[{\"name\": \"a\", \"memory\": 1, \"count\": 65}]", "geometries[0].count", "from 1 to 64"},
        {"[{\"name\": \"a\", \"memory\": 1}]", "geometries[0].count", "is missing"},
        {"[{\"name\": \"a\", \"count\": 1}]", "geometries[0].memory", "is missing"},
        {"[{\"name\": \"a\", \"memory\": 0, \"count\": 1}]", "geometries[0].memory", "from 1"},
        {"[{\"name\": \"a\", \"memory\": 2147483648, \"count\": 1}]", "geometries[0].memory", "2147483647"},
        {"[{\"memory\": 1, \"count\": 1}]", "geometries[0].name", "is missing"},
        {"[{\"name\": \"a:b\", \"memory\": 1, \"count\": 1}]", "geometries[0].name", "would break"},
        {"[]", "geometries", "a list of 0"},
        {"{}", "geometries", "a list is wanted"},
        {"[3]", "geometries[0]", "a map is wanted"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(kinds_with(bad[i][0]), bad[i][1], "line 1", bad[i][2]);
}

#define KINDS "\"geometries\": [{\"name\": \"a\", \"memory\": 1, \"count\": 1}]"

static void d29_group_names_may_have_a_dash_but_nothing_that_breaks_an_id(void **state)
{
    (void)state;
    struct dvl_device_config config = taken(groups_with("[{\"group\": \"all-1g\", " KINDS "}]"));
    assert_string_equal(config.nvidia.mig[0].geometries[0].group, "all-1g");
    const char *names[] = {"a,b", "a:b", "a;b", "a[b", "a]b", "a b", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "[{\"group\": \"%s\", " KINDS "}]", names[i]);
        refused(groups_with(text), "allowedGeometries[0].group", "line 1", "a name");
    }
    refused(groups_with("[{\"group\": \"g\", " KINDS "}, {\"group\": \"g\", " KINDS "}]"), "allowedGeometries[1]",
            "line 1", "stands twice");
    refused(groups_with("[{" KINDS "}]"), "allowedGeometries[0].group", "line 1", "is missing");
    refused(groups_with("[]"), "allowedGeometries", "line 1", "a list of 0");
    refused(groups_with("null"), "allowedGeometries", "line 1", "is missing");
}

static void models_must_say_something(void **state)
{
    (void)state;
    const char *groups = ", \"allowedGeometries\": [{\"group\": \"g\", " KINDS "}]}]";
    const char *bad[][3] = {
        {"[{\"models\": []", "[0].models", "a list of 0"},       {"[{\"models\": [\"\"]", "[0].models[0]", "is empty"},
        {"[{\"models\": \"A30\"", "[0].models", "a list is"},    {"[{\"models\": [3]", "[0].models[0]", "no text"},
        {"[{\"models\": [\" A30\"]", "[0].models[0]", "begins"}, {"[{\"model\": [\"A30\"]", "[0].models", "is missing"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "\"knownMigGeometries\": %s%s", bad[i][0], groups);
        refused(nvidia_with(text), bad[i][1], "line 1", bad[i][2]);
    }
    refused(nvidia_with("\"knownMigGeometries\": {}"), "nvidia.knownMigGeometries", "line 1", "a list is wanted");
    refused(nvidia_with("\"knownMigGeometries\": [3]"), "knownMigGeometries[0]", "line 1", "a map is wanted");
    struct dvl_device_config config = taken(nvidia_with("\"knownMigGeometries\": []"));
    assert_int_equal(config.nvidia.mig_count, 0);
    config = taken("nvidia:\n  knownMigGeometries:\n  - models: [A100 80GB PCIe, 100]\n    allowedGeometries:\n"
                   "    - {group: 1, geometries: [{name: 1g.5gb, memory: 5120, count: 7}]}\n");
    assert_string_equal(config.nvidia.mig[0].models[0], "A100 80GB PCIe");
    assert_string_equal(config.nvidia.mig[0].models[1], "100");
    assert_string_equal(config.nvidia.mig[0].geometries[0].group, "1");
}

/* ---- vnpus ---- */

static void both_forms_say_the_same(void **state)
{
    (void)state;
    char text[8300];
    struct dvl_device_config list = taken(vnpus_with("", NULL));
    snprintf(text, sizeof text, "{\"vnpus\": {\"configs\": [%s]}}", chip_with("", NULL));
    struct dvl_device_config wrapped = taken(text);
    assert_false(list.hami_core);
    assert_false(wrapped.hami_core);
    assert_int_equal(list.vnpu_count, 1);
    assert_int_equal(wrapped.vnpu_count, 1);
    assert_string_equal(list.vnpus[0].word, wrapped.vnpus[0].word);
    assert_string_equal(list.vnpus[0].core_name, "h/A-core");
    snprintf(text, sizeof text, "{\"vnpus\": {\"hamiVnpuCore\": \"true\", \"configs\": [%s]}}", chip_with("", NULL));
    assert_true(taken(text).hami_core);
    refused("{\"vnpus\": {\"hamiVnpuCore\": true}}", "vnpus.configs", "line 1", "is missing");
    refused("{\"vnpus\": {\"hamiVnpuCore\": \"yes\", \"configs\": []}}", "vnpus.hamiVnpuCore", "line 1", "no bool");
    refused("{\"vnpus\": {\"configs\": {}}}", "vnpus.configs", "line 1", "a list is wanted");
    refused("{\"vnpus\": [3]}", "vnpus[0]", "line 1", "a map is wanted");
    assert_int_equal(taken("{\"vnpus\": {\"configs\": []}}").vnpu_count, 0);
}

static void members_of_an_entry(void **state)
{
    (void)state;
    const char *required[] = {"chipName",           "commonWord",        "resourceName",
                              "resourceMemoryName", "memoryAllocatable", "memoryCapacity"};
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        char place[64];
        snprintf(place, sizeof place, "vnpus[0].%s", required[i]);
        refused(vnpus_with(required[i], NULL), place, "line 1", "is missing");
        refused(vnpus_with(required[i], "null"), place, "line 1", "is missing");
        refused(vnpus_with(required[i], "[]"), place, "line 1", "a list");
    }
    const char *numbers[] = {"memoryAllocatable", "memoryCapacity", "aiCore", "aiCPU"};
    const char *values[] = {"0", "-1", "1.5", "2147483648", "\"many\"", "18446744073709551616"};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < sizeof values / sizeof values[0]; j++)
            refused(vnpus_with(numbers[i], values[j]), numbers[i], "line 1", "from 1 to 2147483647");
    }
    assert_int_equal(taken(vnpus_with("aiCore", NULL)).vnpus[0].ai_cores, DVL_UNSET);
    assert_int_equal(taken(vnpus_with("aiCPU", "null")).vnpus[0].ai_cpus, DVL_UNSET);
    assert_int_equal(taken(vnpus_with("templates", NULL)).vnpus[0].template_count, 0);
    refused(vnpus_with("memoryCapacity", "21526"), "vnpus[0]", "line 1", "less than memoryAllocatable");
    refused(vnpus_with("chipName", "\"a:b\""), "vnpus[0].chipName", "line 1", "would break");
}

static void the_common_word_must_be_fit_for_annotation_keys(void **state)
{
    (void)state;
    const char *bad[] = {"\"\"",   "\"a/b\"", "\"a b\"", "\"-a\"",     "\"a-\"",
                         "\".a\"", "\"a,b\"", "\"a:b\"", "\"\\u00e9\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(vnpus_with("commonWord", bad[i]), "vnpus[0].commonWord", "line 1", "");
    char word[64];
    snprintf(word, sizeof word, "\"%043d\"", 1);
    assert_int_equal(strlen(taken(vnpus_with("commonWord", word)).vnpus[0].word), 43);
    snprintf(word, sizeof word, "\"%044d\"", 1);
    refused(vnpus_with("commonWord", word), "vnpus[0].commonWord", "line 1", "too long");
    const char *taken_words[] = {"\"gpushare\"", "\"GpuShare\"",        "\"vgpu\"",     "\"hamivgpu\"",
                                 "\"vnpu\"",     "\"ascend310p-vNPU\"", "\"npu-core\"", "\"vnpu-mode\""};
    for (size_t i = 0; i < sizeof taken_words / sizeof taken_words[0]; i++)
        refused(vnpus_with("commonWord", taken_words[i]), "vnpus[0].commonWord", "line 1", "something else");
    assert_string_equal(taken(vnpus_with("commonWord", "\"My_chip.v2\"")).vnpus[0].word, "My_chip.v2");
}

/* Two entries that differ in every name. */
static const char *two_chips(const char *word, const char *resource, const char *memory)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "vnpus:\n"
             "- {chipName: a, commonWord: A, resourceName: h/A, resourceMemoryName: h/A-memory,\n"
             "   memoryAllocatable: 1, memoryCapacity: 1}\n"
             "- chipName: b\n  commonWord: %s\n  resourceName: %s\n  resourceMemoryName: %s\n"
             "  memoryAllocatable: 1\n  memoryCapacity: 1\n",
             word, resource, memory);
    return text;
}

static void a_name_stands_for_one_thing(void **state)
{
    (void)state;
    assert_int_equal(taken(two_chips("B", "h/B", "h/B-memory")).vnpu_count, 2);
    refused(two_chips("A", "h/B", "h/B-memory"), "vnpus[1].commonWord", "line 5", "same backend");
    refused(two_chips("hami-A", "h/B", "h/B-memory"), "vnpus[1].commonWord", "line 5", "same backend");
    refused(two_chips("B", "h/A", "h/B-memory"), "vnpus[1].resourceName", "line 6", "vnpus[0].resourceName");
    refused(two_chips("B", "h/B", "h/A-memory"), "vnpus[1].resourceMemoryName", "line 7",
            "vnpus[0].resourceMemoryName");
    refused(two_chips("B", "h/B", "h/A-core"), "vnpus[1].resourceMemoryName", "line 7", "taken");
    refused(two_chips("B", "h/B", "h/B"), "vnpus[1].resourceMemoryName", "line 7", "vnpus[1].resourceName");
    refused(two_chips("B", "volcano.sh/vgpu-number", "h/B-memory"), "vnpus[1].resourceName", "line 6",
            "nvidia.resourceCountName");
    refused(two_chips("B", "volcano.sh/gpu-number", "h/B-memory"), "vnpus[1].resourceName", "line 6", "built-in");
    refused(two_chips("B", "h/B", "huawei.com/npu-core"), "vnpus[1].resourceMemoryName", "line 7", "built-in");
    refused(nvidia_with("\"resourceMemoryName\": \"volcano.sh/vgpu-number\""), "nvidia.resourceMemoryName", "line 1",
            "nvidia.resourceCountName");
    refused(nvidia_with("\"resourceCoreName\": \"huawei.com/Ascend310P\""), "nvidia.resourceCoreName", "line 1",
            "vnpus[0].resourceName");
}

static void templates_by_memory_then_in_order(void **state)
{
    (void)state;
    const struct dvl_device_config config = taken(
        vnpus_with("templates", "[{\"name\": \"c\", \"memory\": 30}, {\"name\": \"a2\", \"memory\": 10, \"aiCore\": 0},"
                                " {\"name\": \"b\", \"memory\": 20}, {\"name\": \"a1\", \"memory\": 10}]"));
    const struct dvl_vnpu_config *chip = config.vnpus;
    assert_int_equal(chip->template_count, 4);
    const char *order[] = {"a2", "a1", "b", "c"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(chip->templates[i].name, order[i]);
    assert_int_equal(chip->templates[0].ai_cores, 0);
    assert_int_equal(chip->templates[1].ai_cores, DVL_UNSET);
}

static void unusable_templates_are_refused(void **state)
{
    (void)state;
    const char *bad[][3] = {
        {"\"memory\": 1", "templates[0].name", "is missing"},
        {"\"name\": \"a\"", "templates[0].memory", "is missing"},
        {"\"name\": \"\", \"memory\": 1", "templates[0].name", "is empty"},
        {"\"name\": \"a,b\", \"memory\": 1", "templates[0].name", "would break"},
        {"\"name\": \"a;b\", \"memory\": 1", "templates[0].name", "would break"},
        {"\"name\": \"a\", \"memory\": 0", "templates[0].memory", "from 1"},
        {"\"name\": \"a\", \"memory\": -5", "templates[0].memory", "from 1"},
        {"\"name\": \"a\", \"memory\": 24577", "templates[0]", "24577 MiB on a chip of 24576"},
        {"\"name\": \"a\", \"memory\": 1, \"aiCore\": -1", "templates[0].aiCore", "from 0"},
        {"\"name\": \"a\", \"memory\": 1, \"aiCPU\": 1.5", "templates[0].aiCPU", "from 0"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(template_with(bad[i][0]), bad[i][1], "line 1", bad[i][2]);
    refused(vnpus_with("templates", "[{\"name\": \"a\", \"memory\": 2}, {\"name\": \"a\", \"memory\": 1}]"),
            "vnpus[0].templates[1]", "line 1", "stands twice");
    refused(vnpus_with("templates", "{}"), "vnpus[0].templates", "line 1", "a list is wanted");
    refused(vnpus_with("templates", "[[]]"), "vnpus[0].templates[0]", "line 1", "a map is wanted");
}

static void lists_are_bounded(void **state)
{
    (void)state;
    static char list[65536];
    size_t length = (size_t)snprintf(list, sizeof list, "[");
    for (int i = 0; i < 65; i++)
        length +=
            (size_t)snprintf(list + length, sizeof list - length, "%s{\"name\":\"t%d\",\"memory\":1}", i ? "," : "", i);
    snprintf(list + length, sizeof list - length, "]");
    refused(vnpus_with("templates", list), "vnpus[0].templates", "line 1", "a list of 65");
    length = (size_t)snprintf(list, sizeof list, "{\"vnpus\":[");
    for (int i = 0; i < 65; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s{}", i ? "," : "");
    snprintf(list + length, sizeof list - length, "]}");
    refused(list, "vnpus", "line 1", "a list of 65");
}

/* ---- Shown and read again ---- */

static char *json_of(const struct dvl_value *value)
{
    struct dvl_buffer buffer;
    dvl_buffer_init(&buffer);
    dvl_json_write(&buffer, value);
    assert_false(buffer.failed);
    char *text = dvl_arena_text(&arena, buffer.text);
    dvl_buffer_clear(&buffer);
    return text;
}

static void assert_reads_back(const struct dvl_config *config)
{
    struct dvl_value *shown = dvl_config_render(&arena, config);
    assert_non_null(shown);
    struct dvl_config again;
    assert_int_equal(dvl_scheduler_config_read(&arena, dvl_value_find(shown, "scheduler"), &again.scheduler, &why),
                     DVL_OK);
    assert_int_equal(dvl_device_config_read(&arena, dvl_value_find(shown, "devices"), &again.devices, &why), DVL_OK);
    struct dvl_value *second = dvl_config_render(&arena, &again);
    assert_non_null(second);
    assert_string_equal(json_of(shown), json_of(second));
}

static void what_is_shown_reads_back(void **state)
{
    (void)state;
    struct dvl_config config;
    assert_int_equal(dvl_config_defaults(&arena, &config, &why), DVL_OK);
    assert_reads_back(&config);
    config.devices = taken(fixture("tests/fixtures/config/devices.yaml"));
    struct dvl_value *arguments = value_of(
        "{\"deviceshare.VGPUEnable\": true, \"deviceshare.AscendHAMiVNPUEnable\": true, \"deviceshare.NodeLockEnable\":"
        " true, \"deviceshare.SchedulePolicy\": \"spread\", \"deviceshare.ScheduleWeight\": \"3\","
        " \"deviceshare.FormulaProfile\": \"volcano-1.14\", \"deviceshare.KnownGeometriesCMName\": \"x\","
        " \"deviceshare.GPUExclusiveRules\": [{\"b\": \"1\", \"a\": \"2\"}]}");
    assert_int_equal(dvl_scheduler_config_read(&arena, arguments, &config.scheduler, &why), DVL_OK);
    assert_reads_back(&config);
    struct dvl_value *shown = dvl_config_render(&arena, &config);
    const char *json = json_of(shown);
    assert_non_null(strstr(json, "\"deviceshare.ScheduleWeight\":3"));
    assert_non_null(strstr(json, "\"deviceshare.GPUExclusiveRules\":[{\"a\":\"2\",\"b\":\"1\"}]"));
    assert_non_null(strstr(json, "\"gpuMemoryFactor\":10"));
    assert_non_null(strstr(json, "\"resourceCoreName\":\"huawei.com/Ascend910A-core\""));
    assert_null(strstr(json, "-9223372036854775808"));
}

/* Every point at which memory can run out ends in DVL_NO_MEMORY, nothing else. */
static void memory_that_runs_out_is_an_answer(void **state)
{
    (void)state;
    struct dvl_value *value = value_of(fixture("tests/fixtures/config/devices.yaml"));
    size_t refusals = 0;
    for (size_t limit = 1; limit < 200000; limit += 97) {
        struct dvl_arena small;
        struct dvl_device_config config;
        dvl_arena_init(&small, limit);
        enum dvl_status status = dvl_device_config_read(&small, value, &config, &why);
        dvl_arena_clear(&small);
        if (status == DVL_OK)
            break;
        assert_int_equal(status, DVL_NO_MEMORY);
        refusals++;
    }
    assert_true(refusals > 10);
    struct dvl_config config;
    assert_int_equal(dvl_config_defaults(&arena, &config, &why), DVL_OK);
    for (size_t limit = 1; limit < 100000; limit += 97) {
        struct dvl_arena small;
        dvl_arena_init(&small, limit);
        struct dvl_value *shown = dvl_config_render(&small, &config);
        bool whole = shown && dvl_value_find(shown, "devices");
        dvl_arena_clear(&small);
        if (whole)
            return;
        assert_null(shown);
    }
    fail();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(a_section_that_is_not_named_keeps_its_default),
        cmocka_unit_test(a_whole_file_as_clusters_have_it),
        cmocka_unit_test(kinds_of_documents),
        cmocka_unit_test(lines_count_within_the_text_of_the_configmap),
        cmocka_unit_test(the_document_must_be_a_map),
        cmocka_unit_test(resource_names),
        cmocka_unit_test(memory_factor),
        cmocka_unit_test(members_that_are_not_read_are_ignored),
        cmocka_unit_test(geometries_are_bounded),
        cmocka_unit_test(d29_group_names_may_have_a_dash_but_nothing_that_breaks_an_id),
        cmocka_unit_test(models_must_say_something),
        cmocka_unit_test(both_forms_say_the_same),
        cmocka_unit_test(members_of_an_entry),
        cmocka_unit_test(the_common_word_must_be_fit_for_annotation_keys),
        cmocka_unit_test(a_name_stands_for_one_thing),
        cmocka_unit_test(templates_by_memory_then_in_order),
        cmocka_unit_test(unusable_templates_are_refused),
        cmocka_unit_test(lists_are_bounded),
        cmocka_unit_test(what_is_shown_reads_back),
        cmocka_unit_test(memory_that_runs_out_is_an_answer),
    };
    return cmocka_run_group_tests_name("device configuration", tests, setup, teardown);
}
