/* The connection to the file: how it is set up, and what SQLite's answers
 * mean. Nothing here knows the schema. */
#include "connection.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The WAL file keeps this size at most once its frames are in the database. */
#define WAL_KEEP_BYTES "16777216"
#define CACHE_KIB "-16384"

/* A constraint, a trigger: the schema's own sentence. */
static enum dvl_status constraint_error(struct dvl_store *store, int code, const char *what, struct dvl_error *error)
{
    const char *sentence = sqlite3_errmsg(store->db);
    /* What is bound as JSON was written by our own printer, and is valid; but
     * json_valid() of SQLite 3.40 says no when memory is out, to a CHECK and
     * to a trigger ("bounds: … a JSON object …"). */
    if (strstr(sentence, "json_valid(") || strstr(sentence, "JSON"))
        return dvl_error_memory(error);
    if (code == SQLITE_CONSTRAINT_TRIGGER)
        return dvl_error_set(error, DVL_CONFLICT, "%s", sentence);
    return dvl_error_set(error, DVL_CONFLICT, "%s: %s", what, sentence);
}

static enum dvl_status status_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_OK:
        return DVL_OK;
    case SQLITE_NOMEM:
        return DVL_NO_MEMORY;
    case SQLITE_CONSTRAINT:
        return DVL_CONFLICT;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return DVL_BUSY;
    case SQLITE_READONLY:
    case SQLITE_AUTH:
    case SQLITE_PERM:
        return DVL_FORBIDDEN;
    case SQLITE_TOOBIG:
        return DVL_BAD_INPUT;
    case SQLITE_NOTADB:
        return DVL_UNSUPPORTED;
    default: /* not an enumeration: all other codes are the database's trouble */
        return DVL_DATABASE;
    }
}

enum dvl_status dvl_sqlite_error(struct dvl_store *store, int code, const char *what, struct dvl_error *error)
{
    enum dvl_status status = status_of(code);
    if (status == DVL_OK)
        return DVL_OK;
    if (status == DVL_NO_MEMORY)
        return dvl_error_memory(error);
    if (status == DVL_CONFLICT)
        return constraint_error(store, code, what, error);
    if (status == DVL_BUSY)
        return dvl_error_set(error, status, "%s: another program holds the database", what);
    if (status == DVL_UNSUPPORTED)
        return dvl_error_set(error, status, "%s is not a database", store->path);
    const char *sentence = sqlite3_errmsg(store->db);
    int system = store->db ? sqlite3_system_errno(store->db) : 0;
    if ((code & 0xff) == SQLITE_CANTOPEN && (system == EACCES || system == EPERM || system == EROFS))
        status = DVL_FORBIDDEN;
    if (system != 0 && ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN))
        return dvl_error_set(error, status, "%s: %s: %s", what, sentence, strerror(system));
    return dvl_error_set(error, status, "%s: %s", what, sentence);
}

enum dvl_status dvl_sqlite_run(struct dvl_store *store, const char *text, struct dvl_error *error)
{
    return dvl_sqlite_error(store, sqlite3_exec(store->db, text, NULL, NULL, NULL), text, error);
}

enum dvl_status dvl_sqlite_number(struct dvl_store *store, const char *text, int64_t *out, struct dvl_error *error)
{
    sqlite3_stmt *raw = NULL;
    int code = sqlite3_prepare_v2(store->db, text, -1, &raw, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(raw);
    if (code == SQLITE_ROW) {
        *out = sqlite3_column_int64(raw, 0);
        code = SQLITE_OK;
    }
    enum dvl_status status = code == SQLITE_DONE ? dvl_error_set(error, DVL_DATABASE, "%s: no answer", text)
                                                 : dvl_sqlite_error(store, code, text, error);
    sqlite3_finalize(raw);
    return status;
}

/* What may be set before the first byte of the file is read. */
static int configure(struct dvl_store *store)
{
    static const struct {
        int option, value;
    } settings[] = {
        {SQLITE_DBCONFIG_ENABLE_FKEY, 1},      {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1}, /* its CHECKs and views use JSON, which 3.40 holds unsafe otherwise */
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 1},   {SQLITE_DBCONFIG_ENABLE_VIEW, 1},
        {SQLITE_DBCONFIG_DQS_DML, 0},          {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1}, /* the closing checkpoint is ours,
                                                  under the turnstile */
    };
    int code = sqlite3_extended_result_codes(store->db, 1);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && code == SQLITE_OK; i++)
        code = sqlite3_db_config(store->db, settings[i].option, settings[i].value, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_busy_timeout(store->db, DVL_READER_WAIT_MS);
    if (code == SQLITE_OK)
        code = dvl_functions_register(store);
    return code;
}

/* The file's first bytes, through SQLite's own descriptor: nothing is locked,
 * created or rolled back for it. */
