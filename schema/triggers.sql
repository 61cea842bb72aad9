-- What the tables cannot say about themselves: today's guards, dropped and made
-- anew after the numbered steps.
--
-- Every table has a BEFORE INSERT, UPDATE and DELETE trigger that calls
-- devledger_library_only(), a function that only this library registers: a
-- write from anywhere else stops with `no such function`. Beside it, against
-- the library's own mistakes:
--   history   rows that describe the world end, they are not deleted; what has
--             ended never changes again
--   key_taken an existing key is refused before the row is written, because
--             INSERT OR REPLACE deletes without asking a DELETE trigger; keys
--             never change, so UPDATE OR REPLACE meets none either. Derived
--             tables, where DELETE is allowed, go without
--   bounds    each CHECK of the tables once more, because INSERT OR IGNORE
--             steps over a CHECK that fails inside a trigger
-- A refusal begins with one word in snake_case. Bounds are explained at the
-- head of migrations/0001_ledger.sql.

-- ---- node -------------------------------------------------------------------

CREATE TRIGGER node_insert BEFORE INSERT ON node BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: a node of this id or name is there')
     WHERE EXISTS (SELECT 1 FROM node WHERE id = NEW.id)
        OR EXISTS (SELECT 1 FROM node WHERE name = NEW.name);
    SELECT RAISE(ABORT, 'bounds: a node needs a name, JSON objects, and times from 1970 to 9999')
     WHERE NEW.name = ''
        OR NOT (json_valid(NEW.labels) AND json_type(NEW.labels) = 'object')
        OR NOT (json_valid(NEW.annotations) AND json_type(NEW.annotations) = 'object')
        OR NOT (json_valid(NEW.capacity) AND json_type(NEW.capacity) = 'object')
        OR NOT (json_valid(NEW.allocatable) AND json_type(NEW.allocatable) = 'object')
        OR NEW.updated_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.removed_at NOT BETWEEN 0 AND 253402300799999999;
END;

CREATE TRIGGER node_update BEFORE UPDATE ON node BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a node keeps its id and name')
     WHERE NEW.id <> OLD.id OR NEW.name <> OLD.name;
    SELECT RAISE(ABORT, 'bounds: a node needs a name, JSON objects, and times from 1970 to 9999')
     WHERE NOT (json_valid(NEW.labels) AND json_type(NEW.labels) = 'object')
        OR NOT (json_valid(NEW.annotations) AND json_type(NEW.annotations) = 'object')
        OR NOT (json_valid(NEW.capacity) AND json_type(NEW.capacity) = 'object')
        OR NOT (json_valid(NEW.allocatable) AND json_type(NEW.allocatable) = 'object')
        OR NEW.updated_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.removed_at NOT BETWEEN 0 AND 253402300799999999;
    SELECT RAISE(ABORT, 'held: the node still has live slices; release them before it is removed')
     WHERE NEW.removed_at IS NOT NULL AND OLD.removed_at IS NULL
       AND EXISTS (SELECT 1 FROM allocation WHERE node_id = NEW.id AND released_at IS NULL);
END;

CREATE TRIGGER node_delete BEFORE DELETE ON node BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a node is not deleted; set removed_at');
END;

CREATE TRIGGER node_version_insert BEFORE INSERT ON node_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: this version is there')
      FROM node_version WHERE id = NEW.id;
    SELECT RAISE(ABORT, 'key_taken: the node has an open version')
      FROM node_version WHERE node_id = NEW.node_id AND valid_to IS NULL;
    SELECT RAISE(ABORT, 'bounds: a version begins open, between 1970 and 9999, after the one before it')
     WHERE NEW.valid_from NOT BETWEEN 0 AND 253402300799999999 OR NEW.valid_to IS NOT NULL
        OR NEW.valid_from < (SELECT valid_to FROM node_version WHERE node_id = NEW.node_id
                              ORDER BY valid_from DESC, id DESC LIMIT 1);
    SELECT RAISE(ABORT, 'history: a version says what its node is like')
     WHERE NOT EXISTS (SELECT 1 FROM node WHERE id = NEW.node_id AND removed_at IS NULL
                          AND labels = NEW.labels AND annotations = NEW.annotations
                          AND capacity = NEW.capacity AND allocatable = NEW.allocatable);
END;

CREATE TRIGGER node_version_update BEFORE UPDATE ON node_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a version that ended does not change, an open one only ends')
     WHERE OLD.valid_to IS NOT NULL OR NEW.id <> OLD.id OR NEW.node_id <> OLD.node_id
        OR NEW.valid_from <> OLD.valid_from
        OR (NEW.valid_to IS NOT NULL
            AND (NEW.labels, NEW.annotations, NEW.capacity, NEW.allocatable)
                IS NOT (OLD.labels, OLD.annotations, OLD.capacity, OLD.allocatable));
    -- a second change at the same moment: the version that began then is rewritten
    SELECT RAISE(ABORT, 'history: a version says what its node is like')
     WHERE NEW.valid_to IS NULL
       AND NOT EXISTS (SELECT 1 FROM node WHERE id = NEW.node_id
                          AND labels = NEW.labels AND annotations = NEW.annotations
                          AND capacity = NEW.capacity AND allocatable = NEW.allocatable);
    SELECT RAISE(ABORT, 'bounds: a version ends after it began and before 10000')
     WHERE NEW.valid_to NOT BETWEEN NEW.valid_from AND 253402300799999999;
END;

CREATE TRIGGER node_version_delete BEFORE DELETE ON node_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a version is not deleted');
END;

CREATE TRIGGER node_begins AFTER INSERT ON node WHEN NEW.removed_at IS NULL BEGIN
    INSERT INTO node_version (node_id, labels, annotations, capacity, allocatable, valid_from)
    VALUES (NEW.id, NEW.labels, NEW.annotations, NEW.capacity, NEW.allocatable, NEW.updated_at);
END;

-- The open version ends and another begins; where no time lies between the two,
-- the open one is rewritten. A clock that went back lets no interval overlap.
CREATE TRIGGER node_changes AFTER UPDATE OF labels, annotations, capacity, allocatable, removed_at ON node
WHEN (OLD.labels, OLD.annotations, OLD.capacity, OLD.allocatable, OLD.removed_at)
     IS NOT (NEW.labels, NEW.annotations, NEW.capacity, NEW.allocatable, NEW.removed_at)
