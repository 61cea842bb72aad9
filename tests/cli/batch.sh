#!/bin/sh
# batch: a line in, a line out, whatever the line is.
. "$(dirname "$0")/../support/cli.sh"
cluster

run 0 batch <<'END'
{"op":"get","kind":"nodes","id":"first"}
{"op":"nonsense","id":2}

not json
{"op":"get"}
{"op":"get","kind":"devices","node":"n1","limit":1,"surprise":1}
{"op":"describe","kind":"pod","name":"ml/nobody"}
{"op":"log","limit":1}
{"op":"sql","query":"SELECT :a AS a","params":{"a":"x"}}
END
[ "$(wc -l <out)" -eq 9 ] || fail "nine answers are wanted: $(cat out)"
line=0
while read -r answer; do
    line=$((line + 1))
    printf '%s\n' "$answer" >answer.$line
done <out
json_is answer.1 'it["id"], it["ok"], [n["name"] for n in it["items"]]' "('first', True, ['n1', 'n2'])"
json_is answer.2 'it["id"], it["ok"], it["error"]["code"]' "(2, False, 'unsupported')"
for line in 3 4 5 6; do
    json_is answer.$line 'it["ok"], it["error"]["code"]' "(False, 'bad_input')"
done
json_is answer.7 'it["error"]["code"]' not_found
json_is answer.8 'len(it["items"])' 1
json_is answer.9 'it["items"]' "[{'a': 'x'}]"

# The last line needs no end; a line that is too long is refused, the next one is answered.
printf '{"op":"get","kind":"locks"}' | "$DEVLEDGER" batch >out
json_is out 'it["items"]' '[]'
{ head -c 17000000 /dev/zero | tr '\0' 'x' && echo && echo '{"op":"get","kind":"locks"}'; } | "$DEVLEDGER" batch >out
[ "$(wc -l <out)" -eq 2 ] || fail "two answers are wanted"
has out '16 MiB'

# Nothing of an outer transaction that input ends in stays.
run 0 batch <<'END'
{"op":"begin"}
{"op":"lock","node":"n1","holder":"ml/a"}
END
run 0 get locks -o csv --no-headers
[ ! -s out ] || fail "kept without commit: $(cat out)"
run 0 batch <<'END'
{"op":"begin"}
{"op":"lock","node":"n1","holder":"ml/a"}
{"op":"commit"}
END
run 0 get locks n1 -o name

# Each answer is there before the next line is needed.
mkfifo requests answers
"$DEVLEDGER" batch <requests >answers &
exec 3>requests 4<answers
for i in 1 2 3; do
    echo "{\"op\":\"get\",\"kind\":\"configs\",\"id\":$i}" >&3
    read -r answer <&4
    printf '%s\n' "$answer" >answer
    json_is answer 'it["id"]' $i
done
exec 3>&- 4<&-
wait

# A ledger of its own, for as long as the program runs.
echo '{"op":"get","kind":"nodes"}' | "$DEVLEDGER" --db :memory: batch >out
json_is out 'it["items"]' '[]'
[ ! -e :memory: ] || fail "a file :memory: was made"

# What is no pod is called what it is.
echo '{"op":"filter","pod":{"kind":"Node","metadata":{"name":"n1"}}}' | "$DEVLEDGER" batch >out
json_is out 'it["error"]' "{'code': 'bad_input', 'message': '\"pod\" is a Node, not a Pod'}"
