// Cookoff: both kitchens, who stands where with what in hand, what lies and cooks where, the orders with their countdowns, the switch.
// Cells count from the bottom left (RULES §3). The kitchens stand side by side or one over the other, whichever is larger in the box.
import { arc, between, cast, disc, dress, eased, fitted, frame, hint, layer, letters, line, mix, nameOf, noted, overlays, plate, polygon, put,
  ring, scaleOf, seatColour, stamp, still } from "./lib/paint.js";
import { item as drawItem, wanted } from "./lib/food.js";
import { inHand, take } from "./lib/hand.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./contract.js").SeatInfo} SeatInfo */
/** @typedef {import("./contract.js").Theme} Theme */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */
/** @typedef {import("./lib/paint.js").Place} Place */

const GAME = "cookoff";
const TEAMS = ["RED", "BLUE"];
/** Where the config does not say (RULES §2). */
export const DEFAULTS = { cook_progress: 20, burn_progress: 40, total_turns: 500, plate_wash_progress: 2 };
/** Heights in units: the line over all, a kitchen's head, its orders; and the gap between the kitchens. */
const TOP = 1.1;
const HEAD = 1.45;
const ORDERS = 2.9;
const GAP = 0.8;
const TICKET = 4;
const WALKABLE = ".bU";
const FOODS = ["EGG", "ONIONS", "MEAT", "NOODLES", "SAUCE"];
const CHOPPABLE = ["ONIONS", "MEAT"];
const STAGES = ["", "cooked ", "burnt "];
const REASONS = /** @type {Record<string, string>} */ ({
  timeout: "out of time", disconnected: "away", bot_error: "its program failed", init_failed: "it was never ready",
});

// --- places -----------------------------------------------------------------------------------------------------------------------

/** @typedef {{cell: number, unit: number, wide: number, left: number, top: number, blocks: {left: number, top: number, floor: Place}[],
 *   middle: (kitchen: number, x: number, y: number) => Place}} Plan
 * A block is a kitchen with its head and orders; `floor` is the left top corner of its tiles, `wide` how wide it is, all in pixels. */

/** The cells that both kitchens take, one way or the other. Large maps have larger words.
 * @param {any} view @param {boolean} stacked */
function cells({ map }, stacked) {
  const unit = Math.max(1, map.width / 20);
  const wide = Math.max(map.width, 3 * TICKET);
  const high = map.height + (HEAD + ORDERS) * unit;
  return {
    unit, wide, high,
    width: (stacked ? wide : 2 * wide + GAP) + 0.6,
    height: TOP * unit + (stacked ? 2 * high + GAP / 2 : high) + 0.3,
  };
}

/** On an upright screen the kitchens stand one over the other.
 * @param {any} view */
function shape(view) {
  const upright = globalThis.innerWidth < globalThis.innerHeight;
  const wide = view.map.width > 2.2 * view.map.height;
  const { width, height } = cells(view, upright || wide);
  return { width, height };
}

/** @param {any} view @param {Box} box @param {number} [scale] @returns {Plan} */
function planned(view, box, scale = 1) {
  const ways = [false, true].map((stacked) => {
    const need = cells(view, stacked);
    return { stacked, need, grid: fitted(box, need.width, need.height, scale) };
  });
  const [beside, over] = /** @type {[typeof ways[0], typeof ways[0]]} */ (ways);
  const { stacked, need, grid: { cell, left, top } } = over.grid.cell > beside.grid.cell ? over : beside;
  const { unit, wide, high } = need;
  const { width, height } = view.map;
  const blocks = [0, 1].map((kitchen) => {
    const x = left + (0.3 + (stacked ? 0 : kitchen * (wide + GAP))) * cell;
    const y = top + (TOP * unit + (stacked ? kitchen * (high + GAP / 2) : 0)) * cell;
    // The tiles begin on whole pixels.
    const floor = {
      x: Math.round((x + ((wide - width) / 2) * cell) * scale) / scale,
      y: Math.round((y + HEAD * unit * cell) * scale) / scale,
    };
    return { left: x, top: y, floor };
  });
  return {
    cell, unit, wide: wide * cell, left, top, blocks,
    middle: (kitchen, x, y) => {
      const { floor } = /** @type {Plan["blocks"][0]} */ (blocks[kitchen]);
      return { x: floor.x + (x + 0.5) * cell, y: floor.y + (height - y - 0.5) * cell };
    },
  };
}

/** The cell under a point, and whose kitchen it is in.
 * @param {number} x @param {number} y @param {any} view @param {Box} box @returns {(Place & {kitchen: number})|null} */
function at(x, y, view, box) {
  const { cell, blocks } = planned(view, box);
  const { width, height } = view.map;
  for (const [kitchen, { floor }] of blocks.entries()) {
    const [column, row] = [Math.floor((x - floor.x) / cell), Math.floor((y - floor.y) / cell)];
    if (column >= 0 && column < width && row >= 0 && row < height) return { x: column, y: height - 1 - row, kitchen };
  }
  return null;
}

