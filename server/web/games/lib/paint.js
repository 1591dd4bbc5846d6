// Drawing for all renderers: a grid that is sharp at any size, colours mixed from the theme's,
// shapes, text that fits. Lengths are CSS pixels unless a comment says cells. Nothing here knows a
// game.

/** @typedef {import("../contract.js").Theme} Theme */
/** @typedef {import("../contract.js").Scene} Scene */
/** @typedef {import("../contract.js").SeatInfo} SeatInfo */
/** @typedef {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} Context */
/** @typedef {{width: number, height: number}} Box */
/** A board in its box: the size of a cell, and the board's left top corner.
 * @typedef {{cell: number, left: number, top: number, columns: number, rows: number}} Grid */
/** @typedef {{x: number, y: number}} Place */

const TURN = 2 * Math.PI;

// --- positions ---

/** Device pixels per CSS pixel, as the caller has set it.
 * @param {Context} ctx */
export function scaleOf(ctx) {
  return ctx.getTransform().a || 1;
}

/** The largest board of `columns` by `rows` cells that fits into the box, centred. Cells have whole
 * device pixels unless they are tiny.
 * @param {Box} box @param {number} columns @param {number} rows @param {number} [scale]
 * @returns {Grid} */
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

/** The value between a and b at a fraction of the way.
 * @param {number} a @param {number} b @param {number} fraction */
export function between(a, b, fraction) {
  return fraction >= 1 ? b : a + (b - a) * fraction;
}

/** A fraction with a smooth start and end; 0 and 1 stay the same.
 * @param {number} fraction */
export function eased(fraction) {
  return fraction <= 0 ? 0 : fraction >= 1 ? 1 : fraction * fraction * (3 - 2 * fraction);
}

// --- colours ---

/** @type {Map<string, string>} */
const mixtures = new Map();

/** The colour between a and b; `share` is the share of b, 0 to 1. Hexadecimal colours are mixed
 * here, all others by the browser.
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
      ? `rgb(${from.map((value, index) => mixChannel(value, to[index] ?? 0, share)).join(" ")})`
      : `color-mix(in srgb, ${a}, ${b} ${Math.round(share * 100)}%)`;
  mixtures.set(key, mixed);
  return mixed;
}

/** @param {number} a @param {number} b @param {number} share */
const mixChannel = (a, b, share) => Math.round(a + (b - a) * share);

/** @param {string} colour @returns {number[]|null} */
function channels(colour) {
  const rgb = /^rgb\((\d+) (\d+) (\d+)\)$/.exec(colour);
  if (rgb) return rgb.slice(1, 4).map(Number);
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!hex) return null;
  const whole = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  return [0, 2, 4].map((at) => parseInt(whole.slice(at, at + 2), 16));
}

/** The colour of a seat, the same on every page; `soft` for no seat.
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

// --- shapes ---

/** @param {Context} ctx @param {number} x @param {number} y @param {number} radius
 * @param {string} fill */
export function disc(ctx, x, y, radius, fill) {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.arc(x, y, Math.max(radius, 0), 0, TURN);
  ctx.fill();
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} radius
 * @param {string} colour @param {number} width */
export function ring(ctx, x, y, radius, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.arc(x, y, Math.max(radius, 0), 0, TURN);
  ctx.stroke();
}

/** Part of a ring, clockwise from the top.
 * @param {Context} ctx @param {number} x @param {number} y @param {number} radius
 * @param {number} share @param {string} colour
 * @param {number} width */
export function arc(ctx, x, y, radius, share, colour, width) {
  if (share <= 0) return;
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.arc(x, y, Math.max(radius, 0), -TURN / 4, -TURN / 4 + TURN * Math.min(share, 1));
  ctx.stroke();
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} width
 * @param {number} height @param {number} radius
 * @param {string} fill */
export function plate(ctx, x, y, width, height, radius, fill) {
  ctx.fillStyle = fill;
  rounded(ctx, x, y, width, height, radius);
  ctx.fill();
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} width
 * @param {number} height @param {number} radius
 * @param {string} colour @param {number} line */
export function frame(ctx, x, y, width, height, radius, colour, line) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = line;
  rounded(ctx, x, y, width, height, radius);
  ctx.stroke();
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} width
 * @param {number} height @param {number} radius */
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
 * @param {Context} ctx @param {[number, number][]} points @param {string} colour
 * @param {number} width */
export function line(ctx, points, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.stroke();
}

/** A line with a head at its end.
 * @param {Context} ctx @param {Place} from @param {Place} to @param {string} colour
 * @param {number} width */
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

// --- text ---

/** `room` is the largest width of the line: longer text is set smaller, at the smallest at 70 %,
 * and then cut. `halo` is the colour of an outline.
 * @typedef {{colour: string, font: string, align?: CanvasTextAlign, weight?: number, room?: number,
 *   halo?: string}} Lettering */

/** A line of text with its middle at y.
 * @param {Context} ctx @param {string} words @param {number} x @param {number} y
 * @param {number} size @param {Lettering} how */
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