BEGIN
    UPDATE node_version
       SET valid_to = CASE WHEN coalesce(NEW.removed_at, NEW.updated_at) > valid_from
                           THEN coalesce(NEW.removed_at, NEW.updated_at) ELSE valid_from END
     WHERE node_id = NEW.id AND valid_to IS NULL
       AND (NEW.removed_at IS NOT NULL OR valid_from < NEW.updated_at);
    UPDATE node_version
       SET labels = NEW.labels, annotations = NEW.annotations,
           capacity = NEW.capacity, allocatable = NEW.allocatable
     WHERE node_id = NEW.id AND valid_to IS NULL;
    INSERT INTO node_version (node_id, labels, annotations, capacity, allocatable, valid_from)
    SELECT NEW.id, NEW.labels, NEW.annotations, NEW.capacity, NEW.allocatable,
           coalesce((SELECT CASE WHEN valid_to > NEW.updated_at THEN valid_to END FROM node_version
                      WHERE node_id = NEW.id ORDER BY valid_from DESC, id DESC LIMIT 1), NEW.updated_at)
     WHERE NEW.removed_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM node_version WHERE node_id = NEW.id AND valid_to IS NULL);
END;

-- ---- device -------------------------------------------------------------------

CREATE TRIGGER device_insert BEFORE INSERT ON device BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: the node has a device of this id, UUID or number')
     WHERE EXISTS (SELECT 1 FROM device WHERE id = NEW.id)
        OR EXISTS (SELECT 1 FROM device WHERE node_id = NEW.node_id AND backend = NEW.backend AND uuid = NEW.uuid)
        OR (NEW.uuid IS NULL
            AND EXISTS (SELECT 1 FROM device WHERE node_id = NEW.node_id AND backend = NEW.backend
                                               AND idx = NEW.idx AND uuid IS NULL));
    SELECT RAISE(ABORT, 'used_amounts: a new device has no slices, so nothing of it is used')
     WHERE (NEW.used_memory, NEW.used_cores, NEW.used_slots, NEW.used_ai_cores, NEW.used_ai_cpus)
           <> (0, 0, 0, 0, 0);
    SELECT RAISE(ABORT, 'bounds: amounts of a device are 0 to 2147483647, flags 0 or 1, times from 1970 to 9999')
     WHERE NEW.backend = '' OR NEW.uuid = ''
        OR NEW.idx NOT BETWEEN 0 AND 2147483647
        OR NEW.memory NOT BETWEEN 0 AND 2147483647
        OR NEW.cores NOT BETWEEN 0 AND 2147483647
        OR NEW.slots NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cores NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cpus NOT BETWEEN 0 AND 2147483647
        OR NEW.numa NOT BETWEEN -2147483648 AND 2147483647
        OR NEW.network_id NOT BETWEEN -2147483648 AND 2147483647
        OR NEW.healthy NOT IN (0, 1) OR NEW.schedulable NOT IN (0, 1)
        OR NEW.updated_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.removed_at NOT BETWEEN 0 AND 253402300799999999;
END;

CREATE TRIGGER device_update BEFORE UPDATE ON device BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a device keeps its id, node, backend and UUID, and without a UUID its number')
     WHERE NEW.id <> OLD.id OR NEW.node_id <> OLD.node_id OR NEW.backend <> OLD.backend
        OR NEW.uuid IS NOT OLD.uuid
        OR (OLD.uuid IS NULL AND NEW.idx <> OLD.idx);
END;

CREATE TRIGGER device_bounds
BEFORE UPDATE OF idx, memory, cores, slots, ai_cores, ai_cpus, numa, network_id, healthy, schedulable,
                 updated_at, removed_at ON device
BEGIN
    SELECT RAISE(ABORT, 'bounds: amounts of a device are 0 to 2147483647, flags 0 or 1, times from 1970 to 9999')
     WHERE NEW.idx NOT BETWEEN 0 AND 2147483647
        OR NEW.memory NOT BETWEEN 0 AND 2147483647
        OR NEW.cores NOT BETWEEN 0 AND 2147483647
        OR NEW.slots NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cores NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cpus NOT BETWEEN 0 AND 2147483647
        OR NEW.numa NOT BETWEEN -2147483648 AND 2147483647
        OR NEW.network_id NOT BETWEEN -2147483648 AND 2147483647
        OR NEW.healthy NOT IN (0, 1) OR NEW.schedulable NOT IN (0, 1)
        OR NEW.updated_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.removed_at NOT BETWEEN 0 AND 253402300799999999;
END;

-- used_* are what the slices say, or they are refused.
CREATE TRIGGER device_used BEFORE UPDATE OF used_memory, used_cores, used_slots, used_ai_cores, used_ai_cpus ON device
BEGIN
    SELECT RAISE(ABORT, 'used_amounts: used_* of a device are the sums over its unreleased slices')
     WHERE (NEW.used_memory, NEW.used_cores, NEW.used_slots, NEW.used_ai_cores, NEW.used_ai_cpus)
           IS NOT (SELECT coalesce(sum(memory), 0), coalesce(sum(cores), 0), coalesce(sum(slots), 0),
                          coalesce(sum(ai_cores), 0), coalesce(sum(ai_cpus), 0)
                     FROM allocation
                    WHERE device_id = NEW.id AND released_at IS NULL);
END;

CREATE TRIGGER device_delete BEFORE DELETE ON device BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a device is not deleted; set removed_at');
END;

CREATE TRIGGER device_version_insert BEFORE INSERT ON device_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: this version is there')
      FROM device_version WHERE id = NEW.id;
    SELECT RAISE(ABORT, 'key_taken: the device has an open version')
      FROM device_version WHERE device_id = NEW.device_id AND valid_to IS NULL;
    SELECT RAISE(ABORT, 'bounds: a version begins open, between 1970 and 9999, after the one before it')
     WHERE NEW.valid_from NOT BETWEEN 0 AND 253402300799999999 OR NEW.valid_to IS NOT NULL
        OR NEW.valid_from < (SELECT valid_to FROM device_version WHERE device_id = NEW.device_id
                              ORDER BY valid_from DESC, id DESC LIMIT 1);
    SELECT RAISE(ABORT, 'history: a version says what its device is like')
     WHERE (NEW.idx, NEW.type, NEW.mode, NEW.memory, NEW.cores, NEW.slots, NEW.ai_cores, NEW.ai_cpus,
            NEW.numa, NEW.network_id, NEW.healthy, NEW.schedulable)
           IS NOT (SELECT idx, type, mode, memory, cores, slots, ai_cores, ai_cpus,
                          numa, network_id, healthy, schedulable
                     FROM device WHERE id = NEW.device_id AND removed_at IS NULL);
