// A spectator's views as they come over a websocket. What was shown before, or while there was no
// connection, comes from the history that the server gives.

import { api, download, lookToken } from "../lib/api.js";
import { BadDelta, patch } from "../lib/delta.js";
import { Replay } from "../lib/replay.js";
import { Connection } from "./connection.js";
import { isAway } from "../match/platform-events.js";
import { leftAt } from "../match/seat-clock.js";
import { Source } from "./source.js";

/** @typedef {import("../match/seat-clock.js").SeatClock} SeatClock */

/** The waits before the history is requested: it may end before the first view that came. */
const FILL_MS = [0, 500, 1_500, 5_000];

export class LiveSource extends Source {
  /** @param {string} match */
  constructor(match) {
    super();
    this.match = match;
    this.live = true;
    this.record = new Replay();
    /** Requests for the history; a newer one makes the others void. */
    this.fills = 0;
    this.seq = -1;
    /** The seats' clocks as turns opened, by turn.
     * @type {Map<number, SeatClock[]>} */
    this.clocks = new Map();
    /** A whole view was requested and has not come yet: until then no other is requested. */
    this.awaitsResync = false;
    /** Why the server ended the last connection.
     * @type {{code: string, text: string, retry: boolean}|null} */
    this.refusal = null;
    this.connection = new Connection({
      address: () => this.address(),
      opened: () => {
        this.refusal = null;
        this.connection.send(this.hello());
      },
      received: (message) => this.receive(message),
      lost: () => this.lost(),
      heldMs: () => this.heldMs,
    });
  }

  get end() {
    return this.record.length;
  }

  /** @param {number} index */
  turnAt(index) {
    return this.record.turns[index];
  }

  /** @param {number} index */
  viewAt(index) {
    return this.record.view(index);
  }

  /** @param {number} turn */
  indexOf(turn) {
    return this.record.indexOf(turn);
  }

  /** @param {number} index @param {number} seat
   * @returns {SeatClock|null} */
  clockAt(index, seat) {
    const clock = this.clocks.get(this.turnAt(index))?.[seat] ?? null;
    const open = this.live && index === this.end - 1;
    return clock && !open ? { ...clock, within_ms: null, since: null } : clock;
  }

  /** A turn has opened, with this time for each seat, `spent_ms` ago. The clock of a seat that the
   * match waits for stands.
   * @param {number} turn @param {(number|null)[]} within_ms @param {(number|null)[]} [bank_ms]
   * @param {number} [spent_ms] */
  openClocks(turn, within_ms, bank_ms = [], spent_ms = 0) {
    const since = performance.now() - spent_ms;
    const waits = this.clock?.absence === "waits";
    this.clocks.set(
      turn,
      within_ms.map((within, seat) => ({
        within_ms: within,
        bank_ms: bank_ms[seat] ?? null,
        since: waits && isAway(this.platformEvents, seat, turn) ? null : since,
      })),
    );
  }

  /** What a seat has for a turn by the start message, ms; null: there is no limit.
   * @param {{kind: string}} seat @returns {number|null} */
  turnMs({ kind }) {
    const { human_turn_ms, turn_ms, bank_ms, increment_ms } = this.clock;
    if (kind === "human") return human_turn_ms || null;
    return turn_ms || bank_ms || increment_ms ? turn_ms : null;
  }

  /** Where the server says nothing else, all seats are asked.
   * @param {number} turn */
  openTurn(turn) {
    const { tick_ms, lockstep, bank_ms, increment_ms } = this.clock ?? {};
    if (tick_ms !== null || lockstep || bank_ms || increment_ms) return;
    this.clocks.clear(); // without banks there is nothing to show of an earlier turn
    this.openClocks(
      turn,
      this.seats.map((seat) => this.turnMs(seat)),
    );
  }

  /** While a seat is away the clock of its turn stands, if the match waits for it.
   * @param {{event: string, seat: number|null, turn: number}} event */
  pauseClock({ event, seat, turn }) {
    if (this.clock?.absence !== "waits" || seat === null) return;
    const clock = this.clocks.get(turn)?.[seat];
    const now = performance.now();
    if (!clock) return;
    if (event === "away" && clock.since !== null)
      Object.assign(clock, leftAt(clock, now), { since: null });
    else if (event === "back" && clock.since === null) clock.since = now;
  }

  /** The first message of this client.
   * @returns {Record<string, any>} */
  hello() {
    return {
      type: "hello",
      protocol: 1,
      match: this.match,
      token: lookToken(this.match),
      deltas: true,
      client: "botarena page",
    };
  }

  get path() {
    return "/ws/watch";
  }

  /** How long the server holds our seat when the connection is lost, ms. */
  get heldMs() {
    return 0;
  }

  open() {
    this.connection.open();
  }

  close() {
    this.fills += 1;
    this.connection.close();
  }

