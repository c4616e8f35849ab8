"""Asks Stowage on which host a server goes: a filter and a weigher for Nova's scheduler (docs/openstack.md).

Put this file where nova-scheduler finds Python modules, and into nova.conf:

    [filter_scheduler]
    available_filters = nova.scheduler.filters.all_filters
    available_filters = stowage_nova.StowageFilter
    enabled_filters = ComputeFilter, ..., StowageFilter
    weight_classes = nova.scheduler.weights.all_weighers, stowage_nova.StowageWeigher

    [stowage]
    url = http://127.0.0.1:8790

The filter must be the last one: what it is given has passed all others, and Stowage chooses among that. It needs nothing but Nova and the standard library.
"""
import json
import socket
import time
from urllib.parse import urlsplit

from oslo_config import cfg
from oslo_log import log as logging

import nova.conf
from nova.scheduler import filters
from nova.scheduler import utils
from nova.scheduler import weights

CONF = nova.conf.CONF
LOG = logging.getLogger(__name__)
CONF.register_opts([
    cfg.URIOpt('url', default='http://127.0.0.1:8790', schemes=['http'], help='Where "stowage openstack serve" listens.'),
    cfg.FloatOpt('timeout', default=2.0, min=0.01, help='Seconds from the question to the whole answer.'),
    cfg.StrOpt('without_answer', default='open', choices=['open', 'closed'],
               help='What becomes of a server if there is no good answer in time: Nova decides by its other weighers (open), or it has no valid host (closed).'),
    cfg.StrOpt('token_file', help='A file whose first line is what --token-file of Stowage says; read at each question.'),
], group='stowage')

RANKS = '_stowage_ranks'                       # at the RequestSpec, which filter and weigher of one decision share
LONGEST = 16 << 20


class _NoAnswer(Exception):
    pass


def _ask(question):
    """The hosts of the answer, within the time limit for everything: urllib knows one for each read only."""
    end = time.monotonic() + CONF.stowage.timeout

    def left():
        seconds = end - time.monotonic()
        if seconds <= 0:
            raise _NoAnswer('no answer within %s s' % CONF.stowage.timeout)
        return seconds

    where = urlsplit(CONF.stowage.url)
    body = json.dumps(question).encode()
    head = ['POST /hosts HTTP/1.0', 'Host: %s' % where.hostname, 'Content-Type: application/json', 'Content-Length: %d' % len(body)]
    if CONF.stowage.token_file:
        with open(CONF.stowage.token_file) as file:
            head.append('Authorization: Bearer %s' % file.readline().strip())
    with socket.create_connection((where.hostname, where.port or 80), timeout=left()) as connection:
        connection.settimeout(left())
        connection.sendall(('\r\n'.join(head) + '\r\n\r\n').encode() + body)
        reply = b''
        while True:
            connection.settimeout(left())
            part = connection.recv(1 << 16)
            if not part:
                break
            reply += part
            if len(reply) > LONGEST:
                raise _NoAnswer('an answer of more than %d bytes' % LONGEST)
    head, _, text = reply.partition(b'\r\n\r\n')
    status = head.split(b'\r\n')[0].split(b' ')
    if len(status) < 2 or status[1] != b'200':
        raise _NoAnswer('status %s: %s' % (status[1:2], text[:200].decode(errors='replace').strip()))
    answer = json.loads(text)
    hosts = answer.get('hosts') if isinstance(answer, dict) else None
    if not isinstance(hosts, list) or not all(isinstance(host, str) for host in hosts):
        raise _NoAnswer('no list of hosts')
    if len(set(hosts)) < len(hosts) or not set(hosts) <= set(question['hosts']):
        raise _NoAnswer('a host that was not asked about, or one twice')
    return hosts, answer.get('reason')


def _group(spec, states):
    group = spec.instance_group if 'instance_group' in spec else None
    if group is None:
        return None
    members = set(group.members or ())
    return {'id': group.uuid, 'policy': group.policy, 'most': int((group.rules or {}).get('max_server_per_host', 1)),
            'members': {server: state.nodename for state in states for server in state.instances if server in members}}


def _question(spec, states):
    target = spec.requested_destination if 'requested_destination' in spec else None
    return {'server': spec.instance_uuid,
            'resources': utils.ResourceRequest.from_request_spec(spec).merged_resources(),
            'hosts': [state.nodename for state in states],
            'forced': bool(target is not None and 'host' in target and target.host),
            'group': _group(spec, states)}


class StowageFilter(filters.BaseHostFilter):
    """Leaves the hosts that Stowage answers with."""

    def filter_all(self, filter_obj_list, spec_obj):
        states = list(filter_obj_list)
        setattr(spec_obj, RANKS, {})
        if not states or utils.request_is_rebuild(spec_obj):
            return states
        try:
            hosts, reason = _ask(_question(spec_obj, states))
        except Exception as e:                 # whatever it is: a server must not fail because this does
            closed = CONF.stowage.without_answer == 'closed'
            LOG.error('Stowage gives no answer for server %s, %s: %s', spec_obj.instance_uuid,
                      'which has no valid host therefore' if closed else 'Nova decides by itself', e)
            return [] if closed else states
        if not hosts:
            LOG.warning('Stowage has no host for server %s: %s', spec_obj.instance_uuid, reason)
        ranks = {host: rank for rank, host in enumerate(hosts)}
        setattr(spec_obj, RANKS, ranks)
        return [state for state in states if state.nodename in ranks]


class StowageWeigher(weights.BaseHostWeigher):
    """The order of the answer, above all other weighers; without an answer nothing."""

    def weight_multiplier(self, host_state):
        return 1e12

    def _weigh_object(self, host_state, weight_properties):
        return -float(getattr(weight_properties, RANKS, {}).get(host_state.nodename, 0))
