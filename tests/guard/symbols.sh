#!/bin/sh
# The shared library shows the functions of devledger.h: all of them, and nothing else. So does the
# list of the linker. In the static library every name begins with dvl_.
#
#     symbols.sh SHARED STATIC        (from the source root)
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

grep -v '^ *#' include/devledger.h | tr '\n' ' ' | sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g' |
    grep -o 'DVL_EXPORT [^;]*;' | sed 's/.*[ *]\(dvl_[a-z_]*\)(.*/\1/' | sort >"$work/header"
sed -n 's/^ *\(dvl_[a-z_]*\);$/\1/p' cmake/devledger.map | sort >"$work/map"
nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/shared"

[ "$(wc -l <"$work/header")" -gt 10 ] || { echo "the header's functions do not read"; exit 1; }
for other in map shared; do
    if ! cmp -s "$work/header" "$work/$other"; then
        echo "devledger.h (<) and the $other's names (>) differ:"
        diff "$work/header" "$work/$other" || true
        exit 1
    fi
done

nm -g --defined-only "$2" | awk 'NF == 3 { print $3 }' | grep -v '^dvl_' >"$work/foreign" || true
if [ -s "$work/foreign" ]; then
    echo "names of the static library that do not begin with dvl_:"
    cat "$work/foreign"
    exit 1
fi
echo "$(wc -l <"$work/header") functions"
