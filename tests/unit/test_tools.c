/* error, arena, text, value: the small tools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "error.h"
#include "value.h"

#include <math.h>
#include <string.h>

/* ---- error ---- */

static void a_long_message_is_cut_at_a_whole_character(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'a', sizeof text);
    /* "é" (two bytes) astride the last byte that is kept. */
    memcpy(text + DVL_ERROR_SIZE - 2, "\xC3\xA9", 2);
    text[sizeof text - 1] = '\0';
    struct dvl_error error;
    assert_int_equal(dvl_error_set(&error, DVL_CONFLICT, "%s", text), DVL_CONFLICT);
    assert_int_equal(strlen(error.message), DVL_ERROR_SIZE - 2);
    assert_true(dvl_text_utf8_valid(error.message, strlen(error.message)));
}

static void a_prefix_goes_before_what_is_there(void **state)
{
    (void)state;
    struct dvl_error error;
    dvl_error_set(&error, DVL_BAD_INPUT, "no %s", "good");
    assert_int_equal(dvl_error_prefix(&error, "%s:%d", "a.yaml", 3), DVL_BAD_INPUT);
    assert_string_equal(error.message, "a.yaml:3: no good");
    dvl_error_set(&error, DVL_BAD_INPUT, "again: %s", error.message);
    assert_string_equal(error.message, "again: a.yaml:3: no good");
    assert_int_equal(dvl_error_set(NULL, DVL_BUSY, "nobody listens"), DVL_BUSY);
}

/* ---- arena ---- */

static void an_arena_gives_zeroed_aligned_memory_up_to_its_limit(void **state)
{
    (void)state;
    struct dvl_arena arena;
    dvl_arena_init(&arena, 1000);
    unsigned char *piece = dvl_arena_take(&arena, 100);
    assert_non_null(piece);
    assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(piece[i], 0);
    assert_null(dvl_arena_take(&arena, 1000));
    assert_non_null(dvl_arena_take(&arena, 0));
    assert_null(dvl_arena_array(&arena, SIZE_MAX / 2, 3));
    assert_null(dvl_arena_take(&arena, SIZE_MAX));
    dvl_arena_clear(&arena);
    assert_non_null(dvl_arena_take(&arena, 900));
    dvl_arena_clear(&arena);
}

static void a_reset_arena_hands_out_zeroed_memory_again(void **state)
{
    (void)state;
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    for (int i = 0; i < 10; i++) {
        char *text = dvl_arena_bytes(&arena, "abc", 3);
        assert_string_equal(text, "abc");
        assert_non_null(dvl_arena_take(&arena, 100000));
        dvl_arena_reset(&arena);
        char *fresh = dvl_arena_take(&arena, 64);
        for (size_t b = 0; b < 64; b++)
            assert_int_equal(fresh[b], 0);
        dvl_arena_reset(&arena);
    }
    assert_null(dvl_arena_text(&arena, NULL));
    assert_string_equal(dvl_arena_format(&arena, "%d-%s", 7, "x"), "7-x");
    dvl_arena_clear(&arena);
}

/* ---- text ---- */

