// Devices (GPUs): how many are held and asked for, and what is free but of no use to those that wait.

import { amounts, element, number, percent, shown, table } from './dom.js';

const MOST_KINDS = 8;
const PART = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

// How many requests with such a demand have room on a server beside each other.
export function room(server, demand, resource, amount) {
    let most = Infinity;
    for (const [name, value] of Object.entries(demand)) {
        const its = Number(value);
        if (its === 0) continue;
        const free = name !== resource ? Math.floor(Number(server.free[name] ?? 0) / its)
            : its >= amount ? Math.floor(server.devices.filter(device => Number(device.free) >= amount).length * amount / its)
                : server.devices.reduce((sum, device) => sum + Math.max(0, Math.floor(Number(device.free) / its)), 0);
        most = Math.min(most, Math.max(0, free));
    }
    return most === Infinity ? 0 : most;
}

// Of servers and of requests that wait, as the service lists them; all amounts in devices.
export function deviceUse(servers, waiting, resource, amount) {
    const here = servers.filter(server => server.status !== 'gone');
    const up = servers.filter(server => server.status === 'up' && !server.overcommitted);
    const count = all => all.reduce((sum, server) => sum + (server.devices ?? []).length, 0);
    const free = up.reduce((sum, server) => sum + server.devices.reduce((own, device) => own + Math.max(0, Number(device.free)), 0), 0) / amount;
    const held = here.reduce((sum, server) => sum + Number(server.capacity[resource] ?? 0) - Number(server.free[resource] ?? 0), 0) / amount;
    const kinds = new Map();
    let asked = 0;
    for (const { demand } of waiting) {
        const its = Number(demand[resource] ?? 0);
        if (its === 0) continue;
        asked += its / amount;
        const name = amounts(demand);
        const kind = kinds.get(name) ?? { name, demand, waiting: 0 };
        kind.waiting++;
        kinds.set(name, kind);
    }
    const rows = [...kinds.values()].sort((a, b) => b.waiting - a.waiting).slice(0, MOST_KINDS);
    for (const kind of rows) {
        kind.lost = free - up.reduce((sum, server) => sum + room(server, kind.demand, resource, amount), 0) * Number(kind.demand[resource]) / amount;
    }
    return { devices: count(here), held, free, asked: held + asked, kinds: rows };
}

export function devicePanel(use, resource, cut) {
    const name = shown(resource.replace(/_.*/, '').toUpperCase());
    return element('div', { class: 'devicesUse' },
        element('p', {}, element('b', {}, PART.format(use.held)), ' of ', number(use.devices), ' ' + name + ' devices are held'
            + (use.devices > 0 ? ' (' + percent(use.held / use.devices) + ')' : '') + '; with ' + (cut ? 'the first 1,000 of ' : '') + 'those that wait, ',
        element('b', {}, PART.format(use.asked)), ' are asked for. Free are ' + PART.format(use.free) + '.'),
        use.kinds.length === 0 ? '' : table('Requests for ' + name + ' devices that wait', ['Each demands', 'Waiting', 'Free, but of no use to it'],
            use.kinds.map(kind => [kind.name, number(kind.waiting), PART.format(kind.lost)])));
}
