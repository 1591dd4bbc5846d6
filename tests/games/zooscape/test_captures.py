"""RULES §5: captures."""

from __future__ import annotations

import pytest

from games.zooscape.board import BIG_MOOSE_JUICE, CHAMELEON_CLOAK, SCAVENGER
from games.zooscape.maze import IDLE, LEFT, RIGHT
from tests.games.zooscape.table import at, eats, keeper_at, sent, table, tick

RICH = {
    "at": (3, 0),
    "score": 999,
    "streak_multiplier": 3.2,
    "streak_missed": 1,
    "is_viable": True,
    "direction": RIGHT,
}
CHASES = {"at": (5, 0), "target": 0}


def caught(**more):
    """Seat 0 stands beside a zookeeper that is after it."""
    return tick(table("4000000", animals=(RICH | more,), zookeepers=({"at": (4, 0), "target": 0},)))


def test_a_capture_returns_the_animal_to_its_cage_and_takes_a_tenth_of_its_score():
    state = caught()

    assert (at(state), state.animals[0].score, state.animals[0].captured_count) == ((0, 0), 899, 1)


@pytest.mark.parametrize(("share", "left"), [(0, 999), (33, 669), (100, 0)])
def test_the_score_left_by_a_capture_is_cut_to_a_whole_number(share, left):
    chased = {"at": (4, 0), "target": 0}
    state = tick(
        table("4000000", animals=(RICH,), zookeepers=(chased,), score_loss_percentage=share)
    )

    assert left == state.animals[0].score


def test_a_capture_ends_the_streak_and_the_movement():
    animal = caught().animals[0]

    assert (animal.streak_multiplier, animal.streak_missed, animal.direction, animal.is_viable) == (
        1.0,
        0,
        IDLE,
        False,
    )


def test_a_capture_has_no_distance_and_counts_a_tick_on_the_spawn():
    animal = caught().animals[0]

    assert (animal.distance_covered, animal.ticks_on_spawn) == (0, 1)


def test_a_capture_empties_the_queue_and_the_animal_is_silent():
    state = table("4000000", animals=(RICH,), zookeepers=({"at": (5, 0), "target": 0},))
    state = tick(sent(state, "right", "right", "right"))

    assert (state.queues[0], state.animals[0].last_command) == ((), None)
    assert at(tick(state)) == (0, 0)


def test_a_command_after_the_capture_is_played_in_the_next_tick():
    assert at(tick(sent(caught(), "right"))) == (1, 0)


def test_a_capture_leaves_held_and_active_items():
    assert caught(held=SCAVENGER).animals[0].held == SCAVENGER
    animal = caught(active=BIG_MOOSE_JUICE, ticks_remaining=3).animals[0]

    assert (animal.active, animal.ticks_remaining) == (BIG_MOOSE_JUICE, 2)


def test_walking_into_a_zookeeper_is_a_capture_without_a_tick_on_the_spawn():
    state = tick(
        sent(table("40000", animals=({"at": (2, 0)},), zookeepers=({"at": (3, 0)},)), "right")
    )

    assert (at(state), state.animals[0].captured_count, state.animals[0].ticks_on_spawn) == (
        (0, 0),
        1,
        0,
    )


def test_a_cloak_does_not_protect_an_animal_that_walks_into_a_zookeeper():
    cloaked = {"at": (2, 0), "active": CHAMELEON_CLOAK, "ticks_remaining": 9}
    state = tick(sent(table("40000", animals=(cloaked,), zookeepers=({"at": (3, 0)},)), "right"))

    assert state.animals[0].captured_count == 1


def test_the_pellet_under_a_zookeeper_is_eaten_first():
    state = tick(
        sent(table("40020", animals=({"at": (2, 0)},), zookeepers=({"at": (3, 0)},)), "right"),
        *eats(),
    )

    assert (
        state.animals[0].score,
        state.animals[0].captured_count,
        state.animals[0].streak_missed,
    ) == (57, 1, 0)


def test_an_animal_and_a_zookeeper_cannot_swap_cells():
    state = table(
        "400000",
        animals=({"at": (2, 0), "is_viable": True},),
        zookeepers=({"at": (3, 0), "target": 0},),
    )

    assert tick(sent(state, "right")).animals[0].captured_count == 1


def test_a_zookeeper_captures_all_animals_on_its_cell():
    both = (RICH, RICH | {"cage": (0, 0)})
    state = tick(table("4000000", animals=both, zookeepers=({"at": (4, 0), "target": 0},)))

    assert [animal.captured_count for animal in state.animals] == [1, 1]


def test_a_new_zookeeper_captures_animals_on_its_cell():
    state = table("40300", animals=({"at": (2, 0)},), zookeeper_timer=1)
    state = tick(state, ("zookeeper_interval", 250))

    assert (at(state), state.animals[0].captured_count, state.animals[0].ticks_on_spawn) == (
        (0, 0),
        1,
        1,
    )
    assert keeper_at(state) == (2, 0)


def test_an_animal_in_its_cage_is_safe():
    state = tick(table("40000", zookeepers=({"at": (1, 0), "direction": LEFT},)))

    assert state.animals[0].captured_count == 0


def test_the_next_zookeeper_drops_a_target_that_was_just_captured():
    state = table("4000000", animals=(RICH,), zookeepers=({"at": (4, 0), "target": 0}, CHASES))
    state = tick(state)

    assert (state.zookeepers[1].target, state.zookeepers[1].direction, keeper_at(state, 1)) == (
        None,
        IDLE,
        (5, 0),
    )
