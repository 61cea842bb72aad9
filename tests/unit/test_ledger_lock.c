/* Node locks: one holder, terms, take-over, annotations. */
#include "../support/ledger.h"

#define A POD_JSON("a", "ua", "", MEMORY("3000"))
#define B POD_JSON("b", "ub", "", MEMORY("3000"))

static int start(void **state)
{
    ledger_start(state);
    ok(SHARING_LOCKED);
    ok("{'op':'apply','now':'2026-12-01T08:00:00Z','objects':[" NODE_JSON("n1", "16000",
                                                                          "2") "," NODE_JSON("n2", "16000", "2") "]}");
    return 0;
}

static void one_holder_at_a_time(void **state)
{
    (void)state;
    ok("{'op':'lock','node':'n1','holder':'x','now':'2026-12-01T08:00:00Z'}");
    has("expiresAt", "2026-12-01T08:05:00.000000Z");
    refused(DVL_LOCKED, "{'op':'lock','node':'n1','name':'gpu','holder':'y','now':'2026-12-01T08:01:00Z'}");
    has("error.message", "node n1: lock gpu is held by x for another 240 s");
    ok("{'op':'lock','node':'n2','holder':'y','now':'2026-12-01T08:01:00Z'}"); /* LOC-08: another node */
    /* LOC-06: taken again, not extended. */
    ok("{'op':'lock','node':'n1','holder':'x','now':'2026-12-01T08:04:00Z'}");
    has("expiresAt", "2026-12-01T08:05:00.000000Z");
    refused(DVL_LOCKED, "{'op':'unlock','node':'n1','holder':'y','now':'2026-12-01T08:04:00Z'}");
    ok("{'op':'unlock','node':'n1','holder':'x','now':'2026-12-01T08:04:00Z'}");
    refused(DVL_NOT_FOUND, "{'op':'unlock','node':'n1','holder':'x','now':'2026-12-01T08:04:00Z'}");
    refused(DVL_NOT_FOUND, "{'op':'lock','node':'nowhere','holder':'x'}");
}

static void a_term_that_is_over_is_taken_over(void **state)
{
    (void)state;
    ok("{'op':'lock','node':'n1','holder':'x','now':'2026-12-01T08:00:00Z'}");
    refused(DVL_LOCKED, "{'op':'lock','node':'n1','holder':'y','now':'2026-12-01T08:04:59Z'}");
    ok("{'op':'lock','node':'n1','holder':'y','now':'2026-12-01T08:05:00Z'}");
    sql_is("SELECT release_reason FROM node_lock WHERE holder = `x`", "expired");
    sql_is("SELECT group_concat(kind) FROM (SELECT kind FROM event WHERE kind LIKE `lock%` ORDER BY seq)",
           "lock_taken,lock_released,lock_taken");
    /* After its term anybody may give it back. */
    ok("{'op':'unlock','node':'n1','holder':'z','now':'2026-12-01T08:10:00Z'}");
}

static void without_a_name_the_lock_must_be_plain(void **state)
{
    (void)state;
    ok("{'op':'config','scheduler':{'deviceshare.VGPUEnable':true,'deviceshare.AscendHAMiVNPUEnable':true}}");
    refused(DVL_UNSUPPORTED, "{'op':'lock','node':'n1','holder':'x'}");
    ok("{'op':'lock','node':'n1','name':'hamivgpu','holder':'x'}");
    ok("{'op':'config','scheduler':{'deviceshare.AscendMindClusterVNPUEnable':true}}");
    refused(DVL_UNSUPPORTED, "{'op':'lock','node':'n1','holder':'x'}");
}

static void allocate_takes_it_bind_and_release_give_it_back(void **state)
{
    (void)state;
    ok("{'op':'allocate','pod':" A ",'node':'n1'}");
    sql_is("SELECT holder FROM node_lock WHERE released_at IS NULL", "ml/a/ua");
    refused(DVL_LOCKED, "{'op':'allocate','pod':" B ",'node':'n1'}");
    sql_is("SELECT count(*) FROM pod WHERE name = `b`", "0");
    ok("{'op':'allocate','pod':'ml/a','node':'n1'}"); /* the same again */
    ok("{'op':'bind','pod':'ml/a'}");
    sql_is("SELECT release_reason FROM node_lock", "bound");
    ok("{'op':'allocate','pod':" B ",'node':'n1'}");
    ok("{'op':'release','pod':'ml/b'}");
    sql_is("SELECT count(*) FROM node_lock WHERE released_at IS NULL", "0");
    /* LOC-07: who does not fit keeps no lock. */
    refused(DVL_NO_FIT, "{'op':'allocate','pod':" POD_JSON("x", "ux", "", MEMORY("9000")) ",'node':'n1'}");
    sql_is("SELECT count(*) FROM node_lock WHERE released_at IS NULL", "0");
    /* ATO-09: who can't have the lock books nothing. */
    ok("{'op':'lock','node':'n2','name':'gpu','holder':'somebody'}");
    refused(DVL_LOCKED, "{'op':'allocate','pod':" POD_JSON("c", "uc", "", MEMORY("1")) ",'node':'n2'}");
    sql_is("SELECT sum(used_memory) FROM device WHERE node_id = 2", "0");
}

static void schedule_has_no_second_choice(void **state)
{
    (void)state;
    ok("{'op':'lock','node':'n1','name':'gpu','holder':'somebody'}");
    refused(DVL_LOCKED, "{'op':'schedule','pod':" A "}");
    ok("{'op':'schedule','pod':" A ",'nodes':['n2']}");
}

