/* A pod's containers as one JSON text, for its row, and back. */
#include "../render/json.h"
#include "manifest.h"
#include "objects.h"
#include "tree.h"

#include <stdio.h>
#include <string.h>

static struct dvl_value *pairs_value(struct dvl_arena *arena, const struct dvl_pairs *pairs)
{
    struct dvl_value *map = dvl_value_map(arena);
    for (size_t i = 0; i < pairs->count; i++) {
        if (!dvl_value_set(map, pairs->items[i].key, dvl_value_string(arena, pairs->items[i].value)))
            return NULL;
    }
    return map;
}

static struct dvl_value *container_value(struct dvl_arena *arena, const struct dvl_container *container)
{
    struct dvl_value *map = dvl_value_map(arena);
    bool whole = dvl_value_set(map, "name", dvl_value_string(arena, container->name)) &&
                 dvl_value_set(map, "init", dvl_value_bool(arena, container->init)) &&
                 dvl_value_set(map, "sidecar", dvl_value_bool(arena, container->sidecar)) &&
                 dvl_value_set(map, "limits", pairs_value(arena, &container->limits)) &&
                 dvl_value_set(map, "requests", pairs_value(arena, &container->requests));
    return whole ? map : NULL;
}

char *dvl_containers_json(struct dvl_arena *arena, const struct dvl_pod *pod)
{
    struct dvl_value *list = dvl_value_list(arena);
    for (size_t i = 0; i < pod->container_count; i++) {
        if (!dvl_value_add(list, container_value(arena, &pod->containers[i])))
            return NULL;
    }
    if (!list)
        return NULL;
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_json_write(&text, list);
    char *copy = text.failed ? NULL : dvl_arena_bytes(arena, text.text, text.length);
    dvl_buffer_clear(&text);
    return copy;
}

static enum dvl_status read_container(struct dvl_members *members, const struct dvl_value *value, const char *path,
                                      struct dvl_container *out)
{
    out->init = dvl_value_is_true(dvl_value_find(value, "init"));
    out->sidecar = dvl_value_is_true(dvl_value_find(value, "sidecar"));
    enum dvl_status status = dvl_member_name(members, value, path, "name", &out->name);
    if (status == DVL_OK && !out->name)
        status = dvl_members_refuse(members, value, "%sname is missing", path);
    if (status == DVL_OK)
        status = dvl_member_pairs(members, value, path, "limits", DVL_PAIRS_OF_TEXTS, &out->limits);
    if (status == DVL_OK)
        status = dvl_member_pairs(members, value, path, "requests", DVL_PAIRS_OF_TEXTS, &out->requests);
    return status;
}

enum dvl_status dvl_containers_read_json(struct dvl_arena *arena, const char *json, struct dvl_pod *pod,
                                         struct dvl_error *error)
{
    struct dvl_members members = {.arena = arena, .error = error};
    struct dvl_value *list = NULL;
    pod->containers = NULL;
    pod->container_count = 0;
    if (!json || !*json)
        return DVL_OK;
    enum dvl_status status = dvl_json_read(arena, json, strlen(json), &list, error);
    if (status != DVL_OK)
        return status;
    if (list->kind != DVL_VALUE_LIST)
        return dvl_error_set(error, DVL_BAD_INPUT, "a list of containers is expected, not %s",
                             dvl_tree_kind_name(list));
    struct dvl_container *containers = dvl_arena_array(arena, list->count, sizeof *containers);
    if (!containers)
        return dvl_error_memory(error);
    size_t count = 0;
    for (const struct dvl_value *value = list->first; value; value = value->next, count++) {
        char path[32];
        snprintf(path, sizeof path, "[%zu].", count);
        status = read_container(&members, value, path, &containers[count]);
        if (status != DVL_OK)
            return status;
    }
    pod->containers = containers;
    pod->container_count = count;
    return DVL_OK;
}
