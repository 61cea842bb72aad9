/* What must hold of the whole ledger, on random clusters of one backend.
 *
 *     property KIND [SEED [ROUNDS]]           (or DVL_SEED, DVL_ROUNDS)
 *
 * In each round a ledger in memory gets a configuration, nodes and pods, and
 * random pods are placed on random nodes and taken away again. All along:
 *   - filter says yes when and only when allocate succeeds, on the devices that
 *     a dry run named;
 *   - the same call again, and the same object again, change no row;
 *   - what is refused changes no row;
 *   - allocate and then release leave the devices, the live slices and the
 *     locks as they were;
 *   - a pod on one node is not placed on another;
 *   - the file verifies, and so do its sums.
 * A failure names the seed with which its round is the first. */
#include "property.h"

#include <devledger.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 3, SEEN = 2, PODS = 6, STEPS = 14 };

static const struct property_kind *const kinds[] = {&property_gpushare, &property_hami, &property_vgpu, &property_vnpu};

struct pod {
    char *json;
    int node;    /* where it holds devices by the ledger's word; -1: nowhere */
    bool placed; /* … and that is not bound yet */
};

struct round {
    struct dvl_ledger *ledger;
    struct dice dice;
    uint64_t seed, number;
    bool lock;
    struct pod pods[PODS];
    char *answer; /* of the last call */
    size_t placed, refused;
};

static void fail(const struct round *round, const char *what, const char *more)
{
    fprintf(stderr, "property: round %llu, seed %llu: %s: %s\n", (unsigned long long)round->number,
            (unsigned long long)round->seed, what, more ? more : "");
    exit(1);
}

/* ---- Asking ---- */

/* The texts of generators, made JSON. */
static char *requote(struct dvl_buffer *text)
{
    struct dvl_buffer out;
    dvl_buffer_init(&out);
    for (const char *c = text->text; *c; c++) {
        if (*c == '`')
            dvl_buffer_text(&out, "\\\"");
        else
            dvl_buffer_char(&out, *c == '\'' ? '"' : *c);
    }
    dvl_buffer_clear(text);
    return out.text;
}

/* True when the answer is ok; it stays in round->answer. */
static bool ask_text(struct round *round, const char *text)
{
    struct dvl_answer *answer = NULL;
    enum dvl_status status = dvl_call(round->ledger, text, strlen(text), &answer);
    if (!answer)
        fail(round, "no memory", text);
    free(round->answer);
    round->answer = strdup(dvl_answer_json(answer));
    dvl_answer_free(answer);
    if (getenv("DVL_VERBOSE"))
        fprintf(stderr, "> %s\n< %s\n", text, round->answer);
    return status == DVL_OK;
}

__attribute__((format(printf, 2, 3))) static bool ask(struct round *round, const char *format, ...)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    va_list arguments;
    va_start(arguments, format);
    char *words = NULL;
    if (vasprintf(&words, format, arguments) < 0)
        fail(round, "no memory", format);
    va_end(arguments);
    dvl_buffer_text(&text, words);
    free(words);
    bool good = ask_text(round, text.text);
    dvl_buffer_clear(&text);
    return good;
}

static void must(const struct round *round, bool good, const char *what)
{
    if (!good)
        fail(round, what, round->answer);
}

/* What follows `"name":` in the last answer, up to the end of the answer. */
static const char *member(const struct round *round, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = strstr(round->answer, key);
    return found ? found + strlen(key) : "";
}

/* The list of slices in the last answer. */
static char *slices_of(const struct round *round)
{
    const char *start = member(round, "slices");
    const char *end = strstr(start, "]");
    return *start && end ? strndup(start, (size_t)(end - start + 1)) : strdup("none");
}

static int filter_code(struct round *round, const struct pod *pod, int node)
{
    must(round, ask(round, "{\"op\":\"filter\",\"pod\":%s,\"nodes\":[\"n%d\"]}", pod->json, node), "filter");
    return atoi(member(round, "code"));
}

/* ---- Dumps ---- */

static char *dump(struct round *round, const char *const *queries)
{
    struct dvl_buffer out;
    dvl_buffer_init(&out);
    for (size_t i = 0; queries[i]; i++) {
        must(round, ask(round, "{\"op\":\"sql\",\"query\":\"%s\"}", queries[i]), "sql");
        dvl_buffer_text(&out, round->answer);
        dvl_buffer_char(&out, '\n');
    }
    if (out.failed)
        fail(round, "no memory", "dump");
    return out.text;
}

