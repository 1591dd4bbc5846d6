// The timeline of a match on a clock that only the test moves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Timeline } from "../../../server/web/match/timeline.js";
import { Source } from "../../../server/web/sources/source.js";

/** Frames that the test adds: turn 10 at frame 0, turn 11 at frame 1, ... */
class Frames extends Source {
  first = 0;
  end = 0;

  constructor(count, { live = false, tick = null } = {}) {
    super();
    this.end = count;
    this.live = live;
    this.clock = tick === null ? null : { tick_ms: tick };
  }

  turnAt(index) {
    return 10 + index;
  }
  viewAt(index) {
    return { frame: index };
  }
  indexOf(turn) {
    return turn - 10;
  }
}

class Clock {
  time = 0;
  timers = new Map();
  now = () => this.time;
  start = (run, ms) => {
    this.timers.set(this.timers.size + 1, [this.time + ms, run]);
    return this.timers.size;
  };
  stop = (timer) => this.timers.set(timer, null);

  /** Let time pass, and run what is due, in order. */
  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = [...this.timers]
        .filter(([, timer]) => timer && timer[0] <= end)
        .sort((one, other) => one[1][0] - other[1][0])[0];
      if (!due) break;
      this.timers.set(due[0], null);
      this.time = due[1][0];
      due[1][1]();
    }
    this.time = end;
  }
}

/** A timeline that shows `source`, and the events that it has dispatched. */
function shown(source, { startIndex, following, playing, still } = {}) {
  const clock = new Clock();
  const timeline = new Timeline({ clock, still: () => still ?? false });
  const events = [];
  for (const kind of ["begin", "seek", "advance", "state", "over"])
    timeline.addEventListener(kind, () => events.push(`${kind} ${timeline.index}`));
  timeline.attach(source, { startIndex, following, playing });
  timeline.begin();
  return { timeline, clock, events };
}

test("a replay begins at its start frame, after begin only", () => {
  const clock = new Clock();
  const timeline = new Timeline({ clock });
  timeline.attach(new Frames(5), { startIndex: () => 3 });
  timeline.seek(1);
  assert.deepEqual([timeline.shown, timeline.view, timeline.turn], [false, null, null]);

  timeline.begin();

  assert.deepEqual(
    [timeline.shown, timeline.view, timeline.turn, timeline.previous],
    [true, { frame: 3 }, 13, { frame: 2 }],
  );
});

test("a seek stays within the frames and shows no movement", () => {
  const { timeline, events } = shown(new Frames(5));

  timeline.seek(99);
  assert.deepEqual([timeline.index, timeline.atEnd, timeline.fraction], [4, true, 1]);
  timeline.seek(-3);
  assert.deepEqual([timeline.index, timeline.previous], [0, null]);
  assert.deepEqual(events, ["seek 0", "begin 0", "seek 4", "seek 0"]);
});

test("playing shows every frame in its time and stops at the end", () => {
  const { timeline, clock, events } = shown(new Frames(4, { tick: 100 }));

  timeline.play();
  clock.pass(99);
  assert.equal(timeline.index, 0);
  clock.pass(2);
  assert.deepEqual([timeline.index, timeline.playing], [1, true]);
  clock.pass(200);

  assert.deepEqual([timeline.index, timeline.playing, timeline.following], [3, false, false]);
  assert.deepEqual(events, [
    "seek 0",
    "begin 0",
    "state 0",
    "advance 1",
    "advance 2",
    "advance 3",
    "state 3",
  ]);
});

test("playing skips frames that no timer is fast enough for", () => {
  const { timeline, clock, events } = shown(new Frames(101, { tick: 16 }));
  for (let faster = 0; faster < 9; faster += 1) timeline.changeSpeed(1);
  assert.deepEqual([timeline.speed, timeline.frameMs], [16, 1]);

  timeline.play();
  clock.pass(48);

  assert.equal(timeline.index, 48);
  assert.equal(events.filter((event) => event.startsWith("advance")).length, 3);
});

test("a replay that is played at its end begins again", () => {
  const { timeline } = shown(new Frames(4), { startIndex: () => 3 });

  timeline.play();

  assert.deepEqual([timeline.index, timeline.playing], [0, true]);
});

test("the movement to a frame takes its time, and none if the person wants none", () => {
  for (const [still, fraction] of [
    [false, 0.25],
    [true, 1],
  ]) {
    const { timeline, clock } = shown(new Frames(4, { tick: 200 }), { still });

    timeline.step(1);
    clock.pass(50);

    assert.deepEqual(
      [timeline.index, timeline.previous, timeline.fraction],
      [1, { frame: 0 }, fraction],
    );
  }
});

test("a live match is followed until the viewer seeks back", () => {
  const source = new Frames(3, { live: true });
  const { timeline } = shown(source, { following: true });
  assert.deepEqual([timeline.index, timeline.following], [2, true]);

  source.end = 4;
  timeline.frameAdded();
  assert.equal(timeline.index, 3);

  timeline.step(-1);
  source.end = 5;
  timeline.frameAdded();
  assert.deepEqual([timeline.index, timeline.following], [2, false]);

  timeline.follow();
  assert.deepEqual([timeline.index, timeline.following], [4, true]);
});

