// Catastrophe: the land with its harvest rates as heat, the road, structures with their materials, units by job with their energy, squads.
// Tiles count from the top left (RULES §3). What a pointer rests on shows its range, its way and its numbers.
import { arc, between, cast, cellAt, disc, dress, eased, fitted, frame, hint, layer, letters, line, mix, nameOf, noted, overlays, plate, polygon,
  put, ring, rounded, scaleOf, seatColour, stamp, still } from "./lib/paint.js";
import { inHand, take } from "./lib/hand.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./contract.js").SeatInfo} SeatInfo */
/** @typedef {import("./contract.js").Theme} Theme */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */
/** @typedef {import("./lib/paint.js").Grid} Grid */
/** @typedef {import("./lib/paint.js").Place} Place */

const GAME = "catastrophe";
/** What a tile gives at most, and a unit's full energy, where the config does not say (RULES §2). */
export const DEFAULTS = { max_harvest_rate: 150, max_energy: 100, own_tile_counts: true };
const JOBS = ["soldier", "gatherer", "builder", "missionary"];
const MANY = /** @type {Record<string, string>} */ ({
  soldier: "soldiers", gatherer: "gatherers", builder: "builders", missionary: "missionaries", "fresh human": "fresh humans",
});
/** In how many parts a unit's energy is shown. */
const STEPS = 40;
const OVERLORD = "cat overlord";
const SIDES = /** @type {[string, number, number][]} */ ([["↑", 0, -1], ["→", 1, 0], ["↓", 0, 1], ["←", -1, 0]]);
const GREEN = "#3f9c46";
const EARTH = "#a89468";
const ROAD = "#8d8578";
const GRAIN = "#e3b02f";
const GOODS = "#9c6b43";
const WAYS = /** @type {Record<string, string>} */ ({
  cat_defeated: "the overlord is defeated", humans_defeated: "no human is left", both_cats_defeated: "both overlords are defeated",
  both_humans_defeated: "no human is left on either side", max_turns: "the turns are over", more_units: "more units", more_food: "more food",
  more_structures: "more structures", coin_flip: "by the toss of a coin",
});

/** @param {any} view */
function shape(view) {
  return { width: view.map.width, height: view.map.height };
}

/** @param {any} view @param {Box} box @param {number} [scale] */
function placed(view, box, scale = 1) {
  const grid = fitted(box, view.map.width, view.map.height, scale);
  return {
    ...grid,
    /** @param {number} x @param {number} y @returns {Place} */
    middle: (x, y) => ({ x: grid.left + (x + 0.5) * grid.cell, y: grid.top + (y + 0.5) * grid.cell }),
  };
}

/** @param {any} one @returns {string} */
const place = (one) => `${one.x},${one.y}`;

/** What stands and lies where, by "x,y".
 * @param {any} view @returns {{units: Map<string, any>, structures: Map<string, any>, tiles: Map<string, any>}} */
function indexed(view) {
  /** @param {any[]} all */
  const byPlace = (all) => new Map(all.map((one) => [place(one), one]));
  return noted(view, "index", () => (
    { units: byPlace(view.units), structures: byPlace(view.structures), tiles: byPlace(view.tiles) }
  ));
}

// --- drawing ----------------------------------------------------------------------------------------------------------------------

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function draw(ctx, scene, box) {
  const { view, before, fraction } = scene;
  const scale = scaleOf(ctx);
  const grid = placed(view, box, scale);
  const { cell, middle } = grid;
  const shown = before && fraction < 0.5 ? before : view;
  put(ctx, still(`catastrophe${cast(scene)}`, box, scale, shown, (under) => land(under, { ...scene, view: shown }, box, scale, grid)), box);
  const picked = pointed(scene);
  if (picked) reach(ctx, scene, grid, picked);
  overlays(ctx, scene, cell, middle);
  const then = before && fraction < 1
    ? noted(before, "units", () => new Map(before.units.map((/** @type {any} */ unit) => [unit.id, unit])))
    : null;
  const share = eased(fraction);
  const standing = view.units.map((/** @type {any} */ unit) => {
    const old = then?.get(unit.id);
    return { unit, ...middle(between(old?.x ?? unit.x, unit.x, share), between(old?.y ?? unit.y, unit.y, share)) };
  });
  bands(ctx, scene, standing, cell);
  const { structures } = indexed(shown);
  for (const { unit, x, y } of standing) {
    const roof = structures.has(place(unit));
    token(ctx, scene, unit, { x, y: roof ? y + cell * 0.13 : y }, cell * (roof ? 0.26 : 0.35));
  }
  if (scene.hover) tell(ctx, scene, box, scene.hover, middle(scene.hover.x, scene.hover.y));
}

/** Harvest rates, goods and structures, on the bare ground.
 * @param {Context} ctx @param {Scene} scene @param {Box} box @param {number} scale @param {ReturnType<typeof placed>} grid */
