-- What `verify` recomputes. Each block but the last gives one row a problem.
-- They read whole tables: that is what verify is for.

-- name: used-amounts
-- Devices whose used amounts are not the sums over their unreleased slices.
-- Out: text.
-- scan: verify reads everything.
WITH sums AS (
    SELECT device_id, sum(memory) AS memory, sum(cores) AS cores, sum(slots) AS slots, sum(ai_cores) AS ai_cores,
           sum(ai_cpus) AS ai_cpus
    FROM allocation
    WHERE released_at IS NULL AND device_id IS NOT NULL
    GROUP BY device_id
)
SELECT 'device ' || d.id || ' (' || d.backend || ' ' || coalesce(d.uuid, d.idx) || ' of node ' || d.node_id
       || ') says memory ' || d.used_memory || ', cores ' || d.used_cores || ', slots ' || d.used_slots
       || ', AI cores ' || d.used_ai_cores || ', AI CPUs ' || d.used_ai_cpus
       || ' are used; its slices say ' || coalesce(s.memory, 0) || ', ' || coalesce(s.cores, 0) || ', '
       || coalesce(s.slots, 0) || ', ' || coalesce(s.ai_cores, 0) || ', ' || coalesce(s.ai_cpus, 0) AS text
FROM device AS d
LEFT JOIN sums AS s ON s.device_id = d.id
WHERE d.used_memory <> coalesce(s.memory, 0)
   OR d.used_cores <> coalesce(s.cores, 0)
   OR d.used_slots <> coalesce(s.slots, 0)
   OR d.used_ai_cores <> coalesce(s.ai_cores, 0)
   OR d.used_ai_cpus <> coalesce(s.ai_cpus, 0)
ORDER BY d.id;

-- name: node-versions
-- Nodes whose open version is missing, left over, or says something else.
-- Out: text.
-- scan: verify reads everything.
SELECT 'node ' || n.name || CASE
           WHEN n.removed_at IS NOT NULL THEN ' is removed and has an open version'
           WHEN v.id IS NULL THEN ' has no open version'
           ELSE ' is not what its open version says'
       END AS text
FROM node AS n
LEFT JOIN node_version AS v ON v.node_id = n.id AND v.valid_to IS NULL
WHERE CASE
          WHEN n.removed_at IS NOT NULL THEN v.id IS NOT NULL
          ELSE (v.id IS NULL)
            OR (n.labels, n.annotations, n.capacity, n.allocatable)
               IS NOT (v.labels, v.annotations, v.capacity, v.allocatable)
      END
ORDER BY n.id;

-- name: device-versions
-- The same for devices. Out: text.
-- scan: verify reads everything.
SELECT 'device ' || d.id || CASE
           WHEN d.removed_at IS NOT NULL THEN ' is removed and has an open version'
           WHEN v.id IS NULL THEN ' has no open version'
           ELSE ' is not what its open version says'
       END AS text
FROM device AS d
LEFT JOIN device_version AS v ON v.device_id = d.id AND v.valid_to IS NULL
WHERE CASE
          WHEN d.removed_at IS NOT NULL THEN v.id IS NOT NULL
          ELSE (v.id IS NULL)
            OR (d.idx, d.type, d.mode, d.memory, d.cores, d.slots, d.ai_cores, d.ai_cpus, d.numa, d.network_id,
                d.healthy, d.schedulable)
               IS NOT (v.idx, v.type, v.mode, v.memory, v.cores, v.slots, v.ai_cores, v.ai_cpus, v.numa, v.network_id,
                       v.healthy, v.schedulable)
      END
ORDER BY d.id;

-- name: pod-versions
-- The same for pods. Out: text.
-- scan: verify reads everything.
SELECT 'pod ' || p.namespace || '/' || p.name || '/' || p.uid || CASE
           WHEN p.deleted_at IS NOT NULL THEN ' is gone and has an open version'
           WHEN v.id IS NULL THEN ' has no open version'
           ELSE ' is not what its open version says'
       END AS text
