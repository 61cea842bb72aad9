/* vnpu: memory may run out at any point; that is said, and nothing else
 * happens. */
#include "../support/vnpu_world.h"

/* Every call of the backend once, with at most `limit` bytes. True when all of
 * them had enough. */
struct try_out {
    struct dvl_arena arena;
    struct dvl_backend backend;
    struct dvl_error error;
    bool enough;
};

static bool went_well(struct try_out *try_out, enum dvl_status status)
{
    if (status != DVL_OK)
        assert_int_equal(status, DVL_NO_MEMORY);
    try_out->enough = try_out->enough && status == DVL_OK;
    return status == DVL_OK;
}

static void inventory(struct try_out *try_out)
{
    struct dvl_findings findings = {.arena = &try_out->arena};
    struct dvl_pair data[] = {{"DeviceInfoCfg", "{\"DeviceInfo\":{\"DeviceList\":{\"huawei.com/Ascend310P\":"
                                                "\"Ascend310P-0,junk\"},\"UpdateTime\":5},\"CheckCode\":\"x\"}"},
                              {"ManuallySeparateNPU", "Ascend310P-1"}};
    struct dvl_configmap configmap = {.namespace_ = "kube-system", .name = "mindx-dl-deviceinfo-n1", .data = {data, 2}};
    struct dvl_pair map = {"cluster-info-device-0", "{\"mindx-dl-deviceinfo-n1\":{\"DeviceList\":{\"a\":\"b\"}}}"};
    struct dvl_configmap cluster = {.namespace_ = "mindx-dl", .name = "cluster-info-device-0", .data = {&map, 1}};
    struct dvl_pair labels[] = {{"accelerator", "huawei-Ascend310P"},
                                {"node.kubernetes.io/npu.chip.name", "310P3"},
                                {"servertype", "Ascend310P-8"}};
    struct dvl_pair capacity = {"huawei.com/npu-core", "16"};
    struct dvl_node node = {.name = "n1", .labels = {labels, 3}, .capacity = {&capacity, 1}};
    struct dvl_facts facts;
    struct dvl_inventory out;
    bool mine;
    went_well(try_out, dvl_vnpu_ops.read_object(&try_out->backend, &cluster, &try_out->arena, &mine, &facts, &findings,
                                                &try_out->error));
    if (went_well(try_out, dvl_vnpu_ops.read_object(&try_out->backend, &configmap, &try_out->arena, &mine, &facts,
                                                    &findings, &try_out->error)))
        went_well(try_out, dvl_vnpu_ops.read_node(&try_out->backend, &node, &facts, &out, &findings, &try_out->error));
    try_out->enough = try_out->enough && !findings.failed;
}

static void decision(struct try_out *try_out, struct world *world, const struct dvl_pod *pod)
{
    struct dvl_pod_request request;
    struct dvl_fit fit;
    if (!went_well(try_out,
                   dvl_vnpu_ops.read_request(&try_out->backend, pod, &try_out->arena, &request, &try_out->error)) ||
        request.refusal)
        return;
    struct dvl_fit_query query = {.backend = &try_out->backend,
                                  .node = &world->node,
                                  .pod = pod,
                                  .request = &request,
                                  .explain = true,
                                  .arena = &try_out->arena};
    if (!went_well(try_out, dvl_vnpu_ops.fit(&query, &fit, &try_out->error)) || !fit.fits)
        return;
    struct dvl_annotation_query put = {
        .backend = &try_out->backend, .slices = fit.slices, .slice_count = fit.slice_count, .arena = &try_out->arena};
    struct dvl_pairs pairs;
    went_well(try_out, dvl_vnpu_ops.annotations(&put, &pairs, &try_out->error));
}

static void assignment(struct try_out *try_out, struct world *world, const char *text)
{
    struct dvl_findings findings = {.arena = &try_out->arena};
    struct dvl_pair annotations[] = {{"huawei.com/AscendReal", "junk"}, {"huawei.com/npu-core", text}};
    struct dvl_pod pod = {.namespace_ = "ns", .name = "p", .annotations = {annotations, 2}};
    struct dvl_assignment got;
    went_well(try_out,
              dvl_vnpu_ops.read_assignment(&try_out->backend, &pod, world->chips, 2, &got, &findings, &try_out->error));
    try_out->enough = try_out->enough && !findings.failed;
}

static bool try_all(struct world *world, size_t limit)
{
    struct try_out try_out = {.backend = world->backend, .enough = true};
    dvl_arena_init(&try_out.arena, limit);
    inventory(&try_out);
    decision(&try_out, world, world_pod(world, "2", "high", NULL));
    decision(&try_out, world, world_pod(world, "8", NULL, NULL));
    decision(&try_out, world, world_pod(world, "4", NULL, "yes"));
    decision(&try_out, world, world_pod(world, "3", NULL, NULL));
    decision(&try_out, world, world_pod(world, "4", NULL, "on"));
    assignment(&try_out, world, "0-vir04");
    assignment(&try_out, world, "0,1");
    assignment(&try_out, world, "x");
    dvl_arena_clear(&try_out.arena);
    return try_out.enough;
}

static void memory_that_runs_out_is_said(void **state)
{
    (void)state;
    struct world world;
    world_open(&world, 8, 2);
    world_hold(&world, 0, "vir04", "a\\\"_1", true);
    size_t limit = 1;
    while (!try_all(&world, limit)) {
        limit += 48;
        assert_true(limit < (size_t)1 << 20);
    }
    assert_true(limit > 1024);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_that_runs_out_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
