/* vnpu: Ascend 310P chips under MindCluster, cut by AI-core templates.
 *
 * This file reads what a pod asks, what its annotation says it was given, and
 * writes that annotation; vnpu_node.c and vnpu_facts.c read the inventory,
 * vnpu_fit.c decides. A pod asks as one: for its first app container with a
 * request. */
#include "vnpu.h"

#include "../manifest/quantity.h"

#include <inttypes.h>
#include <string.h>

static const char kind_label[] = "ring-controller.atlas";
static const char kind_wanted[] = "ascend-310P";
static const char level_label[] = "vnpu-level";
static const char dvpp_label[] = "vnpu-dvpp";
static const char time_key[] = "predicate-time";

enum { CHIPS_MAX = 4096 };

/* ---- Requests ---- */

/* A container's request, which the manifest's reader fills from the limit. */
static enum dvl_status read_amount(const struct dvl_pod *pod, const struct dvl_container *container, int64_t *out,
                                   struct dvl_error *error)
{
    *out = 0;
    const char *text = dvl_pairs_get(&container->requests, DVL_VNPU_CORE_KEY);
    if (!text)
        return DVL_OK;
    enum dvl_quantity_status status = dvl_quantity_whole(text, out);
    if (status == DVL_QUANTITY_OK && *out <= INT32_MAX)
        return DVL_OK;
    return dvl_error_set(error, DVL_BAD_INPUT, "pod %s/%s: container %s: %s: \"%.64s\" %s", pod->namespace_, pod->name,
                         container->name, DVL_VNPU_CORE_KEY, text,
                         status == DVL_QUANTITY_OK ? "is over 2147483647" : dvl_quantity_problem(status));
}

struct need {
    bool limited; /* some app container has a limit */
    int64_t cores;
    const struct dvl_container *container; /* the first app container that asks; NULL */
};

static enum dvl_status read_need(const struct dvl_pod *pod, struct need *out, struct dvl_error *error)
{
    *out = (struct need){0};
    for (size_t i = 0; i < pod->container_count; i++) {
        const struct dvl_container *container = &pod->containers[i];
        if (container->init)
            continue;
        bool given;
        int64_t limit, cores;
        enum dvl_status status = dvl_limit_read(pod, container, DVL_VNPU_CORE_KEY, INT32_MAX, &given, &limit, error);
        if (status == DVL_OK)
            status = read_amount(pod, container, &cores, error);
        if (status != DVL_OK)
            return status;
        out->limited = out->limited || given;
        if (cores > 0 && !out->container) {
            out->container = container;
            out->cores = cores;
        }
    }
    return DVL_OK;
}

static bool asks_310p(const struct dvl_pod *pod)
{
    return dvl_text_same(dvl_pairs_get(&pod->labels, kind_label), kind_wanted);
}

static bool read_dvpp(const struct dvl_pod *pod, enum dvl_vnpu_dvpp *out)
{
    static const enum dvl_vnpu_dvpp all[] = {DVL_VNPU_DVPP_NULL, DVL_VNPU_DVPP_YES, DVL_VNPU_DVPP_NO};
    const char *text = dvl_pairs_get(&pod->labels, dvpp_label);
    *out = DVL_VNPU_DVPP_NULL;
    for (size_t i = 0; text && i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(text, dvl_vnpu_dvpp_name(all[i])) == 0) {
            *out = all[i];
            return true;
        }
    }
    return !text;
}

/* The template by cores and labels; NULL also when a label can't be right. */
static const struct dvl_vnpu_template *template_of(const struct dvl_pod *pod, int64_t cores)
{
    enum dvl_vnpu_dvpp dvpp;
    if (!read_dvpp(pod, &dvpp))
        return NULL;
    bool high = dvl_text_same(dvl_pairs_get(&pod->labels, level_label), "high"); /* all else is low */
    return dvl_vnpu_template_for(cores, high, dvpp);
}

/* What no 310P could ever give: code 1 whatever the node. How many cores a
 * whole chip has is the node's affair, and fit's. */
static enum dvl_status refuse(const struct dvl_pod *pod, int64_t cores, struct dvl_arena *arena,
                              struct dvl_pod_request *out, struct dvl_error *error)
{
    enum dvl_vnpu_dvpp dvpp;
    if (!dvl_vnpu_cores_possible(cores)) { /* D10 */
        out->refusal = "bad_core_count";
        out->refusal_message =
            dvl_arena_format(arena, "asks %" PRId64 " AI cores; 1, 2, 4 and multiples of a chip's are possible", cores);
    } else if (dvl_vnpu_template_for(cores, false, DVL_VNPU_DVPP_NULL) && !read_dvpp(pod, &dvpp)) {
        out->refusal = "bad_dvpp_label";
        out->refusal_message = dvl_arena_format(arena, "label %s is \"%.64s\"; null, yes and no are possible",
                                                dvpp_label, dvl_pairs_get(&pod->labels, dvpp_label));
    } else {
        return DVL_OK;
    }
    return out->refusal_message ? DVL_OK : dvl_error_memory(error);
}

