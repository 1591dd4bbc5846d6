// Where the views of a match come from. <arena-match> takes any Source and asks nothing else: a replay, the live gallery, or one more
// that extends these (a seat's own views, a seat that a person plays).
//
// A source tells of itself by events: `start` (game, seats and config are known), `frame` (one more view), `rewound` (views were taken
// back), `status`, `end` (the outcome is known), `news` (a platform event).

import { api, lookToken } from "./api.js";
import { BadDelta, patch, settled } from "./delta.js";
import { Replay, lowerBound } from "./replay.js";

/** @typedef {import("./replay.js").HouseEvent} HouseEvent */
/** @typedef {{kind: "connecting"|"waiting"|"live"|"lost"|"over"|"replay"|"refused", text: string}} Status */

export class Source extends EventTarget {
  constructor() {
    super();
    this.match = "";
    this.game = "";
    /** @type {{seat: number, role: string, name: string, kind: string}[]} */
    this.seats = [];
    /** @type {any} */
    this.config = {};
    /** @type {any} */
    this.clock = null;
    /** @type {number|null} */
    this.viewer = null;
    /** More views may come. */
    this.live = false;
    /** A person plays the seat of `viewer` through it. */
    this.human = false;
    /** @type {any} */
    this.outcome = null;
    /** @type {Status} */
    this.status = { kind: "connecting", text: "Connecting …" };
    /** Where the file of the whole match can be had.
     * @type {string|null} */
    this.file = null;
    /** @type {HouseEvent[]} */
    this.news = [];
  }

  /** The first frame that can be shown. */
  get first() { return 0; }

  /** One more than the last frame. */
  get end() { return 0; }

  /** @param {number} _index @returns {number} */
  turnAt(_index) { throw new Error("not of this source"); }

  /** @param {number} _index @returns {any} */
  viewAt(_index) { throw new Error("not of this source"); }

  /** The frame that shows a turn as it opened, or the nearest one.
   * @param {number} _turn @returns {number} */
  indexOf(_turn) { throw new Error("not of this source"); }

  /** The fields that only the start message may carry, as they were there. */
  get once() { return this.end > this.first ? this.viewAt(this.first) : null; }

  /** The time a seat has for the turn of a frame, where the source knows it.
   * @param {number} _index @param {number} _seat @returns {{within_ms: number|null, bank_ms: number|null}|null} */
  clockAt(_index, _seat) { return null; }

  /** What the bots drew over the board in the turn of a frame: the list `draw` of their infos.
   * @param {number} index
   * @returns {import("../games/contract.js").Overlay[]} */
  overlaysAt(index) {
    const turn = this.turnAt(index);
    return this.news.filter((one) => one.turn === turn && one.event === "info" && Array.isArray(one.data?.draw)).flatMap(drawn);
  }

  /** What the seat of `viewer` said in the turn of a frame, where the source knows it.
   * @param {number} _index @returns {import("./replay.js").Said[]|null} */
  saidAt(_index) { return null; }

  /** All that it said, oldest first. @returns {import("./replay.js").Said[]} */
  get said() { return []; }

  /** Begin. @returns {void} */
  open() {}

  /** No more of it. @returns {void} */
  close() {}

  /** @param {string} kind */
  tell(kind) { this.dispatchEvent(new Event(kind)); }

  /** @param {Status["kind"]} kind @param {string} text */
  say(kind, text) {
    this.status = { kind, text };
    this.tell("status");
  }
}

const MOST_DRAWN = 400;
const LONGEST_DRAWN = 60;
const COLOUR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** What a bot wants drawn, as far as it can be (PROTOCOL.md §2): anything may be in there.
 * @param {HouseEvent} info @returns {import("../games/contract.js").Overlay[]} */
function drawn({ seat, data }) {
  const place = (/** @type {any} */ one) => Number.isFinite(one?.x) && Number.isFinite(one?.y);
  /** @type {import("../games/contract.js").Overlay[]} */
  const parts = [];
  for (const part of data.draw.slice(0, MOST_DRAWN)) {
    const look = { ...(seat === null ? {} : { seat }), ...(COLOUR.test(part?.colour) ? { colour: part.colour } : {}) };
    if (part?.kind === "cell" && place(part)) parts.push({ kind: "cell", x: part.x, y: part.y, ...look });
    else if (part?.kind === "arrow" && place(part.from) && place(part.to)) {
      parts.push({ kind: "arrow", from: { x: part.from.x, y: part.from.y }, to: { x: part.to.x, y: part.to.y }, ...look });
    } else if (part?.kind === "text" && place(part)) {
      parts.push({ kind: "text", x: part.x, y: part.y, text: String(part.text ?? "").slice(0, LONGEST_DRAWN), ...look });
    }
  }
  return parts;
}

