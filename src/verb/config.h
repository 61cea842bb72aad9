/* What the two files of verbs about configuration share. */
#ifndef DVL_VERB_CONFIG_H
#define DVL_VERB_CONFIG_H

#include "verb.h"

enum dvl_config_slot { DVL_SLOT_SCHEDULER, DVL_SLOT_DEVICES, DVL_SLOT_COUNT };

/* "scheduler", "devices". */
extern const char *const dvl_config_slot_names[DVL_SLOT_COUNT];

/* A ConfigMap holds a mebibyte at the most; so does a row of `config`. */
#define DVL_CONFIG_TEXT_MAX ((size_t)1 << 20)

/* A configuration that came in, read and found right. */
struct dvl_config_given {
    bool present;
    const char *text;         /* as it is kept: the inner text of a ConfigMap, the JSON of an object */
    struct dvl_config config; /* only the part of its slot is filled */
};

/* Members scheduler, devices and text of the request; at least one must be
 * there. Judges all of them; changes nothing. */
enum dvl_status dvl_config_request(struct dvl_call *call, struct dvl_config_given given[DVL_SLOT_COUNT]);

#endif
