// The router: which address shows which page. A page's module is loaded when it is first opened.

import { el, fill, setTitle } from "./lib/dom.js";
import { go } from "./lib/go.js";
import { icon } from "./lib/icons.js";
import { initTheme, isDark, themes, toggle } from "./lib/theme.js";

/** @type {[RegExp, () => Promise<{default: import("./lib/go.js").Page}>, string][]} */
const PAGES = [
  [/^\/$/, () => import("./pages/home.js"), "Games"],
  [/^\/games\/([^/]+)$/, () => import("./pages/game.js"), "Game"],
  [/^\/lobby\/([^/]+)$/, () => import("./pages/lobby.js"), "Lobby"],
  [/^\/match\/([^/]+)$/, () => import("./pages/match.js"), "Match"],
  [/^\/replay$/, () => import("./pages/replay.js"), "Replays"],
  [/^\/standings$/, () => import("./pages/standings.js"), "Standings"],
  [/^\/tournaments$/, () => import("./pages/tournaments.js"), "Tournaments"],
  [/^\/tournament\/([^/]+)$/, () => import("./pages/tournament.js"), "Tournament"],
  [/^\/organiser$/, () => import("./pages/organiser.js"), "Organiser"],
  [/^\/screen$/, () => import("./pages/screen.js"), "Big screen"],
];

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
    fill(main, el("div", { class: "page" }, el("h1", {}, "There is no page at this address")));
    return;
  }
  const [pattern, load, title] = found;
  const given = (pattern.exec(location.pathname) ?? []).slice(1).map(decodeURIComponent);
  setTitle(main, title);
  const page = (await load()).default;
  if (mine !== ticket) return;
  replaceMain();
  const end = await page(main, given);
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
addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  const { take } = await import("./pages/replay.js");
  take(file);
  go("/replay");
});

show();
