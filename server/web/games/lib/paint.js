// What every renderer draws with: a grid that is sharp at any size, colours made of the theme's, text that fits, layers painted once.
// Lengths are CSS pixels unless a name says cells. Nothing here knows a game.

/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../contract.js").SeatInfo} SeatInfo */
/** @typedef {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} Context */
/** @typedef {{width: number, height: number}} Box */
/** Where a board stands in its box: the pixels of a cell, and of the board's left top corner.
 * @typedef {{cell: number, left: number, top: number, columns: number, rows: number}} Grid */
/** @typedef {{x: number, y: number}} Place */

const TURN = 2 * Math.PI;
/** Device pixels that kept layers may have together, besides the two newest: some 100 MB. */
const KEPT_PIXELS = 24e6;
const STAMPS = 1500;

// --- places -----------------------------------------------------------------------------------------------------------------------

/** Device pixels per CSS pixel, as the caller has set it.
 * @param {Context} ctx */
export function scaleOf(ctx) {
  return ctx.getTransform().a || 1;
}

/** The largest board of `columns` by `rows` cells that fits into the box, centred. Cells are whole device pixels unless they are tiny.
 * @param {Box} box @param {number} columns @param {number} rows @param {number} [scale] @returns {Grid} */
export function fitted(box, columns, rows, scale = 1) {
  const room = Math.min(box.width / columns, box.height / rows) * scale;
  const cell = (room < 2 ? room : Math.floor(room)) / scale;
  const left = Math.round(((box.width - cell * columns) / 2) * scale) / scale;
  const top = Math.round(((box.height - cell * rows) / 2) * scale) / scale;
  return { cell, left, top, columns, rows };
}

/** The column and row under a point of the box, counted from the left top; null outside.
 * @param {Grid} grid @param {number} x @param {number} y @returns {Place|null} */
export function cellAt(grid, x, y) {
  const column = Math.floor((x - grid.left) / grid.cell);
  const row = Math.floor((y - grid.top) / grid.cell);
  return column < 0 || row < 0 || column >= grid.columns || row >= grid.rows
    ? null
    : { x: column, y: row };
}

/** On the way from a to b.
 * @param {number} a @param {number} b @param {number} fraction */
export function between(a, b, fraction) {
  return fraction >= 1 ? b : a + (b - a) * fraction;
}

/** A way that starts and ends softly; 0 is 0 and 1 is 1.
 * @param {number} fraction */
export function eased(fraction) {
  return fraction <= 0 ? 0 : fraction >= 1 ? 1 : fraction * fraction * (3 - 2 * fraction);
}

// --- colours ----------------------------------------------------------------------------------------------------------------------

/** @type {Map<string, string>} */
const mixtures = new Map();

/** The colour `share` of the way from a to b, 0 to 1. Hexadecimal colours are mixed here; any other form is left to the browser.
 * @param {string} a @param {string} b @param {number} share */
export function mix(a, b, share) {
  const key = `${a}|${b}|${share.toFixed(3)}`;
  const known = mixtures.get(key);
  if (known) return known;
  if (mixtures.size > 2000) mixtures.clear();
  const from = channels(a);
  const to = channels(b);
  const mixed =
    from && to
      ? `rgb(${from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share)).join(" ")})`
      : `color-mix(in srgb, ${a}, ${b} ${Math.round(share * 100)}%)`;
  mixtures.set(key, mixed);
  return mixed;
}

/** @param {string} colour @returns {number[]|null} */
function channels(colour) {
  const rgb = /^rgb\((\d+) (\d+) (\d+)\)$/.exec(colour);
  if (rgb) return rgb.slice(1, 4).map(Number);
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!hex) return null;
  const whole = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  return [0, 2, 4].map((at) => parseInt(whole.slice(at, at + 2), 16));
}

/** The colour of a seat, the same on every page; soft for no seat.
 * @param {Scene} scene @param {number|null} seat */
export function seatColour(scene, seat) {
  if (seat === null) return scene.theme.soft;
  return (
    scene.seats[seat]?.colour ??
    scene.theme.seats[seat % scene.theme.seats.length] ??
    scene.theme.accent
  );
}

