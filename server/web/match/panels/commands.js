// For the author of a bot: what the seat sent and printed in this turn, where the turn's time went,
// what it could have seen change, the turns that went wrong, and how to play on from here.

import { changesOf } from "../../lib/changes.js";
import { command as commandLine } from "../../lib/copy.js";
import { el, fill, words } from "../../lib/dom.js";
import { inWords } from "../../lib/said.js";
import { namedTurn, turnText } from "../../lib/turns.js";
import { faultsOf, playOn } from "../author.js";

/** @typedef {import("../../lib/replay.js").SentCommand} SentCommand */
/** @typedef {import("../../sources/source.js").Source} Source */

const MAX_LISTED = 40;
const MAX_TEXT = 120;
const MAX_CHANGES = 60;
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
  const printed = el("pre", { class: "printed", tabindex: "0", "aria-label": "Printed" });
  const author = el("p", { class: "quiet", hidden: true });
  const clock = el("dl", { class: "facts" });
  const faults = folded("faults");
  const changes = folded("changes");
  const view = folded("saw");
  const further = el("div", { class: "further" });
  const title = el("h2");
  const element = el(
    "section",
    { class: "of-seat", hidden: true },
    title,
    now,
    printed,
    author,
    clock,
    faults.element,
    changes.element,
    view.element,
    further,
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
      element.hidden =
        known === null && source.commands.length + infos.length === 0 && !source.fileName;
      if (element.hidden) return;
      const turn = source.turnAt(index);
      const { match, viewer, commands: all, platformEvents, outcome } = source;
      const { printed: log, logPage } = source;
      const counts = [all.length, platformEvents.length, log?.size, logPage, outcome !== null];
      const state = [match, viewer, index, ...counts].join(" ");
      if (state === filledFor) return;
      filledFor = state;
      title.textContent = viewer === null ? "This turn" : "Commands of this seat";
      const commands = known ?? [];
      const lines = [
        ...commands.slice(-MAX_LISTED).map((command) => lineOf(command, source.game)),
        ...infos.filter((info) => info.turn === turn).map(infoLine),
      ];
      fill(
        now,
        ...lines,
        lines.length || known === null ? null : el("li", { class: "quiet" }, "Nothing this turn."),
      );
      printed.hidden = log === null;
      printed.textContent = log?.get(turn)?.join("\n") ?? "Nothing printed this turn.";
      author.hidden = log !== null || logPage === null;
      fill(author, el("a", { href: logPage ?? "/submit" }, "What it printed, for its author"));
      fill(
        clock,
        ...clockOf(source, commands, turn).map(([label, value]) =>
          el("div", {}, el("dt", {}, label), el("dd", {}, value)),
        ),
      );
      const wrong = faultsOf(source);
      faults.show(wrong.length && `${wrong.length} late, rejected or failed in the match`, () =>
        el(
          "ul",
          { class: "said", tabindex: "0" },
          ...wrong.slice(-MAX_LISTED).map(faultLine(source.game)),
        ),
      );
      changes.show(index > source.first && "What changed since the turn before", () =>
        changeList(source.viewAt(index - 1), source.viewAt(index)),
      );
      view.show("What was seen, as JSON", () =>
        el("pre", { tabindex: "0" }, JSON.stringify(source.viewAt(index), null, 1)),
      );
      fill(further, ...fromHere(source, index));
    },
  };
}

/** A part that is filled when it is open.
 * @param {string} name its class */
function folded(name) {
  const summary = el("summary");
  const box = el("div");
  const element = el("details", { class: name }, summary, box);
  /** @type {() => Node} */
  let content = () => box;
  const render = () => element.open && !element.hidden && fill(box, content());
  element.addEventListener("toggle", render);
  return {
    element,
    /** @param {string|number|false} title nothing: it is not shown @param {() => Node} made */
    show(title, made) {
      element.hidden = !title;
      summary.textContent = title ? String(title) : "";
      content = made;
      render();
    },
  };
}

/** @param {any} before @param {any} after */
function changeList(before, after) {
  const { changes, total } = changesOf(before, after, MAX_CHANGES);
  return el(
    "ul",
    { class: "said", tabindex: "0" },
    ...changes.map((change) =>
      el(
        "li",
        { "data-kind": "changed" },
        el("code", {}, change.path),
        el("span", {}, `${valueText(change.before)} → ${valueText(change.after)}`),
      ),
    ),
    total > changes.length
      ? el("li", { class: "quiet" }, `and ${total - changes.length} more`)
      : null,
    total ? null : el("li", { class: "quiet" }, "Nothing."),
  );
}

/** @param {any} value */
const valueText = (value) => (value === undefined ? "not there" : shortened(value));

/** How to play on from this turn: for the author of a bot, not for a person who is playing.
 * @param {Source} source @param {number} index @returns {(Node|null)[]} */
function fromHere(source, index) {
  const text = playOn(source, index, location.origin);
  if (text !== null) return [el("h3", {}, "Try from here"), commandLine(text)];
  const wait =
    "When the match is over and released, the command that plays on from a turn is here.";
  return [source.outcome === null && !source.human ? el("p", { class: "quiet" }, wait) : null];
}

/** @param {SentCommand} command @param {string} game */
function lineOf({ turn, command, code, why }, game) {
  const ok = code === "ok";
  if (!ok)
    return faultLine(game)({ turn, command, text: why ? `${words(code)}: ${why}` : words(code) });
  return el("li", { "data-kind": "good" }, el("span", {}, shortened(inWords(command))));
}

/** A line that leads to its turn.
 * @param {string} game
 * @returns {(fault: {turn: number, text: string, command?: any}) => HTMLElement} */
const faultLine =
  (game) =>
  ({ turn, text, command }) =>
    el(
      "li",
      { "data-kind": "bad" },
      el(
        "button",
        {
          type: "button",
          class: "plain when",
          "data-turn": turn,
          title: `Go to ${namedTurn(game, turn)}`,
        },
        turnText(game, turn),
      ),
      command === undefined ? null : el("span", {}, shortened(inWords(command))),
      el("span", {}, text),
    );

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
