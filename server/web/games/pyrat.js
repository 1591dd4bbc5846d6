// PyRat: the maze from above, mud with its price, cheese, and who walked where. Cells count from the bottom left (RULES §3).
import {
  between,
  cellAt,
  disc,
  dress,
  eased,
  fitted,
  layer,
  letters,
  line,
  mix,
  nameOf,
  noted,
  overlays,
  plate,
  polygon,
  put,
  ring,
  scaleOf,
  seatColour,
  stamp,
  still,
} from "./lib/paint.js";

/** @typedef {import("./contract.js").Scene} Scene */
/** @typedef {import("./contract.js").SeatInfo} SeatInfo */
/** @typedef {import("./lib/paint.js").Box} Box */
/** @typedef {import("./lib/paint.js").Context} Context */
/** @typedef {import("./lib/paint.js").Grid} Grid */
/** @typedef {import("./lib/paint.js").Place} Place */

const ROLES = ["rat", "python"];
const MARGIN = 0.3;
const CHEESE = "#f2b705";
const RIND = "#b87f00";
const MUD = "#8a5a2b";
/** By arrow key and by letter. */
const KEYS = {
  ArrowUp: "UP",
  ArrowRight: "RIGHT",
  ArrowDown: "DOWN",
  ArrowLeft: "LEFT",
  w: "UP",
  d: "RIGHT",
  s: "DOWN",
  a: "LEFT",
  ".": "STAY",
};
const DEEDS = /** @type {Record<string, string>} */ ({
  entered_mud: "walks into mud",
  left_mud: "is out of the mud",
  blocked: "runs into a wall",
});

/** @param {any} view */
function shape(view) {
  return { width: view.maze.width + 2 * MARGIN, height: view.maze.height + 2 * MARGIN };
}

/** @param {any} view @param {Box} box @param {number} [scale] @returns {Grid & {middle: (x: number, y: number) => Place}} */
function placed(view, box, scale = 1) {
  const { width, height } = shape(view);
  const whole = fitted(box, width, height, scale);
  const grid = {
    ...whole,
    left: whole.left + MARGIN * whole.cell,
    top: whole.top + MARGIN * whole.cell,
    columns: view.maze.width,
    rows: view.maze.height,
  };
  return {
    ...grid,
    middle: (x, y) => ({
      x: grid.left + (x + 0.5) * grid.cell,
      y: grid.top + (grid.rows - y - 0.5) * grid.cell,
    }),
  };
}

/** @param {CanvasRenderingContext2D} ctx @param {Scene} scene @param {Box} box */
function draw(ctx, scene, box) {
  const { view, before } = scene;
  const scale = scaleOf(ctx);
  const grid = placed(view, box, scale);
  const { cell, middle } = grid;
  // What is eaten in this turn lies there until the eaters have come.
  const lying = before && scene.fraction < 0.7 ? before.cheese : view.cheese;
  const board = still(
    `pyrat board${mazeKey(view.maze)}${dress(scene.theme)}`,
    box,
    scale,
    lying,
    (under) => {
      put(under, ground(scene, box, scale, grid), box);
      for (const [x, y] of lying) {
        const at = middle(x, y);
        stamp(under, "cheese", at.x, at.y, cell * 0.4, (small) =>
          cheese(small, { x: 0, y: 0 }, cell * 0.34),
        );
      }
    },
  );
  put(ctx, board, box);
  trails(ctx, scene, grid);
  overlays(ctx, scene, cell, middle);
  const places = ROLES.map((role) => standing(scene, role));
  const [rat, python] = /** @type {[Place, Place]} */ (places);
  const shared = Math.hypot(rat.x - python.x, rat.y - python.y) < 0.45;
  ROLES.forEach((role, seat) => {
    const { x, y } = /** @type {Place} */ (places[seat]);
    const aside = shared ? (seat === 0 ? 0.2 : -0.2) : 0;
    const at = middle(x + aside, y + aside);
    const size = cell * (shared ? 0.32 : 0.44);
    (seat === 0 ? mouse : snake)(ctx, at, size, seatColour(scene, seat), scene.theme.ground);
    if (scene.viewer === seat) {
      const tip = { x: at.x, y: at.y - size * 1.25 };
      polygon(
        ctx,
        [
          [tip.x, tip.y],
          [tip.x - size * 0.4, tip.y - size * 0.5],
          [tip.x + size * 0.4, tip.y - size * 0.5],
        ],
        scene.theme.ink,
      );
    }
    const waits = view[role].mud_turns;
    if (waits)
      badge(
        ctx,
        { x: at.x + size * 0.9, y: at.y - size * 0.9 },
        Math.max(cell * 0.19, 6),
        String(waits),
        scene,
      );
  });
}

