/* Memory that can't be had: the allocation with a given number fails, or that
 * one and all after it. Counted are either our own calls of malloc and its
 * kind, and every piece that is taken from an arena; or what libraries ask for.
 *
 * The linker bends our own calls (--wrap). Without a sanitizer the program's
 * malloc also stands in front of the C library's, so that libsqlite3, libyaml,
 * libcjson, libcrypto and stdio fail, too, and what is alive is counted. A
 * sanitizer has a malloc of its own: there only SQLite fails, through its
 * hook, and the sanitizer finds what leaks. */
#ifndef TESTS_MEMORY_FAILING_H
#define TESTS_MEMORY_FAILING_H

#include <stdbool.h>

enum failing_whose { FAILING_OURS = 1, FAILING_LIBRARIES = 2, FAILING_ALL = 3 };

/* Before SQLite is used for the first time. */
void failing_prepare(void);

/* The next `through` allocations come through. */
void failing_arm(enum failing_whose whose, long through, bool stay_out);
/* Answers whether one was refused since arming. */
bool failing_disarm(void);
/* How many there were since arming. */
long failing_asked(void);
/* On standard error, the calls that led to the first refusal. */
void failing_tell(void);

/* Pieces that are not freed; 0 where a sanitizer counts. */
long failing_live(void);

#endif
