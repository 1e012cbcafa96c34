/** A table that can be sorted and draws only the rows in view; undefined values are last in both directions. */
import { el, put } from "../dom.js";

/**
 * @template R
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {string} [hint]
 * @property {"text" | "number"} kind
 * @property {(row: R) => string | number | null} value what it is sorted by
 * @property {(row: R) => import("../dom.js").Child} show
 * @property {boolean} [obeys] whether it follows the score line
 * @property {string} [narrow] class that hides it where there is little room
 */

/**
 * @template R
 * @param {object} given
 * @param {Column<R>[]} given.columns
 * @param {R[]} given.rows
 * @param {string} given.label
 * @param {string} given.sort key, with a minus for descending
 * @param {(sort: string) => void} given.sorted
 * @param {(row: R) => string} given.id
 * @param {(row: R) => void} given.choose
 * @param {number} [given.row] height of a row
 */
export function table({ columns, rows, label, sort, sorted, id, choose, row: high = 28 }) {
  const body = el("tbody");
  const head = el("tr");
  const element = el("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": label },
    el("table", { class: "rows", "aria-rowcount": rows.length }, el("thead", {}, head), body));
  let chosen = "";
  let shown = rows;
  let order = rows;

  const titles = () => {
    const [key, down] = [sort.replace(/^-/, ""), sort.startsWith("-")];
    put(head, ...columns.map((column) => el("th", {
      scope: "col", class: `${column.kind} ${column.obeys ? "obeys" : ""} ${column.narrow ?? ""}`,
      "aria-sort": column.key === key ? (down ? "descending" : "ascending") : null, title: column.hint,
    }, el("button", { class: "sorter", onclick: () => sorted(column.key === key ? (down ? key : `-${key}`) : column.kind === "text" ? column.key : `-${column.key}`) },
      column.title, column.key === key ? (down ? " ↓" : " ↑") : ""))));
  };
  const arrange = () => {
    const [key, down] = [sort.replace(/^-/, ""), sort.startsWith("-")];
    const column = columns.find((one) => one.key === key);
    order = [...shown];
    if (column) {
      const missing = (/** @type {any} */ v) => v === null || v === undefined || Number.isNaN(v);
      order.sort((a, b) => {
        const [va, vb] = [column.value(a), column.value(b)];
        if (missing(va) || missing(vb)) return Number(missing(va)) - Number(missing(vb));
        const less = typeof va === "string" ? va.localeCompare(String(vb)) : Number(va) - Number(vb);
        return down ? -less : less;
      });
    }
    draw();
  };
  const draw = () => {
    const from = Math.max(0, Math.floor(element.scrollTop / high) - 5);
    const to = Math.min(order.length, from + Math.ceil((element.clientHeight || 900) / high) + 12);
    const spacer = (/** @type {number} */ n) => {
      const cell = el("td", { colspan: columns.length });
      cell.style.height = `${n * high}px`;
      return n > 0 ? el("tr", { class: "spacer", "aria-hidden": "true" }, cell) : null;
    };
    put(body, spacer(from), ...order.slice(from, to).map((row, k) => el("tr", {
      class: id(row) === chosen ? "chosen" : "", "aria-rowindex": from + k + 1, "data-id": id(row),
      tabindex: 0, onclick: () => choose(row),
      onkeydown: (/** @type {KeyboardEvent} */ e) => {
        if (e.key === "Enter") choose(row);
      },
    }, ...columns.map((column) => el("td", { class: `${column.kind} ${column.obeys ? "obeys" : ""} ${column.narrow ?? ""}` }, column.show(row))))), spacer(order.length - to));
  };
  element.addEventListener("scroll", draw);
  const watch = new ResizeObserver(draw);
  watch.observe(element);
  titles();
  arrange();
  return {
    element,
    redraw: arrange,
    /** @param {string} given */
    sortBy(given) {
      sort = given;
      titles();
      arrange();
    },
    /** @param {R[]} some */
    show(some) {
      shown = some;
      element.scrollTop = 0;
      arrange();
    },
    /** @param {string} given */
    choose(given) {
      chosen = given;
      draw();
    },
    destroy: () => watch.disconnect(),
  };
}
