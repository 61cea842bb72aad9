/* vnpu: what a pod's annotation says it was given, and what we write there. */
#include "../support/vnpu_world.h"

struct reading {
    struct world world;
    struct dvl_findings findings;
    struct dvl_assignment got;
};

/* Reads `text` as huawei.com/npu-core of a pod that asks 4 cores at level high;
 * the node has chips 0 to 3. */
static void read_with(struct reading *reading, const char *text, const char *real, size_t chips)
{
    memset(reading, 0, sizeof *reading);
    world_open(&reading->world, 8, 4);
    reading->findings.arena = &reading->world.arena;
    struct dvl_pod pod = *world_pod(&reading->world, "4", "high", NULL);
    struct dvl_pair annotations[2] = {{"huawei.com/AscendReal", real}, {"huawei.com/npu-core", text}};
    pod.annotations = real ? (struct dvl_pairs){annotations, 2} : (struct dvl_pairs){annotations + 1, 1};
    pod.node_name = "n1";
    assert_int_equal(dvl_vnpu_ops.read_assignment(&reading->world.backend, &pod, reading->world.chips, chips,
                                                  &reading->got, &reading->findings, &reading->world.error),
                     DVL_OK);
    assert_false(reading->findings.failed);
    assert_true(reading->got.said);
}

static void read_text(struct reading *reading, const char *text)
{
    read_with(reading, text, NULL, 4);
}

static void done(struct reading *reading)
{
    world_close(&reading->world);
}

static void template_is_accounted_as_given(void **state)
{
    (void)state;
    struct reading reading;
    read_text(&reading, "2-vir04_3c");
    assert_false(reading.got.unreadable);
    assert_true(reading.got.bound);
    assert_int_equal(reading.got.slice_count, 1);
    const struct dvl_slice *slice = reading.got.slices[0];
    assert_ptr_equal(slice->device, reading.world.chips[2]);
    assert_string_equal(slice->device_name, "2");
    assert_string_equal(slice->container, "main");
    assert_int_equal(slice->container_ordinal, 0);
    assert_string_equal(slice->template_asked, "vir04");
    assert_string_equal(slice->template_name, "vir04_3c");
    assert_int_equal(slice->cores, 4);
    assert_int_equal(slice->ai_cores, 4);
    assert_int_equal(slice->ai_cpus, 3);
    assert_true(slice->observed);
    assert_false(slice->whole);
    assert_int_equal(reading.findings.count, 0);
    done(&reading);
}

static void whole_chips_take_all(void **state)
{
    (void)state;
    struct reading reading;
    read_with(&reading, "0,1", "Ascend310P-0,Ascend310P-1", 4);
    assert_int_equal(reading.got.slice_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct dvl_slice *slice = reading.got.slices[i];
        assert_ptr_equal(slice->device, reading.world.chips[i]);
        assert_true(slice->whole);
        assert_int_equal(slice->cores, 8);
        assert_int_equal(slice->ai_cpus, 7);
        assert_int_equal(slice->ordinal, i);
        assert_null(slice->template_name);
    }
    assert_int_equal(reading.findings.count, 0);
    done(&reading);
}

