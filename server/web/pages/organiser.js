// The lobbies that were opened from this browser: whoever holds their tokens may start them and invite.

import { accountKey, api, doors, held, keepKey, repeat } from "../lib/api.js";
import { grid, learnGames, lobbyCard, matchCard } from "../lib/cards.js";
import { el, fill } from "../lib/dom.js";
import { secret } from "../lib/form.js";

const REFRESH_MS = 3_000;
const LISTED = 24;

/** @type {import("../app.js").Page} */
export default async function organiser(main) {
  const open = el("section");
  const running = el("section");
  fill(main, el("div", { class: "page" },
    el("section", {}, el("h1", {}, "Organiser"), el("p", { class: "lead" }, "Lobbies and matches that you opened in this browser."), el("p", {}, el("a", { class: "button main", href: "/" }, "Open a lobby"))),
    open, running, account()));
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

/** The account whose key this window holds. */
function account() {
  const box = el("section");
  const show = async () => {
    const key = secret("key", "k_…; kept until this window is closed, and sent to this server only");
    const me = accountKey() ? await api("/accounts/me").catch((fault) => ({ fault: fault.message })) : null;
    if (me?.fault) {
      keepKey(null);
      key.complain(me.fault);
    }
    const form = el("form", { class: "form", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      keepKey(key.value() ?? null);
      show();
    } }, el("div", { class: "fields" }, key.element), el("div", { class: "row" }, el("button", { type: "submit" }, "Use this key")));
    fill(box, el("h2", {}, "Account"), ...(me && !me.fault
      ? [el("p", {}, "This window acts for ", el("strong", {}, me.name), ` (${me.kind}).`),
        el("div", { class: "row" }, el("button", { type: "button", onclick: () => { keepKey(null); show(); } }, "Forget the key"))]
      : [el("p", { class: "quiet" }, "Where a server is closed, an account's key opens it."), form]));
  };
  show();
  return box;
}
