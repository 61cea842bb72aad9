/* What people read: free amounts, states, sums, conflicts. */
#include "../support/schema_world.h"

/* Columns of allocation that every slice here gives. */
#define SLICE                                                                                                          \
    "INSERT INTO allocation (pod_id, node_id, device_id, device_name, backend, container, ordinal, memory, cores,"     \
    " slots, whole, mode, mig_group, mig_position, origin, state, allocated_at, bound_at, expires_at) VALUES "

static void every_view_reads(void **state)
{
    struct dvl_store *store = *state;
    static const char *const views[] = {
        "nodes",       "devices",      "pods",          "allocations",  "allocation_history", "locks",
        "downgrades",  "events",       "findings",      "conflicts",    "usage_by_node",      "usage_by_namespace",
        "queue_usage", "device_hours", "fragmentation", "explanations", "templates",          "geometries",
        "configs",     "lock_history", "clock",         "live_slices",  "device_usage",
    };
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        char sql[80];
        (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT * FROM %s LIMIT 0)", views[i]);
        schema_rows(store, sql, "0");
    }
}

static void the_clock_is_microseconds(void **state)
{
    schema_rows(*state, "SELECT abs(now / 1000000 - unixepoch('now')) <= 1 FROM clock", "1");
}

static void free_is_what_is_left_and_never_below_nothing(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, SLICE "(1, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 5000, 60, 3, 0, 'hami-core', NULL, NULL, 'ledger',"
                           " 'bound', T, T, NULL),"
                           "(2, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 5000, 60, 3, 0, 'hami-core', NULL, NULL, 'observed',"
                           " 'bound', T, T, NULL),"
                           "(3, 1, 3, '0', 'gpushare', 'c', 0, 7000, 0, 0, 0, NULL, NULL, NULL, 'ledger',"
                           " 'bound', T, T, NULL)");
    schema_rows(store,
                "SELECT \"index\", backend, used_memory, free_memory, used_cores, free_cores, used_slots, free_slots,"
                " slices FROM devices WHERE node = 'n1' AND backend IN ('vgpu', 'gpushare') ORDER BY backend, 1",
                "0|gpushare|7000|8109|null|null|null|null|1 0|vgpu|10000|0|120|0|6|0|2 1|vgpu|0|40536|0|100|0|7|0");
}

static void nodes_and_pods_sum_up_what_they_have(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store,
              SLICE "(1, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 500, 1, 1, 0, NULL, NULL, NULL, 'ledger', 'bound', T, T,"
                    " NULL), (1, 1, 1, 'GPU-0', 'vgpu', 'd', 1, 500, 1, 1, 0, NULL, NULL, NULL, 'ledger', 'bound',"
                    " T, T, NULL), (2, 1, 3, '0', 'gpushare', 'c', 0, 70, 0, 0, 0, NULL, NULL, NULL, 'ledger',"
                    " 'reserved', T, NULL, NULL)");
    schema_do(store, "UPDATE device SET healthy = 0, updated_at = T WHERE id = 2;"
                     "UPDATE pod SET phase = 'Failed', updated_at = T WHERE id = 3;"
                     "UPDATE pod SET node_name = 'n9', created_at = -1, updated_at = T WHERE id = 4;"
                     "INSERT INTO node_backend (node_id, backend, schedulable) VALUES (1, 'vgpu', 1), (1, 'vnpu', 0)");
    schema_rows(store,
                "SELECT name, backends, devices, healthy_devices, memory, used_memory, pods, updated_at FROM nodes"
                " ORDER BY name",
                "n1|[\"vgpu\",\"vnpu\"]|5|4|85172|1070|2|2026-11-30T08:00:00.000000Z"
                " n2|[]|1|1|8000|0|0|2026-11-30T08:00:00.000000Z");
    schema_rows(store, "SELECT name, state, node, devices, queue, created_at FROM pods WHERE name <> 'c' ORDER BY name",
                "a|bound|null|1|q1|2026-11-30T08:00:00.000000Z b|reserved|null|1|q1|2026-11-30T08:00:00.000000Z"
                " d|pending|n9|0|default|1969-12-31T23:59:59.999999Z");
    schema_rows(store, "SELECT state FROM pods WHERE name = 'c'", "finished");
}

