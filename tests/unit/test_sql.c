/* Read-only SQL for people: what it lets through and what it stops. */
#include "render/json.h"
#include "store/connection.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct scratch scratch;
static struct dvl_store *store;
static struct dvl_error error;
static struct dvl_buffer seen; /* rows as JSON, one a line */

static int set_up(void **state)
{
    (void)state;
    dvl_error_clear(&error);
    dvl_buffer_init(&seen);
    if (!scratch_make(&scratch) || scratch_open(scratch.path, &store, &error) != DVL_OK)
        return -1;
    return scratch_write(store, "n1", &error) == DVL_OK && scratch_write(store, "n2", &error) == DVL_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    dvl_store_close(store);
    dvl_buffer_clear(&seen);
    scratch_remove(&scratch);
    return 0;
}

static int take_row(void *context, const struct dvl_value *row)
{
    int *left = context;
    dvl_json_write(&seen, row);
    dvl_buffer_char(&seen, '\n');
    return left && --*left == 0;
}

static enum dvl_status run(const char *query)
{
    dvl_buffer_reset(&seen);
    return dvl_store_sql(store, query, NULL, 0, NULL, take_row, NULL, &error);
}

static void expect_rows(const char *query, const char *rows)
{
    if (run(query) != DVL_OK)
        fail_msg("%s: %s", query, error.message);
    assert_string_equal(seen.text, rows);
}

static void expect_refusal(const char *query, enum dvl_status status, const char *word)
{
    enum dvl_status found = run(query);
    if (found != status || !strstr(error.message, word))
        fail_msg("%s: %d: %s", query, (int)found, found == DVL_OK ? seen.text : error.message);
    assert_int_equal(dvl_store_depth(store), 0);
}

static void rows_and_types(void **state)
{
    (void)state;
    expect_rows("SELECT name FROM node ORDER BY name", "{\"name\":\"n1\"}\n{\"name\":\"n2\"}\n");
    expect_rows("SELECT 1 AS i, 1.5 AS r, NULL AS n, 'x' AS t, x'00ff' AS b, 9223372036854775807 AS big",
                "{\"i\":1,\"r\":1.5,\"n\":null,\"t\":\"x\",\"b\":\"00ff\",\"big\":9223372036854775807}\n");
    expect_rows("SELECT 1 AS a, 2 AS a", "{\"a\":1,\"a:2\":2}\n");
    expect_rows("SELECT 1 AS a WHERE 0", "");
    expect_rows("  -- a comment\n SELECT 1 AS a ; ; -- end\n /* x */ ", "{\"a\":1}\n");
    expect_rows("SELECT count(*) AS c FROM nodes", "{\"c\":2}\n");
}

static void recursion_json_and_windows(void **state)
{
    (void)state;
    expect_rows(
        "WITH RECURSIVE t (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 3) SELECT sum(x) AS s FROM t",
        "{\"s\":6}\n");
    expect_rows("WITH t (x) AS (VALUES (1), (2)) SELECT count(*) AS c FROM t", "{\"c\":2}\n");
    expect_rows("SELECT 1 AS a FROM (SELECT name FROM node) AS found", "{\"a\":1}\n{\"a\":1}\n");
    expect_rows("SELECT value FROM json_each('[1,2]')", "{\"value\":1}\n{\"value\":2}\n");
    expect_rows("SELECT row_number() OVER (ORDER BY name DESC) AS n, name FROM node",
                "{\"n\":1,\"name\":\"n2\"}\n{\"n\":2,\"name\":\"n1\"}\n");
    expect_rows("SELECT group_concat(name, '+') AS g FROM (SELECT name FROM node ORDER BY name)",
                "{\"g\":\"n1+n2\"}\n");
}

static void the_schema_can_be_looked_at(void **state)
{
    (void)state;
    assert_int_equal(run("SELECT name, sql FROM sqlite_schema"), DVL_OK);
    assert_non_null(strstr(seen.text, "CREATE TABLE node"));
    assert_int_equal(run("PRAGMA table_info(node)"), DVL_OK);
    assert_non_null(strstr(seen.text, "\"name\":\"labels\""));
    assert_int_equal(run("SELECT name FROM pragma_table_info('node')"), DVL_OK);
    assert_non_null(strstr(seen.text, "labels"));
    assert_int_equal(run("PRAGMA table_list"), DVL_OK);
    assert_int_equal(run("PRAGMA index_list(device)"), DVL_OK);
    assert_int_equal(run("PRAGMA user_version"), DVL_OK);
    assert_int_equal(run("EXPLAIN QUERY PLAN SELECT * FROM node"), DVL_OK);
}

