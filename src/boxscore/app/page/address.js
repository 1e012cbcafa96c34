/** The state, and the state as the address: whatever can be seen can be linked to. The only place where state lives. */

/**
 * @typedef {object} State
 * @property {string} page
 * @property {string} p protocol, by signature
 * @property {string} m letters of the models that are switched off
 * @property {string} s score
 * @property {string} iou
 * @property {string} class
 * @property {string} verdict tp, fp, fn
 * @property {string} sort
 * @property {string} model letter of the model that single-model pages show
 * @property {string} i number of an image
 * @property {string} side what the data page shows
 * @property {string} q what is searched for
 */

const KEYS = /** @type {const} */ (["p", "m", "s", "iou", "class", "verdict", "sort", "model", "i", "side", "q"]);
/** Keys that stay when another page is opened. */
const LASTING = ["p", "m", "s", "iou", "model"];

/** @param {string} hash @returns {State} */
export function parsed(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const given = new URLSearchParams(query);
  const state = /** @type {any} */ ({ page: path || "" });
  for (const key of KEYS) state[key] = given.get(key) ?? "";
  return state;
}

/** @param {State} state */
export function written(state) {
  const query = new URLSearchParams();
  for (const key of KEYS) if (state[key]) query.set(key, state[key]);
  const text = query.toString();
  return `#/${state.page}${text ? `?${text}` : ""}`;
}

/**
 * The address of another state; of another page only what lasts is kept.
 * @param {State} state
 * @param {Partial<State>} change
 */
export function link(state, change) {
  const next = { ...state };
  if (change.page && change.page !== state.page) {
    for (const key of KEYS) if (!LASTING.includes(key)) next[key] = "";
  }
  return written({ ...next, ...change });
}

/** @param {State} before @param {State} after @returns {Set<string>} */
export function changes(before, after) {
  return new Set(["page", ...KEYS].filter((key) => /** @type {any} */ (before)[key] !== /** @type {any} */ (after)[key]));
}
