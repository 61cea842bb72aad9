/* The guards on every table: bounds, keys, and that history stays. */
#include "../support/schema_world.h"

#define SHA "0123456789012345678901234567890123456789012345678901234567890123"

/* A row of each table beyond the cluster. */
static const char rows[] =
    "INSERT INTO allocation (pod_id, node_id, device_id, device_name, container, backend, ordinal, origin, state,"
    " allocated_at) VALUES (1, 1, 1, 'GPU-0', 'c', 'vgpu', 0, 'ledger', 'reserved', T);"
    "INSERT INTO vnpu_downgrade (pod_uid, node_id, template_asked, template_given, reason, opened_at)"
    " VALUES ('u1', 1, 'vir02', 'vir02_1c', 'cpus', T);"
    "INSERT INTO node_lock (node_id, name, holder, origin, taken_at, expires_at)"
    " VALUES (1, 'gpu', 'ml/a/u1', 'ledger', T, T+300);"
    "INSERT INTO config (kind, text, sha256, applied_at) VALUES ('scheduler', 'x', '" SHA "', T);"
    "INSERT INTO finding (kind, object_kind, object, key, position, text, opened_at)"
    " VALUES ('unreadable_record', 'Node', 'n1', 'k', 0, 'x', T);"
    "INSERT INTO object (kind, namespace, name, text, updated_at) VALUES ('ConfigMap', 'kube-system', 'm', '{}', T);"
    "INSERT INTO node_fact (object_id, node_name, key, text) VALUES (1, 'n1', 'k', 'x');"
    "INSERT INTO request (pod_id, container, ordinal, backend, count, memory) VALUES (1, 'c', 0, 'vgpu', 1, 5);"
    "INSERT INTO explanation (pod_id, at, node, code, reason, message) VALUES (1, T, 'n1', 3, 'x', 'y');"
    "INSERT INTO backend_resource (backend, memory_name) VALUES ('vgpu', 'volcano.sh/vgpu-memory');"
    "INSERT INTO vnpu_template (backend, chip, name) VALUES ('vnpu', '310P3', 'vir01');"
    "INSERT INTO mig_geometry VALUES ('A100', 0, 'group1', 0, '1g.10gb', 10240, 7, 0);"
    "INSERT INTO node_backend (node_id, backend, schedulable) VALUES (1, 'vgpu', 1);";

static int with_rows(void **state)
{
    (void)schema_setup(state);
    schema_do(*state, rows);
    return 0;
}

#define ROWS_TEST(function) cmocka_unit_test_setup_teardown(function, with_rows, schema_teardown)

static void history_is_not_deleted(void **state)
{
    static const char *const tables[] = {
        "node",       "node_version",   "device",    "device_version", "pod",     "pod_version",
        "allocation", "vnpu_downgrade", "node_lock", "config",         "finding", "object",
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char sql[80];
        (void)snprintf(sql, sizeof sql, "DELETE FROM %s", tables[i]);
        schema_refuse(*state, "history:", sql);
    }
}

