/* Value → YAML in block style, for people who keep answers in files. */
#ifndef DVL_RENDER_YAML_H
#define DVL_RENDER_YAML_H

#include "../text.h"
#include "../value.h"

/* Appends a whole document without "---". It reads back as the same value,
 * under YAML 1.1 and 1.2: strings that could be taken for something else are
 * quoted, texts of several lines stand as literal blocks. */
void dvl_yaml_write(struct dvl_buffer *out, const struct dvl_value *value);

/* Appends "- value": one item of a list that is written as it comes. */
void dvl_yaml_write_item(struct dvl_buffer *out, const struct dvl_value *value);

#endif
