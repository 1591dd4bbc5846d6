// Live frames, reconnecting and drawings, without a socket.

import assert from "node:assert/strict";
import { test } from "node:test";

import { retryDelay } from "../../../server/web/sources/connection.js";
import { LiveSource } from "../../../server/web/sources/live.js";
import { overlaysOf } from "../../../server/web/sources/overlays.js";

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

test("the oldest frames are dropped, and the others keep their index", () => {
  const { source } = started();

  for (let turn = 1; turn <= 5_000; turn += 1) source.add({ turn, seq: turn }, { turn });

  assert.deepEqual(
    [source.first, source.end, source.turnAt(4_000), source.indexOf(4_000)],
    [500, 5_001, 4_000, 4_000],
  );
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
