/* Typed members with a place in every message.
 *
 * Text → object: the readers of both configurations come through here, so that
 * a wrong type looks the same everywhere. */
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_SIZE = 200 };

/* "vnpus[2].memory" into `out`; cut when it is too long. Answers the length. */
static size_t write_place(const struct dvl_place *place, char *out, size_t size)
{
    if (!place) {
        out[0] = '\0';
        return 0;
    }
    size_t length = write_place(place->in, out, size);
    int added = place->name ? snprintf(out + length, size - length, "%s%.80s", length ? "." : "", place->name)
                            : snprintf(out + length, size - length, "[%zu]", place->index);
    size_t whole = length + (added > 0 ? (size_t)added : 0);
    return whole < size ? whole : size - 1;
}

/* " (line 3 of volcano-scheduler.conf)" into `out`. */
static void write_line(const struct dvl_config_reader *reader, const struct dvl_value *at, char *out, size_t size)
{
    out[0] = '\0';
    if (at && at->line > 0 && reader->source)
        snprintf(out, size, " (line %d of %s)", at->line, reader->source);
    else if (at && at->line > 0)
        snprintf(out, size, " (line %d)", at->line);
    else if (reader->source)
        snprintf(out, size, " (in %s)", reader->source);
}

enum dvl_status dvl_config_refuse(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *at, const char *format, ...)
{
    char where[PLACE_SIZE], line[64];
    size_t length = write_place(place, where, sizeof where);
    write_line(reader, at, line, sizeof line);
    va_list arguments;
    va_start(arguments, format);
    dvl_error_set_va(reader->error, DVL_BAD_INPUT, format, arguments);
    va_end(arguments);
    return dvl_error_prefix(reader->error, "%s%s", length ? where : "the configuration", line);
}

/* Copies what is printable ASCII; other bytes become '?'. A long text ends in "...". */
static void copy_printable(const char *text, size_t length, char *out, size_t size)
{
    size_t room = size - 4;
    size_t take = length < room ? length : room;
    for (size_t i = 0; i < take; i++)
        out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    snprintf(out + take, size - take, "%s", length > take ? "..." : "");
}

const char *dvl_config_shown(const struct dvl_value *value, char out[DVL_SHOWN_SIZE])
{
    char text[64] = "";
    if (value && value->text)
        copy_printable(value->text, value->length, text, sizeof text);
    switch (dvl_value_kind(value)) {
    case DVL_VALUE_NULL:
        snprintf(out, DVL_SHOWN_SIZE, "nothing");
        break;
    case DVL_VALUE_BOOL:
        snprintf(out, DVL_SHOWN_SIZE, "the bool %s", text);
        break;
    case DVL_VALUE_NUMBER:
        snprintf(out, DVL_SHOWN_SIZE, "the number %s", text);
        break;
    case DVL_VALUE_STRING:
        snprintf(out, DVL_SHOWN_SIZE, "the text \"%s\"", text);
        break;
    case DVL_VALUE_LIST:
        snprintf(out, DVL_SHOWN_SIZE, "a list");
        break;
    case DVL_VALUE_MAP:
        snprintf(out, DVL_SHOWN_SIZE, "a map");
        break;
    }
    return out;
}

static struct dvl_span span_of_value(const struct dvl_value *value)
{
    return (struct dvl_span){.start = value->text ? value->text : "", .length = value->text ? value->length : 0};
}

enum dvl_status dvl_config_bool(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                const struct dvl_value *value, bool *out)
{
    if (value->kind == DVL_VALUE_BOOL) {
        *out = value->truth;
        return DVL_OK;
    }
    if (value->kind == DVL_VALUE_STRING && dvl_text_bool(span_of_value(value), out))
        return DVL_OK;
    char shown[DVL_SHOWN_SIZE];
    return dvl_config_refuse(reader, place, value,
                             "%s is no bool; allowed are true and false, and the texts 1 t T TRUE true True 0 f F "
                             "FALSE false False",
                             dvl_config_shown(value, shown));
}

static bool is_digits(struct dvl_span text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] < '0' || text.start[i] > '9')
            return false;
    }
    return text.length > 0;
}

/* D0: a string of digits counts as the number. A bare 010 is 8 in YAML 1.1 and
 * 10 to a reader of decimals, so it is neither here. */
enum dvl_status dvl_config_integer(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                   const struct dvl_value *value, struct dvl_range range, int64_t *out)
{
    struct dvl_span text = span_of_value(value);
    bool number = value->kind == DVL_VALUE_NUMBER;
    bool octal = number && text.length > 1 && text.start[0] == '0';
    int64_t read;
    if ((number || value->kind == DVL_VALUE_STRING) && !octal && is_digits(text)) {
        if (dvl_text_int64(text, &read) && read >= range.least && read <= range.most) {
            *out = read;
            return DVL_OK;
        }
    }
    char shown[DVL_SHOWN_SIZE];
    return dvl_config_refuse(reader, place, value,
                             "%s is not allowed; allowed is a whole number from %lld to %lld, in plain digits",
                             dvl_config_shown(value, shown), (long long)range.least, (long long)range.most);
}