/* Every row that there is. */
static char *dump_all(struct round *round)
{
    static const char *const queries[] = {"SELECT * FROM node ORDER BY id",
                                          "SELECT * FROM device ORDER BY id",
                                          "SELECT * FROM pod ORDER BY id",
                                          "SELECT * FROM request ORDER BY id",
                                          "SELECT * FROM allocation ORDER BY id",
                                          "SELECT * FROM node_lock ORDER BY id",
                                          "SELECT * FROM vnpu_downgrade ORDER BY id",
                                          "SELECT * FROM finding ORDER BY id",
                                          "SELECT * FROM event ORDER BY seq",
                                          NULL};
    return dump(round, queries);
}

/* Who holds what now. */
static char *dump_held(struct round *round)
{
    static const char *const queries[] = {
        "SELECT id, used_memory, used_cores, used_slots, used_ai_cores, used_ai_cpus FROM device ORDER BY id",
        "SELECT * FROM allocation WHERE released_at IS NULL ORDER BY id",
        "SELECT * FROM node_lock WHERE released_at IS NULL ORDER BY id", NULL};
    return dump(round, queries);
}

static void same(const struct round *round, char *before, char *after, const char *what)
{
    if (strcmp(before, after) != 0) {
        size_t at = 0;
        while (before[at] == after[at])
            at++;
        fprintf(stderr, "before: %.300s\nafter:  %.300s\n", before + (at > 100 ? at - 100 : 0),
                after + (at > 100 ? at - 100 : 0));
        fail(round, what, "rows differ");
    }
    free(before);
    free(after);
}

/* ---- Steps ---- */

static bool locked_by_another(const struct round *round, const struct pod *pod, int node)
{
    for (size_t i = 0; i < PODS && round->lock; i++) {
        const struct pod *other = &round->pods[i];
        if (other != pod && other->placed && other->node == node)
            return true;
    }
    return false;
}

static bool allocate(struct round *round, const struct pod *pod, int node)
{
    return ask(round, "{\"op\":\"allocate\",\"pod\":%s,\"node\":\"n%d\"}", pod->json, node);
}

static void release(struct round *round, size_t number)
{
    must(round, ask(round, "{\"op\":\"release\",\"pod\":\"ml/p%zu\"}", number), "release");
    round->pods[number].node = -1;
    round->pods[number].placed = false;
}

static void must_refuse(struct round *round, const struct pod *pod, int node, const char *code)
{
    char *before = dump_all(round);
    must(round, !allocate(round, pod, node), "allocate against the rule");
    must(round, strstr(round->answer, code) != NULL, code);
    same(round, before, dump_all(round), "a refused allocate changed something");
    round->refused++;
}

/* A pod that holds devices: again is the same, elsewhere is a conflict. */
static void step_again(struct round *round, const struct pod *pod)
{
    char *before = dump_all(round);
    must(round, allocate(round, pod, pod->node), "the same allocate again");
    same(round, before, dump_all(round), "the same allocate again changed something");
    must_refuse(round, pod, (pod->node + 1) % NODES, "conflict");
}

static void step_place(struct round *round, size_t number, int node)
{
    struct pod *pod = &round->pods[number];
    int code = filter_code(round, pod, node);
    char *before = dump_held(round);
    bool dry = ask(round, "{\"op\":\"schedule\",\"pod\":%s,\"nodes\":[\"n%d\"],\"dryRun\":true}", pod->json, node);
    must(round, dry == (code == 0), "a dry run says other than filter");
    char *promised = slices_of(round);
    same(round, before, dump_held(round), "a dry run changed something");
    before = dump_held(round);
    bool asks = strcmp(promised, "[]") != 0;
    if (code != 0 || (asks && locked_by_another(round, pod, node))) {
        must_refuse(round, pod, node, code != 0 ? "o" : "locked");
        free(before);
        free(promised);
        return;
    }
    must(round, allocate(round, pod, node), "filter said yes, allocate says no");
    char *given = slices_of(round);
    if (strcmp(promised, given) != 0)
        fail(round, promised, given);
    pod->node = asks ? node : -1;
    pod->placed = asks;
    round->placed += asks;
    free(promised);
    free(given);
    if (asks && dice_once_in(&round->dice, 2)) {
        release(round, number);
        same(round, before, dump_held(round), "allocate and release left something");
        return;
    }
    free(before);
}

static void step_bind(struct round *round, size_t number)
{
    struct pod *pod = &round->pods[number];
    must(round, ask(round, "{\"op\":\"bind\",\"pod\":\"ml/p%zu\"}", number), "bind");
    pod->placed = false;
    char *before = dump_all(round);
    must(round, ask(round, "{\"op\":\"bind\",\"pod\":\"ml/p%zu\"}", number), "bind again");
    same(round, before, dump_all(round), "bind again changed something");
}

