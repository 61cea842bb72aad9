/* Builds manifests from the short words of a case. */
#include "case_objects.h"

#include <string.h>

/* A map of text to text: numbers and bools are taken as they are written. */
static struct dvl_value *texts(struct dvl_arena *arena, const struct dvl_value *map)
{
    struct dvl_value *out = dvl_value_map(arena);
    for (const struct dvl_value *member = map ? map->first : NULL; member; member = member->next)
        dvl_value_set(out, member->key,
                      dvl_value_string(arena, dvl_value_kind(member) == DVL_VALUE_NULL ? "" : dvl_value_text(member)));
    return out;
}

static struct dvl_value *metadata(struct dvl_arena *arena, const struct dvl_value *words, const char *name)
{
    struct dvl_value *out = dvl_value_map(arena);
    dvl_value_set(out, "name", dvl_value_string(arena, name));
    dvl_value_set(out, "labels", texts(arena, dvl_value_find(words, "labels")));
    dvl_value_set(out, "annotations", texts(arena, dvl_value_find(words, "annotations")));
    return out;
}

static struct dvl_value *object(struct dvl_arena *arena, const char *kind, struct dvl_value *meta)
{
    struct dvl_value *out = dvl_value_map(arena);
    dvl_value_set(out, "apiVersion", dvl_value_string(arena, "v1"));
    dvl_value_set(out, "kind", dvl_value_string(arena, kind));
    dvl_value_set(out, "metadata", meta);
    return out;
}

static struct dvl_value *node_of(struct dvl_arena *arena, const struct dvl_value *words, const char *key)
{
    const char *name = dvl_value_find_text(words, "name");
    struct dvl_value *out = object(arena, "Node", metadata(arena, words, name ? name : key));
    struct dvl_value *status = dvl_value_set(out, "status", dvl_value_map(arena));
    static const char *const members[] = {"capacity", "allocatable"};
    for (size_t i = 0; i < 2; i++) {
        if (dvl_value_find(words, members[i]))
            dvl_value_set(status, members[i], texts(arena, dvl_value_find(words, members[i])));
    }
    return out;
}

static struct dvl_value *containers_of(struct dvl_arena *arena, const struct dvl_value *list)
{
    struct dvl_value *out = dvl_value_list(arena);
    for (const struct dvl_value *words = list ? list->first : NULL; words; words = words->next) {
        struct dvl_value *container = dvl_value_add(out, dvl_value_map(arena));
        struct dvl_value *resources = dvl_value_map(arena);
        static const char *const members[] = {"limits", "requests"};
        for (size_t i = 0; i < 2; i++) {
            if (dvl_value_find(words, members[i]))
                dvl_value_set(resources, members[i], texts(arena, dvl_value_find(words, members[i])));
        }
        dvl_value_set(container, "name", dvl_value_string(arena, dvl_value_find_text(words, "name")));
        if (dvl_value_find(words, "restartPolicy"))
            dvl_value_set(container, "restartPolicy", dvl_value_copy(arena, dvl_value_find(words, "restartPolicy")));
        dvl_value_set(container, "resources", resources);
    }
    return out;
}

static struct dvl_value *pod_of(struct dvl_arena *arena, const struct dvl_value *words, const char *key)
{
    const char *full = dvl_value_find_text(words, "name");
    if (!full)
        full = dvl_arena_format(arena, "ml/%s", key);
    const char *slash = strchr(full, '/');
    struct dvl_value *meta = metadata(arena, words, slash ? slash + 1 : full);
    dvl_value_set(meta, "namespace", dvl_value_bytes(arena, full, slash ? (size_t)(slash - full) : 0));
    const char *uid = dvl_value_find_text(words, "uid");
    if (!uid)
        uid =
            dvl_arena_format(arena, "uid-of-%.*s-%s", slash ? (int)(slash - full) : 0, full, slash ? slash + 1 : full);
    dvl_value_set(meta, "uid", dvl_value_string(arena, uid));
    if (dvl_value_find(words, "deleting"))
        dvl_value_set(meta, "deletionTimestamp", dvl_value_copy(arena, dvl_value_find(words, "deleting")));
    struct dvl_value *out = object(arena, "Pod", meta);
    struct dvl_value *spec = dvl_value_set(out, "spec", dvl_value_map(arena));
    if (dvl_value_find(words, "node"))
        dvl_value_set(spec, "nodeName", dvl_value_copy(arena, dvl_value_find(words, "node")));
    if (dvl_value_find(words, "init"))
        dvl_value_set(spec, "initContainers", containers_of(arena, dvl_value_find(words, "init")));
    dvl_value_set(spec, "containers", containers_of(arena, dvl_value_find(words, "containers")));
    const char *phase = dvl_value_find_text(words, "phase");
    struct dvl_value *status = dvl_value_set(out, "status", dvl_value_map(arena));
    dvl_value_set(status, "phase", dvl_value_string(arena, phase ? phase : "Pending"));
    return out;
}

