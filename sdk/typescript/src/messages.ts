// Generated from the JSON Schemas by generate.py. Do not edit.
export type ClientMessage = ClientHello | Ready | Commands | Provisional | Info | Resync | Seen;

export type ServerMessage = ServerHello | MatchStart | View | Delta | Results | Event | Stop | End | ErrorMessage | Ping;

/** The first frame of a connection. A seat sends its token; a viewer sends the match's id, and a token if the lobby is private or a key if the server is closed. */
export interface ClientHello {
  type: "hello";
  /** The version of the protocol that the client speaks. */
  protocol: number;
  /** The seat's token. Viewers: a token of the private lobby, or an account's key. */
  token?: string | null;
  /** Viewers: the id of the match. */
  match?: string | null;
  /** The name of the client's program, for the server's log. */
  client?: string;
  /** False: results come without the changes that the commands made. */
  changes?: boolean;
  /** Viewers: a view may come as a delta, the change since an earlier view. */
  deltas?: boolean;
  /** Games whose turns are many commands: an event `steps` lists every command of a closed turn with the change that it made. */
  steps?: boolean;
  /** Top-level fields of the view that come in the start message only, such as PyRat's `maze`. */
  once?: string[];
}

/** The seat has finished its preprocessing. The first turn opens when all seats have. */
export interface Ready {
  type: "ready";
}

/** The answer of a seat to a view: its commands, which are applied in order. */
export interface Commands {
  type: "commands";
  /** The commands, as RULES.md of the game defines them. */
  commands: any[];
  /** The turn of the view that this answers. Not required in realtime games. */
  turn?: number | null;
  /** Games whose turns are many commands: close the turn after these commands. */
  end_turn?: boolean;
  /** Comes back in `results`. A frame that is sent again with its id is not carried out twice. */
  id?: number | string | null;
  /** Realtime: the turn of the newest view that the client has handled, as in `seen`. */
  seen?: number | null;
}

/** The answer that counts if no commands come in time. A later one replaces it. */
export interface Provisional {
  type: "provisional";
  /** The turn of the view that this answers. */
  turn: number;
  /** The commands, as in `commands`. */
  commands: any[];
}

/** Thoughts of a bot, which never affect the match. Viewers get them when the turn closes. */
export interface Info {
  type: "info";
  /** Free-form; the page shows `text` and draws the list in `draw`. */
  data: any;
  /** The turn that they are about; null: the open turn. */
  turn?: number | null;
}

/** A request for start and view again. */
export interface Resync {
  type: "resync";
}

/** The client has handled a view. In realtime games the server then sends further ones. */
export interface Seen {
  type: "seen";
  /** The turn of the view. */
  turn: number;
}

/** The answer to a client's hello. The match starts when every seat has got one. */
export interface ServerHello {
  type: "hello";
  /** The name and the version of the server. */
  server: string;
  /** The id of the match. */
  match: string;
  /** The name of the game. */
  game: string;
  /** The client's seat; null: a viewer. */
  seat: number | null;
  /** The version of the protocol that the server speaks. */
  protocol: number;
}

/** The match and its present view. Every client gets it once on each connection, and after `resync`. */
export interface MatchStart {
  type: "start";
  /** The id of the match. */
  match: string;
  /** The name of the game. */
  game: string;
  /** The client's seat; null: a viewer. */
  seat: number | null;
  /** All seats, in order. */
  seats: SeatInfo[];
  /** The game's parameters with the values that they have. */
  config: Record<string, any>;
  /** The limits of the match. */
  clock: Clock;
  /** SHA-256 of the seed and a salt, which the journal reveals. */
  commitment: string;
  /** The turn that is open. */
  turn: number;
  /** The number of the view. */
  seq: number;
  /** What the client may see now, as RULES.md of the game defines it. */
  view: any;
  /** The first turn opens after this time; null: there is no preprocessing, or it is over. */
  within_ms: number | null;
  /** As in the view. */
  banks_ms?: (number | null)[];
}

