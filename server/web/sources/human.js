// A seat that a person plays, over the same protocol as a bot's.

import { api } from "../lib/api.js";
import { LiveSource } from "./live.js";

/** @typedef {import("../lib/replay.js").SentCommand} SentCommand */

export class HumanSource extends LiveSource {
  /** @param {string} match @param {number} seat @param {string} token */
  constructor(match, seat, token) {
    super(match);
    this.viewer = seat;
    this.human = true;
    this.token = token;
    /** The server waits for our command. */
    this.acts = false;
    /** When our time is up, as performance.now() counts; null: there is no limit. The bank comes
     * after it.
     * @type {number|null} */
    this.until = null;
    this.bank = 0;
    /** Why the last command was refused; empty: it was not. */
    this.fault = "";
    this.lastId = 0;
    /** Commands without a result, by id; `said`: in words.
     * @type {Map<number, {turn: number, commands: any[], said: string|undefined}>} */
    this.pending = new Map();
    /** @type {SentCommand[]} */
    this.results = [];
    /** A turn takes several commands. */
    this.severalCommands = false;
    /** The view of the start message.
     * @type {any} */
    this.startView = null;
    /** The fields of `startView` that later views leave out.
     * @type {string[]|null} */
    this.startFields = null;
  }

  get path() {
    return "/ws/play";
  }

  get heldMs() {
    if (!this.clock) return 0;
    return ["waits", "limited"].includes(this.clock.absence)
      ? this.clock.absence_ms
      : this.clock.startup_ms;
  }

  get commands() {
    return this.results;
  }
  get realtime() {
    return Boolean(this.clock?.tick_ms || this.clock?.lockstep);
  }

  hello() {
    return {
      type: "hello",
      protocol: 1,
      token: this.token,
      changes: false,
      client: "botarena page",
    };
  }

  /** @param {number} index */
  commandsAt(index) {
    const turn = this.turnAt(index);
    return this.results.filter((command) => command.turn === turn);
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "start") {
      const resumed = this.startView !== null;
      this.startView = message.view;
      this.connection.send({ type: "ready" });
      if (resumed) {
        this.connection.established();
        this.add(message, true, this.wholeView(message.view));
      } else {
        super.receive(message);
      }
      this.setStatus("live", "You play");
      return;
    }
    if (message.type === "view") {
      this.startFields ??= Object.keys(this.startView ?? {}).filter(
        (key) => !Object.hasOwn(message.view, key),
      );
      this.acts = message.act;
      this.until =
        message.act && message.within_ms !== null ? performance.now() + message.within_ms : null;
      this.bank = message.bank_ms ?? 0;
      this.openSeats(message);
    }
    if (message.type === "end") this.acts = false;
    super.receive(message);
  }

  /** The view says whether our seat is asked; in games that alternate it is another's turn else.
   * @param {number} _turn */
  openTurn(_turn) {}

  /** @param {any} message */
  openSeats({ turn, act, within_ms, banks_ms }) {
    if (this.clock.tick_ms) return;
    this.openClocks(
      turn,
      this.seats.map((seat) =>
        seat.seat === this.viewer ? (act ? within_ms : null) : act ? null : this.turnMs(seat),
      ),
      banks_ms,
    );
  }

  /** The view with the fields that came in the start message only.
   * @param {any} view */
  wholeView(view) {
    const missing = (this.startFields ?? []).filter((key) => !Object.hasOwn(view, key));
    const restored = Object.fromEntries(missing.map((key) => [key, this.startView[key]]));
    return { ...view, ...restored };
  }

  /** Send a command; null ends the turn.
   * @param {any} command
   * @param {{several?: boolean, said?: string}} [options] `several`: a turn takes several commands;
   *   `said`: the command in words */
  act(command, { several = false, said } = {}) {
    const turn = this.turnAt(this.end - 1);
    const id = ++this.lastId;
    const commands = command === null ? [] : [command];
    this.fault = "";
    this.pending.set(id, { turn, commands, said });
    this.severalCommands = several;
    if (command === null || !(several || this.realtime)) this.acts = false;
    this.connection.send({
      type: "commands",
      commands,
      id,
      ...(this.realtime ? {} : { turn }),
      ...(command === null ? { end_turn: true } : {}),
    });
    this.emit("update");
  }

  /** The results of commands, and that the time is up.
   * @param {any} message */
  receiveOther(message) {
    if (message.type === "stop") this.until = performance.now();
    if (message.type !== "results") return;
    const sent = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (!sent) return;
    for (const [index, result] of message.results.entries()) {
      this.results.push({
        turn: sent.turn,
        command: sent.said ?? sent.commands[index] ?? "end turn",
        code: result.code,
        why: result.why ?? "",
        stamps: null,
      });
    }
    const refused = message.results.find((/** @type {any} */ result) => result.code !== "ok");
    this.fault = refused ? refused.why || refused.code.replaceAll("_", " ") : "";
    if (refused && !this.realtime && this.turnAt(this.end - 1) === sent.turn) this.acts = true;
    if (this.severalCommands && this.acts) this.connection.send({ type: "resync" });
    this.emit("update");
  }

  /** Give up. Throws Refusal. */
  resign() {
    return api(`/lobbies/${encodeURIComponent(this.match)}/leave`, {
      method: "POST",
      token: this.token,
    });
  }
}
