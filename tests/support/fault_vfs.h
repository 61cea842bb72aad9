/* A VFS of SQLite's that fails, stops or loses power when it is told to.
 *
 * Counted are the operations that change a file: writes, syncs and truncations.
 * In a power cut what was written since the last sync of its file is lost, all
 * of it or a part that a number chooses. */
#ifndef TESTS_SUPPORT_FAULT_VFS_H
#define TESTS_SUPPORT_FAULT_VFS_H

#include <stdbool.h>

enum fault_kind {
    FAULT_NONE,
    FAULT_WRITE, /* the write is refused: SQLITE_IOERR_WRITE */
    FAULT_FULL,  /* half of it is done, then SQLITE_FULL */
    FAULT_SYNC,  /* only syncs are counted: SQLITE_IOERR_FSYNC, what was written stays */
    FAULT_STOP,  /* this operation and all later ones fail: the process died, or the disk */
};

/* Makes it the default VFS, over the one that is now. */
int fault_vfs_install(void);
void fault_vfs_uninstall(void);

/* The operation number `after` (from 1) fails in this way. Counting begins anew. */
void fault_vfs_arm(enum fault_kind kind, long after);
void fault_vfs_disarm(void);
/* The armed fault has struck. */
bool fault_vfs_struck(void);

/* Sleeps up to so many microseconds where a checkpoint has read the WAL's index
 * and not yet used it: what takes a rare moment elsewhere then happens soon. */
void fault_vfs_linger(long microseconds);

/* From here on unsynced writes are remembered, so that a power cut can take
 * them back. */
void fault_vfs_remember(void);
/* Takes back what was not synced: all of it for 0, else each write or not, as
 * the number decides. No file may be open. */
bool fault_vfs_cut_power(unsigned number);

#endif