static void what_is_derived_is_written_anew(void **state)
{
    static const char *const tables[] = {
        "node_backend", "node_fact", "request", "explanation", "backend_resource", "vnpu_template", "mig_geometry",
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char sql[80];
        (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", tables[i]);
        schema_rows(*state, sql, "1");
        (void)snprintf(sql, sizeof sql, "DELETE FROM %s", tables[i]);
        schema_do(*state, sql);
    }
}

/* REPLACE would delete the row that is in the way without asking any trigger. */
static void nothing_takes_a_key_that_is_there(void **state)
{
    static const char *const inserts[] = {
        "node (id, name, updated_at) VALUES (1, 'n9', T)",
        "node (name, updated_at) VALUES ('n1', T)",
        "device (id, node_id, backend, idx, updated_at) VALUES (1, 1, 'vgpu', 9, T)",
        "device (node_id, backend, idx, uuid, updated_at) VALUES (1, 'vgpu', 9, 'GPU-0', T)",
        "device (node_id, backend, idx, updated_at) VALUES (1, 'gpushare', 0, T)",
        "pod (id, uid, namespace, name, created_at, updated_at) VALUES (1, 'u9', 'a', 'b', T, T)",
        "pod (uid, namespace, name, created_at, updated_at) VALUES ('u1', 'a', 'b', T, T)",
        "node_version (id, node_id, labels, annotations, capacity, allocatable, valid_from)"
        " VALUES (1, 1, '{}', '{}', '{}', '{}', T)",
        "node_version (node_id, labels, annotations, capacity, allocatable, valid_from)"
        " VALUES (1, '{}', '{}', '{}', '{}', T)",
        "device_version (device_id, idx, healthy, schedulable, valid_from) VALUES (1, 0, 1, 1, T)",
        "pod_version (pod_id, labels, annotations, phase, queue, valid_from)"
        " VALUES (1, '{}', '{}', 'Pending', 'q1', T)",
        "allocation (id, pod_id, node_id, device_name, container, backend, ordinal, origin, state, allocated_at)"
        " VALUES (1, 2, 1, 'x', 'c', 'vgpu', 0, 'observed', 'reserved', T)",
        "allocation (pod_id, node_id, device_name, container, backend, ordinal, origin, state, allocated_at)"
        " VALUES (1, 1, 'x', 'c', 'vgpu', 0, 'observed', 'reserved', T)",
        "vnpu_downgrade (id, pod_uid, node_id, template_asked, template_given, reason, opened_at)"
        " VALUES (1, 'u2', 1, 'a', 'b', '', T)",
        "vnpu_downgrade (pod_uid, node_id, template_asked, template_given, reason, opened_at)"
        " VALUES ('u1', 1, 'a', 'b', '', T)",
        "node_lock (id, node_id, name, origin, taken_at, expires_at) VALUES (1, 2, 'gpu', 'ledger', T, T)",
        "node_lock (node_id, name, origin, taken_at, expires_at) VALUES (1, 'gpu', 'ledger', T, T)",
        "config (id, kind, text, sha256, applied_at) VALUES (1, 'devices', 'x', '" SHA "', T)",
        "finding (id, kind, object_kind, object, key, position, text, opened_at)"
        " VALUES (1, 'k', 'Node', 'n', 'k', 0, 'x', T)",
        "object (id, kind, namespace, name, text, updated_at) VALUES (1, 'a', 'b', 'c', '{}', T)",
        "object (kind, namespace, name, text, updated_at) VALUES ('ConfigMap', 'kube-system', 'm', '{}', T)",
    };
    static const char *const verbs[] = {"INSERT OR REPLACE", "INSERT OR IGNORE", "INSERT"};
    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++)
        for (size_t v = 0; v < sizeof verbs / sizeof verbs[0]; v++) {
            char sql[320];
            (void)snprintf(sql, sizeof sql, "%s INTO %s", verbs[v], inserts[i]);
            schema_refuse(*state, "key_taken:", sql);
        }
}

static void keys_never_change(void **state)
{
    static const char *const updates[] = {
        "node SET id = 9 WHERE id = 1",
        "node SET name = 'n1' WHERE id = 2",
        "device SET id = 9 WHERE id = 1",
        "device SET node_id = 1 WHERE id = 6",
        "device SET uuid = 'GPU-0' WHERE id = 2",
        "device SET uuid = NULL WHERE id = 2",
        "device SET backend = 'vnpu' WHERE id = 3",
        "device SET idx = 4 WHERE id = 3",
        "pod SET uid = 'u1' WHERE id = 2",
        "pod SET id = 1 WHERE id = 2",
        "pod SET namespace = 'x' WHERE id = 2",
        "pod SET name = 'x' WHERE id = 2",
        "object SET name = 'x'",
        "object SET id = 4",
        "node_version SET node_id = 1 WHERE node_id = 2",
        "device_version SET device_id = 1 WHERE device_id = 2",
        "pod_version SET pod_id = 1 WHERE pod_id = 2",
        "node_lock SET node_id = 2",
        "node_lock SET holder = 'other'",
        "node_lock SET expires_at = T+9999",
        "vnpu_downgrade SET pod_uid = 'u2'",
        "vnpu_downgrade SET template_given = 'vir01'",
        "finding SET text = 'fine'",
        "config SET text = 'other'",
        "config SET applied_at = T+1",
    };
    for (size_t i = 0; i < sizeof updates / sizeof updates[0]; i++) {
        char sql[160];
        (void)snprintf(sql, sizeof sql, "UPDATE OR REPLACE %s", updates[i]);
        schema_refuse(*state, "history:", sql);
    }
    schema_do(*state, "UPDATE device SET idx = 5, updated_at = T+1 WHERE id = 2"); /* its key is its UUID */
}

