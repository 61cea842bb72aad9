/* Which way an object goes, and reading everything anew. */
#include "intake.h"

enum dvl_status dvl_take_object(struct dvl_call *call, const struct dvl_object *object, enum dvl_action *action)
{
    switch (object->kind) {
    case DVL_OBJECT_NODE:
        return dvl_take_node(call, &object->as.node, action);
    case DVL_OBJECT_POD:
        return dvl_take_pod(call, &object->as.pod, action, NULL);
    case DVL_OBJECT_CONFIGMAP:
        return dvl_take_configmap(call, &object->as.configmap, action);
    case DVL_OBJECT_OTHER:
        break;
    }
    *action = DVL_IGNORED;
    return DVL_OK;
}

enum dvl_status dvl_sync_all(struct dvl_call *call)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_name_ids nodes;
    enum dvl_status status = dvl_sync_configmaps(call);
    if (status == DVL_OK)
        status = dvl_node_list(call->store, &arena, &nodes, call->error);
    for (size_t i = 0; status == DVL_OK && i < nodes.count; i++)
        status = dvl_sync_node(call, nodes.items[i].name);
    if (status == DVL_OK)
        status = dvl_sync_pods(call);
    return dvl_arena_end(&arena, status, call->error);
}
