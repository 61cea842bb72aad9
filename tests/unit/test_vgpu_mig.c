/* Cards cut by MIG: which instance is chosen, what it counts, what reads back. */
#include "../support/vgpu_world.h"

#include "backend/vgpu.h"

#define A100 "NVIDIA-NVIDIA A100-SXM4-80GB"
#define M0 "GPU-0,10,81920," A100 ",true,mig:"
#define M1 "GPU-1,10,81920," A100 ",true,mig:"

static const struct dvl_mig_kind group1[] = {{"1g.10gb", 10240, 7, 0}};
static const struct dvl_mig_kind group2[] = {{"2g.20gb", 20480, 3, 0}, {"1g.10gb", 10240, 1, 3}};
static const struct dvl_mig_kind group3[] = {{"3g.40gb", 40960, 2, 0}};
static const struct dvl_mig_kind group4[] = {{"7g.79gb", 80896, 1, 0}};
static const struct dvl_mig_kind dashed[] = {{"1g.5gb", 5120, 2, 0}, {"1g.5gb+me", 5120, 1, 2}};
static const struct dvl_mig_geometry a100[] = {
    {"group1", group1, 1}, {"group2", group2, 2}, {"group3", group3, 1}, {"group4", group4, 1}};
static const struct dvl_mig_geometry a30[] = {{"all-1g", dashed, 2}};
static const char *const a100_names[] = {"A100-PCIE-80GB", "A100-SXM4-80GB"};
static const char *const a30_names[] = {"A30"};
static const struct dvl_mig_model models[] = {{a100_names, 2, a100, 4}, {a30_names, 1, a30, 1}};

static struct world world;

static int start(void **state)
{
    (void)state;
    world_start(&world);
    world.config.devices.nvidia.mig = models;
    world.config.devices.nvidia.mig_count = 2;
    return 0;
}

static int end(void **state)
{
    (void)state;
    world_end(&world);
    return 0;
}

static struct dvl_span span(const char *text)
{
    return dvl_span_of(text);
}

static void instances_read(void **state)
{
    (void)state;
    struct dvl_span group;
    int64_t position;
    assert_true(dvl_mig_instance_read(span("group2-3"), &group, &position));
    assert_true(dvl_span_is(group, "group2"));
    assert_int_equal(position, 3);
    assert_true(dvl_mig_instance_read(span("all-1g-0"), &group, &position)); /* D29 */
    assert_true(dvl_span_is(group, "all-1g"));
    assert_int_equal(position, 0);
    static const char *const broken[] = {
        "", "group2", "-3", "group2-", "group2-x", "group2-+1", "group2- 1", "g-2147483648", "g-99999999999999999999"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        assert_false(dvl_mig_instance_read(span(broken[i]), &group, &position));
}

static void positions_belong_to_kinds(void **state)
{
    (void)state;
    const struct dvl_mig_model *model = dvl_mig_model_of(&world.config.devices.nvidia, A100);
    assert_ptr_equal(model, &models[0]);
    assert_null(dvl_mig_model_of(&world.config.devices.nvidia, "NVIDIA-NVIDIA H100"));
    assert_null(dvl_mig_model_of(&world.config.devices.nvidia, NULL));
    const struct dvl_mig_geometry *geometry = dvl_mig_geometry_of(model, span("group2"));
    assert_ptr_equal(dvl_mig_kind_at(geometry, 2), &group2[0]);
    assert_ptr_equal(dvl_mig_kind_at(geometry, 3), &group2[1]);
    assert_null(dvl_mig_kind_at(geometry, 4));
    assert_null(dvl_mig_kind_at(geometry, -1));
    assert_null(dvl_mig_geometry_of(model, span("group")));
}

/* "group1-0 group1-1" of all chosen slices, or the reason. */
static const char *choose(const char *spec)
{
    struct dvl_fit fit = world_fit(&world, spec);
    if (!fit.fits)
        return fit.reason;
    char text[256] = "";
    for (size_t i = 0; i < fit.slice_count; i++) {
        const struct dvl_slice *slice = fit.slices[i];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s-%d", i ? " " : "",
                 slice->mig_group ? slice->mig_group : "none", (int)slice->mig_position);
    }
    return dvl_arena_text(&world.arena, text);
}

