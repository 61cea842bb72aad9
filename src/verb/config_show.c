/* The verbs `config-show` and `config-check`, and the reading of a request that
 * brings a configuration. */
#include "config.h"

#include "../manifest/manifest.h"
#include "../render/json.h"
#include "../store/config_rows.h"
#include "../timestamp.h"
#include "verbs.h"

#include <string.h>

/* ---- What a request brings ---- */

static enum dvl_status json_text(struct dvl_call *call, const struct dvl_value *value, const char **out)
{
    struct dvl_buffer buffer;
    dvl_buffer_init(&buffer);
    dvl_json_write(&buffer, value);
    *out = buffer.failed ? NULL : dvl_arena_bytes(call->arena, buffer.text, buffer.length);
    dvl_buffer_clear(&buffer);
    return *out ? DVL_OK : dvl_error_memory(call->error);
}

/* A member that is a text or an object → what is kept, and what it reads to. */
static enum dvl_status open_member(struct dvl_call *call, const struct dvl_value *member, const char **text,
                                   const struct dvl_value **document)
{
    enum dvl_status status = DVL_OK;
    *document = member;
    if (member->kind == DVL_VALUE_STRING) {
        struct dvl_value *value = NULL;
        *text = member->text;
        status = dvl_text_read(call->arena, member->text, member->length, &value, call->error);
        *document = value;
    } else if (member->kind == DVL_VALUE_MAP) {
        status = json_text(call, member, text);
    } else {
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"%s\" must be a text or an object", member->key);
    }
    if (status == DVL_BAD_INPUT)
        dvl_error_prefix(call->error, "%s", member->key);
    const char *inner = status == DVL_OK ? dvl_config_inner_text(*document) : NULL;
    if (inner)
        *text = inner;
    if (status == DVL_OK && strlen(*text) > DVL_CONFIG_TEXT_MAX)
        return dvl_error_set(call->error, DVL_BAD_INPUT,
                             "%s: %zu bytes are too much for a configuration, at most %zu are allowed", member->key,
                             strlen(*text), DVL_CONFIG_TEXT_MAX);
    return status;
}

static enum dvl_status judge(struct dvl_call *call, enum dvl_config_slot slot, const struct dvl_value *document,
                             const char *text, struct dvl_config_given *given)
{
    enum dvl_status status;
    if (given->present)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "two configurations for %s in one request",
                             dvl_config_slot_names[slot]);
    if (slot == DVL_SLOT_SCHEDULER)
        status = dvl_scheduler_config_read(call->arena, document, &given->config.scheduler, call->error);
    else
        status = dvl_device_config_read(call->arena, document, &given->config.devices, call->error);
    if (status == DVL_BAD_INPUT)
        dvl_error_prefix(call->error, "%s", dvl_config_slot_names[slot]);
    given->present = status == DVL_OK;
    given->text = text;
    return status;
}

/* Member `text` says by its content which of the two it is. */
static enum dvl_status read_member(struct dvl_call *call, const char *name, struct dvl_config_given *given)
{
    const struct dvl_value *member = dvl_value_find(call->request, name), *document = NULL;
    const char *text = NULL;
    if (dvl_value_kind(member) == DVL_VALUE_NULL)
        return DVL_OK;
    enum dvl_status status = open_member(call, member, &text, &document);
    if (status != DVL_OK)
        return status;
    for (int slot = 0; slot < DVL_SLOT_COUNT; slot++) {
        if (strcmp(name, dvl_config_slot_names[slot]) == 0)
            return judge(call, (enum dvl_config_slot)slot, document, text, &given[slot]);
    }
    char kind = dvl_config_kind(document);
    if (kind == 0)
        return dvl_error_set(call->error, DVL_BAD_INPUT,
                             "neither a scheduler configuration (tiers, actions, or a ConfigMap with "
                             "volcano-scheduler.conf) nor a device configuration (nvidia, vnpus, or a ConfigMap with "
                             "device-config.yaml)");
    enum dvl_config_slot slot = kind == 's' ? DVL_SLOT_SCHEDULER : DVL_SLOT_DEVICES;
    return judge(call, slot, document, text, &given[slot]);
}

enum dvl_status dvl_config_request(struct dvl_call *call, struct dvl_config_given given[DVL_SLOT_COUNT])
{
    memset(given, 0, DVL_SLOT_COUNT * sizeof *given);
    enum dvl_status status = read_member(call, "scheduler", given);
    if (status == DVL_OK)
        status = read_member(call, "devices", given);
    if (status == DVL_OK)
        status = read_member(call, "text", given);
    if (status == DVL_OK && !given[DVL_SLOT_SCHEDULER].present && !given[DVL_SLOT_DEVICES].present)
        status = dvl_error_set(call->error, DVL_BAD_INPUT, "no configuration: \"scheduler\" or \"devices\" is needed");
    return status;
}

/* ---- config-check ---- */

