// Catastrophe: the land with its harvest rates as colours, the road, structures with their
// materials, units by job with their energy, squads. Tiles count from the top left (RULES §3). The
// pointer shows the range and the numbers of what is below it.

import { land } from "./catastrophe/land.js";
import { walked, ways } from "./catastrophe/playback.js";
import { GAME } from "./catastrophe/rules.js";
import { human } from "./catastrophe/seat.js";
import { at, indexed, middle, place, placed, shape, walkable } from "./catastrophe/tiles.js";
import { bands, token } from "./catastrophe/units.js";
import { describe, events, progress, scores } from "./catastrophe/words.js";
import { selected } from "./lib/selection.js";
import { drawLayer, namesKey, viewLayer } from "./lib/cache.js";
import { hint, overlays } from "./lib/overlays.js";
import { eased, frame, line, nameOf, plate, ring, scaleOf, seatColour } from "./lib/paint.js";

export { DEFAULTS } from "./catastrophe/rules.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */
/** @typedef {import("./lib/paint.js").Place} Place */

/** The part of a movement in which units walk. */
const WALKS = 0.65;

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function draw(ctx, scene, box) {
  const { view, before, fraction } = scene;
  const scale = scaleOf(ctx);
  const grid = placed(view, box, scale);
  const { cell, middle } = grid;
  const shown = before && fraction < WALKS ? before : view;
  drawLayer(
    ctx,
    viewLayer(`catastrophe${namesKey(scene)}`, box, scale, shown, (under) =>
      land(under, { ...scene, view: shown }, box, scale, grid),
    ),
    box,
  );
  const picked = pointed(scene);
  if (picked) reach(ctx, scene, grid, picked);
  overlays(ctx, scene, cell, middle);
  // Units walk first, tile by tile; what they do then is called out.
  const share = eased(Math.min(1, fraction / WALKS));
  const walks = before && fraction < 1 ? ways(before, view) : null;
  for (const [id, tiles] of walks ?? []) track(ctx, scene, grid, id, tiles);
  const standing = view.units.map((/** @type {any} */ unit) => {
    const tiles = walks?.get(unit.id);
    const at = tiles ? walked(tiles, share) : unit;
    return { unit, ...middle(at.x, at.y) };
  });
  bands(ctx, scene, standing, cell);
  const { structures } = indexed(shown);
  for (const { unit, x, y } of standing) {
    const roof = structures.has(place(unit));
    token(ctx, scene, unit, { x, y: roof ? y + cell * 0.13 : y }, cell * (roof ? 0.26 : 0.35));
  }
  if (scene.hover) showHint(ctx, scene, box, scene.hover, middle(scene.hover.x, scene.hover.y));
}

/** The way of a unit.
 * @param {Context} ctx @param {Scene} scene @param {ReturnType<typeof placed>} grid
 * @param {number} id @param {Place[]} tiles */
function track(ctx, scene, { cell, middle }, id, tiles) {
  const owner = scene.view.units.find((/** @type {any} */ unit) => unit.id === id)?.owner ?? null;
  ctx.globalAlpha = 0.55 * (1 - scene.fraction);
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  line(
    ctx,
    tiles.map((tile) => {
      const { x, y } = middle(tile.x, tile.y);
      return [x, y];
    }),
    seatColour(scene, owner),
    Math.max(cell * 0.14, 2),
  );
  ctx.globalAlpha = 1;
}

// --- the pointer ---

/** The unit or structure under the pointer, else the unit that the person has selected.
 * @param {Scene} scene @returns {any} */
function pointed({ view, hover, viewer }) {
  const { units, structures } = indexed(view);
  const under = hover && (units.get(place(hover)) ?? structures.get(place(hover)));
  if (under) return under;
  const id = viewer === null ? null : selected(GAME);
  return id === null
    ? null
    : (view.units.find((/** @type {any} */ unit) => unit.id === id && unit.owner === viewer) ??
        null);
}

/** The range of a structure, or the tiles that a unit can still walk to.
 * @param {Context} ctx @param {Scene} scene @param {ReturnType<typeof placed>} grid
 * @param {any} picked */
function reach(ctx, scene, grid, picked) {
  const { cell, left, top, columns, rows } = grid;
  const colour = seatColour(scene, picked.owner);
  if (picked.effect_radius !== undefined) {
    const [west, north] = [
      Math.max(0, picked.x - picked.effect_radius),
      Math.max(0, picked.y - picked.effect_radius),
    ];
    const [east, south] = [
      Math.min(columns, picked.x + picked.effect_radius + 1),
      Math.min(rows, picked.y + picked.effect_radius + 1),
    ];
    const box = /** @type {const} */ ([
      left + west * cell,
      top + north * cell,
      (east - west) * cell,
      (south - north) * cell,
    ]);
    ctx.globalAlpha = 0.2;
    plate(ctx, ...box, cell * 0.2, colour);
    ctx.globalAlpha = 1;
    frame(ctx, ...box, cell * 0.2, colour, Math.max(cell * 0.07, 1.5));
    return;
  }
  ctx.globalAlpha = 0.3;
  for (const { x, y } of walkable(scene.view, picked))
    plate(
      ctx,
      left + (x + 0.08) * cell,
      top + (y + 0.08) * cell,
      cell * 0.84,
      cell * 0.84,
      cell * 0.2,
      colour,
    );
  ctx.globalAlpha = 1;
  const units = new Map(scene.view.units.map((/** @type {any} */ unit) => [unit.id, unit]));
  for (const id of picked.squad) {
    const one = units.get(id);
    if (one)
      ring(
        ctx,
        left + (one.x + 0.5) * cell,
        top + (one.y + 0.5) * cell,
        cell * 0.47,
        scene.theme.ink,
        Math.max(cell * 0.06, 1.5),
      );
  }
}

/** @param {Context} ctx @param {Scene} scene @param {Box} box @param {Place} cell
 * @param {Place} at */
function showHint(ctx, scene, box, cell, at) {
  const { units, structures, tiles } = indexed(scene.view);
  const [unit, structure, tile] = [
    units.get(place(cell)),
    structures.get(place(cell)),
    tiles.get(place(cell)),
  ];
  /** @type {string[]} */
  const lines = [];
  /** @param {number|null} owner */
  const whose = (owner) => (owner === null ? "neutral" : nameOf(scene.seats, owner));
  if (unit) {
    const energy = Math.round(unit.energy * 10) / 10;
    lines.push(
      whose(unit.owner),
      `energy ${energy}, moves ${unit.moves}${unit.acted ? ", has acted" : ""}`,
    );
    if (unit.food || unit.materials)
      lines.push(`carries ${unit.food} food, ${unit.materials} materials`);
    if (unit.squad.length > 1) lines.push(`squad of ${unit.squad.length}`);
    if (unit.starving) lines.push("starves");
    if (unit.turns_to_die > 0) lines.push(`gone in ${unit.turns_to_die} turns`);
  }
  if (structure)
    lines.push(
      unit ? structure.type : whose(structure.owner),
      `${structure.materials} materials, range ${structure.effect_radius}`,
    );
  const waits = tile?.turns_to_harvest;
  if (tile?.harvest_rate)
    lines.push(`yields ${tile.harvest_rate}${waits ? `, in ${waits} turns` : ""}`);
  if (tile?.food || tile?.materials)
    lines.push(`on the ground: ${tile.food} food, ${tile.materials} materials`);
  const road = scene.view.map.road_rows.includes(cell.y);
  if (unit || structure || lines.length)
    hint(ctx, scene, box, at, unit?.job ?? structure?.type ?? (road ? "road" : "field"), lines);
}

const paceMs = () => 200;

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
