/* A folder for one test, and the smallest whole change of a ledger. */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include "store/store.h"

struct scratch {
    char folder[64];
    char path[96]; /* of the ledger in it: <folder>/ledger.db */
};

/* In $TMPDIR, else /tmp. */
bool scratch_make(struct scratch *scratch);
/* Removes the folder and the files in it. */
void scratch_remove(const struct scratch *scratch);
/* <folder>/<name>, in a buffer that the next call overwrites. */
const char *scratch_file(const struct scratch *scratch, const char *name);

/* Opens for writing, making the file. */
enum dvl_status scratch_open(const char *path, struct dvl_store **out, struct dvl_error *error);
enum dvl_status scratch_open_read_only(const char *path, struct dvl_store **out, struct dvl_error *error);

/* One node and its event, in a transaction of its own: either both are there
 * or neither is. */
enum dvl_status scratch_write(struct dvl_store *store, const char *name, struct dvl_error *error);
/* The same without begin and end. */
enum dvl_status scratch_insert(struct dvl_store *store, const char *name, struct dvl_error *error);
enum dvl_status scratch_has_node(struct dvl_store *store, const char *name, bool *out, struct dvl_error *error);
/* How many nodes, how many events. */
enum dvl_status scratch_count(struct dvl_store *store, int64_t *nodes, int64_t *events, struct dvl_error *error);
/* How many problems `verify` finds; the first one's text is put into `error`.
 * -1 when it could not run. */
int scratch_problems(struct dvl_store *store, struct dvl_error *error);

#endif
