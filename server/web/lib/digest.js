// What is to be told of every frame of a match: the points of each seat and what happened. Made once per frame, on the fly when live,
// in idle moments for a replay.

/** @typedef {import("../games/contract.js").Renderer} Renderer */
/** @typedef {import("../games/contract.js").SeatInfo} SeatInfo */
/** @typedef {import("../games/contract.js").Told} Told */
/** @typedef {import("./sources.js").Source} Source */

/** ms of work in one go. */
const SLICE_MS = 6;

export class Digest {
  /** @param {Source} source @param {Renderer} renderer @param {SeatInfo[]} seats @param {() => void} grown */
  constructor(source, renderer, seats, grown) {
    this.source = source;
    this.renderer = renderer;
    this.seats = seats;
    this.grown = grown;
    this.base = source.first;
    /** @type {(number[]|undefined)[]} */
    this.points = [];
    /** @type {(Told[]|undefined)[]} */
    this.told = [];
    this.timer = 0;
  }

  /** One more than the last frame that is digested. */
  get end() { return this.base + this.points.length; }

  /** Take in what the source has more of. */
  catchUp() {
    if (this.timer) return;
    this.timer = window.setTimeout(() => this.work(), 0);
  }

  /** Forget what the source took back. */
  rewind() {
    const kept = Math.max(0, Math.min(this.points.length, this.source.end - 1 - this.base));
    this.points.length = kept;
    this.told.length = kept;
  }

  work() {
    this.timer = 0;
    const until = performance.now() + SLICE_MS;
    while (this.end < this.source.first) {
      this.points.push(undefined);
      this.told.push(undefined);
    }
    while (this.end < this.source.end && performance.now() < until) this.add(this.end);
    this.grown();
    if (this.end < this.source.end) this.timer = window.setTimeout(() => this.work(), 12);
  }

  /** @param {number} index */
  add(index) {
    const view = this.source.viewAt(index);
    const before = index > this.source.first ? this.source.viewAt(index - 1) : null;
    const points = this.seats.map(() => 0);
    for (const score of this.renderer.scores(view, this.seats)) points[score.seat] = score.points;
    this.points.push(points);
    this.told.push(before === null ? [] : this.renderer.events(before, view, this.seats));
  }

  /** What was told in a frame.
   * @param {number} index */
  toldAt(index) { return this.told[index - this.base] ?? []; }

  /** @param {number} index */
  pointsAt(index) { return this.points[index - this.base]; }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
  }
}
