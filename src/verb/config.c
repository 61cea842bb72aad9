/* The verb `config`: takes a scheduler or a device configuration.
 *
 * Text → judged → row of `config` → event → derived tables → everything stored
 * is read anew, all in one transaction. A refusal happens before the first row
 * is written, so what is in force stays (decisions on a refused configuration). */
#include "config.h"

#include "../digest.h"
#include "../intake/intake.h"
#include "../manifest/manifest.h"
#include "../store/config_rows.h"
#include "verbs.h"

#include <string.h>

const char *const dvl_config_slot_names[DVL_SLOT_COUNT] = {"scheduler", "devices"};

/* ---- The configuration in force ---- */

/* Into `arena`, which outlives the text's tree. */
static enum dvl_status read_text(struct dvl_arena *arena, enum dvl_config_slot slot, const char *text,
                                 struct dvl_config *out, struct dvl_error *error)
{
    struct dvl_arena scratch;
    struct dvl_value *value = NULL;
    dvl_arena_init(&scratch, 0);
    enum dvl_status status = dvl_text_read(&scratch, text, strlen(text), &value, error);
    if (status == DVL_OK && slot == DVL_SLOT_SCHEDULER)
        status = dvl_scheduler_config_read(arena, value, &out->scheduler, error);
    else if (status == DVL_OK)
        status = dvl_device_config_read(arena, value, &out->devices, error);
    return dvl_arena_end(&scratch, status, error);
}

static enum dvl_status load_slot(struct dvl_ledger *ledger, enum dvl_config_slot slot, struct dvl_error *error)
{
    struct dvl_config_row row;
    const char *name = dvl_config_slot_names[slot];
    enum dvl_status status = dvl_config_newest(ledger->store, &ledger->config_arena, name, &row, error);
    if (status == DVL_OK && row.id) {
        status = read_text(&ledger->config_arena, slot, row.text, &ledger->config, error);
        if (status == DVL_BAD_INPUT) {
            error->status = DVL_DATABASE;
            dvl_error_prefix(error, "the stored %s configuration %lld does not read", name, (long long)row.id);
            return DVL_DATABASE;
        }
    }
    ledger->config_ids[slot] = row.id;
    ledger->config_sums[slot] = row.sha256;
    return status;
}

static enum dvl_status load(struct dvl_ledger *ledger, struct dvl_error *error)
{
    dvl_arena_clear(&ledger->config_arena);
    enum dvl_status status = dvl_config_defaults(&ledger->config_arena, &ledger->config, error);
    for (int slot = 0; slot < DVL_SLOT_COUNT && status == DVL_OK; slot++)
        status = load_slot(ledger, (enum dvl_config_slot)slot, error);
    if (status == DVL_OK)
        status = dvl_backends_of(&ledger->config_arena, &ledger->config, &ledger->backends, error);
    if (status == DVL_OK && ledger->config_arena.failed)
        status = dvl_error_memory(error);
    if (status != DVL_OK)
        ledger->config_ids[DVL_SLOT_SCHEDULER] = ledger->config_ids[DVL_SLOT_DEVICES] = -1;
    return status;
}

/* An id can come back after a rollback with another text, so the sum is looked
 * at, too. */
enum dvl_status dvl_ledger_config(struct dvl_ledger *ledger, struct dvl_error *error)
{
    struct dvl_arena scratch;
    dvl_arena_init(&scratch, 0);
    bool same = true;
    enum dvl_status status = DVL_OK;
    for (int slot = 0; slot < DVL_SLOT_COUNT && status == DVL_OK; slot++) {
        struct dvl_config_row row;
        status = dvl_config_mark(ledger->store, &scratch, dvl_config_slot_names[slot], &row, error);
        same = same && status == DVL_OK && ledger->config_ids[slot] == row.id &&
               dvl_text_same(ledger->config_sums[slot], row.sha256);
    }
    status = dvl_arena_end(&scratch, status, error);
    return status != DVL_OK || same ? status : load(ledger, error);
}

/* ---- Taking one ---- */

static struct dvl_value *sum_value(struct dvl_arena *arena, const char *sha256)
{
    struct dvl_value *map = sha256 ? dvl_value_map(arena) : dvl_value_null(arena);
    if (sha256)
        dvl_value_set(map, "sha256", dvl_value_string(arena, sha256));
    return map;
}

