/* What the `sql` verb may do: the closed lists, and SQLite's authorizer that
 * denies everything else. */
#ifndef DVL_STORE_SQL_RULES_H
#define DVL_STORE_SQL_RULES_H

#include <stddef.h>

struct dvl_sql_rules {
    const char **tables; /* the ledger's own tables and views */
    size_t table_count;
    char forbidden[160]; /* what was denied first; "" when nothing was */
};

/* For sqlite3_set_authorizer, with the rules as context. */
int dvl_sql_authorize(void *context, int action, const char *first, const char *second, const char *schema,
                      const char *cause);

#endif
