/* What the tables themselves refuse of slices: nothing the ledger gives exceeds
 * a device, whoever writes, and what was given back never changes again. */
#include "../support/schema_world.h"

/* One slice. The rest is what a vgpu slice of device 1 for pod 1 has. */
struct slice {
    int pod, node;
    const char *device;  /* SQL: an id or NULL */
    const char *backend; /* NULL: vgpu */
    const char *verb;    /* NULL: INSERT */
    int memory, cores, slots, ai_cores, ai_cpus, whole;
    const char *mode;  /* SQL; NULL: 'hami-core' */
    const char *group; /* SQL; NULL: NULL */
    const char *position;
    int ordinal;
    const char *origin; /* NULL: ledger */
    const char *state;  /* SQL of state, bound_at; NULL: reserved */
};

static const char * or (const char *text, const char *otherwise)
{
    return text ? text : otherwise;
}

static const char *slice_sql(const struct slice *slice, char *out, size_t size)
{
    (void)snprintf(
        out, size,
        "%s INTO allocation (pod_id, node_id, device_id, device_name, container, backend, memory, cores, slots, "
        "ai_cores, ai_cpus, whole, mode, mig_group, mig_position, ordinal, origin, allocated_at, state, bound_at) "
        "VALUES (%d, %d, %s, 'x', 'c', '%s', %d, %d, %d, %d, %d, %d, %s, %s, %s, %d, '%s', T, %s)",
        or (slice->verb, "INSERT"), slice->pod ? slice->pod : 1, slice->node ? slice->node : 1, or (slice->device, "1"),
        or (slice->backend, "vgpu"), slice->memory, slice->cores, slice->slots, slice->ai_cores, slice->ai_cpus,
        slice->whole, or (slice->mode, "'hami-core'"), or (slice->group, "NULL"), or (slice->position, "NULL"),
        slice->ordinal, or (slice->origin, "ledger"), or (slice->state, "'reserved', NULL"));
    return out;
}

static void give(struct dvl_store *store, struct slice slice)
{
    char sql[1024];
    schema_do(store, slice_sql(&slice, sql, sizeof sql));
}

static void refuse(struct dvl_store *store, const char *words, struct slice slice)
{
    char sql[1024];
    schema_refuse(store, words, slice_sql(&slice, sql, sizeof sql));
}

static void memory_cores_and_slots_are_never_exceeded(void **state)
{
    struct dvl_store *store = *state;
    give(store, (struct slice){.memory = 5000, .cores = 60, .slots = 2});
    refuse(store, "over_memory:", (struct slice){.pod = 2, .memory = 3001, .slots = 1});
    refuse(store, "over_cores:", (struct slice){.pod = 2, .memory = 1, .cores = 41, .slots = 1});
    refuse(store, "over_slots:", (struct slice){.pod = 2, .memory = 1, .slots = 3});
    give(store, (struct slice){.pod = 2, .memory = 3000, .cores = 40, .slots = 2});
    refuse(store, "over_memory:", (struct slice){.pod = 3, .memory = 1});
    schema_rows(store, "SELECT used_memory, used_cores, used_slots FROM device WHERE id = 1", "8000|100|4");
}

static void what_asks_nothing_of_a_full_account_is_let_in(void **state)
{
    struct dvl_store *store = *state;
    give(store, (struct slice){.memory = 9000, .cores = 10, .slots = 1, .origin = "observed"});
    give(store, (struct slice){.pod = 2, .cores = 10, .slots = 1});
    refuse(store, "over_memory:", (struct slice){.pod = 3, .memory = 1, .slots = 1});
}

static void ai_cores_and_ai_cpus_have_their_own_account(void **state)
{
    struct dvl_store *store = *state;
    struct slice npu = {.device = "4", .backend = "hami-Ascend310P", .mode = "'template'", .memory = 6144, .slots = 1};
    struct slice next = npu;
    npu.ai_cores = 6, npu.ai_cpus = 2;
    give(store, npu);
    next.pod = 2, next.ai_cores = 3;
    refuse(store, "over_ai_cores:", next);
    next.ai_cores = 2, next.ai_cpus = 6;
    refuse(store, "over_ai_cpus:", next);
    next.ai_cpus = 5;
    give(store, next);
    schema_rows(store, "SELECT used_ai_cores, used_ai_cpus FROM device WHERE id = 4", "8|7");
}

