#!/bin/sh
# The command line: GNU's conventions, help, hints, exit codes.
. "$(dirname "$0")/../support/cli.sh"
cluster

# The same in many ways.
for way in 'get nodes -oname' 'get -o name nodes' 'get nodes -o=name' 'get nodes --output=name' 'get nodes --output name' \
    'get nodes --out name' '-q get nodes -o name' 'get nodes -qo name' 'get -o json nodes -o name' 'get -o name -- nodes' \
    '--db ledger.db get nodes -o name' 'get nodes -o name --db ledger.db'; do
    run 0 $way
    [ "$(cat out)" = 'node/n1
node/n2' ] || fail "$way: $(cat out)"
done

run 2
run 2 gte nodes
has err 'did you mean "get"?'
run 2 somethingelse
has err 'devledger help'
run 2 get nodes --limt 3
has err 'did you mean --limit?'
run 2 get nodes --nothinglikeit
run 2 get nodes -Z
run 2 get nodes --no
has err 'several'
run 2 get nodes --limit
run 2 get nodes --all=yes
run 2 get nodes x y
run 2 --wait soon get nodes
run 2 --color sometimes get nodes
run 2 --durability none init
run 2 --actor '' init
run 2 --db '' get nodes

run 0 --help
has out 'schedule'
run 0 help
run 0 get --help
has out '--sort-by FIELD'
run 0 help get
has out '--sort-by FIELD'
run 0 help config
has out 'config check'
run 2 help nothinglikeit
run 0 --version
has out 'devledger 1.'
run 0 version
for verb in $("$DEVLEDGER" help | sed -n '/^Verbs:/,/^$/ s/^  \([a-z]*\).*/\1/p' | sort -u); do
    run 0 help "$verb"
    has out "Usage: devledger [options] $verb"
done
"$DEVLEDGER" -v get nodes >out 2>err
has err ledger.db

# Colour only where it is wanted.
"$DEVLEDGER" --color always get devices >out
lacks out "$(printf '\033')"
node n3 8000 | sed 's/true,hami/false,hami/' | "$DEVLEDGER" -q apply -f -
"$DEVLEDGER" --color always get devices >out
has out "$(printf '\033[31munhealthy')"
for color in auto never; do
    "$DEVLEDGER" --color $color get devices >out
    lacks out "$(printf '\033')"
done
NO_COLOR=1 "$DEVLEDGER" --color always get devices >out
has out "$(printf '\033[31munhealthy')"
