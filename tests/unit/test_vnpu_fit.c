/* vnpu: which template a pod gets, on which chip, and why not. */
#include "../support/vnpu_world.h"

static int ask(struct world *world, const char *cores, const char *level, const char *dvpp, struct dvl_fit *fit)
{
    return world_ask(world, world_pod(world, cores, level, dvpp), fit);
}

static void assert_given(const struct dvl_fit *fit, const char *template_, int64_t chip, int64_t cores, int64_t cpus)
{
    assert_int_equal(fit->slice_count, 1);
    const struct dvl_slice *slice = fit->slices[0];
    assert_string_equal(slice->template_name, template_);
    assert_int_equal(slice->device->idx, chip);
    assert_int_equal(slice->cores, cores);
    assert_int_equal(slice->ai_cores, cores);
    assert_int_equal(slice->ai_cpus, cpus);
    assert_string_equal(slice->mode, "template");
    assert_false(slice->whole);
}

static void template_by_cores_and_labels(void **state)
{
    (void)state;
    static const struct {
        const char *cores, *level, *dvpp, *template_;
        int64_t taken_cores, taken_cpus;
    } rows[] = {
        {"1", NULL, NULL, "vir01", 1, 1},          {"1", "high", "yes", "vir01", 1, 1},
        {"2", NULL, NULL, "vir02_1c", 2, 1},       {"2", "low", "no", "vir02_1c", 2, 1},
        {"2", "medium", NULL, "vir02_1c", 2, 1},   {"2", "high", "yes", "vir02", 2, 2},
        {"4", NULL, "yes", "vir04_4c_dvpp", 4, 4}, {"4", "high", "yes", "vir04_4c_dvpp", 4, 4},
        {"4", NULL, "no", "vir04_3c_ndvpp", 4, 3}, {"4", "high", "no", "vir04_3c_ndvpp", 4, 3},
        {"4", "low", "null", "vir04_3c", 4, 3},    {"4", "high", "null", "vir04", 4, 4},
        {"4", "HIGH", NULL, "vir04_3c", 4, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct world world;
        struct dvl_fit fit;
        world_open(&world, 8, 1);
        assert_int_equal(ask(&world, rows[i].cores, rows[i].level, rows[i].dvpp, &fit), 0);
        assert_given(&fit, rows[i].template_, 0, rows[i].taken_cores, rows[i].taken_cpus);
        assert_null(fit.downgraded_to);
        world_close(&world);
    }
}

/* D10, TOP-14, PAR-14 */
static void core_counts_without_a_template_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"3", "5", "6", "7", "9", "12", "17", "2147483647"};
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 4);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(ask(&world, wrong[i], NULL, NULL, &fit), 1);
        assert_string_equal(fit.reason, "bad_core_count");
    }
    world_close(&world);
}

/* D10: a whole chip of one node is none of another. */
static void whole_chips_are_the_nodes_own(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 10, 2);
    assert_int_equal(ask(&world, "8", NULL, NULL, &fit), 1);
    assert_string_equal(fit.reason, "bad_core_count");
    assert_int_equal(ask(&world, "20", NULL, "maybe", &fit), 0); /* whole chips ignore the label */
    assert_int_equal(fit.slice_count, 2);
    assert_true(fit.slices[1]->whole);
    assert_null(fit.slices[1]->template_name);
    assert_int_equal(fit.slices[1]->cores, 10);
    assert_int_equal(fit.slices[1]->ai_cpus, 7);
    assert_int_equal(fit.slices[1]->ordinal, 1);
    assert_int_equal(ask(&world, "40", NULL, NULL, &fit), 3); /* of 8 or of 10, but not here */
    world_close(&world);
}

static void bad_dvpp_is_an_error_for_templates(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 1);
    assert_int_equal(ask(&world, "4", NULL, "on", &fit), 1);
    assert_string_equal(fit.reason, "bad_dvpp_label");
    assert_int_equal(ask(&world, "1", NULL, "", &fit), 1);
    assert_int_equal(ask(&world, "8", NULL, "on", &fit), 0);
    world_close(&world);
}

