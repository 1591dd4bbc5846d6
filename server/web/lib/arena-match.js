// <arena-match>: one match on the page, live or from its record. It takes a `source` (lib/sources.js) and the game's renderer
// (games/contract.js) and does the rest: movement, scoreboard, clocks, events, score over time, scrubber, keyboard, pictures.

import { copy } from "./copy.js";
import { Digest } from "./digest.js";
import { el, fill, save, words } from "./dom.js";
import { Hand } from "./hand.js";
import { icon } from "./icons.js";
import { plot } from "./plot.js";
import { plain, readable, renderer } from "./renderers.js";
import { saidPanel } from "./said.js";
import { seatColour, seatInk, theme, themes } from "./theme.js";

/** @typedef {import("../games/contract.js").Renderer} Renderer */
/** @typedef {import("../games/contract.js").SeatInfo} SeatInfo */
/** @typedef {import("./sources.js").Source} Source */

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** A whole record takes about this long at speed 1. */
const WHOLE_MS = 90_000;
const SLOWEST_MS = 900;
const QUICKEST_MS = 40;
/** Movement between live views takes no longer than this. */
const LONGEST_MOVE_MS = 400;
/** Views that come faster than this are not moved between. */
const MOVE_FROM_MS = 45;
/** The share of the time that pictures may take, and the gap between two pictures that follows from it, at most and at least. */
const DRAW_SHARE = 0.06;
const LONGEST_GAP_MS = 150;
const SHORTEST_GAP_MS = 33;
/** Scoreboard and lists follow a running match no faster than this. */
const TELL_MS = 125;
const DESCRIBE_MS = 5_000;
const LISTED = 60;
const TRAIL = 40;
const PICTURE_WIDTH = 1600;

/** What the platform's own events say, and whether that is bad. The seat's name goes before it.
 * @type {Record<string, [string, string]>} */
