/* allocate, bind, release, reservations: one set per pod, nothing half done. */
#include "../support/ledger.h"

#define A POD_JSON("a", "ua", "", MEMORY("3000"))
#define B POD_JSON("b", "ub", "", MEMORY("6000"))

static int start(void **state)
{
    ledger_start(state);
    ok(SHARING);
    ok("{'op':'apply','objects':[" NODE_JSON("n1", "16000", "2") "," NODE_JSON("n2", "16000", "2") "]}");
    return 0;
}

/* "volcano.sh/gpu-index" has a dot, so paths can't name it: look it up. */
static const char *annotation(const char *key)
{
    return dvl_value_text(dvl_value_get(at("annotations"), key));
}

static void again_is_the_same_elsewhere_is_a_conflict(void **state)
{
    (void)state;
    ok("{'op':'allocate','pod':" A ",'node':'n1','now':'2026-12-01T08:00:00Z'}");
    assert_string_equal(annotation("volcano.sh/gpu-index"), "0");
    assert_string_equal(annotation("volcano.sh/predicate-time"), "1796112000000000000");
    ok("{'op':'sql','query':'SELECT count(*) FROM event'}");
    char events[32];
    snprintf(events, sizeof events, "%s", dvl_value_text(dvl_value_first(at("items.0"))));
    ok("{'op':'allocate','pod':'ml/a','node':'n1','now':'2026-12-01T09:00:00Z'}");
    assert_string_equal(annotation("volcano.sh/predicate-time"), "1796112000000000000");
    ok("{'op':'allocate','pod':" A ",'node':'n1'}");
    sql_is("SELECT count(*) FROM event", events);
    refused(DVL_CONFLICT, "{'op':'allocate','pod':'ml/a','node':'n2'}");
    refused(DVL_CONFLICT, "{'op':'allocate','pod':" POD_JSON("a", "ua", "", MEMORY("4000")) ",'node':'n1'}");
    sql_is("SELECT count(*) FROM event", events);
    sql_is("SELECT used_memory FROM device WHERE idx = 0 AND node_id = 1", "3000");
}

/* The request that counts is the one that the set was given for. */
static void a_request_that_changed_meanwhile_is_another_one(void **state)
{
    (void)state;
    ok("{'op':'allocate','pod':" A ",'node':'n1'}");
    ok("{'op':'apply','object':" POD_JSON("a", "ua", "", MEMORY("4000")) "}");
    refused(DVL_CONFLICT, "{'op':'allocate','pod':'ml/a','node':'n1'}");
    ok("{'op':'allocate','pod':" A ",'node':'n1'}");
    sql_is("SELECT memory FROM request", "3000");
    ok("{'op':'apply','object':" POD_JSON("a", "ua", "", MEMORY("4000")) "}");
    ok("{'op':'release','pod':'ml/a'}");
    sql_is("SELECT memory FROM request", "4000");
    ok("{'op':'allocate','pod':'ml/a','node':'n1'}");
    sql_is("SELECT used_memory FROM device WHERE id = 1", "4000");
}

static void what_does_not_fit_leaves_nothing(void **state)
{
    (void)state;
    ok("{'op':'sql','query':'SELECT max(seq) FROM event'}");
    char events[32];
    snprintf(events, sizeof events, "%s", dvl_value_text(dvl_value_first(at("items.0"))));
    refused(DVL_NO_FIT, "{'op':'allocate','pod':" POD_JSON("x", "ux", "", MEMORY("9000")) ",'node':'n1'}");
    refused(DVL_NOT_FOUND, "{'op':'allocate','pod':" A ",'node':'nowhere'}");
    refused(DVL_BAD_INPUT, "{'op':'allocate','pod':" POD_JSON("x", "ux", "", MEMORY("1.5")) ",'node':'n1'}");
    sql_is("SELECT max(seq) FROM event", events);
    sql_is("SELECT count(*) FROM pod", "0");
    ok("{'op':'allocate','pod':{'kind':'Pod','metadata':{'name':'plain'},'spec':{'containers':[]}},'node':'n1'}");
    has_count("slices", 0);
    sql_is("SELECT count(*) FROM pod", "0");
}

