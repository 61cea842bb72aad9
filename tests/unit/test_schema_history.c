/* What the schema keeps of the past: versions of nodes, devices and pods, and
 * the chain of events. */
#include "../support/schema_world.h"

static void versions_follow_a_node(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "UPDATE node SET labels = '{\"a\":\"1\"}', updated_at = T+10 WHERE id = 1");
    schema_do(store, "UPDATE node SET labels = '{\"a\":\"2\"}', updated_at = T+20 WHERE id = 1");
    schema_do(store, "UPDATE node SET removed_at = T+30, updated_at = T+30 WHERE id = 1");
    schema_do(store, "UPDATE node SET removed_at = NULL, labels = '{}', updated_at = T+40 WHERE id = 1");
    schema_rows(store, "SELECT labels, valid_from - T, valid_to - T FROM node_version WHERE node_id = 1 ORDER BY id",
                "{}|0|10 {\"a\":\"1\"}|10|20 {\"a\":\"2\"}|20|30 {}|40|null");
}

static void what_stays_the_same_makes_no_version(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "UPDATE node SET labels = '{}', updated_at = T+10 WHERE id = 1");
    schema_do(store, "UPDATE pod SET phase = 'Pending', terminating_at = T+5, updated_at = T+10 WHERE id = 1");
    schema_do(store, "UPDATE device SET memory = 8000, updated_at = T+10 WHERE id = 1");
    schema_do(store, "INSERT INTO allocation (pod_id, node_id, device_id, device_name, container, backend, memory,"
                     " ordinal, origin, state, allocated_at) VALUES (1, 1, 1, 'x', 'c', 'vgpu', 5, 0, 'ledger',"
                     " 'reserved', T+10)");
    schema_rows(store,
                "SELECT (SELECT count(*) FROM node_version WHERE node_id = 1),"
                " (SELECT count(*) FROM pod_version WHERE pod_id = 1),"
                " (SELECT count(*) FROM device_version WHERE device_id = 1)",
                "1|1|1");
}

static void a_second_change_at_the_same_moment_is_one_version(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "UPDATE device SET healthy = 0, updated_at = T+10 WHERE id = 1");
    schema_do(store, "UPDATE device SET healthy = 1, memory = 9000, updated_at = T+10 WHERE id = 1");
    schema_do(store, "UPDATE device SET removed_at = T+10, updated_at = T+10 WHERE id = 2");
    schema_do(store, "UPDATE device SET removed_at = NULL, updated_at = T+10 WHERE id = 2");
    schema_rows(store,
                "SELECT device_id, healthy, memory, valid_from - T, valid_to - T FROM device_version"
                " WHERE device_id < 3 ORDER BY device_id, id",
                "1|1|8000|0|10 1|1|9000|10|null 2|1|40536|0|10 2|1|40536|10|null");
}

static void a_clock_that_goes_back_makes_no_overlap(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "UPDATE pod SET phase = 'Running', updated_at = T+50 WHERE id = 1");
    schema_do(store, "UPDATE pod SET queue = 'q9', updated_at = T+20 WHERE id = 1");
    schema_do(store, "UPDATE pod SET deleted_at = T+30, updated_at = T+30 WHERE id = 1");
    schema_do(store, "UPDATE pod SET deleted_at = NULL, updated_at = T+40 WHERE id = 1");
    schema_rows(store,
                "SELECT phase, queue, valid_from - T, valid_to - T FROM pod_version WHERE pod_id = 1 ORDER BY id",
                "Pending|q1|0|50 Running|q9|50|50 Running|q9|50|null");
}

static void a_row_that_begins_ended_has_no_version(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "INSERT INTO node (name, updated_at, removed_at) VALUES ('n3', T, T)");
    schema_rows(store, "SELECT count(*) FROM node_version WHERE node_id = 3", "0");
    schema_do(store, "UPDATE node SET removed_at = NULL, updated_at = T+5 WHERE id = 3");
    schema_rows(store, "SELECT valid_from - T, valid_to FROM node_version WHERE node_id = 3", "5|null");
}

static void versions_are_not_written_by_hand(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "UPDATE node SET labels = '{\"a\":\"1\"}', updated_at = T+10 WHERE id = 1");
    schema_refuse(store, "history:", "UPDATE node_version SET labels = '{\"b\":\"2\"}' WHERE valid_to IS NULL");
    schema_refuse(store, "history:", "UPDATE node_version SET valid_from = T-5");
    schema_refuse(store, "history:", "UPDATE node_version SET valid_to = NULL WHERE valid_to IS NOT NULL");
    schema_refuse(store, "history:", "UPDATE node_version SET valid_to = T+60, labels = '[]' WHERE valid_to IS NULL");
    schema_refuse(store, "bounds:", "UPDATE node_version SET valid_to = T-60 WHERE valid_to IS NULL");
    schema_refuse(store, "history:", "UPDATE device_version SET healthy = 0 WHERE device_id = 1");
    schema_refuse(store, "bounds:", "UPDATE device_version SET valid_to = T-60 WHERE device_id = 1");
    schema_refuse(store, "history:", "UPDATE pod_version SET phase = 'Running' WHERE pod_id = 1");
    schema_refuse(store, "bounds:", "UPDATE pod_version SET valid_to = T-60 WHERE pod_id = 1");
    schema_refuse(store, "key_taken:",
                  "INSERT INTO node_version (node_id, labels, annotations, capacity, allocatable,"
                  " valid_from) VALUES (1, '{}', '{}', '{}', '{}', T+20)");
    schema_do(store, "UPDATE node SET removed_at = T+30, updated_at = T+30 WHERE id = 1");
    schema_refuse(store, "history:",
                  "INSERT INTO node_version (node_id, labels, annotations, capacity, allocatable,"
                  " valid_from) VALUES (1, '{\"a\":\"1\"}', '{}', '{}', '{}', T+40)");
    schema_refuse(store, "bounds:",
                  "INSERT INTO node_version (node_id, labels, annotations, capacity, allocatable,"
                  " valid_from) VALUES (1, '{\"a\":\"1\"}', '{}', '{}', '{}', T+20)");
}

