// The router: which address shows which page. A page's module is loaded when it is first opened.

import { trouble } from "./lib/account.js";
import { server } from "./lib/api.js";
import { el, fill, setTitle } from "./lib/dom.js";
import { dropped } from "./lib/dropped.js";
import { go } from "./lib/go.js";
import { icon } from "./lib/icons.js";
import { sayMissing } from "./lib/missing.js";
import { imported } from "./lib/network.js";
import { persistent } from "./lib/persistent.js";
import { initTheme, isDark, themes, toggle } from "./lib/theme.js";

/** @type {[RegExp, () => Promise<{default: import("./lib/go.js").Page}>, string][]} */
const PAGES = [
  [/^\/$/, () => import("./pages/home.js"), "Games"],
  [/^\/games\/([^/]+)$/, () => import("./pages/game.js"), "Game"],
  [/^\/lobby\/([^/]+)$/, () => import("./pages/lobby.js"), "Lobby"],
  [/^\/match\/([^/]+)$/, () => import("./pages/match.js"), "Match"],
  [/^\/matches$/, () => import("./pages/matches.js"), "Matches"],
  [/^\/replay$/, () => import("./pages/replay.js"), "Replays"],
  [/^\/standings$/, () => import("./pages/standings.js"), "Standings"],
  [/^\/ladder\/([^/]+)$/, () => import("./pages/ladder.js"), "Ladder"],
  [/^\/tournaments$/, () => import("./pages/tournaments.js"), "Tournaments"],
  [/^\/tournament\/([^/]+)$/, () => import("./pages/tournament.js"), "Tournament"],
  [/^\/submit$/, () => import("./pages/submit.js"), "Hand in a bot"],
  [/^\/organiser$/, () => import("./pages/organiser.js"), "Organiser"],
  [/^\/screen$/, () => import("./pages/screen.js"), "Big screen"],
];

const NOT_LOADED = "This page could not be loaded";

let main = /** @type {HTMLElement} */ (document.getElementById("page"));
const themeButton = /** @type {HTMLElement} */ (document.getElementById("theme"));
/** @type {() => void} */
let leave = () => {};
let ticket = 0;

/** Replace `main` with an empty one: the page that is left may still be filling the old one. */
function replaceMain() {
  const fresh = el("main", { id: "page", tabindex: "-1" });
  const focused = document.activeElement === main;
  main.replaceWith(fresh);
  main = fresh;
  if (focused) main.focus({ preventScroll: true });
}

async function show() {
  const mine = ++ticket;
  leave();
  leave = () => {};
  document.body.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
  for (const link of document.querySelectorAll(".top nav a")) {
    if (link.getAttribute("href") === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const found = PAGES.find(([pattern]) => pattern.test(location.pathname));
  if (!found) {
    replaceMain();
    setTitle(main, "No such page");
    sayMissing(main, "There is no page at this address", "It may be mistyped.");
    return;
  }
  const [pattern, load, title] = found;
  const given = (pattern.exec(location.pathname) ?? []).slice(1).map(decodeURIComponent);
  setTitle(main, title);
  let failed = false;
  let end = /** @type {import("./lib/go.js").End} */ (undefined);
  const open = async () => {
    const page = (await imported(load)).default;
    if (mine !== ticket) return;
    if (!failed) {
      replaceMain();
      fill(main, el("p", { class: "page quiet", role: "status" }, "Loading …"));
    }
    end = await page(main, given);
  };
  const onFailure = () => {
    failed = true;
    replaceMain();
    sayMissing(main, NOT_LOADED, "The server does not answer; trying again …");
  };
  try {
    await persistent(open, () => mine === ticket, onFailure);
  } catch (fault) {
    if (mine !== ticket) return;
    sayMissing(main, NOT_LOADED, trouble(fault));
  }
  if (mine === ticket) leave = end ?? leave;
  else end?.();
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a");
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  if (
    link.origin !== location.origin ||
    link.target ||
    link.hasAttribute("download") ||
    !PAGES.some(([pattern]) => pattern.test(link.pathname))
  )
    return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.href);
});
addEventListener("popstate", show);

// --- offline ---

/** Longer than any page waits before its next request. */
const SILENCE_MS = 15_000;
const offline = el("p", { class: "offline", role: "status" });
/** While the last request had no answer. */
let silence = 0;
function paintOffline() {
  const why = navigator.onLine ? "The server does not answer." : "You are offline.";
  offline.textContent = `${why} What is shown may be old.`;
  offline.hidden = navigator.onLine && silence === 0;
}
function answered() {
  clearTimeout(silence);
  silence = 0;
  paintOffline();
}
document.body.append(offline);
addEventListener("online", answered);
addEventListener("offline", paintOffline);
server.addEventListener("answer", answered);
server.addEventListener("silence", () => {
  clearTimeout(silence);
  silence = window.setTimeout(answered, SILENCE_MS);
  paintOffline();
});
answered();

// --- dark and light ---

initTheme();
const paintTheme = () => fill(themeButton, icon(isDark() ? "sun" : "moon"));
themeButton.addEventListener("click", toggle);
themes.addEventListener("change", paintTheme);
paintTheme();

// --- a replay that is dropped anywhere ---

addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) document.body.classList.remove("dropping");
});
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const files = [...(event.dataTransfer?.files ?? [])];
  if (files.length === 0) return;
  dropped.splice(0, dropped.length, ...files);
  go("/replay");
});

show();
