/* A ledger in memory for tests of the schema itself, and the two things they
 * say: this statement is done, that one is refused with these words. Included
 * once by each test program. */
#ifndef DVL_TESTS_SCHEMA_WORLD_H
#define DVL_TESTS_SCHEMA_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/connection.h"

/* 2026-11-30T08:00:00Z; the tests' statements write T for it. */
#define SCHEMA_T "1796025600000000"

static inline struct dvl_store *schema_open(const char *path)
{
    struct dvl_store *store = NULL;
    struct dvl_error error = {0};
    struct dvl_store_options options = {.path = path, .create = true};
    if (dvl_store_open(&options, &store, &error) != DVL_OK)
        fail_msg("%s", error.message);
    return store;
}

/* T as a word of its own becomes the moment; `out` holds enough. */
static inline void schema_expand(const char *sql, char *out, size_t size)
{
    size_t used = 0;
    for (const char *at = sql; *at && used + sizeof SCHEMA_T < size; at++) {
        bool before = at == sql || strchr(" (,", at[-1]);
        bool word = *at == 'T' && before && strchr(" ,)+-;", at[1]);
        const char *piece = word ? SCHEMA_T : at;
        size_t length = word ? strlen(SCHEMA_T) : 1;
        memcpy(out + used, piece, length);
        used += length;
    }
    out[used] = '\0';
}

/* One or several statements; the sentence of a failure, or NULL. */
static inline char *schema_try(struct dvl_store *store, const char *sql)
{
    char text[4096];
    char *message = NULL;
    schema_expand(sql, text, sizeof text);
    int code = sqlite3_exec(store->db, text, NULL, NULL, &message);
    if (code != SQLITE_OK && !message)
        fail_msg("%s: %s", sqlite3_errstr(code), text);
    return message;
}

static inline void schema_do(struct dvl_store *store, const char *sql)
{
    char *message = schema_try(store, sql);
    if (message)
        fail_msg("%s: %s", message, sql);
}

/* Refused, and the sentence begins with `words`. */
static inline void schema_refuse(struct dvl_store *store, const char *words, const char *sql)
{
    char *message = schema_try(store, sql);
    if (!message)
        fail_msg("was not refused: %s", sql);
    if (strncmp(message, words, strlen(words)) != 0)
        fail_msg("refused with \"%s\" in place of \"%s\": %s", message, words, sql);
    sqlite3_free(message);
}

/* The rows of a query: columns joined by `|`, rows by a blank. */
static inline void schema_rows(struct dvl_store *store, const char *sql, const char *want)
{
    char text[4096];
    char got[4096] = "";
    sqlite3_stmt *statement = NULL;
    schema_expand(sql, text, sizeof text);
    if (sqlite3_prepare_v2(store->db, text, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(store->db), text);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const unsigned char *value = sqlite3_column_text(statement, i);
            size_t used = strlen(got);
            (void)snprintf(got + used, sizeof got - used, "%s%s",
                           i      ? "|"
                           : used ? " "
                                  : "",
                           value ? (const char *)value : "null");
        }
    assert_int_equal(code, SQLITE_DONE);
    sqlite3_finalize(statement);
    assert_string_equal(got, want);
}

/* Node 1 with device 1 (hami-core) and 2 (mig) of vgpu, 3 (gpushare), 4
 * (hami-Ascend310P), 5 (vnpu); node 2 with device 6 of vgpu; pods 1 to 4. */
static const char schema_cluster[] =
    "INSERT INTO node (name, updated_at) VALUES ('n1', T), ('n2', T);"
    "INSERT INTO device (node_id, backend, idx, uuid, type, mode, memory, cores, slots, ai_cores, ai_cpus, updated_at)"
    " VALUES (1, 'vgpu', 0, 'GPU-0', 'NVIDIA-A', 'hami-core', 8000, 100, 4, NULL, NULL, T),"
    " (1, 'vgpu', 1, 'GPU-1', 'NVIDIA-B', 'mig', 40536, 100, 7, NULL, NULL, T),"
    " (1, 'gpushare', 0, NULL, NULL, NULL, 15109, NULL, NULL, NULL, NULL, T),"
    " (1, 'hami-Ascend310P', 0, 'NPU-0', 'Ascend310P', NULL, 21527, 8, 7, 8, 7, T),"
    " (1, 'vnpu', 0, NULL, '310P3', NULL, NULL, 8, NULL, NULL, 7, T),"
    " (2, 'vgpu', 0, 'GPU-0', 'NVIDIA-A', 'hami-core', 8000, 100, 4, NULL, NULL, T);"
    "INSERT INTO pod (uid, namespace, name, queue, created_at, updated_at)"
    " VALUES ('u1', 'ml', 'a', 'q1', T, T), ('u2', 'ml', 'b', 'q1', T, T), ('u3', 'web', 'c', 'q2', T, T),"
    " ('u4', 'web', 'd', 'default', T, T);";

static inline int schema_setup(void **state)
{
    struct dvl_store *store = schema_open(":memory:");
    schema_do(store, schema_cluster);
    *state = store;
    return 0;
}

static inline int schema_teardown(void **state)
{
    dvl_store_close(*state);
    return 0;
}

#define SCHEMA_TEST(function) cmocka_unit_test_setup_teardown(function, schema_setup, schema_teardown)

#endif
