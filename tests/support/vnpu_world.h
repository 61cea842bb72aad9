/* A node of 310P chips in memory, and pods that ask for and hold slices of it:
 * what the vnpu tests build their situations from. */
#ifndef TESTS_SUPPORT_VNPU_WORLD_H
#define TESTS_SUPPORT_VNPU_WORLD_H

#include "backend/vnpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WORLD_CHIPS = 16, WORLD_SLICES = 256 };

struct world {
    struct dvl_arena arena;
    struct dvl_backend backend;
    struct dvl_config config;
    struct dvl_node_state node;
    struct dvl_device *chips[WORLD_CHIPS];
    struct dvl_slice *slices[WORLD_SLICES];
    struct dvl_slice *of_chip[WORLD_CHIPS][WORLD_SLICES];
    struct dvl_error error;
};

static inline void world_open(struct world *world, int64_t cores, size_t chips)
{
    memset(world, 0, sizeof *world);
    dvl_arena_init(&world->arena, 0);
    world->backend = (struct dvl_backend){.ops = &dvl_vnpu_ops,
                                          .config = &world->config,
                                          .name = "vnpu",
                                          .upstream_name = "ascend310p-vNPU",
                                          .enabled = true};
    for (size_t i = 0; i < chips; i++) {
        world->chips[i] = dvl_arena_take(&world->arena, sizeof(struct dvl_device));
        *world->chips[i] = (struct dvl_device){.id = (int64_t)i + 1,
                                               .idx = (int64_t)i,
                                               .type = DVL_VNPU_310P,
                                               .memory = DVL_UNSET,
                                               .cores = cores,
                                               .slots = DVL_UNSET,
                                               .ai_cores = cores,
                                               .ai_cpus = 7,
                                               .numa = DVL_UNSET,
                                               .network_id = DVL_UNSET,
                                               .healthy = true,
                                               .schedulable = true,
                                               .slices = world->of_chip[i]};
    }
    world->node = (struct dvl_node_state){.name = "n1",
                                          .present = true,
                                          .schedulable = true,
                                          .capacity = cores * (int64_t)chips,
                                          .devices = world->chips,
                                          .device_count = chips,
                                          .slices = world->slices};
}

static inline void world_close(struct world *world)
{
    dvl_arena_clear(&world->arena);
}

/* Puts a slice of one pod on a chip; `real` is its AscendReal, NULL: not
 * created yet. A NULL template is the whole chip. */
static inline struct dvl_slice *world_hold(struct world *world, size_t chip, const char *template_, const char *real,
                                           bool observed)
{
    struct dvl_slice *slice = dvl_arena_take(&world->arena, sizeof *slice);
    struct dvl_holder *holder = dvl_arena_take(&world->arena, sizeof *holder);
    struct dvl_device *device = world->chips[chip];
    const struct dvl_vnpu_template *found =
        template_ ? dvl_vnpu_template_find(DVL_VNPU_310P, dvl_span_of(template_)) : NULL;
    assert_true(!template_ || found);
    *holder = (struct dvl_holder){.uid = "u", .namespace_ = "ns", .name = "held"};
    holder->annotations_json =
        real ? dvl_arena_format(&world->arena, "{\"huawei.com/AscendReal\":\"%s\"}", real) : "{}";
    *slice = (struct dvl_slice){.id = (int64_t)world->node.slice_count + 1,
                                .holder = holder,
                                .device = device,
                                .device_name = "",
                                .backend = "vnpu",
                                .container = "main",
                                .memory_asked = DVL_UNSET,
                                .cores = found ? found->cores : device->cores,
                                .ai_cores = found ? found->cores : device->cores,
                                .ai_cpus = found ? found->cpus : 7,
                                .whole = !found,
                                .mode = found ? "template" : NULL,
                                .template_asked = template_,
                                .template_name = template_,
                                .mig_position = DVL_UNSET,
                                .observed = observed};
    world->of_chip[chip][device->slice_count++] = slice;
    world->slices[world->node.slice_count++] = slice;
    return slice;
}

/* A pod with one app container that asks `cores`, and these labels (NULL:
 * absent). */
static inline const struct dvl_pod *world_pod(struct world *world, const char *cores, const char *level,
                                              const char *dvpp)
{
    struct dvl_pod *pod = dvl_arena_take(&world->arena, sizeof *pod);
    struct dvl_container *container = dvl_arena_take(&world->arena, sizeof *container);
    struct dvl_pair *labels = dvl_arena_array(&world->arena, 3, sizeof *labels);
    struct dvl_pair *amount = dvl_arena_take(&world->arena, sizeof *amount);
    size_t count = 0;
    labels[count++] = (struct dvl_pair){"ring-controller.atlas", "ascend-310P"};
    if (dvpp)
        labels[count++] = (struct dvl_pair){"vnpu-dvpp", dvpp};
    if (level)
        labels[count++] = (struct dvl_pair){"vnpu-level", level};
    *amount = (struct dvl_pair){"huawei.com/npu-core", cores};
    *container = (struct dvl_container){.name = "main", .limits = {amount, 1}, .requests = {amount, 1}};
    *pod = (struct dvl_pod){.uid = "u-p",
                            .namespace_ = "ns",
                            .name = "p",
                            .labels = {labels, count},
                            .phase = "Pending",
                            .containers = container,
                            .container_count = 1};
    return pod;
}

/* What decide answers: 0 and the fit, or 1, 2, 3. */
static inline int world_ask(struct world *world, const struct dvl_pod *pod, struct dvl_fit *out)
{
    struct dvl_pod_request request;
    assert_int_equal(dvl_vnpu_ops.read_request(&world->backend, pod, &world->arena, &request, &world->error), DVL_OK);
    assert_int_equal(request.ask_count, 1);
    memset(out, 0, sizeof *out);
    if (request.refusal) {
        assert_non_null(request.refusal_message);
        out->reason = request.refusal;
        return 1;
    }
    struct dvl_fit_query query = {.backend = &world->backend,
                                  .node = &world->node,
                                  .pod = pod,
                                  .request = &request,
                                  .explain = true,
                                  .arena = &world->arena};
    assert_int_equal(dvl_vnpu_ops.fit(&query, out, &world->error), DVL_OK);
    if (out->fits) {
        assert_null(out->reason);
        assert_true(out->slice_count > 0);
        return 0;
    }
    assert_non_null(out->reason);
    assert_non_null(out->message);
    assert_int_equal(out->slice_count, 0);
    if (out->never)
        return 1;
    struct dvl_fit alone;
    query.alone = true;
    query.explain = false;
    assert_int_equal(dvl_vnpu_ops.fit(&query, &alone, &world->error), DVL_OK);
    return alone.fits ? 2 : 3;
}

#endif
