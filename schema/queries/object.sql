-- ConfigMaps that were taken.

-- name: by-name
-- In: kind, namespace, name. Out: the object, live or removed.
SELECT id, text, removed_at
  FROM object
 WHERE kind = :kind AND namespace = :namespace AND name = :name;

-- name: list
-- In: kind. Out: all that are there.
-- scan: all of them are wanted.
SELECT id, namespace, name, text
  FROM object
 WHERE kind = :kind AND removed_at IS NULL
 ORDER BY namespace, name;

-- name: insert
-- In: all columns but id and removed_at.
INSERT INTO object (kind, namespace, name, text, updated_at)
VALUES (:kind, :namespace, :name, :text, :now);

-- name: update
-- In: id, text, now. A removed object is there again.
UPDATE object
   SET text = :text, updated_at = :now, removed_at = NULL
 WHERE id = :id;

-- name: remove
-- In: id, now.
UPDATE object
   SET updated_at = :now, removed_at = :now
 WHERE id = :id AND removed_at IS NULL;
