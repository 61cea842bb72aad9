/* lock and unlock: a node's lock, taken and given back by hand. */
#include "cmd.h"
#include "output.h"

static int ask(struct cli *cli, const char *op, struct dvl_answer **out)
{
    int code = cli_format(cli, FORMATS_VALUE);
    if (!code)
        code = cli_open(cli, OPEN_WRITE);
    if (code)
        return code;
    struct dvl_value *request = cli_request(cli, op);
    cli_set_text(cli, request, "node", cli->arguments[0]);
    cli_set_option(cli, request, "name", "name");
    cli_set_option(cli, request, "holder", "holder");
    return cli_call(cli, request, out);
}

int run_lock(struct cli *cli)
{
    struct dvl_answer *answer = NULL;
    struct dvl_buffer until;
    int code = ask(cli, "lock", &answer);
    if (code)
        return code;
    const struct dvl_value *value = dvl_answer_value(answer);
    const char *expires = dvl_value_text(dvl_value_get(value, "expiresAt"));
    dvl_buffer_init(&until);
    if (expires)
        cli_add_time(&until, cli, expires);
    code = cli->format == FORMAT_TABLE ? cli_say(cli, "node/%s locked until %s", cli->arguments[0], until.text)
                                       : print_answer(cli, value);
    dvl_buffer_clear(&until);
    dvl_answer_free(answer);
    return code;
}

int run_unlock(struct cli *cli)
{
    struct dvl_answer *answer = NULL;
    int code = ask(cli, "unlock", &answer);
    if (code)
        return code;
    code = cli->format == FORMAT_TABLE ? cli_say(cli, "node/%s unlocked", cli->arguments[0])
                                       : print_answer(cli, dvl_answer_value(answer));
    dvl_answer_free(answer);
    return code;
}
