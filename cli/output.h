/* Answers and rows → standard output, in the form that -o names. */
#ifndef DEVLEDGER_CLI_OUTPUT_H
#define DEVLEDGER_CLI_OUTPUT_H

#include "cli.h"

/* One column of a table. `write` puts the cell's text; `field` is what it
 * looks at. `color` (may be NULL) may answer NULL. */
struct column {
    const char *header;
    const char *field;
    void (*write)(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field);
    int flags; /* TABLE_…, COLUMN_WIDE */
    const char *(*color)(const struct dvl_value *row);
};

enum { COLUMN_WIDE = 16 }; /* only with -o wide */

/* How rows of one sort are shown. */
struct view {
    const char *what;             /* "nodes", for messages */
    const struct column *columns; /* ends with a NULL header */
    /* "node/n1"; NULL: such rows have no name. */
    void (*name)(struct dvl_buffer *out, const struct dvl_value *row);
};

/* Ways to write a cell. */
void cell_text(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field);
void cell_yes(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field);
void cell_age(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field);
void cell_left(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field);
void cell_time(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field);
void cell_list(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field);
void cell_json(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field);

/* -o: 0 and cli->format, or an exit code after a message. `allowed` are bits
 * 1 << FORMAT_…; without -o the first is FORMAT_TABLE. */
int cli_format(struct cli *cli, unsigned allowed);
enum {
    FORMATS_ROWS =
        1 << FORMAT_TABLE | 1 << FORMAT_WIDE | 1 << FORMAT_JSON | 1 << FORMAT_YAML | 1 << FORMAT_CSV | 1 << FORMAT_NAME,
    FORMATS_VALUE = 1 << FORMAT_TABLE | 1 << FORMAT_JSON | 1 << FORMAT_YAML,
};

enum { COLUMNS_KEPT = 16 };

/* Rows as they come. */
struct printer {
    struct cli *cli;
    const struct view *view;
    const char *const *fields; /* for the header of an empty CSV; NULL: none is written */
    bool single;               /* the one row stands for itself, not in a list */
    bool lines;                /* JSON: one compact object a line, and no list */
    size_t indent;             /* of tables */
    bool headless;             /* no header line, whatever the options say */
    int stopped;               /* the exit code with which a row ended the list */
    size_t count;
    size_t room;                 /* what the table may still take */
    size_t widths[COLUMNS_KEPT]; /* of the columns that were printed before */
    struct cli_table *table;
    struct dvl_buffer text;
};

/* 0, or an exit code after a message (a view without names, and -o name). */
int print_begin(struct printer *printer, struct cli *cli, const struct view *view, const char *const *fields);
/* A dvl_row_function; context is the printer. */
int print_row(void *context, const struct dvl_value *row);
/* Ends the list; `code` other than 0 says that the rows stopped short. Answers code, or that of a failure of its own.
 */
int print_end(struct printer *printer, int code);
/* Begins anew where print_end ended: rows that came later, under the same columns. */
int print_more(struct printer *printer);
/* All of a list at once. */
int print_list(struct cli *cli, const struct view *view, const struct dvl_value *list);
/* The same under a title; only tables. */
int print_section(struct cli *cli, const char *title, const struct view *view, const struct dvl_value *list);

/* An answer as JSON or YAML, without "ok" and "id". */
int print_answer(struct cli *cli, const struct dvl_value *answer);
int print_value(struct cli *cli, const struct dvl_value *value);
/* {"metadata":{"annotations":…}} */
int print_patch(struct cli *cli, const struct dvl_value *annotations);
/* Puts a buffer out and empties it. */
int print_buffer(struct dvl_buffer *buffer);

extern const struct view view_sql; /* columns are those of the first row */

#endif