static void what_closed_stays_closed(void **state)
{
    schema_refuse(*state, "bounds:", "UPDATE node_lock SET released_at = T");
    schema_do(*state, "UPDATE node_lock SET released_at = T, release_reason = 'x'");
    schema_refuse(*state, "history:", "UPDATE node_lock SET released_at = NULL, release_reason = NULL");
    schema_refuse(*state, "bounds:", "UPDATE vnpu_downgrade SET closed_at = T-1");
    schema_do(*state, "UPDATE vnpu_downgrade SET closed_at = T");
    schema_refuse(*state, "history:", "UPDATE vnpu_downgrade SET closed_at = T+1");
    schema_refuse(*state, "bounds:", "UPDATE finding SET closed_at = T-1");
    schema_do(*state, "UPDATE finding SET closed_at = T");
    schema_refuse(*state, "history:", "UPDATE finding SET closed_at = NULL");
}

static void a_key_is_free_again_when_its_row_closed(void **state)
{
    schema_do(*state, "UPDATE node_lock SET released_at = T, release_reason = 'x'");
    schema_do(*state, "UPDATE vnpu_downgrade SET closed_at = T");
    schema_do(*state, "INSERT INTO node_lock (node_id, name, origin, taken_at, expires_at)"
                      " VALUES (1, 'gpu', 'observed', T+60, T+360)");
    schema_do(*state, "INSERT INTO vnpu_downgrade (pod_uid, node_id, template_asked, template_given, reason, opened_at)"
                      " VALUES ('u1', 1, 'a', 'b', '', T)");
    schema_rows(*state, "SELECT count(*) FROM node_lock", "2");
}

