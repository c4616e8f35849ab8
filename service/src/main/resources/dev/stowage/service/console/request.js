// One request: its life as a timeline, and its Explain in words and as a picture.

import { amount, amounts, button, duration, element, facts, named, number, resourceWord, seconds, shown, svg, table } from './dom.js';
import { place } from './links.js';
import { evict } from './server.js';

const WIDTH = 640;
const ROW = 22;
const ROLLOUTS = 100;
const COLOURS = { WAITING: 'waiting', RUNNING: 'running', RELEASED: 'over', REJECTED: 'failed', EXPIRED: 'failed' };

export async function requestDetail(context, tenant, id, changed) {
    const { api, live, clock } = context;
    const path = '/v1/requests/' + encodeURIComponent(id);
    const [explanation, history] = await Promise.all([
        api.get(path + ':explain', { tenant }), api.get(path + ':history', { tenant })]);
    const request = explanation.request;
    const operator = live.status.you.role === 'operator';
    return [
        element('h3', { tabindex: '-1' }, 'Request ', named(request.requestId)),
        facts([
            live.finished ? null : ['Tenant', named(request.tenant)],
            ['State', request.state.toLowerCase() + (request.agent && request.state === 'RUNNING' ? ', ' + request.phase.toLowerCase() : '')],
            request.type ? ['Type', named(request.type)] : null,
            ['Demands', amounts(request.demand)],
            Number(request.expectedNanos) > 0 ? ['Expects to run', duration(Number(request.expectedNanos) / 1e9)] : null,
            ['Server', request.state === 'RUNNING' && live.all ? place(request) : request.server < 0 ? '-' : String(request.server)],
            request.devices?.length ? ['Devices', request.devices.join(', ')] : null,
            request.priority ? ['Priority', String(request.priority)] : null,
            request.startFailures ? ['Could not start', request.startFailures + ' times'] : null,
            request.where.length ? ['Asks for', named(request.where.join(' or '))] : null,
            request.allowedSites.length ? ['Sites', named(request.allowedSites.join(', '))] : null,
        ]),
        operator && request.state === 'RUNNING' ? element('div', { class: 'row' }, button('Evict', () => evict(context, request, changed))) : null,
        element('h4', {}, 'Its life'),
        timeline(history, clock),
        element('h4', {}, 'Why'),
        element('p', { class: 'why' }, 'It ', named(explanation.summary), '.'),
        ...waits(explanation, () => api.get(path + ':explain', { tenant, rollouts: ROLLOUTS })),
        explanation.candidates.length ? candidates(explanation, live.status?.deviceResource) : null,
    ].filter(Boolean);
}

// What is missing now; and when something will probably end, from how long requests of its kind ran of late.
function waits(explanation, rollouts) {
    if (explanation.request.state !== 'WAITING') return [];
    const near = explanation.candidates.find(candidate => lacks(candidate) !== '');
    return [element('p', {}, near ? ['The nearest server is ' + near.server + ': ' + lacks(near, 'it lacks ') + '. '] : ''), forecast(rollouts())];
}

// What stands in the way on a server, in words; empty if nothing does.
function lacks(candidate, before = '') {
    const amount = Object.keys(candidate.lacks).length ? before + amounts(candidate.lacks) : '';
    return [amount, candidate.lacksDevices ? shown(candidate.lacksDevices) : '', candidate.keptApart ? shown(candidate.keptApart) : '']
        .filter(Boolean).join('; ');
}

// Takes some seconds on a large cluster: it is filled in when it is there.
function forecast(asked) {
    const line = element('p', { class: 'forecast', role: 'status' }, 'When it will start is being worked out ...');
    asked.then(explanation => { line.textContent = will(explanation); },
        failure => { line.textContent = 'Cannot predict now when it will start: ' + shown(failure.message); });
    return line;
}

function will({ forecast }) {
    if (!forecast) return 'It waits no longer.';
    if (forecast.problem) return 'Cannot predict when it will start: ' + forecast.problem + '.';
    const horizon = 'more than ' + lasts(forecast.horizonNanos) + ' (or never)';
    const [low, middle, high] = [forecast.waitLowNanos, forecast.waitMedianNanos, forecast.waitHighNanos]
        .map(nanos => nanos === undefined ? horizon : lasts(nanos));
    return 'It will probably start in ' + (low === high ? low : low + ' to ' + high) + ' (90 %; median: ' + middle + '): '
        + number(forecast.rollouts) + ' rollouts with lifetimes and arrivals as they were of late.';
}

function lasts(nanos) {
    return duration(Number(nanos) / 1e9);
}

function text(request) {
    const where = request.server >= 0 && request.state === 'RUNNING' ? ' on server ' + request.server : '';
    return request.state.toLowerCase() + (request.agent && request.state === 'RUNNING' ? ' (' + request.phase.toLowerCase() + ')' : '') + where;
}

