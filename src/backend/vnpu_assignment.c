/* What a pod's annotation says it was given → slices.
 *
 * `huawei.com/npu-core` reads as a whole or not at all. What the device plugin
 * says it created is compared and kept apart. */
#include "vnpu.h"

#include <inttypes.h>
#include <string.h>

enum { CHIPS_MAX = 4096 };

/* What the annotation says, before devices are looked up. */
struct claim {
    const char *text;
    struct dvl_span name;       /* of the template; empty: whole chips */
    int64_t *chips, *positions; /* of the same length */
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
    claim->positions[claim->count] = position;
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

static void take_whole(struct dvl_slice *slice, const struct dvl_device *model, const struct dvl_vnpu_need *need,
                       size_t count)
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
    struct dvl_vnpu_need need;
};

static struct dvl_slice *observe(const struct observation *seen, const struct claim *claim, size_t i,
                                 const struct dvl_vnpu_template *template_, struct dvl_findings *findings)
{
    struct dvl_arena *arena = findings->arena;
    struct dvl_slice *slice = dvl_arena_take(arena, sizeof *slice);
    const char *name = dvl_arena_format(arena, "%" PRId64, claim->chips[i]);
    if (!slice || !name)
        return NULL;
    const struct dvl_container *container = seen->need.container;
    for (size_t c = 0; !container && c < seen->pod->container_count; c++)
        container = seen->pod->containers[c].init ? NULL : &seen->pod->containers[c];
    /* D28: a chip that only the pod names is unknown, and stays so. */
    const struct dvl_device *chip = find_chip(seen->devices, seen->device_count, claim->chips[i]);
    if (!chip)
        dvl_finding_add(findings, "unknown_device", DVL_VNPU_CORE_KEY, claim->positions[i],
                        "%s is not one of the node's chips", name);
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
        take_template(slice, template_, dvl_vnpu_asked(seen->pod, &seen->need));
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

enum dvl_status dvl_vnpu_read_assignment(const struct dvl_backend *self, const struct dvl_pod *pod,
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
    if (dvl_vnpu_need_read(pod, &seen.need, &why) != DVL_OK)
        seen.need = (struct dvl_vnpu_need){0};
    size_t most = strlen(claim.text) / 2 + 1;
    claim.chips = dvl_arena_array(findings->arena, most, sizeof *claim.chips);
    claim.positions = dvl_arena_array(findings->arena, most, sizeof *claim.positions);
    struct dvl_slice **slices = dvl_arena_array(findings->arena, most, sizeof(struct dvl_slice *));
    if (!claim.chips || !claim.positions || !slices)
        return dvl_error_memory(error);
    const struct dvl_vnpu_template *template_ = NULL;
    out->unreadable =
        !read_claim(&claim, findings) || (claim.name.start && !(template_ = find_template(&seen, &claim, findings)));
    if (out->unreadable)
        return DVL_OK;
    compare_real(pod, &claim, findings);
    for (size_t i = 0; i < claim.count; i++) {
        if (!(slices[i] = observe(&seen, &claim, i, template_, findings)))
            return dvl_error_memory(error);
    }
    out->slices = slices;
    out->slice_count = claim.count;
    out->bound = pod->node_name != NULL;
    return DVL_OK;
}
