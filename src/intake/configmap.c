/* ConfigMaps: the device configuration, and facts about nodes. Others are not
 * ours and are not kept. */
#include "intake.h"

#include "../verb/verbs.h"

#include <string.h>

static const char kind[] = "ConfigMap";

static const char *full_name(struct dvl_arena *arena, const struct dvl_configmap *configmap)
{
    return dvl_arena_format(arena, "%s/%s", configmap->namespace_, configmap->name);
}

/* The facts that any backend reads in it; *mine tells whether one does. */
static enum dvl_status read_facts(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_configmap *configmap,
                                  bool *mine, struct dvl_facts *out, struct dvl_findings *findings)
{
    const struct dvl_backends *backends = &call->ledger->backends;
    *mine = false;
    for (size_t i = 0; i < backends->count && !*mine; i++) {
        const struct dvl_backend *backend = &backends->items[i];
        if (!backend->ops->read_object)
            continue;
        *out = (struct dvl_facts){0};
        enum dvl_status status = backend->ops->read_object(backend, configmap, arena, mine, out, findings, call->error);
        if (status != DVL_OK)
            return status;
    }
    return DVL_OK;
}

static enum dvl_status keep_facts(struct dvl_call *call, struct dvl_arena *arena, int64_t object_id,
                                  const struct dvl_facts *facts, struct dvl_name_ids *changed)
{
    return dvl_facts_save(call->store, arena, object_id, facts, changed, call->error);
}

static enum dvl_status sync_nodes(struct dvl_call *call, const struct dvl_name_ids *names)
{
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < names->count && status == DVL_OK; i++)
        status = dvl_sync_node(call, names->items[i].name);
    return status;
}

static enum dvl_status object_event(struct dvl_call *call, struct dvl_arena *arena, const char *event,
                                    const struct dvl_configmap *configmap, const char *before, const char *after)
{
    struct dvl_value *detail = dvl_value_map(arena);
    bool whole = dvl_value_set(detail, "kind", dvl_value_string(arena, kind)) &&
                 dvl_value_set(detail, "object", dvl_value_string(arena, full_name(arena, configmap)));
    if (whole && before)
        whole = dvl_value_set(detail, "before", dvl_value_string(arena, before)) != NULL;
    if (whole && after)
        whole = dvl_value_set(detail, "after", dvl_value_string(arena, after)) != NULL;
    return whole ? dvl_call_event(call, event, NULL, NULL, NULL, detail) : dvl_error_memory(call->error);
}

static enum dvl_status store_and_read(struct dvl_call *call, struct dvl_arena *arena,
                                      const struct dvl_configmap *configmap, struct dvl_object_row *row)
{
    struct dvl_findings findings = {.arena = arena};
    struct dvl_facts facts = {0};
    struct dvl_name_ids changed = {0};
    bool mine;
    enum dvl_status status = dvl_object_save(call->store, call->now, kind, row, call->error);
    if (status == DVL_OK)
        status = read_facts(call, arena, configmap, &mine, &facts, &findings);
    if (status == DVL_OK)
        status = keep_facts(call, arena, row->id, &facts, &changed);
    if (status == DVL_OK)
        status = dvl_config_judge_configmap(call, arena, configmap, &findings);
    const char *name = full_name(arena, configmap);
    if (status == DVL_OK)
        status = name ? dvl_findings_save(call->store, call->now, kind, name, &findings, call->error)
                      : dvl_error_memory(call->error);
    return status == DVL_OK ? sync_nodes(call, &changed) : status;
}

/* One that holds a device configuration is kept whatever its name is: the
 * scheduler's arguments may come to name it. */
static bool may_be_configuration(const struct dvl_call *call, const struct dvl_configmap *configmap)
{
    return dvl_pairs_get(&configmap->data, DVL_DEVICES_KEY) || dvl_config_names_configmap(call->ledger, configmap);
}