static enum dvl_status read_request(const struct dvl_backend *self, const struct dvl_pod *pod, struct dvl_arena *arena,
                                    struct dvl_pod_request *out, struct dvl_error *error)
{
    (void)self;
    *out = (struct dvl_pod_request){0};
    if (!asks_310p(pod))
        return DVL_OK;
    struct need need;
    enum dvl_status status = read_need(pod, &need, error);
    if (status != DVL_OK || !need.limited || !need.container)
        return status;
    struct dvl_ask *ask = dvl_arena_take(arena, sizeof *ask);
    struct dvl_vnpu_want *want = dvl_arena_take(arena, sizeof *want);
    if (!ask || !want)
        return dvl_error_memory(error);
    *want = (struct dvl_vnpu_want){.cores = need.cores, .asked = template_of(pod, need.cores)};
    *ask = (struct dvl_ask){.container = need.container->name,
                            .ordinal = need.container - pod->containers,
                            .count = 1,
                            .memory = DVL_UNSET,
                            .memory_percent = DVL_UNSET,
                            .cores = need.cores,
                            .template_name = want->asked ? want->asked->name : NULL};
    out->asks = ask;
    out->ask_count = 1;
    out->detail = want;
    return refuse(pod, need.cores, arena, out, error);
}

/* ---- What was created ---- */

/* The value of a key in {"a":"b",…} as this program writes it, still escaped.
 * Quotes inside texts are escaped, so a key with its quotes and colon stands
 * only where a member begins. */
static bool find_raw(const char *json, const char *quoted_key, struct dvl_span *out)
{
    for (const char *at = json; (at = strstr(at, quoted_key)); at++) {
        if (at == json || (at[-1] != '{' && at[-1] != ','))
            continue;
        const char *start = at + strlen(quoted_key), *end = start;
        while (*end && *end != '"')
            end += *end == '\\' && end[1] ? 2 : 1;
        *out = (struct dvl_span){.start = start, .length = (size_t)(end - start)};
        return true;
    }
    return false;
}

enum dvl_status dvl_vnpu_real(const struct dvl_holder *holder, struct dvl_arena *arena, const char **out,
                              struct dvl_error *error)
{
    *out = NULL;
    struct dvl_span raw;
    if (!holder || !holder->annotations_json ||
        !find_raw(holder->annotations_json, "\"" DVL_VNPU_REAL_KEY "\":\"", &raw) || !raw.length)
        return DVL_OK;
    if (!memchr(raw.start, '\\', raw.length)) {
        *out = dvl_arena_bytes(arena, raw.start, raw.length);
        return *out ? DVL_OK : dvl_error_memory(error);
    }
    struct dvl_pairs pairs;
    enum dvl_status status = dvl_pairs_read_json(arena, holder->annotations_json, &pairs, error);
    if (status != DVL_OK)
        return status;
    *out = dvl_pairs_get(&pairs, DVL_VNPU_REAL_KEY);
    return DVL_OK;
}

/* ---- Assignments ---- */

/* What the annotation says, before devices are looked up. */
struct claim {
    const char *text;
    struct dvl_span name; /* of the template; empty: whole chips */
    int64_t *chips;
    size_t count;
};

static int shown(struct dvl_span span)
{
    return (int)(span.length > 64 ? 64 : span.length);
}

static bool read_chip(struct claim *claim, struct dvl_span part, struct dvl_findings *findings)
{
    int64_t position = part.start - claim->text, idx;
    if (!dvl_text_int64(part, &idx) || idx < 0 || idx > INT32_MAX) {
        dvl_finding_add(findings, "unreadable_assignment", DVL_VNPU_CORE_KEY, position,
                        "\"%.*s\" is not a chip number; nothing of \"%.64s\" is booked", shown(part), part.start,
                        claim->text);
        return false;
    }
    if (part.start[0] == '+' || (part.start[0] == '0' && part.length > 1))
        dvl_finding_add(findings, "odd_number", DVL_VNPU_CORE_KEY, position, "\"%.*s\" is read as a chip number",
                        shown(part), part.start);
    for (size_t i = 0; i < claim->count; i++) {
        if (claim->chips[i] == idx) {
            dvl_finding_add(findings, "duplicate_index", DVL_VNPU_CORE_KEY, position, "chip %" PRId64 " is named twice",
                            idx);
            return true;
        }
    }
    if (claim->count == CHIPS_MAX) {
        dvl_finding_add(findings, "unreadable_assignment", DVL_VNPU_CORE_KEY, position, "more than %d chips",
                        (int)CHIPS_MAX);
        return false;
    }
    claim->chips[claim->count++] = idx;
    return true;
}

