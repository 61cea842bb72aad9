/* Kubernetes objects as this program sees them: the few members that it
 * reads, typed, with everything else left behind. Read from a neutral tree by
 * object.c, node.c, pod.c and configmap.c; all memory is the arena's. */
#ifndef DVL_MANIFEST_OBJECT_H
#define DVL_MANIFEST_OBJECT_H

#include "../error.h"
#include "../value.h"

/* String to string, in order of key (byte order), keys unique. */
struct dvl_pair {
    const char *key;
    const char *value;
};

struct dvl_pairs {
    const struct dvl_pair *items;
    size_t count;
};

/* The value, or NULL. */
const char *dvl_pairs_get(const struct dvl_pairs *pairs, const char *key);

/* {"a":"b"} in order of key; NULL when memory is out. */
char *dvl_pairs_json(struct dvl_arena *arena, const struct dvl_pairs *pairs);
/* The way back, from text this program wrote; an empty or NULL text gives no pairs. */
enum dvl_status dvl_pairs_read_json(struct dvl_arena *arena, const char *json, struct dvl_pairs *out,
                                    struct dvl_error *error);

struct dvl_node {
    const char *name;
    struct dvl_pairs labels, annotations;
    struct dvl_pairs capacity, allocatable; /* quantities, as text; allocatable defaults to capacity */
};

struct dvl_container {
    const char *name;
    bool init;
    bool sidecar;                      /* an init container with restartPolicy: Always */
    struct dvl_pairs limits, requests; /* quantities as text; a request that is absent defaults to its limit */
};

struct dvl_pod {
    const char *uid;        /* NULL when the manifest has none */
    const char *namespace_; /* "default" when the manifest has none */
    const char *name;
    struct dvl_pairs labels, annotations;
    const char *phase;                      /* Pending, Running, Succeeded, Failed, Unknown; Pending when absent */
    const char *node_name;                  /* spec.nodeName; NULL when not placed */
    int64_t created_at;                     /* creationTimestamp, microseconds since the epoch; 0: absent */
    int64_t terminating_at;                 /* deletionTimestamp, likewise */
    const struct dvl_container *containers; /* init containers first, each kind in order of declaration */
    size_t container_count;
};

struct dvl_configmap {
    const char *namespace_;
    const char *name;
    struct dvl_pairs labels, data;
};

enum dvl_object_kind { DVL_OBJECT_OTHER, DVL_OBJECT_NODE, DVL_OBJECT_POD, DVL_OBJECT_CONFIGMAP };

struct dvl_object {
    enum dvl_object_kind kind;
    const char *kind_name;  /* as written: "Node", "Deployment" … */
    const char *namespace_; /* NULL for kinds without one (Node, and unknown kinds that have none) */
    const char *name;
    union {
        struct dvl_node node;
        struct dvl_pod pod;
        struct dvl_configmap configmap;
    } as;
};

/* Reads one object. Refused with DVL_BAD_INPUT: no kind or name, a wrong type
 * of a member that is read, a name with bytes a Kubernetes name can't have
 * (control characters; '/' in a name). `kind_hint` is the kind of the list
 * that it came from ("Node" for a NodeList), for items without a kind of
 * their own; may be NULL. The content of annotations and quantities is not
 * judged here. */
enum dvl_status dvl_object_read(struct dvl_arena *arena, const struct dvl_value *value, const char *kind_hint,
                                struct dvl_object *out, struct dvl_error *error);

/* The items of a List, NodeList, PodList … as a list, and the kind_hint with
 * which each is to be read. *items is NULL when `value` is no list. For lists
 * that came as one value; a manifest's lists are split while they are read. */
enum dvl_status dvl_object_items(struct dvl_arena *arena, const struct dvl_value *value, const struct dvl_value **items,
                                 const char **kind_hint, struct dvl_error *error);

/* Containers as one JSON text, for the pod's row, and back. */
char *dvl_containers_json(struct dvl_arena *arena, const struct dvl_pod *pod);
enum dvl_status dvl_containers_read_json(struct dvl_arena *arena, const char *json, struct dvl_pod *pod,
                                         struct dvl_error *error);

#endif
