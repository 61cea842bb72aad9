/* hami: registers, requests, fit and order. One rule a test; the pods' own
 * annotations are in test_hami_pod.c. */
#include "../support/hami_world.h"

#define CHIP_JSON(id, rest) "{\"id\":\"" id "\"," rest "}"
#define GOOD_310P "\"count\":7,\"devmem\":21527,\"devcore\":8,\"type\":\"Ascend310P\",\"health\":true"
#define GOOD_910B4 "\"count\":4,\"devmem\":32768,\"devcore\":20,\"type\":\"Ascend910B4\",\"health\":true"
#define NETWORK(n) ",\"custominfo\":{\"NetworkID\":" #n "}"

static struct world world;

static void open_with(enum world_chip chip, const char *text, const char *mode)
{
    world_open(&world, chip);
    world_node(&world, text, mode, "7");
}

static int teardown(void **state)
{
    (void)state;
    world_close(&world);
    return 0;
}

static size_t count_findings(const char *kind)
{
    size_t count = 0;
    for (const struct dvl_finding *finding = world.findings.first; finding; finding = finding->next)
        count += strcmp(finding->kind, kind) == 0;
    return count;
}

static const struct dvl_finding *first_finding(const char *kind)
{
    for (const struct dvl_finding *finding = world.findings.first; finding; finding = finding->next) {
        if (strcmp(finding->kind, kind) == 0)
            return finding;
    }
    fail_msg("no finding of kind %s", kind);
    return NULL;
}

/* One container, judged as it stands. */
static struct dvl_fit ask(const char *count, const char *memory, const char *cores, const char *const *annotations,
                          bool alone)
{
    struct dvl_container container = world_container(&world, "c0", count, memory, cores);
    struct dvl_pod pod = world_pod(&world, &container, 1, annotations);
    struct dvl_pod_request request = world_request(&world, &pod);
    assert_int_equal(request.ask_count, 1);
    assert_null(request.refusal);
    return world_fit(&world, &pod, &request, alone, true);
}

static const char *const soft_pod[] = {"huawei.com/vnpu-mode", "hami-core", NULL};

/* ---- Inventory ---- */

static void register_gives_devices_in_order_of_index(void **state)
{
    (void)state;
    open_with(CHIP_310P, "[" CHIP_JSON("B", "\"index\":1,\"numa\":1," GOOD_310P) "," CHIP_JSON("A", GOOD_310P) "]",
              NULL);
    assert_true(world.inventory.present);
    assert_true(world.inventory.schedulable);
    assert_false(world.inventory.soft);
    assert_int_equal(world.inventory.device_count, 2);
    const struct dvl_device *first = &world.inventory.devices[0], *second = &world.inventory.devices[1];
    assert_string_equal(first->uuid, "A"); /* a missing index is 0 */
    assert_int_equal(first->idx, 0);
    assert_int_equal(first->memory, 21527);
    assert_int_equal(first->slots, 7);
    assert_int_equal(first->cores, 8);
    assert_int_equal(first->ai_cores, 8);
    assert_int_equal(first->ai_cpus, 7);
    assert_int_equal(first->network_id, DVL_UNSET);
    assert_true(first->healthy);
    assert_string_equal(second->uuid, "B");
    assert_int_equal(second->numa, 1);
    assert_int_equal(world.findings.count, 0);
}

static void missing_health_is_unhealthy(void **state)
{
    (void)state;
    open_with(CHIP_310P, "[" CHIP_JSON("A", "\"count\":7,\"devmem\":21527,\"devcore\":8") "]", NULL);
    assert_int_equal(world.inventory.device_count, 1);
    assert_false(world.inventory.devices[0].healthy);
    assert_string_equal(world.inventory.devices[0].type, "Ascend310P");
}

static void empty_and_null_registers_mean_no_devices(void **state)
{
    (void)state;
    static const char *const texts[] = {"[]", "null", " [ ] "};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        open_with(CHIP_310P, texts[i], NULL);
        assert_false(world.inventory.present);
        assert_false(world.inventory.keep);
        assert_int_equal(world.inventory.device_count, 0);
        assert_int_equal(world.findings.count, 0);
        world_close(&world);
    }
    open_with(CHIP_310P, NULL, NULL);
    assert_false(world.inventory.present);
}

