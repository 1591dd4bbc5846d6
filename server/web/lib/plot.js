// The score over time, one line per seat.

import { svg } from "./dom.js";

const WIDTH = 400;
const HEIGHT = 120;
const PAD = 6;
const MOST = 240;

/** A drawing of the digest up to now. It is kept and changed, so that it costs little.
 * @param {(index: number) => void} seek */
export function plot(seek) {
  const lines = svg("g");
  const cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "plot", role: "img" }, lines, cursor);
  let first = 0;
  let last = 1;
  let drawn = "";

  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    seek(Math.round(first + ((/** @type {MouseEvent} */ (event)).clientX - box.left) / box.width * (last - first)));
  });

  return {
    element: picture,
    /** @param {import("./digest.js").Digest} digest @param {number} index @param {string[]} colours @param {string} label */
    update(digest, index, colours, label) {
      const { source } = digest;
      first = source.first;
      last = Math.max(first + 1, source.end - 1);
      const state = `${first} ${last} ${digest.end} ${colours}`;
      if (state !== drawn) {
        drawn = state;
        lines.replaceChildren(...paths(digest, first, last, colours));
        picture.setAttribute("aria-label", label);
      }
      const x = String(across(index, first, last));
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    },
  };
}

/** @param {number} index @param {number} first @param {number} last */
const across = (index, first, last) => Math.round((index - first) / (last - first) * WIDTH * 10) / 10;

/** @param {import("./digest.js").Digest} digest @param {number} first @param {number} last @param {string[]} colours */
function paths(digest, first, last, colours) {
  const step = Math.max(1, Math.ceil((digest.end - first) / MOST));
  /** @type {number[]} */
  const at = [];
  for (let index = first; index < digest.end; index += step) at.push(index);
  if (digest.end > first && at.at(-1) !== digest.end - 1) at.push(digest.end - 1);
  let low = 0;
  let high = 1;
  for (const index of at) {
    for (const points of digest.pointsAt(index) ?? []) {
      if (points < low) low = points;
      if (points > high) high = points;
    }
  }
  const up = (/** @type {number} */ points) => HEIGHT - PAD - (points - low) / (high - low) * (HEIGHT - 2 * PAD);
  return digest.seats.map((seat) => {
    const places = at.filter((index) => digest.pointsAt(index) !== undefined)
      .map((index) => `${across(index, first, last)},${up((digest.pointsAt(index) ?? [])[seat.seat] ?? 0).toFixed(1)}`);
    return svg("polyline", { points: places.join(" "), stroke: colours[seat.seat], class: "score", "data-seat": seat.seat });
  });
}