static void a_card_held_whole_has_nothing_free(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, SLICE "(1, 1, 3, '0', 'gpushare', 'c', 0, 100, 0, 0, 1, NULL, NULL, NULL, 'observed', 'bound',"
                           " T, T, NULL)");
    schema_rows(store, "SELECT used_memory, free_memory FROM devices WHERE backend = 'gpushare'", "100|0");
}

static void an_expired_reservation_holds_nothing_any_more(void **state)
{
    struct dvl_store *store = *state;
    /* 2001 has passed, the year 9999 has not */
    schema_do(store, SLICE "(1, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 5000, 60, 3, 0, 'hami-core', NULL, NULL, 'ledger',"
                           " 'reserved', 978307200000000, NULL, 978307260000000),"
                           "(2, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 1000, 10, 1, 0, 'hami-core', NULL, NULL, 'ledger',"
                           " 'reserved', 978307200000000, NULL, 253402300799000000)");
    schema_rows(store, "SELECT used_memory, used_slots FROM device WHERE id = 1", "6000|4");
    schema_rows(store,
                "SELECT used_memory, free_memory, used_slots, free_slots FROM devices WHERE uuid = 'GPU-0'"
                " AND node = 'n1'",
                "1000|7000|1|3");
    schema_rows(store, "SELECT pod, state, expires_at FROM allocations ORDER BY pod",
                "ml/a|expired|2001-01-01T00:01:00.000000Z ml/b|reserved|9999-12-31T23:59:59.000000Z");
    schema_rows(store, "SELECT duration_seconds FROM allocation_history WHERE pod = 'ml/a'", "60.0");
    schema_rows(store, "SELECT pods FROM nodes WHERE name = 'n1'", "1");
    schema_rows(store, "SELECT name, state, devices FROM pods WHERE namespace = 'ml' ORDER BY name",
                "a|expired|0 b|reserved|1");
    schema_rows(store, "SELECT round(device_hours * 60) FROM device_hours WHERE day = '2001-01-01'", "1441.0");
}

static void history_says_how_long(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, SLICE "(1, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 5, 6, 1, 0, 'hami-core', NULL, NULL, 'ledger',"
                           " 'reserved', T, NULL, NULL)");
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T+90500000, release_reason = 'asked'");
    schema_rows(store,
                "SELECT pod, node, device, \"index\", state, allocated_at, released_at, release_reason,"
                " duration_seconds FROM allocation_history",
                "ml/a|n1|GPU-0|0|released|2026-11-30T08:00:00.000000Z|2026-11-30T08:01:30.500000Z|asked|90.5");
    schema_rows(store, "SELECT count(*) FROM allocations", "0");
}

static void locks_tell_held_from_expired(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "INSERT INTO node_lock (node_id, name, holder, origin, taken_at, expires_at) VALUES"
                     " (1, 'gpu', 'ml/a/u1', 'ledger', 978307200000000, 253402300799000000),"
                     " (1, 'hamivgpu', NULL, 'observed', -1, 300000000),"
                     " (2, 'gpu', NULL, 'observed', 253402300700000000, 253402300799000000)");
    schema_rows(store, "SELECT node, name, holder, expired, taken_at FROM locks ORDER BY node, name",
                "n1|gpu|ml/a/u1|0|2001-01-01T00:00:00.000000Z n1|hamivgpu|null|1|1969-12-31T23:59:59.999999Z"
                " n2|gpu|null|1|9999-12-31T23:58:20.000000Z");
    schema_do(store, "UPDATE node_lock SET released_at = T, release_reason = 'done' WHERE name = 'gpu'");
    schema_rows(store, "SELECT count(*) FROM locks", "1");
    schema_rows(store, "SELECT expired, release_reason FROM lock_history WHERE node = 'n2'", "0|done");
}

static void downgrades_name_pod_and_node(void **state)
{
    schema_do(*state, "INSERT INTO vnpu_downgrade (pod_uid, node_id, template_asked, template_given, reason, opened_at)"
                      " VALUES ('u1', 1, 'vir02', 'vir02_1c', 'ai_cpus', T), ('u8', 2, 'vir04', 'vir04_3c', '', T)");
    schema_rows(*state,
                "SELECT pod, pod_uid, node, template_asked, template_given, opened_at, closed_at"
                " FROM downgrades ORDER BY node",
                "ml/a|u1|n1|vir02|vir02_1c|2026-11-30T08:00:00.000000Z|null"
                " null|u8|n2|vir04|vir04_3c|2026-11-30T08:00:00.000000Z|null");
}