static enum dvl_status check_header(struct dvl_store *store, struct dvl_error *error)
{
    unsigned char header[100];
    sqlite3_file *file = NULL;
    sqlite3_int64 size = 0;
    int code = sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code == SQLITE_OK && file && file->pMethods)
        code = file->pMethods->xFileSize(file, &size);
    if (code != SQLITE_OK || !file || !file->pMethods)
        return dvl_sqlite_error(store, code != SQLITE_OK ? code : SQLITE_CANTOPEN, store->path, error);
    if (size == 0)
        return DVL_OK; /* just born */
    if (size < (sqlite3_int64)sizeof header)
        return dvl_error_set(error, DVL_UNSUPPORTED, "%s is not a database", store->path);
    code = file->pMethods->xRead(file, header, sizeof header, 0);
    if (code != SQLITE_OK)
        return dvl_sqlite_error(store, code, store->path, error);
    if (memcmp(header, "SQLite format 3", 16) != 0)
        return dvl_error_set(error, DVL_UNSUPPORTED, "%s is not a database", store->path);
    uint32_t id = (uint32_t)header[68] << 24 | (uint32_t)header[69] << 16 | (uint32_t)header[70] << 8 | header[71];
    if (id != DVL_APPLICATION_ID)
        return dvl_error_set(error, DVL_UNSUPPORTED, "%s is a database of another program (application id %u)",
                             store->path, id);
    return DVL_OK;
}

static enum dvl_status set_pragmas(struct dvl_store *store, struct dvl_error *error)
{
    static const char *const texts[] = {
        "PRAGMA temp_store = MEMORY",
        "PRAGMA cache_size = " CACHE_KIB,
        "PRAGMA cell_size_check = ON",
        "PRAGMA journal_size_limit = " WAL_KEEP_BYTES,
    };
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && code == SQLITE_OK; i++)
        code = sqlite3_exec(store->db, texts[i], NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(store->db,
                            store->durability == DVL_DURABILITY_FULL ? "PRAGMA synchronous = FULL"
                                                                     : "PRAGMA synchronous = NORMAL",
                            NULL, NULL, NULL);
    if (store->read_only && ((code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY))
        return dvl_error_set(error, DVL_FORBIDDEN,
                             "%s can't be read: its -wal and -shm files are missing and can't be made in its folder; "
                             "copy it elsewhere, or read a file that `backup` made",
                             store->path);
    return dvl_sqlite_error(store, code, store->path, error);
}

/* SQLite opens a file that it may not write read-only, without an error. */
static enum dvl_status check_writable(struct dvl_store *store, struct dvl_error *error)
{
    if (store->read_only || sqlite3_db_readonly(store->db, "main") == 0)
        return DVL_OK;
    return dvl_error_set(error, DVL_FORBIDDEN, "%s may not be written by this user", store->path);
}

enum dvl_status dvl_connection_open(struct dvl_store *store, struct dvl_error *error)
{
    enum dvl_status status;
    int persist = 1;
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW |
                (store->memory      ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
                 : store->read_only ? SQLITE_OPEN_READONLY
                                    : SQLITE_OPEN_READWRITE);
    int code = sqlite3_open_v2(store->path, &store->db, flags, NULL);
    if (code == SQLITE_OK)
        code = configure(store);
    if (code != SQLITE_OK) {
        status = dvl_sqlite_error(store, code, store->path, error);
        goto out;
    }
    status = store->memory ? DVL_OK : check_header(store, error);
    if (status == DVL_OK)
        status = check_writable(store, error);
    if (status == DVL_OK)
        status = set_pragmas(store, error);
    if (status == DVL_OK && !store->memory)
        (void)sqlite3_file_control(store->db, "main", SQLITE_FCNTL_PERSIST_WAL, &persist);
out:
    if (status != DVL_OK)
        dvl_connection_close(store);
    return status;
}

void dvl_connection_close(struct dvl_store *store)
{
    dvl_statements_clear(store);
    sqlite3_close(store->db);
    store->db = NULL;
}

enum dvl_status dvl_store_checkpoint(struct dvl_store *store, int mode, int wait_ms, struct dvl_error *error)
{
    bool enter = store->turnstile && store->depth == 0;
    if (enter) {
        enum dvl_status status = dvl_turnstile_enter(store->turnstile, wait_ms, error);
        if (status != DVL_OK)
            return status;
    }
    (void)sqlite3_busy_timeout(store->db, 0); /* a long reader must not hold writers up */
    int code = sqlite3_wal_checkpoint_v2(store->db, "main", mode, NULL, NULL);
    enum dvl_status status = dvl_sqlite_error(store, code, "checkpoint", error);
    (void)sqlite3_busy_timeout(store->db, DVL_READER_WAIT_MS);
    if (enter)
        dvl_turnstile_leave(store->turnstile);
    return status;
}
