/* The table of verbs, and the driver that gives each its transaction.
 *
 * Request text → value → one transaction around one handler → answer. */
#include "verbs.h"

#include "../answer.h"
#include "../intake/intake.h"
#include "../manifest/manifest.h"
#include "../timestamp.h"

#include <stdlib.h>
#include <string.h>

#define MEMBERS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_MEMBERS ((const char *const[]){NULL})

const struct dvl_verb dvl_verbs[] = {
    {"allocate", DVL_VERB_WRITE, MEMBERS("pod", "node", "ttl"), dvl_verb_allocate},
    {"apply", DVL_VERB_OWN, MEMBERS("object", "objects", "dryRun"), dvl_verb_apply},
    {"backup", DVL_VERB_OWN, MEMBERS("path"), dvl_verb_backup},
    {"begin", DVL_VERB_OWN, NO_MEMBERS, dvl_verb_begin},
    {"bind", DVL_VERB_WRITE, MEMBERS("pod", "node"), dvl_verb_bind},
    {"commit", DVL_VERB_OWN, NO_MEMBERS, dvl_verb_commit},
    {"config", DVL_VERB_WRITE, MEMBERS("scheduler", "devices", "text"), dvl_verb_config},
    {"config-check", DVL_VERB_READ, MEMBERS("scheduler", "devices", "text"), dvl_verb_config_check},
    {"config-show", DVL_VERB_READ, NO_MEMBERS, dvl_verb_config_show},
    {"delete", DVL_VERB_WRITE, MEMBERS("kind", "name"), dvl_verb_delete},
    {"describe", DVL_VERB_READ, MEMBERS("kind", "name", "namespace", "backend", "all"), dvl_verb_describe},
    {"filter", DVL_VERB_OWN, MEMBERS("pod", "nodes", "explain"), dvl_verb_filter},
    {"get", DVL_VERB_READ,
     MEMBERS("kind", "name", "namespace", "node", "backend", "pod", "selector", "all", "limit", "sortBy"),
     dvl_verb_get},
    {"lock", DVL_VERB_WRITE, MEMBERS("node", "name", "holder"), dvl_verb_lock},
    {"log", DVL_VERB_READ, MEMBERS("since", "until", "pod", "node", "namespace", "after", "limit"), dvl_verb_log},
    {"release", DVL_VERB_WRITE, MEMBERS("pod"), dvl_verb_release},
    {"rollback", DVL_VERB_OWN, NO_MEMBERS, dvl_verb_rollback},
    {"schedule", DVL_VERB_OWN, MEMBERS("pod", "nodes", "dryRun", "bind", "ttl"), dvl_verb_schedule},
    {"score", DVL_VERB_READ, MEMBERS("pod", "nodes"), dvl_verb_score},
    {"sql", DVL_VERB_OWN, MEMBERS("query", "params"), dvl_verb_sql},
    {"unlock", DVL_VERB_WRITE, MEMBERS("node", "name", "holder"), dvl_verb_unlock},
    {"verify", DVL_VERB_OWN, MEMBERS("expect"), dvl_verb_verify},
    {NULL, DVL_VERB_READ, NULL, NULL},
};

/* ---- For handlers ---- */

enum dvl_status dvl_request_text(struct dvl_call *call, const char *name, const char **out)
{
    const struct dvl_value *value = dvl_value_find(call->request, name);
    *out = NULL;
    if (!value || value->kind == DVL_VALUE_NULL)
        return DVL_OK;
    if (value->kind != DVL_VALUE_STRING)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"%s\" must be a string", name);
    *out = value->text;
    return DVL_OK;
}

enum dvl_status dvl_request_bool(struct dvl_call *call, const char *name, bool otherwise, bool *out)
{
    const struct dvl_value *value = dvl_value_find(call->request, name);
    *out = otherwise;
    if (!value || value->kind == DVL_VALUE_NULL)
        return DVL_OK;
    if (value->kind != DVL_VALUE_BOOL)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"%s\" must be true or false", name);
    *out = value->truth;
    return DVL_OK;
}