static void release_gives_back_what_the_rows_say_and_twice_is_nothing(void **state)
{
    (void)state;
    ok("{'op':'allocate','pod':" A ",'node':'n1'}");
    /* The annotation is edited meanwhile: the rows decide. */
    ok("{'op':'apply','object':" POD_JSON("a", "ua", ",'annotations':{'volcano.sh/gpu-index':'1'}",
                                          MEMORY("7000")) "}");
    sql_is("SELECT count(*) FROM conflicts", "1");
    ok("{'op':'release','pod':'ml/a'}");
    assert_int_equal(dvl_value_kind(dvl_value_get(at("annotations"), "volcano.sh/gpu-index")), DVL_VALUE_NULL);
    has_count("annotations", 2);
    sql_is("SELECT sum(used_memory) FROM device", "0");
    ok("{'op':'release','pod':'ml/a'}");
    has_count("annotations", 0);
    refused(DVL_NOT_FOUND, "{'op':'release','pod':'ml/nobody'}");
    sql_is("SELECT release_reason FROM allocation WHERE origin = `ledger`", "released");
}

static void bind_says_where_and_is_idempotent(void **state)
{
    (void)state;
    refused(DVL_NOT_FOUND, "{'op':'bind','pod':'ml/a'}");
    ok("{'op':'allocate','pod':" A ",'node':'n1'}");
    refused(DVL_CONFLICT, "{'op':'bind','pod':'ml/a','node':'n2'}");
    sql_is("SELECT state FROM allocation", "reserved");
    ok("{'op':'bind','pod':'ml/a','node':'n1'}");
    has_count("annotations", 0);
    sql_is("SELECT state FROM allocation", "bound");
    ok("{'op':'bind','pod':'ml/a'}");
    sql_is("SELECT count(*) FROM event WHERE kind = `slices_bound`", "1");
    ok("{'op':'release','pod':'ml/a'}");
    refused(DVL_NOT_FOUND, "{'op':'bind','pod':'ml/a'}");
}

static void a_reservation_ends_with_its_time(void **state)
{
    (void)state;
    ok("{'op':'allocate','pod':" B ",'node':'n1','ttl':'1m','now':'2026-12-01T08:00:00Z'}");
    has("expiresAt", "2026-12-01T08:01:00.000000Z");
    ok("{'op':'filter','pod':" POD_JSON("c", "uc", "", NUMBER("0") "," MEMORY("8000")) ",'nodes':['n1'],"
                                                                                       "'now':'2026-12-01T08:00:59Z'}");
    has("fits", "1"); /* the second card */
    ok("{'op':'allocate','pod':" POD_JSON("c", "uc", "", MEMORY("8000")) ",'node':'n1','now':'2026-12-01T08:00:59Z'}");
    ok("{'op':'filter','pod':" POD_JSON("d", "ud", "", MEMORY("8000")) ",'nodes':['n1'],'now':'2026-12-01T08:00:59Z'}");
    has("fits", "0");
    /* Every answer subtracts it once its time is over … */
    ok("{'op':'filter','pod':" POD_JSON("d", "ud", "", MEMORY("8000")) ",'nodes':['n1'],'now':'2026-12-01T08:01:00Z'}");
    has("fits", "1");
    ok("{'op':'get','kind':'devices','node':'n1','now':'2026-12-01T08:01:00Z'}");
    has("items.0.usedMemory", "0");
    sql_is("SELECT used_memory FROM device WHERE node_id = 1 AND idx = 0", "6000");
    /* … and the next writer ends it. */
    ok("{'op':'allocate','pod':" POD_JSON("d", "ud", "", MEMORY("8000")) ",'node':'n1','now':'2026-12-01T08:01:00Z'}");
    sql_is("SELECT release_reason FROM allocation WHERE id = 1", "expired");
    refused(DVL_NOT_FOUND, "{'op':'bind','pod':'ml/b','now':'2026-12-01T08:01:00Z'}");
}

