/* SHA-256 of a text, in lower-case hex. */
#ifndef DVL_DIGEST_H
#define DVL_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

enum { DVL_SHA256_SIZE = 65 }; /* with the NUL */

/* False when memory is out. */
bool dvl_sha256_hex(const void *bytes, size_t length, char out[DVL_SHA256_SIZE]);

#endif
