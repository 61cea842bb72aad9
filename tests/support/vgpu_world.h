/* A small world for tests of the vgpu backend: one configuration, nodes from
 * their register text, pods from a line of text, slices held by other pods. */
#ifndef DVL_TESTS_VGPU_WORLD_H
#define DVL_TESTS_VGPU_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/backend.h"

#include <stdlib.h>
#include <string.h>

enum { WORLD_CARDS = 8, WORLD_SLICES = 64 };

struct world {
    struct dvl_arena arena;
    struct dvl_error error;
    struct dvl_config config;
    struct dvl_backend backend;
    struct dvl_findings findings;
    struct dvl_inventory inventory;
    struct dvl_device cards[WORLD_CARDS];
    struct dvl_device *card_list[WORLD_CARDS];
    struct dvl_slice *held[WORLD_CARDS][WORLD_SLICES];
    struct dvl_node_state node;
};

static inline void world_start(struct world *world)
{
    memset(world, 0, sizeof *world);
    dvl_arena_init(&world->arena, 0);
    world->findings.arena = &world->arena;
    world->config.scheduler.vgpu = true;
    world->config.devices.nvidia = (struct dvl_nvidia_config){.count_name = "volcano.sh/vgpu-number",
                                                              .memory_name = "volcano.sh/vgpu-memory",
                                                              .cores_name = "volcano.sh/vgpu-cores",
                                                              .percentage_name = "volcano.sh/vgpu-memory-percentage",
                                                              .memory_factor = 1};
    world->backend = (struct dvl_backend){.ops = &dvl_vgpu_ops,
                                          .config = &world->config,
                                          .name = "vgpu",
                                          .upstream_name = "hamivgpu",
                                          .lock_name = "hamivgpu",
                                          .enabled = true};
}

static inline void world_end(struct world *world)
{
    dvl_arena_clear(&world->arena);
}

static inline struct dvl_pairs pairs_of(struct world *world, const char *const *words)
{
    size_t count = 0;
    while (words && words[2 * count])
        count++;
    struct dvl_pair *items = dvl_arena_array(&world->arena, count, sizeof *items);
    assert_non_null(items);
    for (size_t i = 0; i < count; i++)
        items[i] = (struct dvl_pair){.key = words[2 * i], .value = words[2 * i + 1]};
    return (struct dvl_pairs){.items = items, .count = count};
}

#define PAIRS(world, ...) pairs_of((world), (const char *const[]){__VA_ARGS__, NULL})

/* Reads a register with three allocatable resources, and makes a node of it. */
static inline void world_node_with(struct world *world, const char *text, const char *memory)
{
    struct dvl_node node = {.name = "n1"};
    node.annotations = PAIRS(world, "volcano.sh/node-vgpu-register", text);
    node.allocatable =
        PAIRS(world, "volcano.sh/vgpu-cores", "100", "volcano.sh/vgpu-memory", memory, "volcano.sh/vgpu-number", "10");
    struct dvl_facts facts = {0};
    world->findings = (struct dvl_findings){.arena = &world->arena};
    assert_int_equal(
        dvl_vgpu_ops.read_node(&world->backend, &node, &facts, &world->inventory, &world->findings, &world->error),
        DVL_OK);
    assert_in_range(world->inventory.device_count, 0, WORLD_CARDS);
    memset(world->held, 0, sizeof world->held);
    for (size_t i = 0; i < world->inventory.device_count; i++) {
        world->cards[i] = world->inventory.devices[i];
        world->cards[i].slices = world->held[i];
        world->card_list[i] = &world->cards[i];
    }
    world->node = (struct dvl_node_state){.name = "n1",
                                          .present = world->inventory.present,
                                          .schedulable = world->inventory.schedulable,
                                          .capacity = DVL_UNSET,
                                          .devices = world->card_list,
                                          .device_count = world->inventory.device_count};
}

static inline void world_node(struct world *world, const char *text)
{
    world_node_with(world, text, "8000");
}

/* A slice of another pod on a card. */
static inline struct dvl_slice *world_hold(struct world *world, size_t card, const char *pod, int64_t memory,
                                           int64_t cores)
{
    struct dvl_holder *holder = dvl_arena_take(&world->arena, sizeof *holder);
    struct dvl_slice *slice = dvl_arena_take(&world->arena, sizeof *slice);
    assert_non_null(holder);
    assert_non_null(slice);
    *holder =
        (struct dvl_holder){.uid = pod, .namespace_ = "ml", .name = pod, .labels_json = "{}", .annotations_json = "{}"};
    *slice = (struct dvl_slice){.holder = holder,
                                .device = &world->cards[card],
                                .device_name = world->cards[card].uuid,
                                .backend = "vgpu",
                                .container = "c0",
                                .memory = memory,
                                .memory_asked = DVL_UNSET,
                                .cores = cores,
                                .slots = 1,
                                .mode = "hami-core",
                                .mig_position = DVL_UNSET};
    struct dvl_device *device = &world->cards[card];
    assert_in_range(device->slice_count, 0, WORLD_SLICES - 1);
    world->held[card][device->slice_count++] = slice;
    return slice;
}

