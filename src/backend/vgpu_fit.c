/* vgpu: rows → decision. Goes container by container; each takes the first
 * cards that all rules allow, in the order of the policy, and the next one sees
 * what the ones before it took. Nothing is booked: what is tentative lives in
 * the arena and dies with the call, so a failure half way leaves no trace. */
#include "vgpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Why a card is not taken, in order of judging: first what no release would
 * change, then what is in use. */
enum refusal {
    NONE,
    UNHEALTHY,
    NOT_SCHEDULABLE,
    WRONG_MODE,
    WRONG_TYPE,
    EXCLUDED_BY_UUID,
    OUT_OF_SLOTS,
    SHORT_OF_MEMORY,
    SHORT_OF_CORES,
    NOT_IDLE,
    WITHOUT_CORES_LEFT,
    HELD_BY_POD_GROUP,
    CLOSED_BY_EXCLUSIVE_RULE,
    WITHOUT_MIG_INSTANCE,
    REFUSALS,
};

static const char *const refusal_names[REFUSALS] = {
    [UNHEALTHY] = "unhealthy",
    [NOT_SCHEDULABLE] = "not_schedulable",
    [WRONG_MODE] = "of_wrong_mode",
    [WRONG_TYPE] = "of_wrong_type",
    [EXCLUDED_BY_UUID] = "excluded_by_uuid",
    [OUT_OF_SLOTS] = "out_of_slots",
    [SHORT_OF_MEMORY] = "short_of_memory",
    [SHORT_OF_CORES] = "short_of_cores",
    [NOT_IDLE] = "not_idle",
    [WITHOUT_CORES_LEFT] = "without_cores_left",
    [HELD_BY_POD_GROUP] = "held_by_pod_group",
    [CLOSED_BY_EXCLUSIVE_RULE] = "closed_by_exclusive_rule",
    [WITHOUT_MIG_INSTANCE] = "without_mig_instance",
};

/* A slice chosen in this call. */
struct chosen {
    struct dvl_slice slice;
    const struct chosen *next; /* the one before it on the same card */
};

/* A card with what is in use on it, chosen slices included. */
struct card {
    const struct dvl_device *device;
    struct dvl_usage use;
    bool is_mig;
    const struct chosen *chosen;
    /* Of the last judgement: */
    enum refusal refusal;
    const struct dvl_holder *holder; /* who is in the way */
    struct dvl_mig_choice instance;
};

struct fitting {
    const struct dvl_fit_query *query;
    const struct dvl_nvidia_config *config;
    const struct dvl_vgpu_wish *wish;
    struct card *cards;
    struct card **order; /* as they are tried */
    size_t card_count;
    struct dvl_slice **slices;
    size_t slice_count;
    double score;
    struct dvl_error *error;
};

/* ---- Order (1.7) ---- */

static int by_index(const struct card *a, const struct card *b)
{
    return (a->device->idx > b->device->idx) - (a->device->idx < b->device->idx);
}

static int fullest_first(const void *left, const void *right)
{
    const struct card *a = *(struct card *const *)left, *b = *(struct card *const *)right;
    if (a->use.memory != b->use.memory)
        return a->use.memory > b->use.memory ? -1 : 1;
    return by_index(a, b);
}

static int emptiest_first(const void *left, const void *right)
{
    const struct card *a = *(struct card *const *)left, *b = *(struct card *const *)right;
    if (a->use.slots != b->use.slots)
        return a->use.slots < b->use.slots ? -1 : 1;
    return by_index(a, b);
}

static int last_first(const void *left, const void *right)
{
    return by_index(*(struct card *const *)right, *(struct card *const *)left);
}

/* Taken anew for each container. D3: the release of the printed formulas tries
 * cards in descending order whatever the policy. */
static void sort_cards(struct fitting *fitting)
{
    const struct dvl_scheduler_config *scheduler = &fitting->query->backend->config->scheduler;
    int (*compare)(const void *, const void *) = last_first;
    if (scheduler->profile == DVL_PROFILE_LEDGER) {
        switch (scheduler->policy) {
        case DVL_POLICY_BINPACK:
            compare = fullest_first;
            break;
        case DVL_POLICY_SPREAD:
            compare = emptiest_first;
            break;
        case DVL_POLICY_NONE:
            break;
        }
    }
    qsort(fitting->order, fitting->card_count, sizeof(struct card *), compare);
}

/* ---- One card ---- */