static void an_idle_card_takes_the_first_geometry_that_is_big_enough(void **state)
{
    (void)state;
    world_node(&world, M0);
    assert_string_equal(choose("c0 memory=8000"), "group1-0");
    assert_string_equal(choose("c0 memory=10240"), "group1-0");
    assert_string_equal(choose("c0 memory=10241"), "group2-0");
    assert_string_equal(choose("c0 memory=40960"), "group3-0");
    assert_string_equal(choose("c0 memory=80896"), "group4-0");
    assert_string_equal(choose("c0 memory=80897"), "without_mig_instance");
    assert_string_equal(choose("c0 count=1 percent=12"), "group1-0");
    assert_string_equal(choose("c0 count=1"), "without_mig_instance");
}

/* D9 */
static void the_geometry_in_use_is_open_as_a_whole(void **state)
{
    (void)state;
    world_node(&world, M0);
    world_hold_instance(&world, 0, "a", "group2", 0, 20480);
    assert_string_equal(choose("c0 memory=8000"), "group2-3");
    assert_string_equal(choose("c0 memory=8000|c1 memory=8000|c2 memory=1|c3 memory=1"), "without_mig_instance");
    assert_string_equal(choose("c0 memory=8000|c1 memory=8000|c2 memory=1"), "group2-3 group2-1 group2-2");
    assert_string_equal(choose("c0 memory=40000"), "without_mig_instance");
    assert_int_equal(world_code(&world, world_pod(&world, "c0 memory=40000")), 2);
    assert_int_equal(world_code(&world, world_pod(&world, "c0 memory=80897")), 3);
}

/* D8: nothing but the instances that are there says which geometry it is. */
static void a_card_without_instances_is_open_again(void **state)
{
    (void)state;
    world_node(&world, M0);
    world_hold_instance(&world, 0, "a", "group1", 0, 10240);
    assert_string_equal(choose("c0 memory=20000"), "without_mig_instance");
    world.cards[0].slice_count = 0;
    assert_string_equal(choose("c0 memory=20000"), "group2-0");
}

static void lowest_free_position(void **state)
{
    (void)state;
    world_node(&world, M0);
    world_hold_instance(&world, 0, "a", "group1", 0, 10240);
    world_hold_instance(&world, 0, "b", "group1", 2, 10240);
    assert_string_equal(choose("c0 memory=1|c1 memory=1"), "group1-1 group1-3");
    world_hold_instance(&world, 0, "c", "group1", 2, 10240); /* observed twice */
    assert_string_equal(choose("c0 memory=1"), "group1-1");
}

static void two_devices_are_two_cards(void **state)
{
    (void)state;
    world_node(&world, M0 M1);
    assert_string_equal(choose("c0 count=2 memory=8000"), "group1-0 group1-0");
    assert_string_equal(choose("c0 count=3 memory=8000"), "too_few_devices");
}

static void equal_kinds_go_by_configuration(void **state)
{
    (void)state;
    world_node(&world, "GPU-0,10,24576,NVIDIA-NVIDIA A30,true,mig:");
    assert_string_equal(choose("c0 memory=5000|c1 memory=5000|c2 memory=5000"), "all-1g-0 all-1g-1 all-1g-2");
    assert_string_equal(choose("c0 memory=1|c1 memory=1|c2 memory=1|c3 memory=1"), "without_mig_instance");
}

static void geometries_that_clash_close_the_card(void **state)
{
    (void)state;
    world_node(&world, M0);
    world_hold_instance(&world, 0, "a", "group1", 0, 10240);
    world_hold_instance(&world, 0, "b", "group2", 3, 10240);
    assert_string_equal(choose("c0 memory=1"), "without_mig_instance");
    world_node(&world, M0);
    world_hold_instance(&world, 0, "a", "group9", 0, 1024);
    assert_string_equal(choose("c0 memory=1"), "without_mig_instance");
    struct dvl_fit fit = world_fit(&world, "c0 memory=1");
    assert_non_null(strstr(fit.devices[0].message, "geometry"));
}

static void the_instance_is_counted_not_the_request(void **state)
{
    (void)state;
    world.config.scheduler.policy = DVL_POLICY_BINPACK;
    world_node(&world, M0);
    struct dvl_fit fit = world_fit(&world, "c0 memory=8000 cores=10");
    assert_int_equal(fit.slices[0]->memory, 10240);
    assert_int_equal(fit.slices[0]->memory_asked, 8000);
    assert_int_equal(fit.slices[0]->cores, 10);
    assert_string_equal(fit.slices[0]->mode, "mig");
    assert_float_equal(fit.score, 12.5, 1e-9);
}

