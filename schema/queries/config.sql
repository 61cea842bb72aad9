-- Accepted configurations, and what is derived from the one in force.

-- name: newest
-- In: kind. Out: the one in force, if there is any.
SELECT id, text, sha256, applied_at
  FROM config
 WHERE kind = :kind
 ORDER BY id DESC
 LIMIT 1;

-- name: mark
-- In: kind. Out: which one is in force, without its text.
SELECT id, sha256, applied_at
  FROM config
 WHERE kind = :kind
 ORDER BY id DESC
 LIMIT 1;

-- name: insert
-- In: all columns but id.
INSERT INTO config (kind, text, sha256, applied_at)
VALUES (:kind, :text, :sha256, :now);

-- name: templates-delete
-- All of them go before the new ones come.
-- scan: all of them are wanted.
DELETE FROM vnpu_template;

-- name: template-insert
-- In: one template of one chip kind; null where the configuration names no number.
INSERT INTO vnpu_template (backend, chip, name, memory, ai_cores, ai_cpus, dvpp)
VALUES (:backend, :chip, :name, :memory, :ai_cores, :ai_cpus, :dvpp);

-- name: geometries-delete
-- All of them go before the new ones come.
-- scan: all of them are wanted.
DELETE FROM mig_geometry;

-- name: geometry-insert
-- In: one kind of instance of one group of one model.
INSERT INTO mig_geometry (model, group_ordinal, group_name, kind_ordinal, kind_name, memory, count, first_position)
VALUES (:model, :group_ordinal, :group_name, :kind_ordinal, :kind_name, :memory, :count, :first_position);

-- name: resources-delete
-- All of them go before the new ones come.
-- scan: all of them are wanted.
DELETE FROM backend_resource;

-- name: resource-insert
-- In: a backend and the names of its resources; null where it has none.
INSERT INTO backend_resource (backend, count_name, memory_name, cores_name)
VALUES (:backend, :count_name, :memory_name, :cores_name);

-- name: is-derived
-- Out: whether the derived tables were ever written; there is always a backend.
-- scan: stops at the first row.
SELECT EXISTS (SELECT 1 FROM backend_resource) AS derived;
