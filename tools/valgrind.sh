#!/bin/sh
# Runs the unit tests of a build folder under valgrind, as many at once as there are processors. Ends
# with `N passed, M failed`.
#
#     tools/valgrind.sh BUILD
#
# Left out, because under valgrind they take minutes each; the sanitizers run them: those that try
# thousands of random clusters, those that fail at every operation or allocation in turn, and those
# that read long lists, verify large files or wait for time limits.
set -u

build=$1
slow="json property_hami property_vgpu property_vnpu fault heap_store manifest manifest_memory sql verify store yaml"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for program in "$build"/tests/test_*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    name=$(basename "$program")
    case " $slow " in
    *" ${name#test_} "*) echo "valgrind: $name: left out" ;;
    *) echo "$program" >>"$work/programs" ;;
    esac
done

cat >"$work/one" <<'END'
log=$1/$(basename "$2").log
valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
    --errors-for-leak-kinds=definite,indirect "$2" >"$log" 2>&1 && exit 0
mv "$log" "$log.failed"
END
xargs -P "$(nproc)" -n 1 sh "$work/one" "$work" <"$work/programs"

failed=0
for log in "$work"/*.failed; do
    [ -f "$log" ] || continue
    echo "valgrind: $(basename "$log" .log.failed): FAILED"
    tail -n 60 "$log"
    failed=$((failed + 1))
done
echo "$(($(wc -l <"$work/programs") - failed)) passed, $failed failed"
[ "$failed" = 0 ]
