/** The shell: bar, rail, and the page that the address names. */
import { changes, link, parsed, written } from "./address.js";
import { nearest } from "./counts.js";
import { announce, el, put, settled } from "./dom.js";
import { base } from "./format.js";
import { classesPage } from "./pages/classes.js";
import { dataPage } from "./pages/data.js";
import { galleryPage } from "./pages/gallery.js";
import { imagePage } from "./pages/image.js";
import { openPage } from "./pages/open.js";
import { overviewPage } from "./pages/overview.js";
import { chip, hue } from "./parts/chips.js";
import { scoreLine } from "./parts/score-line.js";
import { Live } from "./source.js";

/** @typedef {import("./types.js").Context} Context */
/** @typedef {import("./types.js").State} State */

/** @type {Record<string, {title: string, make: (root: HTMLElement, context: Context) => import("./types.js").Page, hidden?: boolean}>} */
const PAGES = {
  overview: { title: "Overview", make: overviewPage },
  classes: { title: "Classes", make: classesPage },
  gallery: { title: "Gallery", make: galleryPage },
  image: { title: "Image", make: imagePage, hidden: true },
  data: { title: "Data", make: dataPage },
  open: { title: "Open", make: openPage },
};
const source = new Live();
const root = /** @type {HTMLElement} */ (document.getElementById("content"));
const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
const rail = /** @type {HTMLElement} */ (document.getElementById("rail"));
let state = parsed(location.hash);
/** @type {import("./types.js").Server} */
let server;
/** @type {import("./types.js").Page} */
let page = {};
/** @type {Map<string, import("./types.js").Steps>} */
let steps = new Map();
let best = Number.NaN;
let dragged = /** @type {number | null} */ (null);
const line = scoreLine((value, done) => drag(value, done));

/** @returns {Context} */
function context() {
  const opened = /** @type {any} */ (server.opened);
  const models = opened ? opened.models.filter((/** @type {any} */ one) => !state.m.includes(one.letter)) : [];
  const model = models.find((/** @type {any} */ one) => one.letter === state.model) ?? models[0];
  return {
    state, source, server, opened, models, model, steps, go, drag, refresh,
    score: dragged ?? (state.s ? Number(state.s) : best),
    link: (change) => link(state, change),
  };
}

/** @param {Partial<State>} change @param {boolean} [replace] */
function go(change, replace = false) {
  const next = link(state, change);
  if (next === location.hash) return;
  if (replace) history.replaceState(null, "", next);
  else history.pushState(null, "", next);
  arrive();
}

const pushScore = settled(150, () => {
  if (dragged !== null) history.replaceState(null, "", written({ ...state, s: String(dragged) }));
});

/** @param {number} value @param {boolean} done */
function drag(value, done) {
  const first = steps.get(context().model?.letter ?? "");
  dragged = first && !done ? first.score[nearest(first.score, value)] : value;
  if (!done) {
    line.update(first, dragged);
    page.update?.(context(), new Set(["s"]), true);
    pushScore();
    return;
  }
  const next = written({ ...state, s: String(dragged) });
  history.replaceState(null, "", written(state));
  dragged = null;
  if (next !== location.hash) history.pushState(null, "", next);
  arrive();
}

function arrive() {
  const before = state;
  state = parsed(location.hash);
  const changed = changes(before, state);
  if (!changed.size) return;
  if (changed.has("p") || changed.has("iou")) loadSteps().then(() => show(true));
  else if (changed.has("page") || !page.update?.(context(), changed, false)) show(changed.has("page"));
  shell();
}

/** Counts by score of all models, and the score to begin with. */
async function loadSteps() {
  const opened = server.opened;
  steps = new Map();
  best = Number.NaN;
  if (!opened) return;
  for (const model of opened.models) {
    try {
      const { about, columns } = await source.columns("steps", { p: state.p, m: model.letter, iou: state.iou });
      steps.set(model.letter, { ...(/** @type {any} */ (columns)), names: about.names });
    } catch {
      // a protocol without counts by score has no score line; its panels say why
    }
  }
  const overview = await source.json("overview", { p: state.p }).catch(() => null);
  best = overview?.models.find((/** @type {any} */ one) => one.best)?.best.score ?? 0.5;
}

async function refresh() {
  const before = server?.opened?.number;
  server = await source.json("state");
  if (server.opened?.number !== before) await loadSteps();
  shell();
}

