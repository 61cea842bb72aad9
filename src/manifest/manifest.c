/* Pieces of a stream → objects, one at a time: lists give up their items,
 * watch events their object, empty documents nothing.
 *
 * `kubectl get -o json` writes its members in order of name, so that a List's
 * items come before its kind. Items with a kind of their own do not wait for
 * it; those without (a NodeList of the API, its members sorted) are held until
 * the kind has come, as many as fit into a bounded memory. */
#include "manifest.h"

#include "objects.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#define HELD_MAX ((size_t)64 * 1024 * 1024) /* bytes of values that wait for their kind */

struct dvl_manifest {
    struct dvl_input input;
    char *name;
    const struct dvl_stream_ops *ops;
    void *stream;
    size_t position;
    bool failed;
    bool gave; /* an item of this document is out already */
    struct dvl_arena held_arena;
    struct dvl_value *held;     /* a list of items without a kind, and what came behind them; may be NULL */
    struct dvl_value *released; /* the next of them that goes out; NULL: none */
};

/* ---- Items of lists ---- */

static enum dvl_status give(struct dvl_manifest *manifest, struct dvl_value *value, int line,
                            struct dvl_manifest_item *item)
{
    *item = (struct dvl_manifest_item){.value = value, .position = ++manifest->position, .line = line};
    return DVL_OK;
}

static enum dvl_status give_item(struct dvl_manifest *manifest, struct dvl_arena *arena, struct dvl_value *value,
                                 struct dvl_manifest_item *item, struct dvl_error *error)
{
    const struct dvl_envelope *envelope = manifest->ops->envelope(manifest->stream);
    give(manifest, value, value->line, item);
    return dvl_list_hint(arena, envelope->kind, envelope->version, &item->kind_hint, error);
}

static enum dvl_status hold(struct dvl_manifest *manifest, const struct dvl_value *value, struct dvl_error *error)
{
    if (!manifest->held)
        manifest->held = dvl_value_list(&manifest->held_arena);
    if (!dvl_value_add(manifest->held, dvl_value_copy(&manifest->held_arena, value)))
        return dvl_error_memory(error);
    if (manifest->held_arena.taken > HELD_MAX)
        return dvl_report(error, manifest->name, value->line,
                          "the list's kind is still not known; in a list of this size it must come before the items");
    return DVL_OK;
}

static void drop_held(struct dvl_manifest *manifest)
{
    dvl_arena_clear(&manifest->held_arena);
    manifest->held = NULL;
    manifest->released = NULL;
}

static enum dvl_status release(struct dvl_manifest *manifest, struct dvl_arena *arena, struct dvl_manifest_item *item,
                               struct dvl_error *error)
{
    struct dvl_value *value = dvl_value_copy(arena, manifest->released);
    if (!value)
        return dvl_error_memory(error);
    manifest->released = manifest->released->next;
    if (!manifest->released)
        drop_held(manifest);
    return give_item(manifest, arena, value, item, error);
}

static enum dvl_status take_item(struct dvl_manifest *manifest, struct dvl_arena *arena, const struct dvl_piece *piece,
                                 struct dvl_manifest_item *item, struct dvl_error *error)
{
    if (piece->value->kind != DVL_VALUE_MAP)
        return dvl_report(error, manifest->name, piece->line, "an item of the list must be an object, not %s",
                          dvl_tree_kind_name(piece->value));
    bool known = dvl_value_find(piece->value, "kind") || manifest->ops->envelope(manifest->stream)->kind[0];
    if (manifest->held || !known)
        return hold(manifest, piece->value, error);
    manifest->gave = true;
    return give_item(manifest, arena, piece->value, item, error);
}

/* ---- Documents ---- */

static const char *text_of(const struct dvl_value *value)
{
    return value && value->length && (value->kind == DVL_VALUE_STRING || value->plain) ? value->text : NULL;
}

/* The end of a document whose items went out, or are held. */
static enum dvl_status end_split(struct dvl_manifest *manifest, const struct dvl_piece *piece,
                                 struct dvl_manifest_item *item, struct dvl_error *error)
{
    char shown[DVL_SHOW_SIZE];
    const char *kind = text_of(dvl_value_find(piece->value, "kind"));
    if (!kind)
        return dvl_report(error, manifest->name, piece->line, "the object has no kind");
    if (dvl_kind_is_list(kind)) {
        if (manifest->held)
            manifest->released = manifest->held->first;
        return DVL_OK;
    }
    if (manifest->gave)
        return dvl_report(error, manifest->name, piece->line,
                          "a %s is no list, but has items that are objects; its kind must come before them",
                          dvl_show_text(shown, kind));
    drop_held(manifest);
    return give(manifest, piece->value, piece->line, item);
}

static enum dvl_status watch_error(struct dvl_manifest *manifest, const struct dvl_value *object,
                                   struct dvl_error *error)
{
    char shown[DVL_SHOW_SIZE];
    const char *message = text_of(dvl_value_find(object, "message"));
    return dvl_report(error, manifest->name, object ? object->line : 0, "the watch ended with an error: %s",
                      message ? dvl_show_text(shown, message) : "no message was given");
}