/* Moves the members of the rendered form that `given` brought into the answer. */
enum dvl_status dvl_verb_config_check(struct dvl_call *call)
{
    struct dvl_config_given given[DVL_SLOT_COUNT];
    struct dvl_config config;
    enum dvl_status status = dvl_config_request(call, given);
    if (status == DVL_OK)
        status = dvl_config_defaults(call->arena, &config, call->error);
    if (status != DVL_OK)
        return status;
    if (given[DVL_SLOT_SCHEDULER].present)
        config.scheduler = given[DVL_SLOT_SCHEDULER].config.scheduler;
    if (given[DVL_SLOT_DEVICES].present)
        config.devices = given[DVL_SLOT_DEVICES].config.devices;
    const struct dvl_value *shown = dvl_config_render(call->arena, &config);
    for (int slot = 0; slot < DVL_SLOT_COUNT && shown; slot++) {
        const char *name = dvl_config_slot_names[slot];
        if (given[slot].present &&
            !dvl_value_set(call->answer, name, dvl_value_copy(call->arena, dvl_value_find(shown, name))))
            shown = NULL;
    }
    return shown ? DVL_OK : dvl_error_memory(call->error);
}

/* ---- config-show ---- */

static enum dvl_status add_ignored(struct dvl_call *call, const struct dvl_backend *backend, struct dvl_value *list)
{
    const char *const *names = NULL;
    size_t count = 0;
    if (backend->ops->ignored_resources) {
        enum dvl_status status = backend->ops->ignored_resources(backend, call->arena, &names, &count, call->error);
        if (status != DVL_OK)
            return status;
    }
    for (size_t i = 0; i < count; i++) {
        if (!dvl_value_add(list, dvl_value_string(call->arena, names[i])))
            return dvl_error_memory(call->error);
    }
    return DVL_OK;
}

static enum dvl_status add_backend(struct dvl_call *call, const struct dvl_backend *backend, struct dvl_value *list)
{
    struct dvl_value *map = dvl_value_add(list, dvl_value_map(call->arena));
    struct dvl_value *ignored = dvl_value_list(call->arena);
    if (!dvl_value_set(map, "name", dvl_value_string(call->arena, backend->name)) ||
        !dvl_value_set(map, "upstreamName", dvl_value_string(call->arena, backend->upstream_name)) ||
        !dvl_value_set(map, "lockName", dvl_value_string(call->arena, backend->lock_name)) ||
        !dvl_value_set(map, "enabled", dvl_value_bool(call->arena, backend->enabled)) ||
        !dvl_value_set(map, "ignoredResources", ignored))
        return dvl_error_memory(call->error);
    return add_ignored(call, backend, ignored);
}

/* Which row is in force: {"id","sha256","appliedAt"}, or null for the defaults. */
static enum dvl_status add_row(struct dvl_call *call, const char *kind, struct dvl_value *map)
{
    struct dvl_config_row row;
    char time[DVL_TIME_SIZE];
    enum dvl_status status = dvl_config_mark(call->store, call->arena, kind, &row, call->error);
    if (status != DVL_OK)
        return status;
    struct dvl_value *value = row.id ? dvl_value_map(call->arena) : dvl_value_null(call->arena);
    bool whole = dvl_value_set(map, kind, value) != NULL;
    if (whole && row.id) {
        dvl_time_write(row.applied_at, time);
        whole = dvl_value_set(value, "id", dvl_value_int(call->arena, row.id)) &&
                dvl_value_set(value, "sha256", dvl_value_string(call->arena, row.sha256)) &&
                dvl_value_set(value, "appliedAt", dvl_value_string(call->arena, time));
    }
    return whole ? DVL_OK : dvl_error_memory(call->error);
}

enum dvl_status dvl_verb_config_show(struct dvl_call *call)
{
    struct dvl_value *shown = dvl_config_render(call->arena, &call->ledger->config);
    struct dvl_value *applied = dvl_value_map(call->arena);
    struct dvl_value *backends = dvl_value_list(call->arena);
    if (!shown || !applied || !backends)
        return dvl_error_memory(call->error);
    enum dvl_status status = DVL_OK;
    for (int slot = 0; slot < DVL_SLOT_COUNT && status == DVL_OK; slot++) {
        const char *name = dvl_config_slot_names[slot];
        struct dvl_value *part = dvl_value_copy(call->arena, dvl_value_find(shown, name));
        status = dvl_value_set(call->answer, name, part) ? add_row(call, name, applied) : dvl_error_memory(call->error);
    }
    for (size_t i = 0; i < call->ledger->backends.count && status == DVL_OK; i++)
        status = add_backend(call, &call->ledger->backends.items[i], backends);
    if (status == DVL_OK &&
        (!dvl_value_set(call->answer, "backends", backends) || !dvl_value_set(call->answer, "applied", applied)))
        status = dvl_error_memory(call->error);
    return status;
}
