/* The writers' queue. To wait with a limit, without signals and without
 * polling, one helper thread blocks on the locks while the caller waits on a
 * condition. When the caller gives up, the helper stays in the queue: the next
 * call joins it there, and if its turn comes first it gives it back at once. */
#include "turnstile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum state {
    FREE,    /* nobody is at work */
    WAITING, /* the helper is in the queue */
    HELD,    /* B is ours */
    FAILED,  /* the helper met an error: `problem` */
};

struct dvl_turnstile {
    pthread_mutex_t mutex; /* guards all that follows; the helper blocks without it */
    pthread_cond_t changed;
    enum state state;
    bool wanted;    /* the caller still waits for what the helper does */
    bool has_first; /* A is ours */
    int problem;
    int first, second; /* descriptors of A and B; -1: not open */
    int references;    /* the handle, and the helper while it runs */
    struct stat model; /* mode and owner for new lock files */
    char *paths[2];
};

static void release(struct dvl_turnstile *turnstile)
{
    if (turnstile->first >= 0)
        close(turnstile->first);
    if (turnstile->second >= 0)
        close(turnstile->second);
    pthread_cond_destroy(&turnstile->changed);
    pthread_mutex_destroy(&turnstile->mutex);
    free(turnstile->paths[0]);
    free(turnstile->paths[1]);
    free(turnstile);
}

/* ---- The files ---- */

/* The kernel locks a file, not a name: O_NOFOLLOW and the check of the kind
 * keep a planted link or pipe from standing in for it. */
static int open_existing(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0 && errno == EACCES)
        file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat found;
    if (file >= 0 && (fstat(file, &found) != 0 || !S_ISREG(found.st_mode))) {
        close(file);
        errno = EINVAL;
        file = -1;
    }
    return file;
}

static int open_lock_file(const char *path, const struct stat *model)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, model->st_mode & 0666);
    if (file < 0)
        return errno == EEXIST ? open_existing(path) : -1;
    /* The umask took bits away; and root works on other people's files. */
    if (fchmod(file, model->st_mode & 0666) != 0 ||
        (geteuid() == 0 && fchown(file, model->st_uid, model->st_gid) != 0)) {
        int problem = errno;
        close(file);
        errno = problem;
        return -1;
    }
    return file;
}

static enum dvl_status open_files(struct dvl_turnstile *turnstile, struct dvl_error *error)
{
    int *files[2] = {&turnstile->first, &turnstile->second};
    for (int i = 0; i < 2; i++) {
        if (*files[i] >= 0)
            continue;
        *files[i] = open_lock_file(turnstile->paths[i], &turnstile->model);
        if (*files[i] < 0)
            return dvl_error_set(error, DVL_FORBIDDEN, "the lock file %s can't be opened: %s", turnstile->paths[i],
                                 strerror(errno));
    }
    return DVL_OK;
}

static void close_files(struct dvl_turnstile *turnstile)
{
    close(turnstile->first);
    close(turnstile->second);
    turnstile->first = turnstile->second = -1;
}

/* False when somebody removed or replaced the file whose lock we hold: others
 * would then queue elsewhere. */
