// A table that the server gives a page at a time, with a search by name. It stays in place while it
// is filled again, so that what is being typed stays.

import { api, reportFault } from "../../lib/api.js";
import { el, fill } from "../../lib/dom.js";

/** Lines of a page. */
const LINES = 100;
/** With no more lines than this there is no search. */
const FEW = 20;
const TYPED_MS = 250;

/** `refresh` fills it again if the lines are others, or `about` is; `total` is how many lines the
 * whole table has, null before the first answer.
 * @typedef {{
 *   element: HTMLElement,
 *   refresh: (about?: string) => Promise<void>,
 *   total: () => number|null,
 * }} Paged */

/** @param {string} path of the table, in the API @param {string} label what is searched
 * @param {(rows: any[]) => Node} draw @returns {Paged} */
export function paged(path, label, draw) {
  let offset = 0;
  /** @type {number|null} */
  let total = null;
  let shown = "";
  let lastAbout = "";
  let timer = 0;
  const search = el("input", {
    type: "search",
    placeholder: "Search by name",
    "aria-label": `${label}: search by name`,
    maxlength: 200,
    hidden: true,
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => go(0), TYPED_MS);
    },
  });
  const where = el("span", { class: "quiet", role: "status" });
  const back = el("button", { type: "button", onclick: () => go(offset - LINES) }, "Previous");
  const on = el("button", { type: "button", onclick: () => go(offset + LINES) }, "Next");
  const turn = el("div", { class: "row", hidden: true }, search, back, on, where);
  const box = el("div");

  /** @param {number} to */
  function go(to) {
    offset = Math.max(0, to);
    refresh().catch(reportFault);
  }

  async function refresh(about = lastAbout) {
    lastAbout = about;
    const asked = new URLSearchParams({ limit: String(LINES), offset: String(offset) });
    if (search.value) asked.set("search", search.value);
    const answer = await api(`${path}?${asked}`);
    if (asked.get("offset") !== String(offset) || (asked.get("search") ?? "") !== search.value)
      return;
    const { rows, total: found } = answer;
    if (!search.value) total = found;
    const many = found > LINES || search.value !== "";
    search.hidden = (total ?? 0) <= FEW;
    turn.hidden = search.hidden && !many;
    back.disabled = offset === 0;
    on.disabled = offset + rows.length >= found;
    back.hidden = on.hidden = found <= LINES && offset === 0;
    const range = rows.length
      ? `${offset + 1} to ${offset + rows.length} of ${found}`
      : "none found";
    if (where.textContent !== range) where.textContent = range;
    const state = about + JSON.stringify(rows);
    if (state === shown && box.childElementCount) return;
    shown = state;
    fill(box, draw(rows));
  }

  return { element: el("div", {}, turn, box), refresh, total: () => total };
}
