/** A dialog to pick a file or folder of the machine that the server runs on. */
import { el, put } from "../dom.js";
import { base, bytes } from "../format.js";

/**
 * @param {import("../source.js").Live} source
 * @param {{title: string, start: string, folders: boolean}} given `folders` if a folder may be picked only
 * @returns {Promise<string | null>} the path, or null
 */
export function pick(source, { title, start, folders }) {
  return new Promise((resolve) => {
    const list = el("ul", { class: "entries" });
    const typed = el("input", { class: "path", "aria-label": "Path", spellcheck: "false" });
    const said = el("p", { class: "failed", role: "alert" });
    const dialog = el("dialog", { class: "browser", "aria-label": title },
      el("form", { method: "dialog", onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); show(typed.value); } },
        el("h2", {}, title), el("div", { class: "row" }, typed, el("button", { type: "submit" }, "Go")), said, list,
        el("div", { class: "row end" },
          el("button", { type: "button", onclick: () => end(null) }, "Cancel"),
          el("button", { type: "button", class: "main", onclick: () => end(typed.value) }, folders ? "Choose this folder" : "Choose"))));
    const end = (/** @type {string | null} */ path) => {
      dialog.close();
      dialog.remove();
      resolve(path);
    };
    const entry = (/** @type {string} */ path, /** @type {string} */ name, /** @type {boolean} */ folder, /** @type {string} */ more) =>
      el("li", {}, el("button", {
        type: "button", class: folder ? "folder" : "file", disabled: folders && !folder,
        onclick: () => { if (folder) show(path); else typed.value = path; }, ondblclick: () => !folder && end(path),
      }, el("span", {}, folder ? `${name}/` : name), el("span", { class: "about" }, more)));
    const show = async (/** @type {string} */ path) => {
      try {
        const answer = await source.json("folder", { path });
        said.textContent = "";
        typed.value = answer.path;
        const join = (/** @type {string} */ name) => `${answer.path.replace(/\/$/, "")}/${name}`;
        put(list, answer.above !== null && entry(answer.above, "..", true, "one up"),
          ...answer.roots.filter((/** @type {string} */ root) => root !== answer.path && answer.above === null).map((/** @type {string} */ root) => entry(root, base(root), true, root)),
          ...answer.entries.map((/** @type {any} */ one) => entry(join(one.name), one.name, one.folder, one.folder ? "" : bytes(one.size))),
          answer.left_out > 0 && el("li", { class: "about" }, `${answer.left_out} more: type the path`),
          answer.entries.length === 0 && el("li", { class: "about" }, "This folder is empty."));
      } catch (error) {
        said.textContent = /** @type {Error} */ (error).message;
      }
    };
    dialog.addEventListener("cancel", () => end(null));
    document.body.append(dialog);
    dialog.showModal();
    show(start);
  });
}