function land(ctx, scene, box, scale, grid) {
  const { theme, view, config } = scene;
  const { cell, left, top } = grid;
  put(ctx, bare(scene, box, scale, grid), box);
  const soil = soilOf(theme);
  const most = config?.max_harvest_rate ?? DEFAULTS.max_harvest_rate;
  for (const tile of view.tiles) {
    if (!tile.harvest_rate) continue;
    const share = Math.min(1, tile.harvest_rate / most);
    const [x, y] = [left + tile.x * cell, top + tile.y * cell];
    plate(ctx, x + cell * 0.03, y + cell * 0.03, cell * 0.94, cell * 0.94, cell * 0.12, mix(soil, GREEN, 0.2 + 0.8 * share));
  }
  const { structures } = indexed(view);
  for (const tile of view.tiles) stock(ctx, theme, tile, grid, structures.has(place(tile)));
  for (const structure of view.structures) building(ctx, scene, structure, grid);
}

/** @param {Theme} theme */
function soilOf(theme) {
  return mix(theme.panel, EARTH, theme.dark ? 0.2 : 0.26);
}

/** The soil with its tiles, and the road.
 * @param {Scene} scene @param {Box} box @param {number} scale @param {ReturnType<typeof placed>} grid */
function bare({ theme, view }, box, scale, { cell, left, top, columns, rows }) {
  return layer(`catastrophe${view.map.width}x${view.map.height}${dress(theme)}`, box, scale, (ctx) => {
    const soil = soilOf(theme);
    plate(ctx, left, top, columns * cell, rows * cell, cell * 0.2, soil);
    const [first, last] = [Math.min(...view.map.road_rows), Math.max(...view.map.road_rows)];
    ctx.fillStyle = mix(soil, theme.ink, 0.035);
    for (let y = 0; y < rows; y += 1) {
      for (let x = y % 2; x < columns; x += 2) ctx.fillRect(left + x * cell, top + y * cell, cell, cell);
    }
    ctx.fillStyle = mix(theme.panel, ROAD, theme.dark ? 0.42 : 0.55);
    ctx.fillRect(left, top + first * cell, columns * cell, (last - first + 1) * cell);
    ctx.setLineDash([cell * 0.5, cell * 0.5]);
    const way = top + ((first + last + 1) / 2) * cell;
    line(ctx, [[left, way], [left + columns * cell, way]], mix(theme.panel, "#ffffff", 0.7), Math.max(cell * 0.06, 1));
    ctx.setLineDash([]);
  });
}

/** What a tile yields and what lies on it.
 * @param {Context} ctx @param {Theme} theme @param {any} tile @param {ReturnType<typeof placed>} grid @param {boolean} built */
function stock(ctx, theme, tile, { cell, middle }, built) {
  const { x, y } = middle(tile.x, tile.y);
  if (tile.harvest_rate) {
    const ready = tile.turns_to_harvest === 0;
    const size = cell * 0.3;
    const colour = ready ? GRAIN : mix(EARTH, theme.panel, 0.2);
    stamp(ctx, `grain${colour}`, x, y - cell * 0.06, size * 1.4, (under) => grain(under, 0, 0, size, colour, ready ? 1 : 0.45));
    const words = ready ? String(tile.harvest_rate) : `${tile.turns_to_harvest}`;
    if (cell >= 24) {
      letters(ctx, words, x, y + cell * 0.35, cell * 0.24, { colour: ready ? "#ffffff" : theme.ink, font: theme.font, weight: 700, halo: ready ? "#1d4a22" : theme.panel });
    }
  }
  const heaps = /** @type {[number, string][]} */ ([[tile.food, GRAIN], [tile.materials, GOODS]]);
  heaps.forEach(([amount, colour], index) => {
    if (!amount) return;
    const at = x + (index === 0 ? -0.22 : 0.22) * cell;
    heap(ctx, at, y + cell * 0.2, cell * 0.2, colour, index === 1);
    if (cell >= 24 && !built) letters(ctx, String(amount), at, y + cell * 0.4, cell * 0.2, { colour: theme.ink, font: theme.font, weight: 700, halo: theme.panel });
  });
}

/** An ear of grain; cut ones are short.
 * @param {Context} ctx @param {number} x @param {number} y @param {number} size @param {string} colour @param {number} height */
function grain(ctx, x, y, size, colour, height) {
  ctx.lineCap = "round";
  for (const lean of [-0.5, 0, 0.5]) {
    const [tipX, tipY] = [x + lean * size * 1.1, y - size * height * (lean ? 0.75 : 1)];
    line(ctx, [[x + lean * size * 0.4, y + size * 0.7], [tipX, tipY]], colour, size * 0.13);
    if (height < 1) continue;
    for (const step of [0, 0.3, 0.6]) {
      for (const side of [-1, 1]) {
        ctx.fillStyle = colour;
        ctx.beginPath();
        ctx.ellipse(tipX + side * size * 0.12, tipY + step * size, size * 0.1, size * 0.2, side * 0.5, 0, 2 * Math.PI);
        ctx.fill();
      }
    }
  }
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} size @param {string} colour @param {boolean} square */
function heap(ctx, x, y, size, colour, square) {
  for (const [dx, dy] of /** @type {[number, number][]} */ ([[-0.5, 0.4], [0.5, 0.4], [0, -0.4]])) {
    if (square) plate(ctx, x + dx * size - size * 0.45, y + dy * size - size * 0.4, size * 0.9, size * 0.8, size * 0.1, mix(colour, "#000000", dx === 0 ? 0 : 0.2));
    else disc(ctx, x + dx * size, y + dy * size, size * 0.5, mix(colour, "#000000", dx === 0 ? 0 : 0.15));
  }
}