  /** The URL of the process that plays this match: on a server with several processes the lobby
   * names it.
   * @returns {Promise<string>} */
  async address() {
    const own = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`;
    try {
      const lobby = await api(`/lobbies/${encodeURIComponent(this.match)}`, {
        token: lookToken(this.match),
      });
      return lobby.watch_url?.replace("/ws/watch", this.path) ?? own;
    } catch {
      return own;
    }
  }

  /** The connection was lost. Returns whether to reconnect. */
  lost() {
    if (this.outcome === null && this.refusal?.retry !== false) {
      this.setStatus("lost", "Connection lost; trying again …");
      return true;
    }
    this.live = false;
    if (this.refusal && this.outcome === null) this.setStatus("refused", this.refusal.text);
    return false;
  }

  /** @param {any} message */
  receive(message) {
    switch (message.type) {
      case "hello":
        this.game = message.game;
        if (this.end === 0) this.setStatus("waiting", "Waiting for the players …");
        break;
      case "start":
        this.connection.established();
        this.game = message.game;
        this.seats = message.seats;
        this.config = message.config;
        this.clock = message.clock;
        this.viewer = message.seat;
        this.emit("start");
        if (!this.human && message.turn > this.lastTurn + 1) this.fill();
        this.add(message, true, this.wholeView(message.view));
        this.setStatus("live", "Live");
        break;
      case "view":
        this.openTurn(message.turn);
        this.add(message, true, this.wholeView(message.view));
        break;
      case "delta":
        this.openTurn(message.turn);
        this.applyDelta(message);
        break;
      case "event":
        if (message.event === "clock") {
          const { within_ms, bank_ms, spent_ms } = message.data;
          this.openClocks(message.turn, within_ms, bank_ms, spent_ms);
          this.emit("update");
          break;
        }
        this.pauseClock(message);
        this.platformEvents.push({
          turn: message.turn,
          event: message.event,
          seat: message.seat,
          data: message.data,
        });
        this.emit("update");
        break;
      case "end":
        this.outcome = message.outcome;
        this.live = false;
        this.setStatus("over", "Over");
        this.emit("end");
        break;
      case "error":
        this.refusal = message;
        break;
      default:
        this.receiveOther(message);
    }
  }

  /** Messages that only a seat gets.
   * @param {any} _message */
  receiveOther(_message) {}

  /** The turn of the newest frame, -1 without one. */
  get lastTurn() {
    return this.record.turns.at(-1) ?? -1;
  }

  /** Add the view that a delta makes of the last one; if it does not apply, request a whole view.
   * @param {any} message */
  applyDelta(message) {
    try {
      if (this.end === 0 || message.base !== this.seq)
        throw new BadDelta("its base is not the last view");
      this.add(message, false, message.delta);
    } catch (error) {
      if (!(error instanceof BadDelta)) throw error;
      if (this.awaitsResync) return;
      this.awaitsResync = true;
      this.connection.send({ type: "resync" });
    }
  }

  /** A view that came whole.
   * @param {any} view */
  wholeView(view) {
    this.awaitsResync = false;
    return view;
  }

  /** Add a frame. The same turn again replaces its frame; an earlier turn also takes back what
   * came after it. Throws BadDelta.
   * @param {{turn: number, seq: number}} message @param {boolean} whole @param {any} body the
   *   view, or its change of the last one */
  add(message, whole, body) {
    const { record } = this;
    const last = this.end > 0 ? this.viewAt(this.end - 1) : null;
    const replaces = message.turn <= this.lastTurn;
    const view = replaces && !whole ? patch(last, body) : body;
    if (replaces) record.takeBack(message.turn);
    record.add(message.turn, whole || replaces, view);
    this.seq = message.seq;
    if (replaces) this.emit("rewound");
    this.emit("frame");
  }

  // --- what was shown before ---

  /** Request what was shown before the first view that came. */
  async fill() {
    const fill = ++this.fills;
    for (const wait of FILL_MS) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const path = `/matches/${encodeURIComponent(this.match)}/history`;
      const text = await download(path, lookToken(this.match)).catch(() => "");
      if (fill !== this.fills) return;
      if (text && this.takeHistory(new Replay(text))) return;
    }
  }

  /** Put the history before the frames that it does not have. Returns whether none is missing
   * between them.
   * @param {Replay} history */
  takeHistory(history) {
    const own = this.record;
    const last = history.turns.at(-1) ?? -1;
    const later = own.turns.findIndex((turn) => turn > last);
    if (later >= 0)
      for (let index = later; index < own.length; index += 1)
        history.add(own.turns[index], true, own.view(index));
    const known = new Set(history.events.map((event) => JSON.stringify(event)));
    history.events.push(...this.platformEvents.filter((one) => !known.has(JSON.stringify(one))));
    this.platformEvents = history.events;
    this.record = history;
    this.dispatchEvent(new CustomEvent("history", { detail: own }));
    return later < 0 || own.turns[later] <= last + 1;
  }
}