/** A seat's name.
 * @param {SeatInfo[]} seats @param {number} seat */
export function nameOf(seats, seat) {
  return seats[seat]?.name || seats[seat]?.role || `seat ${seat}`;
}

// --- shapes -----------------------------------------------------------------------------------------------------------------------

/** @param {Context} ctx @param {number} x @param {number} y @param {number} radius @param {string} fill */
export function disc(ctx, x, y, radius, fill) {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.arc(x, y, Math.max(radius, 0), 0, TURN);
  ctx.fill();
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} radius @param {string} colour @param {number} width */
export function ring(ctx, x, y, radius, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.arc(x, y, Math.max(radius, 0), 0, TURN);
  ctx.stroke();
}

/** Part of a ring, clockwise from the top.
 * @param {Context} ctx @param {number} x @param {number} y @param {number} radius @param {number} share @param {string} colour
 * @param {number} width */
export function arc(ctx, x, y, radius, share, colour, width) {
  if (share <= 0) return;
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.arc(x, y, Math.max(radius, 0), -TURN / 4, -TURN / 4 + TURN * Math.min(share, 1));
  ctx.stroke();
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius
 * @param {string} fill */
export function plate(ctx, x, y, width, height, radius, fill) {
  ctx.fillStyle = fill;
  rounded(ctx, x, y, width, height, radius);
  ctx.fill();
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius
 * @param {string} colour @param {number} line */
export function frame(ctx, x, y, width, height, radius, colour, line) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = line;
  rounded(ctx, x, y, width, height, radius);
  ctx.stroke();
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius */
export function rounded(ctx, x, y, width, height, radius) {
  ctx.beginPath();
  ctx.roundRect(x, y, Math.max(width, 0), Math.max(height, 0), Math.max(radius, 0));
}

/** A closed shape of points.
 * @param {Context} ctx @param {[number, number][]} points @param {string} fill */
export function polygon(ctx, points, fill) {
  ctx.fillStyle = fill;
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.closePath();
  ctx.fill();
}

/** A line through points.
 * @param {Context} ctx @param {[number, number][]} points @param {string} colour @param {number} width */
export function line(ctx, points, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.stroke();
}

/** A line with a head at its end.
 * @param {Context} ctx @param {Place} from @param {Place} to @param {string} colour @param {number} width */
export function arrow(ctx, from, to, colour, width) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const head = width * 3;
  const neck = { x: to.x - head * Math.cos(angle), y: to.y - head * Math.sin(angle) };
  ctx.lineCap = "round";
  line(
    ctx,
    [
      [from.x, from.y],
      [neck.x, neck.y],
    ],
    colour,
    width,
  );
  /** @param {number} side @returns {[number, number]} */
  const wing = (side) => [
    neck.x - side * head * 0.6 * Math.sin(angle),
    neck.y + side * head * 0.6 * Math.cos(angle),
  ];
  polygon(ctx, [[to.x, to.y], wing(1), wing(-1)], colour);
}

// --- text -------------------------------------------------------------------------------------------------------------------------

/** @typedef {{colour: string, font: string, align?: CanvasTextAlign, weight?: number, room?: number, halo?: string}} Lettering
 * `room` is the most a line may take: it is set smaller, to seven tenths at most, and then cut. `halo` is drawn around it. */

/** A line of text, its middle at y.
 * @param {Context} ctx @param {string} words @param {number} x @param {number} y @param {number} size @param {Lettering} how */
export function letters(ctx, words, x, y, size, how) {
  const { room = Infinity } = how;
  /** @param {number} height */
  const set = (height) => {
    ctx.font = `${how.weight ?? 600} ${height}px ${how.font}`;
  };
  set(size);
  let shown = words;
  let wide = room === Infinity ? 0 : ctx.measureText(shown).width;
  if (wide > room) {
    const smaller = size * Math.max(0.7, room / wide);
    set(smaller);
    wide = ctx.measureText(shown).width;
    while (shown.length > 1 && wide > room) {
      shown = shown.slice(0, -1);
      wide = ctx.measureText(`${shown}…`).width;
    }
    if (shown !== words) shown = `${shown.trimEnd()}…`;
  }
  ctx.textAlign = how.align ?? "center";
  ctx.textBaseline = "middle";
  if (how.halo) {
    ctx.lineJoin = "round";
    ctx.lineWidth = size * 0.22;
    ctx.strokeStyle = how.halo;
    ctx.strokeText(shown, x, y);
  }
  ctx.fillStyle = how.colour;
  ctx.fillText(shown, x, y);
}

// --- layers -----------------------------------------------------------------------------------------------------------------------

/** @typedef {{canvas: OffscreenCanvas, ctx: OffscreenCanvasRenderingContext2D, painted: any}} Layer */
/** The newest last.
 * @type {Map<string, Layer>} */
const layers = new Map();

/** A picture that is kept: `paint` fills it once for each key, size and scale. What changes only here and there is repainted by the caller,
 * who notes under `painted` what it shows.
 * @param {string} key @param {Box} box @param {number} scale @param {(ctx: OffscreenCanvasRenderingContext2D) => any} paint
 * @returns {Layer} */
export function layer(key, box, scale, paint) {
  const whole = `${key}|${box.width}x${box.height}@${scale}`;
  let kept = layers.get(whole);
  if (!kept) {
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(box.width * scale)),
      Math.max(1, Math.round(box.height * scale)),
    );
    const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    kept = { canvas, ctx, painted: paint(ctx) };
    layers.set(whole, kept);
    forget();
  } else {
    layers.delete(whole);
    layers.set(whole, kept);
  }
  return kept;
}

