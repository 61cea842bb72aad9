/* Ledgers of every version that was released (tests/schema/version-N.sql) open
 * in this one: nothing is lost, and nothing is left of their triggers and
 * views. */
#include "../support/schema_world.h"

#include "../support/scratch.h"
#include "store/schema_text.h"

#include <stdio.h>

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size > 0);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = '\0';
    assert_int_equal(fclose(file), 0);
    return text;
}

/* The file as that version's program left it. */
static void thaw(const char *dump, const char *path)
{
    sqlite3 *db = NULL;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, dump, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void opens_whole(const char *path)
{
    struct dvl_error error = {0};
    struct dvl_store *store = schema_open(path);
    int problems = scratch_problems(store, &error);
    if (problems != 0)
        fail_msg("%d problems, the first: %s (tables that changed before their release want tests/schema/freeze.sh)",
                 problems, error.message);
    schema_rows(store,
                "SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM allocations),"
                " (SELECT count(*) FROM allocation_history), (SELECT used_memory FROM devices WHERE uuid = 'GPU-0')",
                "15|1|3|1000");
    schema_refuse(store, "history:", "DELETE FROM event");
    dvl_store_close(store);
}

static void every_released_version_opens_in_this_one(void **state)
{
    (void)state;
    for (int version = 1; version <= dvl_migration_count; version++) {
        char path[64];
        struct scratch scratch;
        (void)snprintf(path, sizeof path, "tests/schema/version-%d.sql", version);
        char *dump = read_file(path);
        if (!dump)
            fail_msg("there is no %s", path);
        assert_true(scratch_make(&scratch));
        thaw(dump, scratch.path);
        opens_whole(scratch.path);
        scratch_remove(&scratch);
        free(dump);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_released_version_opens_in_this_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
