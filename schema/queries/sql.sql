-- What the `sql` verb may read.

-- name: tables
-- Every table and view. Out: name.
SELECT name
FROM sqlite_schema
WHERE type IN ('table', 'view')
ORDER BY name;
