// A recorded run at any of its moments: a slider over time, the servers as cells, what was decided and why. Two runs go in step.

import { Api } from './api.js';
import { Chart } from './chart.js';
import { button, duration, element, labelled, named, number, percent, problem, resourceWord, select, shown, table } from './dom.js';
import { choices } from './grid.js';
import { RunView } from './runview.js';

// Places of the slider.
const PLACES = 10000;
// How long a whole run is played, seconds.
const LENGTHS = [['15', '15 s'], ['60', '1 min'], ['300', '5 min'], ['1200', '20 min']];
const FIGURES = [
    ['Arrived', 'arrived', number], ['Placed', 'placed', number], ['Rejected', 'rejected', number], ['Gave up', 'gaveUp', number],
    ['Moves', 'moved', number], ['Mean wait until now', 'meanWaitSeconds', duration], ['Waiting now', 'waiting', number],
    ['Running now', 'running', number], ['Servers in use now', 'inUse', number],
];

const byId = id => document.getElementById(id);
const api = new Api();

// Time since the first command: days, then hours, minutes and seconds.
export function sinceStart(seconds, digits = 3) {
    const whole = Math.floor(seconds);
    const two = value => String(value).padStart(2, '0');
    const days = Math.floor(whole / 86400);
    const part = digits && seconds % 1 ? (seconds % 1).toFixed(digits).slice(1) : '';
    return (days ? days + ' d ' : '') + two(Math.floor(whole / 3600) % 24) + ':' + two(Math.floor(whole / 60) % 60) + ':' + two(whole % 60) + part;
}

class Stepper {
    #about;
    #views;
    #at;
    #from;
    #until;
    #wanted = null;
    #busy = false;
    #jumps = 0;
    #steps = Promise.resolve();
    #playing = 0;
    #seconds = '60';
    #chosen = { resource: '', label: '', demand: [] };
    #slider;
    #time = element('output', { class: 'moment', 'aria-live': 'off' });
    #play = button('Play', () => this.#toggle());
    #compared = element('div');
    #charts = [];
    // How many moments were shown.
    moments = 0;

