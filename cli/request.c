/* Requests, put together from options, arguments and files. */
#include "cli.h"

#include "../src/manifest/manifest.h"

#include <errno.h>
#include <string.h>

struct dvl_value *cli_request(struct cli *cli, const char *op)
{
    struct dvl_value *request = dvl_value_map(&cli->arena);
    cli_set_text(cli, request, "op", op);
    return request;
}

void cli_set_text(struct cli *cli, struct dvl_value *request, const char *name, const char *text)
{
    if (text)
        dvl_value_set(request, name, dvl_value_string(&cli->arena, text));
}

void cli_set_number(struct cli *cli, struct dvl_value *request, const char *name, int64_t number)
{
    dvl_value_set(request, name, dvl_value_int(&cli->arena, number));
}

void cli_set_flag(struct cli *cli, struct dvl_value *request, const char *name, bool flag)
{
    if (flag)
        dvl_value_set(request, name, dvl_value_bool(&cli->arena, true));
}

void cli_set_option(struct cli *cli, struct dvl_value *request, const char *option, const char *name)
{
    cli_set_text(cli, request, name, cli_text(cli, option));
}

void cli_set_nodes(struct cli *cli, struct dvl_value *request)
{
    const char *name;
    struct dvl_value *nodes = cli_flag(cli, "node") ? dvl_value_list(&cli->arena) : NULL;
    for (int i = 0; (name = cli_many(cli, "node", i)); i++)
        dvl_value_add(nodes, dvl_value_string(&cli->arena, name));
    if (nodes)
        dvl_value_set(request, "nodes", nodes);
}

/* ---- Files ------------------------------------------------------------------------------ */

FILE *cli_open_file(struct cli *cli, const char *path)
{
    if (strcmp(path, "-") == 0)
        return stdin;
    FILE *file = fopen(path, "re");
    if (!file)
        cli_fail(EXIT_INPUT, cli->command->name, "%s: %s", path, strerror(errno));
    return file;
}

int cli_read_file(struct cli *cli, const char *path, size_t most, struct dvl_buffer *out)
{
    char part[65536];
    FILE *file = cli_open_file(cli, path);
    if (!file)
        return EXIT_INPUT;
    size_t got;
    while (out->length <= most && (got = fread(part, 1, sizeof part, file)) > 0)
        dvl_buffer_add(out, part, got);
    int code = 0;
    if (ferror(file))
        code = cli_fail(EXIT_INPUT, cli->command->name, "%s: %s", path, strerror(errno));
    else if (out->failed)
        code = cli_no_memory();
    else if (out->length > most)
        code = cli_fail(EXIT_INPUT, cli->command->name, "%s: larger than %zu MiB", path, most / (1024 * 1024));
    if (file != stdin)
        fclose(file);
    return code;
}

/* ---- Pods ------------------------------------------------------------------------------- */

struct pods {
    struct cli *cli;
    struct cli_pod *items;
    size_t count, room;
};

static int add_pod(struct pods *pods, struct dvl_value *value, const char *name)
{
    if (pods->count == pods->room) {
        size_t room = pods->room ? pods->room * 2 : 8;
        struct cli_pod *items = dvl_arena_array(&pods->cli->arena, room, sizeof *items);
        if (!items)
            return cli_no_memory();
        if (pods->count)
            memcpy(items, pods->items, pods->count * sizeof *items);
        pods->items = items;
        pods->room = room;
    }
    if (!value || !name)
        return cli_no_memory();
    pods->items[pods->count++] = (struct cli_pod){value, name};
    return 0;
}

bool cli_kind_and_name(struct cli *cli, const char **kind, const char **name)
{
    const char *slash = strchr(cli->arguments[0], '/');
    *kind = cli->arguments[0];
    *name = cli->argument_count > 1 ? cli->arguments[1] : NULL;
    if (!slash || *name)
        return true;
    *kind = dvl_arena_bytes(&cli->arena, *kind, (size_t)(slash - *kind));
    *name = slash + 1;
    return *kind != NULL;
}

