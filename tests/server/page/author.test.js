// What the author of a bot gets to know from a record.

import assert from "node:assert/strict";
import { test } from "node:test";

import { changesOf } from "../../../server/web/lib/changes.js";
import { faultsOf, playOn, printedBy } from "../../../server/web/match/author.js";

const source = (more) => ({
  game: "pyrat",
  match: "p7k2",
  viewer: 1,
  fileName: "",
  end: 9,
  outcome: { seats: [{ outcome: "win" }, { outcome: "loss" }] },
  seats: [
    { name: "greedy", kind: "house" },
    { name: "mine", kind: "bot" },
  ],
  commands: [],
  platformEvents: [],
  turnAt: (index) => index,
  ...more,
});

test("changes name the fields, the positions and the cells of a grid", () => {
  const before = { turn: 1, rat: { at: [1, 2] }, map: ["#..", "..#"], gone: 1, same: { a: [1] } };
  const after = { turn: 2, rat: { at: [1, 3] }, map: ["#.o", "..#"], list: [1], same: { a: [1] } };

  const { changes, total } = changesOf(before, after, 4);

  assert.equal(total, 5);
  assert.deepEqual(changes, [
    { path: "turn", before: 1, after: 2 },
    { path: "rat.at[1]", before: 2, after: 3 },
    { path: "map[0][2]", before: ".", after: "o" },
    { path: "gone", before: 1, after: undefined },
  ]);
});

test("of a list that grew or shrank the items that came and went are named", () => {
  const { changes } = changesOf({ a: [[1], [2]], b: "left" }, { a: [[2], [3], [4]], b: "down" }, 9);

  assert.deepEqual(changes, [
    { path: "a[]", before: [1], after: undefined },
    { path: "a[]", before: undefined, after: [3] },
    { path: "a[]", before: undefined, after: [4] },
    { path: "b", before: "left", after: "down" },
  ]);
});

test("late, rejected and failed turns are one list by turn", () => {
  const faults = faultsOf(
    source({
      commands: [
        { turn: 2, command: "UP", code: "ok", why: "" },
        { turn: 4, command: "FLY", code: "bad_action", why: "expected UP" },
      ],
      platformEvents: [
        { turn: 3, event: "timeout", seat: 1, data: null },
        { turn: 5, event: "timeout", seat: 0, data: null },
        { turn: 6, event: "stall", seat: null, data: null },
      ],
    }),
  );

  assert.deepEqual(faults, [
    { turn: 3, text: "late: no answer in time" },
    { turn: 4, text: "bad action: expected UP", command: "FLY" },
  ]);
});

test("a log is read by the turns that it names", () => {
  const printed = printedBy("loading\nturn 3: left\nwhy not\n[4] right\n5 cheese\n");

  assert.deepEqual([...printed], [
    [0, ["loading"]],
    [3, ["turn 3: left", "why not"]],
    [4, ["[4] right", "5 cheese"]],
  ]);
});

test("the command plays on from a match of the server or from a file", () => {
  assert.equal(
    playOn(source(), 4, "https://arena.example"),
    "botarena play pyrat greedy mybot.py --from https://arena.example/match/p7k2#4 --watch",
  );
  assert.equal(
    playOn(source({ viewer: null, fileName: "pyrat-7-1.replay.jsonl" }), 4, ""),
    "botarena play pyrat greedy mine.py --from pyrat-7-1.journal.jsonl@4 --watch",
  );
});

test("no name from a record is more than a word to the shell", () => {
  const seats = [
    { name: "$(rm -rf ~)", kind: "bot" },
    { name: "; true", kind: "bot" },
  ];
  const text = playOn(source({ seats, fileName: "a'b $(x).replay.jsonl" }), 4, "");

  assert.equal(
    text,
    "botarena play pyrat greedy mybot.py --from 'a'\\''b $(x).journal.jsonl@4' --watch",
  );
});

test("nothing is played on from a match that is not over, or from its end", () => {
  assert.equal(playOn(source({ outcome: null }), 4, ""), null);
  assert.equal(playOn(source(), 8, ""), null);
});
