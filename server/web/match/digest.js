// The plotted points of each seat and the events of every frame, for the chart and the event list.
// Each frame is read once: as it comes when live, in idle moments for a replay.

/** @typedef {import("../games/contract.js").GameEvent} GameEvent */
/** @typedef {import("../games/contract.js").Renderer} Renderer */
/** @typedef {import("../games/contract.js").SeatInfo} SeatInfo */
/** @typedef {import("../sources/source.js").Source} Source */

/** The longest stretch of work, and the pause after it, ms. */
const SLICE_MS = 6;
const PAUSE_MS = 4;
/** Frames for which there is room at first. */
const ROOM = 256;

export class Digest {
  /** @param {Source} source @param {Renderer} renderer @param {SeatInfo[]} seats
   * @param {() => void} onProgress called after each stretch of work */
  constructor(source, renderer, seats, onProgress) {
    this.source = source;
    this.renderer = renderer;
    this.seats = seats;
    this.onProgress = onProgress;
    this.base = source.first;
    /** One more than the last frame that was read. */
    this.end = this.base;
    /** By frame from `base` on, and then by seat; NaN for frames that were dropped before they were
     * read. There is room for more. */
    this.points = new Float64Array(0);
    /** By frame, where there are any.
     * @type {Map<number, GameEvent[]>} */
    this.events = new Map();
    this.timer = 0;
  }

  /** The frame here of a frame of `source`. While a source that takes the place of another is read,
   * this is still the other one's digest, which may have fewer frames.
   * @param {Source} source @param {number} index */
  indexIn(source, index) {
    return source === this.source ? index : this.source.indexOf(source.turnAt(index));
  }

  /** Read the frames that are new, soon. */
  catchUp() {
    if (this.timer) return;
    this.timer = setTimeout(() => this.work(), 0);
  }

  /** Read all frames again: others came to stand before them. */
  restart() {
    this.forget(this.base);
    this.catchUp();
  }

  /** Forget the frames that the source took back. */
  rewind() {
    this.forget(Math.max(this.base, Math.min(this.end, this.source.end - 1)));
  }

  /** Forget the frames from this one on.
   * @param {number} end */
  forget(end) {
    this.end = end;
    for (const index of this.events.keys()) if (index >= end) this.events.delete(index);
  }

  work() {
    this.timer = 0;
    const until = performance.now() + SLICE_MS;
    while (this.end < this.source.first) this.add(this.seats.map(() => NaN));
    while (this.end < this.source.end && performance.now() < until) this.read(this.end);
    this.onProgress();
    if (this.end < this.source.end) this.timer = setTimeout(() => this.work(), PAUSE_MS);
  }

  /** @param {number} index */
  read(index) {
    const view = this.source.viewAt(index);
    const before = index > this.source.first ? this.source.viewAt(index - 1) : null;
    const points = this.seats.map(() => 0);
    for (const score of this.renderer.scores(view, this.seats))
      points[score.seat] = score.plot ?? score.points;
    const events = before === null ? [] : this.renderer.events(before, view, this.seats);
    const worded = events.filter((event) => event.text);
    if (worded.length > 0) this.events.set(index, worded);
    this.add(points);
  }

  /** @param {number[]} points of the next frame, by seat */
  add(points) {
    const at = (this.end - this.base) * points.length;
    if (at + points.length > this.points.length) {
      const larger = new Float64Array(1.5 * at + ROOM * points.length);
      larger.set(this.points);
      this.points = larger;
    }
    this.points.set(points, at);
    this.end += 1;
  }

  /** @param {number} index */
  eventsAt(index) {
    return this.events.get(index) ?? [];
  }

  /** The points by seat; undefined for a frame that was not read.
   * @param {number} index */
  pointsAt(index) {
    if (index < this.base || index >= this.end) return undefined;
    const { length } = this.seats;
    const at = (index - this.base) * length;
    const points = this.points.subarray(at, at + length);
    return Number.isNaN(points[0]) ? undefined : points;
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
  }
}
