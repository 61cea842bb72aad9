#!/bin/sh
# Runs the unit tests of a build folder under valgrind. Ends with `N passed, M failed`.
#
#     tools/valgrind.sh BUILD
#
# Left out, because they try thousands of random clusters or time limits, which takes valgrind
# minutes; the sanitizers run them: see `slow` below.
set -u

build=$1
slow="test_property_hami test_property_vgpu test_property_vnpu"
passed=0
failed=0
for program in "$build"/tests/test_*; do
    [ -x "$program" ] || continue
    name=$(basename "$program")
    case " $slow " in
    *" $name "*)
        echo "valgrind: $name: left out"
        continue
        ;;
    esac
    if valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect "$program" >"$build/valgrind.log" 2>&1; then
        passed=$((passed + 1))
    else
        echo "valgrind: $name: FAILED"
        tail -n 60 "$build/valgrind.log"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