/** @param {any} maze @returns {string} equal for equal mazes */
function mazeKey(maze) {
  return noted(maze, "key", () => JSON.stringify([maze.width, maze.height, maze.walls, maze.mud]));
}

/** Floor, mud and walls: painted once for each maze, size and theme.
 * @param {Scene} scene @param {Box} box @param {number} scale @param {ReturnType<typeof placed>} grid */
function ground(scene, box, scale, grid) {
  const { theme, view } = scene;
  const { maze } = view;
  return layer(`pyrat${mazeKey(maze)}${dress(theme)}`, box, scale, (ctx) => {
    const { cell, left, top, middle, columns, rows } = grid;
    const floor = mix(theme.panel, theme.ink, theme.dark ? 0.05 : 0.02);
    plate(
      ctx,
      left - cell * 0.12,
      top - cell * 0.12,
      columns * cell + cell * 0.24,
      rows * cell + cell * 0.24,
      cell * 0.18,
      floor,
    );
    ctx.fillStyle = mix(floor, theme.ink, 0.035);
    for (let y = 0; y < rows; y += 1) {
      for (let x = y % 2; x < columns; x += 2)
        ctx.fillRect(left + x * cell, top + (rows - 1 - y) * cell, cell, cell);
    }
    for (const [a, b, cost] of maze.mud)
      mud(ctx, middle(a[0], a[1]), middle(b[0], b[1]), cell, cost, theme);
    ctx.lineCap = "round";
    ctx.lineJoin = "round";
    ctx.strokeStyle = mix(theme.ink, theme.panel, theme.dark ? 0.4 : 0.3);
    ctx.lineWidth = Math.max(cell * 0.13, 1.5);
    ctx.beginPath();
    for (const [a, b] of maze.walls) {
      const [one, other] = [middle(a[0], a[1]), middle(b[0], b[1])];
      const [x, y] = [(one.x + other.x) / 2, (one.y + other.y) / 2];
      const upright = a[1] === b[1];
      ctx.moveTo(upright ? x : x - cell / 2, upright ? y - cell / 2 : y);
      ctx.lineTo(upright ? x : x + cell / 2, upright ? y + cell / 2 : y);
    }
    ctx.stroke();
    ctx.lineWidth = Math.max(cell * 0.16, 2);
    ctx.beginPath();
    ctx.roundRect(
      left - cell * 0.06,
      top - cell * 0.06,
      columns * cell + cell * 0.12,
      rows * cell + cell * 0.12,
      cell * 0.14,
    );
    ctx.stroke();
  });
}

/** A muddy passage: puddles across it, and what it costs.
 * @param {Context} ctx @param {Place} one @param {Place} other @param {number} cell @param {number} cost
 * @param {import("./contract.js").Theme} theme */
function mud(ctx, one, other, cell, cost, theme) {
  const [x, y] = [(one.x + other.x) / 2, (one.y + other.y) / 2];
  const upright = one.x === other.x;
  const colour = mix(MUD, theme.panel, theme.dark ? 0.15 : 0.3);
  ctx.fillStyle = colour;
  for (const [along, across, size] of /** @type {[number, number, number][]} */ ([
    [0, 0, 0.3],
    [-0.16, -0.24, 0.17],
    [0.14, 0.26, 0.19],
    [0.2, -0.17, 0.13],
  ])) {
    ctx.beginPath();
    const [dx, dy] = upright ? [across, along] : [along, across];
    ctx.ellipse(
      x + dx * cell,
      y + dy * cell,
      cell * size * (upright ? 1.15 : 0.9),
      cell * size * (upright ? 0.9 : 1.15),
      0,
      0,
      2 * Math.PI,
    );
    ctx.fill();
  }
  if (cell > 13)
    letters(ctx, String(cost), x, y + cell * 0.02, Math.max(cell * 0.3, 9), {
      colour: "#ffffff",
      font: theme.font,
      weight: 700,
    });
}

