#!/bin/sh
# Runs the tests of a build folder and ends with the line `N passed, M failed`.
#
#     tools/ctest.sh BUILD [ctest's options]
#
# A test that could not run here (no terminal, say) is named on a line of its own and counts as
# neither: it has not failed, and it has not shown what it is for.
set -u

build=$1
shift
results=$build/test-results.xml
rm -f "$results"
ctest --test-dir "$build" --output-on-failure --no-tests=error --output-junit "$(realpath "$build")/test-results.xml" "$@"
status=$?

number() # of the attribute of the whole suite
{
    sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$results" | head -n 1
}
if ! [ -s "$results" ]; then
    echo "0 passed, 1 failed"
    exit 1
fi
all=$(number tests)
failed=$(($(number failures) + $(number disabled)))
skipped=$(number skipped)
[ "$status" = 0 ] || [ "$failed" -gt 0 ] || failed=1
[ "$skipped" = 0 ] || echo "could not run here: $skipped (above: \"Skipped\")"
echo "$((all - failed - skipped)) passed, $failed failed"
[ "$failed" = 0 ]
