/* YAML out: block style, and nothing that reads back as something else. */
#include "render/yaml.h"

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
    dvl_yaml_write(&out, value);
    assert_false(out.failed);
    assert_string_equal(out.text, wanted);
}

static void writes_text(const char *text, const char *wanted)
{
    struct dvl_value *map = dvl_value_map(&arena);
    dvl_value_set(map, "k", dvl_value_string(&arena, text));
    writes(map, wanted);
}

static void test_maps_and_lists_nest_like_kubectls(void **state)
{
    (void)state;
    struct dvl_value *map = dvl_value_map(&arena);
    dvl_value_set(map, "kind", dvl_value_string(&arena, "List"));
    struct dvl_value *items = dvl_value_set(map, "items", dvl_value_list(&arena));
    struct dvl_value *item = dvl_value_add(items, dvl_value_map(&arena));
    dvl_value_set(item, "node", dvl_value_string(&arena, "n1"));
    struct dvl_value *labels = dvl_value_set(item, "labels", dvl_value_map(&arena));
    dvl_value_set(labels, "a.b/c", dvl_value_string(&arena, "1"));
    struct dvl_value *inner = dvl_value_add(items, dvl_value_list(&arena));
    dvl_value_add(inner, dvl_value_int(&arena, 1));
    dvl_value_add(inner, dvl_value_null(&arena));
    dvl_value_set(map, "none", dvl_value_list(&arena));
    dvl_value_set(map, "empty", dvl_value_map(&arena));
    writes(map, "kind: List\n"
                "items:\n"
                "- node: n1\n"
                "  labels:\n"
                "    a.b/c: \"1\"\n"
                "- - 1\n"
                "  - null\n"
                "none: []\n"
                "empty: {}\n");
}

static void test_words_stay_plain(void **state)
{
    (void)state;
    writes_text("GPU-0a1b", "k: GPU-0a1b\n");
    writes_text("free 3, asked 4 (all)", "k: free 3, asked 4 (all)\n");
    writes_text("volcano.sh/gpu:0", "k: volcano.sh/gpu:0\n");
}

static void test_what_looks_like_something_else_is_quoted(void **state)
{
    (void)state;
    static const char *const texts[] = {"",     "1",     "-1",   "1e3",  "0x1f", ".5",  "true",  "No",         "OFF",
                                        "null", "~",     "y",    "- a",  "a: b", "a #", "a #b",  "2026-11-30", "12:30",
                                        "a:",   "a,",    " a",   "a ",   "[a]",  "{a}", "*a",    "&a",         "!a",
                                        "%a",   "@a",    "`a`",  "'a'",  "? a",  "|",   "> a",   "=",          "<<",
                                        ".inf", "1_000", "0o17", "Null", "#",    "---", "1.5Gi", "+1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char wanted[64] = "k: \"";
        strcat(strcat(wanted, texts[i]), "\"\n");
        writes_text(texts[i], wanted);
    }
}

/* YAML 1.1 takes 1e+300 for a text: its numbers with an exponent have a point. */
static void test_numbers_are_numbers_to_every_version(void **state)
{
    (void)state;
    writes(dvl_value_real(&arena, 1e300), "1.0e+300\n");
    writes(dvl_value_real(&arena, -1.5e300), "-1.5e+300\n");
    writes(dvl_value_real(&arena, 0.25), "0.25\n");
    writes(dvl_value_int(&arena, -7), "-7\n");
}

static void test_what_does_not_print_is_escaped(void **state)
{
    (void)state;
    writes_text("a\"\\\x01\x7f", "k: \"a\\\"\\\\\\x01\\x7f\"\n");
    writes_text("a\r\n", "k: \"a\\r\\n\"\n");
    writes_text("\xc2\x85\xe2\x80\xa8\xef\xbb\xbf", "k: \"\\x85\\u2028\\ufeff\"\n");
    writes_text("\xf0\x9f\x98\x80 \xff", "k: \"\xf0\x9f\x98\x80 \xef\xbf\xbd\"\n");
}

static void test_lines_stand_as_blocks(void **state)
{
    (void)state;
    writes_text("a\nb\n", "k: |\n  a\n  b\n");
    writes_text("a\n\n  b", "k: |-\n  a\n\n    b\n");
    writes_text("a\n\n", "k: |+\n  a\n\n");
    writes_text("\na", "k: \"\\na\"\n");
    writes_text(" a\nb", "k: \" a\\nb\"\n");
}

static void test_long_keys_take_the_form_that_readers_accept(void **state)
{
    (void)state;
    char key[200];
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    struct dvl_value *map = dvl_value_map(&arena);
    struct dvl_value *list = dvl_value_set(map, key, dvl_value_list(&arena));
    dvl_value_add(list, dvl_value_int(&arena, 1));
    char wanted[300];
    snprintf(wanted, sizeof wanted, "? %s\n:\n  - 1\n", key);
    writes(map, wanted);
}

static void test_items_come_one_by_one(void **state)
{
    (void)state;
    struct dvl_value *map = dvl_value_map(&arena);
    dvl_value_set(map, "a", dvl_value_int(&arena, 1));
    dvl_value_set(map, "b", dvl_value_int(&arena, 2));
    dvl_yaml_write_item(&out, map);
    dvl_yaml_write_item(&out, NULL);
    assert_string_equal(out.text, "- a: 1\n  b: 2\n- null\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_maps_and_lists_nest_like_kubectls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_words_stay_plain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_looks_like_something_else_is_quoted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_are_numbers_to_every_version, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_does_not_print_is_escaped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines_stand_as_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_keys_take_the_form_that_readers_accept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_items_come_one_by_one, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
