"""RULES §2, §4 and §9: the configuration, the first state and the dice."""

from __future__ import annotations

from collections import Counter
from statistics import fmean, pstdev

import pytest

from games.core.contract import BadSetup
from games.core.dice import Seeded
from games.core.match import Match
from games.core.parameters import configure
from games.zooscape import GAME
from games.zooscape.board import BIG_MOOSE_JUICE, CHAMELEON_CLOAK, POWER_PELLET, SCAVENGER
from games.zooscape.chance import (
    clipped,
    pellet_delay,
    power_up_interval,
    power_up_kind,
    zookeeper_interval,
)
from games.zooscape.rules import CONFIG_ERRORS, GENERATOR, MOST_POINTS, NEVER_MS
from tests.games.zooscape.table import rules

EXAMPLE = ["1112111", "1422241", "1212121", "2223222", "1212121", "1422241", "1112111"]
INTERVAL = {"mean": 5, "std_dev": 1, "min": 2, "max": 9}
WEIGHTS = {"power_pellet": 1, "chameleon_cloak": 1, "scavenger": 1, "big_moose_juice": 1}

FAULTY = [
    ("unknown_option", {"start_timeout_s": 120}),
    ("bad_number", {"seats": 5}),
    ("bad_number", {"seats": 0}),
    ("bad_number", {"max_ticks": 0}),
    ("bad_number", {"command_queue_size": 101}),
    ("bad_number", {"score_loss_percentage": 101}),
    ("bad_number", {"zookeepers_max": 5}),
    ("bad_number", {"streak_max": 0.9}),
    ("bad_number", {"streak_max": 1_000_001}),
    ("bad_number", {"streak_max": 101, "points_per_pellet": 10_000, "power_pellet_value": 100}),
    ("bad_number", {"streak_max": 10_001, "points_per_pellet": 10_000, "power_pellet_value": 0}),
    ("bad_number", {"streak_max": 200_000, "tick_ms": 9}),
    ("bad_number", {"streak_reset_ticks": 0}),
    ("bad_number", {"scavenger_radius": -1}),
    ("bad_number", {"map_teleports": 21}),
    ("bad_number", {"map_openness": 1.1}),
    ("bad_flag", {"power_up_spawning": 1}),
    ("bad_choice", {"map_rooms": "full"}),
    ("bad_choice", {"rules_profile": "mine"}),
    ("bad_time", {"tick_ms": 9}),
    ("bad_time", {"tick_ms": 10_001}),
    ("bad_interval", {"zookeeper_interval": 250}),
    ("bad_interval", {"zookeeper_interval": INTERVAL | {"mean": 1}}),
    ("bad_interval", {"pellet_respawn_interval": INTERVAL | {"mean": 10}}),
    ("bad_interval", {"pellet_respawn_interval": INTERVAL | {"min": -1}}),
    ("bad_interval", {"power_up_interval": INTERVAL | {"std_dev": True}}),
    ("bad_interval", {"power_up_interval": {"mean": 5}}),
    ("bad_interval", {"power_up_interval": INTERVAL | {"more": 1}}),
    ("bad_weights", {"power_up_weights": dict.fromkeys(WEIGHTS, 0)}),
    ("bad_weights", {"power_up_weights": WEIGHTS | {"scavenger": 0.5}}),
    ("bad_weights", {"power_up_weights": {"scavenger": 1}}),
    ("bad_weights", {"power_up_weights": [1, 1, 1, 1]}),
    ("bad_map_size", {"map_size": 7}),
    ("bad_map_size", {"map_size": 50}),
    ("bad_map_size", {"map_size": 101}),
    ("bad_map", {"map": "1112111"}),
    ("bad_map", {"map": [1, 2]}),
    ("map_empty", {"map": []}),
    ("map_not_symmetric", {"map": ["1111111", *EXAMPLE[1:]]}),
    ("map_is_given", {"map": EXAMPLE, "map_size": 21}),
    ("map_is_given", {"map": EXAMPLE, "map_rooms": "empty"}),
]


