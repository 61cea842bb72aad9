/* The authorizer of the `sql` verb. The rule is default-deny: what is not in
 * one of these lists, or is an action that this file does not name, is
 * refused, also when a later SQLite brings it. */
#include "sql_rules.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* All that read and compute; sorted. Not here: load_extension, and what the
 * full-text modules bring. */
static const char *const functions[] = {
    "->",
    "->>",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "avg",
    "ceil",
    "ceiling",
    "char",
    "coalesce",
    "cos",
    "cosh",
    "count",
    "cume_dist",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "degrees",
    "dense_rank",
    "exp",
    "first_value",
    "floor",
    "format",
    "glob",
    "group_concat",
    "hex",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_error_position",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_insert",
    "json_object",
    "json_patch",
    "json_quote",
    "json_remove",
    "json_replace",
    "json_set",
    "json_type",
    "json_valid",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "max",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "percent_rank",
    "pi",
    "pow",
    "power",
    "printf",
    "quote",
    "radians",
    "random",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "sin",
    "sinh",
    "sqlite_version",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "tan",
    "tanh",
    "time",
    "timediff",
    "total",
    "trim",
    "trunc",
    "typeof",
    "unhex",
    "unicode",
    "unixepoch",
    "unlikely",
    "upper",
    "zeroblob",
};

/* These only tell, when they have no argument or the name of a table. */
static const char *const pragmas[] = {
    "application_id", "collation_list", "compile_options", "database_list", "encoding",    "foreign_key_list",
    "freelist_count", "function_list",  "index_info",      "index_list",    "index_xinfo", "page_count",
    "page_size",      "schema_version", "table_info",      "table_list",    "table_xinfo", "user_version",
};

/* Of those, the ones whose argument is a name and not a value to set. */
static const char *const naming_pragmas[] = {
    "foreign_key_list", "index_info", "index_list", "index_xinfo", "table_info", "table_list", "table_xinfo",
};

/* Beside the schema's own. A pragma's table is judged as a pragma, too. */
static const char *const modules[] = {
    "json_each",
    "json_tree",
    "pragma_database_list",
    "pragma_foreign_key_list",
    "pragma_function_list",
    "pragma_index_info",
    "pragma_index_list",
    "pragma_index_xinfo",
    "pragma_table_info",
    "pragma_table_list",
    "pragma_table_xinfo",
    "sqlite_master",
    "sqlite_schema",
};

static int compare_names(const void *name, const void *entry)
{
    return sqlite3_stricmp(name, *(const char *const *)entry);
}

static bool is_in(const char *name, const char *const *list, size_t count)
{
    return name && bsearch(name, list, count, sizeof *list, compare_names) != NULL;
}

static bool is_table(const struct dvl_sql_rules *rules, const char *name)
{
    for (size_t i = 0; i < rules->table_count; i++)
        if (sqlite3_stricmp(rules->tables[i], name) == 0)
            return true;
    return is_in(name, modules, COUNT(modules));
}

static int deny(struct dvl_sql_rules *rules, const char *what, const char *name)
{
    if (rules->forbidden[0] == '\0')
        (void)snprintf(rules->forbidden, sizeof rules->forbidden, "%s%s%s", what, name ? " " : "", name ? name : "");
    return SQLITE_DENY;
}

static const char *action_name(int action)
{
    static const struct {
        int action;
        const char *name;
    } names[] = {
        {SQLITE_INSERT, "INSERT"},
        {SQLITE_UPDATE, "UPDATE"},
        {SQLITE_DELETE, "DELETE"},
        {SQLITE_ATTACH, "ATTACH (or VACUUM INTO)"},
        {SQLITE_DETACH, "DETACH"},
        {SQLITE_TRANSACTION, "a transaction"},
        {SQLITE_SAVEPOINT, "a savepoint"},
        {SQLITE_ALTER_TABLE, "ALTER TABLE"},
        {SQLITE_REINDEX, "REINDEX"},
        {SQLITE_ANALYZE, "ANALYZE"},
        {SQLITE_CREATE_VTABLE, "a virtual table"},
        {SQLITE_DROP_VTABLE, "a virtual table"},
    };
    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].action == action)
            return names[i].name;
    return "CREATE or DROP";
}

int dvl_sql_authorize(void *context, int action, const char *first, const char *second, const char *schema,
                      const char *cause)
{
    struct dvl_sql_rules *rules = context;
    (void)schema;
    (void)cause;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_READ:
        /* No column is read: also asked for a CTE or a subquery, by a name that no schema has. */
        if (second && *second == '\0')
            return SQLITE_OK;
        return is_table(rules, first) ? SQLITE_OK : deny(rules, "the table", first);
    case SQLITE_FUNCTION:
        return is_in(second, functions, COUNT(functions)) ? SQLITE_OK : deny(rules, "the function", second);
    case SQLITE_PRAGMA:
        if (!is_in(first, pragmas, COUNT(pragmas)) || (second && !is_in(first, naming_pragmas, COUNT(naming_pragmas))))
            return deny(rules, "PRAGMA", first);
        return SQLITE_OK;
    default: /* all the rest, also what SQLite may learn some day */
        return deny(rules, action_name(action), action == SQLITE_TRANSACTION ? NULL : first);
    }
}
