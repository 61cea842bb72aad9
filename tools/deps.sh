#!/bin/sh
# Installs the Debian packages that a goal needs and that are missing; nothing else.
#
#     tools/deps.sh build|test|lint
#
# `build` is what compiles the library and the program, `test` adds what the tests use, `lint` adds
# what .ci/run checks with. Where nothing is missing, nothing is asked of the network or of root.
set -eu

build="gcc libc6-dev make cmake pkg-config libsqlite3-dev libyaml-dev libcjson-dev libssl-dev libsmartcols-dev"
test="$build g++ libcmocka-dev sqlite3 mandoc python3"
lint="$test clang libclang-rt-14-dev clang-format clang-tidy cppcheck valgrind shellcheck git"

case ${1:-} in
build) wanted=$build ;;
test) wanted=$test ;;
lint) wanted=$lint ;;
*)
    echo "usage: tools/deps.sh build|test|lint" >&2
    exit 2
    ;;
esac

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "tools/deps.sh: these packages are missing, and only root can install them:$missing" >&2
        exit 1
    fi
    as_root="sudo"
fi

echo "Installing:$missing"
# shellcheck disable=SC2086 # a list of words
{
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing
}
