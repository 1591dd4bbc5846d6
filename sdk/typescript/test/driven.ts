// Plays a case of sdk/conformance as its README says, in Node and in a browser.

import {
  ConnectionLost,
  Link,
  ServerRefused,
  play,
  watch,
  type Bot,
  type CommandResult,
  type Event,
  type Outcome,
  type Start,
} from "botarena";

type Order = [verb: string, ...given: any[]];
type Call = [name: string, value: unknown];

export interface Case {
  name: string;
  client?: {
    name?: string;
    token?: string;
    match?: string;
    once?: string[];
    changes?: boolean;
    deltas?: boolean;
    heartbeat_ms?: number;
  };
  bot?: { decide?: Order[][] } & Record<string, Order[]>;
}

/** The exit codes of the cases. */
const OVER = 0;
const REFUSED = 3;
const LOST = 4;

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Does what a case says, and keeps what it was called with. */
class Driven implements Bot {
  readonly name: string;
  readonly startOnly: string[];
  readonly wantsChanges: boolean;
  readonly calls: Call[] = [];
  readonly #orders: Record<string, Order[]>;
  readonly #decisions: Order[][];

  constructor({ client = {}, bot = {} }: Case) {
    this.name = client.name ?? "driver";
    this.startOnly = client.once ?? [];
    this.wantsChanges = client.changes ?? false;
    this.#orders = bot;
    this.#decisions = [...(bot.decide ?? [])];
  }

  onStart(start: Start, link: Link): Promise<void> {
    const { match, game, seat, config, turn, view, within_ms } = start;
    const names = start.seats.map(({ name }) => name);
    const { startup_ms } = start.clock;
    const value = { match, game, seat, names, config, turn, view, within_ms, startup_ms };
    return this.#called("start", value, link);
  }

  decide(view: unknown, link: Link): Promise<unknown[]> {
    this.calls.push(["decide", view]);
    return this.#obey(this.#decisions.shift() ?? [], view, link);
  }

  onView(view: unknown, link: Link): Promise<void> {
    return this.#called("view", view, link);
  }

  onResults(results: CommandResult[], link: Link): Promise<void> {
    return this.#called("results", filled(results), link);
  }

  async onEvent({ event, turn, seat, data }: Event, link: Link): Promise<void> {
    if (event === "mark") link.info({ mark: data });
    else await this.#called("event", { event, turn, seat, data }, link);
  }

  onEnd(outcome: Outcome, link: Link): Promise<void> {
    return this.#called("end", outcome, link);
  }

  async #called(hook: string, value: unknown, link: Link): Promise<void> {
    this.calls.push([hook, value]);
    await this.#obey(this.#orders[hook] ?? [], value, link);
  }

  async #obey(orders: Order[], view: unknown, link: Link): Promise<unknown[]> {
    let answer: unknown[] = [];
    for (const [verb, ...given] of orders) {
      switch (verb) {
        case "answer":
          answer = given[0];
          break;
        case "repeat":
          answer = Array(given[1]).fill(given[0]);
          break;
        case "echo":
          answer = [view];
          break;
        case "provisional":
          link.provisional(given[0]);
          break;
        case "info":
          link.info(given[0]);
          break;
        case "early":
          this.calls.push(["early", link.sendEarly(given[0])]);
          break;
        case "out_of_turn":
          link.sendOutOfTurn(given[0]);
          break;
        case "fresh":
          this.calls.push(["fresh", await link.freshView()]);
          break;
        case "await_results": {
          const found: CommandResult[][] = [];
          while (found.length === 0) {
            found.push(...link.pendingResults());
            await sleep();
          }
          this.calls.push(["early_results", found.map(filled)]);
          break;
        }
        case "await_stop":
          if (!link.stopped())
            await new Promise((resolve) => link.signal.addEventListener("abort", resolve));
          break;
        case "compute":
          while (!(await link.shouldStop()));
          break;
        case "await_turn":
          while (link.newestTurn !== given[0]) await sleep();
          break;
        case "clock":
          this.calls.push(["clock", { deadline: link.deadline !== null, bank_ms: link.bankMs }]);
          break;
        case "banks":
          this.calls.push(["banks", link.banksMs]);
          break;
        case "stopped":
          this.calls.push(["stopped", link.stopped()]);
          break;
        case "raise":
          throw new Error("as the case says");
        default:
          throw new Error(`no order of this format: ${verb}`);
      }
    }
    return answer;
  }
}

function filled(results: CommandResult[]): unknown[] {
  return results.map(({ code, why = "", changes = null }) => ({ code, why, changes }));
}

async function follow(url: string, { client = {} }: Case, calls: Call[]): Promise<void> {
  const { match = "", token, deltas = true, heartbeat_ms: heartbeatMs } = client;
  for await (const message of watch({ url, match, token, deltas, heartbeatMs, log })) {
    const { type } = message;
    if (type === "start") calls.push([type, { turn: message.turn, view: message.view }]);
    if (type === "view") calls.push([type, message.view]);
    if (type === "end") calls.push([type, message.outcome]);
    if (type === "event") {
      const { event, turn, seat, data } = message;
      calls.push([type, { event, turn, seat, data }]);
    }
  }
}

/** Play a case; what the bot was called with, and how the client ended. */
export async function report(url: string, given: Case): Promise<object> {
  let calls: Call[] = [];
  let exit = OVER;
  try {
    if (given.client?.match) {
      await follow(url, given, calls);
    } else {
      const bot = new Driven(given);
      calls = bot.calls;
      await play(bot, { url, token: given.client?.token ?? "s_1" }, { log });
    }
  } catch (fault) {
    if (fault instanceof ServerRefused) exit = REFUSED;
    else if (fault instanceof ConnectionLost) exit = LOST;
    else throw fault;
  }
  return { name: given.name, calls, exit };
}

function sleep(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}