/* Named `namespace/name`. */
static struct dvl_value *configmap_of(struct dvl_arena *arena, const struct dvl_value *words, const char *key)
{
    const char *full = dvl_value_find_text(words, "name");
    if (!full)
        full = key;
    const char *slash = strchr(full, '/');
    struct dvl_value *meta = metadata(arena, words, slash ? slash + 1 : full);
    dvl_value_set(meta, "namespace", dvl_value_bytes(arena, full, slash ? (size_t)(slash - full) : 0));
    struct dvl_value *out = object(arena, "ConfigMap", meta);
    dvl_value_set(out, "data", texts(arena, dvl_value_find(words, "data")));
    return out;
}

/* ---- Names ---- */

static const struct dvl_value *look_up(const struct case_scope *scope, const char *kind, const char *name)
{
    const struct dvl_value *found = dvl_value_find(dvl_value_find(scope->inner, kind), name);
    return found ? found : dvl_value_find(dvl_value_find(scope->outer, kind), name);
}

/* {like: a, phase: Failed}: the words of a, some of them anew. */
static struct dvl_value *altered(struct dvl_arena *arena, const struct dvl_value *base, const struct dvl_value *words)
{
    struct dvl_value *out = dvl_value_map(arena);
    for (const struct dvl_value *member = base->first; member; member = member->next) {
        if (!dvl_value_find(words, member->key))
            dvl_value_set(out, member->key, dvl_value_copy(arena, member));
    }
    for (const struct dvl_value *member = words->first; member; member = member->next) {
        if (strcmp(member->key, "like") != 0)
            dvl_value_set(out, member->key, dvl_value_copy(arena, member));
    }
    return out;
}

static struct dvl_value *named(struct dvl_arena *arena, const struct case_scope *scope, const char *name,
                               const struct dvl_value *words)
{
    static const char *const kinds[] = {"pods", "nodes", "configmaps"};
    for (size_t i = 0; i < 3; i++) {
        const struct dvl_value *base = look_up(scope, kinds[i], name);
        if (!base)
            continue;
        if (words)
            base = altered(arena, base, words);
        return i == 0   ? pod_of(arena, base, name)
               : i == 1 ? node_of(arena, base, name)
                        : configmap_of(arena, base, name);
    }
    return dvl_value_string(arena, dvl_arena_format(arena, "no pod, node or ConfigMap is called %s here", name));
}

/* A manifest in place of "$name" or {like: name, …}; anything else stays. */
static struct dvl_value *one(struct dvl_arena *arena, const struct case_scope *scope, const struct dvl_value *value)
{
    if (dvl_value_kind(value) == DVL_VALUE_STRING && value->text[0] == '$')
        return named(arena, scope, value->text + 1, NULL);
    const char *like = dvl_value_find_text(value, "like");
    if (like)
        return named(arena, scope, like, value);
    return dvl_value_copy(arena, value);
}

/* ---- Requests ---- */

struct dvl_value *case_expand(struct dvl_arena *arena, const struct case_scope *scope, const struct dvl_value *request)
{
    struct dvl_value *out = dvl_value_map(arena);
    for (const struct dvl_value *member = request ? request->first : NULL; member; member = member->next) {
        struct dvl_value *value;
        if (strcmp(member->key, "pod") == 0 || strcmp(member->key, "object") == 0) {
            value = one(arena, scope, member);
        } else if (strcmp(member->key, "objects") == 0) {
            value = dvl_value_list(arena);
            for (const struct dvl_value *item = member->first; item; item = item->next)
                dvl_value_add(value, one(arena, scope, item));
        } else {
            value = dvl_value_copy(arena, member);
        }
        dvl_value_set(out, member->key, value);
    }
    return out;
}

struct dvl_value *case_config_request(struct dvl_arena *arena, const struct case_scope *scope)
{
    const struct dvl_value *config = dvl_value_find(scope->inner, "config");
    if (!config)
        config = dvl_value_find(scope->outer, "config");
    if (!config)
        return NULL;
    struct dvl_value *out = dvl_value_map(arena);
    dvl_value_set(out, "op", dvl_value_string(arena, "config"));
    for (const struct dvl_value *member = config->first; member; member = member->next)
        dvl_value_set(out, member->key, dvl_value_copy(arena, member));
    return out;
}

/* Of the case, else of its file. */
static const struct dvl_value *of_scope(const struct case_scope *scope, const char *member)
{
    const struct dvl_value *found = dvl_value_find(scope->inner, member);
    return found ? found : dvl_value_find(scope->outer, member);
}

struct dvl_value *case_nodes_request(struct dvl_arena *arena, const struct case_scope *scope)
{
    const struct dvl_value *nodes = of_scope(scope, "nodes"), *maps = of_scope(scope, "configmaps");
    if (!nodes || nodes->count == 0)
        return NULL;
    struct dvl_value *out = dvl_value_map(arena);
    dvl_value_set(out, "op", dvl_value_string(arena, "apply"));
    struct dvl_value *objects = dvl_value_set(out, "objects", dvl_value_list(arena));
    for (const struct dvl_value *words = nodes->first; words; words = words->next)
        dvl_value_add(objects, node_of(arena, words, words->key));
    for (const struct dvl_value *words = maps ? maps->first : NULL; words; words = words->next)
        dvl_value_add(objects, configmap_of(arena, words, words->key));
    return out;
}
