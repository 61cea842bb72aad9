/* Text → objects, one at a time, with memory that does not grow with the
 * input: the reader of manifest files.
 *
 * Takes JSON and YAML (told apart by the first byte that is no blank: '{' or
 * '[' is JSON): single objects, several documents, JSON one after the other,
 * List and NodeList, PodList, ConfigMapList (split into their items as they
 * stream by), and watch events {"type","object"}. */
#ifndef DVL_MANIFEST_MANIFEST_H
#define DVL_MANIFEST_MANIFEST_H

#include "object.h"

#include <stdio.h>

enum { DVL_DEPTH_MAX = 64 };                         /* nesting of lists and maps */
#define DVL_ITEM_SIZE_MAX ((size_t)16 * 1024 * 1024) /* bytes of one object */

/* One whole text in memory → one value. Exactly one document; trailing
 * garbage, duplicate keys, aliases, NUL bytes, broken UTF-8, \u0000, depth
 * over DVL_DEPTH_MAX are DVL_BAD_INPUT ("line 3: …"). Source text may be
 * freed afterwards. */
enum dvl_status dvl_json_read(struct dvl_arena *arena, const char *text, size_t length, struct dvl_value **out,
                              struct dvl_error *error);
/* YAML 1.1 scalars (yes/on are bools, as yaml.v2 has it); an empty text gives
 * a null value. A text that starts with '{' or '[' is read as YAML flow, too. */
enum dvl_status dvl_yaml_read(struct dvl_arena *arena, const char *text, size_t length, struct dvl_value **out,
                              struct dvl_error *error);
/* JSON when the first byte that is no blank is { or [, else YAML. */
enum dvl_status dvl_text_read(struct dvl_arena *arena, const char *text, size_t length, struct dvl_value **out,
                              struct dvl_error *error);

enum dvl_watch_type { DVL_WATCH_NONE, DVL_WATCH_ADDED, DVL_WATCH_MODIFIED, DVL_WATCH_DELETED, DVL_WATCH_BOOKMARK };

struct dvl_manifest_item {
    struct dvl_value *value; /* the object, in `arena` of next() */
    const char *kind_hint;   /* "Node" in a NodeList; NULL */
    enum dvl_watch_type watch;
    size_t position; /* which object of the file, from 1 */
    int line;        /* where it starts */
};

struct dvl_manifest;

/* Reads from `file` (borrowed, must outlive the reader). `name` is what error
 * messages call it ("nodes.yaml", "-"). */
enum dvl_status dvl_manifest_open(FILE *file, const char *name, struct dvl_manifest **out, struct dvl_error *error);
/* The next object; *got = false at the end. `arena` is reset by the caller
 * between items. Messages carry "file:line: ". */
enum dvl_status dvl_manifest_next(struct dvl_manifest *manifest, struct dvl_arena *arena,
                                  struct dvl_manifest_item *item, bool *got, struct dvl_error *error);
void dvl_manifest_close(struct dvl_manifest *manifest);

#endif
