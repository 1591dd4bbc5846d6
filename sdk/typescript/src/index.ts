/** Write bots for Botarena: `play` plays one match, `watch` follows one, `RestClient` takes seats.
 * Node has `run` too. */

export type { Bot, Outcome, Start } from "./bot.js";
export { LOCAL, httpUrl, socketUrl } from "./address.js";
export { CLOSES, MAX_FRAME, PROTOCOL, type Close } from "./codes.js";
export { Connection, type ConnectionOptions, type OpenSocket, type Socket } from "./connection.js";
export { Conversation, type ConversationOptions, type Happening } from "./conversation.js";
export { BadDelta, patch } from "./delta.js";
export { BadUsage, ConnectionLost, ServerRefused } from "./errors.js";
export type * from "./games.js";
export { Link } from "./link.js";
export { play, type Seat } from "./live.js";
export type { Log } from "./log.js";
export type * from "./messages.js";
export { BadFrame, readServerMessage } from "./read.js";
export { RestClient, type JoinOptions, type RequestOptions } from "./rest.js";
export { delayMs, type Delay } from "./retry.js";
export { watch, type WatchOptions } from "./watch.js";