static void broken_register_keeps_what_was_there(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[{\"id\":\"A\",\"count\":7", "", "{}", "7", "GPU-1,10,8000:", "[{\"id\":\"A\",\"id\":\"B\"}]", "[] []"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        open_with(CHIP_310P, texts[i], NULL);
        assert_true(world.inventory.keep);
        assert_int_equal(count_findings("unreadable_register"), 1);
        assert_string_equal(first_finding("unreadable_register")->key, "hami.io/node-register-Ascend310P");
        world_close(&world);
    }
    open_with(CHIP_310P, NULL, NULL);
}

static void bad_entries_are_skipped_with_their_place(void **state)
{
    (void)state;
    static const char good[] = "[" CHIP_JSON("A", GOOD_310P) ", ";
    static const struct {
        const char *entry, *word;
    } cases[] = {
        {"{" GOOD_310P "}", "id"},
        {CHIP_JSON("", GOOD_310P), "id"},
        {"{\"id\":7," GOOD_310P "}", "id"},
        {CHIP_JSON("A,B", GOOD_310P), "id"},
        {CHIP_JSON("A:", GOOD_310P), "id"},
        {CHIP_JSON("A[0]", GOOD_310P), "id"},
        {"\"[,]{\\\"\"", "id"},
        {"null", "id"},
        {CHIP_JSON("B", "\"devmem\":\"21527\",\"health\":true"), "devmem"},
        {CHIP_JSON("B", "\"devmem\":2147483648"), "devmem"},
        {CHIP_JSON("B", "\"devmem\":-1"), "devmem"},
        {CHIP_JSON("B", "\"devmem\":1.5"), "devmem"},
        {CHIP_JSON("B", "\"count\":true"), "count"},
        {CHIP_JSON("B", "\"devcore\":1e99"), "devcore"},
        {CHIP_JSON("B", "\"index\":-1"), "index"},
        {CHIP_JSON("B", "\"health\":\"true\""), "health"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        world_open(&world, CHIP_310P);
        char *text = dvl_arena_format(&world.arena, "%s%s,%s]", good, cases[i].entry, CHIP_JSON("Z", GOOD_310P));
        world_node(&world, text, NULL, "7");
        assert_int_equal(world.inventory.device_count, 2);
        const struct dvl_finding *finding = first_finding("unreadable_record");
        assert_int_equal(finding->position, sizeof good - 1);
        assert_non_null(strstr(finding->text, cases[i].word));
        world_close(&world);
    }
    open_with(CHIP_310P, NULL, NULL);
}

static void of_an_id_that_comes_twice_the_first_counts(void **state)
{
    (void)state;
    open_with(CHIP_310P,
              "[" CHIP_JSON("A", GOOD_310P) "," CHIP_JSON("B", "\"index\":2," GOOD_310P) "," CHIP_JSON(
                  "A", "\"index\":1,\"count\":9,\"devmem\":1") "]",
              NULL);
    assert_int_equal(world.inventory.device_count, 2);
    assert_int_equal(world.inventory.devices[0].slots, 7);
    assert_int_equal(count_findings("duplicate_uuid"), 1);
}

static void network_that_is_no_number_counts_as_absent(void **state)
{
    (void)state;
    /* PAR-15: both devices are there all the same, and are given. */
    open_with(CHIP_910B4,
              "[" CHIP_JSON("A", GOOD_910B4 ",\"custominfo\":{\"NetworkID\":\"0\"}") "," CHIP_JSON(
                  "B", "\"index\":1," GOOD_910B4 ",\"custominfo\":7") "]",
              NULL);
    assert_int_equal(world.inventory.device_count, 2);
    assert_int_equal(world.inventory.devices[0].network_id, DVL_UNSET);
    assert_int_equal(world.inventory.devices[1].network_id, DVL_UNSET);
    assert_int_equal(count_findings("unreadable_network_id"), 1);
    struct dvl_fit fit = ask("2", NULL, NULL, NULL, false);
    assert_true(fit.fits);
    assert_int_equal(fit.slice_count, 2);
}

static void resource_that_is_zero_or_missing_closes_the_node(void **state)
{
    (void)state;
    static const char *const amounts[] = {NULL, "0"};
    for (size_t i = 0; i < COUNT_OF(amounts); i++) {
        world_open(&world, CHIP_310P);
        world_node(&world, "[" CHIP_JSON("A", GOOD_310P) "]", NULL, amounts[i]);
        assert_true(world.inventory.present);
        assert_false(world.inventory.schedulable);
        assert_string_equal(world.inventory.reason, "no_allocatable");
        assert_int_equal(world.inventory.device_count, 1);
        assert_false(world.inventory.devices[0].schedulable);
        struct dvl_fit fit = ask("1", NULL, NULL, NULL, true);
        assert_false(fit.fits);
        assert_string_equal(fit.reason, "no_allocatable");
        assert_string_equal(fit.message, "the node has no allocatable huawei.com/Ascend310P");
        assert_string_equal(fit.devices[0].reason, "not_schedulable");
        world_close(&world);
    }
    world_open(&world, CHIP_310P);
    world_node(&world, "[" CHIP_JSON("A", GOOD_310P) "]", NULL, "x");
    assert_true(world.inventory.keep);
    assert_int_equal(count_findings("unreadable_quantity"), 1);
}

static void node_annotation_goes_before_the_configuration(void **state)
{
    (void)state;
    static const struct {
        bool configured;
        const char *mode;
        bool soft;
        size_t findings;
    } cases[] = {{false, NULL, false, 0},   {true, NULL, true, 0},    {false, "true", true, 0},
                 {true, "false", false, 0}, {true, "True", false, 1}, {true, "", false, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        world_open(&world, CHIP_310P);
        world.config.devices.hami_core = cases[i].configured;
        world_node(&world, "[" CHIP_JSON("A", GOOD_310P) "]", cases[i].mode, "7");
        assert_int_equal(world.inventory.soft, cases[i].soft);
        assert_int_equal(world.inventory.devices[0].cores, cases[i].soft ? 100 : 8);
        assert_int_equal(count_findings("unreadable_mode"), cases[i].findings);
        world_close(&world);
    }
    open_with(CHIP_310P, NULL, NULL);
}

/* ---- Requests ---- */

static void memory_is_raised_to_a_template_or_the_whole_chip(void **state)
{
    (void)state;
    static const struct {
        const char *asked;
        int64_t given;
        const char *template_name;
    } cases[] = {{"1", 3072, "vir01"},      {"3072", 3072, "vir01"}, {"3073", 6144, "vir02"}, {"6145", 12288, "vir04"},
                 {"12288", 12288, "vir04"}, {"12289", 21527, NULL},  {"24000", 21527, NULL},  {"24576", 21527, NULL}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "]", NULL);
        struct dvl_fit fit = ask("1", cases[i].asked, NULL, NULL, false);
        assert_true(fit.fits);
        assert_int_equal(fit.slices[0]->memory, cases[i].given);
        assert_int_equal(fit.slices[0]->slots, 1);
        assert_string_equal(fit.slices[0]->mode, "template");
        assert_true(dvl_text_same(fit.slices[0]->template_name, cases[i].template_name));
        world_close(&world);
    }
    open_with(CHIP_310P, NULL, NULL);
}

static void memory_above_capacity_fits_nowhere(void **state)
{
    (void)state;
    /* D13 ACC-26: for one device or several; never booked as 0. */
    static const char *const counts[] = {"1", "2"};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "," CHIP_JSON("B", GOOD_310P) "]", NULL);
        struct dvl_fit fit = ask(counts[i], "24577", NULL, NULL, true);
        assert_false(fit.fits);
        assert_string_equal(fit.reason, "above_capacity");
        assert_string_equal(fit.devices[0].message, "asked 24577 MiB, a 310P3 has 24576");
        world_close(&world);
    }
    open_with(CHIP_310P, NULL, NULL);
}

