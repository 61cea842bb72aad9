#!/bin/sh
# Reasons, kinds of events and kinds of findings are words that other programs compare with: every
# word of that form in the code stands in docs/, unless it is a name of the schema.
#
#     words.sh        (from the source root)
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find docs schema -type f -exec grep -hoE '\b[a-z]+(_[a-z0-9]+)+\b' {} + | sort -u >"$work/known"
find src/backend src/config src/decide src/intake src/verb -name '*.c' -exec grep -hoE '"[a-z]+(_[a-z0-9]+)+"' {} + |
    tr -d '"' | sort -u >"$work/used"
[ "$(wc -l <"$work/used")" -gt 50 ] || { echo "words do not read"; exit 1; }
if grep -vxFf "$work/known" "$work/used" >"$work/unknown"; then
    echo "not in docs/:"
    cat "$work/unknown"
    exit 1
fi
echo "$(wc -l <"$work/used") words"
