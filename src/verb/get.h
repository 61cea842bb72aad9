/* The kinds of rows that can be read, and how: shared by get, describe and log. */
#ifndef DVL_VERB_GET_H
#define DVL_VERB_GET_H

#include "row.h"

enum dvl_get_id {
    DVL_GET_NODES,
    DVL_GET_DEVICES,
    DVL_GET_PODS,
    DVL_GET_ALLOCATIONS,
    DVL_GET_LOCKS,
    DVL_GET_DOWNGRADES,
    DVL_GET_EVENTS,
    DVL_GET_FINDINGS,
    DVL_GET_CONFLICTS,
    DVL_GET_CONFIGS,
};

struct dvl_get_kind {
    enum dvl_get_id id;
    const char *name, *singular;
    enum dvl_query query;
    const char *parameters;    /* of the statement, separated by blanks */
    const char *filters;       /* members that a request may have for it, likewise */
    const char *const *fields; /* what its rows have, in order; ends with NULL */
};

/* Which rows are wanted; zeroed (and now set): all that are current. */
struct dvl_get_filter {
    const char *name; /* of a node or lock; kind of a config */
    const char *node, *backend, *namespace_;
    const char *pod_namespace, *pod_name, *pod_uid;
    const char *pod; /* namespace/name, as events have it */
    const char *object_kind, *object;
    const char *backends; /* JSON list of names in order of registration */
    int64_t device;       /* id; 0: any */
    int64_t seq;          /* of an event; 0: any */
    int64_t after;        /* events later than this seq */
    int64_t since, until; /* INT64_MIN: open */
    bool all;             /* also what is gone */
    int64_t now;
};

/* By either name; NULL. */
const struct dvl_get_kind *dvl_get_kind_find(const char *name);
/* The kind's rows can be narrowed by this member of a request. */
bool dvl_get_kind_takes(const struct dvl_get_kind *kind, const char *member);
/* The one at a place of the list; NULL at the end. */
const struct dvl_get_kind *dvl_get_kind_at(size_t position);

/* All current, at the call's time, with the backends' order. Inside the transaction. */
enum dvl_status dvl_get_filter_init(struct dvl_call *call, struct dvl_get_filter *filter);
/* Rows of a kind, presented, into `rows`. */
enum dvl_status dvl_get_take(const struct dvl_get_kind *kind, const struct dvl_get_filter *filter,
                             struct dvl_rows *rows);
/* The same as a new list. */
enum dvl_status dvl_get_list(struct dvl_call *call, enum dvl_get_id id, const struct dvl_get_filter *filter,
                             struct dvl_value **out);

/* "ns/name" or "ns/name/uid" → the filter's pod_* and pod; without a slash the
 * namespace is `otherwise`. */
enum dvl_status dvl_get_pod_name(struct dvl_call *call, const char *text, const char *otherwise,
                                 struct dvl_get_filter *filter);
/* DVL_NOT_FOUND when there is no such node; a retired one counts only with filter->all. */
enum dvl_status dvl_get_check_node(struct dvl_call *call, const struct dvl_get_filter *filter, const char *name);
/* A UUID, the beginning of just one, or node/index → filter->device. */
enum dvl_status dvl_get_device(struct dvl_call *call, const char *name, struct dvl_get_filter *filter);
/* Lets the filter's events begin with the last `count` of them. */
enum dvl_status dvl_get_tail(struct dvl_call *call, int64_t count, struct dvl_get_filter *filter);
/* Either name of a backend → the one that rows have; DVL_NOT_FOUND lists those there are. */
enum dvl_status dvl_get_backend(struct dvl_call *call, const char *name, const char **out);

#endif
