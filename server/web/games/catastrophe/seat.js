// How a person plays: keys, buttons and clicks for the selected unit.

import { select, selected } from "../lib/selection.js";
import { DEFAULTS, GAME, JOBS, OVERLORD } from "./rules.js";
import { SIDES, at, indexed, place, walkable } from "./tiles.js";

/** @typedef {import("../lib/paint.js").Place} Place */

/** @param {any} view @param {number} seat @returns {import("../contract.js").Controls} */
export function human(view, seat) {
  const mine = view.current_player === seat && !view.result;
  const unit =
    view.units.find((/** @type {any} */ one) => one.id === selected(GAME) && one.owner === seat) ??
    null;
  return {
    keys: mine && unit ? walks(view, unit) : {},
    buttons: mine && unit ? actions(view, unit) : [],
    click: (x, y, shown, box) => {
      const cell = at(x, y, shown, box);
      return cell && shown.current_player === seat && !shown.result
        ? clicked(shown, seat, cell)
        : null;
    },
    endTurn: true,
    hint: mine ? hintOf(unit) : "The other side moves.",
  };
}

/** @param {any} unit or null */
function hintOf(unit) {
  if (!unit)
    return "Click one of your units, then its destination or target. End the turn when done.";
  const acted = unit.acted ? ", has acted" : "";
  return (
    `The ${unit.job}: ${unit.moves} moves left${acted}. Click its destination or target; ` +
    "click it again to deselect it."
  );
}

/** The steps that are possible, by key.
 * @param {any} view @param {any} unit @returns {Record<string, any>} */
function walks(view, unit) {
  const near = new Set(walkable(view, { ...unit, moves: Math.min(unit.moves, 1) }).map(place));
  const keys = /** @type {[string, string, number, number][]} */ ([
    ["ArrowUp", "w", 0, -1],
    ["ArrowRight", "d", 1, 0],
    ["ArrowDown", "s", 0, 1],
    ["ArrowLeft", "a", -1, 0],
  ]);
  return Object.fromEntries(
    keys.flatMap(([arrow, letter, dx, dy]) => {
      const command = { cmd: "move", unit: unit.id, x: unit.x + dx, y: unit.y + dy };
      if (!near.has(place(command))) return [];
      return [
        [arrow, command],
        [letter, command],
      ];
    }),
  );
}

/** The command of a click on a tile: an action of the selected unit there, else selecting a unit,
 * else a step there.
 * @param {any} view @param {number} seat @param {Place} cell */
function clicked(view, seat, cell) {
  const { units, structures, tiles } = indexed(view);
  const there = units.get(place(cell)) ?? null;
  const unit = view.units.find(
    (/** @type {any} */ one) => one.id === selected(GAME) && one.owner === seat,
  );
  if (unit && there?.id === unit.id) return select(GAME, null);
  const beside = unit && Math.abs(unit.x - cell.x) + Math.abs(unit.y - cell.y) === 1;
  const structure = structures.get(place(cell)) ?? null;
  if (beside && !unit.acted) {
    const tile = tiles.get(place(cell));
    const aim = { unit: unit.id, x: cell.x, y: cell.y };
    const [pays, space] = [canPay(view, unit), room(view, unit)];
    if (
      unit.job === "soldier" &&
      (structure ? structure.owner !== seat : there && there.owner !== seat)
    )
      return { cmd: "attack", ...aim };
    if (unit.job === "missionary" && pays && there && there.owner === null)
      return { cmd: "convert", ...aim };
    if (unit.job === "builder" && pays && space > 0 && structure && structure.owner !== seat)
      return { cmd: "deconstruct", ...aim };
    if (unit.job === "gatherer" && pays && space > 0) {
      const store = structure?.type === "shelter" && structure.owner !== seat;
      if (store || (!there && !structure && tile?.harvest_rate && !tile.turns_to_harvest))
        return { cmd: "harvest", ...aim };
    }
  }
  if (beside && unit.food && structure?.type === "shelter" && structure.owner === seat) {
    return { cmd: "drop", unit: unit.id, x: cell.x, y: cell.y, resource: "food", amount: 0 };
  }
  if (there) return select(GAME, there.owner === seat ? there.id : null);
  const step = unit && stepTo(view, unit, cell);
  return step ? { cmd: "move", unit: unit.id, x: step.x, y: step.y } : null;
}

