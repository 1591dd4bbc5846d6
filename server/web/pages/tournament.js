// One tournament: current games, bracket, tables, all games and decisions; for its organisers also
// the actions.

import { trouble, whoAmI } from "../lib/account.js";
import { Refusal, api, ifRefused, repeat, reportFault } from "../lib/api.js";
import { titleOf, learnGames } from "../lib/cards.js";
import { command } from "../lib/copy.js";
import { el, fill, setTitle, words } from "../lib/dom.js";
import { sayNoSuch } from "../lib/missing.js";
import { persistent } from "../lib/persistent.js";
import { actionsOf, button } from "./tournament/actions.js";
import { paged } from "./tournament/paged.js";
import {
  HIDDEN,
  bracketOf,
  crosstable,
  isHidden,
  nextOf,
  podium,
  standingsHead,
  standingsTable,
} from "./tournament/results.js";
import { entrantsTable, gamesTable, logTable } from "./tournament/tables.js";
import { stateWords } from "./tournaments.js";

/** @typedef {import("./tournament/actions.js").Actions} Actions */

const REFRESH_MS = 2_000;

/** @type {import("../lib/go.js").Page} */
export default async function tournament(main, [id]) {
  const path = `/tournaments/${encodeURIComponent(id)}`;
  const head = el("section");
  const lead = el("section", { hidden: true });
  const now = el("section");
  const tree = el("section");
  const standingsTitle = el("div");
  const standings = paged(`${path}/standings`, "Standings", standingsTable);
  const table = el("section", { hidden: true }, standingsTitle, standings.element);
  const met = el("section");
  const more = el("section");
  const [games, me] = await Promise.all([
    api("/games").catch(ifRefused([])),
    whoAmI().catch(ifRefused(null)),
  ]);
  learnGames(games);
  fill(main, el("div", { class: "page" }, head, lead, now, tree, table, met, more));
  const fault = el("p", { class: "fault", role: "alert" });
  const actions = actionsOf(path, refresh, fault);
  const organiser = me?.kind === "organiser" ? actions : null;
  /** @type {any} */
  let data = null;
  let shown = "";

  /** The tables below, each with its part of the page. */
  const tables = [
    { title: "All games", of: "games", draw: drawGames, when: () => organiser },
    { title: "Bots", of: "entrants", draw: entrantsTable, when: leads },
    { title: "Log", of: "log", draw: logTable, when: () => organiser },
  ].map(({ title, of, draw, when }) => {
    const table = paged(`${path}/${of}`, title, (rows) => draw(rows, when()));
    const part = fold(title, table.element);
    const open = () => part.open && part.isConnected;
    part.addEventListener("toggle", () =>
      persistent(() => table.refresh(), open).catch(reportFault),
    );
    return { table, part };
  });
  more.append(...tables.map(({ part }) => part));

  /** Whether stage 1 is hidden from this viewer. */
  function hides() {
    return isHidden(data) && organiser === null;
  }

  /** @param {any[]} games @param {Actions|null} actions */
  function drawGames(games, actions) {
    return gamesTable(games, actions, hides());
  }

  /** The organiser's actions, while it is not over. */
  function leads() {
    return data.ended_ms === null ? organiser : null;
  }

  async function refresh() {
    data = await api(`${path}/overview`);
    const state = JSON.stringify(data);
    if (state === shown) return;
    if (!shown && data.state === "entries_open") tables[1].part.open = true;
    await Promise.all([
      standings.refresh(),
      ...tables.filter(({ part }) => part.open).map(({ table }) => table.refresh(data.state)),
    ]);
    shown = state;
    setTitle(main, data.name);
    show();
  }

  function show() {
    const over = data.ended_ms !== null;
    fill(head, ...headOf(id, data, hides()), podium(data.placings), fault);
    lead.hidden = over || (!organiser && data.state !== "entries_open");
    if (!lead.hidden)
      fill(lead, ...(organiser ? leading(data, organiser) : entering(id, me, actions)));
    const silent = isHidden(data) && data.running.length === 0;
    fill(now, ...(over || silent ? [] : nowOf(data)));
    fill(tree, ...bracketOf(data));
    table.hidden = !standings.total() || hides();
    fill(standingsTitle, standingsHead(data));
    const cross = table.hidden ? null : crosstable(data);
    fill(met, cross && fold("Each against each", cross));
  }

  return repeat(async () => {
    try {
      await refresh();
    } catch (error) {
      const gone = error instanceof Refusal;
      if (gone && error.status === 404) sayNoSuch(main, "tournament", id, error);
      else if (data === null || gone) fill(head, el("h1", {}, "Tournament"), trouble(error));
      else reportFault(error);
      return !gone;
    }
  }, REFRESH_MS);
}

