#!/bin/sh
# What is printed arrives whole, or the failure is told; names from outside stay text.
. "$(dirname "$0")/../support/cli.sh"
cluster

# A reader that leaves ends the program without a word.
"$DEVLEDGER" get events -o json 2>err | head -n 1 >out
[ ! -s err ] || fail "a reader that left: $(cat err)"

if [ -w /dev/full ]; then
    code=0
    "$DEVLEDGER" get nodes >/dev/full 2>err || code=$?
    [ "$code" -eq 6 ] || fail "a full disk: exit $code"
    has err 'No space left'
fi

# Wide, never cut when piped; characters of two columns stand under each other.
long=$(printf '%0200d' 0)
printf 'kind: Node\nmetadata: {name: n0, labels: {long: "%s"}}\n' "$long" >odd.yaml
printf -- '---\nkind: Node\nmetadata: {name: "节点"}\n' >>odd.yaml
run 0 apply -f odd.yaml
run 0 get nodes -o wide
has out "long=$long"
run 0 get nodes --no-headers
has out '节点  <none>'
LC_ALL=C "$DEVLEDGER" get nodes >out
has out '节点'

# Control characters and broken text from outside do nothing to a terminal.
run 0 sql "SELECT char(27) || '[31mred' AS a, 'x' || char(10) || 'y' AS b, char(8238) || 'z' AS c"
has out '\x1b[31mred'
has out 'x\ny'
has out '\u202ez'
run 4 get pods "ml/$(printf 'a\033[2J')"
has err '\x1b[2J'
lacks err "$(printf '\033')"

# YAML and JSON say the same.
if python3 -c 'import yaml' 2>/dev/null; then
    for kind in nodes devices pods locks events configs; do
        "$DEVLEDGER" get $kind -o json >a.json
        "$DEVLEDGER" get $kind -o yaml >a.yaml
        python3 -c 'import json, sys, yaml
sys.exit(json.load(open("a.json")) != yaml.safe_load(open("a.yaml")))' || fail "$kind differ in JSON and YAML"
    done
fi
