/* Objects: what is read of a Node, a Pod, a ConfigMap; what is refused, and
 * that the refusal names the object, the path and the line. */
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct dvl_arena arena;
static struct dvl_error error;
static struct dvl_object object;

static int set_up(void **state)
{
    (void)state;
    dvl_arena_init(&arena, 0);
    dvl_error_clear(&error);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    dvl_arena_clear(&arena);
    return 0;
}

static const struct dvl_value *value_of(const char *text)
{
    struct dvl_value *value = NULL;
    if (dvl_text_read(&arena, text, strlen(text), &value, &error) != DVL_OK)
        fail_msg("%s: %s", text, error.message);
    return value;
}

static const struct dvl_object *read_hinted(const char *text, const char *hint)
{
    if (dvl_object_read(&arena, value_of(text), hint, &object, &error) != DVL_OK)
        fail_msg("%s: %s", text, error.message);
    return &object;
}

static const struct dvl_object *read_sound(const char *text)
{
    return read_hinted(text, NULL);
}

static void assert_refused(const char *text, const char *hint, const char *words)
{
    dvl_error_clear(&error);
    if (dvl_object_read(&arena, value_of(text), hint, &object, &error) != DVL_BAD_INPUT)
        fail_msg("%s was let through", text);
    if (!strstr(error.message, words))
        fail_msg("%s: \"%s\" lacks \"%s\"", text, error.message, words);
}

/* ---- Nodes ---- */

static void nodes_read(void **state)
{
    (void)state;
    const struct dvl_node *node =
        &read_sound("apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n  labels: {b: x, a: 0}\n"
                    "  annotations: {when: 2026-08-20T02:00:00Z, empty: , null: ~, yes: no}\n"
                    "status:\n  capacity: {volcano.sh/gpu-memory: 60436, volcano.sh/gpu-number: '4'}\n"
                    "  allocatable: {volcano.sh/gpu-memory: 3e3}\n")
             ->as.node;
    assert_int_equal(object.kind, DVL_OBJECT_NODE);
    assert_string_equal(object.kind_name, "Node");
    assert_string_equal(object.name, "n1");
    assert_null(object.namespace_);
    assert_string_equal(node->labels.items[0].key, "a");
    assert_string_equal(node->labels.items[0].value, "0");
    assert_string_equal(node->labels.items[1].key, "b");
    assert_string_equal(dvl_pairs_get(&node->annotations, "when"), "2026-08-20T02:00:00Z");
    assert_string_equal(dvl_pairs_get(&node->annotations, "empty"), "");
    assert_string_equal(dvl_pairs_get(&node->annotations, "null"), "~");
    assert_string_equal(dvl_pairs_get(&node->annotations, "yes"), "no");
    assert_null(dvl_pairs_get(&node->annotations, "no"));
    assert_string_equal(dvl_pairs_get(&node->capacity, "volcano.sh/gpu-memory"), "60436");
    assert_string_equal(dvl_pairs_get(&node->allocatable, "volcano.sh/gpu-memory"), "3000");
    assert_null(dvl_pairs_get(&node->allocatable, "volcano.sh/gpu-number"));
}

static void allocatable_defaults_to_capacity(void **state)
{
    (void)state;
    static const struct {
        const char *status;
        size_t count;
    } cases[] = {
        {"{\"capacity\":{\"x\":\"4\"}}", 1},
        {"{\"capacity\":{\"x\":\"4\"},\"allocatable\":null}", 1},
        {"{\"capacity\":{\"x\":\"4\"},\"allocatable\":{}}", 0},
        {"{}", 0},
        {"null", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\"status\":%s}", cases[i].status);
        assert_int_equal(read_sound(text)->as.node.allocatable.count, cases[i].count);
    }
}

/* ---- Quantities ---- */

static const char *limit_of(const char *yaml)
{
    char text[300];
    snprintf(text, sizeof text,
             "kind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: c\n    resources:\n      limits:\n"
             "        x: %s\n",
             yaml);
    return dvl_pairs_get(&read_sound(text)->as.pod.containers[0].limits, "x");
}

