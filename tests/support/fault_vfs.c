#include "fault_vfs.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fault_file {
    sqlite3_file base;
    char *path;
    sqlite3_file *real; /* behind this struct */
};

/* One write or truncation that no sync has followed yet. */
struct undo {
    struct undo *before;
    char *path;
    sqlite3_int64 offset, size_before;
    bool grew;  /* the file, by it */
    int length; /* of what the file had there */
    unsigned char *bytes;
};

static sqlite3_vfs shim;
static sqlite3_vfs *real_vfs;
static enum fault_kind armed;
static long left;
static bool struck, remembering;
static long linger;        /* microseconds */
static struct undo *undos; /* newest first */

/* ---- What may fail ---- */

/* True when this operation is the one to fail. */
static bool strikes(bool is_sync)
{
    if (armed == FAULT_NONE || (armed == FAULT_SYNC && !is_sync))
        return false;
    if (armed == FAULT_STOP && struck)
        return true;
    if (struck || --left > 0)
        return false;
    struck = true;
    return true;
}

void fault_vfs_arm(enum fault_kind kind, long after)
{
    armed = kind;
    left = after;
    struck = false;
}

void fault_vfs_disarm(void)
{
    armed = FAULT_NONE;
}

bool fault_vfs_struck(void)
{
    return struck;
}

void fault_vfs_linger(long microseconds)
{
    linger = microseconds;
}

/* ---- What power takes back ---- */

static void undo_free(struct undo *undo)
{
    free(undo->path);
    free(undo->bytes);
    free(undo);
}

static void remember(struct fault_file *file, sqlite3_int64 offset, sqlite3_int64 end)
{
    if (!remembering || !file->path)
        return;
    struct undo *undo = calloc(1, sizeof *undo);
    if (!undo)
        abort();
    undo->path = strdup(file->path);
    undo->offset = offset;
    if (file->real->pMethods->xFileSize(file->real, &undo->size_before) != SQLITE_OK)
        abort();
    undo->grew = end > undo->size_before;
    sqlite3_int64 known = end < undo->size_before ? end : undo->size_before;
    undo->length = known > offset ? (int)(known - offset) : 0;
    undo->bytes = malloc((size_t)undo->length + 1);
    if (!undo->bytes || !undo->path)
        abort();
    if (undo->length > 0 && file->real->pMethods->xRead(file->real, undo->bytes, undo->length, offset) != SQLITE_OK)
        abort();
    undo->before = undos;
    undos = undo;
}

static void forget(const char *path)
{
    for (struct undo **at = &undos; *at != NULL;) {
        struct undo *undo = *at;
        if (path && strcmp(undo->path, path) != 0) {
            at = &undo->before;
            continue;
        }
        *at = undo->before;
        undo_free(undo);
    }
}

void fault_vfs_remember(void)
{
    forget(NULL);
    remembering = true;
}

static bool take_back(const struct undo *undo)
{
    int file = open(undo->path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return true; /* it was deleted since */
    bool done =
        undo->length == 0 || pwrite(file, undo->bytes, (size_t)undo->length, (off_t)undo->offset) == undo->length;
    if (undo->grew)
        done = ftruncate(file, (off_t)undo->size_before) == 0 && done;
    close(file);
    return done;
}

bool fault_vfs_cut_power(unsigned number)
{
    bool done = true;
    remembering = false;
    for (struct undo *undo = undos; undo != NULL; undo = undo->before) {
        number = number == 0 ? 0 : number * 1103515245u + 12345u;
        if (number == 0 || (number >> 16 & 1) != 0)
            done = take_back(undo) && done;
    }
    forget(NULL);
    return done;
}

/* ---- The file ---- */

static struct fault_file *of(sqlite3_file *file)
{
    return (struct fault_file *)file;
}

static int fault_close(sqlite3_file *file)
{
    int code = of(file)->real->pMethods->xClose(of(file)->real);
    free(of(file)->path);
    of(file)->path = NULL;
    return code;
}

static int fault_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
    return of(file)->real->pMethods->xRead(of(file)->real, bytes, count, offset);
}

static int fault_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
    bool fail = strikes(false);
    if (fail && armed != FAULT_FULL)
        return SQLITE_IOERR_WRITE;
    remember(of(file), offset, offset + count);
    int code = of(file)->real->pMethods->xWrite(of(file)->real, bytes, fail ? count / 2 : count, offset);
    return fail ? SQLITE_FULL : code;
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    sqlite3_int64 before = 0;
    if (strikes(false))
        return SQLITE_IOERR_TRUNCATE;
    if (of(file)->real->pMethods->xFileSize(of(file)->real, &before) == SQLITE_OK)
        remember(of(file), size, before);
    return of(file)->real->pMethods->xTruncate(of(file)->real, size);
}

