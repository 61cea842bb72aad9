/* vgpu: what reads, what is asked, which cards are chosen, what is written. */
#include "../support/vgpu_world.h"

#define V100 "NVIDIA-Tesla V100-SXM2-32GB"
#define G0 "GPU-0,10,8000," V100 ",true,hami-core:"
#define G1 "GPU-1,10,8000," V100 ",true,hami-core:"
#define G2 "GPU-2,10,8000," V100 ",true,hami-core:"

static struct world world;

static int start(void **state)
{
    (void)state;
    world_start(&world);
    return 0;
}

static int end(void **state)
{
    (void)state;
    world_end(&world);
    return 0;
}

static struct dvl_pod *pod_with(const char *spec, const char *key, const char *value)
{
    struct dvl_pod *pod = world_pod(&world, spec);
    pod->annotations = PAIRS(&world, key, value);
    return pod;
}

/* ---- Inventory ---- */

static void register_reads(void **state)
{
    (void)state;
    world_node(&world, "GPU-1,10,32768," V100 ",true,hami-core:GPU-2,7,16384,NVIDIA-T4,F,mps:");
    assert_int_equal(world.node.device_count, 2);
    assert_true(world.inventory.present);
    const struct dvl_device *card = &world.cards[0];
    assert_string_equal(card->uuid, "GPU-1");
    assert_string_equal(card->type, V100);
    assert_string_equal(card->mode, "hami-core");
    assert_int_equal(card->memory, 32768);
    assert_int_equal(card->slots, 10);
    assert_int_equal(card->cores, 100);
    assert_true(card->healthy);
    assert_int_equal(world.cards[1].idx, 1);
    assert_false(world.cards[1].healthy);
    assert_string_equal(world.cards[1].mode, "hami-core");
    assert_non_null(world_finding(&world, "unknown_mode"));
    assert_int_equal(world.findings.count, 1);
}

/* D23 */
static void records_that_do_not_read_are_skipped_alone(void **state)
{
    (void)state;
    world_node(&world, "GPU-7,10,8000:" G0 "GPU-8,abc,8000,X,true,hami-core:GPU-9,10,8Gi,X,true,hami-core:" G1
                       "GPU-6,-1,8000,X,true,hami-core:GPU-5,1,1,X,yes,hami-core:,1,1,X,true,hami-core:");
    assert_int_equal(world.node.device_count, 2);
    assert_string_equal(world.cards[0].uuid, "GPU-0");
    assert_string_equal(world.cards[1].uuid, "GPU-1");
    assert_int_equal(world.cards[1].idx, 1);
    assert_int_equal(world.findings.count, 6);
    assert_string_equal(world.findings.first->kind, "unreadable_record");
    assert_int_equal(world.findings.first->position, 0);
    assert_int_equal(world.findings.first->next->position, 14 + strlen(G0));
}

static void registers_of_other_plugins(void **state)
{
    (void)state;
    world_node(&world, "GPU-1,10,32768,100,NVIDIA-T4,0,true,0,hami-core:" G2);
    assert_int_equal(world.node.device_count, 1);
    assert_non_null(world_finding(&world, "foreign_record"));
    world_node(&world, "[{\"id\":\"GPU-1\",\"count\":10}]");
    assert_int_equal(world.node.device_count, 0);
    assert_false(world.inventory.present);
    assert_non_null(world_finding(&world, "foreign_record"));
    /* The seven fields of an older plugin have no health where it belongs. */
    world_node(&world, "GPU-1,10,32768,100,NVIDIA-T4,0,true:");
    assert_int_equal(world.node.device_count, 0);
    assert_non_null(world_finding(&world, "unreadable_record"));
}

static void five_fields_are_hami_core(void **state)
{
    (void)state;
    world_node(&world, "GPU-0,10,8000," V100 ",true:");
    assert_int_equal(world.node.device_count, 1);
    assert_string_equal(world.cards[0].mode, "hami-core");
    assert_non_null(world_finding(&world, "legacy_record"));
}

static void first_of_a_uuid_counts(void **state)
{
    (void)state;
    world_node(&world, "GPU-0,x,1,X,true,hami-core:" G0 G1 "GPU-0,1,1,NVIDIA,false,hami-core:" G2);
    assert_int_equal(world.node.device_count, 3);
    assert_int_equal(world.cards[0].memory, 8000);
    assert_string_equal(world.cards[2].uuid, "GPU-2");
    assert_int_equal(world.cards[2].idx, 2);
    assert_non_null(world_finding(&world, "duplicate_uuid"));
}

