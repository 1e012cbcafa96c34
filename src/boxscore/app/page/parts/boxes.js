/** Boxes on a canvas: hue, line and casing say what each is, on photographs and on paper alike. */
import { token } from "../dom.js";

/** Numbers of verdicts on the wire. */
export const NAMES = ["none", "tp", "fp", "ignored", "fn", "found"];

/** @typedef {{x0: number, y0: number, x1: number, y1: number, verdict: string, label: string, colour?: string}} Box */

/** @type {Record<string, number[]>} */
const DASHES = { tp: [], fp: [6, 4], fn: [1.5, 3.5], ignored: [8, 3, 1.5, 3], truth: [] };

/** The colours at hand, on photographs or on paper. @param {boolean} photograph @returns {Record<string, string>} */
export function colours(photograph) {
  const made = /** @type {Record<string, string>} */ ({});
  for (const name of ["tp", "fp", "fn", "ignored", "truth"]) made[name] = token(photograph ? `--pic-${name}` : `--${name}`);
  made.casing = photograph ? token("--pic-casing") : "";
  return made;
}

/**
 * @param {CanvasRenderingContext2D} pen in device pixels
 * @param {Box[]} boxes
 * @param {{scale: number, left: number, top: number}} view from image to device pixels
 * @param {Record<string, string>} ink
 * @param {number} unit device pixels of a CSS pixel
 * @param {Set<number>} [strong] boxes that are drawn with a thicker line
 */
export function drawBoxes(pen, boxes, view, ink, unit, strong) {
  const wide = 2 * unit;
  for (const casing of ink.casing ? [true, false] : [false]) {
    boxes.forEach((box, k) => {
      const more = strong?.has(k) ? 1.6 : 1;
      pen.lineWidth = casing ? wide * more + 2 * unit : wide * more;
      pen.strokeStyle = casing ? ink.casing : box.colour ?? ink[box.verdict];
      pen.setLineDash(casing ? [] : DASHES[box.verdict].map((d) => d * unit));
      const [x, y] = [view.left + box.x0 * view.scale, view.top + box.y0 * view.scale];
      pen.strokeRect(x, y, Math.max((box.x1 - box.x0) * view.scale, 1), Math.max((box.y1 - box.y0) * view.scale, 1));
      if (!casing && box.verdict === "fn" && !ink.casing) {
        pen.globalAlpha = 0.1;
        pen.fillStyle = ink.fn;
        pen.fillRect(x, y, (box.x1 - box.x0) * view.scale, (box.y1 - box.y0) * view.scale);
        pen.globalAlpha = 1;
      }
    });
  }
  pen.setLineDash([]);
}

const GLYPHS = /** @type {Record<string, string>} */ ({ tp: "● ", fp: "✕ ", fn: "○ ", ignored: "◌ ", truth: "" });

/**
 * Labels that keep clear of each other: each tries five places, and those without a free one are counted.
 * @param {CanvasRenderingContext2D} pen
 * @param {Box[]} boxes
 * @param {{scale: number, left: number, top: number}} view
 * @param {Record<string, string>} ink
 * @param {number} unit
 * @returns {number} how many are left out
 */
export function drawLabels(pen, boxes, view, ink, unit) {
  const size = 11 * unit;
  pen.font = `600 ${size}px system-ui, sans-serif`;
  pen.textBaseline = "middle";
  /** @type {number[][]} */
  const taken = [];
  let left = 0;
  for (const box of boxes) {
    const text = `${GLYPHS[box.verdict]}${box.label.length > 40 ? `${box.label.slice(0, 39)}…` : box.label}`;
    const [w, h] = [pen.measureText(text).width + 8 * unit, size + 5 * unit];
    const [x0, y0, x1, y1] = [view.left + box.x0 * view.scale, view.top + box.y0 * view.scale, view.left + box.x1 * view.scale, view.top + box.y1 * view.scale];
    if (x1 < 0 || y1 < 0 || x0 > pen.canvas.width || y0 > pen.canvas.height) continue;
    const places = [[x0, y0 - h], [x0, y1], [x0, y0], [x1 - w, y0 - h], [x1 - w, y1]];
    const free = places.find(([x, y]) => x >= -1 && y >= 0 && x + w <= pen.canvas.width && y + h <= pen.canvas.height
      && taken.every(([a, b, c, d]) => x + w <= a || x >= c || y + h <= b || y >= d));
    if (!free) {
      left++;
      continue;
    }
    const [x, y] = free;
    taken.push([x, y, x + w, y + h]);
    pen.fillStyle = box.colour ?? ink[box.verdict];
    pen.fillRect(x, y, w, h);
    pen.fillStyle = dark(String(pen.fillStyle)) ? "#ffffff" : "#16181b";
    pen.fillText(text, x + 4 * unit, y + h / 2);
  }
  return left;
}

/** Whether white is read better on a colour. @param {string} colour as #rrggbb */
function dark(colour) {
  const part = (/** @type {number} */ k) => {
    const v = Number.parseInt(colour.slice(k, k + 2), 16) / 255;
    return v <= 0.04 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) < 0.18;
}
