/* Memory runs out at any point: that is said, nothing is half done, and the
 * ledger goes on when there is memory again. */
#include "failing.h"

#include "store/connection.h"
#include "support/scratch.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TRIES = 150 }; /* of each round; the points are spread over all requests */

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
    (void)failing_disarm();
    scratch_remove(&scratch);
    return 0;
}

/* A call either went well or says that memory is out. */
static bool went_well(enum dvl_status status, const struct dvl_error *told)
{
    if (status == DVL_OK)
        return true;
    if (status != DVL_NO_MEMORY && !strstr(told->message, "unknown"))
        fail_msg("%d: %s", (int)status, told->message);
    return false;
}

static int ignore_row(void *context, const struct dvl_value *row)
{
    (void)context;
    (void)row;
    return 0;
}

/* Everything that a store does, once; stops at the first call that failed.
 * Tells which of the two nodes were acknowledged. */
static void use_all(const char *path, int number, bool acknowledged[2])
{
    static const char query[] = "SELECT name, json_object('a', labels) AS j FROM node WHERE name LIKE :x ORDER BY name";
    const struct dvl_sql_parameter parameter = {"x", "n%"};
    struct dvl_store *store = NULL;
    struct dvl_error told;
    char names[2][32];
    dvl_error_clear(&told);
    (void)snprintf(names[0], sizeof names[0], "n%d-a", number);
    (void)snprintf(names[1], sizeof names[1], "n%d-b", number);
    acknowledged[0] = acknowledged[1] = false;
    if (!went_well(scratch_open(path, &store, &told), &told))
        return;
    acknowledged[0] = went_well(scratch_write(store, names[0], &told), &told);
    if (acknowledged[0] && went_well(dvl_store_outer_begin(store, 30000, &told), &told)) {
        bool good = went_well(scratch_write(store, names[1], &told), &told);
        enum dvl_status status = dvl_store_outer_end(store, good, &told);
        acknowledged[1] = went_well(status, &told) && good;
    }
    if (acknowledged[1] &&
        went_well(dvl_store_sql(store, query, &parameter, 1, NULL, ignore_row, NULL, &told), &told)) {
        int problems = scratch_problems(store, &told);
        if (problems > 0)
            fail_msg("%s", told.message);
        (void)went_well(problems == 0 ? DVL_OK : told.status, &told);
    }
    dvl_store_close(store);
}

static void expect_nodes(const char *path, int number, const bool acknowledged[2])
{
    struct dvl_store *store = NULL;
    int64_t nodes, events;
    if (scratch_open(path, &store, &error) != DVL_OK)
        fail_msg("%s", error.message);
    for (int i = 0; i < 2; i++) {
        bool found;
        char name[32];
        (void)snprintf(name, sizeof name, "n%d-%c", number, 'a' + i);
        assert_int_equal(scratch_has_node(store, name, &found, &error), DVL_OK);
        if (acknowledged[i])
            assert_true(found);
    }
    assert_int_equal(scratch_count(store, &nodes, &events, &error), DVL_OK);
    assert_int_equal(nodes, events);
    dvl_store_close(store);
}

static void try_all(bool lasting)
{
    bool acknowledged[2];
    use_all(scratch.path, 0, acknowledged); /* makes the file */
    failing_arm(FAILING_ALL, LONG_MAX, false);
    use_all(scratch.path, 1, acknowledged);
    (void)failing_disarm();
    long most = failing_asked();
    assert_true(acknowledged[0] && acknowledged[1]);
    for (int i = 0; i < TRIES; i++) {
        failing_arm(FAILING_ALL, most * i / TRIES, lasting);
        use_all(scratch.path, i + 2, acknowledged);
        (void)failing_disarm();
        expect_nodes(scratch.path, i + 2, acknowledged);
    }
}

static void one_request_is_refused(void **state)
{
    (void)state;
    try_all(false);
}

static void all_requests_are_refused_from_some_point_on(void **state)
{
    (void)state;
    try_all(true);
}

static void birth_with_little_memory(void **state)
{
    struct dvl_store *store = NULL;
    (void)state;
    failing_arm(FAILING_ALL, LONG_MAX, false);
    assert_int_equal(scratch_open(":memory:", &store, &error), DVL_OK);
    (void)failing_disarm();
    long most = failing_asked();
    dvl_store_close(store);
    for (int i = 0; i < TRIES; i++) {
        for (int lasting = 0; lasting < 2; lasting++) {
            failing_arm(FAILING_ALL, most * i / TRIES, lasting != 0);
            enum dvl_status status = scratch_open(":memory:", &store, &error);
            dvl_store_close(store);
            (void)failing_disarm();
            (void)went_well(status, &error);
        }
    }
}

static void a_backup_with_little_memory(void **state)
{
    struct dvl_store *store = NULL;
    char path[128];
    (void)state;
    (void)snprintf(path, sizeof path, "%s/copy.db", scratch.folder);
    assert_int_equal(scratch_open(scratch.path, &store, &error), DVL_OK);
    assert_int_equal(scratch_write(store, "n1", &error), DVL_OK);
    failing_arm(FAILING_ALL, LONG_MAX, false);
    assert_int_equal(dvl_store_backup(store, path, &error), DVL_OK);
    (void)failing_disarm();
    long most = failing_asked();
    for (long i = 0; i < most; i += 1 + most / TRIES) {
        (void)unlink(path);
        failing_arm(FAILING_ALL, i, true);
        enum dvl_status status = dvl_store_backup(store, path, &error);
        (void)failing_disarm();
        if (!went_well(status, &error))
            assert_int_equal(access(path, F_OK), -1);
    }
    dvl_store_close(store);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_request_is_refused),
        TEST(all_requests_are_refused_from_some_point_on),
        TEST(birth_with_little_memory),
        TEST(a_backup_with_little_memory),
    };

    failing_prepare();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
