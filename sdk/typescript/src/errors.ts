/** The server refused a request or closed the connection; docs/errors.md lists the codes. */
export class ServerRefused extends Error {
  override readonly name = "ServerRefused";
  readonly code: string;
  /** The reason as a sentence. */
  readonly text: string;
  /** Trying again with the same token can help. */
  readonly retry: boolean;
  /** REST: the field of the request that is wrong. */
  readonly field: string | null;
  /** REST: the values or limits that are accepted there. */
  readonly allowed: unknown;

  constructor(
    code: string,
    text: string,
    retry = false,
    about: { field?: string | null; allowed?: unknown } = {},
  ) {
    super(`${text} (${code})`);
    this.code = code;
    this.text = text;
    this.retry = retry;
    this.field = about.field ?? null;
    this.allowed = about.allowed ?? null;
  }
}

/** The server cannot be reached, or no longer. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/** An address, an option or a value of the caller is wrong. */
export class BadUsage extends Error {
  override readonly name = "BadUsage";
}
