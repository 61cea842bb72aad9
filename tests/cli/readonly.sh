#!/bin/sh
# Who may read the file but not write it: everything that reads works, and
# filter answers all the same.
. "$(dirname "$0")/../support/cli.sh"
cluster
pod ml/a 1000 >a.yaml
"$DEVLEDGER" -q apply -f a.yaml
"$DEVLEDGER" get nodes >before
chmod 755 .
chmod 444 ledger.db*

# A copy that anybody may run: the build's folder may be closed to others.
program=$DEVLEDGER
if [ "$(id -u)" -eq 0 ]; then
    command -v setpriv >/dev/null || fail "setpriv is not there"
    cp "$DEVLEDGER" copy
    printf '#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups "%s/copy" "$@"\n' "$work" >program
    chmod 755 copy program
    program=$work/program
fi
DEVLEDGER=$program

for verb in 'get nodes' 'get pods ml/a' 'describe node n1' 'filter ml/a' 'score ml/a' 'schedule ml/a --dry-run' 'log' \
    'verify' 'config show'; do
    run 0 $verb
done
run 0 sql 'SELECT count(*) AS n FROM node' -o csv --no-headers
[ "$(tr -d '\r' <out)" = 2 ] || fail "$(cat out)"
echo '{"op":"get","kind":"nodes"}' | "$DEVLEDGER" batch >out
json_is out 'len(it["items"])' 2
for verb in 'lock n1' 'schedule ml/a' 'release ml/a' 'apply -f a.yaml' 'init'; do
    run 2 $verb
    has err ledger.db
done
