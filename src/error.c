/* The error record: fixed size, so that reporting can't fail. */
#include "error.h"

#include <stdio.h>
#include <string.h>

/* A message that was cut must not end in half a character. */
static void trim_partial_character(char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - (start - 1) < want)
        text[start - 1] = '\0';
}

void dvl_error_clear(struct dvl_error *error)
{
    if (error) {
        error->status = DVL_OK;
        error->message[0] = '\0';
    }
}

enum dvl_status dvl_error_set_va(struct dvl_error *error, enum dvl_status status, const char *format, va_list arguments)
{
    if (!error)
        return status;
    error->status = status;
    /* Through a second buffer: the old message may be one of the arguments. */
    char text[DVL_ERROR_SIZE];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length < 0)
        text[0] = '\0';
    else if ((size_t)length >= sizeof text)
        trim_partial_character(text, sizeof text - 1);
    memcpy(error->message, text, sizeof text);
    return status;
}

enum dvl_status dvl_error_set(struct dvl_error *error, enum dvl_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    dvl_error_set_va(error, status, format, arguments);
    va_end(arguments);
    return status;
}

enum dvl_status dvl_error_prefix(struct dvl_error *error, const char *format, ...)
{
    if (!error)
        return DVL_OK;
    struct dvl_error prefix;
    va_list arguments;
    va_start(arguments, format);
    dvl_error_set_va(&prefix, error->status, format, arguments);
    va_end(arguments);
    return dvl_error_set(error, error->status, "%s: %s", prefix.message, error->message);
}
