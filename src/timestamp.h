/* Moments: microseconds since the epoch, UTC, and how people and Kubernetes
 * write them. The calendar is the proleptic Gregorian one; no leap seconds. */
#ifndef DVL_TIMESTAMP_H
#define DVL_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

enum { DVL_TIME_SIZE = 32 }; /* for what dvl_time_write writes */

/* The clock. */
int64_t dvl_time_now(void);

/* RFC 3339 as Kubernetes writes it: 2026-11-30T08:00:00Z, with a fraction of
 * the second (what is below a microsecond is cut off) or an offset (+08:00).
 * Nothing before or after it. False leaves *out as it was. */
bool dvl_time_read(const char *text, int64_t *out);

/* Also what people type: "now", "today" and "yesterday" (midnight, local
 * time), "2026-11-30" and "2026-11-30 08:00[:00]" (local time), "-2h" or
 * "-1d12h" (before `now`; s, m, h, d, w) and "@1796025600" (seconds since the
 * epoch, with a fraction when wanted). */
bool dvl_time_read_human(const char *text, int64_t now, int64_t *out);

/* 2026-11-30T08:00:00.000000Z. Answers `buffer`. Years outside 0..9999 are
 * drawn to the nearest moment that can be written. */
const char *dvl_time_write(int64_t time, char buffer[DVL_TIME_SIZE]);
/* 2026-11-30T08:00:00Z: the second that has begun. */
const char *dvl_time_write_seconds(int64_t time, char buffer[DVL_TIME_SIZE]);

#endif
