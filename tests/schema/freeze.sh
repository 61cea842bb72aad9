#!/bin/sh
# Freezes what a ledger of this version looks like, as tests/schema/version-N.sql:
# run it once when version N of the schema is released, and never again for that
# N. Until then a change of the tables needs a new one.
#
#     freeze.sh DEVLEDGER         (from the source root)
set -eu

devledger=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ledger=$work/ledger.db

"$devledger" --db "$ledger" --actor freeze batch >"$work/answers" <<'END'
{"op":"config","scheduler":{"deviceshare.VGPUEnable":true,"deviceshare.NodeLockEnable":true,"deviceshare.SchedulePolicy":"binpack","deviceshare.ScheduleWeight":10},"now":"2026-11-30T08:00:00Z"}
{"op":"apply","now":"2026-11-30T08:00:01Z","objects":[{"kind":"Node","metadata":{"name":"n1","labels":{"pool":"a"},"annotations":{"volcano.sh/node-vgpu-register":"GPU-0,4,8000,NVIDIA-A,true,hami-core:GPU-1,4,8000,NVIDIA-A,false,hami-core:GPU-x,4,","hamivgpu":"2026-11-30T07:59:00Z"}},"status":{"capacity":{"volcano.sh/vgpu-number":"8","volcano.sh/vgpu-memory":"16000","volcano.sh/vgpu-cores":"200"}}},{"kind":"Pod","metadata":{"name":"seen","namespace":"ml","uid":"u-seen","annotations":{"volcano.sh/vgpu-node":"n1","volcano.sh/vgpu-ids-new":"GPU-0,NVIDIA,5000,50:;GPU-9,NVIDIA,100,0:","volcano.sh/bind-phase":"success"}},"spec":{"nodeName":"n1","containers":[{"name":"a","resources":{"limits":{"volcano.sh/vgpu-number":"1","volcano.sh/vgpu-memory":"5000","volcano.sh/vgpu-cores":"50"}}},{"name":"b","resources":{"limits":{"volcano.sh/vgpu-number":"1","volcano.sh/vgpu-memory":"100"}}}]},"status":{"phase":"Running"}}]}
{"op":"apply","now":"2026-11-30T08:00:02Z","object":{"kind":"Pod","metadata":{"name":"given","namespace":"ml","uid":"u-given"},"spec":{"containers":[{"name":"c","resources":{"limits":{"volcano.sh/vgpu-number":"1","volcano.sh/vgpu-memory":"1000"}}}]}}}
{"op":"apply","now":"2026-11-30T08:00:02Z","object":{"kind":"Pod","metadata":{"name":"large","namespace":"ml","uid":"u-large"},"spec":{"containers":[{"name":"c","resources":{"limits":{"volcano.sh/vgpu-number":"1","volcano.sh/vgpu-memory":"9000"}}}]}}}
{"op":"schedule","pod":"ml/given","now":"2026-11-30T08:10:00Z"}
{"op":"bind","pod":"ml/given","now":"2026-11-30T08:10:01Z"}
{"op":"schedule","pod":"ml/large","now":"2026-11-30T08:10:02Z"}
{"op":"delete","kind":"pod","name":"ml/seen","now":"2026-11-30T08:20:00Z"}
{"op":"lock","node":"n1","holder":"somebody","now":"2026-11-30T08:20:01Z"}
END
# The last pod finds no node; everything else is done.
[ "$(grep -c '"ok":true' "$work/answers")" = 8 ] || {
    cat "$work/answers" >&2
    exit 1
}

version=$(sqlite3 -readonly "$ledger" 'PRAGMA user_version')
frozen=tests/schema/version-$version.sql
{
    sqlite3 -readonly "$ledger" .dump
    echo "PRAGMA application_id = $(sqlite3 -readonly "$ledger" 'PRAGMA application_id');"
    echo "PRAGMA user_version = $version;"
} >"$frozen"
echo "$frozen"
