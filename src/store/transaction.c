/* Transactions: one snapshot for readers, the writer's turn for writers,
 * savepoints within. The rule of ledger and batch alike: after end() nothing
 * of that level is open, whatever it answers, and a COMMIT that fails is
 * looked up, because it is not a no: a frame whose sync failed may well be in
 * the file. */
#include "connection.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

static bool is_writing(const struct dvl_store *store)
{
    return store->depth > 0 && store->levels[0].access == DVL_WRITE;
}

static void leave_turnstile(struct dvl_store *store)
{
    if (store->turnstile)
        dvl_turnstile_leave(store->turnstile);
}

/* ---- The outermost level ---- */

static enum dvl_status check_handle(struct dvl_store *store, struct dvl_error *error)
{
    if (store->process != getpid())
        return dvl_error_set(error, DVL_DATABASE, "a ledger must be opened in the process that uses it");
    if (store->db)
        return DVL_OK;
    if (store->memory)
        return dvl_error_set(error, DVL_DATABASE, "the ledger in memory is lost");
    return dvl_connection_open(store, error);
}

/* Under our feet the file may have been moved or removed: what is written then
 * is nowhere. */
static enum dvl_status check_in_place(struct dvl_store *store, struct dvl_error *error)
{
    int moved = 0;
    int code = sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (code == SQLITE_OK && moved)
        return dvl_error_set(error, DVL_DATABASE, "%s was moved or removed while it was open", store->path);
    return DVL_OK;
}

static enum dvl_status begin_write(struct dvl_store *store, int wait_ms, struct dvl_error *error)
{
    if (store->read_only)
        return dvl_error_set(error, DVL_FORBIDDEN, "%s was opened for reading only", store->path);
    enum dvl_status status = store->turnstile ? dvl_turnstile_enter(store->turnstile, wait_ms, error) : DVL_OK;
    if (status != DVL_OK)
        return status;
    if (!store->memory)
        status = check_in_place(store, error);
    if (status == DVL_OK) {
        /* Ours wait at the turnstile: this is for a stock shell that writes. */
        (void)sqlite3_busy_timeout(store->db, wait_ms);
        status = dvl_sqlite_run(store, "BEGIN IMMEDIATE", error);
        (void)sqlite3_busy_timeout(store->db, DVL_READER_WAIT_MS);
    }
    if (status != DVL_OK)
        leave_turnstile(store);
    store->changes = store->db ? sqlite3_total_changes64(store->db) : 0;
    store->event_seq = 0;
    return status;
}

enum dvl_status dvl_transaction_begin(struct dvl_store *store, enum dvl_access access, int wait_ms,
                                      struct dvl_error *error)
{
    enum dvl_status status = check_handle(store, error);
    if (status != DVL_OK)
        return status;
    status = access == DVL_WRITE ? begin_write(store, wait_ms, error) : dvl_sqlite_run(store, "BEGIN", error);
    if (status != DVL_OK)
        return status;
    store->lost = store->starved = false;
    store->levels[0] = (struct dvl_level){.access = access};
    store->depth = 1;
    return DVL_OK;
}

/* Ends what is open, in whatever state: a connection that can't even roll back
 * is given up. */
static void roll_back(struct dvl_store *store)
{
    if (!store->db || sqlite3_get_autocommit(store->db))
        return;
    if (sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL) != SQLITE_OK && !sqlite3_get_autocommit(store->db) &&
        !store->memory)
        dvl_connection_close(store);
}

void dvl_transaction_abandon(struct dvl_store *store)
{
    (void)dvl_statements_end(store, 0);
    roll_back(store);
    if (is_writing(store))
        leave_turnstile(store);
}

/* ---- The three outcomes of a commit ---- */

/* The last event of the transaction is in the file. */
static enum dvl_status look_for_event(struct dvl_store *store, bool *found, struct dvl_error *error)
{
    struct dvl_statement *statement;
    bool row = false;
    *found = false;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_EVENT_HASH_AT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "seq", store->event_seq);
    status = dvl_statement_step(statement, &row, error);
    if (status == DVL_OK && row) {
        size_t length = 0;
        const void *hash = dvl_column_blob(statement, "hash", &length);
        *found = length == DVL_HASH_SIZE && memcmp(hash, store->event_hash, DVL_HASH_SIZE) == 0;
    }
    dvl_statement_done(statement);
    return status;
}

/* Makes what was seen final. Done: its pages go into the database file, where
 * they are synced again, since a sync that failed once says nothing later. Not
 * done: a frame that nobody sees may still lie in the WAL, and a recovery
 * would find it; writing over it ends that. */
static enum dvl_status make_final(struct dvl_store *store, bool found, struct dvl_error *error)
{
    if (found)
        return dvl_sqlite_error(store, sqlite3_wal_checkpoint_v2(store->db, "main", SQLITE_CHECKPOINT_FULL, NULL, NULL),
                                "checkpoint", error);
    int64_t version;
    enum dvl_status status = dvl_sqlite_number(store, "PRAGMA user_version", &version, error);
    char *text = status == DVL_OK ? sqlite3_mprintf("PRAGMA user_version = %lld", (long long)version) : NULL;
    if (status == DVL_OK)
        status = text ? dvl_sqlite_run(store, text, error) : dvl_error_memory(error);
    sqlite3_free(text);
    return status;
}

