/* What the verbs run: each answers the program's exit code. */
#ifndef DEVLEDGER_CLI_CMD_H
#define DEVLEDGER_CLI_CMD_H

#include "cli.h"

int run_apply(struct cli *cli); /* cmd_apply.c */
int run_delete(struct cli *cli);
int run_config_apply(struct cli *cli); /* cmd_config.c */
int run_config_check(struct cli *cli);
int run_config_show(struct cli *cli);
int run_get(struct cli *cli); /* cmd_get.c */
int run_log(struct cli *cli);
int run_describe(struct cli *cli); /* cmd_describe.c */
int run_filter(struct cli *cli);   /* cmd_decide.c */
int run_score(struct cli *cli);
int run_schedule(struct cli *cli); /* cmd_place.c */
int run_allocate(struct cli *cli);
int run_bind(struct cli *cli);
int run_release(struct cli *cli);
int run_lock(struct cli *cli); /* cmd_lock.c */
int run_unlock(struct cli *cli);
int run_init(struct cli *cli); /* cmd_file.c */
int run_verify(struct cli *cli);
int run_backup(struct cli *cli);
int run_sql(struct cli *cli);   /* cmd_sql.c */
int run_batch(struct cli *cli); /* cmd_batch.c */

#endif