static bool is_in_place(int file, const char *path)
{
    struct stat held, named;
    return fstat(file, &held) == 0 && stat(path, &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

enum dvl_status dvl_turnstile_open(const char *database, struct dvl_turnstile **out, struct dvl_error *error)
{
    enum dvl_status status = DVL_NO_MEMORY;
    *out = NULL;
    struct dvl_turnstile *turnstile = calloc(1, sizeof *turnstile);
    if (!turnstile)
        return dvl_error_memory(error);
    turnstile->first = turnstile->second = -1;
    turnstile->references = 1;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&turnstile->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&turnstile->mutex, NULL);
    if (asprintf(&turnstile->paths[0], "%s-turn-a", database) < 0) {
        turnstile->paths[0] = NULL;
        (void)dvl_error_memory(error);
        goto out;
    }
    if (asprintf(&turnstile->paths[1], "%s-turn-b", database) < 0) {
        turnstile->paths[1] = NULL;
        (void)dvl_error_memory(error);
        goto out;
    }
    if (stat(database, &turnstile->model) != 0) {
        status = dvl_error_set(error, DVL_DATABASE, "%s can't be looked at: %s", database, strerror(errno));
        goto out;
    }
    status = open_files(turnstile, error);
out:
    if (status == DVL_OK)
        *out = turnstile;
    else
        release(turnstile);
    return status;
}

void dvl_turnstile_close(struct dvl_turnstile *turnstile)
{
    if (!turnstile)
        return;
    dvl_turnstile_leave(turnstile);
    pthread_mutex_lock(&turnstile->mutex);
    bool last = --turnstile->references == 0;
    pthread_mutex_unlock(&turnstile->mutex);
    if (last)
        release(turnstile);
}

/* ---- The queue ---- */

static int lock_file(int file, int operation)
{
    while (flock(file, operation) != 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

/* With the mutex held. */
static void unlock_first(struct dvl_turnstile *turnstile)
{
    if (turnstile->has_first)
        (void)lock_file(turnstile->first, LOCK_UN);
    turnstile->has_first = false;
}

/* Waits for A unless it is ours; false when there is nothing more to wait for. */
static bool helper_takes_first(struct dvl_turnstile *turnstile)
{
    if (turnstile->has_first)
        return true;
    pthread_mutex_unlock(&turnstile->mutex);
    int problem = lock_file(turnstile->first, LOCK_EX);
    pthread_mutex_lock(&turnstile->mutex);
    turnstile->has_first = problem == 0;
    turnstile->problem = problem;
    if (problem == 0 && turnstile->wanted)
        return true;
    unlock_first(turnstile);
    turnstile->state = turnstile->wanted ? FAILED : FREE;
    return false;
}

static void helper_takes_second(struct dvl_turnstile *turnstile)
{
    pthread_mutex_unlock(&turnstile->mutex);
    int problem = lock_file(turnstile->second, LOCK_EX);
    pthread_mutex_lock(&turnstile->mutex);
    unlock_first(turnstile);
    turnstile->problem = problem;
    if (problem == 0 && !turnstile->wanted)
        (void)lock_file(turnstile->second, LOCK_UN);
    turnstile->state = !turnstile->wanted ? FREE : problem == 0 ? HELD : FAILED;
}

static void *helper_run(void *argument)
{
    struct dvl_turnstile *turnstile = argument;
    pthread_mutex_lock(&turnstile->mutex);
    if (helper_takes_first(turnstile))
        helper_takes_second(turnstile);
    pthread_cond_broadcast(&turnstile->changed);
    bool last = --turnstile->references == 0;
    pthread_mutex_unlock(&turnstile->mutex);
    if (last)
        release(turnstile);
    return NULL;
}

/* The application's signals are not for the helper: it is started with all of
 * them blocked. */
static int helper_start(struct dvl_turnstile *turnstile)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;
    sigfillset(&all);
    int problem = pthread_attr_init(&attributes);
    if (problem != 0)
        return problem;
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    problem = pthread_create(&thread, &attributes, helper_run, turnstile);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return problem;
}

static struct timespec deadline_after(int wait_ms)
{
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += wait_ms / 1000;
    deadline.tv_nsec += (long)(wait_ms % 1000) * 1000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_nsec -= 1000000000;
        deadline.tv_sec++;
    }
    return deadline;
}

static int milliseconds_until(const struct timespec *deadline)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = (deadline->tv_sec - now.tv_sec) * 1000 + (deadline->tv_nsec - now.tv_nsec) / 1000000;
    return left > 0 ? (int)left : 0;
}