// --- drawing ----------------------------------------------------------------------------------------------------------------------

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function draw(ctx, scene, box) {
  const { view, before, fraction } = scene;
  const scale = scaleOf(ctx);
  const plan = planned(view, box, scale);
  const { cell, middle } = plan;
  const shown = before && fraction < 0.5 ? { ...scene, view: before } : scene;
  put(ctx, still(`cookoff${cast(scene)}`, box, scale, shown.view, (under) => setting(under, shown, box, scale, plan)), box);
  for (const kitchen of [0, 1]) {
    const drawn = scene.overlays.filter((one) => (one.seat ?? 0) === kitchen);
    if (drawn.length) overlays(ctx, { ...scene, overlays: drawn }, cell, (x, y) => middle(kitchen, x, y));
  }
  const held = scene.viewer === null ? null : handOf(view, scene.viewer)?.bot_id;
  for (const bot of view.bots) {
    const then = before?.bots.find((/** @type {any} */ one) => one.bot_id === bot.bot_id);
    const kitchen = TEAMS.indexOf(bot.map_team);
    const step = then && then.map_team === bot.map_team && Math.max(Math.abs(then.x - bot.x), Math.abs(then.y - bot.y)) <= 1;
    const from = step ? then : then && fraction < 0.5 ? then : bot;
    const share = step ? eased(fraction) : 1;
    const to = step ? bot : from;
    const place = middle(step ? kitchen : TEAMS.indexOf(from.map_team), between(from.x, to.x, share), between(from.y, to.y, share));
    cook(ctx, scene, bot, then && fraction < 0.5 ? then.holding : bot.holding, place, cell * 0.42, bot.bot_id === held);
  }
  if (scene.hover) tell(ctx, scene, box, /** @type {Place & {kitchen?: number}} */ (scene.hover), plan);
}

/** All but the bots.
 * @param {Context} ctx @param {Scene} scene @param {Box} box @param {number} scale @param {Plan} plan */
function setting(ctx, scene, box, scale, plan) {
  const { theme, view } = scene;
  put(ctx, rooms(scene, box, scale, plan), box);
  const { cell, unit, wide } = plan;
  const middle = plan.blocks.reduce((sum, block) => sum + block.left + wide / 2, 0) / plan.blocks.length;
  const whole = Math.max(...plan.blocks.map((block) => block.left)) + wide - plan.left;
  letters(ctx, when(scene), middle, plan.top + TOP * 0.52 * unit * cell, Math.min(0.62 * unit * cell, whole / 24), { colour: theme.ink, font: theme.font, weight: 600, room: whole });
  TEAMS.forEach((team, kitchen) => {
    head(ctx, scene, kitchen, plan);
    for (const tile of view.tiles[team]) contents(ctx, scene, tile, plan.middle(kitchen, tile.x, tile.y), cell);
    tickets(ctx, scene, kitchen, plan);
  });
}

/** The turn, whose part is open, and how it stands with the switch.
 * @param {Scene} scene */
function when({ view, config, seats }) {
  const { turn, acting, switch_turn: first, switch_duration: lasts } = view;
  const parts = [`Turn ${turn} of ${config?.total_turns ?? DEFAULTS.total_turns}`];
  if (acting) parts.push(`${nameOf(seats, TEAMS.indexOf(acting))} plays`);
  if (turn < first) parts.push(`switch opens in ${first - turn}`);
  else if (turn < first + lasts) parts.push(`SWITCH OPEN, ${first + lasts - turn} left`);
  return parts.join("  ·  ");
}

/** A team: its name, what has become of it, its money.
 * @param {Context} ctx @param {Scene} scene @param {number} seat @param {Plan} plan */
function head(ctx, scene, seat, { cell, unit, wide, blocks }) {
  const { theme, view, seats } = scene;
  const team = TEAMS[seat] ?? "";
  const { left, top } = /** @type {Plan["blocks"][0]} */ (blocks[seat]);
  const colour = seatColour(scene, seat);
  const size = unit * cell;
  const y = top + 0.66 * size;
  const now = view.acting === team;
  plate(ctx, left, top + 0.12 * size, wide, 1.08 * size, 0.25 * size, mix(theme.panel, colour, now ? 0.42 : 0.16));
  if (now) frame(ctx, left, top + 0.12 * size, wide, 1.08 * size, 0.25 * size, colour, 0.09 * size);
  disc(ctx, left + 0.6 * size, y, 0.3 * size, colour);
  const state = view.failed[team] ? `out: ${REASONS[view.failed[team]] ?? view.failed[team]}` : view.switched[team] ? "away"
    : view.switch_used[team] ? "switch used" : "";
  const how = { colour: theme.ink, font: theme.font };
  letters(ctx, nameOf(seats, seat), left + 1.15 * size, y, 0.68 * size, { ...how, align: "left", weight: 700, room: wide * 0.4 });
  letters(ctx, `$${view.team_money[team]}`, left + wide - 0.4 * size, y, 0.82 * size, { ...how, align: "right", weight: 800, room: wide * 0.28 });
  if (state) letters(ctx, state, left + wide * 0.7, y, 0.5 * size, { ...how, align: "right", weight: 600, room: wide * 0.26, colour: view.failed[team] ? theme.bad : theme.accent });
}

