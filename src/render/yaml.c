/* The last step of an answer: value → YAML text. Like kubectl's: two blanks a
 * level, items of a list at the level of the key that holds them. The rule is
 * that the output reads back as the value that went in, so whatever is not
 * plainly a word is quoted. */
#include "yaml.h"

#include "json.h"
#include "utf8.h"

#include <string.h>
#include <strings.h>

/* libyaml takes a key on one line only up to 1024 bytes; longer ones need the
 * form with a question mark. */
enum { SHORT_KEY = 128 };

static bool is_keyword(const char *text)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* A word that begins with a letter can be no number, no date and no sign of
 * YAML's own, whichever version reads it. */
static bool is_plain(const char *text, size_t length)
{
    if (length == 0 || strlen(text) != length || !(is_letter(text[0]) || text[0] == '/' || text[0] == '_'))
        return false;
    for (size_t i = 0; i < length; i++) {
        char byte = text[i];
        bool inner = i + 1 < length;
        if (is_letter(byte) || (byte >= '0' && byte <= '9') || strchr("_-./+=@%()", byte))
            continue;
        if (byte == ' ' && inner && text[i + 1] != '#')
            continue;
        if ((byte == ':' && inner && text[i + 1] != ' ') || (byte == ',' && inner))
            continue;
        return false;
    }
    return !is_keyword(text);
}

static void write_escape(struct dvl_buffer *out, uint32_t character)
{
    switch (character) {
    case '\n':
        dvl_buffer_text(out, "\\n");
        return;
    case '\t':
        dvl_buffer_text(out, "\\t");
        return;
    case '\r':
        dvl_buffer_text(out, "\\r");
        return;
    }
    if (character <= 0xff)
        dvl_buffer_format(out, "\\x%02x", (unsigned)character);
    else if (character <= 0xffff)
        dvl_buffer_format(out, "\\u%04x", (unsigned)character);
    else
        dvl_buffer_format(out, "\\U%08x", (unsigned)character);
}

static void write_quoted(struct dvl_buffer *out, const char *text, size_t length)
{
    dvl_buffer_char(out, '"');
    for (size_t at = 0; at < length;) {
        uint32_t character;
        size_t size = dvl_utf8_read(text + at, length - at, &character);
        if (size == 0) {
            dvl_buffer_text(out, "\xef\xbf\xbd");
            at++;
            continue;
        }
        if (character == '"' || character == '\\')
            dvl_buffer_char(out, '\\');
        if (!dvl_utf8_is_unsafe(character))
            dvl_buffer_add(out, text + at, size);
        else
            write_escape(out, character);
        at += size;
    }
    dvl_buffer_char(out, '"');
}

/* Lines of printable text, none of which begins or ends in a way that a block
 * would have to explain. */
static bool is_block(const char *text, size_t length)
{
    if (!memchr(text, '\n', length) || text[0] == '\n' || text[0] == ' ' || text[0] == '\t')
        return false;
    for (size_t at = 0; at < length;) {
        uint32_t character;
        size_t size = dvl_utf8_read(text + at, length - at, &character);
        if (size == 0 || (dvl_utf8_is_unsafe(character) && character != '\n' && character != '\t'))
            return false;
        at += size;
    }
    return true;
}

static void indent_by(struct dvl_buffer *out, int indent)
{
    for (int i = 0; i < indent; i++)
        dvl_buffer_text(out, "  ");
}

static void write_block(struct dvl_buffer *out, const char *text, size_t length, int indent)
{
    bool ends = text[length - 1] == '\n';
    bool more = ends && length > 1 && text[length - 2] == '\n';
    dvl_buffer_text(out, more ? "|+\n" : ends ? "|\n" : "|-\n");
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        size_t line = end ? (size_t)(end - text) : length;
        if (line > 0)
            indent_by(out, indent);
        dvl_buffer_add(out, text, line);
        dvl_buffer_char(out, '\n');
        size_t taken = end ? line + 1 : line;
        text += taken;
        length -= taken;
    }
}

/* YAML 1.1 takes 1e+300 for a text: its numbers with an exponent have a point. */
static void write_number(struct dvl_buffer *out, const char *text)
{
    size_t whole = strcspn(text, ".eE");
    dvl_buffer_add(out, text, whole);
    if (text[whole] == 'e' || text[whole] == 'E')
        dvl_buffer_text(out, ".0");
    dvl_buffer_text(out, text + whole);
}

static void write_scalar(struct dvl_buffer *out, const struct dvl_value *value, int indent)
{
    enum dvl_value_kind kind = value ? value->kind : DVL_VALUE_NULL;
    if (kind == DVL_VALUE_STRING && is_block(value->text, value->length)) {
        write_block(out, value->text, value->length, indent);
        return;
    }
    if (kind == DVL_VALUE_STRING && is_plain(value->text, value->length))
        dvl_buffer_add(out, value->text, value->length);
    else if (kind == DVL_VALUE_STRING)
        write_quoted(out, value->text, value->length);
    else if (kind == DVL_VALUE_NUMBER && dvl_json_is_number(value->text, value->length))
        write_number(out, value->text);
    else
        dvl_json_write(out, value);
    dvl_buffer_char(out, '\n');
}

static bool has_children(const struct dvl_value *value)
{
    return value && (value->kind == DVL_VALUE_LIST || value->kind == DVL_VALUE_MAP) && value->first;
}

static void write_children(struct dvl_buffer *out, const struct dvl_value *value, int indent, bool indented);

static void write_key(struct dvl_buffer *out, const char *key, int indent)
{
    size_t length = strlen(key);
    bool plain = is_plain(key, length);
    if (length > SHORT_KEY)
        dvl_buffer_text(out, "? ");
    if (plain)
        dvl_buffer_add(out, key, length);
    else
        write_quoted(out, key, length);
    if (length > SHORT_KEY) {
        dvl_buffer_char(out, '\n');
        indent_by(out, indent);
    }
    dvl_buffer_char(out, ':');
}

static void write_member(struct dvl_buffer *out, const struct dvl_value *child, int indent)
{
    write_key(out, child->key, indent);
    if (!has_children(child)) {
        dvl_buffer_char(out, ' ');
        write_scalar(out, child, indent + 1);
        return;
    }
    dvl_buffer_char(out, '\n');
    bool level = child->kind == DVL_VALUE_LIST && strlen(child->key) <= SHORT_KEY;
    write_children(out, child, level ? indent : indent + 1, false);
}

static void write_item(struct dvl_buffer *out, const struct dvl_value *child, int indent)
{
    dvl_buffer_text(out, "- ");
    if (has_children(child))
        write_children(out, child, indent + 1, true);
    else
        write_scalar(out, child, indent + 1);
}

/* `indented`: the first line's indent is there already. */
static void write_children(struct dvl_buffer *out, const struct dvl_value *value, int indent, bool indented)
{
    for (const struct dvl_value *child = value->first; child && !out->failed; child = child->next) {
        if (!indented)
            indent_by(out, indent);
        indented = false;
        if (value->kind == DVL_VALUE_MAP)
            write_member(out, child, indent);
        else
            write_item(out, child, indent);
    }
}

void dvl_yaml_write(struct dvl_buffer *out, const struct dvl_value *value)
{
    if (has_children(value))
        write_children(out, value, 0, false);
    else
        write_scalar(out, value, 1);
}

void dvl_yaml_write_item(struct dvl_buffer *out, const struct dvl_value *value)
{
    write_item(out, value, 0);
}
