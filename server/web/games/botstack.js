// BotStack: a table seen from above, a player on either side, the gun between them, what is known of its magazine, what just happened.
// The order of the bullets is hidden, so the shells lie sorted; what a peek told is shown to the seat that peeked only (RULES §7).
import { cast, disc, eased, fitted, frame, letters, line, mix, nameOf, plate, polygon, put, rounded, scaleOf, seatColour, still } from "./lib/paint.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./contract.js").SeatInfo} SeatInfo */
/** @typedef {import("./contract.js").Theme} Theme */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */
/** @typedef {import("./lib/paint.js").Grid} Grid */
/** @typedef {import("./lib/paint.js").Place} Place */

const SIZE = { width: 16, height: 10 };
const LIVE = "#d6303a";
const BLANK = "#6f8fb0";
const BRASS = "#d9a441";
const FELT = "#2f6b52";
const WOOD = "#7b5236";
const ITEMS = /** @type {Record<string, string>} */ ({
  empty: "empty", peek_current: "peek", eject_current: "eject", skip_enemy: "skip", health_kit: "health kit", reload_gun: "reload",
});
const PHASES = /** @type {Record<string, string>} */ ({
  abstain_request: "may propose to abandon the round", abstain_reply: "is asked to abandon the round", item: "may use an item",
  shoot: "takes aim",
});
const REASONS = /** @type {Record<string, string>} */ ({
  two_wins: "enough rounds won", two_draws: "both drew often enough", out_of_bullets: "no bullets left",
});
/** Where each player's middle is, and the gun's, in parts of the scene. */
const SIDES = [2.5, 13.5];
const GUN = { x: 8, y: 4.05 };
/** Characters of what happened that fit on a line. */
const LINE = 64;
/** How far on the way to a view its shot falls. */
const FALLS = 0.45;

