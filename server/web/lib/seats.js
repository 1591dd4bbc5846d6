// Sources for one seat: what it saw (SeatSource, from its record), and the seat that a person plays (HumanSource).

import { Refusal, accountKey, api } from "./api.js";
import { settled } from "./delta.js";
import { Replay } from "./replay.js";
import { LiveSource, Source } from "./sources.js";

/** @typedef {import("./replay.js").Said} Said */

const ASK_MS = 1_000;
const LOST_MS = 3_000;

/** What one seat saw and said. With its token while the match runs, up to the last closed turn; without one after the release. */
export class SeatSource extends Source {
  /** @param {string} match @param {number} seat @param {string|null} token */
  constructor(match, seat, token) {
    super();
    this.match = match;
    this.viewer = seat;
    this.token = token;
    this.live = token !== null;
    /** @type {Replay|null} */
    this.record = null;
    this.lines = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.closed = true;
  }

  get end() { return this.record?.length ?? 0; }
  get once() { return this.end ? this.viewAt(0) : null; }

  /** @param {number} index */
  turnAt(index) { return this.known.entries[index].turn; }

  /** @param {number} index */
  viewAt(index) { return this.known.view(index); }

  /** @param {number} turn */
  indexOf(turn) { return this.known.indexOf(turn); }

  get known() { return /** @type {Replay} */ (this.record); }
  get said() { return this.record?.said ?? []; }

  /** @param {number} index */
  saidAt(index) {
    const turn = this.turnAt(index);
    return this.said.filter((one) => one.turn === turn);
  }

  open() {
    this.closed = false;
    this.ask();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  async ask() {
    const path = `/matches/${encodeURIComponent(this.match)}`;
    const asked = this.token ? `${path}/seat?after=${this.lines}` : `${path}/seats/${this.viewer}`;
    let wait = ASK_MS;
    try {
      const text = await said(asked, this.token ?? accountKey());
      if (this.closed) return;
      this.take(text);
    } catch (fault) {
      if (this.closed) return;
      if (fault instanceof Refusal && fault.status < 500) {
        this.live = false;
        this.say("refused", fault.message);
        return;
      } else {
        wait = LOST_MS;
        this.say("lost", "Connection lost; trying again …");
      }
    }
    if (this.outcome === null) this.timer = setTimeout(() => this.ask(), wait);
  }

  /** @param {string} text more lines of the record */
  take(text) {
    const lines = text.split("\n").filter(Boolean);
    this.lines += lines.length;
    const first = this.record === null;
    const before = this.end;
    if (this.record === null) {
      if (lines.length === 0) {
        this.say("waiting", "Waiting for the players …");
        return;
      }
      this.record = new Replay(text);
      const { header } = this.record;
      this.game = header.game;
      this.seats = header.seats.map((/** @type {any} */ one, /** @type {number} */ number) => ({ seat: number, ...one }));
      this.config = header.config ?? {};
      this.viewer = header.seat;
      this.news = this.record.events;
    } else {
      for (const line of lines) this.record.take(JSON.parse(line));
    }
    const name = this.seats[/** @type {number} */ (this.viewer)]?.name;
    if (first) this.tell("start");
    this.outcome = this.record.outcome;
    this.live = this.outcome === null;
    this.say(this.live ? "live" : "replay", `What ${name} saw`);
    if (!first && this.end > before) this.tell("frame");
    if (lines.length) this.tell("news");
    if (this.outcome) this.tell("end");
  }
}

/** @param {string} path @param {string|null} token @returns {Promise<string>} JSON lines. Throws Refusal. */
async function said(path, token) {
  const response = await fetch(`/api/v1${path}`, token ? { headers: { Authorization: `Bearer ${token}` } } : {});
  const text = await response.text();
  if (response.ok) return text;
  let answer = { code: `http_${response.status}`, text: response.statusText };
  try {
    answer = JSON.parse(text);
  } catch {
    // not ours: a proxy's page
  }
  throw new Refusal(response.status, answer);
}

/** Whose seat a token is. Throws Refusal.
 * @param {string} match @param {string} token @returns {Promise<number>} */
export async function seatOf(match, token) {
  const text = await said(`/matches/${encodeURIComponent(match)}/seat`, token);
  return JSON.parse(text.slice(0, text.indexOf("\n"))).seat;
}

/** A seat that a person plays, over the same talk as any bot's. */
export class HumanSource extends LiveSource {
  /** @param {string} match @param {number} seat @param {string} token */
  constructor(match, seat, token) {
    super(match);
    this.viewer = seat;
    this.human = true;
    this.token = token;
    /** An answer is awaited from us. */
    this.acts = false;
    /** When our time is up, as performance.now() counts; null: there is no limit. The bank comes after it.
     * @type {number|null} */
    this.until = null;
    this.bank = 0;
    /** What the server said of the last command that was none; empty: nothing is wrong. */
    this.fault = "";
    this.count = 0;
    /** @type {Map<number, {turn: number, commands: any[]}>} */
    this.sent = new Map();
    /** @type {Said[]} */
    this.told = [];
    /** Fields of the view that come in the start message only.
     * @type {string[]|null} */
    this.kept = null;
    /** @type {any} */
    this.begun = null;
  }

