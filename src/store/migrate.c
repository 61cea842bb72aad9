/* The schema, brought up to date when a file is opened for writing.
 *
 * Numbered steps bring the tables from version to version; then the triggers
 * and views of today replace those that are there. All of it is one
 * transaction, so that no other program ever sees tables without their
 * triggers. A file that is up to date is not written. */
#include "connection.h"
#include "schema_text.h"

#include <stdio.h>

static enum dvl_status read_version(struct dvl_store *store, int *version, struct dvl_error *error)
{
    int64_t number = 0;
    enum dvl_status status = dvl_sqlite_number(store, "PRAGMA user_version", &number, error);
    *version = (int)number;
    return status;
}

static enum dvl_status write_version(struct dvl_store *store, int version, struct dvl_error *error)
{
    char text[48];
    (void)snprintf(text, sizeof text, "PRAGMA user_version = %d", version);
    return dvl_sqlite_run(store, text, error);
}

static enum dvl_status is_current(struct dvl_store *store, bool *current, struct dvl_error *error)
{
    struct dvl_statement *statement;
    bool row = false;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DEFINITION_IS_CURRENT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "digest", dvl_definition_digest);
    status = dvl_statement_step(statement, &row, error);
    *current = status == DVL_OK && row && dvl_column_int(statement, "current") != 0;
    dvl_statement_done(statement);
    return status;
}

static enum dvl_status newer_error(struct dvl_store *store, int version, struct dvl_error *error)
{
    return dvl_error_set(error, DVL_UNSUPPORTED,
                         "%s has schema version %d, and this program knows up to %d: a newer devledger wrote it",
                         store->path, version, dvl_migration_count);
}

/* One script for all of them: dropping while the list is read would cut it short. */
static enum dvl_status collect_drops(struct dvl_store *store, struct dvl_buffer *script, struct dvl_error *error)
{
    struct dvl_statement *statement;
    bool row = true;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DEFINITION_DROPS, &statement, error);
    if (status != DVL_OK)
        return status;
    while ((status = dvl_statement_step(statement, &row, error)) == DVL_OK && row) {
        dvl_buffer_text(script, dvl_column_text(statement, "statement"));
        dvl_buffer_text(script, ";\n");
    }
    return status == DVL_OK && script->failed ? dvl_error_memory(error) : status;
}

static enum dvl_status run_script(struct dvl_store *store, const char *script, const char *what,
                                  struct dvl_error *error)
{
    return dvl_sqlite_error(store, sqlite3_exec(store->db, script, NULL, NULL, NULL), what, error);
}

static enum dvl_status drop_definitions(struct dvl_store *store, struct dvl_error *error)
{
    struct dvl_buffer script;
    dvl_buffer_init(&script);
    enum dvl_status status = collect_drops(store, &script, error);
    if (status == DVL_OK)
        status = run_script(store, script.text, "dropping triggers and views", error);
    dvl_buffer_clear(&script);
    return status;
}

static enum dvl_status run_steps(struct dvl_store *store, int version, struct dvl_error *error)
{
    enum dvl_status status = DVL_OK;
    for (; version < dvl_migration_count && status == DVL_OK; version++) {
        char what[48];
        (void)snprintf(what, sizeof what, "schema version %d", version + 1);
        status = run_script(store, dvl_migrations[version], what, error);
        if (status == DVL_OK)
            status = write_version(store, version + 1, error);
    }
    return status;
}

