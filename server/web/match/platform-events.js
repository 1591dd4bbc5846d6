// The platform's own events (time-outs, lost connections, what bots say) as people read them. Pure:
// tests run it in node.

import { words } from "../lib/dom.js";
import { namedTurn } from "../lib/turns.js";

/** @typedef {import("../lib/replay.js").PlatformEvent} PlatformEvent */

const MAX_QUOTE = 160;

/** The text of an event, which follows the seat's name, and whether that is good or bad.
 * @type {Record<string, [string, string]>} */
const TEXTS = {
  timeout: ["ran out of time", "bad"],
  silent: ["gave too many bad commands", "bad"],
  away: ["lost the connection", "bad"],
  back: ["is back", "good"],
  not_ready: ["was not ready in time", "bad"],
  resumed: ["the match goes on after a restart", "info"],
  stall: ["the server stalled; the time was credited", "info"],
};

/** How many turns a seat has missed up to a turn.
 * @param {PlatformEvent[]} events @param {number} seat @param {number} turn */
export function missedTurns(events, seat, turn) {
  return events.filter(
    (event) =>
      event.seat === seat &&
      event.turn <= turn &&
      (event.event === "timeout" || event.event === "silent"),
  ).length;
}

/** Whether a seat was without a connection at a turn.
 * @param {PlatformEvent[]} events @param {number} seat @param {number} turn */
export function isAway(events, seat, turn) {
  const last = events.findLast(
    (event) =>
      event.seat === seat &&
      event.turn <= turn &&
      (event.event === "away" || event.event === "back"),
  );
  return last?.event === "away";
}

/** The text of an event and its kind; an empty text: it is not listed.
 * @param {PlatformEvent} event @param {{name: string}[]} seats @returns {[string, string]} */
function textOf({ event, seat, data }, seats) {
  const who = seat === null ? "" : `${seats[seat]?.name ?? `seat ${seat}`} `;
  if (event === "steps") return ["", "info"];
  if (event !== "info") {
    const [text, kind] = TEXTS[event] ?? [words(event), "info"];
    return [who + text, kind];
  }
  const quote = typeof data === "string" ? data : data?.text;
  return [typeof quote === "string" ? `${who}“${quote.slice(0, MAX_QUOTE)}”` : "", "said"];
}

/** The same event of a seat, or of the whole match, several times in a row: from turn `since` to
 * `turn`. It is listed at turn `at`, the last one; all stalls of the server are one run, which is
 * listed at its first.
 * @typedef {{at: number, turn: number, since: number, times: number, seat: number|null,
 *   text: string, kind: string}} Run */

/** The runs up to a turn, latest first.
 * @param {PlatformEvent[]} events @param {number} until @param {{name: string}[]} seats
 * @returns {Run[]} */
export function runsOf(events, until, seats) {
  /** @type {Run[]} */
  const runs = [];
  /** The run that may continue, by seat.
   * @type {Map<number|string|null, Run>} */
  const open = new Map();
  for (const event of events.toReversed()) {
    if (event.turn > until) continue;
    const [text, kind] = textOf(event, seats);
    if (!text) continue;
    const whose = event.event === "stall" ? "stall" : event.seat;
    const run = open.get(whose);
    if (run?.text === text) {
      run.times += 1;
      run.since = event.turn;
      if (whose === "stall") run.at = event.turn;
      continue;
    }
    const { turn } = event;
    const started = { at: turn, turn, since: turn, times: 1, seat: event.seat, text, kind };
    open.set(whose, started);
    runs.push(started);
  }
  return runs.sort((one, other) => other.at - one.at);
}

/** @param {Run} run @param {string} game */
export function runText({ text, times, since, turn, at }, game) {
  if (times === 1) return text;
  const [word, other] = at === turn ? ["since", since] : ["until", turn];
  const span = `${word} ${namedTurn(game, other)}`;
  return `${text} · ${times} times${since === turn ? "" : ` ${span}`}`;
}
