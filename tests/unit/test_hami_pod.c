/* hami: what pods' annotations say, and what is put on pods. */
#include "../support/hami_world.h"

static struct world world;

static int setup(void **state)
{
    (void)state;
    world_open(&world, CHIP_310P);
    world_node(&world,
               "[{\"id\":\"A\",\"count\":7,\"devmem\":21527,\"devcore\":8,\"health\":true},"
               "{\"id\":\"B\",\"index\":1,\"count\":7,\"devmem\":21527,\"devcore\":8,\"health\":true}]",
               NULL, "14");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    world_close(&world);
    return 0;
}

static size_t count_findings(const char *kind)
{
    size_t count = 0;
    for (const struct dvl_finding *finding = world.findings.first; finding; finding = finding->next)
        count += strcmp(finding->kind, kind) == 0;
    return count;
}

static struct dvl_assignment read_pod(const struct dvl_pod *pod)
{
    struct dvl_assignment assignment;
    world.findings = (struct dvl_findings){.arena = &world.arena};
    assert_int_equal(world.backend->ops->read_assignment(world.backend, pod, world.devices, world.node.device_count,
                                                         &assignment, &world.findings, &world.error),
                     DVL_OK);
    return assignment;
}

/* A pod with as many asking containers as said, and these annotations. */
static struct dvl_assignment observe(size_t asking, const char *allocated, const char *runtime)
{
    struct dvl_container containers[4];
    static const char *const names[] = {"c0", "c1", "c2", "c3"};
    for (size_t i = 0; i < asking; i++)
        containers[i] = world_container(&world, names[i], "1", "3072", NULL);
    const char *annotations[7] = {"hami.io/Ascend310P-devices-allocated", allocated, "hami.io/vgpu-node", "n1"};
    if (runtime) {
        annotations[4] = "huawei.com/Ascend310P";
        annotations[5] = runtime;
    }
    struct dvl_pod pod = world_pod(&world, containers, asking, annotations);
    return read_pod(&pod);
}

/* ---- Assignments ---- */

static void pod_without_the_annotation_says_nothing(void **state)
{
    (void)state;
    struct dvl_container container = world_container(&world, "c0", "1", NULL, NULL);
    struct dvl_pod pod = world_pod(&world, &container, 1, NULL);
    assert_false(read_pod(&pod).said);
}

static void all_containers_are_read(void **state)
{
    (void)state;
    /* D14 PAR-08 */
    struct dvl_assignment got = observe(2, "A,Ascend310P,3072,0:;B,Ascend310P,6144,0:;", NULL);
    assert_true(got.said);
    assert_false(got.unreadable);
    assert_string_equal(got.node_name, "n1");
    assert_int_equal(got.slice_count, 2);
    assert_ptr_equal(got.slices[0]->device, world.devices[0]);
    assert_string_equal(got.slices[0]->container, "c0");
    assert_ptr_equal(got.slices[1]->device, world.devices[1]);
    assert_string_equal(got.slices[1]->container, "c1");
    assert_int_equal(got.slices[1]->memory, 6144);
    assert_int_equal(got.slices[1]->slots, 1);
    assert_int_equal(got.slices[1]->ordinal, 1);
    assert_true(got.slices[1]->observed);
    assert_int_equal(world.findings.count, 0);
}

static void two_slices_on_one_device_are_two(void **state)
{
    (void)state;
    /* D1 ACC-03 */
    struct dvl_assignment got = observe(2, "A,Ascend310P,3072,0:;A,Ascend310P,3072,0:;", NULL);
    assert_int_equal(got.slice_count, 2);
    assert_ptr_equal(got.slices[0]->device, got.slices[1]->device);
    assert_int_not_equal(got.slices[0]->ordinal, got.slices[1]->ordinal);
}

