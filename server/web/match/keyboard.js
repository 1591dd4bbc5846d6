// The keys of a match: those of the person who plays come first, then those of the timeline.

import { ask } from "../lib/ask.js";
import { el } from "../lib/dom.js";

/** @typedef {import("./timeline.js").Timeline} Timeline */
/** @typedef {import("./panels/transport.js").Tools} Tools */

const TYPING = "input:not([type=range]), select, textarea, [contenteditable], dialog";
const PAGE = 20;

/** What a key does; `key` as KeyboardEvent.key, letters in lower case.
 * @type {{key: string, sign: string, does: string,
 *   act: (timeline: Timeline, tools: Tools) => void}[]} */
const KEYS = [
  { key: " ", sign: "space", does: "play, pause", act: (timeline) => timeline.toggle() },
  { key: "ArrowLeft", sign: "←", does: "a step back", act: (timeline) => timeline.step(-1) },
  { key: "ArrowRight", sign: "→", does: "a step forward", act: (timeline) => timeline.step(1) },
  {
    key: "PageUp",
    sign: "page up",
    does: `${PAGE} steps back`,
    act: (timeline) => timeline.seek(timeline.index - PAGE),
  },
  {
    key: "PageDown",
    sign: "page down",
    does: `${PAGE} steps forward`,
    act: (timeline) => timeline.seek(timeline.index + PAGE),
  },
  { key: "Home", sign: "Home", does: "the first turn", act: (timeline) => timeline.pauseAt(0) },
  { key: "End", sign: "End", does: "the last turn", act: (timeline) => timeline.pauseAt(Infinity) },
  { key: "+", sign: "+", does: "faster", act: (timeline) => timeline.changeSpeed(1) },
  { key: "-", sign: "-", does: "slower", act: (timeline) => timeline.changeSpeed(-1) },
  { key: "l", sign: "L", does: "jump to live", act: (timeline) => timeline.follow() },
  {
    key: "e",
    sign: "E",
    does: "to the events: ↑ ↓ choose, Enter shows the turn",
    act: () => focusOn("arena-match .events"),
  },
  {
    key: "p",
    sign: "P",
    does: "to the plot: ← → move in it",
    act: () => focusOn("arena-match .plot"),
  },
  { key: "d", sign: "D", does: "drawings of the bots", act: (_, tools) => tools.toggleDrawings() },
  { key: "c", sign: "C", does: "save a clip", act: (_, tools) => tools.saveClip() },
  { key: "f", sign: "F", does: "full screen", act: (_, tools) => tools.toggleFullscreen() },
  { key: "?", sign: "?", does: "show the keys", act: () => showKeys() },
];

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
    if (!chosen(target, event.key) && !human.key(event.key, event.repeat)) {
      const found = KEYS.find(({ key }) => key === event.key || key === event.key.toLowerCase());
      if (!found) return;
      found.act(timeline, tools);
    }
    event.preventDefault();
  };
}

/** @param {string} selector */
const focusOn = (selector) =>
  /** @type {HTMLElement|null} */ (document.querySelector(selector))?.focus();

/** In the list of events, choose the next one or the one before.
 * @param {HTMLElement} target @param {string} key */
function chosen(target, key) {
  const list = target.closest?.(".events");
  if (!list || !["ArrowUp", "ArrowDown"].includes(key)) return false;
  const turns = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[data-index]")]);
  const at = turns.indexOf(target) + (key === "ArrowDown" ? 1 : -1);
  turns[Math.max(0, Math.min(at, turns.length - 1))]?.focus();
  return true;
}

function showKeys() {
  const list = el(
    "dl",
    { class: "keys-list" },
    ...KEYS.map(({ sign, does }) =>
      el("div", {}, el("dt", {}, el("kbd", {}, sign)), el("dd", {}, does)),
    ),
  );
  ask({ title: "Keys", content: list, fields: [], yes: "Close", no: null, act: () => {} });
}
