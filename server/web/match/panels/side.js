// The panels beside the board.

import { el } from "../../lib/dom.js";
import { banner } from "./banner.js";
import { chart } from "./chart.js";
import { commandList } from "./commands.js";
import { eventList } from "./events.js";
import { legend } from "./legend.js";
import { progress } from "./progress.js";
import { scoreboard } from "./scoreboard.js";

/** @typedef {import("../digest.js").Digest} Digest */
/** @typedef {import("../../games/contract.js").SeatInfo} SeatInfo */
/** @typedef {import("../../sources/source.js").Source} Source */

/** @param {import("../timeline.js").Timeline} timeline */
export function side(timeline) {
  const seek = (/** @type {number} */ index) => timeline.pauseAt(index);
  const verdict = banner();
  const stands = progress();
  const scores = scoreboard();
  const commands = commandList((turn) => seek(timeline.source?.indexOf(turn) ?? 0));
  const plot = chart(seek);
  const events = eventList(seek);
  const words = legend();
  /** The source that is shown, and its latest frame that was: there the plot of a match on air
   * ends.
   * @type {Source|null} */
  let shown = null;
  let seen = 0;
  const panels = [verdict, stands, scores, commands, plot, events, words];
  return {
    element: el(
      "aside",
      { class: "match-side", "aria-label": "Scores and events" },
      ...panels.map(({ element }) => element),
    ),

    /** Another game is shown.
     * @param {SeatInfo[]} seats @param {[string, string][]} legend */
    build(seats, legend) {
      scores.build(seats);
      words.build(legend);
    },

    /** Whether the end is shown.
     * @param {Source} source @param {boolean} atEnd */
    setEnd(source, atEnd) {
      verdict.update(source, atEnd);
    },

    /** Show what belongs to a frame.
     * @param {Digest} digest @param {number} index @param {SeatInfo[]} seats with their colours */
    update(digest, index, seats) {
      const { source, renderer } = digest;
      const stood = renderer.progress?.(source.viewAt(index), source.config) ?? null;
      stands.update(stood, source.outcome !== null && timeline.atEnd);
      const standing = scores.update(digest, index);
      events.update(digest, index);
      seen = shown === source ? Math.max(seen, index) : index;
      shown = source;
      plot.update(digest, index, timeline.onAir ? seen + 1 : source.end, seats, standing);
      commands.update(source, index);
    },

    /** Another source is shown. */
    reset() {
      verdict.reset();
    },
  };
}
