/* How the rows of each kind look: the columns of their tables. */
#ifndef DEVLEDGER_CLI_VIEWS_H
#define DEVLEDGER_CLI_VIEWS_H

#include "output.h"

/* By the plural name of a kind of `get`; NULL. */
const struct view *view_of_kind(const char *kind);

extern const struct view view_verdicts;        /* of filter */
extern const struct view view_device_verdicts; /* of filter --explain */
extern const struct view view_scores;          /* of score */
extern const struct view view_slices;          /* of allocate and schedule */

/* Parts of describe. */
extern const struct view view_node_devices;
extern const struct view view_node_slices;
extern const struct view view_device_slices;
extern const struct view view_pod_slices;
extern const struct view view_requests;
extern const struct view view_explanation;
extern const struct view view_locks_held;
extern const struct view view_own_findings; /* of one object */

/* ok, gone, unhealthy, or why no pod is placed there. */
void cell_device_status(struct dvl_buffer *out, const struct cli *cli, const struct dvl_value *row, const char *field);
/* "[####................]  20%"; nothing when the whole is unknown. */
void cell_bar(struct dvl_buffer *out, int64_t used, int64_t whole);

#endif
