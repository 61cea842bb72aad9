/* hami against a model: random nodes, slices and pods are decided twice, by
 * the backend and by a slow reading of the rules that shares no code with it.
 *
 * The model keeps plain numbers and picks the best device again and again;
 * there is no sorting and no early end in it. A failure prints its round; the
 * same program plays the same rounds. */
#include "../support/hami_world.h"
#include "../support/random.h"

#include <stdio.h>

enum { ROUNDS = 6000, DEVICES_MAX = 7, CONTAINERS_MAX = 3 };

/* ---- Chance ---- */

static struct dice dice;

static uint64_t chance(uint64_t below)
{
    return (uint64_t)dice_up_to(&dice, (int64_t)below - 1);
}

static bool one_in(int64_t times)
{
    return dice_once_in(&dice, times);
}

/* ---- The model ---- */

struct model_device {
    int64_t memory, slots, cores, ai_cores, ai_cpus, network; /* DVL_UNSET: none */
    bool healthy, listed, denied;
    int64_t used_memory, used_slots, used_cores, used_ai_cores, used_ai_cpus;
    bool taken;
};

struct model_ask {
    int64_t count, memory, cores; /* memory 0: not given */
};

struct model {
    const struct dvl_vnpu_config *chip;
    struct model_device devices[DEVICES_MAX];
    size_t device_count;
    struct model_ask asks[CONTAINERS_MAX];
    size_t ask_count;
    bool soft_node, soft_pod, has_list, alone;
    enum dvl_policy policy;
    enum dvl_profile profile;
    /* the answer */
    bool refused, fits;
    size_t chosen[CONTAINERS_MAX * DEVICES_MAX];
    int64_t memories[CONTAINERS_MAX * DEVICES_MAX];
    const char *templates[CONTAINERS_MAX * DEVICES_MAX];
    size_t chosen_count;
    double score;
};

/* Memory, template and AI amounts of one slice; false: more than the chip has. */
static bool model_size(const struct model *model, int64_t asked, int64_t of_device, int64_t *memory,
                       const struct dvl_template **part)
{
    const struct dvl_vnpu_config *chip = model->chip;
    int64_t wanted = asked ? asked : of_device;
    *part = NULL;
    *memory = wanted;
    if (model->soft_pod)
        return true;
    const struct dvl_template *best = NULL;
    for (size_t i = 0; i < chip->template_count; i++) {
        const struct dvl_template *candidate = &chip->templates[i];
        if (candidate->memory >= wanted && (!best || candidate->memory < best->memory))
            best = candidate;
    }
    if (asked && !best && wanted > chip->memory_capacity)
        return false;
    if (best) {
        *part = best;
        *memory = best->memory;
    } else if (wanted <= chip->memory_capacity) {
        *memory = chip->memory_allocatable;
    }
    if (!asked && *memory > of_device) {
        *memory = of_device;
        *part = NULL;
    }
    return true;
}

static int64_t counted(int64_t of_chip, int64_t of_template)
{
    return of_chip == DVL_UNSET || of_template == DVL_UNSET ? 0 : of_template;
}

static bool model_takes(const struct model *model, const struct model_ask *ask, const struct model_device *device)
{
    int64_t memory;
    const struct dvl_template *part;
    if (!model_size(model, ask->memory, device->memory, &memory, &part))
        return false;
    int64_t used_memory = model->alone ? 0 : device->used_memory;
    int64_t used_slots = model->alone ? 0 : device->used_slots;
    int64_t used_cores = model->alone ? 0 : device->used_cores;
    int64_t ai_cores =
        (model->alone ? 0 : device->used_ai_cores) + (part ? counted(model->chip->ai_cores, part->ai_cores) : 0);
    int64_t ai_cpus =
        (model->alone ? 0 : device->used_ai_cpus) + (part ? counted(model->chip->ai_cpus, part->ai_cpus) : 0);
    bool mode = !model->soft_pod || model->soft_node;
    bool uuid = !device->denied && (!model->has_list || device->listed);
    bool slots = used_slots + 1 <= device->slots;
    bool room = memory > 0 && used_memory + memory <= device->memory;
    bool cores =
        ask->cores == 0 ? device->cores == 0 || used_cores < device->cores : used_cores + ask->cores <= device->cores;
    bool exclusive = !(ask->cores == 100 && device->cores == 100) || used_slots == 0;
    bool ai = (!part || counted(model->chip->ai_cores, part->ai_cores) == 0 || ai_cores <= device->ai_cores) &&
              (!part || counted(model->chip->ai_cpus, part->ai_cpus) == 0 || ai_cpus <= device->ai_cpus);
    return device->healthy && mode && uuid && !device->taken && slots && room && cores && exclusive && ai;
}