/** The first step of a shortest path, if the moves suffice.
 * @param {any} view @param {any} unit @param {Place} to @returns {Place|null} */
function stepTo(view, unit, to) {
  const ways = new Map(walkable(view, unit).map((one) => [place(one), one]));
  let step = ways.get(place(to));
  while (step && place(step.from) !== place(unit)) step = ways.get(place(step.from));
  return step ? { x: step.x, y: step.y } : null;
}

/** Whether a place is in range of a structure of this kind and seat.
 * @param {any} view @param {any} unit @param {string} type */
function near(view, unit, type) {
  return view.structures.some(
    (/** @type {any} */ one) =>
      one.type === type &&
      one.owner === unit.owner &&
      Math.max(Math.abs(one.x - unit.x), Math.abs(one.y - unit.y)) <= one.effect_radius,
  );
}

/** Whether a unit can pay for an action of its job; within range of a monument it costs half (RULES
 * §2, unless the config differs).
 * @param {any} view @param {any} unit */
function canPay(view, unit) {
  const cost = view.jobs?.[unit.job]?.action_cost ?? 0;
  return !unit.acted && unit.energy >= (near(view, unit, "monument") ? cost / 2 : cost);
}

/** How much more a unit can carry.
 * @param {any} view @param {any} unit */
function room(view, unit) {
  return (view.jobs?.[unit.job]?.carry_limit ?? Infinity) - unit.food - unit.materials;
}

/** The actions of the selected unit where it stands.
 * @param {any} view @param {any} unit
 * @returns {{label: string, command: any, enabled: boolean}[]} */
function actions(view, unit) {
  const { units, structures, tiles } = indexed(view);
  /** @type {{label: string, command: any, enabled: boolean}[]} */
  const found = [];
  /** @param {string} label @param {any} command @param {boolean} [enabled] */
  const offer = (label, command, enabled = true) =>
    found.push({ label, command: { ...command, unit: unit.id }, enabled });
  const full =
    unit.energy >=
    Math.max(DEFAULTS.max_energy, ...view.units.map((/** @type {any} */ one) => one.energy));
  offer("Rest", { cmd: "rest" }, !unit.acted && !full && near(view, unit, "shelter"));
  const cat = view.units.find(
    (/** @type {any} */ one) => one.owner === unit.owner && one.job === OVERLORD,
  );
  const beside = cat && Math.max(Math.abs(cat.x - unit.x), Math.abs(cat.y - unit.y)) <= 1;
  if (unit.job !== OVERLORD && beside && !unit.acted && full) {
    for (const name of JOBS)
      if (name !== unit.job) offer(`Become a ${name}`, { cmd: "change_job", job: name });
  }
  const [pays, space] = [canPay(view, unit), room(view, unit)];
  for (const [sign, dx, dy] of /** @type {[string, number, number][]} */ ([
    ["here", 0, 0],
    ...SIDES,
  ])) {
    const [x, y] = [unit.x + dx, unit.y + dy];
    const key = `${x},${y}`;
    const [tile, structure] = [tiles.get(key), structures.get(key)];
    const ripe = tile?.harvest_rate && !tile.turns_to_harvest && !structure;
    if (unit.job === "gatherer" && pays && space > 0 && ripe)
      offer(`Harvest ${sign}`, { cmd: "harvest", x, y });
    for (const resource of ["food", "materials"]) {
      if (tile?.[resource] && space > 0 && unit.energy >= 1)
        offer(`Pick up ${resource} ${sign}`, { cmd: "pickup", x, y, resource, amount: 0 });
    }
    if (
      unit.job === "builder" &&
      pays &&
      sign !== "here" &&
      !structure &&
      !view.map.road_rows.includes(y)
    ) {
      for (const type of ["wall", "shelter", "monument"]) {
        const cost = view.structure_types?.[type]?.materials ?? Infinity;
        if ((tile?.materials ?? 0) >= cost && (type === "shelter" || !units.has(key)))
          offer(`Build a ${type} ${sign}`, { cmd: "construct", x, y, type });
      }
    }
  }
  const here = structures.get(place(unit));
  for (const resource of ["food", "materials"]) {
    const fits = here
      ? here.owner === unit.owner && resource === "food"
      : !view.map.road_rows.includes(unit.y);
    if (unit[resource] && fits)
      offer(`Drop ${resource} here`, { cmd: "drop", x: unit.x, y: unit.y, resource, amount: 0 });
  }
  return found;
}
