#!/bin/sh
# verify and backup: the file as a whole.
. "$(dirname "$0")/../support/cli.sh"
cluster
run 0 verify
has out 'ok: '
run 0 verify -o json
json_is out 'it["problems"]' '[]'
head=$(json out 'it["head"]')
pod ml/a 1000 | "$DEVLEDGER" -q apply -f -
run 0 verify --expect "$head"
has out 'in the chain'
run 1 verify --expect ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
has out 'not in the chain'
run 3 verify --expect nonsense

run 0 backup copy.db
is out <<END
copy.db written
END
[ "$(stat -c %a copy.db)" = 600 ] || fail "the copy is not the user's alone"
run 0 --db copy.db get pods -o name
is out <<END
pod/ml/a
END
run 5 backup copy.db
run 2 backup

# What was changed behind the ledger's back is found.
if command -v sqlite3 >/dev/null; then
    sqlite3 copy.db "CREATE TABLE mine (x)" >/dev/null
    run 1 --db copy.db verify
    has out 'mine'

    # Neither a configuration nor a view that does not read hides the rest.
    run 0 config apply -f scheduler.yaml
    run 0 backup broken.db
    sqlite3 broken.db "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'trigger'" >/dev/null
    sqlite3 broken.db "UPDATE config SET text = 'x'; UPDATE event SET actor = 'x' WHERE seq = 1" >/dev/null
    run 1 --db broken.db verify
    has out 'chain: the chain breaks at event 1'
    has out 'configuration 1 does not read'
    run 1 --db broken.db verify -o json
    json_is out 'it["conflicts"]' 'None'
fi
