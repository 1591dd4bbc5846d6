/** The version of the protocol that this package speaks. */
export const PROTOCOL = 1;

/** Bytes of the largest frame that a client may send. */
export const MAX_FRAME = 64 * 1024;

/** How a websocket was closed: the word that the last `error` has, its sentence, and whether
 * connecting again can help. */
export interface Close {
  code: string;
  text: string;
  retry: boolean;
}

export const DONE = 1000;

/** The close codes of the protocol (PROTOCOL.md, section 3). */
export const CLOSES: Readonly<Record<number, Close>> = {
  1000: { code: "done", text: "the match is over", retry: false },
  1001: { code: "leaving", text: "the server is going away", retry: true },
  1009: { code: "too_big", text: `a frame may have ${MAX_FRAME} bytes`, retry: false },
  1012: {
    code: "restart",
    text: "the server restarts; come back with the same token",
    retry: true,
  },
  4400: {
    code: "malformed",
    text: "too many frames that are no message of this protocol",
    retry: false,
  },
  4401: { code: "bad_token", text: "no seat has this token", retry: false },
  4403: { code: "wrong_role", text: "this socket is not for you", retry: false },
  4404: { code: "no_such_match", text: "there is no such match here", retry: false },
  4408: { code: "handshake_timeout", text: "no hello came in time", retry: true },
  4409: { code: "replaced", text: "a newer connection took this seat", retry: false },
  4410: { code: "match_over", text: "the match is over", retry: false },
  4421: {
    code: "elsewhere",
    text: "another process of this server has this match: go to its url",
    retry: true,
  },
  4426: {
    code: "version_refused",
    text: "the server speaks another protocol version",
    retry: false,
  },
  4429: { code: "too_fast", text: "too many frames per second", retry: true },
  4430: {
    code: "slow_consumer",
    text: "the connection does not keep up with the match",
    retry: true,
  },
};