static void parts_go_to_the_containers_that_they_speak_of(void **state)
{
    (void)state;
    /* i0 asks nothing, c0 asks, c1 does not, c2 asks. */
    struct dvl_container containers[] = {
        world_container(&world, "i0", NULL, NULL, NULL), world_container(&world, "c0", "1", NULL, NULL),
        world_container(&world, "c1", "0", NULL, NULL), world_container(&world, "c2", NULL, "1", NULL)};
    containers[0].init = true;
    static const struct {
        const char *text, *first, *second;
    } cases[] = {
        {"A,Ascend310P,1,0:;B,Ascend310P,1,0:;", "c0", "c2"},     /* those that ask */
        {";A,Ascend310P,1,0:;;B,Ascend310P,1,0:;", "c0", "c2"},   /* all, init containers first */
        {"A,Ascend310P,1,0:;;B,Ascend310P,1,0", "c0", "c2"},      /* all but init containers */
        {";;A,Ascend310P,1,0:;;;;B,Ascend310P,1,0:", "c0", "c2"}, /* nobody's: empty ones do not count */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *const annotations[] = {"hami.io/Ascend310P-devices-allocated", cases[i].text, NULL};
        struct dvl_pod pod = world_pod(&world, containers, 4, annotations);
        struct dvl_assignment got = read_pod(&pod);
        assert_int_equal(got.slice_count, 2);
        assert_string_equal(got.slices[0]->container, cases[i].first);
        assert_string_equal(got.slices[1]->container, cases[i].second);
        assert_null(got.node_name);
    }
}

static void part_of_no_container_has_no_name(void **state)
{
    (void)state;
    struct dvl_assignment got = observe(1, "A,Ascend310P,1,0:;B,Ascend310P,1,0:;", NULL);
    assert_int_equal(got.slice_count, 2);
    assert_string_equal(got.slices[1]->container, "");
    assert_int_equal(got.slices[1]->container_ordinal, -1);
    assert_int_equal(count_findings("unknown_container"), 1);
}

static void nothing_is_booked_for_null_entries(void **state)
{
    (void)state;
    static const char *const texts[] = {";", "", ",,0,0:", ",,0,0:;:;"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct dvl_assignment got = observe(1, texts[i], NULL);
        assert_true(got.said);
        assert_false(got.unreadable);
        assert_int_equal(got.slice_count, 0);
    }
    struct dvl_assignment got = observe(1, ",,0,0:;A,Ascend310P,3072,0:;", NULL);
    assert_int_equal(got.slice_count, 1);
    assert_string_equal(got.slices[0]->container, "c0");
}

static void records_that_do_not_read_are_findings(void **state)
{
    (void)state;
    /* PAR-01; the others of the pod are read. */
    static const char *const records[] = {
        "B,Ascend310P,3072",        "B,Ascend310P,3Gi,0",   "B,Ascend310P,-5,10",
        "B,Ascend310P,12x,1",       "B,Ascend310P,1,",      "B,Ascend310P,2147483648,0",
        "B[0-1],Ascend310P,3072,0", "B],Ascend310P,3072,0", ",Ascend310P,3072,0"};
    static const char good[] = "A,Ascend310P,3072,0:";
    for (size_t i = 0; i < COUNT_OF(records); i++) {
        struct dvl_assignment got = observe(1, dvl_arena_format(&world.arena, "%s%s:;", good, records[i]), NULL);
        assert_true(got.unreadable);
        assert_int_equal(got.slice_count, 1);
        assert_int_equal(count_findings("unreadable_record"), 1);
        assert_int_equal(world.findings.last->position, sizeof good - 1);
        assert_string_equal(world.findings.last->key, "hami.io/Ascend310P-devices-allocated");
    }
}

static void odd_records_are_booked_and_noted(void **state)
{
    (void)state;
    struct dvl_assignment got = observe(1, "A,Ascend910B4,3072,0:;", NULL);
    assert_int_equal(got.slice_count, 1);
    assert_int_equal(count_findings("unknown_type"), 1);
    got = observe(1, "A,Ascend310P,3072,0,9", NULL);
    assert_int_equal(got.slice_count, 1);
    assert_int_equal(count_findings("extra_fields"), 1);
    assert_int_equal(count_findings("unclosed_record"), 1);
}

static void ids_match_whole(void **state)
{
    (void)state;
    /* PAR-09, STA-03 */
    static const char *const ids[] = {"A1", "a", " A", "AB"};
    for (size_t i = 0; i < COUNT_OF(ids); i++) {
        struct dvl_assignment got = observe(1, dvl_arena_format(&world.arena, "%s,Ascend310P,3072,0:;", ids[i]), NULL);
        assert_int_equal(got.slice_count, 1);
        assert_null(got.slices[0]->device);
        assert_string_equal(got.slices[0]->device_name, ids[i]);
        assert_int_equal(count_findings("unknown_device"), 1);
    }
}

