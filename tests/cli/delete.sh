#!/bin/sh
# delete: a pod or node is retired, and what it held is given back.
. "$(dirname "$0")/../support/cli.sh"
cluster
pod ml/a 4000 | "$DEVLEDGER" -q schedule -f -
pod ml/b 4000 | "$DEVLEDGER" -q schedule -f -

run 0 delete pod ml/a
is out <<END
pod/ml/a deleted
END
run 4 get pods ml/a
run 0 get pods --all -o name
has out pod/ml/a
run 0 get allocations --all --pod ml/a -o json
run 0 delete pod b -n ml
run 0 get allocations -o csv --no-headers
[ ! -s out ] || fail "still held: $(cat out)"

run 0 delete node n2 -o json
run 4 get nodes n2
run 4 delete node n2
run 4 delete pod ml/a
run 2 delete nod n1
has err 'did you mean node?'
run 2 delete pod
