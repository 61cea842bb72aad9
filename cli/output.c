/* Printing: the same rows as a table, JSON, YAML, CSV or names. */
#include "output.h"

#include "../src/render/csv.h"
#include "../src/render/json.h"
#include "../src/render/yaml.h"
#include "../src/timestamp.h"
#include "table.h"

#include <string.h>

enum {
    TABLE_BYTES_MOST = 256 * 1024 * 1024,
    CELL_COST = 256, /* of a cell beside its text */
};

const struct view view_sql = {"rows", NULL, NULL};

/* ---- Cells ----------------------------------------------------------------------------- */

void cell_text(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    const char *text = dvl_value_text(dvl_value_get(row, field));
    if (text)
        cli_add_safe(out, text);
}

void cell_yes(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    const struct dvl_value *value = dvl_value_get(row, field);
    if (dvl_value_kind(value) == DVL_VALUE_BOOL)
        dvl_buffer_text(out, dvl_value_is_true(value) ? "yes" : "no");
}

void cell_age(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    int64_t at;
    (void)cli;
    if (cli_read_time(dvl_value_get(row, field), &at))
        cli_add_age(out, dvl_time_now() - at);
}

/* What is left until then. */
void cell_left(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    int64_t at, now = dvl_time_now();
    (void)cli;
    if (!cli_read_time(dvl_value_get(row, field), &at))
        return;
    if (at <= now)
        dvl_buffer_text(out, "over");
    else
        cli_add_age(out, at - now);
}

void cell_time(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    const char *text = dvl_value_text(dvl_value_get(row, field));
    if (text)
        cli_add_time(out, cli, text);
}

/* Items, or members as name=value, joined by commas. */
void cell_list(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    const struct dvl_value *list = dvl_value_get(row, field);
    for (const struct dvl_value *item = dvl_value_first(list); item; item = dvl_value_next(item)) {
        const char *text = dvl_value_text(item), *name = dvl_value_name(item);
        if (out->length)
            dvl_buffer_char(out, ',');
        if (name) {
            cli_add_safe(out, name);
            dvl_buffer_char(out, '=');
        }
        if (text)
            cli_add_safe(out, text);
    }
}

void cell_json(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field)
{
    (void)cli;
    const struct dvl_value *value = dvl_value_get(row, field);
    struct dvl_buffer json;
    dvl_buffer_init(&json);
    if (dvl_value_count(value) > 0)
        dvl_json_write(&json, value);
    cli_add_safe(out, json.text);
    dvl_buffer_clear(&json);
}

/* ---- Formats --------------------------------------------------------------------------- */

int cli_format(struct cli *cli, unsigned allowed)
{
    static const char *const names[] = {"table", "wide", "json", "yaml", "csv", "name", "patch"};
    const char *text = cli_text(cli, "output");
    struct dvl_buffer list;
    dvl_buffer_init(&list);
    int code = text ? EXIT_USAGE : 0;
    cli->format = FORMAT_TABLE;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (!(allowed & 1U << i))
            continue;
        dvl_buffer_format(&list, "%s%s", list.length ? ", " : "", names[i]);
        if (text && strcmp(text, names[i]) == 0) {
            cli->format = (enum format)i;
            code = 0;
        }
    }
    if (code)
        cli_usage(cli, "-o takes one of %s, not \"%s\"", list.text, text);
    dvl_buffer_clear(&list);
    return code;
}

int print_buffer(struct dvl_buffer *buffer)
{
    bool failed = buffer->failed;
    if (!failed)
        fwrite(buffer->text, 1, buffer->length, stdout);
    dvl_buffer_reset(buffer);
    return failed ? cli_no_memory() : 0;
}

int print_value(struct cli *cli, const struct dvl_value *value)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    if (cli->format == FORMAT_YAML) {
        dvl_yaml_write(&text, value);
    } else {
        dvl_json_write_pretty(&text, value, 0);
        dvl_buffer_char(&text, '\n');
    }
    int code = print_buffer(&text);
    dvl_buffer_clear(&text);
    return code;
}

int print_answer(struct cli *cli, const struct dvl_value *answer)
{
    struct dvl_value *shown = dvl_value_map(&cli->arena);
    for (const struct dvl_value *child = dvl_value_first(answer); child; child = dvl_value_next(child)) {
        const char *name = dvl_value_name(child);
        if (strcmp(name, "ok") == 0 || strcmp(name, "id") == 0)
            continue;
        if (!dvl_value_set(shown, name, dvl_value_copy(&cli->arena, child)))
            return cli_no_memory();
    }
    return shown ? print_value(cli, shown) : cli_no_memory();
}

