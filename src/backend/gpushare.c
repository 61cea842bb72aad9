/* gpushare: NVIDIA cards known by number, shared by memory or given whole.
 *
 * Two modes, told apart by the scheduler's switches: in memory mode a pod takes
 * memory on one card, in number mode it takes cards whole. A pod asks as one:
 * its containers' limits are put together by the Kubernetes rule for init
 * containers. */
#include "backend.h"

#include "../manifest/quantity.h"

#include <inttypes.h>
#include <string.h>

static const char memory_resource[] = DVL_GPUSHARE_MEMORY_RESOURCE;
static const char number_resource[] = DVL_GPUSHARE_NUMBER_RESOURCE;
static const char unhealthy_key[] = "volcano.sh/gpu-unhealthy-ids";
static const char index_key[] = "volcano.sh/gpu-index";
static const char time_key[] = "volcano.sh/predicate-time";

/* Bounds on what a manifest may say. A card's memory is what the schema takes;
 * a request may be larger than any card (it then never fits), and sums of many
 * requests stay far from 2^63. */
enum { CARDS_MAX = 4096 };
#define CARD_MEMORY_MAX ((int64_t)INT32_MAX)
#define REQUEST_MAX (((int64_t)1 << 53) - 1)

/* ---- Inventory ---- */

static bool read_capacity(const struct dvl_node *node, const char *resource, int64_t most, int64_t *out,
                          struct dvl_findings *findings)
{
    const char *text = dvl_pairs_get(&node->capacity, resource);
    enum dvl_quantity_status status = dvl_quantity_whole(text, out);
    if (status != DVL_QUANTITY_OK) {
        dvl_finding_add(findings, "unreadable_quantity", resource, 0, "\"%.64s\" %s", text,
                        dvl_quantity_problem(status));
        return false;
    }
    if (*out > most) {
        dvl_finding_add(findings, "unreadable_quantity", resource, 0, "\"%.64s\" is over %" PRId64, text, most);
        return false;
    }
    return true;
}

static void read_unhealthy(const struct dvl_node *node, struct dvl_device *cards, int64_t count,
                           struct dvl_findings *findings)
{
    const char *text = dvl_pairs_get(&node->annotations, unhealthy_key);
    if (!text || !*text)
        return;
    struct dvl_span rest = dvl_span_of(text), part;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ',', &part)) {
        int64_t position = part.start - text;
        struct dvl_span word = dvl_span_trim(part);
        int64_t idx;
        if (!dvl_text_int64(word, &idx))
            dvl_finding_add(findings, "unreadable_index", unhealthy_key, position, "\"%.*s\" is not a card number",
                            (int)(word.length > 64 ? 64 : word.length), word.start);
        else if (idx < 0 || idx >= count)
            dvl_finding_add(findings, "unknown_device", unhealthy_key, position,
                            "card %" PRId64 " is not one of this node's %" PRId64, idx, count);
        else
            cards[idx].healthy = false;
    }
}

static enum dvl_status read_node(const struct dvl_backend *self, const struct dvl_node *node,
                                 const struct dvl_facts *facts, struct dvl_inventory *out,
                                 struct dvl_findings *findings, struct dvl_error *error)
{
    (void)self;
    (void)facts;
    *out = (struct dvl_inventory){.capacity = DVL_UNSET};
    if (!dvl_pairs_get(&node->capacity, memory_resource) || !dvl_pairs_get(&node->capacity, number_resource))
        return DVL_OK;
    int64_t memory, count;
    if (!read_capacity(node, number_resource, CARDS_MAX, &count, findings) ||
        !read_capacity(node, memory_resource, CARD_MEMORY_MAX * (count ? count : 1), &memory, findings)) {
        out->keep = true;
        return DVL_OK;
    }
    if (count == 0)
        return DVL_OK;
    if (memory % count != 0)
        dvl_finding_add(findings, "memory_remainder", memory_resource, 0,
                        "%" PRId64 " MiB on %" PRId64 " cards leave %" PRId64 " MiB that no card has", memory, count,
                        memory % count);
    struct dvl_device *cards = dvl_arena_array(findings->arena, (size_t)count, sizeof *cards);
    if (!cards)
        return dvl_error_memory(error);
    for (int64_t i = 0; i < count; i++) {
        cards[i] = (struct dvl_device){.idx = i,
                                       .memory = memory / count,
                                       .cores = DVL_UNSET,
                                       .slots = DVL_UNSET,
                                       .ai_cores = DVL_UNSET,
                                       .ai_cpus = DVL_UNSET,
                                       .numa = DVL_UNSET,
                                       .network_id = DVL_UNSET,
                                       .healthy = true,
                                       .schedulable = true};
    }
    read_unhealthy(node, cards, count, findings);
    out->present = true;
    out->schedulable = true;
    out->devices = cards;
    out->device_count = (size_t)count;
    return DVL_OK;
}

