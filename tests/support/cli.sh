# shellcheck shell=sh
# Sourced by tests/cli/*.sh: a folder and a ledger of its own, a small cluster,
# and words to say what is wanted. $DEVLEDGER is the program under test.
set -eu
: "${DEVLEDGER:?names the program under test}"
case $DEVLEDGER in
/*) ;;
*) DEVLEDGER=$PWD/$DEVLEDGER ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
HOME=$work DEVLEDGER_DB=$work/ledger.db LC_ALL=C.UTF-8 TZ=UTC
export HOME DEVLEDGER_DB LC_ALL TZ
unset XDG_STATE_HOME NO_COLOR || true

fail()
{
    printf '%s: %s\n' "$0" "$*" >&2
    exit 1
}

# run CODE ARGUMENT...: the program, its output in ./out, its messages in ./err.
run()
{
    want=$1
    shift
    code=0
    "$DEVLEDGER" "$@" >out 2>err || code=$?
    [ "$code" -eq "$want" ] || fail "devledger $*: exit $code, wanted $want: $(cat out err)"
    [ "$want" -ne 0 ] || [ ! -s err ] || fail "devledger $*: says $(cat err)"
    case $want in
    0 | 1) ;;
    *) [ "$(wc -l <err)" -eq 1 ] || fail "devledger $*: not one line of message: $(cat err)" ;;
    esac
}

# Lines of standard input are all that is in the file.
is()
{
    cat >wanted
    cmp -s wanted "$1" || fail "$1 is not as wanted: $(diff wanted "$1" || true)"
}

has()
{
    grep -qF -- "$2" "$1" || fail "$1 has no \"$2\": $(cat "$1")"
}

lacks()
{
    ! grep -qF -- "$2" "$1" || fail "$1 has \"$2\": $(cat "$1")"
}

# The value that a Python expression on the JSON `it` of a file has.
json()
{
    python3 -c 'import json, sys; it = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

json_is()
{
    got=$(json "$1" "$2")
    [ "$got" = "$3" ] || fail "$1: $2 is $got, wanted $3"
}

# node NAME MEMORY...: a node with one vGPU card for each memory, as a manifest.
node()
{
    name=$1
    shift
    cards='' count=0 sum=0
    for memory; do
        cards="${cards}GPU-$name-$count,10,$memory,NVIDIA-A100,true,hami-core:"
        count=$((count + 1)) sum=$((sum + memory))
    done
    cat <<END
---
apiVersion: v1
kind: Node
metadata:
  name: $name
  labels: {pool: "$name-pool", gpu: "yes"}
  annotations: {volcano.sh/node-vgpu-register: "$cards"}
status:
  allocatable: {volcano.sh/vgpu-number: "$((count * 10))", volcano.sh/vgpu-memory: "$sum", volcano.sh/vgpu-cores: "$((count * 100))"}
END
}

# pod NAMESPACE/NAME MEMORY: a pod that asks for one card, as a manifest.
pod()
{
    cat <<END
---
apiVersion: v1
kind: Pod
metadata:
  name: ${1#*/}
  namespace: ${1%/*}
  uid: uid-${1#*/}
  labels: {app: ${1#*/}, tier: gold}
spec:
  containers:
  - name: main
    resources:
      limits: {volcano.sh/vgpu-number: "1", volcano.sh/vgpu-memory: "$2"}
END
}

configure()
{
    cat >scheduler.yaml <<END
actions: "enqueue, allocate"
tiers:
- plugins:
  - name: deviceshare
    arguments:
      deviceshare.VGPUEnable: true
      deviceshare.SchedulePolicy: ${1:-binpack}
      deviceshare.ScheduleWeight: 10
      deviceshare.NodeLockEnable: ${2:-false}
END
    "$DEVLEDGER" -q config apply -f scheduler.yaml
}

# Two nodes: n1 with two cards of 8000 MiB, n2 with one of 16000.
cluster()
{
    configure "$@"
    { node n1 8000 8000 && node n2 16000; } | "$DEVLEDGER" -q apply -f -
}
