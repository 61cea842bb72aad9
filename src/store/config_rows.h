/* Rows of the configuration: accepted texts, and the tables that are derived
 * from the one in force so that SQL can join them. */
#ifndef DVL_STORE_CONFIG_ROWS_H
#define DVL_STORE_CONFIG_ROWS_H

#include "../backend/backend.h"
#include "store.h"

struct dvl_config_row {
    int64_t id; /* 0: no such row */
    const char *text, *sha256;
    int64_t applied_at;
};

/* The one in force of a kind ("scheduler", "devices"). */
enum dvl_status dvl_config_newest(struct dvl_store *store, struct dvl_arena *arena, const char *kind,
                                  struct dvl_config_row *out, struct dvl_error *error);
/* The same without its text: to tell whether it is the one at hand. */
enum dvl_status dvl_config_mark(struct dvl_store *store, struct dvl_arena *arena, const char *kind,
                                struct dvl_config_row *out, struct dvl_error *error);
enum dvl_status dvl_config_insert(struct dvl_store *store, int64_t now, const char *kind, const char *text,
                                  const char *sha256, struct dvl_error *error);

/* Writes vnpu_template, mig_geometry and backend_resource anew. */
enum dvl_status dvl_config_derive(struct dvl_store *store, const struct dvl_config *config,
                                  const struct dvl_backends *backends, struct dvl_error *error);

/* Whether they were ever written: a new database has none. */
enum dvl_status dvl_config_is_derived(struct dvl_store *store, bool *out, struct dvl_error *error);

#endif
