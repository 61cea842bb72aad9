/* Columns of the row that a statement stands on, by name or number. */
#include "statement.h"

#include <assert.h>
#include <string.h>

int dvl_column_number(struct dvl_statement *statement, const char *name)
{
    for (int i = 0; i < statement->column_count; i++) {
        int at = (statement->next_column + i) % statement->column_count;
        if (strcmp(statement->columns[at], name) == 0) {
            statement->next_column = at + 1;
            return at;
        }
    }
    assert(false && "a column that the statement does not have");
    return -1; /* which SQLite reads as null */
}

int64_t dvl_column_int_at(struct dvl_statement *statement, int column)
{
    return sqlite3_column_int64(statement->raw, column);
}

int64_t dvl_column_int_or_unset_at(struct dvl_statement *statement, int column)
{
    if (sqlite3_column_type(statement->raw, column) == SQLITE_NULL)
        return DVL_UNSET;
    return sqlite3_column_int64(statement->raw, column);
}

/* SQLite answers NULL for a null and also when memory is out. */
static const void *note_starving(struct dvl_statement *statement, const void *bytes)
{
    struct dvl_store *store = statement->store;
    if (!bytes && sqlite3_errcode(store->db) == SQLITE_NOMEM)
        store->starved = true;
    return bytes;
}

const char *dvl_column_text_at(struct dvl_statement *statement, int column)
{
    return note_starving(statement, sqlite3_column_text(statement->raw, column));
}

int64_t dvl_column_int(struct dvl_statement *statement, const char *name)
{
    return dvl_column_int_at(statement, dvl_column_number(statement, name));
}

int64_t dvl_column_int_or_unset(struct dvl_statement *statement, const char *name)
{
    return dvl_column_int_or_unset_at(statement, dvl_column_number(statement, name));
}

double dvl_column_real(struct dvl_statement *statement, const char *name)
{
    return sqlite3_column_double(statement->raw, dvl_column_number(statement, name));
}

const char *dvl_column_text(struct dvl_statement *statement, const char *name)
{
    return dvl_column_text_at(statement, dvl_column_number(statement, name));
}

const void *dvl_column_blob(struct dvl_statement *statement, const char *name, size_t *length)
{
    int column = dvl_column_number(statement, name);
    const void *bytes = note_starving(statement, sqlite3_column_blob(statement->raw, column));
    *length = bytes ? (size_t)sqlite3_column_bytes(statement->raw, column) : 0;
    return bytes;
}

bool dvl_column_is_null(struct dvl_statement *statement, const char *name)
{
    return sqlite3_column_type(statement->raw, dvl_column_number(statement, name)) == SQLITE_NULL;
}

static struct dvl_value *blob_value(const unsigned char *bytes, size_t length, struct dvl_arena *arena)
{
    static const char digits[] = "0123456789abcdef";
    char *text = dvl_arena_array(arena, length + 1, 2);
    if (!text)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    return dvl_value_bytes(arena, text, 2 * length);
}

struct dvl_value *dvl_column_value(sqlite3_stmt *raw, int column, struct dvl_arena *arena)
{
    const char *text;
    switch (sqlite3_column_type(raw, column)) {
    case SQLITE_INTEGER:
        return dvl_value_int(arena, sqlite3_column_int64(raw, column));
    case SQLITE_FLOAT:
        return dvl_value_real(arena, sqlite3_column_double(raw, column));
    case SQLITE_TEXT:
        text = (const char *)sqlite3_column_text(raw, column);
        return text ? dvl_value_bytes(arena, text, (size_t)sqlite3_column_bytes(raw, column)) : NULL;
    case SQLITE_BLOB:
        return blob_value(sqlite3_column_blob(raw, column), (size_t)sqlite3_column_bytes(raw, column), arena);
    default: /* not an enumeration: SQLITE_NULL */
        return dvl_value_null(arena);
    }
}

struct dvl_value *dvl_statement_row(struct dvl_statement *statement, struct dvl_arena *arena)
{
    struct dvl_value *map = dvl_value_map(arena);
    for (int i = 0; i < statement->column_count; i++) {
        const char *name = dvl_arena_text(arena, statement->columns[i]);
        if (!name || !dvl_value_set(map, name, dvl_column_value(statement->raw, i, arena)))
            return NULL;
    }
    return map;
}
