// The points of each seat and the events of every frame, for the chart and the event list. Each
// frame is read once: as it comes when live, in idle moments for a replay.

/** @typedef {import("../games/contract.js").GameEvent} GameEvent */
/** @typedef {import("../games/contract.js").Renderer} Renderer */
/** @typedef {import("../games/contract.js").SeatInfo} SeatInfo */
/** @typedef {import("../sources/source.js").Source} Source */

/** The longest stretch of work, and the pause after it, ms. */
const SLICE_MS = 6;
const PAUSE_MS = 12;

export class Digest {
  /** @param {Source} source @param {Renderer} renderer @param {SeatInfo[]} seats
   * @param {() => void} onProgress called after each stretch of work */
  constructor(source, renderer, seats, onProgress) {
    this.source = source;
    this.renderer = renderer;
    this.seats = seats;
    this.onProgress = onProgress;
    this.base = source.first;
    /** By frame, from `base` on; undefined for frames that were dropped before they were read.
     * @type {(number[]|undefined)[]} */
    this.points = [];
    /** @type {(GameEvent[]|undefined)[]} */
    this.events = [];
    this.timer = 0;
  }

  /** One more than the last frame that was read. */
  get end() {
    return this.base + this.points.length;
  }

  /** Read the frames that are new, soon. */
  catchUp() {
    if (this.timer) return;
    this.timer = setTimeout(() => this.work(), 0);
  }

  /** Forget the frames that the source took back. */
  rewind() {
    const kept = Math.max(0, Math.min(this.points.length, this.source.end - 1 - this.base));
    this.points.length = kept;
    this.events.length = kept;
  }

  work() {
    this.timer = 0;
    const until = performance.now() + SLICE_MS;
    while (this.end < this.source.first) {
      this.points.push(undefined);
      this.events.push(undefined);
    }
    while (this.end < this.source.end && performance.now() < until) this.read(this.end);
    this.onProgress();
    if (this.end < this.source.end) this.timer = setTimeout(() => this.work(), PAUSE_MS);
  }

  /** @param {number} index */
  read(index) {
    const view = this.source.viewAt(index);
    const before = index > this.source.first ? this.source.viewAt(index - 1) : null;
    const points = this.seats.map(() => 0);
    for (const score of this.renderer.scores(view, this.seats)) points[score.seat] = score.points;
    this.points.push(points);
    this.events.push(before === null ? [] : this.renderer.events(before, view, this.seats));
  }

  /** @param {number} index */
  eventsAt(index) {
    return this.events[index - this.base] ?? [];
  }

  /** The points by seat; undefined for a frame that was not read.
   * @param {number} index */
  pointsAt(index) {
    return this.points[index - this.base];
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
  }
}
