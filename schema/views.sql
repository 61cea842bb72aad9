-- What people read: names instead of ids, ISO 8601 times in UTC, free amounts.
-- Today's definition, dropped and made anew after the numbered steps. Built-in
-- functions only, so that the stock sqlite3 shell reads every one of them.
--
-- A reservation whose expires_at has passed holds nothing any more, although
-- its row stays until the next writer ends it: views subtract it and show its
-- state as `expired`. "Now" is the clock of whoever reads.
-- Times come as 2026-11-30T08:00:00.000000Z; an integer division would round a
-- moment before 1970 the wrong way, so where one can occur, it is first moved
-- by the 62167219200 seconds from the year 0 to 1970.

-- ---- helpers, with ids ------------------------------------------------------------

-- Microseconds since the epoch.
CREATE VIEW clock AS
SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000 AS now;

-- Slices that hold their device now.
CREATE VIEW live_slices AS
SELECT *
  FROM allocation
 WHERE released_at IS NULL
   AND (state <> 'reserved' OR expires_at IS NULL OR expires_at > (SELECT now FROM clock));

-- What is used of each device now, from its slices: the device's own used_* less
-- what has expired, NULL where it does not count. closed: some slice holds the
-- card whole. Soft slices of Ascend chips count cores in percent, so with them
-- there are 100.
CREATE VIEW device_usage AS
WITH held AS (
    SELECT device_id, count(*) AS slices,
           sum(memory) AS memory, sum(cores) AS cores, sum(slots) AS slots,
           sum(ai_cores) AS ai_cores, sum(ai_cpus) AS ai_cpus,
           max(whole) AS whole,
           max(CASE WHEN mode = 'soft' THEN 1 ELSE 0 END) AS soft,
           max(CASE WHEN mode = 'mig' THEN 1 ELSE 0 END) AS mig
      FROM live_slices
     WHERE device_id IS NOT NULL
     GROUP BY device_id)
SELECT d.id AS device_id,
       coalesce(h.slices, 0) AS slices, coalesce(h.whole, 0) AS closed, coalesce(h.mig, 0) AS mig,
       d.memory,
       CASE WHEN d.memory IS NOT NULL THEN coalesce(h.memory, 0) END AS used_memory,
       CASE WHEN h.soft = 1 THEN 100 ELSE d.cores END AS cores,
       CASE WHEN d.cores IS NOT NULL THEN coalesce(h.cores, 0) END AS used_cores,
       d.slots,
       CASE WHEN d.slots IS NOT NULL THEN coalesce(h.slots, 0) END AS used_slots,
       d.ai_cores,
       CASE WHEN d.ai_cores IS NOT NULL THEN coalesce(h.ai_cores, 0) END AS used_ai_cores,
       d.ai_cpus,
       CASE WHEN d.ai_cpus IS NOT NULL THEN coalesce(h.ai_cpus, 0) END AS used_ai_cpus
  FROM device d
  LEFT JOIN held h ON h.device_id = d.id;

-- ---- what there is now --------------------------------------------------------------

CREATE VIEW nodes AS
WITH sums AS (
    SELECT d.node_id, count(*) AS devices, sum(d.healthy) AS healthy,
           sum(d.memory) AS memory, sum(u.used_memory) AS used_memory
      FROM device d
      JOIN device_usage u ON u.device_id = d.id
     WHERE d.removed_at IS NULL
     GROUP BY d.node_id)
SELECT n.name,
       (SELECT json_group_array(backend)
          FROM (SELECT backend FROM node_backend b WHERE b.node_id = n.id ORDER BY backend)) AS backends,
       coalesce(s.devices, 0) AS devices, coalesce(s.healthy, 0) AS healthy_devices, s.memory, s.used_memory,
       (SELECT count(DISTINCT l.pod_id) FROM live_slices l WHERE l.node_id = n.id) AS pods,
       n.labels, n.annotations, n.capacity, n.allocatable,
       strftime('%Y-%m-%dT%H:%M:%S', n.updated_at / 1000000, 'unixepoch')
           || printf('.%06dZ', n.updated_at % 1000000) AS updated_at
  FROM node n
  LEFT JOIN sums s ON s.node_id = n.id
 WHERE n.removed_at IS NULL;

