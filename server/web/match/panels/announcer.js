// One sentence about the shown frame for screen readers: of each frame while the match stands
// still, else every few seconds.

import { el } from "../../lib/dom.js";

const MOVING_MS = 5_000;

/** @param {HTMLElement} board gets the sentence as its label */
export function announcer(board) {
  const element = el("p", { class: "hidden", "aria-live": "polite" });
  let spokenAt = 0;
  return {
    element,
    /** @param {() => string} sentence @param {boolean} moving */
    update(sentence, moving) {
      const now = performance.now();
      if (moving && now - spokenAt < MOVING_MS) return;
      spokenAt = now;
      const text = sentence();
      if (element.textContent !== text) element.textContent = text;
      board.setAttribute("aria-label", text);
    },
  };
}
