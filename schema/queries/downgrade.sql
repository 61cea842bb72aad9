-- Downgrades of VNPU templates.

-- name: open-of-pod
-- In: pod_uid. Out: its open rows.
SELECT g.id, g.node_id, n.name AS node_name, g.template_asked, g.template_given, g.reason
  FROM vnpu_downgrade AS g
  JOIN node AS n ON n.id = g.node_id
 WHERE g.pod_uid = :pod_uid AND g.closed_at IS NULL
 ORDER BY n.name;

-- name: insert
-- In: all columns but id and closed_at.
INSERT INTO vnpu_downgrade (pod_uid, node_id, template_asked, template_given, reason, opened_at)
VALUES (:pod_uid, :node_id, :template_asked, :template_given, :reason, :now);

-- name: close
-- In: id, now.
UPDATE vnpu_downgrade
   SET closed_at = :now
 WHERE id = :id AND closed_at IS NULL;
