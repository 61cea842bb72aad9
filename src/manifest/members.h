/* Members of an object, read with their type: absent and null are one, a
 * wrong type is refused with the path and the line. */
#ifndef DVL_MANIFEST_MEMBERS_H
#define DVL_MANIFEST_MEMBERS_H

#include "object.h"
#include "report.h"

struct dvl_members {
    struct dvl_arena *arena;
    struct dvl_error *error;
    int line;                      /* of the object */
    char label[3 * DVL_SHOW_SIZE]; /* "pod ml/a", for messages; "" while the name is not known */
};

/* "pod ml/a: spec.x … (line 7)". `where` gives the line, may be NULL. */
enum dvl_status dvl_members_refuse(struct dvl_members *members, const struct dvl_value *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* `path` is the parent's ("spec.", ends with a dot; "" at the top). A NULL
 * parent has no members; *out is NULL when the member is absent or null. */
enum dvl_status dvl_member_map(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                               const char *key, const struct dvl_value **out);
enum dvl_status dvl_member_list(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                const char *key, const struct dvl_value **out);
/* Text; a plain YAML scalar is the text that stands there, "" is NULL. */
enum dvl_status dvl_member_text(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                const char *key, const char **out);
/* Text that can be a name: no control characters, no '/', 253 bytes at most. */
enum dvl_status dvl_member_name(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                const char *key, const char **out);
/* RFC 3339 → microseconds; 0 when absent. */
enum dvl_status dvl_member_time(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                const char *key, int64_t *out);

enum dvl_pairs_of {
    DVL_PAIRS_OF_TEXTS, /* labels, annotations, data: strings; what is plain in YAML is text, whatever it looks like */
    DVL_PAIRS_OF_QUANTITIES, /* limits, capacity: strings and numbers, in the form that they would have as JSON */
};

/* A map of strings; no pairs when absent. */
enum dvl_status dvl_member_pairs(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                 const char *key, enum dvl_pairs_of what, struct dvl_pairs *out);

#endif
