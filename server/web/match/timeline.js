// Which frame of a match is shown, and how it moves from one to the next: play, pause, follow,
// step, speed. It knows no DOM, and its clock can be replaced, so that tests run it in node.

/** @typedef {import("../sources/source.js").Source} Source */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** A whole replay of a game without a clock takes this long at speed 1, within the limits of a
 * single frame. */
const WHOLE_MS = 90_000;
const MAX_FRAME_MS = 900;
const MIN_FRAME_MS = 40;
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
 * - `state`: `playing`, `following` or `speed` may have changed. */
export class Timeline extends EventTarget {
  /** @param {{clock?: Clock, still?: () => boolean}} [options] `still`: the person wants no
   * movement */
  constructor({ clock = systemClock, still = () => false } = {}) {
    super();
    this.clock = clock;
    this.still = still;
    /** @type {Source|null} */
    this.source = null;
    /** Frames may be shown: it is known how the game is drawn. */
    this.ready = false;
    /** The frame that is shown; below `source.first` none is. */
    this.index = -1;
    /** The view that was shown before, null after a seek to the first frame.
     * @type {any} */
    this.previous = null;
    this.playing = false;
    /** The newest frame of a live match is shown, and the next one will be. */
    this.following = false;
    this.speed = 1;
    /** The frame at which the source is begun.
     * @type {() => number} */
    this.startIndex = () => 0;
    this.movedAt = 0;
    this.moveMs = 0;
    /** When the last live frame came, and the smoothed time between two, ms. */
    this.frameAt = 0;
    this.paceMs = 0;
    this.playedUntil = 0;
    this.timer = 0;
  }

  /** Turn to another source. Nothing is shown before `begin`.
   * @param {Source|null} source
   * @param {{startIndex?: () => number, following?: boolean}} [options] */
  attach(source, { startIndex = () => 0, following = false } = {}) {
    this.halt();
    this.source = source;
    this.ready = false;
    this.index = -1;
    this.startIndex = startIndex;
    this.following = following;
  }

  /** Show the first frame, as soon as there is one. */
  begin() {
    this.ready = true;
    const source = this.openSource;
    if (!source) return;
    if (this.following) this.seek(source.end - 1);
    else if (this.index < source.first) this.seek(this.startIndex());
    this.emit("begin");
  }

  /** The source, if frames of it can be shown. */
  get openSource() {
    const { source } = this;
    return source && this.ready && source.end > source.first ? source : null;
  }

  /** Whether a frame is shown. A source may have dropped the one that was. */
  get shown() {
    const { source } = this;
    return source !== null && this.index >= source.first && this.index < source.end;
  }

  get atEnd() {
    return this.source !== null && this.index >= this.source.end - 1;
  }

  /** The view that is shown, untouched. */
  get view() {
    return this.shown ? /** @type {Source} */ (this.source).viewAt(this.index) : null;
  }

  get turn() {
    return this.shown ? /** @type {Source} */ (this.source).turnAt(this.index) : null;
  }

  /** How far the movement to this frame is, 0 to 1. */
  get fraction() {
    return this.moveMs === 0 ? 1 : Math.min(1, (this.clock.now() - this.movedAt) / this.moveMs);
  }

  /** ms from one frame to the next at the chosen speed. */
  get frameMs() {
    const source = /** @type {Source} */ (this.source);
    const tick = source.clock?.tick_ms ?? source.config?.tick_ms;
    const base =
      tick ||
      Math.max(
        MIN_FRAME_MS,
        Math.min(MAX_FRAME_MS, WHOLE_MS / Math.max(1, source.end - source.first)),
      );
    return base / this.speed;
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

  play() {
    const source = this.openSource;
    if (!source || this.playing) return;
    if (this.index >= source.end - 1) {
      if (source.live) {
        this.follow();
        return;
      }
      this.seek(source.first);
    }
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
      this.paceMs = this.paceMs
        ? 0.7 * this.paceMs + 0.3 * (now - this.frameAt)
        : now - this.frameAt;
    this.frameAt = now;
    const source = this.openSource;
    if (!source) return;
    if (this.index < source.first) {
      this.seek(this.index < 0 ? this.startIndex() : source.first);
      this.emit("begin");
    } else if (this.following) {
      this.index = Math.max(this.index, source.end - 2);
      this.advance(Math.min(MAX_LIVE_MOVE_MS, this.paceMs * 0.9));
    }
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

  /** Play what is due, and come back when more is. */
  run() {
    const { source } = this;
    if (!this.playing || !source) return;
    const { frameMs } = this;
    const now = this.clock.now();
    let due = Math.floor((now - this.playedUntil) / frameMs);
    if (due > 0) {
      this.playedUntil += due * frameMs;
      if (now - this.playedUntil > MAX_LATE_MS) this.playedUntil = now;
      due = Math.min(due, source.end - 1 - this.index);
      if (due > 1) this.index += due - 1;
      this.advance(frameMs);
    }
    if (this.index >= source.end - 1) {
      this.playing = false;
      this.following = source.live;
      this.emit("state");
      return;
    }
    this.timer = this.clock.start(
      () => this.run(),
      Math.max(MIN_WAIT_MS, this.playedUntil + frameMs - this.clock.now()),
    );
  }

  /** @param {"begin"|"seek"|"advance"|"state"} kind */
  emit(kind) {
    this.dispatchEvent(new Event(kind));
  }
}
