/* Rows → decision for vnpu: does the node take the pod, by which template, on
 * which chip.
 *
 * Everything is judged from the slices that are there now: dvpp, vGroups and
 * free amounts are never remembered (D19). Filter and allocation ask the same
 * function, so what fits can be placed (D15). */
#include "vnpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct judge {
    const struct dvl_fit_query *query;
    struct dvl_error *error;
    const struct dvl_vnpu_want *want;
    int64_t cores; /* of a chip; 0: unknown, the node has none */
    struct dvl_tally tally;
    struct dvl_device_verdict *verdicts; /* with explain; else NULL */
    int64_t found;                       /* chips that would do */
};

/* ---- One chip ---- */

/* What is in use on a chip: sums, and what its slices mean for others. */
struct chip_use {
    struct dvl_usage usage;
    bool unstable;
    bool dvpp_yes, dvpp_null;
    size_t vgroups;
};

enum { VGROUPS_MAX = 64 }; /* a chip has four; more are not told apart */

/* Adds the vGroups of one annotation: the different numbers after the last
 * underscore of its items. */
static void add_vgroups(const char *real, int64_t *groups, size_t *count)
{
    struct dvl_span rest = dvl_span_of(real), item;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ',', &item)) {
        struct dvl_span word = dvl_span_trim(item);
        size_t start = word.length;
        int64_t group;
        while (start > 0 && word.start[start - 1] != '_')
            start--;
        if (!start ||
            !dvl_text_int64((struct dvl_span){.start = word.start + start, .length = word.length - start}, &group))
            continue;
        bool known = *count == VGROUPS_MAX;
        for (size_t i = 0; i < *count; i++)
            known = known || groups[i] == group;
        if (!known)
            groups[(*count)++] = group;
    }
}

/* The part of a chip's use that needs its holders' annotations. */
static enum dvl_status read_marks(const struct judge *judge, const struct dvl_device *chip, struct chip_use *out)
{
    int64_t groups[VGROUPS_MAX];
    for (size_t i = 0; i < chip->slice_count && !judge->query->alone; i++) {
        const struct dvl_slice *slice = chip->slices[i];
        const char *real;
        enum dvl_status status = dvl_vnpu_real(slice->holder, judge->query->arena, &real, judge->error);
        if (status != DVL_OK)
            return status;
        /* D35, D33: the chip's real state is not known while somebody else's
         * slice waits to be created; the ledger's own slices are known. */
        out->unstable = out->unstable || (slice->observed && !real);
        if (real)
            add_vgroups(real, groups, &out->vgroups);
        if (!slice->template_name)
            continue;
        const struct dvl_vnpu_template *template_ =
            dvl_vnpu_template_find(chip->type, dvl_span_of(slice->template_name));
        out->dvpp_yes = out->dvpp_yes || (template_ && template_->dvpp == DVL_VNPU_DVPP_YES);
        out->dvpp_null = out->dvpp_null || (template_ && template_->dvpp == DVL_VNPU_DVPP_NULL);
    }
    return DVL_OK;
}

static int64_t free_of(int64_t total, int64_t used)
{
    return total > used ? total - used : 0; /* an observed set may hold more than there is; unset is less than all */
}

/* Three vGroups leave room for two more cores at the most, four for one. */
static bool vgroups_allow(size_t vgroups, int64_t cores)
{
    return vgroups < 3 || cores == 1 || (vgroups == 3 && cores <= 2);
}

static bool dvpp_allows(const struct chip_use *use, enum dvl_vnpu_dvpp dvpp)
{
    switch (dvpp) {
    case DVL_VNPU_DVPP_YES:
        return !use->dvpp_yes && !use->dvpp_null;
    case DVL_VNPU_DVPP_NULL:
        return !use->dvpp_yes;
    case DVL_VNPU_DVPP_NO:
        return true;
    }
    return false;
}