/* ---- Requests ---- */

struct need {
    int64_t memory, number;
    const struct dvl_container *container; /* the first that asks */
};

/* The Kubernetes rule: the largest of all app containers with all sidecars,
 * and of each init container with the sidecars declared before it (D36). */
static enum dvl_status read_need(const struct dvl_pod *pod, struct need *out, struct dvl_error *error)
{
    struct need need = {0};
    int64_t sidecars[2] = {0}, apps[2] = {0}, most[2] = {0};
    static const char *const resources[2] = {memory_resource, number_resource};
    for (size_t i = 0; i < pod->container_count; i++) {
        const struct dvl_container *container = &pod->containers[i];
        for (size_t r = 0; r < 2; r++) {
            bool given;
            int64_t amount = 0;
            enum dvl_status status = dvl_limit_read(pod, container, resources[r], REQUEST_MAX, &given, &amount, error);
            if (status != DVL_OK)
                return status;
            if (amount > 0 && (!need.container || (need.container->init && !container->init)))
                need.container = container;
            int64_t together = sidecars[r] + amount;
            if (together > REQUEST_MAX || apps[r] + amount > REQUEST_MAX)
                return dvl_error_set(error, DVL_BAD_INPUT, "pod %s/%s: the containers' %s together are over %" PRId64,
                                     pod->namespace_, pod->name, resources[r], REQUEST_MAX);
            if (!container->init)
                apps[r] += amount;
            else if (together > most[r])
                most[r] = together;
            if (container->sidecar)
                sidecars[r] = together;
        }
    }
    for (size_t r = 0; r < 2; r++) {
        apps[r] += sidecars[r];
        if (apps[r] > REQUEST_MAX)
            return dvl_error_set(error, DVL_BAD_INPUT, "pod %s/%s: the containers' %s together are over %" PRId64,
                                 pod->namespace_, pod->name, resources[r], REQUEST_MAX);
        if (apps[r] > most[r])
            most[r] = apps[r];
    }
    need.memory = most[0];
    need.number = most[1];
    *out = need;
    return DVL_OK;
}

static int64_t ordinal_of(const struct dvl_pod *pod, const struct dvl_container *container)
{
    return container - pod->containers;
}

static enum dvl_status read_request(const struct dvl_backend *self, const struct dvl_pod *pod, struct dvl_arena *arena,
                                    struct dvl_pod_request *out, struct dvl_error *error)
{
    *out = (struct dvl_pod_request){0};
    struct need need;
    enum dvl_status status = read_need(pod, &need, error);
    if (status != DVL_OK)
        return status;
    /* D37: who asks for both is judged by the mode in force. */
    bool number_mode = self->config->scheduler.gpu_number;
    if ((number_mode ? need.number : need.memory) == 0)
        return DVL_OK;
    struct dvl_ask *ask = dvl_arena_take(arena, sizeof *ask);
    if (!ask)
        return dvl_error_memory(error);
    *ask = (struct dvl_ask){.container = need.container->name,
                            .ordinal = ordinal_of(pod, need.container),
                            .init = need.container->init,
                            .count = number_mode ? need.number : 1,
                            .memory = number_mode ? DVL_UNSET : need.memory,
                            .memory_percent = DVL_UNSET,
                            .cores = DVL_UNSET};
    out->asks = ask;
    out->ask_count = 1;
    return DVL_OK;
}

