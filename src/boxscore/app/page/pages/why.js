/** Why a box has its verdict, in a sentence. */
import { el } from "../dom.js";
import { short } from "../format.js";

/**
 * @param {import("../wire.js").Columns} data
 * @param {{letter: string, k: number, verdict: string, label: string, score: number | null, overlap: number | null}} box
 * @returns {HTMLElement[]}
 */
export function why(data, box) {
  const model = data.about.models.find((/** @type {any} */ m) => m.letter === box.letter) ?? data.about.models[0];
  const c = (/** @type {string} */ key) => data.columns[`${model.letter}.${key}`];
  const titled = (/** @type {string} */ kind, /** @type {string} */ text) => [el("p", {}, el("b", {}, `${box.label}: ${kind}`)), el("p", { class: "about" }, text)];
  const iou = short(model.iou);
  if (box.verdict === "truth") return titled("ground truth", "An annotated object.");
  if (box.verdict === "fn") return titled("missed", `No detection with a score of at least ${short(model.score)} matches this object with an IoU of at least ${iou}.`);
  if (box.verdict === "tp") return titled("true positive", `It matches an object of its class: IoU ${short(box.overlap)}, at least ${iou}.`);
  if (box.verdict === "ignored") return titled("ignored", "It matches a region or an object that this protocol does not count.");
  const { names } = data.about;
  const best = c("best")[box.k];
  const [other, otherObject] = [c("other")[box.k], c("other_object")[box.k]];
  const label = names[c("label")[box.k]];
  if (best >= model.iou) {
    const taker = c("object_detection")[c("best_object")[box.k]];
    const by = taker >= 0 ? `by the detection with score ${short(c("score")[taker])}` : "by another detection";
    return titled("duplicate", `IoU ${short(best)} with an object of its class, but that object is already matched ${by}.`);
  }
  if (other >= model.iou) return titled("another class", `IoU ${short(other)} with an object of class ${names[c("object_label")[otherObject]] ?? "?"}, not ${label}.`);
  if (best > 0.1) return titled("poor box", `IoU ${short(best)} with an object of its class: less than ${iou}.`);
  return titled("background", Number.isNaN(best) && Number.isNaN(other) ? "It overlaps no object." : `The largest IoU with any object is ${short(Math.max(best || 0, other || 0))}.`);
}
