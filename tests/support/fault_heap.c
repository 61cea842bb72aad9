#include "fault_heap.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>

static sqlite3_mem_methods real;
static bool armed, lasting_fault;
static long asked, refuse_at;

static bool refuses(void)
{
    if (!armed)
        return false;
    asked++;
    return lasting_fault ? asked >= refuse_at : asked == refuse_at;
}

static void *sqlite_malloc(int size)
{
    return refuses() ? NULL : real.xMalloc(size);
}

static void *sqlite_realloc(void *memory, int size)
{
    return refuses() ? NULL : real.xRealloc(memory, size);
}

int fault_heap_install(void)
{
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real);
    sqlite3_mem_methods mine = real;
    mine.xMalloc = sqlite_malloc;
    mine.xRealloc = sqlite_realloc;
    return code == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_MALLOC, &mine) : code;
}

void fault_heap_arm(long after, bool lasting)
{
    armed = true;
    lasting_fault = lasting;
    asked = 0;
    refuse_at = after;
}

long fault_heap_disarm(void)
{
    armed = false;
    return asked;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    return refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuses() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return refuses() ? NULL : __real_realloc(memory, size);
}