static void whole_numbers_are_strict(void **state)
{
    (void)state;
    const struct {
        const char *text;
        bool reads;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {"007", true, 7},
        {"+5", true, 5},
        {"-5", true, -5},
        {"", false, 0},
        {"+", false, 0},
        {"-", false, 0},
        {"-+1", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
        {"12x", false, 0},
        {"0x10", false, 0},
        {"1.0", false, 0},
        {"1e3", false, 0},
        {"9223372036854775807", true, INT64_MAX},
        {"9223372036854775808", false, 0},
        {"-9223372036854775808", true, INT64_MIN},
        {"-9223372036854775809", false, 0},
        {"99999999999999999999999", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t number = 42;
        assert_int_equal(dvl_text_int64(dvl_span_of(cases[i].text), &number), cases[i].reads);
        assert_true(number == (cases[i].reads ? cases[i].value : 42));
    }
    uint64_t number;
    assert_true(dvl_text_uint64(dvl_span_of("18446744073709551615"), &number));
    assert_true(number == UINT64_MAX);
    assert_false(dvl_text_uint64(dvl_span_of("18446744073709551616"), &number));
    assert_false(dvl_text_uint64(dvl_span_of("-1"), &number));
}

static void bools_are_the_twelve_words(void **state)
{
    (void)state;
    const char *const yes[] = {"1", "t", "T", "true", "TRUE", "True"}, *const no[] = {"0",     "f",     "F",
                                                                                      "false", "FALSE", "False"};
    const char *const neither[] = {"", "yes", "on", "tRue", " true", "01", "null"};
    bool truth;
    for (size_t i = 0; i < 6; i++) {
        assert_true(dvl_text_bool(dvl_span_of(yes[i]), &truth) && truth);
        assert_true(dvl_text_bool(dvl_span_of(no[i]), &truth) && !truth);
    }
    for (size_t i = 0; i < sizeof neither / sizeof neither[0]; i++)
        assert_false(dvl_text_bool(dvl_span_of(neither[i]), &truth));
}

static void a_list_is_cut_at_its_separators(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t parts;
    } cases[] = {{"", 1}, {"a", 1}, {"a,b", 2}, {"a,", 2}, {",", 2}, {",,x", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dvl_span rest = dvl_span_of(cases[i].text), part;
        bool more = true;
        size_t count = 0;
        while (dvl_span_cut(&rest, &more, ',', &part))
            count++;
        assert_int_equal(count, cases[i].parts);
    }
    assert_true(dvl_span_is(dvl_span_trim(dvl_span_of(" \t a b\n")), "a b"));
    assert_true(dvl_span_contains_fold(dvl_span_of("NVIDIA-Tesla V100"), dvl_span_of("tesla v")));
    assert_false(dvl_span_contains_fold(dvl_span_of("A10"), dvl_span_of("A100")));
}

static void only_whole_utf8_is_valid(void **state)
{
    (void)state;
    const char *const good[] = {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"};
    const char *const bad[] = {"\x80",         "\xC3",         "\xC0\x80",         "\xC1\xBF",
                               "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF0\x80\x80\x80",
                               "\xFF",         "a\xE2\x82"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(dvl_text_utf8_valid(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(dvl_text_utf8_valid(bad[i], strlen(bad[i])));
}

static void a_buffer_grows_and_stays_terminated(void **state)
{
    (void)state;
    struct dvl_buffer buffer;
    dvl_buffer_init(&buffer);
    assert_string_equal(buffer.text, "");
    for (int i = 0; i < 1000; i++)
        dvl_buffer_format(&buffer, "%d,", i % 10);
    assert_int_equal(buffer.length, 2000);
    assert_int_equal(strlen(buffer.text), 2000);
    dvl_buffer_reset(&buffer);
    dvl_buffer_char(&buffer, 'x');
    assert_string_equal(buffer.text, "x");
    dvl_buffer_clear(&buffer);
}

/* ---- value ---- */

static void numbers_keep_their_text(void **state)
{
    (void)state;
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    int64_t number;
    assert_true(dvl_value_int64(dvl_value_number(&arena, "9223372036854775807"), &number));
    assert_true(number == INT64_MAX);
    assert_false(dvl_value_int64(dvl_value_number(&arena, "1.5"), &number));
    assert_false(dvl_value_int64(dvl_value_string(&arena, "15"), &number));
    const struct {
        double number;
        const char *text;
    } reals[] = {{0, "0"},         {10, "10"},
                 {100, "100"},     {12.5, "12.5"},
                 {-0.25, "-0.25"}, {1e15, "1000000000000000"},
                 {1e16, "1e+16"},  {0.001, "0.001"},
                 {1e-9, "1e-09"},  {63.828125, "63.828125"}};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        assert_string_equal(dvl_value_real(&arena, reals[i].number)->text, reals[i].text);
    assert_string_equal(dvl_value_real(&arena, 0.1)->text, "0.1");
    assert_string_equal(dvl_value_real(&arena, 100.0 / 3)->text, "33.333333333333336");
    assert_int_equal(dvl_value_real(&arena, 0.0 / 1)->kind, DVL_VALUE_NUMBER);
    assert_int_equal(dvl_value_real(&arena, (double)INFINITY)->kind, DVL_VALUE_NULL);
    assert_int_equal(dvl_value_string(&arena, NULL)->kind, DVL_VALUE_NULL);
    dvl_arena_clear(&arena);
}

static void members_are_found_by_their_exact_name(void **state)
{
    (void)state;
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_value *map = dvl_value_map(&arena), *list = dvl_value_list(&arena);
    dvl_value_set(map, "name", dvl_value_string(&arena, "n1"));
    dvl_value_set(map, "Name", dvl_value_string(&arena, "n2"));
    dvl_value_set(map, "list", list);
    dvl_value_add(list, dvl_value_bool(&arena, true));
    assert_string_equal(dvl_value_find_text(map, "Name"), "n2");
    assert_null(dvl_value_find(map, "NAME"));
    assert_null(dvl_value_find(list, "name"));
    assert_null(dvl_value_find(NULL, "name"));
    assert_null(dvl_value_set(map, "x", NULL));
    assert_int_equal(map->count, 3);
    struct dvl_value *copy = dvl_value_copy(&arena, map);
    assert_int_equal(copy->count, 3);
    assert_string_equal(dvl_value_find_text(copy, "name"), "n1");
    assert_true(dvl_value_find(copy, "list")->first->truth);
    dvl_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_message_is_cut_at_a_whole_character),
        cmocka_unit_test(a_prefix_goes_before_what_is_there),
        cmocka_unit_test(an_arena_gives_zeroed_aligned_memory_up_to_its_limit),
        cmocka_unit_test(a_reset_arena_hands_out_zeroed_memory_again),
        cmocka_unit_test(whole_numbers_are_strict),
        cmocka_unit_test(bools_are_the_twelve_words),
        cmocka_unit_test(a_list_is_cut_at_its_separators),
        cmocka_unit_test(only_whole_utf8_is_valid),
        cmocka_unit_test(a_buffer_grows_and_stays_terminated),
        cmocka_unit_test(numbers_keep_their_text),
        cmocka_unit_test(members_are_found_by_their_exact_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
