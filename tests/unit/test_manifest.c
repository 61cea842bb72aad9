/* The manifest reader: which objects come out of a file, in which order, and
 * where a file that is wrong is said to be wrong. */
#include "manifest/manifest.h"
#include "render/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Reading a text to one line: "Node n1@3, Pod ml/a@7 [ADDED]" ---- */

static const char *watch_name(enum dvl_watch_type type)
{
    switch (type) {
    case DVL_WATCH_NONE:
        return "";
    case DVL_WATCH_ADDED:
        return " [ADDED]";
    case DVL_WATCH_MODIFIED:
        return " [MODIFIED]";
    case DVL_WATCH_DELETED:
        return " [DELETED]";
    case DVL_WATCH_BOOKMARK:
        return " [BOOKMARK]";
    }
    return "?";
}

static void describe(struct dvl_buffer *out, struct dvl_arena *arena, const struct dvl_manifest_item *item)
{
    struct dvl_object object;
    struct dvl_error error;
    if (item->position > 1)
        dvl_buffer_text(out, ", ");
    if (dvl_object_read(arena, item->value, item->kind_hint, &object, &error) != DVL_OK)
        dvl_buffer_format(out, "(%s)", error.message);
    else
        dvl_buffer_format(out, "%s %s", object.kind_name, object.name);
    dvl_buffer_format(out, "@%d%s", item->line, watch_name(item->watch));
}

static enum dvl_status read_file(FILE *file, struct dvl_buffer *out, struct dvl_error *error)
{
    struct dvl_manifest *manifest = NULL;
    struct dvl_arena arena;
    bool got = true;
    size_t position = 0;
    dvl_arena_init(&arena, 0);
    enum dvl_status status = dvl_manifest_open(file, "f", &manifest, error);
    while (status == DVL_OK && got) {
        struct dvl_manifest_item item;
        status = dvl_manifest_next(manifest, &arena, &item, &got, error);
        assert_true(status == DVL_OK || !got);
        if (got) {
            assert_int_equal(item.position, ++position);
            describe(out, &arena, &item);
        }
        dvl_arena_reset(&arena);
    }
    if (manifest && status != DVL_OK) {
        struct dvl_manifest_item item;
        struct dvl_error second;
        assert_int_equal(dvl_manifest_next(manifest, &arena, &item, &got, &second), DVL_BAD_INPUT);
        assert_false(got);
    }
    dvl_manifest_close(manifest);
    dvl_arena_clear(&arena);
    return status;
}

static void check_bytes(const char *text, size_t length, const char *objects, const char *words)
{
    struct dvl_error error;
    struct dvl_buffer out;
    dvl_error_clear(&error);
    dvl_buffer_init(&out);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    rewind(file);
    enum dvl_status status = read_file(file, &out, &error);
    fclose(file);
    if (status != (words ? DVL_BAD_INPUT : DVL_OK))
        fail_msg("%.300s: status %d, %s", text, status, error.message);
    if (words && !strstr(error.message, words))
        fail_msg("%.300s: \"%s\" lacks \"%s\"", text, error.message, words);
    if (objects && strcmp(out.text, objects) != 0)
        fail_msg("%.300s: \"%s\" instead of \"%s\"", text, out.text, objects);
    dvl_buffer_clear(&out);
}

static void sound(const char *text, const char *objects)
{
    check_bytes(text, strlen(text), objects, NULL);
}

/* `objects` came out before the error; NULL: whatever came. */
static void refused(const char *text, const char *objects, const char *words)
{
    check_bytes(text, strlen(text), objects, words);
}

#define POD(name) "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"" name "\"}}"
#define BARE(name) "{\"metadata\":{\"name\":\"" name "\"}}"

/* ---- Shapes ---- */

