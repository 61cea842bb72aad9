/* A stream of JSON objects → pieces.
 *
 * Every byte goes through the scan, which says where maps and lists open and
 * close; by that the bytes are put aside: those of a list's items one item at
 * a time, those of everything else as the document. What was put aside is
 * sound when it is whole, and is built into values at once. */
#include "json.h"
#include "json_scan.h"
#include "manifest.h"
#include "stream.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum place {
    BETWEEN,  /* documents */
    DOCUMENT, /* in its own members */
    ITEMS,    /* in its list of items, between two */
    ITEM,
};

struct json_stream {
    struct dvl_input *input;
    struct dvl_json_scan scan;
    struct dvl_envelope envelope;
    enum place place;
    struct dvl_buffer document, item;
    int document_line, item_line, items_line;
    size_t gap; /* in `document`: the ] of the emptied list */
    int gap_lines;
    size_t string_start;          /* in `document`: first byte of the string that is open */
    size_t key_start, key_length; /* in `document`: the last name at the top */
};

static enum dvl_status put_aside(struct json_stream *stream, struct dvl_buffer *buffer, int byte,
                                 struct dvl_error *error)
{
    if (buffer->length == DVL_ITEM_SIZE_MAX)
        return dvl_report(error, stream->input->name, stream->scan.line, "one object is larger than 16 MiB");
    if (buffer->length + 1 < buffer->capacity) {
        buffer->text[buffer->length++] = (char)byte;
        return DVL_OK;
    }
    dvl_buffer_char(buffer, (char)byte);
    return buffer->failed ? dvl_error_memory(error) : DVL_OK;
}

/* ---- A document's own members ---- */

static struct dvl_span key_of(const struct json_stream *stream)
{
    return (struct dvl_span){.start = stream->document.text + stream->key_start, .length = stream->key_length};
}

static void end_name(struct json_stream *stream)
{
    stream->key_start = stream->string_start;
    stream->key_length = stream->document.length - 1 - stream->string_start;
}

/* A kind with escapes in it is not looked at here; the document's value has it. */
static void end_text(struct json_stream *stream)
{
    struct dvl_span text = {.start = stream->document.text + stream->string_start,
                            .length = stream->document.length - 1 - stream->string_start};
    if (!memchr(text.start, '\\', text.length))
        dvl_envelope_note(&stream->envelope, key_of(stream), text);
}

static void open_in_document(struct json_stream *stream, int byte)
{
    if (stream->scan.depth != 2 || byte != '[' || !dvl_envelope_splits(&stream->envelope, key_of(stream)))
        return;
    stream->envelope.split = true;
    stream->items_line = stream->scan.line;
    stream->place = ITEMS;
}

static enum dvl_status in_document(struct json_stream *stream, enum dvl_json_mark mark, int byte,
                                   struct dvl_error *error)
{
    enum dvl_status status = put_aside(stream, &stream->document, byte, error);
    if (status != DVL_OK)
        return status;
    if (mark == DVL_JSON_OPEN)
        open_in_document(stream, byte);
    else if (mark == DVL_JSON_NAMED && stream->scan.depth == 1)
        end_name(stream);
    else if (mark == DVL_JSON_TEXT && stream->scan.depth == 1)
        end_text(stream);
    else if (mark == DVL_JSON_CLOSE && stream->scan.depth == 0)
        stream->place = BETWEEN;
    return DVL_OK;
}

/* ---- Items ---- */

static enum dvl_status between_items(struct json_stream *stream, enum dvl_json_mark mark, int byte,
                                     struct dvl_error *error)
{
    if (mark == DVL_JSON_OPEN && byte == '{') {
        stream->place = ITEM;
        stream->item_line = stream->scan.line;
        stream->scan.values = 1;
        dvl_buffer_reset(&stream->item);
        return put_aside(stream, &stream->item, byte, error);
    }
    if (mark == DVL_JSON_CLOSE) {
        stream->place = DOCUMENT;
        stream->gap = stream->document.length;
        stream->gap_lines = stream->scan.line - stream->items_line;
        return put_aside(stream, &stream->document, byte, error);
    }
    if (strchr(" \t\r\n,", byte))
        return DVL_OK;
    char shown[DVL_SHOW_SIZE];
    return dvl_report(error, stream->input->name, stream->scan.line, "an item of the list must be an object, not %s",
                      dvl_show_byte(shown, byte));
}

static enum dvl_status in_item(struct json_stream *stream, enum dvl_json_mark mark, int byte, struct dvl_error *error)
{
    if (mark == DVL_JSON_CLOSE && stream->scan.depth == 2)
        stream->place = ITEMS;
    return put_aside(stream, &stream->item, byte, error);
}

/* ---- The stream ---- */

