// A turn as people read it. Messages and records count the turns of a match from 0. In a game whose
// own turns have several parts, each part is such a turn; people see the game's number, from 1, and
// a letter: 100a, 100b.

/** The parts of a turn, by game, as `turn_parts` of the server's games; all others have one.
 * @type {Record<string, number>} */
const PARTS = { cookoff: 2 };

/** What a game calls several turns together, and how many they are, as `rounds` of the server's
 * games.
 * @type {Record<string, [string, number]>} */
const ROUNDS = { catastrophe: ["day", 2] };

/** What a game calls a turn, where that is another word.
 * @type {Record<string, string>} */
const NAMES = { zooscape: "tick" };

const FIRST = "a".charCodeAt(0);

/** The game's word for a turn. @param {string} game */
export const turnWord = (game) => NAMES[game] ?? "turn";

/** This number of turns of the game, in words.
 * @param {string} game @param {number} count */
export const turnCount = (game, count) =>
  `${count.toLocaleString("en")} ${turnWord(game)}${count === 1 ? "" : "s"}`;

/** @param {string} game @param {number|null} turn its number in messages and records */
export function turnText(game, turn) {
  const parts = PARTS[game] ?? 1;
  if (turn === null || parts === 1) return String(turn ?? "–");
  return `${Math.floor(turn / parts) + 1}${String.fromCharCode(FIRST + (turn % parts))}`;
}

/** A turn with its word, such as "turn 12".
 * @param {string} game @param {number|null} turn */
export const namedTurn = (game, turn) => `${turnWord(game)} ${turnText(game, turn)}`;

/** The round that a turn belongs to, to stand after its number; nothing if the game has none.
 * @param {string} game @param {number|null} turn */
export function roundText(game, turn) {
  const [name, turns] = ROUNDS[game] ?? ["", 1];
  return name && turn !== null ? `, ${name} ${Math.floor(turn / turns) + 1}` : "";
}

/** The same where no turn is open any more: the last one that was closed, if turns have parts.
 * @param {string} game @param {number} turn */
export function endText(game, turn) {
  return turnText(game, (PARTS[game] ?? 1) > 1 && turn > 0 ? turn - 1 : turn);
}

/** How many turns of the game this number of turns of a match is.
 * @param {string} game @param {number} turns */
export const wholeTurns = (game, turns) => Math.ceil(turns / (PARTS[game] ?? 1));

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
