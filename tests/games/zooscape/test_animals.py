"""RULES §5.1 to §5.4: who acts when, and where to."""

from __future__ import annotations

import pytest

from games.zooscape.maze import DIRECTIONS
from tests.games.zooscape.table import at, eats, rows, sent, table, tick, ticks

ROOM = ("00000", "00000", "00000")


@pytest.mark.parametrize(
    ("direction", "there"), [("up", (2, 0)), ("down", (2, 2)), ("left", (1, 1)), ("right", (3, 1))]
)
def test_an_animal_moves_one_cell_per_tick_until_its_next_command(direction, there):
    state = tick(sent(table(*ROOM, animals=({"at": (2, 1), "cage": (0, 0)},)), direction))

    assert there == at(state)
    assert (direction, 1) == (
        DIRECTIONS[state.animals[0].direction],
        state.animals[0].distance_covered,
    )
    assert tick(state).animals[0].distance_covered == 2


def test_an_animal_without_a_command_does_not_move():
    assert at(tick(table(*ROOM, animals=({"at": (2, 1), "cage": (0, 0), "direction": 4},)))) == (
        2,
        1,
    )


@pytest.mark.parametrize(
    ("start", "direction", "there"),
    [
        ((2, 0), "up", (2, 2)),
        ((2, 2), "down", (2, 0)),
        ((0, 1), "left", (4, 1)),
        ((4, 1), "right", (0, 1)),
    ],
)
def test_an_open_border_leads_to_the_opposite_side_at_distance_one(start, direction, there):
    state = tick(sent(table(*ROOM, animals=({"at": start, "cage": (0, 0)},)), direction))

    assert (there, 1) == (at(state), state.animals[0].distance_covered)


@pytest.mark.parametrize("wall", ["1", "4"])
def test_walls_and_cages_stop_an_animal_which_keeps_its_direction(wall):
    state = tick(sent(table(f"00{wall}", animals=({"at": (1, 0), "cage": (0, 0)},)), "right"))

    assert (
        at(state),
        state.animals[0].distance_covered,
        DIRECTIONS[state.animals[0].direction],
    ) == ((1, 0), 0, "right")


def test_an_animals_own_cage_is_closed_too():
    state = tick(sent(table("4001", animals=({"at": (1, 0)},)), "left"))

    assert at(state) == (1, 0)


def test_a_portal_onto_itself_has_no_distance():
    state = tick(sent(table("0", "1", "0", animals=({"at": (0, 0), "cage": (0, 2)},)), "left"))

    assert (at(state), state.animals[0].distance_covered) == ((0, 0), 0)


def test_one_command_is_taken_per_tick():
    state = tick(sent(table("4000", "1000"), "right", "right", "down"))
    assert (at(state), len(state.queues[0])) == ((1, 0), 2)

    assert at(ticks(state, [], [])) == (2, 1)


def test_animals_share_cells():
    state = table("40000", animals=({"at": (1, 0)}, {"at": (3, 0), "cage": (0, 0)}))
    state = tick(sent(sent(state, "right"), "left", seat=1))

    assert [at(state, 0), at(state, 1)] == [(2, 0), (2, 0)]


def test_the_earlier_command_wins_a_shared_pellet():
    state = table("40200", animals=({"at": (1, 0)}, {"at": (3, 0), "cage": (0, 0)}))
    state = tick(sent(sent(state, "left", seat=1), "right"), *eats())

    assert [animal.score for animal in state.animals] == [0, 64]


def test_the_older_command_acts_first():
    state = table("400200", animals=({"at": (1, 0)}, {"at": (4, 0), "cage": (0, 0)}))
    state = tick(sent(state, "right"))
    state = tick(sent(state, "left", seat=1), *eats())

    assert [animal.score for animal in state.animals] == [64, 0]


def test_silent_animals_act_by_seat_after_all_others():
    silent = {"at": (3, 0), "cage": (0, 0)}
    state = table("400201", animals=(silent, silent | {"at": (2, 0)}, silent))
    moved = tick(sent(state, "right", seat=1), *eats())
    waited = tick(state, *eats())

    assert [animal.score for animal in moved.animals] == [0, 64, 0]
    assert [animal.score for animal in waited.animals] == [64, 0, 0]


def test_using_an_item_gives_the_animal_its_later_seq():
    state = table("4000200", animals=({"at": (1, 0)}, {"at": (6, 0), "cage": (0, 0)}))
    state = sent(sent(state, "right"), "left", seat=1)
    state = tick(state)
    state = tick(sent(state, "use_item"), *eats())

    assert [animal.score for animal in state.animals] == [0, 64]


def test_ticks_on_the_own_spawn_are_counted_without_the_tick_of_leaving():
    state = ticks(table("4000"), [], [])
    assert state.animals[0].ticks_on_spawn == 2

    assert tick(sent(state, "right")).animals[0].ticks_on_spawn == 2


def test_an_animal_is_viable_off_its_spawn():
    state = table("4000")
    assert not tick(state).animals[0].is_viable

    assert tick(sent(state, "right")).animals[0].is_viable


def test_a_silent_animal_eats_the_pellet_under_it():
    state = tick(table("4200", animals=({"at": (1, 0)},)), *eats())

    assert (state.animals[0].score, rows(state)) == (64, ("4000",))
