/* The neutral tree: what a manifest reads to, and what an answer is made of.
 *
 * Values live in an arena and are never freed one by one. A number keeps its
 * text as it was written, so that no 64-bit value passes through a double.
 * Look-ups compare keys byte by byte. */
#ifndef DVL_VALUE_H
#define DVL_VALUE_H

#include "arena.h"
#include "text.h"

#include <devledger.h>

struct dvl_value {
    enum dvl_value_kind kind;
    bool plain;       /* an unquoted YAML scalar: text whatever it looks like, where text is wanted */
    bool truth;       /* DVL_VALUE_BOOL */
    int line;         /* in its document, from 1; 0: unknown */
    const char *text; /* string, number, bool and null: as written, NUL-terminated */
    size_t length;    /* of text */
    const char *key;  /* the member's name when the parent is a map */
    struct dvl_value *first, *last, *next;
    size_t count; /* members or items */
};

/* Constructors. All answer NULL when memory is out, and the adders accept
 * NULL (and then answer NULL), so that a builder checks once, at its end:
 * dvl_map_* report through the arena running dry. */
struct dvl_value *dvl_value_map(struct dvl_arena *arena);
struct dvl_value *dvl_value_list(struct dvl_arena *arena);
struct dvl_value *dvl_value_null(struct dvl_arena *arena);
struct dvl_value *dvl_value_bool(struct dvl_arena *arena, bool truth);
/* Of a bool. */
void dvl_value_set_truth(struct dvl_value *value, bool truth);
struct dvl_value *dvl_value_int(struct dvl_arena *arena, int64_t number);
struct dvl_value *dvl_value_real(struct dvl_arena *arena, double number);      /* shortest text that reads back equal */
struct dvl_value *dvl_value_number(struct dvl_arena *arena, const char *text); /* copied as it is */
struct dvl_value *dvl_value_string(struct dvl_arena *arena, const char *text); /* copied; NULL gives null */
struct dvl_value *dvl_value_bytes(struct dvl_arena *arena, const char *bytes, size_t length);

/* Appends a member or item; `key` is borrowed (a literal or arena text).
 * Answers the child, NULL when map or child is NULL. */
struct dvl_value *dvl_value_set(struct dvl_value *map, const char *key, struct dvl_value *child);
struct dvl_value *dvl_value_add(struct dvl_value *list, struct dvl_value *child);

/* A deep copy into another arena. */
struct dvl_value *dvl_value_copy(struct dvl_arena *arena, const struct dvl_value *value);

/* The member, or NULL; also NULL when value is NULL or no map. */
const struct dvl_value *dvl_value_find(const struct dvl_value *map, const char *key);
/* Text of a string member; NULL when missing or not a string. */
const char *dvl_value_find_text(const struct dvl_value *map, const char *key);
/* Strict: number text that is a whole int64. */
bool dvl_value_int64(const struct dvl_value *value, int64_t *out);

#endif
