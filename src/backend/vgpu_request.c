/* vgpu: what a pod asks. Containers' limits → asks, annotations and labels →
 * wishes, both read once per call and then used for every node. */
#include "vgpu.h"

#include <string.h>

static const char use_uuid_key[] = "volcano.sh/vgpu-use-gpuuuid";
static const char nouse_uuid_key[] = "volcano.sh/vgpu-nouse-gpuuuid";
static const char use_type_key[] = "nvidia.com/use-gputype";
static const char nouse_type_key[] = "nvidia.com/nouse-gputype";
static const char mode_key[] = "volcano.sh/vgpu-mode";
static const char group_policy_key[] = "volcano.sh/vgpu-podgroup-policy";
static const char *const group_keys[] = {"scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name"};

/* ---- Amounts ---- */

struct amounts {
    bool count_limited, memory_limited; /* a limit is there: what makes a request */
    bool memory_given, percent_given, cores_given;
    bool only_requested; /* count or memory stand under requests alone */
    int64_t count, memory, percent, cores;
};

/* The limit, else the request. */
static enum dvl_status read_amount(const struct dvl_pod *pod, const struct dvl_container *container,
                                   const char *resource, bool *given, int64_t *out, struct dvl_error *error)
{
    enum dvl_status status = dvl_limit_read(pod, container, resource, DVL_VGPU_MOST, given, out, error);
    if (status != DVL_OK || *given)
        return status;
    struct dvl_container requested = *container;
    requested.limits = container->requests;
    return dvl_limit_read(pod, &requested, resource, DVL_VGPU_MOST, given, out, error);
}

static enum dvl_status read_percent(const struct dvl_nvidia_config *config, const struct dvl_pod *pod,
                                    const struct dvl_container *container, struct amounts *out, struct dvl_error *error)
{
    if (!config->percentage_name)
        return DVL_OK;
    enum dvl_status status =
        read_amount(pod, container, config->percentage_name, &out->percent_given, &out->percent, error);
    /* D22: out of 1 to 100 there is no meaning, and none is guessed. */
    if (status == DVL_OK && out->percent_given && (out->percent < 1 || out->percent > 100))
        return dvl_error_set(error, DVL_BAD_INPUT, "pod %s/%s: container %s: %s: %lld is not from 1 to 100",
                             pod->namespace_, pod->name, container->name, config->percentage_name,
                             (long long)out->percent);
    return status;
}

static enum dvl_status read_amounts(const struct dvl_nvidia_config *config, const struct dvl_pod *pod,
                                    const struct dvl_container *container, struct amounts *out, struct dvl_error *error)
{
    *out = (struct amounts){0};
    bool count_given;
    enum dvl_status status = read_amount(pod, container, config->count_name, &count_given, &out->count, error);
    if (status == DVL_OK)
        status = read_amount(pod, container, config->memory_name, &out->memory_given, &out->memory, error);
    if (status == DVL_OK)
        status = read_percent(config, pod, container, out, error);
    if (status == DVL_OK)
        status = read_amount(pod, container, config->cores_name, &out->cores_given, &out->cores, error);
    out->count_limited = dvl_pairs_get(&container->limits, config->count_name);
    out->memory_limited = dvl_pairs_get(&container->limits, config->memory_name);
    out->only_requested = !out->count_limited && !out->memory_limited && (count_given || out->memory_given);
    if (out->memory == 0)
        out->memory_given = false;
    return status;
}

bool dvl_vgpu_container_asks(const struct dvl_nvidia_config *config, const struct dvl_container *container)
{
    return dvl_pairs_get(&container->limits, config->count_name) ||
           dvl_pairs_get(&container->limits, config->memory_name);
}

/* ---- Asks ---- */

/* Keeps the first refusal: the pod as a whole is refused. */
static enum dvl_status refuse(struct dvl_pod_request *out, struct dvl_arena *arena, const char *reason,
                              const struct dvl_container *container, const char *what, struct dvl_error *error)
{
    if (out->refusal)
        return DVL_OK;
    out->refusal = reason;
    out->refusal_message = dvl_arena_format(arena, "container %s %s", container->name, what);
    return out->refusal_message ? DVL_OK : dvl_error_memory(error);
}

/* *asks: the container is one of those that get devices. */
static enum dvl_status judge(const struct amounts *amounts, const struct dvl_container *container,
                             struct dvl_arena *arena, bool *asks, struct dvl_pod_request *out, struct dvl_error *error)
{
    *asks = false;
    if (!amounts->count_limited && !amounts->memory_limited) {
        /* D26: a part of a device, and no device. */
        if (amounts->only_requested)
            return refuse(out, arena, "request_without_limit", container, "requests devices and sets no limit", error);
        if (amounts->cores_given)
            return refuse(out, arena, "cores_without_device", container, "limits cores and asks for no device", error);
        if (amounts->percent_given)
            return refuse(out, arena, "percentage_without_device", container,
                          "limits a memory percentage and asks for no device", error);
        return DVL_OK;
    }
    if (amounts->count_limited && amounts->count == 0) {
        if (amounts->memory_given)
            return refuse(out, arena, "memory_without_device", container, "asks for memory on 0 devices", error);
        return DVL_OK;
    }
    *asks = true;
    return DVL_OK;
}

