"""Ratings of games between two: a Bradley–Terry fit of all results together, with standard errors.

    fitted = fit([Record("greedy", "random", wins=9, losses=1)], anchor="greedy")
    fitted["random"].elo, fitted["random"].stderr
    fitted.superiority("greedy", "random")

A player's expected score against another is 1 / (1 + 10**(-difference/400)). The ratings are those
under which the results are most likely; the anchor's is given. What is said of precision follows
from the information of the games: n games of a pair at expected score p hold n*p*(1-p)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from games.core.errors import BotarenaError

SCALE = 400 / math.log(10)
"""Elo points per unit of log odds."""

Scores = dict[tuple[str, str], float]
"""What the first player of a pair scored against the second; both orders of every pair with games
are there."""


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
    """Some players only won or only lost against all others: without prior games their ratings grow
    for ever."""


@dataclass(frozen=True, slots=True)
class Record:
    """The games of two players, as the first one counts them. Several records of one pair add
    up."""

    first: str
    second: str
    wins: int = 0
    losses: int = 0
    draws: int = 0


@dataclass(frozen=True, slots=True)
class Rating:
    """`stderr` in Elo points, the other ratings held fixed; the anchor's is 0. `effective_games`:
    as many games against one opponent would say as much as all of this player's games do."""

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
        return _odds((self[player].elo - self[other].elo) / SCALE)

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
        middle = self[player].elo - (0.0 if other is None else self[other].elo)
        error = (
            math.sqrt(self.spread.get((player, player), 0.0))
            if other is None
            else _between(self.spread, player, other)
        )
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
    anchor. `draw_weight`: a draw counts as so much of a won game and as much of a lost one; with 0,
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
        raise DisconnectedGraph(
            f"no chain of games connects {anchor!r} with {', '.join(sorted(lonely))}"
        )
    others = [name for name in players if name != anchor]
    merged = _with_prior(scores, others, anchor, prior_games)
    won = {pair for pair, points in merged.items() if points > 0}
    if lonely := set(players) - (
        _reached(anchor, won) & _reached(anchor, {(other, one) for one, other in won})
    ):
        raise NoMaximum(
            "expected wins and losses that connect all; without prior games nothing bounds "
            f"{', '.join(sorted(lonely))}"
        )
    strengths = _most_likely(merged, others, anchor)
    table = []
    for name in players:
        stderr, effective = _precision(scores if name == anchor else merged, strengths, name)
        table.append(
            Rating(
                name,
                anchor_elo + SCALE * strengths[name],
                0.0 if name == anchor else stderr,
                effective,
            )
        )
    table.sort(key=lambda rating: (-round(rating.elo, 6), rating.player))
    inverse = _inverse(_information(merged, strengths, others))
    noise = _noise(scores, draws, strengths, others)
    spread = _product(_product(inverse, noise), inverse)
    return Ratings(tuple(table), _named(inverse, others), _named(spread, others))


def _named(matrix: list[list[float]], names: Sequence[str]) -> dict[tuple[str, str], float]:
    return {
        (a, b): SCALE**2 * matrix[i][j] for i, a in enumerate(names) for j, b in enumerate(names)
    }


def _between(covariances: Mapping[tuple[str, str], float], player: str, other: str) -> float:
    own, its, both = (
        covariances.get(pair, 0.0) for pair in ((player, player), (other, other), (player, other))
    )
    return math.sqrt(own + its - 2 * both)


def student_t(t: float, freedom: float) -> float:
    """The distribution function of Student's t with this many degrees of freedom (above 0, not only
    whole ones)."""
    tail = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return 1 - tail if t > 0 else tail


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction; x in
    0..1."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = (
        math.exp(
            math.lgamma(a + b)
            - math.lgamma(a)
            - math.lgamma(b)
            + a * math.log(x)
            + b * math.log1p(-x)
        )
        / a
    )
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            d = 1 / _nonzero(1 + part * d)
            c = _nonzero(1 + part / c)
            value *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * value


def _nonzero(value: float) -> float:
    return value if abs(value) > 1e-300 else 1e-300


def _odds(strength: float) -> float:
    """The expected score of a player this much stronger, in units of log odds, without overflow."""
    odds = math.exp(-abs(strength))
    return (1 if strength >= 0 else odds) / (1 + odds)


def _scores(records: Iterable[Record], draw_weight: float) -> Scores:
    scores: Scores = {}
    for record in records:
        counts = (record.wins, record.losses, record.draws)
        if record.first == record.second or min(counts) < 0:
            raise ValueError(f"expected games of two players, counted from 0, got {record}")
        points, lost = (
            record.wins + draw_weight * record.draws,
            record.losses + draw_weight * record.draws,
        )
        if points + lost > 0:
            for pair, scored in (
                ((record.first, record.second), points),
                ((record.second, record.first), lost),
            ):
                scores[pair] = scores.get(pair, 0.0) + scored
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


