// One server: what it has, what runs there, what was done to it, and what operators may do.

import { changeId } from './api.js';
import { auditCell } from './audit.js';
import { amounts, button, confirm, element, facts, named, number, percent, problem, seconds, duration, shown, svg, table } from './dom.js';
import { requestLink } from './links.js';

const MOST_SHOWN = 100;
const GAP_NANOS = 1_000_000_000;
const DEVICE = 44;
const AGENT = { suspected: 'silent for longer than its lease', returning: 'back; it has to report first' };

export async function serverDetail(context, server, changed) {
    const { api, live, clock } = context;
    const [page, requests, audit] = await Promise.all([
        api.get('/v1/servers', { page_size: 1, page_token: String(server) }),
        api.get('/v1/requests', { all_tenants: true, server, page_size: MOST_SHOWN }),
        api.get('/v1/audit'),
    ]);
    const one = page.servers[0];
    const has = one.devices ?? [];
    const operator = live.status.you.role === 'operator';
    const now = requests.requests.filter(request => request.state === 'RUNNING');
    const before = requests.requests.filter(request => request.state !== 'RUNNING');
    const about = text => text.split(' ').some(word => word === `server=${server}` || (one.name !== '' && word === one.name));
    const lines = audit.lines.filter(line => about(line.change)).reverse().slice(0, 20);
    return [
        element('h3', { tabindex: '-1' }, 'Server ' + server + ' ', one.name ? named(one.name) : ''),
        facts([
            ['Site', named(one.site)],
            ['Status', one.status + (one.overcommitted ? ', overcommitted' : '')],
            one.unconfirmed > 0 && ['To confirm', number(one.unconfirmed) + (one.unconfirmed === 1 ? ' change' : ' changes')],
            (one.silent || AGENT[one.status]) && ['Agent', one.silent ? 'silent: what ran here was taken off it, to be placed again' : AGENT[one.status]],
            ['Labels', ...labels(one.labels)],
            ['Has', amounts(one.capacity, true)],
            one.status !== 'gone' && ['Free', amounts(one.free, true)],
        ]),
        has.length ? devices(has, Number(live.status.deviceAmount)) : null,
        operator ? actions(context, one, changed) : null,
        now.length ? table(number(one.running) + ' running' + (one.running > now.length ? ', of which these ' + now.length : ''),
            ['Request', 'Holds', ...(has.length ? ['Devices'] : []), 'For', ...(operator ? [''] : [])],
            now.map(request => [requestLink(request), amounts(request.demand), ...(has.length ? [request.devices.join(', ') || '-'] : []),
                duration(Math.max(0, seconds(request.sinceNanos, clock.now()))),
                ...(operator ? [button('Evict', () => evict(context, request, changed), { 'aria-label': 'Evict ' + shown(request.requestId) })] : [])]))
            : element('p', {}, 'Nothing runs there.'),
        before.length ? table('Ran there before', ['Request', 'Ended', 'As'],
            before.map(request => [requestLink(request), clock.time(request.sinceNanos), request.state.toLowerCase()])) : null,
        lines.length ? table('What was done to it', ['When', 'Who', 'What', 'Result'],
            lines.map(line => [clock.time(line.atNanos), named(line.actor), auditCell(line.change, live.status), named(line.result, 'done')]))
            : element('p', {}, 'No change to it is in the audit trail.'),
    ].filter(Boolean);
}

// A bar for each device, filled as far as it is held.
function devices(all, amount) {
    const used = device => Math.min(1, Math.max(0, 1 - Number(device.free) / amount));
    const text = all.map(device => device.number + ': ' + percent(used(device)));
    const picture = svg('svg', { viewBox: `0 0 ${all.length * DEVICE} 58`, width: all.length * DEVICE, class: 'devices', role: 'img',
        'aria-label': 'Devices and how much of each is held: ' + text.join(', ') });
    all.forEach((device, i) => {
        const label = svg('text', { x: i * DEVICE + (DEVICE - 6) / 2, y: 54, 'text-anchor': 'middle' });
        label.textContent = String(device.number);
        const tip = svg('title');
        tip.textContent = 'Device ' + text[i] + ' held';
        const height = 38 * used(device);
        const whole = svg('rect', { x: i * DEVICE, y: 2, width: DEVICE - 6, height: 38, class: 'free' });
        whole.append(tip);
        picture.append(whole, svg('rect', { x: i * DEVICE, y: 40 - height, width: DEVICE - 6, height, class: 'running', 'pointer-events': 'none' }), label);
    });
    return element('div', {}, element('h4', {}, 'Devices'), picture);
}

function labels(all) {
    const entries = Object.entries(all);
    return entries.length ? entries.map(([key, value]) => element('span', { class: 'label' }, named(key), ' = ', named(value))) : ['none'];
}

function actions(context, server, changed) {
    const name = String(server.server);
    const change = (what, more = {}) => context.api.post('/v1/servers/' + name + ':change',
        { change_id: changeId(what.toLowerCase()), change: what, ...more }).then(changed);
    const up = server.status === 'up' || server.status === 'suspected';
    return element('div', { class: 'row' },
        up && button('Drain', () => confirm('Drain server ' + name + '?',
            element('p', {}, 'Nothing new is placed there. What runs goes on until it ends.'), () => change('DRAIN'))),
        server.status !== 'gone' && button('Drain and move', () => {
            const told = element('div', { 'aria-live': 'polite' }, 'Looking at what would move ...');
            confirm('Drain server ' + name + ' and move what runs?', told, () => change('DRAIN', { move_gap_nanos: GAP_NANOS }));
            tellMoves(context, { server: name }, told, 'One request is moved each second.');
        }),
        server.status !== 'up' && button('Return', () => confirm('Return server ' + name + '?',
            element('p', {}, 'It takes requests again.'), () => change('RETURN'))));
}

export function evict(context, request, changed) {
    const told = element('div', { 'aria-live': 'polite' }, 'Looking at what would move ...');
    confirm('Evict this request?', told, () => context.api.post('/v1/requests/' + encodeURIComponent(request.requestId) + ':evict',
        { change_id: changeId('evict'), tenant: request.tenant }).then(changed));
    tellMoves(context, { request_id: request.requestId, tenant: request.tenant }, told, '');
}

// What the service says would move where, on a copy of its engine.
async function tellMoves(context, asked, told, more) {
    try {
        const plan = await context.api.post('/v1/moves:dryRun', asked);
        told.replaceChildren(
            element('p', {}, plan.moves.length + ' would move' + (plan.stay > 0 ? ', ' + plan.stay + ' would stay' : '')
                + ', as of log position ' + number(plan.position) + '. ' + more),
            plan.moves.length ? table('Moves', ['Request', 'Tenant', 'From', 'To', 'Rule'], plan.moves.map(move => [
                named(move.requestId), named(move.tenant), place(move.fromServer, move.fromServerName),
                move.toServer >= 0 ? place(move.toServer, move.toServerName)
                    : element('strong', { class: 'bad' }, move.state === 'WAITING' ? 'waits' : move.state.toLowerCase()),
                named(move.reason, '')])) : '');
    } catch (failure) {
        told.replaceChildren(problem(failure));
    }
}

function place(server, name) {
    return server < 0 ? 'waits' : name ? element('span', {}, server + ' ', named(name)) : String(server);
}
