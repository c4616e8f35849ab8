// Servers as cells with what they mean: blocks by site and label, colours, a legend, and a line about one of them.

import { Cells } from './cells.js';
import { amount, amounts, element, labelled, named, number, percent, resourceWord, select, shown } from './dom.js';

export const STATUS = ['up', 'draining', 'gone', 'suspected', 'returning'];
const GONE = STATUS.indexOf('gone');
const STRANDED = '(stranded)';
const MOST_GROUPS = 60;

const ramp = () => element('span', { class: 'ramp', 'aria-hidden': 'true' });

// Amounts come as text, since they may be larger than a script's whole numbers.
export function parsed(occupancy) {
    occupancy.free = occupancy.free.map(Number);
    occupancy.kinds.forEach(kind => { kind.capacity = kind.capacity.map(Number); });
    return occupancy;
}

// What is shown of each server: {resource, label, demand}. Changes it when something else is chosen.
export function choices(occupancy, chosen, changed) {
    const keys = labels(occupancy);
    return [
        labelled('Colour', select([...occupancy.resources.map(name => [name, 'use of ' + resourceWord(name)]), [STRANDED, 'stranded']],
            chosen.resource, value => { chosen.resource = value; changed(); })),
        labelled('Grouped by', select([['', 'site'], ...keys.map(key => [key, 'site and ' + key])], chosen.label,
            value => { chosen.label = value; changed(); })),
    ];
}

function labels(occupancy) {
    const values = new Map();
    for (const kind of occupancy.kinds) {
        for (const [key, value] of Object.entries(kind.labels)) {
            if (!values.has(key)) values.set(key, new Set());
            values.get(key).add(value);
        }
    }
    return [...values].filter(([, found]) => found.size <= MOST_GROUPS).map(([key]) => key).sort();
}

export class Grid {
    #cells;
    #occupancy = null;
    line = element('p', { class: 'line', role: 'status', 'aria-live': 'polite' });
    legend = element('div', { class: 'legend' });

    // name: of the servers, where there are several grids; height: which part of the window's height they take.
    constructor(open, name = '', height = undefined) {
        this.#cells = new Cells(open, server => this.#tell(server), name, height);
    }

    get element() {
        return this.#cells.element;
    }

    choose(server) {
        this.#cells.choose(server);
    }

    draw() {
        this.#cells.draw();
    }

    // Free, but of no use for a middle request: the part of a server's capacity that is left though something else is used up.
    #stranded(server, kind, demand) {
        const { resources, free } = this.#occupancy;
        const width = resources.length;
        const lacks = demand.some((need, r) => need > 0 && kind.capacity[r] > 0 && free[server * width + r] < need);
        if (!lacks) return 0;
        return Math.max(...kind.capacity.map((all, r) => all > 0 && free[server * width + r] >= demand[r]
            ? free[server * width + r] / all : 0));
    }

    // touched: servers that have just changed, each with when; the same object each time.
    show(occupancy, chosen, touched) {
        this.#occupancy = occupancy;
        const { resources, kinds, kind, status, free } = occupancy;
        const width = resources.length;
        const resource = resources.indexOf(chosen.resource);
        const values = new Array(kind.length);
        const groups = kinds.map(() => []);
        const counted = STATUS.map(() => 0);
        for (let server = 0; server < kind.length; server++) {
            const its = kinds[kind[server]];
            const all = its.capacity[resource];
            values[server] = status[server] === GONE ? NaN : chosen.resource === STRANDED ? this.#stranded(server, its, chosen.demand)
                : all > 0 ? 1 - free[server * width + resource] / all : NaN;
            groups[kind[server]].push(server);
            counted[status[server]]++;
        }
        this.#cells.show(this.#blocks(groups, values, chosen), values, status, touched);
        this.element.dataset.servers = kind.length;
        this.legend.replaceChildren(
            ...chosen.resource === STRANDED
                ? ['nothing stranded', ramp(), 'all of it', 'Free, but of no use for a middle request: '
                    + resources.map((name, r) => amount(chosen.demand[r], name)).map(shown).join(', ')]
                : ['free', ramp(), 'full'],
            ...STATUS.map((name, i) => [name, counted[i]]).filter(([name, n]) => n > 0 || name === 'up')
                .map(([name, n]) => element('span', { class: 'key ' + name }, number(n) + ' ' + name)));
    }

    // Kinds of one title are one block, its servers by number.
    #blocks(groups, values, chosen) {
        const { kinds, status } = this.#occupancy;
        const byTitle = new Map();
        const what = chosen.resource === STRANDED ? 'stranded' : 'use of ' + resourceWord(chosen.resource);
        kinds.forEach((one, k) => {
            const title = shown(one.site + (chosen.label ? ', ' + chosen.label + ' = ' + (one.labels[chosen.label] ?? '(none)') : ''));
            byTitle.set(title, byTitle.has(title) ? byTitle.get(title).concat(groups[k]) : groups[k]);
        });
        return [...byTitle].sort(([a], [b]) => a < b ? -1 : 1).map(([title, servers]) => {
            servers.sort((a, b) => a - b);
            let sum = 0;
            let present = 0;
            for (const server of servers) {
                if (!Number.isFinite(values[server])) continue;
                sum += values[server];
                present++;
            }
            const gone = servers.filter(server => status[server] === GONE).length;
            const here = servers.length - gone;
            return { title: title + ': ' + number(here) + (here === 1 ? ' server' : ' servers') + (present ? ', ' + what + ' ' + percent(sum / present) : '')
                + (gone ? '; ' + number(gone) + ' gone' : ''), servers };
        });
    }

    #tell(server) {
        if (server < 0) {
            this.line.replaceChildren();
            return;
        }
        const { resources, kinds, kind, status, free, running } = this.#occupancy;
        const width = resources.length;
        const left = Object.fromEntries(resources.map((name, r) => [name, free[server * width + r]]));
        this.line.replaceChildren('Server ' + server + ' in ', named(kinds[kind[server]].site), ': ' + STATUS[status[server]]
            + (status[server] === GONE ? '' : ', ' + number(running[server]) + ' running, free ' + amounts(left, true)));
    }
}
