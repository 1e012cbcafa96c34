/** One image with its boxes: zoom, pan, what is under the pointer, and why a detection is false. */
import { el, put, token } from "../dom.js";
import { base, score as scoreText, short, whole } from "../format.js";
import { filterQuery } from "../filters.js";
import { colours, drawBoxes, drawLabels, NAMES } from "../parts/boxes.js";
import { chip, glyph, hue } from "../parts/chips.js";
import { download, panel } from "../parts/panel.js";
import { latest } from "../source.js";
import { extent } from "./gallery.js";
import { why } from "./why.js";

/** @typedef {import("../types.js").Context} Context */
/** @typedef {import("../parts/boxes.js").Box & {letter: string, k: number, score: number | null, overlap: number | null}} Shown */

/** @param {HTMLElement} root @param {Context} context @returns {import("../types.js").Page} */
export function imagePage(root, context) {
  let now = context;
  /** @type {import("../wire.js").Columns | null} */
  let data = null;
  /** @type {Int32Array} */
  let walk = new Int32Array(0);
  /** @type {HTMLImageElement | null} */
  let picture = null;
  /** @type {Shown[]} */
  let boxes = [];
  let view = { scale: 0, left: 0, top: 0 };
  let fitted = true;
  let hidden = false;
  let pinned = -1;
  let near = /** @type {number[]} */ ([]);
  /** Layers that are switched off. */
  const off = new Set(["truth"]);
  const name = el("h1");
  const about = el("span", { class: "about" });
  const canvas = el("canvas", { class: "stage", tabindex: 0, "aria-label": "The image with its boxes; the list beside it has the same" });
  const layers = el("div", { class: "layers", role: "group", "aria-label": "Layers" });
  const left = el("span", { class: "about", role: "status" });
  const list = panel("On this image", "");
  const reason = el("div", { class: "why", role: "status" });
  const [back, on] = [el("a", { class: "button", "aria-label": "Previous image", title: "Previous image (←)" }, "←"), el("a", { class: "button", "aria-label": "Next image", title: "Next image (→)" }, "→")];
  root.append(el("div", { class: "title" }, el("a", { class: "back", href: context.link({ page: "gallery", class: context.state.class, verdict: context.state.verdict, sort: context.state.sort }) }, "Gallery"), back, on, name, about,
    el("span", { class: "keys" }, el("kbd", {}, "0"), " fit ", el("kbd", {}, "1"), " 100 % ", el("kbd", {}, "h"), " hide boxes")),
  el("div", { class: "columns side" }, el("div", { class: "left" }, el("div", { class: "frame" }, canvas), el("div", { class: "row" }, layers, left)), el("div", {}, list.element, reason)));
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const unit = () => devicePixelRatio || 1;
  const size = () => picture ? { width: picture.naturalWidth, height: picture.naturalHeight } : extent({ about: data?.about, corners: boxes.flatMap((b) => [b.x0, b.y0, b.x1, b.y1]) });

  function layout() {
    const frame = /** @type {HTMLElement} */ (canvas.parentElement);
    canvas.width = Math.max(1, Math.round(frame.clientWidth * unit()));
    canvas.height = Math.max(1, Math.round(frame.clientHeight * unit()));
    if (fitted) fit();
    draw();
  }
  function fit() {
    if (!data) return;
    const { width, height } = size();
    const edge = 24 * unit(); // room for labels
    const scale = Math.min((canvas.width - 2 * edge) / width, (canvas.height - 2 * edge) / height);
    view = { scale, left: (canvas.width - width * scale) / 2, top: (canvas.height - height * scale) / 2 };
    fitted = true;
  }
  /** @param {number} factor @param {number} x @param {number} y in device pixels */
  function zoom(factor, x, y) {
    const scale = Math.min(64, Math.max(0.02, view.scale * factor));
    view = { scale, left: x - ((x - view.left) * scale) / view.scale, top: y - ((y - view.top) * scale) / view.scale };
    fitted = false;
    draw();
  }
  function collect() {
    boxes = [];
    if (!data) return;
    const { about: said, columns } = data;
    const real = picture ? [picture.naturalWidth, picture.naturalHeight] : said.normalized ? [extent({ about: said, corners: [] }).width, extent({ about: said, corners: [] }).height] : [1, 1];
    const stretch = said.normalized ? real : [1, 1];
    const add = (/** @type {string} */ letter, /** @type {Float64Array} */ c, /** @type {number} */ k, /** @type {string} */ verdict, /** @type {number} */ label, /** @type {number | null} */ score, /** @type {number | null} */ overlap) => {
      const text = `${label >= 0 ? said.names[label] ?? "?" : "?"}${score === null ? "" : ` ${score.toFixed(2)}`}`;
      boxes.push({ x0: c[4 * k] * stretch[0], y0: c[4 * k + 1] * stretch[1], x1: c[4 * k + 2] * stretch[0], y1: c[4 * k + 3] * stretch[1], verdict, label: text, letter, k, score, overlap });
    };
    const several = said.models.length > 1;
    const shown = said.models.filter((/** @type {any} */ model) => !off.has(model.letter));
    const missedBy = (/** @type {number} */ k) => shown.length > 0 && shown.every((/** @type {any} */ model) => NAMES[columns[`${model.letter}.object_verdict`][k]] === "fn");
    said.models.forEach((/** @type {any} */ model, /** @type {number} */ at) => {
      const c = (/** @type {string} */ key) => columns[`${model.letter}.${key}`];
      const verdicts = c("object_verdict");
      for (let k = 0; k < verdicts.length; k++) {
        if (at > 0) break; // objects are the same for all models
        if (missedBy(k)) add("", c("object_corners"), k, "fn", c("object_label")[k], null, null);
        else if (!off.has("truth")) add("", c("object_corners"), k, "truth", c("object_label")[k], null, null);
      }
      if (off.has(model.letter)) return;
      for (let k = 0; k < c("verdict").length; k++) {
        if (!c("verdict")[k]) continue;
        add(model.letter, c("corners"), k, NAMES[c("verdict")[k]], c("label")[k], c("score")[k], Number.isNaN(c("overlap")[k]) ? null : c("overlap")[k]);
        if (several) boxes[boxes.length - 1].colour = token(`--model-${hue(model.letter)}`);
      }
    });
    const rank = /** @type {Record<string, number>} */ ({ fp: 0, fn: 1, tp: 2, truth: 3, ignored: 4 });
    boxes.sort((a, b) => rank[a.verdict] - rank[b.verdict] || (b.score ?? 0) - (a.score ?? 0));
  }
  function draw() {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    if (!data) return;
    const { width, height } = size();
    const at = /** @type {[number, number, number, number]} */ ([view.left, view.top, width * view.scale, height * view.scale]);
    if (picture) {
      pen.imageSmoothingEnabled = view.scale < 4 * unit();
      pen.drawImage(picture, ...at);
    } else {
      pen.fillStyle = token("--paper");
      pen.fillRect(...at);
      pen.strokeStyle = token("--line-2");
      pen.lineWidth = unit();
      pen.strokeRect(...at);
    }
    if (hidden) return;
    const ink = colours(Boolean(picture));
    const strong = new Set(pinned >= 0 ? [pinned] : near);
    drawBoxes(pen, boxes, view, ink, unit(), strong);
    const many = boxes.length > 24;
    const labelled = boxes.filter((box, k) => strong.has(k) || !many || box.verdict === "fp");
    const out = drawLabels(pen, [...labelled].sort((a, b) => Number(strong.has(boxes.indexOf(b))) - Number(strong.has(boxes.indexOf(a)))), view, ink, unit()) + boxes.length - labelled.length;
    left.textContent = out ? `${whole(out)} labels left out for lack of room; point at a box to read it` : "";
  }
  function rows() {
    const counts = ["tp", "fp", "fn"].map((verdict) => /** @type {const} */ ([verdict, boxes.filter((box) => box.verdict === verdict).length]));
    put(list.subtitle, ...counts.flatMap(([verdict, n]) => [glyph(verdict), ` ${whole(n)}  `]));
    put(list.body, boxes.length ? el("div", { class: "scroller boxes" }, el("table", { class: "rows" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "box"), el("th", { scope: "col", class: "number" }, "score"), el("th", { scope: "col", class: "number" }, "IoU"))),
      el("tbody", {}, ...boxes.slice(0, 500).map((box, k) => el("tr", { class: k === pinned ? "chosen" : "", tabindex: 0, onclick: () => pin(k === pinned ? -1 : k), onkeydown: (/** @type {KeyboardEvent} */ e) => e.key === "Enter" && pin(k), onmouseenter: () => point([k]), onmouseleave: () => point([]) },
        el("td", {}, box.letter && now.models.length > 1 ? chip(box.letter) : null, " ", glyph(box.verdict), " ", named(box)), el("td", { class: "number", title: String(box.score ?? "") }, box.score === null ? "–" : box.score.toFixed(3)), el("td", { class: "number", title: String(box.overlap ?? "") }, box.overlap === null ? "–" : box.overlap.toFixed(2)))))),
    boxes.length > 500 ? el("p", { class: "about" }, `and ${whole(boxes.length - 500)} more`) : null) : el("p", { class: "about" }, "No boxes at this score."));
    put(reason, ...(pinned >= 0 && data && boxes[pinned] ? why(data, boxes[pinned]) : []));
  }
  /** @param {Shown} box */
  const named = (box) => (box.score === null ? box.label : box.label.replace(/ [\d.]+$/, ""));
  const point = (/** @type {number[]} */ some) => {
    near = some;
    draw();
  };
  const pin = (/** @type {number} */ k) => {
    pinned = k;
    rows();
    draw();
  };
  function switches() {
    const one = (/** @type {string} */ key, /** @type {import("../dom.js").Child} */ mark, /** @type {string} */ text) => el("button", { class: "pill", "aria-pressed": String(!off.has(key)), onclick: () => flip(key) }, mark, " ", text);
    put(layers, one("truth", glyph("truth"), "ground truth (t)"), ...now.models.map((m) => one(m.letter, chip(m.letter), `${m.name} (${m.letter.toLowerCase()})`)),
      el("button", { class: "pill", title: "Save what is shown as PNG", onclick: () => canvas.toBlob((blob) => blob && download(blob, `${base(data?.about.name ?? "image").replace(/\.\w+$/, "")}_boxes.png`)) }, "Save PNG"));
  }
  function flip(/** @type {string} */ key) {
    if (off.has(key)) off.delete(key);
    else off.add(key);
    refresh();
  }
  function refresh() {
    pinned = -1;
    near = [];
    collect();
    switches();
    rows();
    if (fitted) fit();
    draw();
  }
  const asked = latest((signal) => now.source.columns("image", { i: now.state.i || "0", p: now.state.p, m: now.models.map((m) => m.letter).join(","), s: now.score, iou: now.state.iou }, signal), (answer) => {
    const moved = data?.about.index !== answer.about.index;
    data = answer;
    name.textContent = base(answer.about.name);
    name.title = answer.about.name;
    document.title = `${base(answer.about.name)} · boxscore`;
    if (moved) {
      picture = null;
      fitted = true;
      if (answer.about.picture) {
        const image = new Image();
        image.onload = () => {
          if (data?.about.index !== answer.about.index) return;
          picture = image;
          refresh();
        };
        image.onerror = () => { left.textContent = "The file of this image cannot be shown."; };
        image.src = now.source.picture(answer.about.index, undefined, now.opened.number);
      }
    }
    refresh();
    place();
  }, (error) => {
    data = null;
    name.textContent = "Image";
    list.fail(error);
    draw();
  });
  const walked = latest((signal) => now.source.columns("images", filterQuery(now), signal), (answer) => {
    walk = answer.columns.index;
    place();
  }, () => undefined);
  function place() {
    const i = Number(now.state.i || 0);
    const at = walk.indexOf(i);
    const to = (/** @type {number} */ k) => now.link({ i: String(walk[k]) });
    for (const [button, k] of /** @type {[HTMLAnchorElement, number][]} */ ([[back, at - 1], [on, at < 0 ? 0 : at + 1]])) {
      if (k >= 0 && k < walk.length) button.href = to(k);
      else button.removeAttribute("href");
    }
    const { width, height } = data?.about ?? {};
    about.textContent = [at >= 0 ? `${whole(at + 1)} of ${whole(walk.length)}` : "", width > 0 ? `${short(width)} × ${short(height)}` : "size not known", `score ≥ ${scoreText(now.score)}`, data && !data.about.picture ? "no image file" : ""].filter(Boolean).join(" · ");
  }
  /** @param {PointerEvent} event */
  const spot = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * unit(), (event.clientY - box.top) * unit()];
  };
  /** @param {number} x @param {number} y */
  const under = (x, y) => {
    const [px, py] = [(x - view.left) / view.scale, (y - view.top) / view.scale];
    const inside = boxes.map((box, k) => /** @type {const} */ ([k, (box.x1 - box.x0) * (box.y1 - box.y0), box])).filter(([, , box]) => px >= box.x0 && px <= box.x1 && py >= box.y0 && py <= box.y1);
    return inside.sort((a, b) => a[1] - b[1]).map(([k]) => k);
  };
  let from = /** @type {number[] | null} */ (null);
  let dragged = false;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    from = [...spot(event), view.left, view.top];
    dragged = false;
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = spot(event);
    if (!from) {
      const some = under(x, y).slice(0, 1);
      if (some[0] !== near[0]) point(some);
      return;
    }
    if (Math.hypot(x - from[0], y - from[1]) > 4) dragged = true;
    if (dragged) {
      view = { ...view, left: from[2] + x - from[0], top: from[3] + y - from[1] };
      fitted = false;
      draw();
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!dragged) {
      const some = under(...(/** @type {[number, number]} */ (spot(event))));
      pin(some.length ? some[(some.indexOf(pinned) + 1) % some.length] : -1);
    }
    from = null;
  });
  canvas.addEventListener("pointerleave", () => !from && point([]));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0015), .../** @type {[number, number]} */ (spot(/** @type {any} */ (event))));
  }, { passive: false });
  const released = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "h" && hidden) {
      hidden = false;
      draw();
    }
  };
  addEventListener("keyup", released);
  const watch = new ResizeObserver(layout);
  watch.observe(/** @type {HTMLElement} */ (canvas.parentElement));
  switches();
  asked.wish();
  walked.wish();
  return {
    update(next, changed, dragging) {
      now = next;
      if (["p", "m", "iou"].some((key) => changed.has(key))) return false;
      if (dragging) return true;
      asked.wish();
      if (changed.size > 1 || !changed.has("i")) walked.wish();
      return true;
    },
    key(event) {
      const model = now.models.find((m) => m.letter.toLowerCase() === event.key);
      if (event.key === "ArrowRight" || event.key === "j") on.click();
      else if (event.key === "ArrowLeft" || event.key === "k") back.click();
      else if (event.key === "0") { fit(); draw(); }
      else if (event.key === "1") zoom(unit() / view.scale, canvas.width / 2, canvas.height / 2);
      else if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1.25 : 0.8, canvas.width / 2, canvas.height / 2);
      else if (event.key === "h") { hidden = true; draw(); }
      else if (event.key === "t") flip("truth");
      else if (event.key === "Escape" && pinned >= 0) pin(-1);
      else if (model) flip(model.letter);
      else return false;
      return true;
    },
    destroy() {
      asked.end();
      walked.end();
      watch.disconnect();
      removeEventListener("keyup", released);
    },
  };
}