function timeline(history, clock) {
    // What one entry of the log passed through at once is no state that it was in.
    const all = history.versions.filter((version, i, every) => i + 1 === every.length || every[i + 1].position !== version.position);
    const begin = Number(all[0].arrivedAtNanos);
    const ended = !['WAITING', 'RUNNING'].includes(all[all.length - 1].state);
    const end = Math.max(begin + 1, ended ? Number(all[all.length - 1].sinceNanos) : clock.now());
    const x = nanos => Math.max(0, Math.min(WIDTH, (Number(nanos) - begin) / (end - begin) * WIDTH));
    const picture = svg('svg', { viewBox: `0 0 ${WIDTH} 30`, class: 'timeline', role: 'img', 'aria-label': 'Timeline: ' + all.map(text).join(', then ') });
    if (!history.complete || all[0].state !== 'WAITING') {
        // How it began is forgotten, or it was placed at once.
        picture.append(svg('rect', { x: 0, y: 6, width: x(all[0].sinceNanos), height: 18, class: history.complete ? 'waiting' : 'unknown' }));
    }
    all.forEach((version, i) => {
        const from = x(version.sinceNanos);
        const to = i + 1 < all.length ? x(all[i + 1].sinceNanos) : WIDTH;
        picture.append(svg('rect', { x: from, y: 6, width: Math.max(3, to - from), height: 18, class: COLOURS[version.state] ?? 'over' }));
    });
    const rows = all.map((version, i) => [clock.time(version.sinceNanos), text(version),
        i === 0 ? '' : 'after ' + duration(seconds(all[i - 1].sinceNanos, version.sinceNanos)), named(version.reason, '')]);
    return element('div', {}, picture, table('Arrived ' + clock.time(begin).textContent + (history.complete ? '' : '; what was before is forgotten'),
        ['Since', 'What', '', 'Rule'], rows));
}

// For each server that matters a bar per resource: what the request demands, what is free, what is lacking.
function candidates(explanation, deviceResource) {
    const demand = explanation.request.demand;
    const resources = Object.keys(demand).filter(name => Number(demand[name]) > 0);
    const rows = explanation.candidates.flatMap(candidate => resources.map(resource => ({ candidate, resource })));
    const left = 190;
    const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${rows.length * ROW + 8}`, class: 'candidates', role: 'img',
        'aria-label': 'Free on the servers that matter, beside the demand; the table below says the same' });
    const most = Object.fromEntries(resources.map(resource => [resource, Math.max(1.25 * Number(demand[resource]),
        ...explanation.candidates.map(candidate => Number(candidate.free[resource] ?? 0)))]));
    rows.forEach(({ candidate, resource }, i) => {
        const y = i * ROW + 4;
        const scale = (WIDTH - left) / most[resource];
        const name = svg('text', { x: 0, y: y + 13 });
        name.textContent = (i % resources.length === 0 ? 'server ' + candidate.server + (candidate.runsHere ? ' (here)' : '') : '');
        const what = svg('text', { x: left - 8, y: y + 13, 'text-anchor': 'end' });
        what.textContent = resourceWord(resource);
        const short = candidate.lacks[resource] !== undefined || (resource === deviceResource && candidate.lacksDevices);
        picture.append(name, what,
            svg('rect', { x: left, y, width: Math.max(0, Number(candidate.free[resource]) * scale), height: ROW - 7, class: short ? 'failed' : 'running' }),
            svg('line', { x1: left + Number(demand[resource]) * scale, x2: left + Number(demand[resource]) * scale, y1: y - 2, y2: y + ROW - 5, class: 'demand' }));
    });
    return element('div', {},
        element('p', { class: 'quiet' }, (explanation.asPlaced ? 'Bars are what was free when it was placed' : 'Bars are what is free now') + ', the line is what it demands. '
            + (explanation.asPlaced ? 'Servers that were up: ' : 'Servers that are up: ') + number(explanation.serversUp)
            + ', large enough: ' + number(explanation.serversLargeEnough)
            + (explanation.asPlaced ? ', with room then: ' : ', with room now: ') + number(explanation.serversWithRoom) + '.'),
        picture,
        table('Servers that matter', ['Server', 'Site', 'Free', 'Lacks'], explanation.candidates.map(candidate => [
            element('span', {}, String(candidate.server), candidate.name ? ' ' : '', candidate.name ? named(candidate.name) : '',
                candidate.runsHere ? element('strong', {}, ' runs here') : ''),
            named(candidate.site),
            Object.entries(candidate.free).map(([name, value]) => shown(amount(value, name))).join(', '),
            candidate.runsHere ? '-' : lacks(candidate) || 'nothing: it has room'])));
}