/* NULL: sums leave room. `wanted` NULL: the chip is to be given whole. */
static const char *refuse_by_sums(const struct dvl_device *chip, const struct dvl_usage *usage,
                                  const struct dvl_vnpu_template *wanted)
{
    if (!chip->healthy)
        return "unhealthy";
    if (!chip->schedulable)
        return "not_schedulable";
    if (!wanted)
        return usage->tasks ? "in_use" : NULL;
    if (free_of(chip->cores, usage->cores) < wanted->cores)
        return "short_of_cores";
    return free_of(chip->ai_cpus, usage->ai_cpus) < wanted->cpus ? "short_of_ai_cpus" : NULL;
}

static const char *refuse_by_marks(const struct chip_use *use, const struct dvl_vnpu_template *wanted)
{
    if (use->unstable)
        return "unstable";
    if (!vgroups_allow(use->vgroups, wanted->cores))
        return "too_many_vgroups";
    return dvpp_allows(use, wanted->dvpp) ? NULL : "dvpp_in_use";
}

static const char *explain_chip(const struct judge *judge, const struct dvl_device *chip, const struct chip_use *use,
                                const struct dvl_vnpu_template *wanted, const char *reason)
{
    struct dvl_arena *arena = judge->query->arena;
    if (strcmp(reason, "unhealthy") == 0)
        return chip->reason ? dvl_arena_format(arena, "%.64s", chip->reason) : "not in the list of healthy chips";
    if (strcmp(reason, "not_schedulable") == 0)
        return "not schedulable";
    if (strcmp(reason, "unstable") == 0)
        return "a pod's slice of it is not created yet";
    if (!wanted)
        return dvl_arena_format(arena, "%zu slice%s on it, asked whole", use->usage.tasks,
                                use->usage.tasks == 1 ? "" : "s");
    if (strcmp(reason, "short_of_cores") == 0)
        return dvl_arena_format(arena, "%" PRId64 " of %" PRId64 " AI cores free, %s takes %" PRId64,
                                free_of(chip->cores, use->usage.cores), chip->cores, wanted->name, wanted->cores);
    if (strcmp(reason, "short_of_ai_cpus") == 0)
        return dvl_arena_format(arena, "%" PRId64 " AI CPUs free, %s takes %" PRId64,
                                free_of(chip->ai_cpus, use->usage.ai_cpus), wanted->name, wanted->cpus);
    if (strcmp(reason, "too_many_vgroups") == 0)
        return dvl_arena_format(arena, "%zu vGroups in use, %s takes %" PRId64 " cores", use->vgroups, wanted->name,
                                wanted->cores);
    return dvl_arena_format(arena, "its slices leave no place for dvpp %s", dvl_vnpu_dvpp_name(wanted->dvpp));
}

/* ---- All chips ---- */

static void start_round(struct judge *judge)
{
    judge->tally = (struct dvl_tally){.devices = judge->query->node->device_count};
    judge->found = 0;
}

/* *fits says whether chip number `i` would do; the round's counts take it in. */
static enum dvl_status judge_chip(struct judge *judge, size_t i, const struct dvl_vnpu_template *wanted,
                                  struct chip_use *use, bool *fits)
{
    const struct dvl_device *chip = judge->query->node->devices[i];
    *use = (struct chip_use){.usage = dvl_device_usage(chip, judge->query->alone)};
    const char *reason = refuse_by_sums(chip, &use->usage, wanted);
    if (!reason && wanted) { /* a chip that is to be given whole has no slices, so no marks */
        enum dvl_status status = read_marks(judge, chip, use);
        if (status != DVL_OK)
            return status;
        reason = refuse_by_marks(use, wanted);
    }
    *fits = !reason;
    if (reason)
        dvl_tally_add(&judge->tally, reason);
    else
        judge->found++;
    if (!judge->verdicts)
        return DVL_OK;
    judge->verdicts[i] = (struct dvl_device_verdict){.device = chip, .reason = reason};
    if (reason && !(judge->verdicts[i].message = explain_chip(judge, chip, use, wanted, reason)))
        return dvl_error_memory(judge->error);
    return DVL_OK;
}

