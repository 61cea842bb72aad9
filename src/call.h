/* The open ledger and one call on its way: what a verb, and everything that it
 * does below, works with. */
#ifndef DVL_CALL_H
#define DVL_CALL_H

#include "backend/backend.h"
#include "store/store.h"

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
    int64_t config_ids[2];      /* scheduler, devices; -1: not read yet */
    const char *config_sums[2]; /* SHA-256 of their texts; NULL: the defaults */
};

/* One call on its way. */
struct dvl_call {
    struct dvl_ledger *ledger;
    struct dvl_store *store;
    const struct dvl_value *request; /* a map */
    struct dvl_value *answer;        /* a map: the handler adds members */
    struct dvl_arena *arena;         /* lives as long as the answer */
    /* Microseconds. `clock` is the request's "now", else the system's clock; `now`
     * is the same, but never earlier than the last event: rows and events carry
     * `now`, terms of locks and reservations are judged by `clock`. */
    int64_t now, clock;
    bool now_given;
    dvl_row_function *row; /* rows verbs: where rows go; NULL: collected under "items" */
    void *row_context;
    struct dvl_error *error;
};

/* Reads the configuration in force unless it is the one at hand; inside the
 * transaction. */
enum dvl_status dvl_ledger_config(struct dvl_ledger *ledger, struct dvl_error *error);

/* In transactions of its own: writes the tables that are derived from the
 * configuration unless they were ever written, so that a new database holds
 * the defaults before anything was applied. */
enum dvl_status dvl_ledger_prepare(struct dvl_ledger *ledger, struct dvl_error *error);

/* A transaction of the call's own: `begin` also settles the call's time (never
 * behind the last event), reads the configuration and, when writing, ends
 * reservations whose time is over. `end` keeps what was done when `status` is
 * DVL_OK, else undoes it and answers that status. */
enum dvl_status dvl_call_begin(struct dvl_call *call, enum dvl_access access);
enum dvl_status dvl_call_end(struct dvl_call *call, enum dvl_status status);

/* Appends an event with the call's time, actor and command. */
enum dvl_status dvl_call_event(struct dvl_call *call, const char *kind, const char *node, const char *pod,
                               const char *device, const struct dvl_value *detail);

#endif
