// The panel Cluster: every server as a cell, and one of them in detail.

import { Cells } from './cells.js';
import { amount, amounts, button, element, labelled, named, number, percent, problem, select, shown } from './dom.js';
import { serverDetail } from './server.js';

export const STATUS = ['up', 'draining', 'gone', 'suspected', 'returning'];
const STRANDED = '(stranded)';
const LITTLE = 2000;
const MOST_GROUPS = 60;
// A middle request of so many.
const SAMPLE = 200;

// Of every resource what a middle request demands; of those that run, or had run.
async function medianDemand(api, scope, resources) {
    const list = await api.get('/v1/requests', { ...scope, page_size: SAMPLE });
    return resources.map(resource => {
        const all = list.requests.map(request => Number(request.demand[resource] ?? 0)).sort((a, b) => a - b);
        return all.length ? all[Math.floor(all.length / 2)] : 0;
    });
}

const ramp = () => element('span', { class: 'ramp', 'aria-hidden': 'true' });

export class Cluster {
    #context;
    #main;
    #cells;
    #occupancy = null;
    #demand = [];
    #shownResource = '';
    #grouped = '';
    #line = element('p', { class: 'line', role: 'status', 'aria-live': 'polite' });
    #controls = element('div', { class: 'controls' });
    #legend = element('div', { class: 'legend' });
    #detail = element('aside', { class: 'detail', 'aria-label': 'Server', hidden: true });
    #timer = 0;
    #touched = new Map();
    #seen = -1;
    #opened = -1;
    // How often the figures came.
    refreshed = 0;

    constructor(context) {
        this.#context = context;
    }