static void what_a_device_does_not_count_is_not_limited(void **state)
{
    struct dvl_store *store = *state;
    give(store, (struct slice){.device = "5",
                               .backend = "vnpu",
                               .mode = "'template'",
                               .cores = 8,
                               .ai_cores = 8,
                               .memory = 100000,
                               .slots = 50,
                               .ai_cpus = 7});
    give(store, (struct slice){.pod = 2,
                               .device = "3",
                               .backend = "gpushare",
                               .mode = "NULL",
                               .memory = 15109,
                               .cores = 1000,
                               .slots = 50});
}

static void soft_slices_count_cores_in_percent(void **state)
{
    struct dvl_store *store = *state;
    struct slice soft = {.device = "4", .backend = "hami-Ascend310P", .mode = "'soft'", .cores = 60, .slots = 1};
    give(store, soft);
    soft.pod = 2, soft.cores = 41;
    refuse(store, "over_cores:", soft);
    soft.cores = 40;
    give(store, soft);
    soft.pod = 3, soft.cores = 1, soft.mode = "'template'";
    refuse(store, "over_cores:", soft);
}

static void closed_devices_are_not_given(void **state)
{
    static const struct {
        const char *change, *words;
    } cases[] = {
        {"UPDATE device SET healthy = 0, updated_at = T+1 WHERE id = 1", "unhealthy:"},
        {"UPDATE device SET schedulable = 0, updated_at = T+1 WHERE id = 1", "unschedulable: the device"},
        {"UPDATE device SET removed_at = T+1, updated_at = T+1 WHERE id = 1", "removed:"},
        {"INSERT INTO node_backend (node_id, backend, schedulable) VALUES (1, 'vgpu', 0)", "unschedulable: the node"},
        {"UPDATE node SET removed_at = T+1, updated_at = T+1 WHERE id = 1", "node_gone:"},
        {"UPDATE pod SET deleted_at = T+1, updated_at = T+1 WHERE id = 1", "pod_gone:"},
        {"UPDATE pod SET phase = 'Failed', updated_at = T+1 WHERE id = 1", "pod_gone:"},
    };
    struct dvl_store *store = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        schema_do(store, "SAVEPOINT one");
        schema_do(store, cases[i].change);
        refuse(store, cases[i].words, (struct slice){.memory = 1, .slots = 1});
        schema_do(store, "ROLLBACK TO one");
    }
    give(store, (struct slice){.memory = 1, .slots = 1});
}

static void a_slice_is_of_a_known_device_of_its_node_and_backend(void **state)
{
    struct dvl_store *store = *state;
    refuse(store, "unknown_device:", (struct slice){.device = "NULL"});
    refuse(store, "other_device:", (struct slice){.device = "6"});
    refuse(store, "other_device:", (struct slice){.device = "3"});
    refuse(store, "other_device:", (struct slice){.device = "6", .origin = "observed"});
    refuse(store, "FOREIGN KEY", (struct slice){.device = "99", .origin = "observed"});
    refuse(store, "FOREIGN KEY", (struct slice){.pod = 99, .origin = "observed"});
    give(store, (struct slice){.device = "NULL", .origin = "observed"});
}

static void a_card_held_whole_is_closed(void **state)
{
    struct dvl_store *store = *state;
    struct slice whole = {.device = "3", .backend = "gpushare", .mode = "NULL", .memory = 15109, .whole = 1};
    struct slice part = {.pod = 2, .device = "3", .backend = "gpushare", .mode = "NULL"};
    schema_do(store, "SAVEPOINT one");
    give(store, whole);
    refuse(store, "held_whole:", part);
    whole.pod = 3;
    refuse(store, "held_whole:", whole);
    schema_do(store, "ROLLBACK TO one");
    give(store, part);
    refuse(store, "held:", whole);
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T+1, release_reason = 'x'");
    give(store, whole);
}

