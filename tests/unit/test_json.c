/* JSON: what comes out of a sound text, and what is refused, with which words. */
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
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
    enum dvl_status status = dvl_json_read(&arena, copy, length, out, &error);
    free(copy);
    return status;
}

static const struct dvl_value *read_sound(const char *text)
{
    struct dvl_value *value;
    if (read_bytes(text, strlen(text), &value) != DVL_OK)
        fail_msg("%s: %s", text, error.message);
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

static void every_kind_reads(void **state)
{
    (void)state;
    const struct dvl_value *map =
        read_sound("\xEF\xBB\xBF {\"n\":null,\"t\":true,\n\"f\":false,\"i\":-12,\r\n\t\"s\":\"a\\\"b\","
                   "\"l\":[1, [], {}, \"x\"],\"m\":{\"k\":\"v\"}} \n");
    assert_int_equal(map->kind, DVL_VALUE_MAP);
    assert_int_equal(map->count, 7);
    assert_int_equal(dvl_value_find(map, "n")->kind, DVL_VALUE_NULL);
    assert_true(dvl_value_find(map, "t")->truth);
    assert_false(dvl_value_find(map, "f")->truth);
    assert_int_equal(dvl_value_find(map, "f")->kind, DVL_VALUE_BOOL);
    assert_string_equal(dvl_value_find(map, "i")->text, "-12");
    assert_string_equal(dvl_value_find_text(map, "s"), "a\"b");
    assert_int_equal(dvl_value_find(map, "l")->count, 4);
    assert_string_equal(dvl_value_find_text(dvl_value_find(map, "m"), "k"), "v");
    assert_null(dvl_value_find(map, "N"));
    assert_int_equal(dvl_value_find(map, "t")->line, 1);
    assert_int_equal(dvl_value_find(map, "f")->line, 2);
    assert_int_equal(dvl_value_find(map, "s")->line, 3);
    assert_false(dvl_value_find(map, "s")->plain);
}

static void outermost_values_of_any_kind_read(void **state)
{
    (void)state;
    assert_int_equal(read_sound("null")->kind, DVL_VALUE_NULL);
    assert_int_equal(read_sound(" true ")->kind, DVL_VALUE_BOOL);
    assert_string_equal(read_sound("0")->text, "0");
    assert_string_equal(read_sound("-1.5e+3")->text, "-1.5e+3");
    assert_string_equal(read_sound("\"\"")->text, "");
    assert_int_equal(read_sound("[]")->count, 0);
    assert_int_equal(read_sound("{}")->count, 0);
}

static void numbers_keep_their_text(void **state)
{
    (void)state;
    static const char *const numbers[] = {
        "0",
        "-0",
        "18446744073709551615",
        "9007199254740993",
        "1e400",
        "0.1",
        "1E-7",
        "123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890.5"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "{\"a\":[%s,%s],\"b\":%s}", numbers[i], numbers[i], numbers[i]);
        const struct dvl_value *value = read_sound(text);
        assert_string_equal(dvl_value_find(value, "a")->first->text, numbers[i]);
        assert_string_equal(dvl_value_find(value, "a")->last->text, numbers[i]);
        assert_string_equal(dvl_value_find(value, "b")->text, numbers[i]);
    }
    int64_t got = 0;
    assert_true(dvl_value_int64(read_sound("9223372036854775807"), &got));
    assert_int_equal(got, INT64_MAX);
    assert_false(dvl_value_int64(read_sound("9223372036854775808"), &got));
}

static void strings_are_decoded(void **state)
{
    (void)state;
    assert_string_equal(read_sound("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")->text, "\"\\/\b\f\n\r\t");
    assert_string_equal(read_sound("\"\\u00e9\\u20AC\\ud83d\\ude00\"")->text, "\u00e9\u20ac\U0001F600");
    assert_string_equal(read_sound("\"\u00e9\u20ac\U0001F600\x7f\"")->text, "\u00e9\u20ac\U0001F600\x7f");
    assert_string_equal(read_sound("\"{[1,2]:\\\\\"")->text, "{[1,2]:\\");
    const struct dvl_value *map = read_sound("{\"a\\\\\":1,\"b\\\"\":{\"\\u0063\":-2}}");
    assert_string_equal(map->first->key, "a\\");
    assert_string_equal(map->first->text, "1");
    assert_string_equal(map->last->key, "b\"");
    assert_string_equal(map->last->first->key, "c");
    assert_string_equal(map->last->first->text, "-2");
}