static void registers_without_cards(void **state)
{
    (void)state;
    static const char *const texts[] = {"", ":"};
    for (size_t i = 0; i < 2; i++) {
        world_node(&world, texts[i]);
        assert_int_equal(world.node.device_count, 0);
        assert_false(world.inventory.present);
        assert_int_equal(world.findings.count, 0);
    }
    world_node(&world, G0 ":" G1);
    assert_int_equal(world.node.device_count, 2);
    assert_int_equal(world.cards[1].idx, 1);
    assert_non_null(world_finding(&world, "empty_record"));
}

static void cards_stay_without_allocatable(void **state)
{
    (void)state;
    static const char *const amounts[] = {"0", "1.5", "-1", "1K"};
    for (size_t i = 0; i < 4; i++) {
        world_node_with(&world, G0, amounts[i]);
        assert_int_equal(world.node.device_count, 1);
        assert_false(world.inventory.present);
        assert_false(world.cards[0].schedulable);
        assert_string_equal(world.cards[0].reason, "no_allocatable");
        assert_int_equal(world.findings.count, 1);
        assert_string_equal(world.findings.first->kind, i == 0 ? "no_allocatable" : "unreadable_quantity");
        assert_string_equal(world.findings.first->key, "volcano.sh/vgpu-memory");
    }
    world_node_with(&world, G0, "1k");
    assert_true(world.inventory.present);
    assert_true(world.cards[0].schedulable);
}

/* ---- Requests ---- */

static void amounts_of_a_container(void **state)
{
    (void)state;
    struct dvl_pod_request request;
    assert_int_equal(world_ask(&world,
                               world_pod(&world, "i:i0 memory=5|c0 count=2 memory=3k cores=10|log|c1 count=1|"
                                                 "c2 count=1 memory=0 percent=33|c3 count=1 r:memory=7 r:cores=8"),
                               &request),
                     DVL_OK);
    assert_int_equal(request.ask_count, 5);
    assert_null(request.refusal);
    const struct dvl_ask *asks = request.asks;
    assert_true(asks[0].init);
    assert_int_equal(asks[0].count, 1);
    assert_int_equal(asks[0].memory, 5);
    assert_int_equal(asks[1].count, 2);
    assert_int_equal(asks[1].memory, 3000);
    assert_int_equal(asks[1].cores, 10);
    assert_true(asks[1].memory_percent == DVL_UNSET);
    assert_int_equal(asks[2].ordinal, 3);
    assert_int_equal(asks[2].memory_percent, 100);
    assert_true(asks[2].memory == DVL_UNSET);
    assert_int_equal(asks[3].memory_percent, 33);
    assert_int_equal(asks[4].memory, 7);
    assert_int_equal(asks[4].cores, 8);
}

static void no_request(void **state)
{
    (void)state;
    static const char *const specs[] = {"c0", "c0 count=0", "c0 count=0 memory=0", "c0|i:i0"};
    for (size_t i = 0; i < 4; i++) {
        struct dvl_pod_request request;
        assert_int_equal(world_ask(&world, world_pod(&world, specs[i]), &request), DVL_OK);
        assert_int_equal(request.ask_count, 0);
        assert_null(request.refusal);
    }
}

/* D26 */
static void parts_of_no_device_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *reason;
    } cases[] = {
        {"c0 cores=50", "cores_without_device"},        {"c0 count=1|c1 cores=50", "cores_without_device"},
        {"c0 percent=50", "percentage_without_device"}, {"c0 count=0 memory=5", "memory_without_device"},
        {"c0 r:memory=5", "request_without_limit"},     {"c0 r:count=1", "request_without_limit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dvl_pod_request request;
        assert_int_equal(world_ask(&world, world_pod(&world, cases[i].spec), &request), DVL_OK);
        assert_string_equal(request.refusal, cases[i].reason);
        assert_non_null(strstr(request.refusal_message, "container c"));
    }
}

static void a_percentage_resource_that_is_not_configured_is_none(void **state)
{
    (void)state;
    world.config.devices.nvidia.percentage_name = NULL;
    struct dvl_pod_request request;
    assert_int_equal(world_ask(&world, world_pod(&world, "c0 percent=500"), &request), DVL_OK);
    assert_int_equal(request.ask_count, 0);
    assert_null(request.refusal);
}

