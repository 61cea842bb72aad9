/* YAML: what a text's scalars are, and what is refused, and how soon. */
#include "manifest/manifest.h"
#include "manifest/yaml_scalar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct dvl_arena arena;
static struct dvl_error error;

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

/* From a block of exactly its size, so that a sanitizer sees a step beyond. */
static enum dvl_status read_bytes(const char *text, size_t length, struct dvl_value **out)
{
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    *out = NULL;
    enum dvl_status status = dvl_yaml_read(&arena, copy, length, out, &error);
    free(copy);
    return status;
}

static const struct dvl_value *read_sound(const char *text)
{
    struct dvl_value *value;
    if (read_bytes(text, strlen(text), &value) != DVL_OK)
        fail_msg("%.200s: %s", text, error.message);
    assert_non_null(value);
    return value;
}

static void assert_refused(const char *text, size_t length, const char *words)
{
    struct dvl_value *value;
    dvl_error_clear(&error);
    if (read_bytes(text, length, &value) != DVL_BAD_INPUT)
        fail_msg("%.200s was let through", text);
    if (!strstr(error.message, words))
        fail_msg("%.200s: \"%s\" lacks \"%s\"", text, error.message, words);
}

static void maps_and_lists_read(void **state)
{
    (void)state;
    const struct dvl_value *map =
        read_sound("\xEF\xBB\xBF# comment\n---\na: 1\nb:\n  - x\n  - {c: 'y', \"d\": [1, 2]}\n"
                   "e: |\n  two\n  lines\nf: >-\n  folded\n  text\n...\n");
    assert_int_equal(map->kind, DVL_VALUE_MAP);
    assert_int_equal(map->count, 4);
    assert_int_equal(dvl_value_find(map, "a")->line, 3);
    assert_int_equal(dvl_value_find(map, "b")->count, 2);
    assert_string_equal(dvl_value_find_text(dvl_value_find(map, "b")->last, "c"), "y");
    assert_int_equal(dvl_value_find(dvl_value_find(map, "b")->last, "d")->count, 2);
    assert_int_equal(dvl_value_find(map, "b")->last->line, 6);
    assert_string_equal(dvl_value_find_text(map, "e"), "two\nlines\n");
    assert_string_equal(dvl_value_find_text(map, "f"), "folded text");
}

static void folded_scalars_are_one_line(void **state)
{
    (void)state;
    assert_string_equal(dvl_value_find_text(read_sound("a: 'GPU-1,10,NVIDIA-NVIDIA\n    GeForce RTX,true:'\n"), "a"),
                        "GPU-1,10,NVIDIA-NVIDIA GeForce RTX,true:");
    assert_string_equal(dvl_value_find_text(read_sound("a: \"GPU-1,Tesla\\\n  \\ V100\"\n"), "a"), "GPU-1,Tesla V100");
}

static void plain_scalars_have_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum dvl_value_kind kind;
    } cases[] = {
        {"", DVL_VALUE_NULL},
        {"~", DVL_VALUE_NULL},
        {"null", DVL_VALUE_NULL},
        {"Null", DVL_VALUE_NULL},
        {"NULL", DVL_VALUE_NULL},
        {"nULL", DVL_VALUE_STRING},
        {"yes", DVL_VALUE_BOOL},
        {"Off", DVL_VALUE_BOOL},
        {"y", DVL_VALUE_BOOL},
        {"TRUE", DVL_VALUE_BOOL},
        {"tRUE", DVL_VALUE_STRING},
        {"yess", DVL_VALUE_STRING},
        {"0", DVL_VALUE_NUMBER},
        {"-17", DVL_VALUE_NUMBER},
        {"+5", DVL_VALUE_NUMBER},
        {"1_000", DVL_VALUE_NUMBER},
        {"0x1F", DVL_VALUE_NUMBER},
        {"0o17", DVL_VALUE_NUMBER},
        {"017", DVL_VALUE_NUMBER},
        {"0b101", DVL_VALUE_NUMBER},
        {"08", DVL_VALUE_NUMBER},
        {"1.", DVL_VALUE_NUMBER},
        {".5", DVL_VALUE_NUMBER},
        {"1e3", DVL_VALUE_NUMBER},
        {"1.5E-3", DVL_VALUE_NUMBER},
        {".inf", DVL_VALUE_NUMBER},
        {"-.INF", DVL_VALUE_NUMBER},
        {".nan", DVL_VALUE_NUMBER},
        {"99999999999999999999", DVL_VALUE_NUMBER},
        {"1:30", DVL_VALUE_STRING},
        {"2026-08-20", DVL_VALUE_STRING},
        {"2026-08-20T02:00:00Z", DVL_VALUE_STRING},
        {"0x", DVL_VALUE_STRING},
        {"0b2", DVL_VALUE_STRING},
        {"0xg", DVL_VALUE_STRING},
        {"+", DVL_VALUE_STRING},
        {".", DVL_VALUE_STRING},
        {"1e", DVL_VALUE_STRING},
        {"1e400", DVL_VALUE_STRING},
        {"._5", DVL_VALUE_STRING},
        {"_1", DVL_VALUE_STRING},
        {"3k", DVL_VALUE_STRING},
        {"1.2.3", DVL_VALUE_STRING},
        {"0x1.8p3", DVL_VALUE_STRING},
        {"inf", DVL_VALUE_STRING},
        {"nan", DVL_VALUE_STRING},
        {"a b", DVL_VALUE_STRING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[80];
        snprintf(text, sizeof text, "a: %s\n", cases[i].text);
        const struct dvl_value *value = dvl_value_find(read_sound(text), "a");
        if (value->kind != cases[i].kind)
            fail_msg("%s is of kind %d", cases[i].text, value->kind);
        assert_true(value->plain);
        assert_string_equal(value->text, cases[i].text);
        assert_int_equal(value->length, strlen(cases[i].text));
    }
    assert_true(read_sound("yes")->truth);
    assert_false(read_sound("n")->truth);
}

