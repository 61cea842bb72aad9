-- Devices of a node.

-- name: of-node
-- In: node_id. Out: all devices, also removed ones, by backend and index.
SELECT id, backend, idx, uuid, type, mode, memory, cores, slots, ai_cores, ai_cpus, numa, network_id, healthy,
       schedulable, reason, removed_at
  FROM device
 WHERE node_id = :node_id
 ORDER BY backend, idx, id;

-- name: of-node-backend
-- In: node_id, backend. Out: devices that are there, by index.
SELECT id, backend, idx, uuid, type, mode, memory, cores, slots, ai_cores, ai_cpus, numa, network_id, healthy,
       schedulable, reason, removed_at
  FROM device
 WHERE node_id = :node_id AND backend = :backend AND removed_at IS NULL
 ORDER BY idx, id;

-- name: insert
-- In: what the inventory says.
INSERT INTO device (node_id, backend, idx, uuid, type, mode, memory, cores, slots, ai_cores, ai_cpus, numa, network_id,
                    healthy, schedulable, reason, updated_at)
VALUES (:node_id, :backend, :idx, :uuid, :type, :mode, :memory, :cores, :slots, :ai_cores, :ai_cpus, :numa,
        :network_id, :healthy, :schedulable, :reason, :now);

-- name: update
-- In: id and what the inventory says. A removed device is there again.
UPDATE device
   SET idx = :idx,
       type = :type,
       mode = :mode,
       memory = :memory,
       cores = :cores,
       slots = :slots,
       ai_cores = :ai_cores,
       ai_cpus = :ai_cpus,
       numa = :numa,
       network_id = :network_id,
       healthy = :healthy,
       schedulable = :schedulable,
       reason = :reason,
       updated_at = :now,
       removed_at = NULL
 WHERE id = :id;

-- name: remove
-- In: id, now.
UPDATE device
   SET updated_at = :now, removed_at = :now
 WHERE id = :id AND removed_at IS NULL;
