/** Models have a colour and a letter; verdicts a colour and a glyph. */
import { el } from "../dom.js";

/** @param {string} letter */
export function hue(letter) {
  return "ABCDEF"[(letter.charCodeAt(0) - 65) % 6];
}

/** @param {string} letter @param {string} [name] */
export function chip(letter, name) {
  return el("span", { class: `chip hue-${hue(letter)}`, title: name ?? `model ${letter}` }, letter);
}

/** @type {Record<string, [string, string]>} glyph and word of a verdict */
export const VERDICTS = { tp: ["●", "true"], fp: ["✕", "false"], fn: ["○", "missed"], ignored: ["◌", "ignored"], truth: ["□", "ground truth"] };

/** @param {string} verdict */
export function glyph(verdict) {
  return el("span", { class: `glyph ${verdict}`, role: "img", "aria-label": VERDICTS[verdict][1] }, VERDICTS[verdict][0]);
}