/** Floors, walls and stations: painted once for each map, size and theme.
 * @param {Scene} scene @param {Box} box @param {number} scale @param {Plan} plan */
function rooms(scene, box, scale, plan) {
  const { theme, view } = scene;
  const rows = /** @type {string[]} */ (view.map.rows);
  return layer(`cookoff${rows.join("/")}${dress(theme)}`, box, scale, (ctx) => {
    for (const kitchen of [0, 1]) {
      rows.forEach((row, down) => {
        [...row].forEach((symbol, x) => tile(ctx, theme, symbol, plan.middle(kitchen, x, rows.length - 1 - down), plan.cell, (x + down) % 2 === 0));
      });
    }
  });
}

/** @param {Context} ctx @param {Theme} theme @param {string} symbol @param {Place} at @param {number} cell @param {boolean} even */
function tile(ctx, theme, symbol, { x, y }, cell, even) {
  const half = cell / 2;
  const ground = theme.dark ? mix("#2b3036", theme.ink, even ? 0.03 : 0) : mix("#f1ece1", "#d8cfbd", even ? 0.25 : 0);
  if (symbol === " ") return;
  ctx.fillStyle = symbol === "#" ? mix(theme.panel, theme.ink, theme.dark ? 0.24 : 0.5) : ground;
  ctx.fillRect(x - half, y - half, cell, cell);
  const wood = theme.dark ? "#6d5844" : "#c9a47b";
  const steel = theme.dark ? "#59626d" : "#b4bdc7";
  /** @param {string} fill */
  const block = (fill) => {
    plate(ctx, x - half * 0.96, y - half * 0.96, cell * 0.96, cell * 0.96, cell * 0.12, mix(fill, "#000000", 0.28));
    plate(ctx, x - half * 0.96, y - half * 0.96, cell * 0.96, cell * 0.84, cell * 0.12, fill);
  };
  ctx.lineCap = "round";
  if (symbol === "C") block(wood);
  else if (symbol === "B") {
    block(mix(wood, "#000000", 0.2));
    for (const side of [-1, 1]) line(ctx, [[x - half * 0.7, y - side * half * 0.6], [x + half * 0.7, y + side * half * 0.5]], mix(wood, "#ffffff", 0.1), cell * 0.1);
    frame(ctx, x - half * 0.82, y - half * 0.82, cell * 0.82, cell * 0.7, cell * 0.08, mix(wood, "#ffffff", 0.15), cell * 0.08);
  } else if (symbol === "S") {
    block(steel);
    plate(ctx, x - half * 0.7, y - half * 0.62, cell * 0.7, cell * 0.56, cell * 0.14, "#3f8fbf");
    plate(ctx, x - half * 0.1, y - half * 0.98, cell * 0.1, cell * 0.28, cell * 0.04, mix(steel, "#000000", 0.45));
  } else if (symbol === "T") {
    block(steel);
    for (const dx of [-0.5, -0.17, 0.17, 0.5]) line(ctx, [[x + dx * half, y - half * 0.6], [x + dx * half, y + half * 0.4]], mix(steel, "#000000", 0.35), cell * 0.05);
  } else if (symbol === "K") {
    block(theme.dark ? "#3a3f46" : "#7d858e");
    ring(ctx, x, y - half * 0.08, half * 0.6, "#d9542f", cell * 0.06);
  } else if (symbol === "R") {
    block(steel);
    polygon(ctx, [[x - half * 0.5, y - half * 0.3], [x + half * 0.5, y - half * 0.3], [x + half * 0.36, y + half * 0.6], [x - half * 0.36, y + half * 0.6]], "#3d454d");
    line(ctx, [[x - half * 0.62, y - half * 0.42], [x + half * 0.62, y - half * 0.42]], "#3d454d", cell * 0.09);
    line(ctx, [[x - half * 0.15, y - half * 0.6], [x + half * 0.15, y - half * 0.6]], "#3d454d", cell * 0.09);
  } else if (symbol === "U") {
    plate(ctx, x - half * 0.92, y - half * 0.92, cell * 0.92, cell * 0.92, cell * 0.12, mix(ground, theme.good, 0.4));
    bell(ctx, { x, y: y + half * 0.15 }, half * 0.62, theme.good);
  } else if (symbol === "$") {
    block("#d8a62a");
    letters(ctx, "$", x, y - half * 0.08, cell * 0.66, { colour: "#3c2a00", font: theme.font, weight: 800 });
  }
}

