/* sql: one read-only query, or a prompt for many. */
#include "../src/store/schema_text.h"
#include "cmd.h"
#include "output.h"
#include "prompt.h"

#include <signal.h>
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

/* The store's own limit of time is looked at between the steps of a query. One
 * call of a function (instr, replace, printf) can go on for hours, and only the
 * end of the process stops it: nothing is written here, so nothing is lost. */
enum { SECONDS_MOST = 35 };

static void give_up(int number)
{
    static const char message[] = "devledger: sql: the query took longer than 35 s\n";
    (void)number;
    _exit(write(STDERR_FILENO, message, sizeof message - 1) < 0 ? EXIT_BROKEN : EXIT_USAGE);
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
    if (code)
        return code;
    (void)signal(SIGALRM, give_up);
    (void)alarm(SECONDS_MOST);
    code = cli_call_rows(cli, request, print_row, &printer);
    (void)alarm(0);
    return print_end(&printer, code);
}

/* ---- The prompt ---------------------------------------------------------------------------- */

/* Behind the first semicolon outside of texts, names and comments; NULL when there is none. */
static const char *statement_end(const char *text)
{
    for (const char *at = text; at && *at; at++) {
        if (at[0] == ';')
            return at + 1;
        if (at[0] == '-' && at[1] == '-')
            at = strchr(at, '\n');
        else if (at[0] == '/' && at[1] == '*')
            at = strstr(at + 2, "*/");
        else if (strchr("'\"`[", *at))
            at = strchr(at + 1, *at == '[' ? ']' : *at);
        if (!at)
            return NULL;
    }
    return NULL;
}

static bool is_blank(const char *text)
{
    return !text || text[strspn(text, " \t\r\n;")] == '\0';
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
        *code = run_query(cli, dvl_query_texts[DVL_QUERY_SQL_LIST].text);
    else if (strcmp(word, ".help") == 0)
        puts("A query ends with a semicolon. Views have plural names (nodes, devices, pods, allocations), tables\n"
             "singular ones. .tables lists them, .quit or the end of input leaves.");
    else
        *code = cli_usage(cli, "there is no %s: .help, .tables, .quit", word);
    return true;
}

/* Runs the statements of `text` that are complete; what is left stays. Answers
 * the code of the last that failed. */
static int run_complete(struct cli *cli, struct dvl_buffer *text)
{
    int last = 0;
    const char *start = text->text, *end;
    while ((end = statement_end(start))) {
        const char *statement = dvl_arena_bytes(&cli->arena, start, (size_t)(end - start));
        int code = statement ? is_blank(statement) ? 0 : run_query(cli, statement) : cli_no_memory();
        last = code ? code : last;
        start = end;
    }
    char *rest = is_blank(start) ? NULL : strdup(start);
    dvl_buffer_reset(text);
    if (rest)
        dvl_buffer_text(text, rest);
    free(rest);
    return last;
}

static int run_lines(struct cli *cli, struct prompt *prompt, struct dvl_buffer *text)
{
    if (statement_end(text->text))
        prompt_remember(prompt, text->text);
    return run_complete(cli, text);
}

/* The exit code is that of the last query that failed, unless a person saw it fail. */
static int run_prompt(struct cli *cli)
{
    const char *history = history_path(cli);
    struct prompt *prompt = prompt_new(history);
    struct dvl_buffer query;
    bool person = isatty(STDIN_FILENO), go_on = true;
    int last = 0;
    char *line = NULL;
    if (!prompt)
        return cli_no_memory();
    if (person && history)
        cli_make_folders(history);
    dvl_buffer_init(&query);
    while (go_on && (line = prompt_line(prompt, query.length ? "      ...> " : "devledger> "))) {
        int code = 0;
        if (query.length == 0 && line[0] == '.') {
            go_on = run_word(cli, line, &code);
        } else {
            dvl_buffer_format(&query, "%s%s", query.length ? "\n" : "", line);
            go_on = query.length <= PROMPT_LINE_MOST;
            if (!go_on)
                code = cli_fail(EXIT_INPUT, "sql", "the query is longer than %d bytes", PROMPT_LINE_MOST);
            else if (strchr(line, ';')) /* only then can it end a statement */
                code = run_lines(cli, prompt, &query);
        }
        last = code ? code : last;
        fflush(stdout);
        free(line);
    }
    if (go_on && person)
        putchar('\n');
    if (go_on && !person && query.length)
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