const NEWS = {
  timeout: ["ran out of time", "bad"], silent: ["gave too many bad commands", "bad"], away: ["lost the connection", "bad"], back: ["is back", "good"],
  not_ready: ["was not ready in time", "bad"], resumed: ["the match goes on after a restart", "info"],
  stall: ["the server held everybody up; the time was given back", "info"],
};

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class ArenaMatch extends HTMLElement {
  constructor() {
    super();
    /** @type {Source|null} */
    this._source = null;
    /** @type {Renderer} */
    this.renderer = plain;
    this.asText = true;
    /** @type {SeatInfo[]} */
    this.seats = [];
    /** @type {Digest|null} */
    this.digest = null;
    this.index = -1;
    this.playing = false;
    this.following = false;
    this.speed = 1;
    this.showsDrawings = true;
    /** @type {{x: number, y: number}|null} */
    this.hover = null;
    /** @type {any} */
    this.previous = null;
    this.movedAt = 0;
    this.moveMs = 0;
    this.cameAt = 0;
    this.pace = 0;
    this.cost = 0;
    this.drawnAt = 0;
    this.drawTimer = 0;
    this.playTimer = 0;
    this.playedAt = 0;
    this.tellTimer = 0;
    this.toldAt = 0;
    this.describedAt = 0;
    this.loading = 0;
    /** Taken back when another source or nothing is shown.
     * @type {(() => void)[]} */
    this.undo = [];
    /** What a person who plays may do. */
    this.hand = new Hand(this);
    this.parts = this.build();
  }

  // --- what a test, or another page, may read ---------------------------------------------------------------------------------

  /** What is shown now. `view` is the source's own, untouched. */
  get state() {
    const source = this._source;
    const has = source !== null && this.index >= source.first && this.index < source.end;
    return {
      game: source?.game ?? null,
      match: source?.match ?? null,
      turn: has ? source.turnAt(this.index) : null,
      view: has ? source.viewAt(this.index) : null,
      index: this.index,
      first: source?.first ?? 0,
      last: (source?.end ?? 0) - 1,
      live: source?.live ?? false,
      status: source?.status.kind ?? null,
      playing: this.playing,
      following: this.following,
      outcome: source?.outcome ?? null,
      viewer: source?.viewer ?? null,
    };
  }

  get source() { return this._source; }
  set source(source) { this.show(source); }

  /** Show another source. With `keep` the turn that is shown stays the same as far as it can.
   * @param {Source|null} source
   * @param {{keep?: boolean, turn?: number|null}} [options] */
  async show(source, { keep = false, turn = null } = {}) {
    const old = this._source;
    const wasLast = old !== null && old.end > old.first && this.index === old.end - 1;
    const shownTurn = this.state.turn;
    this.leave();
    this._source = source;
    this.index = -1;
    if (source === null) return;
    for (const [kind, hear] of /** @type {[string, () => void][]} */ ([
      ["start", () => this.learn()], ["frame", () => this.came()], ["rewound", () => this.rewound()],
      ["status", () => this.tellStatus()], ["end", () => this.ended()], ["news", () => this.later()],
    ])) {
      source.addEventListener(kind, hear);
      this.undo.push(() => source.removeEventListener(kind, hear));
    }
    this.begins = () => {
      if (keep && wasLast) return source.end - 1;
      if (keep && shownTurn !== null) return source.indexOf(shownTurn);
      if (turn !== null) return source.indexOf(turn);
      return source.live ? source.end - 1 : source.first;
    };
    this.following = source.live && turn === null;
    source.open();
    this.tellStatus();
    if (source.game) await this.learn();
  }

  /** The frame with which a new source is shown.
   * @type {() => number} */
  begins = () => 0;

  /** Learn who plays what, and how it is drawn. */
  async learn() {
    const source = /** @type {Source} */ (this._source);
    const ticket = ++this.loading;
    this.seats = source.seats.map((seat) => ({ ...seat, colour: seatColour(seat.seat) }));
    const found = await renderer(source.game);
    if (ticket !== this.loading || source !== this._source) return;
    this.renderer = found ?? plain;
    this.asText = found === null;
    this.parts.canvas.hidden = this.asText;
    this.parts.text.hidden = !this.asText;
    this.digest?.stop();
    this.digest = new Digest(source, this.renderer, this.seats, () => this.later());
    this.buildScores();
    this.digest.catchUp();
    if (source.end > source.first) {
      if (this.following) this.seek(source.end - 1);
      else if (this.index < source.first) this.seek(this.begins());
      this.fit();
    }
    this.tellNow();
    this.dispatchEvent(new Event("learned"));
  }

  // --- moving through the match -------------------------------------------------------------------------------------------------

  /** The source, once there is something of it to be moved in and it is known how that is drawn. */
  get shown() {
    const source = this._source;
    return source && this.digest && source.end > source.first ? source : null;
  }

  /** Show a frame at once.
   * @param {number} index */
  seek(index) {
    const source = this.shown;
    if (!source) return;
    this.index = Math.max(source.first, Math.min(index, source.end - 1));
    this.previous = this.index > source.first ? source.viewAt(this.index - 1) : null;
    this.moveMs = 0;
    this.following = source.live && this.index === source.end - 1;
    this.draw();
    this.tellNow();
    this.moved();
  }

  /** Show the next frame, moving there.
   * @param {number} ms of the movement */
  advance(ms) {
    const source = /** @type {Source} */ (this._source);
    if (this.index >= source.end - 1) return;
    this.index += 1;
    this.previous = source.viewAt(this.index - 1);
    this.movedAt = performance.now();
    this.moveMs = calm.matches || ms < MOVE_FROM_MS ? 0 : ms;
    this.request();
    this.later();
  }

  /** @param {number} by */
  step(by) {
    this.pause();
    const source = this.shown;
    if (!source) return;
    if (by === 1 && this.index < source.end - 1) {
      this.advance(Math.min(250, this.tempo()));
      this.following = source.live && this.index === source.end - 1;
      this.tellNow();
      this.moved();
    } else {
      this.seek(this.index + by);
      if (by < 0) this.following = false;
    }
  }

  play() {
    const source = this.shown;
    if (!source || this.playing) return;
    if (this.index >= source.end - 1) {
      if (source.live) return this.follow();
      this.seek(source.first);
    }
    this.playing = true;
    this.following = false;
    this.playedAt = performance.now();
    this.run();
    this.tellNow();
  }

  pause() {
    clearTimeout(this.playTimer);
    this.playing = false;
    this.following = false;
    this.tellNow();
    this.moved();
  }

  toggle() {
    if (this.playing || this.following) this.pause();
    else this.play();
  }

  /** Jump to the newest view and stay with it. */
  follow() {
    const source = this._source;
    if (!source) return;
    clearTimeout(this.playTimer);
    this.playing = false;
    this.seek(source.end - 1);
  }

  /** ms from one frame to the next at the chosen speed. */
  tempo() {
    const source = /** @type {Source} */ (this._source);
    const tick = source.clock?.tick_ms ?? source.config?.tick_ms;
    const base = tick || Math.max(QUICKEST_MS, Math.min(SLOWEST_MS, WHOLE_MS / Math.max(1, source.end - source.first)));
    return base / this.speed;
  }

  run() {
    const source = this._source;
    if (!this.playing || !source) return;
    const tempo = this.tempo();
    const now = performance.now();
    let due = Math.floor((now - this.playedAt) / tempo);
    if (due > 0) {
      this.playedAt += due * tempo;
      if (now - this.playedAt > 1000) this.playedAt = now;
      due = Math.min(due, source.end - 1 - this.index);
      if (due > 1) this.index += due - 1;
      this.advance(tempo);
    }
    if (this.index >= source.end - 1) {
      this.playing = false;
      this.following = source.live;
      this.tellNow();
      this.moved();
      return;
    }
    this.playTimer = window.setTimeout(() => this.run(), Math.max(16, this.playedAt + tempo - performance.now()));
  }

  /** One more frame came. */
  came() {
    const source = /** @type {Source} */ (this._source);
    const now = performance.now();
    if (this.cameAt) this.pace = this.pace ? 0.7 * this.pace + 0.3 * (now - this.cameAt) : now - this.cameAt;
    this.cameAt = now;
    this.digest?.catchUp();
    if (this.digest === null) return;
    if (this.index < source.first) {
      this.seek(this.index < 0 ? this.begins() : source.first);
      this.fit();
    } else if (this.following) {
      this.index = Math.max(this.index, source.end - 2);
      this.advance(Math.min(LONGEST_MOVE_MS, this.pace * 0.9));
    } else this.later();
    if (this.hand.source) this.hand.update();
  }

  /** The server took views back. */
  rewound() {
    const source = /** @type {Source} */ (this._source);
    this.digest?.rewind();
    if (this.index >= source.end - 1) this.index = Math.max(source.first, source.end - 2);
  }

  ended() {
    this.dispatchEvent(new Event("ended"));
    this.tellNow();
  }

  /** Tell the page where we are, when we stand there. */
  moved() {
    if (!this.playing) this.dispatchEvent(new Event("moved"));
  }

  /** @param {number} by in steps of the list of speeds */
  faster(by) {
    const at = SPEEDS.indexOf(this.speed) + by;
    if (at < 0 || at >= SPEEDS.length) return;
    this.speed = SPEEDS[at];
    this.parts.speed.value = String(this.speed);
  }

  // --- drawing --------------------------------------------------------------------------------------------------------------------

  /** A drawing, as soon as drawing may cost again. */
  request() {
    if (this.drawTimer || !this.isConnected) return;
    const gap = Math.max(SHORTEST_GAP_MS, Math.min(LONGEST_GAP_MS, this.cost / DRAW_SHARE));
    const wait = Math.max(0, this.drawnAt + gap - performance.now());
    this.drawTimer = window.setTimeout(() => requestAnimationFrame(() => {
      this.drawTimer = 0;
      this.drawnAt = performance.now();
      this.draw();
      this.painted.port2.postMessage(null);
    }), wait);
  }

  /** Hears when the browser is done with a picture, painting and all: that is what it cost. */
  painted = new MessageChannel();

  /** How far the movement is, 0 to 1. */
  fraction() {
    return this.moveMs === 0 ? 1 : Math.min(1, (performance.now() - this.movedAt) / this.moveMs);
  }

  draw() {
    const source = this._source;
    const { canvas } = this.parts;
    if (!source || this.index < source.first || this.index >= source.end) return;
    const view = source.viewAt(this.index);
    if (this.asText) {
      this.parts.text.textContent = Object.entries(view).map(([key, value]) => `${key}: ${readable(value)}`).join("\n");
      return;
    }
    const box = this.box;
    const context = canvas.getContext("2d");
    if (!context || box.width < 2) return;
    const fraction = this.fraction();
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, box.width, box.height);
    this.renderer.draw(context, this.scene(view, fraction), box);
    if (fraction < 1) this.request();
  }

  /** @param {any} view @param {number} fraction @returns {import("../games/contract.js").Scene} */
  scene(view, fraction) {
    const source = /** @type {Source} */ (this._source);
    const trail = [];
    for (let index = Math.max(source.first, this.index - TRAIL); index < this.index; index += 1) trail.push(source.viewAt(index));
    return {
      before: this.previous, view, fraction, seats: this.seats, config: source.config, once: source.once,
      overlays: this.showsDrawings ? source.overlaysAt(this.index) : [],
      theme: theme(), viewer: source.viewer, trail, hover: this.hover,
    };
  }

  /** The box of the drawing, CSS pixels. */
  box = { width: 0, height: 0 };
  ratio = 1;

  /** Make the canvas as large as the stage lets it be. */
  fit() {
    const source = this._source;
    if (!source || source.end === source.first || this.asText) return;
    const { stage, canvas } = this.parts;
    const shape = this.renderer.shape(source.viewAt(Math.max(source.first, this.index)), source.config);
    const free = { width: stage.clientWidth, height: stage.clientHeight };
    const tall = getComputedStyle(stage).getPropertyValue("--grows").trim() === "1";
    const scale = tall ? free.width / shape.width : Math.min(free.width / shape.width, free.height / shape.height);
    const width = Math.floor(shape.width * scale);
    const height = Math.floor(shape.height * scale);
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    if (width === this.box.width && height === this.box.height && ratio === this.ratio) return;
    this.box = { width, height };
    this.ratio = ratio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    this.draw();
  }

  /** The moment as a PNG, with who plays and how it stands.
   * @returns {Promise<Blob>} */
  picture() {
    const source = /** @type {Source} */ (this._source);
    const view = source.viewAt(this.index);
    const colours = theme();
    const shape = this.renderer.shape(view, source.config);
    const box = { width: PICTURE_WIDTH, height: Math.round(PICTURE_WIDTH * shape.height / shape.width) };
    const head = 96;
    const canvas = el("canvas", { width: box.width, height: box.height + head });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.textBaseline = "middle";
    let x = 32;
    const scores = this.renderer.scores(view, this.seats);
    for (const seat of this.seats) {
      const text = `${seat.name}  ${scores.find((score) => score.seat === seat.seat)?.text ?? ""}`;
      context.fillStyle = seat.colour;
      context.beginPath();
      context.arc(x + 12, head / 2, 12, 0, 2 * Math.PI);
      context.fill();
      context.fillStyle = colours.ink;
      context.font = `600 30px ${colours.font}`;
      context.fillText(text, x + 36, head / 2);
      x += 36 + context.measureText(text).width + 48;
    }
    context.textAlign = "right";
    context.fillStyle = colours.soft;
    context.font = `26px ${colours.font}`;
    context.fillText(`turn ${source.turnAt(this.index)}`, canvas.width - 32, head / 2);
    context.textAlign = "start";
    context.textBaseline = "alphabetic";
    context.translate(0, head);
    this.renderer.draw(context, { ...this.scene(view, 1), hover: null }, box);
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
  }

  // --- telling --------------------------------------------------------------------------------------------------------------------

  /** Bring the texts up to date, soon. */
  later() {
    if (this.tellTimer || !this.isConnected) return;
    this.tellTimer = window.setTimeout(() => this.tellNow(), Math.max(0, this.toldAt + TELL_MS - performance.now()));
  }

  tellNow() {
    clearTimeout(this.tellTimer);
    this.tellTimer = 0;
    this.toldAt = performance.now();
    const source = this._source;
    if (!source) return;
    this.tellStatus();
    this.tellTransport(source);
    this.tellBanner(source);
    this.hand.update();
    if (this.index < source.first || this.index >= source.end || this.digest === null) return;
    const view = source.viewAt(this.index);
    this.tellScores(source, view);
    this.tellEvents(source);
    const summary = `Score over time. ${this.scoreText}`;
    this.chart.update(this.digest, this.index, this.seats.map((seat) => seat.colour), summary);
    this.said.update(source, this.index);
    this.describe(source, view);
  }

  /** @param {Source} source @param {any} view */
  describe(source, view) {
    const still = !this.playing && !this.following;
    const now = performance.now();
    if (!still && now - this.describedAt < DESCRIBE_MS) return;
    this.describedAt = now;
    const text = `Turn ${source.turnAt(this.index)}. ${this.renderer.describe(view, source.viewer)}`;
    if (this.parts.told.textContent !== text) this.parts.told.textContent = text;
    this.parts.canvas.setAttribute("aria-label", text);
  }

  tellStatus() {
    const source = this._source;
    if (!source) return;
    const { status } = this.parts;
    const behind = source.live && source.status.kind === "live" && !this.following;
    const text = behind ? "Live, looking back" : source.status.text;
    if (status.textContent !== text) status.textContent = text;
    status.dataset.kind = behind ? "behind" : source.status.kind;
  }

  /** @param {Source} source */
  tellTransport(source) {
    const { scrub, turn, play, live, back, forward } = this.parts;
    const any = source.end > source.first;
    const moving = this.playing || this.following;
    for (const control of [scrub, play, back, forward]) control.disabled = !any;
    play.setAttribute("aria-label", moving ? "Pause" : "Play");
    if (play.dataset.shows !== String(moving)) {
      play.dataset.shows = String(moving);
      fill(play, icon(moving ? "pause" : "play"));
    }
    live.hidden = !source.live;
    this.parts.drawings.hidden = !source.news.some((one) => one.event === "info" && Array.isArray(one.data?.draw));
    live.setAttribute("aria-pressed", String(this.following));
    if (!any) return;
    const last = source.turnAt(source.end - 1);
    const now = this.index < source.first ? null : source.turnAt(this.index);
    scrub.min = String(source.first);
    scrub.max = String(source.end - 1);
    scrub.value = String(this.index);
    scrub.style.setProperty("--done", `${100 * (this.index - source.first) / Math.max(1, source.end - 1 - source.first)}%`);
    scrub.setAttribute("aria-valuetext", `turn ${now} of ${last}`);
    const text = source.live ? `Turn ${now}` : `Turn ${now} of ${last}`;
    if (turn.textContent !== text) turn.textContent = text;
  }

  /** @param {Source} source */
  tellBanner(source) {
    const { banner } = this.parts;
    const shown = source.outcome !== null && this.index >= source.end - 1 && this.index >= source.first;
    banner.hidden = !shown;
    if (!shown || banner.dataset.of === source.match + source.status.kind) return;
    banner.dataset.of = source.match + source.status.kind;
    const { winner } = source.outcome;
    const name = winner === null || winner === undefined ? null : this.seats[winner]?.name ?? `seat ${winner}`;
    const swatch = el("span", { class: "swatch" });
    if (name !== null) swatch.style.background = seatInk(winner);
    fill(banner,
      el("p", { class: "verdict" }, name !== null && swatch, name === null ? verdict(source.outcome.outcome) : `${name} wins`),
      el("p", {}, words(source.outcome.reason ?? "")));
  }

  scoreText = "";

  buildScores() {
    this.rows = this.seats.map((seat) => {
      const swatch = el("span", { class: "swatch" });
      swatch.style.background = seatInk(seat.seat);
      const points = el("span", { class: "points" });
      const facts = el("dl", { class: "facts" });
      const flag = el("span", { class: "flag" });
      const row = el("li", { class: "score-row", "data-seat": seat.seat },
        swatch,
        el("span", { class: "who" }, el("span", { class: "name" }, seat.name || `seat ${seat.seat}`),
          el("span", { class: "role" }, words(seat.role), flag)),
        points, facts);
      return { row, points, facts, flag, factText: "" };
    });
    fill(this.parts.scores, ...this.rows.map(({ row }) => row));
    this.parts.scores.dataset.seats = String(this.seats.length);
    this.parts.limits.textContent = limits(this._source?.clock, this._source?.human ?? false);
  }

  /** @type {{row: HTMLElement, points: HTMLElement, facts: HTMLElement, flag: HTMLElement, factText: string}[]} */
  rows = [];

  /** @param {Source} source @param {any} view */
  tellScores(source, view) {
    const scores = this.renderer.scores(view, this.seats);
    const turn = source.turnAt(this.index);
    const best = Math.max(...scores.map((score) => score.points));
    const ahead = scores.filter((score) => score.points === best).length === 1 && scores.length > 1;
    for (const score of scores) {
      const known = this.rows[score.seat];
      if (!known) continue;
      if (known.points.textContent !== score.text) known.points.textContent = score.text;
      known.row.classList.toggle("ahead", ahead && score.points === best);
      const facts = [...score.facts, ...clockFacts(source, this.index, score.seat), ...faults(source, turn, score.seat)];
      const text = JSON.stringify(facts);
      if (text !== known.factText) {
        known.factText = text;
        fill(known.facts, ...facts.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value))));
      }
      const away = isAway(source, turn, score.seat) ? "away" : "";
      if (known.flag.textContent !== away) known.flag.textContent = away;
    }
    this.scoreText = scores.map((score) => `${this.seats[score.seat]?.name}: ${score.text}`).join(", ");
  }

  listed = "";

  /** @param {Source} source */
  tellEvents(source) {
    const digest = /** @type {Digest} */ (this.digest);
    const turn = source.turnAt(this.index);
    const around = source.news.length;
    const state = `${this.index} ${digest.end > this.index} ${around} ${source.match} ${source.end === this.index + 1}`;
    if (state === this.listed) return;
    this.listed = state;
    const items = [];
    for (let index = this.index; index >= source.first && items.length < LISTED; index -= 1) {
      const at = source.turnAt(index);
      for (const told of digest.toldAt(index).toReversed()) items.push({ index, turn: at, order: 1, ...told });
    }
    const oldest = items.length < LISTED ? -1 : items[items.length - 1].turn;
    for (const run of runs(source.news, turn, this.seats)) {
      if (run.turn < oldest || items.length > 2 * LISTED) break;
      items.push({ index: source.indexOf(run.turn), turn: run.turn, order: 0, seat: run.seat, text: counted(run), kind: run.kind });
    }
    items.sort((one, other) => other.index - one.index || one.order - other.order);
    const { events } = this.parts;
    fill(events, ...items.slice(0, LISTED).map((item) => {
      const swatch = el("span", { class: "swatch small" });
      if (item.seat !== null && item.seat !== undefined) swatch.style.background = seatInk(item.seat);
      else swatch.classList.add("none");
      return el("li", { "data-kind": item.kind },
        el("button", { type: "button", class: "plain when", tabindex: "-1", title: `Go to turn ${item.turn}`, "data-index": item.index }, item.turn),
        swatch, el("span", {}, item.text));
    }));
    this.parts.noEvents.hidden = items.length > 0;
  }

  // --- the parts -------------------------------------------------------------------------------------------------------------------

  build() {
    const canvas = el("canvas", { role: "img", "aria-label": "The board" });
    const text = el("pre", { class: "as-text", tabindex: "0", "aria-label": "The view of this turn", hidden: true });
    const banner = el("div", { class: "banner", role: "status", hidden: true });
    const stage = el("div", { class: "stage" }, canvas, text);
    const status = el("span", { class: "pill", role: "status" });
    const limitsOf = el("span", { class: "quiet" });
    const title = el("h1", { class: "match-title" });
    const extras = el("span", { class: "row extras" });
    const scores = el("ol", { class: "scores", "aria-label": "Scoreboard" });
    const events = el("ol", { class: "events", "aria-label": "Events, newest first", tabindex: "0" });
    const noEvents = el("p", { class: "quiet" }, "Nothing yet.");
    const told = el("p", { class: "hidden", "aria-live": "polite" });
    const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ act) =>
      el("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: act }, icon(name));
    const back = button("back", "One step back (left arrow)", () => this.step(-1));
    const play = button("play", "Play", () => this.toggle());
    const forward = button("forward", "One step forward (right arrow)", () => this.step(1));
    const live = el("button", { type: "button", class: "live", title: "Jump to live (L)", onclick: () => this.follow() }, "Live");
    const scrub = el("input", { type: "range", min: 0, max: 0, value: 0, step: 1, class: "scrub", "aria-label": "Turn" });
    const turn = el("output", { class: "turn" }, "–");
    const speed = el("select", { "aria-label": "Speed", title: "Speed (+ and -)" },
      ...SPEEDS.map((factor) => el("option", { value: factor, selected: factor === 1 }, `${factor}×`)));
    const drawings = el("button", { type: "button", class: "tool", "aria-pressed": "true", "aria-label": "Drawings of the bots", title: "Drawings of the bots (D)", onclick: () => this.toggleDrawings() }, icon("pen"));
    const link = button("link", "Copy a link to this turn", () => copy(this.address(), link));
    const snap = button("camera", "Save a picture of this moment", async () => {
      if (this.asText) return;
      save(await this.picture(), `${this._source?.match || "match"}-${this.state.turn}.png`);
    });
    const file = el("a", { class: "tool", hidden: true, title: "Save the replay", "aria-label": "Save the replay", download: "" }, icon("save"));
    const full = button("full", "Full screen (F)", () => this.fullscreen());
    scrub.addEventListener("input", () => {
      clearTimeout(this.playTimer);
      this.playing = false;
      this.seek(Number(scrub.value));
    });
    speed.addEventListener("change", () => { this.speed = Number(speed.value); });
    events.addEventListener("click", (event) => {
      const target = /** @type {HTMLElement} */ (event.target).closest("[data-index]");
      if (target) {
        this.pause();
        this.seek(Number(/** @type {HTMLElement} */ (target).dataset.index));
      }
    });
    canvas.addEventListener("pointermove", (event) => this.point(event.offsetX, event.offsetY));
    canvas.addEventListener("pointerleave", () => this.point(-1, -1));
    canvas.addEventListener("click", (event) => this.hand.click(event.offsetX, event.offsetY));
    return { canvas, text, banner, stage, status, limits: limitsOf, title, extras, scores, events, noEvents, told, back, play, forward, live, scrub, turn,
      speed, drawings, link, snap, file, full };
  }

  chart = plot((index) => {
    this.pause();
    this.seek(index);
  });

  said = saidPanel((turn) => {
    this.pause();
    if (this._source) this.seek(this._source.indexOf(turn));
  });

  connectedCallback() {
    const { title, extras, status, limits: limitsOf, stage, banner, scores, events, noEvents, told, back, play, forward, live, scrub, turn, speed, drawings,
      link, snap, file, full } = this.parts;
    this.replaceChildren(
      el("header", { class: "match-head" }, title, status, limitsOf, extras),
      stage,
      this.hand.element,
      el("aside", { class: "match-side", "aria-label": "How it stands" },
        banner, scores, this.said.element,
        el("section", { class: "over-time" }, el("h2", {}, "Score over time"), this.chart.element),
        el("section", { class: "happened" }, el("h2", {}, "Events"), noEvents, events)),
      el("div", { class: "transport", role: "group", "aria-label": "Time" },
        el("div", { class: "keys" }, back, play, forward), live, scrub, turn, speed,
        el("div", { class: "keys more" }, drawings, link, snap, file, full)),
      told,
    );
    this.painted.port1.onmessage = () => {
      const cost = performance.now() - this.drawnAt;
      this.cost = this.cost ? 0.8 * this.cost + 0.2 * cost : cost;
    };
    const sized = new ResizeObserver(() => this.fit());
    sized.observe(stage);
    const painted = () => {
      this.seats = this.seats.map((seat) => ({ ...seat, colour: seatColour(seat.seat) }));
      this.buildScores();
      this.listed = "";
      this.draw();
      this.tellNow();
    };
    const key = (/** @type {KeyboardEvent} */ event) => this.key(event);
    themes.addEventListener("change", painted);
    document.addEventListener("keydown", key);
    this.unhook = () => {
      sized.disconnect();
      themes.removeEventListener("change", painted);
      document.removeEventListener("keydown", key);
      this.painted.port1.onmessage = null;
    };
  }

  /** @type {() => void} */
  unhook = () => {};

  disconnectedCallback() {
    this.unhook();
    this.hand.stop();
    this.leave();
  }

  /** Let go of the source. */
  leave() {
    this.loading += 1;
    clearTimeout(this.playTimer);
    clearTimeout(this.tellTimer);
    this.tellTimer = 0;
    this.playing = false;
    this.digest?.stop();
    this.digest = null;
    for (const back of this.undo) back();
    this.undo = [];
    this._source?.close();
    this._source = null;
    this.parts.banner.dataset.of = "";
  }

  /** What the header says.
   * @param {string} text @param {string|null} [file] where the replay can be had */
  name(text, file = null) {
    this.parts.title.textContent = text;
    this.parts.file.hidden = file === null;
    if (file) {
      this.parts.file.href = file;
      this.parts.file.download = `${this._source?.match ?? "match"}.replay.jsonl`;
    }
  }

  /** The address of this very turn. */
  address() {
    const address = new URL(location.href);
    address.hash = String(this.state.turn ?? "");
    return address.href;
  }

  toggleDrawings() {
    this.showsDrawings = !this.showsDrawings;
    this.parts.drawings.setAttribute("aria-pressed", String(this.showsDrawings));
    this.draw();
  }

  fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.requestFullscreen?.().catch(() => {});
  }

  /** @param {number} x @param {number} y of the box, CSS pixels */
  point(x, y) {
    const source = this._source;
    if (!source || !this.renderer.at || this.index < source.first || this.index >= source.end) return;
    const cell = x < 0 ? null : this.renderer.at(x, y, source.viewAt(this.index), this.box);
    if (cell?.x === this.hover?.x && cell?.y === this.hover?.y) return;
    this.hover = cell;
    this.request();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest?.("input:not([type=range]), select, textarea, [contenteditable], dialog")) return;
    if ([" ", "Enter"].includes(event.key) && target.matches?.("button, a, summary")) return;
    if (this.hand.key(event.key, event.repeat)) {
      event.preventDefault();
      return;
    }
    const act = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act(this);
  }
}

