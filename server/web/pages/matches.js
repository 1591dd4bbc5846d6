// All matches of this server, running and over, by game, player and result.

import { trouble } from "../lib/account.js";
import { api, ifRefused, repeat } from "../lib/api.js";
import { learnGames, outcomeText, titleOf, versus } from "../lib/cards.js";
import { el, fill, table } from "../lib/dom.js";
import { choice, line } from "../lib/form.js";
import { liveCards } from "../lib/live-cards.js";

const REFRESH_MS = 3_000;
const PAGE = 50;
/** @type {[string, string][]} */
const RESULTS = [
  ["win", "won"],
  ["draw", "drawn"],
  ["loss", "lost"],
  ["both_lost", "both lost"],
];

/** @type {import("../lib/go.js").Page} */
export default async function matches(main) {
  const described = await api("/games").catch(ifRefused([]));
  learnGames(described);
  const asked = new URLSearchParams(location.search);
  const game = choice(
    "game",
    described.map((/** @type {any} */ one) => [one.game, one.title]),
    { none: "all games" },
  );
  const bot = line("player", "the exact name", { value: asked.get("bot") ?? undefined });
  const result = choice("result", RESULTS, { none: "any", about: "of this player, or of anyone" });
  /** @type {HTMLSelectElement} */ (game.control).value = asked.get("game") ?? "";
  /** @type {HTMLSelectElement} */ (result.control).value = asked.get("result") ?? "";
  const running = liveCards();
  const live = el("section", { hidden: true }, el("h2", {}, "Now playing"), running.element);
  const over = el("div");
  const more = el("button", { type: "button", hidden: true }, "Older matches");
  const fault = el("div");
  const form = el(
    "form",
    { class: "form", role: "search", "aria-label": "Find matches" },
    el("div", { class: "fields" }, game.element, bot.element, result.element),
  );
  fill(
    main,
    el(
      "div",
      { class: "page" },
      el("section", {}, el("h1", {}, "Matches"), form, fault),
      live,
      el("section", {}, el("h2", {}, "Played"), over, el("div", { class: "row" }, more)),
    ),
  );
  /** Every finished match that is listed.
   * @type {any[]} */
  let listed = [];
  let shown = "";

  const query = (/** @type {Record<string, string>} */ extra) => {
    const given = { game: game.value(), bot: bot.value(), result: result.value(), ...extra };
    return new URLSearchParams(
      /** @type {Record<string, string>} */ (
        Object.fromEntries(Object.entries(given).filter(([, value]) => value))
      ),
    );
  };

  /** @param {any[]} all */
  function show(all) {
    listed = all;
    const now = JSON.stringify(all.map((match) => match.match));
    if (now === shown) return;
    shown = now;
    fill(over, table(["Players", "Game", "Result", "Ended"], all.map(row), nothing()));
  }

  const nothing = () =>
    [...query({})].length ? "No match fits these filters." : "Nothing has been played here yet.";

  async function look() {
    try {
      const wanted = String(query({}));
      const found = await api(`/matches?${query({ limit: String(PAGE) })}`);
      if (wanted !== String(query({}))) return;
      fill(fault);
      const now = found.filter((/** @type {any} */ match) => match.state === "running");
      live.hidden = now.length === 0;
      running.update(now);
      const newest = found.filter((/** @type {any} */ match) => match.state === "over");
      const known = new Set(newest.map((/** @type {any} */ match) => match.match));
      const joins = listed.findIndex((match) => known.has(match.match));
      const older = joins < 0 ? [] : listed.filter((match) => !known.has(match.match));
      if (older.length === 0) more.hidden = newest.length < PAGE;
      show([...newest, ...older]);
    } catch (error) {
      fill(fault, trouble(error));
    }
  }

  more.addEventListener("click", async () => {
    more.disabled = true;
    try {
      const before = listed.at(-1).match;
      const found = await api(`/matches?${query({ limit: String(PAGE), before })}`);
      more.hidden = found.length < PAGE;
      show([...listed, ...found]);
    } catch (error) {
      fill(fault, trouble(error));
    } finally {
      more.disabled = false;
    }
  });
  const changed = () => {
    const text = String(query({}));
    history.replaceState(null, "", text ? `${location.pathname}?${text}` : location.pathname);
    listed = [];
    look();
  };
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    changed();
  });
  const stop = repeat(look, REFRESH_MS);
  return () => {
    stop();
    running.stop();
  };
}

/** @param {any} match */
const row = (match) => [
  el(
    "a",
    { href: `/match/${encodeURIComponent(match.match)}`, "data-keep": match.match },
    versus(match.players),
  ),
  el(
    "span",
    {},
    titleOf(match.game),
    match.name === null ? null : el("span", { class: "quiet" }, ` · ${match.name}`),
  ),
  outcomeText(match.outcome, match.players),
  el("span", { class: "quiet" }, moment(match.ended_ms)),
];

/** @param {number} ms */
function moment(ms) {
  const date = new Date(ms);
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(
    "en",
    today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" },
  );
}
