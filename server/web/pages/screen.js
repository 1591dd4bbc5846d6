// The big screen: it follows the matches of a tournament (`?tournament=`) or of the whole server,
// without any input.

import { api, repeat } from "../lib/api.js";
import { learnGames, titleOf, outcomeText } from "../lib/cards.js";
import { el, fill } from "../lib/dom.js";
import { createMatch } from "../match/element.js";
import { LiveSource } from "../sources/live.js";
import { bracketOf, nextOf, standingsOf } from "./tournament/results.js";

const ASK_MS = 1_000;
/** How long the end of a match is shown. */
const STAY_MS = 5_000;
/** How long results are shown of matches that were over before they could be shown. */
const READ_MS = 3_000;
/** How many results are shown, and how many matches are requested from the server. */
const LATEST = 6;
const LISTED = 60;

/** @typedef {{match: string, title: string}} Running */
/** `game`: its match, or its name in the tournament.
 * @typedef {{game: string, text: string}} Result */

/** @type {import("../lib/go.js").Page} */
export default async function screen(main) {
  const id = new URLSearchParams(location.search).get("tournament");
  const shown = createMatch();
  const head = el("h1", { class: "match-title" });
  const pause = el("div", { class: "page between", hidden: true });
  main.className = "wide";
  document.body.classList.add("screen");
  fill(main, shown, pause);
  shown.extras.append(head);
  learnGames(await api("/games").catch(() => []));
  /** Matches that were followed, and those whose end was shown.
   * @type {Set<string>} */
  const chosen = new Set();
  /** @type {Set<string>} */
  const seen = new Set();
  /** Results that were listed, or older than this screen.
   * @type {Set<string>|null} */
  let known = null;
  /** The latest results that were listed, the newest first.
   * @type {Result[]} */
  let latest = [];
  let until = 0;
  let gone = false;
  /** @type {string|null} */
  let now = null;

  shown.addEventListener("ended", () => {
    if (now !== null) seen.add(now);
    until = performance.now() + STAY_MS;
  });
  shown.addEventListener("learned", () => {
    const source = shown.source;
    if (source) shown.name(source.seats.map((seat) => seat.name).join(" – "));
  });

  /** @param {Running} one */
  function follow(one) {
    now = one.match;
    chosen.add(one.match);
    until = Infinity;
    pause.hidden = true;
    shown.hidden = false;
    head.textContent = one.title;
    const source = new LiveSource(one.match);
    source.addEventListener("status", () => {
      if (source.status.kind === "refused") until = 0;
    });
    shown.show(source);
  }

  /** Show the standings and the latest results between two matches.
   * @param {any} tournament */
  function between(tournament) {
    now = null;
    shown.source = null;
    shown.hidden = true;
    pause.hidden = false;
    const next = tournament?.games.find((/** @type {any} */ game) => game.state === "due");
    const results = latest.length
      ? el(
          "section",
          {},
          el("h2", {}, "Just played"),
          el("ul", { class: "plain-list" }, ...latest.map((one) => el("li", {}, one.text))),
        )
      : null;
    fill(
      pause,
      ...(tournament
        ? [
            el(
              "section",
              {},
              el("h1", {}, tournament.name),
              el(
                "p",
                { class: "lead" },
                tournament.placings
                  ? `${tournament.placings[0]} wins.`
                  : next
                    ? `Next: ${nextOf(next)}`
                    : "",
              ),
            ),
            results,
            el(
              "section",
              {},
              ...(tournament.bracket.length || tournament.heat_bracket?.length
                ? bracketOf(tournament)
                : standingsOf(tournament)),
            ),
          ]
        : [
            el(
              "section",
              {},
              el("h1", {}, "Botarena"),
              el("p", { class: "lead" }, "Nothing is played at this moment."),
            ),
            results,
          ]),
    );
  }

  /** Whether there are results of games that were too quick to be followed.
   * @param {Result[]} results the newest first */
  function missed(results) {
    const before = known;
    known = new Set(results.map((one) => one.game));
    if (before === null) return false;
    const news = results.filter((one) => !before.has(one.game));
    latest = [...news, ...latest].slice(0, LATEST);
    return news.some((one) => !seen.has(one.game));
  }

  const stop = repeat(async () => {
    if (performance.now() < until) return;
    try {
      const tournament = id ? await api(`/tournaments/${encodeURIComponent(id)}`) : null;
      const matches = tournament ? [] : await api(`/matches?limit=${LISTED}`);
      const running = tournament ? ofTournament(tournament) : ofServer(matches);
      const next =
        running.find((one) => !chosen.has(one.match)) ?? running.find((one) => one.match !== now);
      if (gone) return;
      if (missed(tournament ? resultsOf(tournament) : resultsOn(matches))) {
        between(tournament);
        until = performance.now() + READ_MS;
      } else if (next) follow(next);
      else if (now !== null || pause.hidden || tournament) between(tournament);
    } catch {
      // the server does not answer: keep what is shown, and ask again
    }
  }, ASK_MS);

  return () => {
    gone = true;
    stop();
    document.body.classList.remove("screen");
    shown.source = null;
  };
}

/** The running games of stages that may be watched live.
 * @param {any} tournament @returns {Running[]} */
function ofTournament(tournament) {
  const open = (/** @type {any} */ game) =>
    game.stage === "bracket"
      ? tournament.parameters.bracket_public
      : tournament.parameters.round_robin_public;
  return tournament.games
    .filter((/** @type {any} */ game) => game.state === "running" && game.match && open(game))
    .map((/** @type {any} */ game) => ({
      match: game.match,
      title: `${tournament.name} · ${game.of ?? game.game}`,
    }));
}

/** @param {any[]} matches @returns {Running[]} */
function ofServer(matches) {
  return matches
    .filter((match) => match.state === "running")
    .map((match) => ({ match: match.match, title: match.name ?? titleOf(match.game) }));
}

/** The results of a tournament, newest first; they are public even where the games are not.
 * @param {any} tournament @returns {Result[]} */
function resultsOf(tournament) {
  return tournament.games
    .filter((/** @type {any} */ game) => game.result !== null)
    .toReversed()
    .map((/** @type {any} */ game) => {
      const { both_lost, score } = game.result;
      const points = both_lost ? "both lost" : score.join(" : ");
      return {
        game: game.match ?? game.game,
        text: `${game.game}: ${game.seats.join(" – ")} ${points}`,
      };
    });
}

/** @param {any[]} matches @returns {Result[]} */
function resultsOn(matches) {
  return matches
    .filter((match) => match.state === "over")
    .map((match) => {
      const title = match.name ?? titleOf(match.game);
      const names = match.players.map((/** @type {any} */ player) => player.name).join(" – ");
      const outcome = outcomeText(match.outcome, match.players);
      return { game: match.match, text: `${title}: ${names} · ${outcome}` };
    });
}
