/* apply: what comes in, what follows from it, what is refused. */
#include "../support/ledger.h"

#define PLACED(index) PLACED_JSON("a", "ua", "'volcano.sh/gpu-index':'" index "'", "n1", "Running", MEMORY("3000"))

static int start(void **state)
{
    ledger_start(state);
    ok(SHARING);
    return 0;
}

static void used_is(const char *first, const char *second)
{
    sql_is("SELECT used_memory FROM device WHERE idx = 0", first);
    sql_is("SELECT used_memory FROM device WHERE idx = 1", second);
}

static void actions_say_what_became_of_each(void **state)
{
    (void)state;
    ok("{'op':'apply','objects':[" NODE_JSON("n1", "16000", "2") "," PLACED(
        "0") ",{'kind':'Deployment','metadata':{'name':'d','namespace':'x'}},"
             "{'kind':'ConfigMap','metadata':{'name':'other','namespace':'x'},'data':{'a':'b'}}]}");
    has("results.0.action", "created");
    has("results.1.name", "ml/a");
    has("results.1.kind", "Pod");
    has("results.2.action", "ignored");
    has("results.3.action", "ignored");
    ok("{'op':'apply','objects':[" NODE_JSON("n1", "16000", "2") "," PLACED("1") "]}");
    has("results.0.action", "unchanged");
    has("results.1.action", "updated");
    ok("{'op':'delete','kind':'pod','name':'ml/a'}");
    ok("{'op':'apply','object':" PLACED("1") "}");
    has("results.0.action", "created");
    sql_is("SELECT count(*) FROM pod", "1");
}

static void one_bad_object_undoes_all(void **state)
{
    (void)state;
    refused(DVL_BAD_INPUT, "{'op':'apply','objects':[" NODE_JSON("n1", "16000", "2") ",{'kind':'Pod'}]}");
    assert_non_null(strstr(dvl_value_text(at("error.message")), "object 2"));
    sql_is("SELECT count(*) FROM node", "0");
    refused(DVL_BAD_INPUT, "{'op':'apply'}");
    refused(DVL_BAD_INPUT, "{'op':'apply','object':" NODE_JSON("n1", "1", "1") ",'objects':[]}");
    ok("{'op':'apply','dryRun':true,'object':" NODE_JSON("n1", "16000", "2") "}");
    has("results.0.action", "created");
    sql_is("SELECT count(*) FROM node", "0");
    sql_is("SELECT count(*) FROM event WHERE kind = `node_created`", "0");
}

static void a_list_gives_its_items(void **state)
{
    (void)state;
    ok("{'op':'apply','object':{'kind':'List','items':[" NODE_JSON("n1", "16000", "2") "," PLACED("0") "]}}");
    has("results.0.name", "n1");
    has("results.1.name", "ml/a");
    ok("{'op':'apply','objects':[{'kind':'NodeList','items':[{'metadata':{'name':'n2'}}]}," PLACED("0") "]}");
    has("results.0.kind", "Node");
    has("results.1.action", "unchanged");
    refused(DVL_BAD_INPUT, "{'op':'apply','object':{'kind':'List','items':[{'kind':'List','items':[]}]}}");
    refused(DVL_BAD_INPUT, "{'op':'apply','object':{'kind':'List','items':7}}");
    sql_is("SELECT count(*) FROM node", "2");
}

static void an_observed_set_follows_its_annotation(void **state)
{
    (void)state;
    ok("{'op':'apply','objects':[" NODE_JSON("n1", "16000", "2") "," PLACED("0") "]}");
    used_is("3000", "0");
    ok("{'op':'apply','object':" PLACED("1") "}");
    used_is("0", "3000");
    sql_is("SELECT release_reason FROM allocation WHERE id = 1", "observed_change");
    sql_is("SELECT state FROM allocation WHERE id = 2", "bound");
    /* PAR-02: what does not read takes nothing away. */
    ok("{'op':'apply','object':" PLACED("0;1") "}");
    used_is("0", "3000");
    sql_is("SELECT count(*) FROM finding WHERE closed_at IS NULL AND kind = `unreadable_assignment`", "1");
    ok("{'op':'apply','object':" PLACED("1") "}");
    sql_is("SELECT count(*) FROM finding WHERE closed_at IS NULL", "0");
    sql_is("SELECT count(*) FROM allocation", "2");
    /* D4: who has finished holds nothing. */
    ok("{'op':'apply','object':" PLACED_JSON("a", "ua", "'volcano.sh/gpu-index':'1'", "n1", "Failed",
                                             MEMORY("3000")) "}");
    used_is("0", "0");
    sql_is("SELECT release_reason FROM allocation WHERE id = 2", "finished");
}

static void an_annotation_that_goes_ends_the_set(void **state)
{
    (void)state;
    ok("{'op':'apply','objects':[" NODE_JSON("n1", "16000", "2") "," PLACED("0") "]}");
    ok("{'op':'apply','object':" PLACED_JSON("a", "ua", "", "n1", "Running", MEMORY("3000")) "}");
    used_is("0", "0");
}

