// Elements made from text only: what the service says never becomes markup.

export function element(name, options = {}, ...content) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(options)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
        else if (key === 'class') made.className = value;
        else made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...content.flat().filter(each => each !== null && each !== undefined && each !== false));
    return made;
}

export function svg(name, options = {}, ...content) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(options)) made.setAttribute(key, value);
    made.append(...content);
    return made;
}

// Characters that cannot be seen, or turn the direction of what follows (Unicode's Bidi_Control), as their numbers.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

export function shown(text) {
    return String(text).replace(HIDDEN, each => '\\u' + each.charCodeAt(0).toString(16).padStart(4, '0'));
}

// A name that somebody chose: in a direction of its own.
export function named(text, empty = '(none)') {
    return text === '' || text === undefined ? element('span', { class: 'quiet' }, empty) : element('bdi', {}, shown(text));
}

export function button(text, action, options = {}) {
    return element('button', { type: 'button', onclick: action, ...options }, text);
}

export function labelled(text, input) {
    return element('label', {}, element('span', {}, text), input);
}

export function select(options, chosen, action, settings = {}) {
    return element('select', { onchange: event => action(event.target.value), ...settings },
        options.map(([value, text]) => element('option', { value, selected: value === chosen }, shown(text))));
}

// A narrow screen holds so many columns; of more, the cells of a row stand below each other, each with its head.
const NARROW_COLUMNS = 3;

export function table(caption, heads, rows) {
    return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
        element('table', heads.length > NARROW_COLUMNS ? { class: 'stacked' } : {},
            element('caption', {}, caption),
            element('thead', {}, element('tr', {}, heads.map(head => element('th', { scope: 'col' }, head)))),
            element('tbody', {}, rows.map(cells => element('tr', {},
                cells.map((cell, i) => element('td', { 'data-head': heads[i] }, element('div', {}, cell))))))));
}

export function facts(pairs) {
    return element('dl', {}, pairs.filter(Boolean).map(([name, ...values]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, values))));
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const ROUGH = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

export function number(value) {
    return NUMBER.format(Number(value));
}

// Amounts in the unit that people use: a resource's own unit is the end of its name.
export function amount(value, resource) {
    const many = Number(value);
    if (resource.endsWith('_milli')) {
        const name = resource.slice(0, -6);
        return ROUGH.format(many / 1000) + ' ' + ({ cpu: 'vCPU', gpu: 'GPU' }[name] ?? name);
    }
    if (resource.endsWith('_mib')) {
        return (Math.abs(many) < 1024 ? NUMBER.format(many) + ' MiB' : ROUGH.format(many / 1024) + ' GiB')
            + (resource === 'mem_mib' ? '' : ' ' + resource.slice(0, -4));
    }
    return NUMBER.format(many) + ' ' + resource;
}

const WORDS = { cpu_milli: 'CPU', mem_mib: 'memory', gpu_milli: 'GPUs', disk_mib: 'disk' };

// A resource in a title or a sentence.
export function resourceWord(resource) {
    return WORDS[resource] ?? shown(resource);
}

// Those that are not 0, or all.
export function amounts(byName, all = false) {
    const parts = Object.entries(byName).filter(([, value]) => all || Number(value) !== 0).map(([name, value]) => amount(value, name));
    return parts.length ? parts.map(shown).join(', ') : 'nothing';
}

export function percent(part) {
    return Number.isFinite(part) ? Math.round(100 * part) + ' %' : '-';
}

export function duration(seconds) {
    if (!Number.isFinite(seconds)) return '-';
    if (seconds < 0.0005) return '0 s';
    if (seconds < 1) return Math.round(seconds * 1000) + ' ms';
    if (seconds < 60) return ROUGH.format(seconds) + ' s';
    if (seconds < 3600) return Math.floor(seconds / 60) + ' min ' + Math.round(seconds % 60) + ' s';
    if (seconds < 86400) return Math.floor(seconds / 3600) + ' h ' + Math.round((seconds % 3600) / 60) + ' min';
    return ROUGH.format(seconds / 86400) + ' d';
}

// Of the service's nanoseconds since 1970.
export function time(nanos) {
    const at = new Date(Number(nanos) / 1e6);
    return element('time', { datetime: at.toISOString() },
        at.toLocaleDateString('en-CA') + ' ' + at.toLocaleTimeString('en-GB'));
}

export function seconds(from, to) {
    return (Number(to) - Number(from)) / 1e9;
}

export function problem(failure) {
    return element('p', { class: 'bad', role: 'alert' }, shown(failure.message || failure));
}

// Asks before something is changed. What is to happen may be told while the question stands.
export function confirm(title, told, action) {
    const said = element('div');
    const go = button('Do it', async () => {
        go.disabled = true;
        try {
            await action();
            dialog.close();
        } catch (failure) {
            said.replaceChildren(problem(failure));
            go.disabled = false;
        }
    }, { class: 'danger' });
    const dialog = element('dialog', { 'aria-labelledby': 'question' },
        element('h2', { id: 'question' }, title), told, said,
        element('div', { class: 'row' }, button('Leave it', () => dialog.close(), { autofocus: true }), go));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}
