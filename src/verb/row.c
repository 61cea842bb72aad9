/* The form of rows in answers, in one place: whatever verb reads them, a
 * column of a name looks the same. */
#include "row.h"

#include "../manifest/manifest.h"
#include "../timestamp.h"

#include <stdlib.h>
#include <string.h>

/* Not a column for people: what a selector looks at. */
#define SELECTOR_LABELS "selector_labels"

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool is_truth(const char *column)
{
    static const char *const names[] = {"healthy", "schedulable", "whole", "soft", "in_force", "expired"};
    return is_one_of(column, names, sizeof names / sizeof *names);
}

static bool is_json(const char *column)
{
    static const char *const names[] = {"labels",     "annotations", "capacity", "allocatable",
                                        "containers", "detail",      "backends"};
    return is_one_of(column, names, sizeof names / sizeof *names);
}

static bool is_time(const char *column)
{
    size_t length = strlen(column);
    return strcmp(column, "at") == 0 || (length > 3 && strcmp(column + length - 3, "_at") == 0);
}

static char *camel_case(struct dvl_arena *arena, const char *column)
{
    char *name = dvl_arena_text(arena, column);
    if (!name)
        return NULL;
    char *to = name;
    for (const char *from = name; *from; from++) {
        if (*from == '_' && from[1] >= 'a' && from[1] <= 'z')
            *to++ = (char)(*++from - 'a' + 'A');
        else
            *to++ = *from;
    }
    *to = '\0';
    return name;
}

static struct dvl_value *present(struct dvl_arena *arena, const char *column, struct dvl_value *value)
{
    int64_t number;
    if (value->kind == DVL_VALUE_NUMBER && dvl_value_int64(value, &number)) {
        char text[DVL_TIME_SIZE];
        if (is_truth(column))
            return dvl_value_bool(arena, number != 0);
        if (is_time(column))
            return dvl_value_string(arena, dvl_time_write(number, text));
    }
    struct dvl_value *read;
    /* Text that is no JSON is shown as the text that it is. */
    if (value->kind == DVL_VALUE_STRING && is_json(column) &&
        dvl_json_read(arena, value->text, value->length, &read, NULL) == DVL_OK)
        return read;
    return value;
}

struct dvl_value *dvl_row_present(struct dvl_arena *arena, struct dvl_value *row)
{
    struct dvl_value *out = dvl_value_map(arena);
    for (struct dvl_value *child = row ? row->first : NULL, *next; child && out; child = next) {
        next = child->next;
        child->next = NULL;
        if (strcmp(child->key, SELECTOR_LABELS) == 0)
            continue;
        const char *name = camel_case(arena, child->key);
        struct dvl_value *value = present(arena, child->key, child);
        if (!name || !dvl_value_set(out, name, value))
            return NULL;
    }
    return row ? out : NULL;
}

enum dvl_status dvl_request_count(struct dvl_call *call, const char *name, int64_t least, int64_t otherwise,
                                  int64_t *out)
{
    const struct dvl_value *value = dvl_value_find(call->request, name);
    *out = otherwise;
    if (!value || value->kind == DVL_VALUE_NULL)
        return DVL_OK;
    if (value->kind != DVL_VALUE_NUMBER || !dvl_value_int64(value, out) || *out < least)
        return dvl_error_set(call->error, DVL_BAD_INPUT, "\"%s\" must be a whole number from %lld on", name,
                             (long long)least);
    return DVL_OK;
}

enum dvl_status dvl_request_time(struct dvl_call *call, const char *name, int64_t *out)
{
    const char *text;
    enum dvl_status status = dvl_request_text(call, name, &text);
    *out = INT64_MIN;
    if (status || !text)
        return status;
    if (!dvl_time_read(text, out))
        return dvl_error_set(call->error, DVL_BAD_INPUT,
                             "\"%s\" must be a time such as 2026-11-30T08:00:00Z, not \"%s\"", name, text);
    return DVL_OK;
}

/* "used_memory", "USEDMEMORY" and "usedMemory" are one field. */
static bool names_field(const char *text, const char *field)
{
    for (;; text++, field++) {
        while (*text == '_' || *text == '-')
            text++;
        char a = *text, b = *field;
        a = (char)(a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a);
        b = (char)(b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b);
        if (a != b)
            return false;
        if (a == '\0')
            return true;
    }
}

const char *dvl_rows_field(const char *const *fields, const char *word)
{
    for (size_t i = 0; fields[i]; i++)
        if (names_field(word, fields[i]))
            return fields[i];
    return NULL;
}

static enum dvl_status find_sort(struct dvl_rows *rows, const char *text, const char *const *fields)
{
    struct dvl_buffer known;
    dvl_buffer_init(&known);
    for (size_t i = 0; fields[i]; i++)
        dvl_buffer_format(&known, "%s%s", i ? ", " : "", fields[i]);
    rows->sort = dvl_rows_field(fields, text);
    rows->descending = text[0] == '-';
    enum dvl_status status = DVL_OK;
    if (!rows->sort)
        status =
            dvl_error_set(rows->call->error, DVL_BAD_INPUT, "cannot sort by \"%s\": fields are %s", text, known.text);
    dvl_buffer_clear(&known);
    return status;
}

