#!/bin/sh
# Finds faults without running anything: form, clang-tidy, cppcheck, gcc's analyser, shell scripts,
# man pages. Needs what `tools/deps.sh lint` installs. Ends with `N passed, M failed`.
#
#     tools/lint.sh [form|tidy|cppcheck|analyzer|shell|man …]      (default: all)
set -u

cd "$(dirname "$0")/.." || exit 2
build=./build-lint
jobs=$(nproc)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

sources() # PATTERN…: C files of the tree, also those not yet committed
{
    find "$@" -name '*.[ch]' | sort
}

compiled() # the compiler's view of the tree
{
    [ -f $build/compile_commands.json ] ||
        cmake -S . -B $build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang -DDVL_TESTS=OFF >/dev/null || return 1
    cmake --build $build --target $build/generated/query_names.h >/dev/null 2>&1 ||
        cmake --build $build --target devledger_objects --parallel "$jobs" >/dev/null
}

check_form()
{
    sources src cli include tests | xargs clang-format --dry-run -Werror
}

check_tidy()
{
    compiled && sources src cli | grep '\.c$' | xargs -P "$jobs" -n 4 clang-tidy --quiet -p $build 2>/dev/null
}

check_cppcheck()
{
    compiled && cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
        --suppressions-list=.cppcheck --error-exitcode=1 -j "$jobs" --library=posix -D_GNU_SOURCE \
        -Isrc -Iinclude -I$build/generated src cli
}

check_analyzer()
{
    compiled && sources src cli | grep '\.c$' | xargs -P "$jobs" -I '{}' gcc -fanalyzer -O1 -std=c17 -D_GNU_SOURCE \
        '-DDVL_VERSION="0"' -Wall -Wextra -Werror -Isrc -Iinclude "-I$build/generated" -isystem /usr/include/cjson \
        -c '{}' -o /dev/null
}

check_shell()
{
    # shellcheck disable=SC2046 # names without spaces
    shellcheck -x -P SCRIPTDIR -S warning run .ci/run $(find tools tests examples -name '*.sh')
}

check_man()
{
    mandoc -T lint -W warning docs/man/*.[0-9]
}

[ $# -gt 0 ] || set -- form tidy cppcheck analyzer shell man
for check; do
    if "check_$check" >"$work/out" 2>&1; then
        echo "lint: $check: ok"
        passed=$((passed + 1))
    else
        echo "lint: $check: FAILED"
        cat "$work/out"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
