/* One verb: parse its request, run one transaction, fill the answer.
 *
 * The table in verb.c is the list of everything that can be asked; the batch
 * protocol and the command line both come through here. */
#ifndef DVL_VERB_VERB_H
#define DVL_VERB_VERB_H

#include "../call.h"

typedef enum dvl_status dvl_verb_function(struct dvl_call *call);

enum dvl_verb_access {
    DVL_VERB_READ,  /* the driver opens a read transaction around the handler */
    DVL_VERB_WRITE, /* … a write transaction, kept when the handler answers DVL_OK */
    DVL_VERB_OWN,   /* the handler sees to it (filter reads first and may write; begin, commit, backup) */
};

struct dvl_verb {
    const char *name;
    enum dvl_verb_access access;
    const char *const *members; /* names that a request may have beside op, id, now; ends with NULL */
    dvl_verb_function *run;
};

extern const struct dvl_verb dvl_verbs[]; /* ends with a NULL name */

/* ---- For handlers ---- */

/* Strict members of the request: text, bool; DVL_BAD_INPUT names the member
 * when it has another type. Missing: NULL / `otherwise`. */
enum dvl_status dvl_request_text(struct dvl_call *call, const char *name, const char **out);
enum dvl_status dvl_request_bool(struct dvl_call *call, const char *name, bool otherwise, bool *out);

#endif