/** @param {Context} ctx @param {Scene} scene @param {any} structure @param {ReturnType<typeof placed>} grid */
function building(ctx, scene, structure, { cell, middle }) {
  const { theme } = scene;
  const { x, y } = middle(structure.x, structure.y);
  const colour = structure.owner === null ? mix(theme.soft, theme.panel, 0.25) : seatColour(scene, structure.owner);
  const key = `${structure.type}${colour}${theme.panel}`;
  stamp(ctx, key, x, y, cell * 0.52, (under) => house(under, theme, structure.type, colour, cell * 0.46));
  if (cell >= 22 && !indexed(scene.view).units.has(place(structure))) {
    letters(ctx, String(structure.materials), x, y + cell * 0.36, cell * 0.25, { colour: theme.ink, font: theme.font, weight: 700, halo: theme.panel });
  }
}

/** The outline of a ruin, in halves of its width. */
const RUIN = /** @type {[number, number][]} */ ([
  [-1, 1], [-1, -0.6], [-0.55, -0.95], [-0.35, -0.2], [0.1, -0.45], [0.3, 0.1], [0.75, -0.1], [1, 0.4], [1, 1],
]);

/** A structure around (0, 0); `size` is half its width.
 * @param {Context} ctx @param {Theme} theme @param {string} type @param {string} colour @param {number} size */
function house(ctx, theme, type, colour, size) {
  const dark = mix(colour, "#000000", 0.3);
  /** @param {[number, number][]} points @returns {[number, number][]} */
  const sized = (points) => points.map(([x, y]) => [x * size, y * size]);
  if (type === "shelter") {
    plate(ctx, -size * 0.78, -size * 0.15, size * 1.56, size * 1.1, size * 0.08, mix(colour, theme.panel, 0.35));
    polygon(ctx, sized([[-1.02, -0.05], [0, -1], [1.02, -0.05]]), dark);
    plate(ctx, -size * 0.2, size * 0.35, size * 0.4, size * 0.6, size * 0.05, dark);
    return;
  }
  if (type === "monument") {
    plate(ctx, -size * 0.72, size * 0.62, size * 1.44, size * 0.32, size * 0.06, dark);
    polygon(ctx, sized([[-0.4, 0.66], [-0.24, -0.6], [0, -1], [0.24, -0.6], [0.4, 0.66]]), colour);
    disc(ctx, 0, -size * 0.3, size * 0.14, GRAIN);
    return;
  }
  const ruin = type === "neutral";
  if (ruin) {
    ctx.beginPath();
    for (const [x, y] of sized(RUIN)) ctx.lineTo(x, y);
    ctx.clip();
  }
  const top = -size * (ruin ? 1 : 0.8);
  plate(ctx, -size, top, size * 2, size * 0.9 - top, size * 0.1, dark);
  const high = size * 0.36;
  for (let row = 0; top + size * 0.06 + (row + 1) * high < size * 0.95; row += 1) {
    for (let brick = -1; brick < 3; brick += 1) {
      const start = (brick + (row % 2) / 2) * size * 0.72 - size;
      const from = Math.max(start, -size) + size * 0.05;
      const to = Math.min(start + size * 0.72, size) - size * 0.05;
      if (to > from) plate(ctx, from, top + size * 0.06 + row * high, to - from, high - size * 0.07, size * 0.05, colour);
    }
  }
}

/** Soldiers of one squad who stand side by side hold together.
 * @param {Context} ctx @param {Scene} scene @param {{unit: any, x: number, y: number}[]} standing @param {number} cell */
function bands(ctx, scene, standing, cell) {
  const soldiers = standing.filter(({ unit }) => unit.job === "soldier" && unit.squad.length > 1);
  const byPlace = new Map(soldiers.map((one) => [place(one.unit), one]));
  ctx.lineCap = "round";
  for (const one of soldiers) {
    for (const [dx, dy] of [[1, 0], [0, 1]]) {
      const other = byPlace.get(`${one.unit.x + dx},${one.unit.y + dy}`);
      if (!other || !one.unit.squad.includes(other.unit.id) || Math.hypot(one.x - other.x, one.y - other.y) > cell * 1.3) continue;
      line(ctx, [[one.x, one.y], [other.x, other.y]], scene.theme.panel, cell * 0.46);
      line(ctx, [[one.x, one.y], [other.x, other.y]], mix(seatColour(scene, one.unit.owner), scene.theme.panel, 0.35), cell * 0.34);
    }
  }
}

