// The time limits of a match, in a few words. Pure: tests run it in node.

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

/** The time that a seat has left, as facts of its row; none if the source does not know it.
 * @param {{within_ms: number|null, bank_ms: number|null}|null} clock
 * @returns {[string, string][]} */
export function clockFacts(clock) {
  /** @type {[string, string][]} */
  const facts = [];
  const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`;
  if (clock && clock.within_ms !== null) facts.push(["time", seconds(clock.within_ms)]);
  if (clock && clock.bank_ms !== null) facts.push(["bank", seconds(clock.bank_ms)]);
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