CREATE VIEW devices AS
SELECT n.name AS node, d.idx AS "index", d.backend, d.uuid, d.type, d.mode,
       d.memory, u.used_memory,
       CASE WHEN d.memory > u.used_memory AND u.closed = 0 THEN d.memory - u.used_memory
            WHEN d.memory IS NOT NULL THEN 0 END AS free_memory,
       d.cores, u.used_cores,
       CASE WHEN u.cores > u.used_cores AND u.closed = 0 THEN u.cores - u.used_cores
            WHEN u.cores IS NOT NULL THEN 0 END AS free_cores,
       d.slots, u.used_slots,
       CASE WHEN d.slots > u.used_slots AND u.closed = 0 THEN d.slots - u.used_slots
            WHEN d.slots IS NOT NULL THEN 0 END AS free_slots,
       d.ai_cores, u.used_ai_cores,
       CASE WHEN d.ai_cores > u.used_ai_cores AND u.closed = 0 THEN d.ai_cores - u.used_ai_cores
            WHEN d.ai_cores IS NOT NULL THEN 0 END AS free_ai_cores,
       d.ai_cpus, u.used_ai_cpus,
       CASE WHEN d.ai_cpus > u.used_ai_cpus AND u.closed = 0 THEN d.ai_cpus - u.used_ai_cpus
            WHEN d.ai_cpus IS NOT NULL THEN 0 END AS free_ai_cpus,
       u.slices, d.numa, d.network_id, d.healthy, d.schedulable, d.reason,
       strftime('%Y-%m-%dT%H:%M:%S', d.updated_at / 1000000, 'unixepoch')
           || printf('.%06dZ', d.updated_at % 1000000) AS updated_at
  FROM device d
  JOIN node n ON n.id = d.node_id
  JOIN device_usage u ON u.device_id = d.id
 WHERE d.removed_at IS NULL;

CREATE VIEW pods AS
SELECT p.namespace, p.name, p.uid, p.phase,
       CASE (SELECT max(CASE WHEN a.state = 'reserved' AND a.expires_at <= (SELECT now FROM clock) THEN 3
                             WHEN a.state = 'bound' THEN 2 ELSE 1 END)
               FROM allocation a
              WHERE a.pod_id = p.id AND a.released_at IS NULL)
            WHEN 3 THEN 'expired' WHEN 2 THEN 'bound' WHEN 1 THEN 'reserved'
            ELSE CASE WHEN p.phase IN ('Succeeded', 'Failed') THEN 'finished' ELSE 'pending' END END AS state,
       coalesce(n.name, p.node_name) AS node,
       (SELECT count(DISTINCT s.backend || '/' || s.device_name) FROM live_slices s WHERE s.pod_id = p.id) AS devices,
       p.queue, p.pod_group, p.labels, p.annotations, p.containers,
       strftime('%Y-%m-%dT%H:%M:%S', (p.created_at + 62167219200000000) / 1000000 - 62167219200, 'unixepoch')
           || printf('.%06dZ', (p.created_at + 62167219200000000) % 1000000) AS created_at,
       strftime('%Y-%m-%dT%H:%M:%S', (p.terminating_at + 62167219200000000) / 1000000 - 62167219200, 'unixepoch')
           || printf('.%06dZ', (p.terminating_at + 62167219200000000) % 1000000) AS terminating_at,
       strftime('%Y-%m-%dT%H:%M:%S', p.updated_at / 1000000, 'unixepoch')
           || printf('.%06dZ', p.updated_at % 1000000) AS updated_at
  FROM pod p
  LEFT JOIN node n ON n.id = p.node_id
 WHERE p.deleted_at IS NULL;

-- All slices that ever were. A slice that still holds lasts until now.
CREATE VIEW allocation_history AS
SELECT p.namespace, p.namespace || '/' || p.name AS pod, p.uid AS pod_uid, a.container,
       n.name AS node, a.backend, a.device_name AS device, d.idx AS "index",
       a.memory, a.memory_asked, a.cores, a.slots, a.ai_cores, a.ai_cpus, a.whole, a.mode,
       a.template_asked, a.template, a.mig_group, a.mig_position, a.ordinal, a.origin,
       CASE WHEN a.state = 'reserved' AND a.expires_at <= c.now THEN 'expired' ELSE a.state END AS state,
       strftime('%Y-%m-%dT%H:%M:%S', a.allocated_at / 1000000, 'unixepoch')
           || printf('.%06dZ', a.allocated_at % 1000000) AS allocated_at,
       strftime('%Y-%m-%dT%H:%M:%S', a.expires_at / 1000000, 'unixepoch')
           || printf('.%06dZ', a.expires_at % 1000000) AS expires_at,
       strftime('%Y-%m-%dT%H:%M:%S', a.bound_at / 1000000, 'unixepoch')
           || printf('.%06dZ', a.bound_at % 1000000) AS bound_at,
       strftime('%Y-%m-%dT%H:%M:%S', a.released_at / 1000000, 'unixepoch')
           || printf('.%06dZ', a.released_at % 1000000) AS released_at,
       a.release_reason,
       (CASE WHEN a.released_at IS NOT NULL THEN a.released_at
             WHEN a.state = 'reserved' AND a.expires_at <= c.now THEN a.expires_at
             ELSE c.now END - a.allocated_at) / 1000000.0 AS duration_seconds
  FROM allocation a
  JOIN pod p ON p.id = a.pod_id
  JOIN node n ON n.id = a.node_id
  LEFT JOIN device d ON d.id = a.device_id
  CROSS JOIN clock c;

