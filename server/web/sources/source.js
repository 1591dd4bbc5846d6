// Where the views of a match come from. <arena-match> takes any Source: a replay file (replay.js),
// a live match (live.js), what one seat saw (seat.js), or a seat that a person plays
// (human.js).
//
// A source dispatches these events:
// - `start`: game, seats and config are known;
// - `frame`: there is one more view;
// - `rewound`: views were taken back;
// - `history`: views came to stand before others; its `detail` is the record without them;
// - `status`: `status` changed;
// - `update`: commands or platform events changed;
// - `end`: the outcome is known.

import { distinct } from "../lib/names.js";
import { overlaysOf } from "./overlays.js";

/** @typedef {import("../lib/replay.js").PlatformEvent} PlatformEvent */
/** @typedef {import("../lib/replay.js").SentCommand} SentCommand */
/** @typedef {"connecting"|"waiting"|"live"|"lost"|"over"|"replay"|"refused"} StatusKind */
/** @typedef {{kind: StatusKind, text: string}} Status */

export class Source extends EventTarget {
  constructor() {
    super();
    this.match = "";
    this.game = "";
    /** @type {{seat: number, role: string, name: string, kind: string}[]} */
    this.distinct = [];
    /** @type {any} */
    this.config = {};
    /** @type {any} */
    this.clock = null;
    /** The seat whose views these are; null: a spectator's.
     * @type {number|null} */
    this.viewer = null;
    /** More views may come. */
    this.live = false;
    /** A person plays the seat of `viewer` through it. */
    this.human = false;
    /** @type {any} */
    this.outcome = null;
    /** @type {Status} */
    this.status = { kind: "connecting", text: "Connecting …" };
    /** The address of the file of the whole match.
     * @type {string|null} */
    this.file = null;
    /** The name of the local file that this is; empty: it is none. */
    this.fileName = "";
    /** What the bot printed, by turn, if its log is beside the file.
     * @type {Map<number, string[]>|null} */
    this.printed = null;
    /** The address of the page that shows its author what the bot printed; null: it has no log.
     * @type {string|null} */
    this.logPage = null;
    /** @type {PlatformEvent[]} */
    this.platformEvents = [];
  }

  /** Bots of one name get numbers when they are set. */
  get seats() {
    return this.distinct;
  }
  set seats(seats) {
    this.distinct = distinct(seats);
  }

  /** The first frame that can be shown. */
  get first() {
    return 0;
  }

  /** One more than the last frame. */
  get end() {
    return 0;
  }

  /** @param {number} _index @returns {number} */
  turnAt(_index) {
    throw new Error("not implemented");
  }

  /** @param {number} _index @returns {any} */
  viewAt(_index) {
    throw new Error("not implemented");
  }

  /** The frame that shows a turn as it opened, or the nearest one.
   * @param {number} _turn @returns {number} */
  indexOf(_turn) {
    throw new Error("not implemented");
  }

  /** The fields that only the start message may carry, as they were there. */
  get once() {
    return this.end > this.first ? this.viewAt(this.first) : null;
  }

  /** The time a seat has in the turn of a frame, where the source knows it.
   * @param {number} _index @param {number} _seat
   * @returns {import("../match/seat-clock.js").SeatClock|null} */
  clockAt(_index, _seat) {
    return null;
  }

  /** What the bots drew over the board in the turn of a frame.
   * @param {number} index
   * @returns {import("../games/contract.js").Overlay[]} */
  overlaysAt(index) {
    const turn = this.turnAt(index);
    return this.platformEvents.filter((event) => event.turn === turn).flatMap(overlaysOf);
  }

  /** The commands that the seat of `viewer` sent in the turn of a frame, where the source knows
   * them.
   * @param {number} _index @returns {SentCommand[]|null} */
  commandsAt(_index) {
    return null;
  }

  /** All commands of the seat of `viewer`, oldest first.
   * @returns {SentCommand[]} */
  get commands() {
    return [];
  }

  /** Begin to load or to connect.
   * @returns {void} */
  open() {}

  /** Stop; nothing is dispatched afterwards.
   * @returns {void} */
  close() {}

  /** @param {"start"|"frame"|"rewound"|"status"|"update"|"end"} kind */
  emit(kind) {
    this.dispatchEvent(new Event(kind));
  }

  /** @param {StatusKind} kind @param {string} text */
  setStatus(kind, text) {
    this.status = { kind, text };
    this.emit("status");
  }
}
