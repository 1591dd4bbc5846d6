import type { Link } from "./link.js";
import type { CommandResult, Event, MatchStart } from "./messages.js";

type MaybePromise<T> = T | Promise<T>;

/** The match that a bot is about to play: the server's start message. */
export type Start<View = any> = MatchStart & { seat: number; view: View };

/** The result of a match as JSON: `outcome`, `winner`, `reason`, and a line for each of the
 * `seats`. */
export type Outcome = Record<string, any>;

/** A bot. Only `decide` is required; each method may be async. Methods are called one after the
 * other. A method that throws costs the bot its turn at most. */
export interface Bot<View = any, Command = any> {
  /** What the others see; by default the name of the class. */
  name?: string;
  /** The game that the bot plays, for taking a seat. */
  game?: string;
  /** Top-level fields of the view that the server sends once. The bot gets them in every view. */
  startOnly?: readonly string[];
  /** Whether results have the changes that the commands made, where the game reveals them. */
  wantsChanges?: boolean;

  /** Called once, before the first turn. Finish within `start.within_ms`. */
  onStart?(start: Start<View>, link: Link<Command>): MaybePromise<void>;

  /** The commands of one turn, in order. No command means silence, which costs what the rules of
   * the game say. */
  decide(view: View, link: Link<Command>): MaybePromise<readonly Command[]>;

  /** Called with a view that requires no answer. */
  onView?(view: View, link: Link<Command>): MaybePromise<void>;

  /** Called with the results of one frame of commands, in order. */
  onResults?(results: CommandResult[], link: Link<Command>): MaybePromise<void>;

  /** Called with an event, such as `timeout`. */
  onEvent?(event: Event, link: Link<Command>): MaybePromise<void>;

  /** Called once, when the match is over. */
  onEnd?(outcome: Outcome, link: Link<Command>): MaybePromise<void>;
}
