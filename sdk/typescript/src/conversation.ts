import { MAX_FRAME, PROTOCOL } from "./codes.js";
import { BadDelta, isObject, patch } from "./delta.js";
import { BadUsage } from "./errors.js";
import type {
  ClientHello,
  ClientMessage,
  Delta,
  Event,
  MatchStart,
  Ping,
  ServerMessage,
  View,
} from "./messages.js";
import { readServerMessage } from "./read.js";

/** The messages that the caller gets; views are always whole. Pings and deltas end here. */
export type Happening = Exclude<ServerMessage, Ping | Delta>;

const HEARTBEAT_MS = 5_000;
const MISSED = 3;
/** In the time of three missed heartbeats the caller checks this often whether a frame has come. */
const CHECKS = 10;
/** Views of a realtime game after which `seen` is sent, if no commands have acknowledged them. */
const UNACKNOWLEDGED = 2;

export interface ConversationOptions {
  /** The token of the seat. Viewers: a token of a private lobby, or an account's key. */
  token?: string | null;
  /** Viewers: the id of the match. */
  match?: string | null;
  /** The name of the program, for the server's log. */
  client?: string;
  /** Top-level fields of the view that the server sends in the start message only; they are put
   * back into every view. */
  once?: readonly string[];
  /** Viewers: a view may come as the change since an earlier one. */
  deltas?: boolean;
  /** Results have the changes that the commands made. */
  changes?: boolean;
  heartbeatMs?: number;
}

/** One client's side of the protocol without a socket or a clock: frames in, messages out, frames
 * to send (PROTOCOL.md).
 *
 * A conversation outlives the connection: `hello` opens it again on the next one, and frames of the
 * open turn that have no results are sent again, in their order. Times are ms of any one clock. */
export class Conversation {
  /** How long to wait for a frame before `isDead` is called. */
  readonly checkMs: number;
  match: string | null = null;
  game: string | null = null;
  seat: number | null = null;
  started = false;
  /** The end has come. */
  ended = false;
  /** The turn that is open for this seat; null: no answer is due. */
  turn: number | null = null;
  /** When the time for the open turn is over, without the bank; null: there is no limit. */
  deadline: number | null = null;
  bankMs: number | null = null;
  /** The server has sent stop for the open turn. */
  stopped = false;
  /** The view that came because it was requested with `resync`. */
  freshView: View | null = null;
  /** How long the server would hold this seat if the connection broke now; null: there is no seat
   * in a match. */
  graceMs: number | null = null;

  readonly #hello: ClientHello;
  #quiet = 0;
  #kept: Record<string, unknown> = {};
  #held: unknown = null;
  #seq = -1;
  #ids = 0;
  /** The frames of commands of one turn that have no results, by their ids. */
  readonly #unanswered = new Map<number, string>();
  #unansweredTurn: number | null = null;
  /** On a new connection, the view of the open turn has not come yet: its frames wait for that. */
  #back = false;
  /** The whole view was requested and has not come. */
  #resyncing = false;
  #outbox: string[] = [];
  #realtime = false;
  #seen: number | null = null;
  #acknowledged = 0;

