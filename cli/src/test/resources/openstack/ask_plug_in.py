"""The plug-in without a scheduler: ask_plug_in.py FOLDER reads cases as lines of JSON, {"conf": {...}, "hosts": [...]}, and writes for each what is left and the order."""
import json
import sys
import types

sys.path.insert(0, sys.argv[1])
import nova.conf  # noqa: E402
from nova import objects  # noqa: E402

objects.register_all()
nova.conf.CONF([], project='nova', default_config_files=[])
import stowage_nova  # noqa: E402

for line in sys.stdin:
    case = json.loads(line)
    for key, value in case['conf'].items():
        nova.conf.CONF.set_override(key, value, 'stowage')
    group = objects.InstanceGroup(uuid='22222222-2222-4222-8222-222222222222', policy='anti-affinity', rules={'max_server_per_host': '2'}, members=['m-1', 'm-2'])
    target = objects.Destination(host='h-1', node=None) if case.get('forced') else None
    spec = objects.RequestSpec(
        instance_uuid='11111111-1111-4111-8111-111111111111', num_instances=1, is_bfv=True, instance_group=group, requested_destination=target,
        flavor=objects.Flavor(vcpus=2, memory_mb=2048, root_gb=10, ephemeral_gb=3, swap=1025, extra_specs={'resources:CUSTOM_GOLD': '1', 'quota:cpu_shares': '9'}),
        image=objects.ImageMeta(properties=objects.ImageMetaProps()), scheduler_hints={'_nova_check_type': ['rebuild']} if case.get('rebuild') else {})
    states = [types.SimpleNamespace(host=name, nodename=name, instances={'m-1': None, 'x': None} if name == 'h-1' else {}) for name in case['hosts']]
    left = list(stowage_nova.StowageFilter().filter_all(iter(states), spec))
    weigher = stowage_nova.StowageWeigher()
    weighed = {state.nodename: weigher._weigh_object(state, spec) for state in left}
    print(json.dumps({'left': [state.nodename for state in left], 'order': sorted(weighed, key=lambda name: -weighed[name]), 'weights': sorted(set(weighed.values()))}), flush=True)
