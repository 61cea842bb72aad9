-- The schema's own definition: what the file holds, and how today's triggers
-- and views replace it.

-- name: is-current
-- Whether the triggers and views are those of this program. In: digest. Out:
-- current (0, 1).
-- scan: the definition is small.
SELECT EXISTS (
    SELECT 1
    FROM sqlite_schema
    WHERE type = 'view' AND name = 'definition' AND instr(sql, :digest) > 0
) AS current;

-- name: drops
-- One statement for each trigger and view that there is. Out: statement.
-- scan: the definition is small.
SELECT 'DROP ' || upper(type) || ' "' || replace(name, '"', '""') || '"' AS statement
FROM sqlite_schema
WHERE type IN ('trigger', 'view')
ORDER BY type, name;

-- name: all
-- Everything that is defined, but for the statistics of ANALYZE. Out: type,
-- name, tbl_name, sql.
-- scan: the definition is small.
SELECT type, name, tbl_name, sql
FROM sqlite_schema
WHERE name NOT LIKE 'sqlite\_stat%' ESCAPE '\'
ORDER BY type, name;
