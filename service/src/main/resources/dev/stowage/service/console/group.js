// The panel Group: the nodes of the service, how far each is, and who changed what.

import { auditCell } from './audit.js';
import { button, confirm, duration, element, facts, named, number, problem, shown, table, time } from './dom.js';
import { Poll } from './poll.js';

const EVERY_MILLIS = 3000;
const SOON_SECONDS = 30 * 86400;

export class Group {
    #context;
    #nodes = element('div');
    #more = element('div');
    #audit = element('div');
    #polls = new Poll(() => EVERY_MILLIS, () => this.#show().catch(failure => this.#more.replaceChildren(problem(failure))));

    constructor(context) {
        this.#context = context;
    }

    async open(main) {
        main.append(element('h2', {}, 'Group'), this.#nodes, this.#more, this.#audit);
        await this.#show();
        this.#polls.begin();
    }

    close() {
        this.#polls.end();
    }

    again() {
        this.#polls.now();
    }

    async #show() {
        const { api, live } = this.#context;
        const { apis } = live.status;
        const names = Object.keys(apis).length ? Object.keys(apis).sort() : [live.status.node];
        // Each node speaks for itself; one that does not answer is told by the others.
        const all = await Promise.all(names.map(name => apis[name]
            ? api.get('/v1/status', {}, apis[name]).catch(() => null) : Promise.resolve(live.status)));
        this.#showNodes(names, all);
        const present = all.find(each => each?.role === 'leader') ?? live.status;
        this.#more.replaceChildren(facts([
            ['Group', named(present.group, 'none yet')], ['Term', number(present.term)], ['Committed', 'up to log position ' + number(present.committed)],
            live.status.you.allTenants && ['Not yet in the log', number(present.queuedOperations) + ' operations'],
            live.status.you.allTenants && ['Checked', 'same decisions up to log position ' + number(present.checked) + ', digest ' + present.digest],
            ['Clock', Math.abs(Number(present.clockAheadNanos)) > 1e9 ? (Number(present.clockAheadNanos) > 0 ? 'ahead by ' : 'behind by ')
                + duration(Math.abs(Number(present.clockAheadNanos)) / 1e9) : 'agrees with the log'],
        ]));
        if (live.status.you.allTenants) await this.#showAudit();
    }

    #showNodes(names, all) {
        const { live } = this.#context;
        const leader = all.find(each => each && each.members.some(member => Number(member.behind) >= 0));
        const operator = live.status.you.role === 'operator';
        const heads = ['Node', 'Role', 'Serves', 'Log position', 'Entries behind', 'Last heard', 'Snapshot at', 'Certificate ends', ...(operator ? [''] : [])];
        this.#nodes.replaceChildren(table('Nodes', heads, names.map((name, i) => {
            const status = all[i];
            const member = leader?.members.find(each => each.node === name);
            if (!status) {
                return [named(name), element('strong', { class: 'bad' }, 'silent'), 'no', '-', member ? number(member.behind) : '-',
                    member ? heard(member) : '-', '-', '-', ...(operator ? [''] : [])];
            }
            const leads = leader?.node === name;
            return [named(name), leads ? element('strong', {}, 'leader') : shown(status.role.toLowerCase()),
                status.ready ? 'yes' : element('span', { class: 'bad' }, 'no: ' + shown(status.halted || status.waits || 'catching up')),
                number(status.applied), number(leads ? 0 : member ? member.behind : status.behind),
                leads ? '-' : member ? heard(member) : '-', Number(status.snapshot) < 0 ? 'none' : number(status.snapshot),
                certificate(status.certificateUntilNanos),
                ...(operator ? [leads || names.length === 1 ? '' : button('Lead', () => this.#lead(name), { 'aria-label': 'Let ' + shown(name) + ' lead' })] : [])];
        })));
    }

    #lead(name) {
        confirm('Hand leadership to ' + name + '?', element('p', {}, 'Calls that come meanwhile are answered a moment later.'), async () => {
            await this.#context.api.post('/v1/leader', { to: name });
            await this.#show();
        });
    }

    async #showAudit() {
        const { lines } = await this.#context.api.get('/v1/audit');
        this.#audit.replaceChildren(lines.length === 0 ? element('p', {}, 'The audit trail is empty.')
            : table('Audit trail, the newest first', ['When', 'Log position', 'Who', 'What', 'Result'], lines.slice(-200).reverse().map(line => [
                time(line.atNanos), number(line.position), named(line.actor), auditCell(line.change, this.#context.live.status),
                line.result === '' ? 'done' : element('span', { class: 'bad' }, named(line.result))])));
    }
}

function heard(member) {
    return Number(member.silentMillis) < 0 ? '-' : duration(Number(member.silentMillis) / 1000) + ' ago';
}

function certificate(until) {
    if (Number(until) === 0) return 'no certificate';
    const left = Number(until) / 1e9 - Date.now() / 1000;
    return element('span', { class: left < SOON_SECONDS ? 'bad' : '' }, time(until), left < 0 ? ': over' : ', in ' + duration(left));
}
