/* YAML events → values: one node with all that is in it, and whole texts. */
#include "manifest.h"
#include "yaml_events.h"
#include "yaml_scalar.h"

#include <string.h>

#define TAGS "tag:yaml.org,2002:"

static enum dvl_status refuse_tag(struct dvl_yaml *yaml, const char *tag, struct dvl_error *error)
{
    char shown[DVL_SHOW_SIZE];
    return dvl_report(error, yaml->name, dvl_yaml_line(yaml), "the tag %s is not taken here",
                      dvl_show_text(shown, tag));
}

/* ---- Scalars ---- */

static struct dvl_span scalar_text(const struct dvl_yaml *yaml)
{
    return (struct dvl_span){.start = (const char *)yaml->event.data.scalar.value,
                             .length = yaml->event.data.scalar.length};
}

/* !!int "5": the tag must say what the text would say when it stood plain. */
static bool tag_fits(const char *tag, struct dvl_span text, enum dvl_value_kind *kind, bool *truth)
{
    static const struct {
        const char *tag;
        enum dvl_value_kind kind;
    } tags[] = {
        {TAGS "null", DVL_VALUE_NULL},
        {TAGS "bool", DVL_VALUE_BOOL},
        {TAGS "int", DVL_VALUE_NUMBER},
        {TAGS "float", DVL_VALUE_NUMBER},
    };
    if (strcmp(tag, TAGS "str") == 0) {
        *kind = DVL_VALUE_STRING;
        return true;
    }
    *kind = dvl_yaml_resolve(text, truth);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        if (strcmp(tag, tags[i].tag) == 0)
            return *kind == tags[i].kind;
    }
    return false;
}

static enum dvl_status scalar(struct dvl_yaml *yaml, struct dvl_arena *arena, struct dvl_value **out,
                              struct dvl_error *error)
{
    const char *tag = (const char *)yaml->event.data.scalar.tag;
    struct dvl_span text = scalar_text(yaml);
    enum dvl_value_kind kind = DVL_VALUE_STRING;
    bool truth = false;
    bool plain = !tag && yaml->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (tag && !tag_fits(tag, text, &kind, &truth))
        return refuse_tag(yaml, tag, error);
    if (plain)
        kind = dvl_yaml_resolve(text, &truth);
    struct dvl_value *value = dvl_tree_leaf(arena, kind, text, dvl_yaml_line(yaml));
    if (!value)
        return dvl_error_memory(error);
    value->plain = plain;
    value->truth = truth;
    *out = value;
    return DVL_OK;
}

enum dvl_status dvl_yaml_key(struct dvl_yaml *yaml, struct dvl_arena *arena, const char **out, struct dvl_error *error)
{
    const yaml_event_t *event = &yaml->event;
    if (event->type != YAML_SCALAR_EVENT)
        return dvl_report(error, yaml->name, dvl_yaml_line(yaml), "a map or a list can't be the name of a member");
    const char *tag = (const char *)event->data.scalar.tag;
    if (tag && strcmp(tag, TAGS "str") != 0)
        return refuse_tag(yaml, tag, error);
    struct dvl_span text = scalar_text(yaml);
    if (!tag && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && dvl_span_is(text, "<<"))
        return dvl_report(error, yaml->name, dvl_yaml_line(yaml), "merge keys (<<) are not taken");
    *out = dvl_arena_bytes(arena, text.start, text.length);
    return *out ? DVL_OK : dvl_error_memory(error);
}

/* ---- Maps and lists ---- */

static enum dvl_status list(struct dvl_yaml *yaml, struct dvl_arena *arena, struct dvl_value *parent,
                            struct dvl_error *error)
{
    for (;;) {
        struct dvl_value *item = NULL;
        enum dvl_status status = dvl_yaml_next(yaml, error);
        if (status != DVL_OK || yaml->event.type == YAML_SEQUENCE_END_EVENT)
            return status;
        status = dvl_yaml_value(yaml, arena, &item, error);
        if (status != DVL_OK)
            return status;
        dvl_value_add(parent, item);
    }
}

