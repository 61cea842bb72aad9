/* One node and one pod: filter code, chosen slices, device score. */
#include "decide.h"

#include <math.h>
#include <string.h>

enum dvl_status dvl_question_of(struct dvl_call *call, struct dvl_arena *arena, const struct dvl_pod *pod,
                                int64_t pod_id, struct dvl_question *out)
{
    const struct dvl_backends *backends = &call->ledger->backends;
    *out = (struct dvl_question){.call = call, .pod = pod, .pod_id = pod_id};
    out->parts = dvl_arena_array(arena, backends->count, sizeof *out->parts);
    if (!out->parts)
        return dvl_error_memory(call->error);
    for (size_t i = 0; i < backends->count; i++) {
        const struct dvl_backend *backend = &backends->items[i];
        if (!backend->enabled)
            continue;
        struct dvl_part *part = &out->parts[out->count];
        enum dvl_status status = backend->ops->read_request(backend, pod, arena, &part->request, call->error);
        if (status != DVL_OK)
            return status;
        part->backend = backend;
        if (part->request.ask_count || part->request.refusal)
            out->count++;
    }
    return DVL_OK;
}

/* ---- The node as one backend sees it ---- */

static enum dvl_status load_unheld(const struct dvl_question *question, const struct dvl_backend *backend,
                                   struct dvl_node_state *state)
{
    struct dvl_statement *statement;
    struct dvl_error *error = question->call->error;
    enum dvl_status status = dvl_statement_take(question->call->store, DVL_QUERY_POD_UNHELD_CORES, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "node_name", state->name);
    dvl_bind_text(statement, "backend", backend->name);
    dvl_bind_int(statement, "without_pod_id", question->pod_id);
    bool row;
    status = dvl_statement_step(statement, &row, error);
    if (status == DVL_OK && row)
        state->unheld = dvl_column_int(statement, "cores");
    dvl_statement_done(statement);
    return status;
}

static enum dvl_status load_devices(const struct dvl_question *question, struct dvl_arena *arena,
                                    const struct dvl_name_id *node, const struct dvl_backend *backend,
                                    struct dvl_node_state *state)
{
    struct dvl_call *call = question->call;
    struct dvl_device_rows rows;
    enum dvl_status status = dvl_devices_of_backend(call->store, arena, node->id, backend->name, &rows, call->error);
    if (status != DVL_OK)
        return status;
    struct dvl_device **devices = dvl_arena_array(arena, rows.count, sizeof(struct dvl_device *));
    if (!devices)
        return dvl_error_memory(call->error);
    for (size_t i = 0; i < rows.count; i++)
        devices[i] = &rows.items[i].device;
    state->devices = devices;
    state->device_count = rows.count;
    const struct dvl_slices_query query = {
        .node_id = node->id, .backend = backend->name, .now = call->clock, .without_pod_id = question->pod_id};
    return dvl_slices_of_node(call->store, arena, &query, state, call->error);
}

static enum dvl_status load_state(const struct dvl_question *question, struct dvl_arena *arena,
                                  const struct dvl_name_id *node, const struct dvl_backend *backend,
                                  struct dvl_node_state *state)
{
    struct dvl_inventory inventory;
    enum dvl_status status =
        dvl_node_backend_load(question->call->store, arena, node->id, backend->name, &inventory, question->call->error);
    *state = (struct dvl_node_state){.name = node->name,
                                     .present = inventory.present,
                                     .schedulable = inventory.schedulable,
                                     .reason = inventory.reason,
                                     .message = inventory.message,
                                     .capacity = inventory.capacity,
                                     .soft = inventory.soft};
    if (status != DVL_OK || !state->present)
        return status;
    status = load_devices(question, arena, node, backend, state);
    /* Only a backend that counts cores by the node asks for this. */
    if (status == DVL_OK && backend->ops->score_batch)
        status = load_unheld(question, backend, state);
    return status;
}

/* ---- The verdict ---- */

struct judge {
    const struct dvl_question *question;
    struct dvl_arena *arena;
    const struct dvl_part *part;
    struct dvl_node_state state;
    struct dvl_verdict *out;
};

