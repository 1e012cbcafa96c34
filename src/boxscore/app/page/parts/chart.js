/** Lines and bars with axes, redrawn at their real width, with a crosshair that tells values. */
import { put, svg, token } from "../dom.js";
import { short } from "../format.js";

/** @typedef {{name: string, colour: string, dash?: string, x: ArrayLike<number>, y: ArrayLike<number>, label?: string, mark?: [number, number] | null}} Series */
/** @typedef {{min: number, max: number, label: string, ticks?: number[], log?: boolean}} Axis */
/**
 * @typedef {object} Lines
 * @property {Axis} x
 * @property {Axis} y
 * @property {Series[]} series
 * @property {number} [line] where the score line stands
 * @property {(value: number, done: boolean) => void} [drag] moves it
 * @property {string} title what screen readers say
 */
/** @typedef {{counts: number[], labels: string[], x: string, y: string, title: string, log?: boolean, every?: boolean, edges?: string[], link?: (k: number) => string}} Bars */

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif";

/**
 * A drawing that follows the width of its place.
 * @param {HTMLElement} place
 * @param {number} height
 * @param {(width: number, height: number) => SVGElement | null} draw
 */
export function responsive(place, height, draw) {
  let drawn = /** @type {SVGElement | null} */ (null);
  let width = 0;
  const redraw = () => {
    width = place.clientWidth;
    drawn = width > 60 ? draw(width, height) : null;
    put(place, drawn);
  };
  place.style.minHeight = `${height}px`;
  const watch = new ResizeObserver(() => place.clientWidth !== width && redraw());
  watch.observe(place);
  redraw();
  return { redraw, drawn: () => drawn, destroy: () => watch.disconnect() };
}

/** Round values from one end to the other. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
  const rough = (high - low || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= rough) ?? 10);
  const made = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at++) made.push(Number((at * step).toPrecision(12)));
  return made;
}

/** @param {number} width @param {number} height @param {string} title */
function sheet(width, height, title) {
  return svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title, "font-family": FONT, "font-size": 11 });
}

/** @param {number} x @param {number} y @param {string} text @param {Record<string, any>} [more] */
function word(x, y, text, more = {}) {
  return svg("text", { x, y, fill: token("--ink-3"), ...more }, text);
}

/** @param {Lines} lines @param {number} width @param {number} height */
export function lineChart(lines, width, height) {
  const labelled = lines.series.some((one) => one.label);
  const box = { left: 34, top: 20, right: width - (labelled ? Math.min(150, width * 0.3) : 12), bottom: height - 30 };
  const x = (/** @type {number} */ v) => box.left + ((v - lines.x.min) / (lines.x.max - lines.x.min || 1)) * (box.right - box.left);
  const y = (/** @type {number} */ v) => box.bottom - ((v - lines.y.min) / (lines.y.max - lines.y.min || 1)) * (box.bottom - box.top);
  const made = sheet(width, height, lines.title);
  made.append(word(box.left - 28, 10, lines.y.label));
  for (const at of lines.y.ticks ?? ticks(lines.y.min, lines.y.max, 5)) {
    made.append(svg("line", { x1: box.left, x2: box.right, y1: y(at), y2: y(at), stroke: token("--line") }), word(box.left - 6, y(at) + 4, short(at) === "n/a" ? "" : String(at), { "text-anchor": "end" }));
  }
  for (const at of lines.x.ticks ?? ticks(lines.x.min, lines.x.max, width < 320 ? 3 : 5)) {
    made.append(word(x(at), box.bottom + 14, String(at), { "text-anchor": "middle" }));
  }
  made.append(word(box.right, box.bottom + 27, lines.x.label, { "text-anchor": "end" }));
  if (lines.line !== undefined) scoreMark(made, x(lines.line), box, lines.line);
  for (const one of lines.series) {
    const points = Array.from(one.x, (v, k) => `${x(v).toFixed(1)},${y(one.y[k]).toFixed(1)}`).join(" ");
    made.append(svg("polyline", { points, fill: "none", stroke: one.colour, "stroke-width": 1.8, "stroke-dasharray": one.dash ?? "none", "stroke-linejoin": "round" }));
    if (one.mark) made.append(svg("circle", { cx: x(one.mark[0]), cy: y(one.mark[1]), r: 4.5, fill: token("--score"), stroke: one.colour, "stroke-width": 2 }));
  }
  for (const [one, at] of apart(lines.series.filter((s) => s.label && s.y.length), (s) => y(s.y[s.y.length - 1]), box)) {
    made.append(word(box.right + 8, at + 4, one.label ?? "", { fill: one.colour, "font-weight": 600 }));
  }
  crosshair(made, lines, box, x, y);
  return made;
}

