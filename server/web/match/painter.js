// Draws the shown frame with the game's renderer, as often as the machine can afford, and fits the
// canvas to the stage.

import { el } from "../lib/dom.js";
import { plain, readable } from "../lib/renderers.js";
import { theme } from "../lib/theme.js";
import { turnText } from "../lib/turns.js";
import { pngOf } from "./snapshot.js";

/** @typedef {import("../games/contract.js").Renderer} Renderer */
/** @typedef {import("../games/contract.js").SeatInfo} SeatInfo */
/** @typedef {import("../sources/source.js").Source} Source */
/** @typedef {import("./timeline.js").Timeline} Timeline */

/** The share of the time that drawing may take, and the limits of the gap between two drawings
 * that follows from it. */
const DRAW_SHARE = 0.06;
const MAX_GAP_MS = 150;
const MIN_GAP_MS = 33;
/** Views before the shown one that a renderer gets. */
const TRAIL = 40;
const MAX_PIXEL_RATIO = 2;

export class Painter {
  /** @param {Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    this.canvas = el("canvas", { role: "img", "aria-label": "The board" });
    this.text = el("pre", {
      class: "as-text",
      tabindex: "0",
      "aria-label": "The view of this turn",
      hidden: true,
    });
    this.stage = el("div", { class: "stage" }, this.canvas, this.text);
    /** @type {Renderer} */
    this.renderer = plain;
    /** The game has no renderer; its view is shown as text. */
    this.asText = true;
    /** @type {SeatInfo[]} */
    this.seats = [];
    /** Whether the drawings of the bots are shown. */
    this.showsOverlays = true;
    /** The cell under the pointer.
     * @type {{x: number, y: number}|null} */
    this.hover = null;
    /** The size of the drawing, CSS pixels. */
    this.box = { width: 0, height: 0 };
    this.ratio = 1;
    this.timer = 0;
    this.drawnAt = 0;
    /** The smoothed time of a drawing with its painting by the browser, ms. */
    this.costMs = 0;
    /** Its message arrives when the browser has painted. */
    this.painted = new MessageChannel();
    this.canvas.addEventListener("pointermove", (event) =>
      this.point(event.offsetX, event.offsetY),
    );
    this.canvas.addEventListener("pointerleave", () => this.point(-1, -1));
  }

  /** Draw with another renderer.
   * @param {Renderer|null} renderer null: as text @param {SeatInfo[]} seats */
  use(renderer, seats) {
    this.renderer = renderer ?? plain;
    this.asText = renderer === null;
    this.seats = seats;
    this.canvas.hidden = this.asText;
    this.text.hidden = !this.asText;
  }

  /** Begin to measure drawings and to follow the size of the stage. Returns the function that
   * ends it. */
  observe() {
    this.painted.port1.onmessage = () => {
      const costMs = performance.now() - this.drawnAt;
      this.costMs = this.costMs ? 0.8 * this.costMs + 0.2 * costMs : costMs;
    };
    const resized = new ResizeObserver(() => this.fit());
    resized.observe(this.stage);
    return () => {
      resized.disconnect();
      this.painted.port1.onmessage = null;
    };
  }

  /** Draw as soon as there is time for it. */
  request() {
    if (this.timer || !this.canvas.isConnected) return;
    const gap = Math.max(MIN_GAP_MS, Math.min(MAX_GAP_MS, this.costMs / DRAW_SHARE));
    const wait = Math.max(0, this.drawnAt + gap - performance.now());
    this.timer = setTimeout(
      () =>
        requestAnimationFrame(() => {
          this.timer = 0;
          this.drawnAt = performance.now();
          this.draw();
          this.painted.port2.postMessage(null);
        }),
      wait,
    );
  }

  /** Draw at once. */
  draw() {
    const { view, fraction } = this.timeline;
    if (view === null) return;
    if (this.asText) {
      this.text.textContent = Object.entries(view)
        .map(([key, value]) => `${key}: ${readable(value)}`)
        .join("\n");
      return;
    }
    const context = this.canvas.getContext("2d");
    if (!context || this.box.width < 2) return;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.box.width, this.box.height);
    this.renderer.draw(context, this.scene(view, fraction), this.box);
    if (fraction < 1) this.request();
  }

  /** @param {any} view @param {number} fraction @returns {import("../games/contract.js").Scene} */
  scene(view, fraction) {
    const { index, previous } = this.timeline;
    const source = /** @type {Source} */ (this.timeline.source);
    const trail = [];
    for (let past = Math.max(source.first, index - TRAIL); past < index; past += 1)
      trail.push(source.viewAt(past));
    return {
      before: previous,
      view,
      fraction,
      seats: this.seats,
      config: source.config,
      once: source.once,
      overlays: this.showsOverlays ? source.overlaysAt(index) : [],
      theme: theme(),
      viewer: source.viewer,
      trail,
      hover: this.hover,
    };
  }

  /** Make the canvas as large as the stage allows. */
  fit() {
    const { source, index } = this.timeline;
    if (!source || source.end === source.first || this.asText) return;
    const { stage, canvas } = this;
    const shape = this.renderer.shape(source.viewAt(Math.max(source.first, index)), source.config);
    const free = { width: stage.clientWidth, height: stage.clientHeight };
    const tall = getComputedStyle(stage).getPropertyValue("--grows").trim() === "1";
    const scale = tall
      ? free.width / shape.width
      : Math.min(free.width / shape.width, free.height / shape.height);
    const width = Math.floor(shape.width * scale);
    const height = Math.floor(shape.height * scale);
    const ratio = Math.min(MAX_PIXEL_RATIO, devicePixelRatio || 1);
    if (width === this.box.width && height === this.box.height && ratio === this.ratio) return;
    this.box = { width, height };
    this.ratio = ratio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    this.draw();
  }

  /** The pointer is at a point of the box, CSS pixels; negative: it has left.
   * @param {number} x @param {number} y */
  point(x, y) {
    const { view } = this.timeline;
    if (view === null || !this.renderer.at) return;
    const cell = x < 0 ? null : this.renderer.at(x, y, view, this.box);
    if (cell?.x === this.hover?.x && cell?.y === this.hover?.y) return;
    this.hover = cell;
    this.request();
  }

  /** The shown frame as a PNG, with the players and their scores.
   * @returns {Promise<Blob>} */
  picture() {
    const { view, turn, source } = this.timeline;
    const scene = { ...this.scene(view, 1), hover: null };
    return pngOf(this.renderer, scene, turnText(source?.game ?? "", turn));
  }
}
