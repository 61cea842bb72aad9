/* Rows on their way from a statement to an answer: columns get the names and
 * forms that answers have; rows are chosen, ordered, counted and handed on. */
#ifndef DVL_VERB_ROW_H
#define DVL_VERB_ROW_H

#include "selector.h"
#include "verb.h"

/* The row as answers show it: snake_case becomes camelCase, `…_at` becomes RFC
 * 3339, truths become bools, JSON text becomes what it says. `row` is used up.
 * NULL when memory is out. */
struct dvl_value *dvl_row_present(struct dvl_arena *arena, struct dvl_value *row);

/* Where rows go. */
struct dvl_rows {
    struct dvl_call *call;
    struct dvl_value *list; /* they are collected here; NULL: handed on one by one */
    const struct dvl_selector *selector;
    const char *sort; /* a field; NULL: as they come */
    bool descending;
    int64_t limit;            /* -1: none */
    int64_t count;            /* of rows taken */
    bool full;                /* no more rows are wanted */
    struct dvl_arena scratch; /* of one row, when they are handed on */
};

/* Reads `selector`, `sortBy` ("memory", "-memory") and `limit` of the request.
 * `fields` (ends with NULL) are the names that rows of this kind have. Rows go
 * to the call's callback, or under "items" of its answer. */
enum dvl_status dvl_rows_begin(struct dvl_call *call, const char *const *fields, struct dvl_rows *rows);
/* The field that a word names, in whatever case: "used_memory", "-usedMemory"; NULL. */
const char *dvl_rows_field(const char *const *fields, const char *word);
/* Collects into `list`, whatever the request says. */
void dvl_rows_into(struct dvl_call *call, struct dvl_value *list, struct dvl_rows *rows);
/* The statement's current row. */
enum dvl_status dvl_rows_put(struct dvl_rows *rows, struct dvl_statement *statement);
/* Steps the statement to its end, or until no more rows are wanted. */
enum dvl_status dvl_rows_take(struct dvl_rows *rows, struct dvl_statement *statement);
/* Sorts and hands on what was kept back for that. Call it once, whatever came before; frees. */
enum dvl_status dvl_rows_end(struct dvl_rows *rows, enum dvl_status status);

/* One row that is no statement's, to the callback or under "items". */
enum dvl_status dvl_rows_hand(struct dvl_rows *rows, struct dvl_value *row);

/* A whole number of the request from `least` on; `otherwise` when missing. */
enum dvl_status dvl_request_count(struct dvl_call *call, const char *name, int64_t least, int64_t otherwise,
                                  int64_t *out);
/* A time of the request; INT64_MIN when missing. */
enum dvl_status dvl_request_time(struct dvl_call *call, const char *name, int64_t *out);

#endif
