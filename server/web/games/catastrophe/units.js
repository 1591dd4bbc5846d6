// Units by job with their energy, and squads.

import { stamp } from "../lib/cache.js";
import {
  arc,
  disc,
  letters,
  line,
  mix,
  plate,
  polygon,
  ring,
  rounded,
  seatColour,
} from "../lib/paint.js";
import { GOODS, GRAIN } from "./land.js";
import { DEFAULTS, OVERLORD } from "./rules.js";
import { place } from "./tiles.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../lib/paint.js").Context} Context */
/** @typedef {import("../lib/paint.js").Place} Place */

/** Parts of the energy ring. */
const STEPS = 40;

/** Bands between soldiers of a squad that stand side by side.
 * @param {Context} ctx @param {Scene} scene @param {{unit: any, x: number, y: number}[]} standing
 * @param {number} cell */
export function bands(ctx, scene, standing, cell) {
  const soldiers = standing.filter(({ unit }) => unit.job === "soldier" && unit.squad.length > 1);
  const byPlace = new Map(soldiers.map((one) => [place(one.unit), one]));
  ctx.lineCap = "round";
  for (const one of soldiers) {
    for (const [dx, dy] of [
      [1, 0],
      [0, 1],
    ]) {
      const other = byPlace.get(`${one.unit.x + dx},${one.unit.y + dy}`);
      if (
        !other ||
        !one.unit.squad.includes(other.unit.id) ||
        Math.hypot(one.x - other.x, one.y - other.y) > cell * 1.3
      )
        continue;
      line(
        ctx,
        [
          [one.x, one.y],
          [other.x, other.y],
        ],
        scene.theme.panel,
        cell * 0.46,
      );
      line(
        ctx,
        [
          [one.x, one.y],
          [other.x, other.y],
        ],
        mix(seatColour(scene, one.unit.owner), scene.theme.panel, 0.35),
        cell * 0.34,
      );
    }
  }
}

/** A unit: round for the west, square for the east; its job, its energy around it, its load below.
 * @param {Context} ctx @param {Scene} scene @param {any} unit @param {Place} at
 * @param {number} size */
export function token(ctx, scene, unit, { x, y }, size) {
  const { theme, config } = scene;
  const cat = unit.job === OVERLORD;
  const radius = cat ? size * 1.2 : size;
  const colour =
    unit.owner === null ? mix(theme.soft, theme.panel, 0.15) : seatColour(scene, unit.owner);
  const share =
    Math.ceil((STEPS * unit.energy) / (config?.max_energy ?? DEFAULTS.max_energy)) / STEPS;
  stamp(
    ctx,
    `${unit.job}${unit.owner}${colour}${theme.panel}${share}`,
    x,
    y,
    radius * 1.3,
    (under) => piece(under, theme, unit, radius, colour, share),
  );
  if (unit.food) disc(ctx, x - radius * 0.75, y + radius * 0.85, radius * 0.3, GRAIN);
  if (unit.materials)
    plate(
      ctx,
      x + radius * 0.48,
      y + radius * 0.58,
      radius * 0.54,
      radius * 0.54,
      radius * 0.1,
      GOODS,
    );
  if (unit.starving)
    badge(
      ctx,
      theme,
      { x: x + radius * 0.85, y: y - radius * 0.85 },
      radius * 0.42,
      "!",
      theme.bad,
    );
  else if (unit.turns_to_die > 0 && radius > 7) {
    letters(ctx, String(unit.turns_to_die), x + radius * 0.95, y - radius * 0.9, radius * 0.62, {
      colour: theme.ink,
      font: theme.font,
      halo: theme.panel,
    });
  }
}

/** A unit around (0, 0); the ring is its share of the full energy.
 * @param {Context} ctx @param {Theme} theme @param {any} unit @param {number} radius
 * @param {string} colour @param {number} share */
function piece(ctx, theme, unit, radius, colour, share) {
  const body = radius * 0.84;
  disc(ctx, 0, 0, radius * 1.16, theme.panel);
  ring(ctx, 0, 0, radius * 1.02, mix(theme.panel, theme.ink, 0.15), radius * 0.2);
  arc(
    ctx,
    0,
    0,
    radius * 1.02,
    share,
    share > 0.6 ? theme.good : share > 0.3 ? GRAIN : theme.bad,
    radius * 0.2,
  );
  if (unit.owner === 1)
    plate(ctx, -body * 0.86, -body * 0.86, body * 1.72, body * 1.72, body * 0.5, colour);
  else disc(ctx, 0, 0, body, colour);
  job(ctx, unit.job, { x: 0, y: 0 }, body * 0.62, theme.dark ? "#10141c" : "#ffffff", colour);
}

