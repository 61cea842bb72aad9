#!/bin/sh
# devledger.h compiles alone, twice in one file, as C and as C++.
#
#     header.sh        (from the source root)
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#include <devledger.h>\n#include <devledger.h>\nint main() { return dvl_version() == 0; }\n' >"$work/main.cpp"
printf '#include <devledger.h>\n#include <devledger.h>\nint main(void) { return dvl_version() == 0; }\n' >"$work/main.c"

strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iinclude -fsyntax-only"
# shellcheck disable=SC2086 # a list of words
{
    for standard in c99 c11 c17; do
        ${CC:-gcc} -std=$standard $strict -Wstrict-prototypes "$work/main.c"
    done
    for standard in c++11 c++17 c++20; do
        ${CXX:-g++} -std=$standard $strict "$work/main.cpp"
    done
}
