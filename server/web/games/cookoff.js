// Cookoff: both kitchens with their bots, items and cookers, the orders with their countdowns, the
// switch. Cells count from the bottom left (RULES §3). The kitchens stand side by side or one above
// the other, whichever is larger in the box.

import { ORDERS, TICKET, TOP, at, middle, planned, shape } from "./cookoff/plan.js";
import { DEFAULTS, REASONS, TEAMS, actives } from "./cookoff/rules.js";
import { human, selectedBot } from "./cookoff/seat.js";
import { contents, rooms } from "./cookoff/stations.js";
import { describe, events, named, progress, scores } from "./cookoff/words.js";
import { item as drawItem, wanted } from "./lib/food.js";
import { drawLayer, namesKey, stamp, viewLayer } from "./lib/cache.js";
import { hint, overlays } from "./lib/overlays.js";
import {
  between,
  disc,
  eased,
  frame,
  letters,
  line,
  mix,
  nameOf,
  plate,
  ring,
  scaleOf,
  seatColour,
} from "./lib/paint.js";

export { DEFAULTS } from "./cookoff/rules.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./contract.js").Theme} Theme */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */
/** @typedef {import("./lib/paint.js").Place} Place */
/** @typedef {import("./cookoff/plan.js").Plan} Plan */

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function draw(ctx, scene, box) {
  const { view, before, fraction } = scene;
  const scale = scaleOf(ctx);
  const plan = planned(view, box, scale);
  const { cell, middle } = plan;
  const shown = before && fraction < 0.5 ? { ...scene, view: before } : scene;
  drawLayer(
    ctx,
    viewLayer(`cookoff${namesKey(scene)}`, box, scale, shown.view, (under) =>
      setting(under, shown, box, scale, plan),
    ),
    box,
  );
  for (const kitchen of [0, 1]) {
    const drawn = scene.overlays.filter((one) => (one.seat ?? 0) === kitchen);
    if (drawn.length)
      overlays(ctx, { ...scene, overlays: drawn }, cell, (x, y) => middle(kitchen, x, y));
  }
  const held = scene.viewer === null ? null : selectedBot(view, scene.viewer)?.bot_id;
  for (const bot of view.bots) {
    const then = before?.bots.find((/** @type {any} */ one) => one.bot_id === bot.bot_id);
    const kitchen = TEAMS.indexOf(bot.map_team);
    const step =
      then &&
      then.map_team === bot.map_team &&
      Math.max(Math.abs(then.x - bot.x), Math.abs(then.y - bot.y)) <= 1;
    const from = step ? then : then && fraction < 0.5 ? then : bot;
    const share = step ? eased(fraction) : 1;
    const to = step ? bot : from;
    const place = middle(
      step ? kitchen : TEAMS.indexOf(from.map_team),
      between(from.x, to.x, share),
      between(from.y, to.y, share),
    );
    cook(
      ctx,
      scene,
      bot,
      then && fraction < 0.5 ? then.holding : bot.holding,
      place,
      cell * 0.42,
      bot.bot_id === held,
    );
  }
  if (scene.hover)
    showHint(ctx, scene, box, /** @type {Place & {kitchen?: number}} */ (scene.hover), plan);
}

/** Everything except the bots.
 * @param {Context} ctx @param {Scene} scene @param {Box} box @param {number} scale
 * @param {Plan} plan */
function setting(ctx, scene, box, scale, plan) {
  const { theme, view } = scene;
  drawLayer(ctx, rooms(scene, box, scale, plan), box);
  const { cell, unit, wide } = plan;
  const middle =
    plan.blocks.reduce((sum, block) => sum + block.left + wide / 2, 0) / plan.blocks.length;
  const whole = Math.max(...plan.blocks.map((block) => block.left)) + wide - plan.left;
  letters(
    ctx,
    when(scene),
    middle,
    plan.top + TOP * 0.52 * unit * cell,
    Math.min(0.62 * unit * cell, whole / 24),
    { colour: theme.ink, font: theme.font, weight: 600, room: whole },
  );
  TEAMS.forEach((team, kitchen) => {
    head(ctx, scene, kitchen, plan);
    for (const tile of view.tiles[team])
      contents(ctx, scene, tile, plan.middle(kitchen, tile.x, tile.y), cell);
    tickets(ctx, scene, kitchen, plan);
  });
}

/** The turn, the team that plays, and the state of the switch.
 * @param {Scene} scene */
function when({ view, config }) {
  const { turn, acting, switch_turn: first, switch_duration: lasts } = view;
  const parts = [`Turn ${turn} of ${config?.total_turns ?? DEFAULTS.total_turns}`];
  if (acting) parts.push(`${acting} plays`);
  if (turn < first) parts.push(`switch opens in ${first - turn}`);
  else if (turn < first + lasts) parts.push(`SWITCH OPEN, ${first + lasts - turn} left`);
  return parts.join("  ·  ");
}