/* D22, D32 */
static void numbers_out_of_range_are_bad_input(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "c0 count=1 percent=0",
        "c0 count=1 percent=101",
        "c0 count=1 memory=2147483648",
        "c0 count=1 memory=16Gi",
        "c0 count=1 memory=-5",
        "c0 count=1 memory=1500m",
        "c0 count=5000000000",
        "c0 count=1 cores=1e12",
        "c0 count=x",
        "c0 cores=50|c1 count=1 memory=x",
        "c0 count=1 r:memory=x",
        "c0 count=9223372036854775808",
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct dvl_pod_request request;
        assert_int_equal(world_ask(&world, world_pod(&world, specs[i]), &request), DVL_BAD_INPUT);
        assert_non_null(strstr(world.error.message, "ml/p"));
        assert_non_null(strstr(world.error.message, "volcano.sh/vgpu-"));
    }
}

/* ---- Fit ---- */

static void every_slice_counts(void **state)
{
    (void)state;
    world_node(&world, "GPU-0,3,8000," V100 ",true,hami-core:");
    world_hold(&world, 0, "a", 2000, 10);
    world_hold(&world, 0, "a", 3000, 20); /* D1: the second container of the same pod */
    assert_int_equal(world_code(&world, world_pod(&world, "c0 count=1 memory=3001")), 2);
    assert_int_equal(world_code(&world, world_pod(&world, "c0 count=1 memory=3000 cores=70")), 0);
    assert_int_equal(world_code(&world, world_pod(&world, "c0 count=1 memory=1 cores=71")), 2);
    world_hold(&world, 0, "b", 0, 0);
    struct dvl_fit fit = world_fit(&world, "c0 count=1 memory=1");
    assert_false(fit.fits);
    assert_string_equal(fit.reason, "out_of_slots");
    assert_string_equal(fit.devices[0].message, "3 of 3 slots in use, asked 1");
}

static void cores_of_a_card(void **state)
{
    (void)state;
    world_node(&world, G0);
    assert_int_equal(world_code(&world, world_pod(&world, "c0 count=1 cores=101")), 3);
    assert_int_equal(world_code(&world, world_pod(&world, "c0 count=1 cores=100")), 0);
    struct dvl_slice *slice = world_hold(&world, 0, "a", 10, 0);
    struct dvl_fit fit = world_fit(&world, "c0 count=1 memory=10 cores=100");
    assert_string_equal(fit.reason, "not_idle");
    assert_int_equal(world_code(&world, world_pod(&world, "c0 count=1 memory=10 cores=99")), 0);
    slice->cores = 100;
    fit = world_fit(&world, "c0 count=1 memory=10");
    assert_string_equal(fit.reason, "without_cores_left");
    slice->cores = 150; /* observed, over-booked */
    fit = world_fit(&world, "c0 count=1 memory=10 cores=1");
    assert_string_equal(fit.reason, "short_of_cores");
}

static void unhealthy_cards_are_never_chosen(void **state)
{
    (void)state;
    world_node(&world, G0 "GPU-1,10,8000," V100 ",false,hami-core:");
    struct dvl_fit fit = world_fit(&world, "c0 count=1 memory=1"); /* D12 */
    assert_string_equal(fit.slices[0]->device_name, "GPU-0");
    assert_int_equal(world_code(&world, world_pod(&world, "c0 count=2 memory=1")), 3);
    fit = world_fit(&world, "c0 count=2 memory=1");
    assert_string_equal(fit.reason, "unhealthy");
    assert_string_equal(fit.message, "container c0: 1 of 2 found: 1 of 2 unhealthy");
}

static void counts_add_up(void **state)
{
    (void)state;
    world_node(&world, G0 G1 G2 "GPU-3,0,8000," V100 ",true,hami-core:GPU-4,10,8000,NVIDIA-T4,false,hami-core:");
    world_hold(&world, 0, "a", 7000, 0);
    world_hold(&world, 1, "a", 7000, 0);
    struct dvl_fit fit = world_fit(&world, "c0 count=3 memory=2000");
    assert_string_equal(fit.message,
                        "container c0: 1 of 3 found: 1 of 5 unhealthy, 1 of 5 out of slots, 2 of 5 short of memory");
    assert_string_equal(fit.reason, "short_of_memory");
    assert_int_equal(fit.device_verdict_count, 5);
    assert_null(fit.devices[2].reason);
    assert_string_equal(fit.devices[0].message, "7000 of 8000 MiB in use, asked 2000 MiB");
    fit = world_fit(&world, "c0 count=6 memory=1");
    assert_string_equal(fit.reason, "too_few_devices");
}

