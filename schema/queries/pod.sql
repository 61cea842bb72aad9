-- Pods and what their containers ask.

-- name: by-uid
-- In: uid. Out: the pod, live or gone.
SELECT id, uid, namespace, name, labels, annotations, containers, phase, queue, pod_group, node_id, node_name,
       spec_node_name, created_at, terminating_at, deleted_at
  FROM pod
 WHERE uid = :uid;

-- name: by-id
-- In: id. Out: the pod, live or gone.
SELECT id, uid, namespace, name, labels, annotations, containers, phase, queue, pod_group, node_id, node_name,
       spec_node_name, created_at, terminating_at, deleted_at
  FROM pod
 WHERE id = :id;

-- name: live-by-name
-- In: namespace, name. Out: pods of that name that are not gone.
SELECT id, uid, namespace, name, labels, annotations, containers, phase, queue, pod_group, node_id, node_name,
       spec_node_name, created_at, terminating_at, deleted_at
  FROM pod
 WHERE namespace = :namespace AND name = :name AND deleted_at IS NULL
 ORDER BY id;

-- name: last-by-name
-- In: namespace, name. Out: the pod that bore the name last, live or gone.
SELECT phase, deleted_at
  FROM pod
 WHERE namespace = :namespace AND name = :name
 ORDER BY deleted_at IS NULL DESC, id DESC
 LIMIT 1;

-- name: list
-- Out: ids of all pods that are not gone, in order of arrival.
-- scan: all of them are wanted.
SELECT id
  FROM pod
 WHERE deleted_at IS NULL
 ORDER BY id;

-- name: list-on-node-name
-- In: node_name. Out: ids of pods that say they are there.
SELECT id
  FROM pod
 WHERE node_name = :node_name AND deleted_at IS NULL
 ORDER BY id;

-- name: insert
-- In: what the manifest says. It is nowhere until it is placed.
INSERT INTO pod (uid, namespace, name, labels, annotations, containers, phase, queue, pod_group, spec_node_name,
                 created_at, terminating_at, updated_at)
VALUES (:uid, :namespace, :name, :labels, :annotations, :containers, :phase, :queue, :pod_group, :spec_node_name,
        :created_at, :terminating_at, :now);

-- name: update
-- In: id and what the manifest says. A pod that was gone is there again.
UPDATE pod
   SET labels = :labels,
       annotations = :annotations,
       containers = :containers,
       phase = :phase,
       queue = :queue,
       pod_group = :pod_group,
       spec_node_name = :spec_node_name,
       terminating_at = :terminating_at,
       updated_at = :now,
       deleted_at = NULL
 WHERE id = :id;

-- name: place
-- In: id, node_id, node_name (null: nowhere), now.
UPDATE pod
   SET node_id = :node_id, node_name = :node_name, updated_at = :now
 WHERE id = :id;

-- name: gone
-- In: id, now.
UPDATE pod
   SET updated_at = :now, deleted_at = :now
 WHERE id = :id AND deleted_at IS NULL;

-- name: requests
-- In: pod_id. Out: what its containers ask, backend by backend.
SELECT container, ordinal, backend, count, memory, memory_percent, cores, template
  FROM request
 WHERE pod_id = :pod_id
 ORDER BY backend, ordinal;

-- name: request-insert
-- In: all columns but id.
INSERT INTO request (pod_id, container, ordinal, backend, count, memory, memory_percent, cores, template)
VALUES (:pod_id, :container, :ordinal, :backend, :count, :memory, :memory_percent, :cores, :template);

-- name: requests-delete
-- In: pod_id.
DELETE FROM request
 WHERE pod_id = :pod_id;

-- name: unheld-cores
-- In: node_name, backend, without_pod_id. Out: cores that live pods placed
-- there ask of a backend without holding a slice of it.
SELECT coalesce(sum(r.cores), 0) AS cores
  FROM pod AS p
  JOIN request AS r ON r.pod_id = p.id AND r.backend = :backend
 WHERE p.node_name = :node_name
   AND p.deleted_at IS NULL
   AND p.phase NOT IN ('Succeeded', 'Failed')
   AND p.id <> :without_pod_id
   AND NOT EXISTS (SELECT 1
                     FROM allocation AS a
                    WHERE a.pod_id = p.id AND a.backend = :backend AND a.released_at IS NULL);
