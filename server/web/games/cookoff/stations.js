// Floors, walls and stations, their items, and how far these are cooked.

import { item as drawItem } from "../lib/food.js";
import { layer, themeKey } from "../lib/cache.js";
import { arc, disc, frame, letters, line, mix, plate, polygon, ring } from "../lib/paint.js";
import { DEFAULTS } from "./rules.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../lib/paint.js").Box} Box */
/** @typedef {import("../lib/paint.js").Context} Context */
/** @typedef {import("../lib/paint.js").Place} Place */
/** @typedef {import("./plan.js").Plan} Plan */

/** Floors, walls and stations: painted once for each map, size and theme.
 * @param {Scene} scene @param {Box} box @param {number} scale @param {Plan} plan */
export function rooms(scene, box, scale, plan) {
  const { theme, view } = scene;
  const rows = /** @type {string[]} */ (view.map.rows);
  return layer(`cookoff${rows.join("/")}${themeKey(theme)}`, box, scale, (ctx) => {
    for (const kitchen of [0, 1]) {
      rows.forEach((row, down) => {
        [...row].forEach((symbol, x) =>
          tile(
            ctx,
            theme,
            symbol,
            plan.middle(kitchen, x, rows.length - 1 - down),
            plan.cell,
            (x + down) % 2 === 0,
          ),
        );
      });
    }
  });
}

/** @param {Context} ctx @param {Theme} theme @param {string} symbol @param {Place} at
 * @param {number} cell @param {boolean} even */
function tile(ctx, theme, symbol, { x, y }, cell, even) {
  const half = cell / 2;
  const ground = theme.dark
    ? mix("#2b3036", theme.ink, even ? 0.03 : 0)
    : mix("#f1ece1", "#d8cfbd", even ? 0.25 : 0);
  if (symbol === " ") return;
  ctx.fillStyle = symbol === "#" ? mix(theme.panel, theme.ink, theme.dark ? 0.24 : 0.5) : ground;
  ctx.fillRect(x - half, y - half, cell, cell);
  const wood = theme.dark ? "#6d5844" : "#c9a47b";
  const steel = theme.dark ? "#59626d" : "#b4bdc7";
  /** @param {string} fill */
  const block = (fill) => {
    plate(
      ctx,
      x - half * 0.96,
      y - half * 0.96,
      cell * 0.96,
      cell * 0.96,
      cell * 0.12,
      mix(fill, "#000000", 0.28),
    );
    plate(ctx, x - half * 0.96, y - half * 0.96, cell * 0.96, cell * 0.84, cell * 0.12, fill);
  };
  ctx.lineCap = "round";
  if (symbol === "C") block(wood);
  else if (symbol === "B") {
    block(mix(wood, "#000000", 0.2));
    for (const side of [-1, 1])
      line(
        ctx,
        [
          [x - half * 0.7, y - side * half * 0.6],
          [x + half * 0.7, y + side * half * 0.5],
        ],
        mix(wood, "#ffffff", 0.1),
        cell * 0.1,
      );
    frame(
      ctx,
      x - half * 0.82,
      y - half * 0.82,
      cell * 0.82,
      cell * 0.7,
      cell * 0.08,
      mix(wood, "#ffffff", 0.15),
      cell * 0.08,
    );
  } else if (symbol === "S") {
    block(steel);
    plate(ctx, x - half * 0.7, y - half * 0.62, cell * 0.7, cell * 0.56, cell * 0.14, "#3f8fbf");
    plate(
      ctx,
      x - half * 0.1,
      y - half * 0.98,
      cell * 0.1,
      cell * 0.28,
      cell * 0.04,
      mix(steel, "#000000", 0.45),
    );
  } else if (symbol === "T") {
    block(steel);
    for (const dx of [-0.5, -0.17, 0.17, 0.5])
      line(
        ctx,
        [
          [x + dx * half, y - half * 0.6],
          [x + dx * half, y + half * 0.4],
        ],
        mix(steel, "#000000", 0.35),
        cell * 0.05,
      );
  } else if (symbol === "K") {
    block(theme.dark ? "#3a3f46" : "#7d858e");
    ring(ctx, x, y - half * 0.08, half * 0.6, "#d9542f", cell * 0.06);
  } else if (symbol === "R") {
    block(steel);
    polygon(
      ctx,
      [
        [x - half * 0.5, y - half * 0.3],
        [x + half * 0.5, y - half * 0.3],
        [x + half * 0.36, y + half * 0.6],
        [x - half * 0.36, y + half * 0.6],
      ],
      "#3d454d",
    );
    line(
      ctx,
      [
        [x - half * 0.62, y - half * 0.42],
        [x + half * 0.62, y - half * 0.42],
      ],
      "#3d454d",
      cell * 0.09,
    );
    line(
      ctx,
      [
        [x - half * 0.15, y - half * 0.6],
        [x + half * 0.15, y - half * 0.6],
      ],
      "#3d454d",
      cell * 0.09,
    );
  } else if (symbol === "U") {
    plate(
      ctx,
      x - half * 0.92,
      y - half * 0.92,
      cell * 0.92,
      cell * 0.92,
      cell * 0.12,
      mix(ground, theme.good, 0.4),
    );
    bell(ctx, { x, y: y + half * 0.15 }, half * 0.62, theme.good);
  } else if (symbol === "$") {
    block("#d8a62a");
    letters(ctx, "$", x, y - half * 0.08, cell * 0.66, {
      colour: "#3c2a00",
      font: theme.font,
      weight: 800,
    });
  }
}

