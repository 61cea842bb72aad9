-- The ledger's tables. Times are microseconds since the epoch, UTC; memory is
-- MiB as the cluster's resources count it. Numbered steps are append-only:
-- what stands here is never edited once released.

-- A node of the cluster.
CREATE TABLE node (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    labels      TEXT NOT NULL DEFAULT '{}',   -- JSON: string to string
    annotations TEXT NOT NULL DEFAULT '{}',
    capacity    TEXT NOT NULL DEFAULT '{}',   -- JSON: resource to quantity
    allocatable TEXT NOT NULL DEFAULT '{}',
    updated_at  INTEGER NOT NULL,
    removed_at  INTEGER
) STRICT;

CREATE TABLE node_version (
    id          INTEGER PRIMARY KEY,
    node_id     INTEGER NOT NULL REFERENCES node (id),
    labels      TEXT NOT NULL,
    annotations TEXT NOT NULL,
    capacity    TEXT NOT NULL,
    allocatable TEXT NOT NULL,
    valid_from  INTEGER NOT NULL,
    valid_to    INTEGER
) STRICT;

-- What one backend makes of one node as a whole. Derived: written anew with
-- the node's devices.
CREATE TABLE node_backend (
    node_id     INTEGER NOT NULL REFERENCES node (id),
    backend     TEXT NOT NULL,
    schedulable INTEGER NOT NULL,             -- 0: no pod is placed here
    reason      TEXT,                         -- why not, snake_case
    message     TEXT,                         -- why not, for people
    capacity    INTEGER,                      -- vnpu: the node's AI cores
    soft        INTEGER NOT NULL DEFAULT 0,   -- hami: the node slices softly
    PRIMARY KEY (node_id, backend)
) STRICT, WITHOUT ROWID;

-- A card or chip of one backend on one node. NULL: not counted.
CREATE TABLE device (
    id            INTEGER PRIMARY KEY,
    node_id       INTEGER NOT NULL REFERENCES node (id),
    backend       TEXT NOT NULL,
    idx           INTEGER NOT NULL,
    uuid          TEXT,
    type          TEXT,
    mode          TEXT,
    memory        INTEGER,
    cores         INTEGER,
    slots         INTEGER,
    ai_cores      INTEGER,
    ai_cpus       INTEGER,
    numa          INTEGER,
    network_id    INTEGER,
    healthy       INTEGER NOT NULL DEFAULT 1,
    schedulable   INTEGER NOT NULL DEFAULT 1,
    reason        TEXT,                       -- why it is not schedulable
    used_memory   INTEGER NOT NULL DEFAULT 0,
    used_cores    INTEGER NOT NULL DEFAULT 0,
    used_slots    INTEGER NOT NULL DEFAULT 0,
    used_ai_cores INTEGER NOT NULL DEFAULT 0,
    used_ai_cpus  INTEGER NOT NULL DEFAULT 0,
    updated_at    INTEGER NOT NULL,
    removed_at    INTEGER
) STRICT;

-- A device with a UUID is known by it, another by its number.
CREATE UNIQUE INDEX device_by_uuid ON device (node_id, backend, uuid) WHERE uuid IS NOT NULL;
CREATE UNIQUE INDEX device_by_idx ON device (node_id, backend, idx) WHERE uuid IS NULL;
CREATE INDEX device_by_node ON device (node_id, backend, idx) WHERE removed_at IS NULL;

CREATE TABLE device_version (
    id          INTEGER PRIMARY KEY,
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
    valid_from  INTEGER NOT NULL,
    valid_to    INTEGER
) STRICT;

-- A pod, pending or placed. A pod recreated under its name is another row.
CREATE TABLE pod (
    id             INTEGER PRIMARY KEY,
    uid            TEXT NOT NULL UNIQUE,
    namespace      TEXT NOT NULL,
    name           TEXT NOT NULL,
    labels         TEXT NOT NULL DEFAULT '{}',
    annotations    TEXT NOT NULL DEFAULT '{}',
    containers     TEXT NOT NULL DEFAULT '[]', -- JSON: name, init, sidecar, limits, requests
    phase          TEXT NOT NULL DEFAULT 'Pending',
    queue          TEXT NOT NULL DEFAULT 'default',
    pod_group      TEXT,                       -- namespace/group
    node_id        INTEGER REFERENCES node (id), -- where it is placed; NULL: pending, or the node is unknown
    node_name      TEXT,                       -- its name: the manifest's, the assignment's, or that of the ledger's own slices
    spec_node_name TEXT,                       -- what the manifest itself says
    created_at     INTEGER NOT NULL,           -- when the ledger first saw it, or creationTimestamp
    terminating_at INTEGER,                    -- deletionTimestamp
    updated_at     INTEGER NOT NULL,
    deleted_at     INTEGER                     -- gone
) STRICT;

