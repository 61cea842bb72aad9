/* libyaml's events, one at a time, with what this program refuses taken out:
 * anchors and aliases, foreign tags, merge keys, NUL in a string, deep
 * nesting, too many values, one object of too many bytes. */
#ifndef DVL_MANIFEST_YAML_EVENTS_H
#define DVL_MANIFEST_YAML_EVENTS_H

#include "input.h"
#include "tree.h"

#include <yaml.h>

struct dvl_yaml {
    yaml_parser_t parser;
    bool has_parser;
    yaml_event_t event; /* the current one */
    bool has_event;
    struct dvl_input *input;
    struct dvl_input text; /* what `input` points to for a text in memory */
    const char *name;      /* for messages; NULL for a text in memory */
    int lines_before;      /* lines of the file that the parser was not given */
    int depth;
    size_t values, values_max;
    size_t given;     /* bytes that the parser got from `input` */
    size_t given_max; /* where the object that is being read must have ended */
    bool mid_line;    /* the parser has only the beginning of a line */
    int tag_lines;    /* %TAG directives since the object began */
    const char *stop; /* why the parser gets no more */
};

enum dvl_status dvl_yaml_open(struct dvl_yaml *yaml, struct dvl_input *input, struct dvl_error *error);
enum dvl_status dvl_yaml_open_text(struct dvl_yaml *yaml, struct dvl_span text, struct dvl_error *error);
void dvl_yaml_close(struct dvl_yaml *yaml); /* also what was only zeroed */

/* Another object begins: its size and its values count from here. */
void dvl_yaml_begin_object(struct dvl_yaml *yaml);

/* Moves on to the next event. */
enum dvl_status dvl_yaml_next(struct dvl_yaml *yaml, struct dvl_error *error);
int dvl_yaml_line(const struct dvl_yaml *yaml);

/* The empty map or list that begins with the current event, its tag checked. */
enum dvl_status dvl_yaml_begin_nest(struct dvl_yaml *yaml, struct dvl_arena *arena, struct dvl_value **out,
                                    struct dvl_error *error);

/* The value that begins with the current event; afterwards its last event is
 * the current one. */
enum dvl_status dvl_yaml_value(struct dvl_yaml *yaml, struct dvl_arena *arena, struct dvl_value **out,
                               struct dvl_error *error);

/* A member's name, which is the current event: any scalar, as it is written. */
enum dvl_status dvl_yaml_key(struct dvl_yaml *yaml, struct dvl_arena *arena, const char **out, struct dvl_error *error);

#endif
