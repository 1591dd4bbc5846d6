"""Whole tournaments on paper: games that end as their id and their seats have it, played in any
order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from games.contest import verbs
from games.contest.format import read
from games.contest.result import GameResult
from games.contest.tournament import Fixture, Tournament

Ends = Callable[[Fixture], GameResult]
SEED = 7

WON = GameResult((1, 2), (2, 0), (False, False))
LOST = GameResult((2, 1), (0, 2), (False, False))
DRAWN = GameResult((1, 1), (1, 1), (False, False))
BOTH_LOST = GameResult((1, 1), (0, 0), (False, False), both_lost=True)
BETWEEN_TWO = (
    WON,
    LOST,
    DRAWN,
    BOTH_LOST,
    GameResult((1, 2), (2, 1), (False, False)),
    GameResult((2, 1), (0, 2), (True, False)),
)


def ends(luck: int = 0) -> Ends:
    """Results that depend on the game and on who sits there, and on nothing else; another luck,
    other results."""

    def ended(fixture: Fixture) -> GameResult:
        rolled = sha256(f"{luck}:{fixture.id}:{fixture.entrants}".encode()).digest()
        seats = len(fixture.entrants)
        if seats == 2:
            return BETWEEN_TWO[rolled[0] % len(BETWEEN_TWO)]
        place = [rolled[seat] % seats for seat in range(seats)]
        ranked = sorted(place)
        return GameResult(
            tuple(ranked.index(one) + 1 for one in place),
            tuple(100 * (seats - one) for one in place),
            (False,) * seats,
        )

    return ended


def favourites(fixture: Fixture) -> GameResult:
    """The lowest entry number always wins."""
    order = sorted(fixture.entrants)
    places = tuple(order.index(entry) + 1 for entry in fixture.entrants)
    return GameResult(
        places, tuple(len(places) - place for place in places), (False,) * len(places)
    )


def opened(entrants: int | Sequence[str], **format_: Any) -> Tournament:
    """The field is fixed, and by default no bot has to be checked."""
    names = (
        [f"bot {number}" for number in range(1, entrants + 1)]
        if isinstance(entrants, int)
        else entrants
    )
    tournament = Tournament(read({"check": False} | format_), SEED)
    for name in names:
        tournament = tournament.add(verbs.enter(tournament, name))
    return tournament.add(verbs.close(tournament))


def one_more(tournament: Tournament, ended: Ends, fixture: Fixture) -> Tournament:
    return tournament.add(verbs.report(tournament, fixture.id, ended(fixture), fixture.attempt))


def until(
    tournament: Tournament,
    state: str = "finished",
    ended: Ends = favourites,
    order: Random | None = None,
) -> Tournament:
    """Play what is due, the first game first or in any order, until the tournament is so far."""
    while tournament.state != state and tournament.due:
        due = tournament.due
        tournament = one_more(tournament, ended, due[0] if order is None else order.choice(due))
    return tournament