/** The head of a kitchen: the team's name, its state, its money.
 * @param {Context} ctx @param {Scene} scene @param {number} seat @param {Plan} plan */
function head(ctx, scene, seat, { cell, unit, wide, blocks }) {
  const { theme, view, seats } = scene;
  const team = TEAMS[seat] ?? "";
  const { left, top } = /** @type {Plan["blocks"][0]} */ (blocks[seat]);
  const colour = seatColour(scene, seat);
  const size = unit * cell;
  const y = top + 0.66 * size;
  const now = view.acting === team;
  plate(
    ctx,
    left,
    top + 0.12 * size,
    wide,
    1.08 * size,
    0.25 * size,
    mix(theme.panel, colour, now ? 0.42 : 0.16),
  );
  if (now) frame(ctx, left, top + 0.12 * size, wide, 1.08 * size, 0.25 * size, colour, 0.09 * size);
  if (seat === 0) disc(ctx, left + 0.6 * size, y, 0.3 * size, colour);
  else plate(ctx, left + 0.32 * size, y - 0.28 * size, 0.56 * size, 0.56 * size, 0, colour);
  const state = view.failed[team]
    ? `out: ${REASONS[view.failed[team]] ?? view.failed[team]}`
    : view.switched[team]
      ? "away"
      : view.switch_used[team]
        ? "switch used"
        : "";
  const how = { colour: theme.ink, font: theme.font };
  letters(ctx, `${team} · ${nameOf(seats, seat)}`, left + 1.15 * size, y, 0.68 * size, {
    ...how,
    align: "left",
    weight: 700,
    room: wide * 0.44,
  });
  letters(ctx, `$${view.team_money[team]}`, left + wide - 0.4 * size, y, 0.82 * size, {
    ...how,
    align: "right",
    weight: 800,
    room: wide * 0.28,
  });
  if (state)
    letters(ctx, state, left + wide * 0.7, y, 0.5 * size, {
      ...how,
      align: "right",
      weight: 600,
      room: wide * 0.2,
      colour: view.failed[team] ? theme.bad : theme.accent,
    });
}

/** The orders that expire first; the last one shows how many more there are.
 * @param {Context} ctx @param {Scene} scene @param {number} kitchen @param {Plan} plan */
function tickets(ctx, { theme, view }, kitchen, { cell, unit, wide, blocks }) {
  const { left, floor } = /** @type {Plan["blocks"][0]} */ (blocks[kitchen]);
  const size = unit * cell;
  const orders = actives(view, kitchen);
  const top = floor.y + view.map.height * cell + 0.25 * size;
  const fits = Math.floor(wide / (TICKET * size));
  const across = wide / fits;
  if (!orders.length) {
    letters(ctx, "no open order", left + wide / 2, top + 0.42 * ORDERS * size, 0.55 * size, {
      colour: theme.soft,
      font: theme.font,
      weight: 500,
    });
    return;
  }
  const more = orders.length - fits;
  orders.slice(0, fits).forEach((order, index) => {
    const [x, w, h] = [left + index * across + 0.06 * size, across - 0.12 * size, 2.45 * size];
    const share =
      (order.expires_turn - view.turn + 1) /
      Math.max(1, order.expires_turn - order.created_turn + 1);
    const hue = share > 0.5 ? theme.good : share > 0.22 ? "#d9930f" : theme.bad;
    plate(ctx, x, top, w, h, 0.2 * size, theme.panel);
    frame(ctx, x, top, w, h, 0.2 * size, theme.line, Math.max(1, 0.04 * size));
    const wants = order.required;
    const step = Math.min(1.05 * size, (w - 0.3 * size) / Math.max(1, wants.length));
    wants.forEach((/** @type {string} */ name, /** @type {number} */ at) => {
      wanted(
        ctx,
        name,
        { x: x + w / 2 + (at - (wants.length - 1) / 2) * step, y: top + 0.72 * size },
        step * 0.4,
      );
    });
    if (!wants.length)
      letters(ctx, "empty plate", x + w / 2, top + 0.72 * size, 0.46 * size, {
        colour: theme.soft,
        font: theme.font,
        room: w,
      });
    const last = index === fits - 1 && more > 0;
    letters(ctx, `$${order.reward}`, x + 0.25 * size, top + 1.68 * size, 0.6 * size, {
      colour: theme.ink,
      font: theme.font,
      weight: 800,
      align: "left",
      room: w * 0.52,
    });
    letters(
      ctx,
      String(order.expires_turn - view.turn),
      x + w - 0.25 * size,
      top + 1.68 * size,
      0.6 * size,
      { colour: hue, font: theme.font, weight: 800, align: "right", room: w * 0.36 },
    );
    plate(
      ctx,
      x + 0.2 * size,
      top + 2.12 * size,
      w - 0.4 * size,
      0.16 * size,
      0.08 * size,
      mix(theme.panel, theme.ink, 0.14),
    );
    plate(
      ctx,
      x + 0.2 * size,
      top + 2.12 * size,
      (w - 0.4 * size) * Math.max(0, Math.min(1, share)),
      0.16 * size,
      0.08 * size,
      hue,
    );
    if (last) {
      disc(ctx, x + w - 0.35 * size, top + 0.1 * size, 0.48 * size, theme.accent);
      letters(ctx, `+${more}`, x + w - 0.35 * size, top + 0.12 * size, 0.5 * size, {
        colour: theme.ground,
        font: theme.font,
        weight: 800,
        room: 0.85 * size,
      });
    }
  });
}

