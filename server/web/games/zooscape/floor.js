// The floor with walls and pellets: one layer, of which only changed cells are repainted.

import { layer, memo, themeKey } from "../lib/cache.js";
import { disc, frame, line, mix, plate } from "../lib/paint.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../lib/paint.js").Box} Box */
/** @typedef {import("../lib/paint.js").Context} Context */
/** @typedef {import("../lib/paint.js").Grid} Grid */

export const WALL = "1";
export const PELLET = "2";
const CENTRE = "3";
export const CAGE = "4";
const STONE = "#54708c";

/** The layer of floor, walls and pellets, repainted where this view differs.
 * @param {Scene} scene @param {any} view @param {Box} box @param {number} scale
 * @param {Grid} grid */
export function floor({ theme }, view, box, scale, grid) {
  const rows = /** @type {string[]} */ (view.map);
  const walls = memo(rows, "walls", () => rows.map((row) => row.replace(/[^134]/g, "0")).join("|"));
  const kept = layer(`zooscape${walls}${themeKey(theme)}`, box, scale, (ctx) => {
    stones(ctx, rows, grid, theme);
    return rows.map((row) => row.replace(/[^134]/g, "0"));
  });
  const painted = /** @type {string[]} */ (kept.painted);
  rows.forEach((row, y) => {
    const old = painted[y] ?? "";
    if (row === old) return;
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== old[x]) pellet(kept.ctx, grid, x, y, row[x] === PELLET, theme);
    }
    painted[y] = row;
  });
  return kept;
}

/** @param {Theme} theme */
function ground(theme) {
  return mix(theme.panel, theme.ink, theme.dark ? 0.02 : 0);
}

/** @param {Context} ctx @param {Grid} grid @param {number} x @param {number} y
 * @param {boolean} there @param {Theme} theme */
function pellet(ctx, grid, x, y, there, theme) {
  const { cell, left, top } = grid;
  ctx.fillStyle = ground(theme);
  ctx.fillRect(left + x * cell, top + y * cell, cell, cell);
  if (there)
    disc(
      ctx,
      left + (x + 0.5) * cell,
      top + (y + 0.5) * cell,
      Math.max(cell * 0.12, 1),
      mix(theme.ink, theme.panel, 0.25),
    );
  portal(ctx, grid, x, y, theme);
}

/** An arrow out of the board, at a passage through its border.
 * @param {Context} ctx @param {Grid} grid @param {number} x @param {number} y
 * @param {Theme} theme */
function portal(ctx, { cell, left, top, columns, rows }, x, y, theme) {
  const [dx, dy] = [
    x === 0 ? -1 : x === columns - 1 ? 1 : 0,
    y === 0 ? -1 : y === rows - 1 ? 1 : 0,
  ];
  if (!dx && !dy) return;
  const [tipX, tipY] = [left + (x + 0.5 + dx * 0.42) * cell, top + (y + 0.5 + dy * 0.42) * cell];
  const wing = cell * 0.22;
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  line(
    ctx,
    [
      [tipX - (dx + dy) * wing, tipY - (dy + dx) * wing],
      [tipX, tipY],
      [tipX - (dx - dy) * wing, tipY - (dy - dx) * wing],
    ],
    theme.accent,
    Math.max(cell * 0.12, 1),
  );
}

/** Walls, rounded where they end; the zookeepers' spawn; passages through the border.
 * @param {Context} ctx @param {string[]} rows @param {Grid} grid @param {Theme} theme */
function stones(ctx, rows, grid, theme) {
  const { cell, left, top, columns, rows: high } = grid;
  ctx.fillStyle = ground(theme);
  ctx.fillRect(left, top, columns * cell, high * cell);
  const stone = mix(theme.panel, STONE, theme.dark ? 0.55 : 0.62);
  /** @param {number} x @param {number} y */
  const solid = (x, y) => (rows[y]?.[x] ?? WALL) === WALL;
  const soft = cell * 0.32;
  ctx.beginPath();
  for (let y = 0; y < high; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      if (!solid(x, y)) continue;
      const [up, down, west, east] = [
        solid(x, y - 1),
        solid(x, y + 1),
        solid(x - 1, y),
        solid(x + 1, y),
      ];
      /** @param {boolean} a @param {boolean} b */
      const corner = (a, b) => (a || b ? 0 : soft);
      ctx.roundRect(left + x * cell, top + y * cell, cell, cell, [
        corner(up, west),
        corner(up, east),
        corner(down, east),
        corner(down, west),
      ]);
    }
  }
  ctx.fillStyle = stone;
  ctx.fill();
  rows.forEach((row, y) => {
    for (let x = 0; x < columns; x += 1) {
      const [px, py] = [left + x * cell, top + y * cell];
      if (row[x] === CENTRE) {
        plate(ctx, px, py, cell, cell, cell * 0.15, mix(theme.panel, theme.bad, 0.25));
        frame(
          ctx,
          px + cell * 0.1,
          py + cell * 0.1,
          cell * 0.8,
          cell * 0.8,
          cell * 0.15,
          theme.bad,
          Math.max(cell * 0.1, 1),
        );
      } else if (row[x] === CAGE) {
        frame(
          ctx,
          px + cell * 0.1,
          py + cell * 0.1,
          cell * 0.8,
          cell * 0.8,
          cell * 0.15,
          theme.soft,
          Math.max(cell * 0.08, 1),
        );
      }
      if (row[x] !== WALL) portal(ctx, grid, x, y, theme);
    }
  });
}
