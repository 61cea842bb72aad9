-- Slices: who holds what.

-- name: live-of-pod
-- In: pod_id. Out: its unreleased slices, backend by backend, in the order chosen.
SELECT a.id, a.node_id, n.name AS node_name, a.device_id, a.device_name, a.container, a.backend, a.memory,
       a.memory_asked, a.cores, a.slots, a.ai_cores, a.ai_cpus, a.whole, a.mode, a.template_asked, a.template,
       a.mig_group, a.mig_position, a.ordinal, a.origin, a.state, a.allocated_at, a.expires_at, d.idx AS device_idx
  FROM allocation AS a
  JOIN node AS n ON n.id = a.node_id
  LEFT JOIN device AS d ON d.id = a.device_id
 WHERE a.pod_id = :pod_id AND a.released_at IS NULL
 ORDER BY a.backend, a.ordinal;

-- name: live-of-node
-- In: node_id, backend, now (reservations past their time do not count),
-- without_pod_id (0: none). Out: unreleased slices and who holds them.
SELECT a.id, a.device_id, a.device_name, a.container, a.memory, a.memory_asked, a.cores, a.slots, a.ai_cores,
       a.ai_cpus, a.whole, a.mode, a.template_asked, a.template, a.mig_group, a.mig_position, a.ordinal, a.origin,
       a.state, a.pod_id, p.uid, p.namespace, p.name, p.labels, p.annotations, p.pod_group
  FROM allocation AS a
  JOIN pod AS p ON p.id = a.pod_id
 WHERE a.node_id = :node_id
   AND a.backend = :backend
   AND a.released_at IS NULL
   AND a.pod_id <> :without_pod_id
   AND (a.state = 'bound' OR a.expires_at IS NULL OR a.expires_at > :now)
 ORDER BY a.id;

-- name: pods-on-node
-- In: node_id. Out: pods that hold something there.
SELECT DISTINCT a.pod_id
  FROM allocation AS a
 WHERE a.node_id = :node_id AND a.released_at IS NULL
 ORDER BY a.pod_id;

-- name: expired
-- In: now. Out: pods whose reservation is past its time.
-- The + keeps the planner from walking all slices in order of pods.
SELECT DISTINCT +a.pod_id AS pod_id
  FROM allocation AS a
 WHERE a.state = 'reserved' AND a.expires_at <= :now
 ORDER BY +a.pod_id;

-- name: insert
-- In: all columns but id and the end.
INSERT INTO allocation (pod_id, node_id, device_id, device_name, container, backend, memory, memory_asked, cores, slots,
                        ai_cores, ai_cpus, whole, mode, template_asked, template, mig_group, mig_position, ordinal,
                        origin, state, allocated_at, expires_at, bound_at)
VALUES (:pod_id, :node_id, :device_id, :device_name, :container, :backend, :memory, :memory_asked, :cores, :slots,
        :ai_cores, :ai_cpus, :whole, :mode, :template_asked, :template, :mig_group, :mig_position, :ordinal, :origin,
        :state, :now, :expires_at, :bound_at);

-- name: link
-- In: id, device_id, memory. An observed slice finds its device.
UPDATE allocation
   SET device_id = :device_id, memory = :memory
 WHERE id = :id AND device_id IS NULL AND released_at IS NULL;

-- name: bind
-- In: pod_id, now. Ends the reservation's time, too.
UPDATE allocation
   SET state = 'bound', bound_at = :now, expires_at = NULL
 WHERE pod_id = :pod_id AND state = 'reserved';

-- name: release
-- In: pod_id, now, reason. Gives back exactly what the rows say.
UPDATE allocation
   SET state = 'released', released_at = :now, release_reason = :reason
 WHERE pod_id = :pod_id AND released_at IS NULL;

-- name: release-backend
-- In: pod_id, backend, now, reason.
UPDATE allocation
   SET state = 'released', released_at = :now, release_reason = :reason
 WHERE pod_id = :pod_id AND backend = :backend AND released_at IS NULL;
