/* Members with their type. */
#include "members.h"

#include "../timestamp.h"
#include "tree.h"

#include <stdarg.h>
#include <string.h>

enum { NAME_MAX_BYTES = 253 };

enum dvl_status dvl_members_refuse(struct dvl_members *members, const struct dvl_value *where, const char *format, ...)
{
    struct dvl_error *error = members->error;
    va_list arguments;
    va_start(arguments, format);
    dvl_error_set_va(error, DVL_BAD_INPUT, format, arguments);
    va_end(arguments);
    if (error && where && where->line && where->line != members->line)
        dvl_error_set(error, DVL_BAD_INPUT, "%s (line %d)", error->message, where->line);
    if (members->label[0])
        dvl_error_prefix(error, "%s", members->label);
    return DVL_BAD_INPUT;
}

static bool is_null(const struct dvl_value *value)
{
    return !value || value->kind == DVL_VALUE_NULL;
}

static enum dvl_status nest(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                            const char *key, enum dvl_value_kind kind, const struct dvl_value **out)
{
    const struct dvl_value *value = dvl_value_find(parent, key);
    *out = NULL;
    if (is_null(value))
        return DVL_OK;
    if (value->kind != kind)
        return dvl_members_refuse(members, value, "%s%s must be %s, not %s", path, key,
                                  kind == DVL_VALUE_MAP ? "a map" : "a list", dvl_tree_kind_name(value));
    *out = value;
    return DVL_OK;
}

enum dvl_status dvl_member_map(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                               const char *key, const struct dvl_value **out)
{
    return nest(members, parent, path, key, DVL_VALUE_MAP, out);
}

enum dvl_status dvl_member_list(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                const char *key, const struct dvl_value **out)
{
    return nest(members, parent, path, key, DVL_VALUE_LIST, out);
}

enum dvl_status dvl_member_text(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                const char *key, const char **out)
{
    const struct dvl_value *value = dvl_value_find(parent, key);
    *out = NULL;
    if (is_null(value))
        return DVL_OK;
    if (value->kind != DVL_VALUE_STRING && !value->plain)
        return dvl_members_refuse(members, value, "%s%s must be a string, not %s", path, key,
                                  dvl_tree_kind_name(value));
    *out = value->length ? value->text : NULL;
    return DVL_OK;
}

static const char *name_problem(const char *name)
{
    size_t length = strlen(name);
    if (length > NAME_MAX_BYTES)
        return "is too long for a name (253 bytes are allowed)";
    for (const unsigned char *at = (const unsigned char *)name; *at; at++) {
        /* C1 control characters are C2 80 to C2 9F. */
        if (*at < 0x20 || *at == 0x7F || (*at == 0xC2 && at[1] < 0xA0))
            return "is no name: it holds a control character";
        if (strchr("'\"`", *at))
            return "is no name: it holds a quote";
        if (*at == ' ')
            return "is no name: it holds a blank";
        if (*at == '/')
            return "is no name: it holds a '/'";
        if (*at == '\\')
            return "is no name: it holds a '\\'";
        if (*at == ';')
            return "is no name: it holds a ';'";
    }
    return NULL;
}

enum dvl_status dvl_member_name(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                const char *key, const char **out)
{
    enum dvl_status status = dvl_member_text(members, parent, path, key, out);
    if (status != DVL_OK || !*out)
        return status;
    char shown[DVL_SHOW_SIZE];
    const char *problem = name_problem(*out);
    if (problem)
        return dvl_members_refuse(members, dvl_value_find(parent, key), "%s%s \"%s\" %s", path, key,
                                  dvl_show_text(shown, *out), problem);
    return DVL_OK;
}

enum dvl_status dvl_member_time(struct dvl_members *members, const struct dvl_value *parent, const char *path,
                                const char *key, int64_t *out)
{
    const char *text = NULL;
    enum dvl_status status = dvl_member_text(members, parent, path, key, &text);
    *out = 0;
    if (status != DVL_OK || !text || dvl_time_read(text, out))
        return status;
    char shown[DVL_SHOW_SIZE];
    return dvl_members_refuse(members, dvl_value_find(parent, key), "%s%s \"%s\" is no RFC 3339 time", path, key,
                              dvl_show_text(shown, text));
}
