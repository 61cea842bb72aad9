#!/bin/sh
# log: events newest last, narrowed, followed.
. "$(dirname "$0")/../support/cli.sh"
cluster
pod ml/a 1000 >a.yaml
"$DEVLEDGER" -q --actor carol apply -f a.yaml

run 0 log -o json
[ "$(wc -l <out)" -eq "$("$DEVLEDGER" get events -o csv --no-headers | wc -l)" ] || fail "not one event a line"
tail -n 1 out >last
json_is last 'it["kind"], it["actor"], it["command"], it["pod"]' "('pod_created', 'carol', 'apply', 'ml/a')"
json_is last 'len(it["hash"]), it["at"][-1]' "(64, 'Z')"
run 0 log --limit 2 --no-headers
[ "$(wc -l <out)" -eq 2 ] || fail "two lines are wanted: $(cat out)"
has out 'ml/a'
run 0 log --node n2 --no-headers
[ "$(wc -l <out)" -eq 1 ] || fail "one event of n2 is wanted: $(cat out)"
run 0 log --pod ml/a -o name
grep -qx 'event/[0-9]*' out || fail "no name of an event: $(cat out)"
run 0 log --since -1h --no-headers
[ -s out ] || fail "nothing since an hour ago"
run 0 log --until yesterday -o csv --no-headers
[ ! -s out ] || fail "something before yesterday: $(cat out)"
run 0 log --since @4102444800 --no-headers
[ ! -s out ] || fail "something of the future: $(cat out)"
run 2 log --since never
has err '-2h'
run 4 log --node n9

# What comes while it is followed.
timeout 10 "$DEVLEDGER" log --follow --limit 1 -o json >followed &
follower=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -s followed ] && break
    sleep 0.1
done
"$DEVLEDGER" -q lock n1 --holder me/too
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q lock_taken followed && break
    sleep 0.1
done
kill "$follower"
wait "$follower" || true
has followed '"kind":"pod_created"'
has followed '"kind":"lock_taken"'
[ "$(wc -l <followed)" -eq 2 ] || fail "two events are wanted: $(cat followed)"