/** A unit: round for the west, square for the east; its job, its energy around it, what it carries below.
 * @param {Context} ctx @param {Scene} scene @param {any} unit @param {Place} at @param {number} size */
function token(ctx, scene, unit, { x, y }, size) {
  const { theme, config } = scene;
  const cat = unit.job === OVERLORD;
  const radius = cat ? size * 1.2 : size;
  const colour = unit.owner === null ? mix(theme.soft, theme.panel, 0.15) : seatColour(scene, unit.owner);
  const share = Math.ceil((STEPS * unit.energy) / (config?.max_energy ?? DEFAULTS.max_energy)) / STEPS;
  stamp(ctx, `${unit.job}${unit.owner}${colour}${theme.panel}${share}`, x, y, radius * 1.3, (under) => piece(under, theme, unit, radius, colour, share));
  if (unit.food) disc(ctx, x - radius * 0.75, y + radius * 0.85, radius * 0.3, GRAIN);
  if (unit.materials) plate(ctx, x + radius * 0.48, y + radius * 0.58, radius * 0.54, radius * 0.54, radius * 0.1, GOODS);
  if (unit.starving) badge(ctx, theme, { x: x + radius * 0.85, y: y - radius * 0.85 }, radius * 0.42, "!", theme.bad);
  else if (unit.turns_to_die > 0 && radius > 7) {
    letters(ctx, String(unit.turns_to_die), x + radius * 0.95, y - radius * 0.9, radius * 0.62, { colour: theme.ink, font: theme.font, halo: theme.panel });
  }
}

/** A unit around (0, 0), its share of its energy as a ring.
 * @param {Context} ctx @param {Theme} theme @param {any} unit @param {number} radius @param {string} colour @param {number} share */
function piece(ctx, theme, unit, radius, colour, share) {
  const body = radius * 0.84;
  disc(ctx, 0, 0, radius * 1.16, theme.panel);
  ring(ctx, 0, 0, radius * 1.02, mix(theme.panel, theme.ink, 0.15), radius * 0.2);
  arc(ctx, 0, 0, radius * 1.02, share, share > 0.6 ? theme.good : share > 0.3 ? GRAIN : theme.bad, radius * 0.2);
  if (unit.owner === 1) plate(ctx, -body * 0.86, -body * 0.86, body * 1.72, body * 1.72, body * 0.5, colour);
  else disc(ctx, 0, 0, body, colour);
  job(ctx, unit.job, { x: 0, y: 0 }, body * 0.62, theme.dark ? "#10141c" : "#ffffff", colour);
}

/** @param {Context} ctx @param {Theme} theme @param {Place} at @param {number} size @param {string} words @param {string} fill */
function badge(ctx, theme, { x, y }, size, words, fill) {
  disc(ctx, x, y, size * 1.15, theme.panel);
  disc(ctx, x, y, size, fill);
  letters(ctx, words, x, y, size * 1.5, { colour: theme.panel, font: theme.font, weight: 800 });
}

/** The sign of a job.
 * @param {Context} ctx @param {string} name @param {Place} at @param {number} size @param {string} ink @param {string} ground */
function job(ctx, name, { x, y }, size, ink, ground) {
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  if (name === OVERLORD) {
    polygon(ctx, [[x - size, y - size * 0.95], [x - size * 0.25, y - size * 0.45], [x + size * 0.25, y - size * 0.45], [x + size, y - size * 0.95], [x + size, y + size * 0.2], [x - size, y + size * 0.2]], ink);
    ctx.fillStyle = ink;
    ctx.beginPath();
    ctx.ellipse(x, y + size * 0.18, size, size * 0.78, 0, 0, 2 * Math.PI);
    ctx.fill();
    for (const side of [-1, 1]) {
      disc(ctx, x + side * size * 0.42, y + size * 0.05, size * 0.17, ground);
      line(ctx, [[x + side * size * 0.4, y + size * 0.5], [x + side * size * 1.15, y + size * 0.4]], ground, size * 0.09);
    }
    polygon(ctx, [[x - size * 0.16, y + size * 0.36], [x + size * 0.16, y + size * 0.36], [x, y + size * 0.56]], ground);
    polygon(ctx, [[x - size * 0.6, y - size * 1.02], [x - size * 0.7, y - size * 1.6], [x - size * 0.3, y - size * 1.25], [x, y - size * 1.75], [x + size * 0.3, y - size * 1.25], [x + size * 0.7, y - size * 1.6], [x + size * 0.6, y - size * 1.02]], GRAIN);
  } else if (name === "soldier") {
    line(ctx, [[x - size * 0.75, y + size * 0.75], [x + size * 0.8, y - size * 0.8]], ink, size * 0.3);
    line(ctx, [[x - size * 0.75, y - size * 0.05], [x + size * 0.05, y + size * 0.75]], ink, size * 0.26);
  } else if (name === "gatherer") {
    line(ctx, [[x, y + size], [x, y - size * 0.5]], ink, size * 0.2);
    for (const up of [-0.75, -0.2, 0.35]) {
      for (const side of [-1, 1]) {
        ctx.fillStyle = ink;
        ctx.beginPath();
        ctx.ellipse(x + side * size * 0.38, y + up * size, size * 0.22, size * 0.42, side * 0.7, 0, 2 * Math.PI);
        ctx.fill();
      }
    }
  } else if (name === "builder") {
    line(ctx, [[x - size * 0.7, y + size * 0.85], [x + size * 0.25, y - size * 0.25]], ink, size * 0.28);
    line(ctx, [[x - size * 0.35, y - size * 0.75], [x + size * 0.8, y + size * 0.2]], ink, size * 0.52);
  } else if (name === "missionary") {
    rounded(ctx, x - size, y - size * 0.85, size * 2, size * 1.35, size * 0.4);
    ctx.fillStyle = ink;
    ctx.fill();
    polygon(ctx, [[x - size * 0.55, y + size * 0.35], [x + size * 0.1, y + size * 0.35], [x - size * 0.65, y + size]], ink);
    for (const dot of [-0.5, 0, 0.5]) disc(ctx, x + dot * size, y - size * 0.18, size * 0.15, ground);
  } else {
    disc(ctx, x, y - size * 0.45, size * 0.46, ink);
    ctx.fillStyle = ink;
    ctx.beginPath();
    ctx.arc(x, y + size * 0.95, size * 0.8, Math.PI, 0);
    ctx.fill();
  }
}

