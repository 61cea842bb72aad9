/* Tables: the only file that knows libsmartcols. */
#ifndef DEVLEDGER_CLI_TABLE_H
#define DEVLEDGER_CLI_TABLE_H

#include "cli.h"

struct cli_table;

enum { TABLE_RIGHT = 1, TABLE_CUT = 2 }; /* numbers; free text, cut to fit a terminal that has room for some of it */

/* Each line begins with `indent` blanks. NULL when memory is out; the functions
 * below then do nothing. */
struct cli_table *cli_table_new(const struct cli *cli, bool headings, size_t indent);
/* At least `width` wide, when that is not 0. */
void cli_table_column(struct cli_table *table, const char *header, int flags, size_t width);
void cli_table_row(struct cli_table *table);
/* The next cell of the row; "" shows as <none>. `color` is NULL or a name that
 * terminal-colors.d(5) knows. */
void cli_table_cell(struct cli_table *table, const char *text, const char *color);
/* To standard output. 0, or an exit code after a message; frees in any case.
 * `widths` (may be NULL) gets those of the first `count` columns. */
int cli_table_print(struct cli_table *table, size_t *widths, size_t count);
void cli_table_free(struct cli_table *table);

#endif
