/* hami: rows and a request → verdict, chosen slices, score.
 *
 * Devices are ranked once, by their score before anything is placed. Each
 * container then takes from the top what fits and no earlier container of the
 * pod took; with topology it prefers the network that has most to offer. */
#include "hami.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char network_prefix[] = "Ascend910";
enum { NETWORK_WEIGHT = 10 };

/* A device as this decision sees it. */
struct candidate {
    const struct dvl_device *device;
    struct dvl_usage usage; /* of other pods */
    double score;           /* before placing */
    size_t position;        /* in the node's list */
    bool taken;             /* by an earlier container of this pod */
};

/* A fitting device in the contest for one container. */
struct offer {
    struct candidate *candidate;
    size_t rank;     /* among the fitting ones */
    size_t in_group; /* fitting devices in its network */
};

struct chooser {
    const struct dvl_fit_query *query;
    const struct dvl_hami_request *request;
    struct candidate *candidates; /* in the order in which they are tried */
    size_t count;
    struct offer *offers; /* room for all candidates */
    struct dvl_slice **slices;
    size_t slice_count;
    int64_t *networks; /* of each container's first device */
    bool topology;
    double score;
};

/* ---- Order ---- */

static double score_device(const struct dvl_scheduler_config *config, const struct dvl_device *device,
                           const struct dvl_usage *usage)
{
    if (device->memory <= 0)
        return 0;
    switch (config->policy) {
    case DVL_POLICY_NONE:
        return 0;
    case DVL_POLICY_BINPACK:
        return 100.0 * ((double)usage->memory / (double)device->memory);
    case DVL_POLICY_SPREAD:
        /* D3: alone on the device once it is placed; the old release looks
         * before placing and so likes devices that have one task. */
        return usage->tasks == (config->profile == DVL_PROFILE_VOLCANO_1_14 ? 1U : 0U) ? 100 : 0;
    }
    return 0;
}

static int by_score(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    if (left->score != right->score)
        return left->score > right->score ? -1 : 1;
    if (left->device->idx != right->device->idx)
        return left->device->idx < right->device->idx ? -1 : 1;
    return (left->position > right->position) - (left->position < right->position);
}

/* D30: the policy orders devices at every weight. */
static void rank(struct chooser *chooser)
{
    const struct dvl_fit_query *query = chooser->query;
    const struct dvl_scheduler_config *config = &query->backend->config->scheduler;
    chooser->topology = dvl_text_starts(query->backend->chip->word, network_prefix) && query->node->device_count > 0;
    for (size_t i = 0; i < chooser->count; i++) {
        struct candidate *candidate = &chooser->candidates[i];
        candidate->device = query->node->devices[i];
        candidate->usage = dvl_device_usage(candidate->device, query->alone);
        candidate->score = score_device(config, candidate->device, &candidate->usage);
        candidate->position = i;
        if (candidate->device->network_id == DVL_UNSET)
            chooser->topology = false; /* D31: every device of the node must name its network */
    }
    qsort(chooser->candidates, chooser->count, sizeof *chooser->candidates, by_score);
}

/* ---- Fit of one device ---- */

enum refusal {
    FITS,
    ABOVE_CAPACITY,
    UNHEALTHY,
    NOT_SCHEDULABLE,
    WRONG_MODE,
    EXCLUDED_BY_UUID,
    TAKEN_BY_THIS_POD,
    OUT_OF_SLOTS,
    SHORT_OF_MEMORY,
    SHORT_OF_CORES,
    NOT_IDLE,
    WITHOUT_CORES_LEFT,
    SHORT_OF_AI_CORES,
    SHORT_OF_AI_CPUS,
    REFUSALS,
};

