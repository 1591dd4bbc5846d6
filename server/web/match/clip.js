// A span of turns as a WebM video: the board as it moves, with the line of the players above it.

import { ask } from "../lib/ask.js";
import { el, save } from "../lib/dom.js";
import { Unreadable, line } from "../lib/form.js";
import { namedTurn, turnNumber, turnText } from "../lib/turns.js";
import { HEAD, drawHead } from "./snapshot.js";

/** The parts of <arena-match> that this needs.
 * @typedef {{timeline: import("./timeline.js").Timeline, painter: import("./painter.js").Painter,
 *   source: import("../sources/source.js").Source|null}} Shown */

const SPAN = 20;
const LONGEST = 200;
const TYPE = "video/webm";
/** How long the last turn is shown after its movement, ms. */
const HOLD_MS = 600;
/** The recorder hands over what it has this often. */
const SLICE_MS = 100;

/** Whether the browser can record the board. */
export const canRecord = () =>
  typeof MediaRecorder === "function" && MediaRecorder.isTypeSupported(TYPE);

/** Ask for the span, record it and save the file.
 * @param {Shown} match */
export function askClip(match) {
  const { source, timeline, painter } = match;
  if (!source || !timeline.shown || painter.asText || !canRecord()) return;
  timeline.pause();
  const textAt = (/** @type {number} */ index) => turnText(source.game, source.turnAt(index));
  const end = Math.min(source.end - 1, timeline.index + SPAN);
  const [from, to] = [
    line("from turn", "", { value: textAt(timeline.index) }),
    line("to turn", `At most ${LONGEST} turns, at the speed that is chosen below the board.`, {
      value: textAt(end),
    }),
  ];
  ask({
    title: "Save a clip",
    fields: [
      ["from", from],
      ["to", to],
    ],
    yes: "Record",
    act: async () => {
      const [first, last] = [from, to].map((field) => {
        const turn = turnNumber(source.game, String(field.value()));
        if (turn === null) throw wrong(field, "There is no such turn.");
        return source.indexOf(turn);
      });
      if (last <= first || last - first > LONGEST)
        throw wrong(to, `Choose a later turn, at most ${LONGEST} after the first.`);
      const clip = await record(match, first, last);
      save(clip, `${source.match || "match"}-${textAt(first)}-${textAt(last)}.webm`);
    },
  });
}

/** @param {import("../lib/form.js").Field} field @param {string} text */
function wrong(field, text) {
  field.complain(text);
  return new Unreadable(text);
}

/** Play the turns, and record what is drawn.
 * @param {Shown} match @param {number} first @param {number} last @returns {Promise<Blob>} */
export async function record({ timeline, painter }, first, last) {
  const board = painter.canvas;
  const canvas = el("canvas", { width: board.width, height: board.height + HEAD });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const copy = () => {
    const scene = painter.scene(timeline.view, 1);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = scene.theme.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const turn = namedTurn(timeline.source?.game ?? "", timeline.turn);
    drawHead(context, painter.renderer, scene, turn, canvas.width);
    context.drawImage(board, 0, HEAD);
  };
  const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: TYPE });
  /** @type {Blob[]} */
  const parts = [];
  /** Resolves when more of the video is there: the encoder may be slow to begin. */
  const encoded = () =>
    new Promise((resolve) => {
      const tell = (/** @type {BlobEvent} */ { data }) => {
        if (data.size === 0) return;
        recorder.removeEventListener("dataavailable", tell);
        resolve(undefined);
      };
      recorder.addEventListener("dataavailable", tell);
    });
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  let done = false;
  const frame = () => {
    copy();
    if (!done) requestAnimationFrame(frame);
  };
  const atLast = () => {
    if (timeline.index > last) timeline.pauseAt(last);
    else if (timeline.index === last) timeline.halt();
  };
  timeline.addEventListener("advance", atLast);
  timeline.pauseAt(first);
  frame();
  recorder.start(SLICE_MS);
  await encoded();
  timeline.play();
  while (timeline.index < last) await pause(SLICE_MS);
  await pause(HOLD_MS);
  await encoded();
  done = true;
  timeline.removeEventListener("advance", atLast);
  timeline.pause();
  recorder.stop();
  await stopped;
  return new Blob(parts, { type: TYPE });
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