/* ---- Fit ---- */

static const char *refuse_card(const struct dvl_device *card, const struct dvl_ask *ask, bool alone)
{
    struct dvl_usage usage = dvl_device_usage(card, alone);
    if (!card->healthy)
        return "unhealthy";
    if (!card->schedulable)
        return "not_schedulable";
    if (ask->memory == DVL_UNSET)
        return usage.tasks ? "in_use" : NULL;
    if (usage.whole)
        return "held_whole"; /* D38: whole cards are closed to memory pods */
    int64_t free = card->memory > usage.memory ? card->memory - usage.memory : 0;
    return free < ask->memory ? "short_of_memory" : NULL;
}

static const char *explain_card(const struct dvl_fit_query *query, const struct dvl_device *card, const char *reason)
{
    const struct dvl_ask *ask = &query->request->asks[0];
    struct dvl_usage usage = dvl_device_usage(card, query->alone);
    if (strcmp(reason, "short_of_memory") == 0)
        return dvl_arena_format(query->arena, "%" PRId64 " of %" PRId64 " MiB in use, asked %" PRId64 " MiB",
                                usage.memory, card->memory, ask->memory);
    if (strcmp(reason, "in_use") == 0)
        return dvl_arena_format(query->arena, "held by %zu pod%s, asked whole", usage.tasks,
                                usage.tasks == 1 ? "" : "s");
    if (strcmp(reason, "held_whole") == 0)
        return "given whole to a pod";
    return strcmp(reason, "unhealthy") == 0 ? "listed as unhealthy" : "not schedulable";
}

static struct dvl_slice *choose(const struct dvl_fit_query *query, const struct dvl_device *card, int64_t ordinal)
{
    const struct dvl_ask *ask = &query->request->asks[0];
    struct dvl_slice *slice = dvl_arena_take(query->arena, sizeof *slice);
    const char *name = dvl_arena_format(query->arena, "%" PRId64, card->idx);
    if (!slice || !name)
        return NULL;
    *slice = (struct dvl_slice){.device = card,
                                .device_name = name,
                                .backend = query->backend->name,
                                .container = ask->container,
                                .container_ordinal = ask->ordinal,
                                .ordinal = ordinal,
                                .memory = ask->memory == DVL_UNSET ? card->memory : ask->memory,
                                .memory_asked = DVL_UNSET,
                                .whole = ask->memory == DVL_UNSET,
                                .mig_position = DVL_UNSET};
    return slice;
}

static enum dvl_status fit(const struct dvl_fit_query *query, struct dvl_fit *out, struct dvl_error *error)
{
    const struct dvl_node_state *node = query->node;
    const struct dvl_ask *ask = &query->request->asks[0];
    size_t room = (size_t)ask->count < node->device_count ? (size_t)ask->count : node->device_count;
    struct dvl_slice **slices = dvl_arena_array(query->arena, room, sizeof(struct dvl_slice *));
    struct dvl_device_verdict *verdicts =
        query->explain ? dvl_arena_array(query->arena, node->device_count, sizeof *verdicts) : NULL;
    if (!slices || (query->explain && !verdicts))
        return dvl_error_memory(error);
    struct dvl_tally tally = {.devices = node->device_count};
    size_t found = 0, taken = 0;
    /* D5: in order of number, lowest first, under every policy. */
    for (size_t i = 0; i < node->device_count; i++) {
        const struct dvl_device *card = node->devices[i];
        const char *reason = refuse_card(card, ask, query->alone);
        if (verdicts) {
            verdicts[i] = (struct dvl_device_verdict){.device = card, .reason = reason};
            if (reason && !(verdicts[i].message = explain_card(query, card, reason)))
                return dvl_error_memory(error);
        }
        if (reason) {
            dvl_tally_add(&tally, reason);
            continue;
        }
        found++;
        if (taken < room) {
            slices[taken] = choose(query, card, (int64_t)taken);
            if (!slices[taken++])
                return dvl_error_memory(error);
        }
    }
    *out = (struct dvl_fit){.fits = (int64_t)found >= ask->count,
                            .slices = slices,
                            .slice_count = taken,
                            .devices = verdicts,
                            .device_verdict_count = verdicts ? node->device_count : 0};
    if (out->fits)
        return DVL_OK;
    out->reason = dvl_tally_reason(&tally);
    if (!out->reason)
        out->reason = "too_few_devices";
    out->message = dvl_tally_message(&tally, query->arena, (int64_t)found, ask->count);
    return out->message ? DVL_OK : dvl_error_memory(error);
}