/* `0,1` or `2-vir04_3c`; as a whole or not at all. */
static bool read_claim(struct claim *claim, struct dvl_findings *findings)
{
    const char *dash = strchr(claim->text, '-');
    if (dash && dash != claim->text && !strchr(claim->text, ',')) {
        claim->name = dvl_span_of(dash + 1);
        return read_chip(claim, (struct dvl_span){.start = claim->text, .length = (size_t)(dash - claim->text)},
                         findings);
    }
    struct dvl_span rest = dvl_span_of(claim->text), part;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ',', &part)) {
        if (!read_chip(claim, part, findings))
            return false;
    }
    return true;
}

static const struct dvl_device *find_chip(struct dvl_device *const *devices, size_t count, int64_t idx)
{
    for (size_t i = 0; i < count; i++) {
        if (devices[i]->idx == idx)
            return devices[i];
    }
    return NULL;
}

/* `Ascend310P-4c.3cpu-100-2_1` and `Ascend310P-2` → 2. */
static bool read_physical(struct dvl_span word, int64_t *out)
{
    size_t end = word.length;
    for (size_t i = 0; i < word.length && end == word.length; i++) {
        if (word.start[i] == '_')
            end = i;
    }
    size_t start = end;
    while (start > 0 && word.start[start - 1] != '-')
        start--;
    struct dvl_span number = {.start = word.start + start, .length = end - start};
    return start > 0 && dvl_text_int64(number, out);
}

/* What was created should be on the chips that were given. */
static void compare_real(const struct dvl_pod *pod, const struct claim *claim, struct dvl_findings *findings)
{
    const char *text = dvl_pairs_get(&pod->annotations, DVL_VNPU_REAL_KEY);
    if (!text || !*text)
        return;
    struct dvl_span rest = dvl_span_of(text), part;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ',', &part)) {
        int64_t idx, position = part.start - text;
        struct dvl_span word = dvl_span_trim(part);
        bool named = false;
        if (!read_physical(word, &idx)) {
            dvl_finding_add(findings, "unreadable_record", DVL_VNPU_REAL_KEY, position, "\"%.*s\" names no chip",
                            shown(word), word.start);
            continue;
        }
        for (size_t i = 0; i < claim->count; i++)
            named = named || claim->chips[i] == idx;
        if (!named)
            dvl_finding_add(findings, "real_chip_differs", DVL_VNPU_REAL_KEY, position,
                            "\"%.*s\" is on a chip that %s \"%.64s\" does not name", shown(word), word.start,
                            DVL_VNPU_CORE_KEY, claim->text);
    }
}

/* A chip to take sizes from: the one that is meant, else a neighbour, which is
 * of the same kind. */
static const struct dvl_device *model_of(const struct dvl_device *chip, struct dvl_device *const *devices,
                                         size_t device_count)
{
    return chip ? chip : device_count ? devices[0] : NULL;
}

static void take_template(struct dvl_slice *slice, const struct dvl_vnpu_template *template_,
                          const struct dvl_vnpu_template *asked)
{
    slice->mode = "template";
    slice->template_name = template_->name;
    slice->template_asked = asked ? asked->name : NULL;
    slice->cores = slice->ai_cores = template_->cores; /* D17: what was given, also after a downgrade */
    slice->ai_cpus = template_->cpus;
}

static void take_whole(struct dvl_slice *slice, const struct dvl_device *model, const struct need *need, size_t count)
{
    int64_t cores = model ? model->cores : need->cores / (int64_t)count;
    slice->whole = true;
    slice->cores = slice->ai_cores = cores;
    slice->ai_cpus = model && model->ai_cpus != DVL_UNSET ? model->ai_cpus : 0;
}

struct observation {
    const struct dvl_backend *self;
    const struct dvl_pod *pod;
    struct dvl_device *const *devices;
    size_t device_count;
    struct need need;
};

static struct dvl_slice *observe(const struct observation *seen, const struct claim *claim, size_t i,
                                 const struct dvl_vnpu_template *template_, struct dvl_arena *arena)
{
    struct dvl_slice *slice = dvl_arena_take(arena, sizeof *slice);
    const char *name = dvl_arena_format(arena, "%" PRId64, claim->chips[i]);
    if (!slice || !name)
        return NULL;
    const struct dvl_container *container = seen->need.container;
    for (size_t c = 0; !container && c < seen->pod->container_count; c++)
        container = seen->pod->containers[c].init ? NULL : &seen->pod->containers[c];
    /* D28: a chip that only the pod names is unknown, and stays so. */
    const struct dvl_device *chip = find_chip(seen->devices, seen->device_count, claim->chips[i]);
    *slice = (struct dvl_slice){.device = chip,
                                .device_name = name,
                                .backend = seen->self->name,
                                .container = container ? container->name : "",
                                .container_ordinal = container ? container - seen->pod->containers : -1,
                                .ordinal = (int64_t)i,
                                .memory_asked = DVL_UNSET,
                                .mig_position = DVL_UNSET,
                                .observed = true};
    if (template_)
        take_template(slice, template_,
                      asks_310p(seen->pod) && seen->need.limited ? template_of(seen->pod, seen->need.cores) : NULL);
    else
        take_whole(slice, model_of(chip, seen->devices, seen->device_count), &seen->need, claim->count);
    return slice;
}

