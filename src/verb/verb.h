/* One verb: parse its request, run one transaction, fill the answer.
 *
 * The table in verb.c is the list of everything that can be asked; the batch
 * protocol and the command line both come through here. */
#ifndef DVL_VERB_VERB_H
#define DVL_VERB_VERB_H

#include "../backend/backend.h"
#include "../store/store.h"

struct dvl_ledger {
    struct dvl_store *store;
    char *actor, *command;
    int64_t lock_term; /* microseconds */
    struct dvl_error error;

    /* The configuration in force, parsed; read anew when the config table's
     * newest ids are others than these (another process may have applied one). */
    struct dvl_arena config_arena;
    struct dvl_config config;
    struct dvl_backends backends;
    int64_t config_ids[2]; /* scheduler, devices; -1: not read yet */
};

/* One call on its way. */
struct dvl_call {
    struct dvl_ledger *ledger;
    struct dvl_store *store;
    const struct dvl_value *request; /* a map */
    struct dvl_value *answer;        /* a map: the handler adds members */
    struct dvl_arena *arena;         /* lives as long as the answer */
    int64_t now;                     /* microseconds: the request's "now", else the clock */
    bool now_given;
    dvl_row_function *row; /* rows verbs: where rows go; NULL: collected under "items" */
    void *row_context;
    struct dvl_error *error;
};

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

/* Reads the configuration in force unless it is the one at hand; inside the
 * transaction. */
enum dvl_status dvl_ledger_config(struct dvl_ledger *ledger, struct dvl_error *error);

/* Strict members of the request: text, bool; DVL_BAD_INPUT names the member
 * when it has another type. Missing: NULL / `otherwise`. */
enum dvl_status dvl_request_text(struct dvl_call *call, const char *name, const char **out);
enum dvl_status dvl_request_bool(struct dvl_call *call, const char *name, bool otherwise, bool *out);

/* Appends an event with the call's time, actor and command. */
enum dvl_status dvl_call_event(struct dvl_call *call, const char *kind, const char *node, const char *pod,
                               const char *device, const struct dvl_value *detail);

#endif
