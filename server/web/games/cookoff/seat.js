// How a person plays: keys, buttons and clicks for the selected bot.

import { select, selected } from "../lib/selection.js";
import { memo } from "../lib/cache.js";
import { at } from "./plan.js";
import { CHOPPABLE, FOODS, GAME, TEAMS, WALKABLE } from "./rules.js";
import { named } from "./words.js";

/** @typedef {import("../lib/paint.js").Place} Place */

/** The bot that a person moves: the selected one, else the team's first.
 * @param {any} view @param {number} seat @returns {any} */
export function selectedBot(view, seat) {
  const own = view.bots.filter((/** @type {any} */ bot) => bot.team === TEAMS[seat]);
  return own.find((/** @type {any} */ bot) => bot.bot_id === selected(GAME)) ?? own[0] ?? null;
}

/** @param {any} view @param {number} seat @returns {import("../contract.js").Controls} */
export function human(view, seat) {
  const bot = selectedBot(view, seat);
  const mine = view.acting === TEAMS[seat];
  return {
    keys: mine && bot ? steps(view, bot) : {},
    buttons: mine && bot ? actions(view, seat, bot) : [],
    click: (x, y, shown, box) => {
      const cell = at(x, y, shown, box);
      return cell && shown.acting === TEAMS[seat] ? clicked(shown, seat, cell) : null;
    },
    endTurn: true,
    moves:
      mine && bot && !bot.moved
        ? Object.values(steps(view, bot)).map(({ dx, dy }) => ({
            kind: "cell",
            x: bot.x + dx,
            y: bot.y + dy,
            seat: TEAMS.indexOf(bot.map_team),
          }))
        : [],
    hint: !mine ? "The other team plays." : bot ? hintOf(bot) : "You have no bot here.",
  };
}

/** @param {any} bot */
function hintOf(bot) {
  const moved = bot.moved ? "has moved" : "may move";
  const acted = bot.acted ? "has acted" : "may act";
  return (
    `Bot ${bot.bot_id} holds ${named(bot.holding)}; it ${moved} and ${acted}. Walk with the ` +
    "arrows or W A S D and Q E Z C, click a station beside it, or click another bot. Then end " +
    "the turn."
  );
}

/** The steps that are possible, by key: a refused one would cost a command.
 * @param {any} view @param {any} bot @returns {Record<string, any>} */
function steps(view, bot) {
  const free = (/** @type {number} */ x, /** @type {number} */ y) =>
    WALKABLE.includes(symbolAt(view, x, y) || "#") &&
    !view.bots.some(
      (/** @type {any} */ one) => one.map_team === bot.map_team && one.x === x && one.y === y,
    );
  const keys = /** @type {[string[], number, number][]} */ ([
    [["ArrowUp", "w"], 0, 1],
    [["ArrowDown", "s"], 0, -1],
    [["ArrowLeft", "a"], -1, 0],
    [["ArrowRight", "d"], 1, 0],
    [["q"], -1, 1],
    [["e"], 1, 1],
    [["z"], -1, -1],
    [["c"], 1, -1],
  ]);
  return Object.fromEntries(
    keys.flatMap(([names, dx, dy]) =>
      (free(bot.x + dx, bot.y + dy) ? names : []).map((name) => [
        name,
        { type: "move", bot_id: bot.bot_id, dx, dy },
      ]),
    ),
  );
}

/** @param {any} view @param {number} x @param {number} y @returns {string} the map's symbol */
function symbolAt({ map }, x, y) {
  return map.rows[map.height - 1 - y]?.[x] ?? "";
}

/** @param {any} view @param {number} seat @param {Place & {kitchen: number}} cell */
function clicked(view, seat, cell) {
  const team = TEAMS[cell.kitchen];
  const there = view.bots.find(
    (/** @type {any} */ one) => one.map_team === team && one.x === cell.x && one.y === cell.y,
  );
  const bot = selectedBot(view, seat);
  if (there?.team === TEAMS[seat] && there.bot_id !== bot?.bot_id)
    return select(GAME, there.bot_id);
  if (!bot || bot.map_team !== team) return null;
  const near = Math.max(Math.abs(cell.x - bot.x), Math.abs(cell.y - bot.y)) <= 1;
  const usual = near && !bot.acted ? work(view, bot, cell)[0] : null;
  if (usual) return usual.command;
  if (!WALKABLE.includes(symbolAt(view, cell.x, cell.y) || "#")) return null;
  const step = stepTo(view, bot, cell);
  return step && { type: "move", bot_id: bot.bot_id, ...step };
}

/** The first step of a shortest path, around bots and stations.
 * @param {any} view @param {any} bot @param {Place} to @returns {{dx: number, dy: number}|null} */
