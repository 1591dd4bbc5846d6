// The time limits of a match, in a few words. Pure: tests run it in node.

import { isLow, isShort, leftAt } from "./seat-clock.js";

/** @param {any} clock the clock of the start message
 * @param {boolean} human for a person who plays */
export function limitsText(clock, human) {
  if (!clock) return "";
  const time = (/** @type {number} */ ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);
  if (clock.tick_ms) return `a tick every ${time(clock.tick_ms)}`;
  if (human)
    return clock.human_turn_ms
      ? `${time(clock.human_turn_ms)} a turn for you`
      : "no time limit for you";
  const parts = [clock.turn_ms ? `${time(clock.turn_ms)} a turn` : "no time limit"];
  if (clock.bank_ms) parts.push(`bank ${time(clock.bank_ms)}`);
  if (clock.increment_ms) parts.push(`+ ${time(clock.increment_ms)}`);
  return parts.join(", ");
}

/** The time that a seat has left at a moment, as facts of its row; none if the source does not know
 * it. What is spent now is marked if little is left.
 * @param {import("./seat-clock.js").SeatClock|null} clock @param {number} now
 * @returns {[string, string][]} */
export function clockFacts(clock, now) {
  /** @type {[string, string][]} */
  const facts = [];
  if (clock === null) return facts;
  const { within_ms, bank_ms } = leftAt(clock, now);
  const low = isLow(clock, now) ? " (low)" : "";
  if (within_ms !== null && !isShort(clock) && (within_ms > 0 || bank_ms === null))
    facts.push(["time", countdown(within_ms) + low]);
  if (bank_ms !== null) facts.push(["bank", countdown(bank_ms) + (within_ms ? "" : low)]);
  return facts;
}

/** A countdown: seconds, or minutes and seconds.
 * @param {number} ms */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