function shape() {
  return SIZE;
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function draw(ctx, scene, box) {
  const scale = scaleOf(ctx);
  const { left, top, cell } = fitted(box, SIZE.width, SIZE.height, scale);
  // Until the shot has fallen all is as it was before.
  const shown = scene.before && scene.fraction < FALLS ? { ...scene, view: scene.before } : scene;
  const kept = still(`botstack${cast(scene)}`, box, scale, shown.view, (under) => {
    under.save();
    under.translate(left, top);
    under.scale(cell, cell);
    setting(under, shown);
    under.restore();
  });
  put(ctx, kept, box);
  if (!lastTable(scene)) return;
  ctx.save();
  ctx.translate(left, top);
  ctx.scale(cell, cell);
  gun(ctx, scene);
  ctx.restore();
}

/** All but the gun.
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

/** The table. The last view that a seat gets has only the result and the last shot (RULES §7): then the table before, after that shot.
 * @param {Scene} scene */
function lastTable({ view, before, trail }) {
  if (view.gun) return view;
  const table = [before, ...trail.slice().reverse()].find((one) => one?.gun);
  if (!table) return null;
  const shot = shotOf(view);
  const live = shot?.bullet === "live" ? 1 : 0;
  const players = bySeat(table).map((player, seat) => ({
    ...player,
    health: player.health - (shot?.target === seat ? live : 0),
    rounds_won: view.result?.seats?.[seat]?.rounds_won ?? player.rounds_won,
  }));
  const { total, blank, ...gun } = table.gun;
  return { ...table, players, gun: shot ? { total: total - 1, live: gun.live - live, blank: blank - 1 + live } : table.gun };
}

/** Both players by seat, whoever looks.
 * @param {any} view @returns {any[]} */
function bySeat(view) {
  if (view.players) return view.players;
  if (!view.you) return [];
  return view.seat === 0 ? [view.you, view.opponent] : [view.opponent, view.you];
}

/** Whose decision it is, a seat or null.
 * @param {any} view @returns {number|null} */
function acting(view) {
  if (view.acting !== undefined) return view.acting;
  if (view.phase === "finished") return null;
  return view.your_decision ? view.seat : 1 - view.seat;
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
  const words = `Round ${view.round}  ·  load ${view.load}, ${reloads}${view.draws ? `  ·  draws ${view.draws}` : ""}`;
  letters(ctx, words, 8, 0.5, 0.52, { colour: theme.ink, font: theme.font, weight: 600, room: 15 });
}

// --- the players ------------------------------------------------------------------------------------------------------------------

/** @param {Context} ctx @param {Scene} scene @param {any} view @param {any} player @param {number} seat */
function person(ctx, scene, view, player, seat) {
  const { theme } = scene;
  const colour = seatColour(scene, seat);
  const x = SIDES[seat] ?? 8;
  const now = acting(scene.view) === seat || scene.view.result?.winner === seat;
  const fallen = player.health <= 0;
  plate(ctx, x - 2.2, 1.05, 4.4, 7.3, 0.35, mix(theme.panel, colour, theme.dark ? 0.1 : 0.06));
  frame(ctx, x - 2.2, 1.05, 4.4, 7.3, 0.35, now ? colour : theme.line, now ? 0.12 : 0.03);
  robot(ctx, { x, y: 2.62 }, 0.85, fallen ? mix(colour, theme.ground, 0.6) : colour, theme.panel, fallen, seat);
  const name = nameOf(scene.seats, seat);
  letters(ctx, scene.viewer === seat ? `You · ${name}` : name, x, 4.12, 0.6, { colour: theme.ink, font: theme.font, weight: 700, room: 4 });
  hearts(ctx, theme, x, 4.95, player.health);
  const won = player.rounds_won === 1 ? "1 round won" : `${player.rounds_won} rounds won`;
  letters(ctx, won, x, 5.75, 0.44, { colour: player.rounds_won ? theme.ink : theme.soft, font: theme.font, weight: 600, room: 4 });
  for (const { place, size, item } of cards(player, x)) card(ctx, theme, place, size, item);
  const notes = [];
  if (player.skip_pending) notes.push("extra turn");
  if (player.can_abstain) notes.push("may abandon");
  letters(ctx, notes.join(" · "), x, 8.05, 0.36, { colour: theme.accent, font: theme.font, weight: 600, room: 4.1 });
}

/** Where a player's items lie: their middles, and how large they are.
 * @param {any} player @param {number} x @returns {{place: Place, size: number, item: string, slot: number}[]} */
function cards(player, x) {
  const count = player.items.length;
  const across = count > 4 ? Math.ceil(count / 2) : count;
  const size = count > 4 ? 0.74 : Math.min(1.25, 4 / Math.max(across, 1));
  return player.items.map((/** @type {string} */ item, /** @type {number} */ index) => ({
    item, size, slot: index + 1,
    place: {
      x: x + ((index % across) - (Math.min(across, count) - 1) / 2) * size * 1.18,
      y: count > 4 ? 6.52 + Math.floor(index / across) * size * 1.1 : 6.9,
    },
  }));
}

/** @param {Context} ctx @param {Place} at @param {number} size @param {string} colour @param {string} edge @param {boolean} fallen
 * @param {number} seat */
function robot(ctx, { x, y }, size, colour, edge, fallen, seat) {
  const dark = mix(colour, "#000000", 0.35);
  ctx.lineCap = "round";
  line(ctx, [[x, y - size], [x, y - size * 1.4]], dark, size * 0.12);
  disc(ctx, x, y - size * 1.45, size * 0.17, fallen ? dark : BRASS);
  for (const side of [-1, 1]) plate(ctx, x + side * size * 1.12 - size * 0.14, y - size * 0.3, size * 0.28, size * 0.6, size * 0.1, dark);
  plate(ctx, x - size * 1.05, y - size, size * 2.1, size * 1.9, seat === 0 ? size * 0.35 : size * 0.85, colour);
  plate(ctx, x - size * 0.8, y - size * 0.6, size * 1.6, size * 0.72, size * 0.3, "#14181d");
  for (const side of [-1, 1]) {
    const eye = x + side * size * 0.38;
    if (fallen) {
      const reach = size * 0.14;
      line(ctx, [[eye - reach, y - size * 0.24 - reach], [eye + reach, y - size * 0.24 + reach]], "#ffffff", size * 0.08);
      line(ctx, [[eye - reach, y - size * 0.24 + reach], [eye + reach, y - size * 0.24 - reach]], "#ffffff", size * 0.08);
    } else disc(ctx, eye, y - size * 0.24, size * 0.2, "#ffffff");
  }
  for (const tooth of [-0.3, 0, 0.3]) plate(ctx, x + tooth * size - size * 0.1, y + size * 0.36, size * 0.2, size * 0.26, size * 0.05, edge);
}

/** @param {Context} ctx @param {Theme} theme @param {number} x @param {number} y @param {number} health */
function hearts(ctx, theme, x, y, health) {
  if (health > 6) {
    heart(ctx, x - 0.85, y, 0.36, LIVE);
    letters(ctx, `× ${health}`, x + 0.4, y, 0.6, { colour: theme.ink, font: theme.font, weight: 700 });
    return;
  }
  const shown = Math.max(health, 3);
  const step = Math.min(0.92, 4 / shown);
  for (let at = 0; at < shown; at += 1) {
    heart(ctx, x + (at - (shown - 1) / 2) * step, y, step * 0.4, at < health ? LIVE : mix(theme.panel, theme.ink, 0.16));
  }
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} size @param {string} fill */
function heart(ctx, x, y, size, fill) {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.moveTo(x, y + size);
  ctx.bezierCurveTo(x - size * 1.7, y - size * 0.2, x - size * 0.9, y - size * 1.4, x, y - size * 0.45);
  ctx.bezierCurveTo(x + size * 0.9, y - size * 1.4, x + size * 1.7, y - size * 0.2, x, y + size);
  ctx.fill();
}

/** @param {Context} ctx @param {Theme} theme @param {Place} place @param {number} size @param {string} item */
function card(ctx, theme, { x, y }, size, item) {
  const half = size / 2;
  if (item === "empty") {
    ctx.setLineDash([size * 0.12, size * 0.1]);
    frame(ctx, x - half, y - half, size, size, size * 0.16, theme.line, 0.04);
    ctx.setLineDash([]);
    return;
  }
  plate(ctx, x - half, y - half, size, size, size * 0.16, mix(theme.panel, theme.ink, theme.dark ? 0.12 : 0.07));
  frame(ctx, x - half, y - half, size, size, size * 0.16, theme.soft, 0.035);
  sign(ctx, theme, item, { x, y: y - size * 0.1 }, size * 0.27);
  letters(ctx, ITEMS[item] ?? item, x, y + size * 0.36, size * 0.24, { colour: theme.ink, font: theme.font, weight: 600, room: size * 0.94 });
}

/** @param {Context} ctx @param {Theme} theme @param {string} item @param {Place} at @param {number} size */
function sign(ctx, theme, item, { x, y }, size) {
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  if (item === "peek_current") {
    ctx.fillStyle = theme.ink;
    ctx.beginPath();
    ctx.moveTo(x - size * 1.1, y);
    ctx.quadraticCurveTo(x, y - size * 1.3, x + size * 1.1, y);
    ctx.quadraticCurveTo(x, y + size * 1.3, x - size * 1.1, y);
    ctx.fill();
    disc(ctx, x, y, size * 0.48, theme.panel);
    disc(ctx, x, y, size * 0.26, theme.ink);
  } else if (item === "eject_current") {
    shell(ctx, { x: x - size * 0.1, y: y + size * 0.45 }, size * 0.55, BRASS, null, Math.PI / 2);
    polygon(ctx, [[x, y - size], [x + size * 0.6, y - size * 0.3], [x - size * 0.6, y - size * 0.3]], theme.ink);
  } else if (item === "skip_enemy") {
    for (const dx of [-0.75, 0.15]) {
      polygon(ctx, [[x + dx * size, y - size * 0.7], [x + (dx + 0.85) * size, y], [x + dx * size, y + size * 0.7]], theme.ink);
    }
  } else if (item === "health_kit") {
    plate(ctx, x - size, y - size * 0.75, size * 2, size * 1.5, size * 0.25, "#f4f6f8");
    ctx.fillStyle = LIVE;
    ctx.fillRect(x - size * 0.18, y - size * 0.52, size * 0.36, size * 1.04);
    ctx.fillRect(x - size * 0.52, y - size * 0.18, size * 1.04, size * 0.36);
  } else {
    ctx.strokeStyle = theme.ink;
    ctx.lineWidth = size * 0.26;
    ctx.beginPath();
    ctx.arc(x, y, size * 0.7, -0.4, Math.PI * 1.45);
    ctx.stroke();
    polygon(ctx, [[x + size * 0.62, y - size * 0.95], [x + size * 0.05, y - size * 0.28], [x - size * 0.16, y - size * 1.12]], theme.ink);
  }
}

// --- the gun ----------------------------------------------------------------------------------------------------------------------

/** The shot of a view, if it tells of one.
 * @param {any} view */
function shotOf(view) {
  return view?.events?.find((/** @type {any} */ event) => event.e === "shot") ?? null;
}

/** Where the barrel points: at who was shot at, or to nobody.
 * @param {any} view @returns {number} radians, clockwise from the right */
function aim(view) {
  const shot = shotOf(view);
  if (!shot) return -Math.PI / 2;
  return shot.target === 0 ? -Math.PI : 0;
}

/** @param {Context} ctx @param {Scene} scene */
function gun(ctx, scene) {
  const { before, fraction, theme } = scene;
  const share = eased(Math.min(1, fraction * 2));
  const angle = before ? aim(before) + (aim(scene.view) - aim(before)) * share : aim(scene.view);
  const shot = shotOf(scene.view);
  ctx.save();
  ctx.translate(GUN.x, GUN.y + 0.6 * Math.sin(angle));
  ctx.rotate(angle);
  if (Math.abs(angle) > Math.PI / 2 + 0.01) ctx.scale(1, -1);
  const steel = theme.dark ? "#aab4bf" : "#343b43";
  const stock = "#8a5630";
  polygon(ctx, [[-1.95, -0.12], [-0.75, -0.26], [-0.5, -0.26], [-0.5, 0.16], [-0.8, 0.16], [-1.85, 0.62], [-2.1, 0.55]], stock);
  polygon(ctx, [[-0.55, -0.3], [0.35, -0.3], [0.35, 0.2], [-0.55, 0.2]], mix(steel, "#000000", 0.2));
  plate(ctx, 0.3, -0.28, 1.75, 0.22, 0.06, steel);
  plate(ctx, 0.3, -0.04, 1.55, 0.18, 0.06, mix(steel, "#000000", 0.25));
  plate(ctx, 0.7, -0.02, 0.75, 0.26, 0.1, stock);
  ctx.strokeStyle = steel;
  ctx.lineWidth = 0.07;
  ctx.beginPath();
  ctx.arc(-0.3, 0.24, 0.2, 0, Math.PI);
  ctx.stroke();
  if (shot && fraction >= FALLS) {
    if (shot.bullet === "live") {
      /** @type {[number, number][]} */
      const burst = Array.from({ length: 16 }, (_, index) => {
        const reach = index % 2 ? 0.22 : 0.62;
        return [2.4 + reach * Math.cos((index * Math.PI) / 8), -0.17 + reach * 0.8 * Math.sin((index * Math.PI) / 8)];
      });
      polygon(ctx, burst, "#ffb52e");
      disc(ctx, 2.4, -0.17, 0.2, "#fff3c4");
    } else {
      ctx.lineCap = "round";
      for (const turn of [-0.5, 0, 0.5]) {
        line(ctx, [[2.2, -0.17 + turn * 0.3], [2.45, -0.17 + turn * 0.75]], BLANK, 0.07);
      }
    }
  }
  ctx.restore();
  if (shot && fraction >= FALLS) {
    const live = shot.bullet === "live";
    const words = live ? "LIVE" : "BLANK";
    letters(ctx, words, GUN.x, GUN.y - 1.25, 0.95, { colour: live ? "#ff6b70" : "#c4d9ee", font: theme.font, weight: 800, halo: "#101418" });
  }
}

/** A shell on its base; live ones have a round head, blanks are crimped.
 * @param {Context} ctx @param {Place} at @param {number} size @param {string} colour @param {string|null} bullet @param {number} [turn] */
function shell(ctx, { x, y }, size, colour, bullet, turn = 0) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  if (bullet === "blank") polygon(ctx, [[-size * 0.42, -size * 0.75], [-size * 0.2, -size * 1.1], [size * 0.2, -size * 1.1], [size * 0.42, -size * 0.75]], colour);
  ctx.fillStyle = colour;
  rounded(ctx, -size * 0.42, -size * (bullet === "blank" ? 0.8 : 1.1), size * 0.84, size * (bullet === "blank" ? 1.4 : 1.7), bullet === "blank" ? 0 : size * 0.38);
  ctx.fill();
  plate(ctx, -size * 0.48, size * 0.5, size * 0.96, size * 0.55, size * 0.1, BRASS);
  ctx.restore();
}