static void a_mig_position_is_held_once_and_its_memory_is_not_summed(void **state)
{
    struct dvl_store *store = *state;
    struct slice mig = {
        .device = "2", .mode = "'mig'", .group = "'all-7g'", .position = "0", .memory = 40960, .slots = 1};
    give(store, mig);
    mig.pod = 2;
    refuse(store, "position_held:", mig);
    mig.position = "1";
    give(store, mig);
    mig.pod = 3, mig.position = "2", mig.group = "'group1'";
    refuse(store, "other_geometry:", mig);
    mig.group = "'all-7g'", mig.slots = 6;
    refuse(store, "over_slots:", mig);
    schema_rows(store, "SELECT used_memory FROM device WHERE id = 2", "81920");
}

static void a_mig_slice_has_a_position_on_a_mig_card(void **state)
{
    struct dvl_store *store = *state;
    refuse(store, "no_position:", (struct slice){.device = "2", .mode = "'mig'"});
    refuse(store, "no_position:", (struct slice){.device = "2", .group = "'g'", .position = "0"});
    refuse(store, "no_position:", (struct slice){.device = "1", .mode = "'mig'", .group = "'g'", .position = "0"});
    refuse(store, "bounds:", (struct slice){.device = "2", .mode = "'mig'", .group = "'g'"});
    refuse(store, "bounds:", (struct slice){.device = "2", .mode = "'mig'", .position = "1", .origin = "observed"});
}

static void geometries_are_open_again_when_the_last_instance_is_free(void **state)
{
    struct dvl_store *store = *state;
    struct slice mig = {.device = "2", .mode = "'mig'", .group = "'group1'", .position = "3", .slots = 1};
    give(store, mig);
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T, release_reason = 'x'");
    mig.group = "'group2'";
    give(store, mig);
}

static void what_was_observed_is_let_in(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "UPDATE device SET healthy = 0, updated_at = T+1 WHERE id IN (1, 2)");
    struct slice seen = {.memory = 9000, .cores = 300, .slots = 9, .origin = "observed", .state = "'bound', T"};
    give(store, seen);
    seen.pod = 2, seen.whole = 1;
    give(store, seen);
    struct slice mig = {
        .pod = 3, .device = "2", .mode = "'mig'", .group = "'g'", .position = "0", .origin = "observed"};
    give(store, mig);
    mig.pod = 4;
    give(store, mig);
    schema_rows(store, "SELECT used_memory, used_cores, used_slots FROM device WHERE id = 1", "18000|600|18");
}

static void a_pod_holds_on_one_node(void **state)
{
    struct dvl_store *store = *state;
    give(store, (struct slice){.memory = 1});
    refuse(store, "other_node:", (struct slice){.node = 2, .device = "6", .ordinal = 1});
    refuse(store, "other_node:", (struct slice){.node = 2, .device = "6", .ordinal = 1, .origin = "observed"});
    refuse(store, "key_taken:", (struct slice){.memory = 1});
    give(store, (struct slice){.memory = 1, .ordinal = 1});
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T, release_reason = 'x'");
    give(store, (struct slice){.node = 2, .device = "6"});
}

static void the_gone_hold_nothing(void **state)
{
    struct dvl_store *store = *state;
    give(store, (struct slice){.memory = 1});
    schema_refuse(store, "held: the pod", "UPDATE pod SET deleted_at = T, updated_at = T WHERE id = 1");
    schema_refuse(store, "held: the node", "UPDATE node SET removed_at = T, updated_at = T WHERE id = 1");
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T, release_reason = 'x'");
    schema_do(store, "UPDATE pod SET deleted_at = T, updated_at = T WHERE id = 1");
    schema_do(store, "UPDATE node SET removed_at = T, updated_at = T WHERE id = 1");
}

