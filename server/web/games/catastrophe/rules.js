// Names and numbers of the rules that the renderer needs (RULES §2).

export const GAME = "catastrophe";
/** If the config has none (RULES §2). */
export const DEFAULTS = {
  max_harvest_rate: 150,
  max_energy: 100,
  own_tile_counts: true,
  max_turns: 720,
};
export const JOBS = ["soldier", "gatherer", "builder", "missionary"];
export const MANY = /** @type {Record<string, string>} */ ({
  soldier: "soldiers",
  gatherer: "gatherers",
  builder: "builders",
  missionary: "missionaries",
  "fresh human": "fresh humans",
});
export const OVERLORD = "cat overlord";
export const WAYS = /** @type {Record<string, string>} */ ({
  cat_defeated: "the overlord is defeated",
  humans_defeated: "no human is left",
  both_cats_defeated: "both overlords are defeated",
  both_humans_defeated: "no human is left on either side",
  max_turns: "the turns are over",
  more_units: "more units",
  more_food: "more food",
  more_structures: "more structures",
  coin_flip: "by the toss of a coin",
});
