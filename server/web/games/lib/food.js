// Foods, plates and pans: their kind, whether a food is chopped, and how far it is cooked.
import { disc, line, mix, plate, polygon } from "./paint.js";

/** @typedef {import("./paint.js").Context} Context */
/** @typedef {import("./paint.js").Place} Place */

const BURNT = "#2b2724";

/** An item of a view (RULES §3), `size` is half its width.
 * @param {Context} ctx @param {any} item @param {Place} at @param {number} size */
export function item(ctx, item, at, size) {
  if (item.type === "Food") food(ctx, item, at, size);
  else if (item.type === "Plate") dish(ctx, item, at, size);
  else pan(ctx, item.food, at, size);
}

/** A plate with its foods.
 * @param {Context} ctx @param {any} plateItem @param {Place} at @param {number} size */
export function dish(ctx, plateItem, { x, y }, size) {
  disc(ctx, x, y, size, "#aab4c0");
  disc(ctx, x, y, size * 0.93, "#ffffff");
  disc(ctx, x, y, size * 0.68, "#e6ebf0");
  if (plateItem.dirty) {
    disc(ctx, x - size * 0.2, y - size * 0.1, size * 0.24, "#9b7a55");
    disc(ctx, x + size * 0.25, y + size * 0.2, size * 0.17, "#9b7a55");
  }
  const foods = plateItem.food;
  foods.forEach((/** @type {any} */ one, /** @type {number} */ index) => {
    if (foods.length === 1) return food(ctx, one, { x, y }, size * 0.6);
    const angle = (index / foods.length) * 2 * Math.PI - Math.PI / 2;
    return food(
      ctx,
      one,
      { x: x + Math.cos(angle) * size * 0.42, y: y + Math.sin(angle) * size * 0.42 },
      size * 0.42,
    );
  });
}

/** A pan with a food, or null for an empty one.
 * @param {Context} ctx @param {any} inside @param {Place} at @param {number} size */
export function pan(ctx, inside, { x, y }, size) {
  ctx.lineCap = "round";
  line(
    ctx,
    [
      [x + size * 0.6, y - size * 0.6],
      [x + size * 1.15, y - size * 1.15],
    ],
    "#14171b",
    size * 0.28,
  );
  disc(ctx, x, y, size * 0.86, "#14171b");
  disc(ctx, x, y, size * 0.68, "#4a5058");
  if (inside) food(ctx, inside, { x, y }, size * 0.56);
}

/** @param {Context} ctx @param {any} one @param {Place} at @param {number} size */
export function food(ctx, one, at, size) {
  const { food_name: name, chopped, cooked_stage: stage } = one;
  (SHAPES[name] ?? blob)(ctx, at, size, Boolean(chopped), stage ?? 0);
  if (stage === 2) smoke(ctx, at, size);
}

/** A food as an order requires it.
 * @param {Context} ctx @param {string} name @param {Place} at @param {number} size */
export function wanted(ctx, name, at, size) {
  const ready = {
    chopped: name === "ONIONS" || name === "MEAT",
    cooked_stage: name === "EGG" || name === "MEAT" ? 1 : 0,
  };
  food(ctx, { food_name: name, ...ready }, at, size);
}

/** @typedef {(ctx: Context, at: Place, size: number, chopped: boolean, stage: number) => void}
 * Shape */

