/* The writers' queue. */
#include "store/turnstile.h"
#include "support/scratch.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static struct scratch scratch;
static struct dvl_error error;

static int set_up(void **state)
{
    (void)state;
    dvl_error_clear(&error);
    if (!scratch_make(&scratch))
        return -1;
    FILE *file = fopen(scratch.path, "w");
    return file ? fclose(file) : -1;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(&scratch);
    return 0;
}

static struct dvl_turnstile *open_it(void)
{
    struct dvl_turnstile *turnstile = NULL;
    if (dvl_turnstile_open(scratch.path, &turnstile, &error) != DVL_OK)
        fail_msg("%s", error.message);
    return turnstile;
}

static void sleep_ms(long milliseconds)
{
    const struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void one_at_a_time(void **state)
{
    struct dvl_turnstile *a = open_it(), *b = open_it();
    (void)state;
    assert_int_equal(dvl_turnstile_enter(a, 0, &error), DVL_OK);
    assert_int_equal(dvl_turnstile_enter(b, 0, &error), DVL_BUSY);
    dvl_turnstile_leave(a);
    assert_int_equal(dvl_turnstile_enter(b, 0, &error), DVL_OK);
    dvl_turnstile_leave(b);
    dvl_turnstile_leave(b);
    dvl_turnstile_close(a);
    dvl_turnstile_close(b);
    dvl_turnstile_close(NULL);
}

static void waiting_ends_in_time(void **state)
{
    struct dvl_turnstile *a = open_it(), *b = open_it();
    (void)state;
    assert_int_equal(dvl_turnstile_enter(a, 0, &error), DVL_OK);
    int64_t before = now_ms();
    assert_int_equal(dvl_turnstile_enter(b, 120, &error), DVL_BUSY);
    int64_t waited = now_ms() - before;
    assert_in_range(waited, 115, 5000);
    assert_non_null(strstr(error.message, "0.120 s"));
    dvl_turnstile_close(a);
    dvl_turnstile_close(b);
}

struct waiter {
    struct dvl_turnstile *turnstile;
    int wait_ms;
    enum dvl_status status;
    atomic_bool done;
};

static void *wait_for_turn(void *argument)
{
    struct waiter *waiter = argument;
    struct dvl_error problem;
    waiter->status = dvl_turnstile_enter(waiter->turnstile, waiter->wait_ms, &problem);
    atomic_store(&waiter->done, true);
    return NULL;
}

static void who_waits_gets_it_when_it_is_free(void **state)
{
    struct waiter waiter = {.turnstile = open_it(), .wait_ms = 20000};
    struct dvl_turnstile *a = open_it();
    pthread_t thread;
    (void)state;
    assert_int_equal(dvl_turnstile_enter(a, 0, &error), DVL_OK);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_turn, &waiter), 0);
    sleep_ms(50);
    assert_false(atomic_load(&waiter.done));
    dvl_turnstile_leave(a);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(waiter.status, DVL_OK);
    assert_int_equal(dvl_turnstile_enter(a, 0, &error), DVL_BUSY);
    dvl_turnstile_close(waiter.turnstile);
    assert_int_equal(dvl_turnstile_enter(a, 1000, &error), DVL_OK);
    dvl_turnstile_close(a);
}

static void who_gave_up_does_not_hold_it_later(void **state)
{
    struct dvl_turnstile *a = open_it(), *b = open_it(), *c = open_it();
    (void)state;
    assert_int_equal(dvl_turnstile_enter(a, 0, &error), DVL_OK);
    assert_int_equal(dvl_turnstile_enter(b, 20, &error), DVL_BUSY);
    assert_int_equal(dvl_turnstile_enter(b, 0, &error), DVL_BUSY);
    dvl_turnstile_leave(a);
    assert_int_equal(dvl_turnstile_enter(c, 5000, &error), DVL_OK);
    dvl_turnstile_leave(c);
    assert_int_equal(dvl_turnstile_enter(b, 5000, &error), DVL_OK);
    dvl_turnstile_close(b);
    dvl_turnstile_close(a);
    dvl_turnstile_close(c);
}

static void who_gave_up_may_wait_again(void **state)
{
    struct dvl_turnstile *a = open_it();
    struct waiter waiter = {.turnstile = open_it(), .wait_ms = 20000};
    pthread_t thread;
    (void)state;
    assert_int_equal(dvl_turnstile_enter(a, 0, &error), DVL_OK);
    assert_int_equal(dvl_turnstile_enter(waiter.turnstile, 20, &error), DVL_BUSY);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_turn, &waiter), 0);
    sleep_ms(20);
    dvl_turnstile_leave(a);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(waiter.status, DVL_OK);
    dvl_turnstile_close(waiter.turnstile);
    dvl_turnstile_close(a);
}