/* By the chip's kind. Without a chip to tell it, by name alone. */
static const struct dvl_vnpu_template *find_template(const struct observation *seen, const struct claim *claim,
                                                     struct dvl_findings *findings)
{
    const struct dvl_device *model =
        model_of(find_chip(seen->devices, seen->device_count, claim->chips[0]), seen->devices, seen->device_count);
    const struct dvl_vnpu_template *found = dvl_vnpu_template_find(model ? model->type : NULL, claim->name);
    if (!found)
        dvl_finding_add(findings, "unknown_template", DVL_VNPU_CORE_KEY, claim->name.start - claim->text,
                        "%s has no template \"%.*s\"; nothing is booked",
                        model && model->type ? model->type : "no chip", shown(claim->name), claim->name.start);
    return found;
}

static enum dvl_status read_assignment(const struct dvl_backend *self, const struct dvl_pod *pod,
                                       struct dvl_device *const *devices, size_t device_count,
                                       struct dvl_assignment *out, struct dvl_findings *findings,
                                       struct dvl_error *error)
{
    *out = (struct dvl_assignment){0};
    struct claim claim = {.text = dvl_pairs_get(&pod->annotations, DVL_VNPU_CORE_KEY)};
    if (!claim.text)
        return DVL_OK;
    out->said = true;
    struct observation seen = {.self = self, .pod = pod, .devices = devices, .device_count = device_count};
    struct dvl_error why; /* a request that does not read is found elsewhere; the annotation says enough */
    if (read_need(pod, &seen.need, &why) != DVL_OK)
        seen.need = (struct need){0};
    size_t most = strlen(claim.text) / 2 + 1;
    claim.chips = dvl_arena_array(findings->arena, most, sizeof *claim.chips);
    struct dvl_slice **slices = dvl_arena_array(findings->arena, most, sizeof(struct dvl_slice *));
    if (!claim.chips || !slices)
        return dvl_error_memory(error);
    const struct dvl_vnpu_template *template_ = NULL;
    out->unreadable =
        !read_claim(&claim, findings) || (claim.name.start && !(template_ = find_template(&seen, &claim, findings)));
    if (out->unreadable)
        return DVL_OK;
    compare_real(pod, &claim, findings);
    for (size_t i = 0; i < claim.count; i++) {
        if (!(slices[i] = observe(&seen, &claim, i, template_, findings->arena)))
            return dvl_error_memory(error);
    }
    out->slices = slices;
    out->slice_count = claim.count;
    out->bound = pod->node_name != NULL;
    return DVL_OK;
}

/* ---- Annotations ---- */

static const char *assignment_text(const struct dvl_annotation_query *query)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    for (size_t i = 0; i < query->slice_count; i++) {
        const struct dvl_slice *slice = query->slices[i];
        dvl_buffer_format(&text, "%s%s", i ? "," : "", slice->device_name);
        if (slice->template_name)
            dvl_buffer_format(&text, "-%s", slice->template_name);
    }
    const char *copy = text.failed ? NULL : dvl_arena_text(query->arena, text.text);
    dvl_buffer_clear(&text);
    return copy;
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
    pairs[0].key = DVL_VNPU_CORE_KEY;
    pairs[1].key = time_key;
    if (query->moment == DVL_MOMENT_ALLOCATE) {
        pairs[0].value = assignment_text(query);
        pairs[1].value = dvl_arena_format(query->arena, "%" PRId64 "000", query->allocated_at); /* nanoseconds */
        if (!pairs[0].value || !pairs[1].value)
            return dvl_error_memory(error);
    }
    *out = (struct dvl_pairs){.items = pairs, .count = 2};
    return DVL_OK;
}

const struct dvl_backend_ops dvl_vnpu_ops = {
    .family = "vnpu",
    .read_node = dvl_vnpu_read_node,
    .read_request = read_request,
    .fit = dvl_vnpu_fit,
    .read_assignment = read_assignment,
    .annotations = annotations,
    .read_object = dvl_vnpu_read_object,
    .score_batch = dvl_vnpu_score_batch,
};