static void what_comes_first_waits_for_what_comes_later(void **state)
{
    (void)state;
    ok("{'op':'apply','object':" PLACED("1") "}");
    sql_is("SELECT count(*) FROM allocation", "0");
    sql_is("SELECT count(*) FROM finding WHERE closed_at IS NULL AND kind = `unknown_node`", "1");
    ok("{'op':'apply','object':" NODE_JSON("n1", "8000", "1") "}");
    sql_is("SELECT count(*) FROM finding WHERE closed_at IS NULL AND kind = `unknown_node`", "0");
    sql_is("SELECT count(*) FROM allocation WHERE device_id IS NULL", "1");
    sql_is("SELECT count(*) FROM conflicts", "1");
    ok("{'op':'apply','object':" NODE_JSON("n1", "16000", "2") "}");
    used_is("0", "3000");
    sql_is("SELECT count(*) FROM conflicts", "0");
    sql_is("SELECT count(*) FROM allocation", "1"); /* the same slice, linked */
}

/* STA-06 */
static void cards_that_go_leave_their_holders_listed(void **state)
{
    (void)state;
    ok("{'op':'apply','objects':[" NODE_JSON("n1", "16000", "2") "," PLACED("1") "]}");
    ok("{'op':'apply','object':" NODE_JSON("n1", "8000", "1") "}");
    sql_is("SELECT count(*) FROM devices", "1");
    sql_is("SELECT count(*) FROM allocations", "1");
    sql_is("SELECT count(*) FROM conflicts", "1");
    ok("{'op':'apply','object':" NODE_JSON("n1", "16000", "2") "}");
    used_is("0", "3000");
    sql_is("SELECT count(*) FROM conflicts", "0");
    sql_is("SELECT count(*) FROM device_version WHERE device_id = 2", "2"); /* with a gap between them */
}

static void over_booking_is_observed_and_listed(void **state)
{
    (void)state;
    ok("{'op':'apply','objects':[" NODE_JSON("n1", "2000", "2") "," PLACED("0") "]}");
    used_is("3000", "0");
    sql_is("SELECT kind FROM conflicts", "over_memory");
    ok("{'op':'get','kind':'devices'}");
    has("items.0.freeMemory", "0");
}

static void a_set_of_the_ledger_does_not_follow_annotations(void **state)
{
    (void)state;
    ok("{'op':'apply','object':" NODE_JSON("n1", "16000", "2") "}");
    ok("{'op':'allocate','pod':" POD_JSON("a", "ua", "", MEMORY("3000")) ",'node':'n1'}");
    ok("{'op':'apply','object':" PLACED("1") "}");
    used_is("3000", "0");
    sql_is("SELECT kind FROM conflicts", "annotation_differs");
    ok("{'op':'apply','object':" PLACED("0") "}");
    sql_is("SELECT count(*) FROM conflicts", "0");
    sql_is("SELECT origin || `/` || state FROM allocation", "ledger/bound"); /* it runs there: it is bound */
}

static void a_new_configuration_reads_everything_anew(void **state)
{
    (void)state;
    ok("{'op':'apply','objects':[" NODE_JSON("n1", "16000", "2") "," PLACED_JSON(
        "a", "ua", "'volcano.sh/gpu-index':'0'", "n1", "Running", MEMORY("3000") "," NUMBER("1")) "]}");
    used_is("3000", "0");
    ok("{'op':'config','scheduler':{'deviceshare.GPUNumberEnable':true}}");
    used_is("8000", "0"); /* D37: by the mode in force */
    sql_is("SELECT count(*) FROM request WHERE count = 1 AND memory IS NULL", "1");
}

static void findings_of_one_object_are_bounded(void **state)
{
    (void)state;
    char list[2001] = "";
    for (size_t i = 0; i < 1000; i++)
        memcpy(list + 2 * i, "x,", 3);
    for (int twice = 0; twice < 2; twice++) {
        ok("{'op':'apply','object':{'kind':'Node','metadata':{'name':'n1','annotations':{'volcano.sh/"
           "gpu-unhealthy-ids':"
           "'%s','n':'%d'}},'status':{'capacity':{'volcano.sh/gpu-memory':'8','volcano.sh/gpu-number':'1'}}}}",
           list, twice);
        sql_is("SELECT count(*) FROM finding", "201");
        sql_is("SELECT kind FROM finding ORDER BY id DESC LIMIT 1", "more_findings");
    }
}

