// The servers as cells on a canvas, in blocks by site and label. One pass over all of them when something has changed, on a sheet of
// its own; what comes and goes (the cursor, frames that fade) is drawn on a copy of it. 10,000 take some milliseconds.

import { element } from './dom.js';

const LEAST = 5;
const MOST = 26;
const HEAD = 22;
const GAP = 14;
const SHADES = 24;
// A frame around what has just changed fades in so many steps.
const FLASH_MILLIS = 900;
const FLASH_STEPS = 6;
// Cells are made so large that all of them take about this part of the window's height.
const HEIGHT_PART = 0.62;

// One hue from little to much, so that it is told by lightness alone too.
function shades(dark) {
    return Array.from({ length: SHADES + 1 }, (_, i) => {
        const part = i / SHADES;
        return dark ? `hsl(212 ${30 + 45 * part}% ${20 + 50 * part}%)` : `hsl(212 ${35 + 40 * part}% ${92 - 62 * part}%)`;
    });
}

export class Cells {
    #canvas;
    #pen;
    #sheet = document.createElement('canvas');
    #drawn = false;
    #fading = 0;
    #blocks = [];
    #places = new Map();
    #values = [];
    #status = [];
    #touched = new Map();
    #size = LEAST;
    #pitch = LEAST + 1;
    #wanted = false;
    #cursor = -1;
    #chosen = -1;
    #open;
    #tell;
    #part;
    #dark = matchMedia('(prefers-color-scheme: dark)');
    #still = matchMedia('(prefers-reduced-motion: reduce)');
    pictures = 0;
    pictureMillis = 0;

