/* Many nodes and one pod: filter, both scores, and the best.
 *
 * Nodes are judged one by one, each in memory of its own; what is compared
 * afterwards is kept in one small record a node. */
#include "decide.h"

#include <string.h>

static const char *keep(struct dvl_arena *arena, const char *text, bool *failed)
{
    const char *copy = dvl_arena_text(arena, text);
    *failed = *failed || (text && !copy);
    return copy;
}

static enum dvl_status fill(const struct dvl_question *question, const struct dvl_verdict *verdict,
                            struct dvl_candidate *out)
{
    struct dvl_arena *arena = question->call->arena;
    bool failed = false;
    out->code = verdict->code;
    if (verdict->code != DVL_CODE_FITS) {
        out->backend = verdict->backend->name;
        out->reason = keep(arena, verdict->reason, &failed);
        out->message = keep(arena, verdict->message, &failed);
        return failed ? dvl_error_memory(question->call->error) : DVL_OK;
    }
    const struct dvl_scheduler_config *config = &question->call->ledger->config.scheduler;
    out->device_score = verdict->device_score;
    out->score = config->weight ? dvl_node_score(&question->call->ledger->config, verdict->device_score) : 0;
    out->batch = verdict->batch;
    out->free = verdict->free;
    if (verdict->batch_fit) {
        out->downgraded_from = keep(arena, verdict->batch_fit->downgraded_from, &failed);
        out->downgraded_to = keep(arena, verdict->batch_fit->downgraded_to, &failed);
        out->downgrade_reason = keep(arena, verdict->batch_fit->downgrade_reason, &failed);
    }
    return failed ? dvl_error_memory(question->call->error) : DVL_OK;
}

/* The scores that only a view over all nodes can give. */
static enum dvl_status score_batch(const struct dvl_question *question, struct dvl_candidates *candidates)
{
    struct dvl_call *call = question->call;
    struct dvl_batch_node *nodes = dvl_arena_array(call->arena, candidates->count, sizeof *nodes);
    const struct dvl_part *part = NULL;
    size_t count = 0;
    if (!nodes)
        return dvl_error_memory(call->error);
    for (size_t i = 0; i < candidates->count; i++) {
        const struct dvl_candidate *candidate = &candidates->items[i];
        if (candidate->code != DVL_CODE_FITS || !candidate->batch)
            continue;
        part = candidate->batch;
        nodes[count++] = (struct dvl_batch_node){
            .name = candidate->node.name, .free = candidate->free, .downgraded = candidate->downgraded_to != NULL};
    }
    if (!part)
        return DVL_OK;
    part->backend->ops->score_batch(nodes, count);
    int64_t weight = call->ledger->config.scheduler.weight;
    for (size_t i = 0; i < count; i++) {
        /* By name: the backend has sorted them its own way. Both lists are the
         * same nodes, so a binary search over the candidates finds each. */
        size_t low = 0, high = candidates->count;
        while (low + 1 < high) {
            size_t middle = low + (high - low) / 2;
            if (strcmp(candidates->items[middle].node.name, nodes[i].name) <= 0)
                low = middle;
            else
                high = middle;
        }
        candidates->items[low].batch_score = nodes[i].score * weight;
    }
    return DVL_OK;
}

enum dvl_status dvl_judge_all(const struct dvl_question *question, const struct dvl_name_ids *nodes,
                              struct dvl_candidates *out, dvl_for_verdict *each, void *context)
{
    struct dvl_call *call = question->call;
    *out = (struct dvl_candidates){.count = nodes->count};
    out->items = dvl_arena_array(call->arena, nodes->count, sizeof *out->items);
    if (!out->items)
        return dvl_error_memory(call->error);
    struct dvl_arena scratch;
    dvl_arena_init(&scratch, 0);
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < nodes->count && status == DVL_OK; i++) {
        struct dvl_verdict verdict;
        dvl_arena_reset(&scratch);
        out->items[i].node = nodes->items[i];
        status = dvl_judge(question, &scratch, &nodes->items[i], &verdict);
        if (status == DVL_OK)
            status = fill(question, &verdict, &out->items[i]);
        if (status == DVL_OK && each)
            status = each(context, &out->items[i], &verdict);
        if (status == DVL_OK && scratch.failed)
            status = dvl_error_memory(call->error);
    }
    dvl_arena_clear(&scratch);
    if (status == DVL_OK)
        status = score_batch(question, out);
    for (size_t i = 0; i < out->count && status == DVL_OK; i++)
        out->items[i].total = out->items[i].score + out->items[i].batch_score;
    return status;
}

const struct dvl_candidate *dvl_best(const struct dvl_candidates *candidates)
{
    const struct dvl_candidate *best = NULL;
    for (size_t i = 0; i < candidates->count; i++) {
        const struct dvl_candidate *candidate = &candidates->items[i];
        if (candidate->code == DVL_CODE_FITS && (!best || candidate->total > best->total))
            best = candidate;
    }
    return best;
}