static const char *const refusal_names[REFUSALS] = {
    [FITS] = NULL,
    [ABOVE_CAPACITY] = "above_capacity",
    [UNHEALTHY] = "unhealthy",
    [NOT_SCHEDULABLE] = "not_schedulable",
    [WRONG_MODE] = "of_wrong_mode",
    [EXCLUDED_BY_UUID] = "excluded_by_uuid",
    [TAKEN_BY_THIS_POD] = "taken_by_this_pod",
    [OUT_OF_SLOTS] = "out_of_slots",
    [SHORT_OF_MEMORY] = "short_of_memory",
    [SHORT_OF_CORES] = "short_of_cores",
    [NOT_IDLE] = "not_idle",
    [WITHOUT_CORES_LEFT] = "without_cores_left",
    [SHORT_OF_AI_CORES] = "short_of_ai_cores",
    [SHORT_OF_AI_CPUS] = "short_of_ai_cpus",
};

/* What a slice takes of one device. */
struct share {
    int64_t memory;
    const struct dvl_template *part;
    int64_t ai_cores, ai_cpus;
};

/* A device that is asked for whole gives what a whole chip has by the
 * configuration, but never more than it registered itself. */
static void size_whole(const struct dvl_vnpu_config *chip, bool soft, int64_t of_device, struct share *out)
{
    out->memory = of_device;
    if (soft)
        return;
    const struct dvl_template *part = dvl_hami_template(chip, of_device);
    if (part && part->memory == of_device)
        out->part = part;
    else if (!part && of_device <= chip->memory_capacity && chip->memory_allocatable < of_device)
        out->memory = chip->memory_allocatable;
}

static struct share share_of(const struct chooser *chooser, const struct dvl_hami_need *need,
                             const struct dvl_device *device)
{
    const struct dvl_vnpu_config *chip = chooser->query->backend->chip;
    struct share share = {.memory = need->memory, .part = need->part};
    if (need->size == DVL_HAMI_WHOLE)
        size_whole(chip, chooser->request->soft, device->memory, &share);
    share.ai_cores = dvl_hami_ai_cores(chip, share.part);
    share.ai_cpus = dvl_hami_ai_cpus(chip, share.part);
    return share;
}

static bool lacks(int64_t total, int64_t used, int64_t wanted)
{
    return wanted > 0 && total != DVL_UNSET && total - used < wanted;
}

static enum refusal refuse_cores(const struct dvl_device *device, const struct dvl_usage *usage, int64_t wanted)
{
    if (lacks(device->cores, usage->cores, wanted))
        return SHORT_OF_CORES;
    if (wanted == 100 && device->cores == 100 && usage->tasks > 0)
        return NOT_IDLE; /* all of it is asked: only of an unused device */
    if (wanted == 0 && device->cores > 0 && usage->cores >= device->cores)
        return WITHOUT_CORES_LEFT;
    return FITS;
}

static bool is_excluded(const struct dvl_hami_request *request, const struct dvl_device *device)
{
    /* D27: only these, and never those; the second wins. */
    if (dvl_hami_ids_have(&request->never, device->uuid))
        return true;
    return request->only.count > 0 && !dvl_hami_ids_have(&request->only, device->uuid);
}

/* In the order of the rules: what can't change comes before what may. */
static enum refusal refuse(const struct chooser *chooser, const struct dvl_hami_need *need,
                           const struct candidate *candidate)
{
    const struct dvl_device *device = candidate->device;
    const struct dvl_usage *usage = &candidate->usage;
    if (need->size == DVL_HAMI_ABOVE)
        return ABOVE_CAPACITY; /* D13 */
    if (!device->healthy)
        return UNHEALTHY; /* D12 */
    if (!device->schedulable)
        return NOT_SCHEDULABLE;
    if (chooser->request->soft && !chooser->query->node->soft)
        return WRONG_MODE;
    if (is_excluded(chooser->request, device))
        return EXCLUDED_BY_UUID;
    if (candidate->taken)
        return TAKEN_BY_THIS_POD;
    if (usage->slots >= device->slots)
        return OUT_OF_SLOTS;
    struct share share = share_of(chooser, need, device);
    if (share.memory <= 0 || device->memory - usage->memory < share.memory)
        return SHORT_OF_MEMORY;
    enum refusal cores = refuse_cores(device, usage, need->cores);
    if (cores != FITS)
        return cores;
    /* D21: a chip makes no more vNPUs than it has AI cores and AI CPUs for. */
    if (lacks(device->ai_cores, usage->ai_cores, share.ai_cores))
        return SHORT_OF_AI_CORES;
    if (lacks(device->ai_cpus, usage->ai_cpus, share.ai_cpus))
        return SHORT_OF_AI_CPUS;
    return FITS;
}