FROM pod AS p
LEFT JOIN pod_version AS v ON v.pod_id = p.id AND v.valid_to IS NULL
WHERE CASE
          WHEN p.deleted_at IS NOT NULL THEN v.id IS NOT NULL
          ELSE (v.id IS NULL)
            OR (p.labels, p.annotations, p.phase, p.queue, p.pod_group, p.node_name)
               IS NOT (v.labels, v.annotations, v.phase, v.queue, v.pod_group, v.node_name)
      END
ORDER BY p.id;

-- name: overlaps
-- Versions that begin before the one before them ended. Out: text.
-- scan: verify reads everything.
WITH spans (kind, subject, id, valid_from, valid_to) AS (
    SELECT 'node', node_id, id, valid_from, valid_to FROM node_version
    UNION ALL
    SELECT 'device', device_id, id, valid_from, valid_to FROM device_version
    UNION ALL
    SELECT 'pod', pod_id, id, valid_from, valid_to FROM pod_version
),
pairs AS (
    SELECT kind, subject, id, valid_from,
           lag(coalesce(valid_to, 253402300799999999)) OVER (
               PARTITION BY kind, subject ORDER BY valid_from, id
           ) AS before
    FROM spans
)
SELECT kind || ' ' || subject || ': version ' || id || ' begins before the one before it ended' AS text
FROM pairs
WHERE before > valid_from
ORDER BY kind, subject, id;

-- name: slices
-- Unreleased slices that can't be: of a pod or node that is gone, on another
-- node's or backend's device, of one pod on two nodes. Out: text.
-- scan: verify reads everything.
SELECT 'slice ' || a.id || ' of pod ' || p.namespace || '/' || p.name || CASE
           WHEN p.deleted_at IS NOT NULL THEN ' is held by a pod that is gone'
           WHEN n.removed_at IS NOT NULL THEN ' is on a node that is removed'
           WHEN d.node_id <> a.node_id OR d.backend <> a.backend
               THEN ' is on a device of another node or backend'
           ELSE ' is on another node than the others of its pod'
       END AS text
FROM allocation AS a
JOIN pod AS p ON p.id = a.pod_id
JOIN node AS n ON n.id = a.node_id
LEFT JOIN device AS d ON d.id = a.device_id
WHERE a.released_at IS NULL
  AND (p.deleted_at IS NOT NULL
       OR n.removed_at IS NOT NULL
       OR d.node_id <> a.node_id
       OR d.backend <> a.backend
       OR EXISTS (
           SELECT 1
           FROM allocation AS o
           WHERE o.pod_id = a.pod_id AND o.released_at IS NULL AND o.node_id <> a.node_id
       ))
ORDER BY a.id;

-- name: newer-rows
-- Tables with a row that is newer than the last event, as when the end of the
-- chain was cut off. Out: text.
-- scan: verify reads everything.
WITH newest (name, at) AS (
    SELECT 'config', max(applied_at) FROM config
    UNION ALL
    SELECT 'node_version', max(valid_from) FROM node_version
    UNION ALL
    SELECT 'device_version', max(valid_from) FROM device_version
    UNION ALL
    SELECT 'pod_version', max(valid_from) FROM pod_version
    UNION ALL
    SELECT 'allocation', max(max(allocated_at, coalesce(released_at, 0))) FROM allocation
)
SELECT 'a row of ' || name || ' is newer than the last event: events are missing' AS text
FROM newest
WHERE at > (SELECT coalesce(max(at), -1) FROM event)
ORDER BY name;

-- name: configs
-- All configurations with the sums that they were accepted with. Out: id, kind,
-- text, sha256.
-- scan: verify reads everything.
SELECT id, kind, text, sha256
FROM config
ORDER BY id;

-- name: conflicts
-- How many conflicts there are. Out: conflicts.
-- scan: verify reads everything.
SELECT count(*) AS conflicts
FROM conflicts;
