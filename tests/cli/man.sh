#!/bin/sh
# The manual pages: well formed, and they name every verb, option and operation.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/cli.sh"
pages=$here/../../docs/man

if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$pages"/*.[15] >lint 2>&1 || fail "$(cat lint)"
fi
if command -v groff >/dev/null; then
    groff -mandoc -ww -z "$pages"/*.[15] >lint 2>&1 || true
    [ ! -s lint ] || fail "$(cat lint)"
fi

"$DEVLEDGER" help >help
for verb in $(sed -n '/^Verbs:/,/^$/ s/^  \([a-z]*\).*/\1/p' help | sort -u); do
    grep -qE "^\.(It|Ss) .*Cm $verb( |$)" "$pages/devledger.1" || fail "devledger.1 says nothing about $verb"
    "$DEVLEDGER" help "$verb" | sed -n 's/^ .*--\([a-z-]*\).*/\1/p' >options
    while read -r option; do
        grep -qF "Fl Fl $option" "$pages/devledger.1" || fail "devledger.1 says nothing about --$option"
    done <options
done

sed -n 's/^    {"\([a-z-]*\)", DVL_VERB_.*/\1/p' "$here/../../src/verb/verb.c" >operations
[ "$(wc -l <operations)" -gt 15 ] || fail "the table of operations was not read"
while read -r operation; do
    grep -qE "^\.It Ic $operation( |$)" "$pages/devledger-batch.5" || fail "devledger-batch.5 says nothing about $operation"
done <operations
