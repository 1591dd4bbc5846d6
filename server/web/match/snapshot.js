// A moment of a match as a PNG: a line with the players, their scores and the turn, and the board
// below it.

import { el } from "../lib/dom.js";

const WIDTH = 1600;
const HEAD = 96;

/** @param {import("../games/contract.js").Renderer} renderer
 * @param {import("../games/contract.js").Scene} scene @param {string} turn as people read it
 * @returns {Promise<Blob>} */
export function pngOf(renderer, scene, turn) {
  const { view, seats, theme } = scene;
  const shape = renderer.shape(view, scene.config);
  const box = { width: WIDTH, height: Math.round((WIDTH * shape.height) / shape.width) };
  const canvas = el("canvas", { width: box.width, height: box.height + HEAD });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
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
  context.fillText(`turn ${turn}`, canvas.width - 32, HEAD / 2);
  context.textAlign = "start";
  context.textBaseline = "alphabetic";
  context.translate(0, HEAD);
  renderer.draw(context, scene, box);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))),
      "image/png",
    );
  });
}
