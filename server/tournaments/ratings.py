"""How strong those are who play rated matches, game by game.

Ratings are computed from the rows of the matches when they are asked for and there are new rows.
They are stored nowhere, so that they cannot disagree with the results after a crash or an undone
result, and no match's end waits for them. The anchor is the game's usual house bot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from games.core.contract import AnyGame, Json
from games.core.parameters import configure
from server.lobbies.bots import HouseBots
from server.offload import Offload
from server.store import ratings as stored
from server.store.ratings import PlayerKey
from server.store.store import Store
from server.tournaments.rating_fits import PlayerRating, RatingFit, bradley_terry, plackett_luce

FEW: Final = 20
"""With fewer games than this a rating is provisional."""
TWO: Final = 2


class RatingTables:
    def __init__(self, store: Store, bots: HouseBots, offload: Offload) -> None:
        self._store = store
        self._bots = bots
        self._offload = offload
        self._known: dict[str, tuple[tuple[int, int], RatingFit]] = {}
        """The last table of each game, and of which version of its matches it is."""

    def anchor(self, game: str) -> str | None:
        """The house bot whose rating is given; None: there are no house bots here."""
        return self._bots.default(game)

    async def standing(self, game: AnyGame) -> RatingFit:
        known = self._known.get(game.name)
        async with self._store.read() as db:
            matches, _ = version = await stored.version(db, game.name)
            if known is not None and known[0] == version:
                return known[1]
            if matches == 0:
                return RatingFit(0, {})
            if duels(game):
                fit = partial(bradley_terry, await stored.pairs(db, game.name))
            else:
                fit = partial(plackett_luce, await stored.placements(db, game.name))
        made = await self._offload.run(fit, self.anchor(game.name), matches)
        self._known[game.name] = version, made
        return made

    async def table(self, game: AnyGame) -> dict[str, Json]:
        """As plain JSON, the best first."""
        standing = await self.standing(game)
        accounts = [id_ for kind, id_ in standing.lines if kind == "account"]
        async with self._store.read() as db:
            names = await stored.names(db, accounts)

        def best_first(line: PlayerRating) -> tuple[bool, float, PlayerKey]:
            return line.rating is None, -(line.rating or 0.0), line.player

        lines = sorted(standing.lines.values(), key=best_first)
        return {
            "game": game.name,
            "method": "bradley-terry" if duels(game) else "plackett-luce",
            "anchor": self.anchor(game.name),
            "matches": standing.matches,
            "first_seat": _seat(standing),
            "ratings": [_json(rank, line, names) for rank, line in enumerate(lines, start=1)],
        }


def duels(game: AnyGame) -> bool:
    """Whether this game's usual match has two seats."""
    return bool(game.seats(configure(game, {})) == TWO)


def _json(rank: int, line: PlayerRating, names: Mapping[str, str]) -> Json:
    kind, id_ = line.player
    rated = line.rating is not None
    return {
        "rank": rank if rated else None,
        "name": id_ if kind == "bot" else names.get(id_, id_),
        "bot": id_ if kind == "bot" else None,
        "account": None if kind == "bot" else id_,
        "rating": _rounded(line.rating),
        "low": _rounded(line.low),
        "high": _rounded(line.high),
        "games": line.games,
        "wins": line.wins,
        "draws": line.draws,
        "losses": line.losses,
        "provisional": not rated or line.games < FEW,
    }


def _seat(standing: RatingFit) -> Json:
    if standing.seat is None:
        return None
    low, high = standing.seat.interval()
    worth = {"worth": standing.seat.elo, "low": low, "high": high}
    return {name: _rounded(value) for name, value in worth.items()}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
