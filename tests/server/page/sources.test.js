// Live frames, reconnecting and drawings, without a socket.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Replay } from "../../../server/web/lib/replay.js";
import { retryDelay } from "../../../server/web/sources/connection.js";
import { LiveSource } from "../../../server/web/sources/live.js";
import { overlaysOf } from "../../../server/web/sources/overlays.js";
import { printedIn } from "../../../server/web/sources/seat.js";

/** A live source after its start message, what it has dispatched, and what it would have sent. */
function started() {
  const source = new LiveSource("p7k2");
  const [events, sent] = [[], []];
  for (const kind of ["start", "frame", "rewound", "update", "end"])
    source.addEventListener(kind, () => events.push(kind));
  source.connection.send = (message) => sent.push(message);
  source.receive({
    type: "start",
    game: "pyrat",
    seats: [],
    config: {},
    clock: null,
    seat: null,
    turn: 0,
    seq: 0,
    view: { turn: 0, maze: [1] },
  });
  return { source, events, sent };
}

const frames = (source) =>
  Array.from({ length: source.end - source.first }, (_, at) => [
    source.turnAt(source.first + at),
    source.viewAt(source.first + at),
  ]);

test("views and deltas become frames that share what did not change", () => {
  const { source, events } = started();

  source.receive({ type: "delta", turn: 1, seq: 1, base: 0, delta: { turn: [1] } });
  source.receive({ type: "view", turn: 2, seq: 2, view: { turn: 2, maze: [1] } });

  assert.deepEqual(frames(source), [
    [0, { turn: 0, maze: [1] }],
    [1, { turn: 1, maze: [1] }],
    [2, { turn: 2, maze: [1] }],
  ]);
  assert.equal(source.viewAt(2).maze, source.viewAt(0).maze);
  assert.deepEqual(events, ["start", "frame", "frame", "frame"]);
});

test("deltas that do not apply request one whole view", () => {
  const { source, sent } = started();

  source.receive({ type: "delta", turn: 2, seq: 2, base: 1, delta: { turn: [2] } });
  source.receive({ type: "delta", turn: 3, seq: 3, base: 2, delta: { turn: [3] } });
  assert.deepEqual([source.end, sent], [1, [{ type: "resync" }]]);

  source.receive({ type: "view", turn: 3, seq: 4, view: { turn: 3 } });
  source.receive({ type: "delta", turn: 4, seq: 6, base: 5, delta: {} });
  assert.deepEqual([source.end, sent.length], [2, 2]);
});

test("an earlier turn takes back what came after it", () => {
  const { source, events } = started();
  for (const turn of [1, 2, 3]) source.receive({ type: "view", turn, seq: turn, view: { turn } });
  events.length = 0;

  source.receive({ type: "view", turn: 2, seq: 4, view: { turn: 2, again: true } });

  assert.deepEqual(frames(source).at(-1), [2, { turn: 2, again: true }]);
  assert.deepEqual([source.end, events], [3, ["rewound", "frame"]]);
});

