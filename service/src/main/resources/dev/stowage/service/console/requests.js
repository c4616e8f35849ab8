// The panel Requests: found by id, tenant, state, server and age.

import { button, duration, element, labelled, named, number, problem, seconds, select, shown, table } from './dom.js';
import { place, requestLink } from './links.js';
import { requestDetail } from './request.js';

const PAGE = 100;
// The service looks through 100,000 requests for a page; so many such pages are asked for at once.
const MOST_PAGES = 20;
const AGES = [['', 'any age'], ['60', 'older than a minute'], ['3600', 'older than an hour'], ['86400', 'older than a day'], ['604800', 'older than a week']];
const STATES = [['', 'any state'], ...['WAITING', 'RUNNING', 'RELEASED', 'REJECTED', 'EXPIRED'].map(state => [state, state.toLowerCase()])];

// How it lost the server that it ran on last.
function lost({ displaced }) {
    return displaced ? ['; lost server ', displaced.serverName ? named(displaced.serverName) : String(displaced.server), ': ', named(displaced.reason)] : [];
}

export class Requests {
    #context;
    #found = element('div', { class: 'grow' });
    #detail = element('aside', { class: 'detail', 'aria-label': 'Request', hidden: true });
    #asked = {};
    #turn = 0;
    #opened = null;
    #fresh = element('p', { role: 'status', class: 'quiet' });
    #inputs = {};

    constructor(context) {
        this.#context = context;
    }

    async open(main, query) {
        const { live } = this.#context;
        const you = live.status.you;
        const input = (name, size, hint) => this.#inputs[name] = element('input', { type: 'search', autocomplete: 'off', size, placeholder: hint });
        this.#inputs.state = select(STATES, '', () => {});
        this.#inputs.age = select(AGES, '', () => {});
        const form = element('form', { class: 'controls', onsubmit: event => { event.preventDefault(); this.#search(); } },
            labelled('Id has', input('id', 16, 'any')),
            you.allTenants && labelled('Tenant', input('tenant', 12, 'all')),
            labelled('State', this.#inputs.state),
            labelled('Server', input('server', 10, 'any')),
            labelled('Age', this.#inputs.age),
            element('button', {}, 'Find'));
        main.append(element('h2', {}, 'Requests'), form, this.#fresh, element('div', { class: 'beside' }, this.#found, this.#detail));
        this.navigate(query);
        await this.#search();
    }

    // The address names a request: it is shown.
    navigate(query) {
        if (query.id !== undefined) this.#show(query.tenant ?? '', query.id);
    }

    close() {
        this.#turn = -1;
    }

    changes(changed) {
        if (this.#opened && changed.some(request => request.requestId === this.#opened.id && request.tenant === this.#opened.tenant)) {
            this.#show(this.#opened.tenant, this.#opened.id);
        }
        this.#fresh.textContent = 'Requests change; Find looks again.';
    }

    again() {
        this.#search();
    }

    #query() {
        const { live } = this.#context;
        const value = name => this.#inputs[name]?.value.trim() ?? '';
        const tenant = live.tenant ?? (value('tenant') === '' ? undefined : value('tenant'));
        const age = Number(value('age'));
        return {
            ...(tenant === undefined ? { all_tenants: true } : { tenant }),
            id_part: value('id'), state: value('state'), server_name: value('server'),
            arrived_until_nanos: age ? String(BigInt(Date.now() - age * 1000) * 1000000n) : undefined,
        };
    }

    async #search() {
        const turn = ++this.#turn;
        this.#fresh.textContent = '';
        try {
            this.#asked = this.#query();
            const { rows, next, pages } = await this.#pages('', turn);
            if (turn !== this.#turn) return;
            this.#list(rows, next, pages);
        } catch (failure) {
            if (turn === this.#turn) this.#found.replaceChildren(problem(failure));
        }
    }

    async #pages(token, turn) {
        const rows = [];
        let next = token;
        let pages = 0;
        do {
            const page = await this.#context.api.get('/v1/requests', { ...this.#asked, page_size: PAGE - rows.length, page_token: next });
            rows.push(...page.requests);
            next = page.nextPageToken;
            pages++;
        } while (rows.length < PAGE && next !== '' && pages < MOST_PAGES && turn === this.#turn);
        return { rows, next, pages };
    }

    #list(rows, next, pages) {
        const now = Date.now() * 1e6;
        const { live } = this.#context;
        this.#found.replaceChildren(
            table(rows.length ? number(rows.length) + ' requests' + (next === '' ? '' : ', and there are more') : 'No such request', ['Request', 'Tenant', 'State', 'Server', 'Age', 'Rule'],
                rows.map(request => [requestLink(request), named(request.tenant),
                    element('span', { class: 'state ' + request.state.toLowerCase() }, request.state.toLowerCase()),
                    live.all ? place(request) : request.server < 0 ? '-' : String(request.server),
                    duration(Math.max(0, seconds(request.arrivedAtNanos, now))), [named(request.reason, ''), ...lost(request)]])),
            next === '' ? '' : button(rows.length === PAGE ? 'The next ones' : 'Look on (' + pages + ' pages were looked through)',
                async () => {
                    const turn = ++this.#turn;
                    const more = await this.#pages(next, turn);
                    if (turn === this.#turn) this.#list(more.rows, more.next, more.pages);
                }));
    }

    async #show(tenant, id) {
        const opened = { tenant, id };
        const before = this.#opened;
        this.#opened = opened;
        const close = button('Close', () => {
            this.#opened = null;
            this.#detail.hidden = true;
        });
        try {
            const content = await requestDetail(this.#context, tenant, id, () => this.#show(tenant, id));
            if (this.#opened === opened) this.#detail.replaceChildren(close, ...content);
        } catch (failure) {
            if (this.#opened === opened) this.#detail.replaceChildren(close, element('h3', {}, shown(id)), problem(failure));
        }
        this.#detail.hidden = this.#opened === null;
        if (before?.id !== id) this.#detail.querySelector('h3')?.focus();
    }
}