static void closing_while_the_helper_waits_is_safe(void **state)
{
    struct dvl_turnstile *a = open_it(), *b = open_it(), *c = open_it();
    (void)state;
    assert_int_equal(dvl_turnstile_enter(a, 0, &error), DVL_OK);
    assert_int_equal(dvl_turnstile_enter(b, 10, &error), DVL_BUSY);
    dvl_turnstile_close(b);
    dvl_turnstile_leave(a);
    assert_int_equal(dvl_turnstile_enter(c, 5000, &error), DVL_OK);
    dvl_turnstile_close(c);
    dvl_turnstile_close(a);
}

static void the_kernel_frees_what_the_dead_held(void **state)
{
    struct dvl_turnstile *mine = open_it();
    int pipe_ends[2], code;
    char byte;
    (void)state;
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct dvl_turnstile *theirs;
        if (dvl_turnstile_open(scratch.path, &theirs, NULL) != DVL_OK ||
            dvl_turnstile_enter(theirs, 0, NULL) != DVL_OK || write(pipe_ends[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
    assert_int_equal(dvl_turnstile_enter(mine, 0, &error), DVL_BUSY);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(dvl_turnstile_enter(mine, 5000, &error), DVL_OK);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    dvl_turnstile_close(mine);
}

static void removed_lock_files_are_noticed(void **state)
{
    struct dvl_turnstile *a = open_it(), *b;
    (void)state;
    assert_int_equal(unlink(scratch_file(&scratch, "ledger.db-turn-b")), 0);
    b = open_it();
    assert_int_equal(dvl_turnstile_enter(b, 0, &error), DVL_OK);
    assert_int_equal(dvl_turnstile_enter(a, 0, &error), DVL_BUSY);
    dvl_turnstile_leave(b);
    assert_int_equal(dvl_turnstile_enter(a, 0, &error), DVL_OK);
    dvl_turnstile_close(a);
    dvl_turnstile_close(b);
}

static void what_is_no_file_can_t_be_a_lock(void **state)
{
    struct dvl_turnstile *turnstile;
    (void)state;
    assert_int_equal(symlink("/etc/passwd", scratch_file(&scratch, "ledger.db-turn-a")), 0);
    assert_int_equal(dvl_turnstile_open(scratch.path, &turnstile, &error), DVL_FORBIDDEN);
    assert_null(turnstile);
    assert_int_equal(unlink(scratch_file(&scratch, "ledger.db-turn-a")), 0);
    assert_int_equal(mkfifo(scratch_file(&scratch, "ledger.db-turn-a"), 0600), 0);
    assert_int_equal(dvl_turnstile_open(scratch.path, &turnstile, &error), DVL_FORBIDDEN);
    assert_non_null(strstr(error.message, "ledger.db-turn-a"));
}

/* Each thread has a handle of its own; the counter is guarded by the turn alone. */
struct racer {
    struct dvl_turnstile *turnstile;
    int rounds;
};

static atomic_int inside, most_inside, total;

static void *race(void *argument)
{
    struct racer *racer = argument;
    struct dvl_error problem;
    for (int i = 0; i < racer->rounds; i++) {
        if (dvl_turnstile_enter(racer->turnstile, 60000, &problem) != DVL_OK)
            return argument;
        int here = atomic_fetch_add(&inside, 1) + 1;
        if (here > atomic_load(&most_inside))
            atomic_store(&most_inside, here);
        atomic_fetch_add(&total, 1);
        atomic_fetch_sub(&inside, 1);
        dvl_turnstile_leave(racer->turnstile);
    }
    return NULL;
}

static void many_threads_take_turns(void **state)
{
    enum { THREADS = 8, ROUNDS = 50 };
    struct racer racers[THREADS];
    pthread_t threads[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; i++) {
        racers[i] = (struct racer){.turnstile = open_it(), .rounds = ROUNDS};
        assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
        dvl_turnstile_close(racers[i].turnstile);
    }
    assert_int_equal(atomic_load(&most_inside), 1);
    assert_int_equal(atomic_load(&total), THREADS * ROUNDS);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_at_a_time),
        TEST(waiting_ends_in_time),
        TEST(who_waits_gets_it_when_it_is_free),
        TEST(who_gave_up_does_not_hold_it_later),
        TEST(who_gave_up_may_wait_again),
        TEST(closing_while_the_helper_waits_is_safe),
        TEST(the_kernel_frees_what_the_dead_held),
        TEST(removed_lock_files_are_noticed),
        TEST(what_is_no_file_can_t_be_a_lock),
        TEST(many_threads_take_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
