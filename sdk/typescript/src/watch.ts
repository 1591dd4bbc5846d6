import { socketUrl } from "./address.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { Conversation, type Happening } from "./conversation.js";

export interface WatchOptions extends ConnectionOptions {
  /** The server, in any form that `socketUrl` accepts. */
  url: string;
  /** The id of the match. */
  match: string;
  /** A token of a private lobby, or an account's key. */
  token?: string | null;
  /** Receive views as changes, which are shorter. The caller gets whole views in any case. */
  deltas?: boolean;
  heartbeatMs?: number;
}

/** The messages of a match for a viewer, views whole, up to the end. Throws ServerRefused,
 * ConnectionLost, BadUsage. */
export async function* watch(options: WatchOptions): AsyncGenerator<Happening, void, void> {
  const { url, match, token, deltas = true, heartbeatMs } = options;
  const conversation = new Conversation({
    match,
    token,
    deltas,
    heartbeatMs,
    client: "botarena-js",
  });
  const connection = new Connection(socketUrl(url, "watch"), conversation, options);
  connection.start();
  try {
    for (;;) {
      const message = await connection.next();
      yield message;
      if (message.type === "end") return;
    }
  } finally {
    await connection.close();
  }
}
