// How far a match is and what is left of it.

import { el } from "../../lib/dom.js";

export function progress() {
  const text = el("span", { class: "stands" });
  const left = el("span", { class: "left" });
  const bar = el("span", { class: "bar", "aria-hidden": "true" });
  const element = el("p", { class: "progress", hidden: true }, text, left, bar);
  return {
    element,
    /** @param {import("../../games/contract.js").Progress|null} shown null: the game does not
     *   say
     * @param {boolean} over the end of the match is shown */
    update(shown, over) {
      element.hidden = shown === null;
      if (shown === null) return;
      if (text.textContent !== shown.text) text.textContent = shown.text;
      const rest = over ? "over" : shown.left;
      if (left.textContent !== rest) left.textContent = rest;
      const share = over ? 1 : shown.share;
      bar.style.setProperty("--done", `${Math.round(1000 * share) / 10}%`);
    },
  };
}
