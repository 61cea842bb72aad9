#!/bin/sh
# Files and functions stay small: no file over 800 lines, the median at most 350; no function over
# 100 lines or 6 parameters, nine in ten within 60 lines, the median within 20.
#
#     sizes.sh        (from the source root)
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

percentile() # FILE PERCENT: the number that so many are not above
{
    sort -n "$1" | awk -v percent="$2" '{ value[NR] = $1 } END { i = int((NR * percent + 99) / 100); print value[i ? i : 1] }'
}

within() # WHAT NUMBER LIMIT
{
    if [ "$2" -gt "$3" ]; then
        echo "$1: $2, over $3"
        bad=1
    fi
}

find src cli include tests -name '*.[ch]' -o -name '*.sh' | sort | xargs wc -l | grep -v ' total$' >"$work/files"
awk '$1 > 800 { print $2 ": " $1 " lines, over 800"; bad = 1 } END { exit bad }' "$work/files" || bad=1

# The tree's form: a function's name begins a line that ends with `)`, its body lies between braces
# that begin their line.
find src cli tests -name '*.c' | sort | xargs awk '
    FNR == 1 { head = "" }
    /^[a-z]/ && !opened { head = $0 }
    !opened && !/^[{]/ && head != "" { signature = (/^[a-z]/ ? "" : signature) $0 }
    /^[{]/ { start = FNR; opened = head != "" }
    /^}/ && opened {
        name = signature; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
        list = signature; sub(/^[^(]*\(/, "", list); gsub(/\([^()]*\)/, "", list)
        print FNR - start - 1, gsub(/,/, ",", list) + 1, FILENAME ":" name
        opened = 0; head = ""
    }' >"$work/functions"
awk '$1 > 100 { print $3 ": " $1 " lines, over 100"; bad = 1 }
     # Slots of the backends contract take what they read and what they fill; `dvl_store_sql` what a
     # stranger asks, with its limits. All others keep to six.
     $2 > 6 && $3 !~ /:(dvl_(vnpu_|hami_)?)?read_(assignment|object)$|:dvl_(limit_read|store_sql)$/ { print $3 ": " $2 " parameters, over 6"; bad = 1 }
     END { exit bad }' "$work/functions" || bad=1

[ "$(wc -l <"$work/functions")" -gt 500 ] || { echo "functions do not read"; bad=1; }
grep -E ' (src|cli)/' "$work/files" >"$work/program"
grep -E ' (src|cli)/' "$work/functions" >"$work/own"
within "median of files" "$(percentile "$work/program" 50)" 350
within "median of functions" "$(percentile "$work/own" 50)" 20
within "nine in ten functions" "$(percentile "$work/own" 90)" 60
echo "$(wc -l <"$work/program") files, $(wc -l <"$work/own") functions, median $(percentile "$work/own" 50) lines"
exit $bad