    async open(main, query) {
        this.#main = main;
        const { live } = this.#context;
        main.append(element('h2', {}, 'Cluster'));
        if (!live.status.you.allTenants) {
            main.append(element('p', {}, 'Servers are shown to those who may see all tenants. This token is for ',
                named(live.status.you.tenants.join(', ')), ': its requests are under ', element('a', { href: '#requests' }, 'Requests'), '.'));
            return;
        }
        this.#cells = new Cells(server => this.#choose(server), server => this.#tell(server));
        main.append(this.#controls, this.#legend,
            element('div', { class: 'beside' }, element('div', { class: 'grow' }, this.#cells.element, this.#line), this.#detail));
        await this.#again();
        if (query.server !== undefined) this.#find(query.server);
    }

    close() {
        clearTimeout(this.#timer);
        this.#timer = -1;
    }

    // Changes come in: which cells flash; the figures are asked for at intervals.
    changes() {
        if (!this.#cells) return;
        for (const [server, at] of this.#context.live.touched) this.#touched.set(server, at);
        this.#context.live.touched.clear();
        this.#cells.draw();
    }

    again() {
        if (this.#cells) this.#again();
    }

    async #again() {
        if (this.#timer === -1) return;
        clearTimeout(this.#timer);
        const { api, live } = this.#context;
        let count = 0;
        try {
            // Nothing is asked where nothing has changed.
            if (this.#occupancy === null || this.#seen !== live.changes || live.status.applied !== this.#occupancy.position) {
                this.#seen = live.changes;
                const occupancy = await api.get('/v1/occupancy');
                if (this.#occupancy === null) {
                    this.#demand = await medianDemand(api, { all_tenants: true }, occupancy.resources);
                    this.#shownResource = occupancy.resources[0];
                }
                const first = this.#occupancy === null;
                occupancy.free = occupancy.free.map(Number);
                occupancy.kinds.forEach(kind => { kind.capacity = kind.capacity.map(Number); });
                this.#occupancy = occupancy;
                this.refreshed++;
                count = occupancy.kind.length;
                if (first) this.#showControls();
                this.#show();
            }
        } catch (failure) {
            this.#line.replaceChildren(problem(failure));
        }
        // A small cluster is asked for more often than a large one, of which an answer has 300 KB.
        if (this.#timer !== -1) this.#timer = setTimeout(() => this.#again(), count > LITTLE ? 5000 : 1500);
    }

    #labels() {
        const values = new Map();
        for (const kind of this.#occupancy.kinds) {
            for (const [key, value] of Object.entries(kind.labels)) {
                if (!values.has(key)) values.set(key, new Set());
                values.get(key).add(value);
            }
        }
        return [...values].filter(([, found]) => found.size <= MOST_GROUPS).map(([key]) => key).sort();
    }

    #showControls() {
        const { resources } = this.#occupancy;
        const keys = this.#labels();
        const find = element('input', { type: 'search', placeholder: 'name or number', autocomplete: 'off', size: '14' });
        this.#controls.replaceChildren(
            labelled('Colour', select([...resources.map(name => [name, 'use of ' + name]), [STRANDED, 'stranded']],
                this.#shownResource, value => { this.#shownResource = value; this.#show(); })),
            labelled('By label', select([['', 'site alone'], ...keys.map(key => [key, key])], this.#grouped,
                value => { this.#grouped = value; this.#show(); })),
            element('form', { onsubmit: event => { event.preventDefault(); this.#find(find.value.trim()); } },
                labelled('Server', find), element('button', {}, 'Open')));
    }

    // Free, but of no use for a middle request: the part of a server's capacity that is left though something else is used up.
    #stranded(server, kind) {
        const { resources, free } = this.#occupancy;
        const width = resources.length;
        const lacks = this.#demand.some((need, r) => need > 0 && kind.capacity[r] > 0 && free[server * width + r] < need);
        if (!lacks) return 0;
        return Math.max(...kind.capacity.map((all, r) => all > 0 && free[server * width + r] >= this.#demand[r]
            ? free[server * width + r] / all : 0));
    }

    #show() {
        const { resources, kinds, kind, status, free } = this.#occupancy;
        const width = resources.length;
        const resource = resources.indexOf(this.#shownResource);
        const values = kind.map((k, server) => {
            if (this.#shownResource === STRANDED) return this.#stranded(server, kinds[k]);
            const all = kinds[k].capacity[resource];
            return all > 0 ? 1 - free[server * width + resource] / all : NaN;
        });
        const groups = new Map();
        const titles = kinds.map(one => shown(one.site + (this.#grouped ? ', ' + this.#grouped + ' = ' + (one.labels[this.#grouped] ?? '(none)') : '')));
        kind.forEach((k, server) => {
            if (!groups.has(titles[k])) groups.set(titles[k], []);
            groups.get(titles[k]).push(server);
        });
        const blocks = [...groups].sort(([a], [b]) => a < b ? -1 : 1).map(([title, servers]) => {
            const present = servers.filter(server => status[server] !== 2 && Number.isFinite(values[server]));
            const mean = present.reduce((sum, server) => sum + values[server], 0) / present.length;
            return { title: title + ': ' + number(servers.length) + ' servers, ' + percent(mean), servers };
        });
        this.#cells.show(blocks, values, status, this.#touched);
        this.#cells.element.dataset.servers = kind.length;
        const counted = STATUS.map((name, i) => [name, status.filter(each => each === i).length]).filter(([name, n]) => n > 0 || name === 'up');
        this.#legend.replaceChildren(
            ...this.#shownResource === STRANDED
                ? ['nothing stranded', ramp(), 'all of it', 'Free, but of no use for a middle request: '
                    + resources.map((name, r) => amount(this.#demand[r], name)).map(shown).join(', ')]
                : ['free', ramp(), 'full'],
            ...counted.map(([name, n]) => element('span', { class: 'key ' + name }, number(n) + ' ' + name)));
    }

    #tell(server) {
        if (server < 0) {
            this.#line.replaceChildren();
            return;
        }
        const { resources, kinds, kind, status, free, running } = this.#occupancy;
        const width = resources.length;
        const left = Object.fromEntries(resources.map((name, r) => [name, free[server * width + r]]));
        this.#line.replaceChildren('Server ' + server + ' in ', named(kinds[kind[server]].site), ': ' + STATUS[status[server]] + ', '
            + number(running[server]) + ' running, free ' + amounts(left, true));
    }

    async #find(text) {
        if (text === '') return;
        try {
            // The service knows names; a list of what runs there tells it at once where there is none.
            const found = /^\d+$/.test(text) ? Number(text) : await this.#byName(text);
            if (found < 0 || found >= this.#occupancy.kind.length) throw new Error('There is no server ' + text);
            this.#choose(found);
        } catch (failure) {
            this.#line.replaceChildren(problem(failure));
        }
    }

    async #byName(name) {
        let token = '';
        do {
            const page = await this.#context.api.get('/v1/servers', { page_size: 1000, page_token: token });
            const found = page.servers.find(server => server.name === name);
            if (found) return found.server;
            token = page.nextPageToken;
        } while (token !== '');
        return -1;
    }

    #choose(server) {
        this.#opened = server;
        this.#cells.choose(server);
        this.#detail.hidden = false;
        const close = button('Close', () => {
            this.#opened = -1;
            this.#detail.hidden = true;
            this.#cells.choose(-1);
            this.#cells.element.focus();
        });
        serverDetail(this.#context, server, () => {
            this.#seen = -1;
            this.#again();
            this.#choose(server);
        }).then(content => {
            if (this.#opened === server) this.#detail.replaceChildren(close, ...content);
        }, failure => {
            if (this.#opened === server) this.#detail.replaceChildren(close, problem(failure));
        });
    }
}