static void writing_is_forbidden(void **state)
{
    static const char *const queries[] = {
        "DELETE FROM node",
        "UPDATE node SET name = 'x'",
        "INSERT INTO node (name, updated_at) VALUES ('x', 1)",
        "REPLACE INTO node (name, updated_at) VALUES ('x', 1)",
        "INSERT INTO node (name, updated_at) VALUES ('x', 1) RETURNING id",
        "WITH x AS (SELECT 1) DELETE FROM node",
        "CREATE TABLE t (x)",
        "CREATE TEMP TABLE t (x)",
        "CREATE TEMP VIEW v AS SELECT 1",
        "CREATE VIRTUAL TABLE t USING fts5(x)",
        "CREATE INDEX i ON node (name)",
        "DROP TABLE node",
        "DROP TRIGGER node_insert",
        "ALTER TABLE node ADD COLUMN x",
        "VACUUM",
        "VACUUM INTO '/tmp/devledger-test-copy'",
        "ATTACH '/tmp/devledger-test-copy' AS x",
        "DETACH main",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT x",
        "RELEASE level",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA journal_mode",
        "PRAGMA wal_checkpoint",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "PRAGMA user_version = 9",
        "PRAGMA application_id = 9",
        "PRAGMA writable_schema = ON",
        "PRAGMA foreign_keys = OFF",
        "PRAGMA query_only = OFF",
        "PRAGMA trusted_schema = ON",
        "PRAGMA optimize",
        "PRAGMA incremental_vacuum",
        "PRAGMA hard_heap_limit = 1",
        "PRAGMA temp_store_directory = '/tmp'",
        "PRAGMA data_store_directory = '/tmp'",
        "PRAGMA page_size = 512",
        "PRAGMA encoding = 'UTF-16'",
        "PRAGMA schema_version = 1",
        "SELECT * FROM pragma_journal_mode",
        "SELECT * FROM pragma_optimize",
        "SELECT * FROM pragma_wal_checkpoint",
        "SELECT load_extension('x')",
        "SELECT fts3_tokenizer('simple')",
        "SELECT writefile('/tmp/devledger-test-copy', 'x')",
        "SELECT devledger_library_only()",
        "SELECT randomblob(10)",
        "SELECT * FROM dbstat",
        "SELECT * FROM sqlite_stmt",
        "SELECT * FROM fts3tokenize('simple', 'x')",
        "SELECT name FROM node WHERE load_extension('x')",
    };
    int64_t nodes, events;
    (void)state;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        enum dvl_status status = run(queries[i]);
        if (status != DVL_FORBIDDEN && status != DVL_BAD_INPUT)
            fail_msg("%s: %d %s", queries[i], (int)status, seen.text);
        assert_string_equal(seen.text, "");
    }
    assert_int_equal(access("/tmp/devledger-test-copy", F_OK), -1);
    assert_int_equal(scratch_count(store, &nodes, &events, &error), DVL_OK);
    assert_int_equal(nodes, 2);
    assert_int_equal(scratch_problems(store, &error), 0);
}

static void a_refusal_names_what_was_not_allowed(void **state)
{
    (void)state;
    expect_refusal("DELETE FROM node", DVL_FORBIDDEN, "DELETE node");
    expect_refusal("PRAGMA journal_mode", DVL_FORBIDDEN, "PRAGMA journal_mode");
    expect_refusal("SELECT randomblob(10)", DVL_FORBIDDEN, "function randomblob");
    expect_refusal("VACUUM INTO '/tmp/devledger-test-copy'", DVL_FORBIDDEN, "writes");
    expect_refusal("SELECT * FROM dbstat", DVL_FORBIDDEN, "not allowed");
    expect_refusal("SELECT count(*) FROM dbstat", DVL_FORBIDDEN, "not allowed");
    expect_refusal("SELECT count(*) FROM pragma_journal_mode", DVL_FORBIDDEN, "not allowed");
}

