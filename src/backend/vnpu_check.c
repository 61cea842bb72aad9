/* Check codes of MindCluster's ConfigMaps: SHA-256 over an object as Go would
 * print it. The text at hand may have been printed anew by other tools, with
 * blanks and in another order, so it is brought back to Go's form first. */
#include "vnpu.h"

#include <stdlib.h>
#include <string.h>

/* Members of Go's structs, in their order. Others follow in the order of the
 * document, which is that of the writer's struct. */
static const char *const device_info_fields[] = {"DeviceList", "UpdateTime", NULL};
static const char *const node_info_fields[] = {"FaultDevList", "HeartbeatTime", "HeartbeatInterval", "NodeStatus",
                                               NULL};
static const char *const fault_fields[] = {"DeviceType", "DeviceId", "FaultCode", "FaultLevel", NULL};

struct printer {
    struct dvl_buffer *out;
    struct dvl_arena *arena;
};

static void add_value(const struct printer *printer, const struct dvl_value *value, const char *const *fields);

/* One character of a string; answers its bytes. */
static size_t add_character(struct dvl_buffer *out, const char *text, size_t left)
{
    unsigned char c = (unsigned char)text[0];
    if (c == '"' || c == '\\')
        dvl_buffer_format(out, "\\%c", c);
    else if (c == '\n' || c == '\r' || c == '\t')
        dvl_buffer_format(out, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
    else if (c < ' ' || c == '<' || c == '>' || c == '&')
        dvl_buffer_format(out, "\\u%04x", c);
    else if (left >= 3 && (memcmp(text, "\xe2\x80\xa8", 3) == 0 || memcmp(text, "\xe2\x80\xa9", 3) == 0)) {
        dvl_buffer_text(out, text[2] == (char)0xa8 ? "\\u2028" : "\\u2029");
        return 3;
    } else
        dvl_buffer_char(out, (char)c);
    return 1;
}

static void add_string(struct dvl_buffer *out, const char *text, size_t length)
{
    dvl_buffer_char(out, '"');
    for (size_t i = 0; i < length;)
        i += add_character(out, text + i, length - i);
    dvl_buffer_char(out, '"');
}

static void add_member(const struct printer *printer, const struct dvl_value *member, bool *first)
{
    if (!*first)
        dvl_buffer_char(printer->out, ',');
    *first = false;
    add_string(printer->out, member->key, strlen(member->key));
    dvl_buffer_char(printer->out, ':');
    add_value(printer, member, strcmp(member->key, "FaultDevList") == 0 ? fault_fields : NULL);
}

static bool is_field(const char *const *fields, const char *key)
{
    for (; *fields; fields++) {
        if (strcmp(*fields, key) == 0)
            return true;
    }
    return false;
}

static void add_struct(const struct printer *printer, const struct dvl_value *map, const char *const *fields)
{
    bool first = true;
    for (const char *const *field = fields; *field; field++) {
        const struct dvl_value *member = dvl_value_find(map, *field);
        if (member)
            add_member(printer, member, &first);
    }
    for (const struct dvl_value *member = map->first; member; member = member->next) {
        if (!is_field(fields, member->key))
            add_member(printer, member, &first);
    }
}

static int by_key(const void *a, const void *b)
{
    const struct dvl_value *const *left = a, *const *right = b;
    return strcmp((*left)->key, (*right)->key);
}

static void add_map(const struct printer *printer, const struct dvl_value *map)
{
    const struct dvl_value **members = dvl_arena_array(printer->arena, map->count, sizeof(struct dvl_value *));
    if (!members) {
        printer->out->failed = true;
        return;
    }
    size_t count = 0;
    for (const struct dvl_value *member = map->first; member; member = member->next)
        members[count++] = member;
    qsort(members, count, sizeof(struct dvl_value *), by_key);
    bool first = true;
    for (size_t i = 0; i < count; i++)
        add_member(printer, members[i], &first);
}

static void add_list(const struct printer *printer, const struct dvl_value *list, const char *const *fields)
{
    dvl_buffer_char(printer->out, '[');
    for (const struct dvl_value *item = list->first; item; item = item->next) {
        if (item != list->first)
            dvl_buffer_char(printer->out, ',');
        add_value(printer, item, fields);
    }
    dvl_buffer_char(printer->out, ']');
}

/* The reader bounds the depth. `fields` is the struct that a map, or a list's
 * maps, are of; NULL: a map by key. */
static void add_value(const struct printer *printer, const struct dvl_value *value, const char *const *fields)
{
    switch (value->kind) {
    case DVL_VALUE_STRING:
        add_string(printer->out, value->text, value->length);
        return;
    case DVL_VALUE_NULL:
        dvl_buffer_text(printer->out, "null");
        return;
    case DVL_VALUE_BOOL:
        dvl_buffer_text(printer->out, value->truth ? "true" : "false");
        return;
    case DVL_VALUE_NUMBER:
        dvl_buffer_add(printer->out, value->text, value->length);
        return;
    case DVL_VALUE_LIST:
        add_list(printer, value, fields);
        return;
    case DVL_VALUE_MAP:
        dvl_buffer_char(printer->out, '{');
        if (fields)
            add_struct(printer, value, fields);
        else
            add_map(printer, value);
        dvl_buffer_char(printer->out, '}');
        return;
    }
}

void dvl_vnpu_go_json(struct dvl_buffer *out, struct dvl_arena *arena, const struct dvl_value *value,
                      enum dvl_vnpu_shape shape)
{
    struct printer printer = {.out = out, .arena = arena};
    add_value(&printer, value, shape == DVL_VNPU_DEVICE_INFO ? device_info_fields : node_info_fields);
}