static void a_bound_set_never_expires(void **state)
{
    (void)state;
    ok("{'op':'allocate','pod':" B ",'node':'n1','ttl':60,'now':'2026-12-01T08:00:00Z'}");
    ok("{'op':'bind','pod':'ml/b','now':'2026-12-01T08:00:30Z'}");
    ok("{'op':'apply','objects':[],'now':'2026-12-02T08:00:00Z'}");
    sql_is("SELECT used_memory FROM device WHERE node_id = 1 AND idx = 0", "6000");
    refused(DVL_BAD_INPUT, "{'op':'allocate','pod':" A ",'node':'n1','ttl':'soon'}");
    refused(DVL_BAD_INPUT, "{'op':'allocate','pod':" A ",'node':'n1','ttl':0}");
}

static void a_pod_recreated_under_its_name_is_another_pod(void **state)
{
    (void)state;
    ok("{'op':'allocate','pod':" A ",'node':'n1'}");
    ok("{'op':'allocate','pod':" POD_JSON("a", "ua2", "", MEMORY("3000")) ",'node':'n2'}");
    refused(DVL_CONFLICT, "{'op':'release','pod':'ml/a'}");
    refused(DVL_CONFLICT, "{'op':'delete','kind':'pod','name':'ml/a'}");
    ok("{'op':'delete','kind':'pod','name':'ml/a/ua'}");
    sql_is("SELECT sum(used_memory) FROM device WHERE node_id = 1", "0");
    sql_is("SELECT sum(used_memory) FROM device WHERE node_id = 2", "3000");
    ok("{'op':'release','pod':'ml/a'}");
    refused(DVL_NOT_FOUND, "{'op':'release','pod':'ml/a/ua'}");
}

static void schedule_chooses_allocates_and_explains(void **state)
{
    (void)state;
    ok("{'op':'schedule','pod':" A ",'dryRun':true}");
    has("node", "n1");
    has("slices.0.memory", "3000");
    sql_is("SELECT count(*) FROM pod", "0");
    ok("{'op':'schedule','pod':" A ",'bind':true}");
    has("node", "n1");
    sql_is("SELECT state FROM allocation", "bound");
    ok("{'op':'schedule','pod':'ml/a'}");
    has("node", "n1");
    refused(DVL_NO_FIT, "{'op':'schedule','pod':" POD_JSON("big", "ubig", "", MEMORY("9000")) "}");
    has("error.code", "no_fit");
    sql_is("SELECT count(*) FROM explanation", "6"); /* two nodes, two cards each */
    sql_is("SELECT reason FROM explanation WHERE device IS NULL AND node = `n1`", "short_of_memory");
    /* Kept until it is placed or gone. */
    refused(DVL_NO_FIT, "{'op':'schedule','pod':'ml/big'}");
    sql_is("SELECT count(*) FROM explanation", "6");
    ok("{'op':'apply','object':" NODE_JSON("n3", "9000", "1") "}");
    ok("{'op':'schedule','pod':'ml/big'}");
    has("node", "n3");
    sql_is("SELECT count(*) FROM explanation", "0");
}

static void a_plan_of_several_requests_is_kept_or_undone_as_one(void **state)
{
    (void)state;
    refused(DVL_CONFLICT, "{'op':'commit'}");
    ok("{'op':'begin'}");
    refused(DVL_CONFLICT, "{'op':'begin'}");
    ok("{'op':'allocate','pod':" A ",'node':'n1'}");
    refused(DVL_NO_FIT, "{'op':'allocate','pod':" POD_JSON("x", "ux", "", MEMORY("9000")) ",'node':'n1'}");
    sql_is("SELECT sum(used_memory) FROM device", "3000");
    ok("{'op':'rollback'}");
    sql_is("SELECT sum(used_memory) FROM device", "0");
    sql_is("SELECT count(*) FROM pod", "0");
    ok("{'op':'begin'}");
    ok("{'op':'allocate','pod':" A ",'node':'n1'}");
    ok("{'op':'commit'}");
    sql_is("SELECT sum(used_memory) FROM device", "3000");
}