static void explained_is_the_container_that_was_not_served(void **state)
{
    (void)state;
    world_node(&world, G0);
    struct dvl_fit fit = world_fit(&world, "c0 count=1 memory=5000|c1 count=1 memory=5000");
    assert_false(fit.fits);
    assert_string_equal(fit.message, "container c1: 0 of 1 found: 1 of 1 short of memory");
    assert_string_equal(fit.devices[0].message, "5000 of 8000 MiB in use, asked 5000 MiB");
    fit = world_fit(&world, "c0 count=1 memory=5000|c1 count=1 memory=3000");
    assert_true(fit.fits);
    assert_null(fit.devices[0].reason);
}

static void order_of_policies(void **state)
{
    (void)state;
    static const struct {
        enum dvl_policy policy;
        enum dvl_profile profile;
        const char *first, *second;
    } cases[] = {
        {DVL_POLICY_NONE, DVL_PROFILE_LEDGER, "GPU-2", "GPU-1"},
        {DVL_POLICY_BINPACK, DVL_PROFILE_LEDGER, "GPU-1", "GPU-0"},
        {DVL_POLICY_SPREAD, DVL_PROFILE_LEDGER, "GPU-0", "GPU-2"},
        {DVL_POLICY_BINPACK, DVL_PROFILE_VOLCANO_1_14, "GPU-2", "GPU-1"},
        {DVL_POLICY_SPREAD, DVL_PROFILE_VOLCANO_1_14, "GPU-2", "GPU-1"},
    };
    world_node(&world, G0 G1 G2);
    world_hold(&world, 1, "a", 1000, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world.config.scheduler.policy = cases[i].policy;
        world.config.scheduler.profile = cases[i].profile;
        struct dvl_fit fit = world_fit(&world, "c0 count=2 memory=100");
        assert_true(fit.fits);
        assert_string_equal(fit.slices[0]->device_name, cases[i].first);
        assert_string_equal(fit.slices[1]->device_name, cases[i].second);
    }
}

static void order_is_taken_anew_for_each_container(void **state)
{
    (void)state;
    world.config.scheduler.policy = DVL_POLICY_SPREAD;
    world_node(&world, G0 G1 G2);
    struct dvl_fit fit = world_fit(&world, "c0 memory=1000|c1 memory=1000|c2 count=2 memory=1000");
    static const char *const wanted[] = {"GPU-0", "GPU-1", "GPU-2", "GPU-0"};
    assert_int_equal(fit.slice_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(fit.slices[i]->device_name, wanted[i]);
        assert_int_equal(fit.slices[i]->ordinal, i);
    }
    assert_string_equal(fit.slices[3]->container, "c2");
    assert_int_equal(fit.slices[3]->container_ordinal, 2);
}

static double score(enum dvl_policy policy, const char *spec)
{
    world.config.scheduler.policy = policy;
    struct dvl_fit fit = world_fit(&world, spec);
    assert_true(fit.fits);
    return fit.score;
}

static void scores(void **state)
{
    (void)state;
    world_node(&world, G0 G1);
    world_hold(&world, 0, "a", 4000, 0);
    assert_float_equal(score(DVL_POLICY_BINPACK, "c0 memory=1000"), 62.5, 1e-9);
    assert_float_equal(score(DVL_POLICY_BINPACK, "c0 count=2 memory=1000"), 75, 1e-9);
    assert_float_equal(score(DVL_POLICY_BINPACK, "c0 memory=1000|c1 memory=1000"), 137.5, 1e-9);
    assert_float_equal(score(DVL_POLICY_SPREAD, "c0 memory=1000"), 100, 1e-9); /* D3 */
    assert_float_equal(score(DVL_POLICY_SPREAD, "c0 count=2 memory=1000"), 100, 1e-9);
    assert_float_equal(score(DVL_POLICY_NONE, "c0 memory=1000"), 0, 1e-9);
    world_node(&world, "GPU-0,10,0," V100 ",true,hami-core:");
    assert_float_equal(score(DVL_POLICY_BINPACK, "c0 count=1"), 0, 1e-9);
    assert_int_equal(world_code(&world, world_pod(&world, "c0 memory=1")), 3);
}