int print_patch(struct cli *cli, const struct dvl_value *annotations)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    dvl_buffer_text(&text, "{\"metadata\":{\"annotations\":");
    if (dvl_value_kind(annotations) == DVL_VALUE_MAP)
        dvl_json_write(&text, annotations);
    else
        dvl_buffer_text(&text, "{}");
    dvl_buffer_text(&text, "}}\n");
    int code = print_buffer(&text);
    dvl_buffer_clear(&text);
    (void)cli;
    return code;
}

/* ---- Rows ------------------------------------------------------------------------------ */

static bool is_shown(const struct printer *printer, const struct column *column)
{
    return !(column->flags & COLUMN_WIDE) || printer->cli->format == FORMAT_WIDE;
}

static int start_table(struct printer *printer)
{
    struct cli *cli = printer->cli;
    size_t at = 0;
    if (cli->format != FORMAT_TABLE && cli->format != FORMAT_WIDE)
        return 0;
    printer->room = TABLE_BYTES_MOST;
    printer->table = cli_table_new(cli, !printer->headless && !cli_flag(cli, "no-headers"), printer->indent);
    for (const struct column *column = printer->view->columns; column && column->header; column++) {
        if (!is_shown(printer, column))
            continue;
        cli_table_column(printer->table, column->header, column->flags, at < COLUMNS_KEPT ? printer->widths[at] : 0);
        at++;
    }
    return printer->table ? 0 : cli_no_memory();
}

static int begin(struct printer *printer, struct cli *cli, const struct view *view, size_t indent)
{
    *printer = (struct printer){.cli = cli, .view = view, .indent = indent};
    dvl_buffer_init(&printer->text);
    if (cli->format == FORMAT_NAME && !view->name)
        return cli_usage(cli, "%s have no names: -o name shows nothing of them", view->what);
    return start_table(printer);
}

int print_begin(struct printer *printer, struct cli *cli, const struct view *view, const char *const *fields)
{
    int code = begin(printer, cli, view, 0);
    printer->fields = fields;
    return code;
}

int print_more(struct printer *printer)
{
    printer->headless = true;
    printer->fields = NULL;
    return start_table(printer);
}

static void add_columns_of(struct printer *printer, const struct dvl_value *row)
{
    for (const struct dvl_value *child = dvl_value_first(row); child; child = dvl_value_next(child)) {
        dvl_buffer_reset(&printer->text);
        cli_add_safe(&printer->text, dvl_value_name(child));
        for (char *letter = printer->text.text; *letter; letter++)
            if (*letter >= 'a' && *letter <= 'z')
                *letter = (char)(*letter - 'a' + 'A');
        cli_table_column(printer->table, printer->text.text,
                         dvl_value_kind(child) == DVL_VALUE_NUMBER ? TABLE_RIGHT : 0, 0);
    }
}

/* A table is kept until its last row is known: a query may not fill the memory with it. */
static bool has_room(struct printer *printer, const struct dvl_value *row)
{
    for (const struct dvl_value *child = dvl_value_first(row); child; child = dvl_value_next(child)) {
        const char *text = dvl_value_text(child);
        size_t cost = CELL_COST + (text ? strlen(text) : 0);
        if (cost > printer->room)
            return false;
        printer->room -= cost;
    }
    return true;
}

/* A row whose columns nobody knew before. */
static void tabulate_any(struct printer *printer, const struct dvl_value *row)
{
    if (!has_room(printer, row)) {
        printer->stopped = cli_usage(printer->cli, "the result is too large for a table: take -o csv, or a LIMIT");
        return;
    }
    if (printer->count == 0)
        add_columns_of(printer, row);
    cli_table_row(printer->table);
    for (const struct dvl_value *child = dvl_value_first(row); child; child = dvl_value_next(child)) {
        dvl_buffer_reset(&printer->text);
        if (dvl_value_text(child))
            cli_add_safe(&printer->text, dvl_value_text(child));
        cli_table_cell(printer->table, printer->text.text, NULL);
    }
    dvl_buffer_reset(&printer->text);
}

static void tabulate(struct printer *printer, const struct dvl_value *row)
{
    if (!printer->view->columns) {
        tabulate_any(printer, row);
        return;
    }
    cli_table_row(printer->table);
    for (const struct column *column = printer->view->columns; column->header; column++) {
        if (!is_shown(printer, column))
            continue;
        dvl_buffer_reset(&printer->text);
        column->write(&printer->text, printer->cli, row, column->field);
        cli_table_cell(printer->table, printer->text.text, column->color ? column->color(row) : NULL);
    }
    dvl_buffer_reset(&printer->text);
}