/* The fitting chip with least free cores, then least free AI CPUs, then the
 * lowest number; NULL when none fits. */
static enum dvl_status choose_chip(struct judge *judge, const struct dvl_vnpu_template *wanted,
                                   const struct dvl_device **out)
{
    int64_t least_cores = 0, least_cpus = 0;
    *out = NULL;
    start_round(judge);
    for (size_t i = 0; i < judge->query->node->device_count; i++) {
        const struct dvl_device *chip = judge->query->node->devices[i];
        struct chip_use use;
        bool fits;
        enum dvl_status status = judge_chip(judge, i, wanted, &use, &fits);
        if (status != DVL_OK)
            return status;
        if (!fits)
            continue;
        int64_t cores = free_of(chip->cores, use.usage.cores), cpus = free_of(chip->ai_cpus, use.usage.ai_cpus);
        if (*out && (cores > least_cores || (cores == least_cores && cpus >= least_cpus)))
            continue; /* devices come in order of number */
        *out = chip;
        least_cores = cores;
        least_cpus = cpus;
    }
    return DVL_OK;
}

static struct dvl_slice *make_slice(const struct judge *judge, const struct dvl_device *chip, int64_t ordinal)
{
    const struct dvl_ask *ask = &judge->query->request->asks[0];
    struct dvl_slice *slice = dvl_arena_take(judge->query->arena, sizeof *slice);
    const char *name = dvl_arena_format(judge->query->arena, "%" PRId64, chip->idx);
    if (!slice || !name)
        return NULL;
    *slice = (struct dvl_slice){.device = chip,
                                .device_name = name,
                                .backend = judge->query->backend->name,
                                .container = ask->container,
                                .container_ordinal = ask->ordinal,
                                .ordinal = ordinal,
                                .memory_asked = DVL_UNSET,
                                .cores = chip->cores,
                                .ai_cores = chip->cores,
                                .ai_cpus = chip->ai_cpus == DVL_UNSET ? 0 : chip->ai_cpus,
                                .whole = true,
                                .mig_position = DVL_UNSET};
    return slice;
}

/* ---- Refusals ---- */

static enum dvl_status refuse_node(const struct judge *judge, struct dvl_fit *out, const char *reason,
                                   const char *message)
{
    out->fits = false;
    out->reason = reason;
    out->message = message;
    out->slices = NULL;
    out->slice_count = 0;
    return message ? DVL_OK : dvl_error_memory(judge->error);
}

static enum dvl_status refuse_by_chips(const struct judge *judge, struct dvl_fit *out, int64_t wanted)
{
    const char *reason = dvl_tally_reason(&judge->tally);
    return refuse_node(judge, out, reason ? reason : "too_few_devices",
                       dvl_tally_message(&judge->tally, judge->query->arena, judge->found, wanted));
}

/* ---- Whole chips ---- */

/* Chips without any slice, the lowest numbers first. */
static enum dvl_status fit_whole(struct judge *judge, struct dvl_fit *out)
{
    int64_t wanted = judge->want->cores / judge->cores;
    size_t count = judge->query->node->device_count;
    size_t room = (uint64_t)wanted < count ? (size_t)wanted : count, taken = 0;
    struct dvl_slice **slices = dvl_arena_array(judge->query->arena, room, sizeof(struct dvl_slice *));
    if (!slices)
        return dvl_error_memory(judge->error);
    start_round(judge);
    for (size_t i = 0; i < count; i++) {
        struct chip_use use;
        bool fits;
        enum dvl_status status = judge_chip(judge, i, NULL, &use, &fits);
        if (status != DVL_OK)
            return status;
        if (!fits || taken == room)
            continue;
        slices[taken] = make_slice(judge, judge->query->node->devices[i], (int64_t)taken);
        if (!slices[taken++])
            return dvl_error_memory(judge->error);
    }
    if (judge->found < wanted)
        return refuse_by_chips(judge, out, wanted);
    out->fits = true;
    out->slices = slices;
    out->slice_count = taken;
    return DVL_OK;
}

