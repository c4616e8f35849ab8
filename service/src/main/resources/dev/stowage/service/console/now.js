// The panel Now: how much comes, how long it waits, how full it is, and how few servers could hold it.

import { Chart } from './chart.js';
import { devicePanel, deviceUse } from './devices.js';
import { button, duration, element, named, number, percent, problem, resourceWord, seconds, shown, table } from './dom.js';
import { place, requestLink } from './links.js';
import { WINDOW_SECONDS } from './live.js';
import { Poll } from './poll.js';

const WAITING_PAGE = 1000;
const SLOW_MILLIS = 10000;
const MOST_ROWS = 12;
const CURVE_SECONDS = 120;
const MOST_PLANNED = 500;
// The service gives up after a minute.
const PLAN_MILLIS = 90000;

// The least number of servers whose capacities together are what is used, for each resource by itself; the largest of these.
// No packing needs fewer: it is the vector lower bound of one resource at a time. Of one site, or of all. Beside it which part of the
// deciding resource is used now of the servers in use, and would be of the least number: the optimum for what runs.
export function fewestServers(occupancy, site = null) {
    const width = occupancy.resources.length;
    const its = (k, server) => occupancy.status[server] !== 2 && (site === null || occupancy.kinds[k].site === site);
    let used = 0;
    const of = occupancy.resources.map((name, r) => {
        const capacities = [];
        let held = 0;
        let inUse = 0;
        occupancy.kind.forEach((k, server) => {
            if (!its(k, server)) return;
            const all = Number(occupancy.kinds[k].capacity[r]);
            capacities.push(all);
            held += all - Number(occupancy.free[server * width + r]);
            if (occupancy.running[server] > 0) inUse += all;
        });
        capacities.sort((a, b) => b - a);
        let servers = 0;
        let room = 0;
        for (; room < held && servers < capacities.length; servers++) room += capacities[servers];
        return { servers, now: inUse > 0 ? held / inUse : 0, best: room > 0 ? held / room : 0 };
    });
    occupancy.kind.forEach((k, server) => { used += its(k, server) && occupancy.running[server] > 0 ? 1 : 0; });
    const most = Math.max(...of.map(one => one.servers));
    const deciding = of.findIndex(one => one.servers === most);
    // What demands nothing needs a server, too.
    const bound = Math.max(most, used > 0 ? 1 : 0);
    return { bound, used, resource: occupancy.resources[deciding], now: of[deciding].now, best: of[deciding].best };
}

function quantile(sorted, part) {
    return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];
}

async function everyServer(api) {
    const all = [];
    let token = '';
    do {
        const page = await api.get('/v1/servers', { page_size: WAITING_PAGE, ...(token && { page_token: token }) });
        all.push(...page.servers);
        token = page.nextPageToken;
    } while (token);
    return all;
}

export class Now {
    #context;
    #tiles = element('div', { class: 'tiles' });
    #waits = element('div');
    #held = element('div');
    #devices = element('div');
    #plan = element('div', { role: 'status' });
    #rate = new Chart('Requests per second');
    #queue = new Chart('Requests that wait');
    #use = [];
    #uses = element('div', { class: 'charts' });
    #polls = new Poll(() => SLOW_MILLIS, () => this.#slowly(), () => this.#context.live.moved);
    #oldest = new Map();

    constructor(context) {
        this.#context = context;
    }