-- The unreleased ones.
CREATE VIEW allocations AS
SELECT p.namespace, p.namespace || '/' || p.name AS pod, p.uid AS pod_uid, a.container,
       n.name AS node, a.backend, a.device_name AS device, d.idx AS "index",
       a.memory, a.memory_asked, a.cores, a.slots, a.ai_cores, a.ai_cpus, a.whole, a.mode,
       a.template_asked, a.template, a.mig_group, a.mig_position, a.ordinal, a.origin,
       CASE WHEN a.state = 'reserved' AND a.expires_at <= c.now THEN 'expired' ELSE a.state END AS state,
       strftime('%Y-%m-%dT%H:%M:%S', a.allocated_at / 1000000, 'unixepoch')
           || printf('.%06dZ', a.allocated_at % 1000000) AS allocated_at,
       strftime('%Y-%m-%dT%H:%M:%S', a.expires_at / 1000000, 'unixepoch')
           || printf('.%06dZ', a.expires_at % 1000000) AS expires_at,
       strftime('%Y-%m-%dT%H:%M:%S', a.bound_at / 1000000, 'unixepoch')
           || printf('.%06dZ', a.bound_at % 1000000) AS bound_at
  FROM allocation a
  JOIN pod p ON p.id = a.pod_id
  JOIN node n ON n.id = a.node_id
  LEFT JOIN device d ON d.id = a.device_id
  CROSS JOIN clock c
 WHERE a.released_at IS NULL;

-- Every hold of a lock. A lock taken in the future by more than its term
-- counts as expired: no clock makes one eternal.
CREATE VIEW lock_history AS
SELECT n.name AS node, l.name, l.holder, l.origin,
       strftime('%Y-%m-%dT%H:%M:%S', (l.taken_at + 62167219200000000) / 1000000 - 62167219200, 'unixepoch')
           || printf('.%06dZ', (l.taken_at + 62167219200000000) % 1000000) AS taken_at,
       strftime('%Y-%m-%dT%H:%M:%S', (l.expires_at + 62167219200000000) / 1000000 - 62167219200, 'unixepoch')
           || printf('.%06dZ', (l.expires_at + 62167219200000000) % 1000000) AS expires_at,
       l.released_at IS NULL AND (l.expires_at <= c.now OR l.taken_at - c.now > l.expires_at - l.taken_at) AS expired,
       strftime('%Y-%m-%dT%H:%M:%S', l.released_at / 1000000, 'unixepoch')
           || printf('.%06dZ', l.released_at % 1000000) AS released_at,
       l.release_reason
  FROM node_lock l
  JOIN node n ON n.id = l.node_id
  CROSS JOIN clock c;

-- The unreleased ones.
CREATE VIEW locks AS
SELECT n.name AS node, l.name, l.holder, l.origin,
       strftime('%Y-%m-%dT%H:%M:%S', (l.taken_at + 62167219200000000) / 1000000 - 62167219200, 'unixepoch')
           || printf('.%06dZ', (l.taken_at + 62167219200000000) % 1000000) AS taken_at,
       strftime('%Y-%m-%dT%H:%M:%S', (l.expires_at + 62167219200000000) / 1000000 - 62167219200, 'unixepoch')
           || printf('.%06dZ', (l.expires_at + 62167219200000000) % 1000000) AS expires_at,
       l.expires_at <= c.now OR l.taken_at - c.now > l.expires_at - l.taken_at AS expired
  FROM node_lock l
  JOIN node n ON n.id = l.node_id
  CROSS JOIN clock c
 WHERE l.released_at IS NULL;