static void only_memory_means_one_device(void **state)
{
    (void)state;
    open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "]", NULL);
    struct dvl_container container = world_container(&world, "c0", NULL, "3k", NULL);
    struct dvl_pod pod = world_pod(&world, &container, 1, NULL);
    struct dvl_pod_request request = world_request(&world, &pod);
    assert_int_equal(request.ask_count, 1);
    assert_int_equal(request.asks[0].count, 1);
    assert_int_equal(request.asks[0].memory, 3000);
    assert_string_equal(request.asks[0].template_name, "vir01");
    assert_int_equal(request.asks[0].cores, DVL_UNSET);
}

static void memory_without_a_limit_is_taken_from_the_request(void **state)
{
    (void)state;
    open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "]", NULL);
    struct dvl_container container = world_container(&world, "c0", "1", NULL, NULL);
    static const char *const asked[] = {"huawei.com/Ascend310P-memory", "6144", NULL};
    container.requests = world_pairs(&world, asked);
    struct dvl_pod pod = world_pod(&world, &container, 1, NULL);
    struct dvl_pod_request request = world_request(&world, &pod);
    assert_int_equal(request.asks[0].memory, 6144);
}

/* What a container with these limits is: asks, and the refusal. */
static void nothing_is_asked_or_booked_by_accident(void **state)
{
    (void)state;
    static const struct {
        const char *count, *memory, *cores;
        size_t asks;
        const char *refusal;
    } cases[] = {
        {NULL, NULL, NULL, 0, NULL},
        {"0", NULL, NULL, 0, NULL},
        {"0", "0", NULL, 0, NULL},
        {"0", "3072", NULL, 0, "memory_without_device"},
        {"1", "0", NULL, 1, NULL},
        {NULL, "0", NULL, 1, NULL},
        {NULL, NULL, "4", 0, "cores_without_device"}, /* D26 */
        {NULL, "0", "4", 1, NULL},
        {NULL, NULL, "0", 0, "cores_without_device"},
        {"0", NULL, "4", 0, NULL},
        {"2", "3072", NULL, 1, "partial_memory_on_several_devices"},
        {"2", "21527", NULL, 1, NULL},
        {"2", "13000", NULL, 1, NULL},
        {"2", "24577", NULL, 1, NULL},
        {"2", NULL, NULL, 1, NULL},
    };
    open_with(CHIP_310P, NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct dvl_container container = world_container(&world, "c0", cases[i].count, cases[i].memory, cases[i].cores);
        struct dvl_pod pod = world_pod(&world, &container, 1, NULL);
        struct dvl_pod_request request = world_request(&world, &pod);
        assert_int_equal(request.ask_count, cases[i].asks);
        assert_true(dvl_text_same(request.refusal, cases[i].refusal));
        if (request.refusal)
            assert_non_null(strstr(request.refusal_message, "container c0"));
    }
}

