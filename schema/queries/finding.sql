-- What was wrong in what came in.

-- name: open-of-object
-- In: object_kind, object. Out: its open findings.
SELECT id, kind, key, position, text
  FROM finding
 WHERE object_kind = :object_kind AND object = :object AND closed_at IS NULL;

-- name: insert
-- In: all columns but id and closed_at.
INSERT INTO finding (kind, object_kind, object, key, position, text, opened_at)
VALUES (:kind, :object_kind, :object, :key, :position, :text, :now);

-- name: close
-- In: id, now.
UPDATE finding
   SET closed_at = :now
 WHERE id = :id AND closed_at IS NULL;
