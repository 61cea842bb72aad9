/* Pods: who it is, where it is, and what each container asks for. */
#include "objects.h"

#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sorted merge: the container's own requests, and limits where it has none. */
enum dvl_status dvl_container_default_requests(struct dvl_members *members, struct dvl_container *container)
{
    const struct dvl_pairs *limits = &container->limits, *requests = &container->requests;
    struct dvl_pair *items = dvl_arena_array(members->arena, limits->count + requests->count, sizeof *items);
    if (!items)
        return dvl_error_memory(members->error);
    size_t count = 0, l = 0, r = 0;
    while (l < limits->count || r < requests->count) {
        int order = l == limits->count     ? 1
                    : r == requests->count ? -1
                                           : strcmp(limits->items[l].key, requests->items[r].key);
        items[count++] = order < 0 ? limits->items[l] : requests->items[r];
        l += order <= 0;
        r += order >= 0;
    }
    container->requests = (struct dvl_pairs){.items = items, .count = count};
    return DVL_OK;
}

/* ---- Containers ---- */

struct container_list {
    const struct dvl_value *items; /* NULL: none */
    const char *name;              /* "containers", "initContainers" */
    bool init;
};

static enum dvl_status read_container(struct dvl_members *members, const struct dvl_value *value, const char *path,
                                      struct dvl_container *out)
{
    const struct dvl_value *resources = NULL;
    const char *restart = NULL;
    char below[64];
    snprintf(below, sizeof below, "%sresources.", path);
    enum dvl_status status = dvl_member_name(members, value, path, "name", &out->name);
    if (status == DVL_OK && !out->name)
        status = dvl_members_refuse(members, value, "%sname is missing", path);
    if (status == DVL_OK)
        status = dvl_member_text(members, value, path, "restartPolicy", &restart);
    if (status == DVL_OK)
        status = dvl_member_map(members, value, path, "resources", &resources);
    if (status == DVL_OK)
        status = dvl_member_pairs(members, resources, below, "limits", DVL_PAIRS_OF_QUANTITIES, &out->limits);
    if (status == DVL_OK)
        status = dvl_member_pairs(members, resources, below, "requests", DVL_PAIRS_OF_QUANTITIES, &out->requests);
    if (status != DVL_OK)
        return status;
    out->sidecar = out->init && dvl_text_same(restart, "Always");
    return dvl_container_default_requests(members, out);
}

static enum dvl_status read_containers(struct dvl_members *members, const struct container_list *list,
                                       struct dvl_container *out)
{
    size_t index = 0;
    for (const struct dvl_value *value = dvl_value_first(list->items); value; value = value->next, index++) {
        char path[48];
        snprintf(path, sizeof path, "spec.%s[%zu].", list->name, index);
        if (value->kind != DVL_VALUE_MAP)
            return dvl_members_refuse(members, value, "spec.%s[%zu] must be a map, not %s", list->name, index,
                                      dvl_tree_kind_name(value));
        out[index].init = list->init;
        enum dvl_status status = read_container(members, value, path, &out[index]);
        if (status != DVL_OK)
            return status;
    }
    return DVL_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Slices are kept by their container's name. */
static enum dvl_status check_container_names(struct dvl_members *members, const struct dvl_pod *pod)
{
    const char **names = dvl_arena_array(members->arena, pod->container_count, sizeof *names);
    if (!names)
        return dvl_error_memory(members->error);
    for (size_t i = 0; i < pod->container_count; i++)
        names[i] = pod->containers[i].name;
    if (pod->container_count)
        qsort(names, pod->container_count, sizeof *names, by_text);
    for (size_t i = 1; i < pod->container_count; i++) {
        char shown[DVL_SHOW_SIZE];
        if (strcmp(names[i - 1], names[i]) == 0)
            return dvl_members_refuse(members, NULL, "two containers are called \"%s\"",
                                      dvl_show_text(shown, names[i]));
    }
    return DVL_OK;
}

static enum dvl_status read_all_containers(struct dvl_members *members, const struct dvl_value *spec,
                                           struct dvl_pod *out)
{
    struct container_list init = {.name = "initContainers", .init = true};
    struct container_list app = {.name = "containers"};
    enum dvl_status status = dvl_member_list(members, spec, "spec.", init.name, &init.items);
    if (status == DVL_OK)
        status = dvl_member_list(members, spec, "spec.", app.name, &app.items);
    if (status != DVL_OK)
        return status;
    size_t inits = dvl_value_count(init.items);
    out->container_count = inits + dvl_value_count(app.items);
    struct dvl_container *containers = dvl_arena_array(members->arena, out->container_count, sizeof *containers);
    if (!containers)
        return dvl_error_memory(members->error);
    out->containers = containers;
    status = read_containers(members, &init, containers);
    if (status == DVL_OK)
        status = read_containers(members, &app, containers + inits);
    return status == DVL_OK ? check_container_names(members, out) : status;
}

/* ---- The pod ---- */

static enum dvl_status read_phase(struct dvl_members *members, const struct dvl_value *object, const char **out)
{
    static const char *const phases[] = {"Pending", "Running", "Succeeded", "Failed", "Unknown"};
    const struct dvl_value *map = NULL;
    const char *text = NULL;
    enum dvl_status status = dvl_member_map(members, object, "", "status", &map);
    if (status == DVL_OK)
        status = dvl_member_text(members, map, "status.", "phase", &text);
    if (status != DVL_OK)
        return status;
    *out = phases[0];
    if (!text)
        return DVL_OK;
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        if (strcmp(text, phases[i]) == 0) {
            *out = phases[i];
            return DVL_OK;
        }
    }
    char shown[DVL_SHOW_SIZE];
    return dvl_members_refuse(members, dvl_value_find(map, "phase"),
                              "status.phase \"%s\" is none of Pending, Running, Succeeded, Failed, Unknown",
                              dvl_show_text(shown, text));
}

static enum dvl_status read_metadata(struct dvl_members *members, const struct dvl_value *metadata, struct dvl_pod *out)
{
    static const char path[] = "metadata.";
    enum dvl_status status = dvl_member_name(members, metadata, path, "uid", &out->uid);
    if (status == DVL_OK)
        status = dvl_member_pairs(members, metadata, path, "labels", DVL_PAIRS_OF_TEXTS, &out->labels);
    if (status == DVL_OK)
        status = dvl_member_pairs(members, metadata, path, "annotations", DVL_PAIRS_OF_TEXTS, &out->annotations);
    if (status == DVL_OK)
        status = dvl_member_time(members, metadata, path, "creationTimestamp", &out->created_at);
    if (status == DVL_OK)
        status = dvl_member_time(members, metadata, path, "deletionTimestamp", &out->terminating_at);
    return status;
}

enum dvl_status dvl_pod_read(struct dvl_members *members, const struct dvl_object_parts *parts, struct dvl_pod *out)
{
    const struct dvl_value *spec = NULL;
    *out = (struct dvl_pod){.name = parts->name, .namespace_ = parts->namespace_ ? parts->namespace_ : "default"};
    enum dvl_status status = read_metadata(members, parts->metadata, out);
    if (status == DVL_OK)
        status = read_phase(members, parts->object, &out->phase);
    if (status == DVL_OK)
        status = dvl_member_map(members, parts->object, "", "spec", &spec);
    if (status == DVL_OK)
        status = dvl_member_name(members, spec, "spec.", "nodeName", &out->node_name);
    return status == DVL_OK ? read_all_containers(members, spec, out) : status;
}
