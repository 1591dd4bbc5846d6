// PyRat: the maze from above with its mud and cheese, the players and their paths. Cells count from
// the bottom left (RULES §3).

import { drawLayer, stamp, themeKey, viewLayer } from "./lib/cache.js";
import { overlays } from "./lib/overlays.js";
import { between, eased, line, mix, polygon, scaleOf, seatColour } from "./lib/paint.js";
import { badge, cheese, mouse, snake } from "./pyrat/figures.js";
import { at, ground, mazeKey, middle, passageCost, placed, shape } from "./pyrat/maze.js";
import { human } from "./pyrat/seat.js";
import { ROLES, describe, events, progress, scores } from "./pyrat/words.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */
/** @typedef {import("./lib/paint.js").Place} Place */
/** @typedef {import("./pyrat/maze.js").MazeGrid} MazeGrid */

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function draw(ctx, scene, box) {
  const { view, before } = scene;
  const scale = scaleOf(ctx);
  const grid = placed(view, box, scale);
  const { cell, middle } = grid;
  // The cheese of this turn is shown until the players reach it.
  const lying = before && scene.fraction < 0.7 ? before.cheese : view.cheese;
  const board = viewLayer(
    `pyrat board${mazeKey(view.maze)}${themeKey(scene.theme)}`,
    box,
    scale,
    lying,
    (under) => {
      drawLayer(under, ground(scene, box, scale, grid), box);
      for (const [x, y] of lying) {
        const at = middle(x, y);
        stamp(under, "cheese", at.x, at.y, cell * 0.4, (small) =>
          cheese(small, { x: 0, y: 0 }, cell * 0.34),
        );
      }
    },
  );
  drawLayer(ctx, board, box);
  trails(ctx, scene, grid);
  overlays(ctx, scene, cell, middle);
  const places = ROLES.map((role) => standing(scene, role));
  const [rat, python] = /** @type {[Place, Place]} */ (places);
  const shared = Math.hypot(rat.x - python.x, rat.y - python.y) < 0.45;
  ROLES.forEach((role, seat) => {
    const { x, y } = /** @type {Place} */ (places[seat]);
    const aside = shared ? (seat === 0 ? 0.2 : -0.2) : 0;
    const at = middle(x + aside, y + aside);
    const size = cell * (shared ? 0.32 : 0.44);
    (seat === 0 ? mouse : snake)(ctx, at, size, seatColour(scene, seat), scene.theme.ground);
    if (scene.viewer === seat) {
      const tip = { x: at.x, y: at.y - size * 1.25 };
      polygon(
        ctx,
        [
          [tip.x, tip.y],
          [tip.x - size * 0.4, tip.y - size * 0.5],
          [tip.x + size * 0.4, tip.y - size * 0.5],
        ],
        scene.theme.ink,
      );
    }
    const waits = view[role].mud_turns;
    if (waits)
      badge(
        ctx,
        { x: at.x + size * 0.9, y: at.y - size * 0.9 },
        Math.max(cell * 0.19, 6),
        String(waits),
        scene,
      );
  });
}

/** The position of a player between the two views, cells. A player in mud is on its way, as far as
 * it has waited.
 * @param {Scene} scene @param {string} role @returns {Place} */
function standing({ before, view, fraction }, role) {
  const now = wading(view, role);
  if (!before) return now;
  const then = wading(before, role);
  if (Math.hypot(now.x - then.x, now.y - then.y) > 1.01) return fraction < 0.5 ? then : now;
  const share = eased(fraction);
  return { x: between(then.x, now.x, share), y: between(then.y, now.y, share) };
}

/** @param {any} view @param {string} role @returns {Place} */
function wading(view, role) {
  const {
    position: [x, y],
    mud_turns: waits,
    mud_from: from,
  } = view[role];
  if (!from || !waits) return { x, y };
  const cost = passageCost(view.maze, from, [x, y]);
  const left = waits / Math.max(cost, waits + 1);
  return { x: x + (from[0] - x) * left, y: y + (from[1] - y) * left };
}

/** The paths of the last turns, fading.
 * @param {Context} ctx @param {Scene} scene @param {MazeGrid} grid */
function trails(ctx, scene, { cell, middle }) {
  const seen = scene.before
    ? [...scene.trail.filter((one) => one !== scene.before), scene.before]
    : scene.trail;
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  ROLES.forEach((role, seat) => {
    // Each player has a lane of its own, so that both paths are visible where they overlap.
    const lane = seat === 0 ? 0.09 : -0.09;
    const points = [...seen.map((one) => wading(one, role)), standing(scene, role)].map(
      ({ x, y }) => middle(x + lane, y + lane),
    );
    const colour = seatColour(scene, seat);
    for (let at = 1; at < points.length; at += 1) {
      const [from, to] = [points[at - 1], points[at]];
      if (
        !from ||
        !to ||
        Math.hypot(from.x - to.x, from.y - to.y) > cell * 1.6 ||
        (from.x === to.x && from.y === to.y)
      )
        continue;
      const faded = mix(scene.theme.panel, colour, 0.08 + 0.72 * (at / points.length));
      line(
        ctx,
        [
          [from.x, from.y],
          [to.x, to.y],
        ],
        faded,
        Math.max(cell * 0.1, 1.5),
      );
    }
  });
}

const paceMs = () => 300;

/** @type {import("./contract.js").Renderer} */
export default {
  paceMs,
  shape,
  draw,
  scores,
  events,
  progress,
  at,
  middle,
  human,
  describe,
};
