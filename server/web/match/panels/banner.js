// Who won, and why; shown at the last frame.

import { el, fill, words } from "../../lib/dom.js";
import { swatch } from "../../lib/swatch.js";

/** Outcomes without a winner.
 * @type {Record<string, string>} */
const VERDICTS = { draw: "A draw", both_lost: "Both lost", aborted: "Aborted" };

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
      const { winner = null, outcome, reason } = source.outcome;
      const name = winner === null ? null : (source.seats[winner]?.name ?? `seat ${winner}`);
      fill(
        element,
        el(
          "p",
          { class: "verdict" },
          name !== null && swatch(winner),
          name === null ? (VERDICTS[outcome] ?? words(outcome)) : `${name} wins`,
        ),
        el("p", {}, words(reason ?? "")),
      );
    },
    /** Fill it again the next time. */
    reset() {
      filledFor = "";
    },
  };
}