static inline struct dvl_slice *world_hold_instance(struct world *world, size_t card, const char *pod,
                                                    const char *group, int64_t position, int64_t memory)
{
    struct dvl_slice *slice = world_hold(world, card, pod, memory, 0);
    slice->mode = "mig";
    slice->mig_group = group;
    slice->mig_position = position;
    return slice;
}

/* "c0 count=1 memory=2000 cores=10 | i:init memory=5 | c1": containers by "|",
 * "i:" before an init container's name; "percent" and "r:" (a request without a
 * limit) as well. */
static inline struct dvl_pod *world_pod(struct world *world, const char *spec)
{
    static const char *const short_names[] = {"count", "memory", "cores", "percent"};
    const char *const names[] = {"volcano.sh/vgpu-number", "volcano.sh/vgpu-memory", "volcano.sh/vgpu-cores",
                                 "volcano.sh/vgpu-memory-percentage"};
    struct dvl_pod *pod = dvl_arena_take(&world->arena, sizeof *pod);
    struct dvl_container *containers = dvl_arena_array(&world->arena, 8, sizeof *containers);
    char *text = dvl_arena_text(&world->arena, spec), *outer = NULL;
    *pod = (struct dvl_pod){.uid = "u", .namespace_ = "ml", .name = "p", .phase = "Pending", .containers = containers};
    for (char *part = strtok_r(text, "|", &outer); part; part = strtok_r(NULL, "|", &outer)) {
        struct dvl_container *container = &containers[pod->container_count++];
        struct dvl_pair *limits = dvl_arena_array(&world->arena, 4, sizeof *limits);
        struct dvl_pair *requests = dvl_arena_array(&world->arena, 4, sizeof *requests);
        char *inner = NULL, *word = strtok_r(part, " ", &inner);
        container->init = strncmp(word, "i:", 2) == 0;
        container->name = container->init ? word + 2 : word;
        size_t limit_count = 0, request_count = 0;
        while ((word = strtok_r(NULL, " ", &inner))) {
            bool only_request = strncmp(word, "r:", 2) == 0;
            char *key = only_request ? word + 2 : word, *value = strchr(key, '=');
            assert_non_null(value);
            *value++ = '\0';
            size_t n = 0;
            while (strcmp(short_names[n], key) != 0)
                assert_in_range(++n, 0, 3);
            struct dvl_pair pair = {.key = names[n], .value = value};
            requests[request_count++] = pair;
            if (!only_request)
                limits[limit_count++] = pair;
        }
        /* dvl_pairs_get may search by halves. */
        struct dvl_pairs *sets[] = {&container->limits, &container->requests};
        *sets[0] = (struct dvl_pairs){.items = limits, .count = limit_count};
        *sets[1] = (struct dvl_pairs){.items = requests, .count = request_count};
        for (size_t s = 0; s < 2; s++) {
            struct dvl_pair *items = s == 0 ? limits : requests;
            for (size_t i = 1; i < sets[s]->count; i++) {
                for (size_t j = i; j > 0 && strcmp(items[j].key, items[j - 1].key) < 0; j--) {
                    struct dvl_pair swap = items[j];
                    items[j] = items[j - 1];
                    items[j - 1] = swap;
                }
            }
        }
    }
    return pod;
}

static inline enum dvl_status world_ask(struct world *world, const struct dvl_pod *pod, struct dvl_pod_request *out)
{
    return dvl_vgpu_ops.read_request(&world->backend, pod, &world->arena, out, &world->error);
}

static inline struct dvl_fit world_fit_pod(struct world *world, const struct dvl_pod *pod, bool alone)
{
    struct dvl_pod_request request;
    assert_int_equal(world_ask(world, pod, &request), DVL_OK);
    assert_null(request.refusal);
    assert_true(request.ask_count > 0);
    struct dvl_fit_query query = {.backend = &world->backend,
                                  .node = &world->node,
                                  .pod = pod,
                                  .request = &request,
                                  .alone = alone,
                                  .explain = true,
                                  .arena = &world->arena};
    struct dvl_fit fit;
    assert_int_equal(dvl_vgpu_ops.fit(&query, &fit, &world->error), DVL_OK);
    return fit;
}

static inline struct dvl_fit world_fit(struct world *world, const char *spec)
{
    return world_fit_pod(world, world_pod(world, spec), false);
}

/* 0 fits, 2 not now, 3 never. */
static inline int world_code(struct world *world, const struct dvl_pod *pod)
{
    if (world_fit_pod(world, pod, false).fits)
        return 0;
    return world_fit_pod(world, pod, true).fits ? 2 : 3;
}

static inline const struct dvl_finding *world_finding(const struct world *world, const char *kind)
{
    for (const struct dvl_finding *finding = world->findings.first; finding; finding = finding->next) {
        if (strcmp(finding->kind, kind) == 0)
            return finding;
    }
    return NULL;
}

#endif