/* Every bound, by INSERT OR IGNORE: a CHECK alone would let it pass in silence. */
static void bounds_are_refused_aloud(void **state)
{
    static const char *const inserts[] = {
        "node (name, updated_at) VALUES ('', T)",
        "node (name, updated_at) VALUES ('x', -1)",
        "node (name, updated_at) VALUES ('x', 253402300800000000)",
        "node (name, updated_at, labels) VALUES ('x', T, '{')",
        "node (name, updated_at, annotations) VALUES ('x', T, '[]')",
        "node (name, updated_at, capacity) VALUES ('x', T, '1')",
        "node (name, updated_at, allocatable) VALUES ('x', T, '')",
        "node (name, updated_at, removed_at) VALUES ('x', T, -1)",
        "device (node_id, backend, idx, updated_at) VALUES (1, '', 0, T)",
        "device (node_id, backend, idx, updated_at) VALUES (1, 'b', -1, T)",
        "device (node_id, backend, idx, updated_at) VALUES (1, 'b', 2147483648, T)",
        "device (node_id, backend, idx, uuid, updated_at) VALUES (1, 'b', 0, '', T)",
        "device (node_id, backend, idx, memory, updated_at) VALUES (1, 'b', 0, -1, T)",
        "device (node_id, backend, idx, memory, updated_at) VALUES (1, 'b', 0, 2147483648, T)",
        "device (node_id, backend, idx, cores, updated_at) VALUES (1, 'b', 0, -1, T)",
        "device (node_id, backend, idx, slots, updated_at) VALUES (1, 'b', 0, -1, T)",
        "device (node_id, backend, idx, ai_cores, updated_at) VALUES (1, 'b', 0, -1, T)",
        "device (node_id, backend, idx, ai_cpus, updated_at) VALUES (1, 'b', 0, -1, T)",
        "device (node_id, backend, idx, numa, updated_at) VALUES (1, 'b', 0, -2147483649, T)",
        "device (node_id, backend, idx, network_id, updated_at) VALUES (1, 'b', 0, 2147483648, T)",
        "device (node_id, backend, idx, healthy, updated_at) VALUES (1, 'b', 0, 2, T)",
        "device (node_id, backend, idx, schedulable, updated_at) VALUES (1, 'b', 0, -1, T)",
        "device (node_id, backend, idx, updated_at) VALUES (1, 'b', 0, -1)",
        "pod (uid, namespace, name, created_at, updated_at) VALUES ('', 'a', 'b', T, T)",
        "pod (uid, namespace, name, created_at, updated_at) VALUES ('u', '', 'b', T, T)",
        "pod (uid, namespace, name, created_at, updated_at) VALUES ('u', 'a', '', T, T)",
        "pod (uid, namespace, name, created_at, updated_at) VALUES ('u', 'a', 'b', -62167219200000001, T)",
        "pod (uid, namespace, name, created_at, updated_at) VALUES ('u', 'a', 'b', T, -1)",
        "pod (uid, namespace, name, created_at, updated_at, containers) VALUES ('u', 'a', 'b', T, T, '{}')",
        "pod (uid, namespace, name, created_at, updated_at, labels) VALUES ('u', 'a', 'b', T, T, 'x')",
        "pod (uid, namespace, name, created_at, updated_at, annotations) VALUES ('u', 'a', 'b', T, T, '[]')",
        "pod (uid, namespace, name, created_at, updated_at, phase) VALUES ('u', 'a', 'b', T, T, '')",
        "pod (uid, namespace, name, created_at, updated_at, queue) VALUES ('u', 'a', 'b', T, T, '')",
        "vnpu_downgrade (pod_uid, node_id, template_asked, template_given, reason, opened_at)"
        " VALUES ('u9', 1, '', 'b', '', T)",
        "vnpu_downgrade (pod_uid, node_id, template_asked, template_given, reason, opened_at)"
        " VALUES ('u9', 1, 'a', 'b', '', -1)",
        "node_lock (node_id, name, origin, taken_at, expires_at) VALUES (2, '', 'ledger', T, T)",
        "node_lock (node_id, name, origin, taken_at, expires_at) VALUES (2, 'gpu', 'other', T, T)",
        "node_lock (node_id, name, origin, taken_at, expires_at) VALUES (2, 'gpu', 'ledger', T, T-1)",
        "config (kind, text, sha256, applied_at) VALUES ('other', '', '" SHA "', T)",
        "config (kind, text, sha256, applied_at) VALUES ('devices', '', 'abc', T)",
        "config (kind, text, sha256, applied_at) VALUES ('devices', '', upper('" SHA "a'), T)",
        "config (kind, text, sha256, applied_at) VALUES ('devices', '', '" SHA "', -1)",
        "finding (kind, object_kind, object, key, position, text, opened_at) VALUES ('', 'a', 'b', '', 0, '', T)",
        "finding (kind, object_kind, object, key, position, text, opened_at) VALUES ('k', 'a', 'b', '', -1, '', T)",
        "finding (kind, object_kind, object, key, position, text, opened_at) VALUES ('k', 'a', 'b', '', 0, '', -1)",
        "object (kind, namespace, name, text, updated_at) VALUES ('a', 'b', 'c', 'x', T)",
        "object (kind, namespace, name, text, updated_at) VALUES ('a', '', 'c', '{}', T)",
        "request (pod_id, container, ordinal, backend, count) VALUES (1, 'c', 1, 'vgpu', -1)",
        "request (pod_id, container, ordinal, backend, count, memory_percent) VALUES (1, 'c', 1, 'vgpu', 1, 101)",
        "request (pod_id, container, ordinal, backend, count, memory) VALUES (1, 'c', 1, 'vgpu', 1, 2147483648)",
        "request (pod_id, container, ordinal, backend, count, cores) VALUES (1, 'c', 1, 'vgpu', 1, -1)",
        "explanation (pod_id, at, node, code, reason, message) VALUES (1, T, 'n', 4, '', '')",
        "vnpu_template (backend, chip, name, memory) VALUES ('b', 'c', 'd', -1)",
        "vnpu_template (backend, chip, name, dvpp) VALUES ('b', 'c', 'd', 'maybe')",
        "mig_geometry VALUES ('m', 0, 'g', 1, 'k', -1, 1, 0)",
        "mig_geometry VALUES ('m', 0, 'g', 1, 'k', 1, 1, -1)",
        "node_backend (node_id, backend, schedulable) VALUES (2, 'vgpu', 2)",
        "node_backend (node_id, backend, schedulable, capacity) VALUES (2, 'vgpu', 1, -1)",
    };
    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++) {
        char sql[320];
        (void)snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO %s", inserts[i]);
        schema_refuse(*state, "bounds:", sql);
    }
}

