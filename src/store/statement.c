/* Named queries: prepared once, bound by name, stepped, ended. The rules: each
 * parameter is bound exactly once, nothing is written outside a write
 * transaction, and no walk outlives its transaction. */
#include "statement.h"

#include "schema_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- Preparing ---- */

static void statement_free(struct dvl_statement *statement)
{
    if (!statement)
        return;
    sqlite3_finalize(statement->raw);
    free((void *)statement->parameters);
    free((void *)statement->columns);
    free(statement->bound);
    free(statement);
}

/* The names are copied: SQLite's own go when a statement is prepared anew. */
static const char **copy_names(sqlite3_stmt *raw, int count, const char *(*name_of)(sqlite3_stmt *, int), int first)
{
    size_t size = (size_t)count * sizeof(char *) + 1;
    for (int i = 0; i < count; i++) {
        const char *name = name_of(raw, i + first);
        size += name ? strlen(name) + 1 : 1;
    }
    const char **names = malloc(size);
    if (!names)
        return NULL;
    char *text = (char *)(names + count);
    for (int i = 0; i < count; i++) {
        const char *name = name_of(raw, i + first);
        size_t length = name ? strlen(name) : 0;
        memcpy(text, name ? name : "", length + 1);
        names[i] = text;
        text += length + 1;
    }
    return names;
}

static const char *parameter_name(sqlite3_stmt *raw, int number)
{
    const char *name = sqlite3_bind_parameter_name(raw, number);
    return name ? name + 1 : NULL; /* without the colon */
}

static bool describe(struct dvl_statement *statement)
{
    statement->writes = !sqlite3_stmt_readonly(statement->raw);
    statement->parameter_count = sqlite3_bind_parameter_count(statement->raw);
    statement->column_count = sqlite3_column_count(statement->raw);
    statement->parameters = copy_names(statement->raw, statement->parameter_count, parameter_name, 1);
    statement->columns = copy_names(statement->raw, statement->column_count, sqlite3_column_name, 0);
    statement->bound = calloc((size_t)statement->parameter_count + 1, sizeof *statement->bound);
    return statement->parameters && statement->columns && statement->bound;
}

static enum dvl_status prepare(struct dvl_store *store, enum dvl_query query, struct dvl_error *error)
{
    struct dvl_statement *statement = calloc(1, sizeof *statement);
    if (!statement)
        return dvl_error_memory(error);
    statement->store = store;
    statement->name = dvl_query_texts[query].name;
    int code = sqlite3_prepare_v3(store->db, dvl_query_texts[query].text, -1, SQLITE_PREPARE_PERSISTENT,
                                  &statement->raw, NULL);
    enum dvl_status status = dvl_sqlite_error(store, code, statement->name, error);
    if (status == DVL_OK && !statement->raw)
        status = dvl_error_set(error, DVL_DATABASE, "%s: no statement in it", statement->name);
    else if (status == DVL_OK && !describe(statement))
        status = dvl_error_memory(error);
    if (status == DVL_OK)
        store->statements[query] = statement;
    else
        statement_free(statement);
    return status;
}

static enum dvl_status check_access(const struct dvl_store *store, const struct dvl_statement *statement,
                                    struct dvl_error *error)
{
    if (statement->walking)
        return dvl_error_set(error, DVL_DATABASE, "%s: taken while it is being read", statement->name);
    if (statement->writes && (store->depth == 0 || store->levels[0].access != DVL_WRITE))
        return dvl_error_set(error, DVL_DATABASE, "%s: a write outside a write transaction", statement->name);
    return DVL_OK;
}

enum dvl_status dvl_statement_take(struct dvl_store *store, enum dvl_query query, struct dvl_statement **out,
                                   struct dvl_error *error)
{
    *out = NULL;
    if (!store->db || (store->outer && !dvl_outer_is_entered(store)))
        return dvl_error_set(error, DVL_DATABASE, "%s: outside any call", dvl_query_texts[query].name);
    enum dvl_status status = store->starved ? dvl_error_memory(error) : DVL_OK;
    if (status == DVL_OK && !store->statements[query])
        status = prepare(store, query, error);
    if (status == DVL_OK)
        status = check_access(store, store->statements[query], error);
    if (status != DVL_OK)
        return status;
    *out = store->statements[query];
    dvl_statement_done(*out);
    return DVL_OK;
}

void dvl_statements_clear(struct dvl_store *store)
{
    for (int i = 0; i < DVL_QUERY_COUNT; i++) {
        statement_free(store->statements[i]);
        store->statements[i] = NULL;
    }
}

int dvl_statements_end(struct dvl_store *store, int depth)
{
    int count = 0;
    for (int i = 0; i < DVL_QUERY_COUNT; i++) {
        struct dvl_statement *statement = store->statements[i];
        if (statement && statement->walking && statement->depth >= depth) {
            dvl_statement_done(statement);
            count++;
        }
    }
    return count;
}

/* ---- Binding ---- */