/** @param {Context} ctx @param {Place} at @param {number} size @param {string} colour */
function bell(ctx, { x, y }, size, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(x, y + size * 0.2, size * 0.85, Math.PI, 0);
  ctx.fill();
  plate(ctx, x - size, y + size * 0.3, size * 2, size * 0.24, size * 0.1, colour);
  disc(ctx, x, y - size * 0.75, size * 0.17, colour);
}

/** The item of a station, and its progress.
 * @param {Context} ctx @param {Scene} scene @param {any} tile @param {Place} at
 * @param {number} cell */
export function contents(ctx, { theme, config }, tile, { x, y }, cell) {
  const size = cell * 0.36;
  const label = { colour: "#ffffff", font: theme.font, weight: 800, halo: "#14171b" };
  if (tile.item) drawItem(ctx, tile.item, { x, y: y - cell * 0.05 }, size);
  if (tile.tile_name === "BOX" && tile.count > 1)
    letters(ctx, `×${tile.count}`, x + cell * 0.22, y + cell * 0.3, cell * 0.34, label);
  if (tile.tile_name === "COOKER" && tile.item?.food)
    progress(ctx, config, tile, { x, y: y - cell * 0.05 }, cell);
  if (tile.tile_name === "SINKTABLE" && tile.num_clean_plates) {
    drawItem(
      ctx,
      { type: "Plate", dirty: false, food: [] },
      { x, y: y - cell * 0.06 },
      size * 0.85,
    );
    letters(ctx, String(tile.num_clean_plates), x, y - cell * 0.04, cell * 0.42, {
      ...label,
      colour: "#14171b",
      halo: "#ffffff",
    });
  }
  if (tile.tile_name === "SINK" && tile.num_dirty_plates) {
    drawItem(ctx, { type: "Plate", dirty: true, food: [] }, { x, y: y - cell * 0.06 }, size * 0.85);
    letters(ctx, String(tile.num_dirty_plates), x, y - cell * 0.04, cell * 0.42, {
      ...label,
      colour: "#14171b",
      halo: "#ffffff",
    });
    const share =
      tile.curr_dirty_plate_progress /
      (config?.plate_wash_progress ?? DEFAULTS.plate_wash_progress);
    arc(ctx, x, y - cell * 0.06, cell * 0.4, share, "#46c3f2", cell * 0.09);
  }
}

/** The ring of a cooker: it fills until the food is cooked, then again until it is burnt.
 * @param {Context} ctx @param {any} config @param {any} tile @param {Place} at
 * @param {number} cell */
function progress(ctx, config, tile, { x, y }, cell) {
  const cooked = config?.cook_progress ?? DEFAULTS.cook_progress;
  const burnt = config?.burn_progress ?? DEFAULTS.burn_progress;
  const done = tile.cook_progress;
  const stage = tile.item.food.cooked_stage;
  arc(ctx, x, y, cell * 0.42, 1, "#14171b", cell * 0.13);
  if (stage === 0) arc(ctx, x, y, cell * 0.42, done / cooked, "#f2b632", cell * 0.1);
  else {
    arc(ctx, x, y, cell * 0.42, 1, stage === 2 ? "#e0352b" : "#3fbf6b", cell * 0.1);
    if (stage === 1)
      arc(
        ctx,
        x,
        y,
        cell * 0.42,
        (done - cooked) / Math.max(1, burnt - cooked),
        "#e0352b",
        cell * 0.1,
      );
  }
}
