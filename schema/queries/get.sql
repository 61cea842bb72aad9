-- What `get` and `describe` read. Times stay integers and truths 0 or 1 here;
-- src/verb/row.c gives them their form in answers.
--
-- Each statement first chooses the ids of the rows that are wanted, with one
-- arm for each way of asking, so that every way has its index; arms whose
-- condition on parameters is false cost nothing. A reservation whose term is
-- over at :now counts as given back, though its row may wait for a writer.

-- name: node-id
-- Is there such a node? In: :name. Out: id, removed_at.
SELECT id, removed_at FROM node WHERE name = :name;

-- name: backend-known
-- Does any row speak of this backend, though the configuration may not? In: :backend. Out: known.
-- scan: the primary key begins with the node; asked only for a name that the configuration does not have.
SELECT EXISTS (SELECT 1 FROM node_backend WHERE backend = :backend)
    OR EXISTS (SELECT 1 FROM device WHERE backend = :backend)
    OR EXISTS (SELECT 1 FROM allocation WHERE backend = :backend) AS known;

-- name: device-named
-- Devices that a name may mean: whose UUID begins with it. In: :name, :node, :backend, :all. Out: id, uuid, node, backend.
-- scan: a UUID may be on any node; the walk is over device rows alone.
SELECT d.id, d.uuid, n.name AS node, d.backend
FROM device d JOIN node n ON n.id = d.node_id
WHERE substr(d.uuid, 1, length(:name)) = :name
  AND (:node IS NULL OR n.name = :node)
  AND (:backend IS NULL OR d.backend = :backend)
  AND (:all OR d.removed_at IS NULL)
ORDER BY d.uuid <> :name, d.uuid, n.name, d.backend
LIMIT 9;

-- name: device-at
-- Devices at a number of a node: one for each backend, those that are gone after them. In: :node, :idx, :backend, :all. Out:
-- id, uuid, node, backend.
-- scan: only with :all, for devices that are gone.
WITH wanted AS (
    SELECT d.id FROM node n JOIN device d ON d.node_id = n.id WHERE n.name = :node AND d.removed_at IS NULL
    UNION ALL
    SELECT d.id FROM device d JOIN node n ON n.id = d.node_id WHERE :all AND n.name = :node AND d.removed_at IS NOT NULL
)
SELECT d.id, d.uuid, n.name AS node, d.backend
FROM wanted w JOIN device d ON d.id = w.id JOIN node n ON n.id = d.node_id
WHERE d.idx = :idx AND (:backend IS NULL OR d.backend = :backend)
ORDER BY d.removed_at IS NOT NULL, d.backend
LIMIT 9;

-- name: nodes
-- Nodes with what their devices have. In: :name, :backend, :all, :now. Out: the columns of a node, and sums over its devices.
-- scan: all nodes are asked for unless :name is given.
WITH wanted AS (
    SELECT id FROM node WHERE :name IS NULL AND (:all OR removed_at IS NULL)
    UNION ALL
    SELECT id FROM node WHERE name = :name AND (:all OR removed_at IS NULL)
), expired AS (
    SELECT device_id, sum(memory) AS memory
    FROM allocation
    WHERE state = 'reserved' AND expires_at <= :now AND device_id IS NOT NULL
    GROUP BY device_id
)
SELECT n.name,
       (SELECT json_group_array(backend) FROM (SELECT backend FROM node_backend WHERE node_id = n.id ORDER BY backend)) AS backends,
       (SELECT count(*) FROM device d WHERE d.node_id = n.id AND d.removed_at IS NULL
                                        AND (:backend IS NULL OR d.backend = :backend)) AS devices,
       (SELECT count(*) FROM device d WHERE d.node_id = n.id AND d.removed_at IS NULL AND d.healthy
                                        AND (:backend IS NULL OR d.backend = :backend)) AS healthy_devices,
       (SELECT sum(d.memory) FROM device d WHERE d.node_id = n.id AND d.removed_at IS NULL
                                             AND (:backend IS NULL OR d.backend = :backend)) AS memory,
       (SELECT sum(d.used_memory - coalesce(e.memory, 0))
        FROM device d LEFT JOIN expired e ON e.device_id = d.id
        WHERE d.node_id = n.id AND d.removed_at IS NULL AND d.memory IS NOT NULL
          AND (:backend IS NULL OR d.backend = :backend)) AS used_memory,
       (SELECT count(DISTINCT a.pod_id) FROM allocation a
        WHERE a.node_id = n.id AND a.released_at IS NULL AND NOT (a.state = 'reserved' AND coalesce(a.expires_at <= :now, 0))
          AND (:backend IS NULL OR a.backend = :backend)) AS pods,
       n.labels, n.annotations, n.capacity, n.allocatable, n.updated_at, n.removed_at
