// Cookoff in words: items, events, scores, the sentence for a screen reader.

import { nameOf } from "../lib/paint.js";
import { DEFAULTS, REASONS, STAGES, TEAMS, actives } from "./rules.js";

/** @typedef {import("../contract.js").SeatInfo} SeatInfo */

/** An item in words.
 * @param {any} item @returns {string} */
export function named(item) {
  if (!item) return "nothing";
  if (item.type === "Food")
    return [item.chopped ? "chopped" : "", STAGES[item.cooked_stage], item.food_name.toLowerCase()]
      .filter(Boolean)
      .join(" ");
  if (item.type === "Pan") return item.food ? `a pan with ${named(item.food)}` : "a pan";
  const foods = item.food.map(named).join(", ");
  return `a ${item.dirty ? "dirty " : ""}plate${foods ? ` with ${foods}` : ""}`;
}

/** @param {any} order */
const dishOf = (order) => order.required.join(", ").toLowerCase() || "an empty plate";

/** @param {any} view @param {SeatInfo[]} _seats @returns {import("../contract.js").Score[]} */
export function scores(view, _seats) {
  return TEAMS.map((team, seat) => {
    const hands = view.bots
      .filter((/** @type {any} */ bot) => bot.team === team && bot.holding)
      .map((/** @type {any} */ bot) => named(bot.holding));
    /** @type {[string, string][]} */
    const facts = [
      ["open orders", String(actives(view, seat).length)],
      ["in hand", hands.join("; ") || "nothing"],
      [
        "switch",
        view.switched[team] ? "in the other kitchen" : view.switch_used[team] ? "used" : "not used",
      ],
    ];
    if (view.failed[team]) facts.push(["out", REASONS[view.failed[team]] ?? view.failed[team]]);
    return { seat, points: view.team_money[team], text: `$${view.team_money[team]}`, facts };
  });
}

/** @param {any} view @param {any} config @returns {import("../contract.js").Progress} */
export function progress(view, config) {
  const total = config?.total_turns ?? DEFAULTS.total_turns;
  const left = Math.max(0, total - view.turn);
  return {
    text: `Turn ${view.turn} of ${total}`,
    left: left === 1 ? "1 turn left" : `${left} turns left`,
    share: Math.min(1, view.turn / total),
  };
}

/** Where a kitchen's plates are handed in.
 * @param {any} view @param {number} kitchen */
function counter(view, kitchen) {
  const rows = /** @type {string[]} */ (view.map.rows);
  const down = rows.findIndex((row) => row.includes("U"));
  if (down < 0) return { x: 0, y: 0, kitchen };
  return { x: rows[down]?.indexOf("U") ?? 0, y: rows.length - 1 - down, kitchen };
}

/** Where the bots of a team stand.
 * @param {any} view @param {string} team */
function standing(view, team) {
  const { x, y, map_team: kitchen } = view.bots.find((/** @type {any} */ bot) => bot.team === team);
  return { x, y, kitchen: TEAMS.indexOf(kitchen) };
}

/** @param {any} before @param {any} view @param {SeatInfo[]} seats
 * @returns {import("../contract.js").GameEvent[]} */
export function events(before, view, seats) {
  /** @type {import("../contract.js").GameEvent[]} */
  const found = [];
  if (!before) return found;
  TEAMS.forEach((team, seat) => {
    const name = nameOf(seats, seat);
    const now = new Map(
      view.orders[team].map((/** @type {any} */ order) => [order.order_id, order]),
    );
    for (const order of before.orders[team]) {
      if (!order.is_active || now.get(order.order_id)?.is_active) continue;
      const dish = dishOf(order);
      if (view.turn > order.expires_turn && !now.get(order.order_id)?.completed_turn) {
        found.push({
          seat,
          text: `${name} misses an order of ${dish}: $${order.penalty} lost`,
          kind: "bad",
          at: counter(view, seat),
          mark: `missed −$${order.penalty}`,
        });
      } else
        found.push({
          seat,
          text: `${name} is paid $${order.reward} for ${dish}`,
          kind: "good",
          at: counter(view, seat),
          mark: `+$${order.reward}`,
        });
    }
    const old = new Set(
      before.orders[team]
        .filter((/** @type {any} */ one) => one.is_active)
        .map((/** @type {any} */ one) => one.order_id),
    );
    for (const order of actives(view, seat)) {
      if (!old.has(order.order_id))
        found.push({
          seat,
          text: `${name} gets an order: ${dishOf(order)}, $${order.reward}`,
          kind: "info",
        });
    }
    if (view.switched[team] && !before.switched[team])
      found.push({
        seat,
        text: `${name} raids the other kitchen`,
        kind: "move",
        at: standing(view, team),
        mark: `${team} raids`,
      });
    if (!view.switched[team] && before.switched[team])
      found.push({
        seat,
        text: `${name} returns to its own kitchen`,
        kind: "move",
        at: standing(view, team),
        mark: `${team} returns`,
      });
    if (view.failed[team] && !before.failed[team])
      found.push({
        seat,
        text: `${name} is out: ${REASONS[view.failed[team]] ?? view.failed[team]}`,
        kind: "bad",
      });
    const stages = new Map(
      before.tiles[team].map((/** @type {any} */ tile) => [
        `${tile.x},${tile.y}`,
        tile.item?.food?.cooked_stage,
      ]),
    );
    for (const tile of view.tiles[team]) {
      if (tile.tile_name !== "COOKER" || !tile.item?.food) continue;
      const { cooked_stage: stage, food_name: food } = tile.item.food;
      const then = stages.get(`${tile.x},${tile.y}`);
      if (then === undefined || then === stage) continue;
      if (stage === 1)
        found.push({
          seat,
          text: `${food.toLowerCase()} is cooked in the kitchen of ${name}`,
          kind: "info",
          at: { x: tile.x, y: tile.y, kitchen: seat },
          mark: "cooked",
        });
      if (stage === 2)
        found.push({
          seat,
          text: `${food.toLowerCase()} burns in the kitchen of ${name}`,
          kind: "bad",
          at: { x: tile.x, y: tile.y, kitchen: seat },
          mark: "burnt",
        });
    }
  });
  return found;
}

/** @param {any} view @param {number|null} seat */
export function describe(view, seat) {
  const stands = TEAMS.map((team, number) => {
    const who = number === seat ? "you" : team;
    const holding = view.bots
      .filter((/** @type {any} */ bot) => bot.team === team && bot.holding)
      .map((/** @type {any} */ bot) => `bot ${bot.bot_id} holds ${named(bot.holding)}`);
    const orders = `${actives(view, number).length} open orders`;
    return [`${who} $${view.team_money[team]}`, orders, ...holding].join(", ");
  });
  const whose = view.acting
    ? `, ${TEAMS.indexOf(view.acting) === seat ? "your part" : `${view.acting} plays`}`
    : "";
  return `Turn ${view.turn}${whose}: ${stands.join("; ")}.`;
}