/* ---- Annotations ---- */

static void note_spelling(struct dvl_findings *findings, struct dvl_span part, int64_t position)
{
    if (part.start[0] == '+' || (part.start[0] == '0' && part.length > 1))
        dvl_finding_add(findings, "odd_number", index_key, position, "\"%.*s\" is read as a card number",
                        (int)(part.length > 64 ? 64 : part.length), part.start);
}

/* All numbers of the list, or false: it is taken whole or not at all. */
static bool read_indices(const char *text, int64_t *numbers, size_t *count, struct dvl_findings *findings)
{
    struct dvl_span rest = dvl_span_of(text), part;
    bool more = true;
    *count = 0;
    while (dvl_span_cut(&rest, &more, ',', &part)) {
        int64_t position = part.start - text, idx;
        if (!dvl_text_int64(part, &idx) || idx < 0 || idx > INT32_MAX) {
            dvl_finding_add(findings, "unreadable_assignment", index_key, position,
                            "\"%.*s\" is not a card number; nothing of \"%.64s\" is booked",
                            (int)(part.length > 64 ? 64 : part.length), part.start, text);
            return false;
        }
        note_spelling(findings, part, position);
        bool twice = false;
        for (size_t i = 0; i < *count; i++)
            twice = twice || numbers[i] == idx;
        if (twice)
            dvl_finding_add(findings, "duplicate_index", index_key, position, "card %" PRId64 " is named twice", idx);
        else if (*count == CARDS_MAX) {
            dvl_finding_add(findings, "unreadable_assignment", index_key, position, "more than %d cards",
                            (int)CARDS_MAX);
            return false;
        } else
            numbers[(*count)++] = idx;
    }
    return true;
}

static const struct dvl_device *find_card(struct dvl_device *const *devices, size_t count, int64_t idx)
{
    for (size_t i = 0; i < count; i++) {
        if (devices[i]->idx == idx)
            return devices[i];
    }
    return NULL;
}

static struct dvl_slice *observe(const struct dvl_backend *self, struct dvl_arena *arena, const struct dvl_pod *pod,
                                 const struct need *need, bool whole)
{
    struct dvl_slice *slice = dvl_arena_take(arena, sizeof *slice);
    if (!slice)
        return NULL;
    const struct dvl_container *container = need->container;
    if (!container && pod->container_count)
        container = &pod->containers[0];
    *slice = (struct dvl_slice){.backend = self->name,
                                .container = container ? container->name : "",
                                .container_ordinal = container ? ordinal_of(pod, container) : -1,
                                .memory = whole ? 0 : need->memory,
                                .memory_asked = DVL_UNSET,
                                .whole = whole,
                                .mig_position = DVL_UNSET,
                                .observed = true};
    return slice;
}