// --- what is pointed at -----------------------------------------------------------------------------------------------------------

/** The unit or structure under the pointer, else the unit in hand of the person who plays.
 * @param {Scene} scene @returns {any} */
function pointed({ view, hover, viewer }) {
  const { units, structures } = indexed(view);
  const under = hover && (units.get(place(hover)) ?? structures.get(place(hover)));
  if (under) return under;
  const id = viewer === null ? null : inHand(GAME);
  return id === null ? null : view.units.find((/** @type {any} */ unit) => unit.id === id && unit.owner === viewer) ?? null;
}

/** How far it goes: a structure's range, or the tiles a unit can still walk to.
 * @param {Context} ctx @param {Scene} scene @param {ReturnType<typeof placed>} grid @param {any} picked */
function reach(ctx, scene, grid, picked) {
  const { cell, left, top, columns, rows } = grid;
  const colour = seatColour(scene, picked.owner);
  if (picked.effect_radius !== undefined) {
    const [west, north] = [Math.max(0, picked.x - picked.effect_radius), Math.max(0, picked.y - picked.effect_radius)];
    const [east, south] = [Math.min(columns, picked.x + picked.effect_radius + 1), Math.min(rows, picked.y + picked.effect_radius + 1)];
    const box = /** @type {const} */ ([left + west * cell, top + north * cell, (east - west) * cell, (south - north) * cell]);
    ctx.globalAlpha = 0.2;
    plate(ctx, ...box, cell * 0.2, colour);
    ctx.globalAlpha = 1;
    frame(ctx, ...box, cell * 0.2, colour, Math.max(cell * 0.07, 1.5));
    return;
  }
  ctx.globalAlpha = 0.3;
  for (const { x, y } of walkable(scene.view, picked)) plate(ctx, left + (x + 0.08) * cell, top + (y + 0.08) * cell, cell * 0.84, cell * 0.84, cell * 0.2, colour);
  ctx.globalAlpha = 1;
  const units = new Map(scene.view.units.map((/** @type {any} */ unit) => [unit.id, unit]));
  for (const id of picked.squad) {
    const one = units.get(id);
    if (one) ring(ctx, left + (one.x + 0.5) * cell, top + (one.y + 0.5) * cell, cell * 0.47, scene.theme.ink, Math.max(cell * 0.06, 1.5));
  }
}

/** Where a unit gets with the moves it has left, itself not counted.
 * @param {any} view @param {any} unit @returns {{x: number, y: number, from: {x: number, y: number}}[]} */
function walkable(view, unit) {
  const { units, structures } = indexed(view);
  const { width, height } = view.map;
  const seen = new Set([place(unit)]);
  /** @type {{x: number, y: number, from: {x: number, y: number}}[]} */
  const found = [];
  let edge = [{ x: unit.x, y: unit.y }];
  for (let moves = unit.moves; moves > 0 && edge.length; moves -= 1) {
    /** @type {Place[]} */
    const next = [];
    for (const from of edge) {
      for (const [, dx, dy] of SIDES) {
        const to = { x: from.x + dx, y: from.y + dy };
        const key = place(to);
        if (to.x < 0 || to.y < 0 || to.x >= width || to.y >= height || seen.has(key) || units.has(key)) continue;
        if ((structures.get(key)?.type ?? "shelter") !== "shelter") continue;
        seen.add(key);
        found.push({ ...to, from });
        next.push(to);
      }
    }
    edge = next;
  }
  return found;
}

