/* Everything that can be checked about a file. Each check is on its own: what
 * one can't read becomes a problem, and the next goes on, so that a damaged
 * file is told about as far as it reads. All of them see one snapshot. */
#include "../digest.h"
#include "statement.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PROBLEMS_MOST = 100 }; /* of one check; how many more there are is said */

struct report {
    struct dvl_store *store;
    struct dvl_arena *arena;
    struct dvl_value *problems;
    bool failed; /* memory */
    int count;   /* of the check that runs */
};

static void add(struct report *report, const char *kind, const char *text)
{
    struct dvl_value *problem = dvl_value_map(report->arena);
    report->failed = !dvl_value_set(problem, "kind", dvl_value_string(report->arena, kind)) ||
                     !dvl_value_set(problem, "text", dvl_value_string(report->arena, text)) ||
                     !dvl_value_add(report->problems, problem) || report->failed;
}

static void found(struct report *report, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void found(struct report *report, const char *kind, const char *format, ...)
{
    struct dvl_error text;
    va_list arguments;
    if (report->count++ >= PROBLEMS_MOST)
        return;
    va_start(arguments, format);
    (void)dvl_error_set_va(&text, DVL_DATABASE, format, arguments);
    va_end(arguments);
    add(report, kind, text.message);
}

/* Ends one check: what it could not read is a problem, too; only memory and a
 * lock that did not come end the whole. */
static enum dvl_status check_done(struct report *report, const char *kind, enum dvl_status status,
                                  struct dvl_error *error)
{
    int more = report->count - PROBLEMS_MOST;
    report->count = 0;
    if (more > 0)
        found(report, kind, "and %d more", more);
    report->count = 0;
    if (report->failed || report->store->starved || status == DVL_NO_MEMORY)
        return dvl_error_memory(error);
    if (status == DVL_OK || status == DVL_BUSY)
        return status;
    add(report, kind, error->message);
    dvl_error_clear(error);
    return DVL_OK;
}

/* ---- SQLite's own checks ---- */

static enum dvl_status check_pages(struct report *report, struct dvl_error *error)
{
    sqlite3_stmt *raw = NULL;
    int code = sqlite3_prepare_v2(report->store->db, "PRAGMA integrity_check", -1, &raw, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(raw);
        const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(raw, 0) : NULL;
        if (text && strcmp(text, "ok") != 0)
            found(report, "integrity", "%s", text);
    }
    enum dvl_status status =
        code == SQLITE_DONE ? DVL_OK : dvl_sqlite_error(report->store, code, "PRAGMA integrity_check", error);
    sqlite3_finalize(raw);
    return check_done(report, "integrity", status, error);
}

static enum dvl_status check_references(struct report *report, struct dvl_error *error)
{
    sqlite3_stmt *raw = NULL;
    int code = sqlite3_prepare_v2(report->store->db, "PRAGMA foreign_key_check", -1, &raw, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(raw);
        if (code == SQLITE_ROW)
            found(report, "reference", "row %lld of %s refers to a row of %s that is not there",
                  (long long)sqlite3_column_int64(raw, 1), (const char *)sqlite3_column_text(raw, 0),
                  (const char *)sqlite3_column_text(raw, 2));
    }
    enum dvl_status status =
        code == SQLITE_DONE ? DVL_OK : dvl_sqlite_error(report->store, code, "PRAGMA foreign_key_check", error);
    sqlite3_finalize(raw);
    return check_done(report, "reference", status, error);
}

/* ---- The definition ---- */

/* One row of sqlite_schema on each side; the lists are in the same order. */
struct pair {
    struct dvl_statement *ours, *theirs;
    bool has_ours, has_theirs;
};

static int compare_names(const struct pair *pair)
{
    if (!pair->has_ours)
        return 1;
    if (!pair->has_theirs)
        return -1;
    int order = strcmp(dvl_column_text(pair->ours, "type"), dvl_column_text(pair->theirs, "type"));
    return order != 0 ? order : strcmp(dvl_column_text(pair->ours, "name"), dvl_column_text(pair->theirs, "name"));
}

static bool same_definition(const struct pair *pair)
{
    return dvl_text_same(dvl_column_text(pair->ours, "sql"), dvl_column_text(pair->theirs, "sql")) &&
           dvl_text_same(dvl_column_text(pair->ours, "tbl_name"), dvl_column_text(pair->theirs, "tbl_name"));
}

static enum dvl_status compare_definitions(struct report *report, struct pair *pair, struct dvl_error *error)
{
    enum dvl_status status = dvl_statement_step(pair->ours, &pair->has_ours, error);
    if (status == DVL_OK)
        status = dvl_statement_step(pair->theirs, &pair->has_theirs, error);
    while (status == DVL_OK && (pair->has_ours || pair->has_theirs)) {
        int order = compare_names(pair);
        if (order < 0)
            found(report, "schema", "the %s %s is missing", dvl_column_text(pair->ours, "type"),
                  dvl_column_text(pair->ours, "name"));
        else if (order > 0)
            found(report, "schema", "the %s %s is not this program's", dvl_column_text(pair->theirs, "type"),
                  dvl_column_text(pair->theirs, "name"));
        else if (!same_definition(pair))
            found(report, "schema", "the %s %s was changed", dvl_column_text(pair->theirs, "type"),
                  dvl_column_text(pair->theirs, "name"));
        if (order <= 0)
            status = dvl_statement_step(pair->ours, &pair->has_ours, error);
        if (order >= 0 && status == DVL_OK)
            status = dvl_statement_step(pair->theirs, &pair->has_theirs, error);
    }
    return status;
}

/* Against a ledger that this program just made. */
static enum dvl_status check_definition(struct report *report, struct dvl_error *error)
{
    const struct dvl_store_options options = {.path = ":memory:", .create = true};
    struct dvl_store *fresh = NULL;
    struct pair pair = {0};
    enum dvl_status status = dvl_store_open(&options, &fresh, error);
    if (status == DVL_OK)
        status = dvl_statement_take(fresh, DVL_QUERY_DEFINITION_ALL, &pair.ours, error);
    if (status == DVL_OK)
        status = dvl_statement_take(report->store, DVL_QUERY_DEFINITION_ALL, &pair.theirs, error);
    if (status == DVL_OK)
        status = compare_definitions(report, &pair, error);
    dvl_statement_done(pair.ours);
    dvl_statement_done(pair.theirs);
    dvl_store_close(fresh);
    return check_done(report, "schema", status, error);
}

/* ---- The chain ---- */

struct chain {
    int64_t seq, at; /* of the last event that is in order */
    unsigned char hash[DVL_HASH_SIZE];
    const unsigned char *expect; /* NULL: none */
    bool expect_found;
};

static void chain_advance(struct chain *chain, const unsigned char hash[DVL_HASH_SIZE])
{
    memcpy(chain->hash, hash, DVL_HASH_SIZE);
    if (chain->expect && memcmp(chain->expect, hash, DVL_HASH_SIZE) == 0)
        chain->expect_found = true;
}

static struct dvl_hash_column text_column(struct dvl_statement *statement, const char *name)
{
    int column = dvl_column_number(statement, name);
    const char *text = dvl_column_text_at(statement, column);
    return (struct dvl_hash_column){.text = text,
                                    .length = text ? (size_t)sqlite3_column_bytes(statement->raw, column) : 0};
}

static bool is_hash(struct dvl_statement *statement, const char *name, const unsigned char hash[DVL_HASH_SIZE])
{
    size_t length;
    const void *stored = dvl_column_blob(statement, name, &length);
    return length == DVL_HASH_SIZE && memcmp(stored, hash, DVL_HASH_SIZE) == 0;
}

/* What is wrong with the event that the statement stands on; NULL: nothing. */
static const char *judge_event(struct dvl_store *store, struct dvl_statement *statement, struct chain *chain)
{
    static const char *const names[DVL_HASH_COLUMNS] = {"seq",  "at",  "actor",  "command", "kind",
                                                        "node", "pod", "device", "detail"};
    struct dvl_hash_column columns[DVL_HASH_COLUMNS];
    unsigned char hash[DVL_HASH_SIZE];
    if (dvl_column_int(statement, "seq") != chain->seq + 1)
        return "an event before it is missing";
    if (dvl_column_int(statement, "at") < chain->at)
        return "it is earlier than the one before it";
    if (!is_hash(statement, "prev_hash", chain->hash))
        return "its prev_hash is not the hash of the event before it";
    for (int i = 0; i < DVL_HASH_COLUMNS; i++)
        columns[i] = text_column(statement, names[i]);
    if (!store->hasher)
        store->hasher = dvl_hasher_new();
    if (!store->hasher || !dvl_hasher_event(store->hasher, chain->hash, columns, hash)) {
        store->starved = true;
        return "memory is out";
    }
    if (!is_hash(statement, "hash", hash))
        return "its hash is not that of what it says";
    chain->seq = dvl_column_int(statement, "seq");
    chain->at = dvl_column_int(statement, "at");
    chain_advance(chain, hash);
    return NULL;
}

static enum dvl_status check_chain(struct report *report, struct chain *chain, struct dvl_error *error)
{
    static const unsigned char zeros[DVL_HASH_SIZE];
    struct dvl_statement *statement;
    const char *wrong = NULL;
    bool row = true;
    chain_advance(chain, zeros);
    enum dvl_status status = dvl_statement_take(report->store, DVL_QUERY_EVENT_CHAIN, &statement, error);
    while (status == DVL_OK && !wrong && (status = dvl_statement_step(statement, &row, error)) == DVL_OK && row) {
        wrong = judge_event(report->store, statement, chain);
        if (wrong)
            found(report, "chain", "the chain breaks at event %lld: %s", (long long)dvl_column_int(statement, "seq"),
                  wrong);
    }
    dvl_statement_done(statement);
    return check_done(report, "chain", status, error);
}

/* ---- Sums, versions, slices, conflicts ---- */

static enum dvl_status check_rows(struct report *report, const char *kind, enum dvl_query query,
                                  struct dvl_error *error)
{
    struct dvl_statement *statement;
    bool row = true;
    enum dvl_status status = dvl_statement_take(report->store, query, &statement, error);
    while (status == DVL_OK && (status = dvl_statement_step(statement, &row, error)) == DVL_OK && row) {
        const char *text = dvl_column_text(statement, "text");
        found(report, kind, "%s", text ? text : "a row that can't be named");
    }
    dvl_statement_done(statement);
    return check_done(report, kind, status, error);
}

static enum dvl_status check_all_rows(struct report *report, struct dvl_error *error)
{
    static const struct {
        const char *kind;
        enum dvl_query query;
    } checks[] = {
        {"used_amounts", DVL_QUERY_VERIFY_USED_AMOUNTS}, {"version", DVL_QUERY_VERIFY_NODE_VERSIONS},
        {"version", DVL_QUERY_VERIFY_DEVICE_VERSIONS},   {"version", DVL_QUERY_VERIFY_POD_VERSIONS},
        {"version", DVL_QUERY_VERIFY_OVERLAPS},          {"slice", DVL_QUERY_VERIFY_SLICES},
        {"chain", DVL_QUERY_VERIFY_NEWER_ROWS},
    };
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && status == DVL_OK; i++)
        status = check_rows(report, checks[i].kind, checks[i].query, error);
    return status;
}

