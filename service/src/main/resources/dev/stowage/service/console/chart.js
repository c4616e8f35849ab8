// Curves over time, by uPlot, which is loaded when the first one is shown.

import { element } from './dom.js';

const COLOURS = ['#2f7ed8', '#d9822b', '#2e9e5b', '#b0479a', '#8a6d3b', '#5f6b7a'];
const HEIGHT = 170;
// Seconds between times on the axis: less than one would write the same second twice.
const TIME_STEPS = [1, 2, 5, 10, 15, 30, ...[1, 2, 5, 10, 15, 30].map(minutes => 60 * minutes),
    ...[1, 2, 3, 6, 12, 24, 48, 120, 240, 480, 960, 1920, 3840, 7680, 15360, 30720].map(hours => 3600 * hours)];
let loaded = null;

function plotting() {
    loaded ??= import('/console/uplot/uPlot.esm.js').then(module => module.default);
    return loaded;
}

export class Chart {
    #plot = null;
    #title;
    #box;
    #names = [];
    #size;
    #scheme = matchMedia('(prefers-color-scheme: dark)');
    #percent;
    #timeText;
    #pick;
    #mark = null;
    #redraw = () => { this.#names = []; };

    // percent: values are parts of a whole; timeText: of a time on the axis; pick: what a time that is pressed does.
    constructor(title, percent = false, timeText = at => new Date(at * 1000).toLocaleTimeString('en-GB'), pick = null) {
        this.#title = title;
        this.#percent = percent;
        this.#timeText = timeText;
        this.#pick = pick;
        this.#box = element('figure', { class: 'chart', role: 'img', 'aria-label': title });
        this.#box.append(element('figcaption', {}, title));
        this.#size = new ResizeObserver(() => this.#plot?.setSize({ width: this.#box.clientWidth, height: HEIGHT }));
        this.#size.observe(this.#box);
        this.#scheme.addEventListener('change', this.#redraw);
    }

    get element() {
        return this.#box;
    }

    close() {
        this.#size.disconnect();
        this.#scheme.removeEventListener('change', this.#redraw);
        this.#plot?.destroy();
        this.#plot = null;
    }

    // times: seconds since 1970; lines: [{name, values}] of the same length.
    async show(times, lines) {
        const uPlot = await plotting();
        if (this.#box.clientWidth === 0) return;
        const data = [times, ...lines.map(line => line.values)];
        this.#box.setAttribute('aria-label', this.#told(times, lines));
        if (this.#plot && this.#names.join() === lines.map(line => line.name).join()) {
            this.#plot.setData(data);
            return;
        }
        this.#plot?.destroy();
        this.#names = lines.map(line => line.name);
        const ink = getComputedStyle(this.#box).color;
        const ruled = { stroke: ink, grid: { stroke: 'rgba(128, 128, 128, 0.2)', width: 1 }, ticks: { stroke: 'rgba(128, 128, 128, 0.4)', width: 1 } };
        this.#plot = new uPlot({
            // The last time on the axis reaches beyond the plot.
            width: this.#box.clientWidth, height: HEIGHT, padding: [null, 30, null, null],
            scales: { x: { time: false }, y: { range: (plot, least, most) => [Math.min(0, least ?? 0), this.#percent ? 1 : Math.max(1, (most ?? 1) * 1.1)] } },
            axes: [{ ...ruled, values: (plot, all) => all.map(this.#timeText), space: 80, incrs: TIME_STEPS },
                { ...ruled, size: 52, values: (plot, all) => all.map(value => this.#text(value)) }],
            series: [{ label: 'time', value: (plot, at) => at === null ? '' : this.#timeText(at) },
                ...lines.map((line, i) => ({ label: line.name, stroke: COLOURS[i % COLOURS.length], width: 2,
                    dash: i >= COLOURS.length ? [6, 4] : undefined, value: (plot, value) => this.#text(value) }))],
            legend: { show: lines.length > 1, live: false },
            cursor: { y: false },
            hooks: { draw: [plot => this.#drawMark(plot, ink)] },
        }, data, this.#box);
        if (this.#pick) this.#plot.over.addEventListener('click', () => this.#pick(this.#plot.posToVal(this.#plot.cursor.left, 'x')));
    }

    // The curves in words, for those who do not see them: where each is at the end, and between what it went.
    #told(times, lines) {
        if (times.length === 0) return this.#title + ': nothing yet';
        return this.#title + ', from ' + this.#timeText(times[0]) + ' to ' + this.#timeText(times[times.length - 1]) + ': ' + lines.map(line => {
            const known = line.values.map((value, i) => [value, times[i]]).filter(([value]) => value !== null && value !== undefined);
            if (known.length === 0) return line.name + ' unknown';
            const end = known[known.length - 1][0];
            const least = known.reduce((best, each) => each[0] < best[0] ? each : best);
            const most = known.reduce((best, each) => each[0] > best[0] ? each : best);
            return line.name + ' ' + this.#text(end) + ' at the end, ' + (least[0] === most[0] ? 'the same all the time'
                : 'least ' + this.#text(least[0]) + ' at ' + this.#timeText(least[1]) + ', most ' + this.#text(most[0]) + ' at ' + this.#timeText(most[1]));
        }).join('; ');
    }

    // A line at a time, or none.
    mark(at) {
        this.#mark = at;
        this.#plot?.redraw(false, false);
    }

    #drawMark(plot, ink) {
        if (this.#mark === null) return;
        const x = Math.round(plot.valToPos(this.#mark, 'x', true));
        plot.ctx.fillStyle = ink;
        plot.ctx.fillRect(x - 1, plot.bbox.top, 2, plot.bbox.height);
    }

    #text(value) {
        if (value === null || value === undefined) return '-';
        return this.#percent ? Math.round(value * 100) + ' %' : value >= 1000 ? Math.round(value).toLocaleString('en') : String(Math.round(value * 100) / 100);
    }
}
