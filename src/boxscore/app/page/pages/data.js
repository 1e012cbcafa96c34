/** What the files hold: the statistics of the ground truth and of each model's detections. */
import { el, put, svg, token } from "../dom.js";
import { base, counted, short, whole } from "../format.js";
import { barChart, responsive } from "../parts/chart.js";
import { chip } from "../parts/chips.js";
import { panel } from "../parts/panel.js";
import { table } from "../parts/table.js";

/** @param {HTMLElement} root @param {import("../types.js").Context} context @returns {import("../types.js").Page} */
export function dataPage(root, context) {
  const { opened, state } = context;
  const side = state.side || "truth";
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": "What to look at" },
    tab("truth", null, "Ground truth"), ...opened.models.map((one) => tab(one.letter, chip(one.letter, one.name), one.name)));
  const body = el("div");
  /** @type {{destroy: () => void}[]} */
  const made = [];
  root.append(el("div", { class: "title" }, el("h1", {}, "Data"), tabs), body);
  context.source.json("data", { side }).then((answer) => put(body, ...shown(answer, context, made)), (error) => put(body, el("p", { class: "failed", role: "alert" }, error.message)));

  /** @param {string} name @param {HTMLElement | null} mark @param {string} text */
  function tab(name, mark, text) {
    return el("a", { href: context.link({ side: name === "truth" ? "" : name }), "aria-current": name === side ? "true" : null }, mark, mark ? " " : null, text);
  }
  return { destroy: () => made.forEach((one) => one.destroy()) };
}