    async open(main, about, catalog) {
        this.#about = about;
        this.#from = BigInt(about.fromNanos);
        this.#until = BigInt(about.untilNanos);
        this.#at = this.#from;
        const clock = { now: () => Number(this.#at), time: nanos => element('time', {}, this.#text(nanos)) };
        this.#views = about.runs.map((run, i) => new RunView(api, i, run, about.resources, catalog.get(run.policy.name), clock, () => String(this.#at),
            at => this.#go(BigInt(at))));
        this.#slider = element('input', { type: 'range', min: 0, max: PLACES, value: 0, step: 1, class: 'slider', oninput: () => this.#slid() });
        this.#chosen = { resource: about.resources[0], label: '', demand: about.runs[0].medianDemand.map(Number) };
        const controls = element('div', { class: 'controls' });
        main.append(element('h2', {}, about.runs.map(run => shown(run.name)).join(' beside ')),
            element('div', { class: 'transport' },
                element('div', { class: 'row' },
                    button('First', () => this.#jump(this.#from)), button('Back', () => this.#step(false), { 'aria-label': 'Back to the previous decision' }),
                    this.#play, button('Next', () => this.#step(true), { 'aria-label': 'Next decision' }), button('Last', () => this.#jump(this.#until)),
                    labelled('The whole run in', select(LENGTHS, this.#seconds, value => { this.#seconds = value; })), this.#time),
                labelled('Time', this.#slider)),
            controls,
            element('div', { class: 'runs' + (this.#views.length > 1 ? ' two' : '') }, this.#views.map(view => view.element)),
            this.#compared, element('div', { class: 'charts', id: 'charts' }));
        addEventListener('keydown', event => this.#key(event));
        await this.#show();
        controls.append(...choices(this.#views[0].moment, this.#chosen, () => this.#views.forEach(view => view.show(this.#chosen))));
        await this.#curves();
    }

    #text(nanos) {
        return sinceStart(Math.max(0, Number(BigInt(nanos) - this.#from) / 1e9));
    }

    // The one asked for last is shown; those between are left out where they come faster than they can be shown.
    #go(at) {
        this.#wanted = at < this.#from ? this.#from : at > this.#until ? this.#until : at;
        return this.#busy ? Promise.resolve() : this.#showWanted();
    }

    async #showWanted() {
        this.#busy = true;
        try {
            while (this.#wanted !== null) {
                this.#at = this.#wanted;
                this.#wanted = null;
                await this.#show();
            }
            byId('blip').hidden = true;
        } catch (failure) {
            this.#stop();
            byId('blip').replaceChildren(shown(failure.message));
            byId('blip').hidden = false;
        } finally {
            this.#busy = false;
        }
    }

    async #show() {
        await Promise.all(this.#views.map(view => view.load(String(this.#at))));
        this.#views.forEach(view => view.show(this.#chosen));
        const text = this.#text(this.#at);
        this.#time.textContent = text;
        const span = this.#until - this.#from;
        this.#slider.value = span === 0n ? 0 : Number((this.#at - this.#from) * BigInt(PLACES) / span);
        this.#slider.setAttribute('aria-valuetext', text);
        this.#charts.forEach(chart => chart.mark(this.#chartTime(this.#at)));
        if (this.#views.length > 1) this.#compare();
        this.moments++;
    }

    #slid() {
        this.#stop();
        this.#jump(this.#from + (this.#until - this.#from) * BigInt(this.#slider.value) / BigInt(PLACES));
    }

    // What was asked for before and is not answered yet counts no longer.
    #jump(at) {
        this.#jumps++;
        return this.#go(at);
    }

    // One after the other: each begins where the one before has led.
    #step(forward) {
        this.#stop();
        const jumps = this.#jumps;
        this.#steps = this.#steps.then(async () => {
            if (jumps !== this.#jumps) return;
            try {
                const next = await api.get('/v1/step', { at: String(this.#wanted ?? this.#at), forward: String(forward) });
                if (jumps !== this.#jumps) return;
                await this.#go(next.atNanos === undefined ? (forward ? this.#until : this.#from) : BigInt(next.atNanos));
            } catch (failure) {
                byId('blip').replaceChildren(shown(failure.message));
                byId('blip').hidden = false;
            }
        });
        return this.#steps;
    }

    #toggle() {
        if (this.#playing) {
            this.#stop();
            return;
        }
        if (this.#at >= this.#until) this.#at = this.#from;
        this.#jumps++;
        this.#play.textContent = 'Pause';
        let before = performance.now();
        const frame = async now => {
            if (!this.#playing) return;
            const part = Math.max(0, now - before) / (1000 * Number(this.#seconds));
            before = now;
            const ahead = BigInt(Math.round(part * Number(this.#until - this.#from)));
            await this.#go(this.#at + ahead);
            if (this.#at >= this.#until) this.#stop();
            if (this.#playing) this.#playing = requestAnimationFrame(frame);
        };
        this.#playing = requestAnimationFrame(frame);
    }

    #stop() {
        cancelAnimationFrame(this.#playing);
        this.#playing = 0;
        this.#play.textContent = 'Play';
    }

    // What a control does with a key itself is left to it.
    #key(event) {
        const own = event.target.closest('input, select, button, a, canvas, [tabindex="0"]');
        if (event.altKey || event.ctrlKey || event.metaKey || (own && !(own === this.#slider && event.key === ' '))) return;
        const act = { ' ': () => this.#toggle(), ArrowRight: () => this.#step(true), ArrowLeft: () => this.#step(false),
            Home: () => this.#jump(this.#from), End: () => this.#jump(this.#until) }[event.key];
        if (act) {
            event.preventDefault();
            act();
        }
    }

    #compare() {
        const [one, other] = this.#views.map(view => view.moment.figures);
        const text = (figures, field, write) => figures[field] === undefined ? '-' : write(figures[field]);
        const less = (a, b, write) => a === undefined || b === undefined ? '-' : (b - a < 0 ? '-' : '+') + write(Math.abs(b - a));
        this.#compared.replaceChildren(table('Both at this moment', ['', ...this.#about.runs.map(run => shown(run.name)), 'difference'], [
            ...FIGURES.map(([name, field, write]) => [name, text(one, field, write), text(other, field, write), less(one[field], other[field], write)]),
            ...this.#about.resources.map((name, r) => ['Use of ' + resourceWord(name), percent(one.use[r]), percent(other.use[r]), less(one.use[r], other.use[r], percent)]),
        ]));
    }

    #chartTime(nanos) {
        return Number(BigInt(nanos) - this.#from) / 1e9;
    }

    async #curves() {
        const all = await Promise.all(this.#about.runs.map((run, i) => api.get('/v1/curves', { run: i })));
        // The same times for all: each curve holds its value until its next point.
        const times = [...new Set(all.flatMap(one => one.times))].map(at => this.#chartTime(at)).sort((a, b) => a - b);
        const held = (one, values) => {
            const at = one.times.map(each => this.#chartTime(each));
            let i = -1;
            return times.map(each => {
                while (i + 1 < at.length && at[i + 1] <= each) i++;
                return i < 0 ? null : values[i];
            });
        };
        const write = at => sinceStart(at, 0);
        const pick = at => { this.#stop(); this.#go(this.#from + BigInt(Math.round(at * 1e9))); };
        const curves = [['Requests that wait', false, one => one.waiting], ['Servers in use', false, one => one.inUse],
            ...this.#about.resources.map((name, r) => ['Use of ' + resourceWord(name), true, one => one.use.map(each => each[r])])];
        this.#charts = curves.map(([title, part]) => new Chart(title, part, write, pick));
        byId('charts').replaceChildren(...this.#charts.map(chart => chart.element));
        await Promise.all(curves.map(([, , values], c) => this.#charts[c].show(times,
            all.map((one, i) => ({ name: shown(this.#about.runs[i].name), values: held(one, values(one)) })))));
        this.#charts.forEach(chart => chart.mark(this.#chartTime(this.#at)));
    }
}

const stepper = new Stepper();
// For measurements from outside.
globalThis.stowage = { stepper };
try {
    const [about, { policies }] = await Promise.all([api.get('/v1/runs'), api.get('/v1/policies')]);
    byId('run').append('A finished run. ', element('kbd', {}, 'Space'), ' plays, ', element('kbd', {}, '\u2190'), ' ', element('kbd', {}, '\u2192'),
        ' go to the next decision.');
    await stepper.open(byId('main'), about, new Map(policies.map(policy => [policy.name, policy])));
} catch (failure) {
    byId('main').append(problem(failure));
}