static void queues_are_told_in_the_names_of_resources(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "INSERT INTO backend_resource VALUES ('vgpu', 'number', 'volcano.sh/vgpu-memory',"
                     " 'volcano.sh/vgpu-cores'), ('gpushare', 'n', 'volcano.sh/gpu-memory', NULL)");
    schema_do(store, SLICE "(1, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 100, 10, 1, 0, 'hami-core', NULL, NULL, 'ledger',"
                           " 'bound', T, T, NULL),"
                           "(2, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 200, 20, 1, 0, 'hami-core', NULL, NULL, 'ledger',"
                           " 'bound', T, T, NULL),"
                           "(3, 1, 3, '0', 'gpushare', 'c', 0, 7, 0, 0, 0, NULL, NULL, NULL, 'ledger',"
                           " 'bound', T, T, NULL)");
    schema_rows(store, "SELECT queue, backend, resource, amount, amount_milli FROM queue_usage ORDER BY 1, 2, 3",
                "q1|vgpu|volcano.sh/vgpu-cores|30|30000 q1|vgpu|volcano.sh/vgpu-memory|300|300000"
                " q2|gpushare|volcano.sh/gpu-memory|7|7000");
    schema_rows(store,
                "SELECT namespace, backend, pods, devices, slices, memory, cores FROM usage_by_namespace"
                " ORDER BY 1",
                "ml|vgpu|2|1|2|300|30 web|gpushare|1|1|1|7|0");
    schema_rows(store,
                "SELECT devices, slices, memory, used_memory, free_memory, free_cores FROM usage_by_node"
                " WHERE node = 'n1' AND backend = 'vgpu'",
                "2|2|48536|300|48236|170");
}

static void fragments_are_of_devices_that_take_pods(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, SLICE "(1, 1, 2, 'GPU-1', 'vgpu', 'c', 0, 30536, 10, 1, 0, 'hami-core', NULL, NULL, 'ledger',"
                           " 'bound', T, T, NULL)");
    schema_do(store, "INSERT INTO device (node_id, backend, idx, uuid, memory, healthy, updated_at)"
                     " VALUES (1, 'vgpu', 2, 'GPU-2', 99999, 0, T)");
    schema_rows(store,
                "SELECT devices, idle_devices, free_memory, largest_free_memory, free_cores, largest_free_cores"
                " FROM fragmentation WHERE node = 'n1' AND backend = 'vgpu'",
                "2|1|18000|10000|190|100");
}

/* T is 08:00: until midnight 16 hours. */
static void hours_are_cut_at_midnight(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, SLICE "(1, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 100, 50, 1, 0, 'hami-core', NULL, NULL, 'ledger',"
                           " 'bound', T, T, NULL)");
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T + 42 * 3600000000,"
                     " release_reason = 'x'");
    schema_rows(store,
                "SELECT namespace, day, backend, type, device_hours, memory_hours, core_hours FROM device_hours"
                " ORDER BY day",
                "ml|2026-11-30|vgpu|NVIDIA-A|16.0|1600.0|800.0 ml|2026-12-01|vgpu|NVIDIA-A|24.0|2400.0|1200.0"
                " ml|2026-12-02|vgpu|NVIDIA-A|2.0|200.0|100.0");
}

