/* A consistent copy while writers go on: one snapshot, copied page by page
 * into a draft that gets its name only when it is whole and on disk. The copy
 * keeps no WAL, so that it is one file, readable from anywhere. */
#include "connection.h"

#include <stdlib.h>
#include <unistd.h>

/* `to` is another connection than the store's; its sentence is the one to tell. */
static enum dvl_status copy_error(sqlite3 *to, int code, const char *path, struct dvl_error *error)
{
    if ((code & 0xff) == SQLITE_NOMEM)
        return dvl_error_memory(error);
    if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED)
        return dvl_error_set(error, DVL_BUSY, "%s can't be copied while another program holds the ledger", path);
    return dvl_error_set(error, DVL_DATABASE, "%s can't be written: %s", path, sqlite3_errmsg(to));
}

static int copy_pages(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup)
        return sqlite3_extended_errcode(to);
    int code = sqlite3_backup_step(backup, -1);
    int end = sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? end : code;
}

static enum dvl_status copy(struct dvl_store *store, const char *draft, const char *path, struct dvl_error *error)
{
    sqlite3 *to = NULL;
    int code = sqlite3_open_v2(draft, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL);
    if (code == SQLITE_OK)
        code = copy_pages(store->db, to);
    if (code == SQLITE_OK)
        code = sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    enum dvl_status status = code == SQLITE_OK ? DVL_OK : copy_error(to, code, path, error);
    sqlite3_close(to);
    return status;
}

static enum dvl_status copy_snapshot(struct dvl_store *store, const char *draft, const char *path,
                                     struct dvl_error *error)
{
    enum dvl_status status = dvl_store_begin(store, DVL_READ, error);
    if (status != DVL_OK)
        return status;
    status = copy(store, draft, path, error);
    (void)dvl_store_end(store, false, NULL);
    return status;
}

enum dvl_status dvl_store_backup(struct dvl_store *store, const char *path, struct dvl_error *error)
{
    char *resolved = NULL, *draft = NULL;
    if (store->depth > 0 && store->levels[0].access == DVL_WRITE)
        return dvl_error_set(error, DVL_CONFLICT, "no backup inside a write transaction");
    enum dvl_status status = dvl_file_resolve(path, &resolved, error);
    if (status != DVL_OK)
        goto out;
    if (access(resolved, F_OK) == 0) {
        status = dvl_error_set(error, DVL_CONFLICT, "%s is there already", resolved);
        goto out;
    }
    status = dvl_file_draft(resolved, &draft, error);
    if (status == DVL_OK)
        status = copy_snapshot(store, draft, resolved, error);
    if (status == DVL_OK)
        status = dvl_file_publish(draft, resolved, error);
    if (status == DVL_OK)
        status = dvl_file_sync_folder(resolved, error);
    else if (draft)
        (void)unlink(draft);
out:
    free(resolved);
    free(draft);
    return status;
}