static void what_does_not_parse_is_bad_input(void **state)
{
    (void)state;
    expect_refusal("SELEC 1", DVL_BAD_INPUT, "syntax error");
    expect_refusal("SELECT nosuch FROM node", DVL_BAD_INPUT, "no such column");
    expect_refusal("SELECT * FROM nosuch", DVL_BAD_INPUT, "no such table");
    expect_refusal("SELECT nosuch()", DVL_BAD_INPUT, "no such function");
    expect_refusal("SELECT name FROM node WHERE name = \"n1\"", DVL_BAD_INPUT, "no such column");
    expect_refusal("", DVL_BAD_INPUT, "no statement");
    expect_refusal("-- only a comment", DVL_BAD_INPUT, "no statement");
    expect_refusal("SELECT 1; SELECT 2", DVL_BAD_INPUT, "more than one");
    expect_refusal("SELECT 1; DROP TABLE node", DVL_BAD_INPUT, "more than one");
}

static enum dvl_status run_with(const char *query, const struct dvl_sql_parameter *parameters, size_t count)
{
    dvl_buffer_reset(&seen);
    return dvl_store_sql(store, query, parameters, count, NULL, take_row, NULL, &error);
}

static void parameters_have_names_and_types(void **state)
{
    const struct dvl_sql_parameter name = {"name", "n2"}, ten = {"x", "10"}, seven = {"x", "007"}, half = {"x", "1.5"},
                                   word = {"x", "1e3"}, minus = {"x", "-3"};
    const struct dvl_sql_parameter both[] = {name, ten};
    (void)state;
    assert_int_equal(run_with("SELECT name FROM node WHERE name = :name", &name, 1), DVL_OK);
    assert_string_equal(seen.text, "{\"name\":\"n2\"}\n");
    assert_int_equal(run_with("SELECT name FROM node WHERE name = @name OR name = $name", &name, 1), DVL_OK);
    assert_string_equal(seen.text, "{\"name\":\"n2\"}\n");
    assert_int_equal(run_with("SELECT 2 + 3 < :x AS less, typeof(:x) AS t", &ten, 1), DVL_OK);
    assert_string_equal(seen.text, "{\"less\":1,\"t\":\"integer\"}\n");
    assert_int_equal(run_with("SELECT typeof(:x) AS t", &seven, 1), DVL_OK);
    assert_string_equal(seen.text, "{\"t\":\"text\"}\n");
    assert_int_equal(run_with("SELECT typeof(:x) AS t", &half, 1), DVL_OK);
    assert_string_equal(seen.text, "{\"t\":\"real\"}\n");
    assert_int_equal(run_with("SELECT typeof(:x) AS t", &word, 1), DVL_OK);
    assert_string_equal(seen.text, "{\"t\":\"text\"}\n");
    assert_int_equal(run_with("SELECT typeof(:x) AS t", &minus, 1), DVL_OK);
    assert_string_equal(seen.text, "{\"t\":\"integer\"}\n");
    assert_int_equal(run_with("SELECT :name AS n", both, 2), DVL_BAD_INPUT);
    assert_non_null(strstr(error.message, ":x"));
    assert_int_equal(run_with("SELECT :name AS n", NULL, 0), DVL_BAD_INPUT);
    assert_non_null(strstr(error.message, ":name"));
    assert_int_equal(run_with("SELECT ? AS n", &name, 1), DVL_BAD_INPUT);
    assert_int_equal(run_with("SELECT ?1 AS n", &name, 1), DVL_BAD_INPUT);
}

static void limits_hold(void **state)
{
    static const char endless[] =
        "WITH RECURSIVE t (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT max(x) AS m FROM t";
    static const char many[] =
        "WITH RECURSIVE t (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 1000) SELECT x FROM t";
    /* Few bytes of text, but each value takes room wherever it is kept. */
    static const char thin[] =
        "WITH RECURSIVE t (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 3000) SELECT NULL AS x FROM t";
    const struct dvl_sql_limits soon = {.time_ms = 50}, small = {.bytes = 100}, some = {.bytes = 100000};
    (void)state;
    assert_int_equal(dvl_store_sql(store, endless, NULL, 0, &soon, take_row, NULL, &error), DVL_FORBIDDEN);
    assert_non_null(strstr(error.message, "50 ms"));
    assert_int_equal(dvl_store_sql(store, many, NULL, 0, &small, take_row, NULL, &error), DVL_FORBIDDEN);
    assert_non_null(strstr(error.message, "100 bytes"));
    assert_int_equal(dvl_store_sql(store, thin, NULL, 0, &some, take_row, NULL, &error), DVL_FORBIDDEN);
    expect_refusal("SELECT zeroblob(100000000) AS z", DVL_BAD_INPUT, "too big");
    /* And afterwards all is as before. */
    expect_rows("SELECT 1 AS a", "{\"a\":1}\n");
    assert_int_equal(scratch_write(store, "n3", &error), DVL_OK);
}

