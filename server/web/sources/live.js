// A spectator's views as they come over a websocket. Frames are kept, so that a spectator can look
// back.

import { api, lookToken } from "../lib/api.js";
import { BadDelta, patch, shareUnchanged } from "../lib/delta.js";
import { lowerBound } from "../lib/replay.js";
import { Connection } from "./connection.js";
import { Source } from "./source.js";

/** Frames and platform events that are kept; beyond that the oldest tenth is dropped. */
const MAX_KEPT = 5000;

export class LiveSource extends Source {
  /** @param {string} match */
  constructor(match) {
    super();
    this.match = match;
    this.live = true;
    /** @type {{turn: number, view: any}[]} */
    this.frames = [];
    /** The index of `frames[0]`. */
    this.base = 0;
    this.seq = -1;
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

  get first() {
    return this.base;
  }
  get end() {
    return this.base + this.frames.length;
  }

  /** @param {number} index */
  turnAt(index) {
    return this.frames[index - this.base].turn;
  }

  /** @param {number} index */
  viewAt(index) {
    return this.frames[index - this.base].view;
  }

  /** @param {number} turn */
  indexOf(turn) {
    return this.base + lowerBound(this.frames, turn);
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
        if (this.frames.length === 0) this.setStatus("waiting", "Waiting for the players …");
        break;
      case "start":
        this.connection.established();
        this.game = message.game;
        this.seats = message.seats;
        this.config = message.config;
        this.clock = message.clock;
        this.viewer = message.seat;
        this.emit("start");
        this.add(message, this.wholeView(message.view));
        this.setStatus("live", "Live");
        break;
      case "view":
        this.add(message, this.wholeView(message.view));
        break;
      case "delta":
        this.applyDelta(message);
        break;
      case "event":
        this.platformEvents.push({
          turn: message.turn,
          event: message.event,
          seat: message.seat,
          data: message.data,
        });
        if (this.platformEvents.length > MAX_KEPT) this.platformEvents.splice(0, MAX_KEPT / 10);
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

  /** Add the view that a delta makes of the last one; if it does not apply, request a whole view.
   * @param {any} message */
  applyDelta(message) {
    const last = this.frames.at(-1);
    try {
      if (!last || message.base !== this.seq) throw new BadDelta("its base is not the last view");
      this.add(message, patch(last.view, message.delta));
    } catch (error) {
      if (!(error instanceof BadDelta)) throw error;
      if (this.awaitsResync) return;
      this.awaitsResync = true;
      this.connection.send({ type: "resync" });
    }
  }

  /** A view that came whole, sharing with the one before what did not change.
   * @param {any} view */
  wholeView(view) {
    this.awaitsResync = false;
    return shareUnchanged(this.frames.at(-1)?.view, view);
  }

  /** Add a frame. The same turn again replaces its frame; an earlier turn also takes back what
   * came after it.
   * @param {{turn: number, seq: number}} message @param {any} view */
  add(message, view) {
    const before = this.frames.length;
    this.seq = message.seq;
    while (this.frames.length > 0 && /** @type {any} */ (this.frames.at(-1)).turn >= message.turn)
      this.frames.pop();
    const takenBack = before - this.frames.length;
    this.frames.push({ turn: message.turn, view });
    if (this.frames.length > MAX_KEPT) {
      this.frames.splice(0, MAX_KEPT / 10);
      this.base += MAX_KEPT / 10;
    }
    if (takenBack > 0) this.emit("rewound");
    this.emit("frame");
  }
}
