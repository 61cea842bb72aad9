#!/bin/sh
# lock and unlock: who holds, who may give back.
. "$(dirname "$0")/../support/cli.sh"
cluster
run 0 lock n1 --holder ml/a
has out 'node/n1 locked until 2'
run 0 lock n1 --holder ml/a -o json
json_is out 'list(it)' "['expiresAt']"
run 1 lock n1 --holder ml/b
has err 'ml/a'
run 1 unlock n1 --holder ml/b
run 0 unlock n1 --holder ml/a
is out <<END
node/n1 unlocked
END
run 4 unlock n1 --holder ml/a
run 4 lock n9
run 0 --actor carol lock n2
run 0 get locks n2 -o json
json_is out 'it["holder"]' carol
run 1 unlock n2 --holder dave
run 0 --actor carol unlock n2

# Which lock is meant must be said where there are several, or none.
sed 's/VGPUEnable: true/VGPUEnable: true\n      deviceshare.AscendHAMiVNPUEnable: true/' scheduler.yaml >two.yaml
"$DEVLEDGER" -q config apply -f two.yaml
run 2 lock n1
run 0 lock n1 --name hamivgpu
run 2 lock

# A pod that is to be allocated waits for nobody: it is told.
configure binpack true
pod ml/p 100 >p.yaml
"$DEVLEDGER" -q lock n2 --holder ml/other
run 1 allocate -f p.yaml --node n2
has err 'ml/other'
