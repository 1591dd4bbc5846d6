// What changed between two views, for the author of a bot. Pure: tests run it in node.

/** `path` as in the view: `rat.position[0]`. Of a grid, which comes as rows of characters, the cell
 * `map[y][x]`; of a list that is longer or shorter now, `cheese[]` for an item that came or went. A
 * side that had no such field or item is undefined.
 * @typedef {{path: string, before: any, after: any}} Change */

/** @param {any} before @param {any} after @param {number} most
 * @returns {{changes: Change[], total: number}} the first ones, and how many there are */
export function changesOf(before, after, most) {
  /** @type {Change[]} */
  const changes = [];
  let total = 0;
  /** @param {string} path @param {any} old @param {any} now */
  const add = (path, old, now) => {
    total += 1;
    if (changes.length < most) changes.push({ path, before: old, after: now });
  };
  /** @param {string} path @param {any} old @param {any} now */
  const compare = (path, old, now) => {
    if (old === now) return;
    const kind = kindOf(old);
    if (kind === kindOf(now) && kind === "object") {
      for (const key of new Set([...Object.keys(old), ...Object.keys(now)]))
        compare(path ? `${path}.${key}` : key, old[key], now[key]);
    } else if (kind === kindOf(now) && kind === "list" && old.length === now.length) {
      for (let at = 0; at < old.length; at += 1) compare(`${path}[${at}]`, old[at], now[at]);
    } else if (isRow(path, old, now)) {
      for (let at = 0; at < old.length; at += 1) compare(`${path}[${at}]`, old[at], now[at]);
    } else if (kind === kindOf(now) && kind === "list") {
      for (const item of without(old, now)) add(`${path}[]`, item, undefined);
      for (const item of without(now, old)) add(`${path}[]`, undefined, item);
    } else if (JSON.stringify(old) !== JSON.stringify(now)) add(path, old, now);
  };
  compare("", before, after);
  return { changes, total };
}

/** @param {any} value */
const kindOf = (value) =>
  Array.isArray(value) ? "list" : typeof value === "object" && value !== null ? "object" : "plain";

/** The items of a list that another one does not have.
 * @param {any[]} list @param {any[]} other */
function without(list, other) {
  const there = new Set(other.map((item) => JSON.stringify(item)));
  return list.filter((item) => !there.has(JSON.stringify(item)));
}

/** Whether these are the same row of a grid.
 * @param {string} path @param {any} old @param {any} now */
const isRow = (path, old, now) =>
  path.endsWith("]") &&
  typeof old === "string" &&
  typeof now === "string" &&
  old.length > 1 &&
  old.length === now.length;
