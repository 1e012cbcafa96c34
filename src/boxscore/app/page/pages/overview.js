/** The numbers, whether they can be trusted, and where every box went. */
import { f1Curve, nearest, ratesAt } from "../counts.js";
import { el, put, token } from "../dom.js";
import { counted, rate, score as scoreText, whole } from "../format.js";
import { lineChart, responsive } from "../parts/chart.js";
import { chip, glyph, hue } from "../parts/chips.js";
import { findings } from "../parts/findings.js";
import { panel } from "../parts/panel.js";
import { latest } from "../source.js";

/** @typedef {import("../types.js").Context} Context */

/** @param {HTMLElement} root @param {Context} context @returns {import("../types.js").Page} */
export function overviewPage(root, context) {
  let now = context;
  /** @type {any} */
  let shown = null;
  /** @type {Map<string, any>} */
  let points = new Map();
  const title = el("div", { class: "title" }, el("h1", {}, "Overview"), el("span", { class: "about" }, about(context)));
  const numbers = el("div", { class: "wide" });
  const trust = panel("The doctor's words", "");
  const ledger = panel("Ledger", "every box accounted for");
  const rules = panel("Protocol", "");
  const pr = panel("Precision–recall", "", { name: "precision_recall", svg: () => prChart.drawn(), csv: () => curveRows(mean) });
  const f1 = panel("F1 against score", "all classes together; drag the line", { name: "f1_score", svg: () => f1Chart.drawn(), csv: f1Rows });
  root.append(title, numbers, el("div", { class: "columns" }, trust.element, el("div", {}, ledger.element, rules.element)), el("div", { class: "columns" }, pr.element, f1.element));

  /** @type {any} */
  let mean = null;
  const colour = (/** @type {string} */ letter) => token(`--model-${hue(letter)}`);
  const prChart = responsive(pr.body, 260, (width, height) => mean && lineChart({
    title: "Precision against recall, mean over classes",
    x: { min: 0, max: 1, label: "recall" }, y: { min: 0, max: 1, label: "precision" },
    series: now.models.filter((one) => mean.columns[`${one.letter}.recall`]?.length).map((one) => ({
      name: one.letter, colour: colour(one.letter), x: mean.columns[`${one.letter}.recall`], y: mean.columns[`${one.letter}.precision`],
      label: `${one.letter} ${rate(mean.about.models.find((/** @type {any} */ m) => m.letter === one.letter)?.ap)}`,
    })),
  }, width, height));
  const f1Chart = responsive(f1.body, 260, (width, height) => {
    const known = now.models.filter((one) => now.steps.has(one.letter));
    if (!known.length) return null;
    const all = known.map((one) => ({ one, ...f1Curve(/** @type {any} */ (now.steps.get(one.letter))) }));
    const [low, high] = [Math.min(0, ...all.map((c) => c.x[0])), Math.max(1, ...all.map((c) => c.x[c.x.length - 1]))];
    return lineChart({
      title: "F1 against score", x: { min: low, max: high, label: "score" }, y: { min: 0, max: 1, label: "F1" },
      line: Math.min(high, Math.max(low, now.score)), drag: now.drag,
      series: all.map(({ one, x, y }) => ({ name: one.letter, colour: colour(one.letter), x, y, label: `${one.letter} ${rate(current(one.letter).f1)}` })),
    }, width, height);
  });

  function f1Rows() {
    /** @type {(string | number | null)[][]} */
    const rows = [["model", "score", "F1"]];
    for (const one of now.models) {
      const steps = now.steps.get(one.letter);
      if (steps) f1Curve(steps).x.forEach((x, k) => rows.push([one.name, x, f1Curve(steps).y[k]]));
    }
    return rows;
  }
  /** Counts at the present score: exact ones where they have arrived. @param {string} letter */
  function current(letter) {
    const exact = points.get(letter);
    if (exact && exact.score === now.score) return exact;
    const steps = now.steps.get(letter);
    return steps ? ratesAt(steps, nearest(steps.score, now.score)) : { tp: null, fp: null, fn: null, precision: null, recall: null, f1: null };
  }
  const asked = latest(async (signal) => new Map(await Promise.all(now.models.map(async (one) =>
    /** @type {[string, any]} */ ([one.letter, await now.source.json("point", { p: now.state.p, m: one.letter, s: now.score, iou: now.state.iou }, signal)])))),
  (made) => {
    points = made;
    follow();
  }, (error) => ledger.fail(error));

  const narrow = matchMedia("(max-width: 720px)");
  /** What obeys the score line. */
  function follow() {
    if (!shown) return;
    put(numbers, narrow.matches ? upright(shown, now, current) : lying(shown, now, current));
    put(ledger.body, ...accounts(shown.models.find((/** @type {any} */ m) => m.letter === now.model.letter), current(now.model.letter), now));
    f1Chart.redraw();
  }
  function all() {
    now.source.json("overview", { p: now.state.p }).then((answer) => {
      shown = answer;
      const some = answer.models.filter((/** @type {any} */ m) => now.models.some((one) => one.letter === m.letter));
      findings(trust, some);
      protocolRules(rules, answer.protocol, some);
      follow();
    }, (error) => trust.fail(error));
    now.source.columns("mean", { p: now.state.p, iou: now.state.iou }).then((answer) => {
      mean = answer;
      pr.subtitle.textContent = `mean over classes, IoU ${answer.about.iou}; labels: AP there`;
      prChart.redraw();
    }, (error) => pr.fail(error));
    asked.wish();
  }
  all();
  narrow.addEventListener("change", follow);
  return {
    update(next, changed, dragging) {
      now = next;
      if (changed.size === 1 && changed.has("s")) {
        follow();
        if (!dragging) asked.wish();
        return true;
      }
      return false;
    },
    destroy() {
      asked.end();
      narrow.removeEventListener("change", follow);
      prChart.destroy();
      f1Chart.destroy();
    },
  };
}