/* A number that is not known is nothing. */
static int64_t memory_of(const struct dvl_device *device)
{
    return device->memory > 0 ? device->memory : 0;
}

static int64_t need_of(const struct dvl_ask *ask, const struct dvl_device *device)
{
    if (ask->memory_percent == DVL_UNSET)
        return ask->memory;
    return memory_of(device) * ask->memory_percent / 100;
}

static int64_t cores_of(const struct dvl_ask *ask)
{
    return ask->cores == DVL_UNSET ? 0 : ask->cores;
}

static bool has_word(const struct dvl_word_list *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++) {
        if (dvl_span_is(list->words[i], word))
            return true;
    }
    return false;
}

static bool has_part(const struct dvl_word_list *list, const char *text)
{
    struct dvl_span whole = dvl_span_of(text);
    for (size_t i = 0; i < list->count; i++) {
        if (dvl_span_contains_fold(whole, list->words[i]))
            return true;
    }
    return false;
}

static bool uuid_allowed(const struct dvl_vgpu_wish *wish, const char *uuid)
{
    if (!uuid || has_word(&wish->nouse_uuids, uuid))
        return false;
    return wish->use_uuids.count == 0 || has_word(&wish->use_uuids, uuid);
}

static bool type_allowed(const struct dvl_vgpu_wish *wish, const char *type)
{
    if (!type || !strstr(type, "NVIDIA"))
        return false;
    if (wish->use_types.count) /* D39: a list without a usable word is none */
        return has_part(&wish->use_types, type);
    return !has_part(&wish->nouse_types, type);
}

/* 3.4: another member of the group holds memory or cores here. */
static const struct dvl_holder *group_member_on(const struct fitting *fitting, const struct dvl_device *device)
{
    if (!fitting->wish->group || fitting->query->alone)
        return NULL;
    for (size_t i = 0; i < device->slice_count; i++) {
        const struct dvl_slice *slice = device->slices[i];
        if (slice->holder && slice->holder->pod_group && (slice->memory > 0 || slice->cores > 0) &&
            strcmp(slice->holder->pod_group, fitting->wish->group) == 0)
            return slice->holder;
    }
    return NULL;
}

static bool matches_some_rule(const struct dvl_vgpu_wish *wish, const struct dvl_pairs *labels)
{
    for (size_t r = 0; r < wish->rule_count; r++) {
        const struct dvl_pairs *wanted = &wish->rules[r]->labels;
        size_t found = 0;
        while (found < wanted->count &&
               dvl_text_same(dvl_pairs_get(labels, wanted->items[found].key), wanted->items[found].value))
            found++;
        if (found == wanted->count)
            return true;
    }
    return false;
}

/* 3.6: a pod of the same rule holds a slice here. Labels that do not read back
 * close the card: what can't be read is never taken as no constraint. */
static enum dvl_status rule_mate_on(const struct fitting *fitting, const struct dvl_device *device,
                                    const struct dvl_holder **out)
{
    *out = NULL;
    if (fitting->wish->rule_count == 0 || fitting->query->alone)
        return DVL_OK;
    for (size_t i = 0; i < device->slice_count && !*out; i++) {
        const struct dvl_holder *holder = device->slices[i]->holder;
        if (!holder)
            continue;
        struct dvl_pairs labels = {0};
        enum dvl_status status =
            dvl_pairs_read_json(fitting->query->arena, holder->labels_json, &labels, fitting->error);
        if (status == DVL_NO_MEMORY)
            return status;
        if (status != DVL_OK || matches_some_rule(fitting->wish, &labels))
            *out = holder;
    }
    return DVL_OK;
}

/* Instances in use on a card, those chosen in this call included (D9). */
static enum dvl_status choose_instance(const struct fitting *fitting, struct card *card, int64_t need)
{
    const struct dvl_device *device = card->device;
    card->instance = (struct dvl_mig_choice){0};
    const struct dvl_mig_model *model = dvl_mig_model_of(fitting->config, device->type);
    if (!model)
        return DVL_OK;
    struct dvl_arena *arena = fitting->query->arena;
    struct dvl_mig_use *uses = dvl_arena_array(arena, card->use.tasks, sizeof *uses);
    if (!uses)
        return dvl_error_memory(fitting->error);
    size_t count = 0;
    for (size_t i = 0; i < device->slice_count && !fitting->query->alone; i++) {
        if (device->slices[i]->mig_group)
            uses[count++] = (struct dvl_mig_use){device->slices[i]->mig_group, device->slices[i]->mig_position};
    }
    for (const struct chosen *chosen = card->chosen; chosen; chosen = chosen->next)
        uses[count++] = (struct dvl_mig_use){chosen->slice.mig_group, chosen->slice.mig_position};
    const struct dvl_mig_question question = {
        .model = model, .uses = uses, .use_count = count, .need = need, .factor = fitting->config->memory_factor};
    return dvl_mig_choose(&question, arena, &card->instance, fitting->error);
}

