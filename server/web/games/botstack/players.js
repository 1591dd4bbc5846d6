// A player on either side: health, items, and the symbols of the items.

import {
  disc,
  frame,
  letters,
  line,
  mix,
  nameOf,
  plate,
  polygon,
  seatColour,
} from "../lib/paint.js";
import { BRASS, LIVE, shell } from "./gun.js";
import { SIDES, acting } from "./table.js";
import { ITEMS } from "./words.js";

/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../lib/paint.js").Context} Context */
/** @typedef {import("../lib/paint.js").Place} Place */

/** @param {Context} ctx @param {Scene} scene @param {any} view @param {any} player
 * @param {number} seat */
export function person(ctx, scene, view, player, seat) {
  const { theme } = scene;
  const colour = seatColour(scene, seat);
  const x = SIDES[seat] ?? 8;
  const now = acting(scene.view) === seat || scene.view.result?.winner === seat;
  const fallen = player.health <= 0;
  plate(ctx, x - 2.2, 1.05, 4.4, 7.3, 0.35, mix(theme.panel, colour, theme.dark ? 0.1 : 0.06));
  frame(ctx, x - 2.2, 1.05, 4.4, 7.3, 0.35, now ? colour : theme.line, now ? 0.12 : 0.03);
  robot(
    ctx,
    { x, y: 2.62 },
    0.85,
    fallen ? mix(colour, theme.ground, 0.6) : colour,
    theme.panel,
    fallen,
    seat,
  );
  const name = nameOf(scene.seats, seat);
  letters(ctx, scene.viewer === seat ? `You · ${name}` : name, x, 4.12, 0.6, {
    colour: theme.ink,
    font: theme.font,
    weight: 700,
    room: 4,
  });
  hearts(ctx, theme, x, 4.95, player.health);
  const won = player.rounds_won === 1 ? "1 round won" : `${player.rounds_won} rounds won`;
  letters(ctx, won, x, 5.75, 0.44, {
    colour: player.rounds_won ? theme.ink : theme.soft,
    font: theme.font,
    weight: 600,
    room: 4,
  });
  for (const { place, size, item } of cards(player, x)) card(ctx, theme, place, size, item);
  const notes = [];
  if (player.skip_pending) notes.push("extra turn");
  if (player.can_abstain) notes.push("may abstain");
  letters(ctx, notes.join(" · "), x, 8.05, 0.36, {
    colour: theme.accent,
    font: theme.font,
    weight: 600,
    room: 4.1,
  });
}

/** The items of a player: their middles and sizes.
 * @param {any} player @param {number} x
 * @returns {{place: Place, size: number, item: string, slot: number}[]} */
export function cards(player, x) {
  const count = player.items.length;
  const across = count > 4 ? Math.ceil(count / 2) : count;
  const size = count > 4 ? 0.74 : Math.min(1.25, 4 / Math.max(across, 1));
  return player.items.map((/** @type {string} */ item, /** @type {number} */ index) => ({
    item,
    size,
    slot: index + 1,
    place: {
      x: x + ((index % across) - (Math.min(across, count) - 1) / 2) * size * 1.18,
      y: count > 4 ? 6.52 + Math.floor(index / across) * size * 1.1 : 6.9,
    },
  }));
}

/** @param {Context} ctx @param {Place} at @param {number} size @param {string} colour
 * @param {string} edge @param {boolean} fallen
 * @param {number} seat */
function robot(ctx, { x, y }, size, colour, edge, fallen, seat) {
  const dark = mix(colour, "#000000", 0.35);
  ctx.lineCap = "round";
  line(
    ctx,
    [
      [x, y - size],
      [x, y - size * 1.4],
    ],
    dark,
    size * 0.12,
  );
  disc(ctx, x, y - size * 1.45, size * 0.17, fallen ? dark : BRASS);
  for (const side of [-1, 1])
    plate(
      ctx,
      x + side * size * 1.12 - size * 0.14,
      y - size * 0.3,
      size * 0.28,
      size * 0.6,
      size * 0.1,
      dark,
    );
  plate(
    ctx,
    x - size * 1.05,
    y - size,
    size * 2.1,
    size * 1.9,
    seat === 0 ? size * 0.35 : size * 0.85,
    colour,
  );
  plate(ctx, x - size * 0.8, y - size * 0.6, size * 1.6, size * 0.72, size * 0.3, "#14181d");
  for (const side of [-1, 1]) {
    const eye = x + side * size * 0.38;
    if (fallen) {
      const reach = size * 0.14;
      line(
        ctx,
        [
          [eye - reach, y - size * 0.24 - reach],
          [eye + reach, y - size * 0.24 + reach],
        ],
        "#ffffff",
        size * 0.08,
      );
      line(
        ctx,
        [
          [eye - reach, y - size * 0.24 + reach],
          [eye + reach, y - size * 0.24 - reach],
        ],
        "#ffffff",
        size * 0.08,
      );
    } else disc(ctx, eye, y - size * 0.24, size * 0.2, "#ffffff");
  }
  for (const tooth of [-0.3, 0, 0.3])
    plate(
      ctx,
      x + tooth * size - size * 0.1,
      y + size * 0.36,
      size * 0.2,
      size * 0.26,
      size * 0.05,
      edge,
    );
}