END;

CREATE TRIGGER device_version_update BEFORE UPDATE ON device_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a version that ended does not change, an open one only ends')
     WHERE OLD.valid_to IS NOT NULL OR NEW.id <> OLD.id OR NEW.device_id <> OLD.device_id
        OR NEW.valid_from <> OLD.valid_from
        OR (NEW.valid_to IS NOT NULL
            AND (NEW.idx, NEW.type, NEW.mode, NEW.memory, NEW.cores, NEW.slots, NEW.ai_cores, NEW.ai_cpus,
                 NEW.numa, NEW.network_id, NEW.healthy, NEW.schedulable)
                IS NOT (OLD.idx, OLD.type, OLD.mode, OLD.memory, OLD.cores, OLD.slots, OLD.ai_cores, OLD.ai_cpus,
                        OLD.numa, OLD.network_id, OLD.healthy, OLD.schedulable));
    SELECT RAISE(ABORT, 'history: a version says what its device is like')
     WHERE NEW.valid_to IS NULL
       AND (NEW.idx, NEW.type, NEW.mode, NEW.memory, NEW.cores, NEW.slots, NEW.ai_cores, NEW.ai_cpus,
            NEW.numa, NEW.network_id, NEW.healthy, NEW.schedulable)
           IS NOT (SELECT idx, type, mode, memory, cores, slots, ai_cores, ai_cpus,
                          numa, network_id, healthy, schedulable
                     FROM device WHERE id = NEW.device_id);
    SELECT RAISE(ABORT, 'bounds: a version ends after it began and before 10000')
     WHERE NEW.valid_to NOT BETWEEN NEW.valid_from AND 253402300799999999;
END;

CREATE TRIGGER device_version_delete BEFORE DELETE ON device_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a version is not deleted');
END;

CREATE TRIGGER device_begins AFTER INSERT ON device WHEN NEW.removed_at IS NULL BEGIN
    INSERT INTO device_version (device_id, idx, type, mode, memory, cores, slots, ai_cores, ai_cpus,
                                numa, network_id, healthy, schedulable, valid_from)
    VALUES (NEW.id, NEW.idx, NEW.type, NEW.mode, NEW.memory, NEW.cores, NEW.slots, NEW.ai_cores, NEW.ai_cpus,
            NEW.numa, NEW.network_id, NEW.healthy, NEW.schedulable, NEW.updated_at);
END;

CREATE TRIGGER device_changes
AFTER UPDATE OF idx, type, mode, memory, cores, slots, ai_cores, ai_cpus, numa, network_id, healthy, schedulable,
                removed_at ON device
WHEN (OLD.idx, OLD.type, OLD.mode, OLD.memory, OLD.cores, OLD.slots, OLD.ai_cores, OLD.ai_cpus,
      OLD.numa, OLD.network_id, OLD.healthy, OLD.schedulable, OLD.removed_at)
     IS NOT (NEW.idx, NEW.type, NEW.mode, NEW.memory, NEW.cores, NEW.slots, NEW.ai_cores, NEW.ai_cpus,
             NEW.numa, NEW.network_id, NEW.healthy, NEW.schedulable, NEW.removed_at)
BEGIN
    UPDATE device_version
       SET valid_to = CASE WHEN coalesce(NEW.removed_at, NEW.updated_at) > valid_from
                           THEN coalesce(NEW.removed_at, NEW.updated_at) ELSE valid_from END
     WHERE device_id = NEW.id AND valid_to IS NULL
       AND (NEW.removed_at IS NOT NULL OR valid_from < NEW.updated_at);
    UPDATE device_version
       SET idx = NEW.idx, type = NEW.type, mode = NEW.mode, memory = NEW.memory, cores = NEW.cores,
           slots = NEW.slots, ai_cores = NEW.ai_cores, ai_cpus = NEW.ai_cpus, numa = NEW.numa,
           network_id = NEW.network_id, healthy = NEW.healthy, schedulable = NEW.schedulable
     WHERE device_id = NEW.id AND valid_to IS NULL;
    INSERT INTO device_version (device_id, idx, type, mode, memory, cores, slots, ai_cores, ai_cpus,
                                numa, network_id, healthy, schedulable, valid_from)
    SELECT NEW.id, NEW.idx, NEW.type, NEW.mode, NEW.memory, NEW.cores, NEW.slots, NEW.ai_cores, NEW.ai_cpus,
           NEW.numa, NEW.network_id, NEW.healthy, NEW.schedulable,
           coalesce((SELECT CASE WHEN valid_to > NEW.updated_at THEN valid_to END FROM device_version
                      WHERE device_id = NEW.id ORDER BY valid_from DESC, id DESC LIMIT 1), NEW.updated_at)
     WHERE NEW.removed_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM device_version WHERE device_id = NEW.id AND valid_to IS NULL);
END;

-- ---- pod ----------------------------------------------------------------------

CREATE TRIGGER pod_insert BEFORE INSERT ON pod BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: a pod of this id or uid is there')
     WHERE EXISTS (SELECT 1 FROM pod WHERE id = NEW.id)
        OR EXISTS (SELECT 1 FROM pod WHERE uid = NEW.uid);
    SELECT RAISE(ABORT, 'bounds: a pod needs uid, namespace, name, phase, queue, JSON, and times before 10000')
     WHERE NEW.uid = '' OR NEW.namespace = '' OR NEW.name = '' OR NEW.phase = '' OR NEW.queue = ''
        OR NOT (json_valid(NEW.labels) AND json_type(NEW.labels) = 'object')
        OR NOT (json_valid(NEW.annotations) AND json_type(NEW.annotations) = 'object')
        OR NOT (json_valid(NEW.containers) AND json_type(NEW.containers) = 'array')
        OR NEW.created_at NOT BETWEEN -62167219200000000 AND 253402300799999999
        OR NEW.terminating_at NOT BETWEEN -62167219200000000 AND 253402300799999999
        OR NEW.updated_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.deleted_at NOT BETWEEN 0 AND 253402300799999999;
END;

