// How the clocks of the seats run.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clockFacts } from "../../../server/web/match/clock-text.js";
import { clocksByTurn, leftAt, nextChange } from "../../../server/web/match/seat-clock.js";
import { HumanSource } from "../../../server/web/sources/human.js";
import { LiveSource } from "../../../server/web/sources/live.js";

const clock = (within_ms, bank_ms = null, since = 100) => ({ within_ms, bank_ms, since });

test("the time of the turn runs first, then the bank, and neither below zero", () => {
  const left = [0, 600, 3_100, 4_100, 99_000].map((now) => leftAt(clock(3_000, 2_000), now));

  assert.deepEqual(left, [
    { within_ms: 3_000, bank_ms: 2_000 },
    { within_ms: 2_500, bank_ms: 2_000 },
    { within_ms: 0, bank_ms: 2_000 },
    { within_ms: 0, bank_ms: 1_000 },
    { within_ms: 0, bank_ms: 0 },
  ]);
});

test("the clock of a seat that is not asked stands, and so does one that was stopped", () => {
  for (const still of [clock(null, 9_000), clock(5_000, 9_000, null)]) {
    assert.deepEqual(leftAt(still, 50_000), { within_ms: still.within_ms, bank_ms: 9_000 });
    assert.equal(nextChange(still, 50_000), null);
  }
});

test("the next change is when another number is shown, and none comes after the end", () => {
  for (const one of [clock(2_500), clock(0, 2_500), clock(60_000, 1_000)]) {
    let now = 100;
    const shown = [JSON.stringify(clockFacts(one, now))];
    for (let wait = nextChange(one, now); wait !== null; wait = nextChange(one, now)) {
      assert.ok(wait > 0 && wait <= 1_001, `${wait} ms`);
      assert.equal(JSON.stringify(clockFacts(one, now + wait - 2)), shown.at(-1));
      now += wait;
      shown.push(JSON.stringify(clockFacts(one, now)));
    }
    assert.equal(new Set(shown).size, shown.length);
    assert.ok(now >= 100 + (one.within_ms ?? 0) + (one.bank_ms ?? 0));
  }
});

test("what is left is a fact of the seat's row, marked in words when it is low", () => {
  assert.deepEqual(clockFacts(null, 0), []);
  assert.deepEqual(clockFacts(clock(30_000, 60_000), 100), [
    ["time", "30 s"],
    ["bank", "1:00"],
  ]);
  assert.deepEqual(clockFacts(clock(30_000, 60_000), 82_100), [["bank", "8 s (low)"]]);
  assert.deepEqual(clockFacts(clock(null, 8_000), 0), [["bank", "8 s"]]);
  assert.deepEqual(clockFacts(clock(30_000), 25_100), [["time", "5 s (low)"]]);
  assert.deepEqual(clockFacts(clock(30_000), 90_000), [["time", "0 s (low)"]]);
  assert.deepEqual(clockFacts(clock(1_000), 100), []);
});

const LIMITS = {
  tick_ms: null,
  lockstep: false,
  turn_ms: 5_000,
  human_turn_ms: 90_000,
  bank_ms: 0,
  increment_ms: 0,
  absence: "waits",
};

/** A source that has got its start and the view of turn 1.
 * @param {any} source */
function started(source, { limits = {}, seat = null, view = {} } = {}) {
  globalThis.document ??= { querySelector: () => null };
  source.wholeView = (given) => given;
  source.fill = () => {};
  source.connection = { established() {}, send() {} };
  const seats = ["bot", "human"].map((kind, number) => ({ seat: number, role: "", name: kind, kind }));
  const first = { turn: 0, seq: 0, view: { n: 0 } };
  source.receive({ type: "start", ...first, game: "pyrat", seat, seats, config: {}, clock: { ...LIMITS, ...limits } });
  source.receive({ type: "view", turn: 1, seq: 1, view: { n: 1 }, act: false, ...view });
  return source;
}

const shown = (source, index = source.end - 1) =>
  [0, 1].map((seat) => {
    const { within_ms, bank_ms, since } = source.clockAt(index, seat) ?? {};
    return [within_ms, bank_ms, since !== null && since !== undefined];
  });

