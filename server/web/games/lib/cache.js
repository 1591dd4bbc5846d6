// What renderers paint or compute once: layers, stamps, values of a view.

import { scaleOf } from "./paint.js";

/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("./paint.js").Context} Context */
/** @typedef {import("./paint.js").Box} Box */

/** Device pixels of all layers except the two newest: some 100 MB. */
const MAX_PIXELS = 24e6;
const MAX_STAMPS = 1500;

/** @typedef {{canvas: OffscreenCanvas, ctx: OffscreenCanvasRenderingContext2D, painted: any}}
 * Layer */
/** By key, the last used one last.
 * @type {Map<string, Layer>} */
const layers = new Map();

/** A cached picture: `paint` fills it once for each key, size and scale. It returns what the
 * picture shows, which is kept as `painted`: the caller may repaint parts and change it.
 * @param {string} key @param {Box} box @param {number} scale
 * @param {(ctx: OffscreenCanvasRenderingContext2D) => any} paint
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
    dropOldLayers();
  } else {
    layers.delete(whole);
    layers.set(whole, kept);
  }
  return kept;
}

/** Drop the least recently used layers until the others are within the limit. */
function dropOldLayers() {
  let pixels = 0;
  const newestFirst = [...layers].reverse();
  for (const [index, [key, { canvas }]] of newestFirst.entries()) {
    pixels += canvas.width * canvas.height;
    if (index > 1 && pixels > MAX_PIXELS) layers.delete(key);
  }
}

/** A cached picture of one object, usually a view. It is painted again for another object.
 * @param {string} key @param {Box} box @param {number} scale @param {any} view
 * @param {(ctx: OffscreenCanvasRenderingContext2D) => void} paint @returns {Layer} */
export function viewLayer(key, box, scale, view, paint) {
  const kept = layer(key, box, scale, () => undefined);
  if (kept.painted !== view) {
    kept.ctx.clearRect(0, 0, box.width, box.height);
    paint(kept.ctx);
    kept.painted = view;
  }
  return kept;
}

/** By key and size.
 * @type {Map<string, OffscreenCanvas>} */
const stamps = new Map();

/** Draw a small picture that occurs in many places. It is painted once for each key and size,
 * around (0, 0), `reach` pixels to every side.
 * @param {Context} ctx @param {string} key @param {number} x @param {number} y
 * @param {number} reach
 * @param {(ctx: OffscreenCanvasRenderingContext2D) => void} paint */
export function stamp(ctx, key, x, y, reach, paint) {
  const scale = scaleOf(ctx);
  const side = Math.max(1, Math.ceil(2 * reach * scale));
  const whole = `${key}|${side}`;
  let kept = stamps.get(whole);
  if (!kept) {
    if (stamps.size >= MAX_STAMPS) stamps.clear();
    kept = new OffscreenCanvas(side, side);
    const under = /** @type {OffscreenCanvasRenderingContext2D} */ (kept.getContext("2d"));
    under.setTransform(scale, 0, 0, scale, side / 2, side / 2);
    paint(under);
    stamps.set(whole, kept);
  }
  // At whole device pixels, so that it is sharp.
  const [left, top] = [
    Math.round(x * scale - side / 2) / scale,
    Math.round(y * scale - side / 2) / scale,
  ];
  ctx.drawImage(kept, left, top, side / scale, side / scale);
}

/** Draw a layer onto the canvas.
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

/** The part of a key that stands for the colours of a layer.
 * @param {Theme} theme */
export function themeKey(theme) {
  return `${theme.dark}${theme.ground}${theme.panel}${theme.ink}${theme.seats.join("")}`;
}

/** The part of a key that stands for the colours and the names of a layer.
 * @param {Scene} scene */
export function namesKey({ theme, seats, viewer }) {
  return `${themeKey(theme)}${viewer}${seats.map((seat) => seat.name + seat.colour).join("|")}`;
}

/** @type {WeakMap<object, Map<string, any>>} */
const values = new WeakMap();

/** A value that is computed once for a view or a part of one.
 * @template T @param {object} view @param {string} name @param {() => T} compute @returns {T} */
export function memo(view, name, compute) {
  let known = values.get(view);
  if (!known) values.set(view, (known = new Map()));
  if (!known.has(name)) known.set(name, compute());
  return known.get(name);
}
