/* apply and delete: what the cluster says, taken in as one transaction. Lines
 * are printed when all of it is kept, so that what they say is true. */
#include "cmd.h"
#include "output.h"

#include "../src/timestamp.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

struct applying {
    struct cli *cli;
    struct dvl_source *sources;
    size_t count;              /* of sources */
    size_t objects;            /* that were read so far */
    struct dvl_buffer lines;   /* what to print in the end */
    struct dvl_value *results; /* … with -o json and yaml */
    int64_t size;              /* bytes of all files; 0: no bar is drawn */
    int64_t began, drawn;
};

/* ---- Progress ------------------------------------------------------------------------------ */

/* Bytes of all files, when each has an end that is known. */
static int64_t size_of(const struct dvl_source *sources, size_t count)
{
    int64_t size = 0;
    for (size_t i = 0; i < count; i++) {
        struct stat about;
        if (fstat(fileno(sources[i].file), &about) != 0 || !S_ISREG(about.st_mode))
            return 0;
        size += about.st_size;
    }
    return size;
}

static void draw_bar(struct applying *applying)
{
    static const char full[] = "##############################";
    int64_t now = dvl_time_now(), done = 0;
    if (applying->size == 0 || now - applying->began < 1000000 || now - applying->drawn < 100000)
        return;
    applying->drawn = now;
    for (size_t i = 0; i < applying->count; i++) {
        long at = ftell(applying->sources[i].file);
        done += at > 0 ? at : 0;
    }
    int part = (int)((done < applying->size ? done : applying->size) * BAR_WIDTH / applying->size);
    fprintf(stderr, "\r[%.*s%*s] %zu objects", part, full, BAR_WIDTH - part, "", applying->objects);
}

static void wipe_bar(const struct applying *applying)
{
    if (applying->drawn)
        fputs("\r\033[K", stderr);
}

/* ---- apply --------------------------------------------------------------------------------- */

static void add_lower(struct dvl_buffer *out, const char *text)
{
    for (; *text; text++)
        dvl_buffer_char(out, (char)(*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text));
}

/* "node/gpu-1 created" */
static void add_line(struct applying *applying, const struct dvl_value *row)
{
    struct cli *cli = applying->cli;
    const char *kind = dvl_value_text(dvl_value_get(row, "kind"));
    const char *name = dvl_value_text(dvl_value_get(row, "name"));
    const char *action = dvl_value_text(dvl_value_get(row, "action"));
    struct dvl_buffer shown;
    dvl_buffer_init(&shown);
    add_lower(&shown, kind ? kind : "");
    dvl_buffer_char(&shown, '/');
    dvl_buffer_text(&shown, name ? name : "");
    cli_add_safe(&applying->lines, shown.text);
    dvl_buffer_clear(&shown);
    if (cli->format != FORMAT_NAME)
        dvl_buffer_format(&applying->lines, " %s%s", action ? action : "",
                          cli_flag(cli, "dry-run") ? " (dry run)" : "");
    dvl_buffer_char(&applying->lines, '\n');
}

static int take_row(void *context, const struct dvl_value *row)
{
    struct applying *applying = context;
    struct cli *cli = applying->cli;
    applying->objects++;
    draw_bar(applying);
    if (applying->results)
        return !dvl_value_add(applying->results, dvl_value_copy(&cli->arena, row));
    if (!cli_flag(cli, "quiet"))
        add_line(applying, row);
    return applying->lines.failed;
}

static int open_sources(struct cli *cli, struct applying *applying)
{
    size_t room = (size_t)(cli->argument_count + cli->given_count) + 1;
    bool input = false;
    applying->sources = dvl_arena_array(&cli->arena, room, sizeof *applying->sources);
    if (!applying->sources)
        return cli_no_memory();
    for (int i = 0, files = 0;; i++) {
        const char *path = cli_many(cli, "filename", i);
        if (!path && files < cli->argument_count)
            path = cli->arguments[files++]; /* `-f *.yaml`: the shell put the rest behind */
        if (!path)
            break;
        if (input && strcmp(path, "-") == 0)
            return cli_usage(cli, "standard input can be read once only");
        input = input || strcmp(path, "-") == 0;
        FILE *file = cli_open_file(cli, path);
        if (!file)
            return EXIT_INPUT;
        applying->sources[applying->count++] = (struct dvl_source){file, path};
    }
    if (applying->count == 0)
        return cli_usage(cli, "nothing to apply: name files with -f, or - for standard input");
    return 0;
}