static void request_without_a_limit_is_refused(void **state)
{
    (void)state;
    open_with(CHIP_310P, NULL, NULL);
    static const char *const resources[] = {"huawei.com/Ascend310P", "huawei.com/Ascend310P-memory",
                                            "huawei.com/Ascend310P-core"};
    for (size_t i = 0; i < COUNT_OF(resources); i++) {
        const char *const words[] = {resources[i], "4", NULL};
        struct dvl_container container = {.name = "c0", .requests = world_pairs(&world, words)};
        struct dvl_pod pod = world_pod(&world, &container, 1, NULL);
        struct dvl_pod_request request = world_request(&world, &pod);
        assert_string_equal(request.refusal, i < 2 ? "request_without_limit" : "cores_without_device");
        assert_non_null(strstr(request.refusal_message, resources[i]));
    }
}

static void amounts_that_do_not_read_are_bad_input(void **state)
{
    (void)state;
    /* D32: never narrowed to 32 bits. */
    static const char *const amounts[] = {"16Gi", "3G", "500m", "-1", "1e12", "2147483648", "x", ""};
    open_with(CHIP_310P, NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(amounts); i++) {
        for (int place = 0; place < 3; place++) {
            struct dvl_container container =
                world_container(&world, "c0", place == 0 ? amounts[i] : "1", place == 1 ? amounts[i] : NULL,
                                place == 2 ? amounts[i] : NULL);
            struct dvl_pod pod = world_pod(&world, &container, 1, NULL);
            struct dvl_pod_request request;
            assert_int_equal(
                world.backend->ops->read_request(world.backend, &pod, &world.arena, &request, &world.error),
                DVL_BAD_INPUT);
            assert_non_null(strstr(world.error.message, "ml/p"));
            assert_non_null(strstr(world.error.message, "c0"));
            assert_non_null(strstr(world.error.message, "huawei.com/Ascend310P"));
        }
    }
}

static void init_containers_get_slices_of_their_own(void **state)
{
    (void)state;
    /* D20 */
    open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "," CHIP_JSON("B", "\"index\":1," GOOD_310P) "]", NULL);
    struct dvl_container containers[] = {world_container(&world, "i0", "1", "3072", NULL),
                                         world_container(&world, "c0", NULL, NULL, NULL),
                                         world_container(&world, "c1", "1", "6144", NULL)};
    containers[0].init = true;
    struct dvl_pod pod = world_pod(&world, containers, 3, NULL);
    struct dvl_pod_request request = world_request(&world, &pod);
    assert_int_equal(request.ask_count, 2);
    assert_true(request.asks[0].init);
    assert_int_equal(request.asks[1].ordinal, 2);
    struct dvl_fit fit = world_fit(&world, &pod, &request, false, false);
    assert_true(fit.fits);
    assert_int_equal(fit.slice_count, 2);
    assert_string_equal(fit.slices[0]->device_name, "A");
    assert_string_equal(fit.slices[1]->device_name, "B"); /* no device twice in one pod */
    assert_int_equal(fit.slices[1]->container_ordinal, 2);
    assert_int_equal(fit.slices[1]->ordinal, 1);
}

/* ---- Fit of one device ---- */

static void unhealthy_device_is_never_taken(void **state)
{
    (void)state;
    /* D12, and not even when nobody else is there. */
    open_with(CHIP_310P, "[" CHIP_JSON("A", "\"count\":7,\"devmem\":21527,\"devcore\":8") "]", NULL);
    struct dvl_fit fit = ask("1", "3072", NULL, NULL, true);
    assert_false(fit.fits);
    assert_string_equal(fit.reason, "unhealthy");
    assert_string_equal(fit.message, "container c0: 0 of 1 found: 1 of 1 unhealthy");
}

