// A turn as people read it. Messages and records count the turns of a match from 0. In a game whose
// own turns have several parts, each part is such a turn; people see the game's number, from 1, and
// a letter: 100a, 100b.

/** The parts of a turn, by game, as `turn_parts` of the server's games; all others have one.
 * @type {Record<string, number>} */
const PARTS = { cookoff: 2 };

const FIRST = "a".charCodeAt(0);

/** @param {string} game @param {number|null} turn its number in messages and records */
export function turnText(game, turn) {
  const parts = PARTS[game] ?? 1;
  if (turn === null || parts === 1) return String(turn ?? "–");
  return `${Math.floor(turn / parts) + 1}${String.fromCharCode(FIRST + (turn % parts))}`;
}

/** The same where no turn is open any more: the last one that was closed, if turns have parts.
 * @param {string} game @param {number} turn */
export function endText(game, turn) {
  return turnText(game, (PARTS[game] ?? 1) > 1 && turn > 0 ? turn - 1 : turn);
}

/** The number of a turn in messages and records. Without a letter it is the first part.
 * @param {string} game @param {string} text @returns {number|null} null: that is no turn */
export function turnNumber(game, text) {
  const parts = PARTS[game] ?? 1;
  const found = /^(\d{1,9})([a-z]?)$/.exec(text);
  if (!found) return null;
  const [number, part] = [Number(found[1]), (found[2] || "a").charCodeAt(0) - FIRST];
  if (parts === 1) return found[2] ? null : number;
  return number > 0 && part < parts ? (number - 1) * parts + part : null;
}

/** The turn in the address of a page, as people read it.
 * @returns {string|null} null: it names none */
export function turnInAddress() {
  return /^#(\d{1,9}[a-z]?)$/.exec(location.hash)?.[1] ?? null;
}
