/* Two handles on one file: what one does the other sees at once, and what was
 * there at the end is there at the next opening. */
#include "../support/ledger.h"
#include "../support/scratch.h"

static struct scratch scratch;
static struct dvl_ledger *first, *second;

static struct dvl_ledger *open_file(void)
{
    struct dvl_ledger *handle;
    char message[256] = "";
    const struct dvl_open_options options = {.path = scratch.path, .actor = "tester", .create = true};
    if (dvl_ledger_open(&options, &handle, message, sizeof message) != DVL_OK)
        fail_msg("%s", message);
    return handle;
}

static int start(void **state)
{
    (void)state;
    assert_true(scratch_make(&scratch));
    first = open_file();
    second = open_file();
    ledger = first;
    ok(SHARING_LOCKED);
    ok("{'op':'apply','object':" NODE_JSON("n1", "8000", "1") "}");
    return 0;
}

static int end(void **state)
{
    (void)state;
    dvl_answer_free(answer);
    answer = NULL;
    dvl_ledger_close(first);
    dvl_ledger_close(second);
    scratch_remove(&scratch);
    return 0;
}

/* LOC-09: a hold is judged by the row that is there now. */
static void the_same_holder_gives_back_from_elsewhere(void **state)
{
    (void)state;
    ledger = first;
    ok("{'op':'lock','node':'n1','holder':'x'}");
    ledger = second;
    refused(DVL_LOCKED, "{'op':'lock','node':'n1','holder':'y'}");
    ok("{'op':'unlock','node':'n1','holder':'x'}");
    ledger = first;
    ok("{'op':'lock','node':'n1','holder':'y'}");
}

/* ATO-04: of two that want the whole card one gets it. */
static void one_card_goes_to_one_of_two(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        enum dvl_status one, other;
        ledger = round % 2 ? first : second;
        one = ask("{'op':'allocate','node':'n1','pod':" POD_JSON("a", "ua", "", MEMORY("8000")) "}");
        ok("{'op':'bind','pod':'ml/a'}"); /* gives the node's lock back */
        ledger = round % 2 ? second : first;
        other = ask("{'op':'allocate','node':'n1','pod':" POD_JSON("b", "ub", "", MEMORY("8000")) "}");
        assert_int_equal(one, DVL_OK);
        assert_int_equal(other, DVL_NO_FIT);
        ok("{'op':'release','pod':'ml/a'}");
    }
    ok("{'op':'verify'}");
}

/* A configuration that another process applied is in force for this one. */
static void a_configuration_reaches_every_handle(void **state)
{
    (void)state;
    ledger = second;
    ok("{'op':'filter','pod':" POD_JSON("c", "uc", "", NUMBER("1")) "}");
    has("fits", "1"); /* memory mode: it asks for nothing */
    has("nodes.0.code", "0");
    ledger = first;
    ok("{'op':'config','scheduler':{'deviceshare.GPUNumberEnable':true}}");
    ledger = second;
    ok("{'op':'filter','pod':" POD_JSON("c", "uc", "", NUMBER("2")) "}");
    has("fits", "0");
    has("nodes.0.code", "3");
}

/* STA-12: a ledger on disk is complete when it opens. */
static void nothing_has_to_be_told_again(void **state)
{
    (void)state;
    ledger = first;
    ok("{'op':'allocate','node':'n1','pod':" POD_JSON("a", "ua", "", MEMORY("5000")) "}");
    ok("{'op':'bind','pod':'ml/a'}");
    dvl_ledger_close(first);
    dvl_ledger_close(second);
    first = open_file();
    second = open_file();
    ledger = second;
    ok("{'op':'filter','pod':" POD_JSON("b", "ub", "", MEMORY("3001")) "}");
    has("nodes.0.code", "2");
    ok("{'op':'allocate','node':'n1','pod':" POD_JSON("b", "ub", "", MEMORY("3000")) "}");
    ok("{'op':'describe','kind':'node','name':'n1'}"); /* says how old its inventory is */
    assert_non_null(dvl_value_text(at("node.updatedAt")));
}

/* STA-13, and the clock of another machine: times are instants, whatever the offset. */
static void offsets_are_only_ways_of_writing(void **state)
{
    (void)state;
    ledger = first;
    ok("{'op':'lock','node':'n1','holder':'x','now':'2036-12-01T12:00:00+08:00'}");
    has("expiresAt", "2036-12-01T04:05:00.000000Z");
    ledger = second;
    refused(DVL_LOCKED, "{'op':'lock','node':'n1','holder':'y','now':'2036-12-01T04:00:30Z'}");
    has("error.message", "node n1: lock gpu is held by x for another 270 s");
    ok("{'op':'lock','node':'n1','holder':'y','now':'2036-12-01T05:05:00+01:00'}");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, start, end)
    const struct CMUnitTest tests[] = {
        CASE(the_same_holder_gives_back_from_elsewhere), CASE(one_card_goes_to_one_of_two),
        CASE(a_configuration_reaches_every_handle),      CASE(nothing_has_to_be_told_again),
        CASE(offsets_are_only_ways_of_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