static void soft_pod_takes_only_a_soft_node(void **state)
{
    (void)state;
    /* TOP-12: whole devices do not get around the mode. */
    static const char *const amounts[] = {"21527", NULL, "1"};
    for (size_t i = 0; i < COUNT_OF(amounts); i++) {
        open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "]", NULL);
        struct dvl_fit fit = ask("1", amounts[i], NULL, soft_pod, true);
        assert_false(fit.fits);
        assert_string_equal(fit.reason, "of_wrong_mode");
        world_close(&world);
        open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "]", "true");
        assert_true(ask("1", amounts[i], NULL, soft_pod, true).fits);
        assert_true(ask("1", amounts[i], NULL, NULL, true).fits);
        world_close(&world);
    }
    open_with(CHIP_310P, NULL, NULL);
}

static void soft_slice_takes_what_was_asked(void **state)
{
    (void)state;
    open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "," CHIP_JSON("B", "\"index\":1," GOOD_310P) "]", "true");
    struct dvl_fit fit = ask("2", "100", "30", soft_pod, false);
    assert_true(fit.fits);
    assert_int_equal(fit.slice_count, 2);
    assert_int_equal(fit.slices[1]->memory, 100);
    assert_int_equal(fit.slices[1]->cores, 30);
    assert_int_equal(fit.slices[1]->ai_cores, 0);
    assert_string_equal(fit.slices[1]->mode, "soft");
    assert_null(fit.slices[1]->template_name);
    fit = ask("1", NULL, NULL, soft_pod, false);
    assert_int_equal(fit.slices[0]->memory, 21527);
    assert_false(ask("1", "1", "101", soft_pod, true).fits);
}

static void cores_are_shared_up_to_all_of_them(void **state)
{
    (void)state;
    static const struct {
        int64_t used;
        const char *asked, *reason;
    } cases[] = {{0, "100", NULL},
                 {60, "40", NULL},
                 {60, "41", "short_of_cores"},
                 {0, NULL, NULL},
                 {99, NULL, NULL},
                 {100, NULL, "without_cores_left"},
                 {150, NULL, "without_cores_left"},
                 {150, "1", "short_of_cores"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "]", "true");
        if (cases[i].used)
            world_hold(&world, world.devices[0],
                       (struct dvl_slice){.memory = 1, .cores = cases[i].used, .slots = 1, .mode = "soft"});
        struct dvl_fit fit = ask("1", "100", cases[i].asked, soft_pod, false);
        assert_true(dvl_text_same(fit.reason, cases[i].reason));
        assert_int_equal(fit.fits, cases[i].reason == NULL);
        world_close(&world);
    }
    open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "]", "true");
    world_hold(&world, world.devices[0], (struct dvl_slice){.memory = 1, .slots = 1, .mode = "soft"});
    struct dvl_fit fit = ask("1", "100", "100", soft_pod, false);
    assert_string_equal(fit.reason, "not_idle");
}

static void slots_and_memory_run_out(void **state)
{
    (void)state;
    open_with(CHIP_910B4, "[" CHIP_JSON("A", "\"count\":2,\"devmem\":32768,\"devcore\":20,\"health\":true") "]", NULL);
    world_hold(&world, world.devices[0], (struct dvl_slice){.memory = 16384, .slots = 1, .mode = "template"});
    struct dvl_fit fit = ask("1", NULL, NULL, NULL, false);
    assert_string_equal(fit.reason, "short_of_memory");
    assert_string_equal(fit.devices[0].message, "16384 of 32768 MiB in use, asked 32768 MiB");
    assert_true(ask("1", NULL, NULL, NULL, true).fits);
    assert_true(ask("1", "16384", NULL, NULL, false).fits);
    world_hold(&world, world.devices[0], (struct dvl_slice){.memory = 8192, .slots = 1, .mode = "template"});
    fit = ask("1", "8192", NULL, NULL, false);
    assert_string_equal(fit.reason, "out_of_slots");
    assert_string_equal(fit.devices[0].message, "2 of 2 slots in use, asked 1");
}

static void device_without_memory_is_never_taken(void **state)
{
    (void)state;
    /* POL-05 */
    open_with(CHIP_310P, "[" CHIP_JSON("A", "\"count\":7,\"devcore\":8,\"health\":true") "]", "true");
    world.config.scheduler.policy = DVL_POLICY_BINPACK;
    static const char *const amounts[] = {"1", NULL};
    for (size_t i = 0; i < COUNT_OF(amounts); i++) {
        assert_string_equal(ask("1", amounts[i], NULL, NULL, true).reason, "short_of_memory");
        assert_string_equal(ask("1", amounts[i], NULL, soft_pod, true).reason, "short_of_memory");
    }
}

