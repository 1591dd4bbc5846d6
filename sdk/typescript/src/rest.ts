import { httpUrl } from "./address.js";
import { ConnectionLost, ServerRefused } from "./errors.js";
import type { Seat } from "./live.js";

const TIMEOUT_MS = 30_000;

type Json = any;

export interface JoinOptions {
  game: string;
  /** What the others see. */
  name: string;
  /** The id or name of a lobby, `*` for any open one (default), `new` for a new one. */
  lobby?: string;
  kind?: "bot" | "human";
  seat?: number | null;
  /** For a private lobby. */
  invite?: string | null;
  /** For a lobby that requires one. */
  password?: string | null;
}

export interface RequestOptions {
  query?: Record<string, string | number | null | undefined>;
  body?: Json;
  /** Sent instead of the key. */
  token?: string | null;
  headers?: Record<string, string>;
}

/** One server's REST side (PROTOCOL.md, section 5). `request` makes every call that has no method
 * of its own. Every call throws ServerRefused or ConnectionLost. */
export class RestClient {
  readonly #root: string;
  readonly #key: string | null;

  /** `key`: of an account; it is sent wherever no token is. Throws BadUsage. */
  constructor(url: string, options: { key?: string | null } = {}) {
    this.#root = httpUrl(url);
    this.#key = options.key ?? null;
  }

  /** Take a seat in a lobby. */
  join(options: JoinOptions): Promise<Seat & { lobby: string; seat: number }> {
    const { game, name, lobby = "*", kind = "bot", seat = null, invite = null } = options;
    const body: Json = { game, name, kind, seat, invite };
    if (options.password != null) body.password = options.password;
    return this.request("POST", `/lobbies/${part(lobby)}/join`, { body });
  }

  /** Create a lobby; `fields` as PROTOCOL.md lists them. With the same `key` a repeated call
   * creates one lobby. */
  create(game: string, fields: Record<string, Json> = {}, key?: string): Promise<Json> {
    const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key };
    return this.request("POST", "/lobbies", { body: { game, ...fields }, headers });
  }

  lobby(lobby: string, token?: string): Promise<Json> {
    return this.request("GET", `/lobbies/${part(lobby)}`, { token });
  }

  lobbies(game?: string, state?: string): Promise<Json[]> {
    return this.request("GET", "/lobbies", { query: { game, state } });
  }

  /** Put a house bot into a free seat; the token of the owner or of a seat. */
  addBot(lobby: string, bot: string, token: string, seat: number | null = null): Promise<Json> {
    return this.request("POST", `/lobbies/${part(lobby)}/bots`, { body: { bot, seat }, token });
  }

  /** Start now (the owner's token); house bots fill the free seats. */
  start(lobby: string, token: string): Promise<Json> {
    return this.request("POST", `/lobbies/${part(lobby)}/start`, { token });
  }

  /** Give the seat back; in a running match: resign. */
  leave(lobby: string, token: string): Promise<Json> {
    return this.request("POST", `/lobbies/${part(lobby)}/leave`, { token });
  }

  games(): Promise<Json[]> {
    return this.request("GET", "/games");
  }

  match(match: string, token?: string): Promise<Json> {
    return this.request("GET", `/matches/${part(match)}`, { token });
  }

  /** Seats that are held for the key's account, with numbers above `after`; waits up to `waitS`
   * seconds for one. */
  invitations(after = 0, waitS = 0): Promise<Json[]> {
    return this.request("GET", "/bots/me/invitations", { query: { after, wait_s: waitS } });
  }

  /** Any call. `path` is relative to `/api/v1`. JSON answers are parsed, others are text. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<any> {
    const url = new URL(`${this.#root}/api/v1${path}`);
    for (const [name, value] of Object.entries(options.query ?? {}))
      if (value != null) url.searchParams.set(name, String(value));
    const headers: Record<string, string> = { ...options.headers };
    const shown = options.token ?? this.#key;
    if (shown !== null) headers.Authorization = `Bearer ${shown}`;
    if (options.body !== undefined) headers["Content-Type"] = "application/json";
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers,
        body: options.body === undefined ? undefined : JSON.stringify(options.body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (fault) {
      const why = (fault as any).cause?.message ?? (fault as Error).message;
      throw new ConnectionLost(`${this.#root} cannot be reached: ${why}`);
    }
    const json = parsed(text);
    if (!response.ok) throw refusal(response, json);
    const isJson = /^application\/json\b/.test(response.headers.get("Content-Type") ?? "");
    if (isJson && json === undefined && text !== "")
      throw new ServerRefused("no_json", `${url} answers without JSON: is this a Botarena server?`);
    return isJson ? (json ?? {}) : text;
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(response: Response, error: Json): ServerRefused {
  const { status, url } = response;
  const retry = status >= 500 || status === 429;
  if (typeof error?.code !== "string") {
    const text = `${url} answers with HTTP status ${status}: is this a Botarena server?`;
    return new ServerRefused(`http_${status}`, text, retry);
  }
  let text = String(error.text ?? response.statusText);
  if (error.code === "not_found")
    text = `${text} (${url}); expected a server's own, such as http://127.0.0.1:8000`;
  return new ServerRefused(error.code, text, retry, error);
}

/** A name as one part of a path; `*` stays readable. */
const part = encodeURIComponent;