/* Rules that look at nothing but the card itself. */
static enum refusal judge_kind(const struct fitting *fitting, const struct card *card)
{
    const struct dvl_device *device = card->device;
    if (!device->healthy) /* D12 */
        return UNHEALTHY;
    if (!device->schedulable)
        return NOT_SCHEDULABLE;
    if (fitting->wish->mode && !dvl_text_same(fitting->wish->mode, device->mode)) /* D6 */
        return WRONG_MODE;
    if (!type_allowed(fitting->wish, device->type))
        return WRONG_TYPE;
    return uuid_allowed(fitting->wish, device->uuid) ? NONE : EXCLUDED_BY_UUID;
}

/* Rules on amounts. D1: every slice counts, two containers' are two. */
static enum refusal judge_amounts(const struct card *card, const struct dvl_ask *ask)
{
    const struct dvl_device *device = card->device;
    int64_t cores = cores_of(ask);
    if (card->use.slots >= device->slots)
        return OUT_OF_SLOTS;
    if (memory_of(device) - card->use.memory < need_of(ask, device))
        return SHORT_OF_MEMORY;
    if (cores == 0 && card->use.cores >= 100)
        return WITHOUT_CORES_LEFT;
    if (card->use.cores + cores > 100)
        return SHORT_OF_CORES;
    return cores == 100 && card->use.tasks > 0 ? NOT_IDLE : NONE;
}

static enum dvl_status judge(const struct fitting *fitting, struct card *card, const struct dvl_ask *ask)
{
    card->refusal = judge_kind(fitting, card);
    if (card->refusal == NONE)
        card->refusal = judge_amounts(card, ask);
    if (card->refusal != NONE)
        return DVL_OK;
    card->holder = group_member_on(fitting, card->device);
    if (card->holder) {
        card->refusal = HELD_BY_POD_GROUP;
        return DVL_OK;
    }
    if (card->is_mig) {
        enum dvl_status status = choose_instance(fitting, card, need_of(ask, card->device));
        if (status == DVL_OK && !card->instance.geometry)
            card->refusal = WITHOUT_MIG_INSTANCE;
        return status;
    }
    enum dvl_status status = rule_mate_on(fitting, card->device, &card->holder);
    if (status == DVL_OK && card->holder)
        card->refusal = CLOSED_BY_EXCLUSIVE_RULE;
    return status;
}

/* ---- Taking a card ---- */

/* With the slice already counted. D3: spread looks for a card that holds
 * nothing but what is being placed. */
static double score_of(const struct fitting *fitting, const struct card *card)
{
    int64_t memory = memory_of(card->device);
    if (memory == 0)
        return 0;
    switch (fitting->query->backend->config->scheduler.policy) {
    case DVL_POLICY_BINPACK:
        return 100.0 * (double)card->use.memory / (double)memory;
    case DVL_POLICY_SPREAD:
        return card->use.tasks == 1 ? 100 : 0;
    case DVL_POLICY_NONE:
        break;
    }
    return 0;
}

static enum dvl_status take(struct fitting *fitting, struct card *card, const struct dvl_ask *ask)
{
    struct chosen *chosen = dvl_arena_take(fitting->query->arena, sizeof *chosen);
    if (!chosen)
        return dvl_error_memory(fitting->error);
    struct dvl_slice *slice = &chosen->slice;
    *slice = (struct dvl_slice){.device = card->device,
                                .device_name = card->device->uuid,
                                .backend = fitting->query->backend->name,
                                .container = ask->container,
                                .container_ordinal = ask->ordinal,
                                .ordinal = (int64_t)fitting->slice_count,
                                .memory = need_of(ask, card->device),
                                .memory_asked = DVL_UNSET,
                                .cores = cores_of(ask),
                                .slots = 1,
                                .mode = card->is_mig ? dvl_vgpu_mig_mode : dvl_vgpu_core_mode,
                                .mig_position = DVL_UNSET};
    if (card->is_mig) {
        slice->memory_asked = slice->memory;
        slice->memory = dvl_mig_memory(card->instance.kind, fitting->config);
        slice->mig_group = card->instance.geometry->group;
        slice->mig_position = card->instance.position;
    }
    chosen->next = card->chosen;
    card->chosen = chosen;
    card->use.memory += slice->memory;
    card->use.cores += slice->cores;
    card->use.slots += slice->slots;
    card->use.tasks++;
    fitting->slices[fitting->slice_count++] = slice;
    fitting->score += score_of(fitting, card);
    return DVL_OK;
}

