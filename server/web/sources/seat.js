// What one seat saw and sent: with its token while the match runs, up to the last closed turn; for
// everyone after the release.

import {
  Refusal,
  accountKey,
  api,
  download,
  embedded,
  lookToken,
  reportFault,
} from "../lib/api.js";
import { Replay } from "../lib/replay.js";
import { turnNumber } from "../lib/turns.js";
import { Source } from "./source.js";

const POLL_MS = 1_000;
/** The wait after a poll that failed. */
const RETRY_MS = 3_000;

export class SeatSource extends Source {
  /** @param {string} match @param {number} seat @param {string|null} token */
  constructor(match, seat, token) {
    super();
    this.match = match;
    this.viewer = seat;
    this.token = token;
    this.live = token !== null;
    if (token === null) this.file = `/api/v1/matches/${encodeURIComponent(match)}/seats/${seat}`;
    /** null until the first lines have come.
     * @type {Replay|null} */
    this.record = null;
    /** Lines of the record that have come. */
    this.lines = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.closed = true;
  }

  get end() {
    return this.record?.length ?? 0;
  }
  get once() {
    return this.end ? this.viewAt(0) : null;
  }

  /** @param {number} index */
  turnAt(index) {
    return this.replay.turns[index];
  }

  /** @param {number} index */
  viewAt(index) {
    return this.replay.view(index);
  }

  /** @param {number} turn */
  indexOf(turn) {
    return this.replay.indexOf(turn);
  }

  /** The record, once there is a frame. */
  get replay() {
    return /** @type {Replay} */ (this.record);
  }
  get commands() {
    return this.record?.commands ?? [];
  }

  /** @param {number} index */
  commandsAt(index) {
    const turn = this.turnAt(index);
    return this.commands.filter((command) => command.turn === turn);
  }

  open() {
    this.closed = false;
    this.poll();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  async poll() {
    const path = `/matches/${encodeURIComponent(this.match)}`;
    const lines = this.token ? `${path}/seat?after=${this.lines}` : `${path}/seats/${this.viewer}`;
    let wait = POLL_MS;
    try {
      const text = await download(lines, this.token);
      if (this.closed) return;
      this.append(text);
    } catch (error) {
      if (this.closed) return;
      if (error instanceof Refusal && error.status < 500) {
        this.live = false;
        this.setStatus("refused", error.message);
        return;
      }
      reportFault(error);
      wait = RETRY_MS;
      this.setStatus("lost", "Connection lost; trying again …");
    }
    if (this.outcome === null) this.timer = setTimeout(() => this.poll(), wait);
  }

  /** @param {string} text more lines of the record */
  append(text) {
    const lines = text.split("\n").filter(Boolean);
    this.lines += lines.length;
    const first = this.record === null;
    const before = this.end;
    if (this.record === null) {
      if (lines.length === 0) {
        this.setStatus("waiting", "Waiting for the players …");
        return;
      }
      this.record = new Replay(text);
      const { header } = this.record;
      this.game = header.game;
      this.seats = header.seats.map((/** @type {any} */ seat, /** @type {number} */ number) => ({
        seat: number,
        ...seat,
      }));
      this.config = header.config ?? {};
      this.viewer = header.seat;
      this.platformEvents = this.record.events;
    } else {
      for (const line of lines) this.record.addLine(JSON.parse(line));
    }
    const name = this.seats[/** @type {number} */ (this.viewer)]?.name;
    if (first) this.emit("start");
    this.outcome = this.record.outcome;
    this.live = this.outcome === null;
    this.setStatus(this.live ? "live" : "replay", `What ${name} saw`);
    if (!first && this.end > before) this.emit("frame");
    if (lines.length) this.emit("update");
    if (this.outcome) {
      this.emit("end");
      this.learnPrinted();
    }
  }

  /** What the bot printed, if it was handed in: for its author, whose key this browser has. For
   * anybody else there is the page that asks for the key. */
  async learnPrinted() {
    if (embedded()) return;
    const path = `/matches/${encodeURIComponent(this.match)}`;
    try {
      const record = await api(path, { token: this.token ?? lookToken(this.match) });
      if (record.players[/** @type {number} */ (this.viewer)]?.version == null) return;
      const about = new URLSearchParams({ match: this.match, seat: String(this.viewer) });
      this.logPage = `/submit?${about}`;
      if (accountKey())
        this.printed = printedIn(
          await api(`${path}/seats/${this.viewer}/log`),
          this.game,
          this.turnAt(this.end - 1),
        );
    } catch {
      // it is another's bot, or the server does not answer: the link leads on
    }
    if (!this.closed) this.emit("update");
  }
}

/** The log of a bot that was handed in, by turns: what is of none belongs to the first or the last
 * one.
 * @param {{turn: string, text: string|null, fault: string|null}[]} log @param {string} game
 * @param {number} last the last turn @returns {Map<number, string[]>} */
export function printedIn(log, game, last) {
  /** @type {Map<number, string[]>} */
  const printed = new Map();
  for (const { turn, text, fault } of log) {
    const number = turn === "end" ? last : (turnNumber(game, turn) ?? 0);
    const lines = [text?.replace(/\n$/, ""), fault].filter((line) => line != null);
    printed.set(number, [...(printed.get(number) ?? []), .../** @type {string[]} */ (lines)]);
  }
  return printed;
}

/** The seat that a token belongs to. Throws Refusal.
 * @param {string} match @param {string} token @returns {Promise<number>} */
export async function seatOf(match, token) {
  const text = await download(`/matches/${encodeURIComponent(match)}/seat`, token);
  return JSON.parse(text.slice(0, text.indexOf("\n"))).seat;
}
