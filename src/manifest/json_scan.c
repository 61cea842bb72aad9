/* The JSON automaton. One function for each group of states; a number has no
 * last byte of its own, so the byte behind it is taken twice. */
#include "json_scan.h"

#include "manifest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

_Static_assert(DVL_DEPTH_MAX <= 64, "the open maps are the bits of one word");

void dvl_json_scan_init(struct dvl_json_scan *scan, size_t values_max)
{
    *scan = (struct dvl_json_scan){.state = DVL_JSON_VALUE, .values_max = values_max, .line = 1};
}

static enum dvl_json_mark refuse(struct dvl_json_scan *scan, const char *problem)
{
    scan->problem = problem;
    scan->problem_names_byte = false;
    return DVL_JSON_BAD;
}

static enum dvl_json_mark expect(struct dvl_json_scan *scan, const char *what)
{
    scan->problem = what;
    scan->problem_names_byte = true;
    return DVL_JSON_BAD;
}

static bool in_map(const struct dvl_json_scan *scan)
{
    return scan->depth > 0 && (scan->maps >> (scan->depth - 1) & 1U);
}

static void end_value(struct dvl_json_scan *scan)
{
    scan->state = scan->depth ? DVL_JSON_AFTER : DVL_JSON_DONE;
}

static enum dvl_json_mark open_nest(struct dvl_json_scan *scan, bool map)
{
    if (scan->depth == DVL_DEPTH_MAX)
        return refuse(scan, "lists and maps are nested too deep (64 levels are allowed)");
    uint64_t bit = (uint64_t)1 << scan->depth;
    scan->maps = map ? scan->maps | bit : scan->maps & ~bit;
    scan->depth++;
    scan->state = map ? DVL_JSON_NAME_OR_END : DVL_JSON_VALUE_OR_END;
    return DVL_JSON_OPEN;
}

static enum dvl_json_mark close_nest(struct dvl_json_scan *scan)
{
    scan->depth--;
    end_value(scan);
    return DVL_JSON_CLOSE;
}

static enum dvl_json_mark begin_literal(struct dvl_json_scan *scan, const char *rest)
{
    scan->literal = rest;
    scan->state = DVL_JSON_LITERAL;
    return DVL_JSON_ON;
}

static enum dvl_json_mark begin_string(struct dvl_json_scan *scan, bool name)
{
    scan->name = name;
    scan->state = DVL_JSON_STRING;
    return DVL_JSON_ON;
}

static enum dvl_json_mark begin_value(struct dvl_json_scan *scan, unsigned char byte)
{
    if (scan->values == scan->values_max)
        return refuse(scan, "too many values in one text");
    scan->values++;
    switch (byte) {
    case '{':
        return open_nest(scan, true);
    case '[':
        return open_nest(scan, false);
    case '"':
        return begin_string(scan, false);
    case 't':
        return begin_literal(scan, "rue");
    case 'f':
        return begin_literal(scan, "alse");
    case 'n':
        return begin_literal(scan, "ull");
    case '-':
        scan->state = DVL_JSON_MINUS;
        return DVL_JSON_ON;
    case '0':
        scan->state = DVL_JSON_ZERO;
        return DVL_JSON_ON;
    default:
        if (byte < '1' || byte > '9')
            return expect(scan, "a value is expected");
        scan->state = DVL_JSON_DIGITS;
        return DVL_JSON_ON;
    }
}

/* ---- Between values ---- */

static enum dvl_json_mark after_value(struct dvl_json_scan *scan, unsigned char byte)
{
    bool map = in_map(scan);
    if (byte == ',') {
        scan->state = map ? DVL_JSON_NAME : DVL_JSON_VALUE;
        return DVL_JSON_ON;
    }
    if (byte == (map ? '}' : ']'))
        return close_nest(scan);
    return expect(scan, map ? "',' or '}' is expected" : "',' or ']' is expected");
}