CREATE TRIGGER pod_update BEFORE UPDATE ON pod BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a pod keeps its id, uid, namespace and name')
     WHERE NEW.id <> OLD.id OR NEW.uid <> OLD.uid OR NEW.namespace <> OLD.namespace OR NEW.name <> OLD.name;
    SELECT RAISE(ABORT, 'bounds: a pod needs uid, namespace, name, phase, queue, JSON, and times before 10000')
     WHERE NEW.phase = '' OR NEW.queue = ''
        OR NOT (json_valid(NEW.labels) AND json_type(NEW.labels) = 'object')
        OR NOT (json_valid(NEW.annotations) AND json_type(NEW.annotations) = 'object')
        OR NOT (json_valid(NEW.containers) AND json_type(NEW.containers) = 'array')
        OR NEW.created_at NOT BETWEEN -62167219200000000 AND 253402300799999999
        OR NEW.terminating_at NOT BETWEEN -62167219200000000 AND 253402300799999999
        OR NEW.updated_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.deleted_at NOT BETWEEN 0 AND 253402300799999999;
    SELECT RAISE(ABORT, 'held: the pod still has live slices; release them before it is gone')
     WHERE NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL
       AND EXISTS (SELECT 1 FROM allocation WHERE pod_id = NEW.id AND released_at IS NULL);
END;

CREATE TRIGGER pod_delete BEFORE DELETE ON pod BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a pod is not deleted; set deleted_at');
END;

CREATE TRIGGER pod_version_insert BEFORE INSERT ON pod_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: this version is there')
      FROM pod_version WHERE id = NEW.id;
    SELECT RAISE(ABORT, 'key_taken: the pod has an open version')
      FROM pod_version WHERE pod_id = NEW.pod_id AND valid_to IS NULL;
    SELECT RAISE(ABORT, 'bounds: a version begins open, between 1970 and 9999, after the one before it')
     WHERE NEW.valid_from NOT BETWEEN 0 AND 253402300799999999 OR NEW.valid_to IS NOT NULL
        OR NEW.valid_from < (SELECT valid_to FROM pod_version WHERE pod_id = NEW.pod_id
                              ORDER BY valid_from DESC, id DESC LIMIT 1);
    SELECT RAISE(ABORT, 'history: a version says what its pod is like')
     WHERE (NEW.labels, NEW.annotations, NEW.phase, NEW.queue, NEW.pod_group, NEW.node_name)
           IS NOT (SELECT labels, annotations, phase, queue, pod_group, node_name
                     FROM pod WHERE id = NEW.pod_id AND deleted_at IS NULL);
END;

CREATE TRIGGER pod_version_update BEFORE UPDATE ON pod_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a version that ended does not change, an open one only ends')
     WHERE OLD.valid_to IS NOT NULL OR NEW.id <> OLD.id OR NEW.pod_id <> OLD.pod_id
        OR NEW.valid_from <> OLD.valid_from
        OR (NEW.valid_to IS NOT NULL
            AND (NEW.labels, NEW.annotations, NEW.phase, NEW.queue, NEW.pod_group, NEW.node_name)
                IS NOT (OLD.labels, OLD.annotations, OLD.phase, OLD.queue, OLD.pod_group, OLD.node_name));
    SELECT RAISE(ABORT, 'history: a version says what its pod is like')
     WHERE NEW.valid_to IS NULL
       AND (NEW.labels, NEW.annotations, NEW.phase, NEW.queue, NEW.pod_group, NEW.node_name)
           IS NOT (SELECT labels, annotations, phase, queue, pod_group, node_name
                     FROM pod WHERE id = NEW.pod_id);
    SELECT RAISE(ABORT, 'bounds: a version ends after it began and before 10000')
     WHERE NEW.valid_to NOT BETWEEN NEW.valid_from AND 253402300799999999;
END;

CREATE TRIGGER pod_version_delete BEFORE DELETE ON pod_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a version is not deleted');
END;

CREATE TRIGGER pod_begins AFTER INSERT ON pod WHEN NEW.deleted_at IS NULL BEGIN
    INSERT INTO pod_version (pod_id, labels, annotations, phase, queue, pod_group, node_name, valid_from)
    VALUES (NEW.id, NEW.labels, NEW.annotations, NEW.phase, NEW.queue, NEW.pod_group, NEW.node_name, NEW.updated_at);
END;

CREATE TRIGGER pod_changes AFTER UPDATE OF labels, annotations, phase, queue, pod_group, node_name, deleted_at ON pod
WHEN (OLD.labels, OLD.annotations, OLD.phase, OLD.queue, OLD.pod_group, OLD.node_name, OLD.deleted_at)
     IS NOT (NEW.labels, NEW.annotations, NEW.phase, NEW.queue, NEW.pod_group, NEW.node_name, NEW.deleted_at)
BEGIN
    UPDATE pod_version
       SET valid_to = CASE WHEN coalesce(NEW.deleted_at, NEW.updated_at) > valid_from
                           THEN coalesce(NEW.deleted_at, NEW.updated_at) ELSE valid_from END
     WHERE pod_id = NEW.id AND valid_to IS NULL
       AND (NEW.deleted_at IS NOT NULL OR valid_from < NEW.updated_at);
    UPDATE pod_version
       SET labels = NEW.labels, annotations = NEW.annotations, phase = NEW.phase, queue = NEW.queue,
           pod_group = NEW.pod_group, node_name = NEW.node_name
     WHERE pod_id = NEW.id AND valid_to IS NULL;
    INSERT INTO pod_version (pod_id, labels, annotations, phase, queue, pod_group, node_name, valid_from)
    SELECT NEW.id, NEW.labels, NEW.annotations, NEW.phase, NEW.queue, NEW.pod_group, NEW.node_name,
           coalesce((SELECT CASE WHEN valid_to > NEW.updated_at THEN valid_to END FROM pod_version
                      WHERE pod_id = NEW.id ORDER BY valid_from DESC, id DESC LIMIT 1), NEW.updated_at)
     WHERE NEW.deleted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM pod_version WHERE pod_id = NEW.id AND valid_to IS NULL);
END;

-- ---- allocation -----------------------------------------------------------------

