/* What the JSON and the YAML stream hand to manifest.c: the items of a list as
 * they come by, and documents. A list's own members (kind, metadata) come as
 * its document, after its items, with `items` left empty. */
#ifndef DVL_MANIFEST_STREAM_H
#define DVL_MANIFEST_STREAM_H

#include "input.h"
#include "tree.h"

enum dvl_piece_kind { DVL_PIECE_END, DVL_PIECE_ITEM, DVL_PIECE_DOCUMENT };

enum { DVL_ENVELOPE_TEXT_SIZE = 256 };

/* A document's kind and apiVersion, as soon as they came by; "" until then. */
struct dvl_envelope {
    char kind[DVL_ENVELOPE_TEXT_SIZE];
    char version[DVL_ENVELOPE_TEXT_SIZE];
    bool split; /* the items of this document come as pieces of their own */
};

struct dvl_piece {
    enum dvl_piece_kind kind;
    struct dvl_value *value; /* in the arena that was given */
    int line;
};

/* A text that is too long to be a kind is left out. */
void dvl_envelope_note(struct dvl_envelope *envelope, struct dvl_span key, struct dvl_span text);
/* The list under this name is to be cut into pieces: it is the first `items`,
 * and the kind is a list's, or not known yet. */
bool dvl_envelope_splits(const struct dvl_envelope *envelope, struct dvl_span key);

struct dvl_stream_ops {
    enum dvl_status (*open)(struct dvl_input *input, void **out, struct dvl_error *error);
    enum dvl_status (*next)(void *stream, struct dvl_arena *arena, struct dvl_piece *out, struct dvl_error *error);
    const struct dvl_envelope *(*envelope)(const void *stream); /* of the current document */
    void (*close)(void *stream);
};

extern const struct dvl_stream_ops dvl_json_stream;
extern const struct dvl_stream_ops dvl_yaml_stream;

#endif
