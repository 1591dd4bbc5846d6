// Zooscape: the board from above, animals and zookeepers drawn larger than their cells so that they are found from the back row.
// Cells count from the top left (RULES §3). Floor, walls and pellets are one picture that is kept; of it only what changed is repainted.
import { between, cellAt, disc, dress, fitted, frame, hint, layer, letters, line, mix, nameOf, noted, overlays, plate, polygon, put, ring,
  scaleOf, seatColour } from "./lib/paint.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./contract.js").SeatInfo} SeatInfo */
/** @typedef {import("./contract.js").Theme} Theme */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */
/** @typedef {import("./lib/paint.js").Grid} Grid */
/** @typedef {import("./lib/paint.js").Place} Place */

const WALL = "1";
const PELLET = "2";
const CENTRE = "3";
const CAGE = "4";
const KINDS = /** @type {Record<string, string>} */ ({ 5: "power_pellet", 6: "chameleon_cloak", 7: "scavenger", 8: "big_moose_juice" });
const WORDS = /** @type {Record<string, string>} */ ({
  power_pellet: "power pellet", chameleon_cloak: "chameleon cloak", scavenger: "scavenger", big_moose_juice: "big moose juice",
});
const COLOURS = /** @type {Record<string, string>} */ ({
  power_pellet: "#ffb000", chameleon_cloak: "#00a3a3", scavenger: "#d0279b", big_moose_juice: "#7a4fd8",
});
const STONE = "#54708c";
const PATH = 7;
const KEYS = Object.fromEntries([
  ...[["ArrowUp", "up"], ["ArrowDown", "down"], ["ArrowLeft", "left"], ["ArrowRight", "right"], ["w", "up"], ["s", "down"], ["a", "left"],
    ["d", "right"], ["u", "use_item"], ["e", "use_item"]].map(([key, action]) => [key, { action }]),
]);

/** @param {any} view */
function shape(view) {
  return { width: view.map[0].length, height: view.map.length };
}

/** @param {any} view @param {Box} box @param {number} [scale] @returns {Grid} */
function placed(view, box, scale = 1) {
  const { width, height } = shape(view);
  return fitted(box, width, height, scale);
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function draw(ctx, scene, box) {
  const { view, before, fraction } = scene;
  const scale = scaleOf(ctx);
  const grid = placed(view, box, scale);
  const { cell, left, top } = grid;
  const big = Math.max(cell * 0.46, Math.min(cell * 0.92, box.width / 58));
  /** @param {number} x @param {number} y */
  const middle = (x, y) => ({ x: left + (x + 0.5) * cell, y: top + (y + 0.5) * cell });
  const shown = before && fraction < 0.5 ? before : view;
  put(ctx, floor(scene, shown, box, scale, grid), box);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, cell * grid.columns, cell * grid.rows);
  ctx.clip();
  for (const animal of view.animals) cage(ctx, middle(animal.spawn_x, animal.spawn_y), cell, seatColour(scene, animal.seat));
  for (const { x, y, kind } of items(shown)) {
    const at = middle(x, y);
    disc(ctx, at.x, at.y, big * 0.95, mix(scene.theme.panel, COLOURS[kind] ?? "", 0.3));
    item(ctx, kind, at, big * 0.72, scene.theme);
  }
  for (const animal of view.animals) trail(ctx, scene, animal.seat, cell, middle);
  for (const animal of view.animals) {
    if (animal.active_power_up?.kind === "scavenger") square(ctx, scene, animal, cell, middle);
  }
  overlays(ctx, scene, cell, middle);
  const crowds = crowded(view.animals);
  for (const animal of view.animals) {
    const aside = crowds.get(animal.seat) ?? 0;
    for (const place of moved(before?.animals[animal.seat], animal, fraction, grid)) {
      const at = middle(place.x, place.y);
      beast(ctx, scene, animal, { x: at.x + aside * big * 0.9, y: at.y }, big);
    }
    if (before && fraction < 1 && animal.captured_count > before.animals[animal.seat]?.captured_count) {
      const then = before.animals[animal.seat];
      const at = middle(then.x, then.y);
      ctx.globalAlpha = 1 - fraction;
      ring(ctx, at.x, at.y, big * (0.8 + 2.5 * fraction), scene.theme.bad, big * 0.3);
      ctx.globalAlpha = 1;
    }
  }
  for (const zookeeper of view.zookeepers) {
    const then = before?.zookeepers.find((/** @type {any} */ one) => one.id === zookeeper.id);
    for (const place of moved(then, zookeeper, fraction, grid)) keeper(ctx, middle(place.x, place.y), big, scene.theme);
  }
  ctx.restore();
  if (scene.hover) tell(ctx, scene, box, scene.hover, middle(scene.hover.x, scene.hover.y));
}

