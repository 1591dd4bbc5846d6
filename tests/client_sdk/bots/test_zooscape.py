"""Zooscape's house bots: no faults under any rules, and greedy leaves the wanderer behind."""

from __future__ import annotations

import pytest

from client_sdk.api.zooscape import Action, GameState
from client_sdk.api.zooscape_paths import Grid
from client_sdk.bot import house, play_headless
from client_sdk.bots.zooscape.greedy import AHEAD, WIDTH, Greedy, Plan
from games import GAMES
from games.core import maps
from games.core.match import Match
from tests.client_sdk.api.test_zooscape import ANIMAL, KEEPER, OTHER, OWN, VIEW, shown, standing
from tests.client_sdk.bots.test_house_bots import fates

ZOOSCAPE = GAMES["zooscape"]
MAPS = sorted(maps.names("zooscape"))
TABLES = ({0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3})
"""Where the two greedy ones of four sit."""


def won(seed, board, **config):
    """Whether greedy wins, two against two."""
    greedy = TABLES[seed % len(TABLES)]
    match = Match.begin(ZOOSCAPE, config, seed, board)
    play_headless(
        match, [house("zooscape", "greedy" if seat in greedy else "wanderer") for seat in range(4)]
    )
    return match.outcome.winner in greedy


@pytest.mark.soak
def test_greedy_beats_the_wanderer_on_random_boards():
    assert sum(won(seed, None, max_ticks=100) for seed in range(20)) >= 19


@pytest.mark.soak
def test_greedy_beats_the_wanderer_on_our_maps():
    boards = [maps.text("zooscape", MAPS[number % len(MAPS)]) for number in range(20)]

    assert sum(won(seed, board, max_ticks=100) for seed, board in enumerate(boards)) >= 19


@pytest.mark.soak
def test_greedy_beats_the_wanderer_in_whole_matches():
    boards = [None, *(maps.text("zooscape", name) for name in MAPS)]

    assert sum(won(seed, boards[seed % len(boards)]) for seed in range(60)) >= 57


@pytest.mark.parametrize(
    "config",
    [
        {"seats": 1},
        {"seats": 2, "tick_ms": 0},
        {"seats": 3, "zookeepers_max": 0},
        {"map_size": 9, "map_teleports": 20},
        {"map_size": 31, "map_openness": 1.0, "map_smoothness": 1.0},
        {"map_openness": 0.0, "map_teleports": 0},
        {"map_size": 21, "zookeeper_interval": {"mean": 1, "std_dev": 0, "min": 1, "max": 1}},
        {"power_up_spawning": False},
        {
            "map_size": 21,
            "power_up_interval": {"mean": 2, "std_dev": 0, "min": 2, "max": 2},
            "power_up_distance_from_power_ups": 2,
        },
        {"rules_profile": "reference", "map_rooms": "empty"},
        {"command_queue_size": 1},
    ],
    ids=str,
)
def test_house_bots_stay_in_step_under_any_rules(config, caplog):
    """No exception, which would be logged, and no command refused."""
    for seed in range(2):
        match, replies = fates(
            Match.begin(ZOOSCAPE, {"map_size": 15, "max_ticks": 150} | config, seed)
        )
        play_headless(
            match,
            [house("zooscape", ("greedy", "wanderer")[seat % 2]) for seat in range(match.seats)],
        )

        assert match.outcome is not None
        assert {"ok"} == {code for _, _, _, code in replies}
        assert match.outcome.seats[0].score > 0
    assert caplog.records == []


def test_greedy_leaves_its_cage_with_its_first_command():
    match = Match.begin(ZOOSCAPE, {"max_ticks": 1}, 1)
    play_headless(match, [house("zooscape", "greedy") for _ in range(4)])

    assert [seat.details["distance_covered"] for seat in match.outcome.seats] == [1] * 4


def hall(size, content):
    """A board without walls inside, full of this."""
    return ["1" * size, *("1" + content * (size - 2) + "1" for _ in range(size - 2)), "1" * size]


def choice(x, y, direction="idle", **changes):
    return Greedy().on_state(standing(x, y, direction, **changes))


def test_greedy_repeats_no_command():
    """A command that stands acts before a newer one (RULES §5)."""
    assert choice(3, 3, "up", zookeepers=[]) == Action.LEFT
    assert choice(3, 3, "left", zookeepers=[]) is None


def test_greedy_waits_until_its_queue_is_empty():
    assert (
        Greedy().on_state(shown(you=OWN | {"queue_length": 1, "direction": "up"}, zookeepers=[]))
        is None
    )


def test_greedy_does_not_eat_where_a_zookeeper_arrives_first():
    assert choice(3, 3, "left", zookeepers=[]) is None
    assert choice(3, 3, "left", zookeepers=[KEEPER | {"x": 0, "y": 3}]) in (
        Action.RIGHT,
        Action.DOWN,
    )


def test_greedy_flees_when_no_cell_is_safe():
    """From a dead end there is no way past."""
    assert choice(3, 2, "down", zookeepers=[KEEPER | {"x": 3, "y": 3}]) == Action.UP


def test_greedy_uses_its_cloak_only_when_a_zookeeper_is_near():
    cloaked = [ANIMAL | {"x": 3, "y": 2, "held_power_up": "chameleon_cloak"}, OTHER]

    def item(x, y):
        state = shown(
            animals=cloaked, you=OWN | {"direction": "up"}, zookeepers=[KEEPER | {"x": x, "y": y}]
        )
        return Greedy().on_state(state)

    assert item(3, 4) == Action.USE_ITEM
    assert item(5, 4) != Action.USE_ITEM


@pytest.mark.parametrize(("held", "streak"), [("scavenger", 1.0), ("big_moose_juice", 4.0)])
def test_greedy_uses_scavenger_and_juice_where_there_are_many_pellets(held, streak):
    def item(content):
        board = hall(13, content)
        board[3] = "11" + "2" + content * 9 + "1"
        animals = [ANIMAL | {"held_power_up": held}, OTHER]
        view = VIEW | {
            "animals": animals,
            "zookeepers": [],
            "you": OWN | {"direction": "left", "streak_multiplier": streak},
        }
        return Greedy().on_state(GameState(view | {"map": board}, Grid(board), ("ann", "bob")))

    assert item("2") == Action.USE_ITEM
    assert item("0") is None


def test_two_greedy_bots_on_one_cell_separate():
    """They would go the same way for good, and one of them would eat it all."""
    both = [ANIMAL | {"x": 3}, OTHER | {"x": 3}]
    first, second = (
        Plan(
            shown(animals=both, you=OWN | {"seat": seat, "direction": "left"}, zookeepers=[])
        ).action
        for seat in (0, 1)
    )

    assert {Action.LEFT, Action.RIGHT} == {first, second}


def test_greedy_searches_no_more_paths_on_an_open_board(monkeypatch):
    """In a hall without a wall the ways would multiply with every step."""
    board = hall(51, "2")
    looked = []
    further = Plan._further
    monkeypatch.setattr(
        Plan, "_further", lambda plan, way, steps: looked.append(way) or further(plan, way, steps)
    )
    animals = [ANIMAL | {"x": 25, "y": 25}, OTHER]
    Plan(GameState(VIEW | {"map": board, "animals": animals}, Grid(board), ("ann", "bob")))

    assert 4 * WIDTH < len(looked) <= 4 + AHEAD * WIDTH