static void plain_yaml_quantities_are_kubectls(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *text;
    } cases[] = {
        {"3000", "3000"},
        {"3k", "3k"},
        {"3e3", "3000"},
        {"12e6", "12000000"},
        {"1.5e3", "1500"},
        {"1.0", "1"},
        {"1.", "1"},
        {".5", "0.5"},
        {"+5", "5"},
        {"1_000", "1000"},
        {"0x10", "16"},
        {"010", "8"},
        {"0o10", "8"},
        {"0777", "511"},
        {"0b11", "3"},
        {"08", "8"},
        {"~", "0"},
        {"", "0"},
        {"null", "0"},
        {"'3e3'", "3e3"},
        {"\" 3000\"", " 3000"},
        {"-1", "-1"},
        {"500m", "500m"},
        {"\"yes\"", "yes"},
        {"99999999999999999999", "100000000000000000000"},
        {"123456789012345678.0", "123456789012345680"},
        {"9007199254740993", "9007199254740993"},
        {"'1:30'", "1:30"},
        {"3K", "3K"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(limit_of(cases[i].yaml), cases[i].text);
}

static void json_quantities_keep_their_text(void **state)
{
    (void)state;
    const struct dvl_node *node =
        &read_sound("{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\"status\":{\"capacity\":{\"a\":3000,\"b\":1.50,"
                    "\"c\":1e3,\"d\":\"3k\",\"e\":null,\"f\":99999999999999999999,\"g\":\"\"}}}")
             ->as.node;
    static const char *const values[] = {"3000", "1.50", "1e3", "3k", "0", "99999999999999999999", ""};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_string_equal(node->capacity.items[i].value, values[i]);
}

static void quantities_of_a_wrong_type_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *words;
    } cases[] = {
        {"yes", "status.capacity: \"x\": yes is not a quantity (line 5)"},
        {"1:30", "\"x\": 1:30 is not a quantity"},
        {".inf", "\"x\": .inf is not a quantity"},
        {".nan", "\"x\": .nan is not a quantity"},
        {"[1]", "\"x\" must be a string or a number, not a list"},
        {"{a: 1}", "\"x\" must be a string or a number, not a map"},
        {"!!bool yes", "\"x\" must be a string or a number, not a bool"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "kind: Node\nmetadata: {name: n}\nstatus:\n  capacity:\n    x: %s\n",
                 cases[i].yaml);
        assert_refused(text, NULL, cases[i].words);
        assert_refused(text, NULL, "node n: ");
    }
    assert_refused("{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\"status\":{\"capacity\":{\"x\":true}}}", NULL,
                   "\"x\" must be a string or a number, not a bool");
}

/* ---- Pods ---- */

static void pods_read(void **state)
{
    (void)state;
    const struct dvl_pod *pod =
        &read_sound(
             "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":\"ml\","
             "\"uid\":\"u-1\",\"labels\":{\"app\":\"x\"},\"annotations\":{\"volcano.sh/gpu-index\":\"0\"},"
             "\"creationTimestamp\":\"2026-08-20T02:00:00Z\",\"deletionTimestamp\":\"2026-08-20T02:00:01+00:00\"},"
             "\"spec\":{\"nodeName\":\"n1\",\"initContainers\":["
             "{\"name\":\"i0\",\"restartPolicy\":\"Always\",\"resources\":{\"limits\":{\"x\":\"1\"}}},"
             "{\"name\":\"i1\",\"resources\":{}}],"
             "\"containers\":[{\"name\":\"c0\",\"restartPolicy\":\"Always\",\"resources\":"
             "{\"limits\":{\"b\":\"2\",\"d\":\"4\",\"a\":\"1\"},\"requests\":{\"c\":\"3\",\"b\":\"20\"}}},"
             "{\"name\":\"c1\"}]},\"status\":{\"phase\":\"Running\"}}")
             ->as.pod;
    assert_int_equal(object.kind, DVL_OBJECT_POD);
    assert_string_equal(object.namespace_, "ml");
    assert_string_equal(pod->uid, "u-1");
    assert_string_equal(pod->phase, "Running");
    assert_string_equal(pod->node_name, "n1");
    assert_int_equal(pod->created_at, 1787191200000000);
    assert_int_equal(pod->terminating_at, 1787191201000000);
    assert_int_equal(pod->container_count, 4);
    assert_string_equal(pod->containers[0].name, "i0");
    assert_true(pod->containers[0].init && pod->containers[0].sidecar);
    assert_true(pod->containers[1].init && !pod->containers[1].sidecar);
    assert_false(pod->containers[2].init || pod->containers[2].sidecar);
    const struct dvl_pairs *requests = &pod->containers[2].requests;
    assert_int_equal(requests->count, 4);
    assert_string_equal(dvl_pairs_get(requests, "a"), "1");
    assert_string_equal(dvl_pairs_get(requests, "b"), "20");
    assert_string_equal(dvl_pairs_get(requests, "c"), "3");
    assert_string_equal(dvl_pairs_get(requests, "d"), "4");
    assert_int_equal(pod->containers[2].limits.count, 3);
    assert_int_equal(pod->containers[3].limits.count, 0);
}

