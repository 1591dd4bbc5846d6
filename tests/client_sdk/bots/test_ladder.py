"""Each house bot beats the one below it. The matches depend on their seeds alone, so few are enough
here; `benchmarks.house_ladder` measures by how much."""

from itertools import pairwise

import pytest

from benchmarks.house_ladder import LADDER, STEP, played
from client_sdk.bots import HOUSE
from games.contest.ratings import Record, fit

QUICK = {
    "pyrat": {"preset": "small"},
    "zooscape": {"seats": 2, "map_size": 21, "max_ticks": 300},
    "catastrophe": {"map_width": 16, "map_height": 12, "max_turns": 300},
}
"""Where the ladder's own matches take long."""
SEEDS = {
    "pyrat": (6, 11),
    "botstack": (2, 4),
    "zooscape": (1,),
    "catastrophe": (6,),
    "cookoff": (6,),
}


def record(game, lower, upper, config, seeds):
    """What the upper one scores over these seeds, each in both seatings."""
    scores = [
        score
        for seed in seeds
        for score in (
            played(game, (upper, lower), seed, config),
            1 - played(game, (lower, upper), seed, config),
        )
    ]
    return Record(upper, lower, scores.count(1), scores.count(0), scores.count(0.5))


@pytest.mark.parametrize("game", SEEDS)
def test_each_house_bot_beats_the_next_lower_one(game):
    assert len(HOUSE[game]) == 5
    config = QUICK.get(game, LADDER.get(game, {}))
    beaten = [record(game, *pair, config, SEEDS[game]) for pair in pairwise(HOUSE[game])]

    assert [one.second for one in beaten if one.wins <= one.losses] == []


@pytest.mark.soak
@pytest.mark.parametrize("game", SEEDS)
def test_each_house_bot_is_a_step_above_the_next_lower_one(game):
    for lower, upper in pairwise(HOUSE[game]):
        found = record(game, lower, upper, LADDER.get(game, {}), range(100, 150))
        _, most = fit([found], anchor=lower).interval(upper, lower)

        assert most >= STEP
