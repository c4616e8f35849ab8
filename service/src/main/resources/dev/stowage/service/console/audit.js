// What a line of the audit trail says was done, in words; the line itself is in the syntax of the log.

import { amount, duration, element, named, number, shown } from './dom.js';

const SHORTEST_GAP_SECONDS = 0.001;

const OF_SERVERS = { drain: ['drain ', ''], return: ['return ', ''], remove: ['remove ', ''], lose: ['count ', ' as lost'] };

// In words, with the line itself as the title.
export function auditCell(line, status) {
    return element('span', { title: shown(line) }, named(auditWords(line, status)));
}

// Numbers in the order of the resources; of those without a name the numbers alone.
function inOrder(numbers, resources) {
    return numbers.map((value, r) => resources[r] ? amount(value, resources[r]) : value).join(', ');
}

function numbersOf(text) {
    return (text ?? '').split(',').filter(each => each !== '').map(Number);
}

function gap(seconds) {
    return seconds < SHORTEST_GAP_SECONDS ? 'its requests without a pause' : 'a request every ' + duration(seconds);
}

function quota(said, resources) {
    const requests = said.get('requests');
    const limits = [
        ...(requests === undefined ? [] : [number(requests) + (requests === '1' ? ' request' : ' requests')]),
        ...resources.filter(name => said.has('amount.' + name)).map(name => amount(said.get('amount.' + name), name))];
    return limits.length ? ' to ' + limits.join(', ') : ' to no limit';
}

export function auditWords(line, { resources = [], sites = [] }) {
    const [what, ...rest] = line.split(' ');
    const said = new Map(rest.map(word => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
    const name = said.get('name') ?? '';
    const server = 'server ' + (name || said.get('server'));
    if (OF_SERVERS[what] && said.has('server')) return OF_SERVERS[what].join(server);
    if (OF_SERVERS[what] && said.has('site')) return OF_SERVERS[what].join('all servers of site ' + said.get('site'));
    switch (what) {
        case 'drain-moving': return 'drain ' + server + ', moving ' + gap(Number(said.get('gap')) / 1e9);
        case 'label': return said.get('labels') ? 'label ' + server + ': ' + said.get('labels').replaceAll(',', ', ') : 'remove the labels of ' + server;
        case 'add-server': return 'add a server' + (name ? ', ' + name : '') + ', at site ' + (sites[said.get('site')] ?? said.get('site'))
            + ', with ' + inOrder(numbersOf(said.get('capacity')), resources) + (said.get('labels') ? ', labels ' + said.get('labels').replaceAll(',', ', ') : '');
        case 'add-site': return 'add site' + (name ? ' ' + name : '') + (said.get('pooled') ? ', with pooled amounts ' + numbersOf(said.get('pooled')).join(', ') : '');
        case 'resize': return 'resize ' + server + ' to ' + inOrder(numbersOf(said.get('capacity')), resources)
            + (said.get('devices') ? ', devices ' + said.get('devices').replaceAll(',', ', ') : '');
        case 'evict': return 'evict ' + (name ? 'request ' + name : 'the request with number ' + said.get('id'));
        case 'set-policy': return 'change the policy to ' + said.get('policy')
            + rest.filter(word => word.startsWith('-')).map(word => ', ' + word.slice(1)).join('');
        case 'set-quota': return 'change the quota of ' + (said.get('tenant') === '*' ? 'every tenant' : 'tenant ' + (said.get('tenant') || '(none)'))
            + quota(said, resources);
        case 'take-snapshot': return 'take a snapshot on node ' + said.get('node');
        case 'transfer-leadership': return 'hand leadership to node ' + said.get('to');
        case 'remove-member': return 'remove node ' + said.get('node') + ' from the group';
        default: return line;
    }
}
