"""What holds in every match, tick by tick."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games.core.journal import fingerprint
from games.core.match import Match
from games.zooscape import GAME
from games.zooscape.board import PELLET
from games.zooscape.state import State

BUSY = {
    "max_ticks": 150,
    "zookeeper_interval": {"mean": 15, "std_dev": 5, "min": 1, "max": 30},
    "pellet_respawn_interval": {"mean": 10, "std_dev": 5, "min": 0, "max": 20},
    "power_up_interval": {"mean": 5, "std_dev": 3, "min": 0, "max": 10},
    "power_up_distance_from_animals": 1,
    "power_up_distance_from_power_ups": 1,
}
CONFIGS: tuple[dict[str, Any], ...] = (
    BUSY | {"map_size": 9},
    BUSY | {"map_size": 13, "seats": 2, "tick_ms": 0},
    BUSY | {"map_size": 15, "seats": 3, "respawn_blocked_pellets": True},
)

ACTIONS = ("up", "down", "left", "right", "use_item")


def wandering(config: dict[str, Any], seed: int, stop: int | None = None) -> Iterator[Match]:
    """A match of animals that turn at random; the match after each tick."""
    match, chance = Match.begin(GAME, config, seed), Random(seed)
    while match.outcome is None and match.turn != stop:
        for seat in range(match.seats):
            if chance.random() < 0.4:
                match.apply(seat, {"action": chance.choice(ACTIONS)})
        match.advance()
        yield match


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("config", CONFIGS)
def test_the_invariants_of_the_rules_hold_after_every_tick(
    config: dict[str, Any], seed: int
) -> None:
    before: State | None = None
    for match in wandering(config, seed):
        state: State = match.state
        maze = state.maze
        keepers = {zookeeper.cell for zookeeper in state.zookeepers}
        for seat, animal in enumerate(state.animals):
            home = animal.cell == maze.spawns[seat]
            assert animal.score >= 0
            assert 1 <= animal.streak_multiplier <= 4
            assert 0 <= animal.streak_missed < 3
            assert home or maze.walkable[animal.cell]
            assert home or animal.cell not in keepers
            assert not (animal.held and animal.active)
            assert not (home and animal.is_viable)
            assert len(state.queues[seat]) <= 10
        assert all(maze.walkable[cell] for cell in keepers)
        if before is not None:
            assert len(before.zookeepers) <= len(state.zookeepers) <= 4
            assert {1, 4} & {int(chr(digit)) for digit in state.cells} == {1, 4}
            assert [digit in b"134" for digit in before.cells] == [
                digit in b"134" for digit in state.cells
            ]
        assert list(state.respawns) == sorted(
            state.respawns, key=lambda respawn: respawn // maze.area
        )
        assert (match.outcome is None) is (state.tick < 150 and PELLET in state.cells)
        before = state


def test_a_match_is_a_function_of_its_configuration_seed_and_commands() -> None:
    first, second = (
        [fingerprint(match.state) for match in wandering(CONFIGS[0], 3)] for _ in range(2)
    )

    assert first == second
    assert len(first) > 50
    assert first != [fingerprint(match.state) for match in wandering(CONFIGS[0], 4)]


def test_a_skip_does_not_change_what_follows() -> None:
    plain, skipping = Match.begin(GAME, CONFIGS[0], 1), Match.begin(GAME, CONFIGS[0], 1)
    for turn in range(30):
        for match in (plain, skipping):
            match.apply(turn % 4, {"action": ACTIONS[turn % 4]})
        for seat in range(4):
            skipping.apply(seat, {"action": "skip"})
        plain.advance()
        skipping.advance()

    assert repr(plain.state) == repr(skipping.state)


def test_a_thousand_ticks_of_the_default_board_contain_every_event() -> None:
    seen: set[str] = set()
    for match in wandering({}, 2, stop=1000):
        state = match.state
        seen |= {"captured" for animal in state.animals if animal.captured_count}
        seen |= {"eaten" for _ in state.respawns} | {"all zookeepers" for _ in state.zookeepers[3:]}
        seen |= {"power-up" for digit in b"5678" if digit in state.cells}

    assert match.outcome is None
    assert {"captured", "eaten", "all zookeepers", "power-up"} == seen
