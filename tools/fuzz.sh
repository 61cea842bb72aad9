#!/bin/sh
# Lets every fuzzer of a build folder (preset fuzz) search for some seconds, from its corpus on.
# New inputs stay in the build folder. Ends with `N passed, M failed`.
#
#     tools/fuzz.sh BUILD SECONDS
set -u

build=$1
seconds=$2
passed=0
failed=0
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    found=$build/found/$name
    mkdir -p "$found"
    if "$build/tests/$name" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -artifact_prefix="$found-" \
        "$found" "tests/fuzz/corpus/${name#fuzz_}" >"$build/$name.log" 2>&1; then
        echo "fuzz: $name: $(grep -c '' "$build/$name.log") lines, $(find "$found" -type f | wc -l) new inputs"
        passed=$((passed + 1))
    else
        echo "fuzz: $name: FAILED"
        tail -n 60 "$build/$name.log"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
