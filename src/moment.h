/* Points in time: microseconds since the epoch inside, RFC 3339 outside. */
#ifndef DVL_MOMENT_H
#define DVL_MOMENT_H

#include "text.h"
#include "value.h"

enum { DVL_MOMENT_SIZE = 48 }; /* of "2026-11-30T08:00:00.000000Z", with room */

/* "2026-11-30T08:00:00Z", with any fraction (cut at microseconds) and any
 * offset. Years 0001 to 9999. False leaves *out as it was. */
bool dvl_moment_read(struct dvl_span text, int64_t *out);

/* UTC with six digits; a time outside of the years 1 to 9999 is written as the
 * nearest one inside. */
void dvl_moment_write(int64_t at, char out[DVL_MOMENT_SIZE]);

/* What the system's clock says. */
int64_t dvl_moment_now(void);

/* The time as a value's text; DVL_UNSET-like INT64_MIN gives null. */
struct dvl_value *dvl_value_moment(struct dvl_arena *arena, int64_t at);

#endif