static void broken_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "not the end of the text"},
        {"  ", "a value is expected"},
        {"{", "a name in quotes or '}' is expected, not the end of the text"},
        {"{\"a\"", "':' is expected, not the end"},
        {"{\"a\":", "a value is expected, not the end"},
        {"{\"a\":1", "',' or '}' is expected, not the end"},
        {"{\"a\":1,", "a name in quotes is expected, not the end"},
        {"[1,2", "',' or ']' is expected, not the end"},
        {"\"abc", "the closing '\"' of a string is expected, not the end"},
        {"\"abc\\", "is expected after '\\', not the end"},
        {"\"\\u12", "hexadecimal"},
        {"\"\\ud83d", "surrogate"},
        {"\"\xe2\x82", "the closing '\"'"},
        {"tru", "true, false or null is expected, not the end"},
        {"-", "a digit is expected, not the end"},
        {"1.", "a digit is expected"},
        {"1e", "a digit is expected"},
        {"1e+", "a digit is expected"},
        {"{}x", "the end is expected, not 'x'"},
        {"{} {}", "the end is expected, not '{'"},
        {"1 2", "the end is expected"},
        {"{}]", "the end is expected, not ']'"},
        {"[1,]", "a value is expected, not ']'"},
        {"{\"a\":1,}", "a name in quotes is expected, not '}'"},
        {"[1 2]", "',' or ']' is expected, not '2'"},
        {"[1}", "',' or ']' is expected, not '}'"},
        {"{\"a\":1]", "',' or '}' is expected, not ']'"},
        {"{a:1}", "a name in quotes or '}' is expected, not 'a'"},
        {"{'a':1}", "not '''"},
        {"{1:1}", "not '1'"},
        {"01", "the end is expected, not '1'"},
        {"+1", "a value is expected, not '+'"},
        {".5", "a value is expected"},
        {"1.e5", "a digit is expected, not 'e'"},
        {"0x10", "not 'x'"},
        {"-a", "a digit is expected"},
        {"NaN", "a value is expected, not 'N'"},
        {"Infinity", "a value is expected"},
        {"nul ", "true, false or null"},
        {"True", "a value is expected"},
        {"\"a\nb\"", "no control characters"},
        {"\"\\x41\"", "is expected after '\\'"},
        {"\"\\u12G4\"", "hexadecimal digits are expected after \\u, not 'G'"},
        {"\"a\\u0000b\"", "\\u0000 is not allowed"},
        {"\"\\ud800\"", "surrogate"},
        {"\"\\ud800\\n\"", "surrogate"},
        {"\"\\ud800\\u0041\"", "surrogate"},
        {"\"\\udc00\"", "surrogate"},
        {"\"\\ud800\\ud800\"", "surrogate"},
        {"\"\xff\"", "not UTF-8"},
        {"\"\x80\"", "not UTF-8"},
        {"\"\xc0\x80\"", "not UTF-8"},
        {"\"\xe0\x80\x80\"", "not UTF-8"},
        {"\"\xed\xa0\x80\"", "not UTF-8"},
        {"\"\xf4\x90\x80\x80\"", "not UTF-8"},
        {"\"\xf8\x88\x80\x80\x80\"", "not UTF-8"},
        {"\"\xe2\x82\"", "not UTF-8"},
        {"[1,\n2,\n\x01]", "line 3: a value is expected, not byte 0x01"},
        {"// a\n{}", "a value is expected, not '/'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].text, strlen(cases[i].text), cases[i].words);
}

static void nul_bytes_and_utf_16_are_refused(void **state)
{
    (void)state;
    assert_refused("{}\0", 3, "the end is expected, not byte 0x00");
    assert_refused("\"a\0b\"", 5, "no control characters");
    assert_refused("\0", 1, "not byte 0x00");
    assert_refused("\xff\xfe{\0}\0", 6, "not byte 0xff");
    assert_refused("{\0}\0", 4, "not byte 0x00");
}