static enum dvl_json_mark structure(struct dvl_json_scan *scan, unsigned char byte)
{
    if (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t') {
        scan->line += byte == '\n' && scan->line < INT_MAX;
        return DVL_JSON_ON;
    }
    switch (scan->state) {
    case DVL_JSON_VALUE:
        return begin_value(scan, byte);
    case DVL_JSON_VALUE_OR_END:
        return byte == ']' ? close_nest(scan) : begin_value(scan, byte);
    case DVL_JSON_NAME:
        return byte == '"' ? begin_string(scan, true) : expect(scan, "a name in quotes is expected");
    case DVL_JSON_NAME_OR_END:
        if (byte == '}')
            return close_nest(scan);
        return byte == '"' ? begin_string(scan, true) : expect(scan, "a name in quotes or '}' is expected");
    case DVL_JSON_COLON:
        if (byte != ':')
            return expect(scan, "':' is expected");
        scan->state = DVL_JSON_VALUE;
        return DVL_JSON_ON;
    case DVL_JSON_AFTER:
        return after_value(scan, byte);
    case DVL_JSON_DONE:
        return expect(scan, "the end is expected");
    case DVL_JSON_STRING:
    case DVL_JSON_ESCAPE:
    case DVL_JSON_HEX:
    case DVL_JSON_LOW_BACKSLASH:
    case DVL_JSON_LOW_U:
    case DVL_JSON_LITERAL:
    case DVL_JSON_MINUS:
    case DVL_JSON_ZERO:
    case DVL_JSON_DIGITS:
    case DVL_JSON_POINT:
    case DVL_JSON_FRACTION:
    case DVL_JSON_E:
    case DVL_JSON_E_SIGN:
    case DVL_JSON_E_DIGITS:
        break;
    }
    return refuse(scan, "the text can't be read");
}

/* ---- Strings ---- */

/* First byte of a character of several: how many follow, and what the next
 * may be, so that overlong forms, surrogates and what is over U+10FFFF end here. */
static enum dvl_json_mark begin_character(struct dvl_json_scan *scan, unsigned char byte)
{
    if (byte < 0xC2 || byte > 0xF4)
        return refuse(scan, "the text is not UTF-8");
    scan->utf8_rest = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    scan->utf8_least = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    scan->utf8_most = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    return DVL_JSON_ON;
}

static enum dvl_json_mark in_character(struct dvl_json_scan *scan, unsigned char byte)
{
    if (byte < scan->utf8_least || byte > scan->utf8_most)
        return refuse(scan, "the text is not UTF-8");
    scan->utf8_rest--;
    scan->utf8_least = 0x80;
    scan->utf8_most = 0xBF;
    return DVL_JSON_ON;
}

static enum dvl_json_mark string(struct dvl_json_scan *scan, unsigned char byte)
{
    if (scan->utf8_rest)
        return in_character(scan, byte);
    if (byte == '"') {
        if (scan->name) {
            scan->state = DVL_JSON_COLON;
            return DVL_JSON_NAMED;
        }
        end_value(scan);
        return DVL_JSON_TEXT;
    }
    if (byte == '\\') {
        scan->state = DVL_JSON_ESCAPE;
        return DVL_JSON_ON;
    }
    if (byte < 0x20)
        return expect(scan, "a string holds no control characters: a character or '\"' is expected");
    return byte < 0x80 ? DVL_JSON_ON : begin_character(scan, byte);
}

static enum dvl_json_mark begin_hex(struct dvl_json_scan *scan)
{
    scan->code = 0;
    scan->code_digits = 0;
    scan->state = DVL_JSON_HEX;
    return DVL_JSON_ON;
}

static enum dvl_json_mark end_hex(struct dvl_json_scan *scan)
{
    bool high = scan->code >= 0xD800 && scan->code < 0xDC00;
    bool low = scan->code >= 0xDC00 && scan->code < 0xE000;
    if (scan->code == 0)
        return refuse(scan, "\\u0000 is not allowed in a string");
    if (low != scan->low)
        return refuse(scan, "half of a surrogate pair in a string");
    scan->low = high;
    scan->state = high ? DVL_JSON_LOW_BACKSLASH : DVL_JSON_STRING;
    return DVL_JSON_ON;
}

static enum dvl_json_mark hex(struct dvl_json_scan *scan, unsigned char byte)
{
    uint32_t digit;
    if (byte >= '0' && byte <= '9')
        digit = (uint32_t)(byte - '0');
    else if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f')
        digit = (uint32_t)((byte | 0x20) - 'a' + 10);
    else
        return expect(scan, "four hexadecimal digits are expected after \\u");
    scan->code = scan->code << 4 | digit;
    return ++scan->code_digits == 4 ? end_hex(scan) : DVL_JSON_ON;
}

