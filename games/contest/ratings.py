"""Ratings of games between two: a Bradley–Terry fit of all results together, with standard errors.

    fitted = fit([Record("greedy", "random", wins=9, losses=1)], anchor="greedy")
    fitted["random"].elo, fitted["random"].stderr
    fitted.superiority("greedy", "random")

A player's expected score against another is 1 / (1 + 10**(-difference/400)). The ratings are those
under which the results are most likely; the anchor's is given. Their precision follows from the
information of the games: n games of a pair at expected score p hold n*p*(1-p)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from games.contest import bradley_terry
from games.contest.bradley_terry import Scores
from games.contest.student import student_t
from games.core.errors import BotarenaError

SCALE = 400 / math.log(10)
"""Elo points per unit of log odds."""


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
    """The games of two players, as the first counts them. Several records of one pair add up."""

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
class Ratings:
    """All players, the best first, equal ones by name; by name through `ratings[name]`."""

    table: tuple[Rating, ...]
    covariances: Mapping[tuple[str, str], float]
    """Of the ratings, Elo points squared, by a pair of names; the anchor's are 0 and left out."""
    spread: Mapping[tuple[str, str], float]
    """The same with what the draws say: a draw lies nearer to the expected score than a win or a
    loss, so that games with draws tell more than the fit knows."""

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
        half = NormalDist().inv_cdf((1 + level) / 2) * error
        return middle - half, middle + half


def fit(
    records: Iterable[Record],
    *,
    anchor: str,
    anchor_elo: float = 1000.0,
    prior_games: float = 2.0,
    draw_weight: float = 0.5,
) -> Ratings:
    """The most likely ratings.

    `prior_games`: games that every other player is taken to have played against the anchor besides,
    half won, half lost; they keep the ratings of few games moderate, and do not count for the
    anchor. `draw_weight`: a draw counts as this part of a win and the same part of a loss; with 0,
    draws are no games.

    Every player that a record names is rated. Raises NoRecords, AnchorNotFound, DisconnectedGraph,
    NoMaximum, in this order; ValueError for a record that no games can have."""
    if prior_games < 0 or draw_weight < 0:
        raise ValueError("prior_games and draw_weight: expected 0 or more")
    records = list(records)
    scores = _scores(records, draw_weight)
    draws = _draws(records) if draw_weight == 0.5 else {}
    players = sorted({name for record in records for name in (record.first, record.second)})
    if not players:
        raise NoRecords("expected at least one record")
    if anchor not in players:
        raise AnchorNotFound(
            f"expected a record of the anchor {anchor!r}; there are records of {', '.join(players)}"
        )
    if lonely := set(players) - _reached(anchor, scores):
        why = f"no chain of games connects {anchor!r} with {', '.join(sorted(lonely))}"
        raise DisconnectedGraph(why)
    others = [name for name in players if name != anchor]
    merged = _with_prior(scores, others, anchor, prior_games)
    won = {pair for pair, points in merged.items() if points > 0}
    lost = {(other, one) for one, other in won}
    if lonely := set(players) - (_reached(anchor, won) & _reached(anchor, lost)):
        raise NoMaximum(
            "expected wins and losses that connect all; without prior games nothing bounds "
            f"{', '.join(sorted(lonely))}"
        )
    strengths = bradley_terry.most_likely(merged, others, anchor)
    table = []
    for name in players:
        counted = scores if name == anchor else merged
        stderr, effective = bradley_terry.precision(counted, strengths, name)
        elo = anchor_elo + SCALE * strengths[name]
        table.append(Rating(name, elo, 0.0 if name == anchor else SCALE * stderr, effective))
    table.sort(key=lambda rating: (-round(rating.elo, 6), rating.player))
    inverse = bradley_terry.inverse(bradley_terry.information(merged, strengths, others))
    noise = bradley_terry.noise(scores, draws, strengths, others)
    spread = bradley_terry.product(bradley_terry.product(inverse, noise), inverse)
    return Ratings(tuple(table), _named(inverse, others), _named(spread, others))


def _named(matrix: list[list[float]], names: Sequence[str]) -> dict[tuple[str, str], float]:
    """A matrix over log odds, in Elo points squared."""
    return {
        (a, b): SCALE**2 * matrix[i][j] for i, a in enumerate(names) for j, b in enumerate(names)
    }


def _between(covariances: Mapping[tuple[str, str], float], player: str, other: str) -> float:
    pairs = ((player, player), (other, other), (player, other))
    own, its, both = (covariances.get(pair, 0.0) for pair in pairs)
    return math.sqrt(own + its - 2 * both)


def _scores(records: Iterable[Record], draw_weight: float) -> Scores:
    scores: Scores = {}
    for record in records:
        counts = (record.wins, record.losses, record.draws)
        if record.first == record.second or min(counts) < 0:
            raise ValueError(f"expected games of two players, counted from 0, got {record}")
        drawn = draw_weight * record.draws
        won, lost = record.wins + drawn, record.losses + drawn
        if won + lost > 0:
            pair, turned = (record.first, record.second), (record.second, record.first)
            scores[pair] = scores.get(pair, 0.0) + won
            scores[turned] = scores.get(turned, 0.0) + lost
    return scores


def _draws(records: Iterable[Record]) -> Scores:
    """How many games of a pair were drawn, in both orders."""
    draws: Scores = {}
    for record in records:
        for pair in ((record.first, record.second), (record.second, record.first)):
            draws[pair] = draws.get(pair, 0.0) + record.draws
    return draws


def _with_prior(scores: Scores, others: Sequence[str], anchor: str, prior_games: float) -> Scores:
    merged = dict(scores)
    if prior_games > 0:
        for name in others:
            for pair in ((name, anchor), (anchor, name)):
                merged[pair] = merged.get(pair, 0.0) + prior_games / 2
    return merged


def _reached(start: str, arrows: Iterable[tuple[str, str]]) -> set[str]:
    """All players to whom a chain of arrows leads from `start`, itself included."""
    onward: dict[str, list[str]] = {}
    for one, other in arrows:
        onward.setdefault(one, []).append(other)
    reached, open_ends = {start}, [start]
    while open_ends:
        for name in onward.get(open_ends.pop(), ()):
            if name not in reached:
                reached.add(name)
                open_ends.append(name)
    return reached
