/* The store: the database file behind functions that speak of rows, not of
 * SQLite. No type of SQLite's crosses this header, so that another driver can
 * stand behind it; the statements are in schema/queries. */
#ifndef DVL_STORE_STORE_H
#define DVL_STORE_STORE_H

#include "../error.h"
#include "../value.h"
#include "query_names.h" /* made from schema/queries: enum dvl_query */

struct dvl_store;

struct dvl_store_options {
    const char *path;
    enum dvl_durability durability;
    int wait_ms; /* for the writer's turn; 0: not at all */
    bool read_only;
    bool create;
};

enum dvl_status dvl_store_open(const struct dvl_store_options *options, struct dvl_store **out,
                               struct dvl_error *error);
void dvl_store_close(struct dvl_store *store);
bool dvl_store_is_read_only(const struct dvl_store *store);
/* The resolved path; ":memory:". */
const char *dvl_store_path(const struct dvl_store *store);

/* ---- Transactions ----------------------------------------------------------- */

/* A read transaction sees one snapshot; a write transaction waits for the
 * writer's turn (DVL_BUSY after wait_ms). Inside an outer one that the batch's
 * `begin` opened, either is a savepoint, and end() keeps or undoes only what
 * was done since. A read inside an outer write transaction is allowed. */
enum dvl_access { DVL_READ, DVL_WRITE };
enum dvl_status dvl_store_begin(struct dvl_store *store, enum dvl_access access, struct dvl_error *error);
/* Commits when `keep`, else rolls back; after it no transaction of this level
 * is open, whatever it answers. A commit that fails is looked up by reopening:
 * DVL_OK when it is there after all; when it is not, why, and the message says
 * "nothing was written"; DVL_DATABASE, and the message says "unknown", when
 * even that could not be found out. */
enum dvl_status dvl_store_end(struct dvl_store *store, bool keep, struct dvl_error *error);
/* How deep we are: 0 outside any transaction. */
int dvl_store_depth(const struct dvl_store *store);

/* The outer transaction of the batch protocol: holds the writer's turn until
 * outer_end, for `most_ms` at the most; after that every call in it answers
 * DVL_BUSY and all is rolled back. */
enum dvl_status dvl_store_outer_begin(struct dvl_store *store, int most_ms, struct dvl_error *error);
enum dvl_status dvl_store_outer_end(struct dvl_store *store, bool keep, struct dvl_error *error);
bool dvl_store_outer_is_open(const struct dvl_store *store);

/* ---- Statements --------------------------------------------------------------- */

/* A named block of schema/queries. The list is closed: query_names.h is made
 * from the .sql files when the project is built, as
 * DVL_QUERY_<FILE>_<NAME> (file node.sql, `-- name: by-name` →
 * DVL_QUERY_NODE_BY_NAME). */
struct dvl_statement;

/* Prepared once per handle, cached, reset when taken. Taking a statement that
 * is still being stepped is a defect (DVL_DATABASE). */
enum dvl_status dvl_statement_take(struct dvl_store *store, enum dvl_query query, struct dvl_statement **out,
                                   struct dvl_error *error);

/* Each named parameter is bound exactly once; names are without the colon.
 * Failures are kept in the statement and answered by the next step or run, so
 * binds can be written one after the other. */
void dvl_bind_int(struct dvl_statement *statement, const char *name, int64_t value);
/* DVL_UNSET (INT64_MIN) binds null. */
void dvl_bind_int_or_null(struct dvl_statement *statement, const char *name, int64_t value);
void dvl_bind_real(struct dvl_statement *statement, const char *name, double value);
/* NULL binds null. The text is borrowed until the statement is done. */
void dvl_bind_text(struct dvl_statement *statement, const char *name, const char *text);
void dvl_bind_blob(struct dvl_statement *statement, const char *name, const void *bytes, size_t length);

/* *row = false at the end; the statement is then done. A failure of a
 * constraint or trigger is DVL_CONFLICT with the schema's own sentence. */