static void single_objects_read(void **state)
{
    (void)state;
    sound(POD("a"), "Pod a@1");
    sound("\n\n  " POD("a") "\n\n", "Pod a@3");
    sound("kind: Pod\nmetadata: {name: a}\n", "Pod a@1");
    sound("\n\n---\nkind: Pod\nmetadata: {name: a}\n...\n", "Pod a@4");
    sound("  kind: Pod\n  metadata: {name: a}\n", "Pod a@1");
    sound("# comment\n" POD("a"), "Pod a@2");
    sound("\xEF\xBB\xBF" POD("a"), "Pod a@1");
    sound("\xEF\xBB\xBFkind: Pod\nmetadata: {name: a}\n", "Pod a@1");
}

static void nothing_gives_no_objects(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "\n \t\n", "# nothing\n", "---\n---\n", "---\n# a\n---\n~\n", "\xEF\xBB\xBF", "--- ~\n...\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        sound(texts[i], "");
}

static void several_objects_read(void **state)
{
    (void)state;
    sound(POD("a") POD("b") "\n" POD("c"), "Pod a@1, Pod b@1, Pod c@2");
    sound("kind: Pod\nmetadata: {name: a}\n---\n---\n# x\n---\nkind: Pod\nmetadata:\n  name: b\n", "Pod a@1, Pod b@7");
    sound("---\n" POD("a") "\n---\n" POD("b"), "Pod a@2, Pod b@4");
}

static void lists_are_split(void **state)
{
    (void)state;
    sound("{\"kind\":\"List\",\"items\":[" POD("a") ",\n" POD("b") "]}", "Pod a@1, Pod b@2");
    /* The order in which kubectl prints. */
    sound("{\n\"apiVersion\":\"v1\",\n\"items\":[\n" POD("a") ",\n" POD(
              "b") "\n],\n\"kind\":\"List\",\n\"metadata\":{\"resourceVersion\":\"\"}}",
          "Pod a@4, Pod b@5");
    sound("apiVersion: v1\nitems:\n- kind: Pod\n  metadata: {name: a}\n- kind: Pod\n  metadata:\n    name: b\nkind: "
          "List\n",
          "Pod a@3, Pod b@5");
    sound("kind: List\nitems: [" POD("a") ", " POD("b") "]\n", "Pod a@2, Pod b@2");
    sound("{\"kind\":\"List\",\"items\":[" POD("a") "]}" POD("b") "{\"items\":[" POD("c") "],\"kind\":\"List\"}",
          "Pod a@1, Pod b@1, Pod c@1");
}

static void items_of_api_lists_get_their_kind(void **state)
{
    (void)state;
    sound("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[" BARE("a") "," BARE("b") "]}", "Pod a@1, Pod b@1");
    sound("{\"kind\":\"NodeList\",\"items\":[" BARE("a") "]}", "Node a@1");
    sound("{\"kind\":\"ConfigMapList\",\"items\":[" BARE("a") "]}", "ConfigMap a@1");
    sound("{\"kind\":\"DeploymentList\",\"apiVersion\":\"apps/v1\",\"items\":[" BARE("a") "]}", "Deployment a@1");
    sound("kind: NodeList\nitems:\n- metadata: {name: a}\n", "Node a@3");
    sound("{\"kind\":\"List\",\"items\":[" BARE("a") "]}", "(the object has no kind)@1");
    sound("{\"kind\":\"NodeList\",\"items\":[" POD("a") "]}", "(a Pod in a list of kind NodeList)@1");
}

static void items_wait_for_a_kind_that_comes_behind_them(void **state)
{
    (void)state;
    sound("{\"items\":[" BARE("a") ",\n" BARE("b") "],\"kind\":\"NodeList\"}", "Node a@1, Node b@2");
    sound("items:\n- metadata: {name: a}\n- metadata: {name: b}\nkind: NodeList\n", "Node a@2, Node b@3");
    sound("{\"items\":[" POD("a") "," BARE("b") "," POD("c") "],\"kind\":\"PodList\"}", "Pod a@1, Pod b@1, Pod c@1");
    sound("{\"items\":[" BARE("a") "],\"apiVersion\":\"v1\",\"kind\":\"NodeList\"}{\"items\":[" BARE(
              "b") "],\"kind\":\"PodList\"}",
          "Node a@1, Pod b@1");
    refused("{\"items\":[" BARE("a") "]}", "", "f:1: the object has no kind");
    refused("{\"items\":[" BARE("a") "],\"kind\":\"NodeList\"", "", "f:1: ");
}