static void quoted_scalars_are_strings(void **state)
{
    (void)state;
    const struct dvl_value *map = read_sound("a: '1'\nb: \"yes\"\nc: ''\nd: |\n  1\ne: !!str 1\nf: '<<'\n");
    for (const struct dvl_value *value = map->first; value; value = value->next) {
        assert_int_equal(value->kind, DVL_VALUE_STRING);
        assert_false(value->plain);
    }
}

static void names_are_text(void **state)
{
    (void)state;
    const struct dvl_value *map = read_sound("0: a\nyes: b\n~: c\n'<<': d\n? e\n: f\n1.5: g\n");
    static const char *const names[] = {"0", "yes", "~", "<<", "e", "1.5"};
    size_t i = 0;
    for (const struct dvl_value *value = map->first; value; value = value->next)
        assert_string_equal(value->key, names[i++]);
    assert_int_equal(i, 6);
}

static void core_tags_must_fit(void **state)
{
    (void)state;
    assert_int_equal(read_sound("!!int '5'")->kind, DVL_VALUE_NUMBER);
    assert_int_equal(read_sound("!!bool 'no'")->kind, DVL_VALUE_BOOL);
    assert_int_equal(read_sound("!!null ''")->kind, DVL_VALUE_NULL);
    assert_int_equal(read_sound("!!float 1.5")->kind, DVL_VALUE_NUMBER);
    assert_int_equal(read_sound("!!map {}")->kind, DVL_VALUE_MAP);
    assert_int_equal(read_sound("!!seq []")->kind, DVL_VALUE_LIST);
    static const char *const refused[] = {
        "!!int x",   "!!bool 1",  "!!null x", "!!binary aGk=", "!!timestamp 2026-08-20",
        "!!set {}",  "!!omap []", "!own x",   "!own {a: 1}",   "!!str [a]",
        "!!map [a]", "!!seq {}",  "!!int {}", "{!!int 1: a}",  "!<tag:x,1:y> z"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_refused(refused[i], strlen(refused[i]), "line 1: the tag ");
}

static void empty_texts_are_null(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n\n", "# nothing\n", "---\n", "--- # nothing\n...\n", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_int_equal(read_sound(texts[i])->kind, DVL_VALUE_NULL);
}

static void broken_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"a: &x 1\nb: *x\n", "line 1: anchors and aliases are not taken"},
        {"a: *x\n", "anchors and aliases are not taken"},
        {"&x a: 1\n", "anchors and aliases are not taken"},
        {"- &x [1]\n- [*x, *x]\n", "anchors and aliases are not taken"},
        {"&x {}\n", "anchors"},
        {"a: {b: 1}\n<<: {c: 1}\n", "line 2: merge keys (<<) are not taken"},
        {"a: 1\nb: 2\na: 3\n", "line 3: \"a\" occurs twice"},
        {"{a: 1, 'a': 2}", "\"a\" occurs twice"},
        {"a: 1\n---\nb: 2\n", "line 2: a second document"},
        {"a: 1\n---\n", "line 2: a second document"},
        {"a: \"\\0\"\n", "line 1: \\0 is not allowed"},
        {"a: \"x\\u0000y\"\n", "\\0 is not allowed"},
        {"\"a\\x00\": 1\n", "\\0 is not allowed"},
        {"a: \"\\ud800\"\n", "invalid Unicode character"},
        {"a: \"\\xZZ\"\n", "line 1: "},
        {"? {a: 1}\n: b\n", "can't be the name of a member"},
        {"[a, b]: c\n", "can't be the name of a member"},
        {"a: [1, 2\n", "line 2: "},
        {"a: {b: 1\n", "line 2: "},
        {"a: \"text\n", "line 2: "},
        {"a: 1\n b: 2\n", "line 2: "},
        {"a:\n\t- 1\n", "line 2: "},
        {"- a\nb: c\n", "line 2: "},
        {"a: 'x' y\n", "line 1: "},
        {"a: @x\n", "line 1: "},
        {"a: `x`\n", "line 1: "},
        {"%YAML 1.1\n%FOO\n---\na\n", "line 2: "},
        {"a: \xff\n", "line 1: "},
        {"a: \xc0\x80\n", "line 1: "},
        {"a: \xed\xa0\x80\n", "line 1: "},
        {"a: \x1b[0m\n", "line 1: "},
        {"a: b\x7f\n", "line 1: "},
        {"]", "line 1: "},
        {"}", "line 1: "},
        {": : :", "line 1: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].text, strlen(cases[i].text), cases[i].words);
    assert_refused("a: b\0c\n", 7, "control characters");
    assert_refused("\xff\xfe"
                   "a\0:\0",
                   6, "line 1: ");
    assert_refused("a\0:\0 \0b\0", 8, "control characters");
}

