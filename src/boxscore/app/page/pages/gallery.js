/** All images of a filter, worst first, with their boxes. */
import { el, put } from "../dom.js";
import { base, score as scoreText, whole } from "../format.js";
import { filterQuery } from "../filters.js";
import { colours, drawBoxes, NAMES } from "../parts/boxes.js";
import { chip, glyph, VERDICTS } from "../parts/chips.js";
import { grid } from "../parts/grid.js";
import { latest } from "../source.js";

/** @typedef {import("../types.js").Context} Context */
const RATIO = 0.75;

/** @param {HTMLElement} root @param {Context} context @returns {import("../types.js").Page} */
export function galleryPage(root, context) {
  let now = context;
  /** @type {import("../wire.js").Columns | null} */
  let list = null;
  /** @type {Map<number, {about: any, corners: Float32Array, verdict: Uint8Array}>} */
  let known = new Map();
  let chosen = 0;
  const asking = new Set();
  const count = el("span", { class: "about", role: "status" });
  const filters = el("div", { class: "filters" });
  const empty = el("p", { class: "empty", hidden: true });
  const heading = el("span");
  const tiles = grid({ least: 190, ratio: RATIO, foot: 22, wanted, tile });
  root.append(el("div", { class: "title" }, el("h1", {}, "Gallery"), heading, count, el("span", { class: "keys" }, el("kbd", {}, "j"), el("kbd", {}, "k"), " move ", el("kbd", {}, "space"), " open")), filters, empty, tiles.element);

  /** @param {number} k */
  function index(k) {
    return /** @type {number} */ (list?.columns.index[k]);
  }
  /** @param {number} k */
  function tile(k) {
    const counts = ["tp", "fp", "fn"].map((name) => el("span", {}, glyph(name), ` ${whole(list?.columns[name][k])}`));
    const made = el("a", { class: `tile ${k === chosen ? "chosen" : ""}`, role: "option", "aria-selected": String(k === chosen), href: now.link({ page: "image", i: String(index(k)), class: now.state.class, verdict: now.state.verdict, sort: now.state.sort }) },
      el("div", { class: "picture" }), el("div", { class: "caption" }, el("span", { class: "name" }), el("span", { class: "counts" }, ...counts)));
    if (known.has(index(k))) paint(made, index(k));
    return made;
  }
  /** @param {number} from @param {number} to */
  function wanted(from, to) {
    const missing = [];
    for (let k = from; k < to; k++) if (!known.has(index(k)) && !asking.has(index(k))) missing.push(index(k));
    for (let at = 0; at < missing.length; at += 100) ask(missing.slice(at, at + 100));
  }
  /** @param {number[]} some */
  async function ask(some) {
    const into = known;
    for (const i of some) asking.add(i);
    try {
      const query = filterQuery(now);
      const { about, columns } = await now.source.columns("tiles", { i: some.join(","), p: query.p, m: query.m, s: query.s, iou: query.iou });
      let at = 0;
      for (const one of about.images) {
        into.set(one.index, { about: one, corners: columns.corners.subarray(4 * at, 4 * (at + one.boxes)), verdict: columns.verdict.subarray(at, at + one.boxes) });
        at += one.boxes;
      }
      if (into === known) for (let k = 0; k < (list?.columns.index.length ?? 0); k++) {
        const made = tiles.at(k);
        if (made && some.includes(index(k))) paint(made, index(k));
      }
    } catch (error) {
      count.textContent = /** @type {Error} */ (error).message;
    } finally {
      for (const i of some) asking.delete(i);
    }
  }
  /** @param {HTMLElement} made @param {number} i */
  function paint(made, i) {
    const one = /** @type {NonNullable<ReturnType<typeof known.get>>} */ (known.get(i));
    const place = /** @type {HTMLElement} */ (made.querySelector(".picture"));
    const name = /** @type {HTMLElement} */ (made.querySelector(".name"));
    name.textContent = base(one.about.name);
    name.title = one.about.name;
    const size = extent(one);
    const canvas = el("canvas");
    const picture = one.about.picture ? el("img", { src: now.source.picture(i, 320, now.opened.number), alt: "", loading: "lazy", decoding: "async" }) : null;
    put(place, picture, canvas);
    const width = place.clientWidth || 190;
    const high = Math.round(width * RATIO);
    const unit = devicePixelRatio || 1;
    const scale = Math.min(width / size.width, high / size.height);
    const [w, h] = [size.width * scale, size.height * scale];
    for (const part of [canvas, picture]) {
      if (!part) continue;
      part.style.left = `${(width - w) / 2}px`;
      part.style.top = `${(high - h) / 2}px`;
      part.style.width = `${w}px`;
      part.style.height = `${h}px`;
    }
    canvas.classList.toggle("paper", !picture);
    canvas.width = Math.max(1, Math.round(w * unit));
    canvas.height = Math.max(1, Math.round(h * unit));
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const stretch = one.about.normalized ? [size.width, size.height] : [1, 1];
    const boxes = Array.from(one.verdict, (v, k) => ({
      x0: one.corners[4 * k] * stretch[0], y0: one.corners[4 * k + 1] * stretch[1], x1: one.corners[4 * k + 2] * stretch[0], y1: one.corners[4 * k + 3] * stretch[1],
      verdict: NAMES[v], label: "",
    }));
    drawBoxes(pen, boxes, { scale: scale * unit, left: 0, top: 0 }, colours(Boolean(picture)), unit * 0.75);
  }
  function controls() {
    const { state } = now;
    const toggle = (/** @type {string} */ verdict) => el("button", { class: "pill", "aria-pressed": String(state.verdict === verdict), onclick: () => now.go({ verdict: state.verdict === verdict ? "" : verdict }) }, glyph(verdict), ` has ${VERDICTS[verdict][1]}`);
    const names = now.steps.get(now.model.letter)?.names ?? [];
    put(heading, chip(now.model.letter, now.model.name), " ", now.model.name, " ", el("span", { class: "tag" }, `score ≥ ${scoreText(now.score)}`));
    put(filters, toggle("fp"), toggle("fn"), toggle("tp"),
      el("select", { "aria-label": "Class", onchange: (/** @type {any} */ e) => now.go({ class: e.target.value }) }, el("option", { value: "" }, "any class"), ...[...names].sort((a, b) => a.localeCompare(b)).map((name) => el("option", { value: name, selected: name === state.class }, name))),
      now.models.length > 1 && el("select", { "aria-label": "Model", onchange: (/** @type {any} */ e) => now.go({ model: e.target.value }) }, ...now.models.map((one) => el("option", { value: one.letter, selected: one.letter === now.model.letter }, `${one.letter} ${one.name}`))),
      el("select", { "aria-label": "Order", onchange: (/** @type {any} */ e) => now.go({ sort: e.target.value }) }, ...[["", "most errors first"], ["score", "highest false score first"], ["name", "as in the files"]].map(([value, text]) => el("option", { value, selected: value === state.sort }, text))));
  }
  const asked = latest((signal) => now.source.columns("images", filterQuery(now), signal), (answer) => {
    const same = list !== null;
    list = answer;
    known = new Map();
    asking.clear();
    const n = answer.columns.index.length;
    count.textContent = `${whole(n)} of ${whole(answer.about.of)} images`;
    empty.hidden = n > 0;
    empty.textContent = "No image fits: take a filter away, or lower the score.";
    chosen = Math.min(chosen, Math.max(n - 1, 0));
    tiles.reset(n, same);
  }, (error) => {
    empty.hidden = false;
    empty.textContent = error.message;
    tiles.reset(0);
  });
  controls();
  asked.wish();
  return {
    update(next, changed, dragging) {
      const fresh = [...changed].some((key) => key !== "s");
      now = next;
      if (changed.has("p") || changed.has("iou") || changed.has("m")) return false;
      if (fresh) {
        list = null;
        chosen = 0;
      }
      if (!dragging || fresh) {
        controls();
        asked.wish();
      }
      return true;
    },
    key(event) {
      const n = list?.columns.index.length ?? 0;
      const step = /** @type {Record<string, number>} */ ({ j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1, ArrowDown: tiles.across(), ArrowUp: -tiles.across() })[event.key];
      if (step && n) {
        tiles.at(chosen)?.classList.remove("chosen");
        chosen = Math.min(n - 1, Math.max(0, chosen + step));
        tiles.reveal(chosen);
        tiles.at(chosen)?.classList.add("chosen");
        return true;
      }
      if ((event.key === " " || event.key === "Enter") && n && !(event.target instanceof HTMLButtonElement) && !(event.target instanceof HTMLAnchorElement)) {
        now.go({ page: "image", i: String(index(chosen)), class: now.state.class, verdict: now.state.verdict, sort: now.state.sort });
        return true;
      }
      return false;
    },
    destroy() {
      asked.end();
      tiles.destroy();
    },
  };
}

/** The size of an image; where it is not known, what its boxes need. @param {{about: any, corners: ArrayLike<number>}} one */
export function extent(one) {
  if (one.about.width > 0 && one.about.height > 0) return { width: one.about.width, height: one.about.height };
  if (one.about.normalized) return { width: 4, height: 3 };
  let [width, height] = [1, 1];
  for (let k = 0; k < one.corners.length; k += 4) {
    width = Math.max(width, one.corners[k + 2] * 1.05);
    height = Math.max(height, one.corners[k + 3] * 1.05);
  }
  return { width, height };
}
