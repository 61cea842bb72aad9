/* Plays cases: small clusters, requests, and what the answers must contain.
 *
 *     run_cases FILE…
 *
 * A case is data; tests/cases/README.md says how one is written. Each starts
 * from an empty ledger in memory, and speaks to it through dvl_call as a batch
 * does. A file that ends with .jsonl has one case a line, another is YAML. Of a
 * file that ends with .refuse.yaml the last step of every case must be refused.
 * A failing case is one line: file, case, step, path in the answer, what was
 * wanted, what was got. The exit status is 1 when a case fails, 2 when a file
 * is no case. */
#include "case_objects.h"

#include "manifest/manifest.h"
#include "render/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Comparing -------------------------------------------------------------- */

struct difference {
    bool found;
    char path[512];
    const struct dvl_value *wanted, *got;
    const char *note; /* in place of what was got */
};

static bool match(const struct dvl_value *want, const struct dvl_value *got, const char *path,
                  struct difference *difference);

static bool differ(struct difference *difference, const char *path, const struct dvl_value *wanted,
                   const struct dvl_value *got, const char *note)
{
    if (!difference->found) {
        snprintf(difference->path, sizeof difference->path, "%s", path);
        difference->wanted = wanted;
        difference->got = got;
        difference->note = note;
        difference->found = true;
    }
    return false;
}

static bool same_number(const struct dvl_value *want, const struct dvl_value *got)
{
    double a = strtod(want->text, NULL), b = strtod(got->text, NULL);
    return fabs(a - b) <= 1e-9 * fmax(1.0, fabs(a));
}

/* "fit" is not in the answer: it is code 0. */
static bool match_fit(const struct dvl_value *want, const struct dvl_value *got, const char *path,
                      struct difference *difference)
{
    const struct dvl_value *code = dvl_value_find(got, "code");
    if (!code)
        return differ(difference, path, want, NULL, NULL);
    bool fits = strcmp(dvl_value_text(code), "0") == 0;
    return fits == want->truth || differ(difference, path, want, code, NULL);
}

static bool match_map(const struct dvl_value *want, const struct dvl_value *got, const char *path,
                      struct difference *difference)
{
    if (dvl_value_kind(got) != DVL_VALUE_MAP)
        return differ(difference, path, want, got, NULL);
    for (const struct dvl_value *member = want->first; member; member = member->next) {
        char here[512];
        snprintf(here, sizeof here, "%.400s%s%.100s", path, *path ? "." : "", member->key);
        bool same;
        if (strcmp(member->key, "fit") == 0 && !dvl_value_find(got, "fit"))
            same = match_fit(member, got, here, difference);
        else if (!dvl_value_find(got, member->key))
            same = differ(difference, here, member, NULL, "nothing");
        else
            same = match(member, dvl_value_find(got, member->key), here, difference);
        if (!same)
            return false;
    }
    return true;
}

static bool same_key(const struct dvl_value *want, const struct dvl_value *got, const char *key)
{
    const struct dvl_value *wanted = dvl_value_find(want, key), *found = dvl_value_find(got, key);
    if (!wanted)
        return true;
    struct difference ignored = {0};
    return found && match(wanted, found, "", &ignored);
}

/* The entry of the same node (and index, and backend) must match. */
static bool match_by_node(const struct dvl_value *want, const struct dvl_value *got, const char *path,
                          struct difference *difference)
{
    char here[512];
    const struct dvl_value *index = dvl_value_find(want, "index");
    snprintf(here, sizeof here, "%.300s[%.100s%s%.20s]", path, dvl_value_text(dvl_value_find(want, "node")),
             index ? "," : "", index ? dvl_value_text(index) : "");
    struct difference first = {0};
    for (const struct dvl_value *item = got->first; item; item = item->next) {
        if (!same_key(want, item, "node") || !same_key(want, item, "index") || !same_key(want, item, "backend"))
            continue;
        struct difference own = {0};
        if (match(want, item, here, &own))
            return true;
        if (!first.found)
            first = own;
    }
    if (first.found && !difference->found)
        *difference = first;
    return differ(difference, here, want, NULL, "nothing");
}

