-- Nodes, what a backend makes of them, and facts that ConfigMaps tell of them.

-- name: by-name
-- In: name. Out: the node, live or removed.
SELECT id, name, labels, annotations, capacity, allocatable, updated_at, removed_at
  FROM node
 WHERE name = :name;

-- name: list
-- Out: id and name of every node that is there, in order of name.
-- scan: all of them are wanted.
SELECT id, name
  FROM node
 WHERE removed_at IS NULL
 ORDER BY name;

-- name: insert
-- In: all columns but id and removed_at.
INSERT INTO node (name, labels, annotations, capacity, allocatable, updated_at)
VALUES (:name, :labels, :annotations, :capacity, :allocatable, :now);

-- name: update
-- In: id and what the manifest says. A removed node is there again.
UPDATE node
   SET labels = :labels,
       annotations = :annotations,
       capacity = :capacity,
       allocatable = :allocatable,
       updated_at = :now,
       removed_at = NULL
 WHERE id = :id;

-- name: remove
-- In: id, now.
UPDATE node
   SET updated_at = :now, removed_at = :now
 WHERE id = :id AND removed_at IS NULL;

-- name: backends
-- In: node_id. Out: what each backend makes of the node.
SELECT backend, schedulable, reason, message, capacity, soft
  FROM node_backend
 WHERE node_id = :node_id;

-- name: backend
-- In: node_id, backend. Out: at most one row.
SELECT schedulable, reason, message, capacity, soft
  FROM node_backend
 WHERE node_id = :node_id AND backend = :backend;

-- name: backend-delete
-- In: node_id, backend.
DELETE FROM node_backend
 WHERE node_id = :node_id AND backend = :backend;

-- name: backend-insert
-- In: all columns.
INSERT INTO node_backend (node_id, backend, schedulable, reason, message, capacity, soft)
VALUES (:node_id, :backend, :schedulable, :reason, :message, :capacity, :soft);

-- name: facts
-- In: node_name. Out: what ConfigMaps that are there say about it.
SELECT f.key, f.text
  FROM node_fact AS f
 WHERE f.node_name = :node_name
 ORDER BY f.key, f.object_id;

-- name: facts-of-object
-- In: object_id. Out: the facts that it told.
SELECT id, node_name, key, text
  FROM node_fact
 WHERE object_id = :object_id
 ORDER BY node_name, key;

-- name: fact-insert
-- In: all columns but id.
INSERT INTO node_fact (object_id, node_name, key, text)
VALUES (:object_id, :node_name, :key, :text);

-- name: fact-delete
-- In: id.
DELETE FROM node_fact
 WHERE id = :id;
