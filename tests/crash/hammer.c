/* Many processes on one file: writers that stay, writers that come and go,
 * explicit checkpoints, verify, backup. At the end the file must be sound and
 * hold exactly what was acknowledged.
 *
 *     hammer [SECONDS] [--no-turnstile]
 *
 * Checkpoints linger at their most delicate moment. --no-turnstile takes the
 * writers' queue away, to see by hand that the hammer finds what the queue
 * prevents. */
#include "store/connection.h"
#include "support/fault_vfs.h"
#include "support/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WRITERS = 4,
    VISITORS = 2,
    CHECKPOINTERS = 2,
    VERIFIERS = 1,
    BACKUPS = 1,
    LINGER_MICROSECONDS = 2000,
    READER_PAUSE_US = 300000,
    BUSY_PAUSE_US = 200,
    PROCESSES = WRITERS + VISITORS + CHECKPOINTERS + VERIFIERS + BACKUPS,
};

/* What a child tells; in memory that all of them share. */
struct tally {
    long done;
    long longest_ms; /* one call took at most */
    char problem[DVL_ERROR_SIZE + 16];
};

static struct scratch scratch;
static struct tally *tallies;
static bool no_turnstile;
static struct timespec end;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool time_is_left(void)
{
    return now_ms() < (int64_t)end.tv_sec * 1000 + end.tv_nsec / 1000000;
}

static struct dvl_store *open_it(struct tally *tally)
{
    struct dvl_error error;
    struct dvl_store *store = NULL;
    if (scratch_open(scratch.path, &store, &error) != DVL_OK) {
        (void)snprintf(tally->problem, sizeof tally->problem, "open: %s", error.message);
        return NULL;
    }
    if (no_turnstile) {
        dvl_turnstile_close(store->turnstile);
        store->turnstile = NULL;
    }
    return store;
}

static void pause_for(long microseconds)
{
    const struct timespec pause = {.tv_nsec = microseconds * 1000};
    (void)nanosleep(&pause, NULL);
}

static bool write_next(struct dvl_store *store, struct tally *tally, int id)
{
    struct dvl_error error;
    char name[48];
    int64_t before = now_ms();
    (void)snprintf(name, sizeof name, "w%d-%ld", id, tally->done);
    if (scratch_write(store, name, &error) != DVL_OK) {
        (void)snprintf(tally->problem, sizeof tally->problem, "%s", error.message);
        return false;
    }
    tally->done++;
    long took = (long)(now_ms() - before);
    if (took > tally->longest_ms)
        tally->longest_ms = took;
    return true;
}

static void run_writer(struct tally *tally, int id)
{
    struct dvl_store *store = open_it(tally);
    while (store && time_is_left() && write_next(store, tally, id))
        continue;
    dvl_store_close(store);
}

/* Opens and closes, as the command line does. */
static void run_visitor(struct tally *tally, int id)
{
    bool good = true;
    while (good && time_is_left()) {
        struct dvl_store *store = open_it(tally);
        good = store && write_next(store, tally, id);
        dvl_store_close(store);
    }
}

static void run_checkpointer(struct tally *tally, int id)
{
    static const int modes[] = {SQLITE_CHECKPOINT_PASSIVE, SQLITE_CHECKPOINT_PASSIVE, SQLITE_CHECKPOINT_PASSIVE,
                                SQLITE_CHECKPOINT_TRUNCATE};
    struct dvl_store *store = open_it(tally);
    struct dvl_error error;
    while (store && time_is_left()) {
        enum dvl_status status = dvl_store_checkpoint(store, modes[(tally->done++ + id) % 4], 2000, &error);
        if (status != DVL_OK && status != DVL_BUSY) {
            (void)snprintf(tally->problem, sizeof tally->problem, "%s", error.message);
            break;
        }
        if (status == DVL_BUSY)
            pause_for(BUSY_PAUSE_US);
    }
    dvl_store_close(store);
}

static void run_verifier(struct tally *tally, int id)
{
    struct dvl_error error;
    (void)id;
    while (time_is_left()) {
        struct dvl_store *store = NULL;
        int problems = -1;
        if (scratch_open_read_only(scratch.path, &store, &error) == DVL_OK)
            problems = scratch_problems(store, &error);
        dvl_store_close(store);
        if (problems != 0) {
            (void)snprintf(tally->problem, sizeof tally->problem, "verify: %s", error.message);
            return;
        }
        tally->done++;
        pause_for(READER_PAUSE_US); /* the WAL is reset only when nobody reads from it */
    }
}

