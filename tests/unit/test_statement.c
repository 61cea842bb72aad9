/* Named queries: binding, stepping, columns, and what they refuse. */
#include "store/schema_text.h"
#include "store/statement.h"
#include "support/scratch.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
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

static struct dvl_statement *take(enum dvl_query query)
{
    struct dvl_statement *statement = NULL;
    if (dvl_statement_take(store, query, &statement, &error) != DVL_OK)
        fail_msg("%s", error.message);
    return statement;
}

/* The closed list: each block is one statement that fits the schema of today,
 * and says in its first lines what it is for. */
static void every_query_prepares(void **state)
{
    (void)state;
    for (int i = 0; i < DVL_QUERY_COUNT; i++) {
        const char *text = dvl_query_texts[i].text, *rest = NULL, *second = strchr(text, '\n');
        sqlite3_stmt *raw = NULL;
        if (sqlite3_prepare_v2(store->db, text, -1, &raw, &rest) != SQLITE_OK)
            fail_msg("%s: %s", dvl_query_texts[i].name, sqlite3_errmsg(store->db));
        assert_non_null(raw);
        while (isspace((unsigned char)*rest) || strncmp(rest, "--", 2) == 0)
            rest += *rest == '-' ? strcspn(rest, "\n") : 1;
        if (*rest != '\0')
            fail_msg("%s: more than one statement", dvl_query_texts[i].name);
        for (int p = 1; p <= sqlite3_bind_parameter_count(raw); p++) {
            const char *name = sqlite3_bind_parameter_name(raw, p);
            if (!name || *name != ':')
                fail_msg("%s: parameter %d has no name", dvl_query_texts[i].name, p);
        }
        if (!second || strncmp(second, "\n-- ", 4) != 0)
            fail_msg("%s: no sentence on what it is for", dvl_query_texts[i].name);
        sqlite3_finalize(raw);
    }
    assert_null(dvl_query_texts[DVL_QUERY_COUNT].name);
}

/* A line of the plan that walks a whole table, or builds an index for one use.
 * A list, a subquery and a constant row are not tables. */
static bool walks_a_table(const char *line)
{
    if (strstr(line, "AUTOMATIC"))
        return true;
    return strncmp(line, "SCAN ", 5) == 0 && line[5] != '(' && !strstr(line, "VIRTUAL TABLE") &&
           strcmp(line, "SCAN CONSTANT ROW") != 0;
}

/* What grows with the ledger is found by an index, unless the query says why
 * not. An INSERT is not asked: its plan shows the checks of references, which
 * do not run. */
static void no_query_scans_without_a_reason(void **state)
{
    (void)state;
    for (int i = 0; i < DVL_QUERY_COUNT; i++) {
        const char *text = strchr(dvl_query_texts[i].text, '\n');
        sqlite3_stmt *raw = NULL;
        char *query = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", text);
        assert_non_null(query);
        assert_int_equal(sqlite3_prepare_v2(store->db, query, -1, &raw, NULL), SQLITE_OK);
        bool asked = !strstr(text, "-- scan:") && !strstr(text, "INSERT INTO");
        while (asked && sqlite3_step(raw) == SQLITE_ROW) {
            const char *line = (const char *)sqlite3_column_text(raw, 3);
            if (walks_a_table(line))
                fail_msg("%s: %s", dvl_query_texts[i].name, line);
        }
        sqlite3_finalize(raw);
        sqlite3_free(query);
    }
}

static void insert_node(const char *name)
{
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    if (scratch_insert(store, name, &error) != DVL_OK)
        fail_msg("%s", error.message);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
}

static void rows_come_by_name(void **state)
{
    bool row;
    (void)state;
    insert_node("n1");
    assert_int_equal(dvl_store_last_id(store) > 0, 1);
    struct dvl_statement *statement = take(DVL_QUERY_NODE_BY_NAME);
    dvl_bind_text(statement, "name", "n1");
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_true(row);
    assert_string_equal(dvl_column_text(statement, "name"), "n1");
    assert_string_equal(dvl_column_text(statement, "labels"), "{}");
    assert_int_equal(dvl_column_int(statement, "updated_at"), 1);
    assert_true(dvl_column_is_null(statement, "removed_at"));
    assert_int_equal(dvl_column_int(statement, "removed_at"), 0);
    assert_true(dvl_column_int_or_unset(statement, "removed_at") == DVL_UNSET);
    assert_null(dvl_column_text(statement, "removed_at"));
    assert_true(dvl_column_real(statement, "updated_at") == 1.0);
    int column = dvl_column_number(statement, "updated_at");
    assert_int_equal(dvl_column_int_at(statement, column), 1);
    assert_int_equal(dvl_column_int_or_unset_at(statement, column), 1);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_false(row);
}

static void a_row_becomes_a_map(void **state)
{
    struct dvl_arena arena;
    bool row;
    (void)state;
    insert_node("n1");
    dvl_arena_init(&arena, 0);
    struct dvl_statement *statement = take(DVL_QUERY_EVENT_CHAIN);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_true(row);
    struct dvl_value *map = dvl_statement_row(statement, &arena);
    assert_int_equal(map->count, 11);
    assert_string_equal(dvl_value_find_text(map, "node"), "n1");
    assert_string_equal(dvl_value_find(map, "seq")->text, "1");
    assert_int_equal(dvl_value_find(map, "pod")->kind, DVL_VALUE_NULL);
    assert_string_equal(dvl_value_find_text(map, "prev_hash"),
                        "0000000000000000000000000000000000000000000000000000000000000000");
    dvl_statement_done(statement);
    dvl_arena_clear(&arena);
}

