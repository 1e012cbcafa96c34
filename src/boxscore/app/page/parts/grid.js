/** A grid of any number of tiles, of which only those in view exist. */
import { el } from "../dom.js";

/**
 * @param {object} given
 * @param {number} given.least width of a tile at least
 * @param {number} given.ratio height of a tile over its width
 * @param {number} given.foot pixels below for text
 * @param {(from: number, to: number, width: number) => void} given.wanted asked for what comes into view
 * @param {(k: number) => HTMLElement} given.tile
 */
export function grid({ least, ratio, foot, wanted, tile }) {
  const sheet = el("div", { class: "sheet" });
  const element = el("div", { class: "grid", tabindex: 0, role: "listbox", "aria-label": "Images" }, sheet);
  const gap = 12;
  let count = 0;
  /** @type {Map<number, HTMLElement>} */
  let tiles = new Map();
  let layout = { across: 1, width: least, height: least };

  const measure = () => {
    const room = element.clientWidth;
    const across = Math.max(1, Math.floor((room + gap) / (least + gap)));
    const width = Math.floor((room - gap * (across - 1)) / across);
    layout = { across, width, height: Math.round(width * ratio) + foot };
    sheet.style.height = `${Math.ceil(count / across) * (layout.height + gap)}px`;
  };
  const draw = () => {
    const { across, width, height } = layout;
    const first = Math.max(0, Math.floor(element.scrollTop / (height + gap)) - 1);
    const last = first + Math.ceil((element.clientHeight || 600) / (height + gap)) + 2;
    const [from, to] = [first * across, Math.min(count, last * across)];
    const kept = new Map();
    for (let k = from; k < to; k++) {
      const made = tiles.get(k) ?? tile(k);
      made.style.width = `${width}px`;
      made.style.height = `${height}px`;
      made.style.transform = `translate(${(k % across) * (width + gap)}px, ${Math.floor(k / across) * (height + gap)}px)`;
      kept.set(k, made);
      if (made.parentNode !== sheet) sheet.append(made);
    }
    for (const [k, made] of tiles) if (!kept.has(k)) made.remove();
    tiles = kept;
    wanted(from, to, width);
  };
  element.addEventListener("scroll", draw, { passive: true });
  const watch = new ResizeObserver(() => {
    measure();
    draw();
  });
  watch.observe(element);
  return {
    element,
    /** How many tiles there are; all are made anew. @param {number} n @param {boolean} [stay] */
    reset(n, stay = false) {
      count = n;
      for (const made of tiles.values()) made.remove();
      tiles = new Map();
      if (!stay) element.scrollTop = 0;
      measure();
      draw();
    },
    /** @param {number} k */
    at: (k) => tiles.get(k),
    /** @param {number} k */
    reveal(k) {
      const top = Math.floor(k / layout.across) * (layout.height + gap);
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + layout.height > element.scrollTop + element.clientHeight) element.scrollTop = top + layout.height - element.clientHeight;
      draw();
    },
    across: () => layout.across,
    destroy: () => watch.disconnect(),
  };
}
