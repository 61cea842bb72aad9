/* The parts of object.h's reader: one function for each kind. They get an
 * object whose kind and name are read, and fill in the rest. */
#ifndef DVL_MANIFEST_OBJECTS_H
#define DVL_MANIFEST_OBJECTS_H

#include "members.h"

struct dvl_object_parts {
    const struct dvl_value *object;
    const struct dvl_value *metadata; /* a map */
    const char *name;
    const char *namespace_; /* NULL: none is given */
};

enum dvl_status dvl_node_read(struct dvl_members *members, const struct dvl_object_parts *parts, struct dvl_node *out);
enum dvl_status dvl_pod_read(struct dvl_members *members, const struct dvl_object_parts *parts, struct dvl_pod *out);
enum dvl_status dvl_configmap_read(struct dvl_members *members, const struct dvl_object_parts *parts,
                                   struct dvl_configmap *out);

/* Requests that are absent are the limits, as the API server has it. */
enum dvl_status dvl_container_default_requests(struct dvl_members *members, struct dvl_container *container);

/* "List", "NodeList": the name says that `items` holds objects. */
bool dvl_kind_is_list(const char *kind);
/* One of the lists that this program knows, which are lists even without items. */
bool dvl_kind_is_known_list(const char *kind);
/* What items without a kind of their own are, by their list's kind and
 * apiVersion (may be NULL): "Node" for a NodeList of v1, "example.com/v1/Node"
 * for another API's, NULL for a List or when kind is no list's. */
enum dvl_status dvl_list_hint(struct dvl_arena *arena, const char *kind, const char *version, const char **out,
                              struct dvl_error *error);
bool dvl_version_is_core(const char *version); /* "v1", or none */

#endif