/** @param {Context} ctx @param {Place} at @param {number} size @param {string} colour */
function bell(ctx, { x, y }, size, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(x, y + size * 0.2, size * 0.85, Math.PI, 0);
  ctx.fill();
  plate(ctx, x - size, y + size * 0.3, size * 2, size * 0.24, size * 0.1, colour);
  disc(ctx, x, y - size * 0.75, size * 0.17, colour);
}

/** What a station holds, and how far it is.
 * @param {Context} ctx @param {Scene} scene @param {any} tile @param {Place} at @param {number} cell */
function contents(ctx, { theme, config }, tile, { x, y }, cell) {
  const size = cell * 0.36;
  const label = { colour: "#ffffff", font: theme.font, weight: 800, halo: "#14171b" };
  if (tile.item) drawItem(ctx, tile.item, { x, y: y - cell * 0.05 }, size);
  if (tile.tile_name === "BOX" && tile.count > 1) letters(ctx, `×${tile.count}`, x + cell * 0.22, y + cell * 0.3, cell * 0.34, label);
  if (tile.tile_name === "COOKER" && tile.item?.food) progress(ctx, config, tile, { x, y: y - cell * 0.05 }, cell);
  if (tile.tile_name === "SINKTABLE" && tile.num_clean_plates) {
    drawItem(ctx, { type: "Plate", dirty: false, food: [] }, { x, y: y - cell * 0.06 }, size * 0.85);
    letters(ctx, String(tile.num_clean_plates), x, y - cell * 0.04, cell * 0.42, { ...label, colour: "#14171b", halo: "#ffffff" });
  }
  if (tile.tile_name === "SINK" && tile.num_dirty_plates) {
    drawItem(ctx, { type: "Plate", dirty: true, food: [] }, { x, y: y - cell * 0.06 }, size * 0.85);
    letters(ctx, String(tile.num_dirty_plates), x, y - cell * 0.04, cell * 0.42, { ...label, colour: "#14171b", halo: "#ffffff" });
    const share = tile.curr_dirty_plate_progress / (config?.plate_wash_progress ?? DEFAULTS.plate_wash_progress);
    arc(ctx, x, y - cell * 0.06, cell * 0.4, share, "#46c3f2", cell * 0.09);
  }
}

/** The ring of a cooker: it fills until the food is cooked, then again until it is burnt.
 * @param {Context} ctx @param {any} config @param {any} tile @param {Place} at @param {number} cell */
function progress(ctx, config, tile, { x, y }, cell) {
  const cooked = config?.cook_progress ?? DEFAULTS.cook_progress;
  const burnt = config?.burn_progress ?? DEFAULTS.burn_progress;
  const done = tile.cook_progress;
  const stage = tile.item.food.cooked_stage;
  arc(ctx, x, y, cell * 0.42, 1, "#14171b", cell * 0.13);
  if (stage === 0) arc(ctx, x, y, cell * 0.42, done / cooked, "#f2b632", cell * 0.1);
  else {
    arc(ctx, x, y, cell * 0.42, 1, stage === 2 ? "#e0352b" : "#3fbf6b", cell * 0.1);
    if (stage === 1) arc(ctx, x, y, cell * 0.42, (done - cooked) / Math.max(1, burnt - cooked), "#e0352b", cell * 0.1);
  }
}

/** The orders that run out first; how many more there are stands behind the last one.
 * @param {Context} ctx @param {Scene} scene @param {number} kitchen @param {Plan} plan */