CREATE INDEX pod_by_name ON pod (namespace, name) WHERE deleted_at IS NULL;
CREATE INDEX pod_by_node_name ON pod (node_name) WHERE deleted_at IS NULL;

CREATE TABLE pod_version (
    id          INTEGER PRIMARY KEY,
    pod_id      INTEGER NOT NULL REFERENCES pod (id),
    labels      TEXT NOT NULL,
    annotations TEXT NOT NULL,
    phase       TEXT NOT NULL,
    queue       TEXT NOT NULL,
    pod_group   TEXT,
    node_name   TEXT,
    valid_from  INTEGER NOT NULL,
    valid_to    INTEGER
) STRICT;

-- A ConfigMap that was taken; it may come before the node or the
-- configuration that it speaks of.
CREATE TABLE object (
    id         INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL,
    namespace  TEXT NOT NULL,
    name       TEXT NOT NULL,
    text       TEXT NOT NULL,                  -- JSON: its data
    updated_at INTEGER NOT NULL,
    removed_at INTEGER,
    UNIQUE (kind, namespace, name)
) STRICT;

-- What a ConfigMap says about one node, cut out of it so that a node can be
-- read without its 999 neighbours. Derived.
CREATE TABLE node_fact (
    id        INTEGER PRIMARY KEY,
    object_id INTEGER NOT NULL REFERENCES object (id),
    node_name TEXT NOT NULL,
    key       TEXT NOT NULL,                   -- what kind of fact, the backend's word
    text      TEXT NOT NULL,
    UNIQUE (object_id, node_name, key)
) STRICT;

CREATE INDEX node_fact_by_node ON node_fact (node_name);

-- What one container asks of one backend.
CREATE TABLE request (
    id             INTEGER PRIMARY KEY,
    pod_id         INTEGER NOT NULL REFERENCES pod (id),
    container      TEXT NOT NULL,
    ordinal        INTEGER NOT NULL,           -- of the container in its pod, init containers first
    backend        TEXT NOT NULL,
    count          INTEGER NOT NULL,
    memory         INTEGER,
    memory_percent INTEGER,
    cores          INTEGER,
    template       TEXT,
    UNIQUE (pod_id, ordinal, backend)
) STRICT;

-- One slice: what one container holds on one device.
CREATE TABLE allocation (
    id             INTEGER PRIMARY KEY,
    pod_id         INTEGER NOT NULL REFERENCES pod (id),
    node_id        INTEGER NOT NULL REFERENCES node (id),
    device_id      INTEGER REFERENCES device (id), -- NULL: observed on a device that the node does not have
    device_name    TEXT NOT NULL,              -- what the annotation calls it: a UUID, a number
    container      TEXT NOT NULL,
    backend        TEXT NOT NULL,
    memory         INTEGER NOT NULL DEFAULT 0,
    memory_asked   INTEGER,                    -- where it differs: a MIG instance holds more than was asked
    cores          INTEGER NOT NULL DEFAULT 0,
    slots          INTEGER NOT NULL DEFAULT 0,
    ai_cores       INTEGER NOT NULL DEFAULT 0,
    ai_cpus        INTEGER NOT NULL DEFAULT 0,
    whole          INTEGER NOT NULL DEFAULT 0, -- the card is held whole
    mode           TEXT,                       -- template, soft, hami-core, mig
    template_asked TEXT,
    template       TEXT,
    mig_group      TEXT,
    mig_position   INTEGER,
    ordinal        INTEGER NOT NULL,           -- of the slice in its pod and backend, from 0
    origin         TEXT NOT NULL,              -- ledger, observed
    state          TEXT NOT NULL,              -- reserved, bound, released
    allocated_at   INTEGER NOT NULL,
    expires_at     INTEGER,
    bound_at       INTEGER,
    released_at    INTEGER,
    release_reason TEXT
) STRICT;