static void lists_may_be_empty(void **state)
{
    (void)state;
    sound("{\"kind\":\"List\",\"items\":[]}", "");
    sound("{\"items\":[],\"kind\":\"List\"}", "");
    sound("{\"kind\":\"List\",\"items\":null}", "");
    sound("{\"kind\":\"List\"}", "");
    sound("{\"kind\":\"PodList\",\"metadata\":{}}", "");
    sound("kind: List\nitems: []\n---\nkind: FooList\nitems:\n", "");
    sound("kind: ShoppingList\nmetadata: {name: s}\n", "ShoppingList s@1");
}

static void items_of_what_is_no_list_stay_in_it(void **state)
{
    (void)state;
    sound("{\"kind\":\"Basket\",\"metadata\":{\"name\":\"x\"},\"items\":[1,{\"a\":2}]}", "Basket x@1");
    sound("kind: Basket\nmetadata: {name: x}\nitems: [1, {a: 2}]\n", "Basket x@1");
    sound("{\"items\":[{\"a\":2}],\"kind\":\"Basket\",\"metadata\":{\"name\":\"x\"}}" POD("a"), "Basket x@1, Pod a@1");
    sound("{\"items\":{\"a\":2},\"kind\":\"Basket\",\"metadata\":{\"name\":\"x\"}}", "Basket x@1");
    refused("{\"items\":[" POD("a") "],\"kind\":\"Basket\",\"metadata\":{\"name\":\"x\"}}", "Pod a@1",
            "f:1: a Basket is no list");
    /* A held item must leave no trace in the next document. */
    sound("{\"items\":[" BARE(
              "a") "],\"kind\":\"PodList\"}{\"items\":[{\"a\":2}],\"kind\":\"B\",\"metadata\":{\"name\":\"x\"}}",
          "Pod a@1, B x@1");
}

static void watch_events_give_their_object(void **state)
{
    (void)state;
    sound("{\"type\":\"ADDED\",\"object\":" POD("a") "}\n{\"type\":\"MODIFIED\",\"object\":\n" POD(
              "b") "}{\"object\":" POD("c") ",\"type\":\"DELETED\"}",
          "Pod a@1 [ADDED], Pod b@3 [MODIFIED], Pod c@3 [DELETED]");
    sound("type: ADDED\nobject:\n  kind: Pod\n  metadata: {name: a}\n---\ntype: BOOKMARK\nobject: " POD("b") "\n",
          "Pod a@3 [ADDED], Pod b@7 [BOOKMARK]");
    sound("{\"kind\":\"Event\",\"type\":\"Normal\",\"metadata\":{\"name\":\"e\"}}", "Event e@1");
    refused(POD("a") "\n{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"message\":\"too old\\u001b: 7\"}}",
            "Pod a@1", "f:2: the watch ended with an error: too old\\x1b: 7");
    refused("{\"type\":\"ERROR\"}", "", "no message was given");
    refused("{\"type\":\"GONE\",\"object\":{}}", "", "\"GONE\" is none of the watch events");
    refused("{\"type\":\"ADDED\"}", "", "a watch event needs an object, not nothing");
    refused("{\"type\":\"ADDED\",\"object\":[]}", "", "a watch event needs an object, not a list");
}

/* ---- Refusals ---- */

