// <arena-match>: one match on the page, live or from its replay. It takes a `source`
// (sources/source.js), loads the game's renderer (games/contract.js), and joins the parts:
// timeline, painter, the controls of a person who plays, and the panels.

import { capital, el } from "../lib/dom.js";
import { persistent } from "../lib/persistent.js";
import { renderer } from "../lib/renderers.js";
import { seatColour, themes } from "../lib/theme.js";
import { namedTurn, roundText, turnNumber, turnText } from "../lib/turns.js";
import { Digest } from "./digest.js";
import { HumanControls } from "./human-controls.js";
import { keyListener } from "./keyboard.js";
import { Painter } from "./painter.js";
import { announcer } from "./panels/announcer.js";
import { header } from "./panels/header.js";
import { side } from "./panels/side.js";
import { transport } from "./panels/transport.js";
import { stateOf } from "./playhead.js";
import { sounds } from "./sounds.js";
import { Timeline } from "./timeline.js";
import { toolsOf } from "./tools.js";

/** @typedef {import("../sources/source.js").Source} Source */

/** The panels follow a moving match no faster than this. */
const UPDATE_MS = 125;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Dispatches `learned` (the source's players and game are known), `moved` (a frame is shown and
 * the match stands still, or follows), `ended` (the end of a live match was shown). */
export class ArenaMatch extends HTMLElement {
  constructor() {
    super();
    this.timeline = new Timeline({ still: () => reducedMotion.matches });
    this.painter = new Painter(this.timeline);
    this.human = new HumanControls(this.timeline, this.painter, this);
    /** What is waited for, in words, while there is nothing to show. */
    this.notice = el("p", { class: "notice", role: "status" });
    /** The last attempt to load the renderer has failed. */
    this.rendererFailed = false;
    this.sounds = sounds();
    this.header = header();
    this.side = side(this.timeline);
    this.announcer = announcer(this.painter.canvas);
    const tools = toolsOf(this);
    this.transport = transport(this.timeline, tools, this.sounds.button);
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
      this.painter.seek();
      this.stateChanged();
    });
    this.timeline.addEventListener("advance", () => {
      this.sounds.tell(this.painter.advance());
      this.updateSoon();
    });
    this.timeline.addEventListener("state", () => this.stateChanged());
    this.timeline.addEventListener("over", () => {
      this.sounds.ended();
      this.dispatchEvent(new Event("ended"));
      this.update();
    });
  }

  /** What is shown now. `view` is the source's own, untouched. */
  get state() {
    return stateOf(this.timeline);
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

  /** Show another source, at this `turn` as people read it. With `keep` it is the same match: what
   * is shown, and whether it moves, stays.
   * @param {Source|null} source @param {{keep?: boolean, turn?: string|null}} [options] */
  async show(source, { keep = false, turn = null } = {}) {
    if (keep && source !== null && this.digest !== null && this.timeline.shown) {
      this.replace(source);
      return;
    }
    this.leave();
    if (source === null) return;
    const startIndex = () => {
      if (turn !== null) return source.indexOf(turnNumber(source.game, turn) ?? 0);
      return source.live ? source.end - 1 : source.first;
    };
    const live = source.live && turn === null;
    this.timeline.attach(source, {
      startIndex,
      following: live && source.human,
      playing: live && !source.human,
    });
    this.listen(source);
    const sought = () => turn !== null && this.timeline.pauseAt(startIndex());
    source.addEventListener("history", sought, { once: true });
    source.open();
    this.showStatus();
    if (source.game) await this.learn();
  }

  /** Go on with another source of the same match.
   * @param {Source} source */
  replace(source) {
    this.sourceListeners.abort();
    this.source?.close();
    this.listen(source);
    source.open();
    this.timeline.replace(source, this.timeline.turn);
    this.read(source);
    this.dispatchEvent(new Event("learned"));
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
    source.addEventListener("history", (event) => this.historyCame(event), { signal });
    on("status", () => this.showStatus());
    on("update", () => this.updateSoon());
    on("end", () => {
      this.timeline.sourceEnded();
      this.update();
    });
  }

  /** Let go of the source. */
  leave() {
    this.loads += 1;
    this.rendererFailed = false;
    clearTimeout(this.updateTimer);
    this.updateTimer = 0;
    this.digest?.stop();
    this.digest = null;
    this.sourceListeners.abort();
    this.source?.close();
    this.timeline.attach(null);
    this.side.reset();
  }

  /** Load the renderer of the source's game, and begin to show it. */
  async learn() {
    const source = /** @type {Source} */ (this.source);
    const load = ++this.loads;
    const wanted = () => load === this.loads;
    const failed = () => {
      this.rendererFailed = true;
      this.showStatus();
    };
    const found = await persistent(() => renderer(source.game), wanted, failed);
    if (!wanted()) return;
    this.rendererFailed = false;
    this.dataset.game = source.game;
    const seats = colouredSeats(source);
    this.painter.use(found, seats);
    this.timeline.paceMs = this.painter.renderer.paceMs(source.config);
    this.digest?.stop();
    this.digest = null;
    this.read(source);
    this.header.setLimits(source);
    this.side.build(seats, this.painter.renderer.legend ?? []);
    this.timeline.begin();
    this.update();
    this.dispatchEvent(new Event("learned"));
  }

  /** Read points and events of all frames. Those that were read before are shown until that is
   * done.
   * @param {Source} source */
  read(source) {
    const { renderer, seats } = this.painter;
    const before = this.digest;
    const digest = new Digest(source, renderer, seats, () => {
      if (this.digest === before && source === this.source && digest.end === source.end) {
        before?.stop();
        this.digest = digest;
      }
      this.updateSoon();
    });
    if (before === null) this.digest = digest;
    digest.catchUp();
  }

  /** @param {any} event */
  historyCame({ target, detail }) {
    if (this.digest === null) return;
    this.digest.restart(); // its frames are counted otherwise now
    this.timeline.replace(target, detail.turns[this.timeline.index] ?? null);
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

  // --- keeping the panels up to date ---

  showStatus() {
    this.header.update(this.timeline);
    if (this.source) this.transport.update(this.source);
    this.notice.hidden = this.timeline.shown;
    const notice = this.noticeText();
    if (this.notice.textContent !== notice) this.notice.textContent = notice;
  }

  noticeText() {
    if (this.rendererFailed) return "The picture of this game did not load; trying again …";
    const { kind, text } = this.source?.status ?? { kind: "connecting", text: "" };
    return kind === "replay" ? "Loading …" : text;
  }

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
    this.showStatus();
    this.side.setEnd(source, shown && atEnd);
    this.human.update();
    if (!shown || this.digest === null) return;
    this.side.update(this.digest, this.digest.indexIn(source, index), this.painter.seats);
    this.announcer.update(() => {
      const round = roundText(source.game, this.timeline.turn);
      const sentence = this.painter.renderer.describe(view, source.viewer);
      return `${capital(namedTurn(source.game, this.timeline.turn))}${round}. ${sentence}`;
    }, playing || following);
  }

  /** Dark or light was chosen: the canvas and the chart hold colours. */
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
      this.notice,
      this.human.element,
      this.side.element,
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
  source.seats.map((seat) => ({ ...seat, colour: seatColour(seat.seat, source.game) }));

customElements.define("arena-match", ArenaMatch);

/** A new <arena-match>.
 * @returns {ArenaMatch} */
export const createMatch = () =>
  /** @type {ArenaMatch} */ (el(/** @type {any} */ ("arena-match"), { "data-test": "match" }));
