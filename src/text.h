/* Small tools on text: strict integers, spans and lists that are cut at
 * separators, growing buffers. Nothing here knows what the text means. */
#ifndef DVL_TEXT_H
#define DVL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of somebody else's text; not NUL-terminated. */
struct dvl_span {
    const char *start;
    size_t length;
};

struct dvl_span dvl_span_of(const char *text);
bool dvl_span_is(struct dvl_span span, const char *text);
/* Without blanks and tabs, and newlines, at both ends. */
struct dvl_span dvl_span_trim(struct dvl_span span);
/* Cuts `rest` at the first `separator`: the part before it is the answer in
 * `part`, what follows stays in `rest`. False when nothing was left: "a,"
 * gives "a" and "", and an empty text gives one empty part. To start, set
 * *more = true. */
bool dvl_span_cut(struct dvl_span *rest, bool *more, char separator, struct dvl_span *part);

/* Whole decimal numbers: optional sign as said, digits only, no blanks, no
 * overflow. False leaves *out as it was. */
bool dvl_text_int64(struct dvl_span text, int64_t *out);
bool dvl_text_uint64(struct dvl_span text, uint64_t *out);
/* strconv.ParseBool's twelve words. */
bool dvl_text_bool(struct dvl_span text, bool *out);

bool dvl_text_same(const char *a, const char *b); /* NULL equals only NULL */
bool dvl_text_starts(const char *text, const char *prefix);
/* `part` occurs in `text`, ASCII letters in any case. */
bool dvl_span_contains_fold(struct dvl_span text, struct dvl_span part);
bool dvl_text_utf8_valid(const char *text, size_t length);

/* A growing byte buffer. `failed` is sticky: check it once, at the end. The
 * text is always NUL-terminated (and "" when failed). */
struct dvl_buffer {
    char *text;
    size_t length;
    size_t capacity;
    bool failed;
};

void dvl_buffer_init(struct dvl_buffer *buffer);
void dvl_buffer_clear(struct dvl_buffer *buffer); /* frees */
void dvl_buffer_reset(struct dvl_buffer *buffer); /* empties, keeps the memory */
void dvl_buffer_add(struct dvl_buffer *buffer, const char *bytes, size_t length);
void dvl_buffer_text(struct dvl_buffer *buffer, const char *text);
void dvl_buffer_char(struct dvl_buffer *buffer, char byte);
void dvl_buffer_format(struct dvl_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
