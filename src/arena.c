/* Block allocator: a chain of malloc'ed blocks, freed together. */
#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 16 * 1024 };

struct dvl_arena_block {
    struct dvl_arena_block *next;
    size_t size, used;
    _Alignas(max_align_t) unsigned char bytes[];
};

void dvl_arena_init(struct dvl_arena *arena, size_t limit)
{
    *arena = (struct dvl_arena){.limit = limit};
}

void dvl_arena_clear(struct dvl_arena *arena)
{
    struct dvl_arena_block *block = arena->blocks;
    while (block) {
        struct dvl_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
    arena->taken = 0;
    arena->failed = false;
}

enum dvl_status dvl_arena_end(struct dvl_arena *arena, enum dvl_status status, struct dvl_error *error)
{
    bool failed = arena->failed;
    dvl_arena_clear(arena);
    return status == DVL_OK && failed ? dvl_error_memory(error) : status;
}

void dvl_arena_reset(struct dvl_arena *arena)
{
    struct dvl_arena_block *keep = arena->blocks;
    arena->blocks = keep ? keep->next : NULL;
    dvl_arena_clear(arena);
    if (!keep)
        return;
    keep->next = NULL;
    keep->used = 0;
    arena->blocks = keep;
}

static struct dvl_arena_block *add_block(struct dvl_arena *arena, size_t size)
{
    size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    struct dvl_arena_block *block = malloc(sizeof *block + room);
    if (!block)
        return NULL;
    block->size = room;
    block->used = 0;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

static void *take(struct dvl_arena *arena, size_t size)
{
    const size_t unit = _Alignof(max_align_t);
    if (size > SIZE_MAX / 4)
        return NULL;
    size_t rounded = (size + unit - 1) / unit * unit;
    if (rounded == 0)
        rounded = unit;
    if (arena->limit && (arena->taken > arena->limit || rounded > arena->limit - arena->taken))
        return NULL;
    struct dvl_arena_block *block = arena->blocks;
    if (!block || rounded > block->size - block->used) {
        block = add_block(arena, rounded);
        if (!block)
            return NULL;
    }
    void *piece = block->bytes + block->used;
    block->used += rounded;
    arena->taken += rounded;
    memset(piece, 0, rounded);
    return piece;
}

void *dvl_arena_take(struct dvl_arena *arena, size_t size)
{
    void *piece = take(arena, size);
    arena->failed = arena->failed || !piece;
    return piece;
}

void *dvl_arena_array(struct dvl_arena *arena, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        total = SIZE_MAX;
    return dvl_arena_take(arena, total);
}

char *dvl_arena_bytes(struct dvl_arena *arena, const char *bytes, size_t length)
{
    char *copy = dvl_arena_take(arena, length == SIZE_MAX ? length : length + 1);
    if (copy && length)
        memcpy(copy, bytes, length);
    return copy;
}

char *dvl_arena_text(struct dvl_arena *arena, const char *text)
{
    return text ? dvl_arena_bytes(arena, text, strlen(text)) : NULL;
}

char *dvl_arena_format_va(struct dvl_arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = dvl_arena_take(arena, length < 0 ? SIZE_MAX : (size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *dvl_arena_format(struct dvl_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = dvl_arena_format_va(arena, format, arguments);
    va_end(arguments);
    return text;
}
