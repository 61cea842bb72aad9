/* apply and delete: manifests come in, things are retired.
 *
 * One transaction for all of it: all or nothing. Files stream through, one
 * object at a time, so that memory does not grow with the input. */
#include "../intake/intake.h"
#include "../manifest/manifest.h"
#include "../timestamp.h"
#include "pod_ref.h"
#include "verbs.h"

#include <stdlib.h>
#include <string.h>

/* ---- What was seen, for prune ---- */

struct seen {
    int64_t *ids;
    size_t count, room;
    bool any; /* the kind occurred */
};

static bool seen_add(struct seen *seen, int64_t id)
{
    seen->any = true;
    if (seen->count == seen->room) {
        size_t room = seen->room ? seen->room * 2 : 256;
        int64_t *ids = realloc(seen->ids, room * sizeof *ids);
        if (!ids)
            return false;
        seen->ids = ids;
        seen->room = room;
    }
    seen->ids[seen->count++] = id;
    return true;
}

static int by_id(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;
    return (one > two) - (one < two);
}

static bool seen_has(const struct seen *seen, int64_t id)
{
    return seen->count && bsearch(&id, seen->ids, seen->count, sizeof id, by_id);
}

/* ---- One object ---- */

struct apply {
    struct dvl_call *call;
    bool prune;
    struct seen nodes, pods;
    struct dvl_value *results; /* NULL: rows go to the callback */
    dvl_row_function *row;
    void *row_context;
    bool stopped; /* the callback wants no more rows */
};

static enum dvl_status report(struct apply *apply, const char *kind, const char *namespace_, const char *name,
                              enum dvl_action action)
{
    struct dvl_arena scratch;
    dvl_arena_init(&scratch, 0);
    struct dvl_arena *arena = apply->results ? apply->call->arena : &scratch;
    struct dvl_value *row = dvl_value_map(arena);
    char *full = namespace_ ? dvl_arena_format(arena, "%s/%s", namespace_, name) : dvl_arena_text(arena, name);
    bool whole = dvl_value_set(row, "kind", dvl_value_string(arena, kind)) && full &&
                 dvl_value_set(row, "name", dvl_value_string(arena, full)) &&
                 dvl_value_set(row, "action", dvl_value_string(arena, dvl_action_name(action)));
    if (whole && apply->results)
        whole = dvl_value_add(apply->results, row) != NULL;
    else if (whole && apply->row && !apply->stopped)
        apply->stopped = apply->row(apply->row_context, row) != 0;
    dvl_arena_clear(&scratch);
    return whole ? DVL_OK : dvl_error_memory(apply->call->error);
}

static enum dvl_status note_seen(struct apply *apply, const struct dvl_object *object, int64_t pod_id)
{
    if (!apply->prune)
        return DVL_OK;
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    enum dvl_status status = DVL_OK;
    bool kept = true;
    if (object->kind == DVL_OBJECT_NODE) {
        struct dvl_node_row row;
        status = dvl_node_load(apply->call->store, &arena, object->name, &row, apply->call->error);
        kept = status != DVL_OK || seen_add(&apply->nodes, row.id);
    } else if (object->kind == DVL_OBJECT_POD) {
        kept = seen_add(&apply->pods, pod_id);
    }
    if (!kept)
        status = dvl_error_memory(apply->call->error);
    return dvl_arena_end(&arena, status, apply->call->error);
}

static enum dvl_status delete_object(struct dvl_call *call, const struct dvl_object *object, enum dvl_action *action)
{
    bool found = false;
    enum dvl_status status = DVL_OK;
    switch (object->kind) {
    case DVL_OBJECT_NODE:
        status = dvl_retire_node(call, object->name, &found);
        break;
    case DVL_OBJECT_CONFIGMAP:
        status = dvl_retire_configmap(call, object->namespace_, object->name, &found);
        break;
    case DVL_OBJECT_POD: {
        struct dvl_arena arena;
        dvl_arena_init(&arena, 0);
        struct dvl_pod_row row;
        status = dvl_pod_of_manifest(call, &arena, &object->as.pod, &row);
        found = status == DVL_OK && row.id && !row.gone;
        if (found)
            status = dvl_retire_pod(call, &row);
        status = dvl_arena_end(&arena, status, call->error);
        break;
    }
    case DVL_OBJECT_OTHER:
        break;
    }
    *action = found ? DVL_DELETED : DVL_IGNORED;
    return status;
}

static enum dvl_status apply_object(struct apply *apply, const struct dvl_object *object, bool deleted)
{
    enum dvl_action action = DVL_IGNORED;
    int64_t pod_id = 0;
    enum dvl_status status;
    if (deleted)
        status = delete_object(apply->call, object, &action);
    else if (object->kind == DVL_OBJECT_POD)
        status = dvl_take_pod(apply->call, &object->as.pod, &action, &pod_id);
    else
        status = dvl_take_object(apply->call, object, &action);
    if (status == DVL_OK && !deleted)
        status = note_seen(apply, object, pod_id);
    if (status == DVL_OK)
        return report(apply, object->kind_name, object->namespace_, object->name, action);
    return status;
}