static void runtime_info_names_the_template(void **state)
{
    (void)state;
    struct dvl_assignment got = observe(2, "B,Ascend310P,12288,0:;A,Ascend310P,3072,0:;",
                                        "[{\"UUID\":\"A\",\"temp\":\"vir01\"},{\"UUID\":\"B\",\"temp\":\"vir04\"}]");
    assert_string_equal(got.slices[0]->mode, "template");
    assert_string_equal(got.slices[0]->template_name, "vir04");
    assert_int_equal(got.slices[0]->ai_cores, 4);
    assert_int_equal(got.slices[0]->ai_cpus, 4);
    assert_string_equal(got.slices[1]->template_name, "vir01");
    assert_int_equal(world.findings.count, 0);
}

static void without_runtime_info_memory_tells_the_template(void **state)
{
    (void)state;
    static const char *const infos[] = {NULL, "[]", "[{\"UUID\":\"A\"},{\"UUID\":\"B\"}]"};
    for (size_t i = 0; i < COUNT_OF(infos); i++) {
        struct dvl_assignment got = observe(2, "A,Ascend310P,6144,0:;B,Ascend310P,21527,0:;", infos[i]);
        assert_string_equal(got.slices[0]->template_name, "vir02");
        assert_int_equal(got.slices[0]->ai_cores, 2);
        assert_null(got.slices[1]->template_name);
        assert_int_equal(got.slices[1]->ai_cores, 0);
        assert_int_equal(world.findings.count, 0);
    }
}

static void runtime_info_that_does_not_read_is_a_finding(void **state)
{
    (void)state;
    static const char *const infos[] = {
        "null", "[{UUID:1}]", "{}", "[7]", "[{\"temp\":\"vir01\"}]", "[{\"UUID\":\"A\",\"temp\":1}]"};
    for (size_t i = 0; i < COUNT_OF(infos); i++) {
        struct dvl_assignment got = observe(1, "A,Ascend310P,3072,0:;", infos[i]);
        assert_false(got.unreadable); /* the list of devices stands */
        assert_int_equal(got.slice_count, 1);
        assert_string_equal(got.slices[0]->template_name, "vir01");
        assert_int_equal(count_findings("unreadable_runtime_info"), 1);
    }
}

static void templates_that_do_not_match_are_findings(void **state)
{
    (void)state;
    struct dvl_assignment got = observe(1, "A,Ascend310P,3072,0:;", "[{\"UUID\":\"A\",\"temp\":\"vir10_3c_16g\"}]");
    assert_string_equal(got.slices[0]->template_name, "vir10_3c_16g");
    assert_int_equal(got.slices[0]->ai_cores, 1);
    assert_int_equal(count_findings("unknown_template"), 1);
    got = observe(1, "A,Ascend310P,3072,0:;", "[{\"UUID\":\"A\",\"temp\":\"vir04\"}]");
    assert_int_equal(got.slices[0]->memory, 3072);
    assert_int_equal(got.slices[0]->ai_cores, 4);
    assert_int_equal(count_findings("template_mismatch"), 1);
}

static void soft_pods_hold_soft_slices(void **state)
{
    (void)state;
    struct dvl_container container = world_container(&world, "c0", "1", "8192", "40");
    const char *const annotations[] = {"hami.io/Ascend310P-devices-allocated",
                                       "A,Ascend310P,8192,40:;",
                                       "huawei.com/Ascend310P",
                                       "[{\"UUID\":\"A\",\"memory\":8192,\"core\":40}]",
                                       "huawei.com/vnpu-mode",
                                       "hami-core",
                                       "hami.io/bind-phase",
                                       "success",
                                       NULL};
    struct dvl_pod pod = world_pod(&world, &container, 1, annotations);
    struct dvl_assignment got = read_pod(&pod);
    assert_true(got.bound);
    assert_string_equal(got.slices[0]->mode, "soft");
    assert_null(got.slices[0]->template_name);
    assert_int_equal(got.slices[0]->cores, 40);
    assert_int_equal(got.slices[0]->ai_cores, 0);
    assert_int_equal(world.findings.count, 0);
}

