/* The strict front of the JSON reader: an automaton that takes a text byte by
 * byte, as it streams in, and lets only RFC 8259 through, less what this
 * program refuses (\u0000, broken UTF-8, lone surrogates, deep nesting). It
 * keeps nothing of the text: memory does not grow with it. */
#ifndef DVL_MANIFEST_JSON_SCAN_H
#define DVL_MANIFEST_JSON_SCAN_H

#include "report.h"

#include <stdbool.h>
#include <stdint.h>

enum dvl_json_state {
    DVL_JSON_VALUE,        /* a value must come */
    DVL_JSON_VALUE_OR_END, /* after [ */
    DVL_JSON_NAME,         /* after , in a map */
    DVL_JSON_NAME_OR_END,  /* after { */
    DVL_JSON_COLON,
    DVL_JSON_AFTER, /* after a value in a map or list */
    DVL_JSON_DONE,  /* after the outermost value */
    DVL_JSON_STRING,
    DVL_JSON_ESCAPE,
    DVL_JSON_HEX,
    DVL_JSON_LOW_BACKSLASH, /* the second half of a surrogate pair must come */
    DVL_JSON_LOW_U,
    DVL_JSON_LITERAL,
    DVL_JSON_MINUS,
    DVL_JSON_ZERO,
    DVL_JSON_DIGITS,
    DVL_JSON_POINT,
    DVL_JSON_FRACTION,
    DVL_JSON_E,
    DVL_JSON_E_SIGN,
    DVL_JSON_E_DIGITS,
};

struct dvl_json_scan {
    enum dvl_json_state state;
    int depth;     /* maps and lists that are open */
    uint64_t maps; /* bit d: the one at depth d + 1 is a map */
    size_t values; /* begun so far; the owner may set it back */
    size_t values_max;
    int line;  /* of the next byte */
    bool name; /* the string is a member's name */
    bool low;  /* the \u being read must be a low surrogate */
    uint32_t code;
    int code_digits;
    const char *literal;                            /* what must still come of true, false, null */
    unsigned char utf8_rest, utf8_least, utf8_most; /* bytes to come, bounds of the next one */
    const char *problem;                            /* after DVL_JSON_BAD */
    bool problem_names_byte;
};

enum dvl_json_mark {
    DVL_JSON_BAD,
    DVL_JSON_ON,    /* nothing that ends or begins with this byte matters outside */
    DVL_JSON_OPEN,  /* { or [: depth is the new one */
    DVL_JSON_CLOSE, /* } or ]: depth is the outer one */
    DVL_JSON_NAMED, /* the closing quote of a member's name */
    DVL_JSON_TEXT,  /* the closing quote of a string value */
};

void dvl_json_scan_init(struct dvl_json_scan *scan, size_t values_max);

/* Takes one byte. After DVL_JSON_BAD the scan is over. */
enum dvl_json_mark dvl_json_scan_byte(struct dvl_json_scan *scan, unsigned char byte);

/* The text ends here: true when one whole value was there. */
bool dvl_json_scan_end(struct dvl_json_scan *scan);

/* What was wrong with `byte` (EOF: the end), for messages. */
enum dvl_status dvl_json_scan_report(const struct dvl_json_scan *scan, int byte, const char *name,
                                     struct dvl_error *error);

#endif
