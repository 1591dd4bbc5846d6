// A websocket that speaks JSON, notices a dead connection, and reconnects until it is closed.

/** The server pings every 5 s: two missed pings mean a dead connection. */
const SILENCE_MS = 11_000;

/** @typedef {Object} Handlers
 * @property {() => Promise<string>} address the URL, called before each attempt
 * @property {() => void} opened
 * @property {(message: any) => void} received
 * @property {() => boolean} lost whether to reconnect; not called after `close`
 * @property {() => number} heldMs how long the server holds our seat after a loss */

/** The wait before the next attempt, ms. While the server holds our seat attempts are frequent,
 * then they back off; the random part keeps clients from trying at the same moment
 * (client_sdk/retry.py).
 * @param {number} attempts @param {number} lostMs since the connection was lost
 * @param {number} heldMs */
export function retryDelay(attempts, lostMs, heldMs) {
  if (lostMs >= heldMs) return Math.min(Math.max(500, lostMs), 5_000) * Math.random();
  return (
    (attempts === 0 ? 50 : Math.min(Math.max(200, lostMs / 10), 1_000)) * (0.5 + Math.random() / 2)
  );
}

export class Connection {
  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.closed = true;
    /** @type {WebSocket|null} */
    this.socket = null;
    /** The watchdog's, or the next attempt's.
     * @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.receivedAt = 0;
    /** Attempts since the connection was lost. */
    this.attempts = 0;
    this.lostAt = 0;
    /** The browser knows before any silence does. */
    this.onOffline = () => this.drop();
  }

  open() {
    this.closed = false;
    addEventListener("offline", this.onOffline);
    this.handlers.address().then((url) => this.closed || this.connect(url));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("offline", this.onOffline);
    this.hangUp();
  }

  /** Close the socket that there is. */
  hangUp() {
    const socket = this.socket;
    this.socket = null;
    if (socket?.readyState === WebSocket.CONNECTING) {
      socket.onopen = () => socket.close(); // closed before it is open, the browser warns
    } else {
      socket?.close();
    }
  }

  /** The server has accepted us: the next loss is a new one. */
  established() {
    this.attempts = 0;
  }

  /** Send a message, or drop it while there is no connection.
   * @param {any} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** @param {string} url */
  connect(url) {
    const socket = new WebSocket(url);
    this.socket = socket;
    this.receivedAt = Date.now();
    socket.onopen = () => this.handlers.opened();
    socket.onmessage = (frame) => {
      if (socket !== this.socket) return;
      this.receivedAt = Date.now();
      this.handlers.received(JSON.parse(frame.data));
    };
    socket.onclose = () => socket === this.socket && this.lost();
    this.watch(socket);
  }

  /** Give up a connection on which nothing has come for SILENCE_MS.
   * @param {WebSocket} socket */
  watch(socket) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (socket !== this.socket || this.closed) return;
      if (Date.now() - this.receivedAt > SILENCE_MS) {
        this.drop();
      } else {
        this.watch(socket);
      }
    }, SILENCE_MS / 4);
  }

  /** Give up the connection. */
  drop() {
    if (this.socket === null) return;
    this.hangUp();
    this.lost();
  }

  lost() {
    if (this.closed) return;
    if (!this.handlers.lost()) {
      this.close();
      return;
    }
    if (this.attempts === 0) this.lostAt = Date.now();
    const wait = retryDelay(this.attempts, Date.now() - this.lostAt, this.handlers.heldMs());
    this.attempts += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
  }
}
