// A row per seat: name, role, points, the game's facts, the clock, missed turns, a lost connection.

import { el, fill, words } from "../../lib/dom.js";
import { swatch } from "../../lib/swatch.js";
import { clockFacts } from "../clock-text.js";
import { isAway, missedTurns } from "../platform-events.js";

/** @typedef {import("../../games/contract.js").SeatInfo} SeatInfo */
/** @typedef {import("../digest.js").Digest} Digest */

export function scoreboard() {
  const element = el("ol", { class: "scores", "aria-label": "Scoreboard" });
  /** By seat.
   * @type {ReturnType<typeof rowOf>[]} */
  let rows = [];
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
    update({ source, renderer, seats }, index) {
      const turn = source.turnAt(index);
      const scores = renderer.scores(source.viewAt(index), seats);
      const best = Math.max(...scores.map((score) => score.points));
      const someoneLeads =
        scores.length > 1 && scores.filter((score) => score.points === best).length === 1;
      for (const score of scores) {
        const facts = [...score.facts, ...clockFacts(source.clockAt(index, score.seat))];
        const missed = missedTurns(source.platformEvents, score.seat, turn);
        if (missed) facts.push(["missed", String(missed)]);
        rows[score.seat]?.update({
          text: score.text,
          facts,
          ahead: someoneLeads && score.points === best,
          away: isAway(source.platformEvents, score.seat, turn),
        });
      }
      return scores.map((score) => `${seats[score.seat]?.name}: ${score.text}`).join(", ");
    },
  };
}

/** @param {SeatInfo} seat */
function rowOf(seat) {
  const points = el("span", { class: "points" });
  const facts = el("dl", { class: "facts" });
  const flag = el("span", { class: "flag" });
  const row = el(
    "li",
    { class: "score-row", "data-seat": seat.seat },
    swatch(seat.seat),
    el(
      "span",
      { class: "who" },
      el("span", { class: "name" }, seat.name || `seat ${seat.seat}`),
      el("span", { class: "role" }, words(seat.role), flag),
    ),
    points,
    facts,
  );
  let shownFacts = "";
  return {
    row,
    /** @param {{text: string, ahead: boolean, away: boolean, facts: [string, string][]}} score */
    update(score) {
      if (points.textContent !== score.text) points.textContent = score.text;
      row.classList.toggle("ahead", score.ahead);
      const key = JSON.stringify(score.facts);
      if (key !== shownFacts) {
        shownFacts = key;
        fill(
          facts,
          ...score.facts.map(([label, value]) =>
            el("div", {}, el("dt", {}, label), el("dd", {}, value)),
          ),
        );
      }
      const away = score.away ? "away" : "";
      if (flag.textContent !== away) flag.textContent = away;
    },
  };
}