static enum dvl_status read_asks(const struct dvl_backend *self, const struct dvl_pod *pod, struct dvl_arena *arena,
                                 struct dvl_pod_request *out, struct dvl_error *error)
{
    struct dvl_ask *asks = dvl_arena_array(arena, pod->container_count, sizeof *asks);
    if (!asks)
        return dvl_error_memory(error);
    /* D20: init containers ask like all others. */
    for (size_t i = 0; i < pod->container_count; i++) {
        const struct dvl_container *container = &pod->containers[i];
        struct amounts amounts;
        bool is_ask = false;
        enum dvl_status status = read_amounts(&self->config->devices.nvidia, pod, container, &amounts, error);
        if (status == DVL_OK)
            status = judge(&amounts, container, arena, &is_ask, out, error);
        if (status != DVL_OK)
            return status;
        if (!is_ask)
            continue;
        bool whole = !amounts.memory_given && !amounts.percent_given;
        asks[out->ask_count++] = (struct dvl_ask){.container = container->name,
                                                  .ordinal = (int64_t)i,
                                                  .init = container->init,
                                                  .count = amounts.count_limited ? amounts.count : 1,
                                                  .memory = amounts.memory_given ? amounts.memory : DVL_UNSET,
                                                  .memory_percent = whole                   ? 100
                                                                    : amounts.percent_given ? amounts.percent
                                                                                            : DVL_UNSET,
                                                  .cores = amounts.cores_given ? amounts.cores : DVL_UNSET};
    }
    out->asks = asks;
    return DVL_OK;
}

/* ---- Wishes ---- */

static bool read_words(const struct dvl_pod *pod, const char *key, bool trim, struct dvl_arena *arena,
                       struct dvl_word_list *out)
{
    const char *said = dvl_pairs_get(&pod->annotations, key);
    if (!said)
        return true;
    char *text = dvl_arena_text(arena, said);
    size_t most = 1;
    for (const char *c = said; *c; c++)
        most += *c == ',';
    struct dvl_span *words = dvl_arena_array(arena, most, sizeof *words);
    if (!text || !words)
        return false;
    struct dvl_span rest = dvl_span_of(text), part;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ',', &part)) {
        if (trim)
            part = dvl_span_trim(part);
        if (part.length) /* D7: an empty word matches nothing */
            words[out->count++] = part;
    }
    out->words = words;
    return true;
}

static bool read_group(const struct dvl_pod *pod, struct dvl_arena *arena, struct dvl_vgpu_wish *out)
{
    const char *policy = dvl_pairs_get(&pod->annotations, group_policy_key);
    if (!policy || strcmp(policy, "spread") != 0)
        return true;
    for (size_t i = 0; i < sizeof group_keys / sizeof group_keys[0]; i++) {
        const char *name = dvl_pairs_get(&pod->annotations, group_keys[i]);
        if (name && *name) {
            out->group = dvl_arena_format(arena, "%s/%s", pod->namespace_, name);
            return out->group != NULL;
        }
    }
    return true;
}

static bool matches(const struct dvl_exclusive_rule *rule, const struct dvl_pairs *labels)
{
    for (size_t i = 0; i < rule->labels.count; i++) {
        const char *value = dvl_pairs_get(labels, rule->labels.items[i].key);
        if (!value || strcmp(value, rule->labels.items[i].value) != 0)
            return false;
    }
    return true;
}

static bool read_rules(const struct dvl_scheduler_config *config, const struct dvl_pod *pod, struct dvl_arena *arena,
                       struct dvl_vgpu_wish *out)
{
    const struct dvl_exclusive_rule **rules = dvl_arena_array(arena, config->rule_count, sizeof(*rules));
    if (!rules)
        return false;
    for (size_t i = 0; i < config->rule_count; i++) {
        if (matches(&config->rules[i], &pod->labels))
            rules[out->rule_count++] = &config->rules[i];
    }
    out->rules = rules;
    return true;
}

static enum dvl_status read_wish(const struct dvl_backend *self, const struct dvl_pod *pod, struct dvl_arena *arena,
                                 const struct dvl_vgpu_wish **out, struct dvl_error *error)
{
    struct dvl_vgpu_wish *wish = dvl_arena_take(arena, sizeof *wish);
    if (!wish || !read_words(pod, use_uuid_key, true, arena, &wish->use_uuids) ||
        !read_words(pod, nouse_uuid_key, true, arena, &wish->nouse_uuids) ||
        !read_words(pod, use_type_key, false, arena, &wish->use_types) ||
        !read_words(pod, nouse_type_key, false, arena, &wish->nouse_types) || !read_group(pod, arena, wish) ||
        !read_rules(&self->config->scheduler, pod, arena, wish))
        return dvl_error_memory(error);
    const char *mode = dvl_pairs_get(&pod->annotations, mode_key);
    wish->mode = dvl_arena_text(arena, mode);
    if (mode && !wish->mode)
        return dvl_error_memory(error);
    *out = wish;
    return DVL_OK;
}

enum dvl_status dvl_vgpu_read_request(const struct dvl_backend *self, const struct dvl_pod *pod,
                                      struct dvl_arena *arena, struct dvl_pod_request *out, struct dvl_error *error)
{
    *out = (struct dvl_pod_request){0};
    enum dvl_status status = read_asks(self, pod, arena, out, error);
    if (status != DVL_OK || out->ask_count == 0)
        return status;
    const struct dvl_vgpu_wish *wish = NULL;
    status = read_wish(self, pod, arena, &wish, error);
    out->detail = wish;
    return status;
}
