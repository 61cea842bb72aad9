-- The chain of events.

-- name: last
-- The newest event. Out: seq, at, hash.
-- scan: from the end, and its first row only.
SELECT seq, at, hash
FROM event
ORDER BY seq DESC
LIMIT 1;

-- name: append
-- Adds one event; seq is the last plus one. In: the row.
INSERT INTO event (seq, at, actor, command, kind, node, pod, device, detail, prev_hash, hash)
VALUES (:seq, :at, :actor, :command, :kind, :node, :pod, :device, :detail, :prev_hash, :hash);

-- name: hash-at
-- The hash of one event, to see whether a commit is there. In: seq. Out: hash.
SELECT hash
FROM event
WHERE seq = :seq;

-- name: chain
-- All events in order, for verify. Out: the rows.
-- scan: verify reads everything.
SELECT seq, at, actor, command, kind, node, pod, device, detail, prev_hash, hash
FROM event
ORDER BY seq;
