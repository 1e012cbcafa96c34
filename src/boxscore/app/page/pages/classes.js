/** The table of classes; a click shows the curve of one. */
import { nearest, ratesAt } from "../counts.js";
import { el, put, settled, token } from "../dom.js";
import { counted, rate, whole } from "../format.js";
import { lineChart, responsive } from "../parts/chart.js";
import { chip, hue } from "../parts/chips.js";
import { panel } from "../parts/panel.js";
import { table } from "../parts/table.js";
import { latest } from "../source.js";

/** @typedef {import("../types.js").Context} Context */
/** @typedef {{name: string, k: number}} Row */

/** @param {HTMLElement} root @param {Context} context @returns {import("../types.js").Page} */
export function classesPage(root, context) {
  let now = context;
  /** @type {any} */
  let shown = null;
  /** @type {ReturnType<typeof table<Row>> | null} */
  let rows = null;
  /** @type {any} */
  let exact = null;
  const search = el("input", { type: "search", placeholder: "Find a class  /", "aria-label": "Find a class", value: context.state.q });
  const count = el("span", { class: "about" });
  const place = el("div", { class: "left" });
  const side = panel("", "", { name: "curve", svg: () => chart.drawn(), csv: csvOfCurve });
  const rest = el("div");
  side.element.append(rest);
  root.append(el("div", { class: "title" }, el("h1", {}, "Classes"), search, count, el("button", { class: "quiet", title: "Save the table as CSV", onclick: () => saveTable() }, "CSV")),
    el("div", { class: "columns side" }, place, side.element));

  /** @type {any} */
  let curve = null;
  const chart = responsive(side.body, 260, (width, height) => curve && curve.about.models.some((/** @type {any} */ m) => !m.reason) ? lineChart({
    title: `Precision against recall of ${now.state.class}`, x: { min: 0, max: 1, label: "recall" }, y: { min: 0, max: 1, label: "precision" },
    series: now.models.filter((one) => curve.columns[`${one.letter}.recall`]?.length).map((one) => {
      const [x, y, score] = ["recall", "precision", "score"].map((name) => curve.columns[`${one.letter}.${name}`]);
      let last = -1;
      while (last + 1 < score.length && score[last + 1] >= now.score) last++;
      const about = curve.about.models.find((/** @type {any} */ m) => m.letter === one.letter);
      return { name: one.letter, colour: token(`--model-${hue(one.letter)}`), x, y, label: `${one.letter} ${rate(about?.ap)}`, mark: last >= 0 ? /** @type {[number, number]} */ ([x[last], y[last]]) : null };
    }),
  }, width, height) : null);

  function csvOfCurve() {
    /** @type {(string | number | null)[][]} */
    const made = [["model", "recall", "precision", "score"]];
    for (const one of now.models) {
      const [x, y, s] = ["recall", "precision", "score"].map((name) => curve?.columns[`${one.letter}.${name}`] ?? []);
      for (let k = 0; k < x.length; k++) made.push([one.name, x[k], y[k], s[k]]);
    }
    return made;
  }
  /** @param {Row} row */
  function at(row) {
    if (exact && exact.score === now.score && exact.classes[row.name]) {
      const [tp, fp, fn, precision, recall, f1] = exact.classes[row.name];
      return { tp, fp, fn, precision, recall, f1 };
    }
    const steps = now.steps.get(now.model.letter);
    const k = steps ? steps.names.indexOf(row.name) : -1;
    return steps && k >= 0 ? ratesAt(steps, nearest(steps.score, now.score), k) : { tp: null, fp: null, fn: null, precision: null, recall: null, f1: null };
  }
  /** @returns {import("../parts/table.js").Column<Row>[]} */
  function columns() {
    const models = now.models.map((one) => shown.models.find((/** @type {any} */ m) => m.letter === one.letter));
    const metrics = /** @type {string[]} */ (shown.metrics);
    const wanted = models.length > 1 ? metrics.slice(0, models.length > 3 ? 1 : 2) : metrics;
    return [
      { key: "class", title: "class", kind: "text", value: (row) => row.name, show: (row) => el("span", { class: "name", title: row.name }, row.name) },
      { key: "objects", title: "objects", kind: "number", value: (row) => shown.objects[row.k], show: (row) => whole(shown.objects[row.k]) },
      { key: "detections", title: "detections", kind: "number", narrow: "medium-only", value: (row) => models[0].detections[row.k], show: (row) => whole(models[0].detections[row.k]) },
      ...wanted.flatMap((metric, k) => models.map((model) => /** @type {import("../parts/table.js").Column<Row>} */ ({
        key: `${metric}.${model.letter}`, title: models.length > 1 ? `${metric} ${model.letter}` : metric, kind: "number", narrow: k ? "medium-only" : "",
        value: (row) => model.metrics[metric][row.k],
        show: (row) => el("span", { title: String(model.metrics[metric][row.k] ?? "undefined") }, rate(model.metrics[metric][row.k])),
      }))),
      ...(/** @type {const} */ ([["P", "precision"], ["R", "recall"], ["F1", "f1"]])).map(([title, key]) => /** @type {import("../parts/table.js").Column<Row>} */ ({
        key: title, title, kind: "number", obeys: true, hint: `${title} of model ${now.model.letter} at the score line`, narrow: title === "F1" ? "" : "wide-only",
        value: (row) => at(row)[key], show: (row) => rate(at(row)[key]),
      })),
    ];
  }
  function saveTable() {
    const made = columns();
    const saved = panel("", "", { name: "classes", csv: () => [made.map((c) => c.title), ...shown.names.map((/** @type {string} */ name, /** @type {number} */ k) => made.map((c) => c.value({ name, k })))] });
    saved.element.querySelector("button")?.click();
  }
  const fallback = () => `${shown.metrics[0]}.${now.model.letter}`;
  const filtered = () => {
    const text = now.state.q.toLocaleLowerCase();
    return /** @type {Row[]} */ (shown.names.map((/** @type {string} */ name, /** @type {number} */ k) => ({ name, k }))).filter((row) => row.name.toLocaleLowerCase().includes(text));
  };
  function build() {
    rows?.destroy();
    const some = filtered();
    rows = table({
      columns: columns(), rows: some, label: "Classes", sort: now.state.sort || fallback(), id: (row) => row.name,
      sorted: (sort) => now.go({ sort }, true), choose: (row) => now.go({ class: row.name }), row: shown.names.length > 200 ? 24 : 28,
    });
    if (shown.names.length > 200) rows.element.classList.add("dense");
    put(place, some.length ? rows.element : el("p", { class: "empty" }, "No class has such a name."));
    rows.choose(now.state.class);
    count.textContent = some.length === shown.names.length ? counted(some.length, "class", "classes") : `${some.length} of ${counted(shown.names.length, "class", "classes")}`;
    search.hidden = shown.names.length < 2;
  }
  const exactly = latest((signal) => now.source.json("point", { p: now.state.p, m: now.model.letter, s: now.score, iou: now.state.iou }, signal), (answer) => {
    exact = answer;
    rows?.redraw();
    beside();
  }, () => undefined);
  const asked = latest((signal) => now.source.columns("curve", { p: now.state.p, class: now.state.class, iou: now.state.iou }, signal), (answer) => {
    curve = answer;
    beside();
    chart.redraw();
  }, (error) => side.fail(error));

  function beside() {
    const name = now.state.class;
    side.heading.textContent = name || "Choose a class";
    if (!name || !shown) {
      side.subtitle.textContent = "its curve is shown here";
      put(rest);
      return;
    }
    const k = shown.names.indexOf(name);
    const { tp, fp, fn } = at({ name, k });
    side.subtitle.textContent = k < 0 ? "there is no such class" : `${counted(shown.objects[k], "object")}${curve ? `, IoU ${curve.about.iou}` : ""}`;
    const reasons = curve?.about.models.filter((/** @type {any} */ m) => m.reason) ?? [];
    put(rest, ...reasons.map((/** @type {any} */ m) => el("p", { class: "about" }, chip(m.letter), ` ${m.reason}`)),
      el("p", { class: "links" },
        el("a", { href: now.link({ page: "gallery", class: name, verdict: "fp" }) }, `See what is false${fp === null ? "" : ` (${whole(fp)})`}`),
        el("a", { href: now.link({ page: "gallery", class: name, verdict: "fn" }) }, `See what is missed${fn === null ? "" : ` (${whole(fn)})`}`),
        el("a", { href: now.link({ page: "gallery", class: name, verdict: "tp" }) }, `See what is true${tp === null ? "" : ` (${whole(tp)})`}`)));
  }
  const typed = settled(120, () => now.go({ q: search.value }, true));
  search.addEventListener("input", typed);
  context.source.json("classes", { p: context.state.p }).then((answer) => {
    shown = answer;
    build();
    if (!now.state.class && answer.names.length) now.go({ class: [...filtered()].sort((a, b) => answer.objects[b.k] - answer.objects[a.k])[0]?.name ?? "" }, true);
    beside();
  }, (error) => put(place, el("p", { class: "failed", role: "alert" }, error.message)));
  if (context.state.class) asked.wish();
  exactly.wish();
  beside();
  return {
    update(next, changed, dragging) {
      now = next;
      if (["p", "m", "iou", "model"].some((key) => changed.has(key)) || !shown) return false;
      if (changed.has("q")) build();
      if (changed.has("sort")) rows?.sortBy(now.state.sort || fallback());
      if (changed.has("class")) {
        rows?.choose(now.state.class);
        curve = null;
        asked.wish();
        beside();
      }
      if (changed.has("s")) {
        rows?.redraw();
        beside();
        chart.redraw();
        if (!dragging) exactly.wish();
      }
      return true;
    },
    destroy() {
      asked.end();
      exactly.end();
      rows?.destroy();
      chart.destroy();
    },
  };
}
