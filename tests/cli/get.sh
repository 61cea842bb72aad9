#!/bin/sh
# get: every kind, every form, every way to narrow.
. "$(dirname "$0")/../support/cli.sh"
cluster
{ pod ml/a 3000 && pod ml/b 2000 && pod web/c 1000; } >pods.yaml
"$DEVLEDGER" -q schedule -f pods.yaml --node n1
"$DEVLEDGER" -q bind ml/a

for kind in nodes devices pods allocations locks downgrades events findings conflicts configs; do
    for form in table wide json yaml csv; do
        run 0 get $kind -o $form
        [ -s out ] || fail "get $kind -o $form prints nothing"
    done
    run 0 get ${kind%s} -o json
    json_is out 'it["kind"]' List
done

# Tables: upper case, numbers to the right, <none> for nothing, no blanks at the end.
run 0 get devices
is out <<END
NODE  INDEX  BACKEND  UUID         MEMORY  CORES  SLOTS  STATUS
n1        0  vgpu     GPU-n1-0  6000/8000  0/100   3/10  ok
n1        1  vgpu     GPU-n1-1     0/8000  0/100   0/10  ok
n2        0  vgpu     GPU-n2-0    0/16000  0/100   0/10  ok
END
run 0 get devices --no-headers --node n2
is out <<END
n2        0  vgpu     GPU-n2-0  0/16000  0/100   0/10  ok
END
run 0 get pods
has out 'NAMESPACE  NAME  PHASE    STATE     NODE  DEVICES  QUEUE    AGE'
has out 'ml         a     Pending  bound     n1          1  default'
has out 'web        c     Pending  reserved  n1          1  default'
run 0 get locks
is out <<END
NODE  NAME  HOLDER  AGE  LEFT
END

# One by its name: the object itself.
run 0 get devices GPU-n2 -o json
json_is out 'it["memory"], it["usedMemory"], it["freeMemory"], it["healthy"], it["numa"]' '(16000, 0, 16000, True, None)'
run 0 get device n1/1 -o name
is out <<END
device/GPU-n1-1
END
run 0 get node n1 -o yaml
has out 'name: n1'
has out 'usedMemory: 6000'
run 0 get pod ml/a -o json
json_is out 'it["uid"], it["state"], it["labels"]["tier"]' "('uid-a', 'bound', 'gold')"
run 0 get pods a -n ml -o name
is out <<END
pod/ml/a
END
run 0 get pods ml/a/uid-a -o name
run 0 get pod/ml/a -o name
is out <<END
pod/ml/a
END
run 0 describe device/n1/1
run 4 get pods ml/a/other
run 5 get devices GPU-n1
has err 'GPU-n1-0'
has err 'GPU-n1-1'
run 4 get devices nothing
run 4 get nodes n9
run 4 get events 999

# Narrowing.
run 0 get pods -l 'app in (a,c),tier=gold' -o name
is out <<END
pod/ml/a
pod/web/c
END
run 0 get pods -l '!app' -o json
json_is out 'it' "{'kind': 'List', 'items': []}"
run 0 get devices -l pool=n2-pool -o name
is out <<END
device/GPU-n2-0
END
run 0 get pods -n web -o name
is out <<END
pod/web/c
END
run 0 get pods -A --sort-by -name --limit 2 -o name
is out <<END
pod/web/c
pod/ml/b
END
run 0 get devices --sort-by free_memory -o name
is out <<END
device/GPU-n1-0
device/GPU-n1-1
device/GPU-n2-0
END
run 0 get devices --backend hamivgpu --node n2 -o name
run 0 get allocations --pod ml/b -o csv
has out 'pod,podUid,container,node,backend,device,index,memory'
has out 'ml/b,uid-b,main,n1,vgpu,GPU-n1-0,0,2000'
run 0 get findings -o csv
[ "$(tr -d '\r' <out)" = 'kind,objectKind,object,key,position,text,openedAt,closedAt' ] || fail "$(cat out)"
run 4 get devices --node n9
run 4 get devices --backend abacus
has err 'gpushare, vgpu, vnpu'

# A lock, and what is over.
"$DEVLEDGER" -q lock n1 --holder ml/a
run 0 get locks n1/hamivgpu -o json
json_is out 'it["holder"], it["expired"], it["releasedAt"]' "('ml/a', False, None)"
"$DEVLEDGER" -q unlock n1 --holder ml/a
run 4 get locks n1/hamivgpu
run 0 get locks --all -o csv --no-headers
has out 'n1,hamivgpu,ml/a'

# Wrong usage.
run 2 get
run 2 get devicse
has err 'did you mean devices?'
run 2 get nodes -o jsn
run 2 get nodes --sort-by nam
has err 'did you mean name?'
run 2 get nodes -l 'a=(b'
run 2 get nodes -n ml
run 2 get pods -A -n ml
run 2 get findings x
run 2 get findings -o name
run 2 get nodes --limit many