CREATE VIEW downgrades AS
SELECT p.namespace || '/' || p.name AS pod, g.pod_uid, n.name AS node,
       g.template_asked, g.template_given, g.reason,
       strftime('%Y-%m-%dT%H:%M:%S', g.opened_at / 1000000, 'unixepoch')
           || printf('.%06dZ', g.opened_at % 1000000) AS opened_at,
       strftime('%Y-%m-%dT%H:%M:%S', g.closed_at / 1000000, 'unixepoch')
           || printf('.%06dZ', g.closed_at % 1000000) AS closed_at
  FROM vnpu_downgrade g
  JOIN node n ON n.id = g.node_id
  LEFT JOIN pod p ON p.uid = g.pod_uid;

CREATE VIEW events AS
SELECT seq,
       strftime('%Y-%m-%dT%H:%M:%S', at / 1000000, 'unixepoch')
           || printf('.%06dZ', at % 1000000) AS at,
       actor, command, kind, node, pod, device, detail,
       lower(hex(prev_hash)) AS prev_hash, lower(hex(hash)) AS hash
  FROM event;

CREATE VIEW findings AS
SELECT kind, object_kind, object, key, position, text,
       strftime('%Y-%m-%dT%H:%M:%S', opened_at / 1000000, 'unixepoch')
           || printf('.%06dZ', opened_at % 1000000) AS opened_at,
       strftime('%Y-%m-%dT%H:%M:%S', closed_at / 1000000, 'unixepoch')
           || printf('.%06dZ', closed_at % 1000000) AS closed_at
  FROM finding;

CREATE VIEW configs AS
SELECT kind, sha256,
       strftime('%Y-%m-%dT%H:%M:%S', applied_at / 1000000, 'unixepoch')
           || printf('.%06dZ', applied_at % 1000000) AS applied_at,
       id = (SELECT max(newer.id) FROM config newer WHERE newer.kind = config.kind) AS in_force, text
  FROM config;

CREATE VIEW templates AS
SELECT backend, chip, name, memory, ai_cores, ai_cpus, dvpp
  FROM vnpu_template;

CREATE VIEW geometries AS
SELECT model, group_ordinal, group_name, kind_name, memory, count, first_position
  FROM mig_geometry;

-- Why pods are pending, from the last try of each.
CREATE VIEW explanations AS
SELECT p.namespace || '/' || p.name AS pod,
       strftime('%Y-%m-%dT%H:%M:%S', x.at / 1000000, 'unixepoch')
           || printf('.%06dZ', x.at % 1000000) AS at,
       x.node, x.code, x.backend, x.device, x.reason, x.message
  FROM explanation x
  JOIN pod p ON p.id = x.pod_id;

-- ---- sums -----------------------------------------------------------------------------

CREATE VIEW usage_by_node AS
SELECT node, backend,
       count(*) AS devices, sum(healthy) AS healthy_devices, sum(slices) AS slices,
       sum(memory) AS memory, sum(used_memory) AS used_memory, sum(free_memory) AS free_memory,
       sum(cores) AS cores, sum(used_cores) AS used_cores, sum(free_cores) AS free_cores,
       sum(slots) AS slots, sum(used_slots) AS used_slots, sum(free_slots) AS free_slots,
       sum(ai_cores) AS ai_cores, sum(used_ai_cores) AS used_ai_cores, sum(free_ai_cores) AS free_ai_cores,
       sum(ai_cpus) AS ai_cpus, sum(used_ai_cpus) AS used_ai_cpus, sum(free_ai_cpus) AS free_ai_cpus
  FROM devices
 GROUP BY node, backend;

CREATE VIEW usage_by_namespace AS
SELECT p.namespace, s.backend,
       count(DISTINCT s.pod_id) AS pods,
       count(DISTINCT n.name || '/' || s.device_name) AS devices,
       count(*) AS slices,
       sum(s.memory) AS memory, sum(s.cores) AS cores, sum(s.slots) AS slots,
       sum(s.ai_cores) AS ai_cores, sum(s.ai_cpus) AS ai_cpus
  FROM live_slices s
  JOIN pod p ON p.id = s.pod_id
  JOIN node n ON n.id = s.node_id
 GROUP BY p.namespace, s.backend;

-- What each Volcano queue holds, under the resource names that the backend
-- counts by; the same times 1000, as a scheduler adds it to a queue.
CREATE VIEW queue_usage AS
WITH held AS (
    SELECT p.queue, s.backend, sum(s.memory) AS memory, sum(s.cores) AS cores
      FROM live_slices s
      JOIN pod p ON p.id = s.pod_id
     GROUP BY p.queue, s.backend)