/* NULL when the text keeps the rule, else what is wrong. */
static const char *text_problem(struct dvl_span text, const struct dvl_text_rule *rule)
{
    if (text.length == 0)
        return rule->may_be_empty ? NULL : "is empty";
    if (text.length > rule->longest)
        return "is too long";
    for (size_t i = 0; i < text.length; i++) {
        char c = text.start[i];
        bool edge = i == 0 || i + 1 == text.length;
        if (c == ' ' && (!rule->blanks || edge))
            return rule->blanks ? "begins or ends with a blank" : "has a blank";
        if (c != ' ' && (c < '!' || c > '~'))
            return "has a byte that is not printable ASCII";
        if (rule->without && strchr(rule->without, c))
            return "has a byte that would break the records it stands in";
    }
    return NULL;
}

enum dvl_status dvl_config_text(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                const struct dvl_value *value, const struct dvl_text_rule *rule, const char **out)
{
    char shown[DVL_SHOWN_SIZE];
    bool scalar = value->plain && (value->kind == DVL_VALUE_NUMBER || value->kind == DVL_VALUE_BOOL);
    if (value->kind != DVL_VALUE_STRING && !scalar)
        return dvl_config_refuse(reader, place, value, "%s is no text; %s is wanted", dvl_config_shown(value, shown),
                                 rule->what);
    struct dvl_span text = span_of_value(value);
    const char *problem = text_problem(text, rule);
    if (problem)
        return dvl_config_refuse(reader, place, value, "%s %s; %s is wanted%s%s (at most %zu bytes)",
                                 dvl_config_shown(value, shown), problem, rule->what, rule->without ? " without " : "",
                                 rule->without ? rule->without : "", rule->longest);
    if (text.length == 0) {
        *out = NULL;
        return DVL_OK;
    }
    const char *copy = dvl_arena_bytes(reader->arena, text.start, text.length);
    if (!copy)
        return dvl_error_memory(reader->error);
    *out = copy;
    return DVL_OK;
}

enum dvl_status dvl_config_is(const struct dvl_config_reader *reader, const struct dvl_place *place,
                              const struct dvl_value *value, enum dvl_value_kind kind)
{
    if (dvl_value_kind(value) == kind)
        return DVL_OK;
    char shown[DVL_SHOWN_SIZE];
    return dvl_config_refuse(reader, place, value, "%s is not allowed; a %s is wanted", dvl_config_shown(value, shown),
                             kind == DVL_VALUE_LIST ? "list" : "map");
}

enum dvl_status dvl_config_is_list(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                   const struct dvl_value *value, struct dvl_range range)
{
    enum dvl_status status = dvl_config_is(reader, place, value, DVL_VALUE_LIST);
    if (status)
        return status;
    if ((int64_t)value->count >= range.least && (int64_t)value->count <= range.most)
        return DVL_OK;
    return dvl_config_refuse(reader, place, value, "a list of %zu is not allowed; allowed are %lld to %lld items",
                             value->count, (long long)range.least, (long long)range.most);
}

const struct dvl_value *dvl_config_member(const struct dvl_value *map, const char *name)
{
    const struct dvl_value *value = dvl_value_find(map, name);
    return dvl_value_kind(value) == DVL_VALUE_NULL ? NULL : value;
}

static enum dvl_status read_field(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *value, const struct dvl_field *field, void *target)
{
    char *at = (char *)target + field->offset;
    switch (field->kind) {
    case DVL_FIELD_BOOL:
        return dvl_config_bool(reader, place, value, (bool *)(void *)at);
    case DVL_FIELD_INTEGER:
        return dvl_config_integer(reader, place, value, field->range, (int64_t *)(void *)at);
    case DVL_FIELD_TEXT:
        return dvl_config_text(reader, place, value, field->rule, (const char **)(void *)at);
    }
    return DVL_OK;
}

enum dvl_status dvl_config_fields(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *map, const struct dvl_fields *fields, void *target)
{
    enum dvl_status status = dvl_config_is(reader, place, map, DVL_VALUE_MAP);
    for (size_t i = 0; i < fields->count && !status; i++) {
        const struct dvl_field *field = &fields->items[i];
        struct dvl_place member = {.in = place, .name = field->name};
        const struct dvl_value *value = dvl_config_member(map, field->name);
        if (value)
            status = read_field(reader, &member, value, field, target);
        else if (field->required)
            status = dvl_config_refuse(reader, &member, map, "is missing, and has no default");
    }
    return status;
}
