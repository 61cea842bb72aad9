#!/bin/sh
# A reservation whose term is over counts no more, though its row still waits
# for a writer to end it.
. "$(dirname "$0")/../support/cli.sh"
cluster
pod ml/a 3000 >pod.yaml
"$DEVLEDGER" -q allocate -f pod.yaml --node n1 --ttl 1s
run 0 get pods ml/a -o json
json_is out 'it["state"]' reserved
sleep 1.2
run 0 get pods ml/a -o json
json_is out 'it["state"], it["devices"]' "('expired', 0)"
run 0 get allocations -o json
json_is out 'it["items"][0]["state"]' expired
run 0 get devices n1/0 -o json
json_is out 'it["usedMemory"], it["freeMemory"], it["usedSlots"]' '(0, 8000, 0)'
run 0 get nodes n1 -o json
json_is out 'it["usedMemory"], it["pods"]' '(0, 0)'
run 0 describe pod ml/a
has out expired