/** @param {Context} context */
function about({ opened }) {
  return `${counted(opened.truth.images, "image")} · ${counted(opened.truth.objects, "object")} · ${counted(opened.classes, "class", "classes")}`;
}

/** @param {any} answer */
function curveRows(answer) {
  /** @type {(string | number | null)[][]} */
  const rows = [["model", "recall", "precision"]];
  for (const { letter } of answer?.about.models ?? []) {
    const [x, y] = [answer.columns[`${letter}.recall`], answer.columns[`${letter}.precision`]];
    for (let k = 0; k < x.length; k++) rows.push([letter, x[k], y[k]]);
  }
  return rows;
}

/** What makes the numbers of a model wrong, if anything does. @param {any} model */
function spoiled(model) {
  return model.diagnoses.find((/** @type {any} */ one) => one.severity === "error");
}

/** @param {any} model @param {string} name */
function cell(model, name) {
  const value = model.metrics[name];
  const wrong = spoiled(model);
  return el("td", { class: `number ${name === model.headline ? "headline" : ""} ${wrong ? "spoiled" : ""}`, title: value === null || value === undefined ? model.reasons[name] ?? "not evaluated" : String(value) }, rate(value), wrong && name === model.headline ? el("span", { class: "spoils" }, `✕ ${wrong.title}`) : null);
}

const RATES = /** @type {const} */ ([["P", "precision"], ["R", "recall"], ["F1", "f1"]]);

/** @param {any} answer @param {Context} now @param {(letter: string) => any} current */
function lying(answer, now, current) {
  const some = answer.models.filter((/** @type {any} */ m) => now.models.some((one) => one.letter === m.letter));
  return el("table", { class: "headlines" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "model"), ...answer.metrics.map((/** @type {string} */ name) => el("th", { scope: "col", class: "number" }, name)),
      ...RATES.map(([name], k) => el("th", { scope: "col", class: "number obeys", title: `at score ${now.score}` }, k === 0 && el("span", { class: "tag" }, `score ≥ ${scoreText(now.score)}`), name)))),
    el("tbody", {}, ...some.map((/** @type {any} */ m) => el("tr", {}, el("th", { scope: "row" }, chip(m.letter, m.name), " ", el("span", { title: m.name }, m.name)),
      ...answer.metrics.map((/** @type {string} */ name) => cell(m, name)),
      ...RATES.map(([, key]) => el("td", { class: `number obeys ${spoiled(m) ? "spoiled" : ""}`, title: String(current(m.letter)[key] ?? "undefined") }, rate(current(m.letter)[key])))))));
}