const char *cli_pod_name(struct cli *cli, const char *name)
{
    const char *namespace_ = cli_text(cli, "namespace");
    if (strchr(name, '/'))
        return name;
    return dvl_arena_format(&cli->arena, "%s/%s", namespace_ ? namespace_ : "default", name);
}

static int add_named(struct pods *pods, const char *name)
{
    const char *whole = cli_pod_name(pods->cli, name);
    return add_pod(pods, dvl_value_string(&pods->cli->arena, whole), whole);
}

/* JSON has no plain scalars: what YAML left unquoted where a text is wanted
 * (`gpu-index: 0`) becomes the text that stands there. */
static void plain_to_text(struct dvl_value *value)
{
    if (value->plain && (value->kind == DVL_VALUE_NUMBER || value->kind == DVL_VALUE_BOOL))
        value->kind = DVL_VALUE_STRING;
    for (struct dvl_value *child = value->first; child; child = child->next)
        plain_to_text(child); /* readers bound the depth */
}

static int add_object(struct pods *pods, const struct dvl_manifest_item *item, const char *path)
{
    struct cli *cli = pods->cli;
    struct dvl_object object;
    struct dvl_error error = {0};
    enum dvl_status status = dvl_object_read(&cli->arena, item->value, item->kind_hint, &object, &error);
    if (status)
        return cli_fail(cli_exit_code(status), cli->command->name, "%s:%d: %s", path, item->line, error.message);
    if (object.kind != DVL_OBJECT_POD)
        return cli_fail(EXIT_INPUT, cli->command->name, "%s:%d: a Pod is wanted, not a %s", path, item->line,
                        object.kind_name);
    const char *namespace_ = cli_text(cli, "namespace");
    if (namespace_ && strcmp(namespace_, object.namespace_) != 0)
        return cli_fail(EXIT_INPUT, cli->command->name, "%s:%d: the pod's namespace is %s, not %s", path, item->line,
                        object.namespace_, namespace_);
    plain_to_text(item->value);
    if (!dvl_value_find(item->value, "kind"))
        dvl_value_set(item->value, "kind", dvl_value_string(&cli->arena, "Pod"));
    return add_pod(pods, item->value, dvl_arena_format(&cli->arena, "%s/%s", object.namespace_, object.name));
}

static int add_file(struct pods *pods, const char *path)
{
    struct cli *cli = pods->cli;
    struct dvl_manifest *manifest = NULL;
    struct dvl_error error = {0};
    size_t before = pods->count;
    int code = 0;
    FILE *file = cli_open_file(cli, path);
    if (!file)
        return EXIT_INPUT;
    enum dvl_status status = dvl_manifest_open(file, path, &manifest, &error);
    while (!status && !code) {
        struct dvl_manifest_item item;
        bool got = false;
        status = dvl_manifest_next(manifest, &cli->arena, &item, &got, &error);
        if (status || !got)
            break;
        code = add_object(pods, &item, path);
    }
    if (status)
        code = cli_fail(cli_exit_code(status), cli->command->name, "%s", error.message);
    else if (!code && pods->count == before)
        code = cli_fail(EXIT_INPUT, cli->command->name, "%s: there is no pod in it", path);
    dvl_manifest_close(manifest);
    if (file != stdin)
        fclose(file);
    return code;
}

int cli_pods(struct cli *cli, size_t least, size_t most, struct cli_pod **out, size_t *count)
{
    struct pods pods = {.cli = cli};
    const char *path;
    int code = 0;
    for (int i = 0; i < cli->argument_count && !code; i++)
        code = add_named(&pods, cli->arguments[i]);
    for (int i = 0; !code && (path = cli_many(cli, "filename", i)); i++)
        code = add_file(&pods, path);
    *out = pods.items;
    *count = pods.count;
    if (!code && pods.count < least)
        return cli_usage(cli, "a pod is missing: name one as namespace/name, or give a manifest with -f");
    if (!code && most && pods.count > most)
        return cli_usage(cli, "one pod at a time, not %zu", pods.count);
    return code;
}