static enum dvl_status read_assignment(const struct dvl_backend *self, const struct dvl_pod *pod,
                                       struct dvl_device *const *devices, size_t device_count,
                                       struct dvl_assignment *out, struct dvl_findings *findings,
                                       struct dvl_error *error)
{
    *out = (struct dvl_assignment){0};
    const char *text = dvl_pairs_get(&pod->annotations, index_key);
    if (!text)
        return DVL_OK;
    out->said = true;
    struct dvl_arena *arena = findings->arena;
    size_t most = strlen(text) / 2 + 1, count;
    int64_t *numbers = dvl_arena_array(arena, most, sizeof *numbers);
    struct dvl_slice **slices = dvl_arena_array(arena, most, sizeof(struct dvl_slice *));
    if (!numbers || !slices)
        return dvl_error_memory(error);
    struct need need;
    struct dvl_error why;
    if (read_need(pod, &need, &why) != DVL_OK) {
        out->unreadable = true; /* the request's own finding says what is wrong */
        return DVL_OK;
    }
    if (!read_indices(text, numbers, &count, findings)) {
        out->unreadable = true;
        return DVL_OK;
    }
    /* D37: who asks for both is read by the mode in force; whole cards stay
     * whole when the switches change (D38). */
    bool whole = need.number > 0 && (need.memory == 0 || self->config->scheduler.gpu_number);
    if (!whole && need.memory > CARD_MEMORY_MAX) {
        dvl_finding_add(findings, "unreadable_assignment", index_key, 0,
                        "the pod asks for %" PRId64 " MiB, which no card has; nothing is booked", need.memory);
        out->unreadable = true;
        return DVL_OK;
    }
    if (!whole && need.memory == 0)
        dvl_finding_add(findings, "assignment_without_request", index_key, 0,
                        "the pod holds a card and asks for nothing");
    if (!whole && count > 1)
        dvl_finding_add(findings, "several_cards", index_key, 0,
                        "a memory pod on several cards holds its full request on each");
    for (size_t i = 0; i < count; i++) {
        struct dvl_slice *slice = observe(self, arena, pod, &need, whole);
        const char *name = dvl_arena_format(arena, "%" PRId64, numbers[i]);
        if (!slice || !name)
            return dvl_error_memory(error);
        slice->device = find_card(devices, device_count, numbers[i]);
        slice->device_name = name;
        slice->ordinal = (int64_t)i;
        if (whole && slice->device)
            slice->memory = slice->device->memory;
        if (!slice->device)
            dvl_finding_add(findings, "unknown_device", index_key, 0, "the node has no card %s", name);
        slices[i] = slice;
    }
    out->slices = slices;
    out->slice_count = count;
    out->bound = pod->node_name != NULL;
    return DVL_OK;
}

static enum dvl_status annotations(const struct dvl_annotation_query *query, struct dvl_pairs *out,
                                   struct dvl_error *error)
{
    *out = (struct dvl_pairs){0};
    if (query->moment == DVL_MOMENT_BIND)
        return DVL_OK;
    struct dvl_pair *pairs = dvl_arena_array(query->arena, 2, sizeof *pairs);
    if (!pairs)
        return dvl_error_memory(error);
    pairs[0].key = index_key;
    pairs[1].key = time_key;
    if (query->moment == DVL_MOMENT_ALLOCATE) {
        struct dvl_buffer list;
        dvl_buffer_init(&list);
        for (size_t i = 0; i < query->slice_count; i++)
            dvl_buffer_format(&list, "%s%s", i ? "," : "", query->slices[i]->device_name);
        pairs[0].value = list.failed ? NULL : dvl_arena_text(query->arena, list.text);
        dvl_buffer_clear(&list);
        pairs[1].value = dvl_arena_format(query->arena, "%" PRId64 "000", query->allocated_at);
        if (!pairs[0].value || !pairs[1].value)
            return dvl_error_memory(error);
    }
    *out = (struct dvl_pairs){.items = pairs, .count = 2};
    return DVL_OK;
}

const struct dvl_backend_ops dvl_gpushare_ops = {
    .family = "gpushare",
    .read_node = read_node,
    .read_request = read_request,
    .fit = fit,
    .read_assignment = read_assignment,
    .annotations = annotations,
};
