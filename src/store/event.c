/* The chain of events: each row carries the hash of the one before it, so that
 * no row can be changed, dropped or slipped in without the rest giving it
 * away. */
#include "statement.h"

#include "../render/json.h"

#include <stdio.h>
#include <string.h>

struct head {
    int64_t seq, at;
    unsigned char hash[DVL_HASH_SIZE]; /* zeros before the first event */
};

static enum dvl_status read_head(struct dvl_store *store, struct head *head, struct dvl_error *error)
{
    struct dvl_statement *statement;
    bool row = false;
    memset(head, 0, sizeof *head);
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_EVENT_LAST, &statement, error);
    if (status != DVL_OK)
        return status;
    status = dvl_statement_step(statement, &row, error);
    if (status == DVL_OK && row) {
        size_t length = 0;
        const void *hash = dvl_column_blob(statement, "hash", &length);
        head->seq = dvl_column_int(statement, "seq");
        head->at = dvl_column_int(statement, "at");
        if (length == DVL_HASH_SIZE)
            memcpy(head->hash, hash, DVL_HASH_SIZE);
        else
            status = dvl_error_set(error, DVL_DATABASE, "event %lld has no hash", (long long)head->seq);
    }
    dvl_statement_done(statement);
    return status;
}

static struct dvl_hash_column column_of(const char *text)
{
    return (struct dvl_hash_column){.text = text, .length = text ? strlen(text) : 0};
}

static enum dvl_status hash_event(struct dvl_store *store, const struct head *last, const struct head *next,
                                  const struct dvl_event *event, const char *detail, unsigned char out[DVL_HASH_SIZE])
{
    char seq[24], at[24];
    (void)snprintf(seq, sizeof seq, "%lld", (long long)next->seq);
    (void)snprintf(at, sizeof at, "%lld", (long long)next->at);
    const struct dvl_hash_column columns[DVL_HASH_COLUMNS] = {
        column_of(seq),         column_of(at),          column_of(event->actor), column_of(event->command),
        column_of(event->kind), column_of(event->node), column_of(event->pod),   column_of(event->device),
        column_of(detail),
    };
    if (!store->hasher)
        store->hasher = dvl_hasher_new();
    return store->hasher && dvl_hasher_event(store->hasher, last->hash, columns, out) ? DVL_OK : DVL_NO_MEMORY;
}

static enum dvl_status insert(struct dvl_store *store, const struct head *last, const struct head *next,
                              const struct dvl_event *event, const char *detail, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_EVENT_APPEND, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "seq", next->seq);
    dvl_bind_int(statement, "at", next->at);
    dvl_bind_text(statement, "actor", event->actor);
    dvl_bind_text(statement, "command", event->command);
    dvl_bind_text(statement, "kind", event->kind);
    dvl_bind_text(statement, "node", event->node);
    dvl_bind_text(statement, "pod", event->pod);
    dvl_bind_text(statement, "device", event->device);
    dvl_bind_text(statement, "detail", detail);
    dvl_bind_blob(statement, "prev_hash", last->hash, DVL_HASH_SIZE);
    dvl_bind_blob(statement, "hash", next->hash, DVL_HASH_SIZE);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_event_append(struct dvl_store *store, const struct dvl_event *event, struct dvl_error *error)
{
    struct head last, next;
    struct dvl_buffer detail;
    dvl_buffer_init(&detail);
    enum dvl_status status = read_head(store, &last, error);
    if (status != DVL_OK)
        goto out;
    if (event->detail)
        dvl_json_write(&detail, event->detail);
    else
        dvl_buffer_text(&detail, "{}");
    next.seq = last.seq + 1;
    next.at = event->at > last.at ? event->at : last.at;
    if (detail.failed || hash_event(store, &last, &next, event, detail.text, next.hash) != DVL_OK) {
        status = dvl_error_memory(error);
        goto out;
    }
    status = insert(store, &last, &next, event, detail.text, error);
    if (status == DVL_OK) {
        store->event_seq = next.seq;
        memcpy(store->event_hash, next.hash, DVL_HASH_SIZE);
    }
out:
    dvl_buffer_clear(&detail);
    return status;
}

enum dvl_status dvl_event_last_time(struct dvl_store *store, int64_t *at, struct dvl_error *error)
{
    struct head head;
    enum dvl_status status = read_head(store, &head, error);
    *at = head.at;
    return status;
}