static void used_amounts_follow_the_slices(void **state)
{
    struct dvl_store *store = *state;
    give(store, (struct slice){.memory = 100, .cores = 10, .slots = 1});
    give(store, (struct slice){.memory = 200, .cores = 20, .slots = 1, .ordinal = 1});
    schema_do(store, "UPDATE allocation SET state = 'bound', bound_at = T+1");
    schema_rows(store, "SELECT used_memory, used_cores, used_slots FROM device WHERE id = 1", "300|30|2");
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T+2, release_reason = 'x' WHERE id = 1");
    schema_rows(store, "SELECT used_memory, used_cores, used_slots FROM device WHERE id = 1", "200|20|1");
    schema_do(store, "UPDATE device SET used_memory = 200 WHERE id = 1");
    schema_refuse(store, "used_amounts:", "UPDATE device SET used_memory = 0 WHERE id = 1");
    schema_refuse(store, "used_amounts:", "UPDATE OR IGNORE device SET used_cores = 21 WHERE id = 1");
    schema_refuse(store, "used_amounts:", "UPDATE OR REPLACE device SET used_slots = NULL WHERE id = 1");
    schema_refuse(store, "used_amounts:", "UPDATE device SET used_ai_cores = 1 WHERE id = 1");
    schema_refuse(store, "used_amounts:", "UPDATE device SET used_ai_cpus = 1 WHERE id = 1");
    schema_refuse(store, "used_amounts:",
                  "INSERT INTO device (node_id, backend, idx, used_memory, updated_at) VALUES (1, 'vgpu', 9, 1, T)");
}

static void states_go_one_way(void **state)
{
    struct dvl_store *store = *state;
    refuse(store, "state:", (struct slice){.state = "'released', NULL"});
    refuse(store, "state:", (struct slice){.state = "'bound', NULL"});
    refuse(store, "state:", (struct slice){.state = "'reserved', T"});
    refuse(store, "state:", (struct slice){.state = "'gone', NULL"});
    give(store, (struct slice){.memory = 1});
    schema_refuse(store, "state:", "UPDATE allocation SET state = 'bound'");
    schema_refuse(store, "state:", "UPDATE allocation SET state = 'released', released_at = T");
    schema_refuse(store, "state:", "UPDATE allocation SET released_at = T, release_reason = 'x'");
    schema_refuse(store, "bounds:", "UPDATE allocation SET state = 'bound', bound_at = T-1");
    schema_do(store, "UPDATE allocation SET state = 'bound', bound_at = T+1");
    schema_refuse(store, "state:", "UPDATE allocation SET state = 'reserved', bound_at = NULL");
    schema_refuse(store, "state:", "UPDATE allocation SET bound_at = T+2");
    schema_refuse(store,
                  "bounds:", "UPDATE allocation SET state = 'released', released_at = T-1, release_reason = 'x'");
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T+1, release_reason = 'x'");
    schema_refuse(store, "history:", "UPDATE allocation SET release_reason = 'y'");
    schema_refuse(store, "history:", "UPDATE allocation SET state = 'bound', released_at = NULL");
    schema_refuse(store, "history:", "UPDATE OR IGNORE allocation SET memory = 0");
    schema_refuse(store, "history:", "DELETE FROM allocation");
}

static void a_reservation_keeps_its_end(void **state)
{
    struct dvl_store *store = *state;
    give(store, (struct slice){.memory = 1});
    schema_refuse(store, "state:", "UPDATE allocation SET expires_at = T+9");
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T, release_reason = 'x'");
    schema_do(store, "INSERT INTO allocation (pod_id, node_id, device_id, device_name, container, backend, ordinal,"
                     " origin, state, allocated_at, expires_at)"
                     " VALUES (1, 1, 1, 'x', 'c', 'vgpu', 0, 'ledger', 'reserved', T, T+5)");
    schema_refuse(store, "state:", "UPDATE allocation SET expires_at = T+9 WHERE released_at IS NULL");
    schema_refuse(store, "state:", "UPDATE allocation SET expires_at = NULL WHERE released_at IS NULL");
    schema_do(store,
              "UPDATE allocation SET state = 'bound', bound_at = T, expires_at = NULL WHERE released_at IS NULL");
}

static void what_a_slice_is_never_changes(void **state)
{
    static const char *const changes[] = {
        "id = 7",
        "pod_id = 2",
        "node_id = 2",
        "device_id = 2",
        "device_id = NULL",
        "memory = 99",
        "memory_asked = 1",
        "cores = 99",
        "slots = 9",
        "ai_cores = 1",
        "ai_cpus = 1",
        "whole = 1",
        "mode = 'soft'",
        "template = 'vir01'",
        "template_asked = 'v'",
        "ordinal = 4",
        "origin = 'observed'",
        "allocated_at = T+1",
        "container = 'other'",
        "backend = 'vnpu'",
        "device_name = 'y'",
        "mig_group = 'g', mig_position = 0",
    };
    struct dvl_store *store = *state;
    give(store, (struct slice){.memory = 100, .cores = 10, .slots = 1});
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char sql[160];
        (void)snprintf(sql, sizeof sql, "UPDATE OR REPLACE allocation SET %s", changes[i]);
        schema_refuse(store, "history:", sql);
    }
}

