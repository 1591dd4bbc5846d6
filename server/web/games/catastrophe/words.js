// Catastrophe in words: events, scores, the sentence for a screen reader.

import { nameOf } from "../lib/paint.js";
import { deeds } from "./playback.js";
import { DEFAULTS, MANY, OVERLORD, WAYS } from "./rules.js";

/** @typedef {import("../contract.js").SeatInfo} SeatInfo */

/** @param {any} view @param {number} seat */
function own(view, seat) {
  return view.units.filter((/** @type {any} */ unit) => unit.owner === seat);
}

/** @param {any} result */
const because = ({ reason }) => WAYS[reason] ?? reason;

/** @param {any} view @param {SeatInfo[]} _seats @returns {import("../contract.js").Score[]} */
export function scores(view, _seats) {
  return view.players.map((/** @type {any} */ player) => {
    const units = own(view, player.seat);
    const cat = units.find((/** @type {any} */ unit) => unit.id === player.cat);
    const built = view.structures.filter(
      (/** @type {any} */ one) => one.owner === player.seat,
    ).length;
    /** @type {[string, number][]} */
    const all = Object.keys(MANY).map((name) => [
      name,
      units.filter((/** @type {any} */ unit) => unit.job === name).length,
    ]);
    const jobs = all.filter(([, count]) => count);
    /** @type {[string, string][]} */
    const facts = [
      ["food", String(player.food)],
      ["upkeep", String(player.upkeep)],
      ["overlord", cat ? `${Math.round(cat.energy)} energy` : "gone"],
      ["structures", String(built)],
      [
        "jobs",
        jobs
          .map(([name, count]) => (count === 1 ? `1 ${name}` : `${count} ${MANY[name]}`))
          .join(", ") || "none",
      ],
    ];
    if (units.some((/** @type {any} */ unit) => unit.starving)) facts.push(["hunger", "starving"]);
    return {
      seat: player.seat,
      points: units.length,
      text: units.length === 1 ? "1 unit" : `${units.length} units`,
      facts,
    };
  });
}

/** A day is a turn of each side.
 * @param {any} view @param {any} config @returns {import("../contract.js").Progress} */
export function progress(view, config) {
  const most = config?.max_turns ?? DEFAULTS.max_turns;
  const left = Math.max(0, most - view.turn);
  return {
    text: `Day ${Math.floor(view.turn / 2) + 1}, turn ${view.turn} of ${most}`,
    left: left === 1 ? "1 turn left" : `${left} turns left`,
    share: Math.min(1, view.turn / most),
  };
}

/** @param {any} before @param {any} view @param {SeatInfo[]} seats
 * @returns {import("../contract.js").GameEvent[]} */
export function events(before, view, seats) {
  /** @type {import("../contract.js").GameEvent[]} */
  const found = [];
  if (before) {
    /** @type {Map<number, any>} */
    const units = new Map(before.units.map((/** @type {any} */ unit) => [unit.id, unit]));
    for (const unit of view.units) {
      const then = units.get(unit.id);
      if (!then) {
        if (unit.owner === null)
          found.push({
            seat: null,
            text: `a human comes down the road in row ${unit.y}`,
            kind: "info",
            at: unit,
          });
        continue;
      }
      if (then.owner === null && unit.owner !== null)
        found.push({
          seat: unit.owner,
          text: `${nameOf(seats, unit.owner)} converts a human`,
          kind: "good",
          at: unit,
          mark: "converted",
        });
      else if (then.owner !== null && unit.owner === null)
        found.push({
          seat: then.owner,
          text: `${nameOf(seats, then.owner)} loses a ${then.job}`,
          kind: "bad",
        });
      else if (then.job !== unit.job)
        found.push({
          seat: unit.owner,
          text: `${nameOf(seats, unit.owner)} has a new ${unit.job}`,
          kind: "info",
          at: unit,
          mark: `new ${unit.job}`,
        });
      if (unit.job === OVERLORD && unit.owner !== null && unit.energy < then.energy) {
        const energy = Math.round(unit.energy);
        found.push({
          seat: unit.owner,
          text: `${nameOf(seats, unit.owner)}'s overlord falls to ${energy} energy`,
          kind: "bad",
        });
      }
    }
    const old = new Set(before.structures.map((/** @type {any} */ one) => one.id));
    const now = new Set(view.structures.map((/** @type {any} */ one) => one.id));
    for (const one of view.structures) {
      if (!old.has(one.id) && one.owner !== null)
        found.push({
          seat: one.owner,
          text: `${nameOf(seats, one.owner)} builds a ${one.type}`,
          kind: "good",
          at: one,
          mark: `builds ${one.type}`,
        });
    }
    for (const one of before.structures) {
      const whose = one.owner === null ? "a ruin" : `a ${one.type} of ${nameOf(seats, one.owner)}`;
      if (!now.has(one.id))
        found.push({
          seat: one.owner,
          text: `${whose} is gone`,
          kind: one.owner === null ? "info" : "bad",
        });
    }
    for (const { kind, seat, at, from, amount, mark } of deeds(before, view)) {
      const raid = kind === "steal" ? `${nameOf(seats, seat)} steals ${amount} food` : "";
      found.push({ seat, text: raid, kind: raid ? "good" : "deed", at, from, mark });
    }
    for (const { seat } of view.players) {
      const starved = own(before, seat).some((/** @type {any} */ unit) => unit.starving);
      const starves = own(view, seat).some((/** @type {any} */ unit) => unit.starving);
      if (starves && !starved)
        found.push({
          seat,
          text: `${nameOf(seats, seat)} cannot pay the upkeep and starves`,
          kind: "bad",
        });
    }
  }
  if (view.result && !before?.result) {
    const { winner } = view.result;
    found.push({
      seat: winner,
      text: `${nameOf(seats, winner)} wins: ${because(view.result)}`,
      kind: "good",
    });
  }
  return found;
}

/** @param {any} view @param {number|null} seat */
export function describe(view, seat) {
  const stands = view.players.map((/** @type {any} */ player) => {
    const who = player.seat === seat ? "you" : player.seat === 0 ? "west" : "east";
    const cat = view.units.find((/** @type {any} */ unit) => unit.id === player.cat);
    const units = own(view, player.seat).length;
    const energy = cat ? Math.round(cat.energy) : 0;
    return `${who}: ${units} units, ${player.food} food, overlord ${energy} energy`;
  });
  const moves = view.result
    ? `${view.result.winner === 0 ? "west" : "east"} wins, ${because(view.result)}`
    : view.current_player === seat
      ? "your turn"
      : `${view.current_player === 0 ? "west" : "east"} moves`;
  return `Turn ${view.turn}, ${moves}; ${stands.join("; ")}.`;
}