static enum dvl_status tell(struct dvl_call *call, const char *kind, const char *before, const char *after,
                            const char *source)
{
    struct dvl_value *detail = dvl_value_map(call->arena);
    bool whole = dvl_value_set(detail, "kind", dvl_value_string(call->arena, kind)) &&
                 dvl_value_set(detail, "before", sum_value(call->arena, before)) &&
                 dvl_value_set(detail, "after", sum_value(call->arena, after));
    if (whole && source)
        whole = dvl_value_set(detail, "source", dvl_value_string(call->arena, source)) != NULL;
    return whole ? dvl_call_event(call, "config", NULL, NULL, NULL, detail) : dvl_error_memory(call->error);
}

/* One row and one event, unless the text in force is the same. `source` names
 * the ConfigMap that it came from; NULL: the verb itself. */
static enum dvl_status keep(struct dvl_call *call, enum dvl_config_slot slot, const char *text, const char *source,
                            bool *changed)
{
    struct dvl_config_row row;
    const char *kind = dvl_config_slot_names[slot];
    char sum[DVL_SHA256_SIZE];
    if (!dvl_sha256_hex(text, strlen(text), sum))
        return dvl_error_memory(call->error);
    enum dvl_status status = dvl_config_mark(call->store, call->arena, kind, &row, call->error);
    if (status != DVL_OK || dvl_text_same(row.sha256, sum))
        return status;
    status = dvl_config_insert(call->store, call->now, kind, text, sum, call->error);
    if (status == DVL_OK)
        status = tell(call, kind, row.sha256, sum, source);
    *changed = *changed || status == DVL_OK;
    return status;
}

/* Brings the ledger's parsed form and the derived tables to what is in force now. */
static enum dvl_status settle(struct dvl_ledger *ledger, struct dvl_error *error)
{
    enum dvl_status status = dvl_ledger_config(ledger, error);
    if (status != DVL_OK)
        return status;
    return dvl_config_derive(ledger->store, &ledger->config, &ledger->backends, error);
}

/* ---- ConfigMaps ---- */

bool dvl_config_names_configmap(const struct dvl_ledger *ledger, const struct dvl_configmap *configmap)
{
    const struct dvl_scheduler_config *scheduler = &ledger->config.scheduler;
    return dvl_text_same(configmap->name, scheduler->geometries_name) &&
           dvl_text_same(configmap->namespace_, scheduler->geometries_namespace);
}

/* Its text; NULL when the ConfigMap is not the one that the arguments name. A
 * ConfigMap that is, but does not read, is a finding: it came in among other
 * objects, which are not refused for it. */
static enum dvl_status judge(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_configmap *configmap,
                             struct dvl_findings *findings, const char **text)
{
    struct dvl_config config;
    *text = NULL;
    if (!dvl_config_names_configmap(call->ledger, configmap))
        return DVL_OK;
    const char *inner = dvl_pairs_get(&configmap->data, DVL_DEVICES_KEY);
    if (!inner) {
        dvl_finding_add(findings, "unreadable_config", DVL_DEVICES_KEY, 0,
                        "the ConfigMap that the scheduler's arguments name holds no device configuration");
        return DVL_OK;
    }
    if (strlen(inner) > DVL_CONFIG_TEXT_MAX) {
        dvl_finding_add(findings, "unreadable_config", DVL_DEVICES_KEY, 0,
                        "%zu bytes are too much, at most %zu are read", strlen(inner), DVL_CONFIG_TEXT_MAX);
        return DVL_OK;
    }
    enum dvl_status status = read_text(arena, DVL_SLOT_DEVICES, inner, &config, call->error);
    if (status == DVL_OK)
        *text = inner;
    if (status != DVL_BAD_INPUT)
        return status;
    dvl_finding_add(findings, "unreadable_config", DVL_DEVICES_KEY, 0, "%s", call->error->message);
    dvl_error_clear(call->error);
    return DVL_OK;
}

enum dvl_status dvl_config_judge_configmap(struct dvl_call *call, struct dvl_arena *arena,
                                           const struct dvl_configmap *configmap, struct dvl_findings *findings)
{
    const char *text;
    return judge(call, arena, configmap, findings, &text);
}

/* Without reading everything anew. */
static enum dvl_status take(struct dvl_call *call, const struct dvl_configmap *configmap, bool *changed)
{
    struct dvl_findings dropped = {.arena = call->arena};
    const char *text, *source;
    enum dvl_status status = judge(call, call->arena, configmap, &dropped, &text);
    if (status != DVL_OK || !text)
        return status;
    source = dvl_arena_format(call->arena, "%s/%s", configmap->namespace_, configmap->name);
    if (!source)
        return dvl_error_memory(call->error);
    status = keep(call, DVL_SLOT_DEVICES, text, source, changed);
    return status == DVL_OK && *changed ? settle(call->ledger, call->error) : status;
}