/** What everybody knows of the magazine, and what this viewer knows of the next bullet.
 * @param {Context} ctx @param {Scene} scene @param {any} view */
function magazine(ctx, { theme }, view) {
  const { live, blank, total } = view.gun;
  const size = Math.min(0.4, 5.2 / Math.max(total, 1) / 1.15);
  const step = Math.min(0.6, 5.6 / Math.max(total, 1));
  const left = 8 - ((total - 1) * step) / 2;
  for (let at = 0; at < total; at += 1) {
    const bullet = at < live ? "live" : "blank";
    shell(ctx, { x: left + at * step, y: 6.2 }, size, bullet === "live" ? LIVE : BLANK, bullet);
  }
  const how = { font: theme.font, weight: 700, halo: "#10261d", room: 2.8 };
  letters(ctx, `${live} live`, 6.6, 7.1, 0.56, { ...how, colour: "#ff9a9d" });
  letters(ctx, `${blank} blank`, 9.4, 7.1, 0.56, { ...how, colour: "#c4d9ee" });
  const known = view.known_next;
  const words = known ? `next: ${known}` : "order hidden";
  const colour = known === "live" ? "#ff9a9d" : known === "blank" ? "#c4d9ee" : "#d8e6df";
  letters(ctx, words, 8, 7.72, known ? 0.46 : 0.34, { ...how, colour, weight: known ? 800 : 500, room: 4 });
}

