/** What modules hand each other; no code. */

/** @typedef {import("./address.js").State} State */
/** @typedef {import("./source.js").Live} Live */
/** @typedef {{letter: string, name: string, source: string, format: string, detections: number}} ModelInfo */
/**
 * @typedef {object} Opened
 * @property {number} number
 * @property {{source: string, format: string, images: number, objects: number}} truth
 * @property {boolean} pictures
 * @property {number} classes
 * @property {{name: string, signature: string, iou: number[]}[]} protocols
 * @property {ModelInfo[]} models
 */
/** @typedef {{number: number, kind: string, state: string, stage: string, done: number, whole: number, text: string, seconds: number}} Job */
/** @typedef {{version: string, form: any, checked: any, job: Job | null, opened: Opened | null}} Server */
/**
 * @typedef {object} Steps counts from each of many scores on
 * @property {Float64Array} score ascending
 * @property {Int32Array} tp by class, then by score
 * @property {Int32Array} fp
 * @property {Float64Array} objects by class
 * @property {string[]} names of the classes
 */
/**
 * @typedef {object} Context what a page gets
 * @property {State} state
 * @property {Live} source
 * @property {Server} server
 * @property {Opened} opened
 * @property {ModelInfo[]} models those that are switched on
 * @property {ModelInfo} model the one that single-model panels show
 * @property {number} score
 * @property {Map<string, Steps>} steps by letter
 * @property {(change: Partial<State>, replace?: boolean) => void} go
 * @property {(change: Partial<State>) => string} link
 * @property {(value: number, done: boolean) => void} drag moves the score line
 * @property {() => Promise<void>} refresh asks the server what is open
 */
/**
 * @typedef {object} Page
 * @property {() => void} [destroy]
 * @property {(context: Context, changed: Set<string>, dragging: boolean) => boolean} [update] false asks for a new page
 * @property {(key: KeyboardEvent) => boolean} [key]
 */
export {};
