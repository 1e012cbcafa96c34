/** Counts and rates at a score, from counts by score that are at hand: no request while the line is dragged. */

/** @typedef {import("./types.js").Steps} Steps */
/** @typedef {{tp: number, fp: number, fn: number, precision: number | null, recall: number | null, f1: number | null}} Rates */

/** The number of the step nearest to a score. @param {Float64Array} steps @param {number} score */
export function nearest(steps, score) {
  let low = 0;
  let high = steps.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] < score) low = middle + 1;
    else high = middle;
  }
  return low > 0 && score - steps[low - 1] < steps[low] - score ? low - 1 : low;
}

/** @param {number} tp @param {number} fp @param {number} objects @returns {Rates} */
export function rates(tp, fp, objects) {
  const fn = objects - tp;
  return {
    tp, fp, fn,
    precision: tp + fp > 0 ? tp / (tp + fp) : null,
    recall: objects > 0 ? tp / objects : null,
    f1: 2 * tp + fp + fn > 0 ? (2 * tp) / (2 * tp + fp + fn) : null,
  };
}

/** Of one class, or of all of them. @param {Steps} steps @param {number} at number of the step @param {number} [label] */
export function ratesAt(steps, at, label) {
  const n = steps.score.length;
  if (label !== undefined) return rates(steps.tp[label * n + at], steps.fp[label * n + at], steps.objects[label]);
  let [tp, fp, objects] = [0, 0, 0];
  for (let k = 0; k < steps.names.length; k++) {
    tp += steps.tp[k * n + at];
    fp += steps.fp[k * n + at];
    objects += steps.objects[k];
  }
  return rates(tp, fp, objects);
}

/** F1 over all classes at every step. @param {Steps} steps */
export function f1Curve(steps) {
  const x = Array.from(steps.score);
  return { x, y: x.map((_, at) => ratesAt(steps, at).f1 ?? 0) };
}

/** How many detections lie in each of so many bins from the lowest score to the highest. @param {Steps} steps @param {number} bins */
export function histogram(steps, bins) {
  const n = steps.score.length;
  const [low, high] = span(steps);
  const counts = new Array(bins).fill(0);
  for (let at = 0; at < n; at++) {
    let here = 0;
    for (let k = 0; k < steps.names.length; k++) {
      const next = at + 1 < n ? steps.tp[k * n + at + 1] + steps.fp[k * n + at + 1] : 0;
      here += steps.tp[k * n + at] + steps.fp[k * n + at] - next;
    }
    counts[Math.min(bins - 1, Math.floor(((steps.score[at] - low) / (high - low || 1)) * bins))] += here;
  }
  return counts;
}

/** The scores at the ends of the score line: 0 and 1 where all lie between. @param {Steps} steps @returns {[number, number]} */
export function span(steps) {
  const [low, high] = [steps.score[0], steps.score[steps.score.length - 1]];
  return low >= 0 && high <= 1 ? [0, 1] : [low, high];
}