/* ---- Prune ---- */

static enum dvl_status prune_nodes(struct apply *apply)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_name_ids nodes;
    enum dvl_status status = dvl_node_list(apply->call->store, &arena, &nodes, apply->call->error);
    qsort(apply->nodes.ids, apply->nodes.count, sizeof *apply->nodes.ids, by_id);
    for (size_t i = 0; status == DVL_OK && i < nodes.count; i++) {
        bool found;
        if (seen_has(&apply->nodes, nodes.items[i].id))
            continue;
        status = dvl_retire_node(apply->call, nodes.items[i].name, &found);
        if (status == DVL_OK)
            status = report(apply, "Node", NULL, nodes.items[i].name, DVL_DELETED);
    }
    return dvl_arena_end(&arena, status, apply->call->error);
}

static enum dvl_status prune_pod(struct apply *apply, int64_t id)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_pod_row row;
    enum dvl_status status = dvl_pod_load_id(apply->call->store, &arena, id, &row, apply->call->error);
    if (status == DVL_OK)
        status = dvl_retire_pod(apply->call, &row);
    if (status == DVL_OK)
        status = report(apply, "Pod", row.pod.namespace_, row.pod.name, DVL_DELETED);
    return dvl_arena_end(&arena, status, apply->call->error);
}

static enum dvl_status prune_pods(struct apply *apply)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_ids pods;
    enum dvl_status status = dvl_pod_list(apply->call->store, &arena, &pods, apply->call->error);
    qsort(apply->pods.ids, apply->pods.count, sizeof *apply->pods.ids, by_id);
    for (size_t i = 0; status == DVL_OK && i < pods.count; i++) {
        if (!seen_has(&apply->pods, pods.items[i]))
            status = prune_pod(apply, pods.items[i]);
    }
    return dvl_arena_end(&arena, status, apply->call->error);
}

/* Kinds that did not occur stay: a list of pods says nothing about nodes. */
static enum dvl_status prune(struct apply *apply)
{
    enum dvl_status status = DVL_OK;
    if (apply->prune && apply->nodes.any)
        status = prune_nodes(apply);
    if (status == DVL_OK && apply->prune && apply->pods.any)
        status = prune_pods(apply);
    return status;
}

static void clear(struct apply *apply)
{
    free(apply->nodes.ids);
    free(apply->pods.ids);
}

/* ---- The verb of the batch protocol ---- */

static enum dvl_status apply_value(struct apply *apply, const struct dvl_value *value, const char *kind_hint,
                                   size_t position)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_object object;
    enum dvl_status status = dvl_object_read(&arena, value, kind_hint, &object, apply->call->error);
    if (status == DVL_OK)
        status = apply_object(apply, &object, false);
    if (status != DVL_OK)
        dvl_error_prefix(apply->call->error, "object %zu", position);
    return dvl_arena_end(&arena, status, apply->call->error);
}

/* One object, or the items of a List. */
static enum dvl_status apply_value_or_list(struct apply *apply, const struct dvl_value *value, size_t *position)
{
    struct dvl_call *call = apply->call;
    const struct dvl_value *items;
    const char *kind_hint;
    enum dvl_status status = dvl_object_items(call->arena, value, &items, &kind_hint, call->error);
    if (status != DVL_OK || !items)
        return status == DVL_OK ? apply_value(apply, value, NULL, ++*position) : status;
    for (const struct dvl_value *item = items->first; item && status == DVL_OK; item = item->next)
        status = apply_value(apply, item, kind_hint, ++*position);
    return status;
}

static enum dvl_status apply_values(struct apply *apply)
{
    struct dvl_call *call = apply->call;
    const struct dvl_value *one = dvl_value_find(call->request, "object");
    const struct dvl_value *many = dvl_value_find(call->request, "objects");
    if (!one == !many)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "apply takes either \"object\" or \"objects\"");
    size_t position = 0;
    if (one)
        return apply_value_or_list(apply, one, &position);
    if (many->kind != DVL_VALUE_LIST)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"objects\" must be a list");
    enum dvl_status status = DVL_OK;
    for (const struct dvl_value *item = many->first; item && status == DVL_OK; item = item->next)
        status = apply_value_or_list(apply, item, &position);
    return status;
}

/* Dry runs do everything and keep nothing. */
static enum dvl_status end(struct dvl_call *call, enum dvl_status status, bool dry_run)
{
    if (status != DVL_OK || !dry_run)
        return dvl_call_end(call, status);
    call->ledger->config_ids[0] = call->ledger->config_ids[1] = -1;
    return dvl_store_end(call->store, false, call->error);
}

