// Asks again and again: at the same moments as all other pages, so that the service makes an answer once for all of them;
// only where something has moved since; and not while nobody looks.

// Timers may come a little early.
const EARLY_MILLIS = 50;

export class Poll {
    #millis;
    #ask;
    #moved;
    #asked;
    #timer = 0;
    #over = true;
    #seen = () => { if (!document.hidden) this.now(); };

    // millis: between two moments, a function; ask: what to do, which ends it by false; moved: a text that changes where asking makes sense.
    constructor(millis, ask, moved = null) {
        this.#millis = millis;
        this.#ask = ask;
        this.#moved = moved;
    }

    // From the next moment on.
    begin() {
        this.#over = false;
        document.addEventListener('visibilitychange', this.#seen);
        this.#wait();
    }

    end() {
        this.#over = true;
        clearTimeout(this.#timer);
        document.removeEventListener('visibilitychange', this.#seen);
    }

    // At once, and then at the next moment.
    async now() {
        clearTimeout(this.#timer);
        if (this.#over) return;
        this.#asked = this.#moved?.();
        if (await this.#ask() === false) this.end();
        else this.#wait();
    }

    #wait() {
        clearTimeout(this.#timer);
        if (this.#over || document.hidden) return;
        const every = this.#millis();
        const left = every - Date.now() % every;
        this.#timer = setTimeout(() => this.#moved && this.#moved() === this.#asked ? this.#wait() : this.now(),
            left < EARLY_MILLIS ? left + every : left);
    }
}
