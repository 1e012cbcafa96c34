/** Columns out of one binary body: a header in JSON, then arrays. */

/** @typedef {Float64Array | Float32Array | Int32Array | Uint8Array} Column */
/** @typedef {{about: any, columns: Record<string, any>}} Columns */

/** @type {Record<string, (body: ArrayBuffer, at: number, length: number) => Column>} */
const TYPES = {
  f8: (body, at, length) => new Float64Array(body, at, length),
  f4: (body, at, length) => new Float32Array(body, at, length),
  i4: (body, at, length) => new Int32Array(body, at, length),
  u1: (body, at, length) => new Uint8Array(body, at, length),
};

/** @param {ArrayBuffer} body @returns {Columns} */
export function decoded(body) {
  const size = new DataView(body).getUint32(0, true);
  const about = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, size)));
  /** @type {Record<string, Column>} */
  const columns = {};
  for (const { name, type, length, at } of about.columns) columns[name] = TYPES[type](body, 4 + size + at, length);
  return { about, columns };
}
