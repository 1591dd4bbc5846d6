// Draws the shown frame with the game's renderer: once for each animation frame while something
// moves, not at all while it stands still or cannot be seen. Fits the canvas to the stage.

import { el } from "../lib/dom.js";
import { plain, readable } from "../lib/renderers.js";
import { theme } from "../lib/theme.js";
import { namedTurn } from "../lib/turns.js";
import { Callouts, still } from "./callouts.js";
import { pngOf } from "./snapshot.js";

/** @typedef {import("../games/contract.js").Renderer} Renderer */
/** @typedef {import("../games/contract.js").SeatInfo} SeatInfo */
/** @typedef {import("../sources/source.js").Source} Source */
/** @typedef {import("./timeline.js").Timeline} Timeline */

/** The share of the time that drawing may take: a slow machine draws fewer frames. */
const DRAW_SHARE = 0.5;
const HALF_FRAME_MS = 8;
/** Views before the shown one that a renderer gets. */
const TRAIL = 40;
const MAX_PIXEL_RATIO = 2;
/** The share of the window that the board may take where the page scrolls: it can be seen whole. */
const TALLEST = 0.92;

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
    /** Where the person who plays may step.
     * @type {import("../games/contract.js").CellOverlay[]} */
    this.marks = [];
    /** Whether the drawings of the bots are shown. */
    this.showsOverlays = true;
    /** The cell under the pointer.
     * @type {{x: number, y: number}|null} */
    this.hover = null;
    /** The size of the drawing, CSS pixels. */
    this.box = { width: 0, height: 0 };
    this.ratio = 1;
    this.callouts = new Callouts();
    /** @type {{source: Source, key: string, around: Pick<import("../games/contract.js").Scene,
     *   "trail"|"overlays"|"once">}|null} */
    this.kept = null;
    /** The animation frame that was asked for; 0: none. */
    this.frame = 0;
    /** Whether the canvas is within the window. */
    this.inSight = true;
    this.drawnAt = 0;
    /** The smoothed time of a drawing, ms. */
    this.costMs = 0;
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

  /** Begin to follow the size of the stage, and whether it can be seen. Returns the function that
   * ends it. */
  observe() {
    const resized = new ResizeObserver(() => this.fit());
    resized.observe(this.stage);
    const sight = new IntersectionObserver(([entry]) => {
      this.inSight = entry?.isIntersecting ?? true;
      this.request();
    });
    sight.observe(this.stage);
    const shown = () => this.request();
    document.addEventListener("visibilitychange", shown);
    return () => {
      resized.disconnect();
      sight.disconnect();
      document.removeEventListener("visibilitychange", shown);
      cancelAnimationFrame(this.frame);
      this.frame = 0;
    };
  }

  /** Draw with the next animation frame, and with each one after it while something moves. */
  request() {
    if (this.frame || !this.canvas.isConnected || document.hidden || !this.inSight) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      if (this.timeline.fast) this.timeline.run();
      const rests = now < this.drawnAt + this.costMs / DRAW_SHARE - HALF_FRAME_MS;
      if (!rests) {
        const begun = performance.now();
        this.drawnAt = now;
        this.draw();
        this.costMs += 0.2 * (performance.now() - begun - this.costMs);
      }
      if (rests || this.moving) this.request();
    });
  }

  /** Whether the next animation frame differs from this one. */
  get moving() {
    const { shown, fraction, fast } = this.timeline;
    return shown && (fraction < 1 || fast || this.callouts.alive);
  }

  /** The next frame is shown: call out its events. Returns them. */
  advance() {
    const { index, moveMs } = this.timeline;
    const events = this.callouts.advance((at) => this.eventsAt(at), index, moveMs * 0.6);
    if (this.timeline.still()) this.callouts.clear(index);
    this.request();
    return events;
  }

  /** Another frame is shown. */
  seek() {
    this.callouts.clear(this.timeline.index);
    this.draw();
  }

  /** The events of a frame, as the game tells them.
   * @param {number} index */
  eventsAt(index) {
    const { source } = this.timeline;
    if (!source || index <= source.first || index >= source.end) return [];
    return this.renderer.events(source.viewAt(index - 1), source.viewAt(index), this.seats);
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
    const scene = this.scene(view, fraction);
    this.renderer.draw(context, scene, this.box);
    if (this.timeline.still())
      still(context, this.renderer, scene, this.box, this.eventsAt(this.timeline.index));
    else this.callouts.draw(context, this.renderer, scene, this.box);
  }

  /** @param {any} view @param {number} fraction @returns {import("../games/contract.js").Scene} */
  scene(view, fraction) {
    const { previous } = this.timeline;
    const { config, viewer } = /** @type {Source} */ (this.timeline.source);
    const { seats, hover } = this;
    const around = this.around();
    return {
      ...around,
      overlays: [...around.overlays, ...this.marks],
      before: previous,
      view,
      fraction,
      seats,
      config,
      theme: theme(),
      viewer,
      hover,
    };
  }

  /** What stays the same for all drawings of a frame. */
  around() {
    const { index } = this.timeline;
    const source = /** @type {Source} */ (this.timeline.source);
    const key = [index, source.first, source.platformEvents.length, this.showsOverlays].join();
    if (this.kept?.source === source && this.kept.key === key) return this.kept.around;
    const trail = [];
    for (let past = Math.max(source.first, index - TRAIL); past < index; past += 1)
      trail.push(source.viewAt(past));
    const overlays = this.showsOverlays ? source.overlaysAt(index) : [];
    const around = { trail, overlays, once: source.once };
    this.kept = { source, key, around };
    return around;
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
      ? Math.min(free.width / shape.width, (TALLEST * innerHeight) / shape.height)
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
    return pngOf(this.renderer, scene, namedTurn(source?.game ?? "", turn));
  }
}
