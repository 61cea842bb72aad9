/* The command line → a verb, its options, its arguments. GNU's conventions:
 * options anywhere, `--name=value` and `--name value`, letters joined, long
 * names cut short where that is clear, `--` ends them. Global options may stand
 * before or after the verb. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 32 }; /* longer words are near nothing */

/* How many letters differ: one put in, left out, changed, or two swapped. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][WORD_MAX + 1];
    size_t la = strlen(a), lb = strlen(b);
    if (la > WORD_MAX || lb > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= lb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t *row = rows[i % 3];
        const size_t *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = up[j - 1] + (a[i - 1] != b[j - 1]);
            best = up[j] + 1 < best ? up[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && up2[j - 2] + 1 < best)
                best = up2[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[la % 3][lb];
}

const char *cli_nearest(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    size_t least = strlen(word) / 3 + 2; /* a third of the letters may be wrong, one always */
    for (; *names; names++) {
        size_t far = distance(word, *names);
        if (far < least) {
            least = far;
            nearest = *names;
        }
    }
    return nearest;
}

/* ---- What was given ----------------------------------------------------------------- */

const char *cli_text(const struct cli *cli, const char *option)
{
    for (int i = cli->given_count; i-- > 0;)
        if (strcmp(cli->given[i].option->name, option) == 0)
            return cli->given[i].value;
    return NULL;
}

bool cli_flag(const struct cli *cli, const char *option)
{
    for (int i = 0; i < cli->given_count; i++)
        if (strcmp(cli->given[i].option->name, option) == 0)
            return true;
    return false;
}

const char *cli_many(const struct cli *cli, const char *option, int position)
{
    for (int i = 0; i < cli->given_count; i++)
        if (strcmp(cli->given[i].option->name, option) == 0 && position-- == 0)
            return cli->given[i].value;
    return NULL;
}

bool cli_number(const struct cli *cli, const char *option, int64_t otherwise, int64_t *out)
{
    const char *text = cli_text(cli, option);
    *out = otherwise;
    if (!text || (dvl_text_int64(dvl_span_of(text), out) && *out >= 0))
        return true;
    cli_usage(cli, "--%s takes a whole number, not \"%s\"", option, text);
    return false;
}

/* ---- Reading ------------------------------------------------------------------------ */

struct line {
    struct cli *cli;
    char **words;
    int count, at;
    const char **arguments;
};

static const struct option *const *tables_of(const struct cli *cli)
{
    static const struct option *tables[3];
    tables[0] = cli->command && cli->command->options ? cli->command->options : cli_global_options;
    tables[1] = cli->command && cli->command->options ? cli_global_options : NULL;
    return tables;
}

/* "--name" of `length` letters, whole or cut short; *several when it could be more than one. */
static const struct option *find_long(const struct cli *cli, const char *name, size_t length, bool *several)
{
    const struct option *found = NULL;
    *several = false;
    for (const struct option *const *table = tables_of(cli); *table; table++) {
        for (const struct option *option = *table; option->name; option++) {
            if (strncmp(option->name, name, length) != 0)
                continue;
            if (option->name[length] == '\0')
                return *several = false, option;
            *several = *several || found;
            found = option;
        }
    }
    return *several ? NULL : found;
}

static const struct option *find_letter(const struct cli *cli, char letter)
{
    for (const struct option *const *table = tables_of(cli); *table; table++)
        for (const struct option *option = *table; option->name; option++)
            if (option->letter == letter)
                return option;
    return NULL;
}

static const char *nearest_option(const struct cli *cli, const char *word)
{
    const char *names[64];
    size_t count = 0;
    for (const struct option *const *table = tables_of(cli); *table; table++)
        for (const struct option *option = *table; option->name && count < 63; option++)
            names[count++] = option->name;
    names[count] = NULL;
    return cli_nearest(word, names);
}

static void keep(struct cli *cli, const struct option *option, const char *value)
{
    cli->given[cli->given_count++] = (struct given){option, value};
}

static int read_long(struct line *line, const char *word)
{
    struct cli *cli = line->cli;
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    bool several;
    const struct option *option = find_long(cli, word, length, &several);
    if (several)
        return cli_usage(cli, "--%.*s may mean several options: write it out", (int)length, word);
    if (!option) {
        char name[WORD_MAX];
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        const char *near = nearest_option(cli, name);
        if (near)
            return cli_usage(cli, "there is no option --%.*s: did you mean --%s?", (int)length, word, near);
        return cli_usage(cli, "there is no option --%.*s", (int)length, word);
    }
    if (!option->argument && value)
        return cli_usage(cli, "--%s takes no value", option->name);
    if (option->argument && !value) {
        if (line->at >= line->count)
            return cli_usage(cli, "--%s needs a value: %s", option->name, option->argument);
        value = line->words[line->at++];
    }
    keep(cli, option, value);
    return 0;
}

