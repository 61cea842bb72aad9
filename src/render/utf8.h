/* UTF-8, character by character: what every writer of text needs. */
#ifndef DVL_RENDER_UTF8_H
#define DVL_RENDER_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at `text` (1 to 4), and the character in *out; 0 when
 * there is none: a stray or overlong byte, a surrogate, over U+10FFFF, cut off. */
size_t dvl_utf8_read(const char *text, size_t length, uint32_t *out);

/* A character that shows nothing, or makes a reader see other than what is
 * there: controls, signs that turn the direction of writing, blanks without a
 * width, line ends of other sorts. */
bool dvl_utf8_is_unsafe(uint32_t character);

#endif