enum dvl_status dvl_call_event(struct dvl_call *call, const char *kind, const char *node, const char *pod,
                               const char *device, const struct dvl_value *detail)
{
    const struct dvl_event event = {.at = call->now,
                                    .actor = call->ledger->actor,
                                    .command = call->ledger->command,
                                    .kind = kind,
                                    .node = node,
                                    .pod = pod,
                                    .device = device,
                                    .detail = detail};
    return dvl_event_append(call->store, &event, call->error);
}

/* ---- The driver ---- */

static const struct dvl_verb *find_verb(const char *name)
{
    for (const struct dvl_verb *verb = dvl_verbs; verb->name; verb++) {
        if (strcmp(verb->name, name) == 0)
            return verb;
    }
    return NULL;
}

static bool is_member(const struct dvl_verb *verb, const char *name)
{
    static const char *const common[] = {"op", "id", "now"};
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        if (strcmp(name, common[i]) == 0)
            return true;
    }
    for (const char *const *member = verb->members; *member; member++) {
        if (strcmp(name, *member) == 0)
            return true;
    }
    return false;
}

static enum dvl_status check_members(const struct dvl_verb *verb, const struct dvl_value *request,
                                     struct dvl_error *error)
{
    for (const struct dvl_value *member = request->first; member; member = member->next) {
        if (!is_member(verb, member->key))
            return dvl_error_set(error, DVL_BAD_INPUT, "%s does not take \"%.64s\"", verb->name, member->key);
    }
    return DVL_OK;
}

static enum dvl_status read_now(struct dvl_call *call)
{
    const char *text;
    call->clock = call->now = dvl_time_now();
    enum dvl_status status = dvl_request_text(call, "now", &text);
    if (status != DVL_OK || !text)
        return status;
    /* The end leaves room for terms and spans before the year 10000. */
    static const int64_t last = 253370764800000000; /* 9999-01-01 */
    if (!dvl_time_read(text, &call->clock) || call->clock < 0 || call->clock >= last)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"now\" is not an RFC 3339 time from 1970 to 9998: \"%.64s\"",
                             text);
    call->now = call->clock;
    call->now_given = true;
    return DVL_OK;
}

/* Inside the transaction: `now` never runs behind the last event. */
static enum dvl_status settle_time(struct dvl_call *call)
{
    int64_t last;
    enum dvl_status status = dvl_event_last_time(call->store, &last, call->error);
    if (status != DVL_OK || call->now >= last)
        return status;
    if (call->now_given)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"now\" is earlier than the last event");
    call->now = last;
    return DVL_OK;
}

enum dvl_status dvl_call_begin(struct dvl_call *call, enum dvl_access access)
{
    enum dvl_status status = dvl_store_begin(call->store, access, call->error);
    if (status != DVL_OK)
        return status;
    status = settle_time(call);
    if (status == DVL_OK)
        status = dvl_ledger_config(call->ledger, call->error);
    if (status == DVL_OK && access == DVL_WRITE)
        status = dvl_expire(call);
    return status == DVL_OK ? DVL_OK : dvl_call_end(call, status);
}

/* Whoever did not look whether a piece of memory could be had left something
 * out: nothing of that may be kept or answered. */
static enum dvl_status check_memory(const struct dvl_call *call, enum dvl_status status)
{
    return status == DVL_OK && call->arena->failed ? dvl_error_memory(call->error) : status;
}

enum dvl_status dvl_call_end(struct dvl_call *call, enum dvl_status status)
{
    status = check_memory(call, status);
    if (status != DVL_OK) {
        dvl_store_end(call->store, false, NULL); /* the first error is the one to tell */
        call->ledger->config_ids[0] = call->ledger->config_ids[1] = -1;
        return status;
    }
    return dvl_store_end(call->store, true, call->error);
}

static enum dvl_status run(struct dvl_call *call, const struct dvl_verb *verb)
{
    if (verb->access == DVL_VERB_OWN)
        return verb->run(call);
    enum dvl_status status = dvl_call_begin(call, verb->access == DVL_VERB_WRITE ? DVL_WRITE : DVL_READ);
    if (status != DVL_OK)
        return status;
    return dvl_call_end(call, verb->run(call));
}

