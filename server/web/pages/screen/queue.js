// What the big screen shows next, and what it may reveal: no result of a game that it
// has still to show.

/** @typedef {{id: string, match: string, title: string, seats: string[], live: boolean,
 *   must: boolean}} Item `id`: the game's name in the tournament, or its match; `must`: it is
 *   shown even after its end, in its turn */

/** The games of a tournament that are to be shown, in their order: all of the bracket, and of stage
 * 1 what runs.
 * @param {any} tournament @param {(id: string) => boolean} done
 * @returns {Item[]} */
export function gamesToShow(tournament, done) {
  const { parameters, games } = tournament;
  const items = games
    .filter((/** @type {any} */ game) => game.match && !done(game.game) && game.stage !== "check")
    .map((/** @type {any} */ game) => ({
      id: game.game,
      match: game.match,
      title: roundOf(tournament, game),
      seats: game.seats,
      live: game.state === "running",
      must: game.stage === "bracket",
    }));
  return items.filter((/** @type {Item} */ one) =>
    one.must ? parameters.bracket_public : one.live && parameters.round_robin_public,
  );
}

/** The matches of the server that are to be shown: those that run, else those that are over since.
 * @param {any[]} matches newest first @param {(id: string) => boolean} done
 * @param {(game: string) => string} titleOf @returns {Item[]} */
export function matchesToShow(matches, done, titleOf) {
  const items = matches
    .filter((match) => !done(match.match))
    .map((match) => ({
      id: match.match,
      match: match.match,
      title: match.name ?? titleOf(match.game),
      seats: match.players.map((/** @type {any} */ player) => player.name ?? ""),
      live: match.state === "running",
      must: match.state === "over" && match.released,
    }));
  const live = items.filter((one) => one.live);
  return live.length ? live : items.filter((one) => one.must);
}

const ROUNDS = /** @type {Record<string, string>} */ ({
  F: "Final",
  P: "Match for third place",
  SF: "Semi-final",
  QF: "Quarter-final",
});

/** The round of a game, in words.
 * @param {any} tournament @param {any} game */
export function roundOf({ bracket }, game) {
  if (game.stage !== "bracket") return "Round robin";
  const duel = bracket.find((/** @type {any} */ one) => one.match === game.of);
  const [, kind, number] = /^([A-Z]+)(\d*)/.exec(game.of ?? game.game) ?? [];
  const round = ROUNDS[kind ?? ""];
  const name = round ? `${round}${number ? ` ${number}` : ""}` : (game.of ?? game.game);
  const which = /-(\d+)$/.exec(game.game)?.[1];
  return duel && duel.best_of > 1 ? `${name}, game ${which} of at most ${duel.best_of}` : name;
}

/** The tournament as far as it has been shown: without the results of the games that are to come on
 * the screen, and without what follows from them.
 * @param {any} tournament @param {Set<string>} hidden games by name */
export function asShown(tournament, hidden) {
  if (hidden.size === 0) return tournament;
  const open = new Set();
  const bracket = tournament.bracket.map((/** @type {any} */ duel) => {
    const players = duel.players.map(
      (/** @type {string|null} */ name, /** @type {number} */ side) =>
        open.has(/^(?:winner|loser) (.+)$/.exec(duel.sources[side] ?? "")?.[1]) ? null : name,
    );
    const games = duel.games.filter(
      (/** @type {any} */ game) => !hidden.has(`${duel.match}-${game.game}`),
    );
    const known = games.length === duel.games.length && !players.includes(null);
    if (known) return duel;
    open.add(duel.match);
    const wins = duel.players.map(
      (/** @type {string|null} */ name) =>
        games.filter((/** @type {any} */ game) => game.winner === name).length,
    );
    return { ...duel, players, games, wins, winner: null, loser: null };
  });
  const first = tournament.heat_bracket?.findIndex((/** @type {any} */ one) =>
    hidden.has(one.heat),
  );
  const heats = tournament.heat_bracket?.map((/** @type {any} */ one, /** @type {number} */ at) =>
    first < 0 || at < first
      ? one
      : { ...one, seats: at === first ? one.seats : [], placement: null, score: null },
  );
  return { ...tournament, bracket, heat_bracket: heats, placings: null };
}