SELECT h.queue, h.backend, r.memory_name AS resource, h.memory AS amount, h.memory * 1000 AS amount_milli
  FROM held h
  JOIN backend_resource r ON r.backend = h.backend
 WHERE r.memory_name IS NOT NULL
UNION ALL
SELECT h.queue, h.backend, r.cores_name, h.cores, h.cores * 1000
  FROM held h
  JOIN backend_resource r ON r.backend = h.backend
 WHERE r.cores_name IS NOT NULL;

-- Over the devices that take pods: free memory and cores in total, the largest
-- piece of them on one device, devices without any slice.
CREATE VIEW fragmentation AS
SELECT node, backend,
       count(*) AS devices,
       sum(CASE WHEN slices = 0 THEN 1 ELSE 0 END) AS idle_devices,
       sum(free_memory) AS free_memory, max(free_memory) AS largest_free_memory,
       sum(free_cores) AS free_cores, max(free_cores) AS largest_free_cores
  FROM devices
 WHERE healthy = 1 AND schedulable = 1
 GROUP BY node, backend;

-- What was held, day by day (UTC): device-hours, each device once for a pod
-- however many slices of it the pod holds; MiB-hours; core-hours in the unit of
-- the backend's cores. What still holds counts until now.
CREATE VIEW device_hours AS
WITH RECURSIVE
slice AS (
    SELECT a.id, p.namespace, a.backend, d.type, a.pod_id, a.node_id, a.device_name,
           a.memory, a.cores, a.ai_cores, a.allocated_at AS began,
           CASE WHEN a.released_at IS NOT NULL THEN a.released_at
                WHEN a.state = 'reserved' AND a.expires_at <= c.now THEN a.expires_at
                ELSE c.now END AS ended
      FROM allocation a
      JOIN pod p ON p.id = a.pod_id
      LEFT JOIN device d ON d.id = a.device_id
      CROSS JOIN clock c),