/* What a dry run would do in a ledger that is not there, an empty one tells. */
static int open_ledger(struct cli *cli)
{
    if (!cli_flag(cli, "dry-run") || cli_is_there(cli))
        return cli_open(cli, OPEN_WRITE);
    cli->path = ":memory:";
    return cli_open(cli, OPEN_WRITE);
}

static int print_applied(struct applying *applying)
{
    struct cli *cli = applying->cli;
    if (!applying->results)
        return print_buffer(&applying->lines);
    struct dvl_value *answer = dvl_value_map(&cli->arena);
    dvl_value_set(answer, "results", applying->results);
    return answer ? print_value(cli, answer) : cli_no_memory();
}

int run_apply(struct cli *cli)
{
    struct applying applying = {.cli = cli, .began = dvl_time_now()};
    const struct dvl_apply_options options = {.dry_run = cli_flag(cli, "dry-run"), .prune = cli_flag(cli, "prune")};
    dvl_buffer_init(&applying.lines);
    int code = cli_format(cli, FORMATS_VALUE | 1 << FORMAT_NAME);
    if (!code)
        code = open_sources(cli, &applying);
    if (!code)
        code = open_ledger(cli);
    if (code)
        return code;
    if (cli->format == FORMAT_JSON || cli->format == FORMAT_YAML)
        applying.results = dvl_value_list(&cli->arena);
    if (isatty(STDERR_FILENO) && !cli_flag(cli, "quiet"))
        applying.size = size_of(applying.sources, applying.count);
    cli->subject = applying.count == 1 ? "" : NULL;
    enum dvl_status status = dvl_apply(cli->ledger, applying.sources, applying.count, &options, take_row, &applying);
    wipe_bar(&applying);
    code = status ? cli_call_failed(cli, status) : print_applied(&applying);
    dvl_buffer_clear(&applying.lines);
    for (size_t i = 0; i < applying.count; i++)
        if (applying.sources[i].file != stdin)
            fclose(applying.sources[i].file);
    return code;
}

/* ---- delete -------------------------------------------------------------------------------- */

int run_delete(struct cli *cli)
{
    static const char *const kinds[] = {"node", "pod", NULL};
    const char *kind, *name;
    struct dvl_answer *answer = NULL;
    if (!cli_kind_and_name(cli, &kind, &name))
        return cli_no_memory();
    if (strcmp(kind, "node") != 0 && strcmp(kind, "pod") != 0) {
        const char *near = cli_nearest(kind, kinds);
        return cli_usage(cli, "it takes node or pod, not \"%s\"%s%s%s", kind, near ? ": did you mean " : "",
                         near ? near : "", near ? "?" : "");
    }
    if (!name)
        return cli_usage(cli, "which %s is meant? Name it", kind);
    if (strcmp(kind, "pod") == 0)
        name = cli_pod_name(cli, name);
    int code = name ? cli_format(cli, FORMATS_VALUE) : cli_no_memory();
    if (!code)
        code = cli_open(cli, OPEN_WRITE);
    if (code)
        return code;
    struct dvl_value *request = cli_request(cli, "delete");
    cli_set_text(cli, request, "kind", kind);
    cli_set_text(cli, request, "name", name);
    cli->subject = dvl_arena_format(&cli->arena, "%s/%s", kind, name);
    code = cli_call(cli, request, &answer);
    if (!code && cli->format != FORMAT_TABLE)
        code = print_answer(cli, dvl_answer_value(answer));
    else if (!code)
        code = cli_say(cli, "%s deleted", cli->subject);
    dvl_answer_free(answer);
    return code;
}