static void no_request_without_label_limit_or_amount(void **state)
{
    (void)state;
    struct world world;
    struct dvl_pod_request request;
    world_open(&world, 8, 1);
    struct dvl_pod pod = *world_pod(&world, "4", NULL, NULL);
    pod.labels.count = 0;
    assert_int_equal(dvl_vnpu_ops.read_request(&world.backend, &pod, &world.arena, &request, &world.error), DVL_OK);
    assert_int_equal(request.ask_count, 0);

    struct dvl_pair label = {"ring-controller.atlas", "ascend-310p"};
    pod.labels = (struct dvl_pairs){&label, 1};
    assert_int_equal(dvl_vnpu_ops.read_request(&world.backend, &pod, &world.arena, &request, &world.error), DVL_OK);
    assert_int_equal(request.ask_count, 0);

    pod = *world_pod(&world, "0", NULL, NULL);
    assert_int_equal(dvl_vnpu_ops.read_request(&world.backend, &pod, &world.arena, &request, &world.error), DVL_OK);
    assert_int_equal(request.ask_count, 0);

    pod = *world_pod(&world, "4", NULL, NULL);
    struct dvl_container init = pod.containers[0];
    init.init = true;
    pod.containers = &init;
    assert_int_equal(dvl_vnpu_ops.read_request(&world.backend, &pod, &world.arena, &request, &world.error), DVL_OK);
    assert_int_equal(request.ask_count, 0);
    world_close(&world);
}

static void first_app_container_with_an_amount_asks(void **state)
{
    (void)state;
    struct world world;
    struct dvl_pod_request request;
    world_open(&world, 8, 1);
    struct dvl_pod pod = *world_pod(&world, "4", NULL, NULL);
    struct dvl_container containers[4] = {pod.containers[0], {.name = "side"}, pod.containers[0], pod.containers[0]};
    struct dvl_pair zero = {"huawei.com/npu-core", "0"};
    containers[0].init = true;
    containers[1].limits = containers[1].requests = (struct dvl_pairs){&zero, 1};
    containers[2].name = "second";
    pod.containers = containers;
    pod.container_count = 4;
    assert_int_equal(dvl_vnpu_ops.read_request(&world.backend, &pod, &world.arena, &request, &world.error), DVL_OK);
    assert_int_equal(request.ask_count, 1);
    assert_string_equal(request.asks[0].container, "second");
    assert_int_equal(request.asks[0].ordinal, 2);
    assert_int_equal(request.asks[0].cores, 4);
    assert_string_equal(request.asks[0].template_name, "vir04_3c");
    world_close(&world);
}

static void bad_quantities_name_pod_container_and_resource(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "four", "500m", "-1", "1.5", "2147483648", "4Gi", "1e40"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct world world;
        struct dvl_pod_request request;
        world_open(&world, 8, 1);
        const struct dvl_pod *pod = world_pod(&world, bad[i], NULL, NULL);
        assert_int_equal(dvl_vnpu_ops.read_request(&world.backend, pod, &world.arena, &request, &world.error),
                         DVL_BAD_INPUT);
        assert_non_null(strstr(world.error.message, "ns/p"));
        assert_non_null(strstr(world.error.message, "main"));
        assert_non_null(strstr(world.error.message, "huawei.com/npu-core"));
        world_close(&world);
    }
}

static void chip_with_least_room_is_taken(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 4);
    world_hold(&world, 1, "vir02", "Ascend310P-2c-100-1_0", true);
    world_hold(&world, 2, "vir02_1c", "Ascend310P-2c.1cpu-101-2_0", true);
    world_hold(&world, 3, "vir02", "Ascend310P-2c-102-3_0", true);
    assert_int_equal(ask(&world, "2", NULL, NULL, &fit), 0); /* 1 and 3 have fewer AI CPUs free than 2 */
    assert_given(&fit, "vir02_1c", 1, 2, 1);
    world_close(&world);
}

/* D15, TOP-15 */
static void ai_cpus_run_out_before_cores(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 1);
    for (int i = 0; i < 7; i++)
        world_hold(&world, 0, "vir01", "Ascend310P-1c-100-0_0", true);
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 2);
    assert_string_equal(fit.reason, "short_of_ai_cpus");
    assert_string_equal(fit.message, "0 of 1 found: 1 of 1 short of ai cpus");
    world_close(&world);
}

/* D17 */
static void downgrade_takes_what_it_gives(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 1);
    world_hold(&world, 0, "vir04", "Ascend310P-4c-100-0_0", true);
    assert_int_equal(ask(&world, "4", "high", NULL, &fit), 0);
    assert_given(&fit, "vir04_3c", 0, 4, 3);
    assert_string_equal(fit.slices[0]->template_asked, "vir04");
    assert_string_equal(fit.downgraded_from, "vir04");
    assert_string_equal(fit.downgraded_to, "vir04_3c");
    assert_string_equal(fit.downgrade_reason, "short_of_ai_cpus");
    assert_int_equal(ask(&world, "4", NULL, "yes", &fit), 2); /* nothing to downgrade to */
    assert_null(fit.downgraded_to);
    world_close(&world);
}