// --- what happened ----------------------------------------------------------------------------------------------------------------

/** The last things said and whose decision it is; at the end who won, and why.
 * @param {Context} ctx @param {Scene} scene */
function feed(ctx, scene) {
  const { theme, view, seats } = scene;
  const how = { colour: theme.ink, font: theme.font, weight: 600, room: 15.4 };
  if (view.result) {
    const { winner, outcome, reason } = view.result;
    const words = winner === null ? ended(outcome) : `${nameOf(seats, winner)} wins the match`;
    letters(ctx, words, 8, 8.92, 0.72, { ...how, weight: 800, colour: winner === null ? theme.ink : seatColour(scene, winner) });
    letters(ctx, because(reason), 8, 9.62, 0.44, { ...how, colour: theme.soft });
    return;
  }
  const said = (view.events ?? []).filter((/** @type {any} */ event) => event.e !== "deal");
  const told = said.slice(-2).map((/** @type {any} */ event) => sentence(event, seats));
  const all = told.join(", ");
  letters(ctx, all.length > LINE ? told.at(-1) ?? "" : all, 8, 8.88, 0.5, how);
  const who = acting(view);
  if (who === null || !PHASES[view.phase]) return;
  letters(ctx, `${nameOf(seats, who)} ${PHASES[view.phase]}`, 8, 9.55, 0.46, { ...how, colour: seatColour(scene, who), weight: 700 });
}