-- What holds for every slice, also for observed ones.
CREATE TRIGGER allocation_insert BEFORE INSERT ON allocation BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: this slice is there, or the pod has a live one of this backend and ordinal')
     WHERE EXISTS (SELECT 1 FROM allocation WHERE id = NEW.id)
        OR EXISTS (SELECT 1 FROM allocation WHERE pod_id = NEW.pod_id AND backend = NEW.backend
                                              AND ordinal = NEW.ordinal AND released_at IS NULL);
    SELECT RAISE(ABORT, 'bounds: amounts of a slice are 0 to 2147483647, its words of the schema, times in order')
     WHERE NEW.backend = ''
        OR NEW.memory NOT BETWEEN 0 AND 2147483647
        OR NEW.memory_asked NOT BETWEEN 0 AND 2147483647
        OR NEW.cores NOT BETWEEN 0 AND 2147483647
        OR NEW.slots NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cores NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cpus NOT BETWEEN 0 AND 2147483647
        OR NEW.whole NOT IN (0, 1)
        OR NEW.mode NOT IN ('template', 'soft', 'hami-core', 'mig')
        OR NEW.mig_position NOT BETWEEN 0 AND 2147483647
        OR (NEW.mig_group IS NULL) <> (NEW.mig_position IS NULL)
        OR NEW.ordinal NOT BETWEEN 0 AND 2147483647
        OR NEW.origin NOT IN ('ledger', 'observed')
        OR NEW.allocated_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.expires_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.bound_at NOT BETWEEN NEW.allocated_at AND 253402300799999999;
    SELECT RAISE(ABORT, 'state: a slice begins reserved, or bound with bound_at')
     WHERE NEW.state NOT IN ('reserved', 'bound')
        OR (NEW.state = 'bound') <> (NEW.bound_at IS NOT NULL)
        OR NEW.released_at IS NOT NULL OR NEW.release_reason IS NOT NULL;
    SELECT RAISE(ABORT, 'pod_gone: a pod that is gone or finished holds nothing')
      FROM pod WHERE id = NEW.pod_id AND (deleted_at IS NOT NULL OR phase IN ('Succeeded', 'Failed'));
    SELECT RAISE(ABORT, 'node_gone: nothing is held on a node that was removed')
      FROM node WHERE id = NEW.node_id AND removed_at IS NOT NULL;
    SELECT RAISE(ABORT, 'other_device: the device is of another node or another backend')
      FROM device WHERE id = NEW.device_id AND (node_id <> NEW.node_id OR backend <> NEW.backend);
    SELECT RAISE(ABORT, 'other_node: the pod holds slices on another node')
      FROM allocation WHERE pod_id = NEW.pod_id AND released_at IS NULL AND node_id <> NEW.node_id;
END;

-- What the ledger itself gives can never exceed a device, whoever writes.
-- Expired reservations count until their rows have ended: writers end them
-- first. NULL in a device: not counted.
CREATE TRIGGER allocation_fits BEFORE INSERT ON allocation WHEN NEW.origin = 'ledger' BEGIN
    SELECT RAISE(ABORT, 'unknown_device: the ledger gives slices of devices that it knows')
     WHERE NEW.device_id IS NULL;
    SELECT RAISE(ABORT, 'unschedulable: the node is closed to this backend')
      FROM node_backend WHERE node_id = NEW.node_id AND backend = NEW.backend AND schedulable = 0;
    SELECT RAISE(ABORT, 'no_position: a slice in mig mode, and no other, has a group and a position')
     WHERE (NEW.mode IS 'mig') <> (NEW.mig_group IS NOT NULL);
    -- Against the other live slices. On MIG devices the positions are the limit,
    -- not the memory: an instance's nominal one may exceed what the driver reports.
    SELECT CASE
           WHEN whole = 1
           THEN RAISE(ABORT, 'held_whole: the device is held whole by another slice')
           WHEN NEW.whole = 1
           THEN RAISE(ABORT, 'held: a device that others hold slices of is not given whole')
           WHEN mig_group = NEW.mig_group AND mig_position = NEW.mig_position
           THEN RAISE(ABORT, 'position_held: another slice holds this MIG position')
           WHEN mig_group <> NEW.mig_group
           THEN RAISE(ABORT, 'other_geometry: the device is cut by another MIG geometry')
           END
      FROM allocation WHERE device_id = NEW.device_id AND released_at IS NULL;
    -- Against the device. Soft slices of Ascend chips count cores in percent.
    SELECT CASE
           WHEN removed_at IS NOT NULL
           THEN RAISE(ABORT, 'removed: the node has this device no more')
           WHEN healthy = 0
           THEN RAISE(ABORT, 'unhealthy: the device is not healthy')
           WHEN schedulable = 0
           THEN RAISE(ABORT, 'unschedulable: the device is closed')
           WHEN NEW.mode = 'mig' AND mode IS NOT 'mig'
           THEN RAISE(ABORT, 'no_position: the device is not in mig mode')
           WHEN NEW.mode IS NOT 'mig' AND NEW.memory > 0 AND used_memory + NEW.memory > memory
           THEN RAISE(ABORT, 'over_memory: the device has less memory free than the slice takes')
           WHEN NEW.cores > 0 AND used_cores + NEW.cores > CASE WHEN NEW.mode = 'soft' THEN 100 ELSE cores END
           THEN RAISE(ABORT, 'over_cores: the device has fewer cores free than the slice takes')
           WHEN NEW.slots > 0 AND used_slots + NEW.slots > slots
           THEN RAISE(ABORT, 'over_slots: the device has fewer slots free than the slice takes')
           WHEN NEW.ai_cores > 0 AND used_ai_cores + NEW.ai_cores > ai_cores
           THEN RAISE(ABORT, 'over_ai_cores: the device has fewer AI cores free than the slice takes')
           WHEN NEW.ai_cpus > 0 AND used_ai_cpus + NEW.ai_cpus > ai_cpus
           THEN RAISE(ABORT, 'over_ai_cpus: the device has fewer AI CPUs free than the slice takes')
           END
      FROM device WHERE id = NEW.device_id;
END;

