/* What the row files share. */
#include "rows.h"

#include <string.h>

enum dvl_status dvl_statement_each(struct dvl_statement *statement, dvl_for_row *for_row, void *context,
                                   struct dvl_error *error)
{
    for (;;) {
        bool row;
        enum dvl_status status = dvl_statement_step(statement, &row, error);
        if (status != DVL_OK || !row)
            return status;
        status = for_row(context, statement, error);
        if (status != DVL_OK) {
            dvl_statement_done(statement);
            return status;
        }
    }
}

void *dvl_rows_grow(struct dvl_arena *arena, void **items, size_t *count, size_t size)
{
    /* The array doubles at 8, 16, 32 … items; what it leaves behind is the arena's. */
    bool full = *count == 0 || (*count >= 8 && (*count & (*count - 1)) == 0);
    if (full) {
        size_t room = *count ? *count * 2 : 8;
        void *bigger = dvl_arena_array(arena, room, size);
        if (!bigger)
            return NULL;
        if (*count)
            memcpy(bigger, *items, *count * size);
        *items = bigger;
    }
    return (char *)*items + size * (*count)++;
}

const char *dvl_column_copy(struct dvl_statement *statement, struct dvl_arena *arena, const char *name, bool *failed)
{
    const char *text = dvl_column_text(statement, name);
    if (!text)
        return NULL;
    const char *copy = dvl_arena_text(arena, text);
    if (!copy)
        *failed = true;
    return copy;
}

struct id_list {
    struct dvl_arena *arena;
    const char *name;
    struct dvl_ids *out;
};

static enum dvl_status add_id(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct id_list *list = context;
    void *items = list->out->items;
    int64_t *id = dvl_rows_grow(list->arena, &items, &list->out->count, sizeof *id);
    if (!id)
        return dvl_error_memory(error);
    list->out->items = items;
    *id = dvl_column_int(statement, list->name);
    return DVL_OK;
}

enum dvl_status dvl_statement_ids(struct dvl_statement *statement, struct dvl_arena *arena, const char *name,
                                  struct dvl_ids *out, struct dvl_error *error)
{
    *out = (struct dvl_ids){0};
    struct id_list list = {.arena = arena, .name = name, .out = out};
    return dvl_statement_each(statement, add_id, &list, error);
}