/** @param {Context} ctx @param {Scene} scene @param {Box} box @param {Place} cell @param {Place} at */
function tell(ctx, scene, box, cell, at) {
  const { units, structures, tiles } = indexed(scene.view);
  const [unit, structure, tile] = [units.get(place(cell)), structures.get(place(cell)), tiles.get(place(cell))];
  /** @type {string[]} */
  const lines = [];
  /** @param {number|null} owner */
  const whose = (owner) => (owner === null ? "nobody's" : nameOf(scene.seats, owner));
  if (unit) {
    lines.push(whose(unit.owner), `energy ${Math.round(unit.energy * 10) / 10}, moves ${unit.moves}${unit.acted ? ", has acted" : ""}`);
    if (unit.food || unit.materials) lines.push(`carries ${unit.food} food, ${unit.materials} materials`);
    if (unit.squad.length > 1) lines.push(`squad of ${unit.squad.length}`);
    if (unit.starving) lines.push("starves");
    if (unit.turns_to_die > 0) lines.push(`gone in ${unit.turns_to_die} turns`);
  }
  if (structure) lines.push(`${unit ? `${structure.type}: ` : `${whose(structure.owner)}, `}${structure.materials} materials, range ${structure.effect_radius}`);
  if (tile?.harvest_rate) lines.push(`yields ${tile.harvest_rate}${tile.turns_to_harvest ? `, in ${tile.turns_to_harvest} turns` : ""}`);
  if (tile?.food || tile?.materials) lines.push(`on the ground: ${tile.food} food, ${tile.materials} materials`);
  const road = scene.view.map.road_rows.includes(cell.y);
  if (unit || structure || lines.length) hint(ctx, scene, box, at, unit?.job ?? structure?.type ?? (road ? "road" : "field"), lines);
}

// --- words ------------------------------------------------------------------------------------------------------------------------

/** @param {any} view @param {number} seat */
function own(view, seat) {
  return view.units.filter((/** @type {any} */ unit) => unit.owner === seat);
}

/** @param {any} view @param {SeatInfo[]} _seats @returns {import("./contract.js").Score[]} */
function scores(view, _seats) {
  return view.players.map((/** @type {any} */ player) => {
    const units = own(view, player.seat);
    const cat = units.find((/** @type {any} */ unit) => unit.id === player.cat);
    const built = view.structures.filter((/** @type {any} */ one) => one.owner === player.seat).length;
    /** @type {[string, number][]} */
    const all = Object.keys(MANY).map((name) => [name, units.filter((/** @type {any} */ unit) => unit.job === name).length]);
    const jobs = all.filter(([, count]) => count);
    /** @type {[string, string][]} */
    const facts = [
      ["food", String(player.food)],
      ["upkeep", String(player.upkeep)],
      ["overlord", cat ? `${Math.round(cat.energy)} energy` : "gone"],
      ["structures", String(built)],
      ["jobs", jobs.map(([name, count]) => (count === 1 ? `1 ${name}` : `${count} ${MANY[name]}`)).join(", ") || "none"],
    ];
    if (units.some((/** @type {any} */ unit) => unit.starving)) facts.push(["hunger", "starving"]);
    return { seat: player.seat, points: units.length, text: units.length === 1 ? "1 unit" : `${units.length} units`, facts };
  });
}

/** @param {any} before @param {any} view @param {SeatInfo[]} seats @returns {import("./contract.js").Told[]} */
function events(before, view, seats) {
  /** @type {import("./contract.js").Told[]} */
  const told = [];
  if (before) {
    /** @type {Map<number, any>} */
    const units = new Map(before.units.map((/** @type {any} */ unit) => [unit.id, unit]));
    for (const unit of view.units) {
      const then = units.get(unit.id);
      if (!then) {
        if (unit.owner === null) told.push({ seat: null, text: `a human comes down the road in row ${unit.y}`, kind: "info" });
        continue;
      }
      if (then.owner === null && unit.owner !== null) told.push({ seat: unit.owner, text: `${nameOf(seats, unit.owner)} converts a human`, kind: "good" });
      else if (then.owner !== null && unit.owner === null) told.push({ seat: then.owner, text: `${nameOf(seats, then.owner)} loses a ${then.job}`, kind: "bad" });
      else if (then.job !== unit.job) told.push({ seat: unit.owner, text: `${nameOf(seats, unit.owner)} has a new ${unit.job}`, kind: "info" });
      if (unit.job === OVERLORD && unit.owner !== null && unit.energy < then.energy) {
        told.push({ seat: unit.owner, text: `${nameOf(seats, unit.owner)}'s overlord falls to ${Math.round(unit.energy)} energy`, kind: "bad" });
      }
    }
    const old = new Set(before.structures.map((/** @type {any} */ one) => one.id));
    const now = new Set(view.structures.map((/** @type {any} */ one) => one.id));
    for (const one of view.structures) {
      if (!old.has(one.id) && one.owner !== null) told.push({ seat: one.owner, text: `${nameOf(seats, one.owner)} builds a ${one.type}`, kind: "good" });
    }
    for (const one of before.structures) {
      const whose = one.owner === null ? "a ruin" : `a ${one.type} of ${nameOf(seats, one.owner)}`;
      if (!now.has(one.id)) told.push({ seat: one.owner, text: `${whose} is gone`, kind: one.owner === null ? "info" : "bad" });
    }
    for (const { seat } of view.players) {
      const starved = own(before, seat).some((/** @type {any} */ unit) => unit.starving);
      const starves = own(view, seat).some((/** @type {any} */ unit) => unit.starving);
      if (starves && !starved) told.push({ seat, text: `${nameOf(seats, seat)} cannot pay the upkeep and starves`, kind: "bad" });
    }
  }
  if (view.result && !before?.result) {
    told.push({ seat: view.result.winner, text: `${nameOf(seats, view.result.winner)} wins: ${WAYS[view.result.reason] ?? view.result.reason}`, kind: "good" });
  }
  return told;
}

