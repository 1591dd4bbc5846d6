// When a client tries again to reach a server; PROTOCOL.md, "Reconnecting".

const FIRST_MS = 50;
const SHORTEST_MS = 200;
const SHARE = 0.1;
const IN_GRACE_MS = 1_000;
const END = 0.25;
const GENTLE_MS = 500;
const LONGEST_MS = 5_000;

/** Takes the number of the attempt (from 0), how long the connection has been gone and how long the
 * server holds the seat from its loss on (null: it holds nothing); returns the wait. In ms. */
export type Delay = (attempt: number, goneMs: number, graceMs: number | null) => number;

/** The wait before an attempt. While the seat is held attempts are frequent, otherwise they back
 * off. `chance`: 0 to 1, so that clients of one server do not return at the same moment. */
export function delayMs(
  attempt: number,
  goneMs: number,
  graceMs: number | null,
  chance: number,
): number {
  if (graceMs === null || goneMs >= graceMs)
    return Math.min(LONGEST_MS, Math.max(GENTLE_MS, goneMs)) * chance;
  if (attempt === 0) return FIRST_MS * chance;
  const longest = Math.min(
    Math.max(SHORTEST_MS, SHARE * goneMs),
    IN_GRACE_MS,
    Math.max(FIRST_MS, END * (graceMs - goneMs)),
  );
  return (longest * (1 + chance)) / 2;
}

export const jittered: Delay = (attempt, goneMs, graceMs) =>
  delayMs(attempt, goneMs, graceMs, Math.random());
