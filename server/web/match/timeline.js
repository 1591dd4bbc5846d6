// Which frame of a match is shown, and how it moves from one to the next: play, pause, follow,
// step, speed. It knows no DOM, and its clock can be replaced, so that tests run it in node.
//
// A live match is played at the pace of its game too: what comes faster waits. So a match of fast
// bots is shown long after its last turn was played, and `onAir` until its end was shown.

import { Playhead } from "./playhead.js";

/** @typedef {import("../sources/source.js").Source} Source */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** How long a frame is shown at speed 1 where the game does not say. */
const PACE_MS = 400;
/** With no more frames waiting than this the match counts as shown live. */
const EDGE = 2;
/** Ticks that wait because the network was late, not because the viewer looked back, are shown a
 * little faster. */
const LATE_TICKS_MS = 2_000;
const HURRY = 0.8;
/** Timers fire no faster than this; frames that are due earlier are skipped. */
const MIN_WAIT_MS = 16;
/** Playing that is this far behind, as after a sleep of the machine, does not catch up. */
const MAX_LATE_MS = 1_000;
const MAX_STEP_MOVE_MS = 250;
const MAX_LIVE_MOVE_MS = 400;
/** Frames that come faster than this are shown without movement. */
const MIN_MOVE_MS = 45;

/** @typedef {Object} Clock
 * @property {() => number} now ms
 * @property {(run: () => void, ms: number) => number} start a timer
 * @property {(timer: number) => void} stop */

/** @type {Clock} */
const systemClock = {
  now: () => performance.now(),
  start: (run, ms) => setTimeout(run, ms),
  stop: (timer) => clearTimeout(timer),
};

/** Dispatches these events:
 * - `seek`: another frame is shown at once;
 * - `begin`: that was the first frame of the source;
 * - `advance`: the next frame is shown, by a movement;
 * - `state`: `playing`, `following` or `speed` may have changed;
 * - `over`: the end of a match was shown that was live when its source was attached. */
export class Timeline extends Playhead {
  /** @param {{clock?: Clock, still?: () => boolean}} [options] `still`: the person wants no
   * movement */
  constructor({ clock = systemClock, still = () => false } = {}) {
    super();
    this.clock = clock;
    this.still = still;
    /** The view that was shown before, null after a seek to the first frame.
     * @type {any} */
    this.previous = null;
    this.playing = false;
    /** The newest frame of a live match is shown, and the next one will be as soon as it comes. */
    this.following = false;
    this.speed = 1;
    /** How long the game wants a frame to be shown, ms. */
    this.paceMs = PACE_MS;
    /** The frame at which the source is begun.
     * @type {() => number} */
    this.startIndex = () => 0;
    this.movedAt = 0;
    this.moveMs = 0;
    /** When the last live frame came, and the smoothed time between two, ms. */
    this.frameAt = 0;
    this.gapMs = 0;
    this.playedUntil = 0;
    /** Playing has reached the newest frame, and goes on with the next one. */
    this.waiting = false;
    this.timer = 0;
  }

  /** Turn to another source. Nothing is shown before `begin`.
   * @param {Source|null} source
   * @param {{startIndex?: () => number, following?: boolean, playing?: boolean}} [options] whether
   *   it is followed, or played, from its first frame on */
  attach(source, { startIndex = () => 0, following = false, playing = false } = {}) {
    this.halt();
    this.source = source;
    this.ready = false;
    this.index = -1;
    this.startIndex = startIndex;
    this.following = following;
    this.playing = playing;
    this.onAir = source?.live ?? false;
  }

  /** The same match from another source, or a source that has more frames before the shown one: the
   * shown turn stays, and so does the movement.
   * @param {Source} source @param {number|null} turn the shown one */
  replace(source, turn) {
    const last = this.following || (turn !== null && source.turnAt(source.end - 1) <= turn);
    this.source = source;
    this.index = last || turn === null ? source.end - 1 : source.indexOf(turn);
    if (!source.live) this.following = false;
    this.clock.stop(this.timer);
    this.run();
    this.emit("state");
  }

  /** Show the first frame, as soon as there is one. */
  begin() {
    this.ready = true;
    const source = this.openSource;
    if (!source) return;
    if (this.index < source.first || this.following) this.first();
    this.emit("begin");
  }

  /** Show the first frame, and play from it on if that was wished. */
  first() {
    const { playing, following } = this;
    this.playing = false;
    this.seek(following ? Infinity : this.startIndex());
    if (!playing) return;
    this.following = false;
    this.play();
  }

  /** The match is shown as it is played. */
  get atLive() {
    return this.onAir && (this.following || (this.playing && this.behind <= EDGE));
  }

  /** How far the movement to this frame is, 0 to 1. */
  get fraction() {
    return this.moveMs === 0 ? 1 : Math.min(1, (this.clock.now() - this.movedAt) / this.moveMs);
  }

  /** ms from one frame to the next at the chosen speed. */
  get frameMs() {
    return (this.source?.clock?.tick_ms || this.paceMs) / this.speed;
  }

