// A replay file as a source: every frame is there at once.

import { Refusal, api, download, lookToken } from "../lib/api.js";
import { Replay } from "../lib/replay.js";
import { clocksByTurn } from "../match/seat-clock.js";
import { Source } from "./source.js";

/** A whole file, or one that was cut: it is shown up to the cut. */
export class ReplaySource extends Source {
  /** Throws BadReplay.
   * @param {string} text @param {string|null} [file] the address of the file */
  constructor(text, file = null) {
    super();
    this.replay = new Replay(text);
    const header = this.replay.header;
    this.match = header.match;
    this.game = header.game;
    this.seats = header.seats.map((/** @type {any} */ seat, /** @type {number} */ number) => ({
      seat: number,
      role: seat.role ?? "",
      name: seat.name ?? "",
      kind: seat.kind ?? "bot",
    }));
    this.config = header.config ?? {};
    /** Of what one seat saw. */
    this.viewer = header.seat ?? null;
    this.outcome = this.replay.outcome;
    this.platformEvents = this.replay.events;
    this.file = file;
    /** The seats' clocks, by turn.
     * @type {Map<number, import("../match/seat-clock.js").SeatClock[]>} */
    this.clocks = new Map();
    this.setStatus("replay", this.replay.fault ?? "Replay");
  }

  get end() {
    return this.replay.length;
  }

  get once() {
    return this.replay.first;
  }

  get commands() {
    return this.replay.commands;
  }

  /** @param {number} index */
  commandsAt(index) {
    if (this.viewer === null) return null;
    const turn = this.turnAt(index);
    return this.commands.filter((command) => command.turn === turn);
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

  /** @param {number} index @param {number} seat
   * @returns {import("../match/seat-clock.js").SeatClock|null} */
  clockAt(index, seat) {
    return this.clocks.get(this.turnAt(index))?.[seat] ?? null;
  }

  /** The clocks are not in the file.
   * @param {string|null} token */
  async learnClocks(token) {
    const path = `/matches/${encodeURIComponent(this.match)}/clocks`;
    this.clocks = clocksByTurn(await api(path, { token }).catch(() => []));
    this.emit("update");
  }
}

/** The replay of a match that is over; null while it is not released.
 * @param {string} match
 * @returns {Promise<ReplaySource|null>} Throws Refusal. */
export async function releasedReplay(match) {
  const token = lookToken(match);
  const record = await api(`/matches/${encodeURIComponent(match)}`, { token });
  if (!record.released) return null;
  const path = `/replays/${encodeURIComponent(match)}`;
  try {
    const source = new ReplaySource(await download(path, token), `/api/v1${path}`);
    source.learnClocks(token);
    return source;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