/** @param {Context} ctx @param {Place} at @param {number} size */
function cheese(ctx, { x, y }, size) {
  polygon(
    ctx,
    [
      [x - size, y + size * 0.1],
      [x + size * 0.75, y - size * 0.75],
      [x + size, y + size * 0.1],
    ],
    CHEESE,
  );
  ctx.fillStyle = mix(CHEESE, RIND, 0.35);
  ctx.fillRect(x - size, y + size * 0.1, size * 2, size * 0.6);
  disc(ctx, x - size * 0.45, y + size * 0.42, size * 0.17, RIND);
  disc(ctx, x + size * 0.35, y + size * 0.36, size * 0.2, RIND);
  disc(ctx, x + size * 0.4, y - size * 0.22, size * 0.17, RIND);
}

/** Where a player stands between the two views, cells. Who wades is on its way, as far as it has waited.
 * @param {Scene} scene @param {string} role @returns {Place} */
function standing({ before, view, fraction }, role) {
  const now = wading(view, role);
  if (!before) return now;
  const then = wading(before, role);
  if (Math.hypot(now.x - then.x, now.y - then.y) > 1.01) return fraction < 0.5 ? then : now;
  const share = eased(fraction);
  return { x: between(then.x, now.x, share), y: between(then.y, now.y, share) };
}

/** @param {any} view @param {string} role @returns {Place} */
function wading(view, role) {
  const {
    position: [x, y],
    mud_turns: waits,
    mud_from: from,
  } = view[role];
  if (!from || !waits) return { x, y };
  const cost = price(view.maze, from, [x, y]);
  const left = waits / Math.max(cost, waits + 1);
  return { x: x + (from[0] - x) * left, y: y + (from[1] - y) * left };
}

/** What a passage costs, turns.
 * @param {any} maze @param {number[]} a @param {number[]} b */
function price(maze, a, b) {
  const costs = noted(maze, "mud", () => {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const [one, other, cost] of maze.mud)
      found.set(`${one}|${other}`, cost).set(`${other}|${one}`, cost);
    return found;
  });
  return costs.get(`${a}|${b}`) ?? 1;
}

/** The paths of the last turns, fading.
 * @param {Context} ctx @param {Scene} scene @param {ReturnType<typeof placed>} grid */
function trails(ctx, scene, { cell, middle }) {
  const seen = scene.before
    ? [...scene.trail.filter((one) => one !== scene.before), scene.before]
    : scene.trail;
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  ROLES.forEach((role, seat) => {
    // Each in a lane of its own, so that two who walk one way are both seen.
    const lane = seat === 0 ? 0.09 : -0.09;
    const points = [...seen.map((one) => wading(one, role)), standing(scene, role)].map(
      ({ x, y }) => middle(x + lane, y + lane),
    );
    const colour = seatColour(scene, seat);
    for (let at = 1; at < points.length; at += 1) {
      const [from, to] = [points[at - 1], points[at]];
      if (
        !from ||
        !to ||
        Math.hypot(from.x - to.x, from.y - to.y) > cell * 1.6 ||
        (from.x === to.x && from.y === to.y)
      )
        continue;
      const faded = mix(scene.theme.panel, colour, 0.08 + 0.72 * (at / points.length));
      line(
        ctx,
        [
          [from.x, from.y],
          [to.x, to.y],
        ],
        faded,
        Math.max(cell * 0.1, 1.5),
      );
    }
  });
}

