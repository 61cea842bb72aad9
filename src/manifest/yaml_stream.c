/* A stream of YAML documents → pieces. A document's own members gather in an
 * arena of the stream's, because items come by between them. */
#include "manifest.h"
#include "stream.h"
#include "yaml_events.h"

#include <stdlib.h>
#include <string.h>

enum place {
    BETWEEN,  /* documents */
    DOCUMENT, /* in its own members */
    ITEMS,    /* in its list of items, between two */
};

struct yaml_stream {
    struct dvl_yaml yaml;
    struct dvl_envelope envelope;
    enum place place;
    struct dvl_arena arena;
    struct dvl_value *document; /* the map, in `arena` */
};

static enum dvl_status end_document(struct yaml_stream *stream, struct dvl_value *value, struct dvl_piece *out,
                                    struct dvl_error *error)
{
    *out = (struct dvl_piece){.kind = DVL_PIECE_DOCUMENT, .value = value, .line = value->line};
    stream->place = BETWEEN;
    return dvl_yaml_next(&stream->yaml, error); /* the document's end */
}

static enum dvl_status end_map(struct yaml_stream *stream, struct dvl_arena *arena, struct dvl_piece *out,
                               struct dvl_error *error)
{
    enum dvl_status status = dvl_tree_check_names(stream->document, stream->yaml.name, error);
    if (status != DVL_OK)
        return status;
    struct dvl_value *copy = dvl_value_copy(arena, stream->document);
    dvl_arena_reset(&stream->arena);
    stream->document = NULL;
    return copy ? end_document(stream, copy, out, error) : dvl_error_memory(error);
}

static enum dvl_status member(struct yaml_stream *stream, struct dvl_error *error)
{
    struct dvl_yaml *yaml = &stream->yaml;
    const char *key = NULL;
    struct dvl_value *value = NULL;
    enum dvl_status status = dvl_yaml_key(yaml, &stream->arena, &key, error);
    if (status == DVL_OK)
        status = dvl_yaml_next(yaml, error);
    if (status != DVL_OK)
        return status;
    bool split =
        yaml->event.type == YAML_SEQUENCE_START_EVENT && dvl_envelope_splits(&stream->envelope, dvl_span_of(key));
    status = split ? dvl_yaml_begin_nest(yaml, &stream->arena, &value, error)
                   : dvl_yaml_value(yaml, &stream->arena, &value, error);
    if (status != DVL_OK)
        return status;
    dvl_value_set(stream->document, key, value);
    if (split) {
        stream->envelope.split = true;
        stream->place = ITEMS;
    } else if (value->text) {
        struct dvl_span text = {.start = value->text, .length = value->length};
        dvl_envelope_note(&stream->envelope, dvl_span_of(key), text);
    }
    return DVL_OK;
}

/* A map is read member by member; anything else is no object, and said to be
 * none by who asks for one. */
static enum dvl_status begin_document(struct yaml_stream *stream, struct dvl_arena *arena, struct dvl_piece *out,
                                      struct dvl_error *error)
{
    struct dvl_yaml *yaml = &stream->yaml;
    struct dvl_value *value = NULL;
    stream->envelope = (struct dvl_envelope){0};
    dvl_arena_reset(&stream->arena);
    dvl_yaml_begin_object(yaml);
    enum dvl_status status = dvl_yaml_next(yaml, error);
    if (status != DVL_OK)
        return status;
    if (yaml->event.type == YAML_MAPPING_START_EVENT) {
        stream->place = DOCUMENT;
        return dvl_yaml_begin_nest(yaml, &stream->arena, &stream->document, error);
    }
    status = dvl_yaml_value(yaml, arena, &value, error);
    return status == DVL_OK ? end_document(stream, value, out, error) : status;
}

/* One step: `out` stays DVL_PIECE_END when no piece is whole yet. */
static enum dvl_status step(struct yaml_stream *stream, struct dvl_arena *arena, struct dvl_piece *out,
                            struct dvl_error *error)
{
    yaml_event_type_t type = stream->yaml.event.type;
    switch (stream->place) {
    case BETWEEN:
        return type == YAML_DOCUMENT_START_EVENT ? begin_document(stream, arena, out, error) : DVL_OK;
    case DOCUMENT:
        return type == YAML_MAPPING_END_EVENT ? end_map(stream, arena, out, error) : member(stream, error);
    case ITEMS:
        if (type == YAML_SEQUENCE_END_EVENT) {
            stream->place = DOCUMENT;
            return DVL_OK;
        }
        dvl_yaml_begin_object(&stream->yaml);
        *out = (struct dvl_piece){.kind = DVL_PIECE_ITEM, .line = dvl_yaml_line(&stream->yaml)};
        return dvl_yaml_value(&stream->yaml, arena, &out->value, error);
    }
    return DVL_OK;
}

static enum dvl_status yaml_next(void *state, struct dvl_arena *arena, struct dvl_piece *out, struct dvl_error *error)
{
    struct yaml_stream *stream = state;
    *out = (struct dvl_piece){.kind = DVL_PIECE_END};
    while (out->kind == DVL_PIECE_END) {
        enum dvl_status status = dvl_yaml_next(&stream->yaml, error);
        if (status != DVL_OK || stream->yaml.event.type == YAML_STREAM_END_EVENT)
            return status;
        status = step(stream, arena, out, error);
        if (status != DVL_OK)
            return status;
    }
    return DVL_OK;
}

static void yaml_close(void *state)
{
    struct yaml_stream *stream = state;
    if (!stream)
        return;
    dvl_yaml_close(&stream->yaml);
    dvl_arena_clear(&stream->arena);
    free(stream);
}

static enum dvl_status yaml_open(struct dvl_input *input, void **out, struct dvl_error *error)
{
    struct yaml_stream *stream = calloc(1, sizeof *stream);
    *out = stream;
    if (!stream)
        return dvl_error_memory(error);
    dvl_arena_init(&stream->arena, 0);
    return dvl_yaml_open(&stream->yaml, input, error);
}

static const struct dvl_envelope *yaml_envelope(const void *state)
{
    return &((const struct yaml_stream *)state)->envelope;
}

const struct dvl_stream_ops dvl_yaml_stream = {
    .open = yaml_open, .next = yaml_next, .envelope = yaml_envelope, .close = yaml_close};
