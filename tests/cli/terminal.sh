#!/bin/sh
# On a terminal: colours, local times, columns that fit, a prompt.
support=$(cd "$(dirname "$0")/../support" && pwd)
. "$support/cli.sh"
command -v python3 >/dev/null || exit 77
cluster
TERM=xterm-256color
export TERM

# terminal COLUMNS INPUT ARGUMENT...
terminal()
{
    columns=$1 typed=$2
    shift 2
    code=0
    python3 "$support/terminal.py" "$columns" "$typed" "$DEVLEDGER" "$@" >out || code=$?
    if [ "$code" = 77 ]; then
        echo "skipped: no terminal can be had here (is /dev/pts mounted?)"
        exit 77
    fi
    [ "$code" = 0 ] || fail "devledger $*: exit $code: $(cat out)"
}

escape=$(printf '\033')
node n3 8000 | sed 's/true,hami/false,hami/' | "$DEVLEDGER" -q apply -f -
terminal 200 '' get devices --node n3
has out "${escape}[31munhealthy"
NO_COLOR=1 terminal 200 '' get devices --node n3
has out unhealthy
lacks out "$escape"
NO_COLOR=1 terminal 200 '' get devices --node n3 --color always
has out "$escape"
terminal 200 '' get devices --node n3 --color never
lacks out "$escape"
TERM=dumb terminal 200 '' get devices --node n3
lacks out "$escape"

# Times are those of the wall, unless they are asked for in UTC.
day=$(TZ=Asia/Shanghai date +%Y-%m-%d)
TZ=Asia/Shanghai terminal 200 '' log --limit 1 --no-headers
has out " $day "
lacks out Z
terminal 200 '' log --limit 1 --no-headers --utc
grep -q 'T[0-9:.]*Z' out || fail "no UTC: $(cat out)"

# Free text is cut where the window ends, and only there.
pod ml/a 90000 >a.yaml
python3 "$support/terminal.py" 60 '' "$DEVLEDGER" filter -f a.yaml --color never >out && fail "it fits"
awk 'length > 60 { exit 1 }' out || fail "wider than the window: $(cat out)"
has out 'container main'
lacks out 'short of memory'
# Where the other columns fill the window, it is whole: a few letters of it would say nothing.
python3 "$support/terminal.py" 50 '' "$DEVLEDGER" filter -f a.yaml --color never >out && fail "it fits"
has out 'container main: 0 of 1 found: 1 of 1 short of memory'

# A progress bar, names from outside, and answers of a reading verb stay text.
printf 'kind: Node\nmetadata: {name: x, labels: {a: "\\e[2J\\u202e"}}\n' | "$DEVLEDGER" -q apply -f -
for form in wide json yaml csv; do
    terminal 200 '' get nodes x -o $form --color never
    lacks out "$escape"
    lacks out "$(printf '\342\200\256')"
done

# The prompt: a query over two lines, a word of its own, the end.
terminal 100 'SELECT name\nFROM nodes WHERE name = '\''n1'\'';\n.quit\n' sql
has out 'devledger> '
has out 'n1'
terminal 100 '.tables\n\004' sql
has out 'allocations'
