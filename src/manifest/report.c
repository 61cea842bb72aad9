/* Messages with a place, and foreign text made harmless. */
#include "report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum dvl_status dvl_report(struct dvl_error *error, const char *name, int line, const char *format, ...)
{
    char shown[DVL_SHOW_SIZE];
    va_list arguments;
    va_start(arguments, format);
    dvl_error_set_va(error, DVL_BAD_INPUT, format, arguments);
    va_end(arguments);
    if (name && line)
        dvl_error_prefix(error, "%s:%d", dvl_show_text(shown, name), line);
    else if (name)
        dvl_error_prefix(error, "%s", dvl_show_text(shown, name));
    else if (line)
        dvl_error_prefix(error, "line %d", line);
    return DVL_BAD_INPUT;
}

/* Bytes of a control character at `text`: C0, DEL, and C1 in its two bytes. */
static size_t control_length(const unsigned char *text, size_t length)
{
    if (text[0] < 0x20 || text[0] == 0x7F)
        return 1;
    return length > 1 && text[0] == 0xC2 && text[1] < 0xA0 ? 2 : 0;
}

static size_t escape(char *out, unsigned char byte)
{
    static const char named[] = "\nn\tt\rr";
    const char *pair = byte ? strchr(named, byte) : NULL;
    if (pair && (pair - named) % 2 == 0) {
        out[0] = '\\';
        out[1] = pair[1];
        return 2;
    }
    static const char hex[] = "0123456789abcdef";
    const char code[] = {'\\', 'x', hex[byte >> 4], hex[byte & 0xF]};
    memcpy(out, code, sizeof code);
    return sizeof code;
}

const char *dvl_show(char buffer[DVL_SHOW_SIZE], const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t room = DVL_SHOW_SIZE - sizeof "...." - 4; /* for the longest step, and the dots */
    size_t used = 0, at = 0;
    while (at < length && used < room) {
        size_t control = control_length(bytes + at, length - at);
        if (control) {
            used += escape(buffer + used, bytes[at + control - 1]);
            at += control;
            continue;
        }
        do
            buffer[used++] = text[at++];
        while (at < length && (bytes[at] & 0xC0) == 0x80 && used < DVL_SHOW_SIZE - 5);
    }
    if (at < length) {
        memcpy(buffer + used, "...", 3);
        used += 3;
    }
    buffer[used] = '\0';
    return buffer;
}

const char *dvl_show_text(char buffer[DVL_SHOW_SIZE], const char *text)
{
    return dvl_show(buffer, text, strlen(text));
}

const char *dvl_show_byte(char buffer[DVL_SHOW_SIZE], int byte)
{
    if (byte == EOF)
        return "the end of the text";
    bool printable = byte > 0x20 && byte < 0x7F;
    snprintf(buffer, DVL_SHOW_SIZE, printable ? "'%c'" : "byte 0x%02x", (unsigned)byte);
    return buffer;
}