/** The kept picture of floor, walls and pellets, brought to what this view has.
 * @param {Scene} scene @param {any} view @param {Box} box @param {number} scale @param {Grid} grid */
function floor({ theme }, view, box, scale, grid) {
  const rows = /** @type {string[]} */ (view.map);
  const walls = noted(rows, "walls", () => rows.map((row) => row.replace(/[^134]/g, "0")).join("|"));
  const kept = layer(`zooscape${walls}${dress(theme)}`, box, scale, (ctx) => {
    stones(ctx, rows, grid, theme);
    return rows.map((row) => row.replace(/[^134]/g, "0"));
  });
  const painted = /** @type {string[]} */ (kept.painted);
  rows.forEach((row, y) => {
    const old = painted[y] ?? "";
    if (row === old) return;
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== old[x]) pellet(kept.ctx, grid, x, y, row[x] === PELLET, theme);
    }
    painted[y] = row;
  });
  return kept;
}

/** @param {Theme} theme */
function ground(theme) {
  return mix(theme.panel, theme.ink, theme.dark ? 0.02 : 0);
}

/** @param {Context} ctx @param {Grid} grid @param {number} x @param {number} y @param {boolean} there @param {Theme} theme */
function pellet(ctx, grid, x, y, there, theme) {
  const { cell, left, top } = grid;
  ctx.fillStyle = ground(theme);
  ctx.fillRect(left + x * cell, top + y * cell, cell, cell);
  if (there) disc(ctx, left + (x + 0.5) * cell, top + (y + 0.5) * cell, Math.max(cell * 0.12, 1), mix(theme.ink, theme.panel, 0.25));
  portal(ctx, grid, x, y, theme);
}

/** An arrow out of the board, where a way leads through its border.
 * @param {Context} ctx @param {Grid} grid @param {number} x @param {number} y @param {Theme} theme */
function portal(ctx, { cell, left, top, columns, rows }, x, y, theme) {
  const [dx, dy] = [x === 0 ? -1 : x === columns - 1 ? 1 : 0, y === 0 ? -1 : y === rows - 1 ? 1 : 0];
  if (!dx && !dy) return;
  const [tipX, tipY] = [left + (x + 0.5 + dx * 0.42) * cell, top + (y + 0.5 + dy * 0.42) * cell];
  const wing = cell * 0.22;
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  line(ctx, [
    [tipX - (dx + dy) * wing, tipY - (dy + dx) * wing], [tipX, tipY], [tipX - (dx - dy) * wing, tipY - (dy - dx) * wing],
  ], theme.accent, Math.max(cell * 0.12, 1));
}

/** Walls, rounded where they end; the zookeepers' spawn; ways through the border.
 * @param {Context} ctx @param {string[]} rows @param {Grid} grid @param {Theme} theme */