static void a_bare_pod_has_defaults(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "kind: Pod\nmetadata: {name: a}\n",
        "kind: Pod\napiVersion: ''\nmetadata: {name: a, namespace: '', uid: '', creationTimestamp: null, labels: }\n"
        "spec: {nodeName: '', containers: , initContainers: []}\nstatus: {phase: ''}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct dvl_pod *pod = &read_sound(texts[i])->as.pod;
        assert_string_equal(object.namespace_, "default");
        assert_string_equal(pod->namespace_, "default");
        assert_null(pod->uid);
        assert_null(pod->node_name);
        assert_string_equal(pod->phase, "Pending");
        assert_int_equal(pod->created_at, 0);
        assert_int_equal(pod->terminating_at, 0);
        assert_int_equal(pod->container_count, 0);
    }
}

static void containers_come_back_from_their_row(void **state)
{
    (void)state;
    read_sound("kind: Pod\nmetadata: {name: a}\nspec:\n  initContainers:\n"
               "  - {name: i, restartPolicy: Always, resources: {limits: {x: 1}}}\n  containers:\n"
               "  - {name: \"c\\u00e9\", resources: {limits: {\"z\\\"\": '2', y: \" 3k\"}, requests: {y: 1}}}\n  - "
               "{name: d}\n");
    char *json = dvl_containers_json(&arena, &object.as.pod);
    assert_non_null(json);
    struct dvl_pod again = {0};
    assert_int_equal(dvl_containers_read_json(&arena, json, &again, &error), DVL_OK);
    assert_int_equal(again.container_count, 3);
    assert_true(again.containers[0].init && again.containers[0].sidecar);
    assert_string_equal(again.containers[1].name, "c\u00e9");
    assert_string_equal(dvl_pairs_get(&again.containers[1].limits, "y"), " 3k");
    assert_string_equal(dvl_pairs_get(&again.containers[1].requests, "y"), "1");
    assert_string_equal(dvl_pairs_get(&again.containers[1].requests, "z\""), "2");
    assert_string_equal(dvl_containers_json(&arena, &again), json);
    assert_int_equal(dvl_containers_read_json(&arena, "", &again, &error), DVL_OK);
    assert_int_equal(again.container_count, 0);
    assert_string_equal(dvl_containers_json(&arena, &again), "[]");
    static const char *const broken[] = {"{}", "[1]", "[{}]", "[{\"name\":1}]", "[{\"name\":\"a\",\"limits\":[]}]",
                                         "["};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        assert_int_equal(dvl_containers_read_json(&arena, broken[i], &again, &error), DVL_BAD_INPUT);
}

static void pairs_come_back_from_their_row(void **state)
{
    (void)state;
    const struct dvl_pairs *labels =
        &read_sound(
             "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\",\"labels\":{\"b\":\"\\u0001\\n\\\"\\\\\",\"a\\u001f\":"
             "\"\u00e9\",\"\":\"\"}}}")
             ->as.node.labels;
    char *json = dvl_pairs_json(&arena, labels);
    assert_string_equal(json, "{\"\":\"\",\"a\\u001f\":\"\u00e9\",\"b\":\"\\u0001\\n\\\"\\\\\"}");
    struct dvl_pairs again;
    assert_int_equal(dvl_pairs_read_json(&arena, json, &again, &error), DVL_OK);
    assert_string_equal(dvl_pairs_json(&arena, &again), json);
    assert_string_equal(dvl_pairs_get(&again, "b"), "\x01\n\"\\");
    assert_int_equal(dvl_pairs_read_json(&arena, NULL, &again, &error), DVL_OK);
    assert_int_equal(again.count, 0);
    assert_null(dvl_pairs_get(&again, "a"));
    assert_string_equal(dvl_pairs_json(&arena, &again), "{}");
    assert_int_equal(dvl_pairs_read_json(&arena, "[]", &again, &error), DVL_BAD_INPUT);
    assert_int_equal(dvl_pairs_read_json(&arena, "{\"a\":1}", &again, &error), DVL_BAD_INPUT);
}

