/* vnpu against a model that tries everything: thousands of random nodes, and
 * for each a few questions. The model knows pods, not slices, and counts anew
 * for each answer; it shares nothing with the backend but the names. */
#include "../support/random.h"
#include "../support/vnpu_world.h"

enum { PODS = 40, CHIPS = 4, ROUNDS = 6000, QUESTIONS = 6, CPUS = 7 };

/* ---- Chance ---- */

static struct dice dice;

static unsigned chance(unsigned below)
{
    return (unsigned)dice_up_to(&dice, (int64_t)below - 1);
}

/* ---- The model ---- */

struct kind {
    const char *name;
    int cores, cpus;
    char dvpp; /* n null, y yes, - no */
};

static const struct kind kinds[] = {{"vir01", 1, 1, 'n'},        {"vir02", 2, 2, 'n'},    {"vir02_1c", 2, 1, 'n'},
                                    {"vir04", 4, 4, 'n'},        {"vir04_3c", 4, 3, 'n'}, {"vir04_3c_ndvpp", 4, 3, '-'},
                                    {"vir04_4c_dvpp", 4, 4, 'y'}};
enum { VIR01, VIR02, VIR02_1C, VIR04, VIR04_3C, NDVPP, DVPP, KINDS, WHOLE = -1, NONE = -2 };

struct model_pod {
    int kind; /* WHOLE: chips `first` to `last` */
    int first, last;
    int vgroup; /* -1: not created yet */
    bool observed;
};

struct model {
    int cores, chips;
    bool healthy[CHIPS];
    struct model_pod pods[PODS];
    int pod_count;
    int unheld;
};

struct question {
    int cores;
    const char *level, *dvpp; /* NULL: no label */
};

struct answer {
    int code;
    int kind; /* given; WHOLE */
    int chip; /* the first */
    int count;
};

static bool on(const struct model_pod *pod, int chip)
{
    return chip >= pod->first && chip <= pod->last;
}

static int wanted_kind(const struct question *question)
{
    bool high = question->level && strcmp(question->level, "high") == 0;
    char dvpp = question->dvpp ? question->dvpp[0] : 'n'; /* null, yes, no is told from null by its end */
    if (question->dvpp && strcmp(question->dvpp, "no") == 0)
        dvpp = '-';
    if (question->cores == 1)
        return VIR01;
    if (question->cores == 2)
        return high ? VIR02 : VIR02_1C;
    if (question->cores == 4)
        return dvpp == 'y' ? DVPP : dvpp == '-' ? NDVPP : high ? VIR04 : VIR04_3C;
    return NONE;
}

static bool takes(const struct model *model, int chip, int kind, bool alone, int *cores, int *cpus)
{
    bool groups[8] = {false};
    int group_count = 0;
    *cores = model->cores;
    *cpus = CPUS;
    if (!model->healthy[chip])
        return false;
    for (int i = 0; i < model->pod_count && !alone; i++) {
        const struct model_pod *pod = &model->pods[i];
        if (!on(pod, chip))
            continue;
        *cores -= pod->kind == WHOLE ? model->cores : kinds[pod->kind].cores;
        *cpus -= pod->kind == WHOLE ? CPUS : kinds[pod->kind].cpus;
        if (pod->vgroup < 0 && pod->observed)
            return false;
        if (pod->vgroup >= 0 && pod->kind != WHOLE && !groups[pod->vgroup]) {
            groups[pod->vgroup] = true;
            group_count++;
        }
        if (pod->kind == WHOLE)
            continue;
        char held = kinds[pod->kind].dvpp, asked = kinds[kind].dvpp;
        if ((asked == 'y' && held != '-') || (asked == 'n' && held == 'y'))
            return false;
    }
    if (*cores < kinds[kind].cores || *cpus < kinds[kind].cpus)
        return false;
    return group_count < 3 || kinds[kind].cores == 1 || (group_count == 3 && kinds[kind].cores == 2);
}

static int best_chip(const struct model *model, int kind, bool alone)
{
    int best = -1, best_rank = 0;
    for (int chip = 0; chip < model->chips; chip++) {
        int cores, cpus;
        if (!takes(model, chip, kind, alone, &cores, &cpus))
            continue;
        int rank = cores * 10000 + cpus * 100 + chip;
        if (best < 0 || rank < best_rank) {
            best = chip;
            best_rank = rank;
        }
    }
    return best;
}