test("a viewer's clocks run from the view, with what the start message says of all seats", () => {
  const source = started(new LiveSource("m1"));

  assert.deepEqual(shown(source), [
    [5_000, null, true],
    [90_000, null, true],
  ]);
  source.receive({ type: "end", outcome: {} });
  assert.deepEqual(shown(source), [
    [null, null, false],
    [null, null, false],
  ]);
});

test("the event clock says who is asked, and the banks of earlier turns stay", () => {
  const source = started(new LiveSource("m1"), { limits: { turn_ms: 0, bank_ms: 60_000 } });
  assert.equal(source.clockAt(source.end - 1, 0), null);
  const data = { within_ms: [0, null], bank_ms: [59_000, 60_000] };
  source.receive({ type: "event", event: "clock", turn: 1, seat: null, data });
  const now = shown(source);
  source.receive({ type: "view", turn: 2, seq: 2, view: { n: 2 }, act: false });

  assert.deepEqual(now, [
    [0, 59_000, true],
    [null, 60_000, true],
  ]);
  assert.deepEqual(shown(source, source.end - 2), [
    [null, 59_000, false],
    [null, 60_000, false],
  ]);
});

test("a page that is opened in mid-turn shows the clocks as those that were open before", () => {
  const source = started(new LiveSource("m1"), { limits: { turn_ms: 30_000 } });
  const data = { within_ms: [30_000, null], spent_ms: 29_000 };
  source.receive({ type: "event", event: "clock", turn: 1, seat: null, data });
  const [asked, other] = [0, 1].map((seat) => source.clockAt(source.end - 1, seat));

  assert.deepEqual(clockFacts(asked, performance.now()), [["time", "1 s (low)"]]);
  assert.deepEqual(clockFacts(other, performance.now()), []);
});

test("the clock of a seat that the match waits for stands until it is back", () => {
  const source = started(new LiveSource("m1"));
  const say = (event) => source.receive({ type: "event", event, turn: 1, seat: 0, data: null });
  say("away");
  const [away, other] = shown(source);
  say("back");

  assert.deepEqual([away[2], other[2], shown(source)[0][2]], [false, true, true]);
  assert.ok(away[0] <= 5_000);
});

test("the clock of a seat that was away before its turn stands until it is back", () => {
  const source = started(new LiveSource("m1"));
  source.receive({ type: "event", event: "away", turn: 1, seat: 0, data: null });
  source.receive({ type: "view", turn: 2, seq: 2, view: { n: 2 }, act: false });
  const [away, other] = shown(source);
  source.receive({ type: "event", event: "back", turn: 2, seat: 0, data: null });

  assert.deepEqual([away, other[2]], [[5_000, null, false], true]);
  assert.deepEqual(shown(source)[0], [5_000, null, true]);
});

test("a person who plays sees the own clock, or that of the others, with all banks", () => {
  const limits = { bank_ms: 60_000 };
  const banks_ms = [41_000, null];
  const own = { act: true, within_ms: 80_000, bank_ms: null, banks_ms };
  const mine = started(new HumanSource("m1", 1, "s_1"), { limits, seat: 1, view: own });
  const others = started(new HumanSource("m1", 1, "s_1"), { limits, seat: 1, view: { banks_ms } });

  assert.deepEqual(shown(mine), [
    [null, 41_000, true],
    [80_000, null, true],
  ]);
  assert.deepEqual(shown(others), [
    [5_000, 41_000, true],
    [null, null, true],
  ]);
});

test("a replay shows the bank as each turn opened, and what the seat took of its newest turn", () => {
  const clocks = clocksByTurn([
    { turn: 3, within_ms: [1_000, null], bank_ms: [60_000, null], used_ms: [1_449, null] },
    { turn: 4, within_ms: [null, null], bank_ms: [59_551, null], used_ms: [null, 70_260] },
    { turn: 5, within_ms: [1_000, 1_000], bank_ms: null, used_ms: [812.345, null] },
  ]);
  const shown = [...clocks].map(([turn, seats]) => [turn, ...seats.map((one) => clockFacts(one, 0))]);

  assert.deepEqual(shown, [
    [3, [["took", "1.4 s of 1 s"], ["bank", "1:00"]], []],
    [4, [["took", "1.4 s of 1 s"], ["bank", "1:00"]], [["took", "70.3 s"]]],
    [5, [["took", "812 ms of 1 s"]], []],
  ]);
});