/* ---- the chain ---- */

#define HASH "devledger_event_hash"
#define ZERO "zeroblob(32)"

static void append_two(struct dvl_store *store)
{
    schema_do(store, "INSERT INTO event VALUES (1, T, 'me', 'init', 'created', NULL, NULL, NULL, '{}', " ZERO ", " HASH
                     "(" ZERO ", 1, T, 'me', 'init', 'created', NULL, NULL, NULL, '{}'))");
    schema_do(store,
              "INSERT INTO event SELECT 2, T+1, '', 'apply', 'node', 'n\xc3\xa4', NULL, '-', '{\"a\":1}', hash, " HASH
              "(hash, 2, T+1, '', 'apply', 'node', 'n\xc3\xa4', NULL, '-', '{\"a\":1}')"
              " FROM event WHERE seq = 1");
}

/* Both from another implementation of SHA3-256 and of the form. */
static void the_hash_is_that_of_the_written_form(void **state)
{
    append_two(*state);
    schema_rows(*state, "SELECT lower(hex(hash)) FROM event ORDER BY seq",
                "31c3def0da87a516b63d13c72ace19b78be5a5226d1ae5834b69928220590733 "
                "65593d7f16742c430841f288593b44d7d09af100e2532fbf1b68ac6b1ad8d24f");
}

static void an_event_comes_next_or_not_at_all(void **state)
{
    static const char *const wrong[] = {
        /* seq, at, prev_hash, detail that is hashed */
        "sequence:|3|T+1|hash|{}",   "sequence:|1|T+1|hash|{}",       "sequence:|NULL|T+1|hash|{}",
        "sequence:|2|T-1|hash|{}",   "chain: prev|2|T+1|" ZERO "|{}", "chain: prev|2|T+1|NULL|{}",
        "chain: hash|2|T+1|hash|[]", "chain: hash|2|T+1|hash|{} ",
    };
    struct dvl_store *store = *state;
    schema_do(store, "INSERT INTO event VALUES (1, T, 'me', 'init', 'created', NULL, NULL, NULL, '{}', " ZERO ", " HASH
                     "(" ZERO ", 1, T, 'me', 'init', 'created', NULL, NULL, NULL, '{}'))");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char words[16], seq[8], at[8], previous[16], detail[8], sql[512];
        assert_int_equal(sscanf(wrong[i], "%15[^|]|%7[^|]|%7[^|]|%15[^|]|%7[^|]", words, seq, at, previous, detail), 5);
        (void)snprintf(sql, sizeof sql,
                       "INSERT OR REPLACE INTO event SELECT %s, %s, 'me', 'x', 'k', NULL, NULL, NULL, '{}', %s, " HASH
                       "(%s, %s, %s, 'me', 'x', 'k', NULL, NULL, NULL, '%s') FROM event",
                       seq, at, previous, previous, seq, at, detail);
        schema_refuse(store, words, sql);
    }
}

static void an_event_never_changes(void **state)
{
    append_two(*state);
    schema_refuse(*state, "history:", "UPDATE event SET detail = '{\"b\":1}' WHERE seq = 1");
    schema_refuse(*state, "history:", "UPDATE OR REPLACE event SET seq = 2 WHERE seq = 1");
    schema_refuse(*state, "history:", "DELETE FROM event WHERE seq = 2");
    schema_refuse(*state, "bounds:",
                  "INSERT INTO event SELECT 3, T+1, 'me', 'x', 'k', NULL, NULL, NULL, 'no', hash, " HASH
                  "(hash, 3, T+1, 'me', 'x', 'k', NULL, NULL, NULL, 'no') FROM event WHERE seq = 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCHEMA_TEST(versions_follow_a_node),
        SCHEMA_TEST(what_stays_the_same_makes_no_version),
        SCHEMA_TEST(a_second_change_at_the_same_moment_is_one_version),
        SCHEMA_TEST(a_clock_that_goes_back_makes_no_overlap),
        SCHEMA_TEST(a_row_that_begins_ended_has_no_version),
        SCHEMA_TEST(versions_are_not_written_by_hand),
        SCHEMA_TEST(the_hash_is_that_of_the_written_form),
        SCHEMA_TEST(an_event_comes_next_or_not_at_all),
        SCHEMA_TEST(an_event_never_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
