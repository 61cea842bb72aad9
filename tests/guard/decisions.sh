#!/bin/sh
# Every decision (D and a number) that docs/semantics tells of stands at its place in the code and
# is held to by a test; none is spoken of that docs/semantics does not tell.
#
#     decisions.sh        (from the source root)
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

numbers() # FOLDER…
{
    find "$@" -type f ! -path 'tests/guard/*' ! -path 'tests/fuzz/corpus/*' -exec grep -hoE '\bD[0-9]{1,2}\b' {} + |
        sort -V -u
}
numbers docs/semantics docs/semantics.md >"$work/told"
numbers src schema >"$work/code"
numbers tests >"$work/tests"

bad=0
for place in code tests; do
    missing=$(grep -vxFf "$work/$place" "$work/told" | tr '\n' ' ') || true
    untold=$(grep -vxFf "$work/told" "$work/$place" | tr '\n' ' ') || true
    [ -z "$missing" ] || { echo "told, but not in $place: $missing"; bad=1; }
    [ -z "$untold" ] || { echo "in $place, but not told: $untold"; bad=1; }
done
[ "$(wc -l <"$work/told")" -gt 30 ] || { echo "docs/semantics does not read"; bad=1; }
echo "$(wc -l <"$work/told") decisions"
exit $bad
