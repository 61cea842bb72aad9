/* Reading verbs that show rows: get, log, sql with a query. */
#include "../src/verb/get.h"
#include "cmd.h"
#include "views.h"

#include <string.h>
#include <time.h>

/* ---- get ---------------------------------------------------------------------------------- */

static const struct dvl_get_kind *find_kind(const struct cli *cli, const char *word)
{
    const struct dvl_get_kind *kind = dvl_get_kind_find(word), *one;
    const char *names[32];
    size_t count = 0;
    struct dvl_buffer list;
    if (kind)
        return kind;
    dvl_buffer_init(&list);
    for (; (one = dvl_get_kind_at(count)) && count < 31; count++) {
        names[count] = one->name;
        dvl_buffer_format(&list, "%s%s", count ? ", " : "", one->name);
    }
    names[count] = NULL;
    const char *near = cli_nearest(word, names);
    if (near)
        cli_usage(cli, "there are no \"%s\": did you mean %s?", word, near);
    else
        cli_usage(cli, "there are no \"%s\", but %s", word, list.text);
    dvl_buffer_clear(&list);
    return NULL;
}

/* What the library would refuse as a request is wrong usage here. */
static int check_options(struct cli *cli, const struct dvl_get_kind *kind, const char *name)
{
    static const char *const narrowing[] = {"node", "namespace", "backend", "pod", "selector"};
    const char *sort = cli_text(cli, "sort-by"), *selector = cli_text(cli, "selector");
    struct dvl_selector *read;
    struct dvl_error error = {0};
    if (name && !dvl_get_kind_takes(kind, "name"))
        return cli_usage(cli, "%s have no names", kind->name);
    for (size_t i = 0; i < sizeof narrowing / sizeof *narrowing; i++)
        if (cli_flag(cli, narrowing[i]) && !dvl_get_kind_takes(kind, narrowing[i]))
            return cli_usage(cli, "--%s says nothing about %s", narrowing[i], kind->name);
    if (sort && !dvl_rows_field(kind->fields, sort)) {
        const char *near = cli_nearest(sort, kind->fields);
        return cli_usage(cli, "%s have no field \"%s\"%s%s%s", kind->name, sort, near ? ": did you mean " : "",
                         near ? near : "", near ? "?" : "");
    }
    if (selector && dvl_selector_read(&cli->arena, selector, &read, &error))
        return cli_usage(cli, "%s", error.message);
    return 0;
}

static int set_filters(struct cli *cli, struct dvl_value *request)
{
    int64_t limit;
    if (!cli_number(cli, "limit", -1, &limit))
        return EXIT_USAGE;
    if (cli_flag(cli, "all-namespaces") && cli_flag(cli, "namespace"))
        return cli_usage(cli, "-A and -n contradict each other");
    if (limit >= 0)
        cli_set_number(cli, request, "limit", limit);
    cli_set_option(cli, request, "namespace", "namespace");
    cli_set_option(cli, request, "selector", "selector");
    cli_set_option(cli, request, "node", "node");
    cli_set_option(cli, request, "backend", "backend");
    cli_set_option(cli, request, "pod", "pod");
    cli_set_option(cli, request, "sort-by", "sortBy");
    cli_set_flag(cli, request, "all", cli_flag(cli, "all"));
    return 0;
}

int run_get(struct cli *cli)
{
    const char *word, *name;
    struct printer printer;
    if (!cli_kind_and_name(cli, &word, &name))
        return cli_no_memory();
    const struct dvl_get_kind *kind = find_kind(cli, word);
    if (!kind)
        return EXIT_USAGE;
    struct dvl_value *request = cli_request(cli, "get");
    cli_set_text(cli, request, "kind", kind->name);
    cli_set_text(cli, request, "name", name);
    int code = cli_format(cli, FORMATS_ROWS);
    if (!code)
        code = check_options(cli, kind, name);
    if (!code)
        code = set_filters(cli, request);
    if (!code)
        code = print_begin(&printer, cli, view_of_kind(kind->name), kind->fields);
    if (code)
        return code;
    printer.single = name != NULL;
    code = cli_open(cli, OPEN_READ);
    if (!code)
        code = cli_call_rows(cli, request, print_row, &printer);
    return print_end(&printer, code);
}

/* ---- log ---------------------------------------------------------------------------------- */

enum { FOLLOW_PAUSE_MS = 250 };

/* The part of the request that stays the same however often it is asked. */
static int log_request(struct cli *cli, struct dvl_value **out)
{
    struct dvl_value *request = cli_request(cli, "log");
    static const char *const times[] = {"since", "until"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const char *time = cli_flag(cli, times[i]) ? cli_time_option(cli, times[i]) : NULL;
        if (cli_flag(cli, times[i]) && !time)
            return EXIT_USAGE;
        cli_set_text(cli, request, times[i], time);
    }
    cli_set_option(cli, request, "namespace", "namespace");
    cli_set_option(cli, request, "pod", "pod");
    cli_set_option(cli, request, "node", "node");
    *out = request;
    return request ? 0 : cli_no_memory();
}

struct follower {
    struct printer printer;
    int64_t last; /* seq of the last event that was shown */
};

static int follow_row(void *context, const struct dvl_value *row)
{
    struct follower *follower = context;
    dvl_value_integer(dvl_value_get(row, "seq"), &follower->last);
    return print_row(&follower->printer, row);
}

/* Asks again and again for what came after the last event. */
static int follow(struct cli *cli, const struct dvl_value *request, struct follower *follower)
{
    struct dvl_arena arena;
    const struct timespec pause = {.tv_nsec = FOLLOW_PAUSE_MS * 1000000L};
    int code = 0;
    dvl_arena_init(&arena, 0);
    while (!code && fflush(stdout) == 0) {
        nanosleep(&pause, NULL);
        struct dvl_value *next = dvl_value_copy(&arena, request);
        dvl_value_set(next, "after", dvl_value_int(&arena, follower->last));
        code = print_more(&follower->printer);
        if (!code)
            code = print_end(&follower->printer, cli_call_rows(cli, next, follow_row, follower));
        dvl_arena_reset(&arena);
    }
    dvl_arena_clear(&arena);
    return code;
}

int run_log(struct cli *cli)
{
    struct follower follower = {0};
    struct dvl_value *request = NULL;
    int64_t limit;
    int code = cli_format(cli, FORMATS_ROWS);
    if (!code && !cli_number(cli, "limit", -1, &limit))
        code = EXIT_USAGE;
    if (!code && cli_flag(cli, "follow") && cli->format == FORMAT_YAML)
        code = cli_usage(cli, "a list in YAML has an end: --follow goes with another -o");
    if (!code)
        code = log_request(cli, &request);
    if (!code)
        code = cli_open(cli, OPEN_READ);
    if (!code)
        code = print_begin(&follower.printer, cli, view_of_kind("events"), dvl_get_kind_find("events")->fields);
    if (code)
        return code;
    struct dvl_value *first = dvl_value_copy(&cli->arena, request);
    if (limit >= 0)
        cli_set_number(cli, first, "limit", limit);
    follower.printer.lines = true;
    code = print_end(&follower.printer, cli_call_rows(cli, first, follow_row, &follower));
    return code || !cli_flag(cli, "follow") ? code : follow(cli, request, &follower);
}