CREATE TRIGGER allocation_update BEFORE UPDATE ON allocation BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a released slice never changes again')
     WHERE OLD.released_at IS NOT NULL;
    SELECT RAISE(ABORT, 'history: what a slice is does not change after it began')
     WHERE NEW.id <> OLD.id OR NEW.pod_id <> OLD.pod_id OR NEW.node_id <> OLD.node_id
        OR NEW.device_name <> OLD.device_name OR NEW.container <> OLD.container OR NEW.backend <> OLD.backend
        OR NEW.whole <> OLD.whole OR NEW.ordinal <> OLD.ordinal OR NEW.origin <> OLD.origin
        OR NEW.allocated_at <> OLD.allocated_at
        OR (NEW.template_asked, NEW.template, NEW.mig_group, NEW.mig_position)
           IS NOT (OLD.template_asked, OLD.template, OLD.mig_group, OLD.mig_position);
    -- A slice observed on an unknown device is linked when the device comes;
    -- only then can be known what it takes of it.
    SELECT RAISE(ABORT, 'history: device and amounts of a slice change only when its device becomes known')
     WHERE (NEW.device_id, NEW.memory, NEW.memory_asked, NEW.cores, NEW.slots, NEW.ai_cores, NEW.ai_cpus, NEW.mode)
           IS NOT (OLD.device_id, OLD.memory, OLD.memory_asked, OLD.cores, OLD.slots, OLD.ai_cores, OLD.ai_cpus,
                   OLD.mode)
       AND NOT (OLD.device_id IS NULL AND NEW.device_id IS NOT NULL);
    SELECT RAISE(ABORT, 'other_device: the device is of another node or another backend')
      FROM device WHERE id = NEW.device_id AND OLD.device_id IS NULL
                    AND (node_id <> NEW.node_id OR backend <> NEW.backend);
    SELECT RAISE(ABORT, 'state: a slice goes from reserved to bound to released, each with its time')
     WHERE NEW.state NOT IN ('reserved', 'bound', 'released')
        OR (OLD.state = 'bound' AND NEW.state = 'reserved')
        OR (NEW.state = 'released') <> (NEW.released_at IS NOT NULL)
        OR (NEW.state = 'released') <> (NEW.release_reason IS NOT NULL)
        OR (NEW.state = 'reserved' AND NEW.bound_at IS NOT NULL)
        OR (NEW.state = 'bound' AND NEW.bound_at IS NULL)
        OR (NEW.bound_at IS NOT OLD.bound_at AND NOT (OLD.state = 'reserved' AND NEW.state = 'bound'));
    SELECT RAISE(ABORT, 'state: the end of a reservation does not move; binding may clear it')
     WHERE NEW.expires_at IS NOT OLD.expires_at
       AND NOT (NEW.expires_at IS NULL AND OLD.state = 'reserved' AND NEW.state = 'bound');
    SELECT RAISE(ABORT, 'bounds: amounts of a slice are 0 to 2147483647, its words of the schema, times in order')
     WHERE NEW.memory NOT BETWEEN 0 AND 2147483647
        OR NEW.memory_asked NOT BETWEEN 0 AND 2147483647
        OR NEW.cores NOT BETWEEN 0 AND 2147483647
        OR NEW.slots NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cores NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cpus NOT BETWEEN 0 AND 2147483647
        OR NEW.mode NOT IN ('template', 'soft', 'hami-core', 'mig')
        OR NEW.bound_at NOT BETWEEN NEW.allocated_at AND 253402300799999999
        OR NEW.released_at NOT BETWEEN NEW.allocated_at AND 253402300799999999
        OR NEW.release_reason = '';
END;

CREATE TRIGGER allocation_delete BEFORE DELETE ON allocation BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a slice is not deleted; it is released');
END;

-- used_* of a device are the sums over its unreleased slices, always.
CREATE TRIGGER allocation_begins AFTER INSERT ON allocation WHEN NEW.device_id IS NOT NULL BEGIN
    UPDATE device
       SET (used_memory, used_cores, used_slots, used_ai_cores, used_ai_cpus) =
           (SELECT coalesce(sum(memory), 0), coalesce(sum(cores), 0), coalesce(sum(slots), 0),
                   coalesce(sum(ai_cores), 0), coalesce(sum(ai_cpus), 0)
              FROM allocation
             WHERE device_id = NEW.device_id AND released_at IS NULL)
     WHERE id = NEW.device_id;
END;

CREATE TRIGGER allocation_changes
AFTER UPDATE OF device_id, memory, cores, slots, ai_cores, ai_cpus, released_at ON allocation
WHEN NEW.device_id IS NOT NULL
BEGIN
    UPDATE device
       SET (used_memory, used_cores, used_slots, used_ai_cores, used_ai_cpus) =
           (SELECT coalesce(sum(memory), 0), coalesce(sum(cores), 0), coalesce(sum(slots), 0),
                   coalesce(sum(ai_cores), 0), coalesce(sum(ai_cpus), 0)
              FROM allocation
             WHERE device_id = NEW.device_id AND released_at IS NULL)
     WHERE id = NEW.device_id;
END;

-- ---- what opens and closes once ----------------------------------------------------

CREATE TRIGGER vnpu_downgrade_insert BEFORE INSERT ON vnpu_downgrade BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: this downgrade is there, or the pod has an open one on this node')
     WHERE EXISTS (SELECT 1 FROM vnpu_downgrade WHERE id = NEW.id)
        OR EXISTS (SELECT 1 FROM vnpu_downgrade WHERE pod_uid = NEW.pod_uid AND node_id = NEW.node_id
                                                  AND closed_at IS NULL);
    SELECT RAISE(ABORT, 'bounds: a downgrade begins open, has a pod and two templates, and a time from 1970 to 9999')
     WHERE NEW.pod_uid = '' OR NEW.template_asked = '' OR NEW.template_given = ''
        OR NEW.opened_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.closed_at IS NOT NULL;
END;

CREATE TRIGGER vnpu_downgrade_update BEFORE UPDATE ON vnpu_downgrade BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a downgrade only closes, and once')
     WHERE OLD.closed_at IS NOT NULL
        OR (NEW.id, NEW.pod_uid, NEW.node_id, NEW.template_asked, NEW.template_given, NEW.reason, NEW.opened_at)
           IS NOT (OLD.id, OLD.pod_uid, OLD.node_id, OLD.template_asked, OLD.template_given, OLD.reason,
                   OLD.opened_at);
    SELECT RAISE(ABORT, 'bounds: a downgrade closes after it opened and before 10000')
     WHERE NEW.closed_at NOT BETWEEN NEW.opened_at AND 253402300799999999;
END;

CREATE TRIGGER vnpu_downgrade_delete BEFORE DELETE ON vnpu_downgrade BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a downgrade is not deleted; it closes');
END;

