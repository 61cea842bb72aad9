/* devledger: a ledger of GPU and NPU devices, and of who holds them.
 *
 * The only installed header. A program opens a ledger, makes calls, reads
 * answers. A call is one verb with its arguments; verbs, arguments and answers
 * are those of `devledger batch` (see devledger-batch(5)), so that what can be
 * said in one language can be said in every other one.
 *
 * Units: memory is MiB as the cluster's resources count it; cores are percent
 * for NVIDIA and AI cores for Ascend (percent in soft mode); times in answers
 * are RFC 3339 in UTC with microseconds.
 *
 * Ownership: what comes out through a `**` pointer is the caller's, to be
 * freed with the function of its type; values belong to their answer; texts
 * belong to their value. A `const *` argument is only borrowed for the call.
 *
 * Threads: a ledger is used by one thread at a time. Any number of ledgers, in
 * any number of processes, may be open on one database file.
 *
 * Errors: functions answer a dvl_status; the sentence for people is
 * dvl_ledger_error(). The library never prints, exits or aborts. */
#ifndef DEVLEDGER_H
#define DEVLEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(DVL_STATIC)
#define DVL_EXPORT __attribute__((visibility("default")))
#else
#define DVL_EXPORT
#endif

/* What became of a call. */
enum dvl_status {
    DVL_OK = 0,
    DVL_BAD_INPUT, /* what was given does not read, or can never be right */
    DVL_NOT_FOUND, /* no such pod, node, device, lock */
    DVL_CONFLICT,  /* contradicts what the ledger holds */
    DVL_NO_FIT,    /* the node does not take the pod; or no node does */
    DVL_LOCKED,    /* somebody else holds the node's lock */
    DVL_BUSY,      /* the writer's turn did not come in time */
    DVL_FORBIDDEN, /* not allowed here (a writing statement in `sql`, a read-only file) */
    DVL_DATABASE,  /* the file could not be read or written, or is damaged */
    DVL_NO_MEMORY,
    DVL_UNSUPPORTED, /* a file of another program or of a newer version; a verb that is unknown */
};

/* "bad_input", "not_found" …: the code in answers. Never NULL. */
DVL_EXPORT const char *dvl_status_name(enum dvl_status status);

/* "1.0.0". */
DVL_EXPORT const char *dvl_version(void);

/* ---- Values: what answers are made of ---------------------------------- */

enum dvl_value_kind {
    DVL_VALUE_NULL,
    DVL_VALUE_BOOL,
    DVL_VALUE_NUMBER, /* its text is exact; no number passes through a double */
    DVL_VALUE_STRING,
    DVL_VALUE_LIST,
    DVL_VALUE_MAP,
};

struct dvl_value;

/* All of these take NULL as a null value. */
DVL_EXPORT enum dvl_value_kind dvl_value_kind(const struct dvl_value *value);
DVL_EXPORT bool dvl_value_is_true(const struct dvl_value *value);
/* Text of a string or number, "true"/"false" of a bool; NULL for others. */
DVL_EXPORT const char *dvl_value_text(const struct dvl_value *value);
/* False when it is no whole number of 64 bits; *out is then unchanged. */
DVL_EXPORT bool dvl_value_integer(const struct dvl_value *value, int64_t *out);
DVL_EXPORT size_t dvl_value_count(const struct dvl_value *value);
/* A member of a map, by its exact name; NULL when there is none. */
DVL_EXPORT const struct dvl_value *dvl_value_get(const struct dvl_value *map, const char *name);
/* Walks members and items in order; NULL at the end. */
DVL_EXPORT const struct dvl_value *dvl_value_first(const struct dvl_value *parent);
DVL_EXPORT const struct dvl_value *dvl_value_next(const struct dvl_value *child);
/* The name under which a map holds this child; NULL for items of a list. */
DVL_EXPORT const char *dvl_value_name(const struct dvl_value *child);

/* ---- Answers ------------------------------------------------------------ */

struct dvl_answer;

/* The answer's value; lives as long as the answer. */
DVL_EXPORT const struct dvl_value *dvl_answer_value(const struct dvl_answer *answer);
/* The answer as JSON on one line, without a newline; lives as long as the
 * answer. NULL when memory is out. */
DVL_EXPORT const char *dvl_answer_json(struct dvl_answer *answer);
DVL_EXPORT void dvl_answer_free(struct dvl_answer *answer); /* takes NULL */

/* ---- The ledger --------------------------------------------------------- */

struct dvl_ledger;

enum dvl_durability {
    DVL_DURABILITY_FULL,   /* what was acknowledged survives power loss */
    DVL_DURABILITY_NORMAL, /* … survives the death of the process */
};

/* Zeroed is a sound choice but for `path`. */
struct dvl_open_options {
    const char *path;    /* of the file; ":memory:" for one that lives as long as the handle */
    const char *actor;   /* for the audit log; NULL: the user's name */
    const char *command; /* for the audit log; NULL: "library" */
    enum dvl_durability durability;
    int wait_ms;          /* how long to queue for the writer's turn; 0: 5 s; negative: not at all */
    bool read_only;       /* no statement of this handle can write */
    bool create;          /* make the file (mode 0600) and its tables when missing */
    int64_t lock_seconds; /* term of a node lock; 0: 300 */
};

/* Opens a ledger, and brings an older schema up to date unless read_only. On
 * failure *out is NULL and the sentence is in `message` (may be NULL).
 * DVL_NOT_FOUND: no file and not `create`. DVL_UNSUPPORTED: another program's
 * file, or a newer schema; the file is not touched. */
DVL_EXPORT enum dvl_status dvl_ledger_open(const struct dvl_open_options *options, struct dvl_ledger **out,
                                           char *message, size_t message_size);
/* Rolls back what is open. Takes NULL. */
DVL_EXPORT void dvl_ledger_close(struct dvl_ledger *ledger);
/* The sentence for the last call that failed; "" when the last one did not. */
DVL_EXPORT const char *dvl_ledger_error(const struct dvl_ledger *ledger);

/* One call: `request` is one JSON object of `length` bytes, for instance
 *     {"op":"filter","pod":"ml/train-0"}
 * The answer is in *out, also when it is a refusal ({"ok":false,"error":…});
 * *out is NULL only when memory is out. Answers DVL_OK when "ok" is true. */
DVL_EXPORT enum dvl_status dvl_call(struct dvl_ledger *ledger, const char *request, size_t length,
                                    struct dvl_answer **out);

/* A call whose rows come one by one instead of as one list: `get`, `log` and
 * `sql`, for results of any size. `row` is valid during the callback; another
 * answer than 0 ends the walk early, without an error. */
typedef int dvl_row_function(void *context, const struct dvl_value *row);
DVL_EXPORT enum dvl_status dvl_call_rows(struct dvl_ledger *ledger, const char *request, size_t length,
                                         dvl_row_function *row, void *context);

/* Where manifests come from. `name` stands in messages. */
struct dvl_source {
    FILE *file;
    const char *name;
};

struct dvl_apply_options {
    bool dry_run;    /* everything is judged, nothing is kept */
    bool prune;      /* nodes and pods that the sources do not name are retired; kinds that do not occur stay */
    const char *now; /* RFC 3339, or NULL for the clock */
};

/* Reads all sources as one transaction: all or nothing. `row` (may be NULL)
 * gets {"kind","name","action"} for each object, in order, before the commit. */
DVL_EXPORT enum dvl_status dvl_apply(struct dvl_ledger *ledger, const struct dvl_source *sources, size_t count,
                                     const struct dvl_apply_options *options, dvl_row_function *row, void *context);

#ifdef __cplusplus
}
#endif

#endif
