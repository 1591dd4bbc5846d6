// Names of bots, each different. Pure: tests run it in node.

/** The same seats; where a name occurs more than once, each gets a number: greedy 1, greedy 2.
 * @template {{name?: string|null}} S @param {S[]} seats @returns {S[]} */
export function distinct(seats) {
  /** @type {Map<string, number>} */
  const used = new Map();
  const twice = (/** @type {string} */ name) =>
    seats.filter((seat) => seat.name === name).length > 1;
  return seats.map((seat) => {
    if (!seat.name || !twice(seat.name)) return seat;
    const number = (used.get(seat.name) ?? 0) + 1;
    used.set(seat.name, number);
    return { ...seat, name: `${seat.name} ${number}` };
  });
}

/** The names of a match as one line.
 * @param {{name?: string|null}[]} seats */
export const versusLine = (seats) =>
  distinct(seats)
    .map((seat) => seat.name ?? "free")
    .join(" – ");
