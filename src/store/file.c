/* The database as a file: its name, its kind, its birth.
 *
 * The rule: a database file that may be open is never opened here. POSIX drops
 * all of a process's locks on a file when any descriptor of it is closed, and
 * with them the locks of another handle in this process. */
#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of a path, as a text of its own: "." when there is none. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

enum dvl_status dvl_file_resolve(const char *path, char **out, struct dvl_error *error)
{
    enum dvl_status status = DVL_OK;
    char *folder = NULL, *resolved = NULL;
    *out = realpath(path, NULL);
    if (*out)
        return DVL_OK;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (errno != ENOENT || *name == '\0')
        return dvl_error_set(error, DVL_DATABASE, "%s can't be opened: %s", path, strerror(errno));
    folder = folder_of(path);
    if (folder)
        resolved = realpath(folder, NULL);
    if (!folder || (!resolved && errno == ENOMEM)) {
        status = dvl_error_memory(error);
    } else if (!resolved) {
        status = dvl_error_set(error, DVL_NOT_FOUND, "the folder %s can't be opened: %s", folder, strerror(errno));
    } else if (asprintf(out, "%s/%s", strcmp(resolved, "/") == 0 ? "" : resolved, name) < 0) {
        *out = NULL;
        status = dvl_error_memory(error);
    }
    free(folder);
    free(resolved);
    return status;
}

enum dvl_status dvl_file_check(const char *path, struct dvl_error *error)
{
    struct stat found;
    if (stat(path, &found) != 0) {
        if (errno == ENOENT)
            return dvl_error_set(error, DVL_NOT_FOUND, "there is no ledger at %s", path);
        return dvl_error_set(error, errno == EACCES ? DVL_FORBIDDEN : DVL_DATABASE, "%s can't be opened: %s", path,
                             strerror(errno));
    }
    if (!S_ISREG(found.st_mode))
        return dvl_error_set(error, DVL_UNSUPPORTED, "%s is not a file", path);
    return DVL_OK;
}

enum dvl_status dvl_file_publish(const char *from, const char *to, struct dvl_error *error)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return DVL_OK;
    /* Some file systems can't do that; a link never replaces either. */
    if (errno == EINVAL && link(from, to) == 0) {
        (void)unlink(from);
        return DVL_OK;
    }
    if (errno == EEXIST)
        return dvl_error_set(error, DVL_CONFLICT, "%s is there already", to);
    return dvl_error_set(error, DVL_DATABASE, "%s can't be made: %s", to, strerror(errno));
}

enum dvl_status dvl_file_draft(const char *path, char **out, struct dvl_error *error)
{
    if (asprintf(out, "%s-new-XXXXXX", path) < 0) {
        *out = NULL;
        return dvl_error_memory(error);
    }
    int file = mkostemp(*out, O_CLOEXEC); /* mode 0600 */
    if (file >= 0) {
        close(file);
        return DVL_OK;
    }
    int problem = errno;
    free(*out);
    *out = NULL;
    return dvl_error_set(error, problem == EACCES || problem == EROFS ? DVL_FORBIDDEN : DVL_DATABASE,
                         "%s can't be made: %s", path, strerror(problem));
}

enum dvl_status dvl_file_create(const char *path, struct dvl_error *error)
{
    char *draft;
    enum dvl_status status = dvl_file_draft(path, &draft, error);
    if (status != DVL_OK)
        return status;
    status = dvl_file_publish(draft, path, error);
    if (status != DVL_OK)
        (void)unlink(draft);
    if (status == DVL_CONFLICT) {
        status = DVL_OK; /* another process was first */
        dvl_error_clear(error);
    }
    free(draft);
    return status;
}

enum dvl_status dvl_file_sync_folder(const char *path, struct dvl_error *error)
{
    enum dvl_status status = DVL_OK;
    int file = -1;
    char *folder = folder_of(path);
    if (!folder)
        return dvl_error_memory(error);
    file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0 || fsync(file) != 0)
        status = dvl_error_set(error, DVL_DATABASE, "the folder %s can't be synced: %s", folder, strerror(errno));
    if (file >= 0)
        close(file);
    free(folder);
    return status;
}
