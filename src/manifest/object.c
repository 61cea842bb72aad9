/* Values → objects: kind, name, and on to the kind's own file. A Node, Pod or
 * ConfigMap is one of the core API ("v1"); other APIs have kinds of those
 * names, too, and they are not ours. */
#include "object.h"

#include "objects.h"
#include "tree.h"

#include <stdio.h>
#include <string.h>

struct identity {
    const char *kind;
    const char *version;
};

/* From the object, or from the list that it came in. */
static enum dvl_status read_identity(struct dvl_members *members, const struct dvl_value *value, const char *hint,
                                     struct identity *out)
{
    const char *slash = hint ? strrchr(hint, '/') : NULL;
    const char *listed = slash ? slash + 1 : hint;
    enum dvl_status status = dvl_member_name(members, value, "", "kind", &out->kind);
    if (status == DVL_OK)
        status = dvl_member_text(members, value, "", "apiVersion", &out->version);
    if (status != DVL_OK)
        return status;
    bool hinted = listed && *listed;
    if (!out->kind && !hinted)
        return dvl_members_refuse(members, NULL, "the object has no kind");
    if (out->kind && hinted && strcmp(out->kind, listed) != 0)
        return dvl_members_refuse(members, dvl_value_find(value, "kind"), "a %s in a list of kind %sList", out->kind,
                                  listed);
    if (!out->kind)
        out->kind = listed;
    if (!out->version && slash)
        out->version = dvl_arena_bytes(members->arena, hint, (size_t)(slash - hint));
    return !out->version && slash ? dvl_error_memory(members->error) : DVL_OK;
}

static enum dvl_object_kind kind_of(const struct identity *identity)
{
    if (!dvl_version_is_core(identity->version))
        return DVL_OBJECT_OTHER;
    if (strcmp(identity->kind, "Node") == 0)
        return DVL_OBJECT_NODE;
    if (strcmp(identity->kind, "Pod") == 0)
        return DVL_OBJECT_POD;
    return strcmp(identity->kind, "ConfigMap") == 0 ? DVL_OBJECT_CONFIGMAP : DVL_OBJECT_OTHER;
}

/* "pod ml/a"; while the name is not known, "pod". */
static void set_label(struct dvl_members *members, const char *kind, const struct dvl_object_parts *parts)
{
    char space[DVL_SHOW_SIZE], name[DVL_SHOW_SIZE];
    dvl_show_text(members->label, kind);
    for (char *at = members->label; *at; at++)
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
    if (!parts->name)
        return;
    size_t used = strlen(members->label);
    dvl_show_text(space, parts->namespace_ ? parts->namespace_ : "");
    snprintf(members->label + used, sizeof members->label - used, " %s%s%s", space, *space ? "/" : "",
             dvl_show_text(name, parts->name));
}

static enum dvl_status read_parts(struct dvl_members *members, const struct identity *identity,
                                  const struct dvl_value *value, struct dvl_object_parts *out)
{
    *out = (struct dvl_object_parts){.object = value};
    set_label(members, identity->kind, out);
    enum dvl_status status = dvl_member_map(members, value, "", "metadata", &out->metadata);
    if (status == DVL_OK)
        status = dvl_member_name(members, out->metadata, "metadata.", "name", &out->name);
    if (status == DVL_OK)
        status = dvl_member_name(members, out->metadata, "metadata.", "namespace", &out->namespace_);
    if (status == DVL_OK && !out->name)
        status = dvl_members_refuse(members, out->metadata, "metadata.name is missing");
    if (status == DVL_OK)
        set_label(members, identity->kind, out);
    return status;
}

enum dvl_status dvl_object_read(struct dvl_arena *arena, const struct dvl_value *value, const char *kind_hint,
                                struct dvl_object *out, struct dvl_error *error)
{
    struct dvl_members members = {.arena = arena, .error = error, .line = value ? value->line : 0};
    struct identity identity = {0};
    struct dvl_object_parts parts;
    if (!value || value->kind != DVL_VALUE_MAP)
        return dvl_members_refuse(&members, NULL, "an object is expected, not %s", dvl_tree_kind_name(value));
    enum dvl_status status = read_identity(&members, value, kind_hint, &identity);
    if (status == DVL_OK && dvl_kind_is_list(identity.kind) && dvl_value_find(value, "items"))
        status = dvl_members_refuse(&members, NULL, "a %s where one object is expected", identity.kind);
    if (status == DVL_OK)
        status = read_parts(&members, &identity, value, &parts);
    if (status != DVL_OK)
        return status;
    *out = (struct dvl_object){.kind = kind_of(&identity), .kind_name = identity.kind, .name = parts.name};
    switch (out->kind) {
    case DVL_OBJECT_NODE:
        return dvl_node_read(&members, &parts, &out->as.node);
    case DVL_OBJECT_POD:
        status = dvl_pod_read(&members, &parts, &out->as.pod);
        out->namespace_ = out->as.pod.namespace_;
        return status;
    case DVL_OBJECT_CONFIGMAP:
        status = dvl_configmap_read(&members, &parts, &out->as.configmap);
        out->namespace_ = out->as.configmap.namespace_;
        return status;
    case DVL_OBJECT_OTHER:
        out->namespace_ = parts.namespace_;
        return DVL_OK;
    }
    return DVL_OK;
}
