// A command as words, whatever its game.

/** The fields that name what a command does. */
const VERBS = ["type", "cmd", "action", "command"];

/** @param {any} command a word, or an object of a verb and its arguments @returns {string} */
export function inWords(command) {
  if (typeof command === "string") return plain(command);
  if (command === null || typeof command !== "object" || Array.isArray(command))
    return JSON.stringify(command);
  const verb = VERBS.find((name) => typeof command[name] === "string");
  const rest = Object.entries(command)
    .filter(([name]) => name !== verb)
    .map(([name, value]) => `${plain(name)} ${argument(value)}`)
    .join(", ");
  return [verb ? plain(command[verb]) : "", rest].filter(Boolean).join(": ");
}

/** @param {any} value */
const argument = (value) =>
  typeof value === "string"
    ? plain(value)
    : typeof value === "boolean"
      ? value
        ? "yes"
        : "no"
      : JSON.stringify(value);

/** Names in capitals are shouted in code only.
 * @param {string} text */
const plain = (text) => (/^[A-Z_]+$/.test(text) ? text.toLowerCase() : text).replaceAll("_", " ");
