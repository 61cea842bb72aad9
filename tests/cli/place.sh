#!/bin/sh
# schedule, allocate, bind, release: the steps, and the annotations of each.
. "$(dirname "$0")/../support/cli.sh"
cluster
pod ml/a 3000 >a.yaml
pod ml/b 90000 >b.yaml
pod ml/c 1000 >c.yaml

run 0 schedule --dry-run -f a.yaml
has out 'pod/ml/a scheduled on n1, total 380 (dry run)'
run 0 get pods -o name
[ ! -s out ] || fail "a dry run recorded $(cat out)"

run 0 schedule -f a.yaml --ttl 10m
has out 'pod/ml/a scheduled on n1, total 380'
has out 'main       vgpu     GPU-n1-0      0    3000      0'
has out 'volcano.sh/vgpu-ids-new         GPU-n1-0,NVIDIA,3000,0:'
run 0 get allocations -o json
json_is out '[(i["pod"], i["state"]) for i in it["items"]]' "[('ml/a', 'reserved')]"

# The same again answers the same; elsewhere it is a conflict.
run 0 allocate -f a.yaml --node n1 -o json
json_is out '[s["device"] for s in it["slices"]]' "['GPU-n1-0']"
run 5 allocate ml/a --node n2
run 5 bind ml/a --node n2

run 0 bind ml/a -o patch
is out <<END
{"metadata":{"annotations":{"volcano.sh/bind-phase":"success"}}}
END
run 0 bind a -n ml
has out 'pod/ml/a bound'
run 0 release ml/a -o patch
is out <<END
{"metadata":{"annotations":{}}}
END
run 0 release ml/a
run 4 bind ml/a

run 0 allocate -f c.yaml --node n2
has out 'pod/ml/c allocated on n2'
run 0 release ml/c -o patch
json_is out 'set(it["metadata"]["annotations"].values())' '{None}'

# Several pods, in order; one that finds no node fails the lot, not the others.
run 1 schedule -f a.yaml -f b.yaml -f c.yaml -o json
json_is out '[(i["pod"], i.get("node"), i.get("error", {}).get("code")) for i in it["items"]]' \
    "[('ml/a', 'n1', None), ('ml/b', None, 'no_fit'), ('ml/c', 'n1', None)]"
[ "$(wc -l <err)" -eq 1 ] || fail "one message is wanted: $(cat err)"
run 0 schedule -f a.yaml --bind -o json
json_is out 'it["annotations"]["volcano.sh/bind-phase"]' success
run 1 schedule -f b.yaml
has err 'ml/b'

run 1 allocate -f b.yaml --node n1
run 4 allocate -f b.yaml --node n9
run 2 allocate -f b.yaml
has err '--node'
run 2 schedule
run 3 allocate -f b.yaml --node n1 --ttl never
