/* Lists of objects: which kinds they are, and what their items are. */
#include "objects.h"
#include "tree.h"

#include <string.h>

static const char SUFFIX[] = "List";

bool dvl_kind_is_list(const char *kind)
{
    size_t length = strlen(kind), suffix = strlen(SUFFIX);
    return length >= suffix && strcmp(kind + length - suffix, SUFFIX) == 0;
}

bool dvl_kind_is_known_list(const char *kind)
{
    static const char *const known[] = {"List", "NodeList", "PodList", "ConfigMapList"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(kind, known[i]) == 0)
            return true;
    }
    return false;
}

bool dvl_version_is_core(const char *version)
{
    return !version || !*version || strcmp(version, "v1") == 0;
}

enum dvl_status dvl_list_hint(struct dvl_arena *arena, const char *kind, const char *version, const char **out,
                              struct dvl_error *error)
{
    *out = NULL;
    if (!dvl_kind_is_list(kind) || strcmp(kind, SUFFIX) == 0)
        return DVL_OK;
    bool core = dvl_version_is_core(version);
    *out = dvl_arena_format(arena, "%s%s%.*s", core ? "" : version, core ? "" : "/",
                            (int)(strlen(kind) - strlen(SUFFIX)), kind);
    return *out ? DVL_OK : dvl_error_memory(error);
}

enum dvl_status dvl_object_items(struct dvl_arena *arena, const struct dvl_value *value, const struct dvl_value **items,
                                 const char **kind_hint, struct dvl_error *error)
{
    static const struct dvl_value none = {.kind = DVL_VALUE_LIST};
    struct dvl_members members = {.arena = arena, .error = error, .line = value ? value->line : 0};
    const char *kind = NULL, *version = NULL;
    *items = NULL;
    *kind_hint = NULL;
    enum dvl_status status = dvl_member_text(&members, value, "", "kind", &kind);
    if (status == DVL_OK)
        status = dvl_member_text(&members, value, "", "apiVersion", &version);
    if (status != DVL_OK || !kind || !dvl_kind_is_list(kind))
        return status;
    if (!dvl_kind_is_known_list(kind) && !dvl_value_find(value, "items"))
        return DVL_OK;
    status = dvl_member_list(&members, value, "", "items", items);
    if (status == DVL_OK && !*items)
        *items = &none;
    return status == DVL_OK ? dvl_list_hint(arena, kind, version, kind_hint, error) : status;
}