static void as_a_whole_or_not_at_all(void **state)
{
    (void)state;
    static const struct {
        const char *text, *kind;
        int position;
    } rows[] = {
        {"", "unreadable_assignment", 0},
        {"a,b", "unreadable_assignment", 0},
        {"0, 1", "unreadable_assignment", 2},
        {"0,", "unreadable_assignment", 2},
        {"0,-1", "unreadable_assignment", 2},
        {"-1", "unreadable_assignment", 0},
        {"2-vir04_3c,3-vir04_3c", "unreadable_assignment", 0},
        {"0,2-vir04", "unreadable_assignment", 2},
        {"-vir04", "unreadable_assignment", 0},
        {"x-vir04", "unreadable_assignment", 0},
        {"99999999999", "unreadable_assignment", 0},
        {"2-vir04-3c", "unknown_template", 2},
        {"2-vir99", "unknown_template", 2},
        {"2-", "unknown_template", 2},
        {"2-vir08", "unknown_template", 2},
        {"2-vir04 ", "unknown_template", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct reading reading;
        read_text(&reading, rows[i].text);
        assert_true(reading.got.unreadable);
        assert_int_equal(reading.got.slice_count, 0);
        assert_int_equal(reading.findings.count, 1);
        assert_string_equal(reading.findings.first->kind, rows[i].kind);
        assert_string_equal(reading.findings.first->key, "huawei.com/npu-core");
        assert_int_equal(reading.findings.first->position, rows[i].position);
        done(&reading);
    }
}

/* D28 */
static void chip_that_the_node_lacks_is_unknown(void **state)
{
    (void)state;
    struct reading reading;
    read_text(&reading, "7");
    assert_int_equal(reading.got.slice_count, 1);
    assert_null(reading.got.slices[0]->device);
    assert_string_equal(reading.got.slices[0]->device_name, "7");
    assert_int_equal(reading.got.slices[0]->cores, 8); /* as its neighbours */
    assert_int_equal(reading.findings.count, 1);
    assert_string_equal(reading.findings.first->kind, "unknown_device");
    done(&reading);
    read_with(&reading, "7,8", NULL, 0); /* and on a node that is not known */
    assert_int_equal(reading.got.slice_count, 2);
    assert_int_equal(reading.got.slices[1]->cores, 2);
    done(&reading);
    read_with(&reading, "7-vir02", NULL, 0);
    assert_int_equal(reading.got.slices[0]->cores, 2);
    done(&reading);
}

static void odd_spellings_are_taken_and_noted(void **state)
{
    (void)state;
    struct reading reading;
    read_text(&reading, "+1,1,002");
    assert_int_equal(reading.got.slice_count, 2);
    assert_string_equal(reading.got.slices[0]->device_name, "1");
    assert_string_equal(reading.got.slices[1]->device_name, "2");
    assert_int_equal(reading.findings.count, 3);
    assert_string_equal(reading.findings.first->kind, "odd_number");
    assert_string_equal(reading.findings.first->next->kind, "duplicate_index");
    done(&reading);
}

static void other_real_chip_is_found(void **state)
{
    (void)state;
    struct reading reading;
    read_with(&reading, "2-vir04_3c", "Ascend310P-4c.3cpu-100-2_1", 4);
    assert_int_equal(reading.findings.count, 0);
    done(&reading);
    read_with(&reading, "2-vir04_3c", "Ascend310P-4c.3cpu-100-3_1,junk", 4);
    assert_int_equal(reading.got.slice_count, 1); /* both are kept */
    assert_int_equal(reading.findings.count, 2);
    assert_string_equal(reading.findings.first->kind, "real_chip_differs");
    assert_string_equal(reading.findings.last->kind, "unreadable_record");
    assert_int_equal(reading.findings.last->position, 27);
    done(&reading);
}

static void templates_of_other_chips_are_accounted(void **state)
{
    (void)state;
    static const struct {
        const char *type, *text;
        int64_t cores, cpus;
    } rows[] = {{"Ascend910", "0-vir02", 2, 1},  {"Ascend910", "0-vir16", 16, 7}, {"910B1", "0-vir12", 12, 3},
                {"910B2C", "0-vir03", 3, 1},     {"910B3", "0-vir10", 10, 3},     {"910B4", "0-vir10_3c_nm", 10, 3},
                {"910B4", "0-vir10_4c_m", 10, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct reading reading;
        memset(&reading, 0, sizeof reading);
        world_open(&reading.world, 30, 1);
        reading.findings.arena = &reading.world.arena;
        reading.world.chips[0]->type = rows[i].type;
        struct dvl_pair annotation = {"huawei.com/npu-core", rows[i].text};
        struct dvl_pod pod = {.namespace_ = "ns", .name = "p", .annotations = {&annotation, 1}};
        assert_int_equal(dvl_vnpu_ops.read_assignment(&reading.world.backend, &pod, reading.world.chips, 1,
                                                      &reading.got, &reading.findings, &reading.world.error),
                         DVL_OK);
        assert_int_equal(reading.got.slice_count, 1);
        assert_int_equal(reading.got.slices[0]->cores, rows[i].cores);
        assert_int_equal(reading.got.slices[0]->ai_cpus, rows[i].cpus);
        assert_string_equal(reading.got.slices[0]->container, "");
        assert_int_equal(reading.got.slices[0]->container_ordinal, -1);
        assert_false(reading.got.bound);
        done(&reading);
    }
}

static void annotation_says_nothing_when_absent(void **state)
{
    (void)state;
    struct world world;
    struct dvl_assignment got;
    world_open(&world, 8, 1);
    struct dvl_findings findings = {.arena = &world.arena};
    assert_int_equal(dvl_vnpu_ops.read_assignment(&world.backend, world_pod(&world, "4", NULL, NULL), world.chips, 1,
                                                  &got, &findings, &world.error),
                     DVL_OK);
    assert_false(got.said);
    world_close(&world);
}

/* ---- Annotations out ---- */

static struct dvl_pairs write_out(struct world *world, enum dvl_annotation_moment moment, struct dvl_fit *fit)
{
    struct dvl_annotation_query query = {.backend = &world->backend,
                                         .moment = moment,
                                         .node_name = "n1",
                                         .slices = fit->slices,
                                         .slice_count = fit->slice_count,
                                         .allocated_at = 1787191640118250,
                                         .arena = &world->arena};
    struct dvl_pairs pairs;
    assert_int_equal(dvl_vnpu_ops.annotations(&query, &pairs, &world->error), DVL_OK);
    return pairs;
}

static void allocation_is_written_as_the_plugin_reads_it(void **state)
{
    (void)state;
    struct world world;
    struct dvl_fit fit;
    world_open(&world, 8, 4);
    assert_int_equal(world_ask(&world, world_pod(&world, "4", NULL, NULL), &fit), 0);
    struct dvl_pairs pairs = write_out(&world, DVL_MOMENT_ALLOCATE, &fit);
    assert_int_equal(pairs.count, 2);
    assert_string_equal(pairs.items[0].key, "huawei.com/npu-core");
    assert_string_equal(pairs.items[0].value, "0-vir04_3c");
    assert_string_equal(pairs.items[1].key, "predicate-time");
    assert_string_equal(pairs.items[1].value, "1787191640118250000");
    assert_int_equal(world_ask(&world, world_pod(&world, "24", NULL, NULL), &fit), 0);
    pairs = write_out(&world, DVL_MOMENT_ALLOCATE, &fit);
    assert_string_equal(pairs.items[0].value, "0,1,2");
    assert_int_equal(write_out(&world, DVL_MOMENT_BIND, &fit).count, 0);
    pairs = write_out(&world, DVL_MOMENT_RELEASE, &fit);
    assert_int_equal(pairs.count, 2);
    assert_null(pairs.items[0].value);
    assert_null(pairs.items[1].value);
    world_close(&world);
}

static void what_was_created_is_read_also_when_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *json, *real;
    } rows[] = {
        {"{\"a\":\"b\",\"huawei.com/AscendReal\":\"Ascend310P-0\"}", "Ascend310P-0"},
        {"{\"huawei.com/AscendReal\":\"\"}", NULL},
        {"{\"x\":\"\\\"huawei.com/AscendReal\\\":\\\"no\\\"\"}", NULL},
        {"{\"x\\\"huawei.com/AscendReal\":\"no\"}", NULL},
        {"{\"huawei.com/AscendRea\":\"no\"}", NULL},
        {"{\"huawei.com/AscendReal\":\"a\\\"b\",\"z\":\"\"}", "a\"b"},
        {"{}", NULL},
        {NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct world world;
        const char *real = "unset";
        world_open(&world, 8, 1);
        struct dvl_holder holder = {.annotations_json = rows[i].json};
        assert_int_equal(dvl_vnpu_real(&holder, &world.arena, &real, &world.error), DVL_OK);
        if (rows[i].real)
            assert_string_equal(real, rows[i].real);
        else
            assert_null(real);
        world_close(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(template_is_accounted_as_given),
        cmocka_unit_test(whole_chips_take_all),
        cmocka_unit_test(as_a_whole_or_not_at_all),
        cmocka_unit_test(chip_that_the_node_lacks_is_unknown),
        cmocka_unit_test(odd_spellings_are_taken_and_noted),
        cmocka_unit_test(other_real_chip_is_found),
        cmocka_unit_test(templates_of_other_chips_are_accounted),
        cmocka_unit_test(annotation_says_nothing_when_absent),
        cmocka_unit_test(allocation_is_written_as_the_plugin_reads_it),
        cmocka_unit_test(what_was_created_is_read_also_when_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