/** @type {Record<string, (match: ArenaMatch) => void>} */
const KEYS = {
  " ": (match) => match.toggle(),
  ArrowLeft: (match) => match.step(-1),
  ArrowRight: (match) => match.step(1),
  PageUp: (match) => match.seek(match.index - 20),
  PageDown: (match) => match.seek(match.index + 20),
  Home: (match) => { match.pause(); match.seek(0); },
  End: (match) => { match.pause(); match.seek(Infinity); },
  f: (match) => match.fullscreen(),
  l: (match) => match.follow(),
  d: (match) => match.toggleDrawings(),
  "+": (match) => match.faster(1),
  "-": (match) => match.faster(-1),
};

/** @param {string} outcome */
function verdict(outcome) {
  return { draw: "A draw", both_lost: "Both lost", aborted: "Broken off" }[outcome] ?? words(outcome);
}

/** @param {any} clock @param {boolean} human */
function limits(clock, human) {
  if (!clock) return "";
  const said = (/** @type {number} */ ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);
  if (clock.tick_ms) return `a tick every ${said(clock.tick_ms)}`;
  if (human) return clock.human_turn_ms ? `${said(clock.human_turn_ms)} a turn for you` : "no time limit for you";
  const parts = [clock.turn_ms ? `${said(clock.turn_ms)} a turn` : "no time limit"];
  if (clock.bank_ms) parts.push(`bank ${said(clock.bank_ms)}`);
  if (clock.increment_ms) parts.push(`+ ${said(clock.increment_ms)}`);
  return parts.join(", ");
}