static void type_and_uuid_and_mode(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value;
        int code[3]; /* of a V100, a T4, an AMD card */
    } cases[] = {
        {"nvidia.com/use-gputype", "v100", {0, 3, 3}},
        {"nvidia.com/use-gputype", "A100,T4", {3, 0, 3}},
        {"nvidia.com/use-gputype", "V100,", {0, 3, 3}}, /* D7 */
        {"nvidia.com/nouse-gputype", "V100,", {3, 0, 3}},
        {"nvidia.com/use-gputype", ",", {0, 0, 3}}, /* D39 */
        {"nvidia.com/use-gputype", " V100", {0, 3, 3}},
        {"nvidia.com/use-gputype", "V100 ", {3, 3, 3}}, /* not trimmed */
        {"volcano.sh/vgpu-use-gpuuuid", "GPU-1, GPU-2 ", {0, 0, 3}},
        {"volcano.sh/vgpu-use-gpuuuid", "GPU-", {3, 3, 3}},
        {"volcano.sh/vgpu-use-gpuuuid", " , ", {0, 0, 3}},
        {"volcano.sh/vgpu-nouse-gpuuuid", "GPU-1", {3, 0, 3}},
        {"volcano.sh/vgpu-mode", "hami-core", {0, 0, 3}},
        {"volcano.sh/vgpu-mode", "mig", {3, 3, 3}}, /* D6 */
    };
    static const char *const cards[] = {"GPU-1,1,10,NVIDIA-Tesla V100,true,hami-core:",
                                        "GPU-2,1,10,NVIDIA-T4,true,hami-core:", "GPU-3,1,10,AMD-MI300,true,hami-core:"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t c = 0; c < 3; c++) {
            world_node(&world, cards[c]);
            assert_int_equal(world_code(&world, pod_with("c0 count=1", cases[i].key, cases[i].value)),
                             cases[i].code[c]);
        }
    }
}

static void deny_wins_over_allow(void **state)
{
    (void)state;
    world_node(&world, G0 G1);
    struct dvl_pod *pod = world_pod(&world, "c0 count=1");
    pod->annotations =
        PAIRS(&world, "volcano.sh/vgpu-nouse-gpuuuid", "GPU-1", "volcano.sh/vgpu-use-gpuuuid", "GPU-0,GPU-1");
    struct dvl_fit fit = world_fit_pod(&world, pod, false);
    assert_string_equal(fit.slices[0]->device_name, "GPU-0");
    assert_string_equal(fit.devices[1].reason, "excluded_by_uuid");
    /* Of types the allow list decides alone. */
    pod->annotations = PAIRS(&world, "nvidia.com/nouse-gputype", "Tesla", "nvidia.com/use-gputype", "V100");
    assert_true(world_fit_pod(&world, pod, false).fits);
    pod->annotations = PAIRS(&world, "nvidia.com/nouse-gputype", "Tesla", "nvidia.com/use-gputype", ",,");
    assert_false(world_fit_pod(&world, pod, false).fits); /* D39 */
}

static struct dvl_pod *member(const char *group_key, const char *group, const char *policy)
{
    struct dvl_pod *pod = world_pod(&world, "c0 count=1 memory=1000");
    pod->annotations = PAIRS(&world, group_key, group, "volcano.sh/vgpu-podgroup-policy", policy);
    return pod;
}

static void members_of_a_group_keep_apart(void **state)
{
    (void)state;
    world_node(&world, G0);
    struct dvl_slice *slice = world_hold(&world, 0, "a", 1000, 0);
    struct dvl_holder holder = *slice->holder;
    holder.pod_group = "ml/g";
    slice->holder = &holder;
    struct dvl_pod *pod = member("scheduling.k8s.io/group-name", "g", "spread");
    assert_int_equal(world_code(&world, pod), 2);
    struct dvl_fit fit = world_fit_pod(&world, pod, false);
    assert_string_equal(fit.reason, "held_by_pod_group");
    assert_non_null(strstr(fit.devices[0].message, "ml/a"));
    assert_int_equal(world_code(&world, member("scheduling.volcano.sh/group-name", "g", "spread")), 2);
    assert_int_equal(world_code(&world, member("scheduling.k8s.io/group-name", "h", "spread")), 0);
    assert_int_equal(world_code(&world, member("scheduling.k8s.io/group-name", "g", "pack")), 0);
    pod->namespace_ = "research";
    assert_int_equal(world_code(&world, pod), 0);
    pod->namespace_ = "ml";
    slice->memory = 0;
    assert_int_equal(world_code(&world, pod), 0);
    slice->cores = 1;
    assert_int_equal(world_code(&world, pod), 2);
}