/** @param {boolean} focus */
function show(focus) {
  page.destroy?.();
  put(root);
  const name = PAGES[state.page] ? state.page : server.opened ? "overview" : "open";
  if (name !== state.page) {
    state = { ...state, page: name };
    history.replaceState(null, "", written(state));
  }
  const wanted = PAGES[name];
  root.className = `content page-${name}`;
  document.title = `${wanted.title}${server.opened ? ` · ${base(server.opened.truth.source)}` : ""} · boxscore`;
  if (!server.opened && name !== "open") {
    put(root, el("h1", {}, wanted.title), el("p", { class: "empty" }, "Nothing is open yet. ", el("a", { href: context().link({ page: "open" }) }, "Choose files to evaluate"), "."));
    page = {};
  } else if (name !== "open" && name !== "data" && !context().models.length) {
    put(root, el("h1", {}, wanted.title), el("p", { class: "empty" }, "All models are switched off: click a letter in the bar."));
    page = {};
  } else page = wanted.make(root, context());
  shell();
  if (focus) {
    root.scrollTop = 0;
    announce(wanted.title);
  }
}

function shell() {
  const { opened } = server;
  const now = context();
  const counts = /** @type {Record<string, number | undefined>} */ ({ classes: opened?.classes, gallery: opened?.truth.images });
  const active = state.page === "image" ? "gallery" : state.page;
  put(rail, ...Object.entries(PAGES).filter(([, one]) => !one.hidden).map(([name, one]) =>
    el("a", { href: now.link({ page: name }), class: name === "open" ? "apart" : "", "aria-current": name === active ? "page" : null },
      el("span", {}, one.title), counts[name] !== undefined && el("span", { class: "count" }, (counts[name] ?? 0).toLocaleString("en-US")))),
  el("div", { class: "foot" }, opened && now.models.length ? el("div", {}, "signature", el("code", {}, signature())) : null, el("div", {}, `boxscore ${server.version}`)));
  const many = (opened?.models.length ?? 0) > 2;
  put(bar,
    el("a", { class: "brand", href: now.link({ page: opened ? "overview" : "open" }) }, logo(), el("span", {}, "boxscore")),
    opened && el("a", { class: "dataset", href: now.link({ page: "open" }), title: opened.truth.source }, base(opened.truth.source)),
    opened && opened.protocols.length > 0 && el("select", { "aria-label": "Protocol", class: "protocol", onchange: (/** @type {any} */ e) => go({ p: e.target.value }) },
      ...opened.protocols.map((one) => el("option", { value: one.signature, selected: one.signature === signature() }, one.name))),
    opened && el("div", { class: "models", role: "group", "aria-label": "Models" }, ...opened.models.map((one) => {
      const on = !state.m.includes(one.letter);
      const m = on ? state.m + one.letter : state.m.replace(one.letter, "");
      return el("button", { class: `model ${on ? "on" : ""}`, "aria-pressed": String(on), title: `${one.name}: click to ${on ? "hide" : "show"}`, "aria-label": `model ${one.letter}, ${one.name}`, onclick: () => go({ m }) },
        on ? chip(one.letter, one.name) : el("span", { class: `chip off hue-${hue(one.letter)}` }, one.letter), many ? null : el("span", { class: "name" }, one.name));
    })),
    line.element,
    el("span", { class: "tools" }, opened && el("button", { class: "quiet", onclick: copy, title: "Copy a link to what is shown (y)" }, "Copy link"),
      el("button", { class: "quiet", onclick: turn, "aria-label": "Light or dark", title: "Light or dark" }, "◐")));
  line.update(now.model && ["overview", "classes", "gallery", "image"].includes(state.page) ? steps.get(now.model.letter) : undefined, now.score);
}

function signature() {
  const known = server.opened?.protocols ?? [];
  return (known.find((one) => state.p === one.signature || state.p === one.name) ?? known[0])?.signature ?? "";
}

function logo() {
  const image = el("img", { src: "icon.svg", alt: "", width: 16, height: 16 });
  return image;
}

async function copy() {
  try {
    await navigator.clipboard.writeText(location.href);
    announce("Link copied");
  } catch {
    window.prompt("The link to what is shown:", location.href);
  }
}

function turn() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("boxscore-theme", theme);
  show(false);
}

document.documentElement.dataset.theme = localStorage.getItem("boxscore-theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
addEventListener("popstate", arrive);
addEventListener("hashchange", arrive);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
  if (typing && event.key !== "Escape") return;
  if (page.key?.(event)) {
    event.preventDefault();
    return;
  }
  if (event.key === "y" && server.opened) copy();
  if ((event.key === "[" || event.key === "]") && !line.element.hidden) drag(Math.round((context().score + (event.key === "]" ? 0.01 : -0.01)) * 1e6) / 1e6, true);
  if (event.key === "/") {
    const search = root.querySelector("input[type=search]");
    if (search instanceof HTMLElement) {
      event.preventDefault();
      search.focus();
    }
  }
});

refresh().then(() => show(false), (error) => put(root, el("p", { class: "failed", role: "alert" }, error.message)));