static enum dvl_status refuse(struct judge *judge, enum dvl_code code, const char *reason, const char *message)
{
    judge->out->code = code;
    judge->out->backend = judge->part->backend;
    judge->out->reason = reason;
    judge->out->message = message;
    return reason && message ? DVL_OK : dvl_error_memory(judge->question->call->error);
}

static enum dvl_status fit(struct judge *judge, bool alone, struct dvl_fit *out)
{
    const struct dvl_fit_query query = {.backend = judge->part->backend,
                                        .node = &judge->state,
                                        .pod = judge->question->pod,
                                        .request = &judge->part->request,
                                        .alone = alone,
                                        .explain = judge->question->explain && !alone,
                                        .arena = judge->arena};
    *out = (struct dvl_fit){0};
    return judge->part->backend->ops->fit(&query, out, judge->question->call->error);
}

/* It does not fit now: would it, if every other pod's slices were gone? (D11) */
static enum dvl_status tell_why(struct judge *judge, const struct dvl_fit *now)
{
    judge->out->devices = now->devices;
    judge->out->device_count = now->device_verdict_count;
    if (now->never)
        return refuse(judge, DVL_CODE_ERROR, now->reason, now->message);
    struct dvl_fit alone = {0};
    enum dvl_status status = judge->state.schedulable ? fit(judge, true, &alone) : DVL_OK;
    if (status != DVL_OK)
        return status;
    if (alone.fits)
        return refuse(judge, DVL_CODE_UNSCHEDULABLE, now->reason, now->message);
    /* The reason that no release of other pods would cure is the one to tell. */
    const struct dvl_fit *told = alone.reason ? &alone : now;
    return refuse(judge, DVL_CODE_NEVER, told->reason, told->message);
}

static int64_t free_cores(const struct dvl_node_state *state)
{
    int64_t free = state->capacity == DVL_UNSET ? 0 : state->capacity - state->unheld;
    for (size_t i = 0; i < state->slice_count; i++)
        free -= state->slices[i]->ai_cores;
    return free;
}

static enum dvl_status judge_part(struct judge *judge, const struct dvl_name_id *node, struct dvl_fit *out)
{
    const struct dvl_backend *backend = judge->part->backend;
    enum dvl_status status = load_state(judge->question, judge->arena, node, backend, &judge->state);
    if (status != DVL_OK)
        return status;
    if (!judge->state.present) /* D2: who lacks an asked backend does not fit */
        return refuse(judge, DVL_CODE_NEVER, "no_devices",
                      dvl_arena_format(judge->arena, "node has no %s devices", backend->name));
    if (judge->part->request.refusal)
        return refuse(judge, DVL_CODE_ERROR, judge->part->request.refusal, judge->part->request.refusal_message);
    status = fit(judge, false, out);
    if (status != DVL_OK)
        return status;
    if (!out->fits)
        return tell_why(judge, out);
    if (judge->part == judge->question->parts) {
        judge->out->devices = out->devices;
        judge->out->device_count = out->device_verdict_count;
    }
    if (backend->ops->score_batch) {
        judge->out->batch = judge->part;
        judge->out->batch_fit = out;
        judge->out->free = free_cores(&judge->state);
    } else {
        judge->out->device_score += out->score;
    }
    return DVL_OK;
}

enum dvl_status dvl_judge(const struct dvl_question *question, struct dvl_arena *arena, const struct dvl_name_id *node,
                          struct dvl_verdict *out)
{
    *out = (struct dvl_verdict){.code = DVL_CODE_FITS};
    out->fits = dvl_arena_array(arena, question->count, sizeof *out->fits);
    if (!out->fits)
        return dvl_error_memory(question->call->error);
    for (size_t i = 0; i < question->count && out->code == DVL_CODE_FITS; i++) {
        struct judge judge = {.question = question, .arena = arena, .part = &question->parts[i], .out = out};
        enum dvl_status status = judge_part(&judge, node, &out->fits[i]);
        if (status != DVL_OK)
            return status;
    }
    return DVL_OK;
}

int64_t dvl_node_score(const struct dvl_config *config, double device_score)
{
    return (int64_t)floor(device_score + 0.5) * config->scheduler.weight;
}