static int read_letters(struct line *line, const char *word)
{
    struct cli *cli = line->cli;
    for (; *word; word++) {
        const struct option *option = find_letter(cli, *word);
        if (!option)
            return cli_usage(cli, "there is no option -%c", *word);
        if (!option->argument) {
            keep(cli, option, NULL);
            continue;
        }
        if (word[1])
            keep(cli, option, word[1] == '=' ? word + 2 : word + 1);
        else if (line->at < line->count)
            keep(cli, option, line->words[line->at++]);
        else
            return cli_usage(cli, "-%c needs a value: %s", *word, option->argument);
        return 0;
    }
    return 0;
}

/* Names of verbs, each once: of "config apply" the first word. */
static const char *nearest_verb(const char *word)
{
    static const char *names[64];
    static char firsts[64][WORD_MAX];
    size_t count = 0;
    for (const struct command *command = cli_commands; command->name && count < 63; command++) {
        snprintf(firsts[count], sizeof firsts[count], "%.*s", (int)strcspn(command->name, " "), command->name);
        names[count] = firsts[count];
        count++;
    }
    names[count] = NULL;
    return cli_nearest(word, names);
}

/* The second words of the verbs that begin with `word`; answers how many. */
static size_t second_words(const char *word, const char *names[WORD_MAX], struct dvl_buffer *list)
{
    size_t count = 0, length = strlen(word);
    for (const struct command *command = cli_commands; command->name && count < WORD_MAX - 1; command++) {
        if (strncmp(command->name, word, length) != 0 || command->name[length] != ' ')
            continue;
        dvl_buffer_format(list, "%s%s", count ? ", " : "", command->name + length + 1);
        names[count++] = command->name + length + 1;
    }
    names[count] = NULL;
    return count;
}

static int unknown_verb(const char *word, const char *second)
{
    const char *names[WORD_MAX], *near;
    struct dvl_buffer list;
    int code;
    dvl_buffer_init(&list);
    if (second_words(word, names, &list) == 0) {
        near = nearest_verb(word);
        code = near ? cli_fail(EXIT_USAGE, word, "there is no such verb: did you mean \"%s\"?", near)
                    : cli_fail(EXIT_USAGE, word, "there is no such verb: \"devledger help\" lists them");
    } else if (!second) {
        code = cli_fail(EXIT_USAGE, word, "it needs one of %s", list.text);
    } else {
        near = cli_nearest(second, names);
        code = cli_fail(EXIT_USAGE, word, "\"%s\" is none of %s%s%s%s", second, list.text,
                        near ? ": did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    dvl_buffer_clear(&list);
    return code;
}

/* The verb may be two words, with nothing between them. */
static int read_verb(struct line *line, const char *word)
{
    const char *second = line->at < line->count && line->words[line->at][0] != '-' ? line->words[line->at] : NULL;
    for (const struct command *command = cli_commands; command->name; command++) {
        size_t length = strcspn(command->name, " ");
        if (strlen(word) != length || strncmp(command->name, word, length) != 0)
            continue;
        if (command->name[length] == ' ' && (!second || strcmp(command->name + length + 1, second) != 0))
            continue;
        line->at += command->name[length] == ' ';
        line->cli->command = command;
        return 0;
    }
    if (!second && cli_flag(line->cli, "help"))
        return 0;
    return unknown_verb(word, second);
}

static int read_word(struct line *line, bool *ended)
{
    struct cli *cli = line->cli;
    const char *word = line->words[line->at++];
    if (!*ended && strcmp(word, "--") == 0) {
        *ended = true;
        return 0;
    }
    if (!*ended && word[0] == '-' && word[1] == '-')
        return read_long(line, word + 2);
    if (!*ended && word[0] == '-' && word[1] != '\0')
        return read_letters(line, word + 1);
    if (!cli->command)
        return read_verb(line, word);
    line->arguments[cli->argument_count++] = word;
    return 0;
}

static int check_count(const struct cli *cli)
{
    const struct command *command = cli->command;
    if (!command || cli_flag(cli, "help"))
        return 0;
    if (cli->argument_count < command->least || (command->most >= 0 && cli->argument_count > command->most))
        return cli_usage(cli, "%s: it is used as \"devledger %s%s%s\"",
                         cli->argument_count < command->least ? "an argument is missing" : "too many arguments",
                         command->name, command->arguments[0] ? " " : "", command->arguments);
    return 0;
}

int cli_parse(struct cli *cli, int count, char **words)
{
    /* A word gives one argument, or an option for each of its letters. */
    size_t most = 0;
    for (int i = 0; i < count; i++)
        most += strlen(words[i]) + 1;
    struct line line = {.cli = cli, .words = words, .count = count};
    line.arguments = dvl_arena_array(&cli->arena, (size_t)count + 1, sizeof *line.arguments);
    cli->given = dvl_arena_array(&cli->arena, most + 1, sizeof *cli->given);
    if (!line.arguments || !cli->given)
        return cli_no_memory();
    cli->arguments = line.arguments;
    bool ended = false;
    while (line.at < line.count) {
        int code = read_word(&line, &ended);
        if (code)
            return code;
    }
    return check_count(cli);
}
