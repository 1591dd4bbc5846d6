// BotStack in words: items, events, scores, the sentence for a screen reader.

import { nameOf } from "../lib/paint.js";
import { SIDES, acting, bySeat } from "./table.js";

/** @typedef {import("../contract.js").SeatInfo} SeatInfo */

/** The rounds of a match, if the config has none (RULES §2). */
const ROUNDS = 3;
/** What each item does.
 * @type {Record<string, string>} */
export const DOES = {
  peek_current: "shows its owner the next bullet",
  eject_current: "takes the next bullet out of the gun",
  skip_enemy: "the opponent's next turn is skipped",
  health_kit: "adds one health",
  reload_gun: "throws the magazine away and loads a new one",
};
export const ITEMS = /** @type {Record<string, string>} */ ({
  empty: "empty",
  peek_current: "peek",
  eject_current: "eject",
  skip_enemy: "skip",
  health_kit: "health kit",
  reload_gun: "reload",
});
const REASONS = /** @type {Record<string, string>} */ ({
  two_wins: "enough rounds won",
  two_draws: "both drew often enough",
  out_of_bullets: "no bullets left",
});

/** @param {string} outcome */
export function ended(outcome) {
  return outcome === "draw" ? "The match is a draw" : outcome.replaceAll("_", " ");
}

/** @param {string} reason */
export function because(reason) {
  return REASONS[reason] ?? reason.replaceAll("_", " ");
}

/** One event in words.
 * @param {any} event @param {SeatInfo[]} seats @returns {string} */
export function sentence(event, seats) {
  const who = typeof event.seat === "number" ? nameOf(seats, event.seat) : "";
  switch (event.e) {
    case "round_start":
      return `round ${event.round}: ${nameOf(seats, event.starter)} begins`;
    case "deal":
      return `${who} gets ${ITEMS[event.item]}`;
    case "load":
      return `the gun is loaded, ${event.live} live of ${event.total}`;
    case "request":
      return `${who} proposes to abstain`;
    case "reply":
      return `${who} ${event.accepted ? "agrees to abstain" : "declines to abstain"}`;
    case "item":
      return event.item === "empty"
        ? `${who} reaches into an empty slot`
        : `${who} uses ${ITEMS[event.item]}`;
    case "peek":
      return `${who} sees a ${event.bullet} bullet`;
    case "eject":
      return `${who} ejects a ${event.bullet} bullet`;
    case "shot":
      const target = event.target === event.seat ? "itself" : nameOf(seats, event.target);
      return `${who} shoots ${target}: ${event.bullet}`;
    case "round_end": {
      const won = event.winner === null ? "no winner" : `${nameOf(seats, event.winner)} wins it`;
      return `round ${event.round} ends (${because(event.reason)}): ${won}`;
    }
    case "match_end":
      return `the match ends (${because(event.reason)})`;
    default:
      return String(event.e);
  }
}

/** @param {any} _before @param {any} view @param {SeatInfo[]} seats
 * @returns {import("../contract.js").GameEvent[]} */
export function events(_before, view, seats) {
  return (view.events ?? []).map((/** @type {any} */ event) => {
    const hurt = event.e === "shot" && event.bullet === "live";
    const won = (event.e === "round_end" || event.e === "match_end") && event.winner !== null;
    const seat = event.seat ?? event.winner ?? null;
    return {
      seat,
      text: sentence(event, seats),
      kind: hurt ? "bad" : won ? "good" : event.e === "deal" ? "info" : "move",
      ...called(event, seat),
    };
  });
}

/** Where an event is called out: over a player, or over the gun.
 * @param {any} event @param {number|null} seat */
function called(event, seat) {
  const over = (/** @type {number|null} */ who) => ({
    x: who === null ? 8 : (SIDES[who] ?? 8),
    y: 2.6,
  });
  switch (event.e) {
    case "shot":
      return { at: over(event.target), mark: event.bullet === "live" ? "−1 health" : "blank" };
    case "item":
      return event.item === "empty" ? {} : { at: over(seat), mark: ITEMS[event.item] };
    case "eject":
      return { at: over(null), mark: `${event.bullet} out` };
    case "request":
      return { at: over(seat), mark: "abstain?" };
    case "reply":
      return { at: over(seat), mark: event.accepted ? "agrees" : "declines" };
    case "round_end":
      return {
        at: over(event.winner),
        mark: event.winner === null ? "no winner" : "wins the round",
      };
    default:
      return {};
  }
}

/** @param {any} view @param {any} config @returns {import("../contract.js").Progress} */
export function progress(view, config) {
  const rounds = config?.rounds_per_match ?? ROUNDS;
  const [round, reloads] = [view.round ?? rounds, view.reloads_left ?? 0];
  const more = rounds - round;
  const left = `${more === 1 ? "1 round" : `${more} rounds`} and ${
    reloads === 1 ? "1 reload" : `${reloads} reloads`
  } left`;
  const loads = Math.max(1, config?.gun_loads ?? 1);
  return {
    text: `Round ${round} of ${rounds}`,
    left,
    share: (round - 1 + Math.min(1, Math.max(0, 1 - (reloads + 1) / loads))) / rounds,
  };
}

/** @param {any} view @param {SeatInfo[]} _seats @returns {import("../contract.js").Score[]} */
export function scores(view, _seats) {
  const players = bySeat(view);
  if (!players.length) {
    return (view.result?.seats ?? []).map((/** @type {any} */ one, /** @type {number} */ seat) => ({
      seat,
      points: one.rounds_won ?? one.score,
      text: String(one.rounds_won ?? one.score),
      facts: [],
    }));
  }
  return players.map((player, seat) => ({
    seat,
    points: player.rounds_won,
    plot: player.health,
    text: String(player.rounds_won),
    facts: [
      ["rounds won", String(player.rounds_won)],
      ["health", String(player.health)],
      [
        "items",
        player.items
          .filter((/** @type {string} */ item) => item !== "empty")
          .map((/** @type {string} */ item) => ITEMS[item])
          .join(", ") || "none",
      ],
      .../** @type {[string, string][]} */ (
        player.skip_pending ? [["extra turn", "the opponent's next one is skipped"]] : []
      ),
    ],
  }));
}

/** @param {any} view @param {number|null} seat */
export function describe(view, seat) {
  const players = bySeat(view);
  const stands = players.map((player, number) => {
    const who = number === seat ? "You" : `Player ${number + 1}`;
    return `${who}: health ${player.health}, ${player.rounds_won} rounds won`;
  });
  if (view.result) {
    const { winner, outcome, reason } = view.result;
    const wins = winner === seat ? "You win" : `Player ${winner + 1} wins`;
    return `${winner === null ? ended(outcome) : wins}, ${because(reason)}.`;
  }
  const who = acting(view);
  const phase = view.phase.replaceAll("_", " ");
  const decides = (/** @type {number} */ who) =>
    who === seat ? "You decide" : `Player ${who + 1} decides`;
  const asks = who === null ? "" : ` ${decides(who)}: ${phase}.`;
  const known = view.known_next ? ` The next bullet is ${view.known_next}.` : "";
  const bullets = `${view.gun.live} live of ${view.gun.total} bullets`;
  return `Round ${view.round}. ${stands.join(". ")}. ${bullets}.${known}${asks}`;
}
