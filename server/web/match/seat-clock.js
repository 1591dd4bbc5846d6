// How a seat's clock runs: first the time of the turn, then the bank. Pure: tests run it in node.

/** A seat's time in one turn. `within_ms`, the time of the turn, is null if nothing is asked of the
 * seat or it has no limit; `bank_ms` is null without a bank. Both are as at `since`, from which the
 * clock runs, a time of performance.now(); null: it stands. `used_ms`: what the seat took of a turn
 * that is over, where it is known.
 * @typedef {{within_ms: number|null, bank_ms: number|null, since: number|null,
 *   used_ms?: number|null}} SeatClock */

/** The clock of a turn of no more than this is not shown: the numbers change once a second. */
const SHORT_MS = 2_000;
/** A running clock with no more than this, and than a fifth of what it began with, is low; in whole
 * seconds, as it is shown. */
const LOW_MS = 10_000;

/** What is left at a moment.
 * @param {SeatClock} clock @param {number} now
 * @returns {{within_ms: number|null, bank_ms: number|null}} */
export function leftAt({ within_ms, bank_ms, since }, now) {
  if (within_ms === null || since === null) return { within_ms, bank_ms };
  const spent = Math.max(0, now - since);
  return {
    within_ms: Math.max(0, within_ms - spent),
    bank_ms: bank_ms && Math.max(0, bank_ms - Math.max(0, spent - within_ms)),
  };
}

/** All that a turn of this clock may take, ms.
 * @param {{within_ms: number|null, bank_ms: number|null}} clock */
const total = ({ within_ms, bank_ms }) => (within_ms ?? 0) + (bank_ms ?? 0);

/** @param {SeatClock} clock */
export const isShort = (clock) => total(clock) <= SHORT_MS;

/** Whether little is left of a clock that runs.
 * @param {SeatClock} clock @param {number} now */
export const isLow = (clock, now) =>
  clock.since !== null &&
  clock.within_ms !== null &&
  !isShort(clock) &&
  Math.ceil(total(leftAt(clock, now)) / 1000) * 1000 <= Math.min(LOW_MS, total(clock) / 5);

/** In how many ms another number is shown; null: the clock stands, or has run out.
 * @param {SeatClock} clock @param {number} now */
export function nextChange(clock, now) {
  const { within_ms, bank_ms } = leftAt(clock, now);
  if (clock.since === null || within_ms === null) return null;
  const runs = within_ms || bank_ms;
  // whole seconds are shown, rounded up
  return runs ? runs - (Math.ceil(runs / 1000) - 1) * 1000 + 1 : null;
}

/** The clocks of a record by turn, from the server's answer. A seat that is not asked keeps what it
 * took before.
 * @param {{turn: number, within_ms: (number|null)[], bank_ms: (number|null)[]|null,
 *   used_ms: (number|null)[]}[]} turns
 * @returns {Map<number, SeatClock[]>} */
export function clocksByTurn(turns) {
  const clocks = new Map();
  /** @type {SeatClock[]} */
  let before = [];
  for (const { turn, within_ms, bank_ms, used_ms } of turns) {
    before = within_ms.map((within, seat) => {
      const asked = within !== null || used_ms[seat] !== null;
      const own = { within_ms: within, used_ms: used_ms[seat] };
      const bank = bank_ms?.[seat] ?? null;
      return { ...own, ...(asked ? null : before[seat]), bank_ms: bank, since: null };
    });
    clocks.set(turn, before);
  }
  return clocks;
}
