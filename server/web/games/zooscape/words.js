// Zooscape in words: power-ups, events, scores, the sentence for a screen reader.

import { memo } from "../lib/cache.js";
import { nameOf } from "../lib/paint.js";
import { PELLET } from "./floor.js";
import { streaks } from "./streak.js";

/** @typedef {import("../contract.js").SeatInfo} SeatInfo */

const KINDS = /** @type {Record<string, string>} */ ({
  5: "power_pellet",
  6: "chameleon_cloak",
  7: "scavenger",
  8: "big_moose_juice",
});
export const WORDS = /** @type {Record<string, string>} */ ({
  power_pellet: "power pellet",
  chameleon_cloak: "chameleon cloak",
  scavenger: "scavenger",
  big_moose_juice: "big moose juice",
});
/** What each power-up does.
 * @type {[string, string][]} */
export const legend = [
  ["power pellet", "many points at once"],
  ["chameleon cloak", "zookeepers do not see its animal"],
  ["scavenger", "eats all pellets of the square around its animal"],
  ["big moose juice", "pellets give more points"],
  ["streak", "each pellet in a row gives more, until a few ticks pass without one"],
];

/** @param {number} value */
export const tenths = (value) => String(Math.round(value * 10) / 10);

/** The power-ups on the board.
 * @param {any} view @returns {{x: number, y: number, kind: string}[]} */
export function items(view) {
  return memo(view.map, "items", () => {
    /** @type {{x: number, y: number, kind: string}[]} */
    const found = [];
    view.map.forEach((/** @type {string} */ row, /** @type {number} */ y) => {
      for (const { 0: digit, index: x } of row.matchAll(/[5-8]/g))
        found.push({ x, y, kind: KINDS[digit] ?? "" });
    });
    return found;
  });
}

/** @param {any} animal @param {number} [streak] @returns {[string, string][]} */
export function facts(animal, streak) {
  /** @type {[string, string][]} */
  const found = [
    ["captured", String(animal.captured_count)],
    ["walked", String(animal.distance_covered)],
  ];
  if (streak !== undefined) found.push(["streak", `×${tenths(streak)}`]);
  if (animal.held_power_up)
    found.push(["holds", WORDS[animal.held_power_up] ?? animal.held_power_up]);
  if (animal.active_power_up) {
    const { kind, ticks_remaining: ticks } = animal.active_power_up;
    found.push([
      "active",
      `${WORDS[kind] ?? kind}, ${ticks === 1 ? "1 tick" : `${ticks} ticks`} left`,
    ]);
  }
  return found;
}

/** @param {any} view @param {SeatInfo[]} _seats @param {import("../contract.js").Past} [past]
 * @returns {import("../contract.js").Score[]} */
export function scores(view, _seats, past) {
  const multipliers = past ? streaks([...past.trail, view], past.config) : [];
  return view.animals.map((/** @type {any} */ animal) => ({
    seat: animal.seat,
    points: animal.score,
    text: animal.score.toLocaleString("en"),
    facts: facts(animal, multipliers[animal.seat]),
  }));
}

/** @param {any} view @param {any} config @returns {import("../contract.js").Progress} */
export function progress(view, config) {
  const left = view.max_ticks - view.tick;
  const seconds = Math.round((left * (config?.tick_ms ?? 0)) / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return {
    text: `Tick ${view.tick.toLocaleString("en")} of ${view.max_ticks.toLocaleString("en")}`,
    left: `${left.toLocaleString("en")} left${seconds ? `, ${clock} min` : ""}`,
    share: view.tick / view.max_ticks,
  };
}

/** @param {any} before @param {any} view @param {SeatInfo[]} seats
 * @returns {import("../contract.js").GameEvent[]} */
export function events(before, view, seats) {
  /** @type {import("../contract.js").GameEvent[]} */
  const found = [];
  if (!before) return found;
  for (const animal of view.animals) {
    const { seat } = animal;
    const then = before.animals[seat];
    if (!then) continue;
    const name = nameOf(seats, seat);
    const at = { x: animal.x, y: animal.y };
    if (animal.captured_count > then.captured_count) {
      const lost = Math.max(0, then.score - animal.score);
      found.push({
        seat,
        text: `${name} is captured and loses ${lost.toLocaleString("en")}`,
        kind: "bad",
        at: { x: then.x, y: then.y },
        mark: `captured −${lost.toLocaleString("en")}`,
      });
    }
    if (animal.held_power_up && animal.held_power_up !== then.held_power_up) {
      found.push({
        seat,
        text: `${name} picks up a ${WORDS[animal.held_power_up]}`,
        kind: "info",
        at,
        mark: WORDS[animal.held_power_up],
      });
    }
    if (animal.active_power_up && animal.active_power_up.kind !== then.active_power_up?.kind) {
      found.push({
        seat,
        text: `${name} uses a ${WORDS[animal.active_power_up.kind]}`,
        kind: "good",
        at,
        mark: `uses ${WORDS[animal.active_power_up.kind]}`,
      });
    }
    const swallowed =
      before.map[animal.y]?.[animal.x] === "5" && view.map[animal.y]?.[animal.x] !== "5";
    if (swallowed)
      found.push({
        seat,
        text: `${name} eats a power pellet: ${(animal.score - then.score).toLocaleString("en")}`,
        kind: "good",
        at,
        mark: `+${(animal.score - then.score).toLocaleString("en")}`,
      });
  }
  for (const { x, y, kind } of items(view)) {
    if (before.map[y]?.[x] !== view.map[y][x])
      found.push({
        seat: null,
        text: `a ${WORDS[kind]} appears at ${x}, ${y}`,
        kind: "info",
        at: { x, y },
      });
  }
  for (let more = before.zookeepers.length; more < view.zookeepers.length; more += 1) {
    const { x, y } = view.zookeepers[more];
    found.push({
      seat: null,
      text: "another zookeeper appears",
      kind: "bad",
      at: { x, y },
      mark: "zookeeper",
    });
  }
  return found;
}

/** @param {any} view @param {number|null} seat */
export function describe(view, seat) {
  const stands = [...view.animals]
    .sort((one, other) => other.score - one.score)
    .map((animal) => {
      const who = animal.seat === seat ? "you" : `animal ${animal.seat + 1}`;
      return `${who} ${animal.score} points at ${animal.x}, ${animal.y}`;
    });
  const pellets = view.map.join("").split(PELLET).length - 1;
  const zookeepers =
    view.zookeepers.length === 1 ? "1 zookeeper" : `${view.zookeepers.length} zookeepers`;
  const rest = `${zookeepers}, ${pellets} pellets`;
  return `Tick ${view.tick} of ${view.max_ticks}: ${stands.join(", ")}; ${rest}.`;
}
