// Zooscape: the board from above. Animals and zookeepers are larger than their cells, so that they
// are visible from a distance. Cells count from the top left (RULES §3).

import { drawLayer, stamp } from "./lib/cache.js";
import { hint, overlays } from "./lib/overlays.js";
import {
  between,
  cellAt,
  disc,
  fitted,
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
import { COLOURS, beast, cage, item, keeper } from "./zooscape/figures.js";
import { CAGE, WALL, floor } from "./zooscape/floor.js";
import { streaks } from "./zooscape/streak.js";
import {
  WORDS,
  describe,
  events,
  facts,
  items,
  legend,
  progress,
  scores,
  tenths,
} from "./zooscape/words.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */
/** @typedef {import("./lib/paint.js").Grid} Grid */
/** @typedef {import("./lib/paint.js").Place} Place */

const PATH = 7;
const KEYS = Object.fromEntries([
  ...[
    ["ArrowUp", "up"],
    ["ArrowDown", "down"],
    ["ArrowLeft", "left"],
    ["ArrowRight", "right"],
    ["w", "up"],
    ["s", "down"],
    ["a", "left"],
    ["d", "right"],
    ["u", "use_item"],
    ["e", "use_item"],
  ].map(([key, action]) => [key, { action }]),
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
  drawLayer(ctx, floor(scene, shown, box, scale, grid), box);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, cell * grid.columns, cell * grid.rows);
  ctx.clip();
  for (const animal of view.animals)
    cage(ctx, middle(animal.spawn_x, animal.spawn_y), cell, seatColour(scene, animal.seat));
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
  const multipliers = streaks([...scene.trail, view], scene.config);
  for (const animal of view.animals) {
    const aside = crowds.get(animal.seat) ?? 0;
    for (const place of moved(before?.animals[animal.seat], animal, fraction, grid)) {
      const at = middle(place.x, place.y);
      const stands = { x: at.x + aside * big * 0.9, y: at.y };
      beast(ctx, scene, animal, stands, big);
      const streak = multipliers[animal.seat] ?? 1;
      if (streak > 1)
        multiplier(ctx, scene, animal.seat, streak, { x: stands.x, y: stands.y + big * 1.5 }, big);
    }
    if (
      before &&
      fraction < 1 &&
      animal.captured_count > before.animals[animal.seat]?.captured_count
    ) {
      const then = before.animals[animal.seat];
      const at = middle(then.x, then.y);
      ctx.globalAlpha = 1 - fraction;
      ring(ctx, at.x, at.y, big * (0.8 + 2.5 * fraction), scene.theme.bad, big * 0.3);
      ctx.globalAlpha = 1;
    }
  }
  for (const zookeeper of view.zookeepers) {
    const then = before?.zookeepers.find((/** @type {any} */ one) => one.id === zookeeper.id);
    for (const place of moved(then, zookeeper, fraction, grid))
      keeper(ctx, middle(place.x, place.y), big, scene.theme);
  }
  ctx.restore();
  if (scene.hover) showHint(ctx, scene, box, scene.hover, middle(scene.hover.x, scene.hover.y));
}

/** A streak's multiplier. Outlined text costs more than the rest of a drawing, so it is kept.
 * @param {Context} ctx @param {Scene} scene @param {number} seat @param {number} streak
 * @param {Place} at @param {number} big */
function multiplier(ctx, scene, seat, streak, at, big) {
  const text = `×${tenths(streak)}`;
  const colour = seatColour(scene, seat);
  const { font, panel } = scene.theme;
  stamp(ctx, `streak${text}${colour}${panel}`, at.x, at.y, big * 1.6, (under) =>
    letters(under, text, 0, 0, big * 0.9, { colour, font, weight: 800, halo: panel }),
  );
}

/** Seats that share a cell with others, and how far each is drawn aside.
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

/** The position of an animal or zookeeper between two views, cells; two positions while it crosses
 * the border. After a capture it jumps.
 * @param {any} then @param {any} now @param {number} fraction @param {Grid} grid
 * @returns {Place[]} */
function moved(then, now, fraction, { columns, rows }) {
  if (!then || fraction >= 1) return [{ x: now.x, y: now.y }];
  const [dx, dy] = [now.x - then.x, now.y - then.y];
  if (Math.abs(dx) + Math.abs(dy) <= 1)
    return [{ x: between(then.x, now.x, fraction), y: between(then.y, now.y, fraction) }];
  const across = dy === 0 && Math.abs(dx) === columns - 1;
  const along = dx === 0 && Math.abs(dy) === rows - 1;
  if (!across && !along)
    return [fraction < 0.5 ? { x: then.x, y: then.y } : { x: now.x, y: now.y }];
  const [stepX, stepY] = [across ? -Math.sign(dx) : 0, along ? -Math.sign(dy) : 0];
  return [
    { x: then.x + stepX * fraction, y: then.y + stepY * fraction },
    { x: now.x - stepX * (1 - fraction), y: now.y - stepY * (1 - fraction) },
  ];
}

/** The fading path of an animal over the last turns.
 * @param {Context} ctx @param {Scene} scene @param {number} seat @param {number} cell
 * @param {(x: number, y: number) => Place} middle */
function trail(ctx, scene, seat, cell, middle) {
  const seen = [
    ...scene.trail.slice(-PATH),
    scene.fraction < 1 && scene.before ? scene.before : scene.view,
  ];
  const colour = seatColour(scene, seat);
  ctx.lineCap = "round";
  for (let at = 1; at < seen.length; at += 1) {
    const [one, other] = [seen[at - 1].animals[seat], seen[at].animals[seat]];
    if (!one || !other || Math.abs(one.x - other.x) + Math.abs(one.y - other.y) !== 1) continue;
    const [from, to] = [middle(one.x, one.y), middle(other.x, other.y)];
    line(
      ctx,
      [
        [from.x, from.y],
        [to.x, to.y],
      ],
      mix(scene.theme.panel, colour, 0.1 + (0.5 * at) / seen.length),
      Math.max(cell * 0.22, 1.5),
    );
  }
}

/** The range of a scavenger.
 * @param {Context} ctx @param {Scene} scene @param {any} animal @param {number} cell
 * @param {(x: number, y: number) => Place} middle */
function square(ctx, scene, animal, cell, middle) {
  const radius = animal.active_power_up.value + 0.5;
  const { x, y } = middle(animal.x, animal.y);
  const colour = seatColour(scene, animal.seat);
  ctx.globalAlpha = 0.16;
  plate(
    ctx,
    x - radius * cell,
    y - radius * cell,
    2 * radius * cell,
    2 * radius * cell,
    cell * 0.4,
    colour,
  );
  ctx.globalAlpha = 1;
  ctx.setLineDash([cell * 0.6, cell * 0.4]);
  frame(
    ctx,
    x - radius * cell,
    y - radius * cell,
    2 * radius * cell,
    2 * radius * cell,
    cell * 0.4,
    colour,
    Math.max(cell * 0.14, 1.5),
  );
  ctx.setLineDash([]);
}

/** The hint for the cell under the pointer.
 * @param {Context} ctx @param {Scene} scene @param {Box} box @param {Place} cell
 * @param {Place} at */
function showHint(ctx, scene, box, cell, at) {
  /** @param {any} one */
  const here = (one) => Math.abs(one.x - cell.x) + Math.abs(one.y - cell.y) <= 1;
  const animal = scene.view.animals.find(here);
  const lying = items(scene.view).find((one) => one.x === cell.x && one.y === cell.y);
  if (animal)
    hint(
      ctx,
      scene,
      box,
      at,
      nameOf(scene.seats, animal.seat),
      facts(animal, streaks([...scene.trail, scene.view], scene.config)[animal.seat]).map(
        ([what, value]) => `${what} ${value}`,
      ),
    );
  else if (lying) hint(ctx, scene, box, at, WORDS[lying.kind] ?? lying.kind, []);
}

/** @param {number} x @param {number} y @param {any} view @param {Box} box @returns {Place|null} */
function at(x, y, view, box) {
  return cellAt(placed(view, box), x, y);
}

/** @param {Place} place @param {any} view @param {Box} box */
function middle({ x, y }, view, box) {
  const { left, top, cell } = placed(view, box);
  return { x: left + (x + 0.5) * cell, y: top + (y + 0.5) * cell, cell };
}

/** The cells beside an animal that it can enter, through a portal at the border too if the match
 * has them.
 * @param {any} view @param {number} seat @param {any} config
 * @returns {import("./contract.js").CellOverlay[]} */
function steps(view, seat, config) {
  const { width, height } = shape(view);
  const { x, y } = view.animals[seat];
  const beside = /** @type {[number, number][]} */ ([
    [x, y - 1],
    [x + 1, y],
    [x, y + 1],
    [x - 1, y],
  ]);
  const through = config?.portals !== false;
  const inside = (/** @type {number[]} */ [east = 0, south = 0]) =>
    east >= 0 && east < width && south >= 0 && south < height;
  return beside
    .filter((place) => through || inside(place))
    .map(([east, south]) => ({ x: (east + width) % width, y: (south + height) % height }))
    .filter((cell) => ![WALL, CAGE].includes(view.map[cell.y][cell.x]))
    .map((cell) => ({ kind: "cell", ...cell, seat }));
}

/** @param {any} view @param {number} seat @param {any} [config]
 * @returns {import("./contract.js").Controls} */
function human(view, seat, config) {
  const animal = view.animals[seat];
  const running = !view.game_over;
  const labels = /** @type {[string, string][]} */ ([
    ["← Left", "left"],
    ["↑ Up", "up"],
    ["↓ Down", "down"],
    ["→ Right", "right"],
  ]);
  const held = animal?.held_power_up;
  return {
    keys: KEYS,
    buttons: [
      ...labels.map(([label, action]) => ({ label, command: { action }, enabled: running })),
      {
        label: held ? `Use ${WORDS[held]}` : "Use",
        command: { action: "use_item" },
        enabled: running && Boolean(held),
      },
    ],
    click: (x, y, shown, box) => {
      const cell = at(x, y, shown, box);
      const me = shown.animals[seat];
      if (!cell || !me || (cell.x === me.x && cell.y === me.y)) return null;
      const [dx, dy] = [cell.x - me.x, cell.y - me.y];
      const action =
        Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "right" : "left") : dy > 0 ? "down" : "up";
      return { action };
    },
    endTurn: false,
    moves: animal && running ? steps(view, seat, config) : [],
    hint:
      "Turn with the arrow keys or W A S D, use your item with U, or click in the direction you " +
      "want to go. You keep going until you turn.",
  };
}

/** @param {any} config */
const paceMs = (config) => config.tick_ms || 200;

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
};