static enum dvl_status begin_document(struct json_stream *stream, int byte, struct dvl_error *error)
{
    int line = stream->scan.line;
    char shown[DVL_SHOW_SIZE];
    if (byte != '{')
        return dvl_report(error, stream->input->name, line, "an object is expected, not %s",
                          dvl_show_byte(shown, byte));
    dvl_json_scan_init(&stream->scan, DVL_ITEM_VALUES_MAX);
    stream->scan.line = line;
    stream->document_line = line;
    stream->envelope = (struct dvl_envelope){0};
    stream->gap = 0;
    stream->key_start = stream->key_length = 0;
    stream->place = DOCUMENT;
    dvl_buffer_reset(&stream->document);
    return DVL_OK;
}

static bool in_string(enum dvl_json_state state)
{
    return state == DVL_JSON_STRING || state == DVL_JSON_ESCAPE || state == DVL_JSON_HEX;
}

static enum dvl_status take(struct json_stream *stream, int byte, struct dvl_error *error)
{
    enum dvl_json_state before = stream->scan.state;
    enum dvl_json_mark mark = dvl_json_scan_byte(&stream->scan, (unsigned char)byte);
    if (mark == DVL_JSON_BAD)
        return dvl_json_scan_report(&stream->scan, byte, stream->input->name, error);
    if (stream->place == ITEM)
        return in_item(stream, mark, byte, error);
    if (stream->place == ITEMS)
        return between_items(stream, mark, byte, error);
    if (stream->scan.state == DVL_JSON_STRING && !in_string(before))
        stream->string_start = stream->document.length + 1;
    return in_document(stream, mark, byte, error);
}

static enum dvl_status build(struct json_stream *stream, struct dvl_arena *arena, enum dvl_piece_kind kind,
                             struct dvl_piece *out, struct dvl_error *error)
{
    bool item = kind == DVL_PIECE_ITEM;
    const struct dvl_buffer *buffer = item ? &stream->item : &stream->document;
    struct dvl_json_text text = {.start = buffer->text,
                                 .length = buffer->length,
                                 .name = stream->input->name,
                                 .line = item ? stream->item_line : stream->document_line,
                                 .gap = item ? 0 : stream->gap,
                                 .gap_lines = stream->gap_lines};
    *out = (struct dvl_piece){.kind = kind, .line = text.line};
    return dvl_json_build(arena, &text, &out->value, error);
}

static enum dvl_status end(struct json_stream *stream, struct dvl_piece *out, struct dvl_error *error)
{
    enum dvl_status status = dvl_input_end(stream->input, error);
    *out = (struct dvl_piece){.kind = DVL_PIECE_END};
    if (status != DVL_OK || stream->place == BETWEEN)
        return status;
    dvl_json_scan_end(&stream->scan);
    return dvl_json_scan_report(&stream->scan, EOF, stream->input->name, error);
}

static enum dvl_status json_next(void *state, struct dvl_arena *arena, struct dvl_piece *out, struct dvl_error *error)
{
    struct json_stream *stream = state;
    for (;;) {
        int byte = dvl_input_byte(stream->input);
        if (byte == EOF)
            return end(stream, out, error);
        enum place before = stream->place;
        enum dvl_status status = DVL_OK;
        if (before == BETWEEN) {
            if (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n') {
                stream->scan.line += byte == '\n' && stream->scan.line < INT_MAX;
                continue;
            }
            status = begin_document(stream, byte, error);
        }
        if (status == DVL_OK)
            status = take(stream, byte, error);
        if (status != DVL_OK)
            return status;
        if (before == ITEM && stream->place == ITEMS)
            return build(stream, arena, DVL_PIECE_ITEM, out, error);
        if (before == DOCUMENT && stream->place == BETWEEN)
            return build(stream, arena, DVL_PIECE_DOCUMENT, out, error);
    }
}

static enum dvl_status json_open(struct dvl_input *input, void **out, struct dvl_error *error)
{
    struct json_stream *stream = calloc(1, sizeof *stream);
    *out = stream;
    if (!stream)
        return dvl_error_memory(error);
    stream->input = input;
    dvl_json_scan_init(&stream->scan, DVL_ITEM_VALUES_MAX);
    stream->scan.line = input->line;
    dvl_buffer_init(&stream->document);
    dvl_buffer_init(&stream->item);
    return DVL_OK;
}

static const struct dvl_envelope *json_envelope(const void *state)
{
    return &((const struct json_stream *)state)->envelope;
}

static void json_close(void *state)
{
    struct json_stream *stream = state;
    if (!stream)
        return;
    dvl_buffer_clear(&stream->document);
    dvl_buffer_clear(&stream->item);
    free(stream);
}

const struct dvl_stream_ops dvl_json_stream = {
    .open = json_open, .next = json_next, .envelope = json_envelope, .close = json_close};
