/** A panel: a rule, a title, what it shows, and buttons to save that. An error in it stays in it. */
import { el, put } from "../dom.js";

/** @typedef {{svg?: () => SVGElement | null, csv?: () => (string | number | null)[][], name: string}} Saved */

/**
 * @param {string} title
 * @param {import("../dom.js").Child} about
 * @param {Saved} [saved]
 */
export function panel(title, about = "", saved) {
  const subtitle = el("span", { class: "about" }, about);
  const buttons = el("span", { class: "saves" });
  if (saved?.svg) {
    buttons.append(
      el("button", { class: "quiet", title: "Save as SVG", onclick: () => asSvg(saved) }, "SVG"),
      el("button", { class: "quiet", title: "Save as PNG", onclick: () => asPng(saved) }, "PNG"),
    );
  }
  if (saved?.csv) buttons.append(el("button", { class: "quiet", title: "Save as CSV", onclick: () => asCsv(saved) }, "CSV"));
  const body = el("div", { class: "body" });
  const heading = el("h2", {}, title);
  const element = el("section", { class: "panel" }, el("div", { class: "head" }, heading, subtitle, buttons), body);
  return {
    element, body, heading, subtitle,
    /** @param {Error} error */
    fail(error) {
      put(body, el("p", { class: "failed", role: "alert" }, error.message));
    },
  };
}

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const place = URL.createObjectURL(blob);
  const link = el("a", { href: place, download: name.replace(/[^\p{L}\p{N}._-]+/gu, "_") });
  link.click();
  setTimeout(() => URL.revokeObjectURL(place), 10_000);
}

/** @param {Saved} saved */
function text(saved) {
  const drawn = saved.svg?.();
  return drawn ? new XMLSerializer().serializeToString(drawn) : "";
}

/** @param {Saved} saved */
function asSvg(saved) {
  download(new Blob([text(saved)], { type: "image/svg+xml" }), `${saved.name}.svg`);
}

/** @param {Saved} saved */
async function asPng(saved) {
  const drawn = saved.svg?.();
  if (!drawn) return;
  const place = URL.createObjectURL(new Blob([text(saved)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = place;
  await image.decode();
  const canvas = el("canvas", { width: 2 * Number(drawn.getAttribute("width")), height: 2 * Number(drawn.getAttribute("height")) });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = getComputedStyle(document.body).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(place);
  canvas.toBlob((blob) => blob && download(blob, `${saved.name}.png`));
}

/** @param {Saved} saved */
function asCsv(saved) {
  const cell = (/** @type {string | number | null} */ value) => {
    if (typeof value === "number") return String(value);
    const plain = value ?? "";
    const safe = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain; // no formula in a spreadsheet
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = saved.csv?.() ?? [];
  download(new Blob([rows.map((row) => `${row.map(cell).join(",")}\n`).join("")], { type: "text/csv" }), `${saved.name}.csv`);
}