static void amounts_without_a_template_on_a_soft_node_are_soft(void **state)
{
    (void)state;
    world.devices[0]->mode = "soft";
    struct dvl_assignment got = observe(1, "A,Ascend310P,8192,0:;", "[{\"UUID\":\"A\",\"memory\":8192}]");
    assert_string_equal(got.slices[0]->mode, "soft");
    got = observe(1, "A,Ascend310P,3072,0:;", "[{\"UUID\":\"A\",\"temp\":\"vir01\",\"memory\":3072}]");
    assert_string_equal(got.slices[0]->mode, "template");
}

static void phases_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *phase;
        bool bound;
        const char *kind;
    } cases[] = {{"allocating", false, NULL},
                 {"success", true, NULL},
                 {"failed", false, "bind_failed"},
                 {"Success", false, "unknown_phase"}};
    struct dvl_container container = world_container(&world, "c0", "1", NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *const annotations[] = {"hami.io/Ascend310P-devices-allocated", "A,Ascend310P,21527,0:;",
                                           "hami.io/bind-phase", cases[i].phase, NULL};
        struct dvl_pod pod = world_pod(&world, &container, 1, annotations);
        assert_int_equal(read_pod(&pod).bound, cases[i].bound);
        assert_int_equal(world.findings.count, cases[i].kind != NULL);
        if (cases[i].kind)
            assert_string_equal(world.findings.first->kind, cases[i].kind);
    }
}

static void times_that_do_not_read_are_findings(void **state)
{
    (void)state;
    struct dvl_container container = world_container(&world, "c0", "1", NULL, NULL);
    const char *const annotations[] = {"hami.io/Ascend310P-devices-allocated",
                                       "A,Ascend310P,21527,0:;",
                                       "hami.io/bind-time",
                                       "yesterday",
                                       "hami.io/vgpu-time",
                                       "18446744073709551615",
                                       "predicate-time",
                                       "-1",
                                       NULL};
    struct dvl_pod pod = world_pod(&world, &container, 1, annotations);
    assert_int_equal(read_pod(&pod).slice_count, 1);
    assert_int_equal(count_findings("unreadable_time"), 2);
    assert_int_equal(world.findings.count, 2);
}

/* ---- Annotations ---- */

static struct dvl_pairs write(enum dvl_annotation_moment moment, struct dvl_slice *const *slices, size_t count,
                              bool bound)
{
    const struct dvl_annotation_query query = {.backend = world.backend,
                                               .moment = moment,
                                               .node_name = "n1",
                                               .slices = slices,
                                               .slice_count = count,
                                               .bound = bound,
                                               .allocated_at = INT64_C(1787191700999999),
                                               .arena = &world.arena};
    struct dvl_pairs pairs;
    assert_int_equal(world.backend->ops->annotations(&query, &pairs, &world.error), DVL_OK);
    for (size_t i = 1; i < pairs.count; i++)
        assert_true(strcmp(pairs.items[i - 1].key, pairs.items[i].key) < 0);
    return pairs;
}

static struct dvl_fit place(size_t count, const char *memory, const char *cores, const char *const *annotations)
{
    struct dvl_container containers[3] = {world_container(&world, "i0", "1", "3072", NULL),
                                          world_container(&world, "c0", NULL, NULL, NULL),
                                          world_container(&world, "c1", "1", memory, cores)};
    containers[0].init = true;
    struct dvl_pod pod = world_pod(&world, count == 1 ? containers + 2 : containers, count, annotations);
    struct dvl_pod_request request = world_request(&world, &pod);
    struct dvl_fit fit = world_fit(&world, &pod, &request, false, false);
    assert_true(fit.fits);
    return fit;
}

static const char *get(const struct dvl_pairs *pairs, const char *key)
{
    return dvl_pairs_get(pairs, key);
}