FROM wanted w JOIN node n ON n.id = w.id
WHERE :backend IS NULL OR EXISTS (SELECT 1 FROM node_backend b WHERE b.node_id = n.id AND b.backend = :backend)
ORDER BY n.name;

-- name: devices
-- Devices in order of node, backend and number. In: :node, :device (an id), :backend, :all, :now, :backends (JSON list of
-- names in order of registration). Out: the columns of a device, what is free, labels of its node (for selectors).
-- scan: all devices are asked for unless :node or :device is given; removed ones have no index of their own.
WITH wanted AS (
    SELECT id FROM device WHERE id = :device
    UNION ALL
    SELECT d.id FROM node n JOIN device d ON d.node_id = n.id AND d.removed_at IS NULL
    WHERE :device IS NULL AND n.name = :node AND (:backend IS NULL OR d.backend = :backend)
    UNION ALL
    SELECT id FROM device
    WHERE :device IS NULL AND :node IS NULL AND removed_at IS NULL AND (:backend IS NULL OR backend = :backend)
    UNION ALL
    SELECT d.id FROM device d JOIN node n ON n.id = d.node_id
    WHERE :device IS NULL AND :all AND d.removed_at IS NOT NULL
      AND (:node IS NULL OR n.name = :node) AND (:backend IS NULL OR d.backend = :backend)
), expired AS (
    SELECT device_id, sum(memory) AS memory, sum(cores) AS cores, sum(slots) AS slots,
           sum(ai_cores) AS ai_cores, sum(ai_cpus) AS ai_cpus
    FROM allocation
    WHERE state = 'reserved' AND expires_at <= :now AND device_id IS NOT NULL
    GROUP BY device_id
), usage AS (
    SELECT d.id,
           iif(d.memory IS NULL, NULL, d.used_memory - coalesce(e.memory, 0)) AS memory,
           iif(d.cores IS NULL, NULL, d.used_cores - coalesce(e.cores, 0)) AS cores,
           iif(d.slots IS NULL, NULL, d.used_slots - coalesce(e.slots, 0)) AS slots,
           iif(d.ai_cores IS NULL, NULL, d.used_ai_cores - coalesce(e.ai_cores, 0)) AS ai_cores,
           iif(d.ai_cpus IS NULL, NULL, d.used_ai_cpus - coalesce(e.ai_cpus, 0)) AS ai_cpus
    FROM wanted w JOIN device d ON d.id = w.id LEFT JOIN expired e ON e.device_id = d.id
)
SELECT n.name AS node, d.idx AS "index", d.backend, d.uuid, d.type, d.mode, d.memory, d.cores, d.slots, d.ai_cores, d.ai_cpus,
       d.healthy, d.schedulable, d.reason,
       u.memory AS used_memory, u.cores AS used_cores, u.slots AS used_slots, u.ai_cores AS used_ai_cores,
       u.ai_cpus AS used_ai_cpus,
       max(d.memory - u.memory, 0) AS free_memory, max(d.cores - u.cores, 0) AS free_cores,
       max(d.slots - u.slots, 0) AS free_slots,
       d.numa, d.network_id, d.updated_at, d.removed_at, n.labels AS selector_labels
FROM usage u JOIN device d ON d.id = u.id JOIN node n ON n.id = d.node_id
ORDER BY n.name,
         coalesce((SELECT key FROM json_each(:backends) WHERE value = d.backend), 1000), d.backend,
         d.removed_at IS NOT NULL, d.idx, d.id;

