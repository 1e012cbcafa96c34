/** The filter of the gallery, which the image page walks through too. */

/** @param {import("./types.js").Context} context */
export function filterQuery({ state, model, score }) {
  return { p: state.p, m: model.letter, s: score, iou: state.iou, class: state.class, verdict: state.verdict, sort: state.sort };
}
