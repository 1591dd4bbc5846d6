// Names and numbers of the rules that the renderer needs (RULES §2, §3).

export const GAME = "cookoff";
export const TEAMS = ["RED", "BLUE"];
/** If the config has none (RULES §2). */
export const DEFAULTS = {
  cook_progress: 20,
  burn_progress: 40,
  total_turns: 500,
  plate_wash_progress: 2,
};
export const WALKABLE = ".bU";
export const FOODS = ["EGG", "ONIONS", "MEAT", "NOODLES", "SAUCE"];
export const CHOPPABLE = ["ONIONS", "MEAT"];
export const STAGES = ["", "cooked", "burnt"];
export const REASONS = /** @type {Record<string, string>} */ ({
  timeout: "out of time",
  disconnected: "away",
  bot_error: "the bot failed",
  init_failed: "not ready in time",
});

/** @param {any} view @param {number} kitchen @returns {any[]} */
export function actives(view, kitchen) {
  return view.orders[TEAMS[kitchen] ?? ""]
    .filter((/** @type {any} */ order) => order.is_active)
    .sort(
      (/** @type {any} */ one, /** @type {any} */ other) => one.expires_turn - other.expires_turn,
    );
}
