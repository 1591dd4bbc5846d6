"""Stop when decided: a sequential test of whether one player is stronger than another.

    test = Hypotheses(elo0=0, elo1=30)
    standing = judge({0.0: 3, 0.5: 9, 1.0: 12}, test)
    standing.decision, standing.needed

What is counted are *trials*: games, or pairs of games with one seed and swapped seats, whose two
scores belong together and count as their mean. The test compares two hypotheses, that the player's
true difference is `elo0` and that it is `elo1`, by the ratio of their likelihoods, each with the
distribution of scores that fits the trials best among those with that mean. It stops as soon as the
ratio leaves the bounds; looking at it after every trial is what it is made for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from games.contest.ratings import SCALE
from games.core.contract import Json, Seat

Trials = Mapping[float, int]
"""How often each score, 0 to 1, was reached."""

PRIOR = 1.0
"""Trials that are taken to have been seen besides, spread over the possible scores: without them
the first few, all alike, would seem to have no variance and settle everything."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """`elo0`: no better than this is not promoted; `elo1`: this much is worth it. `alpha`, `beta`:
    how often a player of `elo0` is promoted, and one of `elo1` is not. Raises ValueError."""

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            why = f"elo0 and elo1: expected elo0 below elo1, got {self.elo0} and {self.elo1}"
            raise ValueError(why)
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(
                f"alpha and beta: expected above 0 and below 0.5, got {self.alpha} and {self.beta}"
            )

    @property
    def low(self) -> float:
        """The bound below which the player is not better."""
        return math.log(self.beta)

    @property
    def high(self) -> float:
        """The bound above which the player is better. A likelihood ratio of what is not true passes
        1/alpha with probability alpha at most (Ville), however often one looks."""
        return -math.log(self.alpha)


@dataclass(frozen=True, slots=True)
class SprtStatus:
    """Where a test stands after some trials."""

    trials: int
    ratio: float
    """The logarithm of the likelihood of `elo1` over that of `elo0`."""
    decision: Literal["better", "not_better"] | None
    """None: go on."""
    needed: int | None
    """How many more trials like those so far would decide it; 0: it is decided; None: the trials
    lean to neither side."""
    elo: float
    """The difference that the mean score tells, Elo points; infinite if all was won."""
    error: float
    """Half the width of its 95 % interval."""


def judge(trials: Trials, test: Hypotheses) -> SprtStatus:
    """Raises ValueError for scores outside 0..1 or negative counts."""
    if any(not 0 <= score <= 1 or count < 0 for score, count in trials.items()):
        raise ValueError(f"expected scores from 0 to 1 with their counts, got {dict(trials)}")
    played = sum(trials.values())
    if played == 0:
        return SprtStatus(0, 0.0, None, None, 0.0, math.inf)
    mean = sum(score * count for score, count in trials.items()) / played
    ratio = _ratio(trials, expectancy(test.elo0), expectancy(test.elo1))
    decision: Literal["better", "not_better"] | None = None
    if ratio >= test.high or ratio <= test.low:
        decision = "better" if ratio > 0 else "not_better"
    squares = sum(count * (score - mean) ** 2 for score, count in trials.items())
    variance = squares / max(1, played - 1)
    slope = mean * (1 - mean)
    error = 1.959964 * math.sqrt(variance / played) * SCALE / slope if slope > 0 else math.inf
    needed = 0 if decision else _needed(ratio, played, test)
    return SprtStatus(played, ratio, decision, needed, difference(mean), error)


def score_of(outcome: Mapping[str, Json], seat: Seat) -> float:
    """What this seat of a game of two has reached: 1, a half or 0. Without a winner the places
    count; both lost is no gain for either."""
    winner, seats = outcome["winner"], outcome["seats"]
    if winner is not None:
        return float(winner == seat)
    own, its = seats[seat]["placement"], seats[1 - seat]["placement"]
    return 0.5 if own == its else float(own < its)


def expectancy(elo: float) -> float:
    """The expected score of a player this much stronger, 0..1."""
    return 1 / (1 + math.exp(-elo / SCALE))


def difference(score: float) -> float:
    """The Elo difference that a mean score tells."""
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return SCALE * math.log(score / (1 - score))


def _needed(ratio: float, played: int, test: Hypotheses) -> int | None:
    if ratio == 0:
        return None
    bound = test.high if ratio > 0 else test.low
    return math.ceil(played * (bound / ratio - 1))


def _ratio(trials: Trials, low: float, high: float) -> float:
    """The log likelihood ratio of the means `high` and `low`."""
    counts = dict.fromkeys((0.0, 0.25, 0.5, 0.75, 1.0), 0.0) | {
        score: float(count) for score, count in trials.items()
    }
    prior = PRIOR / len(counts)
    counts = {score: count + prior for score, count in counts.items()}
    under_low, under_high = _tilt(counts, low), _tilt(counts, high)
    return sum(
        count * (math.log1p(under_low * (score - low)) - math.log1p(under_high * (score - high)))
        for score, count in counts.items()
    )


def _tilt(counts: Mapping[float, float], mean: float) -> float:
    """The t for which the shares p / (1 + t*(score - mean)) have this mean: of all distributions
    with it the likeliest.

    The sum of shares*(score - mean) falls with t between the two poles, so halving finds its root.
    """
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(40):
        t = (low + high) / 2
        pull = sum(
            count * (score - mean) / (1 + t * (score - mean)) for score, count in counts.items()
        )
        low, high = (t, high) if pull > 0 else (low, t)
    return (low + high) / 2
