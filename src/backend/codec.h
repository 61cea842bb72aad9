/* Device strings: the grammar that Volcano's vGPU and HAMi share.
 *
 *     list   = part *( ";" part )          one part for each container
 *     part   = *( record ":" )             one record for each device
 *     record = id "," type "," memory "," cores
 *     id     = uuid [ "[" instance "]" ]
 *
 * A node's register is one part whose records have other fields. Readers here
 * never give up on a text: a record that does not read says so itself, and the
 * next one is looked at all the same. */
#ifndef DVL_BACKEND_CODEC_H
#define DVL_BACKEND_CODEC_H

#include "backend.h"

enum { DVL_RECORD_FIELDS = 10 };

/* ---- Records of any kind --------------------------------------------------- */

struct dvl_record {
    struct dvl_span text;
    int64_t position;   /* byte offset of the record in the whole text */
    bool closed;        /* a ":" follows */
    size_t field_count; /* all of them; only the first DVL_RECORD_FIELDS are kept */
    struct dvl_span fields[DVL_RECORD_FIELDS];
};

/* A walk over the records of one part. */
struct dvl_record_walk {
    const char *base; /* what positions are counted from */
    struct dvl_span rest;
    bool more;
};

void dvl_record_walk_start(struct dvl_record_walk *walk, const char *base, struct dvl_span part);
/* False at the end. An empty record is one only when a ":" follows it. */
bool dvl_record_walk_next(struct dvl_record_walk *walk, struct dvl_record *out);

/* ---- A pod's device list ------------------------------------------------------ */

struct dvl_list_record {
    size_t part; /* of which container, from 0 */
    struct dvl_span text;
    int64_t position;
    const char *problem; /* why it does not read, for people; NULL: it reads */
    bool empty;          /* nothing between two ":", or the null entry ",,0,0": no device */
    bool closed;         /* a ":" follows */
    bool extra;          /* more than four fields */
    struct dvl_span id;  /* before the bracket */
    bool has_instance;
    struct dvl_span instance; /* within the brackets */
    struct dvl_span type;
    int64_t memory, cores; /* 0 to 2^31-1 */
};

struct dvl_device_list {
    struct dvl_list_record *records;
    size_t record_count;
    size_t part_count; /* an empty last part is none */
    bool unreadable;   /* some record has a problem */
};

enum dvl_status dvl_device_list_read(struct dvl_arena *arena, const char *text, struct dvl_device_list *out,
                                     struct dvl_error *error);

/* The container that a part of a list with `part_count` parts speaks of; NULL
 * when there is none. `asks` says for each container of the pod whether it asks
 * the backend. A list has a part for each container that asks (this program,
 * and Volcano, which leaves out init containers), or for each container (HAMi);
 * the number of parts tells which. */
const struct dvl_container *dvl_device_list_container(const struct dvl_pod *pod, const bool *asks, size_t part_count,
                                                      size_t part);

/* The text for slices in order of ordinal. Memory is what was asked where that
 * differs. `closed`: a ";" after each container, not between them. NULL when
 * memory is out. */
char *dvl_device_list_write(struct dvl_arena *arena, struct dvl_slice *const *slices, size_t count, const char *type,
                            bool closed);

#endif
