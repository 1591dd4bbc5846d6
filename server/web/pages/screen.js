// The big screen: without any input it directs a tournament (`?tournament=`) or the whole server.
// It announces each match, shows it whole and at a pace for people, then how things stand. Matches
// that end meanwhile wait for their turn.

import { leads, trouble } from "../lib/account.js";
import { api, ifRefused, reportFault } from "../lib/api.js";
import { learnGames, outcomeText, titleOf } from "../lib/cards.js";
import { el, fill } from "../lib/dom.js";
import { persistent } from "../lib/persistent.js";
import { swatch } from "../lib/swatch.js";
import { createMatch } from "../match/element.js";
import { SPEEDS } from "../match/timeline.js";
import { LiveSource } from "../sources/live.js";
import { releasedReplay } from "../sources/replay.js";
import { asShown, gamesToShow, matchesToShow } from "./screen/queue.js";
import { HIDDEN, bracketOf, isHidden, nextOf, podium, standingsOf } from "./tournament/results.js";

/** @typedef {import("./screen/queue.js").Item} Item */

const LOOK_MS = 1_000;
const ANNOUNCE_MS = 4_000;
/** How long the end of a match is shown, then how things stand. */
const STAY_MS = 6_000;
const BETWEEN_MS = 7_000;
/** A match that does not come, or stands still, is given up. */
const PATIENCE_MS = 20_000;
const TRIES = 5;
/** How often the server hears of this screen (`wait_for_screen_s`). */
const REPORT_MS = 5_000;
const LATEST = 6;
const LISTED = 60;
/** How many games and lines of the table of a tournament are looked at. */
const GAMES = 200;
const ROWS = 20;

/** @type {import("../lib/go.js").Page} */
export default async function screen(main) {
  const wishes = new URLSearchParams(location.search);
  const tournament = wishes.get("tournament");
  const speed = SPEEDS.find((one) => String(one) === wishes.get("speed")) ?? 1;
  const path = tournament && `/tournaments/${encodeURIComponent(tournament)}`;
  const shown = createMatch();
  const head = el("h1", { class: "match-title" });
  const words = el("div", { class: "page between" });
  main.className = "wide";
  fill(main, shown, words);
  shown.hidden = true;
  shown.extras.append(head);
  fill(words, el("p", { class: "quiet", role: "status" }, "Waiting for the server …"));
  const answers = await persistent(
    () => Promise.all([api("/games").catch(ifRefused([])), path !== null && leads()]),
    () => main.isConnected,
    (fault) => fill(words, trouble(fault)),
  );
  if (answers === null) return;
  const [games, reports] = answers;
  learnGames(games);
  document.body.classList.add("screen");
  let gone = false;
  /** Games that were shown, given up, or over before this screen was opened.
   * @type {Set<string>|null} */
  let done = null;
  let reportedAt = -Infinity;

  shown.addEventListener("learned", () => {
    const { source } = shown;
    if (source) shown.name(source.seats.map((seat) => seat.name).join(" – "));
  });

  /** What the server says now; null: it does not answer.
   * @returns {Promise<any>} */
  async function look() {
    try {
      const data = await (path ? tournamentNow(path) : api(`/matches?limit=${LISTED}`));
      done ??= new Set(
        (path ? data.games : data)
          .filter((/** @type {any} */ one) => (path ? one.result !== null : one.state === "over"))
          .map((/** @type {any} */ one) => (path ? one.game : one.match)),
      );
      report(null);
      return data;
    } catch (fault) {
      reportFault(fault);
      return null;
    }
  }

  /** Tell the server that this screen is open, or that it has shown a game.
   * @param {string|null} game */
  function report(game) {
    const now = performance.now();
    if (!reports || (game === null && now - reportedAt < REPORT_MS)) return;
    reportedAt = now;
    api(`${path}/screen`, { body: { shown: game } }).catch(() => {});
  }

  const has = (/** @type {string} */ id) => done?.has(id) ?? true;
  /** @param {any} data @returns {Item[]} */
  const queue = (data) => (path ? gamesToShow(data, has) : matchesToShow(data, has, titleOf));

  /** @param {...import("../lib/dom.js").Child} parts */
  function say(...parts) {
    shown.source = null;
    shown.hidden = true;
    words.hidden = false;
    fill(words, ...parts);
  }

  /** Who plays next.
   * @param {Item} item @param {string} event the name of the tournament, or empty */
  function announce({ title, seats }, event) {
    const names = seats.map((name, seat) =>
      el("li", {}, swatch(seat), el("span", { class: "name" }, name)),
    );
    say(
      el(
        "section",
        { class: "announced" },
        el("p", { class: "lead" }, event),
        el("h1", {}, title),
        el("ul", { class: "rivals", "data-seats": seats.length }, ...names),
      ),
    );
  }

  /** Show a match from its first turn to its end, live or from its record. Returns whether that was
   * possible.
   * @param {Item} item */
  async function play({ match, title }) {
    head.textContent = title;
    for (let tries = 0; tries < TRIES && !gone; tries += 1) {
      if (tries > 0) await sleep(LOOK_MS);
      const source = await sourceOf(match);
      if (source && !gone && (await showWhole(source))) return true;
    }
    return false;
  }

  /** @param {import("../sources/source.js").Source} source */
  async function showWhole(source) {
    words.hidden = true;
    shown.hidden = false;
    const { timeline } = shown;
    const rewind = () => {
      timeline.speed = speed;
      timeline.onAir = true; // the end of a record, too, is revealed when it is shown
      timeline.pauseAt(source.first);
      timeline.play();
    };
    shown.addEventListener("learned", rewind, { once: true });
    source.addEventListener("history", () => setTimeout(rewind), { once: true });
    shown.show(source);
    let movedAt = performance.now();
    let index = timeline.index;
    while (!gone) {
      await sleep(LOOK_MS / 4);
      const over = source.outcome !== null && !source.live;
      if (over && timeline.shown && timeline.atEnd) break;
      if (source.status.kind === "refused" || (over && source.end === source.first)) return false;
      if (timeline.index !== index || source.status.kind === "waiting") {
        index = timeline.index;
        movedAt = performance.now();
      }
      if (performance.now() - movedAt > PATIENCE_MS) return false;
      report(null);
    }
    await sleep(STAY_MS / speed);
    return true;
  }

  /** How things stand.
   * @param {any} data */
  function between(data) {
    const to = queue(data);
    if (!path) {
      const over = data
        .filter((/** @type {any} */ match) => match.state === "over" && has(match.match))
        .slice(0, LATEST);
      say(
        el(
          "section",
          {},
          el("h1", {}, "Botarena"),
          el("p", { class: "lead" }, to.length ? "" : "Nothing is played at this moment."),
        ),
        latest(
          over.map((/** @type {any} */ { match, name, game, players, outcome }) => {
            const names = players.map((/** @type {any} */ player) => player.name).join(" – ");
            return [match, `${name ?? titleOf(game)}: ${names} · ${outcomeText(outcome, players)}`];
          }),
        ),
      );
      return;
    }
    if (isHidden(data)) {
      // this screen may have the key of an organiser, who sees all
      say(el("section", {}, el("h1", {}, data.name), el("p", { class: "lead" }, HIDDEN)));
      return;
    }
    const hidden = new Set(to.filter((one) => !one.live).map((one) => one.id));
    const now = asShown(data, hidden);
    const running = new Set(data.running.map((/** @type {any} */ game) => game.game));
    const due = data.due.find((/** @type {any} */ game) => !running.has(game.game));
    const next = to[0]?.seats.join(" – ") ?? (due && hidden.size === 0 ? nextOf(due) : null);
    const drawn = now.bracket.length || now.heat_bracket?.length;
    say(
      el(
        "section",
        {},
        el("h1", {}, now.name),
        el(
          "p",
          { class: "lead" },
          now.placings ? `${now.placings[0]} wins.` : next ? `Next: ${next}` : entries(now),
        ),
        podium(now.placings),
      ),
      el("section", {}, ...(drawn ? bracketOf(now) : standingsOf(now))),
      drawn ? null : latest(resultsOf(data, has)),
    );
  }

  (async () => {
    let said = "";
    while (!gone) {
      const data = await look();
      const item = data && queue(data)[0];
      if (item && done) {
        said = "";
        announce(item, path ? data.name : "");
        await sleep(ANNOUNCE_MS / speed);
        if (gone) return;
        const whole = await play(item);
        /** @type {Set<string>} */ (done).add(item.id);
        if (whole) report(item.id);
        const now = gone ? null : await look();
        if (gone || !now) continue;
        between(now);
        await sleep(BETWEEN_MS / speed);
      } else {
        const now = JSON.stringify(data);
        if (data && now !== said) between(data);
        said = now;
        await sleep(LOOK_MS);
      }
    }
  })();

  return () => {
    gone = true;
    document.body.classList.remove("screen");
    shown.source = null;
  };
}