static void run_backup(struct tally *tally, int id)
{
    struct dvl_error error;
    while (time_is_left()) {
        struct dvl_store *store = NULL, *copy = NULL;
        char path[128];
        (void)snprintf(path, sizeof path, "%s/copy-%d-%ld.db", scratch.folder, id, tally->done);
        enum dvl_status status = scratch_open_read_only(scratch.path, &store, &error);
        if (status == DVL_OK)
            status = dvl_store_backup(store, path, &error);
        if (status == DVL_OK)
            status = scratch_open_read_only(path, &copy, &error);
        if (status == DVL_OK && scratch_problems(copy, &error) != 0)
            status = DVL_DATABASE;
        dvl_store_close(copy);
        dvl_store_close(store);
        (void)unlink(path);
        if (status != DVL_OK) {
            (void)snprintf(tally->problem, sizeof tally->problem, "backup: %s", error.message);
            return;
        }
        tally->done++;
        pause_for(READER_PAUSE_US); /* the WAL is reset only when nobody reads from it */
    }
}

static const struct {
    const char *name;
    void (*run)(struct tally *tally, int id);
    int first, count;
} roles[] = {
    {"writer", run_writer, 0, WRITERS},
    {"visitor", run_visitor, WRITERS, VISITORS},
    {"checkpointer", run_checkpointer, WRITERS + VISITORS, CHECKPOINTERS},
    {"verifier", run_verifier, WRITERS + VISITORS + CHECKPOINTERS, VERIFIERS},
    {"backup", run_backup, WRITERS + VISITORS + CHECKPOINTERS + VERIFIERS, BACKUPS},
};

enum { ROLES = sizeof roles / sizeof *roles };

static bool hammer(void)
{
    bool good = true;
    pid_t children[PROCESSES];
    for (int r = 0; r < ROLES; r++) {
        for (int i = roles[r].first; i < roles[r].first + roles[r].count; i++) {
            children[i] = fork();
            if (children[i] == 0) {
                roles[r].run(&tallies[i], i);
                _exit(0);
            }
            good = good && children[i] > 0;
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int code = 0;
        good = children[i] > 0 && waitpid(children[i], &code, 0) == children[i] && code == 0 && good;
    }
    for (int r = 0; r < ROLES; r++) {
        for (int i = roles[r].first; i < roles[r].first + roles[r].count; i++) {
            printf("%-12s %7ld  longest %5ld ms  %s\n", roles[r].name, tallies[i].done, tallies[i].longest_ms,
                   tallies[i].problem);
            good = good && tallies[i].problem[0] == '\0' && tallies[i].done > 0;
        }
    }
    return good;
}

/* Sound, and as many nodes as were acknowledged. */
static bool judge(void)
{
    struct dvl_error error;
    struct dvl_store *store = NULL;
    int64_t nodes = 0, events = 0, acknowledged = 0;
    dvl_error_clear(&error);
    for (int i = 0; i < WRITERS + VISITORS; i++)
        acknowledged += tallies[i].done;
    int problems = -1;
    if (scratch_open(scratch.path, &store, &error) == DVL_OK)
        problems = scratch_problems(store, &error);
    if (problems == 0 && scratch_count(store, &nodes, &events, &error) != DVL_OK)
        problems = -1;
    dvl_store_close(store);
    printf("problems %d %s; acknowledged %lld, nodes %lld, events %lld\n", problems, error.message,
           (long long)acknowledged, (long long)nodes, (long long)events);
    return problems == 0 && nodes == acknowledged && events == acknowledged;
}

int main(int count, char **arguments)
{
    long seconds = 3;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--no-turnstile") == 0)
            no_turnstile = true;
        else
            seconds = strtol(arguments[i], NULL, 10);
    }
    tallies = mmap(NULL, sizeof *tallies * PROCESSES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tallies == MAP_FAILED || !scratch_make(&scratch) || fault_vfs_install() != SQLITE_OK)
        return 1;
    fault_vfs_linger(LINGER_MICROSECONDS);
    /* The file is made before the children race for it. */
    struct dvl_store *store = open_it(&tallies[0]);
    if (!store)
        return 1;
    dvl_store_close(store);
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += seconds;
    bool good = hammer();
    good = judge() && good;
    scratch_remove(&scratch);
    return good ? 0 : 1;
}