enum dvl_status dvl_verb_apply(struct dvl_call *call)
{
    bool dry_run;
    struct apply apply = {.call = call};
    enum dvl_status status = dvl_request_bool(call, "dryRun", false, &dry_run);
    if (status == DVL_OK)
        status = dvl_call_begin(call, DVL_WRITE);
    if (status != DVL_OK)
        return status;
    apply.results = dvl_value_set(call->answer, "results", dvl_value_list(call->arena));
    status = apply.results ? apply_values(&apply) : dvl_error_memory(call->error);
    return end(call, status, dry_run);
}

/* ---- Files ---- */

static enum dvl_status apply_item(struct apply *apply, struct dvl_arena *arena, const char *file,
                                  const struct dvl_manifest_item *item)
{
    if (item->watch == DVL_WATCH_BOOKMARK)
        return DVL_OK;
    struct dvl_object object;
    enum dvl_status status = dvl_object_read(arena, item->value, item->kind_hint, &object, apply->call->error);
    if (status == DVL_OK)
        status = apply_object(apply, &object, item->watch == DVL_WATCH_DELETED);
    if (status != DVL_OK)
        dvl_error_prefix(apply->call->error, "%s:%d: object %zu", file, item->line, item->position);
    return status;
}

static enum dvl_status apply_source(struct apply *apply, const struct dvl_source *source)
{
    struct dvl_manifest *manifest;
    enum dvl_status status = dvl_manifest_open(source->file, source->name, &manifest, apply->call->error);
    if (status != DVL_OK)
        return status;
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    for (bool got = true; status == DVL_OK && got;) {
        struct dvl_manifest_item item;
        dvl_arena_reset(&arena);
        status = dvl_manifest_next(manifest, &arena, &item, &got, apply->call->error);
        if (status == DVL_OK && got)
            status = apply_item(apply, &arena, source->name, &item);
        if (status == DVL_OK && arena.failed)
            status = dvl_error_memory(apply->call->error);
    }
    dvl_arena_clear(&arena);
    dvl_manifest_close(manifest);
    return status;
}

static enum dvl_status apply_sources(struct dvl_call *call, const struct dvl_source *sources, size_t count,
                                     const struct dvl_apply_options *options, struct apply *apply)
{
    enum dvl_status status = dvl_call_begin(call, DVL_WRITE);
    if (status != DVL_OK)
        return status;
    for (size_t i = 0; i < count && status == DVL_OK; i++)
        status = apply_source(apply, &sources[i]);
    if (status == DVL_OK)
        status = prune(apply);
    return end(call, status, options && options->dry_run);
}

enum dvl_status dvl_apply(struct dvl_ledger *ledger, const struct dvl_source *sources, size_t count,
                          const struct dvl_apply_options *options, dvl_row_function *row, void *context)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    dvl_error_clear(&ledger->error);
    struct dvl_call call = {
        .ledger = ledger, .store = ledger->store, .arena = &arena, .now = dvl_time_now(), .error = &ledger->error};
    call.clock = call.now;
    struct apply apply = {.call = &call, .prune = options && options->prune, .row = row, .row_context = context};
    enum dvl_status status = DVL_OK;
    if (options && options->now) {
        call.now_given = true;
        if (!dvl_time_read(options->now, &call.clock) || call.clock < 0)
            status = dvl_error_set(call.error, DVL_BAD_INPUT, "\"now\" is not an RFC 3339 time since 1970");
        call.now = call.clock;
    }
    if (status == DVL_OK)
        status = apply_sources(&call, sources, count, options, &apply);
    clear(&apply);
    dvl_arena_clear(&arena);
    return status;
}

/* ---- delete ---- */

static enum dvl_status delete_pod(struct dvl_call *call, const char *name)
{
    struct dvl_pod_row row;
    enum dvl_status status = dvl_pod_by_text(call, name, &row);
    return status == DVL_OK ? dvl_retire_pod(call, &row) : status;
}

static enum dvl_status delete_node(struct dvl_call *call, const char *name)
{
    bool found;
    enum dvl_status status = dvl_retire_node(call, name, &found);
    if (status == DVL_OK && !found)
        return dvl_error_set(call->error, DVL_NOT_FOUND, "node %.256s is not known", name);
    return status;
}

/* Node, node, nodes and no all mean the same, as kubectl has it. */
static bool is_kind(const char *text, const char *one, const char *many, const char *shorter)
{
    return strcasecmp(text, one) == 0 || strcasecmp(text, many) == 0 || strcasecmp(text, shorter) == 0;
}

enum dvl_status dvl_verb_delete(struct dvl_call *call)
{
    const char *kind, *name;
    enum dvl_status status = dvl_request_text(call, "kind", &kind);
    if (status == DVL_OK)
        status = dvl_request_text(call, "name", &name);
    if (status != DVL_OK)
        return status;
    if (!kind || !name || !*name)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "delete needs a \"kind\" and a \"name\"");
    if (is_kind(kind, "pod", "pods", "po"))
        return delete_pod(call, name);
    if (is_kind(kind, "node", "nodes", "no"))
        return delete_node(call, name);
    return dvl_error_set(call->error, DVL_UNSUPPORTED, "nodes and pods can be deleted, not \"%.64s\"", kind);
}