/** The name, the state and the documents.
 * @param {string} id @param {any} data @param {boolean} hides stage 1, from this viewer
 * @returns {HTMLElement[]} */
function headOf(id, data, hides) {
  const stopped = data.paused || data.ended_ms !== null;
  const key = encodeURIComponent(id);
  const file = (/** @type {string} */ name) => `/api/v1/tournaments/${key}/${name}`;
  /** @param {string} label @param {string} keep @param {any} attributes */
  const link = (label, keep, attributes) =>
    el("a", { class: "button", "data-keep": keep, ...attributes }, label);
  return [
    el(
      "div",
      { class: "head" },
      el("h1", {}, data.name),
      el(
        "span",
        { class: "pill", "data-kind": stopped ? "over" : "live" },
        data.paused ? "paused" : stateWords(data.state),
      ),
    ),
    el(
      "p",
      { class: "lead" },
      `${titleOf(data.game)}, ${data.entrants} bots, ${words(data.format)}` +
        (hides ? ". " : `, ${data.played} of ${data.games} games played. `) +
        (isHidden(data) ? HIDDEN : ""),
    ),
    el(
      "div",
      { class: "row" },
      link("Big screen", "screen", { class: "button main", href: `/screen?tournament=${key}` }),
      ...(hides
        ? []
        : [
            link("Print", "print", { href: file("page"), target: "_blank", rel: "noopener" }),
            link("CSV", "csv", { href: file("standings.csv"), download: `${data.name}.csv` }),
          ]),
    ),
  ];
}

/** @param {any} data @param {Actions} actions @returns {HTMLElement[]} */
function leading({ state, paused, ended_ms: ended }, actions) {
  /** @param {string} label @param {string} verb @param {boolean} [main] */
  const run = (label, verb, main = false) => button(label, label, () => actions.run(verb), main);
  const cancel = () =>
    actions.runWithReason(
      "Cancel the tournament",
      "The tournament ends for good, without a final list.",
      "cancel",
    );
  const plays = !["entries_open", "finished", "cancelled"].includes(state);
  return [
    el("h2", {}, "Organise"),
    el(
      "div",
      { class: "row" },
      state === "entries_open" ? run("Start: entries close", "start", true) : null,
      state === "seeded" ? run("Begin the bracket", "begin", true) : null,
      plays ? (paused ? run("Resume", "resume", true) : run("Pause", "pause")) : null,
      ended === null ? button("Cancel", "Cancel", cancel) : null,
    ),
  ];
}

/** @param {string} id @param {import("../lib/account.js").Account|null} me
 * @param {Actions} actions @returns {(HTMLElement|null)[]} */
function entering(id, me, actions) {
  return [
    el("h2", {}, "Enter"),
    me?.kind === "bot"
      ? el(
          "div",
          { class: "row" },
          button(`Enter with ${me.name}`, "enter", () => actions.run("entrants"), true),
        )
      : null,
    el(
      "p",
      { class: "quiet" },
      "This command enters your bot and plays its games while it runs. Set BOTARENA_KEY to your " +
        "account's key:",
    ),
    command(`botarena play-for ${location.origin} mybot.py --enter ${id}`),
  ];
}

/** The running games, or the next one.
 * @param {any} data @returns {HTMLElement[]} */
function nowOf({ running, running_games: count, due: [due] }) {
  return [
    el("h2", {}, count > running.length ? `Now: ${count} games` : "Now"),
    running.length
      ? el("ul", { class: "cards" }, ...running.map(gameCard))
      : el("p", { class: "quiet" }, due ? `Next: ${nextOf(due)}.` : "No game is running."),
  ];
}

/** Which parts are open. They stay open when the page is filled again.
 * @type {Map<string, boolean>} */
const folded = new Map();

/** @param {string} title @param {Node} content */
function fold(title, content) {
  const part = el(
    "details",
    { open: folded.get(title) ?? false },
    el("summary", { "data-keep": `fold-${title}` }, title),
    content,
  );
  part.firstElementChild?.addEventListener("click", () => folded.set(title, !part.open));
  return part;
}

/** @param {any} game */
function gameCard(game) {
  return el(
    "li",
    {},
    el(
      "a",
      { class: "card", href: `/match/${encodeURIComponent(game.match)}`, "data-keep": game.match },
      el(
        "div",
        { class: "body" },
        el(
          "div",
          { class: "head" },
          el("h3", {}, game.seats.join(" – ")),
          el("span", { class: "pill", "data-kind": "live" }, game.game),
        ),
      ),
    ),
  );
}