static void memory_is_limited(void **state)
{
    (void)state;
    expect_refusal("WITH RECURSIVE t (x, y) AS (SELECT 1, zeroblob(4000000) UNION ALL SELECT x + 1, y FROM t)"
                   " SELECT x, y FROM t ORDER BY y, x",
                   DVL_FORBIDDEN, "memory");
}

static void a_reader_may_stop_early(void **state)
{
    int left = 1;
    (void)state;
    dvl_buffer_reset(&seen);
    assert_int_equal(
        dvl_store_sql(store, "SELECT name FROM node ORDER BY name", NULL, 0, NULL, take_row, &left, &error), DVL_OK);
    assert_string_equal(seen.text, "{\"name\":\"n1\"}\n");
}

static void inside_an_outer_transaction_it_sees_what_is_not_committed(void **state)
{
    (void)state;
    assert_int_equal(dvl_store_outer_begin(store, 30000, &error), DVL_OK);
    assert_int_equal(scratch_write(store, "n3", &error), DVL_OK);
    expect_rows("SELECT count(*) AS c FROM node", "{\"c\":3}\n");
    assert_int_equal(run("DELETE FROM node"), DVL_FORBIDDEN);
    assert_int_equal(dvl_store_outer_end(store, false, &error), DVL_OK);
    expect_rows("SELECT count(*) AS c FROM node", "{\"c\":2}\n");
}

static void each_listed_function_is_found(void **state)
{
    /* The list is searched by halves: a name out of order would be lost. */
    static const char *const calls[] = {
        "abs(1)",
        "avg(1)",
        "char(65)",
        "coalesce(1, 2)",
        "count(*)",
        "date(0)",
        "datetime(0)",
        "exp(1)",
        "format('%d', 1)",
        "glob('a', 'a')",
        "hex('a')",
        "iif(1, 2, 3)",
        "ifnull(1, 2)",
        "instr('a', 'a')",
        "json('[]')",
        "json_array()",
        "json_object()",
        "json_type('1')",
        "json_extract('[]', '$')",
        "json_valid('1')",
        "julianday(0)",
        "length('a')",
        "like('a', 'a')",
        "likely(1)",
        "ln(1)",
        "log(1)",
        "log10(1)",
        "log2(1)",
        "lower('A')",
        "ltrim('a')",
        "max(1, 2)",
        "min(1, 2)",
        "mod(3, 2)",
        "nullif(1, 2)",
        "pi()",
        "pow(1, 2)",
        "power(1, 2)",
        "printf('x')",
        "quote('a')",
        "random()",
        "replace('a', 'a', 'b')",
        "round(1.5)",
        "rtrim('a')",
        "sign(1)",
        "sqlite_version()",
        "sqrt(4)",
        "strftime('%s', 0)",
        "substr('a', 1)",
        "substring('a', 1)",
        "sum(1)",
        "time(0)",
        "total(1)",
        "trim('a')",
        "trunc(1.5)",
        "typeof(1)",
        "unicode('a')",
        "unixepoch(0)",
        "upper('a')",
        "zeroblob(1)",
        "'[1]' -> 0",
        "'[1]' ->> 0",
        "current_timestamp",
        "json_group_array(1)",
        "json_quote('a')",
        "json_set('{}', '$.a', 1)",
        "acos(1)",
        "atan2(1, 1)",
        "ceil(1.5)",
        "floor(1.5)",
        "degrees(1)",
        "tanh(1)",
        "json_array_length('[]')",
        "json_remove('[1]', '$[0]')",
        "json_patch('{}', '{}')",
        "unlikely(1)",
        "likelihood(1, 0.5)",
        "current_date",
        "current_time",
        "group_concat(1)",
    };
    char query[128];
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        (void)snprintf(query, sizeof query, "SELECT %s AS x", calls[i]);
        if (run(query) != DVL_OK)
            fail_msg("%s: %s", query, error.message);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_and_types),
        TEST(recursion_json_and_windows),
        TEST(the_schema_can_be_looked_at),
        TEST(writing_is_forbidden),
        TEST(a_refusal_names_what_was_not_allowed),
        TEST(what_does_not_parse_is_bad_input),
        TEST(parameters_have_names_and_types),
        TEST(limits_hold),
        TEST(memory_is_limited),
        TEST(a_reader_may_stop_early),
        TEST(inside_an_outer_transaction_it_sees_what_is_not_committed),
        TEST(each_listed_function_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