/* ---- Words for it ---- */

static const char *describe_amount(struct dvl_arena *arena, const char *unit, int64_t used, int64_t total,
                                   int64_t wanted)
{
    return dvl_arena_format(arena, "%" PRId64 " of %" PRId64 " %s in use, asked %" PRId64 "%s", used, total, unit,
                            wanted, strcmp(unit, "MiB") == 0 ? " MiB" : "");
}

static const char *describe(const struct chooser *chooser, const struct dvl_hami_need *need,
                            const struct candidate *candidate, enum refusal refusal)
{
    struct dvl_arena *arena = chooser->query->arena;
    const struct dvl_vnpu_config *chip = chooser->query->backend->chip;
    const struct dvl_device *device = candidate->device;
    const struct dvl_usage *usage = &candidate->usage;
    struct share share = share_of(chooser, need, device);
    switch (refusal) {
    case FITS:
    case REFUSALS:
        return NULL;
    case ABOVE_CAPACITY:
        return dvl_arena_format(arena, "asked %" PRId64 " MiB, a %s has %" PRId64, need->memory, chip->chip_name,
                                chip->memory_capacity);
    case UNHEALTHY:
        return "registered as unhealthy";
    case NOT_SCHEDULABLE:
        return dvl_arena_format(arena, "not schedulable: %s", device->reason ? device->reason : "closed");
    case WRONG_MODE:
        return "mode is template, asked soft";
    case EXCLUDED_BY_UUID:
        return dvl_hami_ids_have(&chooser->request->never, device->uuid) ? "its UUID is denied"
                                                                         : "its UUID is not one of those asked for";
    case TAKEN_BY_THIS_POD:
        return "given to an earlier container of this pod";
    case OUT_OF_SLOTS:
        return describe_amount(arena, "slots", usage->slots, device->slots, 1);
    case SHORT_OF_MEMORY:
        return describe_amount(arena, "MiB", usage->memory, device->memory, share.memory);
    case SHORT_OF_CORES:
        return describe_amount(arena, "cores", usage->cores, device->cores, need->cores);
    case NOT_IDLE:
        return dvl_arena_format(arena, "%zu slices on it, asked all cores", usage->tasks);
    case WITHOUT_CORES_LEFT:
        return dvl_arena_format(arena, "%" PRId64 " of %" PRId64 " cores in use, asked a share of what is left",
                                usage->cores, device->cores);
    case SHORT_OF_AI_CORES:
        return describe_amount(arena, "AI cores", usage->ai_cores, device->ai_cores, share.ai_cores);
    case SHORT_OF_AI_CPUS:
        return describe_amount(arena, "AI CPUs", usage->ai_cpus, device->ai_cpus, share.ai_cpus);
    }
    return NULL;
}

/* One verdict for each device, in the node's order. */
static enum dvl_status explain(const struct chooser *chooser, const struct dvl_hami_need *need, struct dvl_fit *out,
                               struct dvl_error *error)
{
    struct dvl_device_verdict *verdicts = dvl_arena_array(chooser->query->arena, chooser->count, sizeof *verdicts);
    if (!verdicts)
        return dvl_error_memory(error);
    for (size_t i = 0; i < chooser->count; i++) {
        const struct candidate *candidate = &chooser->candidates[i];
        enum refusal refusal = refuse(chooser, need, candidate);
        struct dvl_device_verdict *verdict = &verdicts[candidate->position];
        *verdict = (struct dvl_device_verdict){.device = candidate->device, .reason = refusal_names[refusal]};
        if (refusal != FITS && !(verdict->message = describe(chooser, need, candidate, refusal)))
            return dvl_error_memory(error);
    }
    out->devices = verdicts;
    out->device_verdict_count = chooser->count;
    return DVL_OK;
}

