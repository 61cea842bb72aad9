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

/* Taking and deleting: apply.c. */
enum dvl_status dvl_verb_apply(struct dvl_call *call);
enum dvl_status dvl_verb_delete(struct dvl_call *call);

/* The configuration: config.c, config_show.c. */
enum dvl_status dvl_verb_config(struct dvl_call *call);
enum dvl_status dvl_verb_config_show(struct dvl_call *call);
enum dvl_status dvl_verb_config_check(struct dvl_call *call);
/* A ConfigMap that came in, or changed. When its name and namespace are those
 * of the scheduler's arguments and it reads, its text becomes the device
 * configuration: a row of `config`, an event, and everything stored is read
 * anew. Backends that were held before the call may be gone after it. */
enum dvl_status dvl_config_take_configmap(struct dvl_call *call, const struct dvl_configmap *configmap);
/* The scheduler's arguments name it. */
bool dvl_config_names_configmap(const struct dvl_ledger *ledger, const struct dvl_configmap *configmap);
/* Adds a finding when such a ConfigMap does not read; what is in force stays. */
enum dvl_status dvl_config_judge_configmap(struct dvl_call *call, struct dvl_arena *arena,
                                           const struct dvl_configmap *configmap, struct dvl_findings *findings);

/* Deciding: filter.c, schedule.c, allocate.c. */
enum dvl_status dvl_verb_filter(struct dvl_call *call);
enum dvl_status dvl_verb_score(struct dvl_call *call);
enum dvl_status dvl_verb_schedule(struct dvl_call *call);
enum dvl_status dvl_verb_allocate(struct dvl_call *call);
enum dvl_status dvl_verb_bind(struct dvl_call *call);
enum dvl_status dvl_verb_release(struct dvl_call *call);

/* Locks and transactions by hand: lock.c, outer.c. */
enum dvl_status dvl_verb_lock(struct dvl_call *call);
enum dvl_status dvl_verb_unlock(struct dvl_call *call);
enum dvl_status dvl_verb_begin(struct dvl_call *call);
enum dvl_status dvl_verb_commit(struct dvl_call *call);
enum dvl_status dvl_verb_rollback(struct dvl_call *call);

/* Whole-file work: file.c. */
enum dvl_status dvl_verb_verify(struct dvl_call *call);
enum dvl_status dvl_verb_backup(struct dvl_call *call);

#endif
