/* schedule, allocate, bind, release: the steps of a pod's life on devices.
 * Each prints what the pod holds and the annotations to put on it. */
#include "cmd.h"
#include "output.h"
#include "views.h"

#include "../src/render/json.h"

#include <string.h>

/* ---- Printing ------------------------------------------------------------------------------ */

static const struct column annotations[] = {
    {"ANNOTATION", "key", cell_text, 0, NULL},
    {"VALUE", "value", cell_text, 0, NULL},
    {NULL, NULL, NULL, 0, NULL},
};

static const struct view view_annotations = {"annotations", annotations, NULL};

/* Keys and values as rows; a value that takes its key away is shown as a word. */
static int print_annotations(struct cli *cli, const struct dvl_value *map)
{
    struct dvl_value *rows = dvl_value_list(&cli->arena);
    if (dvl_value_count(map) == 0)
        return 0;
    for (const struct dvl_value *pair = dvl_value_first(map); pair; pair = dvl_value_next(pair)) {
        struct dvl_value *row = dvl_value_add(rows, dvl_value_map(&cli->arena));
        cli_set_text(cli, row, "key", dvl_value_name(pair));
        cli_set_text(cli, row, "value", dvl_value_text(pair) ? dvl_value_text(pair) : "(to be removed)");
        if (!row)
            return cli_no_memory();
    }
    putchar('\n');
    return print_list(cli, &view_annotations, rows);
}

static int print_slices(struct cli *cli, const struct dvl_value *slices)
{
    if (dvl_value_count(slices) == 0)
        return 0;
    putchar('\n');
    return print_list(cli, &view_slices, slices);
}

/* "pod/ml/a scheduled on n1, total 116" */
static int print_placed(struct cli *cli, const char *pod, const char *done, const struct dvl_value *answer)
{
    const char *node = dvl_value_text(dvl_value_get(answer, "node"));
    const char *total = dvl_value_text(dvl_value_get(answer, "total"));
    if (cli_flag(cli, "quiet"))
        return 0;
    if (!node)
        node = cli_text(cli, "node");
    int code = cli_say(cli, "pod/%s %s%s%s%s%s%s", pod, done, node ? " on " : "", node ? node : "",
                       total ? ", total " : "", total ? total : "", cli_flag(cli, "dry-run") ? " (dry run)" : "");
    if (!code)
        code = print_slices(cli, dvl_value_get(answer, "slices"));
    return code ? code : print_annotations(cli, dvl_value_get(answer, "annotations"));
}

/* ---- One pod ------------------------------------------------------------------------------- */

static struct dvl_value *request_for(struct cli *cli, const struct cli_pod *pod)
{
    struct dvl_value *request = cli_request(cli, cli->command->name);
    dvl_value_set(request, "pod", pod->value);
    cli_set_option(cli, request, "ttl", "ttl");
    cli_set_flag(cli, request, "dryRun", cli_flag(cli, "dry-run"));
    cli_set_flag(cli, request, "bind", cli_flag(cli, "bind"));
    return request;
}

enum {
    FORMATS_PLACED = 1 << FORMAT_TABLE | 1 << FORMAT_WIDE | 1 << FORMAT_JSON | 1 << FORMAT_YAML | 1 << FORMAT_PATCH,
};

static int place_one(struct cli *cli, const char *done)
{
    struct dvl_answer *answer = NULL;
    struct cli_pod *pods = NULL;
    size_t count;
    int code = cli_format(cli, FORMATS_PLACED);
    if (!code)
        code = cli_pods(cli, 1, 1, &pods, &count);
    if (!code)
        code = cli_open(cli, OPEN_WRITE);
    if (code)
        return code;
    struct dvl_value *request = request_for(cli, &pods[0]);
    cli_set_option(cli, request, "node", "node");
    cli->subject = pods[0].name;
    code = cli_call(cli, request, &answer);
    if (code)
        return code;
    const struct dvl_value *value = dvl_answer_value(answer);
    if (cli->format == FORMAT_PATCH)
        code = print_patch(cli, dvl_value_get(value, "annotations"));
    else if (cli->format == FORMAT_JSON || cli->format == FORMAT_YAML)
        code = print_answer(cli, value);
    else
        code = print_placed(cli, pods[0].name, done, value);
    dvl_answer_free(answer);
    return code;
}

