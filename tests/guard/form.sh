#!/bin/sh
# C has the form that .clang-format gives it.
#
#     form.sh        (from the source root)
set -eu
find src cli include tests -name '*.[ch]' | sort | xargs clang-format --dry-run -Werror
