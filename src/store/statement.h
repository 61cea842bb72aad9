/* One prepared query, as the store's own files see it. */
#ifndef DVL_STORE_STATEMENT_H
#define DVL_STORE_STATEMENT_H

#include "connection.h"

struct dvl_statement {
    struct dvl_store *store;
    const char *name; /* "node.sql: by-name" */
    sqlite3_stmt *raw;
    const char **parameters; /* names without the colon; by number - 1 */
    bool *bound;
    const char **columns;
    int parameter_count, column_count;
    int next_parameter, next_column; /* where the next look-up by name begins: they mostly come in order */
    bool writes;
    bool walking;             /* stepped, and not done */
    int depth;                /* of the transaction when the walk began */
    struct dvl_error failure; /* of a bind: the next step answers it */
};

#endif