function stones(ctx, rows, grid, theme) {
  const { cell, left, top, columns, rows: high } = grid;
  ctx.fillStyle = ground(theme);
  ctx.fillRect(left, top, columns * cell, high * cell);
  const stone = mix(theme.panel, STONE, theme.dark ? 0.55 : 0.62);
  /** @param {number} x @param {number} y */
  const solid = (x, y) => (rows[y]?.[x] ?? WALL) === WALL;
  const soft = cell * 0.32;
  ctx.beginPath();
  for (let y = 0; y < high; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      if (!solid(x, y)) continue;
      const [up, down, west, east] = [solid(x, y - 1), solid(x, y + 1), solid(x - 1, y), solid(x + 1, y)];
      /** @param {boolean} a @param {boolean} b */
      const corner = (a, b) => (a || b ? 0 : soft);
      ctx.roundRect(left + x * cell, top + y * cell, cell, cell, [corner(up, west), corner(up, east), corner(down, east), corner(down, west)]);
    }
  }
  ctx.fillStyle = stone;
  ctx.fill();
  rows.forEach((row, y) => {
    for (let x = 0; x < columns; x += 1) {
      const [px, py] = [left + x * cell, top + y * cell];
      if (row[x] === CENTRE) {
        plate(ctx, px, py, cell, cell, cell * 0.15, mix(theme.panel, theme.bad, 0.25));
        frame(ctx, px + cell * 0.1, py + cell * 0.1, cell * 0.8, cell * 0.8, cell * 0.15, theme.bad, Math.max(cell * 0.1, 1));
      } else if (row[x] === CAGE) {
        frame(ctx, px + cell * 0.1, py + cell * 0.1, cell * 0.8, cell * 0.8, cell * 0.15, theme.soft, Math.max(cell * 0.08, 1));
      }
      if (row[x] !== WALL) portal(ctx, grid, x, y, theme);
    }
  });
}

/** Where the power-ups lie.
 * @param {any} view @returns {{x: number, y: number, kind: string}[]} */
function items(view) {
  return noted(view.map, "items", () => {
    /** @type {{x: number, y: number, kind: string}[]} */
    const found = [];
    view.map.forEach((/** @type {string} */ row, /** @type {number} */ y) => {
      for (const { 0: digit, index: x } of row.matchAll(/[5-8]/g)) found.push({ x, y, kind: KINDS[digit] ?? "" });
    });
    return found;
  });
}

/** Seats that share a cell with others, and how far each stands aside.
 * @param {any[]} animals @returns {Map<number, number>} */
function crowded(animals) {
  /** @type {Map<number, number>} */
  const aside = new Map();
  for (const one of animals) {
    const there = animals.filter((other) => other.x === one.x && other.y === one.y);
    if (there.length > 1) aside.set(one.seat, there.indexOf(one) - (there.length - 1) / 2);
  }
  return aside;
}

/** Where somebody is on the way between two views, cells; two places while it passes the border. Who was carried off is not seen to walk.
 * @param {any} then @param {any} now @param {number} fraction @param {Grid} grid @returns {Place[]} */
function moved(then, now, fraction, { columns, rows }) {
  if (!then || fraction >= 1) return [{ x: now.x, y: now.y }];
  const [dx, dy] = [now.x - then.x, now.y - then.y];
  if (Math.abs(dx) + Math.abs(dy) <= 1) return [{ x: between(then.x, now.x, fraction), y: between(then.y, now.y, fraction) }];
  const across = dy === 0 && Math.abs(dx) === columns - 1;
  const along = dx === 0 && Math.abs(dy) === rows - 1;
  if (!across && !along) return [fraction < 0.5 ? { x: then.x, y: then.y } : { x: now.x, y: now.y }];
  const [stepX, stepY] = [across ? -Math.sign(dx) : 0, along ? -Math.sign(dy) : 0];
  return [
    { x: then.x + stepX * fraction, y: then.y + stepY * fraction },
    { x: now.x - stepX * (1 - fraction), y: now.y - stepY * (1 - fraction) },
  ];
}

/** The last cells an animal walked, fading.
 * @param {Context} ctx @param {Scene} scene @param {number} seat @param {number} cell @param {(x: number, y: number) => Place} middle */
