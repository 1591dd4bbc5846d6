// What a turn of Catastrophe did, as the page reads it from the views before and after.

import assert from "node:assert/strict";
import { test } from "node:test";

import { deeds, walked, ways } from "../../../server/web/games/catastrophe/playback.js";

const unit = (id, x, y, more = {}) => ({
  id, x, y, owner: 0, job: "gatherer", energy: 100, food: 0, materials: 0, starving: false, ...more,
});
const view = (turn, units, more = {}) => ({
  turn,
  current_player: turn % 2,
  units,
  structures: [],
  tiles: [],
  players: [{ seat: 0, food: 10, upkeep: 2 }, { seat: 1, food: 10, upkeep: 2 }],
  map: { width: 8, height: 6 },
  ...more,
});
const wall = (id, x, y) => ({ id, type: "wall", owner: null, x, y, materials: 75 });
const kinds = (before, after) => deeds(before, after).map(({ kind, mark }) => [kind, mark]);

test("a unit walks around walls and units that stand, tile by tile", () => {
  const structures = [0, 1, 2, 3].map((y) => wall(20 + y, 3, y));
  const before = view(4, [unit(1, 2, 2), unit(2, 2, 3)], { structures });
  const after = view(5, [unit(1, 4, 2), unit(2, 2, 3)], { structures });

  const way = ways(before, after).get(1);

  assert.deepEqual([way[0], way.at(-1)], [{ x: 2, y: 2 }, { x: 4, y: 2 }]);
  for (const [at, tile] of way.slice(1).entries())
    assert.equal(Math.abs(tile.x - way[at].x) + Math.abs(tile.y - way[at].y), 1);
  assert.ok(way.every(({ x, y }) => x !== 3 || y > 3));
  assert.ok(way.every(({ x, y }) => x !== 2 || y !== 3));
  assert.deepEqual(walked(way, 0), way[0]);
  assert.deepEqual(walked(way, 1), way.at(-1));
});

test("harvest, rest and attack are shown where they happened", () => {
  const tile = { x: 1, y: 0, harvest_rate: 40, turns_to_harvest: 0, food: 0, materials: 0 };
  const soldier = { job: "soldier" };
  const before = view(
    4,
    [unit(1, 0, 0), unit(2, 5, 5, { energy: 20 }), unit(3, 4, 0, soldier), unit(4, 5, 0, { owner: 1 })],
    { tiles: [tile] },
  );
  const after = view(
    5,
    [
      unit(1, 0, 0, { energy: 75, food: 40 }),
      unit(2, 5, 5, { energy: 45 }),
      unit(3, 4, 0, { ...soldier, energy: 75 }),
      unit(4, 5, 0, { owner: 1, energy: 75 }),
    ],
    { tiles: [{ ...tile, turns_to_harvest: 9 }] },
  );

  assert.deepEqual(kinds(before, after), [
    ["rest", "rests +25"],
    ["attack", "−25"],
    ["harvest", "harvest 40"],
  ]);
  assert.deepEqual(deeds(before, after)[1].from, { x: 4, y: 0 });
});

test("a raid is no upkeep, a drop from a store", () => {
  const shelter = { id: 9, type: "shelter", owner: 1, x: 1, y: 0, materials: 50 };
  const before = view(4, [unit(1, 0, 0), unit(2, 5, 5, { food: 8 })], { structures: [shelter] });
  const after = view(5, [unit(1, 0, 0, { energy: 75, food: 5 }), unit(2, 5, 5)], {
    structures: [shelter],
    tiles: [{ x: 5, y: 4, harvest_rate: 0, turns_to_harvest: 0, food: 8, materials: 0 }],
    players: [{ seat: 0, food: 10, upkeep: 2 }, { seat: 1, food: 3, upkeep: 2 }],
  });
  const quiet = view(5, before.units, {
    structures: [shelter],
    players: [{ seat: 0, food: 10, upkeep: 2 }, { seat: 1, food: 8, upkeep: 2 }],
  });

  assert.deepEqual(kinds(before, after), [
    ["drop", "drops 8 food"],
    ["steal", "steals 5 food"],
  ]);
  assert.deepEqual(kinds(before, quiet), []);
});