static void exclusive_rules(void **state)
{
    (void)state;
    struct dvl_exclusive_rule rules[2];
    rules[0].labels = PAIRS(&world, "team", "training");
    rules[1].labels = PAIRS(&world, "team", "batch", "tier", "gold");
    world.config.scheduler.rules = rules;
    world.config.scheduler.rule_count = 2;
    world_node(&world, G0);
    struct dvl_slice *slice = world_hold(&world, 0, "a", 1000, 0);
    struct dvl_holder holder = *slice->holder;
    slice->holder = &holder;
    static const struct {
        const char *held, *team, *tier;
        int code;
    } cases[] = {
        {"{\"team\":\"training\"}", "training", "", 2},
        {"{\"team\":\"training\"}", "batch", "gold", 0},
        {"{\"team\":\"training\"}", "other", "", 0},
        {"{\"team\":\"batch\",\"tier\":\"gold\"}", "batch", "gold", 2},
        {"{\"team\":\"batch\"}", "batch", "gold", 0},
        {"{}", "training", "", 0},
        {"{\"team", "training", "", 2}, /* what does not read is no freedom */
        {"{\"team", "other", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dvl_pod *pod = world_pod(&world, "c0 count=1 memory=1000");
        pod->labels = PAIRS(&world, "team", cases[i].team, "tier", cases[i].tier);
        holder.labels_json = cases[i].held;
        assert_int_equal(world_code(&world, pod), cases[i].code);
    }
}

static void percentages_are_of_each_card(void **state)
{
    (void)state;
    world_node(&world, "GPU-0,10,8191," V100 ",true,hami-core:GPU-1,10,100," V100 ",true,hami-core:");
    struct dvl_fit fit = world_fit(&world, "c0 count=2 memory=3000 percent=33");
    assert_true(fit.fits);
    assert_int_equal(fit.slices[0]->memory, 33);
    assert_int_equal(fit.slices[1]->memory, 2703);
}

/* ---- Assignments ---- */

static struct dvl_assignment observe(const struct dvl_pod *pod)
{
    struct dvl_assignment assignment;
    world.findings = (struct dvl_findings){.arena = &world.arena};
    assert_int_equal(dvl_vgpu_ops.read_assignment(&world.backend, pod, world.card_list, world.node.device_count,
                                                  &assignment, &world.findings, &world.error),
                     DVL_OK);
    return assignment;
}

static struct dvl_assignment observe_ids(const char *spec, const char *ids)
{
    return observe(pod_with(spec, "volcano.sh/vgpu-ids-new", ids));
}

static void assignments_read(void **state)
{
    (void)state;
    world_node(&world, "GPU-1,10,8000," V100 ",true,hami-core:GPU-10,10,8000," V100 ",true,hami-core:");
    struct dvl_pod *pod = world_pod(&world, "c0 count=1|log|c1 memory=5");
    pod->annotations = PAIRS(&world, "volcano.sh/bind-phase", "success", "volcano.sh/bind-time", "1787191340",
                             "volcano.sh/vgpu-ids-new",
                             "GPU-10,NVIDIA,2000,10:GPU-1,NVIDIA,5,0:;GPU-10,NVIDIA,3000,20:", "volcano.sh/vgpu-node",
                             "n1", "volcano.sh/vgpu-time", "18446744073709551615");
    struct dvl_assignment said = observe(pod);
    assert_true(said.said);
    assert_false(said.unreadable);
    assert_string_equal(said.node_name, "n1");
    assert_int_equal(said.slice_count, 3);
    assert_ptr_equal(said.slices[0]->device, &world.cards[1]); /* whole ids, no substrings */
    assert_ptr_equal(said.slices[1]->device, &world.cards[0]);
    assert_string_equal(said.slices[1]->container, "c0");
    assert_string_equal(said.slices[2]->container, "c1");
    assert_int_equal(said.slices[2]->container_ordinal, 2);
    assert_int_equal(said.slices[2]->ordinal, 2);
    assert_int_equal(said.slices[2]->memory, 3000);
    assert_int_equal(said.slices[2]->cores, 20);
    assert_int_equal(said.slices[2]->slots, 1);
    assert_true(said.slices[0]->observed);
    assert_true(said.slices[0]->bound);
    assert_int_equal(world.findings.count, 0);
}

static void assignments_that_do_not_read(void **state)
{
    (void)state;
    world_node(&world, G0);
    struct dvl_assignment said = observe_ids("c0 count=1", "GPU-0,NVIDIA,-5,10:GPU-0,NVIDIA,7,0:");
    assert_true(said.unreadable);
    assert_int_equal(said.slice_count, 1);
    assert_int_equal(said.slices[0]->memory, 7);
    assert_non_null(world_finding(&world, "unreadable_record"));
    said = observe_ids("c0 count=1", "garbage");
    assert_true(said.unreadable);
    assert_int_equal(said.slice_count, 0);
    said = observe_ids("c0 count=1", "");
    assert_true(said.said);
    assert_false(said.unreadable);
    assert_int_equal(said.slice_count, 0);
    assert_false(observe(world_pod(&world, "c0 count=1")).said);
}

static void assignments_that_are_odd(void **state)
{
    (void)state;
    static const struct {
        const char *ids, *finding;
    } cases[] = {
        {"GPU-0,NVIDIA,1,0,hami-core:", "extra_fields"},
        {"GPU-0,NVIDIA,1,0", "unclosed_record"},
        {"GPU-0,Ascend310P,1,0:", "unknown_type"},
        {"GPU-9,NVIDIA,1,0:", "unknown_device"},
        {"GPU-0,NVIDIA,1,0::", "empty_record"},
        {"GPU-0[g-0],NVIDIA,1,0:", "instance_on_whole_card"},
        {"GPU-0,NVIDIA,1,0:;", NULL},
        {";;GPU-0,NVIDIA,1,0:", "unknown_container"},
    };
    world_node(&world, G0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dvl_assignment said = observe_ids("c0 count=1", cases[i].ids);
        assert_false(said.unreadable);
        assert_int_equal(said.slice_count, 1);
        assert_int_equal(said.slices[0]->memory, 1);
        if (cases[i].finding)
            assert_non_null(world_finding(&world, cases[i].finding));
        assert_int_equal(world.findings.count, cases[i].finding ? 1 : 0);
    }
}

static void init_containers_of_older_lists(void **state)
{
    (void)state;
    world_node(&world, G0);
    static const char spec[] = "i:i0 count=1|c0 count=1";
    struct dvl_assignment said = observe_ids(spec, "GPU-0,NVIDIA,1,0:");
    assert_string_equal(said.slices[0]->container, "c0");
    said = observe_ids(spec, "GPU-0,NVIDIA,1,0:;GPU-0,NVIDIA,2,0:");
    assert_string_equal(said.slices[0]->container, "i0");
    assert_string_equal(said.slices[1]->container, "c0");
}

static void phases_and_times(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *finding;
    } cases[] = {
        {"volcano.sh/bind-phase", "failed", "bind_failed"}, {"volcano.sh/bind-phase", "Success", "unknown_phase"},
        {"volcano.sh/bind-time", "now", "unreadable_time"}, {"volcano.sh/bind-phase", "allocating", NULL},
        {"volcano.sh/bind-time", "1787191340", NULL},
    };
    world_node(&world, G0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dvl_pod *pod = world_pod(&world, "c0 count=1");
        pod->annotations = PAIRS(&world, cases[i].key, cases[i].value, "volcano.sh/vgpu-ids-new", "GPU-0,NVIDIA,1,0:");
        struct dvl_assignment said = observe(pod);
        assert_int_equal(said.slice_count, 1);
        assert_false(said.unreadable);
        assert_int_equal(world.findings.count, cases[i].finding ? 1 : 0);
        if (cases[i].finding)
            assert_non_null(world_finding(&world, cases[i].finding));
    }
}