function trail(ctx, scene, seat, cell, middle) {
  const seen = [...scene.trail.slice(-PATH), scene.fraction < 1 && scene.before ? scene.before : scene.view];
  const colour = seatColour(scene, seat);
  ctx.lineCap = "round";
  for (let at = 1; at < seen.length; at += 1) {
    const [one, other] = [seen[at - 1].animals[seat], seen[at].animals[seat]];
    if (!one || !other || Math.abs(one.x - other.x) + Math.abs(one.y - other.y) !== 1) continue;
    const [from, to] = [middle(one.x, one.y), middle(other.x, other.y)];
    line(ctx, [[from.x, from.y], [to.x, to.y]], mix(scene.theme.panel, colour, 0.1 + (0.5 * at) / seen.length), Math.max(cell * 0.22, 1.5));
  }
}

/** What a scavenger reaches.
 * @param {Context} ctx @param {Scene} scene @param {any} animal @param {number} cell @param {(x: number, y: number) => Place} middle */
function square(ctx, scene, animal, cell, middle) {
  const radius = animal.active_power_up.value + 0.5;
  const { x, y } = middle(animal.x, animal.y);
  const colour = seatColour(scene, animal.seat);
  ctx.globalAlpha = 0.16;
  plate(ctx, x - radius * cell, y - radius * cell, 2 * radius * cell, 2 * radius * cell, cell * 0.4, colour);
  ctx.globalAlpha = 1;
  ctx.setLineDash([cell * 0.6, cell * 0.4]);
  frame(ctx, x - radius * cell, y - radius * cell, 2 * radius * cell, 2 * radius * cell, cell * 0.4, colour, Math.max(cell * 0.14, 1.5));
  ctx.setLineDash([]);
}

/** @param {Context} ctx @param {Place} at @param {number} cell @param {string} colour */
function cage(ctx, { x, y }, cell, colour) {
  plate(ctx, x - cell / 2, y - cell / 2, cell, cell, cell * 0.2, colour);
  for (const bar of [-0.22, 0, 0.22]) {
    line(ctx, [[x + bar * cell, y - cell * 0.36], [x + bar * cell, y + cell * 0.36]], "#00000066", Math.max(cell * 0.08, 0.8));
  }
}

/** An animal with what it has: what is active around it, what is held at its shoulder.
 * @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {any} animal @param {Place} at @param {number} size */
function beast(ctx, scene, animal, at, size) {
  const colour = seatColour(scene, animal.seat);
  const { theme } = scene;
  const active = animal.active_power_up;
  if (active) ring(ctx, at.x, at.y, size * 1.35, COLOURS[active.kind] ?? colour, size * 0.26);
  ctx.globalAlpha = active?.kind === "chameleon_cloak" ? 0.5 : 1;
  (ANIMALS[animal.seat % ANIMALS.length] ?? bear)(ctx, at, size, colour, theme.ground);
  ctx.globalAlpha = 1;
  if (active) {
    disc(ctx, at.x + size, at.y - size, size * 0.62, COLOURS[active.kind] ?? colour);
    letters(ctx, String(active.ticks_remaining), at.x + size, at.y - size * 0.96, size * 0.85, { colour: "#ffffff", font: theme.font, weight: 700 });
  } else if (animal.held_power_up) {
    disc(ctx, at.x + size, at.y - size, size * 0.66, theme.ground);
    item(ctx, animal.held_power_up, { x: at.x + size, y: at.y - size }, size * 0.5, theme);
  }
  if (scene.viewer === animal.seat) {
    polygon(ctx, [[at.x - size * 0.5, at.y - size * 2.2], [at.x + size * 0.5, at.y - size * 2.2], [at.x, at.y - size * 1.6]], theme.ink);
  }
}

/** The ears tell them apart where colours do not.
 * @typedef {(ctx: Context, at: Place, size: number, colour: string, edge: string) => void} Drawer */

/** @type {Drawer} */
function bear(ctx, { x, y }, size, colour, edge) {
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.68, y - size * 0.68, size * 0.46, edge);
    disc(ctx, x + side * size * 0.68, y - size * 0.68, size * 0.36, colour);
    disc(ctx, x + side * size * 0.68, y - size * 0.68, size * 0.17, mix(colour, "#000000", 0.35));
  }
  head(ctx, { x, y }, size, colour, edge);
}

