/* JSON out: what is written is JSON whatever the value holds. */
#include "render/json.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct dvl_arena arena;
static struct dvl_buffer out;

static int set_up(void **state)
{
    (void)state;
    dvl_arena_init(&arena, 0);
    dvl_buffer_init(&out);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    dvl_arena_clear(&arena);
    dvl_buffer_clear(&out);
    return 0;
}

static void writes(const struct dvl_value *value, const char *wanted)
{
    dvl_buffer_reset(&out);
    dvl_json_write(&out, value);
    assert_false(out.failed);
    assert_string_equal(out.text, wanted);
}

static void writes_bytes(const char *bytes, size_t length, const char *wanted)
{
    writes(dvl_value_bytes(&arena, bytes, length), wanted);
}

static void test_values_of_every_kind(void **state)
{
    (void)state;
    struct dvl_value *map = dvl_value_map(&arena);
    dvl_value_set(map, "null", dvl_value_null(&arena));
    dvl_value_set(map, "yes", dvl_value_bool(&arena, true));
    dvl_value_set(map, "no", dvl_value_bool(&arena, false));
    dvl_value_set(map, "least", dvl_value_int(&arena, INT64_MIN));
    dvl_value_set(map, "text", dvl_value_string(&arena, "a/b"));
    dvl_value_set(map, "none", dvl_value_list(&arena));
    struct dvl_value *list = dvl_value_set(map, "some", dvl_value_list(&arena));
    dvl_value_add(list, dvl_value_int(&arena, 1));
    dvl_value_add(list, dvl_value_map(&arena));
    writes(map, "{\"null\":null,\"yes\":true,\"no\":false,\"least\":-9223372036854775808,\"text\":\"a/b\","
                "\"none\":[],\"some\":[1,{}]}");
    writes(NULL, "null");
}

static void test_texts_are_escaped(void **state)
{
    (void)state;
    writes_bytes("\"\\\b\f\n\r\t", 7, "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
    writes_bytes("\x01\x1f\x7f", 3, "\"\\u0001\\u001f\\u007f\"");
    writes_bytes("\xc2\x9b\xe2\x80\xae\xef\xbb\xbf\xf0\x9f\xbf\xbe", 12, "\"\\u009b\\u202e\\ufeff\\ud83f\\udffe\"");
    writes_bytes("a\0b", 3, "\"a\\u0000b\"");
    writes_bytes("\xe5\x8d\xa1 \xf0\x9f\x98\x80", 8, "\"\xe5\x8d\xa1 \xf0\x9f\x98\x80\"");
}

#define REPLACED "\xef\xbf\xbd"

static void test_broken_utf8_is_replaced(void **state)
{
    (void)state;
    writes_bytes("a\xff"
                 "b",
                 3, "\"a" REPLACED "b\"");
    writes_bytes("\xc0\xaf", 2, "\"" REPLACED REPLACED "\"");              /* overlong */
    writes_bytes("\xed\xa0\x80", 3, "\"" REPLACED REPLACED REPLACED "\""); /* a surrogate */
    writes_bytes("\xe5\x8d", 2, "\"" REPLACED REPLACED "\"");              /* cut off */
    writes_bytes("\xf4\x90\x80\x80", 4, "\"" REPLACED REPLACED REPLACED REPLACED "\"");
    writes_bytes("\xe0\x80\x80", 3, "\"" REPLACED REPLACED REPLACED "\"");
}

static void test_numbers_that_json_does_not_have_become_texts(void **state)
{
    (void)state;
    static const char *const good[] = {"0", "-0", "10", "1.5", "-1.25e+10", "1E5", "18446744073709551616"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        writes(dvl_value_number(&arena, good[i]), good[i]);
    static const char *const bad[] = {"", "-", "01", ".5", "5.", "1e", "1e+", "+1", ".inf", "0x10", "1_000", "1 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char wanted[32] = "\"";
        strcat(strcat(wanted, bad[i]), "\"");
        writes(dvl_value_number(&arena, bad[i]), wanted);
    }
}

static void test_pretty_form(void **state)
{
    (void)state;
    struct dvl_value *map = dvl_value_map(&arena);
    struct dvl_value *list = dvl_value_set(map, "items", dvl_value_list(&arena));
    struct dvl_value *item = dvl_value_add(list, dvl_value_map(&arena));
    dvl_value_set(item, "a", dvl_value_int(&arena, 1));
    dvl_value_set(map, "none", dvl_value_list(&arena));
    dvl_json_write_pretty(&out, map, 0);
    assert_string_equal(out.text, "{\n  \"items\": [\n    {\n      \"a\": 1\n    }\n  ],\n  \"none\": []\n}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values_of_every_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_texts_are_escaped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_broken_utf8_is_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_that_json_does_not_have_become_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pretty_form, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