static void broken_files_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"{\"kind\":\"Pod\",\n\"metadata\":{\"name\":\"a\"", "f:2: ',' or '}' is expected, not the end of the text"},
        {"{\"kind\":\"List\",\"items\":[" POD("a") ",\n" POD("b") "\n", "f:3: ',' or ']' is expected, not the end"},
        {POD("a") "\nx", "f:2: an object is expected, not 'x'"},
        {POD("a") "]", "f:1: an object is expected, not ']'"},
        {POD("a") "\n---\n", "f:2: an object is expected, not '-'"},
        {"[" POD("a") "]", "f:1: an object is expected, not '['"},
        {"{} 7", "f:1: an object is expected, not '7'"},
        {"{\"kind\":\"List\",\"items\":[7]}", "an item of the list must be an object, not '7'"},
        {"{\"kind\":\"List\",\"items\":[" POD("a") ",null]}", "an item of the list must be an object, not 'n'"},
        {"{\"kind\":\"List\",\"items\":[[]]}", "an item of the list must be an object, not '['"},
        {"{\"kind\":\"List\",\"items\":[" POD("a") POD("b") "]}", "f:1: ',' or ']' is expected, not '{'"},
        {"{\"kind\":\"List\",\"items\":[" POD("a") ",]}", "f:1: a value is expected, not ']'"},
        {"{\"kind\":\"List\",\"items\":[" POD("a") "}", "f:1: ',' or ']' is expected, not '}'"},
        {"{\"kind\":\"List\",\"items\":\"x\"}", "f:1: items must be a list, not a string"},
        {"{\"kind\":\"List\",\"items\":{}}", "f:1: items must be a list, not a map"},
        {"{\"kind\":\"List\",\"\\u0069tems\":[]}", "f:1: the name items is written with escapes"},
        {"{\"kind\":\"List\",\"items\":[\n\n" POD("a") "\n],\n\"a\":1,\"a\":2}", "f:5: \"a\" occurs twice"},
        {"{\"kind\":\"List\",\"items\":[],\"items\":[]}", "f:1: \"items\" occurs twice"},
        {"{\"items\":[" POD("a") "],\"kind\":\"List\",\"kind\":\"List\"}", "\"kind\" occurs twice"},
        {"{\"kind\":\"Pod\",\"metadata\":{\n\"name\":\"a\",\"name\":\"b\"}}", "f:2: \"name\" occurs twice"},
        {"{\"a\":\"\\u0000\"}", "f:1: \\u0000 is not allowed"},
        {"{\"a\":\"\\ud800\"}", "f:1: half of a surrogate pair"},
        {"{\"a\":\"\xff\"}", "f:1: the text is not UTF-8"},
        {"{\"a\":01}", "f:1: ',' or '}' is expected, not '1'"},
        {"{a: 1}", "f:1: a name in quotes or '}' is expected, not 'a'"},
        {"kind: Pod\nmetadata: {name: a\n", "f:3: "},
        {"kind: Pod\n\n\nkind: Pod\n", "f:4: \"kind\" occurs twice"},
        {"kind: List\nitems:\n- kind: Pod\n  kind: Pod\n", "f:4: \"kind\" occurs twice"},
        {"kind: List\nitems: []\nitems: []\n", "f:3: \"items\" occurs twice"},
        {"kind: List\nitems:\n- 7\n", "f:3: an item of the list must be an object, not a number"},
        {"kind: List\nitems:\n-\n", "f:3: an item of the list must be an object, not null"},
        {"kind: List\nitems: 7\n", "f:2: items must be a list, not a number"},
        {"- kind: Pod\n", "f:1: an object is expected, not a list"},
        {"hello\n", "f:1: an object is expected, not a string"},
        {"---\n5\n", "f:2: an object is expected, not a number"},
        {"a: &x 1\n", "f:1: anchors and aliases"},
        {"kind: List\nitems: &x\n- kind: Pod\n", "anchors and aliases"},
        {"\n\n a: &x 1\n", "f:3: anchors and aliases"},
        {"a: !own 1\n", "f:1: the tag !own"},
        {"--- !own {}\n", "f:1: the tag !own"},
        {"kind: List\nitems: !own []\n", "f:2: the tag !own"},
        {"<<: {a: 1}\n", "f:1: merge keys"},
        {"? [a]\n: b\n", "f:1: a map or a list can't be the name"},
        {"a: \"\\0\"\n", "f:1: \\0 is not allowed"},
        {"\xff\xfe{", "f:1: the text looks like UTF-16"},
        {"\xfe\xff", "f:1: the text looks like UTF-16"},
        {"\xefzz", "f:1: the text does not begin"},
        {"a: \xff\n", "f:1: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refused(cases[i].text, NULL, cases[i].words);
}

