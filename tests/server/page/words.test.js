// Outcomes and names as people read them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { distinct, versusLine } from "../../../server/web/lib/names.js";
import { verdict } from "../../../server/web/lib/verdict.js";

const SEATS = [{ name: "greedy" }, { name: "wanderer" }];
const sentence = (outcome) => verdict(outcome, SEATS).sentence;

test("a verdict is a sentence without codes", () => {
  const win = { outcome: "win", winner: 0 };
  const draw = { outcome: "draw", winner: null };

  assert.deepEqual(
    [
      { ...win, reason: "max_ticks", ticks: 2000 },
      { ...win, reason: "majority", turns: 1 },
      { ...win, reason: "max_turns", via: "more_units", turns: 330 },
      { ...win, reason: "more_units", via: "max_turns", turns: 330 },
      { ...win, reason: "two_wins" },
      { ...draw, reason: "max_turns", turns: 200 },
      { ...draw, reason: "two_draws" },
      { outcome: "forfeit", winner: 1, reason: "timeout", turns: 3 },
      { outcome: "both_lost", winner: null, reason: "disconnect" },
      { outcome: "aborted", winner: null, reason: "idle" },
    ].map(sentence),
    [
      "greedy wins on points after 2,000 ticks.",
      "greedy wins with more than half of the cheese after 1 turn.",
      "greedy wins with more units after 330 turns.",
      "greedy wins with more units after 330 turns.",
      "greedy wins by rounds won.",
      "A draw after 200 turns.",
      "A draw: both agreed to abandon rounds often enough.",
      "wanderer wins: greedy ran out of time.",
      "Both lost: both lost the connection.",
      "Aborted: no one played.",
    ],
  );
});

test("of several losers one may have resigned", () => {
  const three = [...SEATS, { name: "crusher" }];
  const { how } = verdict({ outcome: "win", winner: 1, reason: "resignation" }, three);

  assert.equal(how, "a player resigned");
});

test("a reason that the page does not know is shown as words", () => {
  assert.equal(sentence({ outcome: "win", winner: 0, reason: "new_rule" }), "greedy wins (new rule).");
});

test("bots of one name get numbers, others keep theirs", () => {
  const names = ["greedy", "best", "greedy", null].map((name) => ({ name }));

  assert.deepEqual(
    distinct(names).map(({ name }) => name),
    ["greedy 1", "best", "greedy 2", null],
  );
  assert.equal(versusLine(names), "greedy 1 – best – greedy 2 – free");
});
