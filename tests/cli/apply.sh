#!/bin/sh
# apply: objects in, one line for each, all or nothing.
. "$(dirname "$0")/../support/cli.sh"
configure

{ node n1 8000 && node n2 8000; } >nodes.yaml
pod ml/a 1000 >pod.yaml

# A dry run keeps nothing, and makes no ledger.
run 0 --db new.db apply --dry-run -f pod.yaml
is out <<END
pod/ml/a created (dry run)
END
[ ! -e new.db ] || fail "a dry run made a ledger"

run 0 apply -f nodes.yaml pod.yaml
is out <<END
node/n1 created
node/n2 created
pod/ml/a created
END
run 0 apply -f nodes.yaml -f pod.yaml
is out <<END
node/n1 unchanged
node/n2 unchanged
pod/ml/a unchanged
END
sed 's/gold/silver/' pod.yaml >changed.yaml
run 0 apply -f - <changed.yaml
is out <<END
pod/ml/a updated
END

# All or nothing, with file, line and object in the message.
{ node n3 8000 && printf -- '---\nkind: Pod\nmetadata: {name: [x]}\n'; } >bad.yaml
run 3 apply -f nodes.yaml -f bad.yaml
has err 'bad.yaml'
[ ! -s out ] || fail "lines of what was not kept: $(cat out)"
run 4 get nodes n3

# The whole snapshot: what is not in it any more is retired.
node n1 8000 >one.yaml
run 0 apply --prune -f one.yaml
has out 'node/n1 unchanged'
has out 'node/n2 deleted'
run 0 get nodes -o name
is out <<END
node/n1
END
run 0 get pods -o name
is out <<END
pod/ml/a
END

echo '{"kind": "Service", "metadata": {"name": "s", "namespace": "x"}}' >service.json
run 0 apply -f service.json
is out <<END
service/x/s ignored
END
run 0 apply -f pod.yaml -o json
json_is out 'it["results"]' "[{'kind': 'Pod', 'name': 'ml/a', 'action': 'updated'}]"
run 0 apply -f pod.yaml -o name
is out <<END
pod/ml/a
END
run 0 -q apply -f pod.yaml
[ ! -s out ] || fail "-q says $(cat out)"

run 2 apply
run 2 apply -f - -f -
run 3 apply -f nowhere.yaml
has err 'nowhere.yaml'
