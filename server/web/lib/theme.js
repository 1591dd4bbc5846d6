// Dark and light: the system's setting, or the person's choice. The colours are in styles/base.css.

const KEY = "botarena.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export const themes = new EventTarget();

/** @type {import("../games/contract.js").Theme|null} */
let known = null;

/** The colours of the current theme, for canvases.
 * @returns {import("../games/contract.js").Theme} */
export function theme() {
  if (known) return known;
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  known = {
    dark: isDark(),
    ground: colour("ground"),
    panel: colour("panel"),
    ink: colour("ink"),
    soft: colour("soft"),
    line: colour("line"),
    accent: colour("accent"),
    good: colour("good"),
    bad: colour("bad"),
    seats: ["seat-0", "seat-1", "seat-2", "seat-3"].map(colour),
    font: colour("font"),
  };
  return known;
}

/** A game whose own rules give the seats colours has them in styles/base.css.
 * @param {number} seat @param {string} [game] */
export function seatColour(seat, game = "") {
  const style = getComputedStyle(document.documentElement);
  const own = game && style.getPropertyValue(`--${game}-${seat}`).trim();
  return own || theme().seats[seat % theme().seats.length];
}

/** The same as a CSS variable, which follows the theme, for elements.
 * @param {number} seat */
export const seatInk = (seat) => `var(--seat-${seat % theme().seats.length})`;

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

/** Apply the choice that the address or this browser holds. */
export function initTheme() {
  const chosen = new URLSearchParams(location.search).get("theme") ?? localStorage.getItem(KEY);
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  system.addEventListener("change", changed);
}

export function toggle() {
  const chosen = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = chosen;
  localStorage.setItem(KEY, chosen);
  changed();
}

function changed() {
  known = null;
  themes.dispatchEvent(new Event("change"));
}
