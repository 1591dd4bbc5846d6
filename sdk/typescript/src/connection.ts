import { CLOSES, DONE } from "./codes.js";
import { Conversation, type Happening } from "./conversation.js";
import { ConnectionLost, ServerRefused } from "./errors.js";
import type { Log } from "./log.js";
import type { ErrorMessage, Results, View } from "./messages.js";
import { BadFrame } from "./read.js";
import { jittered, type Delay } from "./retry.js";

/** How long an address is tried at which no server was met. */
const PATIENCE_MS = 60_000;
/** How long a server is tried that was met, or that says nothing: its process may be paused. */
const SILENCE_MS = 600_000;
/** No attempt takes as long: then this process was paused, and the time does not count. */
const GAP_MS = 30_000;
/** How long one attempt to connect may take. */
const OPEN_MS = 10_000;
/** How long the other side may take over the closing handshake. */
const CLOSE_MS = 2_000;
const BROKEN = 1006;
const TOO_MANY = 429;
/** The HTTP status of a server that was not asked for a websocket. */
const NO_UPGRADE = 426;

/** The part of the browser's WebSocket that is used. */
export interface Socket {
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  send(text: string): void;
  close(code?: number): void;
  /** End the connection at once; only sockets of Node have it. */
  terminate?(): void;
}

/** Opens a socket. It calls `refused` with the HTTP status of a server that does not accept the
 * websocket, if it can see the status: a browser cannot. */
export type OpenSocket = (url: string, refused: (status: number) => void) => Socket;

export interface ConnectionOptions {
  openSocket?: OpenSocket;
  log?: Log;
  patienceMs?: number;
  silenceMs?: number;
  delay?: Delay;
}

const openBrowserSocket: OpenSocket = (url) => new WebSocket(url);

/** A conversation over a socket. It reads in the background and connects again after a lost
 * connection; take messages with `next`. */
export class Connection {
  readonly conversation: Conversation;
  /** Called after each message, before `next` returns it, and when nothing more comes. */
  onChange: () => void = () => {};
  #url: string;
  readonly #open: OpenSocket;
  readonly #log: Log;
  readonly #patienceMs: number;
  readonly #silenceMs: number;
  readonly #delay: Delay;
  #socket: Socket | null = null;
  readonly #messages: Happening[] = [];
  #fault: Error | null = null;
  #arrived: () => void = () => {};
  #arrival!: Promise<void>;
  #newest: View | null = null;
  #left = false;
  #leave: () => void = () => {};
  readonly #leaving: Promise<void>;
  /** A server was there: it sent its hello, or accepted the connection and did not answer. */
  #met = false;
  /** The present connection got as far as the server's hello. */
  #answered = false;
  /** A connection was closed for the end of the match, which had not come. */
  #done = false;
  #running: Promise<void> = Promise.resolve();

  /** `url`: a websocket endpoint. */
  constructor(url: string, conversation: Conversation, options: ConnectionOptions = {}) {
    this.conversation = conversation;
    this.#url = url;
    this.#open = options.openSocket ?? openBrowserSocket;
    this.#log = options.log ?? console;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#silenceMs = options.silenceMs ?? SILENCE_MS;
    this.#delay = options.delay ?? jittered;
    this.#leaving = new Promise((resolve) => (this.#leave = resolve));
    this.#expectArrival();
  }

