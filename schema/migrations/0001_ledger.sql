-- The ledger's tables. Numbered steps are append-only: what stands here is
-- never edited once released. The guards that look at more than one row are in
-- triggers.sql.
--
-- Bounds, so that no sum can overflow 64 bits:
--   an amount (MiB, percent, AI cores, AI CPUs, slots, counts, ordinals,
--   positions) is 0 to 2^31 - 1; a device's used_* are sums of such and stay
--   below 2^62;
--   a time is microseconds since the epoch, UTC: from 1970 to 9999 where this
--   ledger sets it, from the year 0 where a cluster's object says it.
-- NULL in a device's amounts means: not counted.

-- A node of the cluster.
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

-- What a node was like from valid_from until valid_to (NULL: now). Written by
-- triggers alone, as are the two other version tables.
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

CREATE UNIQUE INDEX node_version_open ON node_version (node_id) WHERE valid_to IS NULL;
CREATE INDEX node_version_by_time ON node_version (node_id, valid_from);

-- What one backend makes of one node as a whole. Derived: written anew with
-- the node's devices.
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

-- A card or chip of one backend on one node. A device that returns with its
-- UUID reopens its row.
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

-- A device with a UUID is known by it, another by its number.
CREATE UNIQUE INDEX device_by_uuid ON device (node_id, backend, uuid) WHERE uuid IS NOT NULL;
CREATE UNIQUE INDEX device_by_idx ON device (node_id, backend, idx) WHERE uuid IS NULL;
CREATE INDEX device_by_node ON device (node_id, backend, idx);

-- What a device was like; between the versions of one device it was not there.
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

CREATE UNIQUE INDEX device_version_open ON device_version (device_id) WHERE valid_to IS NULL;
CREATE INDEX device_version_by_time ON device_version (device_id, valid_from);

-- A pod, pending or placed. A pod recreated under its name is another row.
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

CREATE INDEX pod_by_name ON pod (namespace, name);
CREATE INDEX pod_by_node_name ON pod (node_name) WHERE deleted_at IS NULL;

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

CREATE UNIQUE INDEX pod_version_open ON pod_version (pod_id) WHERE valid_to IS NULL;
CREATE INDEX pod_version_by_time ON pod_version (pod_id, valid_from);

-- A ConfigMap that was taken; it may come before the node or the
-- configuration that it speaks of.
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

-- What a ConfigMap says about one node, cut out of it so that a node can be
-- read without its 999 neighbours. Derived.
CREATE TABLE node_fact (
    id        INTEGER PRIMARY KEY CHECK (id > 0),
    object_id INTEGER NOT NULL REFERENCES object (id),
    node_name TEXT NOT NULL CHECK (node_name <> ''),
    key       TEXT NOT NULL CHECK (key <> ''), -- what kind of fact, the backend's word
    text      TEXT NOT NULL,
    UNIQUE (object_id, node_name, key)
) STRICT;

CREATE INDEX node_fact_by_node ON node_fact (node_name);

-- What one container asks of one backend. Derived from the pod.
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

-- One slice: what one container holds on one device.
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

CREATE INDEX allocation_by_pod ON allocation (pod_id);
CREATE INDEX allocation_live_by_device ON allocation (device_id) WHERE released_at IS NULL;
CREATE INDEX allocation_live_by_node ON allocation (node_id) WHERE released_at IS NULL;
CREATE UNIQUE INDEX allocation_live ON allocation (pod_id, backend, ordinal) WHERE released_at IS NULL;
CREATE INDEX allocation_expiring ON allocation (expires_at) WHERE state = 'reserved' AND expires_at IS NOT NULL;

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

CREATE UNIQUE INDEX vnpu_downgrade_open ON vnpu_downgrade (pod_uid, node_id) WHERE closed_at IS NULL;

-- One hold of one lock, current or past. An observed one may have been taken
-- in the future, by the cluster's clock.
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

CREATE UNIQUE INDEX node_lock_held ON node_lock (node_id, name) WHERE released_at IS NULL;

-- One accepted configuration; the newest of a kind is in force.
CREATE TABLE config (
    id         INTEGER PRIMARY KEY CHECK (id > 0),
    kind       TEXT NOT NULL CHECK (kind IN ('scheduler', 'devices')),
    text       TEXT NOT NULL,
    sha256     TEXT NOT NULL CHECK (length(sha256) = 64 AND sha256 NOT GLOB '*[^0-9a-f]*'),
    applied_at INTEGER NOT NULL CHECK (applied_at BETWEEN 0 AND 253402300799999999)
) STRICT;

CREATE INDEX config_by_kind ON config (kind, id);

-- One thing that was wrong in what came in, open or closed.
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

CREATE INDEX finding_open ON finding (object_kind, object) WHERE closed_at IS NULL;

-- The chain: one row a change.
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

CREATE INDEX event_by_time ON event (at);
CREATE INDEX event_by_node ON event (node) WHERE node IS NOT NULL;
CREATE INDEX event_by_pod ON event (pod) WHERE pod IS NOT NULL;

-- Why the last schedule of a pod found no node. Derived, dropped when the pod
-- is placed or gone.
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

CREATE INDEX explanation_by_pod ON explanation (pod_id);

-- From the configuration in force, so that SQL can join them. Derived.

-- The backends there are, and under which resource names they count.
CREATE TABLE backend_resource (
    backend     TEXT NOT NULL PRIMARY KEY CHECK (backend <> ''),
    count_name  TEXT,                          -- NULL: it has no such resource
    memory_name TEXT,
    cores_name  TEXT
) STRICT, WITHOUT ROWID;

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
