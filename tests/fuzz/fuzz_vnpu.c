/* Any text → a node of chips, a pod's claim on it, and a decision about
 * another pod. Lines: huawei.com/npu-core of a pod, its AscendReal, the node's
 * capacity, its servertype, what the other pod asks; the rest is the device
 * info, once as the plugin writes it and once within ClusterD's map. */
#include "backend/vnpu.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 6 };

/* A property that does not hold is a crash that the fuzzer keeps. */
static void must(bool holds)
{
    if (!holds)
        abort();
}

static void must_go(enum dvl_status status)
{
    must(status == DVL_OK || status == DVL_NO_MEMORY);
}

struct play {
    struct dvl_arena arena;
    struct dvl_backend backend;
    struct dvl_error error;
    struct dvl_findings findings;
    struct dvl_inventory inventory;
    struct dvl_device **chips;
    const char *lines[LINES];
};

static void take_facts(struct play *play, const char *namespace_, const char *name, const char *key, const char *text,
                       struct dvl_facts *out)
{
    struct dvl_pair data[] = {{key, text}, {"ManuallySeparateNPU", play->lines[1]}};
    struct dvl_configmap configmap = {.namespace_ = namespace_, .name = name, .data = {data, 2}};
    bool mine;
    must_go(
        dvl_vnpu_ops.read_object(&play->backend, &configmap, &play->arena, &mine, out, &play->findings, &play->error));
    must(mine);
}

static void read_node(struct play *play)
{
    struct dvl_facts own, map;
    take_facts(play, "kube-system", "mindx-dl-deviceinfo-n", "DeviceInfoCfg", play->lines[5], &own);
    const char *text = dvl_arena_format(&play->arena, "{\"mindx-dl-deviceinfo-n\":%s}", play->lines[5]);
    take_facts(play, "mindx-dl", "cluster-info-device-0", "cluster-info-device-0", text ? text : "", &map);
    struct dvl_fact *all = dvl_arena_array(&play->arena, own.count + map.count, sizeof *all);
    struct dvl_facts facts = {.items = all};
    for (size_t i = 0; all && i < own.count + map.count; i++)
        all[facts.count++] = i < own.count ? own.items[i] : map.items[i - own.count];
    struct dvl_pair labels[] = {{"accelerator", "huawei-Ascend310P"},
                                {"node.kubernetes.io/npu.chip.name", "310P3"},
                                {"servertype", play->lines[3]}};
    struct dvl_pair capacity = {DVL_VNPU_CORE_KEY, play->lines[2]};
    struct dvl_node node = {.name = "n", .labels = {labels, 3}, .capacity = {&capacity, 1}};
    must_go(dvl_vnpu_ops.read_node(&play->backend, &node, &facts, &play->inventory, &play->findings, &play->error));
    play->chips = dvl_arena_array(&play->arena, play->inventory.device_count, sizeof(struct dvl_device *));
    for (size_t i = 0; play->chips && i < play->inventory.device_count; i++) {
        play->chips[i] = dvl_arena_take(&play->arena, sizeof(struct dvl_device));
        *play->chips[i] = play->inventory.devices[i];
        must(play->chips[i]->idx >= 0 && play->chips[i]->cores > 0);
        must(i == 0 || play->chips[i - 1]->idx < play->chips[i]->idx);
        must(play->chips[i]->schedulable == play->inventory.schedulable);
    }
    must(!play->inventory.schedulable || !play->inventory.reason);
}

static void read_pod(struct play *play, struct dvl_assignment *got)
{
    struct dvl_pair annotations[] = {{DVL_VNPU_REAL_KEY, play->lines[1]}, {DVL_VNPU_CORE_KEY, play->lines[0]}};
    struct dvl_pod pod = {.namespace_ = "ns", .name = "p", .annotations = {annotations, 2}, .node_name = "n"};
    must_go(dvl_vnpu_ops.read_assignment(&play->backend, &pod, play->chips, play->inventory.device_count, got,
                                         &play->findings, &play->error));
    must(got->said && (!got->unreadable || got->slice_count == 0));
    struct dvl_holder *holder = dvl_arena_take(&play->arena, sizeof *holder);
    struct dvl_pairs pairs = {annotations, 2};
    holder->annotations_json = dvl_pairs_json(&play->arena, &pairs);
    for (size_t i = 0; i < got->slice_count; i++) {
        struct dvl_slice *slice = got->slices[i];
        must(slice->cores >= 0 && slice->ai_cpus >= 0 && slice->whole == !slice->template_name);
        must(slice->ordinal == (int64_t)i);
        slice->holder = holder;
    }
}