/* Takes both without waiting; A alone may stay ours, as a place in the queue. */
static void try_at_once(struct dvl_turnstile *turnstile)
{
    turnstile->problem = lock_file(turnstile->first, LOCK_EX | LOCK_NB);
    if (turnstile->problem != 0)
        return;
    turnstile->has_first = true;
    turnstile->problem = lock_file(turnstile->second, LOCK_EX | LOCK_NB);
    if (turnstile->problem != 0)
        return;
    turnstile->state = HELD;
    unlock_first(turnstile);
}

/* From FREE: takes the turn, or puts the helper into the queue. */
static enum dvl_status join_queue(struct dvl_turnstile *turnstile, int wait_ms, struct dvl_error *error)
{
    enum dvl_status status = open_files(turnstile, error);
    if (status != DVL_OK)
        return status;
    try_at_once(turnstile);
    if (turnstile->state == HELD)
        return DVL_OK;
    if (turnstile->problem != EWOULDBLOCK) {
        turnstile->state = FAILED;
        return DVL_OK;
    }
    if (wait_ms <= 0) {
        unlock_first(turnstile);
        return DVL_OK;
    }
    turnstile->references++;
    turnstile->state = WAITING;
    int problem = helper_start(turnstile);
    if (problem == 0)
        return DVL_OK;
    turnstile->references--;
    turnstile->state = FREE;
    unlock_first(turnstile);
    return dvl_error_set(error, DVL_NO_MEMORY, "the queue of writers can't be joined: %s", strerror(problem));
}

/* With the mutex held; judges what the queue came to. */
static enum dvl_status enter_once(struct dvl_turnstile *turnstile, int wait_ms, struct dvl_error *error)
{
    enum dvl_status status = DVL_OK;
    struct timespec deadline = deadline_after(wait_ms > 0 ? wait_ms : 0);
    turnstile->wanted = true;
    if (turnstile->state == FREE)
        status = join_queue(turnstile, wait_ms, error);
    while (status == DVL_OK && wait_ms > 0 && turnstile->state == WAITING &&
           pthread_cond_timedwait(&turnstile->changed, &turnstile->mutex, &deadline) == 0)
        continue;
    turnstile->wanted = false;
    if (status != DVL_OK || turnstile->state == HELD)
        return status;
    unlock_first(turnstile); /* those behind us need not wait for who has gone */
    if (turnstile->state != FAILED)
        return dvl_error_set(error, DVL_BUSY, "another writer is at work; the turn did not come within %d.%03d s",
                             (wait_ms > 0 ? wait_ms : 0) / 1000, (wait_ms > 0 ? wait_ms : 0) % 1000);
    turnstile->state = FREE;
    return dvl_error_set(error, DVL_DATABASE, "the lock file %s can't be locked: %s", turnstile->paths[1],
                         strerror(turnstile->problem));
}

enum dvl_status dvl_turnstile_enter(struct dvl_turnstile *turnstile, int wait_ms, struct dvl_error *error)
{
    struct timespec deadline = deadline_after(wait_ms > 0 ? wait_ms : 0);
    enum dvl_status status;
    pthread_mutex_lock(&turnstile->mutex);
    for (;;) {
        status = enter_once(turnstile, wait_ms, error);
        if (status != DVL_OK || is_in_place(turnstile->second, turnstile->paths[1]))
            break;
        close_files(turnstile); /* which leaves as well */
        turnstile->state = FREE;
        if (wait_ms > 0)
            wait_ms = milliseconds_until(&deadline);
    }
    pthread_mutex_unlock(&turnstile->mutex);
    return status;
}

void dvl_turnstile_leave(struct dvl_turnstile *turnstile)
{
    pthread_mutex_lock(&turnstile->mutex);
    if (turnstile->state == HELD) {
        (void)lock_file(turnstile->second, LOCK_UN);
        turnstile->state = FREE;
    }
    pthread_mutex_unlock(&turnstile->mutex);
}