/* ---- Explaining ---- */

static const char *holder_text(struct dvl_arena *arena, const char *format, const struct dvl_holder *holder)
{
    struct dvl_buffer name;
    dvl_buffer_init(&name);
    dvl_buffer_format(&name, "%s/%s", holder->namespace_, holder->name);
    const char *text = name.failed ? NULL : dvl_arena_format(arena, "%s %s", name.text, format);
    dvl_buffer_clear(&name);
    return text;
}

static const char *instance_text(const struct fitting *fitting, const struct card *card, int64_t need)
{
    struct dvl_arena *arena = fitting->query->arena;
    if (card->instance.clash)
        return dvl_arena_format(arena, "instances of more than one geometry, or of an unknown one, are in use");
    if (card->instance.group)
        return dvl_arena_format(arena, "geometry %s is in use and has no free instance of %" PRId64 " MiB or more",
                                card->instance.group, need);
    return dvl_arena_format(arena, "no geometry has an instance of %" PRId64 " MiB or more", need);
}

/* The rule, what was there, what was asked. */
static const char *explain_card(const struct fitting *fitting, const struct card *card, const struct dvl_ask *ask)
{
    struct dvl_arena *arena = fitting->query->arena;
    const struct dvl_device *device = card->device;
    int64_t need = need_of(ask, device);
    switch (card->refusal) {
    case NONE:
    case REFUSALS:
        return NULL;
    case UNHEALTHY:
        return "registered as unhealthy";
    case NOT_SCHEDULABLE:
        return dvl_arena_format(arena, "not schedulable: %s", device->reason ? device->reason : "closed");
    case WRONG_MODE:
        return dvl_arena_format(arena, "mode is %s, asked %s", device->mode ? device->mode : "unknown",
                                fitting->wish->mode);
    case WRONG_TYPE:
        return dvl_arena_format(arena, "type \"%s\" is not one of those asked for", device->type ? device->type : "");
    case EXCLUDED_BY_UUID:
        return "its UUID is denied, or is not one of those asked for";
    case OUT_OF_SLOTS:
        return dvl_arena_format(arena, "%" PRId64 " of %" PRId64 " slots in use, asked 1", card->use.slots,
                                device->slots);
    case SHORT_OF_MEMORY:
        return dvl_arena_format(arena, "%" PRId64 " of %" PRId64 " MiB in use, asked %" PRId64 " MiB", card->use.memory,
                                device->memory, need);
    case SHORT_OF_CORES:
        return dvl_arena_format(arena, "%" PRId64 " of 100 cores in use, asked %" PRId64, card->use.cores,
                                cores_of(ask));
    case NOT_IDLE:
        return dvl_arena_format(arena, "%zu slices on it, asked all cores", card->use.tasks);
    case WITHOUT_CORES_LEFT:
        return dvl_arena_format(arena, "%" PRId64 " of 100 cores in use, asked a share of what is left",
                                card->use.cores);
    case HELD_BY_POD_GROUP:
        return holder_text(arena, "of the same pod group holds it", card->holder);
    case CLOSED_BY_EXCLUSIVE_RULE:
        return holder_text(arena, "of the same exclusive rule holds it", card->holder);
    case WITHOUT_MIG_INSTANCE:
        return instance_text(fitting, card, need);
    }
    return NULL;
}

/* Judges every card for one container and writes it down. */
static enum dvl_status explain(struct fitting *fitting, const struct dvl_ask *ask,
                               const struct dvl_device_verdict **out)
{
    struct dvl_device_verdict *verdicts = dvl_arena_array(fitting->query->arena, fitting->card_count, sizeof *verdicts);
    if (!verdicts)
        return dvl_error_memory(fitting->error);
    for (size_t i = 0; i < fitting->card_count; i++) {
        struct card *card = &fitting->cards[i];
        enum dvl_status status = judge(fitting, card, ask);
        if (status != DVL_OK)
            return status;
        verdicts[i] = (struct dvl_device_verdict){.device = card->device,
                                                  .reason = refusal_names[card->refusal],
                                                  .message = explain_card(fitting, card, ask)};
        if (card->refusal != NONE && !verdicts[i].message)
            return dvl_error_memory(fitting->error);
    }
    *out = verdicts;
    return DVL_OK;
}

