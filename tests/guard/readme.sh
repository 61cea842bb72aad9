#!/bin/sh
# What the pages show is so: README's tour runs from its first command to its last, with the output
# that is printed beside it; of the other pages run the commands that are marked `<!-- run -->`, every
# statement of SQL, every request in JSON and every device configuration in YAML; docs/schema.md names
# every table and view.
#
#     readme.sh BUILD        (from the source root)
set -eu

root=$PWD
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/backup"
ln -s "$root/examples" "$work/examples"
ln -s "$build" "$work/build"

# Not installed, but found as if it were.
sed -e "s|^libdir=.*|libdir=$build|" -e "s|^includedir=.*|includedir=$root/include|" "$build/devledger.pc" >"$work/bin/devledger.pc"
export PKG_CONFIG_PATH="$work/bin" LD_LIBRARY_PATH="$build" PATH="$build:$PATH"
unset XDG_STATE_HOME NO_COLOR || true
cd "$work"

# Shell functions for the scripts below: a command is right when it says nothing on standard error
# and ends with 0, or with 1, which is a plain "no" of ours.
cat >begin <<'END'
ended() # CODE COMMAND
{
    tried=$((tried + 1))
    [ "$1" -le 1 ] && [ ! -s complaints ] || { echo "readme: $2: exit $1: $(cat complaints)" >&2; exit 1; }
}
shown() # FILE COMMAND
{
    compared=$((compared + 1))
    cmp -s "$1" said || { echo "readme: $2: not as shown: $(diff "$1" said)" >&2; exit 1; }
}
tried=0 compared=0
END

# A script of a page's commands. Output that is shown belongs to the last command before it, which may
# stand in the text between backquotes; such a one runs only for that.
script() # [all]: also what is not marked
{
    awk -v all="${1:-}" -v quote="'" '
        function quoted(text) { gsub(quote, quote "\\" quote quote, text); return quote text quote }
        function runs(command) {
            printf "code=0; { %s\n} >said 2>complaints || code=$?; ended $code %s\n", command, quoted(command)
        }
        /^```/ && !block { block = $0 == "```" ? "output" : substr($0, 4); wanted = all || marked; text = ""; marked = 0
                           if (block == "output" && wanted && spoken) { runs(spoken); last = spoken; spoken = "" }
                           next }
        /^```/ { if (block == "output" && wanted && last) {
                     file = "shown-" ++outputs; printf "%s", text >file; close(file)
                     printf "shown %s %s\n", file, quoted(last) }
                 block = ""; next }
        block == "sh" && wanted { runs($0); last = $0; spoken = "" }
        block == "output" { text = text $0 "\n" }
        block { next }
        /^<!-- run -->$/ { marked = 1; next }
        { marked = 0
          while (match($0, /`devledger [^`]*`/)) { spoken = substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }
    '
}

# README, from the tour to the end of its examples.
sed -n '/^## A tour/,/^## What it needs/p' "$root/README.md" | script all | sed "s|/tmp/tour\.db|$work/tour.db|g" >tour
# shellcheck disable=SC2016 # expanded when the script runs
echo '[ $tried -ge 12 ] && [ $compared = 4 ] || { echo "readme: $tried commands, $compared outputs" >&2; exit 1; }' >end
cat begin tour end | sh
devledger --db tour.db --quiet backup ledger.db

# The pages, each beside a ledger of its own.
cp examples/gpushare/scheduler.yaml .
cp ledger.db whole.db
marked=0
for page in operations schema configuration; do
    rm -f ledger.db* backup/*
    cp whole.db ledger.db
    script <"$root/docs/$page.md" | sed "s|/backup/|$work/backup/|g" >commands
    [ -s commands ] || { echo "readme: nothing of $page.md is marked" >&2; exit 1; }
    marked=$((marked + $(grep -c '^code=' commands)))
    cat begin commands | DEVLEDGER_DB=$work/ledger.db sh
done

# Every block of SQL, JSON and YAML, as NUMBER.LANGUAGE.
cat "$root"/docs/*.md "$root"/docs/semantics/*.md | awk '
    /^```(sql|json|yaml)$/ { file = ++blocks "." substr($0, 4); next }
    /^```/ { file = ""; next }
    file { print >file }'
for block in [0-9]*.sql; do
    sqlite3 -readonly whole.db <"$block" >said
    [ -s said ] || { echo "readme: $(cat "$block"): no answer" >&2; exit 1; }
done
for block in [0-9]*.json; do
    devledger --db ledger.db batch <"$block" >said
    ! grep -v '"ok":true' said || { echo "readme: $(cat "$block"): refused" >&2; exit 1; }
done
for block in [0-9]*.yaml; do
    devledger config check -f "$block" >said
done
# No table or view without a word about it.
sqlite3 -readonly whole.db "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'" >names
while read -r name; do
    grep -qF "\`$name\`" "$root/docs/schema.md" || { echo "readme: schema.md says nothing about $name" >&2; exit 1; }
done <names
[ "$(wc -l <names)" -gt 30 ] || { echo "readme: the names do not read" >&2; exit 1; }
echo "$marked marked commands, and blocks: $(echo [0-9]*.sql [0-9]*.json [0-9]*.yaml)"
