/* What the parts of the store share: the connection to the file, and the
 * transactions that are open on it. Only src/store includes this. */
#ifndef DVL_STORE_CONNECTION_H
#define DVL_STORE_CONNECTION_H

#include "../model.h"
#include "hash.h"
#include "store.h"
#include "turnstile.h"

#include <sqlite3.h>
#include <sys/types.h>

/* "dvl1": marks our files, in PRAGMA application_id. */
enum { DVL_APPLICATION_ID = 0x64766c31 };

/* How long a reader waits for what holds readers up (a recovery, a change of
 * the journal's kind): it is short, so this is no knob. */
enum { DVL_READER_WAIT_MS = 5000 };

enum { DVL_LEVEL_MOST = 16 };

/* One open transaction or savepoint. */
struct dvl_level {
    enum dvl_access access;
};

struct dvl_outer;

struct dvl_store {
    sqlite3 *db; /* NULL after a failure, until the next begin opens it again */
    char *path;  /* resolved; ":memory:" */
    bool memory, read_only, create;
    enum dvl_durability durability;
    int wait_ms;
    pid_t process;                   /* who opened it: a forked child must not use it */
    struct dvl_turnstile *turnstile; /* NULL: no writer, ":memory:", or no lock files and a sound SQLite */

    struct dvl_statement *statements[DVL_QUERY_COUNT + 1]; /* prepared so far */

    struct dvl_level levels[DVL_LEVEL_MOST];
    int depth;
    bool lost;         /* the database rolled back by itself; nothing that is open can be kept */
    bool starved;      /* memory was out when a column was read: what was read as null may be none */
    bool wrote;        /* something was committed: worth a checkpoint at close */
    int64_t changes;   /* sqlite3_total_changes64 when the write transaction began */
    int64_t event_seq; /* last event of this write transaction; 0: none yet */
    unsigned char event_hash[DVL_HASH_SIZE];
    struct dvl_hasher *hasher; /* made when first needed */
    struct dvl_outer *outer;   /* the batch's transaction; NULL: none */
};

/* ---- connection.c ---- */

/* The status of a result code of SQLite's, with SQLite's own sentence. */
enum dvl_status dvl_sqlite_error(struct dvl_store *store, int code, const char *what, struct dvl_error *error);
/* BEGIN, COMMIT, PRAGMA …: text without rows. */
enum dvl_status dvl_sqlite_run(struct dvl_store *store, const char *text, struct dvl_error *error);
/* One number from a PRAGMA. */
enum dvl_status dvl_sqlite_number(struct dvl_store *store, const char *text, int64_t *out, struct dvl_error *error);
/* Opens the connection on store->path: pragmas, functions, no schema work. */
enum dvl_status dvl_connection_open(struct dvl_store *store, struct dvl_error *error);
/* Finalizes the statements and closes the connection. */
void dvl_connection_close(struct dvl_store *store);
/* Copies the WAL into the file, under the turnstile, as far as readers allow
 * it; DVL_BUSY when that is not as far as `mode` (SQLITE_CHECKPOINT_…) wants,
 * or when the turn did not come within wait_ms. */
enum dvl_status dvl_store_checkpoint(struct dvl_store *store, int mode, int wait_ms, struct dvl_error *error);

/* ---- file.c ---- */

/* The path with links and dots resolved; the last part need not exist. */
enum dvl_status dvl_file_resolve(const char *path, char **out, struct dvl_error *error);
/* Looks without opening: DVL_NOT_FOUND, DVL_UNSUPPORTED for what is no file. */
enum dvl_status dvl_file_check(const char *path, struct dvl_error *error);
/* An empty file of mode 0600 beside `path`, under a name that nobody has; the
 * name is the caller's. */
enum dvl_status dvl_file_draft(const char *path, char **out, struct dvl_error *error);
/* An empty file of mode 0600, unless one is there. Never opens one that is. */
enum dvl_status dvl_file_create(const char *path, struct dvl_error *error);
/* Gives a finished file its name; DVL_CONFLICT when the name is taken. */
enum dvl_status dvl_file_publish(const char *from, const char *to, struct dvl_error *error);
/* Makes the names in the folder of `path` durable. */
enum dvl_status dvl_file_sync_folder(const char *path, struct dvl_error *error);

/* ---- migrate.c ---- */

/* Brings the schema up to date; writes nothing when it is. */
enum dvl_status dvl_migrate(struct dvl_store *store, struct dvl_error *error);

/* ---- functions.c ---- */

/* Registers what triggers call: devledger_library_only, devledger_event_hash. */
int dvl_functions_register(struct dvl_store *store);

/* ---- statement.c ---- */

void dvl_statements_clear(struct dvl_store *store); /* finalizes all */
/* Ends the walks that began at this depth or deeper; answers how many. */
int dvl_statements_end(struct dvl_store *store, int depth);
/* A value for one column of the row that `raw` stands on. */
struct dvl_value *dvl_column_value(sqlite3_stmt *raw, int column, struct dvl_arena *arena);

/* ---- outer.c ---- */

/* Marks the begin and end of a call inside the outer transaction. */
enum dvl_status dvl_outer_enter(struct dvl_store *store, struct dvl_error *error);
enum dvl_status dvl_outer_leave(struct dvl_store *store, struct dvl_error *error);
/* False when a call may not touch the database now. */
bool dvl_outer_is_entered(const struct dvl_store *store);

/* ---- transaction.c ---- */

/* Rolls back all that is open and gives the turn back; depth stays. */
void dvl_transaction_abandon(struct dvl_store *store);
/* Begins the outermost transaction. */
enum dvl_status dvl_transaction_begin(struct dvl_store *store, enum dvl_access access, int wait_ms,
                                      struct dvl_error *error);
/* Ends it, whatever savepoints are open. */
enum dvl_status dvl_transaction_end(struct dvl_store *store, bool keep, struct dvl_error *error);

#endif
