/* describe: one answer, laid out for people. */
#include "cmd.h"
#include "output.h"
#include "views.h"

#include "../src/timestamp.h"
#include "../src/verb/get.h"

#include <string.h>

/* ---- Lines ------------------------------------------------------------------------------- */

/* "Title:         text" */
static void say(const char *title, struct dvl_buffer *text)
{
    printf("%-14s %s\n", title, text->length ? text->text : "<none>");
    dvl_buffer_clear(text);
}

static void say_field(const struct cli *cli, const char *title, const struct dvl_value *row, const char *field)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    cell_text(&text, cli, row, field);
    say(title, &text);
}

static void say_status(const struct cli *cli, const struct dvl_value *device)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    cell_device_status(&text, cli, device, "reason");
    say("Status:", &text);
}

/* "5m ago (2026-11-30 08:00:00)" */
static void say_time(const struct cli *cli, const char *title, const struct dvl_value *row, const char *field)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    cell_age(&text, cli, row, field);
    if (text.length) {
        dvl_buffer_text(&text, " ago (");
        cell_time(&text, cli, row, field);
        dvl_buffer_char(&text, ')');
    }
    say(title, &text);
}

/* One label a line. */
static void say_labels(const char *title, const struct dvl_value *labels)
{
    if (dvl_value_count(labels) == 0)
        printf("%-14s <none>\n", title);
    for (const struct dvl_value *label = dvl_value_first(labels); label; label = dvl_value_next(label)) {
        struct dvl_buffer text;
        dvl_buffer_init(&text);
        cli_add_safe(&text, dvl_value_name(label));
        dvl_buffer_char(&text, '=');
        cli_add_safe(&text, dvl_value_text(label) ? dvl_value_text(label) : "");
        say(label == dvl_value_first(labels) ? title : "", &text);
    }
}

/* "[####................]  20%  2000 of 10000 MiB" */
static void say_usage(const char *title, const struct dvl_value *device, const char *used, const char *whole,
                      const char *unit)
{
    int64_t taken = 0, most;
    struct dvl_buffer text;
    if (!dvl_value_integer(dvl_value_get(device, whole), &most))
        return; /* not counted */
    dvl_value_integer(dvl_value_get(device, used), &taken);
    dvl_buffer_init(&text);
    cell_bar(&text, taken, most);
    dvl_buffer_format(&text, "%s%lld of %lld%s", text.length ? "  " : "", (long long)taken, (long long)most, unit);
    say(title, &text);
}

static int say_events(struct cli *cli, const struct dvl_value *answer)
{
    return print_section(cli, "Events:", view_of_kind("events"), dvl_value_get(answer, "events"));
}

/* ---- node, device, pod ----------------------------------------------------------------------- */

/* "vgpu (hamivgpu): on" and what its devices hold. */
static int say_backend(struct cli *cli, const struct dvl_value *block)
{
    const char *name = dvl_value_text(dvl_value_get(block, "backend"));
    const char *upstream = dvl_value_text(dvl_value_get(block, "upstreamName"));
    bool open = dvl_value_is_true(dvl_value_get(block, "schedulable"));
    struct dvl_buffer title;
    dvl_buffer_init(&title);
    dvl_buffer_text(&title, "Backend ");
    cli_add_safe(&title, name ? name : "");
    if (upstream && name && strcmp(upstream, name) != 0) {
        dvl_buffer_text(&title, " (");
        cli_add_safe(&title, upstream);
        dvl_buffer_char(&title, ')');
    }
    dvl_buffer_text(&title, dvl_value_is_true(dvl_value_get(block, "enabled")) ? ", on" : ", off");
    if (!open) {
        dvl_buffer_text(&title, ", closed: ");
        cell_text(&title, cli, block, "message");
    }
    dvl_buffer_char(&title, ':');
    int code = print_section(cli, title.text, &view_node_devices, dvl_value_get(block, "devices"));
    dvl_buffer_clear(&title);
    return code;
}

static int describe_node(struct cli *cli, const struct dvl_value *answer)
{
    const struct dvl_value *node = dvl_value_get(answer, "node"), *blocks = dvl_value_get(answer, "backends");
    int code = 0;
    say_field(cli, "Name:", node, "name");
    say_labels("Labels:", dvl_value_get(node, "labels"));
    say_time(cli, "Updated:", node, "updatedAt");
    if (dvl_value_kind(dvl_value_get(node, "removedAt")) != DVL_VALUE_NULL)
        say_time(cli, "Retired:", node, "removedAt");
    say_field(cli, "Pods:", node, "pods");
    if (dvl_value_count(blocks) == 0)
        printf("%-14s <none>\n", "Backends:");
    for (const struct dvl_value *block = dvl_value_first(blocks); block && !code; block = dvl_value_next(block))
        code = say_backend(cli, block);
    if (!code)
        code = print_section(cli, "Slices:", &view_node_slices, dvl_value_get(answer, "slices"));
    if (!code)
        code = print_section(cli, "Locks:", view_of_kind("locks"), dvl_value_get(answer, "locks"));
    if (!code)
        code = print_section(cli, "Downgrades:", view_of_kind("downgrades"), dvl_value_get(answer, "downgrades"));
    if (!code)
        code = print_section(cli, "Conflicts:", view_of_kind("conflicts"), dvl_value_get(answer, "conflicts"));
    if (!code)
        code = print_section(cli, "Findings:", &view_own_findings, dvl_value_get(answer, "findings"));
    return code ? code : say_events(cli, answer);
}