def _most_likely(scores: Scores, others: Sequence[str], anchor: str) -> dict[str, float]:
    """The strengths in log odds, the anchor's 0: Newton's method on the likelihood, which has one
    peak; long steps are halved."""
    strengths = dict.fromkeys([anchor, *others], 0.0)
    likelihood = _likelihood(scores, strengths)
    for _ in range(100):
        step = _newton(scores, strengths, others)
        length = max(map(abs, step.values()), default=0.0)
        if length < 1e-10:
            break
        tried = _moved(strengths, step, 1.0)
        part = 1.0
        while (reached := _likelihood(scores, tried)) < likelihood and part * length > 1e-10:
            part /= 2
            tried = _moved(strengths, step, part)
        strengths, likelihood = tried, reached
    return strengths


def _newton(
    scores: Scores, strengths: Mapping[str, float], others: Sequence[str]
) -> dict[str, float]:
    slope = dict.fromkeys(strengths, 0.0)
    for (a, b), points in scores.items():
        slope[a] += points - (points + scores[b, a]) * _odds(strengths[a] - strengths[b])
    inverse = _inverse(_information(scores, strengths, others))
    return {
        name: sum(factor * slope[other] for factor, other in zip(row, others, strict=True))
        for name, row in zip(others, inverse, strict=True)
    }


def _moved(
    strengths: Mapping[str, float], step: Mapping[str, float], part: float
) -> dict[str, float]:
    return {name: strength + part * step.get(name, 0.0) for name, strength in strengths.items()}


def _likelihood(scores: Scores, strengths: Mapping[str, float]) -> float:
    """The logarithm of the likelihood."""
    return -sum(
        points * _softplus(strengths[b] - strengths[a]) for (a, b), points in scores.items()
    )


def _softplus(x: float) -> float:
    """log(1 + e**x), without overflow."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _held(
    scores: Scores, strengths: Mapping[str, float], pair: tuple[str, str]
) -> tuple[float, float]:
    """The games of a pair, and the information they hold."""
    a, b = pair
    games = scores[a, b] + scores[b, a]
    expected = _odds(strengths[a] - strengths[b])
    return games, games * expected * (1 - expected)


def _information(
    scores: Scores, strengths: Mapping[str, float], others: Sequence[str]
) -> list[list[float]]:
    """The information matrix without the anchor's row."""
    return _laplacian({pair: _held(scores, strengths, pair)[1] for pair in scores}, others)


def _noise(
    scores: Scores, draws: Scores, strengths: Mapping[str, float], others: Sequence[str]
) -> list[list[float]]:
    """How much the slope of the likelihood varies: p*(1-p) a game, and a quarter less for each that
    was drawn. Prior games are no chance results, so they are not among these scores; nor do draws
    alone prove that there will always be a draw."""
    weights = {}
    for pair in scores:
        games, held = _held(scores, strengths, pair)
        weights[pair] = max(0.0, held - draws.get(pair, 0.0) * games / (games + 2) / 4)
    return _laplacian(weights, others)


def _laplacian(weights: Scores, others: Sequence[str]) -> list[list[float]]:
    place = {name: index for index, name in enumerate(others)}
    matrix = [[0.0] * len(others) for _ in others]
    for (a, b), held in weights.items():
        if a in place:
            matrix[place[a]][place[a]] += held
            if b in place:
                matrix[place[a]][place[b]] -= held
    return matrix


def _precision(scores: Scores, strengths: Mapping[str, float], player: str) -> tuple[float, float]:
    """The standard error of one rating in Elo points, the others held fixed, and the effective
    games."""
    pairs = [_held(scores, strengths, pair) for pair in scores if pair[0] == player]
    total = sum(held for _, held in pairs)
    return SCALE / math.sqrt(total), total**2 / sum(held**2 / games for games, held in pairs)


def _product(one: list[list[float]], other: list[list[float]]) -> list[list[float]]:
    columns = list(zip(*other, strict=True))
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one
    ]


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a symmetric positive definite matrix (Gauss-Jordan; such a matrix needs no
    exchange of rows)."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i][i]
        rows[i] = [value / pivot for value in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                factor = rows[j][i]
                rows[j] = [
                    value - factor * part for value, part in zip(rows[j], rows[i], strict=True)
                ]
    return [row[size:] for row in rows]
