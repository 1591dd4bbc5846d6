// A turn as people read it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { endText, roundText, turnNumber, turnText } from "../../../server/web/lib/turns.js";

test("a game whose turns have parts shows its own number and a letter", () => {
  assert.deepEqual(
    [0, 1, 2, 199, 999].map((turn) => turnText("cookoff", turn)),
    ["1a", "1b", "2a", "100b", "500b"],
  );
  assert.deepEqual(
    [0, 1, 199].map((turn) => turnText("pyrat", turn)),
    ["0", "1", "199"],
  );
  assert.equal(turnText("cookoff", null), "–");
});

test("a game of days shows them beside the turn", () => {
  assert.deepEqual(
    [0, 1, 2, null].map((turn) => roundText("catastrophe", turn)),
    [", day 1", ", day 1", ", day 2", ""],
  );
  assert.equal(roundText("pyrat", 7), "");
});

test("at the end of a match the last turn that was played is shown", () => {
  assert.equal(endText("cookoff", 1000), "500b");
  assert.equal(endText("pyrat", 61), "61");
});

test("every turn is found again by its text", () => {
  for (const game of ["pyrat", "cookoff"])
    for (let turn = 0; turn < 50; turn += 1)
      assert.equal(turnNumber(game, turnText(game, turn)), turn);
  assert.equal(turnNumber("cookoff", "100"), 198);
  for (const [game, text] of [
    ["pyrat", "3a"],
    ["cookoff", "0"],
    ["cookoff", "3c"],
    ["cookoff", "last"],
    ["pyrat", ""],
  ])
    assert.equal(turnNumber(game, text), null);
});
