/* Memory that lives as long as one document or one answer.
 *
 * Everything that is taken from an arena is freed with it, in one call; there
 * is no single free. Functions answer NULL when memory can't be had, or when
 * the arena's limit is reached (hostile input must not take the machine). */
#ifndef DVL_ARENA_H
#define DVL_ARENA_H

#include "error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct dvl_arena_block;

struct dvl_arena {
    struct dvl_arena_block *blocks; /* newest first */
    size_t taken;                   /* bytes handed out so far */
    size_t limit;                   /* most bytes to hand out; 0: no limit */
    bool failed;                    /* a piece could not be had: what was made from here may lack a part */
};

void dvl_arena_init(struct dvl_arena *arena, size_t limit);

/* Frees all; the arena can be used again, with the same limit. */
void dvl_arena_clear(struct dvl_arena *arena);

/* Frees all. Answers `status`, but no memory where that is DVL_OK and a piece
 * could not be had: nobody need have looked at each. */
enum dvl_status dvl_arena_end(struct dvl_arena *arena, enum dvl_status status, struct dvl_error *error);

/* Forgets all but keeps the newest block, for loops over many rows. */
void dvl_arena_reset(struct dvl_arena *arena);

/* Zeroed memory, aligned for any type. Size 0 gives a valid pointer. */
void *dvl_arena_take(struct dvl_arena *arena, size_t size);

/* count × size bytes; NULL too when the product overflows. */
void *dvl_arena_array(struct dvl_arena *arena, size_t count, size_t size);

/* A NUL-terminated copy; NULL text gives NULL. */
char *dvl_arena_text(struct dvl_arena *arena, const char *text);
char *dvl_arena_bytes(struct dvl_arena *arena, const char *bytes, size_t length);

char *dvl_arena_format(struct dvl_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *dvl_arena_format_va(struct dvl_arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#endif
