// For the author of a bot: the commands that the seat sent in this turn, those that were refused,
// and where the turn's time went.

import { el, fill, words } from "../../lib/dom.js";
import { turnText } from "../../lib/turns.js";

/** @typedef {import("../../lib/replay.js").SentCommand} SentCommand */
/** @typedef {import("../../sources/source.js").Source} Source */

const MAX_LISTED = 40;
const MAX_TEXT = 120;
/** The parts of a turn's time, by their names in the journal and on the page.
 * @type {[string, string][]} */
const PARTS = [
  ["charged", "thought"],
  ["lag", "network"],
  ["grace", "grace"],
  ["stalled", "stall"],
  ["waited", "away"],
  ["worked", "server"],
];

/** The events in which the server accounts for a turn that no command closed. */
const MISSED = ["timeout", "silent"];

/** @param {(turn: number) => void} seekTurn shows a turn */
export function commandList(seekTurn) {
  const now = el("ul", { class: "said" });
  const clock = el("dl", { class: "facts" });
  const refused = el("details", {}, el("summary", {}, ""), el("ul", { class: "said" }));
  const element = el(
    "section",
    { class: "of-seat", hidden: true },
    el("h2", {}, "Commands of this seat"),
    now,
    clock,
    refused,
  );
  element.addEventListener("click", (event) => {
    const turn = /** @type {HTMLElement} */ (event.target).closest("[data-turn]");
    if (turn) seekTurn(Number(/** @type {HTMLElement} */ (turn).dataset.turn));
  });
  let filledFor = "";
  return {
    element,
    /** @param {Source} source @param {number} index */
    update(source, index) {
      const known = source.commandsAt(index);
      const infos = source.platformEvents.filter(
        (event) => event.event === "info" && event.seat === source.viewer,
      );
      element.hidden = known === null && source.commands.length === 0 && infos.length === 0;
      if (element.hidden) return;
      const turn = source.turnAt(index);
      const { match, viewer, commands: all, platformEvents } = source;
      const state = [match, viewer, turn, all.length, platformEvents.length].join(" ");
      if (state === filledFor) return;
      filledFor = state;
      const commands = known ?? [];
      const lines = [
        ...commands.slice(-MAX_LISTED).map((command) => lineOf(command, source.game, false)),
        ...infos.filter((info) => info.turn === turn).map(infoLine),
      ];
      fill(
        now,
        ...lines,
        lines.length ? null : el("li", { class: "quiet" }, "Nothing in this turn."),
      );
      fill(
        clock,
        ...clockOf(source, commands, turn).map(([label, value]) =>
          el("div", {}, el("dt", {}, label), el("dd", {}, value)),
        ),
      );
      const bad = source.commands.filter((command) => command.code !== "ok");
      refused.hidden = bad.length === 0;
      const [summary, list] = refused.children;
      summary.textContent = `${bad.length} refused in the whole match`;
      fill(
        list,
        ...bad
          .slice(-MAX_LISTED)
          .toReversed()
          .map((command) => lineOf(command, source.game, true)),
      );
    },
  };
}

/** @param {SentCommand} command @param {string} game
 * @param {boolean} dated whether it shows its turn */
function lineOf({ turn, command, code, why }, game, dated) {
  const ok = code === "ok";
  return el(
    "li",
    { "data-kind": ok ? "good" : "bad" },
    dated
      ? el(
          "button",
          {
            type: "button",
            class: "plain when",
            "data-turn": turn,
            title: `Go to turn ${turnText(game, turn)}`,
          },
          turnText(game, turn),
        )
      : null,
    el("code", {}, shortened(command)),
    ok ? null : el("span", {}, why ? `${words(code)}: ${why}` : words(code)),
  );
}

/** @param {import("../../lib/replay.js").PlatformEvent} info */
function infoLine({ data }) {
  const text = typeof data === "string" ? data : data?.text;
  const drawing = Array.isArray(data?.draw) ? `draws ${data.draw.length} marks` : "";
  const quote =
    typeof text === "string" ? `“${text.slice(0, MAX_TEXT)}”` : drawing ? "" : shortened(data);
  return el("li", { "data-kind": "said" }, [quote, drawing].filter(Boolean).join(" "));
}

/** @param {any} value */
function shortened(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}

/** Where the time of a turn went: the stamps of its last command, or those of the turn that was
 * missed.
 * @param {Source} source @param {SentCommand[]} commands @param {number} turn
 * @returns {[string, string][]} */
function clockOf(source, commands, turn) {
  const missed = source.platformEvents.findLast(
    (event) =>
      event.seat === source.viewer &&
      event.turn === turn &&
      MISSED.includes(event.event) &&
      event.data?.clock,
  );
  const stamps =
    missed?.data.clock ??
    commands.findLast((command) => Number.isFinite(command.stamps?.charged))?.stamps;
  if (!stamps) return [];
  return PARTS.filter(([key]) => key === "charged" || stamps[key] > 0).map(([key, label]) => [
    label,
    milliseconds(Number(stamps[key])),
  ]);
}

/** @param {number} ms */
function milliseconds(ms) {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en")} ms`;
}
