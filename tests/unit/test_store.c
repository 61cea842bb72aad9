/* Opening, refusing, transactions, savepoints, the batch's outer transaction. */
#include "store/connection.h"
#include "support/scratch.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static struct scratch scratch;
static struct dvl_error error;

static int set_up(void **state)
{
    (void)state;
    dvl_error_clear(&error);
    return scratch_make(&scratch) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(&scratch);
    return 0;
}

static struct dvl_store *open_it(void)
{
    struct dvl_store *store = NULL;
    enum dvl_status status = scratch_open(scratch.path, &store, &error);
    if (status != DVL_OK)
        fail_msg("%s", error.message);
    return store;
}

static bool has_node(struct dvl_store *store, const char *name)
{
    bool found = false;
    assert_int_equal(scratch_has_node(store, name, &found, &error), DVL_OK);
    return found;
}

static mode_t mode_of(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? found.st_mode & 07777 : 0;
}

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* All bytes of a file; the caller frees. */
static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *length = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/* ---- Opening ---- */

static void a_new_ledger_is_private_and_whole(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(mode_of(scratch.path), 0600);
    assert_int_equal(mode_of(scratch_file(&scratch, "ledger.db-turn-a")), 0600);
    assert_int_equal(mode_of(scratch_file(&scratch, "ledger.db-turn-b")), 0600);
    assert_int_equal(mode_of(scratch_file(&scratch, "ledger.db-wal")), 0600);
    assert_false(dvl_store_is_read_only(store));
    assert_string_equal(strrchr(dvl_store_path(store), '/'), "/ledger.db");
    assert_int_equal(scratch_problems(store, &error), 0);
    dvl_store_close(store);
}

static void the_umask_does_not_matter(void **state)
{
    (void)state;
    mode_t before = umask(0);
    struct dvl_store *store = open_it();
    umask(before);
    assert_int_equal(mode_of(scratch.path), 0600);
    dvl_store_close(store);
}

static void lock_files_take_the_mode_of_the_database(void **state)
{
    (void)state;
    dvl_store_close(open_it());
    unlink(scratch_file(&scratch, "ledger.db-turn-a"));
    unlink(scratch_file(&scratch, "ledger.db-turn-b"));
    assert_int_equal(chmod(scratch.path, 0660), 0);
    dvl_store_close(open_it());
    assert_int_equal(mode_of(scratch_file(&scratch, "ledger.db-turn-a")), 0660);
    assert_int_equal(mode_of(scratch_file(&scratch, "ledger.db-turn-b")), 0660);
}

static void what_was_written_is_there_for_the_next(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    dvl_store_close(store);
    store = open_it();
    assert_true(has_node(store, "n1"));
    dvl_store_close(store);
}

static void closing_empties_the_wal(void **state)
{
    struct dvl_store *store = open_it();
    struct stat found;
    (void)state;
    for (int i = 0; i < 3; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "n%d", i);
        assert_int_equal(scratch_write(store, name, &error), DVL_OK);
        dvl_store_close(store);
        store = open_it();
    }
    dvl_store_close(store);
    assert_int_equal(stat(scratch_file(&scratch, "ledger.db-wal"), &found), 0);
    assert_int_equal(found.st_size, 0);
}

static void opening_an_up_to_date_file_writes_nothing(void **state)
{
    size_t before_length, after_length;
    (void)state;
    dvl_store_close(open_it());
    char *before = read_file(scratch.path, &before_length);
    dvl_store_close(open_it());
    char *after = read_file(scratch.path, &after_length);
    assert_int_equal(before_length, after_length);
    assert_memory_equal(before, after, before_length);
    free(before);
    free(after);
}

static void a_missing_file_is_said(void **state)
{
    struct dvl_store *store;
    const struct dvl_store_options writer = {.path = scratch.path};
    (void)state;
    assert_int_equal(scratch_open_read_only(scratch.path, &store, &error), DVL_NOT_FOUND);
    assert_null(store);
    assert_int_equal(dvl_store_open(&writer, &store, &error), DVL_NOT_FOUND);
    assert_int_equal(access(scratch.path, F_OK), -1);
    assert_int_equal(scratch_open(scratch_file(&scratch, "no/such.db"), &store, &error), DVL_NOT_FOUND);
    assert_non_null(strstr(error.message, "/no"));
    assert_int_equal(scratch_open("", &store, &error), DVL_BAD_INPUT);
}

