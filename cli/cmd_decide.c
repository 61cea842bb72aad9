/* filter and score: which nodes take a pod, and how well. */
#include "cmd.h"
#include "output.h"
#include "views.h"

/* A question about one pod: the verb is the operation. */
static int ask(struct cli *cli, enum opening opening, struct dvl_answer **out)
{
    struct cli_pod *pods = NULL;
    size_t count;
    int code = cli_format(cli, FORMATS_ROWS);
    if (!code)
        code = cli_pods(cli, 1, 1, &pods, &count);
    if (!code)
        code = cli_open(cli, opening);
    if (code)
        return code;
    struct dvl_value *request = cli_request(cli, cli->command->name);
    dvl_value_set(request, "pod", pods[0].value);
    cli_set_nodes(cli, request);
    cli_set_flag(cli, request, "explain", cli_flag(cli, "explain"));
    cli->subject = pods[0].name;
    return cli_call(cli, request, out);
}

/* The devices of all nodes as rows of one table. */
static int print_devices(struct cli *cli, const struct dvl_value *nodes)
{
    struct dvl_value *rows = dvl_value_list(&cli->arena);
    for (const struct dvl_value *node = dvl_value_first(nodes); node && rows; node = dvl_value_next(node)) {
        const struct dvl_value *devices = dvl_value_get(node, "devices");
        for (const struct dvl_value *device = dvl_value_first(devices); device; device = dvl_value_next(device)) {
            struct dvl_value *row = dvl_value_add(rows, dvl_value_copy(&cli->arena, device));
            cli_set_text(cli, row, "node", dvl_value_text(dvl_value_get(node, "node")));
            if (!row)
                return cli_no_memory();
        }
    }
    return print_list(cli, &view_device_verdicts, rows);
}

/* Names are for the next command: only of nodes that it can use. */
static struct dvl_value *those_that_fit(struct cli *cli, const struct dvl_value *nodes)
{
    struct dvl_value *fitting = dvl_value_list(&cli->arena);
    for (const struct dvl_value *node = dvl_value_first(nodes); node; node = dvl_value_next(node)) {
        int64_t verdict = -1;
        if (dvl_value_integer(dvl_value_get(node, "code"), &verdict) && verdict == 0)
            dvl_value_add(fitting, dvl_value_copy(&cli->arena, node));
    }
    return fitting;
}

int run_filter(struct cli *cli)
{
    struct dvl_answer *answer = NULL;
    int code = ask(cli, OPEN_READ_FIRST, &answer);
    if (code)
        return code;
    const struct dvl_value *value = dvl_answer_value(answer), *nodes = dvl_value_get(value, "nodes");
    bool table = cli->format == FORMAT_TABLE || cli->format == FORMAT_WIDE;
    int64_t fits = 0;
    dvl_value_integer(dvl_value_get(value, "fits"), &fits);
    if (cli->format == FORMAT_JSON || cli->format == FORMAT_YAML)
        code = print_answer(cli, value);
    else if (cli->format == FORMAT_NAME)
        code = print_list(cli, &view_verdicts, those_that_fit(cli, nodes));
    else
        code = print_list(cli, &view_verdicts, nodes);
    if (!code && table && cli_flag(cli, "explain")) {
        putchar('\n');
        code = print_devices(cli, nodes);
    }
    dvl_answer_free(answer);
    return code ? code : fits > 0 ? EXIT_YES : EXIT_NO;
}

int run_score(struct cli *cli)
{
    struct dvl_answer *answer = NULL;
    int code = ask(cli, OPEN_READ, &answer);
    if (code)
        return code;
    const struct dvl_value *value = dvl_answer_value(answer);
    if (cli->format == FORMAT_JSON || cli->format == FORMAT_YAML)
        code = print_answer(cli, value);
    else
        code = print_list(cli, &view_scores, dvl_value_get(value, "nodes"));
    dvl_answer_free(answer);
    return code;
}
