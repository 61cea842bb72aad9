#include "scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool scratch_make(struct scratch *scratch)
{
    const char *where = getenv("TMPDIR");
    int length = snprintf(scratch->folder, sizeof scratch->folder, "%s/devledger-test-XXXXXX", where ? where : "/tmp");
    if (length < 0 || (size_t)length >= sizeof scratch->folder || !mkdtemp(scratch->folder))
        return false;
    (void)snprintf(scratch->path, sizeof scratch->path, "%s/ledger.db", scratch->folder);
    return true;
}

void scratch_remove(const struct scratch *scratch)
{
    DIR *folder = opendir(scratch->folder);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL)
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        (void)closedir(folder);
    (void)rmdir(scratch->folder);
}

const char *scratch_file(const struct scratch *scratch, const char *name)
{
    static char path[320];
    (void)snprintf(path, sizeof path, "%s/%s", scratch->folder, name);
    return path;
}

enum dvl_status scratch_open(const char *path, struct dvl_store **out, struct dvl_error *error)
{
    const struct dvl_store_options options = {.path = path, .create = true, .wait_ms = 20000};
    return dvl_store_open(&options, out, error);
}

enum dvl_status scratch_open_read_only(const char *path, struct dvl_store **out, struct dvl_error *error)
{
    const struct dvl_store_options options = {.path = path, .read_only = true};
    return dvl_store_open(&options, out, error);
}

enum dvl_status scratch_insert(struct dvl_store *store, const char *name, struct dvl_error *error)
{
    struct dvl_statement *statement;
    const struct dvl_event event = {.at = 1, .actor = "test", .command = "test", .kind = "node_created", .node = name};
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "name", name);
    dvl_bind_text(statement, "labels", "{}");
    dvl_bind_text(statement, "annotations", "{}");
    dvl_bind_text(statement, "capacity", "{}");
    dvl_bind_text(statement, "allocatable", "{}");
    dvl_bind_int(statement, "now", 1);
    status = dvl_statement_run(statement, NULL, error);
    return status == DVL_OK ? dvl_event_append(store, &event, error) : status;
}

enum dvl_status scratch_write(struct dvl_store *store, const char *name, struct dvl_error *error)
{
    enum dvl_status status = dvl_store_begin(store, DVL_WRITE, error);
    if (status != DVL_OK)
        return status;
    status = scratch_insert(store, name, error);
    if (status == DVL_OK)
        return dvl_store_end(store, true, error);
    (void)dvl_store_end(store, false, NULL);
    return status;
}

enum dvl_status scratch_has_node(struct dvl_store *store, const char *name, bool *out, struct dvl_error *error)
{
    struct dvl_statement *statement;
    *out = false;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_NODE_BY_NAME, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "name", name);
    status = dvl_statement_step(statement, out, error);
    dvl_statement_done(statement);
    return status;
}

static int take_count(void *context, const struct dvl_value *row)
{
    int64_t *counts = context;
    (void)dvl_value_int64(dvl_value_find(row, "nodes"), &counts[0]);
    (void)dvl_value_int64(dvl_value_find(row, "events"), &counts[1]);
    return 0;
}

enum dvl_status scratch_count(struct dvl_store *store, int64_t *nodes, int64_t *events, struct dvl_error *error)
{
    int64_t counts[2] = {-1, -1};
    enum dvl_status status =
        dvl_store_sql(store, "SELECT (SELECT count(*) FROM node) AS nodes, (SELECT count(*) FROM event) AS events",
                      NULL, 0, NULL, take_count, counts, error);
    *nodes = counts[0];
    *events = counts[1];
    return status;
}

int scratch_problems(struct dvl_store *store, struct dvl_error *error)
{
    struct dvl_arena arena;
    struct dvl_value *answer;
    int count = -1;
    dvl_arena_init(&arena, 0);
    if (dvl_store_verify(store, NULL, &arena, &answer, error) == DVL_OK) {
        const struct dvl_value *problems = dvl_value_find(answer, "problems");
        count = (int)problems->count;
        if (count > 0)
            (void)dvl_error_set(error, DVL_DATABASE, "%s", dvl_value_find_text(problems->first, "text"));
    }
    dvl_arena_clear(&arena);
    return count;
}
