"""RULES §4"""

from __future__ import annotations

from collections import Counter

import pytest

from games.botstack import GAME
from games.botstack.advance import draw_item, draw_magazine
from games.core.dice import Seeded
from games.core.match import Match
from tests.games.botstack.table import rules

WHOLE = 100_000
"""The sample for which 0.01 is the tolerance of a class and 0.02 that inside a size."""

LENGTHS = [
    pytest.param(10_000, id="short"),
    pytest.param(WHOLE, id="whole", marks=pytest.mark.soak),
]


def close(expected, count, total, tolerance):
    return abs(count / total - expected) <= tolerance


def samples(purpose, sample, count):
    dice = Seeded(20_250_421).at(1)
    return [dice.draw(purpose, sample) for _ in range(count)]


@pytest.mark.parametrize("count", LENGTHS)
def test_sizes_live_counts_and_orders_are_uniform(count):
    loads = samples("magazine", lambda stream: draw_magazine(rules(), stream), count)
    wider = (WHOLE / count) ** 0.5

    sizes = Counter(map(len, loads))
    assert set(range(3, 8)) == set(sizes)
    assert all(close(1 / 5, sizes[size], count, 0.01 * wider) for size in sizes)
    for size, lives in {3: (1, 2), 4: (1, 2, 3), 5: (2, 3), 6: (2, 3, 4), 7: (3, 4)}.items():
        found = Counter(load.count("L") for load in loads if len(load) == size)
        assert set(lives) == set(found)
        assert all(close(1 / len(lives), found[live], sizes[size], 0.02 * wider) for live in lives)
    single = Counter(load.index("L") for load in loads if len(load) == 3 and load.count("L") == 1)
    assert all(close(1 / 3, single[place], single.total(), 0.02 * wider) for place in range(3))
    orders = Counter(load for load in loads if len(load) == 4 and load.count("L") == 2)
    assert len(orders) == 6
    assert all(close(1 / 6, found, orders.total(), 0.02 * wider) for found in orders.values())


@pytest.mark.parametrize("count", LENGTHS)
def test_items_are_uniform(count):
    found = Counter(samples("item/0", draw_item, count))

    assert {"peek_current", "eject_current", "skip_enemy", "health_kit", "reload_gun"} == set(found)
    assert all(
        close(1 / 5, drawn, count, 0.01 * (WHOLE / count) ** 0.5) for drawn in found.values()
    )


def test_the_two_seats_start_equally_often():
    starts = Counter(Match.begin(GAME, {}, seed).state.starter for seed in range(2_000))

    assert all(close(1 / 2, starts[seat], 2_000, 0.05) for seat in (0, 1))


def test_the_slots_and_seats_are_dealt_independently():
    hands = Counter(
        (state.players[0].items, state.players[1].items)
        for state in (Match.begin(GAME, {}, n).state for n in range(500))
    )

    assert len(hands) > 250


def test_another_seed_is_another_match():
    assert len({repr(Match.begin(GAME, {}, seed).state) for seed in range(500)}) > 400
