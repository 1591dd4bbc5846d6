// The players, the cheese, and the number of turns in mud.

import { disc, letters, line, mix, polygon, ring } from "../lib/paint.js";
import { MUD } from "./maze.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../lib/paint.js").Context} Context */
/** @typedef {import("../lib/paint.js").Place} Place */

const CHEESE = "#f2b705";
const RIND = "#b87f00";

/** @param {Context} ctx @param {Place} at @param {number} size */
export function cheese(ctx, { x, y }, size) {
  polygon(
    ctx,
    [
      [x - size, y + size * 0.1],
      [x + size * 0.75, y - size * 0.75],
      [x + size, y + size * 0.1],
    ],
    CHEESE,
  );
  ctx.fillStyle = mix(CHEESE, RIND, 0.35);
  ctx.fillRect(x - size, y + size * 0.1, size * 2, size * 0.6);
  disc(ctx, x - size * 0.45, y + size * 0.42, size * 0.17, RIND);
  disc(ctx, x + size * 0.35, y + size * 0.36, size * 0.2, RIND);
  disc(ctx, x + size * 0.4, y - size * 0.22, size * 0.17, RIND);
}

/** @param {Context} ctx @param {Place} at @param {number} size @param {string} colour
 * @param {string} edge */
export function mouse(ctx, { x, y }, size, colour, edge) {
  ctx.lineCap = "round";
  ctx.strokeStyle = colour;
  ctx.lineWidth = size * 0.18;
  ctx.beginPath();
  ctx.moveTo(x + size * 0.5, y + size * 0.6);
  ctx.bezierCurveTo(
    x + size * 1.5,
    y + size * 1.1,
    x + size * 0.7,
    y - size * 0.2,
    x + size * 1.25,
    y - size * 0.3,
  );
  ctx.stroke();
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.62, y - size * 0.58, size * 0.52, edge);
    disc(ctx, x + side * size * 0.62, y - size * 0.58, size * 0.43, colour);
    disc(ctx, x + side * size * 0.62, y - size * 0.58, size * 0.24, "#ffd9d9");
  }
  disc(ctx, x, y + size * 0.08, size * 0.92, edge);
  disc(ctx, x, y + size * 0.08, size * 0.82, colour);
  ctx.lineWidth = size * 0.06;
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.3, y - size * 0.08, size * 0.17, "#ffffff");
    disc(ctx, x + side * size * 0.28, y - size * 0.05, size * 0.09, "#1b1b1b");
    line(
      ctx,
      [
        [x + side * size * 0.22, y + size * 0.42],
        [x + side * size * 0.95, y + size * 0.3],
      ],
      "#ffffff",
      size * 0.06,
    );
    line(
      ctx,
      [
        [x + side * size * 0.22, y + size * 0.5],
        [x + side * size * 0.92, y + size * 0.6],
      ],
      "#ffffff",
      size * 0.06,
    );
  }
  disc(ctx, x, y + size * 0.42, size * 0.15, "#ffb3b8");
}

/** @param {Context} ctx @param {Place} at @param {number} size @param {string} colour
 * @param {string} edge */
export function snake(ctx, { x, y }, size, colour, edge) {
  ctx.lineCap = "round";
  // The coils from below; each has an edge, so that they are distinct.
  for (const [dy, wide] of /** @type {[number, number][]} */ ([
    [0.72, 0.78],
    [0.38, 0.6],
  ])) {
    line(
      ctx,
      [
        [x - size * wide, y + size * dy],
        [x + size * wide, y + size * dy],
      ],
      edge,
      size * 0.56,
    );
    line(
      ctx,
      [
        [x - size * wide, y + size * dy],
        [x + size * wide, y + size * dy],
      ],
      mix(colour, "#000000", 0.16),
      size * 0.42,
    );
    for (const spot of [-0.5, 0, 0.5])
      disc(
        ctx,
        x + size * spot * wide * 1.4,
        y + size * dy,
        size * 0.1,
        mix(colour, "#ffffff", 0.45),
      );
  }
  ctx.fillStyle = edge;
  ctx.beginPath();
  ctx.ellipse(x, y - size * 0.32, size * 0.72, size * 0.68, 0, 0, 2 * Math.PI);
  ctx.fill();
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.ellipse(x, y - size * 0.32, size * 0.63, size * 0.58, 0, 0, 2 * Math.PI);
  ctx.fill();
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.33, y - size * 0.5, size * 0.2, "#ffffff");
    ctx.fillStyle = "#1b1b1b";
    ctx.beginPath();
    ctx.ellipse(
      x + side * size * 0.33,
      y - size * 0.5,
      size * 0.07,
      size * 0.17,
      0,
      0,
      2 * Math.PI,
    );
    ctx.fill();
    disc(ctx, x + side * size * 0.13, y - size * 0.14, size * 0.05, "#1b1b1b");
  }
  ctx.lineCap = "round";
  line(
    ctx,
    [
      [x, y + size * 0.12],
      [x, y + size * 0.36],
    ],
    "#d81e3a",
    size * 0.11,
  );
  line(
    ctx,
    [
      [x - size * 0.1, y + size * 0.48],
      [x, y + size * 0.36],
      [x + size * 0.1, y + size * 0.48],
    ],
    "#d81e3a",
    size * 0.08,
  );
}

/** A number on a dark disc: the turns in mud that are left.
 * @param {Context} ctx @param {Place} at @param {number} size @param {string} words
 * @param {Scene} scene */
export function badge(ctx, { x, y }, size, words, scene) {
  disc(ctx, x, y, size, MUD);
  ring(ctx, x, y, size, scene.theme.ground, Math.max(size * 0.16, 1));
  letters(ctx, words, x, y + size * 0.06, size * 1.3, {
    colour: "#ffffff",
    font: scene.theme.font,
    weight: 700,
    room: size * 1.6,
  });
}