def fault(config, map_text=None):
    with pytest.raises(BadSetup) as refused:
        Match.begin(GAME, config, 1, map_text)
    return refused.value


@pytest.mark.parametrize(
    ("code", "config"), FAULTY, ids=[f"{code}-{next(iter(config))}" for code, config in FAULTY]
)
def test_an_impossible_configuration_is_refused(code, config):
    refusal = fault(config)

    assert (code, True) == (refusal.code, refusal.field in config)
    assert code in CONFIG_ERRORS
    assert refusal.field in refusal.why


@pytest.mark.parametrize(
    "config",
    [
        {"streak_max": 150_000},
        {"streak_max": 1_000_000, "points_per_pellet": 0},
        {"streak_max": 100, "points_per_pellet": 10_000, "power_pellet_value": 100},
    ],
)
def test_a_streak_can_have_a_very_large_cap(config):
    assert config["streak_max"] == configure(GAME, config).streak_max


def test_no_score_exceeds_64_bits():
    """Every cell of the largest board in every tick, or one of them with juice."""
    most = configure(
        GAME, {"big_moose_juice_multiplier": 100, "max_ticks": 100_000, "map_size": 99}
    )

    assert (
        most.max_ticks * MOST_POINTS * max(most.map_size**2, most.big_moose_juice_multiplier)
        < 2**63
    )
    for name in ("big_moose_juice_multiplier", "max_ticks", "map_size"):
        assert fault({name: getattr(most, name) + 1}).field == name


def test_next_to_a_map_file_only_default_map_parameters_are_accepted():
    text = "\n".join(EXAMPLE)
    other = {
        "map_size": 9,
        "map_teleports": 0,
        "map_smoothness": 0.5,
        "map_openness": 0.1,
        "map_rooms": "empty",
    }

    assert [("map_is_given", name) for name in GENERATOR] == [
        (refusal.code, refusal.field)
        for refusal in (fault({name: other[name]}, text) for name in GENERATOR)
    ]
    assert Match.begin(GAME, {"map_size": 51, "map_rooms": "pellets"}, 1, text).outcome is None


def test_a_board_is_given_as_rows_or_as_a_file_and_rows_take_precedence():
    rows = Match.begin(GAME, {"map": EXAMPLE}, 1)
    text = Match.begin(GAME, {}, 1, "\n".join(EXAMPLE))
    full = [row.replace("2", "0") if y == 1 else row for y, row in enumerate(EXAMPLE)]
    full[5] = full[1]

    assert EXAMPLE == rows.view(None)["map"] == text.view(None)["map"]
    assert full == Match.begin(GAME, {"map": full}, 1, "\n".join(EXAMPLE)).view(None)["map"]


def test_at_first_animals_are_idle_in_their_cages_with_one_zookeeper_on_its_spawn():
    state = Match.begin(GAME, {}, 1).state

    assert state.maze.spawns == tuple(animal.cell for animal in state.animals)
    assert {(0, 0, 1.0, False)} == {
        (animal.direction, animal.score, animal.streak_multiplier, animal.is_viable)
        for animal in state.animals
    }
    assert [state.maze.centre] == [zookeeper.cell for zookeeper in state.zookeepers]
    assert 25 <= state.power_up_timer <= 75
    assert 225 <= state.zookeeper_timer <= 275


def test_fewer_animals_use_the_first_cages():
    state = Match.begin(GAME, {"seats": 2, "map": EXAMPLE}, 1).state

    assert [state.maze.xy(animal.cell) for animal in state.animals] == [(1, 1), (1, 5)]


@pytest.mark.parametrize(
    ("config", "timers"),
    [
        ({"power_up_spawning": False}, (False, True)),
        ({"zookeepers_max": 1}, (True, False)),
        ({"zookeepers_max": 0}, (True, False)),
    ],
)
def test_a_disabled_timer_is_not_drawn(config, timers):
    state = Match.begin(GAME, {"map_size": 9} | config, 1).state

    assert timers == (state.power_up_timer is not None, state.zookeeper_timer is not None)
    assert min(config.get("zookeepers_max", 4), 1) == len(state.zookeepers)