/* ---- ConfigMaps and others ---- */

static void configmaps_read(void **state)
{
    (void)state;
    const struct dvl_configmap *map =
        &read_sound("kind: ConfigMap\nmetadata: {name: m, namespace: kube-system, labels: {a: b}}\n"
                    "data:\n  x: |\n    {\"a\": 1}\n  empty: ''\n  flag: true\n")
             ->as.configmap;
    assert_int_equal(object.kind, DVL_OBJECT_CONFIGMAP);
    assert_string_equal(object.namespace_, "kube-system");
    assert_string_equal(dvl_pairs_get(&map->data, "x"), "{\"a\": 1}\n");
    assert_string_equal(dvl_pairs_get(&map->data, "flag"), "true");
    assert_string_equal(dvl_pairs_get(&map->labels, "a"), "b");
    assert_string_equal(read_sound("{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"}}")->namespace_, "default");
    assert_int_equal(object.as.configmap.data.count, 0);
}

static void other_kinds_have_a_name(void **state)
{
    (void)state;
    read_sound("{\"kind\":\"Deployment\",\"apiVersion\":\"apps/v1\",\"metadata\":{\"name\":\"d\",\"namespace\":\"x\","
               "\"labels\":7},\"spec\":[]}");
    assert_int_equal(object.kind, DVL_OBJECT_OTHER);
    assert_string_equal(object.kind_name, "Deployment");
    assert_string_equal(object.namespace_, "x");
    assert_null(read_sound("kind: StorageClass\nmetadata: {name: s}\n")->namespace_);
}

static void a_node_of_another_api_is_not_ours(void **state)
{
    (void)state;
    read_sound("kind: Node\napiVersion: longhorn.io/v1beta2\nmetadata: {name: n}\nstatus: []\n");
    assert_int_equal(object.kind, DVL_OBJECT_OTHER);
    assert_string_equal(object.kind_name, "Node");
    read_hinted("metadata: {name: n}\n", "longhorn.io/v1beta2/Node");
    assert_int_equal(object.kind, DVL_OBJECT_OTHER);
    assert_string_equal(object.kind_name, "Node");
    read_hinted("metadata: {name: n}\n", "Node");
    assert_int_equal(object.kind, DVL_OBJECT_NODE);
    read_hinted("apiVersion: v1\nkind: Node\nmetadata: {name: n}\n", "Node");
    assert_int_equal(object.kind, DVL_OBJECT_NODE);
}

/* ---- Refusals ---- */

static void objects_need_kind_and_name(void **state)
{
    (void)state;
    assert_refused("{}", NULL, "the object has no kind");
    assert_refused("kind: ''\nmetadata: {name: a}\n", NULL, "the object has no kind");
    assert_refused("kind: ~\nmetadata: {name: a}\n", NULL, "the object has no kind");
    assert_refused("kind: Pod\n", NULL, "pod: metadata.name is missing");
    assert_refused("kind: Pod\nmetadata: {generateName: a-}\n", NULL, "pod: metadata.name is missing");
    assert_refused("kind: Pod\nmetadata: {name: ''}\n", NULL, "pod: metadata.name is missing");
    assert_refused("{}", "Node", "node: metadata.name is missing");
    assert_refused("kind: Pod\nmetadata: {name: a}\n", "Node", "a Pod in a list of kind NodeList");
    assert_refused("[]", NULL, "an object is expected, not a list");
    assert_refused("x", NULL, "an object is expected, not a string");
    assert_refused("kind: List\nitems: []\n", NULL, "a List where one object is expected");
}

