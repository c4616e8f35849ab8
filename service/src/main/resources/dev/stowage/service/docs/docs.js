// The page of the API: made from /openapi.json, without any library.
'use strict';

// What the examples of bodies speak of, so that the calls work one after the other.
const VALUES = { request_id: 'vm-1', tenant: 'acme', server: '3', site: 'west', 'tenant:path': 'acme', afterPosition: '-1' };
const MOST_LINES = 20;

function element(name, text, className) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
}

function resolved(document, schema) {
    return schema && schema.$ref ? document.components.schemas[schema.$ref.split('/').pop()] : schema;
}

function kind(document, schema) {
    if (schema.$ref) return schema.$ref.split('/').pop();
    if (schema.type === 'array') return 'list of ' + kind(document, schema.items);
    if (schema.additionalProperties) return kind(document, schema.additionalProperties) + ' by name';
    return schema.enum ? 'one of ' + schema.enum.join(', ') : schema.format || schema.type;
}

function fields(document, schema) {
    const table = element('table');
    for (const [name, field] of Object.entries((resolved(document, schema) || {}).properties || {})) {
        const row = table.insertRow();
        row.insertCell().append(element('code', name));
        row.insertCell().textContent = kind(document, field);
        row.insertCell().textContent = field.description || '';
    }
    return table;
}

function section(title, content) {
    const details = element('details');
    details.append(element('summary', title), content);
    return details;
}

function call(document, path, verb, operation) {
    const details = element('details');
    details.id = operation.operationId;
    const summary = element('summary');
    summary.append(element('b', verb.toUpperCase()), element('code', path), element('span', operation.summary));
    details.append(summary);
    const body = element('div', '', 'body');
    body.append(element('p', operation.description));

    const inputs = new Map();
    const table = element('table');
    for (const parameter of operation.parameters) {
        const row = table.insertRow();
        const input = element('input');
        input.value = parameter.in === 'path' || ['tenant', 'afterPosition'].includes(parameter.name)
            ? VALUES[parameter.name] || '' : '';
        input.name = parameter.name;
        inputs.set(parameter, input);
        row.insertCell().append(element('code', parameter.name));
        row.insertCell().append(input);
        row.insertCell().textContent = (parameter.in === 'path' ? 'in the path. ' : '') + (parameter.description || '');
    }
    body.append(table);

    let text = null;
    const content = operation.requestBody && operation.requestBody.content['application/json'];
    if (content) {
        text = element('textarea');
        text.value = JSON.stringify(content.example, null, 2);
        text.rows = text.value.split('\n').length;
        body.append(text, section('fields of the body', fields(document, content.schema)));
    }
    const answers = operation.responses['200'].content;
    body.append(section('fields of the answer', fields(document, Object.values(answers)[0].schema)));

    const send = element('button', 'Send');
    const command = element('pre');
    const answer = element('div');
    const target = () => {
        let filled = path;
        const query = new URLSearchParams();
        for (const [parameter, input] of inputs) {
            if (parameter.in === 'path') filled = filled.replace('{' + parameter.name + '}', encodeURIComponent(input.value));
            else if (input.value !== '') query.set(parameter.name, input.value);
        }
        return filled + (query.size ? '?' + query : '');
    };
    const quoted = value => "'" + value.replaceAll("'", "'\\''") + "'";
    const show = () => {
        const data = text ? " -H 'content-type: application/json' -d " + quoted(text.value.replace(/\s*\n\s*/g, ' ')) : '';
        const token = byId('token').value ? ' -H "authorization: Bearer $STOWAGE_TOKEN"' : '';
        const method = verb === 'put' ? ' -X PUT' : '';
        command.textContent = 'curl' + method + token + data + ' ' + quoted(location.origin + target());
    };
    body.addEventListener('input', show);
    details.addEventListener('toggle', show);
    send.addEventListener('click', () => ask(verb, target(), text && text.value, answer));
    body.append(command, send, answer);
    details.append(body);
    return details;
}

function byId(id) {
    return document.getElementById(id);
}

async function ask(verb, target, text, answer) {
    const headers = {};
    if (byId('token').value) headers.authorization = 'Bearer ' + byId('token').value;
    if (text !== null) headers['content-type'] = 'application/json';
    const output = element('pre', '...');
    answer.replaceChildren(output);
    try {
        const stop = new AbortController();
        const got = await fetch(target, { method: verb.toUpperCase(), headers, body: text === null ? undefined : text, signal: stop.signal });
        answer.prepend(element('p', got.status + ' ' + (got.headers.get('stowage-reason') || 'OK'), got.ok ? 'good' : 'bad'));
        if ((got.headers.get('content-type') || '').includes('ndjson')) {
            await lines(got.body.getReader(), output, stop);
        } else {
            const said = await got.text();
            try { output.textContent = JSON.stringify(JSON.parse(said), null, 2); } catch { output.textContent = said; }
        }
    } catch (e) {
        output.textContent = String(e);
    }
}

// A watch never ends: its first lines are shown.
async function lines(reader, output, stop) {
    const decoder = new TextDecoder();
    let all = '';
    while (all.split('\n').length <= MOST_LINES) {
        const { done, value } = await reader.read();
        if (done) return;
        all += decoder.decode(value, { stream: true });
        output.textContent = all;
    }
    output.textContent = all + '... (it goes on; shown are the first)';
    stop.abort();
}

async function main() {
    const calls = byId('calls');
    const api = await (await fetch('/openapi.json')).json();
    const groups = new Map();
    for (const [path, verbs] of Object.entries(api.paths)) {
        for (const [verb, operation] of Object.entries(verbs)) {
            const group = operation.tags[0];
            if (!groups.has(group)) groups.set(group, element('section'));
            groups.get(group).append(call(api, path, verb, operation));
        }
    }
    calls.replaceChildren();
    for (const [name, section] of groups) {
        section.prepend(element('h2', name));
        calls.append(section);
    }
    if (location.hash) {
        const named = byId(location.hash.slice(1));
        if (named) named.open = true;
    }
}

main().catch(e => { byId('calls').textContent = 'The description of the API could not be read: ' + e; });