-- name: pods
-- Pods in order of namespace and name. In: :namespace, :pod_namespace, :pod_name, :pod_uid, :node, :backend, :all, :now. Out: the columns of a
-- pod, its state (pending, reserved, expired, bound, finished), how many devices it holds.
-- scan: all pods are asked for unless :pod_name or :node is given; those that are gone have no index of their own.
WITH wanted AS (
    SELECT id FROM pod WHERE uid = :pod_uid AND (:all OR deleted_at IS NULL)
    UNION ALL
    SELECT id FROM pod WHERE :pod_uid IS NULL AND namespace = :pod_namespace AND name = :pod_name AND deleted_at IS NULL
    UNION ALL
    SELECT id FROM pod WHERE :pod_uid IS NULL AND :pod_name IS NULL AND node_name = :node AND deleted_at IS NULL
    UNION ALL
    SELECT id FROM pod WHERE :pod_uid IS NULL AND :pod_name IS NULL AND :node IS NULL AND deleted_at IS NULL
    UNION ALL
    SELECT id FROM pod WHERE :pod_uid IS NULL AND :all AND deleted_at IS NOT NULL
), slices AS (
    SELECT w.id AS pod_id, count(a.id) AS slices, count(DISTINCT a.backend || '/' || a.device_name) AS devices,
           max(a.state = 'bound') AS bound,
           max(a.state = 'reserved' AND coalesce(a.expires_at <= :now, 0)) AS expired
    FROM wanted w LEFT JOIN allocation a ON a.pod_id = w.id AND a.released_at IS NULL
    GROUP BY w.id
)
SELECT p.namespace, p.name, p.uid, p.phase,
       CASE WHEN p.deleted_at IS NOT NULL THEN 'gone'
            WHEN s.expired THEN 'expired'
            WHEN s.bound THEN 'bound'
            WHEN s.slices > 0 THEN 'reserved'
            WHEN p.phase IN ('Succeeded', 'Failed') THEN 'finished'
            ELSE 'pending' END AS state,
       coalesce(n.name, p.node_name) AS node, iif(s.expired, 0, s.devices) AS devices,
       p.queue, p.pod_group, p.labels, p.annotations, p.containers,
       p.created_at, p.terminating_at, p.updated_at, p.deleted_at
FROM slices s JOIN pod p ON p.id = s.pod_id LEFT JOIN node n ON n.id = p.node_id
WHERE (:namespace IS NULL OR p.namespace = :namespace)
  AND (:pod_name IS NULL OR (p.namespace = :pod_namespace AND p.name = :pod_name))
  AND (:node IS NULL OR coalesce(n.name, p.node_name) = :node)
  AND (:backend IS NULL
       OR EXISTS (SELECT 1 FROM request r WHERE r.pod_id = p.id AND r.backend = :backend)
       OR EXISTS (SELECT 1 FROM allocation a WHERE a.pod_id = p.id AND a.released_at IS NULL AND a.backend = :backend))
ORDER BY p.namespace, p.name, p.deleted_at IS NOT NULL, p.deleted_at DESC, p.id;

-- name: allocations
-- Slices in order of pod. In: :node, :device (an id), :pod_namespace, :pod_name, :pod_uid, :namespace, :backend, :all, :now.
-- Out: the columns of an allocation with names for ids, labels of the pod (for selectors).
-- scan: all live slices are asked for unless :node, :device or :pod_name is given; released ones have no index of their own.
WITH wanted AS (
    SELECT a.id FROM allocation a WHERE a.device_id = :device AND a.released_at IS NULL
    UNION ALL
    SELECT a.id FROM pod p JOIN allocation a ON a.pod_id = p.id
    WHERE :device IS NULL AND p.namespace = :pod_namespace AND p.name = :pod_name AND p.deleted_at IS NULL
      AND a.released_at IS NULL
    UNION ALL
    SELECT a.id FROM node n JOIN allocation a ON a.node_id = n.id
    WHERE :device IS NULL AND :pod_name IS NULL AND n.name = :node AND a.released_at IS NULL
    UNION ALL
    SELECT a.id FROM allocation a
    WHERE :device IS NULL AND :pod_name IS NULL AND :node IS NULL AND a.released_at IS NULL
    UNION ALL
    SELECT a.id FROM allocation a
    WHERE :all AND a.released_at IS NOT NULL AND (:device IS NULL OR a.device_id = :device)
)
SELECT p.namespace || '/' || p.name AS pod, p.uid AS pod_uid, a.container, n.name AS node, a.backend,
       coalesce(d.uuid, a.device_name) AS device, d.idx AS "index",
       a.memory, a.memory_asked, a.cores, a.slots, a.ai_cores, a.ai_cpus, a.whole, a.mode, a.template_asked, a.template,
       a.mig_group, a.mig_position, a.ordinal, a.origin,
       iif(a.state = 'reserved' AND coalesce(a.expires_at <= :now, 0), 'expired', a.state) AS state,
       a.allocated_at, a.expires_at, a.bound_at, a.released_at, a.release_reason, p.labels AS selector_labels
