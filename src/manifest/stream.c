/* What a stream knows of the document that is coming by. */
#include "stream.h"

#include "objects.h"

#include <string.h>

void dvl_envelope_note(struct dvl_envelope *envelope, struct dvl_span key, struct dvl_span text)
{
    char *field = NULL;
    if (dvl_span_is(key, "kind"))
        field = envelope->kind;
    else if (dvl_span_is(key, "apiVersion"))
        field = envelope->version;
    if (!field || text.length >= DVL_ENVELOPE_TEXT_SIZE)
        return;
    memcpy(field, text.start, text.length);
    field[text.length] = '\0';
}

bool dvl_envelope_splits(const struct dvl_envelope *envelope, struct dvl_span key)
{
    return dvl_span_is(key, "items") && !envelope->split && (!envelope->kind[0] || dvl_kind_is_list(envelope->kind));
}
