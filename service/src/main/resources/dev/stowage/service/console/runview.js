// One recorded run at a moment: its policy, figures, servers as cells, decisions, and one of its servers or requests in detail.

import { button, duration, element, facts, named, number, percent, problem, resourceWord, shown, table } from './dom.js';
import { Grid, parsed } from './grid.js';
import { place, requestLink } from './links.js';
import { parameters } from './policies.js';
import { requestDetail } from './request.js';
import { serverDetail } from './server.js';

const BEFORE = 14;
const BEHIND = 5;
const HEIGHT = 0.36;

export class RunView {
    #run;
    #api;
    #context;
    #resources;
    #go;
    #now;
    #grid;
    #tiles = element('div', { class: 'tiles' });
    #decided = element('div', { class: 'decided' });
    #detail = element('aside', { class: 'detail', 'aria-label': 'Detail', hidden: true });
    #box;
    #touched = new Map();
    #opened = null;
    #decisions = { past: [], coming: [] };
    moment = null;
    #before = null;

    // now: of the moment that is shown, as text; go: to another one.
    constructor(api, index, run, resources, info, clock, now, go) {
        this.#run = run;
        this.#resources = resources;
        this.#go = go;
        this.#now = now;
        // Calls are those of the service, about this run at this moment.
        this.#api = { get: (path, query) => api.get(path, { ...query, run: index, at: now() }) };
        const status = { you: { role: 'reader', allTenants: true, tenants: [] }, deviceResource: run.deviceResource, deviceAmount: run.deviceAmount };
        this.#context = { api: this.#api, clock, live: { status, all: true, finished: true } };
        this.#grid = new Grid(server => this.#choose({ server }), shown(run.name), HEIGHT);
        this.#box = element('section', { class: 'run', 'aria-label': shown(run.name) },
            element('h3', {}, named(run.name)), policy(run, info), this.#tiles, this.#grid.legend, this.#grid.element, this.#grid.line,
            this.#detail, this.#decided);
        this.#box.addEventListener('click', event => this.#follow(event));
    }

    get element() {
        return this.#box;
    }

    // The moment, with what was decided around it.
    async load(at) {
        const [moment, decisions] = await Promise.all([
            this.#api.get('/v1/moment', this.#before === null ? {} : { since: this.#before }),
            this.#api.get('/v1/decisions', { before: BEFORE, behind: BEHIND })]);
        this.#before = at;
        this.moment = parsed(moment);
        this.#decisions = decisions;
        const now = performance.now();
        // Where a tenth of all has changed frames around them tell nothing.
        if (moment.touched.length * 10 > moment.kind.length) this.#touched.clear();
        else for (const server of moment.touched) this.#touched.set(server, now);
        if (this.#opened) this.#open();
    }

    show(chosen) {
        this.#grid.show(this.moment, chosen, this.#touched);
        const { figures } = this.moment;
        this.#tiles.replaceChildren(...[
            [number(figures.waiting), 'wait'], [number(figures.running), 'run'], [number(figures.inUse), 'servers in use'],
            ...this.#resources.map((name, r) => [figures.use[r] === null ? '-' : percent(figures.use[r]), 'of ' + resourceWord(name) + ' used']),
            [figures.meanWaitSeconds === undefined ? '-' : duration(figures.meanWaitSeconds), 'mean wait until now'],
        ].map(([value, name]) => element('div', { class: 'tile' }, element('b', {}, value), element('span', {}, name))));
        this.#showDecisions();
    }

    #showDecisions() {
        const row = (each, coming) => [
            button(this.#context.clock.time(each.atNanos).textContent, () => this.#go(each.atNanos), { class: 'plain' }),
            each.requestId === '' ? '' : requestLink({ tenant: '', requestId: each.requestId }),
            element('span', { class: coming ? 'quiet' : each.atNanos === this.#now() ? 'present' : '' }, each.what),
            each.server < 0 ? '-' : element('span', {}, each.fromServer >= 0 ? each.fromServer + ' to ' : '', place(each)),
            named(each.reason, '')];
        const { past, coming } = this.#decisions;
        this.#decided.replaceChildren(
            table('What was decided until now, the newest first', ['Time', 'Request', 'What', 'Server', 'Reason'], past.map(each => row(each, false))),
            coming.length ? table('What comes next', ['Time', 'Request', 'What', 'Server', 'Reason'], coming.map(each => row(each, true)))
                : element('p', { class: 'quiet' }, 'Nothing comes after this.'));
    }

    // Links to requests and servers open here, beside their run.
    #follow(event) {
        const link = event.target.closest('a[href^="#"]');
        if (!link) return;
        event.preventDefault();
        const query = new URLSearchParams(link.getAttribute('href').split('?')[1]);
        this.#choose(query.has('server') ? { server: Number(query.get('server')) } : { request: query.get('id') });
    }

    #choose(what) {
        this.#opened = what;
        this.#grid.choose(what.server ?? -1);
        this.#open().then(() => this.#detail.querySelector('h3')?.focus());
    }

    async #open() {
        const opened = this.#opened;
        const close = button('Close', () => {
            this.#opened = null;
            this.#detail.hidden = true;
            this.#grid.choose(-1);
            this.#grid.element.focus();
        });
        let content;
        try {
            content = opened.server !== undefined ? await serverDetail(this.#context, opened.server, () => {})
                : await requestDetail(this.#context, '', opened.request, () => {});
        } catch (failure) {
            content = [element('h3', { tabindex: '-1' }, opened.server !== undefined ? 'Server ' + opened.server : 'Request ' + shown(opened.request)),
                problem(failure)];
        }
        if (this.#opened !== opened) return;
        this.#detail.replaceChildren(close, ...content);
        this.#detail.hidden = false;
    }
}

function policy(run, info) {
    const given = Object.entries(run.policy.parameters).map(([key, value]) => key + '=' + value).join(', ');
    return element('details', {},
        element('summary', {}, named(run.policy.name), given ? ': ' + shown(given) : ''),
        facts([
            info ? ['What it does', named(info.summary)] : ['From', 'a jar; this program has no description of it'],
            info && ['Guarantee', named(info.guarantee)],
            info && ['Paper', named(info.paper)],
            ['Recording', number(run.commands) + ' commands, digest ' + shown(run.digest)
                + (run.whole ? run.agrees ? ', the same as recorded' : ', which is not what was recorded' : '; its run was interrupted')],
        ]), parameters(info, run.policy.parameters));
}
