// Ways from one panel to another.

import { element, named, shown } from './dom.js';

export function requestLink(request) {
    const query = new URLSearchParams({ tenant: request.tenant, id: request.requestId });
    return element('a', { href: '#requests?' + query, title: shown(request.requestId) }, named(request.requestId));
}

export function place(request) {
    if (request.server < 0) return '-';
    return element('a', { href: '#cluster?server=' + request.server, title: request.serverName ? shown(request.serverName) : null }, String(request.server),
        request.serverName ? ' ' : '', request.serverName ? named(request.serverName) : '');
}