static void templates_use_up_ai_cores_and_ai_cpus(void **state)
{
    (void)state;
    /* D21: six AI CPUs; three small templates and one large one leave none. */
    open_with(CHIP_910B2, "[" CHIP_JSON("A", "\"count\":16,\"devmem\":65536,\"devcore\":24,\"health\":true") "]", NULL);
    for (int i = 0; i < 5; i++) {
        struct dvl_fit fit = ask("1", "8192", NULL, NULL, false);
        assert_int_equal(fit.slices[0]->ai_cores, 3);
        assert_int_equal(fit.slices[0]->ai_cpus, 1);
        world_hold(&world, world.devices[0], *fit.slices[0]);
    }
    struct dvl_fit fit = ask("1", "20000", NULL, NULL, false);
    assert_string_equal(fit.reason, "short_of_memory");
    world.devices[0]->memory = 655360;
    fit = ask("1", "20000", NULL, NULL, false);
    assert_string_equal(fit.reason, "short_of_ai_cores");
    world.devices[0]->ai_cores = DVL_UNSET;
    fit = ask("1", "20000", NULL, NULL, false);
    assert_string_equal(fit.reason, "short_of_ai_cpus");
    assert_string_equal(fit.devices[0].message, "5 of 6 AI CPUs in use, asked 3");
}

static void ai_cpus_that_the_chip_does_not_name_are_not_counted(void **state)
{
    (void)state;
    open_with(CHIP_910A, "[" CHIP_JSON("A", "\"count\":16,\"devmem\":32768,\"devcore\":30,\"health\":true") "]", NULL);
    struct dvl_fit fit = ask("1", "1", NULL, NULL, false);
    assert_int_equal(fit.slices[0]->ai_cores, 2);
    assert_int_equal(fit.slices[0]->ai_cpus, 0);
}

static void ids_filter_exactly_and_deny_wins(void **state)
{
    (void)state;
    /* D27 */
    static const struct {
        const char *use, *no_use, *chosen;
    } cases[] = {{"B", NULL, "B"},  {" B , C", NULL, "B"}, {NULL, "A", "B"},   {"A,B", "A", "B"},   {"", "", "A"},
                 {" , ", ",", "A"}, {NULL, "a", "A"},      {"A1", NULL, NULL}, {"A,B", "A,B", NULL}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "," CHIP_JSON("B", "\"index\":1," GOOD_310P) "]", NULL);
        const char *annotations[5] = {0};
        size_t n = 0;
        if (cases[i].use) {
            annotations[n++] = "hami.io/use-Ascend310P-uuid";
            annotations[n++] = cases[i].use;
        }
        if (cases[i].no_use) {
            annotations[n++] = "hami.io/no-use-Ascend310P-uuid";
            annotations[n++] = cases[i].no_use;
        }
        struct dvl_fit fit = ask("1", "3072", NULL, annotations, false);
        assert_int_equal(fit.fits, cases[i].chosen != NULL);
        if (cases[i].chosen)
            assert_string_equal(fit.slices[0]->device_name, cases[i].chosen);
        else
            assert_string_equal(fit.reason, "excluded_by_uuid");
        world_close(&world);
    }
    open_with(CHIP_310P, NULL, NULL);
}

static void counts_of_a_refusal_add_up(void **state)
{
    (void)state;
    /* OBS-02: of four devices one fits, two lack memory, one is unhealthy. */
    open_with(CHIP_310P,
              "[" CHIP_JSON("A", GOOD_310P) "," CHIP_JSON("B", "\"index\":1," GOOD_310P) "," CHIP_JSON(
                  "C", "\"index\":2," GOOD_310P) "," CHIP_JSON("D", "\"index\":3,\"devmem\":21527") "]",
              NULL);
    world_hold(&world, world.devices[0], (struct dvl_slice){.memory = 3072, .slots = 1});
    world_hold(&world, world.devices[1], (struct dvl_slice){.memory = 21527, .slots = 1});
    struct dvl_fit fit = ask("2", NULL, NULL, NULL, false);
    assert_false(fit.fits);
    assert_string_equal(fit.reason, "short_of_memory");
    assert_string_equal(fit.message, "container c0: 1 of 2 found: 1 of 4 unhealthy, 2 of 4 short of memory");
    assert_int_equal(fit.device_verdict_count, 4);
    assert_string_equal(fit.devices[0].reason, "short_of_memory");
    assert_null(fit.devices[2].reason);
    assert_null(fit.devices[2].message);
    assert_string_equal(fit.devices[3].message, "registered as unhealthy");
    fit = ask("5", NULL, NULL, NULL, true);
    assert_string_equal(fit.reason, "too_few_devices");
}

static void later_container_says_who_it_is(void **state)
{
    (void)state;
    open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P) "]", NULL);
    struct dvl_container containers[] = {world_container(&world, "c0", "1", "3072", NULL),
                                         world_container(&world, "c1", "1", "3072", NULL)};
    struct dvl_pod pod = world_pod(&world, containers, 2, NULL);
    struct dvl_pod_request request = world_request(&world, &pod);
    struct dvl_fit fit = world_fit(&world, &pod, &request, true, true);
    assert_false(fit.fits);
    assert_string_equal(fit.message, "container c1: 0 of 1 found: 1 of 1 taken by this pod");
    assert_string_equal(fit.devices[0].reason, "taken_by_this_pod");
}

