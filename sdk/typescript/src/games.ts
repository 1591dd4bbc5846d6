// Generated from the JSON Schemas by generate.py. Do not edit.
/** What a seat or a viewer sees. A seat has `your_decision`, `you` and what goes with them, a viewer `acting` and `players`. After the match a seat has `result` instead of the table. */
export interface BotstackView {
  game: "botstack";
  seat: number | null;
  phase: "abstain_request" | "abstain_reply" | "item" | "shoot" | "finished";
  events: BotstackEvent[];
  result?: Record<string, any>;
  round?: number;
  starter?: number;
  turn?: number;
  load?: number;
  reloads_left?: number;
  draws?: number;
  gun?: BotstackGun;
  your_decision?: boolean;
  you?: BotstackPlayer;
  opponent?: BotstackPlayer;
  known_next?: "live" | "blank" | null;
  opponent_request?: boolean;
  acting?: number | null;
  players?: BotstackPlayer[];
}

/** Something of the last step. `e` says what, and so which fields stand beside it (RULES §7). */
export interface BotstackEvent {
  e: "request" | "reply" | "item" | "peek" | "eject" | "shot" | "load" | "deal" | "round_start" | "round_end" | "match_end";
  seat?: number;
  accepted?: boolean;
  slot?: number;
  item?: "empty" | "peek_current" | "eject_current" | "skip_enemy" | "health_kit" | "reload_gun";
  bullet?: "live" | "blank";
  target?: number;
  round?: number;
  result?: string;
  winner?: number | null;
  reason?: string;
  starter?: number;
  outcome?: string;
  load?: number;
  cause?: string;
  total?: number;
  live?: number;
}

/** What both players know of the gun. The order of the bullets is secret. */
export interface BotstackGun {
  total: number;
  live: number;
  blank: number;
}

/** A player, as both players see it. */
export interface BotstackPlayer {
  health: number;
  items: ("empty" | "peek_current" | "eject_current" | "skip_enemy" | "health_kit" | "reload_gun")[];
  rounds_won: number;
  skip_pending: boolean;
  can_abstain: boolean;
}

/** A request to abstain from the round, or the answer to one. */
export interface BotstackAbstain {
  type: "abstain";
  value: boolean;
}

/** The item to use before a shot. */
export interface BotstackUseItem {
  type: "item";
  slot: number;
}

/** A shot. */
export interface BotstackShoot {
  type: "shoot";
  target: "self" | "opponent";
}

/** Gives up the match, at any time. */
export interface BotstackResign {
  type: "resign";
}

export type BotstackCommand = BotstackAbstain | BotstackUseItem | BotstackShoot | BotstackResign;

/** What all see. `map`, `jobs` and `structure_types` may come in the start message only. */
export interface CatastropheView {
  turn: number;
  current_player: number;
  next_id: number;
  players: CatastrophePlayer[];
  units: CatastropheUnit[];
  structures: CatastropheStructure[];
  tiles: CatastropheTile[];
  result: CatastropheResult | null;
  map?: CatastropheMap;
  jobs?: Record<string, CatastropheJob>;
  structure_types?: Record<string, CatastropheStructureType>;
}

/** A seat's food and what it eats. `cat` is the id of its overlord. */
export interface CatastrophePlayer {
  seat: number;
  food: number;
  upkeep: number;
  cat: number;
}

/** `owner` null: neutral. `squad`: the ids of those that fight together. */
export interface CatastropheUnit {
  id: number;
  owner: number | null;
  job: string;
  x: number;
  y: number;
  energy: number;
  moves: number;
  acted: boolean;
  food: number;
  materials: number;
  starving: boolean;
  turns_to_die: number;
  movement_target: [number, number] | null;
  squad: number[];
}

/** `owner` null: no player's. */
export interface CatastropheStructure {
  id: number;
  type: string;
  owner: number | null;
  x: number;
  y: number;
  materials: number;
  effect_radius: number;
}

/** A tile on which something lies or grows; others are left out. */
export interface CatastropheTile {
  x: number;
  y: number;
  harvest_rate: number;
  turns_to_harvest: number;
  food: number;
  materials: number;
}

/** How the match ended by the rules. */
export interface CatastropheResult {
  winner: number;
  reason: string;
  via: string | null;
}

/** The size, and the rows that are roads. */
export interface CatastropheMap {
  width: number;
  height: number;
  road_rows: number[];
}

/** What a unit of a job can do. */
export interface CatastropheJob {
  moves: number;
  action_cost: number;
  regen_rate: number;
  carry_limit: number;
  upkeep: number;
}

/** What a kind of structure costs, and how far it works. */
export interface CatastropheStructureType {
  materials: number;
  effect_radius: number;
}

/** Ends the turn. */
export interface CatastropheEndTurn {
  cmd: "end_turn";
}

/** A unit does something to a tile, or to what stands there. */
export interface CatastropheAtTile {
  cmd: "move" | "attack" | "convert" | "deconstruct" | "harvest";
  unit: number;
  x: number;
  y: number;
}