enum dvl_status dvl_rows_begin(struct dvl_call *call, const char *const *fields, struct dvl_rows *rows)
{
    const char *selector = NULL, *sort = NULL;
    *rows = (struct dvl_rows){.call = call, .limit = -1};
    dvl_arena_init(&rows->scratch, 0);
    enum dvl_status status = dvl_request_text(call, "selector", &selector);
    if (!status)
        status = dvl_request_text(call, "sortBy", &sort);
    if (!status)
        status = dvl_request_count(call, "limit", 0, -1, &rows->limit);
    if (!status && selector) {
        struct dvl_selector *read;
        status = dvl_selector_read(call->arena, selector, &read, call->error);
        rows->selector = read;
    }
    if (!status && sort)
        status = find_sort(rows, sort, fields);
    if (status)
        return status;
    rows->full = rows->limit == 0;
    if (call->row && !rows->sort)
        return DVL_OK;
    rows->list = dvl_value_list(call->arena);
    return rows->list ? DVL_OK : dvl_error_memory(call->error);
}

void dvl_rows_into(struct dvl_call *call, struct dvl_value *list, struct dvl_rows *rows)
{
    *rows = (struct dvl_rows){.call = call, .list = list, .limit = -1};
    dvl_arena_init(&rows->scratch, 0);
}

static bool is_selected(struct dvl_rows *rows, struct dvl_arena *arena, const struct dvl_value *row)
{
    if (!rows->selector)
        return true;
    const char *text = dvl_value_find_text(row, SELECTOR_LABELS);
    struct dvl_value *labels = NULL;
    if (!text)
        text = dvl_value_find_text(row, "labels");
    if (text && dvl_json_read(arena, text, strlen(text), &labels, NULL))
        return false;
    return dvl_selector_matches(rows->selector, labels);
}

enum dvl_status dvl_rows_hand(struct dvl_rows *rows, struct dvl_value *row)
{
    struct dvl_call *call = rows->call;
    if (!row)
        return dvl_error_memory(call->error);
    rows->count++;
    if (rows->list)
        dvl_value_add(rows->list, row);
    else
        rows->full = call->row(call->row_context, row) != 0;
    if (!rows->sort && rows->limit >= 0 && rows->count >= rows->limit)
        rows->full = true;
    return DVL_OK;
}

enum dvl_status dvl_rows_put(struct dvl_rows *rows, struct dvl_statement *statement)
{
    struct dvl_arena *arena = rows->call->arena;
    if (!rows->list) {
        dvl_arena_reset(&rows->scratch);
        arena = &rows->scratch;
    }
    struct dvl_value *row = dvl_statement_row(statement, arena);
    bool selected = row && is_selected(rows, arena, row);
    struct dvl_value *shown = selected ? dvl_row_present(arena, row) : NULL;
    if (arena->failed)
        return dvl_error_memory(rows->call->error);
    return selected ? dvl_rows_hand(rows, shown) : DVL_OK;
}

enum dvl_status dvl_rows_take(struct dvl_rows *rows, struct dvl_statement *statement)
{
    bool more = true;
    enum dvl_status status = DVL_OK;
    while (!status && !rows->full) {
        status = dvl_statement_step(statement, &more, rows->call->error);
        if (status || !more)
            break;
        status = dvl_rows_put(rows, statement);
    }
    dvl_statement_done(statement);
    return status;
}

struct sorted {
    struct dvl_value *row;
    const struct dvl_value *key;
    size_t position;
    bool descending;
};

static int compare_keys(const struct dvl_value *a, const struct dvl_value *b)
{
    enum dvl_value_kind ka = dvl_value_kind(a), kb = dvl_value_kind(b);
    if (ka != kb)
        return ka < kb ? -1 : 1;
    int64_t x, y;
    if (ka == DVL_VALUE_NUMBER && dvl_value_int64(a, &x) && dvl_value_int64(b, &y))
        return (x > y) - (x < y);
    if (ka == DVL_VALUE_NUMBER) {
        double p = strtod(a->text, NULL), q = strtod(b->text, NULL);
        return (p > q) - (p < q);
    }
    if (ka == DVL_VALUE_BOOL)
        return (int)a->truth - (int)b->truth;
    return ka == DVL_VALUE_STRING ? strcmp(a->text, b->text) : 0;
}

/* Rows that compare equal stay in the order in which they came. */
static int compare_rows(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    int order = compare_keys(a->key, b->key);
    if (order)
        return a->descending ? -order : order;
    return (a->position > b->position) - (a->position < b->position);
}

static enum dvl_status sort_list(struct dvl_rows *rows)
{
    struct dvl_value *list = rows->list;
    size_t count = list->count;
    if (count == 0)
        return DVL_OK;
    struct sorted *all = dvl_arena_array(rows->call->arena, count, sizeof *all);
    if (!all)
        return dvl_error_memory(rows->call->error);
    size_t at = 0;
    for (struct dvl_value *row = list->first; row; row = row->next, at++)
        all[at] = (struct sorted){row, dvl_value_find(row, rows->sort), at, rows->descending};
    qsort(all, count, sizeof *all, compare_rows);
    list->first = list->last = NULL;
    list->count = 0;
    for (size_t i = 0; i < count && (rows->limit < 0 || (int64_t)i < rows->limit); i++) {
        all[i].row->next = NULL;
        dvl_value_add(list, all[i].row);
    }
    return DVL_OK;
}

enum dvl_status dvl_rows_end(struct dvl_rows *rows, enum dvl_status status)
{
    struct dvl_call *call = rows->call;
    if (!status && rows->sort)
        status = sort_list(rows);
    if (!status && rows->list && call->row)
        for (const struct dvl_value *row = rows->list->first; row; row = row->next)
            if (call->row(call->row_context, row) != 0)
                break;
    if (!status && rows->list && !call->row && !dvl_value_set(call->answer, "items", rows->list))
        status = dvl_error_memory(call->error);
    return dvl_arena_end(&rows->scratch, status, call->error);
}