/* An instance's nominal size may be over what the driver reports. */
static void positions_are_the_limit_not_the_sum(void **state)
{
    (void)state;
    world_node(&world, "GPU-0,10,80000," A100 ",true,mig:");
    assert_string_equal(choose("c0 memory=70000"), "group4-0");
    assert_string_equal(choose("c0 memory=80001"), "short_of_memory");
    world_hold_instance(&world, 0, "a", "group3", 0, 40960);
    assert_string_equal(choose("c0 memory=39040"), "group3-1");
    assert_string_equal(choose("c0 memory=39041"), "short_of_memory");
}

static void the_factor_counts_for_choice_and_account(void **state)
{
    (void)state;
    world.config.devices.nvidia.memory_factor = 10;
    world_node(&world, "GPU-0,10,8192," A100 ",true,mig:");
    struct dvl_fit fit = world_fit(&world, "c0 memory=2000");
    assert_string_equal(fit.slices[0]->mig_group, "group2");
    assert_int_equal(fit.slices[0]->memory, 2048);
    assert_int_equal(fit.slices[0]->memory_asked, 2000);
    assert_string_equal(choose("c0 memory=1025"), "group2-0");
    assert_string_equal(choose("c0 memory=1024"), "group1-0");
    world.config.devices.nvidia.memory_factor = INT64_MAX;
    assert_string_equal(choose("c0 memory=2"), "without_mig_instance");
}

static void modes_are_kept_per_card(void **state)
{
    (void)state;
    world_node(&world, "GPU-1,10,8000,NVIDIA-V100,true,hami-core:" M0 "GPU-2,10,81559,NVIDIA-NVIDIA H100,true,mig:");
    assert_string_equal(world.cards[0].mode, "hami-core");
    assert_string_equal(world.cards[1].mode, "mig");
    assert_string_equal(world.cards[2].mode, "hami-core"); /* no geometry is known */
    assert_non_null(world_finding(&world, "no_geometry"));
    assert_non_null(world_finding(&world, "mixed_modes"));
    struct dvl_pod *pod = world_pod(&world, "c0 memory=4000");
    pod->annotations = PAIRS(&world, "volcano.sh/vgpu-mode", "mig");
    struct dvl_fit fit = world_fit_pod(&world, pod, false);
    assert_string_equal(fit.slices[0]->mig_group, "group1");
    pod->annotations = PAIRS(&world, "volcano.sh/vgpu-mode", "hami-core");
    fit = world_fit_pod(&world, pod, false);
    assert_string_equal(fit.slices[0]->device_name, "GPU-2");
    assert_null(fit.slices[0]->mig_group);
    pod = world_pod(&world, "c0 count=2 memory=4000");
    pod->annotations = PAIRS(&world, "volcano.sh/vgpu-mode", "mig");
    assert_int_equal(world_code(&world, pod), 3);
}

static void exclusive_rules_leave_mig_alone(void **state)
{
    (void)state;
    struct dvl_exclusive_rule rule = {.labels = PAIRS(&world, "team", "training")};
    world.config.scheduler.rules = &rule;
    world.config.scheduler.rule_count = 1;
    world_node(&world, M0);
    struct dvl_slice *slice = world_hold_instance(&world, 0, "a", "group1", 0, 10240);
    struct dvl_holder holder = *slice->holder;
    holder.labels_json = "{\"team\":\"training\"}";
    slice->holder = &holder;
    struct dvl_pod *pod = world_pod(&world, "c0 memory=1");
    pod->labels = PAIRS(&world, "team", "training");
    assert_int_equal(world_code(&world, pod), 0);
}

/* ---- Read back ---- */

static struct dvl_assignment observe(const char *id)
{
    char ids[128];
    snprintf(ids, sizeof ids, "%s,NVIDIA,1024,5:", id);
    struct dvl_pod *pod = world_pod(&world, "c0 count=1");
    pod->annotations = PAIRS(&world, "volcano.sh/vgpu-ids-new", dvl_arena_text(&world.arena, ids));
    struct dvl_assignment assignment;
    world.findings = (struct dvl_findings){.arena = &world.arena};
    assert_int_equal(dvl_vgpu_ops.read_assignment(&world.backend, pod, world.card_list, world.node.device_count,
                                                  &assignment, &world.findings, &world.error),
                     DVL_OK);
    return assignment;
}

static void instances_in_assignments(void **state)
{
    (void)state;
    world_node(&world, M0 "GPU-1,10,24576,NVIDIA-NVIDIA A30,true,mig:");
    struct dvl_assignment said = observe("GPU-0[group2-3]");
    assert_int_equal(said.slice_count, 1);
    assert_string_equal(said.slices[0]->device_name, "GPU-0");
    assert_string_equal(said.slices[0]->mig_group, "group2");
    assert_int_equal(said.slices[0]->mig_position, 3);
    assert_int_equal(said.slices[0]->memory, 10240);
    assert_int_equal(said.slices[0]->memory_asked, 1024);
    assert_int_equal(said.slices[0]->cores, 5);
    assert_int_equal(world.findings.count, 0);
    said = observe("GPU-1[all-1g-2]");
    assert_string_equal(said.slices[0]->mig_group, "all-1g");
    assert_int_equal(said.slices[0]->memory, 5120);
}

