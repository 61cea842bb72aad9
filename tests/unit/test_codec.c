/* Device strings: what reads, what does not, and that writing reads back. */
#include "backend/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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

static struct dvl_device_list read_list(const char *text)
{
    struct dvl_device_list list;
    assert_int_equal(dvl_device_list_read(&arena, text, &list, &why), DVL_OK);
    return list;
}

static void one_record(void **state)
{
    (void)state;
    struct dvl_device_list list = read_list("GPU-1,NVIDIA,3000,10:");
    assert_int_equal(list.part_count, 1);
    assert_int_equal(list.record_count, 1);
    assert_false(list.unreadable);
    const struct dvl_list_record *record = &list.records[0];
    assert_true(dvl_span_is(record->id, "GPU-1"));
    assert_true(dvl_span_is(record->type, "NVIDIA"));
    assert_int_equal(record->memory, 3000);
    assert_int_equal(record->cores, 10);
    assert_true(record->closed);
    assert_false(record->has_instance);
    assert_false(record->extra);
}

static void containers_are_cut_first(void **state)
{
    (void)state;
    struct dvl_device_list list = read_list("A,X,1,0:B,X,2,0:;C,X,3,0:;");
    assert_int_equal(list.part_count, 2);
    assert_int_equal(list.record_count, 3);
    assert_int_equal(list.records[1].part, 0);
    assert_int_equal(list.records[2].part, 1);
    assert_true(dvl_span_is(list.records[2].id, "C"));
    assert_int_equal(list.records[2].position, 17);
}

static void empty_texts_have_no_parts(void **state)
{
    (void)state;
    struct dvl_device_list list = read_list("");
    assert_int_equal(list.part_count, 0);
    assert_int_equal(list.record_count, 0);
    list = read_list(";");
    assert_int_equal(list.part_count, 1);
    assert_int_equal(list.record_count, 0);
    list = read_list(";A,X,1,0:;");
    assert_int_equal(list.part_count, 2);
    assert_int_equal(list.records[0].part, 1);
}

static void odd_but_readable(void **state)
{
    (void)state;
    struct dvl_device_list list = read_list("A,X,1,0,hami-core:");
    assert_false(list.unreadable);
    assert_true(list.records[0].extra);
    list = read_list("A,X,1,0");
    assert_false(list.unreadable);
    assert_false(list.records[0].closed);
    list = read_list("A,X,1,0::B,X,1,0:");
    assert_int_equal(list.record_count, 3);
    assert_true(list.records[1].empty);
    assert_false(list.unreadable);
    list = read_list(",,0,0:A,X,1,0:");
    assert_true(list.records[0].empty);
    assert_false(list.unreadable);
}

static void what_does_not_read_says_so_alone(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "garbage",           "A,X,1:",
        "A,X,-5,0:",         "A,X,1,-1:",
        "A,X,4294967296,0:", "A,X,3Gi,0:",
        "A,X,12x,1:",        "A,X,,1:",
        "A,X, 1,1:",         ",X,1,0:",
        "A[g-0,X,1,0:",      "A]g-0[,X,1,0:",
        "A[g,3],NVIDIA,1,0", "A[g-0]b,X,1,0:",
        "[g-0],X,1,0:",      "A,X,1,:",
        "A,X,0x10,1:",       "A,X,9999999999999999999999,1:",
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct dvl_device_list list = read_list(broken[i]);
        assert_int_equal(list.record_count, 1);
        assert_true(list.unreadable);
        assert_non_null(list.records[0].problem);
        char text[256];
        strcpy(text, "B,X,1,0:");
        strcat(text, broken[i]);
        list = read_list(text);
        assert_int_equal(list.record_count, 2);
        assert_null(list.records[0].problem);
        assert_int_equal(list.records[1].position, 8);
    }
}