static double model_score(const struct model *model, const struct model_device *device)
{
    int64_t memory = model->alone ? 0 : device->used_memory, tasks = model->alone ? 0 : device->used_slots;
    if (device->memory == 0 || model->policy == DVL_POLICY_NONE)
        return 0;
    if (model->policy == DVL_POLICY_BINPACK)
        return 100.0 * ((double)memory / (double)device->memory);
    int64_t liked = model->profile == DVL_PROFILE_VOLCANO_1_14 ? 1 : 0;
    return tasks == liked ? 100.0 : 0.0;
}

static bool model_topology(const struct model *model)
{
    for (size_t i = 0; i < model->device_count; i++) {
        if (model->devices[i].network == DVL_UNSET)
            return false;
    }
    return model->device_count > 0 && strncmp(model->chip->word, "Ascend910", 9) == 0;
}

/* Fitting devices in a network, before this container takes any. */
static void model_groups(const struct model *model, const struct model_ask *ask, size_t *groups)
{
    for (size_t i = 0; i < model->device_count; i++) {
        groups[i] = 0;
        for (size_t j = 0; j < model->device_count; j++)
            groups[i] +=
                model->devices[j].network == model->devices[i].network && model_takes(model, ask, &model->devices[j]);
    }
}

static bool model_better(const struct model *model, const size_t *groups, bool topology, size_t a, size_t b)
{
    const struct model_device *left = &model->devices[a], *right = &model->devices[b];
    if (topology && groups[a] != groups[b])
        return groups[a] > groups[b];
    if (topology && left->network != right->network)
        return left->network < right->network;
    double one = model_score(model, left), other = model_score(model, right);
    if (one > other || one < other)
        return one > other;
    return a < b; /* devices stand in order of index */
}

static bool model_serve(struct model *model, size_t index, size_t *first)
{
    const struct model_ask *ask = &model->asks[index];
    size_t groups[DEVICES_MAX];
    bool topology = model_topology(model);
    model_groups(model, ask, groups);
    for (int64_t n = 0; n < ask->count; n++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < model->device_count; i++) {
            if (model_takes(model, ask, &model->devices[i]) &&
                (best == SIZE_MAX || model_better(model, groups, topology, i, best)))
                best = i;
        }
        if (best == SIZE_MAX)
            return false;
        if (n == 0)
            *first = best;
        const struct dvl_template *part;
        model_size(model, ask->memory, model->devices[best].memory, &model->memories[model->chosen_count], &part);
        model->templates[model->chosen_count] = part ? part->name : NULL;
        model->chosen[model->chosen_count++] = best;
        model->devices[best].taken = true;
    }
    return true;
}

static void model_decide(struct model *model)
{
    size_t firsts[CONTAINERS_MAX], most = 0;
    model->chosen_count = 0;
    model->score = 0;
    model->fits = true;
    for (size_t i = 0; i < model->device_count; i++)
        model->devices[i].taken = false;
    for (size_t i = 0; i < model->ask_count && model->fits; i++)
        model->fits = model_serve(model, i, &firsts[i]);
    if (!model->fits)
        return;
    for (size_t i = 0; i < model->ask_count; i++) {
        size_t same = 0;
        for (size_t j = 0; j < model->ask_count; j++)
            same += model->devices[firsts[j]].network == model->devices[firsts[i]].network;
        most = same > most ? same : most;
        model->score += model_score(model, &model->devices[firsts[i]]);
    }
    if (model_topology(model))
        model->score += 10.0 * ((double)most / (double)model->ask_count);
}