static enum dvl_status check_configs(struct report *report, struct dvl_error *error)
{
    struct dvl_statement *statement;
    char sum[DVL_SHA256_SIZE];
    bool row = true;
    enum dvl_status status = dvl_statement_take(report->store, DVL_QUERY_VERIFY_CONFIGS, &statement, error);
    while (status == DVL_OK && (status = dvl_statement_step(statement, &row, error)) == DVL_OK && row) {
        const char *text = dvl_column_text(statement, "text");
        if (!dvl_sha256_hex(text, text ? strlen(text) : 0, sum))
            status = dvl_error_memory(error);
        else if (!dvl_text_same(sum, dvl_column_text(statement, "sha256")))
            found(report, "config", "configuration %lld (%s): its text is not that of its sha256",
                  (long long)dvl_column_int(statement, "id"), dvl_column_text(statement, "kind"));
    }
    dvl_statement_done(statement);
    return check_done(report, "config", status, error);
}

static enum dvl_status count_conflicts(struct report *report, struct dvl_value **out, struct dvl_error *error)
{
    struct dvl_statement *statement;
    bool row = false;
    *out = dvl_value_null(report->arena);
    enum dvl_status status = dvl_statement_take(report->store, DVL_QUERY_VERIFY_CONFLICTS, &statement, error);
    if (status == DVL_OK)
        status = dvl_statement_step(statement, &row, error);
    if (status == DVL_OK && row)
        *out = dvl_value_int(report->arena, dvl_column_int(statement, "conflicts"));
    dvl_statement_done(statement);
    return check_done(report, "conflicts", status, error);
}