static enum dvl_json_mark escape(struct dvl_json_scan *scan, unsigned char byte)
{
    if (byte == 'u')
        return begin_hex(scan);
    if (byte == 0 || !strchr("\"\\/bfnrt", byte))
        return expect(scan, "one of \"\\/bfnrtu is expected after '\\'");
    scan->state = DVL_JSON_STRING;
    return DVL_JSON_ON;
}

/* ---- Words and numbers ---- */

static enum dvl_json_mark literal(struct dvl_json_scan *scan, unsigned char byte)
{
    if (byte != (unsigned char)*scan->literal)
        return expect(scan, "true, false or null is expected");
    if (*++scan->literal == '\0')
        end_value(scan);
    return DVL_JSON_ON;
}

static enum dvl_json_mark digit_to(struct dvl_json_scan *scan, unsigned char byte, enum dvl_json_state next)
{
    if (byte < '0' || byte > '9')
        return expect(scan, "a digit is expected");
    scan->state = next;
    return DVL_JSON_ON;
}

/* In a number that could end here. */
static enum dvl_json_mark number(struct dvl_json_scan *scan, unsigned char byte)
{
    if (byte >= '0' && byte <= '9' && scan->state != DVL_JSON_ZERO)
        return DVL_JSON_ON;
    bool whole = scan->state == DVL_JSON_ZERO || scan->state == DVL_JSON_DIGITS;
    if (byte == '.' && whole) {
        scan->state = DVL_JSON_POINT;
        return DVL_JSON_ON;
    }
    if ((byte == 'e' || byte == 'E') && scan->state != DVL_JSON_E_DIGITS) {
        scan->state = DVL_JSON_E;
        return DVL_JSON_ON;
    }
    end_value(scan);
    return structure(scan, byte);
}

enum dvl_json_mark dvl_json_scan_byte(struct dvl_json_scan *scan, unsigned char byte)
{
    switch (scan->state) {
    case DVL_JSON_STRING:
        return string(scan, byte);
    case DVL_JSON_ESCAPE:
        return escape(scan, byte);
    case DVL_JSON_HEX:
        return hex(scan, byte);
    case DVL_JSON_LOW_BACKSLASH:
        scan->state = DVL_JSON_LOW_U;
        return byte == '\\' ? DVL_JSON_ON : refuse(scan, "half of a surrogate pair in a string");
    case DVL_JSON_LOW_U:
        return byte == 'u' ? begin_hex(scan) : refuse(scan, "half of a surrogate pair in a string");
    case DVL_JSON_LITERAL:
        return literal(scan, byte);
    case DVL_JSON_MINUS:
        return digit_to(scan, byte, byte == '0' ? DVL_JSON_ZERO : DVL_JSON_DIGITS);
    case DVL_JSON_POINT:
        return digit_to(scan, byte, DVL_JSON_FRACTION);
    case DVL_JSON_E:
        if (byte == '+' || byte == '-') {
            scan->state = DVL_JSON_E_SIGN;
            return DVL_JSON_ON;
        }
        return digit_to(scan, byte, DVL_JSON_E_DIGITS);
    case DVL_JSON_E_SIGN:
        return digit_to(scan, byte, DVL_JSON_E_DIGITS);
    case DVL_JSON_ZERO:
    case DVL_JSON_DIGITS:
    case DVL_JSON_FRACTION:
    case DVL_JSON_E_DIGITS:
        return number(scan, byte);
    case DVL_JSON_VALUE:
    case DVL_JSON_VALUE_OR_END:
    case DVL_JSON_NAME:
    case DVL_JSON_NAME_OR_END:
    case DVL_JSON_COLON:
    case DVL_JSON_AFTER:
    case DVL_JSON_DONE:
        break;
    }
    return structure(scan, byte);
}

bool dvl_json_scan_end(struct dvl_json_scan *scan)
{
    if (scan->state == DVL_JSON_STRING) {
        expect(scan, "the closing '\"' of a string is expected");
        return false;
    }
    /* No state goes on with a NUL: it ends a number, or says what is missing. */
    dvl_json_scan_byte(scan, '\0');
    return scan->state == DVL_JSON_DONE;
}

enum dvl_status dvl_json_scan_report(const struct dvl_json_scan *scan, int byte, const char *name,
                                     struct dvl_error *error)
{
    char shown[DVL_SHOW_SIZE];
    if (!scan->problem_names_byte)
        return dvl_report(error, name, scan->line, "%s", scan->problem);
    return dvl_report(error, name, scan->line, "%s, not %s", scan->problem, dvl_show_byte(shown, byte));
}