/* ---- Templates ---- */

/* A slice of the node, of another template, that is allocated and not created
 * yet: NULL when there is none. Whole chips neither close a node nor are kept
 * out (D34); what is created already does not matter (D16). */
static enum dvl_status find_pending(const struct judge *judge, const struct dvl_vnpu_template *given,
                                    const struct dvl_slice **out)
{
    const struct dvl_node_state *node = judge->query->node;
    *out = NULL;
    for (size_t i = 0; i < node->slice_count && !judge->query->alone; i++) {
        const struct dvl_slice *slice = node->slices[i];
        if (!slice->template_name || strcmp(slice->template_name, given->name) == 0)
            continue;
        const char *real;
        enum dvl_status status = dvl_vnpu_real(slice->holder, judge->query->arena, &real, judge->error);
        if (status != DVL_OK)
            return status;
        if (!real) {
            *out = slice;
            return DVL_OK;
        }
    }
    return DVL_OK;
}

static enum dvl_status give(const struct judge *judge, struct dvl_fit *out, const struct dvl_device *chip,
                            const struct dvl_vnpu_template *given)
{
    struct dvl_slice **slices = dvl_arena_take(judge->query->arena, sizeof(struct dvl_slice *));
    struct dvl_slice *slice = make_slice(judge, chip, 0);
    if (!slices || !slice)
        return dvl_error_memory(judge->error);
    slice->whole = false;
    slice->mode = "template";
    slice->template_asked = judge->want->asked->name;
    slice->template_name = given->name;
    slice->cores = slice->ai_cores = given->cores; /* D17: what is given, not what was asked */
    slice->ai_cpus = given->cpus;
    slices[0] = slice;
    out->fits = true;
    out->slices = slices;
    out->slice_count = 1;
    return DVL_OK;
}

static enum dvl_status fit_template(struct judge *judge, struct dvl_fit *out)
{
    const struct dvl_vnpu_template *asked = judge->want->asked, *given = asked;
    const struct dvl_device *chip;
    const char *why = NULL;
    enum dvl_status status = choose_chip(judge, asked, &chip);
    if (status == DVL_OK && !chip && asked->downgraded) {
        why = dvl_tally_reason(&judge->tally);
        given = dvl_vnpu_template_find(asked->chip, dvl_span_of(asked->downgraded));
        status = choose_chip(judge, given, &chip);
    }
    if (status != DVL_OK)
        return status;
    if (!chip) /* D15: also when there is nothing to downgrade to */
        return refuse_by_chips(judge, out, 1);
    const struct dvl_slice *pending;
    status = find_pending(judge, given, &pending);
    if (status != DVL_OK)
        return status;
    if (pending)
        return refuse_node(judge, out, "other_template_pending",
                           dvl_arena_format(judge->query->arena,
                                            "%s of pod %s/%s is not created yet; %s waits until it is",
                                            pending->template_name, pending->holder ? pending->holder->namespace_ : "",
                                            pending->holder ? pending->holder->name : "", given->name));
    if (given != asked) {
        out->downgraded_from = asked->name;
        out->downgraded_to = given->name;
        out->downgrade_reason = why ? why : "too_few_devices";
    }
    return give(judge, out, chip, given);
}

/* ---- The node ---- */

static int64_t free_cores(const struct dvl_fit_query *query)
{
    const struct dvl_node_state *node = query->node;
    int64_t free = node->capacity;
    if (query->alone)
        return free;
    for (size_t i = 0; i < node->slice_count; i++)
        free -= node->slices[i]->cores; /* every amount is bounded by the schema to 2^31-1 */
    return free - node->unheld;
}

