/* The batch's outer transaction. It holds the writer's turn between calls, so
 * it must end by itself when its client falls asleep: a watchman thread rolls
 * it back at the deadline, or, when a call is at work just then, leaves that
 * to the end of the call. */
#include "connection.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct dvl_outer {
    pthread_mutex_t mutex; /* guards what follows; between calls also the store */
    pthread_cond_t changed;
    pthread_t watchman;
    struct timespec deadline;
    int most_ms;
    bool entered; /* a call is at work */
    bool expired; /* the deadline passed: rolled back, or to be when the call ends */
    bool over;    /* the watchman is not needed any more */
};

static void *watch(void *argument)
{
    struct dvl_store *store = argument;
    struct dvl_outer *outer = store->outer;
    pthread_mutex_lock(&outer->mutex);
    while (!outer->over && pthread_cond_timedwait(&outer->changed, &outer->mutex, &outer->deadline) == 0)
        continue;
    if (!outer->over) {
        outer->expired = true;
        if (!outer->entered)
            dvl_transaction_abandon(store);
    }
    pthread_mutex_unlock(&outer->mutex);
    return NULL;
}

static int start_watchman(struct dvl_store *store)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int problem = pthread_create(&store->outer->watchman, NULL, watch, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return problem;
}

static struct dvl_outer *outer_new(int most_ms)
{
    struct dvl_outer *outer = calloc(1, sizeof *outer);
    if (!outer)
        return NULL;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&outer->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&outer->mutex, NULL);
    outer->most_ms = most_ms;
    clock_gettime(CLOCK_MONOTONIC, &outer->deadline);
    outer->deadline.tv_sec += most_ms / 1000;
    outer->deadline.tv_nsec += (long)(most_ms % 1000) * 1000000;
    if (outer->deadline.tv_nsec >= 1000000000) {
        outer->deadline.tv_nsec -= 1000000000;
        outer->deadline.tv_sec++;
    }
    return outer;
}

static void outer_free(struct dvl_outer *outer)
{
    pthread_cond_destroy(&outer->changed);
    pthread_mutex_destroy(&outer->mutex);
    free(outer);
}

static enum dvl_status expired_error(const struct dvl_outer *outer, struct dvl_error *error)
{
    return dvl_error_set(error, DVL_BUSY, "the transaction was open for more than %d s and is rolled back",
                         outer->most_ms / 1000);
}

enum dvl_status dvl_store_outer_begin(struct dvl_store *store, int most_ms, struct dvl_error *error)
{
    if (store->depth > 0)
        return dvl_error_set(error, DVL_CONFLICT, "a transaction is open already");
    enum dvl_status status = dvl_transaction_begin(store, DVL_WRITE, store->wait_ms, error);
    if (status != DVL_OK)
        return status;
    store->outer = outer_new(most_ms);
    int problem = store->outer ? start_watchman(store) : 0;
    if (store->outer && problem == 0)
        return DVL_OK;
    status = problem == 0 ? dvl_error_memory(error)
                          : dvl_error_set(error, DVL_NO_MEMORY, "no thread can be started: %s", strerror(problem));
    if (store->outer)
        outer_free(store->outer);
    store->outer = NULL;
    (void)dvl_transaction_end(store, false, NULL);
    return status;
}

enum dvl_status dvl_outer_enter(struct dvl_store *store, struct dvl_error *error)
{
    struct dvl_outer *outer = store->outer;
    pthread_mutex_lock(&outer->mutex);
    enum dvl_status status = outer->expired ? expired_error(outer, error) : DVL_OK;
    outer->entered = status == DVL_OK;
    pthread_mutex_unlock(&outer->mutex);
    return status;
}

enum dvl_status dvl_outer_leave(struct dvl_store *store, struct dvl_error *error)
{
    struct dvl_outer *outer = store->outer;
    pthread_mutex_lock(&outer->mutex);
    outer->entered = false;
    if (outer->expired)
        dvl_transaction_abandon(store);
    enum dvl_status status = outer->expired ? expired_error(outer, error) : DVL_OK;
    pthread_mutex_unlock(&outer->mutex);
    return status;
}

bool dvl_outer_is_entered(const struct dvl_store *store)
{
    return store->outer->entered; /* only the caller's own thread changes it */
}

enum dvl_status dvl_store_outer_end(struct dvl_store *store, bool keep, struct dvl_error *error)
{
    struct dvl_outer *outer = store->outer;
    if (!outer)
        return dvl_error_set(error, DVL_CONFLICT, "no transaction is open");
    pthread_mutex_lock(&outer->mutex);
    outer->over = true;
    pthread_cond_signal(&outer->changed);
    pthread_mutex_unlock(&outer->mutex);
    pthread_join(outer->watchman, NULL);
    outer->entered = true; /* a commit that failed is looked up with statements */
    enum dvl_status status = dvl_transaction_end(store, keep && !outer->expired, error);
    if (outer->expired && keep)
        status = expired_error(outer, error);
    store->outer = NULL;
    outer_free(outer);
    return status;
}

bool dvl_store_outer_is_open(const struct dvl_store *store)
{
    return store->outer != NULL;
}
