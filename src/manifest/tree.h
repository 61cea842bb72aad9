/* What the JSON and the YAML reader share: leaves with their place, maps
 * whose names occur once. */
#ifndef DVL_MANIFEST_TREE_H
#define DVL_MANIFEST_TREE_H

#include "../value.h"
#include "report.h"

/* Most values in one text; in one object of a stream. A value costs some 100
 * bytes, a text of values may hold one in two bytes. */
enum { DVL_TEXT_VALUES_MAX = 2000000, DVL_ITEM_VALUES_MAX = 500000 };

/* A leaf with a copy of its text; NULL when memory is out. A bool's truth is
 * the caller's to set. */
struct dvl_value *dvl_tree_leaf(struct dvl_arena *arena, enum dvl_value_kind kind, struct dvl_span text, int line);

/* Refuses a map in which a name occurs twice; quick for any number of members. */
enum dvl_status dvl_tree_check_names(const struct dvl_value *map, const char *name, struct dvl_error *error);

/* "a map", "a number" … for messages. */
const char *dvl_tree_kind_name(const struct dvl_value *value);

#endif