CREATE TRIGGER node_lock_insert BEFORE INSERT ON node_lock BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: this hold is there, or the lock is held')
     WHERE EXISTS (SELECT 1 FROM node_lock WHERE id = NEW.id)
        OR EXISTS (SELECT 1 FROM node_lock WHERE node_id = NEW.node_id AND name = NEW.name AND released_at IS NULL);
    SELECT RAISE(ABORT, 'bounds: a hold of a lock begins unreleased, has a name, and expires after it was taken')
     WHERE NEW.name = '' OR NEW.origin NOT IN ('ledger', 'observed')
        OR NEW.taken_at NOT BETWEEN -62167219200000000 AND 253402300799999999
        OR NEW.expires_at NOT BETWEEN NEW.taken_at AND 253402300799999999
        OR NEW.released_at IS NOT NULL OR NEW.release_reason IS NOT NULL;
END;

CREATE TRIGGER node_lock_update BEFORE UPDATE ON node_lock BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a hold of a lock is only released, and once')
     WHERE OLD.released_at IS NOT NULL
        OR (NEW.id, NEW.node_id, NEW.name, NEW.holder, NEW.origin, NEW.taken_at, NEW.expires_at)
           IS NOT (OLD.id, OLD.node_id, OLD.name, OLD.holder, OLD.origin, OLD.taken_at, OLD.expires_at);
    SELECT RAISE(ABORT, 'bounds: a release has a reason and a time from 1970 to 9999')
     WHERE NEW.released_at NOT BETWEEN 0 AND 253402300799999999 OR NEW.release_reason = ''
        OR (NEW.released_at IS NULL) <> (NEW.release_reason IS NULL);
END;

CREATE TRIGGER node_lock_delete BEFORE DELETE ON node_lock BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a hold of a lock is not deleted; it is released');
END;

CREATE TRIGGER finding_insert BEFORE INSERT ON finding BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: a finding of this id is there')
     WHERE EXISTS (SELECT 1 FROM finding WHERE id = NEW.id);
    SELECT RAISE(ABORT, 'bounds: a finding begins open, has a kind, an object and a position, and a time')
     WHERE NEW.kind = '' OR NEW.object_kind = '' OR NEW.object = ''
        OR NEW.position NOT BETWEEN 0 AND 2147483647
        OR NEW.opened_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.closed_at IS NOT NULL;
END;

CREATE TRIGGER finding_update BEFORE UPDATE ON finding BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a finding only closes, and once')
     WHERE OLD.closed_at IS NOT NULL
        OR (NEW.id, NEW.kind, NEW.object_kind, NEW.object, NEW.key, NEW.position, NEW.text, NEW.opened_at)
           IS NOT (OLD.id, OLD.kind, OLD.object_kind, OLD.object, OLD.key, OLD.position, OLD.text, OLD.opened_at);
    SELECT RAISE(ABORT, 'bounds: a finding closes after it opened and before 10000')
     WHERE NEW.closed_at NOT BETWEEN NEW.opened_at AND 253402300799999999;
END;

CREATE TRIGGER finding_delete BEFORE DELETE ON finding BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a finding is not deleted; it closes');
END;

-- ---- config, object, event ------------------------------------------------------------

CREATE TRIGGER config_insert BEFORE INSERT ON config BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: a configuration of this id is there')
     WHERE EXISTS (SELECT 1 FROM config WHERE id = NEW.id);
    SELECT RAISE(ABORT, 'bounds: a configuration is of kind scheduler or devices and has its SHA-256 and a time')
     WHERE NEW.kind NOT IN ('scheduler', 'devices')
        OR length(NEW.sha256) <> 64 OR NEW.sha256 GLOB '*[^0-9a-f]*'
        OR NEW.applied_at NOT BETWEEN 0 AND 253402300799999999;
END;

CREATE TRIGGER config_update BEFORE UPDATE ON config BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a configuration never changes; another takes its place');
END;

CREATE TRIGGER config_delete BEFORE DELETE ON config BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a configuration is not deleted; another takes its place');
END;

CREATE TRIGGER object_insert BEFORE INSERT ON object BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'key_taken: an object of this id, or of this kind, namespace and name is there')
     WHERE EXISTS (SELECT 1 FROM object WHERE id = NEW.id)
        OR EXISTS (SELECT 1 FROM object WHERE kind = NEW.kind AND namespace = NEW.namespace AND name = NEW.name);
    SELECT RAISE(ABORT, 'bounds: an object needs kind, namespace, name, a JSON object, and times from 1970 to 9999')
     WHERE NEW.kind = '' OR NEW.namespace = '' OR NEW.name = ''
        OR NOT (json_valid(NEW.text) AND json_type(NEW.text) = 'object')
        OR NEW.updated_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.removed_at NOT BETWEEN 0 AND 253402300799999999;
END;

CREATE TRIGGER object_update BEFORE UPDATE ON object BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: an object keeps its id, kind, namespace and name')
     WHERE NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.namespace <> OLD.namespace OR NEW.name <> OLD.name;
    SELECT RAISE(ABORT, 'bounds: an object needs kind, namespace, name, a JSON object, and times from 1970 to 9999')
     WHERE NOT (json_valid(NEW.text) AND json_type(NEW.text) = 'object')
        OR NEW.updated_at NOT BETWEEN 0 AND 253402300799999999
        OR NEW.removed_at NOT BETWEEN 0 AND 253402300799999999;
END;

CREATE TRIGGER object_delete BEFORE DELETE ON object BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: an object is not deleted; set removed_at');
END;

-- The chain: see docs/schema.md for the form that is hashed.
CREATE TRIGGER event_insert BEFORE INSERT ON event BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'sequence: the next event has the last number plus one')
     WHERE NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event);
    SELECT RAISE(ABORT, 'sequence: an event is not earlier than the one before it')
      FROM event WHERE seq = NEW.seq - 1 AND at > NEW.at;
    SELECT RAISE(ABORT, 'bounds: an event has a kind, a JSON object as detail, and a time from 1970 to 9999')
     WHERE NEW.kind = '' OR NEW.at NOT BETWEEN 0 AND 253402300799999999
        OR NOT (json_valid(NEW.detail) AND json_type(NEW.detail) = 'object');
    SELECT RAISE(ABORT, 'chain: prev_hash is the hash of the event before, zeros for the first')
     WHERE NEW.prev_hash IS NOT coalesce((SELECT hash FROM event WHERE seq = NEW.seq - 1), zeroblob(32));
    SELECT RAISE(ABORT, 'chain: hash is not that of prev_hash and this row')
     WHERE length(NEW.hash) IS NOT 32
        OR NEW.hash IS NOT devledger_event_hash(NEW.prev_hash, NEW.seq, NEW.at, NEW.actor, NEW.command, NEW.kind,
                                                NEW.node, NEW.pod, NEW.device, NEW.detail);