/** @param {Context} ctx @param {Theme} theme @param {number} x @param {number} y
 * @param {number} health */
function hearts(ctx, theme, x, y, health) {
  if (health > 6) {
    heart(ctx, x - 0.85, y, 0.36, LIVE);
    letters(ctx, `× ${health}`, x + 0.4, y, 0.6, {
      colour: theme.ink,
      font: theme.font,
      weight: 700,
    });
    return;
  }
  const shown = Math.max(health, 3);
  const step = Math.min(0.92, 4 / shown);
  for (let at = 0; at < shown; at += 1) {
    heart(
      ctx,
      x + (at - (shown - 1) / 2) * step,
      y,
      step * 0.4,
      at < health ? LIVE : mix(theme.panel, theme.ink, 0.16),
    );
  }
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} size
 * @param {string} fill */
function heart(ctx, x, y, size, fill) {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.moveTo(x, y + size);
  ctx.bezierCurveTo(
    x - size * 1.7,
    y - size * 0.2,
    x - size * 0.9,
    y - size * 1.4,
    x,
    y - size * 0.45,
  );
  ctx.bezierCurveTo(x + size * 0.9, y - size * 1.4, x + size * 1.7, y - size * 0.2, x, y + size);
  ctx.fill();
}

/** @param {Context} ctx @param {Theme} theme @param {Place} place @param {number} size
 * @param {string} item */
function card(ctx, theme, { x, y }, size, item) {
  const half = size / 2;
  if (item === "empty") {
    ctx.setLineDash([size * 0.12, size * 0.1]);
    frame(ctx, x - half, y - half, size, size, size * 0.16, theme.line, 0.04);
    ctx.setLineDash([]);
    return;
  }
  plate(
    ctx,
    x - half,
    y - half,
    size,
    size,
    size * 0.16,
    mix(theme.panel, theme.ink, theme.dark ? 0.12 : 0.07),
  );
  frame(ctx, x - half, y - half, size, size, size * 0.16, theme.soft, 0.035);
  sign(ctx, theme, item, { x, y: y - size * 0.1 }, size * 0.27);
  letters(ctx, ITEMS[item] ?? item, x, y + size * 0.36, size * 0.24, {
    colour: theme.ink,
    font: theme.font,
    weight: 600,
    room: size * 0.94,
  });
}

/** @param {Context} ctx @param {Theme} theme @param {string} item @param {Place} at
 * @param {number} size */
function sign(ctx, theme, item, { x, y }, size) {
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  if (item === "peek_current") {
    ctx.fillStyle = theme.ink;
    ctx.beginPath();
    ctx.moveTo(x - size * 1.1, y);
    ctx.quadraticCurveTo(x, y - size * 1.3, x + size * 1.1, y);
    ctx.quadraticCurveTo(x, y + size * 1.3, x - size * 1.1, y);
    ctx.fill();
    disc(ctx, x, y, size * 0.48, theme.panel);
    disc(ctx, x, y, size * 0.26, theme.ink);
  } else if (item === "eject_current") {
    shell(ctx, { x: x - size * 0.1, y: y + size * 0.45 }, size * 0.55, BRASS, null, Math.PI / 2);
    polygon(
      ctx,
      [
        [x, y - size],
        [x + size * 0.6, y - size * 0.3],
        [x - size * 0.6, y - size * 0.3],
      ],
      theme.ink,
    );
  } else if (item === "skip_enemy") {
    for (const dx of [-0.75, 0.15]) {
      polygon(
        ctx,
        [
          [x + dx * size, y - size * 0.7],
          [x + (dx + 0.85) * size, y],
          [x + dx * size, y + size * 0.7],
        ],
        theme.ink,
      );
    }
  } else if (item === "health_kit") {
    plate(ctx, x - size, y - size * 0.75, size * 2, size * 1.5, size * 0.25, "#f4f6f8");
    ctx.fillStyle = LIVE;
    ctx.fillRect(x - size * 0.18, y - size * 0.52, size * 0.36, size * 1.04);
    ctx.fillRect(x - size * 0.52, y - size * 0.18, size * 1.04, size * 0.36);
  } else {
    ctx.strokeStyle = theme.ink;
    ctx.lineWidth = size * 0.26;
    ctx.beginPath();
    ctx.arc(x, y, size * 0.7, -0.4, Math.PI * 1.45);
    ctx.stroke();
    polygon(
      ctx,
      [
        [x + size * 0.62, y - size * 0.95],
        [x + size * 0.05, y - size * 0.28],
        [x - size * 0.16, y - size * 1.12],
      ],
      theme.ink,
    );
  }
}
