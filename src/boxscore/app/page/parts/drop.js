/** Files and folders that are dropped: sent to the server, which keeps them until it ends. */

/** @param {FileSystemEntry} entry @param {string} above @returns {Promise<[string, File][]>} */
async function files(entry, above) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    return [[`${above}${entry.name}`, /** @type {File} */ (file)]];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const found = [];
  for (;;) { // a reader gives a hundred at a time
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const one of some) if (!one.name.startsWith(".")) found.push(...(await files(one, `${above}${entry.name}/`)));
  }
}

/**
 * Sends what was dropped; gives the path of each file or folder at the top.
 * @param {DataTransfer} dropped
 * @param {import("../source.js").Live} source
 * @param {(done: number, whole: number) => void} tell
 * @returns {Promise<string[]>}
 */
export async function uploaded(dropped, source, tell) {
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const loose = entries.length ? [] : [...dropped.files];
  const batch = `drop-${Date.now().toString(36)}`;
  const all = [...loose.map((file) => /** @type {[string, File]} */ ([file.name, file]))];
  for (const entry of entries) all.push(...(await files(/** @type {FileSystemEntry} */ (entry), "")));
  const tops = new Set();
  for (const [k, [name, file]] of all.entries()) {
    tell(k, all.length);
    const { folder } = await source.upload(`${batch}/${name}`, file);
    tops.add(`${folder}/${batch}/${name.split("/")[0]}`);
  }
  return [...tops];
}

/**
 * Lets an element take what is dropped on it.
 * @param {HTMLElement} element
 * @param {(dropped: DataTransfer) => void} take
 */
export function droppable(element, take) {
  element.addEventListener("dragover", (event) => {
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", () => element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    element.classList.remove("over");
    if (event.dataTransfer) take(event.dataTransfer);
  });
}
