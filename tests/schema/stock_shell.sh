#!/bin/sh
# What the stock sqlite3 shell can do with a ledger: read every view, check the
# chain with the statement that docs/operations.md prints, and write nothing.
#
#     stock_shell.sh LEDGER        (from the source root)
set -eu

ledger=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "stock_shell: $*" >&2
    exit 1
}

names() # TYPE
{
    sqlite3 -readonly "$ledger" "SELECT name FROM sqlite_schema WHERE type = '$1' ORDER BY name"
}

# The statement between the mark and the end of its block, as a reader copies it.
awk '/^<!-- chain -->$/ { marked = 1; next }
     marked && /^```sql$/ { inside = 1; next }
     inside && /^```$/ { exit }
     inside' docs/operations.md >"$work/chain.sql"
[ -s "$work/chain.sql" ] || fail "docs/operations.md has no statement for the chain"

for view in $(names view); do
    sqlite3 -readonly "$ledger" "SELECT * FROM $view" >/dev/null || fail "view $view does not read"
done

# Compiling such a statement is enough to stop: it need not find a row.
sqlite3 "$ledger" .dump >"$work/before"
for table in $(names table); do
    column=$(sqlite3 -readonly "$ledger" "SELECT name FROM pragma_table_info('$table') LIMIT 1")
    for statement in "INSERT INTO $table DEFAULT VALUES" "INSERT OR IGNORE INTO $table DEFAULT VALUES" \
        "REPLACE INTO $table SELECT * FROM $table" "UPDATE $table SET $column = $column" \
        "UPDATE OR REPLACE $table SET $column = 1" "DELETE FROM $table"; do
        if sqlite3 "$ledger" "$statement" >"$work/out" 2>&1; then
            fail "was not refused: $statement"
        fi
        grep -q 'no such function: devledger_library_only' "$work/out" || fail "$statement: $(cat "$work/out")"
    done
done
if sqlite3 "$ledger" "UPDATE device SET used_memory = 0" 2>/dev/null; then
    fail "used_memory can be written"
fi
sqlite3 "$ledger" .dump >"$work/after"
cmp -s "$work/before" "$work/after" || fail "something was written"

# The chain is whole.
events=$(sqlite3 -readonly "$ledger" 'SELECT count(*) FROM event')
head=$(sqlite3 -readonly "$ledger" 'SELECT hash FROM events ORDER BY seq DESC LIMIT 1')
[ "$events" -gt 2 ] || fail "too few events to try: $events"
walked=$(sqlite3 -readonly "$ledger" <"$work/chain.sql")
[ "$walked" = "$events||$head" ] || fail "the chain reads as $walked"

# Who drops the guards and forges is found: the first row that is not as it was.
forge() # WANTED STATEMENT
{
    rm -f "$work/copy"
    sqlite3 -readonly "$ledger" "VACUUM INTO '$work/copy'"
    sqlite3 -readonly "$ledger" "SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger'" |
        sqlite3 "$work/copy"
    sqlite3 "$work/copy" "$2"
    found=$(sqlite3 "$work/copy" <"$work/chain.sql" | cut -d'|' -f2)
    [ "$found" = "$1" ] || fail "after $2 the first broken event is '$found', not '$1'"
}
forge 2 "UPDATE event SET detail = '{\"forged\":1}' WHERE seq = 2"
forge 2 "UPDATE event SET actor = actor || 'x' WHERE seq >= 2"
forge 3 "DELETE FROM event WHERE seq = 2"
forge 1 "UPDATE event SET node = '' WHERE seq = 1"
forge 2 "UPDATE event SET prev_hash = zeroblob(32) WHERE seq = 2"
forge "$events" "UPDATE event SET hash = zeroblob(32) WHERE seq = $events"
forge '' "DELETE FROM event WHERE seq = $events"

echo "stock_shell: $(names view | wc -l) views, $(names table | wc -l) tables, $events events"