static void allocate_writes_eight_keys(void **state)
{
    (void)state;
    struct dvl_fit fit = place(3, "6145", NULL, NULL);
    struct dvl_pairs pairs = write(DVL_MOMENT_ALLOCATE, fit.slices, fit.slice_count, false);
    static const char list[] = "A,Ascend310P,3072,0:;B,Ascend310P,12288,0:;";
    assert_int_equal(pairs.count, 8);
    assert_string_equal(get(&pairs, "hami.io/Ascend310P-devices-allocated"), list);
    assert_string_equal(get(&pairs, "hami.io/Ascend310P-devices-to-allocate"), list);
    assert_string_equal(get(&pairs, "huawei.com/Ascend310P"),
                        "[{\"UUID\":\"A\",\"temp\":\"vir01\"},{\"UUID\":\"B\",\"temp\":\"vir04\"}]");
    assert_string_equal(get(&pairs, "hami.io/vgpu-node"), "n1");
    assert_string_equal(get(&pairs, "hami.io/vgpu-time"), "1787191700");
    assert_string_equal(get(&pairs, "hami.io/bind-time"), "1787191700");
    assert_string_equal(get(&pairs, "predicate-time"), "1787191700");
    assert_string_equal(get(&pairs, "hami.io/bind-phase"), "allocating");
}

static void runtime_info_leaves_empty_members_out(void **state)
{
    (void)state;
    struct dvl_fit fit = place(1, NULL, NULL, NULL);
    struct dvl_pairs pairs = write(DVL_MOMENT_ALLOCATE, fit.slices, fit.slice_count, false);
    assert_string_equal(get(&pairs, "huawei.com/Ascend310P"), "[{\"UUID\":\"A\"}]");
    world.node.soft = true;
    world.devices[0]->cores = 100;
    static const char *const soft[] = {"huawei.com/vnpu-mode", "hami-core", NULL};
    fit = place(1, "100", "30", soft);
    pairs = write(DVL_MOMENT_ALLOCATE, fit.slices, fit.slice_count, false);
    assert_string_equal(get(&pairs, "huawei.com/Ascend310P"), "[{\"UUID\":\"A\",\"memory\":100,\"core\":30}]");
    assert_string_equal(get(&pairs, "hami.io/Ascend310P-devices-allocated"), "A,Ascend310P,100,30:;");
    fit = place(1, "100", NULL, soft);
    pairs = write(DVL_MOMENT_ALLOCATE, fit.slices, fit.slice_count, false);
    assert_string_equal(get(&pairs, "huawei.com/Ascend310P"), "[{\"UUID\":\"A\",\"memory\":100}]");
}

static void odd_ids_stay_json(void **state)
{
    (void)state;
    struct dvl_slice slice = {.device_name = "a\"b\\c<d>&\x01\xc3\xa9", .memory = 1, .memory_asked = DVL_UNSET};
    struct dvl_slice *slices[] = {&slice};
    struct dvl_pairs pairs = write(DVL_MOMENT_ALLOCATE, slices, 1, false);
    assert_string_equal(get(&pairs, "huawei.com/Ascend310P"),
                        "[{\"UUID\":\"a\\\"b\\\\c\\u003cd\\u003e\\u0026\\u0001\xc3\xa9\"}]");
}

static void bind_says_success(void **state)
{
    (void)state;
    struct dvl_pairs pairs = write(DVL_MOMENT_BIND, NULL, 0, true);
    assert_int_equal(pairs.count, 1);
    assert_string_equal(pairs.items[0].key, "hami.io/bind-phase");
    assert_string_equal(pairs.items[0].value, "success");
}

static void release_clears_all_before_bind_and_none_after(void **state)
{
    (void)state;
    struct dvl_pairs pairs = write(DVL_MOMENT_RELEASE, NULL, 0, false);
    assert_int_equal(pairs.count, 8);
    for (size_t i = 0; i < pairs.count; i++)
        assert_null(pairs.items[i].value);
    assert_int_equal(write(DVL_MOMENT_RELEASE, NULL, 0, true).count, 0);
}

/* ---- Memory ---- */

enum step { STEP_NODE, STEP_REQUEST, STEP_FIT, STEP_ASSIGNMENT, STEP_ANNOTATIONS, STEPS };

static enum dvl_status run_step(enum step step, const struct dvl_node *node, const struct dvl_pod *pod,
                                const struct dvl_fit_query *query, const struct dvl_annotation_query *annotations)
{
    const struct dvl_backend_ops *ops = world.backend->ops;
    const struct dvl_facts none = {0};
    struct dvl_findings findings = {.arena = &world.arena};
    struct dvl_inventory inventory;
    struct dvl_pod_request request;
    struct dvl_fit fit;
    struct dvl_assignment assignment;
    struct dvl_pairs pairs;
    switch (step) {
    case STEP_NODE:
        return ops->read_node(world.backend, node, &none, &inventory, &findings, &world.error);
    case STEP_REQUEST:
        return ops->read_request(world.backend, pod, &world.arena, &request, &world.error);
    case STEP_FIT:
        return ops->fit(query, &fit, &world.error);
    case STEP_ASSIGNMENT:
        return ops->read_assignment(world.backend, pod, world.devices, world.node.device_count, &assignment, &findings,
                                    &world.error);
    case STEP_ANNOTATIONS:
        return ops->annotations(annotations, &pairs, &world.error);
    case STEPS:
        break;
    }
    return DVL_OK;
}