/** @type {Drawer} */
function fox(ctx, { x, y }, size, colour, edge) {
  for (const side of [-1, 1]) {
    polygon(ctx, [[x + side * size * 0.05, y - size * 0.7], [x + side * size * 1.05, y - size * 1.5], [x + side * size * 1.05, y]], edge);
    polygon(ctx, [[x + side * size * 0.2, y - size * 0.7], [x + side * size * 0.94, y - size * 1.3], [x + side * size * 0.94, y]], colour);
  }
  head(ctx, { x, y }, size, colour, edge);
}

/** @type {Drawer} */
function hare(ctx, { x, y }, size, colour, edge) {
  for (const side of [-1, 1]) {
    for (const [fill, grow] of /** @type {[string, number][]} */ ([[edge, 0.1], [colour, 0], [mix(colour, "#ffffff", 0.5), -0.13]])) {
      ctx.fillStyle = fill;
      ctx.beginPath();
      ctx.ellipse(x + side * size * 0.4, y - size * 1.15, size * (0.25 + grow), size * (0.75 + grow), side * 0.18, 0, 2 * Math.PI);
      ctx.fill();
    }
  }
  head(ctx, { x, y }, size, colour, edge);
}

/** @type {Drawer} */
function elephant(ctx, { x, y }, size, colour, edge) {
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.98, y - size * 0.1, size * 0.7, edge);
    disc(ctx, x + side * size * 0.98, y - size * 0.1, size * 0.6, mix(colour, "#000000", 0.14));
  }
  head(ctx, { x, y }, size, colour, edge);
  ctx.lineCap = "round";
  line(ctx, [[x, y + size * 0.3], [x, y + size * 1.1], [x + size * 0.3, y + size * 1.25]], edge, size * 0.5);
  line(ctx, [[x, y + size * 0.3], [x, y + size * 1.1], [x + size * 0.3, y + size * 1.25]], mix(colour, "#ffffff", 0.2), size * 0.32);
}

/** @type {Drawer} */
function head(ctx, { x, y }, size, colour, edge) {
  disc(ctx, x, y, size, edge);
  disc(ctx, x, y, size * 0.88, colour);
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.34, y - size * 0.16, size * 0.22, "#ffffff");
    disc(ctx, x + side * size * 0.32, y - size * 0.13, size * 0.12, "#15181b");
  }
  ctx.fillStyle = mix(colour, "#ffffff", 0.55);
  ctx.beginPath();
  ctx.ellipse(x, y + size * 0.4, size * 0.42, size * 0.3, 0, 0, 2 * Math.PI);
  ctx.fill();
  disc(ctx, x, y + size * 0.26, size * 0.13, "#15181b");
}

const ANIMALS = [bear, fox, hare, elephant];

/** A man in uniform, ringed in the colour of danger.
 * @param {Context} ctx @param {Place} at @param {number} size @param {Theme} theme */
function keeper(ctx, { x, y }, size, theme) {
  disc(ctx, x, y, size * 1.16, theme.ground);
  disc(ctx, x, y, size * 1.08, "#d3212d");
  disc(ctx, x, y, size * 0.9, "#f3d0ab");
  ctx.fillStyle = "#1d2b4f";
  ctx.beginPath();
  ctx.arc(x, y, size * 0.9, Math.PI * 1.08, Math.PI * 1.92);
  ctx.closePath();
  ctx.fill();
  plate(ctx, x - size * 1.02, y - size * 0.36, size * 2.04, size * 0.22, size * 0.1, "#0c1428");
  disc(ctx, x, y - size * 0.58, size * 0.17, "#ffc930");
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.34, y + size * 0.1, size * 0.13, "#15181b");
    line(ctx, [[x + side * size * 0.16, y - size * 0.02], [x + side * size * 0.52, y - size * 0.12]], "#15181b", size * 0.1);
  }
  plate(ctx, x - size * 0.44, y + size * 0.32, size * 0.88, size * 0.22, size * 0.1, "#5b3a1e");
}