/* A configuration that is undone must not stay in the handle's memory. */
static void a_configuration_that_was_rolled_back_is_not_in_force(void **state)
{
    (void)state;
    ok("{'op':'begin'}");
    ok("{'op':'config','scheduler':{'deviceshare.GPUNumberEnable':true}}");
    ok("{'op':'filter','pod':" POD_JSON("c", "uc", "", NUMBER("2")) "}");
    has("fits", "2");
    ok("{'op':'rollback'}");
    ok("{'op':'config','scheduler':{'deviceshare.GPUSharingEnable':true,'deviceshare.ScheduleWeight':3}}");
    ok("{'op':'filter','pod':" POD_JSON("c", "uc", "", MEMORY("9000")) "}");
    has("fits", "0");
    has("nodes.0.code", "3");
}

static void time_given_may_not_run_backwards(void **state)
{
    (void)state;
    ok("{'op':'allocate','pod':" A ",'node':'n1','now':'2026-12-01T08:00:00Z'}");
    refused(DVL_BAD_INPUT, "{'op':'release','pod':'ml/a','now':'2026-12-01T07:59:59Z'}");
    refused(DVL_BAD_INPUT, "{'op':'filter','pod':'ml/a','now':'2026-12-01T07:59:59Z'}");
    refused(DVL_BAD_INPUT, "{'op':'release','pod':'ml/a','now':'yesterday'}");
    refused(DVL_BAD_INPUT, "{'op':'lock','node':'n1','now':'9999-12-31T23:59:59Z'}");
    ok("{'op':'release','pod':'ml/a'}"); /* the system's clock may be behind */
    sql_is("SELECT count(*) FROM event WHERE at < 1796112000000000 AND kind = `slices_released`", "0");
}

static void requests_are_read_strictly(void **state)
{
    (void)state;
    refused(DVL_BAD_INPUT, "[]");
    refused(DVL_BAD_INPUT, "{}");
    refused(DVL_BAD_INPUT, "{'op':7}");
    refused(DVL_UNSUPPORTED, "{'op':'frobnicate'}");
    refused(DVL_BAD_INPUT, "{'op':'filter'}");
    refused(DVL_BAD_INPUT, "{'op':'filter','pod':7}");
    refused(DVL_BAD_INPUT, "{'op':'filter','pod':'ml/'}");
    refused(DVL_BAD_INPUT, "{'op':'filter','pod':" A ",'colour':'red'}");
    refused(DVL_BAD_INPUT, "{'op':'filter','pod':" A ",'nodes':'n1'}");
    refused(DVL_NOT_FOUND, "{'op':'filter','pod':" A ",'nodes':['n1','nowhere']}");
    refused(DVL_BAD_INPUT, "{'op':'filter','pod':" A ",'explain':'yes'}");
    refused(DVL_BAD_INPUT, "{'op':'filter','pod':" NODE_JSON("n1", "1", "1") "}");
    refused(DVL_NOT_FOUND, "{'op':'filter','pod':'ml/nobody'}");
    ok("{'op':'filter','pod':" A ",'nodes':['n2','n1','n2'],'id':{'mine':[1,2]}}");
    has("id.mine.1", "2");
    has_count("nodes", 2);
    has("nodes.0.node", "n1");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, start, ledger_end)
    const struct CMUnitTest tests[] = {
        CASE(again_is_the_same_elsewhere_is_a_conflict),
        CASE(a_request_that_changed_meanwhile_is_another_one),
        CASE(what_does_not_fit_leaves_nothing),
        CASE(release_gives_back_what_the_rows_say_and_twice_is_nothing),
        CASE(bind_says_where_and_is_idempotent),
        CASE(a_reservation_ends_with_its_time),
        CASE(a_bound_set_never_expires),
        CASE(a_pod_recreated_under_its_name_is_another_pod),
        CASE(schedule_chooses_allocates_and_explains),
        CASE(a_plan_of_several_requests_is_kept_or_undone_as_one),
        CASE(a_configuration_that_was_rolled_back_is_not_in_force),
        CASE(time_given_may_not_run_backwards),
        CASE(requests_are_read_strictly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