static void wrong_types_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"{\"kind\":1}", "kind must be a string, not a number"},
        {"kind: [Pod]\n", "kind must be a string, not a list"},
        {"{\"kind\":\"Pod\",\n\"metadata\":[]}", "pod: metadata must be a map, not a list (line 2)"},
        {"{\"kind\":\"Pod\",\"metadata\":{\"name\":7}}", "pod: metadata.name must be a string, not a number"},
        {"{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":true}}", "metadata.namespace must be a string"},
        {"{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":\"ml\",\n\"labels\":{\"x\":\n1}}}",
         "pod ml/a: metadata.labels: \"x\" must be a string, not a number (line 3)"},
        {"{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\",\"annotations\":{\"x\":null}}}",
         "node n: metadata.annotations: \"x\" must be a string, not null"},
        {"kind: Node\nmetadata: {name: n, annotations: [a]}\n",
         "node n: metadata.annotations must be a map, not a list"},
        {"kind: Node\nmetadata: {name: n, annotations: {a: [b]}}\n", "\"a\" must be a string, not a list"},
        {"kind: Node\nmetadata: {name: n}\nstatus: x\n", "node n: status must be a map, not a string (line 3)"},
        {"kind: Pod\nmetadata: {name: a}\nspec: {containers: {}}\n",
         "pod a: spec.containers must be a list, not a map"},
        {"kind: Pod\nmetadata: {name: a}\nspec: {containers: [x]}\n", "spec.containers[0] must be a map, not a string"},
        {"kind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c}, {}]}\n", "spec.containers[1].name is missing"},
        {"kind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c}], initContainers: [{name: c}]}\n",
         "pod a: two containers are called \"c\""},
        {"kind: Pod\nmetadata: {name: a}\nspec: {initContainers: [{name: c, resources: []}]}\n",
         "spec.initContainers[0].resources must be a map, not a list"},
        {"kind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, resources: {limits: 1}}]}\n",
         "spec.containers[0].resources.limits must be a map, not a number"},
        {"{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"nodeName\":1}}",
         "spec.nodeName must be a string"},
        {"kind: Pod\nmetadata: {name: a}\nstatus: {phase: Sleeping}\n", "status.phase \"Sleeping\" is none of"},
        {"kind: Pod\nmetadata: {name: a, creationTimestamp: yesterday}\n",
         "metadata.creationTimestamp \"yesterday\" is no RFC 3339 time"},
        {"kind: Pod\nmetadata: {name: a, deletionTimestamp: 2026-08-20}\n",
         "metadata.deletionTimestamp \"2026-08-20\""},
        {"{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"},\"data\":{\"x\":{}}}",
         "configmap m: data: \"x\" must be a string, not a map"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].text, NULL, cases[i].words);
}

static void impossible_names_are_refused_and_shown_harmless(void **state)
{
    (void)state;
    static const struct {
        const char *name, *words;
    } cases[] = {
        {"a/b", "metadata.name \"a/b\" is no name: it holds a '/'"},
        {"a\\u001b[31m", "metadata.name \"a\\x1b[31m\" is no name: it holds a control character"},
        {"a\\nb", "\"a\\nb\" is no name"},
        {"a\\u007f", "\"a\\x7f\" is no name"},
        {"a\\u009b1m", "\"a\\x9b1m\" is no name"},
        {"o'brien", "metadata.name \"o'brien\" is no name: it holds a quote"},
        {"a\\\"b", "is no name: it holds a quote"},
        {"a`b", "is no name: it holds a quote"},
        {"a\\\\b", "is no name: it holds a '\\'"},
        {"a b", "\"a b\" is no name: it holds a blank"},
        {"a;DROP", "\"a;DROP\" is no name: it holds a ';'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\"}}", cases[i].name);
        assert_refused(text, NULL, cases[i].words);
    }
    assert_refused("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":\"x/y\"}}", NULL,
                   "metadata.namespace");
    assert_refused("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"uid\":\"x/y\"}}", NULL, "pod a: metadata.uid");
    assert_refused("{\"kind\":\"P\\nod\",\"metadata\":{\"name\":\"a\"}}", NULL, "kind \"P\\nod\" is no name");
    assert_refused("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"nodeName\":\"n\\t1\"}}", NULL,
                   "spec.nodeName \"n\\t1\" is no name");
    assert_refused("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"name\":\"c/d\"}]}}",
                   NULL, "spec.containers[0].name \"c/d\" is no name");
    char longest[300], text[400];
    memset(longest, 'n', sizeof longest);
    longest[253] = '\0';
    snprintf(text, sizeof text, "{\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}", longest);
    read_sound(text);
    longest[253] = 'n';
    longest[254] = '\0';
    snprintf(text, sizeof text, "{\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}", longest);
    assert_refused(text, NULL, "is too long for a name");
    assert_refused(text, NULL, "nnn...\"");
}