static bool model_refuses(const struct model *model)
{
    for (size_t i = 0; i < model->ask_count; i++) {
        int64_t memory;
        const struct dvl_template *part;
        const struct model_ask *ask = &model->asks[i];
        if (model->soft_pod || ask->count < 2 || ask->memory == 0)
            continue;
        if (model_size(model, ask->memory, 0, &memory, &part) && memory != model->chip->memory_allocatable)
            return true;
    }
    return false;
}

/* ---- One random round in both worlds ---- */

static struct world world;
static struct model model;

static int64_t random_memory(const struct dvl_vnpu_config *chip)
{
    switch (chance(6)) {
    case 0:
        return 1 + (int64_t)chance((uint64_t)chip->memory_capacity);
    case 1:
        return chip->memory_capacity + (int64_t)chance(2);
    case 2:
        return chip->memory_allocatable;
    case 3:
        return 0;
    default:
        break;
    }
    const struct dvl_template *part = &chip->templates[chance(chip->template_count)];
    return part->memory + (int64_t)chance(3) - 1;
}

static void random_node(void)
{
    static const int64_t core_kinds[] = {0, 8, 20, 30, 100};
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    model.soft_node = one_in(2);
    model.device_count = chance(DEVICES_MAX + 1);
    bool networks = !one_in(3);
    dvl_buffer_char(&text, '[');
    for (size_t i = 0; i < model.device_count; i++) {
        struct model_device *device = &model.devices[i];
        device->memory = one_in(8) ? random_memory(model.chip) : model.chip->memory_allocatable;
        device->slots = (int64_t)chance(6);
        device->cores = core_kinds[chance(5)];
        device->healthy = !one_in(7);
        device->network = networks && !one_in(12) ? (int64_t)chance(3) : DVL_UNSET;
        device->ai_cores = model.chip->ai_cores;
        device->ai_cpus = model.chip->ai_cpus;
        dvl_buffer_format(&text, "%s{\"id\":\"D%zu\",\"index\":%zu,\"count\":%lld,\"devmem\":%lld,\"devcore\":%lld",
                          i ? "," : "", i, i, (long long)device->slots, (long long)device->memory,
                          (long long)device->cores);
        if (device->healthy)
            dvl_buffer_text(&text, ",\"health\":true");
        if (device->network != DVL_UNSET)
            dvl_buffer_format(&text, ",\"custominfo\":{\"NetworkID\":%lld}", (long long)device->network);
        dvl_buffer_char(&text, '}');
        if (model.soft_node)
            device->cores = 100;
    }
    dvl_buffer_char(&text, ']');
    world_node(&world, text.text, model.soft_node ? "true" : "false", "7");
    dvl_buffer_clear(&text);
    assert_int_equal(world.node.device_count, model.device_count);
}

static void random_slices(void)
{
    for (size_t i = 0; i < model.device_count; i++) {
        struct model_device *device = &model.devices[i];
        for (uint64_t left = chance(4); left > 0; left--) {
            const struct dvl_template *part = &model.chip->templates[chance(model.chip->template_count)];
            struct dvl_slice slice = {.memory = part->memory,
                                      .cores = one_in(3) ? (int64_t)chance(101) : 0,
                                      .slots = 1,
                                      .ai_cores = (int64_t)chance(6),
                                      .ai_cpus = (int64_t)chance(5)};
            world_hold(&world, world.devices[i], slice);
            device->used_memory += slice.memory;
            device->used_cores += slice.cores;
            device->used_slots++;
            device->used_ai_cores += slice.ai_cores;
            device->used_ai_cpus += slice.ai_cpus;
        }
    }
}

static const char *random_list(bool allow)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    for (size_t i = 0; i < model.device_count; i++) {
        if (!one_in(allow ? 2 : 4))
            continue;
        dvl_buffer_format(&text, "%sD%zu", i % 2 ? " , " : ",", i);
        if (allow)
            model.devices[i].listed = model.has_list = true;
        else
            model.devices[i].denied = true;
    }
    const char *copy = dvl_arena_text(&world.arena, text.text);
    dvl_buffer_clear(&text);
    return copy;
}