    // open: of a server that is chosen; tell: of one under the pointer or the cursor, or -1; name: whose servers;
    // height: which part of the window's height they take.
    constructor(open, tell, name = '', height = HEIGHT_PART) {
        this.#open = open;
        this.#tell = tell;
        this.#part = height;
        this.#canvas = element('canvas', {
            class: 'cells', hidden: true, tabindex: '0', role: 'application',
            'aria-label': 'Servers' + (name ? ' of ' + name : '') + '. Arrow keys go from one to the next, Enter opens it.',
            onpointermove: event => this.#point(event),
            onpointerleave: () => this.#move(-1),
            onclick: event => {
                const server = this.#at(event);
                if (server >= 0) this.#open(server);
            },
            onkeydown: event => this.#key(event),
        });
        this.#pen = this.#canvas.getContext('2d', { alpha: false });
        new ResizeObserver(() => this.#layout()).observe(this.#canvas);
        this.#dark.addEventListener('change', () => {
            this.#drawn = false;
            this.draw();
        });
    }

    get element() {
        return this.#canvas;
    }

    choose(server) {
        this.#chosen = server;
        this.draw();
    }

    // blocks: [{title, servers: [number]}]; values: per server 0 to 1, or NaN for none; status: as in Occupancy.
    show(blocks, values, status, touched) {
        this.#blocks = blocks;
        this.#values = values;
        this.#status = status;
        this.#touched = touched;
        // Before, it would be a black rectangle.
        this.#canvas.hidden = false;
        this.#layout();
    }

    #layout() {
        const width = this.#canvas.clientWidth;
        const count = this.#blocks.reduce((sum, block) => sum + block.servers.length, 0);
        if (width === 0 || count === 0) return;
        const room = Math.max(200, innerHeight * this.#part - this.#blocks.length * (HEAD + GAP));
        this.#pitch = Math.max(LEAST, Math.min(MOST, Math.floor(Math.sqrt(width * room / count))));
        this.#size = this.#pitch > 7 ? this.#pitch - 2 : this.#pitch - 1;
        const columns = Math.max(1, Math.floor(width / this.#pitch));
        let y = 0;
        this.#places.clear();
        for (const block of this.#blocks) {
            block.y = y + HEAD;
            block.columns = columns;
            block.servers.forEach((server, i) => this.#places.set(server,
                { x: (i % columns) * this.#pitch, y: block.y + Math.floor(i / columns) * this.#pitch, block, i }));
            y = block.y + Math.ceil(block.servers.length / columns) * this.#pitch + GAP;
        }
        const scale = devicePixelRatio || 1;
        // To set a canvas' size clears it.
        if (this.#canvas.width !== Math.round(width * scale) || this.#canvas.height !== Math.round(y * scale)) {
            this.#canvas.width = Math.round(width * scale);
            this.#canvas.height = Math.round(y * scale);
            this.#canvas.style.height = y + 'px';
        }
        this.#drawn = false;
        this.draw();
    }

    draw() {
        if (!this.#wanted) {
            this.#wanted = true;
            requestAnimationFrame(() => this.#picture());
        }
    }

    #picture() {
        this.#wanted = false;
        const begin = performance.now();
        const dark = this.#dark.matches;
        const ink = getComputedStyle(this.#canvas).color;
        if (!this.#drawn) this.#drawSheet(dark, ink);
        const pen = this.#pen;
        const scale = devicePixelRatio || 1;
        pen.setTransform(1, 0, 0, 1, 0, 0);
        pen.drawImage(this.#sheet, 0, 0);
        pen.setTransform(scale, 0, 0, scale, 0, 0);
        this.#flash(begin);
        this.#frame(this.#cursor, ink);
        this.#frame(this.#chosen, dark ? '#ffb454' : '#b45309');
        this.pictures++;
        this.pictureMillis = performance.now() - begin;
    }

    // All cells, with their titles.
    #drawSheet(dark, ink) {
        this.#drawn = true;
        this.#sheet.width = this.#canvas.width;
        this.#sheet.height = this.#canvas.height;
        const pen = this.#sheet.getContext('2d', { alpha: false });
        const style = getComputedStyle(this.#canvas);
        const colours = shades(dark);
        pen.fillStyle = style.backgroundColor;
        pen.fillRect(0, 0, this.#sheet.width, this.#sheet.height);
        const scale = devicePixelRatio || 1;
        pen.setTransform(scale, 0, 0, scale, 0, 0);
        pen.font = style.font;
        pen.textBaseline = 'middle';
        const byShade = colours.map(() => []);
        const odd = [];
        for (const [server, place] of this.#places) {
            const value = this.#values[server];
            if (this.#status[server] !== 0) odd.push([server, place]);
            if (this.#status[server] !== 2) byShade[Number.isFinite(value) ? Math.round(Math.max(0, Math.min(1, value)) * SHADES) : 0].push(place);
        }
        byShade.forEach((places, shade) => {
            pen.fillStyle = colours[shade];
            for (const place of places) pen.fillRect(place.x, place.y, this.#size, this.#size);
        });
        pen.fillStyle = ink;
        for (const block of this.#blocks) pen.fillText(block.title, 0, block.y - HEAD / 2);
        for (const [server, place] of odd) this.#mark(pen, this.#status[server], place, ink);
    }

    // Not up: told by form, not by colour alone.
    #mark(pen, status, place, ink) {
        const size = this.#size;
        pen.strokeStyle = status === 1 ? '#d97706' : status === 2 ? ink : '#dc2626';
        pen.globalAlpha = status === 2 ? 0.45 : 1;
        pen.lineWidth = size > 8 ? 2 : 1;
        pen.beginPath();
        if (status === 2) pen.rect(place.x + 0.5, place.y + 0.5, size - 1, size - 1);
        pen.moveTo(place.x, place.y + size);
        pen.lineTo(place.x + size, place.y);
        if (status >= 3) {
            pen.moveTo(place.x, place.y);
            pen.lineTo(place.x + size, place.y + size);
        }
        pen.stroke();
        pen.globalAlpha = 1;
    }

    // Servers where something has just changed.
    #flash(now) {
        if (this.#still.matches) return;
        const byStep = Array.from({ length: FLASH_STEPS + 1 }, () => []);
        for (const [server, since] of this.#touched) {
            const left = Math.ceil(FLASH_STEPS * (1 - (now - since) / FLASH_MILLIS));
            if (left <= 0) this.#touched.delete(server);
            else if (this.#places.has(server)) byStep[Math.min(FLASH_STEPS, left)].push(this.#places.get(server));
        }
        const pen = this.#pen;
        pen.strokeStyle = '#e11d74';
        pen.lineWidth = 1;
        byStep.forEach((places, step) => {
            if (places.length === 0) return;
            pen.globalAlpha = step / FLASH_STEPS;
            pen.beginPath();
            for (const place of places) pen.rect(place.x + 0.5, place.y + 0.5, this.#size - 1, this.#size - 1);
            pen.stroke();
        });
        pen.globalAlpha = 1;
        if (this.#touched.size > 0 && !this.#fading) {
            this.#fading = setTimeout(() => {
                this.#fading = 0;
                this.draw();
            }, FLASH_MILLIS / FLASH_STEPS);
        }
    }

    #frame(server, colour) {
        const place = this.#places.get(server);
        if (place) {
            this.#pen.strokeStyle = colour;
            this.#pen.lineWidth = 2;
            this.#pen.strokeRect(place.x - 1, place.y - 1, this.#size + 2, this.#size + 2);
        }
    }

    #at(event) {
        for (const block of this.#blocks) {
            const column = Math.floor(event.offsetX / this.#pitch);
            const row = Math.floor((event.offsetY - block.y) / this.#pitch);
            const i = row * block.columns + column;
            if (row >= 0 && column < block.columns && i < block.servers.length) return block.servers[i];
        }
        return -1;
    }

    #point(event) {
        this.#move(this.#at(event));
    }

    #move(server) {
        if (server !== this.#cursor) {
            this.#cursor = server;
            this.#tell(server);
            this.draw();
        }
    }

    #key(event) {
        const place = this.#places.get(this.#cursor);
        if (event.key === 'Enter' && place) {
            this.#open(this.#cursor);
            event.preventDefault();
            return;
        }
        const order = [...this.#places.keys()];
        const now = place ? order.indexOf(this.#cursor) : -1;
        const columns = place ? place.block.columns : 1;
        const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
        const to = event.key === 'Home' ? 0 : event.key === 'End' ? order.length - 1 : step === undefined ? -1 : now + step;
        if (step !== undefined || event.key === 'Home' || event.key === 'End') {
            event.preventDefault();
            this.#move(order[Math.max(0, Math.min(order.length - 1, to))]);
        }
    }
}
