#!/bin/sh
# Shows the main job on two small clusters: what is there comes in, who fits where and why not is
# asked, devices are given and taken back, and the books are checked.
#
#     examples/demo.sh build/devledger
set -eu

program=$(realpath "$1")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DEVLEDGER_DB=

# Prints a command, runs it, and stops when it does not end as it should.
shows() # WANTED-EXIT-CODE ARGUMENT…
{
    wanted=$1
    shift
    printf '\n$ devledger'
    for word in "$@"; do
        case $word in
        *' '*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    echo
    code=0
    "$program" "$@" || code=$?
    if [ "$code" != "$wanted" ]; then
        echo "demo: exit code $code, not $wanted" >&2
        exit 1
    fi
}

echo "== Cards shared by memory (gpushare)"
DEVLEDGER_DB=$work/gpushare.db
shows 0 config apply -f gpushare/scheduler.yaml
shows 0 apply -f gpushare/nodes.yaml -f gpushare/pods.yaml
shows 0 get devices
shows 1 filter --explain ml/train
shows 0 schedule ml/translate
shows 0 get allocations
shows 0 bind ml/translate
shows 0 release ml/translate
shows 0 log
shows 0 verify

echo
echo "== Cards shared as vGPUs"
DEVLEDGER_DB=$work/vgpu.db
shows 0 config apply -f vgpu/scheduler.yaml
shows 0 apply -f vgpu/nodes.yaml -f vgpu/pods.yaml
shows 1 filter --explain ml/finetune --node v100-1
shows 0 score ml/notebook
shows 0 schedule ml/notebook
shows 0 allocate ml/finetune --node a100-1 -o patch
shows 0 describe node a100-1
shows 0 sql 'SELECT node, "index", free_memory, free_cores FROM devices ORDER BY 1, 2'
shows 0 verify
