/* Opening the ledger, calling, and saying what failed. */
#include "cli.h"

#include "../src/render/json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Messages ------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 0))) static void say(const char *what, const char *format, va_list arguments)
{
    char why[2048];
    struct dvl_buffer line;
    dvl_buffer_init(&line);
    vsnprintf(why, sizeof why, format, arguments);
    dvl_buffer_text(&line, "devledger: ");
    if (what) {
        cli_add_safe(&line, what);
        dvl_buffer_text(&line, ": ");
    }
    cli_add_safe(&line, why);
    dvl_buffer_char(&line, '\n');
    fflush(stdout);
    fputs(line.failed ? "devledger: out of memory\n" : line.text, stderr);
    dvl_buffer_clear(&line);
}

int cli_fail(int code, const char *what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(what, format, arguments);
    va_end(arguments);
    return code;
}

int cli_usage(const struct cli *cli, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(cli->command ? cli->command->name : NULL, format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

int cli_no_memory(void)
{
    return cli_fail(EXIT_BROKEN, NULL, "out of memory");
}

const char *cli_what(const struct cli *cli)
{
    const char *object = cli->subject ? cli->subject : cli->argument_count > 0 ? cli->arguments[0] : NULL;
    if (!object || !*object || strlen(object) > 80)
        return cli->command->name;
    const char *what = dvl_arena_format((struct dvl_arena *)&cli->arena, "%s %s", cli->command->name, object);
    return what ? what : cli->command->name;
}

int cli_say(const struct cli *cli, const char *format, ...)
{
    char text[2048];
    struct dvl_buffer line;
    va_list arguments;
    if (cli_flag(cli, "quiet"))
        return 0;
    dvl_buffer_init(&line);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_add_safe(&line, text);
    dvl_buffer_char(&line, '\n');
    fputs(line.text, stdout);
    dvl_buffer_clear(&line);
    return 0;
}

int cli_exit_code(enum dvl_status status)
{
    switch (status) {
    case DVL_OK:
        return EXIT_YES;
    case DVL_NO_FIT:
    case DVL_LOCKED:
        return EXIT_NO;
    case DVL_FORBIDDEN:
    case DVL_UNSUPPORTED:
        return EXIT_USAGE;
    case DVL_BAD_INPUT:
        return EXIT_INPUT;
    case DVL_NOT_FOUND:
        return EXIT_MISSING;
    case DVL_CONFLICT:
    case DVL_BUSY:
        return EXIT_CONFLICT;
    case DVL_DATABASE:
    case DVL_NO_MEMORY:
        break;
    }
    return EXIT_BROKEN;
}

/* ---- Where the ledger is --------------------------------------------------------------- */

int cli_make_folders(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        return cli_no_memory();
    int code = 0;
    for (char *slash = strchr(copy + 1, '/'); slash && !code; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            code = cli_fail(EXIT_BROKEN, copy, "the folder cannot be made: %s", strerror(errno));
        *slash = '/';
    }
    free(copy);
    return code;
}

/* The file that options and environment name; *ours when nobody named it.
 * NULL when there is no home, or no memory. */
static const char *find_path(struct cli *cli, bool *ours)
{
    const char *given = cli_text(cli, "db"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    *ours = false;
    if (!given)
        given = getenv("DEVLEDGER_DB");
    if (given && *given)
        return given;
    *ours = true;
    if (state && state[0] == '/') /* a path that is not absolute is to be ignored */
        return dvl_arena_format(&cli->arena, "%s/devledger/ledger.db", state);
    return home && *home ? dvl_arena_format(&cli->arena, "%s/.local/state/devledger/ledger.db", home) : NULL;
}

bool cli_is_there(struct cli *cli)
{
    bool ours;
    const char *path = find_path(cli, &ours);
    struct stat found;
    /* An empty file is not a ledger yet. */
    return path && stat(path, &found) == 0 && found.st_size > 0;
}

/* ---- Opening --------------------------------------------------------------------------- */

static bool read_wait(const char *text, int *out)
{
    char *end;
    errno = 0;
    double seconds = strtod(text, &end);
    if (*text < '0' || *text > '9' || *end || errno || !(seconds <= 86400))
        return false;
    *out = seconds > 0 ? (int)(seconds * 1000 + 0.5) : -1;
    return true;
}

static int read_options(struct cli *cli, struct dvl_open_options *options)
{
    const char *wait = cli_text(cli, "wait"), *durability = cli_text(cli, "durability");
    options->actor = cli_text(cli, "actor");
    options->command = cli->command->name;
    if (cli_flag(cli, "db") && !*cli_text(cli, "db"))
        return cli_usage(cli, "--db is empty");
    if (options->actor && !*options->actor)
        return cli_usage(cli, "--actor is empty");
    if (wait && !read_wait(wait, &options->wait_ms))
        return cli_usage(cli, "--wait takes seconds from 0 to 86400, not \"%s\"", wait);
    if (!durability || strcmp(durability, "full") == 0)
        options->durability = DVL_DURABILITY_FULL;
    else if (strcmp(durability, "normal") == 0)
        options->durability = DVL_DURABILITY_NORMAL;
    else
        return cli_usage(cli, "--durability is full or normal, not \"%s\"", durability);
    return 0;
}

int cli_open(struct cli *cli, enum opening opening)
{
    struct dvl_open_options options = {0};
    char message[1024];
    bool ours = false, create = opening == OPEN_WRITE || opening == OPEN_WRITE_IF;
    int code = read_options(cli, &options);
    if (!code && !cli->path)
        cli->path = find_path(cli, &ours);
    if (!code && !cli->path)
        code = cli_usage(cli, "there is no home folder: name the ledger with --db");
    if (!code && ours && create)
        code = cli_make_folders(cli->path);
    if (code)
        return code;
    bool memory = strcmp(cli->path, ":memory:") == 0;
    options.path = cli->path;
    options.read_only = opening == OPEN_READ && !memory;
    options.create = create || memory;
    enum dvl_status status = dvl_ledger_open(&options, &cli->ledger, message, sizeof message);
    bool may_read = opening == OPEN_READ_FIRST || opening == OPEN_WRITE_IF;
    if (may_read && (status == DVL_FORBIDDEN || status == DVL_DATABASE)) {
        options.read_only = true;
        options.create = memory;
        status = dvl_ledger_open(&options, &cli->ledger, message, sizeof message);
    }
    if (status == DVL_NOT_FOUND && options.create)
        return cli_fail(EXIT_MISSING, cli->command->name, "there is no folder for %s: make it first", cli->path);
    if (status == DVL_NOT_FOUND)
        return cli_fail(EXIT_MISSING, cli->command->name, "there is no ledger at %s: \"devledger init\" makes one",
                        cli->path);
    if (status)
        return cli_fail(cli_exit_code(status), cli->command->name, "%s", message);
    return 0;
}

/* ---- Calling --------------------------------------------------------------------------- */

int cli_call_failed(struct cli *cli, enum dvl_status status)
{
    const char *why = dvl_ledger_error(cli->ledger);
    return cli_fail(cli_exit_code(status), cli_what(cli), "%s", *why ? why : dvl_status_name(status));
}

int cli_call(struct cli *cli, const struct dvl_value *request, struct dvl_answer **out)
{
    struct dvl_buffer json;
    dvl_buffer_init(&json);
    dvl_json_write(&json, request);
    *out = NULL;
    enum dvl_status status =
        request && !json.failed ? dvl_call(cli->ledger, json.text, json.length, out) : DVL_NO_MEMORY;
    dvl_buffer_clear(&json);
    if (!status)
        return 0;
    dvl_answer_free(*out);
    *out = NULL;
    return status == DVL_NO_MEMORY ? cli_no_memory() : cli_call_failed(cli, status);
}

int cli_call_rows(struct cli *cli, const struct dvl_value *request, dvl_row_function *row, void *context)
{
    struct dvl_buffer json;
    dvl_buffer_init(&json);
    dvl_json_write(&json, request);
    enum dvl_status status =
        request && !json.failed ? dvl_call_rows(cli->ledger, json.text, json.length, row, context) : DVL_NO_MEMORY;
    dvl_buffer_clear(&json);
    if (!status)
        return 0;
    return status == DVL_NO_MEMORY ? cli_no_memory() : cli_call_failed(cli, status);
}
