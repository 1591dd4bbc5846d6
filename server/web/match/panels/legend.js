// What things on the board do, in words.

import { el, fill } from "../../lib/dom.js";

export function legend() {
  const list = el("dl", { class: "legend-words" });
  const element = el(
    "details",
    { class: "legend-box", hidden: true },
    el("summary", {}, "What things do"),
    list,
  );
  return {
    element,
    /** @param {[string, string][]} lines */
    build(lines) {
      element.hidden = lines.length === 0;
      fill(
        list,
        ...lines.map(([name, does]) => el("div", {}, el("dt", {}, name), el("dd", {}, does))),
      );
    },
  };
}
