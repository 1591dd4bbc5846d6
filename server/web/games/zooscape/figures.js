// Animals with their power-ups, zookeepers, and the symbols of the power-ups.

import { disc, letters, line, mix, plate, polygon, ring, seatColour } from "../lib/paint.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../lib/paint.js").Context} Context */
/** @typedef {import("../lib/paint.js").Place} Place */

export const COLOURS = /** @type {Record<string, string>} */ ({
  power_pellet: "#ffb000",
  chameleon_cloak: "#00a3a3",
  scavenger: "#d0279b",
  big_moose_juice: "#7a4fd8",
});

/** @param {Context} ctx @param {Place} at @param {number} cell @param {string} colour */
export function cage(ctx, { x, y }, cell, colour) {
  plate(ctx, x - cell / 2, y - cell / 2, cell, cell, cell * 0.2, colour);
  for (const bar of [-0.22, 0, 0.22]) {
    line(
      ctx,
      [
        [x + bar * cell, y - cell * 0.36],
        [x + bar * cell, y + cell * 0.36],
      ],
      "#00000066",
      Math.max(cell * 0.08, 0.8),
    );
  }
}

/** An animal, with its active power-up around it and the held one at its shoulder.
 * @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {any} animal @param {Place} at
 * @param {number} size */
export function beast(ctx, scene, animal, at, size) {
  const colour = seatColour(scene, animal.seat);
  const { theme } = scene;
  const active = animal.active_power_up;
  if (active) ring(ctx, at.x, at.y, size * 1.35, COLOURS[active.kind] ?? colour, size * 0.26);
  ctx.globalAlpha = active?.kind === "chameleon_cloak" ? 0.5 : 1;
  (ANIMALS[animal.seat % ANIMALS.length] ?? bear)(ctx, at, size, colour, theme.ground);
  ctx.globalAlpha = 1;
  if (active) {
    disc(ctx, at.x + size, at.y - size, size * 0.62, COLOURS[active.kind] ?? colour);
    letters(ctx, String(active.ticks_remaining), at.x + size, at.y - size * 0.96, size * 0.85, {
      colour: "#ffffff",
      font: theme.font,
      weight: 700,
    });
  } else if (animal.held_power_up) {
    disc(ctx, at.x + size, at.y - size, size * 0.66, theme.ground);
    item(ctx, animal.held_power_up, { x: at.x + size, y: at.y - size }, size * 0.5, theme);
  }
  if (scene.viewer === animal.seat) {
    polygon(
      ctx,
      [
        [at.x - size * 0.5, at.y - size * 2.2],
        [at.x + size * 0.5, at.y - size * 2.2],
        [at.x, at.y - size * 1.6],
      ],
      theme.ink,
    );
  }
}

/** The ears differ, so that animals can be recognised without colours.
 * @typedef {(ctx: Context, at: Place, size: number, colour: string, edge: string) => void}
 * Drawer */

/** @type {Drawer} */
function bear(ctx, { x, y }, size, colour, edge) {
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.68, y - size * 0.68, size * 0.46, edge);
    disc(ctx, x + side * size * 0.68, y - size * 0.68, size * 0.36, colour);
    disc(ctx, x + side * size * 0.68, y - size * 0.68, size * 0.17, mix(colour, "#000000", 0.35));
  }
  head(ctx, { x, y }, size, colour, edge);
}

/** @type {Drawer} */
function fox(ctx, { x, y }, size, colour, edge) {
  for (const side of [-1, 1]) {
    polygon(
      ctx,
      [
        [x + side * size * 0.05, y - size * 0.7],
        [x + side * size * 1.05, y - size * 1.5],
        [x + side * size * 1.05, y],
      ],
      edge,
    );
    polygon(
      ctx,
      [
        [x + side * size * 0.2, y - size * 0.7],
        [x + side * size * 0.94, y - size * 1.3],
        [x + side * size * 0.94, y],
      ],
      colour,
    );
  }
  head(ctx, { x, y }, size, colour, edge);
}

/** @type {Drawer} */
function hare(ctx, { x, y }, size, colour, edge) {
  for (const side of [-1, 1]) {
    for (const [fill, grow] of /** @type {[string, number][]} */ ([
      [edge, 0.1],
      [colour, 0],
      [mix(colour, "#ffffff", 0.5), -0.13],
    ])) {
      ctx.fillStyle = fill;
      ctx.beginPath();
      ctx.ellipse(
        x + side * size * 0.4,
        y - size * 1.15,
        size * (0.25 + grow),
        size * (0.75 + grow),
        side * 0.18,
        0,
        2 * Math.PI,
      );
      ctx.fill();
    }
  }
  head(ctx, { x, y }, size, colour, edge);
}