static enum dvl_status check_references(struct dvl_store *store, struct dvl_error *error)
{
    sqlite3_stmt *raw = NULL;
    int code = sqlite3_prepare_v2(store->db, "PRAGMA foreign_key_check", -1, &raw, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(raw);
    sqlite3_finalize(raw);
    if (code == SQLITE_ROW)
        return dvl_error_set(error, DVL_DATABASE, "the new schema would leave references to rows that are not there");
    return code == SQLITE_DONE ? DVL_OK : dvl_sqlite_error(store, code, "PRAGMA foreign_key_check", error);
}

static enum dvl_status replace_all(struct dvl_store *store, int version, struct dvl_error *error)
{
    enum dvl_status status = version > 0 ? drop_definitions(store, error) : DVL_OK;
    bool check = version > 0 && version < dvl_migration_count;
    if (status == DVL_OK)
        status = run_steps(store, version, error);
    if (status == DVL_OK && check)
        status = check_references(store, error);
    if (status == DVL_OK)
        status = run_script(store, dvl_triggers_text, "triggers", error);
    if (status == DVL_OK)
        status = run_script(store, dvl_views_text, "views", error);
    return status;
}

/* Under the turnstile: what was true a moment ago may be done by now. */
static enum dvl_status update(struct dvl_store *store, struct dvl_error *error)
{
    int version;
    bool current = false;
    /* A step may rebuild a table that others refer to; this can't be switched
     * inside a transaction. */
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
    enum dvl_status status = dvl_transaction_begin(store, DVL_WRITE, store->wait_ms, error);
    if (status != DVL_OK)
        goto out;
    status = read_version(store, &version, error);
    if (status == DVL_OK && version > dvl_migration_count)
        status = newer_error(store, version, error);
    if (status == DVL_OK)
        status = is_current(store, &current, error);
    if (status == DVL_OK && (version < dvl_migration_count || !current))
        status = replace_all(store, version, error);
    store->wrote = true;
    if (status == DVL_OK)
        status = dvl_transaction_end(store, true, error);
    else
        (void)dvl_transaction_end(store, false, NULL);
out:
    if (store->db)
        (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    return status;
}

static enum dvl_status make_wal(struct dvl_store *store, struct dvl_error *error)
{
    sqlite3_stmt *raw = NULL;
    int code = sqlite3_prepare_v2(store->db, "PRAGMA journal_mode = WAL", -1, &raw, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(raw);
    bool wal = code == SQLITE_ROW && sqlite3_stricmp((const char *)sqlite3_column_text(raw, 0), "wal") == 0;
    sqlite3_finalize(raw);
    if (wal)
        return DVL_OK;
    if (code == SQLITE_ROW)
        return dvl_error_set(error, DVL_DATABASE, "%s can't keep a write-ahead log on its file system", store->path);
    return dvl_sqlite_error(store, code, "PRAGMA journal_mode = WAL", error);
}

/* The mark goes into the file's first page before there is a WAL, so that the
 * page itself tells whose file it is. */
static enum dvl_status mark_new_file(struct dvl_store *store, struct dvl_error *error)
{
    int64_t pages = 0, id = 0;
    char text[48];
    enum dvl_status status = dvl_sqlite_number(store, "PRAGMA page_count", &pages, error);
    if (status == DVL_OK)
        status = dvl_sqlite_number(store, "PRAGMA application_id", &id, error);
    if (status != DVL_OK || id == DVL_APPLICATION_ID)
        return status;
    if (pages > 0)
        return dvl_error_set(error, DVL_UNSUPPORTED, "%s is a database of another program (application id %lld)",
                             store->path, (long long)id);
    (void)snprintf(text, sizeof text, "PRAGMA application_id = %d", DVL_APPLICATION_ID);
    return dvl_sqlite_run(store, text, error);
}

static enum dvl_status prepare_file(struct dvl_store *store, struct dvl_error *error)
{
    enum dvl_status status = store->turnstile ? dvl_turnstile_enter(store->turnstile, store->wait_ms, error) : DVL_OK;
    if (status != DVL_OK)
        return status;
    status = mark_new_file(store, error);
    if (status == DVL_OK && !store->memory)
        status = make_wal(store, error);
    if (store->turnstile)
        dvl_turnstile_leave(store->turnstile);
    return status;
}

/* "wal" or another word. */
static enum dvl_status is_wal(struct dvl_store *store, bool *wal, struct dvl_error *error)
{
    sqlite3_stmt *raw = NULL;
    int code = sqlite3_prepare_v2(store->db, "PRAGMA journal_mode", -1, &raw, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(raw);
    *wal = code == SQLITE_ROW && sqlite3_stricmp((const char *)sqlite3_column_text(raw, 0), "wal") == 0;
    enum dvl_status status = code == SQLITE_ROW ? DVL_OK : dvl_sqlite_error(store, code, "PRAGMA journal_mode", error);
    sqlite3_finalize(raw);
    return status;
}

static enum dvl_status check_version(struct dvl_store *store, int version, struct dvl_error *error)
{
    if (version > dvl_migration_count)
        return newer_error(store, version, error);
    if (version == 0 && !store->create && !store->memory)
        return dvl_error_set(error, DVL_NOT_FOUND, "there is no ledger at %s yet", store->path);
    if (store->read_only && version < dvl_migration_count)
        return dvl_error_set(error, DVL_UNSUPPORTED,
                             "%s has schema version %d, and this program reads %d: open it once for writing "
                             "(`devledger init`)",
                             store->path, version, dvl_migration_count);
    return DVL_OK;
}

enum dvl_status dvl_migrate(struct dvl_store *store, struct dvl_error *error)
{
    int version = 0;
    bool current = false, wal = false;
    enum dvl_status status = read_version(store, &version, error);
    if (status != DVL_OK)
        return status;
    status = check_version(store, version, error);
    if (status != DVL_OK || store->read_only)
        return status;
    if (!store->memory)
        status = is_wal(store, &wal, error);
    if (status == DVL_OK && (version == 0 || (!wal && !store->memory)))
        status = prepare_file(store, error);
    if (status == DVL_OK && version == dvl_migration_count)
        status = is_current(store, &current, error);
    if (status == DVL_OK && !current)
        status = update(store, error);
    return status;
}