  /** Connect, and stay connected until the end of the match. */
  start(): void {
    this.#running = this.#stay().then(
      () => this.#end(new ConnectionLost("the connection is closed")),
      (fault) => this.#end(fault),
    );
  }

  /** Leave. The seat stays taken; a client with its token may come back. */
  async close(): Promise<void> {
    this.#left = true;
    this.#leave();
    await this.#running;
  }

  /** The next message. Throws ServerRefused when the server has no place for this client, and
   * ConnectionLost when the server cannot be reached. */
  async next(): Promise<Happening> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      if (this.#fault !== null) throw this.#fault;
      await this.#arrival;
    }
  }

  /** The results that have come, taken out of their turn. */
  results(): Results[] {
    const found = this.#messages.filter((message) => message.type === "results");
    this.#keep((message) => message.type !== "results");
    return found;
  }

  /** Request the whole view of the open turn and wait for it; results that come before it are
   * dropped. null: the turn is over. */
  async freshView(): Promise<View | null> {
    const { turn } = this.conversation;
    this.#send(this.conversation.resync());
    while (turn !== null && this.conversation.turn === turn && this.#fault === null) {
      const fresh = this.conversation.freshView;
      const at = fresh === null ? -1 : this.#messages.indexOf(fresh);
      if (at >= 0) {
        const earlier = this.#messages.splice(0, at + 1).slice(0, -1);
        this.#messages.unshift(...earlier.filter((message) => message.type !== "results"));
        return fresh;
      }
      await this.#arrival;
    }
    return null;
  }

  /** Whether a newer view has come than this one. */
  overtaken(view: View): boolean {
    return this.#newest !== null && this.#newest.seq > view.seq;
  }

  /** Nothing more comes than what is there: the server has no place for this client (any more), or
   * cannot be reached. */
  get over(): boolean {
    return this.#fault !== null;
  }

  /** Preprocessing is done. */
  ready(): void {
    this.#send(this.conversation.ready());
  }

  /** Answer a turn. False: it is over. Throws BadUsage for what no frame can hold. */
  commands(turn: number | null, commands: readonly unknown[]): boolean {
    return this.#send(this.conversation.commands(turn, commands));
  }

  /** The answer so far. False: this turn is not open any more. Throws BadUsage. */
  provisional(turn: number, commands: readonly unknown[]): boolean {
    return this.#send(this.conversation.provisional(turn, commands));
  }

  /** Show viewers something. Throws BadUsage for what no frame can hold. */
  info(data: unknown): void {
    this.#send(this.conversation.info(data));
  }

  #send(frame: string | null): boolean {
    if (frame) this.#socket?.send(frame);
    return frame !== null;
  }

  #keep(wanted: (message: Happening) => boolean): void {
    this.#messages.splice(0, this.#messages.length, ...this.#messages.filter(wanted));
  }

  #expectArrival(): void {
    this.#arrival = new Promise((resolve) => (this.#arrived = resolve));
  }

  #wake(): void {
    const arrived = this.#arrived;
    this.#expectArrival();
    arrived();
  }

  #end(fault: Error): void {
    this.#fault = fault;
    this.onChange();
    this.#wake();
  }

  async #stay(): Promise<void> {
    let attempts = 0;
    let gone = 0;
    let beat = performance.now();
    while (!this.#left) {
      this.#answered = false;
      let why: string;
      try {
        why = await this.#connected();
        if (this.conversation.ended) return;
      } catch (fault) {
        if (!(fault instanceof ServerRefused && fault.retry)) throw fault;
        why = fault.message;
      }
      if (this.#left) return;
      const now = performance.now();
      if (this.#answered) {
        this.#log.warn(`connection lost (${why}); coming back`);
        gone = attempts = 0;
      } else {
        if (attempts === 0) this.#log.warn(`no connection to ${this.#url} yet (${why})`);
        if (now - beat < GAP_MS) gone += now - beat;
      }
      beat = now;
      if (gone > (this.#met ? this.#silenceMs : this.#patienceMs))
        throw new ConnectionLost(`${this.#url} cannot be reached: ${why}`);
      await this.#pause(this.#delay(attempts, gone, this.conversation.graceMs));
      attempts += 1;
    }
  }

  async #pause(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([over, this.#leaving]);
    clearTimeout(timer);
  }

  /** One connection; resolves to why it ended. Throws ServerRefused where the server says why. */
  #connected(): Promise<string> {
    return new Promise((resolve, reject) => {
      let status: number | null = null;
      let last: ErrorMessage | null = null;
      let opened = false;
      let socket: Socket;
      try {
        socket = this.#open(this.#url, (seen) => (status = seen));
      } catch (fault) {
        return reject(new ServerRefused("no_endpoint", (fault as Error).message));
      }
      const finish = (end: () => void) => {
        clearTimeout(opening);
        clearInterval(checking);
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.onerror = () => {};
        this.#socket = null;
        end();
      };
      const drop = (why: string) => {
        this.#met = true;
        finish(() => resolve(why));
        end(socket);
      };
      const opening = setTimeout(() => drop("the server does not answer"), OPEN_MS);
      let heard = true;
      let checking: ReturnType<typeof setInterval> | undefined;
      const leave = (why: string) => {
        finish(() => closed(socket).then(() => resolve(why)));
      };
      this.#leaving.then(() => this.#socket === socket && leave("left"));
      socket.onopen = () => {
        clearTimeout(opening);
        opened = true;
        socket.send(this.conversation.hello());
        this.#socket = socket;
        if (this.#left) return leave("left");
        checking = setInterval(() => {
          if (!heard && this.conversation.isDead()) drop("nothing was heard from the server");
          heard = false;
        }, this.conversation.checkMs);
      };
      socket.onmessage = ({ data }: { data: unknown }) => {
        heard = true;
        let message: Happening | null;
        try {
          message = this.conversation.receive(data, performance.now());
        } catch (fault) {
          if (!(fault instanceof BadFrame)) throw fault;
          this.#log.warn(fault.message);
          return;
        }
        for (const frame of this.conversation.outbox()) socket.send(frame);
        last = message?.type === "error" ? message : null;
        this.#take(message);
        if (message?.type === "end") leave("the match is over");
      };
      const over = (reason: () => string) => {
        finish(() => {
          try {
            resolve(reason());
          } catch (fault) {
            reject(fault);
          }
        });
      };
      socket.onclose = ({ code, reason }: { code: number; reason: string }) =>
        over(() => (opened ? this.#closed(code, reason, last) : this.#unopened(status)));
      // A close follows; but Node's own socket sends none for a handshake that fails.
      socket.onerror = () => opened || over(() => this.#unopened(status));
    });
  }

  #take(message: Happening | null): void {
    if (message?.type === "hello") this.#answered = this.#met = true;
    if (message?.type === "view") this.#newest = message;
    if (message !== null) this.#messages.push(message);
    this.onChange();
    this.#wake();
  }

  /** Why the websocket was not accepted. */
  #unopened(status: number | null): string {
    if (status === null) return "no connection";
    if (status >= 500 || status === TOO_MANY) return `HTTP status ${status}`;
    const doubt =
      status === NO_UPGRADE
        ? "does a proxy in between pass websockets on"
        : "is this a Botarena server";
    const text = `${this.#url} answers with HTTP status ${status}: ${doubt}?`;
    throw new ServerRefused("no_endpoint", text);
  }

  /** Why the socket is closed. Throws ServerRefused if the server said so: with its last message,
   * or with the close code. */
  #closed(code: number, reason: string, last: ErrorMessage | null): string {
    if (code === BROKEN) return "the connection broke";
    const close = CLOSES[code];
    if (code === DONE) {
      // The end can be lost with a connection that breaks: the server sends it again, once.
      this.conversation.ended = this.#done;
      this.#done = true;
      return "the match is over";
    }
    if (last !== null && (close === undefined || last.code === close.code)) {
      this.#url = last.url ?? this.#url;
      throw new ServerRefused(last.code, last.text, last.retry);
    }
    if (close !== undefined) throw new ServerRefused(close.code, reason || close.text, close.retry);
    return `closed with ${code} ${reason}`.trimEnd();
  }
}

/** Close a socket; resolves when the other side has answered, or after a while. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => (end(socket), resolve()), CLOSE_MS);
    socket.onclose = () => (clearTimeout(timer), resolve());
    socket.close();
  });
}

/** End a connection without waiting for the other side. */
function end(socket: Socket): void {
  if (socket.terminate) socket.terminate();
  else socket.close();
}