/** @param {any} view @param {number|null} seat */
function describe(view, seat) {
  const stands = view.players.map((/** @type {any} */ player) => {
    const who = player.seat === seat ? "you" : player.seat === 0 ? "west" : "east";
    const cat = view.units.find((/** @type {any} */ unit) => unit.id === player.cat);
    return `${who}: ${own(view, player.seat).length} units, ${player.food} food, overlord ${cat ? Math.round(cat.energy) : 0} energy`;
  });
  const moves = view.result ? `${view.result.winner === 0 ? "west" : "east"} wins, ${WAYS[view.result.reason] ?? view.result.reason}`
    : view.current_player === seat ? "your turn" : `${view.current_player === 0 ? "west" : "east"} moves`;
  return `Turn ${view.turn}, ${moves}; ${stands.join("; ")}.`;
}

// --- a person's seat --------------------------------------------------------------------------------------------------------------

/** @param {number} x @param {number} y @param {any} view @param {Box} box @returns {Place|null} */
function at(x, y, view, box) {
  return cellAt(placed(view, box), x, y);
}

/** @param {any} view @param {number} seat @returns {import("./contract.js").Controls} */
function human(view, seat) {
  const mine = view.current_player === seat && !view.result;
  const unit = view.units.find((/** @type {any} */ one) => one.id === inHand(GAME) && one.owner === seat) ?? null;
  return {
    keys: mine && unit ? walks(unit) : {},
    buttons: mine && unit ? deeds(view, unit) : [],
    click: (x, y, shown, box) => {
      const cell = at(x, y, shown, box);
      return cell && shown.current_player === seat && !shown.result ? clicked(shown, seat, cell) : null;
    },
    endTurn: true,
    hint: !mine ? "The other side moves." : unit
      ? `The ${unit.job}: ${unit.moves} moves left${unit.acted ? ", has acted" : ""}. Click where it goes or what it works on; click it again to lay it down.`
      : "Click one of your units, then where it goes or what it works on. End the turn when you are done.",
  };
}

/** @param {any} unit @returns {Record<string, any>} */
function walks(unit) {
  const keys = /** @type {[string, string, number, number][]} */ ([
    ["ArrowUp", "w", 0, -1], ["ArrowRight", "d", 1, 0], ["ArrowDown", "s", 0, 1], ["ArrowLeft", "a", -1, 0],
  ]);
  return Object.fromEntries(keys.flatMap(([arrow, letter, dx, dy]) => {
    const command = { cmd: "move", unit: unit.id, x: unit.x + dx, y: unit.y + dy };
    return [[arrow, command], [letter, command]];
  }));
}

/** What a click on a tile asks for: first what the unit in hand does there, then whom to take up, then where to walk.
 * @param {any} view @param {number} seat @param {Place} cell */
function clicked(view, seat, cell) {
  const { units, structures, tiles } = indexed(view);
  const there = units.get(place(cell)) ?? null;
  const unit = view.units.find((/** @type {any} */ one) => one.id === inHand(GAME) && one.owner === seat);
  if (unit && there?.id === unit.id) return take(GAME, null);
  const beside = unit && Math.abs(unit.x - cell.x) + Math.abs(unit.y - cell.y) === 1;
  const structure = structures.get(place(cell)) ?? null;
  if (beside && !unit.acted) {
    const tile = tiles.get(place(cell));
    const aim = { unit: unit.id, x: cell.x, y: cell.y };
    const [pays, space] = [canPay(view, unit), room(view, unit)];
    if (unit.job === "soldier" && (structure ? structure.owner !== seat : there && there.owner !== seat)) return { cmd: "attack", ...aim };
    if (unit.job === "missionary" && pays && there && there.owner === null) return { cmd: "convert", ...aim };
    if (unit.job === "builder" && pays && space > 0 && structure && structure.owner !== seat) return { cmd: "deconstruct", ...aim };
    if (unit.job === "gatherer" && pays && space > 0) {
      const store = structure?.type === "shelter" && structure.owner !== seat;
      if (store || (!there && !structure && tile?.harvest_rate && !tile.turns_to_harvest)) return { cmd: "harvest", ...aim };
    }
  }
  if (beside && unit.food && structure?.type === "shelter" && structure.owner === seat) {
    return { cmd: "drop", unit: unit.id, x: cell.x, y: cell.y, resource: "food", amount: 0 };
  }
  if (there) return take(GAME, there.owner === seat ? there.id : null);
  const step = unit && stepTo(view, unit, cell);
  return step ? { cmd: "move", unit: unit.id, x: step.x, y: step.y } : null;
}

