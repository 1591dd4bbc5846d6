// The land: harvest rates as colours, the road, goods, structures with their materials.

import { drawLayer, layer, stamp, themeKey } from "../lib/cache.js";
import { disc, letters, line, mix, plate, polygon, seatColour } from "../lib/paint.js";
import { DEFAULTS } from "./rules.js";
import { indexed, place } from "./tiles.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../lib/paint.js").Box} Box */
/** @typedef {import("../lib/paint.js").Context} Context */
/** @typedef {ReturnType<typeof import("./tiles.js").placed>} Tiles */

const GREEN = "#3f9c46";
const EARTH = "#a89468";
const ROAD = "#8d8578";
export const GRAIN = "#e3b02f";
export const GOODS = "#9c6b43";

/** Harvest rates, goods and structures, on the bare ground.
 * @param {Context} ctx @param {Scene} scene @param {Box} box @param {number} scale
 * @param {Tiles} grid */
export function land(ctx, scene, box, scale, grid) {
  const { theme, view, config } = scene;
  const { cell, left, top } = grid;
  drawLayer(ctx, bare(scene, box, scale, grid), box);
  const soil = soilOf(theme);
  const most = config?.max_harvest_rate ?? DEFAULTS.max_harvest_rate;
  for (const tile of view.tiles) {
    if (!tile.harvest_rate) continue;
    const share = Math.min(1, tile.harvest_rate / most);
    const [x, y] = [left + tile.x * cell, top + tile.y * cell];
    plate(
      ctx,
      x + cell * 0.03,
      y + cell * 0.03,
      cell * 0.94,
      cell * 0.94,
      cell * 0.12,
      mix(soil, GREEN, 0.2 + 0.8 * share),
    );
  }
  const { structures } = indexed(view);
  for (const tile of view.tiles) stock(ctx, theme, tile, grid, structures.has(place(tile)));
  for (const structure of view.structures) building(ctx, scene, structure, grid);
}

/** @param {Theme} theme */
function soilOf(theme) {
  return mix(theme.panel, EARTH, theme.dark ? 0.2 : 0.26);
}

/** The soil with its tiles, and the road.
 * @param {Scene} scene @param {Box} box @param {number} scale @param {Tiles} grid */
function bare({ theme, view }, box, scale, { cell, left, top, columns, rows }) {
  return layer(
    `catastrophe${view.map.width}x${view.map.height}${themeKey(theme)}`,
    box,
    scale,
    (ctx) => {
      const soil = soilOf(theme);
      plate(ctx, left, top, columns * cell, rows * cell, cell * 0.2, soil);
      const [first, last] = [Math.min(...view.map.road_rows), Math.max(...view.map.road_rows)];
      ctx.fillStyle = mix(soil, theme.ink, 0.035);
      for (let y = 0; y < rows; y += 1) {
        for (let x = y % 2; x < columns; x += 2)
          ctx.fillRect(left + x * cell, top + y * cell, cell, cell);
      }
      ctx.fillStyle = mix(theme.panel, ROAD, theme.dark ? 0.42 : 0.55);
      ctx.fillRect(left, top + first * cell, columns * cell, (last - first + 1) * cell);
      ctx.setLineDash([cell * 0.5, cell * 0.5]);
      const way = top + ((first + last + 1) / 2) * cell;
      line(
        ctx,
        [
          [left, way],
          [left + columns * cell, way],
        ],
        mix(theme.panel, "#ffffff", 0.7),
        Math.max(cell * 0.06, 1),
      );
      ctx.setLineDash([]);
    },
  );
}

/** The crop of a tile, and the goods on it.
 * @param {Context} ctx @param {Theme} theme @param {any} tile @param {Tiles} grid
 * @param {boolean} built */
function stock(ctx, theme, tile, { cell, middle }, built) {
  const { x, y } = middle(tile.x, tile.y);
  if (tile.harvest_rate) {
    const ready = tile.turns_to_harvest === 0;
    const size = cell * 0.3;
    const colour = ready ? GRAIN : mix(EARTH, theme.panel, 0.2);
    stamp(ctx, `grain${colour}`, x, y - cell * 0.06, size * 1.4, (under) =>
      grain(under, 0, 0, size, colour, ready ? 1 : 0.45),
    );
    const words = ready ? String(tile.harvest_rate) : `${tile.turns_to_harvest}`;
    if (cell >= 24) {
      letters(ctx, words, x, y + cell * 0.35, cell * 0.24, {
        colour: ready ? "#ffffff" : theme.ink,
        font: theme.font,
        weight: 700,
        halo: ready ? "#1d4a22" : theme.panel,
      });
    }
  }
  const heaps = /** @type {[number, string][]} */ ([
    [tile.food, GRAIN],
    [tile.materials, GOODS],
  ]);
  heaps.forEach(([amount, colour], index) => {
    if (!amount) return;
    const at = x + (index === 0 ? -0.22 : 0.22) * cell;
    heap(ctx, at, y + cell * 0.2, cell * 0.2, colour, index === 1);
    if (cell >= 24 && !built)
      letters(ctx, String(amount), at, y + cell * 0.4, cell * 0.2, {
        colour: theme.ink,
        font: theme.font,
        weight: 700,
        halo: theme.panel,
      });
  });
}

