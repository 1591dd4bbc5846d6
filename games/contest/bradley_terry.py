"""The Bradley–Terry model: how strong players are, by the scores of their games, and how precisely
this is known. Strengths are in units of log odds; the anchor's is 0. What the first seat is worth
may be one of them (`SEAT`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Term = str | None
"""What has a strength: a player or, as None, the first seat."""
SEAT: Term = None
Strengths = Mapping[Term, float]


@dataclass(slots=True)
class Score:
    """What `first` scored against `second`. `seated`: it sat in the first seat in all of these
    games, and that counts."""

    first: Term
    second: Term
    seated: bool = False
    won: float = 0.0
    lost: float = 0.0
    drawn: float = 0.0
    """Games that were drawn; `won` and `lost` have their points, too."""

    @property
    def games(self) -> float:
        return self.won + self.lost

    def terms(self) -> tuple[tuple[Term, int], ...]:
        """The strengths that count, and in whose favour."""
        both = ((self.first, 1), (self.second, -1))
        return (*both, (SEAT, 1)) if self.seated else both

    def expected(self, strengths: Strengths) -> float:
        """The expected score of `first` in one of these games."""
        return expected_score(self._lead(strengths))

    def held(self, strengths: Strengths) -> float:
        """The information that the games hold."""
        expected = self.expected(strengths)
        return self.games * expected * (1 - expected)

    def likelihood(self, strengths: Strengths) -> float:
        """Its logarithm."""
        lead = self._lead(strengths)
        return -(self.won * _softplus(-lead) + self.lost * _softplus(lead))

    def _lead(self, strengths: Strengths) -> float:
        lead = strengths[self.first] - strengths[self.second]
        return lead + strengths[SEAT] if self.seated else lead


def expected_score(strength: float) -> float:
    """The expected score of a player this much stronger, in units of log odds, without overflow."""
    odds = math.exp(-abs(strength))
    return (1 if strength >= 0 else odds) / (1 + odds)


def most_likely(scores: Sequence[Score], others: Sequence[Term], anchor: str) -> dict[Term, float]:
    """The strengths: Newton's method on the likelihood, which has one maximum; a step that lowers
    it is halved."""
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
    scores: Sequence[Score], strengths: Strengths, others: Sequence[Term]
) -> dict[Term, float]:
    slope = dict.fromkeys(strengths, 0.0)
    for score in scores:
        surplus = score.won - score.games * score.expected(strengths)
        for term, sign in score.terms():
            slope[term] += sign * surplus
    rows = inverse(information(scores, strengths, others))
    return {
        name: sum(factor * slope[other] for factor, other in zip(row, others, strict=True))
        for name, row in zip(others, rows, strict=True)
    }


def _moved(strengths: Strengths, step: Strengths, part: float) -> dict[Term, float]:
    return {name: strength + part * step.get(name, 0.0) for name, strength in strengths.items()}


def _likelihood(scores: Sequence[Score], strengths: Strengths) -> float:
    """The logarithm of the likelihood."""
    return sum(score.likelihood(strengths) for score in scores)


def _softplus(x: float) -> float:
    """log(1 + e**x), without overflow."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def information(
    scores: Sequence[Score], strengths: Strengths, others: Sequence[Term]
) -> list[list[float]]:
    """The information matrix without the anchor's row."""
    return _matrix([(score, score.held(strengths)) for score in scores], others)


def noise(
    scores: Sequence[Score], strengths: Strengths, others: Sequence[Term]
) -> list[list[float]]:
    """How much the slope of the likelihood varies: p*(1-p) a game, and a quarter less for each that
    was drawn. Prior games are no chance results, so they are not among these scores; nor do draws
    alone prove that there will always be a draw."""
    weights = []
    for score in scores:
        known = score.drawn * score.games / (score.games + 2) / 4
        weights.append((score, max(0.0, score.held(strengths) - known)))
    return _matrix(weights, others)


def _matrix(weights: Sequence[tuple[Score, float]], others: Sequence[Term]) -> list[list[float]]:
    place = {term: index for index, term in enumerate(others)}
    matrix = [[0.0] * len(others) for _ in others]
    for score, weight in weights:
        terms = [(place[term], sign) for term, sign in score.terms() if term in place]
        for i, sign in terms:
            for j, other in terms:
                matrix[i][j] += sign * other * weight
    return matrix


def precision(scores: Sequence[Score], strengths: Strengths, player: str) -> tuple[float, float]:
    """The standard error of one strength, the others held fixed, and the effective games."""
    own = [
        (score.games, score.held(strengths))
        for score in scores
        if player in (score.first, score.second)
    ]
    total = sum(held for _, held in own)
    return 1 / math.sqrt(total), total**2 / sum(held**2 / games for games, held in own)


def product(one: list[list[float]], other: list[list[float]]) -> list[list[float]]:
    columns = list(zip(*other, strict=True))
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one
    ]


def inverse(matrix: list[list[float]]) -> list[list[float]]:
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