/** @param {Source} source @param {number} index @param {number} seat @returns {[string, string][]} */
function clockFacts(source, index, seat) {
  const clock = source.clockAt(index, seat);
  if (!clock) return [];
  /** @type {[string, string][]} */
  const facts = [];
  if (clock.within_ms !== null) facts.push(["time", `${(clock.within_ms / 1000).toFixed(1)} s`]);
  if (clock.bank_ms !== null) facts.push(["bank", `${(clock.bank_ms / 1000).toFixed(1)} s`]);
  return facts;
}

/** @param {Source} source @param {number} turn @param {number} seat @returns {[string, string][]} */
function faults(source, turn, seat) {
  let timeouts = 0;
  for (const news of source.news) if (news.seat === seat && news.turn <= turn && (news.event === "timeout" || news.event === "silent")) timeouts += 1;
  return timeouts ? [["missed", String(timeouts)]] : [];
}

/** @param {Source} source @param {number} turn @param {number} seat */
function isAway(source, turn, seat) {
  const last = source.news.findLast((news) => news.seat === seat && news.turn <= turn && (news.event === "away" || news.event === "back"));
  return last?.event === "away";
}

/** What an event of the platform says to people, and of which kind that is; empty: nothing.
 * @param {import("./sources.js").HouseEvent} news @param {SeatInfo[]} seats @returns {[string, string]} */