FROM wanted w JOIN allocation a ON a.id = w.id JOIN pod p ON p.id = a.pod_id JOIN node n ON n.id = a.node_id
     LEFT JOIN device d ON d.id = a.device_id
WHERE (:node IS NULL OR n.name = :node)
  AND (:backend IS NULL OR a.backend = :backend)
  AND (:namespace IS NULL OR p.namespace = :namespace)
  AND (:pod_name IS NULL OR (p.namespace = :pod_namespace AND p.name = :pod_name))
  AND (:pod_uid IS NULL OR p.uid = :pod_uid)
ORDER BY p.namespace, p.name, p.id, a.allocated_at, a.backend, a.ordinal, a.id;

-- name: locks
-- Node locks in order of node and name. In: :node, :name, :all, :now. Out: the columns of a lock, and whether its term is over.
-- scan: holds are few unless --all asks for all that ever were.
WITH wanted AS (
    SELECT l.id FROM node n JOIN node_lock l ON l.node_id = n.id WHERE n.name = :node AND l.released_at IS NULL
    UNION ALL
    SELECT id FROM node_lock WHERE :node IS NULL AND released_at IS NULL
    UNION ALL
    SELECT id FROM node_lock WHERE :all AND released_at IS NOT NULL
)
SELECT n.name AS node, l.name, l.holder, l.origin, l.taken_at, l.expires_at,
       l.released_at IS NULL AND (l.expires_at <= :now OR l.taken_at - :now > l.expires_at - l.taken_at) AS expired,
       l.released_at, l.release_reason
FROM wanted w JOIN node_lock l ON l.id = w.id JOIN node n ON n.id = l.node_id
WHERE (:node IS NULL OR n.name = :node) AND (:name IS NULL OR l.name = :name)
ORDER BY n.name, l.name, l.released_at IS NOT NULL, l.taken_at, l.id;

-- name: downgrades
-- Downgrades of vNPU templates, oldest first. In: :node, :namespace, :pod_namespace, :pod_name, :pod_uid, :all. Out: the
-- columns of a downgrade.
-- scan: open rows are few unless --all asks for all that ever were.
SELECT p.namespace || '/' || p.name AS pod, v.pod_uid, n.name AS node, v.template_asked, v.template_given, v.reason,
       v.opened_at, v.closed_at
FROM vnpu_downgrade v JOIN node n ON n.id = v.node_id LEFT JOIN pod p ON p.uid = v.pod_uid
WHERE (:all OR v.closed_at IS NULL)
  AND (:node IS NULL OR n.name = :node)
  AND (:namespace IS NULL OR p.namespace = :namespace)
  AND (:pod_name IS NULL OR (p.namespace = :pod_namespace AND p.name = :pod_name))
  AND (:pod_uid IS NULL OR v.pod_uid = :pod_uid)
ORDER BY v.opened_at, v.id;

-- name: events
-- Events, newest last. In: :seq, :after (a seq), :since, :until, :node, :pod (namespace/name), :namespace. Out: the columns
-- of an event. Times never fall along the log, so that the first event since a time begins all of them.
-- scan: the whole log is asked for unless a filter is given.
WITH start AS (
    SELECT iif(:since IS NULL, :after,
               max(:after, coalesce((SELECT seq FROM event WHERE at >= :since ORDER BY at, seq LIMIT 1) - 1,
                                    9223372036854775807))) AS seq
), wanted AS (
    SELECT seq FROM event WHERE seq = :seq
    UNION ALL
    SELECT seq FROM event WHERE :seq IS NULL AND node = :node AND seq > (SELECT seq FROM start)
    UNION ALL
    SELECT seq FROM event WHERE :seq IS NULL AND :node IS NULL AND pod = :pod AND seq > (SELECT seq FROM start)
    UNION ALL
    SELECT seq FROM event WHERE :seq IS NULL AND :node IS NULL AND :pod IS NULL AND seq > (SELECT seq FROM start)
)
SELECT e.seq, e.at, e.actor, e.command, e.kind, e.node, e.pod, e.device, e.detail, e.prev_hash, e.hash
FROM wanted w JOIN event e ON e.seq = w.seq
WHERE (:until IS NULL OR e.at < :until)
  AND (:pod IS NULL OR e.pod = :pod)
  AND (:namespace IS NULL OR (e.pod > :namespace || '/' AND e.pod < :namespace || '0'))