static void nul_bytes_are_refused(void **state)
{
    (void)state;
    check_bytes(POD("a") "\0", strlen(POD("a")) + 1, "Pod a@1", "an object is expected, not byte 0x00");
    check_bytes("{\"a\":\0}", 7, "", "a value is expected, not byte 0x00");
    check_bytes("a: b\0c\n", 7, "", "control characters");
    check_bytes("\0", 1, "", "control characters");
}

/* What was whole before the error has come out; the caller rolls it back. */
static void objects_before_an_error_come_out(void **state)
{
    (void)state;
    refused("{\"items\":[" POD("a") ",\n" POD("b") ",\nx", "Pod a@1, Pod b@2", "f:3: a value is expected, not 'x'");
    refused("kind: Pod\nmetadata: {name: a}\n---\nkind: *x\n", "Pod a@1", "f:4: anchors");
}

static void a_directory_is_no_manifest(void **state)
{
    (void)state;
    struct dvl_error error;
    struct dvl_manifest *manifest = NULL;
    FILE *file = fopen("/", "r");
    if (!file)
        return;
    assert_int_equal(dvl_manifest_open(file, "/", &manifest, &error), DVL_BAD_INPUT);
    assert_string_equal(error.message, "/: can't be read: Is a directory");
    assert_null(manifest);
    fclose(file);
    dvl_manifest_close(NULL);
}

/* ---- Limits ---- */

static char *repeat(const char *head, const char *unit, size_t times, const char *tail)
{
    size_t size = strlen(unit);
    char *text = malloc(strlen(head) + size * times + strlen(tail) + 1);
    assert_non_null(text);
    char *at = stpcpy(text, head);
    for (size_t i = 0; i < times; i++, at += size)
        memcpy(at, unit, size);
    strcpy(at, tail);
    return text;
}

