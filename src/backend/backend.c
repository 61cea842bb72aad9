/* The list of backends, and the small things that all of them do.
 *
 * Rows → decision: the decide layer asks backends in the order of this list. */
#include "backend.h"

#include "../manifest/quantity.h"

#include <string.h>

/* One line per family; hami stands once and is repeated per chip kind. */
static const struct family {
    const struct dvl_backend_ops *ops;
    const char *name, *upstream_name, *lock_name;
} families[] = {
    {&dvl_gpushare_ops, "gpushare", "GpuShare", "gpu"},
    {&dvl_vgpu_ops, "vgpu", "hamivgpu", "hamivgpu"},
    {&dvl_vnpu_ops, "vnpu", "ascend310p-vNPU", NULL},
};

static const char hami_lock[] = "hami.io/mutex.lock";

static bool is_enabled(const struct dvl_backend_ops *ops, const struct dvl_scheduler_config *config)
{
    if (ops == &dvl_gpushare_ops)
        return config->gpu_sharing || config->gpu_number;
    if (ops == &dvl_vgpu_ops)
        return config->vgpu;
    if (ops == &dvl_vnpu_ops)
        return config->vnpu;
    return config->hami;
}

enum dvl_status dvl_backends_of(struct dvl_arena *arena, const struct dvl_config *config, struct dvl_backends *out,
                                struct dvl_error *error)
{
    const size_t fixed = sizeof families / sizeof families[0];
    size_t count = fixed + config->devices.vnpu_count;
    struct dvl_backend *items = dvl_arena_array(arena, count, sizeof *items);
    if (!items)
        return dvl_error_memory(error);
    for (size_t i = 0; i < fixed; i++) {
        items[i] = (struct dvl_backend){.ops = families[i].ops,
                                        .config = config,
                                        .name = families[i].name,
                                        .upstream_name = families[i].upstream_name,
                                        .lock_name = families[i].lock_name,
                                        .enabled = is_enabled(families[i].ops, &config->scheduler)};
    }
    for (size_t i = 0; i < config->devices.vnpu_count; i++) {
        const struct dvl_vnpu_config *chip = &config->devices.vnpus[i];
        const char *name = dvl_arena_format(arena, "hami-%s", chip->word);
        if (!name)
            return dvl_error_memory(error);
        items[fixed + i] = (struct dvl_backend){.ops = &dvl_hami_ops,
                                                .config = config,
                                                .chip = chip,
                                                .name = name,
                                                .upstream_name = chip->word,
                                                .lock_name = hami_lock,
                                                .enabled = is_enabled(&dvl_hami_ops, &config->scheduler)};
    }
    *out = (struct dvl_backends){.items = items, .count = count};
    return DVL_OK;
}

const struct dvl_backend *dvl_backends_find(const struct dvl_backends *backends, const char *name)
{
    for (size_t i = 0; i < backends->count; i++) {
        if (strcmp(backends->items[i].name, name) == 0 || strcmp(backends->items[i].upstream_name, name) == 0)
            return &backends->items[i];
    }
    return NULL;
}

static void append(struct dvl_findings *findings, const char *kind, const char *key, int64_t position, const char *text)
{
    struct dvl_finding *finding = dvl_arena_take(findings->arena, sizeof *finding);
    char *own_key = dvl_arena_text(findings->arena, key);
    if (!finding || !text || !own_key) {
        findings->failed = true;
        return;
    }
    *finding = (struct dvl_finding){.kind = kind, .key = own_key, .position = position, .text = text};
    if (findings->last)
        findings->last->next = finding;
    else
        findings->first = finding;
    findings->last = finding;
    findings->count++;
}

void dvl_finding_add(struct dvl_findings *findings, const char *kind, const char *key, int64_t position,
                     const char *format, ...)
{
    if (findings->count > DVL_FINDINGS_MAX)
        return;
    if (findings->count == DVL_FINDINGS_MAX) {
        append(findings, "more_findings", key, position,
               dvl_arena_format(findings->arena, "more is wrong with this object than the %d findings listed",
                                DVL_FINDINGS_MAX));
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    char *text = dvl_arena_format_va(findings->arena, format, arguments);
    va_end(arguments);
    append(findings, kind, key, position, text);
}

struct dvl_usage dvl_device_usage(const struct dvl_device *device, bool alone)
{
    struct dvl_usage usage = {0};
    if (alone)
        return usage;
    /* Every amount is bounded by the schema to 2^31-1, so these sums can't
     * overflow before memory for the slices runs out. */
    for (size_t i = 0; i < device->slice_count; i++) {
        const struct dvl_slice *slice = device->slices[i];
        usage.memory += slice->memory;
        usage.cores += slice->cores;
        usage.slots += slice->slots;
        usage.ai_cores += slice->ai_cores;
        usage.ai_cpus += slice->ai_cpus;
        usage.whole = usage.whole || slice->whole;
        usage.tasks++;
    }
    return usage;
}

enum dvl_status dvl_limit_read(const struct dvl_pod *pod, const struct dvl_container *container, const char *resource,
                               int64_t most, bool *given, int64_t *out, struct dvl_error *error)
{
    const char *text = dvl_pairs_get(&container->limits, resource);
    *given = text != NULL;
    if (!text)
        return DVL_OK;
    int64_t number;
    enum dvl_quantity_status status = dvl_quantity_whole(text, &number);
    if (status != DVL_QUANTITY_OK)
        return dvl_error_set(error, DVL_BAD_INPUT, "pod %s/%s: container %s: %s: \"%.64s\" %s", pod->namespace_,
                             pod->name, container->name, resource, text, dvl_quantity_problem(status));
    if (number > most)
        return dvl_error_set(error, DVL_BAD_INPUT, "pod %s/%s: container %s: %s: \"%.64s\" is over %lld",
                             pod->namespace_, pod->name, container->name, resource, text, (long long)most);
    *out = number;
    return DVL_OK;
}

void dvl_tally_add(struct dvl_tally *tally, const char *reason)
{
    for (size_t i = 0; i < tally->kinds; i++) {
        if (strcmp(tally->items[i].reason, reason) == 0) {
            tally->items[i].count++;
            return;
        }
    }
    if (tally->kinds < DVL_TALLY_MAX) {
        tally->items[tally->kinds].reason = reason;
        tally->items[tally->kinds].count = 1;
        tally->kinds++;
    }
}

const char *dvl_tally_reason(const struct dvl_tally *tally)
{
    const char *reason = NULL;
    size_t most = 0;
    for (size_t i = 0; i < tally->kinds; i++) {
        if (tally->items[i].count > most) {
            most = tally->items[i].count;
            reason = tally->items[i].reason;
        }
    }
    return reason;
}

char *dvl_tally_message(const struct dvl_tally *tally, struct dvl_arena *arena, int64_t found, int64_t wanted)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_buffer_format(&text, "%lld of %lld found", (long long)found, (long long)wanted);
    for (size_t i = 0; i < tally->kinds; i++) {
        dvl_buffer_format(&text, "%s%zu of %zu ", i ? ", " : ": ", tally->items[i].count, tally->devices);
        for (const char *c = tally->items[i].reason; *c; c++)
            dvl_buffer_char(&text, *c == '_' ? ' ' : *c);
    }
    char *copy = text.failed ? NULL : dvl_arena_text(arena, text.text);
    dvl_buffer_clear(&text);
    return copy;
}
