/* ConfigMaps of MindCluster → facts about nodes.
 *
 * Two writers tell the same things: the device plugin and NodeD with one
 * ConfigMap for each node, ClusterD with maps of up to 1000 nodes. Each is cut
 * into facts, so that a node can be read without its neighbours; which writer
 * is to be believed is decided when the node is read. Only names in the
 * writers' own namespaces count: a tenant can't speak for a node. */
#include "vnpu.h"

#include "../digest.h"
#include "../manifest/manifest.h"

#include <string.h>

static const char devices_prefix[] = "mindx-dl-deviceinfo-";
static const char status_prefix[] = "mindx-dl-nodeinfo-";
static const char cluster_devices_prefix[] = "cluster-info-device-";
static const char cluster_status_name[] = "cluster-info-node-cm";
static const char plugin_namespace[] = "kube-system";
static const char mindx_namespace[] = "mindx-dl";

static const char devices_key[] = "DeviceInfoCfg";
static const char separated_key[] = "ManuallySeparateNPU";
static const char status_key[] = "NodeInfo";

struct reader {
    const struct dvl_configmap *configmap;
    struct dvl_arena *arena;
    struct dvl_findings *findings;
    struct dvl_error *error;
    struct dvl_fact *items; /* room for all that the object can tell */
    size_t count;
};

static enum dvl_status add_fact(struct reader *reader, const char *node_name, const char *key, const char *text)
{
    struct dvl_fact *fact = &reader->items[reader->count++];
    fact->node_name = dvl_arena_text(reader->arena, node_name);
    fact->key = key;
    fact->text = dvl_arena_text(reader->arena, text);
    return fact->node_name && fact->text ? DVL_OK : dvl_error_memory(reader->error);
}

static enum dvl_status reserve(struct reader *reader, size_t count)
{
    reader->items = dvl_arena_array(reader->arena, count, sizeof *reader->items);
    return reader->items ? DVL_OK : dvl_error_memory(reader->error);
}

/* *out = NULL, and a finding, when the text is no JSON. */
static enum dvl_status parse(struct reader *reader, const char *key, const char *text, struct dvl_value **out)
{
    struct dvl_error why;
    dvl_error_clear(&why);
    *out = NULL;
    enum dvl_status status = dvl_json_read(reader->arena, text, strlen(text), out, &why);
    if (status == DVL_OK)
        return DVL_OK;
    if (status != DVL_BAD_INPUT)
        return dvl_error_set(reader->error, status, "%s", why.message);
    *out = NULL;
    dvl_finding_add(reader->findings, "unreadable_json", key, 0, "%s", why.message);
    return DVL_OK;
}

/* ---- Device info ---- */

/* NULL: it reads; else what is wrong with it. */
static const char *judge_devices(const struct dvl_value *info)
{
    if (info->kind != DVL_VALUE_MAP)
        return "is no map";
    const struct dvl_value *list = dvl_value_find(info, "DeviceList"), *time = dvl_value_find(info, "UpdateTime");
    int64_t number;
    if (time && !dvl_value_int64(time, &number))
        return "has an UpdateTime that is no whole number";
    if (!list || list->kind == DVL_VALUE_NULL)
        return NULL;
    if (list->kind != DVL_VALUE_MAP)
        return "has a DeviceList that is no map";
    for (const struct dvl_value *member = list->first; member; member = member->next) {
        if (member->kind != DVL_VALUE_STRING)
            return "has a DeviceList with a member that is no text";
    }
    return NULL;
}

/* The two members that matter, in one text. */
static enum dvl_status add_devices(struct reader *reader, const char *node_name, const struct dvl_value *info)
{
    struct dvl_value *kept = dvl_value_map(reader->arena);
    const struct dvl_value *list = dvl_value_find(info, "DeviceList"), *time = dvl_value_find(info, "UpdateTime");
    dvl_value_set(kept, "DeviceList", dvl_value_copy(reader->arena, list));
    dvl_value_set(kept, "UpdateTime", time ? dvl_value_copy(reader->arena, time) : dvl_value_int(reader->arena, 0));
    if (!kept || kept->count != 2)
        return dvl_error_memory(reader->error);
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_vnpu_go_json(&text, reader->arena, kept, DVL_VNPU_DEVICE_INFO);
    enum dvl_status status =
        text.failed ? dvl_error_memory(reader->error) : add_fact(reader, node_name, DVL_VNPU_FACT_DEVICES, text.text);
    dvl_buffer_clear(&text);
    return status;
}

