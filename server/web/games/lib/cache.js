// What renderers paint or compute once: layers, stamps, values of a view.

import { scaleOf } from "./paint.js";

/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("./paint.js").Context} Context */
/** @typedef {import("./paint.js").Box} Box */

/** Device pixels that kept layers may have together, besides the two newest: some 100 MB. */
const KEPT_PIXELS = 24e6;
const STAMPS = 1500;

/** @typedef {{canvas: OffscreenCanvas, ctx: OffscreenCanvasRenderingContext2D, painted: any}} Layer */
/** The newest last.
 * @type {Map<string, Layer>} */
const layers = new Map();

/** A picture that is kept: `paint` fills it once for each key, size and scale. What changes only here and there is repainted by the caller,
 * who notes under `painted` what it shows.
 * @param {string} key @param {Box} box @param {number} scale @param {(ctx: OffscreenCanvasRenderingContext2D) => any} paint
 * @returns {Layer} */
export function layer(key, box, scale, paint) {
  const whole = `${key}|${box.width}x${box.height}@${scale}`;
  let kept = layers.get(whole);
  if (!kept) {
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(box.width * scale)),
      Math.max(1, Math.round(box.height * scale)),
    );
    const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    kept = { canvas, ctx, painted: paint(ctx) };
    layers.set(whole, kept);
    forget();
  } else {
    layers.delete(whole);
    layers.set(whole, kept);
  }
  return kept;
}

/** Drops the layers that were not used for longest, until the others are few enough. */
function forget() {
  let pixels = 0;
  const newestFirst = [...layers].reverse();
  for (const [index, [key, { canvas }]] of newestFirst.entries()) {
    pixels += canvas.width * canvas.height;
    if (index > 1 && pixels > KEPT_PIXELS) layers.delete(key);
  }
}

/** A picture of one thing, usually a view, that is painted again when another one is shown; `painted` is the one it shows.
 * @param {string} key @param {Box} box @param {number} scale @param {any} of
 * @param {(ctx: OffscreenCanvasRenderingContext2D) => void} paint @returns {Layer} */
export function viewLayer(key, box, scale, of, paint) {
  const kept = layer(key, box, scale, () => undefined);
  if (kept.painted !== of) {
    kept.ctx.clearRect(0, 0, box.width, box.height);
    paint(kept.ctx);
    kept.painted = of;
  }
  return kept;
}

/** Small pictures by key.
 * @type {Map<string, OffscreenCanvas>} */
const stamps = new Map();

/** A small picture that stands on many places: painted once for each key and size around (0, 0), `reach` pixels to every side.
 * @param {Context} ctx @param {string} key @param {number} x @param {number} y @param {number} reach
 * @param {(ctx: OffscreenCanvasRenderingContext2D) => void} paint */
export function stamp(ctx, key, x, y, reach, paint) {
  const scale = scaleOf(ctx);
  const side = Math.max(1, Math.ceil(2 * reach * scale));
  const whole = `${key}|${side}`;
  let kept = stamps.get(whole);
  if (!kept) {
    if (stamps.size >= STAMPS) stamps.clear();
    kept = new OffscreenCanvas(side, side);
    const under = /** @type {OffscreenCanvasRenderingContext2D} */ (kept.getContext("2d"));
    under.setTransform(scale, 0, 0, scale, side / 2, side / 2);
    paint(under);
    stamps.set(whole, kept);
  }
  // On whole device pixels, so that it stays sharp.
  const [left, top] = [
    Math.round(x * scale - side / 2) / scale,
    Math.round(y * scale - side / 2) / scale,
  ];
  ctx.drawImage(kept, left, top, side / scale, side / scale);
}

/** Puts a layer where it belongs.
 * @param {Context} ctx @param {Layer} kept @param {Box} box */
export function drawLayer(ctx, kept, box) {
  ctx.drawImage(
    kept.canvas,
    0,
    0,
    kept.canvas.width,
    kept.canvas.height,
    0,
    0,
    box.width,
    box.height,
  );
}

/** What a layer's colours depend on.
 * @param {Theme} theme */
export function themeKey(theme) {
  return `${theme.dark}${theme.ground}${theme.panel}${theme.ink}${theme.seats.join("")}`;
}

/** What a layer with names on it depends on besides.
 * @param {Scene} scene */
export function namesKey({ theme, seats, viewer }) {
  return `${themeKey(theme)}${viewer}${seats.map((seat) => seat.name + seat.colour).join("|")}`;
}

/** @type {WeakMap<object, Map<string, any>>} */
const notes = new WeakMap();

/** What was worked out of a view, or a part of one, once.
 * @template T @param {object} about @param {string} what @param {() => T} work @returns {T} */
export function memo(about, what, work) {
  let known = notes.get(about);
  if (!known) notes.set(about, (known = new Map()));
  if (!known.has(what)) known.set(what, work());
  return known.get(what);
}