static int describe_device(struct cli *cli, const struct dvl_value *answer)
{
    const struct dvl_value *device = dvl_value_get(answer, "device");
    say_field(cli, "UUID:", device, "uuid");
    say_field(cli, "Node:", device, "node");
    say_field(cli, "Index:", device, "index");
    say_field(cli, "Backend:", device, "backend");
    say_field(cli, "Type:", device, "type");
    say_field(cli, "Mode:", device, "mode");
    say_usage("Memory:", device, "usedMemory", "memory", " MiB");
    say_usage("Cores:", device, "usedCores", "cores", "");
    say_usage("Slots:", device, "usedSlots", "slots", "");
    say_usage("AI cores:", device, "usedAiCores", "aiCores", "");
    say_usage("AI CPUs:", device, "usedAiCpus", "aiCpus", "");
    say_status(cli, device);
    say_time(cli, "Updated:", device, "updatedAt");
    int code = print_section(cli, "Slices:", &view_device_slices, dvl_value_get(answer, "slices"));
    if (!code)
        code = print_section(cli, "Node locks:", view_of_kind("locks"), dvl_value_get(answer, "locks"));
    return code ? code : print_section(cli, "Node events:", view_of_kind("events"), dvl_value_get(answer, "events"));
}

static int describe_pod(struct cli *cli, const struct dvl_value *answer)
{
    const struct dvl_value *pod = dvl_value_get(answer, "pod");
    const struct dvl_value *why = dvl_value_get(answer, "explanation");
    say_field(cli, "Name:", pod, "name");
    say_field(cli, "Namespace:", pod, "namespace");
    say_field(cli, "UID:", pod, "uid");
    say_labels("Labels:", dvl_value_get(pod, "labels"));
    say_field(cli, "Phase:", pod, "phase");
    say_field(cli, "State:", pod, "state");
    say_field(cli, "Node:", pod, "node");
    say_field(cli, "Queue:", pod, "queue");
    say_field(cli, "Group:", pod, "podGroup");
    say_time(cli, "Created:", pod, "createdAt");
    if (dvl_value_kind(dvl_value_get(pod, "deletedAt")) != DVL_VALUE_NULL)
        say_time(cli, "Gone:", pod, "deletedAt");
    int code = print_section(cli, "Requests:", &view_requests, dvl_value_get(answer, "requests"));
    if (!code)
        code = print_section(cli, "Slices:", &view_pod_slices, dvl_value_get(answer, "slices"));
    if (!code && dvl_value_count(why) > 0)
        code = print_section(cli, "Why it found no node:", &view_explanation, why);
    if (!code)
        code = print_section(cli, "Locks held:", &view_locks_held, dvl_value_get(answer, "locks"));
    if (!code)
        code = print_section(cli, "Downgrades:", view_of_kind("downgrades"), dvl_value_get(answer, "downgrades"));
    if (!code)
        code = print_section(cli, "Conflicts:", view_of_kind("conflicts"), dvl_value_get(answer, "conflicts"));
    if (!code)
        code = print_section(cli, "Findings:", &view_own_findings, dvl_value_get(answer, "findings"));
    return code ? code : say_events(cli, answer);
}

/* ---- The verb -------------------------------------------------------------------------------- */

static int lay_out(struct cli *cli, enum dvl_get_id kind, const struct dvl_value *answer)
{
    if (cli->format != FORMAT_TABLE)
        return print_answer(cli, answer);
    if (kind == DVL_GET_NODES)
        return describe_node(cli, answer);
    return kind == DVL_GET_DEVICES ? describe_device(cli, answer) : describe_pod(cli, answer);
}

int run_describe(struct cli *cli)
{
    const char *word, *name;
    struct dvl_answer *answer = NULL;
    if (!cli_kind_and_name(cli, &word, &name))
        return cli_no_memory();
    const struct dvl_get_kind *kind = dvl_get_kind_find(word);
    if (!kind || (kind->id != DVL_GET_NODES && kind->id != DVL_GET_DEVICES && kind->id != DVL_GET_PODS))
        return cli_usage(cli, "it takes node, device or pod, not \"%s\"", word);
    if (!name)
        return cli_usage(cli, "which %s is meant? Name it", kind->singular);
    if (kind->id == DVL_GET_PODS)
        name = cli_pod_name(cli, name);
    int code = cli_format(cli, FORMATS_VALUE);
    if (!code)
        code = cli_open(cli, OPEN_READ);
    if (code)
        return code;
    struct dvl_value *request = cli_request(cli, "describe");
    cli_set_text(cli, request, "kind", kind->singular);
    cli_set_text(cli, request, "name", name);
    cli_set_option(cli, request, "backend", "backend");
    cli_set_flag(cli, request, "all", cli_flag(cli, "all"));
    cli->subject = dvl_arena_format(&cli->arena, "%s %s", kind->singular, name);
    code = cli_call(cli, request, &answer);
    if (!code)
        code = lay_out(cli, kind->id, dvl_answer_value(answer));
    dvl_answer_free(answer);
    return code;
}