static void memory_may_end_anywhere(void **state)
{
    (void)state;
    static const char *const node_words[] = {
        "hami.io/node-register-Ascend310P",
        "[{\"id\":\"A\",\"count\":7,\"health\":true,\"custominfo\":{\"NetworkID\":\"x\"}},{\"id\":7}]",
        "hami-vnpu-core", "yes", NULL};
    static const char *const resources[] = {"huawei.com/Ascend310P", "x", NULL};
    static const char *const pod_words[] = {"hami.io/Ascend310P-devices-allocated",
                                            "A,Ascend310P,3072,0:C,X,3072,0,0;B,Ascend310P:",
                                            "huawei.com/Ascend310P",
                                            "[{\"UUID\":\"A\",\"temp\":\"vir09\"}]",
                                            "hami.io/use-Ascend310P-uuid",
                                            "A,B",
                                            NULL};
    struct dvl_container containers[] = {world_container(&world, "c0", "1", "3072", NULL),
                                         world_container(&world, "c1", "1", NULL, NULL),
                                         world_container(&world, "c2", "1", NULL, NULL)};
    struct dvl_pod pod = world_pod(&world, containers, 2, pod_words);
    struct dvl_pod wide = world_pod(&world, containers, 3, pod_words);
    struct dvl_pod_request request = world_request(&world, &wide);
    const struct dvl_node node = {
        .name = "n1", .annotations = world_pairs(&world, node_words), .allocatable = world_pairs(&world, resources)};
    const struct dvl_fit_query query = {.backend = world.backend,
                                        .node = &world.node,
                                        .pod = &wide,
                                        .request = &request,
                                        .explain = true,
                                        .arena = &world.arena};
    struct dvl_fit fit = place(1, "3072", NULL, NULL);
    const struct dvl_annotation_query annotations = {.backend = world.backend,
                                                     .moment = DVL_MOMENT_ALLOCATE,
                                                     .node_name = "n1",
                                                     .slices = fit.slices,
                                                     .slice_count = fit.slice_count,
                                                     .arena = &world.arena};
    for (enum step step = STEP_NODE; step < STEPS; step++) {
        int failures = 0;
        enum dvl_status status = DVL_NO_MEMORY;
        for (size_t room = 1; status != DVL_OK; room += 16) {
            world.arena.limit = world.arena.taken + room;
            status = run_step(step, &node, &pod, &query, &annotations);
            assert_true(status == DVL_OK || status == DVL_NO_MEMORY);
            failures += status != DVL_OK;
        }
        assert_true(failures > 2);
        world.arena.limit = 0;
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pod_without_the_annotation_says_nothing),
        TEST(all_containers_are_read),
        TEST(two_slices_on_one_device_are_two),
        TEST(parts_go_to_the_containers_that_they_speak_of),
        TEST(part_of_no_container_has_no_name),
        TEST(nothing_is_booked_for_null_entries),
        TEST(records_that_do_not_read_are_findings),
        TEST(odd_records_are_booked_and_noted),
        TEST(ids_match_whole),
        TEST(runtime_info_names_the_template),
        TEST(without_runtime_info_memory_tells_the_template),
        TEST(runtime_info_that_does_not_read_is_a_finding),
        TEST(templates_that_do_not_match_are_findings),
        TEST(soft_pods_hold_soft_slices),
        TEST(amounts_without_a_template_on_a_soft_node_are_soft),
        TEST(phases_are_read),
        TEST(times_that_do_not_read_are_findings),
        TEST(allocate_writes_eight_keys),
        TEST(runtime_info_leaves_empty_members_out),
        TEST(odd_ids_stay_json),
        TEST(bind_says_success),
        TEST(release_clears_all_before_bind_and_none_after),
        TEST(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