function stepTo(view, bot, to) {
  const taken = new Set(
    view.bots
      .filter((/** @type {any} */ one) => one.map_team === bot.map_team)
      .map((/** @type {any} */ one) => `${one.x},${one.y}`),
  );
  const seen = new Set([`${to.x},${to.y}`]);
  /** @type {Place[]} */
  let edge = [to];
  // Backwards from the goal, so that the cell before the bot's own is the step.
  while (edge.length) {
    /** @type {Place[]} */
    const next = [];
    for (const { x, y } of edge) {
      for (const dx of [0, -1, 1]) {
        for (const dy of [0, -1, 1]) {
          const [px, py] = [x + dx, y + dy];
          const key = `${px},${py}`;
          if (px === bot.x && py === bot.y && (dx || dy))
            return taken.has(`${x},${y}`) ? null : { dx: x - px, dy: y - py };
          if (seen.has(key) || taken.has(key) || !WALKABLE.includes(symbolAt(view, px, py) || "#"))
            continue;
          seen.add(key);
          next.push({ x: px, y: py });
        }
      }
    }
    edge = next;
  }
  return null;
}

/** The actions of a bot at a cell beside it, the most usual one first.
 * @param {any} view @param {any} bot @param {Place} cell
 * @returns {{label: string, command: any}[]} */
function work(view, bot, { x, y }) {
  const symbol = symbolAt(view, x, y);
  const tile = memo(
    view.tiles[bot.map_team],
    "places",
    () =>
      new Map(view.tiles[bot.map_team].map((/** @type {any} */ one) => [`${one.x},${one.y}`, one])),
  ).get(`${x},${y}`);
  const lying = tile?.item ?? null;
  const hand = bot.holding;
  /** @type {{label: string, command: any}[]} */
  const found = [];
  /** @param {string} label @param {string} type @param {any} [more] */
  const offer = (label, type, more = {}) =>
    found.push({ label, command: { type, bot_id: bot.bot_id, x, y, ...more } });
  const plated =
    (hand?.type === "Plate" && lying?.type === "Food") ||
    (hand?.type === "Food" && lying?.type === "Plate");
  if (symbol === "U" && hand?.type === "Plate" && !hand.dirty) offer("Submit the dish", "submit");
  if (symbol === "R" && hand) offer(`Throw ${named(hand)} away`, "trash");
  if (symbol === "T" && !hand && tile?.num_clean_plates)
    offer("Take a clean plate", "take_clean_plate");
  if (symbol === "S" && tile?.num_dirty_plates) offer("Wash a plate", "wash_sink");
  if (symbol === "S" && hand?.type === "Plate" && hand.dirty)
    offer("Put the plate into the sink", "put_dirty_plate_in_sink");
  if (symbol === "K") {
    const inside = lying?.type === "Pan" ? lying.food : null;
    if (hand?.type === "Food" && lying?.type === "Pan" && !inside)
      offer(`Cook ${named(hand)}`, "start_cook");
    if (!hand && inside) offer(`Take ${named(inside)} out of the pan`, "take_from_pan");
    if (hand?.type === "Pan") offer("Put the pan down", "place");
    if (!hand && lying) offer(`Lift ${named(lying)}`, "pickup");
  }
  if (plated)
    offer(
      hand.type === "Plate"
        ? `Put ${named(lying)} onto the plate`
        : `Put ${named(hand)} onto ${named(lying)}`,
      "add_food_to_plate",
    );
  if (
    symbol === "C" &&
    !hand &&
    lying?.type === "Food" &&
    CHOPPABLE.includes(lying.food_name) &&
    !lying.chopped
  )
    offer(`Chop ${named(lying)}`, "chop");
  if (!hand && lying && symbol !== "K") offer(`Take ${named(lying)}`, "pickup");
  if ("CB".includes(symbol || "#") && hand && !(symbol === "C" && lying))
    offer(`Put ${named(hand)} down`, "place");
  if (symbol === "$" && !hand) {
    const money = view.team_money[bot.team];
    const costs = new Map([
      ...view.foods.map((/** @type {any} */ food) => [food.name, food.cost]),
      ...Object.entries(view.shop),
    ]);
    for (const item of [...FOODS, "PLATE", "PAN"]) {
      const cost = costs.get(item);
      if (cost !== undefined && cost <= money)
        offer(`Buy ${item.toLowerCase()} ($${cost})`, "buy", { item });
    }
  }
  return found;
}

/** All actions of the selected bot where it stands. An action that is possible at two cells is
 * listed for each.
 * @param {any} view @param {number} seat @param {any} bot
 * @returns {{label: string, command: any, enabled: boolean}[]} */
function actions(view, seat, bot) {
  const signs = ["↖", "↑", "↗", "←", "·", "→", "↙", "↓", "↘"];
  /** @type {{label: string, command: any, enabled: boolean}[]} */
  const found = [];
  signs.forEach((sign, index) => {
    const cell = { x: bot.x + (index % 3) - 1, y: bot.y + 1 - Math.floor(index / 3) };
    for (const { label, command } of work(view, bot, cell)) {
      const same =
        command.type === "buy" &&
        found.some((one) => one.command.type === "buy" && one.command.item === command.item);
      if (!same)
        found.push({
          label: command.type === "buy" ? label : `${label} ${sign}`,
          command,
          enabled: !bot.acted,
        });
    }
  });
  if (view.switch?.window_active && !view.switch_used[TEAMS[seat] ?? ""])
    found.push({ label: "Switch kitchens", command: { type: "switch_maps" }, enabled: true });
  return found;
}
