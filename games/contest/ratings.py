"""Ratings of games between two: a Bradley–Terry fit of all results together, with standard errors.

    fitted = fit([Record("greedy", "random", wins=9, losses=1)], anchor="greedy")
    fitted["random"].elo, fitted["random"].stderr
    fitted.superiority("greedy", "random")

A player's expected score against another is 1 / (1 + 10**(-difference/400)). The ratings are those
under which the results are most likely; the anchor's is given. Their precision follows from the
information of the games: n games of a pair at expected score p hold n*p*(1-p).

With `seat_games` the fit also finds what the first seat is worth: a player's expected score is then
that of one who is stronger by as much. Where every pair has the same results from both seats, it is
worth nothing, and the ratings are those without it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from games.contest import bradley_terry
from games.contest.bradley_terry import SEAT, Score, Term
from games.contest.student import student_t
from games.core.errors import BotarenaError

SCALE = 400 / math.log(10)
"""Elo points per unit of log odds."""
DRAW_WEIGHT = 0.5
"""A draw is half a win and half a loss."""


class Unrated(BotarenaError):
    """These records allow no ratings."""


class NoRecords(Unrated):
    """There are no records."""


class AnchorNotFound(Unrated):
    """No record names the anchor."""


class DisconnectedGraph(Unrated):
    """No chain of games connects some of the players with the anchor, so nothing compares them.

    A record without games connects no one.
    """


class NoMaximum(Unrated):
    """Some players only won or only lost against all others: without prior games nothing bounds
    their ratings."""


@dataclass(frozen=True, slots=True)
class Record:
    """The games of two players, as the first counts them. Several records of one pair add up. For a
    fit with `seat_games`, `first` is who sat in the first seat in all of these games."""

    first: str
    second: str
    wins: int = 0
    losses: int = 0
    draws: int = 0


@dataclass(frozen=True, slots=True)
class Rating:
    """`stderr` in Elo points, the other ratings held fixed; the anchor's is 0. `effective_games`:
    how many games against one opponent would hold as much information as all of this player's."""

    player: str
    elo: float
    stderr: float
    effective_games: float


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What the first seat is worth, in Elo points, with its standard error."""

    elo: float
    stderr: float

    def interval(self, *, level: float = 0.95) -> tuple[float, float]:
        """Where it lies with this probability."""
        half = _half(level, self.stderr)
        return self.elo - half, self.elo + half


@dataclass(frozen=True, slots=True)
class Ratings:
    """All players, the best first, equal ones by name; by name through `ratings[name]`."""

    table: tuple[Rating, ...]
    covariances: Mapping[tuple[str, str], float]
    """Of the ratings, Elo points squared, by a pair of names; the anchor's are 0 and left out."""
    spread: Mapping[tuple[str, str], float]
    """The same with what the draws say: a draw lies nearer to the expected score than a win or a
    loss, so that games with draws tell more than the fit knows."""
    seat: SeatEffect | None = None
    """None: the fit was made without it."""

    def __getitem__(self, player: str) -> Rating:
        for rating in self.table:
            if rating.player == player:
                return rating
        raise KeyError(player)

    def expectancy(self, player: str, other: str) -> float:
        """The score that the player can expect in a game against the other, 0..1."""
        return bradley_terry.expected_score((self[player].elo - self[other].elo) / SCALE)

    def superiority(self, player: str, other: str) -> float:
        """How likely it is that the player is the stronger one, 0..1: Student's t with the player's
        effective games less one."""
        difference = self[player].elo - self[other].elo
        if player == other or difference == 0:
            return 0.5
        freedom = max(1.0, self[player].effective_games - 1)
        return student_t(difference / self.error_between(player, other), freedom)

    def error_between(self, player: str, other: str) -> float:
        """The standard error of the difference of two ratings, Elo points."""
        return _between(self.covariances, player, other)

    def interval(
        self, player: str, other: str | None = None, *, level: float = 0.95
    ) -> tuple[float, float]:
        """Where the player's rating lies with this probability, or its lead over another player;
        the others' uncertainty and the draws are counted in. The anchor's own rating is given."""
        if other is None:
            middle = self[player].elo
            error = math.sqrt(self.spread.get((player, player), 0.0))
        else:
            middle = self[player].elo - self[other].elo
            error = _between(self.spread, player, other)
        half = _half(level, error)
        return middle - half, middle + half


def _half(level: float, error: float) -> float:
    """Half the width of the interval that holds the value with this probability."""
    return NormalDist().inv_cdf((1 + level) / 2) * error


