// Who won, and how, in a sentence; shown at the last frame.

import { capital, el, fill } from "../../lib/dom.js";
import { swatch } from "../../lib/swatch.js";
import { verdict } from "../../lib/verdict.js";

export function banner() {
  const element = el("div", { class: "banner", role: "status", hidden: true });
  let filledFor = "";
  return {
    element,
    /** @param {import("../../sources/source.js").Source} source @param {boolean} atEnd */
    update(source, atEnd) {
      element.hidden = source.outcome === null || !atEnd;
      const state = source.match + source.status.kind;
      if (element.hidden || filledFor === state) return;
      filledFor = state;
      const { winner = null } = source.outcome;
      const { short, how } = verdict(source.outcome, source.seats);
      fill(
        element,
        el("p", { class: "verdict" }, winner !== null && swatch(winner), short),
        el("p", {}, capital(how)),
      );
    },
    /** Fill it again the next time. */
    reset() {
      filledFor = "";
    },
  };
}
