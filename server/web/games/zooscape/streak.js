// The streak multipliers of the animals (RULES §5, 3.6). The public views do not have them; they
// follow from the pellets that vanish where an animal eats.

import { memo } from "../lib/cache.js";

/** If the config has none (RULES §2). */
export const DEFAULTS = { streak_growth: 1.1, streak_max: 4, streak_reset_ticks: 3 };

/** The multiplier of each animal in the last of these views, oldest first. It is a lower bound
 * where the views begin within a streak that has not reached its cap.
 * @param {any[]} views @param {any} config @returns {number[]} by seat */
export function streaks(views, config) {
  const {
    streak_growth: growth,
    streak_max: most,
    streak_reset_ticks: patience,
  } = {
    ...DEFAULTS,
    ...config,
  };
  const spare = config?.rules_profile === "reference" ? 1 : 0;
  return views[0].animals.map((/** @type {any} */ _, /** @type {number} */ seat) => {
    let [streak, missed] = [1, 0];
    for (let at = 1; at < views.length; at += 1) {
      const eaten = awardsOf(views[at - 1], views[at])[seat] ?? 0;
      if (eaten > 0) [streak, missed] = [Math.min(most, streak + growth * eaten), 0];
      else missed += 1;
      if (eaten < 0 || missed >= patience + spare) [streak, missed] = [1, 0];
    }
    return streak;
  });
}

/** How many pellets each animal has eaten from one view to the next, computed once.
 * @param {any} before @param {any} view @returns {number[]} by seat */
function awardsOf(before, view) {
  /** @type {WeakMap<any, number[]>} */
  const known = memo(view, "awards", () => new WeakMap());
  const all =
    known.get(before) ??
    view.animals.map((/** @type {any} */ _, /** @type {number} */ seat) =>
      awards(before, view, seat),
    );
  known.set(before, all);
  return all;
}

/** How many pellets an animal has eaten from one view to the next; -1: it was captured.
 * @param {any} before @param {any} view @param {number} seat */
function awards(before, view, seat) {
  const [then, now] = [before.animals[seat], view.animals[seat]];
  if (!then || !now || now.captured_count > then.captured_count) return -1;
  if (now.score <= then.score) return 0;
  const power = now.active_power_up ?? then.active_power_up;
  const reach = power?.kind === "scavenger" ? power.value : 0;
  let count = 0;
  for (let y = now.y - reach; y <= now.y + reach; y += 1) {
    for (let x = now.x - reach; x <= now.x + reach; x += 1) {
      const old = before.map[y]?.[x];
      if ((old === "2" || old === "5") && view.map[y][x] !== old) count += 1;
    }
  }
  return Math.max(1, count);
}