static void an_observed_slice_is_linked_once_when_its_device_comes(void **state)
{
    struct dvl_store *store = *state;
    give(store, (struct slice){.device = "NULL", .origin = "observed", .slots = 1});
    schema_refuse(store, "history:", "UPDATE allocation SET memory = 5000");
    schema_refuse(store, "other_device:", "UPDATE allocation SET device_id = 6, memory = 5000");
    schema_refuse(store, "bounds:", "UPDATE OR IGNORE allocation SET device_id = 1, memory = -1");
    schema_do(store, "UPDATE allocation SET device_id = 1, memory = 9000, memory_asked = 8000");
    schema_rows(store, "SELECT used_memory, used_slots FROM device WHERE id = 1", "9000|1");
    schema_refuse(store, "history:", "UPDATE allocation SET device_id = 1, memory = 1");
    schema_refuse(store, "history:", "UPDATE allocation SET device_id = NULL");
}

static void no_way_of_writing_steps_over_a_bound(void **state)
{
    struct dvl_store *store = *state;
    static const char *const verbs[] = {"INSERT", "INSERT OR IGNORE", "INSERT OR REPLACE", "INSERT OR FAIL",
                                        "INSERT OR ROLLBACK"};
    give(store, (struct slice){.memory = 5000});
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        refuse(store, "over_memory:", (struct slice){.verb = verbs[i], .pod = 2, .memory = 3001});
        refuse(store, "bounds:", (struct slice){.verb = verbs[i], .pod = 2, .memory = -1, .origin = "observed"});
        refuse(store, "bounds:", (struct slice){.verb = verbs[i], .pod = 2, .mode = "'other'"});
        refuse(store, "bounds:", (struct slice){.verb = verbs[i], .pod = 2, .origin = "guess"});
        refuse(store, "bounds:", (struct slice){.verb = verbs[i], .pod = 2, .ordinal = -1});
        refuse(store, "key_taken:", (struct slice){.verb = verbs[i]});
    }
    schema_refuse(store, "bounds:",
                  "INSERT INTO allocation (pod_id, node_id, device_name, container, backend, memory, ordinal, origin,"
                  " state, allocated_at) VALUES (2, 1, 'x', 'c', 'vgpu', 2147483648, 0, 'observed', 'reserved', T)");
    schema_rows(store, "SELECT count(*), sum(memory) FROM allocation", "1|5000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCHEMA_TEST(memory_cores_and_slots_are_never_exceeded),
        SCHEMA_TEST(what_asks_nothing_of_a_full_account_is_let_in),
        SCHEMA_TEST(ai_cores_and_ai_cpus_have_their_own_account),
        SCHEMA_TEST(what_a_device_does_not_count_is_not_limited),
        SCHEMA_TEST(soft_slices_count_cores_in_percent),
        SCHEMA_TEST(closed_devices_are_not_given),
        SCHEMA_TEST(a_slice_is_of_a_known_device_of_its_node_and_backend),
        SCHEMA_TEST(a_card_held_whole_is_closed),
        SCHEMA_TEST(a_mig_position_is_held_once_and_its_memory_is_not_summed),
        SCHEMA_TEST(a_mig_slice_has_a_position_on_a_mig_card),
        SCHEMA_TEST(geometries_are_open_again_when_the_last_instance_is_free),
        SCHEMA_TEST(what_was_observed_is_let_in),
        SCHEMA_TEST(a_pod_holds_on_one_node),
        SCHEMA_TEST(the_gone_hold_nothing),
        SCHEMA_TEST(used_amounts_follow_the_slices),
        SCHEMA_TEST(states_go_one_way),
        SCHEMA_TEST(a_reservation_keeps_its_end),
        SCHEMA_TEST(what_a_slice_is_never_changes),
        SCHEMA_TEST(an_observed_slice_is_linked_once_when_its_device_comes),
        SCHEMA_TEST(no_way_of_writing_steps_over_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
