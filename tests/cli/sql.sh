#!/bin/sh
# sql: one query, many of them, and nothing that writes.
. "$(dirname "$0")/../support/cli.sh"
cluster
run 0 sql 'SELECT node, count(*) AS cards, NULL AS blank FROM devices GROUP BY node ORDER BY node'
is out <<END
NODE  CARDS  BLANK
n1        2  <none>
n2        1  <none>
END
run 0 sql --param least=9000 'SELECT uuid FROM device WHERE memory > CAST(:least AS INTEGER)' -o json
json_is out 'it["items"]' "[{'uuid': 'GPU-n2-0'}]"
run 0 sql "SELECT 'a,b' AS x, 1 AS y" -o csv
[ "$(tr -d '\r' <out)" = 'x,y
"a,b",1' ] || fail "$(cat out)"
run 0 sql 'SELECT 1 WHERE 0'
[ ! -s out ] || fail "rows of nothing: $(cat out)"

# Statements from a file end with a semicolon, the last one needs none.
printf "SELECT 1 AS a; SELECT ';' -- ;\n AS b;\n\nSELECT 3 AS c" >queries.sql
run 0 sql --no-headers <queries.sql
is out <<END
1
;
3
END

for statement in 'DELETE FROM node' 'DROP TABLE node' 'PRAGMA journal_mode = DELETE' "VACUUM INTO 'stolen.db'" \
    "ATTACH 'x.db' AS x" 'BEGIN IMMEDIATE' "SELECT load_extension('x')" "SELECT writefile('x', 'y')"; do
    code=0
    "$DEVLEDGER" sql "$statement" >out 2>err || code=$?
    [ "$code" -eq 2 ] || [ "$code" -eq 3 ] || fail "$statement: exit $code"
done
[ ! -e stolen.db ] && [ ! -e x.db ] || fail "a query wrote a file"
run 0 get nodes -o name
is out <<END
node/n1
node/n2
END
run 3 sql 'SELECT'
run 2 sql 'SELECT 1' -o name
run 2 sql --param nonsense 'SELECT 1'
run 3 sql 'SELECT 1; SELECT 2'

# A table is kept whole before it is drawn, so it has a limit; rows that are streamed go on longer.
endless='WITH RECURSIVE t (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t LIMIT 2000000) SELECT NULL AS x FROM t'
run 2 sql "$endless"
has err 'too large for a table'
[ ! -s out ] || fail 'half a table'
run 0 sql "$endless" -o csv
[ "$(wc -l <out)" -eq 2000001 ] || fail "$(wc -l <out) lines"

# What is piped in has a limit, too, and a NUL hides nothing.
head -c 3000000 /dev/zero | tr '\0' a >long.sql
run 3 sql <long.sql
has err 'longer than 1000000 bytes'
yes 'SELECT 1 AS a, 2 AS b' | head -n 60000 >long.sql
run 3 sql <long.sql
has err 'longer than 1000000 bytes'
printf 'SELECT 1\0 nonsense;' >nul.sql
run 3 sql <nul.sql
