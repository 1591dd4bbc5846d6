"""How strong those are who play rated matches, game by game.

A rating is worked out from the rows of the matches whenever somebody asks and there are new ones, and kept nowhere. So a result
and what follows from it cannot disagree, after no crash and no undoing; and no match's end waits for it.

Two seats: a Bradley–Terry fit of all results at once (`games.contest.ratings`), the anchor fixed. More: Plackett–Luce, match by
match, told on the same scale relative to the anchor. The anchor is the game's best house bot.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from openskill.models import PlackettLuce

from games.contest.ratings import Record, fit
from games.core.contract import AnyGame
from games.core.parameters import configure
from server.lobbies.bots import HouseBots
from server.store import ratings as stored
from server.store.ratings import Pair, Player
from server.store.store import Store

Json = Any

ANCHOR_AT: Final = 1000.0
POINTS: Final = 40.0
"""Points of the scale in one unit of the Plackett–Luce model."""
WIDTH: Final = 1.96
"""Standard errors to each side of a rating: 95 %."""
FEW: Final = 20
"""With fewer games than this a rating is provisional."""
TWO: Final = 2


@dataclass(slots=True)
class Line:
    """One player's. `rating` None: no chain of games leads to the anchor."""

    player: Player
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    rating: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The table of one game after so many matches, and how often each two have met."""

    matches: int
    lines: dict[Player, Line]
    met: Mapping[frozenset[Player], int] = field(default_factory=dict)


class Rated:
    def __init__(self, store: Store, bots: HouseBots) -> None:
        self._store = store
        self._bots = bots
        self._known: dict[str, tuple[tuple[int, int], Standing]] = {}
        """The last table of each game, and of which version of its matches it is."""

    def anchor(self, game: str) -> str | None:
        """The house bot whose rating is given; None: there are no house bots here."""
        return next(reversed([*self._bots.names(game)]), None)

    async def standing(self, game: AnyGame) -> Standing:
        known = self._known.get(game.name)
        async with self._store.read() as db:
            matches, _ = version = await stored.version(db, game.name)
            if known is not None and known[0] == version:
                return known[1]
            anchor = self.anchor(game.name)
            if duels(game):
                pairs = await stored.pairs(db, game.name)
                made = await asyncio.to_thread(fitted, pairs, anchor, matches)
            else:
                placed = await stored.placements(db, game.name)
                made = await asyncio.to_thread(learnt, placed, anchor, matches)
        self._known[game.name] = version, made
        return made

    async def table(self, game: AnyGame) -> dict[str, Json]:
        """As plain JSON, the best first."""
        standing = await self.standing(game)
        async with self._store.read() as db:
            names = await stored.names(db, [id_ for kind, id_ in standing.lines if kind == "account"])
        lines = sorted(standing.lines.values(), key=lambda line: (line.rating is None, -(line.rating or 0.0), line.player))
        return {
            "game": game.name,
            "method": "bradley-terry" if duels(game) else "plackett-luce",
            "anchor": self.anchor(game.name),
            "matches": standing.matches,
            "ratings": [_told(rank, line, names) for rank, line in enumerate(lines, start=1)],
        }


def duels(game: AnyGame) -> bool:
    """Whether this game's usual match has two seats."""
    return bool(game.seats(configure(game, {})) == TWO)


def _told(rank: int, line: Line, names: Mapping[str, str]) -> Json:
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


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


# --- two seats


def fitted(pairs: Sequence[Pair], anchor: str | None, matches: int) -> Standing:
    """All results at once. Whom no chain of games connects with the anchor has no rating."""
    lines: dict[Player, Line] = {}
    met: dict[frozenset[Player], int] = {}
    for pair in pairs:
        games = pair.wins + pair.losses + pair.draws
        met[frozenset((pair.first, pair.second))] = met.get(frozenset((pair.first, pair.second)), 0) + games
        for player, wins, losses in ((pair.first, pair.wins, pair.losses), (pair.second, pair.losses, pair.wins)):
            line = lines.setdefault(player, Line(player))
            line.games, line.wins = line.games + games, line.wins + wins
            line.draws, line.losses = line.draws + pair.draws, line.losses + losses
    reached = _reached(("bot", anchor or ""), met)
    records = [
        Record(_key(pair.first), _key(pair.second), pair.wins, pair.losses, pair.draws) for pair in pairs if pair.first in reached
    ]
    if records:
        found = fit(records, anchor=_key(("bot", anchor or "")), anchor_elo=ANCHOR_AT)
        for player in reached:
            line = lines[player]
            line.rating = found[_key(player)].elo
            line.low, line.high = found.interval(_key(player))
    return Standing(matches, lines, met)


def _key(player: Player) -> str:
    return f"{player[0]} {player[1]}"


def _reached(start: Player, met: Mapping[frozenset[Player], int]) -> set[Player]:
    """Everybody to whom a chain of games leads; nobody if the start has not played."""
    onward: dict[Player, set[Player]] = {}
    for pair in met:
        for player in pair:
            onward.setdefault(player, set()).update(pair)
    reached: set[Player] = set()
    open_ends = [start] if start in onward else []
    while open_ends:
        player = open_ends.pop()
        if player not in reached:
            reached.add(player)
            open_ends += onward[player]
    return reached


# --- more seats


def learnt(placed: Sequence[Sequence[tuple[Player, int]]], anchor: str | None, matches: int) -> Standing:
    """Match after match. Until the anchor has played, the model's own beginning stands in its place."""
    model = PlackettLuce()
    skill: dict[Player, Any] = {}
    lines: dict[Player, Line] = {}
    met: dict[frozenset[Player], int] = {}
    for match in placed:
        teams = [[skill.setdefault(player, model.rating())] for player, _ in match]
        for (player, place), (new,) in zip(match, model.rate(teams, ranks=[float(place) for _, place in match]), strict=True):
            skill[player] = new
            line = lines.setdefault(player, Line(player))
            places = [other for _, other in match]
            first = place == min(places)
            line.games += 1
            line.wins += first and places.count(place) == 1
            line.draws += first and places.count(place) > 1
            line.losses += not first
            for other, _ in match:
                if other < player:
                    met[frozenset((player, other))] = met.get(frozenset((player, other)), 0) + 1
    fixed = skill.get(("bot", anchor or ""))
    middle, doubt = (model.mu, 0.0) if fixed is None else (fixed.mu, fixed.sigma)
    for player, found in skill.items():
        line = lines[player]
        half = 0.0 if found is fixed else WIDTH * POINTS * math.hypot(found.sigma, doubt)
        line.rating = ANCHOR_AT + POINTS * (found.mu - middle)
        line.low, line.high = line.rating - half, line.rating + half
    return Standing(matches, lines, met)
