/** The package for Node: all of the browser's, and `run`. */

import process from "node:process";
import { parseArgs } from "node:util";

import { LOCAL } from "./address.js";
import type { Bot, Outcome } from "./bot.js";
import type { ConnectionOptions, OpenSocket } from "./connection.js";
import { BadUsage, ConnectionLost, ServerRefused } from "./errors.js";
import { nameOf, play as playAnywhere, type Seat } from "./live.js";
import type { Log } from "./log.js";
import { RestClient } from "./rest.js";
import { watch as watchAnywhere, type WatchOptions } from "./watch.js";

export * from "./index.js";

/** Exit codes of `run`, the same as those of bots in Python. */
export const EXIT = { over: 0, usage: 2, refused: 3, lost: 4, interrupted: 130 } as const;

const MAX_VIEW = 16 * 1024 * 1024;

const USAGE = `Play one match on a Botarena server.

  --url URL            the server, such as ${LOCAL} (default: BOTARENA_URL, else that)
  --lobby LOBBY        id or name of a lobby, * for any open one (default), new for a new one
  --name NAME          what the others see (default: the bot's own name)
  --game GAME          for bots that play any game
  --invite INVITE      for a private lobby
  --password PASSWORD  for a lobby that asks for one
  --key KEY            of your account (better: BOTARENA_KEY)
  --token TOKEN        a seat that is taken already (better: BOTARENA_TOKEN)
  --verbose            log every turn
  --help               show this
`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const OPTIONS = {
  url: text,
  lobby: text,
  name: text,
  game: text,
  invite: text,
  password: text,
  key: text,
  token: text,
  verbose: flag,
  help: { ...flag, short: "h" },
} as const;

/** Play one match as the environment and the command line say. The process then ends, at the latest
 * after a second, with the exit code that this resolves to. `argv`: the command line after the name
 * of the program. */
export async function run(bot: Bot, argv: string[] = process.argv.slice(2)): Promise<number> {
  const log = stderrLog();
  const interrupted = () => {
    log.info("interrupted; the seat stays taken until the server gives it up");
    process.exit(EXIT.interrupted);
  };
  process.once("SIGINT", interrupted);
  try {
    process.exitCode = await runOnce(bot, argv, log);
  } finally {
    process.off("SIGINT", interrupted);
  }
  // A socket of Node waits without end for a server that does not close it.
  setTimeout(() => process.exit(), 1_000).unref();
  return process.exitCode;
}

async function runOnce(bot: Bot, argv: string[], log: Log): Promise<number> {
  try {
    const { values: given } = parsedArgs(argv);
    if (given.help) {
      process.stdout.write(USAGE);
      return EXIT.over;
    }
    if (!given.verbose) log.debug = () => {};
    const { env } = process;
    const url = given.url ?? (env.BOTARENA_URL || LOCAL);
    const token = given.token ?? (env.BOTARENA_TOKEN || null);
    const game = given.game ?? bot.game ?? env.BOTARENA_GAME;
    let seat: Seat;
    if (token !== null) {
      seat = { url, token };
    } else {
      if (!game) throw new BadUsage("this bot plays any game: say which one with --game");
      const rest = new RestClient(url, { key: given.key ?? (env.BOTARENA_KEY || null) });
      const joined = await rest.join({ ...given, game, name: given.name ?? nameOf(bot) });
      log.info(`took seat ${joined.seat} in lobby ${joined.lobby} of ${url}`);
      seat = joined;
    }
    await play(bot, seat, { log });
    return EXIT.over;
  } catch (fault) {
    if (fault instanceof BadUsage) {
      log.error(fault.message);
      return EXIT.usage;
    }
    if (fault instanceof ServerRefused) {
      log.error(`the server refuses: ${fault.message}`);
      return EXIT.refused;
    }
    if (fault instanceof ConnectionLost) {
      log.error(fault.message);
      return EXIT.lost;
    }
    throw fault;
  }
}

function parsedArgs(argv: string[]) {
  try {
    return parseArgs({ args: argv, options: OPTIONS });
  } catch (fault) {
    throw new BadUsage((fault as Error).message);
  }
}

/** As in the browser, with a websocket where Node has none. */
export async function play(
  bot: Bot,
  seat: Seat,
  options: ConnectionOptions = {},
): Promise<Outcome | null> {
  return playAnywhere(bot, seat, { openSocket: await socketOpener(), ...options });
}

/** As in the browser, with a websocket where Node has none. */
export async function* watch(options: WatchOptions): ReturnType<typeof watchAnywhere> {
  yield* watchAnywhere({ openSocket: await socketOpener(), ...options });
}

/** Node has a websocket from version 22 on; before, the package `ws` is needed. Throws BadUsage. */
async function socketOpener(): Promise<OpenSocket> {
  if (typeof globalThis.WebSocket === "function") return (url) => new WebSocket(url);
  let ws: typeof import("ws");
  try {
    ws = await import("ws");
  } catch {
    throw new BadUsage(
      `Node ${process.versions.node} has no WebSocket: npm install ws, or use Node 22 or later`,
    );
  }
  return (url, refused) => {
    const socket = new ws.WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_VIEW });
    socket.on("unexpected-response", (_, { statusCode }) => {
      refused(statusCode ?? 0);
      socket.terminate();
    });
    return socket;
  };
}

function stderrLog(): Log {
  const line = (text: string, ...details: unknown[]) => {
    const more = details.map((one) => `\n${one instanceof Error ? one.stack : String(one)}`);
    process.stderr.write(`botarena: ${text}${more.join("")}\n`);
  };
  return { debug: line, info: line, warn: line, error: line };
}