/** Drops the layers that were not used for longest, until the others are few enough. */
function forget() {
  let pixels = 0;
  const newestFirst = [...layers].reverse();
  for (const [index, [key, { canvas }]] of newestFirst.entries()) {
    pixels += canvas.width * canvas.height;
    if (index > 1 && pixels > KEPT_PIXELS) layers.delete(key);
  }
}

/** A picture of one thing, usually a view, that is painted again when another one is shown; `painted` is the one it shows.
 * @param {string} key @param {Box} box @param {number} scale @param {any} of
 * @param {(ctx: OffscreenCanvasRenderingContext2D) => void} paint @returns {Layer} */
export function still(key, box, scale, of, paint) {
  const kept = layer(key, box, scale, () => undefined);
  if (kept.painted !== of) {
    kept.ctx.clearRect(0, 0, box.width, box.height);
    paint(kept.ctx);
    kept.painted = of;
  }
  return kept;
}

/** Small pictures by key.
 * @type {Map<string, OffscreenCanvas>} */
const stamps = new Map();

/** A small picture that stands on many places: painted once for each key and size around (0, 0), `reach` pixels to every side.
 * @param {Context} ctx @param {string} key @param {number} x @param {number} y @param {number} reach
 * @param {(ctx: OffscreenCanvasRenderingContext2D) => void} paint */
export function stamp(ctx, key, x, y, reach, paint) {
  const scale = scaleOf(ctx);
  const side = Math.max(1, Math.ceil(2 * reach * scale));
  const whole = `${key}|${side}`;
  let kept = stamps.get(whole);
  if (!kept) {
    if (stamps.size >= STAMPS) stamps.clear();
    kept = new OffscreenCanvas(side, side);
    const under = /** @type {OffscreenCanvasRenderingContext2D} */ (kept.getContext("2d"));
    under.setTransform(scale, 0, 0, scale, side / 2, side / 2);
    paint(under);
    stamps.set(whole, kept);
  }
  // On whole device pixels, so that it stays sharp.
  const [left, top] = [
    Math.round(x * scale - side / 2) / scale,
    Math.round(y * scale - side / 2) / scale,
  ];
  ctx.drawImage(kept, left, top, side / scale, side / scale);
}

/** Puts a layer where it belongs.
 * @param {Context} ctx @param {Layer} kept @param {Box} box */