/** @param {string} outcome */
function ended(outcome) {
  return outcome === "draw" ? "The match is a draw" : outcome.replaceAll("_", " ");
}

/** @param {string} reason */
function because(reason) {
  return REASONS[reason] ?? reason.replaceAll("_", " ");
}

/** One event in words.
 * @param {any} event @param {SeatInfo[]} seats @returns {string} */
function sentence(event, seats) {
  const who = typeof event.seat === "number" ? nameOf(seats, event.seat) : "";
  switch (event.e) {
    case "round_start": return `round ${event.round}: ${nameOf(seats, event.starter)} begins`;
    case "deal": return `${who} gets ${ITEMS[event.item]}`;
    case "load": return `the gun is loaded, ${event.live} live of ${event.total}`;
    case "request": return `${who} proposes to abandon the round`;
    case "reply": return `${who} ${event.accepted ? "agrees" : "declines"}`;
    case "item": return event.item === "empty" ? `${who} reaches into an empty slot` : `${who} uses ${ITEMS[event.item]}`;
    case "peek": return `${who} sees a ${event.bullet} bullet`;
    case "eject": return `${who} ejects a ${event.bullet} bullet`;
    case "shot": return `${who} shoots ${event.target === event.seat ? "itself" : nameOf(seats, event.target)}: ${event.bullet}`;
    case "round_end": {
      const won = event.winner === null ? "nobody wins it" : `${nameOf(seats, event.winner)} wins it`;
      return `round ${event.round} ends (${because(event.reason)}): ${won}`;
    }
    case "match_end": return `the match ends (${because(event.reason)})`;
    default: return String(event.e);
  }
}

/** @param {any} _before @param {any} view @param {SeatInfo[]} seats @returns {import("./contract.js").Told[]} */
function events(_before, view, seats) {
  return (view.events ?? []).map((/** @type {any} */ event) => {
    const hurt = event.e === "shot" && event.bullet === "live";
    const won = (event.e === "round_end" || event.e === "match_end") && event.winner !== null;
    return {
      seat: event.seat ?? event.winner ?? null, text: sentence(event, seats), kind: hurt ? "bad" : won ? "good" : event.e === "deal" ? "info" : "move",
    };
  });
}

