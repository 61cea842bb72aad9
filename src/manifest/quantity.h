/* Kubernetes' resource.Quantity: the whole grammar, exactly. */
#ifndef DVL_MANIFEST_QUANTITY_H
#define DVL_MANIFEST_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

enum dvl_quantity_status {
    DVL_QUANTITY_OK,
    DVL_QUANTITY_MALFORMED, /* not of the grammar */
    DVL_QUANTITY_FRACTION,  /* reads, but is not a whole number */
    DVL_QUANTITY_NEGATIVE,
    DVL_QUANTITY_TOO_LARGE, /* whole, but over 2^63-1, or an exponent out of -30..30 */
};

/* The exact value of `text` when it is a whole number from 0 to 2^63-1. Blanks
 * around are trimmed (as the API server's decoder does); "1000m" is 1, "1.5k"
 * is 1500, "1.5Gi" is 1610612736. *out is written only when OK. */
enum dvl_quantity_status dvl_quantity_whole(const char *text, int64_t *out);

/* "is not a quantity", "is not a whole number" … for messages. */
const char *dvl_quantity_problem(enum dvl_quantity_status status);

#endif
