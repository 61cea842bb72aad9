/* The error record that travels with every call that can fail.
 *
 * It has a fixed size, so that reporting an error can never fail itself: no
 * memory is taken, and a message that is too long is cut at a whole UTF-8
 * character. Functions take a `struct dvl_error *` as their last parameter
 * and return the status that they put into it. A verdict ("does not fit") is
 * not an error. */
#ifndef DVL_ERROR_H
#define DVL_ERROR_H

#include <devledger.h>

#include <stdarg.h>

enum { DVL_ERROR_SIZE = 1024 };

struct dvl_error {
    enum dvl_status status;
    char message[DVL_ERROR_SIZE];
};

/* Forgets what was there before. */
void dvl_error_clear(struct dvl_error *error);

/* Records a status with a message in printf's language; answers the status,
 * so that `return dvl_error_set(error, …)` reads well. NULL is allowed. The
 * first error wins only if the caller keeps it so: this overwrites. */
enum dvl_status dvl_error_set(struct dvl_error *error, enum dvl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, for callers with a va_list. */
enum dvl_status dvl_error_set_va(struct dvl_error *error, enum dvl_status status, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Puts "prefix: " before the message that is there ("pod ml/a: …"). */
enum dvl_status dvl_error_prefix(struct dvl_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The one sentence for memory that could not be had. Inline, so that analysers
 * see that it never answers DVL_OK. */
static inline enum dvl_status dvl_error_memory(struct dvl_error *error)
{
    (void)dvl_error_set(error, DVL_NO_MEMORY, "out of memory");
    return DVL_NO_MEMORY;
}

#endif
