"""Who meets whom on the ladder of one game: those who are about as strong, and not the same ones
again and again."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from games.contest.format import DUEL, plays_with
from games.core.contract import AnyGame
from games.core.parameters import configure
from server.store.ratings import PlayerKey
from server.tournaments.rating_fits import ANCHOR_AT, RatingFit

HOUSE_GAMES: Final = 20
"""Two house bots play this many games with one another: enough to know how they stand."""
RECENT: Final = 3
"""How many others a player meets before the same one again, if there are enough."""


class Opponents:
    def __init__(self) -> None:
        self._recent: dict[PlayerKey, deque[PlayerKey]] = {}
        """Whom each met last."""
        self._turn: dict[PlayerKey, int] = {}
        """The number of the game that each played last."""
        self._games = 0

    def choose(
        self, players: Sequence[PlayerKey], standing: RatingFit, seats: int
    ) -> list[PlayerKey]:
        """The one that waits longest, and those nearest to it that it has not met lately; none if
        nothing is to be found out."""
        for seeker in sorted(players, key=lambda one: (one[0] == "bot", self._turn.get(one, 0))):
            everyone = [one for one in players if one != seeker]
            others = [one for one in everyone if not _is_known_enough(seeker, one, standing)]
            if not others or seats < DUEL:
                continue
            spare = len(players) - seats  # how many others there are to be met instead
            lately = [*self._recent.get(seeker, ())][-spare:] if spare > 0 else []
            own = _rating(standing, seeker)
            apart = {one: abs(_rating(standing, one) - own) for one in others}
            others.sort(key=lambda one: (one in lately, apart[one], one))
            rest = [one for one in everyone if one not in others]
            return [seeker, *(others + rest)[: seats - 1]]
        return []

    def meet(self, players: Sequence[PlayerKey]) -> None:
        """These have been chosen for a game."""
        self._games += 1
        for player in players:
            self._turn[player] = self._games
            recent = self._recent.setdefault(player, deque(maxlen=RECENT))
            recent.extend(other for other in players if other != player)


def most_seats(game: AnyGame, players: int) -> int:
    """In how many seats this many players can meet: as many as the game usually has, or fewer."""
    usual: int = game.seats(configure(game, {}))
    possible = range(min(usual, players), DUEL - 1, -1)
    return next((seats for seats in possible if plays_with(game, {}, seats)), 0)


def _is_known_enough(one: PlayerKey, other: PlayerKey, standing: RatingFit) -> bool:
    house = one[0] == other[0] == "bot"
    return house and standing.met.get(frozenset((one, other)), 0) >= HOUSE_GAMES


def _rating(standing: RatingFit, player: PlayerKey) -> float:
    line = standing.lines.get(player)
    return ANCHOR_AT if line is None or line.rating is None else line.rating
