// What happened up to the shown frame, newest first: the game's events and the platform's.

import { el } from "../../lib/dom.js";
import { swatch } from "../../lib/swatch.js";
import { namedTurn, turnText } from "../../lib/turns.js";
import { runText, runsOf } from "../platform-events.js";

/** @typedef {import("../digest.js").Digest} Digest */

const MAX_LISTED = 60;

/** @param {(index: number) => void} seek shows a frame */
export function eventList(seek) {
  const list = el("ol", { class: "events", "aria-label": "Events, newest first", tabindex: "0" });
  const none = el("p", { class: "quiet" }, "Nothing yet.");
  list.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement|null} */ (
      /** @type {HTMLElement} */ (event.target).closest("[data-index]")
    );
    if (target) seek(Number(target.dataset.index));
  });
  const lines = kept(list);
  let filledFor = "";
  return {
    element: el("section", { class: "happened" }, el("h2", {}, "Events"), none, list),
    /** @param {Digest} digest @param {number} index */
    update(digest, index) {
      const { source } = digest;
      const { match, platformEvents, end } = source;
      const read = digest.end > index;
      const state = [match, index, read, platformEvents.length, end === index + 1].join(" ");
      if (state === filledFor) return;
      filledFor = state;
      const items = itemsOf(digest, index);
      lines.show(items.slice(0, MAX_LISTED), (item) => lineOf(item, source.game));
      none.hidden = items.length > 0;
    },
  };
}

/** The lines of a list. Those that were shown before stay in place: few are new from one frame to
 * the next.
 * @param {HTMLElement} list */
function kept(list) {
  /** By what is shown.
   * @type {Map<string, HTMLElement>} */
  let before = new Map();
  return {
    /** @param {Item[]} items @param {(item: Item) => HTMLElement} line */
    show(items, line) {
      /** @type {typeof before} */
      const now = new Map();
      for (const item of items) {
        let key = JSON.stringify(item);
        while (now.has(key)) key += " again";
        now.set(key, before.get(key) ?? line(item));
      }
      before = now;
      let next = list.firstChild;
      for (const element of now.values()) {
        if (element === next) next = next.nextSibling;
        else list.insertBefore(element, next);
      }
      while (next) {
        const gone = next;
        next = next.nextSibling;
        gone.remove();
      }
    },
  };
}

/** A line of the list. At the same frame the game's events stand before the platform's.
 * @typedef {{index: number, turn: number, order: 0|1, seat: number|null, text: string, kind:
 *   string}} Item */

/** @param {Digest} digest @param {number} index
 * @returns {Item[]} at least the MAX_LISTED newest, or all if there are fewer */
function itemsOf(digest, index) {
  const { source, seats } = digest;
  /** @type {Item[]} */
  const items = [];
  for (let past = index; past >= source.first && items.length < MAX_LISTED; past -= 1) {
    const turn = source.turnAt(past);
    for (const event of digest.eventsAt(past).toReversed())
      items.push({ index: past, turn, order: 1, ...event });
  }
  const oldest = items.length < MAX_LISTED ? -1 : items[items.length - 1].turn;
  for (const run of runsOf(source.platformEvents, source.turnAt(index), seats)) {
    if (run.at < oldest || items.length > 2 * MAX_LISTED) break;
    items.push({
      index: source.indexOf(run.at),
      turn: run.at,
      order: 0,
      seat: run.seat,
      text: runText(run, source.game),
      kind: run.kind,
    });
  }
  return items.sort((one, other) => other.index - one.index || one.order - other.order);
}

/** @param {Item} item @param {string} game */
function lineOf({ index, turn, seat, text, kind }, game) {
  return el(
    "li",
    { "data-kind": kind },
    el(
      "button",
      {
        type: "button",
        class: "plain when",
        tabindex: "-1",
        title: `Go to ${namedTurn(game, turn)}`,
        "data-index": index,
      },
      turnText(game, turn),
    ),
    seat === null || seat === undefined ? swatch(null, "small none") : swatch(seat, "small"),
    el("span", {}, text),
  );
}
