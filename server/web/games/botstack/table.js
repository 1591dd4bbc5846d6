// The table in a view of any viewer.

/** @typedef {import("../contract.js").Scene} Scene */

/** The middle of each player, in units of the scene. */
export const SIDES = [2.5, 13.5];

/** The table of a scene, or null. The last view of a seat has only the result and the last shot
 * (RULES §7): then it is the table before, after that shot.
 * @param {Scene} scene */
export function lastTable({ view, before, trail }) {
  if (view.gun) return view;
  const table = [before, ...trail.slice().reverse()].find((one) => one?.gun);
  if (!table) return null;
  const shot = shotOf(view);
  const live = shot?.bullet === "live" ? 1 : 0;
  const players = bySeat(table).map((player, seat) => ({
    ...player,
    health: player.health - (shot?.target === seat ? live : 0),
    rounds_won: view.result?.seats?.[seat]?.rounds_won ?? player.rounds_won,
  }));
  const { total, blank, ...gun } = table.gun;
  return {
    ...table,
    players,
    gun: shot ? { total: total - 1, live: gun.live - live, blank: blank - 1 + live } : table.gun,
  };
}

/** Both players by seat, for any viewer.
 * @param {any} view @returns {any[]} */
export function bySeat(view) {
  if (view.players) return view.players;
  if (!view.you) return [];
  return view.seat === 0 ? [view.you, view.opponent] : [view.opponent, view.you];
}

/** The seat whose decision it is, or null.
 * @param {any} view @returns {number|null} */
export function acting(view) {
  if (view.acting !== undefined) return view.acting;
  if (view.phase === "finished") return null;
  return view.your_decision ? view.seat : 1 - view.seat;
}

/** The shot among a view's events, or null.
 * @param {any} view */
export function shotOf(view) {
  return view?.events?.find((/** @type {any} */ event) => event.e === "shot") ?? null;
}