static bool match_list(const struct dvl_value *want, const struct dvl_value *got, const char *path,
                       struct difference *difference)
{
    if (dvl_value_kind(got) != DVL_VALUE_LIST)
        return differ(difference, path, want, got, NULL);
    bool by_node = want->count > 0;
    for (const struct dvl_value *item = want->first; item; item = item->next)
        by_node = by_node && dvl_value_find(item, "node");
    if (!by_node && want->count != got->count)
        return differ(difference, path, want, got, NULL);
    const struct dvl_value *other = got->first;
    size_t at = 0;
    for (const struct dvl_value *item = want->first; item; item = item->next) {
        char here[512];
        snprintf(here, sizeof here, "%.400s[%zu]", path, at++);
        if (by_node ? !match_by_node(item, got, path, difference) : !match(item, other, here, difference))
            return false;
        other = other ? other->next : NULL;
    }
    return true;
}

/* True when `want` is a part of `got`. */
static bool match(const struct dvl_value *want, const struct dvl_value *got, const char *path,
                  struct difference *difference)
{
    bool same = false;
    switch (dvl_value_kind(want)) {
    case DVL_VALUE_MAP:
        return match_map(want, got, path, difference);
    case DVL_VALUE_LIST:
        return match_list(want, got, path, difference);
    case DVL_VALUE_NUMBER:
        same = dvl_value_kind(got) == DVL_VALUE_NUMBER && same_number(want, got);
        break;
    case DVL_VALUE_NULL:
        same = dvl_value_kind(got) == DVL_VALUE_NULL;
        break;
    case DVL_VALUE_BOOL:
        same = dvl_value_kind(got) == DVL_VALUE_BOOL && want->truth == dvl_value_is_true(got);
        break;
    case DVL_VALUE_STRING:
        same = dvl_value_kind(got) == DVL_VALUE_STRING && strcmp(want->text, dvl_value_text(got)) == 0;
        break;
    }
    return same || differ(difference, path, want, got, NULL);
}

/* ---- Playing ------------------------------------------------------------------- */

struct play {
    const char *file, *name;
    struct dvl_ledger *ledger;
    struct dvl_arena *arena;
    const struct case_scope *scope;
    size_t step;
};

static void show(const char *label, const struct dvl_value *value)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_json_write(&text, value);
    printf("%s %.400s", label, text.text);
    dvl_buffer_clear(&text);
}

static bool report(const struct play *play, const struct difference *difference)
{
    printf("FAIL %s: %s: step %zu: %s:", play->file, play->name, play->step, difference->path);
    show(" wanted", difference->wanted);
    if (difference->note)
        printf(", got %s", difference->note);
    else
        show(", got", difference->got);
    printf("\n");
    return false;
}

/* An answer to a step that says nothing else must be ok. */
static bool judge(const struct play *play, const struct dvl_value *want, const struct dvl_value *answer)
{
    struct difference difference = {0};
    const struct dvl_value *ok = dvl_value_find(want, "ok");
    if (!ok && !dvl_value_is_true(dvl_value_find(answer, "ok")))
        differ(&difference, "ok", NULL, dvl_value_find(answer, "error"), NULL);
    else if (dvl_value_kind(want) == DVL_VALUE_MAP)
        match_map(want, answer, "", &difference);
    return !difference.found || report(play, &difference);
}

/* *refused: the answer was not ok. */
static bool play_step(struct play *play, const struct dvl_value *request, const struct dvl_value *want, bool *refused)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    play->step++;
    dvl_json_write(&text, case_expand(play->arena, play->scope, request));
    struct dvl_answer *answer = NULL;
    dvl_call(play->ledger, text.text, text.length, &answer);
    const struct dvl_value *value = answer ? dvl_answer_value(answer) : NULL;
    bool good = judge(play, want, value);
    *refused = !dvl_value_is_true(dvl_value_find(value, "ok"));
    dvl_answer_free(answer);
    dvl_buffer_clear(&text);
    return good;
}

/* What every case of a scope starts with: its configuration and its nodes. */
static bool play_start(struct play *play)
{
    bool refused;
    const struct dvl_value *config = case_config_request(play->arena, play->scope);
    const struct dvl_value *nodes = case_nodes_request(play->arena, play->scope);
    return (!config || play_step(play, config, NULL, &refused)) && (!nodes || play_step(play, nodes, NULL, &refused));
}

static bool play_steps(struct play *play, const struct dvl_value *steps, bool must_refuse)
{
    bool refused = false;
    for (const struct dvl_value *step = steps->first; step; step = step->next) {
        if (!play_step(play, dvl_value_find(step, "do"), dvl_value_find(step, "want"), &refused))
            return false;
    }
    if (must_refuse && !refused) {
        printf("FAIL %s: %s: the last step must be refused\n", play->file, play->name);
        return false;
    }
    return true;
}