  get path() { return "/ws/play"; }

  get held() {
    if (!this.clock) return 0;
    return ["waits", "limited"].includes(this.clock.absence) ? this.clock.absence_ms : this.clock.startup_ms;
  }

  get said() { return this.told; }
  get realtime() { return Boolean(this.clock?.tick_ms || this.clock?.lockstep); }

  hello() { return { type: "hello", protocol: 1, token: this.token, changes: false, client: "botarena page" }; }

  /** @param {number} index */
  saidAt(index) {
    const turn = this.turnAt(index);
    return this.told.filter((one) => one.turn === turn);
  }

  /** @param {any} message */
  take(message) {
    if (message.type === "start") {
      const again = this.begun !== null;
      this.begun = message.view;
      this.send({ type: "ready" });
      if (again) {
        this.tries = 0;
        this.add(message, this.whole(message.view));
        this.say("live", "You play");
      } else {
        super.take(message);
        this.say("live", "You play");
      }
      return;
    }
    if (message.type === "view") {
      this.kept ??= Object.keys(this.begun ?? {}).filter((key) => !Object.hasOwn(message.view, key));
      this.acts = message.act;
      this.until = message.act && message.within_ms !== null ? performance.now() + message.within_ms : null;
      this.bank = message.bank_ms ?? 0;
    }
    if (message.type === "end") this.acts = false;
    super.take(message);
  }

  /** The view with what was told at the start only.
   * @param {any} view */
  whole(view) {
    const missing = Object.fromEntries((this.kept ?? []).filter((key) => !Object.hasOwn(view, key)).map((key) => [key, this.begun[key]]));
    return settled(this.frames.at(-1)?.view, { ...view, ...missing });
  }

  /** Say a command; null ends the turn.
   * @param {any} command @param {{many?: boolean}} [options] `many`: a turn takes many of them */
  act(command, { many = false } = {}) {
    const turn = this.turnAt(this.end - 1);
    const id = ++this.count;
    const commands = command === null ? [] : [command];
    this.fault = "";
    this.sent.set(id, { turn, commands });
    this.many = many;
    if (command === null || !(many || this.realtime)) this.acts = false;
    this.send({ type: "commands", commands, id, ...(this.realtime ? {} : { turn }), ...(command === null ? { end_turn: true } : {}) });
    this.tell("news");
  }

  many = false;

  /** Results, and that the time is up.
   * @param {any} message */
  takeOther(message) {
    if (message.type === "stop") this.until = performance.now();
    if (message.type !== "results") return;
    const sent = this.sent.get(message.id);
    this.sent.delete(message.id);
    if (!sent) return;
    for (const [index, result] of message.results.entries()) {
      this.told.push({ turn: sent.turn, command: sent.commands[index] ?? "end turn", code: result.code, why: result.why ?? "", stamps: null });
    }
    const bad = message.results.find((/** @type {any} */ result) => result.code !== "ok");
    this.fault = bad ? bad.why || bad.code.replaceAll("_", " ") : "";
    if (bad && !this.realtime && this.turnAt(this.end - 1) === sent.turn) this.acts = true;
    if (this.many && this.acts) this.send({ type: "resync" });
    this.tell("news");
  }

  /** Give up. Throws Refusal. */
  resign() {
    return api(`/lobbies/${encodeURIComponent(this.match)}/leave`, { method: "POST", token: this.token });
  }
}