static bool answer_whole(const struct model *model, const struct question *question, bool alone, struct answer *out)
{
    int idle = 0, first = -1;
    for (int chip = 0; chip < model->chips; chip++) {
        bool held = false;
        for (int i = 0; i < model->pod_count && !alone; i++)
            held = held || on(&model->pods[i], chip);
        if (held || !model->healthy[chip])
            continue;
        first = first < 0 ? chip : first;
        idle++;
    }
    *out = (struct answer){.kind = WHOLE, .chip = first, .count = question->cores / model->cores};
    return idle >= out->count;
}

static bool answer_template(const struct model *model, const struct question *question, bool alone, struct answer *out)
{
    int kind = wanted_kind(question), chip = best_chip(model, kind, alone);
    if (chip < 0 && (kind == VIR02 || kind == VIR04)) {
        kind = kind == VIR02 ? VIR02_1C : VIR04_3C;
        chip = best_chip(model, kind, alone);
    }
    *out = (struct answer){.kind = kind, .chip = chip, .count = 1};
    for (int i = 0; i < model->pod_count && !alone; i++) {
        const struct model_pod *pod = &model->pods[i];
        if (pod->kind != WHOLE && pod->vgroup < 0 && pod->kind != kind)
            return false;
    }
    return chip >= 0;
}

static int node_free(const struct model *model, bool alone)
{
    int free = model->cores * model->chips;
    for (int i = 0; i < model->pod_count && !alone; i++) {
        const struct model_pod *pod = &model->pods[i];
        free -= pod->kind == WHOLE ? model->cores * (pod->last - pod->first + 1) : kinds[pod->kind].cores;
    }
    return alone ? free : free - model->unheld;
}

static bool answer_once(const struct model *model, const struct question *question, bool alone, struct answer *out)
{
    if (node_free(model, alone) < question->cores)
        return false;
    return question->cores % model->cores == 0 ? answer_whole(model, question, alone, out)
                                               : answer_template(model, question, alone, out);
}

static struct answer answer(const struct model *model, const struct question *question)
{
    struct answer out, ignored;
    bool whole = question->cores % model->cores == 0;
    bool bad_label = question->dvpp && strcmp(question->dvpp, "maybe") == 0;
    if (!whole && (wanted_kind(question) == NONE || bad_label))
        return (struct answer){.code = 1};
    if (answer_once(model, question, false, &out)) {
        out.code = 0;
        return out;
    }
    return (struct answer){.code = answer_once(model, question, true, &ignored) ? 2 : 3};
}

/* ---- Chance makes nodes, pods and questions ---- */

static struct model_pod random_pod(const struct model *model, bool all_created)
{
    struct model_pod pod = {.kind = (int)chance(KINDS), .vgroup = (int)chance(5) - 1, .observed = chance(2)};
    if (chance(2)) /* so that AI CPUs run out before cores */
        pod.kind = chance(2) ? VIR01 : VIR04;
    if (chance(8) == 0)
        pod.kind = WHOLE;
    pod.first = pod.last = (int)chance((unsigned)model->chips);
    if (pod.kind == WHOLE && pod.last + 1 < model->chips && chance(2))
        pod.last++;
    if (pod.vgroup < 0 && (all_created || chance(2)))
        pod.vgroup = 0;
    return pod;
}

static struct model random_model(void)
{
    struct model model = {.cores = chance(2) ? 8 : 10, .chips = 1 + (int)chance(CHIPS)};
    for (int i = 0; i < model.chips; i++)
        model.healthy[i] = chance(8) != 0;
    bool all_created = chance(3) != 0;
    int most = (int)chance((unsigned)model.chips * 4 + 1);
    for (int i = 0; i < most && i < PODS; i++)
        model.pods[model.pod_count++] = random_pod(&model, all_created);
    model.unheld = chance(6) ? 0 : (int)chance(12);
    return model;
}

static struct question random_question(void)
{
    static const int cores[] = {1, 1, 2, 2, 2, 4, 4, 4, 4, 8, 10, 16, 20, 3, 40};
    static const char *const levels[] = {NULL, "high", "high", "high", "medium"};
    static const char *const dvpps[] = {NULL, NULL, "null", "yes", "no", "maybe"};
    return (struct question){.cores = cores[chance(sizeof cores / sizeof cores[0])],
                             .level = levels[chance(5)],
                             .dvpp = dvpps[chance(20) ? chance(5) : 5]};
}

