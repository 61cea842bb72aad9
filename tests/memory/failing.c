/* Allocation that fails when it is told to: see failing.h. */
#include "failing.h"

#include "arena.h"

#include <execinfo.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool armed, forever, struck;
static enum failing_whose counted;
static long left; /* allocations that still come through */
static long asked;
static void *place[32]; /* of the first refusal */
static int place_depth;

/* Called for every allocation. */
static bool must_fail(enum failing_whose whose)
{
    if (!armed || !(whose & counted))
        return false;
    bool fails = forever ? left <= 0 : left == 0;
    left--;
    asked++;
    if (fails && !struck) {
        struck = true;
        place_depth = backtrace(place, sizeof place / sizeof place[0]);
    }
    return fails;
}

/* ---- Our own calls: the linker gives __wrap_x for x, and x for __real_x ---- */

#define OURS(type, name, parameters, refuses, ...)                                                                     \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        return (refuses) ? NULL : __real_##name(__VA_ARGS__);                                                          \
    }
#define WHEN_TOLD must_fail(FAILING_OURS)

OURS(void *, malloc, (size_t size), WHEN_TOLD, size)
OURS(void *, calloc, (size_t count, size_t size), WHEN_TOLD, count, size)
OURS(void *, realloc, (void *old, size_t size), WHEN_TOLD, old, size)
OURS(char *, strdup, (const char *text), WHEN_TOLD, text)
OURS(char *, strndup, (const char *text, size_t most), WHEN_TOLD, text, most)

/* An arena asks malloc once for many pieces; here each of them can fail. */
static bool arena_fails(struct dvl_arena *arena)
{
    bool fails = must_fail(FAILING_OURS);
    arena->failed = arena->failed || fails;
    return fails;
}

OURS(void *, dvl_arena_take, (struct dvl_arena * arena, size_t size), arena_fails(arena), arena, size)
OURS(void *, dvl_arena_array, (struct dvl_arena * arena, size_t count, size_t size), arena_fails(arena), arena, count,
     size)
OURS(char *, dvl_arena_text, (struct dvl_arena * arena, const char *text), text &&arena_fails(arena), arena, text)
OURS(char *, dvl_arena_bytes, (struct dvl_arena * arena, const char *bytes, size_t length), arena_fails(arena), arena,
     bytes, length)

char *__wrap_dvl_arena_format_va(struct dvl_arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
char *__real_dvl_arena_format_va(struct dvl_arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
char *__wrap_dvl_arena_format_va(struct dvl_arena *arena, const char *format, va_list arguments)
{
    return arena_fails(arena) ? NULL : __real_dvl_arena_format_va(arena, format, arguments);
}

char *__wrap_dvl_arena_format(struct dvl_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *__wrap_dvl_arena_format(struct dvl_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = __wrap_dvl_arena_format_va(arena, format, arguments);
    va_end(arguments);
    return text;
}

/* ---- The libraries' ---- */

#ifdef DVL_SANITIZED

/* What SQLite would use, with failures before it. */
static sqlite3_mem_methods plain;

static void *sqlite_malloc(int size)
{
    return must_fail(FAILING_LIBRARIES) ? NULL : plain.xMalloc(size);
}

static void *sqlite_realloc(void *old, int size)
{
    return must_fail(FAILING_LIBRARIES) ? NULL : plain.xRealloc(old, size);
}

static void prepare_allocator(void)
{
    sqlite3_mem_methods failing;
    (void)sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain);
    failing = plain;
    failing.xMalloc = sqlite_malloc;
    failing.xRealloc = sqlite_realloc;
    (void)sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
}

long failing_live(void)
{
    return 0;
}

#else

/* The C library's own, which its malloc is another name of. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *piece);

static long live;

static void *alive(void *piece)
{
    if (piece)
        __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
    return piece;
}

/* Seen by the shared libraries, too. */
#pragma GCC visibility push(default)

void *malloc(size_t size)
{
    return must_fail(FAILING_LIBRARIES) ? NULL : alive(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return must_fail(FAILING_LIBRARIES) ? NULL : alive(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    if (must_fail(FAILING_LIBRARIES))
        return NULL;
    void *piece = __libc_realloc(old, size);
    return old ? piece : alive(piece);
}

void free(void *piece)
{
    if (piece)
        __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
    __libc_free(piece);
}

#pragma GCC visibility pop

static void prepare_allocator(void)
{
}

long failing_live(void)
{
    return __atomic_load_n(&live, __ATOMIC_RELAXED);
}

#endif

void failing_prepare(void)
{
    prepare_allocator();
    (void)backtrace(place, 1); /* its first call allocates */
    /* Small pieces come from malloc, too, not from a block of the connection's. */
    (void)sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

void failing_arm(enum failing_whose whose, long through, bool stay_out)
{
    counted = whose;
    left = through;
    forever = stay_out;
    asked = 0;
    struck = false;
    armed = true;
}

bool failing_disarm(void)
{
    armed = false;
    return struck;
}

long failing_asked(void)
{
    return asked;
}

void failing_tell(void)
{
    backtrace_symbols_fd(place, place_depth, STDERR_FILENO);
}
