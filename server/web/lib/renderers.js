// The renderers by game. A game that is not here is shown as readable text.

import { imported } from "./network.js";

/** @typedef {import("../games/contract.js").Renderer} Renderer */

/** @type {Record<string, () => Promise<{default: Renderer}>>} */
const RENDERERS = {
  pyrat: () => import("../games/pyrat.js"),
  zooscape: () => import("../games/zooscape.js"),
  botstack: () => import("../games/botstack.js"),
  catastrophe: () => import("../games/catastrophe.js"),
  cookoff: () => import("../games/cookoff.js"),
};

/** Whether a game has a renderer here, and `pictures/<game>.svg`.
 * @param {string} game */
export const pictured = (game) => Object.hasOwn(RENDERERS, game);

/** Throws NoNetwork.
 * @param {string} game @returns {Promise<Renderer|null>} */
export async function renderer(game) {
  return pictured(game) ? (await imported(RENDERERS[game])).default : null;
}

/** The renderer of a game that has none: no scores, no events.
 * @type {Renderer} */
export const plain = {
  paceMs: () => 400,
  shape: () => ({ width: 16, height: 9 }),
  draw: () => {},
  scores: (_view, seats) =>
    seats.map((seat) => ({ seat: seat.seat, points: 0, text: "", facts: [] })),
  events: () => [],
  describe: () => "This game has no picture; its view is shown as text.",
};

const WIDTH = 100;

/** A view as indented lines: a short value takes one line, the items of a long list fill lines.
 * @param {any} value @param {string} [indent] @returns {string} */
export function readable(value, indent = "") {
  const short = JSON.stringify(value);
  if (value === null || typeof value !== "object" || short.length + indent.length <= WIDTH)
    return short;
  const deeper = `${indent}  `;
  if (!Array.isArray(value)) {
    return Object.entries(value)
      .map(([key, item]) => `\n${deeper}${key}: ${readable(item, deeper)}`)
      .join("");
  }
  /** @type {string[]} */
  const lines = [];
  for (const item of value.map((one) => readable(one, deeper))) {
    const last = lines.at(-1);
    if (last && !item.includes("\n") && last.length + item.length < WIDTH)
      lines[lines.length - 1] = `${last} ${item}`;
    else lines.push(deeper + item);
  }
  return `\n${lines.join("\n")}`;
}
