/* config apply, check and show: scheduler arguments and device configuration. */
#include "cmd.h"
#include "output.h"

#include "../src/config/config.h"
#include "../src/manifest/manifest.h"

#include <string.h>

/* What a file is, by what stands in it: the name of the request's member. */
static int find_kind(struct cli *cli, const char *path, const struct dvl_buffer *text, const char **kind)
{
    struct dvl_arena arena;
    struct dvl_value *value = NULL;
    struct dvl_error error = {0};
    dvl_arena_init(&arena, 0);
    enum dvl_status status = dvl_text_read(&arena, text->text, text->length, &value, &error);
    char letter = status ? 0 : dvl_config_kind(value);
    dvl_arena_clear(&arena);
    if (status)
        return cli_fail(cli_exit_code(status), cli->command->name, "%s: %s", path, error.message);
    if (!letter)
        return cli_fail(EXIT_INPUT, cli->command->name,
                        "%s: neither a scheduler configuration nor a device configuration", path);
    *kind = letter == 's' ? "scheduler" : "devices";
    return 0;
}

static int add_file(struct cli *cli, struct dvl_value *request, const char *path)
{
    struct dvl_buffer text;
    const char *kind = NULL;
    dvl_buffer_init(&text);
    int code = cli_read_file(cli, path, DVL_ITEM_SIZE_MAX, &text);
    if (!code)
        code = find_kind(cli, path, &text, &kind);
    if (!code && dvl_value_find(request, kind))
        code = cli_usage(cli, "%s: a second configuration of kind \"%s\"", path, kind);
    if (!code && !dvl_value_set(request, kind, dvl_value_bytes(&cli->arena, text.text, text.length)))
        code = cli_no_memory();
    dvl_buffer_clear(&text);
    return code;
}

/* All files of the command line in one request. */
static int build(struct cli *cli, const char *op, struct dvl_value **out)
{
    struct dvl_value *request = cli_request(cli, op);
    const char *path;
    int code = 0, count = 0;
    for (; !code && (path = cli_many(cli, "filename", count)); count++)
        code = add_file(cli, request, path);
    if (!code && count == 0)
        code = cli_usage(cli, "a file is missing: name it with -f, or - for standard input");
    cli->subject = count == 1 ? cli_text(cli, "filename") : NULL;
    *out = request;
    return code;
}

int run_config_apply(struct cli *cli)
{
    struct dvl_value *request = NULL;
    struct dvl_answer *answer = NULL;
    int code = cli_format(cli, FORMATS_VALUE);
    if (!code)
        code = build(cli, "config", &request);
    if (!code)
        code = cli_open(cli, OPEN_WRITE);
    if (!code)
        code = cli_call(cli, request, &answer);
    if (code)
        return code;
    const struct dvl_value *value = dvl_answer_value(answer);
    if (cli->format != FORMAT_TABLE)
        code = print_answer(cli, value);
    const struct dvl_value *results = cli->format == FORMAT_TABLE ? dvl_value_get(value, "results") : NULL;
    for (const struct dvl_value *one = dvl_value_first(results); one && !code; one = dvl_value_next(one))
        code = cli_say(cli, "config/%s %s", dvl_value_text(dvl_value_get(one, "kind")),
                       dvl_value_text(dvl_value_get(one, "action")));
    dvl_answer_free(answer);
    return code;
}

/* Judged beside the configuration in force, when there is a ledger. */
int run_config_check(struct cli *cli)
{
    struct dvl_value *request = NULL;
    struct dvl_answer *answer = NULL;
    const char *path;
    int code = build(cli, "config-check", &request);
    if (!code && !cli_is_there(cli))
        cli->path = ":memory:";
    if (!code)
        code = cli_open(cli, OPEN_READ);
    if (!code)
        code = cli_call(cli, request, &answer);
    for (int i = 0; !code && (path = cli_many(cli, "filename", i)); i++)
        code = cli_say(cli, "%s: ok", path);
    dvl_answer_free(answer);
    return code;
}

int run_config_show(struct cli *cli)
{
    struct dvl_answer *answer = NULL;
    int code = cli_format(cli, FORMATS_VALUE);
    if (!code)
        code = cli_open(cli, OPEN_READ);
    if (!code)
        code = cli_call(cli, cli_request(cli, "config-show"), &answer);
    if (code)
        return code;
    if (cli->format == FORMAT_TABLE)
        cli->format = FORMAT_YAML; /* a tree has no columns */
    code = print_answer(cli, dvl_answer_value(answer));
    dvl_answer_free(answer);
    return code;
}