test("the first frame of a live match is shown when it comes", () => {
  const source = new Frames(0, { live: true });
  const { timeline, events } = shown(source, { startIndex: () => source.end - 1, following: true });
  assert.deepEqual([timeline.shown, events], [false, []]);

  source.end = 1;
  timeline.frameAdded();

  assert.deepEqual(events, ["seek 0", "begin 0"]);
});

/** A live match of a game that shows a turn for 400 ms, at its first frame, played. */
function onAir(options) {
  const source = new Frames(1, { live: true, ...options });
  const parts = shown(source, { startIndex: () => source.end - 1, playing: true });
  const come = (count = 1) => {
    for (; count > 0; count -= 1) {
      source.end += 1;
      parts.timeline.frameAdded();
    }
  };
  const over = () => {
    source.live = false;
    parts.timeline.sourceEnded();
  };
  return { source, come, over, ...parts };
}

test("turns that come faster than people can see wait, and the end is shown when they get there", () => {
  const { timeline, clock, come, over, events } = onAir();
  come(10);
  over();
  assert.deepEqual([timeline.index, timeline.behind, timeline.atLive], [0, 10, false]);

  clock.pass(400);
  assert.deepEqual([timeline.index, timeline.onAir], [1, true]);
  clock.pass(3_599);
  assert.deepEqual([timeline.index, timeline.onAir, events.includes("over 10")], [9, true, false]);
  clock.pass(1);

  assert.deepEqual([timeline.index, timeline.onAir, timeline.playing], [10, false, false]);
  assert.deepEqual(events.slice(-3), ["advance 10", "over 10", "state 10"]);
});

test("a turn that people have waited for is shown when it comes", () => {
  const { timeline, clock, come } = onAir();
  clock.pass(5_000);

  come();
  assert.deepEqual([timeline.index, timeline.atLive], [1, true]);
  clock.pass(100);
  come();
  assert.equal(timeline.index, 1);
  clock.pass(300);

  assert.equal(timeline.index, 2);
});

test("the jump to live goes to the newest turn and stays with it however fast they come", () => {
  const { timeline, clock, come, over, events } = onAir();
  come(10);

  timeline.follow();
  come(5);
  assert.deepEqual([timeline.index, timeline.atLive, timeline.playing], [15, true, false]);
  timeline.pause();
  come(5);
  over();
  clock.pass(1_000);
  assert.deepEqual([timeline.index, timeline.onAir], [15, true]);

  timeline.follow();
  assert.deepEqual([timeline.index, events.at(-1)], [20, "over 20"]);
});

test("ticks that the network held up are caught up, those that the viewer left out are not", () => {
  for (const [missed, index, behind] of [
    [3, 13, 1],
    [40, 11, 40],
  ]) {
    const { timeline, clock, come } = onAir({ tick: 200 });
    come(missed);
    for (let tick = 0; tick < 11; tick += 1) {
      clock.pass(200);
      come();
    }
    assert.deepEqual([timeline.index, timeline.behind], [index, behind]);
  }
});

test("the record takes the place of the live match in the middle of a movement", () => {
  const { timeline, clock, come, over, events } = onAir();
  come(8);
  over();
  clock.pass(1_000);
  const { index, fraction, previous } = timeline;
  const record = new Frames(9);

  timeline.replace(record, timeline.turn);

  assert.deepEqual(
    [timeline.index, timeline.fraction, timeline.previous, timeline.onAir, timeline.playing],
    [index, fraction, previous, true, true],
  );
  clock.pass(199);
  assert.equal(timeline.index, 2);
  clock.pass(1);
  assert.equal(timeline.index, 3);
  clock.pass(2_000);
  assert.deepEqual([timeline.index, events.filter((event) => event === "over 8")], [8, ["over 8"]]);
});

test("frames that come to stand before the shown one leave it where it is", () => {
  const { timeline, source, come } = onAir();
  come(3);
  timeline.seek(2);
  const { turn } = timeline;
  source.turnAt = (index) => index;
  source.indexOf = (turn) => turn;
  source.end = 14;

  timeline.replace(source, turn);

  assert.deepEqual([timeline.index, timeline.turn, timeline.playing], [12, 12, true]);
});

test("frames that were taken back are not shown", () => {
  const source = new Frames(6, { live: true });
  const { timeline } = shown(source, { following: true });

  source.end = 4;
  timeline.framesTakenBack();

  assert.deepEqual([timeline.index, timeline.turn], [2, 12]);
});

test("pause stops playing and following", () => {
  const { timeline, clock } = shown(new Frames(9, { tick: 100 }));
  timeline.toggle();
  clock.pass(150);
  timeline.toggle();

  clock.pass(1_000);

  assert.deepEqual([timeline.index, timeline.playing], [1, false]);
});
