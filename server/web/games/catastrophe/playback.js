// What was done in a turn. The views show the land before and after it; ways and deeds follow from
// the difference: a shortest way over tiles that can be walked on, and who stood beside a change.

import { memo } from "../lib/cache.js";
import { between } from "../lib/paint.js";
import { SIDES, indexed, place } from "./tiles.js";

/** @typedef {import("../lib/paint.js").Place} Place */
/** Something done at a tile: who did it, from where, and a few characters.
 * @typedef {{kind: "attack"|"deconstruct"|"harvest"|"steal"|"drop"|"store"|"pickup"|"rest",
 *   seat: number, at: Place, from?: Place, amount: number, mark: string}} Deed */

/** Tiles that a search looks at beyond the straight distance. */
const DETOUR = 24;

/** The ways of all units that moved, by id: tiles from the old place to the new one.
 * @param {any} before @param {any} view @returns {Map<number, Place[]>} */
export function ways(before, view) {
  return memo(view, `ways${before.turn}`, () => {
    const [old, now] = [indexed(before), indexed(view)];
    const solid = (/** @type {Map<string, any>} */ built, /** @type {string} */ key) =>
      (built.get(key)?.type ?? "shelter") !== "shelter";
    const blocked = (/** @type {string} */ key) =>
      (solid(old.structures, key) && solid(now.structures, key)) ||
      (old.units.has(key) && old.units.get(key).id === now.units.get(key)?.id);
    const then = byId(before);
    /** @type {Map<number, Place[]>} */
    const found = new Map();
    for (const unit of view.units) {
      const from = then.get(unit.id);
      if (from && place(from) !== place(unit))
        found.set(unit.id, way(from, unit, view.map, blocked));
    }
    return found;
  });
}

/** A shortest way; straight if there is none.
 * @param {Place} from @param {Place} to @param {{width: number, height: number}} map
 * @param {(key: string) => boolean} blocked @returns {Place[]} */
function way(from, to, map, blocked) {
  const most = Math.abs(from.x - to.x) + Math.abs(from.y - to.y) + DETOUR;
  /** @type {Map<string, Place|null>} */
  const cameFrom = new Map([[place(from), null]]);
  let edge = [{ x: from.x, y: from.y }];
  for (let steps = 0; steps < most && edge.length && !cameFrom.has(place(to)); steps += 1) {
    /** @type {Place[]} */
    const next = [];
    for (const here of edge) {
      for (const [, dx, dy] of SIDES) {
        const there = { x: here.x + dx, y: here.y + dy };
        const key = place(there);
        const outside = there.x < 0 || there.y < 0 || there.x >= map.width || there.y >= map.height;
        if (outside || cameFrom.has(key) || (blocked(key) && key !== place(to))) continue;
        cameFrom.set(key, here);
        next.push(there);
      }
    }
    edge = next;
  }
  if (!cameFrom.has(place(to))) return [from, to];
  /** @type {Place[]} */
  const back = [];
  for (
    let at = /** @type {Place|null} */ ({ x: to.x, y: to.y });
    at;
    at = cameFrom.get(place(at)) ?? null
  )
    back.push(at);
  return back.reverse();
}

/** Where a unit is on its way, tile by tile.
 * @param {Place[]} tiles @param {number} share 0 to 1 @returns {Place} */
export function walked(tiles, share) {
  const along = share * (tiles.length - 1);
  const at = Math.min(Math.floor(along), tiles.length - 2);
  const [from, to] = [tiles[at], tiles[at + 1]];
  if (!from || !to) return /** @type {Place} */ (tiles.at(-1));
  return { x: between(from.x, to.x, along - at), y: between(from.y, to.y, along - at) };
}

/** @param {any} view @returns {Map<number, any>} */
const byId = (view) =>
  memo(view, "units", () => new Map(view.units.map((/** @type {any} */ unit) => [unit.id, unit])));

/** What the seat whose turn it was did, as far as the views tell.
 * @param {any} before @param {any} view @returns {Deed[]} */
export function deeds(before, view) {
  return memo(view, `deeds${before.turn}`, () => [...deedsOf(before, view)]);
}