/** @param {any} view @param {SeatInfo[]} _seats @returns {import("./contract.js").Score[]} */
function scores(view, _seats) {
  const players = bySeat(view);
  if (!players.length) {
    return (view.result?.seats ?? []).map((/** @type {any} */ one, /** @type {number} */ seat) => (
      { seat, points: one.rounds_won ?? one.score, text: String(one.rounds_won ?? one.score), facts: [] }
    ));
  }
  return players.map((player, seat) => ({
    seat,
    points: player.rounds_won,
    text: String(player.rounds_won),
    facts: [
      ["health", String(player.health)],
      ["items", player.items.filter((/** @type {string} */ item) => item !== "empty").map((/** @type {string} */ item) => ITEMS[item]).join(", ") || "none"],
      .../** @type {[string, string][]} */ (player.skip_pending ? [["extra turn", "pending"]] : []),
    ],
  }));
}

// --- a person's seat --------------------------------------------------------------------------------------------------------------

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
    offer("y", asked ? "Agree: abandon the round" : "Propose to abandon the round", { type: "abstain", value: true });
    offer("n", asked ? "Decline" : "Play on", { type: "abstain", value: false });
  } else if (view.phase === "item") {
    (view.you?.items ?? []).forEach((/** @type {string} */ item, /** @type {number} */ index) => {
      if (item !== "empty") offer(String(index + 1), `Use ${ITEMS[item]}`, { type: "item", slot: index + 1 });
    });
    offer("0", "No item", { type: "item", slot: 0 });
  } else if (view.phase === "shoot") {
    offer("o", "Shoot the opponent", { type: "shoot", target: "opponent" });
    offer("s", "Shoot yourself", { type: "shoot", target: "self" });
  }
  if (view.phase !== "finished") buttons.push({ label: "Resign", command: { type: "resign" }, enabled: true });
  return {
    keys, buttons, endTurn: false,
    click: (x, y, shown, box) => (shown.your_decision ? clicked(x, y, shown, seat, box) : null),
    hint: hintOf(view),
  };
}

/** @param {any} view */
function hintOf(view) {
  if (view.phase === "finished") return "The match is over.";
  if (!view.your_decision) return "Your opponent decides.";
  if (view.phase === "abstain_request") return "Do you propose to abandon this round? If your opponent agrees, both get a draw.";
  if (view.phase === "abstain_reply") return "Your opponent proposes to abandon this round. Do you agree?";
  if (view.phase === "item") return "Use an item before your shot, or none: click it, or press its number.";
  const known = view.known_next ? ` You know that the next bullet is ${view.known_next}.` : "";
  return `Whom do you shoot? Click a player.${known}`;
}

/** An item while items are asked for, a player while a shot is.
 * @param {number} x @param {number} y @param {any} view @param {number} seat @param {Box} box */
function clicked(x, y, view, seat, box) {
  const grid = fitted(box, SIZE.width, SIZE.height);
  const at = { x: (x - grid.left) / grid.cell, y: (y - grid.top) / grid.cell };
  if (view.phase === "item") {
    const hit = cards(view.you, SIDES[seat] ?? 8).find(({ place, size, item }) => (
      item !== "empty" && Math.abs(at.x - place.x) < size / 2 && Math.abs(at.y - place.y) < size / 2
    ));
    return hit ? { type: "item", slot: hit.slot } : null;
  }
  const side = SIDES.findIndex((middle) => Math.abs(at.x - middle) < 2.2 && at.y > 1 && at.y < 8.4);
  if (view.phase !== "shoot" || side < 0) return null;
  return { type: "shoot", target: side === seat ? "self" : "opponent" };
}

/** @param {any} view @param {number|null} seat */
function describe(view, seat) {
  const players = bySeat(view);
  const stands = players.map((player, number) => {
    const who = number === seat ? "You" : `Player ${number + 1}`;
    return `${who}: health ${player.health}, ${player.rounds_won} rounds won`;
  });
  if (view.result) {
    const { winner, outcome, reason } = view.result;
    return `${winner === null ? ended(outcome) : winner === seat ? "You win" : `Player ${winner + 1} wins`}, ${because(reason)}.`;
  }
  const who = acting(view);
  const asks = who === null ? "" : ` ${who === seat ? "You decide" : `Player ${who + 1} decides`}: ${view.phase.replaceAll("_", " ")}.`;
  const known = view.known_next ? ` The next bullet is ${view.known_next}.` : "";
  return `Round ${view.round}. ${stands.join(". ")}. ${view.gun.live} live of ${view.gun.total} bullets.${known}${asks}`;
}

/** @type {import("./contract.js").Renderer} */
export default { shape, draw, scores, events, human, describe };