/* Counts by reason, in the order of the rules. */
static void count_refusals(struct chooser *chooser, const struct dvl_hami_need *need, struct dvl_tally *tally,
                           int64_t *found)
{
    size_t counts[REFUSALS] = {0};
    for (size_t i = 0; i < chooser->count; i++)
        counts[refuse(chooser, need, &chooser->candidates[i])]++;
    tally->devices = chooser->count;
    for (enum refusal refusal = ABOVE_CAPACITY; refusal < REFUSALS; refusal++) {
        for (size_t i = 0; i < counts[refusal]; i++)
            dvl_tally_add(tally, refusal_names[refusal]);
    }
    *found = (int64_t)counts[FITS];
}

/* The whole answer for a container that could not be served. */
static enum dvl_status refuse_pod(struct chooser *chooser, size_t index, struct dvl_fit *out, struct dvl_error *error)
{
    const struct dvl_ask *ask = &chooser->query->request->asks[index];
    const struct dvl_hami_need *need = &chooser->request->needs[index];
    struct dvl_tally tally = {0};
    int64_t found;
    count_refusals(chooser, need, &tally, &found);
    out->reason = ask->count > (int64_t)chooser->count ? "too_few_devices" : dvl_tally_reason(&tally);
    if (need->size == DVL_HAMI_ABOVE)
        out->reason = refusal_names[ABOVE_CAPACITY];
    const char *counts = dvl_tally_message(&tally, chooser->query->arena, found, ask->count);
    out->message = counts ? dvl_arena_format(chooser->query->arena, "container %s: %s", ask->container, counts) : NULL;
    if (!out->message)
        return dvl_error_memory(error);
    return chooser->query->explain ? explain(chooser, need, out, error) : DVL_OK;
}

/* ---- Choice ---- */

static int by_network(const void *a, const void *b)
{
    const struct offer *left = a, *right = b;
    int64_t one = left->candidate->device->network_id, other = right->candidate->device->network_id;
    if (one != other)
        return one < other ? -1 : 1;
    return (left->rank > right->rank) - (left->rank < right->rank);
}

static int by_group(const void *a, const void *b)
{
    const struct offer *left = a, *right = b;
    if (left->in_group != right->in_group)
        return left->in_group > right->in_group ? -1 : 1;
    return by_network(a, b);
}

/* The network with most fitting devices first; ties: the lower number. */
static void prefer_networks(struct offer *offers, size_t count)
{
    qsort(offers, count, sizeof *offers, by_network);
    for (size_t start = 0, end; start < count; start = end) {
        int64_t network = offers[start].candidate->device->network_id;
        for (end = start; end < count && offers[end].candidate->device->network_id == network;)
            end++;
        for (size_t i = start; i < end; i++)
            offers[i].in_group = end - start;
    }
    qsort(offers, count, sizeof *offers, by_group);
}

static enum dvl_status take(struct chooser *chooser, size_t index, struct candidate *candidate, struct dvl_error *error)
{
    const struct dvl_fit_query *query = chooser->query;
    const struct dvl_ask *ask = &query->request->asks[index];
    const struct dvl_hami_need *need = &chooser->request->needs[index];
    struct share share = share_of(chooser, need, candidate->device);
    struct dvl_slice *slice = dvl_arena_take(query->arena, sizeof *slice);
    if (!slice)
        return dvl_error_memory(error);
    const char *name = share.part ? share.part->name : NULL;
    *slice = (struct dvl_slice){.device = candidate->device,
                                .device_name = candidate->device->uuid,
                                .backend = query->backend->name,
                                .container = ask->container,
                                .container_ordinal = ask->ordinal,
                                .ordinal = (int64_t)chooser->slice_count,
                                .memory = share.memory,
                                .memory_asked = DVL_UNSET,
                                .cores = need->cores,
                                .slots = 1,
                                .ai_cores = share.ai_cores,
                                .ai_cpus = share.ai_cpus,
                                .mode = chooser->request->soft ? "soft" : "template",
                                .template_asked = name,
                                .template_name = name,
                                .mig_position = DVL_UNSET};
    candidate->taken = true;
    chooser->slices[chooser->slice_count++] = slice;
    return DVL_OK;
}

