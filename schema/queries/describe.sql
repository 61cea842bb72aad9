-- What `describe` reads beside the rows of `get`.

-- name: node-backends
-- What each backend makes of a node, in order of registration. In: :node, :backends (JSON list of names). Out: backend,
-- schedulable, reason, message, capacity, soft.
SELECT b.backend, b.schedulable, b.reason, b.message, b.capacity, b.soft
FROM node n JOIN node_backend b ON b.node_id = n.id
WHERE n.name = :node
ORDER BY coalesce((SELECT key FROM json_each(:backends) WHERE value = b.backend), 1000), b.backend;

-- name: requests
-- What a pod's containers ask. In: :pod_uid. Out: the columns of a request.
SELECT r.container, r.backend, r.count, r.memory, r.memory_percent, r.cores, r.template
FROM pod p JOIN request r ON r.pod_id = p.id
WHERE p.uid = :pod_uid
ORDER BY r.ordinal, r.backend;

-- name: locks-held
-- Node locks that a pod holds. In: :pod (namespace/name), :pod_uid. Out: node, name, taken_at, expires_at.
-- scan: the locks that are held now, of which there is at most one for each node and lock name.
SELECT n.name AS node, l.name, l.taken_at, l.expires_at
FROM node_lock l JOIN node n ON n.id = l.node_id
WHERE l.released_at IS NULL AND (l.holder = :pod OR l.holder = :pod || '/' || :pod_uid)
ORDER BY n.name, l.name;

-- name: explanation
-- Why the last schedule of a pod found no node. In: :pod_uid. Out: the columns of an explanation.
SELECT e.at, e.node, e.code, e.backend, e.device, e.reason, e.message
FROM pod p JOIN explanation e ON e.pod_id = p.id
WHERE p.uid = :pod_uid
ORDER BY e.at DESC, e.node, e.id;
