// The piece that a person has selected, by game. It belongs to the page, not to a match: a person
// plays one seat at a time.

/** @type {Map<string, number>} */
const pieces = new Map();

/** The id of the selected piece, or null.
 * @param {string} game @returns {number|null} */
export function selected(game) {
  return pieces.get(game) ?? null;
}

/** Select a piece; null: none.
 * @param {string} game @param {number|null} id @returns {null} no command yet */
export function select(game, id) {
  if (id === null) pieces.delete(game);
  else pieces.set(game, id);
  return null;
}
