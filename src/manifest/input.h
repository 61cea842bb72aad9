/* Bytes of a manifest, from a file or from a text in memory. They come as soon as they are there: a
 * reader at the end of a pipe must not wait for a full buffer when a whole
 * object has come. */
#ifndef DVL_MANIFEST_INPUT_H
#define DVL_MANIFEST_INPUT_H

#include "../text.h"
#include "report.h"

#include <stdbool.h>
#include <stdio.h>

struct dvl_input {
    FILE *file; /* NULL: the bytes are those of `text` */
    struct dvl_span text;
    const char *name; /* NULL for a text in memory */
    char ahead[256];  /* blanks of the first line that says something, and its first byte */
    size_t ahead_at, ahead_length;
    int line;    /* of the first byte that next() gives */
    bool failed; /* the file could not be read; `cause` is errno */
    int cause;
};

/* Bytes of UTF-8's byte order mark at the beginning of a text: 3 or 0. */
size_t dvl_mark_length(const char *text, size_t length);

/* Looks at the beginning: skips a UTF-8 byte order mark and empty lines,
 * refuses UTF-16. *json: the first byte that is no blank is { or [. */
enum dvl_status dvl_input_open(struct dvl_input *input, FILE *file, const char *name, bool *json,
                               struct dvl_error *error);

/* A text in memory; its byte order mark is left where it is. */
void dvl_input_text(struct dvl_input *input, struct dvl_span text);

/* The next byte, or EOF: at the end, or when the file could not be read. */
int dvl_input_byte(struct dvl_input *input);

/* Up to `size` bytes, but no more than one line. */
size_t dvl_input_line(struct dvl_input *input, char *buffer, size_t size);

/* After EOF: whether it was the end. */
enum dvl_status dvl_input_end(const struct dvl_input *input, struct dvl_error *error);

#endif