/** @param {Context} ctx @param {Theme} theme @param {Place} at @param {number} size
 * @param {string} words @param {string} fill */
function badge(ctx, theme, { x, y }, size, words, fill) {
  disc(ctx, x, y, size * 1.15, theme.panel);
  disc(ctx, x, y, size, fill);
  letters(ctx, words, x, y, size * 1.5, { colour: theme.panel, font: theme.font, weight: 800 });
}

/** The symbol of a job.
 * @param {Context} ctx @param {string} name @param {Place} at @param {number} size
 * @param {string} ink @param {string} ground */
function job(ctx, name, { x, y }, size, ink, ground) {
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  if (name === OVERLORD) {
    polygon(
      ctx,
      [
        [x - size, y - size * 0.95],
        [x - size * 0.25, y - size * 0.45],
        [x + size * 0.25, y - size * 0.45],
        [x + size, y - size * 0.95],
        [x + size, y + size * 0.2],
        [x - size, y + size * 0.2],
      ],
      ink,
    );
    ctx.fillStyle = ink;
    ctx.beginPath();
    ctx.ellipse(x, y + size * 0.18, size, size * 0.78, 0, 0, 2 * Math.PI);
    ctx.fill();
    for (const side of [-1, 1]) {
      disc(ctx, x + side * size * 0.42, y + size * 0.05, size * 0.17, ground);
      line(
        ctx,
        [
          [x + side * size * 0.4, y + size * 0.5],
          [x + side * size * 1.15, y + size * 0.4],
        ],
        ground,
        size * 0.09,
      );
    }
    polygon(
      ctx,
      [
        [x - size * 0.16, y + size * 0.36],
        [x + size * 0.16, y + size * 0.36],
        [x, y + size * 0.56],
      ],
      ground,
    );
    polygon(
      ctx,
      [
        [x - size * 0.6, y - size * 1.02],
        [x - size * 0.7, y - size * 1.6],
        [x - size * 0.3, y - size * 1.25],
        [x, y - size * 1.75],
        [x + size * 0.3, y - size * 1.25],
        [x + size * 0.7, y - size * 1.6],
        [x + size * 0.6, y - size * 1.02],
      ],
      GRAIN,
    );
  } else if (name === "soldier") {
    line(
      ctx,
      [
        [x - size * 0.75, y + size * 0.75],
        [x + size * 0.8, y - size * 0.8],
      ],
      ink,
      size * 0.3,
    );
    line(
      ctx,
      [
        [x - size * 0.75, y - size * 0.05],
        [x + size * 0.05, y + size * 0.75],
      ],
      ink,
      size * 0.26,
    );
  } else if (name === "gatherer") {
    line(
      ctx,
      [
        [x, y + size],
        [x, y - size * 0.5],
      ],
      ink,
      size * 0.2,
    );
    for (const up of [-0.75, -0.2, 0.35]) {
      for (const side of [-1, 1]) {
        ctx.fillStyle = ink;
        ctx.beginPath();
        ctx.ellipse(
          x + side * size * 0.38,
          y + up * size,
          size * 0.22,
          size * 0.42,
          side * 0.7,
          0,
          2 * Math.PI,
        );
        ctx.fill();
      }
    }
  } else if (name === "builder") {
    line(
      ctx,
      [
        [x - size * 0.7, y + size * 0.85],
        [x + size * 0.25, y - size * 0.25],
      ],
      ink,
      size * 0.28,
    );
    line(
      ctx,
      [
        [x - size * 0.35, y - size * 0.75],
        [x + size * 0.8, y + size * 0.2],
      ],
      ink,
      size * 0.52,
    );
  } else if (name === "missionary") {
    rounded(ctx, x - size, y - size * 0.85, size * 2, size * 1.35, size * 0.4);
    ctx.fillStyle = ink;
    ctx.fill();
    polygon(
      ctx,
      [
        [x - size * 0.55, y + size * 0.35],
        [x + size * 0.1, y + size * 0.35],
        [x - size * 0.65, y + size],
      ],
      ink,
    );
    for (const dot of [-0.5, 0, 0.5])
      disc(ctx, x + dot * size, y - size * 0.18, size * 0.15, ground);
  } else {
    disc(ctx, x, y - size * 0.45, size * 0.46, ink);
    ctx.fillStyle = ink;
    ctx.beginPath();
    ctx.arc(x, y + size * 0.95, size * 0.8, Math.PI, 0);
    ctx.fill();
  }
}
