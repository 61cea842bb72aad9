/* Failing disks, dying processes, power cuts: at every single operation that
 * changes a file, what was acknowledged is there, what was not has left no
 * trace, and the answer of a commit is true. */
#include "store/connection.h"
#include "support/fault_vfs.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct scratch scratch;
static struct dvl_error error;

static int set_up(void **state)
{
    (void)state;
    dvl_error_clear(&error);
    return scratch_make(&scratch) && fault_vfs_install() == SQLITE_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    fault_vfs_uninstall();
    scratch_remove(&scratch);
    return 0;
}

static struct dvl_store *open_it(void)
{
    struct dvl_store *store = NULL;
    if (scratch_open(scratch.path, &store, &error) != DVL_OK)
        fail_msg("%s", error.message);
    return store;
}

/* A closed ledger with the node n1: its one file. Made once, then copied. */
static char image[1 << 20];
static size_t image_size;

static void make_image(void)
{
    struct dvl_store *store = open_it();
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    dvl_store_close(store);
    FILE *file = fopen(scratch.path, "rb");
    assert_non_null(file);
    image_size = fread(image, 1, sizeof image, file);
    assert_in_range(image_size, 4096, sizeof image - 1);
    assert_int_equal(fclose(file), 0);
}

static void begin_anew(void)
{
    if (image_size == 0)
        make_image();
    scratch_remove(&scratch);
    assert_true(scratch_make(&scratch));
    FILE *file = fopen(scratch.path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(image, 1, image_size, file), image_size);
    assert_int_equal(fclose(file), 0);
}

static bool has_node(struct dvl_store *store, const char *name)
{
    bool found = false;
    if (scratch_has_node(store, name, &found, &error) != DVL_OK)
        fail_msg("%s", error.message);
    return found;
}

static void expect_sound_pages(struct dvl_store *store, long operation)
{
    sqlite3_stmt *raw;
    assert_int_equal(sqlite3_prepare_v2(store->db, "PRAGMA integrity_check", -1, &raw, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(raw), SQLITE_ROW);
    const char *text = (const char *)sqlite3_column_text(raw, 0);
    if (strcmp(text, "ok") != 0)
        fail_msg("operation %ld: %s", operation, text);
    sqlite3_finalize(raw);
}

/* The ledger is whole, n1 is there, and as many nodes as events. Now and then
 * all that `verify` looks at. */
static void expect_whole(struct dvl_store *store, long operation)
{
    int64_t nodes, events;
    expect_sound_pages(store, operation);
    if (operation % 8 == 0 && scratch_problems(store, &error) != 0)
        fail_msg("operation %ld: %s", operation, error.message);
    assert_int_equal(scratch_count(store, &nodes, &events, &error), DVL_OK);
    assert_int_equal(nodes, events);
    assert_true(has_node(store, "n1"));
}

/* Writes n2 and n3 with a checkpoint between; answers how many were acknowledged. */
static int write_two(struct dvl_store *store)
{
    struct dvl_error problem;
    if (scratch_write(store, "n2", &problem) != DVL_OK)
        return 0;
    (void)dvl_store_checkpoint(store, SQLITE_CHECKPOINT_PASSIVE, 0, &problem);
    return scratch_write(store, "n3", &problem) == DVL_OK ? 2 : 1;
}

static void expect_acknowledged(int acknowledged, long operation)
{
    struct dvl_store *store = open_it();
    expect_whole(store, operation);
    if (acknowledged >= 1)
        assert_true(has_node(store, "n2"));
    if (acknowledged >= 2)
        assert_true(has_node(store, "n3"));
    dvl_store_close(store);
}

static void death_at_every_operation(void **state)
{
    bool struck = true;
    long operation;
    (void)state;
    for (operation = 1; struck; operation++) {
        begin_anew();
        struct dvl_store *store = open_it();
        fault_vfs_arm(FAULT_STOP, operation);
        int acknowledged = write_two(store);
        dvl_store_close(store);
        struck = fault_vfs_struck();
        fault_vfs_disarm();
        expect_acknowledged(acknowledged, operation);
    }
    assert_in_range(operation, 20, 1000);
}

static void power_cut_at_every_operation(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 2; number++) {
        bool struck = true;
        for (long operation = 1; struck; operation++) {
            begin_anew();
            fault_vfs_remember();
            struct dvl_store *store = open_it();
            fault_vfs_arm(FAULT_STOP, operation);
            int acknowledged = write_two(store);
            dvl_store_close(store);
            struck = fault_vfs_struck();
            fault_vfs_disarm();
            assert_true(fault_vfs_cut_power(number == 0 ? 0 : number * 7919u + (unsigned)operation));
            expect_acknowledged(acknowledged, operation);
        }
    }
}