/* Still under the turnstile, so that nobody of ours writes in between. */
static enum dvl_status look_up_outcome(struct dvl_store *store, const struct dvl_error *reason, struct dvl_error *error)
{
    struct dvl_error problem;
    bool found = false;
    dvl_connection_close(store);
    dvl_error_clear(&problem);
    enum dvl_status status = dvl_connection_open(store, &problem);
    if (status == DVL_OK && store->event_seq == 0)
        status = dvl_error_set(&problem, DVL_DATABASE, "it left no event to look for");
    if (status == DVL_OK)
        status = look_for_event(store, &found, &problem);
    if (status == DVL_OK)
        status = make_final(store, found, &problem);
    if (status != DVL_OK)
        return dvl_error_set(error, DVL_DATABASE, "the outcome of the commit is unknown (%s): %s", reason->message,
                             problem.message);
    if (found)
        return DVL_OK;
    return dvl_error_set(error, reason->status, "nothing was written: %s", reason->message);
}

static enum dvl_status commit(struct dvl_store *store, struct dvl_error *error)
{
    struct dvl_error reason;
    if (store->lost || !store->db || sqlite3_get_autocommit(store->db))
        return dvl_error_set(error, DVL_DATABASE, "the database rolled the transaction back; nothing was written");
    bool empty = sqlite3_total_changes64(store->db) == store->changes;
    dvl_error_clear(&reason);
    enum dvl_status status = dvl_sqlite_run(store, "COMMIT", &reason);
    if (status == DVL_OK) {
        store->wrote = store->wrote || !empty;
        return DVL_OK;
    }
    bool open = !sqlite3_get_autocommit(store->db); /* it did not come to writing */
    roll_back(store);
    if (empty)
        return DVL_OK;
    if (open || store->memory)
        return dvl_error_set(error, status, "%s", reason.message);
    return look_up_outcome(store, &reason, error);
}

/* ---- Levels ---- */

static enum dvl_status begin_savepoint(struct dvl_store *store, enum dvl_access access, struct dvl_error *error)
{
    if (store->lost || !store->db || sqlite3_get_autocommit(store->db))
        return dvl_error_set(error, DVL_DATABASE, "the database rolled the transaction back");
    if (access == DVL_WRITE && !is_writing(store))
        return dvl_error_set(error, DVL_DATABASE, "a write inside a read transaction");
    if (store->depth == DVL_LEVEL_MOST)
        return dvl_error_set(error, DVL_DATABASE, "too many savepoints inside each other");
    enum dvl_status status = dvl_sqlite_run(store, "SAVEPOINT level", error);
    if (status == DVL_OK)
        store->levels[store->depth++] = (struct dvl_level){.access = access};
    return status;
}

/* What was decided on columns that could not be read must not be kept. */
static enum dvl_status take_starving(struct dvl_store *store, bool *keep, struct dvl_error *error)
{
    enum dvl_status status = store->starved && *keep ? dvl_error_memory(error) : DVL_OK;
    *keep = *keep && !store->starved;
    store->starved = false;
    return status;
}

static enum dvl_status end_savepoint(struct dvl_store *store, bool keep, struct dvl_error *error)
{
    store->depth--;
    if (store->lost || !store->db || sqlite3_get_autocommit(store->db)) {
        store->lost = true;
        return keep ? dvl_error_set(error, DVL_DATABASE, "the database rolled the transaction back") : DVL_OK;
    }
    enum dvl_status status = DVL_OK;
    if (!keep)
        status = dvl_sqlite_run(store, "ROLLBACK TO level", error);
    if (status == DVL_OK)
        status = dvl_sqlite_run(store, "RELEASE level", error);
    if (status != DVL_OK)
        store->lost = true; /* it can't be told apart any more: nothing of it may be kept */
    return status;
}

static enum dvl_status end_outermost(struct dvl_store *store, bool keep, struct dvl_error *error)
{
    enum dvl_status status = DVL_OK;
    bool writing = is_writing(store);
    if (keep && writing)
        status = commit(store, error);
    roll_back(store);
    if (writing)
        leave_turnstile(store);
    store->depth = 0;
    return status;
}

enum dvl_status dvl_store_begin(struct dvl_store *store, enum dvl_access access, struct dvl_error *error)
{
    bool entering = store->outer && !dvl_outer_is_entered(store);
    enum dvl_status status = entering ? dvl_outer_enter(store, error) : DVL_OK;
    if (status != DVL_OK)
        return status;
    if (store->depth == 0)
        return dvl_transaction_begin(store, access, store->wait_ms, error);
    status = begin_savepoint(store, access, error);
    if (status != DVL_OK && entering)
        (void)dvl_outer_leave(store, NULL);
    return status;
}

enum dvl_status dvl_store_end(struct dvl_store *store, bool keep, struct dvl_error *error)
{
    if (store->depth == 0 || (store->outer && !dvl_outer_is_entered(store)))
        return dvl_error_set(error, DVL_DATABASE, "there is no transaction to end");
    /* A walk that was begun and not ended is a defect of the caller. */
    int walks = dvl_statements_end(store, store->depth);
    assert(!keep || walks == 0);
    (void)walks;
    enum dvl_status starving = take_starving(store, &keep, error);
    if (store->depth == 1) {
        enum dvl_status ended = end_outermost(store, keep, error);
        return starving != DVL_OK ? starving : ended;
    }
    enum dvl_status status = end_savepoint(store, keep, error);
    if (starving != DVL_OK)
        status = starving;
    if (store->outer && store->depth == 1) {
        struct dvl_error late;
        if (dvl_outer_leave(store, &late) != DVL_OK && status == DVL_OK)
            status = dvl_error_set(error, late.status, "%s", late.message);
    }
    return status;
}

enum dvl_status dvl_transaction_end(struct dvl_store *store, bool keep, struct dvl_error *error)
{
    (void)dvl_statements_end(store, 0);
    return end_outermost(store, keep, error);
}

int dvl_store_depth(const struct dvl_store *store)
{
    return store->depth;
}