static void names_keep_what_kubernetes_does_not_forbid_here(void **state)
{
    (void)state;
    assert_string_equal(read_sound("{\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"system:node\"}}")->name,
                        "system:node");
    assert_string_equal(read_sound("{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\u00e9\"}}")->name, "n\u00e9");
    assert_string_equal(read_sound("kind: Node\nmetadata: {name: 007}\n")->name, "007");
}

/* ---- Lists in one value ---- */

static void lists_say_what_their_items_are(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hint;
        int items; /* -1: no list */
    } cases[] = {
        {"kind: List\nitems: [{}, {}]\n", NULL, 2},
        {"kind: PodList\napiVersion: v1\nitems: [{}]\n", "Pod", 1},
        {"kind: NodeList\napiVersion: longhorn.io/v1beta2\nitems: [{}]\n", "longhorn.io/v1beta2/Node", 1},
        {"kind: NodeList\nitems: ~\n", "Node", 0},
        {"kind: ConfigMapList\n", "ConfigMap", 0},
        {"kind: DeploymentList\n", NULL, -1},
        {"kind: Pod\nitems: [{}]\n", NULL, -1},
        {"items: [{}]\n", NULL, -1},
        {"[]", NULL, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct dvl_value *items;
        const char *hint;
        assert_int_equal(dvl_object_items(&arena, value_of(cases[i].text), &items, &hint, &error), DVL_OK);
        assert_int_equal(items ? (int)dvl_value_count(items) : -1, cases[i].items);
        if (cases[i].hint)
            assert_string_equal(hint, cases[i].hint);
        else
            assert_null(hint);
    }
    const struct dvl_value *items;
    const char *hint;
    assert_int_equal(dvl_object_items(&arena, value_of("kind: List\nitems: {}\n"), &items, &hint, &error),
                     DVL_BAD_INPUT);
}

static void failed_memory_is_told(void **state)
{
    (void)state;
    const struct dvl_value *value = value_of("kind: Pod\nmetadata: {name: a, labels: {a: b}}\nspec: {containers: "
                                             "[{name: c, resources: {limits: {x: 1}}}]}\n");
    size_t refused = 0;
    for (size_t limit = 1; limit < 100000; limit += 16) {
        struct dvl_arena small;
        dvl_arena_init(&small, limit);
        enum dvl_status status = dvl_object_read(&small, value, NULL, &object, &error);
        char *json = status == DVL_OK ? dvl_containers_json(&small, &object.as.pod) : NULL;
        char *labels = json ? dvl_pairs_json(&small, &object.as.pod.labels) : NULL;
        struct dvl_pod again;
        if (labels)
            status = dvl_containers_read_json(&small, json, &again, &error);
        bool whole = labels && status == DVL_OK;
        dvl_arena_clear(&small);
        if (whole)
            break;
        assert_true(status == DVL_NO_MEMORY || (status == DVL_OK && !labels));
        refused++;
    }
    assert_true(refused > 20 && refused < 6000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nodes_read),
        TEST(allocatable_defaults_to_capacity),
        TEST(plain_yaml_quantities_are_kubectls),
        TEST(json_quantities_keep_their_text),
        TEST(quantities_of_a_wrong_type_are_refused),
        TEST(pods_read),
        TEST(a_bare_pod_has_defaults),
        TEST(containers_come_back_from_their_row),
        TEST(pairs_come_back_from_their_row),
        TEST(configmaps_read),
        TEST(other_kinds_have_a_name),
        TEST(a_node_of_another_api_is_not_ours),
        TEST(objects_need_kind_and_name),
        TEST(wrong_types_are_refused_with_their_place),
        TEST(impossible_names_are_refused_and_shown_harmless),
        TEST(names_keep_what_kubernetes_does_not_forbid_here),
        TEST(lists_say_what_their_items_are),
        TEST(failed_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
