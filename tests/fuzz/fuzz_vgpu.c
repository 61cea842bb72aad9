/* Any text → a node's register and a pod's device list. The first line is the
 * register, the second the list, the third the words that a pod wants cards
 * by. What is taken keeps the bounds of the tables, is chosen whole or not at
 * all, and reads back from what would be written. */
#include "backend/backend.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 3, MOST_CARDS = 512 };

static const struct dvl_mig_kind kinds[] = {{"2g.20gb", 20480, 3, 0}, {"1g.10gb", 10240, 1, 3}};
static const struct dvl_mig_geometry geometries[] = {{"group-1", kinds, 2}};
static const char *const names[] = {"A100"};
static const struct dvl_mig_model models[] = {{names, 1, geometries, 1}};

/* A property that does not hold is a crash that the fuzzer keeps. */
static void must(bool holds)
{
    if (!holds)
        abort();
}

static bool is_amount(int64_t number)
{
    return number >= 0 && number <= INT32_MAX;
}

static void cut_lines(struct dvl_arena *arena, const uint8_t *data, size_t size, const char **lines)
{
    for (size_t i = 0; i < LINES; i++) {
        const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
        size_t length = end ? (size_t)(end - data) : size;
        lines[i] = dvl_arena_bytes(arena, (const char *)data, length);
        size_t used = end ? length + 1 : length;
        data += used;
        size -= used;
    }
}

static size_t read_cards(const struct dvl_backend *backend, const char *text, struct dvl_device ***out,
                         struct dvl_findings *findings)
{
    const struct dvl_pair said = {"volcano.sh/node-vgpu-register", text};
    const struct dvl_pair has[] = {
        {"volcano.sh/vgpu-cores", "1"}, {"volcano.sh/vgpu-memory", "1"}, {"volcano.sh/vgpu-number", "1"}};
    const struct dvl_node node = {.name = "n", .annotations = {&said, 1}, .allocatable = {has, 3}};
    const struct dvl_facts facts = {0};
    struct dvl_inventory inventory;
    struct dvl_error error;
    *out = NULL;
    if (dvl_vgpu_ops.read_node(backend, &node, &facts, &inventory, findings, &error) != DVL_OK)
        return 0;
    must(inventory.present == (inventory.device_count > 0));
    size_t count = inventory.device_count < MOST_CARDS ? inventory.device_count : MOST_CARDS;
    struct dvl_device *cards = dvl_arena_array(findings->arena, count, sizeof *cards);
    *out = dvl_arena_array(findings->arena, count, sizeof(struct dvl_device *));
    for (size_t i = 0; i < count && cards && *out; i++) {
        cards[i] = inventory.devices[i];
        must(cards[i].idx == (int64_t)i && is_amount(cards[i].memory) && is_amount(cards[i].slots));
        must(cards[i].uuid[0] && !strpbrk(cards[i].uuid, ",:;[]"));
        for (size_t j = 0; j < i; j++)
            must(strcmp(cards[i].uuid, cards[j].uuid) != 0);
        (*out)[i] = &cards[i];
    }
    return cards && *out ? count : 0;
}

static void check_slices(const struct dvl_assignment *said)
{
    for (size_t i = 0; i < said->slice_count; i++) {
        const struct dvl_slice *slice = said->slices[i];
        must(is_amount(slice->memory) && is_amount(slice->cores) && slice->slots == 1);
        must(slice->ordinal == (int64_t)i && slice->device_name[0] && slice->container);
        must((slice->mig_group != NULL) == (slice->mig_position != DVL_UNSET));
        must(!slice->device || strcmp(slice->device->uuid, slice->device_name) == 0);
    }
}

/* Places a pod and reads what would be written on it. */
static void place(const struct dvl_backend *backend, struct dvl_pod *pod, struct dvl_device **cards, size_t count,
                  struct dvl_findings *findings)
{
    const struct dvl_node_state node = {.name = "n", .present = true, .devices = cards, .device_count = count};
    struct dvl_pod_request request;
    struct dvl_error error;
    struct dvl_fit fit;
    if (dvl_vgpu_ops.read_request(backend, pod, findings->arena, &request, &error) != DVL_OK)
        return;
    const struct dvl_fit_query query = {
        .backend = backend, .node = &node, .pod = pod, .request = &request, .explain = true, .arena = findings->arena};
    if (dvl_vgpu_ops.fit(&query, &fit, &error) != DVL_OK)
        return;
    must(fit.fits ? fit.slice_count == 2 : fit.reason && fit.message && fit.slice_count == 0);
    const struct dvl_annotation_query write = {.backend = backend,
                                               .moment = DVL_MOMENT_ALLOCATE,
                                               .node_name = "n",
                                               .slices = fit.slices,
                                               .slice_count = fit.slice_count,
                                               .arena = findings->arena};
    struct dvl_assignment said;
    if (!fit.fits || dvl_vgpu_ops.annotations(&write, &pod->annotations, &error) != DVL_OK ||
        dvl_vgpu_ops.read_assignment(backend, pod, cards, count, &said, findings, &error) != DVL_OK)
        return;
    must(!said.unreadable && said.slice_count == fit.slice_count);
    for (size_t i = 0; i < said.slice_count; i++)
        must(said.slices[i]->device == fit.slices[i]->device && said.slices[i]->memory == fit.slices[i]->memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, (size_t)64 << 20);
    struct dvl_findings findings = {.arena = &arena};
    struct dvl_config config = {0};
    struct dvl_error error;
    const char *lines[LINES];
    cut_lines(&arena, data, size, lines);
    if (lines[0] && lines[1] && lines[2] && dvl_config_defaults(&arena, &config, &error) == DVL_OK) {
        config.devices.nvidia.mig = models;
        config.devices.nvidia.mig_count = 1;
        const struct dvl_backend backend = {.ops = &dvl_vgpu_ops, .config = &config, .name = "vgpu"};
        const struct dvl_pair limit = {"volcano.sh/vgpu-memory", "100"};
        const struct dvl_container containers[] = {{.name = "a", .limits = {&limit, 1}, .requests = {&limit, 1}},
                                                   {.name = "b", .limits = {&limit, 1}, .requests = {&limit, 1}}};
        const struct dvl_pair said[] = {{"nvidia.com/use-gputype", lines[2]}, {"volcano.sh/vgpu-ids-new", lines[1]}};
        struct dvl_pod pod = {.namespace_ = "ml", .name = "p", .annotations = {said, 2}};
        pod.containers = containers;
        pod.container_count = 2;
        struct dvl_device **cards;
        size_t count = read_cards(&backend, lines[0], &cards, &findings);
        struct dvl_assignment seen;
        if (cards && dvl_vgpu_ops.read_assignment(&backend, &pod, cards, count, &seen, &findings, &error) == DVL_OK) {
            check_slices(&seen);
            place(&backend, &pod, cards, count, &findings);
        }
    }
    dvl_arena_clear(&arena);
    return 0;
}
