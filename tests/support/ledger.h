/* A ledger in memory, asked in the batch protocol's own words. */
#ifndef DVL_TESTS_LEDGER_H
#define DVL_TESTS_LEDGER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <devledger.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not every test asks everything. */
#define MAYBE_UNUSED __attribute__((unused))

static struct dvl_ledger *ledger;
static struct dvl_answer *answer; /* of the last call */

MAYBE_UNUSED static int ledger_start(void **state)
{
    (void)state;
    const struct dvl_open_options options = {.path = ":memory:", .actor = "tester", .create = true};
    char message[256] = "";
    if (dvl_ledger_open(&options, &ledger, message, sizeof message) != DVL_OK)
        fail_msg("%s", message);
    return 0;
}

MAYBE_UNUSED static int ledger_end(void **state)
{
    (void)state;
    dvl_answer_free(answer);
    answer = NULL;
    dvl_ledger_close(ledger);
    ledger = NULL;
    return 0;
}

/* One call; single quotes stand for double ones, and back quotes for single
 * ones (in SQL). Answers the status. */
__attribute__((format(printf, 1, 2))) static enum dvl_status ask(const char *format, ...)
{
    static char text[65536];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, sizeof text - 1);
    for (char *c = text; *c; c++) {
        if (*c == '\'')
            *c = '"';
        else if (*c == '`')
            *c = '\'';
    }
    dvl_answer_free(answer);
    enum dvl_status status = dvl_call(ledger, text, (size_t)length, &answer);
    assert_non_null(answer);
    return status;
}

#define ok(...)                                                                                                        \
    do {                                                                                                               \
        if (ask(__VA_ARGS__) != DVL_OK)                                                                                \
            fail_msg("refused: %s", dvl_answer_json(answer));                                                          \
    } while (0)

#define refused(status, ...)                                                                                           \
    do {                                                                                                               \
        if (ask(__VA_ARGS__) != (status))                                                                              \
            fail_msg("not refused so: %s", dvl_answer_json(answer));                                                   \
    } while (0)

/* A value of the answer by path: "nodes.0.code". NULL when there is none. */
MAYBE_UNUSED static const struct dvl_value *at(const char *path)
{
    const struct dvl_value *value = dvl_answer_value(answer);
    char name[256];
    while (value && *path) {
        size_t length = strcspn(path, ".");
        assert_true(length < sizeof name);
        memcpy(name, path, length);
        name[length] = '\0';
        path += length + (path[length] == '.');
        if (dvl_value_kind(value) == DVL_VALUE_LIST) {
            long number = strtol(name, NULL, 10);
            for (value = dvl_value_first(value); value && number--;)
                value = dvl_value_next(value);
        } else {
            value = dvl_value_get(value, name);
        }
    }
    return value;
}

/* The answer holds this text, number or bool ("null" for null) at a path. */
MAYBE_UNUSED static void has(const char *path, const char *wanted)
{
    const struct dvl_value *value = at(path);
    const char *text = value && dvl_value_kind(value) == DVL_VALUE_NULL ? "null" : dvl_value_text(value);
    if (!text || strcmp(text, wanted) != 0)
        fail_msg("%s is %s, not %s, in %s", path, text ? text : "missing", wanted, dvl_answer_json(answer));
}

MAYBE_UNUSED static void has_count(const char *path, size_t wanted)
{
    if (dvl_value_count(at(path)) != wanted)
        fail_msg("%s has %zu, not %zu, in %s", path, dvl_value_count(at(path)), wanted, dvl_answer_json(answer));
}

/* One number that SQL answers. */
MAYBE_UNUSED static void sql_is(const char *query, const char *wanted)
{
    ok("{'op':'sql','query':\"%s\"}", query);
    const struct dvl_value *row = at("items.0");
    const char *text = dvl_value_text(dvl_value_first(row));
    if (!text || strcmp(text, wanted) != 0)
        fail_msg("%s: %s, not %s", query, text ? text : "null", wanted);
}

/* ---- gpushare objects ---- */

#define NODE_JSON(name, memory, number)                                                                                \
    "{'kind':'Node','metadata':{'name':'" name "'},'status':{'capacity':{'volcano.sh/gpu-memory':'" memory             \
    "','volcano.sh/gpu-number':'" number "'}}}"

#define POD_JSON(name, uid, more, limits)                                                                              \
    "{'kind':'Pod','metadata':{'name':'" name "','namespace':'ml','uid':'" uid "'" more                                \
    "},'spec':{'containers':[{'name':'main','resources':{'limits':{" limits "}}}]}}"

#define PLACED_JSON(name, uid, annotations, node, phase, limits)                                                       \
    "{'kind':'Pod','metadata':{'name':'" name "','namespace':'ml','uid':'" uid "','annotations':{" annotations         \
    "}},'spec':{'nodeName':'" node "','containers':[{'name':'main','resources':{'limits':{" limits                     \
    "}}}]},'status':{'phase':'" phase "'}}"

#define MEMORY(amount) "'volcano.sh/gpu-memory':'" amount "'"
#define NUMBER(amount) "'volcano.sh/gpu-number':'" amount "'"

#define SHARING "{'op':'config','scheduler':{'deviceshare.GPUSharingEnable':true}}"
#define SHARING_LOCKED                                                                                                 \
    "{'op':'config','scheduler':{'deviceshare.GPUSharingEnable':true,'deviceshare.NodeLockEnable':true}}"

#endif