function spoken(news, seats) {
  const who = news.seat === null ? "" : `${seats[news.seat]?.name ?? `seat ${news.seat}`} `;
  if (news.event === "steps") return ["", "info"];
  if (news.event !== "info") {
    const [text, kind] = NEWS[news.event] ?? [words(news.event), "info"];
    return [who + text, kind];
  }
  const said = typeof news.data === "string" ? news.data : news.data?.text;
  return [typeof said === "string" ? `${who}“${said.slice(0, 160)}”` : "", "said"];
}

/** What the platform says again and again: of a seat, or of nobody, without anything else of the same in between.
 * @typedef {{turn: number, since: number, times: number, seat: number|null, text: string, kind: string}} Run */

/** The runs up to a turn, the latest first. `turn` is that of the last time.
 * @param {import("./sources.js").HouseEvent[]} news @param {number} until @param {SeatInfo[]} seats @returns {Run[]} */
function runs(news, until, seats) {
  /** @type {Run[]} */
  const found = [];
  /** @type {Map<number|null, Run>} */
  const latest = new Map();
  for (const one of news.toReversed()) {
    if (one.turn > until) continue;
    const [text, kind] = spoken(one, seats);
    if (!text) continue;
    const run = latest.get(one.seat);
    if (run?.text === text) {
      run.times += 1;
      run.since = one.turn;
      continue;
    }
    const begun = { turn: one.turn, since: one.turn, times: 1, seat: one.seat, text, kind };
    latest.set(one.seat, begun);
    found.push(begun);
  }
  return found;
}

/** @param {Run} run */
function counted({ text, times, since, turn }) {
  if (times === 1) return text;
  return `${text} · ${times} times${since === turn ? "" : ` since turn ${since}`}`;
}

customElements.define("arena-match", ArenaMatch);