/* D16, D34 */
static void pending_template_closes_for_others(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 3);
    struct dvl_slice *pending = world_hold(&world, 0, "vir04", NULL, false);
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 2);
    assert_string_equal(fit.reason, "other_template_pending");
    assert_int_equal(ask(&world, "4", "high", NULL, &fit), 0);
    assert_given(&fit, "vir04", 1, 4, 4); /* chip 0 has 3 AI CPUs left */
    assert_int_equal(ask(&world, "16", NULL, NULL, &fit), 0);
    assert_int_equal(fit.slices[0]->device->idx, 1);

    ((struct dvl_holder *)pending->holder)->annotations_json = "{\"huawei.com/AscendReal\":\"Ascend310P-4c-100-0_0\"}";
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 0);
    ((struct dvl_holder *)pending->holder)->annotations_json = "{\"huawei.com/AscendReal\":\"\"}";
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 2);
    world_close(&world);
}

/* The template that is compared is the one that would be given. */
static void pending_is_compared_with_the_downgraded_template(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 1);
    world_hold(&world, 0, "vir04", NULL, false);
    assert_int_equal(ask(&world, "4", "high", NULL, &fit), 2); /* vir04_3c would be given */
    assert_string_equal(fit.reason, "other_template_pending");
    assert_null(fit.downgraded_to);
    world_close(&world);
}

static void pending_whole_chip_closes_nothing(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 2);
    world_hold(&world, 0, NULL, NULL, true);
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 0);
    assert_given(&fit, "vir01", 1, 1, 1);
    world_close(&world);
}

/* D33, D35 */
static void observed_slices_make_a_chip_unstable(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 1);
    world_hold(&world, 0, "vir01", NULL, true);
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 2);
    assert_string_equal(fit.reason, "unstable");
    world_close(&world);
    world_open(&world, 8, 1);
    world_hold(&world, 0, "vir01", NULL, false);
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 0);
    world_close(&world);
}

static void vgroups_bound_the_cores(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 10, 1);
    world_hold(&world, 0, "vir01", "Ascend310P-1c-100-0_0", true);
    world_hold(&world, 0, "vir01", "Ascend310P-1c-101-0_1", true);
    world_hold(&world, 0, "vir01", "Ascend310P-1c-102-0_1", true);
    assert_int_equal(ask(&world, "4", NULL, NULL, &fit), 0);
    world_hold(&world, 0, "vir01", "Ascend310P-1c-103-0_2", true);
    assert_int_equal(ask(&world, "4", NULL, NULL, &fit), 2);
    assert_string_equal(fit.reason, "too_many_vgroups");
    assert_int_equal(ask(&world, "2", NULL, NULL, &fit), 0);
    world_hold(&world, 0, "vir01", "Ascend310P-1c-104-0_3", true);
    assert_int_equal(ask(&world, "2", NULL, NULL, &fit), 2);
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 0);
    world_close(&world);
}

static void dvpp_excludes(void **state)
{
    (void)state;
    static const struct {
        const char *held, *cores, *dvpp, *reason;
    } rows[] = {
        {"vir04_4c_dvpp", "4", NULL, "dvpp_in_use"},  {"vir04_4c_dvpp", "1", NULL, "dvpp_in_use"},
        {"vir04_4c_dvpp", "1", "yes", "dvpp_in_use"}, /* one core counts as null whatever the label */
        {"vir04_4c_dvpp", "4", "no", NULL},           {"vir04_3c", "4", NULL, NULL},
        {"vir04_3c", "4", "yes", "dvpp_in_use"},      {"vir04_3c", "4", "no", NULL},
        {"vir04_3c_ndvpp", "4", NULL, NULL},          {"vir04_3c_ndvpp", "4", "yes", NULL},
        {"vir04_3c_ndvpp", "4", "no", NULL},          {"vir01", "4", "yes", "dvpp_in_use"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct world world;
        struct dvl_fit fit;
        world_open(&world, 8, 1);
        world_hold(&world, 0, rows[i].held, "Ascend310P-x-100-0_0", true);
        assert_int_equal(ask(&world, rows[i].cores, NULL, rows[i].dvpp, &fit), rows[i].reason ? 2 : 0);
        if (rows[i].reason)
            assert_string_equal(fit.reason, rows[i].reason);
        world_close(&world);
    }
}

/* D11, OBS-07 */
static void three_outcomes_are_told_apart(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 2);
    world_hold(&world, 0, NULL, "Ascend310P-0", true);
    assert_int_equal(ask(&world, "16", NULL, NULL, &fit), 2);
    assert_int_equal(ask(&world, "24", NULL, NULL, &fit), 3);
    world.chips[1]->healthy = false;
    world.chips[1]->reason = "recovering";
    assert_int_equal(ask(&world, "16", NULL, NULL, &fit), 3); /* not even alone */
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 2);
    assert_int_equal(fit.device_verdict_count, 2);
    assert_string_equal(fit.devices[0].reason, "short_of_cores");
    assert_string_equal(fit.devices[1].reason, "unhealthy");
    assert_string_equal(fit.devices[1].message, "recovering");
    world_close(&world);
}

