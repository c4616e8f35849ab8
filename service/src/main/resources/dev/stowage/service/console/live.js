// What happens now: the node's status, asked for again and again, and the changes of requests as they come.

import { seconds } from './dom.js';
import { Poll } from './poll.js';

const STATUS_MILLIS = 2000;
// Times of waiting and arrival are kept for so long, and so many.
export const WINDOW_SECONDS = 300;
const MOST_WAITS = 50000;
const MOST_KNOWN = 100000;
// A page that is not seen lets go of the service after this.
const HIDDEN_MILLIS = 20000;
// A reply with more changes is worked off in pieces, so that the page answers meanwhile.
const PIECE = 500;

export class Live extends EventTarget {
    #api;
    #watching = null;
    #position;
    #known = new Map();
    #hide = 0;
    // A token that is taken no more is asked for once: nothing is asked again before there is another.
    #polls = new Poll(() => STATUS_MILLIS, () => this.#look().catch(failure => {
        this.dispatchEvent(new CustomEvent('failed', { detail: failure }));
        return false;
    }));
    status = null;
    tenant = null;
    changes = 0;
    waits = [];
    samples = [];
    // Per second since 1970: how many arrived, and from which second on that is known.
    arrivals = new Map();
    arrivalsFrom = 0;
    // Servers that changed, each with when.
    touched = new Map();

    constructor(api) {
        super();
        this.#api = api;
        document.addEventListener('visibilitychange', () => this.#visible());
        api.addEventListener('forgotten', () => this.dispatchEvent(new Event('again')));
    }

    get all() {
        return this.status.you.allTenants && this.tenant === null;
    }

    // What a list or a watch is asked for.
    get scope() {
        return this.tenant === null ? {} : { tenant: this.tenant };
    }

    // Changes where the log moved, as far as this page knows.
    get moved() {
        return this.#position + ' ' + this.status.applied;
    }

    async start() {
        await this.#look();
        const you = this.status.you;
        if (!you.allTenants && !you.tenants.includes(this.tenant)) this.tenant = you.tenants[0];
        this.#beginNow();
        this.#polls.begin();
    }

    choose(tenant) {
        this.tenant = tenant;
        this.waits = [];
        this.arrivals.clear();
        this.#known.clear();
        this.#beginNow();
        this.dispatchEvent(new Event('again'));
    }

    #beginNow() {
        this.arrivalsFrom = Math.floor(Date.now() / 1000);
        this.#begin(this.status.applied);
    }

    #begin(position) {
        this.#watching?.abort();
        this.#watching = new AbortController();
        this.#position = position;
        const signal = this.#watching.signal;
        this.#api.watch(this.scope, position, reply => this.#take(reply, signal), signal)
            .catch(failure => this.dispatchEvent(new CustomEvent('failed', { detail: failure })));
    }

    #visible() {
        clearTimeout(this.#hide);
        if (document.hidden) {
            this.#hide = setTimeout(() => {
                this.#watching?.abort();
                this.#watching = null;
            }, HIDDEN_MILLIS);
        } else if (this.status && !this.#watching) {
            // It goes on where it stopped; if that is forgotten meanwhile, the panels ask anew.
            this.#begin(this.#position);
            this.dispatchEvent(new Event('again'));
        }
    }

    async #look() {
        try {
            this.status = await this.#api.get('/v1/status');
            this.#api.knows(Object.values(this.status.apis));
            this.samples.push({ at: Date.now() / 1000, status: this.status });
            while (this.samples[0].at < Date.now() / 1000 - WINDOW_SECONDS) this.samples.shift();
            this.dispatchEvent(new Event('status'));
        } catch (failure) {
            if (!this.status || failure.status === 401) throw failure;
            this.dispatchEvent(new CustomEvent('lost', { detail: failure }));
        }
    }

    async #take(reply, signal) {
        this.#position = reply.position;
        for (let from = 0; from < reply.changes.length; from += PIECE) {
            reply.changes.slice(from, from + PIECE).forEach(request => this.#note(request));
            if (from > 0) await new Promise(done => setTimeout(done));
            if (signal.aborted) return;
        }
        if (reply.changes.length) this.dispatchEvent(new CustomEvent('changes', { detail: reply.changes }));
    }

    #note(request) {
        this.changes++;
        const before = this.#known.get(request.number);
        const second = Math.floor(Number(request.arrivedAtNanos) / 1e9);
        if (before === undefined && request.arrivedAtNanos === request.sinceNanos) {
            this.arrivals.set(second, (this.arrivals.get(second) ?? 0) + 1);
            for (const old of this.arrivals.keys()) {
                if (old >= second - WINDOW_SECONDS) break;
                this.arrivals.delete(old);
            }
        }
        // Its first server: one that was moved, placed again or started since has waited before.
        const first = request.state === 'RUNNING' && request.attempt <= 1 && !request.unconfirmed
            && (before === undefined || before === 'WAITING') && (!request.agent || request.phase === 'PLACED');
        if (first) {
            this.waits.push({ at: Number(request.sinceNanos) / 1e9, type: request.type, tenant: request.tenant,
                seconds: seconds(request.arrivedAtNanos, request.sinceNanos) });
            if (this.waits.length > MOST_WAITS) this.waits.splice(0, MOST_WAITS / 10);
        }
        if (request.server >= 0) this.touched.set(request.server, performance.now());
        this.#known.delete(request.number);
        if (request.state === 'WAITING' || request.state === 'RUNNING') {
            this.#known.set(request.number, request.state);
            if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value);
        }
    }
}
