// The line above a match: its title, its status, its time limits, and what the page adds.

import { el } from "../../lib/dom.js";
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
    /** @param {import("../../sources/source.js").Source} source @param {boolean} following */
    update(source, following) {
      const behind = source.live && source.status.kind === "live" && !following;
      const text = behind ? "Live, looking back" : source.status.text;
      if (status.textContent !== text) status.textContent = text;
      status.dataset.kind = behind ? "behind" : source.status.kind;
    },
  };
}
