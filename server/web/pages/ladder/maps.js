// The maps of a ladder: the sentence for all visitors, and the dialog in which an organiser sets
// them.

import { ask } from "../../lib/ask.js";
import { Refusal, api } from "../../lib/api.js";
import { el } from "../../lib/dom.js";
import { Unreadable, field } from "../../lib/form.js";

const WEIGHT = { type: "integer", minimum: 1, maximum: 1_000, default: "–" };
/** The server says null. */
const GENERATED = "generated";

/** @param {any} pool */
export function poolText(pool) {
  const parts = pool.maps.map(
    (/** @type {any} */ one) => `${one.map ?? GENERATED} (${one.weight})`,
  );
  return `Maps, version ${pool.version}, with their weights: ${parts.join(", ")}.`;
}

/** @param {string} path the ladder's, in the API @param {string[]} maps of the game
 * @param {any} pool that is in use, or null @param {() => any} done */
export function askMaps(path, maps, pool, done) {
  /** @type {Map<string|null, number>} */
  const now = new Map(pool?.maps.map((/** @type {any} */ one) => [one.map, one.weight]));
  const rows = [...new Set([...now.keys(), null, ...maps])].map((map) => ({
    map,
    weight: field("", WEIGHT, { label: map ?? GENERATED, value: now.get(map) }),
  }));
  ask({
    title: "Maps of the ladder",
    about:
      "Each pair of games draws a map: one of twice the weight twice as often, one without a " +
      "weight never. Weights are 1 to 1,000; generated is a board of the game's own.",
    content: el("div", { class: "weights" }, ...rows.map(({ weight }) => weight.element)),
    fields: [],
    yes: "Set the maps",
    act: async () => {
      const filled = rows.filter(({ weight }) => weight.value() !== undefined);
      const given = filled.map(({ map, weight }) => ({ map, weight: weight.value() }));
      try {
        await api(`${path}/pools`, { body: { maps: given } });
      } catch (fault) {
        const at = fault instanceof Refusal ? /^maps\.(\d+)\./.exec(fault.field ?? "") : null;
        if (at === null) throw fault;
        const { message } = /** @type {Refusal} */ (fault);
        filled[Number(at[1])].weight.complain(message);
        throw new Unreadable(message);
      }
      await done();
    },
  });
}