static void names_occur_once(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"{\"a\":1,\n\"a\":2}", "line 2: \"a\" occurs twice"},
        {"{\"a\":1,\"\\u0061\":2}", "\"a\" occurs twice"},
        {"{\"\":1,\"\":2}", "\"\" occurs twice"},
        {"{\"m\":[{\"k\\n\\u001b\":1,\"k\\n\\u001b\":2}]}", "\"k\\n\\x1b\" occurs twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].text, strlen(cases[i].text), cases[i].words);
    read_sound("{\"a\":1,\"A\":2}");
    read_sound("[{\"a\":1},{\"a\":2}]");
}

static void big_maps_are_judged_whole(void **state)
{
    (void)state;
    enum { MEMBERS = 200000 };
    char *text = malloc(MEMBERS * 16 + 64), *at = text;
    assert_non_null(text);
    *at++ = '{';
    for (int i = 0; i < MEMBERS; i++)
        at += sprintf(at, "\"k%d\":%d,", i, i);
    struct dvl_value *value;
    sprintf(at, "\"k\":0}");
    assert_int_equal(read_bytes(text, strlen(text), &value), DVL_OK);
    assert_int_equal(value->count, MEMBERS + 1);
    sprintf(at, "\"k77777\":0}");
    assert_refused(text, strlen(text), "\"k77777\" occurs twice");
    free(text);
}

static void depth_has_a_bound(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    char *text = malloc(2 * DEEP + 1);
    assert_non_null(text);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    text[(size_t)2 * DEEP] = '\0';
    assert_refused(text, (size_t)2 * DEEP, "nested too deep");
    struct dvl_value *value;
    const char *sound = text + DEEP - DVL_DEPTH_MAX;
    assert_int_equal(read_bytes(sound, (size_t)2 * DVL_DEPTH_MAX, &value), DVL_OK);
    assert_refused(sound - 1, (size_t)2 * DVL_DEPTH_MAX + 2, "nested too deep");
    free(text);
}

static void failed_memory_is_told(void **state)
{
    (void)state;
    const char *text = "{\"a\":[1,true,null,\"s\"],\"b\":{\"c\":\"d\"}}";
    struct dvl_value *value;
    size_t refused = 0;
    for (size_t limit = 1; limit < 100000; limit += 16) {
        struct dvl_arena small;
        dvl_arena_init(&small, limit);
        enum dvl_status status = dvl_json_read(&small, text, strlen(text), &value, &error);
        dvl_arena_clear(&small);
        if (status == DVL_OK)
            break;
        assert_int_equal(status, DVL_NO_MEMORY);
        refused++;
    }
    assert_true(refused > 10 && refused < 1000);
}

static int allocations_left;

static void *failing_malloc(size_t size)
{
    return allocations_left-- > 0 ? malloc(size) : NULL;
}

static void failed_memory_within_cjson_is_told(void **state)
{
    (void)state;
    const char *text = "{\"a\":[1,true,null,\"s\"],\"b\":{\"c\":\"d\"}}";
    cJSON_Hooks hooks = {.malloc_fn = failing_malloc, .free_fn = free};
    cJSON_InitHooks(&hooks);
    enum dvl_status status = DVL_NO_MEMORY;
    int count = 0;
    for (; status == DVL_NO_MEMORY && count < 100; count++) {
        struct dvl_value *value;
        allocations_left = count;
        status = dvl_json_read(&arena, text, strlen(text), &value, &error);
    }
    cJSON_InitHooks(NULL);
    assert_int_equal(status, DVL_OK);
    assert_true(count > 5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_kind_reads),      TEST(outermost_values_of_any_kind_read),  TEST(numbers_keep_their_text),
        TEST(strings_are_decoded),   TEST(broken_texts_are_refused),           TEST(nul_bytes_and_utf_16_are_refused),
        TEST(names_occur_once),      TEST(big_maps_are_judged_whole),          TEST(depth_has_a_bound),
        TEST(failed_memory_is_told), TEST(failed_memory_within_cjson_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