/* Answers the parameter's number, from 1; 0 after a failure, which is kept. */
static int bind_start(struct dvl_statement *statement, const char *name)
{
    if (statement->failure.status != DVL_OK)
        return 0;
    for (int i = 0; i < statement->parameter_count; i++) {
        int at = (statement->next_parameter + i) % statement->parameter_count;
        if (strcmp(statement->parameters[at], name) != 0)
            continue;
        if (statement->bound[at]) {
            (void)dvl_error_set(&statement->failure, DVL_DATABASE, "%s: :%s is bound twice", statement->name, name);
            return 0;
        }
        statement->bound[at] = true;
        statement->next_parameter = at + 1;
        return at + 1;
    }
    (void)dvl_error_set(&statement->failure, DVL_DATABASE, "%s: there is no :%s", statement->name, name);
    return 0;
}

static void bind_end(struct dvl_statement *statement, const char *name, int code)
{
    if (code == SQLITE_OK)
        return;
    if (code == SQLITE_TOOBIG)
        (void)dvl_error_set(&statement->failure, DVL_BAD_INPUT, "%s is too long for the database", name);
    else
        (void)dvl_sqlite_error(statement->store, code, statement->name, &statement->failure);
}

void dvl_bind_int(struct dvl_statement *statement, const char *name, int64_t value)
{
    int number = bind_start(statement, name);
    if (number > 0)
        bind_end(statement, name, sqlite3_bind_int64(statement->raw, number, value));
}

void dvl_bind_int_or_null(struct dvl_statement *statement, const char *name, int64_t value)
{
    int number = bind_start(statement, name);
    if (number > 0)
        bind_end(statement, name,
                 value == DVL_UNSET ? sqlite3_bind_null(statement->raw, number)
                                    : sqlite3_bind_int64(statement->raw, number, value));
}

void dvl_bind_real(struct dvl_statement *statement, const char *name, double value)
{
    int number = bind_start(statement, name);
    if (number > 0)
        bind_end(statement, name, sqlite3_bind_double(statement->raw, number, value));
}

void dvl_bind_text(struct dvl_statement *statement, const char *name, const char *text)
{
    int number = bind_start(statement, name);
    if (number > 0)
        bind_end(statement, name,
                 text ? sqlite3_bind_text64(statement->raw, number, text, strlen(text), SQLITE_STATIC, SQLITE_UTF8)
                      : sqlite3_bind_null(statement->raw, number));
}

void dvl_bind_blob(struct dvl_statement *statement, const char *name, const void *bytes, size_t length)
{
    int number = bind_start(statement, name);
    if (number > 0)
        bind_end(statement, name,
                 bytes ? sqlite3_bind_blob64(statement->raw, number, bytes, length, SQLITE_STATIC)
                       : sqlite3_bind_null(statement->raw, number));
}

/* ---- Stepping ---- */

static enum dvl_status check_bound(struct dvl_statement *statement, struct dvl_error *error)
{
    if (statement->failure.status != DVL_OK)
        return dvl_error_set(error, statement->failure.status, "%s", statement->failure.message);
    for (int i = 0; i < statement->parameter_count; i++)
        if (!statement->bound[i])
            return dvl_error_set(error, DVL_DATABASE, "%s: :%s is not bound", statement->name,
                                 statement->parameters[i]);
    return DVL_OK;
}

enum dvl_status dvl_statement_step(struct dvl_statement *statement, bool *row, struct dvl_error *error)
{
    struct dvl_store *store = statement->store;
    *row = false;
    enum dvl_status status = statement->walking ? DVL_OK : check_bound(statement, error);
    if (status == DVL_OK && store->starved)
        status = dvl_error_memory(error);
    if (status != DVL_OK) {
        dvl_statement_done(statement);
        return status;
    }
    if (!statement->walking)
        statement->depth = store->depth;
    statement->walking = true;
    int code = sqlite3_step(statement->raw);
    if (code == SQLITE_ROW) {
        *row = true;
        return DVL_OK;
    }
    if (code != SQLITE_DONE) {
        status = dvl_sqlite_error(store, code, statement->name, error);
        store->lost = store->lost || (store->depth > 0 && sqlite3_get_autocommit(store->db));
    }
    dvl_statement_done(statement);
    return status;
}

enum dvl_status dvl_statement_run(struct dvl_statement *statement, int64_t *changed, struct dvl_error *error)
{
    bool row = true;
    enum dvl_status status = DVL_OK;
    while (status == DVL_OK && row)
        status = dvl_statement_step(statement, &row, error);
    if (changed)
        *changed = status == DVL_OK ? sqlite3_changes64(statement->store->db) : 0;
    return status;
}

void dvl_statement_done(struct dvl_statement *statement)
{
    if (!statement)
        return;
    (void)sqlite3_reset(statement->raw); /* its answer repeats the last step's */
    (void)sqlite3_clear_bindings(statement->raw);
    memset(statement->bound, 0, (size_t)statement->parameter_count * sizeof *statement->bound);
    dvl_error_clear(&statement->failure);
    statement->walking = false;
    statement->next_parameter = statement->next_column = 0;
}

int64_t dvl_store_last_id(struct dvl_store *store)
{
    return store->db ? sqlite3_last_insert_rowid(store->db) : 0;
}
