/* A ledger that the library wrote, in the hands of the stock sqlite3 shell. */
#include "../support/schema_world.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/devledger-shell-XXXXXX";
static char ledger[sizeof folder + 16];

/* Names that could break a form with less care: no text, several bytes to a
 * letter, what looks like the form itself. */
static void append_events(struct dvl_store *store)
{
    static const struct dvl_event events[] = {
        {.at = 1, .actor = "me", .command = "init", .kind = "created"},
        {.at = 2, .actor = "", .command = "apply -f -", .kind = "node_created", .node = "kn\xc3\xb6te"},
        {.at = 2, .actor = "3:me", .command = "-", .kind = "slices", .node = "", .pod = "ml/a/u1", .device = "-"},
        {.at = 3, .actor = "\xe4\xb8\xad\xe6\x96\x87", .command = "x", .kind = "k", .pod = "a'b\"c\n"},
    };
    struct dvl_error error = {0};
    assert_int_equal(dvl_store_begin(store, DVL_WRITE, &error), DVL_OK);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        assert_int_equal(dvl_event_append(store, &events[i], &error), DVL_OK);
    assert_int_equal(dvl_store_end(store, true, &error), DVL_OK);
}

static int make_ledger(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    (void)snprintf(ledger, sizeof ledger, "%s/ledger.db", folder);
    struct dvl_store *store = schema_open(ledger);
    schema_do(store, schema_cluster);
    schema_do(store, "INSERT INTO allocation (pod_id, node_id, device_id, device_name, container, backend, memory,"
                     " slots, ordinal, origin, state, allocated_at) VALUES (1, 1, 1, 'GPU-0', 'c', 'vgpu', 9000, 1, 0,"
                     " 'observed', 'reserved', T)");
    append_events(store);
    dvl_store_close(store);
    return 0;
}

static int remove_ledger(void **state)
{
    char command[sizeof folder + 16];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void the_stock_shell_reads_checks_and_does_not_write(void **state)
{
    char command[sizeof ledger + 64];
    (void)state;
    if (system("command -v sqlite3 >/dev/null") != 0) {
        print_message("no sqlite3 shell here\n");
        skip();
    }
    (void)snprintf(command, sizeof command, "sh tests/schema/stock_shell.sh '%s'", ledger);
    assert_int_equal(system(command), 0);
}

static void a_reader_without_our_functions_writes_nothing(void **state)
{
    sqlite3 *db = NULL;
    char *message = NULL;
    (void)state;
    assert_int_equal(sqlite3_open(ledger, &db), SQLITE_OK);
    assert_int_not_equal(sqlite3_exec(db, "DELETE FROM event", NULL, NULL, &message), SQLITE_OK);
    assert_string_equal(message, "no such function: devledger_library_only");
    sqlite3_free(message);
    assert_int_equal(sqlite3_exec(db, "SELECT * FROM conflicts", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stock_shell_reads_checks_and_does_not_write),
        cmocka_unit_test(a_reader_without_our_functions_writes_nothing),
    };
    return cmocka_run_group_tests(tests, make_ledger, remove_ledger);
}