/* libyaml takes the square of these texts' lengths when nobody stops it. */
static void hostile_shapes_are_refused_soon(void **state)
{
    (void)state;
    static const struct {
        const char *head, *unit, *words;
    } cases[] = {
        {"", "[", "nested too deep"},
        {"a: ", "{a: ", "nested too deep"},
        {"a: ", "[{a: ", "nested too deep"},
        {"a:\n", " [\n", "nested too deep"},
        {"", "- ", "nested too deep"},
        {"", "? ", "name of a member"},
        {"", "{? ", "name of a member"},
        {"", "[? ", "name of a member"},
        {"", "&a ", "anchors"},
        {"", "!a ", "the tag"},
        {"", "- - ? ", "name of a member"},
        {"", "%TAG !a! b\n", "%TAG"},
        {"", "a: ", "not allowed in this context"},
    };
    enum { TIMES = 100000, UNIT = 16 };
    char *text = malloc((size_t)TIMES * UNIT);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *at = stpcpy(text, cases[i].head);
        for (int n = 0; n < TIMES; n++)
            at = stpcpy(at, cases[i].unit);
        assert_refused(text, (size_t)(at - text), cases[i].words);
    }
    char *at = text;
    for (int n = 0; n < TIMES / 2; n++)
        at += sprintf(at, "%%TAG !a%d! tag:x\n", n);
    assert_refused(text, (size_t)(at - text), "too many %TAG directives");
    free(text);
}

static void depth_has_a_bound(void **state)
{
    (void)state;
    char text[2 * DVL_DEPTH_MAX + 3];
    memset(text, '[', DVL_DEPTH_MAX + 1);
    memset(text + DVL_DEPTH_MAX + 1, ']', DVL_DEPTH_MAX + 1);
    text[sizeof text - 1] = '\0';
    assert_refused(text, 2 * DVL_DEPTH_MAX + 2, "nested too deep (64 levels are allowed)");
    struct dvl_value *value;
    assert_int_equal(read_bytes(text + 1, 2 * DVL_DEPTH_MAX, &value), DVL_OK);
}

static void too_many_values_are_refused(void **state)
{
    (void)state;
    const size_t count = 2100000;
    char *text = malloc(2 * count + 2);
    assert_non_null(text);
    text[0] = '[';
    for (size_t i = 0; i < count; i++)
        memcpy(text + 1 + 2 * i, "1,", 2);
    text[2 * count] = ']';
    struct dvl_value *value;
    dvl_arena_init(&arena, (size_t)64 << 20);
    assert_int_equal(dvl_yaml_read(&arena, text, 2 * count + 1, &value, &error), DVL_NO_MEMORY);
    dvl_arena_clear(&arena);
    assert_int_equal(dvl_json_read(&arena, text, 2 * count + 1, &value, &error), DVL_BAD_INPUT);
    assert_non_null(strstr(error.message, "too many values"));
    free(text);
}