  /** Frames follow each other as fast as the display shows them, or faster. */
  get fast() {
    return this.playing && !this.waiting && this.frameMs < 2 * MIN_WAIT_MS;
  }

  /** Show a frame at once.
   * @param {number} index clamped to the frames of the source */
  seek(index) {
    const source = this.openSource;
    if (!source) return;
    this.index = Math.max(source.first, Math.min(index, source.end - 1));
    this.previous = this.index > source.first ? source.viewAt(this.index - 1) : null;
    this.moveMs = 0;
    this.following = source.live && this.index === source.end - 1;
    if (this.following) this.halt();
    else if (this.playing) this.play();
    this.emit("seek");
  }

  /** Pause, and move by this number of frames. One step forward is a movement.
   * @param {number} by */
  step(by) {
    this.pause();
    const source = this.openSource;
    if (!source) return;
    if (by === 1 && this.index < source.end - 1) {
      this.advance(Math.min(MAX_STEP_MOVE_MS, this.frameMs));
      this.following = source.live && this.index === source.end - 1;
      this.emit("state");
    } else {
      this.seek(this.index + by);
      if (by < 0) this.following = false;
    }
  }

  /** Play on from the shown frame; a match that is over and shown to its end, from the start. */
  play() {
    const source = this.openSource;
    if (!source) return;
    if (this.index >= source.end - 1 && !source.live && !this.playing) this.seek(source.first);
    this.clock.stop(this.timer);
    this.playing = true;
    this.following = false;
    this.playedUntil = this.clock.now();
    this.run();
    this.emit("state");
  }

  pause() {
    this.halt();
    this.following = false;
    this.emit("state");
  }

  /** Pause, and show a frame at once.
   * @param {number} index */
  pauseAt(index) {
    this.pause();
    this.seek(index);
  }

  toggle() {
    if (this.playing || this.following) this.pause();
    else this.play();
  }

  /** Jump to the newest frame and stay with it. */
  follow() {
    if (!this.source) return;
    this.halt();
    this.seek(this.source.end - 1);
  }

  /** Stop playing; what is shown and followed stays. */
  halt() {
    this.clock.stop(this.timer);
    this.playing = false;
    this.waiting = false;
  }

  /** Take the next faster or slower speed, if there is one.
   * @param {number} by 1 or -1 */
  changeSpeed(by) {
    const speed = SPEEDS[SPEEDS.indexOf(this.speed) + by];
    if (speed === undefined) return;
    this.speed = speed;
    this.emit("state");
  }

  /** One more frame came. */
  frameAdded() {
    const now = this.clock.now();
    if (this.frameAt)
      this.gapMs = this.gapMs ? 0.7 * this.gapMs + 0.3 * (now - this.frameAt) : now - this.frameAt;
    this.frameAt = now;
    const source = this.openSource;
    if (!source) return;
    if (this.index < source.first) {
      this.first();
      this.emit("begin");
    } else if (this.following) {
      this.index = Math.max(this.index, source.end - 2);
      this.advance(Math.min(MAX_LIVE_MOVE_MS, this.gapMs * 0.9));
    } else if (this.waiting) {
      this.run();
    }
  }

  /** No frame comes any more. */
  sourceEnded() {
    if (this.waiting) this.run();
    this.emit("state");
  }

  /** The source took frames back. */
  framesTakenBack() {
    const source = /** @type {Source} */ (this.source);
    if (this.atEnd) this.index = Math.max(source.first, source.end - 2);
  }

  /** Move to the next frame.
   * @param {number} ms of the movement */
  advance(ms) {
    const source = /** @type {Source} */ (this.source);
    if (this.index >= source.end - 1) return;
    this.index += 1;
    this.previous = source.viewAt(this.index - 1);
    this.movedAt = this.clock.now();
    this.moveMs = this.still() || ms < MIN_MOVE_MS ? 0 : ms;
    this.emit("advance");
  }

  /** Play what is due, and come back when more is. May be called at any time, as with each
   * animation frame. */
  run() {
    const { source } = this;
    if (!this.playing || !source) return;
    this.clock.stop(this.timer);
    const frameMs = this.frameMs * (this.isLate ? HURRY : 1);
    const now = this.clock.now();
    const last = source.end - 1;
    const due = Math.min(Math.floor((now - this.playedUntil) / frameMs), last - this.index);
    if (due > 0) {
      this.playedUntil = this.waiting ? now : this.playedUntil + due * frameMs;
      if (now - this.playedUntil > MAX_LATE_MS) this.playedUntil = now;
      this.index += due - 1;
      this.advance(frameMs);
    }
    this.waiting = source.live && this.index >= last;
    if (this.waiting) return;
    if (this.index >= last) {
      this.playing = false;
      this.emit("state");
      return;
    }
    this.timer = this.clock.start(
      () => this.run(),
      Math.max(MIN_WAIT_MS, this.playedUntil + frameMs - this.clock.now()),
    );
  }

  /** Whether ticks wait that came late. */
  get isLate() {
    return (
      this.onAir &&
      Boolean(this.source?.clock?.tick_ms) &&
      this.behind >= EDGE &&
      this.behind * this.frameMs < LATE_TICKS_MS
    );
  }
}