/** A unit learns another job. */
export interface CatastropheChangeJob {
  cmd: "change_job";
  unit: number;
  job: "soldier" | "gatherer" | "builder" | "missionary";
}

/** A builder builds on a tile. */
export interface CatastropheConstruct {
  cmd: "construct";
  unit: number;
  x: number;
  y: number;
  type: "wall" | "shelter" | "monument";
}

/** A unit rests. */
export interface CatastropheRest {
  cmd: "rest";
  unit: number;
}

/** A unit drops something on a tile or picks it up there. `amount` 0: as much as it can. */
export interface CatastropheCarry {
  cmd: "drop" | "pickup";
  unit: number;
  x: number;
  y: number;
  resource: "food" | "materials" | "f" | "m";
  amount?: number;
}

export type CatastropheCommand = CatastropheEndTurn | CatastropheAtTile | CatastropheChangeJob | CatastropheConstruct | CatastropheRest | CatastropheCarry;

/** What a seat or a viewer sees. `map` to `switch_duration` may come in the start message only; what follows is for seats. */
export interface CookoffView {
  turn: number;
  acting: "RED" | "BLUE" | null;
  commands: number;
  team_money: CookoffMoney;
  bots: CookoffBot[];
  tiles: CookoffTiles;
  orders: CookoffOrders;
  switched: CookoffFlags;
  switch_used: CookoffFlags;
  failed: CookoffFailures;
  map?: CookoffMap;
  foods?: CookoffFoodKind[];
  shop?: Record<string, number>;
  switch_turn?: number;
  switch_duration?: number;
  team?: "RED" | "BLUE";
  enemy_team?: "RED" | "BLUE";
  bot_ids?: number[];
  enemy_bot_ids?: number[];
  switch?: CookoffSwitch;
}

/** By team. */
export interface CookoffMoney {
  RED: number;
  BLUE: number;
}

/** `map_team`: in whose kitchen it stands. */
export interface CookoffBot {
  bot_id: number;
  team: "RED" | "BLUE";
  map_team: "RED" | "BLUE";
  x: number;
  y: number;
  holding: CookoffFood | CookoffPlate | CookoffPan | null;
  moved: boolean;
  acted: boolean;
}

/** `cooked_stage`: 0 raw, 1 cooked, 2 burnt. */
export interface CookoffFood {
  type: "Food";
  food_name: "EGG" | "ONIONS" | "MEAT" | "NOODLES" | "SAUCE";
  food_id: number;
  chopped: boolean;
  cooked_stage: 0 | 1 | 2;
}

/** Food in the order in which it was added. */
export interface CookoffPlate {
  type: "Plate";
  dirty: boolean;
  food: CookoffFood[];
}

/** A pan and what is in it. */
export interface CookoffPan {
  type: "Pan";
  food: CookoffFood | null;
}

/** By kitchen. */
export interface CookoffTiles {
  RED: CookoffTile[];
  BLUE: CookoffTile[];
}

/** A station, or another tile on which something lies. Its kind says which counters it has. */
export interface CookoffTile {
  x: number;
  y: number;
  tile_name: string;
  item: CookoffFood | CookoffPlate | CookoffPan | null;
  cook_progress?: number;
  num_dirty_plates?: number;
  curr_dirty_plate_progress?: number;
  using?: boolean;
  num_clean_plates?: number;
  count?: number;
}

/** By kitchen. */
export interface CookoffOrders {
  RED: CookoffOrder[];
  BLUE: CookoffOrder[];
}

/** A dish that a kitchen may deliver. `claimed_by`: the bot that did. */
export interface CookoffOrder {
  order_id: number;
  required: ("EGG" | "ONIONS" | "MEAT" | "NOODLES" | "SAUCE")[];
  created_turn: number;
  expires_turn: number;
  reward: number;
  penalty: number;
  claimed_by: number | null;
  completed_turn: number | null;
  is_active: boolean;
}

/** By team. */
export interface CookoffFlags {
  RED: boolean;
  BLUE: boolean;
}

/** By team: why it is out. */
export interface CookoffFailures {
  RED: string | null;
  BLUE: string | null;
}

/** A row of symbols for each row of tiles. */
export interface CookoffMap {
  width: number;
  height: number;
  rows: string[];
}

/** What can be done with a food, and its price. */
export interface CookoffFoodKind {
  name: "EGG" | "ONIONS" | "MEAT" | "NOODLES" | "SAUCE";
  id: number;
  can_chop: boolean;
  can_cook: boolean;
  cost: number;
}

/** The switch of kitchens from the seat's side. */
export interface CookoffSwitch {
  turn: number;
  switch_turn: number;
  switch_duration: number;
  window_active: boolean;
  window_end_turn: number;
  my_team_switched: boolean;
  enemy_team_switched: boolean;
  has_switched: boolean;
  enemy_has_switched: boolean;
}

/** Ends the team's part of the turn. */
export interface CookoffEndTurn {
  type: "end_turn";
}

/** The team gives up this turn. */
export interface CookoffTeamFailed {
  type: "team_failed";
  reason: "bot_error" | "init_failed";
}