/** @param {Context} ctx @param {Place} at @param {number} size @param {string} colour @param {string} edge */
function mouse(ctx, { x, y }, size, colour, edge) {
  ctx.lineCap = "round";
  ctx.strokeStyle = colour;
  ctx.lineWidth = size * 0.18;
  ctx.beginPath();
  ctx.moveTo(x + size * 0.5, y + size * 0.6);
  ctx.bezierCurveTo(
    x + size * 1.5,
    y + size * 1.1,
    x + size * 0.7,
    y - size * 0.2,
    x + size * 1.25,
    y - size * 0.3,
  );
  ctx.stroke();
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.62, y - size * 0.58, size * 0.52, edge);
    disc(ctx, x + side * size * 0.62, y - size * 0.58, size * 0.43, colour);
    disc(ctx, x + side * size * 0.62, y - size * 0.58, size * 0.24, "#ffd9d9");
  }
  disc(ctx, x, y + size * 0.08, size * 0.92, edge);
  disc(ctx, x, y + size * 0.08, size * 0.82, colour);
  ctx.lineWidth = size * 0.06;
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.3, y - size * 0.08, size * 0.17, "#ffffff");
    disc(ctx, x + side * size * 0.28, y - size * 0.05, size * 0.09, "#1b1b1b");
    line(
      ctx,
      [
        [x + side * size * 0.22, y + size * 0.42],
        [x + side * size * 0.95, y + size * 0.3],
      ],
      "#ffffff",
      size * 0.06,
    );
    line(
      ctx,
      [
        [x + side * size * 0.22, y + size * 0.5],
        [x + side * size * 0.92, y + size * 0.6],
      ],
      "#ffffff",
      size * 0.06,
    );
  }
  disc(ctx, x, y + size * 0.42, size * 0.15, "#ffb3b8");
}

/** @param {Context} ctx @param {Place} at @param {number} size @param {string} colour @param {string} edge */
function snake(ctx, { x, y }, size, colour, edge) {
  ctx.lineCap = "round";
  // Coils from below; each is edged, so that they lie one on the other.
  for (const [dy, wide] of /** @type {[number, number][]} */ ([
    [0.72, 0.78],
    [0.38, 0.6],
  ])) {
    line(
      ctx,
      [
        [x - size * wide, y + size * dy],
        [x + size * wide, y + size * dy],
      ],
      edge,
      size * 0.56,
    );
    line(
      ctx,
      [
        [x - size * wide, y + size * dy],
        [x + size * wide, y + size * dy],
      ],
      mix(colour, "#000000", 0.16),
      size * 0.42,
    );
    for (const spot of [-0.5, 0, 0.5])
      disc(
        ctx,
        x + size * spot * wide * 1.4,
        y + size * dy,
        size * 0.1,
        mix(colour, "#ffffff", 0.45),
      );
  }
  ctx.fillStyle = edge;
  ctx.beginPath();
  ctx.ellipse(x, y - size * 0.32, size * 0.72, size * 0.68, 0, 0, 2 * Math.PI);
  ctx.fill();
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.ellipse(x, y - size * 0.32, size * 0.63, size * 0.58, 0, 0, 2 * Math.PI);
  ctx.fill();
  for (const side of [-1, 1]) {
    disc(ctx, x + side * size * 0.33, y - size * 0.5, size * 0.2, "#ffffff");
    ctx.fillStyle = "#1b1b1b";
    ctx.beginPath();
    ctx.ellipse(
      x + side * size * 0.33,
      y - size * 0.5,
      size * 0.07,
      size * 0.17,
      0,
      0,
      2 * Math.PI,
    );
    ctx.fill();
    disc(ctx, x + side * size * 0.13, y - size * 0.14, size * 0.05, "#1b1b1b");
  }
  ctx.lineCap = "round";
  line(
    ctx,
    [
      [x, y + size * 0.12],
      [x, y + size * 0.36],
    ],
    "#d81e3a",
    size * 0.11,
  );
  line(
    ctx,
    [
      [x - size * 0.1, y + size * 0.48],
      [x, y + size * 0.36],
      [x + size * 0.1, y + size * 0.48],
    ],
    "#d81e3a",
    size * 0.08,
  );
}

/** A number on a dark disc: turns in mud still to wait.
 * @param {Context} ctx @param {Place} at @param {number} size @param {string} words @param {Scene} scene */
function badge(ctx, { x, y }, size, words, scene) {
  disc(ctx, x, y, size, MUD);
  ring(ctx, x, y, size, scene.theme.ground, Math.max(size * 0.16, 1));
  letters(ctx, words, x, y + size * 0.06, size * 1.3, {
    colour: "#ffffff",
    font: scene.theme.font,
    weight: 700,
    room: size * 1.6,
  });
}

/** A score in halves as people write it.
 * @param {number} points */