static enum dvl_status give_event(struct dvl_manifest *manifest, struct dvl_value *event, const char *type,
                                  struct dvl_manifest_item *item, struct dvl_error *error)
{
    static const struct {
        const char *name;
        enum dvl_watch_type type;
    } types[] = {{"ADDED", DVL_WATCH_ADDED},
                 {"MODIFIED", DVL_WATCH_MODIFIED},
                 {"DELETED", DVL_WATCH_DELETED},
                 {"BOOKMARK", DVL_WATCH_BOOKMARK}};
    struct dvl_value *object = event->first;
    while (object && strcmp(object->key, "object") != 0)
        object = object->next;
    if (strcmp(type, "ERROR") == 0)
        return watch_error(manifest, object, error);
    if (!object || object->kind != DVL_VALUE_MAP)
        return dvl_report(error, manifest->name, event->line, "a watch event needs an object, not %s",
                          dvl_tree_kind_name(object));
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i].name) == 0) {
            give(manifest, object, object->line, item);
            item->watch = types[i].type;
            return DVL_OK;
        }
    }
    char shown[DVL_SHOW_SIZE];
    return dvl_report(error, manifest->name, event->line,
                      "\"%s\" is none of the watch events ADDED, MODIFIED, DELETED, BOOKMARK, ERROR",
                      dvl_show_text(shown, type));
}

/* A list whose items were not split off: it has none. */
static enum dvl_status end_empty_list(struct dvl_manifest *manifest, const struct dvl_piece *piece, const char *kind,
                                      struct dvl_manifest_item *item, struct dvl_error *error)
{
    const struct dvl_value *items = dvl_value_find(piece->value, "items");
    if (items && items->kind == DVL_VALUE_LIST)
        return dvl_report(error, manifest->name, items->line, "the name items is written with escapes");
    if (items && items->kind != DVL_VALUE_NULL)
        return dvl_report(error, manifest->name, items->line, "items must be a list, not %s",
                          dvl_tree_kind_name(items));
    bool empty = items || dvl_kind_is_known_list(kind);
    return empty ? DVL_OK : give(manifest, piece->value, piece->line, item);
}

static enum dvl_status take_document(struct dvl_manifest *manifest, const struct dvl_piece *piece,
                                     struct dvl_manifest_item *item, struct dvl_error *error)
{
    if (piece->value->kind == DVL_VALUE_NULL)
        return DVL_OK; /* a document of nothing but comments */
    if (piece->value->kind != DVL_VALUE_MAP)
        return dvl_report(error, manifest->name, piece->line, "an object is expected, not %s",
                          dvl_tree_kind_name(piece->value));
    if (manifest->ops->envelope(manifest->stream)->split) {
        enum dvl_status status = end_split(manifest, piece, item, error);
        manifest->gave = false;
        return status;
    }
    const char *kind = text_of(dvl_value_find(piece->value, "kind"));
    const char *type = text_of(dvl_value_find(piece->value, "type"));
    if (!kind && type)
        return give_event(manifest, piece->value, type, item, error);
    if (kind && dvl_kind_is_list(kind))
        return end_empty_list(manifest, piece, kind, item, error);
    return give(manifest, piece->value, piece->line, item);
}

/* ---- The reader ---- */

/* `item` stays without a value when there is none. */
static enum dvl_status advance(struct dvl_manifest *manifest, struct dvl_arena *arena, struct dvl_manifest_item *item,
                               struct dvl_error *error)
{
    for (;;) {
        struct dvl_piece piece;
        if (manifest->released)
            return release(manifest, arena, item, error);
        enum dvl_status status = manifest->ops->next(manifest->stream, arena, &piece, error);
        if (status != DVL_OK || piece.kind == DVL_PIECE_END)
            return status;
        status = piece.kind == DVL_PIECE_ITEM ? take_item(manifest, arena, &piece, item, error)
                                              : take_document(manifest, &piece, item, error);
        if (status != DVL_OK || item->value)
            return status;
    }
}

enum dvl_status dvl_manifest_next(struct dvl_manifest *manifest, struct dvl_arena *arena,
                                  struct dvl_manifest_item *item, bool *got, struct dvl_error *error)
{
    *item = (struct dvl_manifest_item){0};
    *got = false;
    if (manifest->failed)
        return dvl_report(error, manifest->name, 0, "reading ended with an error");
    enum dvl_status status = advance(manifest, arena, item, error);
    manifest->failed = status != DVL_OK;
    *got = status == DVL_OK && item->value;
    return status;
}

enum dvl_status dvl_manifest_open(FILE *file, const char *name, struct dvl_manifest **out, struct dvl_error *error)
{
    *out = NULL;
    bool json = false;
    struct dvl_manifest *manifest = calloc(1, sizeof *manifest);
    if (!manifest || !(manifest->name = strdup(name))) {
        dvl_manifest_close(manifest);
        return dvl_error_memory(error);
    }
    dvl_arena_init(&manifest->held_arena, 0);
    enum dvl_status status = dvl_input_open(&manifest->input, file, manifest->name, &json, error);
    if (status == DVL_OK) {
        manifest->ops = json ? &dvl_json_stream : &dvl_yaml_stream;
        status = manifest->ops->open(&manifest->input, &manifest->stream, error);
    }
    if (status != DVL_OK) {
        dvl_manifest_close(manifest);
        return status;
    }
    *out = manifest;
    return DVL_OK;
}

void dvl_manifest_close(struct dvl_manifest *manifest)
{
    if (!manifest)
        return;
    if (manifest->ops)
        manifest->ops->close(manifest->stream);
    dvl_arena_clear(&manifest->held_arena);
    free(manifest->name);
    free(manifest);
}
