/* Memory that can't be had, at every single point of reading a manifest:
 * the status says so, nothing crashes, and nothing stays behind. The program's
 * own malloc stands in front of the C library's, so that libyaml, cJSON and
 * stdio fail, too. */
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_FAIL false /* the sanitizer has a malloc of its own */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CAN_FAIL false
#endif
#endif
#ifndef CAN_FAIL
#define CAN_FAIL true
#endif

static bool armed;
static bool stay_out; /* all that follow fail, too */
static long left;     /* allocations that still succeed */
static long live;     /* of those since arming, that are not freed */

/* Called for every allocation. */
static bool must_fail(void)
{
    if (!armed)
        return false;
    left--;
    return stay_out ? left < 0 : left == -1;
}

#if CAN_FAIL
/* The C library's own, which its malloc is another name of. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *piece);

/* Seen by the shared libraries, too. */
#define IN_FRONT __attribute__((visibility("default")))

IN_FRONT void *malloc(size_t size)
{
    void *piece = must_fail() ? NULL : __libc_malloc(size);
    live += armed && piece;
    return piece;
}

IN_FRONT void *calloc(size_t count, size_t size)
{
    void *piece = must_fail() ? NULL : __libc_calloc(count, size);
    live += armed && piece;
    return piece;
}

IN_FRONT void *realloc(void *old, size_t size)
{
    void *piece = must_fail() ? NULL : __libc_realloc(old, size);
    live += armed && piece && !old;
    return piece;
}

IN_FRONT void free(void *piece)
{
    live -= armed && piece;
    __libc_free(piece);
}
#endif

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
static bool read_with(const char *text, long count, bool stay, size_t objects)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    rewind(file);
    live = 0;
    left = count;
    stay_out = stay;
    armed = true;
    struct outcome outcome = read_all(file);
    armed = false;
    long remaining = live;
    bool used_up = left < 0;
    fclose(file);
    assert_int_equal(remaining, 0);
    if (outcome.status != DVL_OK)
        assert_int_equal(outcome.status, DVL_NO_MEMORY);
    else
        assert_int_equal(outcome.objects, objects);
    return !used_up;
}

static void fail_everywhere(const char *text, size_t objects)
{
    long count = 0;
    while (!read_with(text, count, true, objects) && count < 5000)
        count++;
    assert_true(count > 5 && count < 5000);
    long points = count;
    for (count = 0; count < points; count++)
        read_with(text, count, false, objects);
}

#define POD                                                                                                            \
    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"labels\":{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\",\"d\":\"4\","      \
    "\"e\":\"5\",\"f\":\"6\",\"g\":\"7\",\"h\":\"8\",\"i\":\"9\"}},"                                                   \
    "\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"x\":1}}}]}}"

static void json_fails_soundly(void **state)
{
    (void)state;
    if (!CAN_FAIL)
        skip();
    fail_everywhere("{\"items\":[" POD "," POD "],\"kind\":\"List\"}" POD, 3);
    fail_everywhere(
        "{\"items\":[{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b\"}}],\"kind\":\"NodeList\"}", 2);
    fail_everywhere("{\"type\":\"ADDED\",\"object\":" POD "}", 1);
}

static void yaml_fails_soundly(void **state)
{
    (void)state;
    if (!CAN_FAIL)
        skip();
    fail_everywhere(
        "apiVersion: v1\nitems:\n- kind: Pod\n  metadata:\n    name: a\n    labels: {a: 1, b: 'x'}\n"
        "  spec:\n    containers:\n    - name: c\n      resources: {limits: {x: 1.5}}\nkind: List\n---\n" POD,
        2);
    fail_everywhere(
        "%TAG !e! tag:yaml.org,2002:\n---\nitems:\n- metadata: {name: !e!str a}\n- metadata:\n    name: |-\n"
        "      b\n    x: \"long\\\n  er\"\nkind: NodeList\n",
        2);
}

static void texts_fail_soundly(void **state)
{
    (void)state;
    if (!CAN_FAIL)
        skip();
    static const char *const texts[] = {POD, "a: {b: [1, 'x', yes]}\nc: |\n  d\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        enum dvl_status status = DVL_NO_MEMORY;
        long count = 0;
        for (; status == DVL_NO_MEMORY && count < 5000; count++) {
            struct dvl_arena arena;
            struct dvl_error error;
            struct dvl_value *value = NULL;
            dvl_arena_init(&arena, 0);
            live = 0;
            left = count;
            stay_out = true;
            armed = true;
            status = dvl_text_read(&arena, texts[i], strlen(texts[i]), &value, &error);
            dvl_arena_clear(&arena);
            armed = false;
            assert_int_equal(live, 0);
        }
        assert_int_equal(status, DVL_OK);
        assert_true(count > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_fails_soundly),
        cmocka_unit_test(yaml_fails_soundly),
        cmocka_unit_test(texts_fail_soundly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