/** @param {any} answer @param {Context} now @param {(letter: string) => any} current */
function upright(answer, now, current) {
  const some = answer.models.filter((/** @type {any} */ m) => now.models.some((one) => one.letter === m.letter));
  return el("table", { class: "headlines upright" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "metric"), ...some.map((/** @type {any} */ m) => el("th", { scope: "col", class: "number" }, chip(m.letter, m.name))))),
    el("tbody", {}, ...answer.metrics.map((/** @type {string} */ name) => el("tr", {}, el("th", { scope: "row" }, name), ...some.map((/** @type {any} */ m) => cell(m, name)))),
      ...RATES.map(([name, key]) => el("tr", {}, el("th", { scope: "row", class: "obeys" }, `${name} at ${scoreText(now.score)}`), ...some.map((/** @type {any} */ m) => el("td", { class: "number obeys" }, rate(current(m.letter)[key])))))));
}

/** @param {any} model @param {any} at @param {Context} now */
function accounts(model, at, now) {
  const rest = (/** @type {any} */ account) => account.rows.filter((/** @type {any} */ row) => row.fate !== "evaluated" && row.fate !== "added" && row.count);
  const evaluated = (/** @type {any} */ account) => account.rows.filter((/** @type {any} */ row) => row.fate === "evaluated").reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.count, 0);
  const { images, objects, detections } = model.ledger;
  const named = (/** @type {any} */ row) => ({ kind: row.fate === "ignored" ? "ignored" : "dropped", count: row.count, word: `${row.fate}${row.reason ? `: ${row.reason}` : ""}`, mark: null });
  const [real, given] = [evaluated(objects), evaluated(detections)];
  const known = at.tp !== null;
  return [
    el("p", { class: "about" }, chip(model.letter, model.name), " ", model.name, known ? el("span", { class: "tag" }, `score ≥ ${scoreText(now.score)}`) : null),
    account("Images", images.truth, [{ kind: "plain", count: images.matched, word: "with detections" }, { kind: "dropped", count: images.only_truth, word: "without" }]),
    account("Objects", objects.read, [
      ...(known ? [{ kind: "tp", count: real - at.fn, word: "found", mark: "tp" }, { kind: "fn", count: at.fn, word: "missed", mark: "fn" }] : [{ kind: "plain", count: real, word: "evaluated" }]),
      ...rest(objects).map(named)]),
    account("Detections", detections.read, [
      ...(known ? [{ kind: "tp", count: at.tp, word: "true", mark: "tp" }, { kind: "fp", count: at.fp, word: "false", mark: "fp" }, { kind: "below", count: given - at.tp - at.fp, word: "below the score, or ignored by the match" }] : [{ kind: "plain", count: given, word: "evaluated" }]),
      ...rest(detections).map(named)]),
  ];
}

/** @param {string} what @param {number} read @param {{kind: string, count: number, word: string, mark?: string | null}[]} parts */
function account(what, read, parts) {
  const some = parts.filter((part) => part.count > 0);
  const sum = some.reduce((total, part) => total + part.count, 0) || 1;
  return el("div", { class: "account" }, el("h3", {}, what), el("div", {},
    el("div", { class: "stack", "aria-hidden": "true" }, ...some.map((part) => {
      const made = el("span", { class: `part ${part.kind}`, title: `${whole(part.count)} ${part.word}` });
      made.style.width = `${(100 * part.count) / sum}%`;
      return made;
    })),
    el("p", {}, el("b", {}, whole(read)), " = ", ...some.flatMap((part, k) => [k ? " + " : "", part.mark ? glyph(part.mark) : null, part.mark ? " " : null, el("b", {}, whole(part.count)), ` ${part.word}`]), some.length ? "" : "none")));
}

/** @param {ReturnType<typeof panel>} place @param {any} protocol @param {any[]} models */
function protocolRules(place, protocol, models) {
  const ious = protocol.iou;
  const tied = Math.max(...models.map((m) => m.ledger.tied));
  const rows = [
    ["Rules", protocol.about],
    ["Overlap", `${protocol.overlap} ≥ ${ious.length > 1 ? `${ious[0]}, ${ious[1]} … ${ious[ious.length - 1]}` : ious[0]}`],
    ["Precision", protocol.recall_levels ? `at ${protocol.recall_levels} recall levels` : "area under all points"],
    ["Limit", protocol.limits.length ? `${protocol.limits.join(", ")} detections` : "none"],
    ["Ties", tied ? `${counted(tied, "detection")} with tied scores` : "no tied scores"],
  ];
  place.heading.textContent = `Protocol ${protocol.name}`;
  put(place.body, el("dl", { class: "facts" }, ...rows.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]), el("dt", {}, "Signature"), el("dd", {}, el("code", {}, protocol.signature))));
}
