/** Numbers and names as people read them; the exact value is in the title of what shows them. */

/** @param {number | null | undefined} value */
export function rate(value) {
  return value === null || value === undefined || Number.isNaN(value) ? "n/a" : value.toFixed(3);
}

/** @param {number | null | undefined} value */
export function whole(value) {
  return value === null || value === undefined ? "n/a" : value.toLocaleString("en-US");
}

/** A number with about three digits that mean something. @param {number | null | undefined} value */
export function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "n/a";
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

/** A score as the score line shows it. @param {number} value */
export function score(value) {
  return Number.isInteger(value * 100) ? value.toFixed(2) : String(Number(value.toPrecision(4)));
}

/** The last part of a path. @param {string} path */
export function base(path) {
  return path.replace(/[\\/]+$/, "").replace(/^.*[\\/]/, "") || path;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** @param {number} bytes */
export function bytes(bytes) {
  const step = Math.min(4, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)));
  return `${short(bytes / 1024 ** step)} ${["B", "kB", "MB", "GB", "TB"][step]}`;
}