static void step(struct round *round)
{
    size_t number = (size_t)dice_up_to(&round->dice, PODS - 1);
    struct pod *pod = &round->pods[number];
    int node = (int)dice_up_to(&round->dice, NODES - 1);
    if (pod->node < 0)
        step_place(round, number, node);
    else if (dice_once_in(&round->dice, 3))
        release(round, number);
    else if (pod->placed && dice_once_in(&round->dice, 2))
        step_bind(round, number);
    else
        step_again(round, pod);
}

/* ---- A round ---- */

/* Applied twice; the second time nothing happens. */
static void apply_twice(struct round *round, const char *objects)
{
    must(round, ask(round, "{\"op\":\"apply\",\"objects\":[%s]}", objects), "apply");
    char *before = dump_all(round);
    must(round, ask(round, "{\"op\":\"apply\",\"objects\":[%s]}", objects), "apply again");
    same(round, before, dump_all(round), "the same objects again changed something");
}

static void start_round(struct round *round, const struct property_kind *kind)
{
    const struct dvl_open_options options = {.path = ":memory:", .actor = "property", .create = true};
    char why[256] = "";
    if (dvl_ledger_open(&options, &round->ledger, why, sizeof why) != DVL_OK)
        fail(round, "open", why);
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_buffer_text(&text, "{'op':'config',");
    round->lock = kind->write_config(&round->dice, dice_once_in(&round->dice, 3), &text);
    dvl_buffer_char(&text, '}');
    char *json = requote(&text);
    must(round, ask_text(round, json), "config");
    free(json);
    for (int i = 0; i < NODES; i++) {
        dvl_buffer_text(&text, i ? "," : "");
        kind->write_node(&round->dice, i, &text);
    }
    for (int i = 0; i < SEEN; i++) {
        dvl_buffer_char(&text, ',');
        kind->write_pod(&round->dice, PODS + i, (int)dice_up_to(&round->dice, NODES - 1), &text);
    }
    json = requote(&text);
    apply_twice(round, json);
    free(json);
    for (int i = 0; i < PODS; i++) {
        kind->write_pod(&round->dice, i, -1, &text);
        round->pods[i] = (struct pod){.json = requote(&text), .node = -1};
    }
}

/* A pod with a number that does not read is refused by all, and takes no part. */
static bool is_readable(struct round *round, const struct pod *pod)
{
    bool good = ask(round, "{\"op\":\"score\",\"pod\":%s}", pod->json);
    must(round, good || strstr(round->answer, "bad_input"), "score");
    return good;
}

static void play_round(struct round *round, const struct property_kind *kind)
{
    start_round(round, kind);
    for (size_t i = 0; i < PODS; i++) {
        while (!is_readable(round, &round->pods[i])) {
            struct dvl_buffer text;
            dvl_buffer_init(&text);
            free(round->pods[i].json);
            kind->write_pod(&round->dice, (int)i, -1, &text);
            round->pods[i].json = requote(&text);
        }
    }
    for (int i = 0; i < STEPS; i++)
        step(round);
    must(round, ask(round, "{\"op\":\"verify\"}"), "verify");
    must(round, strncmp(member(round, "problems"), "[]", 2) == 0, "verify found problems");
    for (size_t i = 0; i < PODS; i++)
        free(round->pods[i].json);
    free(round->answer);
    round->answer = NULL;
    dvl_ledger_close(round->ledger);
}

int main(int argc, char **argv)
{
    const struct property_kind *kind = NULL;
    for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i]->name, argv[1]) == 0)
            kind = kinds[i];
    }
    if (!kind) {
        fprintf(stderr, "usage: property gpushare|hami|vgpu|vnpu [SEED [ROUNDS]]\n");
        return 2;
    }
    struct round round = {.dice = {dice_number(argc, argv, 2, "DVL_SEED", 20261130)}};
    uint64_t rounds = dice_number(argc, argv, 3, "DVL_ROUNDS", 25);
    for (round.number = 0; round.number < rounds; round.number++) {
        round.seed = round.dice.state;
        play_round(&round, kind);
    }
    printf("%s: %llu rounds, %zu placed, %zu refused\n", kind->name, (unsigned long long)rounds, round.placed,
           round.refused);
    /* A generator that makes nothing fit, or everything, tests nothing. */
    return round.placed < rounds || round.refused < rounds / 4;
}
