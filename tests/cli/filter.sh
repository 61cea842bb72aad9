#!/bin/sh
# filter and score: verdicts by node, why not by device, and the exit code.
. "$(dirname "$0")/../support/cli.sh"
cluster
pod ml/a 9000 >a.yaml
pod ml/b 90000 >b.yaml
pod ml/c 2000 >c.yaml
"$DEVLEDGER" -q apply -f c.yaml

run 0 filter -f a.yaml
is out <<END
NODE  FITS  CODE  BACKEND  REASON           MESSAGE
n1    no       3  vgpu     short_of_memory  container main: 0 of 1 found: 2 of 2 short of memory
n2    yes      0  <none>   <none>           <none>
END
run 0 filter -f a.yaml -o name
is out <<END
node/n2
END
run 0 filter -f a.yaml -o json
json_is out 'it["fits"], [n["code"] for n in it["nodes"]]' '(1, [3, 0])'
run 1 filter -f b.yaml
[ ! -s err ] || fail "no is an answer, not a message: $(cat err)"
run 1 filter -f a.yaml --node n1 --explain
has out 'n1        0  GPU-n1-0  short_of_memory'
has out 'n1        1  GPU-n1-1  short_of_memory'
run 0 filter -f a.yaml --explain
has out 'would do'
run 0 filter ml/c --node n1 --node n2 -o csv
has out 'node,code,backend,reason,message'
run 0 filter c -n ml
run 0 filter -f - <c.yaml

run 0 score ml/c
is out <<END
NODE  DEVICE-SCORE  SCORE  BATCH-SCORE  TOTAL
n1              25    250            0    250
n2            12.5    130            0    130
END
run 0 score -f a.yaml -o json
json_is out '[(n["node"], n["total"]) for n in it["nodes"]]' "[('n2', 560)]"
run 0 score -f b.yaml -o csv --no-headers

# YAML that quotes nothing means the same as JSON that quotes everything.
cat >plain.yaml <<END
kind: Pod
metadata: {name: 1, namespace: ml, uid: 77, annotations: {volcano.sh/vgpu-mode: hami-core, a: true}}
spec: {containers: [{name: 2, resources: {limits: {volcano.sh/vgpu-memory: 100}}}]}
END
run 0 filter -f plain.yaml

# What asks changes nothing.
run 0 get pods -o name
is out <<END
pod/ml/c
END

run 4 filter ml/nobody
run 4 filter ml/c --node n9
run 2 filter
run 2 filter ml/c ml/d
run 3 filter -f nowhere.yaml
node n1 1 >node.yaml
run 3 filter -f node.yaml
has err 'node.yaml:'
printf 'kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, resources: {limits: {volcano.sh/vgpu-memory: 1.5}}}]}\n' >half.yaml
run 3 filter -f half.yaml
has err 'volcano.sh/vgpu-memory'