static int fault_sync(sqlite3_file *file, int flags)
{
    if (strikes(true))
        return SQLITE_IOERR_FSYNC;
    /* The test's power is cut by the test: the real disk need not work for it. */
    (void)flags;
    if (of(file)->path)
        forget(of(file)->path);
    return SQLITE_OK;
}

static int fault_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return of(file)->real->pMethods->xFileSize(of(file)->real, size);
}

static int fault_lock(sqlite3_file *file, int level)
{
    return of(file)->real->pMethods->xLock(of(file)->real, level);
}

static int fault_unlock(sqlite3_file *file, int level)
{
    return of(file)->real->pMethods->xUnlock(of(file)->real, level);
}

static int fault_check_lock(sqlite3_file *file, int *out)
{
    return of(file)->real->pMethods->xCheckReservedLock(of(file)->real, out);
}

static int fault_control(sqlite3_file *file, int operation, void *argument)
{
    return of(file)->real->pMethods->xFileControl(of(file)->real, operation, argument);
}

static int fault_sector(sqlite3_file *file)
{
    return of(file)->real->pMethods->xSectorSize(of(file)->real);
}

static int fault_traits(sqlite3_file *file)
{
    return of(file)->real->pMethods->xDeviceCharacteristics(of(file)->real);
}

static int fault_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
    return of(file)->real->pMethods->xShmMap(of(file)->real, page, size, extend, out);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return of(file)->real->pMethods->xShmLock(of(file)->real, offset, count, flags);
}

static void fault_shm_barrier(sqlite3_file *file)
{
    of(file)->real->pMethods->xShmBarrier(of(file)->real);
}

static int fault_shm_unmap(sqlite3_file *file, int remove)
{
    return of(file)->real->pMethods->xShmUnmap(of(file)->real, remove);
}

/* No memory maps; SQLite asks all the same. */
static int fault_fetch(sqlite3_file *file, sqlite3_int64 offset, int size, void **out)
{
    (void)file;
    (void)offset;
    (void)size;
    *out = NULL;
    return SQLITE_OK;
}

static int fault_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *page)
{
    (void)file;
    (void)offset;
    if (page == NULL && linger > 0) {
        unsigned number;
        sqlite3_randomness(sizeof number, &number);
        (void)usleep((useconds_t)(number % (unsigned)linger));
    }
    return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 3,
    .xClose = fault_close,
    .xRead = fault_read,
    .xWrite = fault_write,
    .xTruncate = fault_truncate,
    .xSync = fault_sync,
    .xFileSize = fault_size,
    .xLock = fault_lock,
    .xUnlock = fault_unlock,
    .xCheckReservedLock = fault_check_lock,
    .xFileControl = fault_control,
    .xSectorSize = fault_sector,
    .xDeviceCharacteristics = fault_traits,
    .xShmMap = fault_shm_map,
    .xShmLock = fault_shm_lock,
    .xShmBarrier = fault_shm_barrier,
    .xShmUnmap = fault_shm_unmap,
    .xFetch = fault_fetch,
    .xUnfetch = fault_unfetch,
};

/* ---- The VFS ---- */

static int fault_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    (void)vfs;
    struct fault_file *mine = of(file);
    mine->base.pMethods = NULL;
    mine->path = NULL;
    mine->real = (sqlite3_file *)(mine + 1);
    int code = real_vfs->xOpen(real_vfs, name, mine->real, flags, out);
    if (!mine->real->pMethods)
        return code;
    mine->path = name ? strdup(name) : NULL;
    mine->base.pMethods = &methods;
    return code;
}

static int fault_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    if (strikes(false))
        return SQLITE_IOERR_DELETE;
    return real_vfs->xDelete(real_vfs, name, sync);
}

int fault_vfs_install(void)
{
    real_vfs = sqlite3_vfs_find(NULL);
    shim = *real_vfs;
    shim.zName = "fault";
    shim.szOsFile = (int)sizeof(struct fault_file) + real_vfs->szOsFile;
    shim.xOpen = fault_open;
    shim.xDelete = fault_delete;
    return sqlite3_vfs_register(&shim, 1);
}

void fault_vfs_uninstall(void)
{
    fault_vfs_disarm();
    forget(NULL);
    (void)sqlite3_vfs_unregister(&shim);
    (void)sqlite3_vfs_register(real_vfs, 1);
}