static struct dvl_pod random_pod(void)
{
    static const char *const names[] = {"c0", "c1", "c2"};
    static const int64_t core_kinds[] = {0, 1, 8, 40, 100, 101};
    struct dvl_container containers[CONTAINERS_MAX] = {0};
    model.soft_pod = one_in(3);
    model.ask_count = 1 + chance(CONTAINERS_MAX);
    for (size_t i = 0; i < model.ask_count; i++) {
        struct model_ask *ask = &model.asks[i];
        ask->count = one_in(3) ? 1 + (int64_t)chance(4) : 1;
        ask->memory = random_memory(model.chip);
        ask->cores = one_in(2) ? core_kinds[chance(6)] : 0;
        containers[i] =
            world_container(&world, names[i], dvl_arena_format(&world.arena, "%lld", (long long)ask->count),
                            ask->memory ? dvl_arena_format(&world.arena, "%lld", (long long)ask->memory) : NULL,
                            ask->cores ? dvl_arena_format(&world.arena, "%lld", (long long)ask->cores) : NULL);
        containers[i].init = i == 0 && one_in(4);
    }
    const char *annotations[7] = {0};
    size_t n = 0;
    if (model.soft_pod) {
        annotations[n++] = "huawei.com/vnpu-mode";
        annotations[n++] = "hami-core";
    }
    if (one_in(4)) {
        annotations[n++] = dvl_arena_format(&world.arena, "hami.io/use-%s-uuid", model.chip->word);
        annotations[n++] = random_list(true);
    }
    if (one_in(4)) {
        annotations[n++] = dvl_arena_format(&world.arena, "hami.io/no-use-%s-uuid", model.chip->word);
        annotations[n++] = random_list(false);
    }
    return world_pod(&world, containers, model.ask_count, annotations);
}

static void same_choice(const struct dvl_fit *fit)
{
    assert_int_equal(fit->slice_count, model.chosen_count);
    for (size_t i = 0; i < model.chosen_count; i++) {
        const struct dvl_slice *slice = fit->slices[i];
        assert_ptr_equal(slice->device, world.devices[model.chosen[i]]);
        assert_int_equal(slice->memory, model.memories[i]);
        assert_true(dvl_text_same(slice->template_name, model.templates[i]));
        assert_int_equal(slice->ordinal, i);
    }
    double difference = fit->score - model.score;
    assert_true(difference < 1e-9 && difference > -1e-9);
}

/* What is explained agrees with what is decided, and its counts add up. */
static void explained(const struct dvl_fit *fit)
{
    assert_int_equal(fit->device_verdict_count, model.device_count);
    size_t free = 0;
    for (size_t i = 0; i < fit->device_verdict_count; i++) {
        assert_ptr_equal(fit->devices[i].device, world.devices[i]);
        assert_int_equal(fit->devices[i].reason == NULL, fit->devices[i].message == NULL);
        free += fit->devices[i].reason == NULL;
    }
    if (fit->fits) {
        assert_null(fit->reason);
        assert_true((int64_t)free >= model.asks[0].count);
        return;
    }
    assert_non_null(fit->reason);
    const char *numbers = strstr(fit->message, "found");
    assert_non_null(numbers);
    size_t sum = free;
    while ((numbers = strpbrk(numbers, "0123456789"))) {
        char *end;
        sum += strtoul(numbers, &end, 10);
        numbers = strchr(end + strlen(" of "), ' ');
    }
    assert_int_equal(sum, model.device_count);
}