CREATE INDEX allocation_by_pod ON allocation (pod_id);
CREATE INDEX allocation_live_by_device ON allocation (device_id) WHERE released_at IS NULL;
CREATE INDEX allocation_live_by_node ON allocation (node_id) WHERE released_at IS NULL;
CREATE UNIQUE INDEX allocation_live ON allocation (pod_id, backend, ordinal) WHERE released_at IS NULL;

CREATE TABLE vnpu_downgrade (
    id             INTEGER PRIMARY KEY,
    pod_uid        TEXT NOT NULL,
    node_id        INTEGER NOT NULL REFERENCES node (id),
    template_asked TEXT NOT NULL,
    template_given TEXT NOT NULL,
    reason         TEXT NOT NULL,
    opened_at      INTEGER NOT NULL,
    closed_at      INTEGER
) STRICT;

CREATE UNIQUE INDEX vnpu_downgrade_open ON vnpu_downgrade (pod_uid, node_id) WHERE closed_at IS NULL;

-- One hold of one lock, current or past.
CREATE TABLE node_lock (
    id             INTEGER PRIMARY KEY,
    node_id        INTEGER NOT NULL REFERENCES node (id),
    name           TEXT NOT NULL,
    holder         TEXT,                       -- namespace/name/uid, namespace/name, any word; NULL: nobody known
    origin         TEXT NOT NULL,              -- ledger, observed
    taken_at       INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL,
    released_at    INTEGER,
    release_reason TEXT
) STRICT;

CREATE UNIQUE INDEX node_lock_held ON node_lock (node_id, name) WHERE released_at IS NULL;

-- One accepted configuration; the newest of a kind is in force.
CREATE TABLE config (
    id         INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL,                  -- scheduler, devices
    text       TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;

-- One thing that was wrong in what came in, open or closed.
CREATE TABLE finding (
    id          INTEGER PRIMARY KEY,
    kind        TEXT NOT NULL,                 -- snake_case: unreadable_record, duplicate_uuid …
    object_kind TEXT NOT NULL,                 -- Node, Pod, ConfigMap
    object      TEXT NOT NULL,                 -- name, or namespace/name
    key         TEXT NOT NULL,                 -- annotation, resource or data key
    position    INTEGER NOT NULL,              -- byte offset in its value, from 0
    text        TEXT NOT NULL,                 -- for people
    opened_at   INTEGER NOT NULL,
    closed_at   INTEGER
) STRICT;

CREATE INDEX finding_open ON finding (object_kind, object) WHERE closed_at IS NULL;

-- The chain: one row a change.
CREATE TABLE event (
    seq       INTEGER PRIMARY KEY,
    at        INTEGER NOT NULL,
    actor     TEXT NOT NULL,
    command   TEXT NOT NULL,
    kind      TEXT NOT NULL,
    node      TEXT,
    pod       TEXT,
    device    TEXT,
    detail    TEXT NOT NULL,                   -- JSON: before and after
    prev_hash BLOB NOT NULL,
    hash      BLOB NOT NULL
) STRICT;

-- Why the last schedule of a pod found no node. Derived, dropped when the pod
-- is placed or gone.
CREATE TABLE explanation (
    id      INTEGER PRIMARY KEY,
    pod_id  INTEGER NOT NULL REFERENCES pod (id),
    at      INTEGER NOT NULL,
    node    TEXT NOT NULL,
    code    INTEGER NOT NULL,
    backend TEXT,
    device  TEXT,                              -- NULL: the node as a whole
    reason  TEXT NOT NULL,
    message TEXT NOT NULL
) STRICT;

CREATE INDEX explanation_by_pod ON explanation (pod_id);

-- From the configuration in force, so that SQL can join them. Derived.
CREATE TABLE vnpu_template (
    backend  TEXT NOT NULL,
    chip     TEXT NOT NULL,
    name     TEXT NOT NULL,
    memory   INTEGER,
    ai_cores INTEGER,
    ai_cpus  INTEGER,
    dvpp     TEXT,
    PRIMARY KEY (backend, chip, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE mig_geometry (
    model          TEXT NOT NULL,
    group_ordinal  INTEGER NOT NULL,           -- order in the configuration
    group_name     TEXT NOT NULL,
    kind_ordinal   INTEGER NOT NULL,
    kind_name      TEXT NOT NULL,
    memory         INTEGER NOT NULL,
    count          INTEGER NOT NULL,
    first_position INTEGER NOT NULL,           -- of its instances within the group
    PRIMARY KEY (model, group_ordinal, kind_ordinal)
) STRICT, WITHOUT ROWID;
