#!/bin/sh
# describe: everything about one node, device, pod; and why a pod is pending.
. "$(dirname "$0")/../support/cli.sh"
cluster
pod ml/a 2000 | "$DEVLEDGER" -q schedule -f - --node n1
pod ml/big 90000 >big.yaml
"$DEVLEDGER" -q schedule -f big.yaml 2>err && fail "a pod that fits nowhere was placed"
"$DEVLEDGER" -q lock n1 --holder ml/a/uid-a

run 0 describe node n1
has out 'Name:          n1'
has out 'gpu=yes'
has out 'Backend vgpu (hamivgpu), on:'
has out '[#####...............]  25%'
has out '2000/8000'
has out 'ml/a  main       vgpu          0    2000'
has out 'hamivgpu  ml/a/uid-a'
has out 'slices_reserved'
run 0 describe node n1 -o json
json_is out '[d["usedMemory"] for d in it["backends"][0]["devices"]]' '[2000, 0]'
json_is out 'sorted(it)' "['backends', 'conflicts', 'downgrades', 'events', 'findings', 'locks', 'node', 'slices']"

run 0 describe device GPU-n1-0
has out 'Memory:        [#####...............]  25%  2000 of 8000 MiB'
has out 'Slots:         [##..................]  10%  1 of 10'
run 0 describe device n2/0 -o yaml
has out 'uuid: GPU-n2-0'

run 0 describe pod ml/a
has out 'State:         reserved'
has out 'main       vgpu         1    2000'
has out 'n1    hamivgpu'
lacks out 'Why it found no node'
run 0 describe pod big -n ml
has out 'State:         pending'
has out 'Why it found no node:'
has out '2 of 2 short of memory'
has out 'asked 90000 MiB'
run 0 describe pod ml/big -o json
json_is out 'sorted({(e["node"], e["code"]) for e in it["explanation"]})' "[('n1', 3), ('n2', 3)]"

run 4 describe node n9
run 4 describe device GPU-x
run 4 describe pod ml/nobody
run 5 describe device GPU-n
run 2 describe card n1
run 2 describe node
