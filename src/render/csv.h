/* Rows → CSV as RFC 4180 has it: for spreadsheets and scripts. */
#ifndef DVL_RENDER_CSV_H
#define DVL_RENDER_CSV_H

#include "../text.h"
#include "../value.h"

/* One line with the names of the row's members. */
void dvl_csv_write_header(struct dvl_buffer *out, const struct dvl_value *row);

/* One line with the values: null is an empty field, lists and maps are JSON. */
void dvl_csv_write_row(struct dvl_buffer *out, const struct dvl_value *row);

/* One field, quoted when it must be. */
void dvl_csv_write_field(struct dvl_buffer *out, const char *text, size_t length);

#endif