static void instances(void **state)
{
    (void)state;
    struct dvl_device_list list = read_list("GPU-1[all-1g-0],NVIDIA,4000,0:");
    assert_true(list.records[0].has_instance);
    assert_true(dvl_span_is(list.records[0].id, "GPU-1"));
    assert_true(dvl_span_is(list.records[0].instance, "all-1g-0"));
    list = read_list("GPU-1[],NVIDIA,4000,0:");
    assert_true(list.records[0].has_instance);
    assert_int_equal(list.records[0].instance.length, 0);
}

static struct dvl_container containers[] = {
    {.name = "i0", .init = true}, {.name = "c0"}, {.name = "c1"}, {.name = "c2"}};
static const struct dvl_pod pod = {.containers = containers, .container_count = 4};

static const char *part_name(const bool *asks, size_t count, size_t part)
{
    const struct dvl_container *container = dvl_device_list_container(&pod, asks, count, part);
    return container ? container->name : "none";
}

static void parts_find_their_containers(void **state)
{
    (void)state;
    static const bool asks[] = {true, true, false, true};
    assert_string_equal(part_name(asks, 3, 0), "i0");
    assert_string_equal(part_name(asks, 3, 2), "c2");
    assert_string_equal(part_name(asks, 2, 0), "c0"); /* Volcano: no init containers */
    assert_string_equal(part_name(asks, 2, 1), "c2");
    assert_string_equal(part_name(asks, 4, 2), "c1"); /* HAMi: every container */
    assert_string_equal(part_name(asks, 9, 0), "i0");
    assert_string_equal(part_name(asks, 9, 3), "none");
    static const bool none[] = {false, false, false, false};
    assert_string_equal(part_name(none, 3, 0), "c0");
    assert_string_equal(part_name(none, 1, 0), "none");
}

static void written_as_it_is_read(void **state)
{
    (void)state;
    struct dvl_slice a = {.device_name = "A",
                          .memory = 10240,
                          .memory_asked = 8000,
                          .mig_group = "g-1",
                          .mig_position = 3,
                          .container_ordinal = 0};
    struct dvl_slice b = {
        .device_name = "B", .memory = 5, .memory_asked = DVL_UNSET, .cores = 7, .container_ordinal = 0};
    struct dvl_slice c = {.device_name = "A", .memory = 6, .memory_asked = DVL_UNSET, .container_ordinal = 2};
    struct dvl_slice *slices[] = {&a, &b, &c};
    assert_string_equal(dvl_device_list_write(&arena, slices, 3, "NVIDIA", false),
                        "A[g-1-3],NVIDIA,8000,0:B,NVIDIA,5,7:;A,NVIDIA,6,0:");
    char *text = dvl_device_list_write(&arena, slices + 1, 2, "Ascend310P", true);
    assert_string_equal(text, "B,Ascend310P,5,7:;A,Ascend310P,6,0:;");
    struct dvl_device_list list = read_list(text);
    assert_int_equal(list.part_count, 2);
    assert_int_equal(list.record_count, 2);
    assert_false(list.unreadable);
    assert_string_equal(dvl_device_list_write(&arena, slices, 0, "NVIDIA", true), "");
}

static void no_memory_is_a_status(void **state)
{
    (void)state;
    struct dvl_arena small;
    dvl_arena_init(&small, 64);
    struct dvl_device_list list;
    assert_int_equal(dvl_device_list_read(&small, "A,X,1,0:B,X,1,0:", &list, &why), DVL_NO_MEMORY);
    dvl_arena_clear(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_record),
        cmocka_unit_test(containers_are_cut_first),
        cmocka_unit_test(empty_texts_have_no_parts),
        cmocka_unit_test(odd_but_readable),
        cmocka_unit_test(what_does_not_read_says_so_alone),
        cmocka_unit_test(instances),
        cmocka_unit_test(parts_find_their_containers),
        cmocka_unit_test(written_as_it_is_read),
        cmocka_unit_test(no_memory_is_a_status),
    };
    return cmocka_run_group_tests_name("codec", tests, setup, teardown);
}