static enum dvl_status map(struct dvl_yaml *yaml, struct dvl_arena *arena, struct dvl_value *parent,
                           struct dvl_error *error)
{
    for (;;) {
        const char *key = NULL;
        struct dvl_value *member = NULL;
        enum dvl_status status = dvl_yaml_next(yaml, error);
        if (status == DVL_OK && yaml->event.type == YAML_MAPPING_END_EVENT)
            return dvl_tree_check_names(parent, yaml->name, error);
        if (status == DVL_OK)
            status = dvl_yaml_key(yaml, arena, &key, error);
        if (status == DVL_OK)
            status = dvl_yaml_next(yaml, error);
        if (status == DVL_OK)
            status = dvl_yaml_value(yaml, arena, &member, error);
        if (status != DVL_OK)
            return status;
        dvl_value_set(parent, key, member);
    }
}

enum dvl_status dvl_yaml_begin_nest(struct dvl_yaml *yaml, struct dvl_arena *arena, struct dvl_value **out,
                                    struct dvl_error *error)
{
    const yaml_event_t *event = &yaml->event;
    bool is_map = event->type == YAML_MAPPING_START_EVENT;
    const char *tag = (const char *)(is_map ? event->data.mapping_start.tag : event->data.sequence_start.tag);
    if (tag && strcmp(tag, is_map ? TAGS "map" : TAGS "seq") != 0)
        return refuse_tag(yaml, tag, error);
    struct dvl_value *value = is_map ? dvl_value_map(arena) : dvl_value_list(arena);
    if (!value)
        return dvl_error_memory(error);
    value->line = dvl_yaml_line(yaml);
    *out = value;
    return DVL_OK;
}

static enum dvl_status nest(struct dvl_yaml *yaml, struct dvl_arena *arena, struct dvl_value **out,
                            struct dvl_error *error)
{
    bool is_map = yaml->event.type == YAML_MAPPING_START_EVENT;
    enum dvl_status status = dvl_yaml_begin_nest(yaml, arena, out, error);
    if (status != DVL_OK)
        return status;
    return is_map ? map(yaml, arena, *out, error) : list(yaml, arena, *out, error);
}

/* Calls itself as deep as the text is nested, which the events bound. */
enum dvl_status dvl_yaml_value(struct dvl_yaml *yaml, struct dvl_arena *arena, struct dvl_value **out,
                               struct dvl_error *error)
{
    return yaml->event.type == YAML_SCALAR_EVENT ? scalar(yaml, arena, out, error) : nest(yaml, arena, out, error);
}

/* ---- Whole texts ---- */

static enum dvl_status one_document(struct dvl_yaml *yaml, struct dvl_arena *arena, struct dvl_value **out,
                                    struct dvl_error *error)
{
    enum dvl_status status = dvl_yaml_next(yaml, error); /* the stream's start */
    if (status == DVL_OK)
        status = dvl_yaml_next(yaml, error);
    if (status != DVL_OK)
        return status;
    if (yaml->event.type == YAML_STREAM_END_EVENT) {
        *out = dvl_value_null(arena);
        return *out ? DVL_OK : dvl_error_memory(error);
    }
    status = dvl_yaml_next(yaml, error);
    if (status == DVL_OK)
        status = dvl_yaml_value(yaml, arena, out, error);
    if (status == DVL_OK)
        status = dvl_yaml_next(yaml, error); /* the document's end */
    if (status == DVL_OK)
        status = dvl_yaml_next(yaml, error);
    if (status == DVL_OK && yaml->event.type != YAML_STREAM_END_EVENT)
        status = dvl_report(error, NULL, dvl_yaml_line(yaml), "a second document begins where one is expected");
    return status;
}

enum dvl_status dvl_yaml_read(struct dvl_arena *arena, const char *text, size_t length, struct dvl_value **out,
                              struct dvl_error *error)
{
    struct dvl_yaml yaml = {0};
    enum dvl_status status = dvl_yaml_open_text(&yaml, (struct dvl_span){.start = text, .length = length}, error);
    if (status == DVL_OK)
        status = one_document(&yaml, arena, out, error);
    dvl_yaml_close(&yaml);
    return status;
}

enum dvl_status dvl_text_read(struct dvl_arena *arena, const char *text, size_t length, struct dvl_value **out,
                              struct dvl_error *error)
{
    size_t mark = dvl_mark_length(text, length);
    struct dvl_span rest = dvl_span_trim((struct dvl_span){.start = text + mark, .length = length - mark});
    bool json = rest.length && (rest.start[0] == '{' || rest.start[0] == '[');
    return json ? dvl_json_read(arena, text, length, out, error) : dvl_yaml_read(arena, text, length, out, error);
}