static void build(struct world *world, const struct model *model)
{
    world_open(world, model->cores, (size_t)model->chips);
    world->node.unheld = model->unheld;
    for (int i = 0; i < model->chips; i++)
        world->chips[i]->healthy = model->healthy[i];
    for (int i = 0; i < model->pod_count; i++) {
        const struct model_pod *pod = &model->pods[i];
        const char *name = pod->kind == WHOLE ? NULL : kinds[pod->kind].name;
        char real[64];
        if (name)
            snprintf(real, sizeof real, "Ascend310P-x-%d-%d_%d", 100 + i, pod->first, pod->vgroup);
        else
            snprintf(real, sizeof real, "Ascend310P-%d", pod->first);
        for (int chip = pod->first; chip <= pod->last; chip++)
            world_hold(world, (size_t)chip, name, pod->vgroup < 0 ? NULL : real, pod->observed);
    }
}

static int seen[4], seen_cpus, seen_downgrades;

static void compare(const struct model *model, const struct question *question)
{
    struct world world;
    struct dvl_fit fit;
    char cores[16];
    build(&world, model);
    snprintf(cores, sizeof cores, "%d", question->cores);
    struct answer right = answer(model, question);
    int code = world_ask(&world, world_pod(&world, cores, question->level, question->dvpp), &fit);
    assert_int_equal(code, right.code);
    seen[code]++;
    seen_cpus += fit.reason && strcmp(fit.reason, "short_of_ai_cpus") == 0;
    seen_downgrades += fit.downgraded_to != NULL;
    if (code == 0) {
        assert_int_equal(fit.slice_count, right.count);
        assert_int_equal(fit.slices[0]->device->idx, right.chip);
        if (right.kind == WHOLE)
            assert_null(fit.slices[0]->template_name);
        else
            assert_string_equal(fit.slices[0]->template_name, kinds[right.kind].name);
    }
    /* Counts of reasons add up, whatever the answer. */
    if (fit.devices)
        assert_int_equal(fit.device_verdict_count, model->chips);
    world_close(&world);
}

static void backend_and_model_agree(void **state)
{
    (void)state;
    dice.state = 20260820;
    for (int round = 0; round < ROUNDS; round++) {
        struct model model = random_model();
        for (int i = 0; i < QUESTIONS; i++) {
            struct question question = random_question();
            compare(&model, &question);
        }
    }
    print_message("codes %d %d %d %d, short of AI CPUs %d, downgrades %d\n", seen[0], seen[1], seen[2], seen[3],
                  seen_cpus, seen_downgrades);
    for (int code = 0; code < 4; code++)
        assert_true(seen[code] > 100);
    assert_true(seen_cpus > 100);
    assert_true(seen_downgrades > 100);
}

/* Placing what fits until nothing fits never takes more than there is. */
static void placing_never_exceeds_a_chip(void **state)
{
    (void)state;
    dice.state = 77;
    for (int round = 0; round < 300; round++) {
        struct world world;
        int64_t cores = chance(2) ? 8 : 10;
        world_open(&world, cores, CHIPS);
        for (int i = 0; i < 60; i++) {
            struct question question = random_question();
            struct dvl_fit fit;
            char text[16];
            snprintf(text, sizeof text, "%d", question.cores);
            if (world_ask(&world, world_pod(&world, text, question.level, question.dvpp), &fit) != 0)
                continue;
            for (size_t s = 0; s < fit.slice_count; s++)
                world_hold(&world, (size_t)fit.slices[s]->device->idx, fit.slices[s]->template_name,
                           chance(2) ? "Ascend310P-x-100-0_0" : NULL, false);
        }
        for (int i = 0; i < CHIPS; i++) {
            struct dvl_usage usage = dvl_device_usage(world.chips[i], false);
            assert_true(usage.cores <= cores);
            assert_true(usage.ai_cpus <= CPUS);
            assert_true(!usage.whole || usage.tasks == 1);
        }
        world_close(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backend_and_model_agree),
        cmocka_unit_test(placing_never_exceeds_a_chip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