/* ---- Order, topology, score ---- */

static const char *chosen_by(enum dvl_policy policy, enum dvl_profile profile, double *score)
{
    open_with(CHIP_310P,
              "[" CHIP_JSON("A", GOOD_310P) "," CHIP_JSON("B", "\"index\":1," GOOD_310P) "," CHIP_JSON(
                  "C", "\"index\":2," GOOD_310P) "]",
              NULL);
    world.config.scheduler.policy = policy;
    world.config.scheduler.profile = profile;
    world_hold(&world, world.devices[0], (struct dvl_slice){.memory = 3072, .slots = 1});
    world_hold(&world, world.devices[0], (struct dvl_slice){.memory = 3072, .slots = 1});
    world_hold(&world, world.devices[1], (struct dvl_slice){.memory = 12288, .slots = 1});
    struct dvl_fit fit = ask("1", "3072", NULL, NULL, false);
    assert_true(fit.fits);
    *score = fit.score;
    return fit.slices[0]->device_name;
}

static void policy_orders_devices(void **state)
{
    (void)state;
    double score;
    /* D30: at weight 0, as it is here, too. */
    assert_string_equal(chosen_by(DVL_POLICY_NONE, DVL_PROFILE_LEDGER, &score), "A");
    assert_true(score == 0);
    world_close(&world);
    assert_string_equal(chosen_by(DVL_POLICY_BINPACK, DVL_PROFILE_LEDGER, &score), "B");
    assert_true(score == 100.0 * (12288.0 / 21527.0));
    world_close(&world);
    /* D3 */
    assert_string_equal(chosen_by(DVL_POLICY_SPREAD, DVL_PROFILE_LEDGER, &score), "C");
    assert_true(score == 100);
    world_close(&world);
    assert_string_equal(chosen_by(DVL_POLICY_SPREAD, DVL_PROFILE_VOLCANO_1_14, &score), "B");
    assert_true(score == 100);
}

static const char eight_on_two_networks[] =
    "[" CHIP_JSON("A0", GOOD_910B4 NETWORK(0)) "," CHIP_JSON("A1", "\"index\":1," GOOD_910B4 NETWORK(0)) "," CHIP_JSON(
        "B2", "\"index\":2," GOOD_910B4 NETWORK(1)) "," CHIP_JSON("B3", "\"index\":3," GOOD_910B4 NETWORK(1)) "]";

static void network_with_most_fitting_devices_goes_first(void **state)
{
    (void)state;
    open_with(CHIP_910B4, eight_on_two_networks, NULL);
    struct dvl_fit fit = ask("2", NULL, NULL, NULL, false);
    assert_string_equal(fit.slices[0]->device_name, "A0"); /* a tie: the lower number */
    assert_string_equal(fit.slices[1]->device_name, "A1");
    assert_true(fit.score == 10);
    world_hold(&world, world.devices[0], (struct dvl_slice){.memory = 8192, .slots = 1});
    fit = ask("2", NULL, NULL, NULL, false);
    assert_string_equal(fit.slices[0]->device_name, "B2");
    assert_string_equal(fit.slices[1]->device_name, "B3");
    fit = ask("3", NULL, NULL, NULL, false);
    assert_string_equal(fit.slices[2]->device_name, "A1");
    world.config.scheduler.policy = DVL_POLICY_BINPACK;
    fit = ask("1", "8192", NULL, NULL, false);
    assert_string_equal(fit.slices[0]->device_name, "A0"); /* within a network the policy's order */
    assert_true(fit.score == 35);
}

static void containers_in_one_network_score_more(void **state)
{
    (void)state;
    open_with(CHIP_910B4, eight_on_two_networks, NULL);
    struct dvl_container containers[] = {world_container(&world, "c0", "1", "8192", NULL),
                                         world_container(&world, "c1", "1", "8192", NULL),
                                         world_container(&world, "c2", "1", "8192", NULL)};
    struct dvl_pod pod = world_pod(&world, containers, 3, NULL);
    struct dvl_pod_request request = world_request(&world, &pod);
    struct dvl_fit fit = world_fit(&world, &pod, &request, false, false);
    /* c0 takes A0; then network 1 has two left and network 0 one. */
    assert_string_equal(fit.slices[1]->device_name, "B2");
    assert_string_equal(fit.slices[2]->device_name, "A1");
    assert_true(fit.score == 10.0 * (2.0 / 3.0));
}

