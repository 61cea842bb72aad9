/* Value → JSON on one line: answers, batch lines, details of events. */
#ifndef DVL_RENDER_JSON_H
#define DVL_RENDER_JSON_H

#include "../text.h"
#include "../value.h"

/* Appends `value` without any blank; NULL is written as null. What comes out
 * is always valid JSON in valid UTF-8: bytes that are none become U+FFFD, and
 * a number whose text JSON does not know (YAML's .inf) becomes a string. What
 * could do something to a terminal is spelt out as \uXXXX. */
void dvl_json_write(struct dvl_buffer *out, const struct dvl_value *value);

/* The same, each member and item on a line of its own with two blanks a level,
 * the first level being `indent`: for people. */
void dvl_json_write_pretty(struct dvl_buffer *out, const struct dvl_value *value, int indent);

/* One text, with its quotes. */
void dvl_json_write_text(struct dvl_buffer *out, const char *text, size_t length);

/* The number's text is one that JSON's grammar has. */
bool dvl_json_is_number(const char *text, size_t length);

#endif
