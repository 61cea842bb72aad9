#!/bin/sh
# Rows of every kind have the fields that the kind says they have, in that
# order: an empty CSV has the header that a full one has.
. "$(dirname "$0")/../support/cli.sh"
cluster
sed 's/deviceshare.VGPUEnable: true/&\n      deviceshare.AscendMindClusterVNPUEnable: true/' scheduler.yaml >vnpu.yaml
"$DEVLEDGER" -q config apply -f vnpu.yaml

# One chip of 8 AI cores and 7 AI CPUs: three times two of each leave 2 and 1,
# so the fourth pod gets the template with one CPU. The plugin has created what
# the others asked for, so that nothing of another template is pending.
cat >chip.yaml <<END
kind: Node
metadata:
  name: npu
  labels: {accelerator: huawei-Ascend310P, servertype: Ascend310P-8, node.kubernetes.io/npu.chip.name: 310P3}
status:
  capacity: {huawei.com/npu-core: "8"}
---
kind: ConfigMap
metadata: {name: mindx-dl-deviceinfo-npu, namespace: kube-system}
data:
  DeviceInfoCfg: '{"DeviceInfo": {"DeviceList": {"huawei.com/Ascend310P": "Ascend310P-0"}, "UpdateTime": 1}}'
END
"$DEVLEDGER" -q apply -f chip.yaml
for i in 1 2 3 4; do
    cat >pod.yaml <<END
kind: Pod
metadata:
  name: p$i
  namespace: ml
  uid: u$i
  labels: {ring-controller.atlas: ascend-310P, vnpu-level: high}
  annotations: {huawei.com/AscendReal: Ascend310P-2c-100-0_0}
spec: {containers: [{name: c, resources: {limits: {huawei.com/npu-core: "2"}}}]}
END
    "$DEVLEDGER" -q schedule -f pod.yaml
done

# An observed pod that holds more than there is, and an annotation that does not read.
pod ml/greedy 9000 | sed 's/uid: uid-greedy/&\n  annotations: {volcano.sh\/vgpu-node: n1, volcano.sh\/vgpu-ids-new: "GPU-n1-0,NVIDIA,9000,0:"}/
s/^spec:/&\n  nodeName: n1/' >greedy.yaml
node n3 8000 | sed 's/NVIDIA-A100,true/&rubbish/' >odd.yaml
"$DEVLEDGER" -q apply -f greedy.yaml -f odd.yaml
"$DEVLEDGER" -q lock n1 --holder ml/a

for kind in nodes devices pods allocations locks downgrades events findings conflicts configs; do
    run 0 get $kind -o csv
    [ "$(wc -l <out)" -gt 1 ] || fail "there are no $kind"
    head -n 1 out >full
    run 0 get $kind -o csv --limit 0
    cmp -s out full || fail "$kind: fields are $(cat full), said to be $(cat out)"
done
run 0 get downgrades -o json
json_is out '[(i["pod"], i["templateAsked"], i["templateGiven"]) for i in it["items"]]' "[('ml/p4', 'vir02', 'vir02_1c')]"
run 0 get conflicts -o json
json_is out '[(i["kind"], i["device"]) for i in it["items"]]' "[('over_memory', 'GPU-n1-0')]"
run 0 describe node n1
has out over_memory
run 0 describe pod ml/p4
has out vir02_1c
