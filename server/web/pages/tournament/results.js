// The results of a tournament: the first places, bracket, standings, crosstable.

import { bracket } from "../../lib/bracket.js";
import { el, table, words } from "../../lib/dom.js";

/** The name of a game that is due.
 * @param {any} game */
export const nextOf = (game) =>
  game.stage === "check" ? `the check of ${game.seats[0]}` : game.seats.join(" – ");

/** Whether stage 1 is hidden now from all but organisers and, of its own games, each bot.
 * @param {any} data a tournament, or its overview */
export const isHidden = ({ parameters, state }) =>
  parameters.hide_first_stage && state === "round_robin";

/** What is said instead of results. */
export const HIDDEN = "Stage 1 is hidden from the public until it is over.";

/** @param {string[]|null} placings */
export function podium(placings) {
  if (placings === null || placings.length === 0) return null;
  return el(
    "ol",
    { class: "podium", "aria-label": "Places" },
    ...placings
      .slice(0, 3)
      .map((name, place) =>
        el(
          "li",
          { class: `place-${place + 1}` },
          el("span", { class: "place" }, place + 1),
          el("span", { class: "name" }, name),
        ),
      ),
  );
}

/** @param {any} data a tournament, or its overview @returns {HTMLElement[]} */
export function bracketOf(data) {
  const last = (/** @type {string} */ duel) =>
    (Array.isArray(data.games)
      ? data.games.findLast((/** @type {any} */ game) => game.of === duel && game.match)?.match
      : data.bracket.find((/** @type {any} */ match) => match.match === duel)?.match_id) ?? null;
  if (data.bracket.length) {
    const drawn = bracket(data.bracket, (duel) =>
      last(duel) === null ? null : `/match/${encodeURIComponent(last(duel))}`,
    );
    const box = el("div", {
      class: "scroll",
      tabindex: "0",
      role: "region",
      "aria-label": "The bracket",
    });
    box.append(drawn);
    return [el("h2", {}, "Bracket"), box];
  }
  if (data.heat_bracket?.length) {
    return [
      el("h2", {}, "Bracket, in heats"),
      el(
        "ul",
        { class: "cards" },
        ...data.heat_bracket.map((/** @type {any} */ heat) =>
          el("li", {}, el("div", { class: "card" }, heatBody(heat))),
        ),
      ),
    ];
  }
  return [];
}

/** A heat: its bots, by their places once it is over.
 * @param {any} heat */
function heatBody({ heat, seats, placement, score }) {
  const rows = seats
    .map((/** @type {string} */ name, /** @type {number} */ seat) => ({
      name,
      place: placement?.[seat] ?? null,
      score: score?.[seat],
    }))
    .sort(
      (/** @type {any} */ one, /** @type {any} */ other) => (one.place ?? 0) - (other.place ?? 0),
    );
  return el(
    "div",
    { class: "body" },
    el("h3", {}, heat),
    el(
      "ol",
      { class: "plain-list" },
      ...rows.map((/** @type {any} */ one) =>
        el(
          "li",
          {},
          one.place === null ? "" : `${one.place}. `,
          el("strong", {}, one.name),
          one.score === undefined ? "" : ` · ${one.score}`,
        ),
      ),
      rows.length ? null : el("li", { class: "quiet" }, "not known yet"),
    ),
  );
}

/** @param {any} data @returns {HTMLElement[]} */
export function standingsOf(data) {
  if (data.standings.length === 0) return [];
  return [standingsHead(data), standingsTable(data.standings)];
}

/** @param {any} data */
export const standingsHead = ({ provisional }) =>
  el("h2", {}, provisional ? "Standings so far" : "Standings");

/** @param {any[]} standings */
export function standingsTable(standings) {
  const rows = standings.map((/** @type {any} */ row) => [
    row.rank ?? "–",
    el("strong", {}, row.id),
    row.played,
    row.wins,
    row.draws,
    row.losses,
    row.both_lost,
    row.points,
    `${row.score_for} : ${row.score_against}`,
    row.status === "active" ? row.tie_break.map(words).join(", ") : row.status,
    faultsOf(row),
  ]);
  return table(
    [
      ...["", "Bot", "Played", "Won", "Drawn", "Lost", "Both lost", "Points", "Score"],
      ...["Decided by", "Faults"],
    ],
    rows,
    "Nothing has been played yet.",
  );
}

/** What a bot did wrong in all of its games.
 * @param {any} row */
const faultsOf = (row) =>
  Object.entries(row.faults)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${words(kind)}`)
    .join(", ");

/** Each against each: wins, draws and losses.
 * @param {any} data the overview of a tournament */
export function crosstable(data) {
  if (data.crosstable.length === 0) return null;
  const names = data.ranking;
  const cells = new Map(
    data.crosstable.map((/** @type {any} */ cell) => [`${cell.id}\n${cell.against}`, cell]),
  );
  return table(
    ["", ...names],
    names.map((/** @type {string} */ name) => [
      el("strong", {}, name),
      ...names.map((/** @type {string} */ other) => {
        const cell = /** @type {any} */ (cells.get(`${name}\n${other}`));
        return name === other ? "·" : cell ? record(cell) : "";
      }),
    ]),
    "",
  );
}

/** @param {any} cell */
function record({ wins, draws, losses, both_lost: both }) {
  const title = `${wins} won, ${draws} drawn, ${losses} lost, ${both} both lost`;
  return el("span", { title }, `${wins}–${draws}–${losses + both}`);
}
