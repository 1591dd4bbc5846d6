// The keys of a match: those of the person who plays come first, then those of the timeline.

/** @typedef {import("./timeline.js").Timeline} Timeline */
/** @typedef {import("./panels/transport.js").Tools} Tools */

const TYPING = "input:not([type=range]), select, textarea, [contenteditable], dialog";
const PAGE = 20;

/** By KeyboardEvent.key; letters in lower case.
 * @type {Record<string, (timeline: Timeline, tools: Tools) => void>} */
const KEYS = {
  " ": (timeline) => timeline.toggle(),
  ArrowLeft: (timeline) => timeline.step(-1),
  ArrowRight: (timeline) => timeline.step(1),
  PageUp: (timeline) => timeline.seek(timeline.index - PAGE),
  PageDown: (timeline) => timeline.seek(timeline.index + PAGE),
  Home: (timeline) => timeline.pauseAt(0),
  End: (timeline) => timeline.pauseAt(Infinity),
  "+": (timeline) => timeline.changeSpeed(1),
  "-": (timeline) => timeline.changeSpeed(-1),
  l: (timeline) => timeline.follow(),
  d: (_timeline, tools) => tools.toggleDrawings(),
  f: (_timeline, tools) => tools.toggleFullscreen(),
};

/** A listener for the `keydown` events of the document. Keys that a field or a button takes are
 * left to it.
 * @param {Timeline} timeline @param {import("./human-controls.js").HumanControls} human
 * @param {Tools} tools @returns {(event: KeyboardEvent) => void} */
export function keyListener(timeline, human, tools) {
  return (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest?.(TYPING)) return;
    if ([" ", "Enter"].includes(event.key) && target.matches?.("button, a, summary")) return;
    if (!human.key(event.key, event.repeat)) {
      const act = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
      if (!act) return;
      act(timeline, tools);
    }
    event.preventDefault();
  };
}
