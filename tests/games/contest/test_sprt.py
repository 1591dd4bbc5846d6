"""Stop when decided: how often the test errs, and what it says on the way."""

from __future__ import annotations

import functools
import math
from collections import Counter
from random import Random

import pytest

from games.contest.sprt import Hypotheses, SprtStatus, difference, expectancy, judge
from tests.games.contest.simulated import score

RUNS = 300


@functools.cache
def known(trials: frozenset[tuple[float, int]], test: Hypotheses) -> SprtStatus:
    """Most runs come through the same counts."""
    return judge(dict(trials), test)


def decided(dice: Random, lead: float, test: Hypotheses, draws: float, games: int) -> SprtStatus:
    """Trials of this many games each until it is decided."""
    trials: Counter[float] = Counter()
    while (standing := known(frozenset(trials.items()), test)).decision is None:
        trials[sum(score(dice, lead, draws) for _ in range(games)) / games] += 1
    return standing


@pytest.mark.parametrize(("draws", "games"), [(0.0, 1), (0.3, 1), (0.3, 2)])
def test_at_most_one_in_twenty_decisions_is_wrong(draws: float, games: int, capsys) -> None:
    test, dice = Hypotheses(elo0=0, elo1=120), Random(20)
    promoted = sum(decided(dice, 0, test, draws, games).decision == "better" for _ in range(RUNS))
    turned_away = sum(
        decided(dice, 120, test, draws, games).decision != "better" for _ in range(RUNS)
    )

    with capsys.disabled():
        print(
            f"\nsprt, draws {draws}, {games} game(s) a trial: {promoted} and {turned_away} of "
            f"{RUNS} in error"
        )
    assert promoted <= RUNS * test.alpha
    assert turned_away <= RUNS * test.beta


def test_a_much_better_player_is_recognised_after_few_games() -> None:
    assert decided(Random(1), 400, Hypotheses(elo0=0, elo1=120), 0.0, 1).trials < 30


def test_the_test_estimates_the_trials_that_are_missing() -> None:
    test = Hypotheses(elo0=0, elo1=50)
    so_far = judge({0.0: 40, 1.0: 60}, test)
    factor = 1 + so_far.needed / so_far.trials

    assert so_far.decision is None
    assert (
        judge({0.0: math.ceil(40 * factor), 1.0: math.ceil(60 * factor) + 1}, test).decision
        == "better"
    )


def test_a_decided_test_needs_no_more_games() -> None:
    assert judge({0.0: 10, 1.0: 90}, Hypotheses()).needed == 0


def test_without_games_there_is_no_evidence() -> None:
    standing = judge({}, Hypotheses())

    assert (standing.trials, standing.decision, standing.needed) == (0, None, None)
    assert math.isinf(standing.error)


def test_pairs_that_always_split_show_that_both_are_equal() -> None:
    assert judge({0.5: 60}, Hypotheses()).decision == "not_better"


def test_swapping_the_players_swaps_the_ratio_between_mirrored_hypotheses() -> None:
    test = Hypotheses(elo0=-20, elo1=20)
    one, other = judge({0.0: 5, 0.5: 7, 1.0: 9}, test), judge({0.0: 9, 0.5: 7, 1.0: 5}, test)

    assert pytest.approx(-one.ratio) == other.ratio
    assert pytest.approx(-one.elo) == other.elo


def test_the_difference_follows_from_the_mean_score() -> None:
    assert pytest.approx(120) == difference(expectancy(120))
    assert (math.inf, -math.inf) == (difference(1.0), difference(0.0))


def test_the_interval_covers_the_true_lead() -> None:
    dice, covered = Random(3), 0
    for _ in range(RUNS):
        trials = Counter(score(dice, 60, 0.2) for _ in range(200))
        standing = judge(trials, Hypotheses(elo0=0, elo1=1000))
        covered += abs(standing.elo - 60) <= standing.error
    assert 0.92 * RUNS <= covered <= 0.98 * RUNS


@pytest.mark.parametrize("wrong", [{"elo0": 5, "elo1": 5}, {"alpha": 0}, {"beta": 0.7}])
def test_a_test_that_cannot_decide_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Hypotheses(**wrong)


@pytest.mark.parametrize("wrong", [{1.5: 1}, {0.5: -1}])
def test_impossible_scores_are_refused(wrong: dict[float, int]) -> None:
    with pytest.raises(ValueError, match="expected scores"):
        judge(wrong, Hypotheses())
