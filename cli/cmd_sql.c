/* sql: one read-only query, or a prompt for many. */
#include "cmd.h"
#include "output.h"
#include "prompt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --param k=v… as "params". */
static int add_parameters(struct cli *cli, struct dvl_value *request)
{
    const char *text;
    if (!cli_flag(cli, "param"))
        return 0;
    struct dvl_value *parameters = dvl_value_set(request, "params", dvl_value_map(&cli->arena));
    for (int i = 0; (text = cli_many(cli, "param", i)); i++) {
        const char *equals = strchr(text, '=');
        if (!equals || equals == text)
            return cli_usage(cli, "--param takes name=value, not \"%s\"", text);
        const char *name = dvl_arena_bytes(&cli->arena, text, (size_t)(equals - text));
        if (!name || !dvl_value_set(parameters, name, dvl_value_string(&cli->arena, equals + 1)))
            return cli_no_memory();
    }
    return 0;
}

static int run_query(struct cli *cli, const char *query)
{
    struct printer printer;
    struct dvl_value *request = cli_request(cli, "sql");
    cli_set_text(cli, request, "query", query);
    cli->subject = "";
    int code = add_parameters(cli, request);
    if (!code)
        code = print_begin(&printer, cli, &view_sql, NULL);
    return code ? code : print_end(&printer, cli_call_rows(cli, request, print_row, &printer));
}

/* ---- The prompt ---------------------------------------------------------------------------- */

/* The statement has its semicolon, outside of texts, names and comments. */
static bool is_complete(const char *text)
{
    bool complete = false;
    for (const char *at = text; *at; at++) {
        if (at[0] == '-' && at[1] == '-') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            at = strstr(at + 2, "*/");
            if (!at)
                return false;
            at++;
        } else if (strchr("'\"`[", *at)) {
            at = strchr(at + 1, *at == '[' ? ']' : *at);
            if (!at)
                return false;
            complete = false;
        } else if (*at == ';') {
            complete = true;
        } else if (!strchr(" \t\r\n", *at)) {
            complete = false;
        }
        if (!*at)
            break;
    }
    return complete;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n;")] == '\0';
}

static const char *history_path(struct cli *cli)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && state[0] == '/')
        return dvl_arena_format(&cli->arena, "%s/devledger/sql_history", state);
    return home && *home ? dvl_arena_format(&cli->arena, "%s/.local/state/devledger/sql_history", home) : NULL;
}

/* Words with a dot are for the prompt itself. False: it is to end. */
static bool run_word(struct cli *cli, const char *word, int *code)
{
    if (strcmp(word, ".quit") == 0 || strcmp(word, ".exit") == 0)
        return false;
    if (strcmp(word, ".tables") == 0)
        *code = run_query(cli, "SELECT name, type FROM sqlite_schema "
                               "WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name");
    else if (strcmp(word, ".help") == 0)
        puts("A query ends with a semicolon. Views have plural names (nodes, devices, pods, allocations), tables\n"
             "singular ones. .tables lists them, .quit or the end of input leaves.");
    else
        *code = cli_usage(cli, "there is no %s: .help, .tables, .quit", word);
    return true;
}

/* The exit code is that of the last query that failed, unless a person saw it fail. */
static int run_prompt(struct cli *cli)
{
    struct prompt *prompt = prompt_new(history_path(cli));
    struct dvl_buffer query;
    bool person = isatty(STDIN_FILENO);
    int code = 0, last = 0;
    char *line;
    if (!prompt)
        return cli_no_memory();
    dvl_buffer_init(&query);
    while ((line = prompt_line(prompt, query.length ? "      ...> " : "devledger> "))) {
        bool word = query.length == 0 && line[0] == '.', go_on = true;
        code = 0;
        if (word)
            go_on = run_word(cli, line, &code);
        else
            dvl_buffer_format(&query, "%s%s", query.length ? "\n" : "", line);
        if (!word && is_complete(query.text)) {
            prompt_remember(prompt, query.text);
            code = is_blank(query.text) ? 0 : run_query(cli, query.text);
            dvl_buffer_reset(&query);
        }
        last = code ? code : last;
        fflush(stdout);
        free(line);
        if (!go_on)
            break;
    }
    if (!line && person)
        putchar('\n');
    if (!is_blank(query.text) && !person)
        last = run_query(cli, query.text);
    dvl_buffer_clear(&query);
    prompt_free(prompt);
    return person ? EXIT_YES : last;
}

int run_sql(struct cli *cli)
{
    int code = cli_format(cli, FORMATS_ROWS & ~(1 << FORMAT_NAME));
    if (!code)
        code = cli_open(cli, OPEN_READ);
    if (code)
        return code;
    return cli->argument_count > 0 ? run_query(cli, cli->arguments[0]) : run_prompt(cli);
}