def test_a_disabled_timer_shifts_no_other_draw():
    with_both, without = (
        Match.begin(GAME, {"power_up_spawning": flag}, 5).state for flag in (True, False)
    )

    assert (with_both.cells, with_both.zookeeper_timer) == (without.cells, without.zookeeper_timer)


def test_ticks_come_by_the_clock_or_without_one_when_all_have_answered_or_after_a_second():
    clock, lock = (GAME.pacing(rules(tick_ms=tick_ms)) for tick_ms in (200, 0))

    assert (clock.tick_ms, clock.lockstep, clock.absence, clock.absence_ms) == (
        200,
        False,
        "plays",
        NEVER_MS,
    )
    assert (
        lock.tick_ms,
        lock.lockstep,
        lock.turn_ms,
        lock.grace_ms,
        lock.absence,
        lock.absence_ms,
    ) == (None, True, 1000, 0, "misses", NEVER_MS)
    assert (clock.preprocessing_ms, lock.preprocessing_ms) == (0, 0)


def test_a_match_has_a_maximum_length():
    longest = configure(GAME, {"tick_ms": 10_000, "max_ticks": 100_000})

    assert longest.tick_ms * longest.max_ticks < NEVER_MS


# the dice


def drawn(question, count=4_000, **config):
    dice = Seeded(7)
    return [question(rules(**config), dice.at(step)) for step in range(1, count + 1)]


@pytest.mark.parametrize(
    ("question", "mean", "std_dev", "low", "high"),
    [
        (pellet_delay, 99.5, 10, 50, 150),
        (zookeeper_interval, 249.5, 5, 225, 275),
        (power_up_interval, 50, 7.5, 25, 75),
    ],
)
def test_intervals_are_normal_and_clipped(question, mean, std_dev, low, high):
    found = drawn(question)

    assert all(low <= value <= high for value in found)
    assert abs(fmean(found) - mean) < std_dev / 15
    assert abs(pstdev(found) - std_dev) < std_dev / 20


def test_a_value_outside_an_interval_moves_to_its_end():
    found = Counter(
        drawn(
            pellet_delay, pellet_respawn_interval={"mean": 10, "std_dev": 50, "min": 9, "max": 11}
        )
    )

    assert {9, 10, 11} == set(found)
    assert min(found[9], found[11]) > 1_500 > found[10]


@pytest.mark.parametrize(("mean", "cut", "rounded"), [(7.5, 7, 8), (8.5, 8, 8), (7.9, 7, 8)])
def test_the_power_up_interval_is_rounded_and_the_others_are_truncated(mean, cut, rounded):
    exact = {"mean": mean, "std_dev": 0, "min": 0, "max": 20}

    assert {cut} == set(drawn(pellet_delay, 3, pellet_respawn_interval=exact))
    assert {cut} == set(drawn(zookeeper_interval, 3, zookeeper_interval=exact))
    assert {rounded} == set(drawn(power_up_interval, 3, power_up_interval=exact))


def test_kinds_are_drawn_by_weight():
    found = Counter(drawn(power_up_kind))

    for kind, weight in (
        (POWER_PELLET, 10),
        (CHAMELEON_CLOAK, 6),
        (SCAVENGER, 2),
        (BIG_MOOSE_JUICE, 4),
    ):
        assert abs(found[kind] / 4_000 - weight / 22) < 0.03


def test_a_kind_without_weight_never_appears():
    found = set(
        drawn(
            power_up_kind, 200, power_up_weights=WEIGHTS | {"power_pellet": 0, "big_moose_juice": 0}
        )
    )

    assert {CHAMELEON_CLOAK, SCAVENGER} == found


def test_a_uniform_number_of_exactly_zero_is_valid():
    class Zero:
        def unit(self):
            return 0.0

    assert clipped(rules().pellet_respawn_interval, Zero()) == 150