  constructor(options: ConversationOptions) {
    const once = [...(options.once ?? [])];
    if (once.length > 0 && options.deltas)
      throw new BadUsage("once and deltas together: a delta leaves out what has not changed");
    this.#hello = {
      type: "hello",
      protocol: PROTOCOL,
      token: options.token ?? null,
      match: options.match ?? null,
      client: [...(options.client ?? "")].slice(0, 80).join(""),
      changes: options.changes ?? true,
      deltas: options.deltas ?? false,
      once,
    };
    this.checkMs = ((options.heartbeatMs ?? HEARTBEAT_MS) * (MISSED + 0.5)) / CHECKS;
  }

  /** The first frame of a new connection. */
  hello(): string {
    this.#quiet = 0;
    this.#outbox = [];
    this.#back = this.turn !== null || this.#unanswered.size > 0;
    return JSON.stringify(this.#hello);
  }

  ready(): string {
    return JSON.stringify({ type: "ready" });
  }

  /** The answer to a turn, or a part of it; null if that turn is not open any more.
   *
   * Empty after a lost connection as long as older frames have to go first: this one follows them
   * by itself. Throws BadUsage for commands that no frame can hold. */
  commands(turn: number | null, commands: readonly unknown[]): string | null {
    if (turn !== null && turn !== this.turn) return null;
    const id = ++this.#ids;
    const frame = sized({
      type: "commands",
      turn,
      commands: [...commands],
      id,
      seen: this.#seen,
    });
    if (this.#seen !== null) this.#acknowledged = this.#seen;
    if (turn === null) return frame;
    if (turn !== this.#unansweredTurn) {
      this.#unansweredTurn = turn;
      this.#unanswered.clear();
    }
    this.#unanswered.set(id, frame);
    return this.#back ? "" : frame;
  }

  /** Frames of commands whose results have not come. */
  get unanswered(): number {
    return this.#unanswered.size;
  }

  /** The request for the whole view of the open turn. */
  resync(): string {
    this.#resyncing = true;
    return JSON.stringify({ type: "resync" });
  }

  /** The best answer so far to this turn; null if it is over. Throws BadUsage. */
  provisional(turn: number, commands: readonly unknown[]): string | null {
    return turn === this.turn
      ? sized({ type: "provisional", turn, commands: [...commands] })
      : null;
  }

  /** Thoughts for the viewers. Throws BadUsage for what no frame can hold. */
  info(data: unknown): string {
    return sized({ type: "info", data, turn: this.turn });
  }

  /** Frames that the conversation itself wants sent; removed from it. */
  outbox(): string[] {
    const frames = this.#outbox;
    this.#outbox = [];
    return frames;
  }

  /** No frame came within `checkMs`. True: so often in a row that the connection must be dead.
   *
   * Checks are counted, not the time: a pause of this process is no silence of the server. */
  isDead(): boolean {
    this.#quiet += 1;
    return this.#quiet >= CHECKS;
  }

  /** What this frame says; null: nothing for the caller. Throws BadFrame. */
  receive(frame: unknown, now: number): Happening | null {
    this.#quiet = 0;
    const message = readServerMessage(frame);
    switch (message.type) {
      case "view":
        return this.#viewed(message, now);
      case "delta":
        return this.#changed(message, now);
      case "start":
        return this.#begun(message);
      case "stop":
        if (message.turn !== this.turn) return null;
        this.stopped = true;
        break;
      case "results":
        if (typeof message.id === "number") this.#unanswered.delete(message.id);
        break;
      case "hello":
        ({ match: this.match, game: this.game, seat: this.seat } = message);
        break;
      case "end":
        this.ended = true;
        this.#closeTurn();
        break;
      case "ping":
        return null;
      case "event":
        this.#boundAbsence(message);
    }
    return message;
  }

  /** The server says what is left of the time that this seat may be away. */
  #boundAbsence({ event, seat, data }: Event): void {
    if (seat === this.seat && (event === "away" || event === "back"))
      if (typeof data?.within_ms === "number") this.graceMs = data.within_ms;
  }

  #begun(start: MatchStart): MatchStart {
    this.started = true;
    this.#seq = start.seq;
    this.#held = start.view;
    this.#realtime = start.clock.tick_ms !== null || start.clock.lockstep;
    if (start.seat !== null && this.graceMs === null) {
      const bounded = ["waits", "limited"].includes(start.clock.absence);
      this.graceMs = bounded ? start.clock.absence_ms : start.clock.startup_ms;
    }
    this.#acknowledged = start.turn;
    if (start.turn !== this.turn) {
      this.#closeTurn();
      this.#back = this.#owes(start.turn);
    }
    if (isObject(start.view))
      for (const name of this.#hello.once ?? [])
        if (Object.hasOwn(start.view, name)) this.#kept[name] = start.view[name];
    return start;
  }

  #changed({ turn, seq, base, delta }: Delta, now: number): Happening | null {
    if (seq <= this.#seq) return null;
    let view: unknown;
    try {
      if (base !== this.#seq) throw new BadDelta("another base");
      view = patch(this.#held, delta);
    } catch (fault) {
      if (!(fault instanceof BadDelta)) throw fault;
      if (this.#seq !== -1) {
        // Ask once: what comes before the whole view is of no use.
        this.#seq = -1;
        this.#outbox.push(JSON.stringify({ type: "resync" }));
      }
      return null;
    }
    const whole: View = {
      type: "view",
      turn,
      seq,
      view,
      act: false,
      within_ms: null,
      bank_ms: null,
      skipped: 0,
    };
    return this.#viewed(whole, now);
  }

  #viewed(message: View, now: number): View | null {
    if (message.seq < this.#seq) return null;
    this.#seq = message.seq;
    this.#held = message.view;
    const back = this.#back;
    this.#closeTurn();
    this.#back = back && !message.act && this.#owes(message.turn);
    if (this.#realtime) this.#markSeen(message.turn);
    if (message.act) {
      this.turn = message.turn;
      this.deadline = message.within_ms === null ? null : now + message.within_ms;
      this.bankMs = message.bank_ms;
      if (this.#owes(message.turn)) {
        if (back) {
          this.#outbox.push(...this.#unanswered.values());
          if (this.#resyncing) this.#outbox.push(JSON.stringify({ type: "resync" }));
        }
        return null; // our frames are not in it yet
      }
    }
    if (isObject(message.view) && Object.keys(this.#kept).length > 0)
      message = { ...message, view: { ...this.#kept, ...message.view } };
    if (message.act && this.#resyncing) {
      this.#resyncing = false;
      this.freshView = message;
    }
    return message;
  }

  /** Whether frames of this turn have had no results. */
  #owes(turn: number): boolean {
    return this.#unansweredTurn === turn && this.#unanswered.size > 0;
  }

  /** Commands acknowledge views too; a silent bot must not lose the newest views. */
  #markSeen(turn: number): void {
    this.#seen = turn;
    if (turn - this.#acknowledged >= UNACKNOWLEDGED) {
      this.#acknowledged = turn;
      this.#outbox.push(JSON.stringify({ type: "seen", turn }));
    }
  }

  #closeTurn(): void {
    this.turn = this.deadline = this.bankMs = null;
    this.stopped = this.#back = false;
  }
}

const utf8 = new TextEncoder();

/** The frame's text. Throws BadUsage for what is no JSON, or too long. */
function sized(message: ClientMessage): string {
  let frame: string;
  try {
    frame = JSON.stringify(message);
  } catch (fault) {
    throw new BadUsage(`no plain JSON: ${(fault as Error).message}`);
  }
  const bytes = utf8.encode(frame).length;
  if (bytes > MAX_FRAME)
    throw new BadUsage(`a frame of ${bytes} bytes; the server accepts at most ${MAX_FRAME}`);
  return frame;
}