/** The sign of a power-up.
 * @param {Context} ctx @param {string} kind @param {Place} at @param {number} size @param {Theme} theme */
function item(ctx, kind, { x, y }, size, theme) {
  const colour = COLOURS[kind] ?? theme.accent;
  const shine = "#ffffff";
  if (kind === "power_pellet") {
    /** @type {[number, number][]} */
    const star = Array.from({ length: 10 }, (_, index) => {
      const reach = size * (index % 2 ? 0.5 : 1.1);
      const angle = (index * Math.PI) / 5 - Math.PI / 2;
      return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
    });
    polygon(ctx, star, colour);
    disc(ctx, x, y, size * 0.26, shine);
  } else if (kind === "chameleon_cloak") {
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.moveTo(x, y - size);
    ctx.bezierCurveTo(x + size, y - size, x + size * 0.8, y + size * 0.2, x + size, y + size);
    ctx.quadraticCurveTo(x + size * 0.5, y + size * 0.6, x, y + size);
    ctx.quadraticCurveTo(x - size * 0.5, y + size * 0.6, x - size, y + size);
    ctx.bezierCurveTo(x - size * 0.8, y + size * 0.2, x - size, y - size, x, y - size);
    ctx.fill();
    for (const side of [-1, 1]) disc(ctx, x + side * size * 0.3, y - size * 0.2, size * 0.17, shine);
  } else if (kind === "scavenger") {
    ctx.lineCap = "butt";
    ctx.strokeStyle = colour;
    ctx.lineWidth = size * 0.5;
    ctx.beginPath();
    ctx.moveTo(x - size * 0.65, y - size * 0.9);
    ctx.lineTo(x - size * 0.65, y + size * 0.15);
    ctx.arc(x, y + size * 0.15, size * 0.65, Math.PI, 0, true);
    ctx.lineTo(x + size * 0.65, y - size * 0.9);
    ctx.stroke();
    for (const side of [-1, 1]) {
      ctx.fillStyle = shine;
      ctx.fillRect(x + side * size * 0.65 - size * 0.25, y - size * 0.95, size * 0.5, size * 0.4);
    }
  } else {
    plate(ctx, x - size * 0.28, y - size, size * 0.56, size * 0.7, size * 0.1, colour);
    plate(ctx, x - size * 0.68, y - size * 0.5, size * 1.36, size * 1.5, size * 0.35, colour);
    plate(ctx, x - size * 0.45, y - size * 0.02, size * 0.9, size * 0.6, size * 0.12, shine);
  }
}

/** What is known of the cell under the pointer.
 * @param {Context} ctx @param {Scene} scene @param {Box} box @param {Place} cell @param {Place} at */
function tell(ctx, scene, box, cell, at) {
  /** @param {any} one */
  const here = (one) => Math.abs(one.x - cell.x) + Math.abs(one.y - cell.y) <= 1;
  const animal = scene.view.animals.find(here);
  const lying = items(scene.view).find((one) => one.x === cell.x && one.y === cell.y);
  if (animal) hint(ctx, scene, box, at, nameOf(scene.seats, animal.seat), facts(animal).map(([what, value]) => `${what} ${value}`));
  else if (lying) hint(ctx, scene, box, at, WORDS[lying.kind] ?? lying.kind, []);
}

/** @param {any} animal @returns {[string, string][]} */
function facts(animal) {
  /** @type {[string, string][]} */
  const told = [["captured", String(animal.captured_count)], ["walked", String(animal.distance_covered)]];
  if (animal.held_power_up) told.push(["holds", WORDS[animal.held_power_up] ?? animal.held_power_up]);
  if (animal.active_power_up) {
    const { kind, ticks_remaining: ticks } = animal.active_power_up;
    told.push(["active", `${WORDS[kind] ?? kind}, ${ticks} more`]);
  }
  return told;
}

/** @param {any} view @param {SeatInfo[]} _seats @returns {import("./contract.js").Score[]} */
function scores(view, _seats) {
  return view.animals.map((/** @type {any} */ animal) => ({
    seat: animal.seat, points: animal.score, text: animal.score.toLocaleString("en"), facts: facts(animal),
  }));
}