/** A bot: a cook with its number, and the item it holds.
 * @param {Context} ctx @param {Scene} scene @param {any} bot @param {any} holding @param {Place} at
 * @param {number} size @param {boolean} picked */
function cook(ctx, scene, bot, holding, { x, y }, size, picked) {
  const { theme } = scene;
  const colour = seatColour(scene, TEAMS.indexOf(bot.team));
  if (picked) ring(ctx, x, y, size * 1.22, theme.accent, size * 0.2);
  const edge = theme.dark ? "#0c0f13" : "#ffffff";
  const label = `${bot.team.charAt(0)}${bot.bot_id}`;
  stamp(ctx, `cook${colour}${label}${edge}`, x, y, size * 1.2, (under) =>
    figure(under, theme, colour, edge, label, size),
  );
  if (!holding) return;
  stamp(
    ctx,
    `held${JSON.stringify(holding)}${edge}`,
    x + size * 1.02,
    y + size * 0.5,
    size * 0.75,
    (under) => {
      disc(under, 0, 0, size * 0.7, edge);
      drawItem(under, holding, { x: 0, y: 0 }, size * 0.58);
    },
  );
}

/** A cook around (0, 0): round for RED, square for BLUE.
 * @param {Context} ctx @param {Theme} theme @param {string} colour @param {string} edge
 * @param {string} label its team's letter and its number @param {number} size */
function figure(ctx, theme, colour, edge, label, size) {
  for (const [reach, fill] of /** @type {[number, string][]} */ ([
    [size * 0.96, edge],
    [size * 0.86, colour],
  ])) {
    if (label.startsWith("R")) disc(ctx, 0, size * 0.16, reach, fill);
    else plate(ctx, -reach, size * 0.16 - reach, 2 * reach, 2 * reach, reach * 0.3, fill);
  }
  for (const dx of [-0.42, 0, 0.42]) disc(ctx, dx * size, -size * 0.74, size * 0.4, "#b9c0c8");
  for (const dx of [-0.42, 0, 0.42]) disc(ctx, dx * size, -size * 0.74, size * 0.33, "#ffffff");
  plate(ctx, -size * 0.6, -size * 0.66, size * 1.2, size * 0.42, size * 0.06, "#ffffff");
  line(
    ctx,
    [
      [-size * 0.6, -size * 0.3],
      [size * 0.6, -size * 0.3],
    ],
    "#b9c0c8",
    size * 0.07,
  );
  letters(ctx, label, -size * 0.14, size * 0.3, size * 0.8, {
    colour: theme.dark ? "#10141c" : "#ffffff",
    font: theme.font,
    weight: 800,
  });
}

/** @param {Context} ctx @param {Scene} scene @param {Box} box
 * @param {Place & {kitchen?: number}} cell @param {Plan} plan */
function showHint(ctx, scene, box, cell, plan) {
  const { view, seats } = scene;
  const kitchen = cell.kitchen ?? 0;
  const team = TEAMS[kitchen] ?? "";
  const point = plan.middle(kitchen, cell.x, cell.y);
  const bot = view.bots.find(
    (/** @type {any} */ one) => one.map_team === team && one.x === cell.x && one.y === cell.y,
  );
  if (bot) {
    const owner = nameOf(seats, TEAMS.indexOf(bot.team));
    return hint(ctx, scene, box, point, `bot ${bot.bot_id} of ${owner}`, [
      `holds ${named(bot.holding)}`,
    ]);
  }
  const tile = view.tiles[team].find(
    (/** @type {any} */ one) => one.x === cell.x && one.y === cell.y,
  );
  if (!tile) return;
  const lines = [];
  if (tile.item) lines.push(named(tile.item));
  if (tile.count > 1) lines.push(`${tile.count} of them`);
  if (tile.item?.food && tile.tile_name === "COOKER")
    lines.push(`cooking for ${tile.cook_progress} turns`);
  if (tile.num_clean_plates !== undefined) lines.push(`${tile.num_clean_plates} clean plates`);
  if (tile.num_dirty_plates !== undefined) lines.push(`${tile.num_dirty_plates} dirty plates`);
  hint(ctx, scene, box, point, tile.tile_name.toLowerCase(), lines);
}

const paceMs = () => 120;

/** @type {import("./contract.js").Renderer} */
export default {
  paceMs,
  shape,
  draw,
  scores,
  events,
  progress,
  at,
  middle,
  human,
  describe,
};