static void whole_cards_need_no_lock(void **state)
{
    (void)state;
    ok("{'op':'config','scheduler':{'deviceshare.GPUNumberEnable':true,'deviceshare.NodeLockEnable':true}}");
    ok("{'op':'allocate','pod':" POD_JSON("c", "uc", "", NUMBER("1")) ",'node':'n1'}");
    sql_is("SELECT count(*) FROM node_lock", "0");
}

/* LOC-02 */
static void the_lock_of_a_pod_that_is_gone_is_free(void **state)
{
    (void)state;
    ok("{'op':'allocate','pod':" A ",'node':'n1','now':'2026-12-01T08:00:00Z'}");
    ok("{'op':'lock','node':'n2','name':'gpu','holder':'ml/a','now':'2026-12-01T08:00:00Z'}");
    refused(DVL_LOCKED, "{'op':'lock','node':'n2','name':'gpu','holder':'y','now':'2026-12-01T08:00:01Z'}");
    ok("{'op':'apply','now':'2026-12-01T08:00:02Z','object':" PLACED_JSON("a", "ua", "", "n1", "Succeeded",
                                                                          MEMORY("3000")) "}");
    sql_is("SELECT release_reason FROM node_lock WHERE holder = `ml/a/ua`", "released");
    ok("{'op':'lock','node':'n2','name':'gpu','holder':'y','now':'2026-12-01T08:00:03Z'}");
    sql_is("SELECT release_reason FROM node_lock WHERE holder = `ml/a`", "holder_gone");
}

#define LOCKED_NODE(value)                                                                                             \
    "{'kind':'Node','metadata':{'name':'n1','annotations':{'gpu':'" value                                              \
    "'}},'status':{'capacity':{'volcano.sh/gpu-memory':'16000','volcano.sh/gpu-number':'2'}}}"

static void an_annotation_is_a_lock_that_starts_at_its_time(void **state)
{
    (void)state;
    ok("{'op':'apply','now':'2026-12-01T08:01:00Z','object':" LOCKED_NODE("2026-12-01T16:00:00+08:00") "}");
    sql_is("SELECT taken_at FROM node_lock", "1796112000000000");
    ok("{'op':'sql','query':'SELECT holder FROM node_lock'}");
    has("items.0.holder", "null");
    refused(DVL_LOCKED, "{'op':'allocate','pod':" A ",'node':'n1','now':'2026-12-01T08:01:00Z'}");
    ok("{'op':'apply','now':'2026-12-01T08:01:00Z','object':" LOCKED_NODE("2026-12-01T08:02:00Z,ml,a") "}");
    sql_is("SELECT holder FROM node_lock WHERE released_at IS NULL", "ml/a");
    ok("{'op':'apply','now':'2026-12-01T08:02:00Z','object':" LOCKED_NODE("yesterday") "}");
    sql_is("SELECT count(*) FROM finding WHERE closed_at IS NULL AND kind = `unreadable_lock`", "1");
    sql_is("SELECT holder FROM node_lock WHERE released_at IS NULL", "ml/a"); /* what read before stays */
    ok("{'op':'apply','now':'2026-12-01T08:02:00Z','object':" NODE_JSON("n1", "16000", "2") "}");
    sql_is("SELECT count(*) FROM node_lock WHERE released_at IS NULL", "0");
    sql_is("SELECT count(*) FROM finding WHERE closed_at IS NULL", "0");
    ok("{'op':'apply','object':" LOCKED_NODE("") "}");
    sql_is("SELECT count(*) FROM finding WHERE closed_at IS NULL", "1");
}

static void a_lock_taken_in_the_future_is_no_lock(void **state)
{
    (void)state;
    ok("{'op':'apply','now':'2026-12-01T08:00:00Z','object':" LOCKED_NODE("2026-12-01T08:05:00Z") "}");
    refused(DVL_LOCKED, "{'op':'lock','node':'n1','name':'gpu','holder':'y','now':'2026-12-01T08:00:00Z'}");
    ok("{'op':'apply','now':'2026-12-01T08:00:00Z','object':" LOCKED_NODE("2036-12-01T08:00:00Z") "}");
    ok("{'op':'lock','node':'n1','name':'gpu','holder':'y','now':'2026-12-01T08:00:00Z'}");
}

static void a_node_that_goes_takes_its_locks_along(void **state)
{
    (void)state;
    ok("{'op':'lock','node':'n1','name':'gpu','holder':'x'}");
    ok("{'op':'delete','kind':'node','name':'n1'}");
    sql_is("SELECT release_reason FROM node_lock", "node_removed");
    sql_is("SELECT count(*) FROM devices WHERE node = `n1`", "0");
    refused(DVL_NOT_FOUND, "{'op':'delete','kind':'node','name':'n1'}");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, start, ledger_end)
    const struct CMUnitTest tests[] = {
        CASE(one_holder_at_a_time),
        CASE(a_term_that_is_over_is_taken_over),
        CASE(without_a_name_the_lock_must_be_plain),
        CASE(allocate_takes_it_bind_and_release_give_it_back),
        CASE(schedule_has_no_second_choice),
        CASE(whole_cards_need_no_lock),
        CASE(the_lock_of_a_pod_that_is_gone_is_free),
        CASE(an_annotation_is_a_lock_that_starts_at_its_time),
        CASE(a_lock_taken_in_the_future_is_no_lock),
        CASE(a_node_that_goes_takes_its_locks_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
