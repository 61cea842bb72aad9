/* The handlers behind the table in verb.c, one file each or a few that belong
 * together. */
#ifndef DVL_VERB_VERBS_H
#define DVL_VERB_VERBS_H

#include "verb.h"

/* Reading: get.c, describe.c, log.c, sql.c. */
enum dvl_status dvl_verb_get(struct dvl_call *call);
enum dvl_status dvl_verb_describe(struct dvl_call *call);
enum dvl_status dvl_verb_log(struct dvl_call *call);
enum dvl_status dvl_verb_sql(struct dvl_call *call);

/* Whole-file work: file.c. */
enum dvl_status dvl_verb_verify(struct dvl_call *call);
enum dvl_status dvl_verb_backup(struct dvl_call *call);

#endif
