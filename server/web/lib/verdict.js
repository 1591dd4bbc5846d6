// How a match ended, in a sentence. Pure: tests run it in node.

import { words } from "./dom.js";

/** What follows "NAME wins", by the reason of the outcome. `after` is the length of the match, such
 * as "after 2,000 ticks".
 * @type {Record<string, (after: string) => string>} */
const REASONS = {
  all_cheese: (after) => `on points: all cheese is eaten ${after}`,
  majority: (after) => `with more than half of the cheese ${after}`,
  no_pellets: (after) => `on points: no pellet is left ${after}`,
  max_ticks: (after) => `on points ${after}`,
  max_turns: (after) => `on points ${after}`,
  cat_defeated: (after) => `by defeating the other overlord ${after}`,
  humans_defeated: (after) => `as the other side has no human left ${after}`,
  both_cats_defeated: (after) => `as both overlords fell ${after}`,
  both_humans_defeated: (after) => `as no side has a human left ${after}`,
  two_wins: () => "by rounds won",
};

/** What decided between two that were equal, by `reason` or `via` of the outcome.
 * @type {Record<string, string>} */
const DECIDED = {
  more_units: "with more units",
  more_food: "with more food",
  more_structures: "with more structures",
  coin_flip: "by the toss of a coin",
};

/** The same without a winner.
 * @type {Record<string, (after: string) => string>} */
const DRAWS = {
  max_turns: (after) => after,
  max_ticks: (after) => after,
  all_cheese: (after) => `all cheese is eaten ${after}`,
  no_pellets: (after) => `no pellet is left ${after}`,
  two_draws: () => "both agreed to abandon rounds often enough",
  three_rounds: () => "all rounds are over, and no one won enough of them",
  both_failed: () => "both teams failed",
};

/** What the loser of a forfeit did.
 * @type {Record<string, string>} */
const FAULTS = {
  timeout: "ran out of time",
  silent: "gave too many bad commands",
  rejects: "gave too many bad commands",
  disconnect: "lost the connection",
  disconnected: "lost the connection",
  abandoned: "lost the connection",
  not_ready: "was not ready in time",
  init_failed: "was not ready in time",
  bot_error: "failed",
  resignation: "resigned",
  opponent_failed: "failed",
};

/** @type {Record<string, string>} */
const ABORTED = {
  idle: "no one played",
  interrupted: "the server stopped and could not continue it",
};

const KINDS = /** @type {Record<string, string>} */ ({
  draw: "A draw",
  both_lost: "Both lost",
  aborted: "Aborted",
});

/** The length of a match, where its outcome has it.
 * @param {any} outcome */
function lengthOf(outcome) {
  const [count, unit] =
    outcome.ticks === undefined ? [outcome.turns, "turn"] : [outcome.ticks, "tick"];
  if (typeof count !== "number") return "";
  return `after ${count.toLocaleString("en")} ${count === 1 ? unit : `${unit}s`}`;
}

/** The outcome: who won ("greedy wins", "A draw"), how ("on points after 194 turns"), and both as a
 * sentence.
 * @param {any} outcome of the end message, of a record or of a list
 * @param {{name?: string|null}[]} seats
 * @returns {{short: string, how: string, sentence: string}} */
export function verdict(outcome, seats) {
  const { winner = null, outcome: kind } = outcome;
  const nameOf = (/** @type {number} */ seat) => seats[seat]?.name || `seat ${seat}`;
  const reason = outcome.reason ?? "";
  const forfeit = kind === "forfeit" || Object.hasOwn(FAULTS, reason);
  if (winner !== null && !forfeit) {
    const short = `${nameOf(winner)} wins`;
    const by = DECIDED[reason] ?? DECIDED[outcome.via] ?? words(outcome.via ?? "");
    const decided = by && `${by} ${lengthOf(outcome)}`;
    const how = (decided || (REASONS[reason]?.(lengthOf(outcome)) ?? `(${words(reason)})`)).trim();
    return { short, how, sentence: `${short} ${how}.` };
  }
  const others = seats.map((_, seat) => seat).filter((seat) => seat !== winner);
  const loser =
    winner === null ? "both" : others.length === 1 ? nameOf(others[0] ?? 0) : "a player";
  const short = winner === null ? (KINDS[kind] ?? words(kind)) : `${nameOf(winner)} wins`;
  const known = kind === "aborted" ? ABORTED[reason] : DRAWS[reason]?.(lengthOf(outcome));
  const did = FAULTS[reason] && kind !== "aborted" ? `${loser} ${FAULTS[reason]}` : words(reason);
  const how = (known ?? did).trim();
  return { short, how, sentence: `${how.startsWith("after") ? short : `${short}:`} ${how}.` };
}
