// The score over time, one line per seat.

import { el, svg } from "../../lib/dom.js";

/** @typedef {import("../digest.js").Digest} Digest */

const WIDTH = 400;
const HEIGHT = 120;
const PAD = 6;
/** Points of a line; longer matches are thinned out. */
const MAX_POINTS = 240;

/** @param {(index: number) => void} seek shows a frame */
export function chart(seek) {
  const lines = svg("g");
  const cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "plot", role: "img" },
    lines,
    cursor,
  );
  let first = 0;
  let last = 1;
  let drawn = "";

  picture.addEventListener("click", (event) => {
    const { clientX } = /** @type {MouseEvent} */ (event);
    const box = picture.getBoundingClientRect();
    seek(Math.round(first + ((clientX - box.left) / box.width) * (last - first)));
  });

  return {
    element: el("section", { class: "over-time" }, el("h2", {}, "Score over time"), picture),
    /** @param {Digest} digest @param {number} index @param {string[]} colours
     * @param {string} label */
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
const across = (index, first, last) =>
  Math.round(((index - first) / (last - first)) * WIDTH * 10) / 10;

/** @param {Digest} digest @param {number} first @param {number} last @param {string[]} colours */
function paths(digest, first, last, colours) {
  const step = Math.max(1, Math.ceil((digest.end - first) / MAX_POINTS));
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
  const up = (/** @type {number} */ points) =>
    HEIGHT - PAD - ((points - low) / (high - low)) * (HEIGHT - 2 * PAD);
  return digest.seats.map((seat) => {
    const pointOf = (/** @type {number} */ index) => {
      const points = digest.pointsAt(index)?.[seat.seat] ?? 0;
      return `${across(index, first, last)},${up(points).toFixed(1)}`;
    };
    const places = at.filter((index) => digest.pointsAt(index) !== undefined).map(pointOf);
    return svg("polyline", {
      points: places.join(" "),
      stroke: colours[seat.seat],
      class: "score",
      "data-seat": seat.seat,
    });
  });
}
