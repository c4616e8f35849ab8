// The panel Cluster: every server as a cell, and one of them in detail.

import { button, element, labelled, named, problem } from './dom.js';
import { choices, Grid, parsed } from './grid.js';
import { Poll } from './poll.js';
import { serverDetail } from './server.js';

const LITTLE = 2000;
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

export class Cluster {
    #context;
    #main;
    #grid;
    #occupancy = null;
    #chosen = { resource: '', label: '', demand: [] };
    #controls = element('div', { class: 'controls' });
    #detail = element('aside', { class: 'detail', 'aria-label': 'Server', hidden: true });
    // A small cluster is asked for more often than a large one, of which an answer has 300 KB.
    #polls = new Poll(() => this.#occupancy?.kind.length > LITTLE ? 5000 : 1500, () => this.#look(1), () => this.#context.live.moved);
    #touched = new Map();
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
        this.#grid = new Grid(server => this.#choose(server));
        main.append(this.#controls, this.#grid.legend,
            element('div', { class: 'beside' }, element('div', { class: 'grow' }, this.#grid.element, this.#grid.line), this.#detail));
        this.#polls.begin();
        await this.#polls.now();
        if (query.server !== undefined) this.#find(query.server);
    }

    close() {
        this.#polls.end();
    }

    // Changes come in: which cells flash; the figures are asked for at intervals.
    changes() {
        if (!this.#grid) return;
        for (const [server, at] of this.#context.live.touched) this.#touched.set(server, at);
        this.#context.live.touched.clear();
        this.#grid.draw();
    }

    again() {
        this.#polls.now();
    }

    // The figures, at most so many seconds old.
    async #look(seconds) {
        const { api } = this.#context;
        try {
            const occupancy = await api.polled('/v1/occupancy', seconds);
            // Nothing is drawn where nothing has changed.
            if (occupancy === this.#occupancy) return;
            const first = this.#occupancy === null;
            if (first) {
                this.#chosen.demand = await medianDemand(api, { all_tenants: true }, occupancy.resources);
                this.#chosen.resource = occupancy.resources[0];
            }
            this.#occupancy = parsed(occupancy);
            this.refreshed++;
            if (first) this.#showControls();
            this.#show();
        } catch (failure) {
            this.#grid.line.replaceChildren(problem(failure));
        }
    }

    #showControls() {
        const find = element('input', { type: 'search', placeholder: 'name or number', autocomplete: 'off', size: '14' });
        this.#controls.replaceChildren(...choices(this.#occupancy, this.#chosen, () => this.#show()),
            element('form', { onsubmit: event => { event.preventDefault(); this.#find(find.value.trim()); } },
                labelled('Server', find), element('button', {}, 'Open')));
    }

    #show() {
        this.#grid.show(this.#occupancy, this.#chosen, this.#touched);
    }

    async #find(text) {
        if (text === '') return;
        try {
            // The service knows names; a list of what runs there tells it at once where there is none.
            const found = /^\d+$/.test(text) ? Number(text) : await this.#byName(text);
            if (found < 0 || found >= this.#occupancy.kind.length) throw new Error('There is no server ' + text);
            this.#choose(found);
        } catch (failure) {
            this.#grid.line.replaceChildren(problem(failure));
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
        this.#grid.choose(server);
        this.#detail.hidden = false;
        const close = button('Close', () => {
            this.#opened = -1;
            this.#detail.hidden = true;
            this.#grid.choose(-1);
            this.#grid.element.focus();
        });
        serverDetail(this.#context, server, () => {
            this.#look(0);
            this.#choose(server);
        }).then(content => {
            if (this.#opened === server) this.#detail.replaceChildren(close, ...content);
        }, failure => {
            if (this.#opened === server) this.#detail.replaceChildren(close, problem(failure));
        });
    }
}

