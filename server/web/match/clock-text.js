// The time limits of a match, in a few words. Pure: tests run it in node.

import { isLow, isShort, leftAt } from "./seat-clock.js";

/** @param {number} ms */
const time = (ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

/** @param {any} clock the clock of the start message
 * @param {boolean} human for a person who plays */
export function limitsText(clock, human) {
  if (!clock) return "";
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
 * it. What is spent now is marked if little is left. Of a turn that is over: what the seat took.
 * @param {import("./seat-clock.js").SeatClock|null} clock @param {number} now
 * @returns {[string, string][]} */
export function clockFacts(clock, now) {
  /** @type {[string, string][]} */
  const facts = [];
  if (clock === null) return facts;
  const { within_ms, bank_ms } = leftAt(clock, now);
  const low = isLow(clock, now) ? " (low)" : "";
  if (clock.used_ms != null) facts.push(["took", tookText(clock.used_ms, within_ms)]);
  else if (within_ms !== null && !isShort(clock) && (within_ms > 0 || bank_ms === null))
    facts.push(["time", countdown(within_ms) + low]);
  if (bank_ms !== null) facts.push(["bank", countdown(bank_ms) + (within_ms ? "" : low)]);
  return facts;
}

/** @param {number} used_ms @param {number|null} within_ms the limit */
function tookText(used_ms, within_ms) {
  const used = time(used_ms < 1000 ? Math.round(used_ms) : Math.round(used_ms / 100) * 100);
  return within_ms ? `${used} of ${time(within_ms)}` : used;
}

/** A countdown: seconds, or minutes and seconds.
 * @param {number} ms */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