static void death_while_a_ledger_is_born(void **state)
{
    bool struck = true;
    (void)state;
    for (long operation = 1; struck; operation += 5) {
        scratch_remove(&scratch);
        assert_true(scratch_make(&scratch));
        struct dvl_store *store = NULL;
        fault_vfs_arm(FAULT_STOP, operation);
        (void)scratch_open(scratch.path, &store, &error);
        dvl_store_close(store);
        struck = fault_vfs_struck();
        fault_vfs_disarm();
        store = open_it();
        assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
        expect_whole(store, operation);
        dvl_store_close(store);
    }
}

/* One failure at each operation, after which the disk works again. What the
 * commit answered must be so, then and after everybody has gone. */
static void try_one_failure(enum fault_kind kind, bool with_reader, bool go_on, int outcomes[3])
{
    bool struck = true;
    for (long operation = 1; struck; operation++) {
        struct dvl_store *reader = NULL;
        begin_anew();
        struct dvl_store *store = open_it();
        if (with_reader)
            assert_int_equal(scratch_open_read_only(scratch.path, &reader, &error), DVL_OK);
        fault_vfs_arm(kind, operation);
        dvl_error_clear(&error);
        enum dvl_status status = scratch_write(store, "n2", &error);
        bool unknown = status != DVL_OK && strstr(error.message, "unknown") != NULL;
        struck = fault_vfs_struck();
        fault_vfs_disarm();
        outcomes[status == DVL_OK ? 0 : unknown ? 2 : 1]++;
        if (!unknown)
            assert_int_equal(has_node(store, "n2"), status == DVL_OK);
        /* The handle is of use again. */
        if (go_on && scratch_write(store, "n3", &error) != DVL_OK)
            fail_msg("operation %ld: %s", operation, error.message);
        dvl_store_close(reader);
        dvl_store_close(store);
        store = open_it();
        expect_whole(store, operation);
        if (!unknown)
            assert_int_equal(has_node(store, "n2"), status == DVL_OK);
        assert_int_equal(has_node(store, "n3"), go_on);
        dvl_store_close(store);
    }
}

static void try_failures(enum fault_kind kind, bool with_reader, int outcomes[3])
{
    try_one_failure(kind, with_reader, false, outcomes);
    try_one_failure(kind, with_reader, true, outcomes);
}

static void a_failed_write_is_not_done(void **state)
{
    int outcomes[3] = {0};
    (void)state;
    try_failures(FAULT_WRITE, false, outcomes);
    try_failures(FAULT_WRITE, true, outcomes);
    assert_true(outcomes[1] > 0);
    assert_int_equal(outcomes[2], 0);
}

static void a_full_disk_is_not_done(void **state)
{
    int outcomes[3] = {0};
    (void)state;
    try_failures(FAULT_FULL, false, outcomes);
    try_failures(FAULT_FULL, true, outcomes);
    assert_true(outcomes[1] > 0);
    assert_int_equal(outcomes[2], 0);
}

/* The frames are in the WAL. Alone, the ledger is opened anew, finds them and
 * says done; beside a reader, whose index does not know them, it says not
 * done, and sees to it that nobody finds them later. */
static void a_failed_sync_is_looked_up(void **state)
{
    int alone[3] = {0}, beside[3] = {0};
    (void)state;
    try_failures(FAULT_SYNC, false, alone);
    try_failures(FAULT_SYNC, true, beside);
    assert_true(alone[0] > 0);
    assert_int_equal(alone[2], 0);
    assert_true(beside[1] > 0);
    assert_int_equal(beside[2], 0);
}

