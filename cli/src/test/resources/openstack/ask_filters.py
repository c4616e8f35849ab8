"""Asks the scheduler code of a running Nova which hosts may take a server, without asking for one:  ask_filters.py DIR
Each line of input is a question {"flavor": ID, "zone": NAME, "group": UUID, "project": ID, "image": {...}}, each line of output a sorted list of hosts: Placement's candidates
that pass Nova's filters, one host at a time, by the very calls of SchedulerManager.select_destinations up to the claim. DIR is that of a Nova whose nova.conf is there."""
import nova.monkey_patch  # noqa: before all else
import collections
import json
import sys

import nova.conf
from nova import config, context, objects
from nova.scheduler import manager, request_filter, utils

config.parse_args(['nova', '--config-file', sys.argv[1] + '/nova.conf', '--log-file', sys.argv[1] + '/ask-filters.log'], init_rpc=False)
nova.conf.CONF.set_override('track_instance_changes', False, group='filter_scheduler')
objects.register_all()
from nova import rpc  # noqa
rpc.init(nova.conf.CONF)
scheduler = manager.SchedulerManager()


def hosts(question):
    admin = context.RequestContext('admin', question['project'], is_admin=True, auth_token='admin')
    hinted = objects.InstanceGroup.get_by_uuid(admin, question['group']) if question['group'] else None
    if hinted:
        hinted.hosts = utils._get_instance_group_hosts_all_cells(admin, hinted)
    spec = objects.RequestSpec.from_components(
        admin, '00000000-0000-4000-8000-000000000000', question['image'], objects.Flavor.get_by_flavor_id(admin, question['flavor']), None, objects.InstancePCIRequests(requests=[]), {},
        hinted, question['zone'] or None)
    spec.is_bfv = False
    request_filter.process_reqspec(admin, spec)
    manager_ = scheduler.host_manager                # a scheduler that runs hears of changes; what has left must be forgotten
    manager_.aggs_by_id, manager_.host_aggregates_map = {}, collections.defaultdict(set)
    manager_._init_aggregates()
    found = scheduler.placement_client.get_allocation_candidates(admin, utils.resources_from_request_spec(admin, spec, scheduler.host_manager, enable_pinning_translate=True))
    if not found or not found[0]:
        return []
    states = scheduler._get_all_host_states(admin.elevated(), spec, found[1])
    return sorted(one.host for state in list(states) for one in scheduler.host_manager.get_filtered_hosts([state], spec, 0))


for line in sys.stdin:
    try:
        print(json.dumps(hosts(json.loads(line))), flush=True)
    except Exception as e:
        if type(e).__name__ not in ('RequestFilterFailed', 'NoValidHost'):
            raise
        print('[]', flush=True)
