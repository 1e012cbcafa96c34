/** Choose files, say how to read them, tick protocols, evaluate. */
import { el, put } from "../dom.js";
import { base, counted } from "../format.js";
import { pick } from "../parts/browser.js";
import { chip } from "../parts/chips.js";
import { droppable, uploaded } from "../parts/drop.js";
import { finding, SEVERITIES } from "../parts/findings.js";
import { panel } from "../parts/panel.js";
import { progress } from "../parts/progress.js";

/** @typedef {import("../types.js").Context} Context */
const COMMON = ["coco", "voc2012", "voc2007", "toolkit", "openimages-v2", "lvis", "imagenet-det"];
const BOXES = [["", "boxes as recognised"], ["xywh", "x y width height"], ["xyxy", "x1 y1 x2 y2"], ["cxcywh", "centre, width, height"]];
const COORDS = [["", "coordinates as recognised"], ["absolute", "pixels"], ["relative", "normalized (0–1)"]];

/** @param {HTMLElement} root @param {Context} context @returns {import("../types.js").Page} */
export function openPage(root, context) {
  const { source } = context;
  /** @type {any} */
  const form = structuredClone(context.server.form);
  /** @type {any} */
  let checked = context.server.checked;
  /** @type {any} */
  let choices = null;
  let last = form.truth || "";
  let more = false;
  const said = el("p", { class: "failed", role: "alert" });
  const cards = el("div", { class: "cards" });
  const models = panel("Models", "drop as many files as you like, one per model");
  const ticks = panel("Protocols and metrics", "");
  const words = panel("The doctor's first words", "before anything is run");
  const work = el("div", { class: "work" });
  const saving = panel("Tables and plots", "nothing is written unless you choose a folder");
  root.append(el("div", { class: "title" }, el("h1", {}, "Open"), el("span", { class: "about" }, "drop files or folders anywhere; formats are recognised by content")), said,
    el("div", { class: "columns side" }, el("div", { class: "left" }, cards, models.element, ticks.element, work), el("div", {}, words.element, saving.element)));
  const running = progress(source, async (job) => {
    await context.refresh();
    checked = (await source.json("state")).checked;
    draw();
    if (job.kind === "evaluate" && job.state === "done") context.go({ page: "overview", p: "", s: "", m: "" });
  }, () => draw());

  /** Keeps what is chosen, and looks at it. */
  async function changed(look = true) {
    draw();
    try {
      said.textContent = "";
      await source.act("form", form);
      if (look && (form.truth || form.models.length)) {
        await source.act("check");
        running.watch();
      }
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message;
    }
  }
  /** @param {string} title @param {boolean} folders */
  async function chosen(title, folders = false) {
    const start = last.replace(/[\\/][^\\/]*$/, "");
    const path = await pick(source, { title, start, folders });
    if (path) last = path;
    return path;
  }
  /** @param {DataTransfer} dropped @param {string} [into] */
  async function dropOn(dropped, into) {
    try {
      const paths = await uploaded(dropped, source, (done, whole) => { said.textContent = whole > 1 ? `Taking ${done + 1} of ${whole} files …` : ""; });
      said.textContent = "";
      for (const path of paths) {
        if (into === "images" || into === "classes") form.options[into] = path;
        else if (into === "truth" || (!into && !form.truth)) form.truth = path;
        else form.models.push({ path, name: "", options: {} });
      }
      await changed();
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message;
    }
  }
  /** @param {string} label @param {string[][]} options @param {string} value @param {(value: string) => void} take */
  const select = (label, options, value, take) => el("select", { "aria-label": label, onchange: (/** @type {any} */ e) => { take(e.target.value); changed(); } }, ...options.map(([key, text]) => el("option", { value: key, selected: key === (value ?? "") }, text)));
  /** @param {Record<string, any>} options @param {string} key */
  const setter = (options, key) => (/** @type {string} */ value) => { if (value) options[key] = value; else delete options[key]; };
  /** @param {string} side @param {any} seen */
  const formats = (side, seen) => [["", seen?.format ? `recognised: ${seen.format}` : "format as recognised"], ...(choices?.formats[side] ?? [])];

  /** @param {string} title @param {string} key @param {string} path @param {import("../dom.js").Child[]} body @param {() => void} browse @param {(() => void) | null} clear */
  function card(title, key, path, body, browse, clear) {
    const made = el("section", { class: `card ${path ? "" : "empty-card"}` }, el("h2", {}, title), el("div", { class: "buttons" }, path && clear && el("button", { class: "quiet", onclick: clear, "aria-label": `Remove ${title}` }, "remove"), el("button", { onclick: browse, "aria-label": `Browse for ${title}` }, path ? "Change" : "Browse")),
      path && el("p", { class: "file", title: path }, base(path)), ...body);
    droppable(made, (dropped) => dropOn(dropped, key));
    return made;
  }
  /** @param {any} seen @param {string} noun */
  function sentence(seen, noun) {
    if (!seen) return null;
    if (seen.error) return el("p", { class: "failed", role: "alert" }, seen.error);
    return el("p", { class: "about" }, [counted(seen.images, "image"), counted(seen.boxes, noun), counted(seen.classes, "class", "classes"), seen.normalized ? "normalized coordinates" : ""].filter(Boolean).join(", "));
  }
  function draw() {
    const { options } = form;
    const truth = checked?.truth;
    put(cards,
      card("Ground truth", "truth", form.truth, form.truth ? [el("div", { class: "row" }, select("Ground-truth format", formats("truth", truth), options.truth_format, setter(options, "truth_format")), more && select("Boxes of the ground truth", BOXES, options.truth_box, setter(options, "truth_box"))), sentence(truth, "object")] : [el("p", { class: "about" }, "A file or folder in any format: COCO, VOC, YOLO, CVAT, LabelMe, Open Images, ImageNet and more.")],
        async () => { const path = await chosen("Ground truth"); if (path) { form.truth = path; changed(); } }, null),
      card("Images", "images", options.images ?? "", [el("p", { class: "about" }, options.images ? options.images : "Not needed for numbers: without them, boxes are drawn on paper of the right size.")],
        async () => { const path = await chosen("Folder of the images", true); if (path) { options.images = path; changed(); } }, () => { delete options.images; changed(); }),
      card("Classes", "classes", options.classes ?? "", [el("p", { class: "about" }, options.classes ? "one name per line, for ids from 0" : truth?.classes ? `${counted(truth.classes, "class", "classes")} from the ground truth; a list with one name per line overrides` : "Only for files that have ids and no names: one name per line.")],
        async () => { const path = await chosen("List of classes"); if (path) { options.classes = path; changed(); } }, () => { delete options.classes; changed(); }));
    put(models.body, form.models.length ? el("ul", { class: "models-list" }, ...form.models.map(modelRow)) : el("p", { class: "about" }, "Detections of one or several models: COCO results, or text files with class, confidence and box."),
      el("p", { class: "row" }, el("button", { onclick: async () => { const path = await chosen("Detections"); if (path) { form.models.push({ path, name: "", options: {} }); changed(); } } }, "Add detections"),
        el("label", {}, el("input", { type: "checkbox", checked: more, onchange: (/** @type {any} */ e) => { more = e.target.checked; draw(); } }), " say how boxes are written"), more && select("Coordinates of both sides", COORDS, options.coords, setter(options, "coords"))));
    protocolTicks();
    runButtons();
    doctor();
    saver();
  }
  /** @param {any} model @param {number} k */
  function modelRow(model, k) {
    const seen = checked?.models[k];
    const letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[k];
    return el("li", {}, chip(letter), el("input", { "aria-label": `Name of model ${letter}`, value: model.name, placeholder: base(model.path).replace(/\.\w+$/, ""), title: model.path, onchange: (/** @type {any} */ e) => { model.name = e.target.value.trim(); changed(false); } }),
      select(`Format of model ${letter}`, formats("detections", seen), model.options.detections_format, setter(model.options, "detections_format")), more && select(`Boxes of model ${letter}`, BOXES, model.options.detections_box, setter(model.options, "detections_box")),
      sentence(seen, "detection") ?? el("span", { class: "about" }, base(model.path)), el("button", { class: "quiet", "aria-label": `Remove model ${letter}`, onclick: () => { form.models.splice(k, 1); checked = null; changed(); } }, "remove"));
  }
  function protocolTicks() {
    const all = [...(choices?.protocols ?? COMMON.map((name) => [name, ""])), ...Object.entries(choices?.groups ?? {}).map(([name, members]) => [name, `the 2021 toolkit's metrics: ${members.join(" and ")}`])];
    const tick = (/** @type {string} */ name, /** @type {string} */ about) => el("label", { title: about }, el("input", { type: "checkbox", checked: form.protocols.includes(name), onchange: (/** @type {any} */ e) => { form.protocols = e.target.checked ? [...form.protocols, name] : form.protocols.filter((/** @type {string} */ one) => one !== name); changed(false); } }), ` ${name}`);
    const usual = all.filter(([name]) => COMMON.includes(name) || form.protocols.includes(name));
    put(ticks.body, el("div", { class: "ticks" }, ...usual.map(([name, about]) => tick(name, about))),
      el("details", {}, el("summary", {}, `All ${all.length} protocols`), el("div", { class: "ticks" }, ...all.filter((one) => !usual.includes(one)).map(([name, about]) => tick(name, about)))),
      el("div", { class: "row" }, el("label", {}, "IoU ", el("input", { class: "small", value: form.iou, placeholder: "as the protocol", title: "One IoU threshold, such as 0.5, instead of the protocol's own", onchange: (/** @type {any} */ e) => { form.iou = e.target.value.trim(); changed(false); } })),
        el("label", {}, "Further metrics ", el("input", { value: form.metrics.join(" "), placeholder: "AP[iou=0.6] F1max", title: "Separated by blanks", onchange: (/** @type {any} */ e) => { form.metrics = e.target.value.trim().split(/\s+/).filter(Boolean); changed(false); } }))));
  }
  function runButtons() {
    const ready = form.truth && form.models.length && form.protocols.length;
    const n = form.models.length;
    const job = running.job();
    put(work, running.busy() ? running.element : null,
      el("button", { class: "main", disabled: !ready || (running.busy() && job?.kind === "evaluate"), onclick: evaluate }, "Evaluate"),
      el("span", { class: "about" }, ready ? `${counted(n, "model")} × ${counted(form.protocols.length, "protocol")}` : !form.truth ? "Choose a ground truth first." : !n ? "Choose detections first." : "Tick a protocol first."),
      job && !running.busy() && job.state === "failed" ? el("p", { class: "failed", role: "alert" }, job.text) : null,
      job && job.state === "cancelled" ? el("p", { class: "about", role: "status" }, "Cancelled.") : null);
  }
  async function evaluate() {
    try {
      said.textContent = "";
      await source.act("form", form);
      await source.act("evaluate");
      running.watch();
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message;
    }
  }
  function doctor() {
    const some = checked?.diagnoses ?? [];
    const notes = [...some.map((/** @type {any} */ one) => ({ ...one, letters: one.letter ? [one.letter] : [] })), ...(checked?.truth?.findings ?? []).map((/** @type {any} */ one) => ({ ...one, letters: [] }))];
    notes.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
    put(words.body, notes.length ? el("ul", { class: "findings" }, ...notes.map(finding)) : el("p", { class: "about" }, checked ? "The doctor has found nothing." : "They come as soon as files are chosen."));
  }
  // Made once: what is typed here is kept when the rest of the page is drawn anew.
  let typed = false;
  const folder = el("input", { class: "path", "aria-label": "Output folder", placeholder: "a new or empty folder", oninput: () => { typed = true; } });
  const plots = el("input", { type: "checkbox", checked: true });
  const done = el("p", { class: "about", role: "status" });
  const target = el("div", {}, el("div", { class: "row" }, folder, el("button", { onclick: async () => { const path = await chosen("Output folder", true); if (path) { folder.value = path; typed = true; } } }, "Browse")),
    el("div", { class: "row below" }, el("label", {}, plots, " with plots"), el("button", { onclick: save }, "Save")), done);
  async function save() {
    done.textContent = "Writing …";
    try {
      const made = await source.act("save", { folder: folder.value, plots: plots.checked });
      done.textContent = `${counted(made.files, "file")} written to ${made.folder}.`;
    } catch (error) {
      done.textContent = /** @type {Error} */ (error).message;
    }
  }
  function saver() {
    if (!typed) folder.value = form.truth ? `${form.truth.replace(/[\\/][^\\/]*$/, "")}/boxscore-results` : "";
    if (!context.opened && !context.server.opened) put(saving.body, el("p", { class: "about" }, "Once something is evaluated: results as CSV and JSON, and a curve per class."));
    else if (!target.isConnected) put(saving.body, target);
  }
  droppable(root, (dropped) => dropOn(dropped));
  draw();
  source.json("choices").then((answer) => { choices = answer; draw(); }, (error) => { said.textContent = error.message; });
  running.watch();
  if (!checked && (form.truth || form.models.length) && context.server.job?.state !== "running") changed();
  return { destroy: () => running.end(), update: (next) => next.state.page === "open" };
}
