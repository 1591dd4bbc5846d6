// Tiles in the box, and units, structures and tiles by position. Tiles count from the top left
// (RULES §3).

import { memo } from "../lib/cache.js";
import { cellAt, fitted } from "../lib/paint.js";

/** @typedef {import("../lib/paint.js").Box} Box */
/** @typedef {import("../lib/paint.js").Place} Place */

export const SIDES = /** @type {[string, number, number][]} */ ([
  ["↑", 0, -1],
  ["→", 1, 0],
  ["↓", 0, 1],
  ["←", -1, 0],
]);

/** @param {any} view */
export function shape(view) {
  return { width: view.map.width, height: view.map.height };
}

/** @param {any} view @param {Box} box @param {number} [scale] */
export function placed(view, box, scale = 1) {
  const grid = fitted(box, view.map.width, view.map.height, scale);
  return {
    ...grid,
    /** @param {number} x @param {number} y @returns {Place} */
    middle: (x, y) => ({
      x: grid.left + (x + 0.5) * grid.cell,
      y: grid.top + (y + 0.5) * grid.cell,
    }),
  };
}

/** @param {any} one @returns {string} */
export const place = (one) => `${one.x},${one.y}`;

/** Units, structures and tiles by "x,y".
 * @param {any} view
 * @returns {{units: Map<string, any>, structures: Map<string, any>, tiles: Map<string, any>}} */
export function indexed(view) {
  /** @param {any[]} all */
  const byPlace = (all) => new Map(all.map((one) => [place(one), one]));
  return memo(view, "index", () => ({
    units: byPlace(view.units),
    structures: byPlace(view.structures),
    tiles: byPlace(view.tiles),
  }));
}

/** The tiles that a unit can reach with the moves it has left, without its own.
 * @param {any} view @param {any} unit @returns {(Place & {from: Place})[]} */
export function walkable(view, unit) {
  const { units, structures } = indexed(view);
  const { width, height } = view.map;
  const seen = new Set([place(unit)]);
  /** @type {(Place & {from: Place})[]} */
  const found = [];
  let edge = [{ x: unit.x, y: unit.y }];
  for (let moves = unit.moves; moves > 0 && edge.length; moves -= 1) {
    /** @type {Place[]} */
    const next = [];
    for (const from of edge) {
      for (const [, dx, dy] of SIDES) {
        const to = { x: from.x + dx, y: from.y + dy };
        const key = place(to);
        if (
          to.x < 0 ||
          to.y < 0 ||
          to.x >= width ||
          to.y >= height ||
          seen.has(key) ||
          units.has(key)
        )
          continue;
        if ((structures.get(key)?.type ?? "shelter") !== "shelter") continue;
        seen.add(key);
        found.push({ ...to, from });
        next.push(to);
      }
    }
    edge = next;
  }
  return found;
}

/** @param {number} x @param {number} y @param {any} view @param {Box} box @returns {Place|null} */
export function at(x, y, view, box) {
  return cellAt(placed(view, box), x, y);
}

/** @param {Place} tile @param {any} view @param {Box} box */
export function middle({ x, y }, view, box) {
  const grid = placed(view, box);
  return { ...grid.middle(x, y), cell: grid.cell };
}
