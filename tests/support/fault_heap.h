/* Memory that runs out when it is told to: SQLite's, through its own methods,
 * and the library's, in programs that are linked with --wrap=malloc and so on
 * (the tests named test_heap_…). */
#ifndef TESTS_SUPPORT_FAULT_HEAP_H
#define TESTS_SUPPORT_FAULT_HEAP_H

#include <stdbool.h>

/* Before SQLite is used for the first time. */
int fault_heap_install(void);

/* The request number `after` (from 1) is refused; `lasting`: and all later ones. */
void fault_heap_arm(long after, bool lasting);
/* Answers how many requests there were since arming. */
long fault_heap_disarm(void);

#endif
