/* Where writers and checkpoints queue: two lock files beside the database.
 *
 * Who wants to write takes A, then B, gives A back, and holds B to the end of
 * COMMIT. B alone would exclude; A makes a queue of it, in which nobody waits
 * twice as long as the others. Without it SQLite's own busy handler starves
 * writers, and versions with the WAL-reset race damage the file. The kernel
 * frees both when the process dies. */
#ifndef DVL_STORE_TURNSTILE_H
#define DVL_STORE_TURNSTILE_H

#include "../error.h"

struct dvl_turnstile;

/* Makes the lock files where they are missing, with the mode and owner of the
 * database, which must be there. DVL_FORBIDDEN when they can't be made. */
enum dvl_status dvl_turnstile_open(const char *database, struct dvl_turnstile **out, struct dvl_error *error);
/* Leaves too. Takes NULL. */
void dvl_turnstile_close(struct dvl_turnstile *turnstile);

/* Waits at most `wait_ms` (0: not at all) for the turn; DVL_BUSY when it did
 * not come. Not to be entered twice. */
enum dvl_status dvl_turnstile_enter(struct dvl_turnstile *turnstile, int wait_ms, struct dvl_error *error);
/* Harmless when not entered. */
void dvl_turnstile_leave(struct dvl_turnstile *turnstile);

#endif
