// What a bot's author wants to know beside the board: what the seat said in this turn, what was wrong with it, and what its clock says.

import { el, fill, words } from "./dom.js";

/** @typedef {import("./replay.js").Said} Said */
/** @typedef {import("./sources.js").Source} Source */

const LISTED = 40;
const LONGEST = 120;
/** The parts of a turn's time, as the journal stamps them and as people say them.
 * @type {[string, string][]} */
const PARTS = [["charged", "thought"], ["lag", "network"], ["grace", "grace"], ["stalled", "held up"], ["waited", "waited for"], ["worked", "server"]];

/** The events in which the server accounts for a turn that no command closed. */
const LAPSED = ["timeout", "silent"];

/** A section that follows the frames of a source. `seek` shows another turn.
 * @param {(turn: number) => void} seek */
export function saidPanel(seek) {
  const now = el("ul", { class: "said" });
  const clock = el("dl", { class: "facts" });
  const refused = el("details", {}, el("summary", {}, ""), el("ul", { class: "said" }));
  const element = el("section", { class: "of-seat", hidden: true }, el("h2", {}, "What this seat said"), now, clock, refused);
  element.addEventListener("click", (event) => {
    const turn = /** @type {HTMLElement} */ (event.target).closest("[data-turn]");
    if (turn) seek(Number(/** @type {HTMLElement} */ (turn).dataset.turn));
  });
  let shown = "";
  return {
    element,
    /** @param {Source} source @param {number} index */
    update(source, index) {
      const said = source.saidAt(index);
      element.hidden = said === null && source.said.length === 0 && !source.news.some((one) => one.event === "info" && one.seat === source.viewer);
      if (element.hidden) return;
      const turn = source.turnAt(index);
      const state = `${source.match} ${source.viewer} ${turn} ${source.said.length} ${source.news.length}`;
      if (state === shown) return;
      shown = state;
      const all = said ?? [];
      const infos = source.news.filter((one) => one.event === "info" && one.seat === source.viewer && one.turn === turn);
      fill(now, ...all.slice(-LISTED).map((one) => line(one, false)), ...infos.map(thought),
        all.length + infos.length ? null : el("li", { class: "quiet" }, "Nothing in this turn."));
      fill(clock, ...account(source, all, turn).map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value))));
      const bad = source.said.filter((one) => one.code !== "ok");
      refused.hidden = bad.length === 0;
      const [summary, list] = refused.children;
      summary.textContent = `${bad.length} refused in the whole match`;
      fill(list, ...bad.slice(-LISTED).toReversed().map((one) => line(one, true)));
    },
  };
}

/** @param {Said} one @param {boolean} dated */
function line(one, dated) {
  const ok = one.code === "ok";
  return el("li", { "data-kind": ok ? "good" : "bad" },
    dated ? el("button", { type: "button", class: "plain when", "data-turn": one.turn, title: `Go to turn ${one.turn}` }, one.turn) : null,
    el("code", {}, short(one.command)), ok ? null : el("span", {}, one.why ? `${words(one.code)}: ${one.why}` : words(one.code)));
}

/** @param {import("./replay.js").HouseEvent} info */
function thought(info) {
  const text = typeof info.data === "string" ? info.data : info.data?.text;
  const drawn = Array.isArray(info.data?.draw) ? `draws ${info.data.draw.length} marks` : "";
  const said = typeof text === "string" ? `“${text.slice(0, LONGEST)}”` : drawn ? "" : short(info.data);
  return el("li", { "data-kind": "said" }, [said, drawn].filter(Boolean).join(" "));
}

/** @param {any} value */
function short(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}

/** What the clock of this turn says: the last command's stamps, or those of the turn that was given up.
 * @param {Source} source @param {Said[]} said @param {number} turn @returns {[string, string][]} */
function account(source, said, turn) {
  const lapsed = source.news.findLast((one) => one.seat === source.viewer && one.turn === turn && LAPSED.includes(one.event) && one.data?.clock);
  const stamps = lapsed?.data.clock ?? said.findLast((one) => Number.isFinite(one.stamps?.charged))?.stamps;
  if (!stamps) return [];
  return PARTS.filter(([key]) => key === "charged" || stamps[key] > 0).map(([key, label]) => [label, milliseconds(Number(stamps[key]))]);
}

/** @param {number} ms */
function milliseconds(ms) {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en")} ms`;
}