/** The text of a history up to a turn. */
function history(until) {
  const lines = [{ k: "history", format: 2, game: "pyrat", seats: [] }];
  lines.push({ k: "view", n: 0, view: { turn: 0, maze: [1] } });
  for (let turn = 1; turn <= until; turn += 1) {
    lines.push({ k: "event", n: turn - 1, e: "timeout", s: 0, d: { timeouts: turn } });
    lines.push({ k: "delta", n: turn, delta: { turn: [turn] } });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** A source that came at turn 100, with what it has requested. */
function late() {
  const source = new LiveSource("p7k2");
  const asked = [];
  source.fill = () => asked.push(source.lastTurn);
  source.receive({ type: "start", seats: [], turn: 100, seq: 7, view: { turn: 100, maze: [1] } });
  source.receive({ type: "event", turn: 100, event: "away", seat: 1, data: null });
  source.receive({ type: "delta", turn: 101, seq: 8, base: 7, delta: { turn: [101] } });
  return { source, asked };
}

test("who comes late gets what was shown before, and the same turns stay", () => {
  for (const until of [99, 100, 101]) {
    const { source, asked } = late();
    const before = [];
    source.addEventListener("history", ({ detail }) => before.push(detail.turns[1]));

    assert.ok(source.takeHistory(new Replay(history(until))));
    source.receive({ type: "delta", turn: 102, seq: 9, base: 8, delta: { turn: [102] } });

    assert.deepEqual([asked, before], [[-1], [101]]);
    assert.deepEqual(
      frames(source).map(([turn, view]) => [turn, view.turn, view.maze]),
      Array.from({ length: 103 }, (_, turn) => [turn, turn, [1]]),
    );
    assert.deepEqual(
      source.platformEvents.map((event) => event.turn),
      [...Array(until).keys(), 100],
    );
  }
});

test("a history that ends before the first view that came is requested again", () => {
  const { source } = late();

  assert.equal(source.takeHistory(new Replay(history(98))), false);
  assert.deepEqual(
    [source.end, source.turnAt(98), source.turnAt(99), source.viewAt(99)],
    [101, 98, 100, { turn: 100, maze: [1] }],
  );
  assert.equal(source.takeHistory(new Replay(history(100))), true);
  assert.equal(source.end, 102);
});

test("what was shown while there was no connection is requested when it is back", () => {
  const { source, asked } = late();

  source.receive({ type: "start", seats: [], turn: 102, seq: 1, view: { turn: 102 } });
  source.receive({ type: "start", seats: [], turn: 110, seq: 1, view: { turn: 110 } });

  assert.deepEqual(asked, [-1, 102]);
});

test("a long live match is kept in chunks, and frames that were taken back leave them", () => {
  const { source } = started();
  for (let turn = 1; turn < 400; turn += 1)
    source.receive({ type: "delta", turn, seq: turn, base: turn - 1, delta: { turn: [turn] } });

  for (const index of [0, 399, 73, 200, 350, 51, 120])
    assert.equal(source.viewAt(index).turn, index);
  assert.ok(source.record.chunks.size <= 6);
  source.receive({ type: "view", turn: 340, seq: 400, view: { turn: 340 } });
  source.receive({ type: "delta", turn: 340, seq: 401, base: 400, delta: { again: [true] } });
  source.receive({ type: "delta", turn: 341, seq: 402, base: 401, delta: { turn: [341] } });

  assert.deepEqual(frames(source).slice(-3), [
    [339, { turn: 339, maze: [1] }],
    [340, { turn: 340, again: true }],
    [341, { turn: 341, again: true }],
  ]);
});

test("a lost connection comes back, unless the match is over or refused", () => {
  const { source } = started();
  assert.deepEqual([source.lost(), source.status.kind], [true, "lost"]);

  source.receive({ type: "error", code: "busy", text: "Later.", retry: true });
  assert.equal(source.lost(), true);

  source.receive({ type: "error", code: "match_over", text: "It is over.", retry: false });
  assert.deepEqual(
    [source.lost(), source.status, source.live],
    [false, { kind: "refused", text: "It is over." }, false],
  );

  const { source: other, events } = started();
  other.receive({ type: "end", outcome: { winner: 0 } });
  assert.deepEqual([other.lost(), other.status.kind, events.at(-1)], [false, "over", "end"]);
});

test("attempts are frequent while the seat is held, and never more than 5 s apart", () => {
  for (let again = 0; again < 200; again += 1) {
    const first = retryDelay(0, 0, 10_000);
    const held = retryDelay(3, 9_000, 10_000);
    const late = retryDelay(50, 3_600_000, 10_000);

    assert.ok(
      first >= 25 && first <= 50 && held >= 450 && held <= 900 && late >= 0 && late <= 5_000,
      `${first} ${held} ${late}`,
    );
  }
});

test("only valid drawings are drawn", () => {
  const draw = [
    { kind: "cell", x: 1, y: 2, colour: "#abc" },
    { kind: "cell", x: "1", y: 2 },
    { kind: "arrow", from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, colour: "red" },
    { kind: "arrow", from: null },
    { kind: "text", x: 3, y: 4, text: "y".repeat(99) },
    { kind: "circle", x: 1, y: 1 },
    null,
  ];

  assert.deepEqual(overlaysOf({ turn: 1, event: "info", seat: 1, data: { draw } }), [
    { kind: "cell", x: 1, y: 2, seat: 1, colour: "#abc" },
    { kind: "arrow", from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, seat: 1 },
    { kind: "text", x: 3, y: 4, text: "y".repeat(60), seat: 1 },
  ]);
  assert.deepEqual(overlaysOf({ turn: 1, event: "info", seat: 1, data: { draw: "no list" } }), []);
});

test("a handed-in bot's log belongs to the turns that people read", () => {
  const log = [
    { turn: "", text: "loaded\n", fault: null },
    { turn: "2b", text: "left\nright\n", fault: null },
    { turn: "2b", text: null, fault: "late" },
    { turn: "end", text: "bye", fault: null },
  ];

  const printed = printedIn(log, "cookoff", 7);
  assert.deepEqual(
    [...printed],
    [
      [0, ["loaded"]],
      [3, ["left\nright", "late"]],
      [7, ["bye"]],
    ],
  );
});
