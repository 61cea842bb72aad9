#!/bin/sh
# What is installed is complete: a C program finds the library by pkg-config and by CMake, links
# the shared and the static one, and runs; the program answers, also as kubectl's.
#
#     install.sh BUILD        (from the source root)
set -eu

build=$(realpath "$1")
example=$(realpath tests/guard/consumer)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root/usr

fail()
{
    echo "install: $*" >&2
    exit 1
}

cmake --install "$build" --prefix "$root" >"$work/log" || fail "$(cat "$work/log")"
library=$(dirname "$(find "$root" -name libdevledger.so)")
for file in include/devledger.h bin/devledger bin/kubectl-devledger share/man/man1/devledger.1 \
    share/man/man5/devledger-batch.5 share/doc/devledger/README.md share/doc/devledger/schema.md \
    share/doc/devledger/semantics/vgpu.md share/doc/devledger/examples/demo.sh; do
    [ -s "$root/$file" ] || fail "$file is not there"
done
[ "$(find "$root/include" -type f | wc -l)" = 1 ] || fail "more than one header"
for file in libdevledger.so.1 libdevledger.a pkgconfig/devledger.pc cmake/devledger/devledger-config.cmake; do
    [ -s "$library/$file" ] || fail "$file is not there"
done

version=$("$root/bin/devledger" --version)
[ "$("$root/bin/kubectl-devledger" --version | grep -oE '[0-9.]+$')" = "${version##* }" ] || fail "kubectl-devledger differs"

# Installed below a folder that is not the configured prefix: pkg-config is told.
export PKG_CONFIG_PATH="$library/pkgconfig" LD_LIBRARY_PATH="$library"
find_with="pkg-config --define-variable=prefix=$root --define-variable=libdir=$library"
find_with="$find_with --define-variable=includedir=$root/include"
# shellcheck disable=SC2046 # flags
{
    ${CC:-cc} -o "$work/shared" "$example/main.c" $($find_with --cflags --libs devledger)
    # Ours static, the system's shared: what those need themselves is not installed with their headers.
    ${CC:-cc} -o "$work/static" "$example/main.c" $($find_with --cflags devledger) "$library/libdevledger.a" \
        $(pkg-config --libs $($find_with --print-requires-private devledger | cut -d ' ' -f 1)) -pthread -lm
}
ldd "$work/shared" | grep -q "libdevledger.so.1 => $library" || fail "the program has not the shared library"
! ldd "$work/static" | grep -q devledger || fail "the program has not the static library"
"$work/shared" >"$work/said"
"$work/static" >>"$work/said"

cmake -S "$example" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$root" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
cmake --build "$work/cmake" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
"$work/cmake/with_shared" >>"$work/said"
"$work/cmake/with_static" >>"$work/said"

[ "$(sort -u "$work/said")" = "fits on 1 node" ] && [ "$(wc -l <"$work/said")" = 4 ] || fail "$(cat "$work/said")"
