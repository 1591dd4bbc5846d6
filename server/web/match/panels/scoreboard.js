// A row per seat: name, role, points, who leads and how the points move, the game's facts, the
// clock, missed turns, a lost connection.

import { el, fill, words } from "../../lib/dom.js";
import { swatch } from "../../lib/swatch.js";
import { turnCount, wholeTurns } from "../../lib/turns.js";
import { clockFacts } from "../clock-text.js";
import { nextChange } from "../seat-clock.js";
import { ticker } from "../ticker.js";
import { isAway, missedTurns } from "../platform-events.js";

/** @typedef {import("../../games/contract.js").SeatInfo} SeatInfo */
/** @typedef {import("../digest.js").Digest} Digest */

/** Frames of the trend, and views before the shown one that a renderer gets. */
const LATELY = 20;
const TRAIL = 40;

export function scoreboard() {
  const element = el("ol", { class: "scores", "aria-label": "Scoreboard" });
  /** By seat.
   * @type {ReturnType<typeof rowOf>[]} */
  let rows = [];
  /** Shows the facts of the newest update again.
   * @type {() => void} */
  let again = () => {};
  const ticks = ticker(() => element.isConnected && again());
  return {
    element,

    /** @param {SeatInfo[]} seats */
    build(seats) {
      rows = seats.map(rowOf);
      fill(element, ...rows.map(({ row }) => row));
      element.dataset.seats = String(seats.length);
    },

    /** Show the scores of a frame. Returns them as one sentence.
     * @param {Digest} digest @param {number} index */
    update(digest, index) {
      const { source, renderer, seats } = digest;
      const turn = source.turnAt(index);
      const scores = renderer.scores(source.viewAt(index), seats, {
        trail: trailOf(source, index),
        config: source.config,
      });
      const standing = standings(scores);
      again = () => {
        const now = performance.now();
        const changes = scores.map(({ seat, facts }) => {
          const clock = source.clockAt(index, seat);
          const missed = missedTurns(source.platformEvents, seat, turn);
          rows[seat]?.setFacts([
            ...facts,
            ...clockFacts(clock, now),
            ...(missed ? [["missed", String(missed)]] : []),
          ]);
          return (clock && nextChange(clock, now)) ?? Infinity;
        });
        const next = Math.min(...changes);
        ticks.in(Number.isFinite(next) ? next : null);
      };
      again();
      for (const score of scores) {
        rows[score.seat]?.update({
          text: score.text,
          ahead: standing.leader === score.seat,
          standing: standing.texts[score.seat] ?? "",
          trend: trendOf(digest, index, score.seat),
          away: isAway(source.platformEvents, score.seat, turn),
        });
      }
      return scores.map((score) => `${seats[score.seat]?.name}: ${score.text}`).join(", ");
    },
  };
}

/** The views before a frame, oldest first.
 * @param {import("../../sources/source.js").Source} source @param {number} index */
function trailOf(source, index) {
  const views = [];
  for (let past = Math.max(source.first, index - TRAIL); past < index; past += 1)
    views.push(source.viewAt(past));
  return views;
}

/** Who leads, and by how much; among equal points the plotted values decide.
 * @param {import("../../games/contract.js").Score[]} scores
 * @returns {{leader: number|null, texts: Record<number, string>}} */
function standings(scores) {
  const order = scores.toSorted(
    (one, other) => other.points - one.points || (other.plot ?? 0) - (one.plot ?? 0),
  );
  const [best, second] = order;
  if (!best || !second) return { leader: null, texts: {} };
  const level = best.points === second.points && (best.plot ?? 0) === (second.plot ?? 0);
  const by = (/** @type {number} */ points) => (points ? ` by ${number(points)}` : "");
  /** @type {Record<number, string>} */
  const texts = {};
  for (const score of order) {
    const behind = best.points - score.points;
    texts[score.seat] = behind ? `${number(behind)} behind` : level ? "level" : "";
  }
  if (!level) texts[best.seat] = `leads${by(best.points - second.points)}`;
  return { leader: level ? null : best.seat, texts };
}

/** How the plotted points of a seat moved lately, such as "▲ 3 in 20 turns".
 * @param {Digest} digest @param {number} index @param {number} seat */
function trendOf(digest, index, seat) {
  const { source } = digest;
  const past = Math.max(source.first, index - LATELY);
  const [then, now] = [digest.pointsAt(past)?.[seat], digest.pointsAt(index)?.[seat]];
  if (then === undefined || now === undefined || then === now) return "";
  const turns = wholeTurns(source.game, source.turnAt(index) - source.turnAt(past));
  const sign = now > then ? "▲" : "▼";
  return `${sign} ${number(Math.abs(now - then))} in ${turnCount(source.game, turns)}`;
}

const { format: number } = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** @param {SeatInfo} seat */
function rowOf(seat) {
  const points = el("span", { class: "points" });
  const facts = el("dl", { class: "facts", "aria-live": "off" });
  const flag = el("span", { class: "flag" });
  const standing = el("span", { class: "standing" });
  const trend = el("span", { class: "trend" });
  const row = el(
    "li",
    { class: "score-row", "data-seat": seat.seat },
    swatch(seat.seat),
    el(
      "span",
      { class: "who" },
      el("span", { class: "name" }, seat.name || `seat ${seat.seat}`),
      el("span", { class: "role" }, words(seat.role), standing, flag),
    ),
    el("span", { class: "stand" }, points, trend),
    facts,
  );
  let shownFacts = "";
  return {
    row,
    /** @param {string[][]} given label and value */
    setFacts(given) {
      const key = JSON.stringify(given);
      if (key === shownFacts) return;
      shownFacts = key;
      fill(
        facts,
        ...given.map(([label, value]) =>
          el(
            "div",
            { class: value.endsWith("(low)") ? "low" : null },
            el("dt", {}, label),
            el("dd", {}, value),
          ),
        ),
      );
    },

    /** @param {{text: string, ahead: boolean, standing: string, trend: string, away: boolean}}
     *   score */
    update(score) {
      if (points.textContent !== score.text) points.textContent = score.text;
      row.classList.toggle("ahead", score.ahead);
      /** @type {[HTMLElement, string][]} */
      const texts = [
        [flag, score.away ? "away" : ""],
        [standing, score.standing],
        [trend, score.trend],
      ];
      for (const [element, text] of texts)
        if (element.textContent !== text) element.textContent = text;
    },
  };
}