static enum dvl_status write_in_batch(struct dvl_store *store, const char *name)
{
    enum dvl_status status = dvl_store_outer_begin(store, 30000, &error);
    if (status != DVL_OK)
        return status;
    struct dvl_error first;
    dvl_error_clear(&first);
    enum dvl_status wrote = scratch_write(store, name, &first);
    status = dvl_store_outer_end(store, wrote == DVL_OK, &error);
    return wrote != DVL_OK ? wrote : status;
}

/* The commit of a batch's transaction comes between two calls, and is looked up all the same. */
static void a_batch_is_looked_up_too(void **state)
{
    static const enum fault_kind kinds[] = {FAULT_WRITE, FAULT_FULL, FAULT_SYNC};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool struck = true;
        for (long operation = 1; struck; operation++) {
            begin_anew();
            struct dvl_store *store = open_it();
            fault_vfs_arm(kinds[i], operation);
            dvl_error_clear(&error);
            enum dvl_status status = write_in_batch(store, "n2");
            struck = fault_vfs_struck();
            fault_vfs_disarm();
            if (status != DVL_OK && strstr(error.message, "unknown"))
                fail_msg("operation %ld: %s", operation, error.message);
            assert_int_equal(has_node(store, "n2"), status == DVL_OK);
            if (write_in_batch(store, "n3") != DVL_OK)
                fail_msg("operation %ld: %s", operation, error.message);
            dvl_store_close(store);
        }
    }
}

static void a_dead_disk_leaves_it_unknown(void **state)
{
    struct dvl_store *store;
    int64_t nodes, events;
    (void)state;
    begin_anew();
    store = open_it();
    fault_vfs_arm(FAULT_SYNC, 1);
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(scratch_insert(store, "n2", &error), DVL_OK);
    fault_vfs_arm(FAULT_STOP, 4); /* after the header and two frames of the WAL */
    assert_int_equal(dvl_store_end(store, true, &error), DVL_DATABASE);
    if (!strstr(error.message, "unknown"))
        fail_msg("%s", error.message);
    assert_int_equal(dvl_store_depth(store), 0);
    fault_vfs_disarm();
    assert_int_equal(scratch_count(store, &nodes, &events, &error), DVL_OK);
    assert_int_equal(nodes, events);
    assert_int_equal(scratch_write(store, "n3", &error), DVL_OK);
    dvl_store_close(store);
}

static void an_empty_transaction_can_t_fail(void **state)
{
    struct dvl_store *store;
    (void)state;
    begin_anew();
    store = open_it();
    fault_vfs_arm(FAULT_STOP, 1);
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
    fault_vfs_disarm();
    dvl_store_close(store);
}

static void a_failed_backup_leaves_nothing(void **state)
{
    char path[128];
    struct dvl_store *store;
    bool struck = true;
    (void)state;
    begin_anew();
    store = open_it();
    (void)snprintf(path, sizeof path, "%s/copy.db", scratch.folder);
    for (long operation = 1; struck; operation += 29) {
        fault_vfs_arm(FAULT_STOP, operation);
        enum dvl_status status = dvl_store_backup(store, path, &error);
        struck = fault_vfs_struck();
        fault_vfs_disarm();
        struct dvl_store *copy = NULL;
        enum dvl_status there = scratch_open_read_only(path, &copy, &error);
        assert_int_equal(there, status == DVL_OK ? DVL_OK : DVL_NOT_FOUND);
        if (copy)
            expect_whole(copy, operation);
        dvl_store_close(copy);
    }
    expect_whole(store, 0);
    dvl_store_close(store);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(death_at_every_operation),        TEST(power_cut_at_every_operation),
        TEST(death_while_a_ledger_is_born),    TEST(a_failed_write_is_not_done),
        TEST(a_full_disk_is_not_done),         TEST(a_failed_sync_is_looked_up),
        TEST(a_batch_is_looked_up_too),        TEST(a_dead_disk_leaves_it_unknown),
        TEST(an_empty_transaction_can_t_fail), TEST(a_failed_backup_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
