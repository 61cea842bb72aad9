/* The chain of events. */
#include "store/connection.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct dvl_store *store;
static struct dvl_error error;

static int set_up(void **state)
{
    (void)state;
    dvl_error_clear(&error);
    return scratch_open(":memory:", &store, &error) == DVL_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    dvl_store_close(store);
    return 0;
}

static void append(const struct dvl_event *event)
{
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    if (dvl_event_append(store, event, &error) != DVL_OK)
        fail_msg("%s", error.message);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
}

/* The columns of the newest event, with the hash in hex. */
struct last {
    int64_t seq, at;
    char detail[256], hash[DVL_HASH_TEXT_SIZE], prev_hash[DVL_HASH_TEXT_SIZE];
};

static struct last read_last(void)
{
    struct last last = {0};
    struct dvl_statement *statement;
    struct dvl_arena arena;
    bool row = true;
    dvl_arena_init(&arena, 0);
    assert_int_equal(dvl_statement_take(store, DVL_QUERY_EVENT_CHAIN, &statement, &error), DVL_OK);
    while (dvl_statement_step(statement, &row, &error) == DVL_OK && row) {
        struct dvl_value *map = dvl_statement_row(statement, &arena);
        last.seq = dvl_column_int(statement, "seq");
        last.at = dvl_column_int(statement, "at");
        (void)snprintf(last.detail, sizeof last.detail, "%s", dvl_column_text(statement, "detail"));
        (void)snprintf(last.hash, sizeof last.hash, "%s", dvl_value_find_text(map, "hash"));
        (void)snprintf(last.prev_hash, sizeof last.prev_hash, "%s", dvl_value_find_text(map, "prev_hash"));
    }
    dvl_arena_clear(&arena);
    return last;
}

/* Computed with another program, from the canonical form:
 *   32 zero bytes, then 1:116:17960256000000004:root5:apply12:node_created2:n1--2:{}
 */
static void the_hash_is_that_of_the_canonical_form(void **state)
{
    const struct dvl_event event = {
        .at = 1796025600000000, .actor = "root", .command = "apply", .kind = "node_created", .node = "n1"};
    (void)state;
    append(&event);
    struct last last = read_last();
    assert_int_equal(last.seq, 1);
    assert_string_equal(last.prev_hash, "0000000000000000000000000000000000000000000000000000000000000000");
    assert_string_equal(last.hash, "d1526a917588a2b4287f0ee7a64011b6d13256e33c72b74870c7c6937ef61f5f");
    append(&event);
    struct last next = read_last();
    assert_int_equal(next.seq, 2);
    assert_string_equal(next.prev_hash, last.hash);
    assert_string_not_equal(next.hash, last.hash);
}

static void lengths_are_bytes_and_empty_is_not_null(void **state)
{
    const struct dvl_event empty = {.at = 1, .actor = "é", .command = "", .kind = "k", .node = "", .pod = "a/b"};
    const struct dvl_event null = {.at = 1, .actor = "é", .command = "", .kind = "k", .pod = "a/b"};
    (void)state;
    append(&empty);
    struct last first = read_last();
    assert_string_equal(first.hash, "8d32a528600b8fc7cb06ba58c1c8f2609c3883ad16232c72da3a15926f741b1c");
    dvl_store_close(store);
    assert_int_equal(scratch_open(":memory:", &store, &error), DVL_OK);
    append(&null);
    assert_string_not_equal(read_last().hash, first.hash);
}

static void times_never_go_back(void **state)
{
    struct dvl_event event = {.at = 100, .actor = "a", .command = "c", .kind = "k"};
    int64_t at = -1;
    (void)state;
    assert_int_equal(dvl_event_last_time(store, &at, &error), DVL_OK);
    assert_int_equal(at, 0);
    append(&event);
    event.at = 50;
    append(&event);
    assert_int_equal(read_last().at, 100);
    event.at = 101;
    append(&event);
    assert_int_equal(dvl_event_last_time(store, &at, &error), DVL_OK);
    assert_int_equal(at, 101);
    assert_int_equal(scratch_problems(store, &error), 0);
}

static void details_are_json(void **state)
{
    struct dvl_arena arena;
    (void)state;
    dvl_arena_init(&arena, 0);
    struct dvl_value *detail = dvl_value_map(&arena);
    dvl_value_set(detail, "before", dvl_value_null(&arena));
    dvl_value_set(detail, "after", dvl_value_string(&arena, "x\"\n"));
    const struct dvl_event event = {.at = 1, .actor = "a", .command = "c", .kind = "k", .detail = detail};
    append(&event);
    assert_string_equal(read_last().detail, "{\"before\":null,\"after\":\"x\\\"\\n\"}");
    dvl_arena_clear(&arena);
}

static void an_event_needs_a_write_transaction(void **state)
{
    const struct dvl_event event = {.at = 1, .actor = "a", .command = "c", .kind = "k"};
    (void)state;
    assert_int_equal(dvl_event_append(store, &event, &error), DVL_DATABASE);
    assert_int_equal(dvl_store_begin(store, DVL_READ, &error), DVL_OK);
    assert_int_equal(dvl_event_append(store, &event, &error), DVL_DATABASE);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
}

static void a_wrong_hash_is_refused_by_the_schema(void **state)
{
    struct dvl_statement *statement;
    unsigned char zeros[DVL_HASH_SIZE] = {0};
    (void)state;
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(dvl_statement_take(store, DVL_QUERY_EVENT_APPEND, &statement, &error), DVL_OK);
    dvl_bind_int(statement, "seq", 1);
    dvl_bind_int(statement, "at", 1);
    dvl_bind_text(statement, "actor", "a");
    dvl_bind_text(statement, "command", "c");
    dvl_bind_text(statement, "kind", "k");
    dvl_bind_text(statement, "node", NULL);
    dvl_bind_text(statement, "pod", NULL);
    dvl_bind_text(statement, "device", NULL);
    dvl_bind_text(statement, "detail", "{}");
    dvl_bind_blob(statement, "prev_hash", zeros, sizeof zeros);
    dvl_bind_blob(statement, "hash", zeros, sizeof zeros);
    assert_int_equal(dvl_statement_run(statement, NULL, &error), DVL_CONFLICT);
    assert_non_null(strstr(error.message, "chain"));
    assert_int_equal(dvl_store_end(store, false, &error), DVL_OK);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_hash_is_that_of_the_canonical_form),
        TEST(lengths_are_bytes_and_empty_is_not_null),
        TEST(times_never_go_back),
        TEST(details_are_json),
        TEST(an_event_needs_a_write_transaction),
        TEST(a_wrong_hash_is_refused_by_the_schema),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