/** An ear of grain; cut ones are short.
 * @param {Context} ctx @param {number} x @param {number} y @param {number} size
 * @param {string} colour @param {number} height */
function grain(ctx, x, y, size, colour, height) {
  ctx.lineCap = "round";
  for (const lean of [-0.5, 0, 0.5]) {
    const [tipX, tipY] = [x + lean * size * 1.1, y - size * height * (lean ? 0.75 : 1)];
    line(
      ctx,
      [
        [x + lean * size * 0.4, y + size * 0.7],
        [tipX, tipY],
      ],
      colour,
      size * 0.13,
    );
    if (height < 1) continue;
    for (const step of [0, 0.3, 0.6]) {
      for (const side of [-1, 1]) {
        ctx.fillStyle = colour;
        ctx.beginPath();
        ctx.ellipse(
          tipX + side * size * 0.12,
          tipY + step * size,
          size * 0.1,
          size * 0.2,
          side * 0.5,
          0,
          2 * Math.PI,
        );
        ctx.fill();
      }
    }
  }
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} size
 * @param {string} colour @param {boolean} square */
function heap(ctx, x, y, size, colour, square) {
  for (const [dx, dy] of /** @type {[number, number][]} */ ([
    [-0.5, 0.4],
    [0.5, 0.4],
    [0, -0.4],
  ])) {
    if (square)
      plate(
        ctx,
        x + dx * size - size * 0.45,
        y + dy * size - size * 0.4,
        size * 0.9,
        size * 0.8,
        size * 0.1,
        mix(colour, "#000000", dx === 0 ? 0 : 0.2),
      );
    else
      disc(
        ctx,
        x + dx * size,
        y + dy * size,
        size * 0.5,
        mix(colour, "#000000", dx === 0 ? 0 : 0.15),
      );
  }
}

/** @param {Context} ctx @param {Scene} scene @param {any} structure @param {Tiles} grid */
function building(ctx, scene, structure, { cell, middle }) {
  const { theme } = scene;
  const { x, y } = middle(structure.x, structure.y);
  const colour =
    structure.owner === null
      ? mix(theme.soft, theme.panel, 0.25)
      : seatColour(scene, structure.owner);
  const key = `${structure.type}${colour}${theme.panel}`;
  stamp(ctx, key, x, y, cell * 0.52, (under) =>
    house(under, theme, structure.type, colour, cell * 0.46),
  );
  if (cell >= 22 && !indexed(scene.view).units.has(place(structure))) {
    letters(ctx, String(structure.materials), x, y + cell * 0.36, cell * 0.25, {
      colour: theme.ink,
      font: theme.font,
      weight: 700,
      halo: theme.panel,
    });
  }
}

/** The outline of a ruin, in halves of its width. */
const RUIN = /** @type {[number, number][]} */ ([
  [-1, 1],
  [-1, -0.6],
  [-0.55, -0.95],
  [-0.35, -0.2],
  [0.1, -0.45],
  [0.3, 0.1],
  [0.75, -0.1],
  [1, 0.4],
  [1, 1],
]);

/** A structure around (0, 0); `size` is half its width.
 * @param {Context} ctx @param {Theme} theme @param {string} type @param {string} colour
 * @param {number} size */
function house(ctx, theme, type, colour, size) {
  const dark = mix(colour, "#000000", 0.3);
  /** @param {[number, number][]} points @returns {[number, number][]} */
  const sized = (points) => points.map(([x, y]) => [x * size, y * size]);
  if (type === "shelter") {
    plate(
      ctx,
      -size * 0.78,
      -size * 0.15,
      size * 1.56,
      size * 1.1,
      size * 0.08,
      mix(colour, theme.panel, 0.35),
    );
    polygon(
      ctx,
      sized([
        [-1.02, -0.05],
        [0, -1],
        [1.02, -0.05],
      ]),
      dark,
    );
    plate(ctx, -size * 0.2, size * 0.35, size * 0.4, size * 0.6, size * 0.05, dark);
    return;
  }
  if (type === "monument") {
    plate(ctx, -size * 0.72, size * 0.62, size * 1.44, size * 0.32, size * 0.06, dark);
    polygon(
      ctx,
      sized([
        [-0.4, 0.66],
        [-0.24, -0.6],
        [0, -1],
        [0.24, -0.6],
        [0.4, 0.66],
      ]),
      colour,
    );
    disc(ctx, 0, -size * 0.3, size * 0.14, GRAIN);
    return;
  }
  const ruin = type === "neutral";
  if (ruin) {
    ctx.beginPath();
    for (const [x, y] of sized(RUIN)) ctx.lineTo(x, y);
    ctx.clip();
  }
  const top = -size * (ruin ? 1 : 0.8);
  plate(ctx, -size, top, size * 2, size * 0.9 - top, size * 0.1, dark);
  const high = size * 0.36;
  for (let row = 0; top + size * 0.06 + (row + 1) * high < size * 0.95; row += 1) {
    for (let brick = -1; brick < 3; brick += 1) {
      const start = (brick + (row % 2) / 2) * size * 0.72 - size;
      const from = Math.max(start, -size) + size * 0.05;
      const to = Math.min(start + size * 0.72, size) - size * 0.05;
      if (to > from)
        plate(
          ctx,
          from,
          top + size * 0.06 + row * high,
          to - from,
          high - size * 0.07,
          size * 0.05,
          colour,
        );
    }
  }
}