enum dvl_status dvl_config_take_configmap(struct dvl_call *call, const struct dvl_configmap *configmap)
{
    bool changed = false;
    enum dvl_status status = take(call, configmap, &changed);
    return status == DVL_OK && changed ? dvl_sync_all(call) : status;
}

/* A ConfigMap may have come before the arguments that name it: it is taken when
 * they do. */
static enum dvl_status take_stored_configmap(struct dvl_call *call)
{
    const struct dvl_scheduler_config *scheduler = &call->ledger->config.scheduler;
    struct dvl_configmap configmap = {.namespace_ = dvl_arena_text(call->arena, scheduler->geometries_namespace),
                                      .name = dvl_arena_text(call->arena, scheduler->geometries_name)};
    if (!configmap.namespace_ || !configmap.name)
        return dvl_error_memory(call->error);
    struct dvl_object_row row = {.namespace_ = configmap.namespace_, .name = configmap.name};
    bool changed = false;
    enum dvl_status status = dvl_object_load(call->store, call->arena, "ConfigMap", &row, call->error);
    if (status != DVL_OK || !row.id || row.removed)
        return status;
    status = dvl_pairs_read_json(call->arena, row.text, &configmap.data, call->error);
    return status == DVL_OK ? take(call, &configmap, &changed) : status;
}

/* ---- The verb ---- */

static bool add_result(struct dvl_call *call, struct dvl_value *list, enum dvl_config_slot slot, bool changed)
{
    struct dvl_value *map = dvl_value_add(list, dvl_value_map(call->arena));
    return dvl_value_set(map, "kind", dvl_value_string(call->arena, dvl_config_slot_names[slot])) &&
           dvl_value_set(map, "action", dvl_value_string(call->arena, changed ? "updated" : "unchanged"));
}

static enum dvl_status after_change(struct dvl_call *call, const struct dvl_config_given given[DVL_SLOT_COUNT])
{
    const struct dvl_scheduler_config *old = &call->ledger->config.scheduler;
    const struct dvl_scheduler_config *new = &given[DVL_SLOT_SCHEDULER].config.scheduler;
    bool other_name =
        given[DVL_SLOT_SCHEDULER].present && (!dvl_text_same(old->geometries_name, new->geometries_name) ||
                                              !dvl_text_same(old->geometries_namespace, new->geometries_namespace));
    enum dvl_status status = settle(call->ledger, call->error);
    if (status == DVL_OK && other_name && !given[DVL_SLOT_DEVICES].present)
        status = take_stored_configmap(call);
    return status == DVL_OK ? dvl_sync_all(call) : status;
}

enum dvl_status dvl_verb_config(struct dvl_call *call)
{
    struct dvl_config_given given[DVL_SLOT_COUNT];
    struct dvl_value *results = dvl_value_list(call->arena);
    bool changed = false;
    enum dvl_status status = dvl_config_request(call, given);
    for (int slot = 0; slot < DVL_SLOT_COUNT && status == DVL_OK; slot++) {
        bool fresh = false;
        if (!given[slot].present)
            continue;
        status = keep(call, (enum dvl_config_slot)slot, given[slot].text, NULL, &fresh);
        if (status == DVL_OK && !add_result(call, results, (enum dvl_config_slot)slot, fresh))
            status = dvl_error_memory(call->error);
        changed = changed || fresh;
    }
    if (status == DVL_OK && changed)
        status = after_change(call, given);
    if (status != DVL_OK)
        return status;
    if (!dvl_value_set(call->answer, "changed", dvl_value_bool(call->arena, changed)) ||
        !dvl_value_set(call->answer, "results", results))
        return dvl_error_memory(call->error);
    return DVL_OK;
}

/* ---- A new database ---- */

enum dvl_status dvl_ledger_prepare(struct dvl_ledger *ledger, struct dvl_error *error)
{
    bool there = false;
    if (dvl_store_is_read_only(ledger->store))
        return DVL_OK;
    enum dvl_status status = dvl_store_begin(ledger->store, DVL_READ, error);
    if (status != DVL_OK)
        return status;
    status = dvl_config_is_derived(ledger->store, &there, error);
    dvl_store_end(ledger->store, false, NULL);
    if (status != DVL_OK || there)
        return status;
    status = dvl_store_begin(ledger->store, DVL_WRITE, error);
    if (status != DVL_OK)
        return status;
    status = settle(ledger, error);
    if (status == DVL_OK)
        return dvl_store_end(ledger->store, true, error);
    dvl_store_end(ledger->store, false, NULL); /* the first error is the one to tell */
    return status;
}
