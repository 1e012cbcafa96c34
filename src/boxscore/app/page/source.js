/** Where answers come from: the server that served the page. */
import { decoded } from "./wire.js";

/** @typedef {Record<string, string | number | null | undefined>} Query */

export class Refused extends Error {}

/** @param {string} name @param {Query} query */
function place(name, query) {
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") given.set(key, String(value));
  }
  const text = given.toString();
  return `api/${name}${text ? `?${text}` : ""}`;
}

/** @param {Response} answer */
async function checked(answer) {
  if (answer.ok) return answer;
  const text = await answer.text();
  let said = text.trim();
  try {
    said = JSON.parse(text).error;
  } catch {
    // not of our own making: the text is all there is
  }
  throw new Refused(said || `the server answers ${answer.status}`);
}

export class Live {
  /** @param {string} name @param {Query} [query] @param {AbortSignal} [signal] @returns {Promise<any>} */
  async json(name, query = {}, signal) {
    return (await checked(await fetch(place(name, query), { signal }))).json();
  }

  /** @param {string} name @param {Query} [query] @param {AbortSignal} [signal] */
  async columns(name, query = {}, signal) {
    return decoded(await (await checked(await fetch(place(name, query), { signal }))).arrayBuffer());
  }

  /** @param {string} name @param {unknown} [value] @returns {Promise<any>} */
  async act(name, value = {}) {
    const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
    return (await checked(await fetch(`api/${name}`, sent))).json();
  }

  /** @param {string} name @param {File} file @returns {Promise<{path: string, folder: string}>} */
  async upload(name, file) {
    const path = name.split("/").map(encodeURIComponent).join("/");
    return (await checked(await fetch(`api/upload/${path}`, { method: "PUT", body: file }))).json();
  }

  /** @param {number} index @param {number} [size] @param {number} [opened] */
  picture(index, size, opened) {
    return place("picture", { i: index, size, o: opened });
  }
}

/**
 * One request under way at most: a newer wish ends the older one, whose answer nobody gets.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} ask
 * @param {(answer: T) => void} take
 * @param {(error: Error) => void} fail
 */
export function latest(ask, take, fail) {
  /** @type {AbortController | null} */
  let under = null;
  return {
    wish() {
      under?.abort();
      const own = (under = new AbortController());
      ask(own.signal).then(
        (answer) => own === under && !own.signal.aborted && take(answer),
        (error) => own === under && !own.signal.aborted && fail(error),
      );
    },
    end() {
      under?.abort();
      under = null;
    },
  };
}
