"""Fits of ratings to the results of rated matches. They run in the child process.

Two seats: a Bradley–Terry fit of all results at once (`games.contest.ratings`), the anchor fixed,
with what the first seat is worth. More: Plackett–Luce, match by match, on the same scale relative
to the anchor."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from openskill.models import PlackettLuce

from games.contest.ratings import Record, SeatEffect, fit
from server.store.ratings import Pair, PlayerKey

ANCHOR_AT: Final = 1000.0
POINTS: Final = 40.0
"""Points of the scale in one unit of the Plackett–Luce model."""
SEAT_GAMES: Final = 50.0
"""Games between equals, split evenly between the seats, that are taken to have been played
besides, so that its worth is expected within some 100 points."""
WIDTH: Final = 1.96
"""Standard errors to each side of a rating: 95 %."""


@dataclass(slots=True)
class PlayerRating:
    """One player's. `rating` None: no chain of games leads to the anchor."""

    player: PlayerKey
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    rating: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class RatingFit:
    """The table of one game after `matches` matches, and how often each two have met."""

    matches: int
    lines: dict[PlayerKey, PlayerRating]
    met: Mapping[frozenset[PlayerKey], int] = field(default_factory=dict)
    seat: SeatEffect | None = None
    """What seat 0 is worth; None: it is not known, or the games have more than two seats."""

    def rating(self, player: PlayerKey) -> float:
        """The anchor's for a player that has none."""
        line = self.lines.get(player)
        return ANCHOR_AT if line is None or line.rating is None else line.rating


# --- two seats


def bradley_terry(pairs: Sequence[Pair], anchor: str | None, matches: int) -> RatingFit:
    """All results at once. Whom no chain of games connects with the anchor has no rating."""
    lines: dict[PlayerKey, PlayerRating] = {}
    met: dict[frozenset[PlayerKey], int] = {}
    for pair in pairs:
        games = pair.wins + pair.losses + pair.draws
        both = frozenset((pair.first, pair.second))
        met[both] = met.get(both, 0) + games
        first = (pair.first, pair.wins, pair.losses)
        second = (pair.second, pair.losses, pair.wins)
        for player, wins, losses in (first, second):
            line = lines.setdefault(player, PlayerRating(player))
            line.games += games
            line.wins += wins
            line.draws += pair.draws
            line.losses += losses
    reached = _reached(("bot", anchor or ""), met)
    records = [
        Record(_key(pair.first), _key(pair.second), pair.wins, pair.losses, pair.draws)
        for pair in pairs
        if pair.first in reached
    ]
    seat = None
    if records:
        fixed = _key(("bot", anchor or ""))
        found = fit(records, anchor=fixed, anchor_elo=ANCHOR_AT, seat_games=SEAT_GAMES)
        seat = found.seat
        for player in reached:
            line = lines[player]
            line.rating = found[_key(player)].elo
            line.low, line.high = found.interval(_key(player))
    return RatingFit(matches, lines, met, seat)


def _key(player: PlayerKey) -> str:
    return f"{player[0]} {player[1]}"


def _reached(start: PlayerKey, met: Mapping[frozenset[PlayerKey], int]) -> set[PlayerKey]:
    """All to whom a chain of games leads; none if the start has not played."""
    onward: dict[PlayerKey, set[PlayerKey]] = {}
    for pair in met:
        for player in pair:
            onward.setdefault(player, set()).update(pair)
    reached: set[PlayerKey] = set()
    open_ends = [start] if start in onward else []
    while open_ends:
        player = open_ends.pop()
        if player not in reached:
            reached.add(player)
            open_ends += onward[player]
    return reached


# --- more seats


def plackett_luce(
    placed: Sequence[Sequence[tuple[PlayerKey, int]]], anchor: str | None, matches: int
) -> RatingFit:
    """Match after match. Until the anchor has played, the model's initial rating replaces it."""
    model = PlackettLuce()
    skill: dict[PlayerKey, Any] = {}
    lines: dict[PlayerKey, PlayerRating] = {}
    met: dict[frozenset[PlayerKey], int] = {}
    for match in placed:
        teams = [[skill.setdefault(player, model.rating())] for player, _ in match]
        places = [place for _, place in match]
        rated = model.rate(teams, ranks=[float(place) for place in places])
        for (player, place), (new,) in zip(match, rated, strict=True):
            skill[player] = new
            line = lines.setdefault(player, PlayerRating(player))
            first = place == min(places)
            line.games += 1
            line.wins += first and places.count(place) == 1
            line.draws += first and places.count(place) > 1
            line.losses += not first
            for other, _ in match:
                if other < player:
                    both = frozenset((player, other))
                    met[both] = met.get(both, 0) + 1
    fixed = skill.get(("bot", anchor or ""))
    middle, doubt = (model.mu, 0.0) if fixed is None else (fixed.mu, fixed.sigma)
    for player, found in skill.items():
        line = lines[player]
        half = 0.0 if found is fixed else WIDTH * POINTS * math.hypot(found.sigma, doubt)
        line.rating = ANCHOR_AT + POINTS * (found.mu - middle)
        line.low, line.high = line.rating - half, line.rating + half
    return RatingFit(matches, lines, met)