/** A seat and its player. */
export interface SeatInfo {
  /** The number of the seat, from 0. */
  seat: number;
  /** What the game calls the seat. */
  role: string;
  /** The player's name. It is a label: an account may play under any name. */
  name: string;
  /** `bot` or `human`. */
  kind: string;
}

/** The limits of a match, in ms. 0 means no limit, except for preprocessing, bank, increment, grace and absence, where it means no time. */
export interface Clock {
  /** Realtime games: the time between two ticks. null: a turn closes when its seats have answered. */
  tick_ms: number | null;
  /** The time between the start and the first turn. */
  preprocessing_ms: number;
  /** The time of a bot for a turn. */
  turn_ms: number;
  /** The time of a person for a turn. */
  human_turn_ms: number;
  /** The further time of a seat for the whole match, used after the time of a turn. */
  bank_ms: number;
  /** The bank grows by this when a turn of the seat begins. */
  increment_ms: number;
  /** After `stop` an answer is still accepted for this time. */
  grace_ms: number;
  /** The n-th timed-out turn of a seat forfeits the match; 0: never. */
  strikes: number;
  /** A realtime game without a tick clock: the next tick comes when every seat has answered, after `turn_ms` at the latest. Commands name no turn. */
  lockstep: boolean;
  /** How long a match waits for its seats: at first, and after a fault of the server. */
  startup_ms: number;
  /** What happens to a seat that is away: `plays`, `misses`, `waits`, `limited` or `forfeits`. */
  absence: string;
  /** With `waits` and `limited`, how long one seat may be away in the whole match. Otherwise, how long all seats may be away at the same time. */
  absence_ms: number;
}

/** What the client may see after a turn has closed. */
export interface View {
  type: "view";
  /** The turn that is open, which an answer names. */
  turn: number;
  /** The number of the view; it rises by one for each view of the match. */
  seq: number;
  /** What the client may see now, as RULES.md of the game defines it. */
  view: any;
  /** The seat is to answer with commands. */
  act: boolean;
  /** The time for the answer, from now, before the bank is used; null: no limit, or no answer is due. */
  within_ms: number | null;
  /** What is left of the seat's bank; null: the clock has no bank. */
  bank_ms: number | null;
  /** The number of views left out since the last one, because newer ones had come. */
  skipped: number;
  /** What is left of the bank of each seat, in order; null: a seat without one. Only for seats, in matches with banks. Of other seats that have the same turn as the client, it is what they had when the turn opened. */
  banks_ms?: (number | null)[];
}

/** A view as the change since the view `base`. A client that does not hold that view sends `resync`. */
export interface Delta {
  type: "delta";
  /** The turn that is open. */
  turn: number;
  /** The number of the view that results. */
  seq: number;
  /** The number of the view to apply the delta to. */
  base: number;
  /** The change; `client_sdk/wire/delta.py` defines its form. */
  delta: any;
}

/** The results of one frame of commands. */
export interface Results {
  type: "results";
  /** The turn that the commands were applied to. */
  turn: number;
  /** One for each command, in order. */
  results: CommandResult[];
  /** The `id` of the frame of commands. */
  id: number | string | null;
}

/** The result of one command. */
export interface CommandResult {
  /** `ok`, or why the command was not carried out. */
  code: string;
  /** The reason as a sentence. */
  why?: string;
  /** Games whose turns are many commands: the complete change that the command made. */
  changes?: any;
}

/** Something that happened beside the rules: `timeout`, `silent`, `away`, `back`, `info`, `steps`, `stall`, `resumed` and others. */
export interface Event {
  type: "event";
  /** The kind of the event. */
  event: string;
  /** The turn in which it happened. */
  turn: number;
  /** The seat that it is about; null: all. */
  seat: number | null;
  /** Depends on the kind. */
  data: any;
}

