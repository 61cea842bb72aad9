/* Nodes: labels and annotations, and what the node has of each resource. */
#include "objects.h"

enum dvl_status dvl_node_read(struct dvl_members *members, const struct dvl_object_parts *parts, struct dvl_node *out)
{
    const struct dvl_value *status_map = NULL;
    *out = (struct dvl_node){.name = parts->name};
    enum dvl_status status =
        dvl_member_pairs(members, parts->metadata, "metadata.", "labels", DVL_PAIRS_OF_TEXTS, &out->labels);
    if (status == DVL_OK)
        status = dvl_member_pairs(members, parts->metadata, "metadata.", "annotations", DVL_PAIRS_OF_TEXTS,
                                  &out->annotations);
    if (status == DVL_OK)
        status = dvl_member_map(members, parts->object, "", "status", &status_map);
    if (status == DVL_OK)
        status = dvl_member_pairs(members, status_map, "status.", "capacity", DVL_PAIRS_OF_QUANTITIES, &out->capacity);
    if (status == DVL_OK)
        status =
            dvl_member_pairs(members, status_map, "status.", "allocatable", DVL_PAIRS_OF_QUANTITIES, &out->allocatable);
    if (status != DVL_OK)
        return status;
    /* An empty map is an answer of its own; no map is the API server's default. */
    const struct dvl_value *allocatable = dvl_value_find(status_map, "allocatable");
    if (!allocatable || allocatable->kind == DVL_VALUE_NULL)
        out->allocatable = out->capacity;
    return DVL_OK;
}