/** The first step of a shortest way there, as far as the moves reach.
 * @param {any} view @param {any} unit @param {Place} to @returns {Place|null} */
function stepTo(view, unit, to) {
  const ways = new Map(walkable(view, unit).map((one) => [place(one), one]));
  let step = ways.get(place(to));
  while (step && place(step.from) !== place(unit)) step = ways.get(place(step.from));
  return step ? { x: step.x, y: step.y } : null;
}

/** Whether a place is in range of a structure of this kind and seat.
 * @param {any} view @param {any} unit @param {string} type */
function near(view, unit, type) {
  return view.structures.some((/** @type {any} */ one) => (
    one.type === type && one.owner === unit.owner && Math.max(Math.abs(one.x - unit.x), Math.abs(one.y - unit.y)) <= one.effect_radius
  ));
}

/** Whether a unit can pay for an action of its job: half beside a monument, if the rules are not other ones (RULES §2).
 * @param {any} view @param {any} unit */
function canPay(view, unit) {
  const cost = view.jobs?.[unit.job]?.action_cost ?? 0;
  return !unit.acted && unit.energy >= (near(view, unit, "monument") ? cost / 2 : cost);
}

/** How much more a unit can carry.
 * @param {any} view @param {any} unit */
function room(view, unit) {
  return (view.jobs?.[unit.job]?.carry_limit ?? Infinity) - unit.food - unit.materials;
}

/** What the unit in hand can do where it stands.
 * @param {any} view @param {any} unit @returns {{label: string, command: any, enabled: boolean}[]} */
function deeds(view, unit) {
  const { units, structures, tiles } = indexed(view);
  /** @type {{label: string, command: any, enabled: boolean}[]} */
  const found = [];
  /** @param {string} label @param {any} command @param {boolean} [enabled] */
  const offer = (label, command, enabled = true) => found.push({ label, command: { ...command, unit: unit.id }, enabled });
  const full = unit.energy >= Math.max(DEFAULTS.max_energy, ...view.units.map((/** @type {any} */ one) => one.energy));
  offer("Rest", { cmd: "rest" }, !unit.acted && !full && near(view, unit, "shelter"));
  const cat = view.units.find((/** @type {any} */ one) => one.owner === unit.owner && one.job === OVERLORD);
  const beside = cat && Math.max(Math.abs(cat.x - unit.x), Math.abs(cat.y - unit.y)) <= 1;
  if (unit.job !== OVERLORD && beside && !unit.acted && full) {
    for (const name of JOBS) if (name !== unit.job) offer(`Become a ${name}`, { cmd: "change_job", job: name });
  }
  const [pays, space] = [canPay(view, unit), room(view, unit)];
  for (const [sign, dx, dy] of /** @type {[string, number, number][]} */ ([["here", 0, 0], ...SIDES])) {
    const [x, y] = [unit.x + dx, unit.y + dy];
    const key = `${x},${y}`;
    const [tile, structure] = [tiles.get(key), structures.get(key)];
    const ripe = tile?.harvest_rate && !tile.turns_to_harvest && !structure;
    if (unit.job === "gatherer" && pays && space > 0 && ripe) offer(`Harvest ${sign}`, { cmd: "harvest", x, y });
    for (const resource of ["food", "materials"]) {
      if (tile?.[resource] && space > 0 && unit.energy >= 1) offer(`Pick up ${resource} ${sign}`, { cmd: "pickup", x, y, resource, amount: 0 });
    }
    if (unit.job === "builder" && pays && sign !== "here" && !structure && !view.map.road_rows.includes(y)) {
      for (const type of ["wall", "shelter", "monument"]) {
        const cost = view.structure_types?.[type]?.materials ?? Infinity;
        if ((tile?.materials ?? 0) >= cost && (type === "shelter" || !units.has(key))) offer(`Build a ${type} ${sign}`, { cmd: "construct", x, y, type });
      }
    }
  }
  const here = structures.get(place(unit));
  for (const resource of ["food", "materials"]) {
    const fits = here ? here.owner === unit.owner && resource === "food" : !view.map.road_rows.includes(unit.y);
    if (unit[resource] && fits) offer(`Drop ${resource} here`, { cmd: "drop", x: unit.x, y: unit.y, resource, amount: 0 });
  }
  return found;
}

/** @type {import("./contract.js").Renderer} */
export default { shape, draw, scores, events, at, human, describe };
