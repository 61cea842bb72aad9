/* batch: JSON lines in, JSON lines out, for programs in any language. Each line
 * is answered before the next one is read; an error is an answer, and the
 * stream goes on. */
#include "cmd.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_MIB = 16, PART = 65536 };

struct lines {
    struct dvl_buffer line;
    char part[PART];
    size_t at, got;
    bool over;  /* the line is longer than allowed; what it held is forgotten */
    int failed; /* errno of input that could not be read */
};

static void fill(struct lines *lines)
{
    ssize_t got;
    do
        got = read(STDIN_FILENO, lines->part, sizeof lines->part);
    while (got < 0 && errno == EINTR);
    lines->at = 0;
    lines->got = got > 0 ? (size_t)got : 0;
    lines->failed = got < 0 ? errno : 0;
}

static void keep(struct lines *lines, const char *bytes, size_t length)
{
    const size_t most = (size_t)LINE_MAX_MIB * 1024 * 1024;
    if (lines->line.length + length > most)
        lines->over = true;
    if (lines->over)
        dvl_buffer_reset(&lines->line);
    else
        dvl_buffer_add(&lines->line, bytes, length);
}

/* The next line, without its end; false when there is none. */
static bool next_line(struct lines *lines)
{
    bool any = false;
    dvl_buffer_reset(&lines->line);
    lines->over = false;
    for (;;) {
        if (lines->at == lines->got)
            fill(lines);
        if (lines->at == lines->got)
            return any;
        any = true;
        const char *start = lines->part + lines->at;
        const char *end = memchr(start, '\n', lines->got - lines->at);
        size_t length = end ? (size_t)(end - start) : lines->got - lines->at;
        keep(lines, start, length);
        lines->at += length + (end != NULL);
        if (end)
            return true;
    }
}

static int answer_line(struct cli *cli, const struct lines *lines)
{
    struct dvl_answer *answer = NULL;
    if (lines->over) {
        printf("{\"ok\":false,\"error\":{\"code\":\"bad_input\",\"message\":\"a line is longer than %d MiB\"}}\n",
               LINE_MAX_MIB);
        return 0;
    }
    if (lines->line.failed)
        return cli_no_memory();
    dvl_call(cli->ledger, lines->line.text, lines->line.length, &answer);
    const char *json = dvl_answer_json(answer);
    int code = json ? 0 : cli_no_memory();
    if (json)
        puts(json);
    dvl_answer_free(answer);
    return code;
}

int run_batch(struct cli *cli)
{
    int code = cli_open(cli, OPEN_WRITE_IF);
    if (code)
        return code;
    struct lines *lines = dvl_arena_take(&cli->arena, sizeof *lines);
    if (!lines)
        return cli_no_memory();
    dvl_buffer_init(&lines->line);
    while (!code && next_line(lines)) {
        code = answer_line(cli, lines);
        if (fflush(stdout) != 0)
            break; /* nobody reads any more; main says so if there is something to say */
    }
    if (lines->failed)
        code = cli_fail(EXIT_INPUT, cli->command->name, "standard input: %s", strerror(lines->failed));
    dvl_buffer_clear(&lines->line);
    return code;
}
