// BotStack: the table from above, a player on either side, the gun and its magazine between them,
// the latest events. The order of the bullets is hidden, so the shells are sorted; the result of a
// peek is shown only to the seat that peeked (RULES §7).

import { FALLS, gun, magazine } from "./botstack/gun.js";
import { cards, person } from "./botstack/players.js";
import { SIDES, acting, bySeat, lastTable } from "./botstack/table.js";
import {
  DOES,
  ITEMS,
  because,
  describe,
  ended,
  events,
  progress,
  scores,
  sentence,
} from "./botstack/words.js";
import { drawLayer, namesKey, viewLayer } from "./lib/cache.js";
import { hint } from "./lib/overlays.js";
import { fitted, frame, letters, mix, nameOf, plate, scaleOf, seatColour } from "./lib/paint.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./contract.js").Theme} Theme */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */

const SIZE = { width: 16, height: 10 };
const FELT = "#2f6b52";
const WOOD = "#7b5236";
const PHASES = /** @type {Record<string, string>} */ ({
  abstain_request: "may propose to abstain",
  abstain_reply: "is asked to abstain",
  item: "may use an item",
  shoot: "takes aim",
});
/** Characters of the latest events that fit on a line. */
const LINE = 64;

function shape() {
  return SIZE;
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function draw(ctx, scene, box) {
  const scale = scaleOf(ctx);
  const { left, top, cell } = fitted(box, SIZE.width, SIZE.height, scale);
  // Before the shot is fired, the previous view is shown.
  const shown = scene.before && scene.fraction < FALLS ? { ...scene, view: scene.before } : scene;
  const kept = viewLayer(`botstack${namesKey(scene)}`, box, scale, shown.view, (under) => {
    under.save();
    under.translate(left, top);
    under.scale(cell, cell);
    setting(under, shown);
    under.restore();
  });
  drawLayer(ctx, kept, box);
  if (!lastTable(scene)) return;
  ctx.save();
  ctx.translate(left, top);
  ctx.scale(cell, cell);
  gun(ctx, scene);
  ctx.restore();
  const item = /** @type {{item?: string}|null|undefined} */ (scene.hover)?.item;
  if (scene.hover && item)
    hint(ctx, scene, box, middle(scene.hover, scene.view, box), ITEMS[item] ?? item, [
      DOES[item] ?? "",
    ]);
}

/** Everything except the gun.
 * @param {Context} ctx @param {Scene} scene */
function setting(ctx, scene) {
  table(ctx, scene.theme);
  const shown = lastTable(scene);
  if (shown) {
    bySeat(shown).forEach((player, seat) => person(ctx, scene, shown, player, seat));
    heading(ctx, scene.theme, shown);
    magazine(ctx, scene, shown);
  }
  feed(ctx, scene);
}

/** @param {Context} ctx @param {Theme} theme */
function table(ctx, theme) {
  const wood = mix(WOOD, theme.ground, theme.dark ? 0.35 : 0.2);
  const felt = mix(FELT, theme.ground, theme.dark ? 0.4 : 0.12);
  plate(ctx, 4.5, 0.95, 7, 7.5, 1.9, wood);
  plate(ctx, 4.75, 1.2, 6.5, 7, 1.7, felt);
  frame(ctx, 4.95, 1.4, 6.1, 6.6, 1.55, mix(felt, "#ffffff", 0.14), 0.04);
}

/** @param {Context} ctx @param {Theme} theme @param {any} view */
function heading(ctx, theme, view) {
  const reloads = view.reloads_left === 1 ? "1 reload left" : `${view.reloads_left} reloads left`;
  const draws = view.draws ? `  ·  draws ${view.draws}` : "";
  const words = `Round ${view.round}  ·  load ${view.load}, ${reloads}${draws}`;
  letters(ctx, words, 8, 0.5, 0.52, { colour: theme.ink, font: theme.font, weight: 600, room: 15 });
}

// --- the latest events ---

/** The latest events and whose decision it is; at the end the winner and the reason.
 * @param {Context} ctx @param {Scene} scene */
function feed(ctx, scene) {
  const { theme, view, seats } = scene;
  const how = { colour: theme.ink, font: theme.font, weight: 600, room: 15.4 };
  if (view.result) {
    const { winner, outcome, reason } = view.result;
    const words = winner === null ? ended(outcome) : `${nameOf(seats, winner)} wins the match`;
    letters(ctx, words, 8, 8.92, 0.72, {
      ...how,
      weight: 800,
      colour: winner === null ? theme.ink : seatColour(scene, winner),
    });
    letters(ctx, because(reason), 8, 9.62, 0.44, { ...how, colour: theme.soft });
    return;
  }
  const recent = (view.events ?? []).filter((/** @type {any} */ event) => event.e !== "deal");
  const sentences = recent.slice(-2).map((/** @type {any} */ event) => sentence(event, seats));
  const all = sentences.join(", ");
  letters(ctx, all.length > LINE ? (sentences.at(-1) ?? "") : all, 8, 8.88, 0.5, how);
  const who = acting(view);
  if (who === null || !PHASES[view.phase]) return;
  letters(ctx, `${nameOf(seats, who)} ${PHASES[view.phase]}`, 8, 9.55, 0.46, {
    ...how,
    colour: seatColour(scene, who),
    weight: 700,
  });
}

// --- a person's seat ---

/** @param {any} view @param {number} seat @returns {import("./contract.js").Controls} */
function human(view, seat) {
  const mine = Boolean(view.your_decision);
  /** @type {Record<string, any>} */
  const keys = {};
  /** @type {{label: string, command: any, enabled: boolean}[]} */
  const buttons = [];
  /** @param {string} key @param {string} label @param {any} command */
  const offer = (key, label, command) => {
    if (mine) keys[key] = command;
    buttons.push({ label: `${label} (${key.toUpperCase()})`, command, enabled: mine });
  };
  if (view.phase === "abstain_request" || view.phase === "abstain_reply") {
    const asked = view.phase === "abstain_reply";
    offer("y", asked ? "Agree to abstain" : "Propose to abstain", {
      type: "abstain",
      value: true,
    });
    offer("n", asked ? "Decline" : "Play on", { type: "abstain", value: false });
  } else if (view.phase === "item") {
    (view.you?.items ?? []).forEach((/** @type {string} */ item, /** @type {number} */ index) => {
      if (item !== "empty")
        offer(String(index + 1), `Use ${ITEMS[item]}: ${DOES[item]}`, {
          type: "item",
          slot: index + 1,
        });
    });
    offer("0", "No item", { type: "item", slot: 0 });
  } else if (view.phase === "shoot") {
    offer("o", "Shoot the opponent", { type: "shoot", target: "opponent" });
    offer("s", "Shoot yourself", { type: "shoot", target: "self" });
  }
  if (view.phase !== "finished")
    buttons.push({ label: "Resign", command: { type: "resign" }, enabled: true });
  return {
    keys,
    buttons,
    endTurn: false,
    click: (x, y, shown, box) => (shown.your_decision ? clicked(x, y, shown, seat, box) : null),
    hint: hintOf(view),
  };
}

/** @param {any} view */
function hintOf(view) {
  if (view.phase === "finished") return "The match is over.";
  if (!view.your_decision) return "Your opponent decides.";
  if (view.phase === "abstain_request")
    return "Do you propose to abstain? If your opponent agrees, the round is a draw for both.";
  if (view.phase === "abstain_reply")
    return "Your opponent proposes to abstain: the round would be a draw for both. Do you agree?";
  if (view.phase === "item")
    return "Use an item before your shot, or none: click it, or press its number.";
  const known = view.known_next ? ` You know that the next bullet is ${view.known_next}.` : "";
  return `Whom do you shoot? Click a player.${known}`;
}

/** The command of a click: on an item in the item phase, on a player in the shoot phase.
 * @param {number} x @param {number} y @param {any} view @param {number} seat @param {Box} box */
function clicked(x, y, view, seat, box) {
  const grid = fitted(box, SIZE.width, SIZE.height);
  const at = { x: (x - grid.left) / grid.cell, y: (y - grid.top) / grid.cell };
  if (view.phase === "item") {
    const hit = cards(view.you, SIDES[seat] ?? 8).find(
      ({ place, size, item }) =>
        item !== "empty" &&
        Math.abs(at.x - place.x) < size / 2 &&
        Math.abs(at.y - place.y) < size / 2,
    );
    return hit ? { type: "item", slot: hit.slot } : null;
  }
  const side = SIDES.findIndex((middle) => Math.abs(at.x - middle) < 2.2 && at.y > 1 && at.y < 8.4);
  if (view.phase !== "shoot" || side < 0) return null;
  return { type: "shoot", target: side === seat ? "self" : "opponent" };
}

const paceMs = () => 1_000;

/** An item under the pointer; its place in the scene, and its slot.
 * @param {number} x @param {number} y @param {any} view @param {Box} box */
function at(x, y, view, box) {
  const grid = fitted(box, SIZE.width, SIZE.height);
  const point = { x: (x - grid.left) / grid.cell, y: (y - grid.top) / grid.cell };
  for (const [seat, player] of bySeat(view).entries()) {
    for (const { place, size, item } of cards(player, SIDES[seat] ?? 8)) {
      const near = Math.max(Math.abs(point.x - place.x), Math.abs(point.y - place.y));
      if (item !== "empty" && near < size / 2) return { ...place, item };
    }
  }
  return null;
}

/** @param {{x: number, y: number}} place @param {any} _view @param {Box} box */
function middle(place, _view, box) {
  const { left, top, cell } = fitted(box, SIZE.width, SIZE.height);
  return { x: left + place.x * cell, y: top + place.y * cell, cell };
}

const legend = Object.entries(DOES).map(
  ([item, does]) => /** @type {[string, string]} */ ([ITEMS[item] ?? item, does]),
);

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
  legend,
  plotted: "Health",
};