static void hostile_shapes_are_refused_soon(void **state)
{
    (void)state;
    static const struct {
        const char *head, *unit, *words;
    } cases[] = {
        {"", "{\"a\":", "nested too deep"},
        {"{\"items\":[{\"a\":", "[", "nested too deep"},
        {"{\"kind\":\"List\",\"items\":[", "{\"items\":[", "nested too deep"},
        {"a: ", "[", "nested too deep"},
        {"a: ", "{a: ", "nested too deep"},
        {"a:\n", " [\n", "nested too deep"},
        {"", "- ", "nested too deep"},
        {"items: ", "[{items: ", "nested too deep"},
        {"", "%TAG !a! b\n", "%TAG"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = repeat(cases[i].head, cases[i].unit, 100000, "");
        refused(text, "", cases[i].words);
        free(text);
    }
}

static void one_object_has_a_bound(void **state)
{
    (void)state;
    static const struct {
        const char *head, *unit, *tail, *words;
    } cases[] = {
        {"{\"kind\":\"Pod\",\"a\":\"", "x", "\"}", "larger than 16 MiB"},
        {"{\"kind\":\"List\",\"items\":[{\"a\":\"", "x", "\"}]}", "larger than 16 MiB"},
        {"a: ", "x", "\n", "larger than 16 MiB"},
        {"items:\n- a: \"", "x", "\"\n", "larger than 16 MiB"},
        {"#", "x", "\n", "larger than 16 MiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = repeat(cases[i].head, cases[i].unit, (size_t)17 << 20, cases[i].tail);
        refused(text, "", cases[i].words);
        free(text);
    }
    char *text = repeat("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},\"x\":\"", "y", (size_t)15 << 20, "\"}");
    sound(text, "Pod a@1");
    free(text);
}

static void one_object_has_a_bound_on_its_values(void **state)
{
    (void)state;
    char *text = repeat("{\"a\":[", "1,", 600000, "1]}");
    refused(text, "", "too many values");
    free(text);
    text = repeat("a:\n", "- 1\n", 600000, "");
    refused(text, "", "too many values");
    free(text);
}

static void held_items_have_a_bound(void **state)
{
    (void)state;
    char *unit = repeat("{\"a\":[", "1,", 10000, "1]},");
    char *text = repeat("{\"items\":[", unit, 200, "{}],\"kind\":\"NodeList\"}");
    refused(text, "", "must come before the items");
    free(text);
    free(unit);
}

/* Each document and item has its bounds for itself. */
static void bounds_do_not_add_up(void **state)
{
    (void)state;
    char *pod = repeat("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},\"x\":[", "1,", 300000, "1]}");
    char *text = repeat("", pod, 3, "");
    sound(text, "Pod a@1, Pod a@1, Pod a@1");
    free(text);
    char *item = repeat(pod, ",", 1, "");
    text = repeat("{\"items\":[", item, 3, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"b\"}}],\"kind\":\"List\"}");
    sound(text, "Pod a@1, Pod a@1, Pod a@1, Pod b@1");
    free(text);
    free(item);
    free(pod);
}

/* ---- Pipes ---- */

struct child {
    int (*work)(FILE *in);
    rlim_t memory;
};

/* Runs `work` in a child that reads what `write_all` writes; answers its exit code. */
static int run_child(const struct child *child, void (*write_all)(FILE *out))
{
    int ends[2], state = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[1]);
        struct rlimit limit = {.rlim_cur = child->memory, .rlim_max = child->memory};
        FILE *in = fdopen(ends[0], "r");
        _exit(in && setrlimit(RLIMIT_AS, &limit) == 0 ? child->work(in) : 99);
    }
    close(ends[0]);
    FILE *out = fdopen(ends[1], "w");
    assert_non_null(out);
    write_all(out);
    fclose(out);
    assert_int_equal(waitpid(pid, &state, 0), pid);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

enum { BIG_ITEMS = 24000 };

/* before, the number, between, noise, after */
static void write_items(FILE *out, const char *before, const char *between, const char *after)
{
    static char noise[1024];
    memset(noise, 'x', sizeof noise - 1);
    for (int i = 0; i < BIG_ITEMS; i++)
        fprintf(out, "%s%d%s%s%s", before, i, between, noise, after);
}

static void write_big_json(FILE *out)
{
    fputs("{\"apiVersion\":\"v1\",\"items\":[{\"kind\":\"Pod\",\"metadata\":{\"name\":\"first\"}}\n", out);
    write_items(out, ",{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p", "\",\"annotations\":{\"a\":\"", "\"}}}\n");
    fputs("],\"kind\":\"List\"}", out);
}

static void write_big_yaml(FILE *out)
{
    fputs("apiVersion: v1\nitems:\n- kind: Pod\n  metadata: {name: first}\n", out);
    write_items(out, "- kind: Pod\n  metadata:\n    name: p", "\n    annotations:\n      a: ", "\n");
    fputs("kind: List\n", out);
}

static int count_objects(FILE *in)
{
    struct dvl_manifest *manifest;
    struct dvl_arena arena;
    struct dvl_error error;
    size_t count = 0;
    bool got = true;
    dvl_arena_init(&arena, 0);
    if (dvl_manifest_open(in, "-", &manifest, &error) != DVL_OK)
        return 1;
    while (got) {
        struct dvl_manifest_item item;
        struct dvl_object object;
        if (dvl_manifest_next(manifest, &arena, &item, &got, &error) != DVL_OK)
            return 2;
        if (got && dvl_object_read(&arena, item.value, item.kind_hint, &object, &error) != DVL_OK)
            return 3;
        count += got;
        dvl_arena_reset(&arena);
    }
    dvl_manifest_close(manifest);
    dvl_arena_clear(&arena);
    return count == BIG_ITEMS + 1 ? 0 : 4;
}

/* 26 MB of objects; what is over the program's own needs is 8 MB. */
static void memory_does_not_grow_with_the_list(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* the sanitizer's own address space is over any bound */
#endif
    char line[256];
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    pages = strtoul(line, NULL, 10);
    struct child child = {.work = count_objects,
                          .memory = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)8 << 20)};
    assert_int_equal(run_child(&child, write_big_json), 0);
    assert_int_equal(run_child(&child, write_big_yaml), 0);
}