function tickets(ctx, { theme, view }, kitchen, { cell, unit, wide, blocks }) {
  const { left, floor } = /** @type {Plan["blocks"][0]} */ (blocks[kitchen]);
  const size = unit * cell;
  const orders = actives(view, kitchen);
  const top = floor.y + view.map.height * cell + 0.25 * size;
  const fits = Math.floor(wide / (TICKET * size));
  const across = wide / fits;
  if (!orders.length) {
    letters(ctx, "no open order", left + wide / 2, top + 0.42 * ORDERS * size, 0.55 * size, { colour: theme.soft, font: theme.font, weight: 500 });
    return;
  }
  const more = orders.length - fits;
  orders.slice(0, fits).forEach((order, index) => {
    const [x, w, h] = [left + index * across + 0.06 * size, across - 0.12 * size, 2.45 * size];
    const share = (order.expires_turn - view.turn + 1) / Math.max(1, order.expires_turn - order.created_turn + 1);
    const hue = share > 0.5 ? theme.good : share > 0.22 ? "#d9930f" : theme.bad;
    plate(ctx, x, top, w, h, 0.2 * size, theme.panel);
    frame(ctx, x, top, w, h, 0.2 * size, theme.line, Math.max(1, 0.04 * size));
    const wants = order.required;
    const step = Math.min(1.05 * size, (w - 0.3 * size) / Math.max(1, wants.length));
    wants.forEach((/** @type {string} */ name, /** @type {number} */ at) => {
      wanted(ctx, name, { x: x + w / 2 + (at - (wants.length - 1) / 2) * step, y: top + 0.72 * size }, step * 0.4);
    });
    if (!wants.length) letters(ctx, "empty plate", x + w / 2, top + 0.72 * size, 0.46 * size, { colour: theme.soft, font: theme.font, room: w });
    const last = index === fits - 1 && more > 0;
    letters(ctx, `$${order.reward}`, x + 0.25 * size, top + 1.68 * size, 0.6 * size, { colour: theme.ink, font: theme.font, weight: 800, align: "left", room: w * 0.52 });
    letters(ctx, String(order.expires_turn - view.turn), x + w - 0.25 * size, top + 1.68 * size, 0.6 * size, { colour: hue, font: theme.font, weight: 800, align: "right", room: w * 0.36 });
    plate(ctx, x + 0.2 * size, top + 2.12 * size, w - 0.4 * size, 0.16 * size, 0.08 * size, mix(theme.panel, theme.ink, 0.14));
    plate(ctx, x + 0.2 * size, top + 2.12 * size, (w - 0.4 * size) * Math.max(0, Math.min(1, share)), 0.16 * size, 0.08 * size, hue);
    if (last) {
      disc(ctx, x + w - 0.35 * size, top + 0.1 * size, 0.48 * size, theme.accent);
      letters(ctx, `+${more}`, x + w - 0.35 * size, top + 0.12 * size, 0.5 * size, { colour: theme.ground, font: theme.font, weight: 800, room: 0.85 * size });
    }
  });
}

/** @param {any} view @param {number} kitchen @returns {any[]} */
function actives(view, kitchen) {
  return view.orders[TEAMS[kitchen] ?? ""].filter((/** @type {any} */ order) => order.is_active)
    .sort((/** @type {any} */ one, /** @type {any} */ other) => one.expires_turn - other.expires_turn);
}

/** A bot: a cook with a number, what it holds before it.
 * @param {Context} ctx @param {Scene} scene @param {any} bot @param {any} holding @param {Place} at @param {number} size @param {boolean} picked */
function cook(ctx, scene, bot, holding, { x, y }, size, picked) {
  const { theme } = scene;
  const colour = seatColour(scene, TEAMS.indexOf(bot.team));
  if (picked) ring(ctx, x, y, size * 1.22, theme.accent, size * 0.2);
  const edge = theme.dark ? "#0c0f13" : "#ffffff";
  stamp(ctx, `cook${colour}${bot.bot_id}${edge}`, x, y, size * 1.2, (under) => figure(under, theme, colour, edge, String(bot.bot_id), size));
  if (!holding) return;
  stamp(ctx, `held${JSON.stringify(holding)}${edge}`, x + size * 1.02, y + size * 0.5, size * 0.75, (under) => {
    disc(under, 0, 0, size * 0.7, edge);
    drawItem(under, holding, { x: 0, y: 0 }, size * 0.58);
  });
}

/** A cook around (0, 0).
 * @param {Context} ctx @param {Theme} theme @param {string} colour @param {string} edge @param {string} number @param {number} size */
function figure(ctx, theme, colour, edge, number, size) {
  disc(ctx, 0, size * 0.16, size * 0.96, edge);
  disc(ctx, 0, size * 0.16, size * 0.86, colour);
  for (const dx of [-0.42, 0, 0.42]) disc(ctx, dx * size, -size * 0.74, size * 0.4, "#b9c0c8");
  for (const dx of [-0.42, 0, 0.42]) disc(ctx, dx * size, -size * 0.74, size * 0.33, "#ffffff");
  plate(ctx, -size * 0.6, -size * 0.66, size * 1.2, size * 0.42, size * 0.06, "#ffffff");
  line(ctx, [[-size * 0.6, -size * 0.3], [size * 0.6, -size * 0.3]], "#b9c0c8", size * 0.07);
  letters(ctx, number, 0, size * 0.3, size * 0.95, { colour: theme.dark ? "#10141c" : "#ffffff", font: theme.font, weight: 800 });
}

// --- words ------------------------------------------------------------------------------------------------------------------------

/** An item in words.
 * @param {any} item @returns {string} */