/* Counts that add up to the number of cards. */
static enum dvl_status report_misfit(struct fitting *fitting, const struct dvl_ask *ask, int64_t found,
                                     struct dvl_fit *out)
{
    struct dvl_arena *arena = fitting->query->arena;
    struct dvl_tally tally = {.devices = fitting->card_count};
    for (enum refusal refusal = UNHEALTHY; refusal < REFUSALS; refusal++) {
        for (size_t i = 0; i < fitting->card_count; i++) {
            if (fitting->cards[i].refusal == refusal)
                dvl_tally_add(&tally, refusal_names[refusal]);
        }
    }
    out->fits = false;
    out->reason = ask->count > (int64_t)fitting->card_count ? "too_few_devices" : dvl_tally_reason(&tally);
    const char *counts = dvl_tally_message(&tally, arena, found, ask->count);
    out->message = counts ? dvl_arena_format(arena, "container %s: %s", ask->container, counts) : NULL;
    return out->message ? DVL_OK : dvl_error_memory(fitting->error);
}

/* ---- All containers ---- */

/* *found: how many cards were taken, the count asked for at the most. */
static enum dvl_status place(struct fitting *fitting, const struct dvl_ask *ask, int64_t *found)
{
    *found = 0;
    sort_cards(fitting);
    for (size_t i = 0; i < fitting->card_count && *found < ask->count; i++) {
        struct card *card = fitting->order[i];
        enum dvl_status status = judge(fitting, card, ask);
        if (status == DVL_OK && card->refusal == NONE) {
            status = take(fitting, card, ask);
            ++*found;
        }
        if (status != DVL_OK)
            return status;
    }
    return DVL_OK;
}

static enum dvl_status prepare(struct fitting *fitting)
{
    const struct dvl_fit_query *query = fitting->query;
    size_t count = query->node->device_count, room = 0;
    for (size_t i = 0; i < query->request->ask_count; i++) {
        int64_t asked = query->request->asks[i].count;
        if (__builtin_add_overflow(room, asked < (int64_t)count ? (size_t)asked : count, &room))
            return dvl_error_memory(fitting->error);
    }
    fitting->card_count = count;
    fitting->cards = dvl_arena_array(query->arena, count, sizeof *fitting->cards);
    fitting->order = dvl_arena_array(query->arena, count, sizeof(struct card *));
    fitting->slices = dvl_arena_array(query->arena, room, sizeof(struct dvl_slice *));
    if (!fitting->cards || !fitting->order || !fitting->slices)
        return dvl_error_memory(fitting->error);
    for (size_t i = 0; i < count; i++) {
        const struct dvl_device *device = query->node->devices[i];
        fitting->cards[i] = (struct card){.device = device,
                                          .use = dvl_device_usage(device, query->alone),
                                          .is_mig = dvl_text_same(device->mode, dvl_vgpu_mig_mode)};
        fitting->order[i] = &fitting->cards[i];
    }
    return DVL_OK;
}

enum dvl_status dvl_vgpu_fit(const struct dvl_fit_query *query, struct dvl_fit *out, struct dvl_error *error)
{
    struct fitting fitting = {.query = query,
                              .config = &query->backend->config->devices.nvidia,
                              .wish = query->request->detail,
                              .error = error};
    *out = (struct dvl_fit){.fits = true};
    enum dvl_status status = prepare(&fitting);
    for (size_t i = 0; i < query->request->ask_count && status == DVL_OK && out->fits; i++) {
        const struct dvl_ask *ask = &query->request->asks[i];
        const struct dvl_device_verdict *verdicts = NULL;
        int64_t found;
        if (query->explain)
            status = explain(&fitting, ask, &verdicts);
        if (status == DVL_OK)
            status = place(&fitting, ask, &found);
        if (status == DVL_OK && found < ask->count)
            status = report_misfit(&fitting, ask, found, out);
        /* The first container's when all are served, else the unserved one's. */
        if (i == 0 || !out->fits) {
            out->devices = verdicts;
            out->device_verdict_count = verdicts ? fitting.card_count : 0;
        }
    }
    if (status == DVL_OK && out->fits) {
        out->slices = fitting.slices;
        out->slice_count = fitting.slice_count;
        out->score = fitting.score;
    }
    return status;
}