/* ---- Annotations ---- */

static struct dvl_pairs write_at(enum dvl_annotation_moment moment, bool bound, const struct dvl_fit *fit)
{
    struct dvl_annotation_query query = {.backend = &world.backend,
                                         .moment = moment,
                                         .node_name = "n1",
                                         .slices = fit->slices,
                                         .slice_count = fit->slice_count,
                                         .bound = bound,
                                         .allocated_at = 1787191340999999,
                                         .arena = &world.arena};
    struct dvl_pairs pairs;
    assert_int_equal(dvl_vgpu_ops.annotations(&query, &pairs, &world.error), DVL_OK);
    return pairs;
}

static void annotations_of_each_moment(void **state)
{
    (void)state;
    world_node(&world, G0 G1);
    struct dvl_fit fit = world_fit(&world, "c0 count=2 memory=1000 cores=5|c1 memory=2000");
    struct dvl_pairs pairs = write_at(DVL_MOMENT_ALLOCATE, false, &fit);
    static const char ids[] = "GPU-1,NVIDIA,1000,5:GPU-0,NVIDIA,1000,5:;GPU-1,NVIDIA,2000,0:";
    static const char *const wanted[][2] = {
        {"volcano.sh/bind-phase", "allocating"}, {"volcano.sh/bind-time", "1787191340"},
        {"volcano.sh/devices-to-allocate", ids}, {"volcano.sh/vgpu-ids-new", ids},
        {"volcano.sh/vgpu-node", "n1"},          {"volcano.sh/vgpu-time", "1787191340"},
    };
    assert_int_equal(pairs.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(pairs.items[i].key, wanted[i][0]);
        assert_string_equal(pairs.items[i].value, wanted[i][1]);
    }
    pairs = write_at(DVL_MOMENT_BIND, false, &fit);
    assert_int_equal(pairs.count, 1);
    assert_string_equal(pairs.items[0].key, "volcano.sh/bind-phase");
    assert_string_equal(pairs.items[0].value, "success");
    pairs = write_at(DVL_MOMENT_RELEASE, false, &fit);
    assert_int_equal(pairs.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_null(pairs.items[i].value);
    assert_int_equal(write_at(DVL_MOMENT_RELEASE, true, &fit).count, 0);
}

/* ---- Memory ---- */

/* Runs out at every point once: a status each time, never a crash. */
static void no_memory_is_a_status(void **state)
{
    (void)state;
    world_node(&world, G0 G1);
    world_hold(&world, 0, "a", 7000, 0);
    struct dvl_pod *pod = pod_with("c0 count=2 memory=2000|c1 count=1", "nvidia.com/use-gputype", "V100,T4");
    bool done = false;
    for (size_t limit = 1; !done; limit += 16) {
        struct dvl_arena small;
        dvl_arena_init(&small, limit);
        struct dvl_pod_request request;
        enum dvl_status status = dvl_vgpu_ops.read_request(&world.backend, pod, &small, &request, &world.error);
        struct dvl_fit fit = {0};
        if (status == DVL_OK) {
            struct dvl_fit_query query = {.backend = &world.backend,
                                          .node = &world.node,
                                          .pod = pod,
                                          .request = &request,
                                          .explain = true,
                                          .arena = &small};
            status = dvl_vgpu_ops.fit(&query, &fit, &world.error);
        }
        assert_true(status == DVL_OK || status == DVL_NO_MEMORY);
        done = status == DVL_OK;
        if (done)
            assert_string_equal(fit.reason, "short_of_memory");
        dvl_arena_clear(&small);
    }
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, start, end)
    const struct CMUnitTest tests[] = {
        CASE(register_reads),
        CASE(records_that_do_not_read_are_skipped_alone),
        CASE(registers_of_other_plugins),
        CASE(five_fields_are_hami_core),
        CASE(first_of_a_uuid_counts),
        CASE(registers_without_cards),
        CASE(cards_stay_without_allocatable),
        CASE(amounts_of_a_container),
        CASE(no_request),
        CASE(parts_of_no_device_are_refused_by_name),
        CASE(a_percentage_resource_that_is_not_configured_is_none),
        CASE(numbers_out_of_range_are_bad_input),
        CASE(every_slice_counts),
        CASE(cores_of_a_card),
        CASE(unhealthy_cards_are_never_chosen),
        CASE(counts_add_up),
        CASE(explained_is_the_container_that_was_not_served),
        CASE(order_of_policies),
        CASE(order_is_taken_anew_for_each_container),
        CASE(scores),
        CASE(type_and_uuid_and_mode),
        CASE(deny_wins_over_allow),
        CASE(members_of_a_group_keep_apart),
        CASE(exclusive_rules),
        CASE(percentages_are_of_each_card),
        CASE(assignments_read),
        CASE(assignments_that_do_not_read),
        CASE(assignments_that_are_odd),
        CASE(init_containers_of_older_lists),
        CASE(phases_and_times),
        CASE(annotations_of_each_moment),
        CASE(no_memory_is_a_status),
    };
    return cmocka_run_group_tests_name("vgpu", tests, NULL, NULL);
}