/** @type {Drawer} */
function elephant(ctx, { x, y }, size, colour, edge) {
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.98, y - size * 0.1, size * 0.7, edge);
    disc(ctx, x + side * size * 0.98, y - size * 0.1, size * 0.6, mix(colour, "#000000", 0.14));
  }
  head(ctx, { x, y }, size, colour, edge);
  ctx.lineCap = "round";
  line(
    ctx,
    [
      [x, y + size * 0.3],
      [x, y + size * 1.1],
      [x + size * 0.3, y + size * 1.25],
    ],
    edge,
    size * 0.5,
  );
  line(
    ctx,
    [
      [x, y + size * 0.3],
      [x, y + size * 1.1],
      [x + size * 0.3, y + size * 1.25],
    ],
    mix(colour, "#ffffff", 0.2),
    size * 0.32,
  );
}

/** @type {Drawer} */
function head(ctx, { x, y }, size, colour, edge) {
  disc(ctx, x, y, size, edge);
  disc(ctx, x, y, size * 0.88, colour);
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.34, y - size * 0.16, size * 0.22, "#ffffff");
    disc(ctx, x + side * size * 0.32, y - size * 0.13, size * 0.12, "#15181b");
  }
  ctx.fillStyle = mix(colour, "#ffffff", 0.55);
  ctx.beginPath();
  ctx.ellipse(x, y + size * 0.4, size * 0.42, size * 0.3, 0, 0, 2 * Math.PI);
  ctx.fill();
  disc(ctx, x, y + size * 0.26, size * 0.13, "#15181b");
}

const ANIMALS = [bear, fox, hare, elephant];

/** A man in uniform, in a ring of the theme's `bad` colour.
 * @param {Context} ctx @param {Place} at @param {number} size @param {Theme} theme */
export function keeper(ctx, { x, y }, size, theme) {
  disc(ctx, x, y, size * 1.16, theme.ground);
  disc(ctx, x, y, size * 1.08, "#d3212d");
  disc(ctx, x, y, size * 0.9, "#f3d0ab");
  ctx.fillStyle = "#1d2b4f";
  ctx.beginPath();
  ctx.arc(x, y, size * 0.9, Math.PI * 1.08, Math.PI * 1.92);
  ctx.closePath();
  ctx.fill();
  plate(ctx, x - size * 1.02, y - size * 0.36, size * 2.04, size * 0.22, size * 0.1, "#0c1428");
  disc(ctx, x, y - size * 0.58, size * 0.17, "#ffc930");
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.34, y + size * 0.1, size * 0.13, "#15181b");
    line(
      ctx,
      [
        [x + side * size * 0.16, y - size * 0.02],
        [x + side * size * 0.52, y - size * 0.12],
      ],
      "#15181b",
      size * 0.1,
    );
  }
  plate(ctx, x - size * 0.44, y + size * 0.32, size * 0.88, size * 0.22, size * 0.1, "#5b3a1e");
}

/** The symbol of a power-up.
 * @param {Context} ctx @param {string} kind @param {Place} at @param {number} size
 * @param {Theme} theme */
export function item(ctx, kind, { x, y }, size, theme) {
  const colour = COLOURS[kind] ?? theme.accent;
  const shine = "#ffffff";
  if (kind === "power_pellet") {
    /** @type {[number, number][]} */
    const star = Array.from({ length: 10 }, (_, index) => {
      const reach = size * (index % 2 ? 0.5 : 1.1);
      const angle = (index * Math.PI) / 5 - Math.PI / 2;
      return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
    });
    polygon(ctx, star, colour);
    disc(ctx, x, y, size * 0.26, shine);
  } else if (kind === "chameleon_cloak") {
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.moveTo(x, y - size);
    ctx.bezierCurveTo(x + size, y - size, x + size * 0.8, y + size * 0.2, x + size, y + size);
    ctx.quadraticCurveTo(x + size * 0.5, y + size * 0.6, x, y + size);
    ctx.quadraticCurveTo(x - size * 0.5, y + size * 0.6, x - size, y + size);
    ctx.bezierCurveTo(x - size * 0.8, y + size * 0.2, x - size, y - size, x, y - size);
    ctx.fill();
    for (const side of [-1, 1])
      disc(ctx, x + side * size * 0.3, y - size * 0.2, size * 0.17, shine);
  } else if (kind === "scavenger") {
    ctx.lineCap = "butt";
    ctx.strokeStyle = colour;
    ctx.lineWidth = size * 0.5;
    ctx.beginPath();
    ctx.moveTo(x - size * 0.65, y - size * 0.9);
    ctx.lineTo(x - size * 0.65, y + size * 0.15);
    ctx.arc(x, y + size * 0.15, size * 0.65, Math.PI, 0, true);
    ctx.lineTo(x + size * 0.65, y - size * 0.9);
    ctx.stroke();
    for (const side of [-1, 1]) {
      ctx.fillStyle = shine;
      ctx.fillRect(x + side * size * 0.65 - size * 0.25, y - size * 0.95, size * 0.5, size * 0.4);
    }
  } else {
    plate(ctx, x - size * 0.28, y - size, size * 0.56, size * 0.7, size * 0.1, colour);
    plate(ctx, x - size * 0.68, y - size * 0.5, size * 1.36, size * 1.5, size * 0.35, colour);
    plate(ctx, x - size * 0.45, y - size * 0.02, size * 0.9, size * 0.6, size * 0.12, shine);
  }
}
