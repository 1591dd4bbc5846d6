// The players of this server by game: ratings and results.

import { api } from "../lib/api.js";
import { learnGames, titleOf } from "../lib/cards.js";
import { el, fill, opening, svg, table } from "../lib/dom.js";

const PAGE = 1_000;

/** @type {import("../lib/go.js").Page} */
export default async function standings(main) {
  const [games, matches] = await Promise.all([api("/games"), api(`/matches?limit=${PAGE}`)]);
  learnGames(games);
  const rated = await Promise.all(
    games.map((/** @type {any} */ { game }) => api(`/ratings?game=${encodeURIComponent(game)}`)),
  );
  const over = matches.filter(
    (/** @type {any} */ match) => match.state === "over" && match.outcome?.outcome !== "aborted",
  );
  const sections = [];
  for (const [number, { game }] of games.entries()) {
    const rows = counted(over.filter((/** @type {any} */ match) => match.game === game));
    const { ratings, anchor, first_seat: seat } = rated[number];
    if (rows.length + ratings.length === 0) continue;
    const all = table(["", "Player", "Played", "Won", "Drawn", "Lost"], rows, "");
    sections.push(
      el(
        "section",
        {},
        el("h2", {}, titleOf(game)),
        ...(ratings.length
          ? [
              ratingTable(ratings, anchor),
              el(
                "p",
                { class: "quiet" },
                seat ? `${seatText(seat)} ` : null,
                el("a", { href: `/ladder/${encodeURIComponent(game)}` }, "The ladder"),
              ),
              el("details", {}, el("summary", {}, "All matches, by name"), all),
            ]
          : [all]),
      ),
    );
  }
  fill(
    main,
    el(
      "div",
      { class: "page" },
      opening(
        "Standings",
        "Ratings from rated matches with their 95 % intervals, and the results of all finished " +
          "public matches.",
      ),
      ...sections,
      sections.length ? null : el("p", { class: "quiet" }, "Nothing has been played here yet."),
    ),
  );
}

/** What seat 0 is worth, as a sentence.
 * @param {{worth: number, low: number, high: number}} seat */
function seatText(seat) {
  const worth = Math.round(seat.worth);
  const points = `${worth < 0 ? "−" : "+"}${Math.abs(worth)}`;
  return `Seat 0 is worth ${points} Elo ± ${Math.round((seat.high - seat.low) / 2)}.`;
}

/** @param {any[]} ratings @param {string|null} anchor */
function ratingTable(ratings, anchor) {
  const known = ratings.filter((line) => line.rating !== null);
  const low = Math.min(...known.map((line) => line.low ?? line.rating));
  const high = Math.max(...known.map((line) => line.high ?? line.rating), low + 1);
  return table(
    ["", "Player", "Rating", "", "Games", "Won", "Drawn", "Lost"],
    ratings.map((line) => [
      line.rank ?? "–",
      el(
        "span",
        {},
        el("strong", {}, line.name),
        line.bot !== null && line.bot === anchor
          ? el("span", { class: "quiet" }, " · fixed")
          : null,
        line.provisional ? el("span", { class: "quiet" }, " · provisional") : null,
      ),
      line.rating === null
        ? "–"
        : el(
            "span",
            { class: "rating" },
            el("strong", {}, Math.round(line.rating)),
            " ",
            el(
              "span",
              { class: "quiet" },
              line.high > line.low ? `${Math.round(line.low)} to ${Math.round(line.high)}` : "",
            ),
          ),
      line.rating === null ? "" : interval(line, low, high),
      line.games,
      line.wins,
      line.draws,
      line.losses,
    ]),
    "",
  );
}

/** @param {{rating: number, low: number, high: number}} line @param {number} low
 * @param {number} high */
function interval(line, low, high) {
  const x = (/** @type {number} */ at) => 6 + ((at - low) / (high - low)) * 148;
  return svg(
    "svg",
    { viewBox: "0 0 160 20", class: "interval", "aria-hidden": "true" },
    svg("line", { x1: 0, x2: 160, y1: 10, y2: 10, class: "scale" }),
    svg("line", { x1: x(line.low), x2: x(line.high), y1: 10, y2: 10, class: "range" }),
    svg("circle", { cx: x(line.rating), cy: 10, r: 4.5 }),
  );
}

/** @param {any[]} matches */
function counted(matches) {
  /** @type {Map<string, {played: number, won: number, drawn: number, lost: number}>} */
  const all = new Map();
  for (const match of matches) {
    for (const seat of match.outcome.seats) {
      const name = match.players[seat.seat]?.name ?? `seat ${seat.seat}`;
      const row = all.get(name) ?? { played: 0, won: 0, drawn: 0, lost: 0 };
      row.played += 1;
      if (seat.outcome === "win") row.won += 1;
      else if (seat.outcome === "draw") row.drawn += 1;
      else row.lost += 1;
      all.set(name, row);
    }
  }
  return [...all]
    .sort(
      ([, one], [, other]) =>
        other.won / other.played - one.won / one.played || other.played - one.played,
    )
    .map(([name, row], place) => [
      place + 1,
      el("strong", {}, name),
      row.played,
      row.won,
      row.drawn,
      row.lost,
    ]);
}
