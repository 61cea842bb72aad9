/* Rows of cells → columns that stand under each other. */
#include "table.h"

#include <libsmartcols/libsmartcols.h>

#include <stdlib.h>
#include <string.h>

struct cli_table {
    struct libscols_table *table;
    struct libscols_line *line;
    size_t column;
    size_t indent;
    bool terminal;
    bool failed;
};

/* What free text has of a terminal's width at least, if it is cut. */
enum { TEXT_LEAST = 16 };

struct cli_table *cli_table_new(const struct cli *cli, bool headings, size_t indent)
{
    struct cli_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->table = scols_new_table();
    if (!table->table || scols_table_set_column_separator(table->table, "  ") != 0) {
        cli_table_free(table);
        return NULL;
    }
    table->indent = indent;
    table->terminal = cli->terminal;
    scols_table_set_stream(table->table, stdout);
    scols_table_reduce_termwidth(table->table, indent);
    scols_table_enable_minout(table->table, 1);
    scols_table_enable_noencoding(table->table, 1); /* cells are harmless already */
    scols_table_enable_noheadings(table->table, !headings);
    scols_table_enable_colors(table->table, cli->color);
    if (!cli->terminal)
        scols_table_set_termforce(table->table, SCOLS_TERMFORCE_NEVER);
    return table;
}

void cli_table_column(struct cli_table *table, const char *header, int flags, size_t width)
{
    if (!table)
        return;
    int scols = (flags & TABLE_RIGHT ? SCOLS_FL_RIGHT : 0) | (flags & TABLE_CUT ? SCOLS_FL_TRUNC : 0);
    if (!scols_table_new_column(table->table, header, (double)width, scols))
        table->failed = true;
}

void cli_table_row(struct cli_table *table)
{
    if (!table)
        return;
    table->line = scols_table_new_line(table->table, NULL);
    table->column = 0;
    table->failed = table->failed || !table->line;
}

void cli_table_cell(struct cli_table *table, const char *text, const char *color)
{
    if (!table || table->failed)
        return;
    size_t column = table->column++;
    if (scols_line_set_data(table->line, column, text[0] ? text : "<none>") != 0)
        table->failed = true;
    else if (color)
        scols_cell_set_color(scols_line_get_cell(table->line, column), color);
}

/* The library prints nothing for a table without lines. */
static void print_headings(const struct cli_table *table)
{
    size_t count = scols_table_is_noheadings(table->table) ? 0 : scols_table_get_ncols(table->table);
    for (size_t i = 0; i < count; i++) {
        struct libscols_cell *header = scols_column_get_header(scols_table_get_column(table->table, i));
        printf("%*s%s", i ? 2 : (int)table->indent, "", scols_cell_get_data(header));
    }
    if (count)
        putchar('\n');
}

static bool print_indented(const struct cli_table *table)
{
    char *text = NULL;
    if (scols_print_table_to_string(table->table, &text) != 0)
        return false;
    for (char *line = text, *end; line && *line; line = end) {
        end = strchrnul(line, '\n');
        end += *end == '\n';
        printf("%*s%.*s", (int)table->indent, "", (int)(end - line), line);
        if (end > line && end[-1] != '\n')
            putchar('\n');
    }
    free(text);
    return true;
}

/* In characters: near enough for TEXT_LEAST. */
static size_t length_of(const char *text)
{
    size_t length = 0;
    for (; text && *text; text++)
        length += ((unsigned char)*text & 0xC0) != 0x80;
    return length;
}

static size_t widest(const struct cli_table *table, struct libscols_iter *lines, struct libscols_column *column,
                     size_t at)
{
    size_t width = length_of(scols_cell_get_data(scols_column_get_header(column)));
    struct libscols_line *line;
    scols_reset_iter(lines, SCOLS_ITER_FORWARD);
    while (scols_table_next_line(table->table, lines, &line) == 0) {
        size_t length = length_of(scols_cell_get_data(scols_line_get_cell(line, at)));
        width = length > width ? length : width;
    }
    return width;
}

/* Where the other columns leave no room, lines break anyhow: then the text is whole at least. */
static bool keep_text_whole(const struct cli_table *table)
{
    size_t taken = TEXT_LEAST, count = scols_table_get_ncols(table->table);
    bool cuts = false;
    struct libscols_iter *lines = scols_new_iter(SCOLS_ITER_FORWARD);
    if (!lines)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct libscols_column *column = scols_table_get_column(table->table, i);
        bool text = scols_column_is_trunc(column);
        cuts = cuts || text;
        taken += (text ? 0 : widest(table, lines, column, i)) + (i ? 2 : 0);
    }
    scols_free_iter(lines);
    if (cuts && taken > scols_table_get_termwidth(table->table))
        return scols_table_set_termforce(table->table, SCOLS_TERMFORCE_NEVER) == 0;
    return true;
}

int cli_table_print(struct cli_table *table, size_t *widths, size_t count)
{
    bool failed = !table || table->failed || (table->terminal && !keep_text_whole(table));
    if (!failed && scols_table_get_nlines(table->table) == 0) {
        print_headings(table);
    } else if (!failed && table->indent) {
        failed = !print_indented(table);
    } else if (!failed) {
        failed = scols_print_table(table->table) != 0 && !ferror(stdout);
        for (size_t i = 0; widths && i < count && i < scols_table_get_ncols(table->table); i++)
            widths[i] = scols_column_get_width(scols_table_get_column(table->table, i));
    }
    cli_table_free(table);
    return failed ? cli_no_memory() : 0;
}

void cli_table_free(struct cli_table *table)
{
    if (!table)
        return;
    scols_unref_table(table->table);
    free(table);
}
