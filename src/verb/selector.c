/* Label selectors: which rows of `get -l` are shown. The language and its
 * meaning are those of Kubernetes; what does not read is refused with its
 * place, never taken as "no constraint". */
#include "selector.h"

#include <string.h>

enum operation { EXISTS, ABSENT, EQUAL, UNEQUAL }; /* EQUAL and UNEQUAL: to one of the values */

struct word {
    struct dvl_span text;
    struct word *next;
};

struct requirement {
    struct dvl_span key;
    enum operation operation;
    struct word *values;
    struct requirement *next;
};

struct dvl_selector {
    struct requirement *requirements;
};

struct reader {
    struct dvl_arena *arena;
    const char *text, *at;
    struct dvl_error *error;
};

static enum dvl_status refuse(struct reader *reader, const char *wanted)
{
    return dvl_error_set(reader->error, DVL_BAD_INPUT, "selector \"%s\": %s expected at character %zu", reader->text,
                         wanted, (size_t)(reader->at - reader->text) + 1);
}

static void skip_blanks(struct reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\t')
        reader->at++;
}

static bool take(struct reader *reader, const char *token)
{
    size_t length = strlen(token);
    if (strncmp(reader->at, token, length) != 0)
        return false;
    reader->at += length;
    skip_blanks(reader);
    return true;
}

/* What stands up to a blank or a sign of the language; may be empty. */
static struct dvl_span take_word(struct reader *reader)
{
    size_t length = strcspn(reader->at, " \t=!,()<>");
    struct dvl_span word = {reader->at, length};
    reader->at += length;
    skip_blanks(reader);
    return word;
}

static enum dvl_status add_value(struct reader *reader, struct word ***end)
{
    struct word *word = dvl_arena_take(reader->arena, sizeof *word);
    if (!word)
        return dvl_error_memory(reader->error);
    word->text = take_word(reader);
    **end = word;
    *end = &word->next;
    return DVL_OK;
}

static enum dvl_status read_set(struct reader *reader, struct requirement *requirement)
{
    struct word **end = &requirement->values;
    if (!take(reader, "("))
        return refuse(reader, "\"(\"");
    do {
        enum dvl_status status = add_value(reader, &end);
        if (status)
            return status;
    } while (take(reader, ","));
    return take(reader, ")") ? DVL_OK : refuse(reader, "\")\"");
}

static enum dvl_status read_requirement(struct reader *reader, struct requirement *requirement)
{
    bool absent = take(reader, "!");
    requirement->key = take_word(reader);
    if (requirement->key.length == 0)
        return refuse(reader, "a label");
    requirement->operation = absent ? ABSENT : EXISTS;
    if (absent || *reader->at == '\0' || *reader->at == ',')
        return DVL_OK;
    struct word **end = &requirement->values;
    requirement->operation = EQUAL;
    if (take(reader, "==") || take(reader, "="))
        return add_value(reader, &end);
    if (take(reader, "!=")) {
        requirement->operation = UNEQUAL;
        return add_value(reader, &end);
    }
    struct dvl_span word = take_word(reader);
    if (dvl_span_is(word, "in"))
        return read_set(reader, requirement);
    if (dvl_span_is(word, "notin")) {
        requirement->operation = UNEQUAL;
        return read_set(reader, requirement);
    }
    reader->at = word.start;
    return refuse(reader, "=, !=, in or notin");
}

enum dvl_status dvl_selector_read(struct dvl_arena *arena, const char *text, struct dvl_selector **out,
                                  struct dvl_error *error)
{
    struct reader reader = {arena, text, text, error};
    struct dvl_selector *selector = dvl_arena_take(arena, sizeof *selector);
    if (!selector)
        return dvl_error_memory(error);
    *out = selector;
    skip_blanks(&reader);
    if (*reader.at == '\0')
        return DVL_OK;
    struct requirement **end = &selector->requirements;
    do {
        *end = dvl_arena_take(arena, sizeof **end);
        if (!*end)
            return dvl_error_memory(error);
        enum dvl_status status = read_requirement(&reader, *end);
        if (status)
            return status;
        end = &(*end)->next;
    } while (take(&reader, ","));
    return *reader.at == '\0' ? DVL_OK : refuse(&reader, "\",\"");
}

static const struct dvl_value *label_of(const struct dvl_value *labels, struct dvl_span key)
{
    for (const struct dvl_value *child = labels ? labels->first : NULL; child; child = child->next)
        if (dvl_span_is(key, child->key))
            return child;
    return NULL;
}

static bool is_among(const struct dvl_value *label, const struct word *values)
{
    for (; values; values = values->next)
        if (label->length == values->text.length && memcmp(label->text, values->text.start, label->length) == 0)
            return true;
    return false;
}

static bool holds(const struct requirement *requirement, const struct dvl_value *label)
{
    switch (requirement->operation) {
    case EXISTS:
        return label != NULL;
    case ABSENT:
        return label == NULL;
    case EQUAL:
        return label && label->text && is_among(label, requirement->values);
    case UNEQUAL:
        return !label || !label->text || !is_among(label, requirement->values);
    }
    return false;
}

bool dvl_selector_matches(const struct dvl_selector *selector, const struct dvl_value *labels)
{
    for (const struct requirement *one = selector->requirements; one; one = one->next)
        if (!holds(one, label_of(labels, one->key)))
            return false;
    return true;
}