static void either_language_is_told_by_its_first_byte(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum dvl_status status;
        enum dvl_value_kind kind;
    } cases[] = {
        {" \n {\"a\": 1}", DVL_OK, DVL_VALUE_MAP},
        {"[1]", DVL_OK, DVL_VALUE_LIST},
        {"\xEF\xBB\xBF{}", DVL_OK, DVL_VALUE_MAP},
        {"{a: 1}", DVL_BAD_INPUT, DVL_VALUE_NULL},
        {"{\"a\":1} x", DVL_BAD_INPUT, DVL_VALUE_NULL},
        {"a: 1", DVL_OK, DVL_VALUE_MAP},
        {"# x\n{a: 1}", DVL_OK, DVL_VALUE_MAP},
        {"", DVL_OK, DVL_VALUE_NULL},
        {"\"x\"", DVL_OK, DVL_VALUE_STRING},
        {"12", DVL_OK, DVL_VALUE_NUMBER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dvl_value *value = NULL;
        assert_int_equal(dvl_text_read(&arena, cases[i].text, strlen(cases[i].text), &value, &error), cases[i].status);
        if (cases[i].status == DVL_OK)
            assert_int_equal(value->kind, cases[i].kind);
    }
}

/* The column on the right is what the way through kubectl makes of the left. */
static void plain_numbers_have_a_json_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *json; /* NULL: no number, or none that JSON has */
    } cases[] = {
        {"3e3", "3000"},
        {"12e6", "12000000"},
        {"1.5e3", "1500"},
        {"1.0", "1"},
        {"1.", "1"},
        {".5", "0.5"},
        {"+5", "5"},
        {"-5", "-5"},
        {"1_000", "1000"},
        {"0x10", "16"},
        {"-0x10", "-16"},
        {"010", "8"},
        {"0o10", "8"},
        {"0777", "511"},
        {"0b11", "3"},
        {"-0b11", "-3"},
        {"08", "8"},
        {"0", "0"},
        {"00", "0"},
        {"0.10", "0.1"},
        {"9007199254740993", "9007199254740993"},
        {"18446744073709551615", "18446744073709551615"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"99999999999999999999", "100000000000000000000"},
        {"123456789012345678.0", "123456789012345680"},
        {"1e-7", "1e-07"},
        {"1e21", "1e+21"},
        {"12.5e-2", "0.125"},
        {"1e-6", "0.000001"},
        {"-0.0", "-0"},
        {"123.25", "123.25"},
        {"1e20", "100000000000000000000"},
        {".inf", NULL},
        {"-.inf", NULL},
        {".nan", NULL},
        {"yes", NULL},
        {"1:30", NULL},
        {"", NULL},
        {"0x", NULL},
        {"3k", NULL},
        {"1e999", NULL},
        {"1__", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char number[DVL_YAML_NUMBER_SIZE] = "";
        bool is = dvl_yaml_number(dvl_span_of(cases[i].text), number);
        if (is != (cases[i].json != NULL))
            fail_msg("%s: %s", cases[i].text, is ? number : "no number");
        if (is)
            assert_string_equal(number, cases[i].json);
    }
    assert_true(dvl_yaml_is_base_60(dvl_span_of("1:30")));
    assert_true(dvl_yaml_is_base_60(dvl_span_of("-190:20:30")));
    assert_false(dvl_yaml_is_base_60(dvl_span_of("30")));
    assert_false(dvl_yaml_is_base_60(dvl_span_of("a:30")));
    assert_false(dvl_yaml_is_base_60(dvl_span_of("1:")));
    assert_false(dvl_yaml_is_base_60(dvl_span_of(":1")));
    assert_false(dvl_yaml_is_base_60(dvl_span_of("")));
}

static void failed_memory_is_told(void **state)
{
    (void)state;
    const char *text = "a: [1, yes, ~, s]\nb: {c: d}\n";
    struct dvl_value *value;
    size_t refused = 0;
    for (size_t limit = 1; limit < 100000; limit += 16) {
        struct dvl_arena small;
        dvl_arena_init(&small, limit);
        enum dvl_status status = dvl_yaml_read(&small, text, strlen(text), &value, &error);
        dvl_arena_clear(&small);
        if (status == DVL_OK)
            break;
        assert_int_equal(status, DVL_NO_MEMORY);
        refused++;
    }
    assert_true(refused > 10 && refused < 1000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(maps_and_lists_read),
        TEST(folded_scalars_are_one_line),
        TEST(plain_scalars_have_kinds),
        TEST(quoted_scalars_are_strings),
        TEST(names_are_text),
        TEST(core_tags_must_fit),
        TEST(empty_texts_are_null),
        TEST(broken_texts_are_refused),
        TEST(hostile_shapes_are_refused_soon),
        TEST(depth_has_a_bound),
        TEST(too_many_values_are_refused),
        TEST(either_language_is_told_by_its_first_byte),
        TEST(plain_numbers_have_a_json_form),
        TEST(failed_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
