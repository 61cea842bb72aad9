-- What the `sql` verb may read.

-- name: tables
-- Every table and view. Out: name.
-- scan: the definition is small.
SELECT name
FROM sqlite_schema
WHERE type IN ('table', 'view')
ORDER BY name;

-- name: list
-- What the prompt's `.tables` shows: views, which are for people, before tables. Out: name, type.
-- scan: the definition is small.
SELECT name, type
FROM sqlite_schema
WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'
ORDER BY type DESC, name;

-- name: modules
-- Makes SQLite set up its table-valued functions, which it does with a CREATE
-- of its own that the authorizer would stop. Out: one row.
SELECT count(*) AS modules
FROM json_each('[]'), json_tree('[]'), pragma_table_info('node'), pragma_table_xinfo('node'), pragma_table_list,
     pragma_index_list('node'), pragma_index_info('device_by_node'), pragma_index_xinfo('device_by_node'),
     pragma_foreign_key_list('device'), pragma_database_list, pragma_function_list
WHERE 0;