static void a_device_counts_once_for_a_pod(void **state)
{
    struct dvl_store *store = *state;
    /* 0-4 h and 2-6 h of one device, 3-5 h within, 8-9 h apart; another pod 0-1 h */
    schema_do(store, SLICE "(1, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 10, 1, 1, 0, 'hami-core', NULL, NULL, 'observed',"
                           " 'bound', T, T, NULL),"
                           "(1, 1, 1, 'GPU-0', 'vgpu', 'd', 1, 10, 1, 1, 0, 'hami-core', NULL, NULL, 'observed',"
                           " 'bound', T + 7200000000, T + 7200000000, NULL),"
                           "(1, 1, 1, 'GPU-0', 'vgpu', 'e', 2, 10, 1, 1, 0, 'hami-core', NULL, NULL, 'observed',"
                           " 'bound', T + 10800000000, T + 10800000000, NULL),"
                           "(1, 1, 1, 'GPU-0', 'vgpu', 'f', 3, 10, 1, 1, 0, 'hami-core', NULL, NULL, 'observed',"
                           " 'bound', T + 28800000000, T + 28800000000, NULL),"
                           "(2, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 10, 1, 1, 0, 'hami-core', NULL, NULL, 'observed',"
                           " 'bound', T, T, NULL)");
    schema_do(store, "UPDATE allocation SET state = 'released', release_reason = 'x', released_at = T + 3600000000 *"
                     " CASE id WHEN 1 THEN 4 WHEN 2 THEN 6 WHEN 3 THEN 5 WHEN 4 THEN 9 ELSE 1 END");
    schema_rows(store, "SELECT day, device_hours, memory_hours FROM device_hours", "2026-11-30|8.0|120.0");
}

static void what_still_holds_counts_until_now(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, SLICE "(1, 1, NULL, 'GPU-9', 'vgpu', 'c', 0, 10, 1, 1, 0, NULL, NULL, NULL, 'observed',"
                           " 'bound', 978307200000000, 978307200000000, NULL)");
    schema_rows(store,
                "SELECT type, abs(sum(device_hours) - ((SELECT now FROM clock) - 978307200000000) / 3600000000.0)"
                " < 0.001, max(device_hours), min(day) FROM device_hours",
                "null|1|24.0|2001-01-01");
}

static void over_booked_devices_are_conflicts(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, SLICE "(1, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 5000, 60, 3, 0, 'hami-core', NULL, NULL, 'ledger',"
                           " 'bound', T, T, NULL),"
                           "(2, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 5000, 60, 3, 0, 'hami-core', NULL, NULL, 'observed',"
                           " 'bound', T, T, NULL)");
    schema_rows(store, "SELECT kind, node, backend, device, amount, text FROM conflicts ORDER BY kind",
                "over_cores|n1|vgpu|GPU-0|20|120 of 100 cores are held: ml/a, ml/b"
                " over_memory|n1|vgpu|GPU-0|2000|10000 of 8000 MiB are held: ml/a, ml/b"
                " over_slots|n1|vgpu|GPU-0|2|6 of 4 slots are held: ml/a, ml/b");
    schema_do(store, "UPDATE allocation SET state = 'released', released_at = T, release_reason = 'x' WHERE id = 2");
    schema_rows(store, "SELECT count(*) FROM conflicts", "0");
}

static void ai_cores_and_ai_cpus_can_be_over_booked_too(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "INSERT INTO allocation (pod_id, node_id, device_id, device_name, backend, container, ordinal,"
                     " ai_cores, ai_cpus, cores, mode, origin, state, allocated_at) VALUES"
                     " (1, 1, 4, 'NPU-0', 'hami-Ascend310P', 'c', 0, 9, 8, 90, 'soft', 'observed', 'reserved', T)");
    schema_rows(store, "SELECT kind, amount FROM conflicts ORDER BY kind", "over_ai_cores|1 over_ai_cpus|1");
}

static void mig_cards_conflict_by_position_not_by_memory(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, SLICE "(1, 1, 2, 'GPU-1', 'vgpu', 'c', 0, 40960, 0, 1, 0, 'mig', 'g1', 0, 'ledger', 'bound', T, T,"
                           " NULL)");
    schema_rows(store, "SELECT count(*) FROM conflicts", "0");
    schema_do(store, SLICE "(2, 1, 2, 'GPU-1', 'vgpu', 'c', 0, 40960, 0, 1, 0, 'mig', 'g1', 0, 'observed', 'bound', T,"
                           " T, NULL), (3, 1, 2, 'GPU-1', 'vgpu', 'c', 0, 10240, 0, 1, 0, 'mig', 'g2', 4, 'observed',"
                           " 'bound', T, T, NULL)");
    schema_rows(store, "SELECT kind, device, amount, text FROM conflicts ORDER BY kind",
                "position_held_twice|GPU-1|2|2 share position g1-0: ml/a, ml/b, web/c"
                " two_geometries|GPU-1|2|2 share a card cut by one geometry at a time: ml/a, ml/b, web/c");
}

