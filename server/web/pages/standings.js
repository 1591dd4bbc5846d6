// How the players of this server have done so far, game by game, as its results say.

import { api } from "../lib/api.js";
import { learnGames, titleOf } from "../lib/cards.js";
import { el, fill, table } from "../lib/dom.js";

/** @type {import("../app.js").Page} */
export default async function standings(main) {
  const box = el("div", { class: "page" }, el("section", {}, el("h1", {}, "Standings"), el("p", { class: "lead" }, "Every finished public match of this server, by game and name.")));
  fill(main, box);
  try {
    const [games, matches] = await Promise.all([api("/games"), api("/matches")]);
    learnGames(games);
    const over = matches.filter((/** @type {any} */ match) => match.state === "over" && match.outcome?.outcome !== "aborted");
    if (over.length === 0) box.append(el("p", { class: "quiet" }, "Nothing has been played here yet."));
    for (const { game } of games) {
      const rows = counted(over.filter((/** @type {any} */ match) => match.game === game));
      if (rows.length) box.append(el("section", {}, el("h2", {}, titleOf(game)), table(["", "Player", "Played", "Won", "Drawn", "Lost"], rows, "")));
    }
  } catch {
    box.append(el("p", { class: "fault", role: "alert" }, "The server does not answer."));
  }
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
  return [...all].sort(([, one], [, other]) => other.won / other.played - one.won / one.played || other.played - one.played)
    .map(([name, row], place) => [place + 1, el("strong", {}, name), row.played, row.won, row.drawn, row.lost]);
}
