/* Short words of a case → whole manifests: see README.md beside this file. */
#ifndef DVL_TESTS_CASE_OBJECTS_H
#define DVL_TESTS_CASE_OBJECTS_H

#include "value.h"

/* Where "$name" is looked up: in the case first, then in its file. Both may be
 * NULL: nothing is looked up then. */
struct case_scope {
    const struct dvl_value *outer, *inner;
};

/* A copy of a request with every "$name" and every {like: …} of "pod", "object"
 * and "objects" put in full. */
struct dvl_value *case_expand(struct dvl_arena *arena, const struct case_scope *scope, const struct dvl_value *request);

/* {"op":"config",…} and {"op":"apply",…} with the nodes of the scope; NULL when
 * it has none. */
struct dvl_value *case_config_request(struct dvl_arena *arena, const struct case_scope *scope);
struct dvl_value *case_nodes_request(struct dvl_arena *arena, const struct case_scope *scope);

#endif
