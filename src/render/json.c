/* The last step of an answer: value → JSON text. The rule is that the output
 * reads back as JSON whatever is in the value. */
#include "json.h"

#include "utf8.h"

#include <string.h>

/* Indent of compact output. */
enum { COMPACT = -1 };

static void write_escape(struct dvl_buffer *out, uint32_t character)
{
    static const char shorts[] = "\bb\ff\nn\rr\tt\"\"\\\\";
    for (const char *pair = shorts; *pair; pair += 2) {
        if ((uint8_t)*pair == character) {
            const char escape[2] = {'\\', pair[1]};
            dvl_buffer_add(out, escape, sizeof escape);
            return;
        }
    }
    if (character > 0xffff) /* as JSON has it: two halves */
        dvl_buffer_format(out, "\\u%04x", (unsigned)(0xd7c0 + (character >> 10)));
    dvl_buffer_format(out, "\\u%04x", (unsigned)(character > 0xffff ? 0xdc00 + (character & 0x3ff) : character));
}

static bool is_plain(char byte)
{
    return (uint8_t)byte >= 0x20 && (uint8_t)byte < 0x7f && byte != '"' && byte != '\\';
}

void dvl_json_write_text(struct dvl_buffer *out, const char *text, size_t length)
{
    dvl_buffer_char(out, '"');
    for (size_t at = 0; at < length;) {
        size_t run = at;
        while (run < length && is_plain(text[run]))
            run++;
        dvl_buffer_add(out, text + at, run - at);
        at = run;
        if (at == length)
            break;
        uint32_t character;
        size_t size = dvl_utf8_read(text + at, length - at, &character);
        if (size == 0)
            dvl_buffer_text(out, "\xef\xbf\xbd");
        else if (size == 1 || dvl_utf8_is_unsafe(character))
            write_escape(out, character);
        else
            dvl_buffer_add(out, text + at, size);
        at += size ? size : 1;
    }
    dvl_buffer_char(out, '"');
}

static size_t digits(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

bool dvl_json_is_number(const char *text, size_t length)
{
    size_t at = length && text[0] == '-' ? 1 : 0;
    size_t end = digits(text, length, at);
    if (end == at || (text[at] == '0' && end > at + 1))
        return false;
    at = end;
    if (at < length && text[at] == '.') {
        end = digits(text, length, at + 1);
        if (end == at + 1)
            return false;
        at = end;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (at < length && (text[at] == '+' || text[at] == '-'))
            at++;
        end = digits(text, length, at);
        if (end == at)
            return false;
        at = end;
    }
    return at == length;
}

static void new_line(struct dvl_buffer *out, int indent)
{
    if (indent == COMPACT)
        return;
    dvl_buffer_char(out, '\n');
    for (int i = 0; i < indent; i++)
        dvl_buffer_text(out, "  ");
}

static void write_value(struct dvl_buffer *out, const struct dvl_value *value, int indent);

static void write_children(struct dvl_buffer *out, const struct dvl_value *value, int indent)
{
    bool map = value->kind == DVL_VALUE_MAP;
    int inner = indent == COMPACT ? COMPACT : indent + 1;
    dvl_buffer_char(out, map ? '{' : '[');
    for (const struct dvl_value *child = value->first; child && !out->failed; child = child->next) {
        if (child != value->first)
            dvl_buffer_char(out, ',');
        new_line(out, inner);
        if (map) {
            dvl_json_write_text(out, child->key, strlen(child->key));
            dvl_buffer_text(out, indent == COMPACT ? ":" : ": ");
        }
        write_value(out, child, inner);
    }
    if (value->first)
        new_line(out, indent);
    dvl_buffer_char(out, map ? '}' : ']');
}

static void write_value(struct dvl_buffer *out, const struct dvl_value *value, int indent)
{
    switch (value ? value->kind : DVL_VALUE_NULL) {
    case DVL_VALUE_NULL:
        dvl_buffer_text(out, "null");
        break;
    case DVL_VALUE_BOOL:
        dvl_buffer_text(out, value->truth ? "true" : "false");
        break;
    case DVL_VALUE_NUMBER:
        if (dvl_json_is_number(value->text, value->length))
            dvl_buffer_add(out, value->text, value->length);
        else
            dvl_json_write_text(out, value->text, value->length);
        break;
    case DVL_VALUE_STRING:
        dvl_json_write_text(out, value->text, value->length);
        break;
    case DVL_VALUE_LIST:
    case DVL_VALUE_MAP:
        write_children(out, value, indent);
        break;
    }
}

void dvl_json_write(struct dvl_buffer *out, const struct dvl_value *value)
{
    write_value(out, value, COMPACT);
}

void dvl_json_write_pretty(struct dvl_buffer *out, const struct dvl_value *value, int indent)
{
    write_value(out, value, indent);
}
