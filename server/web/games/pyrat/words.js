// PyRat in words: events, scores, the sentence for a screen reader.

import { nameOf } from "../lib/paint.js";

/** @typedef {import("../contract.js").SeatInfo} SeatInfo */

export const ROLES = ["rat", "python"];
const EVENTS = /** @type {Record<string, string>} */ ({
  entered_mud: "walks into mud",
  left_mud: "is out of the mud",
  blocked: "runs into a wall",
});

/** A score in halves, such as 2½.
 * @param {number} points */
function halves(points) {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ""}½`;
}

/** @param {number} count */
export function turns(count) {
  return count === 1 ? "1 turn" : `${count} turns`;
}

/** @param {any} view @param {SeatInfo[]} _seats @returns {import("../contract.js").Score[]} */
export function scores(view, _seats) {
  return ROLES.map((role, seat) => {
    const player = view[role];
    /** @type {[string, string][]} */
    const facts = [["misses", String(player.misses)]];
    if (player.mud_turns) facts.push(["in mud", turns(player.mud_turns)]);
    return { seat, points: player.score, text: halves(player.score), facts };
  });
}

/** @param {any} view @returns {import("../contract.js").Progress} */
export function progress(view) {
  const lying = view.cheese.length;
  return {
    text: `Turn ${view.turn} of ${view.max_turns}`,
    left: `${turns(view.max_turns - view.turn)}, ${lying} cheese left`,
    share: view.turn / view.max_turns,
  };
}

/** @param {any} before @param {any} view @param {SeatInfo[]} seats
 * @returns {import("../contract.js").GameEvent[]} */
export function events(before, view, seats) {
  /** @type {import("../contract.js").GameEvent[]} */
  const found = [];
  ROLES.forEach((role, seat) => {
    const [x, y] = view[role].position;
    const at = { x, y };
    const gained = before ? view[role].score - before[role].score : 0;
    if (gained === 1)
      found.push({
        seat,
        text: `${nameOf(seats, seat)} eats a cheese`,
        kind: "good",
        at,
        mark: "+1",
      });
    else if (gained === 0.5)
      found.push({
        seat,
        text: `${nameOf(seats, seat)} shares a cheese`,
        kind: "good",
        at,
        mark: "+½",
      });
    const outcome = view.outcomes[role];
    if (outcome === "entered_mud") {
      found.push({
        seat,
        text: `${nameOf(seats, seat)} ${EVENTS[outcome]}, ${turns(view[role].mud_turns)} to wait`,
        kind: "bad",
        at,
        mark: "mud",
      });
    } else if (outcome in EVENTS) {
      found.push({
        seat,
        text: `${nameOf(seats, seat)} ${EVENTS[outcome]}`,
        kind: outcome === "blocked" ? "bad" : "info",
        ...(outcome === "blocked" ? { at, mark: "wall" } : {}),
      });
    }
    if (view.timeouts.includes(role))
      found.push({
        seat,
        text: `${nameOf(seats, seat)} gave no answer`,
        kind: "bad",
        at,
        mark: "no answer",
      });
  });
  return found;
}

/** @param {any} view @param {number|null} seat */
export function describe(view, seat) {
  const stands = ROLES.map((role, number) => {
    const {
      position: [x, y],
      score,
      mud_turns: waits,
    } = view[role];
    const who = number === seat ? "You, the" : "The";
    const name = role === "rat" ? "Rat" : "Python";
    const points = score === 1 ? "1 point" : `${halves(score)} points`;
    return `${who} ${name} at ${x}, ${y} with ${points}${waits ? `, ${turns(waits)} in mud` : ""}`;
  });
  const cheese = `${view.cheese.length} of ${view.total_cheese} cheese left`;
  return `Turn ${view.turn} of ${view.max_turns}. ${stands.join(". ")}. ${cheese}.`;
}