function halves(points) {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ""}½`;
}

/** @param {any} view @param {SeatInfo[]} _seats @returns {import("./contract.js").Score[]} */
function scores(view, _seats) {
  return ROLES.map((role, seat) => {
    const player = view[role];
    /** @type {[string, string][]} */
    const facts = [["misses", String(player.misses)]];
    if (player.mud_turns) facts.push(["in mud", turns(player.mud_turns)]);
    return { seat, points: player.score, text: halves(player.score), facts };
  });
}

/** @param {number} count */
function turns(count) {
  return count === 1 ? "1 turn" : `${count} turns`;
}

/** @param {any} before @param {any} view @param {SeatInfo[]} seats @returns {import("./contract.js").GameEvent[]} */
function events(before, view, seats) {
  /** @type {import("./contract.js").GameEvent[]} */
  const found = [];
  ROLES.forEach((role, seat) => {
    const gained = before ? view[role].score - before[role].score : 0;
    if (gained === 1)
      found.push({ seat, text: `${nameOf(seats, seat)} eats a cheese`, kind: "good" });
    else if (gained === 0.5)
      found.push({ seat, text: `${nameOf(seats, seat)} shares a cheese`, kind: "good" });
    const deed = view.outcomes[role];
    if (deed === "entered_mud") {
      found.push({
        seat,
        text: `${nameOf(seats, seat)} ${DEEDS[deed]}, ${turns(view[role].mud_turns)} to wait`,
        kind: "bad",
      });
    } else if (deed in DEEDS) {
      found.push({
        seat,
        text: `${nameOf(seats, seat)} ${DEEDS[deed]}`,
        kind: deed === "blocked" ? "bad" : "info",
      });
    }
    if (view.timeouts.includes(role))
      found.push({ seat, text: `${nameOf(seats, seat)} gave no answer`, kind: "bad" });
  });
  return found;
}

/** @param {number} x @param {number} y @param {any} view @param {Box} box @returns {Place|null} */
function at(x, y, view, box) {
  const found = cellAt(placed(view, box), x, y);
  return found && { x: found.x, y: view.maze.height - 1 - found.y };
}

/** @param {any} view @param {number} seat @returns {import("./contract.js").Controls} */
function human(view, seat) {
  const role = ROLES[seat] ?? "rat";
  const player = view[role];
  const ways = /** @type {[string, string, number, number][]} */ ([
    ["← Left", "LEFT", -1, 0],
    ["↑ Up", "UP", 0, 1],
    ["↓ Down", "DOWN", 0, -1],
    ["→ Right", "RIGHT", 1, 0],
  ]);
  return {
    keys: KEYS,
    buttons: [
      ...ways.map(([label, command]) => ({
        label,
        command,
        enabled: view.must_act && view.moves.includes(command),
      })),
      { label: "Stay", command: "STAY", enabled: view.must_act },
    ],
    click: (x, y, shown, box) => {
      const cell = at(x, y, shown, box);
      const [here, there] = shown[role].position;
      return (
        ways.find(([, , dx, dy]) => cell?.x === here + dx && cell?.y === there + dy)?.[1] ?? null
      );
    },
    endTurn: false,
    hint: player.mud_turns
      ? `You are in mud: ${turns(player.mud_turns)} to wait.`
      : `You are the ${role === "rat" ? "Rat" : "Python"}. Walk with the arrow keys or W A S D, stay with the full stop, or click a cell beside you.`,
  };
}

/** @param {any} view @param {number|null} seat */
function describe(view, seat) {
  const stands = ROLES.map((role, number) => {
    const {
      position: [x, y],
      score,
      mud_turns: waits,
    } = view[role];
    const who = number === seat ? "You, the" : "The";
    const name = role === "rat" ? "Rat" : "Python";
    return `${who} ${name} at ${x}, ${y} with ${score === 1 ? "1 point" : `${halves(score)} points`}${waits ? `, ${turns(waits)} in mud` : ""}`;
  });
  return `Turn ${view.turn} of ${view.max_turns}. ${stands.join(". ")}. ${view.cheese.length} of ${view.total_cheese} cheese left.`;
}

/** @type {import("./contract.js").Renderer} */
export default { shape, draw, scores, events, at, human, describe };