static enum dvl_status take_devices(struct reader *reader, const char *node_name, const char *key,
                                    const struct dvl_value *info)
{
    const char *wrong = judge_devices(info);
    if (wrong) {
        dvl_finding_add(reader->findings, "unreadable_record", key, 0, "the device info of node %s %s", node_name,
                        wrong);
        return add_fact(reader, node_name, DVL_VNPU_FACT_DEVICES_BAD, "");
    }
    const struct dvl_value *list = dvl_value_find(info, "DeviceList");
    if (list && list->kind == DVL_VALUE_MAP)
        return add_devices(reader, node_name, info);
    dvl_finding_add(reader->findings, "missing_data", key, 0, "no DeviceList for node %s", node_name);
    return DVL_OK;
}

/* A wrong code is a finding, not a refusal: documents and simulators have
 * them wrong, and the scheduler does not look. */
static enum dvl_status check_code(struct reader *reader, const char *key, const struct dvl_value *root,
                                  const struct dvl_value *info, enum dvl_vnpu_shape shape)
{
    const char *said = dvl_value_find_text(root, "CheckCode");
    if (!said)
        return DVL_OK;
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_vnpu_go_json(&text, reader->arena, info, shape);
    char code[DVL_SHA256_SIZE];
    bool known = !text.failed && dvl_sha256_hex(text.text, text.length, code);
    dvl_buffer_clear(&text);
    if (!known)
        return dvl_error_memory(reader->error);
    if (strcmp(said, code) != 0)
        dvl_finding_add(reader->findings, "check_code_mismatch", key, 0, "CheckCode is %.80s, the content gives %s",
                        said, code);
    return DVL_OK;
}

static enum dvl_status read_devices(struct reader *reader, const char *node_name)
{
    const char *text = dvl_pairs_get(&reader->configmap->data, devices_key);
    const char *separated = dvl_pairs_get(&reader->configmap->data, separated_key);
    enum dvl_status status = reserve(reader, 2);
    if (status == DVL_OK && separated && *separated)
        status = add_fact(reader, node_name, DVL_VNPU_FACT_SEPARATED, separated);
    if (status != DVL_OK)
        return status;
    if (!text || !*text) {
        dvl_finding_add(reader->findings, "missing_data", devices_key, 0, "no device info for node %s", node_name);
        return DVL_OK;
    }
    struct dvl_value *root;
    status = parse(reader, devices_key, text, &root);
    if (status != DVL_OK)
        return status;
    if (!root)
        return add_fact(reader, node_name, DVL_VNPU_FACT_DEVICES_BAD, "");
    const struct dvl_value *info = dvl_value_find(root, "DeviceInfo");
    if (!info) {
        dvl_finding_add(reader->findings, "missing_data", devices_key, 0, "no DeviceInfo for node %s", node_name);
        return DVL_OK;
    }
    status = check_code(reader, devices_key, root, info, DVL_VNPU_DEVICE_INFO);
    return status == DVL_OK ? take_devices(reader, node_name, devices_key, info) : status;
}

/* ---- Node status ---- */

static enum dvl_status take_status(struct reader *reader, const char *node_name, const char *key,
                                   const struct dvl_value *info)
{
    const char *said = dvl_value_find_text(info, "NodeStatus");
    if (said)
        return add_fact(reader, node_name, DVL_VNPU_FACT_STATUS, said);
    dvl_finding_add(reader->findings, "unreadable_record", key, 0, "no NodeStatus for node %s", node_name);
    return add_fact(reader, node_name, DVL_VNPU_FACT_STATUS_BAD, "");
}