int run_allocate(struct cli *cli)
{
    if (!cli_flag(cli, "node"))
        return cli_usage(cli, "--node is missing: which node is it to be? (\"devledger schedule\" chooses one)");
    return place_one(cli, "allocated");
}

int run_bind(struct cli *cli)
{
    return place_one(cli, "bound");
}

int run_release(struct cli *cli)
{
    return place_one(cli, "released");
}

/* ---- schedule: several pods, one after the other --------------------------------------------- */

struct scheduling {
    struct cli *cli;
    bool many;
    bool printed;              /* something stands above */
    int code;                  /* of the last pod that failed */
    struct dvl_value *results; /* what is printed in the end, with -o json and yaml */
};

/* The answer of one pod among several, with the pod's name. */
static void add_result(struct scheduling *scheduling, const char *pod, const struct dvl_value *answer)
{
    struct cli *cli = scheduling->cli;
    struct dvl_value *result = dvl_value_add(scheduling->results, dvl_value_map(&cli->arena));
    cli_set_text(cli, result, "pod", pod);
    for (const struct dvl_value *child = dvl_value_first(answer); child; child = dvl_value_next(child))
        if (strcmp(dvl_value_name(child), "ok") != 0)
            dvl_value_set(result, dvl_arena_text(&cli->arena, dvl_value_name(child)),
                          dvl_value_copy(&cli->arena, child));
}

static int print_scheduled(struct scheduling *scheduling, const char *pod, const struct dvl_value *answer)
{
    struct cli *cli = scheduling->cli;
    if (cli->format == FORMAT_PATCH)
        return print_patch(cli, dvl_value_get(answer, "annotations"));
    if (cli->format != FORMAT_JSON && cli->format != FORMAT_YAML) {
        if (scheduling->printed && !cli_flag(cli, "quiet"))
            putchar('\n');
        scheduling->printed = true;
        return print_placed(cli, pod, "scheduled", answer);
    }
    if (!scheduling->many)
        return print_answer(cli, answer);
    add_result(scheduling, pod, answer);
    return 0;
}

static int schedule_one(struct scheduling *scheduling, const struct cli_pod *pod)
{
    struct cli *cli = scheduling->cli;
    struct dvl_answer *answer = NULL;
    struct dvl_value *request = request_for(cli, pod);
    struct dvl_buffer json;
    int code = 0;
    cli_set_nodes(cli, request);
    cli->subject = pod->name;
    dvl_buffer_init(&json);
    dvl_json_write(&json, request);
    enum dvl_status status = json.failed ? DVL_NO_MEMORY : dvl_call(cli->ledger, json.text, json.length, &answer);
    dvl_buffer_clear(&json);
    if (!status) {
        code = print_scheduled(scheduling, pod->name, dvl_answer_value(answer));
    } else {
        scheduling->code = cli_call_failed(cli, status);
        if (scheduling->results)
            add_result(scheduling, pod->name, dvl_answer_value(answer));
    }
    dvl_answer_free(answer);
    return code;
}

int run_schedule(struct cli *cli)
{
    struct scheduling scheduling = {.cli = cli};
    struct cli_pod *pods = NULL;
    size_t count = 0;
    int code = cli_format(cli, FORMATS_PLACED);
    if (!code)
        code = cli_pods(cli, 1, 0, &pods, &count);
    if (!code)
        code = cli_open(cli, cli_flag(cli, "dry-run") ? OPEN_READ : OPEN_WRITE);
    scheduling.many = count > 1;
    if (scheduling.many && (cli->format == FORMAT_JSON || cli->format == FORMAT_YAML))
        scheduling.results = dvl_value_list(&cli->arena);
    for (size_t i = 0; i < count && !code; i++)
        code = schedule_one(&scheduling, &pods[i]);
    if (!code && scheduling.results) {
        struct dvl_value *list = dvl_value_map(&cli->arena);
        cli_set_text(cli, list, "kind", "List");
        dvl_value_set(list, "items", scheduling.results);
        code = print_value(cli, list);
    }
    if (code || !scheduling.code)
        return code;
    return scheduling.many ? EXIT_NO : scheduling.code;
}
