/* Memory that can't be had, at every single point of reading a manifest:
 * the status says so, nothing crashes, and nothing stays behind. */
#include "failing.h"

#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct outcome {
    enum dvl_status status;
    size_t objects;
};

static struct outcome read_all(FILE *file)
{
    struct outcome outcome = {DVL_OK, 0};
    struct dvl_manifest *manifest = NULL;
    struct dvl_arena arena;
    struct dvl_error error;
    bool got = true;
    dvl_arena_init(&arena, 0);
    outcome.status = dvl_manifest_open(file, "f", &manifest, &error);
    while (outcome.status == DVL_OK && got) {
        struct dvl_manifest_item item;
        struct dvl_object object;
        outcome.status = dvl_manifest_next(manifest, &arena, &item, &got, &error);
        if (outcome.status == DVL_OK && got) {
            outcome.status = dvl_object_read(&arena, item.value, item.kind_hint, &object, &error);
            if (outcome.status == DVL_OK && object.kind == DVL_OBJECT_POD &&
                !dvl_containers_json(&arena, &object.as.pod))
                outcome.status = DVL_NO_MEMORY;
            outcome.objects++;
        }
        dvl_arena_reset(&arena);
    }
    dvl_manifest_close(manifest);
    dvl_arena_clear(&arena);
    return outcome;
}

/* Lets the first `count` allocations through; answers whether all was read. */
static bool read_with(const char *text, enum failing_whose whose, long count, bool stay, size_t objects)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    rewind(file);
    long before = failing_live();
    failing_arm(whose, count, stay);
    struct outcome outcome = read_all(file);
    bool struck = failing_disarm();
    long after = failing_live();
    fclose(file);
    assert_int_equal(after, before);
    if (outcome.status != DVL_OK)
        assert_int_equal(outcome.status, DVL_NO_MEMORY);
    else
        assert_int_equal(outcome.objects, objects);
    return !struck;
}

static void fail_all(const char *text, enum failing_whose whose, size_t objects)
{
    long points = 0;
    while (!read_with(text, whose, points, true, objects) && points < 5000)
        points++;
    assert_true(points < 5000);
    for (long count = 0; count < points; count++)
        read_with(text, whose, count, false, objects);
}

static void fail_everywhere(const char *text, size_t objects)
{
    fail_all(text, FAILING_OURS, objects);
    fail_all(text, FAILING_LIBRARIES, objects);
}

#define POD                                                                                                            \
    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"labels\":{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\",\"d\":\"4\","      \
    "\"e\":\"5\",\"f\":\"6\",\"g\":\"7\",\"h\":\"8\",\"i\":\"9\"}},"                                                   \
    "\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"x\":1}}}]}}"

static void json_fails_soundly(void **state)
{
    (void)state;
    fail_everywhere("{\"items\":[" POD "," POD "],\"kind\":\"List\"}" POD, 3);
    fail_everywhere(
        "{\"items\":[{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b\"}}],\"kind\":\"NodeList\"}", 2);
    fail_everywhere("{\"type\":\"ADDED\",\"object\":" POD "}", 1);
}

static void yaml_fails_soundly(void **state)
{
    (void)state;
    fail_everywhere(
        "apiVersion: v1\nitems:\n- kind: Pod\n  metadata:\n    name: a\n    labels: {a: 1, b: 'x'}\n"
        "  spec:\n    containers:\n    - name: c\n      resources: {limits: {x: 1.5}}\nkind: List\n---\n" POD,
        2);
    fail_everywhere(
        "%TAG !e! tag:yaml.org,2002:\n---\nitems:\n- metadata: {name: !e!str a}\n- metadata:\n    name: |-\n"
        "      b\n    x: \"long\\\n  er\"\nkind: NodeList\n",
        2);
}

static void fail_text(const char *text, enum failing_whose whose)
{
    bool struck = true;
    for (long count = 0; struck && count < 5000; count++) {
        struct dvl_arena arena;
        struct dvl_error error;
        struct dvl_value *value = NULL;
        dvl_arena_init(&arena, 0);
        long before = failing_live();
        failing_arm(whose, count, true);
        enum dvl_status status = dvl_text_read(&arena, text, strlen(text), &value, &error);
        dvl_arena_clear(&arena);
        struck = failing_disarm();
        assert_int_equal(failing_live(), before);
        assert_int_equal(status, struck ? DVL_NO_MEMORY : DVL_OK);
    }
    assert_false(struck);
}

static void texts_fail_soundly(void **state)
{
    (void)state;
    static const char *const texts[] = {POD, "a: {b: [1, 'x', yes]}\nc: |\n  d\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fail_text(texts[i], FAILING_OURS);
        fail_text(texts[i], FAILING_LIBRARIES);
    }
}

int main(void)
{
    failing_prepare();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_fails_soundly),
        cmocka_unit_test(yaml_fails_soundly),
        cmocka_unit_test(texts_fail_soundly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