/** @param {any} before @param {any} view @param {SeatInfo[]} seats @returns {import("./contract.js").Told[]} */
function events(before, view, seats) {
  /** @type {import("./contract.js").Told[]} */
  const told = [];
  if (!before) return told;
  for (const animal of view.animals) {
    const { seat } = animal;
    const then = before.animals[seat];
    if (!then) continue;
    const name = nameOf(seats, seat);
    if (animal.captured_count > then.captured_count) {
      const lost = Math.max(0, then.score - animal.score);
      told.push({ seat, text: `${name} is captured and loses ${lost.toLocaleString("en")}`, kind: "bad" });
    }
    if (animal.held_power_up && animal.held_power_up !== then.held_power_up) {
      told.push({ seat, text: `${name} picks up a ${WORDS[animal.held_power_up]}`, kind: "info" });
    }
    if (animal.active_power_up && animal.active_power_up.kind !== then.active_power_up?.kind) {
      told.push({ seat, text: `${name} uses a ${WORDS[animal.active_power_up.kind]}`, kind: "good" });
    }
    const swallowed = before.map[animal.y]?.[animal.x] === "5" && view.map[animal.y]?.[animal.x] !== "5";
    if (swallowed) told.push({ seat, text: `${name} eats a power pellet: ${(animal.score - then.score).toLocaleString("en")}`, kind: "good" });
  }
  for (const { x, y, kind } of items(view)) {
    if (before.map[y]?.[x] !== view.map[y][x]) told.push({ seat: null, text: `a ${WORDS[kind]} appears at ${x}, ${y}`, kind: "info" });
  }
  for (let more = before.zookeepers.length; more < view.zookeepers.length; more += 1) {
    told.push({ seat: null, text: "one more zookeeper appears", kind: "bad" });
  }
  return told;
}

/** @param {number} x @param {number} y @param {any} view @param {Box} box @returns {Place|null} */
function at(x, y, view, box) {
  return cellAt(placed(view, box), x, y);
}

/** @param {any} view @param {number} seat @returns {import("./contract.js").Controls} */
function human(view, seat) {
  const animal = view.animals[seat];
  const running = !view.game_over;
  const labels = /** @type {[string, string][]} */ ([["← Left", "left"], ["↑ Up", "up"], ["↓ Down", "down"], ["→ Right", "right"]]);
  const held = animal?.held_power_up;
  return {
    keys: KEYS,
    buttons: [
      ...labels.map(([label, action]) => ({ label, command: { action }, enabled: running })),
      { label: held ? `Use ${WORDS[held]}` : "Use", command: { action: "use_item" }, enabled: running && Boolean(held) },
    ],
    click: (x, y, shown, box) => {
      const cell = at(x, y, shown, box);
      const me = shown.animals[seat];
      if (!cell || !me || (cell.x === me.x && cell.y === me.y)) return null;
      const [dx, dy] = [cell.x - me.x, cell.y - me.y];
      const action = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "right" : "left") : dy > 0 ? "down" : "up";
      return { action };
    },
    endTurn: false,
    hint: "Turn with the arrow keys or W A S D, use what you hold with U, or click the side you want to go to. You keep going until you turn.",
  };
}

/** @param {any} view @param {number|null} seat */
function describe(view, seat) {
  const stands = [...view.animals]
    .sort((one, other) => other.score - one.score)
    .map((animal) => `${animal.seat === seat ? "you" : `animal ${animal.seat + 1}`} ${animal.score} points at ${animal.x}, ${animal.y}`);
  const pellets = view.map.join("").split(PELLET).length - 1;
  const zookeepers = view.zookeepers.length === 1 ? "1 zookeeper" : `${view.zookeepers.length} zookeepers`;
  return `Tick ${view.tick} of ${view.max_ticks}: ${stands.join(", ")}; ${zookeepers}, ${pellets} pellets.`;
}

/** @type {import("./contract.js").Renderer} */
export default { shape, draw, scores, events, at, human, describe };