static void a_whole_card_that_others_hold_is_a_conflict(void **state)
{
    schema_do(*state, SLICE "(1, 1, 3, '0', 'gpushare', 'c', 0, 100, 0, 0, 1, NULL, NULL, NULL, 'observed', 'bound', T,"
                            " T, NULL), (2, 1, 3, '0', 'gpushare', 'c', 0, 100, 0, 0, 0, NULL, NULL, NULL, 'observed',"
                            " 'bound', T, T, NULL)");
    schema_rows(*state, "SELECT kind, device, amount FROM conflicts", "held_whole_twice|0|2");
}

static void slices_without_ground_are_conflicts(void **state)
{
    struct dvl_store *store = *state;
    schema_do(store, "INSERT INTO backend_resource (backend) VALUES ('vgpu'), ('gpushare')");
    schema_do(store,
              SLICE "(1, 1, NULL, 'GPU-9', 'vgpu', 'c', 0, 1, 1, 1, 0, NULL, NULL, NULL, 'observed', 'bound',"
                    " T, T, NULL), (2, 1, 1, 'GPU-0', 'vgpu', 'c', 0, 1, 1, 1, 0, NULL, NULL, NULL, 'ledger',"
                    " 'bound', T, T, NULL), (3, 1, 4, 'NPU-0', 'hami-Ascend310P', 'c', 0, 1, 0, 1, 0, 'template',"
                    " NULL, NULL, 'ledger', 'bound', T, T, NULL), (4, 1, 2, 'GPU-1', 'vgpu', 'c', 0, 1, 1, 1, 0,"
                    " NULL, NULL, NULL, 'ledger', 'bound', T, T, NULL)");
    schema_do(store, "UPDATE device SET removed_at = T, updated_at = T WHERE id = 1;"
                     "UPDATE pod SET spec_node_name = 'n2', phase = 'Failed', updated_at = T WHERE id = 4;"
                     "INSERT INTO finding (kind, object_kind, object, key, position, text, opened_at) VALUES"
                     " ('annotation_differs', 'Pod', 'web/c', 'k', 0, 'says GPU-7', T),"
                     " ('unreadable_record', 'Pod', 'web/c', 'k', 0, 'x', T)");
    schema_rows(store, "SELECT kind, pod, device, text FROM conflicts ORDER BY kind",
                "annotation_differs|web/c|null|says GPU-7"
                " finished_pod|web/d|GPU-1|the pod has finished and still holds"
                " node_differs|web/d|GPU-1|its manifest places the pod on n2"
                " removed_device|ml/b|GPU-0|the node has this device no more"
                " unknown_device|ml/a|GPU-9|the node has no such device"
                " vanished_backend|web/c|NPU-0|no backend of this name is configured");
    schema_do(store, "UPDATE finding SET closed_at = T");
    schema_rows(store, "SELECT count(*) FROM conflicts WHERE kind = 'annotation_differs'", "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCHEMA_TEST(every_view_reads),
        SCHEMA_TEST(the_clock_is_microseconds),
        SCHEMA_TEST(free_is_what_is_left_and_never_below_nothing),
        SCHEMA_TEST(nodes_and_pods_sum_up_what_they_have),
        SCHEMA_TEST(a_card_held_whole_has_nothing_free),
        SCHEMA_TEST(an_expired_reservation_holds_nothing_any_more),
        SCHEMA_TEST(history_says_how_long),
        SCHEMA_TEST(locks_tell_held_from_expired),
        SCHEMA_TEST(downgrades_name_pod_and_node),
        SCHEMA_TEST(queues_are_told_in_the_names_of_resources),
        SCHEMA_TEST(fragments_are_of_devices_that_take_pods),
        SCHEMA_TEST(hours_are_cut_at_midnight),
        SCHEMA_TEST(a_device_counts_once_for_a_pod),
        SCHEMA_TEST(what_still_holds_counts_until_now),
        SCHEMA_TEST(over_booked_devices_are_conflicts),
        SCHEMA_TEST(ai_cores_and_ai_cpus_can_be_over_booked_too),
        SCHEMA_TEST(mig_cards_conflict_by_position_not_by_memory),
        SCHEMA_TEST(a_whole_card_that_others_hold_is_a_conflict),
        SCHEMA_TEST(slices_without_ground_are_conflicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
