#!/bin/sh
# The tree names no folder of a machine that it was written on, and holds no conflict left over.
#
#     paths.sh        (from the source root)
set -eu

if grep -rnIE '(^|[^a-z0-9_.])/([h]ome|[r]oot|[w]ork|[U]sers)/|^(<{7}|>{7}) ' \
    --exclude-dir='build*' --exclude=.git --exclude-dir=.git --exclude-dir=corpus .; then
    exit 1
fi
