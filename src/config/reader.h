/* What the readers of both configurations share: typed members with a place
 * in every message, and the way from a ConfigMap to the text inside it.
 *
 * Nothing is guessed: a member of the wrong type, or out of its bounds, is
 * refused with its place, its line and what would be allowed. */
#ifndef DVL_CONFIG_READER_H
#define DVL_CONFIG_READER_H

#include "config.h"

#include <stddef.h>

#define DVL_ARGUMENT_PREFIX "deviceshare."

/* Numbers of a device configuration: what Kubernetes and Volcano keep in 32 bits. */
#define DVL_CONFIG_NUMBER_MAX INT64_C(2147483647)

/* One reading: where memory comes from, where errors go, what the text is. */
struct dvl_config_reader {
    struct dvl_arena *arena;
    struct dvl_error *error;
    const char *source; /* the data key that the text stood under; NULL: a bare document */
};

/* Where we are: a chain from the innermost member outwards, on the stack.
 * Without a name it is item number `index` of a list. */
struct dvl_place {
    const struct dvl_place *in; /* NULL: the document */
    const char *name;
    size_t index;
};

/* "vnpus[2].templates[0].memory (line 33 of device-config.yaml): …" as
 * DVL_BAD_INPUT. `at` gives the line; NULL or an unknown one: none is named. */
enum dvl_status dvl_config_refuse(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A value in words, for messages: a number 3, the text "yes", a list. Always
 * printable, at most DVL_SHOWN_SIZE bytes. Answers `out`. */
enum { DVL_SHOWN_SIZE = 96 };
const char *dvl_config_shown(const struct dvl_value *value, char out[DVL_SHOWN_SIZE]);

/* What a text may be; all are printable ASCII and not empty unless said. */
struct dvl_text_rule {
    const char *what; /* "a resource name" */
    size_t longest;
    const char *without; /* bytes that it can't have */
    bool blanks;         /* may have blanks, but not at its ends */
    bool may_be_empty;   /* an empty text reads as NULL */
};

struct dvl_range {
    int64_t least, most;
};

/* Values. A bool may be a word of strconv.ParseBool, an integer a string of
 * digits (D0); where text is wanted, an unquoted scalar is its text. */
enum dvl_status dvl_config_bool(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                const struct dvl_value *value, bool *out);
enum dvl_status dvl_config_integer(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                   const struct dvl_value *value, struct dvl_range range, int64_t *out);
enum dvl_status dvl_config_text(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                const struct dvl_value *value, const struct dvl_text_rule *rule, const char **out);
enum dvl_status dvl_config_is(const struct dvl_config_reader *reader, const struct dvl_place *place,
                              const struct dvl_value *value, enum dvl_value_kind kind);
/* A list of 1 (or 0) to `most` items. */
enum dvl_status dvl_config_is_list(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                   const struct dvl_value *value, struct dvl_range range);

/* Members of one map, as a table. Members that the table does not have are
 * ignored; one that is missing, or null, leaves *target as it was. */
enum dvl_field_kind { DVL_FIELD_BOOL, DVL_FIELD_INTEGER, DVL_FIELD_TEXT };
struct dvl_field {
    const char *name;
    enum dvl_field_kind kind;
    size_t offset; /* of a bool, int64_t or const char * in the target */
    bool required;
    struct dvl_range range;           /* DVL_FIELD_INTEGER */
    const struct dvl_text_rule *rule; /* DVL_FIELD_TEXT */
};
struct dvl_fields {
    const struct dvl_field *items;
    size_t count;
};
enum dvl_status dvl_config_fields(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                  const struct dvl_value *map, const struct dvl_fields *fields, void *target);

/* The member when it is there and not null. */
const struct dvl_value *dvl_config_member(const struct dvl_value *map, const char *name);

/* Begins a reading: `document` is the bare document, or what the text under
 * `key` of a ConfigMap reads to; always a map. */
enum dvl_status dvl_config_open(struct dvl_config_reader *reader, const struct dvl_value *value, const char *key,
                                const struct dvl_value **document);

/* ---- The parts (nvidia.c, vnpus.c, exclusive.c, defaults.c) ---- */

void dvl_scheduler_defaults(struct dvl_scheduler_config *out);
void dvl_device_defaults(struct dvl_device_config *out);

enum dvl_status dvl_config_nvidia(const struct dvl_config_reader *reader, const struct dvl_value *section,
                                  struct dvl_nvidia_config *out);
enum dvl_status dvl_config_vnpus(const struct dvl_config_reader *reader, const struct dvl_value *section,
                                 struct dvl_device_config *out);
enum dvl_status dvl_config_rules(const struct dvl_config_reader *reader, const struct dvl_place *place,
                                 const struct dvl_value *value, struct dvl_scheduler_config *out);
/* No resource name may stand for two things. */
enum dvl_status dvl_config_names(const struct dvl_config_reader *reader, const struct dvl_value *document,
                                 const struct dvl_device_config *devices);

extern const struct dvl_text_rule dvl_rule_resource;
extern const struct dvl_text_rule dvl_rule_record_name;

#endif