/** The time for this turn is up. An answer is still accepted for the grace. */
export interface Stop {
  type: "stop";
  /** The turn. */
  turn: number;
  /** The grace. */
  within_ms: number;
}

/** The match is over. The last view came before. */
export interface End {
  type: "end";
  /** The result: `outcome`, `winner`, `reason`, and a line for each of the `seats`. */
  outcome: Record<string, any>;
}

/** A frame was not a message, or the server is about to close the connection. */
export interface ErrorMessage {
  type: "error";
  /** What went wrong. A code never changes its meaning. */
  code: string;
  /** The same as a sentence. */
  text: string;
  /** Connecting again with the same token can help. */
  retry: boolean;
  /** The address to connect to, if it is another one. */
  url?: string;
}

/** A heartbeat, every 5 s. No answer is due. If three are missing, the connection is dead. */
export interface Ping {
  type: "ping";
  /** The number of the heartbeat, from 1. */
  n: number;
}

/** What the messages are checked against, without the texts. */
export const schemas: Record<string, any> = {"ClientMessage": {"anyOf": [{"$ref": "#/$defs/ClientHello"}, {"$ref": "#/$defs/Ready"}, {"$ref": "#/$defs/Commands"}, {"$ref": "#/$defs/Provisional"}, {"$ref": "#/$defs/Info"}, {"$ref": "#/$defs/Resync"}, {"$ref": "#/$defs/Seen"}]}, "ServerMessage": {"anyOf": [{"$ref": "#/$defs/ServerHello"}, {"$ref": "#/$defs/MatchStart"}, {"$ref": "#/$defs/View"}, {"$ref": "#/$defs/Delta"}, {"$ref": "#/$defs/Results"}, {"$ref": "#/$defs/Event"}, {"$ref": "#/$defs/Stop"}, {"$ref": "#/$defs/End"}, {"$ref": "#/$defs/Error"}, {"$ref": "#/$defs/Ping"}]}, "ClientHello": {"type": "object", "properties": {"type": {"enum": ["hello"]}, "protocol": {"type": "integer"}, "token": {"anyOf": [{"type": "string", "maxLength": 200}, {"type": "null"}], "default": null}, "match": {"anyOf": [{"type": "string", "maxLength": 80}, {"type": "null"}], "default": null}, "client": {"type": "string", "maxLength": 80, "default": ""}, "changes": {"type": "boolean", "default": true}, "deltas": {"type": "boolean", "default": false}, "steps": {"type": "boolean", "default": false}, "once": {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": 20, "default": []}}, "required": ["type", "protocol"]}, "Ready": {"type": "object", "properties": {"type": {"enum": ["ready"]}}, "required": ["type"]}, "Commands": {"type": "object", "properties": {"type": {"enum": ["commands"]}, "commands": {"type": "array", "maxItems": 1000}, "turn": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "default": null}, "end_turn": {"type": "boolean", "default": false}, "id": {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 80}, {"type": "null"}], "default": null}, "seen": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "default": null}}, "required": ["type", "commands"]}, "Provisional": {"type": "object", "properties": {"type": {"enum": ["provisional"]}, "turn": {"type": "integer", "minimum": 0}, "commands": {"type": "array", "maxItems": 1000}}, "required": ["type", "turn", "commands"]}, "Info": {"type": "object", "properties": {"type": {"enum": ["info"]}, "data": {}, "turn": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "default": null}}, "required": ["type", "data"]}, "Resync": {"type": "object", "properties": {"type": {"enum": ["resync"]}}, "required": ["type"]}, "Seen": {"type": "object", "properties": {"type": {"enum": ["seen"]}, "turn": {"type": "integer", "minimum": 0}}, "required": ["type", "turn"]}, "ServerHello": {"type": "object", "properties": {"type": {"enum": ["hello"]}, "server": {"type": "string"}, "match": {"type": "string"}, "game": {"type": "string"}, "seat": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}, "protocol": {"type": "integer", "default": 1}}, "required": ["type", "server", "match", "game"]}, "MatchStart": {"type": "object", "properties": {"type": {"enum": ["start"]}, "match": {"type": "string"}, "game": {"type": "string"}, "seat": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "seats": {"type": "array", "items": {"$ref": "#/$defs/SeatInfo"}}, "config": {"type": "object"}, "clock": {"$ref": "#/$defs/Clock"}, "commitment": {"type": "string"}, "turn": {"type": "integer"}, "seq": {"type": "integer"}, "view": {}, "within_ms": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}, "banks_ms": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}, "required": ["type", "match", "game", "seat", "seats", "config", "clock", "commitment", "turn", "seq", "view"]}, "SeatInfo": {"type": "object", "properties": {"seat": {"type": "integer"}, "role": {"type": "string"}, "name": {"type": "string"}, "kind": {"type": "string"}}, "required": ["seat", "role", "name", "kind"]}, "Clock": {"type": "object", "properties": {"tick_ms": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "preprocessing_ms": {"type": "integer"}, "turn_ms": {"type": "integer"}, "human_turn_ms": {"type": "integer"}, "bank_ms": {"type": "integer"}, "increment_ms": {"type": "integer"}, "grace_ms": {"type": "integer"}, "strikes": {"type": "integer"}, "lockstep": {"type": "boolean", "default": false}, "startup_ms": {"type": "integer", "default": 30000}, "absence": {"type": "string", "default": "plays"}, "absence_ms": {"type": "integer", "default": 60000}}, "required": ["tick_ms", "preprocessing_ms", "turn_ms", "human_turn_ms", "bank_ms", "increment_ms", "grace_ms", "strikes"]}, "View": {"type": "object", "properties": {"type": {"enum": ["view"]}, "turn": {"type": "integer"}, "seq": {"type": "integer"}, "view": {}, "act": {"type": "boolean", "default": false}, "within_ms": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}, "bank_ms": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}, "skipped": {"type": "integer", "default": 0}, "banks_ms": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}, "required": ["type", "turn", "seq", "view"]}, "Delta": {"type": "object", "properties": {"type": {"enum": ["delta"]}, "turn": {"type": "integer"}, "seq": {"type": "integer"}, "base": {"type": "integer"}, "delta": {}}, "required": ["type", "turn", "seq", "base", "delta"]}, "Results": {"type": "object", "properties": {"type": {"enum": ["results"]}, "turn": {"type": "integer"}, "results": {"type": "array", "items": {"$ref": "#/$defs/CommandResult"}}, "id": {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 80}, {"type": "null"}], "default": null}}, "required": ["type", "turn", "results"]}, "CommandResult": {"type": "object", "properties": {"code": {"type": "string"}, "why": {"type": "string"}, "changes": {}}, "required": ["code"]}, "Event": {"type": "object", "properties": {"type": {"enum": ["event"]}, "event": {"type": "string"}, "turn": {"type": "integer"}, "seat": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}, "data": {"default": null}}, "required": ["type", "event", "turn"]}, "Stop": {"type": "object", "properties": {"type": {"enum": ["stop"]}, "turn": {"type": "integer"}, "within_ms": {"type": "integer"}}, "required": ["type", "turn", "within_ms"]}, "End": {"type": "object", "properties": {"type": {"enum": ["end"]}, "outcome": {"type": "object"}}, "required": ["type", "outcome"]}, "Error": {"type": "object", "properties": {"type": {"enum": ["error"]}, "code": {"type": "string"}, "text": {"type": "string"}, "retry": {"type": "boolean", "default": false}, "url": {"type": "string"}}, "required": ["type", "code", "text"]}, "Ping": {"type": "object", "properties": {"type": {"enum": ["ping"]}, "n": {"type": "integer"}}, "required": ["type", "n"]}};