/* `kubectl get -w` writes an object and waits: it must come out at once. */
static void an_object_comes_out_as_soon_as_it_is_whole(void **state)
{
    (void)state;
    int ends[2];
    struct dvl_manifest *manifest;
    struct dvl_arena arena;
    struct dvl_error error;
    struct dvl_manifest_item item;
    bool got;
    static const char first[] = "{\"type\":\"ADDED\",\"object\":" POD("a") "}", second[] = "\n" POD("b");
    assert_int_equal(pipe(ends), 0);
    FILE *in = fdopen(ends[0], "r");
    assert_non_null(in);
    alarm(20); /* a reader that waits for more ends the test */
    dvl_arena_init(&arena, 0);
    assert_int_equal(write(ends[1], first, strlen(first)), strlen(first));
    assert_int_equal(dvl_manifest_open(in, "-", &manifest, &error), DVL_OK);
    assert_int_equal(dvl_manifest_next(manifest, &arena, &item, &got, &error), DVL_OK);
    assert_true(got && item.watch == DVL_WATCH_ADDED);
    assert_int_equal(write(ends[1], second, strlen(second)), strlen(second));
    assert_int_equal(dvl_manifest_next(manifest, &arena, &item, &got, &error), DVL_OK);
    assert_true(got && item.position == 2);
    close(ends[1]);
    assert_int_equal(dvl_manifest_next(manifest, &arena, &item, &got, &error), DVL_OK);
    assert_false(got);
    alarm(0);
    dvl_manifest_close(manifest);
    dvl_arena_clear(&arena);
    fclose(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_objects_read),
        cmocka_unit_test(nothing_gives_no_objects),
        cmocka_unit_test(several_objects_read),
        cmocka_unit_test(lists_are_split),
        cmocka_unit_test(items_of_api_lists_get_their_kind),
        cmocka_unit_test(items_wait_for_a_kind_that_comes_behind_them),
        cmocka_unit_test(lists_may_be_empty),
        cmocka_unit_test(items_of_what_is_no_list_stay_in_it),
        cmocka_unit_test(watch_events_give_their_object),
        cmocka_unit_test(broken_files_are_refused_with_their_line),
        cmocka_unit_test(nul_bytes_are_refused),
        cmocka_unit_test(objects_before_an_error_come_out),
        cmocka_unit_test(a_directory_is_no_manifest),
        cmocka_unit_test(hostile_shapes_are_refused_soon),
        cmocka_unit_test(one_object_has_a_bound),
        cmocka_unit_test(one_object_has_a_bound_on_its_values),
        cmocka_unit_test(held_items_have_a_bound),
        cmocka_unit_test(bounds_do_not_add_up),
        cmocka_unit_test(memory_does_not_grow_with_the_list),
        cmocka_unit_test(an_object_comes_out_as_soon_as_it_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
