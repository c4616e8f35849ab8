// The panel Policies: the one that decides, what others would have made of the same requests, and the change to another.

import { changeId } from './api.js';
import { button, confirm, duration, element, facts, labelled, named, number, percent, resourceWord, select, shown, table } from './dom.js';

const FIGURES = [
    ['Arrived', 'arrived', number], ['Placed', 'placed', number], ['Rejected', 'rejected', number], ['Gave up', 'gaveUp', number],
    ['Moves', 'migrated', number], ['Waiting', 'waiting', number], ['Running', 'running', number],
    ['Mean wait', 'meanWaitSeconds', duration], ['Servers in use, mean', 'meanOccupied', number],
];

// The service gives up after a minute.
const PATIENCE_MILLIS = 90_000;

export class Policies {
    #context;
    #catalog = new Map();
    #present = null;
    // Whether the form differs from what decides now; set where it is shown.
    #compare = () => {};
    #now = element('div');
    #other = element('div');

    constructor(context) {
        this.#context = context;
    }

    async open(main) {
        const { api } = this.#context;
        main.append(element('h2', {}, 'Policies'), this.#now, this.#other);
        this.#catalog = new Map((await api.get('/v1/policies')).policies.map(policy => [policy.name, policy]));
        await this.#show();
        this.#showOther();
    }

    again() {
        this.#show().catch(failure => this.#context.live.dispatchEvent(new CustomEvent('failed', { detail: failure })));
    }

    async #show() {
        const present = await this.#context.api.get('/v1/policy');
        const known = this.#catalog.get(present.name);
        this.#present = present;
        this.#compare();
        this.#now.replaceChildren(element('h3', {}, 'Decides now: ', named(present.name)), facts([
            known ? ['What it does', named(known.summary)] : ['From', 'a jar; this node has no description of it'],
            known && ['Guarantee', named(known.guarantee)],
            known && ['Paper', named(known.paper)],
        ]), parameters(known, present.parameters));
    }

    #showOther() {
        const { live } = this.#context;
        const chosen = element('div');
        const names = [...this.#catalog.keys()];
        const show = name => {
            const tried = element('div', { role: 'status' });
            const policy = this.#catalog.get(name);
            const active = name === this.#present.name ? this.#present.parameters : {};
            const value = parameter => active[parameter.name] ?? parameter.defaultValue;
            const inputs = new Map(policy.parameters.map(parameter => [parameter.name, parameter.words.length && !parameter.range.includes(' to ')
                ? select(parameter.words.map(word => [word, word]), value(parameter), () => this.#compare())
                : element('input', { value: value(parameter), autocomplete: 'off', oninput: () => this.#compare() })]));
            const change = button('Switch to it', () => this.#switch(name, inputs));
            this.#compare = () => {
                change.disabled = this.#decides(name, inputs);
                change.title = change.disabled ? 'It decides now, with these parameters' : '';
            };
            chosen.replaceChildren(
                facts([['What it does', named(policy.summary)], ['Guarantee', named(policy.guarantee)], ['Paper', named(policy.paper)]]),
                policy.parameters.length ? table('Parameters', ['Name', 'Value', 'Allowed', 'Meaning'], policy.parameters.map(parameter => {
                    const input = inputs.get(parameter.name);
                    input.setAttribute('aria-label', parameter.name);
                    return [parameter.name, live.status.you.role === 'operator' ? input : value(parameter), shown(parameter.range), shown(parameter.meaning)];
                })) : element('p', {}, 'It has no parameters.'),
                ...(live.status.you.role === 'operator' ? [element('div', { class: 'row' },
                    button('Dry run on the last hour', pressed => this.#dryRun(name, inputs, pressed.currentTarget, tried)),
                    change), tried] : []));
            this.#compare();
        };
        const first = this.#catalog.has(this.#present.name) ? this.#present.name : names[0];
        this.#other.replaceChildren(element('h3', {}, 'All policies'),
            labelled('Policy', select(names.map(name => [name, name]), first, show)), chosen);
        show(first);
    }

    // Whether this policy, with what is in the form, is the one that decides now.
    #decides(name, inputs) {
        const active = this.#present.parameters;
        return name === this.#present.name && [...inputs].every(([key, input]) => input.value.trim()
            === (active[key] ?? this.#catalog.get(name).parameters.find(one => one.name === key).defaultValue));
    }

    #given(name, inputs) {
        return Object.fromEntries([...inputs].map(([key, input]) => [key, input.value.trim()])
            .filter(([key, value]) => value !== this.#catalog.get(name).parameters.find(one => one.name === key).defaultValue));
    }

    async #dryRun(name, inputs, pressed, result) {
        const { api, live } = this.#context;
        pressed.disabled = true;
        result.replaceChildren(element('p', { class: 'quiet' }, 'Replaying the log of this node; up to a minute ...'));
        try {
            const { decided, other } = await api.post('/v1/policy:dryRun', { policy: { name, parameters: this.#given(name, inputs) } }, PATIENCE_MILLIS);
            result.replaceChildren(
                element('p', {}, 'What it would have made of the same requests; nothing is changed. Requests run as long as they ran.'
                    + (Number(other.estimated) ? ' How long is estimated of ' + number(Number(other.estimated)) + ' that were never placed.' : '')),
                comparison(decided, other, live.status.resources));
        } catch (failure) {
            result.replaceChildren(element('p', { class: 'bad' }, shown(failure.message)));
        } finally {
            pressed.disabled = false;
        }
    }

    #switch(name, inputs) {
        const given = this.#given(name, inputs);
        confirm('Switch to ' + name + '?', element('p', {}, 'It takes over what runs and what waits, at once'
            + (Object.keys(given).length ? ', with ' + Object.entries(given).map(([key, value]) => key + '=' + value).join(', ') : '')
            + '. What it would have decided of all requests so far: stowage replay DATA_DIR --policy ' + name + '. The audit trail has who changed it.'),
        async () => {
            await this.#context.api.put('/v1/policy', { change_id: changeId('policy'), policy: { name, parameters: given } });
            await this.#show();
        });
    }
}

/** Figures of two policies, side by side. */
function comparison(one, other, resources) {
    const difference = (a, b, text) => (b - a < 0 ? '-' : '+') + text(Math.abs(b - a));
    return table('Over ' + duration((Number(one.untilNanos) - Number(one.sinceNanos)) / 1e9),
        ['', shown(one.policy), shown(other.policy), 'difference'], [
            ...FIGURES.map(([name, field, text]) => [name, text(Number(one[field])), text(Number(other[field])),
                difference(Number(one[field]), Number(other[field]), text)]),
            ...resources.map((name, r) => ['Mean use of ' + resourceWord(name), percent(one.meanUtilization[r]), percent(other.meanUtilization[r]),
                difference(one.meanUtilization[r], other.meanUtilization[r], percent)]),
            ...(one.failure || other.failure ? [['Stopped counting', named(one.failure, '-'), named(other.failure, '-'), '']] : []),
        ]);
}

export function parameters(known, given) {
    const all = new Map((known?.parameters ?? []).map(parameter => [parameter.name, { ...parameter, value: parameter.defaultValue }]));
    for (const [name, value] of Object.entries(given)) all.set(name, { meaning: '', range: '', ...all.get(name), name, value });
    return all.size === 0 ? element('p', {}, 'It has no parameters.')
        : table('Its parameters', ['Name', 'Value', 'Allowed', 'Meaning'],
            [...all.values()].map(one => [named(one.name), named(one.value), shown(one.range), shown(one.meaning)]));
}
