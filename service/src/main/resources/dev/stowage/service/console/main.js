// The frame: panels, who looks, at which node, and what is said when something breaks.

import { Api } from './api.js';
import { Cluster } from './cluster.js';
import { button, element, labelled, problem, select, shown, time } from './dom.js';
import { Group } from './group.js';
import { Live } from './live.js';
import { Now } from './now.js';
import { Policies } from './policies.js';
import { Requests } from './requests.js';

const PANELS = { now: ['Now', Now], cluster: ['Cluster', Cluster], requests: ['Requests', Requests], policies: ['Policies', Policies], group: ['Group', Group] };
const BLIP_MILLIS = 6000;

const byId = id => document.getElementById(id);
const api = new Api();
const live = new Live(api);
// When it is now, nanoseconds since 1970, and how that is written.
const clock = { now: () => Date.now() * 1e6, time };
const context = { api, live, clock };
let panel = null;
let name = '';
let started = false;
let quiet = 0;

function route() {
    const [path, query] = location.hash.slice(1).split('?');
    return [path in PANELS ? path : 'now', Object.fromEntries(new URLSearchParams(query ?? ''))];
}

async function show() {
    if (!started) return;
    const [next, query] = route();
    if (panel && next === name && panel.navigate) {
        panel.navigate(query);
        return;
    }
    panel?.close?.();
    name = next;
    for (const link of byId('panels').children) {
        if (link.dataset.panel === name) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
    }
    const [title, Panel] = PANELS[name];
    document.title = 'Stowage: ' + title;
    const main = byId('main');
    main.replaceChildren();
    panel = new Panel(context);
    const wait = element('p', { class: 'quiet', role: 'status' }, 'Asking the service ...');
    try {
        const opened = panel.open(main, query);
        main.append(wait);
        await opened;
    } catch (failure) {
        failed(failure);
    } finally {
        wait.remove();
    }
}

function failed(failure) {
    if (failure.status === 401) {
        started = false;
        askForToken(api.hasToken ? failure.message : '');
    } else {
        byId('main').append(problem(failure));
    }
}

function blip(text) {
    const said = byId('blip');
    said.textContent = text;
    said.hidden = false;
    clearTimeout(quiet);
    quiet = setTimeout(() => { said.hidden = true; }, BLIP_MILLIS);
}

function showNode() {
    const { status } = live;
    byId('node').replaceChildren('at ', element('b', {}, shown(status.node)),
        status.leader === '' ? ', no leader' : status.leader === status.node ? ', which leads' : ', ' + shown(status.leader) + ' leads');
    byId('node').className = status.ready && status.leader ? '' : 'bad';
}

function showWho() {
    const { you } = live.status;
    const who = byId('who');
    const tenants = you.allTenants ? [] : you.tenants;
    who.replaceChildren(
        tenants.length > 1 ? labelled('Tenant', select(tenants.map(tenant => [tenant, tenant || '(none)']), live.tenant, tenant => live.choose(tenant))) : '',
        element('span', {}, element('bdi', {}, shown(you.name)), ', ' + you.role),
        api.hasToken ? button('Leave', () => location.reload()) : '');
}

function askForToken(why) {
    panel?.close?.();
    panel = null;
    const token = element('input', { type: 'password', autocomplete: 'off', size: '44', required: true, id: 'token' });
    byId('main').replaceChildren(element('form', { class: 'token', onsubmit: event => {
        event.preventDefault();
        api.token = token.value.trim();
        token.value = '';
        begin();
    } }, element('h2', {}, 'This service needs a token'),
    element('p', {}, 'The page keeps it in its memory only, and forgets it when it is closed or reloaded.'),
    why ? problem(why) : '', labelled('Token', token), element('button', {}, 'Open the console')));
    token.focus();
}

async function begin() {
    try {
        await live.start();
        started = true;
        showNode();
        showWho();
        await show();
    } catch (failure) {
        failed(failure);
    }
}

for (const [key, [title]] of Object.entries(PANELS)) byId('panels').append(element('a', { href: '#' + key, 'data-panel': key }, title));
addEventListener('hashchange', show);
live.addEventListener('status', () => {
    showNode();
    panel?.status?.();
});
live.addEventListener('changes', event => panel?.changes?.(event.detail));
live.addEventListener('again', () => panel?.again?.());
live.addEventListener('failed', event => failed(event.detail));
live.addEventListener('lost', () => blip('No node answers. This page goes on asking.'));
api.addEventListener('moved', event => blip(event.detail === 'leader' ? 'Another node leads now.' : 'That node does not answer; asking another.'));
// For measurements from outside.
globalThis.stowage = { live, panel: () => panel };
begin();