static bool play_case(const char *file, const struct case_scope *scope, const struct dvl_value *item,
                      struct dvl_arena *arena)
{
    const struct dvl_value *steps = dvl_value_find(item, "steps");
    const char *name = dvl_value_find_text(item, "name");
    if (!name)
        name = dvl_value_find_text(item, "id");
    struct play play = {.file = file, .name = name ? name : "case", .arena = arena, .scope = scope};
    if (dvl_value_kind(steps) != DVL_VALUE_LIST || steps->count == 0) {
        printf("FAIL %s: %s: no steps\n", file, play.name);
        return false;
    }
    char why[256] = "";
    struct dvl_open_options options = {.path = ":memory:", .actor = "case", .create = true};
    if (dvl_ledger_open(&options, &play.ledger, why, sizeof why) != DVL_OK) {
        printf("FAIL %s: %s: %s\n", file, play.name, why);
        return false;
    }
    size_t length = strlen(file);
    bool must_refuse = length > 12 && strcmp(file + length - 12, ".refuse.yaml") == 0;
    bool good = play_start(&play) && play_steps(&play, steps, must_refuse);
    dvl_ledger_close(play.ledger);
    return good;
}

/* ---- Files -------------------------------------------------------------------------- */

struct score {
    size_t passed, failed;
};

static void count(struct score *score, bool good)
{
    score->passed += good;
    score->failed += !good;
}

static bool play_yaml(const char *file, const char *text, size_t length, struct score *score)
{
    struct dvl_arena arena;
    dvl_arena_init(&arena, 0);
    struct dvl_value *root = NULL;
    struct dvl_error error = {0};
    bool good = dvl_yaml_read(&arena, text, length, &root, &error) == DVL_OK;
    if (!good)
        fprintf(stderr, "run_cases: %s: %s\n", file, error.message);
    const struct dvl_value *cases = dvl_value_find(root, "cases");
    for (const struct dvl_value *item = good && cases ? cases->first : NULL; item; item = item->next) {
        struct case_scope scope = {.outer = root, .inner = item};
        count(score, play_case(file, &scope, item, &arena));
    }
    if (good && !cases) {
        struct case_scope scope = {.outer = root, .inner = root};
        count(score, play_case(file, &scope, root, &arena));
    }
    dvl_arena_clear(&arena);
    return good;
}

static bool play_lines(const char *file, char *text, struct score *score)
{
    char *outer = NULL;
    for (char *line = strtok_r(text, "\n", &outer); line; line = strtok_r(NULL, "\n", &outer)) {
        struct dvl_arena arena;
        dvl_arena_init(&arena, 0);
        struct dvl_value *item = NULL;
        struct dvl_error error = {0};
        struct case_scope scope = {0};
        if (dvl_json_read(&arena, line, strlen(line), &item, &error) != DVL_OK) {
            fprintf(stderr, "run_cases: %s: %s\n", file, error.message);
            dvl_arena_clear(&arena);
            return false;
        }
        count(score, play_case(file, &scope, item, &arena));
        dvl_arena_clear(&arena);
    }
    return true;
}

static char *read_file(const char *name, size_t *length)
{
    FILE *file = fopen(name, "rb");
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    char piece[65536];
    size_t got;
    while (file && (got = fread(piece, 1, sizeof piece, file)) > 0)
        dvl_buffer_add(&text, piece, got);
    bool good = file && !ferror(file) && !text.failed;
    if (file)
        fclose(file);
    *length = text.length;
    if (good && text.length)
        return text.text;
    fprintf(stderr, "run_cases: %s: %s\n", name, good ? "empty" : "cannot be read");
    dvl_buffer_clear(&text);
    return NULL;
}

int main(int argc, char **argv)
{
    struct score score = {0};
    bool good = argc > 1;
    if (!good)
        fprintf(stderr, "usage: run_cases FILE...\n");
    for (int i = 1; i < argc; i++) {
        size_t length = 0, name = strlen(argv[i]);
        char *text = read_file(argv[i], &length);
        bool lines = name > 6 && strcmp(argv[i] + name - 6, ".jsonl") == 0;
        good = text && (lines ? play_lines(argv[i], text, &score) : play_yaml(argv[i], text, length, &score)) && good;
        free(text);
    }
    printf("%zu passed, %zu failed\n", score.passed, score.failed);
    return !good ? 2 : score.failed > 0;
}
