// The maze: its cells in the box, the cost of its passages, its floor, mud and walls.

import { layer, memo, themeKey } from "../lib/cache.js";
import { cellAt, fitted, letters, mix, plate } from "../lib/paint.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../lib/paint.js").Box} Box */
/** @typedef {import("../lib/paint.js").Context} Context */
/** @typedef {import("../lib/paint.js").Grid} Grid */
/** @typedef {import("../lib/paint.js").Place} Place */

/** A board in its box; `middle` is the middle of a cell.
 * @typedef {Grid & {middle: (x: number, y: number) => Place}} MazeGrid */

const MARGIN = 0.3;
export const MUD = "#8a5a2b";

/** @param {any} view */
export function shape(view) {
  return { width: view.maze.width + 2 * MARGIN, height: view.maze.height + 2 * MARGIN };
}

/** @param {any} view @param {Box} box @param {number} [scale] @returns {MazeGrid} */
export function placed(view, box, scale = 1) {
  const { width, height } = shape(view);
  const whole = fitted(box, width, height, scale);
  const grid = {
    ...whole,
    left: whole.left + MARGIN * whole.cell,
    top: whole.top + MARGIN * whole.cell,
    columns: view.maze.width,
    rows: view.maze.height,
  };
  return {
    ...grid,
    middle: (x, y) => ({
      x: grid.left + (x + 0.5) * grid.cell,
      y: grid.top + (grid.rows - y - 0.5) * grid.cell,
    }),
  };
}

/** @param {number} x @param {number} y @param {any} view @param {Box} box @returns {Place|null} */
export function at(x, y, view, box) {
  const found = cellAt(placed(view, box), x, y);
  return found && { x: found.x, y: view.maze.height - 1 - found.y };
}

/** @param {Place} place @param {any} view @param {Box} box */
export function middle({ x, y }, view, box) {
  const grid = placed(view, box);
  return { ...grid.middle(x, y), cell: grid.cell };
}

/** The cost of a passage, turns.
 * @param {any} maze @param {number[]} a @param {number[]} b */
export function passageCost(maze, a, b) {
  const costs = memo(maze, "mud", () => {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const [one, other, cost] of maze.mud)
      found.set(`${one}|${other}`, cost).set(`${other}|${one}`, cost);
    return found;
  });
  return costs.get(`${a}|${b}`) ?? 1;
}

/** @param {any} maze @returns {string} equal for equal mazes */
export function mazeKey(maze) {
  return memo(maze, "key", () => JSON.stringify([maze.width, maze.height, maze.walls, maze.mud]));
}

/** Floor, mud and walls: painted once for each maze, size and theme.
 * @param {Scene} scene @param {Box} box @param {number} scale @param {MazeGrid} grid */
export function ground(scene, box, scale, grid) {
  const { theme, view } = scene;
  const { maze } = view;
  return layer(`pyrat${mazeKey(maze)}${themeKey(theme)}`, box, scale, (ctx) => {
    const { cell, left, top, middle, columns, rows } = grid;
    const floor = mix(theme.panel, theme.ink, theme.dark ? 0.05 : 0.02);
    plate(
      ctx,
      left - cell * 0.12,
      top - cell * 0.12,
      columns * cell + cell * 0.24,
      rows * cell + cell * 0.24,
      cell * 0.18,
      floor,
    );
    ctx.fillStyle = mix(floor, theme.ink, 0.035);
    for (let y = 0; y < rows; y += 1) {
      for (let x = y % 2; x < columns; x += 2)
        ctx.fillRect(left + x * cell, top + (rows - 1 - y) * cell, cell, cell);
    }
    for (const [a, b, cost] of maze.mud)
      mud(ctx, middle(a[0], a[1]), middle(b[0], b[1]), cell, cost, theme);
    ctx.lineCap = "round";
    ctx.lineJoin = "round";
    ctx.strokeStyle = mix(theme.ink, theme.panel, theme.dark ? 0.4 : 0.3);
    ctx.lineWidth = Math.max(cell * 0.13, 1.5);
    ctx.beginPath();
    for (const [a, b] of maze.walls) {
      const [one, other] = [middle(a[0], a[1]), middle(b[0], b[1])];
      const [x, y] = [(one.x + other.x) / 2, (one.y + other.y) / 2];
      const upright = a[1] === b[1];
      ctx.moveTo(upright ? x : x - cell / 2, upright ? y - cell / 2 : y);
      ctx.lineTo(upright ? x : x + cell / 2, upright ? y + cell / 2 : y);
    }
    ctx.stroke();
    ctx.lineWidth = Math.max(cell * 0.16, 2);
    ctx.beginPath();
    ctx.roundRect(
      left - cell * 0.06,
      top - cell * 0.06,
      columns * cell + cell * 0.12,
      rows * cell + cell * 0.12,
      cell * 0.14,
    );
    ctx.stroke();
  });
}

/** A muddy passage: puddles across it, and its cost.
 * @param {Context} ctx @param {Place} one @param {Place} other @param {number} cell
 * @param {number} cost @param {Theme} theme */
function mud(ctx, one, other, cell, cost, theme) {
  const [x, y] = [(one.x + other.x) / 2, (one.y + other.y) / 2];
  const upright = one.x === other.x;
  const colour = mix(MUD, theme.panel, theme.dark ? 0.15 : 0.3);
  ctx.fillStyle = colour;
  for (const [along, across, size] of /** @type {[number, number, number][]} */ ([
    [0, 0, 0.3],
    [-0.16, -0.24, 0.17],
    [0.14, 0.26, 0.19],
    [0.2, -0.17, 0.13],
  ])) {
    ctx.beginPath();
    const [dx, dy] = upright ? [across, along] : [along, across];
    ctx.ellipse(
      x + dx * cell,
      y + dy * cell,
      cell * size * (upright ? 1.15 : 0.9),
      cell * size * (upright ? 0.9 : 1.15),
      0,
      0,
      2 * Math.PI,
    );
    ctx.fill();
  }
  if (cell > 13)
    letters(ctx, String(cost), x, y + cell * 0.02, Math.max(cell * 0.3, 9), {
      colour: "#ffffff",
      font: theme.font,
      weight: 700,
    });
}
