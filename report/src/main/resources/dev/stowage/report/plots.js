// Makes an uPlot of every figure that has its data beside it.
for (const data of document.querySelectorAll('script.plot')) {
  const figure = JSON.parse(data.textContent);
  // Those at the same places as the first do not repeat them.
  figure.lines.forEach((line) => { line.x ??= figure.lines[0].x; });
  const place = data.previousElementSibling;
  const digits = (value, precision = 3) => String(Number(value.toPrecision(precision)));
  const units = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's'], [1e-3, 'ms'], [1e-6, '\u00b5s']];
  const text = (axis, value, precision) => {
    if (value == null) return '';
    if (axis.names) return axis.names[Math.round(value)] ?? '';
    if (axis.time) {
      const [size, unit] = value === 0 ? [1, 's'] : units.find(([s]) => Math.abs(value) >= s * (s > 3600 ? 2 : 1)) ?? units.at(-1);
      return digits(value / size, precision) + ' ' + unit;
    }
    const scaled = value * axis.factor;
    return (Math.abs(scaled) >= 1000 ? Math.round(scaled).toLocaleString('en') : digits(scaled, precision)) + axis.suffix;
  };
  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    return (name) => style.getPropertyValue('--' + name).trim();
  };
  let plot = null;
  const draw = () => {
    plot?.destroy();
    const css = colours();
    const font = '12px system-ui, sans-serif';
    const axis = (of, more) => ({
      label: of.title, labelFont: font, font, stroke: css('ink'), grid: { stroke: css('grid'), width: 1 },
      ticks: { stroke: css('grid'), width: 1 }, ...(of.names ? { incrs: [1, 2, 5, 10, 20, 50] } : {}),
      values: (u, splits) => splits.map((v) => (v == null || (of.names && !Number.isInteger(v)) ? '' : text(of, v, 6))), ...more });
    const bars = figure.lines.map((l, i) => ({ ...l, i })).filter((l) => l.low);
    const upright = (line) => line.x.length > 1 && line.x.every((x) => x === line.x[0]);
    const dash = (line) => (line.dashed ? [7, 5] : line.dashes.length ? line.dashes : line.covers ? [9, 9] : []);
    const errorBars = (u) => {
      const { ctx } = u;
      ctx.save();
      ctx.beginPath();
      ctx.rect(u.bbox.left - 12 * devicePixelRatio, u.bbox.top, u.bbox.width + 24 * devicePixelRatio, u.bbox.height);
      ctx.clip();
      bars.forEach((line, n) => {
        if (!u.series[line.i + 1].show) return;
        const shift = (n - (bars.length - 1) / 2) * 5 * devicePixelRatio;
        ctx.strokeStyle = line.colour || css('ink');
        ctx.lineWidth = 1.3 * devicePixelRatio;
        ctx.beginPath();
        line.x.forEach((x, k) => {
          if (line.low[k] == null || line.high[k] == null || line.low[k] >= line.high[k]) return;
          const at = u.valToPos(x, 'x', true) + shift;
          // An interval that reaches down to 0 has no end on a logarithmic axis.
          const endless = figure.y.log && line.low[k] <= u.scales.y.min;
          ctx.moveTo(at, endless ? u.bbox.top + u.bbox.height : u.valToPos(line.low[k], 'y', true));
          ctx.lineTo(at, u.valToPos(line.high[k], 'y', true));
        });
        ctx.stroke();
      });
      // uPlot has one value at each place, so it cannot draw an upright line.
      figure.lines.forEach((line, i) => {
        if (!upright(line) || !u.series[i + 1].show) return;
        ctx.strokeStyle = line.colour || css('ink');
        ctx.lineWidth = 1.8 * devicePixelRatio;
        ctx.setLineDash((line.dashed ? [7, 5] : line.dashes).map((length) => length * devicePixelRatio));
        ctx.beginPath();
        line.x.forEach((x, k) => ctx.lineTo(u.valToPos(x, 'x', true), u.valToPos(line.y[k], 'y', true)));
        ctx.stroke();
      });
      ctx.setLineDash([5, 4]);
      ctx.strokeStyle = css('soft');
      figure.marks.forEach((x) => {
        const at = u.valToPos(x, 'x', true);
        if (at < u.bbox.left || at > u.bbox.left + u.bbox.width) return;
        ctx.beginPath();
        ctx.moveTo(at, u.bbox.top);
        ctx.lineTo(at, u.bbox.top + u.bbox.height);
        ctx.stroke();
      });
      ctx.restore();
    };
    const width = Math.max(260, place.clientWidth);
    const height = Math.round(Math.max(230, Math.min(360, width * 0.6)));
    // A title that is longer than its axis would be cut: it then stands above the plot.
    const ruler = document.createElement('canvas').getContext('2d');
    ruler.font = font;
    const above = ruler.measureText(figure.y.title).width > height - 100;
    const options = {
      width, height, title: figure.title,
      scales: {
        // By itself an axis ends with the lines, and a mark beyond them would not be seen.
        x: { time: false, distr: figure.x.log ? 3 : 1, ...(figure.marks.length ? { range: (u, min, max) => {
          const ends = u.zoomed ? [min, max] : [Math.min(min, ...figure.marks), Math.max(max, ...figure.marks)];
          return figure.x.log ? uPlot.rangeLog(...ends, 10, false) : ends;
        } } : {}) },
        y: { distr: figure.y.log ? 3 : 1, range: figure.y.log ? (u, min, max) =>
          u.zoomed && min > 0 ? uPlot.rangeLog(min, max, 10, true) : uPlot.rangeLog(figure.y.min, figure.y.max, 10, true) : (u, min, max) =>
          u.zoomed && min != null && max > min ? [min - (max - min) * 0.05, max + (max - min) * 0.05] : [figure.y.min, figure.y.max] },
      },
      axes: [axis(figure.x, { space: 60 }), axis(figure.y, { size: 66, ...(above ? { label: null } : {}) })],
      legend: { live: true },
      cursor: { drag: { x: true, y: false }, focus: { prox: 24 } },
      focus: { alpha: 0.35 },
      hooks: {
        draw: [errorBars],
        setSelect: [(u) => { u.zoomed = u.select.width > 0; }],
        // Before uPlot itself hears of it and asks for the ranges.
        ready: [(u) => u.over.addEventListener('dblclick', () => { u.zoomed = false; }, true), (u) => {
          // The line itself, with its dashes.
          u.root.querySelectorAll('.u-legend .u-marker').forEach((marker, i) => {
            if (i === 0) return;
            const line = figure.lines[i - 1];
            marker.innerHTML = `<svg width="26" height="8"><line x2="26" y1="4" y2="4" stroke-width="2" stroke="${
              line.colour || css('ink')}" stroke-dasharray="${dash(line).join(' ')}"/></svg>`;
          });
        }],
      },
      series: [{ label: figure.x.title, value: (u, v) => (v == null ? '' : text(figure.x, v)) }].concat(figure.lines.map((line) => ({
        label: line.label || '(the same)', stroke: line.colour || css('ink'), width: 1.8, spanGaps: false,
        dash: dash(line).length ? dash(line) : undefined,
        points: { show: figure.points && !upright(line), size: 6 },
        value: (u, v) => (upright(line) ? '' : text(figure.y, v)),
      }))),
    };
    const tables = figure.lines.map((line) => [line.x, line.y]);
    plot = new uPlot(options, tables.length ? uPlot.join(tables) : [[]], place);
    if (above) {
      const title = document.createElement('div');
      title.className = 'axis-title';
      title.textContent = figure.y.title;
      plot.root.querySelector('.u-title').after(title);
    }
  };
  draw();
  let last = place.clientWidth;
  new ResizeObserver(() => {
    if (Math.abs(place.clientWidth - last) > 4) {
      last = place.clientWidth;
      draw();
    }
  }).observe(place);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  matchMedia('print').addEventListener('change', draw);
}
