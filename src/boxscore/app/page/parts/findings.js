/** What the doctor and the readers say, one line for each code, the gravest first. */
import { el, put } from "../dom.js";
import { chip } from "./chips.js";

export const SEVERITIES = ["error", "warning", "note"];
const MARKS = /** @type {Record<string, string>} */ ({ error: "✕", warning: "!", note: "i" });

/**
 * @param {{code: string, severity: string, title?: string, text: string, evidence?: any[], option?: string, repair?: string, fixable?: boolean, letters: string[]}} one
 */
export function finding(one) {
  const evidence = one.option || one.fixable ? one.evidence?.[0] : null; // else it does not say what a fix would change
  const text = sentence(one.text);
  const does = [one.option && `Read it with ${one.option}.`, one.repair && `${one.repair[0].toUpperCase()}${one.repair.slice(1)}.`].filter(Boolean).join(" ");
  return el("li", { class: `finding ${one.severity}` },
    el("span", { class: "mark", role: "img", "aria-label": one.severity }, MARKS[one.severity] ?? "i"),
    el("code", {}, one.code),
    el("div", {}, el("p", {}, el("b", {}, sentence(one.title ?? one.severity, false)), " ", ...one.letters.map((letter) => chip(letter))),
      el("p", { class: "about" }, text),
      evidence && evidence.now !== null && evidence.then !== null && el("p", { class: "evidence" }, `${evidence.what}: ${evidence.now.toFixed(3)} → ${evidence.then.toFixed(3)} when fixed`),
      does && el("p", { class: "about" }, does)));
}

/** A text as a sentence. @param {string} text @param {boolean} [end] whether it ends with a full stop */
function sentence(text, end = true) {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${end && !/[.?!]$/.test(text) ? "." : ""}`;
}

/**
 * Fills a panel with what is said of some models.
 * @param {ReturnType<typeof import("./panel.js").panel>} place
 * @param {any[]} models
 */
export function findings(place, models) {
  /** @type {Map<string, any>} */
  const made = new Map();
  for (const model of models) {
    for (const one of [...model.diagnoses, ...model.findings]) {
      const key = `${one.code} ${one.text}`;
      const before = made.get(key);
      if (before) {
        if (!before.letters.includes(model.letter)) before.letters.push(model.letter);
      } else made.set(key, { ...one, letters: [model.letter] });
    }
  }
  const all = [...made.values()].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const grave = all.filter((one) => one.severity === "error").length;
  const doubts = all.filter((one) => one.severity === "warning").length;
  const hit = (/** @type {string} */ severity) => [...new Set(all.filter((one) => one.severity === severity).flatMap((one) => one.letters))];
  const whose = (/** @type {string[]} */ some) => (some.length === models.length ? "These numbers" : `The numbers of ${some.join(", ")}`);
  place.heading.textContent = grave ? `${whose(hit("error"))} are wrong` : doubts ? `${whose(hit("warning"))} are in doubt` : "Nothing makes these numbers wrong";
  const notes = all.length - grave - doubts;
  place.subtitle.textContent = [grave && `${grave} error${grave > 1 ? "s" : ""}`, doubts && `${doubts} warning${doubts > 1 ? "s" : ""}`, notes && `${notes} note${notes > 1 ? "s" : ""} of the doctor`].filter(Boolean).join(", ");
  put(place.body, all.length ? el("ul", { class: "findings" }, ...all.map(finding)) : el("p", { class: "about" }, "The doctor has found nothing."));
}
