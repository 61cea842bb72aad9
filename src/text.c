/* Spans, strict numbers, buffers. */
#include "text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dvl_span dvl_span_of(const char *text)
{
    return (struct dvl_span){.start = text ? text : "", .length = text ? strlen(text) : 0};
}

bool dvl_span_is(struct dvl_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(span.start, text, span.length) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct dvl_span dvl_span_trim(struct dvl_span span)
{
    while (span.length && is_blank(span.start[0])) {
        span.start++;
        span.length--;
    }
    while (span.length && is_blank(span.start[span.length - 1]))
        span.length--;
    return span;
}

bool dvl_span_cut(struct dvl_span *rest, bool *more, char separator, struct dvl_span *part)
{
    if (!*more)
        return false;
    const char *end = rest->length ? memchr(rest->start, separator, rest->length) : NULL;
    if (!end) {
        *part = *rest;
        rest->start += rest->length;
        rest->length = 0;
        *more = false;
        return true;
    }
    size_t length = (size_t)(end - rest->start);
    *part = (struct dvl_span){.start = rest->start, .length = length};
    rest->start += length + 1;
    rest->length -= length + 1;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool dvl_text_uint64(struct dvl_span text, uint64_t *out)
{
    size_t i = text.length && text.start[0] == '+' ? 1 : 0;
    if (i == text.length)
        return false;
    uint64_t number = 0;
    for (; i < text.length; i++) {
        if (!is_digit(text.start[i]) || __builtin_mul_overflow(number, 10U, &number) ||
            __builtin_add_overflow(number, (uint64_t)(text.start[i] - '0'), &number))
            return false;
    }
    *out = number;
    return true;
}

bool dvl_text_int64(struct dvl_span text, int64_t *out)
{
    bool negative = text.length && text.start[0] == '-';
    if (negative) {
        text.start++;
        text.length--;
        if (text.length && text.start[0] == '+')
            return false;
    }
    uint64_t number;
    if (!dvl_text_uint64(text, &number))
        return false;
    if (number > (uint64_t)INT64_MAX + (negative ? 1U : 0U))
        return false;
    if (!negative)
        *out = (int64_t)number;
    else
        *out = number == (uint64_t)INT64_MAX + 1U ? INT64_MIN : -(int64_t)number;
    return true;
}

bool dvl_text_bool(struct dvl_span text, bool *out)
{
    static const char *const yes[] = {"1", "t", "T", "TRUE", "true", "True"};
    static const char *const no[] = {"0", "f", "F", "FALSE", "false", "False"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        if (dvl_span_is(text, yes[i])) {
            *out = true;
            return true;
        }
        if (dvl_span_is(text, no[i])) {
            *out = false;
            return true;
        }
    }
    return false;
}

bool dvl_text_same(const char *a, const char *b)
{
    if (!a || !b)
        return a == b;
    return strcmp(a, b) == 0;
}

bool dvl_text_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static char fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool dvl_span_contains_fold(struct dvl_span text, struct dvl_span part)
{
    if (part.length > text.length)
        return false;
    for (size_t at = 0; at <= text.length - part.length; at++) {
        size_t i = 0;
        while (i < part.length && fold(text.start[at + i]) == fold(part.start[i]))
            i++;
        if (i == part.length)
            return true;
    }
    return false;
}

/* Bytes of the character at `text`, 0 when it is none: no overlong forms, no
 * surrogates, nothing over U+10FFFF. */
static size_t utf8_character(const unsigned char *text, size_t length)
{
    unsigned char lead = text[0];
    if (lead < 0x80)
        return 1;
    size_t size = lead >= 0xC2 && lead <= 0xDF   ? 2
                  : lead >= 0xE0 && lead <= 0xEF ? 3
                  : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                 : 0;
    if (size == 0 || size > length)
        return 0;
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    }
    if ((lead == 0xE0 && text[1] < 0xA0) || (lead == 0xED && text[1] > 0x9F) || (lead == 0xF0 && text[1] < 0x90) ||
        (lead == 0xF4 && text[1] > 0x8F))
        return 0;
    return size;
}

bool dvl_text_utf8_valid(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        size_t size = utf8_character((const unsigned char *)text + at, length - at);
        if (size == 0)
            return false;
        at += size;
    }
    return true;
}

/* ---- Buffers ---- */

static char no_text[1] = "";

void dvl_buffer_init(struct dvl_buffer *buffer)
{
    *buffer = (struct dvl_buffer){.text = no_text};
}

void dvl_buffer_clear(struct dvl_buffer *buffer)
{
    if (buffer->text != no_text)
        free(buffer->text);
    dvl_buffer_init(buffer);
}

void dvl_buffer_reset(struct dvl_buffer *buffer)
{
    buffer->length = 0;
    buffer->failed = false;
    if (buffer->text != no_text)
        buffer->text[0] = '\0';
}

static void fail(struct dvl_buffer *buffer)
{
    dvl_buffer_clear(buffer);
    buffer->failed = true;
}

/* Room for `more` bytes and the NUL. */
static bool make_room(struct dvl_buffer *buffer, size_t more)
{
    if (buffer->failed)
        return false;
    size_t need;
    if (__builtin_add_overflow(buffer->length, more, &need) || need > SIZE_MAX / 4) {
        fail(buffer);
        return false;
    }
    if (need + 1 <= buffer->capacity)
        return true;
    size_t capacity = buffer->capacity ? buffer->capacity : 128;
    while (capacity < need + 1)
        capacity *= 2;
    char *text = realloc(buffer->text == no_text ? NULL : buffer->text, capacity);
    if (!text) {
        fail(buffer);
        return false;
    }
    buffer->text = text;
    buffer->capacity = capacity;
    return true;
}

void dvl_buffer_add(struct dvl_buffer *buffer, const char *bytes, size_t length)
{
    if (!make_room(buffer, length))
        return;
    if (length)
        memcpy(buffer->text + buffer->length, bytes, length);
    buffer->length += length;
    buffer->text[buffer->length] = '\0';
}

void dvl_buffer_text(struct dvl_buffer *buffer, const char *text)
{
    dvl_buffer_add(buffer, text, strlen(text));
}

void dvl_buffer_char(struct dvl_buffer *buffer, char byte)
{
    dvl_buffer_add(buffer, &byte, 1);
}

void dvl_buffer_format(struct dvl_buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !make_room(buffer, (size_t)length)) {
        fail(buffer);
        return;
    }
    va_start(arguments, format);
    vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)length;
}
