/* A small cluster for tests of the hami backend: chips, one node, pods, all in
 * one arena. Included once by each test program. */
#ifndef DVL_TESTS_HAMI_WORLD_H
#define DVL_TESTS_HAMI_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend/backend.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct dvl_template templates_310p[] = {
    {"vir01", 3072, 1, 1}, {"vir02", 6144, 2, 2}, {"vir04", 12288, 4, 4}};
static const struct dvl_template templates_910a[] = {{"vir02", 2184, 2, DVL_UNSET},
                                                     {"vir04", 4369, 4, DVL_UNSET},
                                                     {"vir08", 8738, 8, DVL_UNSET},
                                                     {"vir16", 17476, 16, DVL_UNSET}};
static const struct dvl_template templates_910b2[] = {
    {"vir03_1c_8g", 8192, 3, 1}, {"vir06_1c_16g", 16384, 6, 1}, {"vir12_3c_32g", 32768, 12, 3}};
static const struct dvl_template templates_910b4[] = {{"vir05_1c_8g", 8192, 5, 1}, {"vir10_3c_16g", 16384, 10, 3}};
static const struct dvl_template templates_910b4_1[] = {{"vir05_1c_16g", 16384, 5, 1}, {"vir10_3c_32g", 32768, 10, 3}};

#define CHIP(kind, name, allocatable, capacity, cores, cpus, list)                                                     \
    {                                                                                                                  \
        .chip_name = kind, .word = name, .resource_name = "huawei.com/" name,                                          \
        .memory_name = "huawei.com/" name "-memory", .core_name = "huawei.com/" name "-core",                          \
        .memory_allocatable = allocatable, .memory_capacity = capacity, .ai_cores = cores, .ai_cpus = cpus,            \
        .templates = list, .template_count = COUNT_OF(list)                                                            \
    }

enum world_chip { CHIP_310P, CHIP_910A, CHIP_910B2, CHIP_910B4, CHIP_910B4_1, CHIP_KINDS };

static const struct dvl_vnpu_config world_chips[CHIP_KINDS] = {
    [CHIP_310P] = CHIP("310P3", "Ascend310P", 21527, 24576, 8, 7, templates_310p),
    [CHIP_910A] = CHIP("910A", "Ascend910A", 32768, 32768, 30, DVL_UNSET, templates_910a),
    [CHIP_910B2] = CHIP("910B2", "Ascend910B2", 65536, 65536, 24, 6, templates_910b2),
    [CHIP_910B4] = CHIP("910B4", "Ascend910B4", 32768, 32768, 20, 7, templates_910b4),
    [CHIP_910B4_1] = CHIP("910B4-1", "Ascend910B4-1", 65536, 65536, 20, 7, templates_910b4_1),
};

struct world {
    struct dvl_arena arena;
    struct dvl_config config;
    struct dvl_backends backends;
    const struct dvl_backend *backend; /* the one under test */
    struct dvl_findings findings;
    struct dvl_inventory inventory;
    struct dvl_device **devices; /* of the node, by index */
    struct dvl_node_state node;
    struct dvl_error error;
};

static inline void world_open(struct world *world, enum world_chip chip)
{
    *world = (struct world){0};
    dvl_arena_init(&world->arena, 0);
    world->findings.arena = &world->arena;
    assert_int_equal(dvl_config_defaults(&world->arena, &world->config, &world->error), DVL_OK);
    world->config.devices.vnpus = world_chips;
    world->config.devices.vnpu_count = CHIP_KINDS;
    world->config.scheduler.hami = true;
    assert_int_equal(dvl_backends_of(&world->arena, &world->config, &world->backends, &world->error), DVL_OK);
    world->backend = dvl_backends_find(&world->backends, world_chips[chip].word);
    assert_non_null(world->backend);
}

static inline void world_close(struct world *world)
{
    dvl_arena_clear(&world->arena);
}

/* Pairs from alternating keys and values, ended by NULL; sorted here. */
static inline int world_by_key(const void *a, const void *b)
{
    const struct dvl_pair *left = a, *right = b;
    return strcmp(left->key, right->key);
}

static inline struct dvl_pairs world_pairs(struct world *world, const char *const *words)
{
    size_t count = 0;
    while (words && words[2 * count])
        count++;
    struct dvl_pair *items = dvl_arena_array(&world->arena, count, sizeof *items);
    assert_non_null(items);
    for (size_t i = 0; i < count; i++)
        items[i] = (struct dvl_pair){.key = words[2 * i], .value = words[2 * i + 1]};
    qsort(items, count, sizeof *items, world_by_key);
    return (struct dvl_pairs){.items = items, .count = count};
}