/** @param {any} data @param {import("../types.js").Context} context @param {{destroy: () => void}[]} made */
function shown(data, context, made) {
  const noun = data.side === "truth" ? "object" : "detection";
  const classes = /** @type {[string, any, number, number, number | null, number | null][]} */ (data.classes);
  const facts = [
    ["images", whole(data.images)], [`${noun}s`, whole(data.boxes)], [`${noun}s per image`, short(data.boxes / Math.max(data.images, 1))],
    [`images without ${noun}s`, whole(data.empty_images)], ["classes", whole(classes.length)], ["classes without any", whole(classes.filter((c) => c[2] === 0).length)],
    ["zero width or height", whole(data.flat)], ["outside their image", data.outside === null ? "n/a" : whole(data.outside)],
    ...data.holds.filter((/** @type {[string, number]} */ [name]) => name.startsWith("flag ")).map((/** @type {[string, number]} */ [name, n]) => [name.replace(/^flag |'/g, ""), whole(n)]),
  ];
  const sorted = classes.map((c, k) => ({ name: c[0], k })).sort((a, b) => classes[b.k][2] - classes[a.k][2]);
  const most = classes.length ? classes[sorted[0].k][2] : 0;
  const least = sorted.map((row) => classes[row.k][2]).filter((n) => n > 0).at(-1) ?? 1;
  const log = most / least > 30;
  const per = panel(`${noun === "object" ? "Objects" : "Detections"} per class`, log ? "log scale" : "", {
    name: `${noun}s_per_class`, svg: () => bars.drawn(), csv: () => [["class", "id", "boxes", "images", "median width", "median height"], ...classes],
  });
  const bars = responsive(per.body, 240, (width, height) => (classes.length ? barChart({ counts: sorted.map((row) => classes[row.k][2]), labels: sorted.map((row) => row.name), x: "", y: `${noun}s`, title: `${noun}s per class`, log, every: true }, width, height) : null));
  made.push(bars);
  const histograms = data.histograms.map((/** @type {any} */ one) => {
    const labels = one.counts.map((/** @type {number} */ _, /** @type {number} */ k) => range(one.edges[k], one.edges[k + 1]));
    const title = `${one.title[0].toUpperCase()}${one.title.slice(1)}`;
    const place = panel(title.replace(/ \(.*/, ""), one.title.match(/\((.*)\)/)?.[1] ?? "", {
      name: one.title.replace(/ \(.*/, ""), svg: () => chart.drawn(), csv: () => [["from", "to", "count"], ...one.counts.map((/** @type {number} */ n, /** @type {number} */ k) => [one.edges[k], one.edges[k + 1], n])],
    });
    const chart = responsive(place.body, 200, (width, height) => barChart({ counts: one.counts, labels, edges: one.edges.map((/** @type {number | null} */ edge) => (edge === null ? "" : short(edge))), x: one.title.startsWith("size") ? (data.normalized ? "of the image" : "pixels") : "", y: one.of_images ? "images" : `${noun}s`, title }, width, height));
    made.push(chart);
    return place.element;
  });
  const rows = table({
    columns: [
      { key: "class", title: "class", kind: "text", value: (row) => row.name, show: (row) => el("span", { class: "name", title: row.name }, row.name) },
      { key: "id", title: "id", kind: "number", value: (row) => classes[row.k][1], show: (row) => String(classes[row.k][1]) },
      { key: "boxes", title: `${noun}s`, kind: "number", value: (row) => classes[row.k][2], show: (row) => whole(classes[row.k][2]) },
      { key: "images", title: "images", kind: "number", value: (row) => classes[row.k][3], show: (row) => whole(classes[row.k][3]) },
      { key: "size", title: "median size", kind: "number", value: (row) => classes[row.k][4] === null ? null : (classes[row.k][4] ?? 0) * (classes[row.k][5] ?? 0), show: (row) => (classes[row.k][4] === null ? "n/a" : `${short(classes[row.k][4])} × ${short(classes[row.k][5])}`) },
    ],
    rows: sorted, label: "Classes", sort: "-boxes", sorted: (sort) => rows.sortBy(sort), id: (row) => row.name,
    choose: (row) => context.go({ page: "gallery", class: row.name }),
  });
  rows.element.classList.add("short");
  made.push(rows);
  const list = panel("Classes", "click one to see its images");
  list.body.append(rows.element);
  return [
    el("p", { class: "about" }, `${base(data.source)}, read as ${data.format}${data.normalized ? ", normalized coordinates" : ""}. `, el("a", { href: context.link({ page: "image", i: "0", sort: "name" }) }, "Look at the images one by one")),
    el("dl", { class: "tiles" }, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    per.element,
    el("div", { class: "columns" }, ...histograms, list.element, el("div", {}, centres(data, noun), sizes(data))),
  ];
}

/** @param {number | null} from @param {number | null} to */
function range(from, to) {
  if (to === null) return `≥ ${short(from)}`;
  return from === null ? `< ${short(to)}` : `${short(from)} to ${short(to)}`;
}

/** @param {any} data @param {string} noun */
function centres(data, noun) {
  const place = panel(`Where ${noun}s lie`, "centres, over all images", { name: "centres", svg: () => /** @type {SVGElement | null} */ (place.body.querySelector("svg")) });
  if (!data.centres) {
    place.body.append(el("p", { class: "about" }, "Image sizes are not known: open with images, or with a table of sizes."));
    return place.element;
  }
  const [across, down] = data.grid;
  const top = Math.max(...data.centres, 1);
  place.body.append(svg("svg", { class: "heat", width: across * 16, height: down * 16, viewBox: `0 0 ${across} ${down}`, role: "img", "aria-label": `Where centres of ${noun}s lie` },
    ...data.centres.map((/** @type {number} */ n, /** @type {number} */ k) => svg("rect", { x: k % across, y: Math.floor(k / across), width: 1.02, height: 1.02, fill: token("--ink"), "fill-opacity": (0.92 * n) / top }, svg("title", {}, counted(n, noun))))));
  return place.element;
}

/** @param {any} data */
function sizes(data) {
  const place = panel("Image sizes", data.sizes.length ? "the most frequent" : "");
  const top = data.sizes[0]?.[2] ?? 1;
  if (!data.sizes.length) place.body.append(el("p", { class: "about" }, "Not known."));
  else {
    place.body.append(el("table", { class: "sizes" }, el("tbody", {}, ...data.sizes.map((/** @type {number[]} */ [w, h, n]) => {
      const bar = el("span", { class: "bar-fill" });
      bar.style.width = `${(100 * n) / top}%`;
      return el("tr", {}, el("td", {}, `${short(w)} × ${short(h)}`), el("td", { class: "number" }, whole(n)), el("td", { class: "wide-cell" }, bar));
    }))));
  }
  return place.element;
}