static enum dvl_status take(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_configmap *configmap,
                            enum dvl_action *action)
{
    struct dvl_findings dropped = {.arena = arena};
    struct dvl_facts facts = {0};
    bool mine;
    enum dvl_status status = read_facts(call, arena, configmap, &mine, &facts, &dropped);
    if (status != DVL_OK)
        return status;
    *action = DVL_IGNORED;
    if (!mine && !may_be_configuration(call, configmap))
        return DVL_OK;
    struct dvl_object_row row = {.namespace_ = configmap->namespace_, .name = configmap->name};
    status = dvl_object_load(call->store, arena, kind, &row, call->error);
    const char *before = row.removed ? NULL : row.text;
    bool there = row.id && !row.removed;
    const char *text = dvl_pairs_json(arena, &configmap->data);
    if (status == DVL_OK && !text)
        status = dvl_error_memory(call->error);
    if (status != DVL_OK)
        return status;
    *action = !there ? DVL_CREATED : strcmp(row.text, text) == 0 ? DVL_UNCHANGED : DVL_UPDATED;
    if (*action == DVL_UNCHANGED)
        return DVL_OK;
    row.text = text;
    status = object_event(call, arena, there ? "object_updated" : "object_created", configmap, before, text);
    if (status == DVL_OK)
        status = store_and_read(call, arena, configmap, &row);
    return status == DVL_OK ? dvl_config_take_configmap(call, configmap) : status;
}

enum dvl_status dvl_take_configmap(struct dvl_call *call, const struct dvl_configmap *configmap,
                                   enum dvl_action *action)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    enum dvl_status status = take(call, &arena, configmap, action);
    return dvl_arena_end(&arena, status, call->error);
}

static enum dvl_status retire(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_configmap *configmap,
                              bool *found)
{
    struct dvl_object_row row = {.namespace_ = configmap->namespace_, .name = configmap->name};
    enum dvl_status status = dvl_object_load(call->store, arena, kind, &row, call->error);
    *found = status == DVL_OK && row.id && !row.removed;
    if (!*found)
        return status;
    const struct dvl_facts none = {0};
    const struct dvl_findings no_findings = {.arena = arena};
    struct dvl_name_ids changed = {0};
    const char *name = full_name(arena, configmap);
    if (!name)
        return dvl_error_memory(call->error);
    status = keep_facts(call, arena, row.id, &none, &changed);
    if (status == DVL_OK)
        status = dvl_object_remove(call->store, call->now, row.id, call->error);
    if (status == DVL_OK)
        status = dvl_findings_save(call->store, call->now, kind, name, &no_findings, call->error);
    if (status == DVL_OK)
        status = object_event(call, arena, "object_removed", configmap, NULL, NULL);
    return status == DVL_OK ? sync_nodes(call, &changed) : status;
}

enum dvl_status dvl_retire_configmap(struct dvl_call *call, const char *namespace_, const char *name, bool *found)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    const struct dvl_configmap configmap = {.namespace_ = namespace_, .name = name};
    enum dvl_status status = retire(call, &arena, &configmap, found);
    return dvl_arena_end(&arena, status, call->error);
}

/* ---- After the configuration changed ---- */

static enum dvl_status read_anew(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_object_row *row)
{
    struct dvl_configmap configmap = {.namespace_ = row->namespace_, .name = row->name};
    enum dvl_status status = dvl_pairs_read_json(arena, row->text, &configmap.data, call->error);
    struct dvl_findings findings = {.arena = arena};
    struct dvl_facts facts = {0};
    struct dvl_name_ids changed = {0};
    bool mine;
    if (status == DVL_OK)
        status = read_facts(call, arena, &configmap, &mine, &facts, &findings);
    if (status == DVL_OK)
        status = keep_facts(call, arena, row->id, &facts, &changed);
    if (status == DVL_OK)
        status = dvl_config_judge_configmap(call, arena, &configmap, &findings);
    const char *name = full_name(arena, &configmap);
    if (status == DVL_OK)
        status = name ? dvl_findings_save(call->store, call->now, kind, name, &findings, call->error)
                      : dvl_error_memory(call->error);
    return status;
}

enum dvl_status dvl_sync_configmaps(struct dvl_call *call)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_object_rows rows;
    enum dvl_status status = dvl_object_list(call->store, &arena, kind, &rows, call->error);
    for (size_t i = 0; i < rows.count && status == DVL_OK; i++) {
        struct dvl_arena scratch;
        dvl_arena_init(&scratch, 0);
        status = read_anew(call, &scratch, &rows.items[i]);
        status = dvl_arena_end(&scratch, status, call->error);
    }
    return dvl_arena_end(&arena, status, call->error);
}
