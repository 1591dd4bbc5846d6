"""The Bradley–Terry model: how strong players are, by the scores of their games, and how precisely
this is known. Strengths are in units of log odds; the anchor's is 0."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

Scores = dict[tuple[str, str], float]
"""What the first of a pair scored against the second; pairs with games are there in both orders."""
Strengths = Mapping[str, float]


def expected_score(strength: float) -> float:
    """The expected score of a player this much stronger, in units of log odds, without overflow."""
    odds = math.exp(-abs(strength))
    return (1 if strength >= 0 else odds) / (1 + odds)


def most_likely(scores: Scores, others: Sequence[str], anchor: str) -> dict[str, float]:
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


def _newton(scores: Scores, strengths: Strengths, others: Sequence[str]) -> dict[str, float]:
    slope = dict.fromkeys(strengths, 0.0)
    for (a, b), points in scores.items():
        slope[a] += points - (points + scores[b, a]) * expected_score(strengths[a] - strengths[b])
    rows = inverse(information(scores, strengths, others))
    return {
        name: sum(factor * slope[other] for factor, other in zip(row, others, strict=True))
        for name, row in zip(others, rows, strict=True)
    }


def _moved(strengths: Strengths, step: Strengths, part: float) -> dict[str, float]:
    return {name: strength + part * step.get(name, 0.0) for name, strength in strengths.items()}


def _likelihood(scores: Scores, strengths: Strengths) -> float:
    """The logarithm of the likelihood."""
    losses = (points * _softplus(strengths[b] - strengths[a]) for (a, b), points in scores.items())
    return -sum(losses)


def _softplus(x: float) -> float:
    """log(1 + e**x), without overflow."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _held(scores: Scores, strengths: Strengths, a: str, b: str) -> tuple[float, float]:
    """The games of a pair, and the information they hold."""
    games = scores[a, b] + scores[b, a]
    expected = expected_score(strengths[a] - strengths[b])
    return games, games * expected * (1 - expected)


def information(scores: Scores, strengths: Strengths, others: Sequence[str]) -> list[list[float]]:
    """The information matrix without the anchor's row."""
    return _laplacian({pair: _held(scores, strengths, *pair)[1] for pair in scores}, others)


def noise(
    scores: Scores, draws: Scores, strengths: Strengths, others: Sequence[str]
) -> list[list[float]]:
    """How much the slope of the likelihood varies: p*(1-p) a game, and a quarter less for each that
    was drawn. Prior games are no chance results, so they are not among these scores; nor do draws
    alone prove that there will always be a draw."""
    weights = {}
    for pair in scores:
        games, held = _held(scores, strengths, *pair)
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


def precision(scores: Scores, strengths: Strengths, player: str) -> tuple[float, float]:
    """The standard error of one strength, the others held fixed, and the effective games."""
    pairs = [_held(scores, strengths, *pair) for pair in scores if pair[0] == player]
    total = sum(held for _, held in pairs)
    return 1 / math.sqrt(total), total**2 / sum(held**2 / games for games, held in pairs)


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