static enum dvl_status find_and_run(struct dvl_call *call)
{
    if (!call->request || call->request->kind != DVL_VALUE_MAP)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "a request is one JSON object");
    const char *op;
    enum dvl_status status = dvl_request_text(call, "op", &op);
    if (status != DVL_OK)
        return status;
    if (!op)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "a request needs an \"op\"");
    const struct dvl_verb *verb = find_verb(op);
    if (!verb)
        return dvl_error_set(call->error, DVL_UNSUPPORTED, "no operation is called \"%.64s\"", op);
    status = check_members(verb, call->request, call->error);
    if (status == DVL_OK)
        status = read_now(call);
    return status == DVL_OK ? run(call, verb) : status;
}

/* What stands before the handler's members: the request's id, then "ok", which
 * is answered. NULL when memory is out. */
static struct dvl_value *open_answer(struct dvl_value *map, struct dvl_arena *arena, const struct dvl_value *request)
{
    const struct dvl_value *id = dvl_value_find(request, "id");
    if (id && !dvl_value_set(map, "id", dvl_value_copy(arena, id)))
        return NULL;
    return dvl_value_set(map, "ok", dvl_value_bool(arena, true));
}

static bool add_error(struct dvl_value *map, struct dvl_arena *arena, enum dvl_status status, const char *message)
{
    struct dvl_value *error = dvl_value_set(map, "error", dvl_value_map(arena));
    return dvl_value_set(error, "code", dvl_value_string(arena, dvl_status_name(status))) &&
           dvl_value_set(error, "message", dvl_value_string(arena, message));
}

static void prepare(struct dvl_call *call, struct dvl_ledger *ledger, struct dvl_answer *answer)
{
    dvl_error_clear(&ledger->error);
    *call = (struct dvl_call){.ledger = ledger,
                              .store = ledger->store,
                              .answer = answer->value,
                              .arena = &answer->arena,
                              .error = &ledger->error};
}

/* Runs what was asked and completes an answer that says yes, or turns it into
 * a no. False: there is no memory to say no. */
static bool answer_call(struct dvl_call *call, struct dvl_value *map, struct dvl_value *ok, enum dvl_status *status)
{
    if (*status == DVL_OK)
        *status = check_memory(call, find_and_run(call));
    if (*status != DVL_OK) {
        dvl_value_set_truth(ok, false);
        return add_error(map, call->arena, *status, call->error->message);
    }
    if (call->answer->first) {
        map->last->next = call->answer->first;
        map->last = call->answer->last;
        map->count += call->answer->count;
    }
    return true;
}

enum dvl_status dvl_call(struct dvl_ledger *ledger, const char *request, size_t length, struct dvl_answer **out)
{
    *out = NULL;
    struct dvl_answer *answer = dvl_answer_new();
    if (!answer)
        return dvl_error_memory(&ledger->error);
    struct dvl_call call;
    struct dvl_value *asked = NULL;
    prepare(&call, ledger, answer);
    enum dvl_status status = dvl_json_read(call.arena, request, length, &asked, &ledger->error);
    call.request = status == DVL_OK ? asked : NULL;
    /* The handler's members go into a map of their own, so that what a refusal
     * had already answered is dropped. All that a yes needs is had before
     * anything is done: what was done must not be answered with a no. */
    call.answer = dvl_value_map(call.arena);
    struct dvl_value *ok = open_answer(answer->value, call.arena, call.request);
    if (!call.answer || !ok || !answer_call(&call, answer->value, ok, &status)) {
        dvl_answer_free(answer);
        return dvl_error_memory(&ledger->error);
    }
    *out = answer;
    return status;
}

enum dvl_status dvl_call_rows(struct dvl_ledger *ledger, const char *request, size_t length, dvl_row_function *row,
                              void *context)
{
    struct dvl_answer *answer = dvl_answer_new();
    if (!answer)
        return dvl_error_memory(&ledger->error);
    struct dvl_call call;
    prepare(&call, ledger, answer);
    call.row = row;
    call.row_context = context;
    struct dvl_value *asked = NULL;
    enum dvl_status status = dvl_json_read(call.arena, request, length, &asked, &ledger->error);
    call.request = asked;
    if (status == DVL_OK)
        status = find_and_run(&call);
    dvl_answer_free(answer);
    return status;
}
