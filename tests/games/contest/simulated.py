"""Games of bots whose true strength is known."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

from games.contest.ratings import Record
from games.contest.sprt import expectancy

STRENGTHS = {
    "anchor": 1000.0,
    "even": 1010.0,
    "better": 1100.0,
    "best": 1250.0,
    "worse": 900.0,
    "worst": 820.0,
}


def score(dice: Random, lead: float, draws: float = 0.0) -> float:
    """One game of a bot that is this much stronger. `draws`: the share of drawn games between
    equals."""
    expected = expectancy(lead)
    drawn = draws * 2 * min(expected, 1 - expected)
    rolled = dice.random()
    return 1.0 if rolled < expected - drawn / 2 else 0.5 if rolled < expected + drawn / 2 else 0.0


def round_robin(
    dice: Random, games: int, draws: float, *, seat: float = 0.0, both_ways: bool = False
) -> list[Record]:
    """This number of games of every pair; with `both_ways` as many from each seat. `seat`: what the
    first one is worth, Elo points."""
    records = []
    for one, other in (permutations if both_ways else combinations)(STRENGTHS, 2):
        lead = STRENGTHS[one] - STRENGTHS[other] + seat
        scores = [score(dice, lead, draws) for _ in range(games)]
        records.append(Record(one, other, scores.count(1.0), scores.count(0.0), scores.count(0.5)))
    return records
