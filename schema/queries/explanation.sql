-- Why the last schedule of a pod found no node.

-- name: insert
-- In: all columns but id.
INSERT INTO explanation (pod_id, at, node, code, backend, device, reason, message)
VALUES (:pod_id, :now, :node, :code, :backend, :device, :reason, :message);

-- name: delete
-- In: pod_id.
DELETE FROM explanation
 WHERE pod_id = :pod_id;