    async open(main) {
        const { live } = this.#context;
        main.append(element('h2', {}, 'Now'), this.#tiles, element('div', { class: 'charts' }, this.#rate.element, live.all ? this.#queue.element : ''),
            this.#waits, this.#devices, this.#held, live.all ? this.#planning() : '', this.#uses);
        this.#polls.begin();
        await this.#polls.now();
        await this.#show();
    }

    close() {
        this.#polls.end();
        [this.#rate, this.#queue, ...this.#use].forEach(chart => chart.close());
    }

    status() {
        this.#show().catch(failure => this.#tiles.replaceChildren(problem(failure)));
    }

    again() {
        this.#polls.now();
    }

    async #show() {
        const { live } = this.#context;
        const status = live.status;
        const rate = this.#rates();
        const recent = rate.values.slice(-11, -1);
        // An older node does not say it.
        const gone = status.serversGone ?? 0;
        const silent = status.serversSilent ?? 0;
        const all = status.servers + gone;
        const missing = [...(silent === 0 ? [] : [number(silent) + ' gone: silent agent']),
            ...(gone === silent ? [] : [number(gone - silent) + ' removed or reported lost'])].join(', ');
        const mean = recent.reduce((sum, value) => sum + value, 0) / Math.max(1, recent.length);
        this.#tiles.replaceChildren(...[
            ['requests/s, mean of 10 s', number(Math.round(mean * 10) / 10)],
            ...(live.all ? [['waiting', number(status.waitingRequests)], ['running', number(status.runningRequests)],
                ['rejected by the policy so far', number(status.rejectedRequests)],
                ['servers up' + (status.serversUp === all ? '' : ', of ' + number(all)) + (missing === '' ? '' : ' (' + missing + ')'),
                    number(status.serversUp)],
                ['servers in use', number(status.serversOccupied)]]
                : [['in the system', number(status.liveRequests)]]),
        ].map(([name, value]) => element('div', { class: 'tile' }, element('b', {}, value), element('span', {}, name))));
        this.#showWaits();
        await this.#rate.show(rate.times, [{ name: 'arrived', values: rate.values }]);
        if (live.all) await this.#showSites();
    }

    #rates() {
        const { live } = this.#context;
        const end = Math.floor(Date.now() / 1000);
        const from = Math.max(end - CURVE_SECONDS, live.arrivalsFrom);
        const times = Array.from({ length: Math.max(0, end - from) }, (_, i) => from + i);
        return { times, values: times.map(at => live.arrivals.get(at) ?? 0) };
    }

    #showWaits() {
        const { live } = this.#context;
        const from = Date.now() / 1000 - WINDOW_SECONDS;
        const groups = new Map();
        const add = (name, wait) => {
            if (!groups.has(name)) groups.set(name, []);
            groups.get(name).push(wait);
        };
        for (const wait of live.waits) {
            if (wait.at < from) continue;
            add('all', wait.seconds);
            if (wait.type) add('type ' + shown(wait.type), wait.seconds);
            if (live.tenant === null) add('tenant ' + shown(wait.tenant || '(none)'), wait.seconds);
        }
        const still = name => this.#oldest.get(name);
        for (const name of this.#oldest.keys()) if (!groups.has(name)) groups.set(name, []);
        const rows = [...groups].sort(([a, left], [b, right]) => a === 'all' ? -1 : b === 'all' ? 1 : right.length - left.length);
        this.#waits.replaceChildren(rows.length === 0
            ? element('p', { class: 'quiet' }, 'Nothing was placed since this page was opened.')
            : table('Waits of requests placed in the last 5 minutes, since this page was opened',
                ['Of', 'Placed', 'p50', 'p99', 'Longest', 'Longest still waiting'],
                rows.slice(0, MOST_ROWS).map(([name, waits]) => {
                    waits.sort((a, b) => a - b);
                    return [named(name), number(waits.length), ...(waits.length
                        ? [quantile(waits, 0.5), quantile(waits, 0.99), waits[waits.length - 1]].map(duration) : ['-', '-', '-']),
                    still(name) === undefined ? '-' : duration(still(name))];
                })));
    }

    async #showSites() {
        const { live } = this.#context;
        const samples = live.samples.filter(sample => sample.status.siteFigures.length > 0);
        if (samples.length < 2) return;
        const times = samples.map(sample => sample.at);
        await this.#queue.show(times, [{ name: 'waiting', values: samples.map(sample => Number(sample.status.waitingRequests)) }]);
        const { resources, siteFigures } = live.status;
        if (this.#use.length !== resources.length) {
            this.#use = resources.map(resource => new Chart('Use of ' + resourceWord(resource) + ' per site', true));
            this.#uses.replaceChildren(...this.#use.map(chart => chart.element));
        }
        await Promise.all(resources.map((resource, r) => this.#use[r].show(times, siteFigures.map((figures, i) => ({
            name: shown(figures.site),
            values: samples.map(sample => {
                const site = sample.status.siteFigures[i];
                return site && Number(site.capacity[resource]) > 0 ? Number(site.used[resource]) / Number(site.capacity[resource]) : null;
            }),
        })))));
    }

    // What takes the service a look at all servers, or at a page of those that wait.
    async #slowly() {
        const { api, live } = this.#context;
        try {
            // Whoever sees all knows without asking that nobody waits.
            const nobody = live.all && Number(live.status.waitingRequests) === 0;
            const waiting = nobody ? { requests: [] } : await api.get('/v1/requests', { ...(live.all ? { all_tenants: true } : live.scope), state: 'WAITING', page_size: WAITING_PAGE });
            this.#oldest.clear();
            const note = (name, wait) => this.#oldest.set(name, Math.max(this.#oldest.get(name) ?? 0, wait));
            for (const request of waiting.requests) {
                const wait = Math.max(0, seconds(request.sinceNanos, Date.now() * 1e6));
                note('all', wait);
                if (request.type) note('type ' + shown(request.type), wait);
                if (live.tenant === null) note('tenant ' + shown(request.tenant || '(none)'), wait);
            }
            if (live.all) this.#showBound(await api.polled('/v1/occupancy'));
            const { deviceResource, deviceAmount } = live.status;
            if (live.all && deviceResource) {
                const servers = await everyServer(api);
                this.#devices.replaceChildren(devicePanel(
                    deviceUse(servers, waiting.requests, deviceResource, Number(deviceAmount)), deviceResource, Boolean(waiting.nextPageToken)));
            }
        } catch (failure) {
            this.#held.replaceChildren(problem(failure));
        }
    }

    // Asked for by a person, since it takes the service some seconds in a process of its own.
    #planning() {
        const ask = button('Which servers could be emptied?', async () => {
            ask.disabled = true;
            this.#plan.replaceChildren(element('p', { class: 'quiet' }, 'The plan is being worked out; up to a minute ...'));
            try {
                this.#showPlan(await this.#context.api.get('/v1/consolidation:plan', {}, undefined, PLAN_MILLIS));
            } catch (failure) {
                this.#plan.replaceChildren(problem(failure));
            } finally {
                ask.disabled = false;
            }
        });
        return element('div', {}, element('p', {}, ask), this.#plan);
    }

    #showPlan(plan) {
        const many = plan.emptied.length;
        const moves = plan.moves.length + plan.movesLeftOut;
        const left = plan.serversInUse - many;
        this.#plan.replaceChildren(
            element('p', {}, many === 0 ? 'No server could be emptied by moves, as of log position ' + number(plan.position) + ': '
                : element('span', {}, element('b', {}, number(many) + (many === 1 ? ' server' : ' servers') + ' could be emptied'),
                    ' by ' + number(moves) + (moves === 1 ? ' move' : ' moves') + ', as of log position ' + number(plan.position) + ': '),
            number(plan.serversInUse) + (plan.serversInUse === 1 ? ' is' : ' are') + ' in use, ' + (many === 0 ? '' : number(left) + ' would be, ') + 'and at least '
                + number(plan.fewestServers) + ' are needed. '
                + (left === plan.fewestServers ? 'No plan could do better. ' : ''),
            element('span', { class: 'quiet' }, 'Nothing is changed by this; stowage consolidate --carry-out does it, one move at a time.')),
            ...plan.notes.map(note => element('p', { class: 'quiet' }, shown(note))),
            many === 0 ? '' : table('Emptied in this order', ['', 'Server', 'Moves'], plan.emptied.slice(0, MOST_PLANNED).map((one, i) => [
                number(i + 1), place(one), number(one.moves)])),
            many === 0 ? '' : element('details', {}, element('summary', {}, 'The moves, in order'),
                table(number(Math.min(moves, MOST_PLANNED)) + ' of ' + number(moves) + ' moves', ['', 'Request', 'Tenant', 'From', 'To'],
                    plan.moves.slice(0, MOST_PLANNED).map((move, i) => [number(i + 1), requestLink(move), named(move.tenant),
                        place({ server: move.fromServer, serverName: move.fromServerName }),
                        place({ server: move.toServer, serverName: move.toServerName })]))));
    }

    #showBound(occupancy) {
        const all = fewestServers(occupancy);
        const { bound, used, resource } = all;
        const sites = [...new Set(occupancy.kinds.map(kind => kind.site))].map(site => [named(site), fewestServers(occupancy, site)]);
        const rows = sites.length > 1 ? [...sites, ['all', all]] : sites;
        this.#held.replaceChildren(element('p', { class: 'bound' },
            element('b', {}, number(used)), used === 1 ? ' server is' : ' servers are', ' in use. What runs needs at least ', element('b', {}, number(bound)),
            bound > 0 ? ' (by ' + resourceWord(resource) + ' alone)' : '', ': ',
            used > bound ? 'at most ' + number(used - bound) + ' could be emptied (' + percent((used - bound) / used) + ').' : 'none could be emptied.',
            element('span', { class: 'quiet' }, ' A lower bound of one resource at a time; constraints and the sizes of requests may need more.')),
        used === 0 ? '' : table('How full the servers in use are, and would be if what runs were on the least number', ['Site', 'In use', 'At least', 'By', 'Used now', 'At best'],
            rows.filter(([, one]) => one.used > 0).map(([site, one]) => [site, number(one.used), number(one.bound), resourceWord(one.resource), percent(one.now),
                percent(one.best)])));
    }
}