def fit(
    records: Iterable[Record],
    *,
    anchor: str,
    anchor_elo: float = 1000.0,
    prior_games: float = 2.0,
    draw_weight: float = DRAW_WEIGHT,
    seat_games: float | None = None,
) -> Ratings:
    """The most likely ratings.

    `prior_games`: games that every other player is taken to have played against the anchor besides,
    half won, half lost; they keep the ratings of few games moderate, and do not count for the
    anchor. `draw_weight`: a draw counts as this part of a win and the same part of a loss; with 0,
    draws are no games. `seat_games`: fit the worth of the first seat as well, as if this many games
    between equals had been split evenly between the seats, so that few games do not make much of
    it; None: seats do not count.

    Every player that a record names is rated. Raises NoRecords, AnchorNotFound, DisconnectedGraph,
    NoMaximum, in this order; ValueError for a record that no games can have."""
    if prior_games < 0 or draw_weight < 0:
        raise ValueError("prior_games and draw_weight: expected 0 or more")
    if seat_games is not None and seat_games <= 0:
        raise ValueError("seat_games: expected more than 0, or None")
    records = list(records)
    scores = _scores(records, draw_weight, seated=seat_games is not None)
    players = sorted({name for record in records for name in (record.first, record.second)})
    if not players:
        raise NoRecords("expected at least one record")
    if anchor not in players:
        raise AnchorNotFound(
            f"expected a record of the anchor {anchor!r}; there are records of {', '.join(players)}"
        )
    met = [(one.first, one.second) for one in scores]
    if lonely := set(players) - _reached(anchor, [*met, *_turned(met)]):
        why = f"no chain of games connects {anchor!r} with {', '.join(sorted(lonely))}"
        raise DisconnectedGraph(why)
    others = [name for name in players if name != anchor]
    prior = prior_games / 2
    merged = [*scores, *(Score(name, anchor, won=prior, lost=prior) for name in others if prior)]
    won = [(one.first, one.second) for one in merged if one.won > 0]
    won += [(one.second, one.first) for one in merged if one.lost > 0]
    if lonely := set(players) - (_reached(anchor, won) & _reached(anchor, _turned(won))):
        raise NoMaximum(
            "expected wins and losses that connect all; without prior games nothing bounds "
            f"{', '.join(sorted(lonely))}"
        )
    terms: list[Term] = [*others]
    if seat_games is not None:
        terms.append(SEAT)
        merged.append(Score(SEAT, anchor, won=seat_games / 2, lost=seat_games / 2))
    strengths = bradley_terry.most_likely(merged, terms, anchor)
    table = []
    for name in players:
        counted = scores if name == anchor else merged
        stderr, effective = bradley_terry.precision(counted, strengths, name)
        elo = anchor_elo + SCALE * strengths[name]
        table.append(Rating(name, elo, 0.0 if name == anchor else SCALE * stderr, effective))
    table.sort(key=lambda rating: (-round(rating.elo, 6), rating.player))
    inverse = bradley_terry.inverse(bradley_terry.information(merged, strengths, terms))
    noise = bradley_terry.noise(scores, strengths, terms)
    spread = bradley_terry.product(bradley_terry.product(inverse, noise), inverse)
    seat = None
    if seat_games is not None:
        seat = SeatEffect(SCALE * strengths[SEAT], SCALE * math.sqrt(inverse[-1][-1]))
    return Ratings(tuple(table), _named(inverse, others), _named(spread, others), seat)


def _named(matrix: list[list[float]], names: Sequence[str]) -> dict[tuple[str, str], float]:
    """A matrix over log odds, in Elo points squared."""
    return {
        (a, b): SCALE**2 * matrix[i][j] for i, a in enumerate(names) for j, b in enumerate(names)
    }


def _between(covariances: Mapping[tuple[str, str], float], player: str, other: str) -> float:
    pairs = ((player, player), (other, other), (player, other))
    own, its, both = (covariances.get(pair, 0.0) for pair in pairs)
    return math.sqrt(own + its - 2 * both)


def _scores(records: Iterable[Record], draw_weight: float, *, seated: bool) -> list[Score]:
    """One for each pair that has played, or for each order of the pair if seats count."""
    scores: dict[tuple[str, str], Score] = {}
    for record in records:
        counts = (record.wins, record.losses, record.draws)
        if record.first == record.second or min(counts) < 0:
            raise ValueError(f"expected games of two players, counted from 0, got {record}")
        drawn = draw_weight * record.draws
        won, lost = record.wins + drawn, record.losses + drawn
        if won + lost == 0:
            continue
        first, second = record.first, record.second
        if not seated and second < first:
            first, second, won, lost = second, first, lost, won
        score = scores.setdefault((first, second), Score(first, second, seated))
        score.won += won
        score.lost += lost
        score.drawn += record.draws if draw_weight == DRAW_WEIGHT else 0
    return list(scores.values())


def _turned(arrows: Iterable[tuple[Term, Term]]) -> list[tuple[Term, Term]]:
    return [(other, one) for one, other in arrows]


def _reached(start: Term, arrows: Iterable[tuple[Term, Term]]) -> set[Term]:
    """All players to whom a chain of arrows leads from `start`, itself included."""
    onward: dict[Term, list[Term]] = {}
    for one, other in arrows:
        onward.setdefault(one, []).append(other)
    reached, open_ends = {start}, [start]
    while open_ends:
        for name in onward.get(open_ends.pop(), ()):
            if name not in reached:
                reached.add(name)
                open_ends.append(name)
    return reached
