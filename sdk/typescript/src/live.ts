import { socketUrl } from "./address.js";
import type { Bot, Outcome, Start } from "./bot.js";
import { CLOSES } from "./codes.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { Conversation } from "./conversation.js";
import { BadUsage, ServerRefused } from "./errors.js";
import { Link } from "./link.js";
import type { Log } from "./log.js";
import type { Event, MatchStart, Results, View } from "./messages.js";

/** Errors after which the server closes: they are reported with the end of the connection. */
const LAST_WORDS = new Set(
  Object.values(CLOSES)
    .map(({ code }) => code)
    .filter((code) => code !== "malformed"),
);
/** Commands of one frame: a longer answer is sent in several. */
const PART = 500;

/** A seat: where it is played and the token that grants it. */
export interface Seat {
  /** The server, in any form that `socketUrl` accepts. */
  url: string;
  token: string;
}

/** Play the match that a seat belongs to; resolves to the result, or to null if the match ended
 * while the connection was lost. Throws ServerRefused, ConnectionLost, BadUsage. */
export async function play(
  bot: Bot,
  { url, token }: Seat,
  options: ConnectionOptions = {},
): Promise<Outcome | null> {
  const log = options.log ?? console;
  const conversation = new Conversation({
    token,
    client: `botarena-js ${nameOf(bot)}`,
    once: bot.startOnly,
    changes: bot.wantsChanges ?? false,
  });
  const connection = new Connection(socketUrl(url), conversation, options);
  connection.start();
  try {
    return await new Player(bot, connection, log).play();
  } catch (fault) {
    // A token is valid until the end of the match.
    const over = fault instanceof ServerRefused && ["match_over", "bad_token"].includes(fault.code);
    if (!(over && conversation.started)) throw fault;
    log.warn("the match ended while the connection was lost");
    return null;
  } finally {
    await connection.close();
  }
}

/** What the others see. */
export function nameOf(bot: Bot): string {
  const { name } = bot.constructor;
  return bot.name || (name === "Object" ? "" : name) || "bot";
}

/** One match of one bot, message by message. */
class Player {
  readonly #bot: Bot;
  readonly #connection: Connection;
  readonly #log: Log;
  readonly #link: Link;
  #started = false;
  #realtime = false;
  #seat: number | null = null;
  /** The turn that was answered last. */
  #decided: number | null = null;
  /** The number of the view that the bot saw last. */
  #shown: number | null = null;

  constructor(bot: Bot, connection: Connection, log: Log) {
    this.#bot = bot;
    this.#connection = connection;
    this.#log = log;
    this.#link = new Link(connection);
  }

  async play(): Promise<Outcome> {
    for (;;) {
      const message = await this.#connection.next();
      switch (message.type) {
        case "view":
          await this.#view(message);
          break;
        case "start":
          await this.#start(message);
          break;
        case "results":
          await this.#results(message);
          break;
        case "event":
          await this.#event(message);
          break;
        case "hello":
          this.#log.info(
            `connected to match ${message.match} of ${message.game}, seat ${message.seat}`,
          );
          break;
        case "error":
          if (!LAST_WORDS.has(message.code))
            this.#log.warn(`the server says: ${message.text} (${message.code})`);
          break;
        case "end":
          this.#log.info(`over: ${message.outcome.outcome} (${message.outcome.reason})`);
          await this.#guarded("onEnd", message.outcome);
          return message.outcome;
      }
    }
  }

  async #start(message: MatchStart): Promise<void> {
    this.#link.see(message);
    if (this.#started) {
      this.#log.info(`back in the match, turn ${message.turn}`);
    } else {
      this.#started = true;
      this.#realtime = message.clock.tick_ms !== null || message.clock.lockstep;
      this.#seat = message.seat;
      const seats = message.seats.map(({ name, role }) => `${name} (${role})`);
      this.#log.info(`the match starts: ${seats.join(" against ")}`);
      await this.#guarded("onStart", message as Start);
    }
    if (message.within_ms !== null) this.#connection.ready();
  }

  async #view(message: View): Promise<void> {
    // The newest state or none: a slow bot must not fall behind the match.
    if (this.#realtime && this.#connection.overtaken(message)) return;
    this.#link.see(message);
    if (!message.act) {
      if (message.seq === this.#shown) return;
      this.#shown = message.seq;
      return this.#guarded("onView", message.view);
    }
    if (message.turn === this.#decided) return;
    this.#shown = message.seq;
    if (!this.#realtime && this.#connection.conversation.turn !== message.turn) {
      this.#log.warn(`turn ${message.turn} was over before the bot came to it`);
      return this.#guarded("onView", message.view);
    }
    const commands = await this.#decision(message);
    if (commands.length > 0 && this.#sent(message.turn, commands)) this.#decided = message.turn;
  }

  async #decision(message: View): Promise<readonly unknown[]> {
    this.#link.open(message.turn);
    const begun = performance.now();
    try {
      return [...(await this.#bot.decide(message.view, this.#link))];
    } catch (fault) {
      this.#log.error(`turn ${message.turn}: the bot failed and says nothing`, fault);
      return [];
    } finally {
      this.#log.debug(`turn ${message.turn} took ${(performance.now() - begun).toFixed(1)} ms`);
    }
  }

  #sent(turn: number, commands: readonly unknown[]): boolean {
    const answers = this.#realtime ? null : turn;
    try {
      for (let first = 0; first < commands.length; first += PART) {
        if (!this.#connection.commands(answers, commands.slice(first, first + PART))) {
          this.#log.warn(`turn ${turn}: too late, the turn is over`);
          return false;
        }
      }
    } catch (fault) {
      if (!(fault instanceof BadUsage)) throw fault;
      this.#log.error(`turn ${turn}: these commands cannot be sent: ${fault.message}`);
      return false;
    }
    return true;
  }

  async #results(message: Results): Promise<void> {
    message.results.forEach(({ code, why }, index) => {
      if (code !== "ok")
        this.#log.warn(
          `turn ${message.turn}, command ${index + 1} was not carried out: ${code} ${why ?? ""}`,
        );
    });
    await this.#guarded("onResults", message.results);
  }

  async #event(message: Event): Promise<void> {
    if (message.seat === this.#seat && ["timeout", "silent", "not_ready"].includes(message.event))
      this.#log.warn(`turn ${message.turn}: ${message.event}`);
    await this.#guarded("onEvent", message);
  }

  /** Call a hook. One that fails is the bot's fault; the match goes on. */
  async #guarded(
    hook: "onStart" | "onView" | "onResults" | "onEvent" | "onEnd",
    argument: any,
  ): Promise<void> {
    try {
      await this.#bot[hook]?.(argument, this.#link);
    } catch (fault) {
      this.#log.error(`the bot failed in ${hook}`, fault);
    }
  }
}
