/** The score line: its track is the histogram of the scores, so that one sees what a move costs. */
import { histogram, nearest, span } from "../counts.js";
import { el, svg } from "../dom.js";
import { score as scoreText } from "../format.js";

const BINS = 48;

/**
 * @param {(value: number, done: boolean) => void} move
 * @returns {{element: HTMLElement, update: (steps: import("../types.js").Steps | undefined, score: number) => void}}
 */
export function scoreLine(move) {
  const handle = el("div", { class: "handle", role: "slider", tabindex: 0, "aria-label": "Score threshold" });
  const track = el("div", { class: "track" }, handle);
  const typed = el("input", { class: "typed", inputmode: "decimal", "aria-label": "Score threshold as a number" });
  const element = el("div", { class: "score-line", title: "Score threshold: drag, arrow keys, or type" },
    el("span", { class: "label" }, "score ≥"), track, typed);
  /** @type {import("../types.js").Steps | undefined} */
  let steps;
  let now = 0;
  let drawn = "";
  let held = false;

  /** @param {number} value */
  const snapped = (value) => (steps ? steps.score[nearest(steps.score, value)] : value);
  /** @param {PointerEvent} event */
  const at = (event) => {
    if (!steps) return now;
    const box = track.getBoundingClientRect();
    const [low, high] = span(steps);
    return snapped(low + ((high - low) * Math.min(Math.max(event.clientX - box.left, 0), box.width)) / (box.width || 1));
  };
  track.addEventListener("pointerdown", (event) => {
    track.setPointerCapture(event.pointerId);
    held = true;
    move(at(event), false);
  });
  track.addEventListener("pointermove", (event) => held && move(at(event), false));
  const release = (/** @type {PointerEvent} */ event) => {
    if (!held) return;
    held = false;
    move(at(event), true);
  };
  track.addEventListener("pointerup", release);
  track.addEventListener("pointercancel", release);
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 0.01, ArrowUp: 0.01, ArrowLeft: -0.01, ArrowDown: -0.01, PageUp: 0.1, PageDown: -0.1 }[event.key];
    if (by === undefined || !steps) return;
    event.preventDefault();
    const [low, high] = span(steps);
    move(Math.min(high, Math.max(low, Math.round((now + by * (high - low)) * 1e6) / 1e6)), true);
  });
  typed.addEventListener("change", () => {
    const value = Number(typed.value.replace(",", "."));
    if (typed.value.trim() && Number.isFinite(value)) move(value, true);
    else typed.value = scoreText(now);
  });

  return {
    element,
    update(given, value) {
      steps = given;
      now = value;
      element.hidden = !steps;
      if (!steps) return;
      const [low, high] = span(steps);
      const key = `${steps.score.length} ${low} ${high} ${steps.tp.length} ${steps.tp[0]} ${steps.fp[0]}`;
      if (key !== drawn) {
        drawn = key;
        track.querySelector("svg")?.remove();
        const counts = histogram(steps, BINS);
        const most = Math.sqrt(Math.max(...counts, 1));
        track.prepend(svg("svg", { viewBox: `0 0 ${BINS} 26`, preserveAspectRatio: "none", "aria-hidden": "true" },
          ...counts.map((n, k) => svg("rect", { x: k + 0.08, width: 0.84, y: 26 - (24 * Math.sqrt(n)) / most, height: (24 * Math.sqrt(n)) / most }))));
      }
      handle.style.left = `${(100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low || 1)}%`;
      handle.setAttribute("aria-valuemin", String(low));
      handle.setAttribute("aria-valuemax", String(high));
      handle.setAttribute("aria-valuenow", String(value));
      if (document.activeElement !== typed) typed.value = scoreText(value);
      typed.title = String(value);
    },
  };
}