/** @type {Record<string, Shape>} */
const SHAPES = {
  EGG(ctx, { x, y }, size, _chopped, stage) {
    if (stage === 0) {
      oval(ctx, x, y, size * 0.66, size * 0.88, "#8d7458");
      oval(ctx, x, y, size * 0.58, size * 0.8, "#f6e3c8");
      oval(ctx, x - size * 0.18, y - size * 0.3, size * 0.14, size * 0.22, "#ffffff");
      return;
    }
    const white = stage === 2 ? BURNT : "#fffdf5";
    for (const [dx, dy, r] of /** @type {[number, number, number][]} */ ([
      [0, 0, 0.8],
      [-0.5, 0.35, 0.42],
      [0.52, 0.3, 0.4],
      [0.25, -0.5, 0.42],
    ])) {
      disc(ctx, x + dx * size, y + dy * size, r * size + size * 0.06, "#b8b09a");
    }
    for (const [dx, dy, r] of /** @type {[number, number, number][]} */ ([
      [0, 0, 0.8],
      [-0.5, 0.35, 0.42],
      [0.52, 0.3, 0.4],
      [0.25, -0.5, 0.42],
    ])) {
      disc(ctx, x + dx * size, y + dy * size, r * size, white);
    }
    disc(ctx, x, y, size * 0.4, stage === 2 ? "#5a4a32" : "#ffb81f");
  },
  ONIONS(ctx, { x, y }, size, chopped, stage) {
    const skin = stage === 2 ? BURNT : "#9a3f8a";
    const flesh = stage === 2 ? "#4b4340" : "#f3dcf0";
    if (chopped) {
      for (const [dx, dy] of /** @type {[number, number][]} */ ([
        [-0.4, 0.3],
        [0.42, 0.32],
        [0, -0.38],
      ])) {
        disc(ctx, x + dx * size, y + dy * size, size * 0.48, skin);
        disc(ctx, x + dx * size, y + dy * size, size * 0.38, flesh);
        disc(ctx, x + dx * size, y + dy * size, size * 0.24, skin);
        disc(ctx, x + dx * size, y + dy * size, size * 0.15, flesh);
      }
      return;
    }
    ctx.lineCap = "round";
    for (const lean of [-0.25, 0, 0.25])
      line(
        ctx,
        [
          [x, y - size * 0.4],
          [x + lean * size, y - size],
        ],
        "#5d9a3c",
        size * 0.16,
      );
    oval(ctx, x, y + size * 0.15, size * 0.8, size * 0.7, skin);
    ctx.strokeStyle = mix(skin, "#ffffff", 0.45);
    ctx.lineWidth = size * 0.08;
    ctx.beginPath();
    ctx.ellipse(x, y + size * 0.15, size * 0.36, size * 0.7, 0, 0, 2 * Math.PI);
    ctx.stroke();
  },
  MEAT(ctx, { x, y }, size, chopped, stage) {
    const flesh = ["#e2596a", "#8a4b2a", BURNT][stage] ?? "#e2596a";
    const fat = stage === 2 ? "#4b4340" : "#ffe0d8";
    if (chopped) {
      for (const [dx, dy] of /** @type {[number, number][]} */ ([
        [-0.45, -0.35],
        [0.45, -0.4],
        [-0.4, 0.45],
        [0.42, 0.4],
      ])) {
        plate(
          ctx,
          x + dx * size - size * 0.4,
          y + dy * size - size * 0.34,
          size * 0.8,
          size * 0.68,
          size * 0.14,
          mix(flesh, "#000000", 0.3),
        );
        plate(
          ctx,
          x + dx * size - size * 0.34,
          y + dy * size - size * 0.3,
          size * 0.68,
          size * 0.5,
          size * 0.12,
          flesh,
        );
        line(
          ctx,
          [
            [x + dx * size - size * 0.2, y + dy * size - size * 0.05],
            [x + dx * size + size * 0.2, y + dy * size - size * 0.12],
          ],
          fat,
          size * 0.09,
        );
      }
      return;
    }
    oval(ctx, x, y, size * 0.98, size * 0.74, fat);
    oval(ctx, x, y, size * 0.86, size * 0.62, flesh);
    disc(ctx, x - size * 0.34, y - size * 0.05, size * 0.26, fat);
    disc(ctx, x - size * 0.34, y - size * 0.05, size * 0.13, mix(flesh, "#000000", 0.25));
  },
  NOODLES(ctx, { x, y }, size, _chopped, stage) {
    const dough = stage === 2 ? BURNT : "#f2c84b";
    disc(ctx, x, y, size * 0.86, mix(dough, "#000000", 0.32));
    ctx.strokeStyle = dough;
    ctx.lineWidth = size * 0.19;
    ctx.lineCap = "round";
    for (const up of [-0.5, -0.17, 0.17, 0.5]) {
      const reach = Math.sqrt(0.6 - up * up) * size;
      ctx.beginPath();
      ctx.moveTo(x - reach, y + up * size);
      ctx.bezierCurveTo(
        x - reach * 0.3,
        y + (up - 0.32) * size,
        x + reach * 0.3,
        y + (up + 0.32) * size,
        x + reach,
        y + up * size,
      );
      ctx.stroke();
    }
  },
  SAUCE(ctx, { x, y }, size, _chopped, stage) {
    const red = stage === 2 ? BURNT : "#cf2b20";
    plate(ctx, x - size * 0.26, y - size * 0.98, size * 0.52, size * 0.4, size * 0.1, "#f4f1e6");
    polygon(
      ctx,
      [
        [x - size * 0.22, y - size * 0.62],
        [x + size * 0.22, y - size * 0.62],
        [x + size * 0.56, y - size * 0.1],
        [x - size * 0.56, y - size * 0.1],
      ],
      red,
    );
    plate(ctx, x - size * 0.56, y - size * 0.2, size * 1.12, size * 1.16, size * 0.2, red);
    plate(ctx, x - size * 0.4, y + size * 0.12, size * 0.8, size * 0.48, size * 0.08, "#f4f1e6");
  },
};

/** An unknown food.
 * @type {Shape} */
function blob(ctx, { x, y }, size) {
  disc(ctx, x, y, size * 0.8, "#8d949c");
}

/** @param {Context} ctx @param {number} x @param {number} y @param {number} width
 * @param {number} height @param {string} fill */
function oval(ctx, x, y, width, height, fill) {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.ellipse(x, y, width, height, 0, 0, 2 * Math.PI);
  ctx.fill();
}

/** @param {Context} ctx @param {Place} at @param {number} size */
function smoke(ctx, { x, y }, size) {
  ctx.strokeStyle = "#8b8680";
  ctx.lineWidth = size * 0.14;
  ctx.lineCap = "round";
  for (const lean of [-0.35, 0.3]) {
    ctx.beginPath();
    ctx.moveTo(x + lean * size, y - size * 0.5);
    ctx.quadraticCurveTo(x + (lean + 0.3) * size, y - size * 0.8, x + lean * size, y - size * 1.1);
    ctx.stroke();
  }
}