enum dvl_status dvl_statement_step(struct dvl_statement *statement, bool *row, struct dvl_error *error);
/* For statements without rows: steps to the end and is done. `changed` may be
 * NULL. */
enum dvl_status dvl_statement_run(struct dvl_statement *statement, int64_t *changed, struct dvl_error *error);
/* Ends a walk before its end. Takes NULL; harmless when done already. */
void dvl_statement_done(struct dvl_statement *statement);

/* Columns of the current row, by name. A name that the statement does not have
 * is a defect: it is asserted in debug builds, and reads as null otherwise.
 * Texts live until the next step. */
int64_t dvl_column_int(struct dvl_statement *statement, const char *name); /* null reads as 0 */
int64_t dvl_column_int_or_unset(struct dvl_statement *statement, const char *name);
double dvl_column_real(struct dvl_statement *statement, const char *name);
const char *dvl_column_text(struct dvl_statement *statement, const char *name); /* NULL for null */
const void *dvl_column_blob(struct dvl_statement *statement, const char *name, size_t *length);
bool dvl_column_is_null(struct dvl_statement *statement, const char *name);
/* For loops over millions of rows: the number of a column, then by number. */
int dvl_column_number(struct dvl_statement *statement, const char *name);
int64_t dvl_column_int_at(struct dvl_statement *statement, int column);
int64_t dvl_column_int_or_unset_at(struct dvl_statement *statement, int column);
const char *dvl_column_text_at(struct dvl_statement *statement, int column);
/* The whole row as a map; column names as they are. Blobs become lower-case hex. */
struct dvl_value *dvl_statement_row(struct dvl_statement *statement, struct dvl_arena *arena);

/* Row id of the last insert. */
int64_t dvl_store_last_id(struct dvl_store *store);

/* ---- Events (store/event.c) ------------------------------------------------------ */

struct dvl_event {
    int64_t at; /* microseconds; raised to the last event's time when it is earlier */
    const char *actor, *command, *kind;
    const char *node, *pod, *device; /* names; NULL */
    const struct dvl_value *detail;  /* map; NULL: {} */
};

/* Appends one event to the chain, in the transaction that is open. */
enum dvl_status dvl_event_append(struct dvl_store *store, const struct dvl_event *event, struct dvl_error *error);
/* Time of the last event, 0 when there is none. */
enum dvl_status dvl_event_last_time(struct dvl_store *store, int64_t *at, struct dvl_error *error);

/* ---- Whole-file work ---------------------------------------------------------------- */

/* Walks everything that can be checked (see docs/operations.md). `expect` is a
 * hash in hex, or NULL. The answer is a map: {"events":n,"head":"hex",
 * "problems":[{"kind","text"…}],"conflicts":n,"expected":"found"|"missing"?}.
 * DVL_OK also when problems were found. */
enum dvl_status dvl_store_verify(struct dvl_store *store, const char *expect, struct dvl_arena *arena,
                                 struct dvl_value **out, struct dvl_error *error);
/* A consistent copy at `path`, mode 0600, while writers go on; an existing file
 * is refused (DVL_CONFLICT). */
enum dvl_status dvl_store_backup(struct dvl_store *store, const char *path, struct dvl_error *error);

/* ---- Read-only SQL for people (store/sql.c) -------------------------------------------- */

struct dvl_sql_parameter {
    const char *name; /* without colon */
    const char *value;
};

struct dvl_sql_limits {
    int64_t time_ms; /* 0: 30 s */
    int64_t bytes;   /* of the whole result; 0: 1 GiB */
};

typedef int dvl_store_row_function(void *context, const struct dvl_value *row);

/* One statement, under a default-deny authorizer: reading, recursion, a list
 * of functions and pragmas. DVL_FORBIDDEN names what was not allowed;
 * DVL_BAD_INPUT is SQLite's own sentence for what does not parse. */
enum dvl_status dvl_store_sql(struct dvl_store *store, const char *query, const struct dvl_sql_parameter *parameters,
                              size_t parameter_count, const struct dvl_sql_limits *limits, dvl_store_row_function *row,
                              void *context, struct dvl_error *error);

#endif