/** A file that is whole (or cut): every frame is there at once. */
export class ReplaySource extends Source {
  /** @param {string} text   Throws BadReplay. @param {string|null} [file] */
  constructor(text, file = null) {
    super();
    this.replay = new Replay(text);
    const header = this.replay.header;
    this.match = header.match;
    this.game = header.game;
    this.seats = header.seats.map((/** @type {any} */ seat, /** @type {number} */ number) => (
      { seat: number, role: seat.role ?? "", name: seat.name ?? "", kind: seat.kind ?? "bot" }));
    this.config = header.config ?? {};
    this.outcome = this.replay.outcome;
    this.news = this.replay.events;
    this.file = file;
    this.say("replay", this.replay.fault ?? "Replay");
  }

  get end() { return this.replay.length; }

  get once() { return this.replay.first; }

  /** @param {number} index */
  turnAt(index) { return this.replay.entries[index].turn; }

  /** @param {number} index */
  viewAt(index) { return this.replay.view(index); }

  /** @param {number} turn */
  indexOf(turn) { return this.replay.indexOf(turn); }
}

const KEPT = 5000;
/** The server pings every 5 s: three missed ones mean a dead connection. */
const QUIET_MS = 16_000;

/** The wait before the next attempt, ms. While the server holds our seat attempts are frequent, else they back off; no two
 * clients try at the same moment (client_sdk/retry.py).
 * @param {number} tries @param {number} gone ms since the connection was lost @param {number} held ms that the seat is held */
function delay(tries, gone, held) {
  if (gone >= held) return Math.min(Math.max(500, gone), 5_000) * Math.random();
  return (tries === 0 ? 50 : Math.min(Math.max(200, gone / 10), 1_000)) * (0.5 + Math.random() / 2);
}

/** The gallery's views as they come. What was seen stays, so that one can look back. */
export class LiveSource extends Source {
  /** @param {string} match */
  constructor(match) {
    super();
    this.match = match;
    this.live = true;
    /** @type {{turn: number, view: any}[]} */
    this.frames = [];
    this.base = 0;
    this.seq = -1;
    /** A whole view was asked for and has not come yet: what does not fit until then asks for no other. */
    this.asksWhole = false;
    this.tries = 0;
    this.gone = 0;
    this.closed = false;
    /** @type {WebSocket|null} */
    this.socket = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.heard = 0;
    /** @type {{code: string, text: string, retry: boolean}|null} */
    this.refusal = null;
  }

  get first() { return this.base; }
  get end() { return this.base + this.frames.length; }

  /** @param {number} index */
  turnAt(index) { return this.frames[index - this.base].turn; }

  /** @param {number} index */
  viewAt(index) { return this.frames[index - this.base].view; }

  /** @param {number} turn */
  indexOf(turn) { return this.base + lowerBound(this.frames, turn); }

  /** What this client says first.
   * @returns {Record<string, any>} */
  hello() {
    return { type: "hello", protocol: 1, match: this.match, token: lookToken(this.match), deltas: true, client: "botarena page" };
  }

  get path() { return "/ws/watch"; }

  /** How long the server holds our seat when the connection is lost, ms. */
  get held() { return 0; }

  open() {
    this.closed = false;
    this.refusal = null;
    this.address().then((url) => this.closed || this.connect(url));
  }

