// The lobbies that were opened from this browser: whoever holds their tokens may start them and invite.

import { api, doors, held, repeat } from "../lib/api.js";
import { grid, learnGames, lobbyCard, matchCard } from "../lib/cards.js";
import { el, fill } from "../lib/dom.js";

const REFRESH_MS = 3_000;
const LISTED = 24;

/** @type {import("../app.js").Page} */
export default async function organiser(main) {
  const open = el("section");
  const running = el("section");
  fill(main, el("div", { class: "page" },
    el("section", {}, el("h1", {}, "Organiser"), el("p", { class: "lead" }, "Lobbies and matches that you opened in this browser."), el("p", {}, el("a", { class: "button main", href: "/" }, "Open a lobby"))),
    open, running));
  learnGames(await api("/games").catch(() => []));
  return repeat(async () => {
    const mine = held().filter((id) => doors(id).owner);
    const [lobbies, matches] = await Promise.all([api("/lobbies"), api("/matches")]).catch(() => [[], []]);
    const secret = mine.filter((id) => ![...lobbies, ...matches].some((one) => (one.lobby ?? one.match) === id)).slice(0, LISTED);
    fill(open, el("h2", {}, "Open"), grid(lobbies.filter((/** @type {any} */ one) => one.state === "open" && mine.includes(one.lobby)).map(lobbyCard), "None."),
      secret.length ? el("p", { class: "quiet" }, "Private or gone: ", ...secret.flatMap((id) => [el("a", { href: `/lobby/${encodeURIComponent(id)}`, "data-keep": id }, id), " "])) : null);
    fill(running, el("h2", {}, "Running and played"), grid(matches.filter((/** @type {any} */ one) => mine.includes(one.match)).slice(0, LISTED).map(matchCard), "None."));
  }, REFRESH_MS);
}