function named(item) {
  if (!item) return "nothing";
  if (item.type === "Food") return `${item.chopped ? "chopped " : ""}${STAGES[item.cooked_stage] ?? ""}${item.food_name.toLowerCase()}`;
  if (item.type === "Pan") return item.food ? `a pan with ${named(item.food)}` : "a pan";
  const foods = item.food.map(named).join(", ");
  return `a ${item.dirty ? "dirty " : ""}plate${foods ? ` with ${foods}` : ""}`;
}

/** @param {Context} ctx @param {Scene} scene @param {Box} box @param {Place & {kitchen?: number}} cell @param {Plan} plan */
function tell(ctx, scene, box, cell, plan) {
  const { view, seats } = scene;
  const kitchen = cell.kitchen ?? 0;
  const team = TEAMS[kitchen] ?? "";
  const point = plan.middle(kitchen, cell.x, cell.y);
  const bot = view.bots.find((/** @type {any} */ one) => one.map_team === team && one.x === cell.x && one.y === cell.y);
  if (bot) {
    const owner = nameOf(seats, TEAMS.indexOf(bot.team));
    return hint(ctx, scene, box, point, `bot ${bot.bot_id} of ${owner}`, [`holds ${named(bot.holding)}`]);
  }
  const tile = view.tiles[team].find((/** @type {any} */ one) => one.x === cell.x && one.y === cell.y);
  if (!tile) return;
  const lines = [];
  if (tile.item) lines.push(named(tile.item));
  if (tile.count > 1) lines.push(`${tile.count} of them`);
  if (tile.item?.food && tile.tile_name === "COOKER") lines.push(`cooking for ${tile.cook_progress} turns`);
  if (tile.num_clean_plates !== undefined) lines.push(`${tile.num_clean_plates} clean plates`);
  if (tile.num_dirty_plates !== undefined) lines.push(`${tile.num_dirty_plates} dirty plates`);
  hint(ctx, scene, box, point, tile.tile_name.toLowerCase(), lines);
}

/** @param {any} view @param {SeatInfo[]} _seats @returns {import("./contract.js").Score[]} */
function scores(view, _seats) {
  return TEAMS.map((team, seat) => {
    const hands = view.bots.filter((/** @type {any} */ bot) => bot.team === team && bot.holding).map((/** @type {any} */ bot) => named(bot.holding));
    /** @type {[string, string][]} */
    const facts = [
      ["open orders", String(actives(view, seat).length)],
      ["in hand", hands.join("; ") || "nothing"],
      ["switch", view.switched[team] ? "in the other kitchen" : view.switch_used[team] ? "used" : "not used"],
    ];
    if (view.failed[team]) facts.push(["out", REASONS[view.failed[team]] ?? view.failed[team]]);
    return { seat, points: view.team_money[team], text: `$${view.team_money[team]}`, facts };
  });
}

/** @param {any} before @param {any} view @param {SeatInfo[]} seats @returns {import("./contract.js").Told[]} */
function events(before, view, seats) {
  /** @type {import("./contract.js").Told[]} */
  const told = [];
  if (!before) return told;
  TEAMS.forEach((team, seat) => {
    const name = nameOf(seats, seat);
    const now = new Map(view.orders[team].map((/** @type {any} */ order) => [order.order_id, order]));
    for (const order of before.orders[team]) {
      if (!order.is_active || now.get(order.order_id)?.is_active) continue;
      const dish = order.required.map((/** @type {string} */ one) => one.toLowerCase()).join(", ") || "an empty plate";
      if (view.turn > order.expires_turn && !now.get(order.order_id)?.completed_turn) {
        told.push({ seat, text: `${name} misses an order of ${dish}: $${order.penalty} lost`, kind: "bad" });
      } else told.push({ seat, text: `${name} is paid $${order.reward} for ${dish}`, kind: "good" });
    }
    const old = new Set(before.orders[team].filter((/** @type {any} */ one) => one.is_active).map((/** @type {any} */ one) => one.order_id));
    for (const order of actives(view, seat)) {
      if (!old.has(order.order_id)) told.push({ seat, text: `${name} gets an order: ${order.required.join(", ").toLowerCase() || "an empty plate"}, $${order.reward}`, kind: "info" });
    }
    if (view.switched[team] && !before.switched[team]) told.push({ seat, text: `${name} goes to the other kitchen`, kind: "move" });
    if (!view.switched[team] && before.switched[team]) told.push({ seat, text: `${name} comes home`, kind: "move" });
    if (view.failed[team] && !before.failed[team]) told.push({ seat, text: `${name} is out: ${REASONS[view.failed[team]] ?? view.failed[team]}`, kind: "bad" });
    const stages = new Map(before.tiles[team].map((/** @type {any} */ tile) => [`${tile.x},${tile.y}`, tile.item?.food?.cooked_stage]));
    for (const tile of view.tiles[team]) {
      if (tile.tile_name !== "COOKER" || !tile.item?.food) continue;
      const { cooked_stage: stage, food_name: food } = tile.item.food;
      const then = stages.get(`${tile.x},${tile.y}`);
      if (then === undefined || then === stage) continue;
      if (stage === 1) told.push({ seat, text: `${food.toLowerCase()} is cooked in the kitchen of ${name}`, kind: "info" });
      if (stage === 2) told.push({ seat, text: `${food.toLowerCase()} burns in the kitchen of ${name}`, kind: "bad" });
    }
  });
  return told;
}