ORDER BY e.seq;

-- name: event-tail
-- Where the last events begin. In: :count, :until, :node, :pod, :namespace. Out: seq, that of the oldest of the last :count events.
-- scan: from the end of the log backwards, no further than the events that are counted.
SELECT min(seq) AS seq FROM (
    SELECT * FROM (SELECT seq FROM event
                   WHERE node = :node AND (:pod IS NULL OR pod = :pod) AND (:until IS NULL OR at < :until)
                     AND (:namespace IS NULL OR (pod > :namespace || '/' AND pod < :namespace || '0'))
                   ORDER BY seq DESC LIMIT :count)
    UNION ALL
    SELECT * FROM (SELECT seq FROM event
                   WHERE :node IS NULL AND pod = :pod AND (:until IS NULL OR at < :until)
                     AND (:namespace IS NULL OR (pod > :namespace || '/' AND pod < :namespace || '0'))
                   ORDER BY seq DESC LIMIT :count)
    UNION ALL
    SELECT * FROM (SELECT seq FROM event
                   WHERE :node IS NULL AND :pod IS NULL AND (:until IS NULL OR at < :until)
                     AND (:namespace IS NULL OR (pod > :namespace || '/' AND pod < :namespace || '0'))
                   ORDER BY seq DESC LIMIT :count)
);

-- name: findings
-- What was wrong in what came in, oldest first. In: :object_kind, :object, :namespace, :all. Out: the columns of a finding.
-- scan: open findings are few unless --all asks for all that ever were.
WITH wanted AS (
    SELECT id FROM finding WHERE object_kind = :object_kind AND object = :object AND closed_at IS NULL
    UNION ALL
    SELECT id FROM finding WHERE :object IS NULL AND closed_at IS NULL
    UNION ALL
    SELECT id FROM finding WHERE :all AND closed_at IS NOT NULL
)
SELECT f.kind, f.object_kind, f.object, f.key, f.position, f.text, f.opened_at, f.closed_at
FROM wanted w JOIN finding f ON f.id = w.id
WHERE (:object IS NULL OR (f.object_kind = :object_kind AND f.object = :object))
  AND (:namespace IS NULL OR (f.object > :namespace || '/' AND f.object < :namespace || '0'))
ORDER BY f.opened_at, f.id;

-- name: conflicts
-- What contradicts itself: over-booked devices, slices on devices that are not there, sets whose pod says otherwise. In:
-- :node, :backend, :namespace, :pod (namespace/name). Out: the columns of the view.
-- scan: the view looks at all live slices, whatever is asked for.
SELECT c.kind, c.node, c.backend, c.device, c.pod, c.container, c.amount, c.text
FROM conflicts c
WHERE (:node IS NULL OR c.node = :node)
  AND (:backend IS NULL OR c.backend = :backend)
  AND (:namespace IS NULL OR (c.pod > :namespace || '/' AND c.pod < :namespace || '0'))
  AND (:pod IS NULL OR c.pod = :pod)
ORDER BY c.node, c.backend, c.device, c.kind, c.pod, c.container;

-- name: configs
-- Accepted configurations, oldest first; the newest of a kind is in force. In: :name (a kind), :all. Out: the columns of a config.
-- scan: accepted configurations are few.
SELECT c.kind, c.sha256, c.applied_at, c.id = (SELECT max(id) FROM config WHERE kind = c.kind) AS in_force, c.text
FROM config c
WHERE (:name IS NULL OR c.kind = :name)
  AND (:all OR c.id = (SELECT max(id) FROM config WHERE kind = c.kind))
ORDER BY c.id;