export function put(ctx, kept, box) {
  ctx.drawImage(
    kept.canvas,
    0,
    0,
    kept.canvas.width,
    kept.canvas.height,
    0,
    0,
    box.width,
    box.height,
  );
}

/** What a layer's colours depend on.
 * @param {Theme} theme */
export function dress(theme) {
  return `${theme.dark}${theme.ground}${theme.panel}${theme.ink}${theme.seats.join("")}`;
}

/** What a layer with names on it depends on besides.
 * @param {Scene} scene */
export function cast({ theme, seats, viewer }) {
  return `${dress(theme)}${viewer}${seats.map((seat) => seat.name + seat.colour).join("|")}`;
}

/** @type {WeakMap<object, Map<string, any>>} */
const notes = new WeakMap();

/** What was worked out of a view, or a part of one, once.
 * @template T @param {object} about @param {string} what @param {() => T} work @returns {T} */
export function noted(about, what, work) {
  let known = notes.get(about);
  if (!known) notes.set(about, (known = new Map()));
  if (!known.has(what)) known.set(what, work());
  return known.get(what);
}

// --- what bots draw ---------------------------------------------------------------------------------------------------------------

/** The overlays over a board. `middle` says where a cell's middle is.
 * @param {Context} ctx @param {Scene} scene @param {number} cell @param {(x: number, y: number) => Place} middle */
export function overlays(ctx, scene, cell, middle) {
  for (const one of scene.overlays) {
    const colour =
      one.colour ?? (one.seat === undefined ? scene.theme.accent : seatColour(scene, one.seat));
    if (one.kind === "arrow") {
      arrow(
        ctx,
        middle(one.from.x, one.from.y),
        middle(one.to.x, one.to.y),
        colour,
        Math.max(cell * 0.12, 1.5),
      );
      continue;
    }
    const { x, y } = middle(one.x, one.y);
    if (one.kind === "text") {
      letters(ctx, one.text, x, y, Math.max(cell * 0.5, 9), {
        colour,
        font: scene.theme.font,
        halo: scene.theme.ground,
      });
      continue;
    }
    ctx.globalAlpha = 0.28;
    plate(ctx, x - cell / 2, y - cell / 2, cell, cell, cell * 0.12, colour);
    ctx.globalAlpha = 1;
    frame(
      ctx,
      x - cell * 0.46,
      y - cell * 0.46,
      cell * 0.92,
      cell * 0.92,
      cell * 0.12,
      colour,
      Math.max(cell * 0.06, 1),
    );
  }
}

/** A little table beside a point, kept inside the box: a title and lines.
 * @param {Context} ctx @param {Scene} scene @param {Box} box @param {Place} at @param {string} title @param {string[]} lines */
export function hint(ctx, scene, box, at, title, lines) {
  const { theme } = scene;
  const size = Math.max(12, Math.min(18, box.width / 60));
  const gap = size * 1.35;
  ctx.font = `700 ${size}px ${theme.font}`;
  const wide =
    Math.max(...[title, ...lines].map((words) => ctx.measureText(words).width)) + size * 1.4;
  const high = gap * (lines.length + 1) + size * 0.7;
  const x = at.x + size + wide > box.width ? Math.max(0, at.x - size - wide) : at.x + size;
  const y = Math.max(0, Math.min(at.y - high / 2, box.height - high));
  ctx.globalAlpha = 0.95;
  plate(ctx, x, y, wide, high, size * 0.5, theme.panel);
  ctx.globalAlpha = 1;
  frame(ctx, x, y, wide, high, size * 0.5, theme.line, 1);
  const how = {
    colour: theme.ink,
    font: theme.font,
    align: /** @type {CanvasTextAlign} */ ("left"),
  };
  letters(ctx, title, x + size * 0.7, y + size * 0.35 + gap / 2, size, { ...how, weight: 700 });
  lines.forEach((words, index) => {
    letters(ctx, words, x + size * 0.7, y + size * 0.35 + gap * (index + 1.5), size, {
      ...how,
      weight: 400,
      colour: theme.soft,
    });
  });
}
