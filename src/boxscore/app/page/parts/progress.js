/** How far the work of the server is, with a button that ends it. */
import { el } from "../dom.js";

/** @typedef {import("../types.js").Job} Job */

/**
 * @param {import("../source.js").Live} source
 * @param {(job: Job) => void} ended
 * @param {() => void} changed when work begins
 */
export function progress(source, ended, changed) {
  const bar = el("progress", { "aria-label": "Progress" });
  const stage = el("span", { class: "stage", role: "status" });
  const element = el("div", { class: "progress" }, bar, stage, el("button", {
    onclick: async () => {
      stage.textContent = "cancelling …";
      await source.act("cancel");
      look();
    },
  }, "Cancel"));
  /** @type {Job | null} */
  let job = null;
  let timer = 0;
  let seen = false;
  async function look() {
    clearTimeout(timer);
    try {
      job = (await source.json("state")).job;
    } catch {
      stage.textContent = "the server does not answer; was it ended?";
      timer = window.setTimeout(look, 2000);
      return;
    }
    if (job?.state === "running") {
      if (!seen) {
        seen = true;
        changed();
      }
      stage.textContent = `${job.stage}${job.whole ? `, ${job.done.toLocaleString("en-US")} of ${job.whole.toLocaleString("en-US")}` : ""} · ${job.seconds.toFixed(0)} s`;
      if (job.whole) {
        bar.max = job.whole;
        bar.value = job.done;
      } else bar.removeAttribute("value");
      timer = window.setTimeout(look, 200);
    } else if (seen && job) {
      seen = false;
      ended(job);
    }
  }
  return {
    element,
    watch() {
      seen = false;
      look();
    },
    job: () => job,
    busy: () => job?.state === "running",
    end: () => clearTimeout(timer),
  };
}