/* What closes the node before any chip is looked at. */
static enum dvl_status fit_node(struct judge *judge, struct dvl_fit *out)
{
    const struct dvl_node_state *node = judge->query->node;
    int64_t cores = judge->want->cores, free = free_cores(judge->query);
    if (!node->schedulable)
        return refuse_node(judge, out, node->reason ? node->reason : "not_schedulable",
                           node->message ? node->message : "the node takes no pods of this backend");
    if (!node->device_count)
        return refuse_node(judge, out, "no_chips", "the node has no chips");
    out->fits = free >= cores;
    if (out->fits)
        return DVL_OK;
    return refuse_node(judge, out, "short_of_node_cores",
                       dvl_arena_format(judge->query->arena,
                                        "%" PRId64 " of the node's %" PRId64 " AI cores free, asked %" PRId64,
                                        free > 0 ? free : 0, node->capacity, cores));
}

/* For a node that is closed as a whole: what its chips would say. */
static enum dvl_status explain_chips(struct judge *judge, const struct dvl_vnpu_template *wanted)
{
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; judge->verdicts && i < judge->query->node->device_count && status == DVL_OK; i++) {
        struct chip_use use;
        bool fits;
        status = judge_chip(judge, i, wanted, &use, &fits);
    }
    return status;
}

enum dvl_status dvl_vnpu_fit(const struct dvl_fit_query *query, struct dvl_fit *out, struct dvl_error *error)
{
    const struct dvl_node_state *node = query->node;
    struct judge judge = {.query = query, .error = error, .want = query->request->detail};
    *out = (struct dvl_fit){0};
    if (node->device_count)
        judge.cores = node->devices[0]->cores;
    bool whole = judge.cores > 0 && judge.want->cores % judge.cores == 0;
    if (judge.cores > 0 && !whole && !judge.want->asked) { /* D10 */
        out->never = true;
        return refuse_node(&judge, out, "bad_core_count",
                           dvl_arena_format(query->arena,
                                            "asks %" PRId64 " AI cores; 1, 2, 4 and multiples of %" PRId64
                                            " are possible here",
                                            judge.want->cores, judge.cores));
    }
    if (query->explain && node->device_count &&
        !(judge.verdicts = dvl_arena_array(query->arena, node->device_count, sizeof *judge.verdicts)))
        return dvl_error_memory(error);
    enum dvl_status status = fit_node(&judge, out);
    if (status == DVL_OK && !out->fits)
        status = explain_chips(&judge, whole ? NULL : judge.want->asked);
    else if (status == DVL_OK)
        status = whole ? fit_whole(&judge, out) : fit_template(&judge, out);
    out->devices = judge.verdicts;
    out->device_verdict_count = judge.verdicts ? node->device_count : 0;
    return status;
}

/* ---- Batch score ---- */

static int by_free(const void *a, const void *b)
{
    const struct dvl_batch_node *left = a, *right = b;
    if (left->free != right->free)
        return left->free < right->free ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* The fullest node gets 8, so that others stay free for whole chips. With
 * downgrades about, each downgraded node on the way to the first that is not
 * gets 8, and that one 16. */
void dvl_vnpu_score_batch(struct dvl_batch_node *nodes, size_t count)
{
    enum { SCORE = 8 };
    bool downgrades = false;
    if (!count)
        return;
    qsort(nodes, count, sizeof *nodes, by_free);
    for (size_t i = 0; i < count; i++) {
        nodes[i].score = 0;
        downgrades = downgrades || nodes[i].downgraded;
    }
    if (!downgrades) {
        nodes[0].score = SCORE;
        return;
    }
    size_t i = 0;
    for (; i < count && nodes[i].downgraded; i++)
        nodes[i].score = SCORE;
    if (i < count)
        nodes[i].score = 2 * SCORE;
}
