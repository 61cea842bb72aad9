/* The pods and nodes that a request speaks of. */
#ifndef DVL_VERB_POD_REF_H
#define DVL_VERB_POD_REF_H

#include "../intake/intake.h"
#include "verb.h"

struct dvl_pod_ref {
    struct dvl_pod_row row;       /* what the request says; id is that of the stored row, 0 when there is none */
    struct dvl_pod_row stored;    /* what is stored; id 0 when nothing is */
    const struct dvl_pod *object; /* NULL: named by text */
};

/* "pod": "ns/name", "ns/name/uid", or an object. Memory is the call's arena.
 * DVL_NOT_FOUND for a name that no live pod bears. */
enum dvl_status dvl_request_pod(struct dvl_call *call, struct dvl_pod_ref *out);
/* Records an object that is not stored as it is, and reads the row anew. */
enum dvl_status dvl_pod_ref_record(struct dvl_call *call, struct dvl_pod_ref *ref);
/* Only by its name: the live pod. */
enum dvl_status dvl_pod_by_text(struct dvl_call *call, const char *text, struct dvl_pod_row *out);

/* "node", which must be there and named. */
enum dvl_status dvl_request_node(struct dvl_call *call, struct dvl_name_id *out);
/* "nodes": those named, by name, each once; all when the member is missing. */
enum dvl_status dvl_request_nodes(struct dvl_call *call, struct dvl_name_ids *out);
/* "ttl" in seconds ("90", 90) or as a span ("10m", "2h30m"); *expires_at is DVL_UNSET without. */
enum dvl_status dvl_request_ttl(struct dvl_call *call, int64_t *expires_at);

#endif
