/** Elements made in one call. Text from files enters the page here, as text and never as markup. */

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, any>} Attributes */

/**
 * @param {Element} made
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in made) /** @type {any} */ (made).value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    made.append(typeof child === "object" ? child : document.createTextNode(String(child)));
  }
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  fill(made, attributes, children);
  return made;
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", tag));
  fill(made, attributes, children);
  return made;
}

/**
 * The value of a token of the present theme.
 * @param {string} name
 */
export function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/**
 * Puts other children in place of those that are there.
 * @param {Element} root
 * @param {...Child} children
 */
export function put(root, ...children) {
  root.replaceChildren();
  fill(root, {}, children);
}

/**
 * Calls a function with the last arguments only, once nothing has been asked for so many milliseconds.
 * @template {any[]} A
 * @param {number} wait
 * @param {(...given: A) => void} call
 * @returns {(...given: A) => void}
 */
export function settled(wait, call) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => call(...given), wait);
  };
}

/** Says something to screen readers. @param {string} text */
export function announce(text) {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}