static void closed_node_says_its_reason(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 1);
    world.node.schedulable = false;
    world.node.reason = "pre_separate";
    world.node.message = "closed";
    assert_int_equal(ask(&world, "1", NULL, NULL, &fit), 3);
    assert_string_equal(fit.reason, "pre_separate");
    assert_int_equal(ask(&world, "3", NULL, NULL, &fit), 1); /* code 1 comes first */
    world.node.device_count = 0;
    assert_int_equal(ask(&world, "8", NULL, NULL, &fit), 3);
    world.node.schedulable = true;
    assert_int_equal(ask(&world, "8", NULL, NULL, &fit), 3);
    assert_string_equal(fit.reason, "no_chips");
    world_close(&world);
}

/* Requests of the node's pods count, also those that hold no slice, and slices
 * on chips that the node does not have. */
static void node_cores_bound_what_fits(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 2);
    world.node.unheld = 13;
    assert_int_equal(ask(&world, "4", NULL, NULL, &fit), 2);
    assert_string_equal(fit.reason, "short_of_node_cores");
    assert_int_equal(ask(&world, "2", NULL, NULL, &fit), 0);
    world.node.unheld = 0;
    struct dvl_slice lost = {.device_name = "9", .cores = 14, .whole = true};
    world.slices[world.node.slice_count++] = &lost;
    assert_int_equal(ask(&world, "4", NULL, NULL, &fit), 2);
    world_close(&world);
}

static void overbooked_chip_has_nothing_free(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 2);
    for (int i = 0; i < 3; i++)
        world_hold(&world, 0, "vir04_3c", "Ascend310P-4c.3cpu-100-0_0", true);
    assert_int_equal(ask(&world, "2", NULL, NULL, &fit), 0);
    assert_given(&fit, "vir02_1c", 1, 2, 1);
    world_close(&world);
}

static void batch(struct dvl_batch_node *nodes, size_t count)
{
    dvl_vnpu_ops.score_batch(nodes, count);
}

static void fullest_node_gets_eight(void **state)
{
    (void)state;
    struct dvl_batch_node nodes[] = {{.name = "n3", .free = 8}, {.name = "n2", .free = 8}, {.name = "n1", .free = 16}};
    batch(nodes, 3);
    assert_string_equal(nodes[0].name, "n2");
    assert_int_equal(nodes[0].score, 8);
    assert_int_equal(nodes[1].score, 0);
    assert_int_equal(nodes[2].score, 0);
    batch(nodes, 0);
}

static void walk_ends_at_the_first_without_downgrade(void **state)
{
    (void)state;
    struct dvl_batch_node nodes[] = {{.name = "n1", .free = 8, .downgraded = true},
                                     {.name = "n2", .free = 4, .downgraded = true},
                                     {.name = "n3", .free = 9},
                                     {.name = "n4", .free = 10, .downgraded = true}};
    batch(nodes, 4);
    assert_string_equal(nodes[0].name, "n2");
    assert_int_equal(nodes[0].score, 8);
    assert_int_equal(nodes[1].score, 8);
    assert_int_equal(nodes[2].score, 16);
    assert_int_equal(nodes[3].score, 0);
    batch(nodes, 2);
    assert_int_equal(nodes[0].score, 8);
    assert_int_equal(nodes[1].score, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(template_by_cores_and_labels),
        cmocka_unit_test(core_counts_without_a_template_are_refused),
        cmocka_unit_test(whole_chips_are_the_nodes_own),
        cmocka_unit_test(bad_dvpp_is_an_error_for_templates),
        cmocka_unit_test(no_request_without_label_limit_or_amount),
        cmocka_unit_test(first_app_container_with_an_amount_asks),
        cmocka_unit_test(bad_quantities_name_pod_container_and_resource),
        cmocka_unit_test(chip_with_least_room_is_taken),
        cmocka_unit_test(ai_cpus_run_out_before_cores),
        cmocka_unit_test(downgrade_takes_what_it_gives),
        cmocka_unit_test(pending_template_closes_for_others),
        cmocka_unit_test(pending_is_compared_with_the_downgraded_template),
        cmocka_unit_test(pending_whole_chip_closes_nothing),
        cmocka_unit_test(observed_slices_make_a_chip_unstable),
        cmocka_unit_test(vgroups_bound_the_cores),
        cmocka_unit_test(dvpp_excludes),
        cmocka_unit_test(three_outcomes_are_told_apart),
        cmocka_unit_test(closed_node_says_its_reason),
        cmocka_unit_test(node_cores_bound_what_fits),
        cmocka_unit_test(overbooked_chip_has_nothing_free),
        cmocka_unit_test(fullest_node_gets_eight),
        cmocka_unit_test(walk_ends_at_the_first_without_downgrade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
