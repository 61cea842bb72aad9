#!/bin/sh
# config apply, check, show.
. "$(dirname "$0")/../support/cli.sh"

# check needs no ledger and makes none.
cat >devices.yaml <<END
nvidia:
  gpuMemoryFactor: 10
END
cat >bad.yaml <<END
tiers:
- plugins:
  - name: deviceshare
    arguments:
      deviceshare.SchedulePolicy: fastest
END
run 0 config check -f devices.yaml
is out <<END
devices.yaml: ok
END
run 3 config check -f bad.yaml
has err 'bad.yaml'
has err 'SchedulePolicy'
[ ! -e ledger.db ] || fail "check made a ledger"

configure
run 0 config apply -f scheduler.yaml -f devices.yaml
is out <<END
config/scheduler unchanged
config/devices updated
END
run 3 config apply -f bad.yaml
run 0 config show -o json
json_is out 'it["scheduler"]["deviceshare.SchedulePolicy"]' binpack
json_is out 'it["devices"]["nvidia"]["gpuMemoryFactor"]' 10
json_is out '[b["enabled"] for b in it["backends"] if b["name"] == "vgpu"]' '[True]'
json_is out '"ok" in it' False
run 0 config show
has out 'deviceshare.VGPUEnable: true'
run 0 get configs -o name
is out <<END
config/scheduler
config/devices
END

# A ConfigMap, from standard input.
{
    printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: volcano-system}\ndata:\n'
    printf '  volcano-scheduler.conf: |\n'
    sed 's/^/    /; s/binpack/spread/' scheduler.yaml
} >configmap.yaml
run 0 config apply -f - <configmap.yaml
is out <<END
config/scheduler updated
END

run 2 config apply
run 2 config apply -f scheduler.yaml -f scheduler.yaml
run 3 config apply -f nowhere.yaml
echo 'apiVersion: v1' >neither.yaml
run 3 config apply -f neither.yaml
run 2 config
has err 'apply, check, show'
run 2 config aply -f x
has err 'did you mean "apply"'