/** @param {any} view @param {number|null} seat */
function describe(view, seat) {
  const stands = TEAMS.map((team, number) => {
    const who = number === seat ? "you" : team;
    const holding = view.bots.filter((/** @type {any} */ bot) => bot.team === team && bot.holding).map((/** @type {any} */ bot) => `bot ${bot.bot_id} holds ${named(bot.holding)}`);
    return `${who} $${view.team_money[team]}, ${actives(view, number).length} open orders${holding.length ? `, ${holding.join(", ")}` : ""}`;
  });
  const whose = view.acting ? `, ${TEAMS.indexOf(view.acting) === seat ? "your part" : `${view.acting} plays`}` : "";
  return `Turn ${view.turn}${whose}: ${stands.join("; ")}.`;
}

// --- a person's seat --------------------------------------------------------------------------------------------------------------

/** The bot that a person moves: the one in hand, else the team's first.
 * @param {any} view @param {number} seat @returns {any} */
function handOf(view, seat) {
  const own = view.bots.filter((/** @type {any} */ bot) => bot.team === TEAMS[seat]);
  return own.find((/** @type {any} */ bot) => bot.bot_id === inHand(GAME)) ?? own[0] ?? null;
}

/** @param {any} view @param {number} seat @returns {import("./contract.js").Controls} */
function human(view, seat) {
  const bot = handOf(view, seat);
  const mine = view.acting === TEAMS[seat];
  return {
    keys: mine && bot ? steps(bot) : {},
    buttons: mine && bot ? deeds(view, seat, bot) : [],
    click: (x, y, shown, box) => {
      const cell = at(x, y, shown, box);
      return cell && shown.acting === TEAMS[seat] ? clicked(shown, seat, cell) : null;
    },
    endTurn: true,
    hint: !mine ? "The other team plays." : bot
      ? `Bot ${bot.bot_id} holds ${named(bot.holding)}; it ${bot.moved ? "has moved" : "may move"} and ${bot.acted ? "has acted" : "may act"}. Walk with the arrows or W A S D and Q E Z C, click a station beside it, or click another bot. Then end the turn.`
      : "You have no bot here.",
  };
}

/** @param {any} bot @returns {Record<string, any>} */
function steps(bot) {
  const keys = /** @type {[string[], number, number][]} */ ([
    [["ArrowUp", "w"], 0, 1], [["ArrowDown", "s"], 0, -1], [["ArrowLeft", "a"], -1, 0], [["ArrowRight", "d"], 1, 0],
    [["q"], -1, 1], [["e"], 1, 1], [["z"], -1, -1], [["c"], 1, -1],
  ]);
  return Object.fromEntries(keys.flatMap(([names, dx, dy]) => names.map((name) => [name, { type: "move", bot_id: bot.bot_id, dx, dy }])));
}

/** @param {any} view @param {number} x @param {number} y @returns {string} the map's symbol */
function symbolAt({ map }, x, y) {
  return map.rows[map.height - 1 - y]?.[x] ?? "";
}

/** @param {any} view @param {number} seat @param {Place & {kitchen: number}} cell */
function clicked(view, seat, cell) {
  const team = TEAMS[cell.kitchen];
  const there = view.bots.find((/** @type {any} */ one) => one.map_team === team && one.x === cell.x && one.y === cell.y);
  const bot = handOf(view, seat);
  if (there?.team === TEAMS[seat] && there.bot_id !== bot?.bot_id) return take(GAME, there.bot_id);
  if (!bot || bot.map_team !== team) return null;
  const near = Math.max(Math.abs(cell.x - bot.x), Math.abs(cell.y - bot.y)) <= 1;
  const usual = near && !bot.acted ? work(view, bot, cell)[0] : null;
  if (usual) return usual.command;
  if (!WALKABLE.includes(symbolAt(view, cell.x, cell.y) || "#")) return null;
  const step = stepTo(view, bot, cell);
  return step && { type: "move", bot_id: bot.bot_id, ...step };
}

/** The first step of a shortest way, around bots and stations.
 * @param {any} view @param {any} bot @param {Place} to @returns {{dx: number, dy: number}|null} */