/* Reads the node's register; `mode` may be NULL. */
static inline void world_node(struct world *world, const char *text, const char *mode, const char *allocatable)
{
    const char *word = world->backend->chip->word;
    const char *annotations[5] = {0}, *resources[3] = {0};
    size_t n = 0;
    if (text) {
        annotations[n++] = dvl_arena_format(&world->arena, "hami.io/node-register-%s", word);
        annotations[n++] = text;
    }
    if (mode) {
        annotations[n++] = "hami-vnpu-core";
        annotations[n++] = mode;
    }
    if (allocatable) {
        resources[0] = world->backend->chip->resource_name;
        resources[1] = allocatable;
    }
    struct dvl_node node = {.name = "n1",
                            .annotations = world_pairs(world, annotations),
                            .allocatable = world_pairs(world, resources),
                            .capacity = world_pairs(world, resources)};
    const struct dvl_facts none = {0};
    assert_int_equal(world->backend->ops->read_node(world->backend, &node, &none, &world->inventory, &world->findings,
                                                    &world->error),
                     DVL_OK);
    const struct dvl_inventory *inventory = &world->inventory;
    world->devices = dvl_arena_array(&world->arena, inventory->device_count, sizeof *world->devices);
    for (size_t i = 0; i < inventory->device_count; i++) {
        world->devices[i] = dvl_arena_take(&world->arena, sizeof **world->devices);
        *world->devices[i] = inventory->devices[i];
    }
    world->node = (struct dvl_node_state){.name = "n1",
                                          .present = inventory->present,
                                          .schedulable = inventory->schedulable,
                                          .reason = inventory->reason,
                                          .message = inventory->message,
                                          .capacity = inventory->capacity,
                                          .soft = inventory->soft,
                                          .devices = world->devices,
                                          .device_count = inventory->device_count};
}

/* A live slice of another pod. */
static inline void world_hold(struct world *world, struct dvl_device *device, struct dvl_slice slice)
{
    struct dvl_slice **grown = dvl_arena_array(&world->arena, device->slice_count + 1, sizeof *grown);
    struct dvl_slice *own = dvl_arena_take(&world->arena, sizeof *own);
    assert_non_null(grown);
    assert_non_null(own);
    *own = slice;
    own->device = device;
    for (size_t i = 0; i < device->slice_count; i++)
        grown[i] = device->slices[i];
    grown[device->slice_count++] = own;
    device->slices = grown;
}

/* A container with up to three limits; an amount that is NULL is not limited. */
static inline struct dvl_container world_container(struct world *world, const char *name, const char *count,
                                                   const char *memory, const char *cores)
{
    const struct dvl_vnpu_config *chip = world->backend->chip;
    const char *words[7] = {0};
    size_t n = 0;
    const char *const amounts[3][2] = {
        {chip->resource_name, count}, {chip->memory_name, memory}, {chip->core_name, cores}};
    for (size_t i = 0; i < 3; i++) {
        if (amounts[i][1]) {
            words[n++] = amounts[i][0];
            words[n++] = amounts[i][1];
        }
    }
    struct dvl_pairs limits = world_pairs(world, words);
    return (struct dvl_container){.name = name, .limits = limits, .requests = limits};
}

static inline struct dvl_pod world_pod(struct world *world, const struct dvl_container *containers, size_t count,
                                       const char *const *annotations)
{
    struct dvl_container *own = dvl_arena_array(&world->arena, count, sizeof *own);
    assert_non_null(own);
    for (size_t i = 0; i < count; i++)
        own[i] = containers[i];
    return (struct dvl_pod){.uid = "u1",
                            .namespace_ = "ml",
                            .name = "p",
                            .annotations = world_pairs(world, annotations),
                            .phase = "Pending",
                            .containers = own,
                            .container_count = count};
}

/* Reads the pod's request, which must not be bad input. */
static inline struct dvl_pod_request world_request(struct world *world, const struct dvl_pod *pod)
{
    struct dvl_pod_request request;
    assert_int_equal(world->backend->ops->read_request(world->backend, pod, &world->arena, &request, &world->error),
                     DVL_OK);
    return request;
}

static inline struct dvl_fit world_fit(struct world *world, const struct dvl_pod *pod,
                                       const struct dvl_pod_request *request, bool alone, bool explain)
{
    const struct dvl_fit_query query = {.backend = world->backend,
                                        .node = &world->node,
                                        .pod = pod,
                                        .request = request,
                                        .alone = alone,
                                        .explain = explain,
                                        .arena = &world->arena};
    struct dvl_fit fit;
    assert_int_equal(world->backend->ops->fit(&query, &fit, &world->error), DVL_OK);
    return fit;
}

#endif
