/* Opening and closing a store: the file, the turnstile, the connection and the
 * schema, in this order. The rule: a file that is not ours, or newer than we
 * are, is refused before anything is written to it. */
#include "connection.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* SQLite's WAL-reset race (sqlite.org/wal.html): two connections that write or
 * checkpoint at the same time can damage the file. */
static bool has_wal_race(int version)
{
    if (version >= 3051003)
        return false;
    return !(version >= 3050007 && version < 3051000) && !(version >= 3044006 && version < 3045000);
}

static enum dvl_status open_turnstile(struct dvl_store *store, struct dvl_error *error)
{
    struct dvl_error problem;
    enum dvl_status status = dvl_turnstile_open(store->path, &store->turnstile, &problem);
    if (status == DVL_OK)
        return DVL_OK;
    if (status == DVL_FORBIDDEN && !has_wal_race(sqlite3_libversion_number()))
        return DVL_OK; /* SQLite's own lock then has to do */
    if (status != DVL_FORBIDDEN)
        return dvl_error_set(error, status, "%s", problem.message);
    return dvl_error_set(error, DVL_FORBIDDEN,
                         "%s; without it SQLite %s may damage the file when two processes write, so writing is refused",
                         problem.message, sqlite3_libversion());
}

static enum dvl_status find_file(struct dvl_store *store, const struct dvl_store_options *options,
                                 struct dvl_error *error)
{
    enum dvl_status status = dvl_file_resolve(options->path, &store->path, error);
    if (status != DVL_OK)
        return status;
    status = dvl_file_check(store->path, error);
    if (status == DVL_NOT_FOUND && options->create && !options->read_only) {
        dvl_error_clear(error);
        status = dvl_file_create(store->path, error);
    }
    return status;
}

static enum dvl_status open_store(struct dvl_store *store, const struct dvl_store_options *options,
                                  struct dvl_error *error)
{
    enum dvl_status status = DVL_OK;
    if (store->memory) {
        store->path = strdup(options->path);
        status = store->path ? DVL_OK : dvl_error_memory(error);
    } else {
        status = find_file(store, options, error);
    }
    if (status == DVL_OK)
        status = dvl_connection_open(store, error);
    if (status == DVL_OK && !store->memory && !store->read_only)
        status = open_turnstile(store, error);
    if (status == DVL_OK)
        status = dvl_migrate(store, error);
    return status;
}

enum dvl_status dvl_store_open(const struct dvl_store_options *options, struct dvl_store **out, struct dvl_error *error)
{
    *out = NULL;
    if (!options->path || *options->path == '\0')
        return dvl_error_set(error, DVL_BAD_INPUT, "the path of the ledger is empty");
    struct dvl_store *store = calloc(1, sizeof *store);
    if (!store)
        return dvl_error_memory(error);
    store->memory = strcmp(options->path, ":memory:") == 0;
    store->read_only = options->read_only && !store->memory;
    store->create = options->create && !store->read_only;
    store->durability = options->durability;
    store->wait_ms = options->wait_ms > 0 ? options->wait_ms : 0;
    store->process = getpid();
    enum dvl_status status = open_store(store, options, error);
    if (status == DVL_OK)
        *out = store;
    else
        dvl_store_close(store);
    return status;
}

/* Not worth waiting for: who writes just now does it when he closes. It must
 * empty the WAL, not only copy it: how much was copied is forgotten when the
 * last process goes, and the next one would begin from the start again. */
static void closing_checkpoint(struct dvl_store *store)
{
    if (store->db && store->wrote && !store->memory)
        (void)dvl_store_checkpoint(store, SQLITE_CHECKPOINT_TRUNCATE, 0, NULL);
}

void dvl_store_close(struct dvl_store *store)
{
    if (!store)
        return;
    /* In a forked child the file's locks are the parent's: only our memory goes. */
    if (store->process == getpid()) {
        if (store->outer)
            (void)dvl_store_outer_end(store, false, NULL);
        if (store->depth > 0)
            (void)dvl_transaction_end(store, false, NULL);
        closing_checkpoint(store);
        dvl_connection_close(store);
        dvl_turnstile_close(store->turnstile);
    }
    dvl_hasher_free(store->hasher);
    free(store->path);
    free(store);
}

bool dvl_store_is_read_only(const struct dvl_store *store)
{
    return store->read_only;
}

const char *dvl_store_path(const struct dvl_store *store)
{
    return store->path;
}
