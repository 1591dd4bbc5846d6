// The platform's events as the page tells them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clockFacts, countdown, limitsText } from "../../../server/web/match/clock-text.js";
import { isAway, missedTurns, runText, runsOf } from "../../../server/web/match/platform-events.js";

const SEATS = [{ name: "rat" }, { name: "python" }];
const event = (turn, kind, seat = null, data = null) => ({ turn, event: kind, seat, data });
const texts = (events, until = Infinity) => runsOf(events, until, SEATS).map((run) => runText(run, "pyrat"));

test("the latest event comes first, and none after the shown turn", () => {
  const events = [event(1, "away", 0), event(2, "back", 0), event(5, "timeout", 1)];

  assert.deepEqual(texts(events), [
    "python ran out of time",
    "rat is back",
    "rat lost the connection",
  ]);
  assert.deepEqual(texts(events, 4), ["rat is back", "rat lost the connection"]);
});

test("repeated events of a seat are one line with a count", () => {
  const events = [
    event(1, "timeout", 0),
    event(2, "timeout", 0),
    event(2, "timeout", 1),
    event(3, "back", 0),
    event(4, "timeout", 0),
  ];

  assert.deepEqual(texts(events), [
    "rat ran out of time",
    "rat is back",
    "python ran out of time",
    "rat ran out of time · 2 times since turn 1",
  ]);
  assert.deepEqual(texts([event(3, "stall"), event(3, "stall")]), [
    "the server stalled; the time was credited · 2 times",
  ]);
});

test("all stalls of the server are one line, at the first", () => {
  const events = [event(2, "stall"), event(3, "resumed"), event(5, "stall"), event(7, "away", 0)];

  assert.deepEqual(texts(events), [
    "rat lost the connection",
    "the match goes on after a restart",
    "the server stalled; the time was credited · 2 times until turn 5",
  ]);
});

test("what a bot says is quoted, as text or in `text`; its drawings are not listed", () => {
  const events = [
    event(1, "info", 1, { draw: [] }),
    event(2, "info", 0, "hello"),
    event(3, "info", 9, { text: "x".repeat(500) }),
    event(4, "steps"),
  ];

  assert.deepEqual(texts(events), [`seat 9 “${"x".repeat(160)}”`, "rat “hello”"]);
});

test("an event without a text of its own is shown by its name", () => {
  assert.deepEqual(texts([event(1, "brand_new", 0)]), ["rat brand new"]);
});

test("missed turns and lost connections count up to the shown turn", () => {
  const events = [
    event(1, "timeout", 0),
    event(2, "silent", 0),
    event(2, "timeout", 1),
    event(3, "away", 0),
    event(6, "back", 0),
    event(7, "timeout", 0),
  ];

  assert.deepEqual(
    [missedTurns(events, 0, 6), missedTurns(events, 0, 7), missedTurns(events, 1, 1)],
    [2, 3, 0],
  );
  assert.deepEqual(
    [2, 3, 5, 6].map((turn) => isAway(events, 0, turn)),
    [false, true, true, false],
  );
});

test("time limits in words", () => {
  assert.equal(limitsText(null, false), "");
  assert.equal(limitsText({ tick_ms: 200 }, true), "a tick every 200 ms");
  assert.equal(
    limitsText({ turn_ms: 2_000, bank_ms: 30_000, increment_ms: 500 }, false),
    "2 s a turn, bank 30 s, + 500 ms",
  );
  assert.equal(limitsText({ turn_ms: 2_000, human_turn_ms: 60_000 }, true), "60 s a turn for you");
  assert.deepEqual(
    [limitsText({}, false), limitsText({}, true)],
    ["no time limit", "no time limit for you"],
  );
  assert.deepEqual([countdown(-5), countdown(59_001), countdown(61_000)], ["0 s", "1:00", "1:01"]);
});
