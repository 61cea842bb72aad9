/* vnpu: Ascend 310P chips under MindCluster, cut by AI-core templates.
 *
 * This file reads what a pod asks and writes what it was given;
 * vnpu_assignment.c reads that back, vnpu_facts.c and vnpu_node.c read the
 * inventory, vnpu_fit.c decides. A pod asks as one: for its first app container
 * with a request. */
#include "vnpu.h"

#include "../manifest/quantity.h"

#include <inttypes.h>
#include <string.h>

static const char kind_label[] = "ring-controller.atlas";
static const char kind_wanted[] = "ascend-310P";
static const char level_label[] = "vnpu-level";
static const char dvpp_label[] = "vnpu-dvpp";
static const char time_key[] = "predicate-time";

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

enum dvl_status dvl_vnpu_need_read(const struct dvl_pod *pod, struct dvl_vnpu_need *out, struct dvl_error *error)
{
    *out = (struct dvl_vnpu_need){0};
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

const struct dvl_vnpu_template *dvl_vnpu_asked(const struct dvl_pod *pod, const struct dvl_vnpu_need *need)
{
    enum dvl_vnpu_dvpp dvpp;
    if (!asks_310p(pod) || !need->limited || !read_dvpp(pod, &dvpp))
        return NULL;
    bool high = dvl_text_same(dvl_pairs_get(&pod->labels, level_label), "high"); /* all else is low */
    return dvl_vnpu_template_for(need->cores, high, dvpp);
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
    struct dvl_vnpu_need need;
    enum dvl_status status = dvl_vnpu_need_read(pod, &need, error);
    if (status != DVL_OK || !need.limited || !need.container)
        return status;
    struct dvl_ask *ask = dvl_arena_take(arena, sizeof *ask);
    struct dvl_vnpu_want *want = dvl_arena_take(arena, sizeof *want);
    if (!ask || !want)
        return dvl_error_memory(error);
    *want = (struct dvl_vnpu_want){.cores = need.cores, .asked = dvl_vnpu_asked(pod, &need)};
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
    .read_assignment = dvl_vnpu_read_assignment,
    .annotations = annotations,
    .read_object = dvl_vnpu_read_object,
    .score_batch = dvl_vnpu_score_batch,
};