static void an_empty_file_becomes_a_ledger_only_on_wish(void **state)
{
    struct dvl_store *store;
    const struct dvl_store_options writer = {.path = scratch.path};
    (void)state;
    write_file(scratch.path, "", 0);
    assert_int_equal(scratch_open_read_only(scratch.path, &store, &error), DVL_NOT_FOUND);
    assert_int_equal(dvl_store_open(&writer, &store, &error), DVL_NOT_FOUND);
    store = open_it();
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    dvl_store_close(store);
}

static void refuse_untouched(const char *bytes, size_t length, const char *word)
{
    struct dvl_store *store;
    size_t after_length;
    write_file(scratch.path, bytes, length);
    assert_int_equal(scratch_open(scratch.path, &store, &error), DVL_UNSUPPORTED);
    assert_non_null(strstr(error.message, word));
    assert_int_equal(scratch_open_read_only(scratch.path, &store, &error), DVL_UNSUPPORTED);
    char *after = read_file(scratch.path, &after_length);
    assert_int_equal(after_length, length);
    assert_memory_equal(after, bytes, length);
    free(after);
    assert_int_equal(access(scratch_file(&scratch, "ledger.db-wal"), F_OK), -1);
    assert_int_equal(access(scratch_file(&scratch, "ledger.db-shm"), F_OK), -1);
    assert_int_equal(access(scratch_file(&scratch, "ledger.db-turn-a"), F_OK), -1);
}

static void what_is_no_database_is_refused_untouched(void **state)
{
    char big[5000];
    (void)state;
    memset(big, 'x', sizeof big);
    refuse_untouched("hello\n", 6, "not a database");
    refuse_untouched(big, sizeof big, "not a database");
    refuse_untouched("SQLite format 3", 16, "not a database");
}

static void another_programs_database_is_refused_untouched(void **state)
{
    sqlite3 *db;
    size_t length;
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        assert_int_equal(sqlite3_open(scratch.path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (x); PRAGMA application_id = 77", NULL, NULL, NULL),
                         SQLITE_OK);
        if (wal)
            assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        char *bytes = read_file(scratch.path, &length);
        refuse_untouched(bytes, length, "another program (application id 77)");
        free(bytes);
        unlink(scratch.path);
    }
}

