/* Label selectors as kubectl takes them with -l. */
#ifndef DVL_VERB_SELECTOR_H
#define DVL_VERB_SELECTOR_H

#include "../error.h"
#include "../value.h"

struct dvl_selector;

/* Requirements, separated by commas, that must all hold:
 *     key   !key   key=value   key==value   key!=value
 *     key in (a,b)   key notin (a,b)
 * A label that is absent meets !key, != and notin. An empty text requires
 * nothing. The text must live as long as the selector. */
enum dvl_status dvl_selector_read(struct dvl_arena *arena, const char *text, struct dvl_selector **out,
                                  struct dvl_error *error);

/* `labels`: a map of strings; NULL is an empty one. */
bool dvl_selector_matches(const struct dvl_selector *selector, const struct dvl_value *labels);

#endif