/* Puts the slices on their chips, each chip's in one array. */
static void hold(struct play *play, const struct dvl_assignment *got)
{
    for (size_t c = 0; c < play->inventory.device_count; c++) {
        struct dvl_slice **on = dvl_arena_array(&play->arena, got->slice_count, sizeof(struct dvl_slice *));
        for (size_t i = 0; i < got->slice_count; i++) {
            if (got->slices[i]->device == play->chips[c])
                on[play->chips[c]->slice_count++] = got->slices[i];
        }
        play->chips[c]->slices = on;
    }
}

static void decide(struct play *play, const struct dvl_assignment *got)
{
    struct dvl_pair label = {"ring-controller.atlas", "ascend-310P"}, amount = {DVL_VNPU_CORE_KEY, play->lines[4]};
    struct dvl_container container = {.name = "main", .limits = {&amount, 1}, .requests = {&amount, 1}};
    struct dvl_pod pod = {
        .namespace_ = "ns", .name = "q", .labels = {&label, 1}, .containers = &container, .container_count = 1};
    struct dvl_pod_request request;
    if (dvl_vnpu_ops.read_request(&play->backend, &pod, &play->arena, &request, &play->error) != DVL_OK ||
        request.refusal || !request.ask_count)
        return;
    struct dvl_node_state node = {.name = "n",
                                  .present = true,
                                  .schedulable = play->inventory.schedulable,
                                  .reason = play->inventory.reason,
                                  .message = play->inventory.message,
                                  .capacity = play->inventory.capacity,
                                  .devices = play->chips,
                                  .device_count = play->inventory.device_count,
                                  .slices = got->slices,
                                  .slice_count = got->slice_count};
    struct dvl_fit_query query = {.backend = &play->backend,
                                  .node = &node,
                                  .pod = &pod,
                                  .request = &request,
                                  .explain = true,
                                  .arena = &play->arena};
    struct dvl_fit fit;
    must_go(dvl_vnpu_ops.fit(&query, &fit, &play->error));
    must(fit.fits == (fit.slice_count > 0) && fit.fits == !fit.reason);
    for (size_t i = 0; i < fit.slice_count; i++) {
        const struct dvl_device *chip = fit.slices[i]->device;
        struct dvl_usage usage = dvl_device_usage(chip, false);
        must(chip->healthy && chip->schedulable);
        must(usage.cores + fit.slices[i]->cores <= chip->cores);
        must(usage.ai_cpus + fit.slices[i]->ai_cpus <= chip->ai_cpus);
    }
    must(fit.device_verdict_count == 0 || fit.device_verdict_count == node.device_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct play play = {.backend = {.ops = &dvl_vnpu_ops, .name = "vnpu"}};
    dvl_arena_init(&play.arena, 0);
    play.findings.arena = &play.arena;
    char *text = dvl_arena_bytes(&play.arena, (const char *)data, size);
    if (text && strlen(text) == size && dvl_text_utf8_valid(text, size)) {
        for (size_t i = 0; i < LINES; i++) {
            play.lines[i] = text;
            char *end = i + 1 < LINES ? strchr(text, '\n') : NULL;
            text = end ? end + 1 : text + strlen(text);
            if (end)
                *end = '\0';
        }
        struct dvl_assignment got = {0};
        read_node(&play);
        if (play.inventory.present) {
            read_pod(&play, &got);
            hold(&play, &got);
            decide(&play, &got);
        }
    }
    dvl_arena_clear(&play.arena);
    return 0;
}