-- until when the pod's earlier slices cover the same device
covered AS (
    SELECT *, max(ended) OVER (PARTITION BY pod_id, node_id, backend, device_name ORDER BY began, id
                               ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until
      FROM slice
     WHERE ended > began),
-- cut at every midnight
piece (namespace, backend, type, memory, cores, ai_cores, alone, ended, piece_from, piece_to) AS (
    SELECT namespace, backend, type, memory, cores, ai_cores,
           CASE WHEN until > began THEN until ELSE began END, ended, began,
           CASE WHEN ended < (began / 86400000000 + 1) * 86400000000 THEN ended
                ELSE (began / 86400000000 + 1) * 86400000000 END
      FROM covered
    UNION ALL
    SELECT namespace, backend, type, memory, cores, ai_cores, alone, ended, piece_to,
           CASE WHEN ended < piece_to + 86400000000 THEN ended ELSE piece_to + 86400000000 END
      FROM piece
     WHERE piece_to < ended)
SELECT namespace, strftime('%Y-%m-%d', piece_from / 1000000, 'unixepoch') AS day, backend, type,
       sum(CASE WHEN alone <= piece_from THEN piece_to - piece_from
                WHEN alone < piece_to THEN piece_to - alone ELSE 0 END) / 3600000000.0 AS device_hours,
       sum(memory * ((piece_to - piece_from) / 3600000000.0)) AS memory_hours,
       sum(cores * ((piece_to - piece_from) / 3600000000.0)) AS core_hours,
       sum(ai_cores * ((piece_to - piece_from) / 3600000000.0)) AS ai_core_hours
  FROM piece
 GROUP BY namespace, piece_from / 86400000000, backend, type;

-- ---- what contradicts itself ----------------------------------------------------------------

-- One row a contradiction. amount: by how much, or how many hold it.
CREATE VIEW conflicts AS
WITH
booked AS MATERIALIZED (
    SELECT *
      FROM device_usage
     WHERE used_memory > memory OR used_cores > cores OR used_slots > slots
        OR used_ai_cores > ai_cores OR used_ai_cpus > ai_cpus),
over (kind, device_id, held, most, unit) AS (
    -- on a card cut by MIG the positions are the limit
    SELECT 'over_memory', device_id, used_memory, memory, 'MiB' FROM booked WHERE used_memory > memory AND mig = 0
    UNION ALL
    SELECT 'over_cores', device_id, used_cores, cores, 'cores' FROM booked WHERE used_cores > cores
    UNION ALL
    SELECT 'over_slots', device_id, used_slots, slots, 'slots' FROM booked WHERE used_slots > slots
    UNION ALL
    SELECT 'over_ai_cores', device_id, used_ai_cores, ai_cores, 'AI cores' FROM booked WHERE used_ai_cores > ai_cores
    UNION ALL
    SELECT 'over_ai_cpus', device_id, used_ai_cpus, ai_cpus, 'AI CPUs' FROM booked WHERE used_ai_cpus > ai_cpus),
shared (kind, device_id, amount, what) AS (
    SELECT 'position_held_twice', device_id, count(*), 'position ' || mig_group || '-' || mig_position
      FROM live_slices
     WHERE mig_group IS NOT NULL AND device_id IS NOT NULL
     GROUP BY device_id, mig_group, mig_position
    HAVING count(*) > 1
    UNION ALL
    SELECT 'two_geometries', device_id, count(DISTINCT mig_group), 'a card cut by one geometry at a time'
      FROM live_slices
     WHERE mig_group IS NOT NULL AND device_id IS NOT NULL
     GROUP BY device_id
    HAVING count(DISTINCT mig_group) > 1
    UNION ALL
    SELECT 'held_whole_twice', device_id, count(*), 'a card held whole'
      FROM live_slices
     WHERE device_id IS NOT NULL
     GROUP BY device_id
    HAVING count(*) > 1 AND max(whole) = 1),
on_device (kind, device_id, amount, text) AS (
    SELECT kind, device_id, held - most, held || ' of ' || most || ' ' || unit || ' are held' FROM over
    UNION ALL
    SELECT kind, device_id, amount, amount || ' share ' || what FROM shared),
on_slice (kind, slice_id, text) AS (
    SELECT 'unknown_device', id, 'the node has no such device' FROM live_slices WHERE device_id IS NULL
    UNION ALL
    SELECT 'removed_device', s.id, 'the node has this device no more'
      FROM live_slices s
      JOIN device d ON d.id = s.device_id
     WHERE d.removed_at IS NOT NULL
    UNION ALL
    SELECT 'vanished_backend', s.id, 'no backend of this name is configured'
      FROM live_slices s
     WHERE EXISTS (SELECT 1 FROM backend_resource)
       AND NOT EXISTS (SELECT 1 FROM backend_resource r WHERE r.backend = s.backend)
    UNION ALL
    SELECT 'node_differs', s.id, 'its manifest places the pod on ' || p.spec_node_name
      FROM live_slices s
      JOIN pod p ON p.id = s.pod_id
      JOIN node n ON n.id = s.node_id
     WHERE p.spec_node_name <> n.name
    UNION ALL
    SELECT 'finished_pod', s.id, 'the pod has finished and still holds'
      FROM live_slices s
      JOIN pod p ON p.id = s.pod_id
     WHERE p.phase IN ('Succeeded', 'Failed'))
SELECT o.kind, n.name AS node, d.backend, CASE WHEN d.uuid IS NULL THEN CAST(d.idx AS TEXT) ELSE d.uuid END AS device,
       NULL AS pod, NULL AS container, o.amount,
       o.text || ': '
           || (SELECT group_concat(pod, ', ')
                 FROM (SELECT DISTINCT p.namespace || '/' || p.name AS pod
                         FROM live_slices s
                         JOIN pod p ON p.id = s.pod_id
                        WHERE s.device_id = o.device_id
                        ORDER BY 1)) AS text
  FROM on_device o
  JOIN device d ON d.id = o.device_id
  JOIN node n ON n.id = d.node_id
UNION ALL
SELECT o.kind, n.name, s.backend, s.device_name, p.namespace || '/' || p.name, s.container, 1, o.text
  FROM on_slice o
  JOIN allocation s ON s.id = o.slice_id
  JOIN pod p ON p.id = s.pod_id
  JOIN node n ON n.id = s.node_id
UNION ALL
-- what the ledger gave a pod, and what its annotation says: a finding until they agree, a conflict while it holds
SELECT f.kind, p.node_name, NULL, NULL, f.object, NULL, 1, f.text
  FROM finding f
  LEFT JOIN pod p ON p.namespace = substr(f.object, 1, instr(f.object, '/') - 1)
                 AND p.name = substr(f.object, instr(f.object, '/') + 1)
                 AND p.deleted_at IS NULL
 WHERE f.closed_at IS NULL AND f.object_kind = 'Pod' AND f.kind = 'annotation_differs'
   AND EXISTS (SELECT 1 FROM live_slices s WHERE s.pod_id = p.id AND s.origin = 'ledger');
