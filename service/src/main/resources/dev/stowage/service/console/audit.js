// What a line of the audit trail says was done, in words; the line itself is in the syntax of the log.

import { duration } from './dom.js';

const OF_SERVERS = { drain: ['drain ', ''], return: ['return ', ''], remove: ['remove ', ''], lose: ['count ', ' as lost'] };

export function auditWords(line) {
    const [what, ...rest] = line.split(' ');
    const said = new Map(rest.map(word => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
    const server = 'server ' + said.get('server');
    const name = said.get('name') ?? '';
    if (OF_SERVERS[what] && said.has('server')) return OF_SERVERS[what].join(server);
    if (OF_SERVERS[what] && said.has('site')) return OF_SERVERS[what].join('all servers of site ' + said.get('site'));
    switch (what) {
        case 'drain-moving': return 'drain ' + server + ', moving a request every ' + duration(Number(said.get('gap')) / 1e9);
        case 'label': return said.get('labels') ? 'label ' + server + ': ' + said.get('labels').replaceAll(',', ', ') : 'remove the labels of ' + server;
        case 'add-server': return 'add a server' + (name ? ', ' + name : '') + (said.get('labels') ? ', labels ' + said.get('labels').replaceAll(',', ', ') : '');
        case 'add-site': return 'add site ' + name;
        case 'resize': return 'resize ' + server;
        case 'evict': return 'evict ' + (name ? 'request ' + name : 'the request with number ' + said.get('id'));
        case 'set-policy': return 'change the policy to ' + said.get('policy')
            + rest.filter(word => word.startsWith('-')).map(word => ', ' + word.slice(1)).join('');
        case 'set-quota': return 'change the quota of ' + (said.get('tenant') === '*' ? 'every tenant' : 'tenant ' + (said.get('tenant') || '(none)'));
        case 'take-snapshot': return 'take a snapshot on node ' + said.get('node');
        case 'transfer-leadership': return 'hand leadership to node ' + said.get('to');
        case 'remove-member': return 'remove node ' + said.get('node') + ' from the group';
        default: return line;
    }
}