END;

CREATE TRIGGER event_update BEFORE UPDATE ON event BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: an event never changes');
END;

CREATE TRIGGER event_delete BEFORE DELETE ON event BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: an event is not deleted');
END;

-- ---- derived tables: written anew from what they are derived from --------------------------

CREATE TRIGGER node_backend_insert BEFORE INSERT ON node_backend BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: flags are 0 or 1, a capacity 0 to 2147483647')
     WHERE NEW.backend = '' OR NEW.schedulable NOT IN (0, 1) OR NEW.soft NOT IN (0, 1)
        OR NEW.capacity NOT BETWEEN 0 AND 2147483647;
END;

CREATE TRIGGER node_backend_update BEFORE UPDATE ON node_backend BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: flags are 0 or 1, a capacity 0 to 2147483647')
     WHERE NEW.backend = '' OR NEW.schedulable NOT IN (0, 1) OR NEW.soft NOT IN (0, 1)
        OR NEW.capacity NOT BETWEEN 0 AND 2147483647;
END;

CREATE TRIGGER node_backend_delete BEFORE DELETE ON node_backend BEGIN SELECT devledger_library_only(); END;

CREATE TRIGGER node_fact_insert BEFORE INSERT ON node_fact BEGIN SELECT devledger_library_only(); END;
CREATE TRIGGER node_fact_update BEFORE UPDATE ON node_fact BEGIN SELECT devledger_library_only(); END;
CREATE TRIGGER node_fact_delete BEFORE DELETE ON node_fact BEGIN SELECT devledger_library_only(); END;

CREATE TRIGGER request_insert BEFORE INSERT ON request BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: amounts of a request are 0 to 2147483647, a percentage to 100')
     WHERE NEW.backend = '' OR NEW.ordinal NOT BETWEEN 0 AND 2147483647 OR NEW.count NOT BETWEEN 0 AND 2147483647
        OR NEW.memory NOT BETWEEN 0 AND 2147483647 OR NEW.memory_percent NOT BETWEEN 0 AND 100
        OR NEW.cores NOT BETWEEN 0 AND 2147483647;
END;

CREATE TRIGGER request_update BEFORE UPDATE ON request BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: amounts of a request are 0 to 2147483647, a percentage to 100')
     WHERE NEW.backend = '' OR NEW.ordinal NOT BETWEEN 0 AND 2147483647 OR NEW.count NOT BETWEEN 0 AND 2147483647
        OR NEW.memory NOT BETWEEN 0 AND 2147483647 OR NEW.memory_percent NOT BETWEEN 0 AND 100
        OR NEW.cores NOT BETWEEN 0 AND 2147483647;
END;

CREATE TRIGGER request_delete BEFORE DELETE ON request BEGIN SELECT devledger_library_only(); END;

CREATE TRIGGER explanation_insert BEFORE INSERT ON explanation BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: an explanation has a code from 0 to 3 and a time from 1970 to 9999')
     WHERE NEW.code NOT BETWEEN 0 AND 3 OR NEW.at NOT BETWEEN 0 AND 253402300799999999;
END;

CREATE TRIGGER explanation_update BEFORE UPDATE ON explanation BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: an explanation has a code from 0 to 3 and a time from 1970 to 9999')
     WHERE NEW.code NOT BETWEEN 0 AND 3 OR NEW.at NOT BETWEEN 0 AND 253402300799999999;
END;

CREATE TRIGGER explanation_delete BEFORE DELETE ON explanation BEGIN SELECT devledger_library_only(); END;

CREATE TRIGGER backend_resource_insert BEFORE INSERT ON backend_resource BEGIN SELECT devledger_library_only(); END;
CREATE TRIGGER backend_resource_update BEFORE UPDATE ON backend_resource BEGIN SELECT devledger_library_only(); END;
CREATE TRIGGER backend_resource_delete BEFORE DELETE ON backend_resource BEGIN SELECT devledger_library_only(); END;

CREATE TRIGGER vnpu_template_insert BEFORE INSERT ON vnpu_template BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: amounts of a template are 0 to 2147483647, dvpp is yes, no or null')
     WHERE NEW.backend = '' OR NEW.memory NOT BETWEEN 0 AND 2147483647 OR NEW.ai_cores NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cpus NOT BETWEEN 0 AND 2147483647 OR NEW.dvpp NOT IN ('yes', 'no', 'null');
END;

CREATE TRIGGER vnpu_template_update BEFORE UPDATE ON vnpu_template BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: amounts of a template are 0 to 2147483647, dvpp is yes, no or null')
     WHERE NEW.backend = '' OR NEW.memory NOT BETWEEN 0 AND 2147483647 OR NEW.ai_cores NOT BETWEEN 0 AND 2147483647
        OR NEW.ai_cpus NOT BETWEEN 0 AND 2147483647 OR NEW.dvpp NOT IN ('yes', 'no', 'null');
END;

CREATE TRIGGER vnpu_template_delete BEFORE DELETE ON vnpu_template BEGIN SELECT devledger_library_only(); END;

CREATE TRIGGER mig_geometry_insert BEFORE INSERT ON mig_geometry BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: numbers of a geometry are 0 to 2147483647')
     WHERE NEW.group_ordinal NOT BETWEEN 0 AND 2147483647 OR NEW.kind_ordinal NOT BETWEEN 0 AND 2147483647
        OR NEW.memory NOT BETWEEN 0 AND 2147483647 OR NEW.count NOT BETWEEN 0 AND 2147483647
        OR NEW.first_position NOT BETWEEN 0 AND 2147483647;
END;

CREATE TRIGGER mig_geometry_update BEFORE UPDATE ON mig_geometry BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'bounds: numbers of a geometry are 0 to 2147483647')
     WHERE NEW.group_ordinal NOT BETWEEN 0 AND 2147483647 OR NEW.kind_ordinal NOT BETWEEN 0 AND 2147483647
        OR NEW.memory NOT BETWEEN 0 AND 2147483647 OR NEW.count NOT BETWEEN 0 AND 2147483647
        OR NEW.first_position NOT BETWEEN 0 AND 2147483647;
END;

CREATE TRIGGER mig_geometry_delete BEFORE DELETE ON mig_geometry BEGIN SELECT devledger_library_only(); END;
