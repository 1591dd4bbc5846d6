// The big screen: it follows what is played, in a tournament (`?tournament=`) or on the whole server, without a hand.

import { api, repeat } from "../lib/api.js";
import { ArenaMatch } from "../lib/arena-match.js";
import { learnGames, titleOf } from "../lib/cards.js";
import { el, fill } from "../lib/dom.js";
import { LiveSource } from "../lib/sources.js";
import { bracketOf, standingsOf } from "./tournament.js";

const ASK_MS = 2_000;
/** So long the end of a match stays. */
const STAY_MS = 5_000;

/** @typedef {{match: string, title: string}} Running */

/** @type {import("../app.js").Page} */
export default async function screen(main) {
  const id = new URLSearchParams(location.search).get("tournament");
  const shown = /** @type {ArenaMatch} */ (el(/** @type {any} */ ("arena-match"), { "data-test": "match" }));
  const head = el("h1", { class: "match-title" });
  const pause = el("div", { class: "page between", hidden: true });
  main.className = "wide";
  document.body.classList.add("screen");
  fill(main, shown, pause);
  shown.parts.extras.append(head);
  learnGames(await api("/games").catch(() => []));
  /** @type {Set<string>} */
  const seen = new Set();
  let until = 0;
  let gone = false;
  /** @type {string|null} */
  let now = null;

  shown.addEventListener("ended", () => { until = performance.now() + STAY_MS; });
  shown.addEventListener("learned", () => {
    const source = shown.source;
    if (source) shown.name(source.seats.map((seat) => seat.name).join(" – "));
  });

  /** @param {Running} one */
  function follow(one) {
    now = one.match;
    seen.add(one.match);
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

  /** Nothing runs: how it stands.
   * @param {any} told */
  function between(told) {
    now = null;
    shown.source = null;
    shown.hidden = true;
    pause.hidden = false;
    const next = told?.games.find((/** @type {any} */ game) => game.state === "due");
    fill(pause, ...(told
      ? [el("section", {}, el("h1", {}, told.name), el("p", { class: "lead" }, told.placings ? `${told.placings[0]} wins.` : next ? `Next: ${next.seats.join(" – ")}` : "")),
        el("section", {}, ...(told.bracket.length || told.heat_bracket?.length ? bracketOf(told) : standingsOf(told)))]
      : [el("section", {}, el("h1", {}, "Botarena"), el("p", { class: "lead" }, "Nothing is played at this moment."))]));
  }

  const stop = repeat(async () => {
    if (now !== null && performance.now() < until) return;
    try {
      const told = id ? await api(`/tournaments/${encodeURIComponent(id)}`) : null;
      const running = told ? ofTournament(told) : await ofServer();
      const next = running.find((one) => !seen.has(one.match)) ?? running.find((one) => one.match !== now);
      if (gone) return;
      if (next) follow(next);
      else if (now !== null || pause.hidden || told) between(told);
    } catch {
      // the server is away: what is shown stays, and it is asked again
    }
  }, ASK_MS);

  return () => {
    gone = true;
    stop();
    document.body.classList.remove("screen");
    shown.source = null;
  };
}

/** Games of stages that are shown while they are played.
 * @param {any} told @returns {Running[]} */
function ofTournament(told) {
  const open = (/** @type {any} */ game) => (game.stage === "bracket" ? told.parameters.bracket_public : told.parameters.round_robin_public);
  return told.games.filter((/** @type {any} */ game) => game.state === "running" && game.match && open(game))
    .map((/** @type {any} */ game) => ({ match: game.match, title: `${told.name} · ${game.of ?? game.game}` }));
}

/** @returns {Promise<Running[]>} */
async function ofServer() {
  const matches = await api("/matches?limit=1");
  return matches.filter((/** @type {any} */ match) => match.state === "running")
    .map((/** @type {any} */ match) => ({ match: match.match, title: match.name ?? titleOf(match.game) }));
}