  /** Where the process listens that plays this match: on a server of several ones the lobby says it.
   * @returns {Promise<string>} */
  async address() {
    const own = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`;
    try {
      const lobby = await api(`/lobbies/${encodeURIComponent(this.match)}`, { token: lookToken(this.match) });
      return lobby.watch_url?.replace("/ws/watch", this.path) ?? own;
    } catch {
      return own;
    }
  }

  /** @param {string} url */
  connect(url) {
    const socket = new WebSocket(url);
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => this.send(this.hello());
    socket.onmessage = (frame) => {
      if (socket !== this.socket) return;
      this.heard = Date.now();
      this.take(JSON.parse(frame.data));
    };
    socket.onclose = () => socket === this.socket && this.lost();
    this.watchdog(socket);
  }

  /** Half a connection is none. @param {WebSocket} socket */
  watchdog(socket) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (socket !== this.socket || this.closed) return;
      if (Date.now() - this.heard > QUIET_MS) {
        this.socket = null;
        socket.close();
        this.lost();
      } else {
        this.watchdog(socket);
      }
    }, QUIET_MS / 4);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** @param {any} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  lost() {
    if (this.closed) return;
    if (this.outcome !== null || this.refusal?.retry === false) {
      this.live = false;
      this.close();
      if (this.refusal && this.outcome === null) this.say("refused", this.refusal.text);
      return;
    }
    if (this.tries === 0) this.gone = Date.now();
    const wait = delay(this.tries, Date.now() - this.gone, this.held);
    this.tries += 1;
    this.say("lost", "Connection lost; trying again …");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** @param {any} message */
  take(message) {
    switch (message.type) {
      case "hello":
        this.game = message.game;
        if (this.frames.length === 0) this.say("waiting", "Waiting for the players …");
        break;
      case "start":
        this.tries = 0;
        this.game = message.game;
        this.seats = message.seats;
        this.config = message.config;
        this.clock = message.clock;
        this.viewer = message.seat;
        this.tell("start");
        this.add(message, this.whole(message.view));
        this.say("live", "Live");
        break;
      case "view":
        this.add(message, this.whole(message.view));
        break;
      case "delta":
        this.change(message);
        break;
      case "event":
        this.news.push({ turn: message.turn, event: message.event, seat: message.seat, data: message.data });
        if (this.news.length > KEPT) this.news.splice(0, KEPT / 10);
        this.tell("news");
        break;
      case "end":
        this.outcome = message.outcome;
        this.live = false;
        this.say("over", "Over");
        this.tell("end");
        break;
      case "error":
        this.refusal = message;
        break;
      default:
        this.takeOther(message);
    }
  }

  /** Messages that only a seat gets.
   * @param {any} _message */
  takeOther(_message) {}

  /** @param {any} message */
  change(message) {
    const last = this.frames.at(-1);
    try {
      if (!last || message.base !== this.seq) throw new BadDelta("a change of a view that is not here");
      this.add(message, patch(last.view, message.delta));
    } catch (fault) {
      if (!(fault instanceof BadDelta)) throw fault;
      if (this.asksWhole) return;
      this.asksWhole = true;
      this.send({ type: "resync" });
    }
  }

  /** A view that came whole, sharing with the one before what did not change.
   * @param {any} view */
  whole(view) {
    this.asksWhole = false;
    return settled(this.frames.at(-1)?.view, view);
  }

  /** One more view. The same turn again replaces what was told of it; an earlier one takes back what came after.
   * @param {{turn: number, seq: number}} message @param {any} view */
  add(message, view) {
    const known = this.frames.length;
    this.seq = message.seq;
    while (this.frames.length > 0 && /** @type {any} */ (this.frames.at(-1)).turn >= message.turn) this.frames.pop();
    const taken = known - this.frames.length;
    this.frames.push({ turn: message.turn, view });
    if (this.frames.length > KEPT) {
      this.frames.splice(0, KEPT / 10);
      this.base += KEPT / 10;
    }
    if (taken > 0) this.tell("rewound");
    this.tell("frame");
  }
}

/** The record of a match that is over, once everybody may see it; null: it does not come out yet.
 * @param {string} match
 * @returns {Promise<ReplaySource|null>}   Throws Refusal. */
export async function released(match) {
  const token = lookToken(match);
  const record = await api(`/matches/${encodeURIComponent(match)}`, { token });
  if (!record.released) return null;
  const path = `/replays/${encodeURIComponent(match)}`;
  const text = await fetch(`/api/v1${path}`, token ? { headers: { Authorization: `Bearer ${token}` } } : {});
  if (!text.ok) return null;
  return new ReplaySource(await text.text(), `/api/v1${path}`);
}
