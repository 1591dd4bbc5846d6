// What the author of a bot gets to know from a record: where it went wrong, what it printed, and
// how to play on from there. Pure: tests run it in node.

import { words } from "../lib/dom.js";
import { turnText } from "../lib/turns.js";

/** @typedef {import("../sources/source.js").Source} Source */

/** What the server notes of a seat that costs it a turn or more, and what it means.
 * @type {Record<string, string>} */
const FAULTS = {
  timeout: "late: no answer in time",
  silent: "silent: too many bad commands",
  away: "the connection was lost",
  not_ready: "not ready in time",
};

/** A name that is safe on a command line as it is. */
const PLAIN = /^[a-z][a-z0-9_]*$/i;

/** Late, rejected and failed turns of the seat of `viewer`; without one those of all seats that the
 * record tells.
 * @param {Source} source @returns {{turn: number, text: string, command?: any}[]} by turn */
export function faultsOf(source) {
  const { viewer, seats } = source;
  const faults = source.commands
    .filter(({ code }) => code !== "ok")
    .map(({ turn, command, code, why }) => ({
      turn,
      text: why ? `${words(code)}: ${why}` : words(code),
      command,
    }));
  const noted = source.platformEvents
    .filter(({ event, seat }) => event in FAULTS && (viewer === null || seat === viewer))
    .map(({ turn, event, seat }) => {
      const who =
        viewer === null && seat !== null ? `${seats[seat]?.name ?? `seat ${seat}`}, ` : "";
      return { turn, text: who + FAULTS[event] };
    });
  return [...faults, ...noted].sort((one, other) => one.turn - other.turn);
}

/** A bot's log by turns: a line that begins with `turn 12` or `[12]` begins that turn, and what
 * comes before the first one belongs to turn 0.
 * @param {string} text @returns {Map<number, string[]>} */
export function printedBy(text) {
  /** @type {Map<number, string[]>} */
  const printed = new Map();
  let turn = 0;
  for (const line of text.split(/\r?\n/)) {
    if (!line) continue;
    const mark = /^(?:turn |tick |\[)(\d{1,9})\b/i.exec(line);
    if (mark) turn = Number(mark[1]);
    printed.set(turn, [...(printed.get(turn) ?? []), line]);
  }
  return printed;
}

/** The command that plays on from a turn with the local bot; null: the match is not over, or was
 * over at this turn.
 * @param {Source} source @param {number} index @param {string} origin of this page */
export function playOn(source, index, origin) {
  if (source.outcome === null || index >= source.end - 1 || !PLAIN.test(source.game)) return null;
  const turn = turnText(source.game, source.turnAt(index));
  const from = source.fileName
    ? `${source.fileName.replace(/\.replay\.jsonl$/, ".journal.jsonl")}@${turn}`
    : `${origin}/match/${encodeURIComponent(source.match)}#${turn}`;
  const lost = source.outcome.seats?.findIndex(
    (/** @type {any} */ seat) => seat.outcome !== "win" && seat.outcome !== "draw",
  );
  const mine = source.viewer ?? Math.max(0, lost ?? 0);
  const players = source.seats.map(({ name, kind }, seat) => {
    if (seat !== mine) return kind !== "human" && PLAIN.test(name) ? name : "greedy";
    return source.fileName && PLAIN.test(name) ? `${name}.py` : "mybot.py";
  });
  return `botarena play ${source.game} ${players.join(" ")} --from ${quoted(from)} --watch`;
}

/** As a shell takes it for one word.
 * @param {string} text */
const quoted = (text) =>
  /^[\w@%+:,./-]+(#\w+)?$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