static void write_json(struct printer *printer, const struct dvl_value *row)
{
    struct dvl_buffer *text = &printer->text;
    if (printer->lines) {
        dvl_json_write(text, row);
        dvl_buffer_char(text, '\n');
    } else if (printer->single) {
        dvl_json_write_pretty(text, row, 0);
        dvl_buffer_char(text, '\n');
    } else {
        dvl_buffer_text(text, printer->count ? ",\n    " : "{\n  \"kind\": \"List\",\n  \"items\": [\n    ");
        dvl_json_write_pretty(text, row, 2);
    }
}

static void write_yaml(struct printer *printer, const struct dvl_value *row)
{
    if (printer->single) {
        dvl_yaml_write(&printer->text, row);
        return;
    }
    if (printer->count == 0)
        dvl_buffer_text(&printer->text, "kind: List\nitems:\n");
    dvl_yaml_write_item(&printer->text, row);
}

static void write_csv(struct printer *printer, const struct dvl_value *row)
{
    struct dvl_buffer csv;
    dvl_buffer_init(&csv);
    if (printer->count == 0 && !printer->headless && !cli_flag(printer->cli, "no-headers"))
        dvl_csv_write_header(&csv, row);
    dvl_csv_write_row(&csv, row);
    if (printer->cli->terminal)
        cli_add_safe_lines(&printer->text, csv.text);
    else
        dvl_buffer_add(&printer->text, csv.text, csv.length);
    printer->text.failed = printer->text.failed || csv.failed;
    dvl_buffer_clear(&csv);
}

static void write_name(struct printer *printer, const struct dvl_value *row)
{
    struct dvl_buffer name;
    dvl_buffer_init(&name);
    printer->view->name(&name, row);
    if (printer->cli->terminal)
        cli_add_safe(&printer->text, name.text);
    else
        dvl_buffer_text(&printer->text, name.text);
    dvl_buffer_char(&printer->text, '\n');
    dvl_buffer_clear(&name);
}

int print_row(void *context, const struct dvl_value *row)
{
    struct printer *printer = context;
    switch (printer->cli->format) {
    case FORMAT_TABLE:
    case FORMAT_WIDE:
        tabulate(printer, row);
        break;
    case FORMAT_JSON:
    case FORMAT_PATCH:
        write_json(printer, row);
        break;
    case FORMAT_YAML:
        write_yaml(printer, row);
        break;
    case FORMAT_CSV:
        write_csv(printer, row);
        break;
    case FORMAT_NAME:
        write_name(printer, row);
        break;
    }
    printer->count++;
    if (!printer->stopped)
        printer->stopped = print_buffer(&printer->text);
    return printer->stopped;
}

static void write_empty_csv(struct printer *printer)
{
    for (size_t i = 0; printer->fields && printer->fields[i]; i++)
        dvl_buffer_format(&printer->text, "%s%s", i ? "," : "", printer->fields[i]);
    if (printer->fields && !cli_flag(printer->cli, "no-headers"))
        dvl_buffer_text(&printer->text, "\r\n");
    else
        dvl_buffer_reset(&printer->text);
}

int print_end(struct printer *printer, int code)
{
    enum format format = printer->cli->format;
    bool list = !printer->single;
    int failed = 0;
    if (!code)
        code = printer->stopped;
    if (printer->table && !code)
        failed = cli_table_print(printer->table, printer->widths, COLUMNS_KEPT);
    else
        cli_table_free(printer->table);
    printer->table = NULL;
    if (!code && format == FORMAT_JSON && list && !printer->lines)
        dvl_buffer_text(&printer->text,
                        printer->count ? "\n  ]\n}\n" : "{\n  \"kind\": \"List\",\n  \"items\": []\n}\n");
    if (!code && format == FORMAT_YAML && list && printer->count == 0)
        dvl_buffer_text(&printer->text, "kind: List\nitems: []\n");
    if (!code && format == FORMAT_CSV && printer->count == 0)
        write_empty_csv(printer);
    if (!failed)
        failed = print_buffer(&printer->text);
    dvl_buffer_clear(&printer->text);
    return code ? code : failed;
}

static int print_all(struct printer *printer, const struct dvl_value *list, int code)
{
    for (const struct dvl_value *row = dvl_value_first(list); row && !code; row = dvl_value_next(row))
        code = print_row(printer, row);
    return print_end(printer, code);
}

int print_list(struct cli *cli, const struct view *view, const struct dvl_value *list)
{
    struct printer printer = {0};
    int code = begin(&printer, cli, view, 0);
    return print_all(&printer, list, code);
}

int print_section(struct cli *cli, const char *title, const struct view *view, const struct dvl_value *list)
{
    struct printer printer;
    if (dvl_value_count(list) == 0) {
        printf("%-14s <none>\n", title);
        return 0;
    }
    puts(title);
    return print_all(&printer, list, begin(&printer, cli, view, 2));
}
