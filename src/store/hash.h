/* The chain's hash: SHA3-256 over the hash before and the canonical form of an
 * event. docs/schema.md says what that form is. */
#ifndef DVL_STORE_HASH_H
#define DVL_STORE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DVL_HASH_SIZE = 32,
    DVL_HASH_TEXT_SIZE = 65, /* in hex, with its final zero */
    DVL_HASH_COLUMNS = 9,    /* seq, at, actor, command, kind, node, pod, device, detail */
};

/* One column's text; integers in decimal. */
struct dvl_hash_column {
    const char *text; /* NULL for null */
    size_t length;
};

struct dvl_hasher;

struct dvl_hasher *dvl_hasher_new(void); /* NULL when memory is out */
void dvl_hasher_free(struct dvl_hasher *hasher);

/* False when the hash could not be computed (memory). */
bool dvl_hasher_event(struct dvl_hasher *hasher, const unsigned char previous[DVL_HASH_SIZE],
                      const struct dvl_hash_column columns[DVL_HASH_COLUMNS], unsigned char out[DVL_HASH_SIZE]);

/* Lower-case hex. Answers `out`. */
const char *dvl_hash_write(const unsigned char hash[DVL_HASH_SIZE], char out[DVL_HASH_TEXT_SIZE]);

#endif
