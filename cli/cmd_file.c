/* init, verify, backup: the file as a whole. */
#include "cmd.h"
#include "output.h"
#include "views.h"

#include <string.h>

int run_init(struct cli *cli)
{
    bool there = cli_is_there(cli);
    int code = cli_open(cli, OPEN_WRITE);
    return code ? code : cli_say(cli, "ledger %s %s", cli->path, there ? "unchanged" : "created");
}

static void say_problems(const struct dvl_value *problems)
{
    for (const struct dvl_value *one = dvl_value_first(problems); one; one = dvl_value_next(one)) {
        struct dvl_buffer line;
        const char *kind = dvl_value_text(dvl_value_get(one, "kind"));
        const char *text = dvl_value_text(dvl_value_get(one, "text"));
        dvl_buffer_init(&line);
        cli_add_safe(&line, kind ? kind : "problem");
        dvl_buffer_text(&line, ": ");
        cli_add_safe(&line, text ? text : "");
        dvl_buffer_char(&line, '\n');
        print_buffer(&line);
        dvl_buffer_clear(&line);
    }
}

static int say_verified(struct cli *cli, const struct dvl_value *answer)
{
    const struct dvl_value *problems = dvl_value_get(answer, "problems");
    const char *expected = dvl_value_text(dvl_value_get(answer, "expected"));
    const char *events = dvl_value_text(dvl_value_get(answer, "events"));
    const char *head = dvl_value_text(dvl_value_get(answer, "head"));
    const struct dvl_value *conflicts = dvl_value_get(answer, "conflicts");
    size_t count = dvl_value_count(problems);
    say_problems(problems);
    if (expected)
        cli_say(cli, "the expected hash is %s", strcmp(expected, "found") == 0 ? "in the chain" : "not in the chain");
    if (dvl_value_count(conflicts) > 0 && print_section(cli, "conflicts:", view_of_kind("conflicts"), conflicts))
        return EXIT_BROKEN;
    if (count == 0)
        return cli_say(cli, "ok: %s events, head %s", events ? events : "0", head ? head : "none");
    return cli_say(cli, "%zu problem%s: %s events, head %s", count, count == 1 ? "" : "s", events ? events : "0",
                   head ? head : "none");
}

int run_verify(struct cli *cli)
{
    struct dvl_answer *answer = NULL;
    int code = cli_format(cli, FORMATS_VALUE);
    if (!code)
        code = cli_open(cli, OPEN_READ);
    if (code)
        return code;
    struct dvl_value *request = cli_request(cli, "verify");
    cli_set_option(cli, request, "expect", "expect");
    code = cli_call(cli, request, &answer);
    if (code)
        return code;
    const struct dvl_value *value = dvl_answer_value(answer);
    const char *expected = dvl_value_text(dvl_value_get(value, "expected"));
    bool bad = dvl_value_count(dvl_value_get(value, "problems")) > 0 || (expected && strcmp(expected, "found") != 0);
    code = cli->format == FORMAT_TABLE ? say_verified(cli, value) : print_answer(cli, value);
    dvl_answer_free(answer);
    return code ? code : bad ? EXIT_NO : EXIT_YES;
}

int run_backup(struct cli *cli)
{
    struct dvl_answer *answer = NULL;
    const char *path = cli->arguments[0];
    int code = cli_open(cli, OPEN_READ);
    if (code)
        return code;
    struct dvl_value *request = cli_request(cli, "backup");
    cli_set_text(cli, request, "path", path);
    code = cli_call(cli, request, &answer);
    dvl_answer_free(answer);
    return code ? code : cli_say(cli, "%s written", path);
}
