// The server's REST calls, and the tokens that this browser holds.

import { NoNetwork } from "./network.js";

/** An error answer of the server: `{"code", "text", "field", "allowed"}` (PROTOCOL.md §5). */
export class Refusal extends Error {
  /** @param {number} status
   * @param {{code: string, text: string, field?: string|null, allowed?: any}} answer */
  constructor(status, answer) {
    super(answer.text);
    this.status = status;
    this.code = answer.code;
    this.field = answer.field ?? null;
    this.allowed = answer.allowed ?? null;
  }
}

/** Dispatches `answer` when the server has answered a request, `silence` when it has not. */
export const server = new EventTarget();

/** For `catch`: this value where the server refuses; other errors are thrown.
 * @template T
 * @param {T} value @returns {(fault: unknown) => T} */
export const ifRefused = (value) => (fault) => {
  if (fault instanceof Refusal) return value;
  throw fault;
};

/** Report a fault of the page as the browser reports what nothing catches: a refusal, and a network
 * that is away, are none.
 * @param {unknown} fault */
export function reportFault(fault) {
  if (!(fault instanceof Refusal || fault instanceof NoNetwork)) reportError(fault);
}

/** What a page says of a call that failed. A fault of the page is reported too.
 * @param {unknown} fault */
export function reasonOf(fault) {
  reportFault(fault);
  return fault instanceof Refusal || fault instanceof NoNetwork
    ? fault.message
    : "This page has a fault; the browser's console says which.";
}

/** Without a `token` the account's key is sent. A `file` is sent as it is, instead of a `body`.
 * @typedef {{method?: string, body?: any, file?: File, token?: string|null}} RequestOptions */

/** The answer: JSON, or text if it is not JSON.
 * @param {string} path below /api/v1
 * @param {RequestOptions} [options]
 * @returns {Promise<any>}   Throws Refusal, or NoNetwork if the server does not answer. */
export async function api(path, options) {
  const text = await request(path, options);
  return parsed(text) ?? text;
}

/** The answer as text.
 * @param {string} path below /api/v1 @param {string|null} [token]
 * @returns {Promise<string>}   Throws Refusal, or NoNetwork if the server does not answer. */
export const download = (path, token) => request(path, { token });

/** @param {string} path @param {RequestOptions} [options] @returns {Promise<string>} */
async function request(path, { method, body, file, token } = {}) {
  const headers = new Headers();
  const shown = token ?? accountKey();
  if (shown) headers.set("Authorization", `Bearer ${shown}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  let response, text;
  try {
    response = await fetch(`/api/v1${path}`, {
      method: method ?? (body === undefined && !file ? "GET" : "POST"),
      headers,
      body: file ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    text = await response.text();
  } catch {
    server.dispatchEvent(new Event("silence"));
    throw new NoNetwork();
  }
  server.dispatchEvent(new Event("answer"));
  if (!response.ok)
    throw new Refusal(
      response.status,
      parsed(text) ?? { code: `http_${response.status}`, text: response.statusText },
    );
  return text;
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// --- tokens and keys ---

const KEY = "botarena.key";
const TOKENS = "botarena.tokens";
const KEPT = 200;

/** Whether another site may show this page in a frame: then no token is used, so that what that
 * site hears is public. */
export const embedded = () => new URLSearchParams(location.search).has("embed");

/** The account's key, which is sent where there is no token; null: there is none. It is kept until
 * the window is closed. */
export const accountKey = () => (embedded() ? null : sessionStorage.getItem(KEY));

/** @param {string|null} key */
export function keepKey(key) {
  if (key) sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
}

/** The tokens that this browser holds for a lobby; `seats` by the number of the seat.
 * @typedef {{owner?: string, invite?: string, seats?: Record<string, string>}} LobbyTokens */

/** @returns {Record<string, LobbyTokens>} */
function allTokens() {
  return embedded() ? {} : (parsed(localStorage.getItem(TOKENS) ?? "") ?? {});
}

/** @param {string} lobby @returns {LobbyTokens} */
export function lobbyTokens(lobby) {
  return allTokens()[lobby] ?? {};
}

/** The lobbies with a token, newest first.
 * @returns {string[]} */
export const knownLobbies = () => Object.keys(allTokens()).reverse();

/** @param {string} lobby @param {LobbyTokens} more */
export function remember(lobby, more) {
  if (embedded()) return;
  const all = allTokens();
  const before = all[lobby] ?? {};
  delete all[lobby];
  all[lobby] = { ...before, ...more, seats: { ...before.seats, ...more.seats } };
  for (const old of Object.keys(all).slice(0, -KEPT)) delete all[old];
  localStorage.setItem(TOKENS, JSON.stringify(all));
}

const SEATS = "botarena.seats";

/** The token of a seat that was taken in this browser or entered in this window.
 * @param {string} match @param {number} seat @returns {string|null} */
export function seatToken(match, seat) {
  if (embedded()) return null;
  return (
    lobbyTokens(match).seats?.[seat] ??
    parsed(sessionStorage.getItem(SEATS) ?? "")?.[`${match}/${seat}`] ??
    null
  );
}

/** Keep a seat's token until the window is closed.
 * @param {string} match @param {number} seat @param {string} token */
export function keepSeat(match, seat, token) {
  const all = parsed(sessionStorage.getItem(SEATS) ?? "") ?? {};
  sessionStorage.setItem(SEATS, JSON.stringify({ ...all, [`${match}/${seat}`]: token }));
}

/** The strongest token for reading a lobby, or the account's key; null: neither is held.
 * @param {string} lobby */
export function lookToken(lobby) {
  const known = lobbyTokens(lobby);
  return known.owner ?? Object.values(known.seats ?? {})[0] ?? known.invite ?? accountKey();
}

/** Call `ask` repeatedly while the page is visible, or `anyhow`. It stops when `ask` returns false,
 * or when the returned function is called.
 * @param {() => Promise<boolean|void>} ask
 * @param {number} every ms @param {() => boolean} [anyhow] */
export function repeat(ask, every, anyhow = () => false) {
  let stopped = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const round = async () => {
    if ((!document.hidden || anyhow()) && (await ask()) === false) stopped = true;
    if (!stopped) timer = setTimeout(round, every);
  };
  round();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