/* ---- The whole ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static enum dvl_status read_hash(const char *text, unsigned char out[DVL_HASH_SIZE], struct dvl_error *error)
{
    bool good = strlen(text) == 2 * (size_t)DVL_HASH_SIZE;
    for (int i = 0; good && i < DVL_HASH_SIZE; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        good = high >= 0 && low >= 0;
        if (good)
            out[i] = (unsigned char)(high << 4 | low);
    }
    return good ? DVL_OK : dvl_error_set(error, DVL_BAD_INPUT, "%.80s is not a hash: 64 hex digits are", text);
}

static enum dvl_status run_checks(struct report *report, struct chain *chain, struct dvl_value **conflicts,
                                  struct dvl_error *error)
{
    enum dvl_status status = check_pages(report, error);
    if (status == DVL_OK)
        status = check_references(report, error);
    if (status == DVL_OK)
        status = check_definition(report, error);
    if (status == DVL_OK)
        status = check_chain(report, chain, error);
    if (status == DVL_OK)
        status = check_all_rows(report, error);
    if (status == DVL_OK)
        status = check_configs(report, error);
    if (status == DVL_OK)
        status = count_conflicts(report, conflicts, error);
    return status;
}

static struct dvl_value *answer(const struct report *report, const struct chain *chain, struct dvl_value *conflicts)
{
    char head[DVL_HASH_TEXT_SIZE];
    struct dvl_arena *arena = report->arena;
    struct dvl_value *map = dvl_value_map(arena);
    if (!dvl_value_set(map, "events", dvl_value_int(arena, chain->seq)) ||
        !dvl_value_set(map, "head", dvl_value_string(arena, dvl_hash_write(chain->hash, head))) ||
        !dvl_value_set(map, "problems", report->problems) || !dvl_value_set(map, "conflicts", conflicts))
        return NULL;
    if (chain->expect &&
        !dvl_value_set(map, "expected", dvl_value_string(arena, chain->expect_found ? "found" : "missing")))
        return NULL;
    return map;
}

enum dvl_status dvl_store_verify(struct dvl_store *store, const char *expect, struct dvl_arena *arena,
                                 struct dvl_value **out, struct dvl_error *error)
{
    unsigned char expected[DVL_HASH_SIZE];
    struct report report = {.store = store, .arena = arena, .problems = dvl_value_list(arena)};
    struct chain chain = {.expect = expect ? expected : NULL};
    struct dvl_value *conflicts = NULL;
    *out = NULL;
    enum dvl_status status = expect ? read_hash(expect, expected, error) : DVL_OK;
    if (status == DVL_OK)
        status = dvl_store_begin(store, DVL_READ, error);
    if (status != DVL_OK)
        return status;
    status = run_checks(&report, &chain, &conflicts, error);
    (void)dvl_store_end(store, false, NULL);
    if (status == DVL_OK && !(*out = answer(&report, &chain, conflicts)))
        status = dvl_error_memory(error);
    return status;
}