static enum dvl_status read_status(struct reader *reader, const char *node_name)
{
    const char *text = dvl_pairs_get(&reader->configmap->data, status_key);
    enum dvl_status status = reserve(reader, 1);
    if (status != DVL_OK)
        return status;
    if (!text || !*text) {
        dvl_finding_add(reader->findings, "missing_data", status_key, 0, "no node info for node %s", node_name);
        return DVL_OK;
    }
    struct dvl_value *root;
    status = parse(reader, status_key, text, &root);
    if (status != DVL_OK)
        return status;
    if (!root)
        return add_fact(reader, node_name, DVL_VNPU_FACT_STATUS_BAD, "");
    const struct dvl_value *info = dvl_value_find(root, "NodeInfo");
    if (info)
        status = check_code(reader, status_key, root, info, DVL_VNPU_NODE_INFO);
    return status == DVL_OK ? take_status(reader, node_name, status_key, info) : status;
}

/* ---- ClusterD's maps ---- */

typedef enum dvl_status take_function(struct reader *reader, const char *node_name, const char *key,
                                      const struct dvl_value *info);

/* A map from a node's own ConfigMap name to what that says. The empty text is
 * an empty map. */
static enum dvl_status read_map(struct reader *reader, const char *prefix, take_function *take, bool *unreadable)
{
    const char *key = reader->configmap->name, *text = dvl_pairs_get(&reader->configmap->data, key);
    if (!text)
        dvl_finding_add(reader->findings, "missing_data", key, 0, "no data of the ConfigMap's own name");
    if (!text || !*text)
        return DVL_OK;
    struct dvl_value *root;
    enum dvl_status status = parse(reader, key, text, &root);
    if (status != DVL_OK)
        return status;
    if (root && root->kind != DVL_VALUE_MAP)
        dvl_finding_add(reader->findings, "unreadable_json", key, 0, "no map of nodes");
    if (!root || root->kind != DVL_VALUE_MAP) {
        *unreadable = true;
        return DVL_OK;
    }
    status = reserve(reader, root->count);
    for (const struct dvl_value *entry = root->first; entry && status == DVL_OK; entry = entry->next) {
        size_t length = strlen(prefix);
        if (dvl_text_starts(entry->key, prefix) && entry->key[length])
            status = take(reader, entry->key + length, key, entry);
        else
            dvl_finding_add(reader->findings, "unreadable_record", key, 0, "\"%.64s\" does not begin with %s",
                            entry->key, prefix);
    }
    return status;
}

/* ---- Which is it ---- */

/* The rest of the name when the ConfigMap is of that namespace and its name
 * begins so; NULL when it is not, or nothing is left. */
static const char *name_after(const struct dvl_configmap *configmap, const char *namespace_, const char *prefix)
{
    if (!dvl_text_same(configmap->namespace_, namespace_) || !dvl_text_starts(configmap->name, prefix))
        return NULL;
    const char *rest = configmap->name + strlen(prefix);
    return *rest ? rest : NULL;
}

enum dvl_status dvl_vnpu_read_object(const struct dvl_backend *self, const struct dvl_configmap *configmap,
                                     struct dvl_arena *arena, bool *mine, struct dvl_facts *out,
                                     struct dvl_findings *findings, struct dvl_error *error)
{
    (void)self;
    struct reader reader = {.configmap = configmap, .arena = arena, .findings = findings, .error = error};
    enum dvl_status status = DVL_OK;
    const char *node_name;
    *mine = true;
    *out = (struct dvl_facts){0};
    if ((node_name = name_after(configmap, plugin_namespace, devices_prefix)))
        status = read_devices(&reader, node_name);
    else if ((node_name = name_after(configmap, mindx_namespace, status_prefix)))
        status = read_status(&reader, node_name);
    else if (name_after(configmap, mindx_namespace, cluster_devices_prefix))
        status = read_map(&reader, devices_prefix, take_devices, &out->unreadable);
    else if (dvl_text_same(configmap->namespace_, mindx_namespace) && strcmp(configmap->name, cluster_status_name) == 0)
        status = read_map(&reader, status_prefix, take_status, &out->unreadable);
    else
        *mine = false;
    out->items = reader.items;
    out->count = reader.count;
    return status;
}