static void one_device_without_a_network_switches_topology_off(void **state)
{
    (void)state;
    /* D31: although the device that is chosen has one. */
    open_with(CHIP_910B4,
              "[" CHIP_JSON("A", GOOD_910B4 NETWORK(0)) "," CHIP_JSON("B", "\"index\":1,\"devmem\":32768") "]", NULL);
    assert_true(ask("1", NULL, NULL, NULL, false).score == 0);
    world_close(&world);
    open_with(CHIP_310P, "[" CHIP_JSON("A", GOOD_310P NETWORK(0)) "]", NULL);
    assert_true(ask("1", NULL, NULL, NULL, false).score == 0); /* not an Ascend910 */
}

/* ---- Chip kinds ---- */

static void templates_are_looked_up_by_chip(void **state)
{
    (void)state;
    /* ACC-23: 910B4-1 has 64 GiB and its own templates; two halves, no third. */
    open_with(CHIP_910B4_1, "[" CHIP_JSON("A", "\"count\":4,\"devmem\":65536,\"devcore\":20,\"health\":true") "]",
              NULL);
    for (int i = 0; i < 2; i++) {
        struct dvl_fit fit = ask("1", "32768", NULL, NULL, false);
        assert_true(fit.fits);
        assert_string_equal(fit.slices[0]->template_name, "vir10_3c_32g");
        world_hold(&world, world.devices[0], *fit.slices[0]);
    }
    assert_false(ask("1", "32768", NULL, NULL, false).fits);
}

static void whole_device_never_takes_more_than_it_registered(void **state)
{
    (void)state;
    static const struct {
        const char *memory;
        int64_t taken;
    } cases[] = {{"21527", 21527}, {"24576", 21527}, {"20000", 20000}, {"10000", 10000}, {"65536", 65536}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        world_open(&world, CHIP_310P);
        char *text = dvl_arena_format(&world.arena, "[{\"id\":\"A\",\"count\":7,\"devmem\":%s,\"health\":true}]",
                                      cases[i].memory);
        world_node(&world, text, NULL, "7");
        struct dvl_fit fit = ask("1", NULL, NULL, NULL, false);
        assert_true(fit.fits);
        assert_int_equal(fit.slices[0]->memory, cases[i].taken);
        assert_null(fit.slices[0]->template_name);
        world_close(&world);
    }
    open_with(CHIP_310P, NULL, NULL);
}

static void memory_and_core_resources_are_left_out_of_sums(void **state)
{
    (void)state;
    open_with(CHIP_910B4, NULL, NULL);
    const char *const *names;
    size_t count;
    assert_int_equal(world.backend->ops->ignored_resources(world.backend, &world.arena, &names, &count, &world.error),
                     DVL_OK);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "huawei.com/Ascend910B4-memory");
    assert_string_equal(names[1], "huawei.com/Ascend910B4-core");
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(register_gives_devices_in_order_of_index),
        TEST(missing_health_is_unhealthy),
        TEST(empty_and_null_registers_mean_no_devices),
        TEST(broken_register_keeps_what_was_there),
        TEST(bad_entries_are_skipped_with_their_place),
        TEST(of_an_id_that_comes_twice_the_first_counts),
        TEST(network_that_is_no_number_counts_as_absent),
        TEST(resource_that_is_zero_or_missing_closes_the_node),
        TEST(node_annotation_goes_before_the_configuration),
        TEST(memory_is_raised_to_a_template_or_the_whole_chip),
        TEST(memory_above_capacity_fits_nowhere),
        TEST(only_memory_means_one_device),
        TEST(memory_without_a_limit_is_taken_from_the_request),
        TEST(nothing_is_asked_or_booked_by_accident),
        TEST(request_without_a_limit_is_refused),
        TEST(amounts_that_do_not_read_are_bad_input),
        TEST(init_containers_get_slices_of_their_own),
        TEST(unhealthy_device_is_never_taken),
        TEST(soft_pod_takes_only_a_soft_node),
        TEST(soft_slice_takes_what_was_asked),
        TEST(cores_are_shared_up_to_all_of_them),
        TEST(slots_and_memory_run_out),
        TEST(device_without_memory_is_never_taken),
        TEST(templates_use_up_ai_cores_and_ai_cpus),
        TEST(ai_cpus_that_the_chip_does_not_name_are_not_counted),
        TEST(ids_filter_exactly_and_deny_wins),
        TEST(counts_of_a_refusal_add_up),
        TEST(later_container_says_who_it_is),
        TEST(policy_orders_devices),
        TEST(network_with_most_fitting_devices_goes_first),
        TEST(containers_in_one_network_score_more),
        TEST(one_device_without_a_network_switches_topology_off),
        TEST(templates_are_looked_up_by_chip),
        TEST(whole_device_never_takes_more_than_it_registered),
        TEST(memory_and_core_resources_are_left_out_of_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
