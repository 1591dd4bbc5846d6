// The line above a match: its title, its status, its time limits, and what the page adds.

import { el } from "../../lib/dom.js";
import { turnCount, wholeTurns } from "../../lib/turns.js";
import { limitsText } from "../clock-text.js";

export function header() {
  const title = el("h1", { class: "match-title" });
  const status = el("span", { class: "pill", role: "status" });
  const limits = el("span", { class: "quiet" });
  const extras = el("span", { class: "row extras" });
  return {
    element: el("header", { class: "match-head" }, title, status, limits, extras),
    /** For the controls of the page around the match. */
    extras,
    /** @param {string} text */
    setTitle(text) {
      title.textContent = text;
    },
    /** @param {import("../../sources/source.js").Source} source */
    setLimits(source) {
      limits.textContent = limitsText(source.clock, source.human);
    },
    /** While a match is on the air its end is not revealed before it is shown.
     * @param {import("../timeline.js").Timeline} timeline */
    update(timeline) {
      const { source, onAir, atLive, shown, turn } = timeline;
      if (!source) return;
      const { kind, text } = source.status;
      const hides = onAir && shown && ["live", "over", "replay"].includes(kind);
      const turns = hides && turn !== null ? source.turnAt(source.end - 1) - turn : 0;
      const behind = hides && !atLive && turns > 0;
      const label = behind
        ? `${turnCount(source.game, wholeTurns(source.game, turns))} behind live`
        : hides
          ? "Live"
          : text;
      if (status.textContent !== label) status.textContent = label;
      status.dataset.kind = behind ? "behind" : hides ? "live" : kind;
    },
  };
}
