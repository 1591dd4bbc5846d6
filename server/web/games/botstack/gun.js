// The gun between the players, its shells, and the known facts about its magazine.

import { disc, eased, letters, line, mix, plate, polygon, rounded } from "../lib/paint.js";
import { shotOf } from "./table.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../lib/paint.js").Context} Context */
/** @typedef {import("../lib/paint.js").Place} Place */

export const LIVE = "#d6303a";
const BLANK = "#6f8fb0";
export const BRASS = "#d9a441";
const GUN = { x: 8, y: 4.05 };
/** The fraction of the way to a view at which its shot is fired. */
export const FALLS = 0.45;

/** The direction of the barrel: at the target of the shot, or up.
 * @param {any} view @returns {number} radians, clockwise from the right */
function aim(view) {
  const shot = shotOf(view);
  if (!shot) return -Math.PI / 2;
  return shot.target === 0 ? -Math.PI : 0;
}

/** @param {Context} ctx @param {Scene} scene */
export function gun(ctx, scene) {
  const { before, fraction, theme } = scene;
  const share = eased(Math.min(1, fraction * 2));
  const angle = before ? aim(before) + (aim(scene.view) - aim(before)) * share : aim(scene.view);
  const shot = shotOf(scene.view);
  ctx.save();
  ctx.translate(GUN.x, GUN.y + 0.6 * Math.sin(angle));
  ctx.rotate(angle);
  if (Math.abs(angle) > Math.PI / 2 + 0.01) ctx.scale(1, -1);
  const steel = theme.dark ? "#aab4bf" : "#343b43";
  const stock = "#8a5630";
  polygon(
    ctx,
    [
      [-1.95, -0.12],
      [-0.75, -0.26],
      [-0.5, -0.26],
      [-0.5, 0.16],
      [-0.8, 0.16],
      [-1.85, 0.62],
      [-2.1, 0.55],
    ],
    stock,
  );
  polygon(
    ctx,
    [
      [-0.55, -0.3],
      [0.35, -0.3],
      [0.35, 0.2],
      [-0.55, 0.2],
    ],
    mix(steel, "#000000", 0.2),
  );
  plate(ctx, 0.3, -0.28, 1.75, 0.22, 0.06, steel);
  plate(ctx, 0.3, -0.04, 1.55, 0.18, 0.06, mix(steel, "#000000", 0.25));
  plate(ctx, 0.7, -0.02, 0.75, 0.26, 0.1, stock);
  ctx.strokeStyle = steel;
  ctx.lineWidth = 0.07;
  ctx.beginPath();
  ctx.arc(-0.3, 0.24, 0.2, 0, Math.PI);
  ctx.stroke();
  if (shot && fraction >= FALLS) {
    if (shot.bullet === "live") {
      /** @type {[number, number][]} */
      const burst = Array.from({ length: 16 }, (_, index) => {
        const reach = index % 2 ? 0.22 : 0.62;
        return [
          2.4 + reach * Math.cos((index * Math.PI) / 8),
          -0.17 + reach * 0.8 * Math.sin((index * Math.PI) / 8),
        ];
      });
      polygon(ctx, burst, "#ffb52e");
      disc(ctx, 2.4, -0.17, 0.2, "#fff3c4");
    } else {
      ctx.lineCap = "round";
      for (const turn of [-0.5, 0, 0.5]) {
        line(
          ctx,
          [
            [2.2, -0.17 + turn * 0.3],
            [2.45, -0.17 + turn * 0.75],
          ],
          BLANK,
          0.07,
        );
      }
    }
  }
  ctx.restore();
  if (shot && fraction >= FALLS) {
    const live = shot.bullet === "live";
    const words = live ? "LIVE" : "BLANK";
    letters(ctx, words, GUN.x, GUN.y - 1.25, 0.95, {
      colour: live ? "#ff6b70" : "#c4d9ee",
      font: theme.font,
      weight: 800,
      halo: "#101418",
    });
  }
}

/** A shell on its base; live ones have a round head, blanks are crimped.
 * @param {Context} ctx @param {Place} at @param {number} size @param {string} colour
 * @param {string|null} bullet @param {number} [turn] */
export function shell(ctx, { x, y }, size, colour, bullet, turn = 0) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  if (bullet === "blank")
    polygon(
      ctx,
      [
        [-size * 0.42, -size * 0.75],
        [-size * 0.2, -size * 1.1],
        [size * 0.2, -size * 1.1],
        [size * 0.42, -size * 0.75],
      ],
      colour,
    );
  ctx.fillStyle = colour;
  rounded(
    ctx,
    -size * 0.42,
    -size * (bullet === "blank" ? 0.8 : 1.1),
    size * 0.84,
    size * (bullet === "blank" ? 1.4 : 1.7),
    bullet === "blank" ? 0 : size * 0.38,
  );
  ctx.fill();
  plate(ctx, -size * 0.48, size * 0.5, size * 0.96, size * 0.55, size * 0.1, BRASS);
  ctx.restore();
}

/** The public counts of the magazine, and what this viewer knows of the next bullet.
 * @param {Context} ctx @param {Scene} scene @param {any} view */
export function magazine(ctx, { theme }, view) {
  const { live, blank, total } = view.gun;
  const size = Math.min(0.4, 5.2 / Math.max(total, 1) / 1.15);
  const step = Math.min(0.6, 5.6 / Math.max(total, 1));
  const left = 8 - ((total - 1) * step) / 2;
  for (let at = 0; at < total; at += 1) {
    const bullet = at < live ? "live" : "blank";
    shell(ctx, { x: left + at * step, y: 6.2 }, size, bullet === "live" ? LIVE : BLANK, bullet);
  }
  const how = { font: theme.font, weight: 700, halo: "#10261d", room: 2.8 };
  letters(ctx, `${live} live`, 6.6, 7.1, 0.56, { ...how, colour: "#ff9a9d" });
  letters(ctx, `${blank} blank`, 9.4, 7.1, 0.56, { ...how, colour: "#c4d9ee" });
  const known = view.known_next;
  const words = known ? `next: ${known}` : "order hidden";
  const colour = known === "live" ? "#ff9a9d" : known === "blank" ? "#c4d9ee" : "#d8e6df";
  letters(ctx, words, 8, 7.72, known ? 0.46 : 0.34, {
    ...how,
    colour,
    weight: known ? 800 : 500,
    room: 4,
  });
}
