// The tournaments of this server, newest first.

import { trouble } from "../lib/account.js";
import { api, repeat } from "../lib/api.js";
import { learnGames, titleOf } from "../lib/cards.js";
import { el, fill, words } from "../lib/dom.js";

const REFRESH_MS = 5_000;

/** @type {import("../lib/go.js").Page} */
export default async function tournaments(main) {
  const list = el("section");
  fill(main, el("div", { class: "page" }, el("section", {}, el("h1", {}, "Tournaments")), list));
  let shown = "";
  return repeat(async () => {
    try {
      const [games, all] = await Promise.all([api("/games"), api("/tournaments")]);
      learnGames(games);
      const now = JSON.stringify(all);
      if (now === shown) return;
      shown = now;
      fill(
        list,
        all.length
          ? el("ul", { class: "cards" }, ...all.map(tournamentCard))
          : el(
              "p",
              { class: "lead" },
              "No tournament is held on this server. ",
              el("a", { href: "/" }, "See what is being played"),
            ),
      );
    } catch (fault) {
      fill(list, trouble(fault));
      shown = "";
    }
  }, REFRESH_MS);
}

/** The name of a state.
 * @param {string} state */
export const stateWords = (state) =>
  ({ entries_open: "entries are open", round_robin: "stage 1", seeded: "the bracket waits" })[
    state
  ] ?? words(state);

/** @param {any} one */
export function tournamentCard(one) {
  const created = new Date(one.created_ms).toLocaleDateString("en", { dateStyle: "medium" });
  const on = one.ended_ms === null && one.state !== "entries_open";
  return el(
    "li",
    {},
    el(
      "a",
      {
        class: "card",
        href: `/tournament/${encodeURIComponent(one.tournament)}`,
        "data-keep": one.tournament,
      },
      el(
        "div",
        { class: "body" },
        el(
          "div",
          { class: "head" },
          el("h3", {}, one.name),
          el("span", { class: "pill", "data-kind": on ? "live" : "over" }, stateWords(one.state)),
        ),
        el("p", { class: "quiet" }, `${titleOf(one.game)} · ${words(one.format)} · ${created}`),
      ),
    ),
  );
}
