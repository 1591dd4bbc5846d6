// What is drawn over a board: the overlays of bots, and the hint beside a cell.

import { arrow, frame, letters, plate, seatColour } from "./paint.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("./paint.js").Context} Context */
/** @typedef {import("./paint.js").Box} Box */
/** @typedef {import("./paint.js").Place} Place */

/** Draw the overlays of bots. `middle` is the middle of a cell.
 * @param {Context} ctx @param {Scene} scene @param {number} cell
 * @param {(x: number, y: number) => Place} middle */
export function overlays(ctx, scene, cell, middle) {
  for (const one of scene.overlays) {
    const colour =
      one.colour ?? (one.seat === undefined ? scene.theme.accent : seatColour(scene, one.seat));
    if (one.kind === "arrow") {
      arrow(
        ctx,
        middle(one.from.x, one.from.y),
        middle(one.to.x, one.to.y),
        colour,
        Math.max(cell * 0.12, 1.5),
      );
      continue;
    }
    const { x, y } = middle(one.x, one.y);
    if (one.kind === "text") {
      letters(ctx, one.text, x, y, Math.max(cell * 0.5, 9), {
        colour,
        font: scene.theme.font,
        halo: scene.theme.ground,
      });
      continue;
    }
    ctx.globalAlpha = 0.28;
    plate(ctx, x - cell / 2, y - cell / 2, cell, cell, cell * 0.12, colour);
    ctx.globalAlpha = 1;
    frame(
      ctx,
      x - cell * 0.46,
      y - cell * 0.46,
      cell * 0.92,
      cell * 0.92,
      cell * 0.12,
      colour,
      Math.max(cell * 0.06, 1),
    );
  }
}

/** Draw a small table beside a point, inside the box: a title and lines.
 * @param {Context} ctx @param {Scene} scene @param {Box} box @param {Place} at
 * @param {string} title @param {string[]} lines */
export function hint(ctx, scene, box, at, title, lines) {
  const { theme } = scene;
  const size = Math.max(12, Math.min(18, box.width / 60));
  const gap = size * 1.35;
  ctx.font = `700 ${size}px ${theme.font}`;
  const wide =
    Math.max(...[title, ...lines].map((words) => ctx.measureText(words).width)) + size * 1.4;
  const high = gap * (lines.length + 1) + size * 0.7;
  const x = at.x + size + wide > box.width ? Math.max(0, at.x - size - wide) : at.x + size;
  const y = Math.max(0, Math.min(at.y - high / 2, box.height - high));
  ctx.globalAlpha = 0.95;
  plate(ctx, x, y, wide, high, size * 0.5, theme.panel);
  ctx.globalAlpha = 1;
  frame(ctx, x, y, wide, high, size * 0.5, theme.line, 1);
  const how = {
    colour: theme.ink,
    font: theme.font,
    align: /** @type {CanvasTextAlign} */ ("left"),
  };
  letters(ctx, title, x + size * 0.7, y + size * 0.35 + gap / 2, size, { ...how, weight: 700 });
  lines.forEach((words, index) => {
    letters(ctx, words, x + size * 0.7, y + size * 0.35 + gap * (index + 1.5), size, {
      ...how,
      weight: 400,
      colour: theme.soft,
    });
  });
}
