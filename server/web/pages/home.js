// The first page: what runs, what is open, which games there are.

import { Refusal, api, repeat, reportFault } from "../lib/api.js";
import { grid, joinLine, learnGames, lobbyCard, matchCard, pictureOf } from "../lib/cards.js";
import { command } from "../lib/copy.js";
import { el, fill, opening } from "../lib/dom.js";
import { liveCards } from "../lib/live-cards.js";

const REFRESH_MS = 2_000;
const PLAYED = 9;
const RUNNING = 24;

/** @type {import("../lib/go.js").Page} */
export default async function home(main) {
  const cards = liveCards();
  const running = el(
    "section",
    { hidden: true },
    el(
      "div",
      { class: "head" },
      el("h2", {}, "Now playing"),
      el("a", { href: "/screen" }, "Big screen"),
    ),
    cards.element,
  );
  const open = el("section", { hidden: true });
  const played = el("section", { hidden: true });
  const games = el("section");
  const trouble = el("p", { class: "fault", role: "status" });
  fill(
    main,
    el(
      "div",
      { class: "page" },
      opening(
        "Bots at play",
        "Five contest games, played by programs. Watch a match, open a lobby, or connect a bot " +
          "of your own.",
        trouble,
      ),
      running,
      open,
      games,
      played,
    ),
  );
  let listed = "";

  const stop = repeat(async () => {
    try {
      if (games.childElementCount === 0) {
        const described = await api("/games");
        learnGames(described);
        fill(
          games,
          el("h2", {}, "The games"),
          el("ul", { class: "cards games" }, ...described.map(gameCard)),
          el(
            "p",
            { class: "quiet" },
            "Choose a game to open a lobby, or connect a bot from the command line:",
          ),
          command(joinLine(described[0]?.game ?? "pyrat")),
          el("p", {}, el("a", { href: "/submit" }, "Hand in a bot"), " for the server to play it."),
        );
      }
      const [lobbies, matches] = await Promise.all([
        api("/lobbies?state=open"),
        api("/matches?limit=12"),
      ]);
      trouble.textContent = "";
      const live = matches.filter((/** @type {any} */ match) => match.state === "running");
      running.hidden = live.length === 0;
      cards.update(live.slice(0, RUNNING));
      const over = matches
        .filter((/** @type {any} */ match) => match.state === "over")
        .slice(0, PLAYED);
      const now = JSON.stringify([lobbies, over]);
      if (now === listed) return;
      listed = now;
      open.hidden = lobbies.length === 0;
      played.hidden = over.length === 0;
      fill(open, el("h2", {}, "Open lobbies"), grid(lobbies.map(lobbyCard), ""));
      fill(
        played,
        el(
          "div",
          { class: "head" },
          el("h2", {}, "Played"),
          el("a", { href: "/matches" }, "All matches"),
        ),
        grid(over.map(matchCard), ""),
      );
    } catch (fault) {
      const closed = fault instanceof Refusal && fault.status === 401;
      if (closed)
        fill(
          trouble,
          "This server requires an account's key: ",
          el("a", { href: "/organiser" }, "enter it"),
          ".",
        );
      else trouble.textContent = "The server does not answer; trying again …";
      reportFault(fault);
      return !closed;
    }
  }, REFRESH_MS);
  return () => {
    stop();
    cards.stop();
  };
}

/** @param {any} game */
function gameCard(game) {
  return el(
    "li",
    {},
    el(
      "a",
      { class: "card", href: `/games/${game.game}` },
      pictureOf(game.game),
      el(
        "div",
        { class: "body" },
        el("h3", {}, game.title),
        el(
          "p",
          { class: "quiet" },
          `${game.seats} seats · ${game.realtime ? "in real time" : "turn by turn"}`,
        ),
      ),
    ),
  );
}