function stepTo(view, bot, to) {
  const taken = new Set(view.bots.filter((/** @type {any} */ one) => one.map_team === bot.map_team).map((/** @type {any} */ one) => `${one.x},${one.y}`));
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
          if (px === bot.x && py === bot.y && (dx || dy)) return taken.has(`${x},${y}`) ? null : { dx: x - px, dy: y - py };
          if (seen.has(key) || taken.has(key) || !WALKABLE.includes(symbolAt(view, px, py) || "#")) continue;
          seen.add(key);
          next.push({ x: px, y: py });
        }
      }
    }
    edge = next;
  }
  return null;
}

/** What a bot can do at a cell beside it, the usual thing first.
 * @param {any} view @param {any} bot @param {Place} cell @returns {{label: string, command: any}[]} */
function work(view, bot, { x, y }) {
  const symbol = symbolAt(view, x, y);
  const tile = noted(view.tiles[bot.map_team], "places", () => new Map(
    view.tiles[bot.map_team].map((/** @type {any} */ one) => [`${one.x},${one.y}`, one]),
  )).get(`${x},${y}`);
  const lying = tile?.item ?? null;
  const hand = bot.holding;
  /** @type {{label: string, command: any}[]} */
  const found = [];
  /** @param {string} label @param {string} type @param {any} [more] */
  const offer = (label, type, more = {}) => found.push({ label, command: { type, bot_id: bot.bot_id, x, y, ...more } });
  const plated = (hand?.type === "Plate" && lying?.type === "Food") || (hand?.type === "Food" && lying?.type === "Plate");
  if (symbol === "U" && hand?.type === "Plate" && !hand.dirty) offer("Submit the dish", "submit");
  if (symbol === "R" && hand) offer(`Throw ${named(hand)} away`, "trash");
  if (symbol === "T" && !hand && tile?.num_clean_plates) offer("Take a clean plate", "take_clean_plate");
  if (symbol === "S" && tile?.num_dirty_plates) offer("Wash a plate", "wash_sink");
  if (symbol === "S" && hand?.type === "Plate" && hand.dirty) offer("Put the plate into the sink", "put_dirty_plate_in_sink");
  if (symbol === "K") {
    const inside = lying?.type === "Pan" ? lying.food : null;
    if (hand?.type === "Food" && lying?.type === "Pan" && !inside) offer(`Cook ${named(hand)}`, "start_cook");
    if (!hand && inside) offer(`Take ${named(inside)} out of the pan`, "take_from_pan");
    if (hand?.type === "Pan") offer("Put the pan down", "place");
    if (!hand && lying) offer(`Lift ${named(lying)}`, "pickup");
  }
  if (plated) offer(hand.type === "Plate" ? `Put ${named(lying)} onto the plate` : `Put ${named(hand)} onto ${named(lying)}`, "add_food_to_plate");
  if (symbol === "C" && !hand && lying?.type === "Food" && CHOPPABLE.includes(lying.food_name) && !lying.chopped) offer(`Chop ${named(lying)}`, "chop");
  if (!hand && lying && symbol !== "K") offer(`Take ${named(lying)}`, "pickup");
  if ("CB".includes(symbol || "#") && hand && !(symbol === "C" && lying)) offer(`Put ${named(hand)} down`, "place");
  if (symbol === "$" && !hand) {
    const money = view.team_money[bot.team];
    const costs = new Map([...view.foods.map((/** @type {any} */ food) => [food.name, food.cost]), ...Object.entries(view.shop)]);
    for (const item of [...FOODS, "PLATE", "PAN"]) {
      const cost = costs.get(item);
      if (cost !== undefined && cost <= money) offer(`Buy ${item.toLowerCase()} ($${cost})`, "buy", { item });
    }
  }
  return found;
}

/** Everything the bot in hand can do from where it stands; the same at two places stands there once for each.
 * @param {any} view @param {number} seat @param {any} bot @returns {{label: string, command: any, enabled: boolean}[]} */
function deeds(view, seat, bot) {
  const signs = ["↖", "↑", "↗", "←", "·", "→", "↙", "↓", "↘"];
  /** @type {{label: string, command: any, enabled: boolean}[]} */
  const found = [];
  signs.forEach((sign, index) => {
    const cell = { x: bot.x + (index % 3) - 1, y: bot.y + 1 - Math.floor(index / 3) };
    for (const { label, command } of work(view, bot, cell)) {
      const same = command.type === "buy" && found.some((one) => one.command.type === "buy" && one.command.item === command.item);
      if (!same) found.push({ label: command.type === "buy" ? label : `${label} ${sign}`, command, enabled: !bot.acted });
    }
  });
  const open = view.turn >= view.switch_turn && view.turn < view.switch_turn + view.switch_duration;
  if (open && !view.switch_used[TEAMS[seat] ?? ""]) found.push({ label: "Switch kitchens", command: { type: "switch_maps" }, enabled: true });
  return found;
}

/** @type {import("./contract.js").Renderer} */
export default { shape, draw, scores, events, at, human, describe };