/** The team goes to the other kitchen, or asks whether it may. */
export interface CookoffSwitchMaps {
  type: "switch_maps" | "can_switch_maps";
}

/** A bot moves by -1, 0 or 1 each way, or asks whether it can. */
export interface CookoffStep {
  type: "move" | "can_move";
  bot_id: number;
  dx: number;
  dy: number;
}

/** A bot buys something at a tile, or asks whether it can. */
export interface CookoffBuy {
  type: "buy" | "can_buy";
  bot_id: number;
  item: string;
  x?: number | null;
  y?: number | null;
}

/** A bot does something at a tile, or asks whether it can. */
export interface CookoffAction {
  type: "pickup" | "place" | "trash" | "chop" | "start_cook" | "take_from_pan" | "take_clean_plate" | "put_dirty_plate_in_sink" | "wash_sink" | "add_food_to_plate" | "submit" | "can_start_cook" | "can_submit";
  bot_id: number;
  x?: number | null;
  y?: number | null;
}

export type CookoffCommand = CookoffEndTurn | CookoffTeamFailed | CookoffSwitchMaps | CookoffStep | CookoffBuy | CookoffAction;

/** What a seat or a viewer sees. */
export interface PyratView {
  turn: number;
  max_turns: number;
  you: "rat" | "python" | null;
  must_act: boolean;
  moves: ("UP" | "RIGHT" | "DOWN" | "LEFT" | "STAY")[];
  rat: PyratPlayer;
  python: PyratPlayer;
  cheese: ([number, number])[];
  collected: ([number, number])[];
  total_cheese: number;
  outcomes: PyratOutcomes;
  timeouts: ("rat" | "python")[];
  state_hash: string;
  maze?: PyratMaze;
}

/** One of the two players. */
export interface PyratPlayer {
  position: [number, number];
  mud_turns: number;
  mud_from: [number, number] | null;
  score: number;
  misses: number;
  last_move: "UP" | "RIGHT" | "DOWN" | "LEFT" | "STAY";
}

/** What the last move of each player did. */
export interface PyratOutcomes {
  rat: "moved" | "entered_mud" | "in_mud" | "left_mud" | "blocked" | "stayed" | null;
  python: "moved" | "entered_mud" | "in_mud" | "left_mud" | "blocked" | "stayed" | null;
}

/** The maze. */
export interface PyratMaze {
  width: number;
  height: number;
  walls: ([[number, number], [number, number]])[];
  mud: ([[number, number], [number, number], number])[];
}

/** A move as an object. */
export interface PyratMoveObject {
  move: "UP" | "RIGHT" | "DOWN" | "LEFT" | "STAY" | 0 | 1 | 2 | 3 | 4;
}

export type PyratCommand = "UP" | "RIGHT" | "DOWN" | "LEFT" | "STAY" | 0 | 1 | 2 | 3 | 4 | PyratMoveObject;

/** What a seat or a viewer sees. */
export interface ZooscapeView {
  tick: number;
  max_ticks: number;
  game_over: boolean;
  width?: number;
  height?: number;
  map: string[];
  animals: ZooscapeAnimal[];
  zookeepers: ZooscapeZookeeper[];
  you?: ZooscapeYou;
}

/** What all viewers see of an animal. */
export interface ZooscapeAnimal {
  seat: number;
  x: number;
  y: number;
  spawn_x: number;
  spawn_y: number;
  score: number;
  captured_count: number;
  distance_covered: number;
  is_viable: boolean;
  held_power_up: "power_pellet" | "chameleon_cloak" | "scavenger" | "big_moose_juice" | null;
  active_power_up: ZooscapeActivePowerUp | null;
}

/** A power-up that works. */
export interface ZooscapeActivePowerUp {
  kind: "power_pellet" | "chameleon_cloak" | "scavenger" | "big_moose_juice";
  ticks_remaining: number;
  value: number;
}

/** A zookeeper. */
export interface ZooscapeZookeeper {
  id: number;
  name: string;
  x: number;
  y: number;
  spawn_x: number;
  spawn_y: number;
}

/** What only this seat knows of its animal. */
export interface ZooscapeYou {
  seat: number;
  direction: "idle" | "up" | "down" | "left" | "right";
  streak_multiplier: number;
  ticks_on_spawn: number;
  power_ups_used: number;
  queue_length: number;
  events: "no_item"[];
}

/** An action by name or number. A name may be written in any case. */
export interface ZooscapeCommand {
  action: "up" | "down" | "left" | "right" | "use_item" | "skip" | "UP" | "DOWN" | "LEFT" | "RIGHT" | "USE_ITEM" | "SKIP" | 1 | 2 | 3 | 4 | 5;
}

/** The views and commands of each game. */
export interface Games {
  botstack: { view: BotstackView; command: BotstackCommand };
  catastrophe: { view: CatastropheView; command: CatastropheCommand };
  cookoff: { view: CookoffView; command: CookoffCommand };
  pyrat: { view: PyratView; command: PyratCommand };
  zooscape: { view: ZooscapeView; command: ZooscapeCommand };
}
