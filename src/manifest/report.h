/* How the readers of this folder say what is wrong: "nodes.yaml:12: …" in a
 * file, "line 12: …" in a text, and foreign text shown so that no terminal
 * takes it for a command. */
#ifndef DVL_MANIFEST_REPORT_H
#define DVL_MANIFEST_REPORT_H

#include "../error.h"

#include <stddef.h>

/* Answers DVL_BAD_INPUT. `name` is the file's, NULL for a text in memory;
 * line 0 leaves the line out. */
enum dvl_status dvl_report(struct dvl_error *error, const char *name, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

enum { DVL_SHOW_SIZE = 160 };

/* `text` for a message: control characters as \n or \x1b, what is too long
 * ends in "...". Answers `buffer`. The text is valid UTF-8. */
const char *dvl_show(char buffer[DVL_SHOW_SIZE], const char *text, size_t length);
const char *dvl_show_text(char buffer[DVL_SHOW_SIZE], const char *text);

/* One byte for a message: 'x', or byte 0x1b; EOF: the end of the text. */
const char *dvl_show_byte(char buffer[DVL_SHOW_SIZE], int byte);

#endif
