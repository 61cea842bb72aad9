/* Read-only SQL for people: one statement, under an authorizer that denies
 * whatever it does not know, with limits on time, memory and size.
 *
 * A read-only connection would not be enough: VACUUM INTO, ATTACH, a checkpoint
 * and some pragmas write all the same. */
#include "connection.h"
#include "sql_rules.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    STEPS_BETWEEN_CHECKS = 1000, /* of SQLite's virtual machine */
    QUERY_BYTES_MOST = 1000000,
    VALUE_BYTES_MOST = 16 * 1024 * 1024,
    MEMORY_MOST = 256 * 1024 * 1024,
    VALUE_COST = 64, /* what keeping a value takes beside its text */
};

struct sql {
    struct dvl_store *store;
    sqlite3_stmt *raw;
    struct dvl_sql_rules rules;
    struct dvl_arena tables_arena; /* holds rules.tables */
    struct timespec deadline;
    int64_t time_ms, bytes_left, bytes_most;
    sqlite3_int64 memory_before;
    const char *stopped; /* which limit stopped it */
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- Limits ---- */

static int check_limits(void *context)
{
    struct sql *sql = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > sql->deadline.tv_sec ||
        (now.tv_sec == sql->deadline.tv_sec && now.tv_nsec > sql->deadline.tv_nsec))
        sql->stopped = "time";
    else if (sqlite3_memory_used() - sql->memory_before > MEMORY_MOST)
        sql->stopped = "memory";
    return sql->stopped != NULL;
}

