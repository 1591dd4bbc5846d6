// What just happened, called out on the board: a ring, a few characters that rise, a line from
// where it came. It fades by itself.

import { letters, line, ring } from "../games/lib/paint.js";

/** @typedef {import("../games/contract.js").GameEvent} GameEvent */
/** @typedef {import("../games/contract.js").Renderer} Renderer */
/** @typedef {import("../games/contract.js").Scene} Scene */

const LIFE_MS = 1100;
/** The age, 0 to 1, at which they are shown to people who want no movement. */
const STILL_AGE = 0.3;
const MOST = 14;
/** Of several this near to each other, cells, each comes this much later. */
const NEAR = 3;
const STAGGER_MS = 220;
/** Frames passed at once whose events are still called out. */
const RECENT = 4;

export class Callouts {
  constructor() {
    /** @type {{event: GameEvent, born: number}[]} */
    this.shown = [];
    this.index = -1;
  }

  /** Forget all: another moment is shown.
   * @param {number} index of the frame */
  clear(index) {
    this.shown = [];
    this.index = index;
  }

  /** Call out the events of the frames up to `index`, `delay` ms from now. Returns them all.
   * @param {(index: number) => GameEvent[]} eventsAt @param {number} index
   * @param {number} delay */
  advance(eventsAt, index, delay) {
    const events = [];
    const since = this.index < index ? this.index + 1 : index;
    for (let at = Math.max(since, index - RECENT); at <= index; at += 1)
      events.push(...eventsAt(at));
    this.index = index;
    const born = performance.now() + delay;
    const placed = events.filter((event) => event.at);
    const near = (/** @type {GameEvent} */ one, /** @type {GameEvent} */ other) =>
      Math.hypot(one.at.x - other.at.x, one.at.y - other.at.y) < NEAR;
    for (const [place, event] of placed.entries()) {
      const crowd = placed.slice(0, place).filter((other) => near(event, other)).length;
      this.shown.push({ event, born: born + crowd * STAGGER_MS });
    }
    this.shown = this.shown.slice(-MOST);
    return events;
  }

  /** Whether any is left to be drawn. */
  get alive() {
    const now = performance.now();
    this.shown = this.shown.filter(({ born }) => now < born + LIFE_MS);
    return this.shown.length > 0;
  }

  /** @param {CanvasRenderingContext2D} ctx @param {Renderer} renderer @param {Scene} scene
   * @param {{width: number, height: number}} box */
  draw(ctx, renderer, scene, box) {
    const now = performance.now();
    for (const { event, born } of this.shown) {
      const age = (now - born) / LIFE_MS;
      if (age >= 0 && age < 1) callout(ctx, renderer, scene, box, event, age);
    }
  }
}

/** The callouts of one frame for people who want no movement.
 * @param {CanvasRenderingContext2D} ctx @param {Renderer} renderer @param {Scene} scene
 * @param {{width: number, height: number}} box @param {GameEvent[]} events */
export function still(ctx, renderer, scene, box, events) {
  for (const event of events.filter((one) => one.at).slice(-MOST))
    callout(ctx, renderer, scene, box, event, STILL_AGE);
}

/** @param {CanvasRenderingContext2D} ctx @param {Renderer} renderer @param {Scene} scene
 * @param {{width: number, height: number}} box @param {GameEvent} event @param {number} age */
function callout(ctx, renderer, { theme, view, seats }, box, event, age) {
  if (!renderer.middle) return;
  const { x, y, cell } = renderer.middle(event.at, view, box);
  const colour =
    event.kind === "bad"
      ? theme.bad
      : event.kind === "good"
        ? theme.good
        : event.seat === null
          ? theme.soft
          : (seats[event.seat]?.colour ?? theme.ink);
  const reach = Math.max(cell, box.width / 40);
  ctx.globalAlpha = 1 - age;
  if (event.from) {
    const from = renderer.middle(event.from, view, box);
    ctx.lineCap = "round";
    line(
      ctx,
      [
        [from.x, from.y],
        [x, y],
      ],
      colour,
      Math.max(reach * 0.12, 2),
    );
  }
  ring(ctx, x, y, reach * (0.45 + 0.7 * age), colour, Math.max(reach * 0.1 * (1 - age), 1));
  ctx.globalAlpha = Math.min(1, 2 * (1 - age));
  const size = Math.max(13, Math.min(reach * 0.62, box.width / 28)) * (event.text ? 1 : 0.75);
  if (event.mark)
    letters(
      ctx,
      event.mark,
      ...inside(x, y - reach * (0.55 + 0.7 * age), size, event.mark, box),
      size,
      {
        colour,
        font: theme.font,
        weight: 800,
        halo: theme.panel,
      },
    );
  ctx.globalAlpha = 1;
}

/** The nearest place at which a text is within the box.
 * @param {number} x @param {number} y @param {number} size @param {string} text
 * @param {{width: number, height: number}} box @returns {[number, number]} */
function inside(x, y, size, text, box) {
  const half = (text.length * size) / 3;
  return [Math.max(half, Math.min(x, box.width - half)), Math.max(size, y)];
}
