// What organisers and entrants can do in a tournament: requests to the server, most of them after a
// dialog that asks for the reason.

import { ask } from "../../lib/ask.js";
import { api, reasonOf } from "../../lib/api.js";
import { el } from "../../lib/dom.js";
import { check, field, line, needed } from "../../lib/form.js";

/** @typedef {import("../../lib/form.js").Field} Field */

/** `run` shows an error on the page. `runWithReason` asks for a reason first and shows an error in
 * its dialog; `about` explains the action. `override` asks for the result that replaces a game's.
 * @typedef {{
 *   run: (verb: string) => Promise<void>,
 *   runWithReason: (title: string, about: string, verb: string, body?: any) => void,
 *   override: (game: any) => void,
 * }} Actions */

/** @param {string} path the tournament's, in the API
 * @param {() => Promise<void>} refresh @param {HTMLElement} fault @returns {Actions} */
export function actionsOf(path, refresh, fault) {
  /** Throws Refusal.
   * @param {string} verb @param {any} body */
  async function post(verb, body) {
    await api(`${path}/${verb}`, { body });
    await refresh();
  }

  return {
    async run(verb) {
      fault.textContent = "";
      try {
        await post(verb, {});
      } catch (error) {
        fault.textContent = reasonOf(error);
      }
    },

    runWithReason(title, about, verb, body = {}) {
      const why = reason();
      ask({
        title,
        about,
        fields: [["why", why]],
        yes: title,
        act: () => post(verb, { ...body, why: why.value() }),
      });
    },

    override(game) {
      const { seats, result } = game;
      const places = seats.map((/** @type {string} */ name, /** @type {number} */ seat) =>
        field(
          name,
          { type: "integer", minimum: 1, maximum: seats.length },
          { label: `${name}: place`, value: result?.placement?.[seat] ?? seat + 1 },
        ),
      );
      const scores = seats.map((/** @type {string} */ name) =>
        field(
          name,
          { type: "number", description: "empty: the score of a forfeit" },
          { label: `${name}: score` },
        ),
      );
      const lost = check("both lost", "instead of places");
      const why = reason();
      ask({
        title: `Override ${game.game}`,
        about: "This result replaces that of the game. All that depends on it is computed again.",
        fields: [
          ...named("placement", places),
          ...named("score", scores),
          ["both_lost", lost],
          ["why", why],
        ],
        yes: "Override",
        act: () => {
          const given = scores.map((/** @type {Field} */ one) => one.value());
          const score = given.every((/** @type {any} */ one) => one === undefined)
            ? undefined
            : given.map((/** @type {any} */ one) => one ?? 0);
          const placement = lost.value()
            ? undefined
            : places.map((/** @type {Field} */ one) => one.value() ?? 0);
          return post(`games/${encodeURIComponent(game.game)}/override`, {
            both_lost: lost.value(),
            placement,
            score,
            why: why.value(),
          });
        },
      });
    },
  };
}

/** A button of an action. It keeps the focus when the page is filled again.
 * @param {string} label @param {string} keep its `data-keep` @param {() => void} act
 * @param {boolean} [main] */
export const button = (label, keep, act, main = false) =>
  el(
    "button",
    { type: "button", class: main ? "main" : null, "data-keep": keep, onclick: act },
    label,
  );

const reason = () => needed(line("why", "shown with the results"), "Say why.");

/** @param {string} name @param {Field[]} all @returns {[string, Field][]} */
const named = (name, all) => all.map((one) => [name, one]);