static const struct {
    int limit, most;
} tight[] = {
    {SQLITE_LIMIT_LENGTH, VALUE_BYTES_MOST},  {SQLITE_LIMIT_SQL_LENGTH, QUERY_BYTES_MOST},
    {SQLITE_LIMIT_EXPR_DEPTH, 200},           {SQLITE_LIMIT_COMPOUND_SELECT, 100},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000}, {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

static void close_in(struct sql *sql, int before[COUNT(tight)])
{
    for (size_t i = 0; i < COUNT(tight); i++)
        before[i] = sqlite3_limit(sql->store->db, tight[i].limit, tight[i].most);
    sqlite3_progress_handler(sql->store->db, STEPS_BETWEEN_CHECKS, check_limits, sql);
    (void)sqlite3_set_authorizer(sql->store->db, dvl_sql_authorize, &sql->rules);
}

static void open_up(struct sql *sql, const int before[COUNT(tight)])
{
    (void)sqlite3_set_authorizer(sql->store->db, NULL, NULL);
    sqlite3_progress_handler(sql->store->db, 0, NULL, NULL);
    for (size_t i = 0; i < COUNT(tight); i++)
        (void)sqlite3_limit(sql->store->db, tight[i].limit, before[i]);
}

/* ---- The statement ---- */

static enum dvl_status sql_error(struct sql *sql, int code, struct dvl_error *error)
{
    if (sql->rules.forbidden[0] != '\0')
        return dvl_error_set(error, DVL_FORBIDDEN, "not allowed here: %s", sql->rules.forbidden);
    if (sql->stopped && strcmp(sql->stopped, "time") == 0)
        return dvl_error_set(error, DVL_FORBIDDEN, "the query took longer than %lld ms", (long long)sql->time_ms);
    if (sql->stopped)
        return dvl_error_set(error, DVL_FORBIDDEN, "the query took more than %d MiB of memory", MEMORY_MOST >> 20);
    if ((code & 0xff) == SQLITE_ERROR || (code & 0xff) == SQLITE_TOOBIG || (code & 0xff) == SQLITE_MISMATCH ||
        (code & 0xff) == SQLITE_RANGE)
        return dvl_error_set(error, DVL_BAD_INPUT, "%s", sqlite3_errmsg(sql->store->db));
    return dvl_sqlite_error(sql->store, code, "sql", error);
}

/* Blanks, comments and semicolons only. */
static bool is_blank(const char *text)
{
    while (*text != '\0') {
        if (isspace((unsigned char)*text) || *text == ';') {
            text++;
        } else if (text[0] == '-' && text[1] == '-') {
            text += strcspn(text, "\n");
        } else if (text[0] == '/' && text[1] == '*') {
            const char *end = strstr(text + 2, "*/");
            text = end ? end + 2 : text + strlen(text);
        } else {
            return false;
        }
    }
    return true;
}

static enum dvl_status prepare(struct sql *sql, const char *query, struct dvl_error *error)
{
    const char *rest = NULL;
    if (strlen(query) > QUERY_BYTES_MOST)
        return dvl_error_set(error, DVL_BAD_INPUT, "the query is longer than %d bytes", QUERY_BYTES_MOST);
    int code = sqlite3_prepare_v2(sql->store->db, query, -1, &sql->raw, &rest);
    if (code != SQLITE_OK)
        return sql_error(sql, code, error);
    if (!sql->raw)
        return dvl_error_set(error, DVL_BAD_INPUT, "there is no statement in the query");
    if (!is_blank(rest))
        return dvl_error_set(error, DVL_BAD_INPUT, "more than one statement: `%.40s`", rest);
    if (!sqlite3_stmt_readonly(sql->raw))
        return dvl_error_set(error, DVL_FORBIDDEN, "not allowed here: a statement that writes");
    return DVL_OK;
}

/* A text that is exactly how a number is written is bound as that number:
 * computed columns compare by type, and 5 < '10' would be true. */
static int bind_value(sqlite3_stmt *raw, int number, const char *value)
{
    char again[40];
    char *end = NULL;
    int64_t integer;
    if (dvl_text_int64(dvl_span_of(value), &integer)) {
        (void)snprintf(again, sizeof again, "%lld", (long long)integer);
        if (strcmp(again, value) == 0)
            return sqlite3_bind_int64(raw, number, integer);
    }
    double real = strtod(value, &end);
    if (end != value && *end == '\0' && strspn(value, "0123456789.-") == strlen(value)) {
        (void)snprintf(again, sizeof again, "%.15g", real);
        if (strcmp(again, value) == 0)
            return sqlite3_bind_double(raw, number, real);
    }
    return sqlite3_bind_text64(raw, number, value, strlen(value), SQLITE_STATIC, SQLITE_UTF8);
}

/* Every parameter given is in the query, and the other way round. */
static enum dvl_status bind(struct sql *sql, const struct dvl_sql_parameter *parameters, size_t count,
                            struct dvl_error *error)
{
    int wanted = sqlite3_bind_parameter_count(sql->raw);
    for (int number = 1; number <= wanted; number++) {
        const char *name = sqlite3_bind_parameter_name(sql->raw, number);
        size_t i = 0;
        if (!name || *name == '?')
            return dvl_error_set(error, DVL_BAD_INPUT, "parameters need names: write :name, not ?");
        while (i < count && strcmp(parameters[i].name, name + 1) != 0)
            i++;
        if (i == count)
            return dvl_error_set(error, DVL_BAD_INPUT, "the parameter %s has no value", name);
        int code = bind_value(sql->raw, number, parameters[i].value);
        if (code != SQLITE_OK)
            return sql_error(sql, code, error);
    }
    for (size_t i = 0; i < count; i++) {
        bool used = false;
        for (int number = 1; number <= wanted && !used; number++)
            used = strcmp(parameters[i].name, sqlite3_bind_parameter_name(sql->raw, number) + 1) == 0;
        if (!used)
            return dvl_error_set(error, DVL_BAD_INPUT, "the query has no parameter :%s", parameters[i].name);
    }
    return DVL_OK;
}

/* ---- Rows ---- */

/* The column's name; a name that an earlier column has gets its number. */
static const char *column_name(const struct sql *sql, int column, struct dvl_arena *arena)
{
    const char *name = sqlite3_column_name(sql->raw, column);
    for (int i = 0; name && i < column; i++) {
        const char *earlier = sqlite3_column_name(sql->raw, i);
        if (earlier && strcmp(earlier, name) == 0)
            return dvl_arena_format(arena, "%s:%d", name, column + 1);
    }
    return dvl_arena_text(arena, name);
}

static enum dvl_status name_columns(const struct sql *sql, struct dvl_arena *arena, const char ***out,
                                    struct dvl_error *error)
{
    int count = sqlite3_column_count(sql->raw);
    const char **names = dvl_arena_array(arena, (size_t)count, sizeof *names);
    if (!names)
        return dvl_error_memory(error);
    for (int i = 0; i < count; i++)
        if (!(names[i] = column_name(sql, i, arena)))
            return dvl_error_memory(error);
    *out = names;
    return DVL_OK;
}

static enum dvl_status make_row(struct sql *sql, const char **names, struct dvl_arena *arena, struct dvl_value **out,
                                struct dvl_error *error)
{
    *out = dvl_value_map(arena);
    for (int i = 0; i < sqlite3_column_count(sql->raw); i++) {
        const struct dvl_value *value = dvl_value_set(*out, names[i], dvl_column_value(sql->raw, i, arena));
        if (!value)
            return dvl_error_memory(error);
        sql->bytes_left -= (int64_t)(strlen(names[i]) + value->length + VALUE_COST);
    }
    if (sql->bytes_left < 0)
        return dvl_error_set(error, DVL_FORBIDDEN, "the result is larger than %lld bytes", (long long)sql->bytes_most);
    return DVL_OK;
}

static enum dvl_status walk(struct sql *sql, dvl_store_row_function *row, void *context, struct dvl_error *error)
{
    struct dvl_arena names_arena, arena;
    const char **names = NULL;
    int code = SQLITE_ROW;
    dvl_arena_init(&names_arena, 0);
    dvl_arena_init(&arena, 0);
    enum dvl_status status = name_columns(sql, &names_arena, &names, error);
    while (status == DVL_OK && (code = sqlite3_step(sql->raw)) == SQLITE_ROW) {
        struct dvl_value *value;
        status = make_row(sql, names, &arena, &value, error);
        if (status == DVL_OK && arena.failed)
            status = dvl_error_memory(error);
        if (status == DVL_OK && row(context, value) != 0)
            break;
        dvl_arena_reset(&arena);
    }
    if (status == DVL_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        status = sql_error(sql, code, error);
    dvl_arena_clear(&arena);
    dvl_arena_clear(&names_arena);
    return status;
}

static enum dvl_status list_tables(struct sql *sql, struct dvl_error *error)
{
    struct dvl_statement *statement;
    bool row = true;
    size_t room = 0;
    enum dvl_status status = dvl_statement_take(sql->store, DVL_QUERY_SQL_TABLES, &statement, error);
    while (status == DVL_OK && (status = dvl_statement_step(statement, &row, error)) == DVL_OK && row) {
        if (sql->rules.table_count == room) {
            room = room == 0 ? 64 : room * 2;
            const char **more = dvl_arena_array(&sql->tables_arena, room, sizeof *more);
            if (more && sql->rules.table_count > 0)
                memcpy((void *)more, (const void *)sql->rules.tables, sql->rules.table_count * sizeof *more);
            sql->rules.tables = more;
        }
        const char *name = dvl_arena_text(&sql->tables_arena, dvl_column_text(statement, "name"));
        if (!sql->rules.tables || !name)
            status = dvl_error_memory(error);
        else
            sql->rules.tables[sql->rules.table_count++] = name;
    }
    dvl_statement_done(statement);
    return status;
}

static enum dvl_status set_up_modules(struct sql *sql, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(sql->store, DVL_QUERY_SQL_MODULES, &statement, error);
    return status == DVL_OK ? dvl_statement_run(statement, NULL, error) : status;
}

static void set_limits(struct sql *sql, const struct dvl_sql_limits *limits)
{
    sql->time_ms = limits && limits->time_ms > 0 ? limits->time_ms : 30000;
    sql->bytes_most = limits && limits->bytes > 0 ? limits->bytes : (int64_t)1 << 30;
    sql->bytes_left = sql->bytes_most;
    sql->memory_before = sqlite3_memory_used();
    clock_gettime(CLOCK_MONOTONIC, &sql->deadline);
    sql->deadline.tv_sec += (time_t)(sql->time_ms / 1000);
    sql->deadline.tv_nsec += (long)(sql->time_ms % 1000) * 1000000;
    if (sql->deadline.tv_nsec >= 1000000000) {
        sql->deadline.tv_nsec -= 1000000000;
        sql->deadline.tv_sec++;
    }
}

enum dvl_status dvl_store_sql(struct dvl_store *store, const char *query, const struct dvl_sql_parameter *parameters,
                              size_t parameter_count, const struct dvl_sql_limits *limits, dvl_store_row_function *row,
                              void *context, struct dvl_error *error)
{
    struct sql sql = {.store = store};
    int before[COUNT(tight)];
    enum dvl_status status = dvl_store_begin(store, DVL_READ, error);
    if (status != DVL_OK)
        return status;
    dvl_arena_init(&sql.tables_arena, 0);
    status = list_tables(&sql, error);
    if (status == DVL_OK)
        status = set_up_modules(&sql, error);
    if (status == DVL_OK) {
        set_limits(&sql, limits);
        close_in(&sql, before);
        status = prepare(&sql, query, error);
        if (status == DVL_OK)
            status = bind(&sql, parameters, parameter_count, error);
        if (status == DVL_OK)
            status = walk(&sql, row, context, error);
        sqlite3_finalize(sql.raw);
        open_up(&sql, before);
    }
    dvl_arena_clear(&sql.tables_arena);
    (void)dvl_store_end(store, false, NULL);
    return status;
}
