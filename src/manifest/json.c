/* JSON texts → values.
 *
 * The scan (json_scan.c) refuses what is wrong; cJSON then finds the structure
 * and decodes the strings. What cJSON does not keep, the lines and the numbers
 * as they were written, is read off the text by a cursor that walks it in step
 * with cJSON's tree. cJSON never sees a number: its doubles, its limit of 63
 * characters and its idea of the locale's decimal point stay out. */
#include "json.h"
#include "input.h"
#include "json_scan.h"
#include "manifest.h"

#include <cjson/cJSON.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct build {
    struct dvl_arena *arena;
    struct dvl_error *error;
    const struct dvl_json_text *text;
    const char *at;  /* the cursor; in a sound text only a last number needs a bound */
    const char *end; /* of the text */
    int line;
};

static bool is_number_byte(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static const char *string_end(const char *quote)
{
    const char *at = quote + 1;
    while (*at != '"')
        at += *at == '\\' ? 2 : 1;
    return at + 1;
}

/* Each number becomes a 0 and blanks. */
static char *without_numbers(const struct dvl_json_text *text)
{
    char *copy = malloc(text->length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text->start, text->length);
    copy[text->length] = '\0';
    for (char *at = copy; *at;) {
        if (*at == '"') {
            at += string_end(at) - at;
        } else if (*at == '-' || (*at >= '0' && *at <= '9')) {
            for (*at++ = '0'; is_number_byte(*at); at++)
                *at = ' ';
        } else {
            at++;
        }
    }
    return copy;
}

static void skip_to_value(struct build *build)
{
    for (;; build->at++) {
        char c = *build->at;
        if (c == '\n')
            build->line++;
        else if (c != ' ' && c != '\t' && c != '\r' && c != ',' && c != ':')
            return;
    }
}

static struct dvl_value *leaf(struct build *build, enum dvl_value_kind kind, const char *end)
{
    struct dvl_span text = {.start = build->at, .length = (size_t)(end - build->at)};
    build->at = end;
    return dvl_tree_leaf(build->arena, kind, text, build->line);
}

static struct dvl_value *number(struct build *build)
{
    const char *end = build->at;
    while (end < build->end && is_number_byte(*end))
        end++;
    return leaf(build, DVL_VALUE_NUMBER, end);
}

static struct dvl_value *string(struct build *build, const cJSON *node)
{
    build->at = string_end(build->at);
    struct dvl_span text = dvl_span_of(node->valuestring);
    return dvl_tree_leaf(build->arena, DVL_VALUE_STRING, text, build->line);
}

static struct dvl_value *nest(struct build *build, const cJSON *node)
{
    struct dvl_value *value = cJSON_IsObject(node) ? dvl_value_map(build->arena) : dvl_value_list(build->arena);
    if (value)
        value->line = build->line;
    return value;
}

static enum dvl_status value_from(struct build *build, const cJSON *node, struct dvl_value **out);

static enum dvl_status children_from(struct build *build, const cJSON *node, struct dvl_value *parent)
{
    bool map = parent->kind == DVL_VALUE_MAP;
    build->at++;
    for (const cJSON *child = node->child; child; child = child->next) {
        skip_to_value(build);
        const char *key = NULL;
        if (map) {
            build->at = string_end(build->at);
            key = dvl_arena_text(build->arena, child->string);
            if (!key)
                return dvl_error_memory(build->error);
        }
        struct dvl_value *value = NULL;
        enum dvl_status status = value_from(build, child, &value);
        if (status != DVL_OK)
            return status;
        dvl_value_set(parent, key, value);
    }
    skip_to_value(build);
    if (build->text->gap && build->at == build->text->start + build->text->gap)
        build->line += build->text->gap_lines;
    build->at++;
    return map ? dvl_tree_check_names(parent, build->text->name, build->error) : DVL_OK;
}

/* Calls itself as deep as the text is nested, which the scan has bounded. */
static enum dvl_status value_from(struct build *build, const cJSON *node, struct dvl_value **out)
{
    skip_to_value(build);
    struct dvl_value *value = NULL;
    if (cJSON_IsString(node))
        value = string(build, node);
    else if (cJSON_IsNumber(node))
        value = number(build);
    else if (cJSON_IsNull(node))
        value = leaf(build, DVL_VALUE_NULL, build->at + strlen("null"));
    else if (cJSON_IsBool(node))
        value = leaf(build, DVL_VALUE_BOOL, build->at + strlen(cJSON_IsTrue(node) ? "true" : "false"));
    else
        value = nest(build, node);
    if (!value)
        return dvl_error_memory(build->error);
    value->truth = cJSON_IsTrue(node);
    *out = value;
    if (value->kind == DVL_VALUE_MAP || value->kind == DVL_VALUE_LIST)
        return children_from(build, node, value);
    return DVL_OK;
}

enum dvl_status dvl_json_build(struct dvl_arena *arena, const struct dvl_json_text *text, struct dvl_value **out,
                               struct dvl_error *error)
{
    struct build build = {.arena = arena,
                          .error = error,
                          .text = text,
                          .at = text->start,
                          .end = text->start + text->length,
                          .line = text->line};
    char *copy = without_numbers(text);
    cJSON *root = copy ? cJSON_ParseWithLength(copy, text->length + 1) : NULL;
    /* The scan left nothing but memory to fail. */
    enum dvl_status status = root ? value_from(&build, root, out) : dvl_error_memory(error);
    cJSON_Delete(root);
    free(copy);
    /* Who takes a text for no JSON must not do so for want of memory. */
    arena->failed = arena->failed || status == DVL_NO_MEMORY;
    return status;
}

enum dvl_status dvl_json_read(struct dvl_arena *arena, const char *text, size_t length, struct dvl_value **out,
                              struct dvl_error *error)
{
    size_t mark = dvl_mark_length(text, length);
    text += mark;
    length -= mark;
    struct dvl_json_scan scan;
    dvl_json_scan_init(&scan, DVL_TEXT_VALUES_MAX);
    for (size_t i = 0; i < length; i++) {
        if (dvl_json_scan_byte(&scan, (unsigned char)text[i]) == DVL_JSON_BAD)
            return dvl_json_scan_report(&scan, (unsigned char)text[i], NULL, error);
    }
    if (!dvl_json_scan_end(&scan))
        return dvl_json_scan_report(&scan, EOF, NULL, error);
    struct dvl_json_text whole = {.start = text, .length = length, .line = 1};
    return dvl_json_build(arena, &whole, out, error);
}