static void instances_that_do_not_read(void **state)
{
    (void)state;
    static const char *const broken[] = {"GPU-0",      "GPU-0[group2,3]", "GPU-0[group2-9]", "GPU-0[group2-x]",
                                         "GPU-0[1-0]", "GPU-0[]",         "GPU-0[group2]",   "GPU-0[group2-3"};
    world_node(&world, M0);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct dvl_assignment said = observe(broken[i]);
        assert_int_equal(said.slice_count, 0);
        assert_true(said.unreadable);
        assert_non_null(world_finding(&world, "unreadable_record"));
    }
}

static void instances_of_unknown_things_are_kept(void **state)
{
    (void)state;
    world_node(&world, M0);
    struct dvl_assignment said = observe("GPU-0[group9-0]");
    assert_int_equal(said.slice_count, 1);
    assert_int_equal(said.slices[0]->memory, 1024);
    assert_string_equal(said.slices[0]->mig_group, "group9");
    assert_non_null(world_finding(&world, "unknown_geometry"));
    said = observe("GPU-9[group1-0]");
    assert_int_equal(said.slice_count, 1);
    assert_null(said.slices[0]->device);
    assert_string_equal(said.slices[0]->device_name, "GPU-9");
    assert_string_equal(said.slices[0]->mode, "mig");
    assert_non_null(world_finding(&world, "unknown_device"));
}

static void what_was_chosen_reads_back(void **state)
{
    (void)state;
    world_node(&world, M0 M1);
    struct dvl_pod *pod = world_pod(&world, "c0 count=2 memory=9000 cores=3|c1 memory=2000|c2 memory=10000");
    struct dvl_fit fit = world_fit_pod(&world, pod, false);
    assert_true(fit.fits);
    struct dvl_annotation_query query = {.backend = &world.backend,
                                         .moment = DVL_MOMENT_ALLOCATE,
                                         .node_name = "n1",
                                         .slices = fit.slices,
                                         .slice_count = fit.slice_count,
                                         .arena = &world.arena};
    assert_int_equal(dvl_vgpu_ops.annotations(&query, &pod->annotations, &world.error), DVL_OK);
    struct dvl_assignment said;
    world.findings = (struct dvl_findings){.arena = &world.arena};
    assert_int_equal(dvl_vgpu_ops.read_assignment(&world.backend, pod, world.card_list, world.node.device_count, &said,
                                                  &world.findings, &world.error),
                     DVL_OK);
    assert_int_equal(world.findings.count, 0);
    assert_int_equal(said.slice_count, fit.slice_count);
    for (size_t i = 0; i < said.slice_count; i++) {
        const struct dvl_slice *a = said.slices[i], *b = fit.slices[i];
        assert_ptr_equal(a->device, b->device);
        assert_int_equal(a->memory, b->memory);
        assert_int_equal(a->memory_asked, b->memory_asked);
        assert_int_equal(a->cores, b->cores);
        assert_int_equal(a->container_ordinal, b->container_ordinal);
        assert_string_equal(a->mig_group, b->mig_group);
        assert_int_equal(a->mig_position, b->mig_position);
    }
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, start, end)
    const struct CMUnitTest tests[] = {
        CASE(instances_read),
        CASE(positions_belong_to_kinds),
        CASE(an_idle_card_takes_the_first_geometry_that_is_big_enough),
        CASE(the_geometry_in_use_is_open_as_a_whole),
        CASE(a_card_without_instances_is_open_again),
        CASE(lowest_free_position),
        CASE(two_devices_are_two_cards),
        CASE(equal_kinds_go_by_configuration),
        CASE(geometries_that_clash_close_the_card),
        CASE(the_instance_is_counted_not_the_request),
        CASE(positions_are_the_limit_not_the_sum),
        CASE(the_factor_counts_for_choice_and_account),
        CASE(modes_are_kept_per_card),
        CASE(exclusive_rules_leave_mig_alone),
        CASE(instances_in_assignments),
        CASE(instances_that_do_not_read),
        CASE(instances_of_unknown_things_are_kept),
        CASE(what_was_chosen_reads_back),
    };
    return cmocka_run_group_tests_name("vgpu_mig", tests, NULL, NULL);
}
