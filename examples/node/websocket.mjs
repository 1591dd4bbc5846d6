// A websocket client in one file (RFC 6455), for Node without one of its own: text frames, ping, pong, close, fragments.
//
// It has the part of the browser's WebSocket that a bot needs: readyState, send(text), close(), and the handlers onopen,
// onmessage({data}), onclose({code, reason}), onerror(error). No extensions, no proxies, text only.

import { createHash, randomBytes } from "node:crypto";
import { connect as connectPlain } from "node:net";
import { connect as connectSecure } from "node:tls";

const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // RFC 6455 §1.3
const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

const CONTINUATION = 0x0;
const TEXT = 0x1;
const BINARY = 0x2;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

const NO_STATUS = 1005;
const BROKEN = 1006;
const MALFORMED = 1002;
const CLOSE_MS = 2_000; // how long the other side may take over the closing handshake

export class WebSocket {
  onopen = () => {};
  onmessage = () => {};
  onclose = () => {};
  onerror = () => {};
  readyState = CONNECTING;

  #socket;
  #received = Buffer.alloc(0);
  #fragments = [];
  #key = randomBytes(16).toString("base64");

  constructor(url) {
    const { protocol, hostname, port, host, pathname, search } = new URL(url);
    const secure = protocol === "wss:";
    const name = hostname.replace(/^\[|\]$/g, ""); // an IPv6 address stands in brackets
    const options = { host: name, port: Number(port) || (secure ? 443 : 80) };
    const request = [
      `GET ${pathname}${search} HTTP/1.1`,
      `Host: ${host}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Key: ${this.#key}`,
      "Sec-WebSocket-Version: 13",
    ];
    this.#socket = secure ? connectSecure({ ...options, servername: name }) : connectPlain(options);
    this.#socket.setNoDelay(true);
    this.#socket.once(secure ? "secureConnect" : "connect", () => this.#socket.write(`${request.join("\r\n")}\r\n\r\n`));
    this.#socket.on("data", (chunk) => this.#take(chunk));
    this.#socket.on("error", (error) => this.onerror(error));
    this.#socket.on("close", () => this.#closed(BROKEN, ""));
  }

  send(text) {
    if (this.readyState !== OPEN) throw new Error("the websocket is not open");
    this.#write(TEXT, Buffer.from(text));
  }

  close(code = 1000) {
    if (this.readyState === OPEN) this.#write(CLOSE, Buffer.from([code >> 8, code & 0xff]));
    if (this.readyState < CLOSING) this.readyState = CLOSING;
    setTimeout(() => this.#socket.destroy(), CLOSE_MS).unref();
  }

  #closed(code, reason) {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.#socket.destroy();
    this.onclose({ code, reason });
  }

  #take(chunk) {
    this.#received = Buffer.concat([this.#received, chunk]);
    if (this.readyState === CONNECTING && !this.#shakeHands()) return;
    while (this.readyState === OPEN || this.readyState === CLOSING) {
      const frame = this.#frame();
      if (frame === null) return;
      this.#handle(frame);
    }
  }

  // The answer to our request (RFC 6455 §4.1). False: it is not whole yet, or not a yes.
  #shakeHands() {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const [status, ...lines] = this.#received.subarray(0, end).toString("latin1").split("\r\n");
    this.#received = this.#received.subarray(end + 4);
    const accept = lines.find((line) => /^sec-websocket-accept:/i.test(line))?.split(":")[1].trim();
    const expected = createHash("sha1").update(this.#key + KEY_SUFFIX).digest("base64");
    if (!/^HTTP\/1\.1 101/.test(status) || accept !== expected) {
      this.onerror(new Error(`no websocket here: ${status}`));
      this.#closed(BROKEN, status);
      return false;
    }
    this.readyState = OPEN;
    this.onopen();
    return true;
  }

  // One whole frame (§5.2), taken from what was received; null: more has to come.
  #frame() {
    const bytes = this.#received;
    if (bytes.length < 2) return null;
    let length = bytes[1] & 0x7f;
    let start = 2;
    if (length === 126) {
      if (bytes.length < 4) return null;
      length = bytes.readUInt16BE(2);
      start = 4;
    } else if (length === 127) {
      if (bytes.length < 10) return null;
      length = Number(bytes.readBigUInt64BE(2));
      start = 10;
    }
    if (bytes.length < start + length) return null;
    this.#received = bytes.subarray(start + length);
    return { final: (bytes[0] & 0x80) !== 0, opcode: bytes[0] & 0x0f, payload: bytes.subarray(start, start + length) };
  }

  #handle({ final, opcode, payload }) {
    switch (opcode) {
      case TEXT:
      case CONTINUATION:
        this.#fragments.push(payload);
        if (final) {
          const data = Buffer.concat(this.#fragments).toString("utf8");
          this.#fragments = [];
          this.onmessage({ data });
        }
        break;
      case PING:
        if (this.readyState === OPEN) this.#write(PONG, payload);
        break;
      case PONG:
        break;
      case CLOSE: {
        if (this.readyState === OPEN) this.#write(CLOSE, payload.subarray(0, 2));
        this.#socket.end();
        const code = payload.length >= 2 ? payload.readUInt16BE(0) : NO_STATUS;
        this.#closed(code, payload.subarray(2).toString("utf8"));
        break;
      }
      case BINARY:
      default:
        this.close(MALFORMED);
        this.#closed(MALFORMED, "expected text frames only");
    }
  }

  // A client masks what it sends (§5.3).
  #write(opcode, payload) {
    const mask = randomBytes(4);
    const length = payload.length;
    let header;
    if (length < 126) {
      header = Buffer.from([0x80 | opcode, 0x80 | length]);
    } else if (length < 65_536) {
      header = Buffer.from([0x80 | opcode, 0x80 | 126, length >> 8, length & 0xff]);
    } else {
      header = Buffer.alloc(10);
      header[0] = 0x80 | opcode;
      header[1] = 0x80 | 127;
      header.writeBigUInt64BE(BigInt(length), 2);
    }
    const masked = Buffer.from(payload);
    for (let i = 0; i < length; i += 1) masked[i] ^= mask[i % 4];
    this.#socket.write(Buffer.concat([header, mask, masked]));
  }
}
