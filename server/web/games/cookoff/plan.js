// The kitchens in the box: side by side or one above the other, whichever is larger.

import { fitted } from "../lib/paint.js";

/** @typedef {import("../lib/paint.js").Box} Box */
/** @typedef {import("../lib/paint.js").Place} Place */

/** A block is a kitchen with its head and orders; `floor` is the left top corner of its tiles,
 * `wide` its width, all in pixels.
 * @typedef {{cell: number, unit: number, wide: number, left: number, top: number,
 *   blocks: {left: number, top: number, floor: Place}[],
 *   middle: (kitchen: number, x: number, y: number) => Place}} Plan */

/** Heights in units: the top line, a kitchen's head, its orders; and the gap between the
 * kitchens. */
export const TOP = 1.1;
const HEAD = 1.45;
export const ORDERS = 2.9;
const GAP = 0.8;
export const TICKET = 4;

/** The cells that both kitchens take. Large maps have larger text.
 * @param {any} view @param {boolean} stacked */
function cells({ map }, stacked) {
  const unit = Math.max(1, map.width / 20);
  const wide = Math.max(map.width, 3 * TICKET);
  const high = map.height + (HEAD + ORDERS) * unit;
  return {
    unit,
    wide,
    high,
    width: (stacked ? wide : 2 * wide + GAP) + 0.6,
    height: TOP * unit + (stacked ? 2 * high + GAP / 2 : high) + 0.3,
  };
}

/** On an upright screen the kitchens stand one above the other.
 * @param {any} view */
export function shape(view) {
  const upright = globalThis.innerWidth < globalThis.innerHeight;
  const wide = view.map.width > 2.2 * view.map.height;
  const { width, height } = cells(view, upright || wide);
  return { width, height };
}

/** @param {any} view @param {Box} box @param {number} [scale] @returns {Plan} */
export function planned(view, box, scale = 1) {
  const ways = [false, true].map((stacked) => {
    const need = cells(view, stacked);
    return { stacked, need, grid: fitted(box, need.width, need.height, scale) };
  });
  const [beside, over] = /** @type {[typeof ways[0], typeof ways[0]]} */ (ways);
  const {
    stacked,
    need,
    grid: { cell, left, top },
  } = over.grid.cell > beside.grid.cell ? over : beside;
  const { unit, wide, high } = need;
  const { width, height } = view.map;
  const blocks = [0, 1].map((kitchen) => {
    const x = left + (0.3 + (stacked ? 0 : kitchen * (wide + GAP))) * cell;
    const y = top + (TOP * unit + (stacked ? kitchen * (high + GAP / 2) : 0)) * cell;
    // The tiles begin on whole pixels.
    const floor = {
      x: Math.round((x + ((wide - width) / 2) * cell) * scale) / scale,
      y: Math.round((y + HEAD * unit * cell) * scale) / scale,
    };
    return { left: x, top: y, floor };
  });
  return {
    cell,
    unit,
    wide: wide * cell,
    left,
    top,
    blocks,
    middle: (kitchen, x, y) => {
      const { floor } = /** @type {Plan["blocks"][0]} */ (blocks[kitchen]);
      return { x: floor.x + (x + 0.5) * cell, y: floor.y + (height - y - 0.5) * cell };
    },
  };
}

/** @param {Place & {kitchen: number}} place @param {any} view @param {Box} box */
export function middle({ x, y, kitchen }, view, box) {
  const plan = planned(view, box);
  return { ...plan.middle(kitchen, x, y), cell: plan.cell };
}

/** The cell under a point, and its kitchen.
 * @param {number} x @param {number} y @param {any} view @param {Box} box
 * @returns {(Place & {kitchen: number})|null} */
export function at(x, y, view, box) {
  const { cell, blocks } = planned(view, box);
  const { width, height } = view.map;
  for (const [kitchen, { floor }] of blocks.entries()) {
    const [column, row] = [Math.floor((x - floor.x) / cell), Math.floor((y - floor.y) / cell)];
    if (column >= 0 && column < width && row >= 0 && row < height)
      return { x: column, y: height - 1 - row, kitchen };
  }
  return null;
}
