PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE node (
    id          INTEGER PRIMARY KEY CHECK (id > 0),
    name        TEXT NOT NULL UNIQUE CHECK (name <> ''),
    -- JSON: string to string
    labels      TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(labels) AND json_type(labels) = 'object'),
    annotations TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(annotations) AND json_type(annotations) = 'object'),
    -- JSON: resource to quantity
    capacity    TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(capacity) AND json_type(capacity) = 'object'),
    allocatable TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(allocatable) AND json_type(allocatable) = 'object'),
    updated_at  INTEGER NOT NULL CHECK (updated_at BETWEEN 0 AND 253402300799999999),
    removed_at  INTEGER CHECK (removed_at BETWEEN 0 AND 253402300799999999)
) STRICT;
INSERT INTO node VALUES(1,'n1','{"pool":"a"}','{"hamivgpu":"2026-11-30T07:59:00Z","volcano.sh/node-vgpu-register":"GPU-0,4,8000,NVIDIA-A,true,hami-core:GPU-1,4,8000,NVIDIA-A,false,hami-core:GPU-x,4,"}','{"volcano.sh/vgpu-cores":"200","volcano.sh/vgpu-memory":"16000","volcano.sh/vgpu-number":"8"}','{"volcano.sh/vgpu-cores":"200","volcano.sh/vgpu-memory":"16000","volcano.sh/vgpu-number":"8"}',1796025601000000,NULL);
CREATE TABLE node_version (
    id          INTEGER PRIMARY KEY CHECK (id > 0),
    node_id     INTEGER NOT NULL REFERENCES node (id),
    labels      TEXT NOT NULL,
    annotations TEXT NOT NULL,
    capacity    TEXT NOT NULL,
    allocatable TEXT NOT NULL,
    valid_from  INTEGER NOT NULL CHECK (valid_from BETWEEN 0 AND 253402300799999999),
    valid_to    INTEGER CHECK (valid_to BETWEEN valid_from AND 253402300799999999)
) STRICT;
INSERT INTO node_version VALUES(1,1,'{"pool":"a"}','{"hamivgpu":"2026-11-30T07:59:00Z","volcano.sh/node-vgpu-register":"GPU-0,4,8000,NVIDIA-A,true,hami-core:GPU-1,4,8000,NVIDIA-A,false,hami-core:GPU-x,4,"}','{"volcano.sh/vgpu-cores":"200","volcano.sh/vgpu-memory":"16000","volcano.sh/vgpu-number":"8"}','{"volcano.sh/vgpu-cores":"200","volcano.sh/vgpu-memory":"16000","volcano.sh/vgpu-number":"8"}',1796025601000000,NULL);
CREATE TABLE node_backend (
    node_id     INTEGER NOT NULL REFERENCES node (id),
    backend     TEXT NOT NULL CHECK (backend <> ''),
    schedulable INTEGER NOT NULL CHECK (schedulable IN (0, 1)), -- 0: no pod is placed here
    reason      TEXT,                         -- why not, snake_case
    message     TEXT,                         -- why not, for people
    capacity    INTEGER CHECK (capacity BETWEEN 0 AND 2147483647), -- vnpu: the node's AI cores
    soft        INTEGER NOT NULL DEFAULT 0 CHECK (soft IN (0, 1)), -- hami: the node slices softly
    PRIMARY KEY (node_id, backend)
) STRICT, WITHOUT ROWID;
INSERT INTO node_backend VALUES(1,'vgpu',1,NULL,NULL,NULL,0);
CREATE TABLE device (
    id            INTEGER PRIMARY KEY CHECK (id > 0),
    node_id       INTEGER NOT NULL REFERENCES node (id),
    backend       TEXT NOT NULL CHECK (backend <> ''),
    idx           INTEGER NOT NULL CHECK (idx BETWEEN 0 AND 2147483647),
    uuid          TEXT CHECK (uuid <> ''),
    type          TEXT,
    mode          TEXT,
    memory        INTEGER CHECK (memory BETWEEN 0 AND 2147483647),
    cores         INTEGER CHECK (cores BETWEEN 0 AND 2147483647),
    slots         INTEGER CHECK (slots BETWEEN 0 AND 2147483647),
    ai_cores      INTEGER CHECK (ai_cores BETWEEN 0 AND 2147483647),
    ai_cpus       INTEGER CHECK (ai_cpus BETWEEN 0 AND 2147483647),
    numa          INTEGER CHECK (numa BETWEEN -2147483648 AND 2147483647),
    network_id    INTEGER CHECK (network_id BETWEEN -2147483648 AND 2147483647),
    healthy       INTEGER NOT NULL DEFAULT 1 CHECK (healthy IN (0, 1)),
    schedulable   INTEGER NOT NULL DEFAULT 1 CHECK (schedulable IN (0, 1)),
    reason        TEXT,                       -- why it is not schedulable
    -- sums over its unreleased slices, kept by triggers
    used_memory   INTEGER NOT NULL DEFAULT 0 CHECK (used_memory BETWEEN 0 AND 4611686018427387903),
    used_cores    INTEGER NOT NULL DEFAULT 0 CHECK (used_cores BETWEEN 0 AND 4611686018427387903),
    used_slots    INTEGER NOT NULL DEFAULT 0 CHECK (used_slots BETWEEN 0 AND 4611686018427387903),
    used_ai_cores INTEGER NOT NULL DEFAULT 0 CHECK (used_ai_cores BETWEEN 0 AND 4611686018427387903),
    used_ai_cpus  INTEGER NOT NULL DEFAULT 0 CHECK (used_ai_cpus BETWEEN 0 AND 4611686018427387903),
    updated_at    INTEGER NOT NULL CHECK (updated_at BETWEEN 0 AND 253402300799999999),
    removed_at    INTEGER CHECK (removed_at BETWEEN 0 AND 253402300799999999)
) STRICT;
INSERT INTO device VALUES(1,1,'vgpu',0,'GPU-0','NVIDIA-A','hami-core',8000,100,4,NULL,NULL,NULL,NULL,1,1,NULL,1000,0,1,0,0,1796025601000000,NULL);
INSERT INTO device VALUES(2,1,'vgpu',1,'GPU-1','NVIDIA-A','hami-core',8000,100,4,NULL,NULL,NULL,NULL,0,1,NULL,0,0,0,0,0,1796025601000000,NULL);
CREATE TABLE device_version (
    id          INTEGER PRIMARY KEY CHECK (id > 0),
    device_id   INTEGER NOT NULL REFERENCES device (id),
    idx         INTEGER NOT NULL,
    type        TEXT,
    mode        TEXT,
    memory      INTEGER,
    cores       INTEGER,
    slots       INTEGER,
    ai_cores    INTEGER,
    ai_cpus     INTEGER,
    numa        INTEGER,
    network_id  INTEGER,
    healthy     INTEGER NOT NULL,
    schedulable INTEGER NOT NULL,
    valid_from  INTEGER NOT NULL CHECK (valid_from BETWEEN 0 AND 253402300799999999),
    valid_to    INTEGER CHECK (valid_to BETWEEN valid_from AND 253402300799999999)
) STRICT;
INSERT INTO device_version VALUES(1,1,0,'NVIDIA-A','hami-core',8000,100,4,NULL,NULL,NULL,NULL,1,1,1796025601000000,NULL);
INSERT INTO device_version VALUES(2,2,1,'NVIDIA-A','hami-core',8000,100,4,NULL,NULL,NULL,NULL,0,1,1796025601000000,NULL);
CREATE TABLE pod (
    id             INTEGER PRIMARY KEY CHECK (id > 0),
    uid            TEXT NOT NULL UNIQUE CHECK (uid <> ''),
    namespace      TEXT NOT NULL CHECK (namespace <> ''),
    name           TEXT NOT NULL CHECK (name <> ''),
    labels         TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(labels) AND json_type(labels) = 'object'),
    annotations    TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(annotations) AND json_type(annotations) = 'object'),
    -- JSON: name, init, sidecar, limits, requests
    containers     TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(containers) AND json_type(containers) = 'array'),
    phase          TEXT NOT NULL DEFAULT 'Pending' CHECK (phase <> ''),
    queue          TEXT NOT NULL DEFAULT 'default' CHECK (queue <> ''),
    pod_group      TEXT,                       -- namespace/group
    node_id        INTEGER REFERENCES node (id), -- where it is placed; NULL: pending, or the node is unknown
    node_name      TEXT,                       -- its name: the manifest's, the assignment's, or that of the ledger's own slices
    spec_node_name TEXT,                       -- what the manifest itself says
    -- when the ledger first saw it, or creationTimestamp
    created_at     INTEGER NOT NULL CHECK (created_at BETWEEN -62167219200000000 AND 253402300799999999),
    -- deletionTimestamp
    terminating_at INTEGER CHECK (terminating_at BETWEEN -62167219200000000 AND 253402300799999999),
    updated_at     INTEGER NOT NULL CHECK (updated_at BETWEEN 0 AND 253402300799999999),
    deleted_at     INTEGER CHECK (deleted_at BETWEEN 0 AND 253402300799999999) -- gone
) STRICT;
INSERT INTO pod VALUES(1,'u-seen','ml','seen','{}','{"volcano.sh/bind-phase":"success","volcano.sh/vgpu-ids-new":"GPU-0,NVIDIA,5000,50:;GPU-9,NVIDIA,100,0:","volcano.sh/vgpu-node":"n1"}','[{"name":"a","init":false,"sidecar":false,"limits":{"volcano.sh/vgpu-cores":"50","volcano.sh/vgpu-memory":"5000","volcano.sh/vgpu-number":"1"},"requests":{"volcano.sh/vgpu-cores":"50","volcano.sh/vgpu-memory":"5000","volcano.sh/vgpu-number":"1"}},{"name":"b","init":false,"sidecar":false,"limits":{"volcano.sh/vgpu-memory":"100","volcano.sh/vgpu-number":"1"},"requests":{"volcano.sh/vgpu-memory":"100","volcano.sh/vgpu-number":"1"}}]','Running','default',NULL,1,'n1','n1',1796025601000000,NULL,1796026800000000,1796026800000000);
INSERT INTO pod VALUES(2,'u-given','ml','given','{}','{}','[{"name":"c","init":false,"sidecar":false,"limits":{"volcano.sh/vgpu-memory":"1000","volcano.sh/vgpu-number":"1"},"requests":{"volcano.sh/vgpu-memory":"1000","volcano.sh/vgpu-number":"1"}}]','Pending','default',NULL,1,'n1',NULL,1796025602000000,NULL,1796026200000000,NULL);
INSERT INTO pod VALUES(3,'u-large','ml','large','{}','{}','[{"name":"c","init":false,"sidecar":false,"limits":{"volcano.sh/vgpu-memory":"9000","volcano.sh/vgpu-number":"1"},"requests":{"volcano.sh/vgpu-memory":"9000","volcano.sh/vgpu-number":"1"}}]','Pending','default',NULL,NULL,NULL,NULL,1796025602000000,NULL,1796025602000000,NULL);
CREATE TABLE pod_version (
    id          INTEGER PRIMARY KEY CHECK (id > 0),
    pod_id      INTEGER NOT NULL REFERENCES pod (id),
    labels      TEXT NOT NULL,
    annotations TEXT NOT NULL,
    phase       TEXT NOT NULL,
    queue       TEXT NOT NULL,
    pod_group   TEXT,
    node_name   TEXT,
    valid_from  INTEGER NOT NULL CHECK (valid_from BETWEEN 0 AND 253402300799999999),
    valid_to    INTEGER CHECK (valid_to BETWEEN valid_from AND 253402300799999999)
) STRICT;
INSERT INTO pod_version VALUES(1,1,'{}','{"volcano.sh/bind-phase":"success","volcano.sh/vgpu-ids-new":"GPU-0,NVIDIA,5000,50:;GPU-9,NVIDIA,100,0:","volcano.sh/vgpu-node":"n1"}','Running','default',NULL,'n1',1796025601000000,1796026800000000);
INSERT INTO pod_version VALUES(2,2,'{}','{}','Pending','default',NULL,NULL,1796025602000000,1796026200000000);
INSERT INTO pod_version VALUES(3,3,'{}','{}','Pending','default',NULL,NULL,1796025602000000,NULL);
INSERT INTO pod_version VALUES(4,2,'{}','{}','Pending','default',NULL,'n1',1796026200000000,NULL);
CREATE TABLE object (
    id         INTEGER PRIMARY KEY CHECK (id > 0),
    kind       TEXT NOT NULL CHECK (kind <> ''),
    namespace  TEXT NOT NULL CHECK (namespace <> ''),
    name       TEXT NOT NULL CHECK (name <> ''),
    text       TEXT NOT NULL CHECK (json_valid(text) AND json_type(text) = 'object'), -- JSON: its data
    updated_at INTEGER NOT NULL CHECK (updated_at BETWEEN 0 AND 253402300799999999),
    removed_at INTEGER CHECK (removed_at BETWEEN 0 AND 253402300799999999),
    UNIQUE (kind, namespace, name)
) STRICT;
CREATE TABLE node_fact (
    id        INTEGER PRIMARY KEY CHECK (id > 0),
    object_id INTEGER NOT NULL REFERENCES object (id),
    node_name TEXT NOT NULL CHECK (node_name <> ''),
    key       TEXT NOT NULL CHECK (key <> ''), -- what kind of fact, the backend's word
    text      TEXT NOT NULL,
    UNIQUE (object_id, node_name, key)
) STRICT;
CREATE TABLE request (
    id             INTEGER PRIMARY KEY CHECK (id > 0),
    pod_id         INTEGER NOT NULL REFERENCES pod (id),
    container      TEXT NOT NULL,
    -- of the container in its pod, init containers first
    ordinal        INTEGER NOT NULL CHECK (ordinal BETWEEN 0 AND 2147483647),
    backend        TEXT NOT NULL CHECK (backend <> ''),
    count          INTEGER NOT NULL CHECK (count BETWEEN 0 AND 9007199254740991),
    memory         INTEGER CHECK (memory BETWEEN 0 AND 9007199254740991),
    memory_percent INTEGER CHECK (memory_percent BETWEEN 0 AND 100),
    cores          INTEGER CHECK (cores BETWEEN 0 AND 2147483647),
    template       TEXT,
    UNIQUE (pod_id, ordinal, backend)
) STRICT;
INSERT INTO request VALUES(1,1,'a',0,'vgpu',1,5000,NULL,50,NULL);
INSERT INTO request VALUES(2,1,'b',1,'vgpu',1,100,NULL,NULL,NULL);
INSERT INTO request VALUES(3,2,'c',0,'vgpu',1,1000,NULL,NULL,NULL);
INSERT INTO request VALUES(4,3,'c',0,'vgpu',1,9000,NULL,NULL,NULL);
CREATE TABLE allocation (
    id             INTEGER PRIMARY KEY CHECK (id > 0),
    pod_id         INTEGER NOT NULL REFERENCES pod (id),
    node_id        INTEGER NOT NULL REFERENCES node (id),
    device_id      INTEGER REFERENCES device (id), -- NULL: observed on a device that the node does not have
    device_name    TEXT NOT NULL,              -- what the annotation calls it: a UUID, a number
    container      TEXT NOT NULL,
    backend        TEXT NOT NULL CHECK (backend <> ''),
    memory         INTEGER NOT NULL DEFAULT 0 CHECK (memory BETWEEN 0 AND 2147483647),
    -- where it differs: a MIG instance holds more than was asked
    memory_asked   INTEGER CHECK (memory_asked BETWEEN 0 AND 2147483647),
    cores          INTEGER NOT NULL DEFAULT 0 CHECK (cores BETWEEN 0 AND 2147483647),
    slots          INTEGER NOT NULL DEFAULT 0 CHECK (slots BETWEEN 0 AND 2147483647),
    ai_cores       INTEGER NOT NULL DEFAULT 0 CHECK (ai_cores BETWEEN 0 AND 2147483647),
    ai_cpus        INTEGER NOT NULL DEFAULT 0 CHECK (ai_cpus BETWEEN 0 AND 2147483647),
    whole          INTEGER NOT NULL DEFAULT 0 CHECK (whole IN (0, 1)), -- the card is held whole
    mode           TEXT CHECK (mode IN ('template', 'soft', 'hami-core', 'mig')),
    template_asked TEXT,
    template       TEXT,
    mig_group      TEXT,
    mig_position   INTEGER CHECK (mig_position BETWEEN 0 AND 2147483647),
    -- of the slice in its pod and backend, from 0
    ordinal        INTEGER NOT NULL CHECK (ordinal BETWEEN 0 AND 2147483647),
    origin         TEXT NOT NULL CHECK (origin IN ('ledger', 'observed')),
    state          TEXT NOT NULL CHECK (state IN ('reserved', 'bound', 'released')),
    allocated_at   INTEGER NOT NULL CHECK (allocated_at BETWEEN 0 AND 253402300799999999),
    expires_at     INTEGER CHECK (expires_at BETWEEN 0 AND 253402300799999999),
    bound_at       INTEGER CHECK (bound_at BETWEEN allocated_at AND 253402300799999999),
    released_at    INTEGER CHECK (released_at BETWEEN allocated_at AND 253402300799999999),
    release_reason TEXT CHECK (release_reason <> ''),
    CHECK ((mig_group IS NULL) = (mig_position IS NULL)),
    CHECK ((state = 'released') = (released_at IS NOT NULL)),
    CHECK ((state = 'released') = (release_reason IS NOT NULL)),
    CHECK (state <> 'reserved' OR bound_at IS NULL),
    CHECK (state <> 'bound' OR bound_at IS NOT NULL)
) STRICT;
INSERT INTO allocation VALUES(1,1,1,1,'GPU-0','a','vgpu',5000,NULL,50,1,0,0,0,'hami-core',NULL,NULL,NULL,NULL,0,'observed','released',1796025601000000,NULL,1796025601000000,1796026800000000,'deleted');
INSERT INTO allocation VALUES(2,1,1,NULL,'GPU-9','b','vgpu',100,NULL,0,1,0,0,0,'hami-core',NULL,NULL,NULL,NULL,1,'observed','released',1796025601000000,NULL,1796025601000000,1796026800000000,'deleted');
INSERT INTO allocation VALUES(3,2,1,1,'GPU-0','c','vgpu',1000,NULL,0,1,0,0,0,'hami-core',NULL,NULL,NULL,NULL,0,'ledger','bound',1796026200000000,NULL,1796026201000000,NULL,NULL);
CREATE TABLE vnpu_downgrade (
    id             INTEGER PRIMARY KEY CHECK (id > 0),
    pod_uid        TEXT NOT NULL CHECK (pod_uid <> ''),
    node_id        INTEGER NOT NULL REFERENCES node (id),
    template_asked TEXT NOT NULL CHECK (template_asked <> ''),
    template_given TEXT NOT NULL CHECK (template_given <> ''),
    reason         TEXT NOT NULL,
    opened_at      INTEGER NOT NULL CHECK (opened_at BETWEEN 0 AND 253402300799999999),
    closed_at      INTEGER CHECK (closed_at BETWEEN opened_at AND 253402300799999999)
) STRICT;
CREATE TABLE node_lock (
    id             INTEGER PRIMARY KEY CHECK (id > 0),
    node_id        INTEGER NOT NULL REFERENCES node (id),
    name           TEXT NOT NULL CHECK (name <> ''),
    holder         TEXT,                       -- namespace/name/uid, namespace/name, any word; NULL: nobody known
    origin         TEXT NOT NULL CHECK (origin IN ('ledger', 'observed')),
    taken_at       INTEGER NOT NULL CHECK (taken_at BETWEEN -62167219200000000 AND 253402300799999999),
    expires_at     INTEGER NOT NULL CHECK (expires_at BETWEEN taken_at AND 253402300799999999),
    released_at    INTEGER CHECK (released_at BETWEEN 0 AND 253402300799999999),
    release_reason TEXT CHECK (release_reason <> ''),
    CHECK ((released_at IS NULL) = (release_reason IS NULL))
) STRICT;
INSERT INTO node_lock VALUES(1,1,'hamivgpu',NULL,'observed',1796025540000000,1796025840000000,1796026200000000,'expired');
INSERT INTO node_lock VALUES(2,1,'hamivgpu','ml/given/u-given','ledger',1796026200000000,1796026500000000,1796026201000000,'bound');
INSERT INTO node_lock VALUES(3,1,'hamivgpu','somebody','ledger',1796026801000000,1796027101000000,NULL,NULL);
CREATE TABLE config (
    id         INTEGER PRIMARY KEY CHECK (id > 0),
    kind       TEXT NOT NULL CHECK (kind IN ('scheduler', 'devices')),
    text       TEXT NOT NULL,
    sha256     TEXT NOT NULL CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
    applied_at INTEGER NOT NULL CHECK (applied_at BETWEEN 0 AND 253402300799999999)
) STRICT;
INSERT INTO config VALUES(1,'scheduler','{"deviceshare.VGPUEnable":true,"deviceshare.NodeLockEnable":true,"deviceshare.SchedulePolicy":"binpack","deviceshare.ScheduleWeight":10}','340c91c19d8505e39a92f8a1f49559d06609aa119ebfeded6841940dd7fa1957',1796025600000000);
CREATE TABLE finding (
    id          INTEGER PRIMARY KEY CHECK (id > 0),
    kind        TEXT NOT NULL CHECK (kind <> ''), -- snake_case: unreadable_record, duplicate_uuid …
    object_kind TEXT NOT NULL CHECK (object_kind <> ''), -- Node, Pod, ConfigMap
    object      TEXT NOT NULL CHECK (object <> ''), -- name, or namespace/name
    key         TEXT NOT NULL,                 -- annotation, resource or data key
    position    INTEGER NOT NULL CHECK (position BETWEEN 0 AND 2147483647), -- byte offset in its value, from 0
    text        TEXT NOT NULL,                 -- for people
    opened_at   INTEGER NOT NULL CHECK (opened_at BETWEEN 0 AND 253402300799999999),
    closed_at   INTEGER CHECK (closed_at BETWEEN opened_at AND 253402300799999999)
) STRICT;
INSERT INTO finding VALUES(1,'unreadable_record','Node','n1','volcano.sh/node-vgpu-register',75,'"GPU-x,4," has fewer than five fields',1796025601000000,NULL);
INSERT INTO finding VALUES(2,'unknown_device','Pod','ml/seen','volcano.sh/vgpu-ids-new',22,'GPU-9 is not one of the node''s devices',1796025601000000,1796026800000000);
CREATE TABLE event (
    seq       INTEGER PRIMARY KEY CHECK (seq > 0),
    at        INTEGER NOT NULL CHECK (at BETWEEN 0 AND 253402300799999999),
    actor     TEXT NOT NULL,
    command   TEXT NOT NULL,
    kind      TEXT NOT NULL CHECK (kind <> ''),
    node      TEXT,
    pod       TEXT,
    device    TEXT,
    detail    TEXT NOT NULL CHECK (json_valid(detail) AND json_type(detail) = 'object'), -- before and after
    prev_hash BLOB NOT NULL CHECK (length(prev_hash) = 32),
    hash      BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
INSERT INTO event VALUES(1,1796025600000000,'freeze','batch','config',NULL,NULL,NULL,'{"kind":"scheduler","before":null,"after":{"sha256":"340c91c19d8505e39a92f8a1f49559d06609aa119ebfeded6841940dd7fa1957"}}',X'0000000000000000000000000000000000000000000000000000000000000000',X'71b11ffdb40c470aa4d9d282efb8e234bc9ff128f4ee1855ed4cc38918dcb32d');
INSERT INTO event VALUES(2,1796025601000000,'freeze','batch','lock_observed','n1',NULL,NULL,'{"name":"hamivgpu","holder":null,"expiresAt":"2026-11-30T08:04:00.000000Z"}',X'71b11ffdb40c470aa4d9d282efb8e234bc9ff128f4ee1855ed4cc38918dcb32d',X'57125f50208515d8604a5224e88c3e75eebf844e8f6c31cbf000fe058741d6a8');
INSERT INTO event VALUES(3,1796025601000000,'freeze','batch','node_created','n1',NULL,NULL,'{"after":{"labels":"{\"pool\":\"a\"}","annotations":"{\"hamivgpu\":\"2026-11-30T07:59:00Z\",\"volcano.sh/node-vgpu-register\":\"GPU-0,4,8000,NVIDIA-A,true,hami-core:GPU-1,4,8000,NVIDIA-A,false,hami-core:GPU-x,4,\"}","capacity":"{\"volcano.sh/vgpu-cores\":\"200\",\"volcano.sh/vgpu-memory\":\"16000\",\"volcano.sh/vgpu-number\":\"8\"}","allocatable":"{\"volcano.sh/vgpu-cores\":\"200\",\"volcano.sh/vgpu-memory\":\"16000\",\"volcano.sh/vgpu-number\":\"8\"}"},"devices":[{"change":"added","backend":"vgpu","index":0,"uuid":"GPU-0","memory":8000,"cores":100,"slots":4,"healthy":true,"schedulable":true,"mode":"hami-core","type":"NVIDIA-A"},{"change":"added","backend":"vgpu","index":1,"uuid":"GPU-1","memory":8000,"cores":100,"slots":4,"healthy":false,"schedulable":true,"mode":"hami-core","type":"NVIDIA-A"}]}',X'57125f50208515d8604a5224e88c3e75eebf844e8f6c31cbf000fe058741d6a8',X'272af947f34857991da00f1f1e5e65f594b7b740ace97b1ed1e05fdb24e41cec');
INSERT INTO event VALUES(4,1796025601000000,'freeze','batch','pod_created','n1','ml/seen',NULL,'{"after":{"labels":"{}","annotations":"{\"volcano.sh/bind-phase\":\"success\",\"volcano.sh/vgpu-ids-new\":\"GPU-0,NVIDIA,5000,50:;GPU-9,NVIDIA,100,0:\",\"volcano.sh/vgpu-node\":\"n1\"}","containers":"[{\"name\":\"a\",\"init\":false,\"sidecar\":false,\"limits\":{\"volcano.sh/vgpu-cores\":\"50\",\"volcano.sh/vgpu-memory\":\"5000\",\"volcano.sh/vgpu-number\":\"1\"},\"requests\":{\"volcano.sh/vgpu-cores\":\"50\",\"volcano.sh/vgpu-memory\":\"5000\",\"volcano.sh/vgpu-number\":\"1\"}},{\"name\":\"b\",\"init\":false,\"sidecar\":false,\"limits\":{\"volcano.sh/vgpu-memory\":\"100\",\"volcano.sh/vgpu-number\":\"1\"},\"requests\":{\"volcano.sh/vgpu-memory\":\"100\",\"volcano.sh/vgpu-number\":\"1\"}}]","phase":"Running","nodeName":"n1"},"uid":"u-seen"}',X'272af947f34857991da00f1f1e5e65f594b7b740ace97b1ed1e05fdb24e41cec',X'a90ebb505f4edb5e21ff527ec25703187b291f4c1abdbbd69f9aff0f2357c3ee');
INSERT INTO event VALUES(5,1796025601000000,'freeze','batch','slices_observed','n1','ml/seen',NULL,'{"before":[],"after":[{"container":"a","backend":"vgpu","device":"GPU-0","index":0,"memory":5000,"cores":50,"slots":1,"mode":"hami-core"},{"container":"b","backend":"vgpu","device":"GPU-9","index":null,"memory":100,"cores":0,"slots":1,"mode":"hami-core"}]}',X'a90ebb505f4edb5e21ff527ec25703187b291f4c1abdbbd69f9aff0f2357c3ee',X'6a8d7c445c14be66b1f9d8022a8c77648b28c4af05e0b95dd1bc21e7f0ead181');
INSERT INTO event VALUES(6,1796025602000000,'freeze','batch','pod_created',NULL,'ml/given',NULL,'{"after":{"labels":"{}","annotations":"{}","containers":"[{\"name\":\"c\",\"init\":false,\"sidecar\":false,\"limits\":{\"volcano.sh/vgpu-memory\":\"1000\",\"volcano.sh/vgpu-number\":\"1\"},\"requests\":{\"volcano.sh/vgpu-memory\":\"1000\",\"volcano.sh/vgpu-number\":\"1\"}}]","phase":"Pending"},"uid":"u-given"}',X'6a8d7c445c14be66b1f9d8022a8c77648b28c4af05e0b95dd1bc21e7f0ead181',X'2d28cd4e690d3e9b64782a1dc588230378dc4947f33a4d285a6e3a31e0b71079');
INSERT INTO event VALUES(7,1796025602000000,'freeze','batch','pod_created',NULL,'ml/large',NULL,'{"after":{"labels":"{}","annotations":"{}","containers":"[{\"name\":\"c\",\"init\":false,\"sidecar\":false,\"limits\":{\"volcano.sh/vgpu-memory\":\"9000\",\"volcano.sh/vgpu-number\":\"1\"},\"requests\":{\"volcano.sh/vgpu-memory\":\"9000\",\"volcano.sh/vgpu-number\":\"1\"}}]","phase":"Pending"},"uid":"u-large"}',X'2d28cd4e690d3e9b64782a1dc588230378dc4947f33a4d285a6e3a31e0b71079',X'fdb28267fc52ec7006900ae57bbd7c63deefcf1f91e228ca163fe2a2091beed6');
INSERT INTO event VALUES(8,1796026200000000,'freeze','batch','lock_released','n1',NULL,NULL,'{"name":"hamivgpu","holder":null,"reason":"expired"}',X'fdb28267fc52ec7006900ae57bbd7c63deefcf1f91e228ca163fe2a2091beed6',X'df67054f6bf0cfdaa5956b90a78f8a78ec88ee6266ef789eb51dacbbff1f9b9f');
INSERT INTO event VALUES(9,1796026200000000,'freeze','batch','lock_taken','n1',NULL,NULL,'{"name":"hamivgpu","holder":"ml/given/u-given","expiresAt":"2026-11-30T08:15:00.000000Z"}',X'df67054f6bf0cfdaa5956b90a78f8a78ec88ee6266ef789eb51dacbbff1f9b9f',X'07a2c3f737c70cc4a04e85ee7898d9863dcfe17ae93f2b2d044b5ebc2598cc25');
INSERT INTO event VALUES(10,1796026200000000,'freeze','batch','slices_reserved','n1','ml/given',NULL,'{"after":[{"container":"c","backend":"vgpu","device":"GPU-0","index":0,"memory":1000,"cores":0,"slots":1,"mode":"hami-core"}]}',X'07a2c3f737c70cc4a04e85ee7898d9863dcfe17ae93f2b2d044b5ebc2598cc25',X'b1302dd99b301db1dc5d61f033cca3f6e63f17cc48f0b30d60fbd16eca6e2a5b');
INSERT INTO event VALUES(11,1796026201000000,'freeze','batch','slices_bound','n1','ml/given',NULL,'{}',X'b1302dd99b301db1dc5d61f033cca3f6e63f17cc48f0b30d60fbd16eca6e2a5b',X'a9376b48c8132b46735fb22e91341c842f1d10dfa3dcd86b491701b0bd59ea0e');
INSERT INTO event VALUES(12,1796026201000000,'freeze','batch','lock_released','n1',NULL,NULL,'{"name":"hamivgpu","holder":"ml/given/u-given","reason":"bound"}',X'a9376b48c8132b46735fb22e91341c842f1d10dfa3dcd86b491701b0bd59ea0e',X'6fd172f3f5d491abcc917366f191d14bf1eac170d4c682a52c8870f75b840d1c');
INSERT INTO event VALUES(13,1796026800000000,'freeze','batch','slices_released','n1','ml/seen',NULL,'{"reason":"deleted","before":[{"container":"a","backend":"vgpu","device":"GPU-0","index":0,"memory":5000,"cores":50,"slots":1,"mode":"hami-core"},{"container":"b","backend":"vgpu","device":"GPU-9","index":null,"memory":100,"cores":0,"slots":1,"mode":"hami-core"}]}',X'6fd172f3f5d491abcc917366f191d14bf1eac170d4c682a52c8870f75b840d1c',X'936c424175ceabb8a3334f3c000bcbc7d95f82e8b8380e382b838cd17502d167');
INSERT INTO event VALUES(14,1796026800000000,'freeze','batch','pod_deleted','n1','ml/seen',NULL,'{}',X'936c424175ceabb8a3334f3c000bcbc7d95f82e8b8380e382b838cd17502d167',X'605a0de04c7bbb73c651e312b80dabc8849c5dcc253a54f60797301e189d1985');
INSERT INTO event VALUES(15,1796026801000000,'freeze','batch','lock_taken','n1',NULL,NULL,'{"name":"hamivgpu","holder":"somebody","expiresAt":"2026-11-30T08:25:01.000000Z"}',X'605a0de04c7bbb73c651e312b80dabc8849c5dcc253a54f60797301e189d1985',X'7a091402f7f707f7b130d4a43105dec62460f569a4c3eac7b9d99691f0f9027f');
CREATE TABLE explanation (
    id      INTEGER PRIMARY KEY CHECK (id > 0),
    pod_id  INTEGER NOT NULL REFERENCES pod (id),
    at      INTEGER NOT NULL CHECK (at BETWEEN 0 AND 253402300799999999),
    node    TEXT NOT NULL,
    code    INTEGER NOT NULL CHECK (code BETWEEN 0 AND 3),
    backend TEXT,
    device  TEXT,                              -- NULL: the node as a whole
    reason  TEXT NOT NULL,
    message TEXT NOT NULL
) STRICT;
INSERT INTO explanation VALUES(1,3,1796026202000000,'n1',3,'vgpu',NULL,'unhealthy','container c: 0 of 1 found: 1 of 2 unhealthy, 1 of 2 short of memory');
INSERT INTO explanation VALUES(2,3,1796026202000000,'n1',3,'vgpu','GPU-0','short_of_memory','6000 of 8000 MiB in use, asked 9000 MiB');
INSERT INTO explanation VALUES(3,3,1796026202000000,'n1',3,'vgpu','GPU-1','unhealthy','registered as unhealthy');
CREATE TABLE backend_resource (
    backend     TEXT NOT NULL PRIMARY KEY CHECK (backend <> ''),
    count_name  TEXT,                          -- NULL: it has no such resource
    memory_name TEXT,
    cores_name  TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO backend_resource VALUES('gpushare','volcano.sh/gpu-number','volcano.sh/gpu-memory',NULL);
INSERT INTO backend_resource VALUES('hami-Ascend310P','huawei.com/Ascend310P','huawei.com/Ascend310P-memory','huawei.com/Ascend310P-core');
INSERT INTO backend_resource VALUES('vgpu','volcano.sh/vgpu-number','volcano.sh/vgpu-memory','volcano.sh/vgpu-cores');
INSERT INTO backend_resource VALUES('vnpu',NULL,NULL,'huawei.com/npu-core');
CREATE TABLE vnpu_template (
    backend  TEXT NOT NULL CHECK (backend <> ''),
    chip     TEXT NOT NULL,
    name     TEXT NOT NULL,
    memory   INTEGER CHECK (memory BETWEEN 0 AND 2147483647),
    ai_cores INTEGER CHECK (ai_cores BETWEEN 0 AND 2147483647),
    ai_cpus  INTEGER CHECK (ai_cpus BETWEEN 0 AND 2147483647),
    dvpp     TEXT CHECK (dvpp IN ('yes', 'no', 'null')),
    PRIMARY KEY (backend, chip, name)
) STRICT, WITHOUT ROWID;
INSERT INTO vnpu_template VALUES('hami-Ascend310P','310P3','vir01',3072,1,1,NULL);
INSERT INTO vnpu_template VALUES('hami-Ascend310P','310P3','vir02',6144,2,2,NULL);
INSERT INTO vnpu_template VALUES('hami-Ascend310P','310P3','vir04',12288,4,4,NULL);
INSERT INTO vnpu_template VALUES('vnpu','910B1','vir03',NULL,3,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B1','vir06',NULL,6,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B1','vir12',NULL,12,3,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B2','vir03',NULL,3,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B2','vir06',NULL,6,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B2','vir12',NULL,12,3,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B2C','vir03',NULL,3,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B2C','vir06',NULL,6,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B2C','vir12',NULL,12,3,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B3','vir05',NULL,5,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B3','vir10',NULL,10,3,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B4','vir05',NULL,5,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B4','vir10',NULL,10,3,'null');
INSERT INTO vnpu_template VALUES('vnpu','910B4','vir10_3c_nm',NULL,10,3,'no');
INSERT INTO vnpu_template VALUES('vnpu','910B4','vir10_4c_m',NULL,10,4,'yes');
INSERT INTO vnpu_template VALUES('vnpu','Ascend310P','vir01',NULL,1,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','Ascend310P','vir02',NULL,2,2,'null');
INSERT INTO vnpu_template VALUES('vnpu','Ascend310P','vir02_1c',NULL,2,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','Ascend310P','vir04',NULL,4,4,'null');
INSERT INTO vnpu_template VALUES('vnpu','Ascend310P','vir04_3c',NULL,4,3,'null');
INSERT INTO vnpu_template VALUES('vnpu','Ascend310P','vir04_3c_ndvpp',NULL,4,3,'no');
INSERT INTO vnpu_template VALUES('vnpu','Ascend310P','vir04_4c_dvpp',NULL,4,4,'yes');
INSERT INTO vnpu_template VALUES('vnpu','Ascend910','vir02',NULL,2,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','Ascend910','vir04',NULL,4,1,'null');
INSERT INTO vnpu_template VALUES('vnpu','Ascend910','vir08',NULL,8,3,'null');
INSERT INTO vnpu_template VALUES('vnpu','Ascend910','vir16',NULL,16,7,'null');
CREATE TABLE mig_geometry (
    model          TEXT NOT NULL,
    group_ordinal  INTEGER NOT NULL CHECK (group_ordinal BETWEEN 0 AND 2147483647), -- order in the configuration
    group_name     TEXT NOT NULL,
    kind_ordinal   INTEGER NOT NULL CHECK (kind_ordinal BETWEEN 0 AND 2147483647),
    kind_name      TEXT NOT NULL,
    memory         INTEGER NOT NULL CHECK (memory BETWEEN 0 AND 2147483647),
    count          INTEGER NOT NULL CHECK (count BETWEEN 0 AND 2147483647),
    -- of its instances within the group
    first_position INTEGER NOT NULL CHECK (first_position BETWEEN 0 AND 2147483647),
    PRIMARY KEY (model, group_ordinal, kind_ordinal)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX node_version_open ON node_version (node_id) WHERE valid_to IS NULL;
CREATE INDEX node_version_by_time ON node_version (node_id, valid_from);
CREATE UNIQUE INDEX device_by_uuid ON device (node_id, backend, uuid) WHERE uuid IS NOT NULL;
CREATE UNIQUE INDEX device_by_idx ON device (node_id, backend, idx) WHERE uuid IS NULL;
CREATE INDEX device_by_node ON device (node_id, backend, idx);
CREATE UNIQUE INDEX device_version_open ON device_version (device_id) WHERE valid_to IS NULL;
CREATE INDEX device_version_by_time ON device_version (device_id, valid_from);
CREATE INDEX pod_by_name ON pod (namespace, name);
CREATE INDEX pod_by_node_name ON pod (node_name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX pod_version_open ON pod_version (pod_id) WHERE valid_to IS NULL;
CREATE INDEX pod_version_by_time ON pod_version (pod_id, valid_from);
CREATE INDEX node_fact_by_node ON node_fact (node_name);
CREATE INDEX allocation_by_pod ON allocation (pod_id);
CREATE INDEX allocation_live_by_device ON allocation (device_id) WHERE released_at IS NULL;
CREATE INDEX allocation_live_by_node ON allocation (node_id) WHERE released_at IS NULL;
CREATE UNIQUE INDEX allocation_live ON allocation (pod_id, backend, ordinal) WHERE released_at IS NULL;
CREATE INDEX allocation_expiring ON allocation (expires_at) WHERE state = 'reserved' AND expires_at IS NOT NULL;
CREATE UNIQUE INDEX vnpu_downgrade_open ON vnpu_downgrade (pod_uid, node_id) WHERE closed_at IS NULL;
CREATE UNIQUE INDEX node_lock_held ON node_lock (node_id, name) WHERE released_at IS NULL;
CREATE INDEX config_by_kind ON config (kind, id);
CREATE INDEX finding_open ON finding (object_kind, object) WHERE closed_at IS NULL;
CREATE INDEX event_by_time ON event (at);
CREATE INDEX event_by_node ON event (node) WHERE node IS NOT NULL;
CREATE INDEX event_by_pod ON event (pod) WHERE pod IS NOT NULL;
CREATE INDEX explanation_by_pod ON explanation (pod_id);
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
END
;
CREATE TRIGGER node_version_delete BEFORE DELETE ON node_version BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a version is not deleted');
END;
CREATE TRIGGER node_begins AFTER INSERT ON node WHEN NEW.removed_at IS NULL BEGIN
    INSERT INTO node_version (node_id, labels, annotations, capacity, allocatable, valid_from)
    VALUES (NEW.id, NEW.labels, NEW.annotations, NEW.capacity, NEW.allocatable, NEW.updated_at);
END;
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
END
;
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
END
;
CREATE TRIGGER allocation_delete BEFORE DELETE ON allocation BEGIN
    SELECT devledger_library_only();
    SELECT RAISE(ABORT, 'history: a slice is not deleted; it is released');
END;
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
CREATE VIEW clock AS
SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000 AS now;
CREATE VIEW live_slices AS
SELECT *
  FROM allocation
 WHERE released_at IS NULL
   AND (state <> 'reserved' OR expires_at IS NULL OR expires_at > (SELECT now FROM clock));
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
CREATE VIEW explanations AS
SELECT p.namespace || '/' || p.name AS pod,
       strftime('%Y-%m-%dT%H:%M:%S', x.at / 1000000, 'unixepoch')
           || printf('.%06dZ', x.at % 1000000) AS at,
       x.node, x.code, x.backend, x.device, x.reason, x.message
  FROM explanation x
  JOIN pod p ON p.id = x.pod_id;
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
CREATE VIEW fragmentation AS
SELECT node, backend,
       count(*) AS devices,
       sum(CASE WHEN slices = 0 THEN 1 ELSE 0 END) AS idle_devices,
       sum(free_memory) AS free_memory, max(free_memory) AS largest_free_memory,
       sum(free_cores) AS free_cores, max(free_cores) AS largest_free_cores
  FROM devices
 WHERE healthy = 1 AND schedulable = 1
 GROUP BY node, backend;
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
 GROUP BY namespace, piece_from / 86400000000, backend, type
;
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
-- what the ledger gave a pod, and what its annotation says: a finding until they agree
SELECT f.kind, p.node_name, NULL, NULL, f.object, NULL, 1, f.text
  FROM finding f
  LEFT JOIN pod p ON p.namespace = substr(f.object, 1, instr(f.object, '/') - 1)
                 AND p.name = substr(f.object, instr(f.object, '/') + 1)
                 AND p.deleted_at IS NULL
 WHERE f.closed_at IS NULL AND f.object_kind = 'Pod' AND f.kind = 'annotation_differs'
;
CREATE VIEW definition AS
SELECT '72cb5911c50e6756b1f24b71aa72405a03498eb91ed6e21068ee846cfd7d4e6d' AS sha256;
COMMIT;
PRAGMA application_id = 1685482545;
PRAGMA user_version = 1;
