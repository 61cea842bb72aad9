#!/bin/sh
# init: where the ledger is made, and for whom.
. "$(dirname "$0")/../support/cli.sh"

run 4 get nodes
has err 'devledger init'
[ ! -e ledger.db ] || fail "a reading verb made the file"

run 0 init
is out <<END
ledger $work/ledger.db created
END
[ "$(stat -c %a ledger.db)" = 600 ] || fail "the file is not the user's alone"
run 0 init
is out <<END
ledger $work/ledger.db unchanged
END

# An empty file becomes one; without a folder there is none.
: >empty.db
run 0 --db empty.db init
is out <<END
ledger empty.db created
END
run 4 --db nowhere/x.db init
is err <<END
devledger: init: there is no folder for nowhere/x.db: make it first
END

# --db before $DEVLEDGER_DB before $XDG_STATE_HOME before ~/.local/state.
run 0 --db other.db init
[ -f other.db ] || fail "--db was not heeded"
unset DEVLEDGER_DB
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
run 0 init
[ -f state/devledger/ledger.db ] || fail "no file below XDG_STATE_HOME"
[ "$(stat -c %a state/devledger)" = 700 ] || fail "the folder is not the user's alone"
XDG_STATE_HOME=relative
run 0 init
[ -f .local/state/devledger/ledger.db ] || fail "a relative XDG_STATE_HOME is to be ignored"
unset XDG_STATE_HOME HOME
run 2 init
has err '--db'

# What is not a ledger stays as it is.
echo 'not a database, but a text that is long enough to be looked at' >text.db
cp text.db text.before
"$DEVLEDGER" --db text.db init >out 2>err && fail "a text was taken for a ledger"
cmp -s text.db text.before || fail "a foreign file was written to"
