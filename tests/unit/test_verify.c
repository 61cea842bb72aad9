/* Verify and backup: a sound ledger is sound, and each kind of damage is named. */
#include "render/json.h"
#include "store/connection.h"
#include "support/scratch.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct scratch scratch;
static struct dvl_store *store;
static struct dvl_error error;
static struct dvl_arena arena;

static int set_up(void **state)
{
    (void)state;
    dvl_error_clear(&error);
    dvl_arena_init(&arena, 0);
    if (!scratch_make(&scratch) || scratch_open(scratch.path, &store, &error) != DVL_OK)
        return -1;
    for (int i = 1; i <= 5; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "n%d", i);
        if (scratch_write(store, name, &error) != DVL_OK)
            return -1;
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    dvl_store_close(store);
    dvl_arena_clear(&arena);
    scratch_remove(&scratch);
    return 0;
}

static const struct dvl_value *verify(const char *expect)
{
    struct dvl_value *answer = NULL;
    if (dvl_store_verify(store, expect, &arena, &answer, &error) != DVL_OK)
        fail_msg("%s", error.message);
    assert_int_equal(dvl_store_depth(store), 0);
    return answer;
}

/* Behind the library's back, with all guards off. */
static void tamper(const char *text)
{
    sqlite3 *db;
    char *message = NULL;
    assert_int_equal(sqlite3_open(scratch.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* The first problem is of this kind, and says this. */
static void expect_problem(const char *kind, const char *word)
{
    const struct dvl_value *problems = dvl_value_find(verify(NULL), "problems");
    for (const struct dvl_value *problem = problems->first; problem; problem = problem->next)
        if (strcmp(dvl_value_find_text(problem, "kind"), kind) == 0 &&
            strstr(dvl_value_find_text(problem, "text"), word))
            return;
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_json_write(&text, problems);
    fail_msg("%s %s is not in %s", kind, word, text.text);
}

static void a_sound_ledger_has_no_problems(void **state)
{
    const struct dvl_value *answer = verify(NULL);
    (void)state;
    assert_int_equal(dvl_value_find(answer, "problems")->count, 0);
    assert_string_equal(dvl_value_find(answer, "events")->text, "5");
    assert_string_equal(dvl_value_find(answer, "conflicts")->text, "0");
    assert_int_equal(strlen(dvl_value_find_text(answer, "head")), 64);
    assert_null(dvl_value_find(answer, "expected"));
}

static void an_empty_ledger_has_a_head_of_zeros(void **state)
{
    const char *zeros = "0000000000000000000000000000000000000000000000000000000000000000";
    (void)state;
    dvl_store_close(store);
    assert_int_equal(scratch_open(":memory:", &store, &error), DVL_OK);
    const struct dvl_value *answer = verify(zeros);
    assert_string_equal(dvl_value_find(answer, "events")->text, "0");
    assert_string_equal(dvl_value_find_text(answer, "head"), zeros);
    assert_string_equal(dvl_value_find_text(answer, "expected"), "found");
}

static void a_noted_hash_is_looked_for(void **state)
{
    char noted[80];
    struct dvl_value *answer;
    (void)state;
    (void)snprintf(noted, sizeof noted, "%s", dvl_value_find_text(verify(NULL), "head"));
    assert_int_equal(scratch_write(store, "n6", &error), DVL_OK);
    assert_string_equal(dvl_value_find_text(verify(noted), "expected"), "found");
    for (char *c = noted; *c; c++)
        *c = (char)(*c >= 'a' ? *c - 'a' + 'A' : *c);
    assert_string_equal(dvl_value_find_text(verify(noted), "expected"), "found");
    noted[0] = noted[0] == '0' ? '1' : '0';
    assert_string_equal(dvl_value_find_text(verify(noted), "expected"), "missing");
    assert_int_equal(dvl_store_verify(store, "12ab", &arena, &answer, &error), DVL_BAD_INPUT);
    noted[5] = 'g';
    assert_int_equal(dvl_store_verify(store, noted, &arena, &answer, &error), DVL_BAD_INPUT);
}

static void a_changed_event_breaks_the_chain_there(void **state)
{
    (void)state;
    tamper("UPDATE event SET actor = 'mallory' WHERE seq = 3");
    expect_problem("chain", "event 3: its hash is not that of what it says");
    assert_string_equal(dvl_value_find(verify(NULL), "events")->text, "2");
}

static void a_missing_event_is_noticed(void **state)
{
    (void)state;
    tamper("DELETE FROM event WHERE seq = 3");
    expect_problem("chain", "event 4: an event before it is missing");
}

static void a_rewritten_hash_breaks_the_next(void **state)
{
    (void)state;
    tamper("UPDATE event SET prev_hash = zeroblob(32) WHERE seq = 2");
    expect_problem("chain", "event 2: its prev_hash");
}

static void a_cut_end_is_noticed_by_a_noted_hash(void **state)
{
    char noted[80];
    (void)state;
    (void)snprintf(noted, sizeof noted, "%s", dvl_value_find_text(verify(NULL), "head"));
    tamper("DELETE FROM event WHERE seq = 5");
    const struct dvl_value *answer = verify(noted);
    assert_int_equal(dvl_value_find(answer, "problems")->count, 0);
    assert_string_equal(dvl_value_find_text(answer, "expected"), "missing");
}

static void rows_that_no_event_tells_of_are_noticed(void **state)
{
    (void)state;
    tamper("UPDATE node_version SET valid_from = (SELECT max(at) + 1 FROM event) WHERE node_id = 2");
    expect_problem("chain", "a row of node_version is newer than the last event");
    tamper("DELETE FROM event");
    expect_problem("chain", "a row of node_version is newer than the last event");
}

static void a_changed_configuration_is_noticed(void **state)
{
    (void)state;
    tamper("INSERT INTO config (kind, text, sha256, applied_at) VALUES ('scheduler', 'a',"
           " 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', 1)");
    assert_int_equal(dvl_value_find(verify(NULL), "problems")->count, 0);
    tamper("UPDATE config SET text = 'b'");
    expect_problem("config", "configuration 1 (scheduler): its text is not that of its sha256");
}

static void a_hash_behind_the_break_is_not_found(void **state)
{
    char noted[80];
    (void)state;
    (void)snprintf(noted, sizeof noted, "%s", dvl_value_find_text(verify(NULL), "head"));
    tamper("UPDATE event SET actor = 'mallory' WHERE seq = 1");
    assert_string_equal(dvl_value_find_text(verify(noted), "expected"), "missing");
}

static void wrong_sums_are_noticed(void **state)
{
    (void)state;
    tamper("INSERT INTO device (node_id, backend, idx, uuid, memory, used_memory, updated_at)"
           " VALUES (1, 'vgpu', 0, 'GPU-1', 100, 7, 1)");
    expect_problem("used_amounts", "GPU-1");
    expect_problem("version", "device 1 has no open version");
}

static void wrong_versions_are_noticed(void **state)
{
    (void)state;
    tamper("UPDATE node SET labels = '{\"a\":\"b\"}' WHERE name = 'n2';"
           "UPDATE node_version SET valid_to = 9 WHERE node_id = 3;"
           "UPDATE node SET removed_at = 9 WHERE name = 'n4';"
           "INSERT INTO node_version (node_id, labels, annotations, capacity, allocatable, valid_from, valid_to)"
           " VALUES (5, '{}', '{}', '{}', '{}', 1, 2)");
    expect_problem("version", "node n2 is not what");
    expect_problem("version", "node n3 has no open version");
    expect_problem("version", "node n4 is removed and has");
    expect_problem("version", "node 5: version 6 begins before");
}

static void dangling_references_are_noticed(void **state)
{
    (void)state;
    tamper("PRAGMA foreign_keys = OFF; DELETE FROM node WHERE name = 'n1'");
    expect_problem("reference", "of node_version refers to a row of node that is not there");
}

static void a_changed_definition_is_noticed(void **state)
{
    (void)state;
    tamper("DROP TRIGGER event_update; DROP VIEW events; CREATE VIEW events AS SELECT 1 AS x; CREATE TABLE extra (x)");
    expect_problem("schema", "the trigger event_update is missing");
    expect_problem("schema", "the view events was changed");
    expect_problem("schema", "the table extra is not this program's");
}

static void a_view_that_does_not_read_ends_nothing(void **state)
{
    (void)state;
    tamper("DROP VIEW conflicts");
    expect_problem("conflicts", "conflicts");
    expect_problem("schema", "the view conflicts is missing");
    assert_int_equal(dvl_value_find(verify(NULL), "conflicts")->kind, DVL_VALUE_NULL);
}

static void damaged_pages_are_noticed(void **state)
{
    struct stat found;
    char rubbish[512];
    (void)state;
    memset(rubbish, 0x5a, sizeof rubbish);
    dvl_store_close(store);
    store = NULL;
    assert_int_equal(stat(scratch.path, &found), 0);
    int file = open(scratch.path, O_RDWR | O_CLOEXEC);
    /* All pages but the first few, which hold the definition. */
    sqlite3 *db;
    sqlite3_stmt *raw;
    assert_int_equal(sqlite3_open(scratch.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'event'", -1, &raw, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(raw), SQLITE_ROW);
    off_t page = sqlite3_column_int(raw, 0);
    sqlite3_finalize(raw);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(pwrite(file, rubbish, sizeof rubbish, (page - 1) * 4096), sizeof rubbish);
    close(file);
    assert_int_equal(scratch_open(scratch.path, &store, &error), DVL_OK);
    expect_problem("integrity", "");
    expect_problem("chain", "malformed");
}

static void many_problems_are_counted_not_listed(void **state)
{
    (void)state;
    tamper("WITH RECURSIVE t (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 150)"
           " INSERT INTO device (node_id, backend, idx, memory, used_memory, updated_at)"
           " SELECT 1, 'vgpu', x, 100, 7, 1 FROM t");
    expect_problem("used_amounts", "and 50 more");
}

/* ---- Backup ---- */

static void a_backup_is_the_ledger(void **state)
{
    char path[128];
    struct stat found;
    struct dvl_store *copy;
    int64_t nodes, events;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/copy.db", scratch.folder);
    if (dvl_store_backup(store, path, &error) != DVL_OK)
        fail_msg("%s", error.message);
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 07777, 0600);
    assert_int_equal(access(scratch_file(&scratch, "copy.db-wal"), F_OK), -1);
    assert_int_equal(scratch_write(store, "n6", &error), DVL_OK);
    assert_int_equal(scratch_open_read_only(path, &copy, &error), DVL_OK);
    assert_int_equal(scratch_count(copy, &nodes, &events, &error), DVL_OK);
    assert_int_equal(nodes, 5);
    assert_int_equal(events, 5);
    assert_int_equal(scratch_problems(copy, &error), 0);
    dvl_store_close(copy);
    assert_int_equal(scratch_open(path, &copy, &error), DVL_OK);
    assert_int_equal(scratch_write(copy, "n6", &error), DVL_OK);
    dvl_store_close(copy);
}

static void a_backup_replaces_nothing(void **state)
{
    char path[128];
    (void)state;
    (void)snprintf(path, sizeof path, "%s/copy.db", scratch.folder);
    assert_int_equal(dvl_store_backup(store, path, &error), DVL_OK);
    assert_int_equal(dvl_store_backup(store, path, &error), DVL_CONFLICT);
    assert_int_equal(dvl_store_backup(store, scratch.path, &error), DVL_CONFLICT);
    assert_int_equal(dvl_store_backup(store, scratch_file(&scratch, "no/copy.db"), &error), DVL_NOT_FOUND);
    assert_int_equal(scratch_problems(store, &error), 0);
}

static void a_backup_of_what_is_not_committed_is_refused(void **state)
{
    char path[128];
    (void)state;
    (void)snprintf(path, sizeof path, "%s/copy.db", scratch.folder);
    assert_int_equal(dvl_store_outer_begin(store, 30000, &error), DVL_OK);
    assert_int_equal(dvl_store_backup(store, path, &error), DVL_CONFLICT);
    assert_int_equal(dvl_store_outer_end(store, false, &error), DVL_OK);
    assert_int_equal(access(path, F_OK), -1);
}

static void memory_can_be_backed_up(void **state)
{
    char path[128];
    struct dvl_store *memory, *copy;
    int64_t nodes, events;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/copy.db", scratch.folder);
    assert_int_equal(scratch_open(":memory:", &memory, &error), DVL_OK);
    assert_int_equal(scratch_write(memory, "n1", &error), DVL_OK);
    assert_int_equal(dvl_store_backup(memory, path, &error), DVL_OK);
    dvl_store_close(memory);
    assert_int_equal(scratch_open_read_only(path, &copy, &error), DVL_OK);
    assert_int_equal(scratch_count(copy, &nodes, &events, &error), DVL_OK);
    assert_int_equal(nodes, 1);
    dvl_store_close(copy);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_sound_ledger_has_no_problems),
        TEST(an_empty_ledger_has_a_head_of_zeros),
        TEST(a_noted_hash_is_looked_for),
        TEST(a_changed_event_breaks_the_chain_there),
        TEST(a_missing_event_is_noticed),
        TEST(a_rewritten_hash_breaks_the_next),
        TEST(a_cut_end_is_noticed_by_a_noted_hash),
        TEST(rows_that_no_event_tells_of_are_noticed),
        TEST(a_changed_configuration_is_noticed),
        TEST(a_hash_behind_the_break_is_not_found),
        TEST(wrong_sums_are_noticed),
        TEST(wrong_versions_are_noticed),
        TEST(dangling_references_are_noticed),
        TEST(a_changed_definition_is_noticed),
        TEST(a_view_that_does_not_read_ends_nothing),
        TEST(damaged_pages_are_noticed),
        TEST(many_problems_are_counted_not_listed),
        TEST(a_backup_is_the_ledger),
        TEST(a_backup_replaces_nothing),
        TEST(a_backup_of_what_is_not_committed_is_refused),
        TEST(memory_can_be_backed_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
