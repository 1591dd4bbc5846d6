// A moment of a match as a PNG: a line with the players, their scores and the turn, and the board
// below it.

import { el } from "../lib/dom.js";

const WIDTH = 1600;
/** The height of the line above the board. */
export const HEAD = 96;

/** @param {import("../games/contract.js").Renderer} renderer
 * @param {import("../games/contract.js").Scene} scene
 * @param {string} turn as people read it, with its word
 * @returns {Promise<Blob>} */
export function pngOf(renderer, scene, turn) {
  const { view, theme } = scene;
  const shape = renderer.shape(view, scene.config);
  const box = { width: WIDTH, height: Math.round((WIDTH * shape.height) / shape.width) };
  const canvas = el("canvas", { width: box.width, height: box.height + HEAD });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  drawHead(context, renderer, scene, turn, canvas.width);
  context.translate(0, HEAD);
  renderer.draw(context, scene, box);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))),
      "image/png",
    );
  });
}

/** The players, their scores and the turn, as people read it with its word.
 * @param {CanvasRenderingContext2D} context
 * @param {import("../games/contract.js").Renderer} renderer
 * @param {import("../games/contract.js").Scene} scene @param {string} turn @param {number} width */
export function drawHead(context, renderer, scene, turn, width) {
  const { view, seats, theme } = scene;
  context.textBaseline = "middle";
  let x = 32;
  const scores = renderer.scores(view, seats);
  for (const seat of seats) {
    const text = `${seat.name}  ${scores.find((score) => score.seat === seat.seat)?.text ?? ""}`;
    context.fillStyle = seat.colour;
    context.beginPath();
    context.arc(x + 12, HEAD / 2, 12, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = theme.ink;
    context.font = `600 30px ${theme.font}`;
    context.fillText(text, x + 36, HEAD / 2);
    x += 36 + context.measureText(text).width + 48;
  }
  context.textAlign = "right";
  context.fillStyle = theme.soft;
  context.font = `26px ${theme.font}`;
  context.fillText(turn, width - 32, HEAD / 2);
  context.textAlign = "start";
  context.textBaseline = "alphabetic";
}