/** @param {any} before @param {any} view @returns {Generator<Deed>} */
function* deedsOf(before, view) {
  const seat = before.current_player;
  const [then, now, trodden] = [byId(before), byId(view), ways(before, view)];
  const crew = view.units
    .filter((/** @type {any} */ unit) => unit.owner === seat && then.get(unit.id)?.owner === seat)
    .map((/** @type {any} */ unit) => ({
      unit,
      old: then.get(unit.id),
      tiles: trodden.get(unit.id) ?? [{ x: unit.x, y: unit.y }],
    }));
  /** The tile from which someone of the crew reached a tile.
   * @param {Place} at @param {(one: any) => boolean} could @returns {Place|undefined} */
  const from = (at, could) => {
    let [best, least] = [/** @type {Place|undefined} */ (undefined), 2];
    for (const one of crew.filter(could)) {
      for (const tile of one.tiles) {
        const far = Math.max(Math.abs(tile.x - at.x), Math.abs(tile.y - at.y));
        if (far < least) [best, least] = [tile, far];
      }
    }
    return best;
  };
  const paid = (/** @type {string} */ job) => (/** @type {any} */ one) =>
    one.old.job === job && one.unit.energy < one.old.energy;
  const soldier = paid("soldier");
  const [gatherer, builder] = [paid("gatherer"), paid("builder")];

  for (const old of before.units) {
    const unit = now.get(old.id);
    if (old.owner === seat) {
      if (unit?.owner === seat && unit.energy > old.energy && unit.job === old.job) {
        const amount = Math.round(unit.energy - old.energy);
        yield { kind: "rest", seat, at: unit, amount, mark: `rests +${amount}` };
      }
      continue;
    }
    const fell = unit && old.owner !== null && unit.owner === null;
    if (!unit || unit.owner === seat || (unit.energy >= old.energy && !fell)) continue;
    const amount = Math.round(fell ? old.energy : old.energy - unit.energy);
    const mark = fell ? `${old.job} falls` : `−${amount}`;
    yield { kind: "attack", seat, at: unit, from: from(unit, soldier), amount, mark };
  }
  const standing = new Map(view.structures.map((/** @type {any} */ one) => [one.id, one]));
  for (const old of before.structures) {
    const amount = old.materials - (standing.get(old.id)?.materials ?? 0);
    if (amount <= 0) continue;
    const worker = from(old, builder);
    const whence = worker ?? from(old, soldier);
    const kind = worker ? "deconstruct" : "attack";
    yield { kind, seat, at: old, from: whence, amount, mark: `−${amount} ${old.type}` };
  }
  yield* goods(before, view, seat, from, gatherer);
}

/** Food and materials: harvests, raids, drops, pickups.
 * @param {any} before @param {any} view @param {number} seat
 * @param {(at: Place, could: (one: any) => boolean) => Place|undefined} from
 * @param {(one: any) => boolean} gatherer @returns {Generator<Deed>} */
function* goods(before, view, seat, from, gatherer) {
  const tiles = indexed(view).tiles;
  const olds = indexed(before).tiles;
  const load = (/** @type {any} */ one) => one.unit.food + one.unit.materials;
  const oldLoad = (/** @type {any} */ one) => one.old.food + one.old.materials;
  for (const key of new Set([...olds.keys(), ...tiles.keys()])) {
    const [old, now] = [olds.get(key), tiles.get(key)];
    const at = now ?? old;
    if (old?.harvest_rate && !old.turns_to_harvest && now?.turns_to_harvest) {
      const amount = old.harvest_rate;
      yield {
        kind: "harvest",
        seat,
        at,
        from: from(at, gatherer),
        amount,
        mark: `harvest ${amount}`,
      };
    }
    for (const good of /** @type {const} */ (["food", "materials"])) {
      const more = (now?.[good] ?? 0) - (old?.[good] ?? 0);
      const built = good === "materials" && more < 0 && indexed(view).structures.has(key);
      if (!more || built) continue;
      const dropped = more > 0;
      const whence = from(at, (one) =>
        dropped ? load(one) < oldLoad(one) : load(one) > oldLoad(one),
      );
      if (!whence) continue;
      yield {
        kind: dropped ? "drop" : "pickup",
        seat,
        at,
        from: whence,
        amount: Math.abs(more),
        mark: `${dropped ? "drops" : "takes"} ${Math.abs(more)} ${good}`,
      };
    }
  }
  for (const player of view.players) {
    const gain = player.food - before.players[player.seat].food;
    const [least, most] = gain < 0 ? [-gain - player.upkeep, -gain] : [gain, gain];
    const own = player.seat === seat;
    const shelters = view.structures.filter(
      (/** @type {any} */ one) => one.type === "shelter" && one.owner === player.seat,
    );
    const could = own ? (/** @type {any} */ one) => one.unit.food <= one.old.food : gatherer;
    const unpaid =
      view.turn < 2 ||
      view.units.some((/** @type {any} */ one) => one.owner === player.seat && one.starving);
    const amount = own ? gain : unpaid ? most : least;
    const shelter = shelters.find((/** @type {any} */ one) => from(one, could));
    if (amount <= 0 || !shelter) continue;
    yield {
      kind: own ? "store" : "steal",
      seat,
      at: shelter,
      from: from(shelter, could),
      amount,
      mark: own ? `stores ${amount} food` : `steals ${amount} food`,
    };
  }
}
