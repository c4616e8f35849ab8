// The calls of the API over JSON, at whichever node of the group answers. The token is kept here alone: in memory.

const PAUSE_MILLIS = 400;
const TRIES = 40;
// All consoles are told at the same moments, so that the service makes a reply once for all.
const GAP_NANOS = 250_000_000;
// So long without a reply of a watch, which has one every 5 s at least, and the node counts as silent.
const SILENT_MILLIS = 15000;

export class Failure extends Error {
    constructor(reason, message, status) {
        super(message);
        this.reason = reason;
        this.status = status;
    }
}

const pause = millis => new Promise(done => setTimeout(done, millis));

export function changeId(what) {
    const random = crypto.getRandomValues(new Uint32Array(4));
    return 'console-' + what + '-' + Array.from(random, part => part.toString(16).padStart(8, '0')).join('');
}

export class Api extends EventTarget {
    #token = '';
    #nodes = [];
    #at = '';
    // The newest answer to what is asked again and again, with its tag.
    #known = new Map();

    set token(value) {
        this.#token = value;
    }

    get hasToken() {
        return this.#token !== '';
    }

    // Where it asks; empty: where the page came from.
    get at() {
        return this.#at;
    }

    // Addresses of all nodes: one of them goes on where another one stopped.
    knows(addresses) {
        this.#nodes = addresses;
    }

    #move(address, why) {
        const to = address === location.host ? '' : location.protocol + '//' + address;
        if (to !== this.#at) {
            this.#at = to;
            this.dispatchEvent(new CustomEvent('moved', { detail: why }));
        }
    }

    #next() {
        const all = [location.host, ...this.#nodes.filter(node => node !== location.host)];
        const now = this.#at === '' ? location.host : this.#at.split('//')[1];
        this.#move(all[(all.indexOf(now) + 1) % all.length], 'silent');
    }

    #headers(more) {
        return this.#token === '' ? more : { ...more, authorization: 'Bearer ' + this.#token };
    }

    // What takes long has more patience, and is not asked of another node when that has ended.
    get(path, query = {}, node = undefined, patience = 0) {
        const filled = Object.entries(query).filter(([, value]) => value !== undefined && value !== '' && value !== false);
        return this.#call('GET', path + (filled.length ? '?' + new URLSearchParams(filled) : ''), { node, patience });
    }

    // What is asked again and again: as it was at most so many seconds ago, so that the service makes it once for many pages;
    // the same object as before if it is the same still.
    async polled(path, seconds = 1) {
        const known = this.#known.get(path);
        const answer = await this.#call('GET', path, {
            headers: { 'cache-control': seconds ? 'max-age=' + seconds : 'no-cache', ...(known && { 'if-none-match': known.tag }) },
            read: async answer => answer.status === 304 ? known : { tag: answer.headers.get('etag'), said: await answer.json() },
        });
        if (answer.tag) this.#known.set(path, answer);
        return answer.said;
    }

    post(path, body, patience = 0) {
        return this.#call('POST', path, { body, patience });
    }

    put(path, body) {
        return this.#call('PUT', path, { body });
    }

    // Every change has an id, so that the same again is safe.
    async #call(method, path, { body, node, patience = 0, headers = {}, read = answer => answer.json() }) {
        for (let left = node || patience ? 1 : TRIES; ; left--) {
            let answer;
            try {
                answer = await fetch((node ? location.protocol + '//' + node : this.#at) + path, {
                    method,
                    headers: this.#headers(body === undefined ? headers : { ...headers, 'content-type': 'application/json' }),
                    body: body === undefined ? undefined : JSON.stringify(body),
                    cache: 'no-store', credentials: 'omit', redirect: 'error', signal: AbortSignal.timeout(patience || SILENT_MILLIS),
                });
                if (answer.ok || answer.status === 304) return await read(answer);
            } catch (broken) {
                if (left <= 1) throw new Failure('UNAVAILABLE', 'No node of the service answers: ' + broken.message, 0);
                this.#next();
                await pause(PAUSE_MILLIS);
                continue;
            }
            const failure = await refusal(answer);
            const temporary = answer.status === 503 || failure.reason === 'OVERLOADED' || failure.reason === 'TOO_MANY_READS';
            if (!temporary || left <= 1) throw failure;
            const leader = answer.headers.get('stowage-leader');
            if (failure.reason === 'NOT_LEADER' && leader) {
                this.#move(leader, 'leader');
            } else {
                if (answer.status === 503) this.#next();
                await pause(PAUSE_MILLIS);
            }
        }
    }

    // Changes from a position on, one reply after the other: what is not taken yet is not read, so the service waits.
    async watch(query, position, take, signal) {
        let at = position;
        while (!signal.aborted) {
            const silence = new AbortController();
            let timer = 0;
            const heard = () => {
                clearTimeout(timer);
                timer = setTimeout(() => silence.abort(), SILENT_MILLIS);
            };
            try {
                heard();
                const asked = new URLSearchParams({ ...query, gap_nanos: GAP_NANOS, ...(at === undefined ? {} : { after_position: at }) });
                const answer = await fetch(this.#at + '/v1/watch?' + asked, {
                    headers: this.#headers({ accept: 'text/event-stream' }),
                    cache: 'no-store', credentials: 'omit', redirect: 'error', signal: AbortSignal.any([signal, silence.signal]),
                });
                if (!answer.ok) throw await refusal(answer);
                this.dispatchEvent(new Event('live'));
                for await (const data of events(answer.body.getReader())) {
                    heard();
                    const reply = JSON.parse(data);
                    if (reply.error) throw new Failure(reply.error.reason, reply.error.message, 0);
                    at = reply.position;
                    await take(reply);
                }
                // It ended without a failure: whoever ends it at once is not asked in a tight loop.
                await pause(PAUSE_MILLIS);
            } catch (failure) {
                if (signal.aborted) return;
                if (failure instanceof Failure && failure.reason === 'POSITION_FORGOTTEN') {
                    at = undefined;
                    this.dispatchEvent(new Event('forgotten'));
                    continue;
                }
                if (failure instanceof Failure && (failure.status === 401 || failure.status === 403)) throw failure;
                this.dispatchEvent(new CustomEvent('broken', { detail: failure.message }));
                this.#next();
                await pause(PAUSE_MILLIS);
            } finally {
                clearTimeout(timer);
                // What is not read to its end keeps its place at the service otherwise.
                silence.abort();
            }
        }
    }
}

async function refusal(answer) {
    try {
        const said = await answer.json();
        return new Failure(said.reason, said.message, answer.status);
    } catch {
        return new Failure('HTTP_' + answer.status, 'The service answered ' + answer.status, answer.status);
    }
}

// The data of server-sent events (WHATWG HTML, section 9.2); those of the service have one line of it.
export async function* events(reader) {
    const decoder = new TextDecoder();
    let rest = '';
    while (true) {
        const { done, value } = await reader.read();
        if (done) return;
        const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
        rest = lines.pop();
        for (const line of lines) {
            if (line.startsWith('data:')) yield line.slice(5).trim();
        }
    }
}
