"""Who meets whom on the ladder of one game: those who are about as strong, and not the same ones
again and again. An account's bot meets house bots until its rating is known well, for they connect
it with the anchor, and later only when it has waited long for another one."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.contest.format import DUEL, plays_with
from games.core.contract import AnyGame
from games.core.parameters import configure
from server.store.ladders import Why
from server.store.ratings import PlayerKey
from server.tournaments.rating_fits import RatingFit

HOUSE_GAMES: Final = 20
"""Two house bots play this many games with one another: enough to know how they stand."""
UNCERTAIN: Final = 300.0
"""A bot whose interval is wider than this meets house bots as it meets others."""
LAST: Final[Mapping[Why, int]] = {
    "closest_rating": 1,
    "uncertain_rating": 1,
    "house_rating": 1,
    "long_wait": 2,
}
"""Who is met later, whatever the ratings: a bot without one meets house bots first."""
RECENT: Final = 3
"""How many others a player meets before the same one again, if there are enough."""


@dataclass(frozen=True, slots=True)
class Paired:
    """The players of a game, the one that looked for it first, and why these."""

    players: tuple[PlayerKey, ...]
    why: Why


class Opponents:
    def __init__(self) -> None:
        self._recent: dict[PlayerKey, deque[PlayerKey]] = {}
        """Whom each met last."""
        self._turn: dict[PlayerKey, int] = {}
        """The number of the game that each played last."""
        self._games = 0

    def choose(
        self,
        players: Sequence[PlayerKey],
        standing: RatingFit,
        seats: int,
        hurried: Collection[PlayerKey] = (),
    ) -> Paired | None:
        """The one that waits longest, and those nearest to it that it has not met lately; None if
        nothing is to be found out. `hurried`: those who have waited long enough for a house bot."""
        for seeker in sorted(players, key=lambda one: (one[0] == "bot", self._turn.get(one, 0))):
            whys = {
                one: why
                for one in players
                if one != seeker and (why := _why(seeker, one, standing, hurried)) is not None
            }
            house = [one for one in players if one[0] == "bot" and one not in (seeker, *whys)]
            fillers = house if seeker[0] == "bot" else []
            if not whys or seats < DUEL or len(whys) + len(fillers) < seats - 1:
                continue
            spare = len(whys) + 1 - seats  # how many others there are to be met instead
            lately = [*self._recent.get(seeker, ())][-spare:] if spare > 0 else []
            own = standing.rating(seeker)
            apart = {one: abs(standing.rating(one) - own) for one in whys}
            order = sorted(
                whys, key=lambda one: (LAST.get(whys[one], 0), one in lately, apart[one], one)
            )
            why = whys[order[0]]
            nearest = min((one for one in whys if whys[one] == why), key=lambda one: apart[one])
            if why == "closest_rating" and apart[nearest] < apart[order[0]]:
                why = "not_met_lately"
            return Paired((seeker, *[*order, *fillers][: seats - 1]), why)
        return None

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


def _why(
    one: PlayerKey, other: PlayerKey, standing: RatingFit, hurried: Collection[PlayerKey]
) -> Why | None:
    """Why these two may meet now; None: they may not."""
    if one[0] == other[0] == "bot":
        known = standing.met.get(frozenset((one, other)), 0) >= HOUSE_GAMES
        return None if known else "house_rating"
    if one[0] == other[0]:
        return "closest_rating"
    own = other if one[0] == "bot" else one
    line = standing.lines.get(own)
    if line is None or line.rating is None:
        return "first_rating"
    if line.low is not None and line.high is not None and line.high - line.low > UNCERTAIN:
        return "uncertain_rating"
    return "long_wait" if own in hurried else None