/* What is written on the pod reads back as the same slices. */
static void reads_back(struct dvl_pod pod, const struct dvl_fit *fit)
{
    const struct dvl_annotation_query query = {.backend = world.backend,
                                               .moment = DVL_MOMENT_ALLOCATE,
                                               .node_name = "n1",
                                               .pod = &pod,
                                               .slices = fit->slices,
                                               .slice_count = fit->slice_count,
                                               .arena = &world.arena};
    struct dvl_pairs pairs;
    assert_int_equal(world.backend->ops->annotations(&query, &pairs, &world.error), DVL_OK);
    struct dvl_pair *all = dvl_arena_array(&world.arena, pairs.count + 1, sizeof *all);
    memcpy(all, pairs.items, pairs.count * sizeof *all);
    all[pairs.count] = (struct dvl_pair){.key = "huawei.com/vnpu-mode", .value = model.soft_pod ? "hami-core" : ""};
    pod.annotations = (struct dvl_pairs){.items = all, .count = pairs.count + 1};
    qsort(all, pairs.count + 1, sizeof *all, world_by_key);
    struct dvl_assignment got;
    assert_int_equal(world.backend->ops->read_assignment(world.backend, &pod, world.devices, world.node.device_count,
                                                         &got, &world.findings, &world.error),
                     DVL_OK);
    assert_true(got.said);
    assert_false(got.unreadable);
    assert_string_equal(got.node_name, "n1");
    assert_int_equal(got.slice_count, fit->slice_count);
    for (size_t i = 0; i < got.slice_count; i++) {
        const struct dvl_slice *one = fit->slices[i], *other = got.slices[i];
        assert_ptr_equal(one->device, other->device);
        assert_string_equal(one->container, other->container);
        assert_int_equal(one->container_ordinal, other->container_ordinal);
        assert_int_equal(one->memory, other->memory);
        assert_int_equal(one->cores, other->cores);
        assert_string_equal(one->mode, other->mode);
        if (one->template_name) { /* a small odd chip held whole reads as a template */
            assert_string_equal(one->template_name, other->template_name);
            assert_int_equal(one->ai_cores, other->ai_cores);
            assert_int_equal(one->ai_cpus, other->ai_cpus);
        }
    }
}

static void play(int *fitted, int *refused)
{
    enum world_chip chip = (enum world_chip)chance(CHIP_KINDS);
    world_open(&world, chip);
    model = (struct model){.chip = &world_chips[chip],
                           .policy = (enum dvl_policy)chance(3),
                           .profile = one_in(4) ? DVL_PROFILE_VOLCANO_1_14 : DVL_PROFILE_LEDGER};
    world.config.scheduler.policy = model.policy;
    world.config.scheduler.profile = model.profile;
    random_node();
    random_slices();
    struct dvl_pod pod = random_pod();
    struct dvl_pod_request request = world_request(&world, &pod);
    assert_int_equal(request.ask_count, model.ask_count);
    assert_int_equal(request.refusal != NULL, model_refuses(&model));
    bool fits[2] = {false, false};
    for (int alone = 0; alone < 2 && !request.refusal; alone++) {
        model.alone = alone;
        model_decide(&model);
        struct dvl_fit fit = world_fit(&world, &pod, &request, alone, one_in(2));
        assert_int_equal(fit.fits, model.fits);
        fits[alone] = fit.fits;
        if (fit.devices)
            explained(&fit);
        if (!fit.fits)
            continue;
        same_choice(&fit);
        reads_back(pod, &fit);
    }
    assert_true(fits[1] || !fits[0]); /* what fits now fits when nobody else is there */
    *fitted += fits[0];
    *refused += request.refusal != NULL;
    world_close(&world);
}

static uint64_t round_now;

static void backend_decides_as_the_model(void **state)
{
    (void)state;
    int fitted = 0, refused = 0;
    for (round_now = 1; round_now <= ROUNDS; round_now++) {
        dice.state = round_now * UINT64_C(0x9E3779B97F4A7C15);
        play(&fitted, &refused);
    }
    /* The rounds must reach all answers, or they prove nothing. */
    assert_true(fitted > ROUNDS / 20);
    assert_true(fitted < ROUNDS - ROUNDS / 10);
    assert_true(refused > 0);
}

static int say_round(void **state)
{
    (void)state;
    if (round_now <= ROUNDS)
        print_message("failed in round %llu\n", (unsigned long long)round_now);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(backend_decides_as_the_model, say_round)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