/** A tournament as far as the screen shows it: the games at the end of the schedule, where the
 * bracket is, those that run, and the head of the table.
 * @param {string} path */
async function tournamentNow(path) {
  const [overview, games, standings] = await Promise.all([
    api(`${path}/overview`),
    api(`${path}/games?limit=${GAMES}`),
    api(`${path}/standings?limit=${ROWS}`),
  ]);
  const last = games.rows.toReversed();
  const known = new Set(last.map((/** @type {any} */ one) => one.game));
  const others = overview.running.filter((/** @type {any} */ one) => !known.has(one.game));
  const running = others.map((/** @type {any} */ one) => ({
    ...one,
    state: "running",
    result: null,
  }));
  return { ...overview, games: [...running, ...last], standings: standings.rows };
}

/** The match until it is over, then its record; null: it is not released.
 * @param {string} match */
async function sourceOf(match) {
  const lobby = await api(`/lobbies/${encodeURIComponent(match)}`).catch(() => null);
  if (lobby && ["open", "running"].includes(lobby.state)) return new LiveSource(match);
  return releasedReplay(match).catch((fault) => {
    reportFault(fault);
    return null;
  });
}

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {[string, string][]} results by id, newest first */
function latest(results) {
  if (results.length === 0) return null;
  return el(
    "section",
    {},
    el("h2", {}, "Just played"),
    el(
      "ul",
      { class: "plain-list" },
      ...results.slice(0, LATEST).map(([id, text]) => el("li", { "data-game": id }, text)),
    ),
  );
}

/** What is said before a tournament starts.
 * @param {any} tournament */
const entries = ({ state, entrants }) =>
  state === "entries_open" ? `Entries are open. Bots: ${entrants}` : "";

/** The results of a tournament; they are public even where the games are not.
 * @param {any} tournament @param {(id: string) => boolean} has
 * @returns {[string, string][]} */
function resultsOf(tournament, has) {
  return tournament.games
    .filter(
      (/** @type {any} */ game) =>
        game.result !== null && (game.stage !== "bracket" || has(game.game)),
    )
    .toReversed()
    .map((/** @type {any} */ game) => {
      const { both_lost, score } = game.result;
      const points = both_lost ? "both lost" : score.join(" : ");
      return [game.game, `${game.game}: ${game.seats.join(" – ")} ${points}`];
    });
}