static void updates_keep_the_bounds_too(void **state)
{
    static const char *const updates[] = {
        "node SET labels = '[]'",           "node SET updated_at = -1",
        "device SET memory = -1",           "device SET healthy = 2",
        "device SET idx = -1 WHERE id = 1", "device SET updated_at = -1",
        "pod SET annotations = 'x'",        "pod SET phase = ''",
        "pod SET containers = '{}'",        "object SET text = '[]'",
        "request SET count = -1",           "explanation SET code = 9",
        "vnpu_template SET ai_cpus = -1",   "mig_geometry SET count = -1",
        "node_backend SET soft = 3",
    };
    for (size_t i = 0; i < sizeof updates / sizeof updates[0]; i++) {
        char sql[160];
        (void)snprintf(sql, sizeof sql, "UPDATE OR IGNORE %s", updates[i]);
        schema_refuse(*state, "bounds:", sql);
    }
}

/* The tables stand on their own where a trigger is missing. */
static void the_tables_check_without_triggers(void **state)
{
    static const char *const statements[] = {
        "UPDATE device SET memory = -1",
        "UPDATE device SET used_memory = -1",
        "UPDATE device SET used_cores = 4611686018427387904",
        "UPDATE pod SET labels = '[]'",
        "UPDATE allocation SET state = 'bound'",
        "UPDATE allocation SET state = 'released'",
        "UPDATE allocation SET release_reason = 'x'",
        "UPDATE allocation SET mig_position = 1",
        "UPDATE allocation SET mode = 'other'",
        "UPDATE node_lock SET released_at = T",
        "UPDATE config SET sha256 = 'x'",
        "UPDATE node SET id = -1 WHERE id = 2",
    };
    schema_do(*state, "PRAGMA foreign_keys = OFF");
    schema_do(*state, "DROP TRIGGER device_bounds; DROP TRIGGER device_used; DROP TRIGGER pod_update;"
                      "DROP TRIGGER allocation_update; DROP TRIGGER node_lock_update; DROP TRIGGER config_update;"
                      "DROP TRIGGER node_update; DROP TRIGGER device_changes; DROP TRIGGER pod_changes");
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        schema_refuse(*state, "CHECK constraint failed", statements[i]);
    schema_refuse(*state, "cannot store TEXT", "UPDATE device SET memory = 'many'");
}

static void references_hold(void **state)
{
    schema_refuse(*state, "FOREIGN KEY",
                  "INSERT INTO device (node_id, backend, idx, updated_at) VALUES (9, 'b', 0, T)");
    schema_refuse(*state, "FOREIGN KEY", "UPDATE pod SET node_id = 9 WHERE id = 1");
    schema_refuse(*state, "FOREIGN KEY",
                  "INSERT INTO request (pod_id, container, ordinal, backend, count)"
                  " VALUES (9, 'c', 0, 'vgpu', 1)");
}

/* Whoever adds a table adds its guards. */
static void every_table_is_for_the_library_only(void **state)
{
    schema_rows(*state,
                "SELECT t.name FROM sqlite_schema t WHERE t.type = 'table' AND 3 <> (SELECT count(*)"
                " FROM sqlite_schema g WHERE g.type = 'trigger' AND g.tbl_name = t.name"
                " AND g.sql LIKE '%devledger_library_only()%' AND g.name IN (t.name || '_insert',"
                " t.name || '_update', t.name || '_delete'))",
                "");
    schema_rows(*state, "SELECT count(*) > 15 FROM sqlite_schema WHERE type = 'table'", "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROWS_TEST(history_is_not_deleted),
        ROWS_TEST(what_is_derived_is_written_anew),
        ROWS_TEST(nothing_takes_a_key_that_is_there),
        ROWS_TEST(keys_never_change),
        ROWS_TEST(what_closed_stays_closed),
        ROWS_TEST(a_key_is_free_again_when_its_row_closed),
        ROWS_TEST(bounds_are_refused_aloud),
        ROWS_TEST(updates_keep_the_bounds_too),
        ROWS_TEST(the_tables_check_without_triggers),
        ROWS_TEST(references_hold),
        ROWS_TEST(every_table_is_for_the_library_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
