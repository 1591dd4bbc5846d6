// <arena-match>: one match on the page, live or from its replay. It takes a `source`
// (sources/source.js), loads the game's renderer (games/contract.js), and joins the parts:
// timeline, painter, the controls of a person who plays, and the panels.

import { copy } from "../lib/copy.js";
import { el, save } from "../lib/dom.js";
import { plain, renderer } from "../lib/renderers.js";
import { seatColour, themes } from "../lib/theme.js";
import { turnNumber, turnText } from "../lib/turns.js";
import { Digest } from "./digest.js";
import { HumanControls } from "./human-controls.js";
import { keyListener } from "./keyboard.js";
import { Painter } from "./painter.js";
import { announcer } from "./panels/announcer.js";
import { banner } from "./panels/banner.js";
import { chart } from "./panels/chart.js";
import { commandList } from "./panels/commands.js";
import { eventList } from "./panels/events.js";
import { header } from "./panels/header.js";
import { scoreboard } from "./panels/scoreboard.js";
import { transport } from "./panels/transport.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("../sources/source.js").Source} Source */

/** The panels follow a moving match no faster than this. */
const UPDATE_MS = 125;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Dispatches `learned` (the source's players and game are known), `moved` (a frame is shown and
 * the match stands still, or follows), `ended` (the outcome is known). */
export class ArenaMatch extends HTMLElement {
  constructor() {
    super();
    this.timeline = new Timeline({ still: () => reducedMotion.matches });
    this.painter = new Painter(this.timeline);
    this.human = new HumanControls(this.timeline, this.painter, this);
    this.header = header();
    this.banner = banner();
    this.scores = scoreboard();
    this.commands = commandList((turn) => this.timeline.pauseAt(this.source?.indexOf(turn) ?? 0));
    this.chart = chart((index) => this.timeline.pauseAt(index));
    this.events = eventList((index) => this.timeline.pauseAt(index));
    this.announcer = announcer(this.painter.canvas);
    const tools = {
      toggleDrawings: () => this.toggleDrawings(),
      toggleFullscreen: () => this.toggleFullscreen(),
      copyLink: (/** @type {HTMLElement} */ button) => copy(this.address(), button),
      savePicture: () => this.savePicture(),
    };
    this.transport = transport(this.timeline, tools);
    this.onKey = keyListener(this.timeline, this.human, tools);
    /** null until the renderer of the source's game is loaded.
     * @type {Digest|null} */
    this.digest = null;
    /** Sources and renderers that were begun: a load that another one has overtaken is dropped. */
    this.loads = 0;
    this.updateTimer = 0;
    this.updatedAt = 0;
    /** Their signals end the listeners. */
    this.sourceListeners = new AbortController();
    this.documentListeners = new AbortController();
    this.timeline.addEventListener("begin", () => this.painter.fit());
    this.timeline.addEventListener("seek", () => {
      this.painter.draw();
      this.stateChanged();
    });
    this.timeline.addEventListener("advance", () => {
      this.painter.request();
      this.updateSoon();
    });
    this.timeline.addEventListener("state", () => this.stateChanged());
  }

  /** What is shown now. `view` is the source's own, untouched. */
  get state() {
    const { source, index, turn, view, playing, following } = this.timeline;
    return {
      game: source?.game ?? null,
      match: source?.match ?? null,
      turn,
      view,
      index,
      first: source?.first ?? 0,
      last: (source?.end ?? 0) - 1,
      live: source?.live ?? false,
      status: source?.status.kind ?? null,
      playing,
      following,
      outcome: source?.outcome ?? null,
      viewer: source?.viewer ?? null,
    };
  }

  /** The turn that is shown, as people read it. */
  get turnText() {
    return turnText(this.source?.game ?? "", this.timeline.turn);
  }

  get source() {
    return this.timeline.source;
  }
  set source(source) {
    this.show(source);
  }

  /** The place for controls of the page around the match. */
  get extras() {
    return this.header.extras;
  }

  /** Show another source, at this `turn` as people read it. With `keep` the turn that is shown
   * stays, as far as the new source has it.
   * @param {Source|null} source @param {{keep?: boolean, turn?: string|null}} [options] */
  async show(source, { keep = false, turn = null } = {}) {
    const { turn: shownTurn, shown, atEnd } = this.timeline;
    this.leave();
    if (source === null) return;
    const startIndex = () => {
      if (keep && shown && atEnd) return source.end - 1;
      if (keep && shownTurn !== null) return source.indexOf(shownTurn);
      if (turn !== null) return source.indexOf(turnNumber(source.game, turn) ?? 0);
      return source.live ? source.end - 1 : source.first;
    };
    this.timeline.attach(source, { startIndex, following: source.live && turn === null });
    this.listen(source);
    source.open();
    this.header.update(source, this.timeline.following);
    if (source.game) await this.learn();
  }

  /** @param {Source} source */
  listen(source) {
    const { signal } = (this.sourceListeners = new AbortController());
    const on = (/** @type {string} */ kind, /** @type {() => void} */ act) =>
      source.addEventListener(kind, act, { signal });
    on("start", () => this.learn());
    on("frame", () => this.frameAdded());
    on("rewound", () => {
      this.digest?.rewind();
      this.timeline.framesTakenBack();
    });
    on("status", () => this.header.update(source, this.timeline.following));
    on("update", () => this.updateSoon());
    on("end", () => {
      this.dispatchEvent(new Event("ended"));
      this.update();
    });
  }

