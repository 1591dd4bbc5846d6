// The score over time: axes with numbers, and for each seat a line of its own colour and dashes.

import { el, fill, svg } from "../../lib/dom.js";
import { turnText, turnWord } from "../../lib/turns.js";

/** @typedef {import("../digest.js").Digest} Digest */
/** @typedef {import("../../games/contract.js").SeatInfo} SeatInfo */

const WIDTH = 400;
const HEIGHT = 120;
const PAD = 6;
/** Points of a line; longer matches are thinned out. */
const MAX_POINTS = 240;
/** By seat, so that lines are distinguishable without colours. */
const DASHES = ["", "9 5", "2 4", "11 4 2 4"];

/** @param {(index: number) => void} seek shows a frame */
export function chart(seek) {
  const heading = el("h2", {}, "Score over time");
  const grid = svg("g");
  const lines = svg("g");
  const cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      class: "plot",
      role: "img",
      "aria-label": "Score over time",
      tabindex: "0",
    },
    grid,
    lines,
    cursor,
  );
  const values = el("div", { class: "axis values", "aria-hidden": "true" });
  const times = el("div", { class: "axis times", "aria-hidden": "true" });
  const legend = el("ul", { class: "legend" });
  let first = 0;
  let last = 1;
  let drawn = "";

  picture.addEventListener("click", (event) => {
    const { clientX } = /** @type {MouseEvent} */ (event);
    const box = picture.getBoundingClientRect();
    seek(Math.round(first + ((clientX - box.left) / box.width) * (last - first)));
  });

  return {
    element: el(
      "section",
      { class: "over-time" },
      heading,
      el("div", { class: "plot-frame" }, values, picture, times),
      legend,
    ),
    /** @param {Digest} digest @param {number} index
     * @param {number} end one more than the last frame that is plotted @param {SeatInfo[]} seats
     * @param {string} standing the scores as one sentence */
    update(digest, index, end, seats, standing) {
      const { source, renderer } = digest;
      first = source.first;
      last = Math.max(first + 1, end - 1);
      const colours = seats.map((seat) => `${seat.name} ${seat.colour}`);
      const state = `${first} ${last} ${digest.end} ${colours}`;
      if (state !== drawn) {
        drawn = state;
        const what = renderer.plotted ?? "Score";
        heading.textContent = `${what} over time`;
        const at = sampled(digest, last);
        const marks = marksOf(digest, at);
        grid.replaceChildren(
          ...marks.map((mark) =>
            svg("line", { x1: 0, x2: WIDTH, y1: up(mark, marks), y2: up(mark, marks) }),
          ),
        );
        lines.replaceChildren(...paths(digest, at, marks, { first, last }, seats));
        fill(values, ...marks.map((mark) => valueLabel(mark, marks)));
        fill(times, ...timeLabels(digest, first, last));
        fill(legend, ...seats.map(legendItem));
        picture.setAttribute("aria-label", `${what} over time. ${standing}`);
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

/** The height of a value between the lowest and the highest mark.
 * @param {number} value @param {number[]} marks */
function up(value, marks) {
  const [low, high] = [marks[0] ?? 0, marks.at(-1) ?? 1];
  return HEIGHT - PAD - ((value - low) / (high - low)) * (HEIGHT - 2 * PAD);
}

/** The frames whose points are drawn.
 * @param {Digest} digest @param {number} last */
function sampled(digest, last) {
  const { first } = digest.source;
  const step = Math.max(1, Math.ceil((last - first) / MAX_POINTS));
  /** @type {number[]} */
  const at = [];
  const end = Math.min(digest.end, last + 1);
  for (let index = first; index < end; index += step) at.push(index);
  if (end > first && at.at(-1) !== end - 1) at.push(end - 1);
  return at.filter((index) => digest.pointsAt(index) !== undefined);
}

/** Round numbers that enclose all points: the marks of the axis.
 * @param {Digest} digest @param {number[]} at */
function marksOf(digest, at) {
  let [low, high] = [0, 1];
  for (const index of at) {
    for (const points of digest.pointsAt(index) ?? []) {
      low = Math.min(low, points);
      high = Math.max(high, points);
    }
  }
  const rough = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    power * /** @type {number} */ ([1, 2, 5, 10].find((one) => one * power >= rough)),
  );
  const marks = [];
  for (let mark = Math.floor(low / step) * step; mark < high + step; mark += step) marks.push(mark);
  return marks;
}

/** @param {Digest} digest @param {number[]} at @param {number[]} marks
 * @param {{first: number, last: number}} span @param {SeatInfo[]} seats */
function paths(digest, at, marks, { first, last }, seats) {
  return seats.map((seat) =>
    svg("polyline", {
      points: at
        .map((index) => {
          const points = digest.pointsAt(index)?.[seat.seat] ?? 0;
          return `${across(index, first, last)},${up(points, marks).toFixed(1)}`;
        })
        .join(" "),
      stroke: seat.colour,
      "stroke-dasharray": DASHES[seat.seat % DASHES.length] || null,
      class: "score",
      "data-seat": seat.seat,
    }),
  );
}

/** @param {number} mark @param {number[]} marks */
function valueLabel(mark, marks) {
  const compact = { notation: /** @type {const} */ ("compact"), maximumFractionDigits: 1 };
  const label = el("span", {}, mark.toLocaleString("en", compact));
  label.style.top = `${(100 * up(mark, marks)) / HEIGHT}%`;
  return label;
}

/** The turns at the start, the middle and the end.
 * @param {Digest} digest @param {number} first @param {number} last */
function timeLabels({ source }, first, last) {
  const middle = Math.round((first + last) / 2);
  const turns = [first, middle, last].map((index) =>
    turnText(source.game, source.turnAt(Math.min(index, source.end - 1))),
  );
  return [...new Set(turns)].map((turn, place) =>
    el("span", {}, place === 0 ? `${turnWord(source.game)} ${turn}` : turn),
  );
}

/** @param {SeatInfo} seat */
function legendItem(seat) {
  const line = svg("line", {
    x1: 0,
    x2: 36,
    y1: 5,
    y2: 5,
    stroke: seat.colour,
    "stroke-dasharray": DASHES[seat.seat % DASHES.length] || null,
  });
  return el(
    "li",
    {},
    svg("svg", { viewBox: "0 0 36 10", "aria-hidden": "true" }, line),
    seat.name || `seat ${seat.seat}`,
  );
}
