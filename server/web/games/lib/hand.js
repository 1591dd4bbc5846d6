// What a person has chosen on a board before the command is whole: one piece per game, kept between two clicks. It is the page's, not the
// match's: whoever plays as a human has one seat at a time.

/** @type {Map<string, number>} */
const chosen = new Map();

/** The id of the piece that the next click sends, or null.
 * @param {string} game @returns {number|null} */
export function inHand(game) {
  return chosen.get(game) ?? null;
}

/** Take a piece up; null lays it down.
 * @param {string} game @param {number|null} id @returns {null} no command yet */
export function take(game, id) {
  if (id === null) chosen.delete(game);
  else chosen.set(game, id);
  return null;
}