/** @param {SVGElement} made @param {number} at @param {{top: number, bottom: number}} box @param {number} value */
function scoreMark(made, at, box, value) {
  const text = short(value);
  made.append(svg("line", { x1: at, x2: at, y1: box.top - 4, y2: box.bottom, stroke: token("--ink"), "stroke-width": 2 }),
    svg("rect", { x: at - 18, y: box.top - 18, width: 36, height: 16, rx: 3, fill: token("--score") }),
    word(at, box.top - 6, text, { fill: token("--on-score"), "text-anchor": "middle", "font-weight": 600 }));
}

/**
 * Labels pushed apart, never on top of each other.
 * @param {Series[]} series @param {(s: Series) => number} wanted @param {{top: number, bottom: number}} box
 * @returns {[Series, number][]}
 */
function apart(series, wanted, box) {
  const placed = series.map((one) => /** @type {[Series, number]} */ ([one, wanted(one)])).sort((a, b) => a[1] - b[1]);
  for (let k = 1; k < placed.length; k++) placed[k][1] = Math.max(placed[k][1], placed[k - 1][1] + 14);
  const over = placed.length ? placed[placed.length - 1][1] - box.bottom : 0;
  if (over > 0) for (const one of placed) one[1] -= over;
  return placed;
}

/**
 * @param {SVGElement} made @param {Lines} lines @param {{left: number, right: number, top: number, bottom: number}} box
 * @param {(v: number) => number} x @param {(v: number) => number} y
 */
function crosshair(made, lines, box, x, y) {
  const tip = svg("g", { "pointer-events": "none" });
  const pad = svg("rect", { x: box.left, y: 0, width: Math.max(0, box.right - box.left), height: box.bottom, fill: "transparent" });
  made.append(tip, pad);
  let held = false;
  const value = (/** @type {PointerEvent} */ event) => {
    const at = event.clientX - made.getBoundingClientRect().left;
    return lines.x.min + ((at - box.left) / (box.right - box.left || 1)) * (lines.x.max - lines.x.min);
  };
  const show = (/** @type {number} */ v) => {
    const rows = lines.series.map((one) => /** @type {const} */ ([one, reading(one, v)])).filter(([, read]) => read !== null);
    const right = x(v) > (box.left + box.right) / 2;
    const words = [`${lines.x.label} ${short(v)}`, ...rows.map(([one, read]) => `${one.name}  ${short(/** @type {number} */ (read))}`)];
    const wide = 14 + 6.4 * Math.max(...words.map((w) => w.length));
    const left = right ? x(v) - wide - 8 : x(v) + 8;
    put(tip, svg("line", { x1: x(v), x2: x(v), y1: box.top, y2: box.bottom, stroke: token("--ink-3"), "stroke-dasharray": "2 2" }),
      ...rows.map(([one, read]) => svg("circle", { cx: x(v), cy: y(/** @type {number} */ (read)), r: 3, fill: one.colour })),
      svg("rect", { x: left, y: box.top + 4, width: wide, height: 8 + 15 * words.length, fill: token("--paper"), stroke: token("--line-2"), rx: 3 }),
      ...words.map((text, k) => word(left + 7, box.top + 18 + 15 * k, text, { fill: k ? rows[k - 1][0].colour : token("--ink-2") })));
  };
  pad.addEventListener("pointermove", (event) => {
    const e = /** @type {PointerEvent} */ (event);
    if (held && lines.drag) lines.drag(value(e), false);
    else show(Math.min(lines.x.max, Math.max(lines.x.min, value(e))));
  });
  pad.addEventListener("pointerleave", () => put(tip));
  if (!lines.drag) return;
  pad.setAttribute("cursor", "ew-resize");
  pad.addEventListener("pointerdown", (event) => {
    held = true;
    lines.drag?.(value(/** @type {PointerEvent} */ (event)), false);
    const move = (/** @type {PointerEvent} */ e) => lines.drag?.(value(e), false);
    const end = (/** @type {PointerEvent} */ e) => {
      window.removeEventListener("pointermove", move);
      lines.drag?.(value(e), true);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end, { once: true });
  });
}

