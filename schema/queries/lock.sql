-- Node locks.

-- name: held
-- In: node_id, name. Out: the hold that is on, expired or not.
SELECT id, holder, origin, taken_at, expires_at
  FROM node_lock
 WHERE node_id = :node_id AND name = :name AND released_at IS NULL;

-- name: held-on-node
-- In: node_id. Out: all holds that are on.
SELECT id, name, holder, origin, taken_at, expires_at
  FROM node_lock
 WHERE node_id = :node_id AND released_at IS NULL
 ORDER BY name;

-- name: held-by
-- In: holder. Out: holds of that holder that are on.
-- scan: unreleased holds are few.
SELECT l.id, l.node_id, n.name AS node_name, l.name
  FROM node_lock AS l
  JOIN node AS n ON n.id = l.node_id
 WHERE l.holder = :holder AND l.released_at IS NULL
 ORDER BY n.name, l.name;

-- name: insert
-- In: all columns but id and the end.
INSERT INTO node_lock (node_id, name, holder, origin, taken_at, expires_at)
VALUES (:node_id, :name, :holder, :origin, :taken_at, :expires_at);

-- name: release
-- In: id, now, reason.
UPDATE node_lock
   SET released_at = :now, release_reason = :reason
 WHERE id = :id AND released_at IS NULL;