static void refuse(enum dvl_query query, void (*bind)(struct dvl_statement *), const char *word)
{
    bool row = true;
    struct dvl_statement *statement = take(query);
    bind(statement);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_DATABASE);
    assert_false(row);
    if (!strstr(error.message, word))
        fail_msg("%s", error.message);
}

static void bind_nothing(struct dvl_statement *statement)
{
    (void)statement;
}

static void bind_twice(struct dvl_statement *statement)
{
    dvl_bind_text(statement, "name", "a");
    dvl_bind_text(statement, "name", "b");
}

static void bind_unknown(struct dvl_statement *statement)
{
    dvl_bind_int(statement, "nome", 1);
    dvl_bind_text(statement, "name", "a"); /* the first failure stays */
}

static void binds_are_checked(void **state)
{
    bool row;
    (void)state;
    refuse(DVL_QUERY_NODE_BY_NAME, bind_nothing, ":name is not bound");
    refuse(DVL_QUERY_NODE_BY_NAME, bind_twice, ":name is bound twice");
    refuse(DVL_QUERY_NODE_BY_NAME, bind_unknown, "no :nome");
    struct dvl_statement *statement = take(DVL_QUERY_NODE_BY_NAME); /* nothing is left of it */
    dvl_bind_text(statement, "name", "n1");
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_false(row);
}

static void null_is_bound_as_null(void **state)
{
    bool row;
    (void)state;
    struct dvl_statement *statement = take(DVL_QUERY_NODE_BY_NAME);
    dvl_bind_text(statement, "name", NULL);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_false(row);
    statement = take(DVL_QUERY_NODE_BY_NAME);
    dvl_bind_int_or_null(statement, "name", DVL_UNSET);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_false(row);
    statement = take(DVL_QUERY_NODE_BY_NAME);
    dvl_bind_blob(statement, "name", NULL, 0);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    statement = take(DVL_QUERY_NODE_BY_NAME);
    dvl_bind_real(statement, "name", 1.5);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_false(row);
}

static void a_statement_is_taken_once_at_a_time(void **state)
{
    struct dvl_statement *again;
    bool row;
    (void)state;
    insert_node("n1");
    insert_node("n2");
    struct dvl_statement *statement = take(DVL_QUERY_NODE_LIST);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_int_equal(dvl_statement_take(store, DVL_QUERY_NODE_LIST, &again, &error), DVL_DATABASE);
    assert_null(again);
    dvl_statement_done(statement);
    dvl_statement_done(statement);
    dvl_statement_done(NULL);
    assert_ptr_equal(take(DVL_QUERY_NODE_LIST), statement);
}

static void a_rollback_ends_walks(void **state)
{
    struct dvl_statement *statement;
    bool row;
    (void)state;
    insert_node("n1");
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    statement = take(DVL_QUERY_NODE_LIST);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_true(row);
    assert_int_equal(dvl_store_begin(store, DVL_READ, &error), DVL_OK);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK); /* the outer walk goes on */
    assert_int_equal(dvl_store_end(store, false, &error), DVL_OK);
    statement = take(DVL_QUERY_NODE_LIST);
    assert_int_equal(dvl_statement_step(statement, &row, &error), DVL_OK);
    assert_true(row);
    dvl_statement_done(statement);
}

static void writing_needs_a_write_transaction(void **state)
{
    struct dvl_statement *statement;
    (void)state;
    assert_int_equal(dvl_statement_take(store, DVL_QUERY_NODE_INSERT, &statement, &error), DVL_DATABASE);
    assert_int_equal(dvl_store_begin(store, DVL_READ, &error), DVL_OK);
    assert_int_equal(dvl_statement_take(store, DVL_QUERY_NODE_INSERT, &statement, &error), DVL_DATABASE);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
}

static void a_refusal_of_the_schema_is_a_conflict(void **state)
{
    int64_t changed = 0;
    (void)state;
    insert_node("n1");
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(scratch_insert(store, "n1", &error), DVL_CONFLICT);
    assert_int_equal(strncmp(error.message, "key_taken: ", 11), 0);
    struct dvl_statement *statement = take(DVL_QUERY_NODE_REMOVE);
    dvl_bind_int(statement, "id", 1);
    dvl_bind_int(statement, "now", 2);
    assert_int_equal(dvl_statement_run(statement, &changed, &error), DVL_OK);
    assert_int_equal(changed, 1);
    statement = take(DVL_QUERY_NODE_REMOVE);
    dvl_bind_int(statement, "id", 1);
    dvl_bind_int(statement, "now", 3);
    assert_int_equal(dvl_statement_run(statement, &changed, &error), DVL_OK);
    assert_int_equal(changed, 0);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_query_prepares),
        TEST(no_query_scans_without_a_reason),
        TEST(rows_come_by_name),
        TEST(a_row_becomes_a_map),
        TEST(binds_are_checked),
        TEST(null_is_bound_as_null),
        TEST(a_statement_is_taken_once_at_a_time),
        TEST(a_rollback_ends_walks),
        TEST(writing_needs_a_write_transaction),
        TEST(a_refusal_of_the_schema_is_a_conflict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