  /** Let go of the source. */
  leave() {
    this.loads += 1;
    clearTimeout(this.updateTimer);
    this.updateTimer = 0;
    this.digest?.stop();
    this.digest = null;
    this.sourceListeners.abort();
    this.source?.close();
    this.timeline.attach(null);
    this.banner.reset();
  }

  /** Load the renderer of the source's game, and begin to show it. */
  async learn() {
    const source = /** @type {Source} */ (this.source);
    const load = ++this.loads;
    const found = await renderer(source.game);
    if (load !== this.loads) return;
    const seats = colouredSeats(source);
    this.painter.use(found, seats);
    this.digest?.stop();
    this.digest = new Digest(source, found ?? plain, seats, () => this.updateSoon());
    this.header.setLimits(source);
    this.scores.build(seats);
    this.digest.catchUp();
    this.timeline.begin();
    this.update();
    this.dispatchEvent(new Event("learned"));
  }

  frameAdded() {
    this.digest?.catchUp();
    this.timeline.frameAdded();
    if (this.digest === null) return;
    this.updateSoon();
    if (this.human.source) this.human.update();
  }

  // --- requests of the page and the keyboard ---

  /** Show a frame at once.
   * @param {number} index */
  seek(index) {
    this.timeline.seek(index);
  }

  /** Set the title, and where the replay can be downloaded.
   * @param {string} text @param {string|null} [file] */
  name(text, file = null) {
    this.header.setTitle(text);
    this.transport.setFile(file, `${this.source?.match ?? "match"}.replay.jsonl`);
  }

  /** The address of the shown turn. */
  address() {
    const address = new URL(location.href);
    address.hash = this.timeline.turn === null ? "" : this.turnText;
    return address.href;
  }

  async savePicture() {
    if (this.painter.asText) return;
    save(await this.painter.picture(), `${this.source?.match || "match"}-${this.turnText}.png`);
  }

  toggleDrawings() {
    this.painter.showsOverlays = !this.painter.showsOverlays;
    this.transport.setDrawings(this.painter.showsOverlays);
    this.painter.draw();
  }

  toggleFullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.requestFullscreen?.().catch(() => {});
  }

  // --- keeping the panels up to date ---

  stateChanged() {
    this.update();
    if (!this.timeline.playing) this.dispatchEvent(new Event("moved"));
  }

  updateSoon() {
    if (this.updateTimer || !this.isConnected) return;
    this.updateTimer = setTimeout(
      () => this.update(),
      Math.max(0, this.updatedAt + UPDATE_MS - performance.now()),
    );
  }

  update() {
    clearTimeout(this.updateTimer);
    this.updateTimer = 0;
    this.updatedAt = performance.now();
    const { source, shown, atEnd, index, view, playing, following } = this.timeline;
    if (!source) return;
    this.header.update(source, following);
    this.transport.update(source);
    this.banner.update(source, shown && atEnd);
    this.human.update();
    if (!shown || this.digest === null) return;
    const standing = this.scores.update(this.digest, index);
    this.events.update(this.digest, index);
    this.chart.update(
      this.digest,
      index,
      this.painter.seats.map((seat) => seat.colour),
      `Score over time. ${standing}`,
    );
    this.commands.update(source, index);
    this.announcer.update(
      () => `Turn ${this.turnText}. ${this.painter.renderer.describe(view, source.viewer)}`,
      playing || following,
    );
  }

  /** Dark or light was chosen. Elements follow by themselves; the canvas and the chart hold
   * colours. */
  repaint() {
    if (this.source) this.painter.seats = colouredSeats(this.source);
    this.painter.draw();
    this.update();
  }

  // --- in the document ---

  connectedCallback() {
    this.replaceChildren(
      this.header.element,
      this.painter.stage,
      this.human.element,
      el(
        "aside",
        { class: "match-side", "aria-label": "Scores and events" },
        this.banner.element,
        this.scores.element,
        this.commands.element,
        this.chart.element,
        this.events.element,
      ),
      this.transport.element,
      this.announcer.element,
    );
    const { signal } = (this.documentListeners = new AbortController());
    signal.addEventListener("abort", this.painter.observe());
    themes.addEventListener("change", () => this.repaint(), { signal });
    document.addEventListener("keydown", this.onKey, { signal });
  }

  disconnectedCallback() {
    this.documentListeners.abort();
    this.human.stop();
    this.leave();
  }
}

/** @param {Source} source @returns {import("../games/contract.js").SeatInfo[]} */
const colouredSeats = (source) =>
  source.seats.map((seat) => ({ ...seat, colour: seatColour(seat.seat) }));

customElements.define("arena-match", ArenaMatch);

/** A new <arena-match>.
 * @returns {ArenaMatch} */
export const createMatch = () =>
  /** @type {ArenaMatch} */ (el(/** @type {any} */ ("arena-match"), { "data-test": "match" }));
