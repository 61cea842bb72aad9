/* The last step of an answer: rows → CSV. A field with a comma, a quote, a line
 * end, or blanks at its ends is quoted; lines end with CR LF. */
#include "csv.h"

#include "json.h"

#include <string.h>

static bool needs_quotes(const char *text, size_t length)
{
    if (length == 0)
        return false;
    if (text[0] == ' ' || text[length - 1] == ' ')
        return true;
    for (size_t i = 0; i < length; i++)
        if (memchr(",\"\r\n", text[i], 4))
            return true;
    return false;
}

void dvl_csv_write_field(struct dvl_buffer *out, const char *text, size_t length)
{
    if (!needs_quotes(text, length)) {
        dvl_buffer_add(out, text, length);
        return;
    }
    dvl_buffer_char(out, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            dvl_buffer_char(out, '"');
        dvl_buffer_char(out, text[i]);
    }
    dvl_buffer_char(out, '"');
}

static void write_value(struct dvl_buffer *out, const struct dvl_value *value)
{
    switch (value->kind) {
    case DVL_VALUE_NULL:
        break;
    case DVL_VALUE_BOOL:
        dvl_buffer_text(out, value->truth ? "true" : "false");
        break;
    case DVL_VALUE_NUMBER:
    case DVL_VALUE_STRING:
        dvl_csv_write_field(out, value->text, value->length);
        break;
    case DVL_VALUE_LIST:
    case DVL_VALUE_MAP: {
        struct dvl_buffer json;
        dvl_buffer_init(&json);
        dvl_json_write(&json, value);
        dvl_csv_write_field(out, json.text ? json.text : "", json.length);
        out->failed = out->failed || json.failed;
        dvl_buffer_clear(&json);
        break;
    }
    }
}

void dvl_csv_write_header(struct dvl_buffer *out, const struct dvl_value *row)
{
    for (const struct dvl_value *child = row->first; child; child = child->next) {
        if (child != row->first)
            dvl_buffer_char(out, ',');
        dvl_csv_write_field(out, child->key, strlen(child->key));
    }
    dvl_buffer_text(out, "\r\n");
}

void dvl_csv_write_row(struct dvl_buffer *out, const struct dvl_value *row)
{
    for (const struct dvl_value *child = row->first; child; child = child->next) {
        if (child != row->first)
            dvl_buffer_char(out, ',');
        write_value(out, child);
    }
    dvl_buffer_text(out, "\r\n");
}
