/* The pods and nodes that a request speaks of. */
#include "pod_ref.h"

#include <stdlib.h>
#include <string.h>

/* ---- Pods ---- */

static enum dvl_status not_found(struct dvl_call *call, const char *text)
{
    return dvl_error_set(call->error, DVL_NOT_FOUND, "pod %.256s is not known", text);
}

enum dvl_status dvl_pod_by_text(struct dvl_call *call, const char *text, struct dvl_pod_row *out)
{
    const char *slash = strchr(text, '/');
    const char *namespace_ = slash ? dvl_arena_bytes(call->arena, text, (size_t)(slash - text)) : "default";
    const char *rest = slash ? slash + 1 : text;
    const char *second = strchr(rest, '/');
    const char *name = second ? dvl_arena_bytes(call->arena, rest, (size_t)(second - rest)) : rest;
    if (!namespace_ || !name)
        return dvl_error_memory(call->error);
    if (!*namespace_ || !*name || (second && !second[1]))
        return dvl_error_set(call->error, DVL_BAD_INPUT,
                             "a pod is named namespace/name or namespace/name/uid, not \"%.128s\"", text);
    enum dvl_status status;
    if (second) {
        status = dvl_pod_load_uid(call->store, call->arena, second + 1, out, call->error);
        if (status == DVL_OK &&
            (!out->id || out->gone || strcmp(out->pod.namespace_, namespace_) != 0 || strcmp(out->pod.name, name) != 0))
            return not_found(call, text);
        return status;
    }
    status = dvl_pod_load_name(call->store, call->arena, namespace_, name, out, call->error);
    if (status != DVL_OK)
        return status;
    if (out->namesakes > 1)
        return dvl_error_set(call->error, DVL_CONFLICT, "%zu live pods are named %.256s; name one as %.256s/UID",
                             out->namesakes, text, text);
    return out->id ? DVL_OK : not_found(call, text);
}

static enum dvl_status read_object(struct dvl_call *call, const struct dvl_value *value, struct dvl_pod_ref *out)
{
    struct dvl_object *object = dvl_arena_take(call->arena, sizeof *object);
    if (!object)
        return dvl_error_memory(call->error);
    const char *kind = dvl_value_find_text(value, "kind");
    if (kind && strcmp(kind, "Pod") != 0)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"pod\" is a %.64s, not a Pod", kind);
    enum dvl_status status = dvl_object_read(call->arena, value, "Pod", object, call->error);
    if (status != DVL_OK)
        return status;
    if (object->kind != DVL_OBJECT_POD) /* of another API */
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"pod\" is a %.64s of another API", object->kind_name);
    out->object = &object->as.pod;
    status = dvl_pod_of_manifest(call, call->arena, out->object, &out->stored);
    return status == DVL_OK ? dvl_pod_row_of(call, call->arena, out->object, &out->stored, &out->row) : status;
}

enum dvl_status dvl_request_pod(struct dvl_call *call, struct dvl_pod_ref *out)
{
    *out = (struct dvl_pod_ref){0};
    const struct dvl_value *value = dvl_value_find(call->request, "pod");
    if (value && value->kind == DVL_VALUE_MAP)
        return read_object(call, value, out);
    if (!value || value->kind != DVL_VALUE_STRING)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"pod\" must be a name or a Pod");
    enum dvl_status status = dvl_pod_by_text(call, value->text, &out->row);
    out->stored = out->row;
    return status;
}

enum dvl_status dvl_pod_ref_record(struct dvl_call *call, struct dvl_pod_ref *ref)
{
    if (!ref->object)
        return DVL_OK;
    enum dvl_action action;
    int64_t id = 0;
    enum dvl_status status = dvl_take_pod(call, ref->object, &action, &id);
    if (status == DVL_OK)
        status = dvl_pod_load_id(call->store, call->arena, id, &ref->row, call->error);
    ref->stored = ref->row;
    return status;
}

/* ---- Nodes ---- */

static enum dvl_status find_node(struct dvl_call *call, const char *name, struct dvl_name_id *out)
{
    struct dvl_node_row row;
    enum dvl_status status = dvl_node_load(call->store, call->arena, name, &row, call->error);
    if (status != DVL_OK)
        return status;
    if (!row.id || row.removed)
        return dvl_error_set(call->error, DVL_NOT_FOUND, "node %.256s is not known", name);
    *out = (struct dvl_name_id){.id = row.id, .name = row.node.name};
    return DVL_OK;
}

enum dvl_status dvl_request_node(struct dvl_call *call, struct dvl_name_id *out)
{
    const char *name;
    enum dvl_status status = dvl_request_text(call, "node", &name);
    if (status == DVL_OK && !name)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"node\" is missing");
    return status == DVL_OK ? find_node(call, name, out) : status;
}

static int by_name(const void *a, const void *b)
{
    const struct dvl_name_id *one = a, *two = b;
    return strcmp(one->name, two->name);
}

enum dvl_status dvl_request_nodes(struct dvl_call *call, struct dvl_name_ids *out)
{
    const struct dvl_value *list = dvl_value_find(call->request, "nodes");
    if (!list || list->kind == DVL_VALUE_NULL)
        return dvl_node_list(call->store, call->arena, out, call->error);
    if (list->kind != DVL_VALUE_LIST)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"nodes\" must be a list of names");
    *out = (struct dvl_name_ids){.items = dvl_arena_array(call->arena, list->count, sizeof *out->items)};
    if (!out->items)
        return dvl_error_memory(call->error);
    for (const struct dvl_value *item = list->first; item; item = item->next) {
        if (item->kind != DVL_VALUE_STRING)
            return dvl_error_set(call->error, DVL_BAD_INPUT, "\"nodes\" must be a list of names");
        enum dvl_status status = find_node(call, item->text, &out->items[out->count]);
        if (status != DVL_OK)
            return status;
        out->count++;
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++) {
        if (!kept || out->items[i].id != out->items[kept - 1].id)
            out->items[kept++] = out->items[i];
    }
    out->count = kept;
    return DVL_OK;
}

/* ---- Spans of time ---- */

/* "90" is seconds; "1h30m" adds up. */
static bool read_span(const char *text, int64_t *seconds)
{
    int64_t total = 0;
    if (!*text)
        return false;
    while (*text) {
        size_t digits = strspn(text, "0123456789");
        int64_t number;
        if (!digits || !dvl_text_int64((struct dvl_span){text, digits}, &number) || number > 400LL * 86400)
            return false;
        text += digits;
        int64_t unit = *text == 'h' ? 3600 : *text == 'm' ? 60 : *text == 'd' ? 86400 : 1;
        if (*text && !strchr("smhd", *text))
            return false;
        text += *text ? 1 : 0;
        total += number * unit;
    }
    *seconds = total;
    return true;
}

enum dvl_status dvl_request_ttl(struct dvl_call *call, int64_t *expires_at)
{
    *expires_at = DVL_UNSET;
    const struct dvl_value *value = dvl_value_find(call->request, "ttl");
    if (!value || value->kind == DVL_VALUE_NULL)
        return DVL_OK;
    int64_t seconds = 0;
    bool reads =
        (value->kind == DVL_VALUE_NUMBER || value->kind == DVL_VALUE_STRING) && read_span(value->text, &seconds);
    if (!reads || seconds < 1 || seconds > 366LL * 86400)
        return dvl_error_set(call->error, DVL_BAD_INPUT,
                             "\"ttl\" must be a span from 1 second to 366 days, like 90, \"10m\" or \"1h30m\"");
    *expires_at = call->clock + seconds * 1000000;
    return DVL_OK;
}