/* Serves one container; *served = false when too few devices fit. */
static enum dvl_status serve(struct chooser *chooser, size_t index, bool *served, struct dvl_error *error)
{
    const struct dvl_ask *ask = &chooser->query->request->asks[index];
    const struct dvl_hami_need *need = &chooser->request->needs[index];
    size_t found = 0;
    for (size_t i = 0; i < chooser->count; i++) {
        struct candidate *candidate = &chooser->candidates[i];
        if (refuse(chooser, need, candidate) != FITS)
            continue;
        chooser->offers[found] = (struct offer){.candidate = candidate, .rank = found};
        found++;
        if (!chooser->topology && (int64_t)found == ask->count)
            break;
    }
    *served = (int64_t)found >= ask->count;
    if (!*served)
        return DVL_OK;
    if (chooser->topology)
        prefer_networks(chooser->offers, found);
    const struct candidate *first = chooser->offers[0].candidate;
    chooser->score += first->score;
    chooser->networks[index] = first->device->network_id;
    for (int64_t i = 0; i < ask->count; i++) {
        enum dvl_status status = take(chooser, index, chooser->offers[i].candidate, error);
        if (status != DVL_OK)
            return status;
    }
    return DVL_OK;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* The share of the containers that start in the network where most do. */
static double score_networks(int64_t *networks, size_t count)
{
    size_t most = 0;
    qsort(networks, count, sizeof *networks, by_number);
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start; end < count && networks[end] == networks[start];)
            end++;
        if (end - start > most)
            most = end - start;
    }
    return NETWORK_WEIGHT * ((double)most / (double)count);
}

/* ---- The slot of the table ---- */

/* A node that is closed as a whole says so itself. */
static bool is_closed(const struct dvl_node_state *node, struct dvl_fit *out)
{
    if (node->schedulable)
        return false;
    out->reason = node->reason ? node->reason : refusal_names[NOT_SCHEDULABLE];
    out->message = node->message ? node->message : "the node takes no pods";
    return true;
}

static enum dvl_status prepare(struct chooser *chooser, const struct dvl_fit_query *query, struct dvl_error *error)
{
    size_t count = query->node->device_count;
    *chooser = (struct chooser){.query = query, .request = query->request->detail, .count = count};
    chooser->candidates = dvl_arena_array(query->arena, count, sizeof *chooser->candidates);
    chooser->offers = dvl_arena_array(query->arena, count, sizeof *chooser->offers);
    chooser->slices = dvl_arena_array(query->arena, count, sizeof(struct dvl_slice *));
    chooser->networks = dvl_arena_array(query->arena, query->request->ask_count, sizeof *chooser->networks);
    if (!chooser->candidates || !chooser->offers || !chooser->slices || !chooser->networks)
        return dvl_error_memory(error);
    rank(chooser);
    return DVL_OK;
}

enum dvl_status dvl_hami_fit(const struct dvl_fit_query *query, struct dvl_fit *out, struct dvl_error *error)
{
    *out = (struct dvl_fit){0};
    struct chooser chooser;
    enum dvl_status status = prepare(&chooser, query, error);
    /* Asked first: nothing is taken yet. */
    if (status == DVL_OK && query->explain)
        status = explain(&chooser, &chooser.request->needs[0], out, error);
    if (status == DVL_OK && is_closed(query->node, out))
        return DVL_OK;
    for (size_t i = 0; status == DVL_OK && i < query->request->ask_count; i++) {
        bool served;
        status = serve(&chooser, i, &served, error);
        if (status == DVL_OK && !served)
            return refuse_pod(&chooser, i, out, error);
    }
    if (status != DVL_OK)
        return status;
    out->fits = true;
    out->slices = chooser.slices;
    out->slice_count = chooser.slice_count;
    out->score = chooser.score;
    if (chooser.topology)
        out->score += score_networks(chooser.networks, query->request->ask_count);
    return DVL_OK;
}
