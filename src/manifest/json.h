/* The back of the JSON reader: a text that the scan has let through → tree. */
#ifndef DVL_MANIFEST_JSON_H
#define DVL_MANIFEST_JSON_H

#include "tree.h"

struct dvl_json_text {
    const char *start; /* one whole value, scanned */
    size_t length;
    const char *name; /* of the file, for messages; NULL */
    int line;         /* of its first byte */
    size_t gap;       /* where a list was emptied: the offset of its ], 0: nowhere */
    int gap_lines;    /* lines that were taken out there */
};

enum dvl_status dvl_json_build(struct dvl_arena *arena, const struct dvl_json_text *text, struct dvl_value **out,
                               struct dvl_error *error);

#endif
