import type { Connection } from "./connection.js";
import type { CommandResult, MatchStart, View } from "./messages.js";

/** Unanswered frames at which nothing more is sent early: a server that the bot reconnects to
 * remembers no more. */
const WINDOW = 50;
/** How long a bot computes before the event loop runs: until then no frame is read. */
const SLICE_MS = 5;

/** What a bot can do and ask during a match. Commands for a turn that is over are dropped. */
export class Link<Command = any> {
  readonly #connection: Connection;
  #turn: number | null = null;
  #deadline: number | null = null;
  #bankMs: number | null = null;
  #banksMs: readonly (number | null)[] | null = null;
  #controller = new AbortController();
  #rested = performance.now();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onChange = () => this.stopped() && this.#controller.abort();
  }

  /** Called with each message before the bot gets it. */
  see({ banks_ms }: MatchStart | View): void {
    this.#banksMs = banks_ms ?? null;
  }

  /** Called before each turn. */
  open(turn: number): void {
    const { deadline, bankMs } = this.#connection.conversation;
    this.#turn = turn;
    this.#deadline = deadline;
    this.#bankMs = bankMs;
    this.#controller = new AbortController();
    this.#rested = performance.now();
  }

  /** When the time for the open turn is over, without the bank, in ms of `performance.now()`; null:
   * there is no limit. */
  get deadline(): number | null {
    return this.#deadline;
  }

  /** The time bank in ms as the server last sent it; null: the clock has none. */
  get bankMs(): number | null {
    return this.#bankMs;
  }

  /** What was left of the bank of each seat, ms, when the server sent the view that the bot gets or
   * got last: null for a seat without one, or instead of all if the match has none or the server
   * does not send them. */
  get banksMs(): readonly (number | null)[] | null {
    return this.#banksMs;
  }

  /** Aborted when the server has sent stop, or the turn or the connection is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The turn of the newest view, if an answer to it is due. In realtime games it can be newer than
   * the view that the bot works on. */
  get newestTurn(): number | null {
    return this.#connection.conversation.turn;
  }

  /** Whether the server has sent stop, or the turn is over. A bot that never awaits anything never
   * sees it: use `shouldStop` in long computations. */
  stopped(): boolean {
    const { stopped, turn } = this.#connection.conversation;
    return stopped || turn !== this.#turn || this.#connection.over;
  }

  /** Whether the time is over. Lets the event loop run from time to time, so that frames are read:
   * `while (!(await link.shouldStop())) search();` */
  async shouldStop(): Promise<boolean> {
    if (performance.now() - this.#rested >= SLICE_MS) {
      await nextTask();
      this.#rested = performance.now();
    }
    return this.stopped() || (this.#deadline !== null && performance.now() >= this.#deadline);
  }

  /** Send the best answer so far, which is played if the time runs out. */
  provisional(commands: readonly Command[]): void {
    if (this.#turn !== null) this.#connection.provisional(this.#turn, commands);
  }

  /** Send something to the viewers, who see it when the turn is closed. */
  info(data: unknown): void {
    this.#connection.info(data);
  }

  /** Send commands that belong to no turn: in realtime games at any time, in others a resignation. */
  sendOutOfTurn(commands: readonly Command[]): boolean {
    return this.#connection.commands(null, commands);
  }

  /** Send some commands of the open turn before `decide` returns the others. False: they were not
   * sent, and `decide` must return them or they must be sent later. */
  sendEarly(commands: readonly Command[]): boolean {
    if (this.#turn === null || this.#connection.conversation.unanswered >= WINDOW) return false;
    return this.#connection.commands(this.#turn, commands);
  }

  /** The results that have come since the bot was asked, as a list for each frame. `onResults` is
   * not called for them. */
  pendingResults(): CommandResult[][] {
    return this.#connection.results().map((message) => message.results);
  }

  /** The view of the open turn after all commands that were sent early; results that come before
   * it are dropped. null: the turn is over. */
  async freshView<View = any>(): Promise<View | null> {
    if (this.stopped()) return null;
    const message = await this.#connection.freshView();
    if (message === null) return null;
    this.#bankMs = this.#connection.conversation.bankMs;
    this.see(message);
    return message.view;
  }
}

/** Resolves in a later task. `setTimeout` would wait for several ms in a browser. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