static void names_that_attack_are_only_names(void **state)
{
    (void)state;
    refused(DVL_BAD_INPUT, "{'op':'apply','object':{'kind':'Node','metadata':{'name':'a\\nb'}}}");
    refused(DVL_BAD_INPUT, "{'op':'apply','object':{'kind':'Node','metadata':{'name':'`; DROP TABLE node; --'}}}");
    sql_is("SELECT count(*) FROM node", "0");
    /* Where any text may stand, it is only text. */
    ok("{'op':'apply','object':{'kind':'Node','metadata':{'name':'n','labels':{'x':'`; DROP TABLE node; --'}}}}");
    sql_is("SELECT labels ->> `x` FROM node", "'; DROP TABLE node; --");
    ok("{'op':'lock','node':'n','name':'gpu','holder':'`; DELETE FROM event; --'}");
    sql_is("SELECT count(*) FROM event WHERE kind = `lock_taken`", "1");
    refused(DVL_NOT_FOUND, "{'op':'delete','kind':'node','name':'`; DROP TABLE node; --'}");
    refused(DVL_NOT_FOUND, "{'op':'filter','pod':'x/` OR 1=1 --'}");
}

static void a_uid_belongs_to_one_pod(void **state)
{
    (void)state;
    ok("{'op':'apply','object':" POD_JSON("a", "ua", "", MEMORY("1")) "}");
    refused(DVL_CONFLICT, "{'op':'apply','object':" POD_JSON("b", "ua", "", MEMORY("1")) "}");
    ok("{'op':'apply','object':{'kind':'Pod','metadata':{'name':'nameless'}}}");
    sql_is("SELECT uid FROM pod WHERE name = `nameless`", "name:default/nameless");
    ok("{'op':'apply','object':{'kind':'Pod','metadata':{'name':'nameless','labels':{'x':'y'}}}}");
    has("results.0.action", "updated");
}

/* ---- Streams ---- */

static int collect(void *context, const struct dvl_value *row)
{
    char *text = context;
    size_t length = strlen(text);
    snprintf(text + length, 1000 - length, "%s %s;", dvl_value_text(dvl_value_get(row, "name")),
             dvl_value_text(dvl_value_get(row, "action")));
    return 0;
}

static enum dvl_status apply_text(const char *text, const struct dvl_apply_options *options, char rows[1000])
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    const struct dvl_source source = {.file = file, .name = "in.yaml"};
    rows[0] = '\0';
    enum dvl_status status = dvl_apply(ledger, &source, 1, options, collect, rows);
    fclose(file);
    return status;
}

#define YAML_NODE(name) "---\nkind: Node\nmetadata:\n  name: " name "\n"
#define YAML_POD(name) "---\nkind: Pod\nmetadata:\n  name: " name "\n"

static void a_snapshot_may_prune(void **state)
{
    (void)state;
    char rows[1000];
    assert_int_equal(apply_text(YAML_NODE("n1") YAML_NODE("n2") YAML_POD("p1"), NULL, rows), DVL_OK);
    assert_string_equal(rows, "n1 created;n2 created;default/p1 created;");
    const struct dvl_apply_options dry = {.prune = true, .dry_run = true}, prune = {.prune = true};
    assert_int_equal(apply_text(YAML_NODE("n2"), &dry, rows), DVL_OK);
    assert_string_equal(rows, "n2 unchanged;n1 deleted;");
    sql_is("SELECT count(*) FROM nodes", "2");
    assert_int_equal(apply_text(YAML_NODE("n2"), &prune, rows), DVL_OK);
    sql_is("SELECT count(*) FROM nodes", "1");
    sql_is("SELECT count(*) FROM pods", "1"); /* pods did not occur */
    assert_int_equal(apply_text(YAML_POD("p2"), &prune, rows), DVL_OK);
    assert_string_equal(rows, "default/p2 created;default/p1 deleted;");
}

static void a_bad_file_is_named_with_its_line(void **state)
{
    (void)state;
    char rows[1000];
    assert_int_equal(apply_text(YAML_NODE("n1") "---\nkind: Pod\nmetadata: 7\n", NULL, rows), DVL_BAD_INPUT);
    assert_non_null(strstr(dvl_ledger_error(ledger), "in.yaml:6"));
    assert_non_null(strstr(dvl_ledger_error(ledger), "object 2"));
    sql_is("SELECT count(*) FROM node", "0");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, start, ledger_end)
    const struct CMUnitTest tests[] = {
        CASE(actions_say_what_became_of_each),
        CASE(one_bad_object_undoes_all),
        CASE(a_list_gives_its_items),
        CASE(an_observed_set_follows_its_annotation),
        CASE(an_annotation_that_goes_ends_the_set),
        CASE(what_comes_first_waits_for_what_comes_later),
        CASE(cards_that_go_leave_their_holders_listed),
        CASE(over_booking_is_observed_and_listed),
        CASE(a_set_of_the_ledger_does_not_follow_annotations),
        CASE(a_new_configuration_reads_everything_anew),
        CASE(findings_of_one_object_are_bounded),
        CASE(names_that_attack_are_only_names),
        CASE(a_uid_belongs_to_one_pod),
        CASE(a_snapshot_may_prune),
        CASE(a_bad_file_is_named_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