/** The value of a line at or before an x; null outside of it. @param {Series} one @param {number} v */
function reading(one, v) {
  const n = one.x.length;
  if (!n || v < Math.min(one.x[0], one.x[n - 1]) - 1e-9 || v > Math.max(one.x[0], one.x[n - 1]) + 1e-9) return null;
  let k = 0;
  while (k + 1 < n && one.x[k + 1] <= v) k++;
  return one.y[k];
}

/** @param {Bars} bars @param {number} width @param {number} height */
export function barChart(bars, width, height) {
  const n = bars.counts.length;
  const most = Math.max(...bars.counts, 1);
  const top = bars.log ? Math.log10(most) || 1 : most;
  const marks = bars.log ? Array.from({ length: Math.floor(top) + 1 }, (_, k) => 10 ** k) : ticks(0, most, 5);
  const left = 14 + 6.5 * Math.max(...marks.map((m) => m.toLocaleString("en-US").length));
  const slanted = Boolean(bars.every);
  const step = (width - left - 8) / n;
  const named = !slanted || step >= 11;
  const box = { left, top: 20, right: width - 8, bottom: height - (slanted ? (named ? 76 : 16) : 30) };
  const tall = (/** @type {number} */ v) => (v <= 0 ? 0 : (((bars.log ? Math.log10(v) + 0.15 : v) / (bars.log ? top + 0.15 : top)) * (box.bottom - box.top)));
  const made = sheet(width, height, bars.title);
  made.append(word(2, 10, bars.y));
  for (const at of marks) {
    const y = box.bottom - tall(at);
    made.append(svg("line", { x1: box.left, x2: box.right, y1: y, y2: y, stroke: token("--line") }), word(box.left - 6, y + 4, at.toLocaleString("en-US"), { "text-anchor": "end" }));
  }
  const gap = Math.min(2, step * 0.15);
  bars.counts.forEach((count, k) => {
    const x = box.left + k * step;
    made.append(svg("rect", { x: x + gap / 2, y: box.bottom - tall(count), width: Math.max(step - gap, 0.5), height: tall(count), fill: token("--ink-2") },
      svg("title", {}, `${bars.labels[k]}: ${count.toLocaleString("en-US")}`)));
    if (slanted && named) {
      const text = bars.labels[k].length > 14 ? `${bars.labels[k].slice(0, 13)}…` : bars.labels[k];
      made.append(word(0, 0, text, { transform: `translate(${x + step / 2 + 3} ${box.bottom + 10}) rotate(-50)`, "text-anchor": "end" }));
    }
  });
  const skipped = step > 34 ? 1 : 2;
  (bars.edges ?? []).forEach((edge, k) => k % skipped === 0 && made.append(word(box.left + k * step, box.bottom + 14, edge, { "text-anchor": "middle" })));
  if (bars.x) made.append(word(box.right, box.bottom + 27, bars.x, { "text-anchor": "end" }));
  return made;
}