/* Through the stock library, as another program would. */
static void run_foreign(const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(scratch.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void a_newer_schema_is_refused(void **state)
{
    struct dvl_store *store;
    (void)state;
    dvl_store_close(open_it());
    run_foreign("PRAGMA user_version = 1000");
    assert_int_equal(scratch_open(scratch.path, &store, &error), DVL_UNSUPPORTED);
    assert_non_null(strstr(error.message, "version 1000"));
    assert_int_equal(scratch_open_read_only(scratch.path, &store, &error), DVL_UNSUPPORTED);
}

static void what_is_not_a_file_is_refused(void **state)
{
    struct dvl_store *store;
    (void)state;
    assert_int_equal(scratch_open(scratch.folder, &store, &error), DVL_UNSUPPORTED);
    assert_int_equal(mkfifo(scratch.path, 0600), 0);
    assert_int_equal(scratch_open(scratch.path, &store, &error), DVL_UNSUPPORTED);
    assert_int_equal(scratch_open("/dev/null", &store, &error), DVL_UNSUPPORTED);
}

static void a_link_leads_to_the_file_and_its_locks(void **state)
{
    struct dvl_store *store = open_it();
    char link_path[128];
    (void)state;
    (void)snprintf(link_path, sizeof link_path, "%s/link.db", scratch.folder);
    dvl_store_close(store);
    assert_int_equal(symlink(scratch.path, link_path), 0);
    assert_int_equal(scratch_open(link_path, &store, &error), DVL_OK);
    assert_string_equal(strrchr(dvl_store_path(store), '/'), "/ledger.db");
    assert_int_equal(access(scratch_file(&scratch, "link.db-turn-a"), F_OK), -1);
    dvl_store_close(store);
}

static void a_reader_writes_nothing(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    dvl_store_close(store);
    assert_int_equal(scratch_open_read_only(scratch.path, &store, &error), DVL_OK);
    assert_true(dvl_store_is_read_only(store));
    assert_true(has_node(store, "n1"));
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_FORBIDDEN);
    assert_int_equal(dvl_store_depth(store), 0);
    assert_int_equal(scratch_problems(store, &error), 0);
    dvl_store_close(store);
}

/* In a child without any rights; answers its status, or 100 when it can't be tried. */
static int open_as_nobody(bool read_only, bool write)
{
    int code = -1;
    pid_t child = fork();
    if (child == 0) {
        struct dvl_store *store = NULL;
        bool found = false;
        if (setgid(65534) != 0 || setuid(65534) != 0)
            _exit(100);
        enum dvl_status status = read_only ? scratch_open_read_only(scratch.path, &store, &error)
                                           : scratch_open(scratch.path, &store, &error);
        if (status == DVL_OK && write)
            status = scratch_write(store, "n2", &error);
        else if (status == DVL_OK && (scratch_has_node(store, "n1", &found, &error) != DVL_OK || !found))
            status = DVL_DATABASE;
        dvl_store_close(store);
        _exit((int)status);
    }
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    return WEXITSTATUS(code);
}

static void rights_are_kept_to(void **state)
{
    static const char *const names[] = {"ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-turn-a",
                                        "ledger.db-turn-b"};
    (void)state;
    if (geteuid() != 0)
        skip();
    struct dvl_store *store = open_it();
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    assert_int_equal(chmod(scratch.folder, 0755), 0);
    assert_int_equal(open_as_nobody(true, false), DVL_FORBIDDEN); /* mode 0600 */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(chmod(scratch_file(&scratch, names[i]), 0644), 0);
    assert_int_equal(open_as_nobody(true, false), DVL_OK); /* beside a writer */
    dvl_store_close(store);
    assert_int_equal(open_as_nobody(true, false), DVL_OK); /* alone */
    assert_int_equal(open_as_nobody(false, true), DVL_FORBIDDEN);
    assert_int_equal(unlink(scratch_file(&scratch, "ledger.db-wal")), 0);
    assert_int_equal(unlink(scratch_file(&scratch, "ledger.db-shm")), 0);
    assert_int_equal(open_as_nobody(true, false), DVL_FORBIDDEN); /* no WAL, and none can be made */
    store = open_it();
    dvl_store_close(store);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(chmod(scratch_file(&scratch, names[i]), 0666), 0);
    assert_int_equal(open_as_nobody(false, true), DVL_OK);
    assert_int_equal(unlink(scratch_file(&scratch, "ledger.db-turn-a")), 0);
    assert_int_equal(open_as_nobody(false, true), DVL_FORBIDDEN); /* no turnstile, no writing */
}

static void a_moved_file_is_not_written(void **state)
{
    struct dvl_store *store = open_it();
    char elsewhere[128];
    (void)state;
    (void)snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere.db", scratch.folder);
    assert_int_equal(rename(scratch.path, elsewhere), 0);
    assert_int_equal(scratch_write(store, "n1", &error), DVL_DATABASE);
    assert_non_null(strstr(error.message, "moved"));
    dvl_store_close(store);
}

static void a_forked_child_may_not_use_it(void **state)
{
    struct dvl_store *store = open_it();
    int code = 0;
    (void)state;
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(scratch_insert(store, "n1", &error), DVL_OK);
    pid_t child = fork();
    if (child == 0) {
        struct dvl_error in_child;
        store->depth = 0;
        enum dvl_status status = dvl_store_begin(store, DVL_READ, &in_child);
        dvl_store_close(store); /* must not end what the parent has open */
        _exit(status == DVL_DATABASE ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
    assert_true(has_node(store, "n1"));
    dvl_store_close(store);
}

static void todays_triggers_and_views_replace_others(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    dvl_store_close(store);
    run_foreign("DROP VIEW definition; DROP VIEW nodes; CREATE VIEW nodes AS SELECT 1 AS x;"
                "DROP TRIGGER node_insert; CREATE TRIGGER strange BEFORE INSERT ON node BEGIN SELECT 1; END");
    store = open_it();
    assert_int_equal(scratch_problems(store, &error), 0);
    assert_true(has_node(store, "n1"));
    dvl_store_close(store);
}

static void a_file_without_wal_gets_one(void **state)
{
    struct dvl_store *store;
    int64_t nodes, events;
    (void)state;
    dvl_store_close(open_it());
    run_foreign("PRAGMA journal_mode = DELETE");
    assert_int_equal(scratch_open_read_only(scratch.path, &store, &error), DVL_OK);
    assert_int_equal(scratch_count(store, &nodes, &events, &error), DVL_OK);
    dvl_store_close(store);
    store = open_it();
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    assert_int_equal(access(scratch_file(&scratch, "ledger.db-wal"), F_OK), 0);
    dvl_store_close(store);
}

static void memory_leaves_no_files(void **state)
{
    struct dvl_store *store;
    (void)state;
    assert_int_equal(scratch_open(":memory:", &store, &error), DVL_OK);
    assert_string_equal(dvl_store_path(store), ":memory:");
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    assert_true(has_node(store, "n1"));
    assert_int_equal(scratch_problems(store, &error), 0);
    dvl_store_close(store);
    assert_int_equal(access(":memory:", F_OK), -1);
    assert_int_equal(access(":memory:-turn-a", F_OK), -1);
}

/* ---- Transactions ---- */

static void what_is_not_kept_is_gone(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(scratch_insert(store, "n1", &error), DVL_OK);
    assert_true(has_node(store, "n1"));
    assert_int_equal(dvl_store_end(store, false, &error), DVL_OK);
    assert_int_equal(dvl_store_depth(store), 0);
    assert_false(has_node(store, "n1"));
    dvl_store_close(store);
}

static void closing_rolls_back(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(scratch_insert(store, "n1", &error), DVL_OK);
    dvl_store_close(store);
    store = open_it();
    assert_false(has_node(store, "n1"));
    dvl_store_close(store);
}

static void a_read_sees_one_snapshot(void **state)
{
    struct dvl_store *writer = open_it(), *reader;
    (void)state;
    assert_int_equal(scratch_open_read_only(scratch.path, &reader, &error), DVL_OK);
    assert_int_equal(dvl_store_begin(reader, DVL_READ, &error), DVL_OK);
    assert_false(has_node(reader, "n1"));
    assert_int_equal(scratch_write(writer, "n1", &error), DVL_OK);
    assert_false(has_node(reader, "n1"));
    assert_int_equal(dvl_store_end(reader, true, &error), DVL_OK);
    assert_true(has_node(reader, "n1"));
    dvl_store_close(reader);
    dvl_store_close(writer);
}

static void savepoints_undo_only_their_own(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(scratch_insert(store, "n1", &error), DVL_OK);
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(dvl_store_depth(store), 2);
    assert_int_equal(scratch_insert(store, "n2", &error), DVL_OK);
    assert_int_equal(dvl_store_begin(store, DVL_READ, &error), DVL_OK);
    assert_true(has_node(store, "n2"));
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
    assert_int_equal(dvl_store_end(store, false, &error), DVL_OK);
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(scratch_insert(store, "n3", &error), DVL_OK);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
    assert_true(has_node(store, "n1"));
    assert_false(has_node(store, "n2"));
    assert_true(has_node(store, "n3"));
    assert_int_equal(scratch_problems(store, &error), 0);
    dvl_store_close(store);
}

static void a_write_inside_a_read_is_refused(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(dvl_store_begin(store, DVL_READ, &error), DVL_OK);
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_DATABASE);
    assert_int_equal(dvl_store_depth(store), 1);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_DATABASE);
    dvl_store_close(store);
}

static void writers_wait_for_their_turn_only_so_long(void **state)
{
    struct dvl_store *first = open_it(), *second;
    const struct dvl_store_options impatient = {.path = scratch.path};
    (void)state;
    assert_int_equal(dvl_store_open(&impatient, &second, &error), DVL_OK);
    assert_int_equal(dvl_store_begin(first, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(dvl_store_begin(second, DVL_WRITE, &error), DVL_BUSY);
    assert_int_equal(dvl_store_begin(second, DVL_READ, &error), DVL_OK);
    assert_int_equal(dvl_store_end(second, true, &error), DVL_OK);
    assert_int_equal(dvl_store_end(first, true, &error), DVL_OK);
    assert_int_equal(scratch_write(second, "n1", &error), DVL_OK);
    dvl_store_close(second);
    dvl_store_close(first);
}

static void a_foreign_writer_is_waited_for_and_named(void **state)
{
    struct dvl_store *store;
    const struct dvl_store_options impatient = {.path = scratch.path, .wait_ms = 50};
    sqlite3 *foreign;
    (void)state;
    dvl_store_close(open_it());
    assert_int_equal(dvl_store_open(&impatient, &store, &error), DVL_OK);
    assert_int_equal(sqlite3_open(scratch.path, &foreign), SQLITE_OK);
    assert_int_equal(sqlite3_exec(foreign, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_BUSY);
    assert_non_null(strstr(error.message, "another program"));
    assert_int_equal(sqlite3_close(foreign), SQLITE_OK);
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    dvl_store_close(store);
}

/* ---- The outer transaction ---- */

static void the_outer_transaction_keeps_what_its_calls_kept(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_false(dvl_store_outer_is_open(store));
    assert_int_equal(dvl_store_outer_begin(store, 30000, &error), DVL_OK);
    assert_true(dvl_store_outer_is_open(store));
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(scratch_insert(store, "n2", &error), DVL_OK);
    assert_int_equal(dvl_store_end(store, false, &error), DVL_OK);
    assert_int_equal(dvl_store_outer_begin(store, 30000, &error), DVL_CONFLICT);
    assert_int_equal(dvl_store_outer_end(store, true, &error), DVL_OK);
    assert_int_equal(dvl_store_outer_end(store, true, &error), DVL_CONFLICT);
    assert_true(has_node(store, "n1"));
    assert_false(has_node(store, "n2"));
    dvl_store_close(store);
}

static void the_outer_transaction_can_be_undone(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(dvl_store_outer_begin(store, 30000, &error), DVL_OK);
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    assert_int_equal(dvl_store_outer_end(store, false, &error), DVL_OK);
    assert_false(has_node(store, "n1"));
    assert_int_equal(dvl_store_outer_begin(store, 30000, &error), DVL_OK);
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    dvl_store_close(store);
    store = open_it();
    assert_false(has_node(store, "n1"));
    dvl_store_close(store);
}

static void sleep_ms(long milliseconds)
{
    const struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

static void who_sleeps_too_long_loses_the_turn(void **state)
{
    struct dvl_store *store = open_it(), *other = open_it();
    (void)state;
    assert_int_equal(dvl_store_outer_begin(store, 100, &error), DVL_OK);
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    /* While the first sleeps: only its end lets the other in. */
    assert_int_equal(scratch_write(other, "n2", &error), DVL_OK);
    assert_int_equal(scratch_write(store, "n3", &error), DVL_BUSY);
    assert_int_equal(dvl_store_begin(store, DVL_READ, &error), DVL_BUSY);
    assert_int_equal(dvl_store_outer_end(store, true, &error), DVL_BUSY);
    assert_int_equal(dvl_store_depth(store), 0);
    assert_false(has_node(store, "n1"));
    assert_int_equal(scratch_write(store, "n4", &error), DVL_OK);
    dvl_store_close(other);
    dvl_store_close(store);
}

static void a_call_that_works_past_the_end_is_undone(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(dvl_store_outer_begin(store, 50, &error), DVL_OK);
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    sleep_ms(150);
    assert_int_equal(scratch_insert(store, "n1", &error), DVL_OK);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_BUSY);
    assert_int_equal(dvl_store_outer_end(store, false, &error), DVL_OK);
    assert_false(has_node(store, "n1"));
    dvl_store_close(store);
}

static void an_expired_one_can_be_closed(void **state)
{
    struct dvl_store *store = open_it();
    (void)state;
    assert_int_equal(dvl_store_outer_begin(store, 1, &error), DVL_OK);
    sleep_ms(50);
    dvl_store_close(store);
    store = open_it();
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    dvl_store_close(store);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_ledger_is_private_and_whole),
        TEST(the_umask_does_not_matter),
        TEST(lock_files_take_the_mode_of_the_database),
        TEST(what_was_written_is_there_for_the_next),
        TEST(closing_empties_the_wal),
        TEST(opening_an_up_to_date_file_writes_nothing),
        TEST(a_missing_file_is_said),
        TEST(an_empty_file_becomes_a_ledger_only_on_wish),
        TEST(what_is_no_database_is_refused_untouched),
        TEST(another_programs_database_is_refused_untouched),
        TEST(a_newer_schema_is_refused),
        TEST(what_is_not_a_file_is_refused),
        TEST(a_link_leads_to_the_file_and_its_locks),
        TEST(a_reader_writes_nothing),
        TEST(rights_are_kept_to),
        TEST(a_moved_file_is_not_written),
        TEST(a_forked_child_may_not_use_it),
        TEST(todays_triggers_and_views_replace_others),
        TEST(a_file_without_wal_gets_one),
        TEST(memory_leaves_no_files),
        TEST(what_is_not_kept_is_gone),
        TEST(closing_rolls_back),
        TEST(a_read_sees_one_snapshot),
        TEST(savepoints_undo_only_their_own),
        TEST(a_write_inside_a_read_is_refused),
        TEST(writers_wait_for_their_turn_only_so_long),
        TEST(a_foreign_writer_is_waited_for_and_named),
        TEST(the_outer_transaction_keeps_what_its_calls_kept),
        TEST(the_outer_transaction_can_be_undone),
        TEST(who_sleeps_too_long_loses_the_turn),
        TEST(a_call_that_works_past_the_end_is_undone),
        TEST(an_expired_one_can_be_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
